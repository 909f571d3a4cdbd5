# SPDX-License-Identifier: MIT
"""The page of the tournament: the results of analysis.py in pictures and tables, in the style of the report."""
import pathlib
from html import escape

import charts
import tables
from analysis import ALONE
from competitors import DEFAULT, SELECTORS
from tables import interval, number

TEMPLATE = pathlib.Path(__file__).resolve().parent / "page.html"


def page(tournament):
    """The text of index.html. The tournament has seed, results, left_out, standings, duels and splits."""
    duels = tables.duels_of_default(tournament.duels)
    parts = {
        "default": escape(DEFAULT),
        "summary": summary(tournament),
        "left_out": left_out(tournament),
        "standings": tables.standings(tournament.standings),
        "duels": tables.duels(tournament.duels),
        "losses": tables.losses(tournament.duels),
        "splits": tables.splits(tournament.splits),
        "problems": tables.problems(tournament.results),
    }
    profiles = profile_chart(tournament.results, tournament.standings)
    return charts.page(TEMPLATE, parts, standings_chart(tournament.standings), profiles, duels_chart(duels))


def summary(tournament):
    runs = sum(int(result.features["runs"]) for result in tournament.results)
    return (
        f"{len(tournament.results)} problems drawn with seed {tournament.seed}, {len(SELECTORS)} selectors, "
        f"{runs} runs of each. docs/methodology.md says how problems are drawn."
    )


def left_out(tournament):
    count, clipped = len(tournament.left_out), max(result.clipped for result in tournament.results)
    problems = "No problem is" if count == 0 else "1 problem is" if count == 1 else f"{count} problems are"
    names = f" ({escape(', '.join(tournament.left_out))})" if count else ""
    return (
        f"{problems} left out because the best regret is smaller than its own half-width{names}. "
        f"Selectors that need a range of rewards had at most {100 * clipped:.1f}% of those of a problem clipped to it."
    )


# ---- charts ----


def row(name, style, words, mean, low, high, far=None):
    ends = None if low is None else (low, high)
    text = f"{words}: {number(mean)}, {interval(low, high)}"
    return {"name": name, "style": style, "value": mean, "ends": ends, "far": far, "text": text}


def standings_chart(standings):
    styles = {DEFAULT: charts.WINS, ALONE: charts.RIVAL}
    rows = []
    for one in standings:
        name, means = one["name"], (one["mean"], one["mean_low"], one["mean_high"])
        rows.append(row(name, styles.get(name, charts.PLAIN), name, *means, one.get("percentile_95")))
    label = "regret / regret of the best selector"
    return charts.dots("standings-chart", "Mean ratio of each selector", label, rows, 1)


def duels_chart(duels):
    rows = []
    for duel in duels:
        low, high = duel["ratio_low"], duel["ratio_high"]
        even = low is None or low <= 1 <= high
        style = charts.PLAIN if even else charts.WINS if high < 1 else charts.RIVAL
        rows.append(row(duel["other"], style, f"{DEFAULT} / {duel['other']}", duel["ratio"], low, high))
    label = f"regret of {DEFAULT} / regret of the other"
    return charts.dots("duels-chart", f"{DEFAULT} against each", label, rows, 1)


STEPS, FURTHEST = 480, 10  # of a profile, on its logarithmic axis


def profile_chart(results, standings):
    """The share of problems within a factor of the best. The key has the best first, in the order of the lines."""
    at = [FURTHEST ** (step / STEPS) for step in range(STEPS + 1)]
    names, lines = list(SELECTORS), []
    for place, name in enumerate(names):
        ratios = [result.ratio(name) for result in results]
        style = charts.style("learner", place - 1) if place else charts.style("selector")
        lines.append(charts.series(name, style, [sum(r <= most for r in ratios) / len(ratios) for most in at]))
    x = {"label": "regret / regret of the best selector, at most", "low": 1, "high": FURTHEST, "log": True}
    y = {"low": 0, "high": 1, "percent": True}
    key = [(0, names.index(one["name"])) for one in standings if one["name"] in names]
    note = "Share of problems within a factor of the best"
    return charts.chart("profiles-chart", note, y, {"x": x, "at": at, "series": lines}, key=key)
