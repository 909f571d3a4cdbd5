# SPDX-License-Identifier: MIT
"""Plays from elsewhere that are taught to a posse on a server, many in one request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from posse.contexts import reals
from posse.errors import LearnerError, Problem, RewardError
from posse.rounds import refuse_entry, rounds

if TYPE_CHECKING:
    from typing import NoReturn

    from posse.served import ServedPosse

PLAYS = 10_000  # in one request


def plays(p: ServedPosse, arms: Any, rewards: list[float], contexts: Any) -> list[dict[str, Any]]:
    """The plays as JSON has them. ValueError: there are not as many of each."""
    if len(arms) != len(rewards):
        raise ValueError(f"{len(arms)} arms, and {len(rewards)} rewards")
    said = [{**played(arm), "reward": reward} for arm, reward in zip(arms, rewards, strict=True)]
    if contexts is None:
        return said
    return [{**play, **round_} for play, round_ in zip(said, rounds(p, contexts, played=arms), strict=True)]


def played(arm: Any) -> dict[str, Any]:
    """An arm, or a point of the ball, as JSON has it. SpecificationError: a coordinate is masked."""
    if isinstance(arm, str):
        return {"arm": str(arm)}
    return {"arm": int(arm)} if isinstance(arm, (int, np.integer)) else {"point": reals(arm, "point").tolist()}


def refuse(problem: Problem, first: int) -> NoReturn:
    """Raises the exception that Posse.teach_many would raise about a play."""
    found = re.fullmatch(r"plays\[(\d+)\]\.?(.*)", problem.path)
    if found is None:
        raise LearnerError(problem)
    i, part = first + int(found[1]), found[2]
    refuse_entry(problem, i, part)
    raise (RewardError if part == "reward" else LearnerError)(f"entry {i}: {problem.text}")
