# SPDX-License-Identifier: MIT
"""A posse as HTML, which a notebook shows in the place of its repr."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from posse.errors import AbsentError

if TYPE_CHECKING:
    from posse._posse import Posse

MOST = 50  # rows of a table


def html_of(p: Posse) -> str:
    """A table of the learners, and one of the arms if the selector has a belief about each."""
    head = f"<p><code>{html.escape(repr(p))}</code>, {p.decisions} decision{'' if p.decisions == 1 else 's'} in all</p>"
    return head + _learners(p) + _arms(p)


def _learners(p: Posse) -> str:
    plays = p.plays.tolist()
    total = max(1, sum(plays))
    rows = [
        (name, count, f"{count / total:.1%}", "" if active else "retired")
        for name, count, active in list(zip(p.learners, plays, p.active, strict=True))[:MOST]
    ]
    return _table(("learner", "plays", "share", ""), rows, len(plays))


def _arms(p: Posse) -> str:
    try:
        means, deviations = p.means, p.deviations
    except AbsentError:
        return ""
    names = p.names or range(len(means))
    rows = [
        (names[arm], f"{means[arm]:.4g}", f"{deviations[arm]:.2g}", "" if p.arm_active(arm) else "retired")
        for arm in range(min(MOST, len(means)))
    ]
    return _table(("arm", "expected reward", "deviation", ""), rows, len(means))


def _table(head: Iterable[str], rows: list[tuple[object, ...]], count: int) -> str:
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    more = f"<p>and {count - len(rows)} more</p>" if count > len(rows) else ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}"
