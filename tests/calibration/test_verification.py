"""Bounds where no CT decided: against every way in which the undecided could have come out."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from radcal.calibration.records import PhraseRate, Reliability, Said, Verification, VerifiedRate
from radcal.calibration.reliability import together
from radcal.calibration.report import to_json
from radcal.calibration.verified import (
    FEWEST,
    ODDS,
    ends_of_counts,
    of_rows,
    share_told,
    shifts,
    tilted_rates,
    verifications,
    verified_rates,
    weighted_rates,
    with_verification,
)
from radcal.system.errors import DataError
from radcal.system.intervals import jeffreys
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import agreeing_rates, expected_rates, load_lexicon, mean_of
from radcal.words.records import Phrase

MANY = settings(deadline=None, max_examples=150)
counts = st.integers(0, 40)


def phrase(low: float, high: float, name: str = "likely") -> Phrase:
    return Phrase(name, 1, 1, low, high)


def rates(
    counts: list[tuple[float, float, float]], low: float = 0.25, high: float = 0.75, confidence: float = 0.95
) -> tuple[VerifiedRate, ...]:
    """Of (judged, confirmed, unverified) for each of as many phrases of one range."""
    n, y, u = np.array(counts, dtype=np.float64).reshape(-1, 3).T
    phrases = [phrase(low, high, f"word {k}") for k in range(len(n))]
    return verified_rates(phrases, n, y, u, confidence)


def one(n: float, y: float, u: float, low: float = 0.25, high: float = 0.75, confidence: float = 0.95) -> VerifiedRate:
    (rate,) = rates([(n, y, u)], low, high, confidence)
    return rate


@st.composite
def groups(draw: st.DrawFn) -> tuple[int, int, int, float, float]:
    """Counts of a phrase and the range that it means."""
    n = draw(counts)
    low, high = sorted((draw(st.floats(0, 1)), draw(st.floats(0, 1))))
    return n, draw(st.integers(0, n)), draw(counts), low, high


def interval(y: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """The Jeffreys interval by scipy's Beta distribution."""
    tail = (1 - confidence) / 2
    ends = beta.ppf([tail, 1 - tail], y + 0.5, n - y + 0.5)
    return 0.0 if y == 0 else float(ends[0]), 1.0 if y == n else float(ends[1])


def test_bounds_by_hand() -> None:
    rate = one(12, 9, 8)
    assert (rate.phrase, rate.said, rate.judged, rate.positives, rate.unverified) == ("word 0", 20, 12, 9, 8)
    assert (rate.lowest, rate.highest) == (9 / 20, 17 / 20)
    assert (rate.low, rate.high) == pytest.approx((interval(9, 20)[0], interval(17, 20)[1]))
    assert (rate.share_low, rate.share_high) == pytest.approx(interval(12, 20))
    assert (rate.rate_low, rate.rate_high) == pytest.approx(interval(9, 12))
    assert (rate.meaning_low, rate.meaning_high) == (0.25, 0.75)


def test_phrases_never_said_are_left_out_and_the_others_keep_their_order() -> None:
    made = rates([(3, 1, 0), (0, 0, 0), (0, 0, 2), (5, 5, 1)])
    assert [r.phrase for r in made] == ["word 0", "word 2", "word 3"]
    assert made[0] == one(3, 1, 0)
    assert replace(made[2], phrase="word 0") == one(5, 5, 1)
    assert (made[1].said, made[1].judged, made[1].lowest, made[1].highest) == (2, 0, 0, 1)
    assert np.isnan([made[1].rate_low, made[1].rate_high]).all()  # nothing was judged
    assert rates([]) == ()
    assert rates([(0, 0, 0)]) == ()


@MANY
@given(groups(), st.floats(0.5, 0.999))
@example((10, 10, 0, 0.5, 1.0), 0.95)
def test_the_bounds_hold_every_outcome_of_the_unverified(
    group: tuple[int, int, int, float, float], confidence: float
) -> None:
    n, y, u, low, high = group
    if n + u == 0:
        return
    rate = one(n, y, u, low, high, confidence)
    outcomes = [(y + confirmed) / (n + u) for confirmed in range(u + 1)]
    assert min(outcomes) == rate.lowest
    assert max(outcomes) == rate.highest
    assert 0 <= rate.low <= rate.lowest <= rate.highest <= rate.high <= 1
    ends = interval(y, n + u, confidence)[0], interval(y + u, n + u, confidence)[1]
    assert (rate.low, rate.high) == pytest.approx(ends, abs=1e-9)
    assert rate.highest - rate.lowest == pytest.approx(u / (n + u))
    assert rate.share_low <= n / (n + u) <= rate.share_high
    if n:
        assert rate.lowest <= y / n + 1e-12
        assert y / n <= rate.highest + 1e-12
        assert rate.rate_low <= y / n <= rate.rate_high
    if u == 0:
        assert rate.lowest == rate.highest == y / n
        assert (rate.low, rate.high) == (rate.rate_low, rate.rate_high)


def test_outcomes_may_be_fractional() -> None:
    rate = one(4, 2.5, 1)
    assert (rate.lowest, rate.highest) == (0.5, 0.7)


@pytest.mark.parametrize(
    ("n", "y", "u"),
    [
        (3, 4, 0),
        (3, -1, 0),
        (-1, -1, 2),
        (3, 1, -1),
        (float("nan"), 1, 0),
        (3, float("nan"), 0),
        (3, 1, float("inf")),
    ],
)
def test_counts_that_cannot_be_are_refused(n: float, y: float, u: float) -> None:
    with pytest.raises(DataError, match="negative or no number, or more were confirmed than judged"):
        rates([(3, 1, 1), (n, y, u)])


@pytest.mark.parametrize("short", range(3))
def test_each_phrase_needs_its_counts(short: int) -> None:
    arrays = [np.ones(2 - (i == short)) for i in range(3)]
    with pytest.raises(DataError, match="Each phrase needs its counts"):
        verified_rates([phrase(0, 1), phrase(0, 1)], *arrays, 0.95)


# --- rates weighted to all that was said


@st.composite
def strata(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Said, judged and confirmed of some strata."""
    size = draw(st.integers(1, 5))
    judged = draw(st.lists(counts, min_size=size, max_size=size).filter(any))
    confirmed = [draw(st.integers(0, n)) for n in judged]
    said = [n + draw(counts) for n in judged]
    return tuple(np.array(a, dtype=np.float64) for a in (said, judged, confirmed))


@MANY
@given(strata())
def test_the_weighted_rate_is_that_of_every_statement_given_the_rate_of_its_stratum(case) -> None:
    said, judged, confirmed = case
    rate, low, high = weighted_rates(*case, 0.95)
    one_by_one = [y / n for s, n, y in zip(said, judged, confirmed, strict=True) if n for _ in range(int(s))]
    assert rate == pytest.approx(np.mean(one_by_one))
    assert 0 <= low <= rate <= high <= 1
    assert tilted_rates(*case, 1.0) == pytest.approx(rate)


@MANY
@given(strata(), st.integers(1, 4))
def test_where_the_share_is_the_same_the_weighted_rate_is_the_plain_one(case, times: int) -> None:
    _, judged, confirmed = case
    rate, low, high = weighted_rates(times * judged, judged, confirmed, 0.95)
    assert rate == pytest.approx(confirmed.sum() / judged.sum())
    plain = [float(end) for end in jeffreys(confirmed.sum(), judged.sum())]
    if times == 1 or len(judged) == 1:  # nothing is learnt of how the strata are mixed
        assert [float(low), float(high)] == pytest.approx(plain)
    assert low >= plain[0] - 1e-9
    assert high <= plain[1] + 1e-9


@MANY
@given(strata(), st.floats(1, 50))
def test_the_odds_of_those_without_a_ct_span_from_the_weighted_rate_to_the_bounds(case, odds: float) -> None:
    said, judged, confirmed = case
    said = np.where(judged > 0, said, 0)
    low, high = (float(tilted_rates(said, judged, confirmed, c)) for c in (1 / odds, odds))
    rate = float(weighted_rates(said, judged, confirmed, 0.95)[0])
    assert confirmed.sum() / said.sum() - 1e-12 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= (confirmed + said - judged).sum() / said.sum() + 1e-12
    # Of those without a CT, the odds are so many times those with one.
    p = np.divide(confirmed, judged, out=np.zeros_like(said), where=judged > 0)
    inside = (p > 0) & (p < 1)
    q = odds * p[inside] / (1 - p[inside])
    expected = (np.where(inside, 0, p) * said).sum()
    expected += (judged[inside] * p[inside] + (said - judged)[inside] * q / (1 + q)).sum()
    assert high == pytest.approx(expected / said.sum())


def test_begg_and_greenes_find_the_true_rate_where_sites_differ_in_share_and_the_plain_rate_does_not() -> None:
    """The sites with more patients who are ill scan more of them; given the site, who is scanned is left to chance."""
    rng = np.random.default_rng(2)
    draws, share, ill = 4000, np.array([0.7, 0.4, 0.15]), np.array([0.8, 0.5, 0.3])
    mix = np.array([0.3, 0.3, 0.4])
    truth = float(mix @ ill)
    said = rng.multinomial(250, mix, draws)
    judged = rng.binomial(said, share)
    confirmed = rng.binomial(judged, ill)
    rate, low, high = weighted_rates(*(a.astype(np.float64) for a in (said, judged, confirmed)), 0.95)
    plain = confirmed.sum(axis=1) / judged.sum(axis=1)
    assert rate.mean() == pytest.approx(truth, abs=0.005)
    assert plain.mean() > truth + 0.1
    assert 0.935 < np.mean((low <= truth) & (truth <= high)) < 0.97
    below, above = jeffreys(confirmed.sum(axis=1), judged.sum(axis=1))
    assert np.mean((below <= truth) & (truth <= above)) < 0.5


def test_small_strata_are_weighted_together() -> None:
    n, y, u = np.array([[40.0, FEWEST - 1, 1]]), np.array([[10.0, FEWEST - 1, 0]]), np.array([[0.0, 30, 10]])
    (made,) = verified_rates([phrase(0.25, 0.75)], n, y, u, 0.95)
    assert made.weighted is not None
    few = FEWEST
    assert made.weighted.value == pytest.approx((40 * 0.25 + (few + 40) * (few - 1) / few) / (40 + few + 40))
    (flat,) = verified_rates([phrase(0.25, 0.75)], n.sum(axis=1), y.sum(axis=1), u.sum(axis=1), 0.95)
    assert flat == replace(made, weighted=flat.weighted, tilted=flat.tilted)
    assert flat.weighted is not None
    assert flat.weighted.value == pytest.approx(flat.positives / flat.judged)


# --- verdicts and advice with what was said without a CT


WORDS = {p.name: p for p in load_lexicon().phrases}


def group_of(n: float, y: float, u: float, settings: Settings, name: str = "likely") -> Reliability:
    """A group that said one word of the lexicon, which is all that its hedges come to together."""
    word, meant = WORDS[name], expected_rates(WORDS[name])
    low, high = interval(y, n)
    least, most = agreeing_rates(word)
    beyond = "stronger" if high < meant[0] else "weaker" if low > meant[1] else "undecided"
    verdict = "matches" if least <= low and high <= most else beyond
    rate = PhraseRate(name, n, y, y / n, low, high, mean_of(word), *meant, verdict)
    rates = verified_rates([word], *(np.array([v]) for v in (n, y, u)), 0.95)
    found = {("Avery", "edema"): Verification("Avery", "edema", rates)}
    whole = together(n, rate.mean, rate.rate, rate.rate, (rate.rate * (1 - rate.rate) / n) ** 0.5 + 1e-3)
    (made,) = with_verification([Reliability("Avery", "edema", n, (rate,), together=whole)], found, settings)
    return made


@pytest.mark.parametrize(("unverified", "verdict"), [(0, "stronger"), (2, "stronger"), (300, "undecided")])
def test_what_words_come_to_together_holds_with_what_had_no_ct(unverified: int, verdict: str) -> None:
    made = group_of(60, 20, unverified, Settings(bootstrap=0, verification="bounds"))
    assert made.together is not None
    assert made.together.verdict == verdict


@MANY
@given(st.integers(10, 200), st.floats(0, 1), st.integers(0, 300), st.sampled_from(["weighted", "bounds"]))
def test_a_verdict_is_one_that_every_rate_that_the_setting_allows_shares(n, share, u, setting) -> None:
    options = Settings(bootstrap=0, verification=setting)
    y = round(share * n)
    made, plain = group_of(n, y, u, options), group_of(n, y, 0, options)
    (rate,), (before,) = made.phrases, plain.phrases
    (verified,) = made.verification.rates
    assert plain.verification.rates[0].closed is False
    down, up = shifts(verified, options, "edema")
    held = True
    for moved in np.linspace(down, up, 41):
        if before.verdict == "matches":
            held &= verified.meaning_low - 1e-9 <= rate.rate + moved <= verified.meaning_high + 1e-9
        if before.verdict in ("stronger", "weaker"):
            held &= rate.high + moved < rate.meant_low + 1e-9 or rate.low + moved > rate.meant_high - 1e-9
    assert (rate.verdict == before.verdict) == held
    assert verified.closed == (not held)
    assert verified.verdict == rate.verdict
    bounds, range_ = (verified.lowest, verified.highest), (verified.meaning_low, verified.meaning_high)
    if setting == "bounds" and bounds[0] < range_[0] and range_[1] < bounds[1]:
        assert rate.verdict == "undecided"


def test_without_what_was_said_without_a_ct_nothing_is_claimed() -> None:
    options = Settings(bootstrap=0)
    r = group_of(50, 10, 0, options)
    (bare,) = with_verification([replace(r, verification=None)], {}, options)
    assert bare.verification is None
    assert ends_of_counts(bare, ["likely"], np.array([50.0]), np.array([10.0]), options) is None
    assert ends_of_counts(r, ["likely"], np.array([50.0]), np.array([10.0]), options) is None, "all had a CT"


def test_counts_that_advice_has_to_hold_for_lie_where_the_odds_put_them() -> None:
    options = Settings(bootstrap=0, ct_accuracy=("edema 0.9 0.95",))
    r = group_of(40, 10, 60, options)
    low, high = ends_of_counts(r, ["likely", "absent"], np.array([40.0, 7.0]), np.array([9.0, 1.0]), options)
    without = [c * (1 / 3) / (1 + c * (1 / 3)) for c in (1 / ODDS, ODDS)]
    moved = [(0.4 * 0.25 + 0.6 * q - 0.25) / 0.85 for q in without]
    assert (low[0], high[0]) == pytest.approx((9 + 40 * moved[0], 9 + 40 * moved[1]))
    assert (low[1], high[1]) == (1, 1)


# --- from tables of statements


def made_rows(rng: np.random.Generator, n: int = 3000) -> pd.DataFrame:
    """Statements of which some had a CT."""
    rows = pd.DataFrame(
        {
            "author": rng.choice(["A", "B"], n),
            "topic": rng.choice(["edema", "effusion"], n),
            "phrase": rng.choice(["likely", "Probable", "unlikely", "as it were"], n),
            "outcome": rng.random(n).round(1),
            "site": rng.choice(["north", "south", ""], n),
        }
    )
    rows["verified"] = rng.random(n) < np.where(rows["site"] == "north", 0.8, 0.2)
    return rows.assign(outcome=rows["outcome"].where(rows["verified"]))


def test_groups_are_what_a_count_of_their_rows_gives() -> None:
    rows, words = made_rows(np.random.default_rng(3)), load_lexicon()
    found = of_rows(rows, words.phrases, Settings())
    assert len(found) == 9
    name = {said: words.find(said) for said in rows["phrase"].unique()}
    known = rows[rows["phrase"].map(lambda said: name[said] is not None)]
    known = known.assign(phrase=known["phrase"].map(lambda said: name[said].name))
    for (author, topic), v in found.items():
        own = known[known["author"].isin(["A", "B"] if author.startswith("all") else [author])]
        own = own if topic == ALL_TOPICS else own[own["topic"] == topic]
        total = 0.0
        for r in v.rates:
            its = own[own["phrase"] == r.phrase]
            assert (r.said, r.judged) == (len(its), its["verified"].sum())
            assert r.positives == pytest.approx(its["outcome"].sum())
            by_site = its.groupby("site")["outcome"].mean() * its.groupby("site").size() / len(its)
            assert r.weighted.value == pytest.approx(by_site.sum())
            total += len(its) * r.weighted.value
        assert v.rate.value == pytest.approx(total / len(own))
        assert v.share.value == pytest.approx(own["verified"].mean())
        assert (v.n_reports, v.n_unread) == (0, 0)
    assert of_rows(rows.drop(columns="verified"), words.phrases, Settings()) == {}


@pytest.mark.parametrize(
    ("reports", "known"),
    [((100, 60, 0), True), ((100, 60, 5), True), ((100, 60, 6), False), ((100, 100, 0), False)],
)
def test_the_share_is_known_where_reports_without_a_ct_were_imported_and_read(reports, known: bool) -> None:
    cell = {"author": ["A"], "topic": ["edema"], "phrase": ["likely"], "stratum": [""]}
    said = Said(pd.DataFrame([reports], ["A"], ["all", "paired", "unread"]), pd.DataFrame(cell | {"n": [90]}))
    judged = pd.DataFrame(cell | {"outcome": [0.5], "n": [40]})
    v = verifications(said, judged, load_lexicon().phrases, 0.95)["A", "edema"]
    assert (v.n_reports, v.n_with_ct, v.n_unread) == reports
    assert (v.rate is not None) == (v.rates[0].weighted is not None) == known
    assert (v.rates[0].said, v.rates[0].judged, v.rates[0].lowest) == (90, 40, 20 / 90)


def test_json_has_what_was_said_of_each_group_and_phrase_or_null() -> None:
    options = Settings(bootstrap=0)
    found = of_rows(made_rows(np.random.default_rng(4)), load_lexicon().phrases, options)
    v = found["A", "edema"]
    r = replace(group_of(50, 10, 30, options), verification=v)
    known, unknown = to_json([r, replace(r, verification=None)])["groups"]
    assert unknown["verification"] is unknown["phrases"][0]["verification"] is None
    said, judged = (sum(getattr(w, name) for w in v.rates) for name in ("said", "judged"))
    assert known["verification"] == pytest.approx(
        {
            "said": said,
            "judged": judged,
            "share": judged / said,
            "share_low": v.share.low,
            "share_high": v.share.high,
            "rate": v.rate.value,
            "low": v.rate.low,
            "high": v.rate.high,
        }
    )
    word, (shown,) = next(w for w in v.rates if w.phrase == "likely"), known["phrases"]
    assert {name: shown["verification"][name] for name in ("said", "lowest", "highest", "rate", "closed")} == {
        "said": word.said,
        "lowest": word.lowest,
        "highest": word.highest,
        "rate": word.weighted.value,
        "closed": False,
    }
    percent = round(100 * judged / said)
    assert share_told(v, 12) == f"Of {said:g} statements, a CT within 12 hours decided on {judged:g} ({percent} %)."
    json.dumps(known, allow_nan=False)
