"""What can go wrong. Messages are the library's own; `code` is the name of its error."""


class Error(Exception):
    """Anything that posse has to say. Running out of memory is Python's own MemoryError."""

    code: str = ""
    """The name of the library's error, "POSSE_ERROR_REWARD"; empty where it has none."""


class SpecificationError(Error, ValueError):
    """A posse or an experiment cannot be as it was described. One line per problem, each with its place: the line and
    column of a file, or a path like ``learners[2].width``."""

    @property
    def problems(self) -> list[str]:
        """The lines, as a list."""
        return str(self).split("\n")


class RewardError(Error, ValueError):
    """A reward that is not finite, beyond 1e100, or outside [0, 1] where that is needed."""


class DecisionError(Error, LookupError):
    """No decision has that id, or it has its reward already, or was forgotten."""


class LearnerError(Error, LookupError):
    """No such learner, one that cannot be retired, or one that picked an arm that there is not."""


class DamagedError(Error, ValueError):
    """Not a saved posse, one that was cut short or altered, or one of another version."""


class AbsentError(Error, AttributeError):
    """This selector has no such quantity: to `hasattr` the posse does not have it."""


class RunError(Error, RuntimeError):
    """An experiment could not finish, or its files could not be written."""
