"""No rule module holds words of a language: what is looked for stands in the files of resources/lexicon."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from radcal.findings import rules
from radcal.findings.rules import vocabulary
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from radcal.words.extraction_words import shipped
from radcal.words.languages import names
from radcal.words.records import OTHER, UNREAD
from radcal.words.word_files import CUE_COLUMNS, EXPRESSION_COLUMNS, SUBJECT_COLUMNS, TERM_COLUMNS, expressions_of

MODULES = sorted(Path(rules.__file__).parent.glob("*.py"))
TOLD = {"Text", "Rule", "Part", "PatternError", "broken", "InputError", "ValueError", "Extraction", "resource"}
"""Calls whose texts are read by people."""
MACHINERY = {"remarks.py", "synonyms.py", "patterns.py"}
"""Modules that read no report, and the one that knows letters and signs."""
NAMED = (
    set(expressions_of(resource("lexicon")))
    | vocabulary._KINDS
    | {"end", "comma", "colon", "bracket", "term", "finding", "organ", "subject", "state"}
    | {"before", "after", "both", "near", "group", "list", vocabulary.CAUSE, vocabulary.MEANS, vocabulary.SEEN}
    | {vocabulary.AFFIRMED, "present", OTHER, UNREAD}
    | {p.name for p in shipped().phrases}
    | set(pathology_names())
    | set(names())
    | {*TERM_COLUMNS, *SUBJECT_COLUMNS, *CUE_COLUMNS, *EXPRESSION_COLUMNS}
)


def _strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Constants of text with their lines, without those that people read."""
    for child in ast.iter_child_nodes(tree):
        called = child.func if isinstance(child, ast.Call) else None
        name = getattr(called, "id", getattr(called, "attr", ""))
        if name in TOLD or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            continue
        if isinstance(child, ast.AnnAssign):
            child.annotation = ast.Constant(None)
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.lineno, child.value
        yield from _strings(child)


def _words(text: str) -> str:
    """The letters of a text that are no sign of a regular expression, no place for a value, and no attribute."""
    text = re.sub(r"\\[a-z]|\(\?P<\w+>|\[[^\]]*\]|\{[^}]*\}", " ", text)
    return " ".join(re.findall(r"[A-Za-z]{2,}", text))


@pytest.mark.parametrize("path", [p for p in MODULES if p.name not in MACHINERY], ids=lambda p: p.name)
def test_a_rule_module_holds_no_words_of_a_language(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    attributes = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    exported = {"fullmatch", "match", "pattern", "utf-8", "NFD"} | attributes
    known = NAMED | exported
    found = [(line, text) for line, text in _strings(tree) if _words(text) and not known & {text, _words(text)}]
    assert found == []


def test_every_expression_is_used_and_every_used_one_exists() -> None:
    named = expressions_of(resource("lexicon"))
    source = "\n".join(path.read_text(encoding="utf-8") for path in MODULES)
    files = "\n".join(
        path.read_text(encoding="utf-8") for path in resource("lexicon").rglob("*.tsv") if path.name != "languages.tsv"
    )
    used = {name for name in named if f'"{name}"' in source or f"'{name}'" in source or f"{{{name}}}" in files}
    asked = set(re.findall(r'\.words\["([^"]+)"\]|words\["([^"]+)"\]', source))
    assert {name for pair in asked for name in pair if name} <= set(named)
    assert set(named) - used == set()


def test_german_has_words_only_of_names_that_english_has() -> None:
    german = expressions_of(resource("lexicon", "de"))
    assert set(german) <= set(expressions_of(resource("lexicon")))
