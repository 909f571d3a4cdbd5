# SPDX-License-Identifier: MIT
"""Experiments, from files and from dicts."""

from __future__ import annotations

import os
import pathlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from posse import _posse
from posse.errors import BeliefWarning, ClippingWarning, DeviceWarning, existing
from posse.plugins import load_plugins
from posse.progress import progress_teller
from posse.results import Results

if TYPE_CHECKING:
    from posse.parts import Experiment

_WARNINGS = {"belief": BeliefWarning, "clipping": ClippingWarning, "device": DeviceWarning}


def run(
    experiment: str | os.PathLike[str] | Experiment,
    *,
    runs: int | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    threads: int = 0,
    device: str = "cpu",
    progress: bool | Callable[[int, int], Any] = False,
    plugins: Iterable[str | os.PathLike[str]] = (),
    folder: str | os.PathLike[str] | None = None,
    fresh: bool = False,
) -> Results:
    """Runs an experiment: every selector and every learner alone, on the same instances and the same noise.

    experiment: the path of a file, or a dict of the same shape, in which learners and the environment may be written in
    Python (`Learner`, `Bandit`).
    runs, rounds, seed: instead of the experiment's own.
    threads: 0 for as many as there are processors. Learners and environments in Python play on one. The results do not
    depend on it.
    device: "cpu", "gpu", or "auto" for a GPU where it is there and saves time. The results do not depend on it.
    plugins: shared objects with kinds of your own. They stay loaded, and `posse.kinds` lists them.
    progress: True for a bar, in a terminal or a notebook; or a function of the rounds played and the rounds in all.

    folder: where the files of the program go, to folder/NAME, while runs are played. After a stop or a kill the same call
    continues after the finished runs, and more runs continue after those of finished results, with the same bytes.
    Learners and environments in Python are not continued, and are refused. fresh: replace what another experiment has
    left there.

    Without a folder nothing is written; `Results.save` does that. Ctrl-C stops it with KeyboardInterrupt. SpecificationError: the
    experiment is wrong, with every problem at its place. AbsentFileError: there is no such file. RunError: it could not finish. An exception of a learner or
    an environment in Python, or of `progress`, is passed on unchanged. Warnings are those of the program: BeliefWarning if rewards
    contradict the belief of a selector, ClippingWarning if a selector clips more than a hundredth of them,
    DeviceWarning if device is "gpu" and no GPU can play the experiment, which is then played on the CPU.
    """
    load_plugins(plugins)
    with progress_teller(progress, _name(experiment)) as tell:
        outcome = _play(experiment, runs, rounds, seed, threads, device, tell, False, folder, fresh)
    for kind, text in outcome.doubts:
        warnings.warn(f"{outcome.name}: {text}", _WARNINGS[kind], stacklevel=2)
    return Results(outcome)


def check(
    experiment: str | os.PathLike[str] | Experiment, *, plugins: Iterable[str | os.PathLike[str]] = ()
) -> None:
    """Reads and checks an experiment only: the path of a file, or a dict. SpecificationError, AbsentFileError."""
    load_plugins(plugins)
    _play(experiment, None, None, None, 0, "cpu", None, True, None, False)


def _name(experiment):
    """The name in the progress bar, which is shown before the experiment is read."""
    if isinstance(experiment, Mapping):
        return str(experiment.get("name", "")).partition("\0")[0]
    return pathlib.Path(os.fsdecode(experiment)).stem.partition("\0")[0]


def _play(experiment, runs, rounds, seed, threads, device, tell, only_check, folder, fresh):
    what = (experiment, None) if isinstance(experiment, Mapping) else (None, os.fspath(existing(experiment)))
    changes = {"runs": runs, "rounds": rounds, "seed": seed}
    return _posse._play(*what, changes, threads, device, tell, only_check, folder, fresh)
