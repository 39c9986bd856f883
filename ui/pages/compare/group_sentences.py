"""What is said of a department's own groups, and of radiologists compared for the same mix of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.reliability.subgroup_records import SMALL
from ui.language import spoken
from ui.words import listed, percent, quoted, rate, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.reliability.records import PhraseRate
    from radcal.reliability.subgroup_records import AuthorCases, CaseMix, Grouping, Stratifier, Subgroup, Subgroups

_NAMED = 3


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
        if value.endswith("+"):
            return say("{age} years and more", age=value.removesuffix("+"))
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
        return _nothing_known(found.grouping)
    if len(found.groups) < 2:
        return say("There is one group alone, so nothing can be compared.")
    told = [g for g in found.groups if g.probability is not None]
    if not told:
        return say("There are too few findings to tell whether the groups differ.")
    apart = [g for g in told if g.differs]
    named = listed([say("\u201c{group}\u201d", group=value_name(found.grouping, g.value)) for g in apart], _NAMED)
    said = (
        say(
            "The group {groups} differs from the others by 5 points or more on a word.",
            many="The groups {groups} differ from the others by 5 points or more on a word.",
            n=len(apart),
            groups=named,
        )
        if apart
        else say("No group is shown to differ from the others by 5 points or more on a word.")
    )
    extremes = _extremes(found)
    if extremes is not None:
        (low, of_low), (high, of_high) = extremes
        far = say(
            "They lie furthest apart on {phrase}: confirmed in {rate} of {count} in the group \u201c{group}\u201d, and"
            " in {rate2} of {count2} in the group \u201c{group2}\u201d.",
            phrase=quoted(found.phrase),
            rate=rate(of_low.rate, of_low.low, of_low.high),
            count=whole(of_low.n),
            group=value_name(found.grouping, low.value),
            rate2=rate(of_high.rate, of_high.low, of_high.high),
            count2=whole(of_high.n),
            group2=value_name(found.grouping, high.value),
        )
        said = f"{said} {far}"
    return f"{said} {_like_cases(apart)}".strip()


def _nothing_known(grouping: Grouping) -> str:
    match grouping:
        case "site":
            return say(
                "The reports do not say where the X-rays were made. Import them again with a column such as"
                " \u201cSite\u201d or \u201cLocation\u201d."
            )
        case "age":
            return say(
                "The reports do not say how old the patients were. Import them again with the age or the date of"
                " birth, of which the age alone is kept."
            )
        case "portable":
            return say("The names of the exams do not say whether a portable unit was used.")
    return say("The X-rays have no time of day.")


def _extremes(found: Subgroups) -> tuple[tuple[Subgroup, PhraseRate], tuple[Subgroup, PhraseRate]] | None:
    """The groups of the lowest and the highest rate of the word, among those that said it often enough."""
    if not found.phrase:
        return None
    rates = [(g, r) for g in found.groups for r in g.reliability.phrases if r.phrase == found.phrase]
    most = sorted(rates, key=lambda pair: -pair[1].n)
    fewest = min(10.0, most[1][1].n) if len(most) > 1 else 0.0
    often = sorted((pair for pair in rates if pair[1].n >= fewest), key=lambda pair: pair[1].rate)
    return (often[0], often[-1]) if len(often) > 1 else None


def _like_cases(apart: Sequence[Subgroup]) -> str:
    """Whether a difference stays when only findings of the same radiologist and pathology are compared."""
    if not apart:
        return ""
    if any(g.differs_like_cases for g in apart):
        return say("The difference stays among findings of the same radiologist on the same pathology.")
    return say(
        "Among findings of the same radiologist on the same pathology no difference is shown: the groups may only have"
        " other cases."
    )


def about_groups() -> str:
    """Why groups are looked at one by one."""
    return say(
        "A good average can hide a group: a word confirmed too rarely in one group and too often in another comes out"
        " right over both."
    )


def left_out(found: Subgroups) -> str:
    """What is in no group, or in none of its own; '' if everything is."""
    said = []
    if found.unknown:
        said.append(
            say(
                "Of {n:,} finding the group is not known.",
                many="Of {n:,} findings the group is not known.",
                n=found.unknown,
            )
        )
    if found.folded:
        shown = any(g.value == SMALL for g in found.groups)
        names = listed([value_name(found.grouping, name) for name in found.folded], _NAMED)
        if shown:
            said.append(
                say(
                    "Put together, because they have fewer than {fewest} patients or too few findings: {names}.",
                    fewest=whole(found.fewest),
                    names=names,
                )
            )
        else:
            said.append(
                say(
                    "Not shown, because they have fewer than {fewest} patients even together: {names}.",
                    fewest=whole(found.fewest),
                    names=names,
                )
            )
    return " ".join(said)


# --- the same mix of cases -------------------------------------------------------------------------


def case_mix_headline(made: CaseMix) -> str:
    """Whether radiologists differ, as they are and for the same mix of cases."""
    if not made.by:
        return say("Choose what the mix of cases is made of.")
    if not made.n:
        return say("No hedged finding has all of these columns. Choose fewer columns, or import them.")
    told = [a.in_all for a in made.authors if a.in_all is not None]
    if not told:
        return say("There are too few hedged findings to compare radiologists.")
    alike = sum(a.like_cases is not None and a.like_cases.differs for a in made.authors)
    raw = sum(part.differs for part in told)
    if not raw and not alike:
        return say(
            "No radiologist is shown to differ from all others by 5 points or more on a word, neither in all nor where"
            " the cases are alike."
        )
    return say(
        "Shown to differ from all others by 5 points or more on a word: {raw} of {n} radiologists in all, and {alike}"
        " of {n} where the cases are alike.",
        raw=raw,
        n=len(told),
        alike=alike,
    )


def about_case_mix(made: CaseMix) -> str:
    """What is compared with what, and what is left out."""
    said = [
        say(
            "Where cases are alike: the findings of a radiologist beside those of all others with the same word in the"
            " same part of the mix, as if these had seen the radiologist\u2019s cases."
        )
    ]
    if made.unknown:
        said.append(
            say(
                "{n:,} hedged finding of which not all of this is known is left out.",
                many="{n:,} hedged findings of which not all of this is known are left out.",
                n=made.unknown,
            )
        )
    return " ".join(said)


def lacking(a: AuthorCases, by: Sequence[Stratifier]) -> str:
    """The strata that a radiologist has not seen, the largest first."""
    if not a.lacking:
        return say("none")
    names = [
        say(
            "{stratum} ({share})",
            stratum=", ".join(value_name(of, group) for of, group in zip(by, s.groups, strict=True)),
            share=percent(s.share),
        )
        for s in a.lacking
    ]
    return listed(names, _NAMED)
