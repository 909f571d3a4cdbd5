# SPDX-License-Identifier: MIT
"""Environments written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from posse.contexts import Context, numbers, reals, whole_numbers

if TYPE_CHECKING:
    from posse._posse import Draw


class Bandit:
    """The base of environments written in Python, for `posse.run`: define `arms`, `reward` and `means`, and `start` if
    an instance has something to draw.

    ::

        class Coins(posse.Bandit):
            arms = 5

            def start(self, draw):
                self.rates = [draw.beta(1, 1) for _ in range(self.arms)]

            def reward(self, arm, draw):
                return float(draw.uniform() < self.rates[arm])

            def means(self):
                return self.rates

    The environment of an experiment is an instance, the class, or a dict whose kind is the class. Its other keys are
    arguments of the class: ``{"kind": Coins, "arms": 7}``.

    The instance itself is never played. Every competitor plays a copy of it (`copy.deepcopy`) in every run. The copies
    of one run draw from the same streams, so that all competitors meet the same instance and the same noise. For that,
    take randomness from `draw` alone, and the same number of draws of the reward whatever arm is played.

    It has no prior, so selectors and learners that need a belief must have one: ``{"kind": "bms", "belief": "beta"}``.
    An exception stops the run and is raised by `posse.run`, unchanged. The experiment is played on one thread.
    """

    arms: int
    """How many arms there are, at least 1."""

    points: ArrayLike | None = None
    """The coordinates of the arms, an array, arms x dim. None: arms are independent, or rounds have features."""

    features: int = 0
    """How many features of its own each arm has in a round; 0: none. Then `round` must be defined."""

    context: int = 0
    """How many features all arms of a round share, instead of `features`; 0: none. Then `round` must be defined."""

    moves: bool = False
    """Whether mean rewards may change from round to round. They must change in `reward`, before it pays, by draws that
    do not depend on the arm. Regret is then that against the best arm of each round."""

    def start(self, draw: Draw) -> None:
        """Draws the instance of a run. Called once on each copy, before its first round. In experiments with several
        tasks it is called on a new copy for each of them.

        draw: a `posse.Draw`, valid during this call only."""

    def reward(self, arm: int, draw: Draw) -> float:
        """Plays an arm, 0 to arms - 1, and returns its reward."""
        raise NotImplementedError(f"{type(self).__name__} has to define reward(self, arm, draw)")

    def means(self) -> ArrayLike:
        """The mean reward of each arm, for regret. It is asked once after `start`, if `moves` is true also after each
        `reward`, and if rounds have features after each `round`. Then it is that of the present round, and may be
        anything for arms that are not available."""
        raise NotImplementedError(f"{type(self).__name__} has to define means(self)")

    def round(self, draw: Draw) -> ArrayLike | Context:
        """Draws the features of the next round, if rounds have features, and returns them: an array, arms x features, or
        of `context` numbers. If only some arms are available, it is a `posse.Context` with `arms`. Keep what `reward`
        and `means` need of it."""
        raise NotImplementedError(f"{type(self).__name__} has to define round(self, draw)")


def furnish(bandit: Any) -> tuple[int, Any, int, int, bool]:
    """The attributes of a bandit: the number of arms, their points as an array or None, features, context, moves."""
    name = type(bandit).__name__
    arms = _whole(bandit, "arms", 1)
    features, context = _whole(bandit, "features", 0), _whole(bandit, "context", 0)
    if features > 0 and context > 0:
        raise ValueError(f"{name} has features and context; arms of a bandit have their own features, or share them")
    points = bandit.points
    if points is not None:
        if features > 0 or context > 0:
            raise ValueError(f"{name} has points, and rounds with features")
        points = reals(points, f"{name}.points")
        if points.ndim != 2 or len(points) != arms or points.shape[1] == 0:
            raise ValueError(f"{name}.points must be an array, {arms} x dim, not {_sizes(points)}")
    return arms, points, features, context, bool(bandit.moves)


def numbers_of(bandit: Any, arms: int) -> Any:
    """The mean rewards of a bandit, as an array."""
    means = reals(bandit.means(), f"{type(bandit).__name__}.means()")
    if means.shape != (arms,):
        raise ValueError(f"{type(bandit).__name__}.means() returned {_sizes(means)} numbers; there are {arms} arms")
    return means


def round_of(bandit: Any, draw: Any, arms: int, features: int) -> tuple[Any, Any]:
    """A round: its available arms in ascending order, and the features of each, or those that all share (features 0)."""
    answer = bandit.round(draw)
    whole = isinstance(answer, Context)
    what = (answer.points if features > 0 else answer.shared) if whole else answer
    listed = answer.arms if whole else None
    values = np.ascontiguousarray(numbers(what, "points" if features > 0 else "shared"))
    count = len(listed) if listed is not None else arms
    wanted = (count, features) if features > 0 else (bandit.context,)
    if values.shape != wanted:
        sizes = " x ".join(map(str, wanted))
        raise ValueError(f"{type(bandit).__name__}.round() returned {_sizes(values)} features; {sizes} are needed")
    if listed is None:
        return np.arange(arms), values
    order = np.argsort(listed := whole_numbers(listed))
    return np.ascontiguousarray(listed[order]), np.ascontiguousarray(values[order]) if features > 0 else values


def _whole(bandit, name, least):
    value = getattr(bandit, name, None)
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and least <= value <= 1_000_000:
        return int(value)
    raise ValueError(f"{type(bandit).__name__}.{name} must be a whole number from {least} to 1000000, not {value!r:.80}")


def _sizes(array):
    return " x ".join(map(str, array.shape)) or "1"
