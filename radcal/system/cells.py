"""Protection of CSV cells against formula injection, and of all exports against control characters.

Spreadsheets evaluate every CSV cell that starts with "=", "+", "-" or "@".  A leading apostrophe keeps it text, which
RadCal's readers remove again.  An apostrophe of the text itself survives, because such a text gets a second one.
"""

from __future__ import annotations

import re

_BEGINS = r"(?:^|(?<=[;\t\r\n]))"
# Full-width signs included, after blanks of any kind, which spreadsheets skip.
_FORMULA = "(?='*(?:[^\\S;\t\r\n]|[\0\ufeff])*[=+\\-@\uff1d\uff0b\uff0d\uff20])"
_BREAK = "^{}(?='*[\t\r\n])"
_TO_GUARD = re.compile(f"{_BEGINS}{_FORMULA}|{_BREAK.format('')}")
_CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TO_FREE = re.compile(f"{_BEGINS}'{_FORMULA}|{_BREAK.format(chr(39))}")


def printable(text: str) -> str:
    """The text with a blank in place of each control character other than tabs and line breaks.

    They come in with damaged files, and end texts, fields or messages in the programs that read what is exported.
    """
    return _CONTROLS.sub(" ", text)


def guarded(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet would start a formula, and as of :func:`printable`.

    That is at the start of the text and after each semicolon, tab or line break, because in many countries
    spreadsheets also split at these.
    """
    return _TO_GUARD.sub("'", printable(text))


def freed(cell: str) -> str:
    """The inverse of :func:`guarded`, but for control characters; text without a guard is unchanged."""
    return _TO_FREE.sub("", cell)
