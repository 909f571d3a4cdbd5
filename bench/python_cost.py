# SPDX-License-Identifier: MIT
"""What Python costs: a decision with its reward, batches beside loops, and an experiment beside the program.

    PYTHONPATH=BUILD/python python_cost.py BUILD

Times are processor times on one thread, the least of several repeats. The time of an experiment of one round is
subtracted, which includes the start of the program. The program also writes its results, so Python does that, too.
Batches are compared with two loops: over the rows of an array, and over the rows of a data frame, as iterrows() returns
them. All make the same decisions. Afterwards the decisions expire, which is not part of their time.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas
import posse
from serve_worst import Server

REPEATS = 7
WIDTHS = (0.01, 0.1, 1, 2, 5, 10)


class Idle(posse.Learner):
    """The least that a learner in Python can do."""

    def act(self, draw):
        return 0

    def learn(self, arm, reward):
        pass


def experiment(rounds, runs):
    return {
        "name": "cost",
        "rounds": rounds,
        "runs": runs,
        "seed": 1,
        "environment": {"kind": "gaussian", "arms": 5},
        "learners": [{"name": f"c={width}", "kind": "ucb", "width": width} for width in WIDTHS],
        "selectors": [{"name": "B-MS", "kind": "bms"}],
    }


def least(work, after=None):
    """The least processor time of several repeats in seconds, of this process and its children. after: what is done
    between them, and is not counted."""

    def spent():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    times = []
    for _ in range(REPEATS):
        before = spent()
        work()
        times.append(spent() - before)
        if after is not None:
            after()
    return min(times)


def round_cost(learners, rounds, empty=False):
    """Nanoseconds of a decision with its reward; empty: of the loop alone."""
    p = posse.Posse(5, learners=learners, prior="gaussian")
    decide, learn = p.decide, p.learn

    def play():
        for _ in range(rounds):
            learn(decide(), 0.5)

    def nothing():
        for _ in range(rounds):
            pass

    return least(nothing if empty else play) / rounds * 1e9


# Teams with features that all arms share: the number of arms, the number of features, and the parts.
TEAMS = {
    "linear-ucb alone, 5 arms, d 5": (5, 5, {"selector": None, "learners": ["linear-ucb"]}),
    "recommended, 5 arms, d 5": (5, 5, {"rewards": "clicks"}),
    "linear-ucb alone, 10 arms, d 20": (10, 20, {"selector": None, "learners": ["linear-ucb"]}),
    "recommended, 10 arms, d 20": (10, 20, {"rewards": "clicks"}),
}


def batch_cost(arms, features, parts, count=10_000, frame_rows=1_000):
    """Nanoseconds of a decision and of teaching: by a loop over an array, by one over a data frame, and by a batch."""
    rng = np.random.default_rng(1)
    contexts = rng.normal(size=(count, features))
    plays, rewards = rng.integers(0, arms, count), rng.integers(0, 2, count).astype(float)
    frame = pandas.DataFrame(contexts)
    p = posse.Posse(arms, context=features, **parts)

    def decide_rows():
        for i in range(count):
            p.decide(contexts[i])

    def decide_frame():
        for _, row in frame.head(frame_rows).iterrows():
            p.decide(row)

    def decide_batch():
        p.decide_many(contexts)

    def teach_rows():
        for i in range(count):
            p.teach(plays[i], rewards[i], context=contexts[i])

    def teach_batch():
        p.teach_many(plays, rewards, contexts)

    def each(work, n):
        return least(work, lambda: p.expire(0)) / n * 1e9

    return (
        each(decide_rows, count),
        each(decide_frame, frame_rows),
        each(decide_batch, count),
        each(teach_rows, count),
        each(teach_batch, count),
    )


# Posses with features by name: five of a visitor, and with `dim` three offers with a price each.
NAMED = {
    "by name, linear-ucb alone, 5 arms": (None, {"context": 32, "selector": None, "learners": ["linear-ucb"]}),
    "by name, recommended, 5 arms": (None, {"context": 32, "rewards": "clicks"}),
    "by name, linear-ucb alone, 3 offers": (
        {arm: {"price": 2.0 + i} for i, arm in enumerate("abc")},
        {"dim": 32, "selector": None, "learners": ["linear-ucb"]},
    ),
}


def visitors(count):
    rng = np.random.default_rng(1)
    numbers, words = rng.normal(size=(count, 3)).tolist(), rng.integers(0, 3, (count, 2))
    keys = ("age", "visits", "spent", "new", "country")
    return [dict(zip(keys, (*x, bool(w[0]), ("de", "fr", "it")[w[1]]), strict=True)) for x, w in zip(numbers, words, strict=True)]


def named_cost(offers, parts, count=10_000, frame_rows=1_000):
    """Nanoseconds of a decision with features by name: loops over dicts and over a data frame, and batches of both."""
    rows = visitors(count)
    frame = pandas.DataFrame(rows)
    p = posse.Posse(list("abcde"), features={}, **parts)

    def loop_rows():
        for row in rows:
            p.decide(row, arms=offers)

    def loop_frame():
        for _, row in frame.head(frame_rows).iterrows():
            p.decide(row, arms=offers)

    def batch(contexts):
        p.decide_many(contexts, arms=offers)

    works = ((loop_rows, count), (loop_frame, frame_rows), (lambda: batch(rows), count), (lambda: batch(frame), count))
    return [least(work, lambda: p.expire(0)) / n * 1e9 for work, n in works]


def connected_cost(build, arms, features, parts, count=10_000, loop=1_000):
    """Microseconds of a decision that a server makes, by the clock: in a loop over an array, and in a batch. The server
    writes both to disk before it answers."""
    contexts = np.random.default_rng(1).normal(size=(count, features))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(build + "/posse", pathlib.Path(folder))
        p = posse.connect(f"http://127.0.0.1:{server.port}/bench", create={"arms": arms, "context": features, **parts})

        def rows():
            for i in range(loop):
                p.decide(contexts[i])

        def by_clock(work, n):
            times = []
            for _ in range(REPEATS):
                begin = time.perf_counter()
                work()
                times.append(time.perf_counter() - begin)
                p.expire(0)
            return min(times) / n * 1e6

        costs = by_clock(rows, loop), by_clock(lambda: p.decide_many(contexts), count)
        p.close()
        server.stop()
        return costs


def experiment_ratio(build, folder, rounds, runs):
    """Seconds of the program and of posse.run, for the same experiment and the same files."""
    seconds = []
    for size in ((rounds, runs), (1, 1)):
        file = os.path.join(folder, "cost.yaml")
        with open(file, "w") as out:
            out.write(posse.run(experiment(*size), runs=1, rounds=1).experiment)
        command = [build + "/posse", "run", file, "--no-plots", "-q", "--fresh", "--threads=1", "-o", folder]
        here = lambda: posse.run(file, threads=1).save(folder)
        there = lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append((least(there), least(here)))
    (program, package), (start, python_start) = seconds
    return program - start, package - python_start


def main(build):
    ucb = [{"kind": "ucb", "name": f"c={width}", "width": width} for width in WIDTHS]
    loop = round_cost(ucb, 200_000, empty=True)
    print(f"decide + learn, 6 ucb, 5 arms      {round_cost(ucb, 200_000) - loop:8.0f} ns")
    print(f"the same, a learner in Python      {round_cost([Idle()], 100_000) - loop:8.0f} ns")
    for name, (arms, features, parts) in TEAMS.items():
        rows, frame, batch, taught, taught_batch = batch_cost(arms, features, parts)
        print(f"{name}")
        print(f"  decide: array rows {rows:6.0f} ns, frame rows {frame:6.0f} ns, decide_many {batch:6.0f} ns", end="")
        print(f"   {rows / batch:.1f} and {frame / batch:.1f} times as fast")
        print(f"  teach:  array rows {taught:6.0f} ns, teach_many {taught_batch:6.0f} ns", end="")
        print(f"   {taught / taught_batch:.1f} times as fast")
    for name, (offers, parts) in NAMED.items():
        dicts, frame, of_dicts, of_frame = named_cost(offers, parts)
        print(f"{name}")
        print(f"  loop: dicts {dicts:6.0f} ns, frame rows {frame:6.0f} ns; decide_many: dicts {of_dicts:6.0f} ns,", end="")
        print(f" frame {of_frame:6.0f} ns   {dicts / of_dicts:.1f} and {frame / of_frame:.1f} times as fast")
    for name, (arms, features, parts) in TEAMS.items():
        if "selector" in parts:
            continue  # a posse on a server has one
        rows, batch = connected_cost(build, arms, features, parts)
        print(f"connected, {name}")
        print(f"  decide: array rows {rows:6.1f} us, decide_many {batch:6.1f} us   {rows / batch:.1f} times as fast")
    with tempfile.TemporaryDirectory() as folder:
        program, package = experiment_ratio(build, folder, 20_000, 300)
    print(f"experiment, the program            {program:8.3f} s")
    print(f"experiment, posse.run              {package:8.3f} s   {package / program:.3f} times the program's")


if __name__ == "__main__":
    main(*sys.argv[1:])
