"""Terms that the bundled model was not trained on are shown to it as terms that it knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.by_model.engine import DEFAULT_MODEL, llama_engine
from radcal.findings.by_model.protocol import trained_on
from radcal.findings.by_model.reports import StandIns
from radcal.findings.model.gguf_file import read_texts
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.reports.records import Document
from radcal.system.progress import SILENT
from radcal.system.resources import model_file, resource
from radcal.words.pathologies import names
from tests.cases import cases_of

cases = cases_of(__file__)

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
    return StandIns(read_vocabulary(own, resource("lexicon")), names())


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
    assert set(trained_on(read_texts(model, "tokenizer.ggml.tokens"))) <= set(names())
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
