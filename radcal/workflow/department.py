"""A department: an open workspace with the steps of the pipeline as methods."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from radcal.errors import DataError, InputError
from radcal.files import plain_to_record, record_to_plain
from radcal.progress import SILENT, Progress
from radcal.records import (
    OTHER,
    REPORT_COLUMNS,
    Analysis,
    Document,
    Extraction,
    ExtractionSummary,
    Extractor,
    FeedbackInput,
    Finding,
    Import,
    Modality,
    Pairing,
    Phrase,
    Provenance,
)
from radcal.settings import Settings
from radcal.workflow.authors import author_names, coverage, evidence, feedback_input
from radcal.workflow.engines import close_engine, extracted, extraction_accuracy, make_engine, versions
from radcal.workflow.fingerprints import fingerprint
from radcal.workflow.reviewing import SECOND_OPINION, review_table, to_findings

if TYPE_CHECKING:
    import pandas as pd

    from radcal.lexicon.phrases import Lexicon
    from radcal.workspace import Workspace

_BATCH, _BATCH_SECONDS = 250, 5.0
"""Findings are committed after so many reports, or after so long: the most that a killed run loses."""
_TEXTS = 1000
"""Reports whose texts are in memory at a time."""
_MATCHED = (
    *("report_id", "pathology", "phrase", "verbatim", "sentence", "section"),
    *("start", "end", "cue_start", "cue_end"),
)
"""Fields of Finding that decide what enters the statistics, or are shown as evidence."""
_FILES, _VERSIONS, _ATTRITION = "imported files", "versions of reports", "attrition of reading"
_ANALYSIS_KEY, _ANALYSED = "analysis key", "files analysed"


class Department:
    """An open workspace with the steps of the pipeline as methods.

    Every step reads from and writes to the workspace, so that a stopped step goes on where it was and
    nothing is done twice.  Steps may take minutes; none may run in the thread that draws a window.
    """

    def __init__(self, workspace: Workspace, title: str, on_close: Callable[[], None] | None = None) -> None:
        self._workspace = workspace
        self._on_close = on_close
        self.title = title
        self._lexicon: Lexicon | None = None
        self._engines: dict[tuple[str, str], Extractor] = {}
        self._last: tuple[str, Analysis] | None = None
        self._observed: tuple[str, pd.DataFrame] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the engines, close the workspace and release its lock; closing twice is no error."""
        for engine in self._engines.values():
            close_engine(engine)
        self._engines.clear()
        self._workspace.close()
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return self._workspace.path

    @property
    def read_only(self) -> bool:
        """Whether the workspace was opened to look only: importing, extracting and analysing are refused."""
        return self._workspace.read_only

    @property
    def up_to_date(self) -> bool:
        """Whether the stored analysis is of all that was imported; if not, the later steps go on where they were."""
        return self._workspace.get_meta(_ANALYSED) == (self._workspace.get_meta(_FILES) or "")

    @property
    def settings(self) -> Settings:
        """The settings stored in the workspace."""
        return self._workspace.settings

    def save_settings(self, settings: Settings) -> None:
        """Store the department's settings; results made with others are made anew when next asked for."""
        self._workspace.save_settings(settings)

    @property
    def lexicon(self) -> Lexicon:
        """The words and what they mean."""
        if self._lexicon is None:
            from radcal.lexicon.phrases import load_lexicon

            self._lexicon = load_lexicon()
        return self._lexicon

    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases, weakest first."""
        return self.lexicon.phrases

    # --- files to pairs

    def import_files(
        self,
        reports: Sequence[Path] = (),
        xray: Sequence[Path] = (),
        ct: Sequence[Path] = (),
        mapping: Mapping[str, str] | None = None,
        progress: Progress = SILENT,
    ) -> Import:
        """Read report files into the workspace; rows that cannot be used are listed in the result and stored.

        Files may come in any order: versions of one report are settled with those read before.  A file that
        was imported before and has not changed is left out, so that an import can be repeated.

        Args:
            reports: files that name each report's modality.
            xray, ct: files of one modality.
            mapping: our column names to those of the files, where they are not recognised.
            progress: one part for each file, then one for each report.

        Raises:
            InputError: a file that cannot be read at all, or a needed column that is missing.
            Cancelled: nothing was imported.
        """
        from radcal.ingest.readers import combine, read_reports
        from radcal.ingest.rows import empty_reports
        from radcal.ingest.table import rejected_frame

        if not (reports or xray or ct):
            raise InputError("No report files were given.")
        rule = self.settings.trainee_rule
        known = set(json.loads(self._workspace.get_meta(_FILES) or "[]"))
        again: list[str] = []
        marks: set[str] = set()
        read: list[Import] = []
        for paths, modality in ((reports, None), (xray, Modality.XRAY), (ct, Modality.CT)):
            mark_of = {path: fingerprint(path, str(modality or ""), mapping, progress) for path in paths}
            again += [path.name for path, mark in mark_of.items() if mark in known]
            fresh = [path for path, mark in mark_of.items() if mark not in known]
            if fresh:
                read.append(
                    read_reports(
                        fresh,
                        modality=modality,
                        mapping=mapping,
                        trainee_rule=rule,
                        all_mapped=False,
                        progress=progress,
                    )
                )
                marks.update(mark_of.values())
        notes = (f"Imported before, and not read again: {', '.join(again)}.",) if again else ()
        if not read:
            return Import(empty_reports(), rejected_frame([]), 0, {}, notes=notes)
        if not again:  # the files that are not read again may be those that have the column
            _require_mapped(mapping or {}, read)
        progress.raise_if_cancelled()
        before, others = self._touched(read)
        new = combine([*before, *read], trainee_rule=rule)
        with self._workspace.transaction():
            self._workspace.save_import(new, progress=progress)
            self._workspace.save_frame(_VERSIONS, _stacked([*others, new.reports[_version_columns()]]))
            if new.attrition is not None:
                self._workspace.save_frame(_ATTRITION, new.attrition)
            self._workspace.set_meta(_FILES, json.dumps(sorted(known | marks)))
        return replace(new, notes=(*notes, *new.notes))

    def _touched(self, read: Sequence[Import]) -> tuple[list[Import], list[pd.DataFrame]]:
        """What earlier imports left: reports of which further rows were read, as an import; versions of the others."""
        from radcal.ingest.table import rejected_frame

        own = self._workspace.load_frame(_VERSIONS)
        if own is None:
            return [], []
        again = own["report_id"].isin({i for imported in read for i in imported.reports["report_id"]})
        reports = self._workspace.reports(ids=own.loc[again, "report_id"]).merge(
            own[again], on="report_id", validate="one_to_one"
        )
        attrition = self._workspace.load_frame(_ATTRITION)
        return [Import(reports, rejected_frame([]), 0, {}, attrition=attrition)], [own[~again]]

    def pair(self) -> Pairing:
        """Pair the X-ray and CT reports of the workspace and store the pairs and the attrition.

        Raises:
            DataError: nothing was imported.
        """
        from radcal.ingest.pairing import pair

        own = self._workspace.load_frame(_VERSIONS)
        if own is None:
            raise DataError("There are no reports yet. Import report files first.")
        columns = [name for name in REPORT_COLUMNS if name != "text"]
        reports = self._workspace.reports(columns, ids=own["report_id"]).merge(
            own, on="report_id", validate="one_to_one"
        )
        # Texts are most of a workspace, and play no part in pairing.
        pairing = pair(reports.assign(text=""), self.settings, reading=self._workspace.load_frame(_ATTRITION))
        self._workspace.save_pairing(pairing)
        return pairing

    def attrition(self) -> pd.DataFrame:
        """Where reports dropped out, from rows read to pairs, in records.ATTRITION_COLUMNS."""
        return self._workspace.attrition()

    def rejected(self) -> pd.DataFrame:
        """Rows that could not be used, of all imports, in records.REJECTED_COLUMNS."""
        return self._workspace.rejected()

    # --- pairs to findings

    def extract(self, progress: Progress = SILENT) -> ExtractionSummary:
        """Extract findings from every paired report that has none yet from the settings' engine.

        Findings are committed every few hundred reports or few seconds: whatever ends the run, a kill of the
        process excepted, loses nothing, and a kill loses at most the last batch.

        Raises:
            EngineError: the engine stopped working.
            Cancelled: the user asked to stop.
        """
        wanted = self._paired_ids()
        return self._extraction_summary(self._extract_with(self._engine(), wanted, progress), wanted)

    def _extract_with(self, extractor: Extractor, wanted: Sequence[str], progress: Progress) -> int:
        """Let an engine read what it has not read yet; the number of its run."""
        workspace = self._workspace
        run = self._run(extractor)
        pending = workspace.pending(run, wanted)
        progress.start(len(pending), "Extracting findings")
        batch: list[Extraction] = []
        committed = time.monotonic()
        try:
            for extraction in extracted(extractor, self._documents(pending), progress):
                batch.append(extraction)
                if len(batch) >= _BATCH or time.monotonic() - committed > _BATCH_SECONDS:
                    workspace.save_extractions(run, batch)
                    batch, committed = [], time.monotonic()
                progress.raise_if_cancelled()
        finally:
            workspace.save_extractions(run, batch)
        return run

    def _engine(self, name: str | None = None) -> Extractor:
        """The engine of that name, or that of the settings; making one reads word lists or a model's metadata."""
        settings = self.settings
        chosen = (name or settings.engine, settings.model if name is None else "")
        if chosen not in self._engines:
            self._engines[chosen] = make_engine(*chosen)
        return self._engines[chosen]

    def _run(self, extractor: Extractor) -> int:
        return self._workspace.begin_run(extractor.name, extractor.version, extractor.settings_hash)

    def _paired_ids(self) -> list[str]:
        pairs = self._workspace.pairs()
        return [*pairs["xray_id"], *pairs["ct_id"]]

    def _documents(self, ids: Sequence[str]) -> Iterator[Document]:
        from radcal.ingest.sections import document

        for start in range(0, len(ids), _TEXTS):
            frame = self._workspace.reports(("report_id", "modality", "text"), ids[start : start + _TEXTS])
            for report_id, modality, text in frame.itertuples(index=False, name=None):
                yield document(report_id, text, Modality(modality))

    def _extraction_summary(self, run: int, ids: Sequence[str]) -> ExtractionSummary:
        from radcal.lexicon.phrases import count_unknown

        counted = self._workspace.count_findings(run, ids)
        pending = len(self._workspace.pending(run, ids))
        failed = set(self._workspace.failures(run)["report_id"]).intersection(ids)
        unknown = (verbatim for phrase, verbatim, n in counted if phrase == OTHER for _ in range(n))
        return ExtractionSummary(
            n_reports=len(ids),
            n_done=len(ids) - pending,
            n_failed=len(failed),
            n_findings=sum(n for _, _, n in counted),
            unknown_phrases=tuple(count_unknown(unknown)),
        )

    def failures(self) -> pd.DataFrame:
        """Reports that the engine failed on: report_id, failure (the reason)."""
        return self._workspace.failures(self._run(self._engine()))

    def review(self, progress: Progress = SILENT) -> pd.DataFrame:
        """Statements that a person should look at, worst first: what the settings' engine and the rules read.

        Where the rules are the engine, nothing is listed: they know no probability and have no second opinion.

        Returns:
            REVIEW_COLUMNS, a row a statement.
        """
        return review_table(*self._two_opinions(progress), self.settings.review_below)

    def _two_opinions(self, progress: Progress) -> tuple[list[Finding], list[Finding]]:
        ids = self._paired_ids()
        own, second = self._engine(), self._engine(SECOND_OPINION)
        if own.name == second.name:
            return [], []
        runs = [self._extract_with(engine, ids, progress) for engine in (own, second)]
        # Only reports that both have read: silence of a report that was not read is no opinion.
        read = set(ids).intersection(*(self._workspace.read_by(run, ids) for run in runs))
        first, other = (self._workspace.findings(run, [i for i in ids if i in read]) for run in runs)
        return to_findings(first), to_findings(other)

    # --- findings to reliability and advice

    def analyse(self, progress: Progress = SILENT) -> Analysis:
        """Reliability and advice of every author on every topic; stored, and reloaded if nothing has changed.

        Raises:
            DataError: no X-ray statement met a CT statement.
        """
        from radcal.advise import advise
        from radcal.calibrate import build_tables, measure

        settings, workspace, phrases = self.settings, self._workspace, self.phrases()
        extractor = self._engine()
        run, pairs = self._run(extractor), workspace.pairs()
        progress.start(None, "Matching X-ray with CT statements")
        # A report that was not read says nothing, which is not the same as a report that mentions nothing.
        read_ids = workspace.read_by(run, self._paired_ids())
        read = pairs["xray_id"].isin(read_ids) & pairs["ct_id"].isin(read_ids)
        observations, counts = self._match(run, pairs[read])
        progress.raise_if_cancelled()
        about = (tuple(counts.itertuples(index=False, name=None)), coverage(pairs, read))
        key = self._analysis_key(extractor, settings, observations, about)
        all_read = not workspace.pending(run, self._paired_ids())
        files = (workspace.get_meta(_FILES) or "") if all_read else "not all"
        if workspace.get_meta(_ANALYSIS_KEY) == key and (stored := self.analysis()) is not None:
            workspace.set_meta(_ANALYSED, files)
            return stored
        if observations.empty:
            raise DataError(
                f"None of {int(read.sum()):,} pairs has an X-ray statement on which its CT report decides. "
                "Import more reports, or look at the attrition for where they drop out."
            )
        tables = build_tables(observations, phrases)
        reliabilities = measure(tables, phrases, settings, progress)
        analysis = Analysis(
            reliabilities=reliabilities,
            advices=advise(tables, reliabilities, phrases, settings, progress),
            counts=about[0],
            provenance=self._provenance(extractor, settings, pairs[read]),
            pairs=about[1],
        )
        with workspace.transaction():
            workspace.save_observations(observations)
            workspace.save_result("analysis", "current", record_to_plain(analysis), versions())
            workspace.set_meta(_ANALYSIS_KEY, key)
            workspace.set_meta(_ANALYSED, files)
        self._last, self._observed = (key, analysis), (key, observations)
        return analysis

    def analysis(self) -> Analysis | None:
        """The analysis made last, None if there is none."""
        key = self._workspace.get_meta(_ANALYSIS_KEY)
        if key is None:
            return None
        if self._last is None or self._last[0] != key:
            stored = self._workspace.load_result("analysis", "current")
            self._last = None if stored is None else (key, plain_to_record(stored, Analysis))
        return None if self._last is None else self._last[1]

    def _match(self, run: int, pairs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Observations with their outcome, and the counts of what did not become one."""
        from radcal.calibrate import match
        from radcal.extract.report_level import decide_table
        from radcal.lexicon.bins import reference_positive
        from radcal.lexicon.confirmations import load_confirmations

        ids = [*pairs["xray_id"], *pairs["ct_id"]]
        findings = decide_table(self._workspace.findings(run, ids, _MATCHED))
        matching = match(pairs, findings, load_confirmations(settings=self.settings), self.phrases())
        positive = dict(zip((p.name for p in self.phrases()), reference_positive(self.phrases()), strict=True))
        outcome = matching.observations["reference_phrase"].map(positive).astype("float64")
        return matching.observations.assign(outcome=outcome), matching.counts

    def _analysis_key(self, extractor: Extractor, settings: Settings, observations: pd.DataFrame, about: object) -> str:
        """Hash over all that an analysis depends on."""
        import pandas as pd

        content = hashlib.sha256(pd.util.hash_pandas_object(observations, index=False).to_numpy().tobytes())
        made_with = (extractor.name, extractor.version, extractor.settings_hash, settings.hash(), self.lexicon.version)
        for part in (*made_with, *versions().values(), repr(about)):
            content.update(f"{part}\n".encode())
        return content.hexdigest()

    def _provenance(self, extractor: Extractor, settings: Settings, pairs: pd.DataFrame) -> Provenance:
        return Provenance(
            engine=extractor.name,
            engine_version=extractor.version,
            settings_hash=settings.hash(),
            lexicon=f"{self.lexicon.name} {self.lexicon.version}",
            seed=settings.seed,
            versions=versions(),
            first_exam=pairs["xray_time"].min().to_pydatetime(),
            last_exam=pairs["xray_time"].max().to_pydatetime(),
            n_pairs=len(pairs),
            created=datetime.now().astimezone().replace(microsecond=0),
            extraction_accuracy=extraction_accuracy(extractor),
        )

    def evidence(self, author: str, topic: str, phrase: str | None = None) -> pd.DataFrame:
        """The observations of an author on a topic, with the sentences behind them, the latest first.

        Columns: records.OBSERVATION_COLUMNS, ``outcome`` included, and records.EVIDENCE_COLUMNS.

        Raises:
            DataError: there is no analysis yet.
        """
        observations = self._observations()
        return evidence(observations[observations["author"] == author], topic, phrase)

    def _observations(self) -> pd.DataFrame:
        key = self._workspace.get_meta(_ANALYSIS_KEY)
        if self._observed is None or self._observed[0] != key:
            observations = self._workspace.observations()
            if key is None or observations is None:
                raise DataError("There is no analysis yet. Import reports and let RadCal read them first.")
            self._observed = key, observations
        return self._observed[1]

    # --- advice to paper

    def authors(self) -> tuple[str, ...]:
        """The radiologists of the analysis, by name.

        Raises:
            DataError: there is no analysis yet.
        """
        return author_names(self._analysed())

    def _analysed(self) -> Analysis:
        analysis = self.analysis()
        if analysis is None:
            raise DataError("There is no analysis yet. Import reports and let RadCal read them first.")
        return analysis

    def pseudonyms(self) -> dict[str, str]:
        """A pseudonym for every author; the same every time for this workspace and these authors."""
        return self._pseudonyms(self._analysed())

    def _pseudonyms(self, analysis: Analysis) -> dict[str, str]:
        from radcal.feedback import pseudonyms

        return pseudonyms(author_names(analysis), self._workspace.pseudonym_seed)

    def feedback(self, author: str) -> FeedbackInput:
        """All that an author's pages are made of.

        Raises:
            InputError: nobody of that name has statements in this workspace.
            DataError: there is no analysis yet.
        """
        analysis = self._analysed()
        if author not in author_names(analysis):
            raise InputError(
                f"There is no radiologist {author!r} in this workspace. There are: {', '.join(author_names(analysis))}."
            )
        observations = self._observations()
        return self._feedback(author, analysis, observations[observations["author"] == author])

    def _feedback(self, author: str, analysis: Analysis, observations: pd.DataFrame) -> FeedbackInput:
        return feedback_input(author, analysis, observations, self._pseudonyms(analysis)[author], self.phrases())

    def feedbacks(self, progress: Progress = SILENT) -> Iterator[FeedbackInput]:
        """The input of every author's pages, by name."""
        analysis, observations = self._analysed(), self._observations()
        of_author = dict(iter(observations.groupby("author", sort=False)))
        for author in author_names(analysis):
            progress.raise_if_cancelled()
            yield self._feedback(author, analysis, of_author[author])

    def write_feedback(
        self, author: str, out: Path, *, paper: Any = "a4", standard: Any = "", progress: Progress = SILENT
    ) -> Path:
        """Write an author's pages as a PDF.

        Raises:
            InputError: no such author, or the file cannot be written.
            DataError: there is no analysis yet.
        """
        from radcal.feedback import write_feedback

        data = self.feedback(author)
        progress.raise_if_cancelled()
        return write_feedback(data, out, paper=paper, standard=standard, settings=self.settings)


def _version_columns() -> list[str]:
    from radcal.ingest.versions import VERSION_COLUMNS

    return ["report_id", *VERSION_COLUMNS]


def _require_mapped(mapping: Mapping[str, str], read: Sequence[Import]) -> None:
    """X-ray and CT files may have columns of different names: each that was named must be in one of them."""
    from radcal.ingest.columns import simplified

    for field, column in mapping.items():
        names = {name for i in read for name in (i.mapping.get(field, ""), *i.mapping.get(field, "").split(" / "))}
        if simplified(column) not in {simplified(name) for name in names}:
            raise InputError(
                f"No column {column!r}, to which {field} was mapped, is in any of the files. "
                "Check how the column is written."
            )


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(frames, ignore_index=True)
