"""Sections of coded reports (FHIR Observations, DICOM SR) written as text with headings that ``sections`` reads."""

from __future__ import annotations

import re

from radcal.system.resources import meanings, patterns

FINDINGS, IMPRESSION = "FINDINGS", "IMPRESSION"
_HEADINGS = meanings("reading", "coded_sections.toml", table="codes")
_NAMED = dict(patterns("reading", "coded_sections.toml"))
_OF_SOMETHING = _NAMED.pop("of_something")
_LONGEST_NAME = 60
_NO_HEADING = re.compile(r"[:\n\r]+")


def heading_of(code: str, name: str = "") -> str:
    """The heading of a section by its code (LOINC or DCM), or else by words of its name; '' of any other."""
    if found := _HEADINGS.get(code):
        return found
    name = name[:_LONGEST_NAME]
    if _OF_SOMETHING.search(name):
        return ""
    return next((heading for heading, words in _NAMED.items() if words.search(name)), "")


class Body:
    """The text of a report, put together section by section in the order of the document."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self.sections: set[str] = set()
        """All headings under which text stands, '' for none."""
        self._at: tuple[str, str] = ("", "")

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
