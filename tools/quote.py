#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts examples and their output into README.md and docs/*.md, where a comment announces them.

A fenced block that follows `<!-- source of examples/NAME.c -->` or `<!-- output of examples/NAME -->` becomes that file, or
NAME.out. The test examples_print_what_the_docs_show compares them; this is how to mend what it finds.
"""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent
announced = re.compile(r"(<!-- (source|output) of (examples/\S+) -->\n```\w*\n).*?(```\n)", re.DOTALL)


def quoted(match: re.Match) -> str:
    file = match[3] if match[2] == "source" else match[3] + ".out"
    return match[1] + (root / file).read_text() + match[4]


for document in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    text = document.read_text()
    document.write_text(announced.sub(quoted, text))
