"""Passphrases: from a file, from the environment, or asked for; never from the command line, where others see them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from radcal.cli.bar import leaving_at_once
from radcal.cli.values import read_text
from radcal.errors import Cancelled, InputError
from radcal.guessing import strength
from radcal.processes import secret


def passphrase(args: argparse.Namespace, *, new: bool) -> str:
    """The workspace's passphrase: from a file, the environment, or asked for (twice for a new workspace).

    Raises:
        InputError: none can be had, or the two entries differ.
        Cancelled: the user left at the prompt.
    """
    given = _given(args.passphrase_file, "RADCAL_PASSPHRASE")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise InputError("No passphrase: use --passphrase-file FILE or set RADCAL_PASSPHRASE.")
    prompt = "Passphrase of the workspace: "
    return _asked_twice(prompt, args.workspace.stem) if new else _asked(prompt)


def own_passphrase(args: argparse.Namespace) -> str:
    """The passphrase of a personal file that is made: from a file, the environment, or asked for twice.

    Raises:
        InputError: none can be had, or the two entries differ.
        Cancelled: the user left at the prompt.
    """
    given = _given(args.own_passphrase_file, "RADCAL_PERSONAL_PASSPHRASE")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise InputError(
            "No passphrase for the personal file: use --own-passphrase-file FILE or set RADCAL_PERSONAL_PASSPHRASE."
        )
    return _asked_twice("Passphrase of the personal file: ", args.out.stem, args.author or "")


def _given(file: Path | None, variable: str) -> str | None:
    """What the file holds; without one, what the environment's variable does, None where it is not set."""
    if file is not None:
        return read_text(file, "passphrase file").rstrip("\r\n")
    return secret(variable)


def _asked_twice(prompt: str, *about: str) -> str:
    """A new passphrase; asked for until it is one that cannot be guessed soon."""
    while (found := strength(first := _asked(prompt), about)).weakness:
        print(found.sentence, file=sys.stderr)
    print(found.sentence, file=sys.stderr)
    if _asked("The same once more (it cannot be recovered): ") != first:
        raise InputError("The two passphrases differ. Nothing was made.")
    return first


def _asked(prompt: str) -> str:
    import getpass

    try:
        with leaving_at_once():
            return getpass.getpass(prompt)
    except (KeyboardInterrupt, EOFError):
        print(file=sys.stderr)
        raise Cancelled("Stopped.") from None
