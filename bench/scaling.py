# SPDX-License-Identifier: MIT
"""How much faster two threads are than one, and two processes: `posse run` on the paper's first experiment.

    scaling.py BUILD_DIR CSV [RUNS...]

Seconds from start to end, mpirun's own included, the least and the median of several repeats that take turns; and what
the thread that takes finished blocks costs, in microseconds of its processor time per run. Run it on an idle machine
with at least as many processors as threads. Without mpirun, only threads are measured.
"""
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EXPERIMENT = os.path.join(HERE, "../experiments/paper/ucb.yaml")
RUNS = (20000, 200000)
REPEATS = 3
WAYS = ((1, 1), (1, 2), (2, 1))  # processes, threads of each


def processor_time(pid):
    """The processor time of a process's first thread so far, in seconds."""
    with open("/proc/%d/task/%d/schedstat" % (pid, pid)) as file:
        return int(file.read().split()[0]) / 1e9


def measure(posse, runs, processes, threads):
    with tempfile.TemporaryDirectory() as folder:
        command = [posse, "run", EXPERIMENT, "--runs", str(runs), "--threads", str(threads), "--no-plots", "-q", "-o", folder]
        if processes > 1:
            command = ["mpirun", "-n", str(processes)] + command
        begin, first = time.monotonic(), 0.0
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            try:
                first = processor_time(process.pid)
            except (OSError, IndexError):
                pass  # the process has just ended, or the system has no such file
            time.sleep(0.005)
        seconds = time.monotonic() - begin
    if process.returncode > 1:
        sys.exit("failed: " + " ".join(command))
    return seconds, first / runs * 1e6 if processes == 1 else None


def compare(posse, runs, out):
    ways = [way for way in WAYS if way[0] == 1 or shutil.which("mpirun")]
    taken = {way: [] for way in ways}
    for _ in range(REPEATS):
        for way in ways:
            taken[way].append(measure(posse, runs, *way))
    for way in ways:
        seconds = [s for s, _ in taken[way]]
        faster = min(s for s, _ in taken[(1, 1)]) / min(seconds)
        taking = "" if way[0] > 1 else "%.1f" % min(t for _, t in taken[way])
        print("%7d runs, %d x %d threads: %7.2f s, %.2f times as fast; %s us a run for taking"
              % (runs, *way, min(seconds), faster, taking or "?"), flush=True)
        out.writerow([runs, *way, "%.2f" % min(seconds), "%.2f" % statistics.median(seconds), "%.2f" % faster, taking])


def main():
    build, path, *runs = sys.argv[1:]
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with open(path + ".part", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow("runs processes threads seconds_min seconds_median times_one taking_us_per_run".split())
        for count in map(int, runs or RUNS):
            compare(build + "/posse", count, out)
    os.rename(path + ".part", path)


main()
