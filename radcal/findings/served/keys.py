"""The key of the server that reads reports: in the system's key store, in a file, or given to this process."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

from radcal.findings.served.address import parse
from radcal.system import inputs, key_store
from radcal.system.errors import InputError
from radcal.system.key_store import KeyStoreUnavailable
from radcal.system.text import Text

_KEY = re.compile(r"[\x21-\x7e]{1,4096}")
_NOT_ONE = Text("A key is one line of letters, digits and signs, without spaces.")
_NO_STORE = Text(
    "The key store of this computer cannot be used: there is none, it is locked, or it does not answer. Unlock it and "
    "try again, or keep the key in a file of your own and name that (--server-key-file)."
)
_given: dict[str, str] = {}
"""Keys of this process alone, by the server's origin."""


def server_key_remembered(url: str) -> bool:
    """Whether the key store has a key for the server; False if there is no key store.

    Raises:
        InputError: the address cannot be used.
    """
    return bool(_remembered(parse(url).origin))


def remember_server_key(url: str, key: str) -> str:
    """Keep the key for the server in the key store, for its host alone; returns what the store is called.

    Raises:
        InputError: the address cannot be used, the key is none, or the key store cannot be used.
    """
    origin, key = parse(url).origin, _checked(key)
    try:
        return key_store.remember(_identity(origin), key)
    except KeyStoreUnavailable as error:
        raise InputError(_NO_STORE) from error


def forget_server_key(url: str) -> None:
    """Remove the key for the server from the key store, if it has one, and the one given to this process.

    Raises:
        InputError: the address cannot be used, or the key store cannot and no key was given.
    """
    origin = parse(url).origin
    given = _given.pop(origin, "")
    try:
        key_store.forget(_identity(origin))
    except KeyStoreUnavailable as error:
        if not given:
            raise InputError(_NO_STORE) from error


def use_server_key(url: str, key: str) -> None:
    """Use a key for the server in this process, in place of any that is remembered.

    Raises:
        InputError: the address cannot be used, or the key is none.
    """
    _given[parse(url).origin] = _checked(key)


def server_key(url: str) -> str:
    """The key for the server: the one given to this process, else that of the key store; '' for none.

    Raises:
        InputError: the address cannot be used.
    """
    origin = parse(url).origin
    return _given.get(origin) or _remembered(origin)


def key_in_file(path: Path) -> str:
    """The key in a file, which nobody but its owner may read; a pipe is taken, too.

    Raises:
        InputError: there is no such file, others may read it, or it holds no key.
    """
    with inputs.reading(path, Text("The key file {path}", path=path), pipes=True) as file:
        found = path.stat()
        if sys.platform != "win32" and not stat.S_ISFIFO(found.st_mode) and found.st_mode & 0o077:
            raise InputError(
                "Others may read the key file {path}. Make it yours alone (chmod 600), and have the key changed if "
                "they may have seen it.",
                path=path,
            )
        data = file.read(1 << 16)
    try:
        return _checked(data.decode("ascii"))
    except (UnicodeDecodeError, InputError) as error:
        raise InputError("The file {path} holds no key. {what}", path=path, what=_NOT_ONE) from error


def _checked(key: str) -> str:
    if not _KEY.fullmatch(key.strip()):
        raise InputError("That is no key. {what}", what=_NOT_ONE)
    return key.strip()


def _identity(origin: str) -> str:
    """The name of the server's key in the key store: no other host is ever sent it."""
    return f"server {origin}"


def _remembered(origin: str) -> str:
    try:
        return key_store.remembered(_identity(origin)) or ""
    except KeyStoreUnavailable:
        return ""
