"""The floor under new passphrases, and what is said of how long they withstand guessing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.system.drawn_passphrases import new_passphrase
from radcal.system.language.catalogue import language
from radcal.workspace.guessing import DAY, GUESSES_A_SECOND, SHORTEST, YEAR, Strength, strength


@pytest.mark.parametrize(
    "passphrase",
    [
        "",
        "plum tree",
        "xK9#mQ2vL7p",  # eleven characters, whatever they are
        "aaaaaaaaaaaaaaaa",
        "123456789012345",
        "abcabcabcabcabc",
        "qwertzuiopasdf",
        "passwordpassword",
        "Password123456!",
        "radcalradcal2026",
        "Radiologie2026!",
        "Universitätsklinikum",
        "Sommer2026!!",
        "Lungenentzündung",
    ],
)
def test_what_would_be_guessed_first_is_refused(passphrase: str) -> None:
    found = strength(passphrase)
    assert found.weakness
    assert found.sentence == found.weakness


@pytest.mark.parametrize(
    "passphrase", ["plum tree in blossom", "correct horse battery", "xK9#mQ2vL7pR", "der Hund frisst gern Kuchen"]
)
def test_words_without_connection_and_drawn_characters_will_do(passphrase: str) -> None:
    assert strength(passphrase).weakness == ""


def test_drawn_passphrases_are_strong() -> None:
    # Counted from their making: 20 of 31 signs.  The estimate may not call them stronger than that.
    drawn = strength(new_passphrase())
    assert drawn.weakness == ""
    assert 100 * YEAR < drawn.seconds <= 31**20 / GUESSES_A_SECOND


def test_the_names_of_the_file_and_of_its_owner_are_guessed_first() -> None:
    assert strength("thoraxambulanz-huber").weakness == ""
    assert strength("thoraxambulanz-huber", ["Thoraxambulanz_2026", "Huber"]).weakness


def test_a_passphrase_counts_as_composed_however_the_keyboard_composes() -> None:
    assert strength("Universita\u0308tsklinikum") == strength("Universit\u00e4tsklinikum")


@given(st.text(min_size=1, max_size=200))
def test_whatever_is_typed_is_judged(text: str) -> None:
    found = strength(text)
    assert math.isfinite(found.seconds)
    assert found.seconds >= 0
    assert bool(found.weakness) or len(text) >= SHORTEST
    assert text not in found.sentence or len(text) < 20


@pytest.mark.parametrize(
    ("seconds", "shown", "german"),
    [
        (2 * DAY, ("Weak", "about 2 days"), ("Schwach", "etwa 2 Tage")),
        (YEAR / 2, ("Weak", "about 6 months"), ("Schwach", "etwa 6 Monate")),
        (50 * YEAR, ("Fair", "about 50 years"), ("Mittel", "etwa 50 Jahre")),
        (1e6 * YEAR, ("Strong", "more than a hundred years"), ("Stark", "mehr als hundert Jahre")),
    ],
)
def test_strength_is_told_in_time(seconds: float, shown: tuple[str, str], german: tuple[str, str]) -> None:
    sentence = Strength(seconds).sentence
    assert sentence == "{}: guessing it would take {}.".format(*shown)
    assert language("de").write(sentence) == "{}: Sie zu erraten würde {} dauern.".format(*german)
