# SPDX-License-Identifier: MIT
"""Checks every #include against the layers of docs/architecture.md: includes_go_down.py TREE

The sources are in three top folders, lib, app and bindings, and each of them is a root of includes. A layer is a folder
below one of these, with all its subfolders that are no layers themselves. The block ```layers lists the layers from the
lowest up, each with the layers that it includes. The block ```picture draws them. The program prints each problem on a
line with its file and line, and exits with 1 if it finds any of these:
  - an include of a layer that is not listed, and a layer that is listed but not included;
  - a layer that lists one that comes later in the block, which could make a cycle;
  - a layer of lib that lists one outside of lib;
  - a folder with C files that is not a layer, a layer without a file, an include of a file that does not exist;
  - a layer that the picture does not show, or shows no higher than one that it includes.
"""

import os
import pathlib
import re
import sys

DOCUMENT = "docs/architecture.md"
HOUSES = ("lib", "app", "bindings")
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


class Layers:
    """The declarations of the document: the layers in their order, and the layers that each may include."""

    def __init__(self, tree, complain):
        self.tree, self.complain = tree, complain
        text = (tree / DOCUMENT).read_text().split("\n")
        self.listed, self.line = {}, {}
        for number, line in fenced(text, "layers"):
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
                self.complain(f"{here}: {name} is in lib and lists {other}, which is not")
        self.listed[name], self.line[name] = below, number

    def in_library(self, name):
        return (self.tree / "lib" / name).is_dir()

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
        """The layer of a file; None if there is none. `path` is relative to the tree."""
        folder = pathlib.PurePath(*path.parent.parts[1:])
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
    for house in HOUSES:
        yield from sorted(p.relative_to(tree) for p in (tree / house).rglob("*.[ch]"))


def included(tree, path, quoted, name):
    """The file that an include means, relative to the tree; None if it is not in the tree."""
    for base in ([path.parent] if quoted else []) + [*HOUSES, ".", "include"]:
        found = pathlib.PurePath(os.path.normpath(pathlib.PurePath(base, name)))
        if (tree / found).is_file():
            return found
    return None


def check(tree, complain):
    layers = Layers(tree, complain)
    used, inhabited = {}, set()
    for path in sources(tree):
        layer = layers.of(path)
        if layer is None:
            complain(f"{path}:1: {path.parent} is not a layer of {DOCUMENT}")
            continue
        inhabited.add(layer)
        for number, line in enumerate((tree / path).read_text().split("\n"), 1):
            match = INCLUDE.match(line)
            target = match and included(tree, path, match[1] == '"', match[2])
            if match and target is None and match[1] == '"':
                complain(f"{path}:{number}: {match[2]} does not exist")
            if not target or target.parts[0] == "include":
                continue
            other = layers.of(target)
            if other not in (layer, *layers.listed[layer]):
                complain(f"{path}:{number}: {layer} may not include {target}; {DOCUMENT}:{layers.line[layer]} lists what it may")
            used.setdefault(layer, set()).add(other)
    for layer, below in layers.listed.items():
        here = f"{DOCUMENT}:{layers.line[layer]}"
        if layer not in inhabited:
            complain(f"{here}: {layer} has no file")
        for other in below:
            if other not in used.get(layer, ()):
                complain(f"{here}: {layer} lists {other}, but includes nothing of it")


def main():
    problems = []
    check(pathlib.Path(sys.argv[1]), problems.append)
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)


main()
