"""De-identification by several processes: the same texts, edits and suspects as by one."""

from __future__ import annotations

from typing import Any

import pytest

from radcal.reports.deidentify import side_by_side
from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.deidentify.side_by_side import DeidentifierSideBySide, Raw
from radcal.reports.identifiers import Known
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT
from radcal.system.workers import LOST, packed, unpacked

SECRET, STAFF = b"a secret", ["Okonkwo, Chidi"]
TEXTS = [
    Raw(
        f"Mrs Ann Young, MRN {700_000 + i}, was seen on 3/{1 + i % 28}/2024 by Dr. Okonkwo. Small effusion.",
        Known(("Young, Ann",), ("Okonkwo, Chidi",), (str(700_000 + i),), ("4/5/1950",)),
        f"P{i % 3}",
    )
    for i in range(25)
]


def test_several_processes_take_out_what_one_takes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "_FEW", 2)
    monkeypatch.setattr(side_by_side, "_BATCH", 3)
    one = Deidentifier(SECRET, STAFF)
    expected = [one(*raw) for raw in TEXTS]
    assert all("Young" not in made.text and made.edits for made in expected)
    for n in (1, 2):
        made = list(DeidentifierSideBySide(SECRET, STAFF, n)(iter(TEXTS), SILENT))
        assert made == expected
        assert [m.forward(60) for m in made] == [m.forward(60) for m in expected]


def test_a_child_answers_what_this_process_answers() -> None:
    answer = side_by_side.prepare(unpacked(packed({"secret": SECRET.hex(), "staff": STAFF})))
    here = side_by_side.answering(Deidentifier(SECRET, STAFF))
    assert unpacked(packed(list(answer(unpacked(packed(TEXTS)))))) == unpacked(packed(list(here(TEXTS))))


def test_a_text_that_kills_two_processes_stops_the_import(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: Any) -> Any:
        return iter([LOST])

    monkeypatch.setattr(side_by_side.Workers, "__call__", lost)
    with pytest.raises(EngineError, match="broke down twice at the same report"):
        list(DeidentifierSideBySide(SECRET, STAFF, 2)(TEXTS, SILENT))
