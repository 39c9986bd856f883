"""radcal models, from answers to M.json."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from radcal.lab.diagrams import BINS, ENTROPIES, PRICES
from radcal.lab.recalibrating import METHODS, TOGETHER
from radcal.system.errors import InputError
from radcal.system.settings import Settings

QUICK = Settings(bootstrap=50)
Command = Callable[..., Any]
NAMES = ("ece", "brier", "accuracy", "ece_of_means", "brier_of_means")
SCORES = {f"{name}{end}" for name in NAMES for end in ("", "_low", "_high")}


def answers(path: Path, *kinds: str, n: int = 300, seed: int = 1) -> Path:
    """Answers of models that are right in 30 to 70 %, whatever they say, in words, numbers or Betas."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    said: dict[str, list[object]] = {
        "numbers": [0.1, 0.5, 0.9, 0.99],
        "words": ["unlikely", "possible", "likely", "present"],
        "betas": ["Beta(1, 9)", "Beta(5, 5)", "Beta(9, 1)", "Beta(40, 1)"],
    }
    with path.open("w", encoding="utf-8") as file:
        for kind in kinds:
            for _ in range(n):
                place = rng.randrange(4)
                right = rng.random() < 0.3 + 0.13 * place
                entry = {"model": kind, "topic": "quiz", "confidence": said[kind][place], "correct": right}
                file.write(json.dumps(entry) + "\n")
    return path


def strict(path: Path) -> dict[str, Any]:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    return made


@pytest.mark.slow
def test_numbers_words_and_betas_go_through_one_engine(command: Command, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", "numbers", "words", "betas")
    summary = command("models", file, "--out", tmp_path / "M.json", settings=QUICK)
    made = strict(tmp_path / "M.json")
    assert (summary["models"], summary["mended"], summary["failures"]) == (3, 3, [])
    for model in made["models"]:
        assert set(model["methods"]) == {*METHODS, *TOGETHER}
        assert all(set(scores) == SCORES for scores in model["methods"].values())
        before = model["methods"]["none"]
        for method in ("ordered", "transport", "platt", "histogram", *TOGETHER):
            assert model["methods"][method]["brier"] < before["brier"]
        assert [d["bins"] for d in model["diagrams"]] == list(BINS)
        assert model["diagrams"][-1]["ece"] == pytest.approx(model["reliability"]["ece"])
        assert model["grid"] == []
        assert all(told["department"] and 0 < told["department_rate"] < 1 for told in model["told"])
        assert model["n"] == model["reliability"]["n"] == 300
        assert before["brier"] == pytest.approx(model["reliability"]["brier"], abs=0.01)
        assert model["different"] == len(model["told"]) == 4
        assert {s["choice"] for s in model["sizes"]} == {"best", "even"}
        assert all(s["phrases"] == len(s["words"]) for s in model["sizes"])
    speech = {m["author"]: m["speech"] for m in made["models"]}
    assert speech["numbers"] == {"words": 0, "numbers": 300, "distributions": 0}
    assert speech["words"]["words"] == speech["betas"]["distributions"] == 300
    assert "On average" in summary["text"]
    assert summary["means"]["ordered"]["ece"] < summary["means"]["none"]["ece"]


@pytest.mark.slow
def test_one_model_is_measured_alike_whoever_else_is_in_the_file(command: Command, tmp_path: Path) -> None:
    alone = answers(tmp_path / "a.jsonl", "numbers", n=100)
    beside = tmp_path / "b.jsonl"
    beside.write_text(
        alone.read_text(encoding="utf-8") + answers(tmp_path / "w.jsonl", "words", n=60).read_text(encoding="utf-8"),
        encoding="utf-8",
    )
    command("models", alone, "--out", tmp_path / "A.json", settings=QUICK)
    command("models", beside, "--out", tmp_path / "B.json", settings=QUICK)
    (first,), second = strict(tmp_path / "A.json")["models"], strict(tmp_path / "B.json")["models"]
    (again,) = (m for m in second if m["author"] == "numbers")
    for field in ("diagrams", "sizes", "n", "right", "stated"):
        assert first[field] == again[field]
    for method in METHODS:
        assert first["methods"][method] == again["methods"][method]
    for one, other in zip(first["told"], again["told"], strict=True):
        assert {name: value for name, value in one.items() if "department" not in name} == {
            name: value for name, value in other.items() if "department" not in name
        }


@pytest.mark.slow
def test_the_grid_of_the_transport_is_made_if_asked_for(command: Command, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", "numbers", n=60)
    command("models", file, "--grid", "--out", tmp_path / "M.json", settings=QUICK)
    (model,) = strict(tmp_path / "M.json")["models"]
    assert [(p["epsilon"], p["tau2"]) for p in model["grid"]] == [(e, t) for e in ENTROPIES for t in PRICES]
    [ours] = [p for p in model["grid"] if (p["epsilon"], p["tau2"]) == (1e-3, 1e-3)]
    assert ours["ece"] == pytest.approx(model["methods"]["transport"]["ece_of_means"])


def test_a_single_answer_cannot_be_halved_whatever_the_settings_ask_for(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"model": "one", "confidence": 0.9, "correct": True}), encoding="utf-8")
    summary = command("models", file, "--out", tmp_path / "M.json", settings=QUICK.changed(min_group_n=1))
    assert (summary["models"], summary["mended"]) == (1, 0)
    assert strict(tmp_path / "M.json")["models"][0]["reason"] == "1 answer; 2 are needed."


def test_what_is_left_out_is_listed_and_counted(command: Command, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", "numbers", n=60)
    more = [{"confidence": c, "correct": True, "model": "numbers", "topic": "quiz"} for c in ("as sure as eggs",) * 3]
    with file.open("a", encoding="utf-8") as out:
        out.write("\n".join([*map(json.dumps, more), "{", '{"model": "few", "confidence": 1, "correct": true}']))
    summary = command("models", file, "--out", tmp_path / "M.json", settings=QUICK)
    made = strict(tmp_path / "M.json")
    assert made["unknown_phrases"] == {"as sure as eggs": 3}
    assert (summary["unknown_answers"], summary["answers"]) == (3, 61)
    assert [row["row"] for row in made["rejected"]] == [64]
    (few,) = (m for m in made["models"] if m["author"] == "few")
    assert few["reason"] == "1 answer; 30 are needed."
    assert (few["methods"], few["sizes"], few["told"]) == ({}, [], [])
    first, second = summary["failures"]
    assert (first["file"], first["row"], first["phrase"], first["answers"]) == ("a.jsonl", 61, "as sure as eggs", 3)
    assert "--lexicon" in first["remedy"]
    assert second["row"] == 64
    assert "NOT READ: 3 answers in 1 wording" in summary["text"]
    assert "'as sure as eggs' is in no list (3 answers" in summary["text"]


def test_several_files_are_read_together_each_for_the_model_of_its_name(command: Command, tmp_path: Path) -> None:
    for name in ("one", "two"):
        lines = [json.dumps({"confidence": c, "correct": True}) for c in (0.2, 0.9, "likely", "Beta(2, 1)")]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    command("models", *files, "--out", tmp_path / "M.json", settings=QUICK)
    assert [(m["author"], m["topic"], m["n"]) for m in strict(tmp_path / "M.json")["models"]] == [
        ("one", "all questions", 4),
        ("two", "all questions", 4),
    ]
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="named twice"):
        command(
            "models", files[0], tmp_path / "folder" / ".." / "one.jsonl", "--out", tmp_path / "M.json", settings=QUICK
        )
    with pytest.raises(InputError):
        command("models", *files, "--out", files[0], settings=QUICK)  # the input is not written over


def test_a_lexicon_of_ones_own_names_the_words(command: Command, tmp_path: Path) -> None:
    lexicon = tmp_path / "LEX.csv"
    lexicon.write_text("phrase,alpha,beta\nsehr sicher,19,1\nunklar,1,1\n", encoding="utf-8")
    file = tmp_path / "a.jsonl"
    said = ("sehr sicher", "unklar", "we doubt")
    rows = [{"confidence": said[i % 3], "correct": i % 4 > 0} for i in range(90)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    summary = command("models", file, "--out", tmp_path / "M.json", "--lexicon", lexicon, settings=QUICK)
    (model,) = strict(tmp_path / "M.json")["models"]
    assert {told["from"] for told in model["told"]} == {"sehr sicher", "unklar"}
    assert max(s["phrases"] for s in model["sizes"]) == 4  # with absent and present
    assert [(f["phrase"], f["answers"]) for f in summary["failures"]] == [("we doubt", 30)], "no other list counts"


PAPERS = {
    "almost certain": 0.92, "very good chance": 0.81, "we believe": 0.75, "better than even": 0.58, "about even": 0.51,
    "we doubt": 0.22, "little chance": 0.13, "almost no chance": 0.07, "chances are slight": 0.14,
}  # fmt: skip
"""Phrases of the public survey that no radiologist was asked about, with their means, as rounded by hand."""


def test_words_are_read_by_the_public_survey_first_and_by_the_radiologists_for_the_rest(
    command: Command, tmp_path: Path
) -> None:
    said = [*PAPERS, "Very likely", "likely", "suggestive of", "maybe", "uncertain", "somewhat likely"]
    file = tmp_path / "a.jsonl"
    rows = [{"confidence": said[i % len(said)], "correct": i % 3 > 0} for i in range(4 * len(said))]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    summary = command("models", file, "--out", tmp_path / "M.json", settings=QUICK)
    made = strict(tmp_path / "M.json")
    found = {m["phrase"]: m for m in made["meanings"]}
    assert {name: round(found[name]["mean"], 2) for name in PAPERS} == PAPERS
    lists = {name: m["list"] for name, m in found.items()}
    assert lists == dict.fromkeys((*PAPERS, "highly likely", "likely"), "phrases_public.csv") | dict.fromkeys(
        ("suggestive of", "maybe"), "phrases.csv"
    )
    assert "Fagen-Ulmschneider" in found["likely"]["source"]
    assert "radiologists" in found["maybe"]["source"]
    assert [(f["phrase"], f["answers"], f["row"]) for f in summary["failures"]] == [
        ("uncertain", 4, 14), ("somewhat likely", 4, 15),
    ]  # fmt: skip
    assert made["unknown_phrases"] == {"uncertain": 4, "somewhat likely": 4}
    (model,) = made["models"]
    assert model["speech"] == {"words": 4 * 13, "numbers": 0, "distributions": 0}


@pytest.mark.slow
def test_words_that_may_be_a_name_are_counted_and_not_quoted(command: Command, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", "numbers", n=40)
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps({"confidence": "Quillfeather", "correct": True}))
    summary = command("models", file, "--out", tmp_path / "M.json", settings=QUICK)
    assert "Quillfeather" not in json.dumps(summary)
    assert [(f["phrase"], f["answers"], f["row"]) for f in summary["failures"]] == [(None, 1, 41)]


def test_abstentions_are_left_out_counted_and_no_failures(command: Command, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", "numbers", n=40)
    alone = command("models", file, "--out", tmp_path / "M.json", settings=QUICK)
    none = {"model": "numbers", "topic": "quiz", "confidence": None, "correct": False, "abstained": True}
    with file.open("a", encoding="utf-8") as out:
        out.write("\n".join([json.dumps(none)] * 3))
    summary = command("models", file, "--out", tmp_path / "M.json", settings=QUICK)
    assert (summary["abstained"], summary["failures"]) == (3, [])
    assert summary["means"] == alone["means"]
    assert "Left out as abstentions: 3 rows." in summary["text"]
    assert strict(tmp_path / "M.json")["abstained"] == 3
    file.write_text(json.dumps(none), encoding="utf-8")
    with pytest.raises(InputError, match="all rows are abstentions"):
        command("models", file, "--out", tmp_path / "M.json", settings=QUICK)
