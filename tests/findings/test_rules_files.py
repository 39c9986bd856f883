"""Term and cue files: the notation, and broken files refused with file, line and reason."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.rules.patterns import PatternError, compile_pattern, flatten, misspellings
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.system.errors import InputError
from radcal.system.resources import resource
from tests.cases import cases_of

cases = cases_of(__file__)

WORDS = st.sampled_from(["small", "left", "lung", "mass", "no"])


@st.composite
def _notations(draw: st.DrawFn) -> tuple[str, set[str]]:
    """A notation and, independently, every string that it stands for."""
    parts: list[tuple[str, list[str]]] = []
    for _ in range(draw(st.integers(1, 4))):
        word, other = draw(WORDS), draw(WORDS)
        parts.append(
            draw(
                st.sampled_from(
                    [
                        (word, [word]),
                        (f"{word}[s]", [word, word + "s"]),
                        (f"{word}(ed|ing)", [word + "ed", word + "ing"]),
                        (f"({word}|{other} {word})", [word, f"{other} {word}"]),
                        (f"[{word}]", ["", word]),
                        (f"[{word}|{other}]", ["", word, other]),
                    ]
                )
            )
        )
    strings = {" ".join(filter(None, choice)) for choice in product(*(s for _, s in parts))}
    return " ".join(n for n, _ in parts), strings


@settings(deadline=None, max_examples=200)
@given(_notations())
def test_a_notation_stands_for_its_strings(case: tuple[str, set[str]]) -> None:
    notation, strings = case
    if "" in strings:
        with pytest.raises(PatternError):
            compile_pattern(notation)
        return
    pattern, openings = compile_pattern(notation)
    for string in strings:
        assert pattern.fullmatch(string), (notation, string)
        assert tuple(string.split()[:2]) in openings
        assert pattern.match(string + "x y") is None or any((string + "x y").startswith(s + " ") for s in strings)
    assert {tuple(s.split()[:2]) for s in strings} == openings


@cases("hyphens_breaks_signs_and_capitals")
def test_hyphens_breaks_signs_and_capitals(notation: str, text: str) -> None:
    pattern, _ = compile_pattern(f"({notation})" if "|" in notation else notation)
    assert pattern.fullmatch(flatten(text))


def test_the_longer_of_two_choices_wins() -> None:
    pattern, _ = compile_pattern("(normal|normal in size|normal size)")
    match = pattern.match("normal in size today")
    assert match is not None
    assert match.group().strip() == "normal in size"


@settings(deadline=None)
@given(st.text(max_size=60))
def test_flattening_keeps_places(text: str) -> None:
    assert len(flatten(text)) == len(text)


@pytest.mark.parametrize("notation", ["(a|b", "a)", "[a", "a(s", "[a]", "(a|)", "opacit(y|ies x)", "a]", "caf\u00e9$x"])
def test_broken_notation(notation: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(notation)


def test_misspellings() -> None:
    forms = misspellings("effusion")
    assert {"efusion", "effusiion", "effuison", "effusien"} <= forms
    assert "effusion" not in forms
    assert "diffusion" not in forms
    assert "infusion" not in forms


# --- files ---


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "pathologies_terms.tsv": "#\npathology\twords\tunless\tnote\tunder\nedema\tedema\tleg\t\nopacity\topacity\n",
        "pathologies_subjects.tsv": "kind\tstates\twords\nsubject\topacity\tlung[s]\nstate\topacity=absent\tclear\n",
        "cues.tsv": "kind\tphrase\tdirection\treach\twords\nhedge\tlikely\tboth\tgroup\tlikely\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_shipped_files_are_sound() -> None:
    assert len(read_vocabulary(resource("lexicon")).settings_hash) == 16


def _append(folder: Path, name: str, line: str) -> int:
    file = folder / name
    text = file.read_text(encoding="utf-8") + line + "\n"
    file.write_text(text, encoding="utf-8")
    return len(text.splitlines())


@cases("a_broken_line_is_refused_with_its_place")
def test_a_broken_line_is_refused_with_its_place(folder: Path, name: str, line: str, reason: str) -> None:
    number = _append(folder, name, line)
    with pytest.raises(InputError, match=rf"{re.escape(name)}, line {number}: .*{re.escape(reason)}"):
        read_vocabulary(folder)


@pytest.mark.parametrize("name", ["pathologies_terms.tsv", "pathologies_subjects.tsv", "cues.tsv"])
def test_a_missing_empty_or_foreign_file_is_refused(folder: Path, name: str) -> None:
    file = folder / name
    original = file.read_bytes()
    file.write_bytes(b"# nothing\n")
    with pytest.raises(InputError, match=rf"{name} is empty"):
        read_vocabulary(folder)
    file.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(InputError, match=rf"{name}, line 1: the columns must be"):
        read_vocabulary(folder)
    file.write_bytes(original + b"\xff\xfe\n")
    with pytest.raises(InputError, match=rf"{name} is not UTF-8"):
        read_vocabulary(folder)
    file.unlink()
    with pytest.raises(InputError, match=rf"{name} cannot be read"):
        read_vocabulary(folder)


def test_words_that_count_only_under_a_heading(folder: Path) -> None:
    file = folder / "pathologies_terms.tsv"
    file.write_text(
        "pathology\twords\tunless\tnote\tunder\nopacity\topacity\nedema\tfluid\t\t\tlung[s]\n", encoding="utf-8"
    )
    ((_, entry, _),) = read_vocabulary(folder).starts["fluid"]
    assert entry.term is not None
    ((heading, pathologies),) = entry.term.under
    assert (entry.term.pathologies, pathologies) == ((), ("edema",))
    assert heading.match("lungs :")
    assert not heading.match("liver :")
    number = _append(folder, "pathologies_terms.tsv", "edema\twet\t\t\t(lung|")
    with pytest.raises(InputError, match=rf"line {number}: the column 'under' has .*without its"):
        read_vocabulary(folder)


def test_words_behind_a_semicolon_are_what_a_term_is_a_sign_of(folder: Path) -> None:
    file = folder / "pathologies_terms.tsv"
    file.write_text(
        "pathology\twords\tunless\tnote\tunder\nopacity\topacity\tbone,rib;edema\t\nedema\tedema\n", encoding="utf-8"
    )
    ((_, entry, _),) = read_vocabulary(folder).starts["opacity"]
    assert entry.term is not None
    assert entry.term.unless is not None
    assert entry.term.sign_of is not None
    assert entry.term.unless.search("left rib")
    assert not entry.term.unless.search("edema")
    assert entry.term.sign_of.search("mild edema")
    assert not entry.term.sign_of.search("left rib")


@pytest.mark.parametrize("kind", ["hedge", "negation"])
def test_only_hedges_take_an_adverb_behind_their_verb(folder: Path, kind: str) -> None:
    phrase = {"hedge": "possibly", "negation": "absent"}[kind]
    _append(folder, "cues.tsv", f"{kind}\t{phrase}\tafter\tgroup\t(is|are|remain[s]) doubtless")
    ((pattern, _, seconds),) = read_vocabulary(folder).starts["remains"]
    assert pattern.fullmatch("remains doubtless")
    assert (pattern.fullmatch("remains certainly doubtless") is not None) == (kind == "hedge")
    assert seconds is not None
    assert ("certainly" in seconds) == (kind == "hedge")


def test_line_ends_do_not_change_the_hash(folder: Path) -> None:
    before = read_vocabulary(folder).settings_hash
    for file in folder.glob("*.tsv"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_vocabulary(folder).settings_hash == before
