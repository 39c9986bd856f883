"""Slides of teaching cases: laid out once, then written as PowerPoint or as PDF.

This is the one module that talks to python-pptx and to Pillow.  Each text gets the largest of its sizes at which it
fits its box, by the widths of the font of the PDF; Arial, which the PowerPoint asks for because every machine has it or
a stand-in of its widths, is narrower.  What does not fit at the smallest size is cut to whole sentences, with a mark.
"""

from __future__ import annotations

import io
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, time
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from radcal.feedback.pdf import Print, printable, slides_pdf
from radcal.feedback.records import Rate, TeachingCase
from radcal.reports.sections import document
from radcal.system.coarse import FEWEST
from radcal.system.language.catalogue import Language, language
from radcal.system.resources import resource

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 960.0, 540.0
"""Of a slide in points: 16:9."""
_MARGIN = 48.0
_LINE = 1.25
"""Height of a line, in sizes of its type."""
_SPARE = 0.96
"""The share of a box's width that is filled: programs break lines a little differently."""
SMALLEST = 18
_CITED = (28, 26, 24, 22, 20, 18)
CUT = "[\N{HORIZONTAL ELLIPSIS}]"
_EMPTY_LINES, _COLUMNS, _ROWS = 5, 3, 14
_FONT = "Arial"
_INK, _QUIET, _ACCENT = "141414", "5A5A5A", "B04A00"

Role = Literal["title", "strong", "plain", "quiet"]
_BOLD = ("title", "strong")


@dataclass(frozen=True, slots=True)
class Box:
    """A text at its place, in points; ``bold`` is a span of it in bold type, and a title is bold as a whole."""

    x: float
    y: float
    width: float
    height: float
    text: str
    size: int
    role: Role = "plain"
    bold: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Slide:
    """Its boxes, the title first;  lines: how far below the top there are empty lines to write on."""

    boxes: tuple[Box, ...]
    lines: tuple[float, ...] = ()


def laid_out(
    told: Sequence[tuple[TeachingCase, Rate | None]],
    *,
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
    rules = [
        w.say("Why we meet: to learn from cases what our words tell those who read them."),
        w.say("Cases, not people: nobody asks whose report it was, and nobody tells."),
        w.say("First vote, then look: a guess that CT does not share is no mistake."),
        w.say("These cases were chosen for what they teach; they are no sample of anybody\u2019s work."),
        w.say("What is said here stays here."),
    ]
    slides = [
        Slide((
            _box(title or w.say("Words on chest X-rays, and what CT showed"), 40, 100, (36, 32, 28, 24), role="title"),
            _box(when, 148, 40, (24, 20, 18), role="quiet"),
            *(_box(rule, 210 + 58 * i, 54, (20, 18)) for i, rule in enumerate(rules)),
        ))
    ]  # fmt: skip
    for n, (case, rate) in enumerate(told, 1):
        slides += [_asked(n, case, w), _answered(n, case, rate, w)]
    taken = _title(w.say("What we take from this"))
    slides.append(Slide((taken,), tuple(170.0 + 72 * i for i in range(_EMPTY_LINES))))
    names = [name for name in (" ".join(name.split()) for name in attended) if name]
    for first in range(0, len(names), _COLUMNS * _ROWS):
        slides.append(Slide(tuple(_attendance(names[first : first + _COLUMNS * _ROWS], w))))
    return tuple(Slide(tuple(box for box in slide.boxes if box.text), slide.lines) for slide in slides)


def _asked(n: int, case: TeachingCase, w: Language) -> Slide:
    return Slide((
        _title(w.say("Case {n}: {pathology}", n=n, pathology=w.pathology(case.topic))),
        _box(w.say("The chest X-ray report says"), 112, 26, role="quiet"),
        _cited(case.xray, case.words, 142, 204),
        _box(case.question, 362, 72, (20, 18)),
        _box(w.say("What would you expect CT to show? Vote."), 446, 60, (28, 24), role="strong"),
    ))  # fmt: skip


def _answered(n: int, case: TeachingCase, rate: Rate | None, w: Language) -> Slide:
    topic, word = w.pathology(case.topic), w.quoted(case.phrase)
    says: list[Box] = []
    if case.ct:
        says = [_box(w.say("The CT report says"), 112, 26, role="quiet"), _cited(case.ct, case.ct_key, 142, 152)]
        plain = {1.0: w.say("CT showed it."), 0.0: w.say("CT did not show it.")}
        hedged = w.say("CT hedged, and rather showed it.") if case.outcome >= 0.5 else w.say(
            "CT hedged, and rather did not show it."
        )  # fmt: skip
        verdict = plain.get(case.outcome, hedged)
    else:
        verdict = w.say("CT does not mention {pathology}.", pathology=topic)
    if rate is None:
        known = w.say("For {word} the department has too few readers or findings to say how often.", word=word)
    else:
        known = w.say(
            "In this department, CT showed {pathology} after {word} in {rate}: {n} uses by {k} readers or more.",
            pathology=topic,
            word=word,
            rate=w.rate(rate.share, rate.low, rate.high),
            n=w.banded(rate.n),
            k=w.count(FEWEST + 1),
        )
    return Slide((
        _title(w.say("Case {n}: what CT showed", n=n)),
        *says,
        _box(verdict, 306 if says else 142, 44, (28, 24, 20, 18), role="strong"),
        _box(known, 356, 58, (20, 18)),
        _box(case.point, 424, 92, (22, 20, 18)),
    ))  # fmt: skip


def _attendance(names: Sequence[str], w: Language) -> Iterator[Box]:
    yield _title(w.say("Who took part"))
    width = (WIDTH - 2 * _MARGIN) / _COLUMNS
    for i, name in enumerate(names):
        yield _box(name, 112 + 28 * (i % _ROWS), 26, x=_MARGIN + width * (i // _ROWS), width=width - 12)


# --- texts that fit


def _title(text: str) -> Box:
    return _box(text, 30, 76, (32, 28, 24), role="title")


def _box(
    text: str,
    y: float,
    height: float,
    sizes: Sequence[int] = (SMALLEST,),
    *,
    role: Role = "plain",
    x: float = _MARGIN,
    width: float = WIDTH - 2 * _MARGIN,
) -> Box:
    """A text in the largest size that fits, its last words cut at the smallest."""
    text, bold = printable(text).strip(), role in _BOLD
    size = next((s for s in sizes if fits(text, s, width, height, bold=bold)), sizes[-1])
    if not fits(text, size, width, height, bold=bold):
        most = range(1, len(text))
        n = bisect_left(most, True, key=lambda n: not fits(f"{text[:n]} {CUT}", size, width, height, bold=bold))
        text = f"{text[:n] if text[n] == ' ' else text[:n].rpartition(' ')[0] or text[:n]} {CUT}"
    return Box(x, y, width, height, text, size, role)


def _cited(text: str, key: str, y: float, height: float) -> Box:
    """Words of a report with ``key`` in bold; what has no room is cut sentence by sentence, the key's the last."""
    whole = document("", printable(text)).sentences
    key = printable(key).strip()
    said = [s.text for s in whole] or [printable(text)]
    at = next((i for i, sentence in enumerate(said) if key and key.lower() in sentence.lower()), 0)
    first, last = 0, len(said)

    def shown() -> str:
        return " ".join([*[CUT] * (first > 0), *said[first:last], *[CUT] * (last < len(said))])

    while last - first > 1 and not fits(shown(), _CITED[-1], WIDTH - 2 * _MARGIN, height, bold=True):
        if last - 1 - at >= at - first:
            last -= 1
        else:
            first += 1
    box = _box(shown(), y, height, _CITED)
    start = box.text.lower().find(key.lower()) if key and len(key) < len(box.text) - 1 else -1
    return replace(box, bold=(start, start + len(key))) if start >= 0 else box


def fits(text: str, size: int, width: float, height: float, *, bold: bool) -> bool:
    """Whether a text has room in a box of points."""
    return lines_of(text, size, width, bold=bold) * size * _LINE <= height


def lines_of(text: str, size: int, width: float, *, bold: bool) -> int:
    """How many lines a text takes, broken at spaces and where :func:`printable` lets long words break.

    More than there can be where a word is wider than the box.
    """
    room, lines, used = width * _SPARE, 1, 0.0
    for piece in text.replace("\u200b", "\u200b ").split(" "):
        word = piece.rstrip("\u200b")
        if (wide := size * _width(word, bold)) > room:
            return sys.maxsize
        if used and used + wide > room:
            lines, used = lines + 1, 0.0
        used += wide + (size * _width(" ", bold) if word == piece else 0.0)
    return lines


@cache
def _font(bold: bool) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(resource("fonts", f"Inter-{'SemiBold' if bold else 'Regular'}.otf")), 100)


def _width(word: str, bold: bool) -> float:
    """The width of a word, in sizes of its type."""
    return sum(_letter(letter, bold) for letter in word)


@cache
def _letter(letter: str, bold: bool) -> float:
    return _font(bold).getlength(letter) / 100


# --- files


def as_pdf(pack: Sequence[Slide], created: datetime, tag: str = "en") -> bytes:
    """The slides as a PDF of pages of 16:9, dated by the day of ``created``.

    Raises:
        EngineError: typesetting failed.
    """
    content = {"title": pack[0].boxes[0].text, "slides": [asdict(slide) for slide in pack]}
    return slides_pdf(content, created, Print(language=tag))


def as_pptx(pack: Sequence[Slide], created: datetime, tag: str = "en") -> bytes:
    """The slides as PowerPoint: no notes, no thumbnail, and nobody in its properties; dated as the PDF."""
    from pptx import Presentation
    from pptx.enum.shapes import MSO_CONNECTOR
    from pptx.util import Pt

    made = Presentation()
    _without_traces(made)
    made.slide_width, made.slide_height = Pt(WIDTH), Pt(HEIGHT)
    (layout,) = made.slide_layouts
    for shape in (*made.slide_master.shapes, *layout.shapes):  # which were made for 4:3
        shape.left, shape.width = round(shape.left * 4 / 3), round(shape.width * 4 / 3)
    for slide in pack:
        page = made.slides.add_slide(layout)
        for i, box in enumerate(slide.boxes):
            place = [Pt(n) for n in (box.x, box.y, box.width, box.height)]
            # The title is that by which slides are listed, and read aloud.
            shape = page.shapes.add_textbox(*place) if i else page.shapes.title
            shape.left, shape.top, shape.width, shape.height = place
            _fill(shape.text_frame, box, tag)
        for y in slide.lines:
            line = page.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, Pt(_MARGIN), Pt(y), Pt(WIDTH - _MARGIN), Pt(y))
            line.line.color.rgb = _rgb(_QUIET)
    told, day = made.core_properties, datetime.combine(created, time(12))
    told.author = told.last_modified_by = "RadCal"
    told.title, told.comments, told.created, told.modified = pack[0].boxes[0].text, "", day, day
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _fill(frame: Any, box: Box, tag: str) -> None:
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Pt

    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    paragraph = frame.paragraphs[0]
    paragraph.alignment, paragraph.line_spacing = PP_ALIGN.LEFT, Pt(box.size * _LINE)
    (start, end), colour = box.bold, {"quiet": _QUIET, "strong": _ACCENT}.get(box.role, _INK)
    for text, bold in ((box.text[:start], False), (box.text[start:end], True), (box.text[end:], False)):
        if text:
            run = paragraph.add_run()
            run.text, run.font.name, run.font.size = text, _FONT, Pt(box.size)
            run.font.bold, run.font.color.rgb = bold or box.role in _BOLD, _rgb(colour)
            run._r.get_or_add_rPr().set("lang", tag)


def _rgb(colour: str) -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor(*bytes.fromhex(colour))  # type: ignore[no-untyped-call]


def _without_traces(made: Any) -> None:
    """Leave of python-pptx's own file the master and one layout: no thumbnail, printer, or program that made it."""
    for of in (made.part.package, made.part):
        for key, rel in list(of._rels.items()):
            if rel.reltype.rsplit("/", 1)[-1] in ("thumbnail", "printerSettings", "extended-properties"):
                of.drop_rel(key) if of is not made.part else of._rels.pop(key)
    for layout in list(made.slide_layouts):
        if layout.name != "Title Only":
            made.slide_layouts.remove(layout)
    made.part._element.sldSz.attrib.pop("type", None)
