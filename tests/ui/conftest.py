"""A department of invented reports, prepared by the real pipeline once, and windows that are closed in the test."""

from __future__ import annotations

import csv
import functools
import gc
import hashlib
import itertools
import os
import shutil
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from radcal.reports.importing import as_files

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QSettings, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from radcal.chain import run_chain
from radcal.department import Department
from radcal.findings import engines
from radcal.findings.engines import make_engine
from radcal.findings.records import Extraction
from radcal.findings.rules.engine import RulesEngine
from radcal.opening import open_department
from radcal.reports.deidentify import side_by_side as deidentifying
from radcal.reports.records import Document
from radcal.system.progress import Progress
from radcal.system.resources import resource
from radcal.system.selection import Selection
from radcal.system.settings import Settings
from radcal.words.records import ABSENT, OTHER, PRESENT, UNREAD
from radcal.workspace.store import Workspace
from ui import language
from ui.pages.stage import StagePage
from ui.session import Session
from ui.shell import Shell
from ui.tasks import Tasks
from ui.theme import LIGHT, Colours, Theme, base_font, palette, style_sheet
from ui.widgets.messages import MessageBar
from ui.window.main_window import MainWindow

Widget = TypeVar("Widget", bound=QWidget)
PASSPHRASE = "correct horse battery"
EDEMA = Selection("Avery", "edema")
PATIENCE = 300_000
"""Milliseconds after which what a test waits for is not coming any more."""
SETTLED = 8
SOON = 1000
"""Milliseconds: who waits longer waits for something else than the end of what the user does."""
QUICK = Settings(bootstrap=50, second="none")
"""Few draws and the rules alone, so that results are there soon."""

# --- the reports -----------------------------------------------------------------------------------

SAID = {
    "Avery": {
        "edema": {"likely": (87, 41), "may represent": (60, 29), "present": (40, 33), "unlikely": (25, 2)},
        "infection": {
            "likely": (30, 22),
            "consistent with": (18, 16),
            "possibly": (41, 15),
            "may represent": (33, 17),
            "absent": (120, 6),
            "present": (22, 20),
        },
        "fracture": {"possibly": (9, 3), "present": (5, 5)},
    },
    "Brooks": {"edema": {"likely": (50, 41), "possibly": (44, 17), "present": (61, 58)}},
}
"""How often each radiologist used each phrase in an X-ray report, and how often the CT report confirmed it."""
WORDED = {
    "likely": "Mild interstitial prominence, likely {}, slightly more than before.",
    "may represent": "Findings may represent {}.",
    "present": "There is {}.",
    "unlikely": "Unlikely {}.",
    "consistent with": "Findings consistent with {}.",
    "possibly": "Possible {}.",
    "absent": "No {}.",
}
TERMS = {"edema": "edema", "infection": "pneumonia", "fracture": "rib fracture"}
COLUMNS = ("Accession", "MRN", "Exam Description", "Modality", "Exam Time", "Report Text", "Signing Radiologist")
STRANGE = {
    "presumbly": ("Presumbly atelectasis at the left base.", 12),
    "odds are": ("Odds are this is atelectasis.", 3),
}
"""Words of no list, the sentence that each stands in, and how often."""
NEITHER = "Heart size is normal."
ILLEGIBLE = "Illegible."
"""A report that the engine fails on while the department is prepared."""


def _reports(author: str) -> Iterator[tuple[str, str]]:
    """The X-ray and CT reports of each of a radiologist's pairs: one sentence on each topic."""
    topics = [
        [
            (WORDED[phrase].format(term), f"Smooth septal thickening, {term} is present." if i < y else f"No {term}.")
            for phrase, (n, y) in said.items()
            for i in range(n)
        ]
        for topic, said in SAID[author].items()
        for term in [TERMS[topic]]
    ]
    for statements in itertools.zip_longest(*topics, fillvalue=("", "")):
        xray, ct = (" ".join(filter(None, parts)) for parts in zip(*statements, strict=True))
        yield xray, ct


def _pairs() -> Iterator[tuple[str, str, str]]:
    """Author, X-ray and CT report of every pair.

    Beside the statements of SAID: 12 edemas of which Avery's X-ray reports say nothing, 4 that the CT reports say
    nothing of, and a pair that the engine fails on.
    """
    for i, (xray, ct) in enumerate(_reports("Avery")):
        yield "Avery", xray, f"{ct} There is edema." if 220 <= i < 232 else ct
    strange = [words for words, (sentence, n) in STRANGE.items() for _ in range(n)]
    for (xray, ct), words in itertools.zip_longest(_reports("Brooks"), strange, fillvalue=""):
        yield "Brooks", f"{xray} {STRANGE[words][0]}" if words else xray, ct
    yield from [("Avery", WORDED["likely"].format("edema"), NEITHER)] * 4
    yield "Avery", ILLEGIBLE, ILLEGIBLE


def _rows(pairs: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, ...]]:
    """A report table: the pairs, 13 X-ray reports without a CT, and 12 rows without a time."""

    def row(kind: str, n: int, when: datetime, text: str, author: str) -> tuple[str, ...]:
        exam = {"X": ("XR CHEST", "CR"), "C": ("CT CHEST", "CT")}[kind]
        return f"{kind}{n:04}", f"P{n:04}", *exam, f"{when:%d.%m.%Y %H:%M}", text, author

    for n, (author, xray, ct, *at) in enumerate(pairs):
        month, day = (1 + n % 9, 3 + n % 26) if author == "Avery" else (3, 1 + n % 9)
        when = at[0] if at else datetime(2026, month, day, 8, 30)
        yield row("X", n, when, xray, author)
        yield row("C", n, when + timedelta(hours=2), ct, "Casey")
    for n in range(1000, 1013):
        yield row("X", n, datetime(2026, 5, 5, 8, 30), WORDED["likely"].format("edema"), "Avery")
    for n in range(2000, 2012):
        yield (*row("X", n, datetime(2026, 5, 5), "No edema.", "Avery")[:4], "", "No edema.", "Avery")


def _write(path: Path, rows: Iterable[Iterable[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    return path


# --- the prepared department -----------------------------------------------------------------------


EXTRACT = RulesEngine.extract


class Other:
    """Reads as the rules do, in the place of a model, but calls every fracture present and overlooks atelectasis."""

    name, version, settings_hash = "llama", "9", "other"
    reader = SimpleNamespace(model=Path("tiny.gguf"), is_bundled=True)

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for read in make_engine().extract(documents, progress):
            findings = [f for f in read.findings if f.pathology != "atelectasis"]
            changed = (replace(f, phrase=PRESENT) if f.pathology == "fracture" else f for f in findings)
            yield replace(read, findings=tuple(changed))

    def close(self) -> None: ...


class Doubting:
    """Reads as the rules do, with a second reader to whom X-ray reports deny any fracture: those are left unread."""

    name, version, settings_hash = "rules", "1.0+rules.9+llama.9", "doubting"
    second, model = Other.reader, Path("tiny.gguf")

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for read in make_engine().extract(documents, progress):
            of_xray = read.report_id.startswith("xray")
            doubted = {"fracture": {"phrase": UNREAD, "second": ABSENT, "probability": 0.17}} if of_xray else {}
            yield replace(
                read,
                findings=tuple(
                    replace(f, rules=f.phrase if f.pathology in doubted else "", **doubted.get(f.pathology, {}))
                    for f in read.findings
                ),
            )

    def close(self) -> None: ...


def _either(name: str = "rules", *rest: Any) -> Any:
    if name == "rules" and len(rest) > 1 and rest[1].second != "none":
        return Doubting()
    return Other() if name == "llama" else make_engine(name, *rest)


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> type[Other]:
    """Engines that are soon through take the place of a model alone, and of the rules with one beside them."""
    monkeypatch.setattr("radcal.findings.runs.make_engine", _either)
    return Other


def _faulty(engine: RulesEngine, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
    """As the rules read, but what is illegible fails, and the words of STRANGE are in no list."""
    for document in documents:
        if document.text.strip() == ILLEGIBLE:
            yield Extraction(document.report_id, (), "The report took too long.")
            continue
        for read in EXTRACT(engine, [document], progress):
            findings = (
                next((replace(f, phrase=OTHER, verbatim=w) for w in STRANGE if w in f.sentence.lower()), f)
                for f in read.findings
            )
            yield replace(read, findings=tuple(findings))


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules read as they did in the prepared department, where some reports were too much for them."""
    monkeypatch.setattr(RulesEngine, "extract", _faulty)


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The rules wait after their fifth report, until this is set or they are stopped."""
    event = threading.Event()

    def held(engine: RulesEngine, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for n, read in enumerate(EXTRACT(engine, documents, progress)):
            while n >= 5 and not event.wait(0.005):
                progress.raise_if_cancelled()
            yield read

    monkeypatch.setattr(RulesEngine, "extract", held)
    return event


@pytest.fixture(autouse=True, scope="session")
def _one_process() -> Iterator[None]:
    """One process reads and takes identifiers out: these tests are not about that."""
    with pytest.MonkeyPatch.context() as patch:
        for room in (engines, deidentifying):
            patch.setattr(room, "number_of", lambda wanted, _: wanted or 1)
        yield


Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def prepare(prepared_once: Once, _one_process: None) -> Callable[..., Path]:
    """Makes a workspace with results, of the files that ``import_files`` takes or of pairs: author, texts, time."""

    def made(
        path: Path, settings: Settings, *, pairs: Iterable[tuple[Any, ...]] = (), seed: int = 0, **files: Any
    ) -> Path:
        rows = list(_rows(pairs))
        given = {kind: [file.read_bytes() for file in listed] for kind, listed in files.items()}
        what = repr((path.name, settings, seed, given or rows, RulesEngine.extract is EXTRACT))

        def fill(folder: Path) -> None:
            here = folder / path.name
            with open_department(here, PASSPHRASE, create=True, settings=settings, pseudonym_seed=seed) as department:
                table = [_write(folder / "march.csv", rows)]
                department.importing.import_reports(as_files(**(files or {"reports": table})))
            shutil.copy(here, folder / "imported")
            with open_department(here, PASSPHRASE) as department:
                department.importing.pair()
                department.runs.extract()
                department.analyse()

        folder = prepared_once(hashlib.blake2b(what.encode(), digest_size=8).hexdigest(), fill)
        shutil.copytree(folder, path.parent, dirs_exist_ok=True)
        return path

    return made


@pytest.fixture(scope="session")
def prepared(prepared_once: Once, prepare: Callable[..., Path]) -> SimpleNamespace:
    """Workspaces to copy: reports imported, read and analysed as well, and read by a second engine, too."""

    def fill(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RulesEngine, "extract", _faulty)
            analysed = prepare(folder / "analysed", QUICK, pairs=_pairs())
        twice = Path(shutil.copy(analysed, folder / "twice"))
        with open_department(twice, PASSPHRASE) as department, pytest.MonkeyPatch.context() as patch:
            patch.setattr("radcal.findings.runs.make_engine", _either)
            department.runs.choose({"engine": "llama"})
            department.runs.extract()
            department.runs.choose({"engine": "rules"})

    folder = prepared_once("window", fill)
    return SimpleNamespace(**{name: folder / name for name in ("imported", "analysed", "twice")})


@pytest.fixture(scope="session")
def original(prepared: SimpleNamespace) -> Path:
    """The workspace with results that tests have copies of; a module may prepare another."""
    return Path(prepared.analysed)


@pytest.fixture
def chest(tmp_path: Path, original: Path) -> Path:
    """A workspace with results, of this test alone."""
    return Path(shutil.copy(original, tmp_path / "chest.radcal"))


@pytest.fixture
def read_twice(tmp_path: Path, prepared: SimpleNamespace, llama: type[Other]) -> Path:
    """A workspace with results of the rules, whose reports the other engine has read as well."""
    return Path(shutil.copy(prepared.twice, tmp_path / "twice.radcal"))


@pytest.fixture(scope="session")
def analysed_sample(prepared_once: Once, _one_process: None) -> Path:
    """A workspace with the shipped sample and its results."""

    def fill(folder: Path) -> None:
        files = {kind: [resource("sample", f"{kind}.csv")] for kind in ("xray", "ct")}
        with Department(Workspace.create(folder / "sample.radcal", PASSPHRASE), "Sample department") as department:
            run_chain(department, as_files(**files))

    return prepared_once("sample", fill) / "sample.radcal"


@pytest.fixture
def ready_sample(tmp_path: Path, analysed_sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample is read and analysed already when it is opened, for tests of what comes after that."""
    numbers = itertools.count()

    def opened(_progress: Progress) -> Department:
        copy = Path(shutil.copy(analysed_sample, tmp_path / f"sample-{next(numbers)}.radcal"))
        return Department(Workspace.open(copy, PASSPHRASE), "Sample department")

    monkeypatch.setattr("radcal.opening.sample_department", opened)


@pytest.fixture
def march(tmp_path: Path) -> Path:
    """A small report table: 24 pairs, with all that is odd in the prepared department, and 12 rows without a time."""
    pairs = list(_pairs())
    rows = _rows([*pairs[:10], *pairs[264:277], pairs[-1]])
    return _write(tmp_path / "march.csv", rows)


# --- windows, shells, what they show ---------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What Qt itself remembers, of file dialogs for one, is neither read nor written where this user has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path) -> None:
    """What the window remembers between runs is remembered for the test alone."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    QLocale.setDefault(QLocale("en_US"))


class PatientBot(QtBot):
    """Waits for what must come until it is there, however slow or busy the machine is.

    A test says what happens, and in which order; how long it takes is for the benchmarks.
    """

    waitUntil = functools.partialmethod(QtBot.waitUntil, timeout=PATIENCE)  # noqa: N815 - pytest-qt's name
    waitSignal = functools.partialmethod(QtBot.waitSignal, timeout=PATIENCE)  # noqa: N815 - pytest-qt's name
    waitExposed = functools.partialmethod(QtBot.waitExposed, timeout=PATIENCE)  # noqa: N815 - pytest-qt's name
    waitActive = functools.partialmethod(QtBot.waitActive, timeout=PATIENCE)  # noqa: N815 - pytest-qt's name


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)


def _no_collection() -> None:
    """Free what earlier tests have left, and nothing from now on.

    As in the program: a collection while Qt goes through its widgets, or of a widget in the worker, takes the program
    down.  What stays, modules for the most part, is not gone through again.  At the end of a test it would be too soon:
    pytest still holds its windows then, and they would stay for good.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


@pytest.fixture
def close(qtbot: QtBot) -> Callable[..., None]:
    """close(window): end a window (or as ``how`` does it) and wait until it is gone."""

    def closed(window: MainWindow, how: Callable[[MainWindow], object] = MainWindow.finish) -> None:
        with qtbot.waitSignal(window.destroyed):
            how(window)

    return closed


@pytest.fixture
def open_window(qtbot: QtBot, qapp: QApplication, close: Callable[..., None]) -> Iterator[Callable[..., MainWindow]]:
    """Shows windows, with a workspace open if one is named; each is closed at the end of the test."""
    made: list[MainWindow] = []
    _no_collection()
    theme = Theme(qapp)

    def show(path: Path | None = None) -> MainWindow:
        window = MainWindow(theme)
        made.append(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        if path is not None:
            window.entrance.open_workspace(path, PASSPHRASE)
            qtbot.waitUntil(lambda: window.session.current is not None)
        return window

    yield show
    for window in filter(isValid, made):
        close(window)
    theme.deleteLater()
    gc.enable()


@pytest.fixture
def settle(qtbot: QtBot) -> Callable[[MainWindow], None]:
    """Waits until nothing has been under way for some turns of the loop: what ends may ask for more, or soon."""

    def waits(window: MainWindow) -> bool:
        return any(t.isActive() and t.isSingleShot() and t.interval() < SOON for t in window.findChildren(QTimer))

    def wait(window: MainWindow) -> None:
        idle = 0
        while idle < SETTLED or waits(window):
            qtbot.wait(1)
            idle = idle + 1 if window.tasks.is_idle else 0

    return wait


@pytest.fixture(scope="session")
def dropped() -> Callable[[Callable[[], QWidget]], weakref.ref[QWidget]]:
    """Makes a widget, closes it and lets go of it; a reference to it that holds nothing."""

    def let_go(make: Callable[[], QWidget]) -> weakref.ref[QWidget]:
        widget = make()
        gone = weakref.ref(widget)
        widget.close()
        widget.deleteLater()
        del widget
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        return gone

    return let_go


@pytest.fixture
def tasks(qtbot: QtBot) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    over: list[bool] = []
    made.shut_down(None, partial(over.append, True))
    qtbot.waitUntil(lambda: bool(over) or made.has_ended)
    made.deleteLater()


@pytest.fixture
def wear(qapp: QApplication) -> Iterator[Callable[[Colours], None]]:
    """wear(colours): show everything in these colours, until the test ends."""

    def put_on(colours: Colours) -> None:
        qapp.setPalette(palette(colours))
        for widget in qapp.allWidgets():  # Qt itself tells them while the application runs
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.PaletteChange))

    yield put_on
    qapp.setPalette(palette(LIGHT))


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """The window speaks German."""
    language.choose("de")
    language.use(qapp, "de")
    yield
    language.choose("")
    language.use(qapp, "en")


@pytest.fixture
def make_shell(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., Shell]]:
    """Makes shells without a window, over a workspace if one is named; ended with their worker after the test."""
    made: list[Shell] = []
    guards: list[QWidget] = []
    _no_collection()
    if qapp.styleSheet() != style_sheet(LIGHT) or qapp.font() != base_font():  # styling everything takes a while
        Theme(qapp).deleteLater()

    def make(path: Path | None = None, *, read_only: bool = False) -> Shell:
        tasks = Tasks()
        session = Session(tasks)
        shell = Shell(tasks, session, MessageBar())
        made.append(shell)
        # As in the window, work ends before the pages go: they are added later, and so closed after this.
        guards.append(QWidget())
        qtbot.addWidget(guards[-1], before_close_func=lambda _: end(shell))
        if path is not None:
            session.open_workspace(path, PASSPHRASE, lambda failure: pytest.fail(failure.text), read_only=read_only)
            qtbot.waitUntil(lambda: session.current is not None)
        return shell

    def end(shell: Shell) -> None:
        over: list[bool] = []
        shell.session.close(partial(over.append, True))
        qtbot.waitUntil(lambda: bool(over))

    yield make
    for shell in made:
        shell.messages.deleteLater()
        shell.session.deleteLater()
        shell.tasks.deleteLater()
        shell.deleteLater()
    gc.enable()


@pytest.fixture
def shell(make_shell: Callable[..., Shell], chest: Path) -> Shell:
    """A shell over the prepared department."""
    return make_shell(chest)


@pytest.fixture
def department(shell: Shell) -> Department:
    """The prepared department, open in the shell."""
    assert shell.opened is not None
    return shell.opened.department


@pytest.fixture
def show_page(qtbot: QtBot) -> Callable[..., Any]:
    """show_page(kind, shell): a page without a window, Avery on edema chosen, or another selection."""

    def show(kind: Callable[[Shell], StagePage], shell: Shell, chosen: Selection = EDEMA) -> StagePage:
        page = kind(shell)
        qtbot.addWidget(page)
        page.resize(1200, 760)
        page.begin()
        page.show()
        shell.set_selection(chosen)
        return page

    return show


@pytest.fixture(scope="session")
def texts() -> Callable[[QWidget], str]:
    """What stands on a widget: the texts of its labels that can be seen."""
    return lambda widget: "\n".join(x.text() for x in widget.findChildren(QLabel) if x.isVisibleTo(widget))


@pytest.fixture(scope="session")
def find() -> Callable[..., Any]:
    """find(page, QPushButton, "Save"): the one visible widget of a kind with these words in text or accessible name."""

    def names(widget: QWidget) -> str:
        text = widget.text() if isinstance(widget, (QAbstractButton, QLabel)) else ""
        return f"{text.replace('&', '')}\n{widget.accessibleName()}"

    def found(parent: QWidget, kind: type[Widget], name: str = "") -> Widget:
        shown = [w for w in parent.findChildren(kind) if w.isVisibleTo(parent) and name in names(w)]
        assert len(shown) == 1, f"{len(shown)} of {kind.__name__} named {name!r}"
        return shown[0]

    return found
