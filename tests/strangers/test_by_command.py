"""Each shape of export from its files to the pages, by the command line; and shapes of one department compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from .department import draw
from .runs import SEED, Went, each, run_of
from .sentences import ENGLISH, GERMAN
from .shapes import SHAPES


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
        assert f"{n:,} statements \N{MIDDLE DOT} {len(own)} pathologies" in page
        for topic, group in own.items():
            uses = {p["phrase"]: (round(p["positives"]), round(p["n"])) for p in group["phrases"]}
            for change in run.counted[1][author, topic]["advised"]:
                word = change["from"]
                confirmed, said = uses[word]
                used = {"present": f"stated {topic} without a hedge", "absent": f"ruled out {topic}"}
                seen = "showed" if word == "absent" else "confirmed"
                written = used.get(word, f"'{word}' for {topic}")
                told = f"{written}, CT {seen} it in {confirmed or 'none'} of {said} "
                assert told in page or f"{topic}: '{word}' \N{RIGHTWARDS ARROW} '{change['to']}'" in page


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


TOGETHER = (
    ("epic", "HL7", "FHIR bulk"),
    ("sectra", "titled Excel", "manifest"),
    ("German", "old Excel", "HL7 wrapped"),
)


@pytest.mark.slow
@pytest.mark.parametrize("names", TOGETHER, ids=" and ".join)
def test_shapes_of_one_department_say_the_same_of_it(names: tuple[str, ...], tmp_path: Path) -> None:
    """Whatever system handed it out: the same pairs, statements, results and advice, name for name."""
    language = SHAPES[names[0]].language
    assert language in (ENGLISH, GERMAN)
    lacking = {oddity for name in names for oddity in SHAPES[name].without}
    department = draw(SEED + 1, language, 66).without(lacking)
    runs = []
    for name in names:
        folder = tmp_path / name.replace(" ", "-")
        folder.mkdir()
        shape = SHAPES[name]
        runs.append(run_of(shape, department, folder, shape.write(folder, department)))
    first, *others = runs
    people = set(department.authors.values())
    for run in others:
        name_of = {run.shape.called(person): first.shape.called(person) for person in people}
        assert run.pairs == first.pairs
        assert {number: name_of[author] for number, author in run.authors.items()} == first.authors
        assert (run.left_out, run.said) == (first.left_out, first.said)
        for mine, theirs in ((run.reliability, first.reliability), (run.advice, first.advice)):
            renamed = {(name_of[author], topic): _of_words(group) for (author, topic), group in mine.items()}
            assert renamed == {key: _of_words(group) for key, group in theirs.items()}


def _of_words(group: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a group's words: halves of its findings are drawn anew for everybody of another name."""
    return {key: value for key, value in group.items() if key not in ("author", "train", "test")}
