"""Macros of advised words for dictation systems: which there are, and the lines of their file.

A macro says what it puts in: its name is the pathology and then the words, "pneumonia likely" for "likely pneumonia".
Nothing that is dictated as usual turns into another statement because of it.  No figure of a person is in it, since it
goes into another system.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from radcal.advice.judged_records import Judged
from radcal.feedback.records import Macro, MacroForm, Macros
from radcal.system.cells import guarded
from radcal.words.dictation import SLOT, dictated, pathology, template
from radcal.words.records import ABSENT, PRESENT

_ALL_USES = 1 - 1e-9
_UNSPOKEN = re.compile(r"[^\w\s-]|_")
_SUFFIXES: dict[str, MacroForm] = {".tsv": "tab", ".csv": "csv"}
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def advised_macros(judged: Judged, sure: float, language: str) -> Macros:
    """A macro for each word that advice puts in the place of another one, pathology by pathology.

    Advice over all pathologies makes one for each in which the word was used and has no advice of its own.  Advice on a
    part of a word's uses, or less sure than asked for, makes none; all other words that were used are kept.

    Args:
        judged: what is said of the author's words.
        sure: least probability that the advised word is nearer.
        language: code of the language of the macros.
    """
    changes: dict[tuple[str, str], str] = {}
    kept: dict[str, tuple[str, ...]] = {}
    for group in judged.groups:
        for j in group.words:
            made = j.advice
            if made is not None and made.share >= _ALL_USES and made.sure >= sure and made.target != j.name:
                changes[group.topic, j.name] = made.target
        said = sorted((j for j in group.words if (group.topic, j.name) not in changes), key=lambda j: j.rate.mean)
        kept[group.topic] = tuple(j.name for j in said)
    wanted: dict[tuple[str, str], list[str]] = {}
    for (topic, source), target in sorted(changes.items()):
        wanted.setdefault((topic, target), []).append(source)
    return _made(wanted, tuple(sorted((topic, words) for topic, words in kept.items() if words)), language)


def vocabulary_macros(phrases: Iterable[str], topics: Iterable[str], language: str) -> Macros:
    """A macro for each hedge of a department's vocabulary with each pathology."""
    hedges = [phrase for phrase in phrases if phrase not in (ABSENT, PRESENT)]
    return _made({(topic, phrase): () for topic in topics for phrase in hedges}, (), language)


def _made(
    wanted: Mapping[tuple[str, str], Sequence[str]], kept: tuple[tuple[str, tuple[str, ...]], ...], language: str
) -> Macros:
    macros: dict[str, Macro] = {}
    unfit = []
    for (topic, phrase), sources in sorted(wanted.items()):
        name = _name(pathology(topic, language), template(phrase, language))
        text = _plain(dictated(phrase, topic, language))
        if not name or not text or guarded(name) != name or guarded(text) != text or name.casefold() in macros:
            unfit.append((topic, phrase))
        else:
            macros[name.casefold()] = Macro(topic, phrase, name, text, tuple(sources))
    ordered = sorted(macros.values(), key=lambda macro: (macro.name.casefold(), macro.name))
    return Macros(language, tuple(ordered), kept, tuple(unfit))


def _name(topic: str, words: str) -> str:
    """The pathology and then the words, in letters, digits, hyphens and spaces: it is spoken."""
    return _plain(_UNSPOKEN.sub(" ", _plain(f"{topic} {words.replace(SLOT, ' ')}")))


def _plain(text: str) -> str:
    """Text in one line, without control and formatting characters."""
    shown = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join(unicodedata.normalize("NFC", shown).split())


def form_of(suffix: str) -> MacroForm:
    """The form that a file's suffix stands for: ".tsv", ".csv", else a plain list."""
    return _SUFFIXES.get(suffix.lower(), "list")


def written(macros: Macros, form: MacroForm, *, windows: bool = False) -> str:
    """The content of a file of macros, one a line.

    Args:
        form: of the lines.
        windows: lines end in CR LF in place of LF, and text beyond ASCII begins with the mark by which Windows
            tells UTF-8.
    """
    rows = [[m.text] if form == "list" else [m.name, m.text] for m in macros.macros]
    file = io.StringIO(newline="")
    if form == "csv":
        csv.writer(file, lineterminator="\n").writerows(rows)
    else:
        file.writelines("\t".join(row) + "\n" for row in rows)
    text = file.getvalue()
    if not windows:
        return text
    return ("" if text.isascii() else _MARK) + text.replace("\n", "\r\n")
