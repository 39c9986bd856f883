"""What was left unread stays out of the statistics, and what it would change is what analyses of either kind say."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radcal.advice.stored_analysis import Analysis
from radcal.calibration.analysis_records import Unread
from radcal.calibration.records import ALL_AUTHORS, Reliability
from radcal.calibration.unread import unread_note
from radcal.cli.run import write_results
from radcal.department import Department
from radcal.findings.records import Finding
from radcal.system.selection import Days
from radcal.system.settings import ALL_TOPICS
from radcal.words.records import ABSENT, PRESENT, UNREAD

TOPIC = "pleural effusion"


def reading(phrase: str) -> Callable[[tuple[Finding, ...]], list[Finding]]:
    """Every third report has this phrase in the place of what it says of effusions."""

    def change(findings: tuple[Finding, ...]) -> list[Finding]:
        return [
            replace(f, phrase=phrase) if f.pathology == TOPIC and zlib.crc32(f.report_id.encode()) % 3 == 0 else f
            for f in findings
        ]

    return change


@pytest.fixture
def analysed_as(
    filled: Department, stand_in: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Analysis]:
    """The analysis where an engine reads this phrase in every third report."""

    def analyse(phrase: str) -> Analysis:
        engine = stand_in("rules", reading(phrase), settings_hash=phrase)
        monkeypatch.setattr("radcal.findings.runs.make_engine", lambda *_: engine)
        filled.runs._engines.clear()
        filled.runs.read()
        filled.runs.use(filled.runs.own())
        return filled.analyse()

    return analyse


def figures(r: Reliability) -> tuple[float, ...]:
    """n, mean certainty, confirmed rate and word error of a group, from what is said of its words."""
    n = sum(p.n for p in r.phrases)
    hedged = [p for p in r.phrases if 0 < p.mean < 1]
    said = sum(p.n for p in hedged)
    error = sum(abs(p.positives - p.n * p.mean) for p in hedged) / said if said else None
    known = () if error is None or n < 10 else (error,)
    return n, sum(p.n * p.mean for p in r.phrases) / n, sum(p.positives for p in r.phrases) / n, *known


def of_groups(analysis: Analysis) -> dict[tuple[str, str], tuple[float, ...]]:
    return {(r.author, r.topic): figures(r) for r in (*analysis.reliabilities, *analysis.pooled)}


@pytest.mark.slow
def test_both_extremes_are_what_an_analysis_with_all_of_it_read_so_says(
    filled: Department, analysed_as: Callable[[str], Analysis]
) -> None:
    every = {phrase: of_groups(analysed_as(phrase)) for phrase in (PRESENT, ABSENT, UNREAD)}
    left_out = {(u.author, u.topic): u for u in filled.analysis().unread}  # type: ignore[union-attr]
    assert {topic for _, topic in left_out} == {TOPIC, ALL_TOPICS}
    assert {author for author, _ in left_out} == {*filled.authors(), ALL_AUTHORS}
    differing = 0
    for group, unread in left_out.items():
        assert unread.n > 0
        for name, phrase in (("now", UNREAD), ("present", PRESENT), ("absent", ABSENT)):
            if group == (ALL_AUTHORS, ALL_TOPICS):
                continue  # of which an analysis makes nothing
            made = getattr(unread, name)
            known = () if made.word_error is None else (made.word_error,)
            assert (made.n, made.certainty, made.confirmed, *known) == pytest.approx(every[phrase][group])
            differing += made != unread.now
    assert differing
    both = left_out[ALL_AUTHORS, ALL_TOPICS]
    assert both.n == sum(u.n for g, u in left_out.items() if ALL_AUTHORS not in g and ALL_TOPICS not in g)
    assert both.present.n == sum(v[0] for g, v in every[PRESENT].items() if g[0] != ALL_AUTHORS and g[1] != ALL_TOPICS)  # type: ignore[union-attr]


@pytest.mark.slow
def test_it_is_stated_with_the_results_and_of_nobody_else_on_a_page(
    filled: Department, analysed_as: Callable[[str], Analysis], tmp_path: Path
) -> None:
    every = analysed_as(UNREAD).unread
    told = write_results(filled, tmp_path / "out")
    assert json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["unread_effects"]["n"] > 0
    (together,) = [u for u in every if (u.author, u.topic) == (ALL_AUTHORS, ALL_TOPICS)]
    assert told["unread_effects"]["n"] == together.n
    assert str(unread_note(together)) in told["text"]
    author = filled.authors()[0]
    own = filled.author_results.analysis(author).unread
    assert {u.author for u in own} == {author}
    (page,) = [data for data in filled.pages.inputs() if data.author == author]
    assert page.unread == next(u for u in own if u.topic == ALL_TOPICS)
    first = filled.analysis().provenance.first_exam.date()  # type: ignore[union-attr]
    assert filled.author_results.analysis(author, Days(first, None)).unread == ()


def test_without_anything_unread_nothing_is_said(shown: Department) -> None:
    assert shown.analysis().unread == ()  # type: ignore[union-attr]


def test_a_note_says_what_there_is_to_say() -> None:
    assert str(unread_note(Unread("a", TOPIC, 1, None, None, None))) == (
        "1 statement was left unread, and counts for nothing."
    )
