# SPDX-License-Identifier: MIT
"""Results that were written to a folder, by the program or by `Results.save`."""

from __future__ import annotations

import csv
import json
import os
import pathlib
from typing import Any

import numpy as np

from posse import _posse
from posse.errors import AbsentError, RunError
from posse.results import Results
from posse.table import text_of


def open_results(folder: str | os.PathLike[str]) -> Results:
    """The results in a folder that `posse run` or `Results.save` has written, "results/ucb", as `posse.run` returns
    them.

    RunError: there are no results, or they are damaged.
    """
    return Results(Folder(folder))


class Folder:
    """The attributes of an outcome in C, read from files."""

    def __init__(self, folder: str | os.PathLike[str]):
        self._path = pathlib.Path(folder)
        try:
            self._read()
        except FileNotFoundError as missing:
            raise RunError(f"{self._path} holds no results: there is no {pathlib.Path(missing.filename).name}") from None
        except (OSError, ValueError, KeyError, TypeError, IndexError) as problem:
            raise RunError(f"the results in {self._path} cannot be read: {problem}") from None

    def _read(self) -> None:
        manifest = json.loads((self._path / "manifest.json").read_text(encoding="utf-8"))
        self.name, self.title, self.hash = manifest["name"], manifest["title"], manifest["hash"]
        self.rounds, self.runs, self.seed = (int(manifest[key]) for key in ("rounds", "runs", "seed"))
        self.tasks = int(manifest.get("tasks", 1))
        self.rounds *= self.tasks  # the manifest has the rounds of one task
        self.seconds, self.threads, self.source = manifest["seconds"], manifest["threads"], manifest["source"]
        self.learners = tuple(learner["name"] for learner in manifest["learners"])
        self.measure = manifest.get("measure", "regret")  # results of version 0.1 have no measure
        summary = self._rows("summary.csv")
        self.competitors = tuple((row["name"], row["role"], row["kind"]) for row in summary)
        self._read_competitors(summary)
        self._read_selectors()
        self.surprise = self._by_selector(manifest, "surprise")
        self.clipped = self._by_selector(manifest, "clipped")
        self._read_claims()

    def _rows(self, file: str) -> list[dict[str, str]]:
        with open(self._path / file, newline="", encoding="utf-8") as lines:
            return list(csv.DictReader(lines))

    def _read_competitors(self, summary: list[dict[str, str]]) -> None:
        count = len(self.competitors)
        curves = self._rows("curves.csv")
        self.recorded = _frozen([int(row["round"]) for row in curves[: len(curves) // count]], np.uint64)
        self.optimal_rate = self.optimal_ci95 = _frozen(np.full((count, len(self.recorded)), np.nan))
        self.final_optimal = self.final_optimal_ci95 = _frozen(np.full(count, np.nan))
        for column, name in self._columns().items():
            setattr(self, column, _numbers(curves, name, (count, -1)))
            setattr(self, f"final_{column.replace('optimal_rate', 'optimal')}", _numbers(summary, name))
        tasks = self._rows("tasks.csv") if self.tasks > 1 else summary
        if self.measure == "regret":
            self.task_regret = _numbers(tasks, "regret", (count, self.tasks))
            self.task_regret_ci95 = _numbers(tasks, "regret_ci95", (count, self.tasks))
        pairs = self._rows("pairs.csv")
        self.pairs, self.pairs_ci95 = _numbers(pairs, "difference"), _numbers(pairs, "ci95")

    def _columns(self) -> dict[str, str]:
        """Columns of curves.csv and summary.csv, by their names in an outcome. A log has value in the place of
        regret."""
        columns = {"regret": self.measure, "regret_ci95": f"{self.measure}_ci95"}
        same = ("optimal_rate", "optimal_ci95") if self.measure == "regret" else ("effective_rounds",)
        return columns | {name: name for name in same}

    def _read_selectors(self) -> None:
        """A selector that does not play a learner has no rows for it."""
        selectors = [name for name, role, _ in self.competitors if role == "selector"]
        learners = {name: place for place, name in enumerate(self.learners)}
        rounds = {int(round_): place for place, round_ in enumerate(self.recorded)}
        shares = np.zeros((len(selectors), len(rounds), len(learners)))
        for row in self._rows("selection.csv"):
            place = selectors.index(row["name"]), rounds[int(row["round"])], learners[row["learner"]]
            shares[place] = float(row["share"])
        self.shares = _frozen(shares)
        sizes = {"plays": "plays", "plays_regret": "regret", "coefficient": "coefficient"}
        tables = {key: np.full((len(selectors), len(learners)), np.nan) for key in sizes}
        for row in self._rows("learners.csv"):
            for key, column in sizes.items():
                tables[key][selectors.index(row["name"]), learners[row["learner"]]] = _number(row.get(column, ""))
        self.plays, self.plays_regret, self.coefficient = (_frozen(tables[key]) for key in sizes)

    def _by_selector(self, manifest: dict[str, Any], key: str) -> np.ndarray:
        """A number of each selector; NaN where the manifest has none."""
        numbers = {row["selector"]: row[key] for row in manifest.get(key, [])}
        names = [name for name, role, _ in self.competitors if role == "selector"]
        return _frozen([np.nan if numbers.get(name) is None else float(numbers[name]) for name in names])

    def _read_claims(self) -> None:
        self.claims = tuple(
            (row["says"], row["holds"], row["verdict"], _number(row["margin"]), _number(row["ci95"]))
            for row in self._rows("claims.csv")
        )

    @property
    def runs_regret(self) -> np.ndarray:
        return self._dataset(f"final_{self.measure}", np.float64)

    def run_curves(self, kind: str, place: int) -> bytes:
        """The bytes of a competitor's curves, one run after the other."""
        if kind == "optimal" and np.isnan(self.optimal_rate).all():
            raise AbsentError("there are no such curves")
        names = {"regret": f"{self.measure}_curve", "optimal": "optimal_curve", "choices": "choices"}
        types = {"regret": np.float64, "optimal": np.uint8, "choices": np.uint16}
        return self._dataset(names[kind], types[kind])[place].tobytes()

    def _dataset(self, name: str, dtype: Any) -> np.ndarray:
        data, shape = _posse._dataset(self._path / "results.h5", name)
        return np.frombuffer(data, dtype).reshape(shape)

    def charts(self) -> str:
        return _posse._charts(self._path)

    def table(self) -> str:
        return text_of(Results(self))

    def save(self, directory: str | os.PathLike[str], fresh: bool) -> str:
        raise RunError(f"these results are saved already, in {self._path}")


def _number(field: str) -> float:
    return float(field) if field else float("nan")


def _frozen(values: Any, dtype: Any = np.float64) -> np.ndarray:
    array = np.asarray(values, dtype)
    array.flags.writeable = False
    return array


def _numbers(rows: list[dict[str, str]], column: str, shape: tuple[int, ...] = (-1,)) -> np.ndarray:
    return _frozen(np.array([_number(row[column]) for row in rows]).reshape(shape))
