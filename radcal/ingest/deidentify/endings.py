"""Where a name ends though capitals follow it: before credentials, labels, headings and the next sentence."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.phrases import STRONG_TITLES, Phrases
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, word_set

GRADES = word_set("pgy st ct spr sho rmo dnb dmrd dmre ccc-slp icm")
"""Grades of training and diplomas that stand behind names like credentials."""
_BRIEF = word_set("do pa np rt md rn")
_NUMBERS = word_set("id no nr number nummer num ids")
_LIVES = word_set("lives lived resides seen compared wohnt")
_ADDRESSES = word_set("address adresse phone telephone")
_PASSIVE = word_set("was were is are has had have wurde wurden ist sind hat haben war waren will wird who")
_RESULTS = re.compile(r".*(?:ings|ults|ung|ungen|ions?|ures?|befunde?|dies|ages)")
_VOWEL = re.compile("[aeiouyäöü]")
_VALUE = re.compile(r"\.?[ ]?(?:#|[ ]?\(?[\d\ufffc+])")
_OTHER = KNOWN | Is.LABEL | Is.ACT | Is.PAST | Is.CREDENTIAL | Is.TITLE


class Endings(Phrases):
    """Cuts what follows a name off the run of words that a cue took."""

    def _take(self, n: int, end: int) -> int:
        """Take words n to end, but not what follows the name; where what was taken ends."""
        if end <= n:
            return end
        end = self._ended(n, end)
        self._mark(n, end)
        return end

    def _mark(self, n: int, end: int) -> None:
        if end > n:
            self._is_name[n:end] = b"\1" * (end - n)
            self._joined[n : end - 1] = b"\1" * (end - 1 - n)

    def _ended(self, n: int, end: int) -> int:
        """The first of words n to end that is none of the name; n if already the first begins something else."""
        t = self._t
        if t.lower[n] in GRADES and self._shouted(n) and t.text[t.ends[n] : t.ends[n] + 2].strip("- ").isdigit():
            return n
        if self._label_itself(n) and not t.in_capitals(n):
            return n
        for k in range(n + 1, min(end, t.count)):
            if self._new(n, k, end):
                end = k
                break
        else:
            return end
        while end > n + 1 and (
            (t.kinds[end - 1] & _OTHER and not t.kinds[end - 1] & (NAME | Is.PARTICLE) and len(t.words[end - 1]) > 1)
            or (
                end < t.count
                and t.lower[end] in _NUMBERS
                and end > n + 1
                and not self._sure(end - 1)
                and len(t.words[end - 1]) > 1
                and t.kinds[end - 1]
            )
        ):
            end -= 1
        return end

    def _label_itself(self, n: int) -> bool:
        """Whether word n is a label with its colon or value: "MRN:", "Findings:", "HCPC 4711"."""
        t = self._t
        gap = t.gap(n)
        return (
            (gap.lstrip(" \t")[:1] == ":" or (self._shouted(n) and _VALUE.match(gap) is not None))
            and bool(t.kinds[n] & (Is.LABEL | Is.CLINICAL | Is.ROLE))
            and not t.kinds[n] & NAME
        )

    def _new(self, n: int, k: int, end: int) -> bool:
        """Whether word k, behind the beginning n of a name, begins something else."""
        t = self._t
        kind, word, low, gap = t.kinds[k], t.words[k], t.lower[k], t.gap(k)
        if len(word) < 2:
            return False
        full = [j for j in range(n, k) if not (t.kinds[j] & Is.PARTICLE and t.words[j].islower())]
        complete = len(full) > 1
        named = bool(kind & (NAME | Is.EITHER))
        shouted = self._shouted(k)
        if shouted and (low in GRADES and gap[:2].strip("- ").isdigit()):
            return True
        if (low in STRONG_TITLES or low == "master") and word[1:].islower():
            return True
        if shouted and len(word) > 4 and not named and kind & _OTHER and not self._shouted(k - 1):
            return len(t.words[k - 1]) > 1 or complete
        if (k in t.credentials and shouted) or (
            shouted and kind & Is.CREDENTIAL and low in _BRIEF and self._brief(n, k, end, complete)
        ):
            return True
        if gap.lstrip(" \t")[:1] == ":":
            return not named or bool(kind & (Is.LABEL | Is.CLINICAL)) or (shouted and len(word) < 5)
        behind = k + 1 if k + 1 < t.count and gap in (" ", ". ") else -1
        if behind > 0 and t.lower[behind] in _NUMBERS and not self._sure(k):
            following = t.gap(behind).lstrip(" .#")[:1]
            if following == ":" or following.isdigit() or following == "\ufffc" or t.words[behind].islower():
                return True
        if _VALUE.match(gap) and not named:
            return (
                bool(kind & _OTHER)
                or "#" in gap[:3]
                or "\n" in t.before(k)
                or low.endswith(("nummer", "number"))
                or (shouted and len(word) < 6 and (not self._shouted(k - 1) or not _VOWEL.search(low)))
            )
        if word.islower() and "," in t.before(k) and not kind & Is.PARTICLE and kind & _OTHER:
            return True
        if "," in t.before(k) and shouted == self._shouted(k - 1):
            return False
        if kind & _OTHER and not named and not shouted and self._shouted(k - 1) and len(t.words[k - 1]) > 2:
            return not kind & Is.PARTICLE
        if behind < 0 or gap != " " or not t.words[behind].islower() or not word[0].isupper():
            return False
        follows = t.kinds[behind]
        if follows & Is.PARTICLE and self._behind_particles(behind):
            return False
        reports = bool(kind & (Is.CLINICAL | Is.LABEL | Is.ACT | Is.FUNCTION))
        if not named and kind & _OTHER:
            if t.lower[behind] in _PASSIVE or follows & (Is.PAST | Is.ACT):
                return bool(kind & (Is.CLINICAL | Is.LABEL | Is.ACT)) or bool(_RESULTS.fullmatch(low))
            return reports or low in _LIVES or not follows & Is.FUNCTION
        if not complete or shouted or not named or not kind & (Is.EITHER | Is.WORD | Is.CLINICAL):
            return False
        if t.lower[behind] in ("also", "auch") or t.lower[behind] in _ADDRESSES:
            return True
        return bool(kind & (Is.ACT | Is.LABEL)) and t.lower[behind] not in _PASSIVE and not follows & (Is.PAST | Is.ACT)

    def _brief(self, n: int, k: int, end: int, complete: bool) -> bool:
        """Whether DO, PA, NP, RT behind a name are credentials, not a surname or initials."""
        t = self._t
        if k + 1 < t.count and t.gap(k) in (" ", ", ") and self._credential(k + 1):
            return False
        if k == end - 1 or self._new_case(k):
            return not self._shouted(k - 1) or (complete and len(t.words[k - 1]) > 1)
        return False

    def _new_case(self, k: int) -> bool:
        return k + 1 < self._t.count and not self._shouted(k + 1)
