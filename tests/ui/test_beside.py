"""While an engine reads, and even while it hangs in a report, everything short is done; other long work waits."""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.findings.records import Extraction
from radcal.findings.rules.engine import RulesEngine
from radcal.reports.importing import as_files
from radcal.reports.records import Document
from radcal.system.progress import SILENT, Progress, beside
from radcal.system.selection import Days, Selection
from tests.means import moved
from ui.pages.reports.reading import work
from ui.session import OPEN
from ui.shell import Shell
from ui.tasks import Tasks
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow

READ = "reading"
EXTRACT = RulesEngine.extract


class Held:
    """The rules hang after some reports of each reading, without a look at their progress, until they are let go."""

    def __init__(self) -> None:
        self.hangs, self.let_go = threading.Event(), threading.Event()

    def extract(self, engine: RulesEngine, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for n, read in enumerate(EXTRACT(engine, documents, progress)):
            if n == 7:
                self.hangs.set()
                assert self.let_go.wait(300)
            yield read


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    made = Held()
    monkeypatch.setattr(RulesEngine, "extract", lambda *args: made.extract(*args))
    yield made
    made.let_go.set()


@pytest.fixture
def reading(qtbot: QtBot, shell: Shell, department: Department, held: Held) -> list[Any]:
    """All reports wait to be read anew, and the engine hangs in one; the list gets what the reading ends with."""
    department.words.save(moved(department.lexicon, "presumed", "likely"))
    ended: list[Any] = []
    shell.run(READ, partial(work.read, values={}), ended.append, title="Reading", keeps=True, shares=True, long=True)
    qtbot.waitUntil(held.hangs.is_set)
    return ended


def answered(qtbot: QtBot, shell: Shell, work: Callable[[Department, Progress], Any]) -> Any:
    """What a short operation comes to."""
    results: list[Any] = []
    shell.run("short", work, results.append, failed=lambda failure: pytest.fail(failure.technical))
    qtbot.waitUntil(lambda: bool(results))
    return results[0]


def test_a_pdf_a_selection_and_an_edit_do_not_wait_for_a_reading(qtbot, shell, department, held, reading):
    selection = Selection("Avery", "edema", Days(first=date(2000, 1, 1)))
    measured = answered(qtbot, shell, lambda d, progress: d.groups.reliability(selection, progress))
    assert measured.n == shell.opened.groups[selection.group].reliability.n
    pdf = answered(qtbot, shell, lambda d, _: d.pages.pdf("Avery"))
    assert pdf.startswith(b"%PDF")
    answered(qtbot, shell, lambda d, _: d.gold.begin("AB"))  # something is stored
    assert not reading
    held.let_go.set()
    qtbot.waitUntil(lambda: bool(reading))
    assert (reading[0].read.n_read + reading[0].read.n_failed, department.gold.readers()) == (848, ("AB",))
    ids = ["xray:X0001", "ct:C0001"]
    alone = [f for e in EXTRACT(department.runs.engine(), department.runs._documents(ids), SILENT) for f in e.findings]
    stored = department._workspace.findings(reading[0].read.run_id, ids)
    assert stored["phrase"].tolist() == [f.phrase for f in alone] != []


def test_other_long_work_waits_for_the_reading(qtbot, shell, held, reading):
    order: list[str] = []
    shell.session.opened.connect(lambda _opened: order.append("analysed"))
    shell.reload()
    answered(qtbot, shell, lambda d, _: d.title)
    assert shell.tasks.is_running(OPEN)
    assert not order
    held.let_go.set()
    qtbot.waitUntil(lambda: order == ["analysed"])
    assert reading  # which had ended by then


def test_the_reading_of_an_import_holds_nothing_up(qtbot, shell, department, held, march):
    opened: list[Any] = []
    shell.session.opened.connect(opened.append)
    header, *rows = csv.reader(march.read_text(encoding="utf-8").splitlines())
    for n, row in enumerate(rows):
        row[-2] += f" Image {n}."  # texts that nobody has read
    with march.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    shell.session.import_files(as_files(reports=[march]), lambda failure: pytest.fail(failure.technical))
    qtbot.waitUntil(held.hangs.is_set)
    assert answered(qtbot, shell, lambda d, _: d.pages.pdf("Avery")).startswith(b"%PDF")
    assert not opened
    held.let_go.set()
    qtbot.waitUntil(lambda: bool(opened))
    assert opened[0].imported is not None


# --- the worker alone -----------------------------------------------------------------------------------


def test_what_runs_alone_waits_for_short_work_and_lets_it_in_where_it_says_so(qtbot: QtBot, tasks: Tasks) -> None:
    order = list[str]()
    begun, let_go, inside, out = (threading.Event() for _ in range(4))

    def short(name: str) -> None:
        tasks.start(name, lambda _: None, done=lambda _: order.append(name), failed=pytest.fail)

    def first(_: Progress) -> None:
        begun.set()
        assert let_go.wait(300)
        order.append("first")

    def alone(progress: Progress) -> None:
        order.append("alone")
        with beside(progress):
            inside.set()
            assert out.wait(300)
        order.append("alone again")

    tasks.start("first", first, done=lambda _: None, failed=pytest.fail)
    qtbot.waitUntil(begun.is_set)
    tasks.start("alone", alone, done=lambda _: order.append("over"), failed=pytest.fail, alone=True)
    qtbot.wait(50)
    assert not order
    let_go.set()
    qtbot.waitUntil(inside.is_set)
    short("second")
    qtbot.waitUntil(lambda: order == ["first", "alone", "second"])
    out.set()
    qtbot.waitUntil(lambda: order[-1] == "over")


def test_what_waits_to_run_alone_is_stopped(qtbot: QtBot, tasks: Tasks) -> None:
    stopped = list[bool]()
    begun, let_go = threading.Event(), threading.Event()

    def short(_: Progress) -> None:
        begun.set()
        assert let_go.wait(300)

    tasks.start("short", short, done=lambda _: None, failed=pytest.fail)
    qtbot.waitUntil(begun.is_set)
    tasks.start(
        "alone", pytest.fail, done=pytest.fail, failed=pytest.fail, stopped=partial(stopped.append, True), alone=True
    )
    tasks.cancel("alone")
    qtbot.waitUntil(lambda: bool(stopped))
    let_go.set()


def test_an_import_that_changes_the_results_says_so(qtbot, chest, march, open_window):
    window: MainWindow = open_window(chest)
    before = window.session.current.n_pairs
    rows = list(csv.reader(march.read_text(encoding="utf-8").splitlines()))
    with march.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([rows[0], *([f"N{row[0]}", f"N{row[1]}", *row[2:]] for row in rows[1:])])
    window.session.import_files(as_files(reports=[march]), lambda failure: pytest.fail(failure.technical))
    qtbot.waitUntil(lambda: window.session.current.n_pairs > before and window.tasks.is_idle)
    now = window.session.current.n_pairs
    assert window.messages.text(Message.RESULTS_RENEWED) == (
        f"All results are made anew, from {now} pairs of reports instead of {before}. The findings were read by Rules."
    )
