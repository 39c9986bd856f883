"""Reading, checking and compiling the term and cue files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from radcal.findings.rules.patterns import (
    COMPOUND,
    Expression,
    PatternError,
    Words,
    compile_expression,
    compile_pattern,
    flatten,
    misspellings,
    seconds_of,
    single_words,
)
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.extraction_words import Respelling, shipped
from radcal.words.languages import ENGLISH, languages_hash, names
from radcal.words.records import ABSENT, OTHER, PRESENT, UNREAD, Remark
from radcal.words.replacements import Replacements, read_replacements
from radcal.words.sentence_words import sentence_words
from radcal.words.spoken import spoken_hash
from radcal.words.studies import Laid, StudyWords
from radcal.words.word_files import (
    ABBREVIATIONS,
    CUE_COLUMNS,
    CUES,
    EXPRESSION_COLUMNS,
    EXPRESSIONS,
    FORM_COLUMNS,
    FORMS,
    MISHEARD,
    NOTHING,
    SUBJECT_COLUMNS,
    SUBJECTS,
    TERM_COLUMNS,
    TERMS,
    FileRow,
    expressions_of,
    named_in_terms,
    rows_of,
    unknown_pathology,
)

CAUSE = "cause"
"""Phrase of the "with" cues that introduce a cause."""
MEANS = "means"
"""Phrase of the verbs that interpret a finding."""
SEEN, AFFIRMED = "seen", "affirmed"
"""Phrases of the verbs of seeing; those that affirm begin a statement even behind a mere comma."""

DOUBT = "doubt"
"""Kind of the words that no rule reads, and beside which a finding is no plain statement."""

_KINDS = frozenset((
    "hedge", "negation", "silence", "over", "stop", "with", "verb", "and", "or", "either", "versus", "lists", "small",
    "blank", "instead", "doubt",
))  # fmt: skip
_FIRST_PART = re.compile(r"\((\w+)(?:\|(?:[^()\[\]]|\[\w+\])*)?\) ")
"""The choice that a notation begins with."""
_NEVER = re.compile(r"(?P<doubt>(?!))")
_BESIDE = "beside "
"""Before words of the column "under" that stand anywhere in the same part of the sentence."""
_SHIPPED = resource("lexicon")
_MISSPELT_FROM = 8
"""Length from which misspellings of a word are recognised; those of shorter words are often words themselves."""


@dataclass(frozen=True, slots=True)
class Term:
    """The meaning of a term.

    pathologies: that it names; empty for words that only look like a finding
    unless:      context that rules the term out
    sign_of:     diseases of which it is a mere sign if they are named behind it
    under:       its pathologies under certain headings ("Pericardium: no effusion"): (expression of the heading, names)
    beside:      its pathologies beside certain words: "an effusion in the pericardial space"
    own:         True if the words are a department's own
    """

    pathologies: tuple[str, ...]
    unless: re.Pattern[str] | None = None
    sign_of: re.Pattern[str] | None = None
    under: tuple[tuple[Expression, tuple[str, ...]], ...] = ()
    beside: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ()
    own: bool = field(default=False, compare=False)


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
    """All meanings of the same words: a term, an organ, its state, a cue.

    layer: number of the folder that it comes from; of equal words, the meaning in the lowest layer prevails
    row:   the row of the file that it comes from, None for words of other origin
    """

    term: Term | None = None
    subject: str | None = None
    state: dict[str, str] | None = None
    cue: Cue | None = None
    layer: int = field(default=0, compare=False)
    row: FileRow | None = field(default=None, compare=False, repr=False)


class Wording(NamedTuple):
    """A row of a file; ``seconds`` are its possible second words, None if a match may be a single word."""

    pattern: Expression
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
    doubts:        expression of the words of doubt that are no cue; its group "doubt" is empty where they express none
    expressions:   what the rules look for besides, by name
    settings_hash: short SHA-256 over the files' content and the department's own words
    longest_tail, shortest_tail: letters of the last parts of compounds; 0 if there are none
    respelling:    the department's own words; findings carry its names of phrases
    entries:       the entries of all rows, in the order of the folders and files
    remarks:       the lines that were left out, and why
    compounds:     a compound may be a cue by its last part alone
    replacements:  abbreviations and misheard terms, which are written out before a sentence is read
    values:        of findings in forms, to what is read of them
    counted:       the pathologies that a study counts, of all that are recognised; None for all
    """

    starts: dict[str, list[Wording]] = field(default_factory=dict)
    seconds: dict[str, dict[str, list[Wording]]] = field(default_factory=dict)
    misspelt: dict[str, Entry] = field(default_factory=dict)
    merged: dict[str, Entry] = field(default_factory=dict)
    headings: list[Expression] = field(default_factory=list)
    doubts: re.Pattern[str] = _NEVER
    expressions: dict[str, Words] = field(default_factory=dict)
    settings_hash: str = ""
    longest_tail: int = 0
    shortest_tail: int = 0
    respelling: Respelling = field(default_factory=Respelling)
    entries: list[Entry] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    compounds: bool = False
    replacements: Replacements = field(default_factory=Replacements)
    values: dict[str, str] = field(default_factory=dict)
    counted: frozenset[str] | None = None

    def add(self, words: str, entry: Entry) -> None:
        """Add the words of one row.

        Raises:
            PatternError: the notation is malformed.
        """
        pattern, _ = compile_pattern(words)
        for word, seconds in seconds_of(words).items():
            self.starts.setdefault(word, []).append(Wording(pattern, entry, seconds))

    def index(self) -> None:
        """Put the rows in the order of their layers, index them by second words, and measure the ends of compounds."""
        tails = [len(word) - 1 for word in self.starts if word.startswith(COMPOUND) and len(word) > 1]
        self.longest_tail, self.shortest_tail = max(tails, default=0), min(tails, default=0)
        for word, rows in self.starts.items():
            if len(rows) == 1:  # those of most words
                seconds = rows[0].seconds
                self.seconds[word] = {"": rows} if seconds is None else {"": [], **dict.fromkeys(seconds, rows)}
                continue
            rows.sort(key=lambda row: row.entry.layer)
            self.seconds[word] = {
                second: [row for row in rows if row.seconds is None or second in row.seconds]
                for second in {""}.union(*(row.seconds or () for row in rows))
            }


def read_vocabularies(*folders: Laid, respelling: Respelling | None = None) -> dict[str, Vocabulary]:
    """The vocabulary of every language, by code, English first.

    Other languages than English have a folder of their code, "de" and the like, in the last folder.  The folders before
    it, a department's own, hold for every language.

    Args, raises: as :func:`read_vocabulary`.
    """
    if folders == (_SHIPPED,):
        return dict(_shipped(respelling or None))
    return _read_vocabularies(*folders, respelling=respelling)


@lru_cache(maxsize=3)
def _shipped(respelling: Respelling | None) -> dict[str, Vocabulary]:
    """The shipped vocabularies, read once for all engines of a process that read the same words."""
    return _read_vocabularies(_SHIPPED, respelling=respelling)


def _read_vocabularies(*folders: Laid, respelling: Respelling | None = None) -> dict[str, Vocabulary]:
    *own, shipped = folders
    assert isinstance(shipped, Path)  # noqa: S101 - of the last, for the type checker
    others = sorted(path.name for path in shipped.iterdir() if path.name in names() and (path / CUES).exists())
    return {
        ENGLISH: _read_vocabulary(*folders, respelling=respelling),
        **{code: _read_vocabulary(*own, shipped / code, respelling=respelling) for code in others},
    }


def settings_hash(vocabularies: Mapping[str, Vocabulary]) -> str:
    """Short SHA-256 of all vocabularies and of the words by which languages and sentences are recognised."""
    digest = hashlib.sha256(f"{languages_hash()} {sentence_words().digest} {spoken_hash()}".encode())
    for code, vocabulary in vocabularies.items():
        digest.update(f"{code} {vocabulary.settings_hash}\n".encode())
    return digest.hexdigest()[:16]


def read_vocabulary(*folders: Laid, respelling: Respelling | None = None) -> Vocabulary:
    """Read and check the files of folders, and the words of a study, that are laid over each other.

    Of equal words, the meaning in the first folder prevails.  The last folder has all three files and the names of the
    pathologies that organs may express; the others add what they have, and may add pathologies.  Where one of these
    names a pathology that nothing has words for, the line is left out, and ``remarks`` says so.

    Args:
        respelling: a department's own words, which override those of the files.

    Raises:
        InputError: a file of the last folder is missing, or one is malformed; names file, line and reason.
    """
    if folders == (_SHIPPED,):
        return _shipped(respelling or None)[ENGLISH]
    return _read_vocabulary(*folders, respelling=respelling)


def _read_vocabulary(*folders: Laid, respelling: Respelling | None) -> Vocabulary:
    vocabulary, last = Vocabulary(), folders[-1]
    assert isinstance(last, Path)  # noqa: S101 - for the type checker
    vocabulary.counted = next((folder.counted for folder in folders if isinstance(folder, StudyWords)), None)
    reader = _Reader(vocabulary, respelling or Respelling(), len(folders) - 1)
    reader.read_expressions(last)
    # The last folder first: its order of hedges from weak to strong holds for the words of the others, too.
    layers = list(reversed(list(enumerate(folders))))
    for layer, folder in layers:
        reader.read_terms(folder, layer)
    for layer, folder in layers:
        reader.read_subjects(folder, layer)
    for layer, folder in layers:
        reader.read_cues(folder, layer)
    reader.read_replacements(last)
    reader.finish()
    return vocabulary


class _Reader:
    """Reads files into a vocabulary; ``last`` is the layer that has all of them."""

    def __init__(self, vocabulary: Vocabulary, respelling: Respelling, last: int) -> None:
        self.vocabulary = vocabulary
        self._respelling = respelling
        self._last = last
        self._digest = hashlib.sha256()
        self._pathologies: set[str] = set()
        self._known: set[str] = set()
        self._misspelt: list[tuple[str, Term, int]] = []
        self._rank: dict[str, int | float] = {}
        self._named: dict[str, str] = {}
        self._own_states: list[str] = []
        self._shipped = named_in_terms(_SHIPPED) if vocabulary.counted is not None else ()

    def read_expressions(self, folder: Path) -> None:
        """Those of the last folder; a name that only the shipped English file has stands for no words."""
        expressions = self.vocabulary.expressions = dict.fromkeys(expressions_of(_SHIPPED), Words(NOTHING))
        own = (folder / EXPRESSIONS).is_file()
        for row in rows_of((folder if own else _SHIPPED) / EXPRESSIONS, EXPRESSION_COLUMNS, self._digest):
            try:
                expressions[row["name"]] = Words(row["words"])
                self._named[row["name"]] = row["words"]
            except PatternError as e:
                raise row.broken(f"the words have {e}") from e

    def read_terms(self, folder: Laid, layer: int) -> None:
        for row in self._rows(folder, layer, TERMS, TERM_COLUMNS):
            named, own = row.named(), layer < self._last
            self._pathologies.update(named)
            if self._is_of_another_study(named, layer):
                continue
            named = self._counted(named)
            if (words := row["under"].removeprefix(_BESIDE)) != row["under"]:
                row["under"] = words
                near = re.compile(rf"\b(?:{_compiled(row, 'under').pattern})")
                term = Term((), beside=((near, named),), own=own)
            elif row["under"]:
                heading = _compiled(row, "under")
                self.vocabulary.headings.append(heading)
                term = Term((), under=((heading, named),), own=own)
            else:
                unless, _, sign_of = row["unless"].partition(";")
                term = Term(named, _words(unless), _words(sign_of), own=own)
            self._add(row, row["words"], Entry(term=term, layer=layer))
            if not (term.under or term.beside):
                self._misspelt.append((row["words"], term, layer))

    def read_subjects(self, folder: Laid, layer: int) -> None:
        for row in self._rows(folder, layer, SUBJECTS, SUBJECT_COLUMNS):
            if row["kind"] == "subject":
                if row["states"] == NOTHING or self._is_known(row, row["states"], layer):
                    subject = next(iter(self._counted((row["states"],))), NOTHING)
                    self._add(row, row["words"], Entry(subject=subject, layer=layer))
            elif row["kind"] == "state":
                states = _states(row, () if layer == self._last else [p.name for p in shipped().phrases])
                known = {name: value for name, value in states.items() if self._is_known(row, name, layer)}
                known = {name: known[name] for name in self._counted(tuple(known))}
                if known or not states:
                    self._add(row, row["words"], Entry(state=known, layer=layer))
                    self._own_states += [row["words"]] if layer < self._last else []
            else:
                raise row.broken(f"the kind {row['kind']!r} is neither 'subject' nor 'state'")

    def read_cues(self, folder: Laid, layer: int) -> None:
        for row in self._rows(folder, layer, CUES, CUE_COLUMNS):
            if layer < self._last and row["phrase"] not in self._rank:
                self._rank[row["phrase"]] = _strength(row["phrase"], self._respelling, self._rank)
            first = re.match(r"[(\[]?(\w+)", row["words"])
            predicate = first is not None and self._is_verb(first[1])
            entry = Entry(cue=_cue(row, self._rank, predicate=predicate), layer=layer, row=row)
            if layer == self._last and self._hides_state(row):
                continue
            if row["kind"] == DOUBT:
                _compiled(row, "words")
                self.vocabulary.entries.append(entry)
                continue
            words = row["words"]
            if row["kind"] == "hedge" and (first := _FIRST_PART.match(words)) and self._is_verb(first[1]):
                words = f"{first.group()}{self._named['adverb of a hedge']} {words[first.end() :]}"
            self._add(row, words, entry)

    def read_replacements(self, folder: Path) -> None:
        paths = (folder / name for name in (ABBREVIATIONS, MISHEARD))
        self.vocabulary.replacements, digest = read_replacements(*(path for path in paths if path.is_file()))
        self._digest.update(digest.encode())
        if (folder / FORMS).is_file():
            for row in rows_of(folder / FORMS, FORM_COLUMNS, self._digest):
                self.vocabulary.values |= dict.fromkeys(row["words"].split("|"), row["meaning"])

    def _is_verb(self, word: str) -> bool:
        """True if a notation that begins with the word refers to what precedes it: "is unlikely"."""
        return self.vocabulary.expressions["to be"].whole(word) is not None

    def finish(self) -> None:
        """What depends on all files: the words of doubt, misspellings, the department's own words, index and hash."""
        vocabulary = self.vocabulary
        vocabulary.entries.sort(key=lambda entry: entry.layer)
        vocabulary.doubts = doubts_of(vocabulary.entries)
        for words, term, _ in sorted(self._misspelt, key=lambda one: one[2]):
            self._known |= _misspell(vocabulary, words, term)
        for word in [w for w in vocabulary.misspelt if w in vocabulary.starts or w in self._known]:
            del vocabulary.misspelt[word]
        if self._respelling:
            _respell(vocabulary, self._respelling, self._rank, self._named["verb of a phrase"])
            self._digest.update(self._respelling.text().encode())
        vocabulary.index()
        vocabulary.settings_hash = self._digest.hexdigest()[:16]

    def _rows(self, folder: Laid, layer: int, name: str, columns: tuple[str, ...]) -> list[FileRow]:
        if isinstance(folder, StudyWords):
            self._digest.update(folder.text.encode())
            return [FileRow(row.path, row.line, dict(row)) for row in folder.study.terms.get(name, ())]
        if layer < self._last and not (folder / name).is_file():
            return []
        return list(rows_of(folder / name, columns, self._digest))

    def _add(self, row: FileRow, words: str, entry: Entry) -> None:
        entry.row = row
        try:
            self.vocabulary.add(words, entry)
        except PatternError as e:
            raise row.broken(f"the words have {e}") from e
        self.vocabulary.entries.append(entry)

    def _counted(self, named: tuple[str, ...]) -> tuple[str, ...]:
        """Those that count: words of others would stand between the findings of a study and their hedges."""
        counted = self.vocabulary.counted
        return named if counted is None else tuple(name for name in named if name in counted)

    def _is_of_another_study(self, named: tuple[str, ...], layer: int) -> bool:
        """Whether a row has no place in a study; one of no finding has it beside RadCal's own terms alone."""
        if self.vocabulary.counted is None or layer < self._last:
            return False
        return not self._counted(named or self._shipped)

    def _hides_state(self, row: FileRow) -> bool:
        """Whether a row reads over a state of the study with its hedge or denial: "probably benign"."""
        if self.vocabulary.counted is None or row["kind"] != "over":
            return False
        words = set(re.findall(r"\w+", row["words"]))
        cues = {e.cue.kind for word in words for w in self.vocabulary.starts.get(word, ()) if (e := w.entry).cue}
        return bool(cues & {"hedge", "negation"}) and any(words & set(single_words(own)) for own in self._own_states)

    def _is_known(self, row: FileRow, name: str, layer: int) -> bool:
        """Whether there are words for a pathology; if not, a line of the last layer is broken, others are left out."""
        if name in self._pathologies:
            return True
        if layer == self._last:
            raise row.broken(f"{name!r} is no pathology of {TERMS}")
        self.vocabulary.remarks.append(Remark(row.path.name, row.line, unknown_pathology(name, self._pathologies)))
        return False


def _respell(vocabulary: Vocabulary, respelling: Respelling, rank: Mapping[str, float], verb: str) -> None:
    """Put the department's own words before those of the files: the first of two equal matches prevails.

    Args:
        verb: notation of what may stand between a finding and a department's own phrase.
    """
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
                (f"{verb} {words}", Cue("hedge", phrase, "both", "group", strength, predicate=True)),
            ]
        for notation, cue in cues:
            vocabulary.add(notation, Entry(cue=cue, layer=-1))


def _strength(phrase: str, respelling: Respelling, rank: Mapping[str, float]) -> float:
    """The rank of a department's phrase: that in the files, else just below the next stronger phrase."""
    if phrase in rank:
        return rank[phrase]
    order = respelling.order or tuple(p.name for p in shipped().phrases)
    stronger = order[order.index(phrase) + 1 :] if phrase in order else ()
    return next((rank[name] - 0.5 for name in stronger if name in rank), len(rank))


def _compiled(row: FileRow, column: str) -> Expression:
    """The expression of a column's notation; InputError if it is malformed."""
    try:
        return compile_pattern(row[column])[0]
    except PatternError as e:
        raise row.broken(f"the column '{column}' has {e}") from e


def _words(cell: str) -> re.Pattern[str] | None:
    if not cell.strip():
        return None
    classes = [compile_expression(w) for w in cell.split(",") if w.strip().startswith("(")]
    words = [" ".join(flatten(w).split()) for w in cell.split(",") if w.strip() and not w.strip().startswith("(")]
    expressions = (re.escape(w).replace(r"\ ", r"\s+").replace(r"\*", "[a-z]*") + r"\b" for w in words)
    return re.compile(rf"\b(?:{'|'.join((*expressions, *classes))})")


def _misspell(vocabulary: Vocabulary, words: str, term: Term) -> set[str]:
    """Add the misspellings of a row's single words; returns these words."""
    singles = {word for word in single_words(words) if len(word) >= _MISSPELT_FROM}
    entry = Entry(term=term)
    for word in singles:
        for form in misspellings(word):
            vocabulary.misspelt.setdefault(form, entry)
    return singles


def _states(row: FileRow, phrases: Collection[str]) -> dict[str, str]:
    states: dict[str, str] = {}
    if row["states"] == NOTHING:
        return states
    for part in row["states"].split(" "):
        name, _, value = part.rpartition("=")
        if value not in (PRESENT, ABSENT) and value.replace("_", " ") not in phrases:
            raise row.broken(f"the state {value!r} is neither 'present' nor 'absent'")
        states[name.replace("_", " ")] = value.replace("_", " ")
    return states


def doubts_of(entries: Iterable[Entry]) -> re.Pattern[str]:
    """One expression for all words of doubt; those that only look like doubt come first, so that they win."""
    words: dict[str, list[str]] = {}
    for entry in entries:
        if entry.cue is not None and entry.cue.kind == DOUBT and entry.row is not None:
            words.setdefault(entry.cue.phrase, []).append(compile_pattern(entry.row["words"])[0].pattern)
    alike, doubts = ("|".join(words.get(phrase, ["(?!)"])) for phrase in (NOTHING, UNREAD))
    return re.compile(rf"(?<![a-z0-9])(?:{alike}|(?P<doubt>{doubts}))")


def _cue(row: FileRow, rank: dict[str, int | float], *, predicate: bool) -> Cue:
    kind, phrase, direction, reach = (row[c] for c in ("kind", "phrase", "direction", "reach"))
    if kind not in _KINDS:
        raise row.broken(f"the kind {kind!r} is unknown; known are {', '.join(sorted(_KINDS))}")
    if kind in ("hedge", "negation", "silence"):
        if direction not in ("before", "after", "beside", "both"):
            raise row.broken(f"the direction {direction!r} is none of before, after, beside, both")
        if reach not in ("list", "group", "near"):
            raise row.broken(f"the reach {reach!r} is none of list, group, near")
    if kind == "hedge" and phrase in (NOTHING, ""):
        raise row.broken(Text("a hedge needs its canonical phrase, or {other!r}", other=OTHER))
    if kind == DOUBT and phrase not in (UNREAD, NOTHING):
        raise row.broken(f"the phrase of a doubt is {UNREAD!r}, or {NOTHING!r} for words that only look like one")
    if kind == "negation" and phrase != ABSENT:
        raise row.broken(f"the phrase of a negation is {ABSENT!r}")
    hedges = kind == "hedge" or (kind == "over" and phrase not in (NOTHING, ""))
    return Cue(kind, phrase, direction, reach, rank.setdefault(phrase, len(rank)) if hedges else 0, predicate)
