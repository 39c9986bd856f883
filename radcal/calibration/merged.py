"""Tables of counts that departments give each other, and the tables of them together.

A file of tables is a JSON object of counts by reader, topic, word and reference, with the words' meanings and the
settings that decide what counts.  Readers are pseudonyms of their department, and those with few findings on a topic,
or few patients, are counted as one.  Reports, sentences, dates, numbers, patients and words that are in no list are not
in it.  Its digest tells of edits, but not of those by somebody who works it out anew.

All statistics are functions of such tables, and tables add up: those of two departments are the tables of both.  Of
patients seen again a file has the sums of :mod:`radcal.calibration.repeats`, which add up as well; patients whom two
departments share are taken for different ones.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibration.tables import build_tables
from radcal.system import inputs
from radcal.system.coarse import FEWEST
from radcal.system.errors import DataError, InputError, RadcalError
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.settings import Settings
from radcal.words.phrases import Lexicon
from radcal.words.records import Phrase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pandas as pd

    from radcal.calibration.records import Tables

_FORMAT, _SCHEMA = "radcal tables of counts", 1
OTHERS = "others"
"""In place of the readers with few findings or patients on a topic."""
_DEPARTMENT = re.compile(r"[^\W_][\w .-]{0,39}")
_READER = re.compile(r"[^\W\d_]+( \d+)?")
"""A pseudonym."""
_MOST = 10**9
"""So many findings may be in one row."""
_SLACK = 1e-6
"""So much may sums of patients be off by rounding."""
_DECIDING = (
    *("window_hours", "trainee_rule", "signed_after_ct", "include_other_confirmations", "silence_left_out"),
    *("silence_absent", "reference", "ct_accuracy", "contested", "study"),
)
"""The settings that decide what is counted, and as what."""
_MEANING = tuple(f.name for f in fields(Phrase) if f.name not in ("synonyms", "source", "advised"))
_GROUP = ["author", "topic"]
_OPEN = ("unknown", "left_out", "patients", "sha256")
"""What counting a file's counts again does not tell."""


@dataclass(frozen=True, eq=False)
class Merged:
    """The tables of several departments.

    settings: those that decide what counts;  departments: by name, how many findings each has
    unknown: statements whose words are in no list
    left_out: findings of readers with too few findings or patients, on all topics
    """

    tables: Tables
    lexicon: Lexicon
    settings: Mapping[str, Any]
    departments: Mapping[str, int]
    unknown: int
    left_out: int


def counted(
    observations: pd.DataFrame,
    lexicon: Lexicon,
    settings: Settings,
    department: str,
    readers: Mapping[str, str],
) -> dict[str, Any]:
    """The file of tables of a department's observations, as plain values.

    Args:
        observations: as :func:`~radcal.calibration.tables.build_tables` takes them, and ``n``, how many each row stands
            for, if there is such a column.
        department: its name, under which its readers are found in the tables of all.
        readers: a pseudonym for each author.  Those with fewer than FEWEST findings on a topic, or patients where these
            are known, are counted together, and left out where they are fewer still.

    Raises:
        InputError: the name is none, or as of ``build_tables``.
        DataError: nothing is left.
    """
    if not _DEPARTMENT.fullmatch(department):
        raise InputError("Name the department by up to 40 letters, digits, blanks, dots and hyphens.")
    reference = "outcome" if "outcome" in observations else "reference_phrase"
    times = None if "n" not in observations else observations["n"].to_numpy()
    whole = build_tables(observations, lexicon.phrases, settings.reference, n=times)  # refuses what cannot be counted
    rows = observations[observations["verified"]] if "verified" in observations else observations
    rows = rows.assign(
        n=rows.get("n", 1), author=[f"{department}/{readers[author]}" for author in rows["author"].astype(str)]
    )
    for column in ("phrase", "reference_phrase"):
        if column in ("phrase", reference):
            known = {word: found.name for word in rows[column].unique() if (found := lexicon.find(str(word)))}
            rows[column] = rows[column].map(known)
    rows = rows.dropna(subset=["phrase", reference]).astype({"topic": str, "phrase": str})
    total = int(rows["n"].sum())
    rows = rows.assign(author=rows["author"].mask(_few(rows), f"{department}/{OTHERS}"))
    rows = rows[~_few(rows)]
    if rows.empty:
        raise DataError(
            "No reader has {n} findings or more on a topic, of as many patients, so that there is nothing to give.",
            n=FEWEST,
        )
    columns = [*_GROUP, "phrase", reference]
    counts = rows.groupby(columns, sort=True)["n"].sum().reset_index()
    again = build_tables(rows, lexicon.phrases, settings.reference, n=rows["n"].to_numpy()).by_patient
    made = {
        "format": _FORMAT,
        "schema": _SCHEMA,
        "department": department,
        "settings": _deciding(settings),
        "lexicon": [_meaning(p) for p in lexicon.phrases],
        "unknown": sum(whole.unknown.values()),
        "left_out": total - int(rows["n"].sum()),
        "fewest": FEWEST,
        "reference": reference,
        "counts": [[*row[:-1], int(row[-1])] for row in counts.itertuples(index=False, name=None)],
        "patients": [
            [*group, lexicon.phrases[k].name, *sums[k].tolist()]
            for group, sums in sorted(again.items())
            for k in np.flatnonzero(sums.any(axis=1)).tolist()
        ],
    }
    return made | {"sha256": _digest(made)}


def merged(paths: Sequence[Path]) -> Merged:
    """The tables of several files together.

    Raises:
        InputError: a file cannot be read, is none of tables or was changed, two are of one department, their words do
            not mean the same, or their settings or references are not the same; the message names what differs.
    """
    import pandas as pd

    files = [_read(path) for path in paths]
    first, name = files[0], paths[0].name
    for path, file in zip(paths[1:], files[1:], strict=True):
        if differing := _differing(first["lexicon"], file["lexicon"]):
            raise InputError(
                "Words do not mean the same in {name} and {other}: {words}. Give both departments one list of words "
                "(--lexicon), and make the tables again.",
                name=name,
                other=path.name,
                words=", ".join(differing),
            )
        settings = [key for key in _DECIDING if first["settings"].get(key) != file["settings"].get(key)]
        if settings or first["reference"] != file["reference"]:
            raise InputError(
                "{name} and {other} do not count the same: {settings} differ. Make the tables again with the same "
                "settings.",
                name=name,
                other=path.name,
                settings=", ".join(settings or ["outcome and reference_phrase"]),
            )
    if twice := [name for name, n in Counter(file["department"] for file in files).items() if n > 1]:
        raise InputError("Two files are of the department {name}. Give one of each.", name=twice[0])
    lexicon = _lexicon(first)
    columns, made = [*_GROUP, "phrase", first["reference"], "n"], []
    with_patients = any(file["patients"] for file in files)
    place, sums = {p.name: k for k, p in enumerate(lexicon.phrases)}, dict[tuple[str, str], Any]()
    reading = first["settings"]["reference"]
    for file in files:
        made.append(pd.DataFrame(file["counts"], columns=columns))
        for author, topic, phrase, *three in (file["patients"] or file["alone"]) if with_patients else ():
            sums.setdefault((author, topic), np.zeros((len(place), 3)))[place[phrase]] += three
    whole = pd.concat(made, ignore_index=True)
    tables = build_tables(whole, lexicon.phrases, reading, n=whole["n"].to_numpy())
    return Merged(
        replace(tables, by_patient=sums),
        lexicon,
        {key: value for key, value in first["settings"].items() if key != "study"},
        {file["department"]: sum(row[-1] for row in file["counts"]) for file in files},
        sum(file["unknown"] for file in files),
        sum(file["left_out"] for file in files),
    )


def _deciding(settings: Settings) -> dict[str, Any]:
    """The settings that decide what counts; of a study, what tells whether it is the same."""
    values = settings.to_dict()
    study = hashlib.sha256(values["study"].encode()).hexdigest() if values["study"] else ""
    return {**{name: values[name] for name in _DECIDING}, "study": study}


def _meaning(phrase: Phrase) -> dict[str, Any]:
    values = record_to_plain(phrase)
    return {name: values[name] for name in _MEANING}


def _differing(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> list[str]:
    """The words of two lists that are in one alone, or do not mean the same."""
    here, there = ({p["name"]: p for p in words} for words in (one, other))
    return [name for name in dict.fromkeys([*here, *there]) if here.get(name) != there.get(name)]


def _few(rows: pd.DataFrame) -> pd.Series[bool]:
    """Whether each row's reader has too few findings or patients on its topic."""
    people = rows["n"]
    if "patient" in rows:
        nobody = rows["patient"].isna() | (rows["patient"].astype(str).str.strip() == "")
        people = people.where(nobody, ~rows.duplicated([*_GROUP, "patient"]))
    return people.groupby([rows[column] for column in _GROUP]).transform("sum") < FEWEST


def _digest(made: Mapping[str, Any]) -> str:
    """SHA-256 of all the rest of a file, however it is laid out."""
    rest = {name: value for name, value in made.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    """A file of tables, whose values are of the right kinds and in accord; ``alone`` as of :func:`_alone`."""
    text, found, alone = inputs.read_text(path), dict[str, Any](), None
    newer = changed = False
    try:
        found = inputs.json_of(text)
        newer = found["schema"] > _SCHEMA
        changed = found["format"] == _FORMAT and found["sha256"] != _digest(found)
        alone = None if newer or changed else _alone(found)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, ExceptionGroup, RadcalError):
        pass
    if newer:
        raise InputError("{name} was made by a newer RadCal. Install that to merge it.", name=path.name)
    if changed:
        raise InputError(
            "{name} was changed since RadCal wrote it. Have `radcal tables` make it again.", name=path.name
        )
    if alone is None:
        raise InputError(
            "{name} is no file of tables, or a damaged one. Have `radcal tables` make it again.", name=path.name
        )
    return {**found, "alone": alone}


def _alone(found: Mapping[str, Any]) -> list[Any] | None:
    """The patients of a file if each finding is of a patient of its own; None for a damaged file.

    Counting its counts again gives a sound file, but for sums over patients, which fewer patients may have.

    Raises:
        LookupError, TypeError, AttributeError, ValueError, ArithmeticError, ExceptionGroup, RadcalError: its values are
            of other kinds, or out of bounds.
    """
    import pandas as pd

    rows, department = found["counts"], found["department"]
    if not all(
        type(n) is int and 0 <= n <= _MOST for n in (*(r[-1] for r in rows), found["unknown"], found["left_out"])
    ):
        return None
    frame = pd.DataFrame(rows, columns=[*_GROUP, "phrase", found["reference"], "n"]).assign(patient="")
    readers = {author: author.removeprefix(f"{department}/") for author in frame["author"]}
    settings = Settings.from_dict({**found["settings"], "study": ""})
    again = counted(frame, _lexicon(found), settings, department, readers)
    again["settings"]["study"] = found["settings"]["study"]
    one, other = ({**file, "counts": sorted(file["counts"]), **dict.fromkeys(_OPEN)} for file in (found, again))
    if one != other or not all(map(_READER.fullmatch, readers.values())):
        return None
    if found["patients"]:
        words, least = zip(*((row[:3], row[3:]) for row in again["patients"]), strict=True)
        given, low = (np.array(rows, float) for rows in ([row[3:] for row in found["patients"]], least))
        n, y, _ = low.T
        most = np.stack([n * n, n * y, y * y], axis=1) * (1 + _SLACK) + _SLACK
        if [row[:3] for row in found["patients"]] != [*words] or not ((low - _SLACK <= given) & (given <= most)).all():
            return None
    return list(again["patients"])


def _lexicon(found: Mapping[str, Any]) -> Lexicon:
    return Lexicon(tuple(plain_to_record(p, Phrase) for p in found["lexicon"]))
