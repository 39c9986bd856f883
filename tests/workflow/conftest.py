from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal.progress import Progress
from radcal.records import Document, Extraction, Extractor
from radcal.sample import generate
from radcal.sample.department import COLUMNS, SampleTruth
from radcal.settings import Settings
from radcal.workflow import Department, engines, make_engine, open_department
from radcal.workspace import database

QUICK = Settings(bootstrap=50, advice_fits=5, min_group_n=10, min_phrase_n=5)
"""Settings under which even small departments have curves and advice, soon."""
PASSPHRASE = "plum tree"


@pytest.fixture(autouse=True, scope="module")
def _fast_key() -> Iterator[None]:
    """Deriving a key takes 0.3 s on purpose; these tests are not about that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "KDF_ITERATIONS", 1000)
        yield


@cache
def _rules() -> Extractor:
    return make_engine()


@dataclass
class Spy:
    """The rules engine, watched: which reports it was given, and where it is to fail."""

    inner: Extractor = field(default_factory=_rules)
    calls: list[str] = field(default_factory=list)
    failing: Callable[[str], bool] = lambda report_id: False
    raising: Callable[[str], bool] = lambda report_id: False
    version: str = "spy"

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def settings_hash(self) -> str:
        return self.inner.settings_hash

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for document in documents:
            progress.raise_if_cancelled()
            self.calls.append(document.report_id)
            if self.raising(document.report_id):
                raise ValueError(f"cannot parse {document.text!r}")
            if self.failing(document.report_id):
                yield Extraction(document.report_id, (), "the engine gave up")
            else:
                yield from self.inner.extract([document], progress)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    """Takes the rules engine's place in every step of the workflow."""
    spy = Spy()
    for module in ("extracting", "files"):
        monkeypatch.setattr(f"radcal.workflow.{module}.make_engine", lambda name="rules", *_: spy)
    assert engines.ENGINES[0] == "rules"
    return spy


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    """Reports of 80 pairs by two radiologists."""
    return generate(tmp_path_factory.mktemp("small"), 80, 4, radiologists=2)


@pytest.fixture
def department(tmp_path: Path) -> Iterator[Department]:
    """A new department with quick settings."""
    with open_department(tmp_path / "new.radcal", PASSPHRASE, create=True, settings=QUICK) as made:
        yield made


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory, small: SampleTruth) -> SimpleNamespace:
    """Workspaces to copy: the small department imported and paired, and also extracted and analysed."""
    folder = tmp_path_factory.mktemp("files")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "KDF_ITERATIONS", 1000)
        with open_department(folder / "filled", PASSPHRASE, create=True, settings=QUICK) as department:
            department.import_files(xray=[small.xray], ct=[small.ct])
            department.pair()
        shutil.copy(folder / "filled", folder / "analysed")
        with open_department(folder / "analysed", PASSPHRASE) as department:
            department.extract()
            department.analyse()
    return SimpleNamespace(filled=folder / "filled", analysed=folder / "analysed")


@pytest.fixture
def filled(tmp_path: Path, files: SimpleNamespace) -> Iterator[Department]:
    """The small department, imported and paired."""
    with open_department(shutil.copy(files.filled, tmp_path / "new.radcal"), PASSPHRASE) as opened:
        yield opened


@pytest.fixture
def analysed(tmp_path: Path, files: SimpleNamespace) -> Iterator[Department]:
    """The small department, extracted and analysed as well."""
    with open_department(shutil.copy(files.analysed, tmp_path / "new.radcal"), PASSPHRASE) as opened:
        yield opened


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, rows: Iterable[dict[str, str]], further: Sequence[str] = ()) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*COLUMNS, *further])
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    return SimpleNamespace(read=_read, write=_write, passphrase=PASSPHRASE, settings=QUICK)
