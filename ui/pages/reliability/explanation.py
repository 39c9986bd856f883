"""Explains a group's figures in plain words with its own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.reliability.groups import hedged_uses
from ui.pages.reliability.sentences import tested
from ui.sentences import asked
from ui.words import counted, decimal, decimal_interval, percent, percent_range, quoted, rate, say, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radcal.reliability.records import PhraseRate, Reliability
    from radcal.words.records import Phrase


def explain(
    r: Reliability, meanings: Mapping[str, Phrase], min_group_n: int, min_phrase_n: int
) -> tuple[tuple[str, str], ...]:
    """Headings with text: verdicts, the distance, its value by chance and source, what words mean, how many suffice."""
    made = [(say("What a verdict says"), _verdict())]
    if r.word_error is not None:
        made.append((say("What the word error is"), _distance(r)))
        made.append((say("What luck gives"), _luck(r)))
        if (most := _most(r)) is not None:
            made.append((say("Where most of it comes from"), _source(most, meanings)))
    if r.slope is not None:
        made.append((say("What slope and intercept say"), _spread()))
    if r.ece is not None:
        made.append((say("What ECE is"), _ece()))
    if answers := _answers(r, meanings):
        made.append((say("Who said what the words mean"), answers))
    made.append((say("What is enough"), _enough(r, min_group_n, min_phrase_n)))
    return tuple(made)


def _verdict() -> str:
    return say(
        "A verdict is given where it is 95 % sure or more: that the true rate lies in the range that readers take the "
        "word to mean, below it, or above it. The true rate is estimated from the findings behind the word and from "
        "how far words usually stray in this department: few findings are drawn towards what is usual, many speak for "
        "themselves."
    )


def _distance(r: Reliability) -> str:
    return say(
        "Each hedged word stands for a share of findings that are present, on average over those who were asked. CT "
        "showed how large that share was. The word error is the distance between the two, averaged over all {n} "
        "hedged findings: {error}, which is {points} percentage points. Plain \u201cpresent\u201d and "
        "\u201cabsent\u201d are judged by their own rates.",
        n=whole(hedged_uses(r.phrases)),
        error=decimal_interval(r.word_error or 0.0, r.word_error_low, r.word_error_high),
        points=whole(round(100 * (r.word_error or 0.0))),
    )


def _luck(r: Reliability) -> str:
    if r.luck_word_mean is None or r.luck_word_p95 is None:
        return say("What luck gives was not worked out for these findings.")
    text = say(
        "Hardly anybody reaches 0. If every word held exactly, the same words would still show {mean} on average and "
        "up to {high} in 95 of 100 cases, because findings are few and each is either there or not.",
        mean=decimal(r.luck_word_mean),
        high=decimal(r.luck_word_p95),
    )
    return f"{text} {tested(r)}".strip()


def _spread() -> str:
    return say(
        "The slope compares how far apart the words are with how far apart CT found them, as log odds: 1 is the"
        " same, less than 1 says that strong words were too strong and weak ones too weak, more than 1 that all"
        " words were too cautious. The intercept is what CT confirmed beyond that, more (above 0) or less (below 0),"
        " whichever word was said."
    )


def _ece() -> str:
    return say(
        "ECE spreads each finding over all that readers may take its word to mean, and compares there. Broad words "
        "alone make it larger than 0 (width of the words), and so do few findings (chance); what is left is the rest, "
        "which may be below 0. ECE* leaves plain statements out. Both are given to compare with published figures; "
        "the word error is the one to go by."
    )


def _answers(r: Reliability, meanings: Mapping[str, Phrase]) -> str:
    said = (meanings.get(p.phrase) for p in r.phrases if p.n > 0)
    return "\n".join(asked(phrase) for phrase in said if phrase is not None and phrase.answers)


def _most(r: Reliability) -> PhraseRate | None:
    """The hedge contributing most to the distance: its uses times |rate - meaning|."""
    hedges = [p for p in r.phrases if p.n > 0 and 0.0 < p.mean < 1.0]
    return max(hedges, key=lambda p: p.n * abs(p.rate - p.mean), default=None)


def _source(p: PhraseRate, meanings: Mapping[str, Phrase]) -> str:
    phrase = meanings.get(p.phrase)
    return say(
        "{phrase} was {said}. Readers take it as {mean} on average ({range}); CT confirmed {rate}. Its uses times the "
        "distance between the two come to more than for any other hedge.",
        phrase=quoted(p.phrase),
        said=counted(p.n, "said {n} time", "said {n} times"),
        mean=percent(p.mean),
        range=percent_range(phrase.low, phrase.high) if phrase else percent(p.mean),
        rate=rate(p.rate, p.low, p.high),
    )


def _enough(r: Reliability, min_group_n: int, min_phrase_n: int) -> str:
    text = say(
        "A curve needs {group} findings, {phrase} of them hedged, and advice on a word needs {phrase} uses of it: "
        "fewer would show little but chance. Here there are {n}, {hedged} of them hedged.",
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
