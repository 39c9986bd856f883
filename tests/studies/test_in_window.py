"""A study in the window: chosen where a workspace is made, and spoken of in its words, in both languages."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QTableView, QWidget
from pytestqt.qtbot import QtBot

from radcal.findings import engines
from radcal.reports.deidentify import side_by_side as deidentifying
from radcal.words.studies import study_of
from tests.studies.conftest import KEY
from tests.studies.departments import MADE
from tests.studies.test_two_studies import FOREIGN, IN_GERMAN, OWN
from ui import language
from ui.theme import Theme
from ui.window.dialogs.new_workspace import NewWorkspaceDialog
from ui.window.main_window import MainWindow

PATIENCE = 300_000
"""Milliseconds after which what a test waits for is not coming any more."""


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    for room in (engines, deidentifying):  # one process reads
        monkeypatch.setattr(room, "number_of", lambda *_: 1)
    gc.collect()
    gc.freeze()
    gc.disable()  # as the program does
    theme = Theme(qapp)
    made, gone = MainWindow(theme), list[bool]()
    made.destroyed.connect(lambda: gone.append(True))
    made.show()
    yield made
    made.finish()
    qtbot.waitUntil(lambda: bool(gone), timeout=PATIENCE)
    language.about("")
    language.use(qapp, "en")
    theme.deleteLater()
    gc.enable()


def texts(root: QWidget) -> list[str]:
    """What stands in a part of the window, hints and heads of tables included."""
    said = list(root.findChildren(QWidget))
    found = [text for part in said for text in (part.toolTip(), part.accessibleName(), part.whatsThis())]
    found += [part.text() for part in said if isinstance(part, QLabel | QAbstractButton)]
    found += [part.itemText(i) for part in said if isinstance(part, QComboBox) for i in range(part.count())]
    for table in (part for part in said if isinstance(part, QTableView) and part.model() is not None):
        model = table.model()
        columns = range(model.columnCount())
        found += [str(model.headerData(i, Qt.Orientation.Horizontal) or "") for i in columns]
        found += [str(model.index(row, i).data() or "") for row in range(model.rowCount()) for i in columns]
    return [text for text in found if text]


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_results_speak_of_the_studys_examinations(
    code: str, study: str, run: Callable[[str], Path], window: MainWindow, qtbot: QtBot
) -> None:
    wait = partial(qtbot.waitUntil, timeout=PATIENCE)
    language.use(QCoreApplication.instance(), code)
    window.renew()
    window.entrance.open_workspace(run(study) / "w.radcal", KEY)
    wait(lambda: window.session.current is not None and window.tasks.is_idle and not window._soon.isActive())
    for key in ("results", "settings"):
        window.show_page(key)
        wait(lambda: window.tasks.is_idle)
        said = texts(window.page(key))
        if key == "results":
            assert [text for text in said if FOREIGN[study].search(text)] == []
            assert all(any(word in text for text in said) for word in (OWN if code == "en" else IN_GERMAN)[study])
        else:
            assert any(study_of(window.session.current.department.settings).name in text for text in said)


@pytest.mark.slow
def test_a_study_is_chosen_for_a_new_workspace_and_its_file_checked(
    window: MainWindow, run: Callable[[str], Path], qtbot: QtBot, tmp_path: Path
) -> None:
    wait = partial(qtbot.waitUntil, timeout=PATIENCE)
    made = MADE["mammography"](tmp_path)
    window.page("reports").importing.draft.add([made.index, made.reference])
    window.entrance.ask_new()
    [dialog] = window.findChildren(NewWorkspaceDialog)
    form = dialog.form
    broken = tmp_path / "broken.toml"
    broken.write_text('name = "x"\n\n[index]\nmodalities = "mg"\n', encoding="utf-8")
    form.choose_study(str(broken))
    assert form.study is None
    assert form.study_fault.text().startswith("broken.toml, line 4: modalities is no list.")
    form.choose_study(str(made.study))
    assert (form.study, form.studies.currentText()) == (made.study, "Mammography and biopsy")
    assert form.study_fault.text() == ""
    form.path.setText(str(tmp_path / "breast"))
    form.inside.setChecked(True)
    for field in (form.first, form.second):
        QTest.keyClicks(field, KEY)
    dialog.go.click()
    wait(lambda: window.session.current is not None and window.tasks.is_idle and not window._soon.isActive())
    assert language.spoken().say("Longest time from X-ray to CT") == "Longest time from mammogram to biopsy"
    settings = window.session.current.department.settings
    assert (study_of(settings).name, settings.window_hours) == ("Mammography and biopsy", 180 * 24)
    page = window.page("reports").importing  # made anew in the words of the study, with the files that were listed
    assert [file.path for file in page.draft.files] == [made.index, made.reference]
    wait(lambda: len(page.draft.looks) == 2 and page.draft.count is not None and window.tasks.is_idle)
    assert page.draft.why_not() == ""
    statements = sum(n for words in made.truth.values() for n, _ in words.values())
    assert (page.draft.count.pairs, page.draft.count.rejected) == (statements, 4)
    other = run("appendix") / "w.radcal"
    window.entrance.open_workspace(other, KEY)
    wait(lambda: window.session.current.path == other and window.tasks.is_idle)
    assert language.spoken().say("Longest time from X-ray to CT") == "Longest time from ultrasound to CT"
