"""The rows of the files that say what words mean in a report, and the folder of a department's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.system import inputs
from radcal.system.errors import InputError, reason_of
from radcal.system.resources import resource
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from radcal.words.records import Remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radcal.system.settings import Settings

TERMS = "pathologies_terms.tsv"
SUBJECTS = "pathologies_subjects.tsv"
CUES = "cues.tsv"
EXPRESSIONS = "expressions.tsv"
CONFIRMATIONS = "confirmations.csv"
ABBREVIATIONS = "abbreviations.tsv"
MISHEARD = "misheard.tsv"
FORMS = "forms.tsv"
OWN_FILES = (TERMS, SUBJECTS, CUES, CONFIRMATIONS)
"""The files that a department's folder may have, any of them."""
TERM_COLUMNS = ("pathology", "words", "unless", "note", "under")
SUBJECT_COLUMNS = ("kind", "states", "words")
FORM_COLUMNS = ("words", "meaning")
CUE_COLUMNS = ("kind", "phrase", "direction", "reach", "words")
EXPRESSION_COLUMNS = ("name", "words", "meaning")
NOTHING = "-"
_NAMED = re.compile(r"\{([a-z][a-z ]*)\}")
"""The name of words that stand in the file of expressions: "not {seen}"."""
_TABLES = (".tsv", ".csv", ".tab", ".xlsx")
_RESERVED = frozenset('";<>=_|')
"""Signs that stand for something else where pathologies are named."""
_ALIKE = 0.85
"""How like each other the spellings of two names must be, 0-1, for one to be taken for a slip of the other."""
_WORDS_ALIKE = 0.7
"""The same for each of their words."""
_FILES_ALIKE = 0.6
"""The same for the names of files."""


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

    def named(self) -> tuple[str, ...]:
        """The pathologies of a row of terms; () for words that are no finding.

        Raises:
            InputError: a name is empty, or cannot be told from the signs around it.
        """
        names = tuple(" ".join(n.split()) for n in self["pathology"].split("+"))
        if not all(names):
            raise self.broken("the pathology is empty; write '-' for words that are no finding")
        if any(_RESERVED.intersection(name) or name.lower() == ALL_TOPICS for name in names):
            raise self.broken(Text("the name of a pathology has one of the signs {signs}", signs='" ; < > = _ |'))
        return () if names == (NOTHING,) else names


def rows_of(path: Path, columns: tuple[str, ...], digest: hashlib._Hash | None = None) -> Iterator[FileRow]:
    """The rows of a file; the last cells of a row may be missing, and named words stand where their names were.

    Args:
        digest: takes the file's name and content.

    Raises:
        InputError: the file is missing or malformed; names file, line and reason.
    """
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
    if digest is not None:
        digest.update(path.name.encode() + b"\0" + content.replace(b"\r\n", b"\n") + b"\0")
    headed = False
    named: dict[str, str] | None = {} if path.name == EXPRESSIONS else None
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
        for column in ("words", "unless", "beside"):
            if _NAMED.search(row.get(column, "")):
                named = _expressions_for(path.parent) if named is None else named
                row[column] = _spelled_out(row, column, named)
        if named is not None and path.name == EXPRESSIONS:
            named[row["name"]] = row["words"]
        yield row
    if not headed:
        raise InputError("{name} is empty. Restore the shipped file.", name=path.name)


def expressions_of(folder: Path) -> dict[str, str]:
    """The words of each name in a folder's file of expressions.

    Raises:
        InputError: as :func:`rows_of`.
    """
    return {row["name"]: row["words"] for row in rows_of(folder / EXPRESSIONS, EXPRESSION_COLUMNS)}


def _expressions_for(folder: Path) -> dict[str, str]:
    """Those of a folder, or the shipped ones where it has none, as a department's own."""
    return expressions_of(folder if (folder / EXPRESSIONS).is_file() else resource("lexicon"))


def spelled_out(row: FileRow) -> FileRow:
    """A row of a study with the shipped words in place of their names.

    Raises:
        InputError: nothing has that name.
    """
    if _NAMED.search(row["words"]):
        row["words"] = _spelled_out(row, "words", expressions_of(resource("lexicon")))
    return row


def _spelled_out(row: FileRow, column: str, named: Mapping[str, str]) -> str:
    def words(name: re.Match[str]) -> str:
        if name[1] not in named:
            raise row.broken(Text("there are no words of the name {name!r} in {file}", name=name[1], file=EXPRESSIONS))
        return named[name[1]]

    return _NAMED.sub(words, row[column])


def own_folder(settings: Settings | None) -> Path | None:
    """The folder of the department's own vocabulary in the settings, None for the shipped words alone.

    Raises:
        InputError: it is gone, or has none of OWN_FILES.
    """
    if settings is None or not settings.lexicon_dir:
        return None
    folder = Path(settings.lexicon_dir)
    if not inputs.is_folder(folder):
        raise InputError(
            "The folder of the department's own vocabulary is not there: {folder}. If it was moved, choose it where "
            "it is now, in Settings or with --set lexicon_dir=DIR; leave it empty to read by RadCal's words alone.",
            folder=folder,
        )
    if not any((folder / name).is_file() for name in OWN_FILES):
        raise InputError(
            "{folder} is no folder of words: it has none of the files {files}. Choose another folder, or put one of "
            "them there.",
            folder=folder,
            files=", ".join(OWN_FILES),
        )
    return folder


def ignored(folder: Path) -> Iterator[Remark]:
    """Warnings about what a department's folder has that looks like its words and is not read: files, folders."""
    names = {name.lower(): name for name in OWN_FILES}
    read = {(folder / name).lstat().st_ino for name in OWN_FILES if (folder / name).is_file()}
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "~")) or path.name in OWN_FILES or path.lstat().st_ino in read:
            continue  # where capitals make no difference, a file of another spelling is read
        like = get_close_matches(path.name.lower(), names, n=1, cutoff=_FILES_ALIKE)
        if path.is_dir():
            text = Text("This folder is not read. The words of all languages stand in the files beside it.")
        elif like:
            text = Text("This file is not read. Did you mean {name}?", name=names[like[0]])
        elif path.suffix.lower() in _TABLES:
            text = Text("This file is not read, only {files} are.", files=", ".join(OWN_FILES))
        else:
            continue
        yield Remark(path.name, 0, text)


def own_version(settings: Settings) -> str:
    """Short SHA-256 of the department's own files; '' for the shipped words alone, or if they cannot be read."""
    digest = hashlib.sha256()
    try:
        if (folder := own_folder(settings)) is None:
            return ""
        for path in (folder / name for name in OWN_FILES):
            digest.update(path.read_bytes() if path.is_file() else b"\0")
    except (InputError, OSError):
        return ""
    return digest.hexdigest()[:16]


def named_in_terms(folder: Path) -> tuple[str, ...]:
    """The pathologies for which a folder has words, in their order; none without such a file.

    Raises:
        InputError: the file is malformed.
    """
    if not (folder / TERMS).is_file():
        return ()
    return tuple(dict.fromkeys(name for row in rows_of(folder / TERMS, TERM_COLUMNS) for name in row.named()))


def meant(name: str, known: Iterable[str]) -> str:
    """The known name of which ``name`` looks like a slip; '' if there is none, or it is known itself.

    Names that differ in a whole word ("left", "right") are two.
    """
    names = {k.lower(): k for k in known}
    for found in get_close_matches(name.lower(), names, cutoff=_ALIKE):
        if names[found] == name:
            return ""
        words, others = name.lower().split(), found.split()
        if len(words) != len(others) or all(map(_are_alike, words, others)):
            return names[found]
    return ""


def _are_alike(word: str, other: str) -> bool:
    return bool(get_close_matches(word, [other], cutoff=_WORDS_ALIKE))


def unknown_pathology(name: str, known: Iterable[str]) -> Text:
    """The sentence on a pathology that nothing has words for."""
    if slip := meant(name, known):
        return Text(
            "No line of {file} names {name!r}, so it is left out. Did you mean {slip!r}?",
            file=TERMS,
            name=name,
            slip=slip,
        )
    return Text(
        "No line of {file} names {name!r}, so it is left out. Add a line with its words.", file=TERMS, name=name
    )
