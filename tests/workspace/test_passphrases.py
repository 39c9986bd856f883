"""The floor under new passphrases, and what is said of how long they withstand guessing."""

from __future__ import annotations

import contextlib
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.system.language.catalogue import language
from radcal.workspace.errors import UnfitPassphrase, WrongPassphrase
from radcal.workspace.passphrases import (
    DAY,
    GUESSES_A_SECOND,
    SHORTEST,
    YEAR,
    Strength,
    drawn_form,
    new_passphrase,
    strength,
)
from radcal.workspace.store import Workspace


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


DRAWN = "abcde-fghjk-mnpqr-stuvw"
OTHERWISE = [
    "ABCDE-FGHJK-MNPQR-STUVW",
    "abcdefghjkmnpqrstuvw",
    "  abcde fghjk  mnpqr stuvw \r\n",
    "\ufeffabcde\u2013fghjk\u2014mnpqr\u2212stuvw\t",
    "\uff41\uff42\uff43\uff44\uff45-fghjk\u00a0mnpqr\u200bstuvw",
    "\u201cAbcde-Fghjk-Mnpqr-Stuvw\u201d.",
]


def opens(path: Path, passphrase: str) -> bool:
    with contextlib.suppress(WrongPassphrase, UnfitPassphrase):
        Workspace.open(path, passphrase, read_only=True).close()
        return True
    return False


def test_a_drawn_one_is_twenty_letters_and_digits_in_groups() -> None:
    made = {new_passphrase() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch(r"(?:[a-hj-km-np-z2-9]{5}-){3}[a-hj-km-np-z2-9]{5}", one) for one in made)
    assert all(drawn_form(one) == one for one in made)


@pytest.mark.parametrize("typed", OTHERWISE)
def test_it_opens_its_file_however_it_is_typed(tmp_path: Path, typed: str) -> None:
    assert drawn_form(typed) == DRAWN
    path = tmp_path / "own.radcal"
    Workspace.create(path, DRAWN).close()
    assert opens(path, typed)
    with contextlib.closing(Workspace.open(path, typed)) as workspace:
        assert opens(path, typed)  # beside itself
        workspace.change_passphrase(typed, "four unrelated words here")
    assert not opens(path, typed)


@pytest.mark.parametrize("chosen", ["Plum Tree over the Wall", "ABCDE-FGHJK-MNPQR-STUVW", "plum tree  12345"])
def test_a_chosen_one_must_be_typed_as_it_was_chosen(tmp_path: Path, chosen: str) -> None:
    path = tmp_path / "w.radcal"
    Workspace.create(path, chosen).close()
    assert opens(path, chosen)
    assert not any(opens(path, other) for other in (chosen.swapcase(), f"{chosen} ", f"{chosen}-"))


@given(st.text(max_size=40))
def test_what_has_another_shape_is_left_alone(typed: str) -> None:
    form = drawn_form(typed)
    assert form == "" or drawn_form(form) == form
    if len(typed) < 20:
        assert form == ""


def test_a_letter_more_or_one_that_is_never_drawn_is_another_passphrase() -> None:
    for other in (DRAWN + "a", DRAWN[:-1], DRAWN.replace("a", "o"), DRAWN.replace("b", "1"), "", "\u0430" + DRAWN[1:]):
        assert drawn_form(other) == ""
