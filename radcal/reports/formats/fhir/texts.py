"""The text of a FHIR report, from wherever it has one, and only once.

In this order: the presented form (the report as its author laid it out) where it holds text; else the Observations of
``result`` in their order, with those that they have as members.  The conclusion follows where the text does not contain
it; notes follow, too, and narrative or coded conclusions stand in where there is no text.
"""

from __future__ import annotations

import re

from radcal.reports.attachments import HTML, PLAIN, RTF, Attachment, read_attachment
from radcal.reports.coded_sections import IMPRESSION, Body, heading_of, statement
from radcal.reports.formats.fhir.resources import Item, Resource, Resources, dicts, scalar, scalars
from radcal.reports.markup import clean_text, html_text, words_of, written_text
from radcal.reports.reasons import Doubt, Flaw

_MOST_OBSERVATIONS = 2000
_BEST = (PLAIN, HTML, RTF)
"""Forms of text from the one that needs least interpretation on."""
_OWN_IMPRESSION = re.compile(
    r"^[ \t>*_#=-]*(?:[\w/]+[ \t]+){0,2}"
    r"(?:impressions?|conclusions?|opinion|summary|beurteilung|zusammenfassung)[ \t*_]*(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)


def text_of(report: Item, resources: Resources, doubts: set[Doubt]) -> str | Flaw:
    """The text of a report, or why it has none; what is doubtful about it is added to ``doubts``."""
    presented, flaw = _presented(report, resources, doubts)
    conclusion = _plain(report.resource.get("conclusion"))
    told = Body()
    if presented:
        if conclusion and not _contains(presented, conclusion) and not _OWN_IMPRESSION.search(presented):
            told.add(IMPRESSION, conclusion)
        return f"{presented}\n\n{told.text()}".rstrip()
    observed = _Observations(resources, told)
    observed.add(report.resource.get("result"), report)
    if observed.missing:
        doubts.add(Doubt.INCOMPLETE)
    text = told.text()
    if conclusion and observed.values and all(_contains(conclusion, value) for value in observed.values):
        told = Body()
        told.add(observed.only_section or _heading_of_lone(conclusion), conclusion)
        text = told.text()
    elif conclusion and not _contains(text, conclusion):
        told.add(IMPRESSION if text else _heading_of_lone(conclusion), conclusion)
        text = told.text()
    for note in dicts(report.resource.get("note")):  # R5
        if (said := _plain(note.get("text"))) and not _contains(text, said):
            told.add("COMMENT", said)
            text = told.text()
    if not text and (narrative := _narrative(report.resource)):
        return narrative
    if not text:
        codes = map(_concept, dicts(report.resource.get("conclusionCode")))
        for code in dict.fromkeys(filter(None, codes)):
            told.add(IMPRESSION, statement("", code))
        text = told.text()
    if text:
        return text
    if flaw is not None:
        return flaw
    return Flaw.NOT_INCLUDED if observed.missing else Flaw.NO_TEXT


def _heading_of_lone(conclusion: str) -> str:
    """A conclusion that is all there is may be the whole report, with headings of its own."""
    own = "\n" in conclusion or re.search(r"\b(?:FINDINGS|IMPRESSION|Findings|Impression)\b *:", conclusion)
    return "" if own else IMPRESSION


def _contains(text: str, part: str) -> bool:
    """Whether a text contains the words of another."""
    return f" {words_of(part)} " in f" {words_of(text)} "


def _plain(value: object) -> str:
    """Text of a string field."""
    return written_text(scalar(value))


# --- presented form ------------------------------------------------------------------------------------


def _presented(report: Item, resources: Resources, doubts: set[Doubt]) -> tuple[str, Flaw | None]:
    """The text of the presented form; if there is none, '' and why: the first reason."""
    forms = [(scalar(form.get("language")).lower(), _form(form, report, resources))
             for form in dicts(report.resource.get("presentedForm"))]  # fmt: skip
    for kind in _BEST:
        # Several of one kind follow each other, as a report and its addendum; translations are not read.
        chosen = [(language, read) for language, read in forms if read.form == kind and read.text]
        parts: list[str] = []
        for read in (read for language, read in chosen if language == chosen[0][0]):
            if not any(_contains(part, read.text) for part in parts):
                parts = [part for part in parts if not _contains(read.text, part)] + [read.text]
                if read.doubt is not None:
                    doubts.add(read.doubt)
        if parts:
            return "\n\n".join(parts), None
    return "", next((read.flaw for _, read in forms if read.flaw is not None), None)


def _form(form: Resource, report: Item, resources: Resources) -> Attachment:
    """What a form holds itself, in its address, or in a Binary among the files."""
    kind, data, url = (scalar(form.get(field)) for field in ("contentType", "data", "url"))
    if not data and url:
        binary = resources.find(url, report)
        if binary is None or binary.kind != "Binary":
            return Attachment(flaw=Flaw.NOT_INCLUDED)
        kind = kind or scalar(binary.resource.get("contentType"))
        data = scalar(binary.resource.get("data"))
    return read_attachment(data, kind) if data else Attachment()


# --- Observations --------------------------------------------------------------------------------------


class _Observations:
    """Adds the text of Observations to a body.

    missing: the number of those that are not among the files, or are more than are read
    values: what was added;  only_section: the section to which all of it was added, '' if to several
    """

    def __init__(self, resources: Resources, told: Body) -> None:
        self._resources, self._told = resources, told
        self._seen: set[tuple[int, int, int, str, str]] = set()
        self.missing = 0
        self.values: list[str] = []
        self.only_section = ""

    def add(self, references: object, within: Item, section: str = "") -> None:
        """Add the Observations that references point to, each once, and their members behind it."""
        todo = [(reference, within, section) for reference in dicts(references)][::-1]
        while todo:
            reference, within, section = todo.pop()
            item = self._resources.find(reference, within)
            if item is None or (item.identity not in self._seen and len(self._seen) == _MOST_OBSERVATIONS):
                self.missing += 1
            elif item.identity not in self._seen:
                self._seen.add(item.identity)
                members, inner = self._add_one(item, section)
                todo += [(member, item, inner) for member in reversed(members)]

    def _add_one(self, item: Item, around: str) -> tuple[list[Resource], str]:
        """Add an Observation; returns its members, and the section that it is of."""
        resource = item.resource
        if scalar(resource.get("status")) in ("cancelled", "entered-in-error"):
            return [], around
        code, name = _code(resource.get("code"))
        section = heading_of(code, name) or around
        value = _value(resource)
        self._say(section, name, value, is_section=section != around or not around)
        for note in dicts(resource.get("note")):
            self._told.add(section, _plain(note.get("text")))
        for part in dicts(resource.get("component")):
            part_code, part_name = _code(part.get("code"))
            own = heading_of(part_code, part_name)
            self._say(own or section, part_name, _value(part), is_section=bool(own))
        return dicts(resource.get("hasMember")), section

    def _say(self, section: str, name: str, value: str, *, is_section: bool) -> None:
        if not value or any(_has_section(told, section) and _contains(told, value) for told in self.values):
            return
        self.only_section = section if section == self.only_section or not self.values else ""
        self.values.append(value)
        if is_section and section:
            self._told.add(section, value)
        elif "\n" in value or len(value) > 200:
            self._told.add(section, value, name)
        else:
            self._told.add(section, statement(name, value))


def _has_section(text: str, section: str) -> bool:
    """Whether a text has a heading that says the same as that of a section: it may be the whole report."""
    return section != "" and re.search(rf"^\W*{section.rstrip('S')}", text, re.IGNORECASE | re.MULTILINE) is not None


def _code(value: object) -> tuple[str, str]:
    """Code and name of a concept: the first code that is that of a section, else the first."""
    concepts = dicts(value)
    if not concepts:
        return "", ""
    codings = dicts(concepts[0].get("coding"))
    known = [c for c in codings if heading_of(scalar(c.get("code")))] or codings
    code = scalar(known[0].get("code")) if known else ""
    return code, _concept(concepts[0])


def _concept(concept: Resource) -> str:
    """The words of a CodeableConcept (or a CodeableReference to one): its text, else the first display."""
    inner = dicts(concept.get("concept"))
    if inner:
        concept = inner[0]
    said = _plain(concept.get("text"))
    return said or next((name for c in dicts(concept.get("coding")) if (name := _plain(c.get("display")))), "")


def _value(resource: Resource) -> str:
    """The value of an Observation or a component as text, '' if it has none."""
    for key, value in resource.items():
        if (key.startswith("value") and key != "value") or (key == "value" and not isinstance(value, dict)):
            if isinstance(value, dict | list):
                said = "; ".join(filter(None, map(_complex, dicts(value))))
            else:
                said = _plain(value)
                if isinstance(value, bool):
                    said = "yes" if value else "no"
            if said:
                return said
    return ""


def _complex(value: Resource) -> str:
    """A concept, a quantity, a range, a period or an attachment as text."""
    if "coding" in value or "text" in value or "concept" in value:
        return _concept(value)
    for first, second, between in (
        ("low", "high", " - "),
        ("numerator", "denominator", " / "),
        ("start", "end", " - "),
    ):
        if first in value or second in value:
            parts = [value.get(first), value.get(second)]
            return between.join(filter(None, (_quantity(q) if isinstance(q, dict) else _plain(q) for q in parts)))
    if "data" in value:
        return read_attachment(scalar(value["data"]), scalar(value.get("contentType"))).text
    return _quantity(value)


def _quantity(value: Resource) -> str:
    number = scalar(value.get("value"))
    unit = _plain(value.get("unit")) or _plain(value.get("code"))
    return f"{scalar(value.get('comparator'))}{number} {unit}".strip() if number else ""


# --- narratives and concepts ---------------------------------------------------------------------------


def _narrative(resource: Resource) -> str:
    """The human-readable text of a resource, unless it only repeats other fields: that text is 'generated'."""
    texts = [text for text in dicts(resource.get("text")) if scalar(text.get("status")) == "additional"]
    return html_text(clean_text(scalar(texts[0].get("div")))) if texts else ""


def name_of(concepts: object) -> str:
    """The words of the first concept of a field that has some."""
    return next(filter(None, map(_concept, dicts(concepts))), "")


def codes_of(concepts: object) -> list[str]:
    """The codes of all codings of a field."""
    concepts = [inner for concept in dicts(concepts) for inner in (concept, *dicts(concept.get("concept")))]
    codings = [coding for concept in concepts for coding in dicts(concept.get("coding")) or [concept]]
    return [code for coding in codings for code in scalars(coding.get("code"))[:1]]
