"""Reports of sentences, and what the rules read in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.reports.records import Document, Section, Sentence
from radcal.system.progress import SILENT


@pytest.fixture(scope="session")
def report() -> Callable[..., Document]:
    """Makes a report of sentences, all in one section, or given with their sections."""

    def make(name: str, *sentences: str | tuple[Section, str], section: Section = Section.FINDINGS) -> Document:
        text, cut = "", []
        for sentence in sentences:
            where, words = (section, sentence) if isinstance(sentence, str) else sentence
            text += "\n" if cut else ""
            cut.append(Sentence(where, len(text), len(text) + len(words), words))
            text += words
        return Document(f"xray:{name}", text, tuple(cut))

    return make


@pytest.fixture(scope="session")
def rules() -> RulesEngine:
    """The shipped rules."""
    return rules_engine()


@pytest.fixture(scope="session")
def stated(rules: RulesEngine, report: Callable[..., Document]) -> Callable[..., set[tuple[str, str]]]:
    """What the rules read in sentences: (pathology, phrase)."""

    def read(*sentences: str | tuple[Section, str]) -> set[tuple[str, str]]:
        (extraction,) = rules.extract([report("r", *sentences)], SILENT)
        assert not extraction.failure
        return {(f.pathology, f.phrase) for f in extraction.findings}

    return read
