"""A report that repeats itself takes as much longer to read as it is longer; none holds the program up.

Steps of Python are counted, not timed.  What happens within one search of a regular expression cannot be counted:
texts that once made one run for hours are read under a limit of processor time that ends them if one does again.
``benchmarks/bench_hostile.py`` looks for more of both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

import pytest

import radcal
from radcal.findings.records import Finding
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.reports.authors import people
from radcal.reports.sections import document
from radcal.system.progress import SILENT

SHORT, LONG = 1_200, 4_800
Limited = Callable[[], AbstractContextManager[None]]
REPEATED = (
    *(
        "- pneumonia ",
        "- pneumonia\n",
        "no edema\n",
        "edema of.\n",
        "\nopacity ",
        "heart: no effusion\n",
        "1. No edema 2. ",
    ),
    *("clear ", "normal ", "unchanged ", "increased ", "XXXX ", "enlarged nodes ", "heart lungs ", "clear XXXX "),
    *("whether ", "whether edema is ", "no ", "may represent ", "pneumonia or edema ", "cannot be excluded ", "one "),
    *("versus ", "filling defect ", "suspicion for edema ", "edema or infection, the former favored "),
    *("effusion not seen ", "no effusion except a trace on the left "),
    *("it is likely that edema may represent ", "no edema and ", "pneumonia, ", "small ", "assess for resolution of "),
    *(
        "... ",
        "? A",
        ". , ",
        ", \n",
        "\n(",
        "(((1. ",
        "1. ",
        "Dr. ",
        "HISTORY: a\n",
        "IMPRESSION: ",
        "COMPARISON: None.\n",
    ),
)
HUNG = (
    f"Opacity {' ' * 100_000}pneumonia is not excluded",
    f"Opacity{'*' * 50_000}x",
    f"Opacity{'.' * 100_000}x",
    f"Opacity{'?!' * 50_000}x",
    "CT chest 1.2.840.113619.2.55.3.604688119.868.1234567890.123 x",
    f"chest {'-' * 200} x",
    f"{'exam' * 200} x",
    f"{'ctpa' * 200} x",
    f"effusion {'ly' * 200}9 is possible.",
    f"Signed by x\n{'*' * 100_000}x",
    "HISTORY: x\n" + "\n " * 50_000 + "x",
    f"Pericardial disease {'no ' * 20}{'a' * 200_000}: effusion" + " effusion" * 2_000,
)


@pytest.fixture(scope="module")
def engine() -> RulesEngine:
    return rules_engine()


def findings(engine: RulesEngine, text: str) -> tuple[Finding, ...]:
    engine.forget()
    [extraction] = engine.extract([document("r", text)], SILENT)
    assert not extraction.failure
    return extraction.findings


@pytest.mark.parametrize("pattern", REPEATED)
def test_steps_grow_with_the_length(engine: RulesEngine, steps: Callable[..., int], pattern: str) -> None:
    texts = (pattern * (length // len(pattern)) for length in (SHORT, LONG))
    short, long = (steps(partial(findings, engine, text), radcal) for text in texts)
    assert long < 1.5 * LONG / SHORT * short


@pytest.mark.skipif(sys.platform == "win32", reason="limits processor time by a signal")
@pytest.mark.parametrize("number", range(len(HUNG)))
def test_texts_that_once_never_ended_are_read(engine: RulesEngine, limited: Limited, number: int) -> None:
    with limited():
        findings(engine, HUNG[number])


@pytest.mark.skipif(sys.platform == "win32", reason="limits processor time by a signal")
@pytest.mark.parametrize("cell", ["MD " * 30_000, "\t" * 100_000 + "x", " ," * 50_000, "a and " * 20_000])
def test_a_report_in_the_column_of_names_is_cut_short(limited: Limited, cell: str) -> None:
    with limited():
        assert all(len(name) <= 1_000 for name in people(cell))


def test_every_line_of_a_list_has_its_finding_at_its_place(engine: RulesEngine) -> None:
    text = "- pneumonia\n" * 6_667
    found = findings(engine, text)
    assert [f.term_start for f in found] == [i + 2 for i in range(0, len(text), 12)]
    assert {(f.pathology, text[f.term_start : f.term_end]) for f in found} == {("infection", "pneumonia")}
