"""The grammar of the command line: every command with its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from radcal import __version__
from radcal.cli import steps
from radcal.cli.audits import add_audits
from radcal.cli.eyes import add_eyes
from radcal.cli.installed import add_installed
from radcal.cli.keeping import add_keeping
from radcal.cli.options import (
    add_days,
    add_engine,
    add_file,
    add_form,
    add_language,
    add_mapping,
    add_names_key,
    add_out,
    add_paper,
    add_server,
    add_statistics,
    add_vocabulary,
    add_workspace,
)
from radcal.cli.values import hours

if TYPE_CHECKING:
    from radcal.cli.bar import Bar

    Steps: TypeAlias = argparse._SubParsersAction["_StepParser"]
    Action: TypeAlias = Callable[[argparse.Namespace, Bar], dict[str, Any]]
    Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; ``action`` of the parsed arguments is the function that performs the step."""
    top = argparse.ArgumentParser(
        prog="radcal",
        description="Do radiologists' certainty words mean what readers take them to mean? Measured against CT.",
        epilog="Exit status: 0 done, 1 done with listed failures, 2 unusable input. Nothing leaves this machine, "
        "unless you have reports read by a server of your hospital (--engine served).",
    )
    top.add_argument("--version", action="version", version=f"RadCal {__version__}")
    named = top.add_subparsers(dest="step", required=True, metavar="STEP", title="steps", parser_class=_StepParser)
    for add in (
        _add_pipeline,
        _add_single_steps,
        _add_from_workspace,
        add_eyes,
        add_audits,
        add_keeping,
        add_installed,
    ):
        add(partial(_step, named))
    return top


class _StepParser(argparse.ArgumentParser):
    """Takes files and options in any order: argparse gives files behind an option to no argument that may be empty."""

    _mixing = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse, in any order."""
        if self._mixing:
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False


def _step(named: Steps, action: Action, text: str, more: str = "") -> argparse.ArgumentParser:
    """A step named like its function; the list of steps shows ``text``, the step's own help also ``more``."""
    name = action.__name__.replace("_", "-")
    step = named.add_parser(name, help=text, description=f"{text[:1].upper()}{text[1:]}. {more}".strip())
    step.set_defaults(action=action, settings=None)  # not every step takes --settings
    step.add_argument("--json", action="store_true", help="print the summary as JSON")
    return step


def _add_pipeline(add: Add) -> None:
    step = add(
        steps.demo,
        "the whole chain on a made-up department of 12 radiologists",
        "The reports are invented; what is hidden in them is written beside them, so that it can be compared.",
    )
    add_out(step, "DIR", "folder for reports, workspace and pages")
    step.add_argument(
        "--pairs", type=int, default=2662, metavar="N", help="X-ray and CT pairs to make up (default 2662)"
    )
    add_language(step)
    add_statistics(step)

    step = add(
        steps.run,
        "from report files to feedback",
        "Reads the files into the workspace, pairs X-ray with CT, extracts, analyses and writes the pages. The same "
        "command again goes on where it was stopped; without files, it goes on with what the workspace holds. "
        "Settings that are not given stay as they were for this workspace.",
    )
    about = "files or folders with X-ray and CT reports: CSV, TSV, Excel, HL7, FHIR, DICOM, or texts with a manifest"
    add_file(step, "--reports", "FILE|FOLDER", about, nargs="+", default=[])
    add_file(step, "--xray", "FILE", "files with X-ray reports only", nargs="+", default=[])
    add_file(step, "--ct", "FILE", "files with CT reports only", nargs="+", default=[])
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
    step.add_argument(
        "--deidentify",
        choices=("on", "off"),
        help="whether names, dates, numbers and addresses are taken out of the reports before these are stored "
        "(default on); with off they stay in the texts, in the workspace and in what quotes these",
    )
    add_out(step, "DIR", "folder for the pages and lists")
    step.add_argument(
        "--hand-outs",
        action="store_true",
        help="also each radiologist's pocket card and dictation macros of the advised words",
    )
    add_engine(step)
    step.add_argument(
        "--window",
        dest="window_hours",
        type=hours,
        metavar="12h",
        help="longest time from X-ray to CT: 12h, 90min or 2d (default 12h)",
    )
    add_vocabulary(step)
    add_workspace(step, "the encrypted workspace file; made if it is not there")
    add_names_key(step)
    step.add_argument(
        "--names-in-workspace",
        action="store_true",
        help="of a new workspace: keep the names of radiologists in it, instead of pseudonyms only",
    )
    add_paper(step)
    add_days(step)
    add_language(step)
    add_statistics(step)


def _add_single_steps(add: Add) -> None:
    step = add(
        steps.extract,
        "findings of a table of reports, or of messages",
        "The texts are read as they are, and the sentences in FINDINGS.csv are theirs, names and dates included, "
        "unless --deidentify is given.",
    )
    about = (
        "a table with the columns report_id, findings, impression, or report_id, text; or a file or folder of HL7, "
        "FHIR or DICOM, of any examinations"
    )
    add_file(step, "reports_csv", "REPORTS", about)
    add_out(
        step, "FINDINGS.csv", "one row for each finding, with its sentence; .json and .ndjson are FHIR Observations"
    )
    add_form(step)
    step.add_argument(
        "--deidentify",
        action="store_const",
        const="on",
        help="take names, dates, numbers and addresses out of the texts first; spans are those of the new texts, and "
        "dates are shifted by other days in every run",
    )
    add_mapping(step, "report_id=Fallnummer")
    add_engine(step)

    step = add(
        steps.words,
        "what a department's own folder of words adds, and what is odd about it",
        "Exit status: 0 no warnings, 1 warnings with file and line, 2 a file that cannot be used.",
    )
    files = "folder with any of pathologies_terms.tsv, pathologies_subjects.tsv, cues.tsv and confirmations.csv"
    add_file(step, "folder", "DIR", files)

    step = add(steps.reliability, "reliability of every author on every topic")
    step.add_argument("--method", choices=("exact", "midpoint"), help="how phrases are put into bins")
    step.add_argument(
        "--bootstrap", type=int, metavar="N", help="resamples behind intervals and luck bands (default 1000)"
    )
    _add_observations(step)

    step = add(steps.advise, "which phrase to use instead, judged on held-out data")
    step.add_argument("--solver", choices=("ordered", "paper"), help="how advice is derived (default ordered)")
    step.add_argument(
        "--tau2",
        type=float,
        metavar="X",
        help="paper's solver: price of departing from the present use of words, 0.001 to 10 (default 0.001)",
    )
    add_file(step, "--target-use", "FILE", "a use of words to aim at: CSV of phrase, use")
    add_vocabulary(step)
    _add_observations(step)

    step = add(steps.gold, "score findings, or an engine, against an annotated set")
    columns = "columns report_id, sentence_number, pathology, phrase; a report that states nothing: its report_id alone"
    add_file(step, "gold", "GOLD.tsv", columns)
    add_file(step, "findings", "FINDINGS.csv", "as `radcal extract` writes them", nargs="?")
    add_file(step, "--reports", "REPORTS", "instead of FINDINGS.csv: run the engine on these")
    add_mapping(step, "report_id=Fallnummer")
    add_engine(step)

    step = add(
        steps.engines,
        "what the extraction engines can do on this machine",
        "The build of llama.cpp, its GPUs, whether the models in models/ and those named can be used here, and what is "
        "missing, with the command to get it. No weights are loaded. Exit status: 1 if a model cannot be used.",
    )
    add_file(step, "models", "FILE.gguf", "further models to look at", nargs="*")

    step = add(
        steps.server,
        "what a server that reads reports is and can, and its key",
        "For the engine served: the models that the server offers, whether the one named answers, and whether the "
        "server keeps answers to their form. It is asked a question of RadCal's own; no report is sent. With "
        "--remember-key, the key is asked for, or taken from --server-key-file, and kept in the key store of this "
        "computer for this host alone. Exit status: 1 if the server cannot read reports.",
    )
    add_server(step)
    key = step.add_mutually_exclusive_group()
    key.add_argument("--remember-key", action="store_true", help="store the server's key in the key store")
    key.add_argument("--forget-key", action="store_true", help="remove the server's key from the key store")


def _add_observations(step: argparse.ArgumentParser) -> None:
    """Observation file in, JSON out."""
    columns = "columns author, topic, phrase, and outcome (0-1) or reference_phrase; others are ignored"
    add_file(step, "observations", "OBS.csv", columns)
    add_file(step, "--lexicon", "LEX.csv", "columns phrase, alpha, beta; else the words of RadCal")
    step.add_argument(
        "--pool",
        choices=("author", "topic"),
        help="besides, all topics of each author together, or all authors on each topic",
    )
    step.add_argument(
        "--partial",
        dest="pooling",
        choices=("none", "topics", "authors", "both"),
        help="partial pooling: rates that borrow strength from the author's other topics, from other authors on the "
        "topic, or from both, beside the raw ones; advice then rests on them (default none)",
    )
    add_out(step, "FILE.json", "the result, as JSON")
    add_statistics(step)


def _add_from_workspace(add: Add) -> None:
    step = add(
        steps.review,
        "statements that a person should look at, worst first",
        "The engine's findings beside those of the rules: where the two disagree, and where the engine is unsure.",
    )
    add_out(step, "FILE.csv", "the list")
    step.add_argument(
        "--below",
        dest="review_below",
        type=float,
        metavar="P",
        help="list findings of a lower probability (default 0.5)",
    )
    add_engine(step)
    add_workspace(step, "the encrypted workspace file")

    shared = "the encrypted workspace file; others may have it open meanwhile"
    step = add(
        steps.findings,
        "findings of a workspace, for other programs",
        "What the engine behind the results has read, as a table, as FHIR Observations or as DICOM structured reports, "
        "with the SNOMED CT qualifier of each certainty word and what radiologists take it to mean, in percent.",
    )
    add_out(step, "FINDINGS.csv", "the file, or with --format dicom the folder; .json and .ndjson are FHIR")
    add_form(step)
    step.add_argument(
        "--accession-numbers",
        action="store_true",
        help="reports under their own numbers, as a RIS needs them; de-identified ones else go by others",
    )
    add_workspace(step, shared)

    step = add(
        steps.report,
        "one radiologist's feedback as a PDF, a pocket card, or dictation macros",
        "From the analysis that `run` made last.",
    )
    author = "the radiologist, as named in the reports, or by pseudonym"
    whose = step.add_mutually_exclusive_group(required=True)
    whose.add_argument("--author", metavar="NAME", help=author)
    together = "all radiologists together, under pseudonyms; with --macros, the words of the department's vocabulary"
    whose.add_argument("--department", action="store_true", help=together)
    what = step.add_mutually_exclusive_group()
    own = "instead, which words of the person's own drafts were changed before somebody else signed them, and examples"
    what.add_argument("--drafts", action="store_true", help=own)
    pocket = "instead, a card to cut out: how often CT showed what each word was said of"
    what.add_argument("--card", action="store_true", help=pocket)
    dictated = (
        "instead, the advised words with their pathologies for a dictation system, as UTF-8 text in the language of "
        "the reports: one a line; with a name and a tab before each if FILE is a .tsv, a name and a comma if a .csv"
    )
    what.add_argument("--macros", action="store_true", help=dictated)
    ends = "macros with the line ends of Windows (CR LF), and a byte order mark where letters beyond ASCII occur"
    step.add_argument("--windows", action="store_true", help=ends)
    add_out(step, "FILE", "the PDF, or the text file")
    add_workspace(step, shared)
    add_names_key(step)
    add_paper(step)
    add_days(step)
    add_language(step)

    step = add(
        steps.personal,
        "personal files: a radiologist's own results, to be opened in RadCal",
        "Each is encrypted under a passphrase of its own and holds nothing of anybody else. From the analysis that "
        "`run` made last.",
    )
    whose = step.add_mutually_exclusive_group(required=True)
    whose.add_argument("--author", metavar="NAME", help=author)
    whose.add_argument("--all", action="store_true", help="all radiologists, each with a passphrase drawn for the file")
    add_out(step, "FILE.radcal", "the file, which may not exist; a folder with --all")
    own = "file that holds the personal file's passphrase; else RADCAL_PERSONAL_PASSPHRASE; else it is asked for"
    add_file(step, "--own-passphrase-file", "FILE", own)
    drawn = "with --all: a new file for the drawn passphrases, in another folder than the personal files"
    add_file(step, "--passphrases", "FILE.csv", drawn)
    add_workspace(step, shared)
    add_names_key(step)

    step = add(
        steps.names,
        "where the names of radiologists are, and who is who",
        "A workspace made with a names key has pseudonyms only. The key holds the names, and is unreadable without "
        "the workspace.",
    )
    step.add_argument("--who", action="store_true", help="list the pseudonyms with their names")
    add_file(step, "--copy", "FILE.names", "save a copy of the names key, under a name that does not exist yet")
    moved = "replace the names in a workspace that has them by pseudonyms, after a backup, and keep the names there"
    add_file(step, "--replace", "FILE.names", moved)
    add_file(step, "--move", "FILE.names", "keep the names key there from now on; name it by --names-key afterwards")
    add_workspace(step, shared)
    add_names_key(step)
