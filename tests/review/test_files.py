"""Gold sets go out as files and come back with the cues as they were written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from radcal.findings.records import Finding
from radcal.reports.records import Sentence
from radcal.review.files import gold_text, marks_of, read_gold
from radcal.review.records import Gold, GoldReport
from radcal.system.errors import InputError
from radcal.words.phrases import load_lexicon
from radcal.words.records import OTHER


@pytest.mark.parametrize(
    "cue", ["- pneumonia", "-", "=1+1", "'- as written", "+/-", "@", "likely", 'so-called "mild"', ""]
)
def test_a_cue_comes_back_as_it_was(tmp_path: Path, cue: str) -> None:
    text = f"There is {cue} edema."
    phrase = "likely" if cue else "present"
    report = GoldReport("-7", "xray", text, (Sentence("findings", 0, len(text), text),), None)
    said = Finding("-7", "edema", phrase, cue, text, "findings", 0, len(text), 0, 0)
    gold = Gold(("-7",), (said,), frozenset(), 0, 0, frozenset())
    file = tmp_path / "gold.tsv"
    file.write_text(gold_text(gold, [report]), encoding="utf-8")
    line = file.read_text("utf-8").splitlines()[1].split("\t")
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in line if cell != "-")
    [row] = read_gold(file)
    assert (row.report_id, row.pathology, row.phrase, row.cue) == ("-7", "edema", phrase, cue)
    [[mark]] = marks_of([row], {"-7": report}, load_lexicon(), file.name).values()
    assert mark.finding.verbatim == cue
    assert mark.finding.cue_start == (text.index(cue) if cue else -1)
    assert marks_of([row], {}, load_lexicon(), file.name) == {}, "it is a row of another report"
    [[other]] = marks_of([replace(row, phrase=OTHER)], {"-7": report}, load_lexicon(), file.name).values()
    assert other.finding.phrase == OTHER
    with pytest.raises(InputError, match="line 2: the phrase is not in the list of words"):
        marks_of([replace(row, phrase="hm")], {"-7": report}, load_lexicon(), file.name)
    file.write_text(gold_text(Gold(("-7",), (), frozenset(), 0, 0, frozenset()), [report]), encoding="utf-8")
    assert marks_of(read_gold(file), {"-7": report}, load_lexicon(), file.name) == {}, "the report states nothing"
