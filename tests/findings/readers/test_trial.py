"""The trial of a language model before it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from radcal.findings.readers.pairs import HEDGED, NOT_STATED, Answers, Question, Spotter, by_words, phrases_of
from radcal.findings.readers.trial import keep_trial, known_trial, require_passed, sentences, try_reader
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import resource
from radcal.words.phrases import load_lexicon
from radcal.words.records import ABSENT, PRESENT
from radcal.workspace.store import Workspace

RIGHT = {(one.sentence, pathology): answer for one in sentences() for pathology, answer in one.answers.items()}


class Reader:
    """A pair reader that answers as told."""

    name, version, settings_hash = "llama", "1", "abc"
    phrases = phrases_of(load_lexicon())

    def __init__(self, answer: Callable[[str, str], str], failure: str = "") -> None:
        self._answer = answer
        self._failure = failure

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        for questions in reports:
            yield Answers(tuple(self._chances(q) for q in questions), self._failure)

    def _chances(self, question: Question) -> np.ndarray:
        said = [self._answer(question.sentence, pathology) for pathology in question.pathologies]
        rows = [[float(p == ("likely" if s == HEDGED else s)) for p in self.phrases] for s in said]
        return np.array(rows)

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...


def test_a_reader_that_knows_all_answers_passes() -> None:
    trial = try_reader(Reader(lambda sentence, pathology: RIGHT[sentence, pathology]), "good.gguf")
    assert (trial.right, trial.n, trial.sentences) == (len(RIGHT), len(RIGHT), 30)
    assert trial.passed
    require_passed(trial)


def test_a_reader_that_knows_no_more_than_the_words_is_refused() -> None:
    spotter = Spotter(read_vocabularies(resource("lexicon")), load_lexicon())

    def words(sentence: str, pathology: str) -> str:
        named = {n.pathology: n for n in spotter.named(sentence, "en")}
        return by_words(spotter.certainty(sentence, "en"), named[pathology])

    trial = try_reader(Reader(words), "words.gguf")
    assert trial.right == trial.listed < trial.n
    assert not trial.passed


@pytest.mark.parametrize("always", [PRESENT, ABSENT, HEDGED, NOT_STATED])
def test_a_reader_that_always_says_the_same_is_refused_with_its_figures(always: str) -> None:
    trial = try_reader(Reader(lambda *_: always), "parrot.gguf")
    assert not trial.passed
    with pytest.raises(InputError, match=r"parrot.gguf read 30 sentences .* nearly always the same answer.*--untested"):
        require_passed(trial)


def test_a_reader_worse_than_the_words_is_refused() -> None:
    swapped = {PRESENT: ABSENT, ABSENT: PRESENT}
    trial = try_reader(Reader(lambda s, p: swapped.get(RIGHT[s, p], RIGHT[s, p])), "wrong.gguf")
    assert trial.right < trial.listed
    assert not trial.passed


def test_a_reader_that_fails_is_said_to() -> None:
    with pytest.raises(EngineError, match=r"mute.gguf cannot answer: out of memory"):
        try_reader(Reader(lambda *_: PRESENT, "out of memory"), "mute.gguf", SILENT)


def test_a_workspace_remembers_the_trial_of_each_reader(tmp_path: Path) -> None:
    reader = Reader(lambda sentence, pathology: RIGHT[sentence, pathology])
    with Workspace.create(tmp_path / "w.radcal", "correct horse battery staple") as workspace:
        assert known_trial(workspace, reader) is None
        trial = try_reader(reader, "good.gguf")
        keep_trial(workspace, trial)
        assert known_trial(workspace, reader) == trial
        reader.settings_hash = "other weights"
        assert known_trial(workspace, reader) is None


def test_every_pathology_of_the_trial_is_named_by_its_sentence() -> None:
    spotter = Spotter(read_vocabularies(resource("lexicon")), load_lexicon())
    for sentence, pathology in RIGHT:
        assert pathology in [named.pathology for named in spotter.named(sentence, "en")], sentence
