"""Which of my rules is best? Six ways to put the question to a posse.

A shop has three rules that recommend an item to a visitor. The rules never learn. On average, 5, 7 and 9 visitors in a
hundred click on an item that the rule recommends. Below is a second question, about two rules that are both poor.
"""

import random
import statistics

import posse

VISITORS, RUNS = 8000, 20
RULES = {"old rule": 0.05, "bestsellers": 0.07, "new model": 0.09}  # the truth, which nobody knows
EACH = 100  # rule i recommends one of the items 100 i to 100 i + 99, at random

external = [{"kind": "external", "name": name} for name in RULES]
fixed = [{"kind": "fixed", "name": name, "arm": place} for place, name in enumerate(RULES)]
over_learners = {"kind": "ucb", "width": 0.25}  # as a selector; the width is about the standard deviation of a reward

WAYS = {
    "rules are arms, learner thompson": lambda run: posse.Posse(3, prior="beta", learners=["thompson"], run=run),
    "rules are arms and fixed learners": lambda run: posse.Posse(3, prior="beta", learners=fixed, run=run),
    "no arms, UCB over learners": lambda run: posse.Posse(selector=over_learners, learners=external, run=run),
    "no arms, ED2RB": lambda run: posse.Posse(selector="ed2rb", learners=external, run=run),
    "items are arms, B-MS+": lambda run: posse.Posse(3 * EACH, prior="beta", learners=external, run=run),
    "the same, thompson in the team": lambda run: posse.Posse(
        3 * EACH, prior="beta", learners=[*external, "thompson"], run=run
    ),
}


def recommend(p, run):
    """One run: how many clicks were lost against the best rule, and how often an item of that rule was shown."""
    chance, means = random.Random(run), list(RULES.values())
    lost, best = 0.0, 0
    for _ in range(VISITORS):
        d = p.decide()
        if p.arms == 3 * EACH and not d.untold:  # thompson, which picks an item itself
            rule, item = divmod(d.arm, EACH)
        else:
            rule, item = d.arm if p.arms == len(RULES) else d.learner, chance.randrange(EACH)
        if d.untold:
            p.acted(d, EACH * rule + item)
        rate = means[rule] * (0.5 + item / (EACH - 1))  # some items are better than others
        p.learn(d, chance.random() < rate)
        lost += max(means) - rate
        best += means[rule] == max(means)
    return lost, best / VISITORS


print(f"three rules, {3 * EACH} items, {VISITORS} visitors, mean of {RUNS} runs")
print(f"{'':35} clicks lost  the best rule's items shown")
for way, make in WAYS.items():
    lost, best = map(statistics.fmean, zip(*(recommend(make(run), run) for run in range(RUNS))))
    print(f"{way:35} {lost:11.0f}  {best:27.0%}")

# Four ads. One rule always shows ad 1, the other one ad 2. Ad 3 is better, as last year's visitors have shown.
MEANS = [0.1, 0.5, 0.6, 0.9]
PAIR = [{"kind": "fixed", "name": "rule 1", "arm": 1}, {"kind": "fixed", "name": "rule 2", "arm": 2}]
TIMES = [1000, 10_000, 100_000]

print("\ntwo rules of 0.5 and 0.6, and an ad of 0.9 that neither shows")
print(f"{'the better rule is chosen, after':35} " + "".join(f"{time:10}" for time in TIMES) + " visitors")
for name, how in {"B-MS+": {}, "UCB over learners": {"selector": "ucb"}}.items():
    p, chance, shares = posse.Posse(len(MEANS), prior="beta", learners=PAIR, **how), random.Random(1), ""
    for visitor in range(1000):
        p.teach(3, visitor % 10 > 0)
    for visitor in range(1, TIMES[-1] + 1):
        d = p.decide()
        p.learn(d, chance.random() < MEANS[d.arm])
        if visitor in TIMES:
            shares += f"{p.plays[1] / visitor:10.0%}"
    print(f"{name:35} {shares}")
