# SPDX-License-Identifier: MIT
"""Who wins, by how much, and on what kind of problem: the tables of the tournament.

The ratio of a selector on a problem is its regret divided by that of the best selector there.
"""
from bootstrap import Bootstrap, quantile
from competitors import DEFAULT, SELECTORS
from families import POOR

WITHIN = (1, 1.1, 1.25, 1.5, 2, 3)
ALONE = "best learner alone"

# How to split the problems: a function of the features that returns the name of a group, or None.
SPLITS = {
    "team": lambda f: "poor" if f["family"] in POOR else "mixed",
    "family": lambda f: f["family"],
    "environment": lambda f: f["environment"],
    "success": lambda f: "clicks" if f["family"] == "clicks" else "coins" if f["family"] == "coins" else None,
    "belief": lambda f: "right" if f["belief"] == "right" else "wrong",
    "wrong belief": lambda f: f["belief"] if f["belief"] != "right" else None,
    "learning": lambda f: "shared" if f["share"] == "yes" else "own plays",
    "learners": lambda f: bracket(int(f["learners"]), (2, 4, 8, 17)),
    "rounds": lambda f: bracket(int(f["rounds"]), (500, 2000, 6000, 20001)),
}


def bracket(value, starts):
    """The bracket that holds the value, in words. A value outside of all brackets belongs to the nearest one."""
    place = sum(value >= start for start in starts[1:-1])
    return f"{starts[place]} to {starts[place + 1] - 1}"


def share_of(conditions):
    conditions = list(conditions)
    return sum(conditions) / len(conditions)


def standings(results):
    """A row per selector, the smallest mean ratio first; then the best learner alone, which is not known beforehand."""
    bootstrap = Bootstrap(len(results))
    rows = [standing(name, results, bootstrap) for name in SELECTORS]
    return sorted(rows, key=lambda row: row["mean"]) + [standing_alone(results)]


def standing(name, results, bootstrap):
    ratios = [result.ratio(name) for result in results]
    mean, low, high = bootstrap.geometric_mean(ratios)
    worst = max(results, key=lambda result: result.ratio(name))
    beaten = [result.ratio(name) for result in results if result.loses(name, result.best)]
    return {
        "name": name,
        "problems": len(results),
        "mean": mean,
        "mean_low": low,
        "mean_high": high,
        "percentile_95": quantile(ratios, 0.95),
        "worst": worst.ratio(name),
        "worst_problem": worst.name,
        **{f"within_{factor:g}": share_of(ratio <= factor for ratio in ratios) for factor in WITHIN},
        "beaten": len(beaten) / len(results),
        "beaten_by": mean_of(beaten),
    }


def standing_alone(results):
    ratios = [result.alone / result.regret[result.best] for result in results if result.alone > 0]
    mean, low, high = Bootstrap(len(ratios)).geometric_mean(ratios)
    return {"name": ALONE, "problems": len(ratios), "mean": mean, "mean_low": low, "mean_high": high}


def mean_of(ratios):
    return Bootstrap(0).geometric_mean(ratios)[0] if ratios else None


def duels(results):
    """A row per selector and other selector: the ratio of their regrets, how often the first loses, by how much."""
    bootstrap = Bootstrap(len(results))
    return [duel(name, other, results, bootstrap) for name in SELECTORS for other in SELECTORS if name != other]


def duel(name, other, results, bootstrap):
    ratios = {result: result.regret[name] / result.regret[other] for result in results}
    mean, low, high = bootstrap.geometric_mean(ratios.values())
    lost = [ratio for result, ratio in ratios.items() if result.loses(name, other)]
    return {
        "name": name,
        "other": other,
        "ratio": mean,
        "ratio_low": low,
        "ratio_high": high,
        "loses": len(lost) / len(results),
        "loses_by": mean_of(lost),
    }


def splits(results):
    """A row per group of problems and selector: its mean ratio, and the default's regret over its own. The best learner
    alone, which is not known beforehand, is the last row of each group."""
    found = ((split, group, members) for split in SPLITS for group, members in groups(split, results))
    return [row for split, group, members in found for row in group_rows(split, group, members)]


def groups(split, results):
    """The groups of a split that have members, in order: numbers by size, names by the alphabet."""
    members = {}
    for result in results:
        members.setdefault(SPLITS[split](result.features), []).append(result)
    members.pop(None, None)
    return sorted(members.items(), key=lambda item: (int(item[0].split()[0]) if item[0][0].isdigit() else 0, item[0]))


def group_rows(split, group, results):
    for name in SELECTORS:
        yield group_row(split, group, name, results, {result: result.regret[name] for result in results})
    alone = [result for result in results if result.alone > 0]
    if alone:
        yield group_row(split, group, ALONE, alone, {result: result.alone for result in alone})


def group_row(split, group, name, results, regret):
    bootstrap = Bootstrap(len(results))
    ratios = [regret[result] / result.regret[result.best] for result in results]
    mean, low, high = bootstrap.geometric_mean(ratios)
    against, against_low, against_high = bootstrap.geometric_mean(
        [result.regret[DEFAULT] / regret[result] for result in results]
    )
    return {
        "split": split,
        "group": group,
        "problems": len(results),
        "name": name,
        "mean": mean,
        "mean_low": low,
        "mean_high": high,
        "percentile_95": quantile(ratios, 0.95),
        "default_ratio": against,
        "default_low": against_low,
        "default_high": against_high,
    }


def ratios(results):
    """A row per problem and selector, from which all other tables are computed."""
    return [
        {
            "problem": result.name,
            "name": name,
            "regret": result.regret[name],
            "regret_ci95": result.half_width[name],
            "ratio": result.ratio(name),
            "beaten": "yes" if result.loses(name, result.best) else "no",
        }
        for result in results
        for name in SELECTORS
    ]
