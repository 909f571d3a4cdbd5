#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes experiments/scaling: one experiment per size, the sizes of a family sharing a name, NAME-SIZE.

    tools/scaling.py [DIR]
"""
import pathlib
import sys

SELECTORS = """\
  - {name: B-MS, kind: bms}
  - {name: B-MS+ own plays, kind: bms-plus, share: false}
  - {name: D3RB, kind: d3rb, confidence: 1, dmin: 1}
  - {name: ED2RB, kind: ed2rb, confidence: 1, dmin: 1}
  - {name: Balancing, kind: balancing, coefficients: {given}}
  - {name: Dynamic balancing, kind: dynamic-balancing, coefficients: {given}}
  - {name: CORRAL, kind: corral, range: [-4, 6]}
  - {name: Stochastic CORRAL, kind: stochastic-corral, range: [-4, 6]}
  - {name: EXP3.P, kind: exp3p, range: [-4, 6]}
  - {name: UCB selector, kind: ucb}
  - {name: Greedy, kind: greedy}
  - {name: Uniform, kind: uniform}
"""

SIZES = [2, 4, 8, 16, 32, 64]
PAPER = [0.01, 0.1, 1, 2, 5, 10]  # the widths of the paper's UCB experiment


def geometric(low, high, count):
    return [low * (high / low) ** (i / (count - 1)) for i in range(count)]


def coefficient(width):
    """The coefficient for balancing: about the regret alone / sqrt(rounds) of UCB of this width."""
    return max(1.5, 2 * width)


def text(name, why, title, widths, rounds, runs, arms, solo):
    learners = "".join(
        f'  - {{name: "{i:02}: c={width:.4g}", kind: ucb, width: {width:.4g}}}\n' for i, width in enumerate(widths)
    )
    coefficients = [coefficient(width) for width in widths]
    if len(set(coefficients)) == 1:
        given = f"{coefficients[0]:.3g}"
    else:
        given = "[" + ", ".join(f"{c:.3g}" for c in coefficients) + "]"
    return (
        f"# {why} Written by tools/scaling.py.\n"
        f"name: {name}\ntitle: {title}\nrounds: {rounds}\nruns: {runs}\nseed: 1\nsolo: {str(solo).lower()}\n"
        f"environment: {{kind: gaussian, arms: {arms}, prior: {{mean: 0, sd: 1}}, noise: 1}}\n"
        f"learners:\n{learners}selectors:\n{SELECTORS.replace('{given}', given)}"
    )


def experiments():
    for m in SIZES:
        teams = {
            "copies": ("As learners grow: copies of one.", [1] * m),
            "near": ("As learners grow: near-copies, none of them bad.", geometric(0.5, 2, m)),
            "crowd": ("As learners grow: a good one among near-copies of a bad one.", [1] + geometric(9, 11, m)[: m - 1]),
        }
        for family, (why, widths) in teams.items():
            yield f"{family}-{m}", text(f"{family}-{m}", why, f"{family}, {m} learners", widths, 10000, 200, 5, False)
    for k in SIZES:
        why = "As arms grow, with the learners of the paper's UCB experiment."
        yield f"arms-{k}", text(f"arms-{k}", why, f"{k} arms", PAPER, 10000, 200, k, True)
    for t in [1000, 3162, 10000, 31623, 100000, 316228, 1000000]:
        why = "As rounds grow, with the learners of the paper's UCB experiment."
        yield f"rounds-{t}", text(f"rounds-{t}", why, f"{t} rounds", PAPER, t, 100, 5, True)


folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "experiments/scaling")
folder.mkdir(parents=True, exist_ok=True)
for name, content in experiments():
    (folder / f"{name}.yaml").write_text(content)
