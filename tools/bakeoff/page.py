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
    parts = {
        "summary": summary(found),
        "study": study(found),
        "sets": each_set(found),
        "consider": "".join(map(lambda group: consider(found, group), found.errors)),
    }
    for group, name in analysis.TABLES.items():
        parts[name] = standings(found, group) + hindsight(found, group)
    return charts.page(TEMPLATE, parts, errors_chart(analysis.standings(found, "")))


def summary(found):
    _, report = analysis.halves(found)
    rows = found.plan["rows"].values()
    vw = "" if analysis.rivals(found, "") else " Vowpal Wabbit was not played: make bakeoff VW=PROGRAM."
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


def standings(found, group):
    heads = ("contender", "reporting half", "choosing half", "recommended wins", "ties", "losses")
    shown = lambda error: f"{error:.4f}" if error != "" else ""
    return table(
        heads,
        [
            (r["name"], shown(r["reporting_half"]), shown(r["choosing_half"]), r["wins"], r["ties"], r["losses"])
            for r in analysis.standings(found, group)
        ],
    )


def hindsight(found, group):
    rows = [
        (r["family"], f"{r['best']:.4f}", r["wins"], r["ties"], r["losses"], f"{r['chosen']:.4f}")
        for r in analysis.choices(found, group)
    ]
    heads = ("settings of", "best of each set", "recommended wins", "ties", "losses", "chosen on all other sets")
    return table(heads, rows) if rows else ""


def study(found):
    """The sets in common with the study of Vowpal Wabbit."""
    pairs = analysis.studied(found)
    if not pairs:
        return ""
    note = "The best of 88 settings of Vowpal Wabbit in hindsight, in an earlier run; docs/bakeoff.md has more."
    means = [sum(column) / len(pairs) for column in zip(*pairs.values())]
    rows = [(name, f"{ours:.4f}", f"{theirs:.3f}") for name, (ours, theirs) in pairs.items()]
    rows.append(("mean", f"{means[0]:.4f}", f"{means[1]:.4f}"))
    return tag("p", note, class_="note") + table(("set", "recommended", "best of 88 settings"), rows)


def each_set(found):
    choose, _ = analysis.halves(found)
    learners, rivals = found.plan["learners"][""], analysis.rivals(found, "")
    heads = ["set", "package", "half", "rows", "columns", "classes", "recommended"]
    heads += ["best learner of posse"] if learners else []
    heads += ["VW default", "best of VW"] if rivals else []
    rows = []
    for name in found.sets:
        errors = found.errors[""][name]
        show = lambda contender: f"{errors[contender][0]:.4f} ± {errors[contender][1]:.4f}"
        best = lambda names: min(names, key=lambda contender: errors[contender][0])
        row = [name, sets.SETS[name], "choosing" if name in choose else "reporting", found.plan["rows"][name]]
        row += [*found.features[name], show(analysis.RECOMMENDED)]
        row += [f"{show(best(learners))} ({best(learners)})"] if learners else []
        row += [show(rivals[0]), f"{show(best(rivals))} ({best(rivals)})"] if rivals else []
        rows.append(row)
    return table(heads, rows)


def consider(found, group):
    rows = [
        (r["set"], f"{r['on']:.4f}", f"{r['off']:.4f}", f"{r['rule']:.4f}", f"{r['ratio']:.3f}")
        for r in analysis.consider(found, group)
    ]
    heads = (analysis.TITLES[group], "on", "off", "the rule", "rule / better")
    return table(heads, rows) if rows else ""
