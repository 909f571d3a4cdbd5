# SPDX-License-Identifier: MIT
"""A posse that `posse serve` keeps, with the verbs of `posse.Posse`. The connection needs Python's own library only."""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import threading
import time
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posse.contexts import reals
from posse.errors import (
    AbsentError,
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
from posse.lessons import played
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

IDLE = 45.0  # seconds: the server closes connections that are idle for 60, and a request must not collide with that
LATER = (429, 503)  # the request had no effect, and may be tried again


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class _Refusal(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, answer: dict[str, Any]):
        self.status = status
        self.text = answer.get("error", "the server refuses it")
        self.path = answer.get("path", "")
        self.problems = [Problem(p["error"], path=p.get("path", "")) for p in answer.get("problems", [answer])]


class _Lost(Exception):
    """There was no answer. sent: the server may have executed the request."""

    def __init__(self, why: Exception, sent: bool):
        super().__init__(str(why) or type(why).__name__)
        self.sent = sent


class _Wire:
    """Requests and answers. Each thread, and each process, has a connection of its own."""

    def __init__(self, url: str, token: str | None, timeout: float, retries: int, backoff: float, unix_socket: str | None):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"a posse on a server is http://HOST:PORT/NAME, not {url!r}")
        before, _, name = parts.path.rstrip("/").rpartition("/")
        if not name:
            raise ValueError(f"the name of the posse is missing: {url.rstrip('/')}/NAME")
        self.name = urllib.parse.unquote(name)
        self.before, self.parts, self.unix_socket = before, parts, unix_socket
        self.timeout, self.retries, self.backoff = timeout, retries, backoff
        self.headers = {"Content-Type": "application/json"}
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"
        self.own = threading.local()

    def open(self) -> http.client.HTTPConnection:
        if self.unix_socket is not None:
            return _UnixConnection(self.unix_socket, self.timeout)
        kind = http.client.HTTPSConnection if self.parts.scheme == "https" else http.client.HTTPConnection
        return kind(self.parts.hostname or "", self.parts.port or (443 if kind is http.client.HTTPSConnection else 7677), timeout=self.timeout)

    def connection(self) -> http.client.HTTPConnection:
        """The connection of this thread. After a fork, and after a long time without requests, it is a new one."""
        own = self.own
        if getattr(own, "process", None) != os.getpid() or time.monotonic() - own.used > IDLE:
            self.close()
            own.process, own.connection = os.getpid(), self.open()
        own.used = time.monotonic()
        return own.connection

    def close(self) -> None:
        """Closes the connection. If it is from before a fork, only the copy of this process is closed."""
        if getattr(self.own, "process", None) is not None:
            self.own.connection.close()
        self.own.process = None

    def once(self, method: str, path: str, body: bytes | None) -> tuple[int, http.client.HTTPResponse, bytes]:
        sent = False
        try:
            connection = self.connection()
            if connection.sock is None:
                connection.connect()
            sent = True
            connection.request(method, self.before + path, body, self.headers)
            answer = connection.getresponse()
            return answer.status, answer, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise _Lost(error, sent) from error

    def ask(self, method: str, path: str, body: Any = None, *, repeatable: bool = True) -> Any:
        """Returns the answer. A request that had no effect is tried again. A request that may have had one is tried
        again only if it is `repeatable`. body: an object, or its JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body, default=_plain, allow_nan=False).encode()
        for attempt in range(self.retries + 1):
            last = attempt == self.retries
            try:
                status, answer, text = self.once(method, path, data)
            except _Lost as lost:
                if last or (lost.sent and not repeatable):
                    raise UnreachableError(f"{self.parts.netloc or self.unix_socket}: {lost}") from lost.__cause__
                self.wait(attempt, 0.0)
                continue
            if status in LATER and not last:
                self.wait(attempt, float(answer.headers.get("Retry-After", 0)) if status == 503 else 0.0)
                continue
            return self.read(status, answer, text)

    def wait(self, attempt: int, least: float) -> None:
        """Waits twice as long each time, with a random factor, so that clients do not retry in step."""
        time.sleep(max(min(least, self.timeout), self.backoff * 2**attempt * (0.5 + random.random())))

    def read(self, status: int, answer: http.client.HTTPResponse, text: bytes) -> Any:
        if not (answer.headers.get("Content-Type") or "").startswith("application/json"):
            if status >= 400:
                raise _Refusal(status, {"error": f"{status} {answer.reason}"})
            return text
        said = json.loads(text)
        if status >= 400:
            raise _Refusal(status, said)
        return said


def _plain(value: Any) -> Any:
    """Converts arrays and numbers of NumPy, which JSON does not have."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent to a server")


def _raise(refusal: _Refusal, kind: type[Error]) -> None:
    """Raises the exception that posse.Posse would raise, or one about the server."""
    if refusal.status in (401, 403):
        raise ForbiddenError(refusal.text) from None
    if refusal.status in LATER or refusal.status >= 500:
        raise UnreachableError(refusal.text) from None
    if refusal.status == 404 and refusal.text.startswith("there is no posse"):
        raise MissingError(refusal.text) from None
    if refusal.path == "n":
        raise ValueError(refusal.text) from None
    if refusal.path.startswith("context") or (kind is not SpecificationError and refusal.path.startswith(("arms.", "arms["))):
        raise ContextError(refusal.problems[0]) from None
    if refusal.path == "reward" or refusal.path.endswith(".reward"):
        raise RewardError(refusal.problems[0]) from None
    if kind is SpecificationError:
        raise SpecificationError(*refusal.problems) from None
    raise kind(refusal.problems[0] if refusal.path else refusal.text) from None


class HttpPosse(ServedPosse):
    """A posse that a server keeps, made by `posse.connect`. Threads may share it, and so may processes after a fork.

    It decides and learns as `posse.Posse` does, with the same decisions bit for bit. `turn`, `decide_many`,
    `learn_many` and `teach_many` do many in one request. A reward may be sent again, so requests whose answers were
    lost are repeated. A decision whose answer was lost stays pending until it expires."""

    def __init__(self, wire: _Wire):
        self._wire = wire
        self._path = "/v1/posses/" + urllib.parse.quote(wire.name, safe="")

    def __repr__(self) -> str:
        return f"<posse.HttpPosse {self.name!r} at {self._wire.unix_socket or self._wire.parts.netloc}>"

    def __enter__(self) -> HttpPosse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection of this thread. It is opened again when it is needed."""
        self._wire.close()

    @property
    def name(self) -> str:
        """The name of the posse on the server."""
        return self._wire.name

    # --- asking -----------------------------------------------------------------------------------------------------

    def _ask(self, method: str, path: str, body: Any = None, *, kind: type[Error] = Error, repeatable: bool = True) -> Any:
        try:
            return self._wire.ask(method, self._path + path, body, repeatable=repeatable)
        except _Refusal as refusal:
            return _raise(refusal, kind)

    def _state(self) -> dict[str, Any]:
        self._known = self._ask("GET", "")
        return self._known

    def _arms(self) -> list[dict[str, Any]]:
        return self._ask("GET", "/arms")["arms"]

    def _round(self, context: Any, points: Any = None, shared: Any = None, arms: Any = None) -> dict[str, Any]:
        """The keys of a request that has a round. With features by name, the arms stand beside the context."""
        said = self._context(context, points, shared, arms)
        if said is None:
            return {}
        return said if "context" in said else {"context": said}

    # --- decisions ---------------------------------------------------------------------------------------------------

    def _visit(self, verb: str, features: tuple[Any, Any, Any, Any], unit: str | None, defer: bool) -> ServedDecision:
        body = self._round(*features)
        if unit is not None:
            body["unit"] = unit
        if defer:
            body["defer"] = True
        return self._decision(self._ask("POST", "/" + verb, body, kind=ContextError))

    def activate(self, decision: ServedDecision | str, /) -> None:
        """Makes a suggestion, of shadow mode or of `decide(defer=True)`, a decision: its arm was played."""
        self._ask("POST", "/activate", {"token": token_of(decision)}, kind=DecisionError)

    def set_modes(self, **modes: float | str | None) -> None:
        """Changes the modes that are named, and leaves the others as they are: control (an arm, or None), holdback (a
        share), paused, shadow, units, sticky_rounds, sticky_seconds."""
        self._ask("POST", "/modes", modes, kind=SpecificationError)

    @property
    def modes(self) -> dict[str, Any]:
        """All modes, as `set_modes` takes them."""
        return dict(self._ask("GET", "/modes"))

    def _decided_alike(self, n: int, features: tuple[Any, Any, Any, Any]) -> list[ServedDecision]:
        answer = self._ask("POST", "/decide", {"n": n, **self._round(*features)}, kind=ContextError)
        return [self._decision(d) for d in answer["decisions"]]

    def _decided(self, said: list[str]) -> list[ServedDecision] | Problem:
        try:
            answer = self._wire.ask("POST", self._path + "/decide", _list("rounds", said))
        except _Refusal as refusal:
            if refusal.path.startswith("rounds"):
                return refusal.problems[0]
            _raise(refusal, ContextError)
        return [self._decision(d) for d in answer["decisions"]]

    def learn(self, decision: ServedDecision | str, /, reward: float) -> None:
        """Sends the reward of a decision, or of its token. The same reward may be sent again; another one is a
        DecisionError."""
        self._ask("POST", "/learn", {"token": token_of(decision), "reward": reward_of(reward)}, kind=DecisionError)

    def learn_many(
        self,
        decisions: Iterable[ServedDecision | str | tuple[ServedDecision | str, float]],
        /,
        rewards: Iterable[float] | None = None,
    ) -> None:
        """Sends many rewards in one request: all are learned, or none. Without `rewards`, decisions
        are pairs of a decision and its reward."""
        self._ask("POST", "/learn", {"rewards": _rewards(pairs_of(decisions, rewards))}, kind=DecisionError)

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
        """Learns rewards and then decides n times, in one request and one commit."""
        body = {"rewards": _rewards(rewards), "n": count_of(n), **self._round(context, points, shared, arms)}
        return [self._decision(d) for d in self._ask("POST", "/turn", body, kind=DecisionError)["decisions"]]

    def forget_unit(self, unit: str, /) -> bool:
        """Erases what belongs to a unit from the log, and returns whether the posse remembered an arm of it. Bearer
        tokens need the role admin."""
        return bool(self._ask("POST", f"/erase?confirm={self.name}", {"unit": unit})["known"])

    def forget(self, decision: ServedDecision | str, /) -> None:
        """Ends a decision whose reward will never come."""
        self._ask("POST", "/forget", {"token": token_of(decision)}, kind=DecisionError)

    def acted(
        self,
        decision: ServedDecision | str,
        arm: int | str | ArrayLike,
        /,
        *,
        context: AnyContext | None = None,
    ) -> None:
        """Reports what an external learner has played: an arm, or a point on the ball."""
        body = {"token": token_of(decision), **played(arm), **self._round(context)}
        self._ask("POST", "/acted", body, kind=DecisionError)

    def teach(self, arm: int | str | ArrayLike, /, reward: float, *, context: AnyContext | None = None) -> None:
        """Teaches a reward that no decision of this posse made. To send it again would teach it twice, so it is not
        repeated. UnreachableError: it may or may not have been learned."""
        body = {**played(arm), "reward": reward_of(reward), **self._round(context)}
        self._ask("POST", "/teach", body, kind=LearnerError, repeatable=False)

    def _taught(self, plays: list[str]) -> Problem | None:
        try:
            self._wire.ask("POST", self._path + "/teach", _list("plays", plays), repeatable=False)
        except _Refusal as refusal:
            if refusal.path.startswith("plays"):
                return refusal.problems[0]
            _raise(refusal, LearnerError)
        return None

    def expire(self, age: int, /, *, deferred: bool = False) -> int:
        """Expires the decisions that at least `age` later ones have followed, 0 all of them, and returns their number.
        With `deferred`, these are the deferred ones that were not activated, which nothing else expires. A request
        expires 50,000 at most, and fewer if they are costly to learn."""
        said = {"age": age, "deferred": True} if deferred else {"age": age}
        return int(self._ask("POST", "/expire", said, kind=DecisionError)["expired"])

    def next_task(self) -> None:
        """Begins the next task. Pending decisions are forgotten. It is not repeated. UnreachableError: the task may or
        may not have begun."""
        self._ask("POST", "/next_task", {}, repeatable=False)

    @property
    def definition(self) -> dict[str, Any]:
        """The arguments that would create it again, with defaults filled in, added learners and arms included, and
        retired learners left out."""
        return dict(self._ask("GET", "/definition"))

    def _decision(self, said: Mapping[str, Any]) -> ServedDecision:
        point = said.get("point")
        return ServedDecision(
            said["token"] or "",
            said["arm"],
            self._place(said["learner"]),
            said["learner"],
            said.get("external", False),
            np.array(point) if point is not None else None,
            said.get("propensity"),
            said.get("name"),
            said.get("mode"),
        )

    # --- learners and arms --------------------------------------------------------------------------------------------

    def add_learner(self, learner: str | Mapping[str, Any], /) -> int:
        """Adds a learner, and returns its place."""
        body = {"kind": learner} if isinstance(learner, str) else dict(learner)
        name = self._ask("POST", "/learners", body, kind=SpecificationError, repeatable=False)["learner"]
        self._known = None
        return self._place(name)

    def retire_learner(self, learner: int | str, /) -> None:
        """Retires a learner, by its place or its name: it is not chosen again."""
        self._ask("DELETE", "/learners/" + urllib.parse.quote(self._name(learner), safe=""), kind=LearnerError)

    def add_arm(self, point: ArrayLike | None = None, *, name: str | None = None) -> int:
        """Adds an arm, and returns its number."""
        body: dict[str, Any] = {} if point is None else {"point": reals(point, "point").tolist()}
        if name is not None:
            body["name"] = name
        arm = self._ask("POST", "/arms", body, kind=LearnerError, repeatable=False)["arm"]
        self._known = None
        return arm

    def retire_arm(self, arm: int | str, /) -> None:
        """Retires an arm, by number or name: it is not played again."""
        self._ask("DELETE", "/arms/" + urllib.parse.quote(self._text_of_arm(arm), safe=""), kind=LearnerError)

    def report(self, control: int | str | None = None) -> Report:
        """By when will I know? control: what the lifts are compared with, an arm, or a learner if there are no arms."""
        query = "" if control is None else "?control=" + urllib.parse.quote(self._control(control), safe="")
        return read_report(json.dumps(self._ask("GET", "/report" + query, kind=LearnerError)))

    def delete(self) -> None:
        """Deletes the posse from the server, for good."""
        self._ask("DELETE", "?confirm=" + urllib.parse.quote(self.name, safe=""))

    # --- what it is ----------------------------------------------------------------------------------------------------

    @property
    def potentials(self) -> NDArray[np.float64]:
        """The selector's potential of each learner, which is its charge. AbsentError: it has none."""
        answer = self._ask("GET", "/potentials", kind=AbsentError)
        return _numbers((entry["potential"] for entry in answer["potentials"]), np.inf)

    @property
    def regrets(self) -> NDArray[np.float64]:
        """The regret of each learner's past plays, if the selector's belief were right in its mean."""
        for frame in self.watch(frames=1):
            values = [learner["regret"] for learner in frame["learners"]]
            if len(values) < frame["learner_count"] or (values and all(value is None for value in values)):
                break
            return _numbers(values)
        raise AbsentError("the selector of this posse has no regrets, or more learners than the server reports")

    def watch(self, frames: int | None = None) -> Iterator[dict[str, Any]]:
        """Yields the state that the board shows, whenever it has changed, twice a second at most. It ends after this
        number of frames (None: never), and when the posse is deleted."""
        connection = self._wire.open()
        try:
            query = "" if frames is None else f"?frames={frames}"
            connection.request("GET", f"{self._wire.before}{self._path}/events{query}", headers=self._wire.headers)
            connection.sock.settimeout(max(30.0, self._wire.timeout))  # the server is silent for 15 seconds at most
            answer = connection.getresponse()
            if answer.status != 200:
                self._wire.read(answer.status, answer, answer.read())
            kind = ""
            for line in answer:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key == "event":
                    kind = value
                elif key == "data" and kind == "state":
                    yield json.loads(value)
        except _Refusal as refusal:
            _raise(refusal, Error)
        except (OSError, http.client.HTTPException) as error:
            raise UnreachableError(str(error) or type(error).__name__) from error
        finally:
            connection.close()


def _list(key: str, entries: list[str]) -> bytes:
    """The body of a request with a list of entries, which are JSON."""
    return f'{{"{key}": [{",".join(entries)}]}}'.encode()


def _rewards(rewards: Iterable[tuple[ServedDecision | str, float]]) -> list[dict[str, Any]]:
    return [{"token": token, "reward": reward} for token, reward in rewards_of(rewards)]


def _numbers(values: Iterable[float | None], absent: float = np.nan) -> NDArray[np.float64]:
    """Numbers from JSON, where null stands for `absent`: NaN, or infinity for a potential."""
    return np.array([absent if value is None else value for value in values], dtype=np.float64)


def connect_http(
    url: str,
    *,
    token: str | None = None,
    create: Mapping[str, Any] | None = None,
    timeout: float = 10.0,
    retries: int = 5,
    backoff: float = 0.1,
    unix_socket: str | os.PathLike[str] | None = None,
) -> HttpPosse:
    """A posse on a server: connect_http("http://127.0.0.1:7677/ads").

    token: the bearer token, if the server needs one. create: the arguments of posse.Posse, which create the posse if it
    does not exist; an existing posse must have the same definition. timeout: seconds for one answer. retries: how often a request is
    tried again, after `backoff` seconds and then twice as long each time. unix_socket: the path of the server's socket,
    with any host in the URL.

    SpecificationError: `create` is wrong, or the posse has another definition. UnreachableError: there is no such
    server. MissingError: it has no such posse. ForbiddenError: the token does not have the right."""
    wire = _Wire(url, token, timeout, retries, backoff, os.fspath(unix_socket) if unix_socket is not None else None)
    made = HttpPosse(wire)
    if create is not None:
        try:
            wire.ask("POST", "/v1/posses", {**create, "name": wire.name})
        except _Refusal as refusal:
            if refusal.status != 409:
                made.close()
                _raise(refusal, SpecificationError)
            try:
                check_same(create, made.definition)
            except Error:
                made.close()
                raise
    try:
        made._state()
    except Error:
        made.close()
        raise
    return made
