"""Names and numbers of known people, however a report writes them: found, or filled in letter by letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from radcal.reports.deidentify.spans import Claims
from radcal.reports.deidentify.words import KNOWN, Is, what
from radcal.system.resources import patterns, word_lists

_P = patterns("deidentify", "known.toml")
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_FILLING: Final = "_"
TITLES: Final = frozenset(word_lists("deidentify", "known.toml")["titles"])


def plain(word: str) -> str:
    """A word in lower case without accents, as known names are compared."""
    lower = word.casefold().translate(_LETTERS)
    if lower.isascii():
        return lower
    return "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))


def _spellings(word: str) -> set[str]:
    """A part of a name as :func:`plain` writes it, and with the German spelling of its umlauts."""
    return {plain(word), plain(unicodedata.normalize("NFC", word.casefold()).translate(_GERMAN))}


class People:
    """Names that are looked for in texts.

    Args:
        names: in any order of their parts, with titles or without.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.keys: dict[str, set[int]] = {}
        self._longest = 1
        for number, name in enumerate(names):
            pieces = list(_P["piece"].findall(unicodedata.normalize("NFC", name)))
            for n in (1, 2, 3):
                for at in range(len(pieces) - n + 1):
                    run = pieces[at : at + n]
                    if n == 1 and (len(run[0]) < 2 or plain(run[0]) in TITLES):
                        continue
                    if all(len(p) < 2 or plain(p) in TITLES for p in run):
                        continue
                    if len("".join(run)) >= 3 or n == 1:
                        spelt = {""}
                        for piece in run:
                            spelt = {a + b for a in spelt for b in _spellings(piece)}
                        for key in spelt:
                            self.keys.setdefault(key, set()).add(number)
                        self._longest = max(self._longest, n)

    def spans(self, text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Where one of the names stands, in characters; and where one stands with a capital, but as a word."""
        if not self.keys:
            return [], []
        pieces = list(_P["piece"].finditer(text))
        words = [plain(m.group()) for m in pieces]
        found, left, at = [], [], 0
        while at < len(pieces):
            n = self._match(text, pieces, words, at)
            if n:
                span = pieces[at].start(), pieces[at + n - 1].end()
                if self._counts(text, pieces, at, n):
                    found.append(span)
                elif text[span[0]].isupper():
                    left.append(span)
            at += n or 1
        return found, left

    def _counts(self, text: str, pieces: list[re.Match[str]], at: int, n: int) -> bool:
        """Whether a name that is also a word is written as a name, or beside another part of a name."""
        written = text[pieces[at].start() : pieces[at + n - 1].end()]
        kind = what(written.lower())
        if plain(written) not in self.keys:
            return True
        doubtful = bool(kind & KNOWN & ~Is.RARE)
        if n > 1 or not (doubtful or kind & (Is.EITHER | Is.EPONYM) or len(written) < 3):
            return True
        start, end = pieces[at].start(), pieces[at].end()
        for other, gap in (
            (at - 1, text[pieces[at - 1].end() : start] if at else ""),
            (at + 1, text[end : pieces[at + 1].start()] if at + 1 < len(pieces) else ""),
        ):
            if 0 <= other < len(pieces) and re.fullmatch(r",? {0,2}\n?|\. ?", gap):
                doubtful = doubtful or "," not in gap  # the first word of a phrase
                word = pieces[other].group()
                same = self.keys.get(plain(word), set()) & self.keys[plain(written)]
                if (
                    same
                    or (len(word) == 1 and word.isupper() and written[0].isupper() and (word not in "AI" or "." in gap))
                    or plain(word) in ("dr", "mr", "mrs", "ms", "prof", "herr", "frau")
                ):
                    return True
        if not written[0].isupper():
            return False
        line = text[text.rfind("\n", 0, start) + 1 : start][-60:]
        if _P["signed"].search(line):
            return True
        around = text[max(0, start - 40) : end + 40]
        shouted = written.isupper() and sum(map(str.isupper, around)) > 0.6 * sum(map(str.isalpha, around))
        if doubtful and (shouted or not line.strip() or line.rstrip()[-1:] in ".:;!?-*•)"):
            alone = not line.strip(" \t-*•") and not kind & (Is.SIGN | Is.LABEL) and _P["alone"].match(text, end)
            return bool(alone) or self._acts(text[end : end + 30])
        if (compound := _P["compound"].match(text, end)) and plain(compound[1]) not in self.keys:
            return False
        named = _P["named"].match(text[end : end + 40]) if kind & (Is.EPONYM | Is.EITHER) else None
        return named is None or not any(what(w) & Is.SIGN for w in re.findall(r"[^\W\d_]+", named[0].lower()))

    def _acts(self, rest: str) -> bool:
        """Whether somebody has or does something, or is asked to: "Young's wife", "PRICE WAS COOPERATIVE"."""
        if rest[:2].lower() in ("'s", "’s") or _P["asked"].match(rest):
            return True
        verb = re.match(r" ([^\W\d_]+)", rest)
        return verb is not None and what(verb[1].lower()) & (Is.PAST | Is.PASSIVE | Is.HEAR) > 0

    def _match(self, text: str, pieces: list[re.Match[str]], words: list[str], at: int) -> int:
        """How many pieces from ``at`` on are a known name written together; 0 for none."""
        joined, best = words[at], int(words[at] in self.keys and len(words[at]) > 1)
        if not best and len(joined) > 4 and joined.endswith("s") and joined[:-1] in self.keys:
            noun = re.match(r" [^\W\d_a-zß-ÿ]", text[pieces[at].end() : pieces[at].end() + 2])  # "Pichlers Voraufnahme"
            best = int(noun is not None and not what(joined[:-1]) & (KNOWN & ~Is.RARE | Is.EITHER))
        for n in range(1, self._longest):
            end = pieces[at + n - 1].end()
            if at + n >= len(pieces) or not _P["joining"].fullmatch(text, end, pieces[at + n].start()):
                break
            joined += words[at + n]
            if joined in self.keys:
                best = n + 1
        return best


def number_spans(text: str, numbers: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Where known numbers and addresses stand, in characters, whatever spaces and marks part them; and their kinds."""
    for number in numbers:
        parts = re.findall(r"[^\W_]+", number)
        if sum(map(len, parts)) < 4 or (len("".join(parts)) < 5 and not any(map(str.isdigit, number))):
            continue
        between = r"[\W_]{0,3}".join(map(_spaced, parts))
        pattern = rf"(?<![^\W_]){between}(?![^\W_])"
        kind = "e-mail" if "@" in number else "address" if sum(map(str.isalpha, number)) > 6 else "number"
        for m in re.finditer(pattern, text, re.IGNORECASE):
            start = _with_bracket(text, m.start(), m.end())
            spellings = (number.strip(), text[start : m.end()])
            is_phone = kind == "number" and any(map(_P["phone"].fullmatch, spellings))
            yield start, m.end(), "phone" if is_phone else kind


def _spaced(part: str) -> str:
    """A pattern for a part of a number, in which figures may be grouped in any way."""
    return "".join(
        c + (r"[ ./-]?" if d != " " and (c.isdigit() or d.isdigit()) else "")
        for c, d in zip(part, part[1:] + " ", strict=True)
    )


def find_known_numbers(claims: Claims, numbers: Collection[str]) -> None:
    """Claim known numbers and addresses."""
    for start, end, kind in number_spans(claims.text, numbers):
        claims.add(start, end, kind)
    claims.settle()


def _with_bracket(text: str, start: int, end: int) -> int:
    """The start of a number with the bracket that is closed within it, and the country's prefix."""
    written = text[start:end]
    if written.count(")") > written.count("(") and text[start - 1 : start] == "(":
        start -= 1
    prefix = _P["prefix"].search(text, max(0, start - 6), start)
    return start if prefix is None else prefix.start()


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
            letters[start:end] = re.sub(r"\w", _FILLING, text[start:end])
        return "".join(letters)
