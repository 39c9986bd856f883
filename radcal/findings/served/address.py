"""The address of the one server that reports are sent to."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

_PORTS = {"https": 443, "http": 80}
_SIGNS = re.compile(r"[\x21-\x7e]+")
_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_EXAMPLE = "https://llm.example:8443/v1"
_USUAL_PATH = "/v1"
_POLL_SECONDS = 0.05
RESOLVING_SECONDS = 5.0
"""Longest time for finding the addresses of a host name."""


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
        name = (parts.hostname or "").lower().removesuffix(".")
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


def locate(server: Address, progress: Progress = SILENT) -> None:
    """Look up the server's name, before anything is opened.

    Raises:
        InputError: it has no address, the search takes too long, or the server would be reached in the clear and is not
            on this computer.
    """
    found: list[str] = []
    looking = threading.Thread(target=lambda: found.extend(_looked_up(server)), name="host name", daemon=True)
    looking.start()  # in a thread that nobody waits for: it may hang
    ends = time.monotonic() + RESOLVING_SECONDS
    while looking.is_alive() and time.monotonic() < ends:
        progress.raise_if_cancelled()
        looking.join(_POLL_SECONDS)
    if not found:
        raise InputError(
            "The name of the server has no address here. Check its spelling, and whether this computer is in the "
            "hospital's network."
        )
    if not server.encrypted and not all(ipaddress.ip_address(one).is_loopback for one in found):
        raise InputError(
            "Reports are not sent to {host} in the clear: it is not on this computer. Use https://.", host=server.host
        )


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
    return name == "localhost" or name.endswith(".localhost")


def _looked_up(server: Address) -> list[str]:
    try:
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(server.name, server.port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError):
        return []
    return [one for one in found if "%" not in one]  # those of a neighbour on one cable are no servers
