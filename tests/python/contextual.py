# SPDX-License-Identifier: MIT
"""Posses whose rounds have features, for the tests of several files."""

import numpy as np
import posse

LEARNERS = [
    {"kind": "linear-ucb", "name": "bold", "width": 0.3},
    {"kind": "linear-thompson", "name": "sampler", "width": 0.5},
    {"kind": "epsilon-greedy", "name": "dice"},
    {"kind": "ucb", "name": "blind"},
]
PRIOR = {"kind": "linear", "noise": 0.5}


def joint(**changes):
    """Six arms with three features each."""
    settings = {"arms": 6, "dim": 3, "selector": "uniform", "learners": LEARNERS, "prior": PRIOR}
    return posse.Posse(**(settings | changes))


def shared(**changes):
    """Four arms that share three features."""
    return joint(arms=4, dim=0, context=3, **changes)


def both(**changes):
    """Five arms with two features each and three that they share."""
    return joint(arms=5, dim=2, context=3, **changes)


def chance(seed=1):
    return np.random.default_rng(seed)


class Ridge(posse.Learner):
    """Greedy ridge regression over the features of arms."""

    def start(self, arms):
        self.arms = len(arms)
        self.gram, self.sum = np.eye(arms.features), np.zeros(arms.features)

    def act_in(self, draw, round):
        values = round.features @ np.linalg.solve(self.gram, self.sum)
        return round.arms[np.argmax(values)]

    def learn_in(self, arm, features, reward):
        assert 0 <= arm < self.arms
        self.gram += np.outer(features, features)
        self.sum += reward * features
