# SPDX-License-Identifier: MIT
"""The selectors that compete. Every problem is played by every selector of this table, in this order.

A selector is the text of its line in the experiment file. It may hold {belief}, what B-MS and B-MS+ believe of the
arms; {noise}, the standard deviation of a reward; and {low} and {high}, between which nearly all rewards lie. Each
problem adds whether its selectors share data. Another variant enters the tournament by a line here. The first one is
the default, which the others are compared with one by one.
"""

B_MS = {
    "B-MS+": "kind: bms-plus{belief}",
    "B-MS+ no budget": "kind: bms-plus, budget: 0{belief}",
    "B-MS+ commitment 1": "kind: bms-plus, commitment: 1{belief}",
    "B-MS+ forgetting": "kind: bms-plus, forgetting: true{belief}",
    "B-MS": "kind: bms{belief}",
}

RIVALS = {
    "D3RB": "kind: d3rb, confidence: {noise}, dmin: {noise}",
    "ED2RB": "kind: ed2rb, confidence: {noise}, dmin: {noise}",
    "BD3RB": "kind: bd3rb, best: {high}, confidence: {noise}, dmin: {noise}",
    "Perfect balancing": "kind: perfect-balancing, best: {high}, confidence: {noise}",
    "Balancing": "kind: balancing, coefficients: {noise}, confidence: {noise}",
    "Dynamic balancing": "kind: dynamic-balancing, coefficients: {noise}, confidence: {noise}",
    "CORRAL": "kind: corral, range: [{low}, {high}]",
    "Stochastic CORRAL": "kind: stochastic-corral, range: [{low}, {high}]",
    "EXP3.P": "kind: exp3p, range: [{low}, {high}]",
    "Thompson selector": "kind: thompson",
    "UCB selector": "kind: ucb, width: {noise}",
    "Greedy": "kind: greedy",
    "Uniform": "kind: uniform",
}

SELECTORS = {**B_MS, **RIVALS}
DEFAULT = next(iter(SELECTORS))
