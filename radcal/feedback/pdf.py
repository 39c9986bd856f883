"""Pages as PDF and PNG: the one module that talks to Typst.

Content reaches the compiler as one JSON string in memory and is never read as code.  The compiler's own
messages quote the text it stumbled on, so none of them is passed on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_args

from radcal.feedback.captions import card_captions, department_captions, drafts_captions, personal_captions
from radcal.feedback.card import department_card, personal_card
from radcal.feedback.content import EVERYTHING, personal_content
from radcal.feedback.department import department_content
from radcal.feedback.drafts import drafts_content
from radcal.feedback.printable import has_box, printable_content
from radcal.feedback.records import FeedbackInput, PageChoice, Paper, Sheet, Standard
from radcal.reliability.evidence import OwnDrafts
from radcal.system.errors import EngineError, InputError
from radcal.system.files import Json, file_stem
from radcal.system.language.catalogue import base, language
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.records import Scale

if TYPE_CHECKING:
    import typst

_FAMILY = "Inter"
_CUTS = 3
_AT = re.compile(r"\b(feedback|department|drafts|card|style|diagrams)\.typ:(\d+)")


@dataclass(frozen=True, slots=True)
class Print:
    """How pages are printed.

    paper: "a4" or "us-letter"
    standard: "" for PDF 1.7, or the standard to conform to
    language: what the pages are written in, "en" or "de", with a region if it matters ("en-GB"); recorded in the file
    settings: those that the results were computed with (intervals, window, smallest numbers)
    """

    paper: Paper = "a4"
    standard: Standard = ""
    language: str = "en"
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        """Refuse what cannot be printed.

        Raises:
            InputError: an unknown paper, standard or language.
        """
        if self.paper not in get_args(Paper):
            raise InputError(
                "The paper {paper!r} is not known. Choose one of {choices}.", paper=self.paper, choices=_choices(Paper)
            )
        if self.standard not in get_args(Standard):
            raise InputError(
                "The PDF standard {standard!r} is not known. Choose one of {choices}.",
                standard=self.standard,
                choices=_choices(Standard),
            )
        base(self.language)

    @classmethod
    def on(cls, sheet: Sheet, settings: Settings) -> Self:
        """As the sheet says, with these settings.

        Raises:
            InputError: an unknown paper, standard or language.
        """
        return cls(sheet.paper, sheet.standard, sheet.language, settings)


_USUAL = Print()


def feedback_pdf(data: FeedbackInput, how: Print = _USUAL, choice: PageChoice = EVERYTHING) -> bytes:
    """One author's pages as a tagged PDF; the same input gives the same bytes.

    Args:
        data: everything the pages are made of; nothing else is read, so that no peer can appear.
        how: paper, standard, language and settings.
        choice: what goes in.

    Raises:
        InputError: an incomplete installation.
        EngineError: the pages could not be typeset.
    """
    return _pdf("feedback.typ", _personal(data, how, choice), data.provenance.created, how)


def feedback_png(data: FeedbackInput, dpi: float, how: Print = _USUAL) -> list[bytes]:
    """One author's pages, all that goes into them, as PNG images, one a page; ``dpi`` in 20-600.

    Raises:
        InputError: as for :func:`feedback_pdf`, or a resolution out of bounds.
        EngineError: the pages could not be typeset.
    """
    if not 20 <= dpi <= 600:
        raise InputError("A resolution of {dpi:g} dots per inch is outside 20 to 600.", dpi=dpi)
    content = _personal(data, how, EVERYTHING)
    pages = _compile("feedback.typ", content, data.provenance.created, format="png", ppi=float(dpi))
    return [pages] if isinstance(pages, bytes) else pages


def department_pdf(inputs: Sequence[FeedbackInput], how: Print = _USUAL) -> bytes:
    """The department's pages: every reader under the pseudonym in its input, pathology by pathology, unranked.

    Raises:
        DataError: no reader, or a pseudonym that is missing, given twice or the author's own name.
        InputError: an incomplete installation.
        EngineError: the pages could not be typeset.
    """
    w = language(how.language)
    content = _prepared(department_content(inputs, how.settings, w), department_captions(how.settings, w), how)
    return _pdf("department.typ", content, max(i.provenance.created for i in inputs), how)


def drafts_pdf(own: OwnDrafts, created: datetime, how: Print = _USUAL) -> bytes:
    """The pages on one person's drafts and the signed wording, dated ``created``.

    Raises:
        InputError: an incomplete installation.
        EngineError: the pages could not be typeset.
    """
    w = language(how.language)
    return _pdf("drafts.typ", _prepared(drafts_content(own, w), drafts_captions(w), how), created, how)


def card_pdf(
    data: FeedbackInput, how: Print = _USUAL, scale: Scale | None = None, choice: PageChoice = EVERYTHING
) -> bytes:
    """One author's pocket card, with marks to cut along, on a sheet that explains it.

    Args:
        data: as for the pages.
        how: paper, standard, language and settings.
        scale: the department's vocabulary, None if none was chosen.
        choice: of the pages; pathologies left out there are left out here.

    Raises:
        InputError: an incomplete installation.
        EngineError: the card could not be typeset.
    """
    w = language(how.language)
    content = personal_card(data, how.settings, scale, choice.without, w)
    return _pdf("card.typ", _prepared(content, card_captions(w, own=True), how), data.provenance.created, how)


def department_card_pdf(inputs: Sequence[FeedbackInput], how: Print = _USUAL, scale: Scale | None = None) -> bytes:
    """The department's pocket card: all readers together.

    Raises:
        DataError: no reader, or a pseudonym that is missing, given twice or the author's own name.
        InputError: an incomplete installation.
        EngineError: the card could not be typeset.
    """
    w = language(how.language)
    content = department_card(inputs, how.settings, scale, w)
    created = max(i.provenance.created for i in inputs)
    return _pdf("card.typ", _prepared(content, card_captions(w, own=False), how), created, how)


def file_name(data: FeedbackInput, suffix: str = ".pdf", what: str = "feedback") -> str:
    """The name of an author's file of a kind (``what``), made of the pseudonym: "feedback-avery.pdf".

    Days that were asked for are part of it: "feedback-avery-2026-01-01-to-2026-03-31.pdf".  Letters a-z, digits and
    hyphens alone, so that it is a file's name on every system.
    """
    slug = file_stem(data.pseudonym or "reader").lower()
    first, last = data.days.first, data.days.last
    if first is not None and last is not None:
        when = f"-{first.isoformat()}-to-{last.isoformat()}"
    else:
        when = f"-from-{first.isoformat()}" if first else f"-until-{last.isoformat()}" if last else ""
    return f"{what}-{slug}{when}{suffix}"


def _pdf(template: str, content: Json, created: datetime, how: Print) -> bytes:
    standards = [how.standard] if how.standard else []
    pages = _compile(template, content, created, format="pdf", pdf_standards=standards)
    return pages if isinstance(pages, bytes) else b"".join(pages)


def _personal(data: FeedbackInput, how: Print, choice: PageChoice) -> Json:
    w = language(how.language)
    return _prepared(personal_content(data, how.settings, choice, w), personal_captions(how.settings, w), how)


def _prepared(content: Json, captions: Json, how: Print) -> Json:
    """The template's input: printable content with captions, paper and language."""
    code, region = base(how.language)
    lang = language(code)
    printed: Json = printable_content(content)
    return printed | {
        "captions": captions,
        "paper": how.paper,
        "language": code,
        "region": region or None,
        "hyphenate": lang.hyphenate,
        "decimal": lang.decimal,
        "quotes": list(lang.quotes),
        "boxes": has_box(printed),
    }


def _choices(words: Any) -> str:
    return ", ".join(w for w in get_args(words) if w)


def _compile(template: str, content: Json, created: datetime, **options: Any) -> bytes | list[bytes]:
    import typst

    path = resource("typst", template)
    # The file is dated as the pages are, by the day: made again on that day it has the same bytes.  Noon in UTC is that
    # day nearly everywhere.
    made = datetime.combine(created, time(12), UTC)
    try:
        compiler = typst.Compiler(
            str(path),
            root=str(path.parent),
            font_paths=_fonts(resource("fonts")),
            ignore_system_fonts=True,
            sys_inputs={"data": json.dumps(content, ensure_ascii=False, allow_nan=False)},
        )
        pages, _warnings = compiler.compile_with_warnings(timestamp=int(made.timestamp()), **options)
    except (typst.TypstError, RuntimeError, ValueError) as error:
        at = _AT.search(str(getattr(error, "diagnostic", "")))
        where = Text("{at}.typ, line {at2}", at=at[1], at2=at[2]) if at else template
        raise EngineError(
            "The page could not be typeset ({where}). No file was written. Install RadCal again "
            "if its templates were changed; otherwise report this place to its authors.",
            where=where,
        ) from None  # the compiler's message quotes report text
    assert pages is not None, "no output path was given"  # noqa: S101 - a contract of the compiler
    return pages


@lru_cache(maxsize=1)
def _fonts(folder: Path) -> typst.Fonts:
    """Only the bundled fonts, so that pages look the same everywhere.

    Raises:
        EngineError: a cut of the font is missing or damaged; the compiler would go on in silence.
    """
    import typst

    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(folder)])
    if sum(f.family == _FAMILY for f in fonts.fonts()) != _CUTS:
        raise EngineError("The fonts of the printed page are missing or damaged. Install RadCal again.")
    return fonts
