"""What readers' answers come to, and how well two readers agree: against counts made by hand."""

from __future__ import annotations

import pytest

from radcal.gold.figures import agreement_of
from radcal.gold.records import Answers, Mark, Verdict, gold_of
from radcal.lexicon.phrases import load_lexicon
from radcal.records import Finding, Section

PHRASES = load_lexicon().phrases


def answers(report_id: str, *said: tuple[str, str], late: bool = False) -> Answers:
    """A finished report that states these phrases of pathologies."""
    marks = {}
    for i, (pathology, phrase) in enumerate(said):
        finding = Finding(report_id, pathology, phrase, "", "s", Section.FINDINGS, i, i + 1, i, i + 1)
        marks[str(i)] = Mark(str(i), Verdict.ADDED, finding)
    return Answers(done=True, marks=marks, late=late)


def test_a_report_is_late_if_any_of_its_readers_was() -> None:
    read = {
        "a": {"AB": answers("a"), "CD": answers("a", late=True)},
        "b": {"AB": answers("b", late=True)},
        "c": {"AB": answers("c"), "CD": answers("c")},
    }
    assert gold_of(tuple(read), read, {}).late == 2


def test_agreement_on_what_both_mention_leaves_out_what_one_alone_does() -> None:
    """Of seven units, both mention five, and agree on four of them; nobody mentions one."""
    pairs = {
        "a": ("present", "present"),
        "b": ("present", "present"),
        "c": ("absent", "absent"),
        "d": ("likely", "likely"),
        "e": ("present", "likely"),
        "f": ("present", ""),
        "g": ("", ""),
    }
    both = {
        i: (answers(i, *([("edema", one)] if one else [])), answers(i, *([("edema", other)] if other else [])))
        for i, (one, other) in pairs.items()
    }
    made = agreement_of("AB", "CD", both, PHRASES)
    whole, mentioned, _ = made.coefficients
    assert (whole.n, whole.observed) == (7, pytest.approx(5 / 7))
    assert (mentioned.n, mentioned.observed) == (5, pytest.approx(4 / 5))
    # By chance: 3/5 * 2/5 present, 1/5 * 1/5 absent, 1/5 * 2/5 hedged.
    assert mentioned.expected == pytest.approx((6 + 1 + 2) / 25)
