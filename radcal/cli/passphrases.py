"""Passphrases and keys, from a file, the environment, or asked for, never from the command line, where others look."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.cli.bar import leaving_at_once
from radcal.cli.options import read_text
from radcal.system.errors import Cancelled, InputError
from radcal.system.processes import secret
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.department import Department


def passphrase(args: argparse.Namespace, *, new: bool) -> str:
    """The workspace's passphrase: from a file, the key store, the environment, or a prompt (twice for a new workspace).

    Raises:
        InputError: no source has one, the key store was asked for and has none, or the two entries differ.
        Cancelled: the user left at the prompt.
    """
    if args.key_store and args.passphrase_file is None and not new:
        return _remembered(args.workspace)
    prompt = "Passphrase of the workspace: "
    return _given(
        args.passphrase_file,
        "RADCAL_PASSPHRASE",
        InputError("No passphrase: use --passphrase-file FILE or set RADCAL_PASSPHRASE."),
        lambda: _asked_twice(prompt, args.workspace.stem) if new else _asked(prompt),
    )


def _remembered(workspace: Path) -> str:
    from radcal.opening import file_identity
    from radcal.system import key_store

    found = key_store.remembered(file_identity(workspace))
    if found is None:
        raise InputError(
            f"{key_store.name()} has no passphrase of {workspace.name}. Open it in RadCal's window and have it "
            "remembered there, or leave out --key-store."
        )
    return found


@contextmanager
def department_for_exports(args: argparse.Namespace) -> Iterator[Department]:
    """The department of --workspace, which others may have open meanwhile, with its names key."""
    from radcal.opening import department_of, open_for_exports

    with open_for_exports(args.workspace, passphrase(args, new=False), names_key=args.names_key) as results:
        yield department_of(results)


def own_passphrase(args: argparse.Namespace, what: Text, *about: str) -> str:
    """The passphrase of a new file for other eyes: from a file, the environment, or a prompt, asked for twice.

    Args:
        what: the file, in words: "personal file".
        about: that the passphrase must not be made of, besides the file's name.

    Raises:
        InputError: no source has one, or the two entries differ.
        Cancelled: the user left at the prompt.
    """
    return _given(
        args.own_passphrase_file,
        "RADCAL_PERSONAL_PASSPHRASE",
        InputError(
            "No passphrase for the {what}: use --own-passphrase-file FILE or set RADCAL_PERSONAL_PASSPHRASE.", what=what
        ),
        lambda: _asked_twice(f"Passphrase of the {what}: ", args.out.stem, *about),
    )


def key_of_server(args: argparse.Namespace) -> str:
    """The key of a server: from a file, or asked for.

    Raises:
        InputError: the file holds none, or there is nobody to ask.
        Cancelled: the user left at the prompt.
    """
    if args.server_key_file is not None:
        from radcal.findings.served.keys import key_in_file

        return key_in_file(args.server_key_file)
    if not sys.stdin.isatty():
        raise InputError("No key: use --server-key-file FILE.")
    return _asked("Key of the server: ")


def _given(file: Path | None, variable: str, missing: InputError, ask: Callable[[], str]) -> str:
    """The passphrase in the file, without one that of the environment's variable, else asked for at a terminal."""
    if file is not None:
        return read_text(file, "passphrase file").rstrip("\r\n")
    given = secret(variable)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise missing
    return ask()


def _asked_twice(prompt: str, *about: str) -> str:
    """A new passphrase; asked for until it is strong enough, then once more."""
    from radcal.workspace.passphrases import strength

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
