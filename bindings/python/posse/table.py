# SPDX-License-Identifier: MIT
"""The short result table."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from posse.frames import frame

if TYPE_CHECKING:
    from posse.results import Competitor, Results


class Table:
    """The short result table: a line per competitor, a line per claim. `rows` has the numbers."""

    def __init__(self, results: Results):
        self._results = results

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dict per competitor, with the columns of summary.csv."""
        return [
            {
                "name": c.name,
                "role": c.role,
                "kind": c.kind,
                "runs": self._results.runs,
                "rounds": self._results.rounds,
                **_measured(c, self._results.measure),
            }
            for c in self._results
        ]

    def to_frame(self) -> Any:
        """A pandas.DataFrame with the rows. ImportError: there is no pandas."""
        rows = self.rows
        return frame({column: [row[column] for row in rows] for column in rows[0]})

    def __str__(self) -> str:
        return self._results._outcome.table().rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        measure = self._results.measure
        words = ("", measure, "&plusmn; 95%", "optimal" if measure == "regret" else "effective rounds")
        head = "".join(f"<th>{word}</th>" for word in words)
        digits = _digits(self.rows, measure)
        body = "".join(_row_html(row, measure, digits) for row in self.rows)
        claims = "".join(f"<li><b>{c.verdict}</b> {html.escape(c.says)}</li>" for c in self._results.claims)
        r = self._results
        caption = f"{html.escape(r.title)} ({_length(r)}, {r.runs} runs, seed {r.seed})"
        table = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return table + (f"<ul>{claims}</ul>" if claims else "")


def _measured(c: Competitor, measure: str) -> dict[str, float]:
    if measure == "value":
        return {"value": c.final_value, "value_ci95": c.final_value_ci95, "effective_rounds": c.final_effective_rounds}
    return {
        "regret": c.final_regret,
        "regret_ci95": c.final_regret_ci95,
        "optimal_rate": c.final_optimal_rate,
        "optimal_ci95": c.final_optimal_ci95,
    }


def _row_html(row: dict[str, Any], measure: str, digits: int) -> str:
    mean, half = row[measure], row[f"{measure}_ci95"]
    last = f"{row['optimal_rate']:.1%}" if measure == "regret" else f"{row['effective_rounds']:.0f}"
    cells = f"{mean:.{digits}f}", "" if half != half else f"{half:.{digits}f}", "" if last == "nan%" else last
    return f"<tr><th>{html.escape(row['name'])}</th>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _length(results: Results) -> str:
    tasks = f"{results.tasks} tasks of " if results.tasks > 1 else ""
    return f"{tasks}{results.rounds // results.tasks} rounds"


def _decimals(number: float) -> int:
    """The number of decimals with which a number has four significant digits."""
    count, size = 3, abs(number)
    while size >= 10 and count > 0:
        count, size = count - 1, size / 10
    return count


def _digits(rows: list[dict[str, Any]], measure: str) -> int:
    """The decimals that all rows of a table have."""
    return min(3, *(_decimals(row[measure]) for row in rows))


def text_of(results: Results) -> str:
    """The table as the program prints it."""
    rows, measure = results.summary().rows, results.measure
    width = max(10, *(len(row["name"]) for row in rows))
    digits = _digits(rows, measure)
    rates = measure == "regret" and any(row["optimal_rate"] == row["optimal_rate"] for row in rows)
    last = "effective rounds" if measure == "value" else "optimal" if rates else ""
    first, tasks = results.tasks // 2, results.tasks
    late = f"  of a task in {first + 1} to {tasks}" if tasks > 1 else ""
    lines = [f"{results.title} ({_length(results)}, {results.runs} runs, seed {results.seed})"]
    lines.append(f"  {'':{width}} {measure:>12}  {'+- 95%':<10} {last:>8}{late}")
    for row in rows:
        mean, half = row[measure], row[f"{measure}_ci95"]
        rate = f" {100 * row['optimal_rate']:7.1f}%" if rates else ""
        worth = f" {row['effective_rounds']:16.0f}" if measure == "value" else ""
        shown = "" if half != half else f"{half:.{digits}f}"
        late = ""
        if tasks > 1:
            regret = sum(results[row["name"]].task_regret[first:].tolist()) / (tasks - first)
            late = f"{'':{0 if rates else 9}}  {regret:20.{digits + 1}f}"
        lines.append(f"  {row['name']:{width}} {mean:12.{digits}f}  {shown:<10}{rate}{worth}{late}")
    lines += [f"  {claim.verdict:<9}  {claim.says}" for claim in results.claims]
    return "\n".join(lines) + "\n"
