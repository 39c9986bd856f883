"""`radcal casemix`: what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radcal.calibration.subgroup_records import CaseMix
from radcal.opening import open_department


def test_radiologists_and_groups_are_written_as_json(radcal, done, tmp_path: Path):
    out = tmp_path / "C.json"
    shared = ("--workspace", done, "--by", "site, age,topic", "--out", out)
    told = radcal("casemix", *shared, "--json", "--names")
    assert told.status == 0
    summary = json.loads(told.out)
    assert (summary["authors"], summary["out"]) == (2, str(out))
    made = json.loads(out.read_text(encoding="utf-8"))
    assert made.keys() == {*CaseMix.__slots__, "groups"}
    assert made["by"] == ["site", "age", "topic"]
    assert [g["grouping"] for g in made["groups"]] == ["site", "age"]
    assert sum(s["n"] for s in made["strata"]) == made["n"]
    assert all(0 < a["covered"] <= 1 and {"in_all", "like_cases"} <= a.keys() for a in made["authors"])


@pytest.mark.slow
def test_radiologists_are_called_alike_in_all_files(radcal, author, key, tmp_path: Path):
    with open_department(tmp_path / "w.radcal", key, read_only=True) as department:
        names = department.pseudonyms()
    assert author in names
    shared = ("--workspace", tmp_path / "w.radcal", "--out")
    for option, called in (((), set()), (("--names",), set(names))):
        radcal("casemix", *shared, tmp_path / "C.json", "--by", "site", *option)
        radcal("sensitivity", *shared, tmp_path / "S.json", "--windows", "12", *option)
        mix, what_if = (json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8")) for name in "CS")
        if not option:  # two are too few to be shown under pseudonyms
            assert (mix["authors"], mix["n"], mix["strata"], mix["groups"]) == ([], None, [], [])
            assert (what_if["windows"][0], what_if["ahead"]) == ({"hours": 12.0, "radiologists": []}, [])
            continue
        assert {a["author"] for a in mix["authors"]} == called
        assert {r["radiologist"] for r in what_if["windows"][0]["radiologists"]} == called
        assert {r["radiologist"] for r in what_if["ahead"]} == called


def test_what_cannot_be_compared_by_is_refused(refused, done, tmp_path: Path):
    shared = ("--workspace", done, "--out", tmp_path / "C.json")
    for by in ("site,sex", "site,site", ","):
        said = refused("casemix", "--by", by, *shared)
        assert "site, shift, weekday, age, portable, topic" in said
    assert "Nothing was said about edemo" in refused("casemix", "--by", "site", "--topic", "edemo", *shared)
    assert not (tmp_path / "C.json").exists()
