"""Explains a group's figures in plain words with its own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.lexicon.phrases import hedged_uses
from ui.words import counted, decimal, decimal_interval, percent_range, quoted, rate, say, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radcal.records import Phrase, PhraseRate, Reliability


def explain(
    r: Reliability, meanings: Mapping[str, Phrase], min_group_n: int, min_phrase_n: int
) -> tuple[tuple[str, str], ...]:
    """Headings with text: the distance, its value by chance, its source, and how many findings suffice."""
    made: list[tuple[str, str]] = []
    if r.ece is not None:
        made.append((say("What ECE is"), _distance(r)))
        made.append((say("What luck gives"), _luck(r)))
        if (most := _most(r)) is not None:
            made.append((say("Where most of it comes from"), _source(most, meanings)))
    made.append((say("What is enough"), _enough(r, min_group_n, min_phrase_n)))
    return tuple(made)


def _distance(r: Reliability) -> str:
    text = say(
        "Each finding is put where readers take its words to be, and CT says how often such findings were there. ECE is"
        " the average distance between the two over all {n} findings: {ece}, which is {points} percentage points.",
        n=whole(r.n),
        ece=decimal_interval(r.ece or 0.0, r.ece_low, r.ece_high),
        points=whole(round(100 * (r.ece or 0.0))),
    )
    if r.ece_star is not None:
        text += " " + say(
            "Over the hedged findings alone (ECE*) it is {star}: a plain \u201cpresent\u201d leaves luck no room.",
            star=decimal_interval(r.ece_star, r.ece_star_low, r.ece_star_high),
        )
    return text


def _luck(r: Reliability) -> str:
    star = r.ece_star is not None and r.luck_star_mean is not None
    mean, high, p = (
        (r.luck_star_mean, r.luck_star_p95, r.p_value_star) if star else (r.luck_mean, r.luck_p95, r.p_value)
    )
    if mean is None or high is None:
        return say("What luck gives was not worked out for these findings.")
    text = say(
        "Nobody reaches 0. If every word held exactly, the same words would still show {name} {mean} on average and"
        " up to {high} in 95 of 100 cases, because findings are few and each is there or is not.",
        name="ECE*" if star else "ECE",
        mean=decimal(mean),
        high=decimal(high),
    )
    value = r.ece_star if star else r.ece
    if value is not None and p is not None:
        shown = f"p = {decimal(p)}" if p >= 0.01 else f"p < {decimal(0.01)}"
        if value > high:
            text += " " + say("Here it is more than that, so the words themselves play a part ({p}).", p=shown)
        else:
            text += " " + say("Here it is not more than that, so it says nothing about the words ({p}).", p=shown)
    return text


def _most(r: Reliability) -> PhraseRate | None:
    """The hedge contributing most to the distance: its uses times |rate - meaning|."""
    hedges = [p for p in r.phrases if p.n > 0 and 0.0 < p.mean < 1.0]
    return max(hedges, key=lambda p: p.n * abs(p.rate - p.mean), default=None)


def _source(p: PhraseRate, meanings: Mapping[str, Phrase]) -> str:
    phrase = meanings.get(p.phrase)
    meaning = percent_range(phrase.low, phrase.high) if phrase else percent_range(p.mean, p.mean)
    return say(
        "{phrase} was said {n} times. Readers take it as {meaning}; CT confirmed {rate}. Its uses times the distance"
        " between the two are more than those of any other hedge.",
        phrase=quoted(p.phrase),
        n=whole(p.n),
        meaning=meaning,
        rate=rate(p.rate, p.low, p.high),
    )


def _enough(r: Reliability, min_group_n: int, min_phrase_n: int) -> str:
    text = say(
        "A curve needs {group} findings, {phrase} of them hedged, and advice on a word {phrase} uses of it: fewer would"
        " draw chance. Here are {n}, {hedged} of them hedged.",
        group=min_group_n,
        phrase=min_phrase_n,
        n=whole(r.n),
        hedged=whole(hedged_uses(r.phrases)),
    )
    if r.n < min_group_n:
        more = min_group_n - r.n
        text += " " + counted(
            more, "{n} more finding would be enough for a curve.", "{n} more findings would be enough for a curve."
        )
    return text
