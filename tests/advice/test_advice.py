"""From tables to advice and its JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from radcal.advice.advice import advise as advise_on
from radcal.advice.cost import cost_matrix
from radcal.advice.explore import Explorer
from radcal.advice.outlook import uses_until_advice
from radcal.advice.report import to_json
from radcal.calibration import model
from radcal.calibration.records import Part, Tables, Verification
from radcal.calibration.verified import verified_rates, with_verification
from radcal.system.errors import Cancelled, DataError, InputError
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.bins import bin_phrases
from radcal.words.phrases import load_lexicon
from radcal.words.records import Phrase

advise = partial(advise_on, spread=model.SHIPPED)
"""Of an author of whose department nothing is known."""
FAST = Settings()
SHIPPED = load_lexicon().phrases


OVERSTATED = {"likely": (200, 88), "absent": (100, 1), "maybe": (4, 1), "unlikely": (40, 4)}


@pytest.fixture
def overstated(lexicon, make_tables):
    """'likely' is confirmed in 44 %, plain "no" is right, 'maybe' is rare."""
    return make_tables(lexicon, edema=OVERSTATED)


def test_the_advice_that_is_due(lexicon, overstated):
    (advice,) = advise(*overstated, lexicon, FAST)
    assert (advice.author, advice.topic, advice.n, advice.solver) == ("Avery", "edema", 344, "ordered")
    assert [(r.source, r.target) for r in advice.recommendations] == [("likely", "may represent")]
    (recommended,) = advice.recommendations
    assert recommended.text == (
        "Your 'likely' overstated edema: CT confirmed 88 of 200 (44 %, 38-52). Readers take it as 67-91 %. 'May "
        "represent' would have been closer in these findings (over 99 % sure)."
    )
    assert recommended.sure > 0.999
    assert recommended.source_rate.positives == 88
    assert advice.agreeing == ("absent",)
    assert {w.phrase: w.reason for w in advice.withheld} == {
        "maybe": "4 uses; advice needs 10.",
        "unlikely": "No other word is nearer to what CT found.",
    }
    assert advice.summary == (
        "'Likely' overstated edema: CT confirmed 88 of 200 (44 %). Readers take it as 67-91 %. 'May represent' would "
        "have been closer (over 99 % sure). One word matched; one shows no clear difference."
    )
    assert advice.reason == ""
    assert {s.source for s in advice.plan} == {"likely", "absent", "unlikely"}
    assert all(s.sure >= 0.95 and s.share == 1 for s in advice.plan)
    assert advice.order_violations == 0
    assert advice.distinct_phrases == 4
    assert advice.train.n == advice.test.n == 172
    assert advice.test.word_error_after < 0.5 * advice.test.word_error_before
    assert advice.test.brier_after < advice.test.brier_before
    no, yes = overstated[0].counts[0].T
    np.testing.assert_array_equal(advice.cost, cost_matrix(no + yes, yes, bin_phrases(lexicon)))


def assert_alike(one, other):
    """The same advices, but for what the order of sums adds to the last digits, in single precision."""
    texts, figures = [], []
    for advices in (one, other):
        found = []
        texts.append(json.loads(json.dumps(to_json(advices)), parse_float=found.append))
        figures.append([float(digits) for digits in found])
    assert texts[0] == texts[1]
    assert figures[0] == pytest.approx(figures[1], rel=1e-6, abs=1e-6)


def targets_of(advice):
    return {r.source: r.target for r in advice.recommendations}


def why_not(advice):
    return {w.phrase: w.reason for w in advice.withheld}


def test_a_change_within_one_range_is_not_advised(make_tables):
    """'Highly suggestive of' would be closer, and readers take both words as 90-100 %."""
    given = make_tables(SHIPPED, edema={"consistent with": (4000, 3600), "absent": (100, 1)})
    (advice,) = advise(*given, SHIPPED, FAST)
    assert not advice.recommendations
    assert why_not(advice)["consistent with"] == (
        "'Highly suggestive of' is nearer, but readers take both words alike (90-100 %)."
    )
    apart = tuple(replace(p, low=0.85) if p.name == "consistent with" else p for p in SHIPPED)
    (advice,) = advise(*make_tables(apart, edema={"consistent with": (4000, 3600), "absent": (100, 1)}), apart, FAST)
    assert targets_of(advice) == {"consistent with": "highly suggestive of"}


def test_a_word_that_goes_little_of_the_way_is_not_advised(make_tables):
    """'Suspicious for' at 29 %: 'suggestive of' is surely nearer, and says all but the same."""
    given = make_tables(SHIPPED, infection={"suspicious for": (24, 7), "absent": (30, 0)})
    (advice,) = advise(*given, SHIPPED, FAST.changed(allowed_phrases=("suggestive of",)))
    assert not advice.recommendations
    assert why_not(advice)["suspicious for"] == "No other word is near enough to be worth a change."
    (advice,) = advise(*make_tables(SHIPPED, infection={"suspicious for": (170, 64), "absent": (30, 0)}), SHIPPED, FAST)
    assert targets_of(advice) == {"suspicious for": "may represent"}


@pytest.mark.parametrize(
    ("plain", "confirmed", "over_the_middle"),
    [
        ("absent", 10, {"suggestive of", "probably", "likely"}),
        ("present", 12, {"may represent", "possibly", "unlikely"}),
    ],
)
def test_a_plain_statement_never_becomes_a_word_that_says_rather_the_opposite(
    make_tables, plain, confirmed, over_the_middle
):
    (advice,) = advise(*make_tables(SHIPPED, edema={plain: (22, confirmed), "possibly": (20, 6)}), SHIPPED, FAST)
    assert not over_the_middle & set(targets_of(advice).values())
    assert plain in {*targets_of(advice), *why_not(advice)}
    only = FAST.changed(allowed_phrases=tuple(over_the_middle))
    (advice,) = advise(*make_tables(SHIPPED, edema={plain: (22, confirmed), "possibly": (20, 6)}), SHIPPED, only)
    assert plain not in targets_of(advice)
    assert why_not(advice)[plain] == "Only words that say rather the opposite are nearer to what CT found."


def test_where_ct_contradicts_most_plain_statements_no_word_is_the_answer(make_tables):
    for plain, confirmed in (("absent", 13), ("present", 9)):
        (advice,) = advise(*make_tables(SHIPPED, edema={plain: (22, confirmed), "possibly": (20, 6)}), SHIPPED, FAST)
        assert plain not in targets_of(advice)
        assert why_not(advice)[plain] == "CT contradicts most of these: look at the cases."


def test_words_that_are_read_only_are_not_advised_unless_the_department_ticks_them(make_tables):
    given = make_tables(SHIPPED, edema={"possibly": (1000, 205), "absent": (100, 1)})
    (advice,) = advise(*given, SHIPPED, FAST)
    assert not advice.recommendations
    (advice,) = advise(*given, SHIPPED, FAST.changed(allowed_phrases=("maybe", "likely")))
    assert targets_of(advice) == {"possibly": "maybe"}


def test_a_transport_plan_advises_no_word_that_is_read_only_or_means_the_same_range(make_tables):
    uses = {
        "possibly": (300, 62),
        "maybe": (300, 62),
        "consistent with": (300, 268),
        "highly suggestive of": (300, 280),
    }
    ranges = {p.name: (p.low, p.high) for p in SHIPPED}
    unadvised = {p.name for p in SHIPPED if not p.advised}
    for settings, target in (
        (FAST.changed(solver="paper"), None),
        (FAST, {"possibly": 1.0, "highly suggestive of": 1.0}),
    ):
        (advice,) = advise(*make_tables(SHIPPED, edema=uses), SHIPPED, settings, target_use=target)
        assert all(ranges[a] != ranges[b] for a, b in targets_of(advice).items())
        assert not unadvised & set(targets_of(advice).values())
        assert set(uses) <= {*targets_of(advice), *why_not(advice), *advice.agreeing}


def test_on_a_descriptor_no_word_is_advised_unless_the_department_says_so(lexicon, make_tables):
    given = make_tables(lexicon, opacity=OVERSTATED)
    (advice,) = advise(*given, lexicon, FAST)
    reason = "Opacity describes what the film shows, and CT names its cause: no other word is advised."
    assert not advice.recommendations
    assert advice.reason == reason
    assert advice.summary == reason
    assert why_not(advice) == {"likely": reason, "unlikely": reason, "maybe": "4 uses; advice needs 10."}
    assert Explorer(given[0], given[1][0], lexicon).case(FAST).derived().advice.reason == reason
    (need,) = (x for x in uses_until_advice(given[0], given[1][0], advice, lexicon, FAST) if x.phrase == "likely")
    assert (need.more, need.target) == (None, "")
    (advice,) = advise(*given, lexicon, FAST.changed(descriptor_advice="given"))
    assert targets_of(advice) == {"likely": "may represent"}


def test_results_depend_on_the_seed_and_on_nothing_else(lexicon, make_tables, draw):
    topics = {f"topic_{i}": draw(lexicon, 150, lambda m: m**2, seed=i) for i in range(3)}
    all_of_them = advise(*make_tables(lexicon, **topics), lexicon, FAST, spread=model.SHIPPED)
    alone = advise(*make_tables(lexicon, topic_1=topics["topic_1"]), lexicon, FAST, spread=model.SHIPPED)
    again = advise(*make_tables(lexicon, topic_1=topics["topic_1"]), lexicon, FAST, spread=model.SHIPPED)
    assert to_json(alone, {}) == to_json(again, {})
    assert_alike(alone, all_of_them[1:2])
    other = advise(*make_tables(lexicon, topic_1=topics["topic_1"]), lexicon, FAST.changed(seed=1))
    assert other[0].test != alone[0].test


def test_both_solvers_are_judged_on_the_same_half(lexicon, overstated):
    (ordered,) = advise(*overstated, lexicon, FAST)
    (paper,) = advise(*overstated, lexicon, FAST.changed(solver="paper"))
    assert paper.solver == "paper"
    assert paper.test.ece_before == ordered.test.ece_before
    assert paper.train.brier_before == ordered.train.brier_before


def test_phrases_of_the_tables_may_be_part_of_the_lexicon_in_another_order(lexicon, overstated, make_tables):
    said = [p for p in reversed(lexicon) if p.name in OVERSTATED]
    assert_alike(advise(*make_tables(said, edema=OVERSTATED), lexicon, FAST), advise(*overstated, lexicon, FAST))


def test_there_is_no_advice_over_pathologies_that_differ(lexicon, make_tables):
    tables, (alone,) = make_tables(lexicon, edema=OVERSTATED)
    group, mass = ("Avery", ALL_TOPICS), Part("mass", 100.0, 0.4, False)
    apart = [(), (Part("edema", 200.0, 0.99, True, "absent"), mass), (Part("edema", 200.0, 0.99, True, "likely"), mass)]
    made = [replace(alone, topic=ALL_TOPICS, parts=parts) for parts in apart]
    advised, of_plain_words, withheld = (advise(replace(tables, groups=(group,)), [r], lexicon, FAST)[0] for r in made)
    assert advised.recommendations
    assert of_plain_words.recommendations == advised.recommendations
    assert not withheld.recommendations
    assert withheld.reason == "Edema differs from the others; see each one."
    assert withheld.summary.startswith("'Likely' overstated findings of any kind: CT confirmed")
    differing = {p.phrase for p in alone.phrases if p.differs}
    assert differing <= {w.phrase for w in withheld.withheld}
    (paper,) = advise(replace(tables, groups=(group,)), made[2:], lexicon, FAST.changed(solver="paper"))
    assert paper.plan


@pytest.mark.parametrize(
    ("topic", "plain", "others", "advised"),
    [
        ("opacity", (60, 49), (9, 9), False),  # what is said of all would rest on a descriptor
        ("opacity", (60, 49), (30, 30), False),
        ("opacity", (20, 16), (60, 49), True),  # and is said where it holds without one
        ("mass", (60, 49), (9, 9), True),
    ],
)
def test_advice_over_all_pathologies_rests_on_those_with_advice(lexicon, make_tables, topic, plain, others, advised):
    tables, (r,) = make_tables(lexicon, **{topic: {"present": plain}})
    (own,) = advise(tables, [r], lexicon, FAST)
    both = {"present": (plain[0] + others[0], plain[1] + others[1]), "absent": (40, 0)}
    tables, (alone,) = make_tables(lexicon, whole=both)
    together = replace(tables, groups=(("Avery", ALL_TOPICS),)), [replace(alone, topic=ALL_TOPICS)], lexicon, FAST
    (advice,) = advise(*together, parts=[(r, own)])
    assert [made.source for made in advice.recommendations] == (["present"] if advised else [])
    for made in advice.recommendations:
        assert made.share == 1 > made.sure >= FAST.sure
        rest = f"Without opacity it is {100 * others[1] / others[0]:.0f} % of {others[0]}."
        assert made.text.replace("\N{NO-BREAK SPACE}", " ").endswith(rest) is (topic == "opacity")


def test_too_few_findings_are_no_advice(lexicon, make_tables):
    (advice,) = advise(
        *make_tables(lexicon, edema={"likely": (10, 4), "absent": (5, 0), "unlikely": (2, 0)}), lexicon, FAST
    )
    assert advice.reason == advice.summary == "17 findings; advice needs 30."
    assert advice.train is None
    assert advice.plan == ()
    assert [(w.phrase, w.reason) for w in advice.withheld] == [
        ("likely", "17 findings; advice needs 30."),
        ("absent", "5 uses; advice needs 10."),
        ("unlikely", "2 uses; advice needs 10."),
    ]
    assert to_json([advice], {})["groups"][0]["test"]["ece_after"] is None


def test_words_that_match_need_no_advice(lexicon, make_tables):
    (advice,) = advise(*make_tables(lexicon, edema={"likely": (200, 158), "absent": (300, 1)}), lexicon, FAST)
    assert advice.reason == "Every word that was used enough matched what CT found."
    assert set(advice.agreeing) == {"likely", "absent"}
    assert advice.withheld == ()
    (few,) = advise(*make_tables(lexicon, edema={"likely": (40, 30)}), lexicon, FAST)
    assert few.reason == "No word clearly differs from what CT found."
    assert few.agreeing == ()
    assert few.test.word_error_before == few.test.word_error_after


def test_words_too_rare_for_advice(lexicon, make_tables):
    n = np.full(len(lexicon), 4.0)
    (advice,) = advise(*make_tables(lexicon, edema=(n, n / 2)), lexicon, FAST)
    assert advice.reason == "No word was used the 10 times that advice needs."
    assert len(advice.withheld) == len(lexicon)
    assert advice.distinct_phrases == len(lexicon)


def test_where_no_word_may_change_the_words_that_differ_are_named(lexicon, overstated):
    (advice,) = advise(*overstated, lexicon, FAST.changed(allowed_phrases=("present",)))
    assert advice.plan == ()
    assert advice.reason == ("No closer word is known for 'likely'. No allowed word is nearer to what CT found.")
    reasons = {w.phrase: w.reason for w in advice.withheld}
    assert reasons["likely"] == "No allowed word is nearer to what CT found."


GUARDED = [
    ({"allowed_phrases": ("present",)}, "No allowed word is nearer to what CT found."),
    ({"allowed_phrases": ("possibly",), "max_steps": 3}, "The nearer words are more than 3 steps away."),
    ({"sure": 0.999, "allowed_phrases": ("possibly",)}, "'Possibly' may be nearer, but that is only "),
]


@pytest.mark.parametrize(("changes", "reason"), GUARDED)
def test_a_withheld_word_has_the_reason_of_the_guard_that_closed_the_last_word(lexicon, make_tables, changes, reason):
    """'likely' at 46 %: nearer are the words from 'possibly' (29 %) up to 'suggestive of' (62 %) and 'probably'."""
    tables = make_tables(lexicon, edema={"likely": (200, 92), "absent": (100, 0)})
    (advice,) = advise(*tables, lexicon, FAST.changed(**changes))
    (withheld,) = [w for w in advice.withheld if w.phrase == "likely"]
    assert withheld.reason.startswith(reason)


def test_a_word_that_means_the_rate_comes_before_a_narrower_one_beside_it(make_tables):
    """At 29 %, 'unlikely' (5-25 %) has the lower Brier score, and 'possibly' (5-75 %) is what a reader would say."""
    (advice,) = advise(*make_tables(SHIPPED, mass={"likely": (100, 29)}), SHIPPED, FAST)
    assert [(r.source, r.target) for r in advice.recommendations] == [("likely", "possibly")]


def test_a_word_is_withheld_where_it_would_change_places_with_another(lexicon, make_tables):
    """Of two words that are to change, the stronger is never given the weaker one: what is said more often decides."""
    uses = {"possibly": (80, 60), "may represent": (60, 8), "absent": (30, 0)}
    tables = make_tables(lexicon, edema=uses)
    (advice,) = advise(*tables, lexicon, FAST)
    assert [(r.source, r.target) for r in advice.recommendations] == [("possibly", "likely")]
    (withheld,) = [w for w in advice.withheld if w.phrase == "may represent"]
    assert withheld.reason == "With a nearer word, it would swap places with another word that is to change."
    tables = make_tables(lexicon, edema=uses | {"possibly": (80, 24)})
    (advice,) = advise(*tables, lexicon, FAST)
    assert [r.source for r in advice.recommendations] == ["may represent"]


def test_no_word_is_proposed_that_is_far_from_what_ct_showed(make_tables):
    """A plain statement confirmed in 2 of 60 may become none that is said of 73 %: somebody has to look."""
    uses = {"present": (60, 2), "likely": (30, 22)}
    (advice,) = advise(*make_tables(SHIPPED, edema=uses), SHIPPED, FAST)
    assert advice.recommendations == ()
    assert advice.plan == ()
    reasons = {w.phrase: w.reason for w in advice.withheld}
    assert reasons["present"] == "CT says nearly the opposite: look at the cases."
    assert advice.reason == ("No closer word is known for 'present'. CT says nearly the opposite: look at the cases.")
    (advice,) = advise(
        *make_tables(SHIPPED, edema={"likely": (60, 20)}), SHIPPED, FAST.changed(allowed_phrases=("probably",))
    )
    (withheld,) = advice.withheld
    assert withheld.reason == "Even the nearest word is far from what CT found: look at the cases."


def test_what_gains_most_is_told_first(lexicon, make_tables, monkeypatch):
    """100 statements that come 68 points nearer before 900 that come 6 points nearer."""
    _planned(monkeypatch, lexicon, **{"very unlikely": {"unlikely": 1}, "likely": {"unlikely": 1}})
    (advice,) = advise(*make_tables(lexicon, edema={"very unlikely": (900, 81), "likely": (100, 9)}), lexicon, FAST)
    assert [(r.source, r.target) for r in advice.recommendations] == [
        ("likely", "unlikely"),
        ("very unlikely", "unlikely"),
    ]


def test_a_target_use_is_reached(lexicon, overstated):
    use = {"absent": 100, "unlikely": 40, "may represent": 200, "maybe": 4}
    (advice,) = advise(*overstated, lexicon, FAST, target_use=use)
    said = {(s.source, s.target): s.share for s in advice.plan}
    assert said["likely", "may represent"] > 0.95
    assert [r.source for r in advice.recommendations] == ["likely"]


@pytest.mark.parametrize("total", [1.0, 0.01, 1e6])
def test_a_target_use_may_be_given_in_shares_or_in_any_other_scale(lexicon, overstated, total):
    counts = {"absent": 100, "unlikely": 40, "may represent": 200, "maybe": 4}
    scaled = {word: use * total / sum(counts.values()) for word, use in counts.items()}
    (one,), (other,) = (advise(*overstated, lexicon, FAST, target_use=use) for use in (counts, scaled))
    assert {(s.source, s.target): s.share for s in other.plan} == pytest.approx(
        {(s.source, s.target): s.share for s in one.plan}, abs=1e-9
    )
    assert [r.text for r in other.recommendations] == [r.text for r in one.recommendations]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"perhaps": 1.0}, "'perhaps' of the target use is not in the lexicon"),
        ({"likely": -1.0}, "must be a number"),
        ({"likely": float("nan")}, "must be a number"),
        ({"likely": 0.0}, "is 0 for all phrases"),
        ({}, "is 0 for all phrases"),
    ],
)
def test_target_uses_that_are_none_are_refused(lexicon, overstated, target, message):
    with pytest.raises(InputError, match=message):
        advise(*overstated, lexicon, FAST, target_use=target)


def test_unknown_words_are_refused(lexicon, overstated):
    tables, reliabilities = overstated
    with pytest.raises(InputError, match="allowed phrase 'perhaps'"):
        advise(tables, reliabilities, lexicon, FAST.changed(allowed_phrases=("perhaps",)))
    with pytest.raises(DataError, match="'likely' has statements but no meaning"):
        advise(tables, reliabilities, lexicon[1:], FAST)
    with pytest.raises(DataError, match="no reliability for 'Avery' on 'edema'"):
        advise(tables, (), lexicon, FAST)


def test_fractional_outcomes_and_shared_cells(lexicon, overstated):
    """Outcomes on a grid, statements shared between neighbouring steps: the same numbers, nearly the same advice."""
    tables, reliabilities = overstated
    no, yes = tables.counts[0].T
    between = 0.6 * (no + yes > 0)
    counts = np.stack([no - between, between, yes], axis=1)[None]
    shared = Tables(tables.groups, tables.phrases, ("0", "0.01", "1"), counts, np.array([0.0, 0.01, 1.0]))
    (advice,) = advise(shared, reliabilities, lexicon, FAST)
    assert [(r.source, r.target) for r in advice.recommendations] == [("likely", "may represent")]
    assert advice.n == 344


def test_published_plans_leave_rare_phrases_to_the_withheld(lexicon, make_tables, draw):
    n, y = draw(lexicon, 300, lambda m: 0.55 * m, seed=1, spread=0.7)
    (advice,) = advise(*make_tables(lexicon, edema=(n, y)), lexicon, FAST.changed(solver="paper"))
    rare = {p.name for p, uses in zip(lexicon, n, strict=True) if 0 < uses < 10}
    assert rare
    assert rare == {w.phrase for w in advice.withheld if "uses" in w.reason or "use;" in w.reason}
    assert not rare & {s.source for s in advice.plan}
    for source in {s.source for s in advice.plan}:
        assert sum(s.share for s in advice.plan if s.source == source) == pytest.approx(1)


def test_progress_is_told_and_work_can_be_stopped(lexicon, overstated, onlooker):
    progress = onlooker()
    advise(*overstated, lexicon, FAST, progress)
    assert (progress.total, progress.told) == (1, ["Working out advice"])
    assert (progress.done, progress.notes) == (1, ["Avery - edema"])
    with pytest.raises(Cancelled):
        advise(*overstated, lexicon, FAST, onlooker(looks=0))


def test_json_has_the_agreed_shape_and_is_strict(lexicon, overstated):
    (advice,) = advise(*overstated, lexicon, FAST)
    advice = replace(advice, test=replace(advice.test, brier_after=float("nan")))
    result = to_json([advice], {"seed": 0, "settings": FAST.to_dict()})
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    (group,) = result["groups"]
    names = "author topic pooled n train test order_violations distinct_phrases plan advised withheld"
    assert list(group)[:11] == names.split()
    measures = [f"{score}_{when}" for score in ("ece", "brier", "word_error") for when in ("before", "after")]
    assert list(group["train"]) == list(group["test"]) == measures
    assert group["test"]["brier_after"] is None
    assert {"from", "to", "share", "n", "sure"} == set(group["plan"][0])
    rate = advice.recommendations[0].source_rate
    assert group["advised"] == [
        {
            "from": "likely",
            "to": "may represent",
            "n": 200,
            "rate": 0.44,
            "low": rate.low,
            "high": rate.high,
            "sure": advice.recommendations[0].sure,
            "expected": rate.expected,
        }
    ]
    assert group["baselines"] is None
    assert {"phrase": "maybe", "reason": "4 uses; advice needs 10."} in group["withheld"]
    assert group["n"] == 344
    assert group["recommendations"] == [advice.recommendations[0].text.replace("Your 'likely'", "'Likely'")]
    assert result["seed"] == 0


def test_json_tells_of_every_word_that_was_said_what_became_of_it(lexicon, overstated):
    """Advised, matching or withheld with its reason: there is no fourth."""
    few, none, some = (
        to_json(advise(*overstated, lexicon, FAST.changed(**changes)))["groups"][0]
        for changes in ({"min_group_n": 1000}, {"allowed_phrases": ("present",)}, {})
    )
    said = {"absent", "unlikely", "maybe", "likely"}
    assert {w["phrase"]: w["reason"] for w in few["withheld"]}["likely"] == few["reason"]
    for group in (few, none, some):
        advised = {p["from"] for p in group["advised"]}
        assert advised == {p["from"] for p in group["plan"] if p["from"] != p["to"]}
        assert advised | set(group["agreeing"]) | {w["phrase"] for w in group["withheld"]} == said


@pytest.mark.parametrize(
    "changes",
    [
        {"n_bins": 2},
        {"n_bins": 17},
        {"n_bins": 1000},
        {"method": "midpoint"},
        {"solver": "paper", "tau2": 1e-3},
        {"solver": "paper", "tau2": 10.0},
        {"solver": "paper", "method": "midpoint", "n_bins": 10},
        {"max_steps": 1},
        {"sure": 0.5},
        {"min_phrase_n": 1, "min_group_n": 1},
    ],
)
def test_every_setting_gives_whole_advice(lexicon, make_tables, draw, changes):
    topics = {"small": draw(lexicon, 12, lambda m: m / 2, 1), "large": draw(lexicon, 700, lambda m: m / 2, 2)}
    for advice in advise(*make_tables(lexicon, **topics), lexicon, FAST.changed(**changes)):
        assert advice.summary
        assert bool(advice.plan) == bool(advice.recommendations) == (advice.reason == "")
        shares: dict[str, float] = {}
        for s in advice.plan:
            shares[s.source] = shares.get(s.source, 0) + s.share
        assert all(share == pytest.approx(1) for share in shares.values())
        if changes.get("solver") != "paper":
            assert advice.order_violations == 0
        json.dumps(to_json([advice]), allow_nan=False)


def test_a_plain_no_that_is_mostly_right_becomes_a_mild_word(make_tables):
    uses = {"absent": (60, 9), "likely": (60, 46)}
    (advice,) = advise(*make_tables(SHIPPED, edema=uses), SHIPPED, FAST)
    (shown,) = [r for r in advice.recommendations if r.source == "absent"]
    assert shown.target in ("unlikely", "question of")
    assert shown.text.startswith("You ruled out edema 60 times; CT showed it in 9 (15 %, ")


def test_a_hedging_ct_is_said_where_it_counts_in_part(lexicon, overstated):
    tables, reliabilities = overstated
    no, yes = tables.counts[0].T
    hedged = 7.0 * (no + yes > 50)
    counts = np.stack([no - hedged, hedged, yes], axis=1)[None]
    shared = Tables(tables.groups, tables.phrases, ("no", "maybe", "yes"), counts, np.array([0.0, 0.2, 1.0]))
    rates = tuple(
        r._replace(positives=r.positives + 1.4, rate=(r.positives + 1.4) / r.n) if r.n > 50 else r
        for r in reliabilities[0].phrases
    )
    (advice,) = advise(shared, (replace(reliabilities[0], phrases=rates),), lexicon, FAST)
    (shown,) = advice.recommendations
    assert "confirmed about 89 of 200 (45 %" in shown.text


@pytest.mark.parametrize(("least", "reason"), [(344, ""), (345, "344 findings; advice needs 345.")])
def test_as_many_findings_as_advice_needs_are_enough(lexicon, overstated, least, reason):
    (advice,) = advise(*overstated, lexicon, FAST.changed(min_group_n=least))
    assert advice.reason == reason


def _planned(monkeypatch, lexicon, **rows):
    """Every fit gives this plan: phrase, then the words to say instead with their shares; other words stay."""
    names = [p.name for p in lexicon]
    plan = np.eye(len(names))
    for source, shares in rows.items():
        plan[names.index(source)] = [shares.get(name, 0.0) for name in names]
    monkeypatch.setattr("radcal.advice.advice.make_solver", lambda *_: lambda n, _y: np.tile(plan, (len(n), 1, 1)))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_told_is_the_plan(make_tables, draw, seed):
    """Whatever was said and found, nothing is planned and not told."""
    rng = np.random.default_rng(seed)
    stray = rng.uniform(-0.4, 0.4, len(SHIPPED))
    n, y = draw(SHIPPED, 900, lambda m: np.clip(m + stray, 0, 1), seed=seed, spread=0.8)
    (advice,) = advise(*make_tables(SHIPPED, edema=(n, y)), SHIPPED, FAST)
    said = {s.source: s.target for s in advice.plan}
    assert {(r.source, r.target) for r in advice.recommendations} == {(a, b) for a, b in said.items() if a != b}
    assert all(r.sure >= FAST.sure for r in advice.recommendations)
    differing = {r.phrase for r in advise_rates(make_tables, n, y) if r.differs}
    assert differing <= {r.source for r in advice.recommendations} | {w.phrase for w in advice.withheld}


def advise_rates(make_tables, n, y):
    """The rates of the words."""
    return make_tables(SHIPPED, edema=(n, y))[1][0].phrases


def test_what_brings_most_statements_closer_is_told_first(lexicon, make_tables):
    for likely, unlikely, first in (((400, 176), (60, 30), "likely"), ((60, 26), (400, 200), "unlikely")):
        uses = {"likely": likely, "unlikely": unlikely, "absent": (60, 0)}
        (advice,) = advise(*make_tables(lexicon, edema=uses), lexicon, FAST)
        assert {r.source for r in advice.recommendations} == {"likely", "unlikely"}
        assert advice.recommendations[0].source == first


@pytest.mark.parametrize(("share", "words"), [(0.002, 4), (0.0025, 5), (0.003, 5)])
def test_a_word_is_in_use_if_half_a_statement_is_worded_with_it(lexicon, overstated, monkeypatch, share, words):
    """'likely' was said 200 times: of its shares, 0.002 is 0.4 of a statement, 0.0025 half of one, 0.003 is 0.6."""
    _planned(monkeypatch, lexicon, likely={"may represent": 1 - share, "probably": share})
    (advice,) = advise(*overstated, lexicon, FAST)
    assert advice.distinct_phrases == words  # with "absent", "unlikely", and "maybe", which is too rare to change


def test_hundreds_of_words_are_advised_on_and_may_be_stopped(make_tables, onlooker):
    """In parts: what lies between all words at once would not fit into memory, nor stop."""
    means = (np.arange(300) + 0.5) / 300
    words = tuple(
        Phrase(f"word {i}", 8 * m, 8 * (1 - m), max(0, m - 0.1), min(1, m + 0.1)) for i, m in enumerate(means)
    )
    n = np.full(300, 20.0)
    tables = make_tables(words, edema=(n, np.round(n * (0.5 + (means - 0.5) / 2))))
    waiting = onlooker()
    (advice,) = advise(*tables, words, FAST, waiting)
    assert len(advice.withheld) + len(advice.recommendations) + len(advice.agreeing) == 300
    assert waiting.looks > 12
    with pytest.raises(Cancelled):
        advise(*tables, words, FAST, onlooker(looks=8))


@pytest.mark.parametrize("solver", ["ordered", "paper"])
def test_the_errors_of_the_ct_are_taken_off_before_advice_is_made(lexicon, make_tables, solver):
    """A CT that takes 2 of 10 for absent: 88 of 200 are 110, and a plan and its trial go by that."""
    accurate, found = make_tables(lexicon, edema={"likely": (200, 110), "absent": (100, 0)})
    erring, raw = make_tables(lexicon, edema={"likely": (200, 88), "absent": (100, 0)})
    settings = FAST.changed(solver=solver)
    (right,) = advise(accurate, found, lexicon, settings)
    (corrected,) = advise(erring, raw, lexicon, settings.changed(ct_accuracy=("edema 0.8 1",)))
    np.testing.assert_allclose(corrected.cost, right.cost)
    rates = tuple(r._replace(rate=0.55) if r.phrase == "likely" else r for r in raw[0].phrases)
    (told,) = advise(erring, (replace(raw[0], phrases=rates),), lexicon, settings.changed(ct_accuracy=("edema 0.8 1",)))
    for r in told.recommendations:
        assert "confirmed 88 of 200 (55 % when CT's own errors are allowed for, " in r.text
    assert len(told.recommendations) == (solver == "ordered")
    assert [(s.source, s.target, s.share) for s in corrected.plan] == [
        (s.source, s.target, pytest.approx(s.share)) for s in right.plan
    ]
    assert corrected.test.brier_before == pytest.approx(right.test.brier_before, abs=0.01)
    changes = {"likely": {"possibly": 1.0}}
    asked = [Explorer(*one, lexicon) for one in ((accurate, found[0]), (erring, raw[0]))]
    one = asked[0].what_if(settings.changed(bootstrap=5), changes)
    other = asked[1].what_if(settings.changed(bootstrap=5, ct_accuracy=("edema 0.8 1",)), changes)
    assert (other.brier.before, other.brier.after) == pytest.approx((one.brier.before, one.brier.after))


def test_advice_holds_with_reading_errors_as_well(lexicon, overstated):
    """'Likely' is confirmed in 44 %: with errors of reading it may be much more, or not."""
    tables, (reliability,) = overstated

    def carried(low: float, high: float) -> tuple[list[str], str]:
        rates = tuple(
            p._replace(read_rate=(low + high) / 2, read_low=low, read_high=high)
            if p.phrase == "likely"
            else p._replace(read_rate=p.rate, read_low=p.low, read_high=p.high)
            for p in reliability.phrases
        )
        (advice,) = advise(tables, [replace(reliability, phrases=rates)], lexicon, FAST)
        why = next((w.reason for w in advice.withheld if w.phrase == "likely"), "")
        return [r.target for r in advice.recommendations], why

    (plain,) = advise(*overstated, lexicon, FAST)
    assert carried(0.37, 0.51)[0] == [r.target for r in plain.recommendations] == ["may represent"]
    targets, why = carried(0.3, 0.9)
    assert targets == []
    assert "may be nearer, but that is only " in why


def test_advice_holds_for_all_that_was_said_with_and_without_a_ct(lexicon, overstated):
    """'Likely' is confirmed in 44 %, and all others of it may be so, too, or more."""
    tables, (reliability,) = overstated
    n, y = np.array([[p.n, p.positives] for p in reliability.phrases]).T
    words = {p.name: p for p in lexicon}

    def told(without: float, setting: str) -> tuple[list[str], str]:
        rates = verified_rates([words[p.phrase] for p in reliability.phrases], n, y, without * n, 0.95)
        known = {("Avery", reliability.topic): Verification("Avery", reliability.topic, rates)}
        options = FAST.changed(verification=setting)
        (advice,) = advise(tables, with_verification([reliability], known, options), lexicon, options)
        why = next((w.reason for w in advice.withheld if w.phrase == "likely"), "")
        return [r.target for r in advice.recommendations], why

    for setting in ("weighted", "bounds"):
        assert told(0, setting)[0] == told(0.05, setting)[0] == ["may represent"]
    assert told(0.3, "weighted")[0] == ["may represent"]
    assert told(20, "weighted")[0] == ["suggestive of"], "nearer whether 28 % or 61 % of all are confirmed"
    why = "Only 200 of 600 such findings had a CT: the others may turn this round."
    assert told(2, "bounds") == ([], why)
