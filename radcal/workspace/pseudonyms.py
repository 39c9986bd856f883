"""Names under which authors appear on the pages of a department."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping

from radcal.system.resources import words_of


def given_names() -> tuple[str, ...]:
    """Given names used for any gender, easy to say, spelled in one way, none a title or a noun of a report."""
    return words_of("pseudonyms.txt")


def pseudonyms(authors: Iterable[str], seed: int) -> dict[str, str]:
    """A distinct given name for each author, the same on every machine for the same authors and seed.

    An author keeps the name when others come or go, except where two would get the same one: then the one
    later in a seeded order takes the next on that author's own list.  A name that occurs in the name of any
    author is never given.  With more authors than names, a number is added ("Avery 2").

    Whoever has the authors' names and the seed can work out who is who: a pseudonym is a courtesy on paper,
    no anonymisation.
    """
    everyone = sorted(set(authors))
    free = _free(everyone)
    given: dict[str, str] = {}
    taken: set[str] = set()
    for author in sorted(everyone, key=lambda a: _draw(seed, a)):
        wishes = sorted(free, key=lambda name: _draw(seed, author, name))
        rounds = (f"{name} {k}" if k > 1 else name for k in range(1, len(everyone) + 2) for name in wishes)
        given[author] = next(name for name in rounds if name not in taken)
        taken.add(given[author])
    return {author: given[author] for author in everyone}


def drawn(people: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    """A pseudonym for each of these people, drawn at random: nothing about who is who can be worked out from it.

    Args:
        people: names that have no pseudonym yet.
        given: the pseudonyms that others have, with their names; they are kept for good, whoever joins or leaves.

    Returns:
        Distinct given names that occur in no name known now; with more people than names, a number is added.
    """
    everyone = sorted(set(people))
    free, taken = _free([*everyone, *given.values()]), set(given)
    found: dict[str, str] = {}
    for person in everyone:
        left: list[str] = []
        k = 0
        while not left:
            k += 1
            left = [name for name in (f"{n} {k}" if k > 1 else n for n in free) if name not in taken]
        found[person] = secrets.choice(left)
        taken.add(found[person])
    return found


def _free(people: Iterable[str]) -> list[str]:
    """The given names that occur in the name of nobody."""
    own = {part.casefold() for person in people for part in re.findall(r"\w+", person)}
    return [name for name in given_names() if name.casefold() not in own] or ["Reader"]


def _draw(seed: int, *parts: str) -> bytes:
    return hashlib.sha256("\x1f".join((str(seed), *parts)).encode()).digest()
