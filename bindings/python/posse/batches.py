# SPDX-License-Identifier: MIT
"""Many rounds in one call: their contexts, their decisions and their rewards, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from posse import _posse
from posse._posse import Decision
from posse.contexts import (
    Context,
    are_named,
    has_masks,
    named_object,
    no_text,
    numbers,
    pairs,
    reals,
    refuse,
    refuse_at,
    unmasked_rewards,
    whole_numbers,
)
from posse.errors import DecisionError
from posse.frames import frame

if TYPE_CHECKING:
    from posse._posse import Posse

PROBE, FLOOR = 1, 2


class Decisions(Sequence[Decision]):
    """The decisions of one call, in their order. Each is a `Decision`, and each quantity of all of them is an array."""

    def __init__(
        self,
        ids: NDArray[np.uint64],
        arms: NDArray[np.int64],
        learners: NDArray[np.int64],
        drawn: NDArray[np.int64],
        probabilities: NDArray[np.float64],
        propensities: NDArray[np.float64],
        modes: NDArray[np.int64],
        numbers: NDArray[np.float64] | None,
        has_features: bool,
        maker: int,
        names: tuple[str, ...] | None,
    ):
        self._ids, self._arms, self._learners, self._drawn = ids, arms, learners, drawn
        self._probabilities, self._propensities, self._modes = probabilities, propensities, modes
        self._numbers, self._has_features, self._maker, self._names = numbers, has_features, maker, names

    @property
    def ids(self) -> NDArray[np.uint64]:
        """The id of each decision."""
        return self._ids

    @property
    def arms(self) -> NDArray[np.int64]:
        """The arm of each decision; -1: it has none, because its learner is external, or arms are points of the ball."""
        return np.maximum(self._arms, -1)

    @property
    def names(self) -> list[str | None] | None:
        """The name of each arm. None: arms have no names."""
        return None if self._names is None else [self._name(arm) for arm in self._arms]

    @property
    def learners(self) -> NDArray[np.int64]:
        """The place of the learner that made each decision."""
        return self._learners

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability with which the selector chose each learner."""
        return self._probabilities

    @property
    def propensities(self) -> NDArray[np.float64]:
        """The probability of each arm; NaN: it is not known (`Decision.propensity`)."""
        return np.where(self._propensities > 0, self._propensities, np.nan)

    @property
    def probes(self) -> NDArray[np.bool_]:
        """Whether the selector picked the arm itself (`Decision.probe`)."""
        return self._drawn == PROBE

    @property
    def floors(self) -> NDArray[np.bool_]:
        """Whether the selector's floor drew the arm (`Decision.floor`)."""
        return self._drawn == FLOOR

    @property
    def modes(self) -> list[str | None]:
        """What else determined each arm (`Decision.mode`); None: nothing did."""
        return [_posse._modes[mode] for mode in self._modes]

    @property
    def points(self) -> NDArray[np.float64] | None:
        """The coordinates of each arm, a row for each decision. None: arms have none."""
        return None if self._has_features else self._numbers

    @property
    def features(self) -> NDArray[np.float64] | None:
        """The features of each arm in its round, a row for each decision. None: rounds have none, or sparse ones."""
        return self._numbers if self._has_features else None

    def to_frame(self) -> Any:
        """A pandas.DataFrame with a row for each decision. ImportError: there is no pandas."""
        columns: dict[str, Any] = {"id": self.ids, "arm": self.arms}
        if self._names is not None:
            columns["name"] = self.names
        columns |= {"learner": self.learners, "probability": self.probabilities, "propensity": self.propensities}
        return frame({**columns, "probe": self.probes, "floor": self.floors, "mode": self.modes})

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> Decision: ...
    @overload
    def __getitem__(self, index: slice) -> Decisions: ...
    def __getitem__(self, index: int | slice) -> Decision | Decisions:
        if isinstance(index, slice):
            rows = None if self._numbers is None else self._numbers[index]
            return Decisions(
                self._ids[index],
                self._arms[index],
                self._learners[index],
                self._drawn[index],
                self._probabilities[index],
                self._propensities[index],
                self._modes[index],
                rows,
                self._has_features,
                self._maker,
                self._names,
            )
        return self._decision(range(len(self))[index])

    def __iter__(self) -> Iterator[Decision]:
        return map(self._decision, range(len(self)))

    def __repr__(self) -> str:
        return f"<posse.Decisions: {len(self)} decision{'' if len(self) == 1 else 's'}>"

    def _name(self, arm: int) -> str | None:
        return None if self._names is None or arm < 0 else self._names[arm]

    def _decision(self, i: int) -> Decision:
        point = b"" if self._numbers is None else self._numbers[i].tobytes()
        return _posse._decision(
            int(self._ids[i]),
            int(self._learners[i]),
            int(self._arms[i]),
            float(self._probabilities[i]),
            point,
            self._maker,
            0,
            float(self._propensities[i]),
            int(self._drawn[i] == PROBE),
            int(self._drawn[i] == FLOOR),
            int(self._has_features),
            self._name(self._arms[i]),
            int(self._modes[i]),
        )


# --- what the module in C reads --------------------------------------------------------------------------------------

Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


class Rounds(NamedTuple):
    """The contexts of many rounds. Points have `rows` rows for each round, one round behind the other; 0: one row, which
    belongs to the arm that was played."""

    count: int
    rows: int
    points: NDArray[np.float64] | None
    shared: NDArray[np.float64] | None
    sparse_points: Pairs | None
    sparse_shared: Pairs | None
    arms: NDArray[np.int64] | None
    order: NDArray[np.int64] | None


def rounds(p: Posse, contexts: Any, arms: Any = None, played: bool = False) -> Rounds | NamedRounds:
    """The contexts of many rounds, an entry for each, and the arms that are available in all of them. played: points may
    be those of the arms that were played, a row for each. ContextError."""
    if are_named_rounds(p, contexts):
        return named_rounds(p, contexts, arms)
    points, shared = _meant(p, contexts)
    if isinstance(contexts, Context):
        if arms is not None:
            raise TypeError("arms are given in the context, or by name, and not twice")
        arms = contexts.arms
    full_points, sparse_points, count, rows = _points(points, p.features - p.shared_features, played)
    full_shared, sparse_shared, shared_count = _shared(shared, p.shared_features)
    if count >= 0 and shared_count >= 0 and count != shared_count:
        refuse("shared", f"points of {count} rounds, and shared features of {shared_count}")
    listed, order = _available(p, arms)
    if listed is not None and rows > 0 and rows != len(listed):
        refuse("points", f"{rows} rows in each round, and {len(listed)} arms are listed")
    if order is not None and rows > 0:
        full_points, sparse_points = _rearranged(full_points, sparse_points, order)
    if max(count, shared_count) < 0:
        raise TypeError("contexts are an array for all rounds, or a number of decisions")
    return Rounds(max(count, shared_count), rows, full_points, full_shared, sparse_points, sparse_shared, listed, order)


class Columns(NamedTuple):
    """The features of many rounds by name, a column for each name: an array of numbers, of truth values or of objects, or
    the places of words and the words."""

    count: int
    names: list[str]
    columns: list[NDArray[Any] | tuple[NDArray[np.int32], list[str]]]


class NamedRounds(NamedTuple):
    """The contexts of many rounds with features by name: the shared features of each, the sets of arms that are
    available in some round, and which set each round has (None: the first)."""

    rows: list[Any] | Columns
    sets: list[tuple[int, list[int], list[Any] | None, list[Any]] | None]
    which: list[int] | None


def are_named_rounds(p: Posse, contexts: Any) -> bool:
    """Whether contexts have features by name, which a data frame and dicts have if the posse has a feature map."""
    if isinstance(contexts, Context) or "features" not in p.definition:
        return False
    if hasattr(contexts, "columns") and hasattr(contexts, "iloc"):
        return True
    if not isinstance(contexts, (list, tuple)) or len(contexts) == 0:
        return isinstance(contexts, list)
    first = contexts[0]
    return are_named(first) or (isinstance(first, Context) and (are_named(first.shared) or are_named(first.arms)))


def named_rounds(p: Posse, contexts: Any, arms: Any = None) -> NamedRounds:
    """The contexts of many rounds by name: dicts, Contexts with a dict, or the rows of a data frame. arms: those of all
    rounds, with features or without. ContextError."""
    if hasattr(contexts, "columns"):
        return NamedRounds(_columns(contexts), [_arm_set(p, arms, 0)], None)
    if not any(isinstance(one, Context) for one in contexts):
        return NamedRounds(list(contexts), [_arm_set(p, arms, 0)], None)
    rows: list[Any] = []
    sets: list[Any] = []
    which: list[int] = []
    places: dict[int, int] = {}  # of the sets, by the object that was given
    for i, one in enumerate(contexts):
        whole = isinstance(one, Context)
        if whole and (one.points is not None or (arms is not None and one.arms is not None)):
            refuse_at(f"contexts[{i}]", "features by name have no points, and arms are given once")
        given = one.arms if whole and one.arms is not None else arms
        rows.append(one.shared if whole else one)
        if id(given) not in places:
            places[id(given)] = len(sets)
            sets.append(_arm_set(p, given, i))
        which.append(places[id(given)])
    return NamedRounds(rows, sets, which)


def _columns(table: Any) -> Columns:
    """The columns of a data frame. Of two with one name, the later one counts, as in a dict."""
    places = {name: k for k, name in enumerate(table.columns)}
    if len(table) > 0:
        named_object(dict.fromkeys(places), "contexts[0]")
    return Columns(len(table), [str(name) for name in places], [_column(table.iloc[:, k]) for k in places.values()])


def _column(cells: Any) -> NDArray[Any] | tuple[NDArray[np.int32], list[str]]:
    """A column as an array of numbers or truth values, as places of words and the words, or as objects."""
    if isinstance(cells.dtype, np.dtype) and cells.dtype.kind in "fiub":
        return np.ascontiguousarray(cells, dtype=np.bool_ if cells.dtype.kind == "b" else np.float64)
    if hasattr(cells, "cat"):
        words, places = cells.cat.categories.tolist(), np.ascontiguousarray(cells.cat.codes, dtype=np.int32)
        if not np.any(places < 0) and all(type(word) is str and _is_plain(word) for word in words):
            return places, words
    if cells.dtype == object:
        return np.ascontiguousarray(cells)
    return np.fromiter(cells.tolist(), dtype=object, count=len(cells))


def _is_plain(word: str) -> bool:
    """Whether C can have a word."""
    return "\0" not in word and (word.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in word))


def plain_features(features: Any, round_: int, arm: Any) -> dict[str, Any]:
    """Features by name without types of NumPy. ContextError: one of them is no feature."""
    return named_object({} if features is None else features, f"contexts[{round_}]" + (f".arms.{arm}" if arm is not None else ""))


def _arm_set(p: Posse, arms: Any, first: int) -> tuple[int, list[int], list[Any] | None, list[Any]] | None:
    """The round that has them first, the numbers of the arms in ascending order, their features, and their names."""
    if arms is None:
        return None
    labels = list(arms.keys()) if are_named(arms) else list(no_text(arms))
    numbers_ = whole_numbers(_by_name(p, labels)).tolist()
    order = sorted(range(len(labels)), key=numbers_.__getitem__)
    features = [arms[labels[k]] for k in order] if are_named(arms) else None
    return first, [numbers_[k] if 0 <= numbers_[k] < 2**31 else -1 for k in order], features, [labels[k] for k in order]


def settlements(decisions: Any, rewards: Any) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float64]]:
    """The ids and makers of decisions, and their rewards. rewards None: decisions are pairs of both."""
    if rewards is None:
        couples = list(decisions)
        decisions, rewards = [couple[0] for couple in couples], [couple[1] for couple in couples]
    amounts = _amounts(rewards)
    if isinstance(decisions, Decisions):
        ids, makers = decisions.ids, np.full(len(decisions), decisions._maker, dtype=np.uint64)
    elif isinstance(decisions, np.ndarray):
        ids, makers = _ids(decisions), np.zeros(len(decisions), dtype=np.uint64)
    else:
        both = [_identity(decision) for decision in decisions]
        ids, makers = (np.array([pair[k] for pair in both], dtype=np.uint64) for k in (0, 1))
    if len(ids) != len(amounts):
        raise ValueError(f"{len(ids)} decisions, and {len(amounts)} rewards")
    return np.ascontiguousarray(ids), makers, amounts


def plays(p: Posse, arms: Any, rewards: Any) -> tuple[NDArray[np.int64] | None, NDArray[np.float64] | None, Any]:
    """The arms that were played, or points of the ball, and their rewards."""
    amounts = _amounts(rewards)
    if p.arms == 0 and p.dim > 0:
        where = reals(arms, "points")
        if where.ndim != 2 or where.shape[1] != p.dim:
            raise ValueError(f"points of this ball are an array, plays x {p.dim}")
        picked, count = None, len(where)
    else:
        where, picked = None, _numbered(p, arms)
        count = len(picked)
    if count != len(amounts):
        raise ValueError(f"{count} arms, and {len(amounts)} rewards")
    return picked, where, amounts


def _meant(p: Posse, contexts: Any) -> tuple[Any, Any]:
    """The points and the shared features. A bare array has those that the posse's rounds have."""
    if isinstance(contexts, Context):
        return contexts.points, contexts.shared
    own = p.features - p.shared_features
    if own > 0 and p.shared_features > 0:
        if not (isinstance(contexts, tuple) and len(contexts) == 2):
            refuse(None, "rounds have features of each arm and shared ones: (points, shared) is needed")
        return contexts
    return (contexts, None) if own > 0 else (None, contexts)


def _are_pairs(value: Any) -> bool:
    return hasattr(value, "tocsr") or (isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], dict))


def _shared(value: Any, wanted: int) -> tuple[NDArray[np.float64] | None, Pairs | None, int]:
    if value is None:
        return None, None, -1
    if _are_pairs(value):
        rows = pairs(value, "shared")
        return None, rows, len(rows[0]) - 1
    array = np.ascontiguousarray(numbers(value, "shared"))
    if array.shape == (0,):
        return array.reshape(0, wanted), None, 0
    if array.ndim != 2 or (wanted > 0 and array.shape[1] != wanted):
        refuse("shared", f"must be an array, rounds x {wanted}, not {_sizes(array)}")
    return array, None, len(array)


def _points(value: Any, wanted: int, played: bool) -> tuple[NDArray[np.float64] | None, Pairs | None, int, int]:
    if value is None:
        return None, None, -1, -1
    if played and _are_pairs(value):
        of_arms = pairs(value, "points")
        return None, of_arms, len(of_arms[0]) - 1, 0
    if isinstance(value, (list, tuple)) and len(value) > 0 and _are_pairs(value[0]):
        rounds = [pairs(one, "points") for one in value]
        rows = len(rounds[0][0]) - 1
        if any(len(starts) - 1 != rows for starts, _, _ in rounds):
            refuse("points", "every round must have as many rows as the first one")
        if rows == 0:
            refuse("points", "a round has at least one arm")
        return None, _joined(rounds), len(rounds), rows
    array = np.ascontiguousarray(numbers(value, "points"))
    if array.shape == (0,):
        return array.reshape(0, 1, wanted), None, 0, 1
    if played and array.ndim == 2 and array.shape[1] == wanted:
        return array, None, len(array), 0
    if array.ndim != 3 or (wanted > 0 and array.shape[2] != wanted):
        refuse("points", f"must be an array, rounds x arms x {wanted}, not {_sizes(array)}")
    if array.shape[1] == 0:
        refuse("points", "a round has at least one arm")
    return array, None, array.shape[0], array.shape[1]


def _joined(rounds: list[Pairs]) -> Pairs:
    counts = np.concatenate([np.diff(starts) for starts, _, _ in rounds])
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    indices, values = (np.concatenate([one[k] for one in rounds]) for k in (1, 2))
    return starts, np.ascontiguousarray(indices), np.ascontiguousarray(values)


def _rearranged(full: Any, sparse: Pairs | None, order: NDArray[np.int64]) -> tuple[Any, Pairs | None]:
    """The rows of each round in the order of the arms."""
    if sparse is None:
        return np.ascontiguousarray(full[:, order]), None
    starts, indices, values = sparse
    rows = (np.arange(len(starts) - 1).reshape(-1, len(order))[:, order]).ravel()
    places = np.concatenate([np.arange(starts[row], starts[row + 1]) for row in rows]).astype(np.int64)
    begins = np.concatenate([[0], np.cumsum((starts[1:] - starts[:-1])[rows])]).astype(np.int64)
    return None, (begins, indices[places], values[places])


def _available(p: Posse, arms: Any) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]:
    """The available arms in ascending order, and their places in the list that was given; None: it ascends."""
    if arms is None:
        return None, None
    listed = whole_numbers(_by_name(p, arms))
    if listed.ndim != 1:
        refuse("arms", "must be a list")
    if np.all(listed[1:] > listed[:-1]):
        return listed, None
    order = np.argsort(listed, kind="stable")
    return np.ascontiguousarray(listed[order]), np.ascontiguousarray(order)


def _by_name(p: Posse, arms: Any) -> Any:
    """Numbers in place of names."""
    names = list(no_text(arms))
    if not names or not isinstance(names[0], str):
        return arms
    places = {name: arm for arm, name in enumerate(p.names or ())}
    unknown = [name for name in names if name not in places]
    if unknown:
        joins = "; an arm joins by decide or teach, and not in a batch" if p.definition.get("joins") else ""
        refuse("arms", f'there is no arm "{unknown[0]}"{joins}')
    return [places[name] for name in names]


def _numbered(p: Posse, arms: Any) -> NDArray[np.int64]:
    """The arms that were played, as numbers."""
    listed = whole_numbers(_by_name(p, arms))
    if listed.ndim != 1:
        refuse("arms", "must be a list, with an arm for each reward")
    return np.ascontiguousarray(listed)


def _amounts(rewards: Any) -> NDArray[np.float64]:
    amounts = np.ascontiguousarray(unmasked_rewards(rewards), dtype=np.float64)
    if amounts.ndim != 1:
        raise ValueError(f"rewards must be a list of numbers, not {_sizes(amounts)}")
    return amounts


def _ids(array: NDArray[Any]) -> NDArray[np.uint64]:
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"ids of decisions are a list of whole numbers, not {array.dtype} of {_sizes(array)}")
    if has_masks(array):
        raise DecisionError("the id of a decision is masked; leave it out, with its reward")
    return np.where(array < 0, 0, array).astype(np.uint64)  # no decision has the id 0


def _identity(decision: Decision | int) -> tuple[int, int]:
    """The id of a decision and the posse that made it."""
    if isinstance(decision, Decision):
        return decision.__reduce__()[1][0], decision.__reduce__()[1][5]
    if not isinstance(decision, (int, np.integer)):
        raise TypeError("a Decision, or its id, is needed here")
    return (int(decision) if 0 <= decision < 2**64 else 0), 0


def _sizes(array: NDArray[Any]) -> str:
    return " x ".join(map(str, array.shape)) if array.ndim > 0 else "one number"

