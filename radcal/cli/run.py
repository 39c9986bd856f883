"""``radcal run``: all steps from report files to pages, and the files written."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from radcal.calibration.days import check_days
from radcal.calibration.matching import attrition_of_statements
from radcal.calibration.records import ALL_AUTHORS
from radcal.calibration.unread import unread_note
from radcal.chain import run_chain
from radcal.cli.options import (
    column_mapping,
    days_of,
    preset_of,
    sheet_of,
)
from radcal.cli.passphrases import passphrase
from radcal.cli.settings import choose, chosen_settings
from radcal.cli.summaries import Summary, counted, entered, fields_of, frequent_words, unread_findings
from radcal.department import Department
from radcal.feedback.batch import ON_CARDS, PRINTED, TO_DICTATE
from radcal.feedback.content import judge_input
from radcal.feedback.pdf import Print, feedback_png, file_name
from radcal.feedback.records import USUAL_SHEET, FeedbackInput, Sheet
from radcal.findings.engines import unverified_model, why_alone
from radcal.findings.own_words import notes_on_own_words
from radcal.findings.records import ExtractionSummary
from radcal.findings.served.server import sending_note
from radcal.opening import open_department
from radcal.reports.importing import ReportFile, as_files
from radcal.reports.records import Attribution, Unread
from radcal.system import exports, inputs, policy
from radcal.system.coarse import FEWEST, Band, band, outward, range_of
from radcal.system.errors import DataError, InputError
from radcal.system.inputs import read_bytes
from radcal.system.intervals import wilson
from radcal.system.kinds import names_key_of
from radcal.system.language.wording import Wording
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import quotable_id, wordings
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text, joined
from radcal.words.records import VocabularyUse
from radcal.words.studies import chosen_study, require_same, spoken_in, study_of

if TYPE_CHECKING:
    from radcal.system.settings import Settings

_PNG_DPI = 110
_SUMMARY = "summary.json"
_OF_PEOPLE = (f"{PRINTED}-", f"{ON_CARDS}-", f"{TO_DICTATE}-")
"""Beginnings of the names of files for single radiologists."""


def run(args: argparse.Namespace, bar: Progress) -> Summary:
    """Make the pages from report files, or from the reports in the workspace, and a backup if one is due."""
    create = not inputs.is_there(args.workspace)
    if args.names_in_workspace and args.names_key is not None:
        raise InputError("Names are kept in the workspace or apart: use --names-in-workspace or --names-key, not both.")
    if create and not (args.reports or args.xray or args.ct):
        raise InputError(
            f"There is no workspace {args.workspace} yet, and no reports to make one from: "
            "use --reports FILE..., or --xray FILE... and --ct FILE..."
        )
    for path in (*args.reports, *args.xray, *args.ct):
        if not inputs.is_there(path):  # before making a workspace or asking for a passphrase
            raise InputError(f"There is no file {path}. Check the name.")
    files = as_files(
        args.reports,
        args.xray,
        args.ct,
        column_mapping(args.map),
        None if args.dates is None else args.dates == "day-first",
        replaces=args.replace,
        preset=preset_of(args),
    )
    study = {} if args.study is None else chosen_study(args.study, policy.in_use().locked)
    chosen = {**(study if create else {}), **chosen_settings(args)}
    key = args.names_key
    if create:
        key = None if args.names_in_workspace else key or names_key_of(args.workspace)
    with open_department(
        args.workspace,
        passphrase(args, new=create),
        create=create,
        settings=policy.in_use().started(chosen),
        names_key=key,
    ) as department:
        if args.names_in_workspace and department.names.kept_apart:
            raise InputError(f"{args.workspace} keeps names apart: leave out --names-in-workspace.")
        if study:
            require_same(study["study"], department.settings)
        choose(department, chosen)
        if {"engine", "model", "second"} & chosen.keys():
            department.runs.use(None)  # results are those of the engine named
        if args.without_ct:
            department.verification.want_unpaired()
        summary = write_results(
            department,
            args.out,
            files,
            sheet=sheet_of(args),
            days=days_of(args),
            hand_outs=args.hand_outs,
            progress=bar,
        )
        summary["backup"] = _back_up(department, bar)
    summary["text"] = "\n".join(filter(None, (summary["text"], summary["backup"])))
    return summary


def _back_up(department: Department, progress: Progress) -> str:
    """Make a backup if one is due; returns a sentence about it, '' if none was."""
    try:
        made = department.backups.back_up_if_due(progress)
    except InputError as error:
        return f"No backup was made. {error}"
    return "" if made is None else f"A backup of the workspace is {made}."


def write_results(
    department: Department,
    out: Path,
    files: Sequence[ReportFile] = (),
    *,
    sheet: Sheet = USUAL_SHEET,
    days: Days = ALL_DAYS,
    pictures: bool = False,
    hand_outs: bool = False,
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """Import (if files are given), pair, extract, analyse, and write all pages.

    Writes into ``out``: feedback-PSEUDONYM.pdf for each radiologist, department.pdf, pseudonyms.csv (the names behind
    them, unless they are kept apart), attrition.csv, rejected.csv, where a vocabulary was chosen vocabulary.csv (its
    use, in all and by quarter), and summary.json; only the lists if there is nothing to analyse.  Where feedback to
    single radiologists is withheld, their pages alone are not written.  Pages of an earlier run that are not written
    again are deleted.

    Args:
        out: a folder, created if missing.
        files: report files; without any, the run resumes with the reports in the workspace.
        sheet: paper, standard and language of the pages; the lists are the same in any language.
        days: date range of the pages; the stored analysis covers all dates.
        pictures: also write the pages of the radiologist with the most recommendations as PNG.
        hand_outs: also write each radiologist's pocket card, card-PSEUDONYM.pdf, the department's, card.pdf, and
            dictation macros of the advised words, macros-PSEUDONYM.txt, where there are any.

    Returns:
        The summary of the whole import, however often it was interrupted: counts, ``attribution`` (of the X-ray
        reports, as in records.Attribution), ``withheld`` (why there are no pages of single radiologists, or ''),
        ``failures`` (unusable rows with file, row and reason, or reports with report_id and reason; row is None for an
        unreadable file), the files written, and ``text`` for the user.

    Raises:
        InputError: no file can be read, or one cannot be written.
        DataError: there is nothing to analyse.
        EngineError: extraction or typesetting failed.
        Cancelled: by ``progress``; extracted findings are kept.
    """
    Print.on(sheet, department.settings)  # refuses unusable settings of the pages before the long work
    check_days(days)
    alone = why_alone(department.settings)  # as it begins: llama.cpp may be ready before the end
    chain = run_chain(department, files, progress, leave_out=True)
    imported, pairing, extraction = chain.imported, chain.pairing, chain.extraction
    unread = imported.unread if imported else ()
    statements = attrition_of_statements(chain.analysis.counts if chain.analysis else ())
    words = spoken_in(department.settings).wording
    steps = pd.concat([pairing.attrition, statements], ignore_index=True)
    told_of = {name: [words.told(Text(cell)) for cell in steps[name]] for name in ("step", "reason")}
    lists = {
        "attrition": steps.assign(**told_of) if words.words else steps,
        "rejected": department.workspace.rejected(),
    }
    if chain.analysis is None:
        # The attrition is then what the user needs to know.
        attrition, left_out = _write_tables(department, out, lists)
        where = Text(
            "The attrition is in {attrition}, the rows that could not be used are in {left_out}.",
            attrition=attrition,
            left_out=left_out,
        )
        not_read = [Text("Not read: {reason}", reason=file.reason) for file in unread]
        raise DataError(joined([words.told(chain.reason), where, *_stored(department), *not_read]))
    shown = department.exports.numbers()
    failed = [
        {"report_id": quotable_id(shown(f.report_id)), "reason": f.reason}
        for f in department.runs.failures(department.runs.on_show())
    ]
    inputs = list(department.pages.inputs(days, progress))
    withheld = department.pages.withheld()
    named = () if withheld else inputs
    written = _write_pages(department, named, inputs, out, sheet, progress, pictures=pictures, hand_outs=hand_outs)
    apart = department.names.kept_apart
    nameless = policy.in_use().workstation("exports_with_names") == "refused"
    names = pd.DataFrame(sorted(department.pseudonyms().items()), columns=["radiologist", "pseudonym"])
    uses = department.vocabulary.uses(days)
    by_quarter = (use for u in uses for use in department.vocabulary.over_time(u.author, "quarter", days))
    confidence, aliases = department.settings.confidence, department.pseudonyms()
    rows = vocabulary_rows((*uses, *by_quarter), aliases, confidence)
    used = {"vocabulary": pd.DataFrame(rows)} if rows else {}
    written += _write_tables(department, out, lists | ({} if apart or nameless else {"pseudonyms": names}) | used)
    whose = pairing.attribution
    groups = [r for data in inputs for r in data.reliabilities]
    rejected = lists["rejected"].drop(columns="import_id")
    rejected = rejected.assign(accession=rejected["accession"].map(shown))
    read = department.importing.asked_for()
    notes = [*(imported.notes if imported else ()), *(note for past in read for note in past.notes)]
    made = chain.analysis.provenance
    unverified = unverified_model(department.settings)
    notes += filter(None, [unverified, alone, sending_note(department.settings)])
    notes += notes_on_own_words(department.settings, department.lexicon)
    if uses:
        scale, said = uses[0].scale, counted(uses[0].n, "hedged finding", "hedged findings")
        notes.append(f"Worded outside the {scale} scale: {uses[0].outside:,} of {said}.")
        notes += [] if used else [f"There is no vocabulary.csv: it is made from {FEWEST} radiologists on."]
    every_group = (ALL_AUTHORS, ALL_TOPICS)
    out_of_all = next((u for u in chain.analysis.unread if (u.author, u.topic) == every_group), None)
    notes += [] if out_of_all is None else [unread_note(out_of_all)]
    silent = None
    if study_of(department.settings).pathologies:
        silent = department.workspace.count_silent_pairs(department.runs.on_show())
        notes += [_silence_note(silent, pairing.n_pairs)] if silent else []
    summary: dict[str, Any] = {
        "study": study_of(department.settings).name,
        **fields_of(made, "engine", "engine_version", "extraction_accuracy", "reading_errors"),
        **fields_of(
            extraction, reports_extracted="n_done", findings="n_findings", unread="n_unread", decided="n_decided"
        ),
        "rows_read": sum(past.rows_read for past in read),
        "deidentified": {
            "reports": sum(past.removed.reports for past in read),
            "changed": sum(past.removed.changed for past in read),
            "removed": dict(sum((Counter(past.removed.kinds) for past in read), Counter())),
            "suspects": department.importing.deidentifying.suspects.count(),
        },
        "rows_rejected": sum(past.rejected for past in read),
        "reports_total": department.workspace.count_reports(),
        "reports_new": sum(past.new for past in read),
        "reports_changed": sum(past.changed for past in read),
        "pairs": pairing.n_pairs,
        "pairs_left_out": sum(p.unread for p in chain.analysis.pairs),
        **({} if silent is None else {"pairs_without_statement": silent}),
        "unknown_phrases": wordings(Counter(dict(extraction.unknown_phrases)) + Counter(dict(extraction.unread_words))),
        "unknown_statements": sum(n for _, n in extraction.unknown_phrases),
        "unread_effects": None if out_of_all is None else asdict(out_of_all),
        "authors": len(department.authors()),
        "attribution": {**asdict(whose), "rules": [{"rule": rule, "reports": n} for rule, n in whose.rules]},
        "first_day": _day(days.first or made.first_exam),
        "last_day": _day(days.last or made.last_exam),
        "groups": len(groups),
        "groups_measured": sum(not r.reason for r in groups),
        "recommendations": sum(_suggestions(data, department.settings) for data in inputs),
        "withheld": withheld,
        **({"vocabulary": vocabulary_rows(uses, aliases, confidence)} if uses else {}),
        "attrition": lists["attrition"].to_dict("records"),
        "notes": list(dict.fromkeys(map(words.told, notes))),
        "failures": [*map(_failure, unread), *rejected.to_dict("records"), *failed],
        "workspace": str(department.path),
        "files": [str(f) for f in written],
    }
    summary |= {key: words.told(value) for key, value in summary.items() if isinstance(value, Text)}
    if apart:
        summary["names_key"] = str(department.names.file)
        summary["notes"].append(department.names.why_unknown() or _names_apart(department))
    if department.overridden:
        summary["notes"].append(
            Text(
                "Your IT department has set {names} in place of what the workspace stores ({file}).",
                names=", ".join(department.overridden),
                file=policy.in_use().file,
            )
        )
    _delete_old_pages(out, written)
    department.exports.write(out / _SUMMARY, exports.values(_without_folders(summary), "summary"))
    told = _text(summary, whose, extraction, out, words)
    summary["text"] = "\n".join([told, *(f"Not read: {file.reason}" for file in unread)])
    return entered(summary, department)


def _silence_note(n: int, pairs: int) -> Text:
    """In how many of all pairs the X-ray report says nothing that counts, so that words that are amiss are noticed."""
    return Text(
        "{n:,} of {pairs:,} paired X-ray reports say nothing of the study's pathologies. If that is more than you "
        "expect, look at some of them: the study file may lack words, or have some misspelt.",
        n=n,
        pairs=pairs,
    )


def _day(day: date | None) -> str | None:
    """The day of a date or time as ISO writes it."""
    return None if day is None else day.strftime("%Y-%m-%d")


def _without_folders(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A summary with names of files alone: it lies beside pages that are handed out, and folders are private."""
    files = [str(summary[key]) for key in ("workspace", "names_key") if key in summary]
    notes = [str(note) for note in summary["notes"]]
    for file in files:
        notes = [note.replace(file, Path(file).name) for note in notes]
    named = {key: Path(summary[key]).name for key in ("workspace", "names_key") if key in summary}
    return {**summary, **named, "files": [Path(file).name for file in summary["files"]], "notes": notes}


def _names_apart(department: Department) -> Text:
    """Where the names of radiologists are, and what to do with them."""
    return Text(
        "Radiologists are given by pseudonyms. Their names are in {file}: keep this file apart from the workspace, and "
        "keep a copy of it; see `radcal names`.",
        file=department.names.file,
    )


def _stored(department: Department) -> Iterator[Text]:
    """What a run without results has left in the workspace, and what must be kept with it."""
    n = sum(past.new for past in department.importing.asked_for())
    yield Text(
        "{n:,} report was stored in {workspace}.",
        many="{n:,} reports were stored in {workspace}.",
        n=n,
        workspace=department.path,
    )
    if department.names.kept_apart:
        yield department.names.why_unknown() or _names_apart(department)


def _failure(file: Unread) -> dict[str, Any]:
    """An unread file in the form of a rejected row."""
    return {"file": file.file, "row": None, "reason": file.reason, "remedy": "", "accession": "", "unit": "file"}


def _delete_old_pages(out: Path, files: Sequence[Path]) -> None:
    """Delete pages named in the summary of an earlier run that this run did not write."""
    try:
        old = json.loads(read_bytes(out / _SUMMARY))["files"]
        names = {Path(str(name)).name for name in old} - {file.name for file in files}
    except (InputError, ValueError, LookupError, TypeError):  # no earlier run, or not our summary
        return
    for name in names:
        if name.startswith(_OF_PEOPLE):
            with suppress(OSError):
                (out / name).unlink(missing_ok=True)


def _write_pages(
    department: Department,
    named: Sequence[FeedbackInput],
    everyone: Sequence[FeedbackInput],
    out: Path,
    sheet: Sheet,
    progress: Progress,
    *,
    pictures: bool,
    hand_outs: bool,
) -> list[Path]:
    """Write the pages, cards and macros of those ``named``, and the department's of ``everyone``."""
    progress.start(len(named) + 1, Text("Writing feedback"))
    write, pages, files = department.exports.write, department.pages, list[Path]()
    for data in named:
        progress.raise_if_cancelled()
        files.append(write(out / file_name(data), pages.export(data, sheet)))
        progress.advance()
    of_department = pages.export(everyone, sheet)
    for data in named if hand_outs else ():
        progress.raise_if_cancelled()
        files.append(write(out / file_name(data, what=ON_CARDS), pages.export(data, sheet, card=True)))
        if (macros := department.macros.of(data.author, data.days)).macros:
            lines = department.macros.export(macros, ".txt", to=data.pseudonym)
            files.append(write(out / file_name(data, ".txt", TO_DICTATE), lines))
    if hand_outs:
        files.append(write(out / "card.pdf", pages.export(everyone, sheet, card=True)))
    files.append(write(out / "department.pdf", of_department))
    progress.advance()
    if pictures and named:
        how = Print.on(sheet, department.settings)
        most = max(named, key=lambda data: _suggestions(data, how.settings))
        for number, image in enumerate(feedback_png(most, _PNG_DPI, how), start=1):
            page = exports.data(image, "page as PNG")
            files.append(write(out / file_name(most, f"-page-{number}.png"), page))
    return files


def _suggestions(data: FeedbackInput, settings: Settings) -> int:
    return len(judge_input(data, settings.min_phrase_n).suggestions)


def _write_tables(department: Department, out: Path, tables: Mapping[str, pd.DataFrame]) -> list[Path]:
    return [
        department.exports.write(out / f"{name}.csv", exports.frame(table, f"table of {name}"))
        for name, table in tables.items()
    ]


def _text(summary: Mapping[str, Any], whose: Attribution, read: ExtractionSummary, out: Path, words: Wording) -> str:
    why = summary["withheld"]
    lines = [
        f"{counted(summary['pairs'], 'pair', 'pairs')} {words.of('of X-ray and CT reports')}, "
        f"{counted(summary['findings'], 'finding', 'findings')}, "
        f"{counted(summary['authors'], 'radiologist', 'radiologists')}.",
        f"Findings read by {summary['engine']} {summary['engine_version'].partition('+')[0]}.",
        f"Enough statements for a curve: {summary['groups_measured']:,} of "
        f"{counted(summary['groups'], 'combination', 'combinations')} of radiologist and pathology; "
        f"{counted(summary['recommendations'], 'recommendation', 'recommendations')}.",
        f"{'The department page is' if why else 'Feedback for each radiologist and the department page are'} in {out}.",
        *([why] if why else []),
        *map(words.of, attributed(whose)),
    ]
    if summary["pairs_left_out"]:
        pairs = counted(summary["pairs_left_out"], "pair was", "pairs were")
        lines.append(f"{pairs} left out because a report could not be read.")
    if summary["unknown_statements"]:
        frequent = frequent_words(dict(read.unknown_phrases))
        lines.append(
            f"Left out and counted: {counted(summary['unknown_statements'], 'hedge that is', 'hedges that are')} in no "
            f"list{f'; among them {frequent}' if frequent else ''}."
        )
    lines += filter(None, [unread_findings(read.n_unread, dict(read.unread_words))])
    if read.n_decided:
        decided = counted(read.n_decided, "finding", "findings")
        lines.append(f"{decided} that had been left unread: decided by a person.")
    lines += summary["notes"]
    n_left_out = sum(failure.get("row", 1) is not None for failure in summary["failures"])
    if n_left_out:
        left_out = counted(n_left_out, "row or report was", "rows or reports were")
        lines.append(f"{left_out} left out: see rejected.csv and summary.json there.")
    return "\n".join(lines)


def attributed(found: Attribution) -> list[str]:
    """Whose the X-ray reports are, by which rule, and what of them was written after the CT."""
    total, several = sum(n for _, n in found.rules), counted(found.several, "names", "name")
    if not total:
        return []
    rules = "; ".join(f"{rule} ({n:,})" for rule, n in found.rules)
    said = [
        f"Of {counted(total, 'X-ray report', 'X-ray reports')}, {several} two radiologists or more. Rules: {rules}."
    ]
    if found.texts_apart:
        texts, reports = counted(found.texts_apart, "text", "texts"), counted(found.reports_apart, "report", "reports")
        within = counted(found.addenda_apart, "addendum", "addenda")
        said.append(f"Written after the CT and kept apart: {texts} of {reports}, {within} within a text among them.")
    if found.left_out_after:
        reports = counted(found.left_out_after, "report", "reports")
        said.append(f"Left out, because only a correction or an addendum from after the CT is there: {reports}.")
    if found.signed_after:
        reports = counted(found.signed_after, "report", "reports")
        said.append(f"Signed after the CT without an earlier version, and counted: {reports} in pairs.")
    return said


def vocabulary_rows(
    uses: Iterable[VocabularyUse], pseudonyms: Mapping[str, str], confidence: float = 0.95
) -> list[dict[str, Any]]:
    """The use of the vocabulary as plain values, as coarse as :mod:`radcal.system.coarse` has it.

    Radiologist '' is all together, worked out from the others' rows; first_day None is all dates.  A period has rows
    where enough radiologists hedged enough.  Of the words outside, those that may be quoted and were said often enough.
    Intervals are worked out from the bands alone: that of exact counts would tell them.
    """
    periods: dict[tuple[str, date | None], list[VocabularyUse]] = {}
    for use in uses:
        if use.author and use.n >= FEWEST:
            periods.setdefault((use.scale, use.start), []).append(use)
    rows = []
    for each in periods.values():
        if len(each) < FEWEST:
            continue
        often = [{words for words, n in use.words if n >= FEWEST} for use in each]
        bands = [{of: band(getattr(use, of)) for of in _USES} for use in each]
        if len(each) > FEWEST:
            sums = {of: sum(shown[of].middle for shown in bands) for of in _USES}
            ends = {of: outward(*wilson(sums[of] / sums["n"], sums["n"], confidence)) for of in _OUTSIDE}
            rows.append(_vocabulary_row(each[0], "", sums, ends, set().union(*often)))
        for use, shown, words in zip(each, bands, often, strict=True):
            ends = {of: _ends(of, shown, confidence) for of in _OUTSIDE}
            rows.append(_vocabulary_row(use, pseudonyms[use.author], asdict(use), ends, words))
    return sorted(rows, key=lambda row: row["first_day"] or "")


_USES = ("n", "within", "established", "outside", "avoided")
_OUTSIDE = ("outside", "avoided")


def _vocabulary_row(
    use: VocabularyUse,
    name: str,
    counts: Mapping[str, Any],
    ends: Mapping[str, tuple[float, float]],
    words: Collection[str],
) -> dict[str, Any]:
    return {
        "scale": use.scale,
        "radiologist": name,
        "first_day": use.start and use.start.isoformat(),
        **{"hedged" if of == "n" else of: range_of(counts[of]) for of in _USES},
        **{f"{of}_{end}": ends[of][k] for of in _OUTSIDE for k, end in enumerate(("low", "high"))},
        "words": "; ".join(sorted(wordings(dict.fromkeys(words, FEWEST)))),
    }


def _ends(name: str, bands: Mapping[str, Band], confidence: float) -> tuple[float, float]:
    """An interval that holds that of every share which the bands may hide."""
    part, of = bands[name], bands["n"]
    rest = [bands["within"], bands["established"]]  # and, with words to avoid, others outside
    most_in_all = of.high if name == "avoided" else min(of.high, part.low + sum(other.high for other in rest))
    fewest_in_all = max(of.low, part.high + sum(other.low for other in rest))
    low = wilson(part.low / max(most_in_all, of.low), of.low, confidence)[0]
    return outward(low, wilson(part.high / fewest_in_all, of.low, confidence)[1])
