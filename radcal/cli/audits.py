"""The steps on people and language models as users of certainty words, and on what results depend on."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_out, add_statistics
from radcal.cli.settings import settings_of
from radcal.workflow.commands.groups import Grouping, groups_file
from radcal.workflow.commands.models import models_file

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    _add_groups(add)
    _add_models(add)


def groups(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare methods of recalibration in groups of findings."""
    grouping = Grouping(
        _names(args.by), _names(args.kdtree), args.depth, seeds=args.seeds, seed=args.seed, points=args.points
    )
    return groups_file(args.scores_csv, args.out, grouping, lexicon=args.lexicon, scores_out=args.scores, progress=bar)


def _add_groups(add: Add) -> None:
    step = add(
        groups,
        "whether stated certainties hold in every group of findings, and what would make them hold",
        "Nine methods are fitted on one part of each author's rows and judged on another, over several random splits: "
        "as stated, Platt scaling, histogram binning, scaling-binning, isotonic, beta, and three that know the groups.",
    )
    columns = "columns author, confidence (0-1, or a phrase with --lexicon), outcome (0-1), and those to group by"
    add_file(step, "scores_csv", "SCORES.csv", columns)
    how = step.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--by",
        default="",
        metavar="COLUMN[,...]",
        help="group by these columns; an empty cell is a group of its own, numbers such as ages are cut into quarters",
    )
    how.add_argument(
        "--kdtree",
        default="",
        metavar="COLUMN[,...]",
        help="group by the leaves of a k-d tree over these columns of numbers, cut in this order",
    )
    step.add_argument("--depth", type=int, metavar="D", help="levels of the tree; a depth of 3 makes 8 groups")
    step.add_argument("--seeds", type=int, default=8, metavar="N", help="random splits (default 8)")
    step.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first split (default 0)")
    step.add_argument(
        "--points", type=int, metavar="B", help="fewest findings of a bin; else tuned for each author and split"
    )
    add_file(step, "--lexicon", "LEX.csv", "columns phrase, alpha, beta: a phrase counts as its mean")
    add_out(step, "G.json", "the figures, as JSON")
    add_file(step, "--scores", "S.csv", "besides, what every method says of every row, with its split and group")


def models(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Measure and mend how certain language models say they are."""
    return models_file(args.answers, args.out, args.lexicon, settings_of(args), progress=bar)


def _add_models(add: Add) -> None:
    step = add(
        models,
        "how certain language models say they are, measured and mended",
        "Every model on every question set, as a radiologist on a pathology: ECE, Brier and accuracy as it speaks, "
        "and after the ordered plan, the paper's transport, Platt scaling and histogram binning, each fitted on one half "
        "of the answers and judged on the other; and what fewer phrases would cost.",
    )
    answers = "JSON lines: confidence (phrase, number or Beta(a, b)), correct, and if known author and topic; or a CSV"
    add_file(step, "answers", "FILE.jsonl", answers, nargs="+")
    add_file(step, "--lexicon", "LEX.csv", "columns phrase, alpha, beta; else the words of RadCal")
    add_out(step, "M.json", "the result, as JSON")
    add_statistics(step)


def _names(listed: str) -> tuple[str, ...]:
    """Column names that are separated by commas."""
    return tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))
