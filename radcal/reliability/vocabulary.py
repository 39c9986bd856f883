"""How often findings are worded within a scale of certainty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from radcal.system.intervals import wilson
from radcal.words.phrases import Lexicon
from radcal.words.records import ABSENT, PRESENT, Scale, VocabularyUse
from radcal.words.scales import Place, place

if TYPE_CHECKING:
    from datetime import date


def vocabulary_use(
    scale: Scale,
    wordings: Iterable[tuple[str, str, int]],
    lexicon: Lexicon,
    *,
    author: str = "",
    period: tuple[date, date] | tuple[None, None] = (None, None),
    confidence: float = 0.95,
) -> VocabularyUse:
    """How often findings were worded within a scale and outside of it.

    Args:
        scale: the vocabulary.
        wordings: (phrase, verbatim, n) of findings; plain statements, and words that mean one, are passed over.
        lexicon: which words are hedges, and for which phrases they stand.
        author, period: as in VocabularyUse.
        confidence: coverage of the Wilson intervals, as if every finding stood by itself.
    """
    plain = {p.name for p in lexicon.phrases if min(p.alpha, p.beta) == 0} | {ABSENT, PRESENT}
    counts: Counter[Place] = Counter()
    outside: Counter[str] = Counter()
    for phrase, verbatim, n in wordings:
        if phrase in plain:
            continue
        where, words = place(scale, verbatim, phrase, lexicon)
        counts[where] += n
        if where in ("outside", "avoided"):
            outside[words] += n
    total, avoided = counts.total(), counts["avoided"]
    out = counts["outside"] + avoided
    outside_low, outside_high = wilson(out / total if total else 0.0, total, confidence)
    avoided_low, avoided_high = wilson(avoided / total if total else 0.0, total, confidence)
    return VocabularyUse(
        scale=scale.name,
        author=author,
        n=total,
        within=counts["within"],
        established=counts["established"],
        outside=out,
        avoided=avoided,
        outside_low=outside_low,
        outside_high=outside_high,
        avoided_low=avoided_low,
        avoided_high=avoided_high,
        words=tuple(sorted(outside.items(), key=lambda item: (-item[1], item[0]))),
        start=period[0],
        end=period[1],
    )
