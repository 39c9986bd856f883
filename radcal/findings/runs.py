"""Runs of extraction engines over a department's reports: start, resume, retry, choose, compare."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.findings.differences import compare_findings
from radcal.findings.engines import (
    ENGINES,
    EngineFit,
    Pausable,
    close_engine,
    extraction_accuracy,
    fit_engine,
    in_words,
    make_engine,
    model_name,
    sends_to,
    sent_by,
    why_alone,
)
from radcal.findings.outcomes import extracted_in
from radcal.findings.readers.pairs import NOT_STATED
from radcal.findings.readers.trial import foreign_reader, keep_trial, known_trial, require_passed, try_reader
from radcal.findings.records import Extraction, ExtractionSummary, Extractor, Finding
from radcal.findings.run_records import (
    EngineStatus,
    ReportFailure,
    RunChoice,
    RunComparison,
    RunKey,
    RunSummary,
)
from radcal.findings.served.agreed import agree, require_agreement
from radcal.findings.served.server import served_host, server_entry
from radcal.findings.side_by_side import BROKE_DOWN
from radcal.findings.storage import save_extractions
from radcal.findings.to_review import (
    SECOND_OPINION,
    Concern,
    OtherReading,
    ReviewItem,
    other_readings,
    review_queue,
    review_table,
    to_findings,
)
from radcal.reports.records import Document, Modality
from radcal.system import policy
from radcal.system.components import versions
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.sending import note_sending
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.system.workers import elsewhere
from radcal.words.extraction_words import for_reading
from radcal.words.phrases import Lexicon
from radcal.words.records import OTHER, UNREAD
from radcal.words.studies import study_of
from radcal.words.tables import read_cells
from radcal.words.word_files import own_version
from radcal.workspace.context import ANALYSED_FILES, Context
from radcal.workspace.records import PAIRED, Ids

if TYPE_CHECKING:
    from datetime import datetime

    import pandas as pd

    from radcal.workspace.store import Workspace

_BATCH, _BATCH_SECONDS = 250, 5.0
"""Findings are committed after this many reports or seconds: the most that a killed run loses."""
_TEXTS = 1000
"""Number of report texts in memory at a time."""
_USED, _MODELS, _ANALYSED_RUN = "extraction run on show", "models of extraction runs", "extraction run analysed"
_KEPT = "analysis of a run"
_COMPARED = ("report_id", "pathology", "phrase", "sentence", "section", "start")
Effects = Callable[[int, Sequence[OtherReading], Progress], list[float]]
"""Returns what each reading, taken alone, would change in the results of a run."""


class Runs:
    """The extraction runs of an open workspace.

    One thread may read while another asks; :meth:`pause` and :meth:`resume` may be called from any.
    """

    def __init__(self, context: Context, effects: Effects) -> None:
        self._context = context
        self._effects = effects
        self._workspace = context.workspace
        self._engines: dict[tuple[object, ...], Extractor] = {}
        self._measured: tuple[tuple[str, str, bool], dict[str, str]] | None = None
        self._making = threading.RLock()
        self._holding = threading.Lock()
        self._reading: Extractor | None = None
        self._sends_to = ""
        """The host that is being sent reports, '' while none is."""
        self._paused = False

    def close(self) -> None:
        """Close the engines."""
        for engine in self._engines.values():
            close_engine(engine)
        self._engines.clear()

    def read(self, progress: Progress = SILENT) -> ExtractionSummary:
        """Extract the remaining reports with the engine in the settings.

        Results remain those of the run on show, if any, until :meth:`use` chooses another.  A stop loses nothing; the
        same call resumes.

        Raises:
            InputError, EngineError, Cancelled: as :meth:`extract`.
        """
        before = self.used() or self.shown()
        self.use(None if before == self.own() else before)
        return self._read_all(self.engine(), progress)

    def extract(self, progress: Progress = SILENT) -> ExtractionSummary:
        """Extract the findings of all paired reports that the engine behind the results has not read yet.

        That is the engine in the settings, unless :meth:`use` has chosen a run of another that can go on with it.

        Findings are committed every few hundred reports or few seconds: only a killed process loses any, at most the
        last batch.  A report that processes broke down over is read again, as that need not have been its fault.

        Raises:
            InputError: the engine's model file cannot be used.
            EngineError: the engine failed.
            Cancelled: by ``progress``.
        """
        return self._read_all(self._behind_results(), progress)

    def _behind_results(self) -> Extractor:
        used = self.used()
        run = next((r for r in self._keys() if r.run_id == used), None)
        if run is not None and run.name in ENGINES and not self._is_switched_off(run.name):
            with contextlib.suppress(InputError):  # a model that is gone
                engine = self.engine(run.name)
                if _key(engine, run.run_id) == run:
                    return engine
        return self.engine()

    def _is_switched_off(self, name: str) -> bool:
        """Whether an engine must not read: IT does not allow it, or it sends reports, and the settings send none."""
        settings = self._context.settings
        sends = settings.changed(engine=name).reads_at_server
        return (sends and not settings.reads_at_server) or not policy.in_use().allows(name)

    def _read_all(self, engine: Extractor, progress: Progress) -> ExtractionSummary:
        if (run := self._run_of(engine)) is not None:
            self.retry([f.report_id for f in self.failures(run) if f.reason == BROKE_DOWN], run)
        return self._summary(self._read_with(engine, PAIRED, progress))

    def read_reports(self, report_ids: Sequence[str], progress: Progress = SILENT) -> None:
        """Extract these reports, paired or not, with the engine of :meth:`extract`, unless it has read them.

        Raises:
            InputError, EngineError, Cancelled: as :meth:`extract`.
        """
        self._read_with(self._behind_results(), report_ids, progress)

    def pause(self) -> None:
        """Pause the running engine within half a second, until :meth:`resume`; from any thread."""
        self._hold(paused=True)

    def resume(self) -> None:
        """Resume after :meth:`pause`; from any thread."""
        self._hold(paused=False)

    def _hold(self, *, paused: bool) -> None:
        with self._holding:
            self._paused = paused
            self._show_sending()
            if isinstance(self._reading, Pausable):
                (self._reading.pause if paused else self._reading.resume)()

    def _read_with(self, extractor: Extractor, wanted: Ids, progress: Progress) -> int:
        """Extract the reports that the engine has not read yet; returns the number of its run.

        Raises:
            SetByPolicy: IT does not allow the engine or its second reader, whichever way led to it.
        """
        chosen = {"engine": extractor.name}
        reader = getattr(extractor, "reader", None)
        if extractor.name == "rules" and reader is not None and not getattr(reader, "is_bundled", False):
            chosen["second"] = "served" if sends_to(extractor) else model_name(extractor)
        policy.in_use().refuse(chosen)
        self._set_reading(extractor)
        try:
            return self._read_pending(extractor, wanted, progress)
        finally:
            self._set_reading(None)

    def _read_pending(self, extractor: Extractor, wanted: Ids, progress: Progress) -> int:
        workspace = self._workspace
        run = self._run_of(extractor)
        if run is None or workspace.pending(run, wanted):
            self._require_trial(extractor, progress)
        run = self._begin(extractor)
        pending = workspace.pending(run, wanted)
        progress.start(len(pending), Text("Extracting findings"))
        batch: list[Extraction] = []
        done, committed = 0, time.monotonic()
        host, sent = sends_to(extractor) if pending else "", sent_by(extractor)
        if host:
            require_agreement(host)
            self._context.note(f"sending reports to {host} begun", run=run, texts=len(pending))
            self._set_sending(host)
        if pending and (there := elsewhere()) is not None:
            self._context.note(f"reading by {there.named} begun", run=run, texts=len(pending))
        try:
            study = study_of(self._context.settings)
            for extraction in extracted_in(study, extractor, self._documents(pending), progress):
                batch.append(extraction)
                done += 1
                if len(batch) >= _BATCH or time.monotonic() - committed > _BATCH_SECONDS:
                    save_extractions(workspace, run, batch)
                    batch, committed = [], time.monotonic()
                progress.raise_if_cancelled()
        finally:
            self._set_sending("")
            save_extractions(workspace, run, batch)
            if pending:
                self._context.note("extraction ended", run=run, texts=done, left=len(pending) - done)
            if host:
                self._context.note(f"sent reports to {host}", run=run, texts=sent_by(extractor) - sent)
        return run

    def _require_trial(self, extractor: Extractor, progress: Progress) -> None:
        """Have a foreign language model read the sentences of the trial, once as it is now, and refuse one that fails.

        Raises:
            InputError, EngineError, Cancelled: as of :mod:`radcal.findings.readers.trial`.
        """
        if (reader := foreign_reader(extractor)) is None or self._context.settings.untested == "allowed":
            return
        require_agreement(sends_to(extractor))
        if (trial := known_trial(self._workspace, reader)) is None:
            trial = try_reader(reader, model_name(extractor), progress)
            keep_trial(self._workspace, trial)
        require_passed(trial)

    def _set_sending(self, host: str) -> None:
        with self._holding:
            self._sends_to = host
            self._show_sending()

    def _show_sending(self) -> None:
        note_sending(self, "" if self._paused else self._sends_to)

    def _set_reading(self, extractor: Extractor | None) -> None:
        with self._holding:
            if self._paused and extractor is None:  # the next run starts unpaused
                if isinstance(self._reading, Pausable):
                    self._reading.resume()
                self._paused = False
            self._reading = extractor
            if self._paused and isinstance(extractor, Pausable):
                extractor.pause()

    def engine(self, name: str | None = None, *, second: str | None = None) -> Extractor:
        """The engine of that name, or the one in the settings; creating it reads word lists or model metadata.

        Args:
            second: what reads beside the rules; None for what the settings have.

        Raises:
            InputError: the model file cannot be used.
        """
        settings = self._context.settings.changed(**({} if second is None else {"second": second}))
        kind, model = (name, "") if name is not None else (settings.engine, settings.model)
        words = for_reading(self._context.lexicon)
        alone = kind == "rules" and (settings.second == "none" or bool(why_alone(settings)))
        options = (settings.workers,) if alone else _options(settings)
        chosen = (alone, kind, model, words.version, settings.lexicon_dir, own_version(settings), *options)
        with self._making:
            if chosen not in self._engines:
                # Otherwise the model would be in memory twice.
                alike = [k for k in self._engines if k[0] == alone]
                for other in [k for k in alike if self._engines[k] is not self._reading]:
                    close_engine(self._engines.pop(other))
                self._engines[chosen] = make_engine(kind, model, settings, words)
            return self._engines[chosen]

    def _begin(self, extractor: Extractor) -> int:
        run = self._workspace.begin_run(extractor.name, extractor.version, extractor.settings_hash)
        model = model_name(extractor)
        if model and self._models().get(str(run)) != model:
            self._workspace.set_meta(_MODELS, json.dumps(self._models() | {str(run): model}))
        return run

    def _models(self) -> dict[str, str]:
        return models_of(self._workspace)

    def paired_ids(self) -> list[str]:
        pairs = self._workspace.pairs()
        return [*pairs["xray_id"], *pairs["ct_id"]]

    def _documents(self, ids: Sequence[str]) -> Iterator[Document]:
        from radcal.reports.sections import document

        for start in range(0, len(ids), _TEXTS):
            frame = self._workspace.reports(("report_id", "modality", "text"), ids[start : start + _TEXTS])
            for report_id, modality, text in frame.itertuples(index=False, name=None):
                yield document(report_id, text, Modality(modality))

    def _summary(self, run: int) -> ExtractionSummary:
        """What the run has read of the paired reports."""
        from radcal.words.phrases import count_unknown

        counted = self._workspace.count_findings(run, PAIRED)
        read, failed = self._workspace.count_read(run, PAIRED)
        n = 2 * self._workspace.count_pairs()
        find = self._context.lexicon.find
        words = {
            strange: count_unknown(verbatim for phrase, verbatim, n in counted if phrase == strange for _ in range(n))
            for strange in (OTHER, UNREAD)
        }
        return ExtractionSummary(
            n_reports=n,
            n_done=read + failed,
            n_failed=failed,
            n_findings=sum(n for _, _, n in counted),
            unknown_phrases=tuple(words[OTHER]),
            n_unread=sum(n for phrase, _, n in counted if phrase == UNREAD),
            n_decided=len(self._workspace.decisions(run, PAIRED)),
            unread_words=tuple(word for word in words[UNREAD] if find(word[0]) is None),
        )

    def _keys(self) -> list[RunKey]:
        return [RunKey(*row) for row in self._workspace.run_keys()]

    def own(self) -> int | None:
        """The run of the engine in the settings, None if it has not read anything yet.

        Raises:
            InputError: the engine's model file cannot be used.
        """
        return self._run_of(self.engine())

    def own_if_usable(self) -> int | None:
        """As :meth:`own`; None also where that engine cannot be used."""
        try:
            return self.own()
        except InputError:
            return None

    def _run_of(self, engine: Extractor) -> int | None:
        return next((key.run_id for key in self._keys() if key == _key(engine, key.run_id)), None)

    def used(self) -> int | None:
        """The run chosen for the analysis; None for that of the engine in the settings."""
        return self._known((self._workspace.get_meta(_USED) or "").partition(" ")[0])  # "3 until read" before 0.2

    def _known(self, number: str | None) -> int | None:
        return next((r.run_id for r in self._keys() if str(r.run_id) == number), None)

    def use(self, run_id: int | None) -> None:
        """Choose the run for the next analysis; None for that of the engine in the settings.

        Raises:
            DataError: there is no such run, or it has read nothing.
        """
        if run_id is not None:
            if self._known(str(run_id)) is None:
                raise DataError("There is no extraction run {run_id} in this workspace.", run_id=run_id)
            if not self._workspace.count_read(run_id, PAIRED)[0]:
                raise DataError("This run has not read any of the paired reports. Let the engine read first.")
        value = "" if run_id is None else str(run_id)
        if value != (self._workspace.get_meta(_USED) or ""):
            self._workspace.set_meta(_USED, value)

    def current(self) -> RunKey:
        """The run for the analysis: the chosen one, or that of the engine in the settings."""
        used = self.used()
        if used is not None:
            return next(r for r in self._keys() if r.run_id == used)
        return _key(self.engine(), self._begin(self.engine()))

    def mark_shown(self, run: RunKey) -> None:
        """Record that the current results are based on this run."""
        if self._workspace.get_meta(_ANALYSED_RUN) != str(run.run_id):
            self._workspace.set_meta(_ANALYSED_RUN, str(run.run_id))

    def shown(self) -> int | None:
        """The run of the current results, None if there are none."""
        return self._known(self._workspace.get_meta(_ANALYSED_RUN))

    def on_show(self) -> int:
        """The run of the current results; if that is unknown, the run for the next analysis."""
        shown = self.shown()
        return self.current().run_id if shown is None else shown

    def key_on_show(self) -> RunKey:
        """The run of :meth:`on_show`."""
        shown = self.on_show()
        return next(key for key in self._keys() if key.run_id == shown)

    def model_of(self, run_id: int) -> str:
        """The name of a run's model file, or of its served model with the host; '' if none, or not recorded."""
        return self._models().get(str(run_id), "")

    def described(self, run_id: int) -> str:
        """What read in a run, for its findings elsewhere: the engine, with model and host if it was served."""
        return described(self._workspace, run_id)

    def stored_analysis(self, run: RunKey, key: str) -> Mapping[str, object] | None:
        """An earlier analysis of this run, as plain values; None if its key, a hash of all it depends on, differs."""
        stored = self._workspace.load_result(_KEPT, str(run.run_id))
        return stored["analysis"] if stored is not None and stored["key"] == key else None

    def store_analysis(self, run: RunKey, key: str, analysis: Mapping[str, object]) -> None:
        """Store an analysis, as plain values, for a quick return to this run."""
        if len(self._keys()) > 1:
            self._workspace.save_result(_KEPT, str(run.run_id), {"key": key, "analysis": analysis}, versions())

    def choices(self) -> tuple[RunChoice, ...]:
        """The runs that have read any report, the latest first; without counts."""
        models, shown = self._models(), self.shown()
        rows = self._workspace.runs().to_dict("records")
        return tuple(
            RunChoice(
                int(row["run_id"]),
                str(row["engine"]),
                models.get(str(row["run_id"]), ""),
                row["begun"].to_pydatetime(),
                int(row["run_id"]) == shown,
                row["version"],
            )
            for row in reversed(rows)
            if row["texts"]
        )

    def all(self) -> tuple[RunSummary, ...]:
        """The runs that have read any report, the latest first, with counts."""
        models, n = self._models(), 2 * self._workspace.count_pairs()
        chosen = self.own_if_usable()
        # If the engine has changed since, with RadCal's version or the words, the results are those of its earlier run.
        shown = next((run for run in (self.used(), self.shown(), chosen) if run is not None), None)
        made = []
        for row in self._workspace.runs().to_dict("records"):
            if not row["texts"]:
                continue
            run = RunKey(row["run_id"], row["engine"], row["version"], row["settings_hash"])
            counted = self._workspace.count_findings(run.run_id, PAIRED)
            read, failed = self._workspace.count_read(run.run_id, PAIRED)
            made.append(
                RunSummary(
                    run_id=run.run_id,
                    engine=run.name,
                    version=run.version,
                    settings_hash=run.settings_hash,
                    model=models.get(str(run.run_id), ""),
                    begun=row["begun"].to_pydatetime(),
                    last=row["last"].to_pydatetime(),
                    n_reports=n,
                    n_read=read,
                    n_failed=failed,
                    n_findings=sum(times for _, _, times in counted),
                    accuracy=extraction_accuracy(run),
                    shown=run.run_id == shown,
                    chosen=run.run_id == chosen,
                )
            )
        return tuple(sorted(made, key=lambda r: (r.last, r.run_id), reverse=True))

    def status(self) -> EngineStatus:
        """The progress of the engine in the settings; an unusable engine is reported in ``problem``, not raised."""
        settings = self._context.settings
        n = 2 * self._workspace.count_pairs()
        try:
            extractor, run = self.engine(), self.own()
        except InputError as error:
            model = settings.served_model if settings.reads_at_server else Path(settings.model_file).name
            return EngineStatus(settings.engine, model, n, n, self.used(), problem=str(error))
        summary = self._summary(run) if run is not None else ExtractionSummary(n, 0, 0, 0, ())
        return EngineStatus(
            engine=extractor.name,
            version=extractor.version,
            model=model_name(extractor),
            accuracy=extraction_accuracy(extractor),
            run_id=run,
            n_reports=summary.n_reports,
            n_read=summary.n_done - summary.n_failed,
            n_failed=summary.n_failed,
            n_pending=summary.n_reports - summary.n_done,
            n_findings=summary.n_findings,
            n_unknown=sum(times for _, times in summary.unknown_phrases),
            n_unknown_phrases=len(summary.unknown_phrases),
            n_unread=summary.n_unread,
            n_decided=summary.n_decided,
            shown_run=self.used(),
            alone=why_alone(settings),
        )

    def failures(self, run_id: int | None = None) -> tuple[ReportFailure, ...]:
        """The paired reports on which a run, by default that of the engine in the settings, failed, and why."""
        run = self.own() if run_id is None else run_id
        if run is None:
            return ()
        rows = self._workspace.failures(run, PAIRED).itertuples(index=False, name=None)
        return tuple(ReportFailure(report_id, reason) for report_id, reason in rows)

    def independent_of(self, run: int) -> tuple[int, ...]:
        """The runs that say something of the errors of ``run``, most recently used first.

        They are of other engines, which read with another model.
        """
        model = self.model_of(run)
        return tuple(r for r in self._workspace.other_runs(run) if not model or self.model_of(r) != model)

    def retry(self, report_ids: Iterable[str] | None = None, run_id: int | None = None) -> int:
        """Mark failed reports to be read again by the next :meth:`extract`; returns how many.

        Args:
            report_ids: only these reports; None for all that failed.
            run_id: the run; by default that of the engine in the settings.
        """
        run = self.own() if run_id is None else run_id
        if run is None:
            return 0
        failed = set(self._workspace.failures(run)["report_id"])
        chosen = failed if report_ids is None else failed.intersection(report_ids)
        if chosen:
            self._workspace.retry(run, sorted(chosen))
        return len(chosen)

    def compare(self, before: int, after: int, progress: Progress = SILENT) -> RunComparison:
        """The differences between two runs, over the paired reports read in both; those of the largest effect first.

        Raises:
            DataError: there is no such run.
            Cancelled: by ``progress``.
        """
        ids = self.paired_ids()
        workspace = self._workspace
        for run in (before, after):
            workspace.run_of(run)
        read = workspace.read_by(before, ids) & workspace.read_by(after, ids)
        both = [i for i in ids if i in read]
        progress.raise_if_cancelled()
        frames = []
        for run in (before, after):
            frames.append(workspace.findings(run, both, _COMPARED))
            progress.raise_if_cancelled()
        found = compare_findings(before, after, len(both), *frames, progress=progress)
        readings = [
            OtherReading(d.report_id, d.pathology, d.section, d.start, d.before, d.after) for d in found.differences
        ]
        known = zip(found.differences, self._effects(before, readings, progress), strict=True)
        ranked = sorted((replace(d, effect=effect) for d, effect in known), key=lambda d: -d.effect)
        return replace(found, differences=tuple(ranked))

    def fit(self, values: Mapping[str, object] | None = None, progress: Progress = SILENT) -> EngineFit:
        """How the engine would run on this machine; loads nothing.

        Args:
            values: changes to the stored settings, by name.
        """
        return fit_engine(self._context.settings.changed(**(values or {})), progress)

    def accuracies(self) -> dict[str, str]:
        """The measured accuracy of each shipped engine with the department's words, by name; '' if not measured."""
        words, settings = for_reading(self._context.lexicon), self._context.settings
        own = Settings(lexicon_dir=settings.lexicon_dir)
        known = words.version, own_version(own), why_alone(own) == ""
        if self._measured is None or self._measured[0] != known:
            self._measured = known, {name: extraction_accuracy(self._shipped(name, own, words)) for name in ENGINES}
        return self._measured[1]

    @staticmethod
    def _shipped(name: str, own: Settings, words: Lexicon) -> RunKey:
        try:
            engine = make_engine(name, "", own, words)
        except InputError:  # a damaged installation is reported when the engine is chosen
            return RunKey(0, name, "", "")
        key = _key(engine, 0)
        close_engine(engine)
        return key

    def choose(self, values: Mapping[str, object]) -> Settings:
        """Store settings of the engine, by name, and return all settings; whoever chooses a server agrees to it.

        Raises:
            InputError: a value is out of bounds.
        """
        before = self._context.settings
        changed = before.changed(**values)
        if changed != before:
            with self._workspace.transaction():
                self._workspace.save_settings(changed)
                if entry := server_entry(before, changed):
                    self._workspace.log(entry)
                    agree(served_host(changed))
        return changed

    def second_opinion(self, run: int, ids: Sequence[str], progress: Progress = SILENT) -> int | None:
        """The run that findings of ``run`` are compared with, None if there is none.

        For a model that reads alone that of the rules alone, which read for this what they have not read; for these, or
        where IT does not allow them, that of the other engine which has read most of the reports ``ids``.  What the
        second reader says stands in the findings themselves.
        """
        is_rules = self._workspace.run_of(run)[0] == SECOND_OPINION
        if is_rules and self.model_of(run):
            return None
        if not is_rules and policy.in_use().allows(SECOND_OPINION):
            return self._read_with(self.engine(SECOND_OPINION, second="none"), ids, progress)
        others = [(len(self._workspace.read_by(r, ids)), r) for r in self._workspace.other_runs(run)]
        n, other = max(others, default=(0, 0))
        return other if n else None

    def to_review(
        self, run: int, other: int | None, ids: Sequence[str], progress: Progress = SILENT
    ) -> list[tuple[ReviewItem, float]]:
        """The statements of ``run`` in the reports ``ids`` to review, each with its effect on the results of the run.

        Unread findings are first; then the largest effect; of equal ones, the most serious concern.
        """
        workspace = self._workspace
        mine = workspace.read_by(run, ids)
        # An unread report has no findings to compare.
        both = mine & workspace.read_by(other, ids) if other is not None else set()
        found = to_findings(workspace.findings(run, [i for i in ids if i in mine]))
        second = to_findings(workspace.findings(other, [i for i in ids if i in both])) if other is not None else []
        queue = review_queue(found, second, compared=both)
        places = [(n, reading) for n, item in enumerate(queue) for reading in other_readings(item)]
        far = [0.0] * len(queue)
        for (n, _), effect in zip(places, self._effects(run, [r for _, r in places], progress), strict=True):
            far[n] = max(far[n], effect)
        ranked = zip(queue, far, strict=True)
        return sorted(ranked, key=lambda item: (item[0].concern != Concern.UNREAD, -item[1]))

    def decide(self, findings: Sequence[Finding], phrase: str) -> None:
        """Let findings that were left unread count as a person reads them, in every run whose rules read the same.

        Args:
            findings: unread, or decided on before.
            phrase: of the lexicon, or NOT_STATED; '' takes back what was decided.

        Raises:
            DataError: another phrase, or a finding that no reader doubts.
        """
        phrase = self._decision(phrase) if phrase else ""
        if not all(finding.unread or finding.decided for finding in findings):
            raise DataError("Only what was left unread can be decided on. Contest other findings that are misread.")
        places = [(f.report_id, f.pathology, f.start, f.end, f.term_start, f.as_rules_read) for f in findings]
        with self._workspace.transaction():
            self._workspace.decide(places, phrase)
            self._workspace.set_meta(ANALYSED_FILES, "before decisions")

    def decided(self, run_id: int) -> list[tuple[Finding, str, datetime]]:
        """What people decided on findings that a run reads as they were read then; with who did, and when (UTC)."""
        rows = self._workspace.decisions(run_id)
        found = to_findings(rows.drop(columns=["decided_by", "decided_at"]))
        return list(zip(found, rows["decided_by"], rows["decided_at"].tolist(), strict=True))

    def _decision(self, said: str) -> str:
        known = self._context.lexicon.find(said)
        if known is None and said != NOT_STATED:
            raise DataError("{phrase!r} is neither a phrase of the list nor {none!r}.", phrase=said, none=NOT_STATED)
        return said if known is None else known.name

    def take_decisions(self, path: Path) -> int:
        """Decide as a person wrote in the column "decision" of a list of :meth:`review`: a phrase, or 'unread' again.

        Returns:
            The number of findings.

        Raises:
            InputError: the file cannot be read; a row says something else, or nothing was left unread there.
        """
        header, rows = read_cells(path)
        for column in ("report_id", "pathology", "at", "decision"):
            if column not in header:
                raise InputError(
                    "{name} has no column {column!r}. Give a list that `radcal review` made.",
                    name=path.name,
                    column=column,
                )
        rows, run = [row for row in rows if row["decision"]], self.own()
        named = self._context.masking.uncovered({row["report_id"] for row in rows})
        places = [(named.get(i := row["report_id"], i), row["pathology"], row["at"]) for row in rows]
        found: list[Finding] = []
        if run is not None:
            read = to_findings(self._workspace.findings(run, {i for i, *_ in places}, as_read=True))
            found = [f for f in read if f.unread] + [f for f, *_ in self.decided(run)]
        unread = {(f.report_id, f.pathology, str(f.term_start)): f for f in found}
        decided: dict[str, list[Finding]] = {}
        for row, place in zip(rows, places, strict=True):
            if place not in unread:
                raise row.error(Text("Nothing was left unread there. Make the list anew, or clear the decision."))
            try:
                phrase = "" if row["decision"] == UNREAD else self._decision(row["decision"])
            except DataError as error:
                raise row.error(str(error)) from None
            decided.setdefault(phrase, []).append(unread[place])
        with self._workspace.transaction():
            for phrase, findings in decided.items():
                self.decide(findings, phrase)
        return len(rows)

    def review(self, progress: Progress = SILENT) -> pd.DataFrame:
        """Statements of the engine in the settings to review, in REVIEW_COLUMNS and the order of :meth:`to_review`.

        Reports that it or its second opinion has not read are read first.
        """
        ids = self.paired_ids()
        run = self._read_with(self.engine(), ids, progress)
        return review_table(self.to_review(run, self.second_opinion(run, ids, progress), ids, progress))


def models_of(workspace: Workspace) -> dict[str, str]:
    """By the number of a run, the name of its model file, or of its served model with the host; where recorded."""
    return dict(json.loads(workspace.get_meta(_MODELS) or "{}"))


def described(workspace: Workspace, run_id: int) -> str:
    """What read in a run, as of :func:`in_words`."""
    return in_words(workspace.run_of(run_id)[0], models_of(workspace).get(str(run_id), ""))


def _options(settings: Settings) -> tuple[object, ...]:
    """The settings of engines with a language model."""
    values = settings.to_dict()
    named = (value for name, value in values.items() if name.startswith(("llama_", "served_")))
    return (settings.second, settings.unread_below, *named)


def _key(engine: Extractor, run_id: int) -> RunKey:
    return RunKey(run_id, engine.name, engine.version, engine.settings_hash)
