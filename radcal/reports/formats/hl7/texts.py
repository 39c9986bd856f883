"""The text of a report from its observations (OBX) and notes (NTE), and its status from theirs and its order's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from radcal.reports.attachments import AS_IT_IS, BASE64, HEX, read_attachment
from radcal.reports.formats.hl7.fields import Reader, Value
from radcal.reports.markup import is_rtf, plain_text, words_of
from radcal.reports.reasons import Doubt, Flaw
from radcal.reports.statuses import status_of
from radcal.system.resources import meanings, word_lists

FINDINGS, IMPRESSION = "findings", "impression"
_TEXT = ("ST", "TX", "FT", "")
"""Value types whose value is text; all others are coded values, numbers, times and pointers."""
_ENCODINGS = {"base64": BASE64, "hex": HEX}
"""Encodings of ED (table 0299); all others are none."""
_TYPES = {"im": "image", "au": "audio"}
"""Types of ED (table 0191) that are no text and are called otherwise than media types are."""
_OF_LABEL = meanings("reading", "hl7.toml", table="labels")
_STUDY = word_lists("reading", "hl7.toml")["study"]
_OWN_HEADING = re.compile(r"\W*[A-Za-z][A-Za-z /&()-]{2,40}:")


@dataclass(frozen=True, slots=True)
class ReportText:
    """The text of a report.

    text:       what comes before the findings, or everything where nothing is marked as findings or impression
    findings, impression: what is marked as such, with all that follows it
    flaw:       why there is no text
    statuses:   of the observations that hold the text (OBX-11)
    is_addendum: all of the text is marked as an addendum
    doubts:     what is doubtful about the characters of what is enclosed, and whether the text is whole
    """

    text: str = ""
    findings: str = ""
    impression: str = ""
    flaw: Flaw = Flaw.NO_TEXT
    statuses: tuple[str, ...] = ()
    is_addendum: bool = False
    doubts: frozenset[Doubt] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.text or self.findings or self.impression)

    @property
    def whole(self) -> str:
        """All of the text."""
        return "\n\n".join(filter(None, (self.text, self.findings, self.impression)))


def report_text(reader: Reader, segments: Sequence[Sequence[Any]]) -> ReportText:
    """The text of a report from the segments below its OBR, in their order.

    Observations that were withdrawn (OBX-11) are left out.  Notes (NTE) count where there is no other text.
    """
    pieces: list[tuple[str, str]] = []
    enclosures: list[int] = []
    notes: list[str] = []
    statuses: list[str] = []
    flaw = Flaw.NO_TEXT
    doubts: set[Doubt | None] = set()
    for segment in segments:
        name = str(segment[0])
        if name == "NTE":
            notes.append(_lines(reader, reader.raw(segment, 3)))
        if name != "OBX" or tells_study(reader, segment):
            continue
        status, kind = reader.raw(segment, 11), reader.raw(segment, 2).upper()
        if is_withdrawn(status):
            statuses.append(status)
            flaw = Flaw.WITHDRAWN if flaw is Flaw.NO_TEXT else flaw
            continue
        if kind in _TEXT or kind == "ED":
            doubts |= _doubts_of(status)
        written = _unstripped(segment)
        if kind in _TEXT:
            pieces.append((label_of(reader, segment), _lines(reader, written)))
            statuses.append(status)
        elif kind == "ED":
            enclosed, worse, its = _enclosed(reader, segment)
            enclosures.append(len(pieces))
            pieces.append((label_of(reader, segment), enclosed))
            statuses += [status] if enclosed else []
            flaw = worse if not enclosed else flaw
            doubts.add(its)
        elif kind == "RP" and flaw in (Flaw.NO_TEXT, Flaw.WITHDRAWN):
            flaw = Flaw.NOT_INCLUDED
    if not any(text.strip() for _, text in pieces):
        pieces = [("", "\n".join(notes))]
    pieces = _once(pieces, enclosures)
    is_addendum = {label for label, text in pieces if text.strip()} == {"ADDENDUM"}
    return replace(
        _in_sections(pieces), flaw=flaw, statuses=tuple(statuses), is_addendum=is_addendum,
        doubts=frozenset(filter(None, doubts)),
    )  # fmt: skip


def tells_study(reader: Reader, segment: Sequence[Any]) -> bool:
    """Whether an observation is the UID of the study, and no text."""
    return reader.first(segment, 3).upper() in _STUDY


def _doubts_of(status: str) -> set[Doubt | None]:
    """What the status of a line of text (OBX-11) makes doubtful: it stands behind the text, and shows its end."""
    code, _, behind = status.partition("\n")
    return {None if meaning(code) else Doubt.UNSTATED, Doubt.STRAY if behind.strip() else None}


def _once(pieces: Sequence[tuple[str, str]], enclosures: Sequence[int]) -> list[tuple[str, str]]:
    """Pieces without enclosed texts that only repeat the others, or without the others where an enclosed text does."""
    kept = dict(enumerate(pieces))
    for n in enclosures:
        own = words_of(kept[n][1])
        others = words_of("\n".join(text for at, (_, text) in kept.items() if at != n))
        if own and own in others:
            del kept[n]
        elif others and others in own:
            return [pieces[n]]
    return list(kept.values())


def _in_sections(pieces: Sequence[tuple[str, str]]) -> ReportText:
    """Pieces of text by their labels; lines of one label in a row belong together."""
    parts = {"": "", FINDINGS: "", IMPRESSION: ""}
    last = ""
    for label, lines in groupby(pieces, key=lambda piece: piece[0]):
        text = plain_text("\n".join(line for _, line in lines)).strip("\n")
        if not text.strip():
            continue
        if label in (FINDINGS, IMPRESSION):
            last = label
        elif label and not _OWN_HEADING.match(text):
            text = f"{label}:\n{text}"
        parts[last] = f"{parts[last]}\n\n{text}" if parts[last] else text
    return ReportText(parts[""], parts[FINDINGS], parts[IMPRESSION])


def label_of(reader: Reader, segment: Sequence[Any]) -> str:
    """What the identifier of an observation says that its text is; '' for a report, or a part that is not named."""
    for value in reader.repetitions(segment, 3):
        for part in value.written.replace(reader.marks[3], reader.marks[2]).split(reader.marks[2]):
            if found := _OF_LABEL.get(part.strip().casefold()):
                return found
    return ""


def _unstripped(segment: Sequence[Any]) -> str:
    return str(segment[5]) if len(segment) > 5 else ""


def _lines(reader: Reader, written: str) -> str:
    """The text of a field: repetitions are lines, other separators are characters of the text."""
    if written.strip() == '""':
        return ""
    text = reader.text(written.replace(reader.marks[1], "\n"))
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _enclosed(reader: Reader, segment: Sequence[Any]) -> tuple[str, Flaw, Doubt | None]:
    """The text in an ED, or why there is none: it is a document of another kind, or damaged; and what is doubtful."""
    read = []
    for value in reader.repetitions(segment, 5):
        parts = value.written.split(reader.marks[2], 4)
        written = parts[4] if len(parts) > 4 else ""
        # Rich text that was not escaped would lose its control words.
        data = written if is_rtf(written.encode(errors="replace")) else reader.text(written)
        encoding = _ENCODINGS.get(value.part(4).casefold(), AS_IT_IS)
        read.append(read_attachment(data, _media_type(value), encoding))
    flaw = next((attachment.flaw for attachment in read if attachment.flaw is not None), Flaw.NO_TEXT)
    doubt = next((attachment.doubt for attachment in read if attachment.doubt is not None), None)
    return "\n".join(attachment.text for attachment in read if attachment.text), flaw, doubt


def _media_type(value: Value) -> str:
    """The media type of an ED; HL7 has types of its own (table 0191), with a subtype beside them (table 0291)."""
    source, kind, subtype = (value.part(n).casefold() for n in (1, 2, 3))
    whole = next((part for part in (kind, subtype, source) if "/" in part), "")
    return whole or f"{_TYPES.get(kind, kind)}/{subtype}"


# --- statuses, in any writing ----------------------------------------------------------------------------

_AMENDED = "A"
"""Of an observation (table 0085): amended, unless the order is an addendum as well."""
_OF_CODE = meanings("reading", "hl7.toml", table="statuses")
_STRONGEST = ("preliminary", "corrected", "addendum", "final")
WITHDRAWN = "cancelled"


def meaning(written: str) -> str:
    """One of radcal.reports.statuses.STATUSES, '' where the writing is empty or unknown."""
    plain = next(iter(written.strip().splitlines()), "")
    return _OF_CODE.get(plain.upper()) or status_of(plain) or ""


def is_withdrawn(written: str) -> bool:
    """Whether an observation was deleted, or sent in error."""
    return meaning(written) == WITHDRAWN


def report_status(of_order: str, of_texts: Iterable[str]) -> str:
    """The status of a report whose order (OBR-25) and texts (OBX-11) may contradict each other.

    Cancelled, if the order is or all texts are.  Otherwise what is preliminary anywhere is preliminary, so that nothing
    counts as signed that may not be; and a correction or an addendum is one, though the rest of the report is final.
    """
    order = meaning(of_order)
    amended = "addendum" if order == "addendum" else "corrected"
    texts = [amended if text.strip().upper() == _AMENDED else meaning(text) for text in of_texts]
    if order == WITHDRAWN or (texts and set(texts) == {WITHDRAWN}):
        return WITHDRAWN
    return next((status for status in _STRONGEST if status == order or status in texts), "")
