"""A learner of your own: softmax, which plays arm a with probability ~ exp(mean reward of a / temperature)."""

import numpy as np
import posse


class Softmax(posse.Learner):
    def __init__(self, temperature=0.1):
        self.temperature = temperature

    def start(self, arms):
        self.count, self.sum = np.zeros(len(arms)), np.zeros(len(arms))

    def act(self, draw):
        means = self.sum / np.maximum(self.count, 1)
        return draw.weighted(np.exp((means - means.max()) / self.temperature))

    def learn(self, arm, reward):
        self.count[arm] += 1
        self.sum[arm] += reward


r = posse.run(
    {
        "name": "softmax",
        "title": "Softmax beside UCB, five coins",
        "rounds": 1000,
        "runs": 20,
        "seed": 1,
        "environment": {"kind": "bernoulli", "arms": 5},
        "learners": [
            {"name": "cold", "kind": Softmax, "temperature": 0.05},
            {"name": "hot", "kind": Softmax, "temperature": 1},
            {"name": "ucb", "kind": "ucb", "width": 0.3},
        ],
        "selectors": [{"name": "B-MS", "kind": "bms"}],
    }
)
print(r)
