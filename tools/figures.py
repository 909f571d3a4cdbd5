#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds pictures and tables of the documents that are older than what they show. docs/figures.json lists all of them.

    tools/figures.py check          fails, and prints each stale figure with the command that makes it
    tools/figures.py stamp NAME...  records that these figures were made from the inputs as they are now
    tools/figures.py stamp --all    the same for every figure
    tools/figures.py add NAME COMMAND [INPUT...]  lists a new figure, and stamps it
    tools/figures.py list           prints every figure with its command

A picture is named after its file in docs/pictures. A table is named by a comment on a line above it in README.md or
docs/*.md, `<!-- figures of NAME -->`. An entry of docs/figures.json has

    command   how the figure is made
    inputs    patterns of files that it is made from: experiments, scripts, .out files
    golden    how many lines tests/golden.txt had when the figure was made. Later lines are of new kinds
    digest    a hash of the inputs and of those lines when the figure was made; `stamp` writes both
    csv       instead of inputs and digest, for a table of a benchmark: its file. tools/quote.py compares the numbers

An entry without inputs is a picture drawn by hand. Comments, docstrings and blank lines of inputs do not count.
"""
import argparse
import ast
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = "tests/golden.txt"  # it changes whenever results do


def pages(root):
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def load(root):
    return json.loads((root / "docs/figures.json").read_text())


def essence(path):
    """The content of an input, without comments and blank lines where its language has them."""
    text = path.read_bytes()
    if path.suffix == ".c":
        return b" ".join(re.sub(rb"/\*.*?\*/|//[^\n]*", b" ", text, flags=re.DOTALL).split())
    if path.suffix not in (".py", ".yaml", ".sh"):
        return text
    lines = text.decode().split("\n")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None:
                docstring = node.body[0]
                lines[docstring.lineno - 1 : docstring.end_lineno] = [""] * (docstring.end_lineno - docstring.lineno + 1)
    lines = (re.sub(r"(^|\s+)#.*$", "", line).rstrip() for line in lines)
    return "\n".join(line for line in lines if line).encode()


def golden_lines(root):
    return (root / GOLDEN).read_text().splitlines(keepends=True)


def digest_of(root, entry):
    """Of the inputs by file name, so that a folder may be renamed; None where a pattern finds no file."""
    whole = hashlib.sha256("".join(golden_lines(root)[: entry["golden"]]).encode())
    for pattern in entry["inputs"]:
        found = sorted(root.glob(pattern))
        if not found:
            return None
        for path in found:
            content = essence(path)
            whole.update(f"{path.name} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:16]


def missing_inputs(root, entry):
    return [pattern for pattern in entry["inputs"] if not list(root.glob(pattern))]


def marked(root):
    """Where each table is announced."""
    places = {}
    for page in pages(root):
        for number, line in enumerate(page.read_text().split("\n"), 1):
            if match := re.fullmatch(r"<!-- figures of (\S+) -->", line.strip()):
                places.setdefault(match[1], []).append(f"{page.relative_to(root)}:{number}")
    return places


def check(root):
    figures, places, wrong = load(root), marked(root), []
    pictures = {path.name for path in (root / "docs/pictures").iterdir()}
    for name in sorted(pictures - set(figures)):
        wrong.append(f"docs/pictures/{name} has no entry in docs/figures.json")
    for name in sorted(set(places) - set(figures)):
        wrong.append(f"{places[name][0]}: the table {name} has no entry in docs/figures.json")
    for name, entry in figures.items():
        if re.search(r"\.(png|svg)$", name):
            if name not in pictures:
                wrong.append(f"docs/figures.json: there is no docs/pictures/{name}")
        elif name not in places:
            wrong.append(f"docs/figures.json: no page has <!-- figures of {name} -->")
        if "command" not in entry:
            wrong.append(f"docs/figures.json: {name} has no command")
        if "csv" in entry or "inputs" not in entry:
            continue
        if missing := missing_inputs(root, entry):
            wrong.append(f"docs/figures.json: {name}: no file is called {', '.join(missing)}")
        elif "golden" not in entry or digest_of(root, entry) != entry["digest"]:
            where = ", ".join(places.get(name, [f"docs/pictures/{name}"]))
            wrong.append(f"{where}: {name} is older than its inputs, {' '.join(entry['inputs'])} or {GOLDEN}.\n"
                         f"    make it again: {entry['command']}\n    then: tools/figures.py stamp {name}")
    return wrong


def stamp(root, names):
    figures = load(root)
    for name in names or list(figures):
        if name not in figures:
            sys.exit(f"figures.py: docs/figures.json has no {name}")
        entry = figures[name]
        if "inputs" in entry:
            if missing := missing_inputs(root, entry):
                sys.exit(f"figures.py: {name}: no file is called {', '.join(missing)}")
            entry["golden"] = len(golden_lines(root))
            entry["digest"] = digest_of(root, entry)
    (root / "docs/figures.json").write_text(written(figures))


def written(figures):
    """JSON with a line for each part of an entry."""
    parts = lambda entry: ",\n".join(f"    {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items())
    return "{\n" + ",\n".join(f"  {json.dumps(name)}: {{\n{parts(entry)}\n  }}" for name, entry in figures.items()) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description="Finds pictures and tables that are older than what they show.")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help=argparse.SUPPRESS)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("check", help="print stale figures, with the commands that make them")
    verbs.add_parser("list", help="print every figure with its command")
    stamping = verbs.add_parser("stamp", help="record that figures are made from the inputs as they are now")
    stamping.add_argument("names", nargs="*", metavar="NAME")
    stamping.add_argument("--all", action="store_true")
    adding = verbs.add_parser("add", help="list a new figure, and stamp it")
    adding.add_argument("name", metavar="NAME")
    adding.add_argument("command", metavar="COMMAND", help="how the figure is made")
    adding.add_argument("inputs", nargs="*", metavar="INPUT", help="patterns of files that it is made from")
    given = parser.parse_args()
    if given.verb == "check":
        wrong = check(given.root)
        print("\n".join(wrong), end="\n" if wrong else "")
        sys.exit(1 if wrong else 0)
    if given.verb == "list":
        for name, entry in load(given.root).items():
            print(f"{name:28}{entry['command']}")
        return
    if given.verb == "add":
        entry = {"command": given.command, **({"inputs": given.inputs} if given.inputs else {})}
        (given.root / "docs/figures.json").write_text(written({**load(given.root), given.name: entry}))
        stamp(given.root, [given.name])
        return
    if bool(given.names) == given.all:
        parser.error("stamp takes names, or --all")
    stamp(given.root, given.names)


if __name__ == "__main__":
    main()
