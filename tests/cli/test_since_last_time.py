"""``radcal report`` tells the new cases and the goal of its pages, and ``review-file merge`` takes answers in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from radcal.calibration.own_contests import OwnContests
from radcal.opening import open_department, open_workspace

OWN = "own words of hers"


def test_new_cases_goal_and_answers_are_in_the_summaries(
    done: Path, author: str, key: str, radcal: Callable[..., SimpleNamespace], tmp_path: Path
) -> None:
    with open_department(done, key) as department:
        new = department.new_cases.of(author)
        assert new.cases
        case = new.cases[0]
        topic = case.example.topic
        packet = department.personal_files.write(author, tmp_path / "p.radcal", OWN)
    asked = ("report", "--workspace", done, "--author", author, "--out", tmp_path / "a.pdf", "--json")
    told = json.loads(radcal(*asked).out)
    assert told["new_cases"]["n"] == new.n
    assert [c["topic"] for c in told["new_cases"]["cases"]] == [c.example.topic for c in new.cases]
    assert {"kind", "chance", "phrase", "outcome", "report_id"} < set(told["new_cases"]["cases"][0])
    assert told["goal"] is None
    assert case.example.xray_sentence not in json.dumps(told), "reports are on the page, not in the summary"
    with open_workspace(packet, OWN) as personal:
        contests = personal.contests
        assert isinstance(contests, OwnContests)
        contests.add(case.xray_id, topic, author, case.example.phrase, agreed=True)
        contests.choose_goal(topic, "likely", "may represent", "In portable films.")
        file = contests.hand_over(tmp_path / "back.radcal-contests")
    merged = radcal("review-file", "merge", file, "--workspace", done, "--json")
    assert merged.status == 0
    (taken,) = json.loads(merged.out)["taken"]
    assert (taken["radiologist"], taken["added"], taken["agreed"], taken["goal"]) == (author, 0, 1, True)
    goal = json.loads(radcal(*asked).out)["goal"]
    assert goal["goal"]["plan"] == "In portable films."
    assert goal["change"]["became"] == "too few"
    assert goal["became"].startswith("Too early to say")
