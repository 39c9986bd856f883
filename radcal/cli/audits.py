"""The steps on people and language models as users of certainty words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal import workflow
from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_out, add_workspace
from radcal.cli.passphrases import passphrase
from radcal.cli.values import hours_listed
from radcal.workflow.commands.sensitivity import sensitivity_file
from radcal.workflow.commands.variability import variability_file

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    _add_variability(add)
    _add_sensitivity(add)


def variability(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare how sources word the same contexts."""
    return variability_file(args.answers, args.out, reference=args.reference, seed=args.seed, progress=bar)


def _add_variability(add: Add) -> None:
    step = add(
        variability,
        "how differently people or models word the same contexts",
        "For each source the expected total variation distance between its words and the reference's, beside what the "
        "reference's own answers differ by among themselves.",
    )
    columns = "columns context, source, word and, if wanted, count (answers, or probabilities)"
    add_file(step, "answers", "FILE.csv", columns)
    step.add_argument(
        "--reference",
        default="",
        metavar="SOURCE",
        help="the source that the others are compared with; else each is compared with all others together",
    )
    step.add_argument("--seed", type=int, default=0, metavar="N", help="seed of every random draw (default 0)")
    add_out(step, "V.json", "the result, as JSON")


def sensitivity(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Measure a workspace under other pairing windows, and look ahead to more findings."""
    with workflow.open_for_exports(args.workspace, passphrase(args, new=False)) as results:
        department = workflow.department_of(results)
        return sensitivity_file(department, args.out, windows=args.windows, more=args.more, progress=bar)


def _add_sensitivity(add: Add) -> None:
    step = add(
        sensitivity,
        "what another pairing window, or more findings, would make of the results",
        "Pairs the reports anew in memory and measures what was read of them; the workspace keeps its results. "
        "Besides, the smallest changes that more findings would show, and when there will be enough for advice.",
    )
    step.add_argument(
        "--windows",
        type=hours_listed,
        default=workflow.WINDOWS,
        metavar="3,6,12,24",
        help="longest times from X-ray to CT to try, in hours (default 3,6,12,24); the present one is always shown",
    )
    step.add_argument(
        "--more", type=int, default=workflow.FURTHER, metavar="N", help="further findings to look ahead to (default 40)"
    )
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")
    add_out(step, "S.json", "the result, as JSON")
