"""Choosing the step size of a reinforcement learner, while it learns.

An agent crosses a frozen lake by Q-learning. Which step size should it have? We keep one agent for each step size. One
agent walks in each episode, and only that agent learns. In the posse the agents are `external` learners.
Two ways to choose among them:

- ED2RB sees rewards alone. There are no arms. It assumes only that the regret of a learner grows slowly.
- B-MS+ needs a belief about arms. So "let agent i walk" is arm i. The belief is that every mean return is equally
  likely, and that it stays constant. The second part is wrong, because agents learn.

Needs matplotlib. As a script it writes step_size.png.
"""

import random

import matplotlib.pyplot as plt
import numpy as np
import posse

STEP_SIZES = [0.01, 0.03, 0.1, 0.3, 1]
EPISODES, RUNS = 2000, 20

# The lake: from the upper left to the goal, g, around the holes, x. The ice is slippery: every fifth move is random.
LAKE = ["....", ".x.x", "...x", "x..g"]
MOVES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DISCOUNT = 0.95


class Agent:
    def __init__(self, step_size, seed):
        self.step_size, self.chance = step_size, random.Random(seed).random
        self.values = {(row, column): [1.0] * 4 for row in range(4) for column in range(4)}

    def pick(self, values):
        """The best move, now and then any one."""
        return int(4 * self.chance()) if self.chance() < 0.05 else values.index(max(values))

    def walk(self):
        """One episode, by Q-learning. Its discounted return is 0 in a hole, nearly 1 for a short way to the goal."""
        row = column = 0
        for moves in range(100):
            values = self.values[row, column]
            move = self.pick(values)
            down, right = MOVES[int(4 * self.chance()) if self.chance() < 0.2 else move]
            row, column = min(max(row + down, 0), 3), min(max(column + right, 0), 3)
            place = LAKE[row][column]
            ahead = float(place == "g") if place in "gx" else DISCOUNT * max(self.values[row, column])
            values[move] += self.step_size * (ahead - values[move])
            if place in "gx":
                return ahead * DISCOUNT**moves
        return 0.0


def agents(run):
    return [Agent(step_size, f"{run} {step_size}") for step_size in STEP_SIZES]


def choose(p, run):
    """One run of a posse over new agents: returns, and the agent that walked in each episode."""
    team, returns, walkers = agents(run), [], []
    for _ in range(EPISODES):
        d = p.decide()
        if p.arms:
            p.acted(d, d.learner)
        returns.append(team[d.learner].walk())
        p.learn(d, returns[-1])
        walkers.append(d.learner)
    return returns, walkers


EXTERNAL = [{"kind": "external", "name": f"{step_size:g}"} for step_size in STEP_SIZES]


def ed2rb(run):
    # confidence: about the standard deviation of a return
    return posse.Posse(selector={"kind": "ed2rb", "confidence": 0.3, "dmin": 0.1}, learners=EXTERNAL, run=run)


def bms_plus(run):
    return posse.Posse(len(STEP_SIZES), learners=EXTERNAL, prior="beta", run=run)


alone = np.array([[[a.walk() for _ in range(EPISODES)] for a in agents(run)] for run in range(RUNS)])
curves = {name: alone[:, i] for i, name in enumerate(e["name"] for e in EXTERNAL)}
walked = {}
for name, made in {"ED2RB": ed2rb, "B-MS+": bms_plus}.items():
    returns, walkers = zip(*(choose(made(run), run) for run in range(RUNS)))
    curves[name], walked[name] = np.array(returns), np.array(walkers)

print(f"return of an episode, mean of {RUNS} runs: all episodes, and the last 500")
for name, returns in curves.items():
    means = returns.mean(axis=1)
    error = 1.96 * means.std(ddof=1) / RUNS**0.5
    shares = np.bincount(walked[name].ravel(), minlength=5) / walked[name].size if name in walked else []
    chosen = "   walked: " + " ".join(f"{share:4.0%}" for share in shares) if name in walked else ""
    print(f"{name:5}  {means.mean():.3f} +- {error:.3f}  {returns[:, -500:].mean():.3f}{chosen}")

# The picture.
figure, axes = plt.subplots(1, 3, figsize=(12, 4), width_ratios=(2, 1, 1), layout="constrained")
colours = plt.cm.viridis(np.linspace(0, 0.92, len(STEP_SIZES)))
styles = [{"color": c, "linewidth": 1.5} for c in colours]
styles += [{"color": "black", "linewidth": 3, "linestyle": "--"}, {"color": "black", "linewidth": 3}]
window = 50
blocks = np.arange(window, EPISODES + 1, window)
for (name, returns), style in zip(curves.items(), styles):
    axes[0].plot(blocks, returns.mean(axis=0).reshape(-1, window).mean(axis=1), label=name, **style)
axes[0].set(title="return, mean of 50 episodes", xlabel="episode", xlim=(0, EPISODES), ylim=(0, None))
axes[0].legend(title="step size", ncols=2, frameon=False, loc="lower right")
for axis, (name, walkers) in zip(axes[1:], walked.items()):
    shares = [(walkers == i).mean(axis=0).reshape(-1, window).mean(axis=1) for i in range(len(STEP_SIZES))]
    axis.stackplot(blocks, shares, colors=colours)
    axis.set(title=f"share of episodes: {name}", xlabel="episode", xlim=(window, EPISODES), ylim=(0, 1))
    axis.yaxis.set_major_formatter("{x:.0%}")
for axis in axes:
    axis.spines[["top", "right"]].set_visible(False)
figure.savefig("step_size.png", dpi=110, metadata={"Software": None})
