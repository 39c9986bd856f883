"""Names of people in a text: known ones, and others by what stands around them and by how they are written.

A cue, such as a title, the label of a field or "discussed with", opens a place for names.  How much the cue is trusted
decides which words may stand there; what a word may be, is said by :mod:`radcal.ingest.deidentify.words`.
"""

from __future__ import annotations

import re
from enum import IntEnum

from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.tokens import Tokens
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, loose_credentials

_GAP = re.compile(r"[ \t\xa0]*\.?[ \t\xa0]*\n?[ \t\xa0]*")
_SPACE = re.compile(r"[ \t\xa0]*\n?[ \t\xa0]*")
_COMMA = re.compile(r"[ \t]*,[ \t]*\n?[ \t]*")
_TO_NAME = re.compile(r"[.\s\xa0,(\"'/*_-]{0,12}")
_COLON = re.compile(r"[ \t]*(?:\([^()\n]{0,20}\)|#\d|\d|\)|[*_]+)?[ \t]*(?::[*_]*|=|\||\t|[-–—]{1,2}(?=[ \t]))[\s:*_]*")
_LIST = re.compile(r"[ \t]*(?:,|;|/|&|\+|\n)?[ \t\n]*(?:[-*•][ \t])?")
_ENDS_NAME = re.compile(r"[ \t]{2}|[ \t]*(?:[,;:)(/\[\]\n|&\ufffc]|\.(?!\w)|-{1,2}[ \t]|$|\d)")
_I_NAME = re.compile(
    r"(?:(?<![^\W_])(?:I|Ich),[ \t]+|/[sS]/[ \t]*|(?m:^)(?:Re|RE|Dear|DEAR|Liebe|Lieber|Hi|Hello|Hallo)[:,]?[ \t]+)(?=[^\W\d_])"
)
_MAY = frozenset("may march august april june mai mar jan jun sun will mark".split())
_STRONG_TITLES = frozenset(
    "dr drs dres doctor doctors doktor prof professor professors mr mrs mx mister madam herr herrn frau fräulein mme mlle monsieur"
    " ms señor señora sra srta dott dra oberarzt oberärztin chefarzt chefärztin assistenzarzt assistenzärztin".split()
)
_AFTER_TITLE = frozenset(
    "med univ habil dent phil rer nat dipl priv doz vet dr drs prof md dres pd hc mult ing".split()
)
_PASSING = frozenset(
    "was is were are has have had been be being also then personally already fully wurde wurden ist hat haben and will both directly verbally".split()
)
_PREPOSITIONS = frozenset("with to from for mit an für bei attn zu and und or".split())
_BY = frozenset("by von durch per".split())
_TELLING = frozenset(
    "discussed discuss discussing communicated conveyed relayed called telephoned phoned paged notified informed contacted spoke spoken speaking told"
    " advised alerted messaged texted emailed faxed sent reviewed consulted reported delivered transmitted handed escalated discussion conversation"
    " communication notification call telephone telephonically phone verbally chat message page readback read-back conferred confers explained disclosed"
    " referred updated passed shared given besprochen mitgeteilt telefonisch telefoniert informiert übermittelt benachrichtigt rücksprache gesprochen"
    " demonstriert verständigt weitergegeben durchgegeben kontaktiert abgestimmt diskutiert vorgestellt kommuniziert überwiesen".split()
)
_NEVER = frozenset(
    "the a an of and or no not with by to from in on at for is was were are as if but this that these those there it i he she we they his her".split()
)
_AFTER_NAME = frozenset(
    "regarding concerning immediately directly verbally approximately shortly today yesterday personally re rn md np pa".split()
)
_OF_PEOPLE = frozenset(
    "behalf supervision presence care direction guidance request office wife husband mother father referral service team patient discretion".split()
)
_PERSON_AHEAD = re.compile(
    r"(?:,? (?:is|was) an? |,? an? |, ?|[ ]\(?)(?:\d{1,3}|\ufffc{1,14})(?:[- ]?(?:year|yr|yo\b|y/o|y\.o|j(?:ä|ae)hrig)| ?[MFmf]\b)|,? ?(?:\* ?[\d\ufffc]|\(?(?:geb\.|geboren|DOB|MRN)(?![^\W_]))",
    re.IGNORECASE,
)
_MADE = frozenset(
    "report dictation interpretation read addendum review transcription signature readback bericht befund".split()
)
_HEARING = frozenset(
    "notified informed aware acknowledged acknowledges paged contacted verbalized verbalised agrees confirmed denies concurs dictated".split()
)
_SIGNED = frozenset(
    "signed regards sincerely truly by dictated interpreted grüßen grüße radiologist physician hochachtungsvoll gezeichnet".split()
)
_KIN = frozenset(
    "son daughter wife husband mother father brother sister spouse partner caregiver guardian niece nephew grandson granddaughter uncle aunt friend"
    " ehemann ehefrau tochter sohn".split()
)
_NAMED = frozenset("named nee née geb geborene alias aka called namens heißt lautet maiden née".split())
_SUFFIXES = frozenset("jr sr ii iii iv".split())
_MC = re.compile(r"(?:O['’]|Mc|Mac|D['’]|L['’]|Fitz|De|Di|La|Van|St)[A-ZÄÖÜ][a-zäöüß]{2,}")
_SPEAKING = frozenset(
    "notified informed contacted called telephoned phoned paged told advised alerted messaged texted spoke messaging calling paging notifying"
    " informing contacting telefoniert informiert benachrichtigt verständigt kontaktiert discuss discussed cc consented interviewed reaching".split()
)

_REPORTING = frozenset(
    "dictated signed transcribed typed read reviewed interpreted verified approved authenticated finalized finalised reported".split()
)
_INITIALS = re.compile(
    r"(?m)^[ \t]*(?:(?:DD|DT|D|T|TT|RPT|TR|Dict|Trans|Typed|Tech|Init(?:ials)?)[:.][ \t]*)?(?P<a>(?=[^\W\d_a-zß-ÿ])[^\W\d_]{2,4}|[a-z]{2,3})[ ]?[/:\\;][ ]?(?P<b>[A-Za-z]{2,4})"
    r"(?=[ \t]*(?:$|[\d\ufffc]|[-–,][ \t]?[\d\ufffc]))"
)
_NO_INITIALS = frozenset(
    "ap pa lat cc mlo ct mr us xr rl lr iv po od os ou ed er or na pt rt lt in vs no and of mm cm ml hu im se".split()
)


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


class NameFinder:
    """Finds the names of one text."""

    def __init__(self, claims: Claims, german: bool) -> None:
        self._claims = claims
        self._t = Tokens(claims.text)
        self._german = german
        self._is_name = bytearray(self._t.count + 1)
        self._joined = bytearray(self._t.count + 1)
        self._may_be: dict[int, int] = {}

    # What words may be part of a name

    def _initial(self, n: int) -> bool:
        t = self._t
        return len(t.words[n]) == 1 and t.words[n].isupper()

    def _capital(self, n: int) -> bool:
        word = self._t.words[n]
        return word[0].isupper() or len(word) > 4 and word[1].isupper() and word[2:].islower()

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
        return (
            word.isupper()
            or not kind & NAME
            and (word.islower() or word in ("PhD", "MBChB", "PharmD", "Rn", "Md", "Phd"))
        )

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
        return self._t.lower[n] in _MAY and re.match(r"[ .]{0,2}[\d\ufffc]", self._t.gap(n)) is not None

    def _closed(self, n: int) -> bool:
        """Whether something that ends a name stands behind word n."""
        t = self._t
        if n + 1 >= t.count or _ENDS_NAME.match(t.gap(n)):
            return True
        kind = t.kinds[n + 1]
        return bool(self._credential(n + 1) or kind & (Is.FUNCTION | Is.PAST | Is.ACT)) and not t.lower[n + 1] in (
            "of",
            "is",
            "are",
            "was",
            "were",
        )

    def _none(self, n: int) -> bool:
        """Whether a word is none in names, wherever it stands."""
        kind = self._t.kinds[n]
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
        return (
            bool(kind & (Is.ROLE | Is.TITLE))
            and not kind & NAME
            or self._t.lower[n] in _STRONG_TITLES
            and self._t.lower[n] not in ("ms", "doctor", "dott")
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
                    and (not t.kinds[k] & KNOWN or t.kinds[k] & NAME and not t.kinds[k] & (Is.EITHER | Is.WORD))
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
                    or self._closed(n)
                    and not capitals
                    or self._name_follows(n)
                    and not self._german
                )
            return not (kind & Is.LABEL and not kind & NAME)
        if kind & (Is.ACT | Is.ROLE | Is.LABEL | Is.TITLE) and not kind & NAME:
            return False
        if self._initial(n):
            return (
                n + 1 < t.count
                and _GAP.fullmatch(t.gap(n)) is not None
                and (
                    self._initial(n + 1)
                    or (self._capital(n + 1) or bool(self._behind_particles(n + 1)))
                    and self._first_fits(n + 1, trust)
                    or trust >= Trust.LIKELY
                    and not capitals
                    and "." in t.gap(n)
                    and self._capital(n + 1)
                    and self._closed(n + 1)
                    and not self._none(n + 1)
                    and not t.kinds[n + 1] & (Is.CLINICAL | Is.ACT)
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
            return (
                len(word) >= 5
                or n + 1 < t.count
                and t.gap(n) == " "
                and self._shouted(n + 1)
                and not t.kinds[n + 1] & KNOWN
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
        if n + 1 >= t.count or not (_GAP.fullmatch(t.gap(n)) or _COMMA.fullmatch(t.gap(n))) or not self._capital(n + 1):
            return False
        kind = t.kinds[n + 1]
        if kind & Is.PARTICLE and not kind & Is.FUNCTION and self._behind_particles(n + 1):
            return True
        return self._initial(n + 1) or bool(kind & NAME) and not self._none(n + 1) or not kind & (KNOWN | Is.EPONYM)

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
                or kind & (Is.ACT | Is.CLINICAL | Is.LABEL | Is.PRODUCT)
                and not kind & NAME
                or "\n" in gap
            ):
                return False
            return (
                bool(kind & NAME and not kind & (Is.EITHER | Is.WORD))
                or not kind & KNOWN
                or (bool(kind & NAME) and self._closed(n))
            )
        if self._none(n) or kind & (Is.ACT | Is.LABEL | Is.PAST) and not kind & NAME:
            return False
        if "\n" in gap:
            if ":" in t.gap(n)[:3] or t.in_capitals(n) and not (kind & NAME and not kind & Is.EITHER):
                return False
            return (bool(kind & NAME and not kind & Is.EITHER) or not kind & KNOWN) and not (
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
                and _SPACE.fullmatch(t.gap(n))
                and not self._shouted(n)
            ):
                return True
            if (
                comma
                and trust >= Trust.LABEL
                and self._shouted(n) == self._shouted(n - 1)
                and (self._closed(n) or n + 1 < t.count and self._initial(n + 1))
            ):
                return not kind & Is.SIGN
            if comma or self._german and not (self._closed(n) and kind & Is.WORD):
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
            and _GAP.fullmatch(t.gap(n - 2)) is not None
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
        lower = (
            not self._capital(n)
            and not t.kinds[n] & Is.PARTICLE
            or not self._capital(n)
            and (n + 1 >= t.count or not self._capital(n + 1))
        )
        at, commas = n + 1, 0
        if t.kinds[n] & Is.PARTICLE and (k := self._behind_particles(n)):
            at, lower = k + 1, False
        while at < t.count and at < n + 7:
            gap = t.gap(at - 1)
            comma = False
            if not _GAP.fullmatch(gap):
                comma = _COMMA.fullmatch(gap) is not None and not commas
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

    def _take(self, n: int, end: int) -> None:
        self._is_name[n:end] = b"\1" * (end - n)
        self._joined[n : end - 1] = b"\1" * (end - 1 - n)

    def _names_from(self, n: int, trust: Trust) -> int:
        """Take the names of a list that may begin with word n, titles and credentials between them left; how far it went."""
        t = self._t
        reached = n
        for _ in range(12):
            start, titled = self._behind_titles(self._behind_roles(n) if trust < Trust.SURE else n)
            end = self._phrase(start, Trust.SURE if titled else trust)
            if end == start:
                return reached
            self._take(start, end)
            reached = n = self._behind_credentials(end)
            if n >= t.count or not _LIST.fullmatch(t.gap(n - 1).lstrip(".)")):
                return reached
            if t.lower[n] in ("and", "und", "or", "oder", "&", "sowie", "cc", "then") and _SPACE.fullmatch(t.gap(n)):
                n += 1
            elif not t.gap(n - 1).strip(" \t.)"):
                return reached
            if t.is_first(n) and trust < Trust.LABEL and "\n" in t.before(n):
                return reached
            trust = min(trust, Trust.LIKELY)
        return reached

    def _behind_roles(self, n: int) -> int:
        """The word behind "nurse", "the attending physician", "RN"; n if there is none."""
        t = self._t
        k = n
        while (
            k + 1 < t.count
            and k < n + 4
            and re.fullmatch(r"[ \t]*,?[ \t]*", t.gap(k))
            and t.lower[k] not in _STRONG_TITLES
            and (
                t.kinds[k] & (Is.ROLE | Is.TITLE)
                and not t.kinds[k] & NAME
                or self._credential(k)
                or t.lower[k] in ("the", "our", "charge", "attending", "nurse")
            )
        ):
            k += 1
        return k

    def _behind_titles(self, n: int) -> tuple[int, bool]:
        t = self._t
        titled = False
        while (
            n + 1 < t.count
            and _GAP.fullmatch(t.gap(n))
            and (
                t.lower[n] in _STRONG_TITLES
                and t.words[n] != "MS"
                or (
                    titled
                    and t.lower[n] in _AFTER_TITLE
                    and not (self._capital(n) and not t.kinds[n + 1] and len(t.words[n]) > 2)
                )
            )
        ):
            if t.lower[n] in _STRONG_TITLES or titled:
                titled = True
            n += 1
        return n, titled

    def _behind_credentials(self, n: int) -> int:
        t = self._t
        while (
            n < t.count
            and re.fullmatch(r"[ \t]*[,(/]?[ \t]*", t.gap(n - 1).lstrip(".)"))
            and (
                self._credential(n)
                or t.kinds[n] & Is.ROLE
                and not t.kinds[n] & NAME
                and re.search("[,(/]", t.gap(n - 1))
            )
        ):
            end = t.credentials.get(n, t.ends[n])
            n += 1
            while n < t.count and t.starts[n] < end:
                n += 1
        return n

    def _phrase_before(self, n: int, strict: bool) -> int:
        """The first word of the name that ends with word n; n + 1 if none does."""
        t = self._t
        if (
            n < 0
            or self._none(n)
            or not (self._capital(n) or strict and t.kinds[n] & NAME and not t.kinds[n] & Is.EITHER)
        ):
            return n + 1
        kind = t.kinds[n]
        if kind & (Is.CLINICAL | Is.PRODUCT | Is.ACT | Is.LABEL | Is.PLACE) and not kind & NAME:
            return n + 1
        if not strict and (
            kind & KNOWN
            and not kind & NAME
            or kind & Is.CLINICAL
            or kind & Is.EITHER
            and n
            and not self._before_fits(n - 1)
        ):
            return n + 1
        if not strict and self._shouted(n) and not t.in_capitals(n) and len(t.words[n]) <= 3 and not kind & NAME:
            return n + 1
        if strict and (field := self._field_before(n)) >= 0:
            return field
        at, commas = n, 0
        while at > 0 and at > n - 5:
            gap = t.gap(at - 1)
            if not _GAP.fullmatch(gap):
                if not _COMMA.fullmatch(gap) or commas:
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
            if self._none(k) and not kind & Is.PARTICLE or not (self._capital(k) or kind & Is.PARTICLE):
                return -1
            if kind & (Is.CLINICAL | Is.ACT | Is.LABEL | Is.PRODUCT) and not kind & NAME:
                return -1
            before = t.before(k)
            if k == 0 or "\n" in before or ":" in before or ";" in before:
                return k if n > k else -1
            if not (_GAP.fullmatch(before) or _COMMA.fullmatch(before)):
                return -1
        return -1

    def _before_fits(self, n: int) -> bool:
        t = self._t
        kind = t.kinds[n]
        if self._initial(n) and not (t.words[n] == "I" and t.is_first(n)):
            return True
        if not self._capital(n):
            return (
                bool(kind & Is.PARTICLE)
                and not kind & Is.FUNCTION
                or t.lower[n] in ("von", "zu", "van", "der")
                and n > 0
                and self._capital(n - 1)
            )
        if self._none(n) or kind & (Is.CLINICAL | Is.PRODUCT | Is.LABEL | Is.ACT):
            return False
        return bool(kind & NAME) or not kind & KNOWN

    # Cues

    def find(self, known: list[tuple[int, int]]) -> None:
        """Take all names; ``known``: spans of known ones, in characters."""
        t = self._t
        for start, end in known:
            n = t.at(start)
            if n and t.ends[n - 1] > start:
                n -= 1
            end_word = max(n + 1, t.at(end))
            self._take(n, end_word)
            self._extend(n, end_word)
        for n in range(t.count):
            kind = t.kinds[n]
            if (
                kind & (Is.TITLE | Is.ROLE | Is.LABEL | Is.ACT | Is.CREDENTIAL | Is.FUNCTION)
                or n in t.credentials
                or ":" in t.gap(n)
            ):
                self._cue(n, kind)
        for m in _I_NAME.finditer(t.text):
            n = t.at(m.end())
            start, titled = self._behind_titles(n)
            end = self._phrase(start, Trust.SURE if titled else Trust.LABEL)
            if end > start and (self._closed(end - 1)):
                self._take(start, end)
        for m in _INITIALS.finditer(t.text):
            signed = m["a"].isupper() and m["b"].islower() and m["a"] not in ("AP", "PA", "CC", "CT", "MR", "XR", "US")
            if (
                (signed or m["a"].lower() not in _NO_INITIALS)
                and m["b"].lower() not in _NO_INITIALS
                and m.start() > 0.5 * len(t.text)
            ):
                for group in ("a", "b"):
                    n = t.at(m.start(group))
                    self._take(n, n + 1)
        self._lines()
        self._again()
        for n in range(t.count):
            if not self._is_name[n] and self._capital(n):
                self._alone(n)
        self._again()

    def _again(self) -> None:
        """Take the words of names wherever else they stand: those that are no words at all, and others beside these."""
        t = self._t
        taken = {t.lower[n] for n in range(t.count) if self._is_name[n] and len(t.words[n]) > 2}
        if not taken:
            return
        for n in range(t.count):
            if t.lower[n] not in taken or self._is_name[n] or not self._capital(n) or self._none(n):
                continue
            kind = t.kinds[n]
            beside = (
                n > 0
                and self._is_name[n - 1]
                and t.gap(n - 1) == " "
                or n + 1 < t.count
                and self._is_name[n + 1]
                and t.gap(n) == " "
            )
            if beside and not kind & Is.CLINICAL:
                self._take(n, n + 1)
                if self._is_name[n + 1]:
                    self._joined[n] = 1
            elif not kind & (KNOWN | Is.EITHER | Is.EPONYM) and not self._sign_follows(n):
                self._take(n, n + 1)
                self._extend(n, n + 1)

    def _extend(self, n: int, end: int) -> None:
        """Take initials and names that stand beside a known name."""
        t = self._t
        while n > 0 and _GAP.fullmatch(t.gap(n - 1)) and "\n" not in t.gap(n - 1) and self._beside(n - 1):
            n -= 1
        while (
            end < t.count
            and (_GAP.fullmatch(t.gap(end - 1)) or _COMMA.fullmatch(t.gap(end - 1)))
            and "\n" not in t.gap(end - 1)
            and self._beside(end)
            and not ("." in t.gap(end - 1) and len(t.words[end - 1]) > 1)
        ):
            end += 1
        self._take(n, end)

    def _beside(self, n: int) -> bool:
        t = self._t
        kind = t.kinds[n]
        if self._credential(n) or kind & Is.TITLE:
            return False
        if self._initial(n):
            return not (t.words[n] in "AI" and t.is_first(n))
        return (
            self._capital(n)
            and not self._none(n)
            and (bool(kind & NAME and not kind & (Is.EITHER | Is.CLINICAL)) or not kind & (KNOWN | Is.EPONYM))
        )

    def _cue(self, n: int, kind: int) -> None:
        t = self._t
        gap = t.gap(n)
        low = t.lower[n]
        if kind & Is.TITLE and n + 1 < t.count and _TO_NAME.fullmatch(gap) and "," not in gap:
            if (
                low in _STRONG_TITLES
                and not (low == "ms" and t.words[n] != "Ms")
                and (
                    low not in ("oberarzt", "oberärztin", "chefarzt", "chefärztin", "assistenzarzt", "assistenzärztin")
                    or self._capital(n)
                )
            ):
                start, _ = self._behind_titles(n)
                if start > n and not (low == "dr" and start < t.count and n and self._street(n)):
                    self._titled(start)
            elif self._capital(n) and not (
                self._shouted(n)
                and low
                in ("ms", "hr", "fr", "lt", "col", "pd", "major", "miss", "judge", "sir", "sister", "nurse", "father")
                and (t.in_capitals(n) or low in ("ms", "hr", "fr", "lt"))
                and not (low in ("ms", "miss") and (gap.startswith(".") or low == "miss"))
            ):
                if low not in ("lt", "col", "hr", "fr") or gap.startswith(".") or low in ("hr", "fr") and self._german:
                    polite = (
                        low in ("sister", "nurse", "miss", "sir", "dame", "schwester", "pfleger")
                        and self._mixed(n)
                        and self._mixed(n + 1)
                        and gap == " "
                    )
                    self._names_from(
                        n + 1,
                        Trust.SURE
                        if polite and not t.kinds[n + 1] & (Is.CLINICAL | Is.ROLE | Is.CREDENTIAL)
                        else Trust.LIKELY,
                    )
        if kind & (Is.ROLE | Is.LABEL | Is.CREDENTIAL) or low in _BY:
            colon = _COLON.match(gap) if n + 1 < t.count else None
            if (
                colon
                and colon.end() >= len(gap.rstrip("(\"'*_. "))
                and not (kind & Is.CREDENTIAL and not kind & (Is.ROLE | Is.LABEL))
            ):
                self._labelled(n)
        elif (
            n + 1 < t.count
            and gap.lstrip(" \t")[:1] == ":"
            and (colon := _COLON.match(gap))
            and colon.end() >= len(gap.rstrip("(\"'*_. "))
        ):
            self._field(n + 1, strict=not self._role_before(n))
        if self._credential(n) and n:
            before = t.before(n)
            strict = low not in loose_credentials() or n in t.credentials
            if re.fullmatch(r"[ \t]*[,(][ \t]*\n?[ \t]*|\.?,?[ \t]+|,", before) and (
                strict or "," in before or "(" in before
            ):
                start = self._phrase_before(n - 1, strict)
                if start < n:
                    self._take(start, n)
        elif (
            kind & Is.ROLE
            and n
            and re.fullmatch(r"[ \t]*[,(][ \t]*|[ \t]+[-–][ \t]+", t.before(n))
            and (not t.gap(n).startswith(":") or "(" in t.before(n))
        ):
            start = self._phrase_before(n - 1, False)
            if start < n and not (t.is_first(start) and t.kinds[start] & Is.EITHER):
                self._take(start, n)
        if n + 1 >= t.count:
            return
        plain_gap = _TO_NAME.fullmatch(gap) is not None and "." not in gap.strip() and gap.count("\n") < 2
        if not plain_gap:
            return
        if kind & Is.ROLE:
            for k in range(n + 1, min(n + 4, t.count - 1)):
                if t.gap(k) == ", ":
                    end = self._phrase(k + 1, Trust.LIKELY)
                    if end > k + 2 and t.gap(end - 1)[:1] == ",":
                        self._names_from(k + 1, Trust.LIKELY)
                if t.gap(k) != " ":
                    break
        if kind & Is.ROLE and "\n" not in gap and gap.strip() in ("", ","):
            both = (
                n + 2 < t.count
                and t.gap(n + 1) == " "
                and all(
                    not t.kinds[k] & (KNOWN | Is.EPONYM) or t.kinds[k] & NAME and not t.kinds[k] & Is.CLINICAL
                    for k in (n + 1, n + 2)
                )
            )
            if (
                self._initial(n + 1)
                and t.in_capitals(n + 1)
                and re.match(r"\. ?[^\W\d_]{2}", t.text[t.ends[n + 1] : t.ends[n + 1] + 4])
            ):
                both = True
            if (
                self._mixed(n + 1)
                or t.kinds[n + 1] & NAME
                and not t.kinds[n + 1] & Is.EITHER
                or t.in_capitals(n + 1)
                and (both or low in _KIN)
            ):
                inserted = False
                if gap.strip():
                    end = self._phrase(n + 1, Trust.LIKELY)
                    inserted = end > n + 1 and t.gap(end - 1)[:1] in ",)"
                some = bool(gap.strip()) and not inserted or bool(t.kinds[n + 1] & Is.EPONYM)
                self._names_from(n + 1, Trust.SOME if some else Trust.LIKELY)
        if low in _BY and (self._act_near(n, 5) or n and t.lower[n - 1] in _MADE):
            reporting = (
                n
                and t.lower[n - 1] in _REPORTING
                and t.words[n + 1].islower()
                and (self._closed(n + 1) or not t.kinds[n + 2 : n + 3] or not t.kinds[n + 2] & KNOWN)
            )
            if (
                self._shouted(n + 1)
                and len(t.words[n + 1]) <= 3
                and n > 0
                and t.kinds[n - 1] & Is.ACT
                and self._closed(n + 1)
                and not t.in_capitals(n + 1)
            ):
                if not t.kinds[n + 1] & (Is.CLINICAL | Is.ROLE | Is.TITLE | Is.CREDENTIAL):
                    self._take(n + 1, n + 2)
            by_label = n > 0 and t.lower[n - 1] in _REPORTING and self._mixed(n + 1)
            self._names_from(n + 1, Trust.LABEL if reporting or by_label else Trust.LIKELY)
        elif (
            low in ("by", "per", "thank", "behalf")
            and self._mixed(n + 1)
            and not self._german
            and (
                self._initial(n + 1)
                or self._sure(n + 1)
                or self._name_follows(n + 1)
                and not t.kinds[n + 1] & (KNOWN | Is.EPONYM)
            )
        ):
            self._names_from(n + 1, Trust.LIKELY)
        elif low in ("of", "für", "referring", "beside") and n and (t.lower[n - 1] in _OF_PEOPLE or low == "referring"):
            self._names_from(n + 1, Trust.LIKELY)
        elif low in _PREPOSITIONS and self._act_near(n, 12, telling=True):
            self._names_from(n + 1, Trust.LIKELY)
        elif kind & Is.ACT and low in _SPEAKING and not gap.strip():
            self._names_from(n + 1, Trust.LIKELY)
        if (
            low in _NAMED
            or low == "is"
            and n
            and t.lower[n - 1] in ("name", "radiologist", "physician", "contact", "provider", "attending")
        ):
            self._names_from(n + 1, Trust.LIKELY)

    def _titled(self, n: int) -> None:
        self._names_from(n, Trust.SURE)

    def _street(self, n: int) -> bool:
        """Whether "Dr" is a drive."""
        t = self._t
        return (
            self._capital(n - 1)
            and n > 1
            and re.fullmatch(r"[ \t]*", t.gap(n - 1)) is not None
            and t.text[max(0, t.starts[n - 1] - 3) : t.starts[n - 1] - 1].strip().isdigit()
        )

    def _labelled(self, n: int) -> None:
        t = self._t
        low = t.lower[n]
        if low in (
            "to",
            "with",
            "from",
            "for",
            "an",
            "mit",
            "re",
            "von",
            "durch",
            "person",
            "kin",
            "contact",
            "doctor",
        ) or not self._is_label(n):
            if not (self._act_near(n, 8) or self._is_label(n)):
                return
            if not self._field(n + 1):
                self._names_from(n + 1, Trust.LIKELY)
            return
        if not self._field(n + 1):
            self._names_from(n + 1, Trust.LABEL)

    def _role_before(self, n: int) -> bool:
        """Whether the label that ends with word n names a role: "Consultant in charge:"."""
        t = self._t
        if t.kinds[n] & Is.CLINICAL:
            return False
        for k in range(n, max(-1, n - 5), -1):
            if t.kinds[k] & Is.ROLE:
                return True
            if t.is_first(k):
                return False
        return False

    def _field(self, n: int, strict: bool = False) -> bool:
        """Take the whole value of a field if it is short and one of its words is a name, or if it is initials.

        strict: behind a label that tells nothing; each word must look like a name
        """
        t = self._t
        if n >= t.count:
            return False
        end = n + 1
        while end < t.count and end < n + 5 and end not in t.credentials and re.fullmatch(r"\.? ?|, ?", t.gap(end - 1)):
            end += 1
        last = end
        while last > n and (
            self._credential(last - 1)
            or t.kinds[last - 1] & (Is.ROLE | Is.FUNCTION | Is.ACT)
            and not t.kinds[last - 1] & NAME
            and last - 1 > n
        ):
            last -= 1
        if (
            not re.match(r"[ \t]*(?:\n|$|\.?[ \t]*(?:\n|$)|[ \t]{2}|[;(|/\ufffc]|,|-{1,2} )", t.gap(end - 1))
            and end == last
        ):
            return False
        first = (
            not strict
            and n + 1 == end
            and self._shouted(n)
            and len(t.words[n]) <= 4
            and (len(t.words[n]) <= 3 or not t.kinds[n])
        )
        by = n > 0 and t.lower[n - 1] in ("by", "initials", "transcribed", "von", "kürzel")
        if (
            first
            and not t.kinds[n] & Is.ROLE
            and t.words[n] not in ("DR", "MR", "MRS", "PROF")
            and (by or not t.kinds[n] & Is.CLINICAL)
            and not (self._credential(n) and t.lower[n] not in loose_credentials())
        ):
            self._take(n, n + 1)
            return True
        good = 0
        for k in range(n, last):
            kind = t.kinds[k]
            if strict and (
                not self._capital(k)
                or not self._initial(k)
                and kind & (KNOWN | Is.EPONYM)
                and (not kind & NAME or kind & Is.CLINICAL)
                or self._german
                or "," in t.gap(k)
            ):
                return False
            if (
                kind & (Is.CLINICAL | Is.ACT | Is.ROLE | Is.TITLE | Is.LABEL)
                and not kind & NAME
                or self._month(k)
                or k in t.credentials
            ):
                return False
            if kind & (Is.WORD | Is.FUNCTION) and not kind & (NAME | Is.PARTICLE) and not self._capital(k):
                return False
            good += len(t.words[k]) > 1 and (
                bool(kind & NAME and not kind & (Is.EITHER | Is.CLINICAL))
                or not kind & (KNOWN | Is.EPONYM | Is.PARTICLE)
            )
        if not good or last - n == 1 and (strict or not self._role_before(n - 1) or t.kinds[n] & KNOWN):
            return False
        if strict and not any(t.kinds[k] & NAME and not t.kinds[k] & Is.EITHER for k in range(n, last)):
            return False
        self._names_from(n, Trust.LABEL)
        self._take(n, last)
        return True

    def _is_label(self, n: int) -> bool:
        """Whether up to four words that end with word n are a label: nothing but these since a line or sentence began."""
        t = self._t
        for k in range(n, max(-1, n - 7), -1):
            if t.is_first(k) or any(c in t.before(k) for c in ",(\ufffc-/") or re.search(r"\s{3,}", t.before(k)):
                return True
        return False

    def _act_near(self, n: int, reach: int, telling: bool = False) -> bool:
        """Whether someone did something, or told it, up to ``reach`` words before word n of the same sentence."""
        t = self._t
        for k in range(n - 1, max(-1, n - 1 - reach), -1):
            if t.lower[k] in _TELLING if telling else t.kinds[k] & Is.ACT:
                return True
            if t.is_first(k) and any(c in t.before(k) for c in ".!?;") or t.before(k).count("\n") > 1:
                return False
        return False

    def _mixed(self, n: int) -> bool:
        return not self._t.in_capitals(n) and self._capital(n)

    # No cue

    def _lines(self) -> None:
        """Take names that stand alone on a line, as signatures do."""
        t = self._t
        n = 0
        while n < t.count:
            if not (n == 0 or "\n" in t.before(n)):
                n += 1
                continue
            end = n + 1
            while end < t.count and "\n" not in t.gap(end - 1) and end < n + 8:
                end += 1
            last = end
            while last > n + 1 and self._credential(last - 1):
                last -= 1
            line_start = t.text.rfind("\n", 0, t.starts[n]) + 1
            stop = t.text.find("\n", t.ends[end - 1])
            rest = t.text[t.ends[end - 1] : stop if stop >= 0 else len(t.text)]
            lead = t.text[line_start : t.starts[n]]
            if (
                2 <= last - n <= 4
                and rest.strip(" \t.,)*_-") == ""
                and lead.strip(" \t*_/-–—s") == ""
                and self._signature(n, last)
            ):
                self._take(n, last)
            n = end

    def _signature(self, n: int, end: int) -> bool:
        """Whether the words of a line are a name and nothing else."""
        t = self._t
        signed = n > 0 and t.lower[n - 1] in _SIGNED
        known = sure = 0
        for k in range(n, end):
            kind = t.kinds[k]
            if k > n and not (_GAP.fullmatch(t.gap(k - 1)) or _COMMA.fullmatch(t.gap(k - 1))):
                return False
            if self._initial(k):
                continue
            if not self._capital(k) and not kind & Is.PARTICLE or self._none(k) and not kind & Is.PARTICLE:
                return False
            if kind & Is.PARTICLE and k < end - 1 and k > n:
                continue
            if kind & (KNOWN & ~Is.RARE | Is.EPONYM) and not kind & NAME or kind & Is.CLINICAL:
                if not (signed and kind & (Is.WORD | Is.EPONYM) and not kind & (Is.CLINICAL | Is.ROLE | Is.ACT)):
                    return False
            known += bool(kind & NAME)
            sure += bool(kind & NAME and not kind & Is.EITHER) or not kind & KNOWN and not kind
        if signed:
            return True
        return known > 0 and sure > 0 or sure > 1 and not self._german and t.starts[n] > 0.6 * len(t.text)

    def _alone(self, n: int) -> None:
        t = self._t
        kind, word, low = t.kinds[n], t.words[n], t.lower[n]
        if self._none(n) and not self._initial(n) or (kind & KNOWN and not kind & NAME):
            return
        first, capitals = t.is_first(n), t.in_capitals(n)
        after = n + 1 if n + 1 < t.count else -1
        if self._initial(n):
            gap = t.gap(n)
            if (
                after > 0
                and re.fullmatch(r"\. ?", gap)
                and self._capital(after)
                and self._does(n, False, first, capitals)
            ):
                self._grow(n)
                return
            if after > 0 and re.fullmatch(r"\. ?", gap) and not capitals and self._capital(after):
                k = after
                while k + 1 < t.count and self._initial(k) and re.fullmatch(r"\.? ?", t.gap(k)):
                    k += 1
                other = t.kinds[k]
                named = (
                    self._beside(k)
                    or bool(other & (NAME | Is.RARE))
                    and not other & (Is.CLINICAL | Is.FUNCTION | Is.WORD | Is.ROLE)
                    and self._closed(k)
                )
                if len(t.words[k]) > 2 and not t.words[k].isupper() and named and not self._sign_follows(k):
                    self._take(n, k + 1)
                    self._extend(n, k + 1)
            return
        sure = bool(kind & NAME) and not kind & (Is.EITHER | Is.EPONYM | Is.CLINICAL | Is.PRODUCT)
        comma = after > 0 and re.fullmatch(r", ?", t.gap(n)) is not None
        near = after > 0 and (t.gap(n) in (" ", "  ") or comma) and self._capital(after)
        follows = t.kinds[after] if near else Is.FUNCTION
        if near and sure and not self._none(after):
            fits = follows & NAME and not follows & (Is.EITHER | Is.CLINICAL | Is.EPONYM | Is.PRODUCT)
            if comma:
                given = bool(follows & Is.GIVEN) and not follows & (Is.EITHER | Is.CLINICAL)
                if given and bool(kind & Is.SURNAME):
                    self._grow(n)
                    return
            elif (
                kind & Is.GIVEN
                and (fits or not follows and (not capitals and not self._german or follows & NAME))
                or (fits and not capitals and not self._german)
            ):
                self._grow(n)
                return
        if (
            near
            and not comma
            and not first
            and not capitals
            and not self._german
            and not kind & (KNOWN | Is.EPONYM | Is.EITHER)
            and not follows & (KNOWN | Is.EPONYM | Is.EITHER)
        ):
            end = self._phrase(n, Trust.LIKELY)
            if end > n + 1 and re.fullmatch(r"[,(] ?| [(]", t.before(n)) and re.match(r"[,)]", t.gap(end - 1)):
                self._grow(n)
                return
        if (
            near
            and not comma
            and not first
            and not capitals
            and not self._german
            and not kind
            and follows & NAME
            and not follows & (Is.EITHER | Is.CLINICAL)
        ):
            self._grow(n)
            return
        if (
            near
            and not comma
            and kind & Is.GIVEN
            and not kind & (Is.CLINICAL | Is.PRODUCT)
            and not capitals
            and not first
            and self._initial(after)
        ):
            self._grow(n)
            return
        if (
            near
            and not comma
            and not capitals
            and self._shouted(n)
            and self._shouted(after)
            and len(word) > 2
            and len(t.words[after]) > 2
        ):
            if (
                not kind & KNOWN
                and not follows & KNOWN
                and (
                    kind & NAME
                    and not kind & Is.EITHER
                    or follows & NAME
                    and not follows & Is.EITHER
                    or len(word) + len(t.words[after]) > 9
                    and (self._closed(after) or after + 1 < t.count and t.kinds[after + 1] & Is.PAST)
                )
            ):
                self._take(n, after + 1)
                self._extend(n, after + 1)
                return
        if self._does(n, sure, first, capitals):
            self._grow(n)
            return
        if (
            first
            or capitals
            or low in t.uncapitalised
            or kind & (Is.EPONYM | Is.CLINICAL | Is.PRODUCT)
            or self._sign_follows(n)
        ):
            return
        if _MC.fullmatch(word) and not kind & (Is.WORD | Is.RARE):
            self._grow(n)
        elif self._german or self._shouted(n):
            return
        elif (
            sure
            and after > 0
            and t.gap(n) == " "
            and t.words[after].islower()
            and t.kinds[after] & (Is.WORD | Is.CLINICAL)
            and not t.kinds[after] & (Is.FUNCTION | Is.PAST | Is.ACT)
        ):
            self._may_be[n] = 1  # before a noun, more likely the name of a sign
        elif sure:
            self._grow(n)
        elif not kind and len(word) > 2 and word[1:].islower():
            if re.match(
                r"(?: at | @ ?|, )\d{1,2}[:.]?\d\d|'s office| (?:at|on|via) (?:ext|pager|\ufffc)| \((?:ext|pager|\ufffc)",
                t.text[t.ends[n] : t.ends[n] + 14],
            ):
                self._grow(n)
            else:
                self._may_be[n] = 2
        elif (
            not kind
            and len(word) > 4
            and "-" in word
            and all(part[:1].isupper() and part[1:].islower() and len(part) > 2 for part in word.split("-"))
        ):
            self._may_be[n] = 2

    def _does(self, n: int, sure: bool, first: bool, capitals: bool) -> bool:
        """Whether the word is somebody who does something: "X was notified", "X aware"."""
        t = self._t
        kind = t.kinds[n]
        if kind & (Is.CLINICAL | Is.PRODUCT) and not kind & NAME or kind & KNOWN & ~Is.RARE and not kind & NAME:
            return False
        end = self._phrase(n, Trust.LIKELY)
        several = end > n + 1
        end = max(end, n + 1)
        if not several:
            heard = (
                capitals
                and not kind
                and end < t.count
                and t.lower[end] in _HEARING
                and t.gap(n) == " "
                and len(t.words[n]) > 4
            )
            if (
                kind & Is.CLINICAL
                or not kind & NAME
                and (capitals or self._german)
                and not heard
                or kind & Is.EITHER
                and (capitals or self._german)
            ):
                return False
            if kind & Is.RARE and not kind & NAME and (first or len(t.words[n]) < 4 or self._shouted(n)):
                return False
            if self._shouted(n) and not capitals and not kind & NAME and len(t.words[n]) < 5:
                return False
        elif first and not any(
            len(t.words[k]) > 1 and (t.kinds[k] & NAME and not t.kinds[k] & Is.EITHER or not t.kinds[k])
            for k in range(n, end)
        ):
            return False
        if (
            _PERSON_AHEAD.match(t.text, t.ends[end - 1])
            and (several or self._sure(n))
            and not any(t.kinds[j] & (Is.CLINICAL | Is.PRODUCT) and not t.kinds[j] & NAME for j in range(n, end))
        ):
            return True
        k, passing = end, 0
        while k < t.count and passing < 3 and t.lower[k] in _PASSING and t.gap(k - 1) in (" ", ", "):
            k, passing = k + 1, passing + 1
        if (
            k >= t.count
            or t.gap(k - 1) not in (" ", "  ")
            or not t.kinds[k] & Is.PAST
            or not (capitals or t.words[k].islower())
        ):
            return False
        strong = t.lower[k] in _HEARING
        if (
            several
            and capitals
            and not strong
            and not any(t.kinds[j] & NAME and not t.kinds[j] & Is.EITHER for j in range(n, end))
        ):
            return False
        return strong or several or not (kind & Is.EITHER and first)

    def _grow(self, n: int) -> None:
        end = self._phrase(n, Trust.LIKELY)
        end = max(end, n + 1)
        self._take(n, end)
        self._extend(n, end)

    # Results

    def claim(self) -> list[tuple[int, int, float]]:
        """Claim the names; spans of what might be one and was left, with a weight."""
        t = self._t
        n = 0
        while n < t.count:
            if not self._is_name[n]:
                n += 1
                continue
            end = n
            while self._joined[end] and end + 1 < t.count and self._is_name[end + 1]:
                end += 1
            stop = t.ends[end]
            if len(t.words[end]) == 1 and re.match(r"\.[ \t]*(?:[a-z,;)]|\ufffc)", t.text[stop : stop + 6]):
                stop += 1
            if not self._claims.add(t.starts[n], stop, "name"):
                for k in range(n, end + 1):
                    self._claims.add(t.starts[k], t.ends[k], "name")
            n = end + 1
        return [(t.starts[n], t.ends[n], weight) for n, weight in self._may_be.items() if not self._is_name[n]]
