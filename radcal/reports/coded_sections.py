"""Sections of coded reports (FHIR Observations, DICOM SR) written as text with headings that ``sections`` reads."""

from __future__ import annotations

import re

FINDINGS, IMPRESSION = "FINDINGS", "IMPRESSION"
_ADDENDUM, _COMPARISON, _HISTORY, _INDICATION = "ADDENDUM", "COMPARISON", "HISTORY", "INDICATION"
_RECOMMENDATION, _TECHNIQUE = "RECOMMENDATION", "TECHNIQUE"

_HEADINGS = {
    # LOINC, as in DICOM PS3.16 CID 7001 and PS3.20
    "18782-3": FINDINGS,  # Radiology study observation
    "59776-5": FINDINGS,  # Procedure findings
    "19005-8": IMPRESSION,  # Radiology study impression
    "55110-1": IMPRESSION,  # Conclusions
    "55107-7": _ADDENDUM,  # Addendum
    "18834-2": _COMPARISON,  # Radiology comparison study
    "55114-3": _COMPARISON,  # Prior imaging procedure descriptions
    "11329-0": _HISTORY,  # History general
    "55752-0": _HISTORY,  # Clinical information
    "18785-6": _INDICATION,  # Radiology reason for study
    "55111-9": _TECHNIQUE,  # Current imaging procedure descriptions
    "18783-1": _RECOMMENDATION,  # Radiology study recommendation
    # DICOM (DCM), PS3.16 Annex D: a section, and what stands in it
    "121060": _HISTORY, "121061": _HISTORY,
    "121062": _INDICATION, "121063": _INDICATION,  # Request, Reason for request
    "121109": _INDICATION, "121110": _HISTORY,  # Indications for Procedure, Patient Presentation
    "121064": _TECHNIQUE, "121065": _TECHNIQUE,  # Current Procedure Descriptions
    "121066": _COMPARISON, "121067": _COMPARISON,  # Prior Procedure Descriptions
    "121068": _COMPARISON, "121069": _COMPARISON,  # Previous Findings
    "121070": FINDINGS, "121071": FINDINGS,
    "121072": IMPRESSION, "121073": IMPRESSION,
    "121074": _RECOMMENDATION, "121075": _RECOMMENDATION,
    "121076": IMPRESSION, "121077": IMPRESSION,  # Conclusions
    "121078": _ADDENDUM,
    "121111": IMPRESSION,  # Summary
}  # fmt: skip
_NAMED = (
    (re.compile(r"\b(?:impressions?|conclusions?|opinion|beurteilung)\b", re.IGNORECASE), IMPRESSION),
    (re.compile(r"\b(?:previous|prior|comparison)\b", re.IGNORECASE), _COMPARISON),
    (re.compile(r"\b(?:findings?|study observation|befunde?)\b", re.IGNORECASE), FINDINGS),
    (re.compile(r"\baddend(?:um|a)\b", re.IGNORECASE), _ADDENDUM),
    (re.compile(r"\brecommendations?\b", re.IGNORECASE), _RECOMMENDATION),
)
_OF_SOMETHING = re.compile(r"\b(?:of|for|in|per)\b", re.IGNORECASE)
"""Words of names that are of something else, such as "certainty of finding"."""
_LONGEST_NAME = 60
_NO_HEADING = re.compile(r"[:\n\r]+")


def heading_of(code: str, name: str = "") -> str:
    """The heading of a section by its code (LOINC or DCM), or else by words of its name; '' of any other."""
    if found := _HEADINGS.get(code):
        return found
    name = name[:_LONGEST_NAME]
    if _OF_SOMETHING.search(name):
        return ""
    return next((heading for words, heading in _NAMED if words.search(name)), "")


class Body:
    """The text of a report, put together section by section in the order of the document."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self.sections: set[str] = set()
        """All headings under which text stands, '' for none."""
        self._at: tuple[str, str] = ("", "")

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def add(self, section: str, text: str, title: str = "") -> None:
        """Add text to a section, under its heading unless it stands there or has it itself.

        Args:
            section: a heading; '' for none
            text: a paragraph, not empty
            title: of a section within the section
        """
        title = _NO_HEADING.sub(" ", title).strip()[:_LONGEST_NAME].strip()
        block = text.strip()
        if not block:
            return
        was_in, was_title = self._at
        lines = []
        if section != was_in and section and not _begins_with(block, section):
            lines.append(f"{section}:")
        if title and (title != was_title or section != was_in) and not _begins_with(block, title):
            lines.append(f"{title}:")
        new = section != was_in or title != was_title
        self._at = (section, title)
        self.sections.add(section)
        self._blocks.append(("\n\n" if new and self._blocks else "\n") + "\n".join([*lines, block]))

    def text(self) -> str:
        """The whole text."""
        return "".join(self._blocks).strip()


def statement(name: str, value: str) -> str:
    """A coded finding or a measurement as a sentence: "Diameter: 12 mm."."""
    name, value = _NO_HEADING.sub(" ", name).strip(), value.strip()
    said = f"{name}: {value}" if name else value
    return said if said.endswith((".", "!", "?", ":")) or "\n" in said else f"{said}."


def _begins_with(text: str, heading: str) -> bool:
    """Whether a text begins with a heading of its own that says the same."""
    first = text[: len(heading) + 12].lstrip(" *_#").lower()
    wanted = heading.lower()
    return first.startswith(wanted) and first[len(wanted) :].lstrip("s*_ ")[:1] in (":", "\n", "")
