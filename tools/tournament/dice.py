# SPDX-License-Identifier: MIT
"""Random choices that are the same on every machine and in every version of Python.

Python guarantees only that seeding by a text and random() stay the same, so nothing else of random.Random is used.
"""
import random


class Dice:
    def __init__(self, seed):
        self.generator = random.Random(seed)

    def chance(self, probability):
        return self.generator.random() < probability

    def uniform(self, low, high):
        return low + (high - low) * self.generator.random()

    def log_uniform(self, low, high):
        return low * (high / low) ** self.generator.random()

    def whole(self, low, high):
        """A whole number from low to high, both included, log-uniform before it is rounded down."""
        return min(high, int(self.log_uniform(low, high + 1)))

    def index(self, count):
        return int(count * self.generator.random())

    def one_of(self, items):
        return items[self.index(len(items))]

    def shuffled(self, items):
        """The items in random order."""
        left = list(items)
        return [left.pop(self.index(len(left))) for _ in range(len(left))]

    def weighted(self, weights):
        """A key of the table {key: weight}."""
        place = self.uniform(0, sum(weights.values()))
        for key, weight in weights.items():
            place -= weight
            if place < 0:
                return key
        return key
