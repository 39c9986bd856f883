"""What a language model is told before it is asked of pairs: task, forms and worked examples, from a file that a
department may change."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radcal.findings.readers.pairs import NOT_STATED, phrases_of
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.phrases import Lexicon

PAIRS = "pairs.toml"
_FORMS = {"sentence": "{sentence}", "question": "{pathology}", "answer": "{phrase}"}
"""The forms, and what each must contain once."""
_PHRASES = "{phrases}"


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence and what it says of pathologies: (pathology, phrase)."""

    sentence: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PairPrompt:
    """Task, forms and worked examples; ``{phrases}`` in the task stands for the closed list."""

    task: str
    sentence: str
    question: str
    answer: str
    examples: tuple[Example, ...]

    def asked(self, sentence: str) -> str:
        """A sentence in its form."""
        return self.sentence.replace(_FORMS["sentence"], sentence)

    def of(self, pathology: str) -> str:
        """The question of a pathology in its form."""
        return self.question.replace(_FORMS["question"], pathology)

    def answered(self, phrase: str) -> str:
        """An answer in its form."""
        return self.answer.replace(_FORMS["answer"], phrase)

    def told(self, phrases: Sequence[str]) -> str:
        """What stands before the first question: the task and the worked examples.

        Args:
            phrases: the closed list.
        """
        worked = (
            self.asked(e.sentence) + "".join(self.of(p) + self.answered(phrase) for p, phrase in e.rows)
            for e in self.examples
        )
        return self.task.replace(_PHRASES, ", ".join(phrases)) + "".join(worked)


def shown(sentence: str) -> str:
    """A sentence in one line, without control characters."""
    return "".join(c if c.isprintable() else " " for c in sentence)


def read_pair_prompt(folder: Path | None, pathologies: Collection[str], lexicon: Lexicon) -> PairPrompt:
    """The prompt of a folder.

    Args:
        folder: None for the shipped prompt, of which examples of phrases that the lexicon lacks are left out.

    Raises:
        InputError: the file is missing or malformed; names file, place, reason and remedy.
    """
    path = (folder or resource("prompts")) / PAIRS
    try:
        content = inputs.toml_of(inputs.read_bytes(path).decode("utf-8"))
    except inputs.MissingFile as error:
        raise InputError(
            "The prompt file {path} is missing. Put it there, or leave the folder of prompts empty in the settings to "
            "use the shipped one.",
            path=path,
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise _malformed(Text("it is not valid TOML: {error}", error=error)) from error
    except (InputError, ValueError) as error:
        raise InputError("The prompt file {path} cannot be read. It must be text in UTF-8.", path=path) from error
    task = _text(content, "task")
    if task.count(_PHRASES) != 1:
        raise _malformed(Text("the task must contain {mark} exactly once", mark=_PHRASES))
    tables = content.get("forms")
    forms = {name: _text(tables if isinstance(tables, dict) else {}, name) for name in _FORMS}
    for name, mark in _FORMS.items():
        if forms[name].count(mark) != 1:
            raise _malformed(Text("the form {name!r} must contain {mark} exactly once", name=name, mark=mark))
    if forms["answer"].endswith(_FORMS["answer"]):
        raise _malformed(Text("the form 'answer' must go on behind the phrase, as with a line break"))
    entries = content.get("examples", [])
    examples = tuple(
        _example(i, entry, pathologies, lexicon, own=folder is not None)
        for i, entry in enumerate(entries if isinstance(entries, list) else [None], 1)
    )
    return PairPrompt(task, **forms, examples=tuple(e for e in examples if e.rows))


def _example(number: int, entry: Any, pathologies: Collection[str], lexicon: Lexicon, *, own: bool) -> Example:
    try:
        sentence = _text(entry, "sentence")
        rows = [(pathology, phrase) for pathology, phrase in entry["rows"]]
    except (InputError, KeyError, TypeError, ValueError) as error:
        raise _malformed(Text('a sentence and rows ["pathology", "phrase"] are needed'), number) from error
    kept = []
    for pathology, phrase in rows:
        if pathology not in pathologies:
            raise _malformed(Text("{pathology!r} is no pathology of the list", pathology=pathology), number)
        found = lexicon.find(phrase) if isinstance(phrase, str) else None
        if phrase == NOT_STATED or found is not None:
            kept.append((pathology, found.name if found else NOT_STATED))
        elif own:
            known = ", ".join(phrases_of(lexicon))
            raise _malformed(
                Text("{phrase!r} is no phrase of the lexicon. Choose one of {known}", phrase=phrase, known=known),
                number,
            )
    return Example(sentence, tuple(kept))


def _text(table: Any, name: str) -> str:
    found = table.get(name) if isinstance(table, dict) else None
    if not isinstance(found, str) or not found.strip():
        raise _malformed(Text("the text {name!r} is missing", name=name))
    return found


def _malformed(why: Text, example: int | None = None) -> InputError:
    if example is None:
        return InputError("{name}: {why}.", name=PAIRS, why=why)
    return InputError("{name}, example {example}: {why}.", name=PAIRS, example=example, why=why)
