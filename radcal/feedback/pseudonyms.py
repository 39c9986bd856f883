"""Names under which authors appear on the pages of a department."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

# Given names used for any gender, easy to say, spelled in one way, none a title or an ordinary noun of a report.
_NAMES = """
    Addison Adrian Ainsley Alden Alexis Amari Andie Arden Ariel Arlo Aspen Aubrey Auden Austen Avery Azariah
    Bailey Baylor Bellamy Bergen Blair Blake Blythe Bowie Brady Briar Brooklyn Bryce Cameron Campbell Carey Carson
    Casey Cassidy Charlie Clancy Codie Corey Dakota Darcy Delaney Devon Drew Eden Elliott Ellis Embry
    Emerson Emery Fallon Farrell Finley Flannery Florian Frankie Gale Garnet Gentry Greer Hadley Halsey Harley
    Harper Hayden Hollis Indigo Ira Jamie Jayden Jesse Jody Jordan Jules Kai Keegan Kelly Kelsey Kendall
    Kennedy Kerry Kieran Kim Kit Kyrie Lennon Lennox Leslie Linden Loren Lowell Lyric Mackenzie Madison
    Mallory Marley Marlowe Merritt Micah Morgan Murphy Nico Noel Oakley Odell Oswin
    Parker Payton Phoenix Presley Quinn Ramsey Raven Reagan Reese Remy Riley Robin Rory Rowan Ryan
    Rylan Sage Sam Sasha Sawyer Selby Shannon Shawn Shelby Sidney Skyler Sloan Spencer Sterling Sutton
    Sydney Tanner Tate Tatum Taylor Teagan Terry Toby Torin Tracy Tristan Tyler Vesper Wallis Whitney
    Winslow Wren Wynn Yael Zephyr Zion
"""
NAMES: tuple[str, ...] = tuple(_NAMES.split())


def pseudonyms(authors: Iterable[str], seed: int) -> dict[str, str]:
    """A distinct given name for each author, the same on every machine for the same authors and seed.

    An author keeps the name when others come or go, except where two would get the same one: then the one
    later in a seeded order takes the next on that author's own list.  A name that occurs in the name of any
    author is never given.  With more authors than names, a number is added ("Avery 2").

    Whoever has the authors' names and the seed can work out who is who: a pseudonym is a courtesy on paper,
    no anonymisation.
    """
    everyone = sorted(set(authors))
    own = {part.casefold() for author in everyone for part in re.findall(r"\w+", author)}
    free = [name for name in NAMES if name.casefold() not in own] or ["Reader"]
    given: dict[str, str] = {}
    taken: set[str] = set()
    for author in sorted(everyone, key=lambda a: _draw(seed, a)):
        wishes = sorted(free, key=lambda name: _draw(seed, author, name))
        rounds = (f"{name} {k}" if k > 1 else name for k in range(1, len(everyone) + 2) for name in wishes)
        given[author] = next(name for name in rounds if name not in taken)
        taken.add(given[author])
    return {author: given[author] for author in everyone}


def _draw(seed: int, *parts: str) -> bytes:
    return hashlib.sha256("\x1f".join((str(seed), *parts)).encode()).digest()
