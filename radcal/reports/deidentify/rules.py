"""What a rule that finds identifiers by their form is, and how rules read a text.

Rules stand in parts.  The rules of a part read the same text from top to bottom, and the first that claims a character
has it; what they claim is filled in before the next part reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import NamedTuple, TypeAlias

from radcal.reports.deidentify.spans import SHIFTED, Claims


class Found(NamedTuple):
    """An identifier: its span, and what is written in its place; None for the placeholder of its kind."""

    start: int
    end: int
    written: str | None = None


Action: TypeAlias = Callable[[re.Match[str], timedelta], Found | None]
"""What a match is, with the shift of dates; None if it is no identifier after all."""


class Rule(NamedTuple):
    """A rule.

    Attributes:
        name: what it finds, in words.
        kind: of the identifier, as in :class:`radcal.reports.identifiers.Edit`.
        pattern: where it may stand.
        action: what it is.
    """

    name: str
    kind: str
    pattern: re.Pattern[str]
    action: Action


class Part(NamedTuple):
    """Rules that read the same text.

    Attributes:
        rules: in the order of their certainty.
        reads: whether a text may have anything for them, to save time; None: any text may.
        beside: what is done where one of them claims something, with its start and the shift of dates.
    """

    rules: tuple[Rule, ...]
    reads: Callable[[str], object] | None = None
    beside: Callable[[Claims, int, timedelta], None] | None = None


def whole(m: re.Match[str], _: timedelta) -> Found:
    """Take the whole match."""
    return Found(*m.span())


def figures(written: str) -> int:
    """Return how many figures are written."""
    return sum(map(str.isdigit, written))


def claim(claims: Claims, parts: Iterable[Part], by: timedelta) -> None:
    """Claim what the rules of some parts find in a text; ``by``: the shift of its dates."""
    for part in parts:
        text = claims.text
        if part.reads is not None and not part.reads(text):
            continue
        for rule in part.rules:
            for m in rule.pattern.finditer(text):
                found = rule.action(m, by)
                if found is None:
                    continue
                if text[found.end : found.end + 1] == SHIFTED:  # by an earlier pass
                    claims.keep(found.start, found.end + 1)
                elif claims.add(found.start, found.end, rule.kind, found.written) and part.beside:
                    part.beside(claims, found.start, by)
        claims.settle()
