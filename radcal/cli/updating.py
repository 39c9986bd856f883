"""The steps around an update of RadCal: bringing workspaces up to date, and going back."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_passphrase, add_workspace
from radcal.cli.passphrases import passphrase
from radcal.errors import InputError
from radcal.workflow.commands.updating import (
    accept_updates,
    check_updates,
    roll_back_workspace,
    update_workspaces,
)

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def update(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Bring workspaces up to date, say what that would do, or remove the copies that it kept."""
    if args.check and args.accept:
        raise InputError("Use --check or --accept, not both.")
    of = _passphrases(args)
    if args.check:
        return check_updates(args.workspaces, of, progress=bar)
    if args.accept:
        return accept_updates(args.workspaces, of, progress=bar)
    return update_workspaces(args.workspaces, of, progress=bar)


def _passphrases(args: argparse.Namespace) -> Callable[[Path], str]:
    """The passphrase of each workspace: from the key store its own, else one for all, asked for once."""
    if args.key_store:
        return lambda path: passphrase(argparse.Namespace(**{**vars(args), "workspace": path}), new=False)
    one = cache(lambda: passphrase(args, new=False))
    return lambda _path: one()


def rollback(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Put the copy made before an update in the place of a workspace."""
    return roll_back_workspace(args.workspace, passphrase(args, new=False), args.copy, progress=bar)


def add_updating(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    step = add(
        update,
        "workspaces of an older RadCal, brought up to date unattended",
        "Of each a copy is kept beside it, byte for byte and read to its last page; then the file is changed in one "
        "transaction, or not at all, and read to its last page, too. Opening a workspace does the same. Exit status: 0 "
        "all are up to date, 1 some could not be brought up to date and are listed, 2 none is.",
    )
    add_file(step, "workspaces", "W", "workspaces, or folders that hold them", nargs="+")
    step.add_argument(
        "--check",
        action="store_true",
        help="change nothing, and say of each: its schema and the new one, its size, the room needed and the name of "
        "the copy; exit status 1 where one cannot be looked at or changed, or has no room",
    )
    step.add_argument(
        "--accept",
        action="store_true",
        help="the update is accepted: remove the copies that were kept, once all of the workspace can be read",
    )
    add_passphrase(step)
    step = add(
        rollback,
        "a workspace as it was before RadCal was updated",
        "For the RadCal before: puts the copy that the update kept in the workspace's place, byte for byte. The newer "
        "file is kept under another name, and what was entered in its audit log since is told.",
    )
    add_file(step, "--copy", "COPY.radcal", "the copy; else the latest one beside the workspace")
    add_workspace(step, "the workspace file; nobody may have it open")
