"""radcal variability, from a file to a file."""

from __future__ import annotations

import json

import pytest

ROWS = """context,source,word,count
c1,Human,likely,6
c1,Human,may,4
c1,gpt,Likely,0.5
c1,gpt,may,0.5
c1,loud,likely,10
c2,Human,absent,10
c2,gpt,absent,1
c2,loud,present,3
c3,Human,may,2
c3,gpt,may,many
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_all_sources_beside_the_reference(radcal, file, tmp_path):
    done = radcal("variability", file, "--reference", "human", "--out", tmp_path / "V.json")
    assert done.status == 1  # a row cannot be used
    assert "answers.csv, row 11: The count is no number." in done.out
    made = json.loads((tmp_path / "V.json").read_text())
    assert made["reference"] == {"source": "Human", "compared_with": "the answers of Human"}
    gpt, loud = made["sources"]
    assert (gpt["source"], gpt["expected_tvd"], gpt["n_contexts"]) == ("gpt", pytest.approx(0.05), 2)
    assert gpt["missing_contexts"] == ["c3"]
    assert loud["expected_tvd"] == pytest.approx(0.7)
    assert {"low", "high", "ece", "share_to_improve"} <= set(loud)
    assert made["control"]["n_contexts"] == 3
    assert 0 < made["control"]["expected_tvd"] < 0.5
    assert made["resamples"] == 20
    assert [fault["row"] for fault in made["rejected"]] == [11]
    assert made["contexts"][1] == {
        "context": "c2",
        "n_answers": 10,
        "majority": "absent",
        "share": 1,
        "control_tvd": 0,
        "tvd": {"gpt": 0, "loud": 1},
    }
    assert any("1 spelling became one with another" in note for note in made["notes"])


def test_without_a_reference_it_is_all_others(radcal, file, tmp_path):
    done = radcal("variability", file, "--out", tmp_path / "V.json", "--json")
    assert "failures" in json.loads(done.out)
    made = json.loads((tmp_path / "V.json").read_text())
    assert made["reference"]["source"] is None
    assert {s["source"] for s in made["sources"]} == {"Human", "gpt", "loud"}
    assert made["notes"][0].startswith("No reference was named")


def test_misleading_ece_is_told_with_its_figures(radcal, tmp_path):
    rows = ["context,source,word,count"]
    for c in range(30):
        rows += [f"c{c},h,a,11", f"c{c},sure,a,20", f"c{c},alike,a,11"]
        rows += [f"c{c},{who},{w},3" for who in ("h", "alike") for w in "bcd"]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    done = radcal("variability", path, "--reference", "h", "--out", tmp_path / "V.json")
    assert "ECE misleads here: by ECE, sure (0.00) looks better than alike (0.45)" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--reference", "nobody"), "no source of the name given with --reference. Its sources are: Human, gpt, loud."),
        (("--set", "seed=-1"), "seed"),
    ],
)
def test_what_cannot_be_is_refused(refused, file, tmp_path, words, message):
    assert message in refused("variability", file, *words, "--out", tmp_path / "V.json")
    assert not (tmp_path / "V.json").exists()


def test_a_reference_alone_is_compared_with_nothing(radcal, file, tmp_path):
    file.write_text("context,source,word,count\nc1,human,likely,6\nc1,human,may,4\n", encoding="utf-8")
    done = radcal("variability", file, "--reference", "human", "--out", tmp_path / "V.json")
    assert done.status == 0
    assert "There is no other source, so nothing is compared." in done.out
