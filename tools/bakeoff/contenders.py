# SPDX-License-Identifier: MIT
"""The contenders: every learner at its default and at two other settings, and the recommended team under every selector."""
import subprocess

# Options of each setting; the first is the default. Kinds that the program does not have are left out. The rules after
# Vowpal Wabbit's also play with a learning rate of 2, which suits its own rules.
LEARNERS = {
    "linear-thompson": ({}, {"width": 0.02}, {"width": 1}),
    "linear-ucb": ({}, {"width": 0.1, "bias": 0.5}, {"width": 1}),
    "epsilon-greedy": ({}, {"epsilon": 0.02, "bias": 0.5}, {"epsilon": 0}),
    "square-cb": ({}, {"gamma": 100, "bias": 0.5}, {"gamma": 1000}),
    "logistic-thompson": ({}, {"width": 0.3}, {"width": 1}),
    "logistic-ucb": ({}, {"width": 0.1}, {"width": 1}),
    "ucb": ({}, {"width": 0.3}, {"width": 0.1}),
    "sgd-epsilon-greedy": ({}, {"epsilon": 0}, {"epsilon": 0.02, "rate": 2}),
    "sgd-softmax": ({}, {"lambda": 100}, {"lambda": 10, "rate": 2}),
    "sgd-bag": ({}, {"bags": 10}, {"bags": 5, "rate": 2}),
    "sgd-cover": ({}, {"psi": 0.01}, {"psi": 0.1, "rate": 2}),
    "sgd-square-cb": ({}, {"gamma": 100}, {"gamma": 10, "rate": 2}),
    "sgd-regcb": ({}, {"mellowness": 0.001}, {"mellowness": 0.1, "rate": 2}),
}

# Those that play for amounts, of any scale.
LINEAR = {
    "linear-ucb": ({}, {"rewards": "standardised"}),
    "linear-thompson": ({}, {"rewards": "standardised"}),
    "epsilon-greedy": ({}, {"rewards": "standardised"}),
    "square-cb": ({}, {"rewards": "standardised"}),
}

# The settings among which the defaults were chosen: each width with each precision and each bias.
GRID = {
    "linear-thompson": ("width", (0.01, 0.02, 0.05, 0.1, 0.2, 1), (0, 0.5, 1)),
    "linear-ucb": ("width", (0.05, 0.1, 0.25, 0.5, 1), (0, 0.5, 1)),
    "epsilon-greedy": ("epsilon", (0, 0.02, 0.1), (0, 0.5, 1)),
    "square-cb": ("gamma", (10, 100, 1000), (0, 0.5, 1)),
    "logistic-thompson": ("width", (0.02, 0.05, 0.1, 0.3, 1), (0, -1, -2)),
    "logistic-ucb": ("width", (0.05, 0.1, 0.3, 0.5, 1), (0, -1, -2)),
}


def exists(posse, kind):
    listed = subprocess.run([posse, "list", "learner"], capture_output=True, text=True, check=True).stdout
    return any(line.split()[:1] == [kind] for line in listed.splitlines() if line.startswith("  ") and line[2] != " ")


def name(kind, options):
    """The kind and the value of its first option; of others also the key."""
    shown = [f"{options[key]}" if place == 0 else f"{key} {options[key]}" for place, key in enumerate(options)]
    return " ".join([kind, *shown])


def settings(kind, grid):
    """The options of each setting of a kind."""
    if not grid:
        return LEARNERS[kind]
    key, values, biases = GRID.get(kind, ("", (), ()))
    return ({}, *({key: v, "precision": p, "bias": b} for v in values for p in ("auto", 1) for b in biases))


def learners(posse, grid):
    """(name, kind, options) of all settings."""
    kinds = [kind for kind in LEARNERS if exists(posse, kind)]
    return [(name(kind, options), kind, options) for kind in kinds for options in settings(kind, grid)]


def for_amounts():
    return [(name(kind, options), kind, options) for kind, all_ in LINEAR.items() for options in all_]


def selectors(low, high, best):
    """{name: options} of the selectors under which the recommended team plays, for rewards from `low` to `high` of which
    the largest mean is `best`. B-MS+ also plays with `consider` on and off, whatever its rule says."""
    unit, reach = high - low, f"range: [{low}, {high}]"
    return {
        "recommended": "kind: bms-plus, belief: recommended",
        "consider on": "kind: bms-plus, consider: true, belief: recommended",
        "consider off": "kind: bms-plus, consider: false, belief: recommended",
        "B-MS": "kind: bms, share: true, belief: recommended",
        "UCB over learners": f"kind: ucb, width: {0.2 * unit:g}, share: true",
        "Thompson over learners": "kind: thompson, share: true",
        "CORRAL": f"kind: corral, {reach}, share: true",
        "EXP3.P": f"kind: exp3p, {reach}, share: true",
        "D3RB": "kind: d3rb, share: true",
        "ED2RB": "kind: ed2rb, share: true",
        "BD3RB": f"kind: bd3rb, best: {best}, share: true",
        "perfect balancing": f"kind: perfect-balancing, best: {best}, share: true",
        "regret balancing": f"kind: balancing, coefficients: {unit}, confidence: {unit}, share: true",
        "dynamic balancing": f"kind: dynamic-balancing, coefficients: {unit}, confidence: {unit}, share: true",
        "greedy over learners": "kind: greedy, share: true",
        "uniform over learners": "kind: uniform, share: true",
    }


def names(posse, grid):
    """Of all contenders but Vowpal Wabbit, each once."""
    players = [label for label, *_ in (*learners(posse, grid), *for_amounts())]
    return list(dict.fromkeys([*players, *selectors(0, 1, 1)]))
