"""The tables of words and of substitutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.kit.column import Column, count, estimated, measured
from ui.language import spoken
from ui.plots.figures import signed
from ui.plots.plan_flow import in_ten
from ui.sentences import judged_text, meaning_of
from ui.words import listed, quoted, rate, say, typographic

if TYPE_CHECKING:
    from ui.pages.advice.work import AdvisedWord


def word_columns() -> tuple[Column, ...]:
    """Of :class:`AdvisedWord`."""
    return (
        Column(say("word"), lambda w: w.rate.phrase, sort=lambda w: float(w.rate.mean), width=120),
        count(say("said"), lambda w: float(w.rate.n), width=48),
        estimated(
            say("confirmed, 95 %"),
            lambda w: (float(w.rate.rate), float(w.rate.low), float(w.rate.high)),
            rate,
            number=False,
            meaning=say("How often CT confirmed it, and where the true rate lies"),
            width=128,
        ),
        Column(
            say("meaning"),
            lambda w: meaning_of(w.phrase),
            sort=lambda w: float(w.phrase.low + w.phrase.high),
            meaning=say("What readers take the word to mean"),
            width=84,
        ),
        Column(say("say instead"), instead, sort=lambda w: ", ".join(name for name, _ in w.instead), width=140),
        measured(
            say("sure"),
            lambda w: w.sure,
            spoken().sure,
            say("How sure it is that the word advised is nearer to the true rate"),
            width=64,
        ),
        Column(say("note"), _note),
    )


def cost_columns() -> tuple[Column, ...]:
    """Of :class:`Substitution`."""
    return (
        Column(say("word"), lambda s: s.source, width=140),
        count(say("said"), lambda s: s.n, width=64),
        Column(say("said instead"), lambda s: s.target, width=140),
        Column(
            say("change of ECE per use"),
            lambda s: signed(s.cost, 3),
            True,
            export=lambda s: s.cost,
            sort=lambda s: s.cost,
            meaning=say("Below 0, the words come closer to CT; above 0, they move away from it"),
            width=160,
        ),
        Column(say("advised"), lambda s: in_ten(s.share) if s.share > 0 else ""),
    )


def _note(word: AdvisedWord) -> str:
    j = word.judged
    if j.pooled:
        return say("advised over all pathologies")
    if word.instead:
        return say("changed")
    if j.verdict == "matches":
        return judged_text(j, full=True)
    return typographic(j.why)


def instead(word: AdvisedWord) -> str:
    """The words to say instead, with their shares if they do not cover all cases."""
    if len(word.instead) == 1 and word.instead[0][1] >= 0.95:
        return quoted(word.instead[0][0])
    return listed([say("{word} in {share}", word=quoted(name), share=in_ten(share)) for name, share in word.instead])
