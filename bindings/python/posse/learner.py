# SPDX-License-Identifier: MIT
"""Learners written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from posse._posse import Draw
    from posse.contexts import Round


class Arms:
    """The arms of a learner. len() is their number, 0 on the continuous ball."""

    dim: int
    """The dimension of their space; 0: independent arms."""

    points: NDArray[np.float64] | None
    """Their coordinates, an array, len x dim; None for independent arms and for the ball."""

    features: int
    """How many features an arm has in a round; 0: rounds have none."""

    def __init__(self, count: int, dim: int, points: NDArray[np.float64] | None, features: int = 0):
        self._count = count
        self.dim = dim
        self.points = points
        self.features = features

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        if self.features > 0:
            return f"<posse.Arms: {self._count}, with {self.features} features in every round>"
        if self.dim == 0:
            return f"<posse.Arms: {self._count}, independent>"
        what = f"{self._count} points" if self._count > 0 else "the unit ball"
        return f"<posse.Arms: {what} in {self.dim} dimensions>"


class Learner:
    """The base of learners written in Python: define `act` and `learn`, and `start` if there is something to set up.

    ::

        class Greedy(posse.Learner):
            def __init__(self, epsilon=0.1):
                self.epsilon = epsilon

            def start(self, arms):
                self.count, self.sum = np.zeros(len(arms)), np.zeros(len(arms))

            def act(self, draw):
                if draw.uniform() < self.epsilon:
                    return draw.index(len(self.count))
                return int(np.argmax(self.sum / np.maximum(self.count, 1)))

            def learn(self, arm, reward):
                self.count[arm] += 1
                self.sum[arm] += reward

    An instance may be in a list of learners, like a dict: ``learners=[Greedy(0.05), {"kind": "ucb"}]``. A dict whose
    kind is the class works too. Its other keys are arguments of the class:
    ``{"kind": Greedy, "name": "g", "epsilon": 0.05}``.

    A class alone, ``learners=[Greedy]``, stands for its instance without arguments. `name`, an attribute of the class
    or of the instance, is the learner's name in tables, in claims and in the seed of its randomness, unless the dict
    has a name. None: the name of the class. `unit_rewards = True` means that it can only learn from rewards in [0, 1].

    The instance itself never plays. A posse plays a copy of it (`copy.deepcopy`), and so does every run of an
    experiment, so that all runs start in the same state. A saved or pickled posse holds the pickle of its copy, so the
    class must be one that `pickle` finds again.

    If rounds have features, `act_in` and `learn_in` are called instead. If a learner does not define them, they call
    `act` and `learn` without the features.

    Take randomness from `draw` alone; then the results repeat. An exception stops the run, or is raised by `decide` and
    `learn` of the posse, unchanged.
    """

    name: str | None = None
    """Its name in tables, claims and the seed of its randomness. None: the name of the class."""

    unit_rewards: bool = False
    """Whether it can only learn from rewards in [0, 1]."""

    def start(self, arms: Arms) -> None:
        """Called once on each copy, before its first round. arms: a `posse.Arms`."""

    def act(self, draw: Draw) -> int | Sequence[float] | NDArray[np.float64]:
        """Picks an arm, 0 to len(arms) - 1; on the continuous ball, a point: a sequence of dim numbers.

        draw: a `posse.Draw`, valid during this call only."""
        raise NotImplementedError(f"{type(self).__name__} has to define act(self, draw)")

    def learn(self, arm: Any, reward: float) -> None:
        """Learns from one reward. If data is shared, this may be the reward of an arm that the learner did not pick. On
        the ball `arm` is the point, an array."""
        raise NotImplementedError(f"{type(self).__name__} has to define learn(self, arm, reward)")

    def act_in(self, draw: Draw, round: Round) -> int:
        """Picks one of `round.arms`, if rounds have features. Row k of `round.features` has the features of the k-th of
        them. The learner may keep the arrays."""
        return self.act(draw)  # type: ignore[return-value]

    def learn_in(self, arm: int, features: NDArray[np.float64], reward: float) -> None:
        """Learns from one reward of an arm that had these features. If data is shared, the learner may not have picked
        the arm."""
        self.learn(arm, reward)
