"""Summaries of the comparison: no ranking, and chance is mentioned first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.reliability.records import LEVEL
from ui.language import spoken
from ui.plots.figures import coverage, shown, shown_interval, side_in_words, signed
from ui.words import percent, quoted, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.reliability.comparison_records import Comparison, Control, Funnel, Member, Period, Side, Trend
    from radcal.system.estimates import Estimate

_FEW = 6
"""Below this number of radiologists, each is a large part of the group that the others are compared with."""
_NAMED = 3
"""So many who lie outside are described one by one; the others are in the table."""


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


def headline(compared: Comparison, fewest_in_all: int, *, with_luck: bool = False) -> str:
    """The result of the comparison in one or two sentences, each by the test of the limits that it names.

    with_luck: beside what luck alone gives each radiologist, which is then told first
    """
    measured = sum(m.value is not None for m in compared.members)
    if compared.funnel is None:
        return _too_few(compared, measured, fewest_in_all)
    return " ".join(filter(None, (_luck(compared) if with_luck else "", _together(compared.funnel))))


def _luck(compared: Comparison) -> str:
    """How many radiologists' words lie farther from their meaning than luck alone gives; '' for a single phrase."""
    tested = [m.beyond_luck for m in compared.members if m.beyond_luck is not None]
    if not tested:
        return ""
    beyond = sum(tested)
    if not beyond:
        return say("None of {of} radiologists lies beyond what luck alone gives a calibrated reader.", of=len(tested))
    return say(
        "One of {of} radiologists lies beyond what luck alone gives a calibrated reader.",
        many="{n} of {of} radiologists lie beyond what luck alone gives a calibrated reader.",
        n=beyond,
        of=len(tested),
    )


def _together(funnel: Funnel) -> str:
    """How many radiologists lie outside the limits that chance sets around what is usual in the department."""
    if funnel.outside == 0:
        return say(
            "Compared with each other, all {n} radiologists lie within the 95 % limits of chance. That does not show "
            "that they are alike: with few findings, differences stay unseen.",
            n=funnel.of,
        )
    return say(
        "Compared with each other, one of {of} radiologists lies outside the 95 % limits of chance; chance alone would "
        "put about {expected} there.",
        many="Compared with each other, {n} of {of} radiologists lie outside the 95 % limits of chance; chance alone "
        "would put about {expected} there.",
        n=funnel.outside,
        of=funnel.of,
        # One decimal below 1: '0.6', not '1', where hardly anyone is expected.
        expected=spoken().number(funnel.expected, 1 if funnel.expected < 1 else 0),
    )


def _too_few(compared: Comparison, measured: int, fewest_in_all: int) -> str:
    if not compared.members and not compared.phrase:
        return say("Nobody hedged here. Choose another pathology, or a phrase beside Words.")
    if not compared.members:
        return say("Nobody used {phrase} here.", phrase=quoted(compared.phrase))
    if not compared.hedges:
        return say("One radiologist used {phrase}; a comparison needs two.", phrase=quoted(compared.phrase))
    each = _hedged(compared.fewest, fewest_in_all)
    enough = (
        say("One radiologist has enough findings; a comparison needs two, with {findings} each.", findings=each)
        if measured == 1
        else say("No radiologist has enough findings; a comparison needs two, with {findings} each.", findings=each)
    )
    return f"{enough} {say('Choose all pathologies together, or a single word beside Words.')}"


def _hedged(fewest: int, fewest_in_all: int) -> str:
    """How many findings a word error needs, and how many of them hedged."""
    if fewest_in_all > fewest:
        return say("{n} findings, {hedges} of them hedged", n=whole(fewest_in_all), hedges=whole(fewest))
    return say("{n} hedged findings", n=whole(fewest))


def outside(compared: Comparison, members: Sequence[Member], names: Sequence[str]) -> str:
    """Those outside the limits, each by the own value and that of all others, and on which side."""
    apart = [(m, name) for m, name in zip(members, names, strict=True) if m.place in ("between", "outside")]
    parts = [_outside(compared, m, name) for m, name in apart[:_NAMED]]
    if len(apart) > _NAMED:
        parts.append(say("The others outside are in the table."))
    return " ".join(parts)


def _outside(compared: Comparison, m: Member, name: str) -> str:
    value, n = shown_interval(m.value or 0.0, m.low, m.high, score=compared.hedges), whole(m.n)
    if m.others is None:
        return say(
            "{name}: word error {value}, n = {n}; the same words at everybody\u2019s rates come to {expected}: {side}.",
            name=name,
            value=value,
            n=n,
            expected=shown((m.value or 0.0) - (m.beyond or 0.0), score=True),
            side=side_in_words(m),
        )
    others = {
        "others": shown_interval(m.others.value, m.others.low, m.others.high, score=False),
        "n_others": whole(m.others.n),
        "phrase": quoted(compared.phrase),
    }
    if (m.value or 0.0) > m.others.value:
        return say(
            "{name}: {value}, n = {n}; all others: {others}, n = {n_others}. {phrase} was confirmed more often here: "
            "it is said more cautiously.",
            name=name,
            value=value,
            n=n,
            **others,
        )
    return say(
        "{name}: {value}, n = {n}; all others: {others}, n = {n_others}. {phrase} was confirmed less often here: "
        "it is said more readily.",
        name=name,
        value=value,
        n=n,
        **others,
    )


def about_forest(compared: Comparison, members: Sequence[Member], names: Sequence[str], *, pooled: bool) -> str:
    """Who lies outside the limits; mean and spread if ``pooled`` values are shown."""
    told = outside(compared, members, names)
    return " ".join(filter(None, (told, _about_pooled(compared) if pooled else "")))


def _about_pooled(compared: Comparison) -> str:
    if compared.mean is None or compared.mean_low is None or compared.mean_high is None:
        return ""
    score = compared.hedges
    mean = shown_interval(compared.mean, compared.mean_low, compared.mean_high, score=score)
    parts = [
        say("Mean over radiologists {mean}.", mean=mean),
        say(
            "As far as is known, the true values of {coverage} of radiologists like these lie between {low} and "
            "{high}.",
            coverage=coverage(compared.confidence),
            low=shown(compared.spread_low or 0.0, score=score),
            high=shown(compared.spread_high or 0.0, score=score),
        ),
    ]
    if compared.alike:
        parts.append(say("Radiologists are not shown to differ."))
    parts.append(
        say(
            "Values from few findings are drawn towards the mean when they are seen together with all others: they "
            "say little by themselves."
        )
    )
    return " ".join(parts)


def about_funnel(compared: Comparison, members: Sequence[Member], names: Sequence[str]) -> str:
    """The result of the funnel plot: who lies outside and on which side, and over-dispersion."""
    funnel = compared.funnel
    if funnel is None:
        return ""
    parts = [
        say("Each radiologist is compared with all others. Whoever lies within the limits is not shown to differ."),
        *filter(None, [outside(compared, members, names)]),
    ]
    if funnel.of < _FEW:
        parts.append(say("With so few radiologists, one who differs greatly also sets the others apart from the rest."))
    if funnel.phi is not None and funnel.p_value is not None:
        phi, p = spoken().number(funnel.phi, 1), max(1, round(1000 * funnel.p_value))
        if funnel.p_value < LEVEL:
            text = say(
                "Radiologists lie further apart than chance alone would put them (over-dispersion {phi}; chance gives "
                "about 1, and as much as here in {p} of 1,000 departments). Patients and tasks differ too: expect "
                "some outside.",
                phi=phi,
                p=whole(p),
            )
        else:
            text = say(
                "Taken together, radiologists are not shown to lie further apart than chance would put them "
                "(over-dispersion {phi}; chance gives about 1, and as much as here in {p} of 1,000 departments).",
                phi=phi,
                p=whole(p),
            )
        parts.append(text)
    if compared.hedges:
        parts.append(
            say(
                "Zero is what the same words come to on average when CT confirms them as often as everybody\u2019s; "
                "the limits are simulated by dealing out the department\u2019s findings at random."
            )
        )
    return " ".join(parts)


def about_trend(trend: Trend, fewest_in_all: int) -> str:
    """What changed with feedback, beside what changed without advice; or why that is unknown."""
    parts = []
    if trend.undated:
        parts.append(say("{n} findings have no time of examination and are left out.", n=whole(trend.undated)))
    needed = (
        say("{n} findings in this phrase", n=whole(trend.fewest))
        if trend.phrase
        else _hedged(trend.fewest, fewest_in_all)
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
            parts.append(_change(trend, trend.before, trend.after, trend.change))
    if trend.control is not None:
        parts.append(_control(trend.control))
    return " ".join(parts)


def _control(control: Control) -> str:
    """What changed where there was advice and where there was none, and the difference."""
    parts = [
        say(
            "Everything hedged, all pathologies together: half of the findings from before, drawn at random, say where"
            " there would have been advice; the other half is compared with the findings from after."
        ),
        say("Where there was advice: {change}.", change=_side(control.advised, control.fewest)),
        say("Where there was none: {change}.", change=_side(control.others, control.fewest)),
    ]
    if control.difference is not None:
        value, low, high = _points(control.difference)
        parts.append(
            say("The two changes differ by {value} points ({low} to {high}).", value=value, low=low, high=high)
        )
        parts.append(_not_shown(control.difference))
    return " ".join(filter(None, parts))


def _side(side: Side, fewest: int) -> str:
    n = {"n_before": whole(side.n_before), "n_after": whole(side.n_after)}
    if side.before is None or side.after is None or side.change is None:
        return say("not enough data (n = {n_before} and {n_after}; each needs {fewest})", fewest=whole(fewest), **n)
    change, low, high = _points(side.change)
    return say(
        "words lay {before} points from their meaning (n = {n_before}), then {after} (n = {n_after}): a change of"
        " {change} ({low} to {high})",
        before=_distance(side.before),
        after=_distance(side.after),
        change=change,
        low=low,
        high=high,
        **n,
    )


def _distance(of: Estimate) -> str:
    value, low, high = (text.removeprefix("+") for text in _points(of))
    return say("{value} ({low} to {high})", value=value, low=low, high=high)


def _points(change: Estimate) -> tuple[str, str, str]:
    value, low, high = (signed(100 * x, 0) for x in change)
    return value, low, high


def _change(trend: Trend, before: Period, after: Period, change: Estimate) -> str:
    if trend.distances is not None:
        text = say(
            "Everything hedged: {change}. Half of the findings from before, drawn at random, say only on which side of"
            " its meaning each word lay.",
            change=_side(trend.distances, trend.fewest),
        )
    else:
        value, low, high = _points(change)
        text = say(
            "Before {before} of {n_before}, after {after} of {n_after}: a change of {change} points ({low} to {high}).",
            before=percent(before.value or 0.0),
            n_before=whole(before.n),
            after=percent(after.value or 0.0),
            n_after=whole(after.n),
            change=value,
            low=low,
            high=high,
        )
    rest = _not_shown(change) or say(
        "Other things change with time too, and whoever stood out before comes closer to the mean even without"
        " feedback (regression to the mean)."
    )
    return f"{text} {rest}"


def _not_shown(change: Estimate) -> str:
    """That a change is not shown; '' if it is."""
    if change.low <= 0 <= change.high:
        return say("The interval includes zero: a change is not shown.")
    return ""
