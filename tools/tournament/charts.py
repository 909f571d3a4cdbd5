# SPDX-License-Identifier: MIT
"""Charts for pages in the style of the report, described as the report describes its own. The report's drawer,
app/report/page/plot.js, is in every page and draws them."""
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
REPORT = HERE.parent.parent / "app" / "report"
PALETTE = json.loads((REPORT / "chart" / "palette.json").read_text())


def style(role, rank=0):
    """A style of the palette, as style.c makes it."""
    family, dashes = PALETTE[role], PALETTE["dashes"]
    light, dark = family["colours"][rank % len(family["colours"])]
    dash = PALETTE["oracle_dash"] if role == "oracle" else dashes[rank % len(dashes)]
    return {"light": light, "dark": dark, "width": family["width"], "band": family["band"], "dash": dash}


WINS, RIVAL, PLAIN = style("learner"), style("learner", 5), style("oracle")  # the first two as in the report's comparisons


def series(name, look, mean, **more):
    return {"name": name, "style": look, "shown": True, "mean": mean, **more}


def chart(name, note, y, panel, **more):
    """A chart with one panel; `name` is that of the element of the page where it is drawn."""
    drawn = list(reversed(range(len(panel["series"]))))
    return {"name": name, "note": note, "y": y, "panels": [{**panel, "drawn": drawn}], "key": [], **more}


def dots(name, note, label, rows, level=None):
    """A line of marks for each row, on a logarithmic axis. A row has name, style, value, ends of an interval or None,
    far, where a hollow mark is, or None, and the text under the pointer. A level is drawn through all rows."""
    looks = [row["style"] for place, row in enumerate(rows) if row["style"] not in [r["style"] for r in rows[:place]]]
    marks = [dots_of(rows, look, key) for look in looks for key in ("value", "far")]
    places = list(range(len(rows)))
    ends = [(-0.5, level), (len(rows) - 0.5, level)]
    lines = [] if level is None else [{"name": f"{level:g}", "style": PLAIN, "from": ends[0], "to": ends[1]}]
    texts, names = [row["text"] for row in rows], [row["name"] for row in rows]
    panel = {"rows": names, "at": places, "texts": texts, "series": marks, "lines": lines}
    return chart(name, note, {"label": label, "log": True}, panel, lying=True)


def dots_of(rows, look, key):
    mean = [row[key] if row["style"] == look else None for row in rows]
    ends = [row["ends"] if key == "value" else None for row in rows]
    return series(key, look, mean, ci95=ends, marked=True, hollow=key == "far")


def page(template, parts, *charts):
    """A page from its template: {{x}} is a part, or a file of the report's pages or of this folder."""
    data = {"data": json.dumps({"charts": charts}).replace("<", "\\u003c")}

    def put(match):
        name = match[1]
        if name in parts or name in data:
            return {**parts, **data}[name]
        return next(folder / name for folder in (REPORT / "page", HERE) if (folder / name).exists()).read_text()

    return re.sub(r"\{\{([\w.]+)\}\}", put, template.read_text())
