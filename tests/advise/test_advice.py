"""From tables to advice and its JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from radcal.advise import advise, cost_matrix, to_json
from radcal.advise.advice import Case
from radcal.errors import Cancelled, DataError, InputError
from radcal.lexicon.bins import bin_phrases
from radcal.lexicon.phrases import load_lexicon
from radcal.progress import SILENT, Silent
from radcal.records import Tables
from radcal.settings import Settings

FAST = Settings(advice_fits=20)
SHIPPED = load_lexicon().phrases


OVERSTATED = {"likely": (200, 88), "absent": (100, 1), "maybe": (4, 1), "unlikely": (40, 4)}


@pytest.fixture
def overstated(lexicon, make_tables):
    """'likely' is confirmed in 44 %, plain "no" is right, 'maybe' is rare."""
    return make_tables(lexicon, edema=OVERSTATED)


def test_the_advice_that_is_due(lexicon, overstated):
    (advice,) = advise(*overstated, lexicon, FAST)
    assert (advice.author, advice.topic, advice.n, advice.solver) == ("Avery", "edema", 344, "joint")
    assert [(r.source, r.target) for r in advice.recommendations] == [("likely", "may represent")]
    (recommended,) = advice.recommendations
    assert recommended.text == (
        "When you wrote 'likely' for edema, CT confirmed it in 88 of 200 (44 %, 37-51 %). "
        "Readers take 'likely' as 67-91 %. 'May represent' would have matched."
    )
    assert recommended.stability == 1
    assert recommended.source_rate.positives == 88
    assert advice.agreeing == ("absent", "unlikely")
    assert [(w.phrase, w.reason) for w in advice.withheld] == [("maybe", "4 uses; advice needs 10.")]
    assert advice.summary == "For edema, 'likely' was stronger than CT supported; 2 other words matched."
    assert advice.reason == ""
    assert {s.source for s in advice.plan} == {"likely", "absent", "unlikely"}
    assert all(0 <= s.sure <= 1 and s.share == 1 for s in advice.plan)
    assert advice.order_violations == 0
    assert advice.distinct_phrases == 4
    assert advice.train.n + advice.test.n == 344
    assert advice.test.ece_after < 0.7 * advice.test.ece_before
    no, yes = overstated[0].counts[0].T
    np.testing.assert_array_equal(advice.cost, cost_matrix(no + yes, yes, bin_phrases(lexicon)))


def test_results_depend_on_the_seed_and_on_nothing_else(lexicon, make_tables, draw):
    topics = {f"topic_{i}": draw(lexicon, 150, lambda m: m**2, seed=i) for i in range(3)}
    all_of_them = advise(*make_tables(lexicon, **topics), lexicon, FAST)
    alone = advise(*make_tables(lexicon, topic_1=topics["topic_1"]), lexicon, FAST)
    again = advise(*make_tables(lexicon, topic_1=topics["topic_1"]), lexicon, FAST)
    assert to_json(alone, {}) == to_json(again, {}) == to_json(all_of_them[1:2], {})
    other = advise(*make_tables(lexicon, topic_1=topics["topic_1"]), lexicon, FAST.changed(seed=1))
    assert other[0].test != alone[0].test


def test_both_solvers_are_judged_on_the_same_half(lexicon, overstated):
    (joint,) = advise(*overstated, lexicon, FAST)
    (paper,) = advise(*overstated, lexicon, FAST.changed(solver="paper"))
    assert paper.solver == "paper"
    assert paper.test.ece_before == joint.test.ece_before
    assert paper.train.brier_before == joint.train.brier_before


def test_phrases_of_the_tables_may_be_part_of_the_lexicon_in_another_order(lexicon, overstated, make_tables):
    said = [p for p in reversed(lexicon) if p.name in OVERSTATED]
    assert to_json(advise(*make_tables(said, edema=OVERSTATED), lexicon, FAST)) == to_json(
        advise(*overstated, lexicon, FAST)
    )


def test_too_few_findings_are_no_advice(lexicon, make_tables):
    (advice,) = advise(
        *make_tables(lexicon, edema={"likely": (10, 4), "absent": (5, 0), "unlikely": (2, 0)}), lexicon, FAST
    )
    assert advice.reason == advice.summary == "17 findings; advice needs 30."
    assert advice.train is None
    assert advice.plan == ()
    assert [(w.phrase, w.reason) for w in advice.withheld] == [
        ("absent", "5 uses; advice needs 10."),
        ("unlikely", "2 uses; advice needs 10."),
    ]
    assert to_json([advice], {})["groups"][0]["test"]["ece_after"] is None


def test_words_that_match_need_no_advice(lexicon, make_tables):
    (advice,) = advise(*make_tables(lexicon, edema={"likely": (60, 46)}), lexicon, FAST)
    assert advice.reason == "The only word with enough uses matched what CT showed; no change is advised."
    (both,) = advise(*make_tables(lexicon, edema={"likely": (60, 46), "unlikely": (60, 5)}), lexicon, FAST)
    assert both.reason == "Every word with enough uses matched what CT showed; no change is advised."
    assert advice.agreeing == ("likely",)
    assert advice.test is not None


def test_words_too_rare_for_advice(lexicon, make_tables):
    n = np.full(len(lexicon), 4.0)
    (advice,) = advise(*make_tables(lexicon, edema=(n, n / 2)), lexicon, FAST)
    assert advice.reason == "No word was used 10 times or more, as advice needs."
    assert len(advice.withheld) == len(lexicon)
    assert advice.distinct_phrases == len(lexicon)


def test_advice_that_does_not_hold_on_unseen_halves_is_not_given(lexicon, overstated):
    """Forced to aim at plain statements alone, the plan makes the error worse, and is withheld with both numbers."""
    (advice,) = advise(*overstated, lexicon, FAST, target_use={"present": 1, "absent": 1})
    assert advice.solver == "target use"
    assert advice.plan == ()
    assert advice.reason.startswith("No advice: on findings kept aside")
    assert advice.test.ece_after > advice.test.ece_before


def test_where_no_word_may_change_there_is_no_advice(lexicon, overstated):
    (advice,) = advise(*overstated, lexicon, FAST.changed(allowed_phrases=("present",)))
    assert advice.plan == ()
    assert advice.reason == "No word was found that reliably agrees better with what CT showed."


def test_changes_of_matching_words_alone_are_no_advice(lexicon, make_tables, monkeypatch):
    """A plan that lowers the error, but by changing a word that matches and leaving alone the one that does not."""
    _planned(monkeypatch, lexicon, likely={"most likely": 1})
    (advice,) = advise(*make_tables(lexicon, edema={"likely": (400, 340), "absent": (100, 25)}), lexicon, FAST)
    assert advice.agreeing == ("likely",)
    assert advice.test.ece_after < advice.test.ece_before
    assert advice.plan == ()
    assert advice.reason == "No word was found that reliably agrees better with what CT showed."


def test_what_puts_the_most_statements_nearer_to_their_rate_is_told_first(lexicon, make_tables, monkeypatch):
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


def test_only_allowed_words_are_proposed(lexicon, make_tables, draw):
    tables = make_tables(lexicon, edema=draw(lexicon, 600, lambda m: 0.5 * m, seed=2))
    allowed = ("possibly", "suggestive of")
    (advice,) = advise(*tables, lexicon, FAST.changed(allowed_phrases=allowed))
    assert advice.recommendations
    assert {s.target for s in advice.plan if s.target != s.source} <= set(allowed)


def test_without_bootstrap_fits_there_is_no_stability(lexicon, overstated):
    (advice,) = advise(*overstated, lexicon, FAST.changed(advice_fits=0))
    assert advice.recommendations
    assert all(np.isnan(s.sure) for s in advice.plan)
    assert all(row["sure"] is None for row in to_json([advice])["groups"][0]["plan"])


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


class _Recorder(Silent):
    def __init__(self) -> None:
        self.said: list[object] = []

    def start(self, total: int | None, what: str) -> None:
        self.said.append((total, what))

    def advance(self, n: int = 1, note: str = "") -> None:
        self.said.append((n, note))


def test_progress_is_told_and_work_can_be_stopped(lexicon, overstated, stopping):
    progress = _Recorder()
    advise(*overstated, lexicon, FAST, progress)
    assert progress.said == [(1, "Working out advice"), (1, "Avery - edema")]
    with pytest.raises(Cancelled):
        advise(*overstated, lexicon, FAST, stopping)


def test_json_has_the_agreed_shape_and_is_strict(lexicon, overstated):
    (advice,) = advise(*overstated, lexicon, FAST)
    advice = replace(advice, test=replace(advice.test, brier_after=float("nan")))
    result = to_json([advice], {"seed": 0, "settings": FAST.to_dict()})
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    (group,) = result["groups"]
    names = "author topic n train test order_violations distinct_phrases plan withheld"
    assert list(group)[:9] == names.split()
    assert list(group["train"]) == ["ece_before", "ece_after"]
    assert list(group["test"]) == ["ece_before", "ece_after", "brier_before", "brier_after"]
    assert group["test"]["brier_after"] is None
    assert {"from", "to", "share", "n", "sure"} == set(group["plan"][0])
    assert group["withheld"] == [{"phrase": "maybe", "reason": "4 uses; advice needs 10."}]
    assert group["n"] == 344
    assert group["recommendations"] == [advice.recommendations[0].text]
    assert result["seed"] == 0


def test_json_tells_of_every_word_that_was_said_what_became_of_it(lexicon, overstated):
    """'likely' and 'maybe' did not match; where nothing is advised, the file says why for each of them."""
    few, none, some = (
        to_json(advise(*overstated, lexicon, FAST.changed(**changes)))["groups"][0]
        for changes in ({"min_group_n": 1000}, {"allowed_phrases": ("present",)}, {})
    )
    said = {"absent", "unlikely", "maybe", "likely"}
    reasons = {w["phrase"]: w["reason"] for w in none["withheld"]}
    assert reasons == {"maybe": "4 uses; advice needs 10.", "likely": none["reason"]}
    for group in (few, none, some):
        advised = {p["from"] for p in group["plan"] if p["from"] != p["to"]}
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
        {"information_price": 10.0},
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


def test_a_word_that_does_not_match_and_stays_is_listed(lexicon, make_tables):
    """'likely' is helped; for 'very unlikely', too weak, the only word allowed is too many steps away."""
    uses = {"likely": (200, 88), "very unlikely": (90, 40), "absent": (60, 0)}
    settings = FAST.changed(allowed_phrases=("may represent",), max_steps=3)
    (advice,) = advise(*make_tables(lexicon, edema=uses), lexicon, settings)
    assert [(r.source, r.target) for r in advice.recommendations] == [("likely", "may represent")]
    assert [(w.phrase, w.reason) for w in advice.withheld] == [
        ("very unlikely", "No word was found that reliably agrees better with what CT showed.")
    ]


def test_a_word_is_not_sent_past_one_that_matched(lexicon, make_tables):
    """'possibly' is far too weak, but whoever keeps 'may represent' may not say more than that for it."""
    tables = make_tables(lexicon, edema={"possibly": (60, 54), "may represent": (14, 9), "absent": (30, 0)})
    (advice,) = advise(*tables, lexicon, FAST)
    assert "may represent" in advice.agreeing
    strength = {p.name: p.alpha / (p.alpha + p.beta) for p in lexicon}
    (planned,) = [s.target for s in advice.plan if s.source == "possibly"]
    assert strength[planned] > strength["may represent"]
    assert [(r.source, r.target) for r in advice.recommendations] == [("possibly", "may represent")]
    assert advice.recommendations[0].text.endswith("'May represent' would have been closer.")
    (advice,) = advise(*tables, lexicon, FAST.changed(allowed_phrases=("likely",)))
    assert advice.recommendations == ()


def test_a_plain_no_that_is_mostly_right_becomes_the_mildest_word_that_holds(make_tables):
    """3 of 15: "unlikely" says it, though the plan balances other words by a stronger one."""
    uses = {"absent": (15, 3), "likely": (17, 3), "most likely": (43, 24), "consistent with": (37, 27)}
    (advice,) = advise(*make_tables(SHIPPED, edema=uses), SHIPPED, FAST)
    (shown,) = [r for r in advice.recommendations if r.source == "absent"]
    assert shown.target == "unlikely"
    assert shown.text == (
        "When you ruled out edema, CT showed it in 3 of 15 (20 %, 6-44 %). "
        "Readers take a plain 'no' as 0 %. 'Unlikely' would have matched."
    )


def test_a_plain_yes_that_is_mostly_right_becomes_the_mildest_word_that_holds(make_tables, monkeypatch):
    """64 of 80: five words are read as 75-90 %, and the surest of them changes least."""
    tables = make_tables(SHIPPED, edema={"present": (80, 64), "absent": (74, 1)})
    _planned(monkeypatch, SHIPPED, present={"worrisome for": 1})
    (advice,) = advise(*tables, SHIPPED, FAST)
    held = [p for p in SHIPPED if p.low <= 64 / 80 <= p.high]
    surest = max(held, key=lambda p: p.alpha / (p.alpha + p.beta)).name
    assert len(held) == 5
    assert [(r.source, r.target) for r in advice.recommendations] == [("present", surest)]


def test_pairs_that_a_plan_puts_out_of_order_are_counted(lexicon, overstated, monkeypatch):
    """'unlikely' is put above 'likely'; 'absent' stays below both."""
    _planned(monkeypatch, lexicon, likely={"may represent": 1}, unlikely={"probably": 1})
    (advice,) = advise(*overstated, lexicon, FAST)
    assert [r.source for r in advice.recommendations] == ["likely"]
    assert advice.order_violations == 1


@pytest.mark.parametrize(("least", "reason"), [(344, ""), (345, "344 findings; advice needs 345.")])
def test_as_many_findings_as_advice_needs_are_enough(lexicon, overstated, least, reason):
    tables, (reliability,) = overstated
    settings = FAST.changed(min_group_n=least)
    case = Case(reliability, lexicon, bin_phrases(lexicon), tables.counts[0], tables.positive, settings)
    assert {case.derived(SILENT, checked=checked).advice.reason for checked in (True, False)} == {reason}


def _planned(monkeypatch, lexicon, **rows):
    """Every fit gives this plan: phrase, then the words to say instead with their shares; other words stay."""
    names = [p.name for p in lexicon]
    plan = np.eye(len(names))
    for source, shares in rows.items():
        plan[names.index(source)] = [shares.get(name, 0.0) for name in names]
    monkeypatch.setattr("radcal.advise.advice.make_solver", lambda *_: lambda n, _y: np.tile(plan, (len(n), 1, 1)))


def test_a_word_that_misses_the_rate_gives_way_to_one_on_the_way_that_holds_it(make_tables, monkeypatch):
    """38 of 59: "likely" is read as 75-90 %, "suggestive of" as 25-75 %, whatever balances best."""
    tables = make_tables(SHIPPED, edema={"absent": (74, 3), "possibly": (59, 38), "present": (65, 63)})
    _planned(monkeypatch, SHIPPED, possibly={"likely": 1})
    (advice,) = advise(*tables, SHIPPED, FAST)
    assert [(r.source, r.target) for r in advice.recommendations] == [("possibly", "suggestive of")]
    assert advice.recommendations[0].text == (
        "When you wrote 'possibly' for edema, CT confirmed it in 38 of 59 (64 %, 52-76 %). Readers take 'possibly' as "
        "5-25 %. 'Suggestive of' would have matched."
    )
    allowed = FAST.changed(allowed_phrases=("possibly", "likely"))
    assert [r.target for r in advise(*tables, SHIPPED, allowed)[0].recommendations] == ["likely"]


@pytest.mark.parametrize(("source", "found", "target"), [("possibly", 45, "likely"), ("likely", 15, "possibly")])
def test_a_rate_at_the_end_of_a_range_is_held_by_it(make_tables, monkeypatch, source, found, target):
    """45 of 60 are 75 %, where "likely" begins; 15 of 60 are 25 %, where "possibly" ends."""
    tables = make_tables(SHIPPED, edema={"present": (65, 63), source: (60, found)})
    _planned(monkeypatch, SHIPPED, **{source: {target: 1}})
    (advice,) = advise(*tables, SHIPPED, FAST)
    assert [(r.source, r.target) for r in advice.recommendations] == [(source, target)]


def test_a_word_whose_mean_is_farther_from_the_rate_is_no_advice(make_tables, monkeypatch):
    """Confirmed in 60 %: "suspicious for" means 66 % and is read as 75-90 %, "may represent" 44 % and as 25-75 %."""
    tables = make_tables(SHIPPED, edema={"likely": (400, 180), "suspicious for": (400, 240)})
    _planned(monkeypatch, SHIPPED, **{w: {"may represent": 1} for w in ("likely", "suspicious for")})
    (advice,) = advise(*tables, SHIPPED, FAST)
    assert [(r.source, r.target) for r in advice.recommendations] == [("likely", "may represent")]


def test_no_weaker_word_is_left_above_a_stronger_one_for_that(make_tables, monkeypatch):
    """As "unlikely", confirmed more often than "possibly", becomes "likely", "possibly" may not become less."""
    tables = make_tables(SHIPPED, edema={"unlikely": (60, 48), "possibly": (59, 38), "present": (65, 63)})
    _planned(monkeypatch, SHIPPED, possibly={"likely": 1}, unlikely={"likely": 1})
    (advice,) = advise(*tables, SHIPPED, FAST)
    assert {(r.source, r.target) for r in advice.recommendations} == {("possibly", "likely"), ("unlikely", "likely")}


def test_a_word_that_readers_place_in_the_same_range_is_no_advice(make_tables, monkeypatch):
    """Both "unlikely" and "possibly" mean 5-25 %: to say one for the other tells a reader nothing."""
    tables = make_tables(SHIPPED, edema={"unlikely": (42, 20), "present": (65, 63)})
    _planned(monkeypatch, SHIPPED, unlikely={"possibly": 1})
    (advice,) = advise(*tables, SHIPPED, FAST)
    assert advice.recommendations == ()
    assert advice.reason == "No word was found that reliably agrees better with what CT showed."


@pytest.mark.parametrize("seed", range(40))
def test_what_is_told_keeps_the_order_of_words_and_comes_nearer_for_the_reader(make_tables, draw, seed):
    """Whatever was said and found: no weaker word ends above a stronger one, and every range told is nearer."""
    rng = np.random.default_rng(seed)
    stray = rng.uniform(-0.4, 0.4, len(SHIPPED))
    n, y = draw(SHIPPED, 900, lambda m: np.clip(m + stray, 0, 1), seed=seed, spread=0.8)
    (advice,) = advise(*make_tables(SHIPPED, edema=(n, y)), SHIPPED, FAST.changed(advice_fits=0))
    mean = {p.name: p.alpha / (p.alpha + p.beta) for p in SHIPPED}
    ranges = {p.name: p for p in SHIPPED}
    shown = {p.name: p.name for p, uses in zip(SHIPPED, n, strict=True) if uses >= FAST.min_phrase_n}
    for r in advice.recommendations:
        shown[r.source] = r.target
        rate = r.source_rate.rate
        before, after = (max(ranges[w].low - rate, rate - ranges[w].high, 0) for w in (r.source, r.target))
        assert after < before
    matching = [w for w in shown if w in advice.agreeing or shown[w] != w]
    for weak in matching:
        for strong in matching:
            if mean[weak] < mean[strong]:
                assert mean[shown[weak]] <= mean[shown[strong]], (weak, shown[weak], strong, shown[strong])


def test_what_brings_most_statements_closer_is_told_first(lexicon, make_tables):
    for likely, unlikely, first in (((400, 176), (60, 18), "likely"), ((60, 26), (400, 120), "unlikely")):
        uses = {"likely": likely, "unlikely": unlikely, "absent": (60, 0)}
        (advice,) = advise(*make_tables(lexicon, edema=uses), lexicon, FAST)
        assert {r.source for r in advice.recommendations} == {"likely", "unlikely"}
        assert advice.recommendations[0].source == first


@pytest.mark.parametrize(("share", "shown"), [(0.49, []), (0.5, ["likely"]), (1.0, ["likely"])])
def test_half_of_the_bootstrap_fits_must_go_the_way_of_a_recommendation(lexicon, overstated, monkeypatch, share, shown):
    ways = np.array([share, 1 - share, 0.0])  # weaker, as before, stronger
    monkeypatch.setattr("radcal.advise.advice.directions", lambda *_: np.tile(ways[:, None], len(lexicon)))
    (advice,) = advise(*overstated, lexicon, FAST)
    assert [r.source for r in advice.recommendations] == shown
    assert [r.sure for r in advice.recommendations] == [share] * len(shown)


def test_shares_of_less_than_a_twentieth_are_planned_and_not_told(lexicon, overstated, monkeypatch):
    _planned(monkeypatch, lexicon, likely={"may represent": 0.96, "possibly": 0.04})
    (advice,) = advise(*overstated, lexicon, FAST)
    assert {s.target: s.share for s in advice.plan if s.source == "likely"} == {"may represent": 0.96, "possibly": 0.04}
    assert advice.recommendations[0].text.endswith(" 'May represent' would have matched.")
    _planned(monkeypatch, lexicon, likely={"may represent": 0.94, "possibly": 0.06})
    (advice,) = advise(*overstated, lexicon, FAST)
    assert (advice.recommendations[0].target, advice.recommendations[0].share) == ("may represent", 0.94)
    assert advice.recommendations[0].text.endswith(
        " 'May represent' in about 9 of 10 such cases and 'possibly' in about 1 of 10 would have matched."
    )


@pytest.mark.parametrize(("share", "words"), [(0.002, 4), (0.0025, 5), (0.003, 5)])
def test_a_word_is_in_use_if_half_a_statement_is_worded_with_it(lexicon, overstated, monkeypatch, share, words):
    """'likely' was said 200 times: of its shares, 0.002 is 0.4 of a statement, 0.0025 half of one, 0.003 is 0.6."""
    _planned(monkeypatch, lexicon, likely={"may represent": 1 - share, "probably": share})
    (advice,) = advise(*overstated, lexicon, FAST)
    assert advice.distinct_phrases == words  # with "absent", "unlikely", and "maybe", which is too rare to change
