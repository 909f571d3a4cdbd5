# SPDX-License-Identifier: MIT
"""Pictures with matplotlib, with the colours, widths and dashes of the program's own pictures."""

import numpy as np

from posse import _posse

# As in the program's pictures: curves that jump from round to round are averaged over windows.
WINDOWS = 100
ORDER = {"learner": 1, "oracle": 2, "selector": 3}
GREY = "#444444"
GRID = "#DDDDDD"
LABELS = {"regret": "cumulative regret", "value": "value of a round", "optimal": "optimal arm played"}


def plot(results, what, ax):
    """Implements Results.plot."""
    if what == "selection":
        return _plot_selection(results, ax)
    known = [results.measure, "optimal"] if results.measure == "regret" else ["value"]
    if what not in known:
        raise ValueError(f'there are {", ".join(f"{one!r}" for one in known)} and \'selection\' to plot, not {what!r}')
    ax = ax if ax is not None else _new_axes(1)[0]
    drawn = [(_draw(ax, competitor, look, what), competitor) for competitor, look in _looks(results)]
    _dress(ax, results.title, LABELS[what], results)
    if what == "optimal":
        ax.set_ylim(0, 1)
        ax.yaxis.set_major_formatter("{x:.0%}")
    elif what == "regret":
        ax.set_ylim(bottom=0)
    drawn.sort(key=lambda entry: -entry[0].get_ydata()[-1])
    ax.legend([line for line, _ in drawn], [c.name for _, c in drawn], loc="center left", bbox_to_anchor=(1.01, 0.5),
              frameon=False, handlelength=3.2)
    return ax


def _looks(results):
    """Every competitor with its colour, width and dashes, which follow from its place among those of the same role."""
    ranks = {}
    for competitor in results:
        rank = ranks.get(competitor.role, 0)
        ranks[competitor.role] = rank + 1
        yield competitor, _posse._style(competitor.role, rank)


def _draw(ax, competitor, look, what):
    colour, width, dashes = look
    x = competitor.rounds.astype(float)
    if what != "optimal":
        y, half = getattr(competitor, what), getattr(competitor, f"{what}_ci95")
    else:
        x, y, half = map(_averaged, (x, competitor.optimal_rate, competitor.optimal_ci95))
    half = np.nan_to_num(half)
    order = ORDER[competitor.role]
    ax.fill_between(x, y - half, y + half, color=colour, alpha=0.16 if order == 3 else 0.10, linewidth=0, zorder=0.5)
    style = (0, [length / width for length in dashes]) if dashes else "solid"
    (line,) = ax.plot(x, y, color=colour, linewidth=width * 0.75, linestyle=style, zorder=order, label=competitor.name)
    return line


def _averaged(values):
    """Means over windows, of which there are at most WINDOWS."""
    window = -(-len(values) // WINDOWS)
    starts = np.arange(0, len(values), window)
    counts = np.diff(np.append(starts, len(values)))
    sums = np.add.reduceat(values, starts, axis=0)
    return sums / counts.reshape(-1, *[1] * (values.ndim - 1))


def _plot_selection(results, ax):
    selectors = [competitor for competitor in results if competitor.role == "selector"]
    if not selectors:
        raise ValueError('there is no "selection" to plot: the experiment has no selectors')
    axes = _new_axes(len(selectors)) if ax is None else list(np.atleast_1d(ax))
    colours = [_posse._style("learner", place)[0] for place in range(len(results.learners))]
    x = _averaged(results.recorded.astype(float))
    for panel, selector in zip(axes, selectors, strict=True):
        panel.stackplot(x, _averaged(selector.shares).T, colors=colours, labels=results.learners, linewidth=0)
        _dress(panel, selector.name, "share of runs" if panel is axes[0] else "", results)
        panel.set_ylim(0, 1)
        panel.grid(False)
    handles, labels = axes[-1].get_legend_handles_labels()
    axes[-1].legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return axes


def _new_axes(count):
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, count, figsize=(9 if count == 1 else 3.6 * count, 5.4 if count == 1 else 3.5),
                                   squeeze=False, layout="constrained")
    return list(axes[0])


def _dress(ax, title, label, results):
    ax.set_title(title)
    ax.set_xlabel("round")
    ax.set_ylabel(label)
    ax.set_xlim(0, results.rounds)
    ax.grid(color=GRID, linewidth=0.7)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(GREY)
