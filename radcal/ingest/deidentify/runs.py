"""The grammar of a name: where it begins behind titles and roles, what goes on with it, and where it ends.

    name    = unit { join unit } [ "," given ]
    unit    = { particle } word with a capital | initial
    join    = a space, a nickname's quotation mark, behind an initial also a full stop
    given   = unit { join unit }, with something that ends a name behind it

A name ends before credentials, a label with its colon or value, a heading, and an ordinary word with a capital that
the next sentence begins with.
"""

from __future__ import annotations

import re

from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.words import KNOWN, NAME, OTHER, Is

GAP = re.compile(r"[ \t\xa0]*\.?[ \t\xa0]*\n?[ \t\xa0]*")
_JOIN = re.compile(r"[ \t\xa0]['’\"“„]?|['’-]|[\"”“'’][ ]")
_TITLES = re.compile(GAP.pattern + r"[()]?[ ]?|\.-|\.\)[ ]?")
_BESIDE = Is.TITLE | Is.DEGREE | Is.GRADE | Is.CREDENTIAL | Is.ROLE | Is.SUBJECT
_SETTLED = re.compile(r"[ .-]{0,3}\ufffb")
_WRAPPED = re.compile(r"[ \t]?\n[ \t]?")
_AFTER_INITIAL = re.compile(r"\.?[ \xa0]?|\.-")
_PREFIXED = re.compile(r"[a-zßà-ÿ]{1,4}['’-][^\W\d_a-zß-ÿ]")
_END = re.compile(
    r"[\"”“]?(?:['’][sS](?!\w)|[ \t]*(?:$|\n|[,;:)(/|&\]\[\ufffb\ufffc\d#@+]|\.(?:[\s,;)]|$)|[-–—]{1,2}[ \t]|\t)"
    r"|[ \t]{2,})",
    re.MULTILINE,
)
_STRONG_END = re.compile(r"[ \t]*\.?[ \t]*(?:$|\n|[;|(\ufffb\ufffc\d]|,|\t)|[ \t]{2,}|[ \t]+[-–—/][ \t]?", re.MULTILINE)
_RESULTS = re.compile(r".*(?:ings|ults|ung|ungen|ions?|ures?|befunde?|dies|ages)")
_SEXES = ("F", "M", "W")
_ARTICLES = {"der", "die", "das", "den", "dem", "des", "zu", "zum", "zur", "im"}
"""Within a German name, but no beginning of one."""
_VOWEL = re.compile("[aeiouyäöü]")
_VALUE = re.compile(r"\.?[ ]?(?:#|[ ]?\(?[\d\ufffc+])")
_FOLLOWING = KNOWN & ~Is.RARE | Is.LABEL | Is.ACT | Is.PAST | Is.CREDENTIAL | Is.TITLE
_BRIEF = {"do", "pa", "np", "rt", "md", "rn"}
LONGEST = 7


class Runs:
    """Finds where names begin and end in a text."""

    def __init__(self, reading: Reading) -> None:
        self.t = reading

    # Before a name

    def behind_titles(self, n: int) -> tuple[int, bool]:
        """The word behind titles and degrees from word n on, and whether there are any."""
        t, titled = self.t, False
        farthest = n + 8
        while n + 1 < t.count and n < farthest and _TITLES.fullmatch(t.gap(n)):
            degree = (
                titled
                and t.kinds[n] & Is.DEGREE
                and (t.gap(n)[:1] == "." or not (t.capital(n) and t.unknown(n + 1) and len(t.words[n]) > 2))
            )
            if not (t.title(n) or degree):
                break
            titled = True
            n += 1
        return n, titled

    def behind_roles(self, n: int) -> int:
        """The word behind "nurse", "the attending physician", "RN"; n if there is none."""
        t, k = self.t, n
        while (
            k + 1 < t.count
            and k < n + 4
            and re.fullmatch(r"[ \t]*,?[ \t]*", t.gap(k))
            and not t.kinds[k] & Is.STRONG
            and (
                (t.kinds[k] & (Is.ROLE | Is.TITLE) and not t.kinds[k] & (NAME | Is.CREDENTIAL))
                or t.credential(k)
                or (t.lower[k] in ("the", "our", "charge") and t.kinds[k + 1] & (Is.ROLE | Is.TITLE | Is.CREDENTIAL))
            )
        ):
            k += 1
        return k

    def behind_credentials(self, n: int) -> int:
        """The word behind credentials and roles that follow a name, from word n on."""
        t, farthest = self.t, n + 8
        while n < min(t.count, farthest) and re.fullmatch(r"[ \t]*[,(/]?[ \t]*", t.before(n).lstrip(".)")):
            role = t.kinds[n] & Is.ROLE and not t.kinds[n] & NAME and re.search("[,(/]", t.before(n))
            if not (t.credential(n) or role):
                break
            end = t.credentials.get(n, t.ends[n])
            n += 1
            while n < t.count and t.starts[n] < end:
                n += 1
        return n

    # A name

    def unit(self, n: int) -> int:
        """The word behind particles and the word with a capital that belongs to them; n if there is none."""
        t, k = self.t, n
        if t.german and t.lower[n] in _ARTICLES and t.words[n].islower():
            return n
        while k + 1 < t.count and k < n + 4 and t.words[k].islower():
            irish = t.lower[k] in ("an", "na") and k and t.lower[k - 1] in ("mac", "nic", "con", "ó", "ní", "uí")
            if not (t.kinds[k] & Is.INNER or irish):
                break
            if not _JOIN.fullmatch(t.gap(k)):
                return n
            k += 1
        if k < t.count and (t.capital(k) or _PREFIXED.match(t.words[k])):
            return k + 1
        return n

    def joins(self, n: int) -> bool:
        """Whether nothing that ends a name stands behind word n."""
        t, gap = self.t, self.t.gap(n)
        if _JOIN.fullmatch(gap):
            return True
        if gap == "." and n + 1 < t.count and t.initial(n + 1) and t.capital(n):
            return True
        return (len(t.words[n]) == 1 or t.kinds[n] & Is.ABBREVIATED > 0) and _AFTER_INITIAL.fullmatch(gap) is not None

    def wraps(self, n: int) -> bool:
        """Whether a name may go on in the next line: behind a long line, with a word that may be a name."""
        t = self.t
        return (
            _WRAPPED.fullmatch(t.gap(n)) is not None
            and t.starts[n] - t.text.rfind("\n", 0, t.starts[n]) > 40
            and not t.in_capitals(n)
            and t.possible(n + 1)
            and t.mixed(n + 1)
            and not t.gap(n + 1).startswith(":")
        )

    def whole(self, n: int) -> int:
        """The word behind the name that begins with word n; n if none does."""
        t = self.t
        at = self.unit(n)
        if at == n or at > t.count or n in t.credentials or (t.kinds[n] & Is.STRONG and t.title(n)):
            return n
        if t.kinds[n] & Is.TITLE and at < t.count and t.kinds[at] & Is.STRONG:
            return n
        if t.kinds[n] & _BESIDE and _SETTLED.match(t.gap(n)):
            return n
        units = 1
        while at < t.count and units < LONGEST and at < n + 12:
            if not self.joins(at - 1) and not self.wraps(at - 1):
                if t.gap(at - 1) in (", ", ","):
                    first = t.kinds[n] & Is.GIVEN and not t.kinds[n] & Is.EITHER
                    at = at if units > 1 and first else self._given(at)
                break
            behind = self.unit(at)
            if behind == at and t.words[at].islower() and t.sure(at) and self.marked(at + 1):
                behind = at + 1  # "Julia volk"
            if behind == at or self.stops(at):
                break
            at, units = behind, units + 1
        if at > n + 1 and t.words[at - 1] in _SEXES and re.match(r"[ /]?[\d\ufffc]", t.gap(at - 1)):
            at -= 1  # "Frost Winter F 44"
        return self._ended(n, at)

    def lower(self, n: int) -> int:
        """The word behind a name in lower case that begins with word n; n if none does."""
        t, at, comma = self.t, n, 0
        while at < min(t.count, n + 4) and (at == n or self.joins(at - 1) or (t.gap(at - 1) == ", " and not comma)):
            kind, word = t.kinds[at], t.words[at]
            fits = kind & (Is.INNER | Is.EPONYM) or t.possible(at) or (kind & Is.RARE and not kind & OTHER)
            fits = fits or (at == n and at + 1 < t.count and t.sure(at + 1) and not kind & OTHER)  # "hope flanagan"
            if not word.islower() or not fits or t.credential(at) or word.startswith("e-") or word == "will":
                break
            if kind & (Is.CLINICAL | Is.FUNCTION) and not kind & Is.INNER and not (at == n and kind & NAME):
                break
            if at > n and "," in t.gap(at - 1):
                comma = at
            at += 1
        if comma and not self.closed(at):
            at = comma
        full = [k for k in range(n, at) if len(t.words[k]) > 2 and not t.kinds[k] & Is.INNER]
        named = len(full) > 1 or any(t.sure(k) or t.unknown(k) for k in full)
        ends = self.closed(at) or (len(full) > 1 and t.capital(at))
        return at if named and ends else n

    def _given(self, n: int) -> int:
        """Where given names behind "Last, " end; n if something else stands there."""
        t = self.t
        begin, _ = self.behind_titles(n)
        at = begin
        while at < t.count and at < begin + 4 and (at == begin or self.joins(at - 1)):
            behind = self.unit(at)
            if behind == at or self.stops(at) or t.title(at):
                break
            at = behind
        if at == begin or t.kinds[n] & Is.NOVALUE or (t.shouted(n) and not t.shouted(n - 1) and not t.sure(n)):
            return n
        named = t.kinds[n] & NAME and t.shouted(n - 1)
        if at == n + 1 and t.shouted(n) and len(t.words[n]) < 6 and not named and _VALUE.match(t.gap(n)):
            return n  # "Jones, GMC 7043381"
        words = [k for k in range(n, at) if len(t.words[k]) > 1]
        other = Is.CLINICAL | Is.ROLE | Is.PRODUCT
        if words and all(t.kinds[k] & other and not t.kinds[k] & NAME for k in words):
            return n
        ordinary = Is.WORD | Is.FUNCTION | (Is.RARE if t.german else 0)
        if words and len(words) == at - begin and all(t.kinds[k] & ordinary and not t.kinds[k] & NAME for k in words):
            return n
        ended = self._ended(n, at)
        verb = t.german and at < t.count and t.words[at].islower() and t.words[at].endswith("t")
        if (
            ended < at
            or verb
            or self.marked(at)
            or t.other(at)
            or (t.before(at) == " " and self.goes_on(at, strict=True))
        ):
            return ended
        return n

    def stops(self, n: int) -> bool:
        """Whether word n is none of a name that goes on: a credential, a role, in capitals also a verb."""
        t, kind = self.t, self.t.kinds[n]
        if n in t.credentials:
            return True
        particle = bool(kind & Is.INNER)
        if t.german and particle and t.words[n][0].isupper() and "." in t.before(n):
            return True  # "SURNAME, Z. Der Befund"
        if particle and t.words[n].islower() and self.unit(n) > n + 1:
            return False
        if t.credential(n) and (t.strict_credential(n) or not t.shouted(n - 1)):
            return not kind & NAME or t.shouted(n)
        if particle and n + 1 < t.count and _JOIN.fullmatch(t.gap(n)) and t.capital(n + 1):
            return t.in_capitals(n) and bool(kind & Is.FUNCTION) and not t.possible(n + 1)
        if t.in_capitals(n) and (t.shouted(n - 1) or len(t.words[n]) > 3):
            verb = Is.FUNCTION | Is.PAST | Is.ACT
            return bool(kind & (verb | Is.ROLE | Is.LABEL | Is.CLINICAL)) and not (
                len(t.words[n]) == 1 or (kind & NAME and not kind & verb)
            )
        if self.t.initial(n - 1) and self.marked(n + 1) and not t.gap(n).lstrip().startswith(":"):
            return False
        title = kind & Is.TITLE and n + 1 < t.count and t.capital(n + 1)
        return bool(title or kind & (Is.ROLE | Is.ACT | Is.LABEL)) and not kind & NAME

    # What follows a name

    def marked(self, end: int) -> bool:
        """Whether a mark, a figure or the end of the line stands behind a run."""
        return end >= self.t.count or _END.match(self.t.text, self.t.ends[end - 1]) is not None

    def strongly_marked(self, end: int) -> bool:
        """Whether what stands behind a run ends the value of a field."""
        return (
            end >= self.t.count
            or _STRONG_END.match(self.t.text, self.t.ends[end - 1]) is not None
            or self.t.credential(end)
        )

    def goes_on(self, end: int, strict: bool = False) -> bool:
        """Whether a word that no noun phrase goes on with stands behind a run."""
        t = self.t
        if end >= t.count:
            return True
        low, kind = t.lower[end], t.kinds[end]
        verb = bool(kind & (Is.FUNCTION | Is.PAST | Is.ACT))
        if strict or not t.words[end].islower():
            return (verb or t.credential(end)) and not (strict and low in ("of", "is", "are", "was", "were"))
        return verb or bool(kind & Is.ROLE) or low.endswith(("ly", "ing")) or not kind & KNOWN

    def closed(self, end: int) -> bool:
        """Whether a mark or a word that no noun phrase goes on with stands behind a run."""
        return self.marked(end) or self.goes_on(end) or self.t.credential(end)

    def _ended(self, n: int, end: int) -> int:
        """The first of words n to end that is none of the name; n if already the first begins something else."""
        t = self.t
        if end <= n:
            return n
        if t.kinds[n] & Is.GRADE and t.shouted(n) and t.text[t.ends[n] : t.ends[n] + 2].strip("- ").isdigit():
            return n
        if self._label_itself(n) and not t.in_capitals(n):
            return n
        for k in range(n + 1, min(end, t.count)):
            if len(t.words[k]) > 1 and self._new(n, k, end):
                end = k
                break
        else:
            return end
        while end > n + 1 and len(t.words[end - 1]) > 1:
            kind = t.kinds[end - 1]
            if not (kind & (OTHER | Is.FUNCTION | Is.PAST) and not kind & (NAME | Is.PARTICLE)) and not (
                end < t.count and t.kinds[end] & Is.NUMBER and not t.sure(end - 1) and kind
            ):
                break
            end -= 1
        return end

    def _label_itself(self, n: int) -> bool:
        """Whether word n is a label with its colon or value: "MRN:", "Findings:", "HCPC 4711"."""
        t, gap = self.t, self.t.gap(n)
        return (
            (gap.lstrip(" \t")[:1] == ":" or (t.shouted(n) and _VALUE.match(gap) is not None))
            and bool(t.kinds[n] & (Is.LABEL | Is.CLINICAL | Is.ROLE))
            and not t.kinds[n] & NAME
        )

    def _new(self, n: int, k: int, end: int) -> bool:
        """Whether word k, behind the beginning n of a name, begins something else."""
        t = self.t
        kind, word, gap, before = t.kinds[k], t.words[k], t.gap(k), t.before(k)
        complete = sum(not (t.kinds[j] & Is.PARTICLE and t.words[j].islower()) for j in range(n, k)) > 1
        named = bool(kind & (NAME | Is.EITHER))
        shouted, shouting = t.shouted(k), t.shouted(k - 1)
        if shouted:
            if kind & Is.GRADE and gap[:2].strip("- ").isdigit():
                return True
            if len(word) > 4 and not named and kind & _FOLLOWING and not shouting:
                return len(t.words[k - 1]) > 1 or complete
            if k in t.credentials or (kind & Is.CREDENTIAL and t.lower[k] in _BRIEF and self._brief(k, end, complete)):
                return True
        elif kind & Is.STRONG and word[1:].islower():
            return True
        if gap.lstrip(" \t")[:1] == ":":
            if "," in before and shouted == t.shouted(n) and t.unknown(k):
                return False  # "SURNAME, GIVEN:"
            named = named or (not shouted and len(word) > 3 and (t.unknown(k) or kind & (Is.RARE | Is.EPONYM) > 0))
            return not named or bool(kind & (Is.LABEL | Is.CLINICAL)) or (shouted and len(word) < 5)
        behind = k + 1 if k + 1 < t.count and gap in (" ", ". ") else -1
        if behind > 0 and t.kinds[behind] & Is.NUMBER and not t.sure(k):
            following = t.gap(behind).lstrip(" .#")[:1]
            if following in (":", "\ufffc") or following.isdigit() or t.words[behind].islower():
                return True
        if _VALUE.match(gap) and not named and not (shouted and len(word) == 2 and not kind & (Is.NUMBER | Is.LABEL)):
            return (
                bool(kind & _FOLLOWING)
                or "#" in gap[:3]
                or "\n" in before
                or t.lower[k].endswith(("nummer", "number"))
                or (shouted and len(word) < 6 and (not shouting or not _VOWEL.search(t.lower[k])))
            )
        if "," in before:
            return word.islower() and not kind & Is.PARTICLE and bool(kind & _FOLLOWING)
        if kind & _FOLLOWING and not named and not shouted and shouting and len(t.words[k - 1]) > 2:
            return not kind & Is.PARTICLE
        if gap != " " or behind < 0 or not t.words[behind].islower() or not word[0].isupper():
            return False
        return self._begins_sentence(k, behind, complete and not shouted)

    def _begins_sentence(self, k: int, behind: int, complete: bool) -> bool:
        """Whether word k with a capital and a word in lower case behind it begin the next sentence."""
        t, kind, follows = self.t, self.t.kinds[k], self.t.kinds[behind]
        if follows & Is.INNER and self.unit(behind) > behind + 1:
            return False
        acts = bool(follows & (Is.PAST | Is.ACT)) or bool(follows & Is.PASSIVE)
        if not kind & (NAME | Is.EITHER):
            if not kind & _FOLLOWING:
                return False
            if acts:
                return bool(kind & (Is.CLINICAL | Is.LABEL | Is.ACT)) or _RESULTS.fullmatch(t.lower[k]) is not None
            return bool(kind & (Is.CLINICAL | Is.LABEL | Is.ACT | Is.BEGINS)) or not follows & Is.FUNCTION
        if t.lower[behind] in ("address", "adresse", "phone", "telephone"):
            return True
        if not complete or not kind & (Is.EITHER | Is.WORD | Is.CLINICAL):
            return False
        if t.lower[behind] in ("also", "auch"):
            return True
        return bool(kind & (Is.ACT | Is.LABEL)) and not acts

    def _brief(self, k: int, end: int, complete: bool) -> bool:
        """Whether DO, PA, NP, RT behind a name are credentials, not a surname or initials."""
        t = self.t
        if k + 1 < t.count and t.gap(k) in (" ", ", ") and t.credential(k + 1):
            return False
        if k == end - 1 or (k + 1 < t.count and not t.shouted(k + 1)):
            return not t.shouted(k - 1) or (complete and len(t.words[k - 1]) > 1)
        return False
