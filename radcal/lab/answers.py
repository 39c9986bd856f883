"""Files of language models' answers: how certain each was said to be, and whether it was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from radcal.system import inputs
from radcal.system.columns import FAULT_COLUMNS, Columns, none_usable
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.certainty import TRUTH, Fault, Said, certainty, in_percent, share
from radcal.words.phrases import Lexicon, mean_of
from radcal.words.records import Phrase

if TYPE_CHECKING:
    import pandas as pd

ANSWER_COLUMNS = {
    "author": "str: the model",
    "topic": "str: the question set",
    "phrase": "str: how certain it was: the name of a phrase, a number in 0-1, or 'Beta(a, b)'; unknown words verbatim",
    "outcome": "float: 1 right, 0 wrong",
    "row": "int: line of the file, 1 for the first",
}
"""What is kept of an answer; neither question nor answer is."""
ALL_QUESTIONS = "all questions"
"""The topic of answers whose file names none."""
_KEYS = {
    "author": ("author", "model"),
    "topic": ("topic", "question_set", "qset", "dataset"),
    "confidence": ("confidence", "certainty", "phrase", "probability"),
    "correct": ("correct", "is_correct", "outcome"),
    "abstained": ("abstained",),
}
"""Names that a value goes by, in any case, with spaces or underscores; the first that is there counts."""
_JSON, _TABLES = (".json", ".jsonl", ".ndjson"), (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class UnknownWords:
    """Words of certainty that are in no list, as they were written.

    n: answers with them;  file, row: the first of these
    """

    words: str
    n: int
    file: str
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The usable answers of a file.

    answers: columns ANSWER_COLUMNS, in the order of the file
    said: the numbers and Betas of these answers, and phrases of further lists, weakest first; those of the lexicon
        are not among them
    rejected: rows that cannot be used: file, row, reason, remedy
    percent: the models whose numbers were read as percentages although no sign says so
    unknown: words in no list, those of most answers first
    abstained: rows left out because the model gave no answer
    """

    answers: pd.DataFrame
    said: tuple[Phrase, ...]
    rejected: pd.DataFrame
    percent: tuple[str, ...] = ()
    unknown: tuple[UnknownWords, ...] = ()
    abstained: int = 0


_NO_OBJECT = Fault(
    Text("The line is no JSON object."),
    Text("Write one answer a line, such as {example}.", example='{"confidence": "likely", "correct": true}'),
)
_NO_OUTCOME = Fault(Text("It is missing whether the answer was right."), Text("Enter true or false under 'correct'."))
_NO_VERDICT = Fault(
    Text("The value of 'correct' is neither right nor wrong."),
    Text("Enter true or false, 1 or 0, or correct or incorrect."),
)


_PERCENT_OR_NOT = Fault(
    Text("The confidence is above 1, and the author's other numbers do not show that it is a percentage."),
    Text("Write percentages with their sign, as in 85 %."),
)
_SHARE_OR_NOT = Fault(
    Text("The confidence is between 0 and 1, and most numbers of this author are percentages."),
    Text("Write percentages with their sign, as in 0.5 %, or all numbers from 0 to 1."),
)


class _Answer(NamedTuple):
    """A line as read: ``number`` without a sign that says whether it is a percentage, or what it means."""

    row: int
    author: str
    topic: str
    phrase: str
    meaning: Phrase | None
    number: float | None
    outcome: float


def read_answers(path: Path, lexicon: Lexicon, progress: Progress = SILENT, others: Sequence[Lexicon] = ()) -> Answers:
    """Answers from a file of JSON lines, one object an answer; a JSON array or a table (CSV) of them is read, too.

    An answer has "confidence" and "correct", and may have "author" or "model" (else the file's name stands for the
    model) and "topic" or "question_set" (else all questions are one).  Confidence is a phrase of the lexicon, a number
    in 0-1, a percentage with its sign, or a distribution, "Beta(a, b)" or an object of alpha and beta.  Numbers without
    a sign are percentages where most of the same model's, and three at least, are above 1; the others are then listed,
    as are those above 1 elsewhere.  "correct" is true or false, 1 or 0, or a word such as "correct".  Rows with
    "abstained" true are counted and left out.

    Args:
        path: of the file.
        lexicon: whose phrases are known.
        progress: is asked whether to go on.
        others: further lists, for phrases that the lexicon lacks; the first that has one counts.  Where a list knows
            words as a synonym of a phrase that an earlier one has, they mean what that one says.

    Raises:
        InputError: the file cannot be read, is empty, or none of its answers can be used.
        Cancelled: by ``progress``.
    """
    found: list[_Answer] = []
    bad: list[tuple[int, Fault]] = []
    abstained, lists = 0, (lexicon, *others)
    for row, entry in _entries(path, progress):
        made = entry if isinstance(entry, Fault) else _answer(row, entry, path.stem, lists)
        if isinstance(made, Fault):
            bad.append((row, made))
        elif made is None:
            abstained += 1
        else:
            found.append(made)
    if not found and not bad and abstained:
        raise InputError("In {name} the model answers nothing: all rows are abstentions.", name=path.name)
    if not found and not bad:
        raise InputError("{name} is empty. Choose a file with answers.", name=path.name)
    percent = _in_percent(found)
    used = []
    for answer in found:
        read = None if answer.number is None else _settled(answer.number, percent=answer.author in percent)
        if isinstance(read, Fault):
            bad.append((answer.row, read))
        else:
            used.append(answer if read is None else answer._replace(**read._asdict()))
    bad.sort(key=lambda item: item[0])
    if not used:
        told = Text("No answer of {name} can be used.", name=path.name)
        raise none_usable(told, [(row, *fault) for row, fault in bad])
    unknown = _unknown(path.name, used, lexicon)
    return replace(_made(path.name, used, bad), percent=tuple(sorted(percent)), unknown=unknown, abstained=abstained)


def _entries(path: Path, progress: Progress) -> Iterator[tuple[int, Any]]:
    """The answers of a file with the row of each, or what is wrong with a row."""
    suffix = path.suffix.casefold()
    text = "" if suffix in _TABLES else inputs.read_text(path, progress)
    begins = text.lstrip()[:1]
    if suffix in _TABLES or (begins not in "{[" and suffix not in _JSON):
        yield from _rows(path, progress)
    elif begins == "[":
        try:
            yield from enumerate(inputs.json_of(text), start=1)
        except ValueError as error:
            raise InputError(
                "{name} begins like a list in JSON and is none. Write one answer a line.", name=path.name
            ) from error
    else:
        yield from inputs.json_lines_of(text, progress)


def _rows(path: Path, progress: Progress) -> Iterator[tuple[int, Any]]:
    """The rows of a table."""
    columns = Columns(path, {name for names in _KEYS.values() for name in names}, (), _KEYS["confidence"], progress)
    for ours in ("confidence", "correct"):
        if not any(name in columns for name in _KEYS[ours]):
            columns.require(ours)
    rows, rejected = columns.finish()
    yield from ((int(row), Fault(Text(why), Text(remedy))) for _, row, why, remedy in rejected.itertuples(index=False))
    yield from zip(rows.index.tolist(), rows.to_dict("records"), strict=True)


def _answer(row: int, entry: Any, model: str, lists: Sequence[Lexicon]) -> _Answer | Fault | None:
    """An answer, what is wrong with it, or None for an abstention."""
    if not isinstance(entry, Mapping):
        return _NO_OBJECT
    values = {"_".join(str(name).casefold().split()): value for name, value in entry.items()}
    said = {ours: next((values[name] for name in names if name in values), None) for ours, names in _KEYS.items()}
    if _outcome(said["abstained"]) == 1.0:
        return None
    read = certainty(said["confidence"], lists)
    if isinstance(read, Fault):
        return read
    outcome = _outcome(said["correct"])
    if isinstance(outcome, Fault):
        return outcome
    author, topic = _named(said["author"]) or model, _named(said["topic"]) or ALL_QUESTIONS
    return _Answer(row, author, topic, *read, outcome)


def _named(value: Any) -> str:
    """A name as text, '' for none."""
    known = isinstance(value, str | int | float) and not isinstance(value, bool)
    return " ".join(str(value).split()) if known else ""


def _outcome(value: Any) -> float | Fault:
    if value is None or value == "":
        return _NO_OUTCOME
    word = str(value).strip().casefold() if isinstance(value, str | bool | int | float) else ""
    return float(TRUTH[word]) if word in TRUTH else _NO_VERDICT


def _in_percent(found: Sequence[_Answer]) -> set[str]:
    """The models whose bare numbers are percentages."""
    above: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for answer in found:
        if answer.number:
            every[answer.author] += 1
            above[answer.author] += 1 < answer.number <= 100
    return {author for author, n in above.items() if in_percent(n, every[author])}


def _settled(number: float, *, percent: bool) -> Said | Fault:
    """A bare number, as a probability or as a percentage."""
    if percent and 0 < number < 1:
        return _SHARE_OR_NOT
    if not percent and 1 < number <= 100:
        return _PERCENT_OR_NOT
    return share(number / 100 if percent else number)


def _unknown(file: str, used: Sequence[_Answer], lexicon: Lexicon) -> tuple[UnknownWords, ...]:
    found: dict[str, list[int]] = {}
    for answer in used:
        if answer.meaning is None and lexicon.find(answer.phrase) is None:
            found.setdefault(answer.phrase, []).append(answer.row)
    made = [UnknownWords(words, len(rows), file, rows[0]) for words, rows in found.items()]
    return tuple(sorted(made, key=lambda u: (-u.n, u.row)))


def _made(file: str, used: Sequence[_Answer], bad: Sequence[tuple[int, Fault]]) -> Answers:
    import pandas as pd

    said = {answer.phrase: answer.meaning for answer in used if answer.meaning is not None}
    columns = {name: [getattr(answer, name) for answer in used] for name in ANSWER_COLUMNS}
    answers: pd.DataFrame = pd.DataFrame(columns).astype({"outcome": "float64", "row": "int64"})
    for name in ("author", "topic", "phrase"):
        answers[name] = answers[name].astype("category")
    rejected = pd.DataFrame([(file, row, *fault) for row, fault in bad], columns=pd.Index(FAULT_COLUMNS))
    ordered = sorted(said.values(), key=lambda p: (mean_of(p), p.name))
    return Answers(answers, tuple(ordered), rejected)
