# SPDX-License-Identifier: MIT
"""A posse as HTML, which a notebook shows in the place of its repr."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from posse.errors import AbsentError

if TYPE_CHECKING:
    from posse._posse import Posse

MOST = 50  # rows of a table


def html_of(p: Posse) -> str:
    """A table of the learners, and one of the arms if the selector has a belief about each."""
    learners = zip(p.learners, p.plays.tolist(), p.active, strict=True)
    return html_with(repr(p), p.decisions, p.modes, list(learners), _arms(p))


def html_with(
    title: str,
    decisions: int,
    modes: Mapping[str, Any],
    learners: list[tuple[str, int, bool]],
    arms: list[tuple[object, float, float, bool]],
) -> str:
    """The same from its numbers: the name, the plays and whether it is active for each learner, and the name, the mean,
    the deviation and whether it is active for each arm."""
    words = "".join(f", <b>{html.escape(word)}</b>" for word in words_of(modes))
    head = f"<p><code>{html.escape(title)}</code>, {decisions} decision{'' if decisions == 1 else 's'} in all{words}</p>"
    total = max(1, sum(count for _, count, _ in learners))
    played = [(name, count, f"{count / total:.1%}", "" if active else "retired") for name, count, active in learners[:MOST]]
    expected = [(name, f"{mean:.4g}", f"{deviation:.2g}", "" if active else "retired") for name, mean, deviation, active in arms[:MOST]]
    return (
        head
        + _table(("learner", "plays", "share", ""), played, len(learners))
        + (_table(("arm", "expected reward", "deviation", ""), expected, len(arms)) if arms else "")
    )


def words_of(modes: Mapping[str, Any]) -> list[str]:
    """The modes in which a posse decides or learns otherwise than it would."""
    share = modes.get("holdback", 0)
    named = [word for word in ("paused", "shadow") if modes.get(word)]
    return [*named, f"holdback {share:.3g}"] if share > 0 else named


def _arms(p: Posse) -> list[tuple[object, float, float, bool]]:
    try:
        means, deviations = p.means.tolist(), p.deviations.tolist()
    except AbsentError:
        return []
    active = [p.arm_active(arm) for arm in range(len(means))]
    return list(zip(p.names or range(len(means)), means, deviations, active, strict=True))


def _table(head: Iterable[str], rows: list[tuple[object, ...]], count: int) -> str:
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    more = f"<p>and {count - len(rows)} more</p>" if count > len(rows) else ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}"
