"""Escape sequences in the text of HL7 v2 (chapter 2.7): separators, line breaks, characters by number.

The function of the library is not used: it writes the text of what it does not know into the log, and drops it.
"""

from __future__ import annotations

import re

_COMMAND = re.compile(r"\.(br|sp|fi|nf|in|ti|sk|ce)\s*([+-]?\d{1,3})?", re.IGNORECASE)
_HEX = re.compile(r"[Xx]((?:[0-9A-Fa-f]{2})+)")
_SWITCH = re.compile(r"[CM][0-9A-Fa-f]{4,6}|Z[0-9A-Za-z]{0,20}|[HN]")
"""Changes of the character set, of the sender's own, and of emphasis: they stand for no character."""
_MOST_LINES = 20
_BREAKS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\0": None})


def unescaped(text: str, marks: str, encoding: str) -> str:
    """The text with its escape sequences replaced; those that HL7 does not know stay as they are.

    Args:
        marks: the separators of fields, repetitions, components and subcomponents, and the escape character
        encoding: in which characters by number are written; what is none of that is taken for Windows-1252

    A change of the character set within the text is skipped.
    """
    escape = marks[4]
    if escape not in text:
        return text
    field, repetition, component, subcomponent = marks[0], marks[1], marks[2], marks[3]
    stands_for = {"F": field, "S": component, "T": subcomponent, "R": repetition, "E": escape, "P": "#"}

    def meaning(code: str) -> str | None:
        if code in stands_for:
            return stands_for[code]
        if command := _COMMAND.fullmatch(code):
            name, number = command.group(1).lower(), int(command.group(2) or 1)
            if name in ("br", "ce"):
                return "\n"
            if name == "sp":
                return "\n" * max(1, min(number, _MOST_LINES))
            return " " * min(max(number, 0), _MOST_LINES) if name == "sk" else ""
        if written := _HEX.fullmatch(code):
            return _characters(bytes.fromhex(written.group(1)), encoding)
        return "" if _SWITCH.fullmatch(code) else None

    hexes = rf"[Xx](?:[0-9A-Fa-f]{{2}}){{1,200}}{re.escape(escape)}"
    # The bytes of one character may stand in sequences of their own.
    text = re.sub(rf"(?<={re.escape(escape)}){hexes}(?:{re.escape(escape)}{hexes}){{1,80}}", _as_one, text)
    parts: list[str] = []
    at = 0
    while (start := text.find(escape, at)) >= 0:
        end = text.find(escape, start + 1)
        found = meaning(text[start + 1 : end]) if 0 < end - start < 500 else None
        if found is None:
            parts.append(text[at : start + 1])
            at = start + 1
        else:
            parts += [text[at:start], found]
            at = end + 1
    parts.append(text[at:])
    return "".join(parts)


def _as_one(several: re.Match[str]) -> str:
    """Hexadecimal sequences in a row as one."""
    escape = several.group()[-1]
    return "X" + "".join(part[1:] for part in several.group().split(escape) if part) + escape


def _characters(written: bytes, encoding: str) -> str:
    """Bytes as text with plain line breaks."""
    try:
        text = written.decode(encoding)
    except UnicodeDecodeError:
        text = written.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").translate(_BREAKS)
