"""A cluster on this computer: certificates of an authority of its own, a scheduler, and workers of one thread each."""

from __future__ import annotations

import datetime as dt
import ipaddress
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from radcal.system.errors import EngineError

ROOT = Path(__file__).resolve().parents[2]
SAFE = {"DASK_DISTRIBUTED__WORKER__MEMORY__TARGET": "False", "DASK_DISTRIBUTED__WORKER__MEMORY__SPILL": "False"}


def certificates(folder: Path) -> None:
    """ca.pem, and one.pem with one.key of it."""
    folder.mkdir(parents=True, exist_ok=True)
    now, keys = dt.datetime.now(dt.UTC), [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("authority", "127.0.0.1")]
    for i, (key, name, file) in enumerate(zip(keys, names, ("ca", "one"), strict=True)):
        made = (
            x509.CertificateBuilder(names[0], name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=not i, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .sign(keys[0], hashes.SHA256())
        )
        (folder / f"{file}.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
        plain = serialization.NoEncryption()
        pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        (folder / f"{file}.key").write_bytes(pem)


def signed(folder: Path, days: int, ca: Path, key: Path) -> None:
    """one.pem of that authority for one.key: valid for a day that begins after so many days."""
    authority = x509.load_pem_x509_certificate(ca.read_bytes())
    now = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    own, its = (serialization.load_pem_private_key(f.read_bytes(), None) for f in (folder / "one.key", key))
    assert isinstance(own, ec.EllipticCurvePrivateKey)
    assert isinstance(its, ec.EllipticCurvePrivateKey)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = x509.CertificateBuilder(authority.subject, name, own.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now).not_valid_after(now + dt.timedelta(days=1))
    (folder / "one.pem").write_bytes(made.sign(its, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))


@dataclass
class Site:
    """A scheduler and workers, each a process; their logs and the workers' folders are under ``folder``."""

    folder: Path
    nanny: bool = False
    address: str = ""
    scheduler: Any = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *words: object, **more: str) -> subprocess.Popen[bytes]:
        """Start a program of Dask's with the certificates."""
        tls = [f"--tls-{what}={self.folder / name}" for what, name in (("ca-file", "ca.pem"), ("cert", "one.pem"))]
        with (self.folder / f"log-{len(list(self.folder.glob('log-*')))}").open("wb") as log:
            return subprocess.Popen(  # noqa: S603 - our own interpreter
                [sys.executable, "-m", *map(str, words), *tls, f"--tls-key={self.folder / 'one.key'}"],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{self.folder}", "OMP_NUM_THREADS": "1"} | more,
            )

    def worker(self, *words: str, **more: str) -> None:
        """Start another worker; with a nanny, one that is started again when it dies."""
        fixed = ("distributed.cli.dask_worker", self.address, "--no-dashboard", "--host=127.0.0.1")
        given = ("--nthreads=1", "--nanny" if self.nanny else "--no-nanny", *words)
        place = f"--local-directory={self.folder / 'local'}"
        self.workers.append(self.start(*fixed, *given, place, **(SAFE | more)))

    @property
    def options(self) -> tuple[str, Path, Path, Path]:
        """As :func:`radcal.system.cluster.cluster` takes them."""
        return self.address, self.folder / "ca.pem", self.folder / "one.pem", self.folder / "one.key"

    @property
    def words(self) -> list[str]:
        """As the command line takes them."""
        names = ("--cluster", "--cluster-ca", "--cluster-cert", "--cluster-key")
        return [str(word) for pair in zip(names, self.options, strict=True) for word in pair]

    def kill(self, n: int) -> None:
        """Kill a worker, start another in its place, and wait until it is there."""
        self.workers[n].send_signal(signal.SIGKILL)
        self.workers.pop(n).wait()
        self.worker()
        log = self.folder / f"log-{len(list(self.folder.glob('log-*'))) - 1}"
        while b"Registered to" not in log.read_bytes() and self.workers[-1].poll() is None:
            time.sleep(0.05)

    def written(self) -> bytes:
        """All that scheduler and workers have written: their logs, and what is in their folders."""
        files = [*self.folder.glob("log-*"), *(self.folder / "local").rglob("*")]
        return b"".join(path.read_bytes() for path in files if path.is_file())

    def end(self) -> None:
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def started(folder: Path, workers: int, *, nanny: bool = False, **more: str) -> Site:
    """A site with a scheduler and so many workers, all of which are there."""
    from radcal.system.cluster import cluster
    from radcal.system.workers import elsewhere

    certificates(folder)
    site, file = Site(folder, nanny), folder / "scheduler.json"
    words = ("distributed.cli.dask_scheduler", "--protocol=tls", "--host=127.0.0.1", "--port=0", "--no-dashboard")
    site.scheduler = site.start(*words, "--dashboard-address=127.0.0.1:0", f"--scheduler-file={file}", **more)
    while not site.address:
        assert site.scheduler.poll() is None, site.written().decode()
        time.sleep(0.05)
        if file.exists() and (text := file.read_text()).endswith("}"):
            site.address = json.loads(text)["address"]
    for _ in range(workers):
        site.worker()
    come = 0
    while come < workers:
        time.sleep(0.2)
        with suppress(EngineError), cluster(*site.options):  # none has come yet
            there = elsewhere()
            come = 0 if there is None else there.size()
    return site
