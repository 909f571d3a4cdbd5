# SPDX-License-Identifier: MIT
"""The data sets: where they come from, and their tables as files of one form.

Nothing of the data is part of posse: all sets lie in Debian packages (tools/setup.sh bakeoff). Each becomes SET.csv in
a folder, with categories and missing values as they are and the class in the column `class`.
"""
import csv
import pathlib
import random
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
FANN = pathlib.Path("/usr/share/doc/libfann-dev/examples/datasets")
WEKA = pathlib.Path("/usr/share/doc/weka/examples")
WEKA_FILES = {"segment": ["segment-challenge.arff", "segment-test.arff"], "credit-g": ["credit-g.arff"]}

# Debian package of each set. Those of R packages are named in export.R.
SETS = {
    "attrition": "r-cran-modeldata",
    "breast": "r-cran-mlbench",
    "calls": "r-cran-modeldata",
    "cancer": "python3-sklearn",
    "caravan": "r-cran-kernlab",
    "cells": "r-cran-modeldata",
    "churn": "r-cran-modeldata",
    "credit": "r-cran-modeldata",
    "credit-g": "weka",
    "developers": "r-cran-modeldata",
    "diamonds": "r-cran-ggplot2",
    "digits": "python3-sklearn",
    "dna": "r-cran-mlbench",
    "glass": "r-cran-mlbench",
    "hpc": "r-cran-modeldata",
    "income": "r-cran-kernlab",
    "ionosphere": "r-cran-mlbench",
    "iris": "python3-sklearn",
    "lending": "r-cran-modeldata",
    "letter": "r-cran-mlbench",
    "mushroom": "libfann-doc",
    "pima": "r-cran-mlbench",
    "satellite": "r-cran-mlbench",
    "segment": "weka",
    "shuttle": "r-cran-mlbench",
    "sonar": "r-cran-mlbench",
    "soybean": "r-cran-mlbench",
    "spam": "r-cran-kernlab",
    "stops": "r-cran-cardata",
    "storms": "r-cran-dplyr",
    "thyroid": "libfann-doc",
    "vehicle": "r-cran-mlbench",
    "votes": "r-cran-mlbench",
    "vowel": "r-cran-mlbench",
    "wine": "python3-sklearn",
    "zoo": "r-cran-mlbench",
}


def write(path, names, rows):
    with open(path, "w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([names, *rows])


def export(folder, wanted):
    """Writes the wanted sets that are not there yet. R writes all of its sets at once."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        if (folder / f"{name}.csv").exists():
            continue
        if SETS[name] == "python3-sklearn":
            export_sklearn(name, folder)
        elif SETS[name] == "libfann-doc":
            export_fann(name, folder)
        elif SETS[name] == "weka":
            export_weka(name, folder)
        else:
            subprocess.run(["Rscript", "--vanilla", str(HERE / "export.R"), str(folder)], check=True)


def export_sklearn(name, folder):
    from sklearn import datasets

    loaded = getattr(datasets, {"cancer": "load_breast_cancer"}.get(name, f"load_{name}"))()
    names = [f"x{j}" for j in range(loaded.data.shape[1])] + ["class"]
    rows = [[*map(repr, map(float, x)), loaded.target_names[y]] for x, y in zip(loaded.data, loaded.target)]
    write(folder / f"{name}.csv", names, rows)


def export_fann(name, folder):
    """Files of fann: the numbers of rows, inputs and outputs, then two lines for each row. The class is the output 1."""
    rows = []
    for part in ("train", "test"):
        numbers = (FANN / f"{name}.{part}").read_text().split()
        count, inputs, outputs = map(int, numbers[:3])
        for row in range(count):
            cells = numbers[3 + row * (inputs + outputs) :][: inputs + outputs]
            answer = max(range(outputs), key=lambda k: float(cells[inputs + k]))
            rows.append([*cells[:inputs], f"class {answer}"])
    write(folder / f"{name}.csv", [f"x{j}" for j in range(inputs)] + ["class"], rows)


def export_weka(name, folder):
    """The last attribute is the class. Words of categories get a letter, because some are numbers."""
    names, kinds, rows = [], [], []
    for file in WEKA_FILES[name]:
        names, kinds, into = [], [], False
        for line in (WEKA / file).read_text().splitlines():
            if not line.strip() or line.startswith("%"):
                continue
            if into:
                cells = next(csv.reader([line], quotechar="'", skipinitialspace=True))
                rows.append([cell.strip() if number else f"is {cell.strip()}" for cell, number in zip(cells, kinds)])
            elif line.lower().startswith("@attribute"):
                _, attribute, kind = line.split(None, 2)
                names.append(attribute.strip("'"))
                kinds.append(kind.strip().lower() in ("numeric", "real", "integer"))
            into = into or line.lower().startswith("@data")
    write(folder / f"{name}.csv", [*names[:-1], "class"], rows)


def read(folder, name):
    """(names, rows) of a set, the class last."""
    with open(folder / f"{name}.csv", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def draw(rows, most, seed):
    """At most `most` rows, in an order that is drawn."""
    dice = random.Random(seed)
    some = rows if len(rows) <= most else dice.sample(rows, most)
    return dice.sample(some, len(some))
