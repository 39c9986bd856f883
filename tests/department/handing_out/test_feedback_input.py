"""What an author's pages are made from."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import pytest

from radcal.advice.records import Advice, Recommendation
from radcal.advice.stored_analysis import Analysis
from radcal.calibration.analysis_records import AuthorPairs, Provenance
from radcal.calibration.records import PhraseRate
from radcal.feedback.pages import EXAMPLES, feedback_input
from radcal.system.selection import Days
from radcal.system.text import Text
from radcal.words.records import Phrase

PHRASES = (
    Phrase("absent", 0, 1, 0.0, 0.0),
    Phrase("possibly", 3, 7, 0.05, 0.75),
    Phrase("may represent", 4.4, 5.6, 0.25, 0.75),
    Phrase("likely", 8, 2, 0.75, 0.9),
)


PROVENANCE = Provenance("rules", "1", "", "", 0, {}, None, None, 6, datetime(2026, 10, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("source", "target", "first"),
    [
        ("may represent", "possibly", [0.0, 0.0, 0.1]),
        ("may represent", "likely", [1.0, 0.9, 1.0]),
        ("likely", "may represent", [0.0, 0.0, 0.1]),
        ("absent", "possibly", [1.0, 0.9, 1.0]),
    ],
)
def test_examples_begin_with_those_to_which_the_word_suggested_is_closer(
    source: str, target: str, first: list[float]
) -> None:
    outcomes = [1.0, 0.1, 0.9, 0.0, 1.0, 0.0]
    days = pd.date_range("2026-01-01", periods=len(outcomes))
    observations = pd.DataFrame(
        {
            "topic": "edema",
            "phrase": source,
            "xray_sentence": "Edema.",
            "xray_cue_start": 0,
            "xray_cue_end": 0,
            "ct_sentence": "",
            "outcome": outcomes,
            "xray_time": days,
        }
    )
    rate = PhraseRate(source, 6, 3, 0.5, 0.2, 0.8, 0.44)
    change = Recommendation(source, target, 1.0, 0.97, rate, Text("Another word."))
    advice = Advice("Ada", "edema", 6, "ordered", (), (), (), (change,))
    analysis = Analysis((), (), PROVENANCE, (AuthorPairs("Ada", 6, 0, None, None),), advices=(advice,))
    why = {"edema": Text("it is so")}
    examples = feedback_input("Ada", analysis, observations, "Avery", PHRASES, Days(), why).examples
    assert {e.silence for e in examples} == {"it is so"}
    shown = [e.outcome for e in examples]
    assert shown[: EXAMPLES - 1] == first
    assert shown[EXAMPLES - 1] not in first
