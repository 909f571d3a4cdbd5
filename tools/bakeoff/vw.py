# SPDX-License-Identifier: MIT
"""Vowpal Wabbit on the same rows in the same order, which posse.Environment gives, with the same clicks.

A row has a cost for each arm, 1 minus its reward (--cbify_cs). VW sees only the cost of the arm that it played. The
average loss that it prints is the mean of that cost minus the least one of the row: the share of wrong decisions or of
missed clicks, also with costs -1 and 0. Names of features must not be plain numbers, which collide with --cbify.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile

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
COSTS = {"": "--loss0 0 --loss1 1", " (-1/0)": "--loss0 -1 --loss1 0"}
GROUPS = {"": {"label": "class"}, "-clicks": {"rewards": "r_*"}}  # what it plays, and where a table has the rewards


def settings():
    """{name: options} of each way to explore with each pair of costs. The first one is VW's default."""
    return {
        f"VW {name}{costs}": f"{options} {losses}"
        for name, options in EXPLORERS.items()
        for costs, losses in COSTS.items()
    }


def rows_of(path, arms, rows, seed, run):
    """The number of classes, and lines for VW: the cost of each class, and features."""
    import posse

    environment = posse.Environment({"kind": "table", "file": str(path), "standardise": True, **arms}, seed=seed)
    environment.begin(run)
    lines = []
    for _ in range(rows):
        features = " ".join(f"x{j}:{x:.9g}" for j, x in enumerate(environment.round().shared) if x != 0)
        costs = " ".join(f"{arm + 1}:{1 - environment.reward(arm):g}" for arm in range(environment.arms))
        lines.append(f"{costs} |f {features}\n")
    return environment.arms, lines


def error(program, file, classes, options, seed):
    command = f"{program} -d {file} --cbify {classes} --cbify_cs --cb_explore_adf {options} -b 18 --random_seed {seed}"
    given = subprocess.run(command.split(), capture_output=True, text=True)
    found = re.search(r"average loss = (\S+)", given.stderr + given.stdout)
    if given.returncode != 0 or found is None:
        raise RuntimeError(f"bakeoff: {command} failed: {given.stderr[-300:]}")
    return float(found[1])


def kept(folder, table):
    """What is stored of a table."""
    path = folder / "vw" / f"{table}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def conditions(plan, name):
    """What results depend on, beside the program."""
    return {"rows": plan["rows"][name], "runs": plan["runs"], "seed": plan["seed"], "settings": plan["vw"]}


def results(folder, name, group, plan):
    """{setting: [error of each run]}; empty if this plan was not played."""
    stored = kept(folder, f"{name}{group}")
    return stored["errors"] if stored.items() >= conditions(plan, name).items() else {}


def play(program, folder, name, group, plan):
    """Plays a table, unless this program has played it by this plan: as many settings at once as processors."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
    wanted = {**conditions(plan, name), "program": version}
    if kept(folder, f"{name}{group}").items() >= wanted.items():
        return
    table, errors = folder / "tables" / f"{name}{group}.csv", {setting: [] for setting in plan["vw"]}
    with tempfile.TemporaryDirectory() as here, concurrent.futures.ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as together:
        file = pathlib.Path(here) / "rows.vw"
        for run in range(plan["runs"]):
            classes, lines = rows_of(table, GROUPS[group], plan["rows"][name], plan["seed"], run)
            file.write_text("".join(lines))
            found = together.map(lambda options: error(program, file, classes, options, run + 1), plan["vw"].values())
            for setting, one in zip(plan["vw"], found):
                errors[setting].append(one)
    (folder / "vw" / f"{name}{group}.json").write_text(json.dumps({**wanted, "errors": errors}))
