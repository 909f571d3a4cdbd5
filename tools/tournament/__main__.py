#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A tournament of selectors on random problems.

    tools/tournament [OPTION...] [write] [play] [analyse]

`write` draws problems and writes them as experiment files, `play` plays with posse those that have not been played yet,
`analyse` compares the selectors: tables and index.html. Without a step it does all three. docs/methodology.md says how
problems are drawn and what is compared.
"""
import argparse
import pathlib
import sys
import types

sys.dont_write_bytecode = True

import analysis
import page
import problems
import results
import runs

STEPS = ("write", "play", "analyse")


def options():
    parser = argparse.ArgumentParser("tools/tournament", description="A tournament of selectors on random problems.")
    parser.add_argument("steps", metavar="STEP", nargs="*", help="write, play, analyse; without any, all three")
    parser.add_argument("--seed", type=int, default=1, help="the problems follow from it, and so do their runs (1)")
    parser.add_argument("--problems", type=int, default=200, help="how many (200)")
    parser.add_argument("--seconds", type=float, default=3, help="processor time of a problem, to set its runs (3)")
    parser.add_argument("--runs", type=int, help="runs of every problem, instead")
    parser.add_argument("--rounds", type=int, help="rounds of every problem, instead of drawn ones")
    parser.add_argument("--posse", default="build/posse", help="the program (build/posse)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default="results/tournament", help="(results/tournament)")
    parser.add_argument("--threads", type=int, help="as for posse run")
    parser.add_argument("--device", choices=("cpu", "gpu", "auto"), help="as for posse run")
    given = parser.parse_args()
    for step in given.steps:
        if step not in STEPS:
            parser.error(f'there is no step "{step}": write, play, analyse')
    if given.problems < 1:
        parser.error("a tournament needs a problem")
    return given


def write(given):
    drawn = [problems.Problem(given.seed, n, given.seconds, given.rounds, given.runs) for n in range(given.problems)]
    problems.write(drawn, given.output)


def play(given):
    files = [given.output / "problems" / f"{f['problem']}.yaml" for f in results.read(given.output / "problems.csv")]
    more = ["--threads", str(given.threads)] if given.threads else []
    more += ["--device", given.device] if given.device else []
    runs.play([given.posse, "run", "--quiet", "--no-plots", *more], files, given.output / "runs")


def analyse(given):
    found = results.load(given.output)
    compared = [result for result in found if result.differs_from_zero()]
    if not compared:
        sys.exit("tournament: there is no problem to compare selectors on")
    tournament = types.SimpleNamespace(
        seed=compared[0].features["seed"],
        results=compared,
        left_out=[result.name for result in found if not result.differs_from_zero()],
        standings=analysis.standings(compared),
        duels=analysis.duels(compared),
        splits=analysis.splits(compared),
    )
    results.write(given.output / "tournament.csv", tournament.standings)
    results.write(given.output / "duels.csv", tournament.duels)
    results.write(given.output / "splits.csv", tournament.splits)
    results.write(given.output / "ratios.csv", analysis.ratios(compared))
    (given.output / "index.html").write_text(page.page(tournament))
    print(f"{len(compared)} problems: {given.output / 'index.html'}")


def main():
    given = options()
    try:
        for step in given.steps or STEPS:
            {"write": write, "play": play, "analyse": analyse}[step](given)
    except (runs.Stopped, KeyboardInterrupt):
        print("tournament: stopped; the same command continues", file=sys.stderr)
        sys.exit(3)


main()
