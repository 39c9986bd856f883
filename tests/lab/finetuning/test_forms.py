"""The sentences of the grammar sound as sure as they are said to."""

from __future__ import annotations

import pytest

from radcal.lab.asking.matching import names
from radcal.lab.finetuning.forms import forms, near
from radcal.lab.finetuning.lessons import level_of
from radcal.lab.hedges.estimator import SentenceEstimate, shipped

LEVELS = 5
FEW = 14


@pytest.mark.parametrize("certainty", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_level_has_many_sentences_that_read_as_its_number(certainty: float) -> None:
    """Read anew, with another answer."""
    sentences = [form.sentence.format(answer="Vienna") for form in near(certainty, 0.5 / LEVELS)]
    read = shipped().estimate(sentences)
    told = [r for r in read if isinstance(r, SentenceEstimate) and r.kind != "abstention"]
    assert len(told) == len(set(sentences)) >= FEW
    assert all(abs(r.value - certainty) <= 0.5 / LEVELS + 0.01 for r in told)
    assert sum(r.value for r in told) / len(told) == pytest.approx(certainty, abs=0.02)
    assert all(names(sentence, ["Vienna"]) for sentence in sentences)


def test_what_gives_no_answer_is_no_form() -> None:
    readings = [form.reading for form in forms()]
    assert readings == sorted(readings)
    assert len({form.sentence for form in forms()}) == len(readings) > 100
    assert all(form.sentence.count("{answer}") == 1 for form in forms())


@pytest.mark.parametrize(
    ("share", "level"), [(0.1, 0.1), (0.2, 0.1), (0.3, 0.3), (0.4, 0.3), (0.6, 0.5), (0.7, 0.7), (0.9, 0.9), (1.0, 0.9)]
)
def test_levels_are_those_of_the_paper(share: float, level: float) -> None:
    """LUH, table 7: (0, 0.2], (0.2, 0.4], ... (0.8, 1]."""
    assert level_of(share, LEVELS) == pytest.approx(level)
