"""Messages in the import page: one at a time as written and as read, and all that cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from ui.pages.reports.page import ReportsPage
from ui.shell import Shell

HEAD = r"MSH|^~\&|RIS|HOSP|PACS|HOSP|20240305150000||ORU^R01|M{n}|P|2.5"
REPORT = (
    HEAD,
    "PID|1||P{n}^^^H^MR||Doe^Jane||19600101|F",
    "OBR|1||A{n}|71046^XR CHEST 2 VIEWS|||20240305143000|||||||||||||||20240305145000||CR|F|||||||R1&Smith&Ann",
    "OBX|1|TX|GDT||No pneumothorax {n}.||||||F",
)


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """A file of a report, an admission and another report."""
    one, two, three = ("\r".join(REPORT).replace("{n}", str(n)) for n in (1, 2, 3))
    path = tmp_path / "march.hl7"
    path.write_bytes("\r".join((one, two.splitlines()[0].replace("ORU^R01", "ADT^A01"), three, "")).encode())
    return path


@pytest.fixture
def page(make_shell: Callable[..., Shell], show_page: Callable[..., ReportsPage]) -> ReportsPage:
    return show_page(ReportsPage, make_shell())


def test_a_message_stands_beside_what_was_read_of_it_and_what_cannot_be_read_leads_to_it(
    qtbot: QtBot, page: ReportsPage, three: Path
) -> None:
    page.importing.take_files([three])
    view = page.importing.files.messages
    qtbot.waitUntil(lambda: "No pneumothorax 1." in view.text.toPlainText(), timeout=20_000)
    assert view.isVisible()
    assert not page.importing.files.rows.isVisible()
    assert view.raw.toPlainText().splitlines()[1].startswith("PID|1||P1^^^H^MR")
    values = dict(view.model.rows)
    assert values["the accession number"] == "A1"
    assert values["who signed"] == "Smith, Ann"
    assert not view.previous.isEnabled()
    assert not view.said.isVisible()
    view.next.click()
    qtbot.waitUntil(lambda: "ADT^A01" in view.raw.toPlainText(), timeout=20_000)
    assert "another type" in view.said.text()
    assert view.text.toPlainText() == ""
    view.next.click()
    qtbot.waitUntil(lambda: "No pneumothorax 3." in view.text.toPlainText(), timeout=20_000)
    assert not view.next.isEnabled()
    listed = page.importing.files.unreadable
    assert listed.isVisible()
    assert [(place.file, place.position) for _, place in listed.model_of.rows] == [("march.hl7", 2)]
    assert listed.model_of.index(0, 0).data() == "message 2"
    listed.selectRow(0)
    qtbot.waitUntil(lambda: "ADT^A01" in view.raw.toPlainText(), timeout=20_000)
    assert view.current == 1


def test_a_folder_names_files_and_lists_what_was_read_in_doubt(qtbot: QtBot, page: ReportsPage, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    said = "\r".join((*REPORT, "")).replace("{n}", "1").replace("No pneumothorax", "Kein Erguß")
    (folder / "a.hl7").write_bytes(said.encode("latin-1"))
    (folder / "b.json").write_text('{"resourceType": "DiagnosticReport", "status": "cancelled"}')
    page.importing.take_files([folder])
    view, listed = page.importing.files.messages, page.importing.files.unreadable
    qtbot.waitUntil(lambda: "Kein Erguß 1." in view.text.toPlainText(), timeout=20_000)
    assert view.where.text() == "1 of 2: in/a.hl7, message 1"
    assert "No encoding is named" in view.said.text()
    shown = [listed.model_of.index(row, column).data() for row in range(2) for column in range(2)]
    assert shown[0] == "a.hl7\nmessage 1"
    assert shown[1].startswith("No encoding is named")
    assert shown[2] == "b.json\nresource 1"
    view.next.click()
    qtbot.waitUntil(lambda: "cancelled" in view.raw.toPlainText(), timeout=20_000)
    assert view.where.text() == "2 of 2: in/b.json, resource 1"


def test_what_may_be_cut_short_is_read_once_somebody_says_to_have_looked(
    qtbot: QtBot, page: ReportsPage, three: Path
) -> None:
    three.write_bytes(three.read_bytes()[:-1])
    page.importing.take_files([three])
    files = page.importing.files
    qtbot.waitUntil(lambda: files.draft.counted(three) is not None, timeout=20_000)
    counted = files.draft.counted(three)
    assert (counted.held, counted.xray) == (1, 1)
    assert files.whole.isVisible()
    assert not files.whole.isChecked()
    assert "One report may be cut short" in files.said.text()
    assert [place.position for _, place in files.unreadable.model_of.rows] == [2, 3]
    files.unreadable.selectRow(1)
    qtbot.waitUntil(lambda: "No pneumothorax 3." in files.messages.text.toPlainText(), timeout=20_000)
    assert "does not end" in files.messages.said.text()
    files.whole.click()
    qtbot.waitUntil(lambda: (now := files.draft.counted(three)) is not None and now.xray == 2, timeout=20_000)
    assert (files.draft.counted(three).held, files.whole.isChecked(), files.whole.isVisible()) == (0, True, True)
