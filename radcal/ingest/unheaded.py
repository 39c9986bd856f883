"""Findings without a heading: a sentence of findings, or of their absence, below or after an aside."""

from __future__ import annotations

import re

_REACH = 300
"""Characters of a sentence that are searched."""
_LONGEST_WORD = 100
_SKIPPED, _SKIPPED_LENGTH = 3, 200
"""Up to three sentences of at most 200 characters may precede the first sentence of findings."""

_NEW_LINE = re.compile(r"\n\s{0,200}(?=[A-Z])")
_NEW_SENTENCE = re.compile(r"(?:\n\s{0,200}|[.?!][ \t]+)(?=[A-Z])")
_STOP = re.compile(r"[\n.]")
_SPACES = re.compile(r"[ \t]+")
_OF_A_PATIENT = re.compile(
    r"\?|\b(?:patient|pt|he|she|his|her|hx|h/o|rule|r/o|evaluat\w*|eval|assess\w*|concern\w*|question\w*|suspect\w*"
    r"|suspicion|known|history|diagnos\w+|symptom\w*|cough\w*|fevers?|pain\w*|dyspn\w+|shortness|sob|years?|y/?o|male"
    r"|female|man|woman|treat\w+|surger\w+|admi\w+|present(?:s|ing)|check|staging|surveillance|screening|outside"
    r"|previously|(?:on|by|per) (?:\w+ )?(?:ct|x-?ray|cxr|radiograph|film|imaging))\b",
    re.IGNORECASE,
)
"""Words of histories and clinical questions."""
_OF_A_TECHNIQUE = re.compile(
    r"\b(?:comparison|study|views?|radiographs?|ct|images?|contrast|protocol)\b", re.IGNORECASE
)
_ANATOMY = re.compile(
    r"\b(?:lungs?|heart|cardi\w+|mediast\w+|pleura\w*|effusions?|pneumothora\w+|consolidat\w+|opaci\w+|infiltrat\w+"
    r"|nodul\w+|mass(?:es)?|atelecta\w+|fractur\w+|hil(?:a|ar|um)|embol\w+|filling|o?edema|pneumonia)\b",
    re.IGNORECASE,
)
_STATED = re.compile(r"\b(?:no|is|are|has|have|remains?|seen|noted|unchanged|stable|clear|normal)\b", re.IGNORECASE)
_NOTHING = re.compile(r"no\s+(?:acute|active|evidence|significant|interval|change)\b", re.IGNORECASE)


def findings_in_line(text: str, start: int, end: int) -> int | None:
    """The start of the first sentence in text[start:end], also within a line, of findings and not technique."""
    for match in _NEW_SENTENCE.finditer(text, start, end):
        at = match.end()
        if _tells(text, at, end) and not _has(_OF_A_TECHNIQUE, text, at, _stop(text, at, end)):
            return at
    return None


def findings_below(text: str, start: int, end: int) -> int | None:
    """The start of the first line in text[start:end] that describes findings before any sentence about the patient."""
    for match in _NEW_LINE.finditer(text, start, end):
        at: int | None = match.end()
        for _ in range(_SKIPPED + 1):
            if at is None:
                break
            if _tells(text, at, end):
                return match.end()
            at = _next_sentence(text, at, end)
    return None


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
