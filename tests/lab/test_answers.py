"""Files of models' answers: what is read as what, and what is listed instead."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.lab.answers import Answers, UnknownWords, read_answers
from radcal.system.errors import Cancelled, InputError
from radcal.words.phrases import Lexicon, is_point_mass, load_lexicon, mean_of, read_lexicon_csv
from tests.cases import cases_of

cases = cases_of(__file__)

LEXICON = load_lexicon()
Read = Callable[..., Answers]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads answers, written as JSON lines."""

    def _read(*entries: object, name: str = "gpt.jsonl") -> Answers:
        path = tmp_path / name
        lines = [e if isinstance(e, str) else json.dumps(e) for e in entries]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return read_answers(path, LEXICON)

    return _read


def one(read: Read, confidence: object, correct: object = True) -> tuple[str, float | None]:
    """The phrase that a confidence is read as, and its mean; the reason where it is refused."""
    made = read({"confidence": confidence, "correct": correct}, {"confidence": "likely", "correct": True})
    if len(made.rejected):
        return str(made.rejected["reason"][0]), None
    phrase = str(made.answers["phrase"][0])
    known = LEXICON.find(phrase) or next((p for p in made.said if p.name == phrase), None)
    return phrase, None if known is None else mean_of(known)


@pytest.mark.parametrize(
    ("confidence", "phrase", "mean"),
    [
        (0.83, "0.83", 0.83),
        ("0.83", "0.83", 0.83),
        ("0,83", "0.83", 0.83),
        (".5", "0.5", 0.5),
        (1, "1", 1.0),
        (0, "0", 0.0),
        (1e-3, "0.001", 0.001),
        ("85 %", "0.85", 0.85),
        ("85%", "0.85", 0.85),
        ("62.5 percent", "0.625", 0.625),
        ("0.5 %", "0.005", 0.005),
        ("100%", "1", 1.0),
        ("Beta(3, 1)", "Beta(3, 1)", 0.75),
        ("beta( 3.0 ; 1 )", "Beta(3, 1)", 0.75),
        ("Beta(alpha=1.5, beta=0.5)", "Beta(1.5, 0.5)", 0.75),
        ({"alpha": 3, "beta": 1}, "Beta(3, 1)", 0.75),
        ("Likely.", "likely", mean_of(LEXICON.find("likely"))),  # type: ignore[arg-type]
        ("beyond all doubt, I daresay", "beyond all doubt, I daresay", None),
    ],
)
def test_confidence_is_a_number_a_phrase_or_a_beta(
    read: Read, confidence: object, phrase: str, mean: float | None
) -> None:
    assert one(read, confidence) == (phrase, None if mean is None else pytest.approx(mean))


@cases("what_is_no_confidence_is_listed_with_its_reason")
def test_what_is_no_confidence_is_listed_with_its_reason(read: Read, confidence: object, why: str) -> None:
    # Beside it stand numbers from 0 to 1, so that 1.2 is no percentage.
    entries = [{"confidence": c, "correct": 1} for c in (confidence, 0.2, 0.9)]
    made = read(*entries)
    assert len(made.answers) == 2
    (row,) = made.rejected.to_dict("records")
    assert (row["file"], row["row"]) == ("gpt.jsonl", 1)
    assert why in row["reason"]
    assert len(row["remedy"]) > 10


@pytest.mark.parametrize(
    ("correct", "outcome"),
    [
        (True, 1.0), (False, 0.0), (1, 1.0), (0, 0.0), (1.0, 1.0), ("correct", 1.0), ("Incorrect", 0.0), ("true", 1.0),
        ("wrong", 0.0), (" no ", 0.0), ("1", 1.0), (None, None), ("", None), (0.5, None), ("perhaps", None), (2, None),
        ("Wahr", 1.0), ("nein", 0.0), ("w", None),
    ],
)  # fmt: skip
def test_an_answer_is_right_or_wrong_or_listed(read: Read, correct: object, outcome: float | None) -> None:
    made = read({"confidence": 0.5, "correct": correct}, {"confidence": 0.5, "correct": True})
    if outcome is None:
        assert len(made.answers) == 1
        assert "right" in made.rejected["reason"][0]
    else:
        assert made.answers["outcome"].tolist() == [outcome, 1.0]


def test_the_file_is_the_model_and_all_questions_are_one_unless_it_says_more(read: Read) -> None:
    made = read(
        {"confidence": 0.5, "correct": True},
        "",
        {"Model": "claude", "Question set": " bool  q ", "Confidence": "may", "is_correct": "no", "answer": "x"},
        {"author": "o3", "model": "no", "dataset": 7, "phrase": 0.25, "outcome": 1},
        name="llama 3.jsonl",
    )
    rows = made.answers[["author", "topic", "phrase", "outcome", "row"]].astype(object).to_numpy().tolist()
    assert rows == [
        ["llama 3", "all questions", "0.5", 1.0, 1],
        ["claude", "bool q", "may represent", 0.0, 3],
        ["o3", "7", "0.25", 1.0, 4],
    ]
    assert [p.name for p in made.said] == ["0.25", "0.5"]
    assert all(map(is_point_mass, made.said))


def test_numbers_most_of_which_are_above_1_are_percentages_of_that_model(read: Read) -> None:
    def said(author: str, *numbers: object) -> list[dict[str, object]]:
        return [{"author": author, "confidence": c, "correct": True} for c in numbers]

    made = read(*said("percent", 85, "90", 100, 1, 0, 0.5, "70 %"), *said("share", 0.85, 1, 0, 85))
    assert made.percent == ("percent",)
    found = made.answers.groupby("author", observed=True)["phrase"].agg(list)
    assert found["percent"] == ["0.85", "0.9", "1", "0.01", "0", "0.7"]
    assert found["share"] == ["0.85", "1", "0"]
    reasons = dict(zip(made.rejected["row"], made.rejected["reason"], strict=True))
    assert "between 0 and 1" in reasons[6]
    assert "above 1" in reasons[11]


def test_lines_that_are_no_answers_are_listed_and_the_others_go_on(read: Read) -> None:
    made = read('{"confidence": 0.5, "correct": tr', "7", {"confidence": 0.5, "correct": 1}, '{"confidence": NaN}')
    assert made.answers["row"].tolist() == [3]
    assert made.rejected["row"].tolist() == [1, 2, 4]
    assert set(made.rejected["reason"]) == {"The line is no JSON object."}


def test_a_list_and_a_table_are_read_as_well(tmp_path: Path) -> None:
    entries = [{"model": "m", "confidence": c, "correct": c > 0.5} for c in (0.2, 0.9)]
    (tmp_path / "a.json").write_text(json.dumps(entries), encoding="utf-8")
    (tmp_path / "b.csv").write_text("model;confidence;outcome\nm;0,2;false\nm;0,9;true\nm;;1\n", encoding="utf-8")
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, entries)), encoding="utf-16")
    read = [read_answers(tmp_path / name, LEXICON) for name in ("a.json", "b.csv", "c.jsonl")]
    for made in read:
        assert made.answers["phrase"].tolist() == ["0.2", "0.9"]
        assert made.answers["outcome"].tolist() == [0.0, 1.0]
        assert set(made.answers["author"]) == {"m"}
    assert read[1].rejected["row"].tolist() == [4]


@cases("a_file_without_an_answer_is_refused")
def test_a_file_without_an_answer_is_refused(tmp_path: Path, name: str, text: str, why: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_answers(tmp_path / name, LEXICON)


@given(st.floats(0, 1))
def test_any_probability_is_kept_to_twelve_digits(tmp_path_factory: pytest.TempPathFactory, value: float) -> None:
    path = tmp_path_factory.mktemp("answers") / "m.jsonl"
    path.write_text(json.dumps({"confidence": value, "correct": True}), encoding="utf-8")
    made = read_answers(path, LEXICON)
    assert mean_of(made.said[0]) == pytest.approx(value, abs=1e-12)


def test_neither_question_nor_answer_is_kept_or_repeated(read: Read) -> None:
    secret = "What ails Mrs Quillfeather?"
    good = {"question": secret, "answer": secret, "confidence": 0.5, "correct": 1}
    made = read(good, good | {"correct": secret}, good | {"confidence": [secret]})
    assert secret not in made.answers.to_csv() + made.rejected.to_csv()


def test_somebody_may_stop_it(tmp_path: Path, onlooker: Any) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"confidence": 0.5, "correct": true}\n' * 2000, encoding="utf-8")
    with pytest.raises(Cancelled):
        read_answers(path, LEXICON, onlooker(looks=0))


@pytest.mark.parametrize(
    ("numbers", "percent"),
    [
        ((1.5,), False), ((85, 90), False), ((85, 90, 95), True), ((85, 90, 95, 0.2, 0.3), True),
        ((85, 90, 95, 0.2, 0.3, 0.4), False), ((101, 85, 90, 300, 0), False), ((0, 1, 1, 1), False),
        ((2, 3, 4, 0, 0, 0, 0, 0), True),
    ],
)  # fmt: skip
def test_a_few_numbers_above_1_and_most_of_the_model_s_make_percentages(
    read: Read, numbers: tuple[float, ...], percent: bool
) -> None:
    made = read(*({"confidence": c, "correct": True} for c in (*numbers, "likely")))
    assert bool(made.percent) is percent
    refused = dict(zip(made.rejected["row"], made.rejected["remedy"], strict=True))
    within = [i for i, c in enumerate(numbers, 1) if 1 < c <= 100]
    assert not any(i in refused for i in within) if percent else all("sign" in refused[i] for i in within)


def test_other_lists_lend_their_words_and_never_another_meaning(tmp_path: Path) -> None:
    def words(*rows: str) -> Lexicon:
        path = tmp_path / "LEX.csv"
        path.write_text("\n".join(["phrase,alpha,beta,synonyms", *rows]), encoding="utf-8")
        return read_lexicon_csv(path)

    first = words("likely,4,1,favored", "doubtful,1,9,")
    second = words("likely,7,3,bet on it; favored", "even,5,5,toss-up", "unlikely,2,8,doubtful; we doubt")
    path = tmp_path / "m.jsonl"
    said = ["likely", "favored", "Bet on it!", "toss-up", "doubtful", "we doubt", "who knows", "who knows"]
    path.write_text("\n".join(json.dumps({"confidence": c, "correct": 1}) for c in said), encoding="utf-8")
    made = read_answers(path, first, others=[second])
    assert made.answers["phrase"].tolist() == [
        "likely", "likely", "likely", "even", "doubtful", "unlikely", "who knows", "who knows",
    ]  # fmt: skip
    assert [(p.name, p.synonyms) for p in made.said] == [("unlikely", ()), ("even", ())]
    assert made.unknown == (UnknownWords("who knows", 2, "m.jsonl", 7),)
    Lexicon((*first.phrases, *made.said))  # they go together


def test_abstentions_are_counted(read: Read) -> None:
    made = read(
        {"confidence": None, "correct": False, "abstained": True},
        {"confidence": 0.5, "correct": True, "Abstained": False},
        {"confidence": None, "correct": True, "abstained": None},
    )
    assert (made.abstained, len(made.answers), made.rejected["row"].tolist()) == (1, 1, [3])
