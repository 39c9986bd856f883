"""Sentences on shares of reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.plots.figures import coverage
from ui.sentences import modality_text
from ui.words import rate, say, whole

if TYPE_CHECKING:
    from radcal.reliability.habits import Habit, HabitComparison, OwnHabits, Share


def habit_name(habit: Habit) -> str:
    """What reports have, as it is listed."""
    return {
        "hedge": say("a hedge"),
        "standard": say("a standard word"),
        "follow-up": say("follow-up or work-up recommended"),
        "correlation": say("clinical correlation recommended"),
    }[habit]


def axis_name(habit: Habit) -> str:
    """What an axis shows."""
    return {
        "hedge": say("reports with a hedge"),
        "standard": say("reports with a standard word"),
        "follow-up": say("reports that recommend follow-up or work-up"),
        "correlation": say("reports that ask for clinical correlation"),
    }[habit]


def share_text(share: Share) -> str:
    """'12 % (11-13 %)', or that there is not enough data."""
    if share.value is None or share.low is None or share.high is None:
        return say("not enough data")
    return rate(share.value, share.low, share.high)


def headline(found: HabitComparison) -> str:
    """How many have it, and from where to where it ranges."""
    t = found.together
    named = {"what": habit_name(found.habit), "n": whole(t.n), "kind": modality_text(found.modality)}
    if t.value is None or t.low is None or t.high is None:
        return say("{n} {kind} reports are too few to tell how many have {what}.", **named)
    all_of_them = say("{share} of {n} {kind} reports have {what}.", share=rate(t.value, t.low, t.high), **named)
    return " ".join(filter(None, (all_of_them, _between(found))))


def _between(found: HabitComparison) -> str:
    known = sorted(
        (m.value, m.low, m.high, m.n)
        for m in found.compared.members
        if m.value is not None and m.low is not None and m.high is not None
    )
    if len(known) < 2:
        return ""
    (*least, n), (*most, of) = known[0], known[-1]
    return say(
        "Between radiologists it ranges from {low} of {n} to {high} of {of} reports.",
        low=rate(*least),
        n=whole(n),
        high=rate(*most),
        of=whole(of),
    )


def population(found: HabitComparison) -> str:
    """Of which reports the share is, and what counts."""
    s, kind = found.searched, modality_text(found.modality)
    counts = {"reports": whole(s.reports), "kind": kind}
    if found.habit in ("follow-up", "correlation"):
        parts = [
            say(
                "Counted in {n} of the {reports} {kind} reports that were imported, paired or not.",
                n=whole(s.searched),
                **counts,
            )
        ]
        if s.searched < s.reports:
            parts.append(say("The others are in a language of which RadCal has no words of advice."))
        parts.append(
            say(
                "Follow-up or work-up is any further imaging, tissue sampling, test or referral that the report "
                "recommends or says could be considered; clinical correlation is counted apart."
            )
        )
        return " ".join(parts)
    parts = [
        say(
            "Counted in the {n} of {reports} {kind} reports that the engine has read: those of pairs of an X-ray and "
            "a CT, which are no random sample.",
            n=whole(s.read),
            **counts,
        )
    ]
    if found.habit == "hedge":
        parts.append(say("A hedge is any word of certainty but a plain \u201cpresent\u201d or \u201cabsent\u201d."))
    else:
        parts.append(standard_words(found.scale, chosen=found.chosen))
    return " ".join(parts)


def standard_words(scale: str, *, chosen: bool) -> str:
    """Which words are standard."""
    if chosen:
        return say("Standard words are those of the {scale} scale, which the department has chosen.", scale=scale)
    return say(
        "Standard words are those of the {scale} scale, as the department has chosen none (under Words).", scale=scale
    )


def quarter_text(quarter: int | None) -> str:
    """In which quarter of the radiologists a share lies."""
    if quarter is None:
        return say("cannot be told")
    return {
        1: say("lowest quarter"),
        2: say("second quarter"),
        3: say("third quarter"),
        4: say("highest quarter"),
    }[quarter]


def own_headline(found: OwnHabits) -> str:
    """What a personal file shows."""
    if not found.rows:
        return say("None of your reports is counted in these days.")
    return say(
        "How often your reports hedge, use a standard word and recommend something, beside all other radiologists of "
        "your department together. More or less often is no worse or better."
    )


def own_footer(found: OwnHabits) -> str:
    """How the figures of a personal file are made."""
    return " ".join(
        (
            standard_words(found.scale, chosen=found.chosen),
            say(
                "Intervals hold {coverage}. Hedges and standard words are counted in the reports of pairs, "
                "recommendations in all that were imported.",
                coverage=coverage(found.confidence),
            ),
            say(
                "The figures of the others are of all dates and to 5 points, and so is the quarter, so that "
                "nobody\u2019s own follow from them. Where most are alike to 5 points, no quarter is told."
            ),
        )
    )
