"""Bytes in an unknown encoding to text.

Unicode is recognised by its byte order mark, by its NUL bytes (UTF-16) or by being valid UTF-8.  Anything else is
taken for a single-byte encoding of Western Europe: the one in which the high bytes become accented letters inside words
or typographic marks outside of them.  Files of which lines are in another encoding are read line by line; what does
not fit, as a character that was cut in two, becomes U+FFFD.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress

_MARKS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SINGLE_BYTE = ("cp1252", "mac_roman", "cp850")
_SAMPLE = 1 << 16
_PART = 1 << 22
_CONTEXTS = 2000
_PUNCTUATION = frozenset(
    "\u2018\u2019\u201c\u201d\u201e\u201a\u2013\u2014\u2026\u2022\xd7\xa0"  # quotes, dashes, ellipsis, bullet, times
    "«»·°±²³µ÷½¼¾€£§©®™"
)
_LETTERS = frozenset("áàâäãåæçéèêëíìîïñóòôöõøœúùûüÿßÁÀÂÄÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜ")
_LONE_BYTE = re.compile("[\udc80-\udcff]")
_NOT_ASCII = re.compile("[^\0-\x7f]")
_HIGH = re.compile(rb"[\x80-\xff]+")
_ODD = re.compile(rb"[\xc2-\xf4][\x80-\xbf]|\xc3(?![A-Z])")
"""What text in a single-byte encoding hardly ever has: characters of UTF-8, or the first byte of one."""
_OF_UTF_8 = re.compile(rb"\xc3(?![A-Z])|\xe2\x80")
"""The beginnings of accented letters and of typographic marks in UTF-8."""

_NO_CHARSETS = frozenset(("unicode-escape", "raw-unicode-escape", "punycode", "idna", "utf-7", "undefined"))
"""Python's encodings of text that are no character sets of files."""


def charset(name: str) -> str:
    """Python's name of a character set, '' of an unknown one."""
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    return found.name if found._is_text_encoding and found.name not in _NO_CHARSETS else ""


def decode(data: bytes, name: str, progress: Progress = SILENT, stated: str = "") -> str:
    """The text of a file; arguments and errors as of :func:`decoded`."""
    return "".join(decoded(data, name, progress, stated))


def decoded(data: bytes, name: str, progress: Progress = SILENT, stated: str = "") -> Iterator[str]:
    """The text of a file in parts, without byte order mark and NUL characters.

    stated: the encoding where it is known, and the file has no byte order mark that says otherwise

    Raises:
        InputError: the bytes are not text.
    """
    encoding, errors = _encoding_of(data, name, progress, stated)
    parts = _mixed(data, encoding, progress) if errors == _MIXED else _in_parts(data, encoding, errors, progress)
    if data.startswith(tuple(mark for mark, _ in _MARKS)):
        yield next(parts, "").lstrip("\ufeff")
    yield from parts


def _encoding_of(data: bytes, name: str, progress: Progress, stated: str) -> tuple[str, str]:
    """The encoding of bytes, and what becomes of those that are not of it, in Python's words."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, "replace"  # a damaged code unit costs one character, not the file
    if stated:
        return stated, "replace"
    sample = data[:_SAMPLE]
    if (encoding_16 := _utf_16(sample)) is not None:
        return encoding_16, "replace"
    if _is_binary(sample):
        raise InputError(
            "{name} is neither text nor a workbook. Export the reports as CSV or Excel (.xlsx, "
            ".xls), or give a folder of text files with a manifest.",
            name=name,
        )
    alone = several = 0
    for part in _in_parts(data, "utf-8", "surrogateescape", progress):
        if not part.isascii():
            lone = len(_LONE_BYTE.findall(part))
            alone, several = alone + lone, several + len(_NOT_ASCII.findall(part)) - lone
    if not alone:
        return "utf-8", "strict"
    if several > 4 * alone:
        return "utf-8", _MIXED
    return max(_SINGLE_BYTE, key=lambda e: _plausibility(data, e)), _MIXED


_LINES = 5000
_MIXED = "mixed"
"""In place of what becomes of bytes that are not of an encoding: lines may be in another."""


def _in_parts(data: bytes, encoding: str, errors: str, progress: Progress) -> Iterator[str]:
    """The text without NUL characters, decoded in parts to allow cancellation and let other threads run."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for start in range(0, len(data), _PART):
        progress.raise_if_cancelled()
        yield decoder.decode(data[start : start + _PART], start + _PART >= len(data)).replace("\0", "")


def _mixed(data: bytes, encoding: str, progress: Progress) -> Iterator[str]:
    """The same of a file most of which is in an encoding, and lines of which may be in another: UTF-8 and others."""
    start = 0
    while start < len(data):
        progress.raise_if_cancelled()
        end = data.find(b"\n", start + _PART) + 1 or len(data)
        part = data[start:end].replace(b"\0", b"")
        start = end
        if encoding != "utf-8" and not _ODD.search(part):
            yield part.decode(encoding, "replace")
        elif encoding == "utf-8" and is_utf_8(part):
            yield part.decode()
        else:
            lines = part.splitlines(keepends=True)
            for i in range(0, len(lines), _LINES):
                progress.raise_if_cancelled()
                yield "".join(_line(line, encoding) for line in lines[i : i + _LINES])


def _line(line: bytes, encoding: str) -> str:
    """A line of such a file: in UTF-8, damaged or not, where it looks like that, otherwise in the other encoding."""
    if is_utf_8(line):
        return line.decode()
    if _OF_UTF_8.search(line):
        return line.decode(errors="replace")
    return line.decode("cp1252" if encoding == "utf-8" else encoding, "replace")


def _utf_16(sample: bytes) -> str | None:
    """The byte order of UTF-16 without a mark, None for other encodings: in Western text every other byte is NUL."""
    half = len(sample) // 2
    if half < 2:
        return None
    even, odd = sample[0 : 2 * half : 2].count(0), sample[1 : 2 * half : 2].count(0)
    if odd > 0.4 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _is_binary(sample: bytes) -> bool:
    if sample.startswith((b"%PDF", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"SQLite format")):
        return True
    control = sum(sample.count(c) for c in range(32) if c not in (0, 9, 10, 11, 12, 13, 26, 27))
    return control > 0.02 * len(sample) or sample.count(0) > 0.2 * len(sample)


def _plausibility(data: bytes, encoding: str) -> float:
    """The number of high bytes that become usual characters, minus those that become unusual ones; without UTF-8."""
    score = 0.0
    for n, match in enumerate(_HIGH.finditer(data)):
        if n == _CONTEXTS:
            break
        if not is_utf_8(match.group()):
            score += _sense(match.group().decode(encoding, errors="replace"), *_around(match))
    return score


def is_utf_8(written: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        written.decode()
    except UnicodeDecodeError:
        return False
    return True


def _around(run: re.Match[bytes]) -> tuple[str, str]:
    """The characters of ASCII before and behind a run of others; blanks where the text begins and ends."""
    whole, (start, end) = run.string, run.span()
    return chr(whole[start - 1]) if start else " ", chr(whole[end]) if end < len(whole) else " "


@lru_cache(1 << 14)
def _sense(run: str, before: str, after: str) -> float:
    """How usual the characters of a run are between two others, each of them as :func:`_fits`."""
    whole = f"{before}{run}{after}"
    return sum(_fits(whole[i - 1], whole[i], whole[i + 1]) for i in range(1, len(whole) - 1))


def _fits(left: str, char: str, right: str) -> float:
    inside = left.isalpha() and right.isalpha()
    if char in _LETTERS:
        if left.islower() and char.isupper():
            return -1.0
        return 1.0 if left.isalpha() or right.isalpha() else -0.5
    if char in _PUNCTUATION:
        return 1.0 if not inside or char == "\u2019" else -1.0
    if unicodedata.category(char) in ("Cc", "Cn") or char == "\ufffd":
        return -2.0
    return -1.0
