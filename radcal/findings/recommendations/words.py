"""The words of ``recommendations.tsv``: their kinds, read and checked, one vocabulary a language."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from radcal.findings.records import Advised
from radcal.findings.rules.patterns import PatternError
from radcal.findings.rules.vocabulary import Cue, Entry, Vocabulary
from radcal.system.resources import resource
from radcal.words.languages import ENGLISH, NAMES
from radcal.words.word_files import NOTHING, rows_of

FILE = "recommendations.tsv"
COLUMNS = ("kind", "object", "side", "words")
ASK, ASKS, WHEN, DENY, DID, DONE, WAS, STOP = "ask", "asks", "when", "deny", "did", "done", "was", "stop"
WANTED = frozenset(map(str, Advised))
"""The kinds of what is asked for."""
MODALITIES = frozenset(("xray", "ct", "mri", "pet", "us", "other"))
SIDES = frozenset(("after", "before", "both", "near", "first", "bare"))


@cache
def vocabularies() -> dict[str, Vocabulary]:
    """The words of every language that has them, by code, English first.

    Raises:
        InputError: a file is malformed; names file, line and reason.
    """
    folder = resource("lexicon")
    others = sorted(path.name for path in folder.iterdir() if path.name in NAMES and (path / FILE).exists())
    return {ENGLISH: read(folder / FILE), **{code: read(folder / code / FILE) for code in others}}


def read(path: Path) -> Vocabulary:
    """The vocabulary of a file; the cue of a word has its kind, its object (``phrase``) and its side (``direction``).

    Raises:
        InputError: as :func:`vocabularies`.
    """
    vocabulary, digest = Vocabulary(compounds=True), hashlib.sha256()
    for row in rows_of(path, COLUMNS, digest):
        kind, of, side = row["kind"], row["object"], row["side"]
        objects = WANTED if kind == ASKS else MODALITIES | {NOTHING} if kind == Advised.IMAGING else {NOTHING}
        if kind not in WANTED | {ASK, ASKS, WHEN, DENY, DID, DONE, WAS, STOP}:
            raise row.broken(f"{kind!r} is no kind")
        if of not in objects:
            raise row.broken(f"{of!r} is no object of the kind {kind!r}")
        sides = {ASK: SIDES, ASKS: {NOTHING, "first"}}
        if side not in sides.get(kind, {NOTHING}):
            raise row.broken(f"{side!r} is no side of the kind {kind!r}")
        try:
            vocabulary.add(row["words"], Entry(cue=Cue(kind, of, side), row=row))
        except PatternError as error:
            raise row.broken(f"the words have {error}") from error
    vocabulary.index()
    vocabulary.settings_hash = digest.hexdigest()[:16]
    return vocabulary
