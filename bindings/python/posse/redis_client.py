# SPDX-License-Identifier: MIT
"""A posse that Redis keeps, with the verbs of `posse.Posse`. It needs redis-py (Debian: python3-redis)."""

from __future__ import annotations

import json
import os
import random
import re
import time
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posse.contexts import reals
from posse.errors import (
    ContextError,
    DecisionError,
    Error,
    ForbiddenError,
    LearnerError,
    MissingError,
    Problem,
    RewardError,
    SpecificationError,
    UnreachableError,
)
from posse.reports import Report, read_report
from posse.served import (
    AnyArms,
    AnyContext,
    ServedDecision,
    ServedPosse,
    check_same,
    count_of,
    pairs_of,
    reward_of,
    rewards_of,
    token_of,
)

LATER = ("LOADING", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "BUSY")  # it had no effect, and may be tried again
DECISIONS = ("CONFLICT", "LOST", "BADTOKEN")  # what is wrong with a token
OPTIONS = ("CONTEXT", "COUNT", "DECIDE", "NOW", "PLAYS", "ROUNDS")  # which a message may begin with
HOPS = 16  # the most redirections from one node of a cluster to another


class _Refusal(Exception):
    """An answer that is no success."""

    def __init__(self, code: str, text: str):
        super().__init__(text)
        self.code, self.text = code, text

    def problems(self) -> list[Problem]:
        """The problems, which the module writes as path: text | path: text."""
        found = []
        for one in self.text.split(" | "):
            place = re.match(r"([\w.\[\]-]+): (.*)", one)
            found.append(Problem(place[2], path=place[1]) if place else Problem(one))
        return found


def _library() -> Any:
    try:
        import redis
    except ImportError:
        raise UnreachableError("redis:// needs redis-py: install python3-redis (Debian), or redis from PyPI") from None
    return redis


class _Wire:
    """Commands and answers, to whichever node of a cluster has the key. Threads may share it, and processes after a
    fork."""

    def __init__(self, url: str, timeout: float, retries: int, backoff: float, unix_socket: str | None):
        self.redis = _library()
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("redis", "rediss") or not (parts.hostname or unix_socket):
            raise ValueError(f"a posse in Redis is redis://HOST:PORT/KEY, not {url!r}")
        self.key = urllib.parse.unquote(parts.path[1:])
        if not self.key:
            raise ValueError(f"the key of the posse is missing: {url.rstrip('/')}/KEY")
        asked = urllib.parse.parse_qs(parts.query)
        if set(asked) - {"db"}:
            raise ValueError(f"a URL of Redis may have ?db=NUMBER, and nothing else: {url!r}")
        self.options: dict[str, Any] = {
            "db": int(asked.get("db", ["0"])[0]),
            "username": urllib.parse.unquote(parts.username) if parts.username else None,
            "password": urllib.parse.unquote(parts.password) if parts.password else None,
            "socket_timeout": timeout,
            "retry": _no_retries(),
            "ssl": parts.scheme == "rediss",
        }
        if unix_socket is not None:
            self.options.update(unix_socket_path=unix_socket, ssl=False)
        self.retries, self.backoff = retries, backoff
        self.place = (parts.hostname or "localhost", parts.port or 6379)
        self.places = [self.place]
        self.clients: dict[tuple[str, int], Any] = {}

    def client(self, place: tuple[str, int]) -> Any:
        if place not in self.clients:
            self.clients[place] = self.redis.Redis(place[0], place[1], **self.options)
        return self.clients[place]

    def close(self) -> None:
        for client in list(self.clients.values()):
            client.close()
            client.connection_pool.disconnect()

    def survey(self) -> None:
        """Stores the places of all nodes of a cluster, in case the present one fails."""
        try:
            slots = self.client(self.place).execute_command("CLUSTER SHARDS")
        except self.redis.RedisError:
            return  # it is no cluster, or the user may not use this command
        for shard in slots:
            for node in _mapped(shard).get("nodes", []):
                place = (node.get("ip") or self.place[0], int(node.get("port") or node.get("tls-port") or 0))
                if place not in self.places:
                    self.places.append(place)

    def once(self, place: tuple[str, int], words: tuple[Any, ...], asking: bool) -> Any:
        client = self.client(place)
        if not asking:
            return client.execute_command(*words)
        with client.pipeline(transaction=False) as pipeline:
            pipeline.execute_command("ASKING")
            pipeline.execute_command(*words)
            return pipeline.execute()[1]

    def ask(self, *words: Any, repeatable: bool = True) -> Any:
        """Returns the answer. A command that had no effect is tried again. A command that may have had one is tried
        again only if it is `repeatable`."""
        if not repeatable:
            self.ask("PING")  # opens the connection, so that this command most probably arrives
        errors, attempt, hops, asking, place = self.redis.exceptions, 0, 0, False, self.place
        while True:
            try:
                answer = self.once(place, words, asking)
                self.place = self.place if asking else place
                return answer
            except errors.AuthenticationError as error:
                raise ForbiddenError(str(error)) from None
            except (errors.ConnectionError, errors.TimeoutError) as error:
                later = isinstance(error, errors.BusyLoadingError)
                if attempt == self.retries or not (repeatable or later):
                    raise UnreachableError(f"{place[0]}:{place[1]}: {error}") from error
                asking, place = False, self.other(place)
            except errors.ResponseError as error:
                code, text = _code(error)
                if code in ("MOVED", "ASK") and hops < HOPS:
                    hops, asking, place = hops + 1, code == "ASK", self.told(place, text)
                    continue
                if code not in LATER or attempt == self.retries:
                    self.refuse(error, code, text)
            self.wait(attempt)
            attempt += 1

    def other(self, place: tuple[str, int]) -> tuple[str, int]:
        """The next place to try."""
        at = self.places.index(place) if place in self.places else -1
        return self.places[(at + 1) % len(self.places)]

    def told(self, place: tuple[str, int], text: str) -> tuple[str, int]:
        """The place of the key that MOVED or ASK has returned: SLOT HOST:PORT."""
        host, _, port = text.split(" ")[-1].rpartition(":")
        there = (host or place[0], int(port))
        if there not in self.places:
            self.places.append(there)
            self.survey()
        return there

    def refuse(self, error: Exception, code: str, text: str) -> None:
        if isinstance(error, getattr(self.redis.exceptions, "NoPermissionError", ())) or code in ("NOPERM", "NOAUTH", "WRONGPASS"):
            raise ForbiddenError(text) from None
        if code == "NOKEY":
            raise MissingError(text) from None
        if code in LATER or code in ("READONLY", "MISCONF", "NOREPLICAS", "OOM", "CROWDED"):
            raise UnreachableError(text) from None
        raise _Refusal(code, text) from None

    def wait(self, attempt: int) -> None:
        """Waits twice as long each time, with a random factor, so that clients do not retry in step."""
        time.sleep(self.backoff * 2**attempt * (0.5 + random.random()))


def _no_retries() -> Any:
    """Switches off the retries of redis-py, which would also repeat commands that must not be repeated."""
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Retry(NoBackoff(), 0)


def _code(error: Exception) -> tuple[str, str]:
    """The word in capitals at the beginning of an error, and the rest. Of some words redis-py makes a class instead."""
    text = str(error)
    known = {"ReadOnlyError": "READONLY", "NoPermissionError": "NOPERM", "MovedError": "MOVED", "AskError": "ASK"}
    if type(error).__name__ in known:
        code = known[type(error).__name__]
        return code, text.removeprefix(code + " ")
    first, _, rest = text.partition(" ")
    return (first, rest) if re.fullmatch("[A-Z]{2,}", first) and first not in OPTIONS else ("ERR", text)


def _mapped(answer: Any) -> Any:
    """The data of an answer, in which maps are lists, and texts are bytes."""
    if isinstance(answer, bytes):
        return answer.decode()
    if isinstance(answer, dict):
        return {_mapped(key): _mapped(value) for key, value in answer.items()}
    if not isinstance(answer, list):
        return answer
    if len(answer) % 2 == 0 and answer and all(isinstance(key, bytes) for key in answer[::2]):
        return {key.decode(): _mapped(value) for key, value in zip(answer[::2], answer[1::2], strict=True)}
    return [_mapped(one) for one in answer]


class RedisPosse(ServedPosse):
    """A posse that Redis keeps, made by `posse.connect`. Threads may share it, and so may processes after a fork.

    It decides and learns as `posse.Posse` does, with the same decisions bit for bit. `turn`, `decide_many`,
    `learn_many` and `teach_many` do many in one command. A reward may be sent again, so commands whose answers were
    lost are repeated, at another node of a cluster if necessary. A decision whose answer was lost stays pending until
    it expires."""

    def __init__(self, wire: _Wire):
        self._wire = wire

    def __repr__(self) -> str:
        return f"<posse.RedisPosse {self.name!r} at {self._wire.place[0]}:{self._wire.place[1]}>"

    def __enter__(self) -> RedisPosse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections. They are opened again when they are needed."""
        self._wire.close()

    @property
    def name(self) -> str:
        """The key of the posse."""
        return self._wire.key

    # --- asking -----------------------------------------------------------------------------------------------------

    def _ask(self, verb: str, *words: Any, kind: type[Error] = Error, repeatable: bool = True) -> Any:
        command, _, part = verb.partition(" ")
        before = (part,) if part else ()
        try:
            return self._wire.ask(f"POSSE.{command}", *before, self.name, *words, repeatable=repeatable)
        except _Refusal as refusal:
            self._raise(refusal, kind)

    def _raise(self, refusal: _Refusal, kind: type[Error]) -> None:
        """Raises the exception that posse.Posse would raise."""
        problems = refusal.problems()
        if refusal.code == "BADREWARD":
            raise RewardError(refusal.text) from None
        if refusal.code in DECISIONS:
            raise (kind if kind is LearnerError else DecisionError)(refusal.text) from None
        path = problems[0].path
        by_name = kind is not SpecificationError and path.startswith(("arms.", "arms["))
        if path.startswith("context") or by_name or refusal.text.startswith("CONTEXT"):
            raise ContextError(problems[0]) from None
        if kind is SpecificationError:
            raise SpecificationError(*problems) from None
        raise kind(refusal.text) from None

    def _state(self) -> dict[str, Any]:
        self._known = _mapped(self._ask("INFO"))
        return self._known  # type: ignore[return-value]

    def _arms(self) -> list[dict[str, Any]]:
        return list(_mapped(self._ask("INFO", "ARMS"))["expectations"])

    # --- decisions ---------------------------------------------------------------------------------------------------

    def _visit(self, verb: str, features: tuple[Any, Any, Any, Any], unit: str | None, defer: bool) -> ServedDecision:
        words = self._said(*features)
        if unit is not None:
            words = (*words, "UNIT", unit)
        if defer:
            words = (*words, "DEFER")
        return self._decision(self._ask(verb.upper(), *words, kind=ContextError))

    def activate(self, decision: ServedDecision | str, /) -> None:
        """Makes a suggestion, of shadow mode or of `decide(defer=True)`, a decision: its arm was played."""
        self._ask("ACTIVATE", token_of(decision), kind=DecisionError)

    def set_modes(self, **modes: float | str | None) -> None:
        """Changes the modes that are named, and leaves the others as they are: control (an arm, or None), holdback (a
        share), paused, shadow, units, sticky_rounds, sticky_seconds."""
        self._ask("MODES", json.dumps(modes, default=_plain), kind=SpecificationError)

    @property
    def modes(self) -> dict[str, Any]:
        """All modes, as `set_modes` takes them."""
        return dict(json.loads(self._ask("MODES")))

    def _decided_alike(self, n: int, features: tuple[Any, Any, Any, Any]) -> list[ServedDecision]:
        return [self._decision(d) for d in self._ask("DECIDE", "COUNT", n, *self._said(*features), kind=ContextError)]

    def _decided(self, said: list[str]) -> list[ServedDecision] | Problem:
        try:
            answer = self._wire.ask("POSSE.DECIDE", self.name, "ROUNDS", f"[{','.join(said)}]")
        except _Refusal as refusal:
            if (problem := refusal.problems()[0]).path.startswith("rounds") or problem.text.startswith("ROUNDS"):
                return problem
            self._raise(refusal, ContextError)
        return [self._decision(d) for d in answer]

    def learn(self, decision: ServedDecision | str, /, reward: float) -> None:
        """Sends the reward of a decision, or of its token. The same reward may be sent again; another one is a
        DecisionError."""
        self._ask("LEARN", token_of(decision), repr(reward_of(reward)), kind=DecisionError)

    def learn_many(
        self,
        decisions: Iterable[ServedDecision | str | tuple[ServedDecision | str, float]],
        /,
        rewards: Iterable[float] | None = None,
    ) -> None:
        """Sends many rewards in one command: all are learned, or none. Without `rewards`, decisions
        are pairs of a decision and its reward."""
        if words := _words(pairs_of(decisions, rewards)):
            self._ask("LEARN", *words, kind=DecisionError)

    def turn(
        self,
        rewards: Iterable[tuple[ServedDecision | str, float]] = (),
        n: int = 1,
        context: AnyContext | None = None,
        *,
        points: ArrayLike | None = None,
        shared: ArrayLike | None = None,
        arms: AnyArms | None = None,
    ) -> list[ServedDecision]:
        """Learns rewards and then decides n times, in one command."""
        words, said = _words(rewards), self._said(context, points, shared, arms)
        learn = ("LEARN", *words) if words else ()
        return [self._decision(d) for d in self._ask("TURN", *learn, "DECIDE", count_of(n), *said, kind=DecisionError)[1]]

    def forget_unit(self, unit: str, /) -> bool:
        """Forgets which arm a unit keeps, and returns whether it was remembered."""
        return bool(self._ask("ERASE", unit))

    def forget(self, decision: ServedDecision | str, /) -> None:
        """Ends a decision whose reward will never come."""
        self._ask("FORGET", token_of(decision), kind=DecisionError)

    def expire(self, age: int, /, *, deferred: bool = False) -> int:
        """Expires the decisions that at least `age` later ones have followed, 0 all of them, and returns their number.
        With `deferred`, these are the deferred ones that were not activated, which nothing else expires. A request
        expires 50,000 at most, and fewer if they are costly to learn."""
        return int(self._ask("EXPIRE", age, *(["DEFERRED"] if deferred else []), kind=DecisionError))

    def acted(
        self, decision: ServedDecision | str, arm: int | str | ArrayLike, /, *, context: AnyContext | None = None
    ) -> None:
        """Reports what an external learner has played: an arm, or a point on the ball."""
        self._ask("ACTED", token_of(decision), self._played(arm), *self._said(context, None, None, None), kind=DecisionError)

    def teach(self, arm: int | str | ArrayLike, /, reward: float, *, context: AnyContext | None = None) -> None:
        """Teaches a reward that no decision of this posse made. To send it again would teach it twice, so it is not
        repeated. UnreachableError: it may or may not have been learned."""
        said = self._said(context, None, None, None)
        self._ask("TEACH", self._played(arm), repr(reward_of(reward)), *said, kind=LearnerError, repeatable=False)

    def _taught(self, plays: list[str]) -> Problem | None:
        try:
            self._wire.ask("POSSE.TEACH", self.name, "PLAYS", f"[{','.join(plays)}]", repeatable=False)
        except _Refusal as refusal:
            if (problem := refusal.problems()[0]).path.startswith("plays") or problem.text.startswith("PLAYS"):
                return problem
            self._raise(refusal, LearnerError)
        return None

    def next_task(self) -> None:
        """Begins the next task. Pending decisions are forgotten. It is not repeated. UnreachableError: the task may or
        may not have begun."""
        self._ask("NEXTTASK", repeatable=False)

    @property
    def definition(self) -> dict[str, Any]:
        """The arguments that would create it again, with defaults filled in, added learners and arms included, and
        retired learners left out."""
        return dict(json.loads(self._ask("DEFINITION")))

    def _said(self, context: Any, points: Any, shared: Any, arms: Any) -> tuple[str, ...]:
        said = self._context(context, points, shared, arms)
        return () if said is None else ("CONTEXT", json.dumps(said))

    def report(self, control: int | str | None = None) -> Report:
        """By when will I know? control: what the lifts are compared with, an arm, or a learner if there are no arms."""
        words: tuple[str, ...] = () if control is None else ("CONTROL", self._control(control))
        return read_report(self._ask("REPORT", *words, kind=LearnerError))

    def _played(self, arm: int | str | ArrayLike) -> str:
        """An arm as Redis takes it. Only a posse whose arms have names must be asked for them."""
        if isinstance(arm, str) or (isinstance(arm, (int, np.integer)) and self._is_named()):
            return self._text_of_arm(arm)
        return _arm(arm)

    def _is_named(self) -> bool:
        return bool(self._shape().get("named", 0))

    def _decision(self, said: list[Any]) -> ServedDecision:
        token, arm, learner, propensity, point, called, mode = (*said, None, None, None, None)[:7]
        name = learner.decode()
        return ServedDecision(
            token.decode() if token is not None else "",
            arm,
            self._place(name),
            name,
            arm is None and point is None,
            np.array([float(x) for x in point]) if point is not None else None,
            float(propensity) if propensity is not None else None,
            called.decode() if called is not None else None,
            mode.decode() if mode is not None else None,
        )

    # --- learners and arms -------------------------------------------------------------------------------------------

    def add_learner(self, learner: str | Mapping[str, Any], /) -> int:
        """Adds a learner, and returns its place."""
        text = json.dumps({"kind": learner} if isinstance(learner, str) else dict(learner), default=_plain)
        place = int(self._ask("LEARNER ADD", text, kind=SpecificationError, repeatable=False))
        self._known = None
        return place

    def retire_learner(self, learner: int | str, /) -> None:
        """Retires a learner, by its place or its name: it is not chosen again."""
        self._ask("LEARNER RETIRE", self._name(learner), kind=LearnerError)

    def add_arm(self, point: ArrayLike | None = None, *, name: str | None = None) -> int:
        """Adds an arm, and returns its number."""
        words: tuple[str, ...] = () if point is None else (json.dumps(reals(point, "point").tolist()),)
        if name is not None:
            words = (*words, "NAME", name)
        arm = int(self._ask("ARM ADD", *words, kind=LearnerError, repeatable=False))
        self._known = None
        return arm

    def retire_arm(self, arm: int | str, /) -> None:
        """Retires an arm, by number or name: it is not played again."""
        self._ask("ARM RETIRE", self._text_of_arm(arm), kind=LearnerError)

    def delete(self) -> None:
        """Deletes the posse, for good."""
        self._wire.ask("UNLINK", self.name)

    # --- numbers of learners -----------------------------------------------------------------------------------------

    @property
    def potentials(self) -> NDArray[np.float64]:
        """The selector's potential of each learner, which is its charge. AbsentError: it has none."""
        return self._each(self._state()["learners"], "potential")

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each learner in the latest choice. AbsentError: no learner was chosen yet."""
        return self._each(self._state()["learners"], "probability")


def _plain(value: Any) -> Any:
    """Converts arrays and numbers of NumPy, which JSON does not have."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent to a server")


def _words(rewards: Iterable[tuple[ServedDecision | str, float]]) -> list[str]:
    return [word for token, reward in rewards_of(rewards) for word in (token, repr(reward))]


def _arm(arm: int | ArrayLike) -> str:
    return str(int(arm)) if isinstance(arm, (int, np.integer)) else json.dumps(reals(arm, "point").tolist())


def connect_redis(
    url: str,
    *,
    create: Mapping[str, Any] | None = None,
    timeout: float = 10.0,
    retries: int = 8,
    backoff: float = 0.1,
    unix_socket: str | os.PathLike[str] | None = None,
) -> RedisPosse:
    """A posse in Redis: connect_redis("redis://127.0.0.1:6379/ads"), of one server or of any node of a cluster.

    The URL may have a user and a password, and a database, ?db=1; rediss:// is Redis behind TLS. create: the arguments
    of posse.Posse, which create the posse if there is nothing at that key; an existing posse must have the same definition. timeout:
    seconds for one answer. retries: how often a command is tried again, after `backoff` seconds and then twice as long
    each time. unix_socket: the path of the server's socket, with any host in the URL.

    SpecificationError: `create` is wrong, or the posse has another definition. UnreachableError: there is no such server. MissingError: there is no posse at
    this key. ForbiddenError: the user does not have the right."""
    wire = _Wire(url, timeout, retries, backoff, os.fspath(unix_socket) if unix_socket is not None else None)
    made = RedisPosse(wire)
    wire.survey()
    if create is not None:
        try:
            wire.ask("POSSE.CREATE", wire.key, json.dumps({**create}, default=_plain))
        except _Refusal as refusal:
            if refusal.code != "BUSYKEY":
                made._raise(refusal, SpecificationError)
            try:
                check_same(create, made.definition)
            except Error:
                made.close()
                raise
    made._state()
    return made
