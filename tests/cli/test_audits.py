"""The steps on people and language models as users of words."""

from __future__ import annotations

import json

import pytest


def test_models(radcal, refused, tmp_path):
    file, out = tmp_path / "m.jsonl", tmp_path / "M.json"
    rows = [{"confidence": (0.9, "likely", "Beta(3, 1)")[i % 3], "correct": i % 4 > 0} for i in range(60)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = radcal("models", file, "--out", out, "--set", "seed=3", "--json")
    assert (done.status, json.loads(done.out)["mended"]) == (0, 1)
    assert json.loads(out.read_text(encoding="utf-8"))["settings"]["seed"] == 3
    with file.open("a", encoding="utf-8") as more:
        more.write('\n{"confidence": 1.5, "correct": true}\n')
    done = radcal("models", file, "--out", out)
    assert done.status == 1
    assert "m.jsonl, row 61: The confidence is above 1" in done.out
    assert "There is no file" in refused("models", tmp_path / "none.jsonl", "--out", out)
    file.write_text("{}\n", encoding="utf-8")
    assert "The confidence is missing" in refused("models", file, "--out", out)


def test_answers_to_words_are_compared(radcal, refused, tmp_path):
    responses, out = tmp_path / "R.csv", tmp_path / "P.json"
    responses.write_text("participant,expression,response\nA,likely,70\nB,likely,80\n", encoding="utf-8")
    done = radcal("perception", responses, "--out", out, "--set", "seed=3", "--json")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["pa"] == json.loads(out.read_text(encoding="utf-8"))["pa"] == 0.5
    assert json.loads(out.read_text(encoding="utf-8"))["seed"] == 3
    responses.write_text("participant,expression,response\nA,likely,70\nB,likely,many\n", encoding="utf-8")
    done = radcal("perception", responses, "--out", out)
    assert done.status == 1
    assert "row 3" in done.out
    assert "list of expressions is empty" in refused("perception", responses, "--expressions", "", "--out", out)
    for option in ("--shots", "--statements"):
        assert "go with --model" in refused("perception", responses, option, 2, "--out", out)
    assert "either RESPONSES.csv, or --model" in refused("perception", "--out", out)
    assert "either RESPONSES.csv, or --model" in refused("perception", responses, "--model", "x.gguf", "--out", out)
    assert "from 2 to 60" in refused("perception", "--model", "x.gguf", "--statements", "1", "--out", out)
    assert "no model file" in refused("perception", "--model", tmp_path / "x.gguf", "--out", out)


@pytest.mark.parametrize(
    ("step", "header", "more"),
    [
        ("groups", "author,confidence,outcome,site", ("--by", "site")),
        ("groups", "author,confidence,outcome,x", ("--kdtree", "x", "--depth", "1")),
        ("models", "author,confidence,correct", ()),
        ("perception", "participant,expression,response", ()),
        ("hedge", "text", ()),
        ("hedge", "text,score", ()),
        ("variability", "context,source,word", ()),
        ("variability", "context,source,word,count", ()),
        ("reliability", "author,topic,phrase,outcome", ()),
        ("advise", "author,topic,phrase,reference_phrase", ()),
    ],
)
@pytest.mark.parametrize("end", ["", "\n", "\n\n  \n"])
def test_a_header_alone_is_refused_by_every_step(refused, tmp_path, step, header, more, end):
    path, out = tmp_path / "F.csv", tmp_path / "out"
    path.write_text(header + end, encoding="utf-8")
    assert "F.csv has a header and no rows. Choose a file with rows" in refused(step, path, *more, "--out", out)
    assert not out.exists()
