"""The effect of manually changed wording, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ui.words import decimal_interval, listed, percent, quoted, say, whole

if TYPE_CHECKING:
    from radcal.records import Reliability, WhatIf

_LISTED = 4
"""Pairs of words named in a warning; more are counted."""


def as_said(before: Reliability) -> str:
    """The error of the original wording with n and interval; '' if not computed."""
    if before.ece is None:
        return ""
    return say(
        "ECE {before} as the words were said, on these {n} findings.",
        before=decimal_interval(before.ece, before.ece_low, before.ece_high),
        n=whole(before.n),
    )


def in_short(r: WhatIf, before: Reliability) -> str:
    """The error before and after with intervals and n; "before" is the value shown on all pages."""
    low, high = (r.before_low, r.before_high) if before.ece_low is None else (before.ece_low, before.ece_high)
    return say(
        "ECE {before} before, {after} after, on these {n} findings.",
        before=decimal_interval(r.before, _known(low), _known(high)),
        after=decimal_interval(r.after, _known(r.after_low), _known(r.after_high)),
        n=whole(r.n),
    )


def outcome(r: WhatIf, before: Reliability) -> str:
    """The effect with intervals, and whether it may be chance."""
    text = in_short(r, before)
    if not math.isnan(r.change_low):
        change = _change(r.change, r.change_low, r.change_high)
        if r.change_high < 0:
            text += " " + say("Words and findings come closer: {change}.", change=change)
        elif r.change_low > 0:
            text += " " + say("Words and findings move apart: {change}.", change=change)
        else:
            text += " " + say("That may be chance: {change}.", change=change)
    if r.kept is not None:
        text += " " + say("{share} of what the words tell about the outcome is kept.", share=percent(r.kept))
    return text


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _change(change: float, low: float, high: float) -> str:
    from ui.plots.figures import signed

    return say("{change} ({low} to {high})", change=signed(change), low=signed(low), high=signed(high))


def warnings(r: WhatIf) -> list[str]:
    """Unusual features of the changes."""
    lines = []
    if r.disordered:
        pairs = [say("{weaker} above {stronger}", weaker=quoted(a), stronger=quoted(b)) for a, b in r.disordered]
        lines.append(say("\u26a0 The order of words would turn: {pairs}.", pairs=listed(pairs, _LISTED)))
    lines += [
        say(
            "\u26a0 A plain statement would become its opposite: {source} said as {target}.",
            source=quoted(a),
            target=quoted(b),
        )
        for a, b in r.opposites
    ]
    if r.not_allowed:
        lines.append(
            say(
                "\u26a0 Not among the department\u2019s allowed words: {words}.",
                words=listed([quoted(w) for w in r.not_allowed]),
            )
        )
    return lines
