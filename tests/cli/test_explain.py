"""``radcal explain``: the words, the rules and the second reader's say on a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import pytest

from radcal.findings.readers import second
from radcal.findings.readers.chance import FEATURES, KINDS, Weights
from radcal.findings.readers.explaining import Explainer, explain
from radcal.findings.readers.pairs import Answers, Question, phrases_of
from radcal.findings.readers.second import TwoReaders
from radcal.findings.rules.engine import rules_engine
from radcal.reports.sections import document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.words.extraction_words import shipped

ALONE = Settings(second="none")


class Sure:
    """A pair reader that takes everything for possible, and remembers what it was asked."""

    name, version, settings_hash, phrases = "sure", "1", "0", phrases_of(shipped())

    def __init__(self, failure: str = "") -> None:
        self.asked: list[Question] = []
        self._failure = failure

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        row = np.full(len(self.phrases), 0.02)
        row[self.phrases.index("possibly")] = 1 - 0.02 * (len(self.phrases) - 1)
        for questions in reports:
            self.asked += questions
            yield Answers(tuple(np.tile(row, (len(q.pathologies), 1)) for q in questions), self._failure)

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...


def test_words_rules_and_findings_of_a_sentence() -> None:
    found = explain("LLL opac, poss pna, no eff.", ALONE)
    assert found.read == "LLL opacity, possible pneumonia, no effusion."
    assert [(w.words, w.read) for w in found.written_out] == [
        ("opac", "opacity"), ("poss", "possible"), ("pna", "pneumonia"), ("eff", "effusion"),
    ]  # fmt: skip
    assert [(t.words, t.pathologies) for t in found.terms] == [
        ("opacity", ("opacity",)), ("pneumonia", ("infection",)), ("effusion", ("pleural effusion",)),
    ]  # fmt: skip
    assert [(c.words, c.kind, c.phrase) for c in found.cues] == [
        ("possible", "hedge", "possibly"), ("no", "negation", "absent"),
    ]  # fmt: skip
    assert {(f.pathology, f.phrase, f.words, f.cue, f.decided.rule if f.decided else "") for f in found.findings} == {
        ("opacity", "present", "opac", "", "a plain statement"),
        ("infection", "possibly", "pna", "poss", "a finding behind its cue"),
        ("pleural effusion", "absent", "eff", "no", "a finding behind its cue"),
    }
    assert all(f.second is None and f.chance is None for f in found.findings)


@pytest.mark.parametrize(
    ("sentence", "pathology", "rule"),
    [
        ("Heart size is normal.", "cardiomegaly", "a healthy organ"),
        ("Atelectasis is favored over pneumonia.", "atelectasis", "a cue behind its finding"),
        ("Effusion versus atelectasis.", "atelectasis", "a finding behind its cue"),
        ("Kleiner Erg. li., V. a. Pneumonie.", "infection", "a finding behind its cue"),
    ],
)
def test_the_rule_that_gave_the_phrase_is_named(sentence: str, pathology: str, rule: str) -> None:
    [finding] = [f for f in explain(sentence, ALONE).findings if f.pathology == pathology]
    assert finding.decided is not None
    assert finding.decided.rule == rule
    assert finding.decided.says.endswith(".")


def test_an_explanation_reads_as_the_engine_does() -> None:
    engine = rules_engine()
    explainer = Explainer(engine, shipped(), ALONE)
    for sentence in ("Poss. pna.", "Pneumothorax: [ ] Yes [X] No", "Heart normal, no LAD.", "Effusion versus edema."):
        [extraction] = engine.extract([document("", f"FINDINGS: {sentence}")], SILENT)
        expected = {(f.pathology, f.phrase) for f in extraction.findings}
        assert {(f.pathology, f.phrase) for f in explainer.explain(sentence).findings} == expected


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sure], Explainer]:
    """Explains by the rules with a second reader, all of whose readings have a chance of 0.73."""
    weights = Weights(1.0, (0.0,) * len(FEATURES), 0.5)
    monkeypatch.setattr(second, "fitted", lambda: dict.fromkeys(KINDS, weights))
    monkeypatch.setattr(second, "ordinary_words", dict)
    return lambda reader: Explainer(TwoReaders(rules_engine(), reader, "model", shipped()), shipped(), ALONE)


def test_the_second_reader_is_asked_of_all_that_is_named(beside: Callable[[Sure], Explainer]) -> None:
    reader = Sure()
    found = beside(reader).explain("History of pna. No eff.")
    assert found.second == "sure"
    asked = reader.asked[-1]
    assert (asked.sentence, asked.pathologies, asked.words) == (
        "History of pneumonia. No effusion.", ("infection", "pleural effusion"), ("pneumonia", "effusion"),
    )  # fmt: skip
    [(pathology, opinion)] = found.unstated
    assert pathology == "infection"
    assert (opinion.hedge, opinion.phrase) == ("possibly", "possibly")
    assert opinion.present + opinion.absent + opinion.hedged + opinion.not_stated == pytest.approx(1)
    [effusion] = found.findings
    assert effusion.second == opinion
    assert effusion.chance == pytest.approx(1 / (1 + np.exp(-1)))


def test_a_second_reader_that_fails_leaves_what_the_rules_read(beside: Callable[[Sure], Explainer]) -> None:
    found = beside(Sure("It stopped.")).explain("No effusion.")
    assert found.failure == "It stopped."
    assert [(f.pathology, f.phrase, f.second, f.chance) for f in found.findings] == [
        ("pleural effusion", "absent", None, None)
    ]


def test_what_cannot_be_read_says_why() -> None:
    with pytest.raises(InputError, match="no sentence"):
        explain("  ", ALONE)
    found = explain("Brak płynu w jamach opłucnowych.", ALONE)
    assert "Polish" in found.failure
    assert found.findings == ()


def test_the_command_prints_and_gives_json(radcal) -> None:
    done = radcal("explain", "No new motor axe.", "--second", "none")
    assert done.status == 0
    for shown in (
        "Read as   No pneumothorax.",
        "'new motor axe' -> 'pneumothorax'",
        "Term      'pneumothorax'",
        "Cue       'No': negation, absent",
        "pneumothorax: absent",
        "decided by: a finding behind its cue.",
    ):
        assert shown in done.out
    shown = json.loads(radcal("explain", "No new motor axe.", "--second", "none", "--json").out)
    assert shown["read"] == "No pneumothorax."
    assert shown["findings"][0]["decided"]["rule"] == "a finding behind its cue"
    assert radcal("explain", "Brak płynu w jamach opłucnowych.", "--second", "none").status == 1
