# SPDX-License-Identifier: MIT
"""Compares the contenders: errors on each set, wins and losses, and the choice of one setting for a new set.

The error of a contender is the share of rounds in which it did not play the right class or, with clicks, the share of
clicks that it missed: those of the best arm of each row minus its own. A contender beats another one on a set if Welch's
t-test finds a difference at 5%. Sets are split in two halves by their place in the list. Recommended parts were chosen
on the first half, with another seed, and are reported on the second.
"""
import csv
import json
import math
import types

import experiments
import sets

RECOMMENDED = "recommended"
CHOOSING = [name for place, name in enumerate(sets.SETS) if place % 2 == 0]


def load(folder):
    plan = json.loads((folder / "plan.json").read_text())
    found = types.SimpleNamespace(plan=plan, sets=plan["rows"], folder=folder, vw=[])
    found.errors = {name: read_set(folder, name) for name in plan["rows"]}
    found.clicks = {name: read_set(folder, f"{name}-clicks") for name in plan["rows"]}
    apart = experiments.HIGH - experiments.LOW
    found.amounts = {name: read_set(folder, f"{name}-amounts", apart) for name in plan["rows"]}
    for name in plan["rows"]:
        played = folder / "vw" / f"{name}.json"
        if played.exists():
            rivals = {rival: summarise(runs) for rival, runs in json.loads(played.read_text()).items()}
            found.errors[name].update(rivals)
            found.vw = list(rivals)
    found.features = {name: read_shape(folder, name) for name in plan["rows"]}
    return found


def read_shape(folder, name):
    """Features and classes of a set, from its table."""
    names, rows = sets.read(folder / "tables", name)
    return len(names) - 1, len({row[-1] for row in rows})


def read_set(folder, name, unit=1):
    """{contender: (mean, standard error, runs)}, where a wrong decision costs `unit`."""
    errors = {}
    for file in (name, f"{name}-teams"):
        with open(folder / "runs" / file / "summary.csv", newline="") as lines:
            for row in csv.DictReader(lines):
                alone_in_team = file != name and row["role"] == "learner"
                if row["role"] == "oracle" or alone_in_team:
                    continue
                rounds, runs = unit * float(row["rounds"]), int(row["runs"])
                half = float(row["regret_ci95"] or 0)
                errors[row["name"]] = (float(row["regret"]) / rounds, half / 1.96 / rounds, runs)
    return errors


def summarise(runs):
    mean = sum(runs) / len(runs)
    spread = sum((x - mean) ** 2 for x in runs) / max(1, len(runs) - 1)
    return mean, math.sqrt(spread / len(runs)), len(runs)


# ---- comparing ----


def beats(one, other):
    """1: one has the lower error, -1: the other, 0: neither at 5%."""
    spread = math.hypot(one[1], other[1])
    if spread == 0:
        return (one[0] < other[0]) - (one[0] > other[0])
    score = (other[0] - one[0]) / spread
    weight = one[1] ** 4 / max(1, one[2] - 1) + other[1] ** 4 / max(1, other[2] - 1)
    return (abs(score) > student(spread**4 / weight)) * (1 if score > 0 else -1)


def student(degrees):
    """The 97.5% quantile of Student's t distribution (Cornish and Fisher's expansion)."""
    z, n = 1.959964, max(1.0, degrees)
    if n < 3:
        return 12.706 if n < 2 else 4.303
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)


def names_of(errors):
    """Contenders that played all sets."""
    first = next(iter(errors.values()))
    return [name for name in first if all(name in of_set for of_set in errors.values())]


def mean(errors, name, among):
    return sum(errors[s][name][0] for s in among) / len(among)


def duel(errors, one, other, among):
    """Wins, ties and losses of one contender against another one."""
    results = [beats(errors[s][one], errors[s][other]) for s in among]
    return results.count(1), results.count(0), results.count(-1)


def hindsight(errors, names, among):
    """{set: the error of the best of the names there}"""
    return {s: min(errors[s][name] for name in names) for s in among}


def duel_with(errors, one, best):
    results = [beats(errors[s][one], best[s]) for s in best]
    return results.count(1), results.count(0), results.count(-1)


def left_out(errors, names, among):
    """The mean error if each set is played with the setting that is best on all other sets."""
    total = 0.0
    for s in among:
        others = [other for other in among if other != s]
        choice = min(names, key=lambda name: mean(errors, name, others)) if others else names[0]
        total += errors[s][choice][0]
    return total / len(among)


def halves(found):
    """The sets of each half that were played; all sets if a half has none."""
    report = [s for s in found.sets if s not in CHOOSING]
    choose = [s for s in found.sets if s in CHOOSING]
    return choose, report or list(found.sets)


def standings(found, errors):
    """A row for each contender, the best first: mean errors, and the recommended team's wins, ties and losses."""
    choose, report = halves(found)
    rows = []
    for name in names_of(errors):
        wins, ties, losses = duel(errors, RECOMMENDED, name, report)
        row = {"name": name, "error": mean(errors, name, list(found.sets)), "reporting_half": mean(errors, name, report)}
        row.update(choosing_half=mean(errors, name, choose) if choose else "", wins=wins, ties=ties, losses=losses)
        rows.append(row)
    return sorted(rows, key=lambda row: row["reporting_half"])


def families(found):
    """The settings among which one is chosen in hindsight or by the other sets."""
    groups = {"posse's learners": found.plan["learners"]}
    if found.vw:
        groups["VW"] = found.vw
    return groups


def consider(errors, among):
    """For each set, the error of the rule over the better of `consider` on and off."""
    rows = []
    for s in among:
        on, off, rule = (errors[s][name][0] for name in ("consider on", "consider off", RECOMMENDED))
        rows.append({"set": s, "on": on, "off": off, "rule": rule, "ratio": rule / min(on, off) if min(on, off) else 1})
    return rows


# ---- tables ----


def write_rows(path, rows):
    with open(path, "w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write(folder, found):
    for kind, errors in (("errors", found.errors), ("clicks", found.clicks), ("amounts", found.amounts)):
        rows = [
            {"set": s, "contender": name, "error": value[0], "standard_error": value[1], "runs": value[2]}
            for s, of_set in errors.items()
            for name, value in of_set.items()
        ]
        write_rows(folder / f"{kind}.csv", rows)
    write_rows(folder / "standings.csv", standings(found, found.errors))
    write_rows(folder / "standings-clicks.csv", standings(found, found.clicks))
    write_rows(folder / "standings-amounts.csv", standings(found, found.amounts))
    write_rows(folder / "consider.csv", consider(found.errors, found.sets))


def text(found):
    """What the command prints."""
    _, report = halves(found)
    lines = [f"reporting half: {len(report)} of {len(found.sets)} sets, {found.plan['runs']} orders each"]
    groups = {"wrong decisions": found.errors, "missed clicks": found.clicks, "amounts": found.amounts}
    for title, errors in groups.items():
        lines.append(f"{title:34}  error  recommended wins/ties/losses")
        for row in standings(found, errors):
            lines.append(
                f"  {row['name']:32} {row['reporting_half']:6.4f}  {row['wins']:3}/{row['ties']}/{row['losses']}"
            )
        for group, names in families(found).items():
            if any(name not in errors[report[0]] for name in names):
                continue
            best = hindsight(errors, names, report)
            wins, ties, losses = duel_with(errors, RECOMMENDED, best)
            average = sum(value[0] for value in best.values()) / len(best)
            lines.append(f"  {group + ', best of each set':32} {average:6.4f}  {wins:3}/{ties}/{losses}")
            lines.append(f"  {group + ', one set left out':32} {left_out(errors, names, report):6.4f}")
    ratios = [row["ratio"] for row in consider(found.errors, report)]
    lines.append(f"consider: the rule has at most {max(ratios):.3f} of the error of the better of on and off")
    return "\n".join(lines)
