"""One person is one author, and every report is attributed by a stated rule."""

from __future__ import annotations

from unittest.mock import Mock

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.reports.authors import UNSIGNED, TraineeRule, attribute, attributed, author_name, one_spelling, people
from radcal.system.errors import Cancelled
from radcal.system.progress import Silent
from tests.cases import cases_of

cases = cases_of(__file__)


@cases("one_person_is_one_author")
def test_one_person_is_one_author(name: str) -> None:
    assert author_name(name) == "Smith, John"


@cases("names")
def test_names(name: str, expected: str) -> None:
    assert author_name(name) == expected


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("aBcdEM,. -'^ÄéDr"), max_size=25))
def test_a_written_name_is_its_own_normal_form_and_case_does_not_matter(name: str) -> None:
    normal = author_name(name)
    assert author_name(normal) == normal
    assert author_name(name.upper()) == author_name(name.lower())


@cases("a_name_written_with_fewer_accents_is_the_same_person")
def test_a_name_written_with_fewer_accents_is_the_same_person(names: list[str], whole: str) -> None:
    assert one_spelling(names) == dict.fromkeys(names, whole)
    # whose name is known already keeps it
    assert one_spelling(names, known=names[:1]) == dict.fromkeys(names, names[0])


@cases("names_that_two_people_may_have_stay_two")
def test_names_that_two_people_may_have_stay_two(names: list[str]) -> None:
    assert one_spelling(names) == {name: name for name in names}


def test_the_spellings_of_a_name_are_one_author() -> None:
    reports = pd.DataFrame(
        {"signer": ["Huerlimann, Regula", "HÜRLIMANN, REGULA", "Roth, A"], "dictator": "", "status": ""}
    )
    assert attributed(reports, "signer")["author"].tolist() == ["Hürlimann, Regula"] * 2 + ["Roth, A"]


@pytest.mark.parametrize(
    "cell", ["Smith, A; Jones, B", "Smith, A / Jones, B", "Smith, A and Jones, B", "Smith, A\nJONES, B MD"]
)
def test_several_in_one_cell(cell: str) -> None:
    assert people(cell) == ("Smith, A", "Jones, B")


def test_the_word_and_inside_a_name_parts_nothing() -> None:
    assert people("Anderson, Land") == ("Anderson, Land",)
    assert people(" ; ") == ()


@cases("whom_a_report_belongs_to_and_why")
def test_whom_a_report_belongs_to_and_why(
    dictator: str, signer: str, rule: TraineeRule, author: str, words: str
) -> None:
    assert attribute(dictator, signer, "final", rule) == (author, words)


def test_only_the_beginning_of_a_long_cell_is_looked_at() -> None:
    assert people("a" * 1001) == people("a" * 1000) != people("a" * 999)


def test_a_preliminary_report_has_no_author_until_it_is_signed() -> None:
    assert attribute("A", "", "preliminary", "signer") == ("", "left out: preliminary, not signed")
    assert attribute("A", "B", "preliminary", "signer")[0] == "B"


@pytest.mark.parametrize("rule", ["signer", "dictator", "leave out"])
@pytest.mark.parametrize("signer", ["B", "B; C"])
def test_a_preliminary_report_that_only_the_signer_names_is_not_said_to_be_unsigned(
    signer: str, rule: TraineeRule
) -> None:
    """It has no author, because a column of radiologists is filled before they sign; but it may be signed."""
    assert attribute("", signer, "preliminary", rule) == ("", "left out: preliminary, perhaps not signed")
    assert attribute("", "B", "final", rule)[0] == "B"


def test_an_empty_cell_of_who_signed_is_not_the_same_as_no_such_column() -> None:
    signer = pd.Series(["", None, "B"], dtype="str")
    frame = pd.DataFrame({"dictator": ["A", "A", "A"], "signer": signer, "status": ["final"] * 3}).set_axis([7, 3, 5])
    found = attributed(frame, "signer")
    assert found["author"].tolist() == ["", "A", "B"]
    assert found["author_rule"].tolist()[0] == UNSIGNED
    assert found["author_rule"].tolist()[2] == "dictated and signed by two: the last to sign"


@pytest.mark.parametrize("at", [1, 2])
def test_attributing_can_be_stopped_before_and_after_its_columns_are_made(at: int) -> None:
    stopping = Mock(spec=Silent, raise_if_cancelled=Mock(side_effect=[*[None] * (at - 1), Cancelled]))
    frame = pd.DataFrame({"dictator": ["A"], "signer": pd.Series(["B"], dtype="str"), "status": ["final"]})
    with pytest.raises(Cancelled):
        attributed(frame, "signer", stopping)


def test_no_reports_have_no_authors_as_texts() -> None:
    none = pd.DataFrame({name: pd.Series([], dtype="str") for name in ("dictator", "signer", "status")})
    found = attributed(none, "signer")
    assert (found["author"].dtype, found["author_rule"].dtype) == ("str", "str")
