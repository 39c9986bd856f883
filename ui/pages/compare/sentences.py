"""Summaries of the comparison: no ranking, and chance is mentioned first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.reliability.records import SURE
from ui.language import spoken
from ui.plots.figures import coverage, signed
from ui.words import percent, quoted, rate, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.reliability.comparison_records import Comparison, Control, LyingApart, Member, Period, Side, Trend
    from radcal.reliability.records import Part
    from radcal.system.estimates import Estimate

_NAMED = 3
"""So many who lie apart are described one by one; the others are in the table."""


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


def headline(compared: Comparison, fewest_in_all: int) -> str:
    """The result of the comparison in one or two sentences; of everything hedged, whose words differ is told first."""
    if compared.reason:
        return _too_few(compared, sum(m.value is not None for m in compared.members), fewest_in_all)
    return " ".join(filter(None, (_differ(compared), _apart(compared))))


def _differ(compared: Comparison) -> str:
    """How many radiologists have hedges that differ from what they mean; '' for a single phrase."""
    judged = [m.differs for m in compared.members if m.differs is not None]
    if not judged:
        return ""
    if not any(judged):
        return say("No hedged word of {of} radiologists clearly differs from what CT showed.", of=len(judged))
    return say(
        "One of {of} radiologists has hedged words that were stronger or weaker than CT supported.",
        many="{n} of {of} radiologists have hedged words that were stronger or weaker than CT supported.",
        n=sum(judged),
        of=len(judged),
    )


def _apart(compared: Comparison) -> str:
    """How many radiologists lie apart from all others."""
    told = [m.part for m in compared.members if m.part is not None]
    if not told:
        return say("No two have used the same word often enough to be compared.")
    apart = sum(part.differs for part in told)
    if not apart:
        return say(
            "None of {of} radiologists is shown to lie apart from the others. That does not show that they are alike:"
            " with few findings, differences stay unseen.",
            of=len(told),
        )
    return say(
        "One of {of} radiologists lies apart: CT confirmed a word at least 5 points more or less often than with the"
        " others, with a probability of {sure} or more.",
        many="{n} of {of} radiologists lie apart: CT confirmed a word at least 5 points more or less often than with"
        " the others, each with a probability of {sure} or more.",
        n=apart,
        of=len(told),
        sure=percent(SURE),
    )


def probably(probability: float | None) -> str:
    """Whether somebody lies apart, with the probability."""
    if probability is None:
        return say("not enough data")
    sure = spoken().sure(probability)
    return say("yes ({sure})", sure=sure) if probability >= SURE else say("not shown ({sure})", sure=sure)


def beside_others(part: Part) -> str:
    """The rate of a radiologist's word beside that of all others."""
    own, others = part.positives / part.said, part.others_positives / part.others_said
    values = {
        "own": percent(own),
        "n": whole(part.said),
        "others": percent(others),
        "n2": whole(part.others_said),
    }
    if own > others:
        return say("confirmed more often: {own} of {n}, the others {others} of {n2}", **values)
    return say("confirmed less often: {own} of {n}, the others {others} of {n2}", **values)


def about_apart(found: Sequence[LyingApart]) -> str:
    """How many statements there are, and how many of them are expected to be false."""
    if not found:
        return say("No word of a radiologist is shown to lie apart, on any pathology.")
    return say(
        "{n} word lies apart, of one radiologist on one pathology: outside what readers take it to mean, or 5 points or"
        " more from the others. About {false} of such statements are expected to be false. All days count.",
        many="{n} words lie apart, each of one radiologist on one pathology: outside what readers take it to mean, or 5"
        " points or more from the others. About {false} of these statements are expected to be false. All days count.",
        n=len(found),
        false=percent(1 - sum(row.probability for row in found) / len(found)),
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


def about_forest(compared: Comparison, members: Sequence[Member], names: Sequence[str]) -> str:
    """Who lies apart, each by the own value and that of all others; of a phrase, all together and their range."""
    apart = [(part, name) for m, name in zip(members, names, strict=True) if (part := m.part) and part.differs]
    parts = [
        say(
            "{name}: {phrase} was {compared} ({sure} sure).",
            name=name,
            phrase=quoted(part.phrase),
            compared=beside_others(part),
            sure=spoken().sure(part.probability),
        )
        for part, name in apart[:_NAMED]
    ]
    if len(apart) > _NAMED:
        parts.append(say("The others are in the table."))
    if compared.together is not None and compared.spread is not None:
        parts.append(
            say(
                "All together: {rate}. As far as is known, {coverage} of radiologists like these have a true rate"
                " between {low} and {high}.",
                rate=rate(*compared.together),
                coverage=coverage(compared.confidence),
                low=percent(compared.spread[0]),
                high=percent(compared.spread[1]),
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
