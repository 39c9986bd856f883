"""A model that reads alone, over one whose answers the test gives: sentences asked, findings made, words found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from radcal.findings.readers.alone import ReadingAlone
from radcal.findings.readers.pairs import (
    NOT_STATED,
    Answers,
    Hedge,
    Named,
    Question,
    Spotter,
    assertions,
    decide,
    governing,
    phrases_of,
)
from radcal.findings.records import Extraction, Extractor
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.reports.records import Document, Section
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import resource
from radcal.words.phrases import load_lexicon
from radcal.words.records import UNREAD

LEXICON = load_lexicon()
PHRASES = phrases_of(LEXICON)
Report = Callable[..., Document]


class Told:
    """Answers as it was told by pathology; a report of which a sentence holds the word "fails" fails."""

    name = "llama"
    version = "9"
    settings_hash = "told"
    phrases = PHRASES

    def __init__(self, told: Mapping[str, Mapping[str, float]]) -> None:
        self.told = told
        self.asked: list[Question] = []
        self.calls: list[str] = []

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        for report in reports:
            self.asked += report
            if any("fails" in question.sentence for question in report):
                yield Answers((), "it failed")
            else:
                yield Answers(tuple(np.array([chances(self.told[p]) for p in q.pathologies]) for q in report))

    def pause(self) -> None:
        self.calls.append("pause")

    def resume(self) -> None:
        self.calls.append("resume")

    def close(self) -> None:
        self.calls.append("close")


def chances(told: Mapping[str, float]) -> np.ndarray:
    rest = (1 - sum(told.values())) / len(PHRASES)
    return np.array([told.get(phrase, 0.0) + rest for phrase in PHRASES])


@pytest.fixture
def read(report: Report) -> Callable[..., list[tuple[Any, ...]]]:
    """What is read in sentences: pathology, phrase, words of the term, words of the certainty."""

    def read(*sentences: str, **told: Any) -> list[tuple[Any, ...]]:
        document = report("r", *sentences)
        [found] = made({k.replace("_", " "): v for k, v in told.items()}).extract([document], SILENT)
        assert found.failure == ""
        for f in found.findings:
            assert document.text[f.start : f.end] == f.sentence
            assert f.verbatim == (document.text[f.cue_start : f.cue_end] if f.cue_start >= 0 else "")
        return [(f.pathology, f.phrase, document.text[f.term_start : f.term_end], f.verbatim) for f in found.findings]

    return read


def made(told: Mapping[str, Mapping[str, float]]) -> ReadingAlone:
    return ReadingAlone(Told(told))


SURE = {"present": 0.98}
DENIED = {"absent": 0.98}
VAGUE = {"possibly": 0.5, "likely": 0.4}


def test_the_words_name_what_is_asked_and_the_model_says_whether(read: Callable[..., Any]) -> None:
    assert read(
        "There is no effusion, but a nodule.", "The weather is fine.", "Heart size is normal.",
        pleural_effusion=DENIED, nodule=SURE, cardiomegaly=DENIED,
    ) == [
        ("pleural effusion", "absent", "effusion", "no"),
        ("nodule", "present", "nodule", ""),
        ("cardiomegaly", "absent", "Heart size is normal", ""),
    ]  # fmt: skip
    # The same words, another model: they decide nothing.
    assert read("There is no effusion.", pleural_effusion=SURE) == [("pleural effusion", "present", "effusion", "")]


def test_the_nearest_hedge_of_the_sentence_names_the_phrase(read: Callable[..., Any]) -> None:
    text = "Opacity, likely atelectasis, although pneumonia or a mass cannot be excluded."
    assert read(text, opacity=SURE, atelectasis=VAGUE, infection=VAGUE, mass=VAGUE) == [
        ("opacity", "present", "Opacity", ""),
        ("atelectasis", "likely", "atelectasis", "likely"),
        ("infection", "possibly", "pneumonia", "cannot be excluded"),
        ("mass", "possibly", "mass", "cannot be excluded"),
    ]
    assert read("Edema or infection.", edema=VAGUE, infection=SURE) == [
        ("edema", "possibly", "Edema", "or"),
        ("infection", "present", "infection", ""),
    ]


def test_a_hedge_without_words_is_the_models_own(read: Callable[..., Any]) -> None:
    assert read("I would not swear to a nodule.", nodule={"question of": 0.9}) == [
        ("nodule", "question of", "nodule", "")
    ]


def test_what_is_not_stated_is_no_finding(read: Callable[..., Any]) -> None:
    assert read("Follow-up of a nodule.", nodule={NOT_STATED: 0.95}) == []
    # It is overused: less than nearly sure is not enough.
    assert read("Follow-up of a nodule.", nodule={NOT_STATED: 0.6, "present": 0.3}) == [
        ("nodule", "present", "nodule", "")
    ]


def test_the_probability_is_that_of_the_assertion(report: Report) -> None:
    [found] = made({"nodule": {"present": 0.7, "likely": 0.2, "possibly": 0.1}, "mass": VAGUE}).extract(
        [report("r", "A nodule.", "Likely a mass.")], SILENT
    )
    assert [f.probability for f in found.findings] == [pytest.approx(0.7), pytest.approx(0.9, abs=0.1)]
    assert [f.engine for f in found.findings] == ["llama", "llama"]


def test_a_sentence_cut_by_lines_is_asked_whole_and_silent_sections_are_not(report: Report) -> None:
    engine = made({"pleural effusion": DENIED})
    document = report("r", "There is no", "pleural effusion.", (Section.INDICATION, "Nodule."))
    [found] = engine.extract([document], SILENT)
    reader = engine.reader
    assert isinstance(reader, Told)
    assert reader.asked == [
        Question("There is no pleural effusion.", "en", ("pleural effusion",), ("pleural effusion",))
    ]
    [finding] = found.findings
    assert finding.sentence == "pleural effusion."
    assert finding.verbatim == "no"


def test_what_is_in_no_language_that_is_read_is_listed_or_unread(report: Report) -> None:
    engine = made({"pleural effusion": DENIED, "pneumothorax": DENIED})
    dutch = report("nl", "Geen pleuravocht.", "Het hart is niet vergroot.")
    german = report("de", "Kein Pleuraerguss.", "Das Herz ist nicht vergrößert.")
    mixed = report("mixed", "There is no pleural effusion in the chest.", "Pas de pneumothorax dans les poumons.")
    engine.reader.told = dict.fromkeys(("pleural effusion", "pneumothorax", "cardiomegaly"), DENIED)  # type: ignore[attr-defined]
    found = list(engine.extract([dutch, german, mixed], SILENT))
    assert "written in Dutch" in found[0].failure
    assert [(f.pathology, f.phrase) for f in found[1].findings] == [
        ("pleural effusion", "absent"),
        ("cardiomegaly", "absent"),
    ]
    assert [(f.pathology, f.phrase, f.probability is None) for f in found[2].findings] == [
        ("pleural effusion", "absent", False),
        ("pneumothorax", UNREAD, True),
    ]
    assert {q.language for q in engine.reader.asked} == {"de", "en"}  # type: ignore[attr-defined]


def test_a_failure_is_listed_in_its_place(report: Report, onlooker: Any) -> None:
    engine = made({"nodule": SURE})
    documents = [report("a", "A nodule."), report("b", "What fails is a nodule."), report("c"), report("d", "Nodule.")]
    watched = onlooker()
    found = list(engine.extract(documents, watched))
    assert [(e.report_id, len(e.findings), e.failure) for e in found] == [
        ("xray:a", 1, ""),
        ("xray:b", 0, "it failed"),
        ("xray:c", 0, ""),
        ("xray:d", 1, ""),
    ]
    assert len(watched.notes) == 4
    assert "reports a minute" in watched.notes[0]
    assert watched.notes[-1].endswith("left; the language model failed on 1 report")
    list(engine.extract(iter(documents[:1]), watched))
    assert watched.notes[-1].endswith("a minute")


def test_it_is_an_extractor_that_passes_on_pauses_and_ends(report: Report) -> None:
    engine = made({"nodule": SURE})
    extractor: Extractor = engine
    assert extractor.name == "llama"
    assert extractor.version.endswith("/9")
    other = Told({})
    other.settings_hash = "other"
    assert ReadingAlone(other).settings_hash != extractor.settings_hash == made({}).settings_hash
    assert next(engine.extract([report("r", "A nodule.")], SILENT)) != Extraction("xray:r", ())
    assert engine._spotter.tokens.cache_info().currsize
    engine.pause()
    engine.resume()
    engine.close()
    assert engine.reader.calls == ["pause", "resume", "close"]  # type: ignore[attr-defined]
    assert not engine._spotter.tokens.cache_info().currsize


# --- how a phrase is decided ---------------------------------------------------------------------------


def test_assertions_sum_what_the_phrases_assert() -> None:
    mass = assertions(PHRASES, chances({"present": 0.2, "likely": 0.3, "possibly": 0.1, NOT_STATED: 0.4}))
    assert mass == pytest.approx({"present": 0.2, "absent": 0.0, "hedged": 0.4, NOT_STATED: 0.4}, abs=1e-9)


@pytest.mark.parametrize(
    ("told", "before", "phrase"),
    [
        ({"present": 0.7, "likely": 0.3}, "may be", "present"),
        ({"present": 0.4, "likely": 0.6}, "may be", "may represent"),
        ({"present": 0.4, "likely": 0.6}, "a", "present"),  # without words of a hedge, it takes more
        ({"present": 0.05, "likely": 0.6, "possibly": 0.35}, "a", "likely"),
        ({"present": 0.4, "absent": 0.6}, "no", "absent"),
        ({"present": 0.4, "absent": 0.6}, "a", "present"),  # and without words of a denial
        ({"present": 0.05, "absent": 0.95}, "a", "absent"),
        ({"present": 0.4, "not stated": 0.6}, "a", "present"),
    ],
)
def test_whether_by_the_model_and_which_hedge_by_the_words(told: Mapping[str, float], before: str, phrase: str) -> None:
    spotter = Spotter(read_vocabularies(resource("lexicon")), LEXICON)
    sentence = f"There is {before} nodule at the base."
    [named] = spotter.named(sentence, "en")
    assert decide(PHRASES, chances(told), spotter.certainty(sentence, "en"), named) == phrase


def test_the_state_of_an_organ_can_deny() -> None:
    spotter = Spotter(read_vocabularies(resource("lexicon")), LEXICON)
    sentence = "Heart size is normal, nodule at the base."
    certainty = spotter.certainty(sentence, "en")
    assert {n.pathology: certainty.can_deny(n) for n in spotter.named(sentence, "en")} == {
        "cardiomegaly": True,
        "nodule": False,
    }


def test_over_and_than_hedge_behind_another_hedge_alone() -> None:
    spotter = Spotter(read_vocabularies(resource("lexicon")), LEXICON)
    for plain in ("Right greater than left consolidation.", "No change over the last year in the nodule."):
        assert spotter.hedges(plain, "en") == ()
    for weighed in ("Atelectasis is favored over pneumonia.", "More likely atelectasis than pneumonia."):
        assert [h.phrase for h in spotter.hedges(weighed, "en")] == ["likely", "unlikely"]


def test_hedges_govern_what_is_on_their_side() -> None:
    spotter = Spotter(read_vocabularies(resource("lexicon")), LEXICON)
    sentence = "Opacity suspicious for pneumonia."
    hedges = spotter.hedges(sentence, "en")
    found = {n.pathology: [h.phrase for h in governing(hedges, n)] for n in spotter.named(sentence, "en")}
    assert found == {"opacity": [], "infection": ["suspicious for"]}


def test_a_hedge_that_only_lists_comes_last_and_the_nearest_first() -> None:
    hedges = [Hedge("likely", 0, 6), Hedge("possibly", 40, 42, listing=True), Hedge("suspicious for", 60, 74)]
    for named, order in ((Named("mass", 43, 47), [2, 0, 1]), (Named("mass", 10, 14), [0, 2, 1])):
        assert governing(hedges, named) == [hedges[n] for n in order]
    assert governing([], Named("mass", 0, 4)) == []


def test_cues_are_the_words_that_express_a_phrase() -> None:
    spotter = Spotter(read_vocabularies(resource("lexicon")), LEXICON)
    text = "No effusion and no mass, likely atelectasis or infection."
    cues = {phrase: [text[a:b] for a, b in spotter.cues(text, "en", phrase)] for phrase in PHRASES}
    assert {phrase: words for phrase, words in cues.items() if words} == {
        "absent": ["No", "no"],
        "likely": ["likely"],
        "possibly": ["or"],
    }
