"""Reports split into sections at their headings, and into sentences.

Headings are recognised by name, in capitals or title case, with a colon, alone on a line, or inside a line after the
end of a sentence.  Subheadings of the findings ("LUNGS:", "Heart/Mediastinum:") belong to their sentence and end no
section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from radcal.reports.records import Document, Modality, Section, Sentence
from radcal.reports.sentence_boundaries import lines_of, split
from radcal.reports.unheaded import body_in_line, findings_below, findings_in_line, line_below, sentences_behind
from radcal.system.resources import patterns
from radcal.words.spoken import with_marks


def _names(*lists: str) -> Iterator[str]:
    """Every combination of one name from each list; names are separated by '|'."""
    for parts in product(*(names.split("|") for names in lists)):
        yield " ".join(part for part in parts if part)


_EXAM = "exam|examination|study|test|visit|procedure|request|order|consult|consultation|imaging|ct|x-ray|scan|referral"
_FINDINGS = {
    *_names("|radiographic|imaging|chest|ct|x-ray|xr|cxr|radiological|radiology|other|pertinent", "findings|finding"),
    *_names("findings and|findings &|finding and|findings/", "impression|impressions|conclusion|opinion"),
    *_names("impression and|impressions and|impression &|impression/", "findings"),
    *_names("target|non-target|nontarget|index|measurable|measured", "lesions"),
    *_names("target|non-target|nontarget|new lesions"),
    *_names("attending|final attending|staff|final|consultant", "read|reading|overread|over-read|interpretation"),
    "final attending",
    *_names("result|results|report|narrative|description|radiology report|body of report|technique and findings"),
}
_FINDINGS |= {
    *_names("|radiologischer|röntgenologischer|aktueller|schriftlicher", "befund|befunde"),
    *_names("befund|befunde", "und|&|/", "beurteilung|zusammenfassung"),
    *_names("befundbericht|befundtext|befundung|beschreibung|bildbefund|befund/beurteilung"
        "|ct-befund|röntgenbefund|ergebnis"),
}  # fmt: skip
_WEAK_FINDINGS = {
    *_names("comment|comments|discussion|observations|observation|final report|addendum findings"),
    *_names("preliminary report|preliminary read|preliminary reading|wet read|wet reading|resident read"),
}
_IMPRESSION = {
    *_names(
        "|final|overall|radiologic|radiological|radiographic|radiology|preliminary|ct|chest|clinical|addendum|revised",
        "impression|impressions|conclusion|conclusions|opinion|interpretation|assessment",
    ),
    *_names("impression|impressions|conclusion", "first|now|today|summary|only|list"),
    *_names("impression|impressions|conclusion|conclusions|assessment", "and|&|/",
        "recommendation|recommendations|plan"),
    *_names("impression/|impressions/|conclusion/", "recommendation|recommendations"),
    *_names("impression/recommendation|impression/recommendations|conclusion/recommendation|imp|impr|concl"
        "|summary|in summary|in conclusion|summary of findings"
        "|diagnosis|diagnoses|final diagnosis|radiologic diagnosis|key findings"),
    *_names("attending|staff|consultant|faculty|final", "addendum|addenda|note|comment"),
    *_names("addendum|addenda", "|1|2|3|4|5|#1|#2|#3|# 1|# 2|# 3|to report|i|ii"),
    *_names("|abschließende|zusammenfassende|gesamt|kurze", "beurteilung|bewertung|zusammenfassung|einschätzung"),
    *_names("gesamtbeurteilung|zusammenfassend|insgesamt"
        "|diagnose|diagnosen|radiologische diagnose|schlussfolgerung|schlußfolgerung|fazit|resümee"
        "|beurteilung/empfehlung|beurteilung und empfehlung|zusammenfassung und beurteilung|interpretation|kommentar"
        "|nachtrag|ergänzung|addendum zum befund|nachbefund|kurzbefund|conclusio"),
} - _FINDINGS  # fmt: skip
_INDICATION = {
    *_names("|clinical|patient|medical|brief|pertinent|relevant|past medical|surgical|past surgical|provided|reported"
        "|oncologic",
        "history|indication|indications|information|info|data|details|statement|question|context|background|hx"
        "|diagnosis"),
    *_names("reason|reasons", "|for|for the|for this", _EXAM + "|"),
    *_names("history|indication|indications|clinical history|clinical indication|clinical details|clinical information",
        "and|&|/", "indication|indications|history|question|clinical question"),
    *_names("history/|indication/|indications/|clinical history/", "indication|indications|history|reason for exam"),
    *(f"{first}/{second}" for first in ("history", "indication", "indications", "clinical history")
      for second in ("indication", "indications", "history", "reason for exam", "question", "clinical question",
                     "clinical history", "clinical information")),
    *_names("clinical|hx|ind|symptom|symptoms|signs and symptoms|signs/symptoms|complaint|presenting complaint"
        "|chief complaint|history of present illness|admitting diagnosis|order diagnosis|working diagnosis|rfe"
        "|comments on order"),
    *_names("|klinische|kurze|relevante|anamnestische",
        "angaben|angabe|anamnese|information|informationen|vorgeschichte|diagnose|fragestellung|fragestellungen|daten"),
    *_names("klinische angaben|klinik|anamnese|indikation|klinische angabe|angaben", "und|&|/|,",
        "fragestellung|indikation|frage|anamnese"),
    *_names("klinik|fragestellung|frage|rechtfertigende indikation|indikation|indikationsstellung|zuweisungsdiagnose"
        "|einweisungsdiagnose|überweisungsdiagnose|vorgeschichte|vorerkrankungen|vordiagnosen|klinik/fragestellung"
        "|klinische angaben/fragestellung|indikation/fragestellung|zuweisung|anlass|anforderung|untersuchungsgrund"),
} - _IMPRESSION - {
    "", "angabe", "angaben", "diagnose", "daten", "informationen", "data", "details", "statement", "context", "info",
    "information", "reason for",
}  # fmt: skip
_COMPARISON = {
    *_names(
        "comparison|comparisons|comparison(s)|compared to|compared with|correlation|priors|prior|comp|comparison made"
    ),
    *_names("comparison|prior|previous", "study|studies|exam|exams|examination|examinations|film|films|imaging|date"),
}
_COMPARISON |= {
    *_names("|zum|im", "vergleich|vergleiche"),
    *_names("voraufnahme|voraufnahmen|voruntersuchung|voruntersuchungen|vorbefund|vorbefunde|vergleichsaufnahme"
        "|vergleichsaufnahmen|vergleichsuntersuchung|vu"),
}  # fmt: skip
_TECHNIQUE = {
    *_names("|imaging|scan|ct|x-ray|exam|examination", "technique|techniques|protocol"),
    *_names("contrast", "|agent|dose|media|medium|material|type"),
    *_names("technical", "factors|quality|details|comments|comment|limitations"),
    *_names(
        "procedure|procedures|procedure description|procedure comments|technique/procedure|method|methods|methodology"
        "|dose|radiation dose|radiation|dlp|total dlp|ctdi|ctdivol|dose reduction|exposure|number of views|views|view"
        "|image quality|study quality|exam quality|quality|limitations|limitation|medication|medications|projection"
    ),
}
_TECHNIQUE |= {
    *_names("technik|ct-technik|untersuchungstechnik|aufnahmetechnik|technische angaben|methode|methodik|kontrastmittel"
        "|km|bildqualität"
        "|aufnahmequalität|strahlenexposition|dosis|dosisangaben|qualität|protokoll|dlp|dosisflächenprodukt"
        "|durchführung|untersuchungsprotokoll"),
}  # fmt: skip
_OTHER = {
    *_names("untersuchung|untersuchungen|untersuchungsart|untersuchungsdatum|untersuchung vom|datum|patient|patientin"
        "|name|geburtsdatum|empfehlung|empfehlungen|prozedere|procedere|weiteres vorgehen|zuweiser|befunder|arzt|ärztin"
        "|oberarzt|assistenzarzt|unterschrift|freigabe|verteiler|mit freundlichen grüßen|mit kollegialen grüßen"
        "|vidiert|validiert"),
    *_names("exam|examination|study|procedure|report",
        "type|date|time|performed|title|date and time|date/time|status|id"),
    *_names("|follow-up|followup|follow up|recommended|management",
        "recommendation|recommendations|follow-up|followup|follow up"),
    *_names("ordering|referring|requesting|attending|responsible|reading|signing|primary care|dictating|interpreting",
        "physician|provider|doctor|md|radiologist|clinician"),
    *_names("patient", "name|id|number|location"),
    *_names(
        "exam|exams|examination|examinations|study|studies|title|type of exam|type of study|exam name|study name"
        "|date|date of exam|date of examination|date of study|date of service|date of birth|dob|time|age|sex|gender"
        "|notification|notifications|critical result|critical results|critical finding|communication|communications"
        "|radiologist|radiologists|attending|resident|fellow|physician|staff|technologist|transcriptionist|patient"
        "|name|mrn|accession|accession number|order|order number|location|facility|department"
        "|attestation|teaching attestation|teaching physician attestation|signature"
        "|electronic signature|signed|dictated|transcribed|approved|cc|code|codes|icd|icd-10|cpt|disclaimer"
        "|workstation|workstation id|end of report"),
} - {"follow up", ""}  # fmt: skip

_SECTION: dict[str, Section] = {
    name: section
    for section, names in (
        (Section.OTHER, _OTHER),
        (Section.TECHNIQUE, _TECHNIQUE),
        (Section.COMPARISON, _COMPARISON),
        (Section.INDICATION, _INDICATION),
        (Section.FINDINGS, _FINDINGS | _WEAK_FINDINGS),
        # The statements of an addendum count like those of the impression.
        (Section.IMPRESSION, _IMPRESSION),
    )
    for name in names
}
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
        and " ".join(h.name.lower().split()) not in _WEAK_FINDINGS
        and text[h.end : end].strip()
        for h, end in zip(headings, ends, strict=False)
    )
    first = headings[0].start if headings else len(text)
    if has_findings:
        yield Section.OTHER, 0, first
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
        if not has_findings and is_aside and heading.name and (below := _findings_below(heading, text, end, rest)):
            # "COMPARISON: None." and, below it, findings without a heading of their own
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
