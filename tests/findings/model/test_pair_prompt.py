"""The prompt file: what it makes, and what is said of a broken one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from radcal.findings.model.pair_prompt import PAIRS, read_pair_prompt
from radcal.findings.readers.pairs import NOT_STATED, phrases_of
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import Lexicon, load_lexicon

LEXICON = load_lexicon()
NAMES = pathology_names(None)
GOOD = """
task = "Phrases: {phrases}."
[forms]
sentence = "\\n> {sentence}\\n"
question = "{pathology}:"
answer = " {phrase}\\n"
[[examples]]
sentence = "No {phrases}."
rows = [["edema", "absent"], ["mass", "not stated"]]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / PAIRS).write_text(GOOD, encoding="utf-8")
    return tmp_path


def test_the_prompt_is_task_and_examples_in_their_forms(folder: Path) -> None:
    prompt = read_pair_prompt(folder, NAMES, LEXICON)
    told = prompt.told(("absent", "likely", NOT_STATED))
    assert told == "Phrases: absent, likely, not stated.\n> No {phrases}.\nedema: absent\nmass: not stated\n"
    assert prompt.asked("Clear.") + prompt.of("edema") + prompt.answered("likely") == "\n> Clear.\nedema: likely\n"


def test_the_shipped_prompt_shows_every_kind_of_answer() -> None:
    prompt = read_pair_prompt(None, NAMES, LEXICON)
    shown = {phrase for example in prompt.examples for _, phrase in example.rows}
    assert {"present", "absent", NOT_STATED} < shown <= set(phrases_of(LEXICON))
    assert all(f" {phrase}" in prompt.told(phrases_of(LEXICON)) for phrase in phrases_of(LEXICON))


def test_a_phrase_is_named_as_the_department_names_it_and_left_out_where_it_has_none() -> None:
    renamed = [
        replace(p, name="conceivably so", synonyms=(p.name,)) if p.name == "possibly" else p for p in LEXICON.phrases
    ]
    shown = {
        phrase
        for example in read_pair_prompt(
            None, NAMES, Lexicon(tuple(p for p in renamed if p.name != "likely"), "own")
        ).examples
        for _, phrase in example.rows
    }
    assert "conceivably so" in shown
    assert not {"possibly", "likely"} & shown


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("task =", "task", "pairs.toml: it is not valid TOML"),
        ('task = "Phrases: {phrases}."', "", "the text 'task' is missing"),
        ("Phrases: {phrases}.", "Phrases.", "must contain {phrases} exactly once"),
        ("[forms]", "[shapes]", "the text 'sentence' is missing"),
        ("{sentence}", "{sentence} {sentence}", "form 'sentence' must contain {sentence} exactly once"),
        ("{pathology}", "it", "form 'question' must contain {pathology} exactly once"),
        ('" {phrase}\\n"', '" {phrase}"', "'answer' must go on behind the phrase"),
        ("[[examples]]", "[examples]", "pairs.toml, example 1: a sentence and rows"),
        ('[["edema", "absent"],', '["edema",', "pairs.toml, example 1: a sentence and rows"),
        ("edema", "snow", "pairs.toml, example 1: 'snow' is no pathology of the list"),
        ('"absent"', '"perchance"', "example 1: 'perchance' is no phrase of the lexicon. Choose one of absent, "),
        ('"absent"', "3", "example 1: 3 is no phrase of the lexicon"),
    ],
)
def test_a_broken_prompt_is_told_by_place_and_reason(folder: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    (folder / PAIRS).write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_pair_prompt(folder, NAMES, LEXICON)
    assert said in str(error.value)


def test_a_missing_or_unreadable_prompt_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pairs\.toml is missing\. Put it there"):
        read_pair_prompt(tmp_path, NAMES, LEXICON)
    (tmp_path / PAIRS).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="must be text in UTF-8"):
        read_pair_prompt(tmp_path, NAMES, LEXICON)


def test_the_shipped_file_is_the_one_that_a_department_may_copy(tmp_path: Path) -> None:
    (tmp_path / PAIRS).write_bytes((resource("prompts") / PAIRS).read_bytes())
    assert read_pair_prompt(tmp_path, NAMES, LEXICON) == read_pair_prompt(None, NAMES, LEXICON)
