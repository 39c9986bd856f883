"""Text of HTML and rich text: every word of the report, no other, and line breaks where a reader sees them."""

from __future__ import annotations

import base64
import re
import sys
from contextlib import suppress
from html import escape
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from striprtf import striprtf

from radcal.reports.attachments import read_attachment
from radcal.reports.markup import clean_text, html_text, is_rtf, one_line, rtf_text, with_breaks
from radcal.reports.reasons import Flaw
from tests.cases import cases_of

cases = cases_of(__file__)

WORDS = st.lists(st.text("abcxyzéß<>&\"'", min_size=1, max_size=6), min_size=1, max_size=6).map(" ".join)


@cases("a_page_reads_as_it_looks")
def test_a_page_reads_as_it_looks(html: str, text: str) -> None:
    """Blocks, rows and breaks end lines; nothing hidden, struck out or carried out is text."""
    assert html_text(html) == text


@given(st.lists(WORDS, max_size=8))
def test_paragraphs_come_back(paragraphs: list[str]) -> None:
    """Whatever characters they are made of."""
    html = "".join(f"<p>{escape(words)}</p>" for words in paragraphs)
    assert html_text(html) == "\n\n".join(paragraphs)


@given(st.text("<>/!-[]CDATA&#;scriptpdv \n\0=\"'", max_size=200))
def test_any_characters_are_read(html: str) -> None:
    """Nothing that looks like a tag breaks the reader, and no mark of its own is left."""
    assert "\0" not in html_text(clean_text(html))


def test_nesting_is_no_recursion() -> None:
    """A hundred thousand open elements are read."""
    assert html_text("<div>" * 100_000 + "a" + "</div>" * 100_000) == "a"


def test_rich_text() -> None:
    """Paragraphs are lines; fonts, pictures and instructions are left out; characters are of the code page."""
    data = (
        rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}{\colortbl;\red0\green0\blue0;}{\*\generator Writer;}"
        rb"{\header Hospital}\pard\f0\b FINDINGS:\b0\par Kein Erg\'fcss, \u8805?5\~mm \{a\\b\}.\line Next"
        rb"\par {\pict\wmetafile8 0102}\emdash  end\u-10179?\u-8704?}"
    )
    assert is_rtf(data)
    assert rtf_text(data) == "FINDINGS:\nKein Ergüss, ≥5\xa0mm {a\\b}.\nNext\n\u2014 end\U0001f600"


@given(st.binary(max_size=200).map(lambda tail: b"{\\rtf1 " + tail))
def test_damaged_rich_text_is_read_or_refused(data: bytes) -> None:
    with suppress(ValueError):
        assert isinstance(rtf_text(data), str)


@cases("breaks_written_as_characters")
def test_breaks_written_as_characters(written: str, text: str) -> None:
    r"""The characters ``\n`` are a break, unless a text with true ones has them inside a word."""
    assert with_breaks(written) == text


def test_text_is_fit_to_be_stored() -> None:
    """Without control characters, NULs and halves of characters."""
    assert clean_text("a\r\nb\x00\x07\rc\ud800\tz\ufeff") == "a\nb\nc\ufffd\tz"
    assert one_line(" a\n b\t\u00a0c ") == "a b c"


_NEVER_CLOSED = (
    "<a ", "<a href='", "<a b=", "<!", "<", "</", "<?", "<![CDATA[", "<![x>", "<![if x", "<!--", "<!--x>", "<p><!x ",
    "&#",     "<a b='>", "</a b='>", "<script></x>", "<style><", "<a =>", "<div>",
)  # fmt: skip


@pytest.mark.parametrize("piece", _NEVER_CLOSED)
def test_pages_without_ends_take_time_in_proportion(piece: str) -> None:
    """Counted are the steps of the parser and the characters that it is given to look through."""

    def effort(n: int) -> int:
        made = 0

        def count(frame: FrameType, event: str, _arg: object) -> None:
            nonlocal made
            made += event == "call"
            if event == "call" and frame.f_code.co_name in ("parse_starttag", "parse_comment", "parse_marked_section"):
                rest = frame.f_locals["self"].rawdata
                made += len(rest) - frame.f_locals["i"] if rest.find(">", frame.f_locals["i"]) < 0 else 1

        sys.setprofile(count)
        try:
            html_text("<p>Clear.</p>" + piece * n)
        finally:
            sys.setprofile(None)
        return made

    assert effort(4000) < 2.5 * effort(2000) + 1000


def test_a_sign_of_comparison_in_an_attribute_is_no_tag() -> None:
    assert html_text('<p title="5 < 6">Clear.</p>') == "Clear."
    assert html_text("<p>Size < 5 mm<br>normal</p>") == "Size < 5 mm\nnormal"
    assert html_text("<p>Clear.</p><!-- not closed") == "Clear.\n\n<!-- not closed"
    assert html_text("<p><![if !supportLists]>1.<![endif]> Clear.</p><!-- x -->") == "1. Clear."


@pytest.mark.parametrize("destination", ["fonttbl", "FontTbl", "field{\\*\\fldinst", "FLDINST"])
def test_rich_text_takes_time_in_proportion(destination: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library looks for fonts and links again and again, so that it is given none."""
    given: list[str] = []
    monkeypatch.setattr(striprtf, "rtf_to_text", lambda text, **_: given.append(text) or "")
    rtf_text(b"{\\rtf1 {\\" + destination.encode() + b" \\f0 Arial;}Clear.}")
    assert not re.search(r"fonttbl|fldinst", given[0], re.IGNORECASE)


@pytest.mark.parametrize("damage", [rb"\u99999999?", rb"\uc x", rb"\pict\bin x", rb"\pict\bin" + b"9" * 5000])
def test_numbers_that_are_none_are_damage(damage: bytes) -> None:
    with pytest.raises(ValueError, match="damaged"):
        rtf_text(b"{\\rtf1 Clear. " + damage + b"}")
    enclosed = base64.b64encode(b"{\\rtf1 Clear. " + damage + b"}").decode()
    assert read_attachment(enclosed, "text/rtf").flaw is Flaw.DAMAGED


def test_rich_text_in_any_encoding() -> None:
    """Bytes beyond ASCII are of the code page, too; cells of a row are set apart."""
    assert rtf_text(b"{\\rtf1\\ansi Gr\xf6\xdfe\\cell 5\\~mm\\cell\\row}") == "Größe\t5\xa0mm"
    assert rtf_text(b"{\\rtf1\\ansicpg1251 \\'c6\\'d8 \xd9}") == "ЖШ Щ"
    assert rtf_text(b'{\\rtf1 {\\field{\\*\\fldinst HYPERLINK "http://a/b"}{\\fldrslt Clear.}}}') == "Clear."
