"""Distances between uses of words: counted by hand, halved in every way, and where nobody differs."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.distance import cityblock
from scipy.stats import binomtest

from radcal.lab.variability import bin_of, compare_sources, ece_of_numbers, tvd
from radcal.lab.word_counts import Answers
from radcal.system.errors import Cancelled, DataError

COLUMNS = ["context", "source", "word", "count"]


def answers(rows):
    return Answers.of(pd.DataFrame(rows, columns=COLUMNS))


def drawn(rng, contexts, people, words=8, spread=0.8):
    """Rows of people (name to number of answers, and the share of answers given by another habit)."""
    rows = []
    for c in range(contexts):
        usual, other = rng.dirichlet(np.full(words, spread)), rng.dirichlet(np.full(words, spread))
        for name, (n, share) in people.items():
            said = rng.multinomial(n, (1 - share) * usual + share * other)
            rows += [(f"c{c}", name, f"w{w}", int(k)) for w, k in enumerate(said) if k]
    return rows


def by_hand(rows, source, others):
    """Expected TVD, ECE and contexts, from dictionaries."""
    said, reference = defaultdict(Counter), defaultdict(Counter)
    for context, who, word, n in rows:
        if who == source:
            said[context][word] += n
        elif who in others:
            reference[context][word] += n
    distances, bins = [], defaultdict(list)
    for context in sorted(said):
        if not reference[context]:
            continue
        p = {w: n / sum(said[context].values()) for w, n in said[context].items()}
        q = {w: n / sum(reference[context].values()) for w, n in reference[context].items()}
        distances.append(sum(abs(p.get(w, 0) - q.get(w, 0)) for w in {*p, *q}) / 2)
        best, most = max(p.values()), max(q.values())
        mine = [w for w in p if p[w] > best - 1e-9]
        right = sum(q.get(w, 0) > most - 1e-9 for w in mine) / len(mine) / sum(q[w] > most - 1e-9 for w in q)
        bins[min(int(best * 10 + 1e-9), 9)].append(right - best)
    ece = sum(abs(sum(gaps)) for gaps in bins.values()) / len(distances)
    return sum(distances) / len(distances), ece, len(distances)


@pytest.mark.parametrize("reference", ["humans", ""])
def test_distance_and_ece_are_those_counted_by_hand(reference):
    rng = np.random.default_rng(4)
    rows = drawn(rng, 30, {"humans": (40, 0), "near": (25, 0.2), "far": (60, 0.9)})
    rows = [row for row in rows if not (row[1] == "near" and row[0] in {"c3", "c17"})]
    found = compare_sources(answers(rows), reference)
    assert {s.source for s in found.sources} == {"humans", "near", "far"} - {reference}
    for s in found.sources:
        others = {reference} if reference else {"humans", "near", "far"} - {s.source}
        distance, ece, n = by_hand(rows, s.source, others)
        assert s.expected_tvd == pytest.approx(distance)
        assert s.ece == pytest.approx(ece)
        assert s.n_contexts == n
        assert s.low <= s.expected_tvd <= s.high
        assert s.ece_low <= s.ece <= s.ece_high
        assert sum(a.n_contexts for a in s.agreement) == n
        weighted = sum(a.n_contexts * a.expected_tvd for a in s.agreement if a.n_contexts) / n
        assert weighted == pytest.approx(distance)
    near = next(s for s in found.sources if s.source == "near")
    assert near.missing == ("c17", "c3")
    for context in found.contexts:
        assert context.share == pytest.approx(
            max(_shares(rows, context.context, {reference} if reference else None).values())
        )
        assert set(context.tvd) == {s.source for s in found.sources if context.context not in s.missing}


def _shares(rows, context, who):
    n = Counter()
    for c, source, word, k in rows:
        if c == context and (who is None or source in who):
            n[word] += k
    return {word: k / n.total() for word, k in n.items()}


def test_the_control_is_the_mean_over_all_halves():
    """Of six answers all twenty ways to halve them are known."""
    words = ["a", "a", "a", "b", "b", "c"]
    rows = [("c", "humans", w, n) for w, n in Counter(words).items()]
    exact = []
    for half in combinations(range(6), 3):
        one, other = Counter(words[i] for i in half), Counter(words[i] for i in range(6) if i not in half)
        exact.append(sum(abs(one[w] - other[w]) for w in "abc") / 6)
    found = compare_sources(answers(rows), "humans", resamples=20_000)
    assert found.control.expected_tvd == pytest.approx(np.mean(exact), abs=4 * np.std(exact) / np.sqrt(20_000))
    assert found.control.n_answers == 6
    assert (found.control.low, found.control.high) == (None, None)  # one context tells nothing of others
    assert found.sources == ()


def test_an_odd_answer_is_in_neither_half():
    found = compare_sources(answers([("c", "humans", "a", 2), ("c", "humans", "b", 1)]), "humans", resamples=9000)
    # One answer each: of the three pairs, two have different words.
    assert found.control.expected_tvd == pytest.approx(2 / 3, abs=0.02)


def test_who_answers_as_the_reference_does_is_not_beyond_the_control():
    """Whatever the number of answers, and although the distance itself grows where there are few."""
    rng = np.random.default_rng(0)
    people = {"humans": (40, 0), **{f"same {n}": (n, 0) for n in (1, 5, 40, 400)}}
    found = compare_sources(answers(drawn(rng, 400, people)), "humans", draws=0)
    distances = {}
    for s in found.sources:
        assert s.beyond == pytest.approx(0, abs=0.012), s.source
        assert s.share_to_improve < 0.08, s.source
        distances[s.source] = s.expected_tvd
    assert distances["same 1"] > distances["same 5"] > distances["same 40"] > distances["same 400"]


def test_who_answers_otherwise_is_beyond_the_control():
    rng = np.random.default_rng(1)
    found = compare_sources(answers(drawn(rng, 100, {"humans": (40, 0), "far": (40, 1.0)})), "humans")
    (far,) = found.sources
    assert far.beyond_low > 0.1
    assert far.share_to_improve > 0.6
    assert far.control_low < far.control_tvd < far.control_high < far.same_size_tvd


def test_probabilities_are_a_distribution_without_a_number_of_answers():
    rng, rows = np.random.default_rng(3), []
    for c in range(200):
        p = rng.dirichlet(np.full(8, 0.8))
        rows += [(f"c{c}", "humans", f"w{w}", int(n)) for w, n in enumerate(rng.multinomial(40, p)) if n]
        rows += [(f"c{c}", "model", f"w{w}", 7.3 * x) for w, x in enumerate(p)]
    (model,) = compare_sources(answers(rows), "humans").sources
    assert model.n_answers is None
    assert model.beyond == pytest.approx(0, abs=0.015)
    assert model.share_to_improve < 0.08


def test_probabilities_have_no_halves():
    rows = [("c", "model", "a", 0.5), ("c", "model", "b", 0.5), ("c", "other", "a", 3)]
    found = compare_sources(answers(rows), "model")
    assert found.control.expected_tvd is None
    assert "no control" in found.control.reason
    (other,) = found.sources
    assert other.expected_tvd == 0.5
    assert (other.share_to_improve, other.control_tvd, other.n_with_control) == (None, None, 0)


def test_one_answer_in_each_context_has_no_halves():
    rows = [(f"c{i}", who, "ab"[(i + k) % 2], 1) for i in range(9) for k, who in enumerate(("h", "m"))]
    found = compare_sources(answers(rows), "h")
    assert found.control.n_contexts == 0
    assert found.control.reason
    assert found.sources[0].expected_tvd == 1
    assert found.sources[0].share_to_improve is None


def test_without_a_reference_probabilities_count_only_among_themselves():
    counted = [("c", "x", "a", 4), ("c", "y", "b", 4), ("c", "model", "c", 0.25), ("c", "model", "b", 0.75)]
    found = {s.source: s for s in compare_sources(answers(counted)).sources}
    assert found["x"].expected_tvd == 1  # from y alone
    assert found["model"].expected_tvd == 0.5  # from a a a a b b b b
    models = [
        ("c", "m", "a", 0.5),
        ("c", "m", "b", 1.5),
        ("c", "n", "a", 0.1),
        ("c", "n", "b", 0.1),
        ("c", "o", "a", 0.5),
    ]
    found = {s.source: s for s in compare_sources(answers(models)).sources}
    assert found["m"].expected_tvd == pytest.approx(0.5)  # a 1/4 of m, a 3/4 of n and o together


def test_contexts_of_one_side_alone_are_listed():
    rows = [("here", "h", "a", 2), ("here", "m", "a", 2), ("mine", "m", "a", 1), ("theirs", "h", "b", 1)]
    (model,) = compare_sources(answers(rows), "h").sources
    assert (model.n_contexts, model.missing, model.unmatched) == (1, ("theirs",), ("mine",))
    (nothing,) = compare_sources(answers(rows[2:]), "h").sources
    assert nothing.expected_tvd is None
    assert nothing.reason


def test_fewer_answers_than_asked_for_are_not_compared():
    rows = [("c1", "h", "a", 20), ("c1", "m", "a", 3), ("c2", "h", "a", 20), ("c2", "m", "b", 9), ("c3", "h", "a", 2)]
    rows.append(("c3", "m", "a", 9))
    (model,) = compare_sources(answers(rows), "h", fewest=5).sources
    assert (model.n_contexts, model.n_answers, model.expected_tvd) == (1, 9, 1)


def test_a_result_depends_on_the_seed_and_not_on_the_order():
    rng = np.random.default_rng(6)
    rows = drawn(rng, 12, {"h": (11, 0), "m": (7, 0.5), "n": (5, 0)})
    first = compare_sources(answers(rows), "h", seed=3)
    rows = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    assert compare_sources(answers(rows), "h", seed=3) == first
    assert compare_sources(answers(rows), "h", seed=4) != first
    alone = compare_sources(answers([row for row in rows if row[1] != "n"]), "h", seed=3)
    assert alone.sources[0] == first.sources[0]
    assert alone.control == first.control


@pytest.mark.parametrize("share", [0.0, 0.1, 0.4, 0.8])
def test_intervals_of_redrawn_answers_hold_the_true_distance(share):
    """At least 95 times in 100: the interval is a careful one."""
    held, tries = 0, 60
    for seed in range(tries):
        rng, rows, true = np.random.default_rng(seed), [], []
        for c in range(6):
            p = rng.dirichlet(np.full(8, 0.8))
            q = (1 - share) * p + share * np.roll(p, 1)
            true.append(cityblock(p, q) / 2)
            for who, n, of in (("m", 30, q), ("h", 240, p)):
                rows += [(f"c{c}", who, f"w{w}", int(k)) for w, k in enumerate(rng.multinomial(n, of)) if k]
        (found,) = compare_sources(answers(rows), "h", redraw="answers", draws=200).sources
        held += found.low <= np.mean(true) <= found.high
    assert binomtest(held, tries, 0.95, "less").pvalue > 0.05


def test_intervals_of_redrawn_contexts_hold_the_mean_over_all_contexts():
    held, tries, all_contexts = 0, 60, 2000
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.full(5, 0.8), all_contexts)
    distance = tvd(p, np.roll(p, 1, axis=1))
    for seed in range(tries):
        some = np.random.default_rng(seed).choice(all_contexts, 40, replace=False)
        rows = []
        for c in some:
            for who, of in (("m", p[c]), ("h", np.roll(p[c], 1))):
                rows += [(f"c{c}", who, f"w{w}", float(x)) for w, x in enumerate(of)]
        (found,) = compare_sources(answers(rows), "h", draws=500).sources
        held += found.low <= distance.mean() <= found.high
    assert binomtest(held, tries, 0.95, "less").pvalue > 0.02


shares = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any)


@given(shares, shares)
def test_distance_is_half_of_all_differences(a, b):
    p, q = (np.array(x) / sum(x) for x in (a, b))
    assert tvd(p, q) == pytest.approx(cityblock(p, q) / 2)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3), st.integers(1, 9)), min_size=1),
    st.permutations(range(4)),
)
def test_names_of_words_do_not_matter(cells, order):
    rows = [(f"c{c}", f"s{s}", f"w{w}", n) for c, s, w, n in cells]
    renamed = [(f"c{c}", f"s{s}", f"w{order[w]}", n) for c, s, w, n in cells]
    assume({s for _, s, _, _ in rows} >= {"s0"})
    first, second = (compare_sources(answers(r), "s0", draws=20) for r in (rows, renamed))
    for a, b in zip(first.sources, second.sources, strict=True):
        assert a.source == b.source
        if a.expected_tvd is None:
            assert b.expected_tvd is None
            continue
        assert a.expected_tvd == pytest.approx(b.expected_tvd)
        assert a.ece == pytest.approx(b.ece)
        assert 0 <= a.expected_tvd <= 1
        for value in (a.low, a.high, a.share_to_improve, a.same_size_tvd, a.control_tvd, a.ece):
            assert value is None or 0 <= value <= 1


def test_equal_entries_add_up():
    one = answers([("c", "h", "a", 2), ("c", "h", "a", 3), ("c", "h", "b", 0), ("c", "m", "b", 1)])
    two = answers([("c", "m", "b", 1), ("c", "h", "a", 5)])
    assert one.words == two.words == ("a", "b")
    assert one.weight.tolist() == two.weight.tolist()


@pytest.mark.parametrize("count", [-1.0, float("nan"), float("inf")])
def test_counts_that_are_none_are_refused(count):
    with pytest.raises(DataError, match="negative or no number"):
        answers([("c", "h", "a", count)])


def test_nothing_but_zeros_is_refused():
    with pytest.raises(DataError, match="all counts are 0"):
        answers([("c", "h", "a", 0)])


def test_an_unknown_reference_is_refused():
    with pytest.raises(DataError, match="no answers of 'x'"):
        compare_sources(answers([("c", "h", "a", 1)]), "x")


def test_it_can_be_stopped(onlooker):
    with pytest.raises(Cancelled):
        compare_sources(answers([("c", "h", "a", 1)]), progress=onlooker(looks=0))


@given(st.lists(st.tuples(st.integers(0, 100), st.booleans()), min_size=1, max_size=40))
def test_the_ece_of_numbers_is_what_its_words_say(rows: list[tuple[int, bool]]) -> None:
    inside: dict[int, list[tuple[int, bool]]] = {}
    for percent, right in rows:  # whole numbers, in which no rounding decides between two bins
        inside.setdefault(min(percent // 10, 9), []).append((percent, right))
    gaps = [abs(sum(p / 100 - right for p, right in part)) for part in inside.values()]
    stated, outcome = np.array([p / 100 for p, _ in rows]), np.array([float(right) for _, right in rows])
    assert ece_of_numbers(stated, outcome) == pytest.approx(sum(gaps) / len(rows))


def test_what_rounding_leaves_below_an_edge_belongs_above_it() -> None:
    assert bin_of(np.array([0.0, 0.3 - 1e-16, 1 - 0.9, 0.29, 1.0]), 10).tolist() == [0, 3, 1, 2, 9]


def test_ece_against_halves_is_that_of_every_half() -> None:
    """Two contexts of four answers: the most frequent word of each of the 36 pairs of halves, counted one by one."""
    people = {"c1": "aaab", "c2": "abbc"}
    rows = [(c, "people", w, said.count(w)) for c, said in people.items() for w in set(said)]
    rows += [("c1", "m", "a", 0.7), ("c1", "m", "b", 0.3), ("c2", "m", "a", 0.72), ("c2", "m", "b", 0.28)]
    top = {"c1": 0.7, "c2": 0.72}

    def chance(word: str, half: tuple[str, ...]) -> float:
        counts = Counter(half)
        best = [w for w in counts if counts[w] == max(counts.values())]
        return (word in best) / len(best)

    halves = {c: [*combinations(said, 2)] for c, said in people.items()}
    each = [
        abs(chance("a", one) - top["c1"] + chance("a", other) - top["c2"]) / 2
        for one in halves["c1"]
        for other in halves["c2"]
    ]
    found = compare_sources(answers(rows), "people", resamples=4000, draws=0)
    [model] = found.sources
    assert model.half_ece == pytest.approx(np.mean(each), abs=0.02)
    # all answers: "a" with 3/4 and "b" with 1/2, in bins of their own; surely their own most frequent words
    assert found.control.own_ece == pytest.approx((1 - 0.75 + 1 - 0.5) / 2)
    whole = [
        (abs(chance("a", one) - 0.75) + abs(chance("b", other) - 0.5)) / 2
        for one in halves["c1"]
        for other in halves["c2"]
    ]
    assert found.control.whole_ece == pytest.approx(np.mean(whole), abs=0.02)


def test_by_ece_one_word_alone_looks_as_good_as_a_source_like_the_reference() -> None:
    rng = np.random.default_rng(5)
    rows = drawn(rng, 150, {"people": (40, 0.0), "alike": (40, 0.0)})
    most = defaultdict(Counter)
    for context, who, word, n in rows:
        if who == "people":
            most[context][word] += n
    rows += [(context, "one word", said.most_common(1)[0][0], 40) for context, said in most.items()]
    by_name = {s.source: s for s in compare_sources(answers(rows), "people", draws=0).sources}
    assert by_name["one word"].ece < by_name["alike"].ece - 0.1
    assert by_name["one word"].half_ece == pytest.approx(by_name["alike"].half_ece, abs=0.05)
    assert by_name["one word"].expected_tvd > by_name["alike"].expected_tvd + 0.2
