"""`radcal hedge`: a row for every row, what it rests on, and the error where there are scores."""

from __future__ import annotations

import csv
import json

import pytest

from radcal.findings.engines import shipped_model

SENTENCES = [
    "I think it was Rome.",
    "It was Rome.",
    "I don't know.",
    "Maybe it was Ghent, but I'm not sure.",
    "It is certainly Rome.",
]
SCORES = [0.7, 0.98, 0.02, 0.3, 0.99]


@pytest.fixture
def put(tmp_path):
    def _put(name, rows, header=("text", "score")):
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        return path

    return _put


def test_every_row_has_its_estimate(radcal, put, tmp_path, table):
    out = tmp_path / "o.csv"
    done = radcal("hedge", put("s.csv", zip(SENTENCES, SCORES, strict=True)), "--out", out, "--json")
    assert (done.status, done.err) == (0, "")
    found = table.read(out)
    assert list(found[0]) == ["text", "score", "estimate", "low", "high", "words", "why"]
    assert [row["text"] for row in found] == SENTENCES
    assert all(float(row["low"]) <= float(row["estimate"]) <= float(row["high"]) for row in found)
    assert [row["words"] for row in found] == ["I think", "", "I don't know", "Maybe; but I'm not sure", "certainly"]
    assert found[1]["why"].startswith("plain statement")
    assert found[2]["why"].startswith("abstention")
    told = json.loads(done.out)
    squares = [(float(row["estimate"]) - score) ** 2 for row, score in zip(found, SCORES, strict=True)]
    assert told["mse"] == pytest.approx(sum(squares) / 5, abs=1e-4)
    assert told["mse_low"] <= told["mse"] <= told["mse_high"]
    assert told["rank_correlation_low"] <= told["rank_correlation"] <= told["rank_correlation_high"]
    assert (told["rows"], told["estimated"], told["abstentions"], told["plain"], told["scored"]) == (5, 5, 1, 1, 5)


def test_without_scores_there_is_no_error(radcal, put, tmp_path, table):
    out = tmp_path / "o.csv"
    done = radcal("hedge", put("s.csv", [[text] for text in SENTENCES], ["text"]), "--out", out)
    assert done.status == 0
    assert "squared" not in done.out
    assert list(table.read(out)[0]) == ["text", "estimate", "low", "high", "words", "why"]


def test_rows_that_cannot_be_read_keep_their_place_and_are_listed(radcal, tmp_path, table):
    path, out = tmp_path / "s.csv", tmp_path / "o.csv"
    path.write_text(
        'text,score\nMaybe Rome,0.4\n"",0.5\n\nMaybe, it was Ghent,0.4\nMaybe Cork,2\n'
        "Vielleicht ist es die Hauptstadt,0.4\n=1+1 perhaps,\n\U0001f600,0.5\n",
        encoding="utf-8",
    )
    done = radcal("hedge", path, "--out", out, "--json")
    assert done.status == 1
    found = table.read(out)
    assert [row["text"] for row in found] == [
        "Maybe Rome", "", "", "Maybe Cork", "Vielleicht ist es die Hauptstadt", "'=1+1 perhaps", "\U0001f600",
    ]  # fmt: skip
    assert [bool(row["estimate"]) for row in found] == [True, False, False, True, False, True, False]
    assert all(row["why"] for row in found if not row["estimate"])
    assert found[3]["score"] == "2"
    told = json.loads(done.out)
    assert [fault["row"] for fault in told["failures"]] == [3, 5, 6, 7, 9]
    assert "text" in told["failures"][-1]["remedy"]
    assert all(fault["reason"] and fault["remedy"] for fault in told["failures"])
    assert told["scored"] == 1


@pytest.mark.slow
def test_it_learns_from_a_file(radcal, put, tmp_path, table):
    train = put("t.csv", [[f"I reckon {name} was first.", 0.1] for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] + [["", 0.3]])
    asked, out = put("s.csv", [["I reckon Zog was first."]], ["text"]), tmp_path / "o.csv"
    radcal("hedge", asked, "--out", out)
    before = float(table.read(out)[0]["estimate"])
    done = radcal("hedge", asked, "--fit", train, "--out", out, "--json")
    assert done.status == 1
    assert json.loads(done.out)["fitted_on"] == 26
    assert [fault["file"] for fault in json.loads(done.out)["failures"]] == ["t.csv"]
    assert float(table.read(out)[0]["estimate"]) < before - 0.2


def test_unusable_input_is_refused(radcal, refused, put, tmp_path):
    out, good = tmp_path / "o.csv", put("s.csv", [["Maybe.", 0.3]])
    assert "no column 'text'" in refused("hedge", put("a.csv", [["x", 1]], ["words", "score"]), "--out", out)
    assert "There is no file" in refused("hedge", tmp_path / "none.csv", "--out", out)
    assert "20 are the least" in refused("hedge", good, "--fit", good, "--out", out)
    assert "no column 'score'" in refused("hedge", good, "--fit", put("b.csv", [["Maybe."]], ["text"]), "--out", out)
    assert "Choose another name" in refused("hedge", good, "--out", good)
    assert not out.exists()


def test_a_row_of_empty_cells_has_its_row_however_many_they_are(radcal, tmp_path, table):
    path, out = tmp_path / "s.csv", tmp_path / "o.csv"
    path.write_text('text,score\nIt was Rome.,1\n,\n\n""\n,,,\nMaybe.,0.5\n', encoding="utf-8")
    assert radcal("hedge", path, "--out", out).status == 1
    assert [row["text"] for row in table.read(out)] == ["It was Rome.", "", "", "", "Maybe."]


def test_a_model_reads_them_if_it_is_asked(radcal, put, tmp_path, table):
    out, path = tmp_path / "o.csv", put("s.csv", zip(SENTENCES[:2], SCORES[:2], strict=True))
    for prompt in ("direct", "decisiveness"):
        done = radcal("hedge", path, "--model", shipped_model(), "--prompt", prompt, "--out", out, "--json")
        assert (done.status, done.err) == (0, "")
        found = table.read(out)
        assert all(0 <= float(row["low"]) <= float(row["estimate"]) <= float(row["high"]) <= 1 for row in found)
        assert json.loads(done.out)["estimated"] == 2
    for wrong in (("--prompt", "direct"), ("--model", shipped_model(), "--fit", path)):
        assert radcal("hedge", path, *wrong, "--out", out).status == 2
