# SPDX-License-Identifier: MIT
"""Vowpal Wabbit on the same rows in the same order, which posse.Environment gives.

Names of features must not be plain numbers, because with --cbify these collide. The average loss that VW prints is the
share of wrong decisions, also with costs -1 and 0.
"""
import re
import subprocess
import tempfile
import pathlib

# Costs 0/1 and -1/0 of each; the first one is VW's default.
EXPLORERS = {
    "epsilon 0.05": "--epsilon 0.05",
    "epsilon 0.02 -l 2": "--epsilon 0.02 -l 2",
    "greedy": "--epsilon 0",
    "greedy -l 2": "--epsilon 0 -l 2",
    "greedy dr": "--epsilon 0 --cb_type dr",
    "squarecb": "--squarecb",
    "squarecb -l 2": "--squarecb -l 2",
    "regcbopt": "--regcbopt --mellowness 0.001",
    "bag 5": "--bag 5 --greedify --epsilon 0",
    "cover 4": "--cover 4 --cb_type dr --nounif",
    "softmax 10": "--softmax --lambda 10",
    "first 200": "--first 200",
}
DEFAULT = "VW epsilon 0.05"


def rows_of(path, rows, seed, run):
    """The number of classes, and lines for VW: class and features."""
    import posse

    table = {"kind": "table", "file": str(path), "label": "class", "standardise": True}
    environment = posse.Environment(table, seed=seed)
    environment.begin(run)
    lines = []
    for _ in range(rows):
        features = " ".join(f"x{j}:{x:.9g}" for j, x in enumerate(environment.round().shared) if x != 0)
        right = next(arm for arm in range(environment.arms) if environment.regret(arm) == 0)
        lines.append(f"{right + 1} |f {features}\n")
    return environment.arms, lines


def error(program, file, classes, options, low, seed):
    command = f"{program} -d {file} --cbify {classes} --cb_explore_adf {options} --loss0 {low} --loss1 {low + 1} -b 18"
    given = subprocess.run([*command.split(), "--random_seed", str(seed)], capture_output=True, text=True)
    found = re.search(r"average loss = (\S+)", given.stderr + given.stdout)
    if given.returncode != 0 or found is None:
        raise RuntimeError(f"bakeoff: {command} failed: {given.stderr[-300:]}")
    return float(found[1])


def play(program, path, rows, runs, seed):
    """{setting: [error of each run]}"""
    errors = {}
    for run in range(runs):
        classes, lines = rows_of(path, rows, seed, run)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.vw"
            file.write_text("".join(lines))
            for name, options in EXPLORERS.items():
                for low, costs in ((0, ""), (-1, " (-1/0)")):
                    found = error(program, file, classes, options, low, run + 1)
                    errors.setdefault(f"VW {name}{costs}", []).append(found)
    return errors
