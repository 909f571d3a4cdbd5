# SPDX-License-Identifier: MIT
"""A posse that was saved, pickled or copied continues with the same decisions."""

import copy
import ctypes
import pickle
import random
import unittest

import numpy as np
import posse
from hypothesis import given, settings
from hypothesis import strategies as some
from support import PROGRAM, decisions

SELECTORS = [
    "bms",
    "d3rb",
    "ed2rb",
    "corral",
    "exp3p",
    "ucb",
    "greedy",
    "uniform",
    {"kind": "bms", "share": True, "batch": 3},
]
LEARNERS = [
    {"kind": "ucb", "width": 0.3},
    {"kind": "epsilon-greedy"},
    {"kind": "thompson"},
    "ucb",
    {"kind": "fixed", "arm": 1},
]
WAYS = {
    "save": lambda p: posse.load(p.save()),
    "pickle": lambda p: pickle.loads(pickle.dumps(p)),
    "old pickle": lambda p: pickle.loads(pickle.dumps(p, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


class Diary(posse.Learner):
    """A learner that plays at random and stores all rewards, in a structure that needs a deep copy."""

    def __init__(self, tail=0):
        self.tail = tail

    def start(self, arms):
        self.arms = len(arms)
        self.pages = [[]]

    def act(self, draw):
        if len(self.pages[0]) % 3 == 2:
            return self.pages[0][-1][0]
        return draw.index(self.arms)

    def learn(self, arm, reward):
        self.pages[0].append((arm, reward))


def some_posse(selector, seed, own):
    learners = LEARNERS + ([Diary(), {"kind": Diary, "name": "second", "tail": 2}] if own else [])
    return posse.Posse(3, selector, learners, prior={"kind": "gaussian", "mean": 0.1}, seed=seed, rounds=200)


def live(p, moves, chance):
    """Plays with late rewards, forgotten decisions, and learners that are added and retired. Returns the pending
    decisions."""
    pending = []
    for _ in range(moves):
        what = chance.random()
        if what < 0.6:
            pending.append(p.decide())
        elif what < 0.8 and pending:
            p.learn(pending.pop(chance.randrange(len(pending))), chance.random())
        elif what < 0.9 and pending:
            p.forget(pending.pop(chance.randrange(len(pending))).id)
        elif what < 0.93 and len(p.learners) < 12:
            p.add_learner({"kind": "ucb", "name": f"late {len(p.learners)}"})
        elif what < 0.95 and sum(p.active) > 2:
            p.retire_learner(chance.choice([i for i, active in enumerate(p.active) if active]))
    return pending


def go_on(p, pending, seed):
    """The next decisions, and what can be read after them."""
    chance = random.Random(seed)
    for d in pending:
        p.learn(d, chance.random())
    seen = decisions(p, 40)
    seen.append((p.learners, p.active, p.pending, p.plays.tolist()))
    return seen


class Saving(unittest.TestCase):
    @settings(max_examples=120)
    @given(
        way=some.sampled_from(sorted(WAYS)),
        selector=some.sampled_from(SELECTORS),
        seed=some.integers(0, 2**64 - 1),
        moves=some.integers(0, 120),
        own=some.booleans(),
    )
    def test_both_go_on_with_the_same_decisions(self, way, selector, seed, moves, own):
        p = some_posse(selector, seed, own)
        pending = live(p, moves, random.Random(seed))
        other = WAYS[way](p)
        self.assertIsNot(other, p)
        self.assertEqual((other.learners, other.pending, other.arms, other.dim), (p.learners, p.pending, p.arms, p.dim))
        # One is played after the other, so that shared state would show.
        self.assertEqual(go_on(other, pending, seed), go_on(p, pending, seed))

    def test_saved_bytes_are_saved_again_the_same(self):
        p = some_posse("bms", 1, False)
        live(p, 60, random.Random(1))
        self.assertEqual(posse.load(p.save(), exact=True).save(), p.save())

    def test_linear_arms_and_the_ball_are_kept(self):
        points = np.random.default_rng(1).normal(size=(7, 3))
        for where in ({"points": points}, {"dim": 3}):
            learners = ["linear-thompson", {"kind": "thompson", "name": "t"}]
            p = posse.Posse(learners=learners, prior="linear", **where)
            for _ in range(20):
                d = p.decide()
                p.learn(d, float(d.point[0]))
            other = pickle.loads(pickle.dumps(p))
            self.assertEqual((other.arms, other.dim), (p.arms, p.dim))
            for _ in range(20):
                a, b = p.decide(), other.decide()
                self.assertEqual((a.arm, a.learner, a.point.tolist()), (b.arm, b.learner, b.point.tolist()))
                p.learn(a, 0.5)
                other.learn(b, 0.5)

    def test_learners_in_python_are_copied_deeply_and_saved_whole(self):
        given = Diary()
        p = posse.Posse(3, "uniform", [given])
        self.assertFalse(hasattr(given, "pages"), "the instance given never plays")
        decisions(p, 5)
        kept = p.learner(0)
        self.assertEqual(len(kept.pages[0]), 5)
        for way, again in WAYS.items():
            with self.subTest(way=way):
                other = again(p).learner(0)
                self.assertIsInstance(other, Diary)
                self.assertEqual(other.pages, kept.pages)
                self.assertIsNot(other.pages[0], kept.pages[0])

    def test_a_class_that_pickle_cannot_find_is_refused(self):
        class Hidden(Diary):
            pass

        p = posse.Posse(3, "uniform", [Hidden()])
        with self.assertRaises((pickle.PicklingError, AttributeError)):
            p.save()
        decisions(p, 3)

    def test_damaged_bytes_are_refused_whole(self):
        p = some_posse("bms", 1, False)
        live(p, 30, random.Random(2))
        saved = p.save()
        chance = random.Random(3)
        for damaged in (b"", b"posse", saved[:-1], saved[: len(saved) // 2], saved + b"x", bytes(len(saved))):
            with self.assertRaises(posse.DamagedError):
                posse.load(damaged)
        for _ in range(300):
            at = chance.randrange(len(saved))
            with self.assertRaises(posse.DamagedError):
                posse.load(saved[:at] + bytes([saved[at] ^ (1 << chance.randrange(8))]) + saved[at + 1 :])

    def test_damaged_learners_in_python_are_refused(self):
        p = some_posse("bms", 1, True)
        decisions(p, 10)
        saved = p.save()
        for cut in range(1, 60):
            with self.assertRaises(posse.DamagedError):
                posse.load(saved[:-cut])
        for wrong in (None, 3, "text", [1]):
            with self.assertRaises(TypeError):
                posse.load(wrong)

    def test_saved_bytes_are_read_by_c_and_those_of_c_here(self):
        library = ctypes.CDLL(str(PROGRAM.parent / "libposse.so"))
        library.posse_free.argtypes = [ctypes.c_void_p]
        p = some_posse("bms", 1, False)
        live(p, 60, random.Random(4))
        saved, q = p.save(), ctypes.c_void_p()
        self.assertEqual(library.posse_load_exact(saved, ctypes.c_size_t(len(saved)), None, ctypes.byref(q)), 0)
        length = ctypes.c_size_t(len(saved))
        written = ctypes.create_string_buffer(len(saved))
        self.assertEqual(library.posse_save(q, written, ctypes.byref(length)), 0)
        library.posse_free(q)
        self.assertEqual(written.raw[: length.value], saved)
        self.assertEqual(decisions(posse.load(written.raw), 20), decisions(p, 20))

    def test_bytes_like_things_are_read(self):
        p = some_posse("bms", 1, False)
        for form in (bytearray, memoryview):
            self.assertEqual(decisions(posse.load(form(p.save())), 9), decisions(posse.load(p.save()), 9))

    def test_damage_is_told_as_the_library_tells_it(self):
        saved = some_posse("bms", 1, False).save()
        altered = bytearray(saved)
        altered[-1] ^= 1
        told = {
            b"hello, world": "not a saved posse",
            saved[:200]: f"cut short: 200 of {len(saved)} bytes",
            bytes(altered): "altered: its checksum does not match",
        }
        for data, text in told.items():
            with self.assertRaises(posse.DamagedError) as caught:
                posse.load(data)
            self.assertEqual(str(caught.exception), text)

    def test_probes_are_shown_and_pickled(self):
        p = posse.Posse(arms=3, learners=["ucb", "epsilon-greedy"], selector="stochastic-corral", rounds=200,
                        prior="gaussian")
        made = [p.decide() for _ in range(200)]
        self.assertEqual({d.probe for d in made}, {True, False})
        for d in made:
            self.assertTrue(repr(d).endswith(f", probe={d.probe})"))
            self.assertEqual(pickle.loads(pickle.dumps(d)), d)
            self.assertIs(pickle.loads(pickle.dumps(d)).probe, d.probe)

    def test_decisions_are_pickled(self):
        p = posse.Posse(learners=["linear-thompson"], points=np.eye(3), prior="linear")
        d = p.decide()
        for way in (lambda d: pickle.loads(pickle.dumps(d)), copy.copy, copy.deepcopy):
            e = way(d)
            self.assertEqual((e.id, e.arm, e.learner, e.probability), (d.id, d.arm, d.learner, d.probability))
            self.assertEqual(e.point.tolist(), d.point.tolist())
            self.assertEqual(e, d)
            self.assertEqual(hash(e), hash(d))
        self.assertNotEqual(d, p.decide())
        self.assertNotEqual(d, d.id)
        p.learn(pickle.loads(pickle.dumps(d)), 1.0)
        with self.assertRaises(posse.DecisionError):
            p.learn(d, 1.0)


if __name__ == "__main__":
    unittest.main()
