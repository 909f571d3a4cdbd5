#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies examples, their output and measured numbers into README.md and docs/*.md, where a comment announces them.

    tools/quote.py            writes what differs
    tools/quote.py --check    prints what differs, and fails

A fenced block that follows `<!-- source of examples/NAME.c -->` or `<!-- output of examples/NAME -->` becomes that file, or
NAME.out. In a table that follows `<!-- figures of NAME -->`, where NAME has a `csv` in docs/figures.json, each number becomes
the number of that file, with the digits that the page has. `rows` are the rows of the table from the top, each as the values
by which its rows of the file are found, or "all" if the table has the rows of the file in their order. `columns` are those
of the table from the left, each with

    value   the column of the file
    where   more values by which its row of the file is found
    over    values of another row of the file, whose number divides this one
    scale   a factor

or null for a column that is not from the file, or a list if a cell has several numbers. An empty cell stays empty.
"""
import argparse
import csv
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANNOUNCED = re.compile(r"(<!-- (source|output) of (examples/\S+) -->\n```\w*\n).*?(```\n)", re.DOTALL)
TABLE = re.compile(r"(<!-- figures of (\S+) -->\n\n?(?:\|[^\n]*\n){2})((?:\|[^\n]*\n)+)")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def lookup(rows, wanted, value):
    found = [row for row in rows if all(row[key] == text for key, text in wanted.items())]
    if len(found) != 1:
        sys.exit(f"quote.py: {len(found)} rows of the file have {wanted}")
    return float(found[0][value]) if found[0][value] else None


def number_of(rows, row, spec):
    wanted = {**row, **spec.get("where", {})}
    number = lookup(rows, wanted, spec["value"])
    if number is not None and "over" in spec:
        number /= lookup(rows, {**wanted, **spec["over"]}, spec["value"])
    return None if number is None else number * spec.get("scale", 1)


def written(number, shown):
    """The number as the page writes it: `shown` if that is it, rounded; else with as many decimals."""
    value = float(shown.replace(",", ""))
    decimals = len(shown.partition(".")[2])
    if abs(number - value) <= 0.5 * 10**-decimals + 1e-9:
        return shown
    rounded = number >= 1000 and decimals == 0 and value % 100 == 0
    if rounded and any(float(f"{number:.{digits}g}") == value for digits in (2, 3, 4)):
        return shown
    if rounded:
        number = float(f"{number:.3g}")
    return f"{number:{',' if ',' in shown else ''}.{decimals}f}"


def table(root, name, entry, body):
    with open(root / entry["csv"], newline="") as file:
        rows = list(csv.DictReader(file))
    if entry["rows"] == "all":
        rows = [{**row, "row": str(number)} for number, row in enumerate(rows)]
        entry = {**entry, "rows": [{"row": row["row"]} for row in rows]}
    lines = body.splitlines()
    if len(lines) != len(entry["rows"]):
        sys.exit(f"quote.py: the table {name} has {len(lines)} rows, docs/figures.json has {len(entry['rows'])}")
    result = []
    for line, row in zip(lines, entry["rows"]):
        cells = line.strip().strip("|").split("|")
        if len(cells) != len(entry["columns"]):
            sys.exit(f"quote.py: the table {name} has {len(cells)} columns, docs/figures.json has {len(entry['columns'])}")
        for place, specs in enumerate(entry["columns"]):
            shown = NUMBER.findall(cells[place])
            if not specs or not shown:
                continue
            numbers = [number_of(rows, row, spec) for spec in (specs if isinstance(specs, list) else [specs])]
            if len(shown) != len(numbers) or None in numbers:
                sys.exit(f"quote.py: the table {name}: the file has {numbers}, the page has {cells[place].strip()}")
            left = iter(numbers)
            cells[place] = NUMBER.sub(lambda match: written(next(left), match[0]), cells[place])
        result.append("|" + "|".join(cells) + "|\n")
    return "".join(result)


def quoted(root, figures, text):
    def block(match):
        file = match[3] if match[2] == "source" else match[3] + ".out"
        return match[1] + (root / file).read_text() + match[4]

    def numbers(match):
        entry = figures.get(match[2], {})
        return match[1] + table(root, match[2], entry, match[3]) if "csv" in entry else match[0]

    return TABLE.sub(numbers, ANNOUNCED.sub(block, text))


def main():
    parser = argparse.ArgumentParser(description="Copies examples, their output and measured numbers into the documents.")
    parser.add_argument("--check", action="store_true", help="print what differs, and fail, instead of writing it")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help=argparse.SUPPRESS)
    given = parser.parse_args()
    figures = json.loads((given.root / "docs/figures.json").read_text())
    differ = False
    for page in [given.root / "README.md", *sorted((given.root / "docs").glob("*.md"))]:
        before = page.read_text()
        after = quoted(given.root, figures, before)
        if after == before:
            continue
        if not given.check:
            page.write_text(after)
            continue
        differ = True
        old, new = before.split("\n"), after.split("\n")
        line = next((place for place, (a, b) in enumerate(zip(old, new), 1) if a != b), min(len(old), len(new)))
        print(f"{page.relative_to(given.root)}:{line}: is not what its file has; tools/quote.py writes it\n    {new[line - 1]}")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
