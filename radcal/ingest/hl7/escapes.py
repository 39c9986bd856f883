"""Escape sequences in the text of HL7 v2 (chapter 2.7): separators, line breaks, characters by number.

The function of the library is not used: it writes the text of what it does not know into the log, and drops it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMAND = re.compile(r"\.(br|sp|fi|nf|in|ti|sk|ce)\s*([+-]?\d{1,3})?", re.IGNORECASE)
_HEX = re.compile(r"[Xx]((?:[0-9A-Fa-f]{2})+)")
_NOTHING = re.compile(r"Z[0-9A-Za-z]{0,20}|[HN]")
"""The sender's own, and emphasis: they stand for no character."""
_SWITCH = re.compile(r"C([0-9A-Fa-f]{4})|M([0-9A-Fa-f]{4}(?:[0-9A-Fa-f]{2})?)")
"""Changes of the character set by the bytes behind ESC (ISO 2022)."""
_SETS: Mapping[str, tuple[str, bytes, int]] = {
    "$@": ("euc_jp", b"", 2), "$B": ("euc_jp", b"", 2), "$(B": ("euc_jp", b"", 2), "$(D": ("euc_jp", b"\x8f", 2),
    "(I": ("euc_jp", b"\x8e", 1), "$A": ("gb2312", b"", 2), "$(A": ("gb2312", b"", 2), "$(C": ("euc_kr", b"", 2),
}  # fmt: skip
"""By what a switch to it names, an encoding whose bytes are those of the set with a high bit, behind a prefix."""
_SET = re.compile(r"\x1b(\$?[\x20-\x2f]?[\x30-\x7e])([^\x1b]*)")
_PLAIN = ("(B", "(J")
_UPPER_HALF = ("-", ".", "/", ")")
_MOST_LINES = 20
_BREAKS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\0": None})


def unescaped(text: str, marks: str, encoding: str) -> str:
    """The text with its escape sequences replaced; those that HL7 does not know stay as they are.

    Args:
        marks: the separators of fields, repetitions, components and subcomponents, and the escape character
        encoding: in which characters by number are written; what is none of that is taken for Windows-1252

    What follows a change of the character set is in that, as far as it is known; U+FFFD stands for what is in another.
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
        if switch := _SWITCH.fullmatch(code):
            names = bytes.fromhex(switch.group(1) or switch.group(2)).decode("latin-1")
            return f"\x1b{names}" if _SET.fullmatch(f"\x1b{names}") else "\ufffd"
        return "" if _NOTHING.fullmatch(code) else None

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
    found = "".join(parts)
    return _SET.sub(_in_its_set, found) if "\x1b" in found else found


def _in_its_set(found: re.Match[str]) -> str:
    """The characters behind a switch to the set that they are of."""
    name, text = found.groups()
    if name in _PLAIN or name.startswith(_UPPER_HALF):  # its characters stand beside those of ASCII
        return text
    if name not in _SETS:
        return f"\ufffd{text}"
    encoding, prefix, width = _SETS[name]

    def one(character: re.Match[str]) -> str:
        raw = bytes(ord(c) | 0x80 for c in character.group())
        return (prefix + raw).decode(encoding, errors="replace")

    return re.sub(f"[\x21-\x7e]{{{width}}}", one, text)


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
