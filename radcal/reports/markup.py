"""Text of HTML and rich text (RTF), as far as a report needs it: words and line breaks.

Nothing is rendered, carried out or fetched: scripts, styles and pictures are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from itertools import groupby
from operator import itemgetter

from radcal.system.resources import word_lists

_ELEMENTS = word_lists("reading", "html.toml")
_CELLS = frozenset(("td", "th"))
_BLANKS = re.compile(r"[ \t]+")
_SPACES = re.compile(r"[ \t\n\r\f\v]+")
_AROUND_BREAK = re.compile(r"[ \t\xa0]*\n[ \t\xa0]*")
_MANY_BREAKS = re.compile(r"\n{3,}")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_AS_WRITTEN = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)


def html_text(html: str) -> str:
    """The text of a page or a part of one, with line breaks at blocks, rows and ``<br>``.

    White space is joined as a browser does, but for preformatted text and for a text without any block or ``<br>``,
    whose line breaks were meant.
    """
    reader = _Reader()
    reader.feed(_with_ends(html))
    reader.close()
    return reader.text()


_OPEN_TAG = re.compile(r"<(?=[^<>]*(?:<|\Z))")
_UNKNOWN_SECTION = re.compile(r"<!\[(?!CDATA\[|(?:if|else|endif)\b)", re.IGNORECASE)
"""What the parser takes for an error; Word's conditions are none."""
_MOST_OPEN = 50
"""Tags without an end that the parser is left to deal with."""


def _with_ends(html: str) -> str:
    """A page without what would send the parser to its end again and again, looking for the end of a tag or comment.

    A comment that does not end is text, and so are tags that do not, where there are many of them: a few may hold a
    sign "<" in an attribute.
    """
    end = html.rfind("-->") + 1
    html = html[:end] + html[end:].replace("<!--", "&lt;!--")
    html = _UNKNOWN_SECTION.sub("&lt;![", html)
    return _OPEN_TAG.sub("&lt;", html) if len(_OPEN_TAG.findall(html)) > _MOST_OPEN else html


class _Reader(HTMLParser):
    """Collects the text of a page; ``_open`` holds each open element: name, whether left out, whether as written."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[tuple[str, bool]] = []
        self._open: list[tuple[str, bool, bool]] = []
        self._has_breaks = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._now()[0]:
            self._break(tag)
        if tag in _ELEMENTS["empty"]:
            return
        about = dict(attrs)
        style = about.get("style") or ""
        left_out = (
            self._now()[0] or tag in _ELEMENTS["left_out"] or "hidden" in about or _HIDDEN.search(style) is not None
        )
        written = self._now()[1] or tag == "pre" or _AS_WRITTEN.search(style) is not None
        self._open.append((tag, left_out, written))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._now()[0]:
            self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _ELEMENTS["empty"]:
            return
        # Of wrongly nested elements those within are closed, too; a stray end closes nothing.
        depth = next((i for i in range(len(self._open) - 1, max(len(self._open) - 100, 0) - 1, -1)
                      if self._open[i][0] == tag), None)  # fmt: skip
        if depth is not None:
            del self._open[depth:]
        if not self._now()[0]:
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._now()[0]:
            self._parts.append((data, self._now()[1]))

    def unknown_decl(self, data: str) -> None:
        if data.startswith("CDATA["):
            self.handle_data(data[len("CDATA[") :])

    def text(self) -> str:
        """What was collected."""
        flow = _SPACES if self._has_breaks else _BLANKS
        joined = [
            _uniform("".join(data for data, _ in parts)) if written else flow.sub(" ", "".join(d for d, _ in parts))
            for written, parts in groupby(self._parts, itemgetter(1))
        ]
        return _tidied("".join(joined))

    def _break(self, tag: str) -> None:
        if tag == "br" or tag in _ELEMENTS["blocks"]:
            self._has_breaks = self._has_breaks or tag not in ("html", "body")
            if tag == "br":
                self._parts.append(("\n", True))
            elif tag in _ELEMENTS["apart"]:
                self._parts.append(("\1", True))
            else:
                self._parts.append(("\0", True))
        elif tag in _CELLS:
            self._parts.append((" ", False))

    def _now(self) -> tuple[bool, bool]:
        """Whether what stands here is left out, and whether it is read as it is written."""
        return self._open[-1][1:] if self._open else (False, False)


_BORDERS = re.compile(r"[ \t\xa0]*[\0\1][\0\1 \t\xa0]*(?:\n[ \t\xa0]*(?:[\0\1][\0\1 \t\xa0]*)?)?")


def _tidied(text: str) -> str:
    """Text in which borders of blocks (0) are a line break, of blocks set apart (1) a blank line; no line is indented.

    A ``<br>`` at a border of blocks adds nothing to it.
    """
    text = _BORDERS.sub(lambda m: "\n\n" if "\1" in m.group() else "\n", text)
    return _MANY_BREAKS.sub("\n\n", _AROUND_BREAK.sub("\n", text)).replace("\xa0", " ").strip()


def is_rtf(data: bytes) -> bool:
    """Whether bytes are rich text."""
    return data[:200].lstrip().startswith(b"{\\rtf")


_RTF_LEFT_OUT = re.compile(r"\\(?:fonttbl|fldinst)(?![a-z])", re.IGNORECASE)
"""Destinations in which the library looks for fonts and links in time that grows with the square of their length."""
_RTF_CELL = re.compile(r"\\(?:nest)?cell(?![a-z])")
_RTF_SIGNS = str.maketrans({"\u2002": " ", "\u2003": " ", "\u2005": " ", "\u2011": "-", "\xad": None})
_BEYOND_ASCII = re.compile("[\x80-\xff]")


def rtf_text(data: bytes) -> str:
    """The text of rich text: paragraphs as lines, without pictures, lists of fonts, headers and footers.

    Raises:
        ValueError: it is damaged.
    """
    from striprtf.striprtf import remove_pict_groups, rtf_to_text

    # Numbers without digits, or beyond all characters, raise whatever they meet.
    try:
        text: str = remove_pict_groups(data.decode("latin-1"))  # type: ignore[no-untyped-call]
        text = _BEYOND_ASCII.sub(lambda m: f"\\'{ord(m.group()):02x}", text)
        text = _RTF_CELL.sub(r"\\tab", _RTF_LEFT_OUT.sub(r"\\colortbl", text))
        text = rtf_to_text(text, errors="replace")  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, LookupError, OverflowError) as error:
        raise ValueError("damaged rich text") from error
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves of characters are joined
    return _MANY_BREAKS.sub("\n\n", _AROUND_BREAK.sub("\n", text)).translate(_RTF_SIGNS).strip()


_ESCAPED_BREAK = re.compile(r"(?:\\r\\n|\\n|\\r(?![a-z])) ?")
_BREAK_BEFORE_TEXT = re.compile(r"(?:\\r)?\\n(?: |(?=[^a-z]|\Z))")


def with_breaks(text: str) -> str:
    r"""Text in which line breaks that were written as the characters ``\n`` are line breaks.

    In a text with other line breaks, only those that no small letter follows are taken for such.
    """
    if "\\" not in text:
        return text
    return (_BREAK_BEFORE_TEXT if "\n" in text.strip() else _ESCAPED_BREAK).sub("\n", text)


_TAGS = re.compile(r"<br\s*/?>|</(?:p|div|span|b|i|u|strong|em|font|td|tr|li|pre|body|html)\s*>", re.IGNORECASE)


def written_text(text: str) -> str:
    """Text of a field that should hold plain text: clean, with its line breaks, and without tags if it has some."""
    text = clean_text(text)
    return html_text(text) if _TAGS.search(text) else with_breaks(text).strip()


_HEAD, _LONGEST_MARKED_UP = 200, 6 << 20
_UNICODE = re.compile("[\x80-\uffff]")


def plain_text(text: str) -> str:
    """Text of a field that should hold plain text: without the markup of a page or of rich text, if it has some.

    Raises:
        ValueError: it is damaged rich text.
    """
    if len(text) > _LONGEST_MARKED_UP:
        return text
    if is_rtf(text[:_HEAD].encode(errors="replace")):
        numbered = _UNICODE.sub(lambda m: f"\\u{ord(m.group())}?", text)
        return clean_text(rtf_text(numbered.encode("ascii", errors="replace"))).strip()
    return html_text(clean_text(text)) if _TAGS.search(text) else text


_WORDS = re.compile(r"\w+")
_UNWANTED = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufeff]")
_LONE = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Text with uniform line breaks, without control characters; halves of characters become U+FFFD."""
    return _LONE.sub("\ufffd", _UNWANTED.sub("", _uniform(text)))


def _uniform(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")


def one_line(text: str) -> str:
    """A clean text as one line, for a cell such as a name or number."""
    return " ".join(clean_text(text).split())


def words_of(text: str) -> str:
    """The words of a text in small letters, with a space between two, to compare it with another."""
    return " ".join(_WORDS.findall(text.casefold()))


def joined(parts: Iterable[str]) -> str:
    """Different parts that are not empty, each as one line, separated by semicolons: names or numbers in a cell."""
    kept = (one_line(part.replace(";", ",")) for part in parts)
    return "; ".join(dict.fromkeys(part for part in kept if part))
