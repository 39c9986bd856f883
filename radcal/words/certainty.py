"""Certainty as people write it: words, numbers and Beta distributions; and whether something was right."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.phrases import Lexicon, central_half, point
from radcal.words.records import Phrase
from radcal.words.speech import BETA

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORDS = tomllib.loads(resource("hedges", "abstaining.toml").read_text(encoding="utf-8"))["words"]
TRUTH: Mapping[str, bool] = {
    **dict.fromkeys(_WORDS["true"].split(), True),
    **dict.fromkeys(_WORDS["false"].split(), False),
}
"""How people write true and false, in lower case.  Without "w", which is short for "wahr" as for "wrong"."""
_NUMBER = r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[-+]?\d+)?"
_ABOUT = r"(?:(?:[~\u2248\u223c]|(?:ca|approx)\b\.?|(?:about|around|approximately|roughly|circa|etwa|rund)\b)\s*)?"
_BARE = re.compile(rf"{_ABOUT}({_NUMBER})", re.IGNORECASE)
_PERCENT = re.compile(rf"{_ABOUT}({_NUMBER})\s*(?:%|percent|per cent)", re.IGNORECASE)
_POINTED = _NUMBER.replace("[.,]", r"\.")
_BETA = re.compile(
    rf"beta\s*\(\s*(?:(?:a|alpha|\u03b1)\s*=\s*)?({_POINTED})\s*[,;]\s*(?:(?:b|beta|\u03b2)\s*=\s*)?({_POINTED})\s*\)",
    re.IGNORECASE,
)
_LIKE_BETA = re.compile(r"beta\b", re.IGNORECASE)
_FEWEST_IN_PERCENT = 3
"""Numbers above 1 of one author, below which nothing shows that they are percentages."""
_MOST_RATED = 10
"""The largest number of the usual scales of rating."""


class Fault(NamedTuple):
    """Why a value cannot be used, and what would help."""

    reason: Text
    remedy: Text


class Said(NamedTuple):
    """A certainty as read.

    phrase: its name, or the words verbatim where they are in no list
    meaning: of a number, a Beta, or a phrase that the first list lacks; None for other words
    number: as written, where no sign says whether it is a percentage; then there is no phrase yet
    """

    phrase: str
    meaning: Phrase | None = None
    number: float | None = None


_NO_CONFIDENCE = Fault(
    Text("The confidence is missing."), Text("Enter a phrase, a probability from 0 to 1, or Beta(a, b).")
)
_NO_CERTAINTY = Fault(
    Text("The confidence is neither a phrase nor a number nor a Beta distribution."),
    Text("Enter a phrase, a probability from 0 to 1, or Beta(a, b)."),
)
_NO_BETA = Fault(
    Text("The Beta distribution has no two numbers of at least 0, one of them above 0."),
    Text("Write it as in Beta(3, 1.5)."),
)
_OUTSIDE = Fault(Text("The confidence is outside 0 to 1."), Text("Enter a probability from 0 to 1, or 0 % to 100 %."))


def certainty(value: Any, lists: Sequence[Lexicon]) -> Said | Fault:
    """What a certainty says: a phrase, a number in 0-1 or with a sign of percent, also "about" so much, or Beta(a, b).

    Args:
        value: text, a number, or a mapping of alpha and beta (a and b).
        lists: of phrases; the first that knows words counts.  Where a list knows them as a synonym of a phrase that an
            earlier one has, they mean what that one says.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return _NO_CONFIDENCE
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Said("", number=float(value)) if math.isfinite(value) else _NO_CERTAINTY
    if isinstance(value, Mapping):
        parts = {str(name).casefold(): v for name, v in value.items()}
        return _beta(parts.get("alpha", parts.get("a")), parts.get("beta", parts.get("b")))
    if not isinstance(value, str):
        return _NO_CERTAINTY
    text = " ".join(value.split())
    if (bare := _BARE.fullmatch(text)) is not None:
        return Said("", number=_float(bare[1]))
    if (percent := _PERCENT.fullmatch(text)) is not None:
        return share(_float(percent[1]) / 100)
    if (pair := _BETA.fullmatch(text)) is not None:
        return _beta(float(pair[1]), float(pair[2]))
    if (known := next(filter(None, (words.find(text) for words in lists)), None)) is not None:
        # its name may be known to an earlier list, which then says what it means
        meant = next(filter(None, (words.find(known.name) for words in lists)), known)
        return Said(meant.name, None if meant in lists[0].phrases else replace(meant, synonyms=()))
    return _NO_BETA if _LIKE_BETA.match(text) else Said(text)


def in_percent(above: int, every: int) -> bool:
    """Whether an author's bare numbers other than 0 are percentages: most, and a few at least, are above 1.

    Args:
        above: numbers above 1 and at most 100;  every: all but 0, which is alike either way.
    """
    return above >= _FEWEST_IN_PERCENT and 2 * above > every


def unit_of(numbers: NDArray[np.float64]) -> Literal["percent", "fraction"] | None:
    """What an author's bare numbers are, where nobody says so: None if they may be ratings, or either.

    They are percentages where some are above 1, up to 100, none is between 0 and 1, and the largest is above 10; and,
    where some are 1, as of :func:`in_percent`.
    """
    usual = numbers[(numbers > 0) & (numbers <= 100)]
    if not (above := int((usual > 1).sum())):
        return "fraction"
    told = usual.max() > _MOST_RATED and usual.min() >= 1 and (1 not in usual or in_percent(above, len(usual)))
    return "percent" if told else None


def _float(text: str) -> float:
    return float(text.replace(",", "."))


def share(number: float) -> Said | Fault:
    """A number in 0-1 as a phrase; a fault outside."""
    if not 0 <= number <= 1:
        return _OUTSIDE
    name = format(abs(number), ".12g")
    return Said(name, point(name, float(name)))


def _beta(alpha: Any, beta: Any) -> Said | Fault:
    numbers = [isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in (alpha, beta)]
    if not all(numbers) or min(alpha, beta) < 0 or not alpha + beta > 0:
        return _NO_BETA
    name = f"{BETA}{alpha:.12g}, {beta:.12g})"
    return Said(name, Phrase(name, float(alpha), float(beta), *central_half(float(alpha), float(beta))))
