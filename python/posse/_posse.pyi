from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posse.learner import Learner
from posse.parts import BeliefPart, LearnerPart, SelectorPart

class Decision:
    """What a posse decided, and to whose credit. Made by `Posse.decide`; can be pickled."""

    @property
    def id(self) -> int:
        """Counts from 1. `Posse.learn` and `Posse.forget` take it in place of the decision."""
    @property
    def arm(self) -> int:
        """What to play; -1: `point`, on the continuous ball."""
    @property
    def learner(self) -> int:
        """Who decided, by place in `Posse.learners`."""
    @property
    def probability(self) -> float:
        """With which the selector chose this learner given what it had drawn, in (0, 1]."""
    @property
    def point(self) -> NDArray[np.float64] | None:
        """The arm's coordinates; None for independent arms."""

class Draw:
    """A source of randomness that belongs to one learner; valid only during the call it was given to (RuntimeError
    after): the n-th draw is a pure function of seed, run, name and n."""

    def uniform(self) -> float:
        """In (0, 1), never 0 or 1."""
    def normal(self) -> float:
        """Mean 0, standard deviation 1."""
    def normals(self, count: int, /) -> NDArray[np.float64]:
        """So many normals at once."""
    def gamma(self, shape: float, /) -> float:
        """Scale 1; shape > 0."""
    def beta(self, a: float, b: float, /) -> float:
        """a, b > 0."""
    def index(self, count: int, /) -> int:
        """0 to count - 1, equally likely."""
    def weighted(self, weights: ArrayLike, /) -> int:
        """A place in weights >= 0, in proportion to them."""

class Posse:
    """A selector with its learners: the object an application holds.

    Arms are independent (`arms`), points in R^dim whose mean rewards are linear in them (`points`, an array arms x dim),
    or every point of the unit ball of R^dim (`dim` alone). Parts are dicts as in experiment files, or a kind's name
    alone; a learner may also be a `posse.Learner`. `selector=None`: a learner alone. Nothing is seeded from the clock.

    Every method may be called from any thread: one call at a time gets in. SpecificationError: it cannot be as
    described.
    """

    def __new__(
        cls,
        arms: int = 0,
        selector: SelectorPart | Mapping[str, Any] | str | None = "bms",
        learners: Sequence[LearnerPart | Mapping[str, Any] | str | Learner] = (),
        *,
        dim: int = 0,
        points: ArrayLike | None = None,
        prior: BeliefPart | Mapping[str, Any] | str | None = None,
        seed: int = 1,
        run: int = 0,
        rounds: int = 0,
    ) -> Posse: ...
    def decide(self) -> Decision:
        """Decides the next round. The decision stays pending until `learn` or `forget`."""
    def learn(self, decision: Decision | int, /, reward: SupportsFloat) -> None:
        """Gives a pending decision its reward: late, and in any order, if need be, but once. DecisionError, RewardError:
        nothing was learned. An exception of a learner in Python: all others have learned, and the decision is settled."""
    def forget(self, decision: Decision | int, /) -> None:
        """Says that a pending decision's reward will never come. The play itself stays on record. DecisionError."""
    def save(self) -> bytes:
        """All of it, pending decisions included: `posse.load` makes a posse that makes the decisions this one would have
        made. The bytes are the C library's own, the same on every machine, followed by a pickle where there are
        learners in Python."""
    def add_learner(self, learner: LearnerPart | Mapping[str, Any] | str | Learner, /) -> int:
        """Adds a learner while the posse lives and returns its place. SpecificationError."""
    def retire_learner(self, learner: int | str, /) -> None:
        """Retires a learner, by place or name: it is never chosen again. Its place and its name stay taken.
        LearnerError: there is none such, it is retired, or it is the last."""
    def learner(self, learner: int | str, /) -> Learner | None:
        """The learner in Python that plays at a place, or by a name; None: it is one of the library's, or retired.
        LearnerError: there is none such."""
    @property
    def learners(self) -> tuple[str, ...]:
        """Names by place, retired ones included."""
    @property
    def active(self) -> tuple[bool, ...]:
        """By place: False for who has been retired."""
    @property
    def pending(self) -> int:
        """Decisions without a reward so far."""
    @property
    def plays(self) -> NDArray[np.uint64]:
        """How often each learner has been chosen."""
    @property
    def potentials(self) -> NDArray[np.float64]:
        """The selector's potential of each learner, of which it chooses the smallest. AbsentError."""
    @property
    def probabilities(self) -> NDArray[np.float64]:
        """With which probability the latest choice took each of the learners. AbsentError: nobody was chosen yet."""
    @property
    def means(self) -> NDArray[np.float64]:
        """What the selector's belief expects of each arm or, on the ball, of theta. AbsentError: it has no belief."""
    @property
    def clipped(self) -> int:
        """How many rewards lay outside the selector's `range`. AbsentError: it has none."""
    @property
    def arms(self) -> int:
        """How many; 0 on the continuous ball."""
    @property
    def dim(self) -> int:
        """Of the space the arms are in; 0: independent arms."""

def load(data: bytes, /) -> Posse:
    """The posse that `Posse.save` wrote. DamagedError. Where it holds learners in Python these are unpickled: load
    those only from whom you trust."""

def version() -> str:
    """The library's version, "MAJOR.MINOR.PATCH"."""

def kernels() -> str | None:
    """Which of its inner loops run: "scalar", "baseline", "avx2" or "avx512"; the bits are the same. None: POSSE_ISA
    asks for some that this processor lacks."""

def kinds() -> dict[str, dict[str, dict[str, Any]]]:
    """What there is, from the library's declarations: ``kinds()["learner"]["ucb"]`` is a dict of `help` and `params`; a
    parameter has name, type, required, optional, default, low, high, words, excludes and help."""

def style(role: str, rank: int, /) -> tuple[str, float, list[int]]:
    """How a competitor is drawn: colour, width, dashes."""

def main(argv: Sequence[str], /) -> int:
    """The program, with its arguments; returns the exit status. It may end the process."""
