"""The address of the one server that reports are sent to."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from radcal.system.errors import InputError
from radcal.system.text import Text

_PORTS = {"https": 443, "http": 80}
_SIGNS = re.compile(r"[\x21-\x7e]+")
_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?")
_EXAMPLE = "https://llm.example:8443/v1"
_USUAL_PATH = "/v1"
_KEPT_SECONDS = 60.0
"""How long the addresses of a host name are used before they are looked up anew."""
RESOLVING_SECONDS = 5.0
"""Longest time for finding the addresses of a host name."""


class Unresolved(InputError):
    """The host name has no address, for now."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a server.

    scheme: "https", or "http" for this machine alone
    name: host name or IP address, in lower case;  path: without a slash at its end; the usual one if none is given
    """

    scheme: str
    name: str
    port: int
    path: str

    @property
    def host(self) -> str:
        """Name and port, as a person reads it: "llm.example:8443"; without the scheme's usual port."""
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.port == _PORTS[self.scheme] else f"{name}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, name and port: whom a key is for."""
        return f"{self.scheme}://{self.host}"

    @property
    def encrypted(self) -> bool:
        """Whether the way there is encrypted."""
        return self.scheme == "https"


def parse(url: str) -> Address:
    """The address of a server, if reports may be sent there; nothing is looked up.

    Raises:
        InputError: it is none, or not allowed; says what to write instead.
    """
    url = url.strip()
    if not url:
        raise InputError(
            "No server is named. Name the server that reads the reports, such as {example}.", example=_EXAMPLE
        )
    try:
        parts = urlsplit(url)
        port = parts.port
        name = (parts.hostname or "").lower()
    except ValueError:
        raise _unusable(Text("it is no address")) from None
    if parts.scheme not in _PORTS:
        raise _unusable(Text("it does not begin with https://"))
    if not _SIGNS.fullmatch(url) or "\\" in url:
        raise _unusable(Text("it has a space, an umlaut or another sign that no address has"))
    if parts.username is not None or parts.password is not None:
        raise _unusable(Text("it holds a name or a password. A key goes into the key store or into a file"))
    if parts.query or parts.fragment or "?" in url or "#" in url:
        raise _unusable(Text("it has a part behind ? or #"))
    if port == 0 or not (_is_ip(name) or _NAME.fullmatch(name)):
        raise _unusable(Text("it names no host"))
    found = Address(parts.scheme, name, port or _PORTS[parts.scheme], parts.path.rstrip("/") or _USUAL_PATH)
    if not found.encrypted and not _may_be_here(name):
        raise InputError(
            "Reports are not sent to {host} in the clear: http:// is for a server on this computer alone. Use "
            "https://, and name the hospital's own certificate authority if the server's certificate comes from there.",
            host=found.host,
        )
    return found


def addresses(server: Address) -> list[str]:
    """The IP addresses of the server, in the order in which they are to be tried.

    Raises:
        Unresolved: there is none, or the search takes too long.
        InputError: it would be reached in the clear, and is not on this computer.
    """
    found = list(dict.fromkeys(_patiently(lambda: _looked_up(server), RESOLVING_SECONDS)))
    if not server.encrypted and not all(ipaddress.ip_address(one).is_loopback for one in found):
        raise InputError(
            "Reports are not sent to {host} in the clear: it is not on this computer. Use https://.", host=server.host
        )
    return found


class Whereabouts:
    """The IP addresses of a server, looked up anew after a while, and the next one after each that does not answer."""

    def __init__(self, server: Address) -> None:
        self._server = server
        self._found: list[str] = []
        self._until = 0.0
        self._turn = 0
        self._looking = threading.Lock()

    def known(self) -> str:
        """The address to be tried, if nothing has to be looked up; else ''."""
        with self._looking:
            fresh = time.monotonic() < self._until
            return self._found[self._turn % len(self._found)] if fresh else ""

    def current(self) -> str:
        """The address to be tried; errors as of :func:`addresses`.  To be called in a thread that may wait."""
        with self._looking:
            if time.monotonic() >= self._until:
                self._found = addresses(self._server)
                self._until = time.monotonic() + _KEPT_SECONDS
            return self._found[self._turn % len(self._found)]

    def failed(self, address: str) -> None:
        """The address does not answer: another one is next, if there is one."""
        with self._looking:
            if self._found and self._found[self._turn % len(self._found)] == address:
                self._turn += 1
                if self._turn % len(self._found) == 0:
                    self._until = 0.0


def _unusable(why: str) -> InputError:
    """What was written is not repeated, because it may hold a password."""
    return InputError("The server's address cannot be used: {why}. Write it like {example}.", why=why, example=_EXAMPLE)


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return "%" not in name


def _may_be_here(name: str) -> bool:
    """Whether a host may be this computer: a loopback address, or a name, which is looked up before it is used."""
    if _is_ip(name):
        return ipaddress.ip_address(name).is_loopback
    return name.rstrip(".") == "localhost" or name.rstrip(".").endswith(".localhost")


def _looked_up(server: Address) -> list[str]:
    try:
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(server.name, server.port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError):
        return []
    return [one for one in found if "%" not in one]  # those of a neighbour on one cable are no servers


def _patiently(call: Callable[[], list[str]], seconds: float) -> list[str]:
    """The result of a call that may hang, from a thread that nobody waits for."""
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.extend(call()), name="host name", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive() or not found:
        raise Unresolved(
            "The name of the server has no address here. Check its spelling, and whether this computer is in the "
            "hospital's network."
        )
    return list(found)
