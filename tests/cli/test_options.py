"""Settings on the command line: from a file, from options, and kept in the workspace."""

from __future__ import annotations

import json

import pytest

from radcal.settings import Settings
from radcal.workflow.runs.engines import engine_options


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
    "llama_parallel": 3,
    "llama_threads": 2,
    "llama_report_seconds": 30.0,
    "llama_temperature": 0.5,
    "llama_seed": 7,
    "llama_prompt": "chat",
}


@pytest.mark.parametrize("step", ["extract", "gold"])
def test_settings_of_the_llama_reach_the_engine(radcal, tmp_path, monkeypatch, step):
    seen = {}

    def extracted(_args: object, settings: Settings, *_: object, **__: object) -> list[object]:
        seen.update(settings=settings)
        return []

    monkeypatch.setattr("radcal.cli.findings._extracted", extracted)
    (tmp_path / "g.tsv").write_text("a\t1\tedema\tabsent\n", encoding="utf-8")
    command = {
        "extract": ["r.csv", "--out", tmp_path / "f.csv"],
        "gold": [tmp_path / "g.tsv", "--reports", "r.csv"],
    }[step]
    words = [part for name, value in LLAMA.items() for part in ("--set", f"{name}={value}")]
    done = radcal(step, *command, "--set", "engine=llama", "--set", f"llama_prompts={tmp_path}", *words)
    assert "Llama" not in done.err
    chosen = seen["settings"]
    assert (chosen.engine, chosen.model) == ("llama", "")
    assert {name: getattr(chosen, name) for name in LLAMA} == LLAMA
    assert chosen.llama_prompts == str(tmp_path.resolve())
    options = engine_options(chosen)
    assert (options.context, options.parallel, options.threads, options.gpu_layers) == (2048, 3, 2, 0)
    assert (options.report_seconds, options.temperature, options.seed, options.prompt) == (30.0, 0.5, 7, "chat")
    assert options.prompts == tmp_path.resolve()
    automatic = engine_options(Settings())
    assert (automatic.parallel, automatic.threads, automatic.gpu_layers, automatic.prompts) == (None,) * 4


def test_how_many_processes_work_side_by_side_stays_with_the_workspace(radcal, words, opens_only, stored):
    radcal(*words, "--set", "workers=3")
    radcal(*words)
    assert stored()["workers"] == 3
    assert "outside 0 to" in radcal(*words, "--set", "workers=-1").err


def test_options_of_the_llama_stay_with_the_workspace(radcal, words, tmp_path, opens_only, stored):
    radcal(*words, "--set", "llama_report_seconds=45", "--set", "llama_gpu_layers=0")
    radcal(*words)
    stored = stored()
    assert (stored["llama_report_seconds"], stored["llama_gpu_layers"]) == (45.0, 0)
    assert "outside -1 to" in radcal(*words, "--set", "llama_gpu_layers=-2").err
