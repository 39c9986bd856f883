"""Questions about advice, asked of a small department."""

from __future__ import annotations

import numpy as np

from radcal.advice.report import to_json
from radcal.system.selection import Selection


def _groups(department):
    return [a for a in department.analysis().advices if a.n >= department.settings.min_group_n]


def _select(group):
    return Selection(group.author, group.topic)


def test_checked_answers_are_those_of_the_analysis(analysed):
    groups = _groups(analysed)
    assert groups
    for stored in groups:
        view = analysed.alternatives.advice(_select(stored))
        assert to_json([view.advice]) == to_json([stored])
        assert view.before is next(
            r for r in analysed.analysis().reliabilities if (r.author, r.topic) == (stored.author, stored.topic)
        )
        if not view.advice.recommendations:
            assert view.after is view.before
            np.testing.assert_array_equal(view.plan, np.eye(len(view.phrases)))
