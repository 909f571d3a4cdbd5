# SPDX-License-Identifier: MIT
"""Environments written in Python: those that follow the library's formulas have its results, bit for bit."""

import gc
import math
import os
import pathlib
import subprocess
import threading
import traceback
import unittest
import weakref

import numpy as np

import posse
from support import scratch

PROGRAM = os.environ.get("POSSE_PROGRAM", "posse")


class Coins(posse.Bandit):
    def __init__(self, rates=None, arms=4):
        self.given, self.arms = rates, len(rates) if rates is not None else arms

    def start(self, draw):
        self.rates = self.given if self.given is not None else [draw.beta(1, 1) for _ in range(self.arms)]

    def reward(self, arm, draw):
        return float(draw.uniform() < self.rates[arm])

    def means(self):
        return self.rates


class Drifting(posse.Bandit):
    arms, moves = 3, True

    def start(self, draw):
        self.now, self.paid = [draw.normal() for _ in range(self.arms)], False

    def reward(self, arm, draw):
        if self.paid:
            self.now = [mean + 0.1 * draw.normal() for mean in self.now]
        self.paid = True
        return self.now[arm] + 0.5 * draw.normal()

    def means(self):
        return self.now


class Points(posse.Bandit):
    """Arms with coordinates: the mean of an arm is the inner product with theta."""

    arms, points = 4, [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [-0.6, 0.8]]

    def start(self, draw):
        self.theta = np.array([draw.normal(), draw.normal()])

    def reward(self, arm, draw):
        return float(self.points[arm] @ self.theta + 0.1 * draw.normal())

    def means(self):
        return np.array(self.points) @ self.theta

    def __deepcopy__(self, memory):
        made = Points()
        made.points = np.array(Points.points)
        return made


class Contextual(posse.Bandit):
    """The library's `contextual`, with features of each arm: mean theta'x."""

    features, arms = 2, 5

    def __init__(self, present=(5, 5)):
        self.present = present

    def start(self, draw):
        self.theta = [draw.normal() for _ in range(self.features)]

    def round(self, draw):
        fewest, most = self.present
        count = fewest + (draw.index(most - fewest + 1) if most > fewest else 0)
        x = draw.normals(count * self.features).reshape(count, self.features)
        self.x = 0.0 + math.sqrt(1.0 / self.features) * x
        return self.x if count == self.arms else posse.Context(points=self.x, arms=range(count))

    def means(self):
        found = [self.theta[0] * x[0] + self.theta[1] * x[1] for x in self.x]
        return found + [math.nan] * (self.arms - len(found))

    def reward(self, arm, draw):
        return self.means()[arm] + 0.5 * draw.normal()


def experiment(environment, belief="beta", **changes):
    return {
        "name": "own",
        "rounds": 300,
        "runs": 12,
        "seed": 5,
        "environment": environment,
        "learners": [{"kind": "thompson", "name": "t", "belief": belief}, {"kind": "epsilon-greedy", "name": "e"}],
        "selectors": [{"kind": "bms", "name": "B", "belief": belief}],
        "claims": [{"says": "so", "holds": 'regret("B") < 1000'}],
        **changes,
    }


SEEING = {
    "learners": [{"kind": "linear-ucb", "name": "seeing"}, {"kind": "ucb", "name": "blind"}],
    "selectors": [{"kind": "bms", "name": "B", "belief": {"kind": "linear", "precision": 1, "noise": 0.5}}],
}


class Same(unittest.TestCase):
    def assert_same(self, own, library, **settings):
        own, library = posse.run(experiment(own, **settings)), posse.run(experiment(library, **settings))
        self.assertEqual(own.hash, library.hash)
        for one, other in zip(own, library, strict=True):
            np.testing.assert_array_equal(one.regret, other.regret)
            np.testing.assert_array_equal(one.optimal_rate, other.optimal_rate)
        return own

    def test_coins_are_those_of_the_library(self):
        rates = [0.1, 0.5, 0.3]
        self.assert_same(Coins(rates), {"kind": "bernoulli", "arms": 3, "means": rates})
        self.assert_same(Coins, {"kind": "bernoulli", "arms": 4})
        self.assert_same({"kind": Coins, "arms": 7}, {"kind": "bernoulli", "arms": 7})

    def test_means_may_move(self):
        settings = {"belief": {"kind": "gaussian", "sd": 1, "noise": 0.5}}
        self.assert_same(Drifting, {"kind": "drifting", "arms": 3, "drift": 0.1, "noise": 0.5}, **settings)

    def test_rounds_may_have_features_of_each_arm(self):
        library = {"kind": "contextual", "dim": 2, "arms": 5, "noise": 0.5}
        self.assert_same(Contextual(), library, **SEEING)
        self.assert_same(Contextual((2, 5)), {**library, "present": [2, 5]}, **SEEING)

    def test_tasks_have_instances_of_their_own(self):
        self.assert_same(Coins, {"kind": "bernoulli", "arms": 4}, tasks=3, rounds=100)

    def test_learners_in_python_play_them(self):
        class First(posse.Learner):
            def act(self, draw):
                return 0

            def learn(self, arm, reward):
                pass

        learners = {"learners": [First, {"kind": "fixed", "name": "f", "arm": 0}], "selectors": [], "claims": []}
        found = self.assert_same(Coins, {"kind": "bernoulli", "arms": 4}, **learners)
        np.testing.assert_array_equal(found["First"].regret, found["f"].regret)

    def test_threads_and_seeds(self):
        one, two = (posse.run(experiment(Coins), threads=threads) for threads in (1, 2))
        self.assertEqual(one.hash, two.hash)
        self.assertNotEqual(one.hash, posse.run(experiment(Coins), seed=6).hash)


class Plays(unittest.TestCase):
    def test_shared_features_reach_learners_and_regret_is_that_of_the_means(self):
        met, paid = [], []

        class Shared(posse.Bandit):
            arms, context = 3, 2

            def round(self, draw):
                self.x = [1.0, draw.uniform()]
                self.some = [2, 0] if self.x[1] < 0.5 else [0, 1, 2]
                met.append((sorted(self.some), list(self.x)))
                return posse.Context(shared=self.x, arms=self.some)

            def means(self):
                return [self.x[1], 0.25, 1 - self.x[1]]

            def reward(self, arm, draw):
                paid.append(max(self.means()[a] for a in self.some) - self.means()[arm])
                return self.means()[arm]

        class Last(posse.Learner):
            def act_in(self, draw, round):
                arms, x = met[-1]
                assert list(round.arms) == arms and all(list(row) == x for row in round.features)
                return int(round.arms[-1])

            def learn(self, arm, reward):
                pass

        r = posse.run(experiment(Shared, learners=[Last], selectors=[], claims=[], runs=1))
        self.assertEqual(len(paid), 300)
        self.assertAlmostEqual(r["Last"].final_regret, sum(paid), delta=1e-9)

    def test_points_are_the_space_of_the_learners(self):
        seen = []

        class Looking(posse.Learner):
            def start(self, arms):
                seen.append((len(arms), arms.dim, arms.points.tolist()))

            def act(self, draw):
                return 0

            def learn(self, arm, reward):
                pass

        r = posse.run(experiment(Points, learners=[Looking, "linear-ucb"], selectors=[], claims=[]))
        self.assertEqual(seen[0], (4, 2, Points.points))
        self.assertLess(r["linear-ucb"].final_regret, r["Looking"].final_regret)

    def test_results_have_pages_claims_and_a_remark(self):
        r = posse.run(experiment(Coins([0.1, 0.5])))
        self.assertTrue(r.claims[0].verdict == "holds")
        self.assertIn("environment: {kind: python, object: 0},  # ", r.experiment)
        self.assertIn("Coins(given=[0.1, 0.5], arms=2)", r.experiment)
        folder = r.save(scratch(self))
        self.assertEqual(posse.open(folder)["B"].final_regret, r["B"].final_regret)
        said = subprocess.run([PROGRAM, "report", folder], capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("<html", pathlib.Path(said.stdout.strip()).read_text()[:1000])

    def test_the_object_itself_is_never_played_and_nothing_is_kept(self):
        coins = Coins()
        posse.run(experiment(coins))
        self.assertFalse(hasattr(coins, "rates"))
        gone = weakref.ref(coins)
        del coins
        gc.collect()
        self.assertIsNone(gone())


class Refused(unittest.TestCase):
    def assert_raises(self, error, text, environment, **settings):
        with self.assertRaises(error) as caught:
            posse.run(experiment(environment, **settings))
        self.assertIn(text, str(caught.exception))
        posse.run(experiment(Coins, runs=1))  # the next experiment is not affected

    def test_exceptions_are_passed_on_with_their_traceback(self):
        class Late(Coins):
            def reward(self, arm, draw):
                if draw.uniform() < 0.001:
                    raise KeyError("in the midst of it")
                return 1.0

        self.assert_raises(KeyError, "in the midst of it", Late)
        try:
            posse.run(experiment(Late))
        except KeyError:
            self.assertIn("in reward", traceback.format_exc())
        for verb in ("start", "means", "reward"):

            def fail(self, *_):
                raise OSError(f"no {verb}")

            self.assert_raises(OSError, f"no {verb}", type("Failing", (Coins,), {verb: fail}))
        broken = type("Broken", (Contextual,), {"round": lambda self, draw: 1 / 0})
        self.assert_raises(ZeroDivisionError, "division", broken, **SEEING)

    def test_wrong_answers_are_refused_by_name(self):
        def coins(**methods):
            return type("Odd", (Coins,), methods)

        def rounds(answer):
            return type("Odd", (Contextual,), {"round": lambda self, draw: answer, "means": lambda self: [0.0] * 5})

        self.assert_raises(ValueError, "Odd.reward() returned nan, which is no reward", coins(reward=lambda s, a, d: math.nan))
        self.assert_raises(ValueError, "Odd.reward() returned 'x', which is no reward", coins(reward=lambda s, a, d: "x"))
        self.assert_raises(ValueError, "Odd.means() returned 2 numbers; there are 4 arms", coins(means=lambda s: [1, 2]))
        self.assert_raises(ValueError, "Odd.means() returned a number that is not finite", coins(means=lambda s: [1, 2, 3, math.inf]))
        self.assert_raises(ValueError, "Odd.round() returned 3 x 2 features; 5 x 2 are needed", rounds(np.zeros((3, 2))), **SEEING)
        twice = posse.Context(points=np.zeros((2, 2)), arms=[1, 1])
        self.assert_raises(ValueError, "arm 1, which is listed twice or does not exist", rounds(twice), **SEEING)
        beyond = posse.Context(points=np.zeros((1, 2)), arms=[5])
        self.assert_raises(ValueError, "arm 5, which is listed twice or does not exist", rounds(beyond), **SEEING)
        many = posse.Context(points=np.zeros((6, 2)), arms=[0, 1, 2, 3, 4, 5])
        self.assert_raises(ValueError, "more arms than there are", rounds(many), **SEEING)
        huge = np.full((5, 2), 1e9)
        self.assert_raises(posse.RunError, "", rounds(huge), **SEEING)

    def test_wrong_attributes_are_refused_by_name(self):
        def bandit(**attributes):
            return type("Odd", (Coins,), {"__init__": lambda self: None, **attributes})

        self.assert_raises(ValueError, "Odd.arms must be a whole number from 1 to 1000000, not None", bandit())
        self.assert_raises(ValueError, "Odd.arms must be a whole number from 1 to 1000000, not 2.5", bandit(arms=2.5))
        self.assert_raises(ValueError, "Odd.points must be an array, 3 x dim, not 2 x 1", bandit(arms=3, points=[[1], [2]]))
        self.assert_raises(ValueError, "Odd has features and context", bandit(arms=3, features=1, context=1))
        self.assert_raises(ValueError, "Odd has points, and rounds with features", bandit(arms=1, points=[[1]], context=1))

    def test_places_are_not_confused(self):
        class Lone(posse.Learner):
            pass

        for environment, learners in ((Lone(), ["ucb"]), ({"kind": "python", "object": 0}, ["ucb"]), (Coins, [Coins()])):
            with self.assertRaises(posse.SpecificationError):
                posse.run(experiment(environment, learners=learners, selectors=[], claims=[]))
        with self.assertRaisesRegex(posse.SpecificationError, "played by posse.run"):
            posse.Environment(Coins())
        with self.assertRaisesRegex(TypeError, "takes no keys"):
            posse.run(experiment({"kind": Coins(), "arms": 3}))

    def test_a_belief_must_be_given(self):
        with self.assertRaises(posse.SpecificationError):
            posse.run(experiment(Coins, selectors=[{"kind": "bms", "name": "B"}]))

    def test_a_folder_is_refused(self):
        with self.assertRaisesRegex(posse.SpecificationError, "may have changed"):
            posse.run(experiment(Coins), folder=scratch(self))

    def test_another_thread_is_told_to_wait(self):
        began, go_on, answers = threading.Event(), threading.Event(), []

        class Slow(Coins):
            def reward(self, arm, draw):
                began.set()
                go_on.wait()
                return super().reward(arm, draw)

        belief = {"kind": "gaussian", "sd": 1, "noise": 0.5}  # takes any reward, so none is tried before the run
        one = threading.Thread(target=lambda: answers.append(posse.run(experiment(Slow, belief=belief, runs=1))))
        one.start()
        began.wait()
        try:
            with self.assertRaisesRegex(RuntimeError, "one at a time"):
                posse.run(experiment(Coins))
        finally:
            go_on.set()
            one.join()
        self.assertEqual(len(answers), 1)


if __name__ == "__main__":
    unittest.main()
