"""The steps for whoever installs RadCal for others: what IT has set."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_file
from radcal.workflow.commands.installed import faults_here, policy_here

Add: TypeAlias = Callable[..., argparse.ArgumentParser]
POLICY = "policy"
"""The one step that does not ask the policy of this computer first."""


def policy(args: argparse.Namespace, _bar: Bar) -> dict[str, Any]:
    """Tell what IT has set on this computer, or check a file before it is distributed."""
    return policy_here(args.check)


def faults(args: argparse.Namespace, _bar: Bar) -> dict[str, Any]:
    """Show the log of faults, or save it to be sent on."""
    return faults_here(args.out)


def add_installed(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    step = add(
        policy,
        "what IT has set on this computer, and where",
        "The defaults and locks of the policy file (docs/policy.md). Exit status: 0 there is none, or it is right; 2 "
        "it is not, and no other step runs until it is.",
    )
    add_file(step, "--check", "FILE", "check this file instead, wherever it lies and whoever owns it")
    _add_faults(add)


def _add_faults(add: Add) -> None:
    step = add(
        faults,
        "what went wrong in RadCal on this computer, without a word of any report",
        "The log of faults of this user: times, versions, commands and pages, kinds of errors and places in the "
        "program, and how many reports or rows were listed for which reason. It has no texts of reports, no names and "
        "no paths (docs/faults.md).",
    )
    add_file(step, "--out", "FILE.txt", "save it there, to be looked at and sent on")
