# SPDX-License-Identifier: MIT
"""Many rounds for a posse on a server: read as Posse reads them, and sent as JSON, many in one request."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posse import batches
from posse.contexts import dicts, not_finite, refuse, refuse_at
from posse.errors import ContextError, Problem

if TYPE_CHECKING:
    from typing import NoReturn

    from posse.served import ServedPosse

BYTES = 900_000  # in one request
ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class Shape:
    """What posse.batches asks of a posse, without a request for each."""

    def __init__(self, p: ServedPosse):
        self.features, self.shared_features = p.features, p.shared_features
        self.definition = p._fixed_if_allowed()
        self._p = p

    @functools.cached_property
    def names(self) -> tuple[str, ...] | None:
        """The names of the arms, asked for once a batch."""
        return self._p.names


def rounds(p: ServedPosse, contexts: Any, played: Any = None, available: Any = None) -> list[dict[str, Any]]:
    """The rounds of contexts in every form that Posse.decide_many takes, and with `played`, the arm of each round, in
    every form that Posse.teach_many takes. available: the arms of all rounds. ContextError."""
    shape: Any = Shape(p)
    read = batches.rounds(shape, contexts, available, played is not None)
    count = read.count if isinstance(read, batches.Rounds) else _count(read.rows)
    if played is not None and len(played) != count:
        raise ValueError(f"{len(played)} rewards, and {count} contexts")
    if isinstance(read, batches.NamedRounds):
        return list(_named(shape, read))
    if "features" in shape.definition:
        refuse(None, "features of this posse have names; dicts or a data frame are needed")
    return [{"context": context} for context in _in_numbers(p, read, played)]


def _named(shape: Shape, read: batches.NamedRounds) -> Iterator[dict[str, Any]]:
    arms = [None if one is None else _arms_by_name(shape, *one) for one in read.sets]
    for i, row in enumerate(_rows(read.rows)):
        said = {"context": batches.plain_features(row, i, None)}
        own = arms[0 if read.which is None else read.which[i]]
        yield said if own is None else {**said, "arms": own}


def _arms_by_name(shape: Shape, first: int, _: list[int], features: list[Any] | None, labels: list[Any]) -> Any:
    """The arms of a set: a list, or their features by name."""
    if features is None:
        return [label if isinstance(label, str) else int(label) for label in labels]
    pairs = zip(labels, features, strict=True)
    return {_text_of(shape, label): batches.plain_features(own, first, label) for label, own in pairs}


def _text_of(shape: Shape, arm: Any) -> str:
    if isinstance(arm, str):
        return arm
    names = shape.names or ()
    return names[arm] if 0 <= arm < len(names) else str(int(arm))


def _count(rows: list[Any] | batches.Columns) -> int:
    return len(rows) if isinstance(rows, list) else rows.count


def _rows(rows: list[Any] | batches.Columns) -> Iterator[Any]:
    if isinstance(rows, list):
        yield from rows
        return
    columns = [[one[1][k] for k in one[0]] if isinstance(one, tuple) else one.tolist() for one in rows.columns]
    for i in range(rows.count):
        yield {name: column[i] for name, column in zip(rows.names, columns, strict=True)}


def _in_numbers(p: ServedPosse, read: batches.Rounds, played: Any) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = [{} for _ in range(read.count)]
    rows = max(read.rows, 1)
    if read.points is not None:
        of_arms = read.points if read.points.ndim == 3 else read.points[:, None]
        _put(said, "points", _checked(of_arms, "points"))
    if read.sparse_points is not None:
        pairs = _pairs(read.sparse_points, "points", rows)
        _put(said, "points", [pairs[i * rows : i * rows + rows] for i in range(read.count)])
    if read.shared is not None:
        _put(said, "shared", _checked(read.shared, "shared"))
    if read.sparse_shared is not None:
        _put(said, "shared", _pairs(read.sparse_shared, "shared", 1))
    if read.rows == 0:
        _put(said, "arms", [[arm if isinstance(arm, str) else int(arm)] for arm in played])
    elif read.arms is not None or (read.rows > 0 and read.rows != p.arms):
        _put(said, "arms", [list(range(rows)) if read.arms is None else read.arms.tolist()] * read.count)
    return said


def _put(said: list[dict[str, Any]], key: str, values: list[Any]) -> None:
    for one, value in zip(said, values, strict=True):
        one[key] = value


def _checked(array: NDArray[np.float64], name: str) -> list[Any]:
    if (at := not_finite(array)) is not None:
        place = "".join(f"[{k}]" for k in at[1:])
        refuse_at(f"contexts[{at[0]}].{name}{place}", f"{array[at]} is no feature; they must be finite")
    return array.tolist()


def _pairs(pairs: batches.Pairs, name: str, rows: int) -> list[dict[str, float]]:
    """A dict from index to value for each row. rows: how many a round has."""

    def place(row: int) -> str:
        return f"contexts[{row // rows}].{name}" + (f"[{row % rows}]" if name == "points" else "")

    return dicts(pairs, place)


# --- requests --------------------------------------------------------------------------------------------------------


def texts(said: list[dict[str, Any]]) -> list[str]:
    """Entries of a request as JSON."""
    return [ENCODE(one) for one in said]


def piece(entries: list[str], first: int, most: int) -> list[str]:
    """The entries from the first one on that a request has room for, `most` of them at most."""
    size, last = 0, first
    while last < len(entries) and last - first < most and (last == first or size + len(entries[last]) <= BYTES):
        size += len(entries[last]) + 1
        last += 1
    return entries[first:last]


def fewer(problem: Problem, count: int) -> int:
    """How many entries to send in a request, if these were too many; 0: the problem is another one."""
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
