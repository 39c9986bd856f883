"""The steps on people and language models as users of certainty words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_out
from radcal.cli.settings import settings_of
from radcal.errors import InputError
from radcal.workflow.commands.perception import perception_file, perception_of_model

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def perception(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare how people or a local model read certainty words with a reference."""
    if (args.responses is None) == (args.model_file is None):
        raise InputError("Give either RESPONSES.csv, or --model FILE.gguf to ask a local model.")
    how: dict[str, Any] = {
        "reference": args.compared_with,
        "expressions": args.expressions,
        "settings": settings_of(args),
        "progress": bar,
    }
    if args.responses is not None:
        return perception_file(args.responses, args.out, **how)
    return perception_of_model(args.model_file, args.out, shots=args.shots, most=args.statements, **how)


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    _add_perception(add)


def _add_perception(add: Add) -> None:
    step = add(
        perception,
        "how people or a local model read certainty words, against a reference",
        "Of answers from 0 to 100: agreement with the reference, error of the means, distance of the distributions, "
        "and whether true statements are read higher than false ones. docs/perception.md explains the figures.",
    )
    columns = "columns participant, expression, response (0-100), and statement_true if there is one"
    add_file(step, "responses", "RESPONSES.csv", columns, nargs="?")
    add_file(
        step,
        "--model",
        "FILE.gguf",
        "ask this local model instead, by its chances of every number from 0 to 100",
        dest="model_file",
    )
    step.add_argument(
        "--reference",
        dest="compared_with",  # the setting of that name is another one
        default="",
        metavar="REF.csv|NAME",
        help="a file with the same columns, or one of the surveys that ship with RadCal, radiologists or public; else "
        "the answers themselves, for a model the radiologists",
    )
    step.add_argument(
        "--expressions",
        default="",
        metavar="LIST",
        help="these alone: expressions between commas, or a file with one a line (default all)",
    )
    step.add_argument(
        "--shots", type=int, choices=(0, 2), default=0, help="worked answers that the model is shown (default 0)"
    )
    step.add_argument(
        "--statements",
        type=_statements,
        default=60,
        metavar="N",
        help="how many of the 60 private and of the 60 verifiable statements the model is asked about (default all)",
    )
    add_out(step, "P.json", "the figures, overall and of each expression")
    add_file(step, "--settings", "FILE", "settings as a JSON object")
    step.add_argument("--seed", type=int, metavar="N", help="seed of every random draw (default 0)")


def _statements(text: str) -> int:
    """From 2 to 60."""
    if not text.isdecimal() or not 2 <= int(text) <= 60:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of statements; write one from 2 to 60")
    return int(text)
