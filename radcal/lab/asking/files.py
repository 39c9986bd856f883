"""Files of questions, and of the answers that a model gave to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from radcal.lab.asking.asker import Answered, Question, Way
from radcal.system import inputs
from radcal.system.cells import freed
from radcal.system.columns import FAULT_COLUMNS, Columns, none_usable
from radcal.system.errors import InputError
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

JSON_LINES = (".jsonl", ".ndjson", ".json")
"""Suffixes of files with a JSON object a line; others are tables."""
_COLUMNS = ("question", "answer", "topic")
_NO_OBJECT = (
    Text("The line is no JSON object."),
    Text("Write one question a line: {example}", example='{"question": "...", "answer": "..."}'),
)
_NO_QUESTION = (Text("The question is missing."), Text("Enter the question."))
_NO_ANSWER = (Text("The answer is missing."), Text("Enter the accepted answer; separate several by |."))
_DAMAGED = (Text("The row has a character that is damaged."), Text("Write the row anew."))


class Questions(NamedTuple):
    """Questions in the order of their file, and the rows that are none: file, row, reason and remedy."""

    questions: tuple[Question, ...]
    rejected: tuple[dict[str, Any], ...]


def read_questions(path: Path, progress: Progress = SILENT) -> Questions:
    """Questions from JSON lines or a table, with "question", "answer" and optional "topic".

    "answer" has one accepted answer or several, separated by | or, in JSON, as a list.  The topic is by default the
    file's name.  Of a question that occurs twice the first counts.

    Raises:
        InputError: the file cannot be read, or has no usable question.
        Cancelled: by ``progress``.
    """
    rejected: list[tuple[int, str, str]] = []
    found: dict[str, Question] = {}
    rows: dict[str, int] = {}
    entries = _lines(path, progress) if path.suffix.lower() in JSON_LINES else _table(path, rejected, progress)
    for row, entry in entries:
        made = _question(entry, path.stem)
        if isinstance(made, Question) and made.text in found:
            first = rows[made.text]
            made = (
                Text("The question is already in row {row}.", row=first),
                Text("Remove one of the two, or put the answers of both into one row."),
            )
        if isinstance(made, Question):
            found[made.text], rows[made.text] = made, row
        else:
            rejected.append((row, *made))
    if not found and rejected:
        raise none_usable(Text("No question of {name} can be used.", name=path.name), rejected)
    if not found:
        raise InputError("{name} is empty. Choose a file with questions.", name=path.name)
    told = (dict(zip(FAULT_COLUMNS, (path.name, *fault), strict=True)) for fault in sorted(rejected))
    return Questions(tuple(found.values()), tuple(told))


def _lines(path: Path, progress: Progress) -> Iterator[tuple[int, Any]]:
    return inputs.json_lines_of(inputs.read_text(path, progress), progress)


def _table(
    path: Path, rejected: list[tuple[int, str, str]], progress: Progress
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    table = Columns(path, _COLUMNS, progress=progress)
    table.require("question", "answer")
    checked = table.finish()
    rejected += [(int(row), reason, remedy) for _, row, reason, remedy in checked.rejected.itertuples(index=False)]
    names = [name for name in _COLUMNS if name in table]
    for row, *cells in checked.rows[names].itertuples():
        yield int(row), dict(zip(names, map(freed, cells), strict=True))


def _question(entry: Any, topic: str) -> Question | tuple[str, str]:
    """A question, or why the row is none and what would help."""
    if not isinstance(entry, Mapping):
        return _NO_OBJECT
    values = {str(name).strip().casefold(): value for name, value in entry.items()}
    text, answer = _text(values.get("question")), values.get("answer")
    several = answer if isinstance(answer, list) else [answer]
    accepted = [part.strip() for one in several for part in _text(one).split("|")]
    accepted = list(dict.fromkeys(filter(None, accepted)))
    named = _text(values.get("topic"))
    try:
        "".join((text, *accepted, named)).encode()
    except UnicodeEncodeError:
        return _DAMAGED
    if not text:
        return _NO_QUESTION
    return Question(text, tuple(accepted), named or topic) if accepted else _NO_ANSWER


def _text(value: Any) -> str:
    """A value as text: numbers as they are, yes and no for true and false, '' for anything else."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


# --- answers ------------------------------------------------------------------------------------------------


class Kept(NamedTuple):
    """An answer of an earlier run, and what it was made with."""

    answered: Answered
    made_with: str


def read_answered(path: Path, progress: Progress = SILENT) -> list[Kept]:
    """The answers of a file that :func:`answer_lines` wrote.

    Raises:
        InputError: the file cannot be read, or a line is none of RadCal's.
    """
    from cattrs import BaseValidationError

    kept = []
    for row, entry in _lines(path, progress):
        fault = InputError(
            "{name}, line {row}: this is no answer that RadCal wrote here. Choose another file name.",
            name=path.name,
            row=row,
        )
        try:
            question = {"text": entry["question"], "accepted": entry["accepted"], "topic": entry["topic"]}
            plain = {"samples": [], **entry, "question": question, "way": entry["asked_as"]}
            answered = plain_to_record(plain, Answered)
            kept.append(Kept(answered, str(entry["made_with"])))
        except (KeyError, TypeError, BaseValidationError) as error:
            raise fault from error
        if plain != plain | record_to_plain(answered):  # values of other kinds were made to fit
            raise fault
    return kept


def answer_lines(answers: Sequence[Answered], author: str, made_with: Mapping[Way, str]) -> str:
    """Answers as lines of JSON, for :func:`read_answered` and for `radcal models`.

    Args:
        answers: in order.
        author: the model's name; where it was asked in several ways, each way is an author of its own.
        made_with: for each way, stands for all that an answer depends on besides its question.
    """
    lines = []
    for answered in answers:
        entry = record_to_plain(answered)
        question, way = entry.pop("question"), entry.pop("way")
        if not answered.samples:
            del entry["samples"]
        about = {"question": question["text"], "topic": question["topic"], "accepted": question["accepted"]}
        whose = author if len(made_with) == 1 else f"{author} ({way})"
        entry = {**about, "author": whose, "asked_as": way, **entry, "made_with": made_with[answered.way]}
        lines.append(json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n")
    return "".join(lines)
