# SPDX-License-Identifier: MIT
"""Results in memory alone, which is how they are pickled."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from posse.errors import AbsentError, RunError

ARRAYS = (
    *("regret", "regret_ci95", "optimal_rate", "optimal_ci95", "final_regret", "final_regret_ci95", "final_optimal"),
    *("final_optimal_ci95", "pairs", "pairs_ci95", "shares", "plays", "plays_regret", "coefficient", "effective_rounds"),
    *("final_effective_rounds", "task_regret", "task_regret_ci95", "surprise", "clipped", "runs_regret", "recorded"),
)
VALUES = (
    *("competitors", "learners", "claims", "measure", "name", "title", "source", "rounds", "tasks", "runs", "seed"),
    *("hash", "seconds", "threads"),
)


class Kept:
    """The attributes of an outcome in C, copied from it or from a folder."""

    competitors: tuple[tuple[str, str, str], ...]

    def __init__(self, outcome: Any):
        # A log has no regret of tasks, and a folder of other results no effective rounds.
        self._arrays = {name: np.array(getattr(outcome, name)) for name in ARRAYS if hasattr(outcome, name)}
        self._values = {name: getattr(outcome, name) for name in VALUES}
        self._curves = _curves(outcome)
        self._charts, self._table = outcome.charts(), outcome.table()
        self._attach()

    def _attach(self) -> None:
        for array in self._arrays.values():
            array.flags.writeable = False
        vars(self).update(self._arrays, **self._values)

    def __getstate__(self) -> tuple[Any, ...]:
        return self._arrays, self._values, self._curves, self._charts, self._table

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._arrays, self._values, self._curves, self._charts, self._table = state
        self._attach()

    def run_curves(self, kind: str, place: int) -> bytes:
        """The bytes of a competitor's curves, one run after the other."""
        if (kind, place) not in self._curves:
            raise AbsentError("there are no such curves")
        return self._curves[kind, place]

    def charts(self) -> str:
        return self._charts

    def table(self) -> str:
        return self._table

    def save(self, directory: str | os.PathLike[str], fresh: bool) -> str:
        raise RunError("these results were pickled: save them where they were made, before they are pickled")


def _curves(outcome: Any) -> dict[tuple[str, int], bytes]:
    """The curves of single runs that there are, by kind and competitor. Only selectors have choices."""
    found = {}
    for place, (_, role, _) in enumerate(outcome.competitors):
        for kind in ("regret", "optimal", *(["choices"] if role == "selector" else [])):
            try:
                found[kind, place] = outcome.run_curves(kind, place)
            except AbsentError:
                pass
    return found
