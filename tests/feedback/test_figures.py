"""Figures of errors in sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from radcal.feedback.content import with_errors, word_error
from radcal.reliability.records import PhraseRate, Reliability
from radcal.system.language.catalogue import language

ENGLISH = language()
PLAIN = {0x2018: "'", 0x2019: "'"}


def test_figures_stand_with_and_without_reading_errors(reliability_of: Callable[..., Reliability]) -> None:
    plain = PhraseRate("likely", 50, 23.5, 0.47, 0.37, 0.57, 0.71)
    assert with_errors(plain, ENGLISH) == ""
    carried = plain._replace(read_rate=0.45, read_low=0.3, read_high=0.61)
    assert with_errors(carried, ENGLISH).translate(PLAIN) == "With reading errors 45\N{NO-BREAK SPACE}% (30\u201361)."
    r = replace(
        reliability_of("edema", {"likely": (100, 50)}),
        word_error=0.3,
        luck_word_mean=0.1,
        luck_word_p95=0.2,
        read_word_error=0.2,
        read_word_error_low=0.0,
        read_word_error_high=0.4,
    )
    told = word_error(r, ENGLISH)
    assert "(with reading errors 0.20 (0.00\u20130.40))" in told
    assert told.endswith("those of a perfectly calibrated reader would lie 0.10 away, up to 0.20.")
