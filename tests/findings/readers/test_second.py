"""Two readers: the rules' reading with the chance that it is right; what the second reader doubts is unread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radcal.findings.engines import make_engine, model_name, sends_to, sent_by
from radcal.findings.readers import second
from radcal.findings.readers.chance import FEATURES, KINDS, Weights
from radcal.findings.readers.pairs import HEDGED, NOT_STATED, Answers, Question, assertions, phrases_of
from radcal.findings.readers.second import TwoReaders
from radcal.findings.records import Extraction, Finding
from radcal.findings.rules.engine import RulesEngine
from radcal.reports.records import Document, Section
from radcal.system.errors import Cancelled, EngineError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import EMPTY, Text
from radcal.words.extraction_words import shipped
from radcal.words.records import ABSENT, PRESENT, UNREAD

Report = Callable[..., Document]
PHRASES = phrases_of(shipped())
SURE = 0.97


@dataclass
class Second:
    """A pair reader that is sure of a phrase for each (sentence, pathology), PRESENT where none is given.

    fails:   sentences whose reports fail
    ahead:   reports that it takes before it answers the first
    """

    says: Mapping[tuple[str, str], str] = field(default_factory=dict)
    fails: frozenset[str] = frozenset()
    ahead: int = 3
    sure: float = SURE
    phrases: tuple[str, ...] = PHRASES
    name: str = "reader"
    version: str = "2+library.3"
    settings_hash: str = "x"
    model: Path = Path("tiny.gguf")
    host: str = ""
    sent: int = 0
    asked: list[Question] = field(default_factory=list)
    taken: int = 0
    done: list[str] = field(default_factory=list)

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        waiting: list[Sequence[Question]] = []
        for report in reports:
            progress.raise_if_cancelled()
            self.taken += 1
            waiting.append(report)
            if len(waiting) > self.ahead:
                yield self._of(waiting.pop(0))
        yield from map(self._of, waiting)

    def _of(self, report: Sequence[Question]) -> Answers:
        self.asked += report
        if any(q.sentence in self.fails for q in report):
            return Answers((), "It is broken.")
        return Answers(tuple(np.array([self.row(q.sentence, p) for p in q.pathologies]) for q in report))

    def row(self, sentence: str, pathology: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        likely = self.phrases.index(self.says.get((sentence, pathology), PRESENT))
        row = np.full(len(self.phrases), (1 - self.sure) / (len(self.phrases) - 1))
        row[likely] = self.sure
        return row

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name not in ("pause", "resume", "close"):
            raise AttributeError(name)
        return lambda: self.done.append(name)


@pytest.fixture(autouse=True)
def plain_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chance is the second reader's probability of what the rules assert; below one half a finding is unread."""
    weights = Weights(0.0, tuple(float(name == "certainty") for name in FEATURES), 0.5)
    monkeypatch.setattr(second, "fitted", lambda: dict.fromkeys(KINDS, weights))


@pytest.fixture
def made(rules: RulesEngine) -> Callable[..., TwoReaders]:
    def make(reader: Second, unread_below: float | None = None) -> TwoReaders:
        return TwoReaders(rules, reader, "model", shipped(), None, unread_below)

    return make


def said(extraction: Extraction) -> list[tuple[str, str, str, str]]:
    return [(f.pathology, f.phrase, f.rules, f.second) for f in extraction.findings]


EFFUSION = "No pleural effusion."
NODULE = "There is a nodule."
EDEMA = "Mild edema is likely."


def test_what_both_read_stays_with_its_chance(made: Callable[..., TwoReaders], report: Report) -> None:
    reader = Second({(EFFUSION, "pleural effusion"): ABSENT, (EDEMA, "edema"): "likely"})
    [read] = made(reader).extract([report("1", EFFUSION, NODULE, EDEMA)], SILENT)
    assert said(read) == [
        ("pleural effusion", ABSENT, "", ABSENT),
        ("nodule", PRESENT, "", PRESENT),
        ("edema", "likely", "", "likely"),
    ]
    for finding in read.findings:
        kind = finding.phrase if finding.phrase in (PRESENT, ABSENT) else HEDGED
        expected = assertions(PHRASES, reader.row(finding.sentence, finding.pathology))[kind]
        assert finding.probability == pytest.approx(expected)


@pytest.mark.parametrize("other", [ABSENT, "possibly", NOT_STATED])
def test_what_the_second_reader_doubts_is_unread_with_both_readings_and_never_replaced(
    made: Callable[..., TwoReaders], report: Report, rules: RulesEngine, other: str
) -> None:
    document = report("1", EFFUSION, NODULE)
    [alone] = rules.extract([document], SILENT)
    # Untrained models say "not stated" too readily; where another answer is all but excluded, it counts.
    reader = Second({(EFFUSION, "pleural effusion"): ABSENT, (NODULE, "nodule"): other}, sure=0.999)
    [read] = made(reader).extract([document], SILENT)
    kept, doubted = read.findings
    assert (kept.phrase, doubted.phrase, doubted.rules, doubted.second) == (ABSENT, UNREAD, PRESENT, other)
    assert doubted.probability is not None
    assert doubted.probability < 0.5
    changed = {"phrase": PRESENT, "rules": "", "second": "", "probability": None}
    assert [replace(f, **changed) for f in read.findings] == [replace(f, **changed) for f in alone.findings]
    assert doubted.unread == "yes"


def test_a_department_s_threshold_takes_the_place_of_the_fitted_one(
    made: Callable[..., TwoReaders], report: Report
) -> None:
    document = report("1", NODULE)
    for least, phrase in ((0.0, PRESENT), (SURE - 0.01, PRESENT), (SURE + 0.01, UNREAD), (1.0, UNREAD)):
        [read] = made(Second(), least).extract([document], SILENT)
        assert [f.phrase for f in read.findings] == [phrase]


def test_what_the_rules_leave_unread_stays_so_with_what_the_second_reader_says(
    made: Callable[..., TwoReaders], report: Report
) -> None:
    doubt = "A nodule, or so one would tentatively think."
    [read] = made(Second({(doubt, "nodule"): "possibly"})).extract([report("1", doubt)], SILENT)
    assert said(read) == [("nodule", UNREAD, "", "possibly")]
    assert read.findings[0].probability is None
    assert read.findings[0].verbatim == "think"


def test_a_sentence_is_asked_about_once_whole_and_with_the_words_that_name_its_pathologies(
    made: Callable[..., TwoReaders], report: Report
) -> None:
    reader = Second()
    broken = "No pneumothorax, and there is a", "small effusion with an effusion in the fissure."
    document = report("1", "The trachea is midline.", *broken, EFFUSION)
    [read] = made(reader).extract([document], SILENT)
    whole, other = reader.asked
    assert whole.sentence == " ".join(broken)
    assert dict(zip(whole.pathologies, whole.words, strict=True)) == {
        "pneumothorax": "pneumothorax",
        "pleural effusion": "effusion",
    }
    assert (other.sentence, other.words, other.language) == (EFFUSION, ("pleural effusion",), "en")
    assert all(f.second == PRESENT for f in read.findings)


def test_two_assertions_of_a_pathology_in_a_sentence_are_both_what_the_rules_assert(
    made: Callable[..., TwoReaders], report: Report
) -> None:
    both = "No new nodule, but the known nodule is unchanged."
    [read] = made(Second()).extract([report("1", both)], SILENT)
    assert sorted(f.phrase for f in read.findings) == [ABSENT, PRESENT]


def test_of_hedges_in_a_sentence_the_nearest_is_the_second_reader_s(
    made: Callable[..., TwoReaders], report: Report
) -> None:
    text = "Possible edema, and a small nodule is likely."
    reader = Second({(text, name): "worrisome for" for name in ("edema", "nodule")})
    [read] = made(reader).extract([report("1", text)], SILENT)
    assert {(f.pathology, f.second) for f in read.findings} == {("edema", "possibly"), ("nodule", "likely")}


def test_order_and_lazy_reading(made: Callable[..., TwoReaders], report: Report) -> None:
    """Reports without findings, too, come in order; no more are taken than the second reader asks for."""
    texts = [EFFUSION, "The trachea is midline.", NODULE, EDEMA] * 10
    reader, given = Second(ahead=2), []

    def documents() -> Iterator[Document]:
        for n, text in enumerate(texts):
            given.append(n)
            yield report(str(n), text)

    read = made(reader).extract(documents(), SILENT)
    first = next(read)
    assert (first.report_id, len(given)) == ("xray:0", 3)
    ids = [first.report_id, *(e.report_id for e in read)]
    assert ids == [f"xray:{n}" for n in range(len(texts))]


class Noting:
    """A Progress that keeps the notes, and is cancelled after some reports."""

    def __init__(self, most: int = 1000) -> None:
        self.notes: list[str] = []
        self.most = most

    def start(self, total: int | None, what: Text) -> None: ...

    def advance(self, n: int = 1, note: Text = EMPTY) -> None:
        self.notes += [str(note)] * n

    def raise_if_cancelled(self) -> None:
        if len(self.notes) >= self.most:
            raise Cancelled


def test_where_the_second_reader_fails_the_report_has_failed_and_it_is_told(
    made: Callable[..., TwoReaders], report: Report
) -> None:
    documents = [report("1", NODULE), report("2", EFFUSION), report("3", NODULE)]
    noted = Noting()
    read = list(made(Second(fails=frozenset([EFFUSION]))).extract(documents, noted))
    assert [e.failure for e in read] == ["", "It is broken.", ""]
    assert [f.probability is None for e in read for f in e.findings] == [False, False]
    assert len(noted.notes) == 3
    assert ["reports a minute" in note for note in noted.notes] == [True] * 3
    assert ["failed on 1 report" in note for note in noted.notes] == [False, True, True]


def test_a_report_that_the_rules_cannot_read_stays_a_failure(made: Callable[..., TwoReaders], report: Report) -> None:
    french = "Pas de pneumothorax ni d'épanchement pleural. Le coeur est de taille normale. Les poumons sont clairs."
    [read] = made(reader := Second()).extract([report("1", french)], SILENT)
    assert read.failure
    assert not reader.asked


def test_it_is_cancelled_within_the_reading(made: Callable[..., TwoReaders], report: Report) -> None:
    read = made(Second(ahead=0)).extract((report(str(n), NODULE) for n in range(10)), Noting(2))
    with pytest.raises(Cancelled):
        list(read)


def test_an_engine_that_breaks_down_is_an_error(made: Callable[..., TwoReaders], report: Report) -> None:
    reader = Second()

    def answer(reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        raise EngineError("It does not start.")
        yield

    reader.answer = answer  # type: ignore[method-assign]
    with pytest.raises(EngineError, match="does not start"):
        list(made(reader).extract([report("1", NODULE)], SILENT))


def test_pausing_and_closing_reach_the_second_reader(made: Callable[..., TwoReaders], report: Report) -> None:
    reader = Second(host="llm.example:8443", sent=4)
    both = made(reader)
    list(both.extract([report("1", NODULE)], SILENT))
    both.pause()
    both.resume()
    both.close()
    assert reader.done == ["pause", "resume", "close"]
    assert (model_name(both), sends_to(both), sent_by(both)) == ("tiny.gguf", "llm.example:8443", 4)
    assert not both._spotter.tokens.cache_info().currsize


def test_version_and_settings_tell_both_readers_apart(made: Callable[..., TwoReaders], rules: RulesEngine) -> None:
    both = made(Second())
    assert str(both.name) == "rules"
    assert rules.version in both.version
    assert "reader.2+library.3" in both.version
    others = [made(Second(settings_hash="y")), made(Second(), 0.3), TwoReaders(rules, Second(), "bundled", shipped())]
    hashes = {e.settings_hash for e in (both, made(Second()), *others)}
    assert len(hashes) == 4
    assert rules.settings_hash not in hashes


def test_rules_in_several_processes_give_the_same(made: Callable[..., TwoReaders], report: Report) -> None:
    documents = [report(str(n), text) for n, text in enumerate((EFFUSION, NODULE, EDEMA))]
    beside = TwoReaders(make_engine("rules", settings=Settings(workers=2, second="none")), Second(), "model", shipped())
    assert list(beside.extract(documents, SILENT)) == list(made(Second()).extract(documents, SILENT))


def test_findings_in_other_sections_and_languages_are_asked_about(
    made: Callable[..., TwoReaders], report: Report
) -> None:
    reader = Second()
    german = "Kein Pneumothorax, kein Pleuraerguss. Die Lunge ist frei und das Herz normal groß."
    document = report("1", (Section.INDICATION, NODULE), (Section.IMPRESSION, german))
    [read] = made(reader).extract([document], SILENT)
    assert {q.language for q in reader.asked} == {"de"}
    assert {f.pathology for f in read.findings} >= {"pneumothorax", "pleural effusion"}
    assert isinstance(read.findings[0], Finding)
