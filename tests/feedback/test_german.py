"""The pages in German: nothing English but the words of reports, and everything that the English page says."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader

from radcal.advice import wording as advised
from radcal.advice.records import Advice
from radcal.calibration.records import OthersRate
from radcal.feedback.content import personal_content
from radcal.feedback.department import department_content
from radcal.feedback.pdf import Print, department_pdf, feedback_pdf, said
from radcal.feedback.records import FeedbackInput, PageChoice
from radcal.system.language.catalogue import Language, language
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.workspace.pseudonyms import pseudonyms

Make = Callable[..., FeedbackInput]
SETTINGS = Settings()
ENGLISH, GERMAN = language("en"), language("de")
_ENGLISH = re.compile(
    r"\b(?:the|of|for|were|and|is|are|with|not|said|CT confirmed|words|statements?|readers?|interval|page|needs)\b"
)
_KEPT = ("name", "alias", "footer", "topic", "phrase", "source", "target", "before", "cue", "after", "letter")
"""Names, and words of reports and of people."""


def own_words(value: Any) -> list[str]:
    """What the pages say themselves, without what they cite."""
    if isinstance(value, str):
        return [re.sub("\u201e[^\u201c]*\u201c|\\{\\w+\\}", "", value)]
    if isinstance(value, dict) and value.get("kind") == "word":
        return []  # a word of a report beside its dot
    if isinstance(value, dict):
        shown = [own_words(v) for k, v in value.items() if k not in _KEPT and not (k == "ct" and not value["silent"])]
    else:
        shown = [own_words(v) for v in value] if isinstance(value, list) else []
    return [text for part in shown for text in part]


@pytest.fixture
def real(avery: FeedbackInput) -> FeedbackInput:
    """An author whose advice, reasons and counts are worded as RadCal words them."""
    phrases = {p.name: p for p in avery.phrases}

    def reworded(advice: Advice) -> Advice:
        recommendations = tuple(
            replace(
                r,
                text=advised.recommendation(
                    r.source_rate, phrases[r.source], phrases[r.target], Text(advice.topic), r.sure
                ),
            )
            for r in advice.recommendations
        )
        return replace(advice, recommendations=recommendations)

    return replace(
        avery,
        advices=tuple(map(reworded, avery.advices)),
        counts={"not mentioned on X-ray, found on CT": 12, "not mentioned on CT, taken as absent": 1231},
        provenance=replace(
            avery.provenance,
            extraction_accuracy=Text(
                "F1 {f1:.2f} ({low:.2f}\u2013{high:.2f}) on {reports} made-up reports, unseen before",
                f1=0.98,
                low=0.97,
                high=0.99,
                reports=45,
            ),
        ),
    )


def flat(data: FeedbackInput, choice: PageChoice, w: Language) -> dict[str, Any]:
    """All that goes into the pages."""
    made = personal_content(data, SETTINGS, choice, w, full=True)
    return made | made.pop("further") | made.pop("ending")


def choices(data: FeedbackInput) -> list[tuple[FeedbackInput, PageChoice]]:
    r = data.reliabilities[0]
    others = tuple(OthersRate(r.topic, p._replace(n=10 * p.n), 5) for p in r.phrases)
    reasons = (
        advised.too_few_findings(14, 30),
        advised.no_change([p for r in data.reliabilities for p in r.phrases], ()),
        advised.out_of_order(),
        advised.kept_by_transport(),
        advised.rarely_used(10),
    )
    quiet = tuple(Advice("", f"t{k}", 40, "ordered", (), (), (), reason=why) for k, why in enumerate(reasons))
    return [
        (data, PageChoice()),
        (replace(data, others=others), PageChoice(comparison=True)),
        (data, PageChoice(comparison=True, diagrams=False)),
        (data, PageChoice(without=tuple(r.topic for r in data.reliabilities), recommendations=False, examples=False)),
        (replace(data, advices=quiet), PageChoice()),
        (replace(data, provenance=replace(data.provenance, extraction_accuracy="", first_exam=None)), PageChoice()),
    ]


@pytest.mark.parametrize("which", range(6))
def test_no_english_is_left(real: FeedbackInput, which: int) -> None:
    data, choice = choices(real)[which]
    shown = own_words(flat(data, choice, GERMAN)) + own_words(said(SETTINGS, GERMAN))
    assert [text for text in shown if _ENGLISH.search(text)] == []


@pytest.mark.parametrize("which", range(6))
def test_german_says_the_same_numbers(real: FeedbackInput, which: int) -> None:
    data, choice = choices(real)[which]
    english, german = (flat(data, choice, w) for w in (ENGLISH, GERMAN))

    def numbers(text: str) -> list[str]:
        return sorted(re.sub(r"[.,]", "", n) for n in re.findall(r"\d[\d.,]*\d|\d", text))

    def plain(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    assert english.keys() == german.keys()
    for key in (
        "meta",
        "summary",
        "recommendations",
        "more",
        "good",
        "next",
        "table",
        "brief",
        "made",
        "limits",
    ):
        assert numbers(plain(english[key])) == numbers(plain(german[key])), key


def test_a_page_of_suggestions_reads_as_it_should(real: FeedbackInput) -> None:
    content = flat(real, PageChoice(), GERMAN)
    assert content["summary"] == (
        "Ihr \u201elikely\u201c war bei Lungen\u00f6dem zu stark: die CT best\u00e4tigte 41 von 87 (47\u00a0%). "
        "Verstanden wird darunter 75\u201390\u00a0%. \u201eMay represent\u201c w\u00e4re n\u00e4her "
        "gewesen (97\u00a0% sicher)."
    )
    first = content["recommendations"][0]
    assert first["head"] == "Lungen\u00f6dem (edema): \u201emay represent\u201c statt \u201elikely\u201c"
    assert first["text"] == (
        "Ihr \u201elikely\u201c war bei Lungen\u00f6dem zu stark: die CT best\u00e4tigte 41 von 87 (47\u00a0%, "
        "37\u201358). Verstanden wird darunter 75\u201390\u00a0%. \u201eMay represent\u201c w\u00e4re bei diesen "
        "Befunden n\u00e4her gewesen (97\u00a0% sicher)."
    )
    assert [row["topic"] for row in content["table"]["rows"]][:2] == ["Pleuraerguss", "Lungen\u00f6dem"]
    assert ["Nur in der CT, im R\u00f6ntgen unerw\u00e4hnt", "12"] in content["counts"]
    assert content["counts"][1][1] == "1.231"
    assert dict(content["provenance"])["Untersuchungen"] == "3.\u00a0Jan.\u00a02026 \u2013 28.\u00a0Sept.\u00a02026"
    assert "F1\u00a00,98 (0,97\u20130,99) an 45 erfundenen, vorher nicht gesehenen Berichten" in content["limits"][2]


def test_the_department_s_page_is_german(make: Make) -> None:
    names = pseudonyms(("Dr. Zoltan Quirk", "Dr. Ymir Pell", "Dr. A. Vo", "Dr. B. Wu", "Dr. C. Xi", "Dr. D. Yu"), 0)
    uses = {"edema": {"likely": (60, 30), "may represent": (40, 20)}, "nodule": {"absent": (60, 2), "likely": (9, 3)}}
    inputs = [make(uses, author=author, pseudonym=name) for author, name in names.items()]
    alone = {"mass": {"likely": (60, 30)}, "edema": {"likely": (4, 2)}}
    inputs[0] = make({**uses, **alone}, author=inputs[0].author, pseudonym=inputs[0].pseudonym)
    inputs.append(make(alone, author="Dr. E. Zu", pseudonym="Zion"))
    inputs = [replace(i, provenance=replace(i.provenance, extraction_accuracy="")) for i in inputs]
    shown = own_words(department_content(inputs, SETTINGS, GERMAN))
    assert [text for text in shown if _ENGLISH.search(text)] == []
    pdf = department_pdf(inputs, Print(language="de"))
    assert "Zufall allein" in "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


@pytest.mark.parametrize("standard", ["", "a-2a", "ua-1"])
def test_the_file_says_that_it_is_german_and_is_the_same_every_time(real: FeedbackInput, standard: Any) -> None:
    how = Print("us-letter", standard, "de-AT", "full")
    document = feedback_pdf(real, how)
    assert document == feedback_pdf(real, how)
    reader = PdfReader(io.BytesIO(document))
    assert reader.root_object["/Lang"] == "de-AT"
    assert reader.metadata is not None
    assert str(reader.metadata.title).startswith("Ihre W\u00f6rter f\u00fcr diagnostische Sicherheit")
    pages = [page.extract_text() for page in reader.pages]
    assert f"Seite 2 von {len(pages)}" in pages[1]
    assert "1.231" in "".join(pages)
    assert "1,231" not in "".join(pages)


def test_pictures_are_described_in_german(real: FeedbackInput) -> None:
    content = flat(real, PageChoice(), GERMAN)
    edema = next(p for p in content["pathologies"] if p["topic"] == "Lungen\u00f6dem (edema)")
    assert edema["diagram"]["alt"].startswith("Zuverl\u00e4ssigkeitsdiagramm zu Lungen\u00f6dem (edema). \u201e")
    assert "best\u00e4tigte die CT" in edema["diagram"]["alt"]
    assert content["recommendations"][0]["diagram"]["alt"].startswith(
        "Anteile von 0 bis 100 Prozent: \u201elikely\u201c hei\u00dft"
    )


def test_labels_find_room_in_german_too(real: FeedbackInput) -> None:
    content = flat(real, PageChoice(), GERMAN)
    labels = [label["lines"] for p in content["pathologies"] for label in p["diagram"]["labels"]]
    assert ["W\u00f6rter st\u00e4rker,", "als es die CT st\u00fctzte"] in labels
    assert ["vorsichtige W\u00f6rter"] in labels
