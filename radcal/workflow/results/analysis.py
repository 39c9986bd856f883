"""The analysis of a department: made from what was read, stored, and read back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from radcal.errors import DataError
from radcal.files import plain_to_record, record_to_plain
from radcal.progress import SILENT, Progress
from radcal.records import Analysis, AuthorPairs, Provenance
from radcal.text import EMPTY
from radcal.workflow.handing_out.feedback_input import coverage
from radcal.workflow.imports.importing import FILES
from radcal.workflow.results.matched_pairs import match_pairs
from radcal.workflow.runs.engines import extraction_accuracy, versions

if TYPE_CHECKING:
    import pandas as pd

    from radcal.settings import Settings
    from radcal.workflow.department import Department
    from radcal.workflow.runs.records import RunKey
    from radcal.workspace import Workspace

ANALYSIS_KEY, ANALYSED = "analysis key", "files analysed"


def no_analysis() -> DataError:
    """What is raised where an analysis is wanted before there is one."""
    return DataError("There is no analysis yet. Import reports and let RadCal read them first.")


@dataclass(frozen=True, slots=True, eq=False)
class _Matched:
    """What an analysis is made of.

    pairs: all of them;  read: those both of whose reports were read
    observations: what the read pairs come to;  entered: those that are part of the statistics
    counts: rows (author, topic, what, n) as in Analysis;  coverage: what the pairs of each author come to
    """

    made_by: RunKey
    pairs: pd.DataFrame
    read: pd.DataFrame
    observations: pd.DataFrame
    entered: pd.DataFrame
    counts: tuple[tuple[str, str, str, int], ...]
    coverage: tuple[AuthorPairs, ...]


class Analysing:
    """Makes the analysis of a department and remembers the last."""

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department = department
        self._workspace = workspace
        self._last: tuple[str, Analysis] | None = None

    @property
    def key(self) -> str | None:
        """Names the analysis on show: changes with everything that it depends on; None while there is none."""
        return self._workspace.get_meta(ANALYSIS_KEY)

    @property
    def up_to_date(self) -> bool:
        """Whether the stored analysis is of all that was imported."""
        return self._workspace.get_meta(ANALYSED) == (self._workspace.get_meta(FILES) or "")

    def last(self) -> Analysis | None:
        """The analysis made last, None if there is none."""
        key = self.key
        if key is None:
            return None
        if self._last is None or self._last[0] != key:
            stored = self._workspace.load_result("analysis", "current")
            self._last = None if stored is None else (key, plain_to_record(stored, Analysis))
        return None if self._last is None else self._with_own_accuracy(self._last[1])

    def required(self) -> Analysis:
        """The analysis made last.

        Raises:
            DataError: there is none yet.
        """
        analysis = self.last()
        if analysis is None:
            raise no_analysis()
        return analysis

    def observations_of(self, author: str) -> pd.DataFrame:
        """The author's observations behind the analysis made last.

        Raises:
            DataError: there is none yet.
        """
        observations = None if self.key is None else self._workspace.observations_of(author)
        if observations is None:
            raise no_analysis()
        return observations

    def analyse(self, progress: Progress = SILENT) -> Analysis:
        """Reliability and advice of every author on every topic; stored, and reloaded if nothing has changed.

        Raises:
            DataError: no X-ray statement met a CT statement.
            Cancelled: by ``progress``; nothing was stored.
        """
        workspace, runs = self._workspace, self._department.runs
        matched = self._matched(progress)
        key = self._key_of(matched)
        files = self._files_of(matched)
        if self.key == key and (stored := self.last()) is not None:
            workspace.set_meta(ANALYSED, files)
            runs.analysed(matched.made_by)
            return stored
        analysis = runs.kept(matched.made_by, key)
        if analysis is None:
            analysis = self._made(matched, progress)
        self._store(matched, key, files, analysis)
        self._last = key, analysis
        return self._with_own_accuracy(analysis)

    def _matched(self, progress: Progress) -> _Matched:
        """What was read, matched, as it is now."""
        department, workspace = self._department, self._workspace
        made_by, pairs = department.runs.current(), workspace.pairs()
        progress.start(None, "Matching X-ray with CT statements")
        # A report that was not read says nothing, which is not the same as a report that mentions nothing.
        read_ids = workspace.read_by(made_by.run_id, [*pairs["xray_id"], *pairs["ct_id"]])
        read = pairs["xray_id"].isin(read_ids) & pairs["ct_id"].isin(read_ids)
        observations, counts = match_pairs(
            workspace, made_by.run_id, pairs[read], department.settings, department.lexicon.phrases
        )
        progress.raise_if_cancelled()
        entered, left_out = department.explore.entering(observations)
        told = tuple(counts.itertuples(index=False, name=None)) + left_out
        return _Matched(made_by, pairs, pairs[read], observations, entered, told, coverage(pairs, read))

    def _made(self, matched: _Matched, progress: Progress) -> Analysis:
        """The analysis of what was matched.

        Raises:
            DataError: nothing was.
        """
        from radcal.advise import advise
        from radcal.calibrate import build_tables, measure

        settings, phrases = self._department.settings, self._department.lexicon.phrases
        if matched.read.empty:
            raise DataError(
                "No pair of an X-ray report and its CT report was read, so there is nothing to compare. "
                "Import more reports, or look at the attrition for where they drop out."
            )
        if matched.entered.empty:
            raise DataError(
                "None of {n:,} pairs has an X-ray statement on which its CT report decides. "
                "Import more reports, or look at the attrition for where they drop out.",
                n=len(matched.read),
            )
        tables = build_tables(matched.entered, phrases)
        reliabilities = measure(tables, phrases, settings, progress)
        return Analysis(
            reliabilities=reliabilities,
            advices=advise(tables, reliabilities, phrases, settings, progress),
            counts=matched.counts,
            provenance=self._provenance(matched.made_by, settings, matched.read),
            pairs=matched.coverage,
        )

    def _store(self, matched: _Matched, key: str, files: str, analysis: Analysis) -> None:
        """Put the analysis on show, all of it or nothing."""
        workspace, runs = self._workspace, self._department.runs
        plain = record_to_plain(analysis)
        with workspace.transaction():
            workspace.save_observations(matched.observations)
            self._department.explore.note_left_out()
            workspace.save_result("analysis", "current", plain, versions())
            runs.keep(matched.made_by, key, plain)
            workspace.set_meta(ANALYSIS_KEY, key)
            workspace.set_meta(ANALYSED, files)
            runs.analysed(matched.made_by)

    def _files_of(self, matched: _Matched) -> str:
        """The files whose reports were all read, as ``up_to_date`` compares them."""
        paired = [*matched.pairs["xray_id"], *matched.pairs["ct_id"]]
        run = matched.made_by.run_id
        all_read = self._department.runs.used() is not None or not self._workspace.pending(run, paired)
        return (self._workspace.get_meta(FILES) or "") if all_read else "not all"

    def _with_own_accuracy(self, analysis: Analysis) -> Analysis:
        """The analysis with the accuracy measured on the department's own gold set, where there is enough of one."""
        department = self._department
        if department.personal:  # the accuracy went into the analysis when the file was written
            return analysis
        run = department.runs.shown()
        own = EMPTY if run is None else department.gold.accuracy(run)
        made = analysis.provenance
        return replace(analysis, provenance=replace(made, extraction_accuracy=own)) if own else analysis

    def _key_of(self, matched: _Matched) -> str:
        """Hash over all that an analysis depends on."""
        import pandas as pd

        content = hashlib.sha256(pd.util.hash_pandas_object(matched.observations, index=False).to_numpy().tobytes())
        made_by, settings, lexicon = matched.made_by, self._department.settings, self._department.lexicon.version
        about = (matched.counts, matched.coverage)
        made_with = (made_by.name, made_by.version, made_by.settings_hash, settings.hash(), lexicon)
        for part in (*made_with, *versions().values(), repr(about)):
            content.update(f"{part}\n".encode())
        return content.hexdigest()

    def _provenance(self, made_by: RunKey, settings: Settings, pairs: pd.DataFrame) -> Provenance:
        lexicon = self._department.lexicon
        return Provenance(
            engine=made_by.name,
            engine_version=made_by.version,
            settings_hash=settings.hash(),
            lexicon=f"{lexicon.name} {lexicon.version}",
            seed=settings.seed,
            versions=versions(),
            first_exam=pairs["xray_time"].min().to_pydatetime(),
            last_exam=pairs["xray_time"].max().to_pydatetime(),
            n_pairs=len(pairs),
            created=datetime.now().astimezone().replace(microsecond=0),
            extraction_accuracy=extraction_accuracy(made_by),
        )
