# SPDX-License-Identifier: MIT
"""Pictures with matplotlib, with the colours, widths and dashes of the program's own pictures."""

import numpy as np

from posse import _posse

# As in the program's pictures: curves that jump from round to round are averaged over windows.
WINDOWS = 100
COLUMNS = 4  # of panels
MANY = 12  # learners; beyond, only the best of them has a colour and a line in the key
ORDER = {"learner": 1, "oracle": 2, "selector": 3}
GREY = "#444444"
GRID = "#DDDDDD"
PALE = "#C8C8C8"
LABELS = {"regret": "cumulative regret", "value": "value of a round", "optimal": "optimal arm played"}


def plot(results, what, ax):
    """Implements Results.plot."""
    if what == "selection":
        return _plot_selection(results, ax)
    known = [results.measure, "optimal"] if results.measure == "regret" else ["value"]
    if what not in known:
        raise ValueError(f'there are {", ".join(f"{one!r}" for one in known)} and \'selection\' to plot, not {what!r}')
    ax = ax if ax is not None else _new_axes(1)[0]
    others = _others(results)
    drawn = [
        (_draw(ax, competitor, look, what), competitor.name)
        for competitor, look in _looks(results)
        if competitor.name not in others
    ]
    pale = [_draw_pale(ax, results[name], what) for name in others]
    _dress(ax, results.title, LABELS[what], results)
    if what == "optimal":
        ax.set_ylim(0, 1)
        ax.yaxis.set_major_formatter("{x:.0%}")
    elif what == "regret":
        ax.set_ylim(bottom=0)
    drawn.sort(key=lambda entry: -entry[0].get_ydata()[-1])
    drawn += [(line, f"{len(others)} other learners") for line in pale[:1]]
    ax.legend([line for line, _ in drawn], [name for _, name in drawn], loc="center left", bbox_to_anchor=(1.01, 0.5),
              frameon=False, handlelength=3.2)
    return ax


def _others(results):
    """The names of all learners but the best one, where there are too many to tell apart."""
    learners = [c for c in results if c.role == "learner"]
    if len(learners) <= MANY:
        return []
    ends = [getattr(c, f"final_{results.measure}") for c in learners]
    best = int(np.argmin(ends) if results.measure == "regret" else np.argmax(ends))
    return [c.name for place, c in enumerate(learners) if place != best]


def _draw_pale(ax, competitor, what):
    x = competitor.rounds.astype(float)
    y = getattr(competitor, what) if what != "optimal" else competitor.optimal_rate
    if what == "optimal":
        x, y = _averaged(x), _averaged(y)
    (line,) = ax.plot(x, y, color=PALE, linewidth=0.6, zorder=0.8)
    return line


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
    if len(labels) > MANY:  # those that are chosen most
        shares = np.mean([np.nan_to_num(selector.shares).mean(axis=0) for selector in selectors], axis=0)
        most = sorted(np.argsort(-shares, kind="stable")[:MANY])
        handles, labels = [handles[place] for place in most], [labels[place] for place in most]
    axes[-1].legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return axes


def _new_axes(count):
    from matplotlib import pyplot

    columns, rows = min(count, COLUMNS), -(-count // COLUMNS)
    size = (9, 5.4) if count == 1 else (3.6 * columns, 3.5 * rows)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    for unused in axes.flat[count:]:
        unused.remove()
    return list(axes.flat[:count])


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
