"""``radcal``: the pipeline, and every step of it alone, without a window.

Exit status: 0 done; 1 done, with failures or left-out rows that are listed; 2 unusable input, or nothing
could be done for another reason that is told; 130 stopped by the user.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from radcal import __version__, workflow
from radcal.errors import Cancelled, InputError, RadcalError
from radcal.language import base
from radcal.settings import Settings

if TYPE_CHECKING:
    from tqdm import tqdm

    from radcal.records import Days

DONE, DONE_WITH_FAILURES, UNUSABLE, STOPPED = 0, 1, 2, 130


class Bar:
    """A Progress drawn as a bar on standard error; silent where that is no terminal."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None
        self._stop = False

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """Ask the running work to stop at its next safe point; asked twice, stop at once."""
        if self._stop:
            raise KeyboardInterrupt
        self._stop = True

    def start(self, total: int | None, what: str) -> None:
        """Begin a new bar."""
        from tqdm import tqdm

        self.close()
        self._bar = tqdm(
            total=total, desc=what, unit="", file=sys.stderr, disable=None, dynamic_ncols=True, leave=False
        )

    def advance(self, n: int = 1, note: str = "") -> None:
        """Move the bar on."""
        if self._bar is not None:
            if note:
                self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(n)

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled once the user has pressed Ctrl+C."""
        if self._stop:
            raise Cancelled("Stopped.")

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def hours(text: str) -> float:
    """A duration in hours from '12h', '90min', '2d' or a plain number of hours."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(min|m|h|d)?\s*", text, re.IGNORECASE)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration; write for example 12h, 90min or 2d")
    unit = {"min": 1 / 60, "m": 1 / 60, "h": 1.0, "d": 24.0}[(match[2] or "h").lower()]
    return float(match[1]) * unit


def page_language(text: str) -> str:
    """A language that the pages can be written in."""
    try:
        base(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def passphrase(args: argparse.Namespace, *, new: bool) -> str:
    """The workspace's passphrase: from a file, the environment, or asked for (twice for a new workspace).

    Raises:
        InputError: none can be had, or the two entries differ.
    """
    if args.passphrase_file is not None:
        return _read(args.passphrase_file, "passphrase file").rstrip("\r\n")
    if (given := os.environ.get("RADCAL_PASSPHRASE")) is not None:
        return given
    if not sys.stdin.isatty():
        raise InputError("No passphrase: use --passphrase-file FILE or set RADCAL_PASSPHRASE.")
    return _twice("Passphrase of the workspace: ") if new else _asked("Passphrase of the workspace: ")


def own_passphrase(args: argparse.Namespace) -> str:
    """The passphrase of a personal file: from a file, the environment, or asked for twice.

    Raises:
        InputError: none can be had, or the two entries differ.
    """
    if args.own_passphrase_file is not None:
        return _read(args.own_passphrase_file, "passphrase file").rstrip("\r\n")
    if (given := os.environ.get("RADCAL_PERSONAL_PASSPHRASE")) is not None:
        return given
    if not sys.stdin.isatty():
        raise InputError(
            "No passphrase for the personal file: use --own-passphrase-file FILE or set RADCAL_PERSONAL_PASSPHRASE."
        )
    return _twice("Passphrase of the personal file: ")


def _twice(prompt: str) -> str:
    first = _asked(prompt)
    if _asked("The same once more (it cannot be recovered): ") != first:
        raise InputError("The two passphrases differ. Nothing was made.")
    return first


def day(text: str) -> date:
    """A day as 2026-03-31."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write for example 2026-03-31") from None


def days_of(args: argparse.Namespace) -> Days:
    """The days that --from and --to name."""
    from radcal.records import Days

    return Days(args.first_day, args.last_day)


def _asked(prompt: str) -> str:
    import getpass

    # At a prompt there is no next safe point to wait for: Ctrl+C leaves at once.
    patient = {n: signal.signal(n, signal.default_int_handler) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        return getpass.getpass(prompt)
    except (KeyboardInterrupt, EOFError):
        print(file=sys.stderr)
        raise Cancelled("Stopped.") from None
    finally:
        for number, handler in patient.items():
            signal.signal(number, handler)


def _read(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"The {what} {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"The {what} {path} is no text in UTF-8. Save it as such.") from error


_OPTIONS = (
    "window_hours",
    "method",
    "bootstrap",
    "seed",
    "solver",
    "tau2",
    "min_phrase_n",
    "min_group_n",
    "engine",
    "model",
    "review_below",
    "llama_context",
    "llama_prompt",
    "llama_prompts",
    "llama_gpu_layers",
    "llama_parallel",
    "llama_threads",
    "llama_report_seconds",
    "llama_temperature",
    "llama_seed",
)
"""Options of the same names as settings."""


def chosen_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The settings that --settings FILE and the options name, by name; the options have the last word.

    Raises:
        InputError: the file cannot be read, or a setting is unknown or out of bounds.
    """
    values: dict[str, Any] = {}
    if args.settings is not None:
        try:
            values = json.loads(_read(args.settings, "settings file"))
        except ValueError as error:
            raise InputError(f"The settings file {args.settings} is no valid JSON: {error}.") from error
        if not isinstance(values, dict):
            raise InputError(f"The settings file {args.settings} must hold one JSON object.")
    values |= {name: value for name in _OPTIONS if (value := getattr(args, name, None)) is not None}
    try:
        Settings.from_dict(values)
    except InputError as error:
        if args.settings is None:
            raise
        raise InputError(f"{error} (settings file {args.settings})") from error
    return values


def settings_of(args: argparse.Namespace) -> Settings:
    """Settings from --settings FILE and the options, the defaults for the rest."""
    return Settings.from_dict(chosen_settings(args))


def column_mapping(entries: Sequence[str]) -> dict[str, str]:
    """Explicit columns from ``--map exam_time=Studienzeit``."""
    mapping = {}
    for entry in entries:
        ours, equals, theirs = entry.partition("=")
        if not equals or not ours.strip() or not theirs.strip():
            raise InputError(f"--map {entry!r}: write OUR_NAME=COLUMN, for example exam_time=Studienzeit.")
        mapping[ours.strip()] = theirs.strip()
    return mapping


# --- the steps -------------------------------------------------------------------------------------


def _demo(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.demo(args.out, pairs=args.pairs, settings=settings_of(args), language=args.language, progress=bar)


def _run(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    create = not args.workspace.exists()
    if create and not (args.reports or args.xray or args.ct):
        raise InputError(
            f"There is no workspace {args.workspace} yet, and no reports to make one from: "
            "use --reports FILE..., or --xray FILE... and --ct FILE..."
        )
    for path in (*args.reports, *args.xray, *args.ct):
        if not path.exists():  # before a workspace is made or a passphrase asked for
            raise InputError(f"There is no file {path}. Check the name.")
    mapping, chosen = column_mapping(args.map), chosen_settings(args)
    with workflow.open_department(
        args.workspace, passphrase(args, new=create), create=create, settings=Settings.from_dict(chosen)
    ) as department:
        if not create:  # what is not chosen now stays as it was chosen before
            settings = Settings.from_dict(department.settings.to_dict() | chosen)
            if settings != department.settings:
                department.save_settings(settings)
        return workflow.run(
            department,
            args.out,
            reports=args.reports,
            xray=args.xray,
            ct=args.ct,
            mapping=mapping,
            day_first=None if args.dates is None else args.dates == "day-first",
            paper=args.paper,
            standard=args.standard,
            language=args.language,
            days=days_of(args),
            progress=bar,
        )


def _extract(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.extract_file(
        args.reports_csv,
        args.out,
        engine=args.engine,
        model=args.model or "",
        settings=settings_of(args),
        progress=bar,
    )


def _reliability(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.reliability_file(args.observations, args.out, args.lexicon, settings_of(args), progress=bar)


def _advise(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.advise_file(
        args.observations, args.out, args.lexicon, settings_of(args), target_use=args.target_use, progress=bar
    )


def _gold(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.gold_file(
        args.gold,
        args.findings,
        reports=args.reports,
        engine=args.engine,
        model=args.model or "",
        settings=settings_of(args),
        progress=bar,
    )


def _review(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    with workflow.open_department(args.workspace, passphrase(args, new=False)) as department:
        chosen = Settings.from_dict(department.settings.to_dict() | chosen_settings(args))
        if chosen != department.settings:
            department.save_settings(chosen)
        return workflow.review_file(department, args.out, progress=bar)


def _report(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    with workflow.open_department(args.workspace, passphrase(args, new=False), read_only=True) as department:
        path = department.write_feedback(
            args.author,
            args.out,
            days=days_of(args),
            paper=args.paper,
            standard=args.standard,
            language=args.language,
            progress=bar,
        )
    return {"pdf": str(path), "text": f"The feedback is in {path}."}


def _personal(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    if args.all and args.passphrases is None:
        raise InputError("Name a file for the passphrases that are drawn: --passphrases FILE.csv.")
    if not args.all and args.passphrases is not None:
        raise InputError("One radiologist's passphrase is given, not drawn: --passphrases goes with --all.")
    with workflow.open_department(args.workspace, passphrase(args, new=False), read_only=True) as department:
        if args.all:
            return workflow.hand_out_all(department, args.out, args.passphrases, progress=bar)
        if args.author not in department.authors():
            department.feedback(args.author)  # says who there is, before a passphrase is asked for
        return workflow.hand_out_one(department, args.author, args.out, own_passphrase(args))


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(
        prog="radcal",
        description="Do radiologists' certainty words mean what readers take them to mean? Measured against CT.",
        epilog="Exit status: 0 done, 1 done with listed failures, 2 unusable input. Nothing leaves this machine.",
    )
    top.add_argument("--version", action="version", version=f"RadCal {__version__}")
    steps = top.add_subparsers(dest="step", required=True, metavar="STEP", title="steps")

    def step(
        name: str, action: Callable[[argparse.Namespace, Bar], dict[str, Any]], text: str, more: str = ""
    ) -> argparse.ArgumentParser:
        told = f"{text[:1].upper()}{text[1:]}. {more}".strip()
        made = steps.add_parser(name, help=text, description=told)
        made.set_defaults(action=action)
        made.add_argument("--json", action="store_true", help="print the summary as JSON")
        return made

    def statistics(made: argparse.ArgumentParser) -> None:
        made.add_argument("--settings", type=Path, metavar="FILE", help="settings as a JSON object")
        made.add_argument("--seed", type=int, metavar="N", help="seed of every random draw (default 0)")
        made.add_argument("--min-group-n", type=int, metavar="N", help="fewest statements for a curve (default 30)")
        made.add_argument(
            "--min-phrase-n", type=int, metavar="N", help="fewest uses of a phrase for advice on it (default 10)"
        )

    def locked(made: argparse.ArgumentParser, text: str) -> None:
        made.add_argument("--workspace", type=Path, required=True, metavar="W", help=text)
        made.add_argument(
            "--passphrase-file",
            type=Path,
            metavar="FILE",
            help="file that holds the passphrase; else RADCAL_PASSPHRASE in the environment; else it is asked for",
        )

    def page(made: argparse.ArgumentParser) -> None:
        made.add_argument("--paper", choices=("a4", "us-letter"), default="a4", help="default a4")
        made.add_argument(
            "--standard",
            choices=("a-2b", "a-2a", "ua-1"),
            default="",
            help="PDF/A-2b or PDF/A-2a for archives, PDF/UA-1 for screen readers",
        )

    def dated(made: argparse.ArgumentParser) -> None:
        for option, dest, text in (
            ("--from", "first_day", "pages of examinations from this day on alone, such as 2026-01-01 (default all)"),
            ("--to", "last_day", "pages of examinations up to this day alone, the day included (default all)"),
        ):
            made.add_argument(option, dest=dest, type=day, metavar="DATE", help=text)

    def spoken(made: argparse.ArgumentParser) -> None:
        made.add_argument(
            "--language",
            type=page_language,
            default="en",
            metavar="en|de",
            help="what the pages are written in, with a region if it matters, such as en-GB (default en)",
        )

    def engine(made: argparse.ArgumentParser, default: str | None = workflow.ENGINES[0]) -> None:
        made.add_argument("--engine", default=default, choices=workflow.ENGINES, help="what reads the reports")
        made.add_argument(
            "--model",
            type=lambda text: str(Path(text).resolve()),
            metavar="FILE.gguf",
            help="the model of the engine llama; else the small one that ships with RadCal",
        )
        llama = made.add_argument_group("the engine llama")
        for option, kind, sign, text in (
            ("context", int, "N", "tokens for the prompt, a report and its answer together (default 4096)"),
            ("gpu-layers", int, "N", "layers on the GPU; -1 for all that fit (default), 0 for none"),
            ("parallel", int, "N", "reports at a time; 0 to go by the machine (default)"),
            ("threads", int, "N", "processor threads; 0 to go by the machine (default)"),
            ("report-seconds", float, "S", "longest time for one report (default 600)"),
            ("temperature", float, "T", "0 for the most probable answer (default), above 0 for a drawn one"),
            ("llama-seed", int, "N", "seed of drawn answers (default 0)"),
        ):
            dest = f"llama_{option.removeprefix('llama-').replace('-', '_')}"
            llama.add_argument(f"--{option}", dest=dest, type=kind, metavar=sign, help=text)
        llama.add_argument(
            "--prompts",
            dest="llama_prompts",
            type=lambda text: str(Path(text).resolve()),
            metavar="DIR",
            help="folder with prompt files of your own; else those of RadCal",
        )
        llama.add_argument(
            "--prompt-style",
            dest="llama_prompt",
            choices=("auto", "base", "chat"),
            help="plain prompt, the model's chat template, or the template where it has one (default auto)",
        )

    demo = step(
        "demo",
        _demo,
        "the whole chain on a made-up department of 12 radiologists",
        "The reports are invented; what is hidden in them is written beside them, so that it can be compared.",
    )
    demo.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for reports, workspace and pages")
    demo.add_argument(
        "--pairs", type=int, default=2662, metavar="N", help="X-ray and CT pairs to make up (default 2662)"
    )
    spoken(demo)
    statistics(demo)

    run = step(
        "run",
        _run,
        "from report files to feedback",
        "Reads the files into the workspace, pairs X-ray with CT, extracts, analyses and writes the pages. The same "
        "command again goes on where it was stopped; without files, it goes on with what the workspace holds. "
        "Settings that are not given stay as they were for this workspace.",
    )
    run.add_argument(
        "--reports", type=Path, nargs="+", default=[], metavar="FILE", help="files with X-ray and CT reports"
    )
    run.add_argument("--xray", type=Path, nargs="+", default=[], metavar="FILE", help="files with X-ray reports only")
    run.add_argument("--ct", type=Path, nargs="+", default=[], metavar="FILE", help="files with CT reports only")
    run.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="OURS=COLUMN",
        help="a column that was not recognised, for example exam_time=Studienzeit; may be given several times",
    )
    run.add_argument(
        "--dates",
        choices=("day-first", "month-first"),
        help="how 03/04/2024 is meant; else each file's own dates decide",
    )
    run.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the pages and lists")
    engine(run, None)
    run.add_argument(
        "--window",
        dest="window_hours",
        type=hours,
        metavar="12h",
        help="longest time from X-ray to CT: 12h, 90min or 2d (default 12h)",
    )
    locked(run, "the encrypted workspace file; made if it is not there")
    page(run)
    dated(run)
    spoken(run)
    statistics(run)

    extract = step("extract", _extract, "findings of a table of reports")
    extract.add_argument(
        "reports_csv",
        type=Path,
        metavar="REPORTS.csv",
        help="columns report_id, findings, impression; or report_id, text",
    )
    extract.add_argument(
        "--out", type=Path, required=True, metavar="FINDINGS.csv", help="one row for each finding, with its sentence"
    )
    engine(extract)
    extract.set_defaults(settings=None)

    reliability = step("reliability", _reliability, "reliability of every author on every topic")
    reliability.add_argument("--method", choices=("exact", "midpoint"), help="how phrases are put into bins")
    reliability.add_argument(
        "--bootstrap", type=int, metavar="N", help="resamples behind intervals and luck bands (default 1000)"
    )
    advise = step("advise", _advise, "which phrase to use instead, judged on held-out data")
    advise.add_argument("--solver", choices=("joint", "paper"), help="how advice is derived (default joint)")
    advise.add_argument(
        "--tau2",
        type=float,
        metavar="X",
        help="paper's solver: price of departing from the present use of words, 0.001 to 10 (default 0.1)",
    )
    advise.add_argument("--target-use", type=Path, metavar="FILE", help="a use of words to aim at: CSV of phrase, use")
    for made in (reliability, advise):
        made.add_argument(
            "observations",
            type=Path,
            metavar="OBS.csv",
            help="columns author, topic, phrase, and outcome (0-1) or reference_phrase; others are ignored",
        )
        made.add_argument(
            "--lexicon", type=Path, metavar="LEX.csv", help="columns phrase, alpha, beta; else the words of RadCal"
        )
        made.add_argument("--out", type=Path, required=True, metavar="FILE.json", help="the result, as JSON")
        statistics(made)

    gold = step("gold", _gold, "score findings, or an engine, against an annotated set")
    gold.add_argument(
        "gold", type=Path, metavar="GOLD.tsv", help="columns report_id, sentence_number, pathology, phrase"
    )
    gold.add_argument("findings", type=Path, nargs="?", metavar="FINDINGS.csv", help="as `radcal extract` writes them")
    gold.add_argument(
        "--reports", type=Path, metavar="REPORTS.csv", help="instead of FINDINGS.csv: run the engine on these"
    )
    engine(gold)
    gold.set_defaults(settings=None)

    review = step(
        "review",
        _review,
        "statements that a person should look at, worst first",
        "The engine's findings beside those of the rules: where the two disagree, and where the engine is unsure.",
    )
    review.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="the list")
    review.add_argument(
        "--below",
        dest="review_below",
        type=float,
        metavar="P",
        help="list findings of a lower probability (default 0.5)",
    )
    engine(review, None)
    locked(review, "the encrypted workspace file")
    review.set_defaults(settings=None)

    report = step("report", _report, "one radiologist's feedback as a PDF", "From the analysis that `run` made last.")
    report.add_argument("--author", required=True, metavar="NAME", help="the radiologist, as named in the reports")
    report.add_argument("--out", type=Path, required=True, metavar="FILE.pdf", help="the PDF")
    locked(report, "the encrypted workspace file; others may have it open meanwhile")
    page(report)
    dated(report)
    spoken(report)

    personal = step(
        "personal",
        _personal,
        "personal files: a radiologist's own results, to be opened in RadCal",
        "Each is encrypted under a passphrase of its own and holds nothing of anybody else. From the analysis that "
        "`run` made last.",
    )
    whose = personal.add_mutually_exclusive_group(required=True)
    whose.add_argument("--author", metavar="NAME", help="the radiologist, as named in the reports")
    whose.add_argument("--all", action="store_true", help="all radiologists, each with a passphrase drawn for the file")
    personal.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE.radcal",
        help="the file, which may not exist; a folder with --all",
    )
    personal.add_argument(
        "--own-passphrase-file",
        type=Path,
        metavar="FILE",
        help="file that holds the personal file's passphrase; else RADCAL_PERSONAL_PASSPHRASE; else it is asked for",
    )
    personal.add_argument(
        "--passphrases",
        type=Path,
        metavar="FILE.csv",
        help="with --all: a new file for the drawn passphrases, in another folder than the personal files",
    )
    locked(personal, "the encrypted workspace file; others may have it open meanwhile")
    return top


_GOES_ON = {
    "review": "What was read is kept; the same command goes on where it was.",
    "run": "What was done is kept; the same command goes on where it was.",
}
"""What a stop of a step means; the others have written nothing."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one step; returns the exit status."""
    args = parser().parse_args(argv)
    bar = Bar()
    # Ctrl+C, and the system's request to end.
    handlers = {number: signal.signal(number, bar.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        summary = args.action(args, bar)
    except (Cancelled, KeyboardInterrupt):
        bar.close()
        print(f"Stopped. {_GOES_ON.get(args.step, 'There is no result.')}", file=sys.stderr)
        return STOPPED
    except RadcalError as error:
        bar.close()
        print(f"radcal {args.step}: {error}", file=sys.stderr)
        return UNUSABLE
    except Exception as error:  # noqa: BLE001 - what an unforeseen error says may quote a report: tell where alone
        bar.close()
        print(*traceback.format_tb(error.__traceback__), sep="", end="", file=sys.stderr)
        print(
            f"radcal {args.step}: {type(error).__name__}. This is a fault of RadCal: please report the lines above.",
            file=sys.stderr,
        )
        return UNUSABLE
    finally:
        bar.close()
        for number, handler in handlers.items():
            signal.signal(number, handler)
    text = summary.pop("text", "")
    with _pipe_may_close():
        if isinstance(sys.stdout, TextIOWrapper):  # a name beyond a console's alphabet is no reason to fail
            sys.stdout.reconfigure(errors="replace")
        print(json.dumps(summary, indent=2, allow_nan=False) if args.json else text, flush=True)
    return DONE_WITH_FAILURES if summary.get("failures") else DONE


@contextmanager
def _pipe_may_close() -> Iterator[None]:
    """Whoever reads our output may have seen enough, as ``head`` does."""
    try:
        yield
    except BrokenPipeError:
        # The interpreter would flush it once more at exit, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
