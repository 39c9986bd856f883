"""Feedback to single radiologists is withheld where their reports are read too badly, in every way to hand it out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from radcal.cli.pages import hand_out_all
from radcal.department import Department
from radcal.system.errors import DataError

OWN = "correct horse battery staple"


def test_the_least_accuracy_itself_is_enough(
    analysed: Department, read_all: Callable[..., None], turned: Callable[..., object]
) -> None:
    read_all(analysed, turned)
    f1 = analysed.gold.measured(detail=False).overall.f1
    assert 0.3 < f1 < 1
    for least, withheld in ((f1, False), (min(f1 + 0.001, 1), True)):
        analysed.save_settings(analysed.settings.changed(least_accuracy=least))
        assert bool(analysed.pages.withheld()) == withheld


def test_without_a_gold_set_nothing_is_withheld(analysed: Department) -> None:
    analysed.save_settings(analysed.settings.changed(least_accuracy=1.0))
    assert analysed.pages.withheld() == ""


def test_whatever_is_of_one_person_is_refused_with_the_reason(badly_read: Department, tmp_path: Path) -> None:
    author, out = badly_read.authors()[0], tmp_path / "one.radcal"
    for make in (
        badly_read.pages.pdf,
        badly_read.pages.drafts_pdf,
        partial(badly_read.pages.pdf, card=True),
        badly_read.macros.of,
        lambda author: badly_read.personal_files.write(author, out, OWN),
    ):
        with pytest.raises(DataError, match="withheld: on 80 own reports"):
            make(author)
    assert not out.exists()
    assert badly_read.pages.pdf("").startswith(b"%PDF")
    assert badly_read.pages.pdf("", card=True).startswith(b"%PDF")


@pytest.mark.parametrize(
    "what", [{"pages": True}, {"pages": False, "personal_files": True}, {"pages": False, "cards": True, "macros": True}]
)
def test_the_window_hands_nothing_out_and_says_why(
    badly_read: Department, tmp_path: Path, what: dict[str, bool]
) -> None:
    written = badly_read.handing_out.write_all(tmp_path / "out", **what)
    assert [w.author for w in written] == list(badly_read.authors())
    assert all("withheld: on 80 own reports" in w.failure and not w.files and not w.passphrase for w in written)
    assert badly_read.handing_out.handed_out() == ()
    assert not list(tmp_path.glob("out/*"))


def test_the_command_for_all_personal_files_is_refused_before_a_file_is_made(
    badly_read: Department, tmp_path: Path
) -> None:
    before = len(badly_read._workspace.audit())
    with pytest.raises(DataError, match="withheld: on 80 own reports"):
        hand_out_all(badly_read, tmp_path / "out", tmp_path / "passphrases.csv")
    assert not (tmp_path / "passphrases.csv").exists()
    assert len(badly_read._workspace.audit()) == before
