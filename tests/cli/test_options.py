"""Settings on the command line: from a file, from options, and kept in the workspace."""

from __future__ import annotations

import json

import pytest

from radcal.cli.program import parser
from radcal.cli.settings import settings_of
from radcal.findings.engines import engine_options
from radcal.system.settings import Settings


def test_settings_stay_with_the_workspace_until_others_are_given(radcal, words, tmp_path, opens_only, stored):
    radcal(*words, "--set", "window_hours=6h", "--set", "seed=3")
    first = stored()
    short = [word for word in words if word != "--settings" and word != tmp_path / "quick.json"]
    assert radcal(*short).status == 1
    assert stored() == first
    assert radcal(*short, "--set", "seed=4").status == 1
    assert stored() == first | {"seed": 4}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{", "no valid JSON"),
        ("[1, 2]", "one JSON object"),
        ('{"colour": 3}', "Name 1 of the settings is unknown"),
        ('{"seed": -1}', "seed: -1 is outside"),
        ('{"window_hours": "long"}', "is not a number"),
    ],
)
def test_broken_settings_are_refused_before_anything_is_made(refused, words, tmp_path, text, shown):
    (tmp_path / "quick.json").write_text(text, encoding="utf-8")
    told = refused(*words)
    assert shown in told
    assert "quick.json" in told
    assert not (tmp_path / "w.radcal").exists()


def test_settings_that_cannot_be_read(radcal, words, tmp_path, opens_only, quick):
    (tmp_path / "quick.json").write_bytes(b"\xff\xfe{")
    assert "no text in UTF-8" in radcal(*words).err
    (tmp_path / "quick.json").unlink()
    assert "There is no settings file" in radcal(*words).err
    (tmp_path / "quick.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(quick).encode())
    assert radcal(*words).status == 1


def test_an_option_out_of_bounds_is_told_without_a_file(radcal, words):
    at = words.index("--settings")
    short = [*words[:at], *words[at + 2 :]]
    done = radcal(*short, "--set", "min_group_n=0")
    assert done.status == 2
    assert done.err.startswith("radcal run: Setting min_group_n: 0 is outside")


LLAMA = {
    "llama_context": 2048,
    "llama_gpu_layers": 0,
    "llama_threads": 2,
    "llama_report_seconds": 30.0,
}


@pytest.mark.parametrize(
    ("words", "engine", "second"),
    [
        ([], "rules", "bundled"),
        (["--second", "none"], "rules", "none"),
        (["--engine", "rules", "--second", "own.gguf", "--set", "second=none"], "rules", "own.gguf"),
        (["--engine", "llama", "--set", "engine=served"], "llama", "bundled"),
    ],
)
def test_who_reads_is_chosen_by_options_of_their_own(tmp_path, monkeypatch, words, engine, second):
    monkeypatch.chdir(tmp_path)
    chosen = settings_of(parser().parse_args(["extract", "r.csv", "--out", "f.csv", *words]))
    named = str(tmp_path / second) if second.endswith(".gguf") else second
    assert (chosen.engine, chosen.second, chosen.model) == (engine, named, "")


def test_settings_of_the_llama_reach_the_engine(tmp_path):
    given = {"engine": "llama", "llama_prompts": tmp_path, **LLAMA}
    words = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
    chosen = settings_of(parser().parse_args(["extract", "r.csv", "--out", "f.csv", *words]))
    assert (chosen.engine, chosen.model) == ("llama", "")
    assert {name: getattr(chosen, name) for name in LLAMA} == LLAMA
    assert chosen.llama_prompts == str(tmp_path.resolve())
    options = engine_options(chosen)
    assert (options.context, options.threads, options.gpu_layers) == (2048, 2, 0)
    assert options.report_seconds == 30.0
    assert options.prompts == tmp_path.resolve()
    automatic = engine_options(Settings())
    assert (automatic.threads, automatic.gpu_layers, automatic.prompts) == (None,) * 3
