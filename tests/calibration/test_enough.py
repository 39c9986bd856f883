"""When there will be enough findings."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from scipy.stats import gamma

from radcal.calibration.enough import group_ahead, pace, weeks_until
from radcal.calibration.reliability import measure
from radcal.calibration.sensitivity_records import NeededUses
from radcal.calibration.tables import build_tables
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import load_lexicon

SHIPPED = load_lexicon().phrases


def test_pace_is_a_poisson_rate():
    found = pace(12, date(2026, 1, 1), date(2026, 3, 11))
    assert (found.n, found.weeks, found.per_week) == (12, 10, 1.2)
    assert (found.low, found.high) == pytest.approx(tuple(gamma.ppf([0.025, 0.975], 12.5) / 10))
    assert pace(0, date(2026, 1, 1), date(2026, 1, 1))[1:4] == (1, 0, 0)


def test_pace_holds_the_true_rate():
    rng = np.random.default_rng(0)
    n = rng.poisson(2.5 * 8, 2000)
    held = [(p := pace(int(k), date(2026, 1, 1), date(2026, 2, 25))).low <= 2.5 <= p.high for k in n]
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)


def test_weeks_until():
    at = pace(20, date(2026, 1, 1), date(2026, 3, 11))
    when, soonest, latest = weeks_until(10, at)
    assert when == 5
    assert soonest < 5 < latest
    assert weeks_until(0, at) == (0, 0, 0)
    assert weeks_until(3, pace(0, date(2026, 1, 1), date(2026, 1, 1)))[0] is None


def test_a_group_is_looked_ahead_for():
    import pandas as pd

    frame = pd.DataFrame({"author": "a", "topic": "t", "phrase": ["likely"] * 20 + ["possibly"] * 4 + ["absent"] * 16})
    frame["outcome"] = ([1.0, 0.0] * 40)[: len(frame)]
    settings = Settings(bootstrap=50)
    (r,) = measure(build_tables(frame, SHIPPED), SHIPPED, settings)
    needs = (
        NeededUses("possibly", 4, 6, None, 0, "", Text("few")),
        NeededUses("likely", 20, 0, None, 0, "", Text("sure")),
    )
    days = date(2026, 1, 1), date(2026, 3, 11)
    outlook = group_ahead(r, needs, days, settings)
    assert (outlook.n, outlook.hedged, outlook.pace.per_week) == (40, 24, 4)
    assert outlook.needed == 60  # until there are 60 hedged ones: 36 of 24 in 40
    assert outlook.weeks == 15
    words = {w.phrase: w for w in outlook.words}
    assert words["likely"].weeks is None
    assert words["possibly"].weeks == pytest.approx(15)
    assert words["possibly"].weeks_low < 15 < words["possibly"].weeks_high
    assert words["absent"].needed is None
    undated = group_ahead(r, needs, None, settings)
    assert (undated.pace, undated.weeks, undated.words[1].weeks) == (None, None, None)
