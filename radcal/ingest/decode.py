"""Bytes in an unknown encoding to text.

Unicode is recognised by its byte order mark, by its NUL bytes (UTF-16) or by being valid UTF-8.  Anything else is
taken for a single-byte encoding of Western Europe: the one in which the high bytes become accented letters inside words
or typographic marks outside of them.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator

from radcal.errors import InputError
from radcal.progress import SILENT, Progress

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
_CP1252 = "".join(bytes([byte]).decode("cp1252", errors="ignore") or chr(byte) for byte in range(256))
"""Windows-1252 by byte; its five undefined bytes are control characters as in Latin-1."""
_AS_CP1252 = "radcal-cp1252"
"""What becomes of bytes that are not of an encoding: what they are in Windows-1252."""

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
        Cancelled: by ``progress``.
    """
    encoding, errors = _encoding_of(data, name, progress, stated)
    parts = _in_parts(data, encoding, errors, progress)
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
    if not alone or several > 4 * alone:  # UTF-8, perhaps with a few bytes in another encoding
        return "utf-8", _AS_CP1252
    return max(_SINGLE_BYTE, key=lambda e: _plausibility(data, e)), _AS_CP1252


def _in_parts(data: bytes, encoding: str, errors: str, progress: Progress) -> Iterator[str]:
    """The text without NUL characters, decoded in parts to allow cancellation and let other threads run."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for start in range(0, len(data), _PART):
        progress.raise_if_cancelled()
        yield decoder.decode(data[start : start + _PART], start + _PART >= len(data)).replace("\0", "")


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(_CP1252[byte] for byte in error.object[error.start : error.end]), error.end


codecs.register_error(_AS_CP1252, _as_cp1252)


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
    """The number of high bytes that become usual characters, minus those that become unusual ones."""
    score = 0.0
    for n, match in enumerate(re.finditer(rb"[\x80-\xff]+", data)):
        if n == _CONTEXTS:
            break
        start, end = match.span()
        run = match.group().decode(encoding, errors="replace")
        before = chr(data[start - 1]) if start else " "
        after = chr(data[end]) if end < len(data) else " "
        for i, char in enumerate(run):
            left = run[i - 1] if i else before
            right = run[i + 1] if i + 1 < len(run) else after
            score += _fits(left, char, right)
    return score


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
