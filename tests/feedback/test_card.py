"""Pocket cards: the numbers of the pages, on the size of a bank card, and of a department nobody's exact ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pypdfium2
import pytest

from radcal.feedback.card import MOST_APART, department_card, personal_card
from radcal.feedback.content import personal_content
from radcal.feedback.pdf import Print, card_pdf, department_card_pdf
from radcal.feedback.records import FeedbackInput, PageChoice
from radcal.system import coarse
from radcal.system.errors import DataError
from radcal.system.intervals import jeffreys
from radcal.system.language.catalogue import language
from radcal.system.language.manners import NBSP
from radcal.system.settings import Settings
from radcal.words.records import Phrase
from radcal.words.scales import scale_called

Make = Callable[..., FeedbackInput]
Uses = Mapping[str, Mapping[str, tuple[float, float]]]
SETTINGS = Settings()
MM = 72 / 25.4
CARD, MARGIN, AROUND = (85.6 * MM, 54 * MM), 3 * MM, 18 * MM
BRIGHAM = scale_called("brigham")


@pytest.fixture(scope="module")
def together(make: Make, in_all: Make) -> Make:
    """An author with all pathologies together, some of which differ from the rest."""

    def made(uses: Uses, differing: Sequence[str] = (), **fields: Any) -> FeedbackInput:
        return in_all(make(uses, {}, **fields), differing)

    return made


@pytest.fixture(scope="module")
def usual(together: Callable[..., FeedbackInput]) -> FeedbackInput:
    uses = {
        "edema": {"likely": (120, 54), "may represent": (60, 19), "absent": (130, 4), "question of": (3, 1)},
        "mass": {"likely": (30, 24), "unlikely": (25, 2)},
    }
    return together(uses, ["edema"])


def boxes(pdf: bytes) -> list[tuple[tuple[float, float, float, float], str]]:
    """The character boxes of the first page, with what they show."""
    document = pypdfium2.PdfDocument(pdf)
    page = document[0]
    text = page.get_textpage()
    every = text.get_text_range()
    found = [(text.get_charbox(k), every[k]) for k in range(min(text.count_chars(), len(every)))]
    text.close()
    page.close()
    document.close()
    return [(box, c) for box, c in found if not c.isspace() and box[2] > box[0] and box[3] > box[1]]


def test_the_numbers_are_those_of_the_pages(usual: FeedbackInput) -> None:
    card = personal_card(usual, SETTINGS)
    page = personal_content(usual, SETTINGS, full=True)["further"]
    of_page = {row["phrase"]: row for row in page["together"]["rows"]}
    rows = {row["phrase"].strip("‘’"): row for row in card["front"]["rows"]}  # noqa: RUF001 - as printed
    assert rows.keys() == {"likely", "may represent", "unlikely", "absent"}
    for phrase, row in rows.items():
        assert (row["rate"], row["spread"], row["n"]) == tuple(of_page[phrase][k] for k in ("rate", "spread", "n"))
    likely = next(p for p in usual.pooled.phrases if p.phrase == "likely") if usual.pooled else None
    assert likely is not None
    low, high = jeffreys(np.array([78.0]), np.array([150.0]))
    assert rows["likely"]["rate"] == f"52{NBSP}%"
    assert rows["likely"]["spread"] == f"({100 * low[0]:.0f}–{100 * high[0]:.0f})"  # noqa: RUF001
    assert rows["likely"]["n"] == "150"
    assert rows["likely"]["mean"] == f"{100 * likely.mean:.0f}{NBSP}%"
    assert rows["likely"]["differs"]


def test_it_says_what_the_word_is_worth(usual: FeedbackInput, printed: Callable[[bytes], str]) -> None:
    said = printed(card_pdf(usual, scale=BRIGHAM))
    assert "'likely' = 52 % (44-60) 150 71 % 75-90 %" in said
    assert "'absent' = 3 %" in said
    assert "Not enough data (fewer than 10 uses): 'question of'." in said
    assert "Dr. Jane Halloway" in said
    assert "Jan-Sep 2026" in said
    assert "CT within 12 h, 95 % interval." in said


def test_the_other_half_has_the_pathologies_that_differ(usual: FeedbackInput) -> None:
    card = personal_card(usual, SETTINGS)
    assert [section["head"] for section in card["back"]] == ["Edema"]
    first = min(card["back"][0]["rows"], key=lambda row: row["rank"])
    assert "likely" in first["phrase"]  # most statements of which turned out otherwise than elsewhere
    assert personal_card(replace(usual, pooled=None), SETTINGS)["back_head"] == "Other pathologies"


def test_none_that_differs_is_said(together: Callable[..., FeedbackInput], printed: Callable[[bytes], str]) -> None:
    data = together({"edema": {"likely": (40, 30)}, "mass": {"likely": (40, 31)}})
    card = personal_card(data, SETTINGS)
    assert card["back"] == []
    assert card["back_none"] in printed(card_pdf(data))


def test_at_most_three_pathologies_the_most_certain_first(together: Callable[..., FeedbackInput]) -> None:
    uses = {name: {"likely": (40.0 + k, 20.0)} for k, name in enumerate("abcde")}
    card = personal_card(together(uses, list(uses)), SETTINGS)
    assert [section["head"] for section in card["back"]] == ["E", "D", "C"]
    assert len(card["back"]) == MOST_APART


def test_one_pathology_is_named(together: Callable[..., FeedbackInput]) -> None:
    card = personal_card(together({"edema": {"likely": (120, 54)}}), SETTINGS)
    assert card["front"]["head"] == "Edema"
    assert card["back"] == []


def test_what_the_pages_leave_out_leaves_no_trace(usual: FeedbackInput, printed: Callable[[bytes], str]) -> None:
    pdf = card_pdf(usual, choice=PageChoice(without=("edema",)))
    assert "dema" not in printed(pdf)
    assert "'likely' = 80 %" in printed(pdf)
    assert "150" not in printed(pdf)
    every = card_pdf(usual, choice=PageChoice(without=("edema", "mass")))
    assert "Not enough data: a word is shown from 10 uses on." in printed(every)


def test_a_word_needs_enough_uses(together: Callable[..., FeedbackInput], printed: Callable[[bytes], str]) -> None:
    data = together({"edema": {"likely": (9, 4)}, "mass": {"likely": (1, 1), "unlikely": (5, 1)}})
    said = printed(card_pdf(data))
    assert "'likely' = 50 %" in said  # ten of both together
    assert "Not enough data (fewer than 10 uses): 'unlikely'." in said
    few = together({"edema": {"likely": (9, 4)}})
    assert "Not enough data (fewer than 10 uses): 'likely'." in printed(card_pdf(few))
    assert " = " not in printed(card_pdf(few))
    assert "Not enough data: a word is shown from 10 uses on." in printed(card_pdf(together({})))


def test_a_scale_says_its_range_or_that_a_word_is_to_be_avoided(together: Callable[..., FeedbackInput]) -> None:
    table = {"likely": (40.0, 20.0), "question of": (40.0, 8.0), "suspicious for": (40.0, 20.0)}
    rows = personal_card(together({"edema": table}), SETTINGS, BRIGHAM)["front"]["rows"]
    assert [row["band"] for row in rows] == [f"75–90{NBSP}%", "–", "avoid"]  # noqa: RUF001


@pytest.mark.parametrize("standard", ["a-2b", "a-2a", "ua-1"])
def test_it_can_conform_to_the_standards_of_pages(usual: FeedbackInput, standard: Any) -> None:
    how = Print(standard=standard)
    assert card_pdf(usual, how, BRIGHAM) == card_pdf(usual, how, BRIGHAM)
    assert department_card_pdf(_department(usual, 6), how).startswith(b"%PDF")


def _all_words(n: int) -> tuple[Phrase, ...]:
    """Many words, some of them longer than a card is wide."""
    return tuple(
        Phrase(f"word {k} " + "of long standing and little use " * (k % 3), k + 1, n - k, k / n, (k + 1) / n)
        for k in range(n)
    )


@pytest.mark.parametrize("paper", ["a4", "us-letter"])
@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("many", [1, 8, 40])
def test_every_word_stays_on_its_half(together: Callable[..., FeedbackInput], paper: Any, code: str, many: int) -> None:
    phrases = _all_words(many)
    table = {p.name: (30.0 + k, 9.0 + k % 7) for k, p in enumerate(phrases)}
    topics = ["lymphangitic carcinomatosis of the left hemithorax, of the right one, or of both", "edema", "mass", "x"]
    data = together(
        dict.fromkeys(topics, table), topics, phrases=phrases, name="Prof. Dr. Dr. h. c. " + "Longname-" * 9
    )
    pdf = card_pdf(data, Print(paper, language=code), BRIGHAM)
    width, height = (595.28, 841.89) if paper == "a4" else (612.0, 792.0)
    left = (width - 2 * CARD[0]) / 2
    page = pypdfium2.PdfDocument(pdf)[0]
    assert page.get_size() == pytest.approx((width, height), abs=0.1)
    every = boxes(pdf)
    # The card's lower edge lies where its explanation begins: cut marks are no text.
    explained = "Cut along" if code == "en" else "Entlang der"
    text = "".join(c for _, c in every)
    start = text.index(explained.replace(" ", ""))
    title_end = text.index(data.known_as.replace(" ", "")[:12])
    on_card = [box for box, _ in every[title_end:start]]
    assert len(on_card) > 60
    top = max(box[3] for box in on_card)
    for box in on_card:
        half = 0 if box[0] < left + CARD[0] else 1
        assert box[0] >= left + half * CARD[0] + MARGIN
        assert box[2] <= left + (half + 1) * CARD[0] - MARGIN
        assert box[1] >= top - CARD[1] + MARGIN + 2.5 * MM


def test_more_words_than_fit_are_counted(
    together: Callable[..., FeedbackInput], printed: Callable[[bytes], str]
) -> None:
    phrases = _all_words(40)
    table = {p.name: (30.0 + k, 9.0) for k, p in enumerate(phrases)}
    said = printed(card_pdf(together({"edema": table}, phrases=phrases)))
    (left,) = re.findall(r"and (\d+) more on the pages", said)
    assert said.count(" = ") == 40 - int(left)
    assert "'word 39" in said  # said most often


# --- the department's ---------------------------------------------------------------------------------


def _department(data: FeedbackInput, n: int) -> list[FeedbackInput]:
    return [replace(data, author=f"Dr. {k}", name=None, pseudonym=f"Reader {k}") for k in range(n)]


def test_the_department_s_card_is_made_of_cells(usual: FeedbackInput) -> None:
    card = department_card(_department(usual, 7), SETTINGS, BRIGHAM)
    rows = {row["phrase"].strip("‘’"): row for row in card["front"]["rows"]}  # noqa: RUF001
    cell = coarse.cell(150, 78)
    assert cell is not None
    n = 7 * cell.n.middle
    assert rows["likely"]["rate"] == f"{100 * coarse.rounded(cell.rate):.0f}{NBSP}%"
    band = coarse.band(n)
    assert rows["likely"]["n"] == f"{band.low:,}–{band.high:,}"  # noqa: RUF001
    for row in rows.values():
        assert int(re.sub(r"\D", "", row["rate"])) % 5 == 0
        assert all(int(end) % 5 == 0 for end in re.findall(r"\d+", row["spread"]))
    assert "question of" not in rows  # three uses each


def test_five_readers_are_too_few(usual: FeedbackInput, printed: Callable[[bytes], str]) -> None:
    inputs = _department(usual, coarse.FEWEST)
    assert department_card(inputs, SETTINGS)["front"]["rows"] == []
    assert "Not enough data." in printed(department_card_pdf(inputs))
    with pytest.raises(DataError, match="at least one reader"):
        department_card([], SETTINGS)
    with pytest.raises(DataError, match="same pseudonym"):
        department_card([usual, usual], SETTINGS)


def test_no_reader_is_on_the_department_s_card(usual: FeedbackInput, printed: Callable[[bytes], str]) -> None:
    said = printed(department_card_pdf(_department(usual, 7), scale=BRIGHAM))
    assert "Reader" not in said
    assert "Dr." not in said
    assert "For the department only." in said


def test_exact_figures_of_one_do_not_show(usual: FeedbackInput, together: Callable[..., FeedbackInput]) -> None:
    other = together({"edema": {"likely": (121, 54), "may represent": (62, 20)}, "mass": {"likely": (30, 24)}})
    others = _department(usual, 6)
    one = replace(usual, author="Dr. 6", name=None, pseudonym="Reader 6")
    another = replace(other, author="Dr. 6", name=None, pseudonym="Reader 6")
    a, b = (department_card([*others, last], SETTINGS)["front"]["rows"] for last in (one, another))
    shown = [[row for row in rows if "likely" in row["phrase"]] for rows in (a, b)]
    assert shown[0][0] | {"rank": 0} == shown[1][0] | {"rank": 0}


# --- German -------------------------------------------------------------------------------------------

_ENGLISH = re.compile(r"\b(?:the|of|and|is|are|with|not|word|readers?|interval|taken|avoid|more)\b")


def test_nothing_english_is_on_a_german_card_but_words_of_reports(
    usual: FeedbackInput, printed: Callable[[bytes], str]
) -> None:
    w = language("de")
    usual = replace(usual, provenance=replace(usual.provenance, extraction_accuracy=""))
    for pdf in (
        card_pdf(usual, Print(language="de"), BRIGHAM),
        department_card_pdf(_department(usual, 7), Print(language="de"), BRIGHAM),
    ):
        said = re.sub("\u201e[^\u201c]*\u201c", "", printed(pdf)).replace("(edema)", "").replace("(mass)", "")
        assert not _ENGLISH.findall(said), _ENGLISH.findall(said)
    assert w.say("CT showed it") in printed(card_pdf(usual, Print(language="de")))
