"""Parses a command, runs it, and returns the exit status."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import COMMANDS, LAB, Step, add_common, behind_name
from radcal.system.errors import Cancelled, RadcalError
from radcal.system.version import __version__

if TYPE_CHECKING:
    from radcal.workspace.records import Updated

    Steps: TypeAlias = argparse._SubParsersAction[Step]

DONE, DONE_WITH_FAILURES, UNUSABLE, STOPPED = 0, 1, 2, 130

_STOPPED = "Stopped."
_GOES_ON = {
    step: f"What was {done} is kept; the same command goes on where it was."
    for step, done in (
        ("ask", "answered"),
        ("listen", "stored"),
        ("review", "read"),
        ("run", "done"),
        ("watch", "taken in"),
    )
}
"""The message after a command was stopped; the others write nothing before they are done."""


class _Radcal(argparse.ArgumentParser):
    """Says where settings are chosen, if somebody takes one for an option."""

    def error(self, message: str) -> NoReturn:
        """As argparse."""
        settings = ". Settings are chosen by --set NAME=VALUE; `radcal settings` lists them."
        super().error(message + (settings if message.startswith("unrecognized arguments: --") else ""))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse, with the options of all commands before the command's name, too."""
        return super().parse_known_args(behind_name(sys.argv[1:] if args is None else args), namespace)


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; ``action`` of the parsed arguments is the function that performs the command."""
    top = _Radcal(
        prog="radcal",
        description="Do radiologists' certainty words mean what readers take them to mean? Measured against CT.",
        epilog="Exit status: 0 done, 1 done with listed failures, 2 unusable input. Nothing leaves this machine, "
        "unless you have reports read by a server or a cluster of your hospital (--set engine=served, --cluster).",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"RadCal {__version__}")
    add_common(top)
    named = top.add_subparsers(dest="step", required=True, metavar="STEP", title="steps", parser_class=Step)
    for name, told in COMMANDS.items():
        _add(named, name, told)
    about = "other experiments of the papers: language models, perception of words, groups of any certainties"
    lab = named.add_parser("lab", help=about, description=f"{about[:1].upper()}{about[1:]}.")
    experiments = lab.add_subparsers(dest="step", required=True, metavar="STEP", title="steps", parser_class=Step)
    for name, told in LAB.items():
        _add(experiments, name, told, "lab.")
        _add(named, name, told, "lab.", listed=False)
    return top


def _add(named: Steps, name: str, told: Mapping[str, Any], folder: str = "", *, listed: bool = True) -> None:
    about = told["about"]
    shown = {"help": about} if listed else {}  # a command without help is not in the list
    # Scripts name options in full: an abbreviation would mean another option once there are more.
    step = named.add_parser(name, description=f"{about[:1].upper()}{about[1:]}.", allow_abbrev=False, **shown)
    step.told = {**told, "module": f"{folder}{told.get('module', name)}"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    args = parser().parse_args(argv)
    import json

    bar = Bar()
    # Ctrl+C, and the system's request to terminate.
    handlers = {number: signal.signal(number, bar.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        if args.step != "policy":  # which tells what is wrong with it
            _check_policy()
        _refuse_unusable(args)
        with _telling_updates(args), _reading_at(args):
            summary = args.action(args, bar)
    except (Cancelled, KeyboardInterrupt) as stop:
        bar.close()
        kept = str(stop).removeprefix(_STOPPED).strip()
        goes_on = _GOES_ON.get(args.step, "There is no result.")
        print(*filter(None, (_STOPPED, kept, goes_on)), file=sys.stderr)
        return STOPPED
    except Exception as error:  # noqa: BLE001 - its message may quote a report: show only where it was raised
        bar.close()
        return _failed(args.step, error)
    finally:
        bar.close()
        for number, handler in handlers.items():
            signal.signal(number, handler)
    text = summary.pop("text", "")
    if isinstance(sys.stdout, TextIOWrapper):  # a name outside the console's encoding is no reason to fail
        sys.stdout.reconfigure(errors="replace")
    try:
        print(json.dumps(summary, indent=2, allow_nan=False) if args.json else text, flush=True)
    except BrokenPipeError:  # a reader of our output closes the pipe early, as ``head`` does
        # Otherwise the interpreter would flush it again at exit, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE_WITH_FAILURES if summary.get("failures") else DONE


def _failed(step: str, error: Exception) -> int:
    """Say why a command could not be done, and enter it in the log of faults."""
    from radcal.system import faults

    faults.record(error, f"radcal {step}")
    if isinstance(error, RadcalError):
        print(f"radcal {step}: {error}", file=sys.stderr)
        return UNUSABLE
    import traceback

    print(*traceback.format_tb(error.__traceback__), sep="", end="", file=sys.stderr)
    print(
        f"radcal {step}: {type(error).__name__}. This is a fault of RadCal: please report the lines above.",
        file=sys.stderr,
    )
    return UNUSABLE


def _check_policy() -> None:
    """Refuse to go on under a policy that cannot be used."""
    from radcal.system import policy

    if (rules := policy.in_use()).file is not None:
        from radcal.checking import check_policy

        check_policy(rules)


def _telling_updates(args: argparse.Namespace) -> AbstractContextManager[None]:
    """Say of a workspace that a command opens that it was brought up to date."""
    if args.workspace is None:
        return nullcontext()
    from radcal.workspace.store import telling_updates

    def tell(updated: Updated) -> None:
        print(
            f"radcal {args.step}: {updated.path} was brought from schema {updated.before} to {updated.after}; the file "
            f"as it was is kept beside it as {updated.copy.name}.",
            file=sys.stderr,
        )

    return telling_updates(tell)


@contextmanager
def _reading_at(args: argparse.Namespace) -> Iterator[None]:
    """Have a cluster read for a command that names one, and say so."""
    if args.cluster is None or not args.far:
        yield
        return
    from radcal.system.cluster import cluster

    with cluster(args.cluster, args.cluster_ca, args.cluster_cert, args.cluster_key):
        print(f"radcal {args.step}: reports are sent to the cluster {args.cluster}.", file=sys.stderr)
        yield


def _refuse_unusable(args: argparse.Namespace) -> None:
    """Refuse file names that no file can have, in any option."""
    from radcal.system.inputs import refuse_unusable

    for value in vars(args).values():
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, Path):
                refuse_unusable(path)
