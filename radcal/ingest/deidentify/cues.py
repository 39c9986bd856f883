"""What stands beside names: titles, labels, credentials, roles, and what people do."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.endings import Endings
from radcal.ingest.deidentify.phrases import COMMA, GAP, SPACE, STRONG_TITLES, Trust
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, loose_credentials, word_set

_TO_NAME = re.compile(r"[.\s\xa0,(\"'/*_-]{0,12}")
COLON = re.compile(
    r"\.?[ \t]*(?:\([^()\n]{0,20}\)|#\d|\d|\)|[*_]+)?[ \t]*(?::[*_]*|=|\||\t|[-–—]{1,2}(?=[ \t]))[\s:*_]*"
)
_LIST = re.compile(r"[ \t]*(?:,|;|/|&|\+|\n)?[ \t\n]*(?:[-*•][ \t])?")
_AFTER_TITLE = word_set(
    "med univ habil dent phil rer nat dipl priv doz vet dr drs prof md dres pd hc mult ing kollege kollegin"
    " kollegen iur mag"
)
_PREPOSITIONS = word_set("with to from for mit an für bei attn zu and und or")
_BY = word_set("by von durch per")
_TELLING = word_set(
    "telefonat gespräch absprache konsil mitteilung weitergabe übermittlung discussed discuss discussing"
    " communicated conveyed relayed called telephoned phoned paged notified informed"
    " contacted spoke spoken speaking told"
    " advised alerted messaged texted emailed faxed sent reviewed consulted reported delivered transmitted handed"
    " escalated discussion conversation"
    " communication notification call telephone telephonically phone verbally chat message page readback read-back"
    " conferred confers explained disclosed"
    " referred updated passed shared given besprochen mitgeteilt telefonisch telefoniert informiert übermittelt"
    " benachrichtigt rücksprache gesprochen"
    " demonstriert verständigt weitergegeben durchgegeben kontaktiert abgestimmt diskutiert vorgestellt kommuniziert"
    " überwiesen"
)
_OF_PEOPLE = word_set(
    "behalf supervision presence care direction guidance request office wife husband mother father referral service"
    " team patient discretion"
)
_MADE = word_set(
    "opinion letter note referral report dictation interpretation read addendum review transcription signature"
    " readback bericht befund"
)
_KIN = word_set(
    "son daughter wife husband mother father brother sister spouse partner caregiver guardian niece nephew grandson"
    " granddaughter uncle aunt friend"
    " ehemann ehefrau tochter sohn"
)
_NAMED = word_set("named nee née geb geborene alias aka called namens heißt lautet maiden née")
_SPEAKING = word_set(
    "notified informed contacted called telephoned phoned paged told advised alerted messaged texted spoke messaging"
    " calling paging notifying"
    " informing contacting telefoniert informiert benachrichtigt verständigt kontaktiert discuss discussed cc"
    " consented interviewed reaching"
)
_REPORTING = word_set(
    "dictated signed transcribed typed read reviewed interpreted verified approved authenticated finalized finalised"
    " reported"
)


class Cues(Endings):
    """Takes the names beside the cues of a text."""

    def _names_from(self, n: int, trust: Trust) -> int:
        """Take the names of a list that may begin with word n, but no titles and credentials; where it ends."""
        t = self._t
        reached = n
        for _ in range(12):
            start, titled = self._behind_titles(self._behind_roles(n) if trust < Trust.SURE else n)
            end = self._phrase(start, Trust.SURE if titled else trust)
            if end == start:
                return reached
            end = self._take(start, end)
            if end == start:
                return reached
            reached = n = self._behind_credentials(end)
            if n >= t.count or not _LIST.fullmatch(t.gap(n - 1).lstrip(".)")):
                return reached
            if t.lower[n] in ("and", "und", "or", "oder", "&", "sowie", "cc", "then") and SPACE.fullmatch(t.gap(n)):
                n += 1
            elif not t.gap(n - 1).strip(" \t.)"):
                return reached
            if "\n" in t.before(n) and (
                trust < Trust.LABEL or not (self._sure(n) or self._initial(n) or t.lower[n] in STRONG_TITLES)
            ):
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
            and t.lower[k] not in STRONG_TITLES
            and (
                (t.kinds[k] & (Is.ROLE | Is.TITLE) and not t.kinds[k] & NAME)
                or self._credential(k)
                or t.lower[k] in ("the", "our", "charge", "attending", "nurse")
            )
        ):
            k += 1
        return k

    def _behind_titles(self, n: int) -> tuple[int, bool]:
        t = self._t
        titled = False
        farthest = n + 8
        while (
            n + 1 < t.count
            and n < farthest
            and (GAP.fullmatch(t.gap(n)) or t.gap(n) == ".-")
            and (
                (t.lower[n] in STRONG_TITLES and t.words[n] != "MS" and not self._modality(n))
                or (
                    titled
                    and t.lower[n] in _AFTER_TITLE
                    and (t.gap(n)[:1] == "." or not (self._capital(n) and not t.kinds[n + 1] and len(t.words[n]) > 2))
                )
            )
        ):
            if t.lower[n] in STRONG_TITLES or titled:
                titled = True
            n += 1
        return n, titled

    def _behind_credentials(self, n: int) -> int:
        t = self._t
        farthest = n + 8
        while (
            n < min(t.count, farthest)
            and re.fullmatch(r"[ \t]*[,(/]?[ \t]*", t.gap(n - 1).lstrip(".)"))
            and (
                self._credential(n)
                or (t.kinds[n] & Is.ROLE and not t.kinds[n] & NAME and re.search("[,(/]", t.gap(n - 1)))
            )
        ):
            end = t.credentials.get(n, t.ends[n])
            n += 1
            while n < t.count and t.starts[n] < end:
                n += 1
        return n

    def _extend(self, n: int, end: int) -> None:
        """Take initials and names that stand beside a known name."""
        t = self._t
        first, last = n - 4, end + 4
        while n > max(0, first) and GAP.fullmatch(t.gap(n - 1)) and "\n" not in t.gap(n - 1) and self._beside(n - 1):
            n -= 1
        while (
            end < min(t.count, last)
            and (GAP.fullmatch(t.gap(end - 1)) or COMMA.fullmatch(t.gap(end - 1)))
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
                low in STRONG_TITLES
                and not (low == "ms" and t.words[n] != "Ms")
                and (
                    low not in ("oberarzt", "oberärztin", "chefarzt", "chefärztin", "assistenzarzt", "assistenzärztin")
                    or self._capital(n)
                )
            ):
                start, _ = self._behind_titles(n)
                if start > n and not (low == "dr" and start < t.count and n and self._street(n)):
                    self._titled(start)
            elif (
                self._capital(n)
                and not (
                    self._shouted(n)
                    and low
                    in (
                        "ms",
                        "hr",
                        "fr",
                        "lt",
                        "col",
                        "pd",
                        "major",
                        "miss",
                        "judge",
                        "sir",
                        "sister",
                        "nurse",
                        "father",
                    )
                    and (t.in_capitals(n) or low in ("ms", "hr", "fr", "lt"))
                    and not (low in ("ms", "miss") and (gap.startswith(".") or low == "miss"))
                )
                and (
                    low not in ("lt", "col", "hr", "fr")
                    or gap.startswith(".")
                    or (low in ("hr", "fr") and self._german)
                )
            ):
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
            colon = COLON.match(gap) if n + 1 < t.count else None
            if (
                colon
                and colon.end() >= len(gap.rstrip("(\"'*_. "))
                and not (kind & Is.CREDENTIAL and not kind & (Is.ROLE | Is.LABEL))
            ):
                self._labelled(n)
        elif (
            n + 1 < t.count
            and gap.lstrip(" \t")[:1] == ":"
            and (colon := COLON.match(gap))
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
        if kind & Is.ROLE and "\n" not in gap and gap.strip() in ("", ",", "("):
            both = (
                n + 2 < t.count
                and t.gap(n + 1) == " "
                and all(
                    not t.kinds[k] & (KNOWN | Is.EPONYM) or (t.kinds[k] & NAME and not t.kinds[k] & Is.CLINICAL)
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
                or (t.kinds[n + 1] & NAME and not t.kinds[n + 1] & Is.EITHER)
                or (t.in_capitals(n + 1) and (both or low in _KIN or self._acts(n + 1)))
            ):
                inserted = False
                if gap.strip():
                    end = self._phrase(n + 1, Trust.LIKELY)
                    inserted = end > n + 1 and t.gap(end - 1)[:1] in ",)"
                some = (bool(gap.strip()) and not inserted) or bool(t.kinds[n + 1] & Is.EPONYM)
                self._names_from(n + 1, Trust.SOME if some else Trust.LIKELY)
        if low in _BY and (self._act_near(n, 5) or (n and t.lower[n - 1] in _MADE)):
            reporting = (
                n
                and t.lower[n - 1] in _REPORTING
                and t.words[n + 1].islower()
                and (self._closed(n + 1) or not t.kinds[n + 2 : n + 3] or not t.kinds[n + 2] & KNOWN)
            )
            if (
                (
                    self._shouted(n + 1)
                    and len(t.words[n + 1]) <= 3
                    and n > 0
                    and t.kinds[n - 1] & Is.ACT
                    and self._closed(n + 1)
                    and not t.in_capitals(n + 1)
                )
                and not t.kinds[n + 1] & (Is.CLINICAL | Is.ROLE)
                and t.words[n + 1] not in ("DR", "RN", "MR")
            ):
                self._take(n + 1, n + 2)
            by_label = n > 0 and t.lower[n - 1] in _REPORTING and self._mixed(n + 1)
            self._names_from(n + 1, Trust.LABEL if reporting or by_label else Trust.LIKELY)
        elif (
            (
                low in ("by", "per", "thank", "behalf")
                and (self._mixed(n + 1) or self._pair(n + 1))
                and not self._german
                and (
                    self._initial(n + 1)
                    or self._sure(n + 1)
                    or (self._name_follows(n + 1) and not t.kinds[n + 1] & (KNOWN | Is.EPONYM))
                )
            )
            or (
                low in ("of", "für", "referring", "beside")
                and n
                and (t.lower[n - 1] in _OF_PEOPLE or low == "referring")
            )
            or (low in _PREPOSITIONS and self._act_near(n, 12, telling=True))
            or (kind & Is.ACT and low in _SPEAKING and not gap.strip())
        ):
            self._names_from(n + 1, Trust.LIKELY)
        if (
            low == "name"
            and self._capital(n)
            and not gap.strip()
            and (self._mixed(n + 1) or self._pair(n + 1))
            and (
                self._initial(n + 1) or self._sure(n + 1) or (self._name_follows(n + 1) and not t.kinds[n + 1] & KNOWN)
            )
        ):
            self._names_from(n + 1, Trust.LABEL)
        if low in ("team", "service", "clinic", "office") and gap == " (":
            end = self._phrase(n + 1, Trust.LIKELY)
            if end > n + 1 and t.gap(end - 1).startswith(")"):
                self._take(n + 1, end)
        if low in _NAMED or (
            low == "is"
            and n
            and t.lower[n - 1] in ("name", "radiologist", "physician", "contact", "provider", "attending")
        ):
            self._names_from(n + 1, Trust.LIKELY)

    def _acts(self, n: int) -> bool:
        """Whether word n is unknown and does something: "NURSE X WAS TOLD"."""
        t = self._t
        return (
            not t.kinds[n]
            and n + 1 < t.count
            and t.gap(n) == " "
            and (t.lower[n + 1] in ("was", "is", "has") or bool(t.kinds[n + 1] & (Is.PAST | Is.ACT)))
        )

    def _pair(self, n: int) -> bool:
        """Whether words n and n + 1, in capitals, can hardly be anything but a name; the first may be an initial."""
        t = self._t
        if n + 1 >= t.count or not GAP.fullmatch(t.gap(n)) or "\n" in t.gap(n):
            return False
        return (self._initial(n) or self._sure(n)) and (self._sure(n + 1) or not t.kinds[n + 1] & (KNOWN | Is.EPONYM))

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
            or (t.kinds[last - 1] & (Is.ROLE | Is.FUNCTION | Is.ACT) and not t.kinds[last - 1] & NAME and last - 1 > n)
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
                or (not self._initial(k) and kind & (KNOWN | Is.EPONYM) and (not kind & NAME or kind & Is.CLINICAL))
                or self._german
                or "," in t.gap(k)
                or (kind & Is.EPONYM and k + 1 < last and t.kinds[k + 1] & Is.EPONYM)
                or ("-" in t.words[k] and kind & Is.EPONYM)
            ):
                return False
            if (
                (kind & (Is.CLINICAL | Is.ACT | Is.ROLE | Is.TITLE | Is.LABEL) and not kind & NAME)
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
        if not good or (last - n == 1 and (strict or not self._role_before(n - 1) or t.kinds[n] & KNOWN)):
            return False
        if strict and not any(t.kinds[k] & NAME and not t.kinds[k] & Is.EITHER for k in range(n, last)):
            return False
        self._names_from(n, Trust.LABEL)
        self._take(n, last)
        return True

    def _is_label(self, n: int) -> bool:
        """Whether up to six words that end with word n are a label: a line or sentence began with them."""
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
            if (t.is_first(k) and any(c in t.before(k) for c in ".!?;")) or t.before(k).count("\n") > 1:
                return False
        return False

    def _mixed(self, n: int) -> bool:
        return not self._t.in_capitals(n) and self._capital(n)
