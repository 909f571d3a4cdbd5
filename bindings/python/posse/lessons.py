# SPDX-License-Identifier: MIT
"""Plays from elsewhere that are taught to a posse on a server, many in one request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from posse.contexts import Context, are_named, reals, refuse_at
from posse.errors import ContextError, LearnerError, Problem, RewardError

if TYPE_CHECKING:
    from typing import NoReturn

    from posse.served import ServedPosse

PLAYS, BYTES = 10_000, 900_000  # in one request


def plays(p: ServedPosse, arms: Any, rewards: list[float], contexts: Any) -> list[dict[str, Any]]:
    """The plays as JSON has them. ValueError: there are not as many of each."""
    if len(arms) != len(rewards):
        raise ValueError(f"{len(arms)} arms, and {len(rewards)} rewards")
    said = [{**played(arm), "reward": reward} for arm, reward in zip(arms, rewards, strict=True)]
    if contexts is None:
        return said
    rounds = list(_rounds(p, contexts, arms))
    if len(rounds) != len(said):
        raise ValueError(f"{len(rewards)} rewards, and {len(rounds)} contexts")
    for i, context in enumerate(rounds):
        try:
            round_ = p._context(context, None, None, None)
        except ContextError as error:
            refuse_at(f"contexts[{i}]{error.problem.path.removeprefix('context')}", error.problem.text)
        said[i].update({} if round_ is None else round_ if "context" in round_ else {"context": round_})
    return said


def played(arm: Any) -> dict[str, Any]:
    """An arm, or a point of the ball, as JSON has it. SpecificationError: a coordinate is masked."""
    if isinstance(arm, str):
        return {"arm": str(arm)}
    return {"arm": int(arm)} if isinstance(arm, (int, np.integer)) else {"point": reals(arm, "point").tolist()}


def _rounds(p: ServedPosse, contexts: Any, arms: Any) -> Iterator[Any]:
    """The context of each play, in every form that Posse.teach_many takes."""
    if hasattr(contexts, "columns") and hasattr(contexts, "iloc"):
        if p._gives_names({}):
            names, columns = list(contexts.columns), [contexts.iloc[:, k].tolist() for k in range(contexts.shape[1])]
            yield from (dict(zip(names, (cells[i] for cells in columns), strict=True)) for i in range(len(contexts)))
            return
        contexts = np.asarray(contexts)
    points, shared, listed = contexts if isinstance(contexts, Context) else (*_parts(p, contexts), None)
    if points is None and listed is None:
        yield from _rows(shared)
        return
    count = len(points) if points is not None else len(arms)
    alone = points is not None and p.features > p.shared_features and np.ndim(points) == 2
    for i, (own, common) in enumerate(zip(_rows(points, count), _rows(shared, count), strict=True)):
        yield Context([own], common, [arms[i]]) if alone else Context(own, common, listed)


def _parts(p: ServedPosse, contexts: Any) -> tuple[Any, Any]:
    """The points and the shared features of all rounds. Dicts and Contexts are rounds by themselves."""
    first = contexts[0] if isinstance(contexts, (list, tuple)) and len(contexts) > 0 else None
    by_round = isinstance(first, Context) or (are_named(first) and p._gives_names({}))
    return (None, contexts) if by_round else p._meant(contexts)


def _rows(values: Any, count: int = 0) -> Any:
    if values is None:
        return [None] * count
    return (values[i] for i in range(values.shape[0])) if hasattr(values, "tocsr") else values


def pieces(said: list[dict[str, Any]], first: int = 0) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The plays in as few requests as their size allows, each with the place of its first play."""
    if len(said) > PLAYS or (len(said) > 1 and len(json.dumps(said)) > BYTES):
        half = len(said) // 2
        yield from pieces(said[:half], first)
        yield from pieces(said[half:], first + half)
    elif said:
        yield first, said


def most(problem: Problem) -> int:
    """How many plays the posse takes at a time, if there were too many; 0: the problem is another one."""
    found = re.search(r"at most (\d+) at a time", problem.text)
    return int(found[1]) if found is not None and problem.path == "plays" else 0


def refuse(problem: Problem, first: int) -> NoReturn:
    """Raises the exception that Posse.teach_many would raise about a play."""
    found = re.fullmatch(r"plays\[(\d+)\]\.?(.*)", problem.path)
    if found is None:
        raise LearnerError(problem)
    i, part = first + int(found[1]), found[2]
    if part.startswith("context"):
        refuse_at(f"contexts[{i}]{part.removeprefix('context')}", problem.text)
    if part.startswith(("arms.", "arms[")):
        refuse_at(f"contexts[{i}].{part}", problem.text)
    raise (RewardError if part == "reward" else LearnerError)(f"entry {i}: {problem.text}")
