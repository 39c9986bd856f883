"""All steps in a row: from report files to feedback."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.errors import InputError
from radcal.files import write_json, writing
from radcal.progress import SILENT, Progress
from radcal.settings import Settings
from radcal.workflow.department import Department, open_department
from radcal.workflow.engines import ENGINES

if TYPE_CHECKING:
    import pandas as pd

_PNG_DPI = 110


def run(
    department: Department,
    out: Path,
    *,
    reports: Sequence[Path] = (),
    xray: Sequence[Path] = (),
    ct: Sequence[Path] = (),
    mapping: Mapping[str, str] | None = None,
    engine: str = ENGINES[0],
    paper: Any = "a4",
    standard: Any = "",
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """Import (if files are given), pair, extract, analyse, and write every page.

    Written into ``out``: feedback-PSEUDONYM.pdf for each radiologist, department.pdf, pseudonyms.csv (who is
    who), attrition.csv, rejected.csv and summary.json.

    Returns:
        The summary: counts, ``failures`` (what was left out, with file, row and reason), the files written,
        and ``text`` for the user.
    """
    rejected: list[Any] = []
    rows_read = 0
    if reports or xray or ct:
        imported = department.import_files(reports, xray, ct, mapping, progress)
        rejected, rows_read = imported.rejected.to_dict("records"), imported.rows_read
    pairing = department.pair()
    extraction = department.extract(engine, progress)
    analysis = department.analyse(engine, progress)
    failed = [{"report_id": i, "reason": r} for i, r in department.failures(engine).itertuples(index=False, name=None)]
    files = _write_pages(department, out, paper, standard, progress)
    files += _write_tables(department, out, pairing.attrition)
    measured = [r for r in analysis.reliabilities if not r.reason]
    summary: dict[str, Any] = {
        "rows_read": rows_read,
        "pairs": len(pairing.pairs),
        "reports_extracted": extraction.n_done,
        "findings": extraction.n_findings,
        "unknown_phrases": dict(extraction.unknown_phrases),
        "authors": len(department.authors()),
        "groups": len(analysis.reliabilities),
        "groups_measured": len(measured),
        "recommendations": sum(len(a.recommendations) for a in analysis.advices),
        "attrition": pairing.attrition.to_dict("records"),
        "failures": [*rejected, *failed],
        "workspace": str(department.path),
        "files": [str(f) for f in files],
    }
    write_json(out / "summary.json", summary)
    summary["text"] = _told(summary, out)
    return summary


def _write_pages(department: Department, out: Path, paper: Any, standard: Any, progress: Progress) -> list[Path]:
    from radcal.feedback import file_name, write_department, write_feedback

    settings = department.settings
    inputs = list(department.feedbacks(progress))
    progress.start(len(inputs) + 1, "Writing feedback")
    files = []
    for data in inputs:
        progress.raise_if_cancelled()
        files.append(write_feedback(data, out / file_name(data), paper=paper, standard=standard, settings=settings))
        progress.advance()
    files.append(write_department(inputs, out / "department.pdf", paper=paper, standard=standard, settings=settings))
    progress.advance()
    return files


def _write_tables(department: Department, out: Path, attrition: pd.DataFrame) -> list[Path]:
    import pandas as pd

    names = pd.DataFrame(sorted(department.pseudonyms().items()), columns=["radiologist", "pseudonym"])
    tables = {"attrition.csv": attrition, "rejected.csv": department.rejected(), "pseudonyms.csv": names}
    for name, table in tables.items():
        with writing(out / name) as file:
            table.to_csv(file, index=False, lineterminator="\n")
    return [out / name for name in tables]


def _told(summary: Mapping[str, Any], out: Path) -> str:
    lines = [
        f"{summary['pairs']:,} pairs of X-ray and CT reports, {summary['findings']:,} findings, "
        f"{summary['authors']} radiologists.",
        f"{summary['groups_measured']} of {summary['groups']} combinations of radiologist and pathology have "
        f"enough data; {summary['recommendations']} recommendations.",
        f"Feedback for each radiologist and the department page are in {out}.",
    ]
    if summary["failures"]:
        lines.append(
            f"{len(summary['failures']):,} rows or reports were left out: see rejected.csv and summary.json there."
        )
    return "\n".join(lines)


def demo(
    out: Path, *, pairs: int = 2662, settings: Settings | None = None, progress: Progress = SILENT
) -> dict[str, Any]:
    """The whole chain on a made-up department of 12 radiologists, with pictures of the first pages.

    Written into ``out``: reports/ (what a radiology system would export, and the hidden truth), the encrypted
    workspace department.radcal with its passphrase beside it (it holds nothing of patients), and feedback/.
    A second call into the same folder begins anew.

    Raises:
        InputError: ``out`` cannot be written.
    """
    from radcal.feedback import feedback_png, file_name
    from radcal.sample import generate

    settings = settings or Settings()
    workspace, key = out / "department.radcal", out / "department.passphrase.txt"
    try:
        out.mkdir(parents=True, exist_ok=True)
        workspace.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}. Choose another folder.") from error
    passphrase = secrets.token_urlsafe(12)
    with writing(key) as file:
        file.write(passphrase + "\n")
    sample = generate(out / "reports", pairs, settings.seed, progress)
    with open_department(workspace, passphrase, create=True, settings=settings) as department:
        summary = run(department, out / "feedback", xray=[sample.xray], ct=[sample.ct], progress=progress)
        first = next(department.feedbacks(progress))
    pictures = []
    for number, image in enumerate(feedback_png(first, _PNG_DPI, settings=settings), start=1):
        picture = out / "feedback" / file_name(first, f"-page-{number}.png")
        with writing(picture, "wb") as file:
            file.write(image)
        pictures.append(picture)
    summary["files"] += [str(p) for p in pictures]
    summary["text"] = "\n".join(
        [
            summary["text"],
            f"  PDF        {out / 'feedback' / file_name(first)} (one of {summary['authors']})",
            f"  pictures   {pictures[0]} ... (page {len(pictures)})"
            if len(pictures) > 1
            else f"  picture    {pictures[0]}",
            f"  department {out / 'feedback' / 'department.pdf'}",
            f"  workspace  {workspace}, passphrase in {key.name}",
            f"  reports    {sample.xray}, {sample.ct}; hidden truth in {sample.truth}",
        ]
    )
    # Rows that cannot be used are part of the made-up department.
    summary["rejected_on_purpose"] = summary.pop("failures")
    return summary
