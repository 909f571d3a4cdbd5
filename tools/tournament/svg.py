# SPDX-License-Identifier: MIT
"""Pictures on logarithmic axes, drawn as SVG inside the page. Colours are classes, so that they follow its theme."""
import math
from html import escape

WIDTH, LEFT, STEP, TOP = 760, 190, 22, 10
RIGHT = WIDTH - 16
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 30, 50, 100, 200, 500, 1000)


def tag(name, text=None, **attributes):
    """An element. class_ stands for class, and an underscore inside a name for a hyphen."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(spell(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if text is None else f"<{name}{written}>{text}</{name}>"


def spell(value):
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


class LogAxis:
    """Maps the values that it shows to places between left and right."""

    def __init__(self, values, left=LEFT, right=RIGHT):
        low, high = min(values), max(values)
        self.low = max([tick for tick in TICKS if tick <= low], default=low)
        self.high = min([tick for tick in TICKS if tick >= high and tick > self.low], default=high)
        self.left, self.right = left, right

    def __call__(self, value):
        value = min(self.high, max(self.low, value))
        return self.left + (self.right - self.left) * math.log(value / self.low) / math.log(self.high / self.low)

    def ticks(self):
        """The labels that fit without touching their neighbours; 1, 2 and 5 are preferred."""
        chosen = []
        inside = (tick for tick in TICKS if self.low <= tick <= self.high)
        for tick in sorted(inside, key=lambda tick: f"{tick:e}"[:3] not in ("1.0", "2.0", "5.0")):
            if all(abs(self(tick) - self(other)) > 34 for other in chosen):
                chosen.append(tick)
        return sorted(chosen)

    def draw(self, top, bottom, title):
        lines = [tag("line", class_="axis", x1=self(t), x2=self(t), y1=top, y2=bottom) for t in self.ticks()]
        texts = [tag("text", f"{t:g}", x=self(t), y=bottom + 17, text_anchor="middle") for t in self.ticks()]
        label = tag("text", escape(title), x=(self.left + self.right) / 2, y=bottom + 36, text_anchor="middle")
        return "".join(lines + texts) + label


def figure(height, label, *parts):
    inside = "".join(parts)
    return tag("svg", inside, class_="plot", viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=label)


def dot_plot(rows, title, label, reference=None, left=LEFT):
    """A row is {name, look, value, low, high, far, text}: a point, its interval, a second, hollow point, and the
    text under the pointer. low, high and far may be None. left: the room for names."""
    values = [row[key] for row in rows for key in ("value", "low", "high", "far") if row[key] is not None]
    axis = LogAxis(values + ([reference] if reference else []), left)
    bottom = TOP + STEP * len(rows) + 4
    parts = [axis.draw(TOP, bottom, title)]
    if reference:
        parts.append(tag("line", class_="zero", x1=axis(reference), x2=axis(reference), y1=TOP, y2=bottom))
    for place, row in enumerate(rows):
        parts.append(dot_row(row, TOP + STEP * (place + 0.5) + 2, axis))
    return figure(bottom + 46, label, *parts)


def dot_row(row, y, axis):
    marks = [tag("title", escape(row["text"]))]
    marks.append(tag("rect", x=0, y=y - STEP / 2, width=WIDTH, height=STEP, fill="transparent"))  # for the pointer
    marks.append(tag("text", escape(row["name"]), x=axis.left - 12, y=y + 4, text_anchor="end"))
    if row["low"] is not None:
        marks.append(tag("line", class_="whisker", x1=axis(row["low"]), x2=axis(row["high"]), y1=y, y2=y))
    if row["far"] is not None:
        marks.append(tag("circle", class_="hollow", cx=axis(row["far"]), cy=y, r=4))
    marks.append(tag("circle", class_="filled", cx=axis(row["value"]), cy=y, r=4.5))
    return tag("g", "".join(marks), class_=f"dots {row['look']}")


def profile_plot(profiles, furthest, title, label):
    """Steps of the share of problems within a factor of the best, for {name: sorted ratios}."""
    left, bottom = 52, 330
    axis = LogAxis([1, furthest], left)
    height = lambda share: bottom - (bottom - TOP) * share
    grid = [tag("line", class_="axis", x1=left, x2=RIGHT, y1=height(s), y2=height(s)) for s in (0, 0.25, 0.5, 0.75, 1)]
    texts = [
        tag("text", f"{100 * s:.0f}%", x=left - 8, y=height(s) + 4, text_anchor="end") for s in (0, 0.25, 0.5, 0.75, 1)
    ]
    lines = [profile_line(name, ratios, i, axis, height) for i, (name, ratios) in enumerate(profiles.items())]
    return figure(bottom + 46, label, *grid, *texts, axis.draw(TOP, bottom, title), *reversed(lines))


def profile_line(name, ratios, place, axis, height):
    path = f"M{axis.left} {height(0):.1f}"
    for rank, ratio in enumerate(ratios, 1):
        if ratio > axis.high:
            break
        path += f"H{axis(ratio):.1f}V{height(rank / len(ratios)):.1f}"
    return tag("path", tag("title", escape(name)), class_=f"line line-{place}", d=f"{path}H{axis.right}")


def swatch(place):
    line = tag("line", class_=f"line line-{place}", x1=1, x2=33, y1=7, y2=7)
    return tag("svg", line, class_="swatch", width=34, height=14, aria_hidden="true")
