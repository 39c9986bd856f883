"""The words of sentences as they are read, and where they stand in the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from radcal.findings.edits import Edit, edited
from radcal.findings.normaliser import Normaliser
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.reports.records import Section
from radcal.reports.sections import document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.replacements import read_replacements

NORMALISERS = {code: Normaliser(words, code) for code, words in read_vocabularies(resource("lexicon")).items()}
CASES = [
    (*cells[:2], cells[2] if len(cells) > 2 else cells[1])
    for line in Path(__file__).with_name("normaliser.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for cells in [line.split("\t")]
]
SENTENCES = [sentence for code, sentence, _ in CASES if code == "en"]
Read = Callable[..., set[tuple[str, str]]]


@pytest.mark.parametrize(("code", "sentence", "expected"), CASES)
def test_words_are_read_as_they_are_meant(code: str, sentence: str, expected: str) -> None:
    assert NORMALISERS[code](sentence).text.split() == expected.split()
    assert (NORMALISERS[code](sentence).text == sentence) == (sentence == expected)


@pytest.mark.parametrize(("code", "sentence", "expected"), CASES)
def test_what_is_read_is_read_as_it_is(code: str, sentence: str, expected: str) -> None:
    again = NORMALISERS[code](expected).text
    assert again.split() == expected.split()


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4), st.sampled_from([" ", "; ", "\n", " and "]))
def test_what_is_untouched_is_identical_and_spans_lead_back(sentences: list[str], between: str) -> None:
    text = between.join(sentences)
    normal = NORMALISERS["en"](text)
    replaced = {at for edit in normal.edits for at in range(edit.start, edit.end)}
    for at in range(len(text)):
        if at in replaced:
            continue
        start, end = normal.read(at, at + 1)
        assert normal.original(start, end) == (at, at + 1)
        if not text[at].isalpha():
            continue
        assert normal.text[start:end] in (text[at], " ", ".", ",", ":", "?")
    for edit in normal.edits:
        if edit.words and edit.start < edit.end:
            start, end = normal.read(edit.start, edit.end)
            assert normal.text[start:end] == edit.words
            assert normal.original(start, end) == (edit.start, edit.end)


PLACES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4), st.text("xy", max_size=3)))


@given(st.text("ab .", max_size=12), PLACES)
@example("abba", [(0, 1, "x"), (0, 2, "y"), (2, 0, "")])
def test_of_overlapping_edits_the_first_is_made(text: str, places: list[tuple[int, int, str]]) -> None:
    expected: list[Edit] = []
    for start, n, words in places:
        edit = Edit(start, start + n, words)
        if edit.end <= len(text) and not any(edit.start < e.end and e.start < edit.end for e in expected):
            expected.append(edit)
    made = edited(text, [Edit(start, start + n, words) for start, n, words in places if start + n <= len(text)])
    assert sorted(made.edits, key=repr) == sorted(expected, key=repr)
    for edit in reversed(made.edits):
        text = text[: edit.start] + edit.words + text[edit.end :]
    assert made.text == text


def test_findings_point_at_the_words_of_the_report(rules: RulesEngine) -> None:
    text = "FINDINGS: Poss. RLL pna, can't excl sm eff. No new motor axe."
    [extraction] = rules.extract([document("r", text)], SILENT)
    shown = {f.pathology: (text[f.term_start : f.term_end], f.verbatim, f.phrase) for f in extraction.findings}
    assert shown == {
        "infection": ("pna", "Poss.", "possibly"),
        "pleural effusion": ("eff", "can't excl", "possibly"),
        "pneumothorax": ("new motor axe", "No", "absent"),
    }
    for f in extraction.findings:
        assert text[f.start : f.end] == f.sentence
        assert text[f.cue_start : f.cue_end] == f.verbatim


def test_spoken_punctuation_ends_sentences_and_makes_headings() -> None:
    text = (
        "findings colon heart normal period no effusion comma or edema period new paragraph impression colon "
        "left lower lobe pneumonia full stop"
    )
    assert [(s.section, s.text) for s in document("r", text).sentences] == [
        (Section.FINDINGS, "heart normal period"),
        (Section.FINDINGS, "no effusion comma or edema period"),
        (Section.IMPRESSION, "left lower lobe pneumonia full stop"),
    ]


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("heart size normal period lungs clear period no effusion full stop left rib fracture period",
         {("cardiomegaly", "absent"), ("opacity", "absent"), ("pleural effusion", "absent"), ("fracture", "present")}),
        ("heart size normal lungs clear no effusion left base opacity likely atelectasis bones intact",
         {("cardiomegaly", "absent"), ("opacity", "absent"), ("opacity", "present"), ("pleural effusion", "absent"),
          ("atelectasis", "likely")}),
        ("Pleural effusion:\n[ ] none\n[x] small\n[ ] large", {("pleural effusion", "present")}),
        ("Effusion: (x) None ( ) Small", {("pleural effusion", "absent")}),
        ("Pneumothorax: Y/N", set()),
        ("Pneumothorax: N. Effusion: Y.", {("pneumothorax", "absent"), ("pleural effusion", "present")}),
    ],
)  # fmt: skip
def test_reports_of_other_makes_are_read(rules: RulesEngine, report: str, expected: set[tuple[str, str]]) -> None:
    [extraction] = rules.extract([document("r", report)], SILENT)
    assert {(f.pathology, f.phrase) for f in extraction.findings} == expected


def test_a_departments_own_words_are_not_written_out(tmp_path: Path) -> None:
    (tmp_path / "pathologies_terms.tsv").write_text(
        "pathology\twords\tunless\tnote\tunder\nmass\tlad\n", encoding="utf-8"
    )
    text = "No LAD."
    [own] = rules_engine(own=tmp_path).extract([document("r", text)], SILENT)
    [shipped] = rules_engine().extract([document("r", text)], SILENT)
    assert [f.pathology for f in own.findings] == ["mass"]
    assert [f.pathology for f in shipped.findings] == ["lymphadenopathy"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [("eff", "the meaning is missing"), ("eff||x\teffusion", "one of several words is empty"),
     ("eff\teffusion\t<", "without words")],
)  # fmt: skip
def test_a_broken_row_is_named(tmp_path: Path, row: str, reason: str) -> None:
    path = tmp_path / "abbreviations.tsv"
    path.write_text(f"words\tmeaning\twith\tunless\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"abbreviations.tsv, line 2: .*{reason}"):
        read_replacements(path)
