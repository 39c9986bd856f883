"""The steps on people and language models as users of certainty words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_out, add_statistics
from radcal.cli.settings import settings_of
from radcal.workflow.commands.models import models_file

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def models(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Measure and mend how certain language models say they are."""
    return models_file(args.answers, args.out, args.lexicon, settings_of(args), progress=bar)


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    _add_models(add)


def _add_models(add: Add) -> None:
    step = add(
        models,
        "how certain language models say they are, measured and mended",
        "Every model on every question set, as a radiologist on a pathology: ECE, Brier and accuracy as it speaks, "
        "and after the ordered plan, the paper's transport, Platt scaling and histogram binning, each fitted on half "
        "of the answers and judged on the other; and what fewer phrases would cost.",
    )
    answers = "JSON lines: confidence (phrase, number or Beta(a, b)), correct, and if known author and topic; or a CSV"
    add_file(step, "answers", "FILE.jsonl", answers, nargs="+")
    add_file(step, "--lexicon", "LEX.csv", "columns phrase, alpha, beta; else the words of RadCal")
    add_out(step, "M.json", "the result, as JSON")
    add_statistics(step)
