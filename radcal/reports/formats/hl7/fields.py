"""The parts of the fields of an HL7 v2 message: repetitions, components, names, times, and escape sequences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

NULL = '""'
"""An empty value that is to delete an earlier one."""
_TIME = re.compile(
    r"(\d{4})-?(\d\d)?-?(\d\d)?[T ]?(?:(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?)?\s*(Z|[+-]\d\d:?\d\d)?"
)
_STAMP = re.compile(r"\d{8,14}(?:\.\d+)?(?:[+-]\d{4})?")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the fields of one message.

    marks: the separators of fields, repetitions, components and subcomponents, and the escape character
    encoding: of characters that are written by number
    """

    marks: str
    encoding: str

    def raw(self, segment: Sequence[Any] | None, number: int) -> str:
        """A field as it is written, '' where it is missing or deletes a value."""
        if segment is None or len(segment) <= number:
            return ""
        text = str(segment[number]).strip()
        return "" if text == NULL else text

    def text(self, written: str) -> str:
        """Text with its escape sequences replaced."""
        return unescaped(written, self.marks, self.encoding)

    def repetitions(self, segment: Sequence[Any] | None, number: int) -> list[Value]:
        """The repetitions of a field that are not empty."""
        written = self.raw(segment, number)
        values = (Value(self, part) for part in written.split(self.marks[1])) if written else ()
        return [value for value in values if value.written.strip() not in ("", NULL)]

    def first(self, segment: Sequence[Any] | None, number: int, component: int = 1) -> str:
        """A component of the first repetition of a field."""
        values = self.repetitions(segment, number)
        return values[0].part(component) if values else ""


@dataclass(frozen=True, slots=True)
class Value:
    """One repetition of a field."""

    reader: Reader
    written: str

    def part(self, component: int, sub: int = 1) -> str:
        """A subcomponent as one line of text, numbered from 1."""
        parts = self.written.split(self.reader.marks[2])
        if len(parts) < component:
            return ""
        subs = parts[component - 1].split(self.reader.marks[3])
        if len(subs) < sub:
            return ""
        found = " ".join(self.reader.text(subs[sub - 1]).split())
        return "" if found == NULL else found

    def n_parts(self, component: int) -> int:
        """The number of subcomponents of a component."""
        parts = self.written.split(self.reader.marks[2])
        return parts[component - 1].count(self.reader.marks[3]) + 1 if len(parts) >= component else 0

    def person(self) -> Person:
        """The person of an XCN, CN or NDL, the name of which stands in subcomponents of its first component."""
        if self.n_parts(1) > 1:
            return Person(*(self.part(1, n) for n in (1, 2, 3, 4)))
        number, family, given, middle = (self.part(n) for n in (1, 2, 3, 4))
        if not family or _STAMP.fullmatch(family):
            return Person(number)
        return Person(number, family, given, middle)

    def patient(self) -> Person:
        """The person of an XPN or PN."""
        family, given, middle = (self.part(n) for n in (1, 2, 3))
        return Person("", family, given, middle)


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a message; any part may be ''."""

    number: str = ""
    family: str = ""
    given: str = ""
    middle: str = ""

    @property
    def listed(self) -> str:
        """As "Doe, Jane", as reports are attributed; the number of a person without a name."""
        return ", ".join(part for part in (self.family, self.given) if part) or self.number

    @property
    def natural(self) -> str:
        """As "Jane Q Doe"; '' of a person without a name."""
        return " ".join(part for part in (self.given, self.middle, self.family) if part) if self.family else ""

    def same(self, other: Person) -> bool:
        """Whether both are one person, by number or by name."""
        if self.number and other.number:
            return self.number == other.number
        return bool(self.family) and self.listed.casefold() == other.listed.casefold()


@dataclass(frozen=True, slots=True)
class Moment:
    """A time stamp: ISO 8601 to the precision that it has, and its minutes east of Greenwich, None if not stated."""

    written: str
    zone: int | None = None

    @property
    def has_day(self) -> bool:
        """Whether it names a day."""
        return len(self.written) >= len("2024-03-05")

    def placed(self, zone: int | None) -> str:
        """The clock time in another zone, with that behind a time of day, as in "2024-03-05T14:30:00+01:00".

        Unchanged where that zone is not known or there is no time of day, and not moved where its own is not known.
        """
        if zone is None or "T" not in self.written:
            return self.written
        time = self.written
        if self.zone is not None:
            with suppress(ValueError, OverflowError):
                time = (datetime.fromisoformat(time) + timedelta(minutes=zone - self.zone)).isoformat()
        return f"{time}{'-' if zone < 0 else '+'}{abs(zone) // 60:02}:{abs(zone) % 60:02}"


def moment(written: str) -> Moment:
    """The time of a TS or DTM, such as 20240305143000-0500 or 2024; an empty one of what is none."""
    found = _TIME.fullmatch(written.strip())
    if found is None:
        return Moment("")
    year, month, day, hour, minute, second, offset = found.groups()
    if not int(year):
        return Moment("")
    date = "-".join(part for part in (year, month, day) if part)
    zone = None
    if offset:
        digits = offset.replace(":", "")
        zone = 0 if offset == "Z" else int(f"{digits[0]}1") * (int(digits[1:3]) * 60 + int(digits[3:5]))
    return Moment(f"{date}T{hour}:{minute or '00'}:{second or '00'}" if hour and day else date, zone)


# --- escape sequences (chapter 2.7): separators, line breaks, characters by number ----------------------

_BREAKS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\0": None})


@cache
def _sequences(escape: str) -> re.Pattern[str]:
    """The escape sequences that HL7 knows; bytes in a row are one, as those of a character may stand in several.

    Z sequences are the sender's own, H and N emphasis: they stand for no character.  A change of the character set
    within a field (C, M) is not followed: U+FFFD stands for it.
    """
    e = re.escape(escape)
    return re.compile(
        rf"{e}(?:(?P<mark>[FSTREP])|\.(?P<command>(?i:br|sp|fi|nf|in|ti|sk|ce))\s*(?:[+-]?\d{{1,3}})?"
        rf"|(?P<bytes>[Xx](?:[0-9A-Fa-f]{{2}}){{1,200}}(?:{e}{e}[Xx](?:[0-9A-Fa-f]{{2}}){{1,200}}){{0,80}})"
        rf"|Z[0-9A-Za-z]{{0,20}}|[HN]|(?P<switch>[CM][0-9A-Fa-f]{{4,6}})){e}"
    )


def unescaped(text: str, marks: str, encoding: str) -> str:
    """The text with its escape sequences replaced; those that HL7 does not know stay as they are.

    Args:
        marks: the separators of fields, repetitions, components and subcomponents, and the escape character
        encoding: in which characters by number are written; what is none of that is taken for Windows-1252

    The function of the library is not used: it writes the text of what it does not know into the log, and drops it.
    """
    escape = marks[4]
    if escape not in text:
        return text
    stands_for = dict(zip("FRSTE", marks[:5], strict=True)) | {"P": "#"}

    def meaning(found: re.Match[str]) -> str:
        if found["mark"]:
            return stands_for[found["mark"]]
        if found["bytes"]:
            digits = re.sub(r"[^0-9A-Fa-f]", "", found["bytes"])
            return _characters(bytes.fromhex(digits), encoding)
        if command := found["command"]:
            return {"br": "\n", "sp": "\n", "ce": "\n", "sk": " "}.get(command.lower(), "")
        return "\ufffd" if found["switch"] else ""

    return _sequences(escape).sub(meaning, text)


def _characters(written: bytes, encoding: str) -> str:
    """Bytes as text with plain line breaks."""
    try:
        text = written.decode(encoding)
    except UnicodeDecodeError:
        text = written.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").translate(_BREAKS)
