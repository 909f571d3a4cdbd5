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
import pathlib
import types

import experiments
import sets
import vw

RECOMMENDED = "recommended"
TITLES = {"": "wrong decisions", "-clicks": "missed clicks", "-amounts": "amounts"}
TABLES = {"": "errors", "-clicks": "clicks", "-amounts": "amounts"}
STUDY = pathlib.Path(__file__).resolve().parent / "study.csv"
CHOOSING = [name for place, name in enumerate(sets.SETS) if place % 2 == 0]


def load(folder):
    plan = json.loads((folder / "plan.json").read_text())
    found = types.SimpleNamespace(plan=plan, sets=plan["rows"], folder=folder)
    found.errors = {group: read_group(folder, plan, group) for group in experiments.GROUPS}
    found.features = {name: read_shape(folder, name) for name in plan["rows"]}
    return found


def read_group(folder, plan, group):
    """{set: {contender: (mean, standard error, runs)}}, with Vowpal Wabbit if it played the group on all sets."""
    low, high, _ = experiments.SPANS[group]
    errors = {name: read_set(folder, plan["files"][f"{name}{group}"], high - low) for name in plan["rows"]}
    rivals = {name: vw.results(folder, name, group, plan) for name in plan["rows"]} if group in vw.GROUPS else {}
    for name, played in rivals.items() if all(rivals.values()) else ():
        errors[name].update({rival: summarise(runs) for rival, runs in played.items()})
    return errors


def read_shape(folder, name):
    """Features and classes of a set, from its table."""
    names, rows = sets.read(folder / "tables", name)
    return len(names) - 1, len({row[-1] for row in rows})


def read_set(folder, files, unit):
    """{contender: (mean, standard error, runs)}, where a wrong decision costs `unit`."""
    errors = {}
    for file in files:
        with open(folder / "runs" / file / "summary.csv", newline="") as lines:
            for row in csv.DictReader(lines):
                alone_in_team = file.endswith("-teams") and row["role"] == "learner"
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


def standings(found, group):
    """A row for each contender, the best first: mean errors, and the recommended team's wins, ties and losses."""
    choose, report = halves(found)
    errors, rows = found.errors[group], []
    for name in names_of(errors):
        wins, ties, losses = duel(errors, RECOMMENDED, name, report)
        row = {"name": name, "error": mean(errors, name, list(found.sets)), "reporting_half": mean(errors, name, report)}
        row.update(choosing_half=mean(errors, name, choose) if choose else "", wins=wins, ties=ties, losses=losses)
        rows.append(row)
    return sorted(rows, key=lambda row: row["reporting_half"])


def families(found, group):
    """The settings among which one is chosen in hindsight or by the other sets: of each kind, and of all."""
    kinds = {}
    for label in found.plan["learners"][group]:
        kinds.setdefault(label.split()[0], []).append(label)
    together = {"posse's learners": found.plan["learners"][group], "VW": rivals(found, group)}
    return {name: labels for name, labels in {**kinds, **together}.items() if len(labels) > 1}


def rivals(found, group):
    """The settings of Vowpal Wabbit that played the group, its default first."""
    there = names_of(found.errors[group])
    return [setting for setting in found.plan["vw"] if setting in there]


def choices(found, group):
    """A row for each family: the mean error of its best setting of each set, how the recommended team does against
    that, and the mean error of the setting that is chosen on all other sets."""
    _, report = halves(found)
    errors, rows = found.errors[group], []
    for family, names in families(found, group).items():
        best = hindsight(errors, names, report)
        wins, ties, losses = duel_with(errors, RECOMMENDED, best)
        row = {"family": family, "best": sum(value[0] for value in best.values()) / len(best)}
        rows.append({**row, "wins": wins, "ties": ties, "losses": losses, "chosen": left_out(errors, names, report)})
    return rows


def consider(found, group):
    """For each set of the reporting half, the error of the rule over the better of `consider` on and off."""
    rows, names = [], ("consider on", "consider off", RECOMMENDED)
    _, report = halves(found)
    for s in report if set(names) <= set(names_of(found.errors[group])) else ():
        on, off, rule = (found.errors[group][s][name][0] for name in names)
        ratio = rule / min(on, off) if min(on, off) else 1
        rows.append({"rewards": TABLES[group], "set": s, "on": on, "off": off, "rule": rule, "ratio": ratio})
    return rows


def studied(found):
    """{set: (error of the recommended team, of the study's best setting)} of the sets in common with a study of 88
    settings of Vowpal Wabbit 9.11.2. The study's figures are not those of this command."""
    _, report = halves(found)
    with open(STUDY, newline="") as lines:
        theirs = {row["set"]: float(row["error"]) for row in csv.DictReader(lines)}
    return {s: (found.errors[""][s][RECOMMENDED][0], theirs[s]) for s in report if s in theirs}


# ---- tables ----


def write_rows(path, rows):
    if not rows:
        return path.unlink(missing_ok=True)
    with open(path, "w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write(folder, found):
    for group, errors in found.errors.items():
        rows = [
            {"set": s, "contender": name, "error": value[0], "standard_error": value[1], "runs": value[2]}
            for s, of_set in errors.items()
            for name, value in of_set.items()
        ]
        write_rows(folder / f"{TABLES[group]}.csv", rows)
        write_rows(folder / f"standings{group}.csv", standings(found, group))
        write_rows(folder / f"hindsight{group}.csv", choices(found, group))
    write_rows(folder / "consider.csv", [row for group in found.errors for row in consider(found, group)])


def text(found):
    """What the command prints."""
    _, report = halves(found)
    lines = [f"reporting half: {len(report)} of {len(found.sets)} sets, {found.plan['runs']} orders each"]
    for group in found.errors:
        lines.append(f"{TITLES[group]:42}  error  recommended wins/ties/losses")
        for r in standings(found, group):
            lines.append(f"  {r['name']:40} {r['reporting_half']:6.4f}  {r['wins']:3}/{r['ties']}/{r['losses']}")
        for r in choices(found, group):
            best, chosen = f"{r['family']}, best of each set", f"{r['family']}, one set left out"
            lines.append(f"  {best:40} {r['best']:6.4f}  {r['wins']:3}/{r['ties']}/{r['losses']}")
            lines.append(f"  {chosen:40} {r['chosen']:6.4f}")
    lines += [consider_line(group, rows) for group in found.errors if (rows := consider(found, group))]
    if pairs := list(studied(found).values()):
        ours, theirs = (sum(column) / len(pairs) for column in zip(*pairs))
        lines.append(
            f"{len(pairs)} sets in common with a study of 88 settings of VW: recommended {ours:.4f}, the study's best "
            f"of each set {theirs:.4f}; lower on {sum(our < their for our, their in pairs)}"
        )
    return "\n".join(lines)


def consider_line(group, rows):
    on, off, rule = (sum(row[key] for row in rows) / len(rows) for key in ("on", "off", "rule"))
    most = max(rows, key=lambda row: row["ratio"])
    near = sum(row["ratio"] <= 1.05 for row in rows)
    return (
        f"consider, {TITLES[group]}: on {on:.4f}, off {off:.4f}, the rule {rule:.4f}; within 5% of the better of the "
        f"two on {near} of {len(rows)} sets, at most {most['ratio']:.3f} of it ({most['set']})"
    )
