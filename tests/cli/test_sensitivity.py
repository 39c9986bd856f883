"""radcal sensitivity, on a workspace that a run has made."""

from __future__ import annotations

import json

import pytest

from radcal.opening import open_department


def test_windows_and_the_look_ahead(radcal, author, tmp_path, key, stored):
    before = stored()
    done = radcal(
        *("sensitivity", "--workspace", tmp_path / "w.radcal", "--out", tmp_path / "S.json"),
        *("--windows", "3,24h", "--names"),
    )
    assert (done.status, done.err) == (0, "")
    made = json.loads((tmp_path / "S.json").read_text())
    assert [w["hours"] for w in made["windows"]] == [3, 12, 24]
    with open_department(tmp_path / "w.radcal", key, read_only=True) as department:
        analysis = department.analysis()
        now = made["windows"][1]
        own = next(r for r in analysis.pooled if r.author == author)
        shown = next(r for r in now["radiologists"] if r["radiologist"] == author)
        assert (shown["n"], shown["word_error"], shown["p_value"]) == (own.n, own.word_error, own.p_value_word)
        assert {p["pathology"] for p in now["pathologies"]} == {r.topic for r in analysis.reliabilities}
        assert len(made["ahead"]) == len(analysis.reliabilities)
        assert any(what.startswith("exported sensitivity") for what in department._workspace.audit()["what"])
    assert stored() == before
    assert "12 h" in done.out


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--windows", "3,,6"), "is no duration"),
        (("--windows", "soon"), "is no duration"),
        (("--windows", "99999999"), "window_hours"),
        (("--windows", "0,3"), "longer than 0 hours"),
    ],
)
def test_what_cannot_be_is_refused(radcal, author, tmp_path, option, message):
    assert author
    done = radcal("sensitivity", "--workspace", tmp_path / "w.radcal", "--out", tmp_path / "S.json", *option)
    assert done.status == 2
    assert message in done.err
    assert not (tmp_path / "S.json").exists()


def test_without_an_analysis_it_says_so(refused, tmp_path, key, monkeypatch):
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    with open_department(tmp_path / "new.radcal", key, create=True):
        pass
    said = refused("sensitivity", "--workspace", tmp_path / "new.radcal", "--out", tmp_path / "S.json")
    assert "There is no analysis yet" in said
