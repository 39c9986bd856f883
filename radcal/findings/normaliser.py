"""The words of a sentence as its readers have them: what was spoken, misheard, abbreviated or ticked is written out.

Every reader, rules or model, gets the same words; findings point at what stands in the report.  What is not understood
stays as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache

from radcal.findings.edits import Edit, Edited, edited
from radcal.findings.forms import SIGNS, Forms
from radcal.findings.rules.patterns import flatten, last_words, single_words, words_of
from radcal.findings.rules.tokens import tokenise
from radcal.findings.rules.vocabulary import Entry, Vocabulary
from radcal.findings.sounds import SoundsAlike
from radcal.words.languages import sentence_language, words_of_languages
from radcal.words.replacements import lowered
from radcal.words.sentence_words import sentence_words
from radcal.words.spoken import marks, with_marks

_WORD = re.compile(r"[^\W\d_]+")
_REMEMBERED = 50_000
"""Most sentences that are kept: dictation repeats itself."""
_LAST = 5
"""Letters from which the last word of a row tells."""
_LONGEST_FORM = 60
"""Characters up to which a sentence without a colon is looked through for values."""
WITHDRAWN = "<<"
"""Meaning of the words by which a speaker takes back what precedes them in the statement."""
_STATEMENT_END = re.compile(r"[.;!?\n](?=\s)")
_INNER_STOP = re.compile(r"\.(?=\s*([\w,;:()]+))")
"""The full stop of an abbreviation within a sentence."""


def _marked(text: str) -> Iterator[Edit]:
    """Marks for the words that name them, right behind the words before."""
    for mark in marks(text):
        behind = len(text[: mark.start].rstrip())
        if behind < mark.start:
            yield Edit(behind, mark.start, "")
        yield Edit(mark.start, mark.end, mark.meaning)


class Normaliser:
    """Writes out the sentences of a language by its vocabulary; a department's own words stay as they are."""

    def __init__(self, vocabulary: Vocabulary, code: str) -> None:
        self._vocabulary = vocabulary
        self._code = code
        self._forms = Forms(vocabulary.values)
        self._replacements = vocabulary.replacements
        last = max((row.entry.layer for rows in vocabulary.starts.values() for row in rows), default=0)
        self._own = frozenset(
            word for word, rows in vocabulary.starts.items() if any(row.entry.layer < last for row in rows)
        )
        starts = set(self._replacements.starts) - self._own
        self._starts = frozenset(word for word in starts if word.isalpha())
        self._signs = tuple(starts - self._starts)
        self._remembered = lru_cache(_REMEMBERED)(self._anew)

    def __call__(self, text: str) -> Edited:
        """The words of a sentence as they are read."""
        return self._remembered(text)

    def forget(self) -> None:
        """Clear the caches of sentences and of their words."""
        self._remembered.cache_clear()
        if "_heard" in vars(self):  # it has no words of reports before it is first asked
            self._heard.forget()

    def _anew(self, text: str) -> Edited:
        edits = list(_marked(text))
        if edits:
            text = with_marks(text)
        low = lowered(text)
        words = _WORD.findall(low)
        if not SIGNS.isdisjoint(text):
            edits += self._forms.ticked(text)
        if not self._starts.isdisjoint(words) or any(sign in low for sign in self._signs):
            edits += sorted(self._written_out(text, low), key=lambda e: e.words != "")
        if not self._heard.known.issuperset(words):
            edits += (e for e in self._heard.edits(flatten(text)) if self._is_free(low, e.start, e.end))
        normal = edited(text, edits)
        if edits and sentence_language(normal.text, self._code) != self._code:
            return Edited(text)
        if len(text) < _LONGEST_FORM or ":" in text:
            normal = edited(text, [*self._filled_in(normal), *normal.edits])
        if self._may_run_on(words):
            normal = edited(text, [*normal.edits, *self._stops(normal)])
        return normal

    def _is_free(self, low: str, start: int, end: int) -> bool:
        """Whether none of the words at a span is a department's own."""
        return self._own.isdisjoint(_WORD.findall(low, start, end))

    def _may_run_on(self, words: list[str]) -> bool:
        """Whether a finding or the state of an organ stands right before a place or an organ: a quick test."""
        return any(
            behind in self._openings and (word in self._findings or (word in self._states and before in self._organs))
            for before, word, behind in zip(["", *words], words, words[1:], strict=False)
        )

    def _stops(self, normal: Edited) -> Iterator[Edit]:
        """Full stops where dictation runs on: behind a statement, if the name of another organ or a finding in another
        place follows without any word or mark between: "no effusion left base opacity"."""
        flat = flatten(normal.text)
        tokens = tokenise(flat, self._vocabulary)
        organ = ""
        for token, behind, next_but_one in zip(tokens, tokens[1:], [*tokens[2:], tokens[-1]], strict=False):
            names = token.term is not None and bool(token.term.pathologies)
            states = token.state is not None and organ
            organ = "right before" if token.subject is not None else "before" if organ and token.kind == "verb" else ""
            if not names and not states:
                continue
            between = flat[token.end : behind.start].split()
            finding = behind.term is not None and behind.term.pathologies and between and states != "before"
            other = behind.subject is not None and (next_but_one.state is not None or next_but_one.kind == "verb")
            if (other or finding) and sentence_words().place.issuperset(between):
                at = normal.original(token.end - 1, token.end)[1]
                yield Edit(at, at, ".")

    @cached_property
    def _findings(self) -> frozenset[str]:
        return self._last_words(lambda e: e.term is not None and bool(e.term.pathologies))

    @cached_property
    def _states(self) -> frozenset[str]:
        return self._last_words(lambda e: e.state is not None)

    @cached_property
    def _organs(self) -> frozenset[str]:
        return self._last_words(lambda e: e.subject is not None or (e.cue is not None and e.cue.kind == "verb"))

    def _last_words(self, of: Callable[[Entry], bool]) -> frozenset[str]:
        """The words that end what stands in the rows of some entries, but for places and the shortest words."""
        rows = (e.row for e in self._vocabulary.entries if e.row and of(e))
        words = frozenset[str]().union(*(last_words(row["words"]) for row in rows))
        return frozenset(word for word in words if len(word) >= _LAST) - sentence_words().place

    @cached_property
    def _openings(self) -> frozenset[str]:
        organs = {word for word, rows in self._vocabulary.starts.items() if any(r.entry.subject for r in rows)}
        return sentence_words().place | organs

    @cached_property
    def _heard(self) -> SoundsAlike:
        entries = self._vocabulary.entries
        alone = {w for e in entries if e.term and e.term.pathologies and e.row for w in single_words(e.row["words"])}
        parts = [words_of(e.row["words"]) for e in entries if e.row and (e.term or e.subject)]
        known = [words_of(e.row["words"]) for e in entries if e.row]
        kept = self._replacements.kept.union(words_of_languages(), *known)
        return SoundsAlike(alone, frozenset[str]().union(*parts), kept)

    def _written_out(self, text: str, low: str) -> Iterator[Edit]:
        """The abbreviations and misheard terms of the files; a full stop behind one within a sentence goes with it."""
        statements = [m.end() for m in _STATEMENT_END.finditer(text)]
        for found in self._replacements.find(low):
            if self._is_free(low, found.start, found.end):
                if found.meaning == WITHDRAWN:
                    number = bisect_right(statements, found.start)
                    yield Edit(statements[number - 1] if number else 0, found.end, "")
                    continue
                stop = _INNER_STOP.match(text, found.end)
                ends = stop is None or (stop[1].istitle() and sentence_words().surely_begins(stop[1]))
                yield Edit(found.start, found.end + (not ends), found.meaning)

    def _filled_in(self, normal: Edited) -> Iterator[Edit]:
        """The values of findings in a form; one behind a space stands right behind the words of the finding."""
        for label, edits in self._forms.values(normal.text):
            named = [t for t in tokenise(flatten(label), self._vocabulary) if t.term is not None and t.term.pathologies]
            if named and (not label.endswith(" ") or named[-1].end == len(label.rstrip())):
                yield from (Edit(*normal.original(e.start, e.end), e.words) for e in edits)
