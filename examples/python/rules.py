"""Which of my rules is best? Seven ways to put the question to a posse.

A shop has three rules that recommend one of a thousand items, each by what it sees of the visitor. The rules never
learn. On average, 5, 6 and 9 visitors in a hundred click on what the rule recommends. Below is a second question, about
two rules that are both poor.
"""

import random
import statistics

import posse

VISITORS, RUNS, ITEMS = 8000, 10, 1000
RULES = {"old rule": 0.05, "bestsellers": 0.06, "new model": 0.09}  # the truth, which nobody knows
UNSEEN = 0.04  # clicks on an item that was chosen without a look at the visitor

external = [{"kind": "external", "name": name} for name in RULES]
fixed = [{"kind": "fixed", "name": name, "arm": place} for place, name in enumerate(RULES)]
over_learners = {"kind": "ucb", "width": 0.25}  # as a selector; the width is about the standard deviation of a reward

WAYS = {
    "rules are learners, no arms": lambda run: posse.Posse(learners=external, run=run),
    "the same, UCB over learners": lambda run: posse.Posse(selector=over_learners, learners=external, run=run),
    "the same, ED2RB": lambda run: posse.Posse(selector="ed2rb", learners=external, run=run),
    "rules are arms, learner thompson": lambda run: posse.Posse(3, prior="beta", learners=["thompson"], run=run),
    "rules are arms and fixed learners": lambda run: posse.Posse(3, prior="beta", learners=fixed, run=run),
    "items are arms, B-MS+": lambda run: posse.Posse(ITEMS, prior="beta", learners=external, run=run),
    "the same, thompson in the team": lambda run: posse.Posse(
        ITEMS, prior="beta", learners=[*external, "thompson"], run=run
    ),
}


def recommend(p, run):
    """One run: how many clicks were lost against the best rule, and how often that rule recommended."""
    chance, means = random.Random(run), [*RULES.values(), UNSEEN]
    lost, best = 0.0, 0
    for _ in range(VISITORS):
        d = p.decide()
        rule = d.arm if p.arms == len(RULES) else d.learner  # learner 3 is thompson, which picks an item itself
        if d.untold:
            p.acted(d, chance.randrange(ITEMS))
        p.learn(d, chance.random() < means[rule])
        lost += max(means) - means[rule]
        best += means[rule] == max(means)
    return lost, best / VISITORS


print(f"three rules, {ITEMS} items, {VISITORS} visitors, mean of {RUNS} runs")
print(f"{'':35} clicks lost  the best rule recommends")
for way, make in WAYS.items():
    lost, best = map(statistics.fmean, zip(*(recommend(make(run), run) for run in range(RUNS))))
    print(f"{way:35} {lost:11.0f}  {best:24.0%}")

# Four ads. One rule always shows ad 1, the other one ad 2. Ad 3 is better, as last year's visitors have shown.
MEANS = [0.1, 0.5, 0.6, 0.9]
PAIR = [{"kind": "fixed", "name": "rule 1", "arm": 1}, {"kind": "fixed", "name": "rule 2", "arm": 2}]
TIMES = [2000, 10_000, 100_000]
HOW = {
    "B-MS+": {},
    "B-MS+ without a budget": {"selector": {"kind": "bms-plus", "budget": 0}},
    "Thompson sampling over learners": {"selector": "thompson"},
    "UCB over learners": {"selector": "ucb"},
}

print("\ntwo rules of 0.5 and 0.6, and an ad of 0.9 that neither shows")
print(f"{'the better rule is chosen, after':35} " + "".join(f"{time:10}" for time in TIMES) + " visitors")
for name, how in HOW.items():
    p, chance, shares = posse.Posse(len(MEANS), prior="beta", learners=PAIR, **how), random.Random(1), ""
    for visitor in range(1000):
        p.teach(3, visitor % 10 > 0)
    for visitor in range(1, TIMES[-1] + 1):
        d = p.decide()
        p.learn(d, chance.random() < MEANS[d.arm])
        if visitor in TIMES:
            shares += f"{p.plays[1] / visitor:10.0%}"
    print(f"{name:35} {shares}")
