from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import astuple, dataclass, field, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from radcal.calibration.records import Reliability
from radcal.department import Department
from radcal.findings import engines
from radcal.findings.engines import make_engine
from radcal.findings.records import Extraction, Extractor, Finding
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.reports.records import Document
from radcal.review.records import Action, Mark, Verdict, new_name
from radcal.sample.department import SampleTruth, generate
from radcal.system.errors import Cancelled
from radcal.system.kinds import names_key_of
from radcal.system.progress import Progress
from radcal.system.selection import Days, Selection
from radcal.system.settings import Settings
from radcal.words.records import ABSENT, PRESENT

QUICK = Settings(bootstrap=50, min_group_n=10, min_phrase_n=5)
"""Settings under which even small departments have curves and advice, soon."""
PASSPHRASE = "plum tree in blossom"


@cache
def _rules() -> Extractor:
    return make_engine()


@dataclass
class StandIn:
    """Takes the place of an engine: reads as the rules do, but for what ``change`` makes of a report's findings.

    failing, raising: at which reports it fails, or breaks;  stop_after: after how many somebody stops it
    asked: which reports it was given;  held: when it was paused and resumed;  closed: how often it was closed
    """

    name: str = "llama"
    change: Callable[[tuple[Finding, ...]], Iterable[Finding]] = tuple
    version: str = "9"
    settings_hash: str = "other"
    model: Path = Path("tiny.gguf")
    failing: Callable[[str], bool] = lambda report_id: False
    raising: Callable[[str], bool] = lambda report_id: False
    stop_after: int | None = None
    asked: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    closed: int = 0

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for document in documents:
            progress.raise_if_cancelled()
            if len(self.asked) == self.stop_after:
                raise Cancelled
            self.asked.append(document.report_id)
            if self.raising(document.report_id):
                raise ValueError(f"cannot parse {document.text!r}")
            if self.failing(document.report_id):
                yield Extraction(document.report_id, (), "it took too long")
                continue
            for read in _rules().extract([document], progress):
                yield replace(read, findings=tuple(self.change(read.findings)))

    def pause(self) -> None:
        self.held.append("pause")

    def resume(self) -> None:
        self.held.append("resume")

    def close(self) -> None:
        self.closed += 1


@pytest.fixture(scope="session")
def stand_in() -> type[StandIn]:
    """Makes engines that take the place of others: ``stand_in(name, change, ...)``."""
    return StandIn


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Takes the rules engine's place in every step of the workflow."""
    spy = StandIn("rules", version="spy", settings_hash=_rules().settings_hash)
    for module in ("radcal.findings.runs", "radcal.cli.findings"):
        monkeypatch.setattr(f"{module}.make_engine", lambda name="rules", *_: spy)
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
def files(prepared_once: Callable[[str, Callable[[Path], object]], Path], small: SampleTruth) -> SimpleNamespace:
    """Workspaces to copy: the small department imported and paired, and also extracted and analysed.

    apart: a folder with the latter under the name "w.radcal" and the key of its names, which are kept apart
    """

    def bring(department: Department) -> None:
        department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
        department.importing.pair()

    def finish(department: Department) -> None:
        department.runs.extract()
        department.analyse()

    def fill(folder: Path) -> None:
        with open_department(folder / "filled", PASSPHRASE, create=True, settings=QUICK) as department:
            bring(department)
        shutil.copy(folder / "filled", folder / "analysed")
        with open_department(folder / "analysed", PASSPHRASE) as department:
            finish(department)
        path = folder / "apart" / "w.radcal"
        path.parent.mkdir()
        names = names_key_of(path)
        with open_department(path, PASSPHRASE, create=True, settings=QUICK, names_key=names) as department:
            bring(department)
            finish(department)

    folder = prepared_once("small", fill)
    return SimpleNamespace(filled=folder / "filled", analysed=folder / "analysed", apart=folder / "apart")


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


@pytest.fixture
def author(analysed: Department) -> str:
    """A radiologist of `analysed`."""
    return analysed.authors()[0]


@pytest.fixture(scope="session")
def make(table: SimpleNamespace) -> SimpleNamespace:
    """Tables as CSV, and the passphrase and settings of the workspaces."""
    return SimpleNamespace(read=table.read, write=table.write, passphrase=PASSPHRASE, settings=QUICK)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Department]]:
    """Makes new departments by name, which are closed at the end."""
    with ExitStack() as departments:
        yield lambda name: departments.enter_context(
            open_department(tmp_path / f"{name}.radcal", PASSPHRASE, create=True, settings=QUICK)
        )


# --- gold sets


def _read_all(department: Department, change: Callable[[Finding], Finding] = lambda f: f, *, size: int = 80) -> None:
    """Finish a gold set in which people read, of what the engine found, what ``change`` makes of it."""
    department.gold.draw(size)
    department.gold.begin("AB")
    for report in department.gold.reports():
        read = [change(f) for f in report.findings]
        marks = tuple(Mark(f"engine {i}", Verdict.CORRECTED, f) for i, f in enumerate(read))
        department.gold.mark("AB", Action(new_name(), report.report_id, marks, done=True, blind=True))


def _turned(f: Finding) -> Finding:
    """As if every present effusion had been absent."""
    return replace(f, phrase=ABSENT) if f.phrase == PRESENT and f.pathology == "pleural effusion" else f


@pytest.fixture(scope="session")
def read_all() -> Callable[..., None]:
    """Finishes a gold set: ``read_all(department, change, size=80)``."""
    return _read_all


@pytest.fixture(scope="session")
def turned() -> Callable[[Finding], Finding]:
    """What people read instead of a finding that the engine turned round."""
    return _turned


@pytest.fixture
def badly_read(
    tmp_path: Path, prepared_once: Callable[[str, Callable[[Path], object]], Path], files: SimpleNamespace
) -> Iterator[Department]:
    """The small department, with a gold set on which its engine is not accurate enough for single radiologists."""

    def fill(folder: Path) -> None:
        with open_department(shutil.copy(files.analysed, folder / "w.radcal"), PASSPHRASE) as department:
            _read_all(department, _turned)
            department.save_settings(department.settings.changed(least_accuracy=1.0))

    path = shutil.copy(prepared_once("badly-read", fill) / "w.radcal", tmp_path / "new.radcal")
    with open_department(path, PASSPHRASE) as opened:
        yield opened


# --- questions to an analysis


def _ask(
    author: str, topic: str = "pleural effusion", first: date | None = None, last: date | None = None
) -> Selection:
    return Selection(author, topic, Days(first, last))


@pytest.fixture(scope="session")
def ask() -> Callable[..., Selection]:
    """Selects a group within dates: ``ask(author, topic, first, last)``."""
    return _ask


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, files: SimpleNamespace) -> Iterator[Department]:
    """The small department, analysed, for tests that change nothing."""
    path = shutil.copy(files.analysed, tmp_path_factory.mktemp("explored") / "w.radcal")
    with open_department(path, PASSPHRASE, read_only=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def everything(shown: Department) -> pd.DataFrame:
    """All observations, as they are stored."""
    found = shown._workspace.observations()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def anyone(everything: pd.DataFrame) -> str:
    """A radiologist."""
    return str(everything["author"].min())


def _by_hand(everything: pd.DataFrame, asked: Selection) -> pd.DataFrame:
    days = everything["xray_time"].dt.date
    chosen = (everything["author"] == asked.author) & (everything["topic"] == asked.topic)
    if asked.days.first is not None:
        chosen &= days >= asked.days.first
    if asked.days.last is not None:
        chosen &= days <= asked.days.last
    return everything[chosen]


@pytest.fixture(scope="session")
def by_hand() -> Callable[[pd.DataFrame, Selection], pd.DataFrame]:
    """Picks a group's observations within dates."""
    return _by_hand


@pytest.fixture(scope="session")
def windows() -> Callable[[pd.DataFrame, str], list[Selection]]:
    """Questions from no date to a single day, ends on days with statements."""

    def _windows(everything: pd.DataFrame, author: str) -> list[Selection]:
        days = sorted(_by_hand(everything, _ask(author))["xray_time"].dt.date)
        early, middle, late = days[len(days) // 4], days[len(days) // 2], days[-len(days) // 4]
        return [
            _ask(author, first=middle),
            _ask(author, last=middle),
            _ask(author, first=early, last=late),
            _ask(author, first=middle, last=middle),
            _ask(author, first=days[0], last=days[-1]),
            _ask(author, first=days[0] + timedelta(1), last=days[-1] - timedelta(1)),
        ]

    return _windows


@pytest.fixture(scope="session")
def plain() -> Callable[[Reliability], dict[str, Any]]:
    """What is equal only where every figure is the same, but for the order of sums in rates and parts; NaN is NaN."""

    def _plain(value: Reliability) -> dict[str, Any]:
        made = {name: repr(part) if name != "curve" else _digits(part) for name, part in vars(value).items()}
        sums = {"phrases": value.phrases, "parts": map(astuple, value.parts), "together": [value.together or ()]}
        near = {
            name: [[_Near(v) if isinstance(v, float) else v for v in row] for row in rows]
            for name, rows in sums.items()
        }
        return made | near

    return _plain


class _Near(float):
    """Equal to what differs by single precision."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return other == pytest.approx(float(self), rel=1e-6, abs=1e-6, nan_ok=True)


def _digits(curve: Any) -> Any:
    if curve is None:
        return None
    return {name: getattr(curve, name).tobytes() for name in vars(curve)}


@pytest.fixture(scope="session")
def days_of() -> Callable[[Department, Selection], tuple[date, date]]:
    """The days of the first and the last finding of a group."""

    def found(department: Department, selection: Selection) -> tuple[date, date]:
        days = department.groups.evidence(selection)["xray_time"].dt.date
        return days.min(), days.max()

    return found
