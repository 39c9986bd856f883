"""Departments that come in by themselves, file by file or message by message, and arrive as the truth has them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from radcal.feed.spool import Spool, make_key
from radcal.opening import open_department
from radcal.reports.formats.hl7.framing import messages
from radcal.system.settings import Settings

from .runs import KEY, SEED, Results, Went, by_reason, command, each
from .shapes import SHAPES

FOLDERS = ("manifest", "FHIR bulk", "DICOM SR")
"""Shapes that are folders, which a folder that is watched does not take."""


def _new(tmp_path: Path) -> Path:
    path = tmp_path / "w.radcal"
    open_department(path, KEY, create=True, settings=Settings(workers=1)).close()
    (tmp_path / "in").mkdir()
    return path


def _watched(tmp_path: Path, *options: object) -> tuple[int, dict[str, object]]:
    words = ("watch", tmp_path / "in", "--workspace", tmp_path / "w.radcal", "--once", "--settle", 0, "--json")
    status, out, err = command(*words, *options)
    assert status in (0, 1), err
    return status, json.loads(out)


def _words(advice: Results) -> Results:
    """What is advised, without its summary, which may tell of a word what others tell of the group."""
    return {group: {name: said for name, said in its.items() if name != "summary"} for group, its in advice.items()}


def _as_the_truth(run: Went) -> None:
    truth = run.department
    called = {number: run.shape.called(author) for number, author in truth.authors.items()}
    assert (run.pairs, run.authors) == (truth.pairs, called)
    wrong = {key: (said, run.said.get(key)) for key, said in truth.said.items() if run.said.get(key) != said}
    assert wrong == {}
    reliability, advice = run.counted
    assert run.reliability == reliability
    assert _words(run.advice) == _words(advice)
    with open_department(run.workspace, KEY, read_only=True) as department:
        steps = department.workspace.attrition()
        assert len(department.workspace.rejected()) == sum(truth.listed.values())
    found = by_reason(zip(steps["modality"], steps["reason"], steps["dropped"], strict=True))
    assert found == truth.left_out


@pytest.mark.parametrize("name", each((name for name in SHAPES if name not in FOLDERS), usual=()))
def test_files_that_are_dropped_one_after_the_other(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    department = shape.department(SEED)
    workspace = _new(tmp_path)
    (tmp_path / "made").mkdir()
    given = shape.write(tmp_path / "made", department)
    for option, path in given:
        shutil.move(path, tmp_path / "in")
        of = () if option == "reports" else ("--only", option)
        status, summary = _watched(tmp_path, *shape.options, *of)
        assert (status, summary["files"], summary["failures"]) == (0, 1, [])
    assert workspace.exists()
    assert {path.name for path in (tmp_path / "in" / "done").iterdir()} == {path.name for _, path in given}
    _as_the_truth(Went(shape, department, tmp_path, 0, {}))


@pytest.mark.slow
@pytest.mark.parametrize("name", each(["HL7", "HL7 documents"], usual=["HL7"]))
def test_messages_that_are_received_in_several_parts(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    department = shape.department(SEED)
    workspace = _new(tmp_path)
    [(_, file)] = shape.write(tmp_path, department)
    sent = [piece.data for piece in messages(file.read_bytes())]
    half = len(sent) // 2
    for part in (sent[:half], sent[half:]):
        with open_department(workspace, KEY) as opened:
            spool = Spool(workspace, make_key(opened.workspace))
        for message in part:
            spool.store(message)
        status, summary = _watched(tmp_path)
        assert (status, summary["messages"]) == (0, len(part))
    _as_the_truth(Went(shape, department, tmp_path, 0, {}))
