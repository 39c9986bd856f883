"""The catalogues: every text of the pages in every language, faithful in its details, and broken ones refused."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from radcal import feedback
from radcal.errors import InputError
from radcal.language import Language, base, catalogue, language, languages
from radcal.resources import resource

OTHERS = [code for code in languages() if code != "en"]
_PLACEHOLDERS = re.compile(r"\{\w*\}")


def _texts_of_the_pages() -> Iterator[str]:
    """What the package says, from its source: every text that is given to ``say`` or ``counted``."""
    for path in sorted(Path(feedback.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                texts = {"say": node.args[:1], "counted": node.args[1:]}.get(node.func.attr, [])
                for text in texts:
                    literal = isinstance(text, ast.Constant) and isinstance(text.value, str)
                    if path.name == "wording.py" and not literal:
                        continue  # the functions themselves hand texts on
                    assert literal, f"{path.name}, line {text.lineno}: write the text out, so that it can be collected"
                    yield text.value


def _pairs(told: Language) -> Iterator[tuple[str, str]]:
    for texts in (told.page, told.sentences, *told.parts.values()):
        yield from texts.items()


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(languages())
    assert (language("en").name, language("de").name) == ("English", "Deutsch")


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_every_text_of_the_pages_and_no_other(code: str) -> None:
    texts = set(_texts_of_the_pages())
    assert len(texts) > 100
    assert texts - language(code).page.keys() == set(), "translate these"
    assert language(code).page.keys() - texts == set(), "these are said no more"


@pytest.mark.parametrize("code", OTHERS)
def test_placeholders_are_kept_and_nothing_is_empty(code: str) -> None:
    for english, told in _pairs(language(code)):
        assert Counter(_PLACEHOLDERS.findall(english)) == Counter(_PLACEHOLDERS.findall(told)), english
        assert told.strip(), english


@pytest.mark.parametrize("code", OTHERS)
def test_all_catalogues_know_the_same_sentences(code: str) -> None:
    first = language(OTHERS[0])
    assert language(code).sentences.keys() == first.sentences.keys()
    assert {kind: set(texts) for kind, texts in language(code).parts.items()} == {
        kind: set(texts) for kind, texts in first.parts.items()
    }


def test_german_is_german() -> None:
    texts = [told for _, told in _pairs(language("de"))]
    assert [t for t in texts if "\u201d" in t or t.count("\u201e") != t.count("\u201c")] == []
    assert [t for t in texts if re.search(r"[\d}] %", t)] == []
    english = re.compile(r"\b(?:the|of|for|were|and|is|are|with|not|cannot|choose|check)\b", re.IGNORECASE)
    unquoted = [re.sub(r"['\u201e][^'\u201c]*['\u201c]|\{\w+\}", "", t) for t in texts]
    assert [t for t in unquoted if english.search(t)] == []


def test_numbers_are_written_as_the_language_does() -> None:
    assert language("en").number(1234.5, 1) == "1,234.5"
    assert language("de").number(1234.5, 1) == "1.234,5"
    assert language("de").number(-1_000_000) == "-1.000.000"


def test_a_percentage_within_a_compound_is_joined_by_hyphens() -> None:
    text = "{confidence} interval"
    assert language("en").say(text, confidence="95\u00a0%") == "95\u00a0% interval"
    assert language("de").say(text, confidence="95\u00a0%") == "95-%-Intervall"


def test_a_region_is_told_apart_from_the_language() -> None:
    assert base("de-AT") == ("de", "AT")
    assert base("en_gb") == ("en", "GB")
    assert base("de") == ("de", "")
    assert language("de-CH") is language("de")


@pytest.mark.parametrize("tag", ["", "xx", "German", "de-", "DE", "de-123", "../de"])
def test_unknown_languages_are_refused_with_the_known_ones(tag: str) -> None:
    with pytest.raises(InputError, match="Choose one of de, en"):
        language(tag)


def _without(*keys: str) -> dict[str, Any]:
    found = json.loads((resource("languages") / "de.json").read_text(encoding="utf-8"))
    return {key: value for key, value in found.items() if key not in keys}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "Expecting"),
        ("[]", "no JSON object"),
        ('{"name": "X", "name": "Y"}', "'name' stands there twice"),
        (json.dumps(_without("numbers")), "'numbers' is missing"),
        (json.dumps(_without() | {"dates": {"months": ["Jan."], "day": "{day}"}}), "1 months"),
        (json.dumps(_without() | {"page": {"page {page}": "Seite {seite}"}}), "other placeholders"),
    ],
)
def test_a_broken_catalogue_is_refused_with_its_name_and_the_reason(
    content: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "de.json").write_text(content, encoding="utf-8")
    monkeypatch.setattr(catalogue, "resource", lambda *parts: tmp_path.joinpath(*parts[1:]))
    catalogue._language.cache_clear()
    try:
        with pytest.raises(InputError, match=r"de\.json") as caught:
            language("de")
    finally:
        catalogue._language.cache_clear()
    assert why in str(caught.value)
