"""A model that is asked what words mean: who it is, what it is asked, and what becomes of its answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import wasserstein_distance, wilcoxon

from radcal.findings.engines import shipped_model
from radcal.lab.model_perception import LEAD, ask, reading_of
from radcal.lab.perception import Perceived
from radcal.lab.responses import RADIOLOGISTS, meanings
from radcal.system.errors import Cancelled
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.words.phrases import mean_of, read_lexicon_csv

MEANS = {"likely": 60, "unlikely": 20}
SETTINGS = Settings(bootstrap=100)


class Scripted:
    """A model that reads each word as a number, and statements that it takes to be true 10 points higher."""

    model, notes = Path("scripted.gguf"), ("It was tried.",)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def model_hash(self) -> str:
        return "abc"

    def number_distribution(
        self, texts: Sequence[str], progress: Progress = SILENT, lead: str | None = None
    ) -> NDArray[np.float64]:
        assert lead == LEAD
        rows = np.zeros((len(texts), 101))
        for row, text in zip(rows, texts, strict=True):
            progress.raise_if_cancelled()
            word = next(w for w in sorted(MEANS, key=len, reverse=True) if f'"{w}"' in text)
            row[MEANS[word] + 10 * ("eight legs" in text)] = 1.0
            progress.advance()
        self.asked += texts
        return rows


def test_every_word_is_asked_about_on_every_statement() -> None:
    model = Scripted()
    answers = ask(model, list(MEANS))
    assert len(model.asked) == len(set(model.asked)) == 2 * 120
    assert {word: rows.shape for word, rows in answers.private.items()} == dict.fromkeys(MEANS, (60, 101))
    assert answers.true.tolist().count(50.0) == 1  # spiders
    assert set(answers.false.tolist()) == {40.0}


def test_fewer_statements_keep_pairs_together() -> None:
    answers = ask(Scripted(), ["likely"], 2, 7)
    assert len(answers.private["likely"]) == 7
    assert len(answers.true) == len(answers.false) == 3


def test_a_model_of_known_answers_has_the_figures_that_follow() -> None:
    model = Scripted()
    reference = {name: meanings(RADIOLOGISTS)[name] for name in MEANS}
    reading = reading_of(ask(model, [*MEANS]), reference, RADIOLOGISTS, model, 0, SETTINGS)
    assert (reading.who, reading.model_hash, reading.statements, reading.pairs) == ("scripted.gguf", "abc", 60, 30)
    likely = next(a for a in reading.perception.expressions if a.expression == "likely")
    assert likely.mean.value == 60
    assert likely.reference_mean == pytest.approx(77.36, abs=0.01)
    assert likely.reference_n == 50
    assert likely.mae.value == pytest.approx(17.36, abs=0.01)
    bias = reading.perception.knowledge_bias
    assert bias.difference == pytest.approx(10 / 30)
    assert bias.n == 30
    assert bias.p_value == pytest.approx(wilcoxon([10.0] + [0.0] * 29, alternative="greater").pvalue)
    assert [m.chances.index(1.0) for m in reading.meanings] == [60, 20]


def test_a_reading_survives_being_stored() -> None:
    model = Scripted()
    reference = {name: meanings(RADIOLOGISTS)[name] for name in MEANS}
    reading = reading_of(ask(model, [*MEANS], 0, 4), reference, RADIOLOGISTS, model, 0, SETTINGS)
    assert plain_to_record(record_to_plain(reading), Perceived) == reading


def test_asking_can_be_cancelled(onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        ask(Scripted(), list(MEANS), progress=onlooker(parts=5))


def test_the_shipped_model_is_asked_end_to_end(command: Callable[..., Any], tmp_path: Path) -> None:
    out, reference = tmp_path / "P.json", tmp_path / "REF.csv"
    reference.write_text("participant,expression,response\nA,likely,70\nB,likely,80\nA,unlikely,10\n")
    model = shipped_model()
    asked = ("--reference", reference, "--shots", 2, "--statements", 2, "--lexicon", tmp_path / "LEX.csv")
    summary = command("perception", "--model", model, "--out", out, *asked, settings=SETTINGS)
    assert summary["failures"] == []
    made = json.loads(out.read_text(encoding="utf-8"))
    assert made["model_hash"] == hashlib.sha256(model.read_bytes()).hexdigest()
    assert (made["statements"], made["pairs"], made["shots"]) == (2, 1, 2)
    assert [e["expression"] for e in made["expressions"]] == ["unlikely", "likely"]
    for entry in made["expressions"]:
        chances = np.array(made["chances"][entry["expression"]])
        assert chances.sum() == pytest.approx(1)
        meant = {"likely": [70, 80], "unlikely": [10]}[entry["expression"]]
        assert entry["mean"] == pytest.approx(chances @ np.arange(101))
        assert entry["w1"] == pytest.approx(wasserstein_distance(np.arange(101), meant, chances))
        assert sum(entry["histogram"]) == pytest.approx(1)
        phrase = read_lexicon_csv(tmp_path / "LEX.csv").find(entry["expression"])
        assert phrase is not None
        assert mean_of(phrase) == pytest.approx(entry["mean"] / 100, abs=1e-6)
