"""`radcal groups`: from SCORES.csv to G.json and S.csv, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from radcal.lab.groups.comparison import METHODS

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "models" / "confidence_dev.csv"


@pytest.fixture
def scores(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["author,site,age,confidence,outcome"]
    for n in range(300):
        site = "XY"[n % 2]
        came = int(rng.random() < (0.9 if site == "X" else 0.5))
        lines.append(f"{'A' if n < 260 else 'B'},{site},{20 + n % 60},{rng.choice([0.7, 0.8, 0.9])},{came}")
    path = tmp_path / "SCORES.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_figures_and_scores(radcal, tmp_path, scores, table):
    out, rows = tmp_path / "G.json", tmp_path / "S.csv"
    done = radcal("groups", scores, "--by", "site,age", "--seeds", 2, "--out", out, "--scores", rows)
    assert done.status == 1, done.err  # author B has 40 rows
    assert "Left out (1):\n  SCORES.csv, row 262, B: 40 rows are too few" in done.out
    assert "at least 100 are needed. Add rows of this author" in done.out
    assert "age has many numbers and was cut into quarters: 20 to 34, 35 to 49" in done.out
    assert "hs_qab" in done.out
    made = json.loads(out.read_text(encoding="utf-8"))
    assert (made["by"], made["kdtree"], made["seeds"], made["seed"]) == (["site", "age"], None, 2, 0)
    assert [author["n"] for author in made["authors"]] == [260, 40]
    assert "X / 20 to 34" in made["authors"][0]["partitions"]
    listed = table.read(rows)
    assert len(listed) == 2 * 260
    assert list(listed[0]) == ["author", "seed", "row", "split", "partition", *METHODS]
    assert {row["split"] for row in listed} == {"tree", "calibration", "tuning", "test"}
    source = table.read(scores)
    for row in listed:
        assert source[int(row["row"])]["author"] == row["author"]
        assert float(source[int(row["row"])]["confidence"]) == float(row["none"])
    first = out.read_bytes(), rows.read_bytes()
    radcal("groups", scores, "--by", "site,age", "--seeds", 2, "--out", out, "--scores", rows)
    assert (out.read_bytes(), rows.read_bytes()) == first


def test_each_set_by_itself_in_clusters(radcal, tmp_path, scores):
    out = tmp_path / "G.json"
    done = radcal("groups", scores, "--kmeans", "age", "--depth", 1, "--each", "site", "--seeds", 1, "--out", out)
    made = json.loads(out.read_text(encoding="utf-8"))
    sizes = {a["author"]: a["n"] for a in made["authors"]}
    assert sizes == {"A / X": 130, "A / Y": 130, "B / X": 20, "B / Y": 20}
    assert (made["kmeans"], made["kdtree"], made["each"]) == ({"columns": ["age"], "depth": 1}, None, ["site"])
    assert made["authors"][0]["partition_rows"] > 30
    assert "B / X: 20 rows are too few" in done.out
    radcal("groups", scores, "--kdtree", "age", "--seeds", 2, "--out", out)
    made = json.loads(out.read_text(encoding="utf-8"))
    assert made["kdtree"] == {"columns": ["age"], "depth": None}
    assert all(0 <= depth <= 5 for depth in made["authors"][0]["depths"])


def test_phrases_of_a_lexicon(radcal, tmp_path, scores):
    lexicon, out = tmp_path / "LEX.csv", tmp_path / "G.json"
    lexicon.write_text("phrase,alpha,beta\nlikely,3,1\n", encoding="utf-8")
    scores.write_text(scores.read_text(encoding="utf-8").replace(",0.7,", ",Likely,"), encoding="utf-8")
    done = radcal("groups", scores, "--by", "site", "--lexicon", lexicon, "--seeds", 1, "--out", out, "--json")
    assert json.loads(done.out)["rows"] == 300
    without = radcal("groups", scores, "--by", "site", "--seeds", 1, "--out", out, "--json")
    said = json.loads(without.out)
    assert said["rows"] < 300
    assert said["failures"][0]["reason"] == "The confidence is no number."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--by", "shift"], "has no column 'shift'"),
        (["--by", "outcome"], "cannot be grouped by 'outcome'"),
        (["--by", " , "], "--by COLUMN"),
        (["--kdtree", "age", "--depth", "11"], "--depth: '11' is no whole number from 0 to 10"),
        (["--by", "site", "--depth", "2"], "--depth belongs to --kdtree"),
        (["--by", "site", "--points", "1"], "--points: '1' is no whole number from 2"),
        (["--by", "site", "--seeds", "0"], "--seeds: '0' is no whole number from 1"),
        (["--by", "site", "--kdtree", "age"], "not allowed with"),
        ([], "Give either --by"),
    ],
)
def test_what_cannot_be_done_is_refused(refused, tmp_path, scores, words, said):
    assert said in refused("groups", scores, *words, "--out", tmp_path / "G.json")
    assert not (tmp_path / "G.json").exists()


def test_two_outputs_are_two_files(refused, tmp_path, scores):
    out = tmp_path / "x.json"
    again = tmp_path / "folder" / ".." / "x.json"
    said = refused("groups", scores, "--by", "site", "--seeds", 1, "--out", out, "--scores", again)
    assert "--out and --scores both name" in said
    assert not out.exists()


def test_the_remedy_is_told(radcal, tmp_path, scores):
    scores.write_text(scores.read_text(encoding="utf-8").replace("A,X,20,", "A,X,old,"), encoding="utf-8")
    done = radcal("groups", scores, "--kdtree", "age", "--depth", 1, "--seeds", 1, "--out", tmp_path / "G.json")
    assert "SCORES.csv, row 2: The age is no number. Enter a number." in done.out


@pytest.mark.skipif(not DATA.exists(), reason="the confidences of language models are not at hand")
@pytest.mark.slow
def test_language_models_are_calibrated_in_groups_they_were_not_in(radcal, tmp_path):
    out = tmp_path / "G.json"
    radcal("groups", DATA, "--by", "qset", "--seeds", 2, "--points", 60, "--out", out)
    ratios = []
    for author in json.loads(out.read_text(encoding="utf-8"))["authors"]:
        methods = author["methods"]
        ratios.append(methods["hs_qab"]["ce_beta"] / methods[author["best_baseline"]]["ce_beta"])
    assert len(ratios) == 6
    assert np.mean(ratios) <= 0.6
