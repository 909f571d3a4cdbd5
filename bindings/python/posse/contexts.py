# SPDX-License-Identifier: MIT
"""Rounds with features: contexts, which applications give, and rounds, which learners get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posse.errors import ContextError, Problem, RewardError, SpecificationError
from posse.frames import is_na

if TYPE_CHECKING:
    from typing import NoReturn

Features = Mapping[str, Any]
"""Features by name: numbers, truth values, words, lists of words, None for what is not known, and such a mapping for each
namespace. A row of a data frame will do."""


class Context(NamedTuple):
    """The features of a round. The features of an arm are its own, followed by the shared ones."""

    points: ArrayLike | None = None
    """The features of each arm, count x Posse(dim=...), a row for each of `arms`; None if dim is 0. Rows may also be
    dicts from index to value, or a sparse array of SciPy."""

    shared: ArrayLike | Features | None = None
    """The features that all arms share, Posse(context=...) numbers, or a dict from index to value, or a sparse row of
    SciPy; None if there are none. With Posse(features=...), features by name."""

    arms: ArrayLike | Sequence[str] | Mapping[str | int, Features] | None = None
    """The available arms of this round, in any order. None: the first len(points) arms, or all arms if there are no
    points. With Posse(features=...), also a dict that has the features of each arm by name."""


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
    return dicts(pairs(value, name), lambda row: f"context.{name}" + (f"[{row}]" if name == "points" else ""))


def dicts(listed, place):
    """Pairs as a dict from index to value for each row. place: of a row, by its number. ContextError."""
    starts, indices, values = listed
    keys, numbers_ = indices.astype(str).tolist(), values.tolist()
    rows = [dict(zip(keys[a:b], numbers_[a:b], strict=True)) for a, b in zip(starts[:-1], starts[1:], strict=True)]
    if (at := not_finite(values)) is not None:
        row = int(np.searchsorted(starts, at[0], side="right")) - 1
        refuse_at(f"{place(row)}.{indices[at]}", f"{values[at]} is no feature; they must be finite")
    for k, row in enumerate(rows):
        if len(row) < starts[k + 1] - starts[k]:
            refuse_at(place(k), "a feature is there twice")
    return rows


def not_finite(array):
    """The place of the first number of an array that is not finite, as an index of it; None: all are."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return None
    return tuple(np.argwhere(~np.isfinite(array))[0].tolist())


def are_named(value):
    """Whether a value maps names to features: a dict, or a row of a data frame."""
    return hasattr(value, "keys") and hasattr(value, "items")


def named_object(features, path):
    """Features by name as JSON has them. ContextError: one of them is no feature."""
    if not are_named(features):
        refuse_at(path, "it must be features by name, {'age': 33, 'country': 'de'}")
    return {
        _name(key, path): {_name(inner, f"{path}.{key}"): _plain(one, f"{path}.{key}.{inner}") for inner, one in value.items()}
        if are_named(value)
        else _plain(value, f"{path}.{key}")
        for key, value in features.items()
    }


def by_name(shared, arms):
    """The features of a round as the library reads them: those that all arms share, and those of each arm, each as a
    list of (name, word, number, truth); and the arms, or None. ContextError."""
    rows = [_entries(named_object({} if shared is None else shared, "context"))]
    if are_named(arms):
        rows += [_entries(named_object(own, f"arms.{arm}")) for arm, own in arms.items()]
        arms = list(arms.keys())
    return rows, arms


def _entries(features):
    found = []
    for name, value in features.items():
        if isinstance(value, dict):
            found += _entries({f"{name}.{inner}": one for inner, one in value.items()})
        elif isinstance(value, list):
            found += [(name, word, 0.0, False) for word in value]
        elif isinstance(value, str):
            found.append((name, value, 0.0, False))
        elif value is not None:
            found.append((name, None, float(value), isinstance(value, bool)))
    return found


def _name(name, path):
    """The name of a feature. The library rejects those that are too long."""
    if not isinstance(name, str):
        refuse_at(path, f"the name of a feature is a text, not {name!r}")
    return _text(name, path)


def _text(text, path):
    """A text that JSON and C can have."""
    if "\0" in text:
        refuse_at(path, "a text has a zero in it")
    try:
        text.encode()
    except UnicodeEncodeError:
        refuse_at(path, "a text is not UTF-8")
    return str(text)


def _plain(value, path):
    """A feature without types of NumPy and pandas: a number, a truth value, a word, a list of words, or None."""
    if value is None or is_na(value):
        return None
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, Real):
        return _finite(value, path)
    if has_masks(value):
        refuse_at(path, "it is masked; None is a feature that is not known")
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _plain(value.item(), path)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        words = list(value)
        if all(isinstance(word, str) for word in words):
            return [_text(word, path) for word in words]
        refuse_at(path, "a list of words is needed")
    refuse_at(path, f"a feature is a number, a word, True, False, or a list of words, not {type(value).__name__}")


def _finite(value, path):
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        refuse_at(path, f"{number} is no feature; they must be finite, and None is one that is not known")
    return number


def _unboxed(value):
    """A data frame with columns of several types, and each of its rows, has numbers in an array of objects."""
    if hasattr(value, "dtypes"):
        value = np.asarray(value)
    dtype = getattr(value, "dtype", None)
    if dtype == object and all(isinstance(number, (Real, np.bool_)) for number in np.asarray(value).flat):
        return np.asarray(value).astype(np.float64)
    return value


def no_text(arms):
    """The arms, if they are not a text, whose letters would be read as names. ContextError."""
    if isinstance(arms, str):
        refuse("arms", f"a list of arms is needed, such as [{arms!r}], not a text")
    return arms


def whole_numbers(value):
    """The arms of a context as a contiguous array of whole numbers. ContextError."""
    array = _array(no_text(value), "arms", "iu", "numbers of arms are needed")
    if array.size and array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        refuse("arms", f"there is no arm {array.max()}")
    return array.astype(np.int64, order="C", copy=False)


def has_masks(value):
    """Whether it is an array of NumPy with masked entries, or a list that has such an array, at any depth."""
    if not isinstance(value, (list, tuple)):
        return np.ma.is_masked(value)
    return not set(map(type, value)) <= {int, float} and any(map(has_masks, value))


def unmasked(value, name):
    """The value, if it has no masked entries. ContextError."""
    if has_masks(value):
        refuse(name, "an entry is masked; fill it, or leave its row out")
    return value


def unmasked_argument(value, name):
    """The same of what is no part of a context, such as a point. SpecificationError."""
    if has_masks(value):
        raise SpecificationError(Problem("an entry is masked; fill it", path=name))
    return value


def unmasked_rewards(rewards):
    """The rewards, if none of them is masked. RewardError."""
    if has_masks(rewards):
        raise RewardError("a reward is masked; leave its decision out, or forget it")
    return rewards


def reals(value, name):
    """Numbers that are no part of a context as a contiguous array. SpecificationError: one of them is masked."""
    return np.ascontiguousarray(unmasked_argument(value, name), dtype=np.float64)


def _array(value, name, kinds, wanted):
    unmasked(value, name)
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
    refuse_at("context" if name is None else f"context.{name}", text)


def refuse_at(path, text) -> NoReturn:
    """Raises ContextError about a place of a round."""
    error = ContextError(Problem(text, path=path))
    error.code = "POSSE_ERROR_CONTEXT"
    raise error
