# SPDX-License-Identifier: MIT
"""The experiment files of a set: single learners, and teams. One pass over its rows, in another order for each run."""
import random

import contenders
import sets

RIGHT, WRONG = 0.3, 0.05  # how often a click follows the right class, and any other

HEAD = """name: {name}
rounds: {rounds}
runs: {runs}
seed: {seed}
environment: {{kind: table, file: ../tables/{table}.csv, {arms}, standardise: true}}
"""


def click_rows(rows, seed):
    """The rows with a column of clicks for each class in place of the class."""
    dice = random.Random(seed)
    classes = sorted({row[-1] for row in rows}, key=str.encode)
    drawn = [[int(dice.random() < (RIGHT if row[-1] == c else WRONG)) for c in classes] for row in rows]
    return [f"r_{c}" for c in classes], [[*row[:-1], *clicks] for row, clicks in zip(rows, drawn)]


def write_table(folder, name, raw, most, seed, clicks):
    """Writes the table that is played and returns its number of rows."""
    names, rows = sets.read(raw, name)
    rows = sets.draw(rows, most, seed)
    if clicks:
        columns, rows = click_rows(rows, seed)
        names = [*names[:-1], *columns]
    sets.write(folder / "tables" / f"{name}{'-clicks' * clicks}.csv", names, rows)
    return len(rows)


def write(folder, name, rounds, runs, seed, clicks, learners):
    """Two files of a set: NAME.yaml and NAME-teams.yaml, with -clicks behind the name of the set."""
    table = f"{name}{'-clicks' * clicks}"
    arms = 'rewards: "r_*"' if clicks else "label: class"
    head = lambda name: HEAD.format(name=name, rounds=rounds, runs=runs, seed=seed, table=table, arms=arms)
    alone = "".join(
        f"  - {{name: {label}, kind: {kind}{''.join(f', {key}: {value}' for key, value in options.items())}}}\n"
        for label, kind, options in learners
    )
    (folder / "experiments" / f"{table}.yaml").write_text(f"{head(table)}learners:\n{alone}")
    teams = "".join(f"  - {{name: {label}, {options}}}\n" for label, options in contenders.SELECTORS.items())
    rewards = "rewards: clicks\n" if clicks else ""
    text = f"{head(f'{table}-teams')}{rewards}learners: recommended\nselectors:\n{teams}"
    (folder / "experiments" / f"{table}-teams.yaml").write_text(text)
