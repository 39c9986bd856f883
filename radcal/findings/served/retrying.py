"""Which answers are asked for again, and when."""

from __future__ import annotations

from collections.abc import Iterator
from random import SystemRandom

AGAIN = frozenset({429, 500, 502, 503, 504})
"""Statuses of a server that may answer a later try."""
FIRST_SECONDS, LONGEST_SECONDS = 0.5, 8.0

_RANDOM = SystemRandom()


def backing_off() -> Iterator[float]:
    """Seconds to wait before each further try: up to twice as long each time, drawn so that clients do not agree."""
    longest = FIRST_SECONDS
    while True:
        yield _RANDOM.uniform(longest / 4, longest)
        longest = min(2 * longest, LONGEST_SECONDS)
