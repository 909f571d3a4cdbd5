# SPDX-License-Identifier: MIT
"""Arms that are added and retired during the life of a posse."""

import pickle
import random
import unittest

import numpy as np
import posse
from support import decisions


class First(posse.Learner):
    def start(self, arms):
        pass

    def act(self, draw):
        return 0

    def learn(self, arm, reward):
        pass


def told(call):
    try:
        call()
    except posse.SpecificationError as error:
        return [(problem.path, problem.text) for problem in error.problems]
    raise AssertionError("not refused")


class Arms(unittest.TestCase):
    def test_they_come_and_go(self):
        p = posse.Posse(3, learners=["ucb", "thompson", "epsilon-greedy"], prior="gaussian")
        chance = random.Random(1)
        picked = set()
        for n in range(600):
            d = p.decide()
            self.assertTrue(p.arm_active(d.arm))
            picked.add(d.arm)
            p.learn(d, d.arm + chance.gauss(0, 0.1))
            if n % 50 == 25:
                self.assertEqual(p.add_arm(), n // 50 + 3)
            if n % 50 == 49:
                p.retire_arm(n // 50)
        self.assertEqual(p.arms, 15)
        self.assertEqual([p.arm_active(arm) for arm in range(15)], [False] * 12 + [True] * 3)
        self.assertEqual(len(p.means), 15)
        self.assertEqual(picked, set(range(15)))
        self.assertTrue(np.all(np.abs(p.means[3:] - np.arange(3, 15)) < 6))

    def test_a_newcomer_before_the_first_round_is_a_founder(self):
        points = np.random.default_rng(1).normal(size=(6, 2))
        learners = ["linear-ucb", "linear-thompson", "ucb"]
        whole = posse.Posse(points=points, learners=learners, prior="linear")
        grown = posse.Posse(points=points[:4], learners=learners, prior="linear")
        self.assertEqual(grown.add_arm(points[4]), 4)
        self.assertEqual(grown.add_arm(point=list(points[5])), 5)
        self.assertEqual(grown.save(), whole.save())
        self.assertEqual(decisions(grown, 50), decisions(whole, 50))

    def test_they_are_saved(self):
        p = posse.Posse(4, learners=["ucb", "thompson"], prior="gaussian")
        decisions(p, 30)
        p.add_arm()
        p.retire_arm(1)
        decisions(p, 30)
        other = pickle.loads(pickle.dumps(p))
        self.assertEqual([other.arm_active(arm) for arm in range(5)], [True, False, True, True, True])
        self.assertEqual(decisions(other, 100), decisions(p, 100))

    def test_parts_that_cannot_go_on_say_so(self):
        listed = {"kind": "thompson", "belief": {"kind": "gaussian", "mean": [0.1, 0.2, 0.3]}}
        p = posse.Posse(3, learners=["ucb", listed, {"kind": "fixed", "arm": 2}], prior="gaussian")
        before = p.save()
        (problem,) = told(p.add_arm)
        self.assertEqual(problem[0], "learners[1].belief.mean")
        self.assertEqual(
            told(lambda: p.retire_arm(2)), [("learners[2].arm", "arm 2 is retired, and a fixed learner plays no other")]
        )
        self.assertEqual(p.save(), before)
        p = posse.Posse(3, learners=["ucb", First()], prior="gaussian")
        cannot = [("learners[1]", 'kind "python" does not support arms that are added or retired later')]
        self.assertEqual(told(p.add_arm), cannot)
        self.assertEqual(told(lambda: p.retire_arm(1)), cannot)
        decisions(p, 10)

    def test_points_that_do_not_fit(self):
        flat = posse.Posse(3, learners=["ucb"], prior="gaussian")
        self.assertEqual(told(lambda: flat.add_arm([1.0])), [("point", "independent arms have none")])
        p = posse.Posse(points=np.eye(2), learners=["ucb"], prior="linear")
        for wrong in ([1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], 3.0):
            self.assertEqual(told(lambda wrong=wrong: p.add_arm(wrong)), [("point", "must be 2 numbers")])
        self.assertEqual(told(p.add_arm)[0][0], "point")
        self.assertEqual(told(lambda: p.add_arm([0.0, np.nan]))[0][0], "point[1]")
        self.assertRaises(ValueError, p.add_arm, "nonsense")
        ball = posse.Posse(dim=2, learners=["thompson"], prior="linear")
        self.assertEqual(told(lambda: ball.add_arm([0.0, 1.0]))[0][0], "arms")

    def test_arms_that_are_not_there(self):
        p = posse.Posse(2, learners=["ucb"], prior="gaussian")
        p.retire_arm(0)
        for call in (p.retire_arm, p.arm_active):
            for arm in (-1, 2, 10**30):
                self.assertRaises(posse.LearnerError, call, arm)
            self.assertRaises(posse.LearnerError, call, "x")  # a text is a name
        self.assertRaises(posse.LearnerError, p.retire_arm, 0)
        self.assertRaises(posse.LearnerError, p.retire_arm, 1)


if __name__ == "__main__":
    unittest.main()
