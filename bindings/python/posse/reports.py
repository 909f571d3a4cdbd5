# SPDX-License-Identifier: MIT
"""By when will I know? The report of a posse."""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass, field, fields
from typing import Any

from posse.notebook import words_of


@dataclass(frozen=True)
class Finding:
    """What is known about an arm or a learner. A number that is not known is NaN."""

    place: int
    """The number of the arm, or the place of the learner."""

    name: str | None
    """Its name; None: arms have no names."""

    active: bool
    """False: it was retired."""

    rewards: int
    """How many of its decisions have their reward."""

    mean: float
    """The mean of these rewards."""

    low: float
    """The lower end of an interval for the mean reward that holds at all times together (a confidence sequence)."""

    high: float
    """The upper end."""

    belief_mean: float
    """The posterior mean of the selector's belief."""

    belief_low: float
    """The lower end of the posterior's interval."""

    belief_high: float
    """The upper end."""

    best: float
    """The posterior probability that it is the best."""

    lift: float
    """Its mean minus that of the control."""

    lift_low: float
    """The lower end of the interval of the lift, which holds at all times."""

    lift_high: float
    """The upper end."""


@dataclass(frozen=True)
class Earned:
    """What decisions have earned. A number that is not known is NaN."""

    rewards: int
    """How many of them have their reward."""

    mean: float
    """The mean of these rewards."""

    low: float
    """The lower end of an interval for the mean that holds at all times together."""

    high: float
    """The upper end."""


@dataclass(frozen=True)
class Holdback:
    """What the posse earns beside its holdback."""

    posse: Earned
    """Decisions that were not held back."""

    control: Earned
    """Decisions that were, and played the control."""

    lift: float
    """The difference of the means."""

    lift_low: float
    """The lower end of the interval of the lift, which holds at all times."""

    lift_high: float
    """The upper end."""


@dataclass(frozen=True)
class Shadow:
    """What the suggestions of shadow mode would have earned."""

    rounds: int
    """How many rounds have their reward."""

    agreed: int
    """In how many of them the suggested arm was played."""

    rule: Earned
    """What the rule that acted has earned."""

    estimate: float
    """What the suggestions would have earned on average. NaN: it is unknown, because rounds have features."""

    low: float
    """The lower end of the interval of what they would have earned, which holds at all times."""

    high: float
    """The upper end."""

    agreed_low: float
    """The lower end of the interval of how often both agree, which holds at all times."""

    agreed_high: float
    """The upper end."""


@dataclass(frozen=True)
class Report:
    """Whether it is decided which arm is best (or which learner, if there are no arms), and what is known of each."""

    verdict: str
    """'decided', 'not yet', or 'cannot tell': waiting does not help."""

    reason: str
    """A sentence that says why."""

    confidence: float
    """'decided' is wrong with a probability of at most 1 - confidence, however often one asks."""

    leader: int | None
    """The arm, or the learner if there are no arms, with the largest mean."""

    control: int | None
    """What the lifts are compared with."""

    regret: float
    """The expected loss in each round, by the belief, of playing the arm with the largest posterior mean from now on."""

    more: float
    """About how many more rewards would decide it, if means and shares stay as they are."""

    arms: tuple[Finding, ...]
    """A finding for each arm."""

    learners: tuple[Finding, ...]
    """A finding for each learner: the mean of its plays."""

    holdback: Holdback | None = None
    """The comparison with the holdback; None: there is none, or nothing was held back yet."""

    shadow: Shadow | None = None
    """The comparison of shadow mode; None: no round of it has its reward."""

    alarms: tuple[str, ...] | None = None
    """Of a served posse, the names of the alarms that are raised now; None: the posse is in this process, and nobody
    watches it."""

    modes: dict[str, Any] = field(default_factory=dict, hash=False)
    """All modes as they are now, as `Posse.modes` has them."""

    def __str__(self) -> str:
        lines = [f"{self.verdict}: {self.reason}"]
        lines += [f"  {name}: {text}" for name, text in self._notes() if text]
        lines += [f"  {_named(one, 'arm')}: {_interval(one)}" for one in self.arms]
        lines += [f"  {_named(one, 'learner')}: {_interval(one)}" for one in self.learners]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "<tr><th></th><th>rewards</th><th>mean</th><th>at all times</th><th>by the belief</th><th>best</th><th>lift</th></tr>"
        rows = [_row(one, "arm") for one in self.arms] + [_row(one, "learner") for one in self.learners]
        title = f"<p><b>{html.escape(self.verdict)}</b>: {html.escape(self.reason)}</p>"
        title += "".join(f"<p><b>{name}</b>: {html.escape(text)}</p>" for name, text in self._notes() if text)
        return f"{title}<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"

    def _notes(self) -> list[tuple[str, str]]:
        """What is known besides the arms and the learners. An empty text: nothing."""
        return [
            ("modes", ", ".join(words_of(self.modes))),
            ("alarms", ", ".join(self.alarms or ())),
            ("more", "" if math.isnan(self.more) else f"about {self.more:.0f} more rewards would decide it"),
            ("regret", "" if math.isnan(self.regret) else f"to stop now costs {self.regret:.3g} in each round, by the belief"),
            ("holdback", "" if self.holdback is None else _of_holdback(self.holdback)),
            ("shadow", "" if self.shadow is None else _of_shadow(self.shadow)),
        ]


def _named(one: Finding, kind: str) -> str:
    name = one.name if one.name is not None else f"{kind} {one.place}"
    return name if one.active else f"{name} (retired)"


def _number(x: float) -> str:
    return "" if math.isnan(x) else f"{x:.4g}"


def _range(low: float, high: float) -> str:
    return "" if math.isnan(low) or math.isnan(high) else f"{low:.4g} to {high:.4g}"


def _always(low: float, high: float) -> str:
    return f", at all times {interval}" if (interval := _range(low, high)) else ""


def _interval(one: Finding | Earned) -> str:
    if one.rewards == 0:
        return "no reward yet"
    return f"mean {_number(one.mean)} of {one.rewards} reward{'s' if one.rewards > 1 else ''}" + _always(one.low, one.high)


def _of_holdback(found: Holdback) -> str:
    lift = "" if math.isnan(found.lift) else f"; lift {_number(found.lift)}{_always(found.lift_low, found.lift_high)}"
    return f"the posse has {_interval(found.posse)}; the control has {_interval(found.control)}{lift}"


def _of_shadow(found: Shadow) -> str:
    agreed = f"agreed in {found.agreed} of {found.rounds} rounds; the rule has {_interval(found.rule)}"
    earned = ", at all times ".join(filter(None, (_number(found.estimate), _range(found.low, found.high))))
    return f"{agreed}; the suggestions would have earned {earned}" if earned else agreed


def _row(one: Finding, kind: str) -> str:
    cells = [
        _named(one, kind),
        str(one.rewards),
        _number(one.mean),
        _range(one.low, one.high),
        _range(one.belief_low, one.belief_high),
        _number(one.best),
        _number(one.lift) + (f" ({interval})" if (interval := _range(one.lift_low, one.lift_high)) else ""),
    ]
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"


def _known(x: Any) -> float:
    return math.nan if x is None else float(x)


def _finding(entry: dict[str, Any], key: str) -> Finding:
    numbers = {field.name: _known(entry[field.name]) for field in fields(Finding)[4:]}
    return Finding(int(entry[key]), entry.get("name"), bool(entry["active"]), int(entry["rewards"]), **numbers)


def _earned(said: dict[str, Any]) -> Earned:
    return Earned(int(said["rewards"]), _known(said["mean"]), _known(said["low"]), _known(said["high"]))


def _holdback(said: dict[str, Any] | None) -> Holdback | None:
    if said is None:
        return None
    lifts = (_known(said["posse"][key]) for key in ("lift", "lift_low", "lift_high"))
    return Holdback(_earned(said["posse"]), _earned(said["control"]), *lifts)


def _shadow(said: dict[str, Any] | None) -> Shadow | None:
    if said is None:
        return None
    numbers = (_known(said[key]) for key in ("estimate", "low", "high", "agreed_low", "agreed_high"))
    return Shadow(int(said["rounds"]), int(said["agreed"]), _earned(said["rule"]), *numbers)


def read_report(text: str | bytes) -> Report:
    """The report from its JSON."""
    said = json.loads(text)
    return Report(
        said["verdict"],
        said["reason"],
        float(said["confidence"]),
        said["leader"],
        said["control"],
        _known(said["regret"]),
        _known(said["more"]),
        tuple(_finding(entry, "arm") for entry in said["arms"]),
        tuple(_finding(entry, "learner") for entry in said["learners"]),
        _holdback(said.get("holdback")),
        _shadow(said.get("shadow")),
        tuple(said["alarms"]) if "alarms" in said else None,
        said.get("modes", {}),
    )
