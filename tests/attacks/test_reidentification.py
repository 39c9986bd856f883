"""Nobody's exact figures can be worked out from pages and files for others, whatever is known beside.

The attacker is stronger than any real one, and knows all exact figures of everybody but one reader, in every period,
how the documents are made, and the documents of all periods.  Every value that the one reader's figures might have is
tried: those that give the same documents cannot be told apart.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from radcal.calibration.analysis_records import Provenance
from radcal.calibration.groups import hedged_uses, pool_readers
from radcal.calibration.habits import Counts, others_as_plain
from radcal.calibration.records import PhraseRate, Reliability, Verdict
from radcal.cli.habits import habit_rows
from radcal.cli.run import vocabulary_rows
from radcal.feedback.card import department_card
from radcal.feedback.department import department_content
from radcal.feedback.pdf import department_pdf
from radcal.feedback.records import FeedbackInput
from radcal.system import coarse
from radcal.system.intervals import jeffreys, of_cell
from radcal.system.settings import Settings
from radcal.words.records import Phrase, VocabularyUse

MEANS = {"absent": 0.0, "may represent": 0.5, "likely": 0.85}
WORDS = tuple(Phrase(name, mean, 1 - mean, mean, mean) for name, mean in MEANS.items())
Table = Mapping[str, tuple[int, int]]
"""Word to (said, confirmed)."""
Period = Sequence[Table]
"""The tables of all readers, on one pathology."""
PROVENANCE = Provenance(
    "rules", "1.0", "0" * 16, "2026.1", 0, {}, datetime(2026, 1, 5), datetime(2026, 9, 28), 99, datetime(2026, 10, 1)
)


def measured(table: Table) -> Reliability:
    return _measured(tuple(table.items()))


@cache
def _measured(table: tuple[tuple[str, tuple[int, int]], ...]) -> Reliability:
    """Figures of a reader, the intervals by a formula that depends on all of the table, as the real ones do."""
    rates = []
    for word, (n, y) in table:
        low, high = jeffreys(np.array([float(y)]), np.array([float(n)]), 0.95)
        mean = MEANS[word]
        verdict: Verdict = "stronger" if high[0] < mean else "weaker" if low[0] > mean else "undecided"
        rate = y / n if n else np.nan
        rates.append(PhraseRate(word, n, y, rate, float(low[0]), float(high[0]), mean, verdict=verdict))
    total, hedged = sum(n for _, (n, _) in table), hedged_uses(rates)
    made = Reliability("", "edema", float(total), tuple(rates))
    if total < 30 or not hedged:
        return made
    error = sum(abs(r.positives - r.n * r.mean) for r in rates if 0 < r.mean < 1) / hedged
    luck = 0.8 / hedged**0.5
    spread = {"word_error_low": error - luck / 2, "word_error_high": error + luck} if hedged >= 60 else {}
    return replace(
        made, curve=object(), word_error=error, luck_word_p95=luck, p_value_word=luck / (luck + error), **spread
    )


def documents(periods: Sequence[Period]) -> str:
    """All that is handed out: the department's pages, and what each reader's own pages say of all others."""
    made = [one for readers in periods for one in _documents(tuple(tuple(table.items()) for table in readers))]
    return f"[{', '.join(made)}]"


@cache
def _documents(figures: tuple[tuple[tuple[str, tuple[int, int]], ...], ...]) -> list[str]:
    """The documents of one period, in JSON."""
    made: list[Any] = []
    readers = [dict(table) for table in figures]
    groups = [measured(table) for table in readers]
    inputs = [
        FeedbackInput(f"Dr. {k}", f"Reader {k}", (r,), (), (), WORDS, PROVENANCE, {}) for k, r in enumerate(groups)
    ]
    made.append(department_content(inputs, Settings()))
    made.append(department_card(inputs, Settings()))
    for me in range(len(readers)):
        others = [table for k, table in enumerate(readers) if k != me]
        counts = {("edema", word): [tuple(map(float, t[word])) for t in others] for word in MEANS}
        made.append(pool_readers(counts, MEANS, 0.95))  # type: ignore[arg-type]
    uses = [
        VocabularyUse("brigham", f"Dr. {k}", n, n // 2, 0, n - n // 2, 0, 0.3, 0.7, 0.0, 0.1, ())
        for k, n in enumerate(int(hedged_uses(r.phrases)) for r in groups)
    ]
    whole = VocabularyUse("brigham", "", sum(u.n for u in uses), 0, 0, 0, 0, 0.3, 0.7, 0.0, 0.1, ())
    made.append(vocabulary_rows([whole, *uses], {u.author: u.author for u in uses}))
    return [json.dumps(one, default=str) for one in made]


def added(one: Table, other: Table) -> Table:
    return {word: (one[word][0] + other[word][0], one[word][1] + other[word][1]) for word in one}


def drawn(rng: np.random.Generator) -> Table:
    said = {word: int(rng.integers(6, 90)) for word in MEANS}
    return {word: (n, int(rng.binomial(n, 0.1 + 0.8 * MEANS[word]))) for word, n in said.items()}


@pytest.mark.parametrize("readers", [2, 5, 7])
@pytest.mark.parametrize("seed", [1, 2])
def test_periods_and_all_other_readers_figures_leave_the_exact_ones_open(readers: int, seed: int) -> None:
    """All days, all but a quarter, and the quarter; everybody else conspires."""
    rng = np.random.default_rng(seed)
    rest, quarter = ([drawn(rng) for _ in range(readers)] for _ in range(2))

    def published(rest: Period, quarter: Period) -> str:
        return documents([rest, quarter, [added(a, b) for a, b in zip(rest, quarter, strict=True)]])

    shown = published(rest, quarter)
    # The first reader's uses of each word in each period, a few more or fewer, confirmed or not.
    possible = set()
    for part, word in itertools.product((0, 1), MEANS):
        period = (rest, quarter)[part]
        n, y = period[0][word]
        for more, confirmed in itertools.product(range(-2, 3), range(-1, 2)):
            if not (n + more > 0 and 0 <= y + confirmed <= n + more):
                continue
            tried = [{**period[0], word: (n + more, y + confirmed)}, *period[1:]]
            if published(*((tried, quarter) if part == 0 else (rest, tried))) == shown:
                possible.add((part, word, more, confirmed))
    assert {(part, word, 0, 0) for part in (0, 1) for word in MEANS} <= possible
    for part in (0, 1):
        assert len({more for p, _, more, _ in possible if p == part}) > 2, "how often words were said is known exactly"
        assert len({confirmed for p, _, _, confirmed in possible if p == part}) > 1, "and how often confirmed"


def test_own_statements_less_the_total_s_band_leave_others_open() -> None:
    """At the edge of a band: 100-199 in all, of which four conspirators have 195."""
    one = dict.fromkeys(MEANS, (0, 0)) | {"likely": (5, 3)}
    big = dict.fromkeys(MEANS, (0, 0)) | {"likely": (39, 20)}
    shown = {n: documents([[{**one, "likely": (n, 3)}, *[big] * 5]]) for n in range(5, 10)}
    # 3 of 5 are 60 %, 3 of 9 are 35 %: the pooled rate may move, but no total tells 5 from its neighbours.
    totals = {n: re.findall(r"[\d,]+\u2013[\d,]+ statements", json.loads(text)[0]["meta"]) for n, text in shown.items()}
    assert len(set(map(tuple, totals.values()))) == 1


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(5, 60), st.floats(0, 1)), min_size=3, max_size=3), st.data())
@settings(max_examples=40)
def test_two_pages_that_differ_by_a_reader_tell_no_more_than_the_reader_s_row(
    said: list[tuple[int, float]], data: st.DataObject
) -> None:
    """The page with somebody less the page without is the same for all figures that make the same row and cells."""
    one = {word: (n, round(n * share)) for word, (n, share) in zip(MEANS, said, strict=True)}
    alike = [
        {**one, word: figures}
        for word, (n, y) in one.items()
        for figures in _alike(n, y)
        if figures != (n, y) and _row({**one, word: figures}) == _row(one)
    ]
    assume(alike)
    other = data.draw(st.sampled_from(alike))
    rng = np.random.default_rng(1)
    staff = [drawn(rng) for _ in range(6)]
    assert documents([[*staff, one]]) == documents([[*staff, other]]) != documents([staff])


def _alike(n: int, y: int) -> list[tuple[int, int]]:
    """All figures of the same cell: n said, y of them confirmed."""
    of = coarse.band(n)
    tried = [(m, k) for m in range(of.low, of.high + 1) for k in range(m + 1)]
    return [figures for figures in tried if coarse.cell(*figures) == coarse.cell(n, y)]


def _row(table: Table) -> object:
    """What the department's pages say of a reader alone."""
    r = measured(table)
    errors = [r.word_error, r.luck_word_p95]
    spread = None if r.word_error_low is None else coarse.outward(r.word_error_low, r.word_error_high or 0.0)
    hedged = int(hedged_uses(r.phrases))
    halves = coarse.band(r.n), coarse.band(hedged), coarse.band(hedged // 2), coarse.band(hedged - hedged // 2)
    return halves, [None if e is None else coarse.rounded(e) for e in errors], spread, r.differs


def _shares(rows: Sequence[tuple[int, int]], day: str = "2026-01-05") -> pd.DataFrame:
    """Counts as the workspace returns them: of each reader's reports n, and y that recommend something."""
    made = pd.DataFrame(rows, columns=["searched", "follow_up"]).assign(
        modality="xray", day=pd.Timestamp(day), reports=0, correlation=0, read=0, hedged=0, standard=0
    )
    return made.assign(author=[f"Dr. {k:02}" for k in range(len(rows))], reports=made["searched"])


def _shares_told(quarters: Sequence[pd.DataFrame]) -> str:
    """All that leaves of shares of reports: the tables of two quarters and of both, and personal files."""
    frame = pd.concat(quarters, ignore_index=True)
    called = {name: name for name in frame["author"]}
    made: list[Any] = []
    for by in ("author", "quarter"):
        made += habit_rows(frame, called, by, least=30, confidence=0.95, named=False)  # type: ignore[arg-type]
    known = Counts(frame, "Brigham", chosen=False)
    made += [others_as_plain(known, name, 30, 0.95) for name in [*called][1:4]]
    return json.dumps(made)


@pytest.mark.parametrize("readers", [4, 7])
def test_shares_of_reports_leave_each_readers_open_whatever_all_others_know(readers: int) -> None:
    """Two quarters and both together; everybody else knows their own exact figures, and has all files."""
    rng = np.random.default_rng(1)
    said = [[(int(n), int(rng.binomial(n, 0.1))) for n in rng.integers(20, 400, readers)] for _ in range(2)]

    def published(said: Sequence[Sequence[tuple[int, int]]]) -> str:
        return _shares_told([_shares(rows, day) for rows, day in zip(said, ("2026-01-05", "2026-04-06"), strict=True)])

    shown = published(said)
    possible = set()
    changes = [(0, 0), (-2, 0), (-1, 0), (1, 0), (2, 0), (0, -1), (0, 1)]
    for part, (more, with_it) in itertools.product((0, 1), changes):
        n, y = said[part][0]
        if 0 <= y + with_it <= n + more:
            tried = [list(rows) for rows in said]
            tried[part][0] = (n + more, y + with_it)
            if published(tried) == shown:
                possible.add((part, more, with_it))
    assert {(0, 0, 0), (1, 0, 0)} <= possible
    for part in (0, 1):
        assert len({more for p, more, _ in possible if p == part}) > 2, "how many reports there are is known exactly"
        assert len({y for p, _, y in possible if p == part}) > 1, "and how many recommend something"


@pytest.mark.slow
def test_personal_files_tell_no_more_of_a_reader_than_the_reader_s_cell() -> None:
    staff = [(200, 10 * k) for k in range(11)]
    me = (240, 24)
    for other in _alike(*me)[::700]:
        assert _shares_told([_shares([other, *staff])]) == _shares_told([_shares([me, *staff])])
    assert _shares_told([_shares([(240, 120), *staff])]) != _shares_told([_shares([me, *staff])])


@pytest.mark.parametrize("edge", [5, 10, 20, 30, 50])
def test_a_cell_never_tells_its_figures(edge: int) -> None:
    """Not one cell is of a single n, or of a single number confirmed; nor does its interval narrow it."""
    of = coarse.band(edge)
    hidden: dict[tuple[object, object], set[tuple[int, int]]] = {}
    for n in range(of.low, of.high + 1):
        for y in range(n + 1):
            made = coarse.cell(n, y)
            assert made is not None
            hidden.setdefault((made, of_cell(made)), set()).add((n, y))
    for figures in hidden.values():
        assert len({n for n, _ in figures}) >= 5
        assert len({y for _, y in figures}) >= 2


@given(st.integers(5, 3000), st.floats(0, 1), st.sampled_from([0.9, 0.95]))
def test_the_interval_of_a_cell_holds_the_exact_one(n: int, share: float, confidence: float) -> None:
    y = round(n * share)
    made = coarse.cell(n, y)
    assert made is not None
    low, high = of_cell(made, confidence)
    exact = jeffreys(np.array([float(y)]), np.array([float(n)]), confidence)
    assert low <= float(exact[0][0]) + 1e-9
    assert high >= float(exact[1][0]) - 1e-9
    assert low <= made.rate <= high


@given(st.integers(0, 2000), st.integers(0, 400))
def test_pages_of_two_periods_tell_no_exact_number_of_the_time_between(rest: int, month: int) -> None:
    """The pages of the time before, of the month and of both together: many numbers give the same three."""
    before, between, both = (coarse.band(n) for n in (rest, month, rest + month))
    least, most = both.low - before.high, both.high - before.low
    assert min(between.high, most) - max(between.low, least) >= 2
    # Without a page of the month itself, by subtraction.
    assert most - max(least, 0) >= 4


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400))
def test_bands_of_parts_and_of_their_sum_settle_none_of_them(one: int, two: int, three: int) -> None:
    """The use of the vocabulary: within, established, outside, and hedged in all."""
    of = coarse.band(one + two + three)
    low, high = (sum(getattr(coarse.band(n), end) for n in (one, two, three)) for end in ("low", "high"))
    assert min(high, of.high) - max(low, of.low) >= 2


def test_the_same_pages_have_the_same_coordinates() -> None:
    """The drawing of the PDF, too: departments that read alike are alike to the last byte."""

    def page(n: int, y: int) -> bytes:
        groups = [measured({"absent": (40, 1), "may represent": (30, 12), "likely": (n, y)})] + [
            measured({"absent": (40, 1), "may represent": (33, 12), "likely": (61, 40)})
        ] * 6
        inputs = [
            FeedbackInput(f"Dr. {k}", f"Reader {k}", (replace(r, curve=None),), (), (), (), PROVENANCE, {})
            for k, r in enumerate(groups)
        ]
        return department_pdf(inputs)

    first = page(62, 40)
    alike = [(n, y) for n in range(60, 65) for y in (39, 40, 41) if page(n, y) == first]
    assert len({n for n, _ in alike}) > 2


@given(st.integers(0, 10**7))
def test_bands_hold_their_counts_and_are_never_narrow(n: int) -> None:
    of = coarse.band(n)
    assert of.low <= n <= of.high
    assert of.high - of.low >= 4
    assert coarse.band(of.low) == coarse.band(of.high) == of
    assert coarse.band(of.high + 1).low == of.high + 1


@given(st.floats(0, 1), st.floats(0, 1))
def test_rates_are_multiples_of_five_points_and_intervals_lose_nothing(one: float, other: float) -> None:
    low, high = sorted((one, other))
    down, up = coarse.outward(low, high)
    assert down <= low + 1e-9
    assert up >= high - 1e-9
    for value in (coarse.rounded(one), down, up):
        assert round(20 * value, 6) == round(20 * value)
    assert abs(coarse.rounded(one) - one) <= 0.025 + 1e-9


def test_a_figure_that_nobody_named_is_left_out_of_plain_values() -> None:
    made = {"n": 37, "new figure": 37, "rate": 0.512, "rate_low": 0.412, "words": [{"n": 7, "sd": 1.5}], "is": True}
    assert coarse.plain(made, {"n"}, {"rate", "rate_low"}, {"kept"}) == {
        "n": "30-49", "new figure": None, "rate": 0.5, "rate_low": 0.4, "words": [{"n": "5-9", "sd": None}], "is": True,
    }  # fmt: skip
