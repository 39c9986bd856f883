"""How many further uses there are until advice, against authors who go on writing."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.advice.advice import advise
from radcal.advice.outlook import MOST, uses_until_advice
from radcal.calibration.model import SHIPPED
from radcal.system.settings import Settings

PLAIN = Settings(min_group_n=20, bootstrap=0)


def asked(make_tables, lexicon, settings=PLAIN, **uses):
    tables, (reliability,) = make_tables(lexicon, edema=uses)
    (advice,) = advise(tables, [reliability], lexicon, settings, spread=SHIPPED)
    return {need.phrase: need for need in uses_until_advice(tables, reliability, advice, lexicon, settings)}


def advised(make_tables, lexicon, phrase, settings=PLAIN, **uses):
    tables, (reliability,) = make_tables(lexicon, edema=uses)
    (advice,) = advise(tables, [reliability], lexicon, settings, spread=SHIPPED)
    return {r.source: r.target for r in advice.recommendations}.get(phrase, "")


def test_the_answer_is_the_first_number_at_which_advice_says_so(make_tables, lexicon):
    uses = {"likely": (30, 16), "absent": (40, 0), "possibly": (25, 7)}
    need = asked(make_tables, lexicon, **uses)["likely"]
    assert need.more > 0
    for more in range(need.more + 1):
        later = uses | {"likely": (30 + more, 16 + more * 16 / 30)}
        target = advised(make_tables, lexicon, "likely", **later)
        assert target == (need.target if more == need.more else "")


def test_authors_who_go_on_get_advice_about_then(make_tables, lexicon):
    """With the rate as it is, half of them have it by then, more or less: chance decides on which side."""
    uses = {"likely": (30, 16), "absent": (40, 0), "possibly": (25, 7)}
    need = asked(make_tables, lexicon, **uses)["likely"]
    rng = np.random.default_rng(0)
    by_then, long_after = (
        np.mean(
            [
                bool(
                    advised(
                        make_tables,
                        lexicon,
                        "likely",
                        **uses | {"likely": (30 + m, 16 + int(rng.binomial(m, 16 / 30)))},
                    )
                )
                for _ in range(40)
            ]
        )
        for m in (need.more, 12 * need.more)
    )
    assert 0.25 < by_then < 0.8
    assert long_after > max(0.7, by_then)


def test_few_uses_need_the_least_number(make_tables, lexicon):
    uses = {"likely": (4, 0), "absent": (40, 0)}
    need = asked(make_tables, lexicon, **uses)["likely"]
    assert (need.least, need.more) == (PLAIN.min_phrase_n - 4, None)


def test_a_word_that_holds_will_never_be_advised(make_tables, lexicon):
    """Its interval is still wide, so that it is not shown to agree; more uses would show it."""
    need = asked(make_tables, lexicon, likely=(13, 10), absent=(40, 0))["likely"]
    assert (need.least, need.more, need.target) == (0, None, "")
    assert need.reason


def test_a_group_of_few_findings_needs_more_of_them(make_tables, lexicon):
    need = asked(make_tables, lexicon, likely=(12, 2))["likely"]
    assert need.findings == 8
    assert need.reason


def test_other_solvers_name_the_least_numbers_alone(make_tables, lexicon):
    settings = PLAIN.changed(solver="paper")
    found = asked(make_tables, lexicon, settings, likely=(4, 0), absent=(40, 0))
    assert (found["likely"].least, found["likely"].more) == (settings.min_phrase_n - 4, None)
    assert found["likely"].target == ""


@pytest.mark.parametrize(("farther", "nearer"), [(0.45, 0.5), (0.5, 0.55)])
def test_the_farther_the_sooner(make_tables, lexicon, farther, nearer):
    far, near = (asked(make_tables, lexicon, likely=(14, 14 * r), absent=(60, 0))["likely"] for r in (farther, nearer))
    assert 0 < far.more < near.more <= MOST
