"""Shares of reports that have something: per radiologist, over time, and in quarters.

Reports are counted as if each stood by itself; a radiologist's reports of one day or patient may be alike, so that
intervals are rather too narrow than too wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from radcal.calibration.closed import CallBack, Outcome, call_backs, followed_in, outcomes_of, with_followed
from radcal.calibration.comparison_records import Comparison, Lacking, Member, Others, Period, Trend
from radcal.calibration.days import Unit, following, starts, within
from radcal.findings.marking import Marking, standard_scale
from radcal.reports.records import Modality
from radcal.system.coarse import FEWEST, Cell, cell, rounded, together
from radcal.system.errors import DataError, NothingSaid
from radcal.system.intervals import jeffreys, of_cells
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.workspace.context import ANALYSIS_KEY, IMPORTED_FILES, LEXICON_KEY
from radcal.workspace.pseudonyms import pseudonyms

if TYPE_CHECKING:
    import pandas as pd

    from radcal.calibration.stored_analysis import StoredAnalysis
    from radcal.findings.runs import Runs
    from radcal.system.files import Json
    from radcal.workspace.context import Context


Habit = Literal["hedge", "standard", "follow-up", "correlation", "closed"]
HABITS: tuple[Habit, ...] = ("hedge", "standard", "follow-up", "correlation", "closed")
"""What the share of reports is counted of: with any hedged finding; with a word of the scale; with a recommendation of
imaging or work-up; with one of clinical correlation.  "closed" is a share of recommendations of imaging whose time is
up: of those that were done in time (:mod:`radcal.calibration.closed`)."""


FOLLOW_UP: Habit = "follow-up"
"""The habit that is shown first."""
CLOSED: Habit = "closed"


@dataclass(frozen=True, slots=True)
class Share:
    """Reports that have something, among those that were searched for it.

    n, y:      reports searched, and those that have it; as far as others' exact figures are not told, about so many
    value, low, high: y / n with its interval, in 0-1; None where there is not enough data
    """

    n: float
    y: float
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """Of how many reports a share is known: imported, searched for recommendations, read by the engine."""

    reports: int
    searched: int
    read: int


@dataclass(frozen=True, slots=True, eq=False)
class HabitComparison:
    """All radiologists by the share of their reports that have something.

    scale:     the name of the scale whose words are the standard ones; chosen: whether the department chose it
    compared:  ``phrase`` is the habit, ``positives`` the reports that have it
    together:  all reports;  searched: of how many imported reports
    quarters:  radiologist -> 1-4, in which quarter of the radiologists the share lies, 1 the lowest, worked out from
               shares to 5 points; without those of too few reports, empty where there are too few radiologists
    outcomes:  of "closed", how many recommendations came to what;  call_backs: those that are late or open
    """

    habit: Habit
    modality: Modality
    scale: str
    chosen: bool
    compared: Comparison
    together: Share
    searched: Searched
    quarters: Mapping[str, int] = field(default_factory=dict)
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    call_backs: tuple[CallBack, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnHabit:
    """One radiologist's share beside that of all others, which is as coarse as :mod:`radcal.system.coarse` has it.

    others:  None for too few others;  quarter: as in :class:`HabitComparison`, None if it is not known
    """

    habit: Habit
    modality: Modality
    own: Share
    others: Share | None
    quarter: int | None


@dataclass(frozen=True, slots=True)
class OwnHabits:
    """One radiologist's shares.

    scale, chosen: as in :class:`HabitComparison`;  least: reports that a share needs
    """

    author: str
    scale: str
    chosen: bool
    least: int
    confidence: float
    rows: tuple[OwnHabit, ...]


COUNTED: Mapping[Habit, tuple[str, str]] = {
    "hedge": ("hedged", "read"),
    "standard": ("standard", "read"),
    "follow-up": ("follow_up", "searched"),
    "correlation": ("correlation", "searched"),
    CLOSED: ("closed", "due"),
}
"""The columns of counts that have the reports with something, and those that were searched for it."""
QUARTERS = 4
_FEWEST_IN_QUARTERS = 2 * FEWEST
"""Radiologists from whom on quarters are told: of fewer, a quarter would hold one or two."""


def counted(counts: pd.DataFrame, habit: Habit) -> pd.DataFrame:
    """The counts of one habit: author, day, n (searched) and y (with it), without rows of n = 0.

    Counts of an older personal file have no columns of a newer habit.
    """
    with_it, searched = COUNTED[habit]
    made = counts.reindex(columns=["author", "day", searched, with_it], fill_value=0)
    made = made.set_axis(["author", "day", "n", "y"], axis=1)
    return made[made["n"] > 0]


def share(y: float, n: float, least: float, confidence: float) -> Share:
    """y of n reports with their Jeffreys interval; without a value for fewer than ``least`` reports, or none."""
    if n < max(least, 1):
        return Share(n, y)
    low, high = jeffreys(np.array(float(y)), np.array(float(n)), confidence)
    return Share(n, y, y / n, float(low), float(high))


def compare_shares(
    counts: pd.DataFrame, habit: Habit, aliases: Mapping[str, str], *, least: int, confidence: float
) -> Comparison:
    """Radiologists beside each other, in the order of their pseudonyms; of fewer than ``least`` reports no value.

    Args:
        counts: as :func:`counted` returns them.
        aliases: pseudonyms by author.
    """
    sums = counts.groupby("author", sort=True)[["n", "y"]].sum()
    names, n, y = sums.index.astype(str).tolist(), sums["n"].to_numpy(float), sums["y"].to_numpy(float)
    enough = n >= max(least, 1)
    low, high = jeffreys(y, n, confidence)
    rest_n, rest_y = n.sum() - n, y.sum() - y
    rest_low, rest_high = jeffreys(rest_y, rest_n, confidence)
    members = []
    for i, name in enumerate(names):
        made = Member(name, aliases.get(name, name), float(n[i]), float(y[i]), reason="statements")
        if enough[i]:
            made = replace(made, value=float(y[i] / n[i]), low=float(low[i]), high=float(high[i]), reason="")
        if rest_n[i] >= max(least, 1):
            rest = float(rest_n[i]), float(rest_y[i] / rest_n[i]), float(rest_low[i]), float(rest_high[i])
            made = replace(made, others=Others(*rest))
        members.append(made)
    ordered = tuple(sorted(members, key=lambda m: m.alias.casefold()))
    reason: Lacking = "" if enough.sum() > 1 else "radiologists"
    return Comparison("", habit, ordered, (), confidence=confidence, fewest=least, reason=reason)


def periods(counts: pd.DataFrame, unit: Unit, *, least: int, confidence: float) -> tuple[Period, ...]:
    """The share in each month or quarter with reports; ``counts`` as :func:`counted` returns them."""
    if counts.empty:
        return ()
    sums = counts[["n", "y"]].groupby(starts(counts["day"], unit)).sum().sort_index()
    made = []
    for first, n, y in zip(sums.index, sums["n"].tolist(), sums["y"].tolist(), strict=True):
        start, of = first.date(), share(y, n, least, confidence)
        reason: Lacking = "" if of.value is not None else "statements"
        made.append(Period(start, following(start, unit), n, of.value, of.low, of.high, reason=reason))
    return tuple(made)


def cells_of(counts: pd.DataFrame, least: int) -> dict[str, Cell]:
    """What may be told of each radiologist whose band of reports lies at or above ``least``."""
    sums = counts.groupby("author", sort=True)[["n", "y"]].sum()
    made = {str(author): cell(n, y) for author, n, y in sums.itertuples(name=None)}
    return {author: c for author, c in made.items() if c is not None and c.n.low >= least}


def quarters(cells: Mapping[str, Cell]) -> dict[str, int]:
    """In which quarter of the radiologists each lies by the share to 5 points: 1 (lowest) to 4.

    Of equal shares each has the middle place, (those below + half of those alike) / all.  Because it is worked out from
    the cells alone, it tells nobody's exact figures.  Empty for fewer than 10 radiologists, and where more than half of
    all have one share, so that no quarter could be told from the next.
    """
    rates = np.array([c.rate for c in cells.values()])
    if len(rates) < _FEWEST_IN_QUARTERS or np.unique(rates, return_counts=True)[1].max() > len(rates) / 2:
        return {}
    below = (rates[None, :] < rates[:, None]).sum(axis=1)
    alike = (rates[None, :] == rates[:, None]).sum(axis=1)
    place = (below + alike / 2) / len(rates)
    return {a: min(int(p * QUARTERS) + 1, QUARTERS) for a, p in zip(cells, place.tolist(), strict=True)}


def of_others(cells: Mapping[str, Cell], author: str, confidence: float) -> Share | None:
    """The share of all others together, worked out from their cells; None for too few others."""
    others = [c for name, c in cells.items() if name != author]
    found = together(others)
    if found is None or not found[0]:
        return None
    n, y = found
    return Share(n, y, rounded(y / n), *of_cells(others, confidence))


MODALITIES = (Modality.XRAY, Modality.CT)


class Counts(NamedTuple):
    """Counts of reports by author, modality and day, and the scale that says which words are standard.

    followed: what became of each recommendation of imaging; None in a personal file, which has the counts alone
    """

    frame: pd.DataFrame
    scale: str
    chosen: bool
    followed: pd.DataFrame | None = None


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
            marking = self._marking()
            counts = marking.counts(progress)
            found = followed_in(self._context.workspace, marking.searched(progress), counts)
            self._kept = key, Counts(with_followed(counts, found), scale.name, chosen, found)
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


@dataclass(eq=False, repr=False)
class Habits:
    """Shares of reports by radiologist and over time; methods belong in a worker thread.

    counts: those of the workspace; of a personal file, its radiologist's, None if its workspace knew none
    others: of a personal file, what :func:`others_as_plain` wrote; None in a department
    """

    _context: Context
    _stored: StoredAnalysis
    _counts: Callable[[Progress], Counts | None]
    _others: Callable[[], Json | None]

    def compare(
        self, habit: Habit, modality: Modality, days: Days = ALL_DAYS, progress: Progress = SILENT
    ) -> HabitComparison:
        """All radiologists beside each other, in the order of their pseudonyms.

        Raises:
            NothingSaid: no report of the modality was searched, or recommended imaging, in these days.
            DataError: as :meth:`known`.
        """
        known, settings = self.known(progress), self._context.settings
        part = _part(known.frame, modality, days)
        counts = counted(part, habit)
        found = None if known.followed is None or habit != CLOSED else _part(known.followed, modality, days)
        if counts.empty and (found is None or found.empty):
            if habit == CLOSED:
                raise NothingSaid(
                    "No report of this kind recommended imaging in these days. Choose other days or other reports."
                )
            raise NothingSaid("No report of this kind was read in these days. Choose other days or other reports.")
        least, confidence = settings.min_group_n, settings.confidence
        made = compare_shares(
            counts[counts["author"] != ""],
            habit,
            self.aliases(counts["author"]),
            least=least,
            confidence=confidence,
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
            {} if found is None else outcomes_of(found),
            () if found is None else call_backs(self._context.workspace, found),
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

    def call_backs(self, progress: Progress = SILENT) -> tuple[CallBack, ...]:
        """The recommendations of imaging in all reports that are late or open; none in a personal file.

        Raises: as :meth:`known`.
        """
        found = self.known(progress).followed
        return () if found is None else call_backs(self._context.workspace, found)

    def known(self, progress: Progress = SILENT) -> Counts:
        """The counts behind all shares.

        Raises:
            DataError: the reports are not searched yet, and the workspace is open to read only; or a personal file
                has no counts, because its workspace was.
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
