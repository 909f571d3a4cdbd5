# SPDX-License-Identifier: MIT
"""Learners in Python, in rounds with features."""

import unittest

import numpy as np
import posse
from contextual import Ridge, both, chance, joint, shared


class Blind(posse.Learner):
    """A learner without support for features."""

    def act(self, draw):
        return 4

    def learn(self, arm, reward):
        self.latest = arm, reward


class Keeper(posse.Learner):
    """A learner that stores its arguments."""

    def start(self, arms):
        self.arms, self.rounds, self.learned = arms, [], []

    def act_in(self, draw, round):
        self.rounds.append(round)
        return draw.index(len(round.arms)) if len(self.rounds) == 1 else 77 if len(self.rounds) == 2 else 0

    def learn_in(self, arm, features, reward):
        self.learned.append((arm, features, reward))


class Moody(posse.Learner):
    """A learner that raises when `mood` is set."""

    mood = False

    def act_in(self, draw, round):
        if Moody.mood:
            raise OSError("not now")
        return round.arms[0]

    def learn(self, arm, reward):
        pass


class Learners(unittest.TestCase):
    def test_one_that_is_only_asked_changes_nothing_by_raising(self):
        p = posse.Posse(4, dim=2, prior="linear", learners=[Moody(), "linear-ucb"])
        x = chance().normal(size=(4, 2))
        for _ in range(20):
            p.learn(p.decide(x), 0.5)
        before = p.decisions, p.pending, p.plays.tolist()
        Moody.mood = True
        for _ in range(5):
            with self.assertRaisesRegex(OSError, "not now"):
                p.decide(x)
        Moody.mood = False
        self.assertEqual((p.decisions, p.pending, p.plays.tolist()), before)
        p.learn(p.decide(x), 0.5)

    def test_they_see_the_round(self):
        x, s = chance().normal(size=(5, 2)), [0.1, 0.2, 0.3]
        p = both(learners=[Keeper()], selector=None)
        d = p.decide((x, s))
        with self.assertRaisesRegex(ValueError, r"Keeper.act_in\(\) returned 77; it has to return an arm, 0 to 4"):
            p.decide((x, s))
        with self.assertRaisesRegex(ValueError, r"Keeper.act_in\(\) returned arm 0, which is not available in this round"):
            p.decide(posse.Context(x[:2], s, [4, 2]))
        p.learn(d, 0.5)
        keeper = p.learner(0)
        self.assertEqual((len(keeper.arms), keeper.arms.features, keeper.arms.dim), (5, 5, 0))
        self.assertIn("5 features", repr(keeper.arms))
        first, _, last = keeper.rounds
        self.assertEqual(first.arms.tolist(), [0, 1, 2, 3, 4])
        self.assertEqual(first.features.tolist(), [[*row, *s] for row in x])
        self.assertEqual(last.arms.tolist(), [2, 4])
        self.assertEqual(last.features.tolist(), [[*x[1], *s], [*x[0], *s]])
        ((arm, features, reward),) = keeper.learned
        self.assertEqual((arm, features.tolist(), reward), (d.arm, d.features.tolist(), 0.5))
        p = shared(learners=[Keeper()], selector=None)
        p.decide(s)
        self.assertEqual(p.learner(0).rounds[0].features.tolist(), [s] * 4)

    def test_those_that_know_nothing_of_features_play_too(self):
        p = joint(learners=[Blind()], selector=None)
        d = p.decide(np.ones((6, 3)))
        p.learn(d, 1)
        self.assertEqual((d.arm, p.learner(0).latest), (4, (4, 1.0)))
        with self.assertRaisesRegex(ValueError, "not available in this round"):
            p.decide(np.ones((2, 3)))

    def test_they_play_experiments(self):
        experiment = {
            "name": "ridge",
            "rounds": 200,
            "runs": 3,
            "seed": 1,
            "environment": {"kind": "contextual", "dim": 3, "arms": 6, "present": [2, 6], "noise": 0.1},
            "learners": [{"name": "ridge", "kind": Ridge}, {"name": "greedy", "kind": "linear-ucb", "width": 0}],
            "selectors": [{"name": "U", "kind": "uniform"}],
        }
        r = posse.run(experiment)
        self.assertTrue(np.allclose(r["ridge"].runs, r["greedy"].runs))

    def test_rehearsals_are_played_on_copies(self):
        p = joint(learners=[Ridge(), Keeper()], selector="uniform")
        p.propensities(2, context=np.ones((6, 3)))
        self.assertEqual(p.learner(1).rounds, [])


if __name__ == "__main__":
    unittest.main()
