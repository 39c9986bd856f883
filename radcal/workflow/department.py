"""A department: an open workspace with the steps of the pipeline as methods."""

from __future__ import annotations

import hashlib
import itertools
import secrets
import shutil
import tempfile
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
    Advice,
    Analysis,
    Document,
    Example,
    ExtractionSummary,
    Extractor,
    FeedbackInput,
    Import,
    Modality,
    Pairing,
    Phrase,
    Provenance,
)
from radcal.resources import resource
from radcal.settings import Settings
from radcal.workflow.engines import ENGINES, extraction_accuracy, make_engine, versions

if TYPE_CHECKING:
    import pandas as pd

    from radcal.lexicon.phrases import Lexicon
    from radcal.workspace import Workspace

_BATCH = 250
"""Reports whose findings are committed together: the most that a stopped run loses."""
_EXAMPLES = 4
"""Sentences printed for each word that advice is about."""
_UNMENTIONED = "not mentioned on X-ray, found on CT"


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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the workspace and release its lock; closing twice is no error."""
        self._workspace.close()
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return self._workspace.path

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

        Files may come in any order and again: versions of one report are settled with those read before.

        Args:
            reports: files that name each report's modality.
            xray, ct: files of one modality.
            mapping: our column names to those of the files, where they are not recognised.

        Raises:
            InputError: a file that cannot be read at all, or a needed column that is missing.
        """
        from radcal.ingest.readers import combine, read_reports

        rule = self.settings.trainee_rule
        read = [
            read_reports(paths, modality=modality, mapping=mapping, trainee_rule=rule, progress=progress)
            for paths, modality in ((reports, None), (xray, Modality.XRAY), (ct, Modality.CT))
            if paths
        ]
        if not read:
            raise InputError("No report files were given.")
        before = self._imported_before()
        settled = combine([*before, *read], trainee_rule=rule)
        new = replace(settled, rows_read=settled.rows_read - sum(i.rows_read for i in before))
        progress.raise_if_cancelled()
        with self._workspace.transaction():
            self._workspace.save_import(new, progress=progress)
            self._workspace.save_frame("versions of reports", settled.reports[_version_columns()])
            if settled.attrition is not None:
                self._workspace.save_frame("attrition of reading", settled.attrition)
        return new

    def _imported_before(self) -> list[Import]:
        """All that earlier imports left, as one import without rejected rows; nothing in a new workspace."""
        from radcal.ingest.table import rejected_frame

        kept, attrition = self._reports(), self._workspace.load_frame("attrition of reading")
        if kept is None or attrition is None:
            return []
        rows = int(self._workspace.imports()["rows_read"].sum())
        return [Import(kept, rejected_frame([]), rows, {}, attrition=attrition)]

    def _reports(self) -> pd.DataFrame | None:
        """The reports that are used, with the columns that tell versions apart; None before the first import."""
        own = self._workspace.load_frame("versions of reports")
        if own is None:
            return None
        return self._workspace.reports(ids=own["report_id"]).merge(own, on="report_id", validate="one_to_one")

    def pair(self) -> Pairing:
        """Pair the X-ray and CT reports of the workspace and store the pairs and the attrition.

        Raises:
            DataError: nothing was imported.
        """
        from radcal.ingest.pairing import pair

        reports = self._reports()
        if reports is None:
            raise DataError("There are no reports yet. Import report files first.")
        pairing = pair(reports, self.settings, reading=self._workspace.load_frame("attrition of reading"))
        self._workspace.save_pairing(pairing)
        return pairing

    def attrition(self) -> pd.DataFrame:
        """Where reports dropped out, from rows read to pairs, in records.ATTRITION_COLUMNS."""
        return self._workspace.attrition()

    def rejected(self) -> pd.DataFrame:
        """Rows that could not be used, of all imports, in records.REJECTED_COLUMNS."""
        return self._workspace.rejected()

    # --- pairs to findings

    def extract(self, engine: str = ENGINES[0], progress: Progress = SILENT) -> ExtractionSummary:
        """Extract findings from every paired report that has none yet from this engine and its settings.

        Findings are committed every few hundred reports; a stop loses at most the last of them.
        """
        extractor, workspace = make_engine(engine), self._workspace
        run = self._run(extractor)
        wanted = self._paired_ids()
        pending = workspace.pending(run, wanted)
        progress.start(len(pending), "Extracting findings")
        for start in range(0, len(pending), _BATCH):
            progress.raise_if_cancelled()
            done = []
            for extraction in extractor.extract(self._documents(pending[start : start + _BATCH]), progress):
                done.append(extraction)
                progress.advance()
            workspace.save_extractions(run, done)
        return self._extraction_summary(run, wanted)

    def _run(self, extractor: Extractor) -> int:
        return self._workspace.begin_run(extractor.name, extractor.version, extractor.settings_hash)

    def _paired_ids(self) -> list[str]:
        pairs = self._workspace.pairs()
        return [*pairs["xray_id"], *pairs["ct_id"]]

    def _documents(self, ids: Sequence[str]) -> Iterator[Document]:
        from radcal.ingest.sections import document

        frame = self._workspace.reports(columns=("report_id", "modality", "text"), ids=ids)
        for report_id, modality, text in frame.itertuples(index=False, name=None):
            yield document(report_id, text, Modality(modality))

    def _extraction_summary(self, run: int, ids: Sequence[str]) -> ExtractionSummary:
        from radcal.lexicon.phrases import count_unknown

        findings = self._workspace.findings(run, ids)
        failed = set(self._workspace.failures(run)["report_id"]).intersection(ids)
        return ExtractionSummary(
            n_reports=len(ids),
            n_done=len(ids) - len(self._workspace.pending(run, ids)),
            n_failed=len(failed),
            n_findings=len(findings),
            unknown_phrases=tuple(count_unknown(findings.loc[findings["phrase"] == OTHER, "verbatim"])),
        )

    def failures(self, engine: str = ENGINES[0]) -> pd.DataFrame:
        """Reports that the engine failed on: report_id, failure (the reason)."""
        return self._workspace.failures(self._run(make_engine(engine)))

    # --- findings to reliability and advice

    def analyse(self, engine: str = ENGINES[0], progress: Progress = SILENT) -> Analysis:
        """Reliability and advice of every author on every topic; stored, and reloaded if nothing has changed.

        Raises:
            DataError: no X-ray statement met a CT statement.
        """
        from radcal.advise import advise
        from radcal.calibrate import build_tables, measure

        settings, workspace, phrases = self.settings, self._workspace, self.phrases()
        extractor, pairs = make_engine(engine), workspace.pairs()
        observations, counts = self._match(self._run(extractor), pairs)
        key = self._analysis_key(extractor, settings, observations)
        stored = self.analysis()
        if stored is not None and workspace.get_meta("analysis key") == key:
            return stored
        if observations.empty:
            raise DataError(
                f"None of {len(pairs):,} pairs has an X-ray statement on which its CT report decides. "
                "Import more reports, or look at the attrition for where they drop out."
            )
        tables = build_tables(observations, phrases)
        reliabilities = measure(tables, phrases, settings, progress)
        analysis = Analysis(
            reliabilities=reliabilities,
            advices=advise(tables, reliabilities, phrases, settings, progress),
            counts=tuple((str(t), str(w), int(n)) for t, w, n in counts.itertuples(index=False, name=None)),
            provenance=self._provenance(extractor, settings, pairs),
        )
        with workspace.transaction():
            workspace.save_observations(observations)
            workspace.save_result("analysis", "current", record_to_plain(analysis), versions())
            workspace.set_meta("analysis key", key)
        return analysis

    def analysis(self) -> Analysis | None:
        """The analysis made last, None if there is none."""
        stored = self._workspace.load_result("analysis", "current")
        return None if stored is None else plain_to_record(stored, Analysis)

    def _match(self, run: int, pairs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Observations with their outcome, and the counts of what did not become one."""
        from radcal.calibrate import match
        from radcal.extract.report_level import decide_table
        from radcal.lexicon.bins import reference_positive
        from radcal.lexicon.confirmations import load_confirmations

        findings = decide_table(self._workspace.findings(run, self._paired_ids()))
        matching = match(pairs, findings, load_confirmations(settings=self.settings), self.phrases())
        positive = dict(zip((p.name for p in self.phrases()), reference_positive(self.phrases()), strict=True))
        outcome = matching.observations["reference_phrase"].map(positive).astype("float64")
        return matching.observations.assign(outcome=outcome), matching.counts

    def _analysis_key(self, extractor: Extractor, settings: Settings, observations: pd.DataFrame) -> str:
        """Hash over all that an analysis depends on."""
        import pandas as pd

        content = hashlib.sha256(pd.util.hash_pandas_object(observations, index=False).to_numpy().tobytes())
        made_with = (extractor.name, extractor.version, extractor.settings_hash, settings.hash(), self.lexicon.version)
        for part in (*made_with, *versions().values()):
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
        return _evidence(self._observations(), author, topic, phrase)

    def _observations(self) -> pd.DataFrame:
        observations = self._workspace.observations()
        if observations is None:
            raise DataError("There is no analysis yet. Import reports and let RadCal read them first.")
        return observations

    # --- advice to paper

    def authors(self) -> tuple[str, ...]:
        """The radiologists of the analysis, by name.

        Raises:
            DataError: there is no analysis yet.
        """
        return _authors(self._analysed())

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

        return pseudonyms(_authors(analysis), self._workspace.pseudonym_seed)

    def feedback(self, author: str) -> FeedbackInput:
        """All that an author's pages are made of.

        Raises:
            InputError: nobody of that name has statements in this workspace.
            DataError: there is no analysis yet.
        """
        analysis = self._analysed()
        if author not in _authors(analysis):
            raise InputError(
                f"There is no radiologist {author!r} in this workspace. There are: {', '.join(_authors(analysis))}."
            )
        return self._feedback(author, analysis, self._observations())

    def _feedback(self, author: str, analysis: Analysis, observations: pd.DataFrame) -> FeedbackInput:
        pairs = self._workspace.pairs()
        own = pairs[pairs["author"] == author]
        advices = tuple(a for a in analysis.advices if a.author == author)
        return FeedbackInput(
            author=author,
            pseudonym=self._pseudonyms(analysis)[author],
            reliabilities=tuple(r for r in analysis.reliabilities if r.author == author),
            advices=advices,
            examples=_examples(observations, author, advices),
            phrases=self.phrases(),
            provenance=replace(
                analysis.provenance,
                first_exam=own["xray_time"].min().to_pydatetime(),
                last_exam=own["xray_time"].max().to_pydatetime(),
                n_pairs=len(own),
            ),
        )

    def feedbacks(self, progress: Progress = SILENT) -> Iterator[FeedbackInput]:
        """The input of every author's pages, by name."""
        analysis, observations = self._analysed(), self._observations()
        for author in _authors(analysis):
            progress.raise_if_cancelled()
            yield self._feedback(author, analysis, observations)

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


def _authors(analysis: Analysis) -> tuple[str, ...]:
    return tuple(sorted({r.author for r in analysis.reliabilities}))


def _evidence(observations: pd.DataFrame, author: str, topic: str, phrase: str | None) -> pd.DataFrame:
    mine = (observations["author"] == author) & (observations["topic"] == topic)
    if phrase is not None:
        mine &= observations["phrase"] == phrase
    return observations[mine].sort_values("xray_time", ascending=False, kind="stable", ignore_index=True)


def _examples(observations: pd.DataFrame, author: str, advices: Sequence[Advice]) -> tuple[Example, ...]:
    """The latest findings behind each recommendation; the surprising ones first, then the others."""
    examples: list[Example] = []
    for advice in advices:
        for recommendation in advice.recommendations:
            evidence = _evidence(observations, author, advice.topic, recommendation.source)
            stated = recommendation.source_rate.mean >= 0.5
            surprising = (evidence["outcome"] >= 0.5) != stated
            chosen = evidence[surprising].head(_EXAMPLES - 1)
            others = evidence[~surprising].head(_EXAMPLES - len(chosen))
            examples.extend(
                Example(
                    topic=advice.topic,
                    phrase=recommendation.source,
                    xray_sentence=str(row["xray_sentence"]),
                    cue_start=int(row["xray_cue_start"]),
                    cue_end=int(row["xray_cue_end"]),
                    ct_sentence=str(row["ct_sentence"]),
                    confirmed=row["outcome"] >= 0.5,
                )
                for row in itertools.chain(chosen.to_dict("records"), others.to_dict("records"))
            )
    return tuple(examples)


def open_department(
    path: Path, passphrase: str, *, create: bool = False, read_only: bool = False, settings: Settings | None = None
) -> Department:
    """Open a workspace, or make a new one.

    Args:
        path: the workspace's file.
        passphrase: opens it; there is no way to read the file without it.
        create: make the file; it may not exist.
        read_only: look, change nothing; possible while another RadCal has it open.
        settings: settings to store; None keeps those of the workspace (the defaults in a new one).

    Raises:
        InputError: wrong passphrase, in use, newer, damaged, missing or there already; each says what to do.
    """
    from radcal.workspace import Workspace

    if create:
        return Department(Workspace.create(path, passphrase, settings), path.stem)
    workspace = Workspace.open(path, passphrase, read_only=read_only)
    if settings is not None and not read_only:
        workspace.save_settings(settings)
    return Department(workspace, path.stem)


def sample_department(progress: Progress = SILENT) -> Department:
    """The sample that ships with RadCal, read and analysed, in an encrypted file that goes when it is closed."""
    from radcal.workspace import Workspace

    folder = Path(tempfile.mkdtemp(prefix="radcal-sample-"))

    def remove() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    try:
        workspace = Workspace.create(folder / "sample.radcal", secrets.token_urlsafe(16))
    except BaseException:
        remove()
        raise
    department = Department(workspace, "Sample department", remove)
    try:
        sample = resource("sample")
        department.import_files(xray=[sample / "xray.csv"], ct=[sample / "ct.csv"], progress=progress)
        department.pair()
        department.extract(progress=progress)
        department.analyse(progress=progress)
    except BaseException:
        department.close()
        raise
    return department
