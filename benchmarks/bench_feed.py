"""Messages sent to `radcal listen` while it is killed again and again: none lost, none doubled, each acknowledged.

    python benchmarks/bench_feed.py [MESSAGES [KILLS]]

Several senders at once send results by MLLP, some of them several in one packet, and send again what was not
acknowledged.  Meanwhile the listener, which stores and imports, is killed by SIGKILL at moments of chance and started
anew.  At the end the workspace must hold every report that was sent, each once.  Prints how many messages were stored
a second, kills and all, and by a listener that is left in peace and does nothing but store.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from radcal.opening import open_department
from radcal.system.settings import Settings

PASSPHRASE = "plum tree over the wall"  # noqa: S105 - of a file that is deleted at once
BEGIN, END = b"\x0b", b"\x1c\r"
ROOT = Path(__file__).resolve().parents[1]


def hl7(number: int) -> bytes:
    """A result of a chest X-ray (even numbers) or the CT after it (odd ones) of one patient."""
    xray = number % 2 == 0
    exam, code = ("XR CHEST 2 VIEWS", "71046") if xray else ("CT CHEST WITH CONTRAST", "71260")
    at = f"2026{number // 56 % 12 + 1:02}{number // 2 % 28 + 1:02}{10 if xray else 14}0000"
    return "\r".join(
        (
            rf"MSH|^~\&|RIS|HOSP|RADCAL|QA|{at}||ORU^R01|C{number}|P|2.5",
            f"PID|1||P{number // 2}||Doe^Jane",
            f"OBR|1|R{number}|R{number}|{code}^{exam}|||{at}|||||||||||||||{at}|||F|||||||Reader{number // 2 % 5}&A",
            f"OBX|1|TX|IMP||{'Likely' if number % 3 else 'No'} pneumonia. Case {number}.||||||F",
            "",
        )
    ).encode()


def _free_port() -> int:
    """A port that systems do not give to connections, of which one could get it while nobody listens there."""
    while True:
        with suppress(OSError), socket.socket() as free:
            free.bind(("127.0.0.1", secrets.choice(range(10_000, 30_000))))
            return int(free.getsockname()[1])


class Listening:
    """`radcal listen`, killed and started anew at one port."""

    def __init__(self, workspace: Path) -> None:
        self.port = _free_port()
        self._command = [sys.executable, "-m", "radcal", "listen", "--mllp", str(self.port)]
        self._command += ["--workspace", str(workspace)]
        self.said: list[str] = []
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        environment = os.environ | {"RADCAL_PASSPHRASE": PASSPHRASE, "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            self._command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.said.append(line)
            if "Listening" in line:
                break
        else:
            raise AssertionError("".join(self.said))
        threading.Thread(target=self.said.extend, args=(self._process.stderr,), daemon=True).start()

    def end(self, number: int) -> int:
        """Send it a signal, and wait until it has ended; its exit status."""
        self._process.send_signal(number)
        out, _ = self._process.communicate(timeout=600)
        del out
        return self._process.returncode


@dataclass
class Senders:
    """Connections that send the messages of these numbers, and again what was not acknowledged.

    acknowledged: how many were;  wrong: acknowledgements that were not for the message that was waited for
    """

    port: int
    numbers: Sequence[int]
    connections: int = 6

    def __post_init__(self) -> None:
        self.acknowledged, self.sent, self.wrong = 0, 0, list[bytes]()
        self._lock = threading.Lock()
        shares = (self.numbers[k :: self.connections] for k in range(self.connections))
        self._threads = [threading.Thread(target=self._send, args=(k, share)) for k, share in enumerate(shares)]
        for thread in self._threads:
            thread.start()

    def wait(self) -> None:
        """Until everything is acknowledged."""
        for thread in self._threads:
            thread.join()

    def _send(self, seed: int, share: Sequence[int]) -> None:
        dice, left = random.Random(seed), list(share)  # noqa: S311 - sizes of packets
        while left:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
                kept = b""
                while left:
                    together = left[: dice.choice((1, 1, 1, 3, 8))]
                    connection.sendall(b"".join(BEGIN + hl7(number) + END for number in together))
                    with self._lock:
                        self.sent += len(together)
                    for number in together:
                        while END not in kept:
                            if not (packet := connection.recv(65536)):
                                raise ConnectionResetError
                            kept += packet
                        answer, kept = kept.split(END, 1)
                        if f"\rMSA|AA|C{number}\r".encode() not in answer:
                            self.wrong.append(answer)
                            raise ConnectionResetError
                        left.remove(number)
                        with self._lock:
                            self.acknowledged += 1
            time.sleep(0.05)


@dataclass(frozen=True)
class Proved:
    """What came of it.

    sent: messages, those sent again among them;  seconds: until all were acknowledged;  kills: of the listener
    """

    messages: int
    sent: int
    kills: int
    seconds: float


def prove(folder: Path, messages: int, kills: int, seed: int = 1) -> Proved:
    """Send messages to a listener that is killed so often, and look at what the workspace holds then.

    Raises:
        AssertionError: a message was lost, doubled, or acknowledged as another.
    """
    path, dice = folder / "w.radcal", random.Random(seed)  # noqa: S311 - moments, no secret
    settings = Settings(bootstrap=20, second="none", deidentify="off", workers=1)
    open_department(path, PASSPHRASE, create=True, settings=settings).close()
    listening, began = Listening(path), time.monotonic()
    senders = Senders(listening.port, range(messages))
    for kill in range(kills):
        while senders.acknowledged < messages * kill // (kills + 1):
            time.sleep(0.01)
        time.sleep(dice.random() * 1.5)
        assert listening.end(signal.SIGKILL) == -signal.SIGKILL
        listening.start()
    senders.wait()
    took = time.monotonic() - began
    assert senders.wrong == []
    assert senders.acknowledged == messages
    assert listening.end(signal.SIGTERM) in (0, 1)
    watched = [sys.executable, "-m", "radcal", "watch", str(folder / "in"), "--workspace", str(path), "--once"]
    (folder / "in").mkdir()
    environment = os.environ | {"RADCAL_PASSPHRASE": PASSPHRASE, "PYTHONPATH": str(ROOT)}
    subprocess.run([*watched, "--settle", "0"], env=environment, check=True, capture_output=True)  # noqa: S603 - ours
    held(path, messages)
    return Proved(messages, senders.sent, kills, took)


def held(path: Path, messages: int) -> None:
    """Check that a workspace holds the reports of these messages, each once, and nothing else."""
    assert list(path.with_name(f"{path.name}.spool").rglob("*.message")) == []
    with open_department(path, PASSPHRASE, read_only=True) as department:
        reports = department.workspace.reports(["report_id", "text"])
        wanted = {f"{'ct' if n % 2 else 'xray'}:R{n}": f"Case {n}." for n in range(messages)}
        texts = dict(zip(reports["report_id"], reports["text"], strict=True))
        assert len(reports) == len(texts) == messages
        assert texts.keys() == wanted.keys()
        assert all(case in texts[report] for report, case in wanted.items())
        assert department.workspace.rejected().empty
        assert department.workspace.count_pairs() == messages // 2
        assert sum(past.new for past in department.importing.history()) == messages
        assert department.up_to_date


@contextmanager
def _storing(folder: Path) -> Iterator[Listening]:
    """A listener that does nothing but store, as another program has the workspace."""
    path = folder / "w.radcal"
    open_department(path, PASSPHRASE, create=True, settings=Settings(second="none")).close()
    listening = Listening(path)
    listening.end(signal.SIGTERM)  # its key is made
    with open_department(path, PASSPHRASE):
        listening.start()
        yield listening
        listening.end(signal.SIGTERM)


def main() -> None:
    """Prove it, and print the figures."""
    messages, kills = map(int, [*sys.argv[1:3], *("10000", "25")[len(sys.argv) - 1 :]])
    with TemporaryDirectory() as name:
        proved = prove(Path(name), messages, kills)
    print(f"{proved.messages:,} messages, {proved.sent - proved.messages:,} of them sent again, {proved.kills} kills:")
    print("  none lost, none doubled, each acknowledged as its own")
    print(f"  acknowledged in {proved.seconds:.0f} s, {proved.messages / proved.seconds:.0f} a second, kills and all")
    with TemporaryDirectory() as name, _storing(Path(name)) as listening:
        began = time.monotonic()
        Senders(listening.port, range(2000)).wait()
        print(f"  stored alone: {2000 / (time.monotonic() - began):.0f} a second")


if __name__ == "__main__":
    main()
