"""Counts in the sentences that steps sum themselves up in."""

from __future__ import annotations


def counted(n: int, one: str, many: str) -> str:
    """``n`` with the words for one or for any other number: '1 pair was', '0 pairs were', '1,204 pairs were'."""
    return f"{n:,} {one if n == 1 else many}"
