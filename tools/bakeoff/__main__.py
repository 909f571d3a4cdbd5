#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A bake-off on real data sets turned into bandits.

    tools/bakeoff [OPTION...] [export] [play] [analyse]

`export` writes the sets from Debian packages as tables and experiment files, `play` plays with posse (and with --vw also
with Vowpal Wabbit) what has not been played yet, `analyse` compares the contenders: tables and index.html. Without a
step it does all three. docs/bakeoff.md says what is compared.
"""
import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tournament"))

import analysis
import contenders
import experiments
import page
import runs
import sets
import vw

STEPS = ("export", "play", "analyse")


def options():
    parser = argparse.ArgumentParser("tools/bakeoff", description="A bake-off on real data sets turned into bandits.")
    parser.add_argument("steps", metavar="STEP", nargs="*", help="export, play, analyse; without any, all three")
    parser.add_argument("--sets", help="their names, with commas between them; default: all")
    parser.add_argument("--half", choices=("choosing", "reporting"), help="only the sets of this half")
    parser.add_argument("--grid", action="store_true", help="every setting among which defaults were chosen")
    parser.add_argument("--rows", type=int, default=20000, help="rows of a set; larger sets are sampled (20000)")
    parser.add_argument("--runs", type=int, default=10, help="orders of the rows (10)")
    parser.add_argument("--seed", type=int, default=2, help="samples and orders follow from it (2)")
    parser.add_argument("--vw", help="the program of Vowpal Wabbit, to be played too")
    parser.add_argument("--posse", default="build/posse", help="the program (build/posse)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default="results/bakeoff", help="(results/bakeoff)")
    given = parser.parse_args()
    for step in given.steps:
        if step not in STEPS:
            parser.error(f'there is no step "{step}": export, play, analyse')
    half = [name for name in sets.SETS if given.half is None or (given.half == "choosing") == (name in analysis.CHOOSING)]
    given.sets = given.sets.split(",") if given.sets else half
    for name in given.sets:
        if name not in sets.SETS:
            parser.error(f'there is no set "{name}"; there are {", ".join(sets.SETS)}')
    return given


def export(given):
    for folder in ("tables", "experiments", "vw"):
        (given.output / folder).mkdir(parents=True, exist_ok=True)
    sets.export(given.output / "raw", given.sets)
    learners, played = contenders.learners(given.posse, given.grid), {}
    for name in given.sets:
        for group in experiments.GROUPS:
            rows = experiments.write_table(given.output, name, given.output / "raw", given.rows, given.seed, group)
            players = contenders.for_amounts() if group == "-amounts" else learners
            experiments.write(given.output, name, rows, given.runs, given.seed, group, players)
        played[name] = rows
    plan = {"rows": played, "runs": given.runs, "seed": given.seed, "learners": [label for label, *_ in learners]}
    (given.output / "plan.json").write_text(json.dumps({**plan, "defaults": contenders.defaults(given.posse)}, indent=1))


def play(given):
    plan = json.loads((given.output / "plan.json").read_text())
    files = [
        given.output / "experiments" / f"{name}{group}{teams}.yaml"
        for name in sorted(plan["rows"], key=plan["rows"].get)
        for group in experiments.GROUPS
        for teams in ("", "-teams")
    ]
    runs.play([given.posse, "run", "--quiet", "--no-plots"], files, given.output / "runs", "bakeoff")
    for name, rows in plan["rows"].items() if given.vw else ():
        out = given.output / "vw" / f"{name}.json"
        if not out.exists():
            table = given.output / "tables" / f"{name}.csv"
            out.write_text(json.dumps(vw.play(given.vw, table, rows, plan["runs"], plan["seed"])))


def analyse(given):
    found = analysis.load(given.output)
    analysis.write(given.output, found)
    (given.output / "index.html").write_text(page.page(found))
    print(analysis.text(found))
    print(f"{len(found.sets)} sets: {given.output / 'index.html'}")


def main():
    given = options()
    try:
        for step in given.steps or STEPS:
            {"export": export, "play": play, "analyse": analyse}[step](given)
    except (runs.Stopped, KeyboardInterrupt):
        print("bakeoff: stopped; the same command continues", file=sys.stderr)
        sys.exit(3)


main()
