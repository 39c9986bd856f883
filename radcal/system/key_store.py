"""The key store of the system, which remembers passphrases on request: the one module that imports ``keyring``.

Only stores that encrypt what they hold under the user's login are used, and named one by one: what else ``keyring``
might find (a plain file, a module that some settings name) is never asked for.  A store that does not answer, such as
one that waits for somebody to unlock it, is given up after a time.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from radcal.system import policy
from radcal.system.errors import InputError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
_SERVICE = "RadCal"
PATIENCE_S = 20.0
"""Seconds after which a store that does not answer is given up; it may ask the user to unlock it meanwhile."""
_WINDOWS = (("keyring.backends.Windows", "WinVaultKeyring", "Windows Credential Locker"),)
_MACOS = (("keyring.backends.macOS", "Keyring", "macOS Keychain"),)
_OTHERS = (
    ("keyring.backends.SecretService", "Keyring", "Secret Service"),
    ("keyring.backends.kwallet", "DBusKeyring", "KWallet"),
)


class KeyStoreUnavailable(InputError):
    """There is no usable key store, it is locked, or it does not answer."""


def name() -> str:
    """What the key store of this computer is called.

    Raises:
        KeyStoreUnavailable: there is none.
    """
    return _patiently(lambda: _store()[1])


def remembered(identity: str) -> str | None:
    """The passphrase of a workspace, None if the store has none.

    Args:
        identity: of the workspace, as :attr:`radcal.workspace.store.Workspace.identity` has it.

    Raises:
        KeyStoreUnavailable: the store cannot be read, or may not be used.
    """
    _require_allowed()
    return _patiently(lambda: _store()[0].get_password(_SERVICE, identity))


def remember(identity: str, passphrase: str) -> str:
    """Keep the passphrase of a workspace; returns what the store is called.

    Raises:
        KeyStoreUnavailable: the store cannot be written, or may not be used.
    """
    _require_allowed()

    def put() -> str:
        store, called = _store()
        store.set_password(_SERVICE, identity, passphrase)
        return called

    return _patiently(put)


def forget(identity: str) -> None:
    """Remove the passphrase of a workspace, if the store has one.

    Raises:
        KeyStoreUnavailable: the store cannot be reached.
    """

    def remove() -> None:
        store = _store()[0]
        if store.get_password(_SERVICE, identity) is not None:
            store.delete_password(_SERVICE, identity)

    _patiently(remove)


def _known() -> tuple[tuple[str, str, str], ...]:
    """Modules, classes and names of the stores of this system, the usual one first."""
    return {"win32": _WINDOWS, "darwin": _MACOS}.get(sys.platform, _OTHERS)


def allowed() -> bool:
    """Whether IT lets the key store keep passphrases."""
    return bool(policy.in_use().workstation("key_store") == "allowed")


def _require_allowed() -> None:
    if not allowed():
        raise KeyStoreUnavailable(
            "Your IT department lets no key store keep passphrases ({place}). Type the passphrase.",
            place=policy.in_use().place("key_store"),
        )


def _store() -> tuple[KeyringBackend, str]:
    """The store of this computer and its name, asked for by class: no settings file or variable chooses another.

    Raises:
        KeyStoreUnavailable: there is none.
    """
    if _known() is _OTHERS:
        # A bus at an address of the internet is none of this computer.
        addresses = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
        if not addresses or not all(address.startswith("unix:") for address in filter(None, addresses.split(";"))):
            raise _none()
    for module, kind, called in _known():
        with suppress(Exception):  # each says in its own way that it is not there
            store_class = getattr(import_module(module), kind)
            _ = store_class.priority  # an error unless it can be used here
            store: Any = store_class()
            if called == "Windows Credential Locker":
                store.persist = "local machine"  # else the store of the domain would get it, over the network
            return store, called
    raise _none()


def _none() -> KeyStoreUnavailable:
    names = ", ".join(called for _, _, called in _known())
    return KeyStoreUnavailable(
        "This computer has no key store that RadCal uses here ({names}). Type the passphrase.", names=names
    )


def _patiently(call: Callable[[], T]) -> T:
    """The result of a call of a store, unless it takes too long.

    Raises:
        KeyStoreUnavailable: it failed or took too long.
    """
    answers: list[T] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # noqa: BLE001 - every store has its own, which may quote what it holds
            failed.append(error)

    thread = threading.Thread(target=ask, name="key store", daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    if answers:
        return answers[0]
    if not failed:
        raise KeyStoreUnavailable(
            "The key store of this computer does not answer. Unlock it and try again, or type the passphrase."
        )
    if isinstance(failed[0], KeyStoreUnavailable):
        raise failed[0]
    raise KeyStoreUnavailable(
        "The key store of this computer is locked or refuses ({error}). Unlock it and try again, or type the "
        "passphrase.",
        error=type(failed[0]).__name__,
    ) from None
