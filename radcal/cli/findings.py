"""``radcal extract``, ``gold`` and ``review``: what engines read, written, scored and looked through."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from radcal.cli.options import (
    column_mapping,
    preset_of,
    writer,
)
from radcal.cli.passphrases import department_for_exports, passphrase
from radcal.cli.settings import choose, chosen_settings, settings_of
from radcal.cli.summaries import Summary, counted, entered, left_out, unread_findings
from radcal.findings.engines import (
    close_engine,
    extracted,
    in_words,
    make_engine,
    model_name,
    unverified_model,
    why_alone,
)
from radcal.findings.findings_export import write_findings
from radcal.findings.own_words import notes_on_own_words
from radcal.findings.readers.trial import tried
from radcal.findings.records import Extraction
from radcal.findings.served.server import sending_note
from radcal.findings.to_review import SECOND_OPINION
from radcal.opening import open_department
from radcal.review.evaluation import evaluate, grains_table, render, to_json
from radcal.review.files import read_findings, read_gold
from radcal.review.records import GoldRow, Statement
from radcal.review.redaction import Redaction
from radcal.system import exports
from radcal.system.errors import DataError, InputError
from radcal.system.progress import Progress
from radcal.system.quoting import quotable_id, wordings
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.confirmations import pathology_names
from radcal.words.languages import language_note
from radcal.words.phrases import count_unknown, load_lexicon
from radcal.words.records import OTHER, UNREAD
from radcal.words.studies import laid_over


def extract(args: argparse.Namespace, bar: Progress) -> Summary:
    """Write the findings of reports, or those behind a workspace's results, as FINDING_COLUMNS.

    ``start`` and ``end`` are the sentence's span in the report's text; where findings and impression are separate
    columns, in "FINDINGS:", the findings, a blank line, "IMPRESSION:" and the impression.

    Raises:
        InputError: neither or both of reports and workspace, the reports cannot be used, or the file cannot be written.
        DataError: no engine has read the reports of the workspace.
    """
    if (args.reports is None) == (args.workspace is None):
        raise InputError("Name either REPORTS to read, or the workspace that holds the findings (--workspace W).")
    if args.accession_numbers if args.workspace is None else args.deidentify:
        raise InputError("--deidentify is for REPORTS, --accession-numbers for the findings of a workspace.")
    if args.workspace is not None and args.study is not None:
        raise InputError("--study is for REPORTS: a workspace has its own study.")
    if args.workspace is not None:
        return _of_workspace(args, bar)

    settings = settings_of(args, **({"deidentify": "on"} if args.deidentify else {}))
    lexicon = load_lexicon()
    about = _AboutReading()
    unknown: list[str] = []
    unclear: list[str] = []
    extractions = n = unread = 0

    def read() -> Iterator[Extraction]:
        nonlocal extractions, n, unread
        for extraction in _extracted(args, settings, about, bar, deidentify=args.deidentify):
            findings = tuple(replace(finding, engine=about.engine) for finding in extraction.findings)
            yield replace(extraction, findings=findings)
            extractions += 1
            n += len(findings)
            for finding in extraction.findings:
                if finding.phrase == OTHER:
                    unknown.append(finding.verbatim)
                elif finding.phrase == UNREAD:
                    unread += 1
                    if lexicon.find(finding.verbatim) is None:
                        unclear.append(finding.verbatim)

    write_findings(read(), args.out, writer(args))
    said = f"{counted(n, 'finding', 'findings')} in {counted(extractions, 'report', 'reports')}"
    told = f"{said} {'is' if n == 1 else 'are'} in {args.out}, read by {about.engine}."
    not_understood = unread_findings(unread, dict(count_unknown(unclear)))
    summary = {
        "reports": extractions,
        "findings": n,
        **about.figures(),
        "unknown_phrases": wordings(dict(count_unknown([*unknown, *unclear]))),
        "unread": unread,
        "out": str(args.out),
        "text": " ".join(filter(None, (told, not_understood))) + about.text,
    }
    return _warned(summary, settings)


def _of_workspace(args: argparse.Namespace, progress: Progress) -> Summary:
    with department_for_exports(args) as department:
        if not department.runs.choices():
            raise DataError("No engine has read the reports yet. Let one read them first, with `radcal run`.")
        n = department.findings_export.write(args.out, progress=progress, accession_numbers=args.accession_numbers)
        text = f"{counted(n, 'finding is', 'findings are')} in {args.out}."
        return entered({"findings": n, "out": str(args.out), "text": text}, department)


@dataclass
class _AboutReading:
    """What is said of a reading besides its findings.

    failures: rows and reports left out;  notes: languages other than English;  engine: what read
    """

    failures: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    engine: str = ""

    def figures(self) -> Summary:
        """For a summary."""
        return {"engine": self.engine, "failures": self.failures, "notes": self.notes}

    @property
    def text(self) -> str:
        """To follow a sentence."""
        told = left_out(self.failures)
        return told + "".join(f"{chr(10) if told else ' '}{note}" for note in self.notes)


def _extracted(
    args: argparse.Namespace, settings: Settings, about: _AboutReading, progress: Progress, *, deidentify: bool = False
) -> Iterator[Extraction]:
    """The extractions of the reports that an option names; what else is to be said of them is entered in ``about``."""
    from radcal.reports.documents import read_documents_csv

    mapping, preset = column_mapping(args.map), preset_of(args)
    extractor = make_engine(settings.engine, settings.model, settings)
    documents, rejected, notes = read_documents_csv(
        args.reports, mapping=mapping, preset=preset, deidentify=deidentify, progress=progress
    )
    about.engine = in_words(extractor.name, model_name(extractor))
    about.failures.extend(rejected.assign(position=rejected["row"]).to_dict("records"))
    about.notes.extend(map(str, notes))
    languages = language_note(document.text for document in documents)
    about.notes.extend(filter(None, [languages, why_alone(settings), sending_note(settings)]))
    try:
        tried(extractor, model_name(extractor), progress, untested=settings.untested == "allowed")
        progress.start(len(documents), Text("Extracting findings"))
        for extraction in extracted(extractor, documents, progress):
            progress.raise_if_cancelled()
            if extraction.failure:
                report_id = quotable_id(extraction.report_id)
                about.failures.append({"report_id": report_id, "reason": extraction.failure})
            yield extraction
    finally:
        close_engine(extractor)


def _warned(summary: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """The summary, with notes if the checksum of the model file is unknown, and on the department's own words."""
    notes = [unverified_model(settings), *notes_on_own_words(settings)]
    if notes := list(filter(None, notes)):
        summary |= {"notes": [*summary.get("notes", ()), *notes], "text": "\n".join([summary["text"], *notes])}
    return summary


def gold(args: argparse.Namespace, bar: Progress) -> Summary:
    """Score findings, or an engine, against an annotated set.

    Raises:
        InputError: neither or both of findings and reports, or a file that cannot be used.
        DataError: there is nothing to compare, or none of the annotated reports is there.
    """
    settings = settings_of(args)
    if (args.findings is None) == (args.reports is None):
        raise InputError("Give either FINDINGS.csv, or --reports REPORTS.csv to run an engine on.")
    about = _AboutReading()
    said: list[Statement]
    beside: list[Statement] = []
    truth = read_gold(args.gold)
    if args.findings is not None:
        said = list(read_findings(args.findings))
        there = {statement.report_id for statement in said}
    else:
        extractions = list(_extracted(args, settings, about, bar))
        said = [finding for extraction in extractions for finding in extraction.findings]
        there = {extraction.report_id for extraction in extractions}
        rules = settings.changed(engine="rules", second="none", model="")
        if settings.changed(model="") != rules:
            beside = [f for e in _extracted(args, rules, _AboutReading(), bar) for f in e.findings]
    found = _names_in(truth, there)
    annotated = dict.fromkeys(row.report_id for row in truth)
    if not found and (said or args.reports is not None):
        raise DataError(
            "None of the {n:,} annotated reports of {name} is in {file}, by its report_id. Give "
            "the file of the reports that were annotated.",
            n=len(annotated),
            name=args.gold.name,
            file=args.findings or args.reports,
        )
    truth = tuple(replace(row, report_id=found.get(row.report_id, row.report_id)) for row in truth)
    if args.reports is not None:
        # Findings alone do not tell an unread report from one without statements.
        missing = [report for report in annotated if report not in found]
        about.failures += [
            {"report_id": quotable_id(report), "reason": "It was annotated, but was not read."} for report in missing
        ]
    unnamed = there.difference(found.values())
    if len(unnamed) <= len(found):  # annotated, and nothing to state: what is found there is wrong
        found |= {name: name for name in unnamed}
    else:
        about.notes.append(
            f"{len(unnamed):,} of {len(there):,} reports have no row in {args.gold.name}. They are taken for reports "
            "that nobody annotated, and are left out."
        )
    redaction = Redaction([*truth, *said, *beside], pathology_names(laid_over(settings)))
    gold_rows = [redaction.statement(row) for row in truth]
    named = {row.pathology for row in gold_rows if row.pathology}
    read = {redaction.report(name) for name in found.values()}
    score, rules_score = (
        evaluate(gold_rows, map(redaction.statement, findings), read, pathologies=named) for findings in (said, beside)
    )
    blind = len({row.report_id for row in truth if row.blind})
    text = render(score)
    if others := {redaction.statement(finding).pathology for finding in said} - named:
        what = counted(len(others), "pathology", "pathologies")
        text += f"\n\nFindings of {what} that the gold set does not name are left out."
    if beside:
        text += f"\n\nThe rules alone, on the same reports:\n\n{grains_table(rules_score)}"
    if blind < len(annotated):
        text += (
            f"\n\nRead blind: {blind:,} of {counted(len(annotated), 'annotated report', 'annotated reports')}. The "
            "others were read with an engine's answers in sight, or the file does not say."
        )
    figures = {"reports_annotated": len(annotated), "reports_read_blind": blind}
    summary = {**json.loads(to_json(score)), **figures, **about.figures(), "text": text + about.text}
    if beside:
        summary["rules"] = json.loads(to_json(rules_score))["grains"]
    return _warned(summary, settings) if args.reports else summary


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


def review(args: argparse.Namespace, bar: Progress) -> Summary:
    """List the statements that a person should review, worst first, as CSV with runs.review.REVIEW_COLUMNS.

    Raises:
        InputError: the file cannot be written, or the engine cannot be made.
        EngineError: an engine stopped working.
    """
    with open_department(args.workspace, passphrase(args, new=False)) as department:
        choose(department, chosen_settings(args))
        decided = 0 if args.decided is None else department.runs.take_decisions(args.decided)
        table = department.runs.review(bar)
        department.exports.write(args.out, exports.frame(table, "statements to look at"))
        why = ", ".join(f"{n:,} {concern}" for concern, n in table["concern"].value_counts(sort=False).items())
        if table.empty and not decided and department.settings.engine == SECOND_OPINION:
            text = (
                "The rules understood every statement, and no other engine was asked: choose one with --engine, or a "
                "second reader with --second."
            )
        else:
            found, verb = counted(len(table), "statement", "statements"), "is" if len(table) == 1 else "are"
            text = f"{found} to look at{f' ({why})' if why else ''} {verb} in {args.out}."
        if decided:
            text = f"{counted(decided, 'decision was', 'decisions were')} taken over. {text}"
        summary = {"statements": len(table), "decided": decided, "out": str(args.out), "text": text}
        return _warned(summary, department.settings)
