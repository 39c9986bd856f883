"""The text of what a message encloses: plain text, a page (HTML) or rich text (RTF), whatever it is said to be."""

from __future__ import annotations

import base64
import codecs
import re
from contextlib import suppress
from dataclasses import dataclass

from radcal.reports.decode import charset, decode, is_utf_8
from radcal.reports.markup import clean_text, html_text, is_rtf, rtf_text, written_text
from radcal.reports.reasons import Doubt, Flaw
from radcal.system.errors import InputError

BASE64, HEX, AS_IT_IS = "base64", "hex", ""
"""Ways in which an attachment is written."""
PLAIN, HTML, RTF = "plain", "html", "rtf"
_LONGEST = 6 << 20
"""Characters of the longest attachment that is read: no report with its markup is longer."""
_HEAD = 256
"""Characters from which the form of an attachment is told; a multiple of the four that base64 comes in."""
_PAGES = ("html", "xhtml")


@dataclass(frozen=True, slots=True)
class Attachment:
    """What was read of an attachment: what it was written in (PLAIN, HTML, RTF, '' if unknown), and its text.

    ``flaw``: why it has none;  ``doubt``: what is doubtful about its characters, or whether it is whole.
    """

    form: str = ""
    text: str = ""
    flaw: Flaw | None = None
    doubt: Doubt | None = None


def read_attachment(data: str, media_type: str, encoding: str = BASE64) -> Attachment:
    """The text of an attachment; nothing that it names is opened or fetched.

    Args:
        data: as it stands in the message.
        media_type: as stated, with its parameters; '' if not.  What the first bytes say counts more.
        encoding: BASE64, HEX, or AS_IT_IS.
    """
    name, _, parameters = media_type.lower().partition(";")
    try:
        head = _bytes("".join(data[: 2 * _HEAD].split())[:_HEAD] if encoding else data[:_HEAD], encoding)
    except ValueError:
        return Attachment(flaw=Flaw.DAMAGED)
    form = _form_of(head, name.strip())
    if not form:
        return Attachment(flaw=Flaw.DOCUMENT)
    if len(data) > _LONGEST:
        return Attachment(form, flaw=Flaw.TOO_LONG)
    try:
        raw = _bytes(data, encoding)
    except ValueError:
        return Attachment(flaw=Flaw.DAMAGED)
    if form == RTF:
        cut = Doubt.UNENDED if _breaks_off(form, raw.decode("latin-1")) else None
        try:
            return Attachment(form, clean_text(rtf_text(raw)).strip(), doubt=cut)
        except ValueError:
            return Attachment(form, flaw=Flaw.DAMAGED)
    try:
        text, doubt = _characters(raw, parameters) if encoding else (data, None)
    except InputError:
        return Attachment(flaw=Flaw.DOCUMENT)
    doubt = Doubt.UNENDED if _breaks_off(form, text) else doubt
    return Attachment(form, html_text(clean_text(text)) if form == HTML else written_text(text), doubt=doubt)


def _bytes(data: str, encoding: str) -> bytes:
    """The bytes that were encoded; base64 may lack its end, and may be that of addresses (RFC 4648, section 5).

    Raises:
        ValueError: it is not so encoded.
    """
    if encoding == HEX:
        return bytes.fromhex(data)
    if encoding == BASE64:
        joined = re.sub(r"[ \t\r\n]+", "", data).replace("-", "+").replace("_", "/").rstrip("=")
        return base64.b64decode(joined + "=" * (-len(joined) % 4), validate=True)
    return data.encode(errors="replace")


def _form_of(head: bytes, name: str) -> str:
    """PLAIN, HTML, RTF, or '' for no text, by the first bytes of an attachment and its media type."""
    plain = head.replace(b"\0", b"")
    start = plain.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    if is_rtf(start):
        return RTF
    if start.startswith(
        (b"%pdf", b"pk\x03\x04", b"\x89png", b"\xff\xd8\xff", b"\xd0\xcf\x11\xe0", b"ii*", b"mm\0*", b"gif8")
    ):
        return ""
    if start.startswith((b"<!doctype html", b"<html", b"<body", b"<div", b"<p>", b"<p ", b"<pre", b"<table", b"<span")):
        return HTML
    if name.endswith("html") or name.rpartition("/")[2] in _PAGES:
        return HTML
    if start.startswith(b"<?xml"):
        return HTML if b"html" in plain.lower() else ""
    if name.startswith(("image/", "audio/", "video/")) or name in ("application/pdf", "application/dicom"):
        return ""
    return "" if name.endswith(("/xml", "+xml", "msword")) else PLAIN


def _breaks_off(form: str, written: str) -> bool:
    """Whether rich text or a page ends within a group or an element that was begun, as one that was cut to a length."""
    if form == RTF:
        plain = _ESCAPED.sub("", written)
        return plain.count("{") > plain.count("}")
    low = written.lower()
    return form == HTML and (("<html" in low and "</html" not in low) or low.rfind("<") > low.rfind(">"))


_ESCAPED = re.compile(r"\\[\\{}]")


def _characters(raw: bytes, parameters: str) -> tuple[str, Doubt | None]:
    """Bytes as text, in the character set that a media type names if they are in that, and what is doubtful.

    Raises:
        InputError: they are no text.
    """
    stated = re.search(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", parameters)
    if stated:
        with suppress(LookupError, ValueError):
            return raw.decode(charset(stated.group(1)) or "unknown"), None
    text = decode(raw, "")
    guessed = not text.isascii() and not _is_unicode(raw)
    return text, Doubt.MISNAMED if stated and not text.isascii() else Doubt.GUESSED if guessed else None


def _is_unicode(raw: bytes) -> bool:
    """Whether bytes say themselves that they are Unicode: by a mark, by NUL bytes, or as valid UTF-8."""
    return raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in raw or is_utf_8(raw)
