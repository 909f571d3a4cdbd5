# SPDX-License-Identifier: MIT
"""Experiments, from files and from dicts."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

from posse import _posse
from posse.progress import progress_teller
from posse.results import Results


def run(
    experiment: str | os.PathLike[str] | Mapping[str, Any],
    *,
    runs: int | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    threads: int = 0,
    progress: bool | Callable[[int, int], Any] = False,
) -> Results:
    """Runs an experiment: every selector and every learner alone, on the same instances and the same noise.

    experiment: the path of a file, or a dict of the same shape, in which learners may be written in Python.
    runs, rounds, seed: instead of the experiment's own.
    threads: 0 for as many as there are processors. Learners in Python play on one. The numbers do not depend on it.
    progress: True for a bar, in a terminal or a notebook; or a function of the rounds played and the rounds in all.

    Nothing is written; `Results.save` does that. Ctrl-C stops it with KeyboardInterrupt. SpecificationError: the
    experiment is wrong, with every problem at its place. RunError: it could not finish. The exception of a learner in
    Python, or of `progress`, comes out as it was raised.
    """
    with progress_teller(progress, _name(experiment)) as tell:
        return Results(_play(experiment, runs, rounds, seed, threads, tell, False))


def check(experiment: str | os.PathLike[str] | Mapping[str, Any]) -> None:
    """Reads and checks an experiment only: the path of a file, or a dict. SpecificationError."""
    _play(experiment, None, None, None, 0, None, True)


def _name(experiment):
    """What the progress of an experiment goes by, before it is read."""
    if isinstance(experiment, Mapping):
        return str(experiment.get("name", "")).partition("\0")[0]
    return pathlib.Path(os.fsdecode(experiment)).stem.partition("\0")[0]


def _play(experiment, runs, rounds, seed, threads, tell, only_check):
    what = (experiment, None) if isinstance(experiment, Mapping) else (None, os.fspath(experiment))
    changes = {"runs": runs, "rounds": rounds, "seed": seed}
    return _posse._play(*what, changes, threads, tell, only_check)
