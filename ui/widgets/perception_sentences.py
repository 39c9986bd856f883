"""What an audit of certainty words shows, in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from radcal.system.language.manners import NBSP
from ui.language import spoken
from ui.sentences import BUNDLED
from ui.words import counted, moment, percent, quoted, rate, say, typographic

if TYPE_CHECKING:
    from radcal.lab.perception import Agreement, Estimate, Perceived

_FEW, _MOST = 10, 5
"""Statements or participants below which an interval tells little; most rows left out that are named."""
HEADERS: dict[str, Callable[[], str]] = {
    "mae": lambda: say("points apart"),
    "pa": lambda: say("agreement"),
    "w1": lambda: say("distance"),
}
MEANINGS: dict[str, Callable[[], str]] = {
    "mae": lambda: say("Mean of the answers against the mean of the reference, in points, with its 95 % interval"),
    "pa": lambda: say("How many of the reference answer as these answers do, on average"),
    "w1": lambda: say("How many points the answers would have to move on average to be spread like the reference"),
}


def model_name(file: str) -> str:
    """A model by its file."""
    return say("the small Llama of RadCal") if file == BUNDLED else file


def reference_name(reference: str) -> str:
    """Whose answers are the reference."""
    names = {
        "radiologists": say("radiologists"),
        "public": say("the public"),
        "own answers": say("their own answers"),
    }
    return names.get(reference, reference)


def kept_name(kept: Perceived) -> str:
    """An audit in a list."""
    when = moment(datetime.fromisoformat(kept.when))
    who = model_name(kept.who) if kept.model_hash else kept.who
    said = say("{who}, against {reference}, {when}", who=who, reference=reference_name(kept.reference), when=when)
    return say("{audit}, two worked answers", audit=said) if kept.shots else said


def what_is_asked() -> str:
    """Before anything was asked."""
    return say(
        "Does a model read \u201clikely\u201d as radiologists mean it? Choose a model and ask, or choose a file of"
        " people\u2019s answers. A model is asked how sure a speaker is who answered with each word, and tells its"
        " chances of every number from 0 to 100."
    )


def estimate(found: Estimate, *, share: bool = False, unit: str = "") -> str:
    """A figure with its interval: a share in percent, or else a number with a unit."""
    if found.value is None:
        return say("not enough data")
    if share and found.low is not None and found.high is not None:
        return rate(found.value, found.low, found.high)
    if share:
        return percent(found.value)
    number = f"{spoken().number(found.value, 1)}{unit}"
    if found.low is None or found.high is None:
        return number
    low, high = (spoken().number(x, 1) for x in (found.low, found.high))
    return f"{number} ({low}\u2013{high})"


def points(found: Estimate) -> str:
    """A figure in points with its interval."""
    return estimate(found, unit=f"{NBSP}{say('points')}")


def farthest(kept: Perceived) -> Agreement | None:
    """The word that is read farthest from the reference, of those whose interval excludes the reference's mean."""
    apart = [
        a
        for a in kept.perception.expressions
        if a.mean.low is not None and a.mean.high is not None and not a.mean.low <= a.reference_mean <= a.mean.high
    ]
    return max(apart, key=lambda a: a.mae.value or 0.0, default=None)


def in_a_sentence(kept: Perceived) -> str:
    """The audit for somebody with no statistics."""
    perception = kept.perception
    word = farthest(kept)
    values = {
        "reads": say("This model reads") if kept.model_hash else say("These people read"),
        "reference": reference_name(kept.reference),
        "points": points(perception.overall.mae),
    }
    if word is None:
        return say(
            "{reads} certainty words {points} from what {reference} mean, on average; no word is shown to differ.",
            **values,
        )
    apart = sum(not _agrees(a) for a in perception.expressions)
    return say(
        "{reads} {word} as {read} where {reference} mean {meant} ({answers}). On average they are {points} apart;"
        " {apart} of {n} words differ.",
        **values,
        word=quoted(word.expression),
        read=percent((word.mean.value or 0.0) / 100),
        meant=percent(word.reference_mean / 100),
        answers=counted(word.reference_n, "{n} answer", "{n} answers"),
        apart=apart,
        n=len(perception.expressions),
    )


def _agrees(a: Agreement) -> bool:
    return a.mean.low is None or a.mean.high is None or a.mean.low <= a.reference_mean <= a.mean.high


def figures(kept: Perceived) -> str:
    """All figures in small print, and what limits them."""
    overall, bias = kept.perception.overall, kept.perception.knowledge_bias
    parts = [
        say(
            "Agreement {pa}, with the answer given most {mode}; distance {w1}.",
            pa=estimate(overall.pa, share=True),
            mode=estimate(overall.mode_pa, share=True),
            w1=points(overall.w1),
        )
    ]
    if bias.difference is not None and bias.p_value is not None:
        of = (
            counted(bias.n, "{n} pair", "{n} pairs") if kept.model_hash else counted(bias.n, "{n} person", "{n} people")
        )
        side = {
            "points": spoken().number(abs(bias.difference), 1),
            "of": of,
            "p": spoken().number(bias.p_value, 3),
        }
        parts.append(
            say("True statements are read {points} points higher than false ones ({of}, p = {p}).", **side)
            if bias.difference >= 0
            else say("True statements are read {points} points lower than false ones ({of}, p = {p}).", **side)
        )
    if kept.checks is not None:
        alone, (private, true, false, _) = kept.checks.greedy.private, kept.checks.beliefs
        parts.append(
            say(
                "By its likeliest number alone: agreement {pa}, distance {w1}.",
                pa=estimate(alone.pa, share=True),
                w1=points(alone.w1),
            )
        )
        parts.append(
            say(
                "Of itself it calls {true} of the true statements true, {false} of the false ones false, {private} of"
                " the private ones unknown.",
                true=estimate(true, share=True),
                false=estimate(false, share=True),
                private=estimate(private, share=True),
            )
        )
    if kept.model_hash:
        parts.append(
            say(
                "Asked about {n} private statements and {pairs} pairs of a true and a false one.",
                n=kept.statements,
                pairs=kept.pairs,
            )
        )
    if (kept.statements if kept.model_hash else overall.participants) < _FEW:
        parts.append(say("So few that the intervals are too narrow."))
    if kept.who == BUNDLED and kept.model_hash:
        parts.append(
            say(
                "It was trained to find words in reports, not to answer questions: these figures say nothing of how it"
                " reads reports."
            )
        )
    # What llama.cpp tells of a model and this machine is said on Extraction.
    notes = () if kept.model_hash else kept.notes[:_MOST]
    return " ".join([*parts, *map(typographic, notes)])
