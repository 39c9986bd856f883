"""Names, places and numbers that no rule of form finds: by what the tagger believes of each piece of a text.

The tagger is a conditional random field.  It was trained on made-up reports of many authors, whose identifiers these
marked: ``benchmarks/train_tagger.py``.
"""

from __future__ import annotations

import lzma
import re
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pycrfsuite

from radcal.reports.deidentify.date_parts import ENGLISH_MONTHS, GERMAN_MONTHS
from radcal.reports.deidentify.features import FEW_CAPITALS, Called, Pieces, features, pieces, word
from radcal.reports.deidentify.known import plain
from radcal.reports.deidentify.numbers import UNIT
from radcal.reports.deidentify.spans import JOIN, Claims
from radcal.reports.deidentify.words import NAME, Is, is_finding, word_set
from radcal.system.resources import meanings, patterns, resource

_P = patterns("deidentify", "tagging.toml")
OTHER: Final = "O"
LABELS: Final = meanings("deidentify", "tagging.toml", table="labels")
"""The label of each kind that authors mark."""
_KIND: Final = {"NAME": "name", "PLACE": "place", "ID": "number", "PHONE": "phone", "DATE": "date", "AGE": "age"}
_BESIDE_DATES = word_set("the of on at in and or to am den dem der die das im vom und bis zum an seit since from until")
"""What stands beside a date and is none of it."""
_MONTHS = {name.lower() for name in (*ENGLISH_MONTHS, *GERMAN_MONTHS, "Jänner")} - word_set(
    "march april may mai august"
)
"""Months that are nothing else, taken where they stand without their year, too."""
SUSPECT: Final = 0.02
"""From what probability on a piece that stays is shown to a person."""
_PASSES = 5
_TITLE: Final = Is.STRONG | Is.TITLE | Is.DEGREE
_IN_FULL = word_set("frau herr miss sir dame")
_COMMON: Final = 4
_DAY: Final = 0.3
"""From what probability on a figure of one or two digits by itself is a date."""
_ALONE: Final = 0.6
"""... and another identifier; and a clinical word with a capital that the text has in small letters, too, a name."""
_NO_TYPIST: Final = Is.CLINICAL | Is.FUNCTION | Is.WORD | Is.SIGN | Is.PRODUCT
_LOADED = threading.local()


class Belief(NamedTuple):
    """What a piece is, if it belongs to an identifier, and how probable it is that it does, 0 to 1."""

    label: str
    probability: float


def tagged(rows: Sequence[Sequence[str]]) -> list[Belief]:
    """The marginal probability of each piece, by its features and those of the whole text."""
    crf = _crf()
    crf.set(pycrfsuite.ItemSequence(rows))
    labels = [label for label in crf.labels() if label != OTHER]
    beliefs = []
    for n in range(len(rows)):
        none = crf.marginal(OTHER, n)
        label = max(labels, key=lambda one: crf.marginal(one, n)) if none < 0.99 else labels[0]
        beliefs.append(Belief(label, 1.0 - none))
    return beliefs


def load(path: Path) -> None:
    """Take a trained model for this thread instead of RadCal's own, to measure it."""
    _open(lzma.decompress(path.read_bytes()))


@cache
def _shipped() -> bytes:
    """RadCal's own model, for the taggers of all threads."""
    return lzma.decompress(resource("deidentify", "tagger.crfsuite.xz").read_bytes())


def _open(model: bytes) -> None:
    _LOADED.crf, _LOADED.model = pycrfsuite.Tagger(), model
    _LOADED.crf.open_inmemory(model)  # which it reads there, without a copy


def _crf() -> pycrfsuite.Tagger:
    """The model of this thread: a tagger holds the text that it reads."""
    if not hasattr(_LOADED, "crf"):
        _open(_shipped())
    crf: pycrfsuite.Tagger = _LOADED.crf
    return crf


def enough(one: str, german: bool, known: bool = False, label: str = "", small: bool = False) -> float:
    """From what probability on a piece is taken: the less a word may be anything but a name, the lower.

    Args:
        one: as it is written.
        german: whether the text is German.
        known: whether columns call somebody so.
        label: of what it is believed to be.
        small: whether the text has hardly any capitals, so that names have none, too.
    """
    if one[0].isdigit():
        return 0.1 if label in ("DATE", "AGE") else 0.2
    read = word(one, german)
    kind = read.kind
    ordinary = kind & (Is.WORD | Is.CLINICAL | Is.FUNCTION | Is.EITHER)
    if (kind & NAME and not ordinary) or not (kind or read.frequency):
        return 0.02 if known else 0.3 if one.islower() and not small else 0.1
    if is_finding(read.lower):
        return 0.95
    if one.islower() and len(one) > 1:
        return 0.5
    if known:
        return 0.1
    if kind & Is.CLINICAL and not kind & NAME:
        return 0.4
    return 0.25 if kind & (Is.CLINICAL | Is.FUNCTION | Is.SIGN | Is.EPONYM | Is.PRODUCT) else 0.2


def titled(of: Pieces, german: bool) -> set[int]:
    """The pieces behind titles: "Dr. Grass", "Frau Prof. Dr. med. Sommer", "dr bramble"; no words of findings."""
    found = set()
    for n, written in enumerate(of.written):
        if not written[0].isalpha() or not word(written, german).kind & Is.STRONG:
            continue
        k, stop = _behind_titles(of, n, german)
        if k >= len(of.written) or not of.written[k][0].isalpha() or (written in ("MS", "MR") and not stop):
            continue
        one = of.written[k]
        read = word(one, german)
        other = read.kind & (Is.ROLE | Is.SERVICE | Is.LABEL | Is.FUNCTION | Is.CLINICAL) and not read.kind & NAME
        if other or is_finding(read.lower):
            continue
        if one[0].isupper() or read.frequency < _COMMON:
            found.add(k)
    return found


def _behind_titles(of: Pieces, n: int, german: bool) -> tuple[int, bool]:
    """The piece behind the title n and those that follow it, and whether a full stop shortens the last.

    Behind a title in full it ends the sentence: "84-jährige Frau. Pneumonie rechts."
    """
    stop, k = False, n
    while k < min(len(of.written), n + 9) and word(of.written[k], german).kind & _TITLE:
        stop = of.written[k + 1 : k + 2] == ["."] and of.written[k].lower() not in _IN_FULL and len(of.written[k]) < 5
        k += 1 + stop
    return k, stop


def find_tagged(claims: Claims, german: bool, who: Called) -> list[tuple[int, int, float]]:
    """Claim what the tagger believes to be identifiers, until it finds nothing more.

    Returns:
        spans of pieces that were left though they may be identifiers, with how likely they are.
    """
    for m in _P["kept"].finditer(claims.text):
        claims.keep(m.start(), m.end())
    for m in _P["typist"].finditer(claims.text):
        if m["a"][0].isupper() or not any(word(m[part], german).kind & _NO_TYPIST for part in "ab"):
            claims.add(m.start(), m.end(), "name")
    claims.join("name")
    claims.settle()
    certain: set[str] = set()
    for _ in range(_PASSES):
        of = pieces(claims.text)
        beliefs = tagged(features(claims.text, of, german, who)) if of.written else []
        behind = titled(of, german)
        certain.update(of.written[n].lower() for n in behind if len(of.written[n]) > 2)
        named = behind if german else behind | _again(of, certain)
        beliefs = [
            Belief("NAME", 1.0) if n in named else Belief("DATE", 1.0) if written.lower() in _MONTHS else belief
            for n, (written, belief) in enumerate(zip(of.written, beliefs, strict=True))
        ]
        if not _claim(claims, of, beliefs, german, who):
            break
        claims.join("name")
        claims.settle()
    return [
        (*of.spans[n], belief.probability)
        for n, belief in enumerate(beliefs)
        if belief.probability > SUSPECT and of.written[n][0].isalnum() and len(of.written[n]) > 1
    ]


def _again(of: Pieces, certain: set[str]) -> set[int]:
    """Where a word that stood behind a title stands again with a capital that says something: "I met Rich again"."""
    found = set()
    for n, written in enumerate(of.written):
        if written.lower() in certain and written.istitle():
            before, behind = (of.written[n - 1] if n else "."), of.written[n + 1 : n + 3]
            owner = len(behind) == 2 and behind[0] in "'’" and behind[1] == "s"
            if owner or (before not in ".:!?;-\n" and behind[:1] != ["-"]):
                found.add(n)
    return found


class _Decisions:
    """Decides which pieces of a text are taken."""

    def __init__(self, text: str, of: Pieces, german: bool, who: Called) -> None:
        self.text, self.of, self.german, self.who = text, of, german, who
        self.small = sum(map(str.isupper, text)) < FEW_CAPITALS * sum(map(str.isalpha, text))
        self.uncapitalised = {written for written in of.written if written.islower()}

    def taken(self, n: int, belief: Belief) -> bool:
        """Whether piece n is taken, by what it is believed to be."""
        written, label, probability = self.of.written[n], *belief
        known = plain(written) in self.who.words
        if not written[0].isalnum() or probability <= enough(written, self.german, known, label, self.small):
            return False
        if written[0].isdigit():
            return self._figure(n, label, probability)
        kind = word(written, self.german).kind
        stop = self.of.written[n + 1 : n + 2] == ["."]
        if probability < 1 and (kind & Is.STRONG or (stop and kind & _TITLE and not kind & NAME)):
            return False
        if kind & Is.CLINICAL and probability < _ALONE and written.lower() in self.uncapitalised and not self.small:
            return written.islower()  # "Chest Wall: no chest wall mass"
        if label == "AGE":
            return _P["old"].search(written) is not None
        return label != "DATE" or written.lower() not in _BESIDE_DATES

    def _figure(self, n: int, label: str, probability: float) -> bool:
        written, (start, end) = self.of.written[n], self.of.spans[n]
        if UNIT.match(self.text, end):
            return False
        if label == "AGE":
            return written.isdigit() and 89 < int(written) < 130
        if len(written) < 3 and probability < (_DAY if label == "DATE" else _ALONE):
            joined = self.text[max(0, start - 1) : start] in (".", "/") or re.match(r"[./\w]", self.text[end : end + 1])
            if not joined:
                return False
        if label == "DATE" and (m := _P["fraction"].match(self.text, start)):
            return int(m[1]) < 13 or int(m[2]) < 13
        return True


def _claim(claims: Claims, of: Pieces, beliefs: list[Belief], german: bool, who: Called) -> bool:
    """Claim the runs of pieces that are taken; whether there were any."""
    text, found = claims.text, False
    decide = _Decisions(text, of, german, who)
    taken = [decide.taken(n, belief) for n, belief in enumerate(beliefs)]
    n = 0
    while n < len(taken):
        if not taken[n]:
            n += 1
            continue
        label, end = beliefs[n].label, n + 1
        k = end
        while k < len(taken) and k < end + 3:
            if taken[k]:
                if beliefs[k].label != label or not JOIN.fullmatch(text, of.spans[end - 1][1], of.spans[k][0]):
                    break
                end = k + 1
            k += 1
        start, stop = of.spans[n][0], of.spans[end - 1][1]
        kind = _KIND[label]
        if kind == "age":
            claims.add(start, stop, kind, "über 89" if german else "over 89")
        else:
            claims.add(start, stop, kind)
        found, n = True, end
    return found
