"""The rules engine as an Extractor: spans, sections, order, independence, provenance."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.records import Finding
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.reports.records import Document, Section, Sentence
from radcal.system.errors import Cancelled
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from tests.cases import cases_of

cases = cases_of(__file__)

SENTENCES = (
    "No pleural effusion or pneumothorax.",
    "Left base opacity, likely atelectasis; early pneumonia cannot be excluded.",
    "LUNGS: Clear.",
    "The heart is mildly enlarged.",
    "Small pleural\neffusions are unchanged.",
    "Degenerative changes of the spine.",
    "Nodule in the lingula, possibly a granuloma.",
)


Report = Callable[..., Document]
Read = Callable[..., set[tuple[str, str]]]
Found = Callable[..., tuple[Finding, ...]]


@pytest.fixture(scope="session")
def found(rules: RulesEngine, report: Report) -> Found:
    """The findings of a report of sentences."""
    return lambda *sentences: next(rules.extract([report("r", *sentences)], SILENT)).findings


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6))
def test_spans_point_at_the_words_in_the_report(rules: RulesEngine, report: Report, sentences: list[str]) -> None:
    document = report("r", *sentences)
    (extraction,) = rules.extract([document], SILENT)
    for f in extraction.findings:
        assert document.text[f.start : f.end] == f.sentence
        assert f.start <= f.term_start < f.term_end <= f.end
        if f.verbatim:
            assert document.text[f.cue_start : f.cue_end] == f.verbatim
        else:
            assert (f.phrase, f.cue_start, f.cue_end) == ("present", -1, -1)
        assert f.engine == "rules"


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6))
def test_a_report_states_what_its_sentences_state(stated: Read, sentences: list[str]) -> None:
    assert stated(*sentences) == set().union(*map(stated, sentences))


def test_reports_come_back_in_order_and_the_same_in_any_company(rules: RulesEngine, report: Report) -> None:
    documents = [report(str(i), s) for i, s in enumerate(SENTENCES)]
    forward = list(rules.extract(documents, SILENT))
    backward = list(rules_engine().extract(reversed(documents), SILENT))
    assert [e.report_id for e in forward] == [d.report_id for d in documents]
    assert forward == backward[::-1]


@pytest.mark.parametrize("section", [Section.INDICATION, Section.COMPARISON, Section.TECHNIQUE, Section.OTHER])
def test_sections_that_assert_nothing(stated: Read, section: Section) -> None:
    assert stated((section, "There is a large pleural effusion.")) == set()
    assert len(stated((Section.IMPRESSION, "There is a large pleural effusion."))) == 1


def test_one_finding_for_each_pathology_and_phrase_of_a_sentence(found: Found) -> None:
    nodules = found("A nodule in the left lung, another nodule in the right lung, possible nodule at the apex.")
    assert [(f.pathology, f.phrase) for f in nodules] == [("nodule", "present"), ("nodule", "possibly")]


def test_the_same_statement_in_two_sentences_is_two_findings(found: Found) -> None:
    effusions = found("Small effusion.", (Section.IMPRESSION, "Small effusion."))
    assert [f.section for f in effusions] == [Section.FINDINGS, Section.IMPRESSION]


@cases("sentences_cut_by_a_line_break_or_a_stray_full_stop_are_read_together")
def test_sentences_cut_by_a_line_break_or_a_stray_full_stop_are_read_together(
    stated: Read, lines: tuple[str, ...], expected: set[tuple[str, str]]
) -> None:
    assert stated(*lines) == expected


def test_sentences_that_all_begin_small_do_not_go_on_in_each_other(stated: Read) -> None:
    lines = ("no rib fracture is seen today", "pleural thickening at the left apex", "heart is not enlarged")
    assert stated(*lines) == {
        ("fracture", "absent"),
        ("pleural thickening", "present"),
        ("cardiomegaly", "absent"),
    }


def test_a_finding_over_a_line_break_stands_where_its_last_word_stands(rules: RulesEngine, report: Report) -> None:
    lines = ("No pleural", "effusion or pneumothorax.")
    document = report("r", *lines)
    (extraction,) = rules.extract([document], SILENT)
    effusion = extraction.findings[0]
    assert effusion.sentence == lines[1]
    assert document.text[effusion.term_start : effusion.term_end] == "pleural\neffusion"
    assert document.text[effusion.cue_start : effusion.cue_end] == "No" == effusion.verbatim


@cases("a_heading_holds_to_the_end_of_its_line")
def test_a_heading_holds_to_the_end_of_its_line(rules: RulesEngine, text: str, expected: set[tuple[str, str]]) -> None:
    sentences = tuple(
        Sentence(Section.FINDINGS, m.start(), m.end(), m.group()) for m in re.finditer(r"[A-Z][^.]*\.", text)
    )
    (extraction,) = rules.extract([Document("r", text, sentences)], SILENT)
    assert {(f.pathology, f.phrase) for f in extraction.findings if f.pathology != "cardiomegaly"} == expected


def test_lines_of_different_sections_are_never_joined(stated: Read) -> None:
    assert stated("There is no", (Section.IMPRESSION, "pleural effusion.")) == {("pleural effusion", "present")}


def test_empty_reports(stated: Read) -> None:
    assert stated() == set()
    assert stated("", " ") == set()


def test_a_report_that_cannot_be_read_fails_alone_and_its_words_stay_out(
    report: Report, onlooker: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = rules_engine()
    real = engine._read

    def broken(text: str, heading: str, code: str) -> object:
        if "fox" in text:
            raise ValueError(text)
        return real(text, heading, code)

    monkeypatch.setattr(engine, "_read", broken)
    documents = [report(s[:3], s) for s in ("Small effusion.", "A fox.", "No edema.")]
    counter = onlooker()
    first, failed, last = engine.extract(documents, counter)
    assert [f.phrase for e in (first, last) for f in e.findings] == ["present", "absent"]
    assert (failed.findings, failed.report_id) == ((), "xray:A f")
    assert "ValueError" in failed.failure
    assert "fox" not in failed.failure
    assert counter.done == 3


def test_progress_and_cancelling(rules: RulesEngine, report: Report, onlooker: Callable[..., Any]) -> None:
    documents = [report(str(i), SENTENCES[0]) for i in range(10)]
    counter = onlooker(parts=4)
    with pytest.raises(Cancelled):
        list(rules.extract(documents, counter))
    assert counter.done == 4
    assert counter.told == [], "the caller knows the amount"


def test_provenance_follows_the_files(rules: RulesEngine, report: Report, tmp_path: Path) -> None:
    shutil.copytree(resource("lexicon"), tmp_path, dirs_exist_ok=True)
    same = rules_engine(tmp_path)
    assert (same.name, same.version, same.settings_hash) == (rules.name, rules.version, rules.settings_hash)
    cues = tmp_path / "cues.tsv"
    cues.write_text(cues.read_text(encoding="utf-8") + "hedge\tprobably\tbefore\tgroup\tmethinks\n", encoding="utf-8")
    edited = rules_engine(tmp_path)
    assert edited.settings_hash != same.settings_hash
    (extraction,) = edited.extract([report("r", "Methinks a small effusion.")], SILENT)
    assert [f.phrase for f in extraction.findings] == ["probably"]


def test_a_hedge_in_no_list_is_other_and_keeps_its_words(found: Found) -> None:
    (edema,) = found("Appearance typical of pulmonary edema.")
    assert (edema.phrase, edema.verbatim) == ("other", "Appearance typical of")


PIECES = (
    "no", "possible", "likely", "not seen", "cannot be excluded", "versus", "or", "and", ",", ".", ":", ";", "(", ")",
    "effusion", "pneumonia", "heart size", "normal", "enlarged", "lungs", "clear", "lymph nodes", "XXXX", "but", "with",
    "small", "is", "either", "over", "may represent", "history of", "over the left base", "consider", "none", "\n", "?",
)  # fmt: skip


def test_two_states_before_one_organ_keep_the_order_of_the_words(found: Found) -> None:
    (nodes,) = found("Normal enlarged lymph nodes.")
    assert (nodes.pathology, nodes.phrase) == ("lymphadenopathy", "present")
    assert nodes.start < nodes.term_start < nodes.term_end < nodes.end


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_order_of_words_is_read_without_failure(rules: RulesEngine, report: Report, pieces: list[str]) -> None:
    document = report("r", " ".join(pieces))
    (extraction,) = rules.extract([document], SILENT)
    assert not extraction.failure
    keys = [(f.pathology, f.phrase) for f in extraction.findings]
    assert len(keys) == len(set(keys))
    for f in extraction.findings:
        assert f.start <= f.term_start < f.term_end <= f.end
        assert document.text[f.cue_start : f.cue_end] == f.verbatim or (f.cue_start, f.verbatim) == (-1, "")
