# SPDX-License-Identifier: MIT
"""Python as people write it: a class per learner, NumPy for vectors, one run and one round at a time.

    python_loop.py DESCRIPTION RUNS REPEATS
"""
import os

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[library + "_NUM_THREADS"] = "1"

import sys

import numpy as np

from contender import read_workload, report


class Ucb:
    def __init__(self, w, rng, width):
        self.width, self.delta, self.arms = width, w.delta, w.arms
        self.counts, self.sums = np.zeros(w.arms), np.zeros(w.arms)
        self.total = 0

    def act(self):
        if self.total < self.arms:
            return self.total
        log = np.log(2 * self.arms * self.total / self.delta)
        return np.argmax(self.sums / self.counts + self.width * np.sqrt(log / self.counts))

    def learn(self, arm, reward):
        self.counts[arm] += 1
        self.sums[arm] += reward
        self.total += 1


class Gaussian:
    """A belief about independent arms; as a learner it is Thompson sampling."""

    def __init__(self, w, rng, means):
        self.rng = rng
        self.precision = np.full(w.arms, w.prior_sd**-2.0)
        self.weighted = self.precision * means

    def draw(self):
        return self.rng.normal(self.weighted / self.precision, 1 / np.sqrt(self.precision))

    def act(self):
        return np.argmax(self.draw())

    def learn(self, arm, reward):
        self.precision[arm] += 1
        self.weighted[arm] += reward


class Linear:
    """A belief about theta; as a learner it is linear Thompson sampling."""

    def __init__(self, w, rng, width):
        self.rng, self.points, self.scale = rng, w.points, width * np.sqrt(w.dim)
        self.covariance = np.eye(w.dim) * w.prior_sd**2
        self.sum = np.zeros(w.dim)

    def draw(self):
        theta = self.covariance @ self.sum
        if self.scale > 0:
            root = np.linalg.cholesky(self.covariance)
            theta = theta + self.scale * (root @ self.rng.standard_normal(len(theta)))
        return theta

    def act(self):
        return np.argmax(self.points @ self.draw())

    def learn(self, arm, reward):
        x = self.points[arm]
        v = self.covariance @ x
        self.covariance -= np.outer(v, v) / (1 + x @ v)
        self.sum += x * reward


class Bms:
    """The learner whose past plays have the least regret in a world drawn from the belief; ties at random."""

    def __init__(self, w, rng, learners, belief):
        self.w, self.rng, self.learners, self.belief = w, rng, learners, belief
        self.plays = np.zeros(len(learners))
        self.records = np.zeros((len(learners), w.dim if w.dim else w.arms))
        self.round = 0

    def choose(self):
        if self.round < len(self.learners):
            return self.round
        world = self.belief.draw()
        if self.w.dim:
            best = self.w.points[np.argmax(self.w.points @ world)]
            potentials = (np.outer(self.plays, best) - self.records) @ world
        else:
            potentials = self.records @ (world.max() - world)
        return self.rng.choice(np.flatnonzero(potentials == potentials.min()))

    def act(self):
        self.chosen = self.choose()
        return self.learners[self.chosen].act()

    def learn(self, arm, reward):
        self.round += 1
        self.plays[self.chosen] += 1
        if self.w.dim:
            self.records[self.chosen] += self.w.points[arm]
        else:
            self.records[self.chosen, arm] += 1
        self.learners[self.chosen].learn(arm, reward)
        self.belief.learn(arm, reward)


def crew(w, rng):
    if w.kind == "thompson":
        return [Gaussian(w, rng, means) for means in w.settings.reshape(w.learners, w.arms)]
    return [(Ucb if w.kind == "ucb" else Linear)(w, rng, width) for width in w.settings]


def play_run(w, rng):
    """The regret of B-MS and of each learner alone, on the same instance with the same noise."""
    truth = w.prior_mean + w.prior_sd * rng.standard_normal(len(w.prior_mean))
    means = w.points @ truth if w.dim else truth
    gaps = means.max() - means
    noise = rng.standard_normal(w.rounds)
    belief = Linear(w, rng, w.dim**-0.5) if w.dim else Gaussian(w, rng, w.prior_mean)
    regrets = []
    for player in [Bms(w, rng, crew(w, rng), belief)] + crew(w, rng):
        regret = 0.0
        for t in range(w.rounds):
            arm = player.act()
            player.learn(arm, means[arm] + noise[t])
            regret += gaps[arm]
        regrets.append(regret)
    return regrets


def main():
    w = read_workload(sys.argv[1])
    w.points = w.points.reshape(w.arms, w.dim)
    runs, repeats = int(sys.argv[2]), int(sys.argv[3])
    rng = np.random.default_rng(1)
    report(w, runs, repeats, lambda repeat: np.array([play_run(w, rng) for _ in range(runs)]).T)


main()
