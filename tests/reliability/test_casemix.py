"""Direct standardisation: against plain loops, where it must change nothing, and where the raw figures mislead."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from radcal.reliability.casemix import standardised
from radcal.reliability.reliability import measure
from radcal.reliability.subgroup_records import CaseMix, Standardised
from radcal.reliability.tables import build_tables
from radcal.system.intervals import jeffreys
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import load_lexicon, mean_of

PHRASES = load_lexicon().phrases
MEAN = {p.name: mean_of(p) for p in PHRASES}
QUICK = Settings(bootstrap=100, min_phrase_n=10)


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


def of(rows: pd.DataFrame, *by: str, settings: Settings = QUICK) -> CaseMix:
    return standardised(rows, by, ALL_TOPICS, PHRASES, settings)  # type: ignore[arg-type]


def author(made: CaseMix, name: str) -> Standardised:
    return next(a for a in made.authors if a.author == name)


def test_rates_are_those_of_plain_loops() -> None:
    rows = drawn()
    made = of(rows, "site", "age")
    for a in made.authors:
        for rate in a.phrases:
            said = rows[rows["phrase"] == rate.phrase]
            own = said[said["author"] == a.author]
            mix = Counter(zip(said["site"], said["age"], strict=True))
            total = covered = everybody = 0.0
            for (site, age), n in mix.items():
                cell = own[(own["site"] == site) & (own["age"] == age)]
                if len(cell):
                    share = n / len(said)
                    all_of_it = said[(said["site"] == site) & (said["age"] == age)]
                    total += share * cell["outcome"].mean()
                    everybody += share * all_of_it["outcome"].mean()
                    covered += share
            assert rate.standard == pytest.approx(total / covered)
            assert rate.department == pytest.approx(everybody / covered)
            assert rate.covered == pytest.approx(covered)
            assert rate.rate == pytest.approx(own["outcome"].mean())
            assert rate.standard_low < rate.standard < rate.standard_high
        n = sum(r.n for r in a.phrases)
        assert a.n == n
        assert a.standard == pytest.approx(sum(r.n * abs(r.standard - r.mean) for r in a.phrases) / n)
        assert a.word_error == pytest.approx(sum(r.n * abs(r.rate - r.mean) for r in a.phrases) / n)
        assert a.department == pytest.approx(sum(r.n * abs(r.department - r.mean) for r in a.phrases) / n)
        assert a.covered == pytest.approx(sum(r.n * r.covered for r in a.phrases) / n)
    assert {s.groups for s in author(made, "C").lacking} == {("South", age) for age in ("18-39", "40-59", "80+")}
    assert author(made, "A").lacking == ()
    assert sum(s.share for s in made.strata) == pytest.approx(1)


def test_with_one_stratum_nothing_changes() -> None:
    rows = drawn().assign(site="North")
    for a in of(rows, "site").authors:
        assert a.standard == pytest.approx(a.word_error)
        assert (a.standard_low, a.standard_high) == pytest.approx((a.word_error_low, a.word_error_high))
        for rate in a.phrases:
            assert rate.standard == pytest.approx(rate.rate)
            low, high = jeffreys(np.array([rate.positives]), np.array([rate.n]))
            assert (rate.standard_low, rate.standard_high) == pytest.approx((float(low[0]), float(high[0])), abs=0.01)


def test_a_ct_that_errs_gives_the_word_errors_and_rates_of_the_reliability_page() -> None:
    errs = QUICK.changed(ct_accuracy=(f"{ALL_TOPICS} 0.9 0.75",))
    rows = drawn()
    made = of(rows, "site", settings=errs)
    assert author(made, "A").word_error != pytest.approx(author(of(rows, "site"), "A").word_error, abs=0.01)
    measured = measure(build_tables(rows.assign(topic=ALL_TOPICS), PHRASES), PHRASES, errs)
    for r in measured:
        own = author(made, r.author)
        assert own.word_error == pytest.approx(r.word_error)
        rates = {p.phrase: p.rate for p in r.phrases if 0 < MEAN[p.phrase] < 1}
        assert {p.phrase: p.rate for p in own.phrases} == pytest.approx(rates)
    # A word's rate is corrected once, after its strata were weighted.
    raw = {p.phrase: p for p in author(of(rows, "site"), "B").phrases}
    for p in author(made, "B").phrases:
        assert p.standard == pytest.approx(np.clip((raw[p.phrase].standard - 0.25) / 0.65, 0, 1))
        assert p.department == pytest.approx(np.clip((raw[p.phrase].department - 0.25) / 0.65, 0, 1))
        assert p.standard_low <= p.standard <= p.standard_high
    for a in of(rows.assign(site="North"), "site", settings=errs).authors:
        assert (a.standard, a.standard_low) == pytest.approx((a.word_error, a.word_error_low))


def test_what_luck_gives_allows_for_the_errors_of_the_ct() -> None:
    """A calibrated author is not said to be off because CT is."""
    rng = np.random.default_rng(3)
    phrase = rng.choice(["likely", "possibly", "unlikely"], 6000)
    there = rng.random(6000) < np.array([MEAN[name] for name in phrase])
    seen = np.where(rng.random(6000) < 0.25, ~there, there).astype(float)
    rows = pd.DataFrame({"author": rng.choice([f"R{i}" for i in range(10)], 6000), "phrase": phrase, "outcome": seen})
    errs = QUICK.changed(ct_accuracy=(f"{ALL_TOPICS} 0.75 0.75",))
    made = of(rows.assign(site="North", topic="edema"), "site", settings=errs)
    assert sum(a.word_error_low > 0 for a in made.authors if a.word_error_low is not None) <= 2
    assert len(made.authors) == 10


def test_a_handful_of_redraws_shows_no_difference_unless_little_confidence_is_asked_for() -> None:
    """Of B redraws the least p-value is 1 / (B + 1), never 0; the confidence of the settings is what it is held to."""
    rows = drawn().assign(outcome=0.0)
    off = [of(rows, "site", settings=QUICK.changed(bootstrap=10, confidence=c)) for c in (0.95, 0.85)]
    assert {(a.word_error_low, a.standard_low) for a in off[0].authors} == {(0.0, 0.0)}
    assert all(a.word_error_low > 0 for a in off[1].authors if a.word_error_low is not None)


def test_simpsons_paradox_better_in_every_stratum_and_worse_in_all() -> None:
    """A is confirmed more often than B in both wards, and less often in all, because A reads where little is found."""
    counts = {("A", "ICU"): (3600, 0.50), ("A", "Clinic"): (400, 0.90), ("B", "ICU"): (400, 0.40),
              ("B", "Clinic"): (3600, 0.80)}  # fmt: skip
    rows = pd.DataFrame(
        [
            (name, "likely", site, float(i < round(n * rate)))
            for (name, site), (n, rate) in counts.items()
            for i in range(n)
        ],
        columns=["author", "phrase", "site", "outcome"],
    ).assign(topic="edema")
    made = of(rows, "site")
    (a,), (b,) = author(made, "A").phrases, author(made, "B").phrases
    assert a.rate < b.rate - 0.2
    assert a.standard > b.standard + 0.05
    assert (a.standard, b.standard) == pytest.approx((0.7, 0.6))
    assert [(x.raw_differs, x.differs) for x in made.authors] == [(True, True)] * 2


def test_case_mix_alone_makes_nobody_differ() -> None:
    """Outcomes depend on the site only: raw rates differ, standardised ones do not."""
    rng = np.random.default_rng(5)
    parts = []
    for name, share in (("A", 0.85), ("B", 0.15)):
        site = np.where(rng.random(600) < share, "ICU", "Clinic")
        rate = np.where(site == "ICU", 0.3, 0.9)
        parts.append(pd.DataFrame({"author": name, "site": site, "outcome": (rng.random(600) < rate).astype(float)}))
    rows = pd.concat(parts, ignore_index=True).assign(phrase="likely", topic="edema")
    made = of(rows, "site")
    assert [(x.raw_differs, x.differs) for x in made.authors] == [(True, False)] * 2
    (a,), (b,) = author(made, "A").phrases, author(made, "B").phrases
    assert abs(a.rate - b.rate) > 0.25
    assert abs(a.standard - b.standard) < 0.08


def test_intervals_of_standardised_rates_hold_the_truth() -> None:
    rng = np.random.default_rng(2)
    truth = {"x": 0.3, "y": 0.6, "z": 0.9}
    held = trials = 0
    for _ in range(90):
        parts = []
        for name, mix in (("A", [0.6, 0.3, 0.1]), ("B", [0.1, 0.3, 0.6])):
            site = rng.choice(list(truth), 80, p=mix)
            there = rng.random(80) < np.array([truth[s] for s in site])
            parts.append(pd.DataFrame({"author": name, "site": site, "outcome": there.astype(float)}))
        rows = pd.concat(parts).assign(phrase="likely", topic="edema")
        shares = rows["site"].value_counts(normalize=True)
        for a in of(rows, "site", settings=QUICK.changed(bootstrap=0)).authors:
            (rate,) = a.phrases
            if rate.covered == 1:
                right = sum(share * truth[str(s)] for s, share in shares.items())
                held += rate.standard_low <= right <= rate.standard_high
                trials += 1
    assert trials > 150
    assert 0.91 <= held / trials <= 0.99


def test_what_has_no_known_stratum_is_counted_and_few_findings_say_so() -> None:
    rows = drawn()
    unknown = rows.iloc[:50].assign(site="")
    made = of(pd.concat([rows.iloc[50:], unknown], ignore_index=True), "site")
    hedged = (unknown["phrase"] != "present").sum()
    assert made.unknown == hedged
    few = of(rows.iloc[:90], "site")
    assert all(a.standard is None and a.phrases for a in few.authors)
    assert few.fewest == 60
    assert of(rows) == CaseMix((), ALL_TOPICS, 0, 0, (), (), 60)
    empty = of(rows.assign(site=""), "site")
    assert (empty.n, empty.authors, empty.strata) == (0, (), ())
