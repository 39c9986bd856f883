"""Languages told apart by their words, in made-up reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.system.resources import resource
from radcal.words.languages import UNKNOWN, language_note, names, recognise, sentence_language, unreadable, with_words
from tests.cases import cases_of

cases = cases_of(__file__)

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
    "hu": "A szív nem nagyobb. Nincs pneumothorax. Pleuralis folyadék nem látható. A bal alsó lebenyben infiltrátum.",
    "ro": "Fără pneumotorax. Nu se evidențiază revărsat pleural. Opacitate în lobul inferior stâng. Cordul normal.",
    "tr": "Kalp boyutu normaldir. Pneumothorax izlenmedi. Plevral effüzyon saptanmadı. Sol zonda infiltrasyon.",  # noqa: RUF001
    "hr": "Srce nije povećano. Pneumothorax nije prisutan. Nema pleuralnog izljeva. U donjem lijevom režnju infiltrat.",
    "sl": "Srce ni povečano. Pneumotoraksa ni videti. Plevralnega izliva ni. V levem spodnjem režnju infiltrat.",
    "fi": "Sydän ei ole suurentunut. Ei pneumothoraxia. Ei pleuranestettä. Vasemmassa alalohkossa infiltraatti.",
    "et": "Süda ei ole suurenenud. Pneumothorax puudub. Pleuravedelikku ei ole. Vasakus alasagaras infiltraat.",
    "lv": "Sirds nav palielināta. Pneumothorax nav. Pleiras dobumā šķidrumu nekonstatē. Kreisajā daivā infiltrācija.",
    "lt": "Nenustatyta pneumothorax. Skysčio pleuros ertmėje nėra. Širdis nepadidėjusi. Kairiajame infiltracija.",
    "": "Сердце не расширено. Плевральный выпот не определяется.",
}


@pytest.mark.parametrize(("code", "text"), REPORTS.items())
def test_a_report_of_each_language(code: str, text: str) -> None:
    for form in (text, text.upper(), text.replace(" ", "\n")):
        found = recognise(form)
        assert found.code == code
        assert 0.3 < found.margin <= 1


@cases("a_report_of_none_of_the_languages")
def test_a_report_of_none_of_the_languages(text: str) -> None:
    assert recognise(text).code == recognise(text.upper()).code == UNKNOWN
    assert "written in another language" in unreadable(UNKNOWN, with_words())


@cases("terse_english_stays_english")
def test_terse_english_stays_english(text: str) -> None:
    assert recognise(text).code == "en"


def test_english_sentences_of_reports_stay_english() -> None:
    lines = (Path(__file__).parents[1] / "findings" / "sentences.tsv").read_text(encoding="utf-8").splitlines()
    sentences = [line.split("\t")[0] for line in lines if not line.startswith("#")]
    assert [s for s in sentences if recognise(s).code != "en"] == []


def test_sentences_of_reports_are_in_the_language_of_the_report() -> None:
    for code, name in (("en", "sentences.tsv"), ("de", "sentences_de.tsv")):
        lines = (Path(__file__).parents[1] / "findings" / name).read_text(encoding="utf-8").splitlines()
        sentences = [line.split("\t")[0] for line in lines if not line.startswith("#")]
        assert [s for s in sentences if sentence_language(s, code) != code] == []


@cases("a_sentence_of_another_language_than_its_report")
def test_a_sentence_of_another_language_than_its_report(sentence: str, report: str, language: str) -> None:
    assert sentence_language(sentence, report) == language


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
    assert codes == [code for code in names() if code not in ("", UNKNOWN)]
