# SPDX-License-Identifier: MIT
"""The exceptions of the package. Messages are the library's own; `code` is the name of its error."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posse.served import ServedDecision


class Error(Exception):
    """The base of all exceptions of posse. Running out of memory is Python's own MemoryError."""

    code: str = ""
    """The name of the library's error, "POSSE_ERROR_REWARD"; empty if it has none."""

    made: Sequence[ServedDecision] = ()
    """The decisions that `decide_many` of a connected posse made before this. They wait for their rewards."""


class Problem(str):
    """A problem of a description, and its place. As a text it is the line that is printed."""

    text: str
    """The message, without the place."""

    path: str
    """The place in the description, like ``learners[2].belief.sd``; empty: the whole description."""

    line: int
    """The line in the file, from 1; 0: there is no file, or the problem has no single place in it."""

    column: int
    """The column in characters, from 1; 0 if `line` is 0."""

    file: str | None
    """The file, as it was given; None: there is none."""

    def __new__(
        cls, text: str, *, path: str = "", line: int = 0, column: int = 0, file: str | None = None, label: str = ""
    ) -> Problem:
        """label: the name of the part that the problem is about, if the position in the file does not show it."""
        places = [path] if file is None else [f"{file}:{line}:{column}", label] if line else [file, path]
        self = super().__new__(cls, ": ".join([*filter(None, places), text]))
        self.text, self.path, self.line, self.column, self.file = text, path, line, column, file
        return self


class SpecificationError(Error, ValueError):
    """The description of a posse or an experiment is wrong. The text has a line for each problem, with its place: the
    line and column of a file, or a path like ``learners[2].width``."""

    def __init__(self, *problems: str):
        super().__init__(*(one if isinstance(one, Problem) else Problem(one) for one in problems))

    def __str__(self) -> str:
        return "\n".join(self.args)

    @property
    def problems(self) -> list[Problem]:
        """The problems, in the order of the description."""
        return list(self.args)


class AbsentFileError(SpecificationError, FileNotFoundError):
    """The file that a call got does not exist: that of an experiment, or a prior to be read or fitted. `filename` is its
    path. A prior that a description names, {"file": ...}, is a problem of that description, a SpecificationError."""

    def __init__(self, path: str):
        super().__init__(Problem(os.strerror(errno.ENOENT), file=path))
        self.errno, self.strerror, self.filename = errno.ENOENT, os.strerror(errno.ENOENT), path

    def __reduce__(self) -> tuple[type[AbsentFileError], tuple[str]]:
        return type(self), (self.filename,)


def existing(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """The path of a file. AbsentFileError: there is none. Other errors are left to the module in C, which opens it."""
    try:
        os.stat(path)
    except FileNotFoundError:
        raise AbsentFileError(os.fsdecode(path)) from None
    except (OSError, ValueError):
        pass
    return path


class ContextError(Error, ValueError):
    """The context does not fit this posse, or is missing. `problem` has the message, and a path like
    ``context.arms[2]``."""

    def __init__(self, problem: str):
        super().__init__(problem if isinstance(problem, Problem) else Problem(problem))

    @property
    def problem(self) -> Problem:
        """The problem and its place."""
        return self.args[0]


class RewardError(Error, ValueError):
    """The reward is not finite, beyond 1e100, or outside [0, 1] where that is needed."""


class DecisionError(Error, LookupError):
    """No decision has that id, it has its reward already or was forgotten, another posse made it, or its learner is
    external and its arm was not reported yet (`Posse.acted`)."""


class LearnerError(Error, LookupError):
    """The learner or arm does not exist or cannot be retired, or a learner has picked an arm that does not exist."""


class DamagedError(Error, ValueError):
    """The bytes are not a saved posse, were cut short or altered, or are of another version."""


class AbsentError(Error, AttributeError):
    """This selector has no such quantity, and `hasattr` returns False for it."""


class RunError(Error, RuntimeError):
    """An experiment could not finish, or its files could not be written."""


class UnreachableError(Error, ConnectionError):
    """The server does not answer, or reports that it cannot do this now, even after retries."""


class MissingError(Error, LookupError):
    """The server answers, but has no posse of that name. Retries do not help; use `create` of `posse.connect`."""


class ForbiddenError(Error, PermissionError):
    """The server needs a token, or the token does not have the right."""


class BeliefWarning(UserWarning):
    """The rewards of an experiment contradict the belief of a selector: `Competitor.surprise`."""


class ClippingWarning(UserWarning):
    """A selector clipped more than a hundredth of the rewards to its range: `Competitor.clipped`."""


class DeviceWarning(UserWarning):
    """A GPU was asked for, but cannot play the experiment, which was played on the CPU."""
