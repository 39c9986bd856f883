"""The messages of a file of HL7 v2: MLLP frames, line ends of any kind, and the encoding of each."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from radcal.reports.decode import charset, decode
from radcal.reports.formats import Unreadable
from radcal.reports.reasons import Doubt, Flaw
from radcal.system.errors import InputError

LONGEST = 1 << 24
"""Bytes of the longest message that is read: reports with a picture or a document in them."""
LONGEST_SHOWN = 1 << 18
"""Bytes of a message that are shown as they are written."""
MOST_PARTS = 500_000
"""Most separators and line ends in a message."""
_START = re.compile(
    rb"(?:\A|(?<=[\r\n\x0b\x1c\x00]))(?:\xef\xbb\xbf)?[ \t]*(MSH|FHS|BHS|FTS|BTS)(?=[^\w\s]|(?<=TS)(?:\s|\Z))"
    rb"|(MSH)(?=\|\^~\\&#?\|)"  # behind a message whose last line does not end
)
_FEW = 3
"""Characters of UTF-8 for each damaged byte of a message that does not say that it is in UTF-8."""
_BLANK = b" \t\r\n\x00\x0b\x1c"
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")
_LINE_END = re.compile(r"\r\n|\r|\n")
_NAMED = {
    "unicode": "utf-8",
    "unicode utf-8": "utf-8",
    "unicode utf-16": "utf-16",
    "8859/1": "cp1252",  # which has all of its letters, and the quotation marks that are written for them
    "iso ir100": "cp1252",
    "iso ir6": "ascii",
}
"""HL7 table 0211, lower case; sets of which a message has several (ISO 2022) are not read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A message as bytes, from its MSH to its end, and what is wrong with it or doubtful about it at first sight."""

    data: bytes
    flaw: Flaw | None = None
    doubt: Doubt | None = None


def messages(data: bytes) -> Iterator[Piece]:
    """The messages of a file in order, without the segments that begin and end batches.

    A message is whole if the frame around it ends, or, without a frame, its last line does; where frames end in a file,
    one that does not is of a message cut off.  One behind which something else stands is doubtful.
    """
    data = in_bytes(data)
    framed = b"\x1c" in data
    starts = list(_START.finditer(data))
    before = data[: starts[0].start() if starts else len(data)]
    if before.strip(_BLANK):
        yield Piece(before, Flaw.DAMAGED)
    ends = [start.start() for start in starts[1:]] + [len(data)]
    for start, end in zip(starts, ends, strict=False):  # of no message there is one end, too
        if b"MSH" not in start.groups():
            continue
        message = data[start.start(start.lastindex or 0) : end]
        in_frame = data[max(0, start.start() - _NEAR) : start.start()].rstrip(b" \t\r\n\0").endswith(b"\x0b")
        yield _in_frame(message, framed=framed) if in_frame else _unframed(message)


_NEAR = 16
"""Bytes before a message in which a frame begins."""
_FRAME_END = re.compile(rb"\x1c(?=\r|[\s\0]*(?:[\x0b\x1c]|\Z))")


def _in_frame(data: bytes, *, framed: bool) -> Piece:
    """A message behind the byte that begins its frame.

    framed: frames end in this file
    """
    end = _FRAME_END.search(data)
    message = _cut_to_size(data[: end.start()] if end else data)
    if b"\x1c" in message.data or (end and data[end.end() :].strip(_BLANK)):
        return replace(message, doubt=Doubt.STRAY)
    if end is None:
        return replace(message, flaw=Flaw.DAMAGED) if framed else replace(message, doubt=Doubt.UNENDED)
    return message


def _unframed(data: bytes) -> Piece:
    """A message without a frame."""
    kept = data.rstrip(_BLANK)
    message = _cut_to_size(data)
    if b"\x1c" in kept:
        return replace(message, doubt=Doubt.STRAY)
    return message if set(data[len(kept) :]) & set(b"\r\n\x1c") else replace(message, doubt=Doubt.UNENDED)


def _cut_to_size(data: bytes) -> Piece:
    return Piece(data[: LONGEST + 1], Flaw.TOO_LONG if len(data) > LONGEST else None)


_SWITCH = re.compile(rb"\x1b[$(]")
"""A switch between character sets within a message (ISO 2022)."""


def in_bytes(data: bytes) -> bytes:
    """The bytes of a file, or its beginning, in an encoding that has those of ASCII: UTF-16 as UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace").encode(errors="replace")
    return data.removeprefix(codecs.BOM_UTF8)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a message, the encoding of its characters by number, and what is doubtful about them."""

    text: str
    encoding: str
    doubt: Doubt | None = None


def text_of(message: bytes) -> Decoded:
    """The segments of a message, each ended by a carriage return.

    What stands below a segment and begins with no name of one continues it, on a line of its own.

    Raises:
        Unreadable: its encoding is unknown, its separators are none, or it has too many of them.
    """
    head = message[:4096]
    line = re.split(rb"[\r\n]", head, maxsplit=1)[0].decode("latin-1")
    separator = line[3:4]
    if not separator:
        raise Unreadable(Flaw.DAMAGED)
    marks = line[4:].split(separator, 1)[0][:5]
    alike = len({separator, *marks}) != len(marks) + 1
    if alike or any(mark.isalnum() or mark.isspace() for mark in (separator, *marks)):
        raise Unreadable(Flaw.DAMAGED)
    if sum(message.count(mark.encode("latin-1")) for mark in (separator, *marks, "\r", "\n")) > MOST_PARTS:
        raise Unreadable(Flaw.NESTED)
    fields = line.split(separator)
    repetition = marks[1:2] or "~"
    stated = fields[17].split(repetition) if len(fields) > 17 else []
    names = [name.strip() for name in stated if name.strip() and name.strip() != '""']
    found = _decoded(message, names)
    return replace(found, text=_segments(found.text, separator))


def _decoded(message: bytes, names: list[str]) -> Decoded:
    """The text of a message, whatever its line ends.

    What is valid UTF-8 is taken for that, whatever the message names, and so is what is UTF-8 but for a few damaged
    bytes, which become U+FFFD.
    """
    message = message.replace(b"\0", b"").replace(b"\x1c", b" ").replace(b"\x0b", b"\n")
    known = [encoding for name in names if (encoding := encoding_of(name))]
    unicode = not names or any(encoding.startswith("utf") for encoding in known)
    if _SWITCH.search(message):
        raise Unreadable(Flaw.ENCODING)
    others = [encoding for encoding in known if encoding != "ascii" and not encoding.startswith("utf")]
    with suppress(UnicodeDecodeError):
        text = message.decode("utf-8")
        if text.isascii():
            return Decoded(text, others[0] if others else "utf-8")
        return Decoded(text, "utf-8", None if unicode else Doubt.MISNAMED)
    if _is_damaged_utf8(message, least=1 if "utf-8" in known else _FEW):
        return Decoded(message.decode("utf-8", errors="replace"), "utf-8", Doubt.DAMAGED)
    for encoding in others:
        with suppress(UnicodeDecodeError):
            return Decoded(message.decode(encoding), encoding)
    if len(known) < len(names):
        raise Unreadable(Flaw.ENCODING)
    try:
        return Decoded(decode(message, ""), "cp1252", Doubt.MISNAMED if names else Doubt.GUESSED)
    except InputError:
        raise Unreadable(Flaw.DAMAGED) from None


def _is_damaged_utf8(message: bytes, least: int) -> bool:
    """Whether of the characters that are not ASCII at least ``least`` are UTF-8 for each byte that is not."""
    text = message.decode("utf-8", errors="replace")
    damaged = text.count("\ufffd") - message.count("\ufffd".encode())
    return sum(not c.isascii() for c in text) - damaged >= least * damaged


def encoding_of(name: str) -> str:
    """Python's name of a character set of MSH-18, such as '8859/15' or 'WINDOWS-1250'; '' of an unknown one."""
    key = " ".join(name.casefold().split())
    if key in _NAMED:
        return _NAMED[key]
    found = charset(f"iso-{key.replace('/', '-')}" if key.startswith("8859") else key)
    return "cp1252" if found == "iso8859-1" else found


def _segments(text: str, separator: str) -> str:
    segments: list[list[str]] = []
    for line in _LINE_END.split(text):
        if line[3:4] == separator and _SEGMENT.match(line):
            segments.append([line])
        elif segments:
            segments[-1].append(line)
    return "\r".join("\n".join(lines).rstrip("\n\x1c\x0b") for lines in segments)


_NUMBERED = {"OBR": (3, 18, 20, 2), "TXA": (15, 14)}
"""Where segments have the number of an order."""


def accession_in(message: bytes) -> str:
    """The accession number of the first order or document of a message that cannot be read, as far as one can tell."""
    text = message[:LONGEST_SHOWN].decode("latin-1")
    separator = text[3:4]
    for line in _LINE_END.split(text):
        if separator and (places := _NUMBERED.get(line.lstrip()[:3])) and line.lstrip()[3:4] == separator:
            fields = line.split(separator)
            numbers = (re.split(r"[~^&]", fields[n], maxsplit=1)[0].strip() for n in places if n < len(fields))
            return next((number for number in numbers if number and number != '""'), "")
    return ""


def shown(message: bytes) -> str:
    """A message as it is written, a segment a line, whether or not it can be read; no more than its beginning."""
    part = message[:LONGEST_SHOWN]
    try:
        text = text_of(part).text
    except Unreadable:
        text = part.decode("utf-8", errors="replace").replace("\r\n", "\r")
    lines = text.replace("\r", "\n").strip("\n\x0b\x1c").replace("\0", "")
    return lines if len(part) == len(message) else f"{lines}\n\u2026"


# --- files of any size ---------------------------------------------------------------------------------

PIECE = 1 << 25
"""Bytes of a file that one child parses, more than the longest message has."""
_MARK = 8
"""Bytes that tell the beginning of a message."""
_HL7 = re.compile(rb"(?:\x0b\x1c|\x0b?[ \t\r\n]*(?:MSH|FHS|BHS)[^\w\s\"',;])")


def is_hl7(head: bytes) -> bool:
    """Whether a file that begins with these bytes is one of HL7 v2: with a message, a batch, or an empty frame."""
    return _HL7.match(in_bytes(head).lstrip(b" \t\r\n\0\x1c")) is not None


def pieces_of(parts: Iterable[bytes], most: int = PIECE) -> Iterator[bytes]:
    """A file of HL7 messages in pieces of whole messages, of about ``most`` bytes.

    A message that is longer is cut off, so that no more than two pieces are in memory, whatever the file holds.
    """
    kept = bytearray()
    skipping = False
    for part in parts:
        kept += part
        while skipping or len(kept) > most + _MARK:
            # Where messages begin, with the bytes that begin the frames around them
            starts = [found.end() - len(found.group(1)) for found in _BEGINS.finditer(kept)]
            start = next((start for start in starts if skipping or start), -1)
            if not skipping:
                end = max((start for start in starts if 0 < start <= most), default=0)
                yield bytes(kept[: end or most])
                start = end or start
            skipping = start < 0
            del kept[: -_MARK if skipping else start]
            if skipping:
                break
    if kept and not skipping:
        yield bytes(kept)


_BEGINS = re.compile(rb"(?:[\r\n\x1c\x00]|\xef\xbb\xbf|(?=\x0b))(\x0b?)(?=MSH[^\w\s])")
"""What stands before the first segment of a message."""
