# SPDX-License-Identifier: MIT
"""Many rounds for a posse on a server: each as JSON has it, many in one request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posse.contexts import Context, are_named, not_finite, refuse, refuse_at
from posse.errors import ContextError, Problem

if TYPE_CHECKING:
    from typing import NoReturn

    from posse.served import ServedPosse

BYTES = 900_000  # in one request
ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def rounds(p: ServedPosse, contexts: Any, played: Any = None, available: Any = None) -> list[dict[str, Any]]:
    """The rounds of contexts in every form that Posse.decide_many takes, and with `played`, the arm of each round, in
    every form that Posse.teach_many takes. available: the arms of all rounds. ContextError."""
    if type(contexts) is np.ndarray and available is None and 0 < p.shared_features == p.features:
        return [{"context": {"shared": row}} for row in _plain(contexts)]
    said = []
    for i, context in enumerate(_contexts(p, contexts, played, available)):
        try:
            round_ = p._context(context, None, None, None)
        except ContextError as error:
            refuse_at(f"contexts[{i}]{error.problem.path.removeprefix('context')}", error.problem.text)
        said.append({} if round_ is None else round_ if "context" in round_ else {"context": round_})
    return said


def _contexts(p: ServedPosse, contexts: Any, played: Any, available: Any) -> Iterator[Any]:
    if hasattr(contexts, "columns") and hasattr(contexts, "iloc"):
        if p._gives_names({}):
            names, columns = list(contexts.columns), [contexts.iloc[:, k].tolist() for k in range(contexts.shape[1])]
            rows = (dict(zip(names, (cells[i] for cells in columns), strict=True)) for i in range(len(contexts)))
            yield from (_among(row, available, i) for i, row in enumerate(rows))
            return
        contexts = np.asarray(contexts)
    points, shared, arms = contexts if isinstance(contexts, Context) else (*_parts(p, contexts), None)
    if arms is not None and available is not None:
        raise TypeError("arms are given in the context, or by name, and not twice")
    arms = available if arms is None else arms
    if points is None and not hasattr(shared, "__len__"):
        raise TypeError("contexts are an array for all rounds, or a number of decisions")
    if points is None and not (isinstance(contexts, Context) and arms is not None):
        yield from (_among(row, arms, i) for i, row in enumerate(_rows(shared)))
        return
    alone = points is not None and p.features > p.shared_features and np.ndim(points) == 2
    if alone and played is None:
        refuse("points", f"must be an array, rounds x arms x {p.features - p.shared_features}")
    count = np.shape(points if points is not None else shared)[0]
    for i, (own, common) in enumerate(zip(_rows(points, count), _rows(shared, count), strict=True)):
        yield Context([own], common, [played[i]]) if alone else Context(own, common, arms)


def _plain(array: NDArray[Any]) -> list[list[float]]:
    """The shared features of all rounds, converted at once."""
    if array.ndim != 2:
        refuse("shared", "must be an array, rounds x features")
    if (at := not_finite(array)) is not None:
        refuse_at(f"contexts[{at[0]}].shared[{at[1]}]", f"{array[at]} is no feature; they must be finite")
    return array.tolist()


def _among(context: Any, arms: Any, i: int) -> Any:
    """A context with the available arms of all rounds."""
    if arms is None:
        return context
    if not isinstance(context, Context):
        return Context(shared=context, arms=arms)
    if context.arms is not None:
        refuse_at(f"contexts[{i}]", "features by name have no points, and arms are given once")
    return context._replace(arms=arms)


def _parts(p: ServedPosse, contexts: Any) -> tuple[Any, Any]:
    """The points and the shared features of all rounds. Dicts and Contexts are rounds by themselves."""
    first = contexts[0] if isinstance(contexts, (list, tuple)) and len(contexts) > 0 else None
    by_round = isinstance(first, Context) or (are_named(first) and p._gives_names({}))
    return (None, contexts) if by_round else p._meant(contexts)


def _rows(values: Any, count: int = 0) -> Any:
    if values is None:
        return [None] * count
    return (values[i] for i in range(values.shape[0])) if hasattr(values, "tocsr") else values


def texts(said: list[dict[str, Any]]) -> list[str]:
    """Entries as text."""
    return [ENCODE(one) for one in said]


def pieces(entries: list[str], most: int) -> Iterator[tuple[int, list[str]]]:
    """Entries in as few requests as their size allows, of at most `most`, each with the place of its first one."""
    first = size = 0
    for i, entry in enumerate(entries):
        if i > first and (i - first == most or size + len(entry) > BYTES):
            yield first, entries[first:i]
            first, size = i, 0
        size += len(entry) + 1
    if entries:
        yield first, entries[first:]


def fewer(problem: Problem, count: int) -> int:
    """How many of `count` entries to send in a request, if these were too many; 0: the problem is another one."""
    if problem.path not in ("plays", "rounds", ""):
        return 0
    found = re.search(r"at most (\d+) (?:at a time|in a request)", problem.text)
    most = int(found[1]) if found is not None else count // 2 if "too long" in problem.text else 0
    return most if most < count else 0


def refuse_round(problem: Problem, first: int) -> NoReturn:
    """Raises the exception that Posse.decide_many would raise about a round."""
    found = re.fullmatch(r"rounds\[(\d+)\]\.?(.*)", problem.path)
    if found is not None:
        refuse_entry(problem, first + int(found[1]), found[2])
        refuse_at(f"contexts[{first + int(found[1])}]", problem.text)
    raise ContextError(problem)


def refuse_entry(problem: Problem, entry: int, inside: str) -> None:
    """Raises the exception that posse.Posse would raise about a part of a round, if it is one."""
    if inside.startswith("context"):
        refuse_at(f"contexts[{entry}]{inside.removeprefix('context')}", problem.text)
    if inside == "arms" or inside.startswith(("arms.", "arms[")):
        refuse_at(f"contexts[{entry}].{inside}", problem.text)
