"""Whole runs over a scripted model: figures known beforehand, failures, stopping, going on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from radcal.cli.program import parser
from radcal.lab.asking import run as asking
from radcal.lab.asking.asker import Question
from radcal.lab.asking.run import HowToAsk, ask
from radcal.lab.groups.partitions import read_scores
from radcal.system.errors import Cancelled, EngineError, InputError
from radcal.system.progress import SILENT
from radcal.words.phrases import PUBLIC, load_lexicon, mean_of
from radcal.words.records import ABSENT, PRESENT

N = 60


def sure(n: int) -> int:
    """How sure the model is of question n, in percent."""
    return 25 if n % 3 == 0 else 85


def is_right(n: int) -> bool:
    """Right at 4 of 20 where it is 25 % sure, and at 34 of 40 where it is 85 % sure."""
    return (n // 3) % 5 == 0 if n % 3 == 0 else (n * 7) % 20 != 0 and n not in {1, 2, 4, 5}


def number_of(message: str) -> int:
    return int(message.rpartition("Question: Number ")[2].split("?")[0])


def spoken(message: str, lead: str) -> str:
    n = number_of(message)
    if n in {50, 53}:
        return "I don't know."
    return f"It is {n if is_right(n) else 'something else'}, {'possibly' if sure(n) == 25 else 'probably'}."


def short(message: str, lead: str) -> str:
    n = number_of(message)
    return str(n) if is_right(n) else "something else"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "numbers.csv"
    path.write_text("question,answer,topic\n" + "".join(f"Number {n}?,{n},set {n % 2}\n" for n in range(N)))
    return path


@pytest.fixture
def model(scripted: Any) -> Any:
    return scripted(said=short, number=lambda message, lead: sure(number_of(message)))


def run(questions: Path, out: Path, opened: Any, ways: Sequence[Any] = ("probability",), **more: Any) -> dict[str, Any]:
    progress, model = more.pop("progress", SILENT), more.pop("model", "tiny.gguf")
    how = ["--as", ",".join(ways)]
    how += ["--set", f"seed={more.pop('seed')}"] if "seed" in more else []
    how += [str(word) for name, value in more.items() for word in (f"--{name}", value)]
    args = parser().parse_args(["ask", str(questions), "--model", str(model), *how, "--out", str(out)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking, "open_model", opened)
        summary: dict[str, Any] = args.action(args, progress)
    return summary


def test_the_figures_are_those_that_the_script_has(
    questions: Path, tmp_path: Path, model: Any, opening: Callable[..., Any]
) -> None:
    out = tmp_path / "out.jsonl"
    summary = run(questions, out, opening(tiny=model))
    right = [is_right(n) for n in range(N)]
    low, high = (np.mean([r for n, r in enumerate(right) if sure(n) == s]) for s in (25, 85))
    [way] = summary["ways"]
    assert way["n"] == N
    assert way["accuracy"]["value"] == pytest.approx(np.mean(right))
    assert way["ece"]["value"] == pytest.approx(abs(low - 0.25) / 3 + abs(high - 0.85) * 2 / 3)
    yes, no = ([sure(n) for n in range(N) if right[n] is wanted] for wanted in (True, False))
    pairs = [(a > b) + (a == b) / 2 for a in yes for b in no]
    assert way["auroc"]["value"] == pytest.approx(np.mean(pairs))
    for figure in ("accuracy", "ece", "auroc"):
        assert way[figure]["low"] <= way[figure]["value"] <= way[figure]["high"]
    assert summary["failures"] == []
    assert summary["notes"] == ["It runs."]
    assert "probability" in summary["text"]
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["question"] for row in rows] == [f"Number {n}?" for n in range(N)]
    assert [row["correct"] for row in rows] == right
    assert [row["confidence"] for row in rows] == [sure(n) / 100 for n in range(N)]
    assert {row["author"] for row in rows} == {"tiny"}
    assert {row["topic"] for row in rows} == {"set 0", "set 1"}


def test_certainties_with_places_are_a_table_for_groups(
    questions: Path, tmp_path: Path, model: Any, opening: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Placing:
        def __init__(self, path: Path, *_: Any) -> None:
            assert path.name == "tiny.gguf"

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

        def start(self, _: Any) -> None: ...

        def embeddings(self, texts: Sequence[str], _: Any) -> Any:
            return np.eye(len(texts), 3)

    monkeypatch.setattr("radcal.findings.model.local_model.LocalModel", Placing)
    scores = tmp_path / "S.csv"
    run(questions, tmp_path / "out.jsonl", opening(tiny=model), scores=scores)
    read = read_scores(scores, ("topic",), ("x1", "x2", "x3")).rows
    assert read["confidence"].tolist() == [sure(n) / 100 for n in range(N)]
    assert read["outcome"].tolist() == [float(is_right(n)) for n in range(N)]
    with pytest.raises(InputError, match="both name"):
        run(questions, scores, opening(tiny=model), scores=scores)


def test_several_ways_are_compared_in_one_go(
    questions: Path, tmp_path: Path, scripted: Any, opening: Callable[..., Any]
) -> None:
    def said(message: str, lead: str) -> Any:
        return spoken(message, lead) if lead == "Reply:" else short(message, lead)

    model = scripted(said=said, number=lambda message, lead: sure(number_of(message)))
    out = tmp_path / "out.jsonl"
    summary = run(questions, out, opening(tiny=model), asking.WAYS, samples=3)
    ways = {way["asked_as"]: way for way in summary["ways"]}
    assert list(ways) == list(asking.WAYS)
    assert [ways[name]["abstained"] for name in asking.WAYS] == [0, 0, 0, 2, 2, 0, 0, 0]
    assert ways["semantic"]["ece"]["value"] == pytest.approx(1 - np.mean([is_right(n) for n in range(N)]))
    assert ways["phrase"]["auroc"]["value"] == 0.5
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == N * len(asking.WAYS)
    assert {row["author"] for row in rows} == {f"tiny ({way})" for way in asking.WAYS}
    assert [row["confidence"] for row in rows if row["abstained"]] == [None] * 4


def test_questions_that_fail_are_listed_and_the_others_asked(
    questions: Path, tmp_path: Path, scripted: Any, opening: Callable[..., Any]
) -> None:
    def said(message: str, lead: str) -> Any:
        n = number_of(message)
        return (
            EngineError("The Llama process stopped twice.") if n % 10 == 3 else " " if n == 7 else short(message, lead)
        )

    summary = run(questions, tmp_path / "out.jsonl", opening(tiny=scripted(said=said)))
    assert [f["question"] for f in summary["failures"]] == [4, 8, 14, 24, 34, 44, 54]
    assert summary["failures"][0]["reason"] == "The Llama process stopped twice."
    assert summary["answers"] == N - 7
    assert not any("Number" in str(failure) for failure in summary["failures"])


def test_a_model_that_fails_at_everything_is_given_up_and_nothing_is_lost(
    questions: Path, tmp_path: Path, scripted: Any, opening: Callable[..., Any]
) -> None:
    asked: list[int] = []

    def said(message: str, lead: str) -> Any:
        asked.append(number_of(message))
        return EngineError("gone") if asked[-1] >= 5 else "x"

    with pytest.raises(EngineError, match=r"10 questions in a row; the last time: gone"):
        run(questions, tmp_path / "out.jsonl", opening(tiny=scripted(said=said)))
    assert asked == list(range(15))
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 5


def test_what_was_stopped_goes_on_where_it_was_and_ends_the_same(
    questions: Path, tmp_path: Path, model: Any, opening: Callable[..., Any], onlooker: Any
) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    expected = run(questions, whole, opening(tiny=model))
    model.asked.clear()
    with pytest.raises(Cancelled):
        run(questions, parts, opening(tiny=model), progress=onlooker(parts=20))
    assert len(parts.read_text().splitlines()) == 20
    assert len(model.asked) == 2 * 20
    found = run(questions, parts, opening(tiny=model))
    assert len(model.asked) == 2 * N
    assert parts.read_bytes() == whole.read_bytes()
    assert found["ways"] == expected["ways"]


def test_an_answer_decided_by_hand_is_not_asked_for_again(
    questions: Path, tmp_path: Path, model: Any, opening: Callable[..., Any]
) -> None:
    out = tmp_path / "out.jsonl"
    run(questions, out, opening(tiny=model))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    wrong = next(i for i, row in enumerate(rows) if not row["correct"])
    rows[wrong] |= {"correct": True, "decided": "by hand"}
    out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    before = len(model.asked)
    run(questions, out, opening(tiny=model))
    assert len(model.asked) == before
    assert json.loads(out.read_text().splitlines()[wrong])["decided"] == "by hand"


@pytest.mark.parametrize("other", ["model", "way", "questions", "no answers"])
def test_a_file_with_other_answers_is_never_overwritten(
    questions: Path, tmp_path: Path, model: Any, opening: Callable[..., Any], other: str
) -> None:
    out = tmp_path / "out.jsonl"
    opened = opening(tiny=model, large=model)
    run(questions, out, opened)
    if other == "no answers":
        out.write_text("notes\n")
    before, asked = out.read_bytes(), len(model.asked)
    if other == "questions":
        questions.write_text("question,answer\nNumber 1?,1\n")
    name, way = "large" if other == "model" else "tiny", "lc" if other == "way" else "probability"
    with pytest.raises(InputError, match="Choose another file"):
        run(questions, out, opened, [way], model=f"{name}.gguf")
    assert out.read_bytes() == before
    assert len(model.asked) == asked  # refused before hours of work


def test_answers_are_kept_while_the_work_goes_on(model: Any, opening: Callable[..., Any], monkeypatch: Any) -> None:
    monkeypatch.setattr(asking, "_KEEP_SECONDS", -1.0)
    kept: list[int] = []
    ask(
        [Question(f"Number {n}?", (str(n),), "t") for n in range(3)],
        HowToAsk(Path("tiny.gguf"), ("probability",)),
        lambda answers, made_with: kept.append(len(answers)),
        opened=opening(tiny=model),
    )
    assert kept == [0, 1, 2, 3, 3]


def test_what_the_answers_depend_on_decides_whether_they_are_kept(
    questions: Path, tmp_path: Path, scripted: Any, opening: Callable[..., Any]
) -> None:
    made: set[str] = set()
    opened = opening(tiny=scripted(said=lambda *_: ["1"] * 4), judge=scripted(option=lambda *_: "no"))
    for i, more in enumerate(
        [
            {},
            {"samples": 5},
            {"seed": 1},
            {"judge": Path("judge.gguf")},
        ]
    ):
        out = tmp_path / f"{i}.jsonl"
        run(questions, out, opened, ["semantic"], **more)
        made.add(json.loads(out.read_text().splitlines()[0])["made_with"])
    assert len(made) == 4


@pytest.mark.parametrize("samples", [1, 101])
def test_impossible_numbers_of_random_answers_are_refused(samples: int) -> None:
    with pytest.raises(InputError, match="2 to 100"):
        HowToAsk(Path("tiny.gguf"), ("semantic",), samples=samples)


def test_the_model_for_reports_is_refused(questions: Path, tmp_path: Path) -> None:
    from radcal.system.resources import model_file

    with pytest.raises(InputError, match="was trained to read reports and cannot answer questions"):
        run(questions, tmp_path / "out.jsonl", asking.open_model, ["lc"], model=model_file("radcal-mini-q8_0.gguf"))


def test_the_phrases_are_by_default_those_by_which_models_are_read(
    questions: Path, tmp_path: Path, scripted: Any, opening: Callable[..., Any]
) -> None:
    model = scripted(said=short, option=lambda *_: "almost certain")
    out = tmp_path / "out.jsonl"
    run(questions, out, opening(tiny=model), ["phrase"])
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert {row["confidence"] for row in rows} == {"almost certain"}
    phrases = [p for p in load_lexicon(table=PUBLIC).phrases if p.name not in (ABSENT, PRESENT)]
    weights = [1.0 if phrase.name == "almost certain" else 0.1 for phrase in phrases]
    mean = np.average([mean_of(phrase) for phrase in phrases], weights=weights)
    assert [row["stated"] for row in rows] == pytest.approx([mean] * len(rows), abs=1e-4)
