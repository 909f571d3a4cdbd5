# SPDX-License-Identifier: MIT
"""The results of an experiment."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posse.errors import AbsentError
from posse.frames import frame
from posse.kept import Kept
from posse.table import Table


class Pair(NamedTuple):
    """The paired difference of two competitors' final regret, a's less b's, and the half-width of its 95% interval."""

    a: str
    b: str
    difference: float
    ci95: float


class Claim(NamedTuple):
    """A claim and its verdict: "holds" or "fails" if the 95% interval of its margin excludes equality, otherwise
    "undecided"."""

    says: str
    holds: str
    verdict: str
    margin: float
    ci95: float


class Competitor:
    """A selector, a learner alone, or the oracle: in each run the learner with the least final regret.

    Arrays are read-only views of the results, and keep the results alive.
    """

    name: str
    """As in the experiment."""

    role: str
    """"selector", "learner", "oracle" or "log"."""

    kind: str
    """As in the experiment; "oracle" for the oracle, "log" for the policy that made a log."""

    def __init__(self, results: Results, place: int, name: str, role: str, kind: str):
        self._results = results
        self._outcome = results._outcome
        self._place = place
        self.name = name
        self.role = role
        self.kind = kind

    def _row(self, quantity: str) -> NDArray[np.float64]:
        return np.asarray(getattr(self._outcome, quantity))[self._place]

    def _need(self, measure: str) -> None:
        if self._outcome.measure != measure:
            raise AbsentError(f"this experiment has {self._outcome.measure}, and no {measure}")

    def _measured(self, measure: str, quantity: str) -> NDArray[np.float64]:
        """The outcome of a log has the value in the place of the regret."""
        self._need(measure)
        return self._row(quantity)

    @property
    def rounds(self) -> NDArray[np.uint64]:
        """The recorded rounds, counted from 1; the last one is the last round."""
        return self._results.recorded

    @property
    def regret(self) -> NDArray[np.float64]:
        """Mean cumulative regret at the recorded rounds. AbsentError: this is a log, which has `value`."""
        return self._measured("regret", "regret")

    @property
    def regret_ci95(self) -> NDArray[np.float64]:
        """The half-width of its 95% interval; NaN if there is one run only."""
        return self._measured("regret", "regret_ci95")

    @property
    def value(self) -> NDArray[np.float64]:
        """On a log: the estimated mean reward of a round, at the recorded rounds. AbsentError: this is no log, and
        has `regret`."""
        return self._measured("value", "regret")

    @property
    def value_ci95(self) -> NDArray[np.float64]:
        """The half-width of its 95% interval."""
        return self._measured("value", "regret_ci95")

    @property
    def effective_rounds(self) -> NDArray[np.float64]:
        """On a log: how many rounds the estimate is worth, at the recorded rounds."""
        return self._measured("value", "effective_rounds")

    @property
    def optimal_rate(self) -> NDArray[np.float64]:
        """The share of runs that played an optimal arm, at the recorded rounds; NaN on the continuous ball."""
        return self._row("optimal_rate")

    @property
    def optimal_ci95(self) -> NDArray[np.float64]:
        """The half-width of its 95% interval."""
        return self._row("optimal_ci95")

    @property
    def runs(self) -> NDArray[np.float64]:
        """The final regret of each run; on a log, the value."""
        return self._row("runs_regret")

    def _curves(self, kind: str, dtype: Any) -> NDArray[Any]:
        return np.frombuffer(self._outcome.run_curves(kind, self._place), dtype).reshape(-1, len(self.rounds))

    @property
    def run_regret(self) -> NDArray[np.float64]:
        """Cumulative regret of single runs at the recorded rounds, runs x rounds. If an experiment has very many runs,
        only the first ones have curves, 128 MB for all competitors together."""
        self._need("regret")
        return self._curves("regret", np.float64)

    @property
    def run_value(self) -> NDArray[np.float64]:
        """On a log: the value in single runs at the recorded rounds, as `run_regret`."""
        self._need("value")
        return self._curves("regret", np.float64)

    @property
    def run_optimal(self) -> NDArray[np.bool_]:
        """Whether single runs played an optimal arm at the recorded rounds, runs x rounds. AbsentError: there are no
        optimal arms on the continuous ball."""
        return self._curves("optimal", np.bool_)

    @property
    def run_choices(self) -> NDArray[np.uint16]:
        """Of a selector: the learner that each single run chose at the recorded rounds, runs x rounds, by place in
        `Results.learners`."""
        self._need_selector()
        return self._curves("choices", np.uint16)

    @property
    def final_regret(self) -> float:
        """Mean cumulative regret at the end."""
        return float(self._measured("regret", "final_regret"))

    @property
    def final_regret_ci95(self) -> float:
        """The half-width of its 95% interval."""
        return float(self._measured("regret", "final_regret_ci95"))

    @property
    def final_value(self) -> float:
        """On a log: the estimated mean reward of a round."""
        return float(self._measured("value", "final_regret"))

    @property
    def final_value_ci95(self) -> float:
        """The half-width of its 95% interval."""
        return float(self._measured("value", "final_regret_ci95"))

    @property
    def final_effective_rounds(self) -> float:
        """On a log: how many rounds the estimate is worth."""
        return float(self._measured("value", "final_effective_rounds"))

    @property
    def final_optimal_rate(self) -> float:
        """The share of the last tenth of the rounds in which an optimal arm was played."""
        return float(self._row("final_optimal"))

    @property
    def final_optimal_ci95(self) -> float:
        """The half-width of its 95% interval."""
        return float(self._row("final_optimal_ci95"))

    @property
    def task_regret(self) -> NDArray[np.float64]:
        """Mean regret of each task of a run; of a run without tasks, that of the whole run."""
        return self._measured("regret", "task_regret")

    @property
    def task_regret_ci95(self) -> NDArray[np.float64]:
        """The half-width of its 95% interval."""
        return self._measured("regret", "task_regret_ci95")

    def _need_selector(self) -> None:
        if self.role != "selector":
            raise AttributeError(f'"{self.name}" is no selector, it chooses no learners')

    def _of_selector(self, quantity: str) -> NDArray[np.float64]:
        self._need_selector()
        return self._row(quantity)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Of a selector: the share of runs in which it chose each learner, recorded rounds x `Results.learners`."""
        return self._of_selector("shares")

    @property
    def plays(self) -> NDArray[np.float64]:
        """Of a selector: the mean number of rounds in which it chose each learner; NaN for learners that are
        not in its team."""
        return self._of_selector("plays")

    @property
    def plays_regret(self) -> NDArray[np.float64]:
        """Of a selector: the mean regret of those rounds."""
        return self._of_selector("plays_regret")

    @property
    def coefficient(self) -> NDArray[np.float64]:
        """Of a selector: each learner's empirical regret coefficient, the 0.95 quantile over runs of the largest regret
        after l plays / sqrt(l)."""
        return self._of_selector("coefficient")

    def _number_of_selector(self, quantity: str, why: str) -> float:
        number = float(self._of_selector(quantity))
        if np.isnan(number):
            raise AbsentError(f"{quantity}: {why}")
        return number

    @property
    def surprise(self) -> float:
        """Of a selector: how strongly the rewards contradict its belief, a log Bayes factor, the mean of the first runs.
        AbsentError: it has no belief that could be compared with a robust form."""
        return self._number_of_selector("surprise", "this selector has no belief with a robust form")

    @property
    def clipped(self) -> int:
        """Of a selector: how many rewards of all runs lay outside its `range`. AbsentError: it has none."""
        return int(self._number_of_selector("clipped", "this selector has no range"))

    def __reduce__(self) -> tuple[Any, ...]:
        return Results.__getitem__, (self._results, self.name)

    def __repr__(self) -> str:
        mean, half = float(self._row("final_regret")), float(self._row("final_regret_ci95"))
        return f"<{self.role} {self.name!r}: {self._outcome.measure} {mean:.4g} +- {half:.2g}>"


class Results:
    """The results of an experiment; made by `posse.run` and `posse.open`. ``r["B-MS"]`` is a competitor, iterating
    gives them all. Results can be pickled, with all arrays and the curves of single runs in memory; afterwards they
    have everything but `save`."""

    def __init__(self, outcome: Any):
        self._outcome = outcome
        self._competitors = {
            entry[0]: Competitor(self, place, *entry) for place, entry in enumerate(outcome.competitors)
        }

    def __getitem__(self, name: str) -> Competitor:
        """A competitor by name."""
        try:
            return self._competitors[name]
        except KeyError:
            raise KeyError(f"there is no competitor {name!r}; there are {', '.join(self._competitors)}") from None

    def __iter__(self) -> Iterator[Competitor]:
        return iter(self._competitors.values())

    def __len__(self) -> int:
        return len(self._competitors)

    def __contains__(self, name: object) -> bool:
        return name in self._competitors

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._competitors)

    @property
    def competitors(self) -> tuple[str, ...]:
        """The names: selectors, learners alone, then the oracle or, on a log, "log": the policy that made it."""
        return tuple(self._competitors)

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of the learners."""
        return self._outcome.learners

    @property
    def measure(self) -> Literal["regret", "value"]:
        """What competitors are measured by: "regret" or, on a log, "value"."""
        return self._outcome.measure

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self._outcome.name

    @property
    def title(self) -> str:
        """The title of the experiment."""
        return self._outcome.title

    @property
    def rounds(self) -> int:
        """How many rounds each run has, those of all its tasks."""
        return self._outcome.rounds

    @property
    def tasks(self) -> int:
        """How many tasks each run has, all of the same length; 1 if the experiment has no tasks."""
        return self._outcome.tasks

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return self._outcome.runs

    @property
    def seed(self) -> int:
        """The seed of the experiment."""
        return self._outcome.seed

    @property
    def recorded(self) -> NDArray[np.uint64]:
        """The rounds that are recorded, from 1, ascending."""
        return np.asarray(self._outcome.recorded)

    @property
    def hash(self) -> str:
        """The fingerprint of all results, as in manifest.json."""
        return self._outcome.hash

    @property
    def seconds(self) -> float:
        """How many seconds it took."""
        return self._outcome.seconds

    @property
    def threads(self) -> int:
        """How many threads played."""
        return self._outcome.threads

    @property
    def experiment(self) -> str:
        """The text of the experiment file; for a dict, the text of an equivalent file."""
        return self._outcome.source

    @property
    def pairs(self) -> list[Pair]:
        """The paired difference of every two competitors, a list of `Pair`."""
        names = itertools.combinations(self._competitors, 2)
        numbers = zip(np.asarray(self._outcome.pairs).tolist(), np.asarray(self._outcome.pairs_ci95).tolist())
        return [Pair(a, b, difference, ci95) for (a, b), (difference, ci95) in zip(names, numbers)]

    def difference(self, a: str, b: str) -> Pair:
        """The paired difference of two competitors, a's less b's. KeyError: there is no competitor of that name."""
        names = (self[a].name, self[b].name)
        for pair in self.pairs:
            if (pair.a, pair.b) == names:
                return pair
            if (pair.b, pair.a) == names:
                return Pair(a, b, -pair.difference, pair.ci95)
        return Pair(a, b, 0.0, 0.0)

    @property
    def claims(self) -> list[Claim]:
        """A list of `Claim`."""
        return [Claim(*entry) for entry in self._outcome.claims]

    def summary(self) -> Table:
        """The short result table, a `Table`: as the program prints it, or HTML in a notebook."""
        return Table(self)

    def to_frame(self, runs: bool = False) -> Any:
        """The curves as a pandas.DataFrame, with the columns of curves.csv: a row per competitor and recorded round.
        With runs, a row per competitor, run and recorded round: the regret until then (on a log, the value), and whether
        the run played an optimal arm, unless there are none. Like `Competitor.run_regret`, it has the first runs alone
        if there are very many. `summary().to_frame()` has a row per competitor. ImportError: there is no pandas."""
        return frame(self._columns_of_runs() if runs else self._columns_of_means())

    def _columns_of_means(self) -> dict[str, Any]:
        regret = ("regret", "regret_ci95", "optimal_rate", "optimal_ci95")
        curves = regret if self.measure == "regret" else ("value", "value_ci95", "effective_rounds")
        columns: dict[str, Any] = {"name": [c.name for c in self for _ in self.recorded]}
        columns["round"] = np.tile(self.recorded, len(self))
        columns.update({key: np.concatenate([getattr(c, key) for c in self]) for key in curves})
        return columns

    def _columns_of_runs(self) -> dict[str, Any]:
        curves = {self.measure: f"run_{self.measure}"}
        if self.measure == "regret" and not np.isnan(np.asarray(self._outcome.optimal_rate)).all():
            curves["optimal"] = "run_optimal"
        columns = {key: np.concatenate([getattr(c, of_runs).ravel() for c in self]) for key, of_runs in curves.items()}
        points = len(self.recorded)
        runs = len(columns[self.measure]) // (points * len(self))
        places = {
            "name": np.repeat(self.competitors, runs * points),
            "run": np.tile(np.repeat(np.arange(runs), points), len(self)),
            "round": np.tile(self.recorded, runs * len(self)),
        }
        return places | columns

    def plot(
        self, what: Literal["regret", "value", "optimal", "tasks", "selection", "sweep"] | None = None, ax: Any = None
    ) -> Any:
        """Draws what the program's picture of that name shows: "regret" (on a log "value"; this is what None means) or
        "optimal" (the optimal rate) over rounds, "tasks" (the regret of each task), "selection" (the chosen learners, a
        panel per selector), or "sweep" (final regret over an option, a panel per kind of learner). Needs matplotlib.
        Returns the axes; for "selection" and "sweep" a list of them, and `ax` may be one. ValueError: the experiment has
        no such chart."""
        from posse.plot import plot

        return plot(self._outcome, what, ax)

    def save(self, directory: str | os.PathLike[str], *, fresh: bool = False) -> str:
        """Writes the files that the program would write, CSV, HDF5 and manifest, to directory/NAME, and returns that
        path. RunError: they cannot be written, or the folder has results of another experiment, seed or number of
        rounds, or of more runs, which only fresh=True replaces."""
        return self._outcome.save(directory, fresh)

    def __reduce__(self) -> tuple[Any, ...]:
        return Results, (self._outcome if isinstance(self._outcome, Kept) else Kept(self._outcome),)

    def __copy__(self) -> Results:
        return Results(self._outcome)

    def __str__(self) -> str:
        return str(self.summary())

    def __repr__(self) -> str:
        sizes = ((len(self), "competitor"), (self.rounds, "round"), (self.runs, "run"))
        counted = ", ".join(f"{size} {what}{'' if size == 1 else 's'}" for size, what in sizes)
        return f"<posse.Results of {self.name!r}: {counted}>"

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()
