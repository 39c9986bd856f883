"""``radcal``: the pipeline, and every step of it alone, without a window.

Exit status: 0 done; 1 done, with failures or left-out rows that are listed; 2 unusable input;
130 stopped by the user.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from radcal import __version__, workflow
from radcal.errors import Cancelled, InputError, RadcalError
from radcal.settings import Settings

if TYPE_CHECKING:
    from tqdm import tqdm

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
            raise Cancelled("Stopped. What was done is kept; the same command goes on where it was.")

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def hours(text: str) -> float:
    """A duration in hours from '12h', '90min', '2d' or a plain number of hours."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(min|m|h|d)?\s*", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration; write for example 12h, 90min or 2d")
    unit = {"min": 1 / 60, "m": 1 / 60, "h": 1.0, "d": 24.0}[match[2] or "h"]
    return float(match[1]) * unit


def passphrase(args: argparse.Namespace, *, new: bool) -> str:
    """The workspace's passphrase: from a file, the environment, or asked for (twice for a new workspace).

    Raises:
        InputError: none can be had, or the two entries differ.
    """
    if args.passphrase_file is not None:
        try:
            return str(args.passphrase_file.read_text(encoding="utf-8").rstrip("\r\n"))
        except OSError as error:
            raise InputError(f"The passphrase file {args.passphrase_file} cannot be read: {error.strerror}.") from error
    if (given := os.environ.get("RADCAL_PASSPHRASE")) is not None:
        return given
    if not sys.stdin.isatty():
        raise InputError("No passphrase: use --passphrase-file FILE or set RADCAL_PASSPHRASE.")
    import getpass

    first = getpass.getpass("Passphrase of the workspace: ")
    if new and getpass.getpass("The same once more (it cannot be recovered): ") != first:
        raise InputError("The two passphrases differ. Nothing was made.")
    return first


def settings_of(args: argparse.Namespace) -> Settings:
    """Settings from --settings FILE and the options that a step has."""
    values: dict[str, Any] = {}
    if getattr(args, "settings", None) is not None:
        try:
            values = json.loads(args.settings.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"The settings file {args.settings} cannot be read: {error.strerror}.") from error
        except ValueError as error:
            raise InputError(f"The settings file {args.settings} is no valid JSON: {error}.") from error
        if not isinstance(values, dict):
            raise InputError(f"The settings file {args.settings} must hold one JSON object.")
    options = ("window_hours", "method", "bootstrap", "seed", "solver", "tau2", "min_phrase_n", "min_group_n")
    given = {name: value for name in options if (value := getattr(args, name, None)) is not None}
    return Settings.from_dict({**values, **given})


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
    return workflow.demo(args.out, pairs=args.pairs, settings=settings_of(args), progress=bar)


def _run(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    if not (args.reports or args.xray or args.ct) and not args.workspace.exists():
        raise InputError("No reports: use --reports FILE..., or --xray FILE and --ct FILE.")
    create = not args.workspace.exists()
    with workflow.open_department(
        args.workspace, passphrase(args, new=create), create=create, settings=settings_of(args)
    ) as department:
        return workflow.run(
            department,
            args.out,
            reports=args.reports,
            xray=args.xray,
            ct=args.ct,
            mapping=column_mapping(args.map),
            engine=args.engine,
            paper=args.paper,
            standard=args.standard,
            progress=bar,
        )


def _extract(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.extract_file(args.reports_csv, args.out, engine=args.engine, progress=bar)


def _reliability(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.reliability_file(args.observations, args.out, args.lexicon, settings_of(args), progress=bar)


def _advise(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.advise_file(
        args.observations, args.out, args.lexicon, settings_of(args), target_use=args.target_use, progress=bar
    )


def _gold(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    return workflow.gold_file(args.gold, args.findings, reports=args.reports, engine=args.engine, progress=bar)


def _report(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    with workflow.open_department(args.workspace, passphrase(args, new=False), read_only=True) as department:
        path = department.write_feedback(args.author, args.out, paper=args.paper, standard=args.standard, progress=bar)
    return {"pdf": str(path), "text": f"The feedback is in {path}."}


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(
        prog="radcal",
        description="Do radiologists' certainty words mean what readers take them to mean? Measured against CT.",
        epilog="Exit status: 0 done, 1 done with listed failures, 2 unusable input. Nothing leaves this machine.",
    )
    top.add_argument("--version", action="version", version=f"RadCal {__version__}")
    steps = top.add_subparsers(dest="step", required=True, metavar="STEP")

    def step(
        name: str, action: Callable[[argparse.Namespace, Bar], dict[str, Any]], text: str
    ) -> argparse.ArgumentParser:
        made = steps.add_parser(name, help=text, description=text)
        made.set_defaults(action=action)
        made.add_argument("--json", action="store_true", help="print the summary as JSON")
        return made

    def statistics(made: argparse.ArgumentParser) -> None:
        made.add_argument("--settings", type=Path, metavar="FILE", help="settings as a JSON object")
        made.add_argument("--seed", type=int, help="seed of every random draw (default 0)")
        made.add_argument("--min-group-n", type=int, help="fewest statements for a curve (default 30)")
        made.add_argument("--min-phrase-n", type=int, help="fewest uses of a phrase for advice on it (default 10)")

    def locked(made: argparse.ArgumentParser) -> None:
        made.add_argument("--workspace", type=Path, required=True, metavar="W", help="the encrypted workspace file")
        made.add_argument("--passphrase-file", type=Path, metavar="FILE", help="else RADCAL_PASSPHRASE, else asked for")

    def page(made: argparse.ArgumentParser) -> None:
        made.add_argument("--paper", choices=("a4", "us-letter"), default="a4")
        made.add_argument(
            "--standard", default="", metavar="PDF", help="a-2b, a-2a or ua-1 for archives and screen readers"
        )

    demo = step("demo", _demo, "the whole chain on a made-up department of 12 radiologists")
    demo.add_argument("--out", type=Path, required=True, metavar="DIR")
    demo.add_argument("--pairs", type=int, default=2662, help="X-ray and CT pairs to make up (default 2662)")
    statistics(demo)

    run = step("run", _run, "from report files to feedback; a stopped run goes on where it was")
    run.add_argument(
        "--reports", type=Path, nargs="+", default=[], metavar="FILE", help="files with X-ray and CT reports"
    )
    run.add_argument("--xray", type=Path, nargs="+", default=[], metavar="FILE", help="files with X-ray reports only")
    run.add_argument("--ct", type=Path, nargs="+", default=[], metavar="FILE", help="files with CT reports only")
    run.add_argument(
        "--map", action="append", default=[], metavar="OURS=COLUMN", help="a column that was not recognised"
    )
    run.add_argument("--out", type=Path, required=True, metavar="DIR")
    run.add_argument("--engine", default="rules", choices=workflow.ENGINES)
    run.add_argument("--window", dest="window_hours", type=hours, metavar="12h", help="longest time from X-ray to CT")
    locked(run)
    page(run)
    statistics(run)

    extract = step("extract", _extract, "findings of a table of reports")
    extract.add_argument(
        "reports_csv", type=Path, metavar="REPORTS.csv", help="report_id, findings, impression; or report_id, text"
    )
    extract.add_argument("--out", type=Path, required=True, metavar="FINDINGS.csv")
    extract.add_argument("--engine", default="rules", choices=workflow.ENGINES)

    reliability = step("reliability", _reliability, "reliability of every author on every topic")
    reliability.add_argument("--method", choices=("exact", "midpoint"), help="how phrases are put into bins")
    reliability.add_argument("--bootstrap", type=int, help="resamples (default 1000)")
    advise = step("advise", _advise, "which phrase to use instead, judged on held-out data")
    advise.add_argument("--solver", choices=("joint", "paper"))
    advise.add_argument(
        "--tau2", type=float, help="paper's solver: price of departing from the present use, 0.001 to 10"
    )
    advise.add_argument("--target-use", type=Path, metavar="FILE", help="a use of words to aim at: CSV of phrase, use")
    for made in (reliability, advise):
        made.add_argument(
            "observations", type=Path, metavar="OBS.csv", help="author, topic, phrase, outcome or reference_phrase"
        )
        made.add_argument("--lexicon", type=Path, metavar="LEX.csv", help="phrase, alpha, beta; else the shipped words")
        made.add_argument("--out", type=Path, required=True, metavar="FILE.json")
        statistics(made)

    gold = step("gold", _gold, "score findings, or an engine, against an annotated set")
    gold.add_argument("gold", type=Path, metavar="GOLD.tsv")
    gold.add_argument("findings", type=Path, nargs="?", metavar="FINDINGS.csv")
    gold.add_argument(
        "--reports", type=Path, metavar="REPORTS.csv", help="instead of FINDINGS.csv: run the engine on these"
    )
    gold.add_argument("--engine", default="rules", choices=workflow.ENGINES)

    report = step("report", _report, "one radiologist's feedback as a PDF")
    report.add_argument("--author", required=True)
    report.add_argument("--out", type=Path, required=True, metavar="FILE.pdf")
    locked(report)
    page(report)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one step; returns the exit status."""
    args = parser().parse_args(argv)
    bar = Bar()
    before = signal.signal(signal.SIGINT, bar.stop)
    try:
        summary = args.action(args, bar)
    except Cancelled as stopped:
        bar.close()
        print(stopped, file=sys.stderr)
        return STOPPED
    except RadcalError as error:
        bar.close()
        print(f"radcal {args.step}: {error}", file=sys.stderr)
        return UNUSABLE
    finally:
        bar.close()
        signal.signal(signal.SIGINT, before)
    text = summary.pop("text", "")
    if args.json:
        print(json.dumps(summary, indent=2, ensure_ascii=False, default=str))
    else:
        print(text)
    return DONE_WITH_FAILURES if summary.get("failures") else DONE


if __name__ == "__main__":
    sys.exit(main())
