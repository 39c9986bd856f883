"""Studies: which two examinations are compared, on which findings, and what the pages call them.

A study is a file in TOML; ``docs/studies.md`` explains it, and ``resources/studies`` has those that ship.  A workspace
keeps the whole text of its own in ``Settings.study``; without one, its study is that of chest X-ray and chest CT.

The two examinations are called "index" and "reference".  The code, and what is stored, call them by the first study:
'xray' and "X-ray" are the index examination of any study, 'ct' and "CT" its reference.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.language.catalogue import Language, language, languages
from radcal.system.language.wording import Wording
from radcal.system.resources import resource, word_lists
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import load_lexicon
from radcal.words.tables import Row
from radcal.words.word_files import (
    NOTHING,
    SUBJECT_COLUMNS,
    SUBJECTS,
    TERM_COLUMNS,
    TERMS,
    FileRow,
    meant,
    named_in_terms,
    own_folder,
    spelled_out,
)

Direction = Literal["after", "before", "either"]
"""When the reference is to be: after the index examination, before it, or either."""
LONGEST_STUDY = 1 << 18
"""Bytes of the longest study file."""
_LONGEST_NAME = 80
_FILE_MARK = "# file: "
"""Begins the last line of a stored study, which names its file."""
_COLUMNS = {"patient": "patient_id", "time": "exam_time", "accession": "accession", "entered": "report_time"}
"""What a study calls the columns of a table of outcomes, and the fields of reports that they are."""
_OWN_COLUMNS = ("finding", "outcome")
_EXPRESSION, _ANY = re.compile("/.+/"), r"\w*"
_CHOICE = re.compile(r"\(([^()\[\]]*)\)")
"""A term that is a choice of plain words."""
_OF_EXAMS = ("exams", "without", "besides")


def plain(text: str) -> str:
    """A text in small letters without accents, with spaces for underscores."""
    if text.isascii():
        return text.casefold().replace("_", " ")
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c)).replace("_", " ")


@dataclass(frozen=True, eq=False)
class Role:
    """One of the two examinations.

    modalities: lists of ``resources/reading/exams.toml``, or codes as the column of modalities has them, simplified
    shows: what the name, the code or the body part of an examination must have; None for anything
    without: what does not count of a name, and besides: what does not where that stands in it; None for nothing
    """

    modalities: frozenset[str] = frozenset()
    shows: re.Pattern[str] | None = None
    without: re.Pattern[str] | None = None
    besides: re.Pattern[str] | None = None


@dataclass(frozen=True, eq=False)
class Outcomes:
    """A reference that is a table of outcomes: a row says of a patient, at a time, whether a finding was there.

    columns: fields of reports, "finding" and "outcome", to the columns of the table that are not recognised
    of: pathologies by the findings of the table, yes: outcomes that say "yes" or "no", all without capitals and accents
    only: the pathology of a table without a column of findings; '' where a study has several
    """

    columns: Mapping[str, str]
    of: Mapping[str, str]
    yes: Mapping[str, bool]
    only: str

    def pathology(self, finding: str) -> str:
        """The pathology that a finding of the table stands for; '' for none of the study."""
        return self.of.get(_simple(finding), "")

    def is_yes(self, outcome: str) -> bool | None:
        """Whether an outcome of the table says "yes"; None if it says neither "yes" nor "no"."""
        return self.yes.get(_simple(outcome))


@dataclass(frozen=True, eq=False)
class Study:
    """What a study file says.

    outcomes: of a reference that is a table; None of one that is reports
    direction, hours: of the reference from the index examination, and its longest time
    pathologies: that count; () for all that RadCal has words for
    terms: rows of the files of terms and organs, as a department's own folder has them
    confirmations: rows as of ``confirmations.csv``;  wordings: by language
    """

    name: str
    index: Role
    reference: Role
    outcomes: Outcomes | None
    direction: Direction
    hours: float
    pathologies: tuple[str, ...]
    terms: Mapping[str, tuple[FileRow, ...]]
    confirmations: tuple[Row, ...]
    wordings: Mapping[str, Wording]

    @cached_property
    def modalities(self) -> frozenset[str]:
        """Those of both examinations."""
        return self.index.modalities | self.reference.modalities

    @property
    def names_reference(self) -> bool:
        """Whether index reports may speak of a later CT, which tells that they were written after it."""
        return "ct" in self.reference.modalities and self.direction == "after"


@dataclass(frozen=True)
class StudyWords:
    """The words of a study that are laid over those of RadCal, and those of a department over both.

    text: of the study;  own: a department's own folder
    """

    text: str
    own: Path | None = None

    @property
    def study(self) -> Study:
        return _study(self.text)

    @cached_property
    def counted(self) -> frozenset[str]:
        """The pathologies that count: the study's, and what the department has words for besides."""
        return frozenset((*self.study.pathologies, *(named_in_terms(self.own) if self.own else ())))


Laid: TypeAlias = Path | StudyWords
"""What is laid over RadCal's own words: a department's folder, or a study's words and, over these, such a folder."""


def laid_over(settings: Settings | None) -> Laid | None:
    """What the settings lay over RadCal's own words, None for nothing.

    Raises:
        InputError: as :func:`own_folder`.
    """
    own = own_folder(settings)
    return StudyWords(settings.study, own) if settings is not None and study_of(settings).pathologies else own


def layers(own: Laid | None, shipped: Path) -> tuple[Laid, ...]:
    """What prevails one over the other, the first over the second."""
    if isinstance(own, StudyWords):
        return (*([own.own] if own.own else ()), own, shipped)
    return (shipped,) if own is None else (own, shipped)


def study_of(settings: Settings | None) -> Study:
    """The study of a workspace with these settings."""
    return _study(settings.study) if settings is not None and settings.study else chest()


def name_of(text: str) -> str:
    """The name of the study that settings keep as this text."""
    return (_study(text) if text else chest()).name


def spoken_in(settings: Settings | None, tag: str = "en") -> Language:
    """The language of a tag in the words of the study.

    Raises:
        InputError: RadCal does not speak it.
    """
    return language(tag, study_of(settings).wordings)


@cache
def chest() -> Study:
    """Chest X-ray and chest CT, the first study."""
    return _study(resource("studies", "chest.toml").read_text(encoding="utf-8"))


def read_study(path: Path) -> str:
    """The text of a study file as settings keep it, after it was checked; '' for chest X-ray and CT.

    One that ships with RadCal goes by its name alone, "mammography".

    Raises:
        InputError: it cannot be read, or is no study; the message names file, line and remedy.
    """
    shipped = resource("studies") / f"{path}.toml"
    path = shipped if path.name == str(path) and shipped.is_file() and not inputs.is_there(path) else path
    with inputs.reading(path, str(path)) as file:
        data = file.read(LONGEST_STUDY + 1)
    if len(data) > LONGEST_STUDY:
        raise InputError("{file} is too long for a study. Choose the right file.", file=path.name)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise InputError("{file} is no text in UTF-8. Save it as such.", file=path.name) from None
    if text == resource("studies", "chest.toml").read_text(encoding="utf-8"):
        return ""
    text = f"{text.rstrip()}\n{_FILE_MARK}{path.name}\n"
    study = _study(text)
    if not study.pathologies:
        raise InputError(
            "{file} names no pathology. Add [[pathologies]] with a name for each that counts.", file=path.name
        )
    _Reader(text, path.name).require_texts(study)
    return text


def chosen_study(path: Path, locked: Iterable[str] = ()) -> dict[str, Any]:
    """The settings that a study file chooses for a new workspace, but for those that IT has ``locked``.

    The rules read alone until somebody chooses otherwise: what a second reader's word is worth was fitted to the chest.

    Raises:
        InputError: as :func:`read_study`.
    """
    text = read_study(path)
    values = {"window_hours": _study(text).hours, "second": "none"} if text else {}
    return {"study": text, **{name: value for name, value in values.items() if name not in locked}}


def require_same(study: str, settings: Settings) -> None:
    """Refuse another study than that of a workspace.

    Raises:
        InputError: it is another.
    """
    if study != settings.study:
        raise InputError(
            "This workspace is of the study {name!r}, and stays so: its reports were chosen, read and paired by it. "
            "Make a new workspace for another study.",
            name=study_of(settings).name,
        )


@cache
def _study(text: str) -> Study:
    last = text.rstrip().rpartition("\n")[2]
    return _Reader(text, last.removeprefix(_FILE_MARK) if last.startswith(_FILE_MARK) else "study.toml").study()


def _simple(cell: str) -> str:
    return " ".join(plain(cell).split())


class _Reader:
    """Reads and checks the text of a study; errors name file, line and remedy."""

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file

    def study(self) -> Study:
        try:
            tables = inputs.toml_of(self._text)
        except tomllib.TOMLDecodeError as error:
            why = Text("This is no valid TOML: {error}. Mend that line.", error=error)
            raise InputError("{file}: {why}", file=self._file, why=why) from None
        self._check(tables, _form(), "")
        if len(name := tables.get("name", "")) not in range(1, _LONGEST_NAME):
            raise self._wrong("", Text("Write name = and what the study is called, in one line."))
        listed = tables.get("pathologies", [])
        names = [" ".join(one.get("name", "").split()) for one in listed]
        pairs, reference = tables.get("pairs", {}), tables.get("reference", {})
        outcomes = self._outcomes(reference["outcomes"], names) if "outcomes" in reference else None
        if outcomes and (more := next((key for key in reference if key != "outcomes"), None)):
            why = Text(
                "A reference is reports or a table of outcomes. Remove {key}, or [reference.outcomes].", key=more
            )
            raise self._wrong("[reference]", why)
        terms, confirmations = self._pathologies(listed, names, self._silence(pairs, "left out"))
        return Study(
            name=name,
            index=self._role(tables, "index"),
            reference=Role() if outcomes else self._role(tables, "reference"),
            outcomes=outcomes,
            direction=self._one_of(pairs, "direction", get_args(Direction), "after"),
            hours=self._hours(pairs),
            pathologies=tuple(names),
            terms=terms,
            confirmations=confirmations,
            wordings=_wordings(tables.get("texts", {}), dict(zip(names, listed, strict=True))),
        )

    def _check(self, value: Any, form: Any, key: str) -> None:
        """Refuse what is not of a form: tables by the names that they may have ('' for any), lists, texts."""
        if isinstance(form, dict):
            if not isinstance(value, dict):
                raise self._wrong(key, Text("{key} is no table. Write [{key}] and its values below.", key=key))
            for name, part in value.items():
                if name not in form and "" not in form:
                    where, known = Text(" in [{key}]", key=key) if key else "", ", ".join(sorted(form))
                    why = Text("{name!r} is not known{where}. Known: {known}.", name=name, where=where, known=known)
                    raise self._wrong(name, why)
                self._check(part, form.get(name, form.get("")), name)
        elif isinstance(form, list):
            if not isinstance(value, list):
                how = f"[[{key}]]" if isinstance(form[0], dict) else '["one", "another"]'
                raise self._wrong(key, Text("{key} is no list. Write {how}.", key=key, how=how))
            if not value:
                raise self._wrong(key, Text("{key} lists nothing. Write what it is to list, or remove it.", key=key))
            for one in value:
                self._check(one, form[0], key)
        elif form is str and (not isinstance(value, str) or not value.strip()):
            raise self._wrong(key, Text("{key} is no text, or empty. Write it between quotes.", key=key))

    def require_texts(self, study: Study) -> None:
        """Refuse a study whose pages would speak of chest X-rays and chest CTs."""
        needed = ["chest X-ray", *(["X-ray"] if study.index.modalities != {"xray"} else []), "chest CT"]
        needed += ["CT"] if study.reference.modalities != {"ct"} else []
        said = inputs.toml_of(self._text).get("texts", {}).get("en", {})
        if lacking := [name for name in needed if name not in said]:
            why = Text(
                "[texts.en] does not say what the pages are to call {names}. Write {first} = and the name of the "
                "examination.",
                names=", ".join(map(repr, lacking)),
                first=f'"{lacking[0]}"',
            )
            raise self._wrong("[texts.en]", why)

    # --- its parts ---------------------------------------------------------------------------------

    def _role(self, tables: Mapping[str, Any], of: str) -> Role:
        table = {**{key: tables.get(key, []) for key in _OF_EXAMS}, **tables.get(of, {})}
        modalities = frozenset(re.sub(r"[^a-z]", "", plain(each)) for each in table.get("modalities", ()))
        if not modalities - {""}:
            why = Text("Write modalities = in [{of}], such as ['ct']: without any, no report is found.", of=of)
            raise self._wrong(f"[{of}]", why)
        known = word_lists("reading", "exams.toml", table="modalities")
        codes = {*known, *(code for codes in known.values() for code in codes)}
        for each in table["modalities"]:
            if re.sub(r"[^a-z]", "", plain(each)) not in codes and not each.isupper():
                why = Text(
                    "{word!r} is no modality that RadCal knows. Write one of {known}, or a code of your system in "
                    "capitals.",
                    word=each,
                    known=", ".join(name for name in known if name != "other"),
                )
                raise self._wrong(each, why)
        return Role(modalities, *(self._expression(table[key], key) for key in _OF_EXAMS))

    def _expression(self, given: list[str], key: str) -> re.Pattern[str] | None:
        """One expression for words in which * stands for letters, or which are expressions between strokes."""
        parts = [
            f"(?:{each[1:-1]})" if _EXPRESSION.fullmatch(each)
            else rf"(?<!\w){_ANY.join(map(re.escape, _simple(each).split('*')))}(?!\w)"
            for each in given
        ]  # fmt: skip
        for each, part in zip(given, parts, strict=True):
            try:
                re.compile(part)
            except re.error:
                raise self._wrong(each, Text("{key} has an expression that is none. Mend it.", key=key)) from None
        return re.compile("|".join(parts)) if parts else None

    def _outcomes(self, table: Mapping[str, Any], names: list[str]) -> Outcomes:
        of = {_simple(name): name for name in names}
        for name, found in table.get("findings", {}).items():
            if name not in names:
                why = Text("{name!r} is no pathology of this study. Add it, or mend the name.", name=name)
                raise self._wrong(name, why)
            of |= dict.fromkeys(map(_simple, found), name)
        usual = word_lists("reading", "outcomes.toml")
        yes, no = ({_simple(each) for each in table.get(key) or usual[key]} for key in ("yes", "no"))
        if both := yes & no:
            raise self._wrong("no", Text("{word!r} is listed for yes and for no. Remove it once.", word=min(both)))
        columns = {_COLUMNS.get(key, key): column for key, column in table.get("columns", {}).items()}
        said = dict.fromkeys(yes, True) | dict.fromkeys(no, False)
        return Outcomes(columns, of, said, names[0] if len(names) == 1 else "")

    def _pathologies(
        self, listed: list[Mapping[str, Any]], names: list[str], silence: str
    ) -> tuple[dict[str, tuple[FileRow, ...]], tuple[Row, ...]]:
        """The rows of terms and of organs, and those of confirmations."""
        shipped = named_in_terms(resource("lexicon"))
        terms, subjects, confirmations = list[FileRow](), list[FileRow](), list[Row]()
        states: dict[str, list[str]] = {}
        of_term: dict[str, str] = {}
        for name, one in zip(names, listed, strict=True):
            if not name or names.count(name) > 1:
                why = Text("A pathology is listed twice, or has no name. Give each a name of its own.")
                raise self._wrong(name or "[[pathologies]]", why)
            own = [*self._rows(one, "terms", TERM_COLUMNS, pathology=name)]
            terms += own
            for row in own:
                self._refuse_shared(row, of_term, name)
            subjects += self._rows(one, "organs", SUBJECT_COLUMNS, kind="subject", states=name)
            hedged = one.get("hedged", {})
            for phrase in hedged:
                self._one_of({"hedged": phrase}, "hedged", tuple(p.name for p in load_lexicon().phrases), phrase)
            of_state = {"absent": one.get("normal", ()), "present": one.get("abnormal", ()), **hedged}
            for state, words in ((state, words) for state, each in of_state.items() for words in each):
                states.setdefault(words, []).append(f"{name}={state}".replace(" ", "_"))
            if not own and name not in shipped:
                why = Text("RadCal has no words for {name!r}. Write terms = and the words that name it.", name=name)
                if like := meant(name, shipped):
                    why = Text("RadCal has no words for {name!r}. Did you mean {like!r}?", name=name, like=like)
                raise self._wrong(name, why)
            for other in (each for column in _LISTS for each in one.get(column, ())):
                if other not in names or other == name:
                    why = Text("{other!r} is no other pathology of this study. List it, too.", other=other)
                    raise self._wrong(other, why)
            cells = {column: "; ".join(one.get(column, ())) for column in _LISTS}
            cells |= {"xray": name, "silent_ct": self._silence(one, silence)}
            confirmations.append(Row(self._file, self._line(name), cells))
        for words, each in states.items():
            subjects += self._rows({"normal": [words]}, "normal", SUBJECT_COLUMNS, kind="state", states=" ".join(each))
        for words in (words for one in listed for words in one.get("neither", ())):
            subjects += self._rows({"neither": [words]}, "neither", SUBJECT_COLUMNS, kind="state", states=NOTHING)
        return {TERMS: tuple(terms), SUBJECTS: tuple(subjects)}, tuple(confirmations)

    def _refuse_shared(self, row: FileRow, of_term: dict[str, str], name: str) -> None:
        """Refuse words that name another pathology, too, and note others; those with a context may mean several."""
        if row["unless"] or row["under"]:
            return
        choice = _CHOICE.fullmatch(row["words"])
        for words in map(_simple, choice[1].split("|") if choice else [row["words"]]):
            if of_term.setdefault(words, name) != name:
                why = Text(
                    "{words!r} is a term of {name!r} and of {other!r}. Leave it with one of them.",
                    words=words,
                    name=name,
                    other=of_term[words],
                )
                raise InputError("{file}, line {line}: {why}", file=self._file, line=self._last(words), why=why)

    def _rows(self, one: Mapping[str, Any], key: str, columns: tuple[str, ...], **of: str) -> Iterator[FileRow]:
        """Rows of words: each a text, or a table of columns of the file of terms."""
        for given in one.get(key, ()):
            row = given if isinstance(given, dict) else {"words": given}
            self._check(row.get("words", ""), str, key)
            self._check(row, dict.fromkeys(set(columns) - of.keys(), str), key)
            found = FileRow(Path(self._file), self._line(row["words"]), dict.fromkeys(columns, "") | of | row)
            if "pathology" in of:
                found.named()  # refuses a name with reserved signs
            yield spelled_out(found)

    # --- values ------------------------------------------------------------------------------------

    def _one_of(self, table: Mapping[str, Any], key: str, allowed: tuple[str, ...], usual: str) -> Any:
        if (found := table.get(key, usual)) not in allowed:
            known = ", ".join(map(repr, filter(None, allowed)))
            raise self._wrong(key, Text("{key} is none of {known}. Write one of these.", key=key, known=known))
        return found

    def _silence(self, table: Mapping[str, Any], usual: str) -> str:
        said = {"absent": "absent", "unknown": "left out", "": usual}
        return said[self._one_of(table, "silence", ("absent", "unknown", ""), "")]

    def _hours(self, pairs: Mapping[str, Any]) -> float:
        given = pairs.get("hours")
        most = next(f.metadata["high"] for f in fields(Settings) if f.name == "window_hours")
        if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= most:
            why = Text("Write hours = in [pairs] and a number up to {most:,.0f}: the longest time.", most=most)
            raise self._wrong("hours", why)
        return float(given)

    def _line(self, words: str) -> int:
        """The line in which words stand first, between quotes before others; 1 if they do not."""
        found = [self._text.find(f"{mark}{words}{mark}") for mark in ('"', "'", "")]
        return self._text.count("\n", 0, next((at for at in found if at >= 0), 0)) + 1

    def _last(self, words: str) -> int:
        """The last line in which words stand, whatever their capitals; 1 if they do not."""
        return self._text.count("\n", 0, max(plain(self._text).rfind(words), 0)) + 1

    def _wrong(self, words: str, why: Text) -> InputError:
        key = re.search(rf"^[ \t]*[\"']?{re.escape(words)}[\"']?[ \t]*=", self._text, re.MULTILINE)
        line = self._line(key[0].lstrip("\n")) if key else self._line(words)
        return InputError("{file}, line {line}: {why}", file=self._file, line=line, why=why)


def _wordings(texts: Mapping[str, Any], listed: Mapping[str, Mapping[str, Any]]) -> dict[str, Wording]:
    names: dict[str, dict[str, str]] = {}
    for name, one in listed.items():
        for code, called in one.get("names", {}).items():
            names.setdefault(code, {})[name] = called
    return {code: Wording(texts.get(code, {}), names.get(code, {})) for code in {*texts, *names}}


@cache
def _form() -> dict[str, Any]:
    """What a study file may hold."""
    exams: dict[str, Any] = {key: [str] for key in _OF_EXAMS}
    outcomes = {"columns": dict.fromkeys((*_COLUMNS, *_OWN_COLUMNS), str), "findings": {"": [str]}}
    lists = {key: [str] for key in ("organs", "normal", "abnormal", "neither", *_LISTS)}
    told = dict.fromkeys(languages(), str)
    return {
        "name": str,
        **exams,
        "index": {"modalities": [str], **exams},
        "reference": {"modalities": [str], **exams, "outcomes": {**outcomes, "yes": [str], "no": [str]}},
        "pairs": {"direction": str, "hours": object, "silence": str},
        "pathologies": [
            {"name": str, "names": told, "terms": [object], **lists, "hedged": {"": [str]}, "silence": str}
        ],
        "texts": {code: {"": str} for code in languages()},
    }


_LISTS = ("confirmed_by", "explained_by", "refuted_by")
