"""The effect of changed wording, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ui.language import spoken
from ui.words import listed, quoted, say, whole

if TYPE_CHECKING:
    from collections.abc import Collection

    from radcal.advice.judged_records import JudgedGroup
    from radcal.advice.records import Baselines, Changed, WhatIf
    from radcal.system.estimates import Estimate

_LISTED = 4
"""Pairs of words named in a warning; more are counted."""


def outcome(r: WhatIf, *, changed: bool, advised: bool = False) -> str:
    """How far all words miss what CT found, and if some are ``changed`` then, and whether that may be chance.

    advised: it is what these findings advise
    """
    d = r.distance
    if math.isnan(d.before):
        return ""
    values = {"before": _points(d.before, d), "after": _points(d.after, d), "n": whole(r.n)}
    if not changed:
        return say("On average the words missed what CT found by {before} points, on these {n} findings.", **values)
    text = say(
        "On average the words missed what CT found by {before} points, then by {after}, on these {n} findings.",
        **values,
    )
    if d.change_high < 0:
        text += " " + say("They come closer to CT.")
    elif d.change_low > 0:
        text += " " + say("They move away from CT.")
    else:
        text += " " + say("That may be chance.")
    if advised:
        text += " " + say("On new findings, expect less: advice also follows what chance put furthest off.")
    return text


def _points(share: float, d: Changed) -> str:
    """In points; with a decimal where before and after would else read alike."""
    alike = round(100 * d.before) == round(100 * d.after)
    return spoken().number(100 * share, int(alike and d.before != d.after))


def warnings(r: WhatIf, judged: JudgedGroup | None, changed: Collection[str]) -> list[str]:
    """What speaks against the changes; ``changed``: the words of which something is said otherwise."""
    lines = []
    fine = [j for j in judged.words if j.name in changed and j.matches and j.advice is None] if judged else []
    if fine:
        words = listed([quoted(j.name) for j in fine], _LISTED)
        lines.append(say("\u26a0 Fine as it is, by what CT found: {words}.", words=words))
    if r.disordered:
        pairs = [say("{weaker} above {stronger}", weaker=quoted(a), stronger=quoted(b)) for a, b in r.disordered]
        lines.append(say("\u26a0 The order of words would turn: {pairs}.", pairs=listed(pairs, _LISTED)))
    for a, b in r.opposites:
        values = {"source": quoted(a), "target": quoted(b)}
        lines.append(say("\u26a0 A plain statement would become its opposite: {source} said as {target}.", **values))
    if r.not_allowed:
        words = listed([quoted(w) for w in r.not_allowed])
        lines.append(say("\u26a0 Not among the words that advice may propose: {words}.", words=words))
    return lines


def numbers(found: Baselines | None, fewest: int) -> str:
    """Whether numbers in place of words would have been closer to CT than the words advised."""
    best = found.best_numbers if found is not None else None
    if found is None:
        return say("Not enough data: that is compared from {n} findings on.", n=fewest)
    if best is None or best.beyond_plan is None:
        return say("Words and numbers cannot be compared on these findings.")
    gained, values = best.beyond_plan, {"n": whole(round(found.n)), "range": _range(best.beyond_plan)}
    if gained.low > 0:
        return say("Yes: the error falls by another {range}, on {n} findings not used to make them.", **values)
    if gained.high < 0:
        return say("No: the error rises by {range}, on {n} findings not used to make them.", **values)
    return say("No clear difference, on {n} findings not used to make them.", **values)


def _range(gained: Estimate) -> str:
    low, high = sorted((abs(gained.low), abs(gained.high)))
    return f"{spoken().number(low, 3)}\u2013{spoken().number(high, 3)}"
