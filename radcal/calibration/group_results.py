"""One author on one topic in a date range: reliability, statements, and the findings behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pandas as pd

from radcal.calibration.contests import Contests
from radcal.calibration.days import within
from radcal.calibration.groups import phrase_counts, words_in_bin
from radcal.calibration.model_answers import ModelAnswers, as_observations
from radcal.calibration.observation_codes import ObservationCodes, encode, entered, gather
from radcal.calibration.records import (
    ALL_AUTHORS,
    POOLS,
    Monotone,
    Pool,
    Reliability,
    Tables,
    Wording,
    WordShare,
    pool_of,
)
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.calibration.wordings import wordings
from radcal.system.errors import NothingSaid
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days, Selection
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from radcal.words.bins import bin_phrases
from radcal.workspace.context import Context, no_analysis

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")


class GroupResults:
    """Results from the observations of the latest analysis; for use by one thread.

    Cached until the next analysis: all observations as numbers, and the sentences of the most recent author.
    """

    def __init__(self, context: Context, stored: StoredAnalysis, contests: Contests, answers: ModelAnswers) -> None:
        self._context = context
        self._stored = stored
        self._contests = contests
        self._answers = answers
        self._kept: dict[str, tuple[object, object]] = {}

    def reliability(self, selection: Selection, progress: Progress = SILENT) -> Reliability:
        """Reliability of one group in a date range.

        For all dates it is that of the analysis.  For a limited range the q-values, which are adjusted over all
        groups, are None, and a range without statements gives a Reliability of n = 0 with the reason.  The answers of a
        language model have no day: its results are those of all of them.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        (measured,) = self.reliabilities([selection], progress)
        return measured

    def reliabilities(self, selections: Sequence[Selection], progress: Progress = SILENT) -> tuple[Reliability, ...]:
        """As :meth:`reliability`, for distinct groups in order; many take little longer than one."""
        measured = self._of_all_days(selections)
        limited = [s for s in selections if (s.author, s.topic) not in measured]
        least = self._context.settings.min_group_n
        for s in limited:
            measured[s.author, s.topic] = Reliability(
                s.author, s.topic, 0.0, (), Text("0 findings; a curve needs {min}.", min=least)
            )
        for by in (None, *POOLS):
            wanted = [s for s in limited if pool_of(s.author, s.topic) == by]
            for r in self._measured(wanted, by, progress):
                measured[r.author, r.topic] = replace(r, q_value_star=None, q_value_word=None)
        return tuple(measured[s.author, s.topic] for s in selections)

    def _measured(
        self, selections: Sequence[Selection], by: Pool | None, progress: Progress
    ) -> tuple[Reliability, ...]:
        """The reliability of those that have statements in their days; all are pooled in the same way, or none is."""
        from radcal.calibration.pooled import measure_pooled
        from radcal.calibration.reliability import measure
        from radcal.calibration.tables import build_tables

        parts = [self.statements(part, progress) for s in selections for part in self.parts(s, progress)]
        progress.raise_if_cancelled()
        if not any(map(len, parts)):
            return ()
        lexicon, settings, analysis = self._stored.phrases, self._context.settings, self._stored.required()
        statements = pd.concat([part for part in parts if len(part)], ignore_index=True)
        tables = build_tables(statements, lexicon, mixes=analysis.mixes, errors=analysis.errors)
        if by is not None:
            return self._stored.held(measure_pooled(tables, lexicon, settings, by, progress, analysis.spread))
        threads = 1 if len(selections) == 1 else None
        return self._stored.held(measure(tables, lexicon, settings, progress, threads=threads, spread=analysis.spread))

    def parts(self, selection: Selection, progress: Progress = SILENT) -> tuple[Selection, ...]:
        """What a pooled selection consists of: one author on one topic each, within its days; else itself.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        groups = self._codes(selection.author, progress).members(selection.author, selection.topic)
        return tuple(Selection(author, topic, selection.days) for author, topic in groups)

    def reliability_if(
        self, selection: Selection, sensitivity: float, specificity: float, progress: Progress = SILENT
    ) -> Reliability:
        """Reliability of one group if the CT reports had this sensitivity and specificity, both in 0-1.

        Raises:
            InputError: a CT that is no better than a guess.
            DataError: there is no analysis yet, or the group has no statements in these days.
        """
        from radcal.calibration.reliability import measure

        basis = self._stored.basis(selection.author)
        if basis.is_model:  # whether an answer was right does not rest on a CT
            return self.reliability(selection, progress)
        settings = basis.settings.changed(ct_accuracy=(f"{ALL_TOPICS} {sensitivity!r} {specificity!r}",))
        (measured,) = measure(
            self.tables(selection, progress), basis.phrases, settings, progress, threads=1, spread=basis.spread
        )
        return replace(measured, q_value_star=None, q_value_word=None)

    def monotone(self, selection: Selection, progress: Progress = SILENT) -> Monotone:
        """The confirmed rates of one group as a curve that keeps the order of the words.

        Raises:
            DataError: there is no analysis yet, or the group has no statements in these days.
        """
        from radcal.calibration.reliability import monotone

        basis = self._stored.basis(selection.author)
        return monotone(self.tables(selection, progress), basis.phrases, basis.settings)

    def tables(self, selection: Selection, progress: Progress = SILENT) -> Tables:
        """The table of one group, with the reference's use of outcomes in the whole department.

        Raises:
            DataError: there is no analysis yet; NothingSaid without statements in these days.
        """
        from radcal.calibration.tables import build_tables

        statements = self.statements(selection, progress)
        if statements.empty:
            author, topic = selection.author, selection.topic
            raise NothingSaid(
                "{author} said nothing about {topic} in these days. Choose other days.", author=author, topic=topic
            )
        basis = self._stored.basis(selection.author)
        return build_tables(statements, basis.phrases, mixes=basis.mixes, errors=basis.errors)

    def _of_all_days(self, selections: Sequence[Selection]) -> dict[tuple[str, str], Reliability]:
        """The stored reliability of the groups selected for all dates, and of models."""
        wanted = {(s.author, s.topic) for s in selections if not s.days.are_limited or self._stored.is_model(s.author)}
        analysis = self._stored.last() if wanted else None
        if analysis is None:
            return {}
        measured = [*analysis.reliabilities, *analysis.pooled]
        if (models := analysis.models) is not None:
            measured += (*models.reliabilities, *models.pooled)
        return {(r.author, r.topic): r for r in measured if (r.author, r.topic) in wanted}

    def statements(self, selection: Selection, progress: Progress = SILENT) -> pd.DataFrame:
        """The statements of a group included in the statistics: author, topic, phrase, outcome; one row each.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        return self._codes(selection.author, progress).statements(self._dated(selection))

    def outcomes(self, author: str = ALL_AUTHORS) -> NDArray[np.float64]:
        """The distinct outcomes of all statements of radiologists, or of models, in ascending order.

        Raises:
            DataError: there is no analysis yet.
        """
        ordered: NDArray[np.float64] = np.sort(self._codes(author).outcomes)
        return ordered

    def _dated(self, selection: Selection) -> Selection:
        """The selection; of a model, whose answers have no day, for all days."""
        return replace(selection, days=ALL_DAYS) if self._stored.is_model(selection.author) else selection

    def warm_up(self, progress: Progress = SILENT) -> None:
        """Fill the cache behind :meth:`reliability`, if there is an analysis.

        Raises:
            Cancelled: by ``progress``, checked between authors.
        """
        if self._stored.last() is not None:
            self._codes(progress=progress)

    def words_at(self, selection: Selection, certainty: float) -> tuple[WordShare, ...]:
        """The phrases in the diagram's bin at a certainty in 0-1, by share; () for an empty bin.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        basis = self._stored.basis(selection.author)
        words, settings = basis.phrases, basis.settings
        bins = self._keep("bins", lambda: bin_phrases(words, settings.n_bins, settings.method), words)
        n, _ = phrase_counts(self.statements(selection), bins.phrases)
        return words_in_bin(n, bins, certainty)

    def all_statements(self) -> pd.DataFrame:
        """All statements in the statistics: author, topic, phrase, reference_phrase (categories), outcome, xray_time.

        The same frame until the next analysis; some 20 bytes per statement.

        Raises:
            DataError: there is no analysis yet.
        """
        return self._keep("statements", lambda: gather(self._parts, self._contests.left_out()))

    def entered(self, columns: Sequence[str], progress: Progress = SILENT) -> pd.DataFrame:
        """These columns of all observations in the statistics, in the order of their authors.

        Raises:
            DataError: there is no analysis yet.
            Cancelled: by ``progress``, checked between authors.
        """
        left_out = self._contests.left_out()
        parts = []
        for _, part in self._parts([*dict.fromkeys((*columns, "topic", "xray_id"))]):
            progress.raise_if_cancelled()
            parts.append(part.loc[entered(part, left_out), list(columns)])
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(columns))

    def evidence(self, selection: Selection, phrases: Sequence[str] = (), progress: Progress = SILENT) -> pd.DataFrame:
        """The findings of a group worded with one of the phrases, or all, the latest first.

        Columns: records.OBSERVATION_COLUMNS with ``outcome``, records.EVIDENCE_COLUMNS, ``entered`` (True if included
        in the current statistics) and ``contest`` (the note of a contested finding, else None).

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        selection = self._dated(selection)
        codes, parts = self._codes(selection.author, progress), self.parts(selection)
        of_authors: list[pd.DataFrame] = []
        for author in dict.fromkeys(part.author for part in parts):
            progress.raise_if_cancelled()
            rows, entered = codes.rows(replace(selection, author=author), phrases)
            if len(rows) or not of_authors:
                of_authors.append(self._of_author(author).iloc[rows].assign(entered=entered))
        found = pd.concat([own for own in of_authors if len(own)] or of_authors, ignore_index=True)
        notes = {(c.xray_id, c.topic): c.note for c in self._contests.all()}
        contested = [notes.get(finding) for finding in zip(found["xray_id"], found["topic"], strict=True)]
        found["contest"] = pd.Series(contested, index=found.index, dtype=object)
        return found.sort_values(["xray_time", "xray_id"], ascending=False, kind="stable", ignore_index=True)

    def wordings(self, selection: Selection) -> tuple[Wording, ...]:
        """What the author really wrote for each phrase of a group, of the statements in the statistics.

        Whether a phrase's wordings differ is tested over all pathologies of the author, as
        :mod:`radcal.calibration.wordings` says.  Wordings are an author's own: of all authors together there are none.

        Raises:
            DataError: there is no analysis yet.
        """
        if selection.author == ALL_AUTHORS:
            return ()
        made = self.wordings_of(selection.author, selection.days, pooled=selection.topic == ALL_TOPICS)
        return tuple(w for w in made if w.topic == selection.topic)

    def wordings_of(self, author: str, days: Days = ALL_DAYS, *, pooled: bool = False) -> tuple[Wording, ...]:
        """As :meth:`wordings`, for all pathologies of an author one by one, or together (``pooled``)."""
        if self._stored.is_model(author):  # of which only the phrases are kept
            return ()

        def make() -> tuple[Wording, ...]:
            own = self._of_author(author)
            own = own[within(own["xray_time"], days) & entered(own, self._contests.left_out())]
            settings = self._context.settings
            return wordings(own.assign(topic=ALL_TOPICS) if pooled else own, settings.confidence, settings.seed)

        return self._keep("wordings", make, (author, days, pooled))

    def _keep(self, name: str, make: Callable[[], T], of: object = None) -> T:
        """The cached result of ``make`` for the same analysis and the same ``of``."""
        key = (self._context.analysis_key, of)
        held = self._kept.get(name)
        if held is None or held[0] != key:
            self._kept.pop(name, None)  # free the memory first
            held = self._kept[name] = key, make()
        return held[1]  # type: ignore[return-value]  # each name has one type, that of ``make``

    def _of_author(self, author: str) -> pd.DataFrame:
        def load() -> pd.DataFrame:
            if self._stored.is_model(author) and (answers := self._answers.all()) is not None:
                return as_observations(answers[answers["author"] == author])
            return self._stored.observations_of(author)

        return self._keep("author", load, author)

    def _codes(self, author: str = ALL_AUTHORS, progress: Progress = SILENT) -> ObservationCodes:
        """Of all radiologists, or of all models, whichever the author is one of."""
        if self._stored.is_model(author):
            return self._keep("codes of models", lambda: encode(self._answers.parts, frozenset(), progress))
        return self._keep("codes", lambda: encode(self._parts, self._contests.left_out(), progress))

    def _parts(self, columns: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
        """Some columns of the observations by author; all at once would take ten times the memory."""
        if self._context.analysis_key is None:
            raise no_analysis()
        workspace, nothing = self._context.workspace, True
        for author, part in workspace.observations_by_author(columns):
            nothing = False
            # Analyses of earlier versions have no patients.
            yield author, part if "patient" in part else part.assign(patient=-1)
        if nothing and workspace.observations() is None:
            raise no_analysis()
