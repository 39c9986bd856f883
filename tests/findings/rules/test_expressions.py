"""Words by name: the signs that expressions have in addition, and rows that use them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from radcal.findings.rules.engine import rules_engine
from radcal.findings.rules.patterns import PatternError, Words
from radcal.reports.records import Document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.word_files import rows_of

MATCHED = [
    ("infarct*", "infarcts", True), ("infarct*", "infarct", True), ("infarct*", "an infarct", False),
    ("[left|right].. lung", "left right left lung", True), ("[left|right].. lung", "lung", True),
    ("(left|right).. lung", "lung", False), ("(left|right).. lung", "right lung", True),
    ("the <2> cyst", "the cyst", True), ("the <2> cyst", "the big old cyst", True),
    ("the <2> cyst", "the very big old cyst", False), ("the <1:2> cyst", "the cyst", False),
    ("!(is|are)<2> seen", "well seen", True), ("!(is|are)<2> seen", "is seen", False),
    ("one !(of)", "one", True), ("one !(of)", "one  of", False), ("one !(of)", "one other", False),
    ("*ly", "clearly", True), ("*ly", "clear", False), ("-", "-", False), ("a [,] b", "a, b", True),
]  # fmt: skip


@pytest.mark.parametrize(("words", "text", "expected"), MATCHED)
def test_an_expression_matches_the_whole_of_its_texts_and_no_other(words: str, text: str, expected: bool) -> None:
    assert (Words(words).whole(text) is not None) == expected


def test_where_an_expression_is_looked_for() -> None:
    words, text = Words("(of|by) [the]"), "mass of the lung, seen by us"
    assert words.at(text, 4).span() == (4, 12)  # type: ignore[union-attr]
    assert words.at(text, 0) is None
    assert words.ends(text, 0, 12).start() == 5  # type: ignore[union-attr]
    assert words.ends(text, 0, 16) is None
    assert words.within(text, 13, len(text)).start() == text.index("by")  # type: ignore[union-attr]
    assert Words("of").within("hereof", 0, 6) is None


@pytest.mark.parametrize("words", ["!is", "a|b", "(a|", "a..", "<3> !"])
def test_broken_expressions(words: str) -> None:
    with pytest.raises(PatternError):
        Words(words)


def _row(folder: Path, name: str, line: str) -> None:
    header = "kind\tphrase\tdirection\treach\twords" if name == "cues.tsv" else "name\twords\tmeaning"
    (folder / name).write_text(f"{header}\n{line}\n", encoding="utf-8")


def test_named_words_stand_where_their_name_is(tmp_path: Path) -> None:
    _row(tmp_path, "expressions.tsv", "is\t(is|was)\t\nnot seen\t{is} not (seen|found)\t")
    _row(tmp_path, "cues.tsv", "negation\tabsent\tafter\tlist\t[clearly] {not seen} here")
    [row] = rows_of(tmp_path / "cues.tsv", ("kind", "phrase", "direction", "reach", "words"))
    assert row["words"] == "[clearly] (is|was) not (seen|found) here"


def test_a_name_without_words_is_refused_with_its_place(tmp_path: Path) -> None:
    _row(tmp_path, "expressions.tsv", "later\t{seen} here\t\nseen\tseen\t")
    with pytest.raises(InputError, match=r"expressions.tsv, line 2: .*'seen'"):
        list(rows_of(tmp_path / "expressions.tsv", ("name", "words", "meaning")))


def test_a_department_s_own_rows_may_use_the_shipped_names(tmp_path: Path, report: Callable[..., Document]) -> None:
    _row(tmp_path, "cues.tsv", "negation\tabsent\tafter\tlist\t{be} a mirage never {seen}")
    [read] = rules_engine(own=tmp_path).extract([report("r", "The effusion was a mirage never demonstrated.")], SILENT)
    assert [(f.pathology, f.phrase) for f in read.findings] == [("pleural effusion", "absent")]


def test_a_broken_expression_is_refused_with_its_place_and_changes_the_version(tmp_path: Path) -> None:
    shutil.copytree(resource("lexicon"), tmp_path, dirs_exist_ok=True)
    file = tmp_path / "expressions.tsv"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("nor\tnor\t", "nor\t(nor|or no)\t"), encoding="utf-8")
    assert rules_engine(tmp_path).settings_hash != rules_engine().settings_hash
    file.write_text(f"{text}odd\t(a|\t\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"expressions.tsv, line {len(text.splitlines()) + 1}: the words have"):
        rules_engine(tmp_path)
