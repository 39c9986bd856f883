"""What RadCal says, as the window says it in German: the same texts as on paper, numbers as the locale writes them."""

from __future__ import annotations

from inspect import getmembers

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from radcal.advice import wording
from radcal.reliability.records import PhraseRate
from radcal.reports import reasons
from radcal.system.language.catalogue import languages
from radcal.system.text import Text
from radcal.words.phrases import load_lexicon
from radcal.words.records import Phrase
from radcal.words.scales import scale_called
from ui import language
from ui.sentences import scale_in_words
from ui.words import typographic

pytestmark = pytest.mark.usefixtures("german")


def test_a_recommendation_reads_as_it_should() -> None:
    rate = PhraseRate("likely", 1087, 511.0, 511 / 1087, 0.37, 0.57, 0.8, verdict="stronger")
    source, target = Phrase("likely", 10, 4, 0.75, 0.9), Phrase("may represent", 4, 4, 0.4, 0.6)
    assert typographic(wording.recommendation(rate, source, target, "edema", 0.97)) == (
        "Zu Lungen\u00f6dem schrieben Sie \u201elikely\u201c; die CT best\u00e4tigte den Befund in 511 von 1.087 "
        "(47\u00a0%, 37\u201357\u00a0%). Verstanden wird \u201elikely\u201c als 75\u201390\u00a0%. "
        "\u201eMay represent\u201c h\u00e4tte in diesen Befunden besser gepasst (zu 97\u00a0% sicher)."
    )


def test_decimals_are_written_as_the_locale_does(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Text(
        "F1 {f1:.2f} ({low:.2f}\u2013{high:.2f}) on {reports} made-up reports, unseen before",
        f1=0.9,
        low=0.85,
        high=0.95,
        reports=45,
    )
    assert "0,90 (0,85\u20130,95)" in typographic(figures)
    monkeypatch.setattr(language, "_locale", lambda code: QLocale("de_CH"))
    language.use(qapp, "de")
    assert "0.90 (0.85\u20130.95)" in typographic(figures)


def test_nothing_changes_in_english(qapp: QApplication) -> None:
    language.use(qapp, "en")
    assert language.spoken().code == "en"
    assert typographic(wording.out_of_order()) == wording.out_of_order()


def test_the_window_and_the_pages_speak_the_same_languages() -> None:
    assert set(language.LANGUAGES) == set(languages())
    assert language.spoken().code == "de"


def test_every_reason_of_the_import_is_translated() -> None:
    known = [reason for _, reason in getmembers(reasons) if isinstance(reason, reasons.Reason)]
    known += [*reasons.OF_FLAW.values(), *reasons.OF_DOUBT.values(), *reasons.OF_MESSAGE.values()]
    assert len(known) > 50
    texts = [text for reason in known for text in (reason.sentence, reason.remedy)]
    assert [text for text in texts if typographic(text) == text] == []


def test_a_scale_has_its_title_in_the_language_of_the_window() -> None:
    scale = scale_called("ipcc")
    assert scale is not None
    assert scale_in_words(scale, load_lexicon()).startswith("Wahrscheinlichkeitsskala des Weltklimarats (IPCC)")
