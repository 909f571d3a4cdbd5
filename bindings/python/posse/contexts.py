# SPDX-License-Identifier: MIT
"""Rounds with features: contexts, which applications give, and rounds, which learners get."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posse.errors import ContextError, Problem

if TYPE_CHECKING:
    from typing import NoReturn


class Context(NamedTuple):
    """The features of a round. The features of an arm are its own, followed by the shared ones."""

    points: ArrayLike | None = None
    """The features of each arm, count x Posse(dim=...), a row for each of `arms`; None if dim is 0. Rows may also be
    dicts from index to value, or a sparse array of SciPy."""

    shared: ArrayLike | None = None
    """The features that all arms share, Posse(context=...) numbers, or a dict from index to value, or a sparse row of
    SciPy; None if there are none."""

    arms: ArrayLike | None = None
    """The available arms of this round, in any order. None: the first len(points) arms, or all arms if there are no
    points."""


class Round(NamedTuple):
    """A round as a learner in Python sees it."""

    arms: NDArray[np.int64]
    """The available arms, in ascending order."""

    features: NDArray[np.float64]
    """The features of each arm, len(arms) x `Arms.features`: its own, followed by the shared ones."""


def numbers(value, name):
    """The features of a context as a contiguous array of floats, converted if necessary. ContextError."""
    array = _array(_unboxed(value), name, "fiub", "numbers are needed")
    return array.astype(np.float64, order="C", copy=False)


def pairs(value, name):
    """Features as pairs: where each row begins, and the indices and values of all rows. ContextError.

    A row is a dict from index to value. Rows are a list of them, or a sparse array of SciPy."""
    if hasattr(value, "tocsr"):
        rows = value.tocsr().sorted_indices()
        starts, indices, values = rows.indptr, rows.indices, rows.data
    else:
        dicts = [value] if isinstance(value, dict) else list(value)
        if not all(isinstance(row, dict) for row in dicts):
            refuse(name, "every row must be a dict from index to value, like the first one")
        starts = np.cumsum([0] + [len(row) for row in dicts])
        try:
            items = [pair for row in dicts for pair in sorted(row.items())]
        except TypeError:
            refuse(name, "indices of features are whole numbers")
        indices, values = [index for index, _ in items], [value for _, value in items]
    if len(indices) and np.asarray(indices).dtype.kind not in "iu":
        refuse(name, "indices of features are whole numbers")
    return (
        np.ascontiguousarray(starts, dtype=np.int64),
        np.ascontiguousarray(indices, dtype=np.int64),
        np.ascontiguousarray(numbers(values, name)),
    )


def are_pairs(value):
    """Whether features are given as pairs: a dict, a list of dicts, or a sparse array of SciPy."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and isinstance(value[0], dict)
    return isinstance(value, dict) or hasattr(value, "tocsr")


def objects(value, name):
    """Features as pairs, for JSON: a dict for each row. ContextError."""
    starts, indices, values = pairs(value, name)
    keys, numbers_ = indices.astype(str).tolist(), values.tolist()
    return [dict(zip(keys[a:b], numbers_[a:b], strict=True)) for a, b in zip(starts[:-1], starts[1:], strict=True)]


def _unboxed(value):
    """A data frame with columns of several types, and each of its rows, has numbers in an array of objects."""
    if hasattr(value, "dtypes"):
        value = np.asarray(value)
    dtype = getattr(value, "dtype", None)
    if dtype == object and all(isinstance(number, (Real, np.bool_)) for number in np.asarray(value).flat):
        return np.asarray(value).astype(np.float64)
    return value


def whole_numbers(value):
    """The arms of a context as a contiguous array of whole numbers. ContextError."""
    array = _array(value, "arms", "iu", "numbers of arms are needed")
    if array.size and array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        refuse("arms", f"there is no arm {array.max()}")
    return array.astype(np.int64, order="C", copy=False)


def _array(value, name, kinds, wanted):
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        refuse(name, wanted)
    if array.size == 0 or array.dtype.kind in kinds:
        return array
    mask = "; of a mask, numpy.flatnonzero(mask)" if array.dtype.kind == "b" else ""
    refuse(name, f"{wanted}, not {array.dtype}{mask}")


def refuse(name, text) -> NoReturn:
    """Raises ContextError. name: the part of a context that is wrong; None: all of it."""
    error = ContextError(Problem(text, path="context" if name is None else f"context.{name}"))
    error.code = "POSSE_ERROR_CONTEXT"
    raise error
