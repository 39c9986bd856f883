"""What is said of findings to come."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from pytestqt.qtbot import QtBot

from radcal.calibration.records import PhraseRate
from radcal.calibration.sensitivity_records import GroupOutlook, NeededUses, Pace, WordOutlook
from ui.widgets.outlook import AheadPanel, until_advice, words_ahead

RATE = PhraseRate("likely", 30, 16, 0.53, 0.36, 0.7, 0.77)
LIKELY = WordOutlook("likely", 30, RATE, NeededUses("likely", 30, 0, 12, 0, "probably"), 4.8, 3.1, 8.2)
RARE = WordOutlook("maybe", 4, RATE._replace(phrase="maybe", n=4), NeededUses("maybe", 4, 6, None), 15, 8, 40)
AHEAD = GroupOutlook(
    *("Avery", "edema", 80, 60, date(2026, 1, 1), date(2026, 3, 11), Pace(80, 10, 8, 6, 10), 0.2, 0, 0.0),
    (RARE, LIKELY),
)


def test_the_soonest_word_comes_first() -> None:
    said = words_ahead(AHEAD)
    assert said[0] == (
        "12 more \u201clikely\u201d until advice, if CT goes on confirming it as now: "
        "about 5 weeks at this pace (3\u20138)."
    )
    assert said[1] == "6 more \u201cmaybe\u201d until it can be judged: about 15 weeks at this pace (8\u201340)."
    assert said[2].startswith("From 80 findings in 10 weeks")


def test_a_group_of_few_findings_needs_these_first() -> None:
    word = replace(LIKELY, needed=replace(LIKELY.needed, findings=20))
    assert until_advice(word).startswith("20 more findings, 12 of them \u201clikely\u201d, until there can be advice")
    word = replace(LIKELY, needed=replace(LIKELY.needed, findings=20, more=0))
    assert until_advice(word).startswith("20 more findings of this pathology until there can be advice on \u201clikely")


def test_what_nobody_lives_to_see_is_not_said() -> None:
    late = replace(AHEAD, words=(replace(LIKELY, weeks=400), replace(RARE, weeks=None), replace(LIKELY, needed=None)))
    assert words_ahead(replace(late, words=late.words[:2])) == []
    assert until_advice(late.words[2]) == ""


def test_the_panel_hides_where_there_is_nothing_to_say(qtbot: QtBot) -> None:
    panel = AheadPanel()
    qtbot.addWidget(panel)
    assert panel.isHidden()
    panel.show_ahead(AHEAD)
    assert not panel.isHidden()
    assert panel.text.text().count("\n") == 2
    panel.show_ahead(None)
    assert panel.isHidden()
