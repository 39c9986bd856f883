"""The steps on language models and people as users of words."""

from __future__ import annotations

import json


def test_models(radcal, refused, tmp_path):
    file, out = tmp_path / "m.jsonl", tmp_path / "M.json"
    rows = [{"confidence": (0.9, "likely", "Beta(3, 1)")[i % 3], "correct": i % 4 > 0} for i in range(60)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = radcal("models", file, "--out", out, "--seed", 3, "--json")
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
