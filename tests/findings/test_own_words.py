"""A department's own files: they prevail over the shipped ones, and what is odd about them is told by file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.rules.engine import rules_engine
from radcal.findings.rules.remarks import changes_nothing, own_words
from radcal.findings.rules.synonyms import pathology_words
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.reports.records import Document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from tests.cases import cases_of

cases = cases_of(__file__)

Write = Callable[..., Path]
HEADS = {
    "pathologies_terms.tsv": "pathology\twords\tunless\tnote\tunder",
    "pathologies_subjects.tsv": "kind\tstates\twords",
    "cues.tsv": "kind\tphrase\tdirection\treach\twords",
    "confirmations.csv": "xray,confirmed_by,optional,silent_ct",
}
THREE = (
    "azygos fissure\tazygos (fissure|lobe)",
    "catheter malposition\tmalpositioned [central venous] (catheter|line)",
    "diaphragm elevation\t(elevated|elevation of [the]) [left|right] hemidiaphragm",
)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a folder of words: ``write(terms=[...], subjects=[...], cues=[...], confirmations=[...])``."""

    def _write(**lines: list[str]) -> Path:
        for (name, head), key in zip(HEADS.items(), ("terms", "subjects", "cues", "confirmations"), strict=True):
            if key in lines:
                (tmp_path / name).write_text("\n".join([head, *lines[key], ""]), encoding="utf-8")
        return tmp_path

    return _write


def read(own: Path, report: Callable[..., Document], sentence: str) -> set[tuple[str, str]]:
    (extraction,) = rules_engine(own=own).extract([report("r", sentence)], SILENT)
    return {(f.pathology, f.phrase) for f in extraction.findings}


def told(own: Path) -> list[tuple[str, int, str]]:
    return [(r.file, r.line, str(r.text)) for r in own_words(own).remarks]


# --- what prevails -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "sentence", "expected"),
    [
        ({"terms": [THREE[0]]}, "There may be an azygos lobe.", {("azygos fissure", "may represent")}),
        ({"terms": [THREE[0]]}, "There may be an azigos lobe.", set()),
        ({"terms": ["azygos fissure\tazygosfissure"]}, "No azygosfisure.", {("azygos fissure", "absent")}),
        # Of equal words the department's prevail, over a pathology as over words that are no finding.
        (
            {"terms": ["subcutaneous air\tsubcutaneous emphysema"]},
            "Subcutaneous emphysema.",
            {("subcutaneous air", "present")},
        ),
        ({"terms": ["-\tpneumothorax"]}, "No pneumothorax or effusion.", {("pleural effusion", "absent")}),
        ({"terms": ["mass\tedema"]}, "Edema.", {("mass", "present")}),
        # The longest match wins as ever.
        ({"terms": ["-\teffusion"]}, "Pleural effusion.", {("pleural effusion", "present")}),
        ({"cues": ["hedge\tlikely\tboth\tgroup\tmethinks"]}, "Methinks edema.", {("edema", "likely")}),
        ({"cues": ["negation\tabsent\tboth\tlist\tpossible"]}, "Possible edema.", {("edema", "absent")}),
        # The shipped order of hedges holds, whatever the department lists first.
        (
            {"cues": ["hedge\tconsistent with\tboth\tgroup\tmethinks"]},
            "Methinks possible edema.",
            {("edema", "possibly")},
        ),
        (
            {
                "terms": [THREE[2]],
                "subjects": ["subject\tdiaphragm elevation\tdiaphragm", "state\tdiaphragm_elevation=present\thigh"],
            },
            "The diaphragm is high.",
            {("diaphragm elevation", "present")},
        ),
        (
            {"terms": ["effusion elsewhere\teffusion\t\t\tjoint[s]"]},
            "Joints: no effusion.",
            {("effusion elsewhere", "absent")},
        ),
        (
            {"terms": ["effusion elsewhere\teffusion\t\t\tjoint[s]"]},
            "Pericardium: no effusion.",
            {("pericardial effusion", "absent")},
        ),
    ],
)
def test_the_departments_words_prevail(
    write: Write,
    report: Callable[..., Document],
    lines: dict[str, list[str]],
    sentence: str,
    expected: set[tuple[str, str]],
) -> None:
    assert read(write(**lines), report, sentence) == expected


def test_other_words_are_read_as_before(write: Write, report: Callable[..., Document]) -> None:
    own = write(terms=list(THREE))
    sentences = (
        "Possible edema without effusion.",
        "Heart size is normal.",
        "Nodule versus granuloma.",
        "Lungs are clear.",
    )
    for sentence in sentences:
        (before,) = rules_engine().extract([report("r", sentence)], SILENT)
        assert read(own, report, sentence) == {(f.pathology, f.phrase) for f in before.findings}


def test_an_edited_file_makes_another_run(write: Write) -> None:
    shipped = rules_engine().settings_hash
    first = rules_engine(own=write(terms=[THREE[0]])).settings_hash
    second = rules_engine(own=write(terms=[THREE[1]])).settings_hash
    assert len({shipped, first, second}) == 3
    assert rules_engine(own=write(terms=[THREE[1]])).settings_hash == second


def test_synonyms_have_the_departments_terms(write: Write) -> None:
    words = pathology_words(write(terms=[*THREE, "edema\twaterlogged lungs"]))
    assert words["azygos fissure"] == ("azygos fissure", "azygos lobe")
    assert "waterlogged lungs" in words["edema"]
    assert "azygos fissure" not in pathology_words()


@settings(deadline=None, max_examples=5)
@given(st.permutations(THREE))
def test_the_order_of_other_lines_does_not_matter(lines: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pathologies_terms.tsv").write_text(
            "\n".join([HEADS["pathologies_terms.tsv"], *lines]), "utf-8"
        )
        assert own_words(Path(folder)).remarks == ()
        assert set(own_words(Path(folder)).pathologies) == {line.split("\t")[0] for line in THREE}


# --- what is odd -------------------------------------------------------------------------------------


def test_nothing_is_odd_about_three_new_pathologies(write: Write) -> None:
    own = own_words(write(terms=list(THREE), confirmations=["azygos fissure,,,absent"]))
    assert own.remarks == ()
    assert (own.terms, own.organs, own.cues, own.confirmations) == (3, 0, 0, 1)
    assert set(own.pathologies) == {"azygos fissure", "catheter malposition", "diaphragm elevation"}


@pytest.mark.slow
def test_every_shipped_line_can_be_recognised_and_says_something_of_its_own() -> None:
    vocabulary = read_vocabulary(resource("lexicon"))
    assert [(r.file, r.line, str(r.text)) for r in changes_nothing(vocabulary, vocabulary.entries)] == []


@cases("what_is_odd_is_told_by_file_and_line")
def test_what_is_odd_is_told_by_file_and_line(
    write: Write, lines: dict[str, list[str]], file: str, line: int, said: str
) -> None:
    own = write(**lines)
    assert any(f == file and n == line and said in text for f, n, text in told(own)), told(own)
    assert rules_engine(own=own), "the rest is in force"


def test_names_that_differ_in_a_word_are_two(write: Write) -> None:
    own = write(terms=["left hilar lump\tfullness on the left", "right hilar lump\tfullness on the right"])
    assert told(own) == []


def test_files_and_folders_that_are_not_read_are_told(write: Write) -> None:
    own = write(terms=[THREE[0]])
    meant = {
        "cue.tsv": "cues.tsv",
        "cues.tsv.txt": "cues.tsv",
        "pathologies_subjects.TSV": "pathologies_subjects.tsv",
        "confirmation.csv": "confirmations.csv",
    }
    for name in (*meant, "words.tsv", "README.md", ".hidden.tsv"):
        (own / name).write_text("", encoding="utf-8")
    (own / "de").mkdir()
    remarks = {file: text for file, line, text in told(own) if line == 0}
    assert remarks.pop("de").startswith("This folder is not read.")
    assert remarks.pop("words.tsv").startswith("This file is not read, only pathologies_terms.tsv")
    assert remarks == {name: f"This file is not read. Did you mean {file}?" for name, file in meant.items()}


def test_lines_on_unknown_pathologies_are_left_out(write: Write, report: Callable[..., Document]) -> None:
    own = write(
        subjects=["state\topacity=absent snow=present\twhitish", "subject\tsnow\tfield"],
        confirmations=["snow,,,absent", "mass,snow,,absent"],
    )
    assert read(own, report, "Lungs are whitish.") == {("opacity", "absent")}
    assert pathology_names(own) == pathology_names()


@cases("a_malformed_line_is_an_error")
def test_a_malformed_line_is_an_error(write: Write, lines: dict[str, list[str]], said: str) -> None:
    with pytest.raises(InputError) as error:
        own_words(write(**lines))
    assert said in str(error.value)
