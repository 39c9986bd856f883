"""Reports split into sections at their headings, and into sentences.

Headings are recognised by name, in capitals or title case, with a colon, alone on a line, or inside a line after the
end of a sentence.  Subheadings of the findings ("LUNGS:", "Heart/Mediastinum:") belong to their sentence and end no
section.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from radcal.reports.records import Document, Modality, Section, Sentence
from radcal.reports.sentence_boundaries import lines_of, split
from radcal.reports.unheaded import body_in_line, findings_below, findings_in_line, line_below, sentences_behind
from radcal.system.resources import patterns, resource
from radcal.words.spoken import with_marks

_WEAK = "weak findings"
"""Names of findings where the report has no others."""


def _names() -> Iterator[tuple[str, str]]:
    """Every name of a heading with its section in the file, the weightiest section of a name last."""
    with resource("reading", "headings.toml").open("rb") as file:
        sections = tomllib.load(file)
    for section, table in sections.items():
        for line in table["names"]:
            lists = (names.split("|") for names in line.replace("\n", "").split(" + "))
            for parts in product(*lists):
                name = " ".join(part for part in parts if part)
                if name and name not in table.get("except", ()):
                    yield name, section


_NAMED = dict(_names())
_SECTION = {name: Section.FINDINGS if section == _WEAK else Section(section) for name, section in _NAMED.items()}
_P = patterns("reading", "sections.toml")
_SLASH = _P["slash"]
_SECTION |= {_SLASH.sub("/", name): section for name, section in _SECTION.items()}
_ONE_LETTER = {"I": Section.IMPRESSION, "F": Section.FINDINGS}
_LONGEST = max(map(len, _SECTION))

# A possible heading: at the beginning of a line, up to a colon, a dash or the end of the line ...
_AT_LINE = _P["at_line"]
# ... or after the end of a sentence, up to a colon ...
_IN_LINE = _P["in_line"]
# ... or in capitals, followed by text without punctuation.
_BARE = _P["bare"]
_PARENTHESIS = _P["parenthesis"]
_SIGNATURE_HINTS = ("signed", " by", "personally", "reviewed", "approved on", "end of ", "teaching", "workstation")
_SIGNATURE = _P["signature"]
_ATTESTATION = _P["attestation"]
_BLANK_LINE = _P["blank_line"]
_ORGAN = _P["organ"]
_LINE_END = _P["line_end"]
_EXAM_NAMES = ("exam", "study", "title", "type", "date", "procedure", "time")
_TITLE = _P["title"]
_LINE = _P["line"]
_OF_A_CHEST = _P["of_a_chest"]
_NAMES_OF_EXAMS = ("exam", "stud", "title", "untersuchung")
_ADDED = ("addend", "nachtrag", "ergänzung", "nachbefund")


@dataclass(frozen=True, slots=True)
class _Heading:
    start: int
    end: int
    section: Section
    name: str


def document(report_id: str, text: str, modality: Modality | None = None) -> Document:
    """A report split into sentences; spans refer to ``text``.

    Without any heading everything is findings.  Headings and list numbers belong to no sentence.
    """
    # Uniform line breaks of the same length, so that spans are those of ``text``.
    plain = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    plain = with_marks(plain)
    lines = lines_of(plain)
    sentences = tuple(
        Sentence(section, start, end, text[start:end])
        for section, first, last in _regions(plain)
        for start, end in split(plain, first, last, lines)
    )
    return Document(report_id, text, sentences, modality)


def openings(text: str) -> list[tuple[int, str]]:
    """Where a section of a report, or the line that names its examination, begins, with its name; '' for that line.

    Left out are what is said of people, times and what is to be done, signatures, and addenda.
    """
    found = {
        h.start: name
        for h in _headings(text)
        if (name := " ".join(h.name.lower().split()))
        and not name.startswith(_ADDED)
        and (h.section is not Section.OTHER or name.startswith(_NAMES_OF_EXAMS))
    }
    for line in _LINE.finditer(text):
        if _OF_A_CHEST.search(line.group()) and (title := _TITLE.match(line.group())) and title.end() == len(line[0]):
            found.setdefault(line.start(), "")
    return sorted(found.items())


def join_sections(findings: str, impression: str, before: str = "") -> str:
    """One text from separate sections, each under a heading unless it has its own.

    What comes as findings and has a heading of its own for these is the whole report.
    """
    parts = [before.strip()]
    for heading, text in (("FINDINGS", findings), ("IMPRESSION", impression)):
        body = text.strip()
        own = _AT_LINE.match(body) or _BARE.match(body)
        known = own is not None and own.end() < len(body) and _section(own.group(1)) is not None
        known = known or (heading == "FINDINGS" and any(h.section is Section.FINDINGS for h in _headings(body)))
        parts.append(body if known or not body else f"{heading}:\n{body}")
    return "\n\n".join(part for part in parts if part)


def _section(name: str) -> Section | None:
    if len(name) == 1:
        return _ONE_LETTER.get(name)
    key = _SLASH.sub("/", " ".join(name.lower().split()))
    return _SECTION.get(key) or (_SECTION.get(_PARENTHESIS.sub("", key)) if key.endswith(")") else None)


def _headings(text: str) -> list[_Heading]:
    """The headings in order, not overlapping."""
    found: list[_Heading] = []
    line, colons = 0, 0
    while True:
        if (match := _AT_LINE.match(text, line)) and (section := _section(match.group(1))) is not None:
            mark = text[match.end() - 1] if match.end() > match.end(1) else ""
            # Without a colon, only a name that begins with a capital is a heading.
            if mark in (":", "*", "_") or match.group(1)[0].isupper():
                found.append(_Heading(line, match.end(), section, match.group(1)))
                colons += text.count(":", line, match.end())
        elif match := _BARE.match(text, line):
            found.append(_Heading(line, match.end(1), _SECTION[match.group(1).lower()], match.group(1)))
        line = text.find("\n", line) + 1
        if line == 0:
            break
    if text.count(":") > colons:
        found.extend(
            _Heading(match.start(1), match.end(), section, match.group(1))
            for match in _IN_LINE.finditer(text)
            if (section := _section(match.group(1))) is not None
        )
    low = text.lower()
    if any(hint in low for hint in _SIGNATURE_HINTS):
        # A signature is no heading: its words form a sentence under OTHER.
        found.extend(_Heading(m.start(), m.start(), Section.OTHER, "") for m in _SIGNATURE.finditer(text))
    found.sort(key=lambda h: (h.start, h.end))
    ordered: list[_Heading] = []
    for heading in found:
        if not ordered or heading.start >= ordered[-1].end:
            ordered.append(heading)
    return ordered


def _regions(text: str) -> Iterator[tuple[Section, int, int]]:
    """The sections (section, start, end) in order, without their headings."""
    headings = _headings(text)
    ends = [*(h.start for h in headings[1:]), len(text)]
    # A heading of findings with nothing below it but another heading names the report: "Report:\nCOMPARISON: None."
    has_findings = any(
        h.section is Section.FINDINGS
        and _NAMED.get(" ".join(h.name.lower().split())) != _WEAK
        and text[h.end : end].strip()
        for h, end in zip(headings, ends, strict=False)
    )
    first = headings[0].start if headings else len(text)
    if has_findings:
        # "Heart enlarged.  Small effusions.  RESULT: Decompensation.": what describes findings is read all the same.
        body = min(filter(None, (body_in_line(text, 0, first, 2), findings_below(text, 0, first))), default=first)
        yield Section.OTHER, 0, body
        yield Section.FINDINGS, body, first
    else:
        title = _TITLE.match(text, 0, first)
        after = title.end() if title else 0
        if after < len(text.rstrip()):
            yield Section.OTHER, 0, after
        else:
            after = 0
        yield Section.FINDINGS, after, first
    rest = len(text.rstrip())
    for heading, end in zip(headings, ends, strict=False):
        start = heading.end
        is_aside = heading.section not in (Section.FINDINGS, Section.IMPRESSION)
        below = 0
        if is_aside and heading.name and not has_findings:
            # "COMPARISON: None." and, below it, findings without a heading of their own
            below = _findings_below(heading, text, end, rest)
        elif not heading.name and _ATTESTATION.match(text, start):
            # "I have reviewed the images.  There is also a small effusion."
            below = min(filter(None, (body_in_line(text, start, end, 1), findings_below(text, start, end))), default=0)
        if below:
            yield heading.section, start, below
            yield Section.FINDINGS, below, end
        else:
            yield heading.section, start, end


def _findings_below(heading: _Heading, text: str, end: int, rest: int) -> int:
    """The end of the text of an aside, 0 for the end of its section; ``rest`` is the end of the report's words.

    An aside ends at a blank line, the name of an organ or a sentence of findings: below its first line, and within that
    line.  One-line asides end with their line.
    """
    is_history = heading.section is Section.INDICATION
    ends = [m.end() for m in (_blank(heading, text, end), _ORGAN.search(text, heading.end, end)) if m]
    if is_history:
        # Where an impression follows, a single sentence may be what was asked or known.
        ends.append(body_in_line(text, heading.end, end, 1 if end >= rest else 2) or end)
    elif heading.section in (Section.TECHNIQUE, Section.COMPARISON):
        ends.append(findings_in_line(text, heading.end, end) or end)
    if heading.section in (Section.TECHNIQUE, Section.COMPARISON) and end >= rest:
        ends.append(line_below(text, heading.end, end) or end)
    if is_history or heading.name.lower().startswith(_EXAM_NAMES):
        ends.append(findings_below(text, heading.end, end) or end)
    below = min(ends, default=end)
    if below == end >= rest and is_history:
        below = sentences_behind(text, heading.end, end) or end
    return below if below < end else 0


def _blank(heading: _Heading, text: str, end: int) -> re.Match[str] | None:
    """The next blank line, or the end of the line of a one-line aside."""
    blank = _BLANK_LINE.search(text, heading.end, end)
    if blank is None and heading.section in (Section.TECHNIQUE, Section.COMPARISON):
        return _LINE_END.match(text, heading.end, end)
    return blank
