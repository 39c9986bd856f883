"""Languages told apart by their words, in made-up reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.lexicon.languages import NAMES, language_note, recognise, unreadable, with_words
from radcal.resources import resource

REPORTS = {
    "de": "Herz normal groß. Kein Nachweis von Pleuraergüssen. Verdichtung links basal, am ehesten Atelektase.",
    "fr": "Pas d'épanchement pleural. Opacité de la base droite avec un aspect de foyer. Silhouette cardiaque normale.",
    "es": "No hay derrame pleural. Silueta cardíaca de tamaño normal. Opacidad en el lóbulo inferior izquierdo.",
    "it": "Non versamento pleurico. Ombra cardiaca nei limiti della norma. Addensamento parenchimale alla base destra.",
    "nl": "Geen pleuravocht. Het hart is niet vergroot. Links basaal een infiltraat, mogelijk een pneumonie.",
    "pt": "Não há derrame pleural. Área cardíaca dentro dos limites. Opacidade no lobo inferior do pulmão direito.",
    "pl": "Serce niepowiększone. Nie stwierdza się płynu w jamach opłucnowych. Płuca bez zmian ogniskowych.",
    "sv": "Hjärtat är inte förstorat. Ingen pleuravätska. Infiltrat basalt på höger sida, misstänkt pneumoni.",
    "da": "Hjertet er ikke forstørret. Ingen pleuravæske. Der er infiltrater på højre side.",
    "cs": "Srdce není rozšířené. Plíce bez ložiskových změn. Výpotek vlevo není patrný.",
    "": "Сердце не расширено. Плевральный выпот не определяется.",
}
ENGLISH = (
    "NO ACUTE DISEASE",
    "PTX? ETT ok.",
    "CXR nl.",
    "Heart nl. Lungs clear. No eff.",
    "S/P CABG. LA enlarged. NO PTX. PE: none.",
    "Cor: normal. Pulmones clear. Situs inversus totalis.",
    "STABLE CARDIOMEGALY. TINY R EFFUSION.",
    "Dr. de la Cruz notified. Los Angeles. No pneumothorax.",
    "Die cast fragment in situ per prior. Lines ok.",
    "Kerley B lines. Hampton hump. Schmörl node.",
    "Atelectasis.",
    "1. 2 cm RUL nodule\n2. Emphysema",
    "",
    "---",
)


@pytest.mark.parametrize(("code", "text"), REPORTS.items())
def test_a_report_of_each_language(code: str, text: str) -> None:
    for form in (text, text.upper(), text.replace(" ", "\n")):
        found = recognise(form)
        assert found.code == code
        assert 0.3 < found.margin <= 1


@pytest.mark.parametrize("text", ENGLISH)
def test_terse_english_stays_english(text: str) -> None:
    assert recognise(text).code == "en"


def test_english_sentences_of_reports_stay_english() -> None:
    lines = (Path(__file__).parents[1] / "extract" / "sentences.tsv").read_text(encoding="utf-8").splitlines()
    sentences = [line.split("\t")[0] for line in lines if not line.startswith("#")]
    assert [s for s in sentences if recognise(s).code != "en"] == []


def test_of_two_languages_the_one_with_more_words_counts() -> None:
    english = "There is no pleural effusion or pneumothorax. The heart is normal in size."
    assert recognise(f"Befund: Kein Erguss. {english}").code == "en"
    assert recognise(f"{english} {REPORTS['de']} {REPORTS['de']}").code == "de"
    mixed = recognise(f"{english} {REPORTS['de']}")
    assert mixed.margin < recognise(REPORTS["de"]).margin


def test_what_is_said_of_the_languages() -> None:
    assert language_note(["No effusion.", ""]) == ""
    note = language_note(["No effusion.", REPORTS["de"], REPORTS["fr"], REPORTS["fr"]])
    assert "2 in French" in note
    assert "1 in English and 1 in German" in note
    assert with_words() == ("en", "de")
    assert "written in Dutch" in unreadable("nl", with_words())


def test_every_language_has_its_row() -> None:
    lines = resource("lexicon", "languages.tsv").read_text(encoding="utf-8").splitlines()
    codes = [line.split("\t")[0] for line in lines if not line.startswith(("#", "code"))]
    assert codes == [code for code in NAMES if code]
