# SPDX-License-Identifier: MIT
"""What can go wrong. Messages are the library's own; `code` is the name of its error."""

from __future__ import annotations


class Error(Exception):
    """Anything that posse has to say. Running out of memory is Python's own MemoryError."""

    code: str = ""
    """The name of the library's error, "POSSE_ERROR_REWARD"; empty where it has none."""


class Problem(str):
    """What is wrong with a description, and where. As a text it is the line that is printed."""

    text: str
    """What is wrong, without its place."""

    path: str
    """Where in the description, like ``learners[2].belief.sd``; empty: all of it."""

    line: int
    """Where in the file, from 1; 0: there is no file, or it is not at one place in it."""

    column: int
    """In characters, from 1; 0 where `line` is."""

    file: str | None
    """The file, as it was given; None: there is none."""

    def __new__(
        cls, text: str, *, path: str = "", line: int = 0, column: int = 0, file: str | None = None, label: str = ""
    ) -> Problem:
        """label: what the program calls it, where the position in a file does not show what it is about."""
        places = [path] if file is None else [f"{file}:{line}:{column}", label] if line else [file, path]
        self = super().__new__(cls, ": ".join([*filter(None, places), text]))
        self.text, self.path, self.line, self.column, self.file = text, path, line, column, file
        return self


class SpecificationError(Error, ValueError):
    """A posse or an experiment cannot be as it was described. One line per problem, each with its place: the line and
    column of a file, or a path like ``learners[2].width``."""

    def __init__(self, *problems: str):
        super().__init__(*(one if isinstance(one, Problem) else Problem(one) for one in problems))

    def __str__(self) -> str:
        return "\n".join(self.args)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong, in the order of the description."""
        return list(self.args)


class ContextError(Error, ValueError):
    """A context that this posse cannot decide in, or none where it needs one. `problem` says what is wrong, and where: its
    path is like ``context.arms[2]``."""

    def __init__(self, problem: str):
        super().__init__(problem if isinstance(problem, Problem) else Problem(problem))

    @property
    def problem(self) -> Problem:
        """What is wrong."""
        return self.args[0]


class RewardError(Error, ValueError):
    """A reward that is not finite, beyond 1e100, or outside [0, 1] where that is needed."""


class DecisionError(Error, LookupError):
    """No decision has that id, it has its reward already or was forgotten, another posse made it, or its learner is
    external and nobody has said what it played (`Posse.acted`)."""


class LearnerError(Error, LookupError):
    """No such learner or arm, one that cannot be retired, or a learner that picked an arm that does not exist."""


class DamagedError(Error, ValueError):
    """Not a saved posse, one that was cut short or altered, or one of another version."""


class AbsentError(Error, AttributeError):
    """This selector has no such quantity: to `hasattr` the posse does not have it."""


class RunError(Error, RuntimeError):
    """An experiment could not finish, or its files could not be written."""


class UnreachableError(Error, ConnectionError):
    """A server that does not answer, or that says it cannot do this now, also after it was asked again."""


class MissingError(Error, LookupError):
    """The server answers, and has no posse of that name. Asking again does not help; `create` of `posse.connect` does."""


class ForbiddenError(Error, PermissionError):
    """The server wants a token, or the token may not do this."""


class BeliefWarning(UserWarning):
    """The rewards of an experiment contradict the belief of a selector: `Competitor.surprise`."""


class ClippingWarning(UserWarning):
    """A selector clipped more than a hundredth of the rewards to its range: `Competitor.clipped`."""
