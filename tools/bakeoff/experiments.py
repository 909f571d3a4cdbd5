# SPDX-License-Identifier: MIT
"""The experiment files of a set: single learners, and teams. One pass over its rows, in another order for each run."""
import random

import sets

RIGHT, WRONG = 0.3, 0.05  # how often a click follows the right class, and any other
HIGH, LOW = 60, 50  # the amounts that they pay
GROUPS = ("", "-clicks", "-amounts")  # what rewards are: 1 for the right class, clicks, amounts
SPANS = {"": (0, 1, 1), "-clicks": (0, 1, RIGHT), "-amounts": (LOW, HIGH, HIGH)}  # lowest, highest, best mean reward

HEAD = """name: {name}
rounds: {rounds}
runs: {runs}
seed: {seed}
environment: {{kind: table, file: ../tables/{table}.csv, {arms}, standardise: true}}
"""


def paying_rows(rows, seed, group):
    """The rows with a column of rewards for each class in place of the class."""
    dice = random.Random(seed)
    pays = {
        "-clicks": lambda right: int(dice.random() < (RIGHT if right else WRONG)),
        "-amounts": lambda right: HIGH if right else LOW,
    }[group]
    classes = sorted({row[-1] for row in rows}, key=str.encode)
    return [f"r_{c}" for c in classes], [[*row[:-1], *(pays(row[-1] == c) for c in classes)] for row in rows]


def write_table(folder, name, raw, most, seed, group):
    """Writes the table that is played and returns its number of rows."""
    names, rows = sets.read(raw, name)
    rows = sets.draw(rows, most, seed)
    if group:
        columns, rows = paying_rows(rows, seed, group)
        names = [*names[:-1], *columns]
    sets.write(folder / "tables" / f"{name}{group}.csv", names, rows)
    return len(rows)


def write(folder, name, rounds, runs, seed, group, learners, selectors):
    """Writes NAME.yaml, of single learners if there are any, and NAME-teams.yaml, and returns their names without
    ending. The group is behind the name of the set."""
    table = f"{name}{group}"
    arms = 'rewards: "r_*"' if group else "label: class"
    head = lambda name: HEAD.format(name=name, rounds=rounds, runs=runs, seed=seed, table=table, arms=arms)
    alone = "".join(
        f"  - {{name: {label}, kind: {kind}{''.join(f', {key}: {value}' for key, value in options.items())}}}\n"
        for label, kind, options in learners
    )
    teams = "".join(f"  - {{name: {label}, {options}}}\n" for label, options in selectors.items())
    rewards = {"": "", "-clicks": "rewards: clicks\n", "-amounts": "rewards: numbers\n"}[group]
    files = {table: f"{head(table)}learners:\n{alone}"} if learners else {}
    files[f"{table}-teams"] = f"{head(f'{table}-teams')}{rewards}learners: recommended\nselectors:\n{teams}"
    for file, text in files.items():
        (folder / "experiments" / f"{file}.yaml").write_text(text)
    return list(files)
