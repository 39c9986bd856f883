"""The words of a study in place of RadCal's own, in every text and in both languages."""

from __future__ import annotations

import re

import pytest

from radcal.system.language.catalogue import language
from radcal.system.language.wording import NO_WORDING, Wording
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.system.text import Text, joined
from radcal.words.studies import read_study, spoken_in
from tools import translations

BREAST = Wording(
    {"chest CT": "biopsy", "CT": "biopsy", "X-ray": "mammogram", "X-rays": "mammograms", "R\u00f6ntgen*": "Mammo*"},
    {"mass": "Knoten"},
)
FOREIGN = {
    "mammography": re.compile(r"\bCTs?\b|X-ray|R\u00f6ntgen|\b[Cc]hest\b|\bThorax\b|(?:[Ii]m|[Dd]as) Biopsie"),
    "appendix": re.compile(r"X-ray|R\u00f6ntgen|\b[Cc]hest\b|\bThorax\b"),
}


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("An X-ray and a chest CT", "A mammogram and a biopsy"),
        ("X-ray on", "Mammogram on"),
        ("No CT. CT found it: CT", "No biopsy. Biopsy found it: Biopsy"),
        ("CTA and CTs and {CT} and xray>ct", "CTA and CTs and {CT} and xray>ct"),
        ("X-rays {n} of X-ray{s}", "Mammograms {n} of X-ray{s}"),
        ("der R\u00f6ntgenbericht und R\u00f6ntgen-", "der Mammobericht und Mammo-"),
        ("", ""),
    ],
)
def test_whole_words_are_replaced_the_longest_first(template: str, said: str) -> None:
    assert BREAST.of(template) == said
    assert NO_WORDING.of(template) == template


def test_articles_fit_the_new_words() -> None:
    of = Wording({"X-ray": "ultrasound", "CT": "MRI", "film": "US scan"}).of
    assert of("an X-ray, a CT, A CT, a film") == "an ultrasound, an MRI, An MRI, a US scan"


def test_values_stay_and_texts_among_them_do_not() -> None:
    english = language("en", {"en": BREAST})
    file = Text("{file} has a CT of {what}.", file="my CT.csv", what=Text("an X-ray"))
    assert english.write(file) == "my CT.csv has a biopsy of a mammogram."
    assert english.write(joined([Text("CT agrees."), "CT of a file"])) == "Biopsy agrees. CT of a file"
    assert english.write(Text("what {it} found", it=Text("CT"))) == "what biopsy found"
    assert english.write("CT of a report") == "CT of a report"
    assert english.counted(2, "{n} CT", "{n} CT reports") == "2 biopsy reports"
    assert english.pathology("mass") == "Knoten (mass)"
    assert BREAST.told(file) == "my CT.csv has a biopsy of a mammogram."
    days = Wording({"{hours} h": "{days} days", "film": "scan"})
    within = Text("a film within {hours}\u00a0h", hours=60)
    assert days.told(within) == "a scan within 2.5 days"
    assert language("en", {"en": days}).write(within) == "a scan within 2.5 days"
    assert language("en", {"en": days}).say("after {hours} h", hours="4320") == "after 180 days"
    assert BREAST.told("CT of a report") == "CT of a report"
    assert language("de", {"en": BREAST}) is language("de")


@pytest.mark.parametrize("name", sorted(FOREIGN))
def test_nothing_that_radcal_says_is_of_the_chest_in_a_study_that_ships(name: str) -> None:
    settings = Settings(study=read_study(resource("studies", f"{name}.toml")))
    own = {part for _, *both in translations.collected() for part in both}
    german = {part for printed in translations.keys(translations.catalogue("de")).values() for part in printed}
    for code, texts in (("en", own), ("de", german)):
        of = spoken_in(settings, code).wording.of
        assert [said for text in texts if FOREIGN[name].search(said := of(text))] == []
