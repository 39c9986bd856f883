"""radcal variability, from a file to a file."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from radcal.findings.engines import shipped_model
from radcal.findings.model.local_model import LocalModel
from radcal.findings.model.options import ModelOptions

SMALL = ("--set", "llama_threads=1")

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


def test_parts_of_speech_need_a_library_and_samples_a_model(radcal, file, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    done = radcal("variability", file, "--classes", "--out", tmp_path / "V.json")
    assert done.status == 2
    assert "need the package spacy" in done.err
    done = radcal("variability", file, "--samples", 5, "--out", tmp_path / "V.json")
    assert done.status == 2
    assert "goes with --model" in done.err


def test_a_model_is_two_more_sources(radcal, tmp_path):
    path, out = tmp_path / "answers.csv", tmp_path / "V.json"
    path.write_text(
        "context,source,word,count\nThe heart is,human,normal,3\nThe heart is,human,large,2\n"
        "No pleural,human,effusion,5\n",
        encoding="utf-8",
    )
    model = shipped_model()
    done = radcal("variability", path, "--reference", "human", "--model", model, "--samples", 20, "--out", out, *SMALL)
    assert (done.status, done.err) == (0, "")
    made = json.loads(out.read_text())
    given = next(s for s in made["sources"] if s["source"] == f"{model.stem} (given words)")
    assert given["n_answers"] is None
    assert given["n_contexts"] == 2
    assert made["traits"][0]["reason"] == "2 contexts have a control; 30 are needed."
    with LocalModel(model, ModelOptions(context=1024, threads=1, state_folder=tmp_path)) as opened:
        words = [" normal", " large"]
        [chances] = opened.option_distribution([""], words, "The heart is")
        logs = [opened.log_chances("", word, "The heart is").sum() for word in words]
    assert chances[0] / chances[1] == pytest.approx(np.exp(logs[0] - logs[1]), rel=1e-2)
