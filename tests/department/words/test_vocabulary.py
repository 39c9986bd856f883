"""The vocabulary of a department: chosen, counted by radiologist and quarter, handed out, and kept to by advice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from radcal.cli.run import vocabulary_rows
from radcal.department import Department
from radcal.opening import open_workspace
from radcal.system.errors import InputError
from radcal.system.intervals import wilson
from radcal.system.selection import Days
from radcal.words.records import ABSENT, PRESENT, VocabularyUse
from radcal.words.scales import allowed, scale_called, scales
from radcal.workspace.context import WORDINGS_BY_DAY


@pytest.fixture
def chosen(analysed: Department) -> Department:
    analysed.words.choose_vocabulary("brigham")
    analysed.analyse()
    return analysed


def written(department: Department, author: str = "") -> Counter[tuple[str, str]]:
    """Phrase and words of every finding of the paired X-ray reports, counted one by one."""
    workspace, pairs = department._workspace, department._workspace.pairs()
    wanted = pairs[pairs["author"] == author] if author else pairs
    findings = workspace.findings(department.runs.on_show(), wanted["xray_id"])
    return Counter(zip(findings["phrase"], findings["verbatim"].str.casefold(), strict=True))


def test_without_a_vocabulary_nothing_is_counted(analysed: Department) -> None:
    vocabulary = analysed.vocabulary
    assert vocabulary.scale is None
    assert vocabulary.uses() == vocabulary.over_time() == ()
    author = analysed.authors()[0]
    assert vocabulary.use_of(author) is None
    assert analysed.pages.input(author).vocabulary is None
    assert [scale.name for scale in scales()] == ["Brigham", "ICD 203", "IPCC"]


def test_only_a_scale_that_there_is_can_be_chosen(analysed: Department) -> None:
    with pytest.raises(InputError, match="no such scale"):
        analysed.words.choose_vocabulary("wibble")
    assert analysed.settings.vocabulary == ""
    analysed.words.choose_vocabulary("brigham")
    assert analysed.vocabulary.scale == scale_called("brigham")
    assert analysed.words.state().settings_only
    analysed.words.choose_vocabulary("")
    assert analysed.vocabulary.scale is None


def test_every_hedged_finding_of_the_paired_x_rays_is_counted_by_its_words(chosen: Department) -> None:
    every, *by_author = chosen.vocabulary.uses()
    assert [use.author for use in by_author] == list(chosen.authors())
    for use in (every, *by_author):
        said = written(chosen, use.author)
        hedged = {key: n for key, n in said.items() if key[0] not in (ABSENT, PRESENT)}
        assert use.n == sum(hedged.values()) > 20
        possibly = sum(n for (_, words), n in hedged.items() if words.startswith("possibly"))
        assert dict(use.words).get("possibly", 0) == possibly
        assert use.outside == sum(n for _, n in use.words)
        assert (use.outside_low, use.outside_high) == wilson(use.outside / use.n, use.n)
    assert every.n == sum(use.n for use in by_author)
    # More than enters the statistics: a report may say a thing twice, and CT may be silent on it.
    entered = sum(p.n for r in chosen.analysis().reliabilities for p in r.phrases if 0 < p.mean < 1)
    assert every.n >= entered


def test_periods_and_days_add_up(chosen: Department) -> None:
    author = chosen.authors()[0]
    for who in ("", author):
        total = next(use for use in chosen.vocabulary.uses() if use.author == who)
        months, quarters = (chosen.vocabulary.over_time(who, unit) for unit in ("month", "quarter"))
        assert len(months) > len(quarters) > 0
        for periods in (months, quarters):
            assert sum(p.n for p in periods) == total.n
            assert sum(p.outside for p in periods) == total.outside
        starts = [p.start for p in months]
        assert starts == sorted(starts)
    first = months[0]
    assert first.start is not None
    assert first.end is not None
    within = chosen.vocabulary.use_of(author, Days(first.start, date.fromordinal(first.end.toordinal() - 1)))
    assert within == replace(first, start=None, end=None)


def test_advice_proposes_the_words_of_the_scale_alone(chosen: Department) -> None:
    own = set(allowed(chosen.settings, chosen.lexicon.phrases))
    proposed = {r.target for a in chosen.analysis().advices for r in a.recommendations}
    assert proposed <= own


def test_a_personal_file_has_the_radiologist_s_own_use_and_nobody_else_s(chosen: Department, tmp_path: Path) -> None:
    author = chosen.authors()[0]
    expected = chosen.vocabulary.use_of(author)
    assert expected is not None
    path = chosen.personal_files.write(author, tmp_path / "own.radcal", "own words of hers")
    with open_workspace(path, "own words of hers") as own:
        assert own.vocabulary.use_of(author) == expected
        assert own.pages.input(author).vocabulary == expected
        assert [use.n for use in own.vocabulary.uses()] == [expected.n, expected.n]
        said = own._workspace.load_frame(WORDINGS_BY_DAY)
        assert said is not None
        assert set(said["author"]) == {author}


def test_rows_of_lists_have_pseudonyms_quotable_words_and_nobody_s_exact_figures() -> None:
    words = (("rule out", 7), ("Jane Doe fell", 5), ("cannot exclude", 4))
    spreads = (0.41, 0.59, 0.02, 0.18)
    people = [VocabularyUse("Brigham", f"Dr. {k}", 40 + k, 11, 9, 20, 4, *spreads, words) for k in range(6)]
    everyone = VocabularyUse("Brigham", "", 255, 66, 54, 120, 24, 0.44, 0.56, 0.06, 0.13, words)
    names = {f"Dr. {k}": f"Reader {k}" for k in range(6)}
    rows = vocabulary_rows([everyone, *people], names)
    assert [row["radiologist"] for row in rows] == ["", *names.values()]
    assert rows[1] == {
        "scale": "Brigham", "radiologist": "Reader 0", "first_day": None,
        "hedged": "30-49", "within": "10-19", "established": "5-9", "outside": "20-29", "avoided": "0-4",
        "outside_low": 0.25, "outside_high": 0.85, "avoided_low": 0.0, "avoided_high": 0.3, "words": "rule out",
    }  # fmt: skip
    assert rows[0]["hedged"] == "200-499"  # 6 times 39.5
    # A total would give away the sixth to five who know their own figures.
    assert [row["radiologist"] for row in vocabulary_rows([everyone, *people[:5]], names)] == list(names.values())[:5]
    assert vocabulary_rows([everyone, *people[:4], replace(people[4], n=4)], names) == []
