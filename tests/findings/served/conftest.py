"""Pair readers on a server, certificates for servers, and questions of reports."""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from radcal.findings.readers.pairs import Answers, Question
from radcal.findings.served import keys
from radcal.findings.served.pair_reader import ServedPairReader
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings

NOW = dt.datetime.now(dt.UTC)
DAY = dt.timedelta(days=1)


class Authority:
    """A certificate authority of a hospital."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        made = self._built(self._name, self._key.public_key(), NOW - DAY, NOW + DAY).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def _built(self, name: x509.Name, key: ec.EllipticCurvePublicKey, begin: dt.datetime, end: dt.datetime):  # type: ignore[no-untyped-def]
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(end)
        )

    def server(self, *names: str, begin: dt.datetime = NOW - DAY, end: dt.datetime = NOW + DAY) -> ssl.SSLContext:
        """What makes a server of these names, or addresses, one of https."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives: list[x509.GeneralName] = [
            x509.IPAddress(ipaddress.ip_address(name)) if name[0].isdigit() else x509.DNSName(name) for name in names
        ]
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
        made = self._built(subject, key.public_key(), begin, end).add_extension(
            x509.SubjectAlternativeName(alternatives), critical=False
        )
        file = self._folder / f"{names[0]}.server.pem"
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """The authority of a hospital."""
    return Authority(tmp_path, "hospital")


@pytest.fixture
def reader(loopback: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ServedPairReader]:
    """Makes readers: ``reader(url, served_seconds=..., ...)``; a key is of this test alone."""
    monkeypatch.setattr(keys, "_given", {})

    def make(url: str, key: str = "", **settings: Any) -> ServedPairReader:
        if key:
            keys.use_server_key(url, key)
        how = {"served_model": loopback.MODEL, "served_seconds": 60.0, **settings}
        return ServedPairReader(Settings(served_url=url, **how))

    return make


Report = list[Question]


def report(*sentences: tuple[str, str]) -> Report:
    """The questions of a report: sentences, and the pathologies of each between commas."""
    asked = ((text, tuple(names.split(", "))) for text, names in sentences)
    return [Question(text, "en", names, names) for text, names in asked]


def reports(n: int) -> list[Report]:
    """Reports of two questions, with their number in them."""
    return [
        report(("No pleural effusion.", "pleural effusion"), (f"Likely pneumonia. Clip {i}.", "infection"))
        for i in range(n)
    ]


def read(reader: ServedPairReader, asked: list[Report], progress: Progress = SILENT) -> list[Answers]:
    """All answers."""
    return list(reader.answer(asked, progress))


@pytest.fixture
def make_report() -> Callable[..., Report]:
    """Makes the questions of a report, as :func:`report`."""
    return report


@pytest.fixture
def make_reports() -> Callable[[int], list[Report]]:
    """Makes reports of two questions, by their number."""
    return reports


@pytest.fixture
def read_all() -> Callable[..., list[Answers]]:
    """Reads with a reader."""
    return read


@pytest.fixture
def said() -> Callable[[ServedPairReader, Answers], list[str]]:
    """The likeliest phrase of each question."""
    return lambda reader, answers: [reader.phrases[row.argmax()] for rows in answers.chances for row in rows]
