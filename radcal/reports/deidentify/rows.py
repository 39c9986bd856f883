"""The rows of files without the identifiers of people, before anything is stored.

Whatever reads dates and names in a raw text has read it by then (:mod:`radcal.reports.rows`); the spans that it found
are those of the new text afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from radcal.reports.deidentify.same_texts import united
from radcal.reports.deidentify.side_by_side import DeidentifierSideBySide, Raw
from radcal.reports.identifiers import Deidentified, Known
from radcal.reports.later_texts import packed, unpacked
from radcal.system.text import Text, listed

if TYPE_CHECKING:
    from radcal.reports.deidentify.deidentifier import Deidentifier
    from radcal.reports.rows import Part
    from radcal.system.progress import Progress
    from radcal.workspace.stand_ins import StandIns

OLDEST = 90
"""The age that is stored for all over 89."""
_BATCH = 200
"""Reports between two steps of the progress."""
_TELLING = 5
"""Characters of a number that tells a patient where it is the name of a file."""
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_PLAIN = frozenset(
    "report reports chest xray radiograph thorax export may and the med mrs frau herr von van".split()  # noqa: SIM905
)
"""Words of file names that tell nothing, even where somebody bears one as a name."""


def names_patients(part: Part) -> bool:
    """Whether some row of a file has the name of its patient."""
    return bool(part.people["patient_name"].astype(bool).any())


def unnamed_note(files: Collection[str]) -> Text:
    """What it costs that nothing in some files names the patients, and what to do; empty for no files."""
    if not files:
        return Text("")
    return Text(
        "No column of {files} names the patients. RadCal then finds their names only by how they stand in a text, and "
        "misses about one in twenty; where a column names them, hardly any. If there is such a column, choose it as "
        "the patient's name (--map patient_name=COLUMN).",
        files=listed(sorted(files)),
    )


class SuspectWords(NamedTuple):
    """Words that were left in the text of a report and may be an identifier; ``place`` 0 is the most suspicious."""

    report_id: str
    kind: str
    words: str
    place: int


@dataclass
class Removed:
    """What was taken out of reports.

    reports: that were looked at;  changed: those of which something was removed;  kinds: replacements by kind
    """

    reports: int = 0
    changed: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    suspects: list[SuspectWords] = field(default_factory=list)

    def add(self, report_id: str, made: Deidentified) -> None:
        """Count a text."""
        self.reports += 1
        self.changed += bool(made.edits)
        self.kinds.update(edit.kind for edit in made.edits)
        self.suspects += suspects_in(report_id, made)


def suspects_in(report_id: str, made: Deidentified) -> list[SuspectWords]:
    """The suspects of a text, each wording once."""
    found: dict[tuple[str, str], SuspectWords] = {}
    for place, suspect in enumerate(made.suspects):
        words = made.text[suspect.start : suspect.end]
        found.setdefault((suspect.kind, words), SuspectWords(report_id, suspect.kind, words, place))
    return list(found.values())


def moved_parts(parts: str, made: Deidentified) -> str:
    """The parts of a text, as VERSION_COLUMNS has them, with their spans in the new text."""
    if not parts:
        return parts
    return packed(tuple(replace(p, start=made.forward(p.start), end=made.forward(p.end)) for p in unpacked(parts)))


def patients_in(parts: Sequence[Part]) -> dict[str, dict[str, None]]:
    """What the rows call each patient who has a name in them, by patient_id."""
    names: dict[str, dict[str, None]] = {}
    for part in parts:
        for patient, name in zip(
            part.reports["patient_id"].tolist(), part.people["patient_name"].tolist(), strict=True
        ):
            if name:
                names.setdefault(patient, {})[name] = None
    return names


def known_of(parts: Sequence[Part], patients: Mapping[str, Iterable[str]] = MappingProxyType({})) -> list[list[Known]]:
    """What is known of the people of each row of each part.

    What any row calls a patient holds for all reports of that patient, and so does what other files do.

    Args:
        patients: names in other files, by patient_id.
    """
    names = patients_in(parts)
    for patient in {i for part in parts for i in part.reports["patient_id"].unique()}.intersection(patients):
        names.setdefault(patient, {}).update(dict.fromkeys(patients[patient]))
    found = []
    for part in parts:
        reports, people = part.reports, part.people
        of_row = (
            *(reports[name] for name in ("patient_id", "accession", "study_uid", "dictator")),
            reports["signer"].fillna(""),
            *(people[name] for name in ("staff_names", "identifiers", "birth_date")),
        )  # fmt: skip
        rows = zip(*(column.tolist() for column in of_row), strict=True)
        found.append(
            [
                known_from(names.get(patient, ()), (dictator, signer, others), (patient, accession, uid, further), born)
                for patient, accession, uid, dictator, signer, others, further, born in rows
            ]
        )
    return found


def known_from(names: Iterable[str], staff: Iterable[str], numbers: Iterable[str], born: str = "") -> Known:
    """What cells say of people; those of staff and numbers may hold several, with semicolons between them."""
    return Known(tuple(filter(None, names)), _listed(*staff), _listed(*numbers), _listed(born))


def _listed(*cells: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.strip() for cell in cells for one in cell.split(";") if one.strip()))


def staff_in(known: Sequence[Sequence[Known]]) -> list[str]:
    """The names of all staff, in alphabetical order."""
    return sorted({name for rows in known for one in rows for name in one.staff})


def deidentified(
    parts: Sequence[Part],
    known: Sequence[Sequence[Known]],
    deidentifier: DeidentifierSideBySide,
    progress: Progress,
    only: Collection[str] | None = None,
) -> tuple[list[Part], Removed]:
    """The parts without identifiers in texts and examinations and exact ages over 89, and what was removed.

    Args:
        parts: as they were read;  known: by :func:`known_of`
        only: report_ids; the other rows stay as they are

    Raises:
        EngineError: de-identification broke down.
    """
    removed = Removed()
    progress.start(sum(len(part.reports) for part in parts), Text("Taking names and dates out of the reports"))
    wanted = [_wanted(part, only) for part in parts]
    texts = (raw for p, k, rows in zip(parts, known, wanted, strict=True) for raw in _raw(p, k, rows))
    made = deidentifier(texts, progress)
    return [
        _of_part(p, k, rows, made, deidentifier.one, removed, progress, only)
        for p, k, rows in zip(parts, known, wanted, strict=True)
    ], removed


def _wanted(part: Part, only: Collection[str] | None) -> Sequence[int]:
    """The rows of these reports, none of a part whose texts are given."""
    if part.given:
        return ()
    if only is None:
        return range(len(part.reports))
    return [i for i, report_id in enumerate(part.reports["report_id"].tolist()) if report_id in only]


def _raw(part: Part, known: Sequence[Known], rows: Sequence[int]) -> Iterator[Raw]:
    texts, patients = part.reports["text"].tolist(), part.reports["patient_id"].tolist()
    for i in rows:
        yield Raw(texts[i], known[i], patients[i])


def _of_part(
    part: Part,
    known: Sequence[Known],
    rows: Sequence[int],
    made: Iterator[Deidentified],
    deidentifier: Deidentifier,
    removed: Removed,
    progress: Progress,
    only: Collection[str] | None,
) -> Part:
    reports = part.reports
    columns = {name: reports[name].tolist() for name in ("report_id", "patient_id", "text", "parts", "exam", "site")}
    progress.advance(len(reports) - len(rows))
    for n, i in enumerate(rows, start=1):
        new = next(made)
        removed.add(columns["report_id"][i], new)
        columns["text"][i] = new.text
        columns["parts"][i] = moved_parts(columns["parts"][i], new)
        if known[i].patient and (names := _pieces(known[i].patient)):
            for name in ("exam", "site"):
                if names & _pieces([columns[name][i]]):
                    columns[name][i] = deidentifier(columns[name][i], known[i], columns["patient_id"][i]).text
        if n % _BATCH == 0 or n == len(rows):
            progress.advance((n - 1) % _BATCH + 1)
    changed = {name: values for name, values in columns.items() if name not in ("report_id", "patient_id")}
    old = reports["age"] > OLDEST
    if only is not None:
        old &= reports["report_id"].isin(list(only))
    ages = reports["age"].mask(old, OLDEST)
    return replace(part, reports=with_strings(reports, changed).assign(age=ages), people=part.people.iloc[:0])


def with_strings(reports: pd.DataFrame, columns: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The reports with these columns of text."""
    made = {name: pd.Series(values, index=reports.index, dtype="str") for name, values in columns.items()}
    return reports.assign(**made)


def _pieces(names: Collection[str]) -> set[str]:
    return {piece for name in names for piece in _LETTERS.findall(name.casefold())} - _PLAIN


def names_for(labels: Collection[str], known: Sequence[Sequence[Known]], stand_ins: StandIns) -> dict[str, str]:
    """Another name for each file whose own holds a name or number of a patient, the same in every import."""
    people = {piece for rows in known for one in rows for piece in _pieces(one.patient)}
    numbers = {n for rows in known for one in rows for n in one.numbers if len(n) >= _TELLING and not n.isalpha()}
    named = {}
    for label in labels:
        pieces = _pieces([label.replace("_", " ")])
        runs = set(re.findall(r"[^\W_]+", label)) | {PurePath(label).stem}
        if pieces & people or runs & numbers:
            named[label] = f"file {stand_ins.file(label)}{PurePath(label).suffix}"
    return named


def agreed(
    parts: Sequence[Part], held: Mapping[str, Collection[str]]
) -> tuple[list[Part], dict[tuple[str, str], Deidentified]]:
    """The parts, and the texts that the workspace holds, where each lacks what any reading of the same text removed.

    Args:
        parts: de-identified;  held: texts of the workspace's reports by report_id

    Returns:
        The parts; and of texts held, by report_id and text, those of which something more is removed now.
    """
    rows: dict[str, list[tuple[int, int]]] = {}
    for k, part in enumerate(parts):
        for i, report_id in enumerate(part.reports["report_id"].tolist()):
            rows.setdefault(report_id, []).append((k, i))
    texts = [part.reports["text"].tolist() for part in parts]
    pieces = [part.reports["parts"].tolist() for part in parts]
    more: dict[tuple[str, str], Deidentified] = {}
    touched: set[int] = set()
    for report_id, places in rows.items():
        stored = held.get(report_id, ())
        if len(places) < 2 and not stored:
            continue
        now = {text: Deidentified(text) for text in stored}
        wanted = {texts[k][i] for k, i in places}
        if len(wanted | now.keys()) == 1:
            continue
        for k, i in places:
            for other in [*(texts[a][b] for a, b in places if (a, b) != (k, i)), *now]:
                made = united(texts[k][i], other)
                if made is not None and made.edits:
                    texts[k][i], pieces[k][i] = made.text, moved_parts(pieces[k][i], made)
                    touched.add(k)
        for text in now:
            for k, i in places:
                made = united(text, texts[k][i])
                if made is not None and made.edits:
                    more[report_id, text] = made
    changed = [
        replace(part, reports=with_strings(part.reports, {"text": texts[k], "parts": pieces[k]}))
        if k in touched
        else part
        for k, part in enumerate(parts)
    ]
    return changed, more


def renamed(part: Part, names: Mapping[str, str]) -> Part:
    """The part with other names for its files, in rows, faults and notes."""
    if not names:
        return part
    faults = [replace(fault, file=names.get(fault.file, fault.file)) for fault in part.faults]
    files = [names.get(file, file) for file in part.reports["file"].tolist()]
    notes = [_renamed(note, names) for note in part.notes]
    units = {names.get(file, file): unit for file, unit in part.units.items()}
    return replace(part, reports=with_strings(part.reports, {"file": files}), faults=faults, notes=notes, units=units)


def _renamed(note: str, names: Mapping[str, str]) -> str:
    if not isinstance(note, Text):
        return note
    values = {
        name: _renamed(value, names) if isinstance(value, Text) else names.get(value, value) if isinstance(value, str)
        else value
        for name, value in note.values.items()  # noqa: PD011 - of a text
    }  # fmt: skip
    return note.with_values(**values)
