"""Slides: nothing outside of its box or too small, long excerpts in whole sentences, and rates that tell of nobody."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import pypdfium2
import pytest
from pptx import Presentation
from pptx.util import Pt

from radcal.feedback import slides
from radcal.feedback.meeting import Meeting
from radcal.feedback.records import Rate, TeachingCase
from radcal.feedback.slides import CUT, HEIGHT, SMALLEST, WIDTH, as_pdf, as_pptx, laid_out
from radcal.system.intervals import jeffreys

DAY = datetime(2026, 11, 3, 17, 4)
RATE = Rate(145.0, 0.45, 0.3, 0.6)


CASE = TeachingCase(
    ("xray:A1", "edema"), "edema", "likely", "is likely",
    "Perihilar haze, which is likely edema.", "Lungs are clear. No edema.", "No edema.", 0.0,
)  # fmt: skip


def case(**more: Any) -> TeachingCase:
    return replace(CASE, **more)


def lines(pdf: bytes) -> Iterator[tuple[int, list[tuple[float, float, float, float]]]]:
    """For each page, where PDFium sees letters: left, top, right and bottom in points from the top left."""
    document = pypdfium2.PdfDocument(pdf)
    for number, page in enumerate(document):
        text = page.get_textpage()
        boxes = [text.get_charbox(i) for i in range(text.count_chars()) if text.get_text_range(i, 1).strip()]
        yield number, [(left, HEIGHT - top, right, HEIGHT - bottom) for left, bottom, right, top in boxes]
        text.close()
        page.close()
    document.close()


def long_text(rng: random.Random, n: int, longest: int) -> str:
    words = ["".join(rng.choices("abcdefghiklmnoprstuwWMiIäß", k=rng.randint(1, longest))) for _ in range(n)]
    ends = [f"{word}." if rng.random() < 0.1 else word for word in words]
    return " ".join(ends)


@pytest.mark.parametrize("tag", ["en", "de"])
@pytest.mark.parametrize("seed", range(3))
def test_every_letter_stands_in_its_box_whatever_was_typed(seed: int, tag: str) -> None:
    rng = random.Random(seed)  # noqa: S311 - texts, no secret
    told = [
        (
            case(
                xray=long_text(rng, rng.randint(1, 400), 40),
                ct=long_text(rng, rng.randint(1, 400), 12),
                topic="vascular congestion" if n else "edema",
                point="W" * 300 if n == 1 else long_text(rng, 50, 10)[:300],
                question=long_text(rng, 60, 20)[:300],
                outcome=rng.choice([0.0, 0.3, 0.8, 1.0]),
            ),
            rng.choice([RATE, None]),
        )
        for n in range(4)
    ]
    names = [long_text(rng, rng.randint(1, 9), 30) for _ in range(50)]
    pack = laid_out(told, title=long_text(rng, 30, 12), when="W" * 200, attended=names, tag=tag)
    for slide in pack:
        for box in slide:
            assert box.size >= SMALLEST
            assert box.x >= 0
            assert box.x + box.width <= WIDTH
            assert box.y + box.height <= HEIGHT
        for one, other in ((a, b) for i, a in enumerate(slide) for b in slide[:i]):
            apart = one.x >= other.x + other.width or other.x >= one.x + one.width
            assert apart or one.y >= other.y + other.height or other.y >= one.y + one.height
    for number, letters in lines(as_pdf(pack, DAY, tag)):
        for left, top, right, bottom in letters:
            assert any(
                box.x - 1 <= left and right <= box.x + box.width + 1
                and box.y - 1 <= top and bottom <= box.y + box.height + 0.25 * box.size
                for box in pack[number]
            ), (number, left, top, right, bottom)  # fmt: skip


ARIAL = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-",
        [
            *(556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556),
            *(500, 722, 500, 500, 500, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667),
            *(778, 722, 667, 611, 722, 667, 944, 667, 667, 611, *[556] * 10, 278, 278, 278, 333),
        ],
        strict=True,
    )
)  # fmt: skip
"""Advance widths of Arial, which are Helvetica's, in thousandths (Adobe's font metrics)."""


def arial_lines(text: str, size: int, width: float) -> int:
    """How many lines PowerPoint needs, as it breaks them: a word goes to the next line when it has no room."""
    lines, used = 1, 0.0
    for word in text.split():
        wide = sum(ARIAL[letter] for letter in word) * size / 1000
        if used and used + wide > width:
            lines, used = lines + 1, 0.0
        used += wide + ARIAL[" "] * size / 1000
    return lines


@pytest.mark.parametrize("shout", [False, True], ids=["small letters", "capitals"])
def test_what_fits_fits_in_arial_as_well(shout: bool) -> None:
    said = (
        "The heart is top normal in size. There is perihilar haze with cephalized vessels, likely mild edema. "
        "Small left effusion cannot be excluded. No pneumothorax. Line tip over the lower SVC, 4.5 cm above T10."
    )
    for start in range(0, 200, 7):
        words = (said[start:] + " " + said).split()
        text = " ".join(words).upper() if shout else " ".join(words)
        for size in (18, 20, 24, 28, 36):
            assert arial_lines(text, size, 864.0) <= slides.lines_of(text, size, 864.0, False)


def test_the_powerpoint_has_the_same_boxes_and_words_as_the_pdf() -> None:
    pack = laid_out([(case(point="Haze alone."), RATE)], when="November", attended=["A. Reader"])
    read = Presentation(io.BytesIO(as_pptx(pack, DAY)))
    assert (read.slide_width, read.slide_height) == (Pt(WIDTH), Pt(HEIGHT))
    assert 9 * read.slide_width == 16 * read.slide_height
    assert [page.shapes.title.text_frame.text for page in read.slides] == [slide[0].text for slide in pack]
    document = pypdfium2.PdfDocument(as_pdf(pack, DAY))
    for slide, page, printed in zip(pack, read.slides, document, strict=True):
        assert not page.has_notes_slide
        shown = [shape for shape in page.shapes if shape.has_text_frame]
        assert [shape.text_frame.text for shape in shown] == [box.text for box in slide if box.text]
        for shape, box in zip(shown, filter(lambda box: box.text, slide), strict=True):
            assert (shape.left, shape.top) == (Pt(box.x), Pt(box.y))
            runs = [run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]
            assert {run.font.size for run in runs} == {Pt(box.size)}
            assert {run.font.name for run in runs} == {"Arial"}
        text = printed.get_textpage()
        flat = "".join(text.get_text_bounded().split())
        assert all("".join(box.text.split()) in flat for box in slide)
        text.close()
        printed.close()
    document.close()


def test_two_slides_a_case_first_without_what_ct_showed() -> None:
    told = [(case(question="How sure?", point="Haze alone."), RATE), (case(ct="", outcome=0.0), None)]
    first, asked, answered, _, silent, taken = [" | ".join(b.text for b in slide if b.text) for slide in laid_out(told)]
    assert "nobody asks whose report it was" in first
    assert asked == (
        "Case 1: edema | The chest X-ray report says | Perihilar haze, which is likely edema. | How sure? | "
        "What would you expect CT to show? Vote."
    )
    assert answered == (
        "Case 1: what CT showed | The CT report says | Lungs are clear. No edema. | CT did not show it. | "
        "In this department, CT showed edema after \u2018likely\u2019 in 45\xa0% (30\u201360): "
        "100\u2013199 uses by 6 readers or more. | Haze alone."
    )  # fmt: skip
    assert "CT does not mention edema." in silent
    assert "too few readers or findings" in silent
    assert taken == "What we take from this"
    spans = [(b.text, b.text[slice(*b.bold)]) for slide in laid_out(told[:1]) for b in slide]
    bold = [part for text, part in spans if 0 < len(part) < len(text)]
    assert bold == ["is likely", "No edema."]


@pytest.mark.parametrize(
    ("outcome", "said"), [(1.0, "CT showed it."), (0.7, "and rather showed"), (0.2, "rather did not")]
)
def test_what_ct_said_is_said_as_it_said_it(outcome: float, said: str) -> None:
    assert any(said in box.text for box in laid_out([(case(outcome=outcome), None)])[2])


@pytest.mark.parametrize("place", [0, 10, 40])
def test_a_long_excerpt_keeps_the_sentence_that_counts_and_whole_sentences_around_it(place: int) -> None:
    around = [f"Sentence {n} says nothing much of anything that anybody would like to know." for n in range(40)]
    whole = [*around[:place], "This is likely edema.", *around[place:]]
    shown = laid_out([(case(xray=" ".join(whole)), None)])[1][2]
    pieces = shown.text.removeprefix(f"{CUT} ").removesuffix(f" {CUT}")
    assert "This is likely edema." in pieces
    assert pieces in " ".join(whole)
    assert all(f"{piece}." in whole for piece in pieces.rstrip(".").split(". "))
    assert shown.text.startswith(CUT) == (place > 0)
    assert shown.text.endswith(CUT) == (place < 40)
    assert shown.size == SMALLEST


def test_those_who_took_part_come_last_and_have_room() -> None:
    names = [f"Reader {n}" for n in range(100)]
    pack = laid_out([(case(), None)], attended=["", *names, "  "])
    having = [[box.text for box in slide if box.text.startswith("Reader ")] for slide in pack]
    assert [name for slide in having for name in slide] == names
    assert not any(having[:4])
    assert [len(slide) for slide in having[4:]] == [42, 42, 16]


# --- the department's rate -------------------------------------------------------------------------


def meeting(uses: dict[str, tuple[int, int]]) -> Meeting:
    """A department in which each radiologist said "likely" of edema n times, confirmed y times."""
    made = [
        SimpleNamespace(author=a, topic=t, phrases=[SimpleNamespace(phrase="likely", n=n, positives=y)])
        for a, (n, y) in uses.items()
        for t in ("edema", "infection")
    ]
    models = [
        SimpleNamespace(author="gpt", topic="edema", phrases=[SimpleNamespace(phrase="likely", n=99, positives=0)])
    ]
    own = SimpleNamespace(reliabilities=[*made, *models])
    stored: Any = SimpleNamespace(required=lambda: own, authors=lambda: tuple(uses))
    return Meeting(SimpleNamespace(workspace=None), stored, None)  # type: ignore[arg-type]


def test_the_rate_is_of_six_readers_or_more_and_of_nobody_s_exact_figures() -> None:
    rng = np.random.default_rng(5)
    uses = {f"r{k}": (int(n), int(rng.binomial(n, 0.5))) for k, n in enumerate(rng.integers(30, 90, 8))}
    rate = meeting(uses).rate("edema", "likely")
    assert rate is not None
    n, y = map(sum, zip(*uses.values(), strict=True))
    assert abs(rate.share - y / n) < 0.05
    low, high = (float(end[0]) for end in jeffreys(np.array([float(y)]), np.array([float(n)]), 0.95))
    assert rate.low <= low <= high <= rate.high
    assert meeting(uses).rate("edema", "possibly") is None
    for k in range(8):
        some = dict(list(uses.items())[:k])
        assert (meeting(some).rate("edema", "likely") is None) == (k < 6)
        # Those with fewer than five uses are nobody's company.
        few = {f"few {i}": (4, 2) for i in range(9)}
        assert meeting({**some, **few}).rate("edema", "likely") == meeting(some).rate("edema", "likely")
    # One more or fewer, confirmed or not: what is shown is the same.
    name = "r0"
    n, y = uses[name]
    alike = [(m, k) for m in (n - 1, n, n + 1) for k in (y - 1, y, y + 1) if meeting({**uses, name: (m, k)}).rate(
        "edema", "likely") == rate]  # fmt: skip
    assert len({m for m, _ in alike}) > 1
    assert len({k for _, k in alike}) > 1


def test_heights_and_widths_are_those_of_the_slide() -> None:
    assert slides.lines_of("word", 20, 400, False) == 1
    assert slides.lines_of(" ".join(["word"] * 200), 20, 400, False) > 10
