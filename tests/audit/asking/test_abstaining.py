"""Answers that are none, hedged answers, and answers that only look alike: a table of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.audit.asking.abstaining import abstains

ABSTENTIONS = (
    "I dont know.",
    "I have no clue.",
    "I haven't the faintest idea.",
    "I'm unsure.",
    "I'd rather not answer.",
    "Ich weiss nicht",
    "As an AI, I don't have access.",
    "Unknown.",
    "N/A",
    "Cannot be determined",
    # other words for it
    "Havent a clue, sorry.",
    "I've no idea whatsoever",
    "Not the slightest idea.",
    "That escapes me.",
    "It beats me!",
    "I couldn't tell you.",
    "Can't say, sorry",
    "im not sure",
    "I DON'T KNOW",
    "IDK",
    "I can\u2018t recall the name.",
    "I regret to say: I cannot answer.",
    "Unable to determine.",
    "Insufficient information.",
    "It cannot be established from the question.",
    "There's no way to know this.",
    "I prefer not to say.",
    "I must respectfully decline.",
    "As a large language model I have no access to live data.",
    "I don't know. Historical sources are silent, I am afraid.",
    "No clue, honestly.",
    "I've forgotten.",
    "It's hard to say.",
    "Da bin ich \u00fcberfragt.",
    "Leider keine Ahnung",
    "Dazu habe ich keine Informationen.",
    "Das l\u00e4sst sich nicht sagen.",
    "Ich bin mir nicht sicher.",
    "Unbekannt",
)
HEDGED = (
    "I'm not sure, maybe Lyon.",
    "Not sure, Lyon",
    "I don't know, Lyon?",
    # other words for it
    "I dont know, Lyon",
    "I don't know. Lyon.",
    "Not sure - Lyon?",
    "No idea, 1830?",
    "I have no clue; around 1830.",
    "I'm unsure: Marie Curie",
    "I haven't the faintest idea, but Lyon",
    "I can't say for certain, I'd go with Lyon.",
    "I'm not certain, the answer might be Lyon.",
    "I don't know, yes?",
    "I'm not sure, no.",
    "Don't know, Henry the Eighth?",
    "I can't remember. The capital is Lyon.",
    "Hard to say, it was Lyon.",
    "I couldn't tell you exactly, something like 300.",
    "I don\u2019t know for sure \u2013 Lyon.",
    "I'm unsure, let's say Lyon.",
    "I have no idea, wild guess: Lyon.",
    "I'd rather not answer, though my guess is Lyon.",
    "Unknown, possibly Lyon",
    "im not sure, lyon",
    "Lyon? I don't know.",
    "Ich weiss nicht, Lyon?",
    "Keine Ahnung, vielleicht Lyon.",
    "Ich bin mir nicht sicher, ich w\u00fcrde Lyon sagen.",
)
ANSWERS = (
    "The Unknown Soldier",
    "I Don't Know How to Love Him",
    # others
    "I Can't Tell You Why",
    "I Don't Know Why",
    "Don't Know Why",
    "Unknown Pleasures",
    "Uncertain, Texas",
    "The uncertainty principle",
    "Heisenberg's uncertainty relation",
    "Nobody knows the trouble I've seen",
    "Not Paris",
    "No",
    "None",
    "Nothing",
    "Na",
    "NA",
    "I, Robot",
    "I Am Not Your Negro",
    "Sure",
    "Know-nothings",
    "Sorry Seems to Be the Hardest Word",
    "Nescio",
    "Clueless",
    "No Country for Old Men",
    "Say Anything",
    "Unable Was I Ere I Saw Elba",
    "The tomb of the unknown warrior",
    "Nicht ohne meine Tochter",
    "Unbekannte Meister",
    "The answer is 42.",
)


@pytest.mark.parametrize("answer", ABSTENTIONS)
def test_an_abstention_in_any_spelling(answer: str) -> None:
    assert abstains(answer)
    curly = answer.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    for written in (curly, answer.replace("'", ""), answer.lower(), answer.upper(), f"  {answer}\n", f"**{answer}**"):
        assert abstains(written), written


@pytest.mark.parametrize("answer", HEDGED)
def test_a_hedged_answer_in_any_spelling_is_none(answer: str) -> None:
    curly = answer.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    for written in (answer, curly, answer.replace("'", ""), answer.lower(), answer.upper()):
        assert not abstains(written), written


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_only_looks_like_one_is_none(answer: str) -> None:
    assert not abstains(answer)
    assert not abstains(answer.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"))


PLACES = st.sampled_from(["Lyon", "Ulan Bator", "1830", "Ludwig van Beethoven", "the Nile"])


@given(st.sampled_from(["I don't know", "Not sure", "I have no idea", "Keine Ahnung", "I'm unsure"]), PLACES)
def test_whatever_is_not_known_an_answer_behind_it_is_one(lack: str, place: str) -> None:
    assert abstains(f"{lack}.")
    for between in (", ", "; ", ". ", ": ", " - ", ", but ", ", maybe "):
        assert not abstains(f"{lack}{between}{place}.")
    assert not abstains(place)
