"""Names that stand without a cue: by how they are written and what the lists hold."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.judging import Judge
from radcal.ingest.deidentify.runs import Runs
from radcal.ingest.deidentify.spans import FILLED
from radcal.ingest.deidentify.taken import Taken
from radcal.ingest.deidentify.words import KNOWN, NAME, OTHER, Is, is_medical, is_noun, what

_MC = re.compile(r"(?:O['’]|Mc|Mac|D['’]|L['’]|Fitz|De|Di|La|Van|St)[A-ZÄÖÜ][a-zäöüß]{2,}")
_ABRIDGED = re.compile(
    r"(?<![^\W_])[^\W\d_a-zß-ÿ][^\W\d_]{2,20} [^\W\d_a-zß-ÿ]\.?-[^\W\d_a-zß-ÿ](?:\.|(?=[ ]?[,;)(\n]))(?![^\W_])"
)
"""A given name and the initials of a double name: "Maria K.-L."."""
_FIGURE = re.compile(r"[IVX]{1,4}[a-c]?")
_DOING = re.compile(
    r"(?<![^\W_])[^\W\d_a-zß-ÿ][^\W\d_]{2,20}(?: (?:ní|ó|ap|de|van|von|al|el|mac) [^\W\d_a-zß-ÿ]\w+)?(?="
    r" (?:lives|works|denies|attended|attends"
    r"|returns|weighs|knows|reports|says|states|presents|presented|smokes|drinks|fell|underwent|tolerated"
    r"|(?:was|is|has been|had been) (?:seen|imaged|scanned|examined|told|transferred|admitted|intubated|referred"
    r"|known|aware|brought"
    r"|informed|sedated|consented|accompanied|on the|in the (?:ward|unit|icu|ed)|at home|from|due to|scheduled|being)"
    r"|has (?:a history|been|had|undergone)|needs|requires|wishes|asked|agreed|remains asymptomatic|will"
    r" (?:chase|call|contact|follow|review|see|be seen|discuss|inform|arrange|return|have)|unable to)\b)"
)
"""What only people do."""
_LOWER = re.compile(
    r"(?:(?:^|(?<=[\n(]))|(?<=[.!?,:] )|(?<= [-–] ))(?P<n>[^\W\d_A-Z]{3,20}(?:-[^\W\d_A-Z]{2,20})?,?"
    r" (?:[^\W\d_A-Z]{3,20}(?:-[^\W\d_A-Z]{2,20})?"
    r"|[a-z](?=\.)))(?=\.?[ ]?(?:\(?(?i:dob|d\.o\.b|geb|born|mrn)\b|[;,/] ?[mwfd][;,/) ]|,? \d{1,3} ?(?:y|j|f|m"
    r"|w)\b|, (?:seen|sex|age|w|m|f)\b))",
)
"""A name in lower case before an age, a sex or a date of birth."""
_INITIAL_ENDS = re.compile(r"(?!\. ?[a-zäöü]\.)(?:\.?(?=[ ]*[,;:)(/\n-]|\s*\Z|[ ][–-])|\.(?=[ ]))")
_LONG_WORD, _SHORT, _LONG = 4, 6, 10
"""Letters of a surname before an initial; of words in capitals side by side, with a name of the lists and without."""
_REST = re.compile(
    r"(?: ?\([a-z]{2,8}\))?[ \t.,)*_-]*(?:[\ufffc\d:./, \t-]|(?:[AaPp]\.?[Mm]\.?|Uhr|hrs?|on|am|at|um)\b)*"
)
_NEVER = (
    Is.CLINICAL | Is.FUNCTION | Is.PRODUCT | Is.SIGN | Is.PLACE | Is.ROLE | Is.TITLE | Is.STRONG | Is.LABEL | Is.ADMIN
    | Is.HEAD | Is.GENERAL | Is.MONTH | Is.ACT
)  # fmt: skip
_LETTERS_END = re.compile(r"\d?[ .]*(?:\n|\Z)")
_DOUBLE = re.compile(r"[^\W\d_a-z][a-zß-ÿ]{2,}-[^\W\d_a-z][a-zß-ÿ]{2,}")


class Bare:
    """Takes names without a cue."""

    def __init__(self, runs: Runs, judge: Judge, taken: Taken) -> None:
        self.runs, self.judge, self.taken = runs, judge, taken
        self.t = runs.t

    def find(self) -> None:
        """Take words that are names without a cue, and note those that may be."""
        t = self.t
        for n in range(t.count):
            if not self.taken[n] and t.capital(n) and not t.credential(n) and not t.month(n):
                self._word(n)
        for m in _ABRIDGED.finditer(t.text):
            n = t.at(m.start())
            if n < t.count and not t.kinds[n] & (Is.CLINICAL | Is.PRODUCT | Is.FUNCTION | Is.EPONYM):
                self.taken.take(n, t.at(m.end()))

    def rest(self) -> None:
        """Note what is left and may be a name where a capital says nothing, and letters that no list has."""
        t, taken = self.t, self.taken
        hasty = sum(map(str.isupper, t.text)) * 50 < len(t.text)
        for n in range(t.count):
            kind, word = t.kinds[n], t.words[n]
            if taken[n] or n in taken.may_be or kind & _NEVER or t.credential(n):
                continue
            if not (t.unknown(n) or kind & (NAME | Is.RARE)) or t.of_method(n):
                continue
            if t.sign_follows(n) and not t.sure(n):
                continue
            rare = t.unknown(n) or bool(kind & NAME) or (bool(kind & Is.RARE) and not kind & Is.WORD)
            if t.german and (is_noun(t.lower[n]) or is_medical(t.lower[n])):
                continue
            if len(word) > 2 and t.capital(n) and not t.in_capitals(n):
                if rare and not (t.shouted(n) and len(word) < 5 and not kind & NAME) and self._person_like(n):
                    taken.may_be[n] = 0.5
            elif len(word) > _LONG_WORD and t.unknown(n) and not is_medical(t.lower[n]) and not t.german and hasty:
                taken.may_be[n] = 0.4
            elif (
                t.unknown(n) and 1 < len(word) < _LONG_WORD and word.islower() and _LETTERS_END.match(t.text, t.ends[n])
            ):
                taken.may_be[n] = 0.3

    def _person_like(self, n: int) -> bool:
        """Whether a word is left where people are named: alone in an item, before a verb of people, or unknown."""
        t = self.t
        follows = t.kinds[n + 1] if n + 1 < t.count and t.gap(n) == " " else 0
        if t.unknown(n) or t.sure(n):
            return True
        return (
            self.runs.marked(n + 1)
            or bool(follows & (Is.PAST | Is.PASSIVE | Is.HEAR))
            or (follows & Is.WORD > 0 and t.words[n + 1].endswith("s"))
        )

    def _suspect(self, n: int) -> None:
        """Note a word within an English sentence that has a capital though it is an ordinary one, or a rare one."""
        t, kind = self.t, self.t.kinds[n]
        plain = kind & (
            Is.CLINICAL
            | Is.FUNCTION
            | Is.PRODUCT
            | Is.EPONYM
            | Is.TITLE
            | Is.STRONG
            | Is.ROLE
            | Is.LABEL
            | Is.SIGN
            | Is.PLACE
        )
        if plain or t.german or t.is_first(n) or t.in_capitals(n) or t.shouted(n) or t.lower[n] in t.uncapitalised:
            return
        if (kind & (Is.EITHER | Is.RARE) or t.unknown(n)) and len(t.words[n]) > 2 and not t.sign_follows(n):
            placed = n and t.lower[n - 1] in ("from", "at", "near") and not is_medical(t.lower[n])
            if placed and kind & Is.RARE and not kind & Is.WORD:
                self._grow(n)  # a town
            else:
                self.taken.may_be[n] = 1

    def runs_of_names(self) -> None:
        """Take two and more words side by side that look like a name each, wherever they stand."""
        t, n = self.t, 0
        while n < t.count:
            end = self._run(n) if not self.taken[n] and t.capital(n) else n
            if end > n:
                self.taken.take(n, end, certain=True)
            n = max(end, n + 1)
        for m in _DOING.finditer(t.text):
            n = t.at(m.start())
            if (
                n < t.count
                and not self.taken[n]
                and t.is_first(n)
                and (t.unknown(n) or t.sure(n))
                and not (t.german or t.shouted(n))
            ):
                self.taken.take(n, t.at(m.end()), certain=True)
        for m in _LOWER.finditer(t.text):
            n, end = t.at(m.start("n")), t.at(m.end("n"))
            if all(t.possible(k) or t.kinds[k] & (Is.RARE | Is.INNER) or k == n for k in range(n, end)) and any(
                t.unknown(k) or t.kinds[k] & NAME or (t.kinds[k] & Is.RARE and k > n) for k in range(n, end)
            ):
                self.taken.take(n, end)

    def _run(self, n: int) -> int:
        """The word behind the run of names that begins with word n; n if none does."""
        t, kind = self.t, self.t.kinds[n]
        if kind & (Is.TITLE | Is.STRONG | Is.SUBJECT) or not self._looks(n) or t.month(n):
            return n
        if t.of_method(n) and not t.unknown(n):
            return n
        if kind & Is.INNER and t.german:
            return n  # "Zur Besprechung"
        end = self.runs.whole(n)
        words = [k for k in self.judge.full(n, end) if not (t.kinds[k] & Is.INNER and t.words[k].islower())]
        if not words or not all(self._looks(k) for k in words) or t.sign_follows(words[-1]) or self.taken[end - 1]:
            return n
        strong = [k for k in words if t.sure(k) or t.unknown(k)]
        if (
            not strong
            and not t.german
            and len(words) > 1
            and not re.search(r"[.!?\n]", t.before(n))
            and n
            and not any(map(t.shouted, words))
        ):
            strong = [k for k in words if t.kinds[k] & Is.RARE]
        if len(words) == 1:
            strong = strong or words
        if not strong or self.judge.vetoed(n, end):
            return n
        if len(words) == 1:
            alone = (
                (t.unknown(n) or t.sure(n))
                and not t.shouted(n)
                and len(t.words[n]) > _LONG_WORD
                and not t.in_capitals(n)
            )
            return end if end == n + 2 and alone and _INITIAL_ENDS.match(t.text, t.ends[end - 1]) else n
        if t.in_capitals(n):
            return n
        if all(t.shouted(k) for k in words):
            if "," in t.text[t.starts[n] : t.starts[end - 1]] and all(len(t.words[k]) <= _LONG_WORD for k in words):
                return n  # "GERD, ESRD"
            named = any(t.kinds[k] & NAME for k in words)
            return end if sum(len(t.words[k]) for k in words) > (_SHORT if named else _LONG) else n
        if any(t.shouted(k) for k in words) and not t.shouted(n):
            return n
        if t.german:
            if any(t.kinds[k] & NAME and not t.kinds[k] & Is.CLINICAL for k in words):
                return end
            apart = "," in t.text[t.starts[n] : t.starts[end - 1]]
            sure = len(strong) == len(words) and not apart
            return end if sure and (not t.is_first(n) or self.runs.strongly_marked(end)) else n
        return end

    def _looks(self, k: int) -> bool:
        """Whether a word may be part of a name."""
        t, kind = self.t, self.t.kinds[k]
        if len(t.words[k]) == 1:
            return t.initial(k)
        if _FIGURE.fullmatch(t.words[k]) or (t.german and is_noun(t.lower[k]) and not kind & NAME):
            return False
        if (
            kind & (Is.PRODUCT | Is.SIGN)
            or (kind & Is.EPONYM and not kind & NAME)
            or k in t.credentials
            or t.credential(k)
        ):
            return False
        if kind & Is.INNER and t.words[k].islower():
            return True
        if kind & Is.EITHER and not t.german:
            return not kind & (Is.CLINICAL | Is.FUNCTION) or bool(kind & NAME and not t.is_first(k))
        if kind & NAME:
            return not kind & Is.CLINICAL and not (t.german and kind & (Is.FUNCTION | Is.ROLE | Is.LABEL))
        return t.unknown(k) or (bool(kind & Is.RARE) and not kind & (OTHER | Is.FUNCTION | Is.WORD))

    def lines(self) -> None:
        """Take names that stand alone on a line, as signatures do."""
        t = self.t
        for n in range(t.count):
            if (n == 0 or "\n" in t.before(n)) and not self.taken[n]:
                self._line(n)

    def _line(self, n: int) -> None:
        """Take the name that is all of the line that begins with word n, but for credentials and a date."""
        t, runs = self.t, self.runs
        if t.text[t.text.rfind("\n", 0, t.starts[n]) + 1 : t.starts[n]].strip(" \t*_/-–—s"):
            return
        end = runs.whole(n)
        if end == n:
            return
        stop = t.text.find("\n", t.ends[end - 1])
        stop = stop if stop >= 0 else len(t.text)
        last = runs.behind_credentials(end)
        other = last
        if last < t.count and t.before(last).strip() == "/" and t.starts[last] < stop:
            other = runs.whole(last) if t.capital(last) else last + 1
        rest = t.text[t.ends[other - 1] : stop]
        if t.starts[other - 1] >= stop or not _REST.fullmatch(rest):
            return
        apart = n == 0 or "\n\n" in t.before(n) or not t.text[stop:].strip() or t.text[stop : stop + 2] == "\n\n"
        late = t.starts[n] > 0.6 * len(t.text)
        dated = FILLED in rest or any(map(str.isdigit, rest))
        if (rest.startswith(":") and end < n + 2) or (end == n + 1 and dated and not rest.startswith((",", " \ufffc"))):
            return
        if self._signature(
            n, end, late and apart and (dated or not t.text[stop:].strip() or last > end), late or apart
        ):
            self.taken.take(n, end)
            if other > last:
                self.taken.take(last, other)

    def _signature(self, n: int, end: int, signed: bool, apart: bool) -> bool:
        """Whether the words of a line are a name; signed: where a signature stands; apart: with a blank line."""
        t, words = self.t, [k for k in self.judge.full(n, end) if not self.t.kinds[k] & Is.INNER]
        if not words or self.judge.vetoed(n, end) or any(t.kinds[k] & Is.CLINICAL or t.other(k) for k in words):
            return False
        named = sum(bool(t.kinds[k] & NAME) for k in words)
        unknown = sum(t.unknown(k) for k in words)
        rare = sum(bool(t.kinds[k] & Is.RARE) and not t.kinds[k] & NAME for k in words)
        if named + unknown + rare < len(words) - (signed and len(words) > 1 and t.possible(words[-1])):
            return False
        sure = sum(t.sure(k) for k in words)
        last = end == t.count and t.before(n).startswith((".\n", ". \n")) and len(t.words[n]) < 15
        if signed and (named or (unknown and (last or not t.german))):
            return True
        if end - n < 2:
            return False
        return (named > 0 and sure + unknown > 0) or (unknown > 1 and apart and (not t.german or t.shouted(n)))

    def _word(self, n: int) -> None:
        """Judge word n, with a capital, by itself and by the word behind it."""
        t, kind = self.t, self.t.kinds[n]
        if (
            (kind & KNOWN and not kind & NAME and not t.initial(n) and not self._headed(n))
            or kind & (Is.TITLE | Is.STRONG)
            or t.of_method(n)
        ):
            self._suspect(n)
            return
        after = n + 1 if n + 1 < t.count else -1
        if t.initial(n):
            self._initials(n)
            return
        capitals, first = t.in_capitals(n), t.is_first(n)
        if after > 0 and t.capital(after) and not t.credential(after) and self._pair(n, after, first, capitals):
            self._grow(n)
            return
        if capitals and not t.german and len(t.words[n]) > _LONG_WORD and (t.sure(n) or t.unknown(n)):
            self.taken.may_be[n] = 1
        if first or capitals or t.lower[n] in t.uncapitalised or kind & (Is.EPONYM | Is.CLINICAL | Is.PRODUCT):
            return
        if t.sign_follows(n) or ("-" in t.words[n] and any(what(p) & Is.EPONYM for p in t.lower[n].split("-"))):
            return
        if _MC.fullmatch(t.words[n]) and not kind & (Is.WORD | Is.RARE):
            self._grow(n)
        elif t.shouted(n):
            return
        elif t.german:
            if (t.unknown(n) or t.sure(n)) and len(t.words[n]) > 2 and t.words[n][1:].islower():
                self.taken.may_be[n] = 1
        elif t.sure(n):
            follows = t.kinds[after] if after > 0 and t.gap(n) == " " and t.words[after].islower() else 0
            if follows & (Is.WORD | Is.CLINICAL) and not follows & (Is.FUNCTION | Is.PAST | Is.ACT | Is.PASSIVE):
                self.taken.may_be[n] = 1  # before a noun, more likely the name of a sign
            else:
                self._grow(n)
        elif re.match(r" \d", t.gap(n)):
            self.taken.may_be[n] = 1  # a scale or a device: "Xyz 4.1 mm"
        elif t.unknown(n) and len(t.words[n]) > 2 and (t.words[n][1:].islower() or _DOUBLE.fullmatch(t.words[n])):
            self._grow(n)  # within an English sentence, next to nothing else has a capital and is in no list

    def _headed(self, n: int) -> bool:
        """Whether "SHORT, Donald" begins with word n in a line that is not in capitals."""
        t = self.t
        return (
            n + 1 < t.count
            and t.gap(n) == ", "
            and t.shouted(n)
            and not t.in_capitals(n)
            and bool(t.kinds[n + 1] & Is.GIVEN)
            and t.mixed(n + 1)
            and not t.shouted(n + 1)
            and self.runs.marked(n + 2)
        )

    def _pair(self, n: int, after: int, first: bool, capitals: bool) -> bool:
        """Whether words n and n + 1 are a name together; capitals: all of the line is in capitals."""
        quiet = not capitals and not self.t.german
        t, kind, follows = self.t, self.t.kinds[n], self.t.kinds[after]
        fits = bool(follows & NAME) and not follows & (Is.EITHER | Is.CLINICAL | Is.EPONYM | Is.PRODUCT)
        gap = t.gap(n)
        if gap in (", ", ","):
            given = bool(follows & Is.GIVEN) and not follows & (Is.EITHER | Is.CLINICAL)
            if t.shouted(n) and not capitals and not t.shouted(after) and self.runs.marked(after + 1):
                return self._headed(n) or (t.possible(n) and t.possible(after) and len(t.words[n]) > 3 and not t.german)
            return t.sure(n) and bool(kind & Is.SURNAME) and given
        if gap not in (" ", "  "):
            return False
        if t.initial(after):
            return quiet and not first and bool(kind & Is.GIVEN) and not kind & (Is.CLINICAL | Is.PRODUCT)
        if t.sure(n) and (fits or (bool(kind & Is.GIVEN) and t.unknown(after) and quiet)):
            return quiet or bool(kind & Is.GIVEN)
        if not quiet:
            return False
        if not first and t.unknown(n):
            if fits:
                return True
            end = self.runs.whole(n)
            return (
                t.unknown(after)
                and re.fullmatch(r"[,(] ?| [(]", t.before(n)) is not None
                and re.match(r"[,)]", t.gap(end - 1)) is not None
            )
        if t.shouted(n) and t.shouted(after) and len(t.words[n]) > 2 and len(t.words[after]) > 2:
            if kind & KNOWN or follows & KNOWN:
                return False
            either = (kind | follows) & NAME and not (kind & follows & Is.EITHER)
            long = len(t.words[n]) + len(t.words[after]) > 9 and self.runs.closed(after + 1)
            return bool(either) or long
        return False

    def _initials(self, n: int) -> None:
        """Take "J. Smith" and "J.K. Smith" in text that is not in capitals."""
        t, k = self.t, n
        if t.in_capitals(n) or not re.fullmatch(r"\. ?", t.gap(n)) or (n and len(t.words[n - 1]) == 1):
            return
        labelled = n and t.kinds[n - 1] & (Is.LABEL | Is.ACT)
        if n and t.before(n) == " " and t.capital(n - 1) and not t.sure(n - 1) and not labelled:  # "Type I. Further"
            return
        while k + 1 < t.count and t.initial(k) and re.fullmatch(r"\.? ?|\.-", t.gap(k)):
            k += 1
        if len(t.words[k]) < 3 or t.shouted(k) or not t.capital(k) or t.sign_follows(k):
            return
        kind = t.kinds[k]
        rare = kind & (NAME | Is.RARE) and not kind & (Is.CLINICAL | Is.FUNCTION | Is.WORD | Is.ROLE)
        if self.taken.beside(k) or (rare and self.runs.closed(k + 1)):
            self.taken.extend(n, k + 1)

    def _grow(self, n: int) -> None:
        """Take the name that begins with word n."""
        end = self.runs.whole(n)
        while end > n + 1 and not self.taken.beside(end - 1):
            end -= 1
        self.taken.extend(n, max(end, n + 1))
