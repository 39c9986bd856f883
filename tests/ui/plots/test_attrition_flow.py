"""The way from rows to pairs as a picture: it adds up, its labels never collide, and it tells its numbers."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from radcal.reports.records import AttritionStep
from ui.kit.picture import image_of
from ui.plots.attrition_flow import AttritionFlow, Label, lanes, merged, wrapped_lines
from ui.theme import SMALL, sized

REASONS = (
    "no chest CT of this patient",
    "The accession number occurs again with another text, and nothing says which is the later.",
    "the next CT was later than 12 h after the X-ray",
    "superseded by a later version",
)


def make_steps(both: list[int], xray: list[int], ct: list[int], pairs: int = 400) -> list[AttritionStep]:
    """Steps that add up: what drops out of each in turn, and ``pairs`` at the end."""
    n_xray, n_ct = pairs + sum(xray), pairs + sum(ct)
    kept = n_xray + n_ct + sum(both)
    steps = [AttritionStep("rows read", "both", kept, 0, "")]
    for modality, n, dropped in (("both", kept, both), ("xray", n_xray, xray), ("ct", n_ct, ct)):
        if modality != "both":
            steps.append(AttritionStep("reports of this modality", modality, n, 0, ""))
        for i, d in enumerate(dropped):
            n -= d
            steps.append(AttritionStep(f"step {i}", modality, n, d, REASONS[i % 4] if d else ""))
    return steps


drops = st.lists(st.integers(0, 5000), max_size=11)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 5000), max_size=2), drops, drops, st.integers(1, 9))
def test_lanes_add_up_however_few_steps_are_drawn(both: list[int], xray: list[int], ct: list[int], most: int) -> None:
    for lane, dropped in zip(lanes(make_steps(both, xray, ct)), (both, xray, ct), strict=True):
        assert lane.begin - sum(dropped) == lane.end
        assert len(lane.drops) == sum(d > 0 for d in dropped)
        few = merged(lane, most)
        assert len(few.drops) <= max(most, 1)
        assert (few.begin, few.end) == (lane.begin, lane.end)
        assert sum(d.n for d in few.drops) == sum(dropped)
        kept = few.begin
        for drop in few.drops:
            kept -= drop.n
            assert drop.kept == kept
            assert [n for _, _, n in drop.parts] == sorted((n for _, _, n in drop.parts), reverse=True)


def test_several_reasons_of_one_step_are_one_drop() -> None:
    steps = [
        AttritionStep("reports of this modality", "xray", 100, 0, ""),
        AttritionStep("has all that is needed", "xray", 98, 2, "The row has no patient."),
        AttritionStep("has all that is needed", "xray", 90, 8, "The report has no text."),
    ]
    _, xray, ct = lanes(steps)
    (drop,) = xray.drops
    assert [part[1:] for part in drop.parts] == [("The report has no text.", 8), ("The row has no patient.", 2)]
    assert (ct.begin, ct.end) == (0, 0)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 900), max_size=2), drops, drops, st.sampled_from([(480, 280), (760, 300), (1400, 600)]))
def test_labels_never_collide_and_stay_inside(
    qapp: object, both: list[int], xray: list[int], ct: list[int], size: tuple[int, int]
) -> None:
    flow = AttritionFlow()
    flow.resize(*size)
    flow.set_steps(make_steps(both, xray, ct))
    texts = [_inked(flow, label) for label in flow.labels]
    for one, other in combinations(texts, 2):
        assert not one.intersects(other), (one, other)
    assert all(flow.rect().toRectF().adjusted(-1, -1, 1, 1).contains(text) for text in texts)
    flow.deleteLater()


def _inked(flow: AttritionFlow, label: Label) -> QRectF:
    """Where the letters of a label stand: its rectangle is as wide as they may be."""
    plain = QFontMetricsF(sized(flow.font(), SMALL))
    strong = QFontMetricsF(sized(flow.font(), SMALL, strong=True))
    wide = max([strong.horizontalAdvance(label.strong), *(plain.horizontalAdvance(t) for t in label.lines)])
    left = label.rect.left()
    if label.align & Qt.AlignmentFlag.AlignHCenter:
        left = label.rect.center().x() - wide / 2
    high = plain.height() * (bool(label.strong) + len(label.lines))
    return QRectF(left, label.rect.top(), wide, high).adjusted(0.5, 0.5, -0.5, -0.5)


@pytest.fixture
def flow(qtbot: QtBot) -> AttritionFlow:
    made = AttritionFlow()
    qtbot.addWidget(made)
    made.resize(1000, 380)
    made.set_steps(make_steps([30], [500, 0, 100], [60, 40]))
    return made


def test_flows_are_as_high_as_their_reports(flow: AttritionFlow) -> None:
    """Of the X-ray reports 1,000 begin, 500 and 400 go on: bands and bars keep that proportion."""
    bands = [m.path.boundingRect() for m in flow.marks if m.kept and "X-ray" in m.tip]
    heights = {m.tip.split(" ")[0]: m.path.boundingRect().height() for m in flow.marks if m.kept and "X-ray" in m.tip}
    assert len(bands) == 4  # from the split, and before, between and after the two drops
    unit = heights["500"] / 500
    assert heights["400"] / 400 == pytest.approx(unit, rel=0.02)
    begun = next(m.path.boundingRect() for m in flow.marks if m.tip.startswith("1,000 of 1,000 X-ray"))
    assert begun.height() >= 1000 * unit * 0.98


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 30), max_size=2), st.lists(st.integers(0, 30), max_size=11), st.integers(300, 3000))
def test_what_drops_out_in_a_trickle_makes_no_flow_thinner_than_it_is(
    qapp: object, both: list[int], ct: list[int], pairs: int
) -> None:
    """Trickles are drawn as thick as can be seen; what goes on is in proportion all the same."""
    flow = AttritionFlow()
    flow.resize(480, 280)
    flow.set_steps(make_steps(both, [1] * 8, ct, pairs))
    kept = [m for m in flow.marks if m.kept and m.path.elementCount() == 5]
    units = [m.path.boundingRect().height() / int(m.tip.split(" ")[0].replace(",", "")) for m in kept]
    assert min(units) == pytest.approx(max(units), rel=1e-3)
    flow.deleteLater()


def test_the_pointer_tells_the_numbers(qtbot: QtBot, flow: AttritionFlow) -> None:
    shown: list[str] = []
    flow.hovered.connect(shown.append)
    flow.show()
    dropped = [m for m in flow.marks if not m.kept]
    assert [m.tip.split("\n")[0] for m in dropped] == [
        "30 rows drop out, 1,500 go on",
        "500 drop out, 500 go on",
        "100 drop out, 400 go on",
        "60 drop out, 440 go on",
        "40 drop out, 400 go on",
    ]
    qtbot.mouseMove(flow, QPoint(2, 2))
    inside = dropped[1].path.pointAtPercent(0.02).toPoint() + QPoint(2, 6)
    qtbot.mouseMove(flow, inside)
    qtbot.waitUntil(lambda: bool(shown) and shown[-1].startswith("500 drop out"))
    assert "500: no chest CT of this patient" in shown[-1]
    label = next(label for label in flow.labels if label.strong.endswith("500"))
    assert flow.marks[flow.mark_at(label.rect.center())] is dropped[1]
    assert flow.mark_at(QPointF(1, 1)) == -1
    qtbot.mouseMove(flow, QPoint(2, 2))
    qtbot.waitUntil(lambda: shown[-1] == "")


def test_it_tells_everything_to_screen_readers(flow: AttritionFlow) -> None:
    text = flow.accessibleDescription()
    assert text.startswith("Of 1,530 rows, 1,000 X-ray and 500 CT reports came to 400 pairs.")
    assert "60 drop out, 440 go on" in text


def test_nothing_imported_draws_nothing(flow: AttritionFlow) -> None:
    flow.set_steps(())
    assert (flow.marks, flow.labels, flow.accessibleDescription()) == ([], [], "")
    assert not image_of(flow).isNull()


def test_one_modality_alone_and_steps_without_rows_read(flow: AttritionFlow) -> None:
    flow.set_steps(
        [AttritionStep("reports of this modality", "xray", 50, 0, ""), AttritionStep("x", "xray", 0, 50, "no CT")]
    )
    assert [m.kept for m in flow.marks].count(False) == 1
    flow.grab()
    flow.set_steps([AttritionStep("rows read", "both", 5, 0, ""), AttritionStep("row is whole", "both", 0, 5, "torn")])
    assert len(flow.labels) == 3
    flow.grab()


def test_long_reasons_wrap_and_are_cut(flow: AttritionFlow) -> None:
    metrics = QFontMetricsF(flow.font())
    lines = wrapped_lines(REASONS[1], metrics, 90, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("\u2026")
    assert all(metrics.horizontalAdvance(line) <= 90 for line in lines)
    assert wrapped_lines("short", metrics, 90, 3) == ["short"]
