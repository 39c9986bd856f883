"""Cells of text in files of separated values, guarded so that no spreadsheet takes one for a formula.

A spreadsheet that opens a CSV file computes every cell that begins with "=", "+", "-" or "@", whoever wrote its text.
An apostrophe in front keeps it text.  RadCal's readers take that apostrophe off again; one that was in the text stays,
because a text that begins as a guarded one gets one more.
"""

from __future__ import annotations

import re

_BEGINS = r"(?:^|(?<=[;\t\r\n]))"
# In full width, too; behind blanks of any kind, which spreadsheets pass over.
_FORMULA = "(?='*(?:[^\\S;\t\r\n]|[\0\ufeff])*[=+\\-@\uff1d\uff0b\uff0d\uff20])"
_BREAK = "^{}(?='*[\t\r\n])"
_TO_GUARD = re.compile(f"{_BEGINS}{_FORMULA}|{_BREAK.format('')}")
_TO_FREE = re.compile(f"{_BEGINS}'{_FORMULA}|{_BREAK.format(chr(39))}")


def guarded(text: str) -> str:
    """The text as a cell: with an apostrophe in front where a spreadsheet would treat it as a formula.

    That is the beginning of the text, and also what follows a semicolon, a tab or a line's end in it, because
    spreadsheets of many countries split a file of commas at these.
    """
    return _TO_GUARD.sub("'", text)


def freed(cell: str) -> str:
    """The inverse of :func:`guarded`; text without a guard is unchanged."""
    return _TO_FREE.sub("", cell)
