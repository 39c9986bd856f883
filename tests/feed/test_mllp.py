"""Framing and acknowledgements: every message gets its own, once it is stored, and what is cut off gets none."""

from __future__ import annotations

import random
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from radcal.feed import mllp
from radcal.feed.mllp import Patience, tls_of
from radcal.feed.spool import BEGIN, END
from radcal.system.errors import InputError

Listening = Connect = Callable[..., Any]


@pytest.fixture
def stored() -> list[bytes]:
    return []


@pytest.fixture
def port(listening: Listening, stored: list[bytes]) -> Iterator[int]:
    with listening(stored.append, longest=100_000) as port:
        yield port


def test_each_is_acknowledged_by_its_own_control_id_once_it_is_stored(
    port: int, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    sender = connect(port)
    for n in range(5):
        sender.send(feeding.hl7(n))
        assert sender.answer() == ("AA", f"C{n}", "")
        assert stored[-1] == feeding.hl7(n)
    sender.close()


def test_several_in_one_packet_and_one_in_many(
    port: int, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    sender, sent = connect(port), [feeding.hl7(n) for n in range(20)]
    sender.send(*sent)
    assert [sender.answer() for _ in sent] == [("AA", f"C{n}", "") for n in range(20)]
    for byte in BEGIN + feeding.hl7(20) + END:
        sender.raw(bytes([byte]))
    assert sender.answer() == ("AA", "C20", "")
    assert stored == [*sent, feeding.hl7(20)]


def test_what_stands_between_frames_is_passed_over(
    port: int, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    sender, one, two = connect(port), feeding.hl7(1), feeding.hl7(2)
    sender.raw(b"\r\n\0noise" + END + BEGIN + one + END + b"\r\nMSH|^~\\&|no frame\r" + BEGIN + two + END)
    assert [sender.answer()[1] for _ in range(2)] == ["C1", "C2"]
    assert stored == [one, two]


def test_one_that_is_cut_off_is_neither_stored_nor_acknowledged(
    port: int, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    message = feeding.hl7(1)
    for cut in (1, len(message) // 2, len(message)):
        sender = connect(port)
        sender.raw(BEGIN + message[:cut])
        sender.close()
    sender = connect(port)
    sender.raw(BEGIN + message[:50] + BEGIN + feeding.hl7(2) + END)  # and begins anew by the same connection
    assert sender.answer() == ("AA", "C2", "")
    assert stored == [feeding.hl7(2)]


def test_a_vertical_tab_and_a_file_separator_within_a_text_end_nothing(
    port: int, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    message = feeding.hl7(1, text="Likely\x0bpneumonia.\x1c No effusion.")
    sender = connect(port)
    sender.send(message)
    assert sender.answer() == ("AA", "C1", "")
    assert stored == [message]


def test_what_is_no_result_is_refused_with_its_reason(
    port: int, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    hl7, sender = feeding.hl7, connect(port)
    for message, answer in (
        (b"", ("AR", "", "100")),
        (b"GET / HTTP/1.1\r\n\r\n", ("AR", "", "100")),
        (b"MSH", ("AR", "", "100")),
        (b"MSH||||||", ("AR", "", "101")),
        (b"PID|1\r" + hl7(1), ("AR", "", "100")),
        (hl7(1) + hl7(2), ("AR", "C1", "100")),
        (hl7(3, kind="ADT^A01"), ("AR", "C3", "200")),
        (hl7(4).replace(b"|C4|", b"||"), ("AR", "", "101")),
        (hl7(5, text="x" * 200_000), ("AR", "C5", "207")),
        (hl7(6, kind="MDM^T02"), ("AA", "C6", "")),
    ):
        sender.send(message)
        assert sender.answer() == answer, message[:60]
    assert stored == [hl7(6, kind="MDM^T02")]


def test_refusals_are_told_once_a_minute_with_their_number_and_nothing_of_the_message(
    listening: Listening, connect: Connect, feeding: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    with listening(lambda _: None, told=told) as port:
        sender = connect(port)
        for n in range(5):
            sender.send(feeding.hl7(n, kind="ADT^A01"))
            assert sender.answer()[0] == "AR"
        sender.send(b"Jane Doe")
        assert sender.answer()[0] == "AR"
        held = [connect(port) for _ in range(63)]
        for each in held:
            each.send(feeding.hl7(1))
            assert each.answer()[0] == "AA"
        assert connect(port).answer() == ("", "", "")
        assert len(told) == 4
        monkeypatch.setattr(mllp, "_QUIET_SECONDS", 0.0)  # the minute is over
        for _ in range(1000):
            if len(told) > 4:
                break
            time.sleep(0.01)
    type_, none, many, again = told[1:]
    assert "AR 200" in type_
    assert "AR 100" in none
    assert "64" in many
    assert again.startswith(type_)
    assert "4 times" in again
    assert not any(word in line for line in told for word in ("Jane", "Doe", "ADT", "C1"))


def test_the_separators_of_a_sender_are_those_of_its_answer(
    port: int, connect: Connect, feeding: SimpleNamespace
) -> None:
    sender = connect(port)
    sender.send(feeding.hl7(1).replace(b"|", b"#").replace(b"^", b"*"))
    sender.raw(b"")
    while END not in sender._kept:
        sender._kept += sender.socket.recv(1000)
    header, answer = sender._kept[1:].split(b"\r")[:2]
    assert header.startswith(b"MSH#*~\\&#RADCAL#QA#RIS#HOSP#")
    assert b"#ACK*R01#" in header
    assert answer == b"MSA#AA#C1"


def test_one_that_cannot_be_stored_is_asked_for_again_without_a_word_of_why(
    listening: Listening, connect: Connect, feeding: SimpleNamespace
) -> None:
    errors: list[Exception] = [InputError("The disk of Jane Doe is full."), ValueError("Jane Doe")]

    def store(_message: bytes) -> None:
        raise errors.pop()

    with listening(store) as port:
        sender = connect(port)
        for n in range(2):
            sender.send(feeding.hl7(n))
            assert sender.answer() == ("AE", f"C{n}", "207")
        assert b"Jane" not in sender._kept


def test_no_acknowledgement_comes_late(
    listening: Listening, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    """A sender that gave up waiting would take it for that of its next message: the connection is closed instead."""
    slow = threading.Event()

    def store(message: bytes) -> None:
        slow.wait(60)
        stored.append(message)

    with listening(store, patience=Patience(storing=0.2)) as port:
        sender = connect(port)
        sender.send(feeding.hl7(1))
        assert sender.answer() == ("", "", "")
        slow.set()
        again = connect(port)
        again.send(feeding.hl7(2))
        assert again.answer() == ("AA", "C2", "")


def test_connections_that_say_nothing_are_closed(
    listening: Listening, connect: Connect, feeding: SimpleNamespace
) -> None:
    with listening(lambda _: None, patience=Patience(idle=0.2, frame=0.2)) as port:
        silent, halting = connect(port), connect(port)
        halting.raw(BEGIN + b"MSH")
        assert silent.answer() == halting.answer() == ("", "", "")


def test_many_connections_at_once_get_their_own(
    port: int, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    wrong: list[object] = []

    def send(k: int) -> None:
        sender, dice = connect(port), random.Random(k)  # noqa: S311 - sizes of packets
        for n in range(25):
            frame = BEGIN + feeding.hl7(n, control=f"K{k}-{n}") + END
            while frame:
                cut = dice.randrange(1, 400)
                sender.raw(frame[:cut])
                frame = frame[cut:]
            if (answer := sender.answer()) != ("AA", f"K{k}-{n}", ""):
                wrong.append(answer)
        sender.close()

    threads = [threading.Thread(target=send, args=(k,)) for k in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []
    assert len(set(stored)) == len(stored) == 500


def test_beyond_the_most_connections_further_ones_are_closed(
    port: int, connect: Connect, feeding: SimpleNamespace
) -> None:
    held = [connect(port) for _ in range(64)]
    for n, sender in enumerate(held):
        sender.send(feeding.hl7(n))
        assert sender.answer()[1] == f"C{n}"
    assert connect(port).answer() == ("", "", "")
    held.pop().close()
    for _ in range(200):  # until the place is free
        time.sleep(0.02)
        sender = connect(port)
        try:
            sender.send(feeding.hl7(1))
            if sender.answer()[0] == "AA":
                break
        except OSError:
            continue
    else:
        pytest.fail("no place became free")
    for each in held:
        each.close()


# --- TLS -------------------------------------------------------------------------------------------------


class Authority:
    """Makes certificates for tests."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(self._made(self._name, self._key.public_key(), authority=True))

    def _made(self, name: x509.Name, key: ec.EllipticCurvePublicKey, *, authority: bool = False) -> bytes:
        now = datetime.now(UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        return made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    def certified(self, name: str) -> tuple[Path, Path]:
        """Certificate and key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        files = self._folder / f"{name}-cert.pem", self._folder / f"{name}-key.pem"
        files[0].write_bytes(self._made(subject, key.public_key()))
        files[1].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files


def _trusting(authority: Authority, own: tuple[Path, Path] | None = None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=authority.file)
    if own is not None:
        context.load_cert_chain(*own)
    return context


def test_by_tls_only_senders_that_the_authority_certified_are_let_in(
    tmp_path: Path, listening: Listening, stored: list[bytes], connect: Connect, feeding: SimpleNamespace
) -> None:
    ours, others = Authority(tmp_path, "ours"), Authority(tmp_path, "others")
    tls, told = tls_of(*ours.certified("server"), ours.file), list[str]()
    with listening(stored.append, tls=tls, told=told) as port:
        sender = connect(port, _trusting(ours, ours.certified("ris")))
        sender.send(feeding.hl7(1))
        assert sender.answer() == ("AA", "C1", "")
        for stranger in (None, others.certified("stranger")):
            with pytest.raises(OSError):  # noqa: PT011 - whichever of them notices first
                _say(connect(port, _trusting(ours, stranger)), feeding.hl7(2))
        clear = connect(port)
        clear.send(feeding.hl7(3))
        with pytest.raises((OSError, AssertionError)):
            assert clear.answer() == ("AA", "C3", "")
    assert len([line for line in told if "TLS was refused" in line]) == 3
    assert stored == [feeding.hl7(1)]


def _say(sender: Any, message: bytes) -> None:
    sender.send(message)
    if sender.answer() == ("", "", ""):
        raise ConnectionResetError


def test_files_that_are_no_certificates_are_named(tmp_path: Path) -> None:
    ours = Authority(tmp_path, "ours")
    certificate, _ = ours.certified("server")
    _, key = ours.certified("another")
    with pytest.raises(InputError, match="no file"):
        tls_of(tmp_path / "none.pem", key, None)
    with pytest.raises(InputError, match="server-cert"):
        tls_of(certificate, key, None)
