"""Sentence boundaries in reports.

Radiology prose breaks the usual rules: abbreviations ("Dr.", "approx."), numbered lists ("1. No effusion"), items
without a full stop, lines wrapped at eighty columns, reports all in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from radcal.lexicon.abbreviations import JOINING, goes_on, may_go_on


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GERMAN = _words(
    "z.b u.a d.h v.a vd.a z.n z.a z.t zust.n st.p st.n i.s.v i.s.e i.s.d i.s i.r i.r.v i.v.m i.d.r i.b a.e o.g u.u s.o"
    " s.u h.a ggf bzw evtl evt sog vgl"
    " bzgl ggü zzgl inkl insb insbes fragl wahrsch wahrscheinl vermutl mutmaßl verd vd zust differentialdiagn auszuschl"
    " li re proj dors ventr kran kaud durchm tel dipl rö dd klin radiol"
)
_SPACED = frozenset((*(word for word in _GERMAN if "." in word), "o.b"))
"""What German also writes with spaces: "V. a. COPD"."""
# Never the end of a sentence.
_ABBREVIATIONS = _GERMAN | _words(
    "dr drs mr mrs ms prof vs approx e.g eg i.e ie cf fig figs st dept resp incl ca viz esp ref messrs"
    " pgs ext assoc sgt"
)
_ABBREVIATION_TAILS = frozenset(word[-4:] for word in _ABBREVIATIONS if len(word) >= 4)
_SIDES = _words("li re")
_PREDICATES = _words("wahrsch wahrscheinl vermutl fragl mögl moegl nachweisb")
"""Behind a noun at the end of a sentence: "Pneumonie wahrsch. Das Herz ..."."""
_BOTH_SIDES = _words("bds beids")
# Adverbs that begin a sentence, with a capital as a noun has.
_ADVERBS = _words(
    "basal dorsobasal apikal dorsal retrokardial perihilär hilär pleural pulmonal axillär weiterhin unverändert aktuell"
    " jetzt neu neben somit mit ohne bei"
)
_ORDINAL_BEFORE = _words("rippe rippen icr interkostalraum brustwirbelkörper segment tag")
# In German an adjective, so that "5. Rippe" goes on, behind these.
_ORDINAL_BEHIND = _words("der die das des dem den im am vom zum zur bis und oder rechte linke rechten linken")
_GERMAN_STARTERS = _words(
    "kein keine keinen es das der die im in am bei unverändert verdacht v.a herz lunge mediastinum zwerchfell skelett"
    " aorta hili hilus pleura trachea weichteile beurteilung befund thoraxskelett oberes ansonsten sonst zusätzlich"
    " somit aktuell neu kleiner kleine kleines geringer geringe mäßiger mäßige deutliche deutlicher normal regelrecht"
    " unauffällig unauffällige z.n zustand lungen rechts links beidseits nachweis ohne keinerlei eine ein zudem ferner"
)
# The end of a sentence only before a capital or a number.
_SOFT = _words(
    "a.m p.m am pm etc inc ltd cm mm m ml mg min max hr hrs sec wk wks mo mos yr yrs pt pts rt lt bilat ant post sup"
    " inf lat med hx dx tx rx sx bds beids i.v p.o w c f/u s/p r l neg pos abn nl wnl poss prob susp"
    " suspic cons consol eff effs ptx pneumoth atel atx atelect opac infilt calc incr decr bibas vasc mediast cardiomeg"
    " unch excl consist"
)
# Not the end of a sentence before a number: "No. 3", "Im. 33", "Jan. 5".
_BEFORE_NUMBER = _words("no nos nr im img ser se vol pp fr jan feb mar apr jun jul aug sep sept oct nov dec")
# A capital before a full stop is an initial ("J. Smith"), unless one of these precedes it ...
_LETTERED = _words(
    "group type class grade vitamin hepatitis stage category point image lead zone segment influenza level series"
    " strep series/image factor b5 lung-rads rads"
)
# A number after one of these is no list item either: "image 2. Stable".
_COUNTED = _words("rib slice day approximately frame vertebra t c l")
# ... or one of these follows.
_STARTERS = _words(
    "no the there this these a an in on at as with without mild moderate severe lung lungs heart left right"
    " bilateral bibasilar stable unchanged normal small large new interval findings impression pleural cardiac"
    " mediastinum mediastinal bones osseous it is if further recommend again limited trace minimal multiple"
    " otherwise possible probable likely mildly pulmonary airways upper lower low increased decreased patient follow"
)
_STATEMENTS = (_STARTERS | _GERMAN_STARTERS) - _words(
    "v.a z.n verdacht zustand nachweis left right lung pulmonary pleural"
)
# A line that ends in one of these continues on the next.
_OPEN_ENDED = _words(
    "of the a an and or with without in on at to for by from as is are was were be been may might could can cannot"
    " not no than that which who whose represent represents reflect reflecting consistent compatible suggesting"
    " suggests versus vs into through within over under between along due these this its near including"
    " approximately mildly moderately severely greater nor but will would should"
)
# Names with a capital in the middle of a sentence.
_EPONYMS = _words(
    "kerley hampton hampton's schmorl schmorl's morgagni bochdalek ghon swan-ganz swan dobhoff dobbhoff foley hickman"
    " greenfield hounsfield fleischner port-a-cath broviac groshong westermark bosniak harrington january february"
    " march april may june july august september october november december smith doctor"
)

_MARK = re.compile(
    r"(?<![.?!])[.?!]++[\"')\]\u201d\u2019]*+(?=\s|\Z)"  # a mark at the end of a word
    r"|\.(?=[A-Z][a-z])"  # a full stop without a space after it
    r"|\)(?=[ \t]+[A-Z])"  # possibly the number of a list item inside a line: "... 2) Small effusion"
    r"|\n\s*"
)
_NUMBER_INSIDE = re.compile(r"[ \t](\d{1,2})$")
_ITEM = re.compile(r"\s*(?:(?:[-*•●▪–—·>+]+|\(?(\d{1,2})[.)]|#?(\d{1,2})[:.)-])(?=\s|\Z)\s*)+")  # noqa: RUF001 - dashes that are used as bullets
_SUBHEADING = re.compile(r"[A-Z][\w/&,()' +-]{0,45}:(?=\s|\Z)")
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
_LETTERS = re.compile(r"(?<![\w.])(?:[A-Za-z]{1,4}\.\s?){0,3}[A-Za-z]\Z")
"""An abbreviation of several words, as far as it goes: "V. a", "i. S. v"."""
_NEXT_LETTER = re.compile(r"\s?([A-Za-z])\.")
_WORD = re.compile(r"[^\s]{1,200}")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")

_SHORTEST_FULL_LINE = 60
_LONGEST_WRAPPED_LINE = 140
_LONGEST_WORD = 200
_LONGEST_LETTERS = 16


@dataclass(frozen=True, slots=True)
class Lines:
    """The line layout of a report.

    width: the length of the longest line, at least 60; 0 if lines are not wrapped
    one_case: the report is all in capitals or all in lower case, so that case means nothing
    """

    width: int
    one_case: bool


def lines_of(text: str) -> Lines:
    """The line layout of a report."""
    longest = max(map(len, text.split("\n")))
    width = 0 if longest > _LONGEST_WRAPPED_LINE else max(longest, _SHORTEST_FULL_LINE)
    return Lines(width, text.isupper() or text.islower())


def split(text: str, start: int, end: int, lines: Lines) -> Iterator[tuple[int, int]]:
    """The spans of the sentences in text[start:end], in order, not overlapping.

    A span excludes surrounding whitespace, list numbers and bullets; every letter of the region is in a span.
    """
    begin, letter, number = _begin(text, start, end, -1, -1)
    joined_at = -1
    for match in _MARK.finditer(text, start, end):
        at, stop = match.span()
        if at < begin:
            continue
        mark = text[at]
        if _is_plain_end(text, at, stop, end):
            yield begin, stop
            begin = letter = stop + 1
            continue
        if number >= 0 and mark in ".)" and (cut := _next_item(text, begin, at, end, number)) >= 0:
            # "1. No edema 2. Small effusion": the sentence ends before the number
            if letter < cut:
                yield begin, _rstripped(text, begin, cut)
            begin, letter, number = _begin(text, cut, end, letter, number)
            continue
        if mark == ")":
            continue
        if mark == "\n":
            is_end = _ends_at_newline(text, begin, letter, at, stop, end, lines, at == joined_at)
        else:
            is_end = _ends_at_mark(text, begin, letter, at, stop, end, number)
            joined_at = -1 if is_end else stop
        if is_end:
            if letter < stop:
                yield begin, _rstripped(text, begin, stop)
            begin, letter, number = _begin(text, stop, end, letter, number)
    if letter < end:
        yield begin, _rstripped(text, begin, end)


def _is_plain_end(text: str, at: int, stop: int, end: int) -> bool:
    """Whether this is "...word. Next" or "...). Next", by far the most frequent ends: a quick test."""
    return (
        stop == at + 1
        and stop + 1 < end
        and text[at] == "."
        and text[stop] == " "
        and text[stop + 1].isupper()
        and (
            text[at - 1] == ")"
            or (
                ((tail := text[at - 4 : at]).isalpha() and tail.islower() and tail not in _ABBREVIATION_TAILS)
                and not may_go_on(tail)
            )
        )
    )


def _begin(text: str, at: int, end: int, letter: int, number: int) -> tuple[int, int, int]:
    """The start of the next sentence after whitespace and list marks, the position of its first letter or digit
    (``end`` if there is none), and the number of the latest list item.

    Args:
        letter: the position of the first letter or digit of the previous sentence.
    """
    item = _ITEM.match(text, at, end)
    if item is not None:
        at = item.end()
        number = int(item.group(1) or item.group(2) or number)
    while at < end and text[at].isspace():
        at += 1
    if letter < at:
        found = _LETTER_OR_DIGIT.search(text, at, end)
        letter = found.start() if found else end
    return at, letter, number


def _rstripped(text: str, begin: int, end: int) -> int:
    return begin + len(text[begin:end].rstrip())


def _item_number(text: str, begin: int, end: int) -> int:
    """The number of the list item that begins here, -1 if there is none."""
    item = _ITEM.match(text, begin, end)
    digits = item and (item.group(1) or item.group(2))
    return int(digits) if digits else -1


def _last_word(text: str, begin: int, at: int) -> str:
    """The word that ends at ``at``; only the end of a very long one."""
    begin = max(begin, at - _LONGEST_WORD)
    first = max(text.rfind(" ", begin, at), text.rfind("\n", begin, at), text.rfind("\t", begin, at), begin - 1)
    return text[first + 1 : at]


def _next_item(text: str, begin: int, at: int, end: int, number: int) -> int:
    """The start of the number before ``at`` if it numbers the next list item; -1 otherwise."""
    found = _NUMBER_INSIDE.search(text[max(begin, at - 3) : at])
    if found is None or int(found.group(1)) != number + 1:
        return -1
    first = at - len(found.group(1))
    after = text[at + 1 : min(end, at + 4)]
    if not after[:1].isspace() or not after.lstrip()[:1].isupper():
        return -1
    word = _last_word(text, begin, first - 1).lower()
    return -1 if word in _LETTERED or word in _COUNTED else first


def _ends_at_mark(text: str, begin: int, letter: int, at: int, stop: int, end: int, number: int) -> bool:
    after = _WORD.search(text, stop, end)
    if after is None:
        return True
    following = after.group()
    if after.start() == stop:
        # "effusion.No": a missing space, unless it is "e.g.Something".
        return (
            text[at - 2 : at].isalpha()
            and text[at - 2 : at].islower()
            and _last_word(text, begin, at).lower() not in (_ABBREVIATIONS)
        )
    head = following.lstrip("\"'([\u201c")[:1]
    if text[at] in "?!":
        # The question mark of "? pneumonia" and "opacity ? Pneumonia" refers to what follows.
        return not (head.islower() or at == begin or text[at - 1].isspace())
    if text[at:stop].startswith("..."):
        return not head.islower()
    word = _last_word(text, begin, at).lstrip("([\"'*")
    low = word.lower()
    if word.isdigit() and len(word) <= 2 and letter >= at - len(word):
        return False  # the number of a list item
    if low in _PREDICATES and letter < at - len(word) and head.isupper():
        return following.lower().rstrip(",.:;") in _GERMAN_STARTERS
    if low in _ABBREVIATIONS:
        if low not in _SIDES or following.lower().rstrip(",.:;") in _GERMAN_STARTERS:
            return low in _SIDES
        return head.isupper() and not (word.isupper() or _is_attribute(text, begin, at - len(word) - 1, following))
    if goes_on(word, _last_word(text, begin, at - len(word) - 1) if letter < at - len(word) else ""):
        # Before a capital, only words that begin a statement tell its end: "Marked osteopenia, sev. No effusion."
        return following.istitle() and following.lower().rstrip(",.:;") in _STATEMENTS
    if low in _SOFT and following.lower() in JOINING:
        return False
    if len(word) == 1 and word.isalpha() and _is_spaced(text, begin, at):
        return text[at - 1] in "Bb" and not head.islower() and text[begin:at].rstrip("Bb ").endswith("o.")
    if low in _BOTH_SIDES and _is_attribute(text, begin, at - len(word) - 1, following):
        return False
    if word.isdigit() and len(word) <= 2:
        before = _last_word(text, begin, at - len(word) - 1).lower()
        if before in _ORDINAL_BEHIND or (
            before.isalpha() and following.lower().rstrip(",.:;") in _ORDINAL_BEFORE and before not in _COUNTED
        ):
            return False
    if low in _BEFORE_NUMBER and head.isdigit():
        return _item_number(text, stop, end) == number + 1 and number >= 0
    if (len(word) == 1 and word.isalpha()) or _DOTTED.fullmatch(word):
        return _ends_after_letter(text, begin, at, word, following, head)
    if head.islower():
        if low in _SOFT:
            return False
        return len(word) > 3 or not word.isalpha() or word.isupper() or "\n" in text[stop : after.start()]
    return True


def _is_spaced(text: str, begin: int, at: int) -> bool:
    """Whether the letter before ``at`` belongs to an abbreviation with spaces, at its end or inside: "V. a. COPD"."""
    letters = _LETTERS.search(text, max(begin, at - _LONGEST_LETTERS), at)
    following = _NEXT_LETTER.match(text, at + 1)
    if letters is None:
        return False
    words = "".join(letters.group().lower().split()).split(".")
    longer = [*words, following.group(1).lower()] if following else words
    return any(".".join(run[k:]) in _SPACED for run in (words, longer) for k in range(len(run) - 1))


def _is_attribute(text: str, begin: int, at: int, following: str) -> bool:
    """Whether a side belongs to the noun behind it: "basal bds. Infiltrate", not "Ergüsse bds. Infiltrate"."""
    before = _last_word(text, begin, at) if at > begin else ""
    behind_noun = before[:1].isupper() and before.lower() not in _ADVERBS
    return not behind_noun and following.lower().rstrip(",.:;") not in _GERMAN_STARTERS | _STARTERS


def _ends_after_letter(text: str, begin: int, at: int, word: str, following: str, head: str) -> bool:
    """Whether "B." or "J.R." ends a sentence: not if it is an initial."""
    if head.islower():
        return False
    if word.lower() == "o.b":
        return True
    if word.lower() in _SOFT or word.islower() or word == "I" or not head.isupper():
        return True
    before = _last_word(text, begin, max(begin, at - len(word) - 1)).lower()
    return before in _LETTERED or following.lower().rstrip(",.:;") in _STARTERS


def _ends_at_newline(
    text: str, begin: int, letter: int, at: int, stop: int, end: int, lines: Lines, after_abbreviation: bool
) -> bool:
    if text.count("\n", at, stop) > 1 or stop >= end:
        return True
    if _ITEM.match(text, stop, end):
        return True
    if letter >= at:
        return False  # a list number alone on its line
    if after_abbreviation:
        return False
    if text[stop].isupper() and _SUBHEADING.match(text, stop, end):
        return True
    line_start = text.rfind("\n", 0, at) + 1
    line = text[line_start:at].rstrip()
    last = line[-1:]
    if last == ";" and (lines.one_case or not text[stop].islower()):
        return True
    if last in ",:(-/" or _last_word(text, begin, _rstripped(text, begin, at)).lower() in _OPEN_ENDED:
        return False
    word_match = _WORD.match(text, stop, end)
    word = word_match.group() if word_match else ""
    is_full = 0 < lines.width < len(line) + 1 + len(word)
    head = word[:1]
    if lines.one_case or head.isdigit() or (len(word) > 1 and word.isupper()):
        return not is_full
    if head.isupper():
        return not (is_full and word.lower().rstrip(".,;") in _EPONYMS)
    return False
