# SPDX-License-Identifier: MIT
"""Bayesian online model selection.

A bandit learner picks arms and learns from rewards. Given several learners, a posse plays them as one: each round its
selector picks a learner, the learner picks an arm, and the reward teaches both.

In an application::

    p = posse.Posse(arms=5, prior="gaussian", learners=[{"kind": "ucb", "width": 0.1}, {"kind": "thompson"}])
    d = p.decide()
    p.learn(d, reward=play(d.arm))

In research, an experiment from a file, or from a dict of the same shape::

    r = posse.run("ucb.yaml", runs=200, progress=True)
    r["B-MS"].regret[-1]

Kinds, keys, defaults and messages are the C library's own; `posse.kinds()` lists them. A learner written in Python is a
subclass of `posse.Learner`, and an environment one of `posse.Bandit`.
"""

from posse._posse import Decision, Draw, Environment, Posse, kernels, kinds, load, version
from posse.bandit import Bandit
from posse.batches import Decisions
from posse.connect import connect
from posse.contexts import Context, Round
from posse.errors import (
    AbsentError,
    AbsentFileError,
    BeliefWarning,
    ClippingWarning,
    ContextError,
    DamagedError,
    DecisionError,
    DeviceWarning,
    Error,
    ForbiddenError,
    LearnerError,
    MissingError,
    Problem,
    RewardError,
    RunError,
    SpecificationError,
    UnreachableError,
)
from posse.experiment import check, run
from posse.folder import open_results as open
from posse.hashing import hashed
from posse.http_client import HttpPosse
from posse.learner import Arms, Learner
from posse.logs import Log, LoggedRound, read_vw, write_vw
from posse.priors import fit_prior, read_prior
from posse.propensities import Propensities
from posse.reports import Earned, Finding, Holdback, Report, Shadow
from posse.results import Claim, Competitor, Pair, Results
from posse.table import Table

__version__ = version()

__all__ = [
    "AbsentError",
    "AbsentFileError",
    "Arms",
    "Bandit",
    "BeliefWarning",
    "Claim",
    "ClippingWarning",
    "Competitor",
    "Context",
    "ContextError",
    "DamagedError",
    "Decision",
    "DecisionError",
    "Decisions",
    "DeviceWarning",
    "Draw",
    "Earned",
    "Environment",
    "Error",
    "Finding",
    "ForbiddenError",
    "Holdback",
    "HttpPosse",
    "Learner",
    "LearnerError",
    "Log",
    "LoggedRound",
    "MissingError",
    "Pair",
    "Posse",
    "Problem",
    "Propensities",
    "Report",
    "Results",
    "RewardError",
    "Round",
    "RunError",
    "Shadow",
    "SpecificationError",
    "Table",
    "UnreachableError",
    "check",
    "connect",
    "fit_prior",
    "hashed",
    "kernels",
    "kinds",
    "load",
    "open",
    "read_prior",
    "read_vw",
    "run",
    "version",
    "write_vw",
]


def __dir__() -> list[str]:
    """The public names, without the modules that they come from."""
    return [*__all__, "__version__"]
