"""Drawn passphrases, however they are typed; and chosen ones, which nothing is done to."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.system.drawn_passphrases import drawn_form, new_passphrase
from radcal.workspace.errors import UnfitPassphrase, WrongPassphrase
from radcal.workspace.store import Workspace

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
