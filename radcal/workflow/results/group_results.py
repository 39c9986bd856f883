"""What the pages of reliability and evidence ask of a department: one group within days, and what stands behind it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from radcal.errors import DataError
from radcal.progress import SILENT, Progress
from radcal.records import CONTESTED_LEFT_OUT, Contest, Reliability, Verification, WordShare
from radcal.text import Text
from radcal.workflow.results.analysis import no_analysis
from radcal.workflow.results.days import within
from radcal.workflow.results.observation_codes import CODED, IDENTIFYING, coded, day_number, entered, places

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.records import Days
    from radcal.workflow.department import Department
    from radcal.workflow.results.observation_codes import Codes
    from radcal.workspace import Workspace

T = TypeVar("T")
CONTESTED, LEFT_OUT = "contested", "contested, left out"
_SHOWN_SHARE = 0.95
"""The phrases listed for a bin make up so much of it: each distribution has a little mass everywhere."""


class Chosen(Protocol):
    """What an author said on a topic, of the examinations of some days."""

    @property
    def author(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def days(self) -> Days: ...


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
        """Reliability of one group, within days.

        Of all days it is that of the analysis, ``q_value_star`` included, which is over all groups and so None
        within days.  Nothing said in these days is a Reliability of no statements, with the reason.

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
        parts = [self.statements(c, progress) for c in asked]
        progress.raise_if_cancelled()
        least = self._department.settings.min_group_n
        for c in asked:
            measured[c.author, c.topic] = Reliability(
                c.author, c.topic, 0.0, (), Text("0 findings; a curve needs {min}.", min=least)
            )
        if any(map(len, parts)):
            statements = pd.concat([part for part in parts if len(part)], ignore_index=True)
            lexicon = self._department.phrases()
            tables = build_tables(statements, lexicon)
            threads = 1 if len(asked) == 1 else None
            for r in measure(tables, lexicon, self._department.settings, progress, threads=threads):
                measured[r.author, r.topic] = replace(r, q_value_star=None)
        return tuple(measured[c.author, c.topic] for c in chosen)

    def _of_all_days(self, chosen: Sequence[Chosen]) -> dict[tuple[str, str], Reliability]:
        """The analysis of the groups that are asked for of all days."""
        wanted = {(c.author, c.topic) for c in chosen if not c.days.are_limited}
        analysis = self._department.analysis() if wanted else None
        if analysis is None:
            return {}
        return {(r.author, r.topic): r for r in analysis.reliabilities if (r.author, r.topic) in wanted}

    def statements(self, chosen: Chosen, progress: Progress = SILENT) -> pd.DataFrame:
        """What of a group entered the statistics, within days: author, topic, phrase and outcome, a row a statement.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
            Cancelled: by ``progress``.
        """
        import pandas as pd

        codes = self._codes(progress)
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

    def warm_up(self, progress: Progress = SILENT) -> None:
        """Read the numbers behind :meth:`reliability` ahead of the first question; nothing if there are none.

        Raises:
            Cancelled: by ``progress``, which is looked at between authors.
        """
        if self._department.analysis() is not None:
            self._codes(progress)

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
        keep = entered(observations, out)
        gone = observations[~keep].groupby(["author", "topic"]).size().rename("n").reset_index()
        rows = gone.itertuples(index=False, name=None)
        return observations[keep], tuple((str(a), str(t), CONTESTED_LEFT_OUT, int(n)) for a, t, n in rows)

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

        codes, lexicon = self._codes(progress), self._department.phrases()
        part = self._part(codes, chosen)
        reports = self.xray_reports(progress)
        own = reports[(reports["author"] == chosen.author) & within(reports["exam_time"], chosen.days)]
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
        from radcal.workflow.imports.importing import VERSIONS

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
                raise no_analysis()
            return own

        return self._keep("author", load, author)

    def _codes(self, progress: Progress = SILENT) -> Codes:
        def read() -> Codes:
            out = self._left_out()
            return coded(self._parts(_with_ids(CODED, out)), out, progress)

        return self._keep("codes", read)

    def _parts(self, columns: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
        """Some columns of the observations, author by author: all of them at once would take ten times the room."""
        if self._department.analysis_key is None:
            raise no_analysis()
        parts = self._workspace.observations_by_author(columns)
        first = next(parts, None)
        if first is not None:
            yield first
            yield from parts
            return
        whole = self._workspace.observations([*dict.fromkeys(("author", *columns))])  # a file of an earlier RadCal
        if whole is None:
            raise no_analysis()
        for author, part in whole.groupby("author", sort=True):
            yield str(author), part.reset_index(drop=True)

    def _group(self, codes: Codes, author: str, topic: str) -> slice:
        place = codes.place.get((author, topic))
        if place is None:
            raise DataError("{author} has no statement about {topic} that a CT decided on.", author=author, topic=topic)
        return place

    def _part(self, codes: Codes, chosen: Chosen) -> slice:
        """The observations of a group within its days."""
        place = self._group(codes, chosen.author, chosen.topic)
        day = codes.day[place]
        start, stop = place.start, place.stop
        if chosen.days.first is not None:
            start = place.start + int(np.searchsorted(day, day_number(chosen.days.first), side="left"))
        if chosen.days.last is not None:
            stop = place.start + int(np.searchsorted(day, day_number(chosen.days.last), side="right"))
        return slice(start, max(start, stop))


def _with_ids(columns: tuple[str, ...], left_out: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    """The columns, and the reports' ids where some findings must be told apart: they are most of what is read."""
    return (*columns, IDENTIFYING) if left_out else columns
