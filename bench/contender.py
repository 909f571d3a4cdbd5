# SPDX-License-Identifier: MIT
"""What the Python contenders share: the workload they are given, and what they print."""
import math
import os
import platform
import time
import types

import numpy as np


def read_workload(path):
    """Lines of `key count numbers`, and the kind by name."""
    w = types.SimpleNamespace()
    with open(path) as file:
        w.kind = file.readline().split()[1]
        for line in file:
            key, count, *numbers = line.split()
            setattr(w, key, np.array(numbers, float))
            assert int(count) == len(numbers), key
    for key in ("rounds", "arms", "dim", "learners"):
        setattr(w, key, int(getattr(w, key)[0]))
    w.prior_sd, w.delta = float(w.prior_sd[0]), float(w.delta[0])
    return w


def peak_megabytes():
    """The peak of this process alone: getrusage would include memory of the parent before it started this one."""
    with open("/proc/self/status") as status:
        return next(float(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def blas():
    """The file of the BLAS library that NumPy has loaded."""
    with open("/proc/self/maps") as maps:
        files = sorted({os.path.basename(line.split()[-1]) for line in maps if ".so" in line})
    found = [file for file in files if "blas" in file or "mkl_rt" in file]
    return ([file for file in found if not file.startswith("libblas.")] or found or ["no BLAS"])[0]


def report(w, runs, repeats, play, note=""):
    """
    Times `play(repeat)`, which plays `runs` runs and returns the regret of each competitor (B-MS, then the learners
    alone) in each of them. A round is one of every competitor. Prints

        ns NANOSECONDS PER ROUND           once for each repeat
        regret COMPETITOR MEAN ERROR       over all repeats
        memory PEAK RESIDENT MEGABYTES
        note WORDS                         what it was made with
    """
    sums, squares, total = [0.0] * (w.learners + 1), [0.0] * (w.learners + 1), repeats * runs
    for repeat in range(repeats):
        begin = time.process_time()
        regrets = play(repeat)
        print("ns", 1e9 * (time.process_time() - begin) / (runs * w.rounds), flush=True)
        for c, regret in enumerate(regrets):
            sums[c] += sum(regret)
            squares[c] += sum(x * x for x in regret)
    for c, (s, q) in enumerate(zip(sums, squares)):
        mean = s / total
        variance = max(q - total * mean * mean, 0.0) / max(total - 1, 1)
        print("regret", c, mean, math.sqrt(variance / total))
    print("memory", peak_megabytes())
    print("note Python %s; NumPy %s; %s%s" % (platform.python_version(), np.__version__, blas(), note))
