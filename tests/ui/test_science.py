"""Sentences of the science as the window says them; that all are known is tested in tests/language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from inspect import getmembers

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from radcal.advise import wording
from radcal.ingest import reasons
from radcal.language import languages
from ui import language, science
from ui.pages.imports.sentences import REASONS, REMEDIES
from ui.sentences import reason_text
from ui.words import typographic


@pytest.fixture(autouse=True)
def _german(qapp: QApplication) -> Iterator[None]:
    language.choose("de")
    language.use(qapp, "de")
    yield
    language.choose("")
    language.use(qapp, "en")


def test_a_recommendation_reads_as_it_should() -> None:
    text = (
        "When you wrote 'likely' for edema, CT confirmed it in 41 of 1,087 (47 %, 37-57 %). "
        "Readers take 'likely' as 75-90 %. 'May represent' would have matched."
    )
    assert typographic(text) == (
        "Zu edema schrieben Sie \u201elikely\u201c; die CT best\u00e4tigte es in 41 von 1.087 (47\u00a0%, "
        "37\u201357\u00a0%). Verstanden wird \u201elikely\u201c als 75\u201390\u00a0%. "
        "\u201eMay represent\u201c h\u00e4tte gepasst."
    )


def test_decimals_are_written_as_the_locale_does() -> None:
    assert "0,123 ohne sie, 0,200 mit ihr" in typographic(wording.no_gain(0.123, 0.2))
    QLocale.setDefault(QLocale("de_CH"))
    assert "0.123 ohne sie, 0.200 mit ihr" in typographic(wording.no_gain(0.123, 0.2))


def test_nothing_changes_in_english(qapp: QApplication) -> None:
    language.use(qapp, "en")
    text = wording.all_matched(3)
    assert language.spoken() == "en"
    assert science.translated(text) == text


def test_the_window_and_the_pages_speak_the_same_languages() -> None:
    assert set(language.LANGUAGES) == set(languages())
    assert language.spoken() == "de"


def test_every_reason_of_the_import_is_translated() -> None:
    told = [reason for _, reason in getmembers(reasons) if isinstance(reason, reasons.Reason)]
    assert len(told) > 15
    assert [field.name for field in fields(reasons.Reason)] == ["sentence", "remedy"]
    known = {*REASONS, *REMEDIES}
    for reason in told:
        for text in (reason.sentence, reason.remedy):
            assert text in known or science.translated(text) != text
            assert reason_text(text) != typographic(text) or science.translated(text) != text
