"""What is said of radiologists beside each other and over time: no ranking, and what chance gives is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.calibration.comparison_records import HEDGES
from radcal.calibration.records import SURE
from ui.language import spoken
from ui.plots.figures import points, shown_interval, signed
from ui.words import percent, quoted, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.calibration.comparison_records import Comparison, Control, LyingApart, Member, Side, Trend
    from radcal.calibration.records import Part
    from radcal.system.estimates import Estimate
    from ui.pages.department.tab import Naming

_NAMED = 2
"""So many who differ are described in the sentence; the others are in the table."""


def lacking(m: Member) -> str:
    """Why a radiologist with enough findings has no value; '' where there are too few."""
    return say("No resamples are drawn, so there is no interval. See Settings.") if m.reason == "interval" else ""


def headline(compared: Comparison, naming: Naming, fewest_in_all: int) -> str:
    """The result of the comparison; of everything hedged, whose words missed what CT found is told first."""
    if compared.reason:
        return _too_few(compared, fewest_in_all)
    return " ".join(filter(None, (_missed(compared), _apart(compared, naming))))


def _missed(compared: Comparison) -> str:
    """How many radiologists have hedges that miss what they mean; '' for a single phrase."""
    judged = [m.differs for m in compared.members if m.differs is not None]
    if not judged:
        return ""
    if not any(judged):
        return say("No hedged word clearly missed what CT found ({n} radiologists).", n=len(judged))
    return say(
        "One of {of} radiologists has hedged words that overstated or understated what CT found.",
        many="{n} of {of} radiologists have hedged words that overstated or understated what CT found.",
        n=sum(judged),
        of=len(compared.members),
    )


def _apart(compared: Comparison, naming: Naming) -> str:
    """How many radiologists differ from all others, and how."""
    told = [(m, m.part) for m in compared.members if m.part is not None]
    if not told:
        return say("No two radiologists used the same word often enough to be compared.")
    apart = [(naming.called(m), part) for m, part in told if part.differs]
    if not apart:
        return say("Nobody clearly differs from the others, but with few findings differences stay hidden.")
    said = say(
        "One of {of} differs from the others by 5 points or more on a word ({sure} sure or more).",
        many="{n} of {of} differ from the others by 5 points or more on a word (each {sure} sure or more).",
        n=len(apart),
        of=len(compared.members),
        sure=percent(SURE),
    )
    named = apart[: 1 if len(told) == 2 else _NAMED]  # of two, one is the mirror of the other
    each = [f"{name}: {quoted(part.phrase)} {beside_others(part)}." for name, part in named]
    few = len(compared.members) - len(told)
    left = say("{n} has too few findings to be compared.", many="{n} have too few findings to be compared.", n=few)
    return " ".join((said, *each, *([left] if few else [])))


def probably(probability: float | None) -> str:
    """Whether somebody differs, with the probability."""
    if probability is None:
        return say("not enough data")
    sure = spoken().sure(probability)
    return f"{say('yes')} ({sure})" if probability >= SURE else f"{say('not shown')} ({sure})"


def beside_others(part: Part) -> str:
    """The rate of a radiologist's word beside that of all others."""
    own, others = part.positives / part.said, part.others_positives / part.others_said
    return say(
        "confirmed {own} of {n}, the others\u2019 {others} of {n2}",
        own=percent(own),
        n=whole(part.said),
        others=percent(others),
        n2=whole(part.others_said),
    )


def about_apart(found: Sequence[LyingApart]) -> str:
    """How many statements there are, and how many of them are expected to be false."""
    if not found:
        return say("No word clearly stands apart, on any pathology.")
    return say(
        "One word stands apart (all pathologies and dates); the chance that this is wrong is {false}.",
        many="{n} words stand apart (all pathologies and dates); about {false} of these will be wrong.",
        n=len(found),
        false=percent(1 - sum(row.probability for row in found) / len(found)),
    )


def _too_few(compared: Comparison, fewest_in_all: int) -> str:
    if not compared.members and compared.hedges:
        return say("Nobody hedged here. Choose another pathology.")
    if not compared.hedges:
        n, phrase = len(compared.members), quoted(compared.phrase)
        return say(
            "One radiologist used {phrase}; a comparison needs two.",
            many="{n} radiologists used {phrase}; a comparison needs two.",
            n=n,
            phrase=phrase,
        )
    each = _hedged(compared.fewest, fewest_in_all)
    return say(
        "Not enough data: a comparison needs two radiologists with {findings} each. Try all pathologies, or pick one "
        "word from the list.",
        findings=each,
    )


def _hedged(fewest: int, fewest_in_all: int) -> str:
    """How many findings are needed to say how far words miss their meaning, and how many of them hedged."""
    if fewest_in_all > fewest:
        return say("{n} findings, {hedges} of them hedged", n=whole(fewest_in_all), hedges=whole(fewest))
    return say("{n} hedged findings", n=whole(fewest))


# --- over time -------------------------------------------------------------------------------------


def about_trend(trend: Trend, fewest_in_all: int) -> str:
    """From where to where it went, and what changed with feedback, or why that is unknown."""
    if trend.reason == "times":
        return say("No finding has a time of examination.")
    needed = _hedged(trend.fewest, fewest_in_all) if trend.phrase == HEDGES else whole(trend.fewest)
    before, after, parts = trend.before, trend.after, [_course(trend, needed)]
    match trend.reason:
        case "date":
            parts.append(say("Enter when feedback was given to compare before and after."))
        case "before" | "after" if before is not None and after is not None:
            parts.append(
                say(
                    "Not enough data to compare before and after: {before} and {after} findings; each needs {needed}.",
                    before=whole(before.n),
                    after=whole(after.n),
                    needed=needed,
                )
            )
        case _ if trend.change is not None and before is not None and after is not None:
            if trend.distances is not None:
                change = _side(trend.distances, trend.fewest)
                parts.append(say("Hedged words missed their meaning by {change}.", change=change))
            else:
                parts.append(
                    say(
                        "CT confirmed {before} of {n_before} before feedback and {after} of {n_after} after it: a "
                        "change of {change}.",
                        before=percent(before.value or 0.0),
                        n_before=whole(before.n),
                        after=percent(after.value or 0.0),
                        n_after=whole(after.n),
                        change=_change(trend.change),
                    )
                )
            parts.append(
                _not_clear(trend.change)
                or say(
                    "Other things change with time too, and whoever stood out comes closer to the average even without"
                    " feedback."
                )
            )
    if trend.undated:
        parts.append(say("{n} findings have no time of examination and are left out.", n=whole(trend.undated)))
    return " ".join(filter(None, parts))


def _course(trend: Trend, needed: str) -> str:
    """The first and the last period that have a value; '' without periods."""
    known = [p for p in trend.periods if p.value is not None]
    if not known:
        return say("No period has enough data; each needs {needed}.", needed=needed) if trend.periods else ""
    from ui.plots.trend_plot import period_name  # imports pyqtgraph, which the page must not wait for

    score = trend.phrase == HEDGES
    ends = [
        (period_name(p.start, trend.unit), shown_interval(p.value or 0.0, p.low, p.high, score=score), whole(p.n))
        for p in (known[0], known[-1])
    ]
    (first, was, n), (last, now, n2) = ends
    if len(known) == 1:
        return f"{first}: {was}, n = {n}."
    return say(
        "From {was} in {first} (n = {n}) to {now} in {last} (n = {n2}).",
        was=was,
        n=n,
        first=first,
        now=now,
        n2=n2,
        last=last,
    )


def about_control(trend: Trend) -> str:
    """What changed where there was advice and where there was none, and the difference; '' without a date."""
    control: Control | None = trend.control
    if control is None:
        return ""
    parts = [
        say("With advice, words missed their meaning by {change}.", change=_side(control.advised, control.fewest)),
        say("Without advice: {change}.", change=_side(control.others, control.fewest)),
    ]
    if control.difference is not None:
        parts.append(say("The two changes differ by {change}.", change=_change(control.difference)))
        parts.append(_not_clear(control.difference))
    parts.append(
        say(
            "Over all pathologies and everything hedged. A random half of the earlier findings decided where there "
            "would have been advice; the other half is compared with those after feedback."
        )
    )
    return " ".join(filter(None, parts))


def _side(side: Side, fewest: int) -> str:
    n = {"n_before": whole(side.n_before), "n_after": whole(side.n_after)}
    if side.before is None or side.after is None or side.change is None:
        return say("not enough data ({n_before} and {n_after} findings; each needs {fewest})", fewest=fewest, **n)
    return say(
        "{before} points before ({n_before} findings) and {after} after ({n_after}): a change of {change}",
        before=points(side.before.value),
        after=points(side.after.value),
        change=_change(side.change),
        **n,
    )


def _change(of: Estimate) -> str:
    """A change in points with its interval."""
    value, low, high = (signed(100 * x, 0) for x in of)
    return say("{value} points ({low} to {high})", value=value, low=low, high=high)


def _not_clear(change: Estimate) -> str:
    """That a change is not shown; '' if it is."""
    return say("That is not enough to call it a change.") if change.low <= 0 <= change.high else ""
