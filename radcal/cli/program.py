"""Parses one command, runs it, and returns the exit status."""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from radcal import faults, policy
from radcal.cli.bar import Bar
from radcal.cli.grammar import parser
from radcal.cli.installed import POLICY
from radcal.errors import Cancelled, RadcalError
from radcal.inputs import refuse_unusable
from radcal.records import Updated
from radcal.workflow import telling_updates
from radcal.workflow.checking import check_policy

DONE, DONE_WITH_FAILURES, UNUSABLE, STOPPED = 0, 1, 2, 130

_STOPPED = "Stopped."
_GOES_ON = {
    "ask": "What was answered is kept; the same command goes on where it was.",
    "review": "What was read is kept; the same command goes on where it was.",
    "run": "What was done is kept; the same command goes on where it was.",
}
"""The message after a step was stopped; the others write nothing before they are done."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one step; returns the exit status."""
    args = parser().parse_args(argv)
    bar = Bar()
    # Ctrl+C, and the system's request to terminate.
    handlers = {number: signal.signal(number, bar.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        if args.step != POLICY:  # which tells what is wrong with it
            check_policy(policy.in_use())
        _refuse_unusable(args)
        with telling_updates(_tell_updated(args)):
            summary = args.action(args, bar)
    except (Cancelled, KeyboardInterrupt) as stop:
        bar.close()
        kept = str(stop).removeprefix(_STOPPED).strip()
        goes_on = _GOES_ON.get(args.step, "There is no result.")
        print(*filter(None, (_STOPPED, kept, goes_on)), file=sys.stderr)
        return STOPPED
    except RadcalError as error:
        bar.close()
        faults.record(error, f"radcal {args.step}")
        print(f"radcal {args.step}: {error}", file=sys.stderr)
        return UNUSABLE
    except Exception as error:  # noqa: BLE001 - its message may quote a report: show only where it was raised
        bar.close()
        faults.record(error, f"radcal {args.step}")
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
        if isinstance(sys.stdout, TextIOWrapper):  # a name outside the console's encoding is no reason to fail
            sys.stdout.reconfigure(errors="replace")
        print(json.dumps(summary, indent=2, allow_nan=False) if args.json else text, flush=True)
    return DONE_WITH_FAILURES if summary.get("failures") or summary.get("second_failures") else DONE


def _tell_updated(args: Namespace) -> Callable[[Updated], None]:
    """Says of a workspace that a step opened that it was brought up to date."""

    def tell(updated: Updated) -> None:
        print(
            f"radcal {args.step}: {updated.path} was brought from schema {updated.before} to {updated.after}; the file "
            f"as it was is kept beside it as {updated.copy.name}.",
            file=sys.stderr,
        )

    return tell


def _refuse_unusable(args: Namespace) -> None:
    """Refuse file names that no file can have, in any option."""
    for value in vars(args).values():
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, Path):
                refuse_unusable(path)


@contextmanager
def _pipe_may_close() -> Iterator[None]:
    """Ignore a reader of our output that closes the pipe early, as ``head`` does."""
    try:
        yield
    except BrokenPipeError:
        # Otherwise the interpreter would flush it again at exit, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
