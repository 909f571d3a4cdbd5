# SPDX-License-Identifier: MIT
"""Instructions of a round, counted by valgrind's callgrind: the same on every run, whatever else the machine does.

    instructions.py BUILD_DIR CSV

A round is one of B-MS and one of every learner alone. The work before the first run is left out by taking the
difference between two numbers of runs. valgrind has no AVX-512, so other kernel sets are chosen by name.
"""
import csv
import os
import re
import subprocess
import sys

VARIANTS = ("posse-avx2", "posse-baseline")
RUNS = {"ucb": (16, 48, 1000), "linear": (1, 2, 15000)}  # fewer runs, more runs (whole groups abreast), and rounds


def count(build, variant, workload, runs):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", build + "/bench_contender"]
    command += [variant, workload, "0", str(runs), "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        sys.exit(done.stderr)
    return int(found[1]), re.search(r"^note (.*?);", done.stdout, re.M)[1]


def main():
    build, path = sys.argv[1:]
    with open(path + ".part", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow("workload variant instructions_per_round compiler".split())
        for workload, (few, many, rounds) in RUNS.items():
            for variant in VARIANTS:
                more, compiler = count(build, variant, workload, many)
                less, _ = count(build, variant, workload, few)
                a_round = (more - less) / ((many - few) * rounds)
                print("%-10s %-16s %10.0f instructions a round" % (workload, variant, a_round), flush=True)
                out.writerow([workload, variant, "%.0f" % a_round, compiler])
    os.rename(path + ".part", path)


main()
