"""A news page with visitors of different tastes. Which features matter, and how much should a learner explore?

Eight articles are on the page at a time. After every 50 visitors a new article replaces the oldest one. Features of an
article depend on the visitor: whether the topic is to their taste, how long the text is if they read on a telephone.
Six learners differ in the features that they look at, and in how boldly they explore. Each plays alone; then B-MS+, the
default selector, chooses among all six.

Needs matplotlib. As a script it writes contexts.png.
"""

import matplotlib.pyplot as plt
import numpy as np
import posse

VISITORS, RUNS = 3000, 10
ARTICLES = 8 + VISITORS // 50  # in all
TOPICS = 4

# What a learner can look at: numbers of an article, for a visitor.
FEATURES = ["one", "taste", "fresh", "length", "length on a telephone", "film", "film on a telephone"]
# The truth, which nobody knows: log odds of a click.
WEIGHTS = np.array([-3.0, 3.0, 1.0, 0.0, -2.0, 0.5, -1.0])

LEARNERS = [
    {"name": "all, bold", "kind": "linear-ucb", "width": 0.1},
    {"name": "all, cautious", "kind": "linear-ucb", "width": 2},
    {"name": "all, logistic", "kind": "logistic-thompson"},
    {"name": "taste", "kind": "linear-ucb", "width": 0.1, "features": [0, 1]},
    {"name": "fresh", "kind": "linear-ucb", "width": 0.1, "features": [0, 2]},
    {"name": "popular", "kind": "ucb", "width": 0.1},  # no features: which articles are clicked
]


def visits(run):
    """The visitors of a run, each with the articles on the page, their features and their click rates."""
    chance = np.random.default_rng(run)
    topic, length = chance.integers(TOPICS, size=ARTICLES), chance.random(ARTICLES)
    film = chance.integers(2, size=ARTICLES)
    for visitor in range(VISITORS):
        arms = visitor // 50 + np.arange(8)
        taste, telephone = chance.dirichlet(np.full(TOPICS, 0.5)), chance.integers(2)
        fresh = np.linspace(0, 1, 8)
        columns = np.ones(8), taste[topic[arms]], fresh, length[arms], telephone * length[arms], film[arms]
        points = np.stack([*columns, telephone * film[arms]], axis=1)
        yield posse.Context(points=points, arms=arms), 1 / (1 + np.exp(-points @ WEIGHTS)), chance.random()


def play(p, page):
    """One run: the regret of each decision, and the learner that made it."""
    regret, learners = [], []
    for context, rates, luck in page:
        d = p.decide(context)
        rate = rates[d.arm - context.arms[0]]
        p.learn(d, luck < rate)  # in an application later, by d.id; 0 for a visitor who does not click
        regret.append(rates.max() - rate)
        learners.append(d.learner)
    return regret, learners


def team(learners, run, **how):
    return posse.Posse(ARTICLES, learners=learners, dim=len(FEATURES), prior="logistic", run=run, **how)


curves, chosen = {}, []
pages = [list(visits(run)) for run in range(RUNS)]
for learner in LEARNERS:
    runs = [play(team([learner], run, selector=None), page)[0] for run, page in enumerate(pages)]
    curves[learner["name"]] = np.cumsum(runs, axis=1)
together = [play(team(LEARNERS, run), page) for run, page in enumerate(pages)]
curves["B-MS+"] = np.cumsum([regret for regret, _ in together], axis=1)
chosen = np.array([learners for _, learners in together])

best = np.mean([sum(rates.max() for _, rates, _ in page) for page in pages])
print(f"clicks lost, of {best:.0f} that the best articles would have had ({VISITORS} visitors, mean of {RUNS} runs)")
for place, (name, curve) in enumerate(curves.items()):
    final = curve[:, -1]
    share = f"  chosen {(chosen == place).mean():4.0%}" if place < len(LEARNERS) else ""
    print(f"{name:14} {final.mean():5.0f} +- {1.96 * final.std(ddof=1) / RUNS**0.5:2.0f}{share}")

# The picture.
figure, axes = plt.subplots(1, 2, figsize=(10, 4), width_ratios=(3, 2), layout="constrained")
colours = plt.cm.viridis(np.linspace(0, 0.92, len(LEARNERS)))
x = np.arange(1, VISITORS + 1)
for name, colour in zip(curves, [*colours, "black"]):
    width = 3 if name == "B-MS+" else 1.5
    axes[0].plot(x, curves[name].mean(axis=0), color=colour, linewidth=width, label=name)
axes[0].set(title="clicks lost against the best article for each", xlabel="visitor", xlim=(0, VISITORS))
axes[0].set(yscale="log", ylim=(2, 2000))
axes[0].yaxis.set_major_formatter("{x:.0f}")
axes[0].legend(frameon=False, ncols=2, loc="upper left")
blocks = np.arange(50, VISITORS + 1, 50)
shares = [(chosen == place).mean(axis=0).reshape(-1, 50).mean(axis=1) for place in range(len(LEARNERS))]
axes[1].stackplot(blocks, shares, colors=colours)
axes[1].set(title="share of each learner in B-MS+", xlabel="visitor", xlim=(50, VISITORS), ylim=(0, 1))
axes[1].yaxis.set_major_formatter("{x:.0%}")
for axis in axes:
    axis.spines[["top", "right"]].set_visible(False)
figure.savefig("contexts.png", dpi=110, metadata={"Software": None})
