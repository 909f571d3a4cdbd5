# SPDX-License-Identifier: MIT
"""Geometric means of ratios over problems, with 95% intervals.

Problems are drawn with replacement, the same ones for all selectors, and the middle 95% of the means are taken. The
draws depend on the number of problems alone, so that the same results always have the same intervals.
"""
import math

from dice import Dice

RESAMPLES = 2000
FEWEST = 5  # problems for an interval; fewer have a mean only


class Bootstrap:
    def __init__(self, count):
        dice = Dice(f"bootstrap of {count}")
        resamples = RESAMPLES if count >= FEWEST else 0
        self.draws = [[dice.index(count) for _ in range(count)] for _ in range(resamples)]

    def geometric_mean(self, ratios):
        """The mean and the two ends of its interval, which are None for few problems."""
        logarithms = [math.log(ratio) for ratio in ratios]
        count = len(logarithms)
        mean = math.exp(math.fsum(logarithms) / count)
        if not self.draws:
            return mean, None, None
        means = [sum(map(logarithms.__getitem__, draw)) / count for draw in self.draws]
        return mean, math.exp(quantile(means, 0.025)), math.exp(quantile(means, 0.975))


def quantile(values, share):
    """Between neighbours by linear interpolation."""
    values = sorted(values)
    place = share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])
