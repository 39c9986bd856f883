"""The tables of radiologists, in plot order, and of the words that lie apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject

from radcal.system.coarse import cell, rounded
from radcal.system.intervals import of_cell
from ui.kit.column import Column, RecordModel, banded, by_name, never_by_values, settled, to_five_points
from ui.language import spoken
from ui.pages.compare.sentences import beside_others, lacking, probably
from ui.plots.figures import coverage, shown_interval
from ui.sentences import topic_name
from ui.words import decimal, percent, percent_range, quoted, rate, say, whole

if TYPE_CHECKING:
    from radcal.reliability.comparison_records import LyingApart, Member


class RadiologistColumn(IntEnum):
    """The columns, left to right."""

    NAME = 0
    N = 1
    BESIDE = 2
    """The number confirmed, or the word error that luck alone reaches."""
    VALUE = 3
    APART = 4
    """How sure it is that the radiologist lies apart."""
    OTHERS = 5
    """The rate of all others, or the word that sets the radiologist apart."""


class _Row(NamedTuple):
    name: str
    member: Member


class ComparedTableModel(RecordModel):
    """One row per radiologist, in plot order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_columns(score=True, confidence=0.95, fewest=1), parent)
        self.said = lambda r: r.member.n

    def show_members(
        self,
        members: Sequence[Member],
        names: Sequence[str],
        *,
        score: bool,
        confidence: float = 0.95,
        fewest: int = 1,
    ) -> None:
        """Show these radiologists under these names.

        Args:
            score: values are word errors, not rates.
            confidence: coverage of the intervals.
            fewest: statements that a value needs.
        """
        rows = [_Row(*row) for row in zip(names, members, strict=True)]
        self.set_table(_columns(score=score, confidence=confidence, fewest=fewest), rows)


def _columns(*, score: bool, confidence: float, fewest: int) -> tuple[Column, ...]:
    """The columns for word errors (``score``) or rates.

    What is worked out with others' figures stays out of coarse exports, and so does the number confirmed, which with
    n and the rate would tell them.
    """
    sure = coverage(confidence)

    def column(
        header: str,
        text: Callable[[_Row], str],
        export: Callable[[_Row], Any] | None = None,
        *,
        ends: bool = False,
        coarse: Callable[[_Row], Any] | None = None,
        width: int = 0,
    ) -> Column:
        return Column(
            header,
            text,
            number=export is not None,
            tip=_reason,
            sort=by_name,
            export=export,
            meaning=never_by_values(),
            ends=ends,
            coarse=coarse,
            width=width,
        )

    def interval(value: float | None, low: float | None, high: float | None) -> str:
        return "" if value is None else shown_interval(value, low, high, score=score)

    def coarsely(r: _Row) -> tuple[Any, ...]:
        m = r.member
        if not score and (made := cell(m.n, m.positives or 0.0)) is not None:
            return made.rate, *of_cell(made, confidence)
        return to_five_points(m.value, m.low, m.high) if settled(m.n, fewest) else to_five_points(None)

    def luck(r: _Row) -> float | str:
        m = r.member
        return "" if m.luck_high is None or not settled(m.n, fewest) else rounded(m.luck_high)

    if score:
        beside = column(
            say("luck alone, up to"),
            lambda r: _decimal(r.member.luck_high),
            lambda r: _cell(r.member.luck_high),
            coarse=luck,
            width=104,
        )
        value = say("word error, {coverage}", coverage=sure)
        others = column(say("beside all others"), lambda r: _beside(r), width=320)
    else:
        beside = column(say("confirmed"), _confirmed, lambda r: _cell(r.member.positives), width=104)
        value = say("rate, {coverage}", coverage=sure)
        others = column(say("all others, {coverage}", coverage=sure), _others, _others_ends, ends=True, width=216)
    return (
        Column(say("radiologist"), lambda r: r.name, tip=_reason, sort=by_name, coarse=lambda r: r.name, width=160),
        Column(
            say("n"),
            lambda r: whole(r.member.n),
            True,
            lambda r: r.member.n,
            tip=_reason,
            coarse=lambda r: banded(r.member.n),
            width=64,
        ),
        beside,
        column(
            value,
            lambda r: interval(r.member.value, r.member.low, r.member.high) or say("not enough data"),
            lambda r: (_cell(r.member.value), _cell(r.member.low), _cell(r.member.high)),
            ends=True,
            coarse=coarsely,
            width=160,
        ),
        column(
            say("lies apart"),
            lambda r: probably(_probability(r)),
            lambda r: _cell(_probability(r)),
            width=152,
        ),
        others,
    )


def _reason(r: _Row) -> str:
    return lacking(r.member)


def _cell(value: float | None) -> float | str:
    return "" if value is None else value


def _decimal(value: float | None) -> str:
    return "" if value is None else decimal(value)


def _confirmed(r: _Row) -> str:
    return "" if r.member.positives is None else spoken().part(r.member.positives, r.member.n)


def _probability(r: _Row) -> float | None:
    return None if r.member.part is None else r.member.part.probability


def _beside(r: _Row) -> str:
    part = r.member.part
    return "" if part is None or not part.phrase else f"{quoted(part.phrase)} {beside_others(part)}"


def _others(r: _Row) -> str:
    others = r.member.others
    if others is None:
        return ""
    return say("{rate}, n = {n}", rate=rate(others.value, others.low, others.high), n=whole(others.n))


def _others_ends(r: _Row) -> tuple[float | str, ...]:
    others = r.member.others
    return ("", "", "") if others is None else (others.value, others.low, others.high)


class ApartRow(NamedTuple):
    """A word of a radiologist, under the name on show."""

    name: str
    found: LyingApart


def apart_columns() -> tuple[Column, ...]:
    """Of :class:`ApartRow`."""
    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, width=140),
        Column(say("pathology"), lambda r: topic_name(r.found.topic), width=140),
        Column(say("word"), lambda r: quoted(r.found.rate.phrase), width=140),
        Column(
            say("confirmed"),
            lambda r: rate(r.found.rate.rate, r.found.rate.low, r.found.rate.high),
            export=lambda r: (r.found.rate.rate, r.found.rate.low, r.found.rate.high),
            ends=True,
            width=120,
        ),
        Column(say("n"), lambda r: whole(r.found.n), True, export=lambda r: r.found.n, width=56),
        Column(
            say("sure"),
            lambda r: spoken().sure(r.found.probability),
            True,
            export=lambda r: r.found.probability,
            sort=lambda r: r.found.probability,
            width=64,
        ),
        Column(say("how it lies apart"), _how, width=440),
    )


def _how(row: ApartRow) -> str:
    found = row.found
    if (part := found.part) is not None:
        values = {"rate": percent(part.others_positives / part.others_said), "n": whole(part.others_said)}
        if part.positives / part.said > part.others_positives / part.others_said:
            return say("confirmed more often than with the others, {rate} of {n}", **values)
        return say("confirmed less often than with the others, {rate} of {n}", **values)
    meant = percent_range(found.rate.meant_low, found.rate.meant_high)
    if found.rate.verdict == "stronger":
        return say("confirmed less often than readers take it to mean, {range}", range=meant)
    return say("confirmed more often than readers take it to mean, {range}", range=meant)
