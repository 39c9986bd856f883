"""The tables of radiologists, and of the words that stand apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from radcal.calibration.closed import Outcome
from radcal.system.coarse import cell, rounded
from radcal.system.exports import ExamTime, ReportNumber
from radcal.system.intervals import of_cell
from ui.kit.column import (
    Column,
    by_name,
    count,
    estimated,
    measured,
    never_by_values,
    report_column,
    settled,
    to_five_points,
)
from ui.language import spoken
from ui.pages.department.sentences import beside_others, lacking, probably
from ui.plots.figures import in_points, shown_interval
from ui.sentences import modality_text, topic_name
from ui.words import day, percent, percent_range, quoted, rate, report_name, say, whole

if TYPE_CHECKING:
    from radcal.calibration.closed import CallBack
    from radcal.calibration.comparison_records import LyingApart, Member
    from radcal.words.records import Phrase


def missed() -> str:
    """What a column of distances from what words mean is called."""
    return say("missed meaning by")


Value = Literal["distance", "rate", "share", "closed"]


class MemberRow(NamedTuple):
    """A radiologist under the name on show."""

    name: str
    member: Member


def member_columns(what: Value = "distance", confidence: float = 0.95, fewest: int = 1) -> tuple[Column, ...]:
    """All radiologists by one value, which no column sorts by.

    What is worked out with others' figures stays out of coarse exports, and so does the number confirmed, which with
    n and the rate would tell them.

    Args:
        what: the distance of hedged words from what they mean, the rate of a word, a share of reports, or that of
            recommendations done in time.
        confidence: coverage of the intervals.
        fewest: statements or reports that a value needs.
    """
    score, share = what == "distance", what in ("share", "closed")
    n, of_them = {"share": (say("reports"), say("with it")), "closed": (say("due"), say("in time"))}.get(
        what, (say("n"), say("confirmed"))
    )
    told: dict[str, Any] = {"tip": lambda r: lacking(r.member), "sort": by_name, "meaning": never_by_values()}

    def coarsely(r: MemberRow) -> tuple[Any, ...]:
        m = r.member
        made = None if score else cell(m.n, m.positives or 0.0)
        if made is not None and (not share or settled(m.n, fewest)):
            return made.rate, *of_cell(made, confidence)
        return to_five_points(m.value, m.low, m.high) if not share and settled(m.n, fewest) else to_five_points(None)

    def chance(r: MemberRow) -> float | str:
        m = r.member
        return "" if m.luck_high is None or not settled(m.n, fewest) else rounded(m.luck_high)

    if score:
        beside = measured(
            say("chance alone, up to"), lambda r: r.member.luck_high, in_points, coarse=chance, width=130, **told
        )
        others = Column(say("all others"), _beside, width=320, **told)
    else:
        beside = Column(
            of_them,
            _confirmed,
            True,
            export=lambda r: r.member.positives,
            width=104,
            **told,
        )
        others = estimated(
            say("all others"),
            lambda r: (o := r.member.others) and (o.value, o.low, o.high),
            rate,
            number=False,
            width=160,
            **told,
        )
    value = estimated(
        missed() if score else say("share") if share else say("rate"),
        lambda r: (r.member.value, r.member.low, r.member.high),
        lambda *ends: shown_interval(*ends, score=score),
        missing=say("not enough data"),
        coarse=coarsely,
        width=160,
        **told,
    )
    apart = Column(
        say("differs from the others"), lambda r: probably(_probability(r)), export=_probability, width=160, **told
    )
    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, coarse=lambda r: r.name, width=160),
        count(n, lambda r: r.member.n, leaves=True, width=72),
        beside,
        value,
        *(() if share else (apart,)),
        others,
    )


def _confirmed(r: MemberRow) -> str:
    return "" if r.member.positives is None else spoken().part(r.member.positives, r.member.n)


def _probability(r: MemberRow) -> float | None:
    return None if r.member.part is None else r.member.part.probability


def _beside(r: MemberRow) -> str:
    part = r.member.part
    return "" if part is None or not part.phrase else f"{quoted(part.phrase)} {beside_others(part)}"


def call_back_columns() -> tuple[Column, ...]:
    """Recommendations that are late or not seen here: CallBack."""
    return (
        report_column(112),
        Column(
            say("examined on"),
            lambda r: day(r.time.date()),
            sort=lambda r: r.time.isoformat(),
            export=lambda r: ExamTime(r.report_id, r.time),
            width=84,
        ),
        Column(say("patient"), lambda r: r.patient_id, export=lambda r: ReportNumber(r.patient_id), width=84),
        Column(say("recommended"), _recommended, width=148),
        Column(
            say("in time until"),
            lambda r: day(r.until.date()),
            sort=lambda r: r.until.isoformat(),
            export=lambda r: ExamTime(r.report_id, r.until),
            width=92,
        ),
        Column(say("what followed here"), _what_followed, export=_kind_that_followed, width=204),
        Column(say("the report said"), lambda r: r.sentence, width=200),
    )


def _recommended(r: CallBack) -> str:
    what = modality_text(r.wanted) if r.wanted else say("imaging")
    if r.last < 0:
        return say("{what}, no time stated", what=what)
    if r.first == r.last:
        return say("{what} in {n} days", what=what, n=whole(r.last))
    if r.first == 0:
        return say("{what} within {n} days", what=what, n=whole(r.last))
    return say("{what} in {first} to {last} days", what=what, first=whole(r.first), last=whole(r.last))


def _what_followed(r: CallBack) -> str:
    if r.seen_time is None:
        return say("nothing")
    named = {"report": report_name(r.seen), "day": day(r.seen_time.date())}
    if r.outcome == Outcome.LATE:
        return say("{report}, {day}, late", **named)
    return say("{report}, {day}, does not fit", **named)


def _kind_that_followed(r: CallBack) -> str:
    """Without number and day, which exports may cover."""
    return say("late") if r.outcome == Outcome.LATE else say("what does not fit") if r.seen else say("nothing")


class ApartRow(NamedTuple):
    """A word of a radiologist, under the name on show, and the phrase that it is, None once the results are gone."""

    name: str
    found: LyingApart
    phrase: Phrase | None


def apart_columns() -> tuple[Column, ...]:
    """Of :class:`ApartRow`."""
    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, width=88),
        Column(say("pathology"), lambda r: topic_name(r.found.topic), width=96),
        Column(say("word"), lambda r: quoted(r.found.rate.phrase), width=124),
        count(say("n"), lambda r: r.found.n, width=36),
        estimated(
            say("confirmed"), lambda r: (r.found.rate.rate, r.found.rate.low, r.found.rate.high), rate, width=104
        ),
        measured(say("sure"), lambda r: r.found.probability, spoken().sure, width=64),
        Column(say("stands apart from"), _how, width=160),
    )


def _how(row: ApartRow) -> str:
    found = row.found
    if (part := found.part) is not None:
        share = percent(part.others_positives / part.others_said)
        return say("the others, {rate} of {n}", rate=share, n=whole(part.others_said))
    return "" if (p := row.phrase) is None else say("its meaning, {range}", range=percent_range(p.low, p.high))
