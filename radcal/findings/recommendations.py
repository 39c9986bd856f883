"""Recommendations of a report, by words of advice and what they ask for.

A sentence recommends something where

1. words of advice have what they ask for on their side ("recommend CT", "CT is advised", "CT could be considered"), and
   neither is denied ("no follow-up is needed") nor only told ("as recommended previously"),
2. words are a recommendation in themselves ("correlate clinically", "should be followed"), or
3. what is asked for stands with a time ahead, an aim or a condition, and nothing is told of it as done ("CT in 3
   months", "follow-up radiograph to document resolution"); under a heading of recommendations, by itself.

Indication, comparison and technique recommend nothing.  A sentence counts once, for the first of imaging, work-up,
correlation and other that it asks for.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from radcal.findings.records import Advised, Recommendation
from radcal.findings.rules.patterns import PatternError, flatten
from radcal.findings.rules.tokens import FAR, FULL_STOP, Token, tokenise
from radcal.findings.rules.vocabulary import Cue, Entry, Vocabulary
from radcal.reports.records import Document, Section
from radcal.system.resources import resource
from radcal.words.languages import ENGLISH, languages_hash, names, recognise, sentence_language
from radcal.words.word_files import NOTHING, rows_of

# --- the words of ``recommendations.tsv``: their kinds, read and checked, one vocabulary a language

FILE = "recommendations.tsv"
COLUMNS = ("kind", "object", "side", "words")
ASK, ASKS, WHEN, DENY, DID, DONE, WAS, STOP = "ask", "asks", "when", "deny", "did", "done", "was", "stop"
WANTED = frozenset(map(str, Advised))
"""The kinds of what is asked for."""
MODALITIES = frozenset(("xray", "ct", "mri", "pet", "us", "other"))
SIDES = frozenset(("after", "before", "both", "near", "first", "bare"))


@cache
def vocabularies() -> dict[str, Vocabulary]:
    """The words of every language that has them, by code, English first.

    Raises:
        InputError: a file is malformed; names file, line and reason.
    """
    folder = resource("lexicon")
    others = sorted(path.name for path in folder.iterdir() if path.name in names() and (path / FILE).exists())
    return {ENGLISH: read(folder / FILE), **{code: read(folder / code / FILE) for code in others}}


def read(path: Path) -> Vocabulary:
    """The vocabulary of a file; the cue of a word has its kind, its object (``phrase``) and its side (``direction``).

    Raises:
        InputError: as :func:`vocabularies`.
    """
    vocabulary, digest = Vocabulary(compounds=True), hashlib.sha256()
    for row in rows_of(path, COLUMNS, digest):
        kind, wanted, side = row["kind"], row["object"], row["side"]
        objects = WANTED if kind == ASKS else MODALITIES | {NOTHING} if kind == Advised.IMAGING else {NOTHING}
        if kind not in WANTED | {ASK, ASKS, WHEN, DENY, DID, DONE, WAS, STOP}:
            raise row.broken(f"{kind!r} is no kind")
        if wanted not in objects:
            raise row.broken(f"{wanted!r} is no object of the kind {kind!r}")
        sides = {ASK: SIDES, ASKS: {NOTHING, "first"}}
        if side not in sides.get(kind, {NOTHING}):
            raise row.broken(f"{side!r} is no side of the kind {kind!r}")
        try:
            vocabulary.add(row["words"], Entry(cue=Cue(kind, wanted, side), row=row))
        except PatternError as error:
            raise row.broken(f"the words have {error}") from error
    vocabulary.index()
    vocabulary.settings_hash = digest.hexdigest()[:16]
    return vocabulary


# --- intervals from now: "in 3 months", "6-8 wks", "in sechs Wochen"

_TOLD = tomllib.loads(resource("reading", "intervals.toml").read_text(encoding="utf-8"))
_ONE_TO_TWELVE: dict[str, int] = {word: n for n, words in enumerate(_TOLD["numbers"], 1) for word in words.split()}
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_N = rf"(?:\d{{1,3}}(?:[.,]5)?|{'|'.join(sorted(_ONE_TO_TWELVE, key=len, reverse=True))})"
_UNIT = "|".join(f"(?P<{name}>{words})" for name, words in _TOLD["units"].items())
_TO = r"\s*(?:[-\u2013\u2014]|to|or|and|bis|oder|und|/|:+|\s)\s*"
_INTERVAL = re.compile(
    rf"(?<![:.,\d])\b(?P<low>{_N})(?:{_TO}(?P<high>{_N}))?\s*(?:{_UNIT})\b(?:igen?|ige[rs]|lich\w*)?"
)
_PAST = re.compile(r"\s*(?:ago|prior|previous|earlier|before|old|duration|history|zuvor|vorher|alt)\b")
_AFTER = re.compile(r"\s*(?:after|post|status|nach)\b")
_AHEAD_BEFORE = re.compile(
    r"\b(?:in|within|at|after|every|nach|innerhalb|binnen|alle)\s*(?:about|approximately|ca|etwa|von)?[\s.]*$"
)
_WITHIN = re.compile(r"\b(?:within|innerhalb|binnen)\s*(?:the next|von|der (?:nachsten|naechsten))?\s*$")
_PAST_BEFORE = re.compile(r"\b(?:vor|since|seit|last|past|previous|prior|over|for|letzten)\s*(?:the|den|dem)?\s*$")


class Interval(NamedTuple):
    """A stated interval in days, and where it stands; "within 3 months" is one from 0 days on.

    outlook: "in", "within" or the like stands before it
    """

    low: int
    high: int
    start: int
    end: int
    outlook: bool


def intervals(flat: str) -> list[Interval]:
    """The intervals of a flattened sentence that lie ahead: "3 months ago" and "for 3 weeks" are none."""
    found = []
    for match in _INTERVAL.finditer(flat):
        before = max(match.start() - 20, 0), match.start()
        if _PAST.match(flat, match.end()) or _PAST_BEFORE.search(flat, *before):
            continue
        outlook = _AHEAD_BEFORE.search(flat, *before) is not None
        if _AFTER.match(flat, match.end()) and not outlook:
            continue
        unit = next(_DAYS[name] for name in _DAYS if match[name])
        low = 0.0 if _WITHIN.search(flat, *before) else _number(match["low"])
        high = _number(match["high"] or match["low"])
        low, high = sorted((low, high))
        found.append(Interval(round(low * unit), round(high * unit), *match.span(), outlook))
    return found


def _number(words: str) -> float:
    return float(_ONE_TO_TWELVE[words]) if words in _ONE_TO_TWELVE else float(words.replace(",", "."))


VERSION = "1.1"
_REMEMBERED = 50_000
_FAR, _NEAR, _BESIDE, _DENIES = 14, 3, 8, 1
"""Words without a meaning that may stand between words of advice and what they ask for; the same for "near" ones;
between what is asked for and its aim or condition; between a denial and what it denies."""
_TIME, _RIGHT_BESIDE, _YEAR = 60, 2, 365
"""Characters between what is asked for and its time; of a time without "in"; days from which such a time is an age."""
_SILENT = frozenset((Section.INDICATION, Section.COMPARISON, Section.TECHNIQUE))
_HEADING = re.compile(
    r"\b(?:recommendations?|recommended|recs?|follow[ -]?up|plan|management|empfehlung\w*|procedere|prozedere"
    r"|weiteres vorgehen)\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ORDER = {kind: place for place, kind in enumerate(Advised)}


class _Found(NamedTuple):
    kind: Advised
    modality: str
    days: tuple[int, int] | None


class Finder:
    """Finds recommendations by the words of each language."""

    def __init__(self, words: Mapping[str, Vocabulary]) -> None:
        """The finder with the vocabulary of each language that it reads, by code."""
        self._words = dict(words)
        self._read = lru_cache(_REMEMBERED)(self._read_anew)

    @property
    def version(self) -> str:
        """Changes whenever recommendations could: the rules' version and a hash of the words."""
        digest = hashlib.sha256(languages_hash().encode())
        for code, words in self._words.items():
            digest.update(f"{code} {words.settings_hash}\n".encode())
        return f"{VERSION} {digest.hexdigest()[:16]}"

    def forget(self) -> None:
        """Clear the cache of sentences, the only report text that the finder holds."""
        self._read.cache_clear()

    def find(self, document: Document) -> tuple[Recommendation, ...] | None:
        """The recommendations of a report, in order; None if it is in a language that is not read."""
        code = recognise(document.text).code
        if code not in self._words:
            return None
        return tuple(self._found(document, code))

    def _found(self, document: Document, code: str) -> Iterator[Recommendation]:
        end, under_heading = 0, False
        for sentence in document.sentences:
            between = document.text[end : sentence.start]
            if _LETTERS.search(between):
                under_heading = _HEADING.search(between) is not None
            end = sentence.end
            if sentence.section in _SILENT or (sentence.section is Section.OTHER and not under_heading):
                continue
            found = self._read(sentence.text, code, sentence.section)
            if found is not None:
                yield Recommendation(*found, sentence.start, sentence.end)

    def _read_anew(self, text: str, code: str, section: Section) -> _Found | None:
        words = self._words.get(sentence_language(text, code))
        if words is None:
            return None
        flat = flatten(text)
        # Sentences are told apart already: a full stop within one is that of an abbreviation.
        *tokens, end = (token for token in tokenise(flat, words) if token.cue is not FULL_STOP)
        # Under a heading of recommendations, and as a line of the impression, a mere noun is one.
        alone = section is Section.OTHER or (
            section is Section.IMPRESSION and not end.gap and all(t.kind in WANTED and not t.gap for t in tokens)
        )
        times = intervals(flat)
        found = [one for part in _clauses(tokens) for one in _Clause(part, times).found(alone=alone)]
        if not found:
            return None
        first = min(found, key=lambda one: _ORDER[one.kind])
        if first.kind is Advised.IMAGING and not first.modality:
            modality = next((f.modality for f in found if f.kind is Advised.IMAGING and f.modality), "")
            first = first._replace(modality=modality)
        return first


@cache
def shipped_finder() -> Finder:
    """The finder by the words that ship with RadCal, made once."""
    return Finder(vocabularies())


def _clauses(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Parts that words of advice do not reach beyond."""
    clause: list[Token] = []
    for token in tokens:
        if token.kind == STOP:
            yield clause
            clause = []
        else:
            clause.append(token)
    yield clause


class _Clause:
    """Tokens that words of advice may reach; every search is limited, so that the time grows with the length alone."""

    def __init__(self, tokens: Sequence[Token], times: Sequence[Interval]) -> None:
        self._tokens = tokens
        self._times = times
        self._begins = [time.start for time in times]
        self._words = list(accumulate(token.gap for token in tokens))
        """The number of words without a meaning up to each token."""

    def found(self, *, alone: bool) -> Iterator[_Found]:
        is_done = any(token.kind == DID for token in self._tokens)
        for i, token in enumerate(self._tokens):
            if token.kind in WANTED:
                is_meant = not is_done and token.kind != Advised.OTHER and (self._is_timed(i) or self._has_aim(i))
                if (alone or is_meant) and not self._denied(i):
                    yield self._made(i)
            elif token.kind == ASKS and not self._denied(i) and not (token.cue.direction == "first" and token.gap):
                yield _Found(Advised(token.cue.phrase), "", self._days(i))
                if token.cue.phrase == Advised.WORKUP:  # "should be evaluated further with CT"
                    yield from (self._made(j) for j in self._around(i, _NEAR, 1) if self._is_wanted(j))
            elif token.kind == ASK and not self._denied(i):
                yield from map(self._made, self._asked_for(i))

    def _around(self, at: int, reach: int, step: int) -> Iterator[int]:
        """The tokens on one side, the nearest first, up to ``reach`` words without a meaning."""
        end = min(at + FAR, len(self._tokens) - 1) if step > 0 else max(at - FAR, 0)
        for i in range(at + step, end + step, step):
            first, second = sorted((i, at))
            if self._words[second] - self._words[first] > reach:
                return
            yield i

    def _asked_for(self, ask: int) -> Iterator[int]:
        """What words of advice ask for, on their side and within their reach, as far as it is not denied."""
        side = self._tokens[ask].cue.direction
        if side == "first" and (ask > 0 or self._tokens[ask].gap):
            return
        if side == "bare" and self._is_told(ask):
            return
        is_first = ask == 0 and not self._tokens[ask].gap
        steps = {"before": (-1,), "bare": (1,) if is_first else (-1,), "both": (1, -1)}.get(side, (1,))
        for step in steps:
            found = [i for i in self._around(ask, _FAR, step) if self._is_wanted(i)]
            if side == "near" and found and self._words[found[0]] - self._words[ask] > _NEAR:
                return
            yield from found

    def _is_wanted(self, at: int) -> bool:
        return self._tokens[at].kind in WANTED and not self._denied(at)

    def _is_told(self, ask: int) -> bool:
        """Whether an auxiliary before a bare participle makes it an earlier advice."""
        for i in self._around(ask, _BESIDE, -1):
            if self._tokens[i].kind in (WAS, "comma", "colon"):
                return self._tokens[i].kind == WAS
        return False

    def _denied(self, at: int) -> bool:
        """Whether a denial stands right before, or right behind what is asked for."""
        sides = ((_DENIES, -1), (1, 1)) if self._tokens[at].kind in WANTED else ((_DENIES, -1),)
        for reach, step in sides:
            kinds = (self._tokens[i].kind for i in self._around(at, reach, step))
            if next((kind for kind in kinds if kind not in WANTED), "") == DENY:
                return True
        return False

    def _has_aim(self, at: int) -> bool:
        return any(self._tokens[i].kind == WHEN for step in (1, -1) for i in self._around(at, _BESIDE, step))

    def _made(self, at: int) -> _Found:
        token = self._tokens[at]
        return _Found(Advised(token.kind), token.cue.phrase.replace(NOTHING, ""), self._days(at))

    def _is_timed(self, at: int) -> bool:
        """Whether a time ahead stands with it: "in 3 months", "3-month CT", "CT 3 mo"; not an age."""
        time, away = self._time(at)
        return time is not None and (time.outlook or (away <= _RIGHT_BESIDE and time.high < _YEAR))

    def _days(self, at: int) -> tuple[int, int] | None:
        time, _ = self._time(at)
        return None if time is None else (time.low, time.high)

    def _time(self, at: int) -> tuple[Interval | None, int]:
        """The stated time that stands nearest, if one does, and the characters between."""
        token = self._tokens[at]
        place = bisect_left(self._begins, token.start)
        near = self._times[max(place - 1, 0) : place + 1]
        away = {max(t.start - token.end, token.start - t.end): t for t in near}
        best = min(away, default=_TIME + 1)
        return (away[best], best) if best <= _TIME else (None, best)
