"""A cluster answers what this computer answers, whatever becomes of its workers, and keeps nothing of it.

A scheduler and three workers of one thread each, in processes of their own on this computer's loopback.
"""

from __future__ import annotations

import builtins
import random
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

import pytest

from radcal.cli import main
from radcal.findings.engines import close_engine, make_engine
from radcal.opening import open_department
from radcal.reports.deidentify.side_by_side import DeidentifierSideBySide, Raw
from radcal.reports.identifiers import Known
from radcal.reports.sections import document
from radcal.sample.department import generate
from radcal.system import policy, processes, workers
from radcal.system.cluster import cluster, fingerprint
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.system.workers import LOST, Workers
from tests.cluster.site import ROOT, SAFE, Site, certificates, signed, started

pytestmark = pytest.mark.slow
PASSPHRASE = "plum tree over the wall"
CANARY = "Likely edema, says the wombat of ward twelve."
SQUARES = """
import os, sys, time

def prepare(order):
    def answer(item):
        time.sleep(order.get("seconds", 0.0))
        if item in order.get("deadly", ()) or item in order.get("there", ()) and "dask" in sys.argv[0]:
            os._exit(9)
        if item in order.get("raises", ()):
            raise ValueError(order["text"])
        return item * item
    return lambda items: map(answer, items)
"""


@pytest.fixture
def joined(site: Site) -> Iterator[Site]:
    """The cluster answers in place of children."""
    with cluster(*site.options):
        yield site


@pytest.fixture(scope="module", autouse=True)
def squares(site: Site) -> Iterator[None]:
    """A module that the workers find, and the children here."""
    (site.folder / "squares.py").write_text(SQUARES, encoding="utf-8")
    code = f"import sys; sys.path[:0] = {[str(ROOT), str(site.folder)]}; from radcal.system.workers import main; main()"
    ours, command = [sys.executable, "-I", "-c", code], processes.child_command
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(processes, "child_command", lambda module: ours if module == workers.CHILD else command(module))
        yield


def asked(batch: int = 5, **order: Any) -> Workers:
    return Workers("squares", order, 1, batch, lambda items: (0 for _ in items), 0)


@pytest.fixture
def killing() -> Iterator[Callable[..., list[int]]]:
    """Kills workers at random moments, one after the other, until the test ends; says which."""
    ended, threads = threading.Event(), list[threading.Thread]()

    def kill(site: Site, seconds: float, times: int = 4) -> list[int]:
        draw, killed = random.Random(11), list[int]()  # noqa: S311 - chance that is the same in every run

        def work() -> None:
            while len(killed) < times and not ended.wait(draw.uniform(0.2, 1.8) * seconds):
                killed.append(draw.randrange(len(site.workers)))
                site.kill(killed[-1])

        threads.append(threading.Thread(target=work))
        threads[-1].start()
        return killed

    yield kill
    ended.set()
    for thread in threads:
        thread.join()


# --- the same, byte for byte ------------------------------------------------------------------------


def test_what_is_read_there_is_what_is_read_here(site: Site, tmp_path: Path) -> None:
    made = generate(tmp_path / "made", 40)
    for engine in ("rules", "llama"):
        words = ["extract", str(made.xray), "--engine", engine, "--out"]
        here, there = tmp_path / f"here-{engine}.csv", tmp_path / f"there-{engine}.csv"
        assert main([*words, str(here)]) in (0, 1)
        assert main([*words, str(there), *site.words]) in (0, 1)
        assert here.read_bytes() == there.read_bytes()
        assert len(here.read_bytes().splitlines()) > 100


def test_a_workspace_is_the_same_however_it_was_filled(
    site: Site, tmp_path: Path, killing: Callable[..., list[int]]
) -> None:
    """De-identified, read by rules and second reader, analysed and printed; the workers die one after the other."""
    made, key = generate(tmp_path / "made", 60), tmp_path / "key"
    key.write_text(PASSPHRASE)
    with open_department(tmp_path / "w.radcal", PASSPHRASE, create=True, pseudonym_seed=1) as department:
        department.masking.keep(b"the same secret, as every workspace draws its own")
    kept: list[dict[str, Any]] = []
    for n, words in enumerate(([], site.words)):
        folder = tmp_path / str(n)
        folder.mkdir()
        (folder / "w.radcal").write_bytes((tmp_path / "w.radcal").read_bytes())
        killed = killing(site, 2.0) if words else []
        named = ["--workspace", str(folder / "w.radcal"), "--passphrase-file", str(key), "--set", "bootstrap=20"]
        files = ["--xray", str(made.xray), "--ct", str(made.ct), "--out", str(folder / "out")]
        assert main(["run", *files, *named, *words]) in (0, 1)
        with open_department(folder / "w.radcal", PASSPHRASE) as department:
            workspace = department.workspace
            run = department.runs.on_show()
            frames = [workspace.reports(), workspace.pairs(), workspace.findings(run, None), workspace.failures(run)]
            texts = sorted((t.report_id, t.text) for t in workspace.texts_of(frames[0]["report_id"].tolist()))
            said = [entry.what for entry in department.audit_log.entries()]
        kept.append({"texts": texts, "frames": [frame.to_csv() for frame in frames]})
        tables = {path.name: path.read_bytes() for path in (folder / "out").glob("*.csv")}
        kept[-1] |= {"tables": tables, "pages": len(list((folder / "out").glob("*.pdf")))}
        read = [what for what in said if "the cluster" in what]
        assert len(read) == (2 if words else 0), said
        assert all(site.address in what and fingerprint(site.options[1]) in what for what in read)
        assert bool(killed) == bool(words)
    assert kept[0] == kept[1]
    assert len(kept[0]["texts"]) >= 120


# --- workers that die -------------------------------------------------------------------------------


def test_workers_killed_at_random_lose_nothing(joined: Site, killing: Callable[..., list[int]]) -> None:
    killed = killing(joined, 0.8)
    answers = list(asked(seconds=0.02)(range(900), SILENT))
    assert answers == [i * i for i in range(900)]
    assert len(killed) >= 3


def test_an_answer_that_the_client_takes_for_an_error_is_asked_for_again(
    joined: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = workers.elsewhere()
    assert there is not None
    submit, spoilt = there.submit, Future[workers.Unsaid]()
    spoilt.set_exception(ValueError("too many values to unpack (expected 3)"))
    futures = iter([spoilt])
    monkeypatch.setattr(there, "submit", lambda *batch: next(futures, None) or submit(*batch))
    assert list(asked()(range(60), SILENT)) == [i * i for i in range(60)]


def test_who_waits_for_workers_is_told_so(joined: Site, caplog: pytest.LogCaptureFixture) -> None:
    def told() -> list[str]:
        return [record.getMessage() for record in caplog.records if record.name == "radcal.system.cluster"]

    def come_again() -> None:
        while not told():
            time.sleep(0.1)
        for _ in range(n):
            joined.worker()

    answers, n = asked(seconds=0.02)(range(600), SILENT), len(joined.workers)
    assert next(answers) == 0
    while joined.workers:
        joined.workers[-1].kill()
        joined.workers.pop().wait()
    coming = threading.Thread(target=come_again)
    coming.start()
    assert [0, *answers] == [i * i for i in range(600)]
    coming.join()
    assert len(told()) == 1
    assert "waits until one comes back" in told()[0]


def test_few_items_are_in_memory_and_few_batches_on_their_way(joined: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    class Item(int):
        alive = most = 0

        def __new__(cls, value: int) -> Self:
            cls.alive += 1
            cls.most = max(cls.most, cls.alive)
            return super().__new__(cls, value)

        def __del__(self) -> None:
            type(self).alive -= 1

    there, out, most = workers.elsewhere(), set[Any](), 0
    assert there is not None
    submit = there.submit

    def counted(*args: Any) -> Any:
        nonlocal most
        out.add(future := submit(*args))
        future.add_done_callback(out.discard)
        most = max(most, len(out))
        return future

    monkeypatch.setattr(there, "submit", counted)
    assert list(asked()(map(Item, range(3000)), SILENT)) == [i * i for i in range(3000)]
    n = len(joined.workers)
    assert 1 < most <= workers._AT_ONCE * n
    assert Item.most <= (workers._WINDOW * n + 2) * 5


def test_what_kills_worker_after_worker_is_set_aside_alone_if_it_kills_a_child_here(tmp_path: Path) -> None:
    more = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3"}
    site = started(tmp_path, 2, nanny=True, **more)
    (tmp_path / "squares.py").write_text(SQUARES, encoding="utf-8")
    try:
        with cluster(*site.options):
            answers = list(asked(deadly=[7], there=[12])(range(20), SILENT))
        assert answers == [LOST if i == 7 else i * i for i in range(20)]
    finally:
        site.end()


def test_a_scheduler_that_goes_is_an_error(tmp_path: Path) -> None:
    site = started(tmp_path, 1)
    (tmp_path / "squares.py").write_text(SQUARES, encoding="utf-8")

    def read() -> None:
        with cluster(*site.options):
            for answer in asked(seconds=0.01)(range(100_000), SILENT):
                if answer == 4:
                    site.scheduler.kill()

    try:
        with pytest.raises(EngineError, match="does not answer any more"):
            read()
    finally:
        site.end()


# --- what stays behind ------------------------------------------------------------------------------


def test_nothing_of_a_report_is_in_a_log_or_on_a_disk_of_the_cluster(
    joined: Site, killing: Callable[..., list[int]]
) -> None:
    killed = killing(joined, 1.0)
    documents = [document(f"wombat-{i}", f"{CANARY} Small effusion {i}. Possible pneumonia {i}.") for i in range(600)]
    engine = make_engine("rules", settings=Settings(workers=1))
    read = list(engine.extract(documents, SILENT))
    close_engine(engine)
    assert sum(len(one.findings) for one in read) > 1000
    raw = (Raw(f"Mr Quackenbush {i}. {CANARY}", Known(("Quackenbush, Zebulon",)), "P") for i in range(400))
    made = list(DeidentifierSideBySide(b"canary secret", ["Wombat, Ann"])(raw, SILENT))
    assert not any("Quackenbush" in one.text for one in made)
    # What a function raises over a text, and a function that no worker has, which is the worst that can be sent.
    assert list(asked(raises=[3], text=CANARY)([3, CANARY], SILENT)) == [LOST, LOST]
    with pytest.raises(EngineError, match="cannot"):
        list(Workers("no_such_module", CANARY, 1, 5, iter, 0)([CANARY], SILENT))
    assert killed
    written = joined.written().lower()
    assert b"register worker" in written
    for canary in (b"wombat", b"quackenbush", b"effusion", b"canary", b"zebulon", "wombat".encode("utf-16-le")):
        assert canary not in written
    spilled = [path for path in (joined.folder / "local").rglob("*") if path.is_file() and path.stat().st_size]
    assert not spilled


def test_a_batch_is_never_shown() -> None:
    batch = workers.Unsaid(CANARY.encode())
    assert "wombat" not in f"{batch!r} {batch!s} {batch} {[batch]}"


# --- what is refused --------------------------------------------------------------------------------


def test_a_plain_address_missing_certificates_and_a_missing_extra_are_refused(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address, *files = site.options
    (tmp_path / "r.csv").write_text("report_id,text\na,No effusion.\n")
    words = ["extract", str(tmp_path / "r.csv"), "--out", str(tmp_path / "f.csv")]
    assert main([*words, "--cluster", address.replace("tls", "tcp"), *site.words[2:]]) == 2
    assert "encrypted or not at all" in capsys.readouterr().err
    assert main([*words, *site.words[:4]]) == 2
    assert "--cluster-cert, --cluster-key" in capsys.readouterr().err
    with pytest.raises(InputError, match="There is no file"), cluster(address, files[0], tmp_path / "none", files[2]):
        pass
    found = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name == "distributed":
            raise ModuleNotFoundError(name)
        return found(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install 'radcal\[cluster\]'"), cluster(*site.options):
        pass
    assert not (tmp_path / "f.csv").exists()


def test_certificates_of_another_authority_are_refused(site: Site, tmp_path: Path) -> None:
    certificates(tmp_path)
    others = [tmp_path / name for name in ("ca.pem", "one.pem", "one.key")]
    with pytest.raises(EngineError, match="of the same authority"), cluster(site.address, *others):
        pass
    for files in ([site.options[1], *others[1:]], [others[0], *site.options[2:]]):
        with pytest.raises(InputError, match="no valid certificate of ca"), cluster(site.address, *files):
            pass


def test_what_is_wrong_with_certificates_is_said_before_anything_is_sent(site: Site, tmp_path: Path) -> None:
    address, ca, cert, _ = site.options
    certificates(tmp_path)
    with pytest.raises(InputError, match="MISMATCH"), cluster(address, ca, cert, tmp_path / "one.key"):
        pass
    for days, why in ((-3, "expired"), (3, "not yet valid")):
        signed(tmp_path, days, ca, site.folder / "ca.key")
        late = (tmp_path / "one.pem", tmp_path / "one.key")
        with pytest.raises(InputError, match=f"no valid certificate .*{why}"), cluster(address, ca, *late):
            pass


def test_a_worker_that_must_not_be_sent_reports_is_passed_over(joined: Site, caplog: pytest.LogCaptureFixture) -> None:
    answers = asked(seconds=0.02)(range(3000), SILENT)
    assert next(answers) == 0
    joined.worker(**{**SAFE, "DASK_DISTRIBUTED__WORKER__MEMORY__SPILL": "0.7"})
    try:
        assert [0, *answers] == [i * i for i in range(3000)]
        (told,) = [record.getMessage() for record in caplog.records if record.name == "radcal.system.cluster"]
        assert "to disk" in told
        assert "tls://127.0.0.1:" in told
    finally:
        last = joined.workers.pop()
        last.kill()
        last.wait()


def test_what_it_allows_is_asked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for allowed in ("refused", "tls://other:8786"):
        monkeypatch.setattr(policy, "in_use", lambda to=allowed: policy.Policy(Path("p"), {}, {"cluster": to}))
        told = "refused clusters" if allowed == "refused" else allowed
        with pytest.raises(policy.SetByPolicy, match=told), cluster(*site.options):
            pass
    monkeypatch.setattr(policy, "in_use", lambda: policy.Policy(Path("p"), {}, {"cluster": site.address}))
    with cluster(*site.options):
        pass
    with pytest.raises(InputError, match="tls://HOST:PORT"):
        policy.Workstation(cluster="tcp://there:1")


@pytest.mark.parametrize(
    ("words", "more", "why"),
    [
        ((), {"DASK_DISTRIBUTED__WORKER__MEMORY__SPILL": "0.7"}, "to disk"),
        (("--nthreads=2",), {}, "several things at a time"),
        ((), {"PYTHONPATH": "other"}, "another RadCal"),
    ],
)
def test_a_worker_that_would_answer_otherwise_or_keep_texts_is_refused(
    site: Site, tmp_path: Path, words: tuple[str, ...], more: dict[str, str], why: str
) -> None:
    if "PYTHONPATH" in more:
        for name in ("resources", "models"):
            (tmp_path / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "radcal", tmp_path / "radcal", ignore=shutil.ignore_patterns("__pycache__"))
        changed = tmp_path / "radcal" / "system" / "clock.py"
        changed.write_bytes(changed.read_bytes() + b"\n")
        more = {"PYTHONPATH": str(tmp_path)}
    site.worker(*words, **{**SAFE, **more})
    try:
        refused = ""
        while not refused:  # until the worker is there
            time.sleep(0.2)
            try:
                with cluster(*site.options):
                    pass
            except InputError as error:
                refused = str(error)
        assert why in refused
    finally:
        last = site.workers.pop()
        last.kill()
        last.wait()
