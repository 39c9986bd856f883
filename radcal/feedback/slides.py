"""Slides of teaching cases: laid out once, then written as PowerPoint or as PDF.

This is the one module that talks to python-pptx and to Pillow.  Each text gets the largest of its sizes at which it
fits its box, in Inter, the font of the PDF, as in Arial, for which the PowerPoint asks because every machine has it or
a stand-in of its widths.  What does not fit at the smallest size is cut to whole sentences, with a mark.
"""

from __future__ import annotations

import io
import sys
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, time
from functools import cache
from typing import TYPE_CHECKING, Any

from radcal.feedback.pdf import Print, printable, slides_pdf
from radcal.feedback.records import Rate, TeachingCase
from radcal.reports.sections import document
from radcal.system.coarse import FEWEST
from radcal.system.language.catalogue import Language, language
from radcal.system.resources import resource
from radcal.system.text import Text

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 960.0, 540.0
"""Of a slide in points: 16:9."""
SMALLEST = 18
CUT = "[\N{HORIZONTAL ELLIPSIS}]"
_LEFT, _ROOM = 48.0, WIDTH - 96
_LINE = 1.25
"""Height of a line, in sizes of its type."""
_SPARE = 0.96
"""The share of a box's width that is filled: programs break lines a little differently."""
_CAPITALS = 1.1
"""How much wider than in Inter what is no small letter may be in Arial, in which small letters are narrower."""
_TITLE, _CITED, _SAID, _PLAIN = (32, 28, 24), (28, 26, 24, 22, 20, 18), (28, 24, 20, 18), (20, 18)
_COLUMNS, _ROWS = 3, 14
_INK, _QUIET, _ACCENT = "141414", "5A5A5A", "B04A00"
_RULES = (
    Text("Why we meet: to learn from cases what our words tell those who read them."),
    Text("Cases, not people: nobody asks whose report it was, and nobody tells."),
    Text("First vote, then look: a guess that CT does not share is no mistake."),
    Text("These cases were chosen for what they teach; they are no sample of anybody\u2019s work."),
    Text("What is said here stays here."),
)
_VERDICTS = (
    Text("CT did not show it."),
    Text("CT hedged, and rather did not show it."),
    Text("CT hedged, and rather showed it."),
    Text("CT showed it."),
)


@dataclass(frozen=True, slots=True)
class Box:
    """A text at its place in points, with a span of it in bold type; without a text, a line to write on."""

    x: float
    y: float
    width: float
    height: float
    text: str
    size: int
    colour: str = _INK
    bold: tuple[int, int] = (0, 0)


Slide = tuple[Box, ...]
"""The title first."""


def laid_out(
    told: Sequence[tuple[TeachingCase, Rate | None]],
    title: str = "",
    when: str = "",
    attended: Sequence[str] = (),
    tag: str = "en",
) -> tuple[Slide, ...]:
    """The slides of a meeting: its rules, two for each case, what is taken from it, and who took part.

    Args:
        told: the cases, each with the department's rate of its word.
        title, when, attended: as of :meth:`radcal.feedback.meeting.Meeting.write`.
        tag: of the language.
    """
    w = language(tag)
    rules = (_box(w.write(rule), 210 + 58 * i, 54, _PLAIN) for i, rule in enumerate(_RULES))
    first = title or w.say("Words on chest X-rays, and what CT showed")
    slides = [(_box(first, 40, 100, _TITLE, bold=True), _box(when, 148, 40, _PLAIN, _QUIET), *rules)]
    for n, (case, rate) in enumerate(told, 1):
        slides += [_asked(n, case, w), _answered(n, case, rate, w)]
    lines = (Box(_LEFT, 170.0 + 72 * i, _ROOM, 0, "", SMALLEST, _QUIET) for i in range(5))
    slides.append((_title(w.say("What we take from this")), *lines))
    names, step = [name for line in attended if (name := " ".join(line.split()))], _ROOM / _COLUMNS
    for start in range(0, len(names), _COLUMNS * _ROWS):
        places = [(_LEFT + step * (i // _ROWS), 112 + 28 * (i % _ROWS)) for i in range(_COLUMNS * _ROWS)]
        boxes = (_box(name, y, 26, x=x, width=step - 12) for name, (x, y) in zip(names[start:], places, strict=False))
        slides.append((_title(w.say("Who took part")), *boxes))
    return tuple(tuple(box for box in slide if box.text or not box.height) for slide in slides)


def _asked(n: int, case: TeachingCase, w: Language) -> Slide:
    return (
        _title(w.say("Case {n}: {pathology}", n=n, pathology=w.pathology(case.topic))),
        _box(w.say("The chest X-ray report says"), 112, 26, colour=_QUIET),
        _cited(case.xray, case.words, 142, 204),
        _box(case.question, 362, 72, _PLAIN),
        _box(w.say("What would you expect CT to show? Vote."), 446, 60, _SAID, _ACCENT, bold=True),
    )


def _answered(n: int, case: TeachingCase, rate: Rate | None, w: Language) -> Slide:
    about = {"word": w.quoted(case.phrase), "pathology": w.pathology(case.topic)}
    if case.ct:
        verdict = w.write(_VERDICTS[3 * int(case.outcome) if case.outcome in (0, 1) else 1 + (case.outcome >= 0.5)])
        says = [_box(w.say("The CT report says"), 112, 26, colour=_QUIET), _cited(case.ct, case.ct_key, 142, 152)]
    else:
        verdict, says = w.say("CT does not mention {pathology}.", **about), []
    known = w.say("For {word} the department has too few readers or findings to say how often.", **about)
    if rate is not None:
        shown = {"rate": w.rate(rate.share, rate.low, rate.high), "n": w.banded(rate.n), "k": w.count(FEWEST + 1)}
        known = w.say(
            "In this department, CT showed {pathology} after {word} in {rate}: {n} uses by {k} readers or more.",
            **about,
            **shown,
        )
    return (
        _title(w.say("Case {n}: what CT showed", n=n)),
        *says,
        _box(verdict, 306 if says else 142, 44, _SAID, _ACCENT, bold=True),
        _box(known, 356, 58, _PLAIN),
        _box(case.point, 424, 92, _PLAIN),
    )


def _title(text: str) -> Box:
    return _box(text, 30, 76, _TITLE, bold=True)


def _box(
    text: str,
    y: float,
    height: float,
    sizes: Sequence[int] = (SMALLEST,),
    colour: str = _INK,
    *,
    bold: bool = False,
    x: float = _LEFT,
    width: float = _ROOM,
) -> Box:
    """A text in the largest size that fits, its last words cut at the smallest."""
    text = printable(text).strip()
    size = next((s for s in sizes if _fits(text, s, width, height, bold)), sizes[-1])
    if not _fits(text, size, width, height, bold):
        most = range(1, len(text))
        n = bisect_left(most, True, key=lambda n: not _fits(f"{text[:n]} {CUT}", size, width, height, bold))
        text = f"{text[:n] if text[n] == ' ' else text[:n].rpartition(' ')[0] or text[:n]} {CUT}"
    return Box(x, y, width, height, text, size, colour, (0, len(text) * bold))


def _cited(text: str, key: str, y: float, height: float) -> Box:
    """Words of a report with ``key`` in bold; what has no room is cut sentence by sentence, the key's the last."""
    text, key = printable(text), printable(key).strip().lower()
    said = [s.text for s in document("", text).sentences] or [text]
    at = next((i for i, sentence in enumerate(said) if key and key in sentence.lower()), 0)

    def around(k: int) -> str:
        first = min(max(at - k // 2, 0), len(said) - k)
        return " ".join([CUT] * (first > 0) + said[first : first + k] + [CUT] * (first + k < len(said)))

    shown = (around(k) for k in range(len(said), 1, -1))
    box = _box(next((t for t in shown if _fits(t, SMALLEST, _ROOM, height, True)), around(1)), y, height, _CITED)
    start = box.text.lower().find(key) if 0 < len(key) < len(box.text) - 1 else -1
    return replace(box, bold=(start, start + len(key))) if start >= 0 else box


def _fits(text: str, size: int, width: float, height: float, bold: bool) -> bool:
    return lines_of(text, size, width, bold) * size * _LINE <= height


def lines_of(text: str, size: int, width: float, bold: bool) -> int:
    """How many lines a text takes, broken at spaces and where :func:`printable` lets long words break.

    More than there can be where a word is wider than the box.
    """
    room, lines, used = width * _SPARE, 1, 0.0
    for piece in text.replace("\u200b", "\u200b ").split(" "):
        word = piece.rstrip("\u200b")
        if (wide := size * sum(_letter(letter, bold) for letter in word)) > room:
            return sys.maxsize
        if used and used + wide > room:
            lines, used = lines + 1, 0.0
        used += wide + (size * _letter(" ", bold) if word == piece else 0.0)
    return lines


@cache
def _letter(letter: str, bold: bool) -> float:
    """Its width, in sizes of its type."""
    return (1.0 if letter.islower() or letter == " " else _CAPITALS) * _font(bold).getlength(letter) / 100


@cache
def _font(bold: bool) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(resource("fonts", f"Inter-{'SemiBold' if bold else 'Regular'}.otf")), 100)


def as_pdf(pack: Sequence[Slide], created: datetime, tag: str = "en") -> bytes:
    """The slides as a PDF of pages of 16:9, dated by the day of ``created``.

    Raises:
        EngineError: typesetting failed.
    """
    content = {"title": pack[0][0].text, "slides": [[asdict(box) for box in slide] for slide in pack]}
    return slides_pdf(content, created, Print(language=tag))


def as_pptx(pack: Sequence[Slide], created: datetime, tag: str = "en") -> bytes:
    """The slides as PowerPoint: no notes, no thumbnail, and nobody in its properties; dated as the PDF."""
    from pptx import Presentation
    from pptx.util import Pt

    made = Presentation()
    # Of python-pptx's own file: neither thumbnail, printer and maker, nor layouts and measures of 4:3.
    for rels in (made.part.package._rels, made.part._rels):
        for key in [
            k for k, rel in rels.items() if rel.reltype.endswith(("thumbnail", "Settings", "extended-properties"))
        ]:
            rels.pop(key)
    for layout in [layout for layout in made.slide_layouts if layout.name != "Title Only"]:
        made.slide_layouts.remove(layout)
    for shape in (*made.slide_master.shapes, *made.slide_layouts[0].shapes):
        shape.left, shape.width = round(shape.left * 4 / 3), round(shape.width * 4 / 3)
    made.part._element.sldSz.attrib.pop("type")
    made.slide_width, made.slide_height = Pt(WIDTH), Pt(HEIGHT)
    for slide in pack:
        page = made.slides.add_slide(made.slide_layouts[0])
        for i, box in enumerate(slide):
            place = x, y, width, _ = [Pt(n) for n in (box.x, box.y, box.width, box.height)]
            if not box.text:
                page.shapes.add_connector(1, x, y, x + width, y).line.color.rgb = _rgb(box.colour)
                continue
            # The title is that by which slides are listed, and read aloud.
            shape = page.shapes.add_textbox(*place) if i else page.shapes.title
            shape.left, shape.top, shape.width, shape.height = place
            _fill(shape.text_frame, box, tag)
    told, day = made.core_properties, datetime.combine(created, time(12))
    told.author = told.last_modified_by = "RadCal"
    told.title, told.comments, told.created, told.modified = pack[0][0].text, "", day, day
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _fill(frame: Any, box: Box, tag: str) -> None:
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Pt

    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    paragraph, (start, end) = frame.paragraphs[0], box.bold
    paragraph.alignment, paragraph.line_spacing = PP_ALIGN.LEFT, Pt(box.size * _LINE)
    for text, bold in ((box.text[:start], False), (box.text[start:end], True), (box.text[end:], False)):
        if text:
            run = paragraph.add_run()
            run.text, run.font.name, run.font.size, run.font.bold = text, "Arial", Pt(box.size), bold
            run.font.color.rgb = _rgb(box.colour)
            run._r.get_or_add_rPr().set("lang", tag)


def _rgb(colour: str) -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor(*bytes.fromhex(colour))  # type: ignore[no-untyped-call]
