"""Goals: chosen in a personal file or noted here, told first in the next feedback, and in rounds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from radcal.calibration.goal_changes import Became, GoalChange, Use
from radcal.calibration.own_contests import OwnContests
from radcal.department import Department
from radcal.feedback.goals import said_of, told_to_owner
from radcal.feedback.records import Goal, GoalSaid
from radcal.opening import open_workspace
from radcal.system.errors import InputError
from radcal.system.estimates import Estimate
from radcal.system.settings import ALL_TOPICS

OWN = "own words of hers"
PLAN = "In portable films I will write it so."


@pytest.fixture
def topic(analysed: Department, author: str) -> str:
    """The pathology that the author spoke of most."""
    return max((r for r in analysed.analysis().reliabilities if r.author == author), key=lambda r: r.n).topic


def chosen(packet: Path, topic: str, *words: str, plan: str = PLAN) -> Path:
    with open_workspace(packet, OWN) as personal:
        contests = personal.contests
        assert isinstance(contests, OwnContests)
        contests.choose_goal(topic, *words, plan)
        return contests.hand_over(packet.with_name("back.radcal-contests"))


def test_a_goal_comes_back_from_a_personal_file_once(
    analysed: Department, author: str, topic: str, packet: Path
) -> None:
    file = chosen(packet, topic, "likely", "may represent")
    taken = analysed.personal_files.take_back(file)
    assert (taken.goal, taken.new, taken.changed) == (True, 0, True)
    goal = analysed.goals.current(author)
    assert goal is not None
    assert (goal.topic, goal.source, goal.target, goal.plan, goal.by) == (
        topic,
        "likely",
        "may represent",
        PLAN,
        author,
    )
    assert not analysed.personal_files.take_back(file).changed
    assert len(analysed.goals.all()) == 1
    with open_workspace(packet, OWN) as personal:  # it is kept beside the file, too
        assert isinstance(personal.contests, OwnContests)
        assert personal.contests.goal is not None
        assert personal.contests.goal.plan == PLAN
    analysed.goals.close(author)
    assert not analysed.personal_files.take_back(file).changed  # what was dropped here stays so
    assert analysed.goals.current(author) is None


def test_a_goal_that_cannot_be_followed_is_refused_and_said(
    analysed: Department, author: str, topic: str, packet: Path
) -> None:
    for words in (("likely", "likely"), ("likely", "no such word")):
        with pytest.raises(InputError, match="two words of the list"):
            analysed.goals.set(author, topic, words, "")
        taken = analysed.personal_files.take_back(chosen(packet, topic, *words))
        assert (taken.goal, [r.topic for r in taken.refused]) == (False, [topic])
    with pytest.raises(InputError, match="a pathology"):
        analysed.goals.set(author, "gout", ("likely", "unlikely"), "")
    assert analysed.goals.all() == ()
    assert analysed.goals.set(author, topic, ("likely", "unlikely"), f" x\n{'y' * 300}").plan == f"x {'y' * 198}"


def test_rounds_a_new_goal_closes_the_one_before_and_feedback_is_remembered(
    analysed: Department, author: str, topic: str, tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    analysed.goals.set(author, topic, ("likely", "may represent"), PLAN)
    text = printed(analysed.pages.pdf(author))
    assert "Your goal since" in text
    assert PLAN in text
    assert text.index("Your goal since") < text.index("What to do next")
    assert "Too early to say" in text
    assert analysed.goals.current(author).feedback == ""
    analysed.pages.write(author, tmp_path / "a.pdf")
    told = analysed.goals.current(author).feedback
    assert told
    analysed.pages.write(author, tmp_path / "b.pdf")
    assert analysed.goals.current(author).feedback == told  # the first time counts
    analysed.goals.set(author, ALL_TOPICS, ("unlikely", "possibly"), "")
    now, before = analysed.goals.all()
    assert (now.source, now.closed, before.source, bool(before.closed)) == ("unlikely", "", "likely", True)
    packet = analysed.personal_files.write(author, tmp_path / "p.radcal", OWN)
    with open_workspace(packet, OWN) as personal:
        said = personal.goals.said(author)
        assert said is not None
        assert said.goal.source == "unlikely"
        assert personal.pages.input(author).goal == said
    other = next(a for a in analysed.authors() if a != author)
    assert analysed.goals.said(other) is None
    assert "Your goal" not in printed(analysed.pages.pdf(other))


def test_what_became_of_it_follows_the_dates(analysed: Department, author: str, topic: str) -> None:
    """Set before all films, everything is since; set after them, nothing is."""
    own = analysed._stored.observations_of(author)
    own = own[own["topic"] == topic]
    n = len(own)
    for at, expected in (("2000-01-01T00:00:00+00:00", (0, n)), (datetime.now(UTC).isoformat(), (n, 0))):
        analysed.goals.set(author, topic, ("present", "likely"), "", at=at)
        said = analysed.goals.said(author)
        assert tuple(use.total for use in said.change.source) == expected
        assert sum(use.said for use in said.change.source) == int((own["phrase"] == "present").sum())


def test_a_file_for_its_radiologist_has_no_exact_figures_of_others() -> None:
    said = told("closer", 0.06, others=Estimate(0.0123, -0.041, 0.077))
    coarse = told_to_owner(said)
    assert coarse.change.others == (0.0, -0.05, 0.1)
    assert (coarse.change.n_others, coarse.change.change) == (0, None)
    assert (coarse.head, coarse.became, coarse.uses) == (said.head, said.became, said.uses)


def told(
    became: Became, after: float, *, others: Estimate | None = None, needed: int = 60, over: bool = True
) -> GoalSaid:
    goal = Goal("R", "edema", "likely", "may represent", PLAN, "2026-03-01T12:00:00+00:00")
    uses = (Use(41, 120), Use(4, 60)), (Use(12, 120), Use(31, 60))
    ends = Estimate(after, after - 0.1, after + 0.1)
    change = GoalChange(became, *uses, 30, needed, 0.24, ends, others, 100, Estimate(after - 0.24, -0.3, -0.1))
    return said_of(goal, change, overstated=over)


def test_it_is_said_in_plain_words_with_its_numbers() -> None:
    said = told("closer", 0.06, others=Estimate(0.0, -0.04, 0.04))
    assert said.head == f"'May represent' rather than 'likely' for edema. \u201c{PLAN}\u201d"
    assert said.became == (
        "These words came closer to what CT found: from 24 points stronger than CT supported to 6 points stronger "
        "(-4 to 16), in 30 uses. The first figure allows for chance. Colleagues\u2019 words did not clearly move "
        "meanwhile. The next look is after 60 uses."
    )
    assert said.uses == (
        "'Likely' 4 times in 60 findings since, 'may represent' 31 times. Before, 41 and 12 times in 120."
    )
    weak = told("unchanged", -0.05, needed=0, over=False)
    assert "to 5 points stronger (-5 to 15)" in weak.became
    assert "from 24 points weaker than CT supported" in weak.became
    assert "Too few colleagues" in weak.became
    assert "next look" not in weak.became
    assert "about 10 points closer meanwhile" in told("farther", 0.3, others=Estimate(-0.11, -0.2, -0.02)).became
