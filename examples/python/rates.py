"""Which learning rate? Seven models that all keep learning, and a posse that sees rewards alone.

Handwritten digits come in, ten at a time. Seven linear models read them. They have the same form, and each has a
learning rate of its own. All of them learn from every batch, but only one can answer. Which one? Each model is a
learner without arms, and the reward is the share of the ten digits that it read correctly. Needs NumPy.
"""

import pathlib

import numpy as np
import posse

BATCHES, SIZE, ORDERS = 400, 10, 10
RATES = [0.01, 0.1, 1, 10, 100, 300, 1000]

data = pathlib.Path(__file__).parents[2] / "experiments/contextual/digits.csv"
with data.open() as file:
    names = file.readline().strip().split(",")
    table = np.loadtxt(file, delimiter=",")
column = names.index("digit")
digits = table[:, column].astype(int)
features = np.column_stack([np.delete(table, column, axis=1), np.ones(len(table))])
features /= np.abs(features).max()


def accuracies(batches):
    """What each model reads correctly of each batch, before it learns from it: softmax regression by gradient steps."""
    weights, right = np.zeros((len(RATES), features.shape[1], 10)), np.empty((BATCHES, len(RATES)))
    for n, batch in enumerate(batches):
        x, truth = features[batch], np.eye(10)[digits[batch]]
        scores = x @ weights
        right[n] = (scores.argmax(axis=2) == digits[batch]).mean(axis=1)
        odds = np.exp(scores - scores.max(axis=2, keepdims=True))
        error = truth - odds / odds.sum(axis=2, keepdims=True)
        weights += np.array(RATES)[:, None, None] * (x.T @ error) / SIZE
    return right


external = [{"kind": "external", "name": f"{rate:g}"} for rate in RATES]
fixed = [{"kind": "fixed", "name": f"{rate:g}", "arm": arm} for arm, rate in enumerate(RATES)]


def alone(**options):
    """Rewards alone."""
    return lambda run: posse.Posse(learners=external, run=run, **options)


WAYS = {
    "thompson, the default": alone(),
    "thompson, discount 0.99": alone(selector={"kind": "thompson", "discount": 0.99}),
    "UCB over learners, width 0.25": alone(selector={"kind": "ucb", "width": 0.25}),
    "D3RB": alone(selector="d3rb"),
    "ED2RB": alone(selector="ed2rb"),
    "BD3RB, best 1": alone(selector={"kind": "bd3rb", "best": 1}),
    "perfect balancing, best 1": alone(selector={"kind": "perfect-balancing", "best": 1}),
    "uniform": alone(selector="uniform"),
    "B-MS+, each model an arm": lambda run: posse.Posse(len(RATES), prior="beta", learners=fixed, run=run),
}


def answer(p, right):
    """The share of digits that the chosen models read correctly, and how often each was chosen."""
    read = []
    for shares in right:
        d = p.decide()
        read.append(shares[d.learner])
        p.learn(d, read[-1])
    return np.mean(read), np.array(p.plays)


def order(dice):
    """The digits come three times, each time in a new order."""
    stream = np.concatenate([dice.permutation(len(digits)) for _ in range(3)])
    return stream[: BATCHES * SIZE].reshape(BATCHES, SIZE)


courses = [accuracies(order(np.random.default_rng(run))) for run in range(ORDERS)]
means = np.mean(courses, axis=(0, 1))
print(f"{len(RATES)} learning rates, {BATCHES} batches of {SIZE} digits, mean of {ORDERS} orders")
print("rate  " + "".join(f"{rate:>9g}" for rate in RATES))
print("alone " + "".join(f"{mean:9.1%}" for mean in means))
print(f"\n{'':32}read correctly   the best rate answers")
for name, make in WAYS.items():
    read, plays = zip(*(answer(make(run), right) for run, right in enumerate(courses)))
    print(f"{name:32}{np.mean(read):14.1%}   {np.mean(plays, axis=0)[means.argmax()] / BATCHES:21.0%}")
