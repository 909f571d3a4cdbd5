# SPDX-License-Identifier: MIT
"""Writes digits.csv and cancer.csv beside itself, from the data that scikit-learn ships (README.md has their sources).

The features are the first principal components of the data, and a constant. Components are divided by one number, so
that the mean of their squared lengths is 1, and rounded to four decimals: more would differ between machines.

usage: export.py
"""

import csv
import pathlib

import numpy
from sklearn import datasets

DECIMALS = 4
CONSTANT = 0.5


def components(data, count):
    """The first principal components of the rows, each with its largest loading positive."""
    centred = data - data.mean(axis=0)
    _, axes = numpy.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :count]
    signs = numpy.sign(axes[numpy.abs(axes).argmax(axis=0), numpy.arange(count)])
    scores = centred @ (axes * signs)
    return scores / numpy.sqrt((scores**2).sum(axis=1).mean())


def write(name, label, features, answers):
    path = pathlib.Path(__file__).parent / name
    with open(path, "w", newline="", encoding="utf-8") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow([label, "constant"] + [f"pc{j + 1}" for j in range(features.shape[1])])
        for answer, row in zip(answers, features):
            table.writerow([answer, CONSTANT] + [f"{x:.{DECIMALS}f}" for x in row])


digits = datasets.load_digits()
write("digits.csv", "digit", components(digits.data, 16), digits.target)

cancer = datasets.load_breast_cancer()
standard = (cancer.data - cancer.data.mean(axis=0)) / cancer.data.std(axis=0)
write("cancer.csv", "diagnosis", components(standard, 10), cancer.target_names[cancer.target])
