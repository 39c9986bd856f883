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
from radcal.lab.model_perception import LEAD, ask, reading_of, statements
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

    def option_distribution(
        self, messages: Sequence[str], options: Sequence[str], lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        """It calls what is about spiders true, or else unknown what somebody owns, and all else false."""
        assert lead.endswith('"')
        told = [
            "true" if "spiders" in m else "unknown" if "own" in m.split("Statement:")[1] else "false" for m in messages
        ]
        return np.array([[0.8 if option == f'{said}"' else 0.1 for option in options] for said in told])


def test_every_word_is_asked_about_on_every_statement() -> None:
    model = Scripted()
    answers = ask(model, list(MEANS))
    assert len(model.asked) == len(set(model.asked)) == 2 * 120
    assert {word: rows.shape for word, rows in answers.private.items()} == dict.fromkeys(MEANS, (60, 101))
    spiders = [chances.argmax(axis=1).tolist() for chances in answers.true.values()]
    assert [sorted(set(row)) for row in spiders] == [[60, 70], [20, 30]]
    assert all(row.count(max(row)) == 1 for row in spiders)
    assert [set(chances.argmax(axis=1)) for chances in answers.false.values()] == [{60}, {20}]
    assert answers.examples == {}


def test_fewer_statements_keep_pairs_together() -> None:
    answers = ask(Scripted(), ["likely"], 2, 7)
    assert len(answers.private["likely"]) == 7
    assert answers.true["likely"].shape == answers.false["likely"].shape == (3, 101)


def test_worked_answers_about_something_known_are_true_or_false_as_asked() -> None:
    model = Scripted()
    answers = ask(model, ["likely"], most=4, examples=True)
    assert list(answers.examples) == ["FF", "FT", "TF", "TT"]
    assert answers.examples["FT"]["likely"].shape == (4, 101)
    shown = [text for text in model.asked if "Danube" in text]
    assert len(shown) == 4 * 4
    assert [("North Sea" in text, "eat gravel" in text) for text in shown[::4]] == [
        (True, True), (True, False), (False, True), (False, False),
    ]  # fmt: skip
    assert all(text.count(LEAD) == 2 for text in shown)


def test_statements_of_science_take_the_place_of_those_of_general_knowledge() -> None:
    model = Scripted()
    answers = ask(model, ["likely"], most=2 * 60, known="science")
    assert answers.private["likely"].shape == (60, 101)
    assert answers.true["likely"].shape == (60, 101)
    assert not any("eight legs" in text for text in model.asked)


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
    checks = reading.checks
    assert checks is not None
    assert [row[1:] for row in checks.truths] == [pytest.approx((x + 10 / 30, x)) for x in (60, 20)]
    assert checks.chances == checks.greedy  # of a model that is sure
    assert (checks.apart_private, checks.apart_verifiable) == (0, 0)
    each = wilcoxon([10.0] * 2 + [0.0] * 58, alternative="greater")
    assert checks.greedy.bias_each.p_value == pytest.approx(each.pvalue)
    assert checks.greedy.bias_each.statistic == each.statistic
    unknown = sum("own" in s.statement for s in statements() if s.true is None)
    owned = sum("own" in s.statement for s in statements() if s.true is False)
    right = (unknown / 60, 1 / 30, (29 - owned) / 30)  # and six-legged spiders are called true, too
    assert [share.value for share in checks.beliefs[:3]] == pytest.approx(right)
    assert checks.beliefs[3].value == pytest.approx((60 * right[0] + 30 * right[1] + 30 * right[2]) / 120)


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
    more = ("--known", "science", "--examples", "--lexicon", tmp_path / "LEX.csv")
    asked = ("--reference", reference, "--shots", 2, "--statements", 2, *more)
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
    assert made["all_chances"]["private"]["w1"] == pytest.approx(made["w1"])
    assert [shown["truth"] for shown in made["worked_answers"]] == ["FF", "FT", "TF", "TT"]
    assert made["known"] == "science"
    assert "its own verdicts" in summary["text"]
