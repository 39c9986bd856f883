"""Shares of reports that quality assurance tracks: with a hedge, with a standard word, with a recommendation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from radcal.findings.marking import Marking, standard_scale
from radcal.reliability.comparison_records import Trend, Unit
from radcal.reliability.days import within
from radcal.reliability.habit_records import (
    FOLLOW_UP,
    HABITS,
    Habit,
    HabitComparison,
    OwnHabit,
    OwnHabits,
    Searched,
    Share,
)
from radcal.reports.records import Modality
from radcal.system.errors import DataError, NothingSaid
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.workspace.context import ANALYSIS_KEY, IMPORTED_FILES, LEXICON_KEY

if TYPE_CHECKING:
    import pandas as pd

    from radcal.findings.runs import Runs
    from radcal.reliability.stored_analysis import StoredAnalysis
    from radcal.system.coarse import Cell
    from radcal.system.files import Json
    from radcal.workspace.context import Context

MODALITIES = (Modality.XRAY, Modality.CT)


class Counts(NamedTuple):
    """Counts of reports by author, modality and day, and the scale that says which words are standard."""

    frame: pd.DataFrame
    scale: str
    chosen: bool


class HabitCounts:
    """The counts of a department, marked when they are first asked for, and kept until its results change."""

    def __init__(self, context: Context, stored: StoredAnalysis, runs: Runs) -> None:
        self._context = context
        self._stored = stored
        self._runs = runs
        self._kept: tuple[object, Counts] | None = None

    def __call__(self, progress: Progress = SILENT) -> Counts:
        """The counts; raises as :meth:`Marking.counts`."""
        key = self._state()
        if self._kept is None or self._kept[0] != key:
            scale, chosen = standard_scale(self._context.settings.vocabulary)
            self._kept = key, Counts(self._marking().counts(progress), scale.name, chosen)
        return self._kept[1]

    def recommended(self, progress: Progress = SILENT) -> pd.DataFrame:
        """Recommendations in all reports, by what they ask for; raises as :meth:`Marking.counts`."""
        return self._marking().recommended(progress)

    def _marking(self) -> Marking:
        return Marking(self._context, self._stored.lexicon, self._runs.on_show())

    def _state(self) -> tuple[object, ...]:
        workspace = self._context.workspace
        known = (workspace.get_meta(name) for name in (ANALYSIS_KEY, IMPORTED_FILES, LEXICON_KEY))
        return (*known, self._runs.on_show(), self._context.settings.vocabulary, self._stored.lexicon.version)


class Habits:
    """Shares of reports by radiologist and over time; methods belong in a worker thread."""

    def __init__(
        self,
        context: Context,
        stored: StoredAnalysis,
        counts: Callable[[Progress], Counts | None],
        others: Callable[[], Json | None],
    ) -> None:
        """
        Args:
            counts: those of the workspace; of a personal file, its radiologist's, None if its workspace knew none.
            others: of a personal file, what :func:`others_as_plain` wrote; None in a department.
        """
        self._context = context
        self._stored = stored
        self._counts = counts
        self._others = others

    def compare(
        self, habit: Habit, modality: Modality, days: Days = ALL_DAYS, progress: Progress = SILENT
    ) -> HabitComparison:
        """All radiologists beside each other, in the order of their pseudonyms.

        Raises:
            NothingSaid: no report of the modality was searched, in these days.
            DataError: as :meth:`known`.
            Cancelled: by ``progress``.
        """
        from radcal.reliability.habits import cells_of, compare_shares, counted, quarters, share

        known, settings = self.known(progress), self._context.settings
        part = _part(known.frame, modality, days)
        counts = counted(part, habit)
        if counts.empty:
            raise NothingSaid("No report of this kind was read in these days. Choose other days or other reports.")
        least, confidence = settings.min_group_n, settings.confidence
        made = compare_shares(
            counts[counts["author"] != ""],
            habit,
            self.aliases(counts["author"]),
            least=least,
            confidence=confidence,
            seed=settings.seed,
        )
        return HabitComparison(
            habit,
            modality,
            known.scale,
            known.chosen,
            made,
            share(float(counts["y"].sum()), float(counts["n"].sum()), least, confidence),
            Searched(*(int(part[name].sum()) for name in ("reports", "searched", "read"))),
            quarters(cells_of(counts[counts["author"] != ""], least)),
        )

    def first(self, days: Days = ALL_DAYS, progress: Progress = SILENT) -> HabitComparison:
        """The first share by which radiologists differ at all, of X-ray reports if there is one: of ``FOLLOW_UP``, or
        of another habit where nobody has that.

        Raises: as :meth:`compare`.
        """
        order = [(habit, modality) for modality in MODALITIES for habit in sorted(HABITS, key=lambda h: h != FOLLOW_UP)]
        made: HabitComparison | None = None
        for habit, modality in order:
            try:
                found = self.compare(habit, modality, days, progress)
            except NothingSaid:
                continue
            if found.together.y > 0:
                return found
            made = made or found
        return made or self.compare(*order[0], days, progress)

    def over_time(
        self,
        habit: Habit,
        modality: Modality,
        author: str = "",
        unit: Unit = "quarter",
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> Trend:
        """The share by month or quarter, of one radiologist or of all ('').

        Raises:
            DataError, Cancelled: as :meth:`compare`; periods without a report are missing.
        """
        from radcal.reliability.habits import counted, periods

        settings = self._context.settings
        counts = counted(_part(self.known(progress).frame, modality, days), habit)
        if author:
            counts = counts[counts["author"] == author]
        made = periods(counts, unit, least=settings.min_group_n, confidence=settings.confidence)
        fewest = settings.min_group_n
        return Trend("", habit, author, unit, made, confidence=settings.confidence, fewest=fewest)

    def own(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> OwnHabits:
        """One radiologist's shares beside those of all others, which are of all days, coarse, and may be unknown.

        Raises:
            DataError, Cancelled: as :meth:`known`.
        """
        from radcal.reliability.habits import counted, share

        known, settings = self.known(progress), self._context.settings
        others = self._others()
        told = others_as_plain(known, author, settings.min_group_n, settings.confidence) if others is None else others
        rows = []
        for modality in MODALITIES:
            mine = _part(known.frame, modality, days)
            mine = mine[mine["author"] == author]
            for habit in HABITS:
                counts = counted(mine, habit)
                n, y = float(counts["n"].sum()), float(counts["y"].sum())
                if not n:
                    continue
                beside = told.get(f"{modality} {habit}") or {}
                of_others = Share(**beside["others"]) if beside.get("others") else None
                own = share(y, n, settings.min_group_n, settings.confidence)
                rows.append(OwnHabit(habit, modality, own, of_others, beside.get("quarter")))
        return OwnHabits(author, known.scale, known.chosen, settings.min_group_n, settings.confidence, tuple(rows))

    def known(self, progress: Progress = SILENT) -> Counts:
        """The counts behind all shares.

        Raises:
            DataError: the reports are not searched yet, and the workspace is open to read only; or a personal file
                has no counts, because its workspace was.
            Cancelled: by ``progress``.
        """
        found = self._counts(progress)
        if found is None:
            raise DataError(
                "This personal file does not tell how often your reports hedge or recommend something: the workspace "
                "that it was written from was open for reading only. Ask for a new file."
            )
        return found

    def aliases(self, authors: pd.Series[str]) -> dict[str, str]:
        """A pseudonym for each of these authors, those of the analysis as elsewhere."""
        from radcal.workspace.pseudonyms import pseudonyms

        everyone = sorted({str(a) for a in authors.unique()} - {""})
        if self._context.names.kept_apart:
            return {a: a for a in everyone}
        known = self._stored.pseudonyms() if self._stored.last() is not None else {}
        drawn = pseudonyms([*everyone, *known], self._context.workspace.pseudonym_seed)
        taken, made = set(known.values()), {}
        for a in everyone:
            name, k = known.get(a) or drawn[a], 1
            while a not in known and name in taken:
                k += 1
                name = f"{drawn[a]} {k}"
            taken.add(name)
            made[a] = name
        return made


def others_as_plain(known: Counts, author: str, least: int, confidence: float) -> Json:
    """What a radiologist may be told of all others: shares to 5 points, and the own quarter, by modality and habit."""
    from radcal.reliability.habits import cells_of, counted, of_others, quarters

    made = {}
    for modality in MODALITIES:
        for habit in HABITS:
            counts = counted(_part(known.frame, modality, ALL_DAYS), habit)
            cells: Mapping[str, Cell] = cells_of(counts[counts["author"] != ""], least)
            others = of_others(cells, author, confidence)
            quarter = quarters(cells).get(author)
            made[f"{modality} {habit}"] = {"others": None if others is None else asdict(others), "quarter": quarter}
    return made


def _part(frame: pd.DataFrame, modality: Modality, days: Days) -> pd.DataFrame:
    part = frame[frame["modality"] == modality]
    return part[within(part["day"], days)] if days.are_limited else part
