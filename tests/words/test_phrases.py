"""The lexicon: what ships, what a department may write, and what is refused."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution

from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words.extraction_words import shipped
from radcal.words.phrases import (
    ANSWERS,
    PUBLIC,
    Lexicon,
    central_half,
    count_unknown,
    expected_rates,
    has_few_answers,
    load_lexicon,
    normalise,
    plain,
    read_lexicon_csv,
    read_only,
    speaks_against,
    suggest,
    table_text,
)
from radcal.words.records import Phrase
from tests.cases import cases_of
from tools.phrase_tables import SURVEYS, build

cases = cases_of(__file__)

CANONICAL = [
    "absent", "very unlikely", "unlikely", "question of", "maybe", "possibly", "may represent", "suggestive of",
    "suspicious for", "probably", "worrisome for", "likely", "most likely", "highly suggestive of",
    "compatible with", "consistent with", "diagnostic of", "present",
]  # fmt: skip


def table(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "words.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_the_shipped_phrases_are_ordered_from_absent_to_present() -> None:
    lexicon = load_lexicon()
    assert [p.name for p in lexicon.phrases] == CANONICAL
    assert all(p.source for p in lexicon.phrases)
    assert lexicon.name == "phrases.csv"


@pytest.mark.parametrize("name", [*SURVEYS, ANSWERS])
def test_the_shipped_tables_equal_those_made_from_the_surveys(name: str) -> None:
    folder = resource("lexicon")
    assert (folder / name).read_text("utf-8") == build(folder)[name]


@pytest.mark.parametrize("name", SURVEYS)
def test_every_shipped_word_finds_its_phrase(name: str) -> None:
    lexicon = read_lexicon_csv(resource("lexicon", name))
    for phrase in lexicon.phrases:
        for words in (phrase.name, *phrase.synonyms):
            assert lexicon.find(words.upper()) == phrase


@cases("inflections_are_read_as_the_annotation_guide_reads_them")
def test_inflections_are_read_as_the_annotation_guide_reads_them(words: str, name: str) -> None:
    found = load_lexicon().find(words)
    assert found is not None
    assert found.name == name


def test_a_word_in_no_list_is_not_found() -> None:
    assert load_lexicon().find("reminiscent of") is None


def test_the_public_survey_orders_its_words_as_people_do() -> None:
    names = [p.name for p in read_lexicon_csv(resource("lexicon", "phrases_public.csv")).phrases]
    assert len(names) == 19
    assert names.index("almost no chance") < names.index("unlikely") < names.index("about even")
    assert names.index("about even") < names.index("likely") < names.index("almost certain") < names.index("present")


def test_the_version_follows_the_content_and_nothing_else() -> None:
    lexicon = load_lexicon()
    other_source = tuple(replace(p, source="elsewhere") for p in reversed(lexicon.phrases))
    assert Lexicon(other_source, "another name").version == lexicon.version
    changed = tuple(replace(p, alpha=p.alpha + 0.1) if p.name == "likely" else p for p in lexicon.phrases)
    assert Lexicon(changed).version != lexicon.version
    assert len(lexicon.version) == 16


def test_a_lexicon_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        load_lexicon().phrases = ()  # type: ignore[misc]


def test_a_short_table_gets_the_plain_statements_and_central_halves(tmp_path: Path) -> None:
    lexicon = read_lexicon_csv(table(tmp_path, "phrase,alpha,beta\nLikely,8,2\n\nhmm,1,1\n"))
    assert [p.name for p in lexicon.phrases] == ["absent", "hmm", "likely", "present"]
    likely = lexicon.find("likely")
    assert likely is not None
    assert (likely.low, likely.high) == pytest.approx(tuple(beta_distribution.ppf([0.25, 0.75], 8, 2)))
    assert (lexicon.phrases[0].alpha, lexicon.phrases[-1].beta) == (0, 0)


def test_blank_plain_statements_are_point_masses(tmp_path: Path) -> None:
    text = "phrase,alpha,beta,synonyms\nabsent,,,none at all\npresent,9,1,\n"
    absent, present = read_lexicon_csv(table(tmp_path, text)).phrases
    assert (absent.alpha, absent.beta, absent.low, absent.high, absent.synonyms) == (0, 1, 0, 0, ("none at all",))
    assert (present.alpha, present.beta) == (9, 1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_usual_encodings_and_separators_are_read(tmp_path: Path, encoding: str, separator: str) -> None:
    rows = [["Phrase", "Alpha", "Beta", "Source"], ["caf\N{LATIN SMALL LETTER E WITH ACUTE}", "2", "2", "x"]]
    text = "\r\n".join(separator.join(r) for r in rows)
    lexicon = read_lexicon_csv(table(tmp_path, text, encoding))
    assert lexicon.find("CAF\N{LATIN CAPITAL LETTER E WITH ACUTE}") is not None


def test_numbers_may_have_a_decimal_comma_where_commas_separate_no_cells(tmp_path: Path) -> None:
    lexicon = read_lexicon_csv(table(tmp_path, "phrase;alpha;beta\nlikely;9,5;3\nmay;4;4.5\n"))
    meanings = {p.name: (p.alpha, p.beta) for p in lexicon.phrases}
    assert (meanings["likely"], meanings["may"]) == ((9.5, 3), (4, 4.5))


@cases("a_broken_table_is_refused_with_file_line_and_reason")
def test_a_broken_table_is_refused_with_file_line_and_reason(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(InputError) as error:
        read_lexicon_csv(table(tmp_path, text))
    assert str(error.value).startswith(f"words.csv, line {line}: ")
    assert reason in str(error.value)


@pytest.mark.parametrize("text", ["", "\n\n", "phrase,alpha,beta\n"])
def test_an_empty_table_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"words\.csv has no rows"):
        read_lexicon_csv(table(tmp_path, text))


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file .*phrases\.csv"):
        read_lexicon_csv(tmp_path / "phrases.csv")


def test_a_cell_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"words\.csv, line 2: A cell is longer"):
        read_lexicon_csv(table(tmp_path, 'phrase,alpha,beta\n"' + "x" * 200_000 + '",1,1\n'))


def test_a_lexicon_made_in_memory_is_checked_too() -> None:
    with pytest.raises(InputError, match="empty"):
        Lexicon(())
    with pytest.raises(InputError, match="Phrase 'b': 'c' stands for"):
        Lexicon((Phrase("a", 1, 1, 0, 1, ("c",)), Phrase("b", 1, 1, 0, 1, ("c",))))


def test_a_table_survives_being_written_and_read(tmp_path: Path) -> None:
    lexicon = load_lexicon()
    again = read_lexicon_csv(table(tmp_path, table_text(lexicon)))
    assert again.version == lexicon.version
    assert again.phrases == lexicon.phrases


def test_the_central_half_of_a_point_mass_is_its_place() -> None:
    assert central_half(0, 1) == (0, 0)
    assert central_half(1, 0) == (1, 1)


def test_unknown_expressions_are_counted_together_and_ordered() -> None:
    verbatims = ["Reminiscent of", "one wonders", "reminiscent  of,", "", "  ", "an air of"]
    assert count_unknown(verbatims) == [("reminiscent of", 2), ("an air of", 1), ("one wonders", 1)]
    assert count_unknown([]) == []


@given(st.text())
def test_normalising_twice_changes_nothing(words: str) -> None:
    assert normalise(normalise(words)) == normalise(words)


def test_a_word_that_means_one_point_is_granted_five_points_of_rate() -> None:
    assert expected_rates(Phrase("likely", 7, 3, 0.75, 0.9)) == (0.75, 0.9)
    assert expected_rates(plain("present")) == (0.95, 1.0)
    assert expected_rates(Phrase("consistent with", 22, 1, 1.0, 1.0)) == (0.95, 1.0)
    assert expected_rates(Phrase("about even", 52, 51, 0.5, 0.51)) == (0.45, 0.56)


def test_a_range_is_as_wide_as_its_word_is_uncertain() -> None:
    beta = 3.0, 7.0  # mean 0.3, standard deviation sqrt(0.3 x 0.7 / 11)
    margin = 1.96 * (0.21 / 11) ** 0.5
    exact, many, few = (Phrase("x", *beta, 0.25, 0.31, answers=n) for n in (0, 25, 16))
    assert expected_rates(exact) == (0.25, 0.31)
    assert expected_rates(many) == pytest.approx((0.3 - margin / 5, 0.3 + margin / 5))
    assert expected_rates(few) == pytest.approx((0.25 - margin / 4, 0.31 + margin / 4))
    assert [has_few_answers(p) for p in (exact, many, few)] == [False, False, True]


def test_numbers_of_answers_are_read_written_and_part_of_the_version(tmp_path: Path) -> None:
    shipped = load_lexicon()
    possibly = shipped.find("possibly")
    assert possibly is not None
    # 0.049 of 0-5 %, 0.176 of 5-25 %, 0.169 of 25-75 % and 0.007 of 75-90 %, each of 142 and rounded
    assert (possibly.asked, possibly.answers, possibly.within) == (142, 57, 49)
    assert (possibly.low, possibly.high) == (0.05, 0.75)
    again = read_lexicon_csv(table(tmp_path, table_text(shipped)))
    assert (again.find("possibly"), again.version) == (possibly, shipped.version)
    silent = read_lexicon_csv(table(tmp_path, table_text(shipped, counts=False)))
    assert silent.find("possibly") == replace(possibly, asked=0, answers=0, within=0)
    assert silent.version != shipped.version
    for cells in ("10,12,3", "10,5,6", "10,5,2.5", "10,-1,0"):
        with pytest.raises(InputError, match="line 2"):
            read_lexicon_csv(table(tmp_path, f"phrase,alpha,beta,asked,answers,within\nlikely,8,2,{cells}\n"))


def test_words_that_deny_are_told_from_words_that_raise_a_finding() -> None:
    for table, denying in (
        ("phrases.csv", {"absent", "very unlikely", "unlikely"}),
        (
            PUBLIC,
            {
                "absent",
                "almost no chance",
                "highly unlikely",
                "little chance",
                "improbable",
                "unlikely",
                "we doubt",
                "probably not",
            },
        ),
    ):
        assert {p.name for p in load_lexicon(table=table).phrases if speaks_against(p)} == denying
    for name, against in (
        ("cannot be excluded", False),
        ("not ruled out", False),
        ("no longer likely", True),
        ("indeterminate", False),
    ):
        mean = 0.5 if name == "indeterminate" else 0.2
        assert speaks_against(Phrase(name, mean, 1 - mean, 0, 1)) is against


def test_what_a_radiologist_would_hardly_write_is_read_only(tmp_path: Path) -> None:
    assert {"maybe", "question of"} <= read_only()
    assert {"absent", "present", "possibly", "likely", "probably", "consistent with"}.isdisjoint(read_only())
    path = tmp_path / "own.csv"
    path.write_text("phrase,alpha,beta\nmaybe,1,4\nlikely,4,1\n", encoding="utf-8")
    assert {p.name: p.advised for p in read_lexicon_csv(path).phrases} == {
        "absent": True, "maybe": False, "likely": True, "present": True,
    }  # fmt: skip
    path.write_text("phrase,alpha,beta,advised\nmaybe,1,4,\nlikely,4,1,no\n", encoding="utf-8")
    own = read_lexicon_csv(path)
    assert {p.name: p.advised for p in own.phrases if p.name in ("maybe", "likely")} == {"maybe": True, "likely": False}
    path.write_text(table_text(own), encoding="utf-8")
    assert [p.advised for p in read_lexicon_csv(path).phrases] == [p.advised for p in own.phrases]
    path.write_text("phrase,alpha,beta,advised\nmaybe,1,4,often\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: advised is 'often'"):
        read_lexicon_csv(path)


@cases("words_are_taken_for_what_they_are_written_like")
def test_words_are_taken_for_what_they_are_written_like(words: str, phrase: str) -> None:
    assert suggest(shipped(), words) == phrase


@pytest.mark.parametrize("words", ["not likely", "not likely at all", "hardly probable", "unprobable"])
def test_no_opposite_is_suggested(words: str) -> None:
    assert suggest(shipped(), words) in ("unlikely", "very unlikely", "absent", "")


def test_every_phrase_is_most_like_itself() -> None:
    lexicon = load_lexicon()
    for phrase in lexicon.phrases:
        for words in (phrase.name, *phrase.synonyms):
            assert suggest(lexicon, words) == phrase.name
