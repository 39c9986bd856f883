"""Boxes of a form: "Pneumothorax: [ ] Yes [X] No" says "Pneumothorax: No"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from radcal.findings.edits import Edit

_BOX = re.compile(r"\[\s?(?P<square>[xX*✓✔]?)\s?\]|\(\s?(?P<round>[xX*✓✔]?)\s?\)|(?P<sign>[☐☑☒□■▢▣✓✔])")
_EMPTY = "☐□▢"
_WORDS = (
    r"(?:yes|none|not (?:seen|present|assessed)|no|present|absent|normal|abnormal|negative|positive|y|n|unknown"
    r"|ja|nein|keine?r?|vorhanden|unauffällig)\b"
)
_CHOICE_BEHIND = re.compile(rf"\s*{_WORDS}", re.IGNORECASE)
_CHOICE_BEFORE = re.compile(rf"\b{_WORDS}\s*$", re.IGNORECASE)
_NEXT = re.compile(r"[.;](?=\s|$)|\n|(?<!\S)[^\s:]+:")
"""What the words of a box do not reach beyond: the end of a statement, the next heading."""


@dataclass(slots=True)
class _Question:
    """What stands before boxes; of each box the span with its words, that of its sign, and whether it is ticked."""

    start: int
    end: int
    boxes: list[tuple[tuple[int, int], tuple[int, int], bool]] = field(default_factory=list)


def ticked(text: str) -> Iterator[Edit]:
    """What boxes leave to be read: the words of those that are ticked; nothing of a question of which none is."""
    boxes = list(_BOX.finditer(text))
    if not boxes:
        return
    asked = text[: boxes[0].start()].rstrip()
    questions = list(_behind(text, boxes) if not asked or asked[-1] in ":?-" else _before(text, boxes))
    for question in questions:
        if any(tick for *_, tick in question.boxes):
            for words, sign, tick in question.boxes:
                yield Edit(*(sign if tick else words), "")
        elif asked[-1:] in ("", ":", "?", "-") or len(boxes) > 1:
            end = question.boxes[-1][0][1]
            alone = question is questions[-1] and not text[question.start : question.end].strip()
            yield Edit(question.start, len(text) if alone else end, "")


def _is_ticked(box: re.Match[str]) -> bool:
    sign = box["sign"]
    return sign not in _EMPTY if sign else bool(box["square"] or box["round"])


def _behind(text: str, boxes: list[re.Match[str]]) -> Iterator[_Question]:
    """The questions of boxes before their words: "[ ] small [x] large"."""
    question, reached = None, 0
    for box, following in zip(boxes, [*(b.start() for b in boxes[1:]), len(text)], strict=True):
        found = _CHOICE_BEHIND.match(text, box.end(), following)
        ends = _NEXT.search(text, box.end(), following)
        stop = found.end() if found else ends.start() if ends else following
        if question is None or text[reached : box.start()].strip(" \n\t,.;"):
            if question is not None:
                yield question
            question = _Question(reached, box.start())
        question.boxes.append(((box.start(), stop), box.span(), _is_ticked(box)))
        reached = stop
    if question is not None:
        yield question


def _before(text: str, boxes: list[re.Match[str]]) -> Iterator[_Question]:
    """The questions of boxes behind their words: "small [ ] large [x]"."""
    question, reached = None, 0
    for box in boxes:
        begin = text.rfind(":", reached, box.start()) + 1 or reached
        if (found := _CHOICE_BEFORE.search(text[begin : box.start()])) is not None:
            begin += found.start()
        if question is None or text[reached:begin].strip(" \n\t,.;"):
            if question is not None:
                yield question
            question = _Question(reached, begin)
        question.boxes.append(((begin, box.end()), box.span(), _is_ticked(box)))
        reached = box.end()
    if question is not None:
        yield question
