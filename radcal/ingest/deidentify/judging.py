"""Whether a run of words is a name: by what its words are, and by how much the place where it stands is trusted."""

from __future__ import annotations

from enum import IntEnum

from radcal.ingest.deidentify.runs import Runs
from radcal.ingest.deidentify.words import KNOWN, NAME, OTHER, Is, is_medical, is_noun

_ACRONYM = 6
_THINGS = Is.CLINICAL | Is.PRODUCT | Is.SIGN | Is.EPONYM


class Trust(IntEnum):
    """How much speaks for a name where a cue stands."""

    SOME = 1
    """Words that are names and nothing else, or no words at all."""
    LIKELY = 2
    """Behind "discussed with", "reviewed by": words of reports are none."""
    LABEL = 3
    """Behind a label with a colon; initials, and lower case, may be a name."""
    SURE = 4
    """Behind a title."""


class Judge:
    """Judges the runs of a text."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self.t = runs.t

    def full(self, n: int, end: int) -> list[int]:
        """The words of a run that are no initials."""
        return [k for k in range(n, end) if len(self.t.words[k]) > 1]

    def possible(self, n: int, end: int) -> bool:
        """Whether one word of a run may be a name."""
        return any(self.t.possible(k) for k in self.full(n, end))

    def plausible(self, n: int, end: int) -> bool:
        """Whether one word of a run may be a name, or is a rare word, as many names from elsewhere are."""
        return self.possible(n, end) or any(
            self.t.kinds[k] & Is.RARE and not self.t.other(k) for k in self.full(n, end)
        )

    def ordinary(self, n: int, end: int) -> bool:
        """Whether all words of a run are words of a language, or of reports."""
        return all(self.t.kinds[k] & KNOWN for k in self.full(n, end))

    def likely(self, n: int, end: int) -> bool:
        """Whether a run has a word that is a name alone or no word at all, and none of reports."""
        kinds = [self.t.kinds[k] for k in self.full(n, end) if not self.t.kinds[k] & Is.INNER]
        abbreviated = self.t.initial(n) and self.t.gap(n)[:1] == "."
        rare = Is.RARE if abbreviated or self.runs.strongly_marked(end) else 0
        other = Is.CLINICAL | Is.PRODUCT | Is.SIGN | Is.ACT | Is.PAST
        return not any(k & other and not k & NAME for k in kinds) and any(
            (k & NAME and not k & (Is.EITHER | Is.CLINICAL)) or not k & (KNOWN & ~rare | Is.EPONYM) for k in kinds
        )

    def person(self, n: int, end: int) -> bool:
        """Whether a run is a person where little else speaks for one: names of the lists, or words that none holds."""
        t = self.t
        words = [k for k in self.full(n, end) if not t.kinds[k] & Is.INNER]
        if any(t.shouted(k) and len(t.words[k]) < _ACRONYM and not t.kinds[k] & NAME for k in words):
            return False
        if t.in_capitals(n) or not words or any(t.other(k) for k in words):
            return self.likely(n, end) and not t.in_capitals(n)
        if all(self._stranger(k) for k in words):
            return True
        if (
            t.german
            and len(words) == 2
            and words[0] == n
            and t.kinds[n] & Is.GIVEN
            and t.sure(n)
            and t.capital(words[1])
        ):
            return not t.kinds[words[1]] & (Is.FUNCTION | Is.CLINICAL)
        if t.german:
            return any(map(self._stranger, words)) and all(t.kinds[k] & NAME or self._stranger(k) for k in words)
        return self.likely(n, end) or all(t.kinds[k] & NAME and not t.kinds[k] & _THINGS for k in words)

    def _stranger(self, k: int) -> bool:
        """Whether a word is a name alone, in no list, or so rare a word that it may come from elsewhere."""
        t, kind = self.t, self.t.kinds[k]
        rare = kind & Is.RARE and not kind & (Is.WORD | OTHER | Is.FUNCTION | Is.EPONYM | Is.SIGN)
        return t.sure(k) or t.unknown(k) or bool(rare and not (is_noun(t.lower[k]) or is_medical(t.lower[k])))

    def vetoed(self, n: int, end: int) -> bool:
        """Whether a run is none that names people: a service, a sign, a drug, a grammatical word."""
        t = self.t
        abbreviated = t.initial(n) and t.gap(n)[:1] == "."
        surname = t.kinds[end - 1] & NAME and end == n + 2 and (t.unknown(n) or t.sure(n) or self.plausible(n, n + 1))
        service = t.kinds[end - 1] & Is.SERVICE and not (surname and t.mixed(n) and not t.german)  # "Sue Ward"
        if (t.kinds[n] & Is.NOVALUE and not abbreviated) or service:
            return True
        words = [k for k in self.full(n, end) if not (t.kinds[k] & Is.INNER and t.words[k].islower())]
        if not words:
            return end - n < 2 or t.words[n] == "I"
        first, last = t.kinds[words[0]], t.kinds[words[-1]]
        if abbreviated and not t.in_capitals(n) and not t.german:
            return False
        if first & Is.FUNCTION and not first & (NAME | Is.EITHER | Is.PARTICLE):
            return True
        if any(t.kinds[k] & Is.EPONYM for k in words) and t.sign_follows(words[-1]):
            return True
        if last & Is.SIGN and not last & NAME and len(words) > 1 and first & Is.EPONYM:
            return True
        return all(t.other(k) for k in words)

    def accepts(self, n: int, end: int, trust: Trust) -> bool:
        """Whether a run behind a cue is a name."""
        t, runs = self.t, self.runs
        words = self.full(n, end)
        possible, closed = self.possible(n, end), runs.closed(end)
        if self.vetoed(n, end) and not (trust == Trust.SURE and self._called(n, closed)):
            if t.kinds[n] & Is.FUNCTION and trust == Trust.LABEL and len(words) > 1 and runs.strongly_marked(end):
                return bool(t.kinds[n] & Is.MONTH) or (not t.german and t.mixed(n) and possible)
            return trust == Trust.LABEL and end == n + 1 and self._initials(n)
        if not words:
            return trust > Trust.LIKELY and closed
        sure = all(t.sure(k) for k in words)
        if trust == Trust.SOME:
            doubt = [k for k in words if t.kinds[k] & (Is.EITHER | Is.CLINICAL) or not t.possible(k)]
            if (t.shouted(n) and not t.in_capitals(n) and end == n + 1) or not closed:
                return False
            if self.t.initial(n) and self.likely(n, end):
                return True
            return (not doubt and (end > n + 1 or sure)) or (
                len(doubt) < len(words) and not t.in_capitals(n) and possible
            )
        if t.in_capitals(n):
            if trust == Trust.SURE:
                return closed or possible
            if trust == Trust.LABEL:
                return possible or runs.strongly_marked(end)
            return self.likely(n, end) and (closed or len(words) > 1)
        if t.shouted(n) and end == n + 1 and trust < Trust.SURE and t.kinds[n] & (Is.CLINICAL | Is.CREDENTIAL):
            return trust == Trust.LABEL and self._initials(n)
        if t.german and trust < Trust.SURE:
            return ((closed or sure) and possible) or (trust == Trust.LABEL and runs.strongly_marked(end))
        if t.german:
            return closed or possible or len(words) == 1
        return closed or trust == Trust.SURE or (possible and not t.other(words[0]))

    def _called(self, n: int, closed: bool) -> bool:
        """Whether word n behind a title is a name though it is another word, too: "Dr. Bone referral"."""
        t = self.t
        return closed or (t.mixed(n) and not t.german and not t.kinds[n] & (Is.FUNCTION | Is.NOVALUE | Is.SERVICE))

    def _initials(self, n: int) -> bool:
        """Whether a word in capitals that is the whole value of a label may be initials."""
        t = self.t
        return (
            t.shouted(n)
            and not t.in_capitals(n)
            and len(t.words[n]) <= 3
            and self.runs.strongly_marked(n + 1)
            and not t.kinds[n] & (Is.ROLE | Is.NOVALUE | Is.STRONG)
            and not t.strict_credential(n)
            and (not t.kinds[n] & Is.CLINICAL or self._by_writer(n))
        )

    def _by_writer(self, n: int) -> bool:
        """Whether who wrote a report stands at word n: "Typed by MR", "Transcribed: CT"."""
        t = self.t
        act = n - 2 if n > 1 and t.kinds[n - 1] & Is.BY else n - 1
        return n > 0 and bool(t.kinds[act] & Is.ACT) and bool(t.kinds[act] & Is.LABEL)
