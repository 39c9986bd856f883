"""Pages as PDF and PNG: the one module that talks to Typst.

Content reaches the compiler as one JSON string in memory and is never read as code.  The compiler's own
messages quote the text it stumbled on, so none of them is passed on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from radcal.errors import EngineError, InputError
from radcal.feedback.content import personal_content
from radcal.feedback.department import department_content
from radcal.feedback.printable import has_box, printable_content
from radcal.files import writing
from radcal.records import FeedbackInput, Json
from radcal.resources import resource
from radcal.settings import Settings

if TYPE_CHECKING:
    import typst

Paper = Literal["a4", "us-letter"]
Standard = Literal["", "a-2a", "a-2b", "a-2u", "a-3a", "a-3b", "a-3u", "a-4", "ua-1"]
"""Standards that the pages can be made to conform to: PDF/A for archives, PDF/UA for assistive technology."""

_FAMILY = "Inter"
_CUTS = 3
_DEFAULTS = Settings()
_AT = re.compile(r"\b(feedback|department|style|diagrams)\.typ:(\d+)")


def feedback_pdf(
    data: FeedbackInput,
    *,
    paper: Paper = "a4",
    standard: Standard = "",
    language: str = "en",
    settings: Settings = _DEFAULTS,
) -> bytes:
    """One author's pages as a tagged PDF; the same input gives the same bytes.

    Args:
        data: everything the pages are made of; nothing else is read, so that no peer can appear.
        paper: "a4" or "us-letter".
        standard: "" for PDF 1.7, or the standard to conform to.
        language: English, as "en", "en-US", "en-GB" ...; it is recorded in the file.
        settings: those that the results were computed with (intervals, window, smallest numbers).

    Raises:
        InputError: an unknown paper, standard or language, or an incomplete installation.
        EngineError: the pages could not be typeset.
    """
    content = personal_content(data, settings)
    return _pdf("feedback.typ", content, data.provenance.created, paper, standard, language)


def feedback_png(
    data: FeedbackInput, dpi: float = 144, *, paper: Paper = "a4", language: str = "en", settings: Settings = _DEFAULTS
) -> list[bytes]:
    """One author's pages as PNG images, one a page; ``dpi`` in 20-600.

    Raises:
        InputError: as for :func:`feedback_pdf`, or a resolution out of bounds.
        EngineError: the pages could not be typeset.
    """
    if not 20 <= dpi <= 600:
        raise InputError(f"A resolution of {dpi:g} dots per inch is outside 20 to 600.")
    prepared = _prepared(personal_content(data, settings), paper, language)
    pages = _compile("feedback.typ", prepared, data.provenance.created, format="png", ppi=float(dpi))
    return [pages] if isinstance(pages, bytes) else pages


def department_pdf(
    inputs: Sequence[FeedbackInput],
    *,
    paper: Paper = "a4",
    standard: Standard = "",
    language: str = "en",
    settings: Settings = _DEFAULTS,
) -> bytes:
    """The department's pages: every reader under the pseudonym in its input, pathology by pathology, unranked.

    Raises:
        DataError: no reader, or a pseudonym that is missing, given twice or the author's own name.
        InputError: an unknown paper, standard or language, or an incomplete installation.
        EngineError: the pages could not be typeset.
    """
    content = department_content(inputs, settings)
    created = max(i.provenance.created for i in inputs)
    return _pdf("department.typ", content, created, paper, standard, language)


def write_feedback(
    data: FeedbackInput,
    out: Path,
    *,
    paper: Paper = "a4",
    standard: Standard = "",
    language: str = "en",
    settings: Settings = _DEFAULTS,
) -> Path:
    """Write one author's pages to ``out``, whole or not at all, readable by the user alone.

    Raises:
        InputError: the file cannot be written; or as for :func:`feedback_pdf`.
        EngineError: the pages could not be typeset.
    """
    return _write(feedback_pdf(data, paper=paper, standard=standard, language=language, settings=settings), out)


def write_department(
    inputs: Sequence[FeedbackInput],
    out: Path,
    *,
    paper: Paper = "a4",
    standard: Standard = "",
    language: str = "en",
    settings: Settings = _DEFAULTS,
) -> Path:
    """Write the department's pages to ``out``, as :func:`write_feedback` does.

    Raises:
        DataError, InputError, EngineError: as for :func:`department_pdf`; InputError also if it cannot be written.
    """
    return _write(department_pdf(inputs, paper=paper, standard=standard, language=language, settings=settings), out)


def file_name(data: FeedbackInput, suffix: str = ".pdf") -> str:
    """The name of an author's file, made of the pseudonym: "feedback-avery.pdf"."""
    slug = re.sub(r"[^a-z0-9]+", "-", (data.pseudonym or "reader").casefold()).strip("-")
    return f"feedback-{slug or 'reader'}{suffix}"


def _pdf(template: str, content: Json, created: datetime, paper: str, standard: str, language: str) -> bytes:
    if standard not in get_args(Standard):
        raise InputError(f"The PDF standard {standard!r} is not known. Choose one of {_choices(Standard)}.")
    prepared = _prepared(content, paper, language)
    pages = _compile(template, prepared, created, format="pdf", pdf_standards=[standard] if standard else [])
    return pages if isinstance(pages, bytes) else b"".join(pages)


def _prepared(content: Json, paper: str, language: str) -> Json:
    """The content as the template takes it: printable, with paper and language."""
    if paper not in get_args(Paper):
        raise InputError(f"The paper {paper!r} is not known. Choose one of {_choices(Paper)}.")
    match = re.fullmatch(r"en(?:[-_]([A-Za-z]{2}))?", language)
    if not match:
        raise InputError(f"The pages are written in English; {language!r} is not a kind of it. Use 'en' or 'en-GB'.")
    printed: Json = printable_content(content)
    boxes = has_box(printed)
    return printed | {"paper": paper, "region": (match[1] or "").upper() or None, "boxes": boxes}


def _choices(words: Any) -> str:
    return ", ".join(w for w in get_args(words) if w)


def _compile(template: str, content: Json, created: datetime, **options: Any) -> bytes | list[bytes]:
    import typst

    path = resource("typst", template)
    made = created if created.tzinfo else created.replace(tzinfo=UTC)
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
        where = f"{at[1]}.typ, line {at[2]}" if at else template
        raise EngineError(
            f"The page could not be typeset ({where}). No file was written. "
            "Install RadCal again if its templates were changed; otherwise report this place to its authors."
        ) from None  # the compiler's message quotes report text
    assert pages is not None, "no output path was given"  # noqa: S101 - a contract of the compiler
    return pages


@lru_cache(maxsize=1)
def _fonts(folder: Path) -> typst.Fonts:
    """The bundled fonts and no other, so that pages look the same everywhere.

    Raises:
        EngineError: a cut of the font is missing or damaged; the compiler would go on in silence.
    """
    import typst

    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(folder)])
    if sum(f.family == _FAMILY for f in fonts.fonts()) != _CUTS:
        raise EngineError("The fonts of the printed page are missing or damaged. Install RadCal again.")
    return fonts


def _write(content: bytes, out: Path) -> Path:
    with writing(out, "wb") as file:
        file.write(content)
    return out
