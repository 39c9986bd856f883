"""Try a sentence, on the results of the prepared department."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from radcal.advice.draft_check import CheckedDraft, CheckedWord, DraftCheck
from radcal.advice.judged_records import JudgedWord, Standing
from radcal.advice.records import Recommendation
from radcal.calibration.records import PhraseRate, Wording
from radcal.system.errors import InputError
from radcal.system.selection import ALL_DAYS, Days, Group, Selection
from radcal.system.text import Text
from radcal.words.records import Phrase
from ui.pages.feedback import checked as tried
from ui.pages.feedback.page import FeedbackPage
from ui.pages.feedback.trying_tab import TRY, TryTab
from ui.shell import Shell
from ui.theme import DARK, Colours
from ui.widgets.messages import Message
from ui.words import quoted

DRAFT = "Likely edema. May represent pleural effusion."
PASSPHRASE = "correct horse battery"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, Days]]:
    """The drafts that the department was asked about, whose they were taken for, and the days that counted."""
    asked: list[tuple[str, str, Days]] = []
    read = DraftCheck.read

    def noted(check: DraftCheck, text: str, author: str, days: Days, *rest: Any) -> CheckedDraft:
        asked.append((text, author, days))
        return read(check, text, author, days, *rest)

    monkeypatch.setattr(DraftCheck, "read", noted)
    return asked


@pytest.fixture
def whole(qtbot: QtBot, shell: Shell) -> Iterator[FeedbackPage]:
    """The page with the prepared department open and Avery chosen, and the tab open."""
    window = QWidget()
    page = FeedbackPage(shell)
    QVBoxLayout(window).addWidget(page)
    page.begin()
    window.resize(1000, 600)
    with qtbot.waitExposed(window):
        window.show()
    shell.set_selection(Selection("Avery", "edema"))
    page.arrive(tab="try")
    yield page
    window.deleteLater()


@pytest.fixture
def page(whole: FeedbackPage) -> TryTab:
    return whole.trying


def typed(page: TryTab, qtbot: QtBot, text: str, cards: int) -> None:
    """Type a text and wait for what is said of it."""
    page.draft.setPlainText(text)
    qtbot.waitUntil(lambda: page._tried is not None and page._tried.text == text and page._shell.tasks.is_idle)
    assert len(page.cards) == cards


def said(card: QWidget) -> str:
    return card.accessibleName()


def marked(page: TryTab) -> list[bool]:
    return [card.property("current") is True for card in page.cards]


def test_words_are_found_as_one_types_and_the_advice_stands_beside(page: TryTab, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.draft, DRAFT)
    qtbot.waitUntil(lambda: len(page.cards) == 2)
    first, second = map(said, page.cards)
    assert first.startswith(f"{quoted('Likely')} for edema. ")
    assert "41 of 87 (47\u00a0%, " in first
    assert "Use" in page.cards[0].button.text()
    assert "Never used for pleural effusion" in second
    assert page.summary.text() == "1 suggestion."
    marks = page.draft.extraSelections()
    assert [m.cursor.selectedText() for m in marks] == ["Likely", "May represent"]
    styles = [m.format.underlineStyle() for m in marks]
    assert styles == [QTextCharFormat.UnderlineStyle.WaveUnderline, QTextCharFormat.UnderlineStyle.DotLine]


def test_a_suggestion_is_used_by_mouse_and_taken_back(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, DRAFT, 2)
    qtbot.mouseClick(page.cards[0].button, Qt.MouseButton.LeftButton)
    assert page.draft.toPlainText() == "Findings suggestive of edema. May represent pleural effusion."
    qtbot.waitUntil(lambda: "Suggestive of" in said(page.cards[0]))
    assert page.draft.hasFocus()
    qtbot.keyClick(page.draft, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert page.draft.toPlainText() == DRAFT
    qtbot.waitUntil(lambda: "Likely" in said(page.cards[0]))  # and told anew


def test_the_keyboard_alone_does_it(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, "No edema. Likely edema. Then likely edema.", 3)
    for place in (1, 2, 1):
        qtbot.keyClick(page.draft, Qt.Key.Key_F8)
        assert marked(page).index(True) == place
    qtbot.keyClick(page.draft, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert marked(page) == [False, False, True]
    qtbot.keyClick(page.draft, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.draft.toPlainText() == "No edema. Likely edema. Then suggestive of edema."


def test_the_card_of_the_word_under_the_cursor_is_marked(
    page: TryTab, qtbot: QtBot, wear: Callable[[Colours], None]
) -> None:
    typed(page, qtbot, DRAFT, 2)
    cursor = page.draft.textCursor()
    cursor.setPosition(DRAFT.index("represent"))
    page.draft.setTextCursor(cursor)
    assert marked(page) == [False, True]
    page.cards[0].button.setFocus()
    assert marked(page) == [True, False]
    wear(DARK)
    assert page.draft.extraSelections()[0].format.background().color().name() == DARK.selection


def test_marks_stand_right_behind_letters_of_two_places(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, "\U0001f600\U0001f600 Likely edema.", 1)
    assert page.draft.extraSelections()[0].cursor.selectedText() == "Likely"
    page.apply(0)
    assert page.draft.toPlainText() == "\U0001f600\U0001f600 Suggestive of edema."


def test_a_suggestion_for_an_older_draft_is_not_used(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, DRAFT, 2)
    button = page.cards[0].button
    page.draft.setPlainText(f"Now: {DRAFT}")
    assert not button.isEnabled()
    page.apply(0)
    assert page.draft.toPlainText() == f"Now: {DRAFT}"


def test_where_a_sentence_must_be_reworded_no_button_promises_it(
    page: TryTab, qtbot: QtBot, texts: Callable[[QWidget], str]
) -> None:
    typed(page, qtbot, "Edema is likely.", 1)
    assert page.cards[0].button is None
    assert "reword" in texts(page.cards[0])
    page.cards[0].setFocus()
    page.apply_current()
    assert page.draft.toPlainText() == "Edema is likely."


def test_the_draft_is_gone_on_leaving(whole: FeedbackPage, page: TryTab, qtbot: QtBot) -> None:
    for leave in (whole.leave, page.hide, lambda: qtbot.mouseClick(page.clear, Qt.MouseButton.LeftButton)):
        page.show()
        typed(page, qtbot, DRAFT, 2)
        leave()
        assert page.draft.toPlainText() == ""
        assert not page.draft.document().isUndoAvailable()
        assert page.cards == []
        assert "closer word" in page.summary.text()
        assert not page._shell.tasks.is_running(TRY)
    assert DRAFT not in QApplication.clipboard().text()


def test_another_department_is_not_shown_the_draft(
    page: TryTab, qtbot: QtBot, prepared: SimpleNamespace, tmp_path: Path
) -> None:
    typed(page, qtbot, DRAFT, 2)
    session = page._shell.session
    before = session.current
    other = Path(shutil.copy(prepared.analysed, tmp_path / "other.radcal"))
    session.open_workspace(other, PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: session.current is not before)
    assert page.draft.toPlainText() == ""


def test_another_radiologist_reads_the_same_draft(
    asked: list[tuple[str, str, Days]], page: TryTab, qtbot: QtBot
) -> None:
    typed(page, qtbot, DRAFT, 2)
    page._shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: asked[-1][:2] == (DRAFT, "Brooks"))
    assert "Brooks" in page.whose.text()
    qtbot.waitUntil(lambda: "41 of 50" in said(page.cards[0]))
    page._shell.set_selection(Selection("Brooks", "edema", Days(date(2026, 3, 5))))
    qtbot.waitUntil(lambda: asked[-1][2] == Days(date(2026, 3, 5)))
    qtbot.waitUntil(lambda: "41 of 50" not in said(page.cards[0]))
    assert page.draft.toPlainText() == DRAFT


def test_in_personal_mode_the_owner_is_the_reader(
    asked: list[tuple[str, str, Days]], whole: FeedbackPage, page: TryTab, qtbot: QtBot
) -> None:
    session = page._shell.session
    mine = {Group("Brooks", g.topic): v for g, v in session.current.groups.items() if g.author == "Brooks"}
    session.current = replace(session.current, personal="Brooks", groups=mine)
    whole.show_department(session.current)
    page.draft.setPlainText(DRAFT)
    qtbot.waitUntil(lambda: [of[:2] for of in asked[-1:]] == [(DRAFT, "Brooks")])


def test_a_failure_is_told_and_keeps_no_draft(page: TryTab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise InputError("The draft is too long. Try a part of it.")

    with monkeypatch.context() as patch:
        patch.setattr(DraftCheck, "read", fail)
        page.draft.setPlainText(DRAFT)
        qtbot.waitUntil(lambda: Message.WORK_FAILED in page._shell.messages.shown())
    assert "Likely" not in page._shell.messages.text(Message.WORK_FAILED)
    page._shell.messages.press(Message.WORK_FAILED)
    qtbot.waitUntil(lambda: len(page.cards) == 2)
    assert page._shell.messages.shown() == ()


def test_many_words_do_not_make_many_cards(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, "Likely edema. " * 60, 40)
    assert "first 40" in page.summary.text()
    assert len(page.draft.extraSelections()) == 60


def test_nothing_found_is_told(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, "Thank you for your referral.", 0)
    assert "No statement" in page.summary.text()
    page.draft.setPlainText("   ")
    qtbot.waitUntil(lambda: "closer word" in page.summary.text())


def test_narrow_windows_stack_the_two_halves(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, DRAFT, 2)
    for width, stacked in ((640, True), (1200, False)):
        page.window().resize(width, 600)
        qtbot.waitUntil(lambda stacked=stacked: (page.list.y() >= page.draft.geometry().bottom()) is stacked)


def test_every_kind_has_its_sentence_with_its_counts() -> None:
    def word(said: Standing, phrase: str = "likely", n: float = 87, y: float = 41, **more: Any) -> CheckedWord:
        rate = PhraseRate(phrase, n, y, y / n, 0.37, 0.57, 0.8, probability=0.98)
        judged = JudgedWord("edema", rate, Phrase(phrase, 4, 1, 0.75, 0.9), said, **more)
        return CheckedWord(0, 6, "" if phrase in ("absent", "present") else phrase, judged)

    assert "41 of 87: 47\u00a0% (37\u201357)" in tried.sentence(word(Standing.MATCHES), 10)
    assert tried.sentence(word(Standing.FEW, n=1, y=1), 10).endswith("1 use; advice needs 10.")
    assert tried.sentence(word(Standing.FEW, n=3, y=1), 10).endswith("3 uses; advice needs 10.")
    assert tried.sentence(word(Standing.UNDECIDED, why=Text("No gain.")), 10).endswith("No gain.")
    assert "CT showed it in" in tried.sentence(word(Standing.MATCHES, "absent"), 10)
    assert tried.name(word(Standing.MATCHES, "absent")) == "edema ruled out"
    assert tried.name(word(Standing.MATCHES, "present")) == "edema without a hedge"
    kinds = {Standing.MATCHES: "Matches", Standing.ABOVE: "Understated", Standing.UNDECIDED: "Undecided"}
    assert {standing: tried.kind(word(standing)).partition(", ")[0] for standing in kinds} == kinds
    unknown = replace(word(Standing.UNKNOWN), verbatim="hard to call")
    assert "hard to call" in tried.sentence(unknown, 10)
    assert tried.kind(unknown) == ""
    assert tried.summary(CheckedDraft("x", "a", ALL_DAYS, (unknown,))) == "No suggestion."
    change = Recommendation("likely", "possibly", 1.0, 0.97, unknown.judged.rate, Text("Say possibly."))
    advised = word(Standing.UNDECIDED, advice=change, over="edema")
    assert tried.sentence(advised, 10) == "Say possibly."
    two = CheckedDraft("x", "a", ALL_DAYS, (advised, advised))
    assert tried.summary(two) == "2 suggestions."


def worded(words: str, n: float, y: float, *, differs: bool = False) -> Wording:
    return Wording("edema", "possibly", words, n, y, y / n, 0.1, 0.9, differs)


def test_the_result_of_the_very_words_stands_beside_that_of_the_phrase() -> None:
    rate = PhraseRate("possibly", 7, 3, 3 / 7, 0.1, 0.8, 0.3)
    judged = JudgedWord("edema", rate, Phrase("possibly", 1, 2, 0.05, 0.75), Standing.FEW)
    word = CheckedWord(0, 6, "Cannot  exclude", judged)
    both = (worded("versus", 4, 3), worded("cannot exclude", 3, 0))
    assert tried.as_written(word) == ""
    assert tried.as_written(replace(word, written=both)) == (
        "Read as \u201cpossibly\u201d. Written \u201ccannot exclude\u201d: 0 of 3, 0\u00a0% (10\u201390)."
    )
    assert tried.as_written(replace(word, written=both[1:])) == "", "its counts are those of the phrase"
    assert tried.as_written(replace(word, written=both[:1])) == (
        "Read as \u201cpossibly\u201d; in these reports \u201ccannot exclude\u201d itself was never written."
    )
    unlike = tuple(replace(w, differs=True) for w in both)
    assert "were not confirmed equally often" in tried.as_written(replace(word, written=unlike))
    assert tried.as_written(replace(word, verbatim="", written=both)) == ""


def test_the_numbers_of_a_word_lead_to_their_findings(page: TryTab, qtbot: QtBot) -> None:
    typed(page, qtbot, DRAFT, 2)
    first, second = page.cards
    assert second.findings is None  # never used
    assert first.findings.text() == "Read the 87 findings"
    asked: list[tuple[Any, ...]] = []
    page._shell.choose_wanted.connect(lambda *args: asked.append(args))
    page._shell.go_wanted.connect(lambda *args: asked.append(args))
    first.findings.click()
    assert asked == [(Selection("Avery", "edema"),), ("results", {"phrase": "likely"})]
