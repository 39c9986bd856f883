"""The catalogues: every text of RadCal in every language, faithful in its details, and broken ones refused."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from radcal.system.errors import InputError
from radcal.system.language import catalogue
from radcal.system.language.catalogue import base, language, languages
from tools import translations

OTHERS = [code for code in languages() if code != "en"]
TEXTS = {code: translations.keys(translations.catalogue(code)) for code in OTHERS}
PAIRS = [(code, key, printed) for code in OTHERS for key, printed in TEXTS[code].items()]
MANNERS = frozenset(("decimal mark", "between thousands", "around a word that is cited on paper"))
"""Contexts of what is no sentence."""
_NAMES_OF_THINGS = re.compile(
    r"(?:\{[^}]*\}|[\W\d_]|\b(?:n|F1|CT|PDF|CSV|Excel|PowerPoint|pptx|TSV|xlsx|tsv|csv|pdf|ECE|MiB|GiB|s|h|in)\b)*"
)
"""Placeholders, signs and units: the same in every language."""
_ALIKE = frozenset(
    {
        "A4",
        "blind",
        "C",
        "Esc",
        "Import",
        "J",
        "Konte&xt",
        "Llama",
        "N",
        "Name",
        "P",
        "Pa&use",
        "Plan",
        "RadCal",
        "Threads",
        "U",
    }
    | {"&Passphrase", "Passphrase", "&Start", "AUROC", "T&hreads", "US Letter", "model.gguf"}
)
"""Words that German writes alike."""


def _placeholders(text: str) -> Counter[str]:
    return Counter(re.findall(r"\{\w*[^}]*\}", text.replace("!c}", "}")))


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(languages())
    assert (language("en").name, language("de").name) == ("English", "Deutsch")


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_every_text_of_the_code_and_no_other(code: str) -> None:
    now = translations.collected()
    assert len(now) > 2000
    assert now - TEXTS[code].keys() == set(), "run 'make translations' and translate what is new"
    assert TEXTS[code].keys() - now == set(), "run 'make translations'"


def test_both_numbers_of_a_text_stand_in_its_call() -> None:
    # Else they are collected as two texts, and neither translation is found.
    elsewhere = set()
    for path in [path for room in ("radcal", "ui") for path in (translations.ROOT / room).rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "many" in text else ():
            many = [k.value for k in getattr(node, "keywords", ()) if k.arg == "many"]
            if isinstance(node, ast.Call) and any(not isinstance(value, ast.Constant) for value in many):
                elsewhere.add(path.relative_to(translations.ROOT).as_posix())
    # These hand on what was collected where it was written.
    here = {"radcal/reports/reasons.py", "radcal/system/errors.py", "radcal/system/text.py", "ui/words.py"}
    assert elsewhere == here | {"radcal/system/language/wording.py"}


def test_nothing_is_empty() -> None:
    assert [key for _, key, printed in PAIRS if not all(printed)] == [], "translate these"


def test_placeholders_and_keys_are_kept() -> None:
    wrong = []
    for _, (context, *english), printed in PAIRS:
        for source, text in zip(filter(None, english), printed, strict=True):
            # Where a sentence begins, and a capital stands, is for each language to say.
            if _placeholders(source) != _placeholders(text):
                wrong.append((context, source, text))
            if len(re.findall(r"&(?=\w)", source)) != len(re.findall(r"&(?=\w)", text)) and "&{" not in source:
                wrong.append((context, source, text))
            if (source[:1] == " ", source[-1:] == " ") != (text[:1] == " ", text[-1:] == " "):
                wrong.append((context, source, text))
    assert wrong == []


def test_the_reference_brings_its_article() -> None:
    """In German, {reference} becomes 'die CT', which needs no other article and stands in no dative."""
    texts = [text for printed in TEXTS["de"].values() for text in printed if "{reference}" in text]
    assert texts
    before = re.compile(r"\b(?:die|der|dem|den|von|mit|zu|aus|bei) \{reference\}", re.IGNORECASE)
    assert list(filter(before.search, texts)) == []


def test_german_is_german() -> None:
    found = [
        (key[1], text) for (context, *key), printed in TEXTS["de"].items() if context not in MANNERS for text in printed
    ]
    texts = [text for _, text in found]
    assert [t for t in texts if "\u201d" in t or t.count("\u201e") != t.count("\u201c")] == []
    assert [t for t in texts if re.search(r"[\d}] %", t)] == []
    same = [s for (_, s, _), printed in TEXTS["de"].items() if s == printed[0]]
    assert [s for s in same if s not in _ALIKE and _NAMES_OF_THINGS.fullmatch(s) is None] == []
    english = re.compile(r"\b(?:the|of|for|were|and|is|are|with|not|cannot|choose|check)\b", re.IGNORECASE)
    said = [
        text.replace("&", "")
        for (context, source, _), printed in TEXTS["de"].items()
        if not context and "survey" not in source
        for text in printed
    ]
    named = re.compile(r"['\u201e][^'\u201c]*['\u201c]|\{[^}]*\}|`[^`]*`|--[a-z-]+")  # and commands with their options
    unquoted = [named.sub("", t) for t in said]
    assert [t for t in unquoted if english.search(t)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_the_compiled_catalogue_is_up_to_date(code: str) -> None:
    compiled = language(code).catalogue
    for (context, text, many), printed in TEXTS[code].items():
        if many:
            counted = partial(compiled.npgettext, context) if context else compiled.ngettext
            shown = [counted(text, many, n) for n in (1, 2)]
        else:
            shown = [compiled.pgettext(context, text) if context else compiled.gettext(text)]
        assert tuple(shown) == printed


def test_numbers_are_written_as_the_language_does() -> None:
    assert language("en").number(1234.5, 1) == "1,234.5"
    assert language("de").number(1234.5, 1) == "1.234,5"
    assert language("de").number(-1_000_000) == "-1.000.000"


def test_a_percentage_within_a_compound_is_joined_by_hyphens() -> None:
    text = "rate, {confidence} interval"
    assert language("en").say(text, confidence="95\u00a0%") == "rate, 95\u00a0% interval"
    assert language("de").say(text, confidence="95\u00a0%") == "Anteil, 95-%-Intervall"


def test_a_region_is_told_apart_from_the_language() -> None:
    assert base("de-AT") == ("de", "AT")
    assert base("en_gb") == ("en", "GB")
    assert base("de") == ("de", "")
    assert language("de-CH") is language("de")


@pytest.mark.parametrize("tag", ["", "xx", "German", "de-", "DE", "de-123", "../de"])
def test_unknown_languages_are_refused_with_the_known_ones(tag: str) -> None:
    with pytest.raises(InputError, match="Choose one of de, en"):
        language(tag)


@pytest.mark.parametrize("content", [b"", b"no catalogue", b"\xde\x12\x04\x95 and no more"])
def test_a_broken_catalogue_is_refused_with_its_name(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "radcal.mo").write_bytes(content)
    monkeypatch.setattr(catalogue, "resource", lambda *parts: tmp_path / parts[-1] if len(parts) > 1 else tmp_path)
    catalogue._language.cache_clear()
    try:
        with pytest.raises(InputError, match=r"de/radcal\.mo are broken"):
            language("de")
    finally:
        catalogue._language.cache_clear()


def test_marks_are_those_of_the_language_in_numbers_alone() -> None:
    said = language("de").say("{path} {n:,} {share:.1f}", path=Path("a.b/c.radcal"), n=1204, share=0.5)
    assert said == f"{Path('a.b/c.radcal')} 1.204 0,5"
