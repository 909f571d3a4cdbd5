"""Do the rewards contradict the prior? A selector that watches its belief can detect it.

Five arms, means drawn from N(0, 1), rewards with noise 1. Three posses believe different things: the truth, a prior ten
times too narrow, and noise three times too small. Each watches its belief in 100 runs of 500 rounds.

Needs matplotlib. As a script it writes surprise.png.
"""

import math

import matplotlib.pyplot as plt
import numpy as np
import posse

ARMS, ROUNDS, RUNS = 5, 500, 100
BELIEFS = {"right": {}, "prior sd / 10": {"sd": 0.1}, "noise / 3": {"noise": 1 / 3}}

chance = np.random.default_rng(1)
surprise = {name: np.empty((RUNS, ROUNDS)) for name in BELIEFS}
for run in range(RUNS):
    means, noise = chance.normal(size=ARMS), chance.normal(size=ROUNDS)
    for name, options in BELIEFS.items():
        selector = {"kind": "bms-plus", "watch": True}
        p = posse.Posse(ARMS, selector, ["ucb", "thompson"], prior={"kind": "gaussian", **options}, run=run)
        for t in range(ROUNDS):
            d = p.decide()
            p.learn(d, means[d.arm] + noise[t])
            surprise[name][run, t] = p.surprise

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for name, runs in surprise.items():
    middle = axes.plot(np.median(runs, axis=0), label=name)[0]
    low, high = np.quantile(runs, [0.05, 0.95], axis=0)
    axes.fill_between(range(ROUNDS), low, high, alpha=0.2, color=middle.get_color())
axes.axhline(math.log(20), color="black", linewidth=1, linestyle="--", label="log 20: 1 in 20 at most, if right")
axes.set_yscale("symlog", linthresh=5)
axes.set_xlabel("round")
axes.set_ylabel("surprise (log Bayes factor)")
axes.legend(title="belief: median, and 90% of 100 runs")
figure.savefig("surprise.png", dpi=110, metadata={"Software": None})

for name, runs in surprise.items():
    print(f"{name:14} ends above log 20 in {np.mean(runs[:, -1] > math.log(20)):.0%} of the runs")
