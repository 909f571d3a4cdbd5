# SPDX-License-Identifier: MIT
"""Features of rows, in NumPy: the twin of lib/environment/table.c, for rivals that read numbers only.

The rules are those of docs/experiment-files.md: categories are one-hot, and one feature if they are two words; a missing number
is the mean of its column, and such a column has a further feature that is 1 where it is missing; with `standardise`
every feature has mean 0 and standard deviation 1, is clipped at 10, and a constant follows.
"""
import numpy as np

MISSING = ("", "?", "NA")
CLIP = 10.0


def is_number(text):
    try:
        return np.isfinite(float(text))
    except ValueError:
        return False


def of_numbers(cells):
    missing = np.array([cell in MISSING for cell in cells])
    values = np.array([0.0 if cell in MISSING else float(cell) for cell in cells])
    values[missing] = values[~missing].mean() if (~missing).any() else 0.0
    return [values, missing.astype(float)] if missing.any() else [values]


def of_words(cells):
    cells = ["?" if cell in MISSING else cell for cell in cells]
    words = sorted(set(cells), key=lambda word: (word == "?", word.encode()))  # missing cells come last
    if len(words) == 2:
        words = words[1:]
    return [np.array([float(cell == word) for cell in cells]) for word in words]


def of_column(cells):
    first = next((cell for cell in cells if cell not in MISSING), "0")
    return of_numbers(cells) if is_number(first) else of_words(cells)


def standardised(columns):
    """Columns that never change are left out."""
    kept = [x for x in columns if x.min() < x.max()]
    return [np.clip((x - x.mean()) / x.std(), -CLIP, CLIP) for x in kept]


def products(columns):
    return [columns[i] * columns[j] for i in range(len(columns)) for j in range(i, len(columns))]


def matrix(rows, standardise=True, quadratic=False):
    """The features of rows without their classes."""
    columns = [x for cells in zip(*rows) for x in of_column(cells)]
    if standardise:
        columns = standardised(columns)
    if quadratic:
        more = products(columns)
        columns = columns + (standardised(more) if standardise else more)
    if standardise:
        columns.append(np.ones(len(rows)))
    return np.array(columns).T
