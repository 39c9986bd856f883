"""Where a name begins and ends, by what its words may be and how much the place before it is trusted."""

from __future__ import annotations

import re
from enum import IntEnum

from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.tokens import Tokens
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, loose_credentials, word_set

GAP = re.compile(r"[ \t\xa0]*\.?[ \t\xa0]*\n?[ \t\xa0]*")
SPACE = re.compile(r"[ \t\xa0]*\n?[ \t\xa0]*")
COMMA = re.compile(r"[ \t]*,[ \t]*\n?[ \t]*")
_ENDS_NAME = re.compile(r"[ \t]{2}|[ \t]*(?:[,;:)(/\[\]\n|&\ufffc]|\.(?!\w)|-{1,2}[ \t]|$|\d)")
MAY = word_set("may march august april june mai mar jan jun sun will mark")
STRONG_TITLES = word_set(
    "dr drs dres doctor doctors doktor prof professor professors mr mrs mx mister madam herr herrn frau fräulein mme"
    " mlle monsieur"
    " ms kollege kollegin kollegen señor señora sra srta dott dra oberarzt oberärztin chefarzt chefärztin"
    " assistenzarzt assistenzärztin"
)
_NEVER = word_set(
    "the a an of and or no not with by to from in on at for is was were are as if but this that these those there it"
    " i he she we they his her"
)
_AFTER_NAME = word_set(
    "regarding concerning immediately directly verbally approximately shortly today yesterday personally re rn md np pa"
)
_SUFFIXES = word_set("jr sr ii iii iv")


class Trust(IntEnum):
    """How much speaks for a name where a cue stands."""

    SOME = 1
    """Only what is no word at all or a name that is no other word."""
    LIKELY = 2
    """Behind "discussed with", "reviewed by": words of reports are none."""
    LABEL = 3
    """Behind a label with a colon; lower case may be a name."""
    SURE = 4
    """Behind a title."""


class Phrases:
    """Which words of a text may be names, and where a name begins and ends."""

    def __init__(self, claims: Claims, german: bool) -> None:
        self._claims = claims
        self._t = Tokens(claims.text)
        self._german = german
        self._is_name = bytearray(self._t.count + 1)
        self._joined = bytearray(self._t.count + 1)
        self._may_be: dict[int, int] = {}
        self._certain: set[str] = set()

    # What words may be part of a name

    def _initial(self, n: int) -> bool:
        t = self._t
        return len(t.words[n]) == 1 and t.words[n].isupper()

    def _capital(self, n: int) -> bool:
        word = self._t.words[n]
        return word[0].isupper() or (len(word) > 4 and word[1].isupper() and word[2:].islower())

    def _shouted(self, n: int) -> bool:
        word = self._t.words[n]
        return len(word) > 1 and word.isupper()

    def _credential(self, n: int) -> bool:
        t = self._t
        if n in t.credentials:
            return True
        kind = t.kinds[n]
        if not kind & Is.CREDENTIAL:
            return False
        word = t.words[n]
        if t.lower[n] in loose_credentials() and word.isupper():
            return True
        return word.isupper() or (
            not kind & NAME and (word.islower() or word in ("PhD", "MBChB", "PharmD", "Rn", "Md", "Phd"))
        )

    def _modality(self, n: int) -> bool:
        """Whether "MR" is magnetic resonance: a word that is no name, or one of reports, stands behind it."""
        t = self._t
        if t.words[n] != "MR" or n + 1 >= t.count or t.gap(n) != " ":
            return False
        kind = t.kinds[n + 1]
        if kind & NAME:
            return bool(kind & Is.CLINICAL) and not self._shouted(n + 1) and not self._closed(n + 1)
        return bool(kind & (KNOWN & ~Is.RARE | Is.EPONYM))

    def _sign_follows(self, n: int) -> bool:
        """Whether an eponym stands before what it names."""
        t = self._t
        for k in range(n + 1, min(n + 4, t.count)):
            if not re.fullmatch(r"(?:['’]s)?[ \t]*[-/]?\n?[ \t]*", t.gap(k - 1)):
                return False
            if t.kinds[k] & Is.SIGN:
                return True
            if (
                not (self._capital(k) or len(t.words[k]) == 1 or t.kinds[k] & (Is.WORD | Is.EPONYM))
                or t.kinds[k] & Is.FUNCTION
            ):
                return False
        return False

    def _month(self, n: int) -> bool:
        return self._t.lower[n] in MAY and re.match(r"[ .]{0,2}[\d\ufffc]", self._t.gap(n)) is not None

    def _closed(self, n: int) -> bool:
        """Whether something that ends a name stands behind word n."""
        t = self._t
        if n + 1 >= t.count or _ENDS_NAME.match(t.gap(n)):
            return True
        kind = t.kinds[n + 1]
        return bool(self._credential(n + 1) or kind & (Is.FUNCTION | Is.PAST | Is.ACT)) and t.lower[n + 1] not in (
            "of",
            "is",
            "are",
            "was",
            "were",
        )

    def _none(self, n: int) -> bool:
        """Whether a word is none in names, wherever it stands."""
        kind = self._t.kinds[n]
        if n in self._t.credentials:
            return True
        if len(self._t.words[n]) == 1:
            return not (
                self._capital(n)
                and (self._t.words[n] not in "AI" or self._t.gap(n)[:1] == "." or not self._t.is_first(n))
            )
        if kind & Is.FUNCTION and not (kind & (NAME | Is.EITHER) and self._capital(n) and not self._t.in_capitals(n)):
            t = self._t
            return not (
                self._capital(n)
                and not self._shouted(n)
                and not t.is_first(n)
                and not self._german
                and t.lower[n] not in _NEVER
                and n + 1 < t.count
                and t.gap(n) == " "
                and self._capital(n + 1)
                and not t.kinds[n + 1] & (KNOWN | Is.EPONYM | Is.CREDENTIAL)
                and len(t.words[n + 1]) > 2
                and not self._shouted(n + 1)
            )
        if self._credential(n) or self._month(n):
            return True
        return (bool(kind & (Is.ROLE | Is.TITLE)) and not kind & NAME) or (
            self._t.lower[n] in STRONG_TITLES and self._t.lower[n] not in ("ms", "doctor", "dott")
        )

    def _first_fits(self, n: int, trust: Trust) -> bool:
        """Whether a name may begin with word n."""
        t = self._t
        kind, word = t.kinds[n], t.words[n]
        capitals = t.in_capitals(n)
        if self._none(n):
            return (
                trust == Trust.SURE
                and not capitals
                and kind & Is.FUNCTION > 0
                and self._capital(n)
                and t.lower[n] not in _NEVER
                and self._closed(n)
                and not self._month(n)
                and not self._german
                and not self._credential(n)
            )
        if kind & Is.PARTICLE and not (kind & Is.FUNCTION and trust < Trust.LABEL) and (k := self._behind_particles(n)):
            return self._first_fits(k, trust)
        if not self._capital(n):
            if (
                trust == Trust.LIKELY
                and not self._german
                and n + 1 < t.count
                and t.gap(n) == " "
                and all(
                    len(t.words[k]) > 2
                    and t.words[k].islower()
                    and (not t.kinds[k] & KNOWN or (t.kinds[k] & NAME and not t.kinds[k] & (Is.EITHER | Is.WORD)))
                    and not t.kinds[k] & (Is.CLINICAL | Is.EPONYM)
                    for k in (n, n + 1)
                )
                and (self._closed(n + 1) or not t.kinds[n + 2 : n + 3] or not t.kinds[n + 2] & Is.WORD)
            ):
                return True
            if trust < Trust.LABEL or kind & (Is.ACT | Is.CLINICAL | Is.ROLE | Is.LABEL | Is.PRODUCT) or len(word) < 2:
                return False
            if "-" in word and len(word) > 1 and word[1] == "-":
                return False
            return (
                bool(kind & NAME and not kind & (Is.EITHER | Is.WORD))
                or not kind & KNOWN
                or (trust == Trust.SURE and bool(kind & NAME))
                or (bool(kind & NAME) and self._lower_name(n))
            )
        if trust == Trust.SURE:
            if kind & (Is.CLINICAL | Is.ACT) and not kind & NAME:
                return (
                    bool(kind & Is.EPONYM)
                    or (self._closed(n) and not capitals)
                    or (self._name_follows(n) and not self._german)
                )
            return not (kind & Is.LABEL and not kind & NAME)
        if kind & (Is.ACT | Is.ROLE | Is.LABEL | Is.TITLE) and not kind & NAME:
            return False
        if self._initial(n):
            return (
                n + 1 < t.count
                and GAP.fullmatch(t.gap(n)) is not None
                and (
                    self._initial(n + 1)
                    or (
                        (self._capital(n + 1) or bool(self._behind_particles(n + 1))) and self._first_fits(n + 1, trust)
                    )
                    or (
                        trust >= Trust.LIKELY
                        and not capitals
                        and "." in t.gap(n)
                        and self._capital(n + 1)
                        and self._closed(n + 1)
                        and not self._none(n + 1)
                        and not t.kinds[n + 1] & (Is.CLINICAL | Is.ACT)
                    )
                )
            )
        if kind & Is.EPONYM and self._sign_follows(n):
            return False
        if kind & (Is.CLINICAL | Is.PRODUCT):
            return (
                bool(kind & NAME)
                and trust >= Trust.LIKELY
                and (self._closed(n) or self._name_follows(n))
                and not (capitals and trust < Trust.LABEL)
            )
        if self._shouted(n) and not capitals and not kind & NAME:
            if trust == Trust.LABEL:
                return not kind & (Is.WORD | Is.PLACE) or self._closed(n)
            if kind & KNOWN & ~Is.RARE or len(word) < 3:
                return False
            return len(word) >= 5 or (
                n + 1 < t.count and t.gap(n) == " " and self._shouted(n + 1) and not t.kinds[n + 1] & KNOWN
            )
        if kind & NAME:
            if not kind & Is.EITHER:
                return True
            if trust == Trust.SOME:
                return False
            return (
                self._closed(n)
                or self._name_follows(n)
                or (
                    not capitals
                    and not t.is_first(n)
                    and not self._german
                    and (t.lower[n + 1] in _AFTER_NAME or not t.kinds[n + 1] & KNOWN)
                )
            )
        if (
            kind & (Is.WORD | Is.SIGN | Is.PLACE)
            and trust >= Trust.LIKELY
            and not capitals
            and self._sure_name_follows(n)
        ):
            return True
        if kind & Is.WORD or (kind & (Is.SIGN | Is.PLACE)):
            return (
                trust == Trust.LABEL
                and self._closed(n)
                and not capitals
                and not kind & (Is.SIGN | Is.PLACE)
                and t.lower[n] not in t.uncapitalised
                and not self._german
            )
        if kind & Is.RARE:
            if capitals and trust < Trust.LABEL and not self._closed(n) and not self._name_follows(n):
                return False
            return trust >= Trust.LIKELY and t.lower[n] not in t.uncapitalised
        if self._german and trust < Trust.LABEL:
            return self._closed(n) or self._name_follows(n)
        return t.lower[n] not in t.uncapitalised

    def _behind_particles(self, n: int) -> int:
        """The word with a capital that particles from word n on belong to; 0 if there is none."""
        t = self._t
        for k in range(n + 1, min(n + 4, t.count)):
            if not re.fullmatch(r"[ \t]?|['’ ]", t.gap(k - 1)):
                return 0
            if not t.kinds[k] & Is.PARTICLE:
                return k if self._capital(k) and len(t.words[k]) > 1 else 0
        return 0

    def _lower_name(self, n: int) -> bool:
        """Whether a name in lower case that is a word, too, stands beside another name."""
        t = self._t
        return (
            n + 1 < t.count
            and t.gap(n) in (" ", ", ")
            and bool(t.kinds[n + 1] & NAME)
            and not t.kinds[n + 1] & Is.EITHER
        )

    def _sure(self, n: int) -> bool:
        """Whether a word is a name and no other word."""
        kind = self._t.kinds[n]
        return bool(kind & NAME) and not kind & (Is.EITHER | Is.CLINICAL | Is.PRODUCT | Is.EPONYM)

    def _sure_name_follows(self, n: int) -> bool:
        """Whether a word stands behind word n that can be nothing but a name."""
        t = self._t
        if not self._name_follows(n) or self._initial(n + 1):
            return False
        kind = t.kinds[n + 1]
        if kind & NAME and not kind & (Is.CLINICAL | Is.CREDENTIAL) and self._closed(n + 1):
            return True
        return (
            not kind & (KNOWN | Is.EPONYM | Is.EITHER | Is.CREDENTIAL)
            and (not self._german or bool(kind & NAME) or self._closed(n + 1))
            and not self._sign_follows(n + 1)
        )

    def _name_follows(self, n: int) -> bool:
        t = self._t
        if n + 1 >= t.count or not (GAP.fullmatch(t.gap(n)) or COMMA.fullmatch(t.gap(n))) or not self._capital(n + 1):
            return False
        kind = t.kinds[n + 1]
        if kind & Is.PARTICLE and not kind & Is.FUNCTION and self._behind_particles(n + 1):
            return True
        return self._initial(n + 1) or (bool(kind & NAME) and not self._none(n + 1)) or not kind & (KNOWN | Is.EPONYM)

    def _more_fits(self, n: int, trust: Trust, lower: bool, comma: bool) -> bool:
        """Whether word n goes on with the name before it."""
        t = self._t
        kind, word, gap = t.kinds[n], t.words[n], t.before(n)
        if t.lower[n] in _SUFFIXES and self._capital(n):
            return True
        if n in t.credentials:
            return False
        if (
            self._shouted(n)
            and len(word) <= 3
            and not t.in_capitals(n)
            and gap == " "
            and not self._shouted(n - 1)
            and not comma
        ):
            strict = self._credential(n) and t.lower[n] not in loose_credentials()
            if (
                not strict
                and not (kind & (Is.CLINICAL | Is.ROLE) and trust < Trust.LABEL)
                and self._closed(n)
                and (not self._credential(n) or not self._joined_before(n))
            ):
                return True
        if self._initial(n):
            if (
                word in "AI"
                and "." not in t.gap(n)[:1]
                and n + 1 < t.count
                and t.gap(n) == " "
                and not self._capital(n + 1)
            ):
                return False
            if (
                word in "AI"
                and t.in_capitals(n)
                and n + 1 < t.count
                and t.gap(n) == " "
                and t.kinds[n + 1] & KNOWN
                and not t.kinds[n + 1] & NAME
            ):
                return False
            return "\n" not in gap
        if (
            kind & Is.PARTICLE
            and self._capital(n)
            and not comma
            and not kind & Is.FUNCTION
            and (k := self._behind_particles(n))
            and "\n" not in gap
        ):
            return self._more_fits(k, trust, lower, comma)
        if (
            t.words[n] in ("an", "na")
            and t.lower[n - 1] in ("mac", "nic", "con", "ó", "ní", "uí")
            and n + 1 < t.count
            and self._capital(n + 1)
        ):
            return True
        if not self._capital(n):
            if kind & Is.PARTICLE and not comma and (k := self._behind_particles(n)):
                if (
                    kind & Is.FUNCTION
                    and self._german
                    and t.lower[n] not in ("von", "zu", "zur", "do", "vom")
                    and not (trust >= Trust.LABEL and self._closed(k) and not t.kinds[k] & KNOWN)
                ):
                    return False
                return "\n" not in gap and self._more_fits(k, trust, lower, comma)
            if (
                not lower
                or self._none(n)
                or (kind & (Is.ACT | Is.CLINICAL | Is.LABEL | Is.PRODUCT) and not kind & NAME)
                or "\n" in gap
            ):
                return False
            return (
                bool(kind & NAME and not kind & (Is.EITHER | Is.WORD))
                or not kind & KNOWN
                or (bool(kind & NAME) and self._closed(n))
            )
        if self._none(n) or (kind & (Is.ACT | Is.LABEL | Is.PAST) and not kind & NAME):
            return False
        if "\n" in gap:
            if ":" in t.gap(n)[:3] or (t.in_capitals(n) and not (kind & NAME and not kind & Is.EITHER)):
                return False
            wrapped = t.starts[n - 1] - t.text.rfind("\n", 0, t.starts[n - 1]) > 40
            return (bool(kind & NAME and not kind & Is.EITHER) or (wrapped and not kind & KNOWN)) and not (
                kind & Is.EPONYM and self._sign_follows(n)
            )
        if kind & (Is.CLINICAL | Is.PRODUCT):
            return bool(kind & NAME) and self._closed(n) and not comma and not re.match(r"[ \t]*:", t.gap(n))
        if kind & Is.EPONYM and self._sign_follows(n):
            return False
        if kind & NAME:
            if not kind & Is.EITHER:
                return True
            if ":" in t.gap(n)[:2] and t.is_first(n):
                return False
            return self._closed(n) or self._name_follows(n) or not (t.in_capitals(n) or comma or self._german)
        if kind & (Is.WORD | Is.SIGN | Is.PLACE):
            if (
                comma
                and trust >= Trust.LIKELY
                and n + 1 < t.count
                and self._initial(n + 1)
                and SPACE.fullmatch(t.gap(n))
                and not self._shouted(n)
            ):
                return True
            if (
                comma
                and trust >= Trust.LABEL
                and self._shouted(n) == self._shouted(n - 1)
                and (self._closed(n) or (n + 1 < t.count and self._initial(n + 1)))
            ):
                return not kind & Is.SIGN
            if comma or (self._german and not (self._closed(n) and kind & Is.WORD)):
                return False
            return (
                self._closed(n) and ":" not in t.gap(n)[:2]
                if t.in_capitals(n)
                else not (self._shouted(n) and not self._shouted(n - 1)) and ":" not in t.gap(n)[:2]
            )
        if self._shouted(n) and not t.in_capitals(n) and len(word) <= 4 and not self._shouted(n - 1):
            return len(word) <= 3 and gap in (" ", ", ") and self._closed(n)
        return True

    def _joined_before(self, n: int) -> bool:
        """Whether two words of a name stand before word n."""
        t = self._t
        return (
            n > 1
            and GAP.fullmatch(t.gap(n - 2)) is not None
            and self._capital(n - 2)
            and not t.kinds[n - 2] & (Is.TITLE | Is.ROLE | Is.FUNCTION)
            and not t.is_first(n - 1)
        )

    # Where a name ends

    def _phrase(self, n: int, trust: Trust) -> int:
        """The word behind the name that begins with word n; n if none does."""
        t = self._t
        if n >= t.count or not self._first_fits(n, trust):
            return n
        lower = (not self._capital(n) and not t.kinds[n] & Is.PARTICLE) or (
            not self._capital(n) and (n + 1 >= t.count or not self._capital(n + 1))
        )
        at, commas = n + 1, 0
        if t.kinds[n] & Is.PARTICLE and (k := self._behind_particles(n)):
            at, lower = k + 1, False
        while at < t.count and at < n + 7:
            gap = t.gap(at - 1)
            comma = False
            if not GAP.fullmatch(gap):
                comma = COMMA.fullmatch(gap) is not None and not commas
                if not comma:
                    break
            elif "." in gap and not (
                len(t.words[at - 1]) == 1
                or t.lower[at - 1] in ("st", "jr", "sr", "wm", "chr", "ch", "jos", "th", "geo", "hj", "md", "mohd")
            ):
                break
            if (
                comma
                and (t.kinds[at] & NAME and t.kinds[at] & Is.EITHER)
                and not self._closed(at)
                and not self._name_follows(at)
            ):
                break
            if not self._more_fits(at, trust, lower, comma):
                break
            commas += comma
            at = (
                (self._behind_particles(at) or at) + 1
                if t.kinds[at] & Is.PARTICLE and not self._initial(at)
                else at + 1
            )
        while at > n + 1 and not self._capital(at - 1) and t.kinds[at - 1] & Is.PARTICLE and not lower:
            at -= 1
        return at

    def _phrase_before(self, n: int, strict: bool) -> int:
        """The first word of the name that ends with word n; n + 1 if none does."""
        t = self._t
        if (
            n < 0
            or self._none(n)
            or not (self._capital(n) or (strict and t.kinds[n] & NAME and not t.kinds[n] & Is.EITHER))
        ):
            return n + 1
        kind = t.kinds[n]
        if kind & (Is.CLINICAL | Is.PRODUCT | Is.ACT | Is.LABEL | Is.PLACE) and not kind & NAME:
            return n + 1
        if not strict and (
            (kind & KNOWN and not kind & NAME)
            or kind & Is.CLINICAL
            or (kind & Is.EITHER and n and not self._before_fits(n - 1))
        ):
            return n + 1
        if not strict and self._shouted(n) and not t.in_capitals(n) and len(t.words[n]) <= 3 and not kind & NAME:
            return n + 1
        if strict and (field := self._field_before(n)) >= 0:
            return field
        at, commas = n, 0
        while at > 0 and at > n - 5:
            gap = t.gap(at - 1)
            if not GAP.fullmatch(gap):
                if not COMMA.fullmatch(gap) or commas:
                    break
                commas += 1
                if t.kinds[at - 1] & Is.EITHER and t.is_first(at - 1):
                    break
            elif "." in gap and not (len(t.words[at - 1]) == 1 or t.lower[at - 1] in ("st", "jr")):
                break
            if "\n" in gap or not self._before_fits(at - 1):
                break
            at -= 1
        while at <= n and (t.kinds[at] & Is.EPONYM and self._sign_follows(at)):
            at += 1
        if at == n and self._initial(n):
            return n + 1
        return at

    def _field_before(self, n: int) -> int:
        """Where a line begins that holds nothing but a name up to word n; -1 if it does not."""
        t = self._t
        for k in range(n, max(-1, n - 5), -1):
            kind = t.kinds[k]
            if (self._none(k) and not kind & Is.PARTICLE) or not (self._capital(k) or kind & Is.PARTICLE):
                return -1
            if kind & (Is.CLINICAL | Is.ACT | Is.LABEL | Is.PRODUCT) and not kind & NAME:
                return -1
            before = t.before(k)
            if k == 0 or "\n" in before or ":" in before or ";" in before:
                return k if n > k else -1
            if not (GAP.fullmatch(before) or COMMA.fullmatch(before)):
                return -1
        return -1

    def _before_fits(self, n: int) -> bool:
        t = self._t
        kind = t.kinds[n]
        if self._initial(n) and not (t.words[n] == "I" and t.is_first(n)):
            return True
        if not self._capital(n):
            return (bool(kind & Is.PARTICLE) and not kind & Is.FUNCTION) or (
                t.lower[n] in ("von", "zu", "van", "der") and n > 0 and self._capital(n - 1)
            )
        if self._none(n) or kind & (Is.CLINICAL | Is.PRODUCT | Is.LABEL | Is.ACT):
            return False
        return bool(kind & NAME) or not kind & KNOWN
