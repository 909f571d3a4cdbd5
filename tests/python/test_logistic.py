# SPDX-License-Identifier: MIT
"""The logistic belief against SciPy: the mode of all rewards at once, and the curvature there.

What the belief says of an arm with features x is the mean and the standard deviation of sigmoid(<theta, x> + bias), two
numbers that tell the mean and the variance of <theta, x>. SciPy has theta's from the whole history, and the integrals.
"""

import unittest

import numpy as np
import posse
from scipy import integrate, optimize, special, stats


def believer(arms, dim, **belief):
    """A posse whose belief is logistic; arms have `dim` features each."""
    return posse.Posse(arms=arms, dim=dim, selector="bms", learners=["ucb"], prior={"kind": "logistic", **belief})


def batch(features, rewards, precision, bias):
    """The mode of the posterior, and the covariance that its curvature gives."""

    def loss(theta):
        score = features @ theta + bias
        return precision * theta @ theta / 2 + np.sum(np.logaddexp(0, score) - rewards * score)

    def slope(theta):
        return precision * theta + features.T @ (special.expit(features @ theta + bias) - rewards)

    def curvature(theta):
        q = special.expit(features @ theta + bias)
        return precision * np.eye(features.shape[1]) + (features.T * (q * (1 - q))) @ features

    start = np.zeros(features.shape[1])
    found = optimize.minimize(loss, start, jac=slope, hess=curvature, method="trust-exact", options={"gtol": 1e-12})
    mode = optimize.root(slope, found.x, jac=curvature, tol=1e-14).x
    return mode, np.linalg.inv(curvature(mode))


def prediction(x, mode, covariance, bias):
    """Mean and standard deviation of sigmoid(<theta, x> + bias)."""
    z = np.linspace(-9, 9, 4001)
    q = special.expit(x @ mode + bias + np.sqrt(x @ covariance @ x) * z)
    first, second = (integrate.simpson(stats.norm.pdf(z) * q**n, x=z) for n in (1, 2))
    return first, np.sqrt(second - first**2)


def history(n, dim, bias, seed):
    """Features, and clicks of a theta that the prior could have drawn."""
    chance = np.random.default_rng(seed)
    features, theta = chance.normal(size=(n, dim)), chance.normal(size=dim)
    return features, (chance.random(n) < special.expit(features @ theta + bias)).astype(float)


def taught(features, rewards, **belief):
    p = believer(1, features.shape[1], **belief)
    for x, reward in zip(features, rewards):
        p.teach(0, reward, context=x[None, :])
    return p


def errors(p, arm, features, rewards, precision, bias):
    """How far its predictions are off: those of means in standard deviations, and those of the latter as a share."""
    mode, covariance = batch(features, rewards, precision, bias)
    points = np.random.default_rng(99).normal(size=(10, features.shape[1]))
    expected = np.array([prediction(x, mode, covariance, bias) for x in points]).T
    rounds = [posse.Context(points=[x], arms=[arm]) for x in points]
    means, deviations = np.array([(p.means_in(c)[0], p.deviations_in(c)[0]) for c in rounds]).T
    return np.max(np.abs(means - expected[0]) / expected[1]), np.max(np.abs(deviations / expected[1] - 1))


class Logistic(unittest.TestCase):
    def test_one_reward_gives_the_mode_and_its_curvature(self):
        for dim in (1, 2, 5):
            for seed in range(10):
                for precision, bias in ((1, 0), (0.1, -2), (30, 1)):
                    features, rewards = history(1, dim, bias, seed)
                    p = taught(features, rewards, precision=precision, bias=bias)
                    off = errors(p, 0, features, rewards, precision, bias)
                    self.assertLess(max(off), 1e-8, (dim, seed, precision))

    def test_arms_with_weights_of_their_own_learn_apart(self):
        p = believer(3, 2, model="disjoint")
        for arm in range(3):
            features, rewards = history(1, 2, 0, arm)
            p.teach(arm, rewards[0], context=posse.Context(points=features, arms=[arm]))
        for arm in range(3):
            self.assertLess(max(errors(p, arm, *history(1, 2, 0, arm), 1, 0)), 1e-8)

    def test_many_rewards_come_near(self):
        """
        Reward by reward, curvature is taken where the mode was then, so that it is not the mode of all rewards. Measured
        with these histories: means are off by 0.55 standard deviations at most and by 0.08 on average, standard
        deviations by 36% and 4%.
        """
        off = []
        for dim in (1, 3):
            for n in (3, 10, 30, 100, 300, 1000):
                for seed in range(6):
                    for bias in (0, -1.5):
                        features, rewards = history(n, dim, bias, seed)
                        p = taught(features, rewards, bias=bias)
                        off.append(errors(p, 0, features, rewards, 1, bias))
        means, deviations = np.array(off).T
        self.assertLess(max(means), 0.6)
        self.assertLess(np.mean(means), 0.1)
        self.assertLess(max(deviations), 0.4)
        self.assertLess(np.mean(deviations), 0.05)


if __name__ == "__main__":
    unittest.main()
