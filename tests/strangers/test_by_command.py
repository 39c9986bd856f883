"""Each shape of export from its files to the pages, by the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from .department import draw
from .runs import Went, each
from .sentences import ENGLISH
from .shapes import SHAPES


@pytest.mark.slow
@pytest.mark.parametrize("name", each(SHAPES))
def test_a_department_comes_through_as_it_is(
    name: str, went: Callable[[str], Went], printed: Callable[[bytes], str]
) -> None:
    """Rows, pairs, authors, what is left out and why, statements, results, advice and pages are those of the truth."""
    run = went(name)
    truth = run.department
    called = {number: run.shape.called(author) for number, author in truth.authors.items()}
    assert (run.left_out, run.listed) == (truth.left_out, truth.listed)
    assert (run.pairs, run.authors) == (truth.pairs, called)
    summary = run.summary
    assert (summary["rows_read"], summary["pairs"], summary["authors"]) == (
        len(truth.rows),
        len(truth.pairs),
        len(set(called.values())),
    )
    assert (run.status, summary["unread"], summary["unknown_phrases"]) == (int(bool(truth.listed)), 0, {})
    wrong = {key: (said, run.said.get(key)) for key, said in truth.said.items() if run.said.get(key) != said}
    assert wrong == {}
    assert run.said.keys() == truth.said.keys()

    reliability, advice = run.counted
    assert run.reliability == reliability
    assert run.advice == advice
    assert any(group["recommendations"] for group in advice.values())
    assert summary["groups_measured"] == sum(group["curve"] is not None for group in reliability.values())
    _printed_as_counted(run, printed)


def _printed_as_counted(run: Went, printed: Callable[[bytes], str]) -> None:
    """Every radiologist has pages, with their own numbers of statements and of what is advised."""
    pages = [printed(path.read_bytes()) for path in (run.folder / "out").glob("feedback-*.pdf")]
    for author in {run.shape.called(author) for author in run.department.authors.values()}:
        [page] = [page for page in pages if author in page]
        own = {topic: group for (who, topic), group in run.counted[0].items() if who == author}
        n = round(sum(group["n"] for group in own.values()))
        assert f"{n:,} findings \N{MIDDLE DOT} {len(own)} pathologies" in page
        for topic, group in own.items():
            uses = {p["phrase"]: (round(p["positives"]), round(p["n"])) for p in group["phrases"]}
            for change in run.counted[1][author, topic]["advised"]:
                word = change["from"]
                confirmed, said = uses[word]
                assert f"{topic.capitalize()}: '{change['to']}' rather than '{word}'" in page
                if word == "absent":
                    told = f"You ruled out {topic} {said} times; CT showed it in {confirmed or 'none'} ("
                else:
                    over = change["rate"] < change["expected"]
                    told = f"Your '{word}' {'over' if over else 'under'}stated {topic}: "
                    told += f"CT confirmed {confirmed or 'none'} of {said} ("
                assert told in page


def test_the_files_are_not_drawn_for_the_program() -> None:
    """Departments differ by their seeds, and have what makes an export hard."""
    one, other = draw(1), draw(2)
    assert one.pairs != other.pairs
    assert one.outcomes != other.outcomes
    assert draw(1).rows == one.rows
    lengths = sorted(len(row.text(ENGLISH)) for row in one.rows)
    assert lengths[-1] > 5000  # three pages
    assert {row.dictator == row.signer for row in one.rows} == {True, False}
    strengths = Counter(strength for said in one.said.values() for _, strength in said)
    assert len(strengths) >= 12
    assert sum(n for strength, n in strengths.items() if strength not in ("present", "absent")) > 100
