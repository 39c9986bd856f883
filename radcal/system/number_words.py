"""Numbers below a hundred in English and German words."""

from __future__ import annotations

from typing import Final

ENGLISH_ONES: Final = (
    *"zero one two three four five six seven eight nine ten eleven twelve".split(),  # noqa: SIM905
    *"thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),  # noqa: SIM905
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
GERMAN_ONES: Final = (
    *"null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(),  # noqa: SIM905
    *"dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(),  # noqa: SIM905
)
_ZIG: Final = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()  # noqa: SIM905
_ODD: Final = {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth"}
_ODD_GERMAN: Final = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}


def english(n: int) -> str:
    """Return a number below 100 in English, as in "twenty-one"."""
    if n < 20:
        return ENGLISH_ONES[n]
    return _TENS[n // 10 - 2] + (f"-{ENGLISH_ONES[n % 10]}" if n % 10 else "")


def english_ordinal(n: int) -> str:
    """Return an ordinal from 1 to 99 in English, as in "twenty-first"."""
    if n < 20:
        return _ODD.get(n, f"{english(n)}th")
    tens = _TENS[n // 10 - 2]
    return f"{tens}-{english_ordinal(n % 10)}" if n % 10 else f"{tens[:-1]}ieth"


def german(n: int) -> str:
    """Return a number below 100 in German, as in "einundzwanzig"."""
    if n < 20:
        return GERMAN_ONES[n]
    return (f"{GERMAN_ONES[n % 10]}und" if n % 10 else "") + _ZIG[n // 10 - 2]


def german_ordinal(n: int) -> str:
    """Return an ordinal from 1 to 99 in German without its ending, as in "einundzwanzigst"."""
    return _ODD_GERMAN.get(n, german(n) + "t") if n < 20 else german(n) + "st"
