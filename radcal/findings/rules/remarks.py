"""Warnings about the word files: rows that change nothing, or what others say, odd names, files that are not read.

Every row is tried on its own words: all spellings that it stands for are read as a report would be, with the row and
without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.synonyms import spellings
from radcal.findings.rules.tokens import first_match, merge, tokenise
from radcal.findings.rules.vocabulary import DOUBT, Entry, Vocabulary, doubts_of, read_vocabulary
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.confirmations import own_confirmations, pathology_names
from radcal.words.extraction_words import shipped
from radcal.words.phrases import Lexicon, suggest
from radcal.words.records import OTHER, OwnWords, Remark
from radcal.words.word_files import CUES, SUBJECTS, TERMS, FileRow, ignored, meant

_MOST = 500
"""Most spellings of a row with its optional words that are tried."""
_WITHIN_NUMBER = re.compile(r"(?<=\d) ([.,:]) (?=\d)")
_HEDGES = ("hedge", "over")


@dataclass(frozen=True, slots=True)
class _Trial:
    """A spelling of a row, and what becomes of it.

    read:  whether it is read at all as one piece, with the row's meaning in force
    twin:  the row that says the same, so that this one makes no difference
    other: the row whose meaning this one takes the place of, or that is read in its place
    """

    words: str
    read: bool
    twin: FileRow | None = None
    other: FileRow | None = None


def own_words(own: Path, lexicon: Lexicon | None = None) -> OwnWords:
    """What a department's folder adds to the shipped words, with warnings about its lines.

    Args:
        lexicon: the department's phrases; None for the shipped ones.

    Raises:
        InputError: a file of the folder is malformed; names file, line and reason.
    """
    vocabulary = read_vocabulary(own, resource("lexicon"))
    mine = [e for e in vocabulary.entries if e.layer == 0]
    confirmations, remarks = own_confirmations(own)
    remarks = [
        *_odd_names(mine),
        *vocabulary.remarks,
        *(r for e in mine for r in _about_phrase(e, lexicon or shipped())),
        *changes_nothing(vocabulary, mine),
        *_swallowed(vocabulary, mine),
        *remarks,
        *ignored(own),
    ]
    files = (TERMS, SUBJECTS, CUES)
    terms, organs, cues = (sum(e.row is not None and e.row.path.name == name for e in mine) for name in files)
    order = {name: i for i, name in enumerate(files)}
    return OwnWords(
        pathologies=tuple(name for name in pathology_names(own) if name not in pathology_names()),
        terms=terms,
        organs=organs,
        cues=cues,
        confirmations=confirmations,
        remarks=tuple(sorted(remarks, key=lambda r: (order.get(r.file, len(order)), r.line))),
    )


def changes_nothing(vocabulary: Vocabulary, entries: Iterable[Entry]) -> Iterator[Remark]:
    """Warnings about rows that can never be read, say what others say, or take the place of another meaning."""
    for entry in entries:
        if entry.row is None:
            continue
        trials = list(_trials(vocabulary, entry, entry.row))
        if text := _verdict(trials, entry.row):
            yield Remark(entry.row.path.name, entry.row.line, text)


def _trials(vocabulary: Vocabulary, entry: Entry, row: FileRow) -> Iterator[_Trial]:
    trial = _doubt_trial if entry.cue is not None and entry.cue.kind == DOUBT else _trial
    for words in sorted(spellings(row["words"], _MOST), key=lambda w: (len(w), w)):
        yield trial(vocabulary, entry, _WITHIN_NUMBER.sub(r"\1", words))


def _trial(vocabulary: Vocabulary, entry: Entry, words: str) -> _Trial:
    flat = flatten(words)
    end, found = first_match(flat, vocabulary)
    if end < len(flat) or not any(e is entry for e in found):
        return _Trial(words, read=False, other=_place(found))
    if entry.term is not None and entry.term.unless is not None and entry.term.unless.search(flat):
        return _Trial(words, read=False, other=entry.row)
    rest = [e for e in found if e is not entry]
    if rest and merge(rest) == merge(found):
        same = any(_fields(e) == _fields(entry) for e in rest)
        return _Trial(words, read=same, twin=_place(rest) if same else None, other=_place(rest))
    against = [e for e in rest if e.layer > entry.layer and set(_fields(e)) & set(_fields(entry))]
    return _Trial(words, read=True, other=_place(against))


def _doubt_trial(vocabulary: Vocabulary, entry: Entry, words: str) -> _Trial:
    """Words of doubt are looked for where no other words are read."""
    flat = flatten(words)
    taken = [t for t in tokenise(flat, vocabulary) if t.kind != "end"]
    if taken:
        return _Trial(words, read=False, other=_place(first_match(flat[taken[0].start :], vocabulary)[1]))
    others = [e for e in vocabulary.entries if e is not entry]
    now, before = (_doubted(doubts, flat) for doubts in (vocabulary.doubts, doubts_of(others)))
    return _Trial(words, read=now != before)


def _doubted(doubts: re.Pattern[str], flat: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    match = doubts.match(flat)
    return None if match is None else (match.span(), match.span("doubt"))


def _fields(entry: Entry) -> dict[str, object]:
    """The meanings of an entry, by kind."""
    kinds = {"term": entry.term, "subject": entry.subject, "state": entry.state, "cue": entry.cue}
    return {kind: meaning for kind, meaning in kinds.items() if meaning is not None}


def _place(entries: Sequence[Entry]) -> FileRow | None:
    return next((e.row for e in entries if e.row is not None), None)


def _verdict(trials: Sequence[_Trial], row: FileRow) -> Text | None:
    """The warning about a row, None if all is well."""
    first = trials[0]
    if not any(t.read for t in trials):
        if first.other is row:
            return Text("{words!r} can never be recognised: the column 'unless' rules it out.", words=first.words)
        if first.other is None:
            return Text("{words!r} can never be recognised in a report. Change or remove the line.", words=first.words)
        return Text(
            "{words!r} can never be recognised: {place} decides on these words. Change or remove the line.",
            words=first.words,
            place=_told(first.other, row),
        )
    if all(t.twin or not t.read for t in trials):
        twin = next(t.twin for t in trials if t.twin)
        return Text(
            "All of these words stand in {place} with the same meaning. Remove the line.", place=_told(twin, row)
        )
    if shadowed := next((t for t in trials if t.other and t.read and not t.twin), None):
        assert shadowed.other is not None  # noqa: S101 - chosen so, for the type checker
        return Text(
            "{words!r} is read in another way by {place}, whose place this line takes.",
            words=shadowed.words,
            place=_told(shadowed.other, row),
        )
    return None


def _told(other: FileRow, row: FileRow) -> Text:
    """Where another row stands, as told beside a row."""
    if other.path.parent == row.path.parent:
        return Text("line {line} of {file}", file=other.path.name, line=other.line)
    return Text("line {line} of RadCal's own {file}", file=other.path.name, line=other.line)


def _about_phrase(entry: Entry, lexicon: Lexicon) -> Iterator[Remark]:
    cue, row = entry.cue, entry.row
    if row is None or cue is None or cue.kind not in _HEDGES or cue.phrase in ("-", "", OTHER):
        return
    if lexicon.find(cue.phrase) is not None or shipped().find(cue.phrase) is not None:
        return
    text = Text("The phrase {phrase!r} is in no list of words, so its findings are left out.", phrase=cue.phrase)
    if like := suggest(lexicon, cue.phrase):
        text = Text("{text} Did you mean {like!r}?", text=text, like=like)
    yield Remark(row.path.name, row.line, text)


def _odd_names(entries: Iterable[Entry]) -> Iterator[Remark]:
    """New pathologies that look like a slip of a shipped one, or of a new one above."""
    known = list(pathology_names())
    for entry in entries:
        if entry.term is None or entry.row is None:
            continue
        for name in entry.row.named():
            if name in known:
                continue
            if slip := meant(name, known):
                text = Text("{name!r} is taken for a new pathology. Did you mean {slip!r}?", name=name, slip=slip)
                yield Remark(entry.row.path.name, entry.row.line, text)
            else:
                known.append(name)


def _swallowed(vocabulary: Vocabulary, entries: Iterable[Entry]) -> Iterator[Remark]:
    """Cues with the words of a finding in them, which is not read there, as the longest match prevails."""
    for entry in entries:
        if entry.cue is None or entry.row is None or entry.cue.kind == DOUBT:
            continue
        for words in sorted(spellings(entry.row["words"], _MOST), key=lambda w: (len(w), w)):
            if finding := _finding_in(flatten(words), vocabulary):
                text = Text(
                    "{words!r} contains {finding!r}, a finding that is no longer read there. A cue is only the words "
                    "that say how sure the report is.",
                    words=words,
                    finding=finding,
                )
                yield Remark(entry.row.path.name, entry.row.line, text)
                break


def _finding_in(flat: str, vocabulary: Vocabulary) -> str:
    """The first words of a finding within longer words, '' if there are none."""
    for word in re.finditer(r"[a-z]+", flat):
        end, found = first_match(flat[word.start() :], vocabulary)
        if end < len(flat) and any(entry.term is not None and entry.term.pathologies for entry in found):
            return flat[word.start() : word.start() + end]
    return ""
