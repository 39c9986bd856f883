"""Summaries of the comparison: no ranking, and chance is mentioned first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.language import spoken
from ui.plots.figures import coverage, shown, shown_interval, signed
from ui.words import decimal_interval, percent, quoted, say, whole

if TYPE_CHECKING:
    from radcal.records.comparison import Comparison, Member, Period, Trend

_FEW = 6
"""Below this number of radiologists, each is a large part of the group that the others are compared with."""


def lacking(m: Member) -> str:
    """Why a radiologist has no value."""
    match m.reason:
        case "statements":
            return say("Too few findings on this pathology.")
        case "hedges":
            return say("Too few of the findings are hedged.")
        case "interval":
            return say("No resamples are drawn, so there is no interval. See Settings.")
    return ""


def headline(compared: Comparison, fewest: int, fewest_in_all: int) -> str:
    """The result of the comparison in one or two sentences."""
    measured = sum(m.value is not None for m in compared.members)
    if compared.funnel is None:
        return _too_few(compared, measured, fewest, fewest_in_all)
    funnel = compared.funnel
    if funnel.outside == 0:
        return say(
            "All {n} radiologists lie within the 95 % limits of chance. That does not show that they are alike: with"
            " few findings, differences stay unseen.",
            n=funnel.of,
        )
    return say(
        "One of {of} radiologists lies outside the 95 % limits of chance; chance alone would put about {expected}"
        " there.",
        many="{n} of {of} radiologists lie outside the 95 % limits of chance; chance alone would put about {expected}"
        " there.",
        n=funnel.outside,
        of=funnel.of,
        # One decimal below 1: '0.6', not '1', where hardly anyone is expected.
        expected=spoken().number(funnel.expected, 1 if funnel.expected < 1 else 0),
    )


def _too_few(compared: Comparison, measured: int, fewest: int, fewest_in_all: int) -> str:
    if not compared.members and not compared.phrase:
        return say("Nobody hedged here. Choose another pathology, or a phrase beside Words.")
    if not compared.members:
        return say("Nobody used {phrase} here.", phrase=quoted(compared.phrase))
    if not compared.hedges:
        return say("One radiologist used {phrase}; a comparison needs two.", phrase=quoted(compared.phrase))
    if measured == 1:
        return say(
            "One radiologist has enough findings; a comparison needs two, with {n} findings each, {hedges} of them"
            " hedged.",
            n=whole(fewest_in_all),
            hedges=whole(fewest),
        )
    return say(
        "No radiologist has enough findings; a comparison needs two, with {n} findings each, {hedges} of them hedged.",
        n=whole(fewest_in_all),
        hedges=whole(fewest),
    )


def about_forest(compared: Comparison) -> str:
    """Mean and spread in the forest plot."""
    if compared.mean is None or compared.mean_low is None or compared.mean_high is None:
        return ""
    score = compared.hedges
    mean = shown_interval(compared.mean, compared.mean_low, compared.mean_high, score=score)
    parts = [
        say("Mean over radiologists {mean}.", mean=mean),
        say(
            "From what is known, {coverage} of radiologists like these truly lie between {low} and {high}.",
            coverage=coverage(compared.confidence),
            low=shown(compared.spread_low or 0.0, score=score),
            high=shown(compared.spread_high or 0.0, score=score),
        ),
    ]
    if compared.alike:
        parts.append(say("Chance is the likeliest explanation of all differences."))
    parts.append(
        say(
            "Values of few findings are drawn towards the mean when they are seen together with all others: they say"
            " little by themselves."
        )
    )
    return " ".join(parts)


def about_funnel(compared: Comparison) -> str:
    """The result of the funnel plot, including over-dispersion."""
    funnel = compared.funnel
    if funnel is None:
        return ""
    parts = [
        say(
            "Each radiologist is compared with all others. Within the limits, chance alone is enough to explain where"
            " a radiologist lies."
        )
    ]
    if funnel.of < _FEW:
        parts.append(say("With so few radiologists, one who differs much also sets the others apart from the rest."))
    if funnel.phi is not None and funnel.p_value is not None:
        phi, p = spoken().number(funnel.phi, 1), max(1, round(1000 * funnel.p_value))
        if funnel.p_value < 0.05:
            text = say(
                "Radiologists lie further apart than chance alone puts them (over-dispersion {phi}, where chance gives"
                " about 1, and as much in {p} of 1,000 departments). Patients and tasks differ too: expect some"
                " outside.",
                phi=phi,
                p=whole(p),
            )
        else:
            text = say(
                "Taken together, radiologists lie no further apart than chance puts them (over-dispersion {phi}, where"
                " chance gives about 1, and as much in {p} of 1,000 departments).",
                phi=phi,
                p=whole(p),
            )
        parts.append(text)
    if compared.hedges:
        parts.append(
            say(
                "Zero is what the same words come to on average when CT confirms them as often as everybody\u2019s; the"
                " limits are simulated by dealing out the department\u2019s findings by chance."
            )
        )
    return " ".join(parts)


def about_trend(trend: Trend, fewest: int, fewest_in_all: int) -> str:
    """What changed with feedback, or why that is unknown."""
    parts = []
    if trend.undated:
        parts.append(say("{n} findings have no time of examination and are left out.", n=whole(trend.undated)))
    needed = (
        say("{n} findings, {hedges} of them hedged", n=whole(fewest_in_all), hedges=whole(fewest))
        if trend.phrase == ""
        else say("{n} findings in this phrase", n=whole(fewest))
    )
    if trend.periods and all(p.value is None for p in trend.periods):
        parts.append(say("No period has enough data by itself; each needs {needed}.", needed=needed))
    match trend.reason:
        case "times":
            return say("No finding has a time of examination.")
        case "date":
            parts.append(say("Say when feedback was given to see what was different before and after."))
        case "before" | "after" if trend.before is not None and trend.after is not None:
            parts.append(
                say(
                    "Not enough data to compare before and after: {before} and {after} findings; each side needs"
                    " {needed}.",
                    before=whole(trend.before.n),
                    after=whole(trend.after.n),
                    needed=needed,
                )
            )
        case _ if trend.change is not None and trend.before is not None and trend.after is not None:
            if not trend.author and trend.given is None:
                parts.append(say("Of the radiologists whose date of feedback is known:"))
            parts.append(_change(trend.phrase, trend.before, trend.after, trend.change))
    return " ".join(parts)


def _change(phrase: str, before: Period, after: Period, change: tuple[float, float, float]) -> str:
    d, low, high = change
    if phrase:
        text = say(
            "Before {before} of {n_before}, after {after} of {n_after}: a change of {change} points ({low} to {high}).",
            before=percent(before.value or 0.0),
            n_before=whole(before.n),
            after=percent(after.value or 0.0),
            n_after=whole(after.n),
            change=signed(100 * d, 0),
            low=signed(100 * low, 0),
            high=signed(100 * high, 0),
        )
    else:
        text = say(
            "ECE* before {before} (n = {n_before}), after {after} (n = {n_after}). With what luck gives taken off both,"
            " the change is {change} ({low} to {high}).",
            before=decimal_interval(before.value or 0.0, before.low, before.high),
            n_before=whole(before.n),
            after=decimal_interval(after.value or 0.0, after.low, after.high),
            n_after=whole(after.n),
            change=signed(d, 2),
            low=signed(low, 2),
            high=signed(high, 2),
        )
    if low <= 0 <= high:
        rest = say("The interval holds zero: chance may be all there is to it.")
    else:
        rest = say(
            "Other things change with time too, and whoever stood out by chance comes back to the mean without"
            " feedback."
        )
    return f"{text} {rest}"
