"""The steps on people and language models as users of certainty words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_out, add_workspace
from radcal.cli.passphrases import passphrase
from radcal.records import ALL_TOPICS
from radcal.records.subgroups import STRATIFIERS
from radcal.workflow.commands.casemix import case_mix_file

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    _add_casemix(add)


def casemix(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare radiologists for the same mix of cases."""
    columns = [name.strip() for name in args.by.split(",") if name.strip()]
    key = passphrase(args, new=False)
    return case_mix_file(args.workspace, key, columns, args.out, topic=args.topic, progress=bar)


def _add_casemix(add: Add) -> None:
    step = add(
        casemix,
        "radiologists compared as if all had seen the department's mix of cases",
        "From the analysis that `run` made last: each radiologist's confirmed rates and word error, raw and "
        "standardised to the department's mix, and the reliability of each group of the columns.",
    )
    columns = f"columns whose combinations are the strata, separated by commas: {', '.join(STRATIFIERS)}"
    step.add_argument("--by", required=True, metavar="COLUMN[,...]", help=columns)
    step.add_argument("--topic", default=ALL_TOPICS, metavar="NAME", help="one pathology alone (default all)")
    add_out(step, "C.json", "the result, as JSON")
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")
