"""Protection of CSV cells against formula injection.

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
_TO_FREE = re.compile(f"{_BEGINS}'{_FORMULA}|{_BREAK.format(chr(39))}")


def guarded(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet would start a formula.

    That is at the start of the text and after each semicolon, tab or line break, because in many countries
    spreadsheets also split at these.
    """
    return _TO_GUARD.sub("'", text)


def freed(cell: str) -> str:
    """The inverse of :func:`guarded`; text without a guard is unchanged."""
    return _TO_FREE.sub("", cell)
