# SPDX-License-Identifier: MIT
"""The page of the bake-off: the results of analysis.py in a picture and tables, in the style of the report."""
import pathlib
from html import escape

import analysis
import charts
import sets
from markup import tag

TEMPLATE = pathlib.Path(__file__).resolve().parent / "page.html"


def page(found):
    """The text of index.html."""
    rows = analysis.standings(found, found.errors)
    parts = {
        "summary": summary(found),
        "standings": standings(rows) + hindsight(found, found.errors),
        "clicks": standings(analysis.standings(found, found.clicks)) + hindsight(found, found.clicks),
        "amounts": standings(analysis.standings(found, found.amounts)),
        "sets": each_set(found),
        "consider": consider(found),
    }
    return charts.page(TEMPLATE, parts, errors_chart(rows))


def summary(found):
    _, report = analysis.halves(found)
    rows = found.plan["rows"].values()
    vw = "" if found.vw else " Vowpal Wabbit was not played: make bakeoff VW=PROGRAM."
    return (
        f"{len(found.sets)} real data sets of {min(rows)} to {max(rows)} rows from Debian packages, as bandits: a class "
        f"is an arm, one pass, {found.plan['runs']} orders of the rows. The recommended team was chosen on the choosing "
        f"half of the sets; wins, ties and losses are those on {len(report)} sets of the reporting half. "
        f"docs/bakeoff.md says more.{vw}"
    )


def table(heads, rows):
    head = tag("tr", "".join(tag("th", escape(h)) for h in heads))
    body = "".join(tag("tr", "".join(tag("td", escape(str(cell))) for cell in row)) for row in rows)
    return tag("table", tag("thead", head) + tag("tbody", body))


def style(name):
    return charts.WINS if name == analysis.RECOMMENDED else charts.RIVAL if name.startswith("VW ") else charts.PLAIN


def errors_chart(rows):
    marks = [
        {
            "name": row["name"],
            "style": style(row["name"]),
            "value": row["reporting_half"],
            "ends": None,
            "far": row["choosing_half"] or None,
            "text": f"{row['name']}: {row['reporting_half']:.4f}",
        }
        for row in rows
    ]
    return charts.dots("errors-chart", "Mean error of each contender", "mean share of wrong decisions", marks)


def standings(rows):
    heads = ("contender", "reporting half", "choosing half", "recommended wins", "ties", "losses")
    shown = lambda error: f"{error:.4f}" if error != "" else ""
    return table(
        heads,
        [
            (r["name"], shown(r["reporting_half"]), shown(r["choosing_half"]), r["wins"], r["ties"], r["losses"])
            for r in rows
        ],
    )


def hindsight(found, errors):
    _, report = analysis.halves(found)
    rows = []
    for group, names in analysis.families(found).items():
        if any(name not in errors[report[0]] for name in names):
            continue
        best = analysis.hindsight(errors, names, report)
        average = sum(value[0] for value in best.values()) / len(best)
        chosen = analysis.left_out(errors, names, report)
        rows.append((group, f"{average:.4f}", *analysis.duel_with(errors, analysis.RECOMMENDED, best), f"{chosen:.4f}"))
    heads = ("settings of", "best of each set", "recommended wins", "ties", "losses", "chosen on all other sets")
    return table(heads, rows)


def each_set(found):
    choose, _ = analysis.halves(found)
    heads = ["set", "package", "half", "rows", "columns", "classes", "recommended", "best learner of posse"]
    heads += ["VW default", "best of VW"] if found.vw else []
    rows = []
    for name in found.sets:
        errors = found.errors[name]
        best = min(found.plan["learners"], key=lambda learner: errors[learner][0])
        show = lambda contender: f"{errors[contender][0]:.4f} ± {errors[contender][1]:.4f}"
        row = [name, sets.SETS[name], "choosing" if name in choose else "reporting", found.plan["rows"][name]]
        row += [*found.features[name], show(analysis.RECOMMENDED), f"{show(best)} ({best})"]
        if found.vw:
            rival = min(found.vw, key=lambda setting: errors[setting][0])
            row += [show(found.vw[0]), f"{show(rival)} ({rival})"]
        rows.append(row)
    return table(heads, rows)


def consider(found):
    _, report = analysis.halves(found)
    rows = [
        (r["set"], f"{r['on']:.4f}", f"{r['off']:.4f}", f"{r['rule']:.4f}", f"{r['ratio']:.3f}")
        for r in analysis.consider(found.errors, report)
    ]
    return table(("set", "on", "off", "the rule", "rule / better"), rows)
