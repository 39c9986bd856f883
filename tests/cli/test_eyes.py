"""Review files and contests by command: out, and back in."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from radcal.opening import open_department, open_workspace
from radcal.review.records import Action, Mark, Verdict, new_name
from radcal.review.statements import new_statement
from radcal.system.selection import ALL_DAYS, Selection

OWN = "own words of hers"


@pytest.fixture
def ready(done, key) -> Path:
    """A workspace with a gold set of six reports."""
    with open_department(done, key) as department:
        department.gold.draw(6)
    return done


def test_a_review_file_goes_out_and_its_answers_come_back(radcal, refused, ready, tmp_path, key):
    out, keys = tmp_path / "files" / "review-ab.radcal", tmp_path / "keys.csv"
    out.parent.mkdir()
    ask = ("review-file", "make", "--workspace", ready, "--reader", "AB", "--out", out)
    assert "Name a file elsewhere" in refused(*ask, "--passphrases", out.parent / "keys.csv")
    made = radcal(*ask, "--passphrases", keys)
    assert made.status == 0
    assert "6 reports of gold set 1, without findings of an engine" in made.out
    with keys.open(newline="", encoding="utf-8") as file:
        [row] = csv.DictReader(file)
    assert row["passphrase"] not in made.out
    with open_workspace(out, row["passphrase"]) as opened:
        for report in opened.gold.reports()[:4]:
            name = new_name()
            finding = new_statement(report, 0, "edema", "likely")
            mark = Mark(f"reader {name}", Verdict.ADDED, finding)
            opened.gold.mark("AB", Action(name, report.report_id, (mark,), done=True, blind=True))
    stray = tmp_path / "stray.radcal"
    stray.write_bytes(b"no workspace" * 1000)
    back = ("review-file", "merge", out, stray, "--workspace", ready, "--json")
    merged = radcal(*back)
    assert merged.status == 1
    said = json.loads(merged.out)
    assert said["merged"] == [
        {"file": "review-ab.radcal", "reader": "AB", "gold_set": 1, "finished": 4, "reports": 6, "new": 4, "turned": 0,
         "both": []}
    ]  # fmt: skip
    assert [f["file"] for f in said["failures"]] == ["stray.radcal"]
    again = radcal("review-file", "merge", out, "--workspace", ready)
    assert (again.status, again.out) == (0, "review-ab.radcal has nothing new of AB.\n")
    listed = radcal("review-file", "list", "--workspace", ready)
    assert "AB" in listed.out
    assert "not merged yet" not in listed.out
    assert row["passphrase"] not in listed.out
    with open_department(ready, key) as department:
        assert len(department.gold.answers("AB")) == 4


def test_what_a_review_file_needs_is_asked_for(radcal, refused, ready, tmp_path):
    made = radcal("review-file", "make", "--workspace", ready, "--reader", "AB", "--out", tmp_path / "a.radcal")
    assert "More, Review files" in made.out
    assert "exists" in refused(
        "review-file", "make", "--workspace", ready, "--reader", "CD", "--out", tmp_path / "a.radcal"
    )
    assert "no gold set 9" in refused(
        "review-file", "make", "--workspace", ready, "--reader", "CD", "--out", tmp_path / "b.radcal", "--gold-set", 9
    )
    assert "Name the reader" in refused("review-file", "make", "--workspace", ready)
    assert "Name the review files" in refused("review-file", "merge", "--workspace", ready)
    assert "usage: radcal review-file" in refused("review-file", "--workspace", ready)
    seen = radcal(
        "review-file", "make", "--workspace", ready, "--reader", "CD", "--out", tmp_path / "c.radcal", "--in-sight"
    )
    assert "with the engine's findings" in seen.out


def test_contests_come_back(radcal, refused, ready, tmp_path, key):
    with open_department(ready, key) as department:
        author = department.authors()[0]
        packet = department.personal_files.write(author, tmp_path / "own.radcal", OWN)
        topic = department.pages.input(author).reliabilities[0].topic
        row = department.groups.evidence(Selection(author, topic, ALL_DAYS)).iloc[0]
    with open_workspace(packet, OWN) as personal:
        personal.contests.add(row["xray_id"], topic, author, row["phrase"], "Not said.")
        file = personal.contests.hand_over(tmp_path / "contests-own.radcal-contests")
    taken = radcal("review-file", "merge", file, "--workspace", ready)
    assert taken.status == 0
    assert "1 contest is new, 0 withdrawn, 0 known before" in taken.out
    assert "Not said" not in taken.out
    file.with_name("torn.radcal-contests").write_bytes(file.read_bytes()[:-3])
    again = radcal("review-file", "merge", file, file.with_name("torn.radcal-contests"), "--workspace", ready, "--json")
    assert again.status == 1
    said = json.loads(again.out)
    assert [(t["added"], t["known"]) for t in said["taken"]] == [(0, 1)]
    assert ["torn" in f["file"] for f in said["failures"]] == [True]
    with open_department(ready, key) as department:
        assert [c.note for c in department.contests.all()] == ["Not said."]
    assert "personal file" in refused(
        "review-file", "merge", file, "--workspace", packet, "--passphrase-file", own(tmp_path)
    )


def own(folder: Path) -> Path:
    path = folder / "own.txt"
    path.write_text(OWN, encoding="utf-8")
    return path
