# SPDX-License-Identifier: MIT
"""Shared by the tests: the paths of files, the program, and small experiments."""

import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import posse
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(posse.__file__).resolve().parent
# The package is built to BUILD/python/posse, the program to BUILD/posse.
PROGRAM = pathlib.Path(os.environ.get("POSSE_PROGRAM", PACKAGE.parents[1] / "posse"))
EXPERIMENT = ROOT / "tests" / "experiment.yaml"

# Hypothesis tries the same examples every time, and stores nothing among the sources.
set_hypothesis_home_dir(pathlib.Path(tempfile.gettempdir()) / "hypothesis")
settings.register_profile(
    "posse", derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("posse")

# The default selector, bms-plus, written as bms with its options.
WRITTEN_OUT = {"kind": "bms", "patience": 40, "commitment": 0, "budget": 1, "share": True}


def written_out(**options):
    """B-MS+ with these options as `bms`, without those that can have no effect, which are refused."""
    idle = {"commitment", "budget"} if options.get("patience") == "endless" else {"budget"} if options.get("forgetting") else set()
    return {key: value for key, value in {**WRITTEN_OUT, **options}.items() if key not in idle}


def small(**changes):
    """A short experiment, as a dict."""
    experiment = {
        "name": "small",
        "rounds": 200,
        "runs": 8,
        "seed": 3,
        "environment": {"kind": "gaussian", "arms": 4},
        "learners": [
            {"name": "narrow", "kind": "ucb", "width": 0.1},
            {"name": "wide", "kind": "ucb", "width": 2},
        ],
        "selectors": [{"name": "B-MS", "kind": "bms"}],
    }
    experiment.update(changes)
    return experiment


def lacking(served, guide):
    """The methods of posse.Posse that a served posse does not have, and those that its guide lists as missing."""
    paragraph = next(p for p in (ROOT / "docs" / guide).read_text().split("\n\n") if p.startswith("Some verbs"))
    missing = {name for name in set(dir(posse.Posse)) - set(dir(served)) if not name.startswith("_")}
    return missing, set(re.findall(r"`(\w+)`", paragraph)) - {"hierarchical"}


def lengthy(**changes):
    """An experiment that takes minutes."""
    return small(rounds=1_000_000, runs=1000, **changes)


class Ucb(posse.Learner):
    """The library's `ucb`, written in Python."""

    def __init__(self, width=1.0, delta=0.05, name=None):
        self.width, self.delta, self.name = width, delta, name

    def start(self, arms):
        self.count, self.sum = [0] * len(arms), [0.0] * len(arms)

    def act(self, draw):
        if 0 in self.count:
            return self.count.index(0)
        arms, learned = len(self.count), sum(self.count)
        radius = self.width * math.sqrt(math.log(2 * arms / self.delta * learned))
        bounds = [s / n + radius * (1 / math.sqrt(n)) for s, n in zip(self.sum, self.count)]
        return bounds.index(max(bounds))

    def learn(self, arm, reward):
        self.count[arm] += 1
        self.sum[arm] += reward


def program(*arguments, **how):
    """Runs the program."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, **how)


def python(*arguments, **how):
    """Runs this Python, which finds this package."""
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE.parent), PYTHONDONTWRITEBYTECODE="1")
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, **how)


def start_python(code, **how):
    """Starts this Python with a script, its output to be read."""
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE.parent), PYTHONDONTWRITEBYTECODE="1")
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True, env=environment, **how)


def scratch(test):
    """A folder for one test, which is removed after it."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


def peak_memory(process):
    """Bytes that a process has had at most."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", status)[1])


def stuffed(before, entry, after):
    """A text of 1 MiB, the longest body of a request, with as many entries of a list as it can have."""
    room = (1 << 20) - len(before) - len(after) + 1
    return before + b",".join([entry] * (room // (len(entry) + 1))) + after


# Descriptions of posses with many small values that none can have, and the place of the first that is wrong.
STUFFED = {
    "learners": stuffed(b'{"name": "new", "arms": 3, "prior": "beta", "learners": [', b'"ucb"', b"]}"),
    "arms[0]": stuffed(b'{"name": "new", "prior": "beta", "learners": ["ucb"], "arms": [', b"[]", b"]}"),
    "retired[0]": stuffed(b'{"name": "new", "arms": 3, "learners": ["ucb"], "retired": [', b"[]", b"]}"),
    "points[0]": stuffed(b'{"name": "new", "learners": ["linear-ucb"], "points": [[', b"0", b"]]}"),
    "points[0][0]": stuffed(b'{"name": "new", "learners": ["linear-ucb"], "points": [[', b"[]", b"]]}"),
}


def rows(path):
    """The rows of a CSV file, as dicts."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(field):
    """A field of a CSV file; an empty one is NaN."""
    return float(field) if field else float("nan")


def pay(arm):
    """A reward that depends on the arm only, and hardly differs between arms."""
    return 0.1 * arm - 0.2


def decisions(p, count, learn=True):
    """Plays `count` rounds and returns the decisions. The lower half of an id is the number of the decision. The
    upper half, its epoch, differs for each posse that is loaded."""
    made = []
    for _ in range(count):
        d = p.decide()
        made.append((d.id % 2**32, d.learner, d.arm, d.probability, None if d.point is None else tuple(d.point)))
        if learn:
            p.learn(d, pay(d.arm))
    return made
