"""Tuning a learning rate while the model is already at work.

Handwritten digits come in, ten at a time; a small neural network has to read them, and learns from them afterwards.
Which learning rate should it have? We keep one network per rate and can afford to run and train one of them per batch.
A posse decides which: the reward is the share of the ten that it read correctly, before it saw the answers.

Needs scikit-learn and matplotlib. Cells for a notebook begin with `# %%`; as a script it writes learning_rate.png.
"""

# %% The digits: 1797 of them, which come round eight times, in a new order each time.
import warnings

import matplotlib.pyplot as plt
import numpy as np
import posse
from matplotlib.ticker import PercentFormatter
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

BATCHES, SIZE = 1400, 10
RATES = [0.0001, 0.001, 0.01, 0.03, 0.1, 0.3, 1, 3]

images, labels = load_digits(return_X_y=True)
images = images / 16
order = np.random.default_rng(1)
stream = np.concatenate([order.permutation(len(images)) for _ in range(8)])
stream = stream[: BATCHES * SIZE].reshape(BATCHES, SIZE)


# %% A network with its rate. What it plays is itself: arm i of the posse is "ask network i".
class Network(posse.Learner):
    def __init__(self, arm):
        self.arm, self.name = arm, f"{RATES[arm]:g}"
        self.model = MLPClassifier((32,), solver="sgd", learning_rate_init=RATES[arm], momentum=0, random_state=1)
        self.model.partial_fit(images[:1], labels[:1], classes=range(10))

    def act(self, draw):
        return self.arm

    def learn(self, arm, reward):
        """The network has learned in `read` already."""

    def read(self, batch):
        """The share that it reads correctly; afterwards it learns from the answers."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # at too high a rate, numbers overflow
            right = self.model.score(images[batch], labels[batch])
            self.model.partial_fit(images[batch], labels[batch])
        return right


# %% What each would do alone: known only because we try them all, eight times the work.
alone = []
for arm in range(len(RATES)):
    network = Network(arm)
    alone.append([network.read(batch) for batch in stream])

# %% One posse. Any accuracy is as likely as any other to begin with; no other setting is needed.
p = posse.Posse(len(RATES), learners=[Network(arm) for arm in range(len(RATES))], prior="beta")
together, asked = [], []
for batch in stream:
    d = p.decide()
    right = p.learner(d.learner).read(batch)
    p.learn(d, right)
    together.append(right)
    asked.append(d.arm)

for rate, plays, right in zip(p.learners, p.plays, alone):
    print(f"rate {rate:6}  alone {np.mean(right):6.1%}   asked by B-MS+ {plays:4} times")
print(f"B-MS+        all  {np.mean(together):6.1%}   the last hundred {np.mean(together[-100:]):.1%}")


# %% The picture.
def smooth(right, window=50):
    """The share over the latest batches, at most `window` of them."""
    total = np.concatenate([[0], np.cumsum(right)])
    last = np.arange(1, len(right) + 1)
    first = np.maximum(last - window, 0)
    return (total[last] - total[first]) / (last - first)


figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), width_ratios=(3, 2), layout="constrained")
colours = plt.cm.viridis(np.linspace(0, 0.92, len(RATES)))
batches = np.arange(1, BATCHES + 1)
for name, curve, colour in zip(p.learners, alone, colours):
    left.plot(batches, smooth(curve), color=colour, linewidth=1.5, label=name)
left.plot(batches, smooth(together), color="black", linewidth=3, label="B-MS+ over all")
left.set(ylim=(0, 1), title="digits read correctly, latest 50 batches")
left.yaxis.set_major_formatter(PercentFormatter(1))
handles, names = left.get_legend_handles_labels()
best_first = np.argsort([-np.mean(curve) for curve in [*alone, together]])
left.legend([handles[i] for i in best_first], [names[i] for i in best_first], title="learning rate", frameon=False)

right.scatter(batches, asked, c=colours[asked], marker="|", s=150)
right.set_title("the learning rate that B-MS+ took")
right.set_yticks(range(len(RATES)), p.learners)
for axes in (left, right):
    axes.set(xscale="log", xlim=(0.9, BATCHES), xlabel="batch")
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("learning_rate.png", dpi=120)
