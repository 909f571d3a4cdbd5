# SPDX-License-Identifier: MIT
"""posse beside its rivals, all playing the same workloads: how long a round takes, and whether regrets agree.

    compare.py BUILD_DIR [RESULTS_CSV]       measures, prints a table, writes it
    compare.py BUILD_DIR --small             a few short runs, to see whether regrets agree

A round is one of B-MS and one of every learner alone, on one core, by the processor's clock; the least and the median
of several repeats. Every competitor's mean regret has to lie within four standard errors of posse's: exit status 1 if
any does not. Without NumPy the rivals that need it are left out.
"""
import csv
import importlib.util
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
WORKLOADS = ("ucb", "thompson", "linear")

# For each contender: how it is called, and the runs and repeats of each workload. Another variant of posse needs a line
# here and one in contender.c.
CONTENDERS = {
    "posse": ("library", {"ucb": (4000, 9), "thompson": (960, 9), "linear": (40, 9)}),
    "posse-avx2": ("library", {"ucb": (2400, 5), "thompson": (640, 5), "linear": (8, 5)}),
    "posse-baseline": ("library", {"ucb": (960, 5), "thompson": (320, 5), "linear": (4, 5)}),
    "posse-one-run": ("library", {"ucb": (1000, 5), "thompson": (250, 5)}),  # runs are not played side by side
    "posse-all-arms": ("library", {"linear": (20, 5)}),  # no arm is ruled out by its sketch
    "textbook": ("program", {"ucb": (500, 7), "thompson": (200, 7), "linear": (8, 5)}),
    "numpy": ("numpy_rivals.py", {"ucb": (4000, 7), "thompson": (4000, 5), "linear": (1, 3)}),  # at least one batch
    "loop": ("python_loop.py", {"ucb": (20, 5), "thompson": (5, 5), "linear": (5, 4)}),
}
TITLES = {
    "posse-one-run": "posse, one run at a time",
    "textbook": "textbook C, -O3 -march=native",
    "numpy": "NumPy, all runs at once",
    "loop": "Python, one run at a time",
}
SMALL = {"ucb": (200, 100), "thompson": (400, 100), "linear": (60, 100)}  # rounds, runs


def call(build, contender, workload, description, rounds, runs, repeats, batch):
    how = CONTENDERS[contender][0]
    if how == "library":
        command = [build + "/bench_contender", contender, workload, str(rounds), str(runs), str(repeats)]
    elif how == "program":
        command = [build + "/bench_textbook", description, str(runs), str(repeats)]
    else:
        command = [sys.executable, os.path.join(HERE, how), description, str(runs), str(repeats)]
        command += [str(batch)] if batch and contender == "numpy" else []
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=environment)


def understand(text):
    """The lines that a contender printed (report.h), by their keys."""
    found = {"ns": [], "regret": [], "memory": math.nan, "note": ""}
    for line in text.splitlines():
        key, rest = line.split(maxsplit=1)
        if key == "regret":
            found[key].append(tuple(float(x) for x in rest.split()[1:]))
        elif key == "note":
            found[key] = rest
        elif key == "ns":
            found[key].append(float(rest))
        else:
            found[key] = float(rest)
    return found


def apart(ours, theirs):
    """The difference of regrets, in standard errors, of the competitor whose regrets agree least."""
    return max(abs(a - b) / math.hypot(s, t) for (a, s), (b, t) in zip(ours["regret"], theirs["regret"]))


def processor():
    with open("/proc/cpuinfo") as file:
        facts = dict(reversed([[part.strip() for part in line.split(":", 1)] for line in file if ":" in line]))
    return "%s (family %s, model %s)" % tuple(facts.get(key, "?") for key in ("model name", "cpu family", "model"))


def contenders():
    if importlib.util.find_spec("numpy") is not None:
        return list(CONTENDERS)
    print("NumPy is not there: its rivals are left out")
    return [name for name in CONTENDERS if not CONTENDERS[name][0].endswith(".py")]


def describe(build, workload, rounds):
    path = os.path.join(build, "bench_%s.txt" % workload)
    with open(path, "w") as file:
        subprocess.run([build + "/bench_contender", "describe", workload, str(rounds)], stdout=file, check=True)
    return path


UNSUPPORTED = 2
HEADER = "%-30s %10s %10s %10s %7s %8s %20s %6s"
ROW = "%-30s %10.1f %10.1f %10.0f %7.1f %8.2f %9.2f +- %7.2f %6.1f"


def compare(build, workload, names, small):
    """A row for each contender: its name, what it printed, and how far its regrets are from posse's. posse is first."""
    rounds, small_runs = SMALL[workload] if small else (0, 0)
    description = describe(build, workload, rounds)
    print(HEADER % (workload, "ns, least", "median", "rounds/s", "MB", "x posse", "regret of B-MS", "apart"), flush=True)
    rows = []
    for name in (name for name in names if workload in CONTENDERS[name][1]):
        runs, repeats = (small_runs, 1) if small else CONTENDERS[name][1][workload]
        done = call(build, name, workload, description, rounds, runs, repeats, small_runs)
        if done.returncode == UNSUPPORTED and name.startswith("posse-"):
            print("%-30s this processor has none of it" % name)
            continue
        if done.returncode != 0:
            sys.exit("%s, %s: exit status %d" % (workload, name, done.returncode))
        found = understand(done.stdout)
        found["least"], found["median"] = min(found["ns"]), statistics.median(found["ns"])
        ours = rows[0][1] if rows else found
        found["times"], found["apart"] = found["least"] / ours["least"], apart(ours, found)
        rows.append((name, found))
        print(ROW % (TITLES.get(name, name), *figures(found)), flush=True)
    print()
    return rows


def figures(found):
    least = found["least"]
    return least, found["median"], 1e9 / least, found["memory"], found["times"], *found["regret"][0], found["apart"]


def write(path, results):
    machine = processor()
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(
            "workload contender ns_per_round_min ns_per_round_median rounds_per_second peak_memory_mb times_posse"
            " regret_mean regret_error errors_apart processor software".split()
        )
        for workload, rows in results.items():
            for name, found in rows:
                numbers = "%.1f %.1f %.0f %.1f %.2f %.2f %.2f %.1f" % figures(found)
                out.writerow([workload, name, *numbers.split(), machine, found["note"]])


def main():
    build, small = sys.argv[1], "--small" in sys.argv
    print("\na round of B-MS and of every learner alone, one core of %s\n" % processor())
    names = contenders()
    results = {workload: compare(build, workload, names, small) for workload in WORKLOADS}
    if not small:
        write(sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "results.csv"), results)
    disagree = ["%s, %s" % (w, name) for w, rows in results.items() for name, found in rows if found["apart"] > 4.0]
    if disagree:
        sys.exit("regrets more than 4 standard errors apart: " + "; ".join(disagree))


main()
