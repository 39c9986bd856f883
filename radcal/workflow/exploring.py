"""What the pages of reliability and evidence ask of a department: one group within dates, and what stands behind it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from radcal.errors import DataError
from radcal.progress import SILENT, Progress
from radcal.records import Contest, Reliability, Verification, WordShare

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.workflow.department import Department
    from radcal.workspace import Workspace

T = TypeVar("T")
CONTESTED, LEFT_OUT = "contested", "contested, left out"
_CODED = ("topic", "phrase", "outcome", "xray_id", "xray_time")
_SHOWN_SHARE = 0.95
"""The phrases listed for a bin make up so much of it: each distribution has a little mass everywhere."""
_NO_ANALYSIS = "There is no analysis yet. Import reports and let RadCal read them first."
CONTESTED_COUNT = "contested, left out"
"""The name of Analysis.counts under which contested findings are counted that did not enter."""


class Chosen(Protocol):
    """A group within dates, both included; None for no limit."""

    @property
    def author(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def first(self) -> date | None: ...
    @property
    def last(self) -> date | None: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Codes:
    """All N observations as numbers, by author, topic and day: some 13 bytes each.

    place: of a group in the arrays;  phrase: (N,) place in ``phrases``;  outcome: (N,) place in ``outcomes``
    day: (N,) days since 1970, ascending within a group;  row: (N,) row among the author's observations
    entered: (N,) whether the observation is part of the statistics
    """

    place: dict[tuple[str, str], slice]
    phrases: tuple[str, ...]
    outcomes: NDArray[np.float64]
    phrase: NDArray[np.int16]
    outcome: NDArray[np.int32]
    day: NDArray[np.int32]
    row: NDArray[np.int32]
    entered: NDArray[np.bool_]


class Exploration:
    """Answers from the observations of the last analysis; used by one thread.

    What the answers are made of is kept until another analysis is made: numbers of all observations, and the
    sentences of the author asked for last.
    """

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department = department
        self._workspace = workspace
        self._kept: dict[str, tuple[object, object]] = {}

    # --- reliability --------------------------------------------------------------------------------

    def reliability(self, chosen: Chosen, progress: Progress = SILENT) -> Reliability:
        """Reliability of one group, within dates.

        Without dates it is that of the analysis, ``q_value_star`` included, which is over all groups and so None
        within dates.  Nothing said in these days is a Reliability of no statements, with the reason.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
            Cancelled: by ``progress``.
        """
        (measured,) = self.reliabilities([chosen], progress)
        return measured

    def reliabilities(self, chosen: Sequence[Chosen], progress: Progress = SILENT) -> tuple[Reliability, ...]:
        """As :meth:`reliability`, for distinct groups, in their order; many at once take little longer than one."""
        import pandas as pd

        from radcal.calibrate import build_tables, measure

        measured = self._of_all_days(chosen)
        asked = [c for c in chosen if (c.author, c.topic) not in measured]
        parts = [self.statements(c) for c in asked]
        progress.raise_if_cancelled()
        least = self._department.settings.min_group_n
        for c in asked:
            measured[c.author, c.topic] = Reliability(c.author, c.topic, 0.0, (), f"0 findings; a curve needs {least}.")
        if any(map(len, parts)):
            statements = pd.concat([part for part in parts if len(part)], ignore_index=True)
            lexicon = self._department.phrases()
            tables = build_tables(statements, lexicon)
            threads = 1 if len(asked) == 1 else None
            for r in measure(tables, lexicon, self._department.settings, progress, threads=threads):
                measured[r.author, r.topic] = replace(r, q_value_star=None)
        return tuple(measured[c.author, c.topic] for c in chosen)

    def _of_all_days(self, chosen: Sequence[Chosen]) -> dict[tuple[str, str], Reliability]:
        """The analysis of the groups that are asked for without dates."""
        wanted = {(c.author, c.topic) for c in chosen if c.first is None and c.last is None}
        analysis = self._department.analysis() if wanted else None
        if analysis is None:
            return {}
        return {(r.author, r.topic): r for r in analysis.reliabilities if (r.author, r.topic) in wanted}

    def statements(self, chosen: Chosen) -> pd.DataFrame:
        """What of a group entered the statistics, within dates: author, topic, phrase and outcome, a row a statement.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        import pandas as pd

        codes = self._codes()
        part = self._part(codes, chosen)
        phrase, outcome = (a[part][codes.entered[part]] for a in (codes.phrase, codes.outcome))
        one = np.zeros(len(phrase), dtype=np.int8)
        return pd.DataFrame(
            {
                "author": pd.Categorical.from_codes(one, pd.Index([chosen.author])),
                "topic": pd.Categorical.from_codes(one, pd.Index([chosen.topic])),
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

    def warm_up(self) -> None:
        """Read the numbers behind :meth:`reliability` ahead of the first question; nothing if there are none."""
        if self._department.analysis() is not None:
            self._codes()

    def words_at(self, chosen: Chosen, certainty: float) -> tuple[WordShare, ...]:
        """The phrases that make up a bin of the diagram, by their share, down to 95 % of it; () for an empty bin.

        share_k = n_k W[k, m] / (n W)_m for the bin m that holds ``certainty``.
        """
        from radcal.lexicon.bins import bin_phrases

        settings, lexicon = self._department.settings, self._department.phrases()
        codes = self._codes()
        part = self._part(codes, chosen)
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

        out = self._left_out()
        words, numbers = ("author", "topic", "phrase", "reference_phrase"), ("outcome", "xray_time")
        parts = [part[_entered(part, out)] for _, part in self._parts((*words, *numbers, "xray_id"))]
        made: dict[str, Any] = {}
        for name in words:
            known: dict[Any, int] = {}
            codes = [_places(part[name], known).astype(np.int16) for part in parts]
            made[name] = pd.Categorical.from_codes(np.concatenate(codes), pd.Index(list(known), dtype=str))
        for name in numbers:
            made[name] = np.concatenate([part[name].to_numpy() for part in parts])
        return pd.DataFrame(made)

    # --- findings -----------------------------------------------------------------------------------

    def evidence(self, chosen: Chosen, phrases: Sequence[str] = ()) -> pd.DataFrame:
        """The findings of a group worded with one of the phrases, or all; the latest first.

        Columns: records.OBSERVATION_COLUMNS, ``outcome`` included, records.EVIDENCE_COLUMNS, ``entered`` (whether
        the finding is part of the statistics on show) and ``contest`` (the note of whoever contested it, None
        where nobody did).

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        import pandas as pd

        codes = self._codes()
        part = self._part(codes, chosen)
        wanted = [k for k, name in enumerate(codes.phrases) if name in phrases]
        keep = np.isin(codes.phrase[part], wanted) if phrases else np.ones(part.stop - part.start, dtype=bool)
        rows = codes.row[part][keep]
        entered = codes.entered[part][keep]
        found = self._of_author(chosen.author).iloc[rows].assign(entered=entered)
        notes = {c.xray_id: c.note for c in self.contested() if c.topic == chosen.topic}
        found["contest"] = pd.Series([notes.get(i) for i in found["xray_id"]], index=found.index, dtype=object)
        return found.sort_values(["xray_time", "xray_id"], ascending=False, kind="stable", ignore_index=True)

    def contested(self) -> tuple[Contest, ...]:
        """All findings that somebody contested, the latest contest first."""
        out = self._left_out()
        stored = self._workspace.results(CONTESTED).values()
        made = [
            Contest(**r.payload, at=r.saved, left_out=(r.payload["xray_id"], r.payload["topic"]) in out) for r in stored
        ]
        return tuple(sorted(made, key=lambda c: (c.at, c.xray_id, c.topic), reverse=True))

    def contest(self, xray_id: str, topic: str, author: str, phrase: str, note: str = "") -> None:
        """Mark a finding as wrongly read; a second contest of the same finding replaces the note.

        The statistics are not touched: what the setting ``contested`` says is done with the next analysis.

        Raises:
            NoAccess: the workspace is open to read only.
        """
        payload = {"xray_id": xray_id, "topic": topic, "author": author, "phrase": phrase, "note": note.strip()}
        with self._workspace.transaction():
            self._workspace.save_result(CONTESTED, json.dumps([xray_id, topic]), payload, {})
            self._workspace.log("finding contested")

    def withdraw(self, xray_id: str, topic: str) -> None:
        """Take a contest back; no error where there is none."""
        with self._workspace.transaction():
            self._workspace.delete_result(CONTESTED, json.dumps([xray_id, topic]))
            self._workspace.log("contest of a finding withdrawn")

    def entering(self, observations: pd.DataFrame) -> tuple[pd.DataFrame, tuple[tuple[str, str, str, int], ...]]:
        """What of the observations enters the statistics, and counts (author, topic, what, n) of the others.

        All enters, unless the setting ``contested`` is "left out": then without what was contested.
        """
        out = self._to_leave_out()
        if not out:
            return observations, ()
        keep = _entered(observations, out)
        gone = observations[~keep].groupby(["author", "topic"]).size().rename("n").reset_index()
        rows = gone.itertuples(index=False, name=None)
        return observations[keep], tuple((str(a), str(t), CONTESTED_COUNT, int(n)) for a, t, n in rows)

    def note_left_out(self) -> None:
        """Keep which findings the analysis that is being stored was made without."""
        out = self._to_leave_out()
        self._workspace.save_result(LEFT_OUT, "current", {"findings": sorted(map(list, out))}, {})

    def _to_leave_out(self) -> frozenset[tuple[str, str]]:
        if self._department.settings.contested == "counted":
            return frozenset()
        contests = self._workspace.results(CONTESTED).values()
        return frozenset((c.payload["xray_id"], c.payload["topic"]) for c in contests)

    def _left_out(self) -> frozenset[tuple[str, str]]:
        stored = self._workspace.load_result(LEFT_OUT, "current") or {"findings": []}
        return frozenset((xray_id, topic) for xray_id, topic in stored["findings"])

    # --- what no CT decided on ------------------------------------------------------------------------

    def verification(self, chosen: Chosen, progress: Progress = SILENT) -> Verification:
        """How much of what the author said on the topic a CT decided on, and what the rest leaves open.

        Counted are all X-ray reports attributed to the author in these days, with or without a CT, that were read
        by the engine behind the analysis.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
            Cancelled: by ``progress``.
        """
        from radcal.calibrate import verified_rates
        from radcal.extract.report_level import decide_table

        codes, lexicon = self._codes(), self._department.phrases()
        part = self._part(codes, chosen)
        reports = self.xray_reports(progress)
        own = reports[(reports["author"] == chosen.author) & _within(reports["exam_time"], chosen)]
        ids = list(own["report_id"])
        progress.raise_if_cancelled()
        runs = self._department.runs
        shown = runs.shown()
        run = runs.current().run_id if shown is None else shown
        read = self._workspace.read_by(run, ids)
        findings = self._workspace.findings(
            run, [i for i in ids if i in read], ("report_id", "pathology", "phrase", "section", "start")
        )
        progress.raise_if_cancelled()
        findings = findings[findings["pathology"] == chosen.topic]
        said = Counter(map(str, decide_table(findings)["phrase"])) if len(findings) else Counter[str]()

        entered = codes.entered[part]
        which, outcome = codes.phrase[part][entered], codes.outcomes[codes.outcome[part][entered]]
        n, y = np.zeros(len(lexicon)), np.zeros(len(lexicon))
        place = {p.name: k for k, p in enumerate(lexicon)}
        known = np.array([place.get(name, -1) for name in codes.phrases], dtype=np.intp)[which]
        np.add.at(n, known[known >= 0], 1.0)
        np.add.at(y, known[known >= 0], outcome[known >= 0])
        total = np.array([said[p.name] for p in lexicon], dtype=np.float64)
        return Verification(
            author=chosen.author,
            topic=chosen.topic,
            n_reports=len(own),
            n_with_ct=int(own["paired"].sum()),
            n_unread=len(ids) - len(read),
            rates=verified_rates(lexicon, n, y, np.maximum(total - n, 0.0), self._department.settings.confidence),
        )

    def read_unpaired(self, progress: Progress = SILENT) -> int:
        """Let the engine read the X-ray reports that have no CT, which plays no part but here; how many there are.

        A stop loses nothing; the same call goes on.

        Raises:
            DataError: the results on show are of another run than that of the settings' engine.
            InputError, EngineError: the engine cannot be used, or stopped working.
            Cancelled: the user asked to stop.
        """
        runs = self._department.runs
        engine, shown = runs.engine(), runs.shown()
        if shown is not None and (shown, engine.name, engine.version, engine.settings_hash) not in set(
            self._workspace.run_keys()
        ):
            raise DataError(
                "The results on show were read by another engine than the one in the settings, so that what this one "
                "reads would not count with them. Show the results of the engine in the settings, or choose there the "
                "engine that read the results on show."
            )
        reports = self.xray_reports(progress)
        ids = list(reports.loc[~reports["paired"], "report_id"])
        self._department.runs.read_reports(ids, progress)
        return len(ids)

    def xray_reports(self, progress: Progress = SILENT) -> pd.DataFrame:
        """All attributed chest X-ray reports: report_id, author, exam_time, paired.

        Raises:
            DataError: nothing was imported.
            Cancelled: by ``progress``.
        """
        from radcal.ingest.authors import attributed
        from radcal.workflow.importing import VERSIONS

        own = self._workspace.load_frame(VERSIONS)
        if own is None:
            raise DataError("There are no reports yet. Import report files first.")
        progress.raise_if_cancelled()
        columns = ("report_id", "modality", "exam_time", "author", "author_rule", "status")
        reports = self._workspace.reports(columns)
        reports = reports[reports["modality"] == "xray"].merge(own, on="report_id", validate="one_to_one")
        progress.raise_if_cancelled()
        if {"dictator", "signer"} <= set(reports.columns):
            reports = attributed(reports, self._department.settings.trainee_rule)
        paired = set(self._workspace.pairs()["xray_id"])
        reports = reports[reports["author"] != ""]
        return reports[["report_id", "author", "exam_time"]].assign(paired=[i in paired for i in reports["report_id"]])

    # --- what is kept ---------------------------------------------------------------------------------

    def _keep(self, name: str, make: Callable[[], T], of: object = None) -> T:
        """What ``make`` gave last for the same analysis and the same ``of``."""
        key = (self._department.analysis_key, of)
        held = self._kept.get(name)
        if held is None or held[0] != key:
            self._kept.pop(name, None)  # two would not fit into memory where one does
            held = self._kept[name] = key, make()
        return held[1]  # type: ignore[return-value]  # of the type that ``make`` gives, by the name

    def _of_author(self, author: str) -> pd.DataFrame:
        def load() -> pd.DataFrame:
            own = self._workspace.observations_of(author)
            if own is None:
                raise DataError(_NO_ANALYSIS)
            return own

        return self._keep("author", load, author)

    def _codes(self) -> _Codes:
        return self._keep("codes", self._read_codes)

    def _read_codes(self) -> _Codes:
        return _coded(list(self._parts(_CODED)), self._left_out())

    def _parts(self, columns: Sequence[str]) -> list[tuple[str, pd.DataFrame]]:
        """Some columns of the observations, author by author."""
        if self._department.analysis_key is None:
            raise DataError(_NO_ANALYSIS)
        parts = list(self._workspace.observations_by_author(columns))
        if not parts:  # a file of an earlier RadCal
            whole = self._workspace.observations([*dict.fromkeys(("author", *columns))])
            if whole is None:
                raise DataError(_NO_ANALYSIS)
            parts = [(str(author), part.reset_index(drop=True)) for author, part in whole.groupby("author", sort=True)]
        return parts

    def _group(self, codes: _Codes, author: str, topic: str) -> slice:
        place = codes.place.get((author, topic))
        if place is None:
            raise DataError(f"{author} has no statement about {topic} that a CT decided on.")
        return place

    def _part(self, codes: _Codes, chosen: Chosen) -> slice:
        """The observations of a group within its dates."""
        place = self._group(codes, chosen.author, chosen.topic)
        day = codes.day[place]
        start, stop = place.start, place.stop
        if chosen.first is not None:
            start = place.start + int(np.searchsorted(day, _day(chosen.first), side="left"))
        if chosen.last is not None:
            stop = place.start + int(np.searchsorted(day, _day(chosen.last), side="right"))
        return slice(start, max(start, stop))


def _day(day: date) -> int:
    return int(np.datetime64(day, "D").astype(np.int64))


def _within(times: pd.Series[pd.Timestamp], chosen: Chosen) -> NDArray[np.bool_]:
    days = times.to_numpy().astype("datetime64[D]").astype(np.int64)
    inside: NDArray[np.bool_] = np.ones(len(days), dtype=bool)
    if chosen.first is not None:
        inside &= days >= _day(chosen.first)
    if chosen.last is not None:
        inside &= days <= _day(chosen.last)
    return inside


def _coded(parts: Sequence[tuple[str, pd.DataFrame]], left_out: frozenset[tuple[str, str]]) -> _Codes:
    """The observations of each author as numbers."""
    import pandas as pd

    phrases: dict[str, int] = {}
    outcomes: dict[float, int] = {}
    place: dict[tuple[str, str], slice] = {}
    columns: dict[str, list[NDArray[np.generic]]] = {n: [] for n in ("phrase", "outcome", "day", "row", "entered")}
    start = 0
    for author, part in parts:
        topic, topics = pd.factorize(part["topic"], sort=True)
        day = part["xray_time"].to_numpy().astype("datetime64[D]").astype(np.int32)
        order = np.lexsort((day, topic))
        for name, values in (
            ("phrase", _places(part["phrase"], phrases).astype(np.int16)),
            ("outcome", _places(part["outcome"], outcomes).astype(np.int32)),
            ("day", day),
            ("row", np.arange(len(part), dtype=np.int32)),
            ("entered", _entered(part, left_out)),
        ):
            columns[name].append(values[order])
        ends = start + np.searchsorted(topic[order], np.arange(len(topics) + 1))
        for i, name in enumerate(topics):
            place[author, str(name)] = slice(int(ends[i]), int(ends[i + 1]))
        start += len(part)
    return _Codes(
        place,
        tuple(phrases),
        np.array(list(outcomes), dtype=np.float64),
        *(np.concatenate(parts) if parts else np.zeros(0) for parts in columns.values()),  # type: ignore[arg-type]  # in the order of the fields
    )


def _entered(observations: pd.DataFrame, left_out: frozenset[tuple[str, str]]) -> NDArray[np.bool_]:
    if not left_out:
        return np.ones(len(observations), dtype=bool)
    pairs = zip(observations["xray_id"], observations["topic"], strict=True)
    return np.array([pair not in left_out for pair in pairs], dtype=bool)


def _places(column: pd.Series[Any], known: dict[Any, int]) -> NDArray[np.intp]:
    """Each value's place among all that are ``known``, to which new ones are added."""
    import pandas as pd

    codes, values = pd.factorize(column)
    place = np.array([known.setdefault(value, len(known)) for value in values.tolist()], dtype=np.intp)
    return place[codes]
