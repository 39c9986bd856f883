"""What the reference says of what is there: against Bayes' rule in loops and simulated readings of CT."""

import numpy as np
import pytest

from radcal.calibration.records import Mix, Tables
from radcal.calibration.reference import Reference, mixes_of, reduced
from radcal.calibration.reliability import measure
from radcal.calibration.resample import luck_draws
from radcal.system.errors import InputError
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.records import Phrase

OUTCOMES = np.array([0.0, 0.1, 0.3, 0.45, 0.6, 0.9, 1.0])
N = np.array([399.0, 40, 30, 20, 30, 40, 459])
REFERENCE = Reference.of(Mix(OUTCOMES, N))
PLAIN = Reference.of(Mix(np.array([0.0, 1.0]), np.array([70.0, 30.0])))


def test_answers_follow_bayes_rule() -> None:
    n = N + np.array([1, 0, 0, 0, 0, 0, 1])  # with one plain answer of each kind
    for j, p in enumerate(OUTCOMES):
        there = sum(n[i] * OUTCOMES[i] for i in range(7))
        assert REFERENCE.present[j] == pytest.approx(n[j] * p / there)
        assert REFERENCE.absent[j] == pytest.approx(n[j] * (1 - p) / (n.sum() - there))
    # A calibrated reader's outcome is the chance of the finding, given what was said.
    base = (n @ OUTCOMES) / n.sum()
    given = REFERENCE.present * base / (REFERENCE.present * base + REFERENCE.absent * (1 - base))
    assert given == pytest.approx(OUTCOMES)
    assert [Reference.of(Mix(OUTCOMES, N), *a).is_right for a in ((), (0.9, 1.0), (1.0, 0.9))] == [True, False, False]
    assert REFERENCE.expected == pytest.approx((REFERENCE.absent @ OUTCOMES, REFERENCE.present @ OUTCOMES))


def test_outcomes_of_0_and_1_are_the_truth() -> None:
    assert PLAIN.chances(0.3) == pytest.approx([0.7, 0.3])
    assert PLAIN.expected == (0, 1)
    drawn = luck_draws(1, 2, 40, PLAIN.outcomes, PLAIN.chances(0.3), 20_000)
    assert (drawn.mean(), drawn.var()) == pytest.approx((12, 8.4), rel=0.03)


def test_few_outcomes_stand_for_many() -> None:
    for certainty in (0.02, 0.3, 0.8):
        chances = REFERENCE.chances(certainty)
        outcomes, less = reduced(OUTCOMES, chances)
        assert len(outcomes) == 4
        assert ((outcomes >= 0) & (outcomes <= 1)).all()
        assert (less > 0).all()
        for power in range(4):
            assert less @ outcomes**power == pytest.approx(chances @ OUTCOMES**power)
    assert reduced(np.array([0.0, 0.3, 1.0]), np.array([0.25, 0, 0.75]))[0].tolist() == [1, 0], "the likeliest first"


@pytest.mark.parametrize("certainty", [0.05, 0.5, 0.9])
def test_luck_is_that_of_findings_read_one_by_one(certainty: float) -> None:
    reference = Reference.of(Mix(OUTCOMES, N), 0.9, 0.95)
    rng, draws, n = np.random.default_rng(3), 20_000, 12
    seen = np.where(rng.random((draws, n)) < certainty, rng.random((draws, n)) < 0.9, rng.random((draws, n)) < 0.05)
    said = np.where(
        seen,
        rng.choice(OUTCOMES, (draws, n), p=REFERENCE.present),
        rng.choice(OUTCOMES, (draws, n), p=REFERENCE.absent),
    ).sum(axis=1)
    drawn = luck_draws(1, 0, n, *reduced(OUTCOMES, reference.chances(certainty)), draws)
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        assert np.quantile(drawn, share) == pytest.approx(np.quantile(said, share), abs=0.2)
    assert drawn.mean() == pytest.approx(said.mean(), abs=0.05)
    absent, present = reference.expected
    assert said.mean() / n == pytest.approx(absent + (present - absent) * certainty, abs=0.005)


def test_errors_of_the_reference_are_taken_back() -> None:
    reference = Reference.of(Mix(np.array([0.0, 1.0]), np.array([1.0, 1.0])), 0.9, 0.8)
    n = np.array([100.0, 100.0, 100.0])
    there = np.array([30.0, 0.0, 100.0])
    seen = 0.9 * there + 0.2 * (n - there)
    assert reference.corrected(seen, n) == pytest.approx(there)
    assert reference.corrected(np.array([3.0, 99.0]), n[:2]).tolist() == [0, 100]


WORDS = (Phrase("absent", 0, 1, 0, 0), Phrase("unlikely", 2, 8, 0.05, 0.3), Phrase("likely", 8, 2, 0.7, 0.9))


def tables(counts: np.ndarray, topics: tuple[str, ...], mixes: dict[str, Mix] | None = None) -> Tables:
    groups = tuple((f"author {q}", topic) for q, topic in enumerate(topics))
    names = tuple(p.name for p in WORDS)
    return Tables(groups, names, ("no", "maybe", "yes"), counts, np.array([0, 0.4, 1]), mixes=mixes or {})


def test_a_group_is_judged_by_the_mix_of_its_topic_alone() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 30, (3, 3, 3)).astype(float)
    together = tables(counts, ("edema", "edema", "mass"))
    mixes = mixes_of(together)
    assert mixes["edema"].n.tolist() == counts[:2].sum(axis=(0, 1)).tolist()
    assert mixes[ALL_TOPICS].n.tolist() == counts.sum(axis=(0, 1)).tolist()
    settings = Settings(bootstrap=100)
    all_three = measure(together, WORDS, settings)
    (alone,) = measure(tables(counts[:1], ("edema",), mixes), WORDS, settings)
    (unaware,) = measure(tables(counts[:1], ("edema",)), WORDS, settings)
    assert alone.luck_word_mean == pytest.approx(all_three[0].luck_word_mean, abs=1e-6)
    assert alone.slope == pytest.approx(all_three[0].slope)
    assert unaware.luck_word_mean != pytest.approx(all_three[0].luck_word_mean, abs=1e-6)
    assert unaware.ece == pytest.approx(alone.ece)


def test_rates_and_verdicts_are_corrected_for_a_ct_that_errs() -> None:
    counts = np.zeros((1, 3, 3))
    counts[0, 1], counts[0, 2] = [150, 0, 50], [45, 0, 155]
    taken = Settings(bootstrap=200)
    errs = taken.changed(ct_accuracy=("edema 0.9 0.95",))
    (as_read,), (corrected,) = (measure(tables(counts, ("edema",)), WORDS, s) for s in (taken, errs))
    for before, after in zip(as_read.phrases, corrected.phrases, strict=True):
        assert after.rate == pytest.approx((before.rate - 0.05) / 0.85)
        assert after.low < after.rate < after.high
        assert after.high - after.low > before.high - before.low
        assert (after.n, after.positives) == (before.n, before.positives)
    assert corrected.word_error == pytest.approx((abs(0.2 / 0.85 - 0.2) + abs((0.775 - 0.05) / 0.85 - 0.8)) / 2)
    other = taken.changed(ct_accuracy=("mass 0.9 0.95", "all pathologies 1 1"))
    assert measure(tables(counts, ("edema",)), WORDS, other)[0].word_error == pytest.approx(as_read.word_error)


def test_more_than_such_a_ct_can_confirm_leaves_an_interval() -> None:
    counts = np.zeros((1, 3, 3))
    counts[0, 1], counts[0, 2] = [60, 0, 0], [0, 0, 60]
    (r,) = measure(tables(counts, ("edema",)), WORDS, Settings(bootstrap=50, ct_accuracy=("edema 0.8 0.8",)))
    none, all_of_them = r.phrases
    assert (none.rate, none.low) == (0, 0)
    assert 0 < none.high < 1
    assert (all_of_them.rate, all_of_them.high) == (1, 1)
    assert 0 < all_of_them.low < 1


@pytest.mark.parametrize("entry", ["edema", "edema 0.9", "0.9 0.9", "edema 0.5 0.5", "edema 1.2 0.9", "edema a b"])
def test_accuracies_that_say_nothing_are_refused(entry: str) -> None:
    with pytest.raises(InputError, match="ct_accuracy"):
        Settings(ct_accuracy=(entry,))
