"""What the pages of reliability and evidence ask of a department: one group within days, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from radcal.errors import DataError
from radcal.progress import SILENT, Progress
from radcal.records import Reliability, WordShare
from radcal.workflow.context import no_analysis
from radcal.workflow.results.observation_codes import CODED, IDENTIFYING, coded, day_number, entered, places

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.records import Selection
    from radcal.workflow.context import Context
    from radcal.workflow.results.analysis import StoredAnalysis
    from radcal.workflow.results.contests import Contests
    from radcal.workflow.results.observation_codes import Codes

T = TypeVar("T")
_SHOWN_SHARE = 0.95
"""The phrases listed for a bin make up so much of it: each distribution has a little mass everywhere."""


class GroupResults:
    """Answers from the observations of the last analysis; used by one thread.

    What the answers are made of is kept until another analysis is made: numbers of all observations, and the
    sentences of the author asked for last.
    """

    def __init__(self, context: Context, stored: StoredAnalysis, contests: Contests) -> None:
        self._context = context
        self._stored = stored
        self._contests = contests
        self._kept: dict[str, tuple[object, object]] = {}

    # --- reliability --------------------------------------------------------------------------------

    def reliability(self, selection: Selection, progress: Progress = SILENT) -> Reliability:
        """Reliability of one group, within days.

        Of all days it is that of the analysis, ``q_value_star`` included, which is over all groups and so None
        within days.  Nothing said in these days is a Reliability of no statements, with the reason.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
            Cancelled: by ``progress``.
        """
        (measured,) = self.reliabilities([selection], progress)
        return measured

    def reliabilities(self, selections: Sequence[Selection], progress: Progress = SILENT) -> tuple[Reliability, ...]:
        """As :meth:`reliability`, for distinct groups, in their order; many at once take little longer than one."""
        import pandas as pd

        from radcal.calibrate import build_tables, measure

        measured = self._of_all_days(selections)
        limited = [s for s in selections if (s.author, s.topic) not in measured]
        parts = [self.statements(s, progress) for s in limited]
        progress.raise_if_cancelled()
        least = self._context.settings.min_group_n
        for s in limited:
            measured[s.author, s.topic] = Reliability(s.author, s.topic, 0.0, (), f"0 findings; a curve needs {least}.")
        if any(map(len, parts)):
            statements = pd.concat([part for part in parts if len(part)], ignore_index=True)
            lexicon = self._stored.phrases
            tables = build_tables(statements, lexicon)
            threads = 1 if len(limited) == 1 else None
            for r in measure(tables, lexicon, self._context.settings, progress, threads=threads):
                measured[r.author, r.topic] = replace(r, q_value_star=None)
        return tuple(measured[s.author, s.topic] for s in selections)

    def _of_all_days(self, selections: Sequence[Selection]) -> dict[tuple[str, str], Reliability]:
        """The analysis of the groups that are asked for of all days."""
        wanted = {(s.author, s.topic) for s in selections if not s.days.are_limited}
        analysis = self._stored.last() if wanted else None
        if analysis is None:
            return {}
        return {(r.author, r.topic): r for r in analysis.reliabilities if (r.author, r.topic) in wanted}

    def statements(self, selection: Selection, progress: Progress = SILENT) -> pd.DataFrame:
        """What of a group entered the statistics, within days: author, topic, phrase and outcome, a row a statement.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
            Cancelled: by ``progress``.
        """
        import pandas as pd

        codes = self._codes(progress)
        part = self._part(codes, selection)
        phrase, outcome = (a[part][codes.entered[part]] for a in (codes.phrase, codes.outcome))
        one = np.zeros(len(phrase), dtype=np.int8)
        return pd.DataFrame(
            {
                "author": pd.Categorical.from_codes(one, pd.Index([selection.author])),
                "topic": pd.Categorical.from_codes(one, pd.Index([selection.topic])),
                "phrase": pd.Categorical.from_codes(phrase, pd.Index(codes.phrases, dtype=str)),
                "outcome": codes.outcomes[outcome],
            }
        )

    def outcomes(self) -> NDArray[np.float64]:
        """The distinct outcomes of all statements, in ascending order.

        Raises:
            DataError: there is no analysis yet.
        """
        ordered: NDArray[np.float64] = np.sort(self._codes().outcomes)
        return ordered

    def days(self, author: str, topic: str) -> tuple[date, date]:
        """The first and the last day on which the group has statements.

        Raises:
            DataError: there is no analysis yet, or the group has no statements.
        """
        codes = self._codes()
        day = codes.day[self._group(codes, author, topic)]
        first, last = (np.datetime64(int(d), "D").astype(object) for d in (day[0], day[-1]))
        return first, last

    def warm_up(self, progress: Progress = SILENT) -> None:
        """Read the numbers behind :meth:`reliability` ahead of the first question; nothing if there are none.

        Raises:
            Cancelled: by ``progress``, which is looked at between authors.
        """
        if self._stored.last() is not None:
            self._codes(progress)

    def words_at(self, selection: Selection, certainty: float) -> tuple[WordShare, ...]:
        """The phrases that make up a bin of the diagram, by their share, down to 95 % of it; () for an empty bin.

        share_k = n_k W[k, m] / (n W)_m for the bin m that holds ``certainty``.
        """
        from radcal.lexicon.bins import bin_phrases

        settings, lexicon = self._context.settings, self._stored.phrases
        codes = self._codes()
        part = self._part(codes, selection)
        bins = self._keep("bins", lambda: bin_phrases(lexicon, settings.n_bins, settings.method))
        place = {name: k for k, name in enumerate(bins.phrases)}
        n = np.zeros(len(place))
        counted = np.bincount(codes.phrase[part][codes.entered[part]], minlength=len(codes.phrases))
        for name, said in zip(codes.phrases, counted.tolist(), strict=True):
            if name in place:
                n[place[name]] += said
        m = min(int(np.searchsorted(bins.edges, certainty, side="right")) - 1, len(bins.edges) - 2)
        mass = n * bins.weight[:, max(m, 0)]
        if not mass.sum() > 0:
            return ()
        share = mass / mass.sum()
        order = np.argsort(-share, kind="stable")
        before = np.concatenate([[0.0], np.cumsum(share[order])[:-1]])
        listed = order[(before < _SHOWN_SHARE) & (share[order] > 0)]
        return tuple(WordShare(bins.phrases[k], float(n[k]), float(share[k])) for k in listed)

    def all_statements(self) -> pd.DataFrame:
        """All that entered the statistics: author, topic, phrase, reference_phrase (as categories), outcome, xray_time.

        The same frame until another analysis is made; some 20 bytes a statement.

        Raises:
            DataError: there is no analysis yet.
        """
        return self._keep("statements", self._read_statements)

    def _read_statements(self) -> pd.DataFrame:
        import pandas as pd

        out = self._contests.left_out()
        words, numbers = ("author", "topic", "phrase", "reference_phrase"), ("outcome", "xray_time")
        known: dict[str, dict[Any, int]] = {name: {} for name in words}
        made: dict[str, list[NDArray[Any]]] = {name: [] for name in (*words, *numbers)}
        for _, part in self._parts(_with_ids((*words, *numbers), out)):
            own = part[entered(part, out)]
            for name in words:
                made[name].append(places(own[name], known[name]).astype(np.int16))
            for name in numbers:
                made[name].append(own[name].to_numpy())
        whole: dict[str, Any] = {name: np.concatenate(arrays) for name, arrays in made.items()}
        for name in words:
            whole[name] = pd.Categorical.from_codes(whole[name], pd.Index(list(known[name]), dtype=str))
        return pd.DataFrame(whole)

    # --- findings -----------------------------------------------------------------------------------

    def evidence(self, selection: Selection, phrases: Sequence[str] = ()) -> pd.DataFrame:
        """The findings of a group worded with one of the phrases, or all; the latest first.

        Columns: records.OBSERVATION_COLUMNS, ``outcome`` included, records.EVIDENCE_COLUMNS, ``entered`` (whether
        the finding is part of the statistics on show) and ``contest`` (the note of whoever contested it, None
        where nobody did).

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        import pandas as pd

        codes = self._codes()
        part = self._part(codes, selection)
        wanted = [k for k, name in enumerate(codes.phrases) if name in phrases]
        keep = np.isin(codes.phrase[part], wanted) if phrases else np.ones(part.stop - part.start, dtype=bool)
        rows = codes.row[part][keep]
        entered = codes.entered[part][keep]
        found = self._of_author(selection.author).iloc[rows].assign(entered=entered)
        notes = {c.xray_id: c.note for c in self._contests.all() if c.topic == selection.topic}
        found["contest"] = pd.Series([notes.get(i) for i in found["xray_id"]], index=found.index, dtype=object)
        return found.sort_values(["xray_time", "xray_id"], ascending=False, kind="stable", ignore_index=True)

    # --- what is kept ---------------------------------------------------------------------------------

    def _keep(self, name: str, make: Callable[[], T], of: object = None) -> T:
        """What ``make`` gave last for the same analysis and the same ``of``."""
        key = (self._context.analysis_key, of)
        held = self._kept.get(name)
        if held is None or held[0] != key:
            self._kept.pop(name, None)  # two would not fit into memory where one does
            held = self._kept[name] = key, make()
        return held[1]  # type: ignore[return-value]  # of the type that ``make`` gives, by the name

    def _of_author(self, author: str) -> pd.DataFrame:
        def load() -> pd.DataFrame:
            own = self._context.workspace.observations_of(author)
            if own is None:
                raise no_analysis()
            return own

        return self._keep("author", load, author)

    def _codes(self, progress: Progress = SILENT) -> Codes:
        def read() -> Codes:
            out = self._contests.left_out()
            return coded(self._parts(_with_ids(CODED, out)), out, progress)

        return self._keep("codes", read)

    def _parts(self, columns: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
        """Some columns of the observations, author by author: all of them at once would take ten times the room."""
        if self._context.analysis_key is None:
            raise no_analysis()
        workspace = self._context.workspace
        parts = workspace.observations_by_author(columns)
        first = next(parts, None)
        if first is not None:
            yield first
            yield from parts
            return
        whole = self._context.workspace.observations(
            [*dict.fromkeys(("author", *columns))]
        )  # a file of an earlier RadCal
        if whole is None:
            raise no_analysis()
        for author, part in whole.groupby("author", sort=True):
            yield str(author), part.reset_index(drop=True)

    def _group(self, codes: Codes, author: str, topic: str) -> slice:
        place = codes.place.get((author, topic))
        if place is None:
            raise DataError(f"{author} has no statement about {topic} that a CT decided on.")
        return place

    def _part(self, codes: Codes, selection: Selection) -> slice:
        """The observations of a group within its days."""
        place = self._group(codes, selection.author, selection.topic)
        day = codes.day[place]
        start, stop = place.start, place.stop
        if selection.days.first is not None:
            start = place.start + int(np.searchsorted(day, day_number(selection.days.first), side="left"))
        if selection.days.last is not None:
            stop = place.start + int(np.searchsorted(day, day_number(selection.days.last), side="right"))
        return slice(start, max(start, stop))


def _with_ids(columns: tuple[str, ...], left_out: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    """The columns, and the reports' ids where some findings must be told apart: they are most of what is read."""
    return (*columns, IDENTIFYING) if left_out else columns
