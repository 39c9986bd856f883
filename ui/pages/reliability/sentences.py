"""The sentences beside the diagram: the figures in plain words, without judging."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.lexicon.phrases import hedged_uses
from ui.words import counted, decimal, decimal_interval, listed, quoted, rate, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Advice, Group, Reliability
    from ui.records import GroupView, Opened

_PLAIN = ("absent", "present")


def headline(view: GroupView, min_group_n: int) -> str:
    """The sentence under the page's title."""
    r, advice = view.reliability, view.advice
    if r.curve is None:
        return not_enough(r, min_group_n)
    if advice is not None and advice.summary:
        return typographic(advice.summary)
    return say("How often CT confirmed what the X-ray reports said, word by word.")


def not_enough(r: Reliability, min_group_n: int) -> str:
    """Why there is no curve, and how many findings suffice."""
    if r.n < min_group_n:
        return say("{found}; a curve needs {min}.", found=counted(r.n, "{n} finding", "{n} findings"), min=min_group_n)
    return typographic(r.reason)


def without_few_hedges(r: Reliability, min_phrase_n: float) -> Reliability:
    """The record without ECE* if there are too few hedged statements: resamples of one are identical."""
    if hedged_uses(r.phrases) >= min_phrase_n:
        return r
    return replace(
        r,
        ece_star=None,
        ece_star_low=None,
        ece_star_high=None,
        luck_star_mean=None,
        luck_star_p95=None,
        p_value_star=None,
    )


def calibration(r: Reliability) -> str:
    """The calibration error with interval and its value by chance; '' if not computed."""
    said_plainly = any(p.n > 0 and p.phrase in _PLAIN for p in r.phrases)
    if r.ece is None:
        return ""
    if said_plainly and r.ece_star is None:
        return say(
            "Hardly anything here was hedged. Plain \u201cpresent\u201d and \u201cabsent\u201d are judged by their"
            " own rates in the table."
        )
    name = "ECE*" if said_plainly else "ECE"
    value, low, high, luck_mean, luck_high, p = (
        (r.ece_star, r.ece_star_low, r.ece_star_high, r.luck_star_mean, r.luck_star_p95, r.p_value_star)
        if said_plainly
        else (r.ece, r.ece_low, r.ece_high, r.luck_mean, r.luck_p95, r.p_value)
    )
    if value is None:
        return ""
    parts = [f"{name} {decimal_interval(value, low, high)}"]
    if luck_mean is not None and luck_high is not None:
        parts[0] += say(
            "; a perfectly calibrated reader using these words would show {mean} (up to {high}).",
            mean=decimal(luck_mean),
            high=decimal(luck_high),
        )
    else:
        parts[0] += "."
    if p is not None:
        parts.append(_by_luck(p))
    if name == "ECE*":
        parts.append(
            say(
                "It is over the hedged findings; plain \u201cpresent\u201d and \u201cabsent\u201d are"
                " judged by their own rates in the table."
            )
        )
    return " ".join(parts)


def _by_luck(p: float) -> str:
    if p < 0.01:
        return say("Luck alone would come to as much in fewer than 1 of 100 such readers.")
    return say("Luck alone would come to as much in {n} of 100 such readers.", n=round(100 * p))


def further(r: Reliability) -> str:
    """Accuracy and Brier score with intervals; '' if not computed."""
    parts = []
    if r.accuracy is not None and r.accuracy_low is not None and r.accuracy_high is not None:
        parts.append(
            say("On the right side of one half: {rate}", rate=rate(r.accuracy, r.accuracy_low, r.accuracy_high))
        )
    if r.brier is not None:
        parts.append(say("Brier score {value}", value=decimal_interval(r.brier, r.brier_low, r.brier_high)))
    return " \u00b7 ".join([*parts, say("n = {n}", n=whole(r.n))]) if parts else ""


def advice_sentences(advice: Advice | None) -> tuple[str, ...]:
    """The recommendations, or why there are none."""
    if advice is None:
        return (say("No advice was made for these findings."),)
    if advice.recommendations:
        return tuple(typographic(r.text) for r in advice.recommendations)
    why = advice.reason or advice.summary or say("No change of words is recommended.")
    return (typographic(why),)


def agreeing(advice: Advice | None) -> str:
    """The words whose rate matches the readers' understanding; '' if none is known."""
    if advice is None or not advice.agreeing:
        return ""
    words = listed([quoted(p) for p in advice.agreeing])
    return say(
        "{words} agrees with what readers take it to mean.",
        many="{words} agree with what readers take them to mean.",
        words=words,
        n=len(advice.agreeing),
    )


def not_mentioned(opened: Opened, group: Group) -> str:
    """What the author's X-ray reports did not mention; '' if nothing."""
    n = opened.not_mentioned.get(group, 0)
    if not n:
        return ""
    return say(
        "Once CT found {topic} that the X-ray report did not mention.",
        many="{n:,} times CT found {topic} that the X-ray report did not mention.",
        n=n,
        topic=group.topic,
    )
