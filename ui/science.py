"""Sentences of the science in the window's language.

What RadCal finds, it says in English sentences: advice, reasons, what is wrong with a file.  The catalogues of
radcal.language have them in other languages, for the window and for the printed pages alike.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QLocale

from radcal import language as catalogues
from radcal.language.sentences import Number
from ui import language


def translated(text: str) -> str:
    """A text of the science in the window's language, numbers as they are written there; unknown texts unchanged."""
    code = language.spoken()
    return text if code == "en" else catalogues.translated(text, catalogues.language(code), _number(QLocale().name()))


@cache
def _number(locale: str) -> Number:
    """How a locale writes numbers, which can differ from its language's usual manner."""

    def number(value: float, decimals: int) -> str:
        return QLocale(locale).toString(value, "f", decimals)

    return number
