"""Lets the bundled model read terms that it was not trained on, by showing it a term that it knows in their place.

What the model learnt of certainty does not depend on the finding: "there may be an azygos lobe" is shown to it as
"there may be an atelectasis", and what it reads of the atelectasis holds for the azygos lobe.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.tokens import tokenise
from radcal.findings.rules.vocabulary import Term, Vocabulary


@dataclass(frozen=True, slots=True)
class _Place:
    """A term and its stand-in: spans in the sentence and in what the model is shown.

    known:       the pathology that the stand-in names
    pathologies: that the term names
    """

    start: int
    end: int
    shown_start: int
    shown_end: int
    known: str
    pathologies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence as shown to the model."""

    text: str
    places: tuple[_Place, ...] = ()

    def readings(self, reading: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """A reading of the text as readings of the sentence: those of the term for that of its stand-in.

        Whatever else the model makes of a stand-in is left out.
        """
        if not self.places or not reading["term"]:
            yield reading
            return
        start, end = reading["term"]
        told = {**reading, "term": self._span(reading["term"]), "cue": reading["cue"] and self._span(reading["cue"])}
        place = next((p for p in self.places if p.shown_start < end and start < p.shown_end), None)
        if place is None:
            yield told
        elif reading["pathology"] == place.known:
            for pathology in place.pathologies:
                yield {**told, "pathology": pathology, "term": (place.start, place.end)}

    def _span(self, span: Sequence[int]) -> tuple[int, int]:
        """A span of the text as a span of the sentence; one that touches a stand-in holds its whole term."""
        return self._at(span[0]), self._at(span[1] - 1, last=True)

    def _at(self, at: int, *, last: bool = False) -> int:
        i = bisect_right(self.places, at, key=lambda p: p.shown_start) - 1
        if i < 0:
            return at + last
        place = self.places[i]
        if at < place.shown_end:
            return place.end if last else place.start
        return at - place.shown_end + place.end + last


class StandIns:
    """Finds the terms that a model cannot know, and stand-ins for them.

    Args:
        vocabulary: the words of the pathologies.
        trained: the pathologies that the model knows; none for a model that is told of all in its prompt.
    """

    def __init__(self, vocabulary: Vocabulary, trained: Sequence[str] = ()) -> None:
        self._vocabulary = vocabulary
        self._trained = trained
        # A pathology of one word stands in a sentence like any term.
        self._plain = [name for name in trained if name.isalpha()]
        self._needed = bool(self._plain) and any(
            e.term is not None and self._is_new(e.term) for e in vocabulary.entries
        )

    def shown(self, text: str) -> Shown:
        """A sentence with stand-ins for the department's own terms, and for those of pathologies not trained on."""
        if not self._needed:
            return Shown(text)
        flat = flatten(text)
        terms = [(t.start, t.end, t.term) for t in tokenise(flat, self._vocabulary) if t.term is not None]
        named = {name for _, _, term in terms for name in term.pathologies}
        free = iter([name for name in self._plain if name not in named and name not in flat])
        chosen: dict[tuple[str, ...], str] = {}
        pieces, places, at, length = [], [], 0, 0
        for start, end, term in terms:
            if not self._is_new(term) or (term.unless is not None and term.unless.search(flat)):
                continue
            (first, *more) = term.pathologies
            known = first if first in self._trained and not more else chosen.get(term.pathologies) or next(free, "")
            if not known:
                continue
            chosen[term.pathologies] = known
            pieces += [text[at:start], known]
            length += start - at
            places.append(_Place(start, end, length, length + len(known), known, term.pathologies))
            length += len(known)
            at = end
        return Shown("".join([*pieces, text[at:]]), tuple(places))

    def _is_new(self, term: Term) -> bool:
        return bool(term.pathologies) and (term.own or not set(term.pathologies).issubset(self._trained))
