"""Reading, checking and compiling the term and cue files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from radcal.errors import InputError, reason_of
from radcal.extract.rules.patterns import PatternError, compile_pattern, flatten, misspellings
from radcal.lexicon.extraction_words import Respelling
from radcal.records import ABSENT, OTHER, PRESENT
from radcal.text import Text

TERMS = "pathologies_terms.tsv"
SUBJECTS = "pathologies_subjects.tsv"
CUES = "cues.tsv"
TERM_COLUMNS = ("pathology", "words", "unless", "note", "under")
SUBJECT_COLUMNS = ("kind", "states", "words")
NOTHING = "-"
CAUSE = "cause"
"""Phrase of the "with" cues that introduce a cause."""
MEANS = "means"
"""Phrase of the verbs that interpret a finding."""

_KINDS = frozenset((
    "hedge", "negation", "silence", "over", "stop", "with", "verb", "and", "or", "either", "versus", "lists", "small",
    "blank", "instead",
))  # fmt: skip
_LEADS = "(is|are|was|were|be|been|seem[s]|appear[s]|remain[s]) [also] [felt|thought|considered] [to be]"
"""Optional words between a finding and a department's own phrase."""
_BEGINS_WITH_VERB = re.compile(r"(\((?:is|are)\|(?:[^()\[\]]|\[\w+\])*\)) ")
_ADVERB = "[certainly|clearly|definitely|also|still|again|now|therefore|thus|indeed|at least]"
"""Optional adverb behind the verb of a hedge."""
_MISSPELT_FROM = 8
"""Length from which misspellings of a word are recognised; those of shorter words are often words themselves."""


@dataclass(frozen=True, slots=True)
class Term:
    """The meaning of a term.

    pathologies: that it names; empty for words that only look like a finding
    unless:      context that rules the term out
    sign_of:     diseases of which it is a mere sign if they are named behind it
    under:       its pathologies under certain headings ("Pericardium: no effusion"): (expression of the heading, names)
    """

    pathologies: tuple[str, ...]
    unless: re.Pattern[str] | None = None
    sign_of: re.Pattern[str] | None = None
    under: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Cue:
    """The meaning of words that govern findings; the columns of cues.tsv explain kind, phrase, direction and reach.

    rank:      order of hedges from weak to strong; the weaker of two prevails
    predicate: True if the words begin with a verb ("is unlikely"), so that they refer to what precedes them
    """

    kind: str
    phrase: str = NOTHING
    direction: str = NOTHING
    reach: str = NOTHING
    rank: float = 0
    predicate: bool = False


@dataclass(slots=True)
class Entry:
    """All meanings of the same words: a term, an organ, its state, a cue."""

    term: Term | None = None
    subject: str | None = None
    state: dict[str, str] | None = None
    cue: Cue | None = None


class Wording(NamedTuple):
    """A row of a file; ``seconds`` are its possible second words, None if a match may be a single word."""

    pattern: re.Pattern[str]
    entry: Entry
    seconds: frozenset[str] | None


@dataclass(slots=True)
class Vocabulary:
    """All words of the files.

    starts:        first word to the rows that can begin with it
    seconds:       the same by first and second word, '' for a second word of no row
    misspelt:      misspelt word to its entry
    merged:        matched words of several rows to their joint entry, filled as needed
    headings:      expressions of the headings that change the meaning of terms
    settings_hash: short SHA-256 over the files' content and the department's own words
    respelling:    the department's own words; findings carry its names of phrases
    """

    starts: dict[str, list[Wording]] = field(default_factory=dict)
    seconds: dict[str, dict[str, list[Wording]]] = field(default_factory=dict)
    misspelt: dict[str, Entry] = field(default_factory=dict)
    merged: dict[str, Entry] = field(default_factory=dict)
    headings: list[re.Pattern[str]] = field(default_factory=list)
    settings_hash: str = ""
    respelling: Respelling = field(default_factory=Respelling)

    def add(self, words: str, entry: Entry, *, first: bool = False) -> None:
        """Add the words of one row behind the rows so far, or before them.

        Raises:
            PatternError: the notation is malformed.
        """
        pattern, openings = compile_pattern(words)
        seconds: dict[str, set[str]] = {}
        for word, *second in openings:
            seconds.setdefault(word, set()).update(second or ("",))
        for word, behind in seconds.items():
            rows = self.starts.setdefault(word, [])
            row = Wording(pattern, entry, None if "" in behind else frozenset(behind))
            rows.insert(0 if first else len(rows), row)

    def index(self) -> None:
        """Index the rows by their second words, too."""
        for word, rows in self.starts.items():
            self.seconds[word] = {
                second: [row for row in rows if row.seconds is None or second in row.seconds]
                for second in {""}.union(*(row.seconds or () for row in rows))
            }


def read_vocabulary(folder: Path, respelling: Respelling | None = None) -> Vocabulary:
    """Read and check the three files of a folder.

    Args:
        respelling: a department's own words, which override those of the files.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    vocabulary = Vocabulary()
    digest = hashlib.sha256()
    pathologies: set[str] = set()
    known: set[str] = set()
    for row in rows_of(folder / TERMS, TERM_COLUMNS, digest):
        names = tuple(n.strip() for n in row["pathology"].split("+"))
        if not all(names):
            raise row.broken("the pathology is empty; write '-' for words that are no finding")
        named = () if names == (NOTHING,) else names
        if row["under"]:
            heading = row.compiled("under")
            vocabulary.headings.append(heading)
            term = Term((), under=((heading, named),))
        else:
            unless, _, sign_of = row["unless"].partition(";")
            term = Term(named, _words(unless), _words(sign_of))
        pathologies.update(named)
        row.add_to(vocabulary, Entry(term=term))
        if not term.under:
            known |= _misspell(vocabulary, row["words"], term)
    for row in rows_of(folder / SUBJECTS, SUBJECT_COLUMNS, digest):
        if row["kind"] == "subject":
            if row["states"] not in pathologies | {NOTHING}:
                raise row.broken(f"{row['states']!r} is no pathology of {TERMS}")
            row.add_to(vocabulary, Entry(subject=row["states"]))
        elif row["kind"] == "state":
            row.add_to(vocabulary, Entry(state=_states(row, pathologies)))
        else:
            raise row.broken(f"the kind {row['kind']!r} is neither 'subject' nor 'state'")
    rank: dict[str, int] = {}
    for row in rows_of(folder / CUES, ("kind", "phrase", "direction", "reach", "words"), digest):
        cue = _cue(row, rank)
        if cue.kind == "hedge":
            row["words"] = _BEGINS_WITH_VERB.sub(rf"\1 {_ADVERB} ", row["words"], count=1)
        row.add_to(vocabulary, Entry(cue=cue))
    for word in [w for w in vocabulary.misspelt if w in vocabulary.starts or w in known]:
        del vocabulary.misspelt[word]
    if respelling:
        _respell(vocabulary, respelling, rank)
        digest.update(respelling.text().encode())
    vocabulary.index()
    vocabulary.settings_hash = digest.hexdigest()[:16]
    return vocabulary


def _respell(vocabulary: Vocabulary, respelling: Respelling, rank: dict[str, int]) -> None:
    """Put the department's own words before those of the files: the first of two equal matches prevails."""
    vocabulary.respelling = respelling
    for words, phrase in respelling.words.items():
        if phrase == PRESENT:
            cues = [(words, Cue("over"))]
        elif phrase == ABSENT:
            cues = [(words, Cue("negation", ABSENT, "both", "list"))]
        else:
            strength = _strength(phrase, respelling, rank)
            cues = [
                (words, Cue("hedge", phrase, "both", "group", strength)),
                (f"{_LEADS} {words}", Cue("hedge", phrase, "both", "group", strength, predicate=True)),
            ]
        for notation, cue in cues:
            vocabulary.add(notation, Entry(cue=cue), first=True)


def _strength(phrase: str, respelling: Respelling, rank: dict[str, int]) -> float:
    """The rank of a department's phrase: that in the files, else just below the next stronger phrase."""
    if phrase in rank:
        return rank[phrase]
    order = respelling.order
    stronger = order[order.index(phrase) + 1 :] if phrase in order else ()
    return next((rank[name] - 0.5 for name in stronger if name in rank), len(rank))


class FileRow(dict[str, str]):
    """One row of a file, with its place for error messages."""

    def __init__(self, path: Path, line: int, values: dict[str, str]) -> None:
        super().__init__(values)
        self.path = path
        self.line = line

    def broken(self, reason: str) -> InputError:
        return InputError(
            "{name}, line {line}: {reason}. Mend the line or restore the shipped file.",
            name=self.path.name,
            line=self.line,
            reason=reason,
        )

    def compiled(self, column: str) -> re.Pattern[str]:
        """The expression of a column's notation; InputError if it is malformed."""
        try:
            return compile_pattern(self[column])[0]
        except PatternError as e:
            raise self.broken(f"the column '{column}' has {e}") from e

    def add_to(self, vocabulary: Vocabulary, entry: Entry) -> None:
        try:
            vocabulary.add(self["words"], entry)
        except PatternError as e:
            raise self.broken(f"the words have {e}") from e


def rows_of(path: Path, columns: tuple[str, ...], digest: hashlib._Hash) -> Iterator[FileRow]:
    """The rows of a file; the last cells of a row may be missing."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as e:
        raise InputError(
            "{name} cannot be read ({strerror}). The rules engine needs it in {parent}.",
            name=path.name,
            strerror=reason_of(e),
            parent=path.parent,
        ) from e
    except UnicodeDecodeError as e:
        raise InputError(
            "{name} is not UTF-8 text (byte {start}). Save it again as UTF-8.", name=path.name, start=e.start
        ) from e
    digest.update(path.name.encode() + b"\0" + content.replace(b"\r\n", b"\n") + b"\0")
    headed = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [c.strip() for c in line.split("\t")]
        if not headed:
            if tuple(cells) != columns:
                raise InputError(
                    "{name}, line {number}: the columns must be {columns}, tab-separated.",
                    name=path.name,
                    number=number,
                    columns=", ".join(columns),
                )
            headed = True
            continue
        row = FileRow(path, number, dict(zip(columns, cells + [""] * len(columns), strict=False)))
        if len(cells) > len(columns):
            raise row.broken(Text("{n} cells in {n2} columns", n=len(cells), n2=len(columns)))
        if not row["words"]:
            raise row.broken(Text("the words are missing"))
        yield row
    if not headed:
        raise InputError("{name} is empty. Restore the shipped file.", name=path.name)


def _words(cell: str) -> re.Pattern[str] | None:
    words = [" ".join(flatten(w).split()) for w in cell.split(",") if w.strip()]
    if not words:
        return None
    return re.compile(r"\b(?:" + "|".join(re.escape(w).replace(r"\ ", r"\s+") for w in words) + r")\b")


def _misspell(vocabulary: Vocabulary, words: str, term: Term) -> set[str]:
    """Add the misspellings of a row's single words; returns these words."""
    pattern, _ = compile_pattern(words)
    singles = {w for w in re.findall(r"[a-z]+", words) if len(w) >= _MISSPELT_FROM and pattern.fullmatch(w)}
    for word in singles:
        for form in misspellings(word):
            vocabulary.misspelt.setdefault(form, Entry(term=term))
    return singles


def _states(row: FileRow, pathologies: set[str]) -> dict[str, str]:
    states: dict[str, str] = {}
    if row["states"] == NOTHING:
        return states
    for part in row["states"].split(" "):
        name, _, value = part.rpartition("=")
        name = name.replace("_", " ")
        if name not in pathologies:
            raise row.broken(f"{name!r} is no pathology of {TERMS}")
        if value not in ("present", ABSENT):
            raise row.broken(f"the state {value!r} is neither 'present' nor 'absent'")
        states[name] = value
    return states


def _cue(row: FileRow, rank: dict[str, int]) -> Cue:
    kind, phrase, direction, reach = (row[c] for c in ("kind", "phrase", "direction", "reach"))
    if kind not in _KINDS:
        raise row.broken(f"the kind {kind!r} is unknown; known are {', '.join(sorted(_KINDS))}")
    if kind in ("hedge", "negation", "silence"):
        if direction not in ("before", "after", "both"):
            raise row.broken(f"the direction {direction!r} is none of before, after, both")
        if reach not in ("list", "group", "near"):
            raise row.broken(f"the reach {reach!r} is none of list, group, near")
    if kind == "hedge" and phrase in (NOTHING, ""):
        raise row.broken(Text("a hedge needs its canonical phrase, or {other!r}", other=OTHER))
    if kind == "negation" and phrase != ABSENT:
        raise row.broken(f"the phrase of a negation is {ABSENT!r}")
    hedges = kind == "hedge" or (kind == "over" and phrase not in (NOTHING, ""))
    predicate = re.match(r"[(\[]?(is|are)\b", row["words"]) is not None
    return Cue(kind, phrase, direction, reach, rank.setdefault(phrase, len(rank)) if hedges else 0, predicate)
