"""Made-up messages, a department that is fed, and a listener of its own."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from radcal.department import Department
from radcal.feed.mllp import Listener, Patience
from radcal.feed.spool import BEGIN, END
from radcal.feed.watch import Feed
from radcal.opening import open_department
from radcal.system.errors import Cancelled
from radcal.system.progress import Silent
from radcal.system.settings import Settings

PASSPHRASE = "plum tree over the wall"
QUICK = Settings(bootstrap=20, min_group_n=5, min_phrase_n=3, second="none", workers=1, deidentify="off")


def hl7(number: int, *, control: str = "", kind: str = "ORU^R01", text: str = "Likely pneumonia.") -> bytes:
    """A result of a chest X-ray (even numbers) or the CT after it (odd ones) of one patient."""
    xray = number % 2 == 0
    exam, code = ("XR CHEST 2 VIEWS", "71046") if xray else ("CT CHEST WITH CONTRAST", "71260")
    at = f"202601{number // 2 % 27 + 1:02}{10 if xray else 14}0000"
    return "\r".join(
        (
            rf"MSH|^~\&|RIS|HOSP|RADCAL|QA|{at}||{kind}|{control or f'C{number}'}|P|2.5",
            f"PID|1||P{number // 2}||Doe^Jane",
            f"OBR|1|R{number}|R{number}|{code}^{exam}|||{at}|||||||||||||||{at}|||F|||||||Ravensworth&Odile",
            f"OBX|1|TX|IMP||{text}||||||F",
            "",
        )
    ).encode()


class Stop(Silent):
    """A Progress that is cancelled from outside."""

    def __init__(self) -> None:
        self.now = threading.Event()

    def raise_if_cancelled(self) -> None:
        if self.now.is_set():
            raise Cancelled("Stopped.")


class Sender:
    """A connection to a listener."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        if tls is not None:
            plain = self.socket
            try:
                self.socket = tls.wrap_socket(plain, server_hostname="localhost")
            except OSError:
                plain.close()
                raise
        self._kept = b""

    def raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def send(self, *several: bytes) -> None:
        self.raw(b"".join(BEGIN + message + END for message in several))

    def answer(self) -> tuple[str, str, str]:
        """Code, control ID and reason of the next acknowledgement; ('', '', '') once the connection is closed."""
        while END not in self._kept:
            packet = self.socket.recv(65536)
            if not packet:
                return "", "", ""
            self._kept += packet
        frame, self._kept = self._kept.split(END, 1)
        assert frame.startswith(BEGIN + b"MSH")
        segments = {line[:3]: line.split("|") for line in frame[1:].decode("latin-1").split("\r") if line}
        return segments["MSA"][1], segments["MSA"][2], segments.get("ERR", [""] * 4)[3]

    def close(self) -> None:
        self.socket.close()


@pytest.fixture(scope="session")
def feeding() -> SimpleNamespace:
    """What tests of the feed share: messages, and a Progress that is cancelled from outside."""
    return SimpleNamespace(hl7=hl7, Stop=Stop, Sender=Sender, passphrase=PASSPHRASE, settings=QUICK)


@pytest.fixture
def connect() -> Iterator[Callable[..., Sender]]:
    """Connects to a listener, until the test ends: ``connect(port, tls=None)``."""
    with ExitStack() as open_:

        def connect(port: int, tls: ssl.SSLContext | None = None) -> Sender:
            sender = Sender(port, tls)
            open_.callback(sender.close)
            return sender

        yield connect


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An empty workspace."""
    made = tmp_path / "w.radcal"
    open_department(made, PASSPHRASE, create=True, settings=QUICK, pseudonym_seed=1).close()
    return made


@pytest.fixture
def opened(path: Path) -> Callable[..., Department]:
    """Opens it."""
    return lambda **how: open_department(path, PASSPHRASE, **how)


@pytest.fixture
def feed(path: Path, opened: Callable[..., Department]) -> Feed:
    """Its feed, which tells nobody."""
    return Feed(path, opened, lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that files are dropped into."""
    made = tmp_path / "in"
    made.mkdir()
    return made


@pytest.fixture
def listening() -> Callable[..., Any]:
    """A listener in a thread: ``with listening(store, ...) as port``; options are those of Listener.

    told: takes what it says
    """

    @contextmanager
    def run(
        store: Callable[[bytes], None], *, patience: Patience | None = None, told: list[str] | None = None, **how: Any
    ) -> Iterator[int]:
        told = [] if told is None else told
        begun, stop = threading.Event(), Stop()

        def tell(sentence: str) -> None:
            told.append(sentence)
            begun.set()

        listener = Listener(store, tell, "127.0.0.1", 0, patience=patience or Patience(), **how)
        thread = threading.Thread(target=lambda: listener.run(stop, stop.now.wait))
        thread.start()
        try:
            assert begun.wait(60)
            yield int(told[0].split("port ")[1].split(",")[0].rstrip("."))
        finally:
            stop.now.set()
            thread.join(60)
        assert not thread.is_alive()

    return run
