"""Files of answers as people write them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radcal.lab.responses import expression_named, read_responses, without_reference
from radcal.system.errors import InputError
from tests.cases import cases_of

cases = cases_of(__file__)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.csv"


def read(path: Path, text: str, encoding: str = "utf-8") -> pd.DataFrame:
    path.write_text(text, encoding=encoding)
    return read_responses(path).rows


@cases("a_response_is_a_percentage")
def test_a_response_is_a_percentage(path: Path, written: str, number: float) -> None:
    assert (
        read(path, f"participant,expression,response\nA,likely,{written}\nB,likely,50\n")["response"].iloc[0] == number
    )


@cases("what_is_no_percentage_is_listed_with_its_row")
def test_what_is_no_percentage_is_listed_with_its_row(path: Path, written: str, reason: str) -> None:
    path.write_text(f"participant,expression,response\nA,likely,50\nB,likely,{written}\n", encoding="utf-8")
    rows, rejected = read_responses(path)
    assert len(rows) == 1
    assert rejected["row"].tolist() == [3]
    assert reason in rejected["reason"][0]
    assert rejected["remedy"][0]


def test_columns_come_in_any_case_order_separator_and_encoding(path: Path) -> None:
    text = "sep=;\nResponse;PARTICIPANT;note;Expression\n12,5;Zoë;x;Highly-Unlikely\n40 %;Zoë;y;highly  unlikely\n"
    rows = read(path, text, "utf-16")
    assert rows["expression"].tolist() == ["highly unlikely"] * 2
    assert rows["response"].tolist() == [12.5, 40]
    assert set(rows["participant"]) == {"Zoë"}


@pytest.mark.parametrize("spelt", ["Highly Unlikely", " highly unlikely. ", "highly_unlikely", '"highly-unlikely"'])
def test_an_expression_is_the_same_however_it_is_spelt(spelt: str) -> None:
    assert expression_named(spelt) == "highly unlikely"


def test_true_and_false_in_many_spellings(path: Path) -> None:
    spellings = {
        True: ("TRUE", "true", "T", "1", "1.0", "yes", "Y", "wahr", "Ja"),
        False: ("FALSE", "f", "0", "0.0", "No", "n", "falsch", "nein"),
        None: ("", "NA", "n/a", "unknown", "-"),
    }
    cells = [(truth, cell) for truth, written in spellings.items() for cell in written]
    lines = [f"A,likely,50,{cell}" for _, cell in cells]
    path.write_text("\n".join(["participant,expression,response,statement_true", *lines]), encoding="utf-8")
    rows, rejected = read_responses(path)
    assert rows["statement_true"].tolist() == [truth for truth, _ in cells]
    assert rejected.empty


def test_an_unclear_truth_is_listed_and_its_answer_kept(path: Path) -> None:
    text = "participant,expression,response,statement_true\nA,likely,50,perhaps\nA,likely,x,1\nB,likely,60,1\n"
    path.write_text(text, encoding="utf-8")
    rows, rejected = read_responses(path)
    assert rows["statement_true"].tolist() == [None, True]
    assert rejected["row"].tolist() == [2, 3]
    assert "the answer counts" in rejected["reason"][0]


@cases("a_file_that_cannot_be_used_says_why")
def test_a_file_that_cannot_be_used_says_why(path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(path, text)


def test_answers_of_0_and_1_percent_alone_are_percentages(path: Path) -> None:
    assert read(path, "participant,expression,response\nA,never,0\nB,never,1\n")["response"].tolist() == [0, 1]


def test_what_the_reference_lacks_is_listed_once_with_what_may_be_meant(path: Path) -> None:
    lines = ["A,likley,50", "B,likley,60", "A,likely,50", "A,very likely,50", "A,Dr. Smith,50"]
    rows = read(path, "\n".join(["participant,expression,response", *lines]))
    likley, very, _ = without_reference(rows, ["likely", "very unlikely"], "answers.csv")
    assert (likley["row"], very["row"]) == (2, 5)
    assert "2 rows" in likley["reason"]
    assert "'likely'" in likley["remedy"]
    assert "unlikely" not in very["remedy"]  # the contrary
