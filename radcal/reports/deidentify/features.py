"""What is known of each piece of a text, as features of a conditional random field.

A piece is a word, a figure, a mark or the end of a line; what detectors filled in before is one piece, too.  The
features are those that tell names from other words wherever these stand: the word itself, its ends, how it is written,
what the lists say of it and how frequent it is, the same of its neighbours, the label before it, where it stands in
its line and text, and whether columns name somebody so.

Source of the model: J. Lafferty, A. McCallum, F. Pereira, Conditional random fields, ICML 2001.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from spellchecker import SpellChecker

from radcal.reports.deidentify.known import People, plain
from radcal.reports.deidentify.spans import FILLED, NAMED
from radcal.reports.deidentify.words import NAME, Is, only_german, table, what

_PIECE = re.compile(rf"{FILLED}+|{NAMED}+|[^\W\d_{FILLED}{NAMED}]+(?:[\u0300-\u036f]+[^\W\d_]*)*|\d+|\n|[^\w\s]|_")
_DAY = re.compile(r"(\d{1,2})([./-])(\d{1,2})(\2?)")
_BITS = [(name, bit) for name, bit in vars(Is).items() if isinstance(bit, int)]
_JOINS = "-'’"
_NEAR, _LEFT = 3, 8
_BORDER = "^"
_LONGEST_WORD = 40
FEW_CAPITALS = 0.012
"""The share of capitals among the letters below which a text is written without them."""


class Pieces(NamedTuple):
    """The pieces of a text: where they stand, in characters, and what is written there."""

    spans: list[tuple[int, int]]
    written: list[str]


class Called(NamedTuple):
    """What columns call the people of a report: words of their names, and their initials, in lower case."""

    words: Collection[str]
    initials: frozenset[str]


NOBODY = Called((), frozenset())


def called(names: Iterable[str], people: People) -> Called:
    """The words and the initials of names, in any order of their parts; ``people``: made of the same names."""
    initials = set()
    for name in names:
        words = re.findall(r"[^\W\d_]+", name)
        if len(words) > 1:
            every = "".join(word[0] for word in words).lower()
            large = "".join(word[0] for word in words if word[0].isupper()).lower()
            initials |= {every, large, every[0] + every[-1], every[-1] + every[0], every[::-1], every[1:] + every[0]}
    return Called(people.keys, frozenset(i for i in initials if len(i) > 1))


def pieces(text: str) -> Pieces:
    """The pieces of a text whose settled parts are filled in."""
    spans = [m.span() for m in _PIECE.finditer(text)]
    return Pieces(spans, [text[start:end] for start, end in spans])


@cache
def _frequencies(language: str) -> dict[str, int]:
    """How frequent words are: 1 for the rarest of a list to 5, by the power of ten of their count in subtitles."""
    counts = SpellChecker(language=language, distance=1).word_frequency.dictionary
    return {word: min(5, len(str(count))) for word, count in counts.items()}


def frequency(word: str, german: bool) -> int:
    """How frequent a word in lower case is in its language, from 0 (in no list) to 5."""
    english = _frequencies("en").get(word, 0)
    if not german:
        return english
    lists = _frequencies("de")
    found = lists.get(word, 0)
    if not found and "ss" in word:
        found = lists.get(word.replace("ss", "ß"), 0)
    if not found and "e" in word:
        found = lists.get(word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü"), 0)
    return max(found, english - 1, 0)


def tail(lower: str) -> str:
    """The longest word of German or of the lists that a longer word ends with: "Unterlappen-pneumonie"; "" for none."""
    known, lists = table(), _frequencies("de")
    for at in range(2, len(lower) - 2):
        end = lower[at:]
        if lists.get(end, 0) > (1 if len(end) > 3 else 3) or known.get(end, 0) & (Is.WORD | Is.CLINICAL):
            return end
    return ""


class Word(NamedTuple):
    """A piece by itself."""

    lower: str
    own: tuple[str, ...]
    """Features of the piece that its neighbours have, too."""
    ends: tuple[str, ...]
    kind: int
    frequency: int


@lru_cache(maxsize=1 << 14)
def word(written: str, german: bool) -> Word:
    """What is known of a piece wherever it stands."""
    if not written[0].isalpha():
        lower = f"#{len(written)}" if written[0].isdigit() else written[:1]
        return Word(lower, (f"w={lower}", f"s={shape(written)}"), (), 0, 0)
    lower = written.lower()
    kind = what(lower)
    if not german and kind == Is.WORD and only_german(lower):
        kind = 0
    often = frequency(lower, german)
    own = [f"w={lower[:_LONGEST_WORD]}", f"s={shape(written)}", f"v={often}", f"tv={_case(written)}{often}"]
    own += [f"k={name}" for name, bit in _BITS if kind & bit]
    if german and not kind and not often and len(lower) > 5:
        own.append(f"tail={tail(lower)}")
    ends = (f"p2={lower[:2]}", f"p3={lower[:3]}", f"e2={lower[-2:]}", f"e3={lower[-3:]}", f"e4={lower[-4:]}")
    return Word(lower, tuple(own), (*ends, f"len={min(len(written), 9)}"), kind, often)


def shape(written: str) -> str:
    """How a piece is written: X for capitals, x for small letters, d for figures, no more than two in a row."""
    if written[0] in (FILLED, NAMED):
        return written[0]
    made = ""
    for c in written[:_LONGEST_WORD]:
        one = "X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c
        if made[-2:] != one * 2:
            made += one if not made.endswith("+") or made[-2:-1] != one else ""
        elif not made.endswith("+"):
            made += "+"
    return made


def _case(written: str) -> str:
    return "U" if written.isupper() and len(written) > 1 else "T" if written[0].isupper() else "l"


def _sort(word: Word, capitals: bool, first: bool, written: str) -> str:
    """In one term: how a word is written, what the lists say, and whether its capital says something."""
    kind = word.kind
    if not kind:
        sort = "unk" + ("" if not word.frequency else "v" if word.frequency < 3 else "V")
    elif kind & NAME:
        sort = "either" if kind & (Is.WORD | Is.CLINICAL | Is.FUNCTION | Is.EITHER) else "name"
    else:
        sort = "clin" if kind & Is.CLINICAL else "rare" if kind & Is.RARE else "word"
    return f"{_case(written)}|{sort}|{'c' if capitals else 'n'}{'f' if first else 'i'}"


class _Lines:
    """Where the line of each piece begins and ends, in pieces, and whether it is in capitals."""

    def __init__(self, text: str, of: Pieces) -> None:
        n = len(of.written)
        self.start, self.end, self.capitals = [0] * n, [0] * n, [False] * n
        begin = 0
        for i in range(n + 1):
            if i < n and of.written[i] != "\n":
                continue
            line = text[of.spans[begin][0] : of.spans[i - 1][1]] if i > begin else ""
            letters, large = sum(map(str.isalpha, line)), sum(map(str.isupper, line))
            loud = letters > 3 and large > 0.8 * letters
            for k in range(begin, min(i + 1, n)):
                self.start[k], self.end[k], self.capitals[k] = begin, i, loud and k < i
            if i < n:
                self.start[i] = self.end[i] = i
            begin = i + 1


def _expressions(text: str, of: Pieces, glued: list[bool]) -> list[tuple[str, int, int]]:
    """The numeric expression that each figure is in: its form, and its first and last piece; "" for other pieces."""
    n = len(of.written)
    found = [("", 0, 0)] * n
    i = 0
    while i < n:
        if not of.written[i][0].isdigit():
            i += 1
            continue
        k = i
        while k + 1 < n and glued[k + 1] and (of.written[k + 1][0].isalnum() or of.written[k + 1] in "./-:,–'°"):
            k += 1
        while k > i and of.written[k] in ",:-–":
            k -= 1
        written = text[of.spans[i][0] : of.spans[k][1]][:_LONGEST_WORD]
        form = shape(written)[:12]
        if m := _DAY.fullmatch(written):
            a, b = int(m[1]), int(m[3])
            day_first, month_first = 0 < a < 32 and 0 < b < 13, 0 < b < 32 and 0 < a < 13
            form = f"{m[2]}{m[4]}{'dm' if day_first else ''}{'md' if month_first else ''}"
        for j in range(i, k + 1):
            found[j] = form, i, k
        i = k + 1
    return found


def _initials(of: Pieces) -> frozenset[str]:
    """The initials of all runs of two and three words with capitals of a text, in lower case."""
    made = set()
    run = ""
    for written in of.written:
        if written[0].isalpha() and written[0].isupper() and len(written) > 1:
            run = (run + written[0].lower())[-3:]
            made |= {run, run[-2:]}
        elif written not in "-'’.,":
            run = ""
    return frozenset(i for i in made if len(i) > 1)


def _marks(of: Pieces, who: Called) -> list[str]:
    """n for a word of a known name, i for known initials, ~ for what is nearly a name, 1 for its first letter."""
    n = len(of.written)
    marks = [""] * n
    keys = who.words
    long = [k for k in keys if len(k) > 5] if len(keys) < 200 else []
    letters = {k[0] for k in keys if k}
    for i, written in enumerate(of.written):
        if not written[0].isalpha():
            continue
        low = plain(written)
        if len(low) == 1:
            if low in letters and i + 1 < n and of.written[i + 1] in ".-":
                marks[i] = "1"
        elif low in keys or (len(low) > 4 and low[-1] == "s" and low[:-1] in keys):
            marks[i] = "n"
        elif len(low) < 5 and low in who.initials:
            marks[i] = "i"
        elif len(low) > 5 and any(_nearly(low, k) for k in long):
            marks[i] = "~"
    return marks


def _nearly(low: str, key: str) -> bool:
    return key.startswith(low) or (len(key) == len(low) and sum(a != b for a, b in zip(key, low, strict=True)) < 2)


def features(text: str, of: Pieces, german: bool, who: Called = NOBODY) -> list[list[str]]:
    """The features of each piece of a text.

    Args:
        text: with what is settled filled in.
        of: its pieces.
        german: whether the text is German.
        who: what columns call its people.
    """
    written = of.written
    n = len(written)
    words = [word(w, german) for w in written]
    letters, large = sum(map(str.isalpha, text)), sum(map(str.isupper, text))
    looks = "low" if large < FEW_CAPITALS * letters else "cap" if large > 0.8 * letters else "mix"
    document = f"doc={looks}{'g' if german else 'e'}"
    lines = _Lines(text, of)
    glued = [i > 0 and of.spans[i - 1][1] == of.spans[i][0] for i in range(n)]
    small = {w for w in written if len(w) > 2 and w.islower()}
    numbers = _expressions(text, of, glued)
    marks = _marks(of, who) if who.words else []
    shortened = _initials(of)
    sorts = []
    for i, w in enumerate(written):
        if w[0].isalpha():
            first = i == lines.start[i] or written[i - 1] in ".:!?;"
            sorts.append(_sort(words[i], lines.capitals[i], first, w))
        else:
            sorts.append(numbers[i][0] or shape(w))
    made = []
    for i, w in enumerate(written):
        one, start, end = words[i], lines.start[i], lines.end[i]
        low, sort = one.lower, sorts[i]
        f = [*one.own, *one.ends, f"c={sort}", document]
        f.append(f"line={min(i - start, 4)}|{min(end - 1 - i, 4)}")
        f.append(f"ll={min((end - start) // 3, 6)}")
        f.append(f"fromend={min((n - i) // 2, 6)}")
        f.append(f"frombeg={min(i // 4, 6)}")
        f.append(f"g={glued[i]:d}{i + 1 < n and glued[i + 1]:d}")
        if w[0].isalpha():
            if low in small and not w.islower():
                f.append("alsolower")
            if len(w) < 5 and low in shortened:
                f.append(f"ini={len(w)}{_case(w)}")
            if beside := _compound(i, written, glued, sorts):
                f.append(f"cw={beside}")
            if marks:
                around = sum(m == "n" for m in marks[max(0, i - 4) : i + 5]) - (marks[i] == "n")
                f.append(f"kn={marks[i]}")
                f.append(f"knc={marks[i]}|{sort}")
                f.append(f"kn3={marks[i - 1] if i else ''}|{marks[i]}|{marks[i + 1] if i + 1 < n else ''}")
                f.append(f"knn={marks[i]}|{around}")
        elif form := numbers[i][0]:
            _, a, b = numbers[i]
            f.append(f"x={form}")
            f.append(f"xb={form}|{words[a - 1].lower if a else _BORDER}")
            f.append(f"xa={form}|{words[b + 1].lower if b + 1 < n else _BORDER}")
        for offset in (-3, -2, -1, 1, 2, 3):
            k = i + offset
            if not 0 <= k < n:
                f.append(f"{offset}:{_BORDER}")
            elif abs(offset) < _NEAR:
                f += _at(offset, words[k].own)
                f.append(f"{offset}:c={sorts[k]}")
            else:
                f.append(f"{offset}:{words[k].own[0]}")
        before, after = sorts[i - 1] if i else _BORDER, sorts[i + 1] if i + 1 < n else _BORDER
        left, right = words[i - 1].lower if i else _BORDER, words[i + 1].lower if i + 1 < n else _BORDER
        f.append(f"C-1={before}&{sort}")
        f.append(f"C+1={sort}&{after}")
        f.append(f"C0={before}&{sort}&{after}")
        f.append(f"C-2={sorts[i - 2] if i > 1 else _BORDER}&{before}&{sort}")
        f.append(f"C+2={sort}&{after}&{sorts[i + 2] if i + 2 < n else _BORDER}")
        f.append(f"wc={left}&{sort}")
        f.append(f"w2c={words[i - 2].lower if i > 1 else _BORDER}&{left}&{sort}")
        f.append(f"cn={sort}&{right}")
        lowest = max(start, i - _LEFT)
        for k in range(i - 1, lowest, -1):
            if written[k] == ":":
                f.append(f"label={words[k - 1].lower}&{sort}")
                break
        f += [f"L:{words[k].lower}" for k in range(lowest, i) if written[k][0].isalpha()]
        made.append(f)
    return made


@lru_cache(maxsize=1 << 15)
def _at(offset: int, own: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{offset}:{f}" for f in own)


def _compound(i: int, written: list[str], glued: list[bool], sorts: list[str]) -> str:
    """The sorts of the other words that a word is joined with: "Garland-Trias", "O'Brien"."""
    a, b = i, i
    while a > max(0, i - 6) and glued[a] and (written[a - 1][0].isalpha() or written[a - 1] in _JOINS):
        a -= 1
    while (
        b + 1 < min(len(written), i + 7) and glued[b + 1] and (written[b + 1][0].isalpha() or written[b + 1] in _JOINS)
    ):
        b += 1
    return "|".join(sorted({sorts[k] for k in range(a, b + 1) if k != i and written[k][0].isalpha()})) if b > a else ""
