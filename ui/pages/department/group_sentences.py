"""What is said of a department's groups, of radiologists for the same mix of cases, and of their wording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.calibration.subgroup_records import SMALL
from ui.language import spoken
from ui.words import listed, quoted, rate, say, whole

if TYPE_CHECKING:
    from radcal.calibration.records import PhraseRate
    from radcal.calibration.subgroup_records import CaseMix, Stratifier, Subgroup, Subgroups
    from radcal.lab.wording import Wordings

_NAMED = 3
_COLUMNS = {"site": "Site", "age": "Age", "portable": "Exam description"}
"""What files must have, as it is recognised in any language."""


def grouping_name(grouping: Stratifier) -> str:
    """What findings are grouped by: 'place', 'shift', ..."""
    return {
        "site": say("place"),
        "shift": say("shift"),
        "weekday": say("weekday or weekend"),
        "age": say("age of the patient"),
        "portable": say("portable or not"),
        "topic": say("pathology"),
    }[grouping]


def value_name(grouping: Stratifier, value: str) -> str:
    """A group as people name it: 'night, 23\u20137 h', '40\u201359 years'; a place by its own name."""
    if value == SMALL:
        return say("small groups together")
    if grouping == "topic":
        return spoken().pathology(value)
    if grouping == "age":
        return say("{ages} years", ages=value.replace("-", "\u2013"))
    names = {
        "day": say("day, 7\u201315 h"),
        "evening": say("evening, 15\u201323 h"),
        "night": say("night, 23\u20137 h"),
        "weekday": say("Monday to Friday"),
        "weekend": say("Saturday and Sunday"),
        "portable": say("portable or lying"),
        "fixed": say("fixed unit"),
    }
    return value if grouping == "site" else names.get(value, value)


def headline(found: Subgroups) -> str:
    """Whether the groups differ, by the word on which they lie furthest apart."""
    if not found.groups:
        column = _COLUMNS.get(found.grouping, "Exam time")
        return say(
            "The reports do not say this. Import them again with a column such as {column}.", column=quoted(column)
        )
    told = [g for g in found.groups if g.probability is not None]
    if not told:
        return say("A comparison needs two groups with enough findings.")
    apart = [g for g in told if g.differs]
    named = listed([quoted(value_name(found.grouping, g.value)) for g in apart], _NAMED)
    said = (
        say(
            "{groups} differs from the other groups by 5 points or more on a word.",
            many="{groups} differ from the other groups by 5 points or more on a word.",
            n=len(apart),
            groups=named,
        )
        if apart
        else say("No group clearly differs from the others.")
    )
    extremes = _extremes(found)
    if extremes is not None:
        (low, of_low), (high, of_high) = extremes
        far = say(
            "They are furthest apart on {phrase}: CT confirmed {rate} of {count} in {group} and {rate2} of {count2} in"
            " {group2}.",
            phrase=quoted(found.phrase),
            rate=rate(of_low.rate, of_low.low, of_low.high),
            count=whole(of_low.n),
            group=quoted(value_name(found.grouping, low.value)),
            rate2=rate(of_high.rate, of_high.low, of_high.high),
            count2=whole(of_high.n),
            group2=quoted(value_name(found.grouping, high.value)),
        )
        said = f"{said} {far}"
    if apart and not any(g.differs_like_cases for g in apart):
        alike = say(
            "Among findings of the same radiologist on the same pathology no difference is shown: the groups may only "
            "have other cases."
        )
        return f"{said} {alike}"
    return said


def _extremes(found: Subgroups) -> tuple[tuple[Subgroup, PhraseRate], tuple[Subgroup, PhraseRate]] | None:
    """The groups of the lowest and the highest rate of the word, among those that said it often enough."""
    if not found.phrase:
        return None
    rates = [(g, r) for g in found.groups for r in g.reliability.phrases if r.phrase == found.phrase]
    most = sorted(rates, key=lambda pair: -pair[1].n)
    fewest = min(10.0, most[1][1].n) if len(most) > 1 else 0.0
    often = sorted((pair for pair in rates if pair[1].n >= fewest), key=lambda pair: pair[1].rate)
    return (often[0], often[-1]) if len(often) > 1 else None


def unknown(n: int) -> str:
    """How many findings are in no group; '' if all are."""
    return (
        say("The group of {n:,} finding is not known.", many="The group of {n:,} findings is not known.", n=n)
        if n
        else ""
    )


def left_out(found: Subgroups) -> str:
    """What is in no group, or in none of its own; '' if everything is."""
    said = [unknown(found.unknown)]
    if found.folded:
        names = listed([value_name(found.grouping, name) for name in found.folded], _NAMED)
        n = found.fewest
        said.append(
            say("Too small to stand alone (fewer than {n} patients, or few findings): {names}.", n=n, names=names)
        )
    return " ".join(filter(None, said))


def case_mix_headline(made: CaseMix) -> str:
    """Whether radiologists differ, as they are and for the same mix of cases."""
    if not made.n:
        return say("Choose other columns, or import them: no hedged finding has all of these.")
    told = [a.in_all for a in made.authors if a.in_all is not None]
    if not told:
        return say("No two radiologists used the same word often enough to be compared.")
    raw = sum(part.differs for part in told)
    alike = sum(a.like_cases is not None and a.like_cases.differs for a in made.authors)
    if not raw and not alike:
        return say("Nobody clearly differs from the others, but with few findings differences stay hidden.")
    return say(
        "{raw} of {n} radiologists differ from the others by 5 points or more on a word; where the cases are alike,"
        " {alike} do.",
        raw=raw,
        n=len(told),
        alike=alike,
    )


def wording_headline(found: Wordings) -> str:
    """Whose wording differs from that of colleagues for the same findings."""
    if len(found.members) < 2:
        return say("A comparison needs two radiologists.")
    if not found.shown:
        return say(
            "Not enough data: nobody has {least} findings of a kind that colleagues have {each} times or more.",
            least=whole(found.fewest_in_all),
            each=whole(found.fewest),
        )
    asked = say(
        "How much of each radiologist\u2019s wording would have to change to match colleagues\u2019 for the same "
        "findings?"
    )
    apart = sum(m.is_apart for m in found.shown)
    of = len(found.shown)
    if not apart:
        alike = say("Nobody clearly differs from the others, but with few findings differences stay hidden.")
        return f"{asked} {alike}"
    differ = say(
        "One of {of} differs by more than chance alone gives. That is neither better nor worse.",
        many="{n} of {of} differ by more than chance alone gives. That is neither better nor worse.",
        n=apart,
        of=of,
    )
    return f"{asked} {differ}"
