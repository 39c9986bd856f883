"""The tables keep Qt's contract and give plain values."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from radcal.advice.judged_records import JudgedWord, Standing
from radcal.advice.judging import judged_group
from radcal.calibration.records import PhraseRate, Reliability
from radcal.system.text import Text
from radcal.words.confirmations import silent_ct
from radcal.words.records import Phrase
from ui.kit.column import EXPORT, SORT, RecordModel, measured
from ui.pages.results.cases import models as evidence
from ui.pages.results.cases.models import CaseTableModel
from ui.pages.results.cases.work import FindingRow
from ui.pages.results.words import BARS, WordColumn, WordTableModel
from ui.sentences import phrase_sentence

LIKELY = PhraseRate("likely", 87.0, 41.0, np.float64(0.4713), np.float64(0.369), np.float64(0.574), np.float64(0.82))
RARE = PhraseRate("unlikely", 8.0, 0.0, 0.0, 0.0, 0.26, 0.14)
ROW = FindingRow(
    *("Avery", "edema", "likely", "likely", "xray:1", "ct:1", datetime(2026, 3, 4)),
    *("There is likely edema.", 9, 15, "Edema.", "edema", 1.0),
)


def strict(model: QAbstractTableModel) -> None:
    """Have Qt check the model's contract for as long as it lives."""
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)


@pytest.fixture
def phrase_model(qtbot: QtBot) -> WordTableModel:
    model = WordTableModel()
    strict(model)
    group = Reliability("A", "edema", 95, (RARE, LIKELY))
    model.set_words(judged_group(group, None, [Phrase("likely", 9, 2, 0.75, 0.9)], 10).words, 10)
    return model


def test_phrases_strongest_first_with_their_numbers(phrase_model: WordTableModel) -> None:
    texts = [[phrase_model.index(r, c).data() for c in range(5)] for r in range(2)]
    assert texts[0] == ["likely", "87", "41", "47\u00a0% (37\u201357)", "75\u201390\u00a0%"]
    assert texts[1][:3] == ["unlikely", "8", "0"]
    assert phrase_model.index(0, WordColumn.RATE).data(BARS)[3:] == (0.75, 0.9)
    assert phrase_model.row_of("unlikely") == 1
    assert phrase_model.row_of("never said") == -1


def test_too_few_uses_are_said_on_hover(phrase_model: WordTableModel) -> None:
    tip = phrase_model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Said 8 times; advice needs 10." in tip
    assert "advice needs" not in phrase_model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_findings_that_count_in_part_are_explained() -> None:
    word = JudgedWord("edema", LIKELY, None, Standing.UNDECIDED)
    assert "counts in part" not in phrase_sentence(word, 10)
    assert "counts in part" in phrase_sentence(replace(word, rate=LIKELY._replace(positives=40.96)), 10)


def test_unsaid_phrases_are_not_listed(qtbot: QtBot) -> None:
    model = WordTableModel()
    model.set_words(judged_group(Reliability("A", "edema", 0, (RARE._replace(n=0.0),)), None, (), 10).words, 10)
    assert model.rowCount() == 0


def test_evidence_marks_the_certainty_words(qtbot: QtBot) -> None:
    model = CaseTableModel()
    strict(model)
    silence = silent_ct("edema", Text("it is so"))
    silent = replace(ROW, ct_sentence="", silence=silence, outcome=0.0, cue_start=-1, cue_end=-1, time=None)
    beyond = replace(ROW, cue_end=999, outcome=0.7)
    model.set_rows([ROW, silent, beyond])
    start, end = model.index(0, evidence.FindingColumn.XRAY).data(evidence.SPAN)
    assert ROW.xray_sentence[start:end] == "likely"
    assert model.index(1, evidence.FindingColumn.XRAY).data(evidence.SPAN) is None
    assert model.index(2, evidence.FindingColumn.XRAY).data(evidence.SPAN) is None
    assert [model.index(i, evidence.FindingColumn.CONFIRMED).data() for i in range(3)] == [
        "confirmed",
        "not confirmed",
        "confirmed, CT hedged",
    ]
    said = model.index(1, evidence.FindingColumn.CT).data()
    assert said == "CT mentions no edema; counted as absent, because it is so."
    assert model.index(1, evidence.FindingColumn.DATE).data() == ""


def test_what_is_no_number_is_sorted_before_all_others_and_left_empty_in_a_file(qtbot: QtBot) -> None:
    model = RecordModel([measured("share", lambda n: n, lambda n: f"{n:.1f}")])
    model.set_rows([0.2, float("nan"), -5])
    order = [model.data(model.index(row, 0), SORT) for row in range(3)]
    assert sorted(range(3), key=order.__getitem__) == [1, 2, 0]
    assert [model.data(model.index(row, 0), EXPORT) for row in range(3)] == [0.2, "", -5.0]
