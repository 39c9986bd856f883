"""Findings without a heading: a sentence of findings, or of their absence, below or after an aside."""

from __future__ import annotations

import re
from itertools import islice, pairwise

from radcal.system.resources import patterns

_REACH = 300
"""Characters of a sentence that are searched."""
_LONGEST_WORD = 100
_SKIPPED, _SKIPPED_LENGTH = 3, 200
"""Up to three sentences of at most 200 characters may precede the first sentence of findings."""

_P = patterns("reading", "unheaded.toml")
_NEW_LINE = _P["new_line"]
_NEW_SENTENCE = _P["new_sentence"]
_LINE = _P["line"]
_ITEM = _P["item"]
_SENTENCE = _P["sentence"]
_PARAGRAPH = 3
"""Fewest sentences of a paragraph, or items of a list, that may be findings without saying so."""
_MOST_LINES = 100
_SHORTEST_FULL_LINE = 60
_STOP = _P["stop"]
_SPACES = _P["spaces"]
_OF_A_PATIENT = _P["of_a_patient"]
_FEWEST_WORDS = 3
"""Words of a line that describes: "Pneumonia." alone may be a diagnosis of the referring physician."""
_OF_A_TECHNIQUE = _P["of_a_technique"]
_DESCRIBED = _P["described"]
_ANATOMY = _P["anatomy"]
_STATED = _P["stated"]
_READ_IN_GERMAN = _P["read_in_german"]
_NOTHING = _P["nothing"]


def findings_in_line(text: str, start: int, end: int) -> int | None:
    """The start of the first sentence in text[start:end], also within a line, of findings and not technique."""
    for match in _NEW_SENTENCE.finditer(text, start, end):
        at = match.end()
        if _tells(text, at, end) and not _has(_OF_A_TECHNIQUE, text, at, _stop(text, at, end)):
            return at
    return None


def sentences_behind(text: str, start: int, end: int) -> int | None:
    """The start of the second sentence of an aside if it and another one name findings, and none is of the patient.

    German says by its verbs that something was seen.
    """
    match = _NEW_SENTENCE.search(text, start, end)
    if match is None:
        return None
    if read := _READ_IN_GERMAN.search(text, match.end(), end):
        return max(m.end() for m in _NEW_SENTENCE.finditer(text, start, read.end()))
    sentences = [sentence[:_REACH] for sentence in _SENTENCE.split(text[match.end() : end])[:_MOST_LINES]]
    if any(map(_OF_A_PATIENT.search, sentences)):
        return None
    return match.end() if sum(_ANATOMY.search(sentence) is not None for sentence in sentences) > 1 else None


def body_in_line(text: str, start: int, end: int, fewest: int) -> int | None:
    """The start of the body of a report behind a history in the same line, None if there is none.

    The body has at least ``fewest`` sentences of findings or of the picture, one of which tells that something was seen
    or not, and begins with what is said before that of the picture and not of the patient.
    """
    begins = [match.end() for match in islice(_NEW_SENTENCE.finditer(text, start, end), _MOST_LINES)]
    told = next((k for k, at in enumerate(begins) if _tells(text, at, end)), None)
    if told is None:
        return None
    while told and _is_described(text, begins[told - 1], begins[told]):
        told -= 1
    ours = (_has(_ANATOMY, text, at, _stop(text, at, end)) or _is_described(text, at, end) for at in begins[told:])
    return begins[told] if sum(ours) >= fewest else None


def _is_described(text: str, at: int, end: int) -> bool:
    """Whether the sentence may belong to the body: what was done or seen where, and nothing of the patient."""
    stop = _stop(text, at, end)
    sentence = text[at : min(stop, at + _REACH)]
    return not _OF_A_PATIENT.search(sentence) and bool(_DESCRIBED.search(sentence) or _STATED.search(sentence))


def findings_below(text: str, start: int, end: int) -> int | None:
    """The start of the first line in text[start:end] that describes findings before any sentence about the patient."""
    for match in _NEW_LINE.finditer(text, start, end):
        at: int | None = match.end()
        for _ in range(_SKIPPED + 1):
            if at is None:
                break
            if _tells(text, at, end):
                return _described_before(text, start, match.end(), end)
            at = _next_sentence(text, at, end)
    return _paragraph_below(text, start, end)


def _described_before(text: str, start: int, told: int, end: int) -> int:
    """The start of the lines before ``told`` that go with it: sentences of a paragraph of findings, not of the patient.

    They lack a verb, as in "Band-shaped opacity at the left base, likely atelectasis."
    """
    first = _paragraph_below(text, start, end)
    if first is None or first >= told:
        return told
    for line in reversed(list(_LINE.finditer(text, first, told))):
        words = line.group().rstrip()
        if _is_of_a_patient(words[:_REACH]) or not words.endswith("."):
            break
        if len(words.split()) >= _FEWEST_WORDS or not _ANATOMY.search(words):
            told = line.start()
    return told


def _is_of_a_patient(words: str) -> bool:
    """Whether a line asks or tells of the patient; an image, and what is asked of a shadow, are no sign of that."""
    return any(
        not m.group("image")
        and not (m.group() == "?" and words[m.end() : m.end() + 1].isalpha() and _ANATOMY.search(words, 0, m.start()))
        for m in _OF_A_PATIENT.finditer(words)
    )


def line_below(text: str, start: int, end: int) -> int | None:
    """The start of the line below that of a short aside, if it begins with a capital and no line is wrapped there."""
    match = _NEW_LINE.search(text, start, end)
    if match is None or not text[start : match.start()].strip():
        return None
    ends = (line.end() for line in islice(_LINE.finditer(text, start, end), _MOST_LINES))
    width = max(_SHORTEST_FULL_LINE, *(_column(text, end) for end in ends))
    word = text[match.end() : match.end() + _LONGEST_WORD].split(maxsplit=1)[0]
    return match.end() if _column(text, match.start()) + len(word) < width else None


def _paragraph_below(text: str, start: int, end: int) -> int | None:
    """The start of the first paragraph or list below the line of an aside that is not mostly about the patient.

    A line ends on purpose, and is not wrapped, if the word below it would still have fitted.
    """
    lines = [match.span() for match in islice(_LINE.finditer(text, start, end), _MOST_LINES)]
    width = max((_column(text, last) for _, last in lines), default=0)
    for (_, last), (first, stop) in pairwise(lines):
        word = text[first : min(stop, first + _LONGEST_WORD)].split(maxsplit=1)[0]
        if _column(text, last) + len(word) >= width:
            continue
        items = [text[a:b] for a, b in lines if a >= first and _ITEM.match(text, a)]
        sentences = items or _SENTENCE.split(text[first : lines[-1][1]])
        ours = sum(_OF_A_PATIENT.search(sentence[:_REACH]) is None for sentence in sentences)
        if len(sentences) >= _PARAGRAPH and 2 * ours > len(sentences):
            return first
    return None


def _column(text: str, at: int) -> int:
    """The number of characters before ``at`` in its line."""
    return at - text.rfind("\n", 0, at) - 1


def _next_sentence(text: str, at: int, end: int) -> int | None:
    """The start of the next sentence of the line; None if there is none, or if this one is about the patient."""
    stop = _stop(text, at, end)
    if stop - at > _SKIPPED_LENGTH or stop == end or text[stop] != "." or _has(_OF_A_PATIENT, text, at, stop):
        return None
    spaces = _SPACES.match(text, stop + 1, end)
    return spaces.end() if spaces else None


def _tells(text: str, at: int, end: int) -> bool:
    """Whether the sentence describes findings or their absence, and not the patient."""
    stop = _stop(text, at, end)
    seen = _has(_ANATOMY, text, at, stop) and _has(_STATED, text, at, stop)
    return bool(seen or _NOTHING.match(text, at, end)) and not _has(_OF_A_PATIENT, text, at, stop)


def _stop(text: str, at: int, end: int) -> int:
    """The end of the sentence (a full stop or the end of the line), or of the searched part of a long one."""
    end = min(end, at + _REACH + _LONGEST_WORD)
    match = _STOP.search(text, at, end)
    return match.start() if match else end


def _has(words: re.Pattern[str], text: str, at: int, stop: int) -> bool:
    match = words.search(text, at, stop)
    return match is not None and match.start() - at <= _REACH
