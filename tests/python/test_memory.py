# SPDX-License-Identifier: MIT
"""Memory is released: the resident memory stays constant, and references are balanced."""

import gc
import pickle
import sys
import unittest

import numpy as np
import posse
from support import python, scratch, small


class Idle(posse.Learner):
    def act(self, draw):
        return 0

    def learn(self, arm, reward):
        pass


def resident():
    """The resident memory in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


class Memory(unittest.TestCase):
    def assert_flat(self, work, times):
        """Calls `work` in four parts. A leak adds memory in each part, but fragmentation of the heap in one or two
        only."""
        marks = []
        for _ in range(5):
            marks.append((resident(), len(gc.get_objects())))
            for _ in range(times // 4):
                work()
            gc.collect()
        memory, objects = (min(b - a for a, b in zip(line, line[1:])) for line in zip(*marks))
        self.assertLess(memory, 1 << 16)
        self.assertLess(objects, 10)

    def test_a_million_rounds(self):
        learners = [{"kind": "ucb", "width": w, "name": f"{w}"} for w in (0.1, 0.5, 1, 2, 5, 10)]
        p = posse.Posse(5, learners=learners, prior="gaussian")

        def rounds():
            for _ in range(1000):
                d = p.decide()
                p.learn(d, 0.5)

        self.assert_flat(rounds, 1000)
        self.assertEqual(p.plays.sum(), 1_250_000)

    def test_rounds_of_learners_in_python(self):
        p = posse.Posse(5, "uniform", [Idle(), "ucb"])
        self.assert_flat(lambda: p.learn(p.decide(), 0.5), 50_000)

    def test_rounds_with_points_and_looks_inside(self):
        p = posse.Posse(points=np.eye(4), learners=["linear-thompson", "linear-ucb"], prior="linear")

        def look():
            d = p.decide()
            p.forget(d)
            d.point, p.plays, p.potentials, p.probabilities, p.means, p.learners, p.active, repr(d), repr(p)

        self.assert_flat(look, 20_000)

    def test_decisions_that_pend_and_estimates(self):
        p = posse.Posse(4, "bms", ["ucb", Idle(), "external"], prior={"kind": "gaussian", "robust": True}, expire_after=3)

        def look():
            d = p.decide()
            if d.untold:
                p.acted(d, 1)
            if p.decisions % 2:
                p.learn(pickle.loads(pickle.dumps(d)), 0.5)
            p.teach(2, 0.5)
            p.pending_decisions(), p.expire(2), p.propensities(3), p.best_probabilities(3)
            p.deviations, p.weights, p.regrets, p.decisions, p.epoch, d.arm, d.point, d.propensity, repr(d), hash(d)

        self.assert_flat(look, 8000)

    def test_rounds_that_bring_features(self):
        p = posse.Posse(4, "bms", ["linear-ucb", Idle(), "external"], dim=2, context=3, prior="linear", expire_after=3)
        e = posse.Environment({"kind": "contextual", "dim": 2, "arms": 4})
        x, shared = np.eye(4, 2), [0.1, 0.2, 0.3]
        wrong = [(x, [0.1]), (x * np.nan, shared), (x.astype(complex), shared), posse.Context(x, shared, [1, 1, 2, 3])]

        def look():
            c = posse.Context(x[::-1], shared, [2, 1, 3, 0])
            d = p.decide(c)
            if d.untold:
                p.acted(d, 1, context=c)
            if p.decisions % 2:
                p.learn(pickle.loads(pickle.dumps(d)), 0.5)
            p.teach(2, 0.5, context=(x, shared))
            p.pending_decisions(), p.propensities(3, context=c), p.means_in(c), p.deviations_in(c), d.features
            for context in wrong:
                self.assertRaises(posse.ContextError, p.decide, context)
            e.round(), e.reward(d)

        self.assert_flat(look, 4000)

    def test_posses_come_and_go(self):
        def one():
            p = posse.Posse(5, learners=["ucb", {"kind": "thompson", "name": "t"}, Idle()], prior="gaussian")
            d = p.decide()
            p.decide()
            p.learn(d, 0.1)
            posse.load(p.save()).learn(p.pending_decisions()[0].id, 0.1)
            posse.load(p.save(), exact=True)
            p.add_learner({"kind": "ucb", "name": "late"})
            p.retire_learner(0)

        self.assert_flat(one, 8000)

    def test_arms_come_and_go(self):
        def one():
            p = posse.Posse(points=np.eye(3), learners=["linear-ucb", "ucb"], prior="linear")
            p.forget(p.decide())
            p.add_arm(np.ones(3))
            p.add_arm(point=[0.5, 0.5, 0])
            p.retire_arm(1)

        self.assert_flat(one, 4000)

    def test_failing_calls(self):
        p = posse.Posse(5, learners=["ucb"], prior="beta")
        foreign = posse.Posse(5, learners=["ucb"], prior="beta").decide()
        external = posse.Posse(dim=2, learners=["external"], prior="linear")
        untold = external.decide()

        def fail():
            for call in (
                lambda: posse.Posse(5, learners=[{"kind": "ucb", "width": -1}]),
                lambda: posse.Posse(5, learners=[{"kind": "ubc"}]),
                lambda: posse.Posse(5, learners=[{"kind": "thompson", "belief": {"kind": "gaussian", "mean": [1, 2]}}]),
                lambda: posse.Posse(5, learners=[Idle(), {"kind": "ucb", "wdith": 3}]),
                lambda: posse.Posse(points=[[1, 2], [3]], learners=["ucb"]),
                lambda: p.learn(99, 0.1),
                lambda: p.learn(p.decide(), 2.0),
                lambda: p.learn("x", 0.1),
                lambda: p.learn(foreign, 0.1),
                lambda: p.acted(foreign, 0),
                lambda: p.teach(9, 0.1),
                lambda: p.teach(0, 2.0),
                lambda: p.expire(-1),
                lambda: p.propensities(0),
                lambda: external.learn(untold, 0.1),
                lambda: external.acted(untold, [1, 2, 3]),
                lambda: external.acted(untold, [1, 2]),
                lambda: external.deviations,
                lambda: posse.Posse(5, learners=[Idle()], propensity_draws=3),
                lambda: posse.Posse(5, learners=["ucb"], expire_after=3, expire_reward=float("nan")),
                lambda: p.add_learner({"kind": "ucb", "name": "ucb"}),
                lambda: p.retire_learner("nobody"),
                lambda: p.add_arm([1.0]),
                lambda: p.add_arm("x"),
                lambda: p.retire_arm(99),
                lambda: p.clipped,
                lambda: posse.load(b"nonsense"),
                lambda: posse.check(small(learners=[{"kind": "ucb", "wdith": 3}])),
                lambda: posse.check({}),
            ):
                with self.assertRaises(Exception):
                    call()
            p.forget(int(p.plays.sum()))

        self.assert_flat(fail, 400)

    def test_runs_of_experiments(self):
        self.assert_flat(lambda: posse.run(small(runs=2, rounds=20), threads=1), 300)

    def test_runs_with_learners_in_python(self):
        self.assert_flat(
            lambda: posse.run(small(runs=2, rounds=20, learners=[Idle(), {"kind": "ucb", "name": "u"}])), 300
        )

    def test_references_to_arguments_are_returned(self):
        points, learner, name, arms = np.eye(3), Idle(), "a name of its own", np.array([2, 1, 0])
        part, selector, prior = {"kind": "linear-thompson", "name": name}, {"kind": "bms"}, {"kind": "linear"}
        things = points, learner, name, part, selector, prior, arms
        before = [sys.getrefcount(thing) for thing in things]
        for _ in range(100):
            p = posse.Posse(0, selector, [part, learner], points=points, prior=prior)
            d = p.decide()
            p.learn(d, 0.5)
            p.learner(1)
            p = posse.Posse(3, "uniform", [part], dim=3, prior=prior)
            d = p.decide(points, arms=arms)
            self.assertRaises(posse.ContextError, p.decide, points, arms=[0, 1])
            p.propensities(2, context=posse.Context(points, None, arms))
            del p, d
            with self.assertRaises(posse.Error):
                posse.Posse(0, selector, [part, part], points=points, prior=prior)
            posse.check(small(learners=[{"kind": "ucb", "name": name}, learner]))
        gc.collect()
        self.assertEqual([sys.getrefcount(thing) for thing in things], before)

    def test_a_reward_is_not_kept(self):
        p = posse.Posse(2, "uniform", ["ucb"])
        reward = 0.123456789
        before = sys.getrefcount(reward), sys.getrefcount(None), sys.getrefcount(posse.Decision)
        for _ in range(10_000):
            p.learn(p.decide(), reward)
        after = sys.getrefcount(reward), sys.getrefcount(None), sys.getrefcount(posse.Decision)
        self.assertLess(max(b - a for a, b in zip(before, after)), 50)

    def test_a_learner_that_holds_its_posse_is_collected(self):
        # A cycle through the posse: posse -> learner -> posse.
        def knot():
            p = posse.Posse(2, "uniform", [Idle()])
            p.learner(0).owner = p

        gc.collect()
        knot()
        gc.collect()
        self.assertEqual([o for o in gc.get_objects() if isinstance(o, Idle)], [])

    def test_a_lack_of_memory_is_an_exception_and_no_end(self):
        """A dict or a file that is too large raises MemoryError, and afterwards everything works. This runs in
        another process."""
        answer = python("-B", "-c", LACK, scratch(self))
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertEqual(answer.stdout, "MemoryError\nMemoryError\nMemoryError\nfine\n")


# Reading a million numbers needs more than 100 MB, but the limit is 40 MB above what the process already uses.
LACK = """
import pathlib, resource, sys
import numpy as np
import posse

numbers = np.full(1_000_000, 0.5)
small = {"name": "x", "rounds": 5, "runs": 2, "seed": 1, "environment": {"kind": "gaussian", "arms": 2},
         "learners": [{"name": "u", "kind": "ucb"}]}
large = {**small, "environment": {"kind": "gaussian", "arms": len(numbers), "prior": {"mean": numbers.tolist()}}}
file = pathlib.Path(sys.argv[1], "large.yaml")
file.write_text(str(large).replace("'", ""))
prior = {"kind": "gaussian", "mean": large["environment"]["prior"]["mean"]}
posse.check(small)

def used():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()

def attempt(work):
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used() + (40 << 20), before[1]))
    try:
        work()
        return "nothing"
    except Exception as error:
        return type(error).__name__
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)

print(attempt(lambda: posse.check(large)))
print(attempt(lambda: posse.check(file)))
print(attempt(lambda: posse.Posse(len(numbers), learners=["ucb"], prior=prior)))
posse.check(small)
posse.check(large)
posse.check(file)
print("fine")
"""

if __name__ == "__main__":
    unittest.main()
