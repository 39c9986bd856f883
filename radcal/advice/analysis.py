"""Performs the analysis: matches, measures, advises and stores."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.stored_analysis import Analysis, ModelResults, StoredAdvice
from radcal.advice.wording import advice_on_model
from radcal.calibration.analysis_records import AuthorPairs, Provenance
from radcal.calibration.carried import silences
from radcal.calibration.contests import Contests
from radcal.calibration.days import within
from radcal.calibration.groups import with_q_values
from radcal.calibration.matched_pairs import match_pairs
from radcal.calibration.matching import added_up
from radcal.calibration.model import SHIPPED
from radcal.calibration.model_answers import ModelAnswers, of_models
from radcal.calibration.pooled import measure_pooled, pooled
from radcal.calibration.records import POOLS, UNREAD_LEFT_OUT, Said
from radcal.calibration.reference import mixes_of
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.tables import build_tables
from radcal.calibration.unread import effects_of_unread
from radcal.calibration.verifications import statements_of_xrays, strata_of
from radcal.calibration.verified import verifications, with_verification
from radcal.findings.engines import extraction_accuracy
from radcal.findings.run_records import RunKey
from radcal.findings.runs import Runs
from radcal.review.records import ReadingErrors
from radcal.system.components import versions
from radcal.system.errors import DataError
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.text import Text, joined
from radcal.words.confirmations import load_confirmations
from radcal.words.phrases import Lexicon
from radcal.words.records import Phrase
from radcal.words.speech import speech_of, surrogates
from radcal.workspace.context import (
    ANALYSED_ANSWERS,
    ANALYSED_FILES,
    ANALYSIS,
    ANALYSIS_KEY,
    CURRENT,
    IMPORTED_FILES,
    Context,
)
from radcal.workspace.records import PAIRED

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.advice.records import Advice
    from radcal.calibration.records import Reliability
    from radcal.review.gold_sets import GoldSets
    from radcal.system.settings import Settings
    from radcal.workspace.store import Workspace


_FEW = 5000
"""Pairs from which on one radiologist's are matched alone."""
_ALIKE = ["author", "topic", "phrase", "outcome", "patient", "within", "stratum"]
"""Observations that agree in these are counted as one."""
_MOST = 1 << 16
"""More than the observations of any pair."""


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """The input of an analysis.

    entered: how many observations ``n`` of the read pairs, included in the statistics, have this author, topic, phrase,
        outcome and patient, where and how their X-rays were taken (stratum), and whether they are within the days
    said: all statements of the authors' X-ray reports, with or without a CT, where they were read
    digest: of all observations of the read pairs;  none: their columns, without rows
    counts: rows (author, topic, what, n) as in Analysis;  coverage: each author's read and unread pairs
    errors: of reading, None where none are carried on;  about_errors: that they are, or why not
    """

    made_by: RunKey
    entered: pd.DataFrame
    digest: bytes
    none: pd.DataFrame
    counts: tuple[tuple[str, str, str, int], ...]
    coverage: tuple[AuthorPairs, ...]
    errors: ReadingErrors | None
    about_errors: Text
    said: Said | None = None

    @property
    def n_read(self) -> int:
        """The pairs of which both reports were read."""
        return sum(own.n_pairs for own in self.coverage)


@dataclass(eq=False, repr=False)
class Analyser:
    """Performs and stores a department's analysis."""

    _context: Context
    _stored: StoredAdvice
    _runs: Runs
    _contests: Contests
    _gold: Callable[[], GoldSets]
    _answers: ModelAnswers

    def analyse(self, progress: Progress = SILENT) -> Analysis:
        """Measure and advise every author on every topic, and store it; returns the stored one if nothing changed.

        Raises:
            DataError: no X-ray statement has a matching CT statement, and no answers of models were taken in.
            Cancelled: by ``progress``; nothing was stored.
        """
        try:
            return self._analysed(progress)
        finally:
            self._context.workspace.forget_made_observations()

    def _analysed(self, progress: Progress) -> Analysis:
        workspace, runs = self._context.workspace, self._runs
        progress.start(None, Text("Matching X-ray with CT statements"))
        matched = self.match(runs.current(), _stored_by_authors(workspace), progress, keep=True)
        matched = replace(matched, said=statements_of_xrays(self._context, matched.made_by.run_id, progress))
        key = self._key_of(matched)
        files = self._files_of(matched)
        if self._context.analysis_key == key and (stored := self._stored.last()) is not None:
            workspace.set_meta(ANALYSED_FILES, files)
            workspace.set_meta(ANALYSED_ANSWERS, self._answers.key)
            runs.mark_shown(matched.made_by)
            return stored
        kept = runs.stored_analysis(matched.made_by, key)
        analysis = self._make(matched, progress) if kept is None else plain_to_record(kept, Analysis)
        self._store(matched, key, files, analysis)
        self._stored.remember(key, analysis)
        return self._stored.required()

    def entered(self, progress: Progress = SILENT) -> pd.DataFrame:
        """How many observations behind the results on show have this author, topic, phrase, outcome and patient: ``n``.

        Raises:
            Cancelled: by ``progress``.
        """
        return self.match(self._runs.key_on_show(), _stored_by_authors(self._context.workspace), progress).entered

    def match(
        self,
        made_by: RunKey,
        parts: Iterable[pd.DataFrame],
        progress: Progress = SILENT,
        *,
        days: Days = ALL_DAYS,
        keep: bool = False,
    ) -> Matched:
        """What an analysis of these pairs, as the run has read them, starts from.

        Args:
            parts: the pairs, all of an author in one part, authors by name; one part is in memory at a time.
            days: which observations are to be told from the others.
            keep: keep the observations beside those of the present analysis, until it is stored; the index of the
                parts is the place of each pair among all.
        """
        import pandas as pd

        context, workspace = self._context, self._context.workspace
        entered: list[pd.DataFrame] = []
        made_counts: list[pd.DataFrame] = []
        covered: list[AuthorPairs] = []
        excluded: list[tuple[str, str, str, int]] = []
        digest, columns, patients = hashlib.sha256(), pd.DataFrame(), dict[str, int]()
        for own in parts:
            progress.raise_if_cancelled()
            # An unread report is missing data, unlike one that does not mention a pathology.
            read_ids = workspace.read_by(made_by.run_id, [*own["xray_id"], *own["ct_id"]])
            read = own["xray_id"].isin(read_ids) & own["ct_id"].isin(read_ids)
            covered.extend(coverage(own, read))
            found, counts = match_pairs(workspace, made_by.run_id, own[read], context.settings, context.lexicon.phrases)
            found = found.assign(patient=_patients(found["xray_id"], own, patients))
            columns = found.iloc[:0]
            made_counts.append(counts)
            digest.update(pd.util.hash_pandas_object(found, index=False).to_numpy().tobytes())
            if keep:
                for author, part in _placed(found, own).groupby("author", sort=True):
                    workspace.make_observations(str(author), part)
            counted, left_out = self._contests.entering(found)
            excluded.extend(left_out)
            exams = workspace.reports(("report_id", "exam", "site"), counted["xray_id"].unique()).set_index("report_id")
            counted = counted.assign(
                within=within(counted["xray_time"], days), stratum=counted["xray_id"].map(strata_of(exams))
            )
            entered.append(counted.groupby(_ALIKE, sort=False, dropna=False).size().rename("n").reset_index())
        progress.raise_if_cancelled()
        counts = made_counts[0] if len(made_counts) == 1 else added_up(made_counts)
        all_counts = (*counts.itertuples(index=False, name=None), *excluded)
        statements = pd.concat(entered, ignore_index=True)
        errors, about = self._errors_of(made_by, counts, statements)
        return Matched(made_by, statements, digest.digest(), columns, all_counts, tuple(covered), errors, about)

    def _errors_of(
        self, made_by: RunKey, counts: pd.DataFrame, entered: pd.DataFrame
    ) -> tuple[ReadingErrors | None, Text]:
        """The engine's errors with what these statistics make of a silent CT, if known, and what to say of them."""
        settings = self._context.settings
        errors, why = self._gold().reading_errors(made_by.run_id)
        if settings.reading_errors == "stated":
            errors, why = None, Text("the settings say so")
        if errors is None:
            without = Text("Errors of reading are not carried on: {why}.", why=why)
            return None, joined([without, self._gold().engines_agree(made_by.run_id)])
        absent = {c.xray for c in load_confirmations(settings=settings) if c.silence_is_absent}
        about = Text(
            "Errors of reading on {xray:,} X-ray and {ct:,} CT reports of the gold set are carried on into rates, word "
            "errors, verdicts and advice.",
            xray=errors.xray.reports,
            ct=errors.ct.reports,
        )
        return replace(errors, silence=silences(counts, entered, absent)), about

    def _make(self, matched: Matched, progress: Progress) -> Analysis:
        """The analysis of the matched input, and of the models' answers.

        Raises:
            DataError: there are no observations, and no answers.
        """
        models = model_results(self._answers, self._context.lexicon, self._context.settings, progress)
        if matched.entered.empty and models is None:
            raise _nothing_to_analyse(matched)
        if matched.entered.empty:
            provenance, counts, pairs = self._provenance(matched), matched.counts, matched.coverage
            return Analysis((), counts, provenance, pairs, errors=matched.errors, models=models)
        return replace(self._of_radiologists(matched, progress), models=models)

    def _of_radiologists(self, matched: Matched, progress: Progress) -> Analysis:
        from radcal.advice.advice import advise

        settings, phrases = self._context.settings, self._context.lexicon.phrases
        entered = matched.entered
        tables = build_tables(entered, phrases, errors=matched.errors, n=entered["n"].to_numpy())
        unread = {(author, topic): n for author, topic, what, n in matched.counts if what == UNREAD_LEFT_OUT}
        tables = replace(tables, unread=unread)
        spread = spread_of(tables, phrases, settings, progress)
        verified = {} if matched.said is None else verifications(matched.said, entered, phrases, settings.confidence)
        verified = {group: v for group, v in verified.items() if v.rate is not None}
        measured = measure(tables, phrases, settings, progress, spread=spread)
        reliabilities = with_verification(measured, verified, settings)
        together = []
        for by in POOLS:
            measured = measure_pooled(tables, phrases, settings, by, progress, spread)
            together.append((pooled(tables, by), with_verification(measured, verified, settings)))
        advices = advise(tables, reliabilities, phrases, settings, progress, spread=spread)
        own = tuple(zip(reliabilities, advices, strict=True))
        return Analysis(
            reliabilities=reliabilities,
            advices=advices,
            pooled=tuple(r for _, rates in together for r in rates),
            pooled_advices=tuple(
                a
                for t, rates in together
                for a in advise(t, rates, phrases, settings, progress, spread=spread, parts=own)
            ),
            counts=matched.counts,
            provenance=self._provenance(matched),
            pairs=matched.coverage,
            mixes=mixes_of(tables),
            errors=matched.errors,
            spread=spread,
            unread=effects_of_unread(
                self._context,
                matched.made_by.run_id,
                _stored_by_authors(self._context.workspace),
                lambda found: self._contests.entering(found)[0],
                entered,
                matched.counts,
            ),
        )

    def _store(self, matched: Matched, key: str, files: str, analysis: Analysis) -> None:
        """Store the analysis, all or nothing."""
        workspace, runs = self._context.workspace, self._runs
        plain = record_to_plain(analysis)
        with workspace.transaction():
            workspace.take_observations(matched.none)
            self._contests.note_left_out()
            workspace.save_result(ANALYSIS, CURRENT, plain, versions())
            runs.store_analysis(matched.made_by, key, plain)
            workspace.set_meta(ANALYSIS_KEY, key)
            workspace.set_meta(ANALYSED_FILES, files)
            workspace.set_meta(ANALYSED_ANSWERS, self._answers.key)
            runs.mark_shown(matched.made_by)

    def _files_of(self, matched: Matched) -> str:
        """The value of ANALYSED_FILES: the imported files, if all their paired reports were read."""
        run = matched.made_by.run_id
        workspace = self._context.workspace
        all_read = self._runs.used() is not None or not workspace.count_pending(run, PAIRED)
        return (workspace.get_meta(IMPORTED_FILES) or "") if all_read else "not all"

    def _key_of(self, matched: Matched) -> str:
        """Hash over everything the analysis depends on."""
        content = hashlib.sha256(matched.digest)
        made_by, settings, lexicon = matched.made_by, self._context.settings, self._context.lexicon.version
        about = (matched.counts, matched.coverage, matched.errors, matched.about_errors, _known(matched.said))
        made_with = (made_by.name, made_by.version, made_by.settings_hash, settings.hash(), lexicon)
        for part in (*made_with, *versions().values(), repr(about), *filter(None, [self._answers.key])):
            content.update(f"{part}\n".encode())
        return content.hexdigest()

    def _provenance(self, matched: Matched) -> Provenance:
        made_by, read = matched.made_by, [own for own in matched.coverage if own.n_pairs]
        settings, lexicon = self._context.settings, self._context.lexicon
        return Provenance(
            engine=self._runs.described(made_by.run_id),
            engine_version=made_by.version,
            settings_hash=settings.hash(),
            lexicon=f"{lexicon.name} {lexicon.version}",
            seed=settings.seed,
            versions=versions(),
            first_exam=min((own.first_exam for own in read if own.first_exam), default=None),
            last_exam=max((own.last_exam for own in read if own.last_exam), default=None),
            n_pairs=matched.n_read,
            created=datetime.now().astimezone().replace(microsecond=0),
            extraction_accuracy=extraction_accuracy(made_by),
            reading_errors=matched.about_errors,
        )


def _known(said: Said | None) -> str:
    """What is known of statements without a CT, for a key; '' where nothing is."""
    return "" if said is None or said.reports.empty else said.reports.to_csv() + said.counts.to_csv()


def in_parts(n_of: Mapping[str, int]) -> Iterator[list[str]]:
    """Authors with so many pairs each, one with many alone, else several; at least one list."""
    some: list[str] = []
    n = 0
    for author, its in n_of.items():
        some.append(author)
        n += its
        if n >= _FEW:
            yield some
            some, n = [], 0
    if some or not n_of:
        yield some


def by_authors(pairs: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Pairs in parts, as :meth:`Analyser.match` takes them, each in their order."""
    for authors in in_parts({str(a): int(n) for a, n in pairs.groupby("author", sort=True).size().items()}):
        yield pairs[pairs["author"].isin(authors)]


def _stored_by_authors(workspace: Workspace) -> Iterator[pd.DataFrame]:
    """The pairs of the workspace in parts, each in their order."""
    for authors in in_parts(workspace.pairs_by_author()):
        yield workspace.pairs(authors)


def _placed(observations: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The observations under their place among all: that of their pair, and within it their own."""
    places = pairs[["xray_id", "ct_id"]].assign(place=pairs.index)
    of_pair = observations[["xray_id", "ct_id"]].merge(places, how="left")["place"].to_numpy()
    within = observations.groupby(of_pair).cumcount().to_numpy()
    return observations.set_axis(of_pair * _MOST + within)


def _patients(xray_ids: pd.Series[str], pairs: pd.DataFrame, known: dict[str, int]) -> NDArray[np.int32]:
    """A number for the patient of each X-ray report, or where there is none for the report; all noted in ``known``."""
    named = pairs["patient_id"].where(pairs["patient_id"] != "", pairs["xray_id"])
    of = dict(zip(pairs["xray_id"].tolist(), named.tolist(), strict=True))
    return np.array([known.setdefault(of[i], len(known)) for i in xray_ids.tolist()], dtype=np.int32)


def _nothing_to_analyse(matched: Matched) -> DataError:
    if not matched.n_read:
        return DataError(
            "No pair of an X-ray report and its CT report was read, so there is nothing to compare. "
            "Import more reports, or look at the attrition for where they drop out."
        )
    return DataError(
        "None of {n:,} pairs has an X-ray statement on which its CT report decides. Import more "
        "reports, or look at the attrition for where they drop out.",
        n=matched.n_read,
    )


def coverage(pairs: pd.DataFrame, read: pd.Series[bool]) -> tuple[AuthorPairs, ...]:
    """Read and unread pairs of each author, with first and last date; ``read`` marks pairs with both reports read."""
    used, n = pairs[read], pairs.groupby("author").size()
    of_author = used.groupby("author")["xray_time"]
    n_used, first, last = of_author.size(), of_author.min(), of_author.max()
    return tuple(
        AuthorPairs(
            author=str(author),
            n_pairs=(known := int(n_used.get(author, 0))),
            unread=int(n[author]) - known,
            first_exam=first[author].to_pydatetime() if known else None,
            last_exam=last[author].to_pydatetime() if known else None,
        )
        for author in n.index
    )


# --- language models


def model_results(
    stored: ModelAnswers, lexicon: Lexicon, settings: Settings, progress: Progress
) -> ModelResults | None:
    """Every model on every question set, measured and advised like a radiologist; None without answers.

    Its words are those that it may be told, too: of the lexicon, where it speaks in words, else its own numbers and
    Betas and those at regular steps.
    """
    from radcal.advice.advice import advise

    answers = stored.all()
    if answers is None or answers.empty:
        return None
    settings, meanings = of_models(settings), {p.name: p for p in (*lexicon.phrases, *stored.said())}
    answers = answers[answers["phrase"].isin(meanings)]
    phrases: dict[str, tuple[Phrase, ...]] = {}
    rates: list[Reliability] = []
    together: list[Reliability] = []
    advices: list[Advice] = []
    joint: list[Advice] = []
    for model, own in answers.groupby("author", sort=True):
        words = _vocabulary(own, meanings, lexicon)
        tables = build_tables(own, words)
        measured = measure(tables, words, settings, progress, spread=SHIPPED)
        both = measure_pooled(tables, words, settings, "author", progress, SHIPPED)
        phrases[str(model)] = words
        rates += measured
        advised = advise(tables, measured, words, settings, progress, spread=SHIPPED)
        parts = tuple(zip(measured, advised, strict=True))
        advices += advised
        together += both
        joint += advise(pooled(tables, "author"), both, words, settings, progress, spread=SHIPPED, parts=parts)
    if not phrases:
        return None
    told, told_together = (tuple(map(advice_on_model, some)) for some in (advices, joint))
    return ModelResults(phrases, with_q_values(rates), tuple(together), told, told_together)


def _vocabulary(own: pd.DataFrame, meanings: dict[str, Phrase], lexicon: Lexicon) -> tuple[Phrase, ...]:
    """The words of one model, weakest first."""
    n = own["phrase"].value_counts()
    said, names = [meanings[name] for name in n.index], {p.name for p in lexicon.phrases}
    speech = [speech_of(p, names) for p in said]
    told = surrogates(said, speech, np.asarray(n, dtype=np.float64))
    listed = lexicon.phrases if "words" in speech else ()
    words = {p.name: p for p in (*told, *listed, *said)}
    return Lexicon(tuple(replace(p, synonyms=(), advised=True) for p in words.values()), lexicon.name).phrases
