"""Requests to the one server, and its answers, bounded: the one module that imports ``httpx``.

Only httpx's transport is used, which knows neither redirects nor cookies nor proxies nor anything of the environment.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from radcal.findings.served.address import Address, Unresolved, Whereabouts
from radcal.findings.served.certificates import fault
from radcal.system.text import Text

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 4 << 20
"""Longest answer of a server, as it comes: nothing is unpacked."""
_CONNECT_SECONDS = 10.0
_IDLE_SECONDS = 20.0
"""How long a connection is kept for the next request."""


class Unanswered(Exception):
    """No whole answer came; the reason quotes nothing of the server."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer; ``wait``: seconds that the server asks to wait before the next request, None if it does not."""

    status: int
    body: bytes
    wait: float | None = None

    def json(self) -> Any:
        """The body as JSON, None if it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Client:
    """Connections to a server, to be used in one asyncio loop and closed there.

    Args:
        context: checks its certificate; not asked for a server on this computer that has none.
        key: sent along as a bearer token; '' for none.
    """

    def __init__(self, address: Address, context: ssl.SSLContext, key: str) -> None:
        self._address = address
        self._whereabouts = Whereabouts(address)
        self._context = context
        self._idle: list[httpx.AsyncHTTPTransport] = []
        _without_a_search()
        self._headers = {
            "Host": address.host,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "RadCal",
            **({"Authorization": f"Bearer {key}"} if key else {}),
        }

    async def locate(self) -> None:
        """Look up where the server is, before anything is opened.

        Raises:
            InputError: its name has no address, or it would be reached in the clear elsewhere.
        """
        await asyncio.to_thread(self._whereabouts.current)

    async def get(self, path: str) -> Reply:
        """What the server has under a path; errors as of :meth:`post`."""
        return await self._ask("GET", path, None)

    async def post(self, path: str, body: bytes) -> Reply:
        """The answer to a body of JSON.

        Raises:
            Unanswered: no whole answer came, or it is too long or packed.
            InputError: the certificate is wrong, or the host would be reached in the clear elsewhere.
        """
        return await self._ask("POST", path, body)

    async def close(self) -> None:
        """Close all connections; no request may be under way."""
        while self._idle:
            await self._idle.pop().aclose()

    async def _ask(self, method: str, path: str, body: bytes | None) -> Reply:
        import httpx

        try:
            ip = self._whereabouts.known() or await asyncio.to_thread(self._whereabouts.current)
        except Unresolved as error:
            raise Unanswered(Text("the name of the server has no address")) from error
        request = self._request(method, ip, path, body)
        transport = self._idle.pop() if self._idle else self._transport()
        try:
            response = await transport.handle_async_request(request)
            try:
                return await _whole(response)
            finally:
                await response.aclose()
        except httpx.ConnectError as error:
            for cause in _causes(error):
                if isinstance(cause, ssl.SSLError):
                    raise fault(cause, self._address.host) from None
            self._whereabouts.failed(ip)
            raise Unanswered(Text("the server cannot be reached")) from None
        except httpx.ConnectTimeout:
            self._whereabouts.failed(ip)
            raise Unanswered(Text("the server cannot be reached")) from None
        except (httpx.TransportError, ssl.SSLError, OSError):
            raise Unanswered(Text("the connection broke off")) from None
        finally:
            self._idle.append(transport)

    def _transport(self) -> httpx.AsyncHTTPTransport:
        """One for a single connection: one for many looks at all of them for each request."""
        import httpx

        limits = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=_IDLE_SECONDS)
        return httpx.AsyncHTTPTransport(verify=self._context, trust_env=False, http2=False, limits=limits)

    def _request(self, method: str, ip: str, path: str, body: bytes | None) -> httpx.Request:
        """A request to an IP address, for the host of the name: the name is looked up once, and certified."""
        import httpx

        host = f"[{ip}]" if ":" in ip else ip
        url = f"{self._address.scheme}://{host}:{self._address.port}{self._address.path}{path}"
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        extensions: dict[str, Any] = {
            "timeout": {"connect": _CONNECT_SECONDS, "pool": None, "read": None, "write": None}
        }
        if self._address.encrypted:
            extensions["sni_hostname"] = self._address.name.rstrip(".")
        return httpx.Request(method, url, headers=headers, content=body, extensions=extensions)


def _without_a_search() -> None:
    """Have httpcore know that ``sniffio`` is not there, if so: it looks for it anew on all paths at each request."""
    if "sniffio" not in sys.modules and find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]


async def _whole(response: httpx.Response) -> Reply:
    import httpx

    if response.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise Unanswered(Text("the server compresses its answers, which RadCal does not ask for"))
    assert isinstance(response.stream, httpx.AsyncByteStream)  # noqa: S101 - of an asynchronous transport
    body = bytearray()
    async for part in response.stream:
        body += part
        if len(body) > MOST_BYTES:
            raise Unanswered(Text("the server's answer is longer than {n} MiB", n=MOST_BYTES >> 20))
    return Reply(response.status_code, bytes(body), _seconds(response.headers.get("Retry-After", "")))


def _seconds(wait: str) -> float | None:
    """The seconds in a Retry-After, which may be a date; None if it says nothing.  Source: RFC 9110, 10.2.3."""
    if wait.strip().isdecimal() and len(wait) < 10:
        return float(wait)
    try:
        return max((parsedate_to_datetime(wait) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those behind it."""
    seen: set[int] = set()
    last: BaseException | None = error
    while last is not None and id(last) not in seen:
        yield last
        seen.add(id(last))
        last = last.__cause__ or last.__context__


AGAIN = frozenset({429, 500, 502, 503, 504})
"""Statuses of a server that may answer a later try."""
FIRST_SECONDS, LONGEST_SECONDS = 0.5, 8.0

_RANDOM = SystemRandom()


def backing_off() -> Iterator[float]:
    """Seconds to wait before each further try: up to twice as long each time, drawn so that clients do not agree."""
    longest = FIRST_SECONDS
    while True:
        yield _RANDOM.uniform(longest / 4, longest)
        longest = min(2 * longest, LONGEST_SECONDS)
