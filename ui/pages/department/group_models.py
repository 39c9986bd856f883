"""The tables of a department's groups, of radiologists for the same mix of cases, and of their wording."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from radcal.calibration.subgroup_records import AuthorCases, Grouping, Subgroup
from ui.kit.column import Column, by_name, count, estimated, measured, never_by_values, settled, to_five_points
from ui.pages.department.group_sentences import grouping_name
from ui.pages.department.models import missed
from ui.pages.department.sentences import beside_others, probably
from ui.plots.figures import in_points, shown_interval
from ui.words import quoted, rate, say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.calibration.records import Part, PhraseRate
    from radcal.lab.wording import WordingMember


class GroupRow(NamedTuple):
    """A group under its name, and how often CT confirmed the word on which the groups lie furthest apart."""

    name: str
    group: Subgroup
    rate: PhraseRate | None


def group_columns(phrase: str = "", grouping: Grouping = "site") -> tuple[Column, ...]:
    """Of :class:`GroupRow`."""

    def reason(row: GroupRow) -> str:
        return str(row.group.reliability.reason)

    def word(row: GroupRow) -> str:
        r = row.rate
        return "" if r is None else f"{rate(r.rate, r.low, r.high)}, n = {whole(r.n)}"

    def distance(row: GroupRow) -> tuple[float | None, float | None, float | None]:
        r = row.group.reliability
        return r.word_error, r.word_error_low, r.word_error_high

    named = say("\u201c{phrase}\u201d confirmed", phrase=phrase) if phrase else say("confirmed")
    return (
        Column(grouping_name(grouping), lambda r: r.name, tip=reason, width=160),
        count(say("patients"), lambda r: r.group.patients, width=72),
        count(say("findings"), lambda r: r.group.reliability.n, width=72),
        estimated(
            missed(),
            distance,
            lambda *ends: shown_interval(*ends, score=True),
            missing=say("not enough data"),
            tip=reason,
            width=230,
        ),
        measured(say("chance alone"), lambda r: _chance(r.group), in_points, width=100),
        replace(
            estimated(named, lambda r: r.rate and (r.rate.rate, r.rate.low, r.rate.high), rate), text=word, width=190
        ),
        Column(say("differs from the others"), lambda r: probably(r.group.probability), width=160),
    )


def _chance(group: Subgroup) -> float | None:
    """What chance gives on average, where the distance is shown."""
    r = group.reliability
    return None if r.word_error_low is None else r.luck_word_mean


class MixRow(NamedTuple):
    """A radiologist under the name on show.  least: uses of a word that it needs to be compared"""

    name: str
    author: AuthorCases
    least: int


def mix_columns() -> tuple[Column, ...]:
    """Of :class:`MixRow`; what is worked out with everybody's rates and mix stays out of coarse exports."""

    def differs(header: str, of: Callable[[AuthorCases], Part | None]) -> Column:
        def told(row: MixRow) -> str:
            part = of(row.author)
            if part is None or not settled(row.author.n, row.least):
                return ""
            return say("yes") if part.differs else say("not shown")

        return Column(
            header,
            lambda r: probably(None if (part := of(r.author)) is None else part.probability),
            sort=by_name,
            coarse=told,
            width=216,
        )

    def word(row: MixRow) -> str:
        part = row.author.like_cases
        return "" if part is None or not part.phrase else f"{quoted(part.phrase)} {beside_others(part)}"

    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, coarse=lambda r: r.name, width=140),
        count(say("findings"), lambda r: r.author.n, leaves=True, width=72),
        differs(say("differs from the others"), lambda a: a.in_all),
        differs(say("differs where cases are alike"), lambda a: a.like_cases),
        Column(say("all others"), word, sort=by_name, width=320),
    )


class WordingRow(NamedTuple):
    """A radiologist under the name on show.  least: findings that it takes to be compared"""

    name: str
    member: WordingMember
    least: int


def wording_columns() -> tuple[Column, ...]:
    """Of :class:`WordingRow`."""

    def changed(r: WordingRow) -> tuple[Any, Any, Any]:
        f = r.member.found
        return (None, None, None) if f is None else (f.expected_tvd, f.low, f.high)

    def chance(r: WordingRow) -> tuple[Any, Any, Any]:
        f = r.member.found
        return (None, None, None) if f is None else (f.control_tvd, f.control_low, f.control_high)

    told: dict[str, Any] = {"sort": by_name, "meaning": never_by_values()}
    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, coarse=lambda r: r.name, width=140),
        count(
            say("findings"),
            lambda r: r.member.found and r.member.found.n_answers,
            say("Findings of a pathology and CT result that colleagues have as well"),
            leaves=True,
            sort=by_name,
            width=90,
        ),
        estimated(
            say("would have to change"),
            changed,
            rate,
            missing=say("not enough data"),
            coarse=lambda r: to_five_points(*changed(r)) if _settled(r) else to_five_points(None),
            width=160,
            **told,
        ),
        estimated(say("chance alone"), chance, rate, width=130, **told),
        Column(
            say("differs from the others"),
            _follows,
            sort=by_name,
            coarse=lambda r: _follows(r) if _settled(r) else "",
            width=200,
        ),
    )


def _settled(r: WordingRow) -> bool:
    """Whether the band of the findings compared says already that there are enough, or too few."""
    return settled((r.member.found and r.member.found.n_answers) or 0, r.least)


def _follows(r: WordingRow) -> str:
    if r.member.found is None:
        return say("not enough data")
    return say("yes") if r.member.is_apart else say("not shown")
