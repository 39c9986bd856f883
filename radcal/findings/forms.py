"""Forms: boxes that are ticked ("Pneumothorax: [ ] Yes [X] No"), and values behind a heading ("Effusion: N")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from radcal.findings.edits import Edit
from radcal.words.word_files import NOTHING

SIGNS = frozenset("[(☐☑☒□■▢▣✓✔")
"""Of which one stands in every text with boxes."""
_BOX = re.compile(r"\[\s?(?P<square>[xX*✓✔]?)\s?\]|\(\s?(?P<round>[xX*✓✔]?)\s?\)|(?P<sign>[☐☑☒□■▢▣✓✔])")
_EMPTY = "☐□▢"
_NEXT = re.compile(r"[.;](?=\s|$)|\n|(?<!\S)[^\s:]+:")
"""What the words of a box do not reach beyond: the end of a statement, the next heading."""
_LEADS = ("", ":", "?", "-")
"""The sign before the first of boxes that precede their words."""
_BETWEEN = " \n\t,.;"


@dataclass(slots=True)
class _Question:
    """What stands before boxes; of each box the span with its words, that of its sign, and whether it is ticked."""

    start: int
    end: int
    boxes: list[tuple[tuple[int, int], tuple[int, int], bool]] = field(default_factory=list)


class Forms:
    """Args: values: what the words of a form's value mean, in lower case; NOTHING where it is left open."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        words = "|".join(map(re.escape, sorted(values, key=len, reverse=True))) or "(?!)"
        self._behind = re.compile(rf"\s*(?:{words})(?!\w)", re.IGNORECASE)
        self._before = re.compile(rf"(?<!\w)(?:{words})\s*$", re.IGNORECASE)
        short = "|".join(re.escape(word) for word in values if len(word) == 1) or "(?!)"
        ends = r"(?P<end>[ \t]*(?:[,/|](?=\s|$)|(?=\.\s|;\s|\n|[.;]?$)))"
        self._value = re.compile(
            rf"(?:^|(?<=[.;,/|\n]))(?P<label>[^:=?.;,/|\n]{{2,60}}?)"
            rf"(?:(?P<sign>[ \t]*[:=?])[ \t]*(?P<value>{words})|[ \t]+(?P<short>{short})){ends}",
            re.IGNORECASE,
        )

    def values(self, text: str) -> Iterator[tuple[str, list[Edit]]]:
        """The heading of each value, and what is read of it; of one that is left open, nothing with its heading.

        A heading with nothing but a space behind it has one behind it here, too.  What ends a value ends a statement.
        """
        for found in self._value.finditer(text):
            value = "value" if found["sign"] else "short"
            label, meaning = found["label"], self._values[found[value].lower()]
            if meaning == NOTHING:
                yield label, [Edit(found.start("label"), found.end(value), "")]
                continue
            edits = [Edit(*found.span(value), meaning)]
            if not found["sign"]:
                label += " "
                edits.append(Edit(found.end("label"), found.end("label"), ":"))
            elif found["sign"].strip() != ":":
                edits.append(Edit(*found.span("sign"), ":"))
            if found["end"].strip():
                edits.append(Edit(*found.span("end"), "."))
            yield label, edits

    def ticked(self, text: str) -> Iterator[Edit]:
        """What boxes leave to be read: the words of those that are ticked; nothing of a question of which none is."""
        boxes = list(_BOX.finditer(text))
        if not boxes:
            return
        lead = text[: boxes[0].start()].rstrip()[-1:]
        precede = lead in _LEADS or text[boxes[-1].end() :].strip(_BETWEEN)
        questions = list(self._boxes_before(text, boxes) if precede else self._boxes_behind(text, boxes))
        for question in questions:
            if any(tick for *_, tick in question.boxes):
                for words, sign, tick in question.boxes:
                    yield Edit(*(sign if tick else words), "")
            elif lead in _LEADS or len(boxes) > 1:
                alone = question is questions[-1] and not text[question.start : question.end].strip()
                yield Edit(question.start, len(text) if alone else question.boxes[-1][0][1], "")

    def _boxes_before(self, text: str, boxes: list[re.Match[str]]) -> Iterator[_Question]:
        """The questions of boxes before their words: "[ ] small [x] large"."""
        question, reached = _Question(0, boxes[0].start()), 0
        for box, following in zip(boxes, [*(b.start() for b in boxes[1:]), len(text)], strict=True):
            found = self._behind.match(text, box.end(), following)
            ends = _NEXT.search(text, box.end(), following)
            stop = found.end() if found else ends.start() if ends else following
            if question.boxes and text[reached : box.start()].strip(_BETWEEN):
                yield question
                question = _Question(reached, box.start())
            question.boxes.append(((box.start(), stop), box.span(), _is_ticked(box)))
            reached = stop
        yield question

    def _boxes_behind(self, text: str, boxes: list[re.Match[str]]) -> Iterator[_Question]:
        """The questions of boxes behind their words: "small [ ] large [x]"."""
        question, reached = _Question(0, 0), 0
        for box in boxes:
            begin = text.rfind(":", reached, box.start()) + 1 or reached
            if (found := self._before.search(text[begin : box.start()])) is not None:
                begin += found.start()
            if not question.boxes:
                question.end = begin
            elif text[reached:begin].strip(_BETWEEN):
                yield question
                question = _Question(reached, begin)
            question.boxes.append(((begin, box.end()), box.span(), _is_ticked(box)))
            reached = box.end()
        yield question


def _is_ticked(box: re.Match[str]) -> bool:
    sign = box["sign"]
    return sign not in _EMPTY if sign else bool(box["square"] or box["round"])
