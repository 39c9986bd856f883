"""The words of a text that are names: taken one by one, found again elsewhere, and claimed together."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.runs import GAP
from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, is_noun, word_set

_ABBREVIATION = 3
_INITIALS = 4
_ABBREVIATED = re.compile(r"(?<![^\W_])[a-z]\.[ ]?$")
_SHALL = word_set("should may will can could would must remains needs")
_SEXES = ("F", "M", "W")
_VALUE = re.compile(r"[.:]?[ ]?(?:#|[\d\ufffc])")
_BESIDE = re.compile(r"[ \t\xa0]*\.?[ \t\xa0]*|[ \t]*,[ \t]*")


class Taken:
    """The names of a text.

    Attributes:
        may_be: words that were left though they may be names, and how suspicious they are.
    """

    def __init__(self, claims: Claims, reading: Reading) -> None:
        self._claims = claims
        self.t = reading
        self._is_name = bytearray(reading.count + 1)
        self._joined = bytearray(reading.count + 1)
        self._known = bytearray(reading.count + 1)
        self._certain: set[str] = set()
        self._titled: set[str] = set()
        self.may_be: dict[int, float] = {}

    def __getitem__(self, n: int) -> bool:
        return bool(self._is_name[n])

    def dated(self, at: int) -> bool:
        """Whether a date stands at a place of the text, in characters."""
        return self._claims.dated(at)

    def trust(self, n: int) -> None:
        """Leave the run that is taken with word n as it is, ordinary words or not."""
        self._known[n] = 1

    def take(self, n: int, end: int, certain: bool = False) -> int:
        """Take words n to end; certain: so surely that they are names wherever else they stand."""
        if end > n:
            self._is_name[n:end] = b"\1" * (end - n)
            self._joined[n : end - 1] = b"\1" * (end - 1 - n)
        if certain:
            self._certain.update(
                self.t.lower[k]
                for k in range(n, end)
                if len(self.t.words[k]) > 2 and not self.t.kinds[k] & Is.INNER and self.t.capital(k)
            )
        return end

    def known(self, n: int, end: int) -> None:
        """Take words n to end, which a column or a header names, and what is beside them."""
        self.extend(n, end)
        self._known[n:end] = b"\1" * (end - n)

    def extend(self, n: int, end: int) -> None:
        """Take words n to end, and initials and names beside them."""
        t = self.t
        first, last = max(0, n - 4), min(t.count, end + 4)
        while n > first and GAP.fullmatch(t.before(n)) and "\n" not in t.before(n) and self.beside(n - 1):
            if "." in t.before(n) and len(t.words[n - 1]) > _ABBREVIATION:
                break  # the end of a sentence
            n -= 1
        while end < last and _BESIDE.fullmatch(t.before(end)) and self.beside(end):
            surname_first = end - 1 > n and len(t.words[end - 1]) == 1
            if "." in t.before(end) and (len(t.words[end - 1]) > 1 or surname_first):
                break
            if _VALUE.match(t.gap(end)) and t.shouted(end) and (not t.shouted(n) or "," in t.before(end)):
                break  # the label of a number
            if t.words[end] in _SEXES and re.match(r"[ /]?[\d\ufffc]", t.gap(end)):
                break
            end += 1
        self.take(n, end)

    def beside(self, n: int) -> bool:
        """Whether a word beside a name belongs to it."""
        t, kind = self.t, self.t.kinds[n]
        if t.credential(n) or kind & (Is.TITLE | Is.STRONG):
            return False
        if t.initial(n):
            return not (t.words[n] in "AI" and t.is_first(n))
        return (
            t.capital(n)
            and not t.month(n)
            and not (kind & Is.FUNCTION and not kind & NAME)
            and not kind & (Is.ROLE | Is.SUBJECT)
            and not (t.german and kind & Is.INNER)
            and ((bool(kind & NAME) and not kind & (Is.EITHER | Is.CLINICAL)) or not kind & (KNOWN | Is.EPONYM))
        )

    def again(self) -> None:
        """Take the words of names wherever else they stand."""
        t = self.t
        taken = {t.lower[n] for n in range(t.count) if self._is_name[n] and len(t.words[n]) > 2}
        if not taken:
            return
        for n in range(t.count):
            kind = t.kinds[n]
            if t.lower[n] not in taken or self._is_name[n] or not t.capital(n) or t.credential(n) or t.month(n):
                continue
            if t.lower[n] in self._certain and self._same(n):
                self.take(n, n + 1)
            elif not kind & Is.CLINICAL and (
                (n and self._is_name[n - 1] and t.before(n) == " ") or (self._is_name[n + 1] and t.gap(n) == " ")
            ):
                self.take(n, n + 1)
                self._joined[n] = self._is_name[n + 1]
            elif not kind & (KNOWN | Is.EITHER | Is.EPONYM) and not t.sign_follows(n):
                self.extend(n, n + 1)

    def _same(self, n: int) -> bool:
        """Whether a word that a cue made a name is one here, too, though it may be another word."""
        t, kind = self.t, self.t.kinds[n]
        if t.sign_follows(n) or t.in_capitals(n) or (t.german and kind & KNOWN) or kind & (Is.ROLE | Is.LABEL):
            return False
        if kind & Is.EPONYM and not t.is_first(n) and t.gap(n)[:2] in ("'s", "’s"):
            return False  # "possibility of Koch's"
        if t.is_first(n):
            if t.gap(n)[:2] in ("'s", "’s"):
                return True
            return (
                n + 1 < t.count
                and t.gap(n) == " "
                and t.words[n + 1].islower()
                and (bool(t.kinds[n + 1] & (Is.PAST | Is.PASSIVE | Is.HEAR | Is.ACT)) or t.lower[n + 1] in _SHALL)
            )
        return t.lower[n] not in t.uncapitalised and not kind & (Is.PRODUCT | Is.CLINICAL)

    def claim(self) -> list[tuple[int, int, float]]:
        """Claim the names; spans of what might be one and was left, with a weight."""
        t, n = self.t, 0
        self._titled = {
            t.lower[k]
            for k in range(t.count)
            if self._is_name[k]
            and (
                (k and t.kinds[k - 1] & Is.STRONG)
                or (
                    not t.kinds[k] & Is.CLINICAL
                    and any(self._is_name[j] and t.possible(j) for j in (k - 1, k + 1) if j >= 0 and j < t.count)
                )
            )
        }
        while n < t.count:
            if not self._is_name[n]:
                n += 1
                continue
            end = n
            while self._joined[end] and end + 1 < t.count and self._is_name[end + 1]:
                end += 1
            first, last = self._without_labels(n, end)
            n = end + 1
            if first <= last:
                self._claim_run(first, last)
        return [(t.starts[n], t.ends[n], weight) for n, weight in self.may_be.items() if not self._is_name[n]]

    def _claim_run(self, n: int, end: int) -> None:
        t = self.t
        stop = t.ends[end]
        if len(t.words[end]) == 1 and re.match(r"\.[ \t]*(?:[a-z,;)]|\ufffc)", t.text[stop : stop + 6]):
            stop += 1
        if not self._claims.add(t.starts[n], stop, "name"):
            for k in range(n, end + 1):
                self._claims.add(t.starts[k], t.ends[k], "name")

    def _without_labels(self, n: int, end: int) -> tuple[int, int]:
        """The first and the last word of a run without labels and ordinary words around the name; none if all are."""
        t = self.t
        if n == end and t.kinds[n] & Is.ADMIN and t.shouted(n):
            return n, n - 1
        if n < end and len(t.words[n]) == 1 and _ABBREVIATED.search(t.text, max(0, t.starts[n] - 4), t.starts[n]):
            n += 1  # "o. B. Frau X"
        if self._known[n]:
            return n, end
        if n and t.kinds[n - 1] & Is.STRONG:
            while end > n and self._label(end):
                end -= 1
            return n, end
        words = [k for k in range(n, end + 1) if len(t.words[k]) > 1 or t.initial(k)]
        if all(len(t.words[k]) > _INITIALS and self._ordinary(k) for k in words):
            return n, n - 1
        comma = next((k for k in range(n, end) if "," in t.gap(k)), n - 1)
        if comma > n and all(self._ordinary(k) or (t.german and is_noun(t.lower[k])) for k in range(n, comma + 1)):
            n = comma + 1  # "To: Oncology Day Ward, X"
        while n < end and (t.kinds[n] & Is.ADMIN or self._begins(n)) and not t.sure(n) and len(t.words[n]) > 1:
            n += 1
        while end > n and t.kinds[end] & Is.ADMIN and len(t.words[end]) > 1:
            if not self._label(end):
                break
            end -= 1
        return (n, n - 1) if n == end and self._label(n) else (n, end)

    def _label(self, k: int) -> bool:
        """Whether a word is a label beside a name, or of a number."""
        t = self.t
        value = _VALUE.match(t.gap(k)) is not None
        if value and t.shouted(k) and not t.in_capitals(k) and len(t.words[k]) < 6 and not t.kinds[k] & NAME:
            return True  # "Jones, HSN 551 208"
        if (
            t.shouted(k)
            and k + 1 < t.count
            and t.gap(k) == " "
            and t.kinds[k + 1] & Is.NUMBER
            and not t.sure(k)
            and t.lower[k + 1] != "no"
        ):
            return True
        if value and t.lower[k].endswith(("nr", "nummer", "zahl")):
            return True
        return bool(t.kinds[k] & Is.ADMIN) and (value or not t.sure(k))

    def _ordinary(self, k: int) -> bool:
        """Whether a word is one of a language and no name at all."""
        kind = self.t.kinds[k]
        if self.t.lower[k] in self._titled:
            return False
        if kind & Is.CLINICAL and kind & (Is.HEAD | Is.SERVICE):
            return True
        named = NAME | Is.EPONYM | Is.PLACE | (0 if kind & Is.CLINICAL else Is.RARE)
        return bool(kind & (Is.WORD | Is.CLINICAL | Is.FUNCTION)) and not kind & named

    def _begins(self, n: int) -> bool:
        """Whether a word before a name is none of it: "as", "Zur Besprechung", "Gattin"."""
        t, kind = self.t, self.t.kinds[n]
        if t.words[n].islower():
            return t.lower[n] in ("as", "of", "in", "at", "for")
        if t.german and not kind & NAME:
            first = t.is_first(n) or (n > 0 and "," in t.before(n))
            return bool(kind & (Is.FUNCTION | Is.HEAD) and first) or is_noun(t.lower[n]) or kind & Is.HEAD > 0
        if t.lower[n] in ("mann", "frau") and n and t.lower[n - 1] in ("ihr", "ihre", "mein", "meine", "sein", "seine"):
            return True
        return bool(kind & Is.SUBJECT and not kind & NAME)
