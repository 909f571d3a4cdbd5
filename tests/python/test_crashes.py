# SPDX-License-Identifier: MIT
"""An application that is killed at any moment: no reward ever teaches another decision than its own.

This is tests/system/killed_application.c from Python, with KILLS (10 unless the environment says otherwise).
"""

import collections
import os
import pickle
import random
import select
import signal
import struct
import unittest

import numpy as np
import posse
from patience import until
from support import scratch

ARMS = 8
KILLS = int(os.environ.get("KILLS", 10))
SHOWN = struct.Struct("=Qii")  # id, arm, and a number set by the world: 1, the reward is positive; 0, negative

# The functions that save and load a posse.
WAYS = {
    "load": (posse.Posse.save, posse.load),
    "pickle": (pickle.dumps, pickle.loads),
    "exact": (posse.Posse.save, lambda data: posse.load(data, exact=True)),
}


def newborn():
    learners = ["thompson", "ucb", {"kind": "epsilon-greedy", "epsilon": 0.5}]
    return posse.Posse(ARMS, learners=learners, prior="gaussian", expire_after=2000)


def pay(arm, lucky):
    """A reward whose size identifies the arm. On average no arm is best."""
    size = 1 + arm / ARMS
    return size if lucky else -size


def save(file, way, p, paid):
    """Writes a temporary file, and renames it once it is on disk."""
    temporary = file.with_suffix(".new")
    with open(temporary, "wb") as out:
        pickle.dump((WAYS[way][0](p), paid), out)
        out.flush()
        os.fsync(out.fileno())
    temporary.rename(file)


def begin(file, way):
    """Loads the file, or creates a posse and saves it before its first decision."""
    if file.exists():
        data, paid = pickle.loads(file.read_bytes())
        return WAYS[way][1](data), paid
    p, paid = newborn(), collections.Counter()
    save(file, way, p, paid)
    return p, paid


def live(file, way, shown, rewards):
    p, paid = begin(file, way)
    round = 0
    while True:
        d = p.decide()
        os.write(shown, SHOWN.pack(d.id, d.arm, 0))
        while select.select([rewards], [], [], 0)[0]:
            id, arm, lucky = SHOWN.unpack(os.read(rewards, SHOWN.size))
            try:
                p.learn(id, pay(arm, lucky))
                paid[arm, lucky] += 1
            except posse.DecisionError:
                pass
        round += 1
        if round % 10 == 0:
            save(file, way, p, paid)


def let_live(file, way, seen, chance):
    """Runs one life of the application. For each arm that it shows, rewards of some arms shown so far are sent to
    it."""
    (shown, show), (rewards, reward) = os.pipe(), os.pipe()
    os.set_blocking(reward, False)
    child = os.fork()
    if child == 0:
        try:
            live(file, way, show, rewards)
        finally:
            os._exit(1)
    os.close(show)
    left = chance.randint(1, 1500)  # decisions to read before it is killed; it has made some more by then
    while got := os.read(shown, SHOWN.size):  # until it is dead, and all its decisions were read
        left -= 1
        if left == 0:
            os.kill(child, signal.SIGKILL)
        id, arm, _ = SHOWN.unpack(got)
        seen.append((id, arm, chance.randrange(2)))
        for _ in range(chance.randint(1, 4)):
            latest = seen[-chance.choice([30, 30, 2200, len(seen)]) :]
            try:
                os.write(reward, SHOWN.pack(*chance.choice(latest)))
            except BlockingIOError:
                pass  # the pipe is full: the reward is dropped
    for end in (shown, rewards, reward):
        os.close(end)
    return os.waitpid(child, 0)[1]


class Crashes(unittest.TestCase):
    def distance(self, way, kills):
        """The distance between the last belief and that of a new posse after exactly the rewards that were learned."""
        file, seen, chance = scratch(self) / "state", [], random.Random(way)
        for _ in range(kills):
            self.assertEqual(let_live(file, way, seen, chance), signal.SIGKILL)
        p, paid = begin(file, way)
        self.assertGreater(paid.total(), 10)
        fresh = newborn()
        for (arm, lucky), count in paid.items():
            for _ in range(count):
                fresh.teach(arm, pay(arm, lucky))
        return max(np.abs(p.means - fresh.means).max(), np.abs(p.deviations - fresh.deviations).max())

    def test_rewards_teach_their_own_decision(self):
        for way in ("load", "pickle"):
            with self.subTest(way=way):
                self.assertLess(self.distance(way, KILLS), 1e-9)

    def test_ids_that_are_given_twice_are_noticed(self):
        self.assertGreater(self.distance("exact", 50), 1e-6)


if __name__ == "__main__":
    unittest.main()
