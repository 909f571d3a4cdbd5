# SPDX-License-Identifier: MIT
"""Checks the names of functions of C: names_mean_one_thing.py TREE

A back trace or a profile has a name without its file, so the name must show which function it is. The program prints
each problem, and exits with 1 if it finds any of these in lib, app or bindings:
  - a name in several files, and in one of them it is static and does not begin with a word of the file's name;
  - a name in several files for functions that are not static, and several headers declare it: they are not variants of
    one function, of which a build takes one;
  - a static function of a source whose name is one word, other than the name of the file.
"""

import collections
import pathlib
import re
import sys

HOUSES = ("lib", "app", "bindings")
SUFFIXES = (".c", ".h", ".cu")
# The sources are formatted, so the first line of a function begins at the margin, with its type and its name.
HEAD = re.compile(r"^(?!typedef\b|return\b|else\b)(?P<type>[A-Za-z_][\w \t*]*[\s*])(?P<name>[a-z]\w*)\(")
IS_STATIC = re.compile(r"\b(static|WIDE)\b")  # WIDE: numeric/wide.h


def functions(path):
    """Yields the name of each function in a file, whether it is defined there, and whether it is static."""
    lines = path.read_text().split("\n")
    for number, line in enumerate(lines):
        head = HEAD.match(line)
        if not head:
            continue
        end = next((one for one in lines[number:] if re.search(r"[;{]", one)), "")
        defined = "{" in end and not re.match(r"[^{]*;", end)
        yield head["name"], defined, bool(IS_STATIC.search(head["type"]))


def begins_with_its_file(name, path):
    words = path.stem.split("_")
    return any(name == word or name.startswith(word + "_") for word in words)


def main(tree):
    defined, declared = collections.defaultdict(dict), collections.defaultdict(set)
    paths = [path for house in (*HOUSES, "include") for path in (tree / house).rglob("*") if path.suffix in SUFFIXES]
    for path in sorted(paths):
        for name, is_defined, is_static in functions(path):
            if is_defined:
                defined[name][path] = is_static
            elif path.suffix == ".h":
                declared[name].add(path)

    problems = []
    for name, places in sorted(defined.items()):
        where = " ".join(str(path.relative_to(tree)) for path in places)
        for path, is_static in places.items():
            here = f"{path.relative_to(tree)}: {name}"
            if len(places) > 1 and is_static and not begins_with_its_file(name, path):
                problems.append(f"{here} needs a word of its file, because the name stands in {where}")
            if is_static and path.suffix == ".c" and "_" not in name and name != path.stem:
                problems.append(f"{here} is one word, which does not show whose it is")
        if list(places.values()).count(False) > 1 and len(declared[name]) > 1:
            problems.append(f"{name} is the name of different functions in {where}")
    print("\n".join(problems) or f"{len(defined)} names of functions mean one thing each")
    return 1 if problems or not defined else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
