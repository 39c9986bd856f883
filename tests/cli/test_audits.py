"""The steps on people and language models as users of words."""

from __future__ import annotations

import json

import pytest


def test_models_of_no_file_and_of_no_confidence(refused, tmp_path):
    file, out = tmp_path / "m.jsonl", tmp_path / "M.json"
    assert "There is no file" in refused("models", file, "--out", out)
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
    for option in ("--shots", "--statements"):
        assert "go with --model" in refused("perception", responses, option, 2, "--out", out)
    assert "either RESPONSES.csv, or --model" in refused("perception", "--out", out)
    assert "either RESPONSES.csv, or --model" in refused("perception", responses, "--model", "x.gguf", "--out", out)
    assert "--lexicon and --adapter are about asking a model" in refused(
        "perception", responses, "--lexicon", out, "--out", out
    )
    assert "from 2 to 120" in refused("perception", "--model", "x.gguf", "--statements", "1", "--out", out)
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
