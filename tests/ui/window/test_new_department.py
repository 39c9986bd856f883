"""What the user asks to be imported: every file with how it is to be read, from the dialog to the workflow and back."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from radcal.records import Modality
from ui.operations import report_files
from ui.records import BOTH, CT, XRAY, ChosenFile, PlanOfImport
from ui.window.dialogs.new_department import ImportDialog

FILES = (
    ChosenFile(Path("a.csv")),
    ChosenFile(Path("b.csv"), CT, {"text": "Report"}),
    ChosenFile(Path("c.csv"), XRAY, day_first=False, replaces=True),
)


def test_what_was_asked_for_and_could_not_be_done_is_asked_for_again_whole(qtbot: QtBot) -> None:
    dialog = ImportDialog(lambda *_: None, None, new_workspace=False)
    qtbot.addWidget(dialog)
    dialog.fill(PlanOfImport(FILES))
    assert dialog.plan() == PlanOfImport(FILES)
    dialog.set_holds(2, BOTH)
    assert dialog.plan().files[2] == ChosenFile(Path("c.csv"), BOTH, day_first=False, replaces=True)


def test_files_reach_the_workflow_as_they_were_chosen() -> None:
    asked = [(f.path.name, f.modality, f.mapping, f.day_first, f.replaces) for f in report_files(FILES)]
    assert asked == [
        ("a.csv", None, {}, None, False),
        ("b.csv", Modality.CT, {"text": "Report"}, None, False),
        ("c.csv", Modality.XRAY, {}, False, True),
    ]
