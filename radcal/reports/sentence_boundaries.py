"""Sentence boundaries in reports.

Radiology prose breaks the usual rules: abbreviations ("Dr.", "approx."), numbered lists ("1. No effusion"), items
without a full stop, lines wrapped at eighty columns, reports all in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from radcal.reports.identifiers import PLACEHOLDER
from radcal.words.sentence_words import goes_on, may_go_on, sentence_words

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

_NEW_SENTENCE = re.compile(r"[.?!] +[A-Z]")
_ENDS = ".:;?!"
_FEWEST_LINES, _NEARLY_ALL = 3, 0.7
_SHORTEST_FULL_LINE = 60
_LONGEST_WRAPPED_LINE = 140
_LONGEST_WORD = 200
_LONGEST_LETTERS = 16


@dataclass(frozen=True, slots=True)
class Lines:
    """The line layout of a report.

    width: the length of the longest line, at least 60; 0 if lines are not wrapped
    one_case: the report is all in capitals, or its sentences begin small, so that case means nothing
    wrapped: lines are broken where they are full, so that a full one may go on with a German noun
    """

    width: int
    one_case: bool
    wrapped: bool = False


def lines_of(text: str) -> Lines:
    """The line layout of a report."""
    lines = text.split("\n")
    longest = max(map(len, lines))
    width = 0 if longest > _LONGEST_WRAPPED_LINE else max(longest, _SHORTEST_FULL_LINE)
    one_case = text.isupper() or text.islower() or _begin_small(lines)
    if one_case and not _are_full(lines, width):
        width = 0
    return Lines(width, one_case, wrapped=not one_case and _is_wrapped(lines, width))


def _are_full(lines: Sequence[str], width: int) -> bool:
    """Whether half of the lines that end no sentence are full, as those of wrapped text are."""
    pairs = pairwise(filter(None, map(str.strip, lines)))
    full = [_is_full(line, behind.split(maxsplit=1)[0], width) for line, behind in pairs if line[-1] not in _ENDS]
    return 2 * sum(full) >= len(full)


def _begin_small(lines: Sequence[str]) -> bool:
    """Whether nearly all lines begin small, and none holds the end of a sentence, as dictation without marks does."""
    written = [line for line in map(str.strip, lines) if line]
    small = sum(line[0].islower() for line in written)
    return (
        len(written) >= _FEWEST_LINES
        and small >= _NEARLY_ALL * len(written)
        and not any(_NEW_SENTENCE.search(line) for line in written)
    )


def _is_wrapped(lines: list[str], width: int) -> bool:
    """Whether lines are broken where they are full: one goes on with a small letter, or all that end no sentence are
    full in a text that ends with a full stop, which a list of statements without full stops does not."""
    unended = [
        (behind[:1].islower(), _is_full(line, behind.split(maxsplit=1)[0], width))
        for line, behind in pairwise(filter(None, map(str.strip, lines)))
        if line[-1] not in _ENDS and not line.isupper()
    ]
    if any(small and full for small, full in unended):
        return True
    return bool(unended) and all(full for _, full in unended) and "".join(lines).rstrip().endswith(".")


def _is_full(line: str, word: str, width: int) -> bool:
    """Whether the first word of the next line has no more room in a line that ends no sentence."""
    return 0 < width < len(line) + 1 + len(word) and line[-1:] not in _ENDS


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
                ((tail := text[at - 4 : at]).isalpha() and tail.islower() and tail not in _abbreviation_tails())
                and not may_go_on(tail)
            )
        )
    )


@cache
def _abbreviation_tails() -> frozenset[str]:
    return frozenset(word[-4:] for word in sentence_words().abbreviation if len(word) >= 4)


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
    words = sentence_words()
    return -1 if word in words.before_letter or word in words.counted else first


def _ends_at_mark(text: str, begin: int, letter: int, at: int, stop: int, end: int, number: int) -> bool:
    after = _WORD.search(text, stop, end)
    if after is None:
        return True
    following, words = after.group(), sentence_words()
    if after.start() == stop:
        # "effusion.No": a missing space, unless it is "e.g.Something".
        return (
            text[at - 2 : at].isalpha()
            and text[at - 2 : at].islower()
            and _last_word(text, begin, at).lower() not in words.abbreviation
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
    if low in words.predicate and letter < at - len(word) and head.isupper():
        return words.begins(following)
    if low in words.side:
        before = _last_word(text, begin, at - len(word) - 1)
        if before in words.open_ended or following.lower().rstrip(",.:;?") in words.behind_side:
            return False  # "der re. Lunge", "Infiltrat re. UF"
        if words.begins(following):
            return head.isupper() or not before[:1].isupper()  # "Erguss re. ohne Dynamik", "erguss re. kein pneu"
        return head.isupper() and not (word.isupper() or _is_attribute(text, begin, at - len(word) - 1, following))
    return low not in words.abbreviation and _ends_after_word(text, begin, letter, at, after, number, word)


def _ends_after_word(text: str, begin: int, letter: int, at: int, after: re.Match[str], number: int, word: str) -> bool:
    """Whether a full stop behind a word that need not be an abbreviation ends a sentence; ``after``: the next word."""
    following, words, low = after.group(), sentence_words(), word.lower()
    head = following.lstrip("\"'([\u201c")[:1]
    if goes_on(word, _last_word(text, begin, at - len(word) - 1) if letter < at - len(word) else ""):
        # Before a capital, only words that begin a statement tell its end: "Marked osteopenia, sev. No effusion."
        return following.istitle() and words.surely_begins(following)
    if low in words.soft and following.lower() in words.joining:
        return False
    if len(word) == 1 and word.isalpha() and _is_spaced(text, begin, at):
        return text[at - 1] in "Bb" and not head.islower() and text[begin:at].rstrip("Bb ").endswith("o.")
    if low in words.both_sides and _is_attribute(text, begin, at - len(word) - 1, following):
        return False
    if word.isdigit() and len(word) <= 2:
        before = _last_word(text, begin, at - len(word) - 1).lower()
        noun = following.lower().rstrip(",.:;")
        if before in words.before_ordinal or (
            before.isalpha() and noun in words.behind_ordinal and before not in words.counted
        ):
            return False
    if low in words.before_number and head.isdigit():
        return _item_number(text, at + 1, after.endpos) == number + 1 and number >= 0
    if (len(word) == 1 and word.isalpha()) or _DOTTED.fullmatch(word):
        return _ends_after_letter(text, begin, at, word, following, head)
    if head.islower():
        if low in words.soft or following.lower().rstrip(",.:;") in words.side | words.both_sides:
            return False
        return len(word) > 3 or not word.isalpha() or word.isupper() or "\n" in text[at + 1 : after.start()]
    return True


def _is_spaced(text: str, begin: int, at: int) -> bool:
    """Whether the letter before ``at`` belongs to an abbreviation with spaces, at its end or inside: "V. a. COPD"."""
    known = sentence_words()
    letters = _LETTERS.search(text, max(begin, at - _LONGEST_LETTERS), at)
    following = _NEXT_LETTER.match(text, at + 1)
    if letters is None:
        return False
    words = "".join(letters.group().lower().split()).split(".")
    longer = [*words, following.group(1).lower()] if following else words
    ends = (".".join(run[k:]) for run in (words, longer) for k in range(len(run) - 1))
    return any(end in known.spaced or end in known.spaced_end for end in ends)


def _is_attribute(text: str, begin: int, at: int, following: str) -> bool:
    """Whether a side belongs to the noun behind it: "basal bds. Infiltrate", not "Ergüsse bds. Infiltrate"."""
    before = _last_word(text, begin, at) if at > begin else ""
    behind_noun = before[:1].isupper() and before.lower() not in sentence_words().adverb
    return not behind_noun and not sentence_words().begins(following)


def _ends_after_letter(text: str, begin: int, at: int, word: str, following: str, head: str) -> bool:
    """Whether "B." or "J.R." ends a sentence: not if it is an initial."""
    if head.islower():
        return False
    words = sentence_words()
    if word.lower() in words.spaced_end:
        return True
    if word.lower() in words.soft or word.islower() or word == "I" or not head.isupper():
        return True
    before = _last_word(text, begin, max(begin, at - len(word) - 1)).lower()
    return before in words.before_letter or words.begins(following)


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
    words = sentence_words()
    line_start = text.rfind("\n", 0, at) + 1
    line = text[line_start:at].rstrip()
    last = line[-1:]
    if last == ";" and (lines.one_case or not text[stop].islower()):
        return True
    if last in ",:(-/" or _last_word(text, begin, _rstripped(text, begin, at)).lower() in words.open_ended:
        return False
    word_match = _WORD.match(text, stop, end)
    word = word_match.group() if word_match else ""
    is_full = _is_full(line, word, lines.width)
    if PLACEHOLDER.match(text, stop, end):
        return not is_full
    head = word[:1]
    if lines.one_case or head.isdigit() or (len(word) > 1 and word.isupper()):
        return not is_full
    if head.isupper():
        continues = word.lower().rstrip(".,;") in words.name or (lines.wrapped and not words.surely_begins(word))
        return not (is_full and continues)
    return False
