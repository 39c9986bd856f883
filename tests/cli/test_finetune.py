"""`radcal lab finetune`: its table, and what it says where something is missing."""

from __future__ import annotations

import pytest

from radcal.lab.asking.run import WayFigures
from radcal.lab.finetuning import run as finetuning
from radcal.lab.finetuning import training
from radcal.lab.finetuning.run import Judged, Tuned
from radcal.lab.perception import Estimate


def test_figures_before_and_after_are_a_table(radcal, tmp_path, monkeypatch):
    def tune(questions, how, folder, *_):
        assert (len(questions), how.levels, how.by, how.training.epochs) == (757, 4, "share", 3)
        before = WayFigures("lc", 90, 0, 0, Estimate(0.4, 0.3, 0.5), Estimate(0.6, 0.5, 0.7), 0.02, Estimate(None))
        after = WayFigures(
            "lc", 90, 0, 0, Estimate(0.4, 0.3, 0.5), Estimate(0.1, 0, 0.2), 0.05, Estimate(0.8, 0.7, 0.9)
        )
        rows = Judged("lc", "all", before, 0.97), Judged("lc tuned", "all", after, 0.42)
        return Tuned("m", 400, 70, 90, ("rivers",), 10, (), ((2.0, 2.1),), rows, 1)

    monkeypatch.setattr(finetuning, "finetune", tune)
    model = tmp_path / "m.gguf"
    done = radcal(
        "lab", "finetune", "--model", model, "--out", tmp_path / "o", "--levels", 4, "--by", "share", "--epochs", 3
    )
    assert (done.status, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "lc all 90 0.970 0.400 0.300-0.500 0.600 0.500-0.700 0.020 - -" in lines
    assert "lc tuned all 90 0.420 0.400 0.300-0.500 0.100 0.000-0.200 0.050 0.800 0.700-0.900" in lines
    assert "Learnt 390 questions, judged on 90 others; new topics among these: rivers." in done.out
    assert "1 question has no answer" in done.out


def test_without_the_extra_it_says_how_to_get_it(radcal, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "find_spec", lambda name: None)
    done = radcal("lab", "finetune", "--model", tmp_path / "m.gguf", "--out", tmp_path / "o")
    assert done.status == 2
    assert "pip install 'radcal[finetune]'" in done.err


@pytest.mark.parametrize("levels", ["1", "11", "few"])
def test_impossible_numbers_of_levels_are_refused(radcal, tmp_path, levels):
    done = radcal("lab", "finetune", "--model", tmp_path / "m.gguf", "--out", tmp_path / "o", "--levels", levels)
    assert done.status == 2
