"""Names of people in a text: known ones, and others by what stands around them and by how they are written.

A cue, such as a title, the label of a field or "discussed with", opens a place for names.  How much the cue is trusted
decides which words may stand there; what a word may be, is said by :mod:`radcal.ingest.deidentify.words`.
"""

from __future__ import annotations

import re

from radcal.ingest.deidentify.phrases import COMMA, GAP, Trust
from radcal.ingest.deidentify.structures import Structures
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, what, word_set

_I_NAME = re.compile(
    r"(?:(?<![^\W_])(?:I|Ich),[ \t]+(?!I{1,3}[ ,]|I?V[ ,])|/[sS]/[ \t]*|(?m:^)(?:Re|RE|Dear|DEAR|Liebe|Lieber|Hi|Hello"
    r"|Hallo)[:,]?[ \t]+)(?=[^\W\d_])"
)
_PASSING = word_set(
    "was is were are has have had been be being also then personally already fully wurde wurden ist hat haben and"
    " will both directly verbally"
)
_PERSON_AHEAD = re.compile(
    r"(?:,? (?:is|was) an? |,? an? |, ?|[ ]\(?)(?:\d{1,3}|\ufffc{1,14})(?:[- ]?(?:year|yr|yo\b|y/o|y\.o|j(?:ä"
    r"|ae)hrig)| ?[MFmf]\b)|,? ?(?:\* ?[\d\ufffc]|\(?(?:geb\.|geboren|DOB|MRN)(?![^\W_]))",
    re.IGNORECASE,
)
_HEARING = word_set(
    "notified informed aware acknowledged acknowledges paged contacted verbalized verbalised agrees confirmed denies"
    " concurs dictated"
)
_SIGNED = word_set(
    "signed regards sincerely truly by dictated interpreted grüßen grüße radiologist physician hochachtungsvoll"
    " gezeichnet"
)
_MC = re.compile(r"(?:O['’]|Mc|Mac|D['’]|L['’]|Fitz|De|Di|La|Van|St)[A-ZÄÖÜ][a-zäöüß]{2,}")
_INITIALS = re.compile(
    r"(?m)^[ \t]*(?:(?:DD|DT|D|T|TT|RPT|TR|Dict|Trans|Typed|Tech"
    r"|Init(?:ials)?)[:.][ \t]*)?(?P<a>(?=[^\W\d_a-zß-ÿ])[^\W\d_]{2,4}|[a-z]{2,3})[ ]?[/:\\;][ ]?(?P<b>[A-Za-z]{2,4})"
    r"(?=[ \t]*(?:$|[\d\ufffc]|[-–,][ \t]?[\d\ufffc]))"
)
_TYPED = re.compile(
    r"(?<![^\W_])(?P<l>(?i:transcribed|typed|dictated|scanned|transcriptionist|typist|initials?|transcription|visum"
    r"|erstellt|kontrolle|diktiert|geschrieben|schreibkraft|kürzel)"
    r"(?:[ ](?i:by|von))?[ ]?:?|(?:TR|T|TT|D|DICT|Dict|TRANS|Trans|TRANSC|RPT|Tech|TECH|Rad|RAD)[.:])[ ]{0,3}"
    r"(?P<a>[^\W\d_]{2,4})(?:[ ]?[/:][ ]?(?P<b>[^\W\d_]{2,4}))?(?=[ \t]*(?:$|\n|[\d\ufffc,;)]|\.(?:\s|$)|(?:on"
    r"|at)\b|[-–]))"
)
_KEPT = re.compile(
    r"Sister (?:Mary )?Joseph(?:'s)? (?:nod|sign|metasta)|[Kk]not of Henry|[Aa]nnulus of Zinn|[Ss]phincter of Oddi"
)
"""Names within terms that no list of single words can keep."""
_CARETS = re.compile(r"(?<![^\W_])[^\W\d_][\w'’-]{1,30}\^[^\W\d_][\w'’-]{0,30}(?:\^{1,3}[^\W\d_][\w'’-]{0,30}){0,4}")
_LOWER = re.compile(
    r"(?<![^\W_])(?:(?:dr|mr|mrs|prof|herr|frau)\.? (?P<all>(?:[a-z]\.? ?){0,2}(?P<n>[^\W\d_A-Z]{3,25}))"
    r")(?![^\W_])"
)
_THEN = word_set("understood understands said says asked has will was is did had wants wanted called stated repeated")
_GRADED = re.compile(
    r"[ ](?:[IVX]{1,4}[a-c]?|[A-D]?\d{1,2}[a-c]?|Typ|[Tt]ype|[Gg]rade|Grad|Stadium|[Cc]lass)(?![\w:/.,]\w|\w"
    r"| (?:at|on|by)\b)"
    r"|-[^\W\d_]+[ ](?:[IVX]{1,4}|Typ|[Tt]ype|[Gg]rade|Grad)(?!\w)"
)
_NO_TYPIST = word_set(
    "by dr mr mrs ms prof md do rn np pa on at the in and for with from to of no yes but as per frau herr"
)
_ITEM = re.compile(r"[ ]?[,/+][ ]?|[ ](?=\Z)")
_LAST = re.compile(
    r"\n[ \t]*[(/:-]?[ ]?(?P<a>[A-Z]{2,4}|[a-z]{2,3}(?=[)/:])"
    r"|(?<=/)[a-z]{2,4})\)?(?:[/:](?P<b>[A-Za-z]{2,4}))?[ \t.]*\s*\Z"
)
_NO_INITIALS = word_set(
    "ap pa lat cc mlo ct mr us xr rl lr iv po od os ou ed er or na pt rt lt in vs no and of mm cm ml hu im se"
)


class NameFinder(Structures):
    """Finds the names of one text."""

    def find(self, known: list[tuple[int, int]]) -> None:
        """Take all names; ``known``: spans of known ones, in characters."""
        t = self._t
        for start, end in known:
            n = t.at(start)
            if n and t.ends[n - 1] > start:
                n -= 1
            end_word = max(n + 1, t.at(end))
            self._mark(n, end_word)
            self._extend(n, end_word)
        for m in _KEPT.finditer(t.text):
            self._claims.keep(m.start(), m.end())
        self._structured()
        for n in range(t.count):
            kind = t.kinds[n]
            if (
                kind & (Is.TITLE | Is.ROLE | Is.LABEL | Is.ACT | Is.CREDENTIAL | Is.FUNCTION)
                or n in t.credentials
                or ":" in t.gap(n)
                or t.gap(n) == " ("
            ):
                self._cue(n, kind)
        for m in _I_NAME.finditer(t.text):
            n = t.at(m.end())
            if m.group()[0] == "I" and t.text.startswith("geb", m.end()):
                continue
            start, titled = self._behind_titles(n)
            end = self._phrase(start, Trust.SURE if titled else Trust.LABEL)
            if end > start and (self._closed(end - 1)):
                self._take(start, end)
        self._typed()
        for m in _CARETS.finditer(t.text):
            self._take(t.at(m.start()), t.at(m.end()))
        for m in _LOWER.finditer(t.text):
            n = t.at(m.start("n"))
            if n < t.count and (not t.kinds[n] & (KNOWN | Is.EPONYM | Is.PARTICLE) or self._sure(n)):
                self._take(t.at(m.end() - len(m["all"])), n + 1)
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

    def _typed(self) -> None:
        """Take initials behind labels of those who typed, and those that stand alone at the end of the text."""
        t = self._t
        for m in _TYPED.finditer(t.text):
            for group in ("a", "b"):
                word = m[group]
                if word is None or word.lower() in _NO_TYPIST:
                    continue
                n = t.at(m.start(group))
                if n < t.count and (word.isupper() or m["b"] or (m["l"] != "scanned" and not t.kinds[n] & KNOWN)):
                    self._take(n, n + 1)
        if (last := _LAST.search(t.text, max(0, len(t.text.rstrip()) - 60))) and last.start() > 0:
            n = t.at(last.start("a"))
            if last["b"] or not t.kinds[n] & (KNOWN | Is.LABEL | Is.CREDENTIAL):
                self._take(n, n + 1)
                if last["b"] and n + 1 < t.count:
                    self._take(n + 1, n + 2)

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
            if t.lower[n] in self._certain and self._same(n):
                self._take(n, n + 1)
                continue
            beside = (n > 0 and self._is_name[n - 1] and t.gap(n - 1) == " ") or (
                n + 1 < t.count and self._is_name[n + 1] and t.gap(n) == " "
            )
            if beside and not kind & Is.CLINICAL:
                self._take(n, n + 1)
                if self._is_name[n + 1]:
                    self._joined[n] = 1
            elif not kind & (KNOWN | Is.EITHER | Is.EPONYM) and not self._sign_follows(n):
                self._take(n, n + 1)
                self._extend(n, n + 1)

    def _same(self, n: int) -> bool:
        """Whether a word that a sure cue made a name is one here, too, though it may be another word."""
        t = self._t
        kind = t.kinds[n]
        if self._sign_follows(n) or t.in_capitals(n) or (self._german and kind & KNOWN):
            return False
        if t.is_first(n):
            if t.gap(n)[:2] in ("'s", "’s"):
                return True
            return (
                n + 1 < t.count
                and t.gap(n) == " "
                and t.words[n + 1].islower()
                and (bool(t.kinds[n + 1] & Is.PAST) or t.lower[n + 1] in _THEN)
            )
        return t.lower[n] not in t.uncapitalised and not kind & (Is.ROLE | Is.LABEL | Is.PRODUCT)

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
            if k > n and not (GAP.fullmatch(t.gap(k - 1)) or COMMA.fullmatch(t.gap(k - 1))):
                return False
            if self._initial(k):
                continue
            if (not self._capital(k) and not kind & Is.PARTICLE) or (self._none(k) and not kind & Is.PARTICLE):
                return False
            if kind & Is.PARTICLE and k < end - 1 and k > n:
                continue
            other = (kind & (KNOWN & ~Is.RARE | Is.EPONYM) and not kind & NAME) or kind & Is.CLINICAL
            if other and not (signed and kind & (Is.WORD | Is.EPONYM) and not kind & (Is.CLINICAL | Is.ROLE | Is.ACT)):
                return False
            known += bool(kind & NAME)
            sure += bool(kind & NAME and not kind & Is.EITHER) or (not kind & KNOWN and not kind)
        if signed:
            return True
        return (known > 0 and sure > 0) or (sure > 1 and not self._german and t.starts[n] > 0.6 * len(t.text))

    def _alone(self, n: int) -> None:
        t = self._t
        kind, word, low = t.kinds[n], t.words[n], t.lower[n]
        if (self._none(n) and not self._initial(n)) or (kind & KNOWN and not kind & NAME):
            return
        first, capitals = t.is_first(n), t.in_capitals(n)
        if _GRADED.match(t.text, t.ends[n]) or self._among_eponyms(n):
            return
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
                named = self._beside(k) or (
                    bool(other & (NAME | Is.RARE))
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
                kind & Is.GIVEN and (fits or (not follows and ((not capitals and not self._german) or follows & NAME)))
            ) or (fits and not capitals and not self._german):
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
        ) and (
            not kind & KNOWN
            and not follows & KNOWN
            and (
                (kind & NAME and not kind & Is.EITHER)
                or (follows & NAME and not follows & Is.EITHER)
                or (
                    len(word) + len(t.words[after]) > 9
                    and (self._closed(after) or (after + 1 < t.count and t.kinds[after + 1] & Is.PAST))
                )
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
                r"(?: at | @ ?|, )\d{1,2}[:.]?\d\d|'s office| (?:at|on|via) (?:ext|pager|\ufffc)| \((?:ext|pager"
                r"|\ufffc)",
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

    def _among_eponyms(self, n: int) -> bool:
        """Whether word n stands in a list of eponyms, or beside one that no given name goes with."""
        t = self._t
        seen = 0
        for step in (-1, 1):
            k = n
            for _ in range(5):
                if not 0 <= k + step < t.count:
                    break
                if not _ITEM.fullmatch(t.gap(k) if step > 0 else t.before(k)):
                    break
                k += step
                seen += self._eponym(k)
        own = self._eponym(n)
        if seen > 1 or (seen and own):
            return True
        after = n + 1
        if after < t.count and t.gap(n) in (" ", ". ") and self._eponym(after):
            return (
                (self._shouted(n) and len(t.words[n]) < 3)
                or (self._initial(n) and n > 0 and self._eponym(n - 1))
                or (self._initial(n) and self._german and t.words[n] == "M")
            )
        joined = n > 1 and t.lower[n - 1] in ("and", "und") and t.gap(n - 1) == t.gap(n - 2) == " "
        return joined and self._eponym(n - 2)

    def _eponym(self, n: int) -> bool:
        """Whether word n, or each part of it, is an eponym."""
        kinds = [what(part) for part in self._t.lower[n].split("-") if len(part) > 1]
        return bool(kinds) and all(kind & Is.EPONYM for kind in kinds)

    def _does(self, n: int, sure: bool, first: bool, capitals: bool) -> bool:
        """Whether the word is somebody who does something: "X was notified", "X aware"."""
        t = self._t
        kind = t.kinds[n]
        if (kind & (Is.CLINICAL | Is.PRODUCT) and not kind & NAME) or (kind & KNOWN & ~Is.RARE and not kind & NAME):
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
                or (not kind & NAME and (capitals or self._german) and not heard)
                or (kind & Is.EITHER and (capitals or self._german))
            ):
                return False
            if kind & Is.RARE and not kind & NAME and (first or len(t.words[n]) < 4 or self._shouted(n)):
                return False
            if self._shouted(n) and not capitals and not kind & NAME and len(t.words[n]) < 5:
                return False
        elif first and not any(
            len(t.words[k]) > 1 and ((t.kinds[k] & NAME and not t.kinds[k] & Is.EITHER) or not t.kinds[k])
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
