# SPDX-License-Identifier: MIT
"""Charts with matplotlib. What they show, in which order, colours and axes, is described by the report, which also makes
the program's pictures."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

COLUMNS = 4  # of panels
GREY = "#444444"
GRID = "#DDDDDD"
WITHOUT = {
    "selection": "the experiment has no selectors",
    "sweep": "no three learners of one kind played alone and differ in the number of an option",
    "optimal": "there are no optimal arms",
    "tasks": "a run has one task only",
}


def plot(outcome: Any, what: str | None, ax: Any) -> Any:
    """Implements Results.plot."""
    charts = {chart["name"]: chart for chart in json.loads(outcome.charts())}
    what = outcome.measure if what is None else what
    if what in WITHOUT and what not in charts:
        raise ValueError(f'there is no "{what}" to plot: {WITHOUT[what]}')
    if what not in charts:
        raise ValueError(f'there are {", ".join(repr(name) for name in charts)} to plot, not {what!r}')
    chart = charts[what]
    axes = _new_axes(len(chart["panels"])) if ax is None else list(np.atleast_1d(ax))
    for panel, on in zip(chart["panels"], axes, strict=True):
        _draw_panel(chart, panel, on)
        _dress(chart, panel, on, first=on is axes[0])
    _add_key(chart, axes[-1])
    return axes if chart["panels"][0]["title"] else axes[0]


def _draw_panel(chart: Any, panel: Any, ax: Any) -> None:
    at = np.array(panel["at"], dtype=float)
    if chart["stacked"]:
        heights = [_numbers(series["mean"]) for series in panel["series"]]
        colours = [_look(chart, series)["light"] for series in panel["series"]]
        ax.stackplot(at, heights, colors=colours, labels=[series["name"] for series in panel["series"]], linewidth=0)
        return
    for layer, place in enumerate(panel["drawn"]):
        _draw_series(chart, panel["series"][place], at, ax, layer)


def _draw_series(chart: Any, series: Any, at: Any, ax: Any, layer: int) -> None:
    look, mean, half = _look(chart, series), _numbers(series["mean"]), np.nan_to_num(_numbers(series["ci95"]))
    known = ~np.isnan(mean)
    at, mean, half = at[known], mean[known], half[known]
    low = mean - half
    if chart["y"]["log"]:
        low = np.maximum(low, chart["y"]["low"])
    if series["marked"]:
        bars = {"fmt": "o", "markersize": 3.5, "elinewidth": 1, "color": look["light"]}
        ax.errorbar(at, mean, (mean - low, half), zorder=2 + layer, **bars)
    elif series["shown"]:
        ax.fill_between(at, low, mean + half, color=look["light"], alpha=look["band"], linewidth=0, zorder=0.5)
    ax.plot(at, mean, label=series["name"], zorder=2 + layer, **_line(look))


def _numbers(values: Any) -> Any:
    return np.array([np.nan if value is None else value for value in values])


def _look(chart: Any, series: Any) -> Any:
    return series["style"] if series["shown"] else chart["rest"]


def _line(look: Any) -> dict[str, Any]:
    """Dashes are lengths; matplotlib counts them in widths of the line."""
    style = (0, [length / look["width"] for length in look["dash"]]) if look["dash"] else "solid"
    return {"color": look["light"], "linewidth": 0.75 * look["width"], "linestyle": style}


def _add_key(chart: Any, ax: Any) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries = [chart["panels"][panel]["series"][place] for panel, place in chart["key"]]
    looks = [(series["style"], series["name"]) for series in entries]
    looks += [(chart["rest"], chart["others"])] if chart["others"] else []
    handles = [Patch(color=look["light"]) if chart["stacked"] else Line2D([], [], **_line(look)) for look, _ in looks]
    where, height, length = ("upper left", 1, 2) if chart["stacked"] else ("center left", 0.5, 3.2)
    names = [name for _, name in looks]
    ax.legend(handles, names, loc=where, bbox_to_anchor=(1.01, height), handlelength=length, frameon=False)


def _new_axes(count: int) -> list[Any]:
    from matplotlib import pyplot

    columns, rows = min(count, COLUMNS), -(-count // COLUMNS)
    size = (9, 5.4) if count == 1 else (3.6 * columns, 3.5 * rows)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    for unused in axes.flat[count:]:
        unused.remove()
    return list(axes.flat[:count])


def _dress(chart: Any, panel: Any, ax: Any, first: bool) -> None:
    ax.set_title(panel["title"] or chart["title"])
    for axis, described in ((ax.xaxis, panel["x"]), (ax.yaxis, chart["y"])):
        _set_axis(ax, axis, described)
    ax.set_xlabel(panel["x"]["label"])
    ax.set_ylabel(chart["y"]["label"] if first else "")
    ax.grid(not chart["stacked"], **({} if chart["stacked"] else {"color": GRID, "linewidth": 0.7}))
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(GREY)


def _set_axis(ax: Any, axis: Any, described: Any) -> None:
    x = axis is ax.xaxis
    if described["log"]:
        (ax.set_xscale if x else ax.set_yscale)("log")
        axis.set_minor_locator(_ticker().NullLocator())
    (ax.set_xlim if x else ax.set_ylim)(described["low"], described["high"])
    if described["ticks"]:
        axis.set_major_locator(_ticker().FixedLocator(described["ticks"]))
        axis.set_major_formatter("{x:g}")
    if described["percent"]:
        axis.set_major_formatter("{x:.0%}")


def _ticker() -> Any:
    from matplotlib import ticker

    return ticker
