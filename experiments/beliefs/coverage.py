# SPDX-License-Identifier: MIT
"""How often the sets of the logistic belief hold the truth: runs bench_coverage, and writes coverage.csv and coverage.md.

The exit status is 0 if the coverage of 90% sets is within two standard errors of the limits: for Laplace's approximation at
least 0.87 if log odds have standard deviation 1, and 0.84 if it is 3; for exact inference 0.87 to 0.92 in both cases. The
numbers are the same on every machine.

usage: coverage.py BUILD OUTPUT [RUNS] [SEED]
"""

import csv
import pathlib
import subprocess
import sys

RUNS = 200
SEED = 2026
BOUNDS = {("1", "laplace"): (0.87, 1), ("3", "laplace"): (0.84, 1), ("1", "exact"): (0.87, 0.92), ("3", "exact"): (0.87, 0.92)}


def line(row):
    """A row of the page, with 95% intervals."""
    coverage, excess = (f"{float(row[k]):.3f} ± {1.96 * float(row[k + '_error']):.3f}" for k in ("coverage", "excess"))
    return f"| {row['sd']} | {row['inference']} | {row['rewards']} | {coverage} | {excess} | {row['acceptance'] or '–'} |"


def page(rows, runs, seed):
    head = [
        "# Coverage of the logistic belief",
        "",
        f"50 arms on the unit sphere of R^10, theta ~ N(0, sd² I), played by Thompson sampling; {runs} instances of seed {seed}.",
        "Coverage: how often a coordinate of theta is in the middle 90% of 199 draws. Excess: the mean squared distance of",
        "draws from the mode, a coordinate, less that of the truth; below 0 the belief is too sure. ± is 95%.",
        "",
        "| sd | inference | rewards | coverage | excess | acceptance |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    return "\n".join(head + [line(row) for row in rows]) + "\n"


def problems(rows):
    for row in rows:
        low, high = BOUNDS.get((row["sd"], row["inference"]), (0, 1))
        coverage, slack = float(row["coverage"]), 2 * float(row["coverage_error"])
        if not low - slack <= coverage <= high + slack:
            yield f"sd {row['sd']}, {row['inference']}, {row['rewards']} rewards: {coverage} is not in {low} .. {high}"


def main(build, output, runs=RUNS, seed=SEED):
    output = pathlib.Path(output)
    output.mkdir(parents=True, exist_ok=True)
    program = [pathlib.Path(build) / "bench_coverage", str(runs), str(seed)]
    text = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = list(csv.DictReader(text.splitlines()))
    (output / "coverage.csv").write_text(text)
    (output / "coverage.md").write_text(page(rows, runs, seed))
    print(page(rows, runs, seed), end="")
    wrong = list(problems(rows))
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
