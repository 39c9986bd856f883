"""What was written against what was read, counted by hand."""

from __future__ import annotations

from radcal.findings.records import Finding
from radcal.findings.report_level import decide
from radcal.reports.records import Section
from radcal.review.agreement import engines_agreement
from radcal.review.gold_sets import misread
from radcal.review.records import Gold
from radcal.words.records import ABSENT, OTHER, PRESENT, UNREAD

MEANS = {"absent": 0.0, "possibly": 0.3, "may represent": 0.4, "likely": 0.8, "present": 1.0}
LIST = ("edema", "fracture", "infection", "mass")


def said(report: str, pathology: str, phrase: str, start: int = 0) -> Finding:
    return Finding(report, pathology, phrase, "", "", Section.FINDINGS, start, start + 1, -1, -1, -1, -1)


def test_each_report_and_pathology_is_counted_once_as_it_enters_the_statistics() -> None:
    written = (
        said("a", "edema", "likely"),
        said("a", "fracture", ABSENT),
        said("a", "infection", "possibly"),
        said("b", "edema", "possibly"),
        said("b", "edema", PRESENT, 5),  # plain comes before hedged
        said("b", "fracture", "likely"),
        said("b", "infection", PRESENT),
        said("c", "edema", PRESENT),
    )
    read = (
        said("a", "edema", "likely"),
        said("a", "fracture", PRESENT),
        said("a", "infection", "may represent"),
        said("a", "mass", ABSENT),
        said("b", "edema", PRESENT),
        said("b", "fracture", "possibly"),
        said("b", "infection", OTHER),  # never enters the statistics
        said("c", "edema", ABSENT),
    )
    gold = Gold(("a", "b", "c"), written, frozenset({("b", "mass")}), 0, 0)
    made = misread(gold, read, ("a", "b"), LIST, MEANS, decide)
    assert made.reports == 2
    assert made.table == ((0, 1, 0, 0), (0, 0, 0, 1), (0, 0, 3, 0), (1, 0, 0, 1))
    assert made.hedged == (1, 1, 1)
    assert misread(gold, read, ("c",), LIST, MEANS, decide).table[3] == (0, 1, 0, 0)


def test_two_engines_agree_on_what_either_mentions() -> None:
    one = [said("a", "edema", "likely"), said("a", "mass", ABSENT), said("b", "mass", PRESENT)]
    other = [said("a", "edema", "possibly"), said("a", "mass", PRESENT), said("b", "edema", ABSENT)]
    assert engines_agreement(one, other) == (4, 1)
    assert engines_agreement([], []) == (0, 0)


def test_what_an_engine_leaves_unread_is_no_disagreement() -> None:
    one = [said("a", "edema", UNREAD), said("a", "mass", UNREAD), said("b", "mass", PRESENT)]
    other = [said("a", "edema", "possibly"), said("b", "mass", PRESENT), said("b", "edema", ABSENT)]
    assert engines_agreement(one, other) == engines_agreement(other, one) == (2, 1)
