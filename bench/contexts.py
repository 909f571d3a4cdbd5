# SPDX-License-Identifier: MIT
"""What B-MS+ costs in rounds with features, beside one learner of textbook C and of NumPy.

    contexts.py BUILD_DIR [RESULTS_CSV]

d = 10 features, K = 20 arms, M = 6 learners; nanoseconds of a round on one core, by the processor's clock, the least of
several repeats. B-MS+: the selector alone (choosing, noting the play, learning with its belief), without its learners;
also microseconds of its worst round and bytes of its state. LinUCB: one learner, acting and learning.
"""
import csv
import importlib.util
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TITLES = {
    "own-plays": "B-MS+ own plays, features of each arm",
    "bms-plus": "B-MS+, every learner asked",
    "own-plays-vector": "B-MS+ own plays, one vector for all arms",
    "own-plays-history": "B-MS+ own plays, its whole history",
    "linucb-textbook": "LinUCB, textbook C, -O3 -march=native",
    "linucb-numpy": "LinUCB, NumPy",
}


def rows(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines() if not line.startswith("regret")]


def main():
    build = sys.argv[1]
    found = rows([build + "/bench_contexts"])
    for rounds, repeats in ((3000, 20), (30000, 5)):
        found += rows([build + "/bench_linucb", str(rounds), str(repeats)])
    if importlib.util.find_spec("numpy") is not None:
        found += rows([sys.executable, os.path.join(HERE, "numpy_linucb.py"), "3000", "5"])
    print("\n%-40s %7s %10s %10s %8s" % ("rounds with features", "rounds", "ns", "worst, us", "kB"))
    for name, rounds, ns, *more in found:
        worst, size = (more[0], "%.1f" % (int(more[1]) / 1000)) if more else ("", "")
        print("%-40s %7s %10s %10s %8s" % (TITLES[name], rounds, ns, worst, size))
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow("contender rounds ns_per_round worst_round_us state_bytes".split())
            for row in found:
                out.writerow(row + [""] * (5 - len(row)))


main()
