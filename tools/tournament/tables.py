# SPDX-License-Identifier: MIT
"""The tables of the page, as HTML."""
import itertools
import math
from html import escape

from analysis import ALONE, WITHIN
from competitors import DEFAULT, SELECTORS
from markup import tag

MOST_SHOWN = 10  # problems; a click shows the others


# ---- numbers ----


def number(value):
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def interval(low, high):
    return f"{number(low)} to {number(high)}" if low is not None else "–"


def percent(share):
    return f"{100 * share:.0f}%"


# ---- cells, lines, tables ----


def cell(text, *classes, title=None, shade=None):
    """A shade is a number from 0 to 1."""
    if shade is None:
        return tag("td", escape(text), class_=" ".join(classes) or None, title=title)
    shade = min(1, max(0, shade))
    return tag("td", escape(text), class_=" ".join((*classes, "shaded")), title=title, style=f"--shade: {shade:.2f}")


def numbers(*texts):
    return "".join(cell(text, "number") for text in texts)


def words(*texts):
    return "".join(cell(text, "short") for text in texts)


def line(name, cells):
    return tag("tr", cell(name, "name") + cells, class_="default" if name == DEFAULT else None)


def table(label, heads, lines, wide=False):
    """A head that begins with a space is above numbers. Heads do not break at a hyphen."""
    kinds = ["number" if head.startswith(" ") else None for head in heads]
    cells = [tag("th", escape(head.strip(" ").replace("-", "\u2011")), scope="col", class_=kind) for head, kind in zip(heads, kinds)]
    head = tag("thead", tag("tr", "".join(cells)), class_="broken" if wide else None)
    inside = tag("table", head + tag("tbody", "".join(lines)))
    scroll = tag("div", inside, class_="scroll", tabindex="0", role="region", aria_label=label)
    return tag("div", scroll, class_="wide") if wide else scroll


# ---- the tables ----


def standings(rows):
    heads = ["selector", " mean ratio", " 95% interval", " 95th percentile", " worst", "on", " best"]
    heads += [f" ≤\u00a0{factor:g}" for factor in WITHIN[1:]] + [" beaten on", " by"]
    return table("Standings", heads, map(standing, rows), wide=True)


def standing(row):
    mean = numbers(number(row["mean"]), interval(row["mean_low"], row["mean_high"]))
    if row["name"] == ALONE:
        return line(row["name"], mean + tag("td", "", colspan=len(WITHIN) + 5))
    far = numbers(number(row["percentile_95"]), number(row["worst"])) + words(row["worst_problem"])
    shares = numbers(*(percent(row[f"within_{factor:g}"]) for factor in WITHIN))
    return line(row["name"], mean + far + shares + numbers(percent(row["beaten"]), number(row["beaten_by"])))


def duels_of_default(duels):
    """The worst problems first."""
    return sorted((duel for duel in duels if duel["name"] == DEFAULT), key=lambda duel: -duel["ratio"])


def duels(rows):
    against = {duel["name"]: duel for duel in rows if duel["other"] == DEFAULT}
    heads = ["other selector", f" {DEFAULT} / other", " 95% interval", f" {DEFAULT} wins on", " by", " loses on", " by"]
    lines = []
    for duel in duels_of_default(rows):
        wins = against[duel["other"]]
        ratio = numbers(number(duel["ratio"]), interval(duel["ratio_low"], duel["ratio_high"]))
        won = numbers(percent(wins["loses"]), number(wins["loses_by"]))
        lines.append(line(duel["other"], ratio + won + numbers(percent(duel["loses"]), number(duel["loses_by"]))))
    return table(f"{DEFAULT} against each", heads, lines)


def losses(rows):
    found = {(duel["name"], duel["other"]): duel for duel in rows}
    lines = [line(name, "".join(loss(found.get((name, other))) for other in SELECTORS)) for name in SELECTORS]
    return table("Losses", ["loser", *(" " + name for name in SELECTORS)], lines, wide=True)


def loss(duel):
    if duel is None:  # the same selector twice
        return cell("")
    by = f"; where it loses: {number(duel['loses_by'])}" if duel["loses_by"] else ""
    title = f"{duel['name']} / {duel['other']}: {number(duel['ratio'])}{by}"
    return cell(percent(duel["loses"]), "number", title=title, shade=duel["loses"])


def splits(rows):
    """The rows of a group follow each other, one for each selector, and one for the best learner alone."""
    lines, split = [], None
    for (kind, name), group in itertools.groupby(rows, lambda row: (row["split"], row["group"])):
        means = {row["name"]: row for row in group}
        if kind != split:
            split = kind
            lines.append(tag("tr", tag("th", escape(split), colspan=len(SELECTORS) + 3, scope="rowgroup")))
        least = min(means[selector]["mean"] for selector in SELECTORS)
        cells = "".join(group_mean(means[selector], means[selector]["mean"] == least) for selector in SELECTORS)
        alone = numbers(number(means[ALONE]["mean"] if ALONE in means else None))
        lines.append(tag("tr", cell(name, "name") + numbers(str(means[DEFAULT]["problems"])) + cells + alone))
    heads = ["", " problems", *(" " + selector for selector in SELECTORS), " " + ALONE]
    return table("Kinds of problems", heads, lines, wide=True)


def group_mean(row, is_least):
    """The shade is full at ten times the best."""
    spread = interval(row["mean_low"], row["mean_high"])
    title = f"{row['name']}: {spread}; 95th percentile {number(row['percentile_95'])}"
    classes = ("number", "best") if is_least else ("number",)
    return cell(number(row["mean"]), *classes, title=title, shade=math.log10(row["mean"]))


def problems(results):
    order = sorted(results, key=lambda result: -result.ratio(DEFAULT))
    heads = ["problem", "family", " arms", " dim", " noise", " learners", " rounds", " runs", "learning", "belief"]
    heads += ["best", " its regret", f" {DEFAULT}"]
    lines = [problem(result) for result in order]
    shown, rest = table("Problems", heads, lines[:MOST_SHOWN]), lines[MOST_SHOWN:]
    if not rest:
        return shown
    hidden = tag("summary", f"The other {len(rest)}") + table("The other problems", heads, rest)
    return shown + tag("details", hidden, class_="family")


def problem(result):
    features = result.features
    link = tag("td", tag("a", escape(result.name), href=f"problems/{result.name}.yaml"), class_="short")
    sizes = numbers(*(features[key] for key in ("arms", "dim", "noise", "learners", "rounds", "runs")))
    learning = "shared" if features["share"] == "yes" else "own plays"
    regret = f"{number(result.regret[result.best])} ± {number(result.half_width[result.best])}"
    outcome = words(result.best) + numbers(regret, f"× {number(result.ratio(DEFAULT))}")
    return tag("tr", link + words(features["family"]) + sizes + words(learning, features["belief"]) + outcome)
