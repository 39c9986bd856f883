"""The prompt, filled in from template and example files."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radcal.findings.by_model.rows import END, Reference, shown, spans
from radcal.findings.model.chat import MARK, fill_in_template
from radcal.findings.model.rendering import filled_in
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.system.text import Text

BASE, CHAT, EXAMPLES = "base.jinja", "chat.jinja", "examples.toml"
_TURN = "\x02turn\x03"
"""Around the answers of examples while a template is filled in; occurs in no text."""


@dataclass(frozen=True, slots=True)
class Example:
    """A report and its rows: (sentence number from 1, pathology, phrase)."""

    sentences: tuple[str, ...]
    rows: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The filled-in prompts for base and for chat models; each contains MARK once."""

    base: str
    chat: str

    @property
    def hash(self) -> str:
        """Short SHA-256 of both."""
        return hashlib.sha256(f"{self.base}\0{self.chat}".encode()).hexdigest()[:16]


def row(reference: Reference, number: int, sentence: str, pathology: str, phrase: str) -> str:
    """One row of an answer as text."""
    named = str(number) if reference == "number" else f'"{sentence}"'
    return f'- {named}, "{pathology}", "{phrase}"\n'


def numbered(sentences: Sequence[str], reference: Reference) -> list[str]:
    """The lines of a report as shown to the model."""
    if reference == "quote":
        return [f"{shown(s)}\n" for s in sentences]
    return [f"[{i}] {shown(s)}\n" for i, s in enumerate(sentences, 1)]


def fill_in(folder: Path, pathologies: Sequence[str], phrases: Sequence[str], reference: Reference) -> Prompt:
    """Fill in the prompt from the template and example files of a folder.

    Raises:
        InputError: a file is missing or malformed; names file, place and reason.
    """
    examples = [
        {
            "report": "".join(numbered(e.sentences, reference)),
            "findings": "".join(row(reference, n, shown(e.sentences[n - 1]), p, f) for n, p, f in e.rows) + END,
        }
        for e in read_examples(folder / EXAMPLES, pathologies, phrases)
    ]
    given: dict[str, Any] = {"reference": reference, "form": "rows", **_lists(pathologies, phrases)}
    return Prompt(*(_filled(folder, name, examples, given) for name in (BASE, CHAT)))


def turns(folder: Path, pathologies: Sequence[str], phrases: Sequence[str]) -> tuple[str, ...]:
    """The chat prompt with answers as JSON, as turns of a user and an assistant, the user's first and last.

    Each answer of an example is a turn of the assistant's; the last turn, with MARK in place of the report, holds the
    report alone and what the template puts around it.

    Raises:
        InputError: as of :func:`fill_in`.
    """
    examples = [
        {
            "report": "".join(numbered(e.sentences, "number")),
            "findings": f"{_TURN}{as_json(e.rows)}{_TURN}\n",
        }
        for e in read_examples(folder / EXAMPLES, pathologies, phrases)
    ]
    given: dict[str, Any] = {"reference": "number", "form": "json", **_lists(pathologies, phrases)}
    parts = tuple(turn.strip() for turn in _filled(folder, CHAT, examples, given).split(_TURN))
    if MARK not in parts[-1] or not all(parts):
        raise InputError(
            "{name}: each example's findings must stand between its report and the next, and {{{{ report }}}} behind "
            "the last.",
            name=CHAT,
        )
    return parts


def as_json(rows: Iterable[tuple[int, str, str]]) -> str:
    """An answer as JSON: sentence number from 1, pathology, phrase."""
    findings = [{"sentence": n, "pathology": pathology, "phrase": phrase} for n, pathology, phrase in rows]
    return json.dumps({"findings": findings}, ensure_ascii=False)


def _lists(pathologies: Sequence[str], phrases: Sequence[str]) -> dict[str, list[str]]:
    return {"pathologies": list(pathologies), "phrases": list(phrases)}


def _filled(folder: Path, name: str, examples: Sequence[Mapping[str, str]], given: Mapping[str, Any]) -> str:
    """A template, filled in, with MARK in place of the report."""
    source, values = _read(folder / name), {"examples": examples, "report": MARK, **given}
    own = folder == resource("prompts")
    text = fill_in_template(source, name, **values) if own else filled_in(source, name, values)
    if text.count(MARK) != 1:
        raise InputError("{name}: the template must contain {{{{ report }}}} exactly once.", name=name)
    return text


def read_examples(path: Path, pathologies: Sequence[str], phrases: Sequence[str]) -> tuple[Example, ...]:
    """The worked examples of a file.

    Raises:
        InputError: the file is missing or malformed; names the example and the reason.
    """
    try:
        entries = inputs.toml_of(_read(path)).get("examples", [])
    except tomllib.TOMLDecodeError as error:
        raise InputError("{name} is broken: {error}.", name=path.name, error=error) from error
    examples = []
    for i, entry in enumerate(entries if isinstance(entries, list) else [None], 1):
        try:
            sentences = tuple(str(s) for s in entry["sentences"])
            rows = tuple((int(n), str(p), str(f)) for n, p, f in entry["rows"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                "{name}, example {i}: sentences and rows [number, pathology, phrase] are needed.", name=path.name, i=i
            ) from error
        for n, pathology, phrase in rows:
            why = ""
            if not 1 <= n <= len(sentences):
                why = Text("there is no sentence {n}", n=n)
            elif pathology not in pathologies:
                why = Text("{pathology!r} is no pathology of the list", pathology=pathology)
            elif phrase not in phrases and phrase not in spans(shown(sentences[n - 1])):
                why = Text("{phrase!r} is no phrase of the lexicon and not in the sentence", phrase=phrase)
            if why:
                raise InputError("{name}, example {i}: {why}.", name=path.name, i=i, why=why)
        examples.append(Example(sentences, rows))
    return tuple(examples)


def _read(path: Path) -> str:
    try:
        return inputs.read_bytes(path).decode("utf-8")
    except inputs.MissingFile as error:
        raise InputError(
            "The prompt file {path} is missing. Put it there or use the shipped ones.", path=path
        ) from error
    except (InputError, ValueError) as error:
        raise InputError("The prompt file {path} cannot be read. It must be text in UTF-8.", path=path) from error
