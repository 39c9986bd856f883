"""`radcal ask` over a real llama.cpp and a tiny model: it knows nothing, but everything around it must hold."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from radcal.cli.program import DONE, DONE_WITH_FAILURES, UNUSABLE, main, parser
from radcal.findings.model.local_model import LocalModel
from radcal.findings.model.options import ModelOptions
from radcal.findings.model.writing import Wanted
from radcal.lab.asking.run import WAYS, LocalSpeaker
from radcal.system.progress import SILENT
from tests.cases import cases_of

cases = cases_of(__file__)

SMALL = ("--set", "llama_context=1024", "--set", "llama_threads=1")
N = 4


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    rows = [{"question": f"Is there effusion {n}?", "answer": ["left", "right"]} for n in range(N)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def ask(questions: Path, model: Path, out: Path, *how: object) -> dict[str, Any]:
    words = ["ask", questions, "--model", model, "--out", out, *how, *SMALL]
    args = parser().parse_args(list(map(str, words)))
    summary: dict[str, Any] = args.action(args, SILENT)
    return summary


def run(questions: Path, model: Path, out: Path, *more: object) -> dict[str, Any]:
    return ask(questions, model, out, "--as", "all", "--samples", 3, *more)


def of_probability(questions: Path, model: Path, out: Path) -> dict[str, Any]:
    return ask(questions, model, out, "--as", "probability")


@pytest.mark.slow
def test_every_way_of_asking_works_and_repeats_itself(questions: Path, model: Path, tmp_path: Path) -> None:
    first, again, other = (tmp_path / f"{name}.jsonl" for name in ("first", "again", "other"))
    summary = run(questions, model, first)
    assert summary["answers"] + len(summary["failures"]) == N * len(WAYS)
    assert {way["asked_as"] for way in summary["ways"]} == set(WAYS)
    run(questions, model, again)
    assert again.read_bytes() == first.read_bytes()
    ask(questions, model, other, "--as", "semantic", "--samples", 3, "--set", "seed=1")

    def samples(path: Path) -> list[Any]:
        rows = map(json.loads, path.read_text().splitlines())
        return [row["samples"] for row in rows if row["asked_as"] == "semantic"]

    assert samples(first) != samples(other)
    for row in map(json.loads, first.read_text().splitlines()):
        if row["asked_as"] == "beta":
            assert row["confidence"].startswith("Beta(")
        if row["stated"] is not None:
            assert 0 <= row["stated"] <= 1


@pytest.mark.slow
def test_a_model_may_judge_itself(questions: Path, model: Path, tmp_path: Path) -> None:
    summary = run(questions, model, tmp_path / "out.jsonl", "--judge", model)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert summary["answers"] == len(rows) > 0
    assert {row["decided"] for row in rows} <= {"judge", "abstained"}


@pytest.mark.slow
def test_a_child_that_dies_costs_nothing_but_time(
    questions: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, other = tmp_path / "whole.jsonl", tmp_path / "other.jsonl"
    of_probability(questions, model, whole)
    real, died = LocalSpeaker.numbers, []

    def dying(speaker: LocalSpeaker, message: str, lead: str) -> Any:
        if not died:
            process = speaker._model.process
            assert process is not None
            died.append(process)
            os.kill(process, signal.SIGKILL)
        return real(speaker, message, lead)

    monkeypatch.setattr(LocalSpeaker, "numbers", dying)
    summary = of_probability(questions, model, other)
    assert summary["failures"] == []
    assert other.read_bytes() == whole.read_bytes()


def test_a_question_longer_than_the_context_is_listed(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "questions.csv"
    path.write_text("question,answer\n" + "word " * 6000 + "?,a\nWhat is left?,b\n")
    summary = of_probability(path, model, tmp_path / "out.jsonl")
    [failure] = summary["failures"]
    assert failure["question"] == 1
    assert "more than the context has room for" in failure["reason"]
    assert summary["answers"] == 1


def test_messages_are_asked_of_a_model_and_texts_taken_as_they_are(model: Path, tmp_path: Path) -> None:
    with LocalModel(model, ModelOptions(context=1024, threads=1, state_folder=tmp_path)) as made:
        plain = made.number_distribution(["The chance is\nPercent:"])
        asked = made.number_distribution(["The chance is"], lead="Percent:")
        assert plain == pytest.approx(asked, abs=1e-4)
        weighed = made.option_distribution(["Heart size?"], ['likely"', 'unlikely"'], 'It is "')
        assert weighed.sum() == pytest.approx(1)
        texts = made.write("Heart size?", Wanted(6, samples=3, temperature=1.0))
        assert len(texts) == 3


# --- the command line -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_asks_and_goes_on(
    questions: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    command = ["ask", str(questions), "--model", str(model), "--as", "probability,beta", "--out", str(out), *SMALL]
    assert main([*command, "--json"]) == DONE
    summary = json.loads(capsys.readouterr().out)
    assert [way["asked_as"] for way in summary["ways"]] == ["probability", "beta"]
    assert summary["ways"][0]["ece"] == {
        "value": None,
        "low": None,
        "high": None,
        "reason": f"{N} answers say how sure they are; 30 are needed.",
    }
    before = out.read_bytes()
    assert main(command) == DONE
    assert out.read_bytes() == before
    assert "Not enough data: 4 answers" in capsys.readouterr().out


@cases("options_that_cannot_be_are_refused")
def test_options_that_cannot_be_are_refused(
    questions: Path, model: Path, tmp_path: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ask", str(questions), "--model", str(model), *arguments, "--out", str(tmp_path / "out.jsonl")]
    try:
        status = main(command)
    except SystemExit as left:
        status = int(str(left.code))
    assert status == UNUSABLE
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_rows_that_are_no_questions_make_the_status_1(
    questions: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with questions.open("a") as file:
        file.write("no question\n")
    command = ["ask", str(questions), "--model", str(model), "--as", "probability"]
    assert main([*command, "--out", str(tmp_path / "out.jsonl"), *SMALL]) == DONE_WITH_FAILURES
    assert "1 question or row failed" in capsys.readouterr().out
