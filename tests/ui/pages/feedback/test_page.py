"""The feedback page on a real small department: preview, choices, saving, printing, files for all."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from radcal.feedback.batch import Written
from radcal.feedback.records import PageChoice
from radcal.opening import open_department, open_workspace
from radcal.sample.department import generate
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT
from radcal.system.selection import Days, Selection
from radcal.system.settings import Settings
from ui.pages.feedback import page as feedback
from ui.pages.feedback.batch import BATCH, COUNT, HANDED_OUT
from ui.pages.feedback.models import BatchColumn, BatchModel, Radiologist, outcome
from ui.pages.feedback.page import FeedbackPage
from ui.pages.feedback.pages_tab import PEOPLE
from ui.pages.feedback.printing import chosen_pages, print_pages, set_paper
from ui.pages.feedback.saving import local_sheet
from ui.pages.feedback.work import Preview
from ui.shell import Shell
from ui.theme import DARK, Colours
from ui.widgets.messages import Message

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""In English, whatever the locale that Qt has taken over from the environment."""
PASSPHRASE = "correct horse battery"
QUICK = Settings(bootstrap=50, min_group_n=10, min_phrase_n=5)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, prepare: Callable[..., Path]) -> Path:
    """A workspace of two radiologists, analysed."""
    folder = tmp_path_factory.mktemp("feedback")
    small = generate(folder / "reports", 80, 4, radiologists=2)
    return prepare(folder / "small.radcal", QUICK, xray=[small.xray], ct=[small.ct])


@pytest.fixture
def shell(make_shell: Callable[..., Shell]) -> Shell:
    """A shell without a department."""
    return make_shell()


@pytest.fixture
def show(shell: Shell, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Callable[[], FeedbackPage]:
    monkeypatch.setattr(feedback, "_KEEP_MS", 100)
    monkeypatch.setattr(feedback, "_TYPE_MS", 50)

    def make() -> FeedbackPage:
        page = FeedbackPage(shell)
        qtbot.addWidget(page)
        page.begin()
        page.resize(1100, 700)
        with qtbot.waitExposed(page):
            page.show()
        return page

    return make


@pytest.fixture
def page(shell: Shell, show: Callable[[], FeedbackPage], qtbot: QtBot, file: Path, tmp_path: Path) -> FeedbackPage:
    """The page with the small department open and the first radiologist's pages drawn."""
    made = show()
    copy = Path(shutil.copy(file, tmp_path / "small.radcal"))
    shell.session.open_workspace(copy, PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: shell.session.current is not None)
    choose(shell, 0)
    qtbot.waitUntil(lambda: drawn(made))
    return made


def choose(shell: Shell, place: int) -> str:
    opened = shell.session.current
    authors = sorted({group.author for group in opened.groups})
    topic = next(g.topic for g in opened.groups if g.author == authors[place])
    shell.set_selection(Selection(authors[place], topic))
    return authors[place]


def drawn(page: FeedbackPage) -> bool:
    return page.view.page >= 0 and page.view.has_picture(0)


def preview(page: FeedbackPage) -> Preview:
    assert page.preview is not None
    return page.preview


def words(pdf: bytes) -> str:
    text = " ".join(p.extract_text() for p in PdfReader(io.BytesIO(pdf)).pages)
    return " ".join(text.split()).replace("\u2019", "'")


def shown(page: FeedbackPage) -> str:
    return " ".join(" ".join(p.text for p in preview(page).pages).split()).replace("\u2019", "'")


def settled(page: FeedbackPage, qtbot: QtBot, there: str = "", gone: str = "\0") -> None:
    qtbot.waitUntil(lambda: there in shown(page) and gone not in shown(page))


def test_the_real_pages_are_on_show(page: FeedbackPage) -> None:
    author = page.title.text()
    assert author in shown(page)
    image = page.view.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(0, image.height(), 3)}
    assert "#ffffff" in colours
    assert any(QColor(c).lightness() < 60 for c in colours)
    assert page.reading.place.text().startswith("Page 1 of")
    assert author in page.view.accessibleDescription()


def test_without_a_department_or_results_the_page_leads_on(
    shell: Shell, show: Callable[[], FeedbackPage], qtbot: QtBot, tmp_path: Path
) -> None:
    page = show()
    assert page.is_empty
    with qtbot.waitSignal(shell.go_wanted) as went:
        qtbot.mouseClick(page.empty_button, Qt.MouseButton.LeftButton)
    assert went.args == ["start", {}]
    open_department(tmp_path / "new.radcal", PASSPHRASE, create=True).close()
    shell.session.open_workspace(tmp_path / "new.radcal", PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: "results" in page.empty_text)
    assert not page.save.isVisible()


def test_ticks_and_the_note_change_the_pages_and_are_kept(page: FeedbackPage, shell: Shell, qtbot: QtBot) -> None:
    department, author = shell.session.current.department, page.title.text()
    page.choices.examples.setFocus()
    qtbot.keyClick(page.choices.examples, Qt.Key.Key_Space)
    settled(page, qtbot, there="Left out of these pages by choice: example sentences.")
    qtbot.keyClicks(page.choices.note, "Read page 2 first.")
    settled(page, qtbot, there="Read page 2 first.")
    item = page.choices.topics.item(0)
    topic = item.data(Qt.ItemDataRole.UserRole)
    page.choices.topics.setCurrentItem(item)
    qtbot.keyClick(page.choices.topics, Qt.Key.Key_Space)
    settled(page, qtbot, there=f"by choice: {topic}")
    wanted = PageChoice(without=(topic,), examples=False, note="Read page 2 first.")
    qtbot.waitUntil(lambda: department.pages.choice(author) == wanted)
    # Another radiologist has a choice of their own; the first one's comes back.
    choose(shell, 1)
    qtbot.waitUntil(lambda: page.choices.isEnabled() and page.choices.choice() == PageChoice())
    choose(shell, 0)
    qtbot.waitUntil(lambda: page.choices.choice() == wanted)
    settled(page, qtbot, there="Read page 2 first.")
    page.choices.diagrams.click()
    page.leave()  # what was changed last is kept, too
    qtbot.waitUntil(lambda: not department.pages.choice(author).diagrams)


def test_changes_are_undone_and_redone(page: FeedbackPage, shell: Shell, qtbot: QtBot) -> None:
    stack = page.undo_stack
    assert stack in shell.undo.stacks()
    page.choices.recommendations.click()
    qtbot.keyClicks(page.choices.note, "abc")
    assert stack.count() == 2  # letters in a row are one change
    stack.undo()
    assert page.choices.choice() == PageChoice(recommendations=False)
    stack.undo()
    assert page.choices.choice() == PageChoice()
    stack.redo()
    stack.redo()
    assert page.choices.choice() == PageChoice(recommendations=False, note="abc")
    settled(page, qtbot, there="abc")
    page.reset.trigger()
    assert page.choices.choice() == PageChoice()
    qtbot.mouseClick(page.choices.none, Qt.MouseButton.LeftButton)
    settled(page, qtbot, there="Every pathology was left out of these pages")
    n = stack.count()
    qtbot.mouseClick(page.choices.all, Qt.MouseButton.LeftButton)
    settled(page, qtbot, gone="by choice")
    assert stack.count() == n + 1
    choose(shell, 1)
    assert stack.count() == 0


def middle(page: FeedbackPage, shell: Shell) -> Selection:
    """The author on show, from the day on that halves the days of the examinations."""
    selection: Selection = shell.selection
    first, last = shell.session.current.exams[selection.author]
    assert first is not None
    assert last is not None
    return replace(selection, days=Days((first + (last - first) / 2).date()))


def test_the_pages_follow_the_dates(page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    every, department = shown(page), shell.session.current.department
    author, topics = page.title.text(), page.choices.topics
    page.choices.examples.click()
    settled(page, qtbot, there="example sentences")
    listed = {topics.item(k).data(Qt.ItemDataRole.UserRole) for k in range(topics.count())}
    chosen = middle(page, shell)
    assert chosen.days.first is not None
    shell.set_selection(chosen)
    # Nothing of other days can be saved or printed as if it were of these.
    assert not page.save.isEnabled()
    assert not page.print.isEnabled()
    assert "dates alone" in page.sentence.text()
    assert page.meta.text().startswith("since")
    qtbot.waitUntil(lambda: drawn(page))
    assert page.save.isEnabled()
    first = chosen.days.first
    assert f"days chosen: from {first.day} {MONTHS[first.month - 1]} {first.year}" in shown(page).replace("\u00a0", " ")
    assert "example sentences" in shown(page)  # what goes in is the same for all days
    said = {r.topic: r.n for r in department.pages.input(author, chosen.days).reliabilities}
    texts = {topics.item(k).data(Qt.ItemDataRole.UserRole): topics.item(k).text() for k in range(topics.count())}
    assert texts == {topic: f"{topic} ({said.get(topic, 0):.0f})" for topic in listed}
    page.save_as(str(tmp_path / "some.pdf"))
    qtbot.waitUntil(lambda: Message.SAVED in shell.messages.shown())
    choice = department.pages.choice(author)
    assert (tmp_path / "some.pdf").read_bytes() == department.pages.pdf(
        author, choice, days=chosen.days, sheet=page.sheet()
    )
    shell.set_selection(replace(chosen, days=replace(chosen.days, first=date(2100, 1, 1))))
    qtbot.waitUntil(page.reading.nothing.isVisible)
    assert page.reading.nothing.text.text().startswith(f"{author} has no findings on the chosen dates: ")
    assert page.reading.nothing.text.text().endswith(f"On all dates together: {sum(said_in_all(shell)[author]):.0f}.")
    assert not page.save.isEnabled()
    assert not page.print.isEnabled()
    asked: list[Selection] = []
    shell.choose_wanted.connect(asked.append)
    page.reading.nothing.button.click()
    assert asked == [Selection(chosen.author, chosen.topic)]
    shell.set_selection(replace(chosen, days=replace(chosen.days, first=None)))
    qtbot.waitUntil(lambda: drawn(page) and "days chosen" not in shown(page))
    page.choices.examples.click()
    settled(page, qtbot, gone="example sentences")
    assert shown(page) == every


def said_in_all(shell: Shell) -> dict[str, list[float]]:
    said: dict[str, list[float]] = {}
    for group, view in shell.session.current.groups.items():
        said.setdefault(group.author, []).append(view.reliability.n)
    return said


def test_files_for_all_follow_the_dates_and_keep_passphrases(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    chosen = middle(page, shell)
    shell.set_selection(chosen)
    assert not shell.tasks.is_running(COUNT), "nobody looks at the list yet"
    page.arrive(tab="all")
    assert shell.tasks.is_running(COUNT)
    shell.set_selection(replace(chosen, days=replace(chosen.days, first=None)))
    batch, department = page.batch, shell.session.current.department
    assert not batch.dates.isVisible()
    every = [(row.n, row.suggestions) for row in batch.model.rows]

    def write(**what: bool) -> None:
        batch.write_files(tmp_path / "out", batch.authors(), **what)
        qtbot.waitUntil(lambda: not shell.tasks.is_running(BATCH))

    write(pages=False, personal_files=True)
    drawn_for = [row.written.passphrase for row in batch.model.rows if row.written]
    assert all(drawn_for)
    shell.set_selection(chosen)
    assert batch.dates.isVisible()
    assert "since" in batch.dates.text()
    assert "Personal files hold all" not in batch.dates.text()
    batch.personal_files.click()
    assert "Personal files hold all" in batch.dates.text()
    assert [row.suggestions for row in batch.model.rows] == [None, None]
    inputs = [department.pages.input(row.author, chosen.days) for row in batch.model.rows]
    said = [sum(r.n for r in data.reliabilities) for data in inputs]
    qtbot.waitUntil(lambda: [row.n for row in batch.model.rows] == said)
    assert said != [n for n, _ in every]
    write(pages=True, personal_files=False)
    for row, data, passphrase in zip(batch.model.rows, inputs, drawn_for, strict=True):
        assert row.written is not None
        assert row.suggestions == sum(len(a.recommendations) for a in data.advices)
        pdf, packet = row.written.files  # and the personal file of before, with its passphrase
        assert f"-from-{chosen.days.first}.pdf" in pdf.name
        assert row.written.passphrase == passphrase
        open_workspace(packet, passphrase).close()
    shell.set_selection(replace(chosen, days=replace(chosen.days, first=None)))
    assert [(row.n, row.suggestions) for row in batch.model.rows] == every
    assert not batch.dates.isVisible()


def test_scrolling_and_zooming_by_keyboard(page: FeedbackPage, qtbot: QtBot) -> None:
    view, bar = page.view, page.view.verticalScrollBar()
    view.setFocus()
    n = len(preview(page).pages)
    assert n > 1
    for key, moved in ((Qt.Key.Key_Down, 48), (Qt.Key.Key_Up, 0)):
        qtbot.keyClick(view, key)
        assert bar.value() == moved
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.page == 1
    second = bar.value()
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert bar.value() > second
    qtbot.keyClick(view, Qt.Key.Key_PageUp)
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert bar.value() == bar.maximum()
    qtbot.waitUntil(lambda: view.has_picture(n - 1))
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.page < n
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert (bar.value(), view.page) == (0, 0)
    fitted = view.zoom
    qtbot.keyClick(view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert view.zoom > fitted
    assert not view.has_picture(0)
    qtbot.waitUntil(lambda: view.has_picture(0))
    for _ in range(3):
        page.reading.larger.click()
    assert view.horizontalScrollBar().maximum() > 0
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.horizontalScrollBar().value() > 0
    qtbot.keyClick(view, Qt.Key.Key_Left)
    page.reading.smaller.click()
    qtbot.keyClick(view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == fitted
    page.reading.turn(1)
    assert view.page == 1


def test_a_failing_preview_is_told_and_tried_again(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from radcal.feedback import pdf

    def failing(*_: object) -> bytes:
        raise EngineError("The fonts of the printed page are missing or damaged.")

    bar = shell.messages
    with monkeypatch.context() as patch:
        patch.setattr(pdf, "feedback_pdf", failing)
        page.choices.examples.click()
        qtbot.waitUntil(lambda: Message.WORK_FAILED in bar.shown())
    assert "fonts" in bar.text(Message.WORK_FAILED)
    bar.press(Message.WORK_FAILED)
    settled(page, qtbot, there="example sentences")


def test_saved_as_it_is_on_show(page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    bar = shell.messages
    qtbot.keyClicks(page.choices.note, "As shown.")
    page.ask_save()
    (dialog,) = page.window().findChildren(QFileDialog)
    assert dialog.defaultSuffix() == "pdf"
    dialog.reject()
    page.save_as(str(tmp_path / "out.pdf"))  # before the preview is made anew
    qtbot.waitUntil(lambda: Message.SAVED in bar.shown())
    assert "As shown." in words((tmp_path / "out.pdf").read_bytes())
    (tmp_path / "file").write_text("x")
    page.save_as(str(tmp_path / "file" / "out.pdf"))
    qtbot.waitUntil(lambda: Message.SAVE_FAILED in bar.shown())
    assert "cannot be written" in bar.text(Message.SAVE_FAILED)


def test_files_for_all(page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    page.arrive(tab="all")
    batch = page.batch
    assert batch.authors() == tuple(row.author for row in batch.model.rows)
    assert batch.write.text() == "&Write 2 files…"
    batch.personal_files.click()
    assert batch.write.text() == "&Write 4 files…"
    qtbot.mouseClick(batch.write, Qt.MouseButton.LeftButton)
    (dialog,) = page.window().findChildren(QFileDialog)
    assert dialog.fileMode() == QFileDialog.FileMode.Directory
    dialog.reject()
    batch.write_files(tmp_path / "out", batch.authors(), pages=True, personal_files=True)
    assert batch.stop.isVisible()
    assert batch.window().focusWidget() is batch.stop
    assert not batch.write.isEnabled()
    qtbot.waitUntil(lambda: not shell.tasks.is_running(BATCH))
    qtbot.waitUntil(lambda: batch.window().focusWidget() is batch.write)
    rows = batch.model.rows
    assert all(row.written is not None and len(row.written.files) == 2 for row in rows)
    assert sorted(p.suffix for p in (tmp_path / "out").iterdir()) == [".pdf", ".pdf", ".radcal", ".radcal"]
    assert "2 of 2" in batch.outcome.text()
    assert "this workspace keeps them" in batch.outcome.text()
    assert batch.open_folder.isVisible()
    first: Any = rows[0].written
    with open_workspace(first.files[1], first.passphrase) as personal:
        assert personal.personal == rows[0].author
    # Enter on a row shows the pages of that radiologist.
    asked: list[Selection] = []
    shell.choose_wanted.connect(asked.append)
    batch.table.view.setFocus()
    batch.table.select_row(1)
    qtbot.keyClick(batch.table.view, Qt.Key.Key_Return)
    assert asked[0].author == rows[1].author
    assert page.tabs.currentIndex() == 0


def test_files_are_written_for_those_who_are_chosen_and_as_many_as_the_button_says(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    page.arrive(tab="all")
    assert page.selects == ("dates", "run")  # a radiologist in the bar would look chosen here
    batch, view = page.batch, page.batch.table.view
    batch.pages.click()
    batch.personal_files.click()
    first, second = (row.author for row in batch.model.rows)
    assert "2 files" in batch.write.text()
    assert "all 2" in batch.whom.text()

    place = view.visualRect(batch.table.proxy.index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert batch.write.text() == "&Write 1 file…"
    assert batch.whom.text() == f"For {second} alone."
    qtbot.mouseClick(batch.write, Qt.MouseButton.LeftButton)
    (dialog,) = page.window().findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "out"))
    dialog.reject()
    qtbot.waitUntil(lambda: not shell.tasks.is_running(BATCH))
    written = batch.model.rows
    assert written[0].written is None
    assert written[1].written.files == tuple((tmp_path / "out").iterdir())
    assert f"Files for {second} are in" in batch.outcome.text()

    batch.everyone.click()
    assert "2 files" in batch.write.text()
    assert not batch.everyone.isVisible()
    batch.table.search.setText(first)
    qtbot.waitUntil(lambda: batch.authors() == (first,))
    assert batch.whom.text() == f"For {first} alone."
    page.tabs.setCurrentIndex(0)
    assert "author" in page.selects


def test_passphrases_of_before_stand_in_the_table_when_the_workspace_is_opened_again(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    batch, department = page.batch, shell.session.current.department
    first = batch.model.rows[0].author
    [written] = department.handing_out.write_all(tmp_path / "out", [first], pages=False, personal_files=True)
    assert not shell.tasks.is_running(HANDED_OUT)  # nobody looks at the table yet
    page.arrive(tab="all")
    qtbot.waitUntil(lambda: batch.model.rows[0].written is not None)
    words_shown: Any = batch.model.rows[0].written
    assert (words_shown.files, words_shown.passphrase) == (written.files, written.passphrase)
    assert batch.model.rows[1].written is None
    # A newer passphrase takes its place.
    batch.write_files(tmp_path / "out", (first,), pages=False, personal_files=True)
    qtbot.waitUntil(lambda: not shell.tasks.is_running(BATCH))
    newer: Any = batch.model.rows[0].written
    assert newer.passphrase != written.passphrase
    shell.session.opened.emit(shell.session.current)
    qtbot.waitUntil(lambda: not shell.tasks.is_running(HANDED_OUT))
    assert batch.model.rows[0].written == newer


def test_a_cancelled_batch_says_what_was_written(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from radcal.feedback.batch import Batch

    real = Batch._write_one

    def slow(self: Batch, author: str, *rest: object, **more: object) -> Written:
        shell.tasks.cancel(BATCH)
        return real(self, author, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Batch, "_write_one", slow)
    page.batch.write_files(tmp_path / "out", page.batch.authors(), pages=True, personal_files=False)
    qtbot.waitUntil(lambda: not shell.tasks.is_running(BATCH))
    words_shown = [outcome(row.written) for row in page.batch.model.rows]
    assert words_shown[0].endswith(".pdf")
    assert "stopped" in words_shown[1]
    assert "1 of 2" in page.batch.outcome.text()


def test_the_button_offers_what_can_be_written(page: FeedbackPage, shell: Shell, qtbot: QtBot) -> None:
    batch = page.batch
    page.arrive(tab="all")
    batch.pages.click()
    assert not batch.write.isEnabled()
    assert "Tick" in batch.write.toolTip()
    batch.table.view.selectAll()
    assert not batch.write.isEnabled()
    batch.table.view.clearSelection()
    # Where their passphrases cannot be kept there are no personal files.
    batch.personal_files.click()
    page.show_department(replace(shell.session.current, read_only=True))
    assert not batch.personal_files.isEnabled()
    assert not batch.personal_files.isChecked()
    assert "can keep no passphrases" in batch.personal_files.toolTip()
    assert not page.packet.isEnabled()
    page.show_department(shell.session.current)
    assert batch.personal_files.isEnabled()
    assert page.packet.isEnabled()
    # Who has no statements on the dates has no pages.
    batch.pages.click()
    first, second = (row.author for row in batch.model.rows)
    batch.model.set_days(Days(date(2020, 1, 1), None), {first: 0.0, second: 3.0})
    assert batch.write.text() == "&Write 1 file…"
    batch.model.set_days(Days(date(2020, 1, 1), None), {first: 0.0, second: 0.0})
    assert not batch.write.isEnabled()
    assert "no statements of these dates" in batch.write.toolTip()
    # For one radiologist alone.
    page.tabs.setCurrentIndex(0)
    page.packet.trigger()
    assert page.tabs.currentIndex() == 1
    (dialog,) = page.window().findChildren(QFileDialog)
    dialog.reject()


def test_the_model_of_the_list_keeps_its_rules() -> None:
    model = BatchModel()
    model.set_rows([Radiologist("A", 1204, 3), Radiologist("B", 12, 0)])
    model.set_written([Written("B", (Path("x/page.pdf"),), "abc", "The disk is full.")])
    at = partial(model.index, 1)
    assert at(BatchColumn.OUTCOME).data() == "page.pdf written. The disk is full."
    assert at(BatchColumn.PASSPHRASE).data() == "abc"
    assert model.index(0, BatchColumn.OUTCOME).data() == ""
    assert model.headerData(0, Qt.Orientation.Horizontal) == "radiologist"
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_in_personal_mode_only_the_own_pages_are_there(
    shell: Shell, show: Callable[[], FeedbackPage], qtbot: QtBot, file: Path, tmp_path: Path
) -> None:
    with open_department(Path(shutil.copy(file, tmp_path / "x.radcal")), PASSPHRASE) as department:
        author = department.authors()[1]
        packet = department.personal_files.write(author, tmp_path / "own.radcal", "own words of hers")
    page = show()
    shell.session.open_workspace(packet, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: drawn(page))
    assert page.title.text() == author
    assert not page.tabs.tabBar().isVisible()
    assert not page.packet.isVisible()
    assert not page.choices.comparison.isVisible()
    assert not page.choices.note.isVisible()
    assert "read only" in page.choices.hint.text()
    page.choices.examples.click()
    settled(page, qtbot, there="example sentences")  # for as long as it is open
    page.leave()
    assert Message.WORK_FAILED not in shell.messages.shown()


def test_colours_reach_the_ground_and_not_the_paper(page: FeedbackPage, wear: Callable[[Colours], None]) -> None:
    wear(DARK)
    image: QImage = page.view.viewport().grab().toImage()
    assert image.pixelColor(QPoint(3, image.height() - 3)).name() == DARK.raised
    assert image.pixelColor(QPoint(image.width() // 2, 40)).name() == "#ffffff"


def printer_to(path: Path) -> QPrinter:
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    printer.setResolution(60)
    return printer


def test_printed_pages_are_whole_and_in_order(page: FeedbackPage, shell: Shell, tmp_path: Path) -> None:
    made, department = preview(page), shell.session.current.department
    printer = printer_to(tmp_path / "printed.pdf")
    set_paper(printer, made.pages[0])
    numbers = chosen_pages(printer, len(made.pages))
    assert numbers == tuple(range(len(made.pages)))
    assert print_pages(department, SILENT, printer=printer, pdf=made.pdf, numbers=numbers) == len(numbers)
    printed = (tmp_path / "printed.pdf").read_bytes()
    sizes = department.pages.pdf_pages(printed)
    assert len(sizes) == len(numbers)
    assert round(sizes[0].width) == round(made.pages[0].width)
    for number in (0, len(numbers) - 1):
        [paper], [screen] = (department.pages.images(pdf, (number,), 20) for pdf in (printed, made.pdf))
        a, b = (
            QImage(i.data, i.width, i.height, i.stride, QImage.Format.Format_RGB32).scaled(
                16, 22, mode=Qt.TransformationMode.SmoothTransformation
            )
            for i in (paper, screen)
        )
        worst = max(
            abs(a.pixelColor(x, y).lightness() - b.pixelColor(x, y).lightness()) for x in range(16) for y in range(22)
        )
        assert worst < 60
    printer = printer_to(tmp_path / "part.pdf")
    printer.setFromTo(2, 3)
    assert chosen_pages(printer, 5) == (1, 2)
    printer.setPageOrder(QPrinter.PageOrder.LastPageFirst)
    assert chosen_pages(printer, 2) == (1,)


def test_printing_asks_without_holding_up_and_prints_what_its_dialog_is_accepted_for(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path, find: Callable[..., Any]
) -> None:
    qtbot.mouseClick(page.print, Qt.MouseButton.LeftButton)
    page.ask_print()  # no second one
    find(page, QPrintDialog).reject()
    page.window().activateWindow()
    qtbot.keyClick(page.view, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    dialog = find(page, QPrintDialog)
    out = tmp_path / "printed.pdf"
    dialog.printer().setOutputFileName(str(out))
    dialog.printer().setResolution(72)  # coarse, and soon there
    dialog.accepted.emit(dialog.printer())  # as the dialog does: with its printer
    dialog.reject()
    qtbot.waitUntil(lambda: out.exists() and shell.tasks.is_idle)
    assert len(shell.session.current.department.pages.pdf_pages(out.read_bytes())) == len(preview(page).pages)
    page.tabs.setCurrentIndex(1)  # files for all: nothing of one radiologist is printed here
    qtbot.keyClick(page.batch, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert not any(dialog.isVisible() for dialog in page.findChildren(QPrintDialog))


def test_the_pages_are_on_the_paper_and_in_the_language_that_are_chosen(page: FeedbackPage, qtbot: QtBot) -> None:
    def first() -> tuple[str, int]:
        shown = preview(page).pages[0]
        return " ".join(shown.text.splitlines()[0].split()[:2]), round(shown.width)

    assert page.sheet() == local_sheet()
    page.choices.paper.setCurrentIndex(1)
    qtbot.waitUntil(lambda: first() == ("Your certainty", 612))
    page.choices.paper.setCurrentIndex(0)
    page.choices.language.setCurrentIndex(page.choices.language.findData("de"))
    qtbot.waitUntil(lambda: first() == ("Ihre W\u00f6rter", 595))
    assert page.sheet().language == "de"


def test_the_department_s_page_is_shown_saved_and_names_nobody(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    assert page.together.made is None, "made once it is looked at"
    page.arrive(tab="department")
    qtbot.waitUntil(lambda: page.together.made is not None)
    qtbot.waitUntil(lambda: page.together.reading.view.has_picture(0))
    assert page.save.isVisible()
    assert page.save.isEnabled()
    assert page.print.isEnabled()
    assert page.more.isVisible()
    assert [action.isVisible() for action in (page.card, page.macros, page.packet, page.reset)] == [
        True,
        True,
        False,
        False,
    ]
    assert page.title.text() == "The department\u2019s page"
    page.save_ready(str(tmp_path / "department.pdf"))
    qtbot.waitUntil(lambda: Message.SAVED in shell.messages.shown())
    saved = words((tmp_path / "department.pdf").read_bytes())
    assert saved.startswith("Certainty words in the department")
    for author in {group.author for group in shell.session.current.groups}:
        assert author.partition(",")[0] not in saved
    days = Days(date(2030, 1, 1))
    shell.set_selection(replace(shell.selection, days=days))
    assert page.together.made is None, "the page of other dates must not be saved"


def test_a_pocket_card_of_the_radiologist_on_show_is_saved(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    assert page.card.isEnabled()
    page.card.trigger()
    dialog = page.window().findChild(QFileDialog)
    assert dialog is not None
    assert dialog.selectedFiles()[0].endswith(".pdf")
    dialog.reject()
    out = tmp_path / "card.pdf"
    page.hand_outs.save_card(*page._of_whom(), str(out))
    qtbot.waitUntil(lambda: Message.FILE_SAVED in shell.messages.shown())
    author = shell.session.current.called(page._author)
    assert words(out.read_bytes()).startswith("Your certainty words on a pocket card")
    assert author in words(out.read_bytes())
    page.arrive(tab="department")
    qtbot.waitUntil(lambda: page.together.made is not None)
    page.hand_outs.save_card(*page._of_whom(), str(out))
    qtbot.waitUntil(lambda: words(out.read_bytes()).startswith("The department's certainty words"))


def test_macros_are_saved_or_it_is_said_why_not(page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    page.macros.trigger()
    dialog = page.window().findChild(QFileDialog)
    assert dialog is not None
    assert dialog.selectedFiles()[0].endswith(".txt")
    assert [name.rpartition("*")[2] for name in dialog.nameFilters()] == [".txt)", ".tsv)", ".csv)"]
    dialog.reject()
    department = shell.session.current.department
    advised = {author: department.macros.of(author).macros for author in department.authors()}
    author = next(author for author, macros in advised.items() if macros)
    out = tmp_path / "macros.tsv"
    page.hand_outs.save_macros(author, page._days, str(out))
    qtbot.waitUntil(lambda: Message.MACROS_SAVED in shell.messages.shown())
    first = advised[author][0]
    assert out.read_text("utf-8").startswith(f"{first.name}\t{first.text}")
    page.hand_outs.save_macros("", page._days, str(tmp_path / "none.txt"))  # the department has no vocabulary
    qtbot.waitUntil(lambda: Message.FILE_FAILED in shell.messages.shown())
    assert not (tmp_path / "none.txt").exists()


def test_cards_and_macros_of_all_are_written_beside_the_pages(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    page.arrive(tab="all")
    batch = page.batch
    rows = batch.model.rows
    assert "2" in batch.write.text()
    batch.cards.click()
    assert "4" in batch.write.text()
    batch.macros.click()
    advised = sum(bool(row.suggestions) for row in rows)
    assert str(4 + advised) in batch.write.text()
    batch.pages.click()
    batch.write_files(tmp_path / "out", batch.authors(), cards=True, macros=True)
    qtbot.waitUntil(lambda: not shell.tasks.is_running(BATCH))
    written = [path.name for row in batch.model.rows for path in (row.written.files if row.written else ())]
    assert len(written) == 2 + advised
    assert sum(name.startswith("card-") for name in written) == 2


def test_pages_on_drafts_are_not_offered_where_there_are_none(
    make_shell: Callable[..., Shell], show_page: Callable[..., FeedbackPage], chest: Path, qtbot: QtBot
) -> None:
    page = show_page(FeedbackPage, make_shell(chest))
    page.arrive(tab="drafts")
    qtbot.waitUntil(lambda: not page.shell.tasks.is_running(PEOPLE))
    assert not page.tabs.isTabVisible(feedback.DRAFTS)
    assert page.tabs.currentIndex() == feedback.ONE


def test_each_person_s_drafts_are_shown_and_saved_beside_the_signed_wording(
    shell: Shell,
    show: Callable[[], FeedbackPage],
    prepare: Callable[..., Path],
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    header = "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Dictated By,Signing Radiologist,Status"
    rows = [
        f'{a}{n},P{n},{exam},{modality},2024-03-0{n} {hour}:00,IMPRESSION: {text},"{by}","{signer}",{status}'
        for n, trainee in enumerate(("Doe, Jane", "Doe, Jane", "Moe, Max"), 1)
        for a, exam, modality, hour, text, by, signer, status in (
            ("X", "XR CHEST", "CR", "08", "Likely edema.", trainee, "", "Preliminary"),
            ("X", "XR CHEST", "CR", "08", "Edema.", trainee, "Roe, Ann", "Final"),
            ("C", "CT CHEST", "CT", "10", "Pulmonary edema.", "Poe, Kim", "Poe, Kim", "Final"),
        )
    ]
    reports = tmp_path / "reports.csv"
    reports.write_text("\n".join((header, *rows)), encoding="utf-8")
    made = show()
    file = prepare(tmp_path / "drafts.radcal", QUICK, xray=[reports], ct=[reports])
    shell.session.open_workspace(file, PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: made.tabs.isTabVisible(feedback.DRAFTS))
    assert [made.drafts.person.itemText(i) for i in range(made.drafts.person.count())] == ["Doe, Jane", "Moe, Max"]
    made.arrive(tab="drafts")
    qtbot.waitUntil(lambda: made.drafts.made is not None and made.drafts.reading.view.has_picture(0))
    assert "2 drafts" in words(made.drafts.made.pdf)
    made.drafts.person.setCurrentText("Moe, Max")
    assert made.drafts.made is None, "nobody else's pages are saved under this name"
    qtbot.waitUntil(lambda: made.drafts.made is not None)
    made.save_ready(str(tmp_path / "max.pdf"))
    qtbot.waitUntil(lambda: Message.SAVED in shell.messages.shown())
    saved = words((tmp_path / "max.pdf").read_bytes())
    assert "Moe, Max" in saved
    assert "1 draft " in saved
    assert "Doe" not in saved
