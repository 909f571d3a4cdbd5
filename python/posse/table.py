# SPDX-License-Identifier: MIT
"""The short result table."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from posse.frames import frame

if TYPE_CHECKING:
    from posse.results import Results


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
                "regret": c.final_regret,
                "regret_ci95": c.final_regret_ci95,
                "optimal_rate": c.final_optimal_rate,
                "optimal_ci95": c.final_optimal_ci95,
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
        head = "".join(f"<th>{word}</th>" for word in ("", "regret", "&plusmn; 95%", "optimal"))
        body = "".join(_row_html(row) for row in self.rows)
        claims = "".join(f"<li><b>{c.verdict}</b> {html.escape(c.says)}</li>" for c in self._results.claims)
        r = self._results
        caption = f"{html.escape(r.title)} ({r.rounds} rounds, {r.runs} runs, seed {r.seed})"
        table = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return table + (f"<ul>{claims}</ul>" if claims else "")


def _row_html(row: dict[str, Any]) -> str:
    rate = "" if row["optimal_rate"] != row["optimal_rate"] else f"{row['optimal_rate']:.1%}"
    half = "" if row["regret_ci95"] != row["regret_ci95"] else f"{row['regret_ci95']:.4g}"
    return f"<tr><th>{html.escape(row['name'])}</th><td>{row['regret']:.4g}</td><td>{half}</td><td>{rate}</td></tr>"


def _decimals(number: float) -> int:
    """As many as a number needs to have four significant digits."""
    count, size = 3, abs(number)
    while size >= 10 and count > 0:
        count, size = count - 1, size / 10
    return count


def text_of(results: Results) -> str:
    """The table as the program prints it."""
    width = max(10, *(len(c.name) for c in results))
    digits = min(3, *(_decimals(c.final_regret) for c in results))
    rates = any(c.final_optimal_rate == c.final_optimal_rate for c in results)
    lines = [f"{results.title} ({results.rounds} rounds, {results.runs} runs, seed {results.seed})"]
    lines.append(f"  {'':{width}} {'regret':>12}  {'+- 95%':<10} {'optimal' if rates else '':>8}")
    for c in results:
        half = "" if c.final_regret_ci95 != c.final_regret_ci95 else f"{c.final_regret_ci95:.{digits}f}"
        rate = f" {100 * c.final_optimal_rate:7.1f}%" if rates else ""
        lines.append(f"  {c.name:{width}} {c.final_regret:12.{digits}f}  {half:<10}{rate}")
    lines += [f"  {claim.verdict:<9}  {claim.says}" for claim in results.claims]
    return "\n".join(lines) + "\n"
