# SPDX-License-Identifier: MIT
"""The 18 experiments of the paper of D3RB, beside the regrets that were published for them.

    PYTHONPATH=build/python python3 experiments/published/d3rb.py [--runs 100] [--rounds 1000] [--only 3,12] [--nested-width 2]

Each experiment is a problem and a few learners, among which a rule chooses in every round; a learner learns from its own
plays. The rules are written twice: as the published program has them, and as the paper does. The program differs from
the paper in four places, and each is a switch here:

    shift    rewards of linear problems have noise N(1, 1); regret is that of the means
    clip     UCB and Greedy over learners cut their index at 1, although rewards reach 5 and 30, and draw among equals
    sums     D3RB and ED2RB divide bounds on sums of rewards by sqrt(n), where the paper divides by n
    dims     learners that use the first d coordinates get d as their width, where the list of settings has 2

Prints a table in Markdown: the published regret ± two standard errors; that of the rules as published; their distance in
standard errors of the difference; then the rules without the clip, and as in the paper; then the selectors of posse,
which get the same learners and nothing but their rewards; then B-MS+, which also sees the arms that they played. Regret
in contexts is that of each round. The published one compares with the mean over rounds of the best arm, which has the
same expectation.
"""
import argparse
import csv
import os

import numpy

import posse

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = (0, 0.16, 2.5, 5, 25)  # of Thompson sampling


class Problem:
    """What is played, and the learners: the width of each, and how many coordinates it uses."""

    def __init__(self, kind, truth, widths, dims=None, scale=None):
        self.kind, self.truth, self.scale = kind, numpy.array(truth, float), scale
        self.widths = numpy.array(widths, float)
        self.dims = dims or [len(truth)] * len(widths)

    @property
    def linear(self):
        return self.kind in ("sphere", "cube", "contexts")


def ramp(dim, length=None, used=None):
    """0, 1, 2, …, scaled to a length; the coordinates from `used` on are 0."""
    theta = numpy.arange(dim, dtype=float)
    if length is not None:
        theta *= length / numpy.linalg.norm(theta[:used])
    if used is not None:
        theta[used:] = 0.0
    return theta


def nested(kind, dims, theta):
    return Problem(kind, theta, dims, list(dims))


PROBLEMS = {
    1: Problem("normal", [0.5, 1, 0.2, 0.1, 0.6], [0] * 10),
    2: Problem("normal", [0.5, 1, 0.2, 0.1, 0.6], [0, 4, 6, 20]),
    3: Problem("sphere", ramp(10, 5), WIDTHS),
    4: Problem("contexts", ramp(10), WIDTHS),
    5: nested("sphere", (2, 5, 10, 15), ramp(15, used=5)),
    6: nested("contexts", (2, 5, 10, 15), ramp(15, 1, 5)),
    7: Problem("clicks", [0.1, 0.2, 0.5, 0.8], [0, 0.08, 0.16, 0.64, 1.24, 2.5, 5, 10, 25], scale=1.0),
    8: Problem("clicks", [0.1, 0.2], [1] * 10, scale=30.0),
    9: Problem("cube", ramp(5, 5), WIDTHS),
    10: Problem("cube", ramp(10, 5), WIDTHS),
    11: Problem("cube", ramp(100, 5), WIDTHS),
    12: Problem("sphere", ramp(5, 5), WIDTHS),
    13: Problem("sphere", ramp(100, 5), WIDTHS),
    14: Problem("contexts", ramp(5, 5), WIDTHS),
    15: Problem("contexts", ramp(100, 5), WIDTHS),
    16: nested("sphere", (10, 30, 50, 100), ramp(100, 5, 30)),
    17: nested("cube", (2, 5, 10, 15), ramp(15, used=5)),
    18: nested("cube", (10, 30, 50, 100), ramp(100, 5, 5)),
}


# ------------------------------------------------- learners -------------------------------------------------------


class Indices:
    """mean + width sqrt(log((t + 1) / 0.1) / n) over some options, in all runs at once; the first two at random."""

    def __init__(self, runs, options, top=numpy.inf):
        self.count, self.sum, self.top = numpy.zeros((runs, options)), numpy.zeros((runs, options)), top

    def choose(self, rows, width, random):
        count, played = self.count[rows], self.count[rows].sum(1, keepdims=True)
        with numpy.errstate(invalid="ignore"):
            bonus = width * numpy.sqrt(numpy.log((played + 1.0) / 0.1) / (count + 1e-10))
        index = numpy.minimum(self.sum[rows] / numpy.maximum(count, 1.0) + bonus, self.top)
        best = index == index.max(1, keepdims=True)
        best[(played <= 1)[:, 0]] = True
        return (best * random.random(best.shape)).argmax(1)

    def learn(self, rows, choice, reward):
        self.count[rows, choice] += 1.0
        self.sum[rows, choice] += reward


class ArmLearners:
    """The team of UCB learners of an experiment with arms, in all runs."""

    def __init__(self, problem, runs, random):
        self.problem, self.random, self.rows = problem, random, numpy.arange(runs)
        self.teams = Indices(runs * len(problem.widths), len(problem.truth))
        self.played = None  # the last arm of each run

    def play(self, learner):
        rows = self.rows * len(self.problem.widths) + learner
        arm = self.teams.choose(rows, self.problem.widths[learner][:, None], self.random)
        mean = self.problem.truth[arm]
        if self.problem.kind == "normal":
            reward = mean + self.random.standard_normal(len(arm))
        else:
            reward = self.problem.scale * (self.random.random(len(arm)) <= mean)
            mean = self.problem.scale * mean
        self.teams.learn(rows, arm, reward)
        self.played = arm.tolist()
        return reward, self.problem.truth.max() * (self.problem.scale or 1.0) - mean


class LinearLearners:
    """The team of linear Thompson sampling: mean and a root S of the covariance for each learner (Potter's form)."""

    def __init__(self, problem, runs, random, shift):
        self.problem, self.random, self.shift, self.rows = problem, random, shift, numpy.arange(runs)
        self.dim = len(problem.truth)
        learners = len(problem.widths)
        self.fresh = numpy.ones((runs, learners), bool)
        self.mean = numpy.zeros((runs, learners, self.dim))
        self.root = numpy.zeros((runs, learners, self.dim, self.dim))
        self.used = numpy.zeros((learners, self.dim))
        self.played = None  # the last point of each run
        for i, d in enumerate(problem.dims):
            self.used[i, :d] = 1.0
            self.root[:, i, range(d), range(d)] = 1.0

    def drawn(self, learner, root):
        used = self.used[learner]
        mean = self.mean[self.rows, learner]
        start = self.random.standard_normal(mean.shape) * used
        start /= numpy.linalg.norm(start, axis=1, keepdims=True)
        mean = numpy.where(self.fresh[self.rows, learner][:, None], start, mean)
        width = self.problem.widths[learner] * numpy.sqrt(used.sum(1))
        noise = self.random.standard_normal(mean.shape) * used
        return mean + width[:, None] * numpy.einsum("rij,rj->ri", root, noise)

    def arm(self, theta, learner):
        """The point that is played, and the largest mean."""
        truth, used = self.problem.truth, self.used[learner]
        if self.problem.kind == "sphere":
            return theta / numpy.linalg.norm(theta, axis=1, keepdims=True), numpy.linalg.norm(truth)
        if self.problem.kind == "cube":
            coin = self.random.random(theta.shape) < 0.5
            corner = numpy.where(numpy.where(used > 0.0, theta > 0.0, coin), 1.0, -1.0) / numpy.sqrt(self.dim)
            return corner, numpy.abs(truth).sum() / numpy.sqrt(self.dim)
        contexts = self.random.standard_normal((len(theta), 10, self.dim))
        contexts /= numpy.linalg.norm(contexts, axis=2, keepdims=True)
        best = numpy.einsum("rkj,rj->rk", contexts, theta * used).argmax(1)
        return contexts[self.rows, best], (contexts @ truth).max(1)

    def play(self, learner):
        root = self.root[self.rows, learner]
        point, most = self.arm(self.drawn(learner, root), learner)
        mean = point @ self.problem.truth
        reward = mean + self.shift + self.random.standard_normal(len(mean))
        x = point * self.used[learner]
        u = numpy.einsum("rij,ri->rj", root, x)
        v = numpy.einsum("rij,rj->ri", root, u)
        alpha = 1.0 + (u * u).sum(1)
        off = reward - (x * self.mean[self.rows, learner]).sum(1)
        self.mean[self.rows, learner] += v * (off / alpha)[:, None]
        root -= (v / (alpha + numpy.sqrt(alpha))[:, None])[:, :, None] * u[:, None, :]
        self.root[self.rows, learner] = root
        self.fresh[self.rows, learner] = False
        self.played = point
        return reward, most - mean


# --------------------------------------------------- rules --------------------------------------------------------


class OverLearners:
    """UCB (width 2) or Greedy (width 0) with learners as arms."""

    def __init__(self, runs, learners, random, width, top):
        self.indices, self.width, self.random = Indices(runs, learners, top), width, random
        self.rows = numpy.arange(runs)

    def choose(self):
        return self.indices.choose(self.rows, self.width, self.random)

    def learn(self, learner, reward):
        self.indices.learn(self.rows, learner, reward)


class Balance:
    """D3RB, or ED2RB if it estimates; c = 1, delta = 0.01, dmin = 1. sums: bounds are divided by sqrt(n), not n."""

    def __init__(self, runs, learners, estimates, sums):
        self.estimates, self.sums, self.rows = estimates, sums, numpy.arange(runs)
        self.count, self.sum = numpy.zeros((runs, learners)), numpy.zeros((runs, learners))
        self.coefficient, self.potential = numpy.ones((runs, learners)), numpy.ones((runs, learners))

    def choose(self):
        return self.potential.argmin(1)

    def learn(self, learner, reward):
        at = self.rows, learner
        self.count[at] += 1.0
        self.sum[at] += reward
        n = numpy.maximum(self.count, 1.0)
        bonus = numpy.sqrt(self.count * numpy.log((self.count + 1.0) / 0.01))
        by = numpy.sqrt(n) if self.sums else n
        low, high = (self.sum - bonus) / by, (self.sum + bonus) / by
        if not self.sums:
            low[self.count == 0.0] = -numpy.inf
        played = self.count[at]
        regret = played * (low.max(1) - high[at])
        if self.estimates:
            cut = numpy.minimum(regret, 2.0 * self.potential[at])
            self.potential[at] = numpy.maximum(numpy.maximum(cut, self.potential[at]), numpy.sqrt(played))
            return
        caught = regret > self.coefficient[at] * numpy.sqrt(played)
        self.coefficient[at] = numpy.minimum(numpy.where(caught, 2.0, 1.0) * self.coefficient[at], 1e4)
        self.potential[at] = self.coefficient[at] * numpy.sqrt(played)


class Exp3:
    """EXP3 with a share of 0.1 / sqrt(T) of uniform choices; exponents are cut at 100."""

    def __init__(self, runs, learners, rounds, random):
        self.random, self.rows, self.learners = random, numpy.arange(runs), learners
        self.rate, self.share = numpy.sqrt(numpy.log(learners) / (learners * rounds)), 0.1 / numpy.sqrt(rounds)
        self.earned = numpy.zeros((runs, learners))
        self.chances = numpy.full((runs, learners), 1.0 / learners)

    def choose(self):
        left = self.random.random(len(self.rows))[:, None]
        return numpy.minimum((self.chances.cumsum(1) < left).sum(1), self.learners - 1)

    def learn(self, learner, reward):
        at = self.rows, learner
        self.earned[at] += reward / self.chances[at]
        weight = numpy.exp(numpy.minimum(self.earned * self.rate, 100.0))
        self.chances = (1.0 - self.share) * weight / weight.sum(1, keepdims=True) + self.share / self.learners


class Posses:
    """A selector of posse, one posse for each run. It sees rewards alone."""

    def __init__(self, runs, learners, selector):
        team = [{"kind": "external", "name": f"learner {i}"} for i in range(learners)]
        self.posses = [posse.Posse(learners=team, selector=selector, seed=run + 1) for run in range(runs)]
        self.decisions = []

    def choose(self):
        self.decisions = [p.decide() for p in self.posses]
        return numpy.array([d.learner for d in self.decisions])

    def learn(self, learner, reward):
        for p, d, r in zip(self.posses, self.decisions, reward):
            p.learn(d, float(r))


def corners(dim):
    """The corners of a cube of radius 1. Bit i of a corner's number is the sign of its coordinate i."""
    bits = numpy.arange(2**dim)[:, None] >> numpy.arange(dim)
    return (bits % 2 * 2.0 - 1.0) / numpy.sqrt(dim)


class Believers:
    """B-MS+, one posse for each run. It sees arms, too, and has the default belief for their rewards."""

    def __init__(self, learners, runs):
        problem, size = learners.problem, len(learners.problem.truth)
        arms = {
            "normal": {"arms": size, "prior": "gaussian"},
            "clicks": {"arms": size, "prior": "beta"},
            "sphere": {"dim": size, "prior": "linear"},
            "cube": {"arms": 2**size, "prior": "linear"},
        }[problem.kind]
        if problem.kind == "cube":
            arms["points"] = corners(size)
        team = [{"kind": "external", "name": f"learner {i}"} for i in range(len(problem.widths))]
        self.posses = [posse.Posse(**arms, learners=team, selector="bms-plus", seed=run + 1) for run in range(runs)]
        self.learners, self.unit, self.decisions = learners, problem.scale or 1.0, []

    @staticmethod
    def can_play(problem):
        """Not in contexts, where the program draws the arms of a round after the learner, nor with 2^100 corners."""
        return problem.kind != "contexts" and not (problem.kind == "cube" and len(problem.truth) > 15)

    def choose(self):
        self.decisions = [p.decide() for p in self.posses]
        return numpy.array([d.learner for d in self.decisions])

    def learn(self, learner, reward):
        played = self.learners.played
        if self.learners.problem.kind == "cube":
            played = ((played > 0) @ 2 ** numpy.arange(played.shape[1])).tolist()
        for p, d, arm, r in zip(self.posses, self.decisions, played, reward):
            p.acted(d, arm)
            p.learn(d, float(r) / self.unit)


PUBLISHED = ("D3RB", "ED2RB", "UCB", "Greedy", "EXP3")
OTHERS = ("UCB, no clip", "D3RB, means", "posse d3rb", "posse ucb", "posse thompson", "posse B-MS+")


def rule_of(name, runs, team, rounds, random):
    learners = len(team.problem.widths)
    rules = {
        "D3RB": lambda: Balance(runs, learners, False, True),
        "ED2RB": lambda: Balance(runs, learners, True, True),
        "UCB": lambda: OverLearners(runs, learners, random, 2.0, 1.0),
        "Greedy": lambda: OverLearners(runs, learners, random, 0.0, 1.0),
        "EXP3": lambda: Exp3(runs, learners, rounds, random),
        "UCB, no clip": lambda: OverLearners(runs, learners, random, 2.0, numpy.inf),
        "D3RB, means": lambda: Balance(runs, learners, False, False),
        "posse d3rb": lambda: Posses(runs, learners, {"kind": "d3rb"}),
        "posse ucb": lambda: Posses(runs, learners, {"kind": "ucb"}),
        "posse thompson": lambda: Posses(runs, learners, {"kind": "thompson"}),
        "posse B-MS+": lambda: Believers(team, runs),
    }
    return rules[name]()


def regret_of(number, name, runs, rounds, shift):
    """The mean of the final regret over runs, and its standard error."""
    problem = PROBLEMS[number]
    random = numpy.random.Generator(numpy.random.PCG64([number, sum(map(ord, name)), 1]))
    learners = LinearLearners(problem, runs, random, shift) if problem.linear else ArmLearners(problem, runs, random)
    rule, total = rule_of(name, runs, learners, rounds, random), numpy.zeros(runs)
    for _ in range(rounds):
        learner = rule.choose()
        reward, regret = learners.play(learner)
        rule.learn(learner, reward)
        total += regret
    return total.mean(), total.std(ddof=1) / numpy.sqrt(runs)


# --------------------------------------------------- tables -------------------------------------------------------


def published():
    with open(os.path.join(HERE, "d3rb.csv"), encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(int(r["experiment"]), r["rule"]): (float(r["regret"]), float(r["two_errors"]) / 2.0) for r in rows}


def compare(theirs, ours):
    """The distance in standard errors of the difference. Published figures are whole numbers."""
    error = numpy.hypot(numpy.hypot(theirs[1], ours[1]), 0.3)
    return (ours[0] - theirs[0]) / error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--nested-width", type=float, help="of learners that use the first d coordinates; default d")
    parser.add_argument("--only", default=",".join(map(str, PROBLEMS)))
    options = parser.parse_args()
    for problem in PROBLEMS.values():
        if options.nested_width is not None and len(set(problem.dims)) > 1:
            problem.widths[:] = options.nested_width
    table, met, asked = published(), 0, 0
    print("| experiment | " + " | ".join(f"{r}: theirs | ours | z" for r in PUBLISHED) + " |")
    print("| --- |" + " --- | --- | --- |" * len(PUBLISHED))
    numbers = [int(n) for n in options.only.split(",")]
    for number in numbers:
        cells = []
        for name in PUBLISHED:
            theirs = table[number, name]
            ours = regret_of(number, name, options.runs, options.rounds, 1.0)
            z = compare(theirs, ours)
            asked += 1
            met += abs(z) <= 2.0
            cells.append(f"{theirs[0]:.0f} ± {2 * theirs[1]:.0f} | {ours[0]:.0f} ± {2 * ours[1]:.0f} | {z:+.1f}")
        print(f"| {number} | " + " | ".join(cells) + " |", flush=True)
    print(f"\nwithin two standard errors: {met} of {asked}\n")
    print("| experiment | UCB, published | " + " | ".join(OTHERS) + " |")
    print("| --- | --- |" + " --- |" * len(OTHERS))
    for number in numbers:
        cells = []
        for name in OTHERS:
            if name == "posse B-MS+" and not Believers.can_play(PROBLEMS[number]):
                cells.append("–")
                continue
            ours = regret_of(number, name, options.runs, options.rounds, 1.0)
            cells.append(f"{ours[0]:.0f} ± {2 * ours[1]:.0f}")
        theirs = table[number, "UCB"]
        print(f"| {number} | {theirs[0]:.0f} ± {2 * theirs[1]:.0f} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
