"""Questions in, answers out and in again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.lab.asking.asker import Answered, Question
from radcal.lab.asking.files import answer_lines, read_answered, read_questions
from radcal.system.errors import Cancelled, InputError
from radcal.system.inputs import json_lines_of
from radcal.system.progress import Silent
from tests.cases import cases_of

cases = cases_of(__file__)


def test_questions_as_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(
        '{"question": "Capital of France?", "answer": "Paris | Paname", "topic": "towns"}\n\n'
        '{"Question": "Legs of a spider?", "answer": 8}\n'
        '{"question": "Is it?", "answer": [true, "of course"]}\n',
        encoding="utf-8",
    )
    questions, rejected = read_questions(path)
    assert questions == (
        Question("Capital of France?", ("Paris", "Paname"), "towns"),
        Question("Legs of a spider?", ("8",), "set"),
        Question("Is it?", ("yes", "of course"), "set"),
    )
    assert rejected == ()


def test_questions_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    rows = [("Topic", "QUESTION", "Answer"), ("towns", "Größte Stadt?", "Köln|Cologne"), ("", "-5 + 5?", "0")]
    path.write_text("\n".join(map(";".join, rows)), encoding="utf-16")
    questions, rejected = read_questions(path)
    assert questions == (
        Question("Größte Stadt?", ("Köln", "Cologne"), "towns"),
        Question("-5 + 5?", ("0",), "set"),
    )
    assert rejected == ()


def test_rows_that_are_no_questions_are_listed_and_the_rest_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    lines = ['{"question": "A?", "answer": "a"}', "no json", "[1]", '{"question": "B?"}', '{"answer": "b"}']
    lines += [
        '{"question": "A?", "answer": "other"}',
        '{"question": "C?", "answer": "\\ud800"}',
        '{"question": "D?", "answer": " | "}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    questions, rejected = read_questions(path)
    assert [q.text for q in questions] == ["A?"]
    assert [r["row"] for r in rejected] == [2, 3, 4, 5, 6, 7, 8]
    assert {r["file"] for r in rejected} == {"set.jsonl"}
    assert rejected[4]["reason"] == "The question is already in row 1."
    assert all(r["reason"] and r["remedy"] for r in rejected)
    assert "no json" not in json.dumps(rejected)


def test_a_row_of_a_table_with_too_many_cells_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("question,answer\nA?,a\nB, or C?,b\nD?,d\n", encoding="utf-8")
    questions, rejected = read_questions(path)
    assert [q.text for q in questions] == ["A?", "D?"]
    assert [r["row"] for r in rejected] == [3]


@cases("files_without_questions_are_refused")
def test_files_without_questions_are_refused(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_questions(path)


TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
SHARE = st.floats(0, 1)


@settings(max_examples=30)
@given(
    st.lists(
        st.builds(
            Answered,
            question=st.builds(Question, TEXT, st.lists(TEXT).map(tuple), TEXT),
            way=st.sampled_from(["phrase", "lc+", "semantic"]),
            answer=TEXT,
            said=TEXT,
            confidence=st.none() | TEXT | SHARE,
            stated=st.none() | SHARE,
            correct=st.booleans(),
            decided=TEXT,
            abstained=st.booleans(),
            samples=st.lists(TEXT).map(tuple),
        ),
        max_size=5,
    )
)
def test_answers_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, answers: list[Answered]) -> None:
    path = tmp_path_factory.mktemp("answers") / "out.jsonl"
    lines = answer_lines(answers, "model", {"phrase": "1", "lc+": "2", "semantic": "3"})
    path.write_bytes(lines.encode())
    kept = read_answered(path)
    assert [k.answered for k in kept] == answers
    assert [k.made_with for k in kept] == [{"phrase": "1", "lc+": "2", "semantic": "3"}[a.way] for a in answers]
    for line, answer in zip(lines.split("\n"), answers, strict=False):
        assert json.loads(line)["author"] == f"model ({answer.way})"


def test_one_way_of_asking_leaves_the_author_the_models_name() -> None:
    answer = Answered(Question("A?", ("a",), "t"), "beta", "a", "a", "Beta(2,1)", 2 / 3, True, "exact")
    entry = json.loads(answer_lines([answer], "tiny", {"beta": "x"}))
    assert {name: entry[name] for name in ("question", "answer", "confidence", "correct", "author", "topic")} == {
        "question": "A?",
        "answer": "a",
        "confidence": "Beta(2,1)",
        "correct": True,
        "author": "tiny",
        "topic": "t",
    }


@cases("a_file_of_something_else_is_not_taken_for_answers")
def test_a_file_of_something_else_is_not_taken_for_answers(tmp_path: Path, change: dict[str, object]) -> None:
    answer = Answered(Question("A?", ("a",), "t"), "beta", "a", "a", "Beta(2,1)", 2 / 3, True, "exact")
    entry = json.loads(answer_lines([answer], "tiny", {"beta": "x"}))
    path = tmp_path / "out.jsonl"
    path.write_text(json.dumps(entry) + "\n" + json.dumps(entry | change) + "\n")
    with pytest.raises(InputError, match=r"out.jsonl, line 2"):
        read_answered(path)


def test_reading_can_be_stopped_between_lines(tmp_path: Path) -> None:
    class Impatient(Silent):
        def raise_if_cancelled(self) -> None:
            if (tmp_path / "stop").exists():
                raise Cancelled("Stopped.")

    path = tmp_path / "set.jsonl"
    path.write_text('{"question": "A?", "answer": "a"}\n' * 2000, encoding="utf-8")
    rows = json_lines_of(path.read_text(encoding="utf-8"), Impatient())
    next(rows)
    (tmp_path / "stop").touch()
    with pytest.raises(Cancelled):
        list(rows)
