"""Names and numbers of known people filled in within a text, so that every other letter stays where it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from radcal.ingest.deidentify.known import People, number_spans

FILLING = "_"
_WORD = re.compile(r"\w")


class Mask:
    """Fills in the names of people, and the numbers of one report, letter by letter.

    Names are found as :class:`People` finds them, in any order of their parts and never where they are words of the
    text ("May", "Gray").  It does not find names that are not known.

    Args:
        people: names as columns have them: "Avery Quillfeather", "Quillfeather, Avery, MD".
    """

    def __init__(self, people: Iterable[str]) -> None:
        self._people = People(people)

    def __call__(self, text: str, numbers: Collection[str] = ()) -> str:
        """The text, as long as before, with names and these numbers filled in."""
        letters = list(text)
        own = [(start, end) for start, end, _ in number_spans(text, numbers)]
        for start, end in self._people.spans(text)[0] + own:
            letters[start:end] = _WORD.sub(FILLING, text[start:end])
        return "".join(letters)
