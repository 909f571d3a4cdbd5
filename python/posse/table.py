# SPDX-License-Identifier: MIT
"""The short result table."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

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
