"""The feedback page on a real small department: what it says first, preview, choices, saving, printing."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from radcal.feedback.given import Given
from radcal.feedback.records import PageChoice
from radcal.opening import open_department
from radcal.sample.department import generate
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT
from radcal.system.selection import Days, Selection
from radcal.system.settings import Settings
from radcal.workspace.context import CASES_SHOWN
from ui.pages.feedback import paper_tab
from ui.pages.feedback.page import HAND_OUT, PAGES, TRY, FeedbackPage
from ui.pages.feedback.paper_tab import DEPARTMENT, OWN, PEOPLE
from ui.pages.feedback.printing import chosen_pages, print_pages, set_paper
from ui.pages.feedback.saving import Kind, local_sheet
from ui.pages.feedback.sentences import enough, who
from ui.pages.feedback.work import Preview, Whose
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
    monkeypatch.setattr(paper_tab, "_KEEP_MS", 100)
    monkeypatch.setattr(paper_tab, "_TYPE_MS", 50)

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
    made.paper.change.click()
    return made


def choose(shell: Shell, place: int) -> str:
    opened = shell.session.current
    authors = sorted({group.author for group in opened.groups})
    topic = next(g.topic for g in opened.groups if g.author == authors[place])
    shell.set_selection(Selection(authors[place], topic))
    return authors[place]


def drawn(page: FeedbackPage) -> bool:
    return page.paper.view.page >= 0 and page.paper.view.has_picture(0)


def preview(page: FeedbackPage) -> Preview:
    assert page.paper.preview is not None
    return page.paper.preview


def words(pdf: bytes) -> str:
    text = " ".join(p.extract_text() for p in PdfReader(io.BytesIO(pdf)).pages)
    return " ".join(text.split()).replace("\u2019", "'")


def shown(page: FeedbackPage) -> str:
    return " ".join(" ".join(p.text for p in preview(page).pages).split()).replace("\u2019", "'")


def settled(page: FeedbackPage, qtbot: QtBot, there: str = "", gone: str = "\0") -> None:
    qtbot.waitUntil(lambda: there in shown(page) and gone not in shown(page))


def test_the_real_pages_are_on_show(page: FeedbackPage) -> None:
    author = page.paper.whose.author
    assert author in shown(page)
    image = page.paper.view.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(0, image.height(), 3)}
    assert "#ffffff" in colours
    assert any(QColor(c).lightness() < 60 for c in colours)
    assert page.paper.place.text().startswith("Page 1 of")
    assert author in page.paper.view.accessibleDescription()


def test_without_a_department_or_results_the_page_leads_on(
    shell: Shell, show: Callable[[], FeedbackPage], qtbot: QtBot, tmp_path: Path
) -> None:
    page = show()
    assert page.is_empty
    with qtbot.waitSignal(shell.go_wanted) as went:
        qtbot.mouseClick(page.empty_button, Qt.MouseButton.LeftButton)
    assert went.args == ["home", {}]
    open_department(tmp_path / "new.radcal", PASSPHRASE, create=True).close()
    shell.session.open_workspace(tmp_path / "new.radcal", PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: "results" in page.empty_text)
    assert not page.save.isVisible()


def test_ticks_and_the_note_change_the_pages_and_are_kept(page: FeedbackPage, shell: Shell, qtbot: QtBot) -> None:
    department, author = shell.session.current.department, page.paper.whose.author
    page.paper.choices.examples.setFocus()
    qtbot.keyClick(page.paper.choices.examples, Qt.Key.Key_Space)
    settled(page, qtbot, there="Left out of these pages by choice: example sentences.")
    qtbot.keyClicks(page.paper.choices.note, "Read page 2 first.")
    settled(page, qtbot, there="Read page 2 first.")
    item = page.paper.choices.topics.item(0)
    topic = item.data(Qt.ItemDataRole.UserRole)
    page.paper.choices.topics.setCurrentItem(item)
    qtbot.keyClick(page.paper.choices.topics, Qt.Key.Key_Space)
    settled(page, qtbot, there=f"by choice: {topic}")
    wanted = PageChoice(without=(topic,), examples=False, note="Read page 2 first.")
    qtbot.waitUntil(lambda: department.pages.choice(author) == wanted)
    # Another radiologist has a choice of their own; the first one's comes back.
    choose(shell, 1)
    qtbot.waitUntil(lambda: page.paper.choices.isEnabled() and page.paper.choices.choice() == PageChoice())
    choose(shell, 0)
    qtbot.waitUntil(lambda: page.paper.choices.choice() == wanted)
    settled(page, qtbot, there="Read page 2 first.")
    page.paper.choices.diagrams.click()
    page.hide()  # what was changed last is kept, too
    qtbot.waitUntil(lambda: not department.pages.choice(author).diagrams)


def test_changes_are_undone_and_redone(page: FeedbackPage, shell: Shell, qtbot: QtBot) -> None:
    stack = page.undo_stack
    assert stack in shell.undo.stacks()
    page.paper.choices.recommendations.click()
    qtbot.keyClicks(page.paper.choices.note, "abc")
    assert stack.count() == 2  # letters in a row are one change
    stack.undo()
    assert page.paper.choices.choice() == PageChoice(recommendations=False)
    stack.undo()
    assert page.paper.choices.choice() == PageChoice()
    stack.redo()
    stack.redo()
    assert page.paper.choices.choice() == PageChoice(recommendations=False, note="abc")
    settled(page, qtbot, there="abc")
    page.paper.reset.trigger()
    assert page.paper.choices.choice() == PageChoice()
    settled(page, qtbot, gone="by choice")
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
    author, topics = page.paper.whose.author, page.paper.choices.topics
    page.paper.choices.examples.click()
    settled(page, qtbot, there="example sentences")
    listed = {topics.item(k).data(Qt.ItemDataRole.UserRole) for k in range(topics.count())}
    chosen = middle(page, shell)
    assert chosen.days.first is not None
    shell.set_selection(chosen)
    # Nothing of other days can be saved or printed as if it were of these.
    assert not page.save.isEnabled()
    assert not page.paper.print.isEnabled()
    qtbot.waitUntil(lambda: drawn(page))
    assert page.save.isEnabled()
    first = chosen.days.first
    assert f"days chosen: from {first.day} {MONTHS[first.month - 1]} {first.year}" in shown(page).replace("\u00a0", " ")
    assert "example sentences" in shown(page)  # what goes in is the same for all days
    said = {r.topic: r.n for r in department.pages.input(author, chosen.days).reliabilities}
    texts = {topics.item(k).data(Qt.ItemDataRole.UserRole): topics.item(k).text() for k in range(topics.count())}
    assert texts == {topic: f"{topic} ({said.get(topic, 0):.0f})" for topic in listed}
    page.paper.saving.save(Kind.PAGES, page.paper.whose, str(tmp_path / "some.pdf"))
    qtbot.waitUntil(lambda: Message.SAVED in shell.messages.shown())
    choice = department.pages.choice(author)
    assert (tmp_path / "some.pdf").read_bytes() == department.pages.pdf(
        author, choice, days=chosen.days, sheet=page.paper.sheet()
    )
    department._workspace.delete_result(CASES_SHOWN, author)  # else other cases are new now
    shell.set_selection(replace(chosen, days=replace(chosen.days, first=date(2100, 1, 1))))
    qtbot.waitUntil(page.paper.nothing.isVisible)
    assert page.paper.nothing.text.text().startswith(f"{author} has no findings on the chosen dates: ")
    assert page.paper.nothing.text.text().endswith(f"On all dates together: {sum(said_in_all(shell)[author]):.0f}.")
    assert not page.save.isEnabled()
    assert not page.paper.print.isEnabled()
    asked: list[Selection] = []
    shell.choose_wanted.connect(asked.append)
    page.paper.nothing.button.click()
    assert asked == [Selection(chosen.author, chosen.topic)]
    shell.set_selection(replace(chosen, days=replace(chosen.days, first=None)))
    qtbot.waitUntil(lambda: drawn(page) and "days chosen" not in shown(page))
    page.paper.choices.examples.click()
    settled(page, qtbot, gone="example sentences")
    assert shown(page) == every


def said_in_all(shell: Shell) -> dict[str, list[float]]:
    said: dict[str, list[float]] = {}
    for group, view in shell.session.current.groups.items():
        said.setdefault(group.author, []).append(view.reliability.n)
    return said


def test_scrolling_and_zooming_by_keyboard(page: FeedbackPage, qtbot: QtBot) -> None:
    view, bar = page.paper.view, page.paper.view.verticalScrollBar()
    page.paper.choices.length.setCurrentIndex(page.paper.choices.length.findData("full"))
    qtbot.waitUntil(lambda: len(preview(page).pages) > 1 and drawn(page))
    view.setFocus()
    n = len(preview(page).pages)
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
        page.paper.larger.click()
    assert view.horizontalScrollBar().maximum() > 0
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.horizontalScrollBar().value() > 0
    qtbot.keyClick(view, Qt.Key.Key_Left)
    page.paper.smaller.click()
    qtbot.keyClick(view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == fitted
    page.paper.turn(1)
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
        page.paper.choices.examples.click()
        qtbot.waitUntil(lambda: Message.WORK_FAILED in bar.shown())
    assert "fonts" in bar.text(Message.WORK_FAILED)
    bar.press(Message.WORK_FAILED)
    settled(page, qtbot, there="example sentences")


def test_saved_as_it_is_on_show(page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    bar = shell.messages
    qtbot.keyClicks(page.paper.choices.note, "As shown.")
    page.paper.ask_save()
    (dialog,) = page.window().findChildren(QFileDialog)
    assert dialog.defaultSuffix() == "pdf"
    dialog.reject()
    page.paper.saving.save(Kind.PAGES, page.paper.whose, str(tmp_path / "out.pdf"))  # before the preview is made anew
    qtbot.waitUntil(lambda: Message.SAVED in bar.shown())
    assert "As shown." in words((tmp_path / "out.pdf").read_bytes())
    (tmp_path / "file").write_text("x")
    page.paper.saving.save(Kind.PAGES, page.paper.whose, str(tmp_path / "file" / "out.pdf"))
    qtbot.waitUntil(lambda: Message.SAVE_FAILED in bar.shown())
    assert "cannot be written" in bar.text(Message.SAVE_FAILED)


def test_in_personal_mode_only_the_own_pages_are_there(
    shell: Shell, show: Callable[[], FeedbackPage], qtbot: QtBot, file: Path, tmp_path: Path
) -> None:
    with open_department(Path(shutil.copy(file, tmp_path / "x.radcal")), PASSPHRASE) as department:
        author = department.authors()[1]
        packet = department.personal_files.write(author, tmp_path / "own.radcal", "own words of hers")
    page = show()
    shell.session.open_workspace(packet, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: drawn(page))
    assert page.title.text() == "Your page"
    assert author in shown(page)
    assert [page.tabs.isTabVisible(tab) for tab in (PAGES, HAND_OUT, TRY)] == [True, False, True]
    assert not page.paper.list.isVisible()
    page.paper.change.click()
    assert not page.paper.choices.comparison.isVisible()
    assert not page.paper.choices.note.isVisible()
    page.paper.choices.examples.click()
    settled(page, qtbot, there="example sentences")  # for as long as it is open
    page.hide()
    assert Message.WORK_FAILED not in shell.messages.shown()
    page.show()
    page.arrive(tab="hand out")
    assert page.tabs.currentIndex() == PAGES


def test_who_has_enough_and_who_got_a_page_is_said_first(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    states: list[Any] = []
    page.state_changed.connect(lambda *state: states.append(state))
    page.show_department(shell.session.current)
    qtbot.waitUntil(lambda: bool(states) and states[-1][0] == "2 ready")
    assert page.sentence.text() == "2 radiologists have enough for a page; none was made yet."
    assert "2 radiologists" in states[-1][2]
    page.paper.saving.save(Kind.PAGES, page.paper.whose, str(tmp_path / "out.pdf"))
    qtbot.waitUntil(lambda: Message.SAVED in shell.messages.shown())
    page.show_department(shell.session.current)
    qtbot.waitUntil(lambda: states[-1][0] == "1 ready")
    made = r"2 radiologists have enough for a page; pages or files were made for 1, the last in \w{3} \d{4}\."
    assert re.fullmatch(made, page.sentence.text())


def test_who_is_counted_for_a_page_is_who_can_be_told_something_and_who_has_one_is_who_was_made_one(
    page: FeedbackPage, shell: Shell
) -> None:
    opened = shell.session.current
    assert opened is not None
    silent = {g: replace(v, judged=replace(v.judged, words=())) for g, v in opened.groups.items()}
    assert enough(replace(opened, groups=silent)) == enough(opened)  # by all pathologies together
    assert enough(replace(opened, groups=silent, pooled={})) == frozenset()
    given = {a: Given(datetime(2026, 11, 3, tzinfo=UTC)) for a in "abc"} | {"d": Given()}
    assert "1 radiologist has enough for a page; pages or files were made for 3," in who({"a"}, given, 10)


def test_the_tabs_stay_where_they_are(page: FeedbackPage) -> None:
    places = set()
    for tab in (PAGES, HAND_OUT, TRY):
        page.tabs.setCurrentIndex(tab)
        page.grab()
        places.add(page.tabs.tabBar().mapTo(page, QPoint()).y())
        assert ("author" in page.selects) is (tab != HAND_OUT), "a radiologist in the bar would look chosen"
    assert len(places) == 1


def test_colours_reach_the_ground_and_not_the_paper(page: FeedbackPage, wear: Callable[[Colours], None]) -> None:
    wear(DARK)
    image: QImage = page.paper.view.viewport().grab().toImage()
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
    qtbot.mouseClick(page.paper.print, Qt.MouseButton.LeftButton)
    page.paper.ask_print()  # no second one
    find(page, QPrintDialog).reject()
    page.window().activateWindow()
    qtbot.keyClick(page.paper.view, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    dialog = find(page, QPrintDialog)
    out = tmp_path / "printed.pdf"
    dialog.printer().setOutputFileName(str(out))
    dialog.printer().setResolution(72)  # coarse, and soon there
    dialog.accepted.emit(dialog.printer())  # as the dialog does: with its printer
    dialog.reject()
    qtbot.waitUntil(lambda: out.exists() and shell.tasks.is_idle)
    assert len(shell.session.current.department.pages.pdf_pages(out.read_bytes())) == len(preview(page).pages)
    page.tabs.setCurrentIndex(HAND_OUT)  # nothing of one radiologist is printed here
    qtbot.keyClick(page.hand_out, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert not any(dialog.isVisible() for dialog in page.findChildren(QPrintDialog))


def test_the_pages_are_on_the_paper_and_in_the_language_that_are_chosen(page: FeedbackPage, qtbot: QtBot) -> None:
    def first() -> tuple[str, int]:
        shown = preview(page).pages[0]
        return " ".join(shown.text.splitlines()[0].split()[:2]), round(shown.width)

    assert page.paper.sheet() == local_sheet()
    page.paper.choices.length.setCurrentIndex(1)
    assert page.paper.sheet().pages == "full"
    page.paper.choices.paper.setCurrentIndex(1)
    qtbot.waitUntil(lambda: first() == ("Your certainty", 612))
    page.paper.choices.paper.setCurrentIndex(0)
    page.paper.choices.language.setCurrentIndex(page.paper.choices.language.findData("de"))
    qtbot.waitUntil(lambda: first() == ("Ihre W\u00f6rter", 595))
    assert page.paper.sheet().language == "de"


def test_the_department_s_page_is_shown_saved_and_names_nobody(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    choice(page, DEPARTMENT)
    assert page.paper.preview is None
    assert "author" not in page.selects
    qtbot.waitUntil(lambda: drawn(page))
    assert page.save.isEnabled()
    assert [action.isVisible() for action in (page.paper.card, page.paper.macros, page.paper.reset)] == [
        True,
        True,
        False,
    ]
    made = preview(page)
    choose(shell, 1)
    assert page.paper.preview is made, "whoever is selected, it stays the same"
    page.paper.saving.save(Kind.PAGES, page.paper.whose, str(tmp_path / "department.pdf"))
    qtbot.waitUntil(lambda: Message.SAVED in shell.messages.shown())
    saved = words((tmp_path / "department.pdf").read_bytes())
    assert saved.startswith("Certainty words in the department")
    for author in {group.author for group in shell.session.current.groups}:
        assert author.partition(",")[0] not in saved
    shell.set_selection(replace(shell.selection, days=Days(date(2030, 1, 1))))
    assert page.paper.preview is None, "the page of other dates must not be saved"
    choice(page, OWN)
    qtbot.waitUntil(page.paper.nothing.isVisible)


def choice(page: FeedbackPage, whose: str) -> None:
    page.paper.list.setCurrentIndex(page.paper.list.findData(whose))


def test_a_pocket_card_of_the_radiologist_on_show_is_saved(
    page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    assert page.paper.card.isEnabled()
    page.paper.card.trigger()
    dialog = page.window().findChild(QFileDialog)
    assert dialog is not None
    assert dialog.selectedFiles()[0].endswith(".pdf")
    dialog.reject()
    out = tmp_path / "card.pdf"
    page.paper.saving.save(Kind.CARD, page.paper.whose, str(out))
    qtbot.waitUntil(lambda: Message.FILE_SAVED in shell.messages.shown())
    assert words(out.read_bytes()).startswith("Your certainty words on a pocket card")
    assert page.paper.whose.author in words(out.read_bytes())
    page.paper.saving.save(Kind.CARD, Whose(), str(out))
    qtbot.waitUntil(lambda: words(out.read_bytes()).startswith("The department's certainty words"))


def test_macros_are_saved_or_it_is_said_why_not(page: FeedbackPage, shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    page.paper.macros.trigger()
    dialog = page.window().findChild(QFileDialog)
    assert dialog is not None
    assert dialog.selectedFiles()[0].endswith(".txt")
    assert [name.rpartition("*")[2] for name in dialog.nameFilters()] == [".txt)", ".tsv)", ".csv)"]
    dialog.reject()
    department = shell.session.current.department
    advised = {author: department.macros.of(author).macros for author in department.authors()}
    author = next(author for author, macros in advised.items() if macros)
    out = tmp_path / "macros.tsv"
    page.paper.saving.save(Kind.MACROS, Whose(author), str(out))
    qtbot.waitUntil(lambda: Message.FILE_SAVED in shell.messages.shown())
    first = advised[author][0]
    assert out.read_text("utf-8").startswith(f"{first.name}\t{first.text}")
    page.paper.saving.save(Kind.MACROS, Whose(), str(tmp_path / "none.txt"))  # the department has no vocabulary
    qtbot.waitUntil(lambda: Message.FILE_FAILED in shell.messages.shown())
    assert not (tmp_path / "none.txt").exists()


def test_pages_on_drafts_are_not_offered_where_there_are_none(
    make_shell: Callable[..., Shell], show_page: Callable[..., FeedbackPage], chest: Path, qtbot: QtBot
) -> None:
    page = show_page(FeedbackPage, make_shell(chest))
    qtbot.waitUntil(lambda: not page.shell.tasks.is_running(PEOPLE) and drawn(page))
    assert [page.paper.list.itemData(k) for k in range(page.paper.list.count())] == [OWN, DEPARTMENT]


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
    shown = made.paper.list
    qtbot.waitUntil(lambda: shown.count() == 4)
    assert [shown.itemText(k) for k in (2, 3)] == ["Drafts by Doe, Jane", "Drafts by Moe, Max"]
    choice(made, "Doe, Jane")
    qtbot.waitUntil(lambda: drawn(made))
    assert "2 drafts" in words(preview(made).pdf)
    assert not made.paper.more.isVisible()
    choice(made, "Moe, Max")
    assert made.paper.preview is None, "nobody else's pages are saved under this name"
    qtbot.waitUntil(lambda: made.paper.preview is not None)
    made.paper.saving.save(Kind.PAGES, made.paper.whose, str(tmp_path / "max.pdf"))
    qtbot.waitUntil(lambda: Message.SAVED in shell.messages.shown())
    saved = words((tmp_path / "max.pdf").read_bytes())
    assert "Moe, Max" in saved
    assert "1 draft " in saved
    assert "Doe" not in saved
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
