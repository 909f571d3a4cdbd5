# SPDX-License-Identifier: MIT
"""Priors from files and from data, as dicts, which may be given wherever a belief may."""

from __future__ import annotations

import csv
import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from posse import _posse
from posse.errors import SpecificationError, existing
from posse.frames import is_na

if TYPE_CHECKING:
    from posse.parts import BeliefPart


def read_prior(path: str | os.PathLike[str]) -> BeliefPart:
    """The belief in a file that `posse prior fit` wrote, as a dict:
    `Posse(arms=5, prior=posse.read_prior("prior.yaml"), ...)`.

    A belief may also be given as {"file": "prior.yaml"}. SpecificationError: the file is wrong, at that line and
    column. AbsentFileError: there is no such file.
    """
    return _posse._read_prior(existing(path))


def _write_table(path: pathlib.Path, table: Any) -> None:
    """Writes the columns of a data frame, by their names, or those of an array, by their numbers. NaN, NA and masked
    entries are no values."""
    names = getattr(table, "columns", None)
    rows = np.asarray(table) if names is not None else np.ma.array(table, dtype=float).filled(np.nan)
    if rows.ndim != 2:
        raise ValueError(f"a table has rows and columns, and this has {rows.ndim} dimensions")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(range(rows.shape[1]) if names is None else names)
        writer.writerows(["" if is_na(cell) or cell != cell else cell for cell in row] for row in rows.tolist())


def fit_prior(
    path: str | os.PathLike[str] | ArrayLike,
    *,
    kind: Literal["gaussian", "mixture", "particles"] = "mixture",
    components: int | None = None,
    noise: float | None = None,
    plays: bool = False,
    columns: Sequence[str] = ("task", "arm", "reward"),
    seed: int = 1,
) -> BeliefPart:
    """Fits a prior to a CSV file as `posse prior fit` does, and returns it as a dict.

    The file has a row for each past instance and a column for each arm, with its mean reward; with `plays`, a row for
    each reward of a past task, in these `columns`. An array or a pandas data frame may take the place of the file; NaN,
    NA and masked entries are empty cells. `components` of a mixture: None chooses the number that predicts held-out rows
    best. `noise`: None means 1 or, with `plays`, an estimate. SpecificationError: the file or an argument is wrong.
    AbsentFileError: there is no such file.
    """
    task, arm, reward = columns
    if not isinstance(path, (str, os.PathLike)):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "table.csv")
            _write_table(file, path)
            try:
                return _posse._fit_prior(file, kind, components or 0, noise or 0.0, seed, plays, task, arm, reward)
            except SpecificationError as error:
                raise SpecificationError(*(one.replace(f"file: {file}", "table") for one in error.problems)) from None
    return _posse._fit_prior(existing(path), kind, components or 0, noise or 0.0, seed, plays, task, arm, reward)
