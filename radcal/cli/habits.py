"""``radcal habits``: shares of reports that quality assurance tracks, as a table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from radcal.calibration.closed import CallBack, Outcome, outcomes_of
from radcal.calibration.days import starts
from radcal.calibration.habits import HABITS, MODALITIES, cells_of, counted, quarters, share
from radcal.cli.passphrases import department_for_exports
from radcal.cli.summaries import TOO_FEW, Summary, entered, shown_names
from radcal.cli.summaries import counted as in_words
from radcal.system import coarse, exports
from radcal.system.errors import InputError
from radcal.system.intervals import of_cell, of_cells
from radcal.system.progress import Progress

if TYPE_CHECKING:
    import pandas as pd

By = Literal["author", "month", "quarter"]


COLUMNS = ("modality", "figure", "radiologist", "first_day", "n", "with_it", "share", "low", "high", "quarter")
"""Of the table; radiologist '' is all together, first_day '' all dates."""
OPEN_COLUMNS = (
    "accession", "patient_id", "examined", "asked_for", "first_day", "last_day", "in_time_until", "outcome", "seen",
    "seen_on", "sentence",
)  # fmt: skip
"""Of the list of recommended imaging; "asked_for" '' is imaging of no named kind, days are '' where none are stated."""

_OF_PEOPLE = ("radiologist", "n", "with_it", "share", "low", "high", "quarter")
SUFFIXES = (".csv", ".xlsx")


def habits(args: argparse.Namespace, bar: Progress) -> Summary:
    """Write the shares of reports with a hedge, a standard word, a recommendation, of all and of each radiologist.

    What reports recommend is counted in all that were imported; hedges and standard words in those that the engine
    behind the results has read.  Texts that were not searched yet are, which is kept in the workspace.  Figures under
    pseudonyms are as coarse as :mod:`radcal.system.coarse` has them.

    Returns:
        The summary: rows, reports, searched, read, scale, chosen, recommended, followed, out, and ``text``.

    Raises:
        InputError: a file cannot be used or written, or --out or --open is no table.
        DataError: nothing was imported, or the workspace could be opened for reading only and is not searched yet.
        Cancelled: by the user; what was searched is kept.
    """
    out, named = args.out, args.names
    for path in filter(None, (out, args.open)):
        if path.suffix.lower() not in SUFFIXES:
            raise InputError(
                "{name} is neither a CSV nor an Excel file. Let its name end with .csv or .xlsx.", name=path.name
            )
    with department_for_exports(args) as department:
        names = shown_names(department, named=True) if named else {}
        known = department.habits.known(bar)
        frame, settings = known.frame, department.settings
        called = {a: names.get(a, a) for a in frame["author"].unique()} if named else department.habits.aliases(
            frame["author"]
        )  # fmt: skip
        rows = list(
            habit_rows(frame, called, args.by, least=settings.min_group_n, confidence=settings.confidence, named=named)
        )
        cells = ([row[name] for name in COLUMNS] for row in rows)
        what = "shares of reports"
        department.exports.write(out, exports.table([list(COLUMNS), *cells], out.suffix, what, marked=True))
        sums = {name: int(frame[name].sum()) for name in ("reports", "searched", "read")}
        recommended = department.habit_counts.recommended(bar)
        outcomes = {} if known.followed is None else outcomes_of(known.followed)
        text = (
            f"{in_words(sums['reports'], 'report', 'reports')}: {sums['searched']:,} searched for recommendations, "
            f"{sums['read']:,} read for words of certainty (those of pairs). Standard words are those of the scale "
            f"{known.scale}{'' if known.chosen else ', as the department has chosen none'}. "
            f"{in_words(len(rows), 'row is', 'rows are')} in {out}."
        )
        if not named and not rows:
            text += f" {TOO_FEW}"
        if args.open is not None:
            listed = department.habits.call_backs(bar)
            content = [list(OPEN_COLUMNS), *(_open_row(r, own=args.accession_numbers) for r in listed)]
            what = "recommendations not seen done"
            department.exports.write(args.open, exports.table(content, args.open.suffix, what, marked=True))
            past = in_words(outcomes[Outcome.OPEN], "recommendation is", "recommendations are")
            text += (
                f" {past} past the time, and no later examination is here; {outcomes[Outcome.LATE]:,} came late. "
                f"They are in {args.open}."
            )
        summary = {
            "rows": len(rows),
            **sums,
            "scale": known.scale,
            "chosen": known.chosen,
            "recommended": recommended.to_dict("records") if named else [],
            "followed": outcomes if named else {},
            "out": str(out),
            "text": text,
        }
        return entered(summary, department)


def _open_row(r: CallBack, *, own: bool) -> list[Any]:
    def number(of: str) -> Any:
        return of if own or not of else exports.ReportNumber(of)

    def moment(time: datetime | None) -> Any:
        return time if own or time is None else exports.ExamTime(r.report_id, time)

    stated = [day if day >= 0 else "" for day in (r.first, r.last)]
    head = number(r.accession or r.report_id), number(r.patient_id), moment(r.time)
    return [*head, r.wanted, *stated, moment(r.until), r.outcome, number(r.seen), moment(r.seen_time), r.sentence]


def habit_rows(
    frame: pd.DataFrame, called: Mapping[str, str], by: By, *, least: int, confidence: float, named: bool
) -> Iterator[dict[str, Any]]:
    """The rows of the table, all together before each radiologist.

    Under pseudonyms a radiologist has a row from 5 reports on, a period rows from 5 radiologists on, and all together
    are worked out from their rows; a share needs a band of n at or above ``least``.

    Args:
        frame: counts as ``habit_counts`` of the workspace returns them.
        called: what radiologists are called, by author.
        by, named: the options of the command.
    """
    for modality in MODALITIES:
        of_modality = frame[frame["modality"] == modality]
        for habit in HABITS:
            counts = counted(of_modality, habit)
            head = {"modality": str(modality), "figure": habit}
            for first, part in _periods(counts, by):
                made = _exact if named else _coarse
                for row in made(part, called, least, confidence):
                    yield {**head, "first_day": first, **row}


def _periods(counts: pd.DataFrame, by: By) -> Iterator[tuple[str, pd.DataFrame]]:
    if by == "author":
        yield "", counts
        return
    if counts.empty:
        return
    for first, part in counts.groupby(starts(counts["day"], by), sort=True):
        day: date = first.date()  # type: ignore[attr-defined]  # a time stamp
        yield day.isoformat(), part


def _exact(counts: pd.DataFrame, called: Mapping[str, str], least: int, confidence: float) -> Iterator[dict[str, Any]]:
    sums = counts.groupby("author", sort=True)[["n", "y"]].sum()
    if sums.empty:
        return
    places = quarters(cells_of(counts[counts["author"] != ""], least))
    everyone = [("", float(sums["n"].sum()), float(sums["y"].sum()))]
    for author, n, y in [*everyone, *sums[sums.index != ""].itertuples(name=None)]:
        of = share(float(y), float(n), least, confidence)
        name = called.get(str(author), str(author)) if author else ""
        yield _row(name, int(n), int(y), (of.value, of.low, of.high), places.get(str(author)))


def _coarse(counts: pd.DataFrame, called: Mapping[str, str], least: int, confidence: float) -> Iterator[dict[str, Any]]:
    sums = counts[counts["author"] != ""].groupby("author", sort=True)[["n", "y"]].sum()
    cells = {str(a): made for a, n, y in sums.itertuples(name=None) if (made := coarse.cell(n, y)) is not None}
    if len(cells) < coarse.FEWEST:
        return
    shown = {a: c for a, c in cells.items() if c.n.low >= least}
    if len(shown) > coarse.FEWEST and (found := coarse.together(shown.values())) is not None:
        n, y = found
        yield _row("", coarse.range_of(n), None, (coarse.rounded(y / n), *of_cells(shown.values(), confidence)), None)
    places = quarters(shown)
    for author in sorted(cells, key=lambda a: called[a].casefold()):
        c = cells[author]
        values = (c.rate, *of_cell(c, confidence)) if author in shown else (None, None, None)
        yield _row(called[author], f"{c.n.low}-{c.n.high}", None, values, places.get(author))


def _row(
    name: str, n: int | str, with_it: int | None, values: tuple[float | None, ...], quarter: int | None
) -> dict[str, Any]:
    return dict(zip(_OF_PEOPLE, (name, n, with_it, *values, quarter), strict=True))
