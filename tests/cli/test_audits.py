"""The steps on people and language models as users of words."""

from __future__ import annotations

import json


def test_answers_to_words_are_compared(radcal, refused, tmp_path):
    responses, out = tmp_path / "R.csv", tmp_path / "P.json"
    responses.write_text("participant,expression,response\nA,likely,70\nB,likely,80\n", encoding="utf-8")
    done = radcal("perception", responses, "--out", out, "--seed", 3, "--json")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["pa"] == json.loads(out.read_text(encoding="utf-8"))["pa"] == 0.5
    assert json.loads(out.read_text(encoding="utf-8"))["seed"] == 3
    responses.write_text("participant,expression,response\nA,likely,70\nB,likely,many\n", encoding="utf-8")
    done = radcal("perception", responses, "--out", out)
    assert done.status == 1
    assert "row 3" in done.out
    assert "either RESPONSES.csv, or --model" in refused("perception", "--out", out)
    assert "either RESPONSES.csv, or --model" in refused("perception", responses, "--model", "x.gguf", "--out", out)
    assert "from 2 to 60" in refused("perception", "--model", "x.gguf", "--statements", "1", "--out", out)
    assert "no model file" in refused("perception", "--model", tmp_path / "x.gguf", "--out", out)
