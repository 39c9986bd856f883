"""All steps in a row: from report files to feedback."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal import exports
from radcal.errors import DataError, InputError, reason_of
from radcal.files import writing
from radcal.inputs import read_bytes
from radcal.progress import SILENT, Progress
from radcal.quoting import told_id, wordings
from radcal.records import ALL_DAYS, USUAL_SHEET, Sheet
from radcal.settings import Settings
from radcal.text import Text, joined
from radcal.workflow.department import Department
from radcal.workflow.imports.importing import as_files
from radcal.workflow.opening import open_department
from radcal.workflow.results.author_results import judged_together
from radcal.workflow.results.days import check_days
from radcal.workflow.runs.engines import unverified_model
from radcal.workflow.telling import counted, told_words

if TYPE_CHECKING:
    import pandas as pd

    from radcal.feedback import Print
    from radcal.records import Days, FeedbackInput, Unread
    from radcal.workflow.imports.importing import ReportFile

_PNG_DPI = 110
_SUMMARY = "summary.json"


def run(
    department: Department,
    out: Path,
    files: Sequence[ReportFile] = (),
    *,
    sheet: Sheet = USUAL_SHEET,
    days: Days = ALL_DAYS,
    pictures: bool = False,
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """Import (if files are given), pair, extract, analyse, and write every page.

    Written into ``out``: feedback-PSEUDONYM.pdf for each radiologist, department.pdf, pseudonyms.csv (who is who),
    attrition.csv, rejected.csv and summary.json; the lists alone where there is nothing to analyse.  Pages that an
    earlier run wrote there and this one does not are deleted.

    Args:
        department: where everything is kept.
        out: a folder, made if it is missing.
        files: report files; without any, what the workspace holds is gone on with.
        sheet: what the pages are printed on and written in; the lists are the same in any language.
        days: of whose examinations the pages are made; the workspace keeps the analysis of all.
        pictures: also write the pages of the radiologist with the most recommendations as PNG.
        progress: told of every step, and asked whether to stop.

    Returns:
        The summary, of the whole import however often the run was stopped: counts, ``failures`` (all that was left
        out as unusable, with file, row and reason, or with report_id and reason; of a file that was not read at all
        the row is None), the files written, and ``text`` for the user.

    Raises:
        InputError: no file can be read, or one cannot be written.
        DataError: there is nothing to analyse.
        EngineError: extraction or typesetting failed.
        Cancelled: what was extracted is kept.
    """
    import pandas as pd

    from radcal.feedback import Print

    Print.on(sheet, department.settings)  # refuses what cannot be printed before the long work
    check_days(days)
    imported = department.import_reports(files, progress, leave_out=True) if files else None
    unread = imported.unread if imported else ()
    pairing = department.pair(progress)
    lists = {"attrition": pairing.attrition, "rejected": department.rejected()}
    extraction = department.extract(progress)
    try:
        analysis = department.analyse(progress)
    except DataError as error:
        # Where the reports went is all that can be told, and what the user has to know.
        attrition, left_out = _write_tables(department, out, lists)
        where = Text(
            "The attrition is in {attrition}, the rows that could not be used are in {left_out}.",
            attrition=attrition,
            left_out=left_out,
        )
        not_read = [Text("Not read: {reason}", reason=file.reason) for file in unread]
        raise DataError(joined([error.text, where, *not_read])) from error
    unextracted = department.failures().itertuples(index=False, name=None)
    failed = [{"report_id": told_id(i), "reason": r} for i, r in unextracted]
    inputs = list(department.feedbacks(progress, days))
    written = _write_pages(department, inputs, out, sheet, progress, pictures=pictures)
    names = pd.DataFrame(sorted(department.pseudonyms().items()), columns=["radiologist", "pseudonym"])
    written += _write_tables(department, out, lists | {"pseudonyms": names})
    groups = [r for data in inputs for r in data.reliabilities]
    rejected = lists["rejected"].drop(columns="import_id")
    read = department.importing.asked_for()
    notes = [*(imported.notes if imported else ()), *(note for past in read for note in past.notes)]
    notes += filter(None, [unverified_model(department.settings.engine, department.settings.model)])
    summary: dict[str, Any] = {
        "rows_read": sum(past.rows_read for past in read),
        "rows_rejected": sum(past.rejected for past in read),
        "reports_new": sum(past.new for past in read),
        "reports_changed": sum(past.changed for past in read),
        "pairs": len(pairing.pairs),
        "pairs_left_out": sum(p.unread for p in analysis.pairs),
        "reports_extracted": extraction.n_done,
        "findings": extraction.n_findings,
        "unknown_phrases": wordings(dict(extraction.unknown_phrases)),
        "unknown_statements": sum(n for _, n in extraction.unknown_phrases),
        "authors": len(department.authors()),
        "first_day": None if days.first is None else days.first.isoformat(),
        "last_day": None if days.last is None else days.last.isoformat(),
        "groups": len(groups),
        "groups_measured": sum(not r.reason for r in groups),
        "recommendations": sum(len(a.recommendations) for data in inputs for a in data.advices),
        "attrition": pairing.attrition.to_dict("records"),
        "notes": list(dict.fromkeys(notes)),
        "failures": [*map(_failure, unread), *rejected.to_dict("records"), *failed],
        "workspace": str(department.path),
        "files": [str(f) for f in written],
    }
    _delete_old_pages(out, written)
    department.exports.write(out / _SUMMARY, exports.values(summary, "summary"))
    summary["text"] = "\n".join([_told(summary, out), *(f"Not read: {file.reason}" for file in unread)])
    return summary


def _failure(file: Unread) -> dict[str, Any]:
    """A file that was not read, as the rows that cannot be used are listed."""
    return {"file": file.file, "row": None, "reason": file.reason, "remedy": ""}


def _delete_old_pages(out: Path, files: Sequence[Path]) -> None:
    """Delete what the summary of an earlier run names and this run did not write: pages of who is no more there."""
    try:
        old = json.loads(read_bytes(out / _SUMMARY))["files"]
        names = {Path(str(name)).name for name in old} - {file.name for file in files}
    except (InputError, ValueError, LookupError, TypeError):  # no earlier run, or not our summary
        return
    for name in names:
        if name.startswith("feedback-"):
            with suppress(OSError):
                (out / name).unlink(missing_ok=True)


def _write_pages(
    department: Department,
    inputs: Sequence[FeedbackInput],
    out: Path,
    sheet: Sheet,
    progress: Progress,
    *,
    pictures: bool,
) -> list[Path]:
    from radcal.feedback import Print, department_pdf, file_name

    progress.start(len(inputs) + 1, "Writing feedback")
    how, files = Print.on(sheet, department.settings), []
    for data in inputs:
        progress.raise_if_cancelled()
        pdf = department.pages.pdf_of(data, None, sheet)
        files.append(department.exports.write(out / file_name(data), exports.data(pdf, "pages as PDF")))
        progress.advance()
    pdf = department_pdf(judged_together(inputs), how)
    files.append(department.exports.write(out / "department.pdf", exports.data(pdf, "department's pages as PDF")))
    progress.advance()
    return files + (_write_pictures(department, inputs, out, how) if pictures else [])


def _write_pictures(department: Department, inputs: Sequence[FeedbackInput], out: Path, how: Print) -> list[Path]:
    from radcal.feedback import feedback_png, file_name

    chosen = max(inputs, key=lambda data: sum(len(a.recommendations) for a in data.advices))
    files = []
    for number, image in enumerate(feedback_png(chosen, _PNG_DPI, how), start=1):
        path = out / file_name(chosen, f"-page-{number}.png")
        files.append(department.exports.write(path, exports.data(image, "page as PNG")))
    return files


def _write_tables(department: Department, out: Path, tables: Mapping[str, pd.DataFrame]) -> list[Path]:
    return [
        department.exports.write(out / f"{name}.csv", exports.frame(table, f"table of {name}"))
        for name, table in tables.items()
    ]


def _told(summary: Mapping[str, Any], out: Path) -> str:
    lines = [
        f"{counted(summary['pairs'], 'pair', 'pairs')} of X-ray and CT reports, "
        f"{counted(summary['findings'], 'finding', 'findings')}, "
        f"{counted(summary['authors'], 'radiologist', 'radiologists')}.",
        f"Enough data: {summary['groups_measured']:,} of "
        f"{counted(summary['groups'], 'combination', 'combinations')} of radiologist and pathology; "
        f"{counted(summary['recommendations'], 'recommendation', 'recommendations')}.",
        f"Feedback for each radiologist and the department page are in {out}.",
    ]
    if summary["pairs_left_out"]:
        pairs = counted(summary["pairs_left_out"], "pair was", "pairs were")
        lines.append(f"{pairs} left out because a report could not be read.")
    if summary["unknown_statements"]:
        told = told_words(summary["unknown_phrases"])
        lines.append(
            f"Left out and counted: {counted(summary['unknown_statements'], 'hedge that is', 'hedges that are')} in no "
            f"list{f'; among them {told}' if told else ''}."
        )
    lines += summary["notes"]
    n_left_out = sum(failure.get("row", 1) is not None for failure in summary["failures"])
    if n_left_out:
        left_out = counted(n_left_out, "row or report was", "rows or reports were")
        lines.append(f"{left_out} left out: see rejected.csv and summary.json there.")
    return "\n".join(lines)


def demo(
    out: Path,
    *,
    pairs: int = 2662,
    settings: Settings | None = None,
    language: str = "en",
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """The whole chain on a made-up department of 12 radiologists, with pictures of the first pages.

    Written into ``out``: reports/ (what a radiology system would export, and the hidden truth), the encrypted
    workspace department.radcal with its passphrase beside it (it holds nothing of patients), and feedback/.
    A second call into the same folder begins anew.  The same pairs and settings give the same results under
    the same pseudonyms, and on the same day the same pages byte for byte; the workspace is encrypted anew.

    Raises:
        InputError: ``out`` cannot be written.
        DataError: too few pairs.
    """
    from radcal.sample import generate

    settings = settings or Settings()
    workspace, key = out / "department.radcal", out / "department.passphrase.txt"
    try:
        out.mkdir(parents=True, exist_ok=True)
        workspace.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            "{out} cannot be written: {strerror}. Choose another folder.", out=out, strerror=reason_of(error)
        ) from error
    passphrase = secrets.token_urlsafe(12)
    with writing(key) as file:
        file.write(passphrase + "\n")
    sample = generate(out / "reports", pairs, settings.seed, progress)
    with open_department(
        workspace, passphrase, create=True, settings=settings, pseudonym_seed=settings.seed
    ) as department:
        feedback = out / "feedback"
        files = as_files(xray=[sample.xray], ct=[sample.ct])
        summary = run(department, feedback, files, sheet=Sheet(language=language), pictures=True, progress=progress)
    pictures = [Path(name) for name in summary["files"] if name.endswith(".png")]
    page = pictures[0].with_name(pictures[0].name.replace("-page-1.png", ".pdf"))
    summary["text"] = "\n".join(
        [
            summary["text"],
            f"  PDF        {page} (one of {summary['authors']})",
            f"  pictures   {pictures[0]}{f' to {pictures[-1].name}' if len(pictures) > 1 else ''}",
            f"  department {feedback / 'department.pdf'}",
            f"  workspace  {workspace}, passphrase in {key.name}",
            f"  reports    {sample.xray}, {sample.ct}; hidden truth in {sample.truth}",
        ]
    )
    # Rows that cannot be used are part of the made-up department; reports that cannot be read are not.
    failures = summary["failures"]
    summary["rejected_on_purpose"] = [f for f in failures if "file" in f]
    summary["failures"] = [f for f in failures if "file" not in f]
    return summary
