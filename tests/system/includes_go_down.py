# SPDX-License-Identifier: MIT
"""Compares every #include with the folders that docs/architecture.md lists: includes_go_down.py TREE

A folder here is a folder of C files with all folders below it that are not listed themselves. The block ```rooms lists
them from the lowest up, each with the folders that it includes; the block ```picture draws them. Each problem is printed
with file and line, and makes the exit status 1:
  - an include of a folder that is not listed, and a folder that is listed but not included;
  - a folder that lists one that follows later in the block, so that no circle is possible;
  - a folder of src/ that lists one outside of src/;
  - a folder with C files that is not listed, a listed folder without a file, an include of a file that does not exist;
  - a folder that the picture does not show, or shows no higher than one that it includes.
"""

import os
import pathlib
import re
import sys

DOCUMENT = "docs/architecture.md"
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


class Folders:
    """The folders that the document lists, in its order, and for each folder those that it may include."""

    def __init__(self, tree, complain):
        self.tree, self.complain = tree, complain
        text = (tree / DOCUMENT).read_text().split("\n")
        self.listed, self.line = {}, {}
        for number, line in fenced(text, "rooms"):
            name, _, below = line.partition(":")
            self.declare(name.strip(), below.split(), number)
        self.check_picture(fenced(text, "picture"))

    def declare(self, name, below, number):
        here = f"{DOCUMENT}:{number}"
        if name in self.listed:
            self.complain(f"{here}: {name} is listed twice")
        for other in below:
            if other not in self.listed:
                self.complain(f"{here}: {name} lists {other}, which does not come before it")
            elif self.in_library(name) and not self.in_library(other):
                self.complain(f"{here}: {name} is in src/ and lists {other}, which is not")
        self.listed[name], self.line[name] = below, number

    def in_library(self, name):
        return (self.tree / "src" / name).is_dir()

    def check_picture(self, lines):
        shown = {}
        for number, line in lines:
            for word in re.findall(r"[\w/.]+", line):
                if word in self.listed:
                    shown[word] = number
        for name, below in self.listed.items():
            if name not in shown:
                self.complain(f"{DOCUMENT}:{self.line[name]}: {name} is not in the picture")
            for other in below:
                if name in shown and other in shown and shown[name] >= shown[other]:
                    self.complain(f"{DOCUMENT}:{shown[name]}: the picture has {name} no higher than {other}")

    def of(self, path):
        """The listed folder that has a file, or None. `path` is relative to the tree."""
        folder = path.parent
        if folder.parts[:1] == ("src",):
            folder = pathlib.PurePath(*folder.parts[1:])
        while folder.parts and str(folder) not in self.listed:
            folder = folder.parent
        return str(folder) if folder.parts else None


def fenced(text, language):
    """The lines of the fenced block of a language, with their numbers."""
    if f"```{language}" not in text:
        sys.exit(f"{DOCUMENT} has no block ```{language}")
    begin = text.index(f"```{language}") + 1
    end = text.index("```", begin)
    return [(number + 1, text[number]) for number in range(begin, end) if text[number].strip()]


def sources(tree):
    for folder in ("src", "engine", "serve", "redis", "report", "cli", "python/src"):
        yield from sorted(p.relative_to(tree) for p in (tree / folder).rglob("*.[ch]"))


def included(tree, path, quoted, name):
    """The file that an include finds, relative to the tree; None if it is not in the tree."""
    for base in ([path.parent] if quoted else []) + ["src", ".", "include"]:
        found = pathlib.PurePath(os.path.normpath(pathlib.PurePath(base, name)))
        if (tree / found).is_file():
            return found
    return None


def check(tree, complain):
    folders = Folders(tree, complain)
    used, inhabited = {}, set()
    for path in sources(tree):
        folder = folders.of(path)
        if folder is None:
            complain(f"{path}:1: {path.parent} is not listed in {DOCUMENT}")
            continue
        inhabited.add(folder)
        for number, line in enumerate((tree / path).read_text().split("\n"), 1):
            match = INCLUDE.match(line)
            target = match and included(tree, path, match[1] == '"', match[2])
            if match and target is None and match[1] == '"':
                complain(f"{path}:{number}: {match[2]} does not exist")
            if not target or target.parts[0] == "include":
                continue
            other = folders.of(target)
            if other not in (folder, *folders.listed[folder]):
                complain(f"{path}:{number}: {folder} may not include {target}; {DOCUMENT}:{folders.line[folder]} lists what it may include")
            used.setdefault(folder, set()).add(other)
    for folder, below in folders.listed.items():
        here = f"{DOCUMENT}:{folders.line[folder]}"
        if folder not in inhabited:
            complain(f"{here}: {folder} has no file")
        for other in below:
            if other not in used.get(folder, ()):
                complain(f"{here}: {folder} lists {other}, but includes nothing of it")


def main():
    problems = []
    check(pathlib.Path(sys.argv[1]), problems.append)
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)


main()
