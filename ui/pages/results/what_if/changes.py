"""Manual changes in wording: which word replaces which, in how many of 10 cases."""

from __future__ import annotations

from dataclasses import dataclass

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
