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
from radcal.system.errors import DataError, InputError
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
_READER = r"/[^\W\d_]+( \d+)?"
"""A pseudonym behind the department's name."""
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
_TEXTS = (("counts", 4), ("patients", 3))
"""So many first cells tell the rows of each apart."""
_FIELDS = {
    *("format", "schema", "department", "settings", "lexicon", "unknown", "left_out", "fewest", "reference", "counts"),
    *("patients", "sha256"),
}


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
    lexicon = Lexicon(tuple(plain_to_record(p, Phrase) for p in first["lexicon"]))
    columns, made = [*_GROUP, "phrase", first["reference"], "n"], []
    with_patients = any(file["patients"] for file in files)
    sums, reading = dict[tuple[str, str], Any](), first["settings"]["reference"]
    for file in files:
        made.append(pd.DataFrame(file["counts"], columns=columns))
        # Without patients, each finding is of a patient of its own.
        own = (_sums(file, lexicon) or _alone(file, lexicon)) if with_patients else {}
        for group, those in own.items():
            sums[group] = sums.get(group, 0.0) + those
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


def _sums(file: Mapping[str, Any], lexicon: Lexicon) -> dict[tuple[str, str], Any]:
    """A file's sums over patients by group, (K, 3)."""
    place, sums = {p.name: k for k, p in enumerate(lexicon.phrases)}, dict[tuple[str, str], Any]()
    for author, topic, phrase, *three in file["patients"]:
        sums.setdefault((author, topic), np.zeros((len(place), 3)))[place[phrase]] = three
    return sums


def _alone(file: Mapping[str, Any], lexicon: Lexicon) -> Mapping[tuple[str, str], Any]:
    """What the sums were if each finding were of a patient of its own: of findings, confirmed ones, and their squares.

    Raises:
        InputError: as of ``build_tables``.
    """
    import pandas as pd

    frame = pd.DataFrame(file["counts"], columns=[*_GROUP, "phrase", file["reference"], "n"]).assign(patient="")
    return build_tables(frame, lexicon.phrases, file["settings"]["reference"], n=frame["n"].to_numpy()).by_patient


def _read(path: Path) -> dict[str, Any]:
    """A file of tables, whose values are of the right kinds and in accord."""
    text, newer, changed, sound = inputs.read_text(path), False, False, False
    try:
        found = inputs.json_of(text)
        newer = found["schema"] > _SCHEMA
        changed = found["format"] == _FORMAT and found["sha256"] != _digest(found)
        sound = found["format"] == _FORMAT and (changed or _is_sound(found))
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, ExceptionGroup, InputError):
        sound = False
    if newer:
        raise InputError("{name} was made by a newer RadCal. Install that to merge it.", name=path.name)
    if not sound:
        raise InputError(
            "{name} is no file of tables, or a damaged one. Have `radcal tables` make it again.", name=path.name
        )
    if changed:
        raise InputError(
            "{name} was changed since RadCal wrote it. Have `radcal tables` make it again.", name=path.name
        )
    return dict(found)


def _is_sound(found: Mapping[str, Any]) -> bool:
    """Whether the values are of the right kinds and in accord, and there are no others.

    Raises:
        LookupError, TypeError, AttributeError, ExceptionGroup, InputError: they are not.
    """
    lexicon = Lexicon(tuple(plain_to_record(p, Phrase) for p in found["lexicon"]))
    Settings.from_dict({**found["settings"], "study": ""})
    words, cell = {p.name for p in lexicon.phrases}, {"outcome": (int, float)}.get(found["reference"], str)
    reader, by_group = re.compile(re.escape(found["department"]) + _READER), Counter[tuple[str, str]]()
    for author, topic, _, _, n in found["counts"]:
        by_group[author, topic] += n
    whole = [*(row[4] for row in found["counts"]), found["unknown"], found["left_out"], found["fewest"]]
    if not (
        found.keys() == _FIELDS
        and found["settings"].keys() == {*_DECIDING}
        and all(p.keys() == {*_MEANING} for p in found["lexicon"])
        and _DEPARTMENT.fullmatch(found["department"])
        and all(type(n) is int and 0 <= n <= _MOST for n in whole)
        and all(
            reader.fullmatch(author) and isinstance(topic, str) and phrase in words and isinstance(met, cell)
            for author, topic, phrase, met, _ in found["counts"]
        )
        and (cell is not str or {row[3] for row in found["counts"]} <= words)
        and all(len({(*row[:k],) for row in found[name]}) == len(found[name]) for name, k in _TEXTS)
        and min(by_group.values()) >= found["fewest"] >= FEWEST
    ):
        return False
    alone, sums = _alone(found, lexicon), _sums(found, lexicon)
    if not sums:
        return True
    least, given = (np.array([own[group] for group in sorted(alone)]) for own in (alone, sums))
    n, y = least[..., 0], least[..., 1]
    most = np.stack([n * n, n * y, y * y], axis=-1) * (1 + _SLACK) + _SLACK
    return sums.keys() == alone.keys() and bool(((least - _SLACK <= given) & (given <= most)).all())
