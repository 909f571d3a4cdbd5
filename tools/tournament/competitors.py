# SPDX-License-Identifier: MIT
"""The selectors that compete. Every problem is played by every selector of this table, in this order.

A selector is the text of its line in the experiment file. It may hold {belief}, what B-MS believes of the arms;
{noise}, the standard deviation of a reward; and {low} and {high}, between which nearly all rewards lie. Another variant
enters the tournament by a line here. The first one is the default, which the others are compared with one by one.
"""

B_MS = {
    "B-MS": "kind: bms, patience: 40, commitment: 0{belief}",
    "B-MS commitment 1": "kind: bms, patience: 40{belief}",
    "B-MS forgetting": "kind: bms, patience: 40, forgetting: true{belief}",
    "B-MS endless": "kind: bms{belief}",
}

RIVALS = {
    "D3RB": "kind: d3rb, confidence: {noise}, dmin: {noise}",
    "ED2RB": "kind: ed2rb, confidence: {noise}, dmin: {noise}",
    "Balancing": "kind: balancing, coefficients: {noise}, confidence: {noise}",
    "Dynamic balancing": "kind: dynamic-balancing, coefficients: {noise}, confidence: {noise}",
    "CORRAL": "kind: corral, range: [{low}, {high}]",
    "Stochastic CORRAL": "kind: stochastic-corral, range: [{low}, {high}]",
    "EXP3.P": "kind: exp3p, range: [{low}, {high}]",
    "UCB selector": "kind: ucb, width: {noise}",
    "Greedy": "kind: greedy",
    "Uniform": "kind: uniform",
}

SELECTORS = {**B_MS, **RIVALS}
DEFAULT = next(iter(SELECTORS))
