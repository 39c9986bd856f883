"""Authors in like cases: where the mix of cases misleads, and what is left out.

The rates compared are proved against plain loops in test_subgroups.py.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.casemix import compared_in_cases
from radcal.calibration.stored_analysis import Basis
from radcal.calibration.subgroup_records import AuthorCases, CaseMix
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import load_lexicon

PHRASES = load_lexicon().phrases
QUICK = Settings(min_phrase_n=10)


def drawn(seed: int = 0, n: int = 1500) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    made = pd.DataFrame(
        {
            "author": rng.choice(["A", "B", "C"], n, p=[0.5, 0.3, 0.2]),
            "phrase": rng.choice(["likely", "possibly", "unlikely", "present"], n),
            "site": rng.choice(["North", "South"], n, p=[0.7, 0.3]),
            "age": rng.choice(["18-39", "40-59", "80+"], n),
            "outcome": rng.integers(0, 2, n).astype(float),
            "topic": "edema",
        }
    )
    # One of them was never in the South, so that strata are lacking.
    return made[~((made["author"] == "C") & (made["site"] == "South"))].reset_index(drop=True)


def of(rows: pd.DataFrame, *by: str) -> CaseMix:
    return compared_in_cases(rows, by, ALL_TOPICS, Basis(PHRASES, QUICK))  # type: ignore[arg-type]


def author(made: CaseMix, name: str) -> AuthorCases:
    return next(a for a in made.authors if a.author == name)


def likely(counts: dict[tuple[str, str], tuple[int, float]]) -> pd.DataFrame:
    """So many findings of each author and site, confirmed at these rates."""
    rows = [(name, site, float(i < round(n * rate))) for (name, site), (n, rate) in counts.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["author", "site", "outcome"]).assign(phrase="likely", topic="edema")


def test_strata_and_what_each_author_has_seen_of_them() -> None:
    rows = drawn()
    made = of(rows, "site", "age")
    hedged = rows[rows["phrase"] != "present"]
    assert {s.groups: s.n for s in made.strata} == hedged.groupby(["site", "age"]).size().to_dict()
    assert [s.n for s in made.strata] == sorted((s.n for s in made.strata), reverse=True)
    assert sum(s.share for s in made.strata) == pytest.approx(1)
    assert {a.author: a.n for a in made.authors} == hedged.groupby("author").size().to_dict()
    c = author(made, "C")
    assert {s.groups for s in c.lacking} == {("South", age) for age in ("18-39", "40-59", "80+")}
    assert c.covered == pytest.approx((hedged["site"] == "North").mean())
    assert (author(made, "A").lacking, author(made, "A").covered) == ((), 1)


def test_simpsons_paradox_better_in_every_stratum_and_worse_in_all() -> None:
    """A is confirmed more often than B in both wards, and less often in all, because A reads where little is found."""
    rows = likely({("A", "ICU"): (3600, 0.50), ("A", "Clinic"): (400, 0.90), ("B", "ICU"): (400, 0.40),
                   ("B", "Clinic"): (3600, 0.80)})  # fmt: skip
    for a in of(rows, "site").authors:
        assert a.in_all is not None
        assert a.like_cases is not None
        assert a.in_all.differs
        assert a.like_cases.differs
        (raw, others), (alike, the_others) = (
            (part.positives / part.said, part.others_positives / part.others_said) for part in (a.in_all, a.like_cases)
        )
        assert (raw > others) != (alike > the_others)
        assert alike == pytest.approx(raw)
        assert the_others == pytest.approx(0.44 if a.author == "A" else 0.86)


def test_case_mix_alone_makes_nobody_differ() -> None:
    """Outcomes depend on the site only: rates differ in all, and not where cases are alike."""
    made = of(likely({("A", "ICU"): (510, 0.3), ("A", "Clinic"): (90, 0.9), ("B", "ICU"): (90, 0.3),
                      ("B", "Clinic"): (510, 0.9)}), "site")  # fmt: skip
    assert [(a.in_all.differs, a.like_cases.differs) for a in made.authors if a.in_all and a.like_cases] == [
        (True, False)
    ] * 2


def test_what_has_no_known_stratum_is_counted_and_few_findings_are_not_compared() -> None:
    rows = drawn()
    unknown = rows.iloc[:50].assign(site="")
    made = of(pd.concat([rows.iloc[50:], unknown], ignore_index=True), "site")
    assert made.unknown == (unknown["phrase"] != "present").sum()
    few = of(rows.iloc[:20], "site")
    assert few.fewest == 10
    assert {(a.in_all, a.like_cases) for a in few.authors} == {(None, None)}
    assert of(rows) == CaseMix((), ALL_TOPICS, 0, 0, (), (), 10)
    empty = of(rows.assign(site=""), "site")
    assert (empty.n, empty.authors, empty.strata) == (0, (), ())
