"""Requests to the one server, and its answers, bounded: the one module that imports ``httpx``.

Only httpx's transport is used, which knows neither redirects nor cookies nor proxies nor anything of the environment.
"""

from __future__ import annotations

import asyncio
import json
import math
import ssl
from collections.abc import Awaitable, Callable, Container, Iterator
from concurrent.futures import wait
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypeVar

from radcal.findings.served.address import Address, locate, parse
from radcal.findings.served.certificates import fault, trusting
from radcal.findings.served.keys import server_key
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text

if TYPE_CHECKING:
    import httpx
    from anyio.from_thread import BlockingPortal

T = TypeVar("T")
MOST_BYTES = 4 << 20
"""Longest answer of a server, as it comes: nothing is unpacked."""
_CONNECT_SECONDS = 10.0
_IDLE_SECONDS = 20.0
"""How long a connection is kept for the next request."""
AGAIN = frozenset({429, 500, 502, 503, 504})
"""Statuses of a server that may answer a later try."""
FIRST_SECONDS, LONGEST_SECONDS = 0.5, 8.0
POLL_SECONDS = 0.05
_RANDOM = SystemRandom()


class Unanswered(Exception):
    """No whole answer came; the reason quotes nothing of the server."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer; ``wait``: seconds that the server asks to wait before the next request."""

    status: int
    body: bytes
    wait: float = 0.0

    def json(self) -> Any:
        """The body as JSON, None if it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Client:
    """Connections to a server.

    Args:
        portal: to the asyncio loop, in a thread of its own, in which all requests are made.
        context: checks its certificate; not asked for a server on this computer that has none.
        key: sent along as a bearer token; '' for none.
    """

    def __init__(self, address: Address, context: ssl.SSLContext, key: str, portal: BlockingPortal) -> None:
        self.address, self.portal = address, portal
        self._context = context
        self._idle: list[httpx.AsyncHTTPTransport] = []
        self._headers = {
            "Host": address.host,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "RadCal",
            **({"Authorization": f"Bearer {key}"} if key else {}),
        }

    def result(self, work: Callable[..., Awaitable[T]], *args: object, progress: Progress) -> T:
        """The result of ``work(client, *args)`` in the loop.

        Raises:
            Cancelled: by ``progress``, which ends the work.
        """
        future = self.portal.start_task_soon(work, self, *args)
        try:
            while not wait([future], POLL_SECONDS).done:
                progress.raise_if_cancelled()
            return future.result()
        finally:
            future.cancel()

    async def aclose(self) -> None:
        """Close all connections; no request may be under way."""
        while self._idle:
            await self._idle.pop().aclose()

    async def ask(
        self,
        path: str,
        body: bytes | None,
        seconds: float,
        *,
        again: Container[int] = AGAIN,
        unanswered: float = math.inf,
    ) -> Reply:
        """The server's answer, tried again while there is time.

        Args:
            body: JSON; None for what the server has under the path.
            seconds: longest time for all tries together.
            again: the statuses after which it is tried again.
            unanswered: longest time for a server of which no answer comes at all.

        Raises:
            Unanswered: no whole answer came, or it is too long or packed, for the reason of the last try.
            InputError: the certificate is wrong.
        """
        reason = Text("the server did not answer within {n:g} s", n=round(seconds, 1))
        loop = asyncio.get_running_loop()
        began, pauses = loop.time(), backing_off()
        try:
            async with asyncio.timeout(seconds):
                while True:
                    wait, most = 0.0, seconds
                    try:
                        reply = await self._asked(path, body)
                    except Unanswered as error:
                        reason, most = error.reason, min(seconds, unanswered)
                    else:
                        if reply.status not in again:
                            return reply
                        reason, wait = Text("the server answered with status {status}", status=reply.status), reply.wait
                    pause = max(wait, next(pauses))
                    if loop.time() - began + pause >= most:
                        break
                    await asyncio.sleep(pause)
        except TimeoutError:
            pass
        raise Unanswered(reason)

    async def _asked(self, path: str, body: bytes | None) -> Reply:
        import httpx

        url = f"{self.address.origin}{self.address.path}{path}"
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        timeout = httpx.Timeout(None, connect=_CONNECT_SECONDS).as_dict()
        request = httpx.Request(
            "GET" if body is None else "POST", url, headers=headers, content=body, extensions={"timeout": timeout}
        )
        transport = self._idle.pop() if self._idle else self._transport()
        try:
            response = await transport.handle_async_request(request)
            try:
                return await _whole(response)
            finally:
                await response.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            cause: BaseException | None = error
            while cause is not None:
                if isinstance(cause, ssl.SSLError):
                    raise fault(cause, self.address.host) from None
                cause = cause.__cause__ or cause.__context__
            raise Unanswered(Text("the server cannot be reached")) from None
        except (httpx.TransportError, ssl.SSLError, OSError):
            raise Unanswered(Text("the connection broke off")) from None
        finally:
            self._idle.append(transport)

    def _transport(self) -> httpx.AsyncHTTPTransport:
        """One for a single connection: one for many would look at all of them for each request."""
        import httpx

        limits = httpx.Limits(max_connections=1, keepalive_expiry=_IDLE_SECONDS)
        return httpx.AsyncHTTPTransport(verify=self._context, trust_env=False, limits=limits)


@contextmanager
def connected(settings: Settings, progress: Progress = SILENT) -> Iterator[Client]:
    """A client of the server in the settings, with its key; all that it does ends with the block.

    Raises:
        InputError: the address is not allowed, the file of its authority cannot be used, or its name has no address or
            leads elsewhere.
    """
    from anyio.from_thread import start_blocking_portal

    address = parse(settings.served_url)
    context = trusting(settings.served_ca) if address.encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    locate(address, progress)
    with start_blocking_portal(name="served") as portal:
        client = Client(address, context, server_key(settings.served_url), portal)
        with portal.wrap_async_context_manager(aclosing(client)):
            yield client


async def _whole(response: httpx.Response) -> Reply:
    if response.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise Unanswered(Text("the server compresses its answers, which RadCal does not ask for"))
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > MOST_BYTES:
            raise Unanswered(Text("the server's answer is longer than {n} MiB", n=MOST_BYTES >> 20))
    return Reply(response.status_code, bytes(body), _seconds(response.headers.get("Retry-After", "")))


def _seconds(wait: str) -> float:
    """The seconds in a Retry-After, which may be a date; 0 if it says nothing.  Source: RFC 9110, 10.2.3."""
    if wait.strip().isdecimal() and len(wait) < 10:
        return float(wait)
    try:
        return max((parsedate_to_datetime(wait) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def backing_off() -> Iterator[float]:
    """Seconds to wait before each further try: up to twice as long each time, drawn so that clients do not agree."""
    longest = FIRST_SECONDS
    while True:
        yield _RANDOM.uniform(longest / 4, longest)
        longest = min(2 * longest, LONGEST_SECONDS)
