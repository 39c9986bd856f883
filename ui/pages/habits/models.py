"""The tables of shares: of all radiologists, and of one beside the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from radcal.system.coarse import cell
from radcal.system.intervals import of_cell
from ui.kit.column import Column, by_name, count, estimated, never_by_values, settled, to_five_points
from ui.pages.habits.sentences import habit_name, quarter_text, share_text
from ui.plots.figures import coverage
from ui.sentences import modality_text
from ui.words import rate, say

if TYPE_CHECKING:
    from radcal.reliability.comparison_records import Member
    from radcal.reliability.habits import OwnHabit


class MemberRow(NamedTuple):
    """A radiologist under the name on show."""

    name: str
    member: Member
    quarter: int | None


def member_columns(confidence: float, fewest: int) -> tuple[Column, ...]:
    """All radiologists by one share, in the order of names or of n, never of shares."""
    sure = coverage(confidence)
    no_order = never_by_values()

    def coarsely(r: MemberRow) -> tuple[Any, Any, Any]:
        made = cell(r.member.n, r.member.positives or 0.0)
        if made is None or not settled(r.member.n, fewest):
            return to_five_points(None)
        return made.rate, *of_cell(made, confidence)

    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, coarse=lambda r: r.name, width=150),
        count(say("reports"), lambda r: r.member.n, leaves=True, width=80),
        count(say("with it"), lambda r: r.member.positives, sort=by_name, width=80),
        estimated(
            say("share, {coverage}", coverage=sure),
            lambda r: (r.member.value, r.member.low, r.member.high),
            rate,
            missing=say("not enough data"),
            sort=by_name,
            meaning=no_order,
            coarse=coarsely,
            width=150,
        ),
        estimated(
            say("all others, {coverage}", coverage=sure),
            lambda r: r.member.others and (r.member.others.value, r.member.others.low, r.member.others.high),
            rate,
            sort=by_name,
            meaning=no_order,
            width=150,
        ),
        Column(
            say("quarter"),
            lambda r: quarter_text(r.quarter),
            sort=by_name,
            meaning=say("In which quarter of the radiologists the share lies, by shares to 5 points."),
            coarse=lambda r: quarter_text(r.quarter),
            width=150,
        ),
    )


def own_columns(confidence: float) -> tuple[Column, ...]:
    """One radiologist's shares beside those of all others."""
    sure = coverage(confidence)
    return (
        Column(say("reports with"), lambda r: habit_name(r.habit), width=240),
        Column(say("kind"), lambda r: modality_text(r.modality), width=80),
        count(say("your reports"), lambda r: r.own.n, width=110),
        estimated(
            say("your share, {coverage}", coverage=sure),
            lambda r: (r.own.value, r.own.low, r.own.high),
            rate,
            missing=say("not enough data"),
            width=160,
        ),
        Column(say("all others"), _others, width=160),
        Column(say("where yours lies"), lambda r: quarter_text(r.quarter), width=160),
    )


def _others(r: OwnHabit) -> str:
    return say("too few others") if r.others is None else say("about {share}", share=share_text(r.others))
