# SPDX-License-Identifier: MIT
"""What posses on servers have in common, whether HTTP or Redis is used."""

from __future__ import annotations

import base64
import json
import math
import operator
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posse import lessons, rounds
from posse._posse import Posse
from posse.contexts import (
    Context,
    Features,
    are_named,
    are_pairs,
    named_object,
    no_text,
    not_finite,
    numbers,
    objects,
    refuse,
    refuse_at,
    unmasked,
    unmasked_rewards,
)
from posse.errors import AbsentError, ContextError, Error, ForbiddenError, LearnerError, Problem, RewardError, SpecificationError
from posse.notebook import html_with

DECISIONS = 1000  # in one request

AnyContext = Context | ArrayLike | Features | tuple[ArrayLike, ArrayLike]
AnyArms = ArrayLike | Sequence[str] | Mapping[str | int, Features]


@dataclass(frozen=True, slots=True)
class ServedDecision:
    """A decision of a posse on a server. Keep `token`: any process that has it can send the reward."""

    token: str
    """The name of the decision, which is sent back with its reward."""

    arm: int | None
    """The arm to play; None: play `point` or, if `untold`, report what was played (`acted`)."""

    learner: int
    """The place of the learner that the decision is credited to."""

    learner_name: str
    """The name of that learner."""

    untold: bool = False
    """Its learner is external, and its arm was not reported yet."""

    point: NDArray[np.float64] | None = field(default=None, compare=False)
    """The coordinates of the arm, if arms have any."""

    propensity: float | None = None
    """The probability of the arm; None: the posse does not report it."""

    name: str | None = None
    """The name of the arm; None: arms have no names, or there is no arm."""

    mode: str | None = None
    """What else determined the arm: 'holdback', 'kept' (by its unit), 'paused' or 'suggested'. None: nothing did."""

    @property
    def id(self) -> int:
        """As `posse.Decision.id`: its number, and above it the epoch."""
        number, epoch = struct.unpack("<II", base64.urlsafe_b64decode(self.token)[:8])
        return (epoch << 32) + number


class ServedPosse:
    """A posse on a server. `_state` and `_arms` request its state, from which all else follows, and `_visit` a
    decision."""

    _known: dict[str, Any] | None = None
    _definition: dict[str, Any] | None = None
    _forbidden = False  # to read the definition

    def _state(self) -> dict[str, Any]:
        raise NotImplementedError

    def _arms(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def _visit(self, verb: str, features: tuple[Any, Any, Any, Any], unit: str | None, defer: bool) -> ServedDecision:
        raise NotImplementedError

    def decide(
        self,
        context: AnyContext | None = None,
        *,
        points: ArrayLike | None = None,
        shared: ArrayLike | None = None,
        arms: AnyArms | None = None,
        unit: str | None = None,
        defer: bool = False,
    ) -> ServedDecision:
        """Decides what to play now. unit: the visitor; a unit may keep its arm (`set_modes`). defer: a suggestion, to
        be activated."""
        return self._visit("decide", (context, points, shared, arms), unit, defer)

    def peek(
        self,
        context: AnyContext | None = None,
        *,
        points: ArrayLike | None = None,
        shared: ArrayLike | None = None,
        arms: AnyArms | None = None,
        unit: str | None = None,
        defer: bool = False,
    ) -> ServedDecision:
        """The decision that `decide` would make now. Its token is empty, or that of the unit's pending decision. Nothing
        changes."""
        return self._visit("peek", (context, points, shared, arms), unit, defer)

    def decide_many(
        self,
        n: int | Context | ArrayLike | Sequence[object] | tuple[ArrayLike, ArrayLike],
        context: AnyContext | None = None,
        *,
        points: ArrayLike | None = None,
        shared: ArrayLike | None = None,
        arms: AnyArms | None = None,
    ) -> list[ServedDecision]:
        """Makes many decisions. n: how many, at most 1000, in one request and all in the same context, if there is one.
        Or the contexts, one for each decision, as in `Posse.decide_many`, in requests of up to 1000, or fewer if
        their size demands it; arms: those of all rounds. A request is decided as a whole, or not at all. If a later one
        fails, the decisions that were made are in `made` of the exception."""
        if isinstance(n, (int, np.integer)):
            return self._decided_alike(count_of(n), (context, points, shared, arms))
        if context is not None or points is not None or shared is not None:
            raise TypeError("contexts are an array for all decisions, or a number with one context")
        said = rounds.texts(rounds.rounds(self, n, available=arms))
        made: list[ServedDecision] = []
        try:
            self._decide_all(said, made)
        except BaseException as error:
            if made:
                error.add_note(f"{len(made)} of {len(said)} decisions were made before this, and they are kept")
            if isinstance(error, Error):
                error.made = made
            raise
        return made

    def _decide_all(self, said: list[str], made: list[ServedDecision]) -> None:
        most = DECISIONS
        while len(made) < len(said):
            some = rounds.piece(said, len(made), most)
            answer = self._decided(some)
            if not isinstance(answer, Problem):
                made.extend(answer)
                continue
            most = rounds.fewer(answer, len(some))
            if most == 0:
                rounds.refuse_round(answer, len(made))

    def _decided_alike(self, n: int, features: tuple[Any, Any, Any, Any]) -> list[ServedDecision]:
        """Decides n times in one round."""
        raise NotImplementedError

    def _decided(self, said: list[str]) -> list[ServedDecision] | Problem:
        """Decides in each of these rounds, which are JSON. Returns the problem of one of them, or of their number."""
        raise NotImplementedError

    def _shape(self) -> dict[str, Any]:
        """The latest known state, for quantities that change only with learners and arms."""
        return self._known if self._known is not None else self._state()

    def _place(self, name: str) -> int:
        """The place of a learner. If the name is not known, the state is requested, since another client may have added
        it."""
        for shape in (self._shape, self._state):
            names = [learner["name"] for learner in shape()["learners"]]
            if name in names:
                return names.index(name)
        raise LearnerError(f'there is no learner "{name}"')

    def _name(self, learner: int | str) -> str:
        if isinstance(learner, str):
            return learner
        names = self.learners
        if not -len(names) <= learner < len(names):
            raise LearnerError(f"there is no learner {learner}")
        return names[learner]

    def _context(self, context: Any, points: Any, shared: Any, arms: Any) -> dict[str, Any] | None:
        """A context as a dict for JSON."""
        if isinstance(context, Context):
            if points is not None or shared is not None or arms is not None:
                raise TypeError("features are given as a context, or as points and shared, and not twice")
            points, shared, arms = context
        elif context is not None:
            if points is not None or shared is not None:
                raise TypeError("features are given as a context, or as points and shared, and not twice")
            points, shared = (None, context) if self._gives_names(context) else self._meant(context)
        if points is None and shared is None and arms is None:
            return None
        if points is None and (self._gives_names(shared) or self._gives_names(arms)):
            return self._named(shared, arms)
        if (points is not None or shared is not None) and "features" in self._fixed_if_allowed():
            refuse(None, "features of this posse have names; a dict is needed")
        shared = _shared_pairs(shared) if are_pairs(shared) else shared
        if points is not None:
            points = objects(points, "points") if are_pairs(points) else numbers(points, "points")
        if points is not None and arms is None and len(points) != self.arms:
            arms = range(len(points))
        if arms is not None:
            points, arms = _rising(points, arms)
        parts = {"points": points, "shared": shared, "arms": arms}
        return {key: _listed(value, key) for key, value in parts.items() if value is not None}

    def _gives_names(self, value: Any) -> bool:
        """Whether features are given by name: as a mapping, to a posse that has a feature map."""
        return are_named(value) and "features" in self._fixed()

    def _fixed(self) -> dict[str, Any]:
        """The parts of the definition that never change: the feature map, and how many arms may join."""
        if self._definition is None:
            whole = self.definition
            self._definition = {key: whole[key] for key in ("features", "joins") if key in whole}
        return self._definition

    def _fixed_if_allowed(self) -> dict[str, Any]:
        """The same, or nothing if the user may not read it. Then the server refuses what is wrong."""
        try:
            return {} if self._forbidden else self._fixed()
        except ForbiddenError:
            self._forbidden = True
            return {}

    def _named(self, shared: Any, arms: Any) -> dict[str, Any]:
        """A round with features by name as a dict for JSON, with its arms beside the context."""
        said: dict[str, Any] = {"context": named_object({} if shared is None else shared, "context")}
        if are_named(arms):
            said["arms"] = {self._key(arm): named_object(own, f"arms.{arm}") for arm, own in arms.items()}
        elif arms is not None:
            said["arms"] = _listed(_rising(None, arms)[1], "arms")
        return said

    def _key(self, arm: Any) -> str:
        if not isinstance(arm, (str, int, np.integer)):
            refuse_at("arms", f"the number or the name of an arm is needed, not {arm!r}")
        return self._text_of_arm(arm)

    @property
    def definition(self) -> dict[str, Any]:
        """The arguments that would create it again."""
        raise NotImplementedError

    def _meant(self, context: Any) -> tuple[Any, Any]:
        """The points and the shared features. A bare array stands for those that the posse's rounds have."""
        own = self.features - self.shared_features
        if own > 0 and self.shared_features > 0:
            if isinstance(context, tuple) and len(context) == 2:
                return context
            raise ContextError(
                Problem("rounds have features of each arm and shared ones: (points, shared) is needed", path="context")
            )
        return (context, None) if own > 0 else (None, context)

    def _taught(self, plays: list[str]) -> Problem | None:
        """Teaches plays, which are JSON, in one request. Returns the problem of one of them, or of their number."""
        raise NotImplementedError

    def teach_many(
        self, arms: Sequence[int | str] | ArrayLike, /, rewards: ArrayLike, contexts: Any = None
    ) -> None:
        """Teaches many rewards that no decision of this posse made, in this order, in one request of up to 10,000, or
        in as few as their size allows. contexts: as in `Posse.teach_many`. A request is taught as a whole, or not at
        all. It is not repeated. UnreachableError: its plays may or may not have been learned."""
        amounts = [reward_of(reward) for reward in np.asarray(unmasked_rewards(rewards), dtype=np.float64).tolist()]
        said = rounds.texts(lessons.plays(self, list(no_text(arms)), amounts, contexts))
        taught, most = 0, lessons.PLAYS
        while taught < len(said):
            some = rounds.piece(said, taught, most)
            problem = self._taught(some)
            if problem is None:
                taught += len(some)
                continue
            most = rounds.fewer(problem, len(some))
            if most == 0:
                lessons.refuse(problem, taught)

    def _repr_html_(self) -> str:
        """For notebooks. It asks the server twice."""
        state, arms = self._state(), self._arms()
        learners = [(one["name"], int(one["plays"]), bool(one["active"])) for one in state["learners"]]
        expected = [
            (one.get("name", i), float(one["mean"]), float(one["deviation"]), bool(one["active"]))
            for i, one in enumerate(arms)
            if one["mean"] is not None and one["deviation"] is not None
        ]
        modes = {**state, "holdback": float(state.get("holdback", 0))}  # Redis has numbers as text
        return html_with(repr(self), int(state["decisions"]), modes, learners, expected)

    # --- what it is --------------------------------------------------------------------------------------------------

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of the learners, by place."""
        return tuple(learner["name"] for learner in self._state()["learners"])

    @property
    def active(self) -> tuple[bool, ...]:
        """Whether each learner may be chosen."""
        return tuple(bool(learner["active"]) for learner in self._state()["learners"])

    @property
    def plays(self) -> NDArray[np.uint64]:
        """How often each learner was chosen."""
        return np.array([learner["plays"] for learner in self._state()["learners"]], dtype=np.uint64)

    @property
    def decisions(self) -> int:
        """How many decisions it has made."""
        return int(self._state()["decisions"])

    @property
    def pending(self) -> int:
        """How many decisions wait for a reward."""
        return int(self._state()["pending"])

    @property
    def epoch(self) -> int:
        """The epoch, which changes with each start of the server, and with a failover."""
        return int(self._state()["epoch"])

    @property
    def selector(self) -> str | None:
        """The kind of the selector, also where it was left to posse. None: a learner alone."""
        kind = self._state().get("selector")
        return None if kind is None else str(kind)

    @property
    def arms(self) -> int:
        """The number of arms, with the retired ones."""
        return int(self._shape()["arms"])

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm; 0: arms are independent."""
        return int(self._shape()["dim"])

    @property
    def features(self) -> int:
        """The number of features of an arm in a round; 0: rounds have none."""
        return int(self._shape()["features"])

    @property
    def shared_features(self) -> int:
        """The number of features that all arms share."""
        return int(self._shape()["shared_features"])

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the arms, with the retired ones. None: arms have no names."""
        arms = self._arms()
        return tuple(arm["name"] for arm in arms) if arms and "name" in arms[0] else None

    def _text_of_arm(self, arm: int | str) -> str:
        """An arm as text: its name, or its number if arms have no names."""
        if isinstance(arm, str):
            return arm
        names = self.names
        if names is None:
            return str(int(arm))
        if not 0 <= arm < len(names):
            raise LearnerError(f"there is no arm {arm}")
        return names[arm]

    def _control(self, control: int | str) -> str:
        """The control of a report as text: an arm, or a learner if there are no arms."""
        return self._text_of_arm(control) if self.arms > 0 else self._name(control)

    def arm_active(self, arm: int | str, /) -> bool:
        """Whether an arm, by number or name, is active, and not retired."""
        arms = self._arms()
        found = [one for i, one in enumerate(arms) if arm in (i, one.get("name", str(i)))]
        if not found:
            raise LearnerError(f"there is no arm {arm}")
        return bool(found[0]["active"])

    @property
    def means(self) -> NDArray[np.float64]:
        """What the selector's belief expects of each arm. AbsentError: it has no belief, or rounds have features."""
        return self._each(self._arms(), "mean")

    @property
    def deviations(self) -> NDArray[np.float64]:
        """The standard deviation of each arm's mean reward in the selector's belief."""
        return self._each(self._arms(), "deviation")

    @property
    def surprise(self) -> float:
        """The log of how many times as probable the rewards are under the robust form of the prior. Above 3, which is
        log 20, they contradict the prior. AbsentError: the selector does not watch its belief."""
        state = self._state()
        if "surprise" not in state:
            raise AbsentError("surprise: this selector does not watch its belief")
        return float("inf") if state["surprise"] is None else float(state["surprise"])

    def _each(self, entries: list[dict[str, Any]], key: str) -> NDArray[np.float64]:
        values = [entry[key] for entry in entries]
        if all(value is None for value in values):
            raise AbsentError(f"the selector of this posse has no {key}s")
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _shared_pairs(shared: Any) -> dict[str, float]:
    rows = objects(shared, "shared")
    if len(rows) != 1:
        raise ContextError(Problem(f"there must be one row, not {len(rows)}", path="context.shared"))
    return rows[0]


def _listed(value: Any, name: str) -> Any:
    """Features as JSON has them: numbers in lists, or pairs in objects."""
    if are_pairs(value):
        return value
    array = numbers(value, name) if name != "arms" else np.asarray(unmasked(value, name))
    if (at := not_finite(array)) is not None:
        refuse_at(f"context.{name}" + "".join(f"[{i}]" for i in at), f"{array[at]} is no feature; they must be finite")
    return array.tolist()


def _rising(points: Any, arms: Any) -> tuple[Any, Any]:
    """The arms in ascending order, as the server needs them, each with its row. The server rejects wrong arms."""
    listed = np.asarray(unmasked(arms, "arms"))
    if listed.dtype.kind in "UO":
        return points, listed.tolist()  # names, which the server puts into their order
    if listed.ndim != 1 or listed.dtype.kind not in "iu" or (points is not None and len(points) != len(listed)):
        return points, arms
    order = np.argsort(listed, kind="stable")
    return None if points is None else [points[i] for i in order], listed[order]


def check_same(created: Mapping[str, Any], served: Mapping[str, Any]) -> None:
    """Compares the arguments that would have created a posse with the definition that the server has. SpecificationError
    names the first difference."""
    own = {"expire_seconds": 0, "record": False, "retired": []}
    other = {key: created.get(key, default) for key, default in own.items() if key in created or key in served}
    arguments = {key: value for key, value in created.items() if key != "name" and key not in own}
    wanted = {**Posse(**arguments).definition, **other}
    if (found := _difference(wanted, {key: value for key, value in served.items() if key != "name"}, "")) is not None:
        path, ours, theirs = found
        text = f"the posse exists and has {theirs}, but create has {ours}; `definition` is what it has"
        raise SpecificationError(Problem(text, path=path))


def _difference(ours: Any, theirs: Any, path: str) -> tuple[str, str, str] | None:
    """The path of the first difference, and both values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        pairs = [(f"{path}.{key}" if path else key, ours.get(key), theirs.get(key)) for key in {**ours, **theirs}]
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(ours, theirs, strict=True))]
    elif isinstance(ours, list) and isinstance(theirs, list):
        return path, f"{len(ours)} of them", f"{len(theirs)} of them"
    else:
        return None if ours == theirs else (path, json.dumps(ours), json.dumps(theirs))
    return next((found for at, a, b in pairs if (found := _difference(a, b, at)) is not None), None)


def token_of(decision: ServedDecision | str) -> str:
    if isinstance(decision, ServedDecision):
        return decision.token
    if not isinstance(decision, str):
        raise TypeError(f"a decision of this posse or its token is needed, not {type(decision).__name__}")
    return decision


def reward_of(reward: float) -> float:
    """JSON has no word for what is not finite."""
    number = float(unmasked_rewards(reward))
    if not math.isfinite(number):
        raise RewardError(f"a reward must be finite and at most 1e100, not {number}")
    return number


def count_of(n: int) -> int:
    """How many decisions one request is to make."""
    count = operator.index(n)
    if not 1 <= count <= DECISIONS:
        raise ValueError(f"one request makes from 1 to {DECISIONS} decisions, not {count}")
    return count


def pairs_of(
    decisions: Iterable[ServedDecision | str | tuple[ServedDecision | str, float]], rewards: Iterable[float] | None
) -> Iterable[tuple[ServedDecision | str, float]]:
    """Decisions with their rewards, where `rewards` may be left out if each decision comes in a pair with its own."""
    if rewards is None:
        return decisions  # type: ignore[return-value]
    one, other = list(decisions), list(rewards)
    if len(one) != len(other):
        raise ValueError(f"{len(one)} decisions, and {len(other)} rewards")
    return zip(one, other, strict=True)  # type: ignore[arg-type]


def rewards_of(rewards: Iterable[tuple[ServedDecision | str, float]]) -> list[tuple[str, float]]:
    return [(token_of(decision), reward_of(reward)) for decision, reward in rewards]
