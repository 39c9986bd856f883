"""Pages as PDF and PNG: the one module that talks to Typst.

Content reaches the compiler as one JSON string in memory and is never read as code.  The compiler's own
messages quote the text it stumbled on, so none of them is passed on.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_args

from radcal.calibration.cases import Change, OwnDrafts
from radcal.feedback.card import department_card, personal_card
from radcal.feedback.content import EVERYTHING, personal_content
from radcal.feedback.department import department_content
from radcal.feedback.explaining import explained
from radcal.feedback.records import FeedbackInput, PageChoice, Pages, Paper, Sheet, Standard
from radcal.system.errors import EngineError, InputError
from radcal.system.files import Json, file_stem
from radcal.system.language.catalogue import Language, base, language
from radcal.system.resources import resource
from radcal.system.selection import Days
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.records import Scale
from radcal.words.studies import spoken_in

if TYPE_CHECKING:
    import typst


# --- text as the bundled font can print it
#
# Control and formatting characters are left out, a box stands for a character that the font lacks, and a word without
# spaces may break, so that it stays inside its column.

BOX = "\N{WHITE SQUARE}"
_ZERO_WIDTH_SPACE = "\N{ZERO WIDTH SPACE}"
_LONG_WORD = re.compile(r"[^\s\u200b]{31,}")
_PIECE = 10
_SPACES = re.compile(" +")


@cache
def coverage() -> frozenset[str]:
    """The characters that every cut of the bundled font has.

    Raises:
        InputError: the list is missing or broken.
    """
    covered: set[str] = set()
    path = resource("fonts", "coverage.txt")
    for number, line in enumerate(path.read_text("ascii").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        try:
            first, last = (int(end, 16) for end in line.split("-"))
            covered.update(map(chr, range(first, last + 1)))
        except ValueError:
            raise InputError(
                "{name}, line {number}: not a range such as 0020-007E. Install RadCal again.",
                name=path.name,
                number=number,
            ) from None
    return frozenset(covered)


def printable(text: str) -> str:
    """``text`` with every character printable; spaces and line ends in a row become one space."""
    covered = coverage()
    if covered.issuperset(text) and text.isascii():
        return _LONG_WORD.sub(_with_breaks, _SPACES.sub(" ", text))
    # Control characters, and formatting ones such as those that reorder text, leave no trace.
    visible = "".join(
        " " if char.isspace() and char not in covered else char
        for char in text
        if char.isspace() or unicodedata.category(char) not in ("Cc", "Cf")
    )
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", visible):
        if char in covered:
            kept.append(char)
        elif covered.issuperset(plain := unicodedata.normalize("NFKC", char)):
            kept.append(plain)  # ligatures, full-width letters and units as one character
        elif not (unicodedata.category(char).startswith("M") and kept and kept[-1] == BOX):
            kept.append(BOX)  # a mark on a box shows nothing more than the box
    return _LONG_WORD.sub(_with_breaks, _SPACES.sub(" ", "".join(kept)))


def _with_breaks(word: re.Match[str]) -> str:
    letters = word.group()
    return _ZERO_WIDTH_SPACE.join(letters[i : i + _PIECE] for i in range(0, len(letters), _PIECE))


def printable_content(value: Any) -> Any:
    """A JSON-able value with every string in it made printable; the keys of objects stay as they are."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [printable_content(v) for v in value]
    if isinstance(value, dict):
        return {k: printable_content(v) for k, v in value.items()}
    return value


# --- the content of the pages on one person's drafts and the wording that was signed

_EXAMPLES = 12
"""Reports that are printed, the latest of those in which a phrase changed."""
_AROUND = 80
"""Unchanged characters before and after a change."""


def drafts_content(own: OwnDrafts, w: Language | None = None) -> Json:
    """The content of a person's pages, in the words of a language (English).

    Nobody else is named: who signed is no part of it.
    """
    w = w or language()
    compared = [c for _, c in own.compared]
    reworded = [(day, c) for day, c in own.compared if any(p.changed for p in c.phrases)]
    days = sorted(day for day, _ in own.compared)
    when = w.days_chosen(own.days if own.days.are_limited or not days else Days(days[0], days[-1]))
    title = w.say("Your drafts and the signed wording")
    return {
        "title": title,
        "meta": " · ".join(filter(None, [own.person, w.counted(len(compared), "{n} draft", "{n} drafts"), when])),
        "footer": " · ".join(filter(None, [title, own.person, when])),
        "summary": w.say(
            "Signed without a change: {same}. Reworded so that something else is said of a pathology: {changed}.",
            same=w.out_of(sum(not any(x.kind for x in c.changes) for c in compared), len(compared)),
            changed=w.out_of(len(reworded), len(compared)),
        ),
        "words": _words(own, w),
        "examples": [
            {
                "head": w.day(day) if own.dated else "",
                "said": "; ".join(
                    w.say("{pathology}: {draft}, signed as {signed}", pathology=w.pathology(p.pathology),
                          draft=_said(p.draft, w), signed=_said(p.signed, w))
                    for p in c.phrases if p.changed
                ),
                "pieces": [[kind, text] for kind, text in _excerpt(c.changes)],
            }
            for day, c in reworded[:_EXAMPLES]
        ],
        "limits": [told["text"] for told in explained("drafts", w, {})],
    }  # fmt: skip


def _words(own: OwnDrafts, w: Language) -> list[list[str]]:
    """Each change of words: draft, signed, how often, and on which pathologies; the most frequent first."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for p in (p for _, c in own.compared for p in c.phrases if p.changed):
        found.setdefault((p.draft, p.signed), Counter())[p.pathology] += 1
    ordered = sorted(found.items(), key=lambda change: (-change[1].total(), change[0]))
    return [
        [
            _said(draft, w),
            _said(signed, w),
            w.count(of.total()),
            ", ".join(f"{w.pathology(name)} ({w.count(n)})" for name, n in of.most_common()),
        ]
        for (draft, signed), of in ordered
    ]


def _said(phrase: str, w: Language) -> str:
    return w.quoted(phrase) if phrase else w.say("(nothing)")


def _excerpt(changes: Sequence[Change]) -> list[tuple[str, str]]:
    """The changes with the words around them."""
    made: list[tuple[str, str]] = []
    for i, change in enumerate(changes):
        text = " ".join(change.text.split())
        text = f"{' ' * change.text[:1].isspace()}{text}{' ' * change.text[-1:].isspace()}"
        if not change.kind:
            text = _shortened(text, first=i == 0, last=i == len(changes) - 1)
        made.append((change.kind, text))
    return made


def _shortened(text: str, *, first: bool, last: bool) -> str:
    """The whole words next to the changes on both sides, with an ellipsis where much stands between them."""
    after = "" if first else text[:_AROUND].rpartition(" ")[0] + " "
    before = "" if last else " " + text[-_AROUND:].partition(" ")[2]
    return f"{after}\u2026{before}" if len(after) + len(before) + _AROUND // 2 < len(text) else text


# --- the fixed texts of the pages: headings, column headers, and texts in and beside diagrams

_SAID = re.compile(r'\bsaid\.at\("([^"]*)"\)')
_LEFT_OPEN = {name: f"{{{name}}}" for name in ("page", "pages", "n")}
"""What the templates fill in themselves."""


def texts_of_templates() -> tuple[str, ...]:
    """What the templates of resources/typst say, in English."""
    files = sorted(resource("typst").glob("*.typ"))
    return tuple(dict.fromkeys(text for file in files for text in _SAID.findall(file.read_text("utf-8"))))


def said(settings: Settings, w: Language) -> Json:
    """What the templates say in a language, by the English text."""
    values = {"confidence": w.percent(settings.confidence), **_LEFT_OPEN}
    return {text: w.say(text, **values) for text in texts_of_templates()}


_FAMILY = "Inter"
_CUTS = 3
_AT = re.compile(r"\b(feedback|department|drafts|card|meeting|style|diagrams)\.typ:(\d+)")


@dataclass(frozen=True, slots=True)
class Print(Sheet):
    """How pages are printed: the sheet, and the settings that the results were computed with."""

    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        """Refuse what cannot be printed.

        Raises:
            InputError: an unknown paper, standard, language or number of pages.
        """
        for name, known, unknown in (
            ("paper", Paper, Text("The paper {paper!r} is not known. Choose one of {choices}.")),
            ("standard", Standard, Text("The PDF standard {standard!r} is not known. Choose one of {choices}.")),
            ("pages", Pages, Text("The pages {pages!r} are not known. Choose one of {choices}.")),
        ):
            if (chosen := getattr(self, name)) not in get_args(known):
                raise InputError(unknown, choices=", ".join(filter(None, get_args(known))), **{name: chosen})
        base(self.language)

    @property
    def spoken(self) -> Language:
        """The language of the pages, in the words of the study."""
        return spoken_in(self.settings, self.language)

    @classmethod
    def on(cls, sheet: Sheet, settings: Settings) -> Self:
        """As the sheet says, with these settings.

        Raises:
            InputError: an unknown paper, standard, language or number of pages.
        """
        return cls(sheet.paper, sheet.standard, sheet.language, sheet.pages, settings)


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
    content = personal_content(data, how.settings, choice, how.spoken, full=how.pages == "full")
    return _pdf("feedback.typ", content, data.provenance.created, how)


def feedback_png(data: FeedbackInput, dpi: float, how: Print = _USUAL) -> list[bytes]:
    """One author's pages, all that goes into them, as PNG images, one a page; ``dpi`` in 20-600.

    Raises:
        InputError: as for :func:`feedback_pdf`, or a resolution out of bounds.
        EngineError: the pages could not be typeset.
    """
    if not 20 <= dpi <= 600:
        raise InputError("A resolution of {dpi:g} dots per inch is outside 20 to 600.", dpi=dpi)
    content = personal_content(data, how.settings, w=how.spoken, full=how.pages == "full")
    pages = _compile("feedback.typ", content, data.provenance.created, how, format="png", ppi=float(dpi))
    return [pages] if isinstance(pages, bytes) else pages


def department_pdf(inputs: Sequence[FeedbackInput], how: Print = _USUAL) -> bytes:
    """The department's pages: every reader under the pseudonym in its input, pathology by pathology, unranked.

    Raises:
        DataError: no reader, or a pseudonym that is missing, given twice or the author's own name.
        InputError, EngineError: as :func:`feedback_pdf`.
    """
    w = how.spoken
    content = department_content(inputs, how.settings, w)
    return _pdf("department.typ", content, max(i.provenance.created for i in inputs), how)


def drafts_pdf(own: OwnDrafts, created: datetime, how: Print = _USUAL) -> bytes:
    """The pages on one person's drafts and the signed wording, dated ``created``; errors as :func:`feedback_pdf`."""
    return _pdf("drafts.typ", drafts_content(own, how.spoken), created, how)


def slides_pdf(content: Json, created: datetime, how: Print = _USUAL) -> bytes:
    """Slides that :mod:`radcal.feedback.slides` has laid out, dated ``created``; errors as :func:`feedback_pdf`."""
    return _pdf("meeting.typ", content, created, how)


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
        InputError, EngineError: as :func:`feedback_pdf`.
    """
    content = personal_card(data, how.settings, scale, choice.without, how.spoken)
    return _pdf("card.typ", content, data.provenance.created, how)


def department_card_pdf(inputs: Sequence[FeedbackInput], how: Print = _USUAL, scale: Scale | None = None) -> bytes:
    """The department's pocket card: all readers together.

    Raises:
        DataError, InputError, EngineError: as :func:`department_pdf`.
    """
    content = department_card(inputs, how.settings, scale, how.spoken)
    return _pdf("card.typ", content, max(i.provenance.created for i in inputs), how)


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
    pages = _compile(template, content, created, how, format="pdf", pdf_standards=standards)
    return pages if isinstance(pages, bytes) else b"".join(pages)


def _prepared(content: Json, how: Print) -> Json:
    """The template's input: printable content with fixed texts, paper and language."""
    code, region = base(how.language)
    lang = how.spoken
    printed: Json = printable_content(content)
    return printed | {
        "said": said(how.settings, lang),
        "paper": how.paper,
        "language": code,
        "region": region or None,
        "hyphenate": lang.hyphenate,
        "decimal": lang.decimal,
        "quotes": list(lang.quotes),
        "boxes": BOX in json.dumps(printed, ensure_ascii=False),
    }


def _compile(template: str, content: Json, created: datetime, how: Print, **options: Any) -> bytes | list[bytes]:
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
            sys_inputs={"data": json.dumps(_prepared(content, how), ensure_ascii=False, allow_nan=False)},
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
