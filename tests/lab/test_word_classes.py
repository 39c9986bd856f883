"""Parts of speech, of a spaCy that is told."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import pandas as pd
import pytest

from radcal.lab.word_classes import word_classes
from radcal.system.errors import InputError

SAID = pd.DataFrame(
    [("the", "A", "dog", 2), ("the", "B", "old", 1), ("to", "A", "dog", 1)],
    columns=["context", "source", "word", "count"],
)


def install(monkeypatch: pytest.MonkeyPatch, *models: str) -> None:
    def pipe(texts: Iterable[str]) -> Iterator[list[SimpleNamespace]]:
        classes = {"the dog": "NOUN", "the old": "ADJ", "to dog": "VERB"}
        return ([SimpleNamespace(pos_="X"), SimpleNamespace(pos_=classes[text])] for text in texts)

    util = SimpleNamespace(get_installed_models=lambda: list(models))
    spacy = SimpleNamespace(util=util, load=lambda name: SimpleNamespace(pipe=pipe))
    monkeypatch.setitem(sys.modules, "spacy", spacy)  # type: ignore[arg-type]


def test_each_word_has_the_class_that_it_has_behind_its_context(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "de_core_news_sm", "en_core_web_sm")
    assert word_classes(SAID)["word"].tolist() == ["noun", "adj", "verb"]
    assert SAID["word"].tolist() == ["dog", "old", "dog"]


def test_without_the_library_or_a_model_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "de_core_news_sm")
    with pytest.raises(InputError, match="one of its English models"):
        word_classes(SAID)
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match="or leave out --classes"):
        word_classes(SAID)
