"""Gold sets of a workspace: drawing, annotation, and agreement with the engines and between readers."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from radcal.findings.records import Finding
from radcal.findings.report_level import decide
from radcal.findings.runs import Runs
from radcal.findings.to_review import to_findings
from radcal.reports.records import Modality
from radcal.review.agreement import agreement_of, engines_agreement
from radcal.review.annotating import Annotating
from radcal.review.answers import disputes_of, gold_of
from radcal.review.evaluation import assertion, evaluate
from radcal.review.files import gold_text, marks_of, read_gold
from radcal.review.records import (
    DEFAULT_SIZE,
    ENOUGH,
    NEAR,
    NOT_MENTIONED,
    STATED,
    Action,
    Agreement,
    Decision,
    Dispute,
    Draw,
    EngineAccuracy,
    EngineRun,
    Gold,
    GoldReport,
    GoldSet,
    ImportedGold,
    Misread,
    ReadingErrors,
    Score,
    new_name,
)
from radcal.system.errors import DataError, InputError
from radcal.system.files import plain_to_record
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text
from radcal.words.phrases import mean_of
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from radcal.workspace.reviews import StoredGoldSet


# --- selection of reports to annotate: at random, or worst first

T = TypeVar("T")


def at_random(strata: Sequence[Sequence[T]], size: int, seed: int) -> list[T]:
    """A random sample in random order from strata, in proportion to their sizes; reproducible by seed.

    Systematic sampling: every (n / size)-th of all n items, which are in random order within their strata, beginning
    at random.  So each item is as likely to be drawn, and each stratum has its share of the sample to within one.

    Source: Cochran, Sampling Techniques, 3rd ed., Wiley 1977, chapter 8.
    """
    random = np.random.default_rng(seed)
    items = [stratum[i] for stratum in strata for i in random.permutation(len(stratum))]
    size, begin = min(size, len(items)), int(random.integers(max(len(items), 1)))
    return [items[(i * len(items) + begin) // size] for i in random.permutation(size).tolist()]


def worst_first(candidates: Sequence[str], doubtful: Iterable[str]) -> list[str]:
    """All candidates: the doubtful ones first, each in the given order."""
    wanted = set(candidates)
    return list(dict.fromkeys([*(i for i in doubtful if i in wanted), *candidates]))


# --- the confusion of an engine on a gold set, for the statistics to carry on: what was written against what


def misread(
    gold: Gold,
    found: Iterable[Finding],
    reports: Collection[str],
    pathologies: Sequence[str],
    means: Mapping[str, float],
    decide: Callable[[Iterable[Finding]], Sequence[Finding]],
) -> Misread:
    """What was written against what was read in some reports of a gold set.

    A unit is a report and one of the pathologies, mentioned or not, that readers agreed on.  What is read in a phrase
    of no list never enters the statistics: it counts as not mentioned.

    Args:
        gold: what people say.
        found: the engine's findings.
        reports: those to count, which both have read.
        pathologies: the closed list.
        means: E[S|k] of the phrases of the lexicon.
        decide: picks the statement that stands for a report where it says several things of a pathology.
    """
    ids = set(reports)
    written, read = (
        {(f.report_id, f.pathology): f.phrase for f in decide(f for f in statements if f.report_id in ids)}
        for statements in (gold.statements, found)
    )
    place = {name: i for i, name in enumerate(STATED)}
    table = np.zeros((len(STATED), len(STATED)), dtype=int)
    hedged = [0, 0, 0]
    for unit in ((report, pathology) for report in sorted(ids) for pathology in pathologies):
        if unit in gold.left_out:
            continue
        one, other = written.get(unit), read.get(unit)
        row = NOT_MENTIONED if one is None else assertion(one)
        column = NOT_MENTIONED if other is None or other not in means else assertion(other)
        table[place[row], place[column]] += 1
        if one is not None and other is not None and row == column and 0 < means.get(other, 0.0) < 1:
            near = one in means and abs(means[one] - means[other]) <= NEAR
            hedged[0 if one == other else 1 if near else 2] += 1
    counts = tuple(tuple(int(n) for n in row) for row in table)
    return Misread(len(ids), counts, (hedged[0], hedged[1], hedged[2]))


# --- accuracy of an engine on a gold set: overall, by pathology and by phrase

_BOOTSTRAP = 400
"""Resamples of reports behind the intervals of F1: they are drawn anew after every report that is finished."""


def _with_interval(score: Score) -> Score:
    """The score with an interval of F1 when all resamples are identical, e.g. at full agreement.

    A bootstrap knows nothing of what it has not seen; the limits of precision and recall do.
    """
    if score.f1_low != score.f1_high:  # which holds of NaN, too
        return score
    low = _harmonic(score.precision_low, score.recall_low)
    return replace(score, f1_low=low, f1_high=_harmonic(score.precision_high, score.recall_high))


def _harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b > 0 else 0.0


_DECIDE = "decide"
SAMPLED = 2000
"""Reports on which two engines are compared: enough for a tenth of a percent, and no more time with more reports."""


class GoldSets(Annotating):
    """The gold sets of a department; the latest one is the current one."""

    def __init__(self, context: Context, runs: Runs) -> None:
        super().__init__(context)
        self._runs = runs
        self._measured: dict[tuple[object, ...], EngineAccuracy | None] = {}
        self._why: tuple[tuple[object, ...], Text] | None = None

    def draw(
        self,
        size: int = DEFAULT_SIZE,
        *,
        order: Draw = Draw.RANDOM,
        seed: int = 0,
        progress: Progress = SILENT,
    ) -> GoldSet:
        """Draw reports to be annotated, with distinct texts, from those read in the current run.

        Args:
            size: how many, at least 1; all reports if there are fewer.
            order: ``RANDOM`` draws X-ray and CT reports in proportion to their numbers; ``WORST_FIRST`` takes the
                reports with the disagreements and doubts that matter most to the results.
            seed: of the random draw, reproducible for the same workspace.

        Raises:
            InputError: a size below 1.
            DataError: the engine has not read any paired report, or there is no second opinion for WORST_FIRST.
        """
        if size < 1:
            raise InputError("A gold set has at least one report.")
        run = self._runs.current().run_id
        pairs = self._workspace.pairs()
        paired = [*pairs["xray_id"], *pairs["ct_id"]]
        read = self._workspace.read_by(run, paired)
        candidates = self._workspace.distinct_texts(i for i in paired if i in read)
        if not candidates:
            raise DataError("There are no reports to draw from. Import reports and let an engine read them first.")
        if order is Draw.WORST_FIRST:
            chosen = worst_first(candidates, self._doubtful(run, candidates, progress))[:size]
        else:
            frame = self._workspace.reports(("report_id", "modality"), candidates)
            strata = [group["report_id"].tolist() for _, group in frame.groupby("modality", sort=True)]
            chosen = at_random(strata, size, seed)
        number = self._workspace.add_gold_set(chosen, drawn=order.value, seed=seed, blind=True, run_id=run)
        return self._gold_set(next(s for s in self._workspace.gold_sets() if s.set_id == number))

    def _doubtful(self, run: int, candidates: Sequence[str], progress: Progress) -> list[str]:
        """Reports with statements to review, in the order of Runs.to_review."""
        other = self._runs.second_opinion(run, candidates, progress)
        queue = self._runs.to_review(run, other, candidates, progress)
        if other is None and not queue:
            raise DataError(
                "The rules understood all that they read, and no other engine has read these reports to "
                "disagree with them. Let the Llama engine read them, or draw at random."
            )
        return [f.report_id for item, _ in queue if (f := item.finding or item.other)]

    def missing(self) -> Literal["", "pairs", "findings"]:
        """What is missing for drawing a set: paired reports, or findings in them; '' if nothing."""
        if not self._workspace.has_pairs():
            return "pairs"
        return "" if self._workspace.has_extractions() else "findings"

    def decide(self, reader: str, *decisions: Decision) -> None:
        """Store an adjudicator's decisions on disputes; the latest one on each counts.

        Raises:
            DataError: as :meth:`mark`.
        """
        self._add(_DECIDE, reader, [(d.name, d.report_id, d) for d in decisions])

    def decisions(self) -> dict[tuple[str, str], Decision]:
        """The adjudicators' decisions on the current gold set, by report and pathology."""
        stored = self._workspace.gold_actions(self._current().set_id, _DECIDE)
        made = (plain_to_record(json.loads(s.detail), Decision) for s in stored if not s.undone)
        return {(d.report_id, d.pathology): d for d in made}

    def disputes(self, first: str, second: str) -> tuple[Dispute, ...]:
        """The differences between two readers on reports finished by both, decided or not."""
        return disputes_of(self._ids(self._current()), self._all_answers(), self.decisions(), first, second)

    def gold(self) -> Gold:
        """The gold standard of the finished reports."""
        ids = [i for i, same in self._workspace.gold_reports(self._current().set_id) if same]
        return gold_of(ids, self._all_answers(), self.decisions())

    def engines(self) -> tuple[EngineRun, ...]:
        """The runs that have read any report of the current gold set; the run judged by its readers first."""
        stored = self._current()
        made = [self._engine_run(run, n) for run, n in self._workspace.runs_that_read(self._ids(stored))]
        return tuple(sorted(made, key=lambda e: e.run_id != stored.run_id))

    def _engine_run(self, run: int, reports: int) -> EngineRun:
        return EngineRun(run, *self._workspace.run_of(run), self._runs.model_of(run), reports)

    def measured(self, run_id: int | None = None, *, detail: bool = True) -> EngineAccuracy | None:
        """The accuracy of an engine on the finished reports; None without such reports.

        Args:
            run_id: the engine's run; None for the run judged by the readers.
            detail: also by pathology and by phrase.
        """
        sets = self._workspace.gold_sets()
        if not sets:
            return None
        stored = sets[-1]
        run = stored.run_id if run_id is None else run_id
        key = (run, detail, *self._workspace.gold_state())
        if key not in self._measured:
            if len(self._measured) > 8:
                self._measured.clear()
            self._measured[key] = self._measure(stored, run, detail=detail)
        return self._measured[key]

    def _measure(self, stored: StoredGoldSet, run: int, *, detail: bool) -> EngineAccuracy | None:
        gold = self.gold()
        read = self._workspace.read_by(run, gold.reports)
        reports = [i for i in gold.reports if i in read]
        if not reports:
            return None
        read, seed = set(reports), self._context.settings.seed
        truth = [f for f in gold.statements if f.report_id in read]
        found = to_findings(self._workspace.findings(run, reports, as_read=True))
        found = [f for f in found if (f.report_id, f.pathology) not in gold.left_out]
        scored = evaluate(truth, found, reports, bootstrap=_BOOTSTRAP, seed=seed)
        names = sorted({f.pathology for f in (*truth, *found)}) if detail else []
        said = {f.phrase for f in (*truth, *found)} if detail else set()
        worded = [p.name for p in self._context.lexicon.phrases if p.name in said]
        worded += sorted(said.difference(worded))
        place = {report_id: i for i, report_id in enumerate(reports)}

        def of(field: str, name: str, grain: str) -> Score:
            """The score of the statements on one pathology, or in one phrase."""
            first, second = ([f for f in both if getattr(f, field) == name] for both in (truth, found))
            scored = evaluate(first, second, reports, bootstrap=_BOOTSTRAP, seed=seed)
            return replace(_with_interval(scored.grain(grain)), name=name)

        return EngineAccuracy(
            **asdict(self._engine_run(run, len(reports))),
            drawn=Draw(stored.drawn),
            size=len(self._ids(stored)),
            unread=len(gold.reports) - len(reports),
            statements=len(truth),
            unsure=gold.unsure,
            waiting=gold.waiting,
            in_sight=len(gold.in_sight.intersection(reports)),
            answers=gold.answers,
            accepted=gold.accepted,
            grains=tuple(_with_interval(scored.grain(name)) for name in ("mention", "assertion", "graded phrase")),
            pathologies=tuple(of("pathology", name, "assertion") for name in names),
            phrases=tuple(of("phrase", name, "graded phrase") for name in worded),
            differing=tuple(sorted(scored.disagreements, key=lambda d: place[d.report_id])) if detail else (),
        )

    def too_inaccurate(self, run_id: int) -> Text:
        """Why feedback to single radiologists is withheld: the run's accuracy is below the least one; else ''.

        Without ENOUGH reports drawn at random, no accuracy is known, and nothing is withheld.
        """
        measured, least = self.measured(run_id, detail=False), self._context.settings.least_accuracy
        if measured is None or not measured.quotable or measured.overall.f1 >= least:
            return EMPTY
        return Text(
            "Feedback to single radiologists is withheld: on {reports:,} own reports the engine reads present, absent "
            "or hedged with F1 {f1:.2f}, and the settings ask for {least:.2f}. Let a better engine read the reports, "
            "or change the settings.",
            reports=measured.reports,
            f1=measured.overall.f1,
            least=least,
        )

    def engines_agree(self, run_id: int) -> Text:
        """How often another engine says the same, and what follows for the errors of both; '' without another one.

        On at most SAMPLED of the reports that both have read, drawn at random.
        """
        workspace = self._workspace
        others = {run: workspace.count_read_by_both(run_id, run) for run in self._runs.independent_of(run_id)}
        run, both = max(others.items(), key=lambda other: other[1], default=(0, 0))
        if both < ENOUGH:
            return EMPTY
        places = at_random([range(both)], SAMPLED, self._context.settings.seed)
        ids = workspace.read_by_both(run_id, run, places)
        said = [to_findings(self._workspace.findings(r, ids, as_read=True)) for r in (run_id, run)]
        names = [self._workspace.run_of(r)[0] for r in (run_id, run)]
        units, same = engines_agreement(decide(said[0]), decide(said[1]))
        if not units:
            return EMPTY
        return Text(
            "{first!c} and {second} agree on {share:.0%} of {n:,} statements in {reports:,} reports. Where they do "
            "not, at least one of the two is wrong: on average at least {least:.1%} of these statements are, and more "
            "where both make the same mistake.",
            first=names[0],
            second=names[1],
            share=same / units,
            n=units,
            reports=len(ids),
            least=(units - same) / units / 2,
        )

    def reading_errors(self, run_id: int) -> tuple[ReadingErrors | None, Text]:
        """The confusion of a run on the finished reports, without what the statistics make of silence.

        None, with the reason, without a random gold set of which the run and its readers have read at least ENOUGH
        X-ray and as many CT reports.
        """
        measured = self.measured(run_id, detail=False)
        if measured is None:
            read = len(self.gold().reports) if self._workspace.gold_sets() else 0
            if not read:
                return None, Text(
                    "no report was read by people yet; at least {enough} X-ray and as many CT reports are needed",
                    enough=ENOUGH,
                )
            return None, Text(
                "{n:,} report was read by people, but not by this engine",
                many="{n:,} reports were read by people, but none of them by this engine",
                n=read,
            )
        if not measured.representative:
            return None, Text("the gold set was drawn for its difficulty, not at random")
        gold = self.gold()
        reports = self._workspace.read_by(run_id, gold.reports)
        frame = self._workspace.reports(("report_id", "modality"), [i for i in gold.reports if i in reports])
        ids = {m: frame.loc[frame["modality"] == m.value, "report_id"].tolist() for m in (Modality.XRAY, Modality.CT)}
        if min(map(len, ids.values())) < ENOUGH:
            return None, Text(
                "{xray} X-ray and {ct} CT reports were read by people and by this engine; at least {enough} of each "
                "are needed",
                xray=len(ids[Modality.XRAY]),
                ct=len(ids[Modality.CT]),
                enough=ENOUGH,
            )
        found = to_findings(self._workspace.findings(run_id, reports, as_read=True))
        means = {p.name: mean_of(p) for p in self._context.lexicon.phrases}
        xray, ct = (misread(gold, found, i, self.pathologies(), means, decide) for i in ids.values())
        return ReadingErrors(measured.engine, measured.version, xray, ct), EMPTY

    def not_carried(self, run_id: int) -> Text:
        """Why results made without errors of reading have none, by what people have read until now."""
        key = (run_id, *self._workspace.gold_state())
        if self._why is None or self._why[0] != key:
            errors, why = self.reading_errors(run_id)
            said = Text("Errors of reading are not carried on: {why}.", why=why)
            if errors is not None:
                said = Text(
                    "Errors of reading are not carried on yet: by now people have read enough reports, and the next "
                    "analysis carries them on."
                )
            self._why = key, said
        return self._why[1]

    def accuracy(self, run_id: int | None = None, published: Text = EMPTY) -> Text:
        """The accuracy to quote, in words: on the department's own reports, F1 with its interval and their number.

        It takes the place of the ``published`` one where all of them were read blind, and stands marked beside it
        where readers had the engine's answers in sight.  The published one alone if fewer than ENOUGH reports were
        annotated, or if they were chosen for their difficulty.  ``run_id`` as for :meth:`measured`.
        """
        measured = self.measured(run_id, detail=False)
        if measured is None or not measured.quotable:
            return published
        s = measured.overall
        own = Text(
            "F1 {f1:.2f} ({f1_low:.2f}\u2013{f1_high:.2f}) on {reports:,} own reports",
            f1=s.f1,
            f1_low=s.f1_low,
            f1_high=s.f1_high,
            reports=measured.reports,
        )
        if not measured.in_sight:
            return own
        if measured.in_sight == measured.reports:
            marked = Text("{own}, read with the engine\u2019s answers in sight", own=own)
        else:
            marked = Text(
                "{own}, {n:,} of them read with the engine\u2019s answers in sight", own=own, n=measured.in_sight
            )
        return Text("{published}; {own}", published=published, own=marked) if published else marked

    def agreement(self, first: str, second: str) -> Agreement:
        """The agreement of two readers on the reports finished by both.

        A unit is a report and a pathology that either reader mentions anywhere in the set; several statements in one
        report are reduced to the one included in the statistics.
        """
        both = {
            report_id: (by[first], by[second])
            for report_id, by in self._all_answers().items()
            if first in by and second in by and by[first].done and by[second].done
        }
        return agreement_of(first, second, both, self._context.lexicon.phrases, decide)

    def export_text(self) -> str:
        """The gold standard as a TSV text for ``radcal gold`` and :meth:`import_file`.

        Columns: report_id, sentence_number (from 1), pathology, phrase, cue, and "blind" where the report was read so.
        A report without statements has a row of no more than its report_id and that; "unsure" replaces the phrase if
        readers are unsure or await a decision.

        Raises:
            DataError: no report was finished yet.
        """
        gold = self.gold()
        if not gold.reports:
            raise DataError("No report of the gold set was finished yet. Read some first.")
        return gold_text(gold, self.reports(), self._context.exports.numbers())

    def import_file(self, path: Path, reader: str, progress: Progress = SILENT) -> ImportedGold:
        """Create a gold set from a file of annotated statements, as finished answers of ``reader``.

        Raises:
            InputError: the file cannot be read, none of its reports is in the workspace, or a row has an unknown
                phrase.
            DataError: an empty name of the reader.
        """
        rows = read_gold(path)
        known = self._context.masking.uncovered({row.report_id for row in rows})
        rows = tuple(replace(row, report_id=known.get(row.report_id, row.report_id)) for row in rows)
        wanted = list(dict.fromkeys(row.report_id for row in rows))
        frame = self._workspace.reports(("report_id", "modality", "text"), wanted)
        reports = {}
        for report_id, modality, text in frame.itertuples(index=False, name=None):
            progress.raise_if_cancelled()
            sentences = self._document(report_id, text, modality).sentences
            reports[report_id] = GoldReport(report_id, Modality(modality), text, sentences, None)
        if not reports:
            raise InputError(
                "None of the {n:,} reports of {name} is in this workspace. Import the reports "
                "first; they are known by modality and accession number, as in 'xray:A1001'.",
                n=len(wanted),
                name=path.name,
            )
        marks = marks_of(rows, reports, self._context.lexicon, path.name)
        name = self.begin(reader)
        run = self._runs.current().run_id
        ids = [i for i in wanted if i in reports]
        with self._workspace.transaction():
            self._workspace.add_gold_set(ids, drawn=Draw.IMPORTED.value, seed=0, blind=False, run_id=run)
            blind = {row.report_id for row in rows if row.blind}
            self.mark(name, *(Action(new_name(), i, tuple(marks.get(i, ())), done=True, blind=i in blind) for i in ids))
        gold_set = self.current()
        assert gold_set is not None  # noqa: S101 - created above, for the type checker
        missing = tuple(i for i in wanted if i not in reports)
        return ImportedGold(gold_set, len(ids), sum(map(len, marks.values())), missing)
