"""Manual changes in wording: which word replaces which, in how many of 10 cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.plots.plan_editor import Shift

ALL = 10
"""All cases of a word, in tenths."""


@dataclass(frozen=True, slots=True)
class Change:
    """Say ``target`` instead of ``source`` in ``tenths`` of 10 cases."""

    source: str
    target: str
    tenths: int


Changes = tuple[Change, ...]


def shares_of(changes: Changes) -> dict[str, dict[str, float]] | None:
    """Replacement words and their shares, by word; None if a word's shares exceed its cases."""
    tenths: dict[str, dict[str, int]] = {}
    for c in changes:
        if c.tenths and c.target != c.source:
            of = tenths.setdefault(c.source, {})
            of[c.target] = of.get(c.target, 0) + c.tenths
    if any(sum(of.values()) > ALL for of in tenths.values()):
        return None
    return {source: {target: n / ALL for target, n in of.items()} for source, of in tenths.items()}


def shifted(changes: Changes, shift: Shift) -> Changes:
    """The changes after moving a share of a word's cases to another; unchanged if it has none.

    A change keeps its place in the list when it is pointed to another word, and goes when nothing is left of it.
    """
    source, taken, given = shift.source, shift.taken, shift.given
    said = dict.fromkeys((c.target for c in changes if c.source == source and c.target != source), 0)
    for c in changes:
        if c.source == source and c.target != source:
            said[c.target] += c.tenths
    there = ALL - sum(said.values()) if taken == source else said.get(taken, 0)
    tenths = min(shift.tenths, there)
    if tenths <= 0 or taken == given:
        return changes
    if taken != source and tenths == there and given != source and given not in said:
        said = {given if target == taken else target: n for target, n in said.items()}
    else:
        if taken != source:
            said[taken] -= tenths
        if given != source:
            said[given] = said.get(given, 0) + tenths
    of_source = [Change(source, target, n) for target, n in said.items() if n]
    first = next((i for i, c in enumerate(changes) if c.source == source), len(changes))
    rest = [c for c in changes[first:] if c.source != source]
    return (*changes[:first], *of_source, *rest)


def slid(before: Changes, after: Changes) -> int:
    """Index of the only change that differs, if it differs only in its share; -1 otherwise."""
    if len(before) != len(after):
        return -1
    different = [i for i, (b, a) in enumerate(zip(before, after, strict=True)) if b != a]
    if len(different) != 1:
        return -1
    b, a = before[different[0]], after[different[0]]
    return different[0] if (b.source, b.target) == (a.source, a.target) else -1
