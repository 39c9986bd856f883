"""Names before cues: credentials, roles, ages, and what people do."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.judging import Judge
from radcal.ingest.deidentify.runs import Runs
from radcal.ingest.deidentify.taken import Taken
from radcal.ingest.deidentify.words import KNOWN, NAME, OTHER, Is

_AGE = re.compile(
    r"(?<![\w.,/:-])(?:\d{1,3}|\ufffc{1,14}(?!\ufffc))(?:[- ]?(?:years?|yrs?|y|months?|weeks?|days?|mo"
    r"|wk)[- ]?(?:old|of age)"
    r"|[- ]?y/o|[- ]?y\.?o\.?(?!\w)|[ -]?j(?:ä|ae)hrig| ?Jahre| ?[MFmf](?!\w)| ?/ ?[MFmf](?!\w)"
    r"|(?<=[\d\ufffc])(?<!\ufffc{4})(?i:(?=,? (?:was|is|has|presents|with|male|female|who|presented|had|seen)\b)))"
    r"|(?<![^\W_])(?:male|female|man|woman|boy|girl|gentleman|lady|infant|neonate|DOB|D\.O\.B|MRN|NHS|geb\."
    r"|geboren|born)"
    r"(?![^\W_])|\* ?[\d\ufffc]|[ ]?\|[ ]?[MFW][ ]?\|",
    re.IGNORECASE,
)
_BEFORE_AGE = re.compile(
    r"(?:,? (?:is|was|ist) (?:(?:an?|eine?) (?:\w+[ -]){0,2})?|,? an? (?:\w+[ -]){0,2}|,? ?\(?(?:aged?:? )?)\Z",
    re.IGNORECASE,
)
_BORN = {"born", "geboren", "geb.", "dob", "d.o.b", "mrn", "nhs"}
_PASSING = {"also", "then", "personally", "already", "fully", "will", "both", "directly", "verbally", "and", "who"}


class Before:
    """Takes the names before the cues of a text."""

    def __init__(self, runs: Runs, judge: Judge, taken: Taken) -> None:
        self.runs, self.judge, self.taken = runs, judge, taken
        self.t = runs.t

    def find(self) -> None:
        """Take the names before all cues."""
        t = self.t
        for m in _AGE.finditer(t.text):
            if before := _BEFORE_AGE.search(t.text, max(0, m.start() - 40), m.start()):
                sex = m.group()[0].isalpha() and m.group().lower() not in _BORN
                if not sex or " " in before.group().strip():
                    self._aged(t.at(before.start()) - 1, before.start())
        for n in range(1, t.count):
            if t.kinds[n] & (Is.CREDENTIAL | Is.ROLE | Is.GRADE) or n in t.credentials:
                self._credentialed(n)
            elif t.kinds[n] & (Is.HEAR | Is.PAST):
                self._acting(n)

    def _begins(self, n: int) -> bool:
        """Whether a sentence or a line begins with word n, and no name goes on behind an initial."""
        t = self.t
        if not t.is_first(n):
            return False
        short = n > 0 and (len(t.words[n - 1]) == 1 or t.kinds[n - 1] & Is.ABBREVIATED)
        return not (short and t.before(n).strip(" ") == ".")

    def _first_of(self, end: int, line: bool) -> int:
        """The first word of the run that ends before word ``end``; end if there is none.

        line: only a run that a sentence or a line begins with
        """
        t, start, commas = self.t, end, 0
        while start > max(0, end - 9):
            k = start - 1
            if start < end and not self.runs.joins(k):
                if commas or t.gap(k) not in (", ", ",") or self.judge.vetoed(k, k + 1):
                    break
                commas = 1
            inner = t.kinds[k] & Is.INNER and t.lower[k] not in ("i", "e", "und", "la") and start < end
            if not (t.capital(k) or inner or self.runs.unit(k) > k) or t.title(k):
                break
            if self.runs.stops(k) or k in t.credentials:
                break
            start = k
            if self._begins(k):
                break
        while start < end and self.runs.unit(start) == start:
            start += 1
        return end if line and start < end and not self._opens(start) else start

    def _opens(self, start: int) -> bool:
        """Whether a sentence or a line begins with word n, or with a title or "Patient" before it."""
        t = self.t
        while start and not self._begins(start) and (t.title(start - 1) or t.kinds[start - 1] & Is.SUBJECT):
            start -= 1
        return self._begins(start)

    def _aged(self, n: int, stop: int) -> None:
        """Take the run that ends with word n if a line or a sentence begins with it."""
        t, judge = self.t, self.judge
        if n < 0 or t.text[t.ends[n] : stop].strip(".'s’ "):
            return
        start = self._first_of(n + 1, line=True)
        while start <= n and t.kinds[start] & Is.SUBJECT:
            start += 1
        words = judge.full(start, n + 1)
        if not words or judge.vetoed(start, n + 1):
            return
        other = [k for k in words if t.kinds[k] & (OTHER | Is.FUNCTION) and not t.kinds[k] & NAME]
        if other and (t.in_capitals(start) or t.german or len(words) == 1 or other[0] == words[0]):
            return
        if len(words) == 1 and (not t.possible(words[0]) or (t.german and t.unknown(words[0]))) and self._begins(start):
            return
        self.taken.take(start, n + 1, certain=True)

    def _acting(self, n: int) -> None:
        """Take the run before a verb that is told something, or does it: "X notified", "X was paged"."""
        t, judge, end = self.t, self.judge, n
        while end and (t.kinds[end - 1] & Is.PASSIVE or t.lower[end - 1] in _PASSING) and t.before(end) in (" ", ", "):
            end -= 1
        if not end or t.before(end) not in (" ", ", ") or not (t.in_capitals(n) or t.words[n].islower()):
            return
        if end == n and t.before(end) != " ":
            return
        start = self._first_of(end, line=False)
        while start < end - 1 and t.kinds[start] & Is.ROLE:
            start += 1
        if start == end or judge.vetoed(start, end) or self.runs.whole(start) < end:
            return
        words = judge.full(start, end)
        if not words or any(t.kinds[k] & (OTHER | Is.FUNCTION) and not t.kinds[k] & NAME for k in words):
            return
        hears, first, capitals = bool(t.kinds[n] & Is.HEAR), t.is_first(start), t.in_capitals(start)
        named = any(t.kinds[k] & NAME and not t.kinds[k] & (Is.EITHER | Is.CLINICAL) for k in words)
        if len(words) == end - start == 1:
            k = words[0]
            short = t.shouted(k) and not capitals and len(t.words[k]) < 5
            listed = bool(t.kinds[k] & Is.SURNAME) and not t.kinds[k] & (Is.WORD | Is.CLINICAL | Is.FUNCTION)
            found = not short and (named or (hears and listed) or (hears and t.unknown(k) and not t.german))
            found = found or (hears and bool(t.kinds[k] & NAME) and not (capitals or t.german))
        elif capitals or t.german:
            found = judge.possible(start, end) and (named or (hears and judge.likely(start, end)))
        else:
            alone = first and not named and not any(t.unknown(k) for k in words)
            both = hears and (t.initial(start) or all(t.kinds[k] & NAME for k in words))
            found = judge.possible(start, end) and (not alone or both)
        if found:
            self.taken.take(start, end, certain=True)

    def _credentialed(self, n: int) -> None:
        """Take the run before credentials: "X, MD", "X, PGY-3", "X, Consultant Radiologist"."""
        t, judge, before = self.t, self.judge, self.t.before(n)
        if self.taken[n - 1] and self.taken[max(0, n - 2)]:
            return
        kind, low = t.kinds[n], t.lower[n]
        role = bool(kind & Is.ROLE) and not kind & Is.CREDENTIAL
        strict = t.strict_credential(n) or low == "pgy"
        if role:
            if before not in (", ", " (", " - ", " – ") and not re.fullmatch(r"[ \t]*\n[ \t]*", before):
                return
            if ":" in t.gap(n)[:2] or (before == " (" and ")" not in t.gap(n) and not t.capital(n)):
                return
            if "\n" in before and (t.in_capitals(n) or not t.capital(n)):
                return
        elif kind & Is.GRADE and low != "pgy" and not t.credential(n):
            if before not in (", ", " (", ", (") or not t.capital(n):
                return
        elif not t.credential(n) or not re.fullmatch(
            r"\.?,[ \t]*\n?[ \t]*|\.?[ \t]+\(?|[ \t]*\n[ \t]*" if strict else r",[ \t]*|[ \t]+\(?", before
        ):
            return
        loose = not strict and not role and "," not in before and "(" not in before
        if (loose or "\n" in before) and _sentence_goes_on(t.text, t.ends[n], role):
            return
        start = self._first_of(n, line=False)
        if start == n or judge.vetoed(start, n):
            return
        words = [k for k in judge.full(start, n) if not t.kinds[k] & Is.INNER]
        if not words:
            return
        begun = (
            t.is_first(start)
            or t.before(start).strip()[-1:] in tuple(",:;(/")
            or bool(start and (t.kinds[start - 1] & (Is.BY | Is.TO) or t.lower[start - 1] in ("and", "und", "cc")))
        )
        if all(t.kinds[k] & KNOWN and not t.kinds[k] & NAME for k in words) and not (
            begun and (strict or len(words) > 1) and (not t.in_capitals(start) or t.initial(start))
        ):
            return
        if any(t.other(k) for k in words) and (not strict or t.in_capitals(start) or t.other(words[0])):
            return
        if len(words) < 2 and (
            (loose and not t.sure(words[0])) or (role and ("\n" in before or not judge.plausible(start, n)))
        ):
            return
        if (loose and not begun) or (role and t.german and not judge.possible(start, n)):
            return
        self.taken.take(start, n, certain=True)


def _sentence_goes_on(text: str, end: int, role: bool) -> bool:
    """Whether something other than the end of a line or more of a title stands behind a credential or a role."""
    rest = text[end : end + 60].split("\n", 1)[0].strip(" \t.,;)(")
    return bool(rest) and not all(
        word[:1].isupper() or word in ("für", "of", "in", "and", "und", "at", "on", "for") or not word[:1].isalpha()
        for word in rest.split()
    )
