"""What is left of a sentence when its content is masked."""

from __future__ import annotations

from radcal.lab.hedges.estimator import masked, shipped
from radcal.lab.hedges.tokens import MASK, Words, sentences_of, without_names
from tests.cases import cases_of

cases = cases_of(__file__)

WORDS = Words(
    frozenset({"may", "maybe", "sure", "i", "think"}),
    frozenset({"not", "am", "good", "all", "signs", "said"}),
    frozenset({"all signs", "it is said that"}),
)


@cases("words_of_certainty_stay_and_content_is_masked")
def test_words_of_certainty_stay_and_content_is_masked(text, left):
    assert " ".join(token.word for token in WORDS.tokens(text)) == left


def test_every_token_says_where_it_stands():
    text = "Perhaps, I\u2019m not sure, it\u2019s Rome."
    for token in shipped().words.tokens(text):
        piece = text[token.start : token.end].lower()
        assert token.word == MASK or token.word in piece or piece.startswith(("i\u2019", "n\u2019"))


def test_spans_join_words_with_little_between_them():
    text = "I'd say there is a good chance that it was Rome, but I'm not sure."
    assert [text[a:b] for a, b in shipped().words.spans(text)] == ["I'd say there is a good chance", "but I'm not sure"]


def test_plain_statements_are_all_alike():
    words = shipped().words
    plain = ["Rome.", "No effusion", "He has not been there, nor has she", "I was there"]
    assert {masked(words.tokens(text)) for text in plain} == {"_ ."}


def test_sentences_end_at_full_stops_that_are_no_abbreviation():
    text = "I asked Dr. Novak. He said J. Smith knows. Yes!  No?"
    assert [text[a:b].strip() for a, b in sentences_of(text)] == [
        "I asked Dr. Novak.",
        "He said J. Smith knows.",
        "Yes!",
        "No?",
    ]


@cases("names_and_titles_tell_nothing_of_the_language")
def test_names_and_titles_tell_nothing_of_the_language(text, left):
    assert without_names(text) == left
