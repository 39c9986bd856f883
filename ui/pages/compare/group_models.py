"""The tables of a department's groups, and of radiologists for the same mix of cases."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from radcal.reliability.subgroup_records import AuthorCases, Grouping, Stratifier, Subgroup
from ui.kit.column import (
    Column,
    RecordModel,
    by_name,
    count,
    estimated,
    measured,
    settled,
)
from ui.pages.compare.group_sentences import grouping_name, lacking, value_name
from ui.pages.compare.sentences import beside_others, probably
from ui.words import decimal, decimal_interval, percent, quoted, rate, say, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from radcal.reliability.records import Part, PhraseRate
    from radcal.reliability.subgroup_records import CaseMix, Subgroups


class GroupColumn(IntEnum):
    """The columns, left to right."""

    NAME = 0
    PATIENTS = 1
    N = 2
    ERROR = 3
    LUCK = 4
    ECE = 5
    WORD = 6
    """The rate of the word on which the groups lie furthest apart."""
    VERDICT = 7


class _Row(NamedTuple):
    name: str
    group: Subgroup
    rate: PhraseRate | None


class GroupsModel(RecordModel):
    """One row a group, in their order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_columns("", "site"), parent)

    def show_groups(self, found: Subgroups) -> None:
        """Show these groups."""
        rows = []
        for g in found.groups:
            said = next((r for r in g.reliability.phrases if r.phrase == found.phrase), None)
            rows.append(_Row(value_name(found.grouping, g.value), g, said))
        self.set_table(_columns(found.phrase, found.grouping), rows)


def _columns(phrase: str, grouping: Grouping) -> tuple[Column, ...]:
    few = say("not enough data")
    named = say("\u201c{phrase}\u201d confirmed", phrase=phrase) if phrase else say("confirmed")

    def reason(row: _Row) -> str:
        return str(row.group.reliability.reason)

    def word(row: _Row) -> str:
        r = row.rate
        return "" if r is None else say("{rate}, n = {n}", rate=rate(r.rate, r.low, r.high), n=whole(r.n))

    return (
        Column(grouping_name(grouping), lambda r: r.name, tip=reason, width=140),
        count(say("patients"), lambda r: r.group.patients, width=68),
        count(say("findings"), lambda r: r.group.reliability.n, width=68),
        estimated(
            say("word error"),
            lambda r: (
                r.group.reliability.word_error,
                r.group.reliability.word_error_low,
                r.group.reliability.word_error_high,
            ),
            decimal_interval,
            missing=few,
            tip=reason,
            meaning=say("How far the confirmed rates of hedged words lie from what the words mean, with its interval"),
            width=132,
        ),
        measured(
            say("luck alone"),
            lambda r: _luck(r.group),
            decimal,
            say("The word error that a perfectly calibrated reader would have with these words, on average"),
            width=84,
        ),
        estimated(
            say("ECE"),
            lambda r: (r.group.reliability.ece, r.group.reliability.ece_low, r.group.reliability.ece_high),
            decimal_interval,
            missing=few,
            tip=reason,
            width=132,
        ),
        replace(
            estimated(
                named,
                lambda r: r.rate and (r.rate.rate, r.rate.low, r.rate.high),
                rate,
                meaning=say("The hedged word on which the groups lie furthest apart"),
            ),
            text=word,
            width=190,
        ),
        Column(
            say("differs from the others"),
            lambda r: probably(r.group.probability),
            meaning=say("Whether CT confirmed a word 5 points more or less often than in all other groups"),
            width=160,
        ),
    )


def _luck(group: Subgroup) -> float | None:
    """What luck gives on average, where the word error is shown."""
    r = group.reliability
    return None if r.word_error_low is None else r.luck_word_mean


class MixColumn(IntEnum):
    """The columns, left to right."""

    NAME = 0
    N = 1
    IN_ALL = 2
    VERDICT = 3
    WORD = 4
    """The word that sets the radiologist apart most where cases are alike."""
    COVERED = 5
    LACKING = 6


class _Mixed(NamedTuple):
    name: str
    author: AuthorCases
    by: tuple[Stratifier, ...]
    least: int


class CaseMixModel(RecordModel):
    """One row a radiologist, by name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_mix_columns(), parent)
        self.said = lambda row: row.author.n

    def show_case_mix(self, made: CaseMix, names: Mapping[str, str]) -> None:
        """Show these radiologists under these names; nobody without one."""
        rows = [_Mixed(names[a.author], a, made.by, made.fewest) for a in made.authors if a.author in names]
        self.set_rows(sorted(rows, key=by_name))


def _mix_columns() -> tuple[Column, ...]:
    """The columns; what is worked out with everybody's rates and mix stays out of coarse exports."""

    def differs(header: str, of: Callable[[AuthorCases], Part | None], meaning: str) -> Column:
        def told(row: _Mixed) -> str:
            part = of(row.author)
            if part is None or not settled(row.author.n, row.least):
                return ""
            return say("yes") if part.differs else say("not shown")

        return Column(
            header,
            lambda r: probably(None if (part := of(r.author)) is None else part.probability),
            sort=by_name,
            coarse=told,
            meaning=meaning,
            width=216,
        )

    def word(row: _Mixed) -> str:
        part = row.author.like_cases
        return "" if part is None or not part.phrase else f"{quoted(part.phrase)} {beside_others(part)}"

    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, coarse=lambda r: r.name, width=140),
        count(say("hedged"), lambda r: r.author.n, leaves=True, width=72),
        differs(
            say("differs from the others"),
            lambda a: a.in_all,
            say("Whether CT confirmed a word 5 points more or less often than all others\u2019"),
        ),
        differs(
            say("differs where cases are alike"),
            lambda a: a.like_cases,
            say("Whether CT confirmed a word 5 points more or less often than all others\u2019 in the same cases"),
        ),
        Column(say("word where cases are alike"), word, sort=by_name, width=320),
        Column(
            say("mix seen"),
            lambda r: percent(r.author.covered),
            True,
            export=lambda r: r.author.covered,
            sort=by_name,
            meaning=say("The share of the department\u2019s mix in which the radiologist hedged anything"),
            width=80,
        ),
        Column(say("not seen"), lambda r: lacking(r.author, r.by), sort=by_name, width=180),
    )
