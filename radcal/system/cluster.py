"""Other computers that answer in place of children: the executor of Dask's ``distributed``, the only way to them.

Nothing here is of RadCal's own making on the wire: its client, over TLS with certificates of the site on both sides.
What a worker must be is looked at before anything is sent, and by the worker itself before each batch, as workers come
and go: the same RadCal to the last byte, the same packages, and no spilling to disk.  A batch is bytes that nothing
prints, and its function never fails, so that no log of a cluster has anything to show.
"""

from __future__ import annotations

import hashlib
import logging
import re
import ssl
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.system import inputs, policy
from radcal.system.components import versions
from radcal.system.errors import EngineError, InputError
from radcal.system.resources import resource
from radcal.system.text import EMPTY, Text
from radcal.system.workers import Unsaid, answering, packed

if TYPE_CHECKING:
    from distributed import Scheduler, Worker

_CONNECT_SECONDS = 30
_LOOK_SECONDS = 5.0
"""How often the workers are counted."""
_FORGOTTEN = 3
"""Looks at workers that do nothing, after which an answer that is still waited for does not come."""
_PACKAGES = ("python-crfsuite", "pyspellchecker", "llama-cpp-python")
"""Those that answers depend on, beside those that results do."""
_REFUSED = Text("The worker {worker} must not be sent reports: {why}. Start it as docs/cluster.md says.")
_OTHER = Text("it runs another RadCal, another Python or other packages than this computer")
_SPILLS = Text("it may write what it works on to disk")
_THREADS = Text("it does several things at a time (--nthreads)")
_AWAY = Text("The cluster has no worker now: this waits until one comes back. Ctrl+C stops; what was stored is kept.")
_GONE = (OSError, RuntimeError, ValueError, TypeError)
"""What the client raises of a scheduler that is gone, whichever it meets first."""
_FAILURES = 3
"""Least number of workers that may die of a batch before it is taken for its fault."""


class _Cluster:
    """An open connection, as :class:`radcal.system.workers.Elsewhere`."""

    def __init__(self, client: Any, address: str, certificate: str) -> None:
        from distributed import KilledWorker

        # Where a worker dies while its answer is fetched, Dask's client can take the answer for an error.
        self.broken: tuple[type[Exception], ...] = (KilledWorker, ValueError, TypeError)
        self.named = f"the cluster {address} under the authority {certificate}"
        self._client, self._mine = client, own()
        self._executor = client.get_executor(pure=False)
        self._size, self._looked, self._away = 0, -_LOOK_SECONDS, False
        self._passed: set[str] = set()
        self._out: set[Future[Unsaid]] = set()
        self._idle: dict[Future[Unsaid], int] = {}

    def size(self) -> int:
        """The workers, each of one thread, at least 1."""
        if time.monotonic() - self._looked > _LOOK_SECONDS:
            try:
                self._size, self._looked = len(self._client.nthreads().keys() - self._passed), time.monotonic()
                busy = any(self._client.processing().values())
            except _GONE:
                raise CancelledError from None
            if not self._size and not self._away:
                logging.getLogger(__name__).warning("%s", _AWAY)
            self._away = not self._size
            # Where workers die while their answers are fetched, Dask's client can forget that it waits for these.
            idle = self._size and not busy
            self._idle = {future: self._idle.get(future, 0) + 1 for future in list(self._out)} if idle else {}
            for future in [future for future, looks in self._idle.items() if looks >= _FORGOTTEN]:
                with suppress(InvalidStateError):
                    future.set_exception(self.broken[0]("", None, 0))
        return max(self._size, 1)

    def pass_over(self, worker: str, why: Text, /) -> bool:
        """Retire a worker, which stays where it is, and say so once; False if it is the last."""
        if worker not in self._passed:
            self._passed.add(worker)
            logging.getLogger(__name__).warning("%s", why)
            try:
                self._client.retire_workers([worker], close_workers=False, remove=False)
            except _GONE:
                raise CancelledError from None
        self._looked, self._away = -_LOOK_SECONDS, True  # whoever has passed over the last one ends, and waits for none
        self.size()
        return self._size > 0

    def submit(self, fn: Callable[[Unsaid], Unsaid], batch: Unsaid, /) -> Future[Unsaid]:
        """As of an Executor."""
        future: Future[Unsaid] = self._executor.submit(there, fn, self._mine, batch)
        self._out.add(future)
        future.add_done_callback(self._out.discard)
        return future


@contextmanager
def cluster(address: str, ca: Path | None, cert: Path | None, key: Path | None) -> Iterator[None]:
    """A block in which what is answered side by side is answered by the workers of a cluster.

    Args:
        address: of its scheduler, tls://HOST:PORT
        ca: the authority that the certificates of scheduler, workers and this computer are of;  cert, key: of this one

    Raises:
        InputError: IT does not allow it, the address is none of TLS, a certificate is missing, the extra is not
            installed, or a worker would answer otherwise or less safely than this computer.
        EngineError: it does not answer, takes other certificates, or has no worker.
    """
    allowed = policy.in_use().workstation("cluster")
    if allowed == "refused":
        raise policy.SetByPolicy(
            "Your IT department has refused clusters ({place}). Leave out --cluster, or ask them.",
            place=policy.in_use().place("cluster"),
        )
    if allowed not in ("", address):
        raise policy.SetByPolicy(
            "Your IT department has set which cluster may be used: {allowed} ({place}). Use that, or ask them.",
            allowed=allowed,
            place=policy.in_use().place("cluster"),
        )
    if not re.fullmatch(r"tls://.+:\d+/?", address):
        raise InputError(
            "Reports are sent encrypted or not at all: {address} is no address of TLS. Write --cluster "
            "tls://HOST:PORT, and start scheduler and workers as docs/cluster.md says.",
            address=address,
        )
    files = {"--cluster-ca": ca, "--cluster-cert": cert, "--cluster-key": key}
    if missing := [option for option, file in files.items() if file is None]:
        raise InputError("A cluster needs certificates of your site: give {options}, too.", options=", ".join(missing))
    for file in filter(None, files.values()):
        with inputs.reading(file, str(file)):
            pass
    try:
        import distributed
    except ImportError as error:
        raise InputError(
            "The extra for clusters is not installed here: pip install 'radcal[cluster]', on every computer of the "
            "cluster."
        ) from error
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    assert ca and cert and key  # noqa: PT018, S101  # as none is missing
    _require_valid(ca, cert, key)
    names = {"tls_ca_file": str(ca), "tls_client_cert": str(cert), "tls_client_key": str(key)}
    dask: Any = distributed  # which is typed in parts
    security = dask.Security(require_encryption=True, **names)
    try:
        client = dask.Client(address, security=security, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise EngineError(
            "The cluster {address} does not answer, or its certificate is not of the same authority or not valid now "
            "({kind}). Look whether the scheduler runs; docs/cluster.md says how it is started.",
            address=address,
            kind=type(error).__name__,
        ) from None
    with client:
        _require_fit(client, address)
        with answering(_Cluster(client, address, fingerprint(ca))):
            yield


def _require_valid(ca: Path, cert: Path, key: Path) -> None:
    """Shake hands with oneself in memory, as Dask does not tell what a scheduler finds wrong with a certificate."""
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    server.verify_mode, client.check_hostname, client.verify_mode = ssl.CERT_REQUIRED, False, ssl.CERT_NONE
    to, fro = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        server.load_verify_locations(ca)
        for context in (server, client):
            context.load_cert_chain(cert, key)
        there, here = server.wrap_bio(to, fro, server_side=True), client.wrap_bio(fro, to)
        for side in (here, there, here, there):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
    except ssl.SSLError as error:
        raise InputError(
            "{cert} and {key} are no valid certificate of {ca}: {why}. docs/cluster.md says how they are made.",
            cert=cert.name,
            key=key.name,
            ca=ca.name,
            why=getattr(error, "verify_message", "") or error.reason or str(error),
        ) from None


def _require_fit(client: Any, address: str) -> None:
    """Refuse a cluster that would answer otherwise, or less safely, than this computer."""
    found = client.run(unfit, own(), on_error="return")
    if not found:
        raise EngineError("The cluster {address} has no worker. Start some, as docs/cluster.md says.", address=address)
    if client.run_on_scheduler(allowed_failures) < _FAILURES:
        raise InputError(
            "Reports would be lost with the workers of {address}: start its scheduler with allowed-failures of "
            "{n} at least, as docs/cluster.md says.",
            address=address,
            n=_FAILURES,
        )
    for worker, why in found.items():
        if why:
            raise InputError(
                _REFUSED,
                worker=worker,
                why=_OTHER if isinstance(why, Exception) else why,
            )


def allowed_failures(dask_scheduler: Scheduler) -> int:
    """How many workers may die of a batch before the scheduler gives it up."""
    return int(dask_scheduler.allowed_failures)


def there(fn: Callable[[Unsaid], Unsaid], wanted: str, batch: Unsaid) -> Unsaid:
    """What a worker does with a batch: it answers, unless it must not."""
    from distributed import get_worker

    worker = get_worker()
    if why := unfit(wanted, worker):
        return Unsaid(packed([_REFUSED.with_values(worker=worker.address, why=why).record(), worker.address]))
    return fn(batch)


def unfit(wanted: str, dask_worker: Worker) -> Text:
    """Why a worker must not be sent reports; empty if it may.

    Args:
        wanted: :func:`own` of whoever sends them.
    """
    memory = dask_worker.memory_manager
    if memory.memory_target_fraction or memory.memory_spill_fraction or type(dask_worker.data) is not dict:
        return _SPILLS
    if dask_worker.state.nthreads != 1:
        return _THREADS
    return EMPTY if own() == wanted else _OTHER


@cache
def own() -> str:
    """A hash of what answers depend on here: RadCal's files, and the versions of Python and of packages."""
    from importlib.metadata import version

    found = hashlib.sha256(repr([versions(), *map(version, _PACKAGES)]).encode())
    for folder in (Path(__file__).parents[1], resource()):
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def fingerprint(certificate: Path) -> str:
    """SHA-256 of the first certificate of a PEM file, as openssl x509 -fingerprint gives it.

    Raises:
        InputError: it holds none.
    """
    text = inputs.read_text(certificate)
    start, end = text.find("-----BEGIN CERTIFICATE-----"), text.find("-----END CERTIFICATE-----")
    if not 0 <= start < end:
        raise InputError("{file} holds no certificate in PEM form.", file=certificate.name)
    der = ssl.PEM_cert_to_DER_cert(text[start : end + 25])
    return ":".join(f"{byte:02X}" for byte in hashlib.sha256(der).digest())
