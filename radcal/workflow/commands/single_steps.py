"""Single pipeline steps, from files to files.

Every function returns a summary of plain values: ``text``, a message for the user; ``failures``, the items left out
and why, where that can happen; where a cascade may have read, ``second_asked`` and ``second_failures``, the reports
that its second reader was asked about and could not read; and the step's own figures.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal import exports
from radcal.errors import DataError, InputError
from radcal.exports import Exports
from radcal.inputs import full_path
from radcal.lexicon.phrases import Lexicon
from radcal.lexicon.word_files import own_folder
from radcal.progress import SILENT, Progress
from radcal.quoting import quotable_id, wordings
from radcal.records import NO_PRESET, OTHER, UNREAD, Extraction, Preset
from radcal.records.gold import GoldRow, Statement
from radcal.settings import Settings
from radcal.text import Text
from radcal.workflow.commands.summaries import (
    Summary,
    counted,
    frequent_words,
    left_out,
    second_readings,
    unread_findings,
)
from radcal.workflow.department import Department
from radcal.workflow.runs.engines import close_engine, extracted, make_engine, versions
from radcal.workflow.runs.handing_on import Form, form_of, write_findings
from radcal.workflow.runs.review import SECOND_OPINION
from radcal.workflow.runs.server import sending_note
from radcal.workflow.words.own_words import own_words_of, told, what_it_adds

if TYPE_CHECKING:
    import pandas as pd

    from radcal.records import Advice, Pool


def extract_file(
    reports: Path,
    out: Path,
    *,
    form: Form | None = None,
    mapping: Mapping[str, str] | None = None,
    preset: Preset = NO_PRESET,
    settings: Settings | None = None,
    deidentify: bool = False,
    progress: Progress = SILENT,
) -> Summary:
    """Extract the findings of a table of reports into a table with the columns records.FINDING_COLUMNS, FHIR or DICOM.

    ``start`` and ``end`` are the sentence's span in the report's text; where findings and impression are separate
    columns, in "FINDINGS:", the findings, a blank line, "IMPRESSION:" and the impression.

    Args:
        form: of the findings; None to go by the suffix of ``out``.
        mapping: RadCal's column names to those of the file, for columns with other names.
        preset: of the system that the table comes from.
        settings: the engine, its model and options.
        deidentify: take identifiers out of the texts first, by a secret that is drawn for this call.

    Raises:
        InputError: the table cannot be used, or ``out`` cannot be written.
    """
    from radcal.lexicon.phrases import count_unknown, load_lexicon

    lexicon = load_lexicon()
    about = _AboutReading()
    unknown: list[str] = []
    unclear: list[str] = []
    extractions = n = unread = 0

    def read() -> Iterator[Extraction]:
        nonlocal extractions, n, unread
        for extraction in _extracted(reports, mapping, preset, settings, about, progress, deidentify=deidentify):
            yield extraction
            extractions += 1
            n += len(extraction.findings)
            for finding in extraction.findings:
                if finding.phrase == OTHER:
                    unknown.append(finding.verbatim)
                elif finding.phrase == UNREAD:
                    unread += 1
                    if lexicon.find(finding.verbatim) is None:
                        unclear.append(finding.verbatim)

    write_findings(read(), out, form or form_of(out), lexicon, Exports(kept=[reports]))
    not_understood = unread_findings(unread, dict(count_unknown(unclear)))
    return {
        "reports": extractions,
        "findings": n,
        **about.figures(),
        "unknown_phrases": wordings(dict(count_unknown([*unknown, *unclear]))),
        "unread": unread,
        "out": str(out),
        "text": f"{counted(n, 'finding', 'findings')} in {counted(extractions, 'report', 'reports')} "
        f"{'is' if n == 1 else 'are'} in {out}.{' ' if not_understood else ''}{not_understood}{about.text}",
    }


@dataclass
class _AboutReading:
    """What is said of a reading besides its findings.

    failures: rows and reports left out;  notes: languages other than English
    second: what a cascade asks;  asked: the reports that it asked about;  stayed: those not read there, and why
    """

    second: str = ""

    failures: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: int = 0
    stayed: list[Any] = field(default_factory=list)

    def figures(self) -> Summary:
        """For a summary."""
        return {
            "failures": self.failures,
            "second_asked": self.asked,
            "second_failures": self.stayed,
            "notes": self.notes,
        }

    @property
    def text(self) -> str:
        """To follow a sentence."""
        second = second_readings(self.second, self.asked, self.stayed)
        told = (f"\n{second}" if second else "") + left_out(self.failures)
        return told + "".join(f"{chr(10) if told else ' '}{note}" for note in self.notes)


def _extracted(
    reports: Path,
    mapping: Mapping[str, str] | None,
    preset: Preset,
    settings: Settings | None,
    about: _AboutReading,
    progress: Progress,
    *,
    deidentify: bool = False,
) -> Iterator[Extraction]:
    """The extractions of a table of reports; what else is to be said of them is entered in ``about``."""
    from radcal.ingest.documents import read_documents_csv
    from radcal.lexicon.languages import language_note

    settings = settings or Settings()
    extractor = make_engine(settings.engine, settings.model, settings)
    documents, rejected, notes = read_documents_csv(
        reports, mapping=mapping, preset=preset, deidentify=deidentify, progress=progress
    )
    about.second = settings.cascade_second
    about.failures.extend(rejected.assign(position=rejected["row"]).to_dict("records"))
    about.notes.extend(map(str, notes))
    languages = language_note(document.text for document in documents)
    about.notes.extend(filter(None, [languages, sending_note(settings)]))
    progress.start(len(documents), Text("Extracting findings"))
    try:
        for extraction in extracted(extractor, documents, progress):
            progress.raise_if_cancelled()
            second = extraction.second
            about.asked += second is not None
            for failed, listed in ((extraction, about.failures), (second, about.stayed)):
                if failed is not None and failed.failure:
                    listed.append({"report_id": quotable_id(failed.report_id), "reason": failed.failure})
            yield extraction
    finally:
        close_engine(extractor)


def words_file(folder: Path) -> Summary:
    """What a department's own folder of words adds to those of RadCal; ``failures`` are the warnings about its lines.

    Raises:
        InputError: the folder is not there, or one of its files is malformed.
    """
    own = own_words_of(Settings(lexicon_dir=str(full_path(folder))))
    assert own is not None  # noqa: S101 - the settings name a folder, for the type checker
    lines = [what_it_adds(own), *(f"New pathology: {name}" for name in own.pathologies), *map(told, own.remarks)]
    return {
        "pathologies": list(own.pathologies),
        "terms": own.terms,
        "organs": own.organs,
        "cues": own.cues,
        "confirmations": own.confirmations,
        "failures": [{"file": r.file, "row": r.line, "reason": r.text} for r in own.remarks],
        "text": "\n".join(lines),
    }


def reliability_file(
    observations: Path,
    out: Path,
    lexicon: Path | None,
    settings: Settings,
    *,
    pool: Pool | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Measure the reliability of every group of an OBS.csv, and write it as JSON.

    Args:
        observations, lexicon, settings: as in :func:`advise_file`.
        pool: groups to measure together, besides, after the single ones.

    Raises:
        InputError: a file cannot be used or written.
    """
    from radcal.calibrate import (
        build_tables,
        measure,
        measure_pooled,
        partially_pooled,
        read_observations,
        to_json,
    )

    words = lexicon_of(lexicon)
    frame, rejected = read_observations(observations)
    tables = build_tables(frame, words.phrases, settings.reference)
    results = measure(tables, words.phrases, settings, progress)
    results = partially_pooled(results, tables, settings, settings.pooling, progress)
    if pool is not None:
        results += measure_pooled(tables, words.phrases, settings, pool, progress)
    made = to_json(results, _made_with(words, settings, tables.unknown, rejected), settings.min_phrase_n)
    Exports(kept=[p for p in (observations, lexicon) if p]).write(out, exports.values(made, "reliability"))
    measured, groups = sum(not r.reason for r in results), counted(len(results), "group", "groups")
    text = f"{measured} of {groups} had enough data for a curve. All are in {out}."
    return _summary({"groups": len(results), "measured": measured}, rejected, tables.unknown, out, text)


def advise_file(
    observations: Path,
    out: Path,
    lexicon: Path | None,
    settings: Settings,
    *,
    pool: Pool | None = None,
    target_use: Path | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Derive advice for every group of an OBS.csv, and write it as JSON.

    Args:
        observations: CSV with author, topic, phrase, and outcome or reference_phrase.
        lexicon: a LEX.csv; None for the lexicon that ships with RadCal.
        settings: solver, minimum counts, seed.
        pool: groups to advise on together, besides, after the single ones.
        target_use: CSV with the columns phrase and use: the distribution of words to aim at.

    Raises:
        InputError: a file cannot be used or written.
    """
    from radcal.advise import advise, to_json
    from radcal.calibrate import build_tables, measure, measure_pooled, pooled, read_observations
    from radcal.judging import judge_all
    from radcal.lexicon.use import read_target_use

    words = lexicon_of(lexicon)
    use = None if target_use is None else read_target_use(target_use, words)
    frame, rejected = read_observations(observations)
    tables = build_tables(frame, words.phrases, settings.reference)
    # Advice quotes rates and their intervals, which need no resampling.
    plain = settings.changed(bootstrap=0)
    measured = [(tables, measure(tables, words.phrases, plain, progress))]
    if pool is not None:
        measured.append((pooled(tables, pool), measure_pooled(tables, words.phrases, plain, pool, progress)))
    advices: tuple[Advice, ...] = ()
    for table, rates in measured:
        # What was made first is of the single groups, which those put together must not contradict.
        parts = tuple(zip(measured[0][1], advices, strict=True)) if advices else ()
        advices += advise(table, rates, words.phrases, settings, progress, use, baselines=True, parts=parts)
    every = [r for _, rates in measured for r in rates]
    judged = judge_all(every, advices, {}, words.phrases, settings.min_phrase_n)
    made = to_json(advices, _made_with(words, settings, tables.unknown, rejected), judged)
    kept = [p for p in (observations, lexicon, target_use) if p]
    Exports(kept=kept).write(out, exports.values(made, "advice"))
    advised, groups = sum(bool(a.recommendations) for a in advices), counted(len(advices), "group", "groups")
    text = f"There is advice for {advised} of {groups}, and a reason where there is none, in {out}."
    if settings.solver == "paper" and settings.pooling != "none":
        text += "\nThe paper's solver takes each group by itself: its advice does not rest on partially pooled rates."
    return _summary({"groups": len(advices), "advised": advised}, rejected, tables.unknown, out, text)


def gold_file(
    gold: Path,
    findings: Path | None,
    *,
    reports: Path | None = None,
    mapping: Mapping[str, str] | None = None,
    preset: Preset = NO_PRESET,
    settings: Settings | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Score findings, or an engine run on ``reports``, against an annotated set.

    Args:
        gold: the annotated statements.
        findings: CSV of findings; None to run the engine.
        reports: the table of reports to run the engine on.
        mapping, preset, settings: of the engine's run, as in :func:`extract_file`.

    Raises:
        InputError: neither or both of findings and reports, or a file that cannot be used.
        DataError: there is nothing to compare, or none of the annotated reports is there.
    """
    from radcal.gold.evaluation import evaluate, render, to_json
    from radcal.gold.files import read_findings, read_gold
    from radcal.gold.redaction import Redaction
    from radcal.lexicon.pathologies import names

    if (findings is None) == (reports is None):
        raise InputError("Give either FINDINGS.csv, or --reports REPORTS.csv to run an engine on.")
    about = _AboutReading()
    said: list[Statement]
    truth = read_gold(gold)
    if findings is not None:
        said = list(read_findings(findings))
        found = _names_in(truth, {statement.report_id for statement in said})
    else:
        assert reports is not None  # noqa: S101 - one of the two is given, for the type checker
        extractions = list(_extracted(reports, mapping, preset, settings, about, progress))
        said = [finding for extraction in extractions for finding in extraction.findings]
        found = _names_in(truth, {extraction.report_id for extraction in extractions})
    annotated = dict.fromkeys(row.report_id for row in truth)
    if not found and (said or reports is not None):
        file = findings or reports
        raise DataError(
            "None of the {n:,} annotated reports of {name} is in {file}, by its report_id. Give "
            "the file of the reports that were annotated.",
            n=len(annotated),
            name=gold.name,
            file=file,
        )
    truth = tuple(replace(row, report_id=found.get(row.report_id, row.report_id)) for row in truth)
    if reports is not None:
        # Findings alone do not tell an unread report from one without statements.
        missing = [report for report in annotated if report not in found]
        about.failures += [
            {"report_id": quotable_id(report), "reason": "It was annotated, but was not read."} for report in missing
        ]
    redaction = Redaction([*truth, *said], names(own_folder(settings)))
    read = None if reports is None else {redaction.report(name) for name in found.values()}
    score = evaluate(map(redaction.statement, truth), map(redaction.statement, said), read)
    blind = len({row.report_id for row in truth if row.blind})
    text = render(score)
    if blind < len(annotated):
        text += (
            f"\n\nRead blind: {blind:,} of {counted(len(annotated), 'annotated report', 'annotated reports')}. The "
            "others were read with an engine's answers in sight, or the file does not say."
        )
    figures = {"reports_annotated": len(annotated), "reports_read_blind": blind}
    return {**json.loads(to_json(score)), **figures, **about.figures(), "text": text + about.text}


def _names_in(truth: Sequence[GoldRow], there: Collection[str]) -> dict[str, str]:
    """The names in ``there`` of the annotated reports, by their name in the gold set.

    A gold set exported from a workspace prefixes the modality, 'xray:A17', since X-ray and CT may share an accession
    number; the department's own files have the accession number alone.
    """
    names = {}
    for row in truth:
        known = [name for name in (row.report_id, row.report_id.partition(":")[2]) if name in there]
        if known:
            names[row.report_id] = known[0]
    return names


def review_file(department: Department, out: Path, progress: Progress = SILENT) -> Summary:
    """List the statements that a person should review, worst first, as CSV with runs.review.REVIEW_COLUMNS.

    Raises:
        InputError: the file cannot be written, or the engine cannot be made.
        EngineError: an engine stopped working.
    """
    table = department.runs.review(progress)
    department.exports.write(out, exports.frame(table, "statements to look at"))
    why = ", ".join(f"{n:,} {concern}" for concern, n in table["concern"].value_counts(sort=False).items())
    if table.empty and department.settings.engine == SECOND_OPINION:
        text = "The rules understood every statement, and no other engine was asked: choose one with --engine."
    else:
        found, verb = counted(len(table), "statement", "statements"), "is" if len(table) == 1 else "are"
        text = f"{found} to look at{f' ({why})' if why else ''} {verb} in {out}."
    return {"statements": len(table), "out": str(out), "text": text}


def findings_file(
    department: Department,
    out: Path,
    form: Form | None = None,
    *,
    accession_numbers: bool = False,
    progress: Progress = SILENT,
) -> Summary:
    """Write the findings behind a workspace's results, as :func:`extract_file` writes those of a table.

    Args:
        accession_numbers: reports under their own numbers, also where exports show others.

    Raises:
        InputError: the file cannot be written.
        DataError: no engine has read the reports.
    """
    if not department.runs.choices():
        raise DataError("No engine has read the reports yet. Let one read them first, with `radcal run`.")
    n = department.handing_on.write(out, form or form_of(out), progress=progress, accession_numbers=accession_numbers)
    text = f"{counted(n, 'finding is', 'findings are')} in {out}."
    return {"findings": n, "out": str(out), "text": text}


def lexicon_of(path: Path | None) -> Lexicon:
    """A LEX.csv, or the lexicon that ships with RadCal."""
    from radcal.lexicon.phrases import load_lexicon, read_lexicon_csv

    return load_lexicon() if path is None else read_lexicon_csv(path)


def _made_with(words: Lexicon, settings: Settings, unknown: Mapping[str, int], rejected: pd.DataFrame) -> Summary:
    """The provenance in a result file."""
    return {
        "settings": settings.to_dict(),
        "lexicon": {"name": words.name, "version": words.version},
        "versions": versions(),
        "unknown_phrases": dict(unknown),
        "rejected": rejected.to_dict("records"),
    }


def _summary(
    counts: Mapping[str, int], rejected: pd.DataFrame, unknown: Mapping[str, int], out: Path, text: str
) -> Summary:
    """The summary of a table's groups, with the rows and phrases left out."""
    failures, n = rejected.to_dict("records"), sum(unknown.values())
    text += left_out(failures)
    if unknown:
        text += f"\nLeft out and counted, because their words are in no list: {counted(n, 'statement', 'statements')}"
        text += f"; among them {frequent}." if (frequent := frequent_words(unknown)) else "."
    missing = {"failures": failures, "unknown_phrases": wordings(unknown), "unknown_statements": n}
    return {**counts, **missing, "out": str(out), "text": text}
