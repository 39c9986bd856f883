"""The effect of manually changed wording, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ui.words import decimal, decimal_interval, listed, quoted, say, whole

if TYPE_CHECKING:
    from radcal.advice.records import Changed, WhatIf
    from radcal.reliability.records import Reliability

_LISTED = 4
"""Pairs of words named in a warning; more are counted."""


def as_said(before: Reliability) -> str:
    """The error of the original wording with n and interval; '' if not computed."""
    if before.word_error is None:
        return ""
    return say(
        "Word error {before} as the words were said, on these {n} findings.",
        before=decimal_interval(before.word_error, before.word_error_low, before.word_error_high),
        n=whole(before.n),
    )


def outcome(r: WhatIf, *, advised: bool = False) -> str:
    """The errors before and after with n, the effect with its interval, whether it may be chance, and the ECE.

    advised: it is what these findings advise
    """
    text = say(
        "Word error {before}, then {after}; Brier score {brier_before}, then {brier_after}, on these {n} findings.",
        before=decimal(r.word_error.before),
        after=decimal(r.word_error.after),
        brier_before=decimal(r.brier.before),
        brier_after=decimal(r.brier.after),
        n=whole(r.n),
    )
    error = r.word_error
    if not math.isnan(error.change_low):
        change = _change(error)
        if error.change_high < 0:
            text += " " + say("The words come closer to CT: {change}.", change=change)
        elif error.change_low > 0:
            text += " " + say("The words move away from CT: {change}.", change=change)
        else:
            text += " " + say("That may be chance: {change}.", change=change)
    text += " " + say("ECE {before}, then {after}.", before=decimal(r.ece.before), after=decimal(r.ece.after))
    if advised:
        text += " " + say(
            "Part of a fall here is regression to the mean: the words advised are also those that chance put furthest"
            " off."
        )
    return text


def _change(score: Changed) -> str:
    from ui.plots.figures import signed

    return say(
        "{change} ({low} to {high})",
        change=signed(score.after - score.before),
        low=signed(score.change_low),
        high=signed(score.change_high),
    )


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
                "\u26a0 Not among the words that advice may propose: {words}.",
                words=listed([quoted(w) for w in r.not_allowed]),
            )
        )
    return lines
