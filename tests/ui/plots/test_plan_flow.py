"""The plan as a flow of words: CT's rate stands on the bands, and what changes looks unlike what stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from radcal.calibration.records import PhraseRate
from ui.kit.picture import image_of
from ui.plots.plan_flow import PlanFlow
from ui.plots.records import Flow, FlowPlan, FlowWord
from ui.theme import CONTRAST, DARK, LIGHT, Colours

LIKELY = PhraseRate("likely", 20, 9, 0.45, 0.26, 0.66, 0.8)
PLAN = FlowPlan(
    (FlowWord("likely", 0.8, 20, 8, LIKELY), FlowWord("maybe", 0.5, 10, 22)),
    (Flow("likely", "likely", 0.4, 20), Flow("likely", "maybe", 0.6, 20), Flow("maybe", "maybe", 1.0, 10)),
)


@pytest.fixture
def flow(qtbot: QtBot) -> PlanFlow:
    made = PlanFlow()
    qtbot.addWidget(made)
    made.resize(640, 400)
    made.set_plan(PLAN)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_a_band_says_the_rate_of_its_word_and_the_share_of_a_divided_one(flow: PlanFlow) -> None:
    stays, changes, whole = (flow.readout(i).replace("\u00a0", " ") for i in range(3))
    confirmed = " CT confirmed \u201clikely\u201d in 45 % (26\u201366) of 20."
    assert stays == "\u201clikely\u201d stays in 4 of 10 (40 % of 20 uses)." + confirmed
    assert changes == "Instead of \u201clikely\u201d, \u201cmaybe\u201d in 6 of 10 (60 % of 20 uses)." + confirmed
    assert whole == "\u201cmaybe\u201d stays as it is (10 uses)."
    assert changes.partition(" CT")[0] in flow.accessibleDescription().replace("\u00a0", " ")
    flow.set_plan(None)
    assert flow.accessibleDescription() == "No word changes."


def test_every_finding_is_in_one_band(flow: PlanFlow) -> None:
    for side, at in (("today", "source"), ("tomorrow", "target")):
        for word in PLAN.words:
            bands = [b.width for b in flow._bands if getattr(b.flow, at) == word.name]
            assert sum(bands) == pytest.approx(flow._rows[side, word.name].height(), rel=1e-6)


@pytest.mark.parametrize("colours", [LIGHT, DARK, CONTRAST])
def test_what_changes_is_never_in_the_grey_of_what_stays(
    flow: PlanFlow, colours: Colours, wear: Callable[[Colours], None]
) -> None:
    wear(colours)
    picture = image_of(flow, 1.0)
    x = flow.width() // 2
    seen = [(flow.mark_at(QPointF(x, y)), picture.pixelColor(x, y)) for y in range(flow.height())]

    def colourful(mark: int) -> int:
        """The difference of the strongest and weakest of red, green and blue in the middle of a band."""
        colours = [colour for at, colour in seen if at == mark]
        r, g, b, _ = colours[len(colours) // 2].getRgb()  # type: ignore[misc]  # the stubs say object
        return int(max(r, g, b) - min(r, g, b))

    # "maybe" is neutral on the scale of certainty, but the way to it is coloured.
    assert colourful(1) > 3 * max(colourful(0), colourful(2), 10)


def test_a_rate_on_a_band_has_its_n(flow: PlanFlow) -> None:
    assert [part.replace("\u00a0", " ") for part in flow._label(PLAN.flows[0])] == ["CT 45 % of 20", "4 of 10"]
