"""The grammar of the command line: every command with its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from radcal import __version__
from radcal.cli import steps
from radcal.cli.keeping import add_keeping
from radcal.cli.options import (
    add_days,
    add_engine,
    add_language,
    add_mapping,
    add_paper,
    add_statistics,
    add_workspace,
)
from radcal.cli.values import hours

if TYPE_CHECKING:
    from radcal.cli.bar import Bar

    Steps: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]
    Action: TypeAlias = Callable[[argparse.Namespace, Bar], dict[str, Any]]


def parser() -> argparse.ArgumentParser:
    """The parser of commands; the ``action`` of its result is the step, a function of radcal.cli.steps."""
    top = argparse.ArgumentParser(
        prog="radcal",
        description="Do radiologists' certainty words mean what readers take them to mean? Measured against CT.",
        epilog="Exit status: 0 done, 1 done with listed failures, 2 unusable input. Nothing leaves this machine.",
    )
    top.add_argument("--version", action="version", version=f"RadCal {__version__}")
    named = top.add_subparsers(dest="step", required=True, metavar="STEP", title="steps")
    for add in (_demo, _run, _extract, _reliability, _advise, _gold, _review, _report, _personal):
        add(named)
    add_keeping(partial(_step, named))
    return top


def _step(named: Steps, name: str, action: Action, text: str, more: str = "") -> argparse.ArgumentParser:
    """A step; ``text`` tells of it in the list of steps, ``more`` also in its own help."""
    step = named.add_parser(name, help=text, description=f"{text[:1].upper()}{text[1:]}. {more}".strip())
    step.set_defaults(action=action, settings=None)  # not every step takes --settings
    step.add_argument("--json", action="store_true", help="print the summary as JSON")
    return step


def _demo(named: Steps) -> None:
    step = _step(
        named,
        "demo",
        steps.demo,
        "the whole chain on a made-up department of 12 radiologists",
        "The reports are invented; what is hidden in them is written beside them, so that it can be compared.",
    )
    step.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for reports, workspace and pages")
    step.add_argument(
        "--pairs", type=int, default=2662, metavar="N", help="X-ray and CT pairs to make up (default 2662)"
    )
    add_language(step)
    add_statistics(step)


def _run(named: Steps) -> None:
    step = _step(
        named,
        "run",
        steps.run,
        "from report files to feedback",
        "Reads the files into the workspace, pairs X-ray with CT, extracts, analyses and writes the pages. The same "
        "command again goes on where it was stopped; without files, it goes on with what the workspace holds. "
        "Settings that are not given stay as they were for this workspace.",
    )
    step.add_argument(
        "--reports", type=Path, nargs="+", default=[], metavar="FILE", help="files with X-ray and CT reports"
    )
    step.add_argument("--xray", type=Path, nargs="+", default=[], metavar="FILE", help="files with X-ray reports only")
    step.add_argument("--ct", type=Path, nargs="+", default=[], metavar="FILE", help="files with CT reports only")
    add_mapping(step, "exam_time=Studienzeit")
    step.add_argument(
        "--dates",
        choices=("day-first", "month-first"),
        help="how 03/04/2024 is meant; else each file's own dates decide",
    )
    step.add_argument(
        "--replace",
        action="store_true",
        help="files that were imported before and are read in another way now: remove what only the earlier way gave",
    )
    step.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the pages and lists")
    add_engine(step, None)
    step.add_argument(
        "--window",
        dest="window_hours",
        type=hours,
        metavar="12h",
        help="longest time from X-ray to CT: 12h, 90min or 2d (default 12h)",
    )
    add_workspace(step, "the encrypted workspace file; made if it is not there")
    add_paper(step)
    add_days(step)
    add_language(step)
    add_statistics(step)


def _extract(named: Steps) -> None:
    step = _step(named, "extract", steps.extract, "findings of a table of reports")
    step.add_argument(
        "reports_csv",
        type=Path,
        metavar="REPORTS.csv",
        help="columns report_id, findings, impression; or report_id, text",
    )
    step.add_argument(
        "--out", type=Path, required=True, metavar="FINDINGS.csv", help="one row for each finding, with its sentence"
    )
    add_mapping(step, "report_id=Fallnummer")
    add_engine(step)


def _reliability(named: Steps) -> None:
    step = _step(named, "reliability", steps.reliability, "reliability of every author on every topic")
    step.add_argument("--method", choices=("exact", "midpoint"), help="how phrases are put into bins")
    step.add_argument(
        "--bootstrap", type=int, metavar="N", help="resamples behind intervals and luck bands (default 1000)"
    )
    _add_observations(step)


def _advise(named: Steps) -> None:
    step = _step(named, "advise", steps.advise, "which phrase to use instead, judged on held-out data")
    step.add_argument("--solver", choices=("joint", "paper"), help="how advice is derived (default joint)")
    step.add_argument(
        "--tau2",
        type=float,
        metavar="X",
        help="paper's solver: price of departing from the present use of words, 0.001 to 10 (default 0.1)",
    )
    step.add_argument("--target-use", type=Path, metavar="FILE", help="a use of words to aim at: CSV of phrase, use")
    _add_observations(step)


def _add_observations(step: argparse.ArgumentParser) -> None:
    """Observation file in, JSON out."""
    step.add_argument(
        "observations",
        type=Path,
        metavar="OBS.csv",
        help="columns author, topic, phrase, and outcome (0-1) or reference_phrase; others are ignored",
    )
    step.add_argument(
        "--lexicon", type=Path, metavar="LEX.csv", help="columns phrase, alpha, beta; else the words of RadCal"
    )
    step.add_argument("--out", type=Path, required=True, metavar="FILE.json", help="the result, as JSON")
    add_statistics(step)


def _gold(named: Steps) -> None:
    step = _step(named, "gold", steps.gold, "score findings, or an engine, against an annotated set")
    step.add_argument(
        "gold",
        type=Path,
        metavar="GOLD.tsv",
        help="columns report_id, sentence_number, pathology, phrase; a report that states nothing: its report_id alone",
    )
    step.add_argument("findings", type=Path, nargs="?", metavar="FINDINGS.csv", help="as `radcal extract` writes them")
    step.add_argument(
        "--reports", type=Path, metavar="REPORTS.csv", help="instead of FINDINGS.csv: run the engine on these"
    )
    add_mapping(step, "report_id=Fallnummer")
    add_engine(step)


def _review(named: Steps) -> None:
    step = _step(
        named,
        "review",
        steps.review,
        "statements that a person should look at, worst first",
        "The engine's findings beside those of the rules: where the two disagree, and where the engine is unsure.",
    )
    step.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="the list")
    step.add_argument(
        "--below",
        dest="review_below",
        type=float,
        metavar="P",
        help="list findings of a lower probability (default 0.5)",
    )
    add_engine(step, None)
    add_workspace(step, "the encrypted workspace file")


def _report(named: Steps) -> None:
    step = _step(
        named,
        "report",
        steps.report,
        "one radiologist's feedback as a PDF",
        "From the analysis that `run` made last.",
    )
    step.add_argument("--author", required=True, metavar="NAME", help="the radiologist, as named in the reports")
    step.add_argument("--out", type=Path, required=True, metavar="FILE.pdf", help="the PDF")
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")
    add_paper(step)
    add_days(step)
    add_language(step)


def _personal(named: Steps) -> None:
    step = _step(
        named,
        "personal",
        steps.personal,
        "personal files: a radiologist's own results, to be opened in RadCal",
        "Each is encrypted under a passphrase of its own and holds nothing of anybody else. From the analysis that "
        "`run` made last.",
    )
    whose = step.add_mutually_exclusive_group(required=True)
    whose.add_argument("--author", metavar="NAME", help="the radiologist, as named in the reports")
    whose.add_argument("--all", action="store_true", help="all radiologists, each with a passphrase drawn for the file")
    step.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE.radcal",
        help="the file, which may not exist; a folder with --all",
    )
    step.add_argument(
        "--own-passphrase-file",
        type=Path,
        metavar="FILE",
        help="file that holds the personal file's passphrase; else RADCAL_PERSONAL_PASSPHRASE; else it is asked for",
    )
    step.add_argument(
        "--passphrases",
        type=Path,
        metavar="FILE.csv",
        help="with --all: a new file for the drawn passphrases, in another folder than the personal files",
    )
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")
