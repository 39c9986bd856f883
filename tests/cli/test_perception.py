"""The step radcal perception, from files to a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from radcal.system.errors import InputError
from radcal.system.settings import Settings

QUICK = Settings(bootstrap=50)
Command = Callable[..., Any]
Made = Callable[..., tuple[dict[str, Any], dict[str, Any]]]
ANSWERS = """participant,expression,response,statement_true
A,Likely,70,true
A,likely,60,false
B,LIKELY,80,yes
B,likely,80%,no
A,unlikely,20,
B,unlikely,10,
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    responses = tmp_path / "R.csv"
    responses.write_text(ANSWERS, encoding="utf-8")
    return responses, tmp_path / "P.json"


@pytest.fixture
def made(command: Command, files: tuple[Path, Path]) -> Made:
    """The figures of the answers, with some further options, and the summary."""

    def _made(*more: str) -> tuple[dict[str, Any], dict[str, Any]]:
        summary = command("perception", files[0], "--out", files[1], *more, settings=QUICK)
        return json.loads(files[1].read_text(encoding="utf-8")), summary

    return _made


def test_answers_against_themselves(made: Made) -> None:
    figures, summary = made()
    assert figures["pa"] == pytest.approx((3 / 8 + 1 / 2) / 2)
    assert figures["mode_pa"] == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert figures["mae"] == pytest.approx((7.5 + 5) / 2)
    assert figures["pa_low"] <= figures["pa"] <= figures["pa_high"]
    assert figures["knowledge_bias"] == {
        "difference": 5.0, "p_value": pytest.approx(0.5), "n": 2, "statistic": 1.0,
    }  # fmt: skip
    assert [e["expression"] for e in figures["expressions"]] == ["unlikely", "likely"]
    assert figures["reference"] == "own answers"
    assert not summary["failures"]
    assert "docs" not in summary["text"]


def test_another_file_or_a_shipped_survey_is_the_reference(made: Made, tmp_path: Path) -> None:
    reference = tmp_path / "REF.csv"
    reference.write_text("participant,expression,response\nX,likely,90\nX,maybe,40\nX,maybe,\n", encoding="utf-8")
    figures, summary = made("--reference", str(reference))
    assert figures["mae"] == pytest.approx((25 + 10) / 2)
    assert figures["unanswered"] == ["maybe"]
    assert [f["file"] for f in summary["failures"]] == ["REF.csv", "R.csv"]
    assert "2 rows" in summary["failures"][1]["reason"]  # unlikely
    figures, _ = made("--reference", "radiologists")
    assert figures["expressions"][1]["reference_n"] == 50
    with pytest.raises(InputError, match="There is no file"):
        made("--reference", "surgeons")


def test_few_participants_are_pointed_out(made: Made) -> None:
    assert "Intervals from 2 participants are too narrow" in made()[1]["text"]


def test_the_input_is_never_overwritten(command: Command, files: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match="what is being read"):
        command("perception", files[0], "--out", files[0], settings=QUICK)
