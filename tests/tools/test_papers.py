"""The list of the papers' experiments: every command in it can be given, and what runs is on the page."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np
import pytest

from radcal.cli.options import Step
from radcal.cli.program import parser
from radcal.lab.perception import ModelAnswers, checks, checks_to_json
from radcal.words.records import Meant
from tools import papers
from tools.papers import PAPERS, Trial, page, trials


def _steps() -> dict[str, Step]:
    (named,) = (a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(named.choices)


def test_the_page_is_the_list() -> None:
    assert papers.PAGE.read_text(encoding="utf-8") == page()


def test_every_command_on_the_page_is_in_the_grammar() -> None:
    steps = _steps()
    named = re.findall(r"`radcal ([^`]+)`", page())
    assert len(named) > 10
    for command in named:
        step, *rest = command.removeprefix("lab ").split()
        assert step in steps, command
        steps[step].load()
        known = steps[step]._option_string_actions
        assert [part for part in rest if part.startswith("--") and part not in known] == [], command
        if "--out" in rest:
            parser().parse_args(command.split())


def test_every_trial_can_be_given() -> None:
    for _, trial in trials():
        given = [part.format(data="in.csv", out="out.json", models="models") for part in trial.command]
        parser().parse_args(given)


def test_names_are_told_apart_and_every_paper_says_what_was_read() -> None:
    names = [t.name for _, t in trials()]
    assert len(set(names)) == len(names)
    assert all(p.read and p.items for p in PAPERS)


def test_benchmarks_and_settings_named_are_there() -> None:
    for name in re.findall(r"`(benchmarks/[^`]+)`", page()):
        assert (papers.ROOT / name).exists(), name


def test_a_trial_tells_its_figure_beside_the_published_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert papers.main(["cec-reliability", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("cec-reliability\n  paper: ")
    group = json.loads((tmp_path / "cec-reliability.json").read_text(encoding="utf-8"))["groups"][0]
    assert f"ECE {group['ece']:.3f}" in told
    assert group["n"] == 2000


def test_what_was_made_for_one_row_serves_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "first.json"
    made.write_text('{"n": 3}', encoding="utf-8")
    monkeypatch.setattr(papers, "made_up", lambda path: path.touch())
    trial = Trial("second", "", ("models", "{data}"), ".json", lambda found: f"n = {found['n']}")
    assert papers.run(trial, tmp_path, {("", "models", "{data}"): made}) == "n = 3"


def test_figures_are_means_over_models_and_sets() -> None:
    def methods(ece: float) -> dict[str, dict[str, float]]:
        return {n: {"ece_of_means": ece, "brier_of_means": ece / 2} for n in ("none", "platt")}

    models = [{"topic": "s", "right": 0.5 + k / 10, "methods": methods(0.1 * (k + 1))} for k in range(2)]
    told = papers._table_1({"models": [*models, {"topic": "t", "right": 1.0, "methods": {}}]})
    assert told.startswith("ECE and Brier score of means. s (2 models, right 0.55): none 0.150, 0.075; platt 0.150,")
    assert "transport -, -" in told
    assert "t (" not in told


def test_what_lacks_its_data_is_not_run_and_a_failure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(papers, "SHARED", tmp_path / "nowhere")
    assert papers.main(["plu-people", "--out", str(tmp_path)]) == 0
    assert "not run: its data, perception/people_nonverifiable.csv, is not in" in capsys.readouterr().out
    failing = Trial("failing", "", ("advise", "{data}", "--out", "{out}", "--set", "tau2=-1"), ".json", str)
    monkeypatch.setattr(papers, "trials", lambda: (("?", failing),))
    assert papers.main(["failing", "--out", str(tmp_path)]) == 1
    assert "ours:  failed" in capsys.readouterr().out


def test_made_up_words_show_that_the_ece_misleads(tmp_path: Path) -> None:
    trial = next(t for _, t in trials() if t.name == "pnw-made-up")
    told = papers.run(trial, tmp_path)
    figures = dict(re.findall(r"(\w+): ECE [\d.]+, against halves [\d.]+, TVD ([\d.]+)", told))
    assert float(figures["alike"]) < float(figures["blind"]) < float(figures["bold"])
    errors = dict(re.findall(r"(\w+): ECE ([\d.]+)", told))
    assert float(errors["bold"]) < float(errors["blind"]) < float(errors["alike"]) < float(errors["people"])


def test_what_lacks_its_model_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RADCAL_MODELS", str(tmp_path))
    asking = Trial("asking", "", ("perception", "--model", "{models}/none.gguf", "--out", "{out}"), ".json", str)
    monkeypatch.setattr(papers, "trials", lambda: (("?", asking),))
    assert papers.main(["asking", "--out", str(tmp_path)]) == 0
    assert "asking: not run: its model is not in the folder that RADCAL_MODELS names" in capsys.readouterr().out


def test_the_figures_of_a_model_are_told_from_what_it_answered() -> None:
    reference = {"likely": Meant("likely", np.array([70.0]), np.ones(1), 4)}
    sure, unsure = np.eye(101)[[70, 50]], np.eye(101)[[60, 60]]
    answers = ModelAnswers(
        *({"likely": rows} for rows in (sure, sure, unsure)), (sure[:, :3], sure[:, :3], sure[:, :3]), {}
    )
    told = papers._FIGURES["read"](checks_to_json(checks(answers, reference)) | {"statements": 2, "pairs": 2})
    assert told.startswith(
        "2 private statements, 2 pairs. all chances: private PA 0.500, MAE 10.0, W1 10.0, spread 20.0"
    )
    assert "knowledge bias +0.0 points (p = 0.75, n = 2; W 1.5, p = 0.75, n = 2)" in told
    way = {"asked_as": "lc", "accuracy": {"value": 0.5}, "ece": {"value": 0.123}, "auroc": {"value": None}}
    assert (
        papers._FIGURES["asked"]({"questions": 9, "ways": [way]}) == "9 questions, right 0.50; ECE, AUROC: lc 0.12, -"
    )
    by_model = {"mse": 0.0211, "mse_low": 0.02, "mse_high": 0.0222, "scored": 7}
    assert papers._FIGURES["hedges_by_model"](by_model) == "211 (200-222) on 7 sentences"


def test_a_name_of_no_trial_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        papers.main(["nothing"])
    assert "there is no trial 'nothing'; known: cec-reliability" in capsys.readouterr().err


def test_the_error_of_hedges_is_the_command_s_on_the_data_of_the_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hedges").mkdir()
    rows = ["It may be Rome.,0.4", "It is Rome.,1.0", "It's probably Rome.,0.7", "I doubt it was Rome.,0.2", "Eh.,"]
    (tmp_path / "hedges" / "hedges_dev.csv").write_text("\n".join(["text,score", *rows]) + "\n", encoding="utf-8")
    monkeypatch.setattr(papers, "SHARED", tmp_path)
    assert papers.main(["luh-hedges", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert re.search(r"ours:  MSE 0\.0\d+ \(.*\) on 4 of 5 sentences", told)
    assert "not held out" in told
