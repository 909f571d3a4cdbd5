# SPDX-License-Identifier: MIT
"""The page of the tournament: the results of analysis.py in pictures and tables, in the style of the report."""
import json
import pathlib
import re
from html import escape

import svg
import tables
from analysis import ALONE
from competitors import DEFAULT, SELECTORS
from svg import tag
from tables import interval, number

HERE = pathlib.Path(__file__).resolve().parent
STYLE = HERE.parent.parent / "app" / "report" / "page"

# Light and dark colours, and dashes, of the report. The line of the default is black or white.
PALETTE = json.loads((STYLE.parent / "chart" / "palette.json").read_text())
COLOURS = PALETTE["learner"]["colours"]
DASHES = [" ".join(map(str, dash)) or "none" for dash in PALETTE["dashes"]]


def page(tournament):
    """The text of index.html. The tournament has seed, results, left_out, standings, duels and splits."""
    parts = {
        "page.css": (STYLE / "page.css").read_text(),
        "elements.js": (STYLE / "elements.js").read_text(),
        "common.js": (STYLE / "common.js").read_text(),
        "lines": line_styles(),
        "default": escape(DEFAULT),
        "summary": summary(tournament),
        "left_out": left_out(tournament),
        "standings_picture": standings_picture(tournament.standings),
        "standings": tables.standings(tournament.standings),
        "profile_picture": profile_picture(tournament.results),
        "profile_key": profile_key(tournament.standings),
        "duel_picture": duel_picture(tables.duels_of_default(tournament.duels)),
        "duels": tables.duels(tournament.duels),
        "losses": tables.losses(tournament.duels),
        "splits": tables.splits(tournament.splits),
        "problems": tables.problems(tournament.results),
    }
    return re.sub(r"\{\{([\w.]+)\}\}", lambda match: parts[match[1]], (HERE / "page.html").read_text())


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


# ---- pictures ----


def line_styles():
    """A rule for every line; lines of one colour differ in their dashes."""
    styles = ["svg .line-0 { stroke: var(--ink); }"]
    for place in range(1, len(SELECTORS)):
        light, dark = COLOURS[(place - 1) % len(COLOURS)]
        dash = DASHES[(place - 1) % len(DASHES)]
        styles.append(f"svg .line-{place} {{ stroke: {light}; stroke-dasharray: {dash}; }}")
        styles.append(f':root[data-theme="dark"] svg .line-{place} {{ stroke: {dark}; }}')
    return "\n".join(styles)


def dots(name, look, words, mean, low, high, far=None):
    text = f"{words}: {number(mean)}, {interval(low, high)}"
    return {"name": name, "look": look, "value": mean, "low": low, "high": high, "far": far, "text": text}


def standings_picture(standings):
    looks = {DEFAULT: "wins", ALONE: "worse"}
    rows = []
    for row in standings:
        name, means = row["name"], (row["mean"], row["mean_low"], row["mean_high"])
        rows.append(dots(name, looks.get(name, "even"), name, *means, row.get("percentile_95")))
    return svg.dot_plot(rows, "regret / regret of the best selector", "Mean ratio of each selector", 1)


def duel_picture(duels):
    rows = []
    for duel in duels:
        low, high = duel["ratio_low"], duel["ratio_high"]
        look = "even" if low is None or low <= 1 <= high else "wins" if high < 1 else "worse"
        rows.append(dots(duel["other"], look, f"{DEFAULT} / {duel['other']}", duel["ratio"], low, high))
    return svg.dot_plot(rows, f"regret of {DEFAULT} / regret of the other", f"{DEFAULT} against each", 1)


def profile_picture(results):
    profiles = {name: sorted(result.ratio(name) for result in results) for name in SELECTORS}
    title = "regret / regret of the best selector, at most"
    return svg.profile_plot(profiles, 10, title, "Share of problems within a factor of the best")


def profile_key(standings):
    """The best first, in the order of the lines."""
    places = {name: place for place, name in enumerate(SELECTORS)}
    names = [row["name"] for row in standings if row["name"] in places]
    entries = (svg.swatch(places[name]) + tag("span", escape(name), class_="name") for name in names)
    return "".join(tag("span", entry, class_="entry") for entry in entries)
