# SPDX-License-Identifier: MIT
"""The 18 experiments of the paper of D3RB, beside the regrets that were published for them.

    PYTHONPATH=build/python python3 experiments/published/d3rb.py [--rounds 1000,20000] [--data own,shared]
        [--runs 100] [--large-runs 20] [--only 3,12] [--nested-width 2] [--jobs 2]

Each experiment is a problem and a few learners, among which a rule chooses in every round. A learner learns from its own
plays, or from those of all learners. The rules are written twice: as the published program has them, and as the paper
does. The program differs from the paper in four places, and each is a switch here:

    shift    rewards of linear problems have noise N(1, 1); regret is that of the means
    clip     UCB and Greedy over learners cut their index at 1, although rewards reach 5 and 30, and draw among equals
    sums     D3RB, ED2RB and the grid divide bounds on sums of rewards by sqrt(n), where the paper divides by n
    dims     learners that use the first d coordinates get d as their width, where the list of settings has 2

Prints a table in Markdown for each length and sort of data: the published regret ± two standard errors; that of the rules
as published; their distance in standard errors of the difference. Then, for 1000 rounds with own data: the rules without
the clip, and as in the paper; then the selectors of posse, which get the same learners and nothing but their rewards; then
B-MS+, which also sees the arms that they played. Regret in contexts is that of each round. The published one compares with
the mean of the best arm, estimated from 100,000 contexts. So published figures have an error that grows with the rounds and
is not in their ±; the distance counts it.

--large-runs are the runs of problems in 100 dimensions. --jobs figures are made at a time.
"""
import argparse
import csv
import multiprocessing
import os

import numpy

import posse

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = (0, 0.16, 2.5, 5, 25)  # of Thompson sampling
SHIFT = 1.0  # of rewards of linear problems


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
    """The team of UCB learners of an experiment with arms, in all runs. copies: of each learner. Learners that share data
    have one state, because they differ in nothing but their width."""

    def __init__(self, problem, runs, random, copies, shared):
        self.problem, self.random, self.rows = problem, random, numpy.arange(runs)
        self.widths = numpy.repeat(problem.widths, copies)
        self.states = 1 if shared else len(self.widths)
        self.teams = Indices(runs * self.states, len(problem.truth))
        self.played = None  # the last arm of each run

    def begin(self):
        pass

    def play(self, learner):
        rows = self.rows * self.states + (learner if self.states > 1 else 0)
        arm = self.teams.choose(rows, self.widths[learner][:, None], self.random)
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
    """The team of linear Thompson sampling: states of a mean and a root S of the covariance (Potter's form). Each learner
    has a state. If data are shared, learners that use equally many coordinates have one."""

    def __init__(self, problem, runs, random, copies, shared, shift):
        self.problem, self.random, self.shift, self.rows = problem, random, shift, numpy.arange(runs)
        self.dim, self.shared = len(problem.truth), shared
        self.widths, dims = numpy.repeat(problem.widths, copies), numpy.repeat(problem.dims, copies)
        self.state = numpy.searchsorted(numpy.unique(dims), dims) if shared else numpy.arange(len(dims))
        dims = numpy.unique(dims) if shared else dims
        self.fresh = numpy.ones((runs, len(dims)), bool)
        self.mean = numpy.zeros((runs, len(dims), self.dim))
        self.root = numpy.zeros((runs, len(dims), self.dim, self.dim))
        self.used = numpy.zeros((len(dims), self.dim))
        self.contexts = None  # the arms of this round
        self.played = None  # the last point of each run, or the number of an arm of the round
        for i, d in enumerate(dims):
            self.used[i, :d] = 1.0
            self.root[:, i, range(d), range(d)] = 1.0

    def begin(self):
        if self.problem.kind == "contexts":
            self.contexts = self.random.standard_normal((len(self.rows), 10, self.dim))
            self.contexts /= numpy.linalg.norm(self.contexts, axis=2, keepdims=True)

    def drawn(self, learner, state):
        used = self.used[state]
        mean = self.mean[self.rows, state]
        start = self.random.standard_normal(mean.shape) * used
        start /= numpy.linalg.norm(start, axis=1, keepdims=True)
        mean = numpy.where(self.fresh[self.rows, state][:, None], start, mean)
        width = self.widths[learner] * numpy.sqrt(used.sum(1))
        noise = self.random.standard_normal(mean.shape) * used
        return mean + width[:, None] * (self.root[self.rows, state] @ noise[:, :, None])[:, :, 0]

    def arm(self, theta, used):
        """The point that is played, the largest mean, and the form of the point that B-MS+ gets."""
        truth = self.problem.truth
        if self.problem.kind == "sphere":
            point = theta / numpy.linalg.norm(theta, axis=1, keepdims=True)
            return point, numpy.linalg.norm(truth), point
        if self.problem.kind == "cube":
            coin = self.random.random(theta.shape) < 0.5
            point = numpy.where(numpy.where(used > 0.0, theta > 0.0, coin), 1.0, -1.0) / numpy.sqrt(self.dim)
            return point, numpy.abs(truth).sum() / numpy.sqrt(self.dim), point
        best = (self.contexts @ (theta * used)[:, :, None])[:, :, 0].argmax(1)
        return self.contexts[self.rows, best], (self.contexts @ truth).max(1), best

    def play(self, learner):
        state = self.state[learner]
        point, most, self.played = self.arm(self.drawn(learner, state), self.used[state])
        mean = point @ self.problem.truth
        reward = mean + self.shift + self.random.standard_normal(len(mean))
        for taught in range(len(self.used)) if self.shared else (state,):
            self.learn(taught, point, reward)
        return reward, most - mean

    def learn(self, state, point, reward):
        """state: one number for all runs, or one of each run."""
        x = point * self.used[state]
        root, at = self.root[self.rows, state], (self.rows, state)
        u = (x[:, None, :] @ root)[:, 0, :]
        v = (root @ u[:, :, None])[:, :, 0]
        alpha = 1.0 + (u * u).sum(1)
        off = reward - (x * self.mean[at]).sum(1)
        self.mean[at] += v * (off / alpha)[:, None]
        root -= (v / (alpha + numpy.sqrt(alpha))[:, None])[:, :, None] * u[:, None, :]
        self.root[at] = root
        self.fresh[at] = False


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


def bounds_on_sums(count, total):
    """Lower and upper bounds on sums of rewards; c = 1, delta = 0.01."""
    bonus = numpy.sqrt(count * numpy.log((count + 1.0) / 0.01))
    return total - bonus, total + bonus


class LeastPotential:
    """A rule that plays the learner of the least potential; at first the potentials are these of each learner."""

    def __init__(self, runs, potentials):
        self.rows, self.potential = numpy.arange(runs), numpy.tile(potentials, (runs, 1))
        self.count, self.sum = numpy.zeros(self.potential.shape), numpy.zeros(self.potential.shape)

    def choose(self):
        return self.potential.argmin(1)

    def record(self, learner, reward):
        """Counts a reward. Returns the place of the learner of each run."""
        at = self.rows, learner
        self.count[at] += 1.0
        self.sum[at] += reward
        return at


class Balance(LeastPotential):
    """D3RB, or ED2RB if it estimates; c = 1, delta = 0.01, dmin = 1. sums: bounds are divided by sqrt(n), not n."""

    def __init__(self, runs, learners, estimates, sums):
        super().__init__(runs, numpy.ones(learners))
        self.estimates, self.sums, self.coefficient = estimates, sums, numpy.ones((runs, learners))

    def learn(self, learner, reward):
        at = self.record(learner, reward)
        n = numpy.maximum(self.count, 1.0)
        by = numpy.sqrt(n) if self.sums else n
        low, high = (bound / by for bound in bounds_on_sums(self.count, self.sum))
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


class Grid(LeastPotential):
    """Regret balancing over copies of each learner, with the bounds 1, 2, 4, … on its regret; c = 1, delta = 0.01. A copy
    that is caught has an endless potential."""

    def __init__(self, runs, learners, copies):
        self.bounds = numpy.tile(2.0 ** numpy.arange(copies), learners)
        super().__init__(runs, self.bounds)

    def learn(self, learner, reward):
        at = self.record(learner, reward)
        low, high = bounds_on_sums(self.count, self.sum)
        root = numpy.sqrt(numpy.maximum(self.count, 1.0))
        bound = self.bounds[learner] * numpy.sqrt(self.count[at] * numpy.log(self.count[at] / 0.01))
        caught = (high / root)[at] + bound < (low / root).max(1)
        self.potential[at] = numpy.where(caught, numpy.inf, bound)


def drawn_from(chances, random):
    """One option of each run."""
    left = random.random(len(chances))[:, None]
    return numpy.minimum((chances.cumsum(1) < left).sum(1), chances.shape[1] - 1)


class Corral:
    """CORRAL with the rate 1 / sqrt(T), and learners that do not see their chances."""

    def __init__(self, runs, learners, rounds, random):
        self.random, self.rows, self.learners, self.rounds = random, numpy.arange(runs), learners, rounds
        self.chances = numpy.full((runs, learners), 1.0 / learners)
        self.rate = numpy.full((runs, learners), 1.0 / numpy.sqrt(rounds))
        self.limit = numpy.full((runs, learners), 2.0 * learners)

    def choose(self):
        return drawn_from(self.chances, self.random)

    def learn(self, learner, reward):
        at, loss, inverse = (self.rows, learner), numpy.zeros(self.chances.shape), 1.0 / self.chances
        loss[at] = (1.0 - reward) * inverse[at]
        low = loss.min(1)
        high = numpy.minimum(loss.max(1), (inverse / self.rate + loss).min(1))
        while (high - low).max() > 1e-5:  # for the level at which the new chances sum to 1
            middle = 0.5 * (low + high)
            above = (1.0 / (inverse + self.rate * (loss - middle[:, None]))).sum(1) > 1.0
            low, high = numpy.where(above, low, middle), numpy.where(above, middle, high)
        fresh = 1.0 / (inverse + self.rate * (loss - (0.5 * (low + high))[:, None]))
        share = 1.0 / self.rounds
        self.chances = (1.0 - share) * fresh / fresh.sum(1, keepdims=True) + share / self.learners
        rare = 1.0 / self.chances > self.limit
        self.limit = numpy.where(rare, numpy.floor(2.0 / self.chances), self.limit)
        self.rate *= numpy.where(rare, numpy.exp(1.0 / numpy.log(self.rounds)), 1.0)


class Exp3:
    """EXP3 with a share of 0.1 / sqrt(T) of uniform choices; exponents are cut at 100."""

    def __init__(self, runs, learners, rounds, random):
        self.random, self.rows, self.learners = random, numpy.arange(runs), learners
        self.rate, self.share = numpy.sqrt(numpy.log(learners) / (learners * rounds)), 0.1 / numpy.sqrt(rounds)
        self.earned = numpy.zeros((runs, learners))
        self.chances = numpy.full((runs, learners), 1.0 / learners)

    def choose(self):
        return drawn_from(self.chances, self.random)

    def learn(self, learner, reward):
        at = self.rows, learner
        self.earned[at] += reward / self.chances[at]
        weight = numpy.exp(numpy.minimum(self.earned * self.rate, 100.0))
        self.chances = (1.0 - self.share) * weight / weight.sum(1, keepdims=True) + self.share / self.learners


class Posses:
    """A selector of posse, one posse for each run. It sees rewards alone."""

    def __init__(self, runs, learners, kind, rounds):
        team = [{"kind": "external", "name": f"learner {i}"} for i in range(learners)]
        self.posses = [posse.Posse(learners=team, selector=kind, rounds=rounds, seed=run + 1) for run in range(runs)]
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
            "contexts": {"arms": 10, "dim": size, "prior": "linear"},
        }[problem.kind]
        if problem.kind == "cube":
            arms["points"] = corners(size)
        team = [{"kind": "external", "name": f"learner {i}"} for i in range(len(problem.widths))]
        self.posses = [posse.Posse(**arms, learners=team, selector="bms-plus", seed=run + 1) for run in range(runs)]
        self.learners, self.unit, self.decisions = learners, problem.scale or 1.0, []

    @staticmethod
    def can_play(problem):
        """Not with 2^100 corners."""
        return not (problem.kind == "cube" and len(problem.truth) > 15)

    def contexts(self):
        return self.learners.contexts if self.learners.problem.kind == "contexts" else [None] * len(self.posses)

    def choose(self):
        self.decisions = [p.decide(x) for p, x in zip(self.posses, self.contexts())]
        return numpy.array([d.learner for d in self.decisions])

    def learn(self, learner, reward):
        played = self.learners.played
        if self.learners.problem.kind == "cube":
            played = ((played > 0) @ 2 ** numpy.arange(played.shape[1])).tolist()
        for p, d, x, arm, r in zip(self.posses, self.decisions, self.contexts(), played, reward):
            p.acted(d, arm, context=x)
            p.learn(d, float(r) / self.unit)


PUBLISHED = ("D3RB", "ED2RB", "CORRAL", "RB grid", "UCB", "Greedy", "EXP3")
REWARDS_ALONE = ("d3rb", "ed2rb", "corral", "exp3p", "ucb", "thompson")
OTHERS = ("UCB, no clip", "D3RB, means", *(f"posse {kind}" for kind in REWARDS_ALONE), "posse B-MS+")


def copies_of(name, rounds):
    """How many copies of each learner a rule has."""
    return int(numpy.log(rounds)) if name == "RB grid" else 1


def rule_of(name, runs, team, rounds, random):
    learners = len(team.problem.widths)
    rules = {
        "D3RB": lambda: Balance(runs, learners, False, True),
        "ED2RB": lambda: Balance(runs, learners, True, True),
        "CORRAL": lambda: Corral(runs, learners, rounds, random),
        "RB grid": lambda: Grid(runs, learners, copies_of(name, rounds)),
        "UCB": lambda: OverLearners(runs, learners, random, 2.0, 1.0),
        "Greedy": lambda: OverLearners(runs, learners, random, 0.0, 1.0),
        "EXP3": lambda: Exp3(runs, learners, rounds, random),
        "UCB, no clip": lambda: OverLearners(runs, learners, random, 2.0, numpy.inf),
        "D3RB, means": lambda: Balance(runs, learners, False, False),
        "posse B-MS+": lambda: Believers(team, runs),
    }
    for kind in REWARDS_ALONE:
        rules[f"posse {kind}"] = lambda kind=kind: Posses(runs, learners, kind, rounds)
    return rules[name]()


def regret_of(number, name, runs, rounds, shared):
    """The mean of the final regret over runs, and its standard error."""
    problem = PROBLEMS[number]
    random = numpy.random.Generator(numpy.random.PCG64([number, sum(map(ord, name)), rounds, shared]))
    how = (problem, runs, random, copies_of(name, rounds), shared)
    learners = LinearLearners(*how, SHIFT) if problem.linear else ArmLearners(*how)
    rule, total = rule_of(name, runs, learners, rounds, random), numpy.zeros(runs)
    for _ in range(rounds):
        learners.begin()
        learner = rule.choose()
        reward, regret = learners.play(learner)
        rule.learn(learner, reward)
        total += regret
    return total.mean(), total.std(ddof=1) / numpy.sqrt(runs)


# --------------------------------------------------- tables -------------------------------------------------------


def published():
    with open(os.path.join(HERE, "d3rb.csv"), encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {
            (int(r["rounds"]), r["data"], int(r["experiment"]), r["rule"]): (float(r["regret"]), float(r["two_errors"]) / 2.0)
            for r in rows
        }


def baseline_error(problem, rounds):
    """The standard error of the regret of the best arm that published figures in contexts are compared with."""
    if problem.kind != "contexts":
        return 0.0
    contexts = numpy.random.Generator(numpy.random.PCG64(1)).standard_normal((2000, 10, len(problem.truth)))
    contexts /= numpy.linalg.norm(contexts, axis=2, keepdims=True)
    return rounds * (contexts @ problem.truth).max(1).std() / numpy.sqrt(100_000)


def compare(theirs, ours, baseline):
    """The distance in standard errors of the difference. Published figures are whole numbers."""
    errors = (theirs[1], ours[1], baseline, 0.3)
    return (ours[0] - theirs[0]) / numpy.sqrt(sum(error**2 for error in errors))


def written(figure):
    return f"{figure[0]:.0f} ± {2 * figure[1]:.0f}"


def print_comparison(pool, table, numbers, runs, rounds, data):
    """Published figures beside ours, and how many agree."""
    print(f"{rounds} rounds, {data} data\n")
    print("| experiment | " + " | ".join(f"{r}: theirs | ours | z" for r in PUBLISHED) + " |")
    print("| --- |" + " --- | --- | --- |" * len(PUBLISHED))
    apart = []
    for number in numbers:
        cells, baseline = [], baseline_error(PROBLEMS[number], rounds)
        ours = pool.starmap(regret_of, [(number, name, runs(number), rounds, data == "shared") for name in PUBLISHED], 1)
        for name, figure in zip(PUBLISHED, ours):
            theirs = table[rounds, data, number, name]
            z = compare(theirs, figure, baseline)
            if abs(z) > 2.0:
                apart.append(f"{name} in {number} ({z:+.1f})")
            cells.append(f"{written(theirs)} | {written(figure)} | {z:+.1f}")
        print(f"| {number} | " + " | ".join(cells) + " |", flush=True)
    asked = len(numbers) * len(PUBLISHED)
    print(f"\nwithin two standard errors: {asked - len(apart)} of {asked}; not: {', '.join(apart) or 'none'}\n", flush=True)


def print_others(pool, table, numbers, runs, rounds, data):
    """What the details change, and posse's selectors."""
    print("| experiment | UCB, published | " + " | ".join(OTHERS) + " |")
    print("| --- | --- |" + " --- |" * len(OTHERS))
    for number in numbers:
        names = [name for name in OTHERS if name != "posse B-MS+" or Believers.can_play(PROBLEMS[number])]
        ours = pool.starmap(regret_of, [(number, name, runs(number), rounds, data == "shared") for name in names], 1)
        cells = [written(figure) for figure in ours] + ["–"] * (len(OTHERS) - len(names))
        print(f"| {number} | {written(table[rounds, data, number, 'UCB'])} | " + " | ".join(cells) + " |", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", default="1000,20000")
    parser.add_argument("--data", default="own,shared")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--large-runs", type=int, default=20)
    parser.add_argument("--nested-width", type=float, help="of learners that use the first d coordinates; default d")
    parser.add_argument("--only", default=",".join(map(str, PROBLEMS)))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    for problem in PROBLEMS.values():
        if options.nested_width is not None and len(set(problem.dims)) > 1:
            problem.widths[:] = options.nested_width
    table, numbers = published(), [int(n) for n in options.only.split(",")]
    runs = lambda number: options.large_runs if len(PROBLEMS[number].truth) == 100 else options.runs
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        for data in options.data.split(","):
            for rounds in map(int, options.rounds.split(",")):
                print_comparison(pool, table, numbers, runs, rounds, data)
                if (rounds, data) == (1000, "own"):
                    print_others(pool, table, numbers, runs, rounds, data)


if __name__ == "__main__":
    main()
