# SPDX-License-Identifier: MIT
"""The contenders: every learner at its default and at two other settings, and the recommended team under every selector."""
import subprocess

# Options of each setting; the first is the default. Kinds that the program does not have are left out.
LEARNERS = {
    "linear-thompson": ({}, {"width": 0.1}, {"width": 0.02}),
    "linear-ucb": ({}, {"width": 0.25}, {"width": 0.05}),
    "epsilon-greedy": ({}, {"epsilon": 0.02}, {"epsilon": 0}),
    "square-cb": ({}, {"gamma": 100}, {"gamma": 1000}),
    "logistic-thompson": ({}, {"width": 0.3}, {"width": 0.1}),
    "logistic-ucb": ({}, {"width": 0.3}, {"width": 0.1}),
    "ucb": ({}, {"width": 0.3}, {"width": 0.1}),
    "sgd-epsilon-greedy": ({},),
    "sgd-softmax": ({},),
    "sgd-bag": ({},),
    "sgd-cover": ({},),
    "sgd-square-cb": ({},),
    "sgd-regcb": ({},),
}

# The recommended team under each of them. B-MS+ also with `consider` on and off, whatever its rule says.
SELECTORS = {
    "recommended": "kind: bms-plus, belief: recommended",
    "consider on": "kind: bms-plus, consider: true, belief: recommended",
    "consider off": "kind: bms-plus, consider: false, belief: recommended",
    "UCB over learners": "kind: ucb, width: 0.2, share: true",
    "Thompson over learners": "kind: thompson, share: true",
    "CORRAL": "kind: corral, share: true",
    "D3RB": "kind: d3rb, share: true",
    "EXP3.P": "kind: exp3p, share: true",
    "greedy over learners": "kind: greedy, share: true",
    "uniform over learners": "kind: uniform, share: true",
}


def exists(posse, kind):
    listed = subprocess.run([posse, "list", "learner"], capture_output=True, text=True, check=True).stdout
    return any(line.split()[:1] == [kind] for line in listed.splitlines() if line.startswith("  ") and line[2] != " ")


def name(kind, options):
    return kind + "".join(f" {value:g}" for value in options.values())


def learners(posse):
    """(name, kind, options) of all settings."""
    kinds = [kind for kind in LEARNERS if exists(posse, kind)]
    return [(name(kind, options), kind, options) for kind in kinds for options in LEARNERS[kind]]


def defaults(posse):
    return [name(kind, {}) for kind in LEARNERS if exists(posse, kind)]
