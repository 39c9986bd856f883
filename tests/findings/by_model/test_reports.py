"""Terms that the bundled model was not trained on are shown to it as terms that it knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.by_model.engine import DEFAULT_MODEL, llama_engine
from radcal.findings.by_model.protocol import trained_on
from radcal.findings.by_model.reports import Findings, StandIns
from radcal.findings.joined_sentences import WholeSentence
from radcal.findings.model.gguf_file import read_texts
from radcal.findings.records import Finding
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.reports.records import Document
from radcal.system.progress import SILENT
from radcal.system.resources import model_file, resource
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import load_lexicon
from tests.cases import cases_of

cases = cases_of(__file__)


@pytest.fixture(scope="module")
def make(report: Callable[..., Document]) -> Callable[..., Finding]:
    maker = Findings(read_vocabulary(resource("lexicon")), load_lexicon(), "llama")

    def of(sentence: str, pathology: str, said: str, **more: Any) -> Finding:
        document = report("1", "First sentence.", sentence)
        reading = {"pathology": pathology, "said": said, "term": None, "cue": None, "probability": 0.5, **more}
        return maker.make(document.report_id, WholeSentence(document.sentences[1:]), reading)

    return of


def test_a_sentence_in_pieces_keeps_its_places(report: Callable[..., Document]) -> None:
    maker = Findings(read_vocabulary(resource("lexicon")), load_lexicon(), "llama")
    document = report("1", "Before.", "There may be a", "small left effusion", "of fluid.")
    reading = {"pathology": "pleural effusion", "said": "may be", "term": None, "cue": [6, 12], "probability": 0.9}
    whole = WholeSentence(document.sentences[1:])
    found = maker.make("1", whole, reading)
    assert found.sentence == "small left effusion"
    assert document.text[found.start : found.end] == found.sentence
    assert document.text[found.term_start : found.term_end] == "effusion"
    assert document.text[found.cue_start : found.cue_end] == found.verbatim == "may be"
    maker.forget()
    assert maker.make("1", whole, reading) == found


def words(finding: Finding, start: int, end: int) -> str:
    offset = finding.start
    return finding.sentence[start - offset : end - offset]


@cases("a_row_of_words_becomes_a_finding")
def test_a_row_of_words_becomes_a_finding(
    make: Callable[..., Finding], sentence: str, pathology: str, said: str, phrase: str, cue: str, term: str
) -> None:
    place = sentence.find(said)
    finding = make(sentence, pathology, said, cue=[place, place + len(said)] if place >= 0 else None)
    assert (finding.phrase, finding.verbatim) == (phrase, cue)
    assert words(finding, finding.term_start, finding.term_end) == term
    assert (words(finding, finding.cue_start, finding.cue_end) if cue else "") == cue
    assert (finding.cue_start == -1) == (not cue)
    assert finding.start == len("First sentence. ")
    assert finding.engine == "llama"
    assert finding.probability == 0.5


def test_the_term_nearest_to_the_cue_is_meant(make: Callable[..., Finding]) -> None:
    finding = make("A mass or a likely mass.", "mass", "likely", cue=[12, 18])
    assert finding.term_start == finding.start + 19


def test_spans_of_the_bundled_model_are_kept(make: Callable[..., Finding]) -> None:
    finding = make("Query mass?", "mass", "hedged", term=[6, 10], cue=[0, 5])
    assert (finding.phrase, finding.verbatim) == ("question of", "Query")
    assert (finding.term_start, finding.term_end) == (finding.start + 6, finding.start + 10)
    plain = make("A mass.", "mass", "present", term=[2, 6])
    assert (plain.phrase, plain.verbatim, plain.cue_start) == ("present", "", -1)


@cases("the_lexicon_decides_what_the_words_that_it_knows_can_mean")
def test_the_lexicon_decides_what_the_words_that_it_knows_can_mean(
    make: Callable[..., Finding | None], sentence: str, pathology: str, term: str, probability: float, stands: bool
) -> None:
    place = sentence.find(term)
    found = make(sentence, pathology, "present", term=[place, place + len(term)], probability=probability)
    assert (found is not None) is stands


TERMS = (
    "pathology\twords\tunless\tnote\tunder",
    "azygos fissure\tazygos (fissure|lobe)",
    "catheter malposition\tmalpositioned [central venous] (catheter|line)",
    "diaphragm elevation\t(elevated|elevation of [the]) [left|right] hemidiaphragm",
    "edema\twaterlogged lungs",
    "azygos fissure + catheter malposition\tline in an azygos lobe",
)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "pathologies_terms.tsv").write_text("\n".join(TERMS), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def stand_ins(own: Path) -> StandIns:
    return StandIns(read_vocabulary(own, resource("lexicon")), pathology_names())


@cases("a_known_term_stands_in")
def test_a_known_term_stands_in(stand_ins: StandIns, sentence: str, shown: str) -> None:
    assert stand_ins.shown(sentence).text == shown


PARTS = [
    "no ",
    "azygos lobe",
    "malpositioned catheter",
    " and ",
    " may be ",
    "edema",
    ", ",
    "\u00e9 ",
    "elevated hemidiaphragm",
]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), st.data())
def test_spans_of_what_is_shown_become_spans_of_the_sentence(
    stand_ins: StandIns, text: str, data: st.DataObject
) -> None:
    shown = stand_ins.shown(text)
    pieces, at = [], 0
    for place in shown.places:
        pieces += [text[at : place.start], place.known]
        at = place.end
        assert shown.text[place.shown_start : place.shown_end] == place.known
    assert "".join([*pieces, text[at:]]) == shown.text
    if not shown.text:
        return
    start = data.draw(st.integers(0, len(shown.text) - 1))
    end = data.draw(st.integers(start + 1, len(shown.text)))
    reading = {"pathology": "mass", "term": (start, end), "cue": (start, end)}
    for told in shown.readings(reading):
        a, b = told["term"]
        assert text[a:b] == shown.text[start:end]
    for place in shown.places:
        (told,) = shown.readings(
            {"pathology": place.known, "term": (place.shown_start, place.shown_end), "cue": (start, end)}
        )
        assert (told["pathology"], told["term"]) == (place.pathologies[0], (place.start, place.end))
        a, b = told["cue"]
        assert 0 <= a < b <= len(text)


def test_a_model_that_is_told_of_all_pathologies_is_shown_the_sentence(own: Path) -> None:
    assert StandIns(read_vocabulary(own, resource("lexicon"))).shown("An azygos lobe.").text == "An azygos lobe."


def test_what_was_trained_on_is_read_from_the_file() -> None:
    model = model_file(DEFAULT_MODEL)
    assert set(trained_on(read_texts(model, "tokenizer.ggml.tokens"))) <= set(pathology_names())
    assert read_texts(model, "nothing") == ()
    assert read_texts(model, "general.architecture") == ()


def test_the_bundled_model_reads_new_pathologies(own: Path, report: Callable[..., Document]) -> None:
    sentences = (
        "There may be an azygos lobe.",
        "No malpositioned catheter or pneumothorax.",
        "Probable elevation of the left hemidiaphragm.",
        "Possible line in an azygos lobe.",
    )
    with llama_engine(own=own) as engine, llama_engine() as plain:
        (extraction,) = engine.extract([report("1", *sentences)], SILENT)
        assert engine.settings_hash != plain.settings_hash
    found = {
        (f.pathology, f.phrase, f.sentence[f.term_start - f.start : f.term_end - f.start]) for f in extraction.findings
    }
    assert found >= {
        ("azygos fissure", "may represent", "azygos lobe"),
        ("catheter malposition", "absent", "malpositioned catheter"),
        ("pneumothorax", "absent", "pneumothorax"),
        ("diaphragm elevation", "probably", "elevation of the left hemidiaphragm"),
        ("azygos fissure", "possibly", "line in an azygos lobe"),
        ("catheter malposition", "possibly", "line in an azygos lobe"),
    }


def test_a_general_model_is_offered_new_pathologies(own: Path, model: Path, options: Callable[..., object]) -> None:
    with llama_engine(model, options(prompts=None), own=own) as engine:  # type: ignore[arg-type]
        assert engine._task.reader["pathologies"][-3:] == (
            "azygos fissure",
            "catheter malposition",
            "diaphragm elevation",
        )
        assert "azygos fissure" in engine._prompt.base
        assert "diaphragm elevation" in engine._prompt.chat
