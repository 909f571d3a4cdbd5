# SPDX-License-Identifier: MIT
"""Logs of contextual bandits in Vowpal Wabbit's text format."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from posse import _posse
from posse.contexts import Context, numbers, whole_numbers
from posse.errors import ContextError, Problem, SpecificationError

# Limits of the library: the largest feature, since squares of larger ones drown the noise, and the most arms.
LARGEST = 1e6
ARMS = 1_000_000


class LoggedRound(NamedTuple):
    """A round of a log: its context, the arm that was played, and the reward."""

    context: Context
    """The features, and the available arms."""

    arm: int
    """The arm that was played."""

    reward: float
    """Minus the cost in the file."""

    probability: float
    """The probability with which the arm was played, in (0, 1]."""


class Log(list[LoggedRound]):
    """The rounds of a log, and the sizes that a posse needs to learn from it: ``Posse(log.arms, dim=log.dim,
    context=log.context)``."""

    arms: int
    """The number of all arms, over all rounds."""

    dim: int
    """How many features each arm has in a round; 0: all arms share them."""

    context: int
    """How many features all arms share."""

    def __init__(self, rounds: Iterable[LoggedRound], *, arms: int, dim: int, context: int):
        super().__init__(rounds)
        self.arms, self.dim, self.context = arms, dim, context


def read_vw(path: str | os.PathLike[str]) -> Log:
    """Reads a log in Vowpal Wabbit's text format. If it has a line for each action (--cb_adf), the arms are the lines,
    counted from 0, and shared features are added to those of each arm. If it has a line for each event (--cb), action 1
    is arm 0. Features are numbered in the order in which they first appear. The reward is minus the cost.

    SpecificationError: the file is wrong, at a line and a column. OSError: it cannot be read."""
    answer = _posse._read_vw(pathlib.Path(path).read_bytes())
    if len(answer) == 3:
        line, column, text = answer
        raise SpecificationError(Problem(text, file=os.fsdecode(path), line=line, column=column))
    arms, dim, context, rounds = answer
    return Log((LoggedRound(*row) for row in rounds), arms=arms, dim=dim, context=context)


def write_vw(path: str | os.PathLike[str], rounds: Iterable[LoggedRound | tuple[Context, int, float, float]]) -> None:
    """Writes rounds (context, arm, reward, probability) in that format. `read_vw` returns the same rounds, to the last
    bit, except that shared features become features of each arm if arms have features of their own. A decision's
    `propensity` is its probability. If arms have features of their own, an event has a line for each arm. The arms of a
    round must then be the first ones, because the format does not hold their numbers.

    SpecificationError: a round is wrong, like ``rounds[3].arm``, or the format cannot hold it. OSError: the file cannot
    be written; an existing file is left as it is."""
    known = [_round(number, *row) for number, row in enumerate(rounds)]
    if not known:
        raise SpecificationError(Problem("there is none", path="rounds"))
    dim, context = (0 if known[0][part] is None else known[0][part].shape[-1] for part in (0, 1))
    for number, row in enumerate(known):
        if [0 if part is None else part.shape[-1] for part in row[:2]] != [dim, context]:
            _refuse(number, "context", "must have as many features as the first")
    arms = max(getattr(rounds, "arms", 0), *(1 + max(arm, -1 if arms is None else int(arms[-1])) for *_, arms, arm, _, _ in known))
    wrong = _posse._write_vw(path, arms, dim, context, known)
    if wrong is not None:
        _refuse(wrong[0], "context", wrong[1])


def _round(number, context, arm, reward, probability):
    """A round as the module takes it: its arrays, with arms in ascending order, the arm, the reward and the
    probability."""
    try:
        points = None if context.points is None else numbers(context.points, "points")
        shared = None if context.shared is None else numbers(context.shared, "shared")
        arms = None if context.arms is None else whole_numbers(context.arms)
    except ContextError as error:
        _refuse(number, error.problem.path, error.problem.text)
    if points is None and shared is None:
        _refuse(number, "context", "has no features")
    for part, name, axes in ((points, "points", 2), (shared, "shared", 1)):
        if part is not None and (part.ndim != axes or part.size == 0):
            _refuse(number, f"context.{name}", "must be an array, arms x features" if axes == 2 else "must be a vector")
        if part is not None and not np.all(np.abs(part) <= LARGEST):
            _refuse(number, f"context.{name}", f"features must be finite and at most {LARGEST:g}")
    if points is not None and arms is None:
        arms = np.arange(len(points))
    if arms is not None:
        points, arms = _in_order(number, points, arms)
    if arm not in arms if arms is not None else not 0 <= arm < ARMS:
        _refuse(number, "arm", f"arm {arm} is not there in this round")
    if not np.isfinite(reward):
        _refuse(number, "reward", f"{reward} is no reward; it must be finite")
    if not 0 < probability <= 1:
        _refuse(number, "probability", f"{probability} is none; it must be above 0 and at most 1")
    return points, shared, arms, int(arm), float(reward), float(probability)


def _in_order(number, points, arms):
    """The arms in ascending order, and the rows of points with them."""
    if arms.ndim != 1 or len(arms) == 0 or (points is not None and len(points) != len(arms)):
        _refuse(number, "context.arms", "must be a list, with an entry for each row of points")
    order = np.argsort(arms, kind="stable")
    arms = arms[order]
    if arms[0] < 0 or arms[-1] >= ARMS or np.any(np.diff(arms) == 0):
        _refuse(number, "context.arms", f"must be whole numbers from 0 to {ARMS - 1}, each once")
    return points if points is None else np.ascontiguousarray(points[order]), arms


def _refuse(number, place, text):
    raise SpecificationError(Problem(text, path=f"rounds[{number}].{place}"))
