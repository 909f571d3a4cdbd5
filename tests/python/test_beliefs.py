# SPDX-License-Identifier: MIT
"""Posteriors against those of SciPy and NumPy.

Means are read from the posse. Worlds cannot be read. But two learners that always play arms 0 and 1 are charged
n_i (best - w_i), so that the potentials give the difference w_0 - w_1 of each world drawn.
"""

import unittest

import numpy as np
import posse
from scipy import special, stats

DRAWS = 20_000


def play(p, rewards):
    """Plays 200 rounds; the reward of arm a is rewards(a). Returns arms and rewards."""
    seen = []
    for _ in range(200):
        d = p.decide()
        reward = rewards(d.arm)
        p.learn(d, reward)
        seen.append((d.arm, reward))
    arms, paid = zip(*seen)
    return np.array(arms), np.array(paid)


def differences(p):
    """w_0 - w_1 in worlds drawn from the current belief."""
    drawn = np.empty(DRAWS)
    for k in range(DRAWS):
        plays = p.plays.astype(float)
        p.forget(p.decide())
        charge = p.potentials[:2] / plays[:2]
        drawn[k] = charge[1] - charge[0]
    return drawn


def fixed(arms):
    return [{"kind": "fixed", "arm": a, "name": f"arm {a}"} for a in range(arms)]


class Beliefs(unittest.TestCase):
    def assert_drawn_from(self, drawn, law):
        self.assertGreater(stats.kstest(drawn, law.cdf).pvalue, 1e-3)
        # Checks that the test can fail: a spread that is off by a twentieth does not pass.
        middle = law.median()
        self.assertLess(stats.kstest(middle + 1.05 * (drawn - middle), law.cdf).pvalue, 1e-2)

    def test_gaussian(self):
        mean, sd, noise = np.array([0.3, -0.2, 0.5]), np.array([1.0, 2.0, 0.25]), 0.7
        prior = {"kind": "gaussian", "mean": mean, "sd": sd, "noise": noise}
        p = posse.Posse(3, "bms", fixed(3), prior=prior, seed=5)
        chance = np.random.default_rng(1)
        arms, paid = play(p, lambda a: chance.normal([0.4, 0.3, 0.5][a], noise))
        count = np.bincount(arms, minlength=3)
        precision = sd**-2 + count * noise**-2
        posterior = (mean * sd**-2 + np.bincount(arms, paid, 3) * noise**-2) / precision
        np.testing.assert_allclose(p.means, posterior, rtol=1e-12)
        spread = np.sqrt(1 / precision[0] + 1 / precision[1])
        self.assert_drawn_from(differences(p), stats.norm(posterior[0] - posterior[1], spread))

    def test_beta(self):
        # Arm 1 is certainly a fair coin, so that the difference depends on arm 0 only.
        prior = {"kind": "beta", "alpha": [2, 1e15], "beta": [3, 1e15]}
        p = posse.Posse(2, "bms", fixed(2), prior=prior, seed=6)
        chance = np.random.default_rng(2)
        arms, paid = play(p, lambda a: chance.choice([0, 1, 0.25, 0.75], p=[0.3, 0.3, 0.2, 0.2]))
        won, lost = paid[arms == 0].sum(), (1 - paid[arms == 0]).sum()
        law = stats.beta(2 + won, 3 + lost)
        np.testing.assert_allclose(p.means, [law.mean(), 0.5], rtol=1e-12)
        self.assert_drawn_from(differences(p) + 0.5, law)

    def test_linear(self):
        chance = np.random.default_rng(3)
        points, theta, noise, precision = chance.normal(size=(6, 4)), chance.normal(size=4), 0.4, 2.5
        prior = {"kind": "linear", "precision": precision, "noise": noise}
        learners = fixed(6) + [{"kind": "linear-ucb"}]
        p = posse.Posse(selector="bms", points=points, learners=learners, prior=prior, seed=7)
        arms, paid = play(p, lambda a: points[a] @ theta + chance.normal(0, noise))
        x = points[arms]
        information = precision * np.eye(4) + x.T @ x / noise**2
        mean = np.linalg.solve(information, x.T @ paid / noise**2)
        np.testing.assert_allclose(p.means, points @ mean, rtol=1e-9)
        apart = points[0] - points[1]
        law = stats.norm(apart @ mean, np.sqrt(apart @ np.linalg.solve(information, apart)))
        self.assert_drawn_from(differences(p), law)

    def test_hypotheses(self):
        chance = np.random.default_rng(4)
        table, weights, noise = chance.normal(size=(5, 3)), np.array([1.0, 2, 3, 4, 5]), 3.0
        prior = {"kind": "hypotheses", "table": table, "weights": weights, "noise": noise}
        p = posse.Posse(3, "bms", fixed(3), prior=prior, seed=8)
        arms, paid = play(p, lambda a: chance.normal(table[2, a], noise))
        evidence = np.log(weights) + stats.norm.logpdf(paid, table[:, arms], noise).sum(axis=1)
        np.testing.assert_allclose(p.means, special.softmax(evidence) @ table, rtol=1e-9)

    def test_mixture(self):
        noise, weights = 1.5, np.array([1.0, 3.0])
        prior_means, prior_sds = np.array([[0, 0.5], [1, -0.5]]), np.array([0.5, 0.8])
        components = [
            {"weight": w, "belief": {"kind": "gaussian", "mean": m, "sd": s, "noise": noise}}
            for w, m, s in zip(weights, prior_means, prior_sds)
        ]
        p = posse.Posse(2, "bms", fixed(2), prior={"kind": "mixture", "components": components}, seed=9)
        chance = np.random.default_rng(5)
        arms, paid = play(p, lambda a: chance.normal([0.4, 0.1][a], noise))
        evidence, posterior = np.log(weights), np.empty((2, 2))
        for c in range(2):
            for a in range(2):
                y = paid[arms == a]
                ones = np.ones(len(y))
                covariance = noise**2 * np.eye(len(y)) + prior_sds[c] ** 2 * np.outer(ones, ones)
                law = stats.multivariate_normal(prior_means[c, a] * ones, covariance)
                evidence[c] += law.logpdf(y)
                precision = prior_sds[c] ** -2 + len(y) / noise**2
                posterior[c, a] = (prior_means[c, a] / prior_sds[c] ** 2 + y.sum() / noise**2) / precision
        np.testing.assert_allclose(p.means, special.softmax(evidence) @ posterior, rtol=1e-9)

    def test_draws_of_a_learner_in_python(self):
        p = posse.Posse(2, None, [Taster()], seed=3)
        for _ in range(4000):
            p.decide()
        tasted = p.learner(0).tasted
        laws = {
            "uniform": stats.uniform(),
            "normal": stats.norm(),
            "normals": stats.norm(),
            "gamma": stats.gamma(2.5),
            "beta": stats.beta(0.7, 3),
        }
        for name, law in laws.items():
            with self.subTest(draw=name):
                drawn = np.ravel(tasted[name])
                self.assertGreater(stats.kstest(drawn, law.cdf).pvalue, 1e-3)
        self.assertGreater(stats.chisquare(np.bincount(tasted["index"], minlength=6)).pvalue, 1e-3)
        weighted = np.bincount(tasted["weighted"], minlength=4)
        self.assertEqual(weighted[1], 0)
        expected = np.array([1, 2, 5]) / 8 * weighted.sum()
        self.assertGreater(stats.chisquare(weighted[[0, 2, 3]], expected).pvalue, 1e-3)


class Taster(posse.Learner):
    """A learner that makes draws of every kind."""

    def start(self, arms):
        self.tasted = {name: [] for name in ("uniform", "normal", "normals", "gamma", "beta", "index", "weighted")}

    def act(self, draw):
        self.tasted["uniform"].append(draw.uniform())
        self.tasted["normal"].append(draw.normal())
        self.tasted["normals"].append(draw.normals(3))
        self.tasted["gamma"].append(draw.gamma(2.5))
        self.tasted["beta"].append(draw.beta(0.7, 3))
        self.tasted["index"].append(draw.index(6))
        self.tasted["weighted"].append(draw.weighted([1, 0, 2, 5]))
        return 0

    def learn(self, arm, reward):
        pass


if __name__ == "__main__":
    unittest.main()
