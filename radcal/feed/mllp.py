"""Receives HL7 v2 messages over the network (MLLP release 1), and acknowledges each once it is stored on the disk.

This is the one place where RadCal waits for connections, in a process of its own that somebody starts by name.  It
answers and sends nothing else: an acknowledgement repeats fields of the header of the message that it is for, and
nothing that stands in the workspace.

    AA  it is on the disk, now or since it came before
    AE  it could not be stored and is to be sent again
    AR  it will never be taken: no HL7, no result or document, without a control ID, several at once, or too long

Reason codes are those of HL7 table 0357.  An acknowledgement goes to the connection that its message came by, in the
order of the messages, or nowhere: where storing takes so long that a sender may have given up waiting, the connection
is closed instead, so that no late acknowledgement is taken for that of the next message.
"""

from __future__ import annotations

import asyncio
import errno
import re
import secrets
import ssl
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from radcal.feed.spool import BEGIN, END
from radcal.reports.formats.hl7 import RESULTS
from radcal.reports.formats.hl7.framing import LONGEST, messages
from radcal.system import faults, inputs
from radcal.system.errors import Cancelled, InputError, reason_of
from radcal.system.progress import Progress
from radcal.system.text import Text

_HEAD = 1 << 16
"""Bytes of a message that is too long which are kept, for its header."""
_PACKET = 1 << 16
_CONNECTIONS = 64
"""Most connections at a time; a further one is closed at once."""
_AGAIN = re.compile(re.escape(BEGIN) + rb"(?=MSH[^\w\s])")
_NO_HL7, _MISSING, _OTHER_TYPE, _INTERNAL = "100", "101", "200", "207"
_PLAIN = {
    _NO_HL7: Text("it is no HL7 message, or several in one frame"),
    _MISSING: Text("it has no control ID (MSH-10)"),
    _OTHER_TYPE: Text("it is no result and no document"),
    _INTERNAL: Text("it is too long"),
}
"""Why a message is refused, as the log says it."""
_POLL_SECONDS, _QUIET_SECONDS = 0.2, 60.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds.

    frame: from the beginning of a message to its end;  idle: between two messages
    storing: until a message is on the disk;  answer: until the sender takes an acknowledgement
    """

    frame: float = 120.0
    idle: float = 3600.0
    storing: float = 20.0
    answer: float = 20.0


class _Seldom:
    """Tells what is refused, each sentence at once and then, while it goes on, once a minute with a count."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._since: dict[str, float] = {}
        self._n: Counter[str] = Counter()

    def tell(self, sentence: Text) -> None:
        """Tell, or count."""
        self.tell_due()
        if sentence in self._since:
            self._n[sentence] += 1
        else:
            self._since[sentence] = time.monotonic()
            self._tell(sentence)

    def tell_due(self) -> None:
        """Tell what was counted for a minute."""
        now = time.monotonic()
        for sentence in [told for told, since in self._since.items() if now - since >= _QUIET_SECONDS]:
            if n := self._n.pop(sentence, 0):
                self._since[sentence] = now
                self._tell(Text("{what} This happened {n:,} times within a minute.", what=sentence, n=n))
            else:
                del self._since[sentence]


@dataclass(frozen=True, slots=True)
class Listener:
    """Where messages are received.

    store: puts a message on the disk before it returns;  tell: is told in sentences what happens
    address: an IP address of this computer;  port: 0 for any that is free
    tls: as :func:`tls_of`; None in the clear
    longest: bytes of a message
    """

    store: Callable[[bytes], None]
    tell: Callable[[str], None]
    address: str
    port: int
    tls: ssl.SSLContext | None = None
    patience: Patience = Patience()
    longest: int = LONGEST
    _refused: _Seldom = field(init=False)

    def __post_init__(self) -> None:
        """Count what is refused."""
        object.__setattr__(self, "_refused", _Seldom(self.tell))

    def run(self, progress: Progress, beside: Callable[[], T]) -> T:
        """Receive messages until ``progress`` is cancelled.

        Args:
            beside: runs in a thread meanwhile, and ends when ``progress`` is cancelled.

        Raises:
            InputError: the port cannot be used.
        """
        return asyncio.run(self._run(progress, beside))

    async def _run(self, progress: Progress, beside: Callable[[], T]) -> T:
        asyncio.get_running_loop().set_exception_handler(_enter)
        refused = self._refused
        if self.tls is not None:
            self.tls.sslobject_class = _telling(refused)
        running: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            if task is not None and len(running) < _CONNECTIONS:
                running.add(task)
                task.add_done_callback(running.discard)
                with suppress(OSError, TimeoutError, asyncio.CancelledError):
                    try:
                        await self._serve(reader, writer)
                    except ssl.SSLError as error:  # as a sender says only behind the handshake that it trusts us not
                        refused.tell(_no_tls(error))
                        raise
            else:
                refused.tell(Text("A connection was closed at once: {n} are open.", n=_CONNECTIONS))
            writer.close()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS):
                    await writer.wait_closed()
            writer.transport.abort()  # of one that takes nothing any more

        try:
            server = await asyncio.start_server(connected, self.address, self.port, ssl=self.tls)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise InputError(
                    "{address} is no address of this computer. Give another by --address.", address=self.address
                ) from error
            raise InputError(
                "Port {port} of {address} cannot be used: {reason}. Choose another.",
                port=self.port,
                address=self.address,
                reason=reason_of(error),
            ) from error
        host, port = server.sockets[0].getsockname()[:2]
        self.tell(f"Listening on {host} port {port}{', by TLS' if self.tls else ''}.")
        other = asyncio.create_task(asyncio.to_thread(beside))
        with suppress(Cancelled):
            while not other.done():
                progress.raise_if_cancelled()
                refused.tell_due()
                await asyncio.sleep(_POLL_SECONDS)
        server.close()
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
        return await other

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for message, whole in self._frames(reader):
            async with asyncio.timeout(self.patience.storing):
                answer = await self._answer(message, whole=whole)
            writer.write(BEGIN + answer + END)
            async with asyncio.timeout(self.patience.answer):
                await writer.drain()

    async def _frames(self, reader: asyncio.StreamReader) -> AsyncIterator[tuple[bytes, bool]]:
        """The messages that come by a connection, and whether each is whole, as one that is too long is not.

        What stands between frames is passed over, and so is a message whose sender began anew before its end.
        """
        kept = bytearray()
        while True:
            async with asyncio.timeout(self.patience.idle):
                while (start := kept.find(BEGIN)) < 0:
                    kept.clear()
                    if not (packet := await reader.read(_PACKET)):
                        return
                    kept += packet
            del kept[: start + 1]
            whole, looked = True, 0  # up to where there is no end
            async with asyncio.timeout(self.patience.frame):
                while (end := kept.find(END, looked)) < 0:
                    if len(kept) > self.longest + _HEAD:
                        whole = False
                        del kept[_HEAD:-1]
                    looked = max(len(kept) - 1, 0)
                    if not (packet := await reader.read(_PACKET)):
                        return
                    kept += packet
            again = max((found.end() for found in _AGAIN.finditer(kept, 0, end)), default=0)
            message = bytes(kept[again:end])
            del kept[: end + len(END)]
            yield message, whole and len(message) <= self.longest

    async def _answer(self, message: bytes, *, whole: bool) -> bytes:
        header = _Header(message)
        if refusal := _refusal(message, header) if whole else _INTERNAL:
            self._refused.tell(Text("A message was refused (AR {code}): {why}.", code=refusal, why=_PLAIN[refusal]))
            return header.answer("AR", refusal)
        try:
            await asyncio.shield(asyncio.to_thread(self.store, message))
        except InputError as error:
            self.tell(str(error))
        except Exception as error:  # noqa: BLE001 - which the sender is told without what it says
            faults.record(error, "radcal listen")
        else:
            return header.answer("AA")
        return header.answer("AE", _INTERNAL)


def _enter(_loop: object, about: Mapping[str, Any]) -> None:
    """Enter where something went wrong, without what it says, which may quote a message."""
    if isinstance(error := about.get("exception"), Exception):
        faults.record(error, "radcal listen")


def _no_tls(error: ssl.SSLError) -> Text:
    """What OpenSSL calls the reason, which is one of its own words."""
    return Text("A connection by TLS was refused: {reason}.", reason=getattr(error, "verify_message", error.reason))


def _telling(refused: _Seldom) -> type[ssl.SSLObject]:
    """What asyncio leaves untold: the handshakes that fail."""

    class Handshake(ssl.SSLObject):
        def do_handshake(self) -> None:
            try:
                super().do_handshake()
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                raise
            except ssl.SSLError as error:
                refused.tell(_no_tls(error))
                raise

    return Handshake


def _refusal(message: bytes, header: _Header) -> str:
    """Why a message is not taken, as a reason code; '' for one that is."""
    pieces = list(messages(BEGIN + message + END))
    if len(pieces) != 1 or pieces[0].flaw is not None or not header.is_one:
        return _NO_HL7
    if header.kind not in RESULTS:
        return _OTHER_TYPE
    return "" if header.field(10) else _MISSING


class _Header:
    """The header of a message, byte for byte, so that what is repeated of it is what its sender knows."""

    def __init__(self, message: bytes) -> None:
        line = re.split(rb"[\r\n]", message[:_HEAD].lstrip(), maxsplit=1)[0]
        self.is_one = re.match(rb"MSH[^\w\s][^\w\s]{3,}", line) is not None
        self.separator = line[3:4] if self.is_one else b"|"
        self._fields = line.split(self.separator) if self.is_one else [b"MSH", b"^~\\&"]
        self._marks = self.field(2)
        self._part = self._marks[:1] or b"^"

    def field(self, number: int) -> bytes:
        """A field as it is written, from 2, the marks; empty where it is missing."""
        return self._fields[number - 1].strip() if number <= len(self._fields) else b""

    @property
    def kind(self) -> str:
        """The type of the message, such as "ORU"; '' if it does not say."""
        return self.field(9).split(self._part)[0].decode("latin-1").strip().upper()

    def answer(self, code: str, reason: str = "") -> bytes:
        """The acknowledgement of the message, by its control ID."""
        at = f"{datetime.now().astimezone():%Y%m%d%H%M%S}".encode()
        kind = self._part.join([b"ACK", *self.field(9).split(self._part)[1:2]])
        sender, receiver = (self.field(3), self.field(4)), (self.field(5), self.field(6))
        about = (b"", kind, secrets.token_hex(8).encode(), self.field(11) or b"P", self.field(12) or b"2.5")
        lines = [
            (b"MSH", self._marks, *receiver, *sender, at, *about),
            (b"MSA", code.encode(), self.field(10)),
        ]
        if reason:
            lines.append((b"ERR", b"", b"", reason.encode(), b"E"))
        return b"".join(self.separator.join(line) + b"\r" for line in lines)


def tls_of(certificate: Path, key: Path, client_ca: Path | None) -> ssl.SSLContext:
    """TLS 1.2 or later, by which this computer shows its certificate, and asks senders for theirs.

    Args:
        certificate: of this computer, in PEM, with those between it and the authority;  key: its private key
        client_ca: the authorities of which one must have certified the sender; None to let every sender in

    Raises:
        InputError: a file cannot be read, or does not hold what it must.
    """
    for path in (certificate, key, *([client_ca] if client_ca else ())):
        with inputs.reading(path, f"The file {path}"):
            pass
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")  # or OpenSSL asks at the terminal
        if client_ca is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cafile=client_ca)
    except (ssl.SSLError, ValueError, OSError) as error:
        raise InputError(
            "{certificate}, its key or the authorities of the senders cannot be used. They are files in PEM; the key "
            "belongs to the certificate and has no passphrase, and nobody else may read it.",
            certificate=certificate,
        ) from error
    return context
