"""Analyses that an earlier RadCal stored."""

from __future__ import annotations

from datetime import datetime

from radcal.files import record_to_plain
from radcal.records import Advice, Analysis, Provenance, Reliability, Substitution
from radcal.workflow.results.analysis import analysis_of


def test_advice_of_version_0_1_is_not_taken_for_that_of_now() -> None:
    made = Provenance("rules", "1", "", "words", 0, {}, None, None, 0, datetime(2026, 1, 1))
    advice = Advice("A", "edema", 50, "joint", ("may",), (Substitution("may", "may", 1.0, 50, 1.0),), ())
    now = Analysis((Reliability("A", "edema", 50, ()),), (advice,), (), made)
    stored = record_to_plain(now)
    assert analysis_of(stored).advices[0].plan == advice.plan
    (old,) = stored["advices"]
    del old["agreeing"]
    old["matching"] = ["may"]
    for part in old["plan"]:
        part["stability"] = part.pop("sure")
    read = analysis_of(stored)
    assert read.reliabilities[0].n == 50
    (shown,) = read.advices
    assert (shown.author, shown.topic, shown.n, shown.plan, shown.recommendations) == ("A", "edema", 50, (), ())
    assert shown.reason.startswith("An earlier RadCal worked this advice out in another way.")
