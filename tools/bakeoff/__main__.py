#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A bake-off on real data sets turned into bandits.

    tools/bakeoff [OPTION...] [export] [play] [analyse]

`export` writes the sets from Debian packages as tables and experiment files, `play` plays with posse (and with --vw also
with Vowpal Wabbit) what has not been played yet, `analyse` compares the contenders: tables and index.html. Without a
step it does all three. Names are given with commas between them. docs/bakeoff.md says what is compared.
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
    parser.add_argument("--sets", help="their names; default: all")
    parser.add_argument("--half", choices=("choosing", "reporting"), help="only the sets of this half")
    parser.add_argument("--grid", action="store_true", help="every setting among which defaults were chosen")
    parser.add_argument("--only", help="contenders to be played beside the recommended team; default: all")
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
    given.only = given.only.split(",") if given.only else None
    known = contenders.names(given.posse, given.grid) + list(vw.settings()) if given.only else []
    for name in given.only or ():
        if name not in known:
            parser.error(f'there is no contender "{name}"; there are {", ".join(known)}')
    return given


def export(given):
    for folder in ("tables", "experiments", "vw"):
        (given.output / folder).mkdir(parents=True, exist_ok=True)
    sets.export(given.output / "raw", given.sets)
    wanted = lambda label: given.only is None or label in (analysis.RECOMMENDED, *given.only)
    learners = [learner for learner in contenders.learners(given.posse, given.grid) if wanted(learner[0])]
    amounts = [learner for learner in contenders.for_amounts() if wanted(learner[0])]
    players = {group: amounts if group == "-amounts" else learners for group in experiments.GROUPS}
    rows, files = {}, {}
    for name in given.sets:
        for group in experiments.GROUPS:
            selectors = contenders.selectors(*experiments.SPANS[group])
            selectors = {label: options for label, options in selectors.items() if wanted(label)}
            raw = given.output / "raw"
            rows[name] = experiments.write_table(given.output, name, raw, given.rows, given.seed, group)
            files[f"{name}{group}"] = experiments.write(
                given.output, name, rows[name], given.runs, given.seed, group, players[group], selectors
            )
    plan = {"rows": rows, "runs": given.runs, "seed": given.seed, "files": files}
    plan["learners"] = {group: [label for label, *_ in those] for group, those in players.items()}
    plan["vw"] = {label: options for label, options in vw.settings().items() if wanted(label)}
    (given.output / "plan.json").write_text(json.dumps(plan, indent=1))


def play(given):
    plan = json.loads((given.output / "plan.json").read_text())
    by_size = sorted(plan["rows"], key=plan["rows"].get)
    tables = [f"{name}{group}" for group in experiments.GROUPS for name in by_size]
    files = [given.output / "experiments" / f"{file}.yaml" for table in tables for file in plan["files"][table]]
    runs.play([given.posse, "run", "--quiet", "--no-plots"], files, given.output / "runs", "bakeoff")
    for group in vw.GROUPS if given.vw and plan["vw"] else ():
        for name in by_size:
            vw.play(given.vw, given.output, name, group, plan)


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
