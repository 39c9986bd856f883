"""The columns of a file by field: recognised by their names and values together, or mapped by the user.

A column's total for a field is the resemblance of its name to the field's known names (1 for a known name), and what
its values add or take away.  The assignment with the greatest sum of totals wins; totals below a threshold count
for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cache, lru_cache
from operator import itemgetter

from radcal.errors import InputError
from radcal.ingest.column_names import Resemblance, is_foreign, parts_of, simplified
from radcal.ingest.column_values import EXAM, FEW, ID_OF_PATIENT, NAME, PERSON, SAMPLE, Values
from radcal.ingest.delimited import best_header
from radcal.ingest.fields import ASIDE, FIELDS, GIVEN, IDENTIFYING, LATE_TIMES, NO_FIELDS, Need
from radcal.ingest.sheets import with_alike
from radcal.ingest.table import Cell, Table, cell_text
from radcal.quoting import NO_COLUMN_NAMES, column_list, is_column_name
from radcal.text import EMPTY, Text, either, joined


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a file.

    positions: field -> column, 0 for the first
    names: field -> name of the column in the file
    day_first: the names are in a language that writes the day before the month
    undecided: field -> names of columns that are as likely as each other, none of which was taken
    rivals: field -> names of columns that are nearly as likely as the one taken, and are used for nothing
    left_over: field -> names of columns that are used for nothing though their values look like it
    identifying: field of IDENTIFYING -> all of its columns, in the order of the parts of a name; those that were
        mapped, and those of messages, are in ``positions`` as well
    """

    positions: Mapping[str, int]
    names: Mapping[str, str]
    day_first: bool
    undecided: Mapping[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    rivals: Mapping[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    left_over: Mapping[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    identifying: Mapping[str, tuple[int, ...]] = dataclass_field(default_factory=dict)

    @property
    def asked(self) -> Mapping[str, tuple[str, ...]]:
        """Fields that somebody should decide about, and the names of the columns that may be meant."""
        return {**self.left_over, **self.rivals, **self.undecided}

    def __contains__(self, field: object) -> bool:
        return field in self.positions

    @property
    def texts(self) -> tuple[int, ...]:
        """The columns of the reports' texts."""
        return tuple(self.positions[of] for of in ("text", "findings", "impression") if of in self.positions)


@cache
def _known() -> tuple[Mapping[str, Mapping[str, int]], frozenset[str]]:
    """The rank of each simplified name by field, and the names that are not English."""
    ranks = {field: _ranks(f.names + f.others) for field, f in FIELDS.items()}
    english = {simplified(n) for f in FIELDS.values() for n in f.names}
    others = {simplified(n) for f in FIELDS.values() for n in f.others}
    return ranks, frozenset(others - english)


def _ranks(names: Sequence[str]) -> Mapping[str, int]:
    """The rank of each simplified name; "Auftragsnummer" also covers "Auftragsnr."."""
    ranks: dict[str, int] = {}
    for rank, name in enumerate(names):
        key = simplified(name)
        ranks.setdefault(key, rank)
        if key.endswith("nummer"):
            ranks.setdefault(f"{key.removesuffix('nummer')}nr", rank)
    return ranks


_THRESHOLD = 0.72
"""Least total of a column that is taken for a field."""
_ALIKE = 0.03
"""Totals that differ by less are as likely as each other."""
_NEAR = 0.15
"""Totals that differ by less are told as rivals."""
_RANK = 0.002
"""What a known name loses by its place in the list of its field."""
_SURE = 0.98
"""What a name that has all parts of a known name, and no other, resembles it."""
_RIVAL = 0.6
"""Share of the lead of a rival, a field or none, that a resemblance loses."""
_CLOSE = 0.85
"""Least resemblance to a known name of a column that de-identification reads."""
_LONGEST_NAME, _MOST_WORDS = 60, 8
_NONE, _LATE = "none", "late"
_MOMENTS = ("exam_time", "exam_date")


@cache
def _resemblance() -> Resemblance:
    known = {name: (*f.names, *f.others) for name, f in FIELDS.items() if name not in {*ASIDE, *IDENTIFYING}}
    return Resemblance({**known, _NONE: NO_FIELDS, _LATE: LATE_TIMES})


@cache
def _resemblance_aside() -> Resemblance:
    aside = {name: (*FIELDS[name].names, *FIELDS[name].others) for name in ASIDE}
    theirs = {simplified(n) for names in aside.values() for n in names}
    return Resemblance({**aside, _NONE: [n for n in NO_FIELDS if simplified(n) not in theirs]})


_MOST_NAMES = 500
"""Of a table with more columns only known names are recognised, not those that resemble them."""


@lru_cache(4096)
def _of_name(name: str, *, loosely: bool = True) -> Mapping[str, tuple[float, int]]:
    """How much a name speaks for each field, 1 at most, and the place of the known name that it is or resembles.

    loosely: names that only resemble known ones count, too
    """
    key = simplified(name)
    ranks, _ = _known()
    exact = {of: (1.0, rank[key]) for of, rank in ranks.items() if key in rank and of not in IDENTIFYING}
    if exact or not loosely or key in _no_field() or len(name) > _LONGEST_NAME or len(name.split()) > _MOST_WORDS:
        return exact
    near = _resemblance()(name)
    best = max((found for found, _ in near.values()), default=0.0)
    if near.get(_NONE, (0.0, 0))[0] == best:
        near = {**near, **_resemblance_aside()(name)}
        best = max((found for found, _ in near.values()), default=0.0)
    return {
        of: (min(_SURE, found) - _RIVAL * (best - found), place)
        for of, (found, place) in near.items()
        if of in FIELDS and found > best / 2
    }


@cache
def _resemblance_identifying() -> Resemblance:
    known = {name: (*f.names, *f.others) for name, f in FIELDS.items()}
    theirs = {simplified(n) for of in IDENTIFYING for n in known[of]}
    return Resemblance({**known, _NONE: [n for n in (*NO_FIELDS, *LATE_TIMES) if simplified(n) not in theirs]})


@lru_cache(4096)
def _identifying(name: str, *, loosely: bool = True) -> str:
    """The field of IDENTIFYING that a column holds by its name, '' for none."""
    key = simplified(name)
    for of in IDENTIFYING:
        if key in _known()[0][of]:
            return of
    own = next((of for of, (found, _) in _of_name(name, loosely=loosely).items() if found == 1.0), "")
    if own and FIELDS[own].left_over:
        return FIELDS[own].left_over
    if (
        own
        or not loosely
        or not key
        or key in _no_field()
        or len(name) > _LONGEST_NAME
        or len(name.split()) > _MOST_WORDS
    ):
        return ""
    near = {of: found for of, (found, _) in _resemblance_identifying()(name).items()}
    best = max(near, key=lambda of: near[of], default="")
    return best if best in IDENTIFYING and near[best] >= _CLOSE else ""


def _identifying_columns(
    names: Sequence[str], rows: Sequence[Sequence[Cell]], positions: Mapping[str, int], wanted: Sequence[str]
) -> dict[str, tuple[int, ...]]:
    """Every column of the fields IDENTIFYING: those mapped, and those that no field uses and whose name says so.

    Of a column that is called "patient" beside that of their numbers, the values tell that it holds names; one whose
    values are nothing of the kind, such as the dates of transcriptions, is none.
    """
    used, given = set(positions.values()), {simplified(name) for name in GIVEN}
    found: dict[str, list[int]] = {of: [positions[of]] for of in IDENTIFYING if of in positions}
    loosely = len(names) <= _MOST_NAMES
    for column, name in enumerate(names):
        of = _identifying(name, loosely=loosely) if column not in used else ""
        if of == "identifiers" and _values_of(rows, column).tells(NAME) > _FITS:
            of = "patient_name"
        if of in wanted and not _values_of(rows, column).strange(FIELDS[of].looks):
            found.setdefault(of, []).append(column)
    if "patient_name" in found:
        found["patient_name"].sort(key=lambda column: simplified(names[column]) not in given)
    return {of: tuple(columns) for of, columns in found.items()}


@cache
def _no_field() -> frozenset[str]:
    of_aside = frozenset[str]().union(*(_known()[0][name] for name in ASIDE))
    return frozenset(simplified(name) for name in (*NO_FIELDS, *LATE_TIMES)) - of_aside


def guess(
    header: Sequence[Cell], mapping: Mapping[str, str], wanted: Sequence[str], rows: Sequence[Sequence[Cell]] = ()
) -> Layout:
    """The columns of ``header`` that hold the ``wanted`` fields.

    Columns in ``mapping`` are assigned first; of the others those that the names, and the values of the first ``rows``
    below, speak for most.  Each column is used for one field only.
    """
    names = [cell_text(cell) for cell in header]
    positions = _mapped(names, mapping, wanted)
    totals = _totals(names, rows, wanted, positions)
    undecided: dict[str, tuple[str, ...]] = {}
    for of, column in _assigned(totals.begun(names)).items():
        alike = totals.alike(of, column, names)
        if alike:
            undecided[of] = (names[column], *alike)
        else:
            positions[of] = column
    if not {"exam_time", "exam_date"} & (positions.keys() | undecided.keys()) and "exam_time" in wanted:
        rank_of = _ranks(LATE_TIMES)
        found = [(rank_of[key], i) for i, n in enumerate(names) if (key := simplified(n)) in rank_of]
        late = [(rank, i) for rank, i in found if i not in positions.values()]
        if late:
            positions["exam_time"] = min(late)[1]
    identifying = _identifying_columns(names, rows, positions, wanted)
    ordered = {of: positions[of] for of in wanted if of in positions}
    rivals = {of: near for of in ordered if (near := totals.rivals(of, ordered, names))}
    used = {*ordered.values(), *(column for columns in identifying.values() for column in columns)}
    doubted = {name for alike in (*undecided.values(), *rivals.values()) for name in alike}
    free = [column for column, name in enumerate(names) if column not in used and name and name not in doubted]
    _, foreign = _known()
    return Layout(
        positions=ordered,
        names={of: names[column] for of, column in ordered.items()},
        day_first=any(simplified(names[c]) in foreign or is_foreign(names[c]) for c in ordered.values()),
        undecided=undecided,
        rivals=rivals,
        left_over=_left_over(names, rows, free, ordered, [of for of in wanted if of not in (*undecided, *mapping)]),
        identifying=identifying,
    )


@dataclass(frozen=True)
class _Totals:
    """total: of each field and column that reaches the threshold;  sure: those with a known name"""

    total: Mapping[tuple[str, int], float]
    sure: frozenset[tuple[str, int]]
    values: Mapping[int, Values]

    def alike(self, of: str, column: int, names: Sequence[str]) -> tuple[str, ...]:
        """The columns that are as likely as the one taken for a field, and hold something else."""
        if (of, column) in self.sure:
            return ()
        least = self.total[of, column] - _ALIKE
        return tuple(
            names[i]
            for (f, i), total in self.total.items()
            if f == of and i != column and total >= least and self.values[i] != self.values[column]
            and _of_name(names[i]).get(of, (0.0, -1))[1] == _of_name(names[column]).get(of, (0.0, -1))[1]
            and all(total >= other for (_, k), other in self.total.items() if k == i)
        )  # fmt: skip

    def begun(self, names: Sequence[str]) -> Mapping[tuple[str, int], float]:
        """The totals without those of the end of an examination where another column tells as well when it began."""
        moment = FIELDS["exam_time"].looks
        begins, ends = (
            {key for key in self.total if key[0] in _MOMENTS and part in _said(names[key[1]])}
            for part in ("begin", "end")
        )
        late = {
            (of, end)
            for of, end in ends - begins
            if any(
                f == of and self.values[begin].fits(moment) > self.values[end].fits(moment) - 0.1 for f, begin in begins
            )
        }
        return {key: found for key, found in self.total.items() if key not in late}

    def rivals(self, of: str, taken: Mapping[str, int], names: Sequence[str]) -> tuple[str, ...]:
        """The columns used for nothing that are nearly as likely as that taken for a field, and hold other values."""
        column = taken[of]
        if (of, column) not in self.total or (of, column) in self.sure:
            return ()
        return tuple(
            names[i]
            for (f, i), total in self.total.items()
            if f == of and i not in taken.values() and total > self.total[of, column] - _NEAR
            and self.values[i].cells and self.values[i] != self.values[column]
            and self.values[i].tells(FIELDS[of].looks) >= 0.6 * self.values[column].tells(FIELDS[of].looks)
        )  # fmt: skip


def _left_over(
    names: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    free: Sequence[int],
    taken: Mapping[str, int],
    wanted: Sequence[str],
) -> dict[str, tuple[str, ...]]:
    """The ``free`` columns by the wanted fields that their values tell, and that no column taken holds.

    Of a field that a part of a name is enough for, any other column with such values is left over.
    """
    held = {of: _values_of(rows, column) for of, column in taken.items()}
    found: dict[str, tuple[str, ...]] = {}
    for column in free:
        its, name = _values_of(rows, column), names[column]
        fields = [
            of
            for of in wanted
            if (tells := its.tells(FIELDS[of].looks)) > _FITS
            and (of not in held or _tells_more(of, its, tells, held[of]))
            and (FIELDS[of].looks.alone or not _is_of_none(name))
        ]
        kept: list[str] = []
        for of in fields:
            spared = any(other in taken or other in kept for other in FIELDS[of].spared_by)
            needs = {FIELDS[other].need for other in kept} - {""}  # which come first, one of a group
            more = not needs or (FIELDS[of].need and FIELDS[of].need not in needs)
            if not spared and not (kept and FIELDS[of].identifying) and more:
                kept.append(of)
                found[of] = (*found.get(of, ()), name)
    return found


def _tells_more(of: str, its: Values, tells: float, taken: Values) -> bool:
    """Whether a column tells a field better than the one taken does, or may be another of the kind."""
    field = FIELDS[of]
    held = taken.tells(field.looks) if field.looks.alone else taken.fits(field.looks)
    return held < tells - _LESS or (bool(field.part) and its != taken)


def _said(name: str) -> frozenset[str]:
    return frozenset[str]().union(*parts_of(name))


def _mapped(names: Sequence[str], mapping: Mapping[str, str], wanted: Sequence[str]) -> dict[str, int]:
    keys = [simplified(name) for name in names]
    found = {of: _position(names, keys, column) for of, column in mapping.items() if of in wanted}
    return {of: column for of, column in found.items() if column is not None}


def _totals(
    names: Sequence[str], rows: Sequence[Sequence[Cell]], wanted: Sequence[str], mapped: Mapping[str, int]
) -> _Totals:
    """The totals of the fields and columns that are not mapped."""
    total: dict[tuple[str, int], float] = {}
    sure: set[tuple[str, int]] = set()
    values: dict[int, Values] = {}
    loosely = len(names) <= _MOST_NAMES
    for column, name in enumerate(names):
        if column in mapped.values():
            continue
        told = {of: (0.0, 0) for of in wanted if FIELDS[of].part in _said(name)}
        for field, (found, rank) in {**told, **_of_name(name, loosely=loosely)}.items():
            of = field
            if of not in wanted or of in mapped:
                continue
            its = values.setdefault(column, _values_of(rows, column))
            known = found == 1.0
            of_all = found - _RANK * rank + its.evidence(FIELDS[of].looks)
            if (
                of == "exam_date"
                and "exam_time" in wanted
                and "exam_time" not in mapped
                and its.fits(FIELDS["exam_time"].looks) > 0.95
            ):
                of = "exam_time"  # dates with a time of day
            if known:
                # A known name stands for its field, whatever its values, unless another column does so better.
                sure.add((of, column))
                of_all = max(of_all, _THRESHOLD + 0.2 - _RANK * rank)
            elif of in told and its.tells(FIELDS[of].looks) > _TELLS:
                of_all = max(of_all, _THRESHOLD + 0.05 + 0.1 * found)
            if of_all >= _THRESHOLD:
                total[of, column] = max(of_all, total.get((of, column), 0.0))
    return _Totals(total, frozenset(sure), values)


def _values_of(rows: Sequence[Sequence[Cell]], column: int) -> Values:
    return Values([row[column] for row in rows[: 2 * SAMPLE] if column < len(row)])


def _assigned(total: Mapping[tuple[str, int], float]) -> dict[str, int]:
    """One column for each field, and one field for each column, with the greatest sum of totals."""
    if not total:
        return {}
    best = _best_of_each(total)
    if best is not None:
        return best
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    fields, columns = sorted({of for of, _ in total}), sorted({column for _, column in total})
    gain = np.zeros((len(fields), len(columns)))
    places = {column: place for place, column in enumerate(columns)}
    for (of, column), found in total.items():
        gain[fields.index(of), places[column]] = found - _THRESHOLD + 0.3
    chosen = zip(*linear_sum_assignment(gain, maximize=True), strict=True)
    return {fields[f]: columns[c] for f, c in chosen if gain[f, c] > 0}


def _best_of_each(total: Mapping[tuple[str, int], float]) -> dict[str, int] | None:
    """The best column of each field, where that is another one for each: no other choice has as great a sum.

    None where two columns are as good, or two fields want the same: that asks for a library that is slow to load.
    """
    best = {of: column for (of, column), _ in sorted(total.items(), key=itemgetter(1))}
    alike = any(column != best[of] and found == total[of, best[of]] for (of, column), found in total.items())
    return None if alike or len(set(best.values())) < len(best) else dict(sorted(best.items()))


def _position(names: Sequence[str], keys: Sequence[str], column: str) -> int | None:
    if column.strip() in names:
        return names.index(column.strip())
    key = simplified(column)
    return keys.index(key) if key and key in keys else None


def check_mapping(mapping: Mapping[str, str], wanted: Sequence[str]) -> None:
    """Check the fields of a mapping.

    Raises:
        InputError: a field is unknown; the message lists those that exist.
    """
    for field in mapping:
        if field not in wanted:
            raise InputError(
                "There is no {field!r} to map a column to. Columns can be mapped to: {wanted}.",
                field=field,
                wanted=", ".join(wanted),
            )


_OTHER_COLUMNS = Text(
    "{file}: sheet {sheet} holds reports under other column names and was not read. Save it as a file of its own, and "
    "import that too."
)


def locate(
    tables: Sequence[Table], need: Need, wanted: Sequence[str], mapping: Mapping[str, str], file: str
) -> tuple[Table, int, Layout]:
    """The first usable table (sheet) of a file, the number of its header row, and the columns of its fields.

    Further sheets with the same column names belong to it; a note tells of those with reports under others.

    Raises:
        InputError: no table has a column for every group of ``need`` in one of its first rows.
    """
    found: list[tuple[int, Table, int, Layout]] = []
    for place, table in enumerate(tables, 1):
        if table.rows:
            row, known = _header_of(table, mapping, wanted)
            layout = layout_of(table, row, mapping, wanted)
            if not _missing(layout, need):
                further = [(t, _header_of(t, mapping, wanted)[0]) for t in tables[place:] if t.rows]
                table, others = with_alike(table, row, further)
                lost = [t for t, at in others if not _missing(layout_of(t, at, mapping, wanted), need)]
                notes = [Text(_OTHER_COLUMNS, file=file, sheet=t.sheet) for t in lost]
                return (replace(table, notes=[*table.notes, *notes]) if notes else table), row, layout
            found.append((known, table, row, layout))
    if not found:
        raise InputError("{file} is empty. Export the reports again.", file=file)
    _, table, row, layout = max(found, key=itemgetter(0))
    header = table.rows[row]
    if wrong := misfits(table, row, layout, wanted, mapping):
        raise InputError("{wrong} Map another column.", wrong=joined(wrong))
    group = _missing(layout, need)[0]
    for of in group:
        if of in layout.undecided:
            raise InputError(
                "{file} has more than one column that may be {meaning}: {columns}. Say which one it is with --map "
                "{group2}=COLUMN.",
                file=file,
                meaning=FIELDS[of].meaning,
                columns=shown_columns(header, layout.undecided[of]),
                group2=of,
            )
    names = [cell_text(cell) for cell in header]
    for of in mapping:
        column = layout.positions.get(of)
        if column is not None and any(_speaks(names[column], f) >= _THRESHOLD for f in group):
            raise InputError(
                "{file}: column {column} was taken for {field}, and no other holds {group}. Map another column to "
                "{of}.",
                file=file,
                column=_shown(names, column),
                field=FIELDS[of].meaning,
                group=either([FIELDS[f].meaning for f in group]),
                of=of,
            )
    raise InputError(
        "{file} has no column for {group} (looked for: {examples}). {columns_there} Say which "
        "one it is with --map {group2}=COLUMN, or export the reports with it.",
        file=file,
        group=either([FIELDS[f].meaning for f in group]),
        examples=_examples(group),
        columns_there=_columns_there(header),
        group2=group[0],
    )


def _header_of(table: Table, mapping: Mapping[str, str], wanted: Sequence[str]) -> tuple[int, int]:
    """The number of the row of column names, and how many fields these name."""
    if table.headed:
        return 0, len(table.rows[0])
    return best_header(table.rows, lambda cells: recognised(cells, mapping, wanted))


def recognised(cells: Sequence[Cell], mapping: Mapping[str, str], wanted: Sequence[str]) -> int:
    """The number of wanted fields that a row would name as a header."""
    if len(cells) > _MOST_NAMES or any(len(c) > 200 for c in cells if isinstance(c, str)):
        return 0
    names = [cell_text(cell) for cell in cells]
    named = {of for name in names for of, (found, _) in _of_name(name).items() if of in wanted and found >= _THRESHOLD}
    return min(len(named | _mapped(names, mapping, wanted).keys()), len(names))


def layout_of(table: Table, header: int, mapping: Mapping[str, str], wanted: Sequence[str]) -> Layout:
    """The columns of a table by the names in row ``header`` and the values below."""
    if table.headed:
        positions = {name: i for i, cell in enumerate(table.rows[0]) if (name := cell_text(cell)) in wanted}
        identifying = {of: (positions[of],) for of in IDENTIFYING if of in positions}
        return Layout(positions, {name: name for name in positions}, day_first=False, identifying=identifying)
    width = len(table.rows[header])
    below = [row for row in table.rows[header + 1 : header + 1 + 3 * SAMPLE] if table.trimmed or len(row) == width]
    return guess(table.rows[header], mapping, wanted, below)


_UNDECIDED = Text("{file}: each of the columns {columns} may be {field}; none of them was used. Say which one it is.")
_RIVALS = Text("{file}: column {column} was taken for {field}. Others that may hold it: {columns}.")
_LEFT = Text("{file}: column {column} is used for nothing, but its values look like {fields}. Say so if it is that.")


def is_question(note: str) -> bool:
    """Whether a note of :func:`doubts` is on fields of Layout.asked."""
    return isinstance(note, Text) and note.template in {of.template for of in (_UNDECIDED, _RIVALS, _LEFT)}


def doubts(table: Table, header: int, layout: Layout, wanted: Sequence[str]) -> list[Text]:
    """A note on each column that was taken for a field though none of its values looks like what that holds.

    The note names the column that would fit better, by name and values, and what the values look like.  A field for
    which other columns are as likely, or nearly, has a note, too, and so has a column that is used for nothing though
    its values tell a field that no other column holds.
    """
    if table.headed:
        return []
    names = [cell_text(cell) for cell in table.rows[header]]
    undecided = [
        _UNDECIDED.with_values(
            file=table.file,
            columns=shown_columns(names, alike),
            field=FIELDS[of].meaning,
        )
        for of, alike in layout.undecided.items()
    ]
    rivals = [
        _RIVALS.with_values(
            file=table.file,
            column=_shown(names, layout.positions[of]),
            field=FIELDS[of].meaning,
            columns=shown_columns(names, found),
        )
        for of, found in layout.rivals.items()
    ]
    fields_of: dict[str, list[Text]] = {}
    for of, columns in layout.left_over.items():
        for column in columns:
            fields_of.setdefault(column, []).append(FIELDS[of].meaning)
    left_over = [
        _LEFT.with_values(
            file=table.file,
            column=shown_columns(names, (column,)),
            fields=either(fields),
        )
        for column, fields in fields_of.items()
    ]
    return [*undecided, *rivals, *left_over, *misfits(table, header, layout, wanted, layout.positions)]


def misfits(table: Table, header: int, layout: Layout, wanted: Sequence[str], fields: Iterable[str]) -> list[Text]:
    """The notes of :func:`doubts` on the columns taken for ``fields`` whose values do not fit."""
    if table.headed:
        return []
    names = [cell_text(cell) for cell in table.rows[header]]
    below = [row for row in table.rows[header + 1 : header + 1 + 3 * SAMPLE] if len(row) >= len(names)]
    columns = _Columns(names, below, [_values_of(below, column) for column in range(len(names))], layout)
    return [note for of in fields if of in layout and (note := columns.misfit(table.file, of, wanted))]


@dataclass(frozen=True)
class _Columns:
    """The columns of a table whose fields are doubted."""

    names: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    values: Sequence[Values]
    layout: Layout

    def misfit(self, file: str, of: str, wanted: Sequence[str]) -> Text:
        """What is wrong with the values of the column taken for a field, and which one may be meant; else empty."""
        column = self.layout.positions[of]
        if self.strange(of, wanted):
            note = Text(
                "{file}: column {column} was taken for {field}, but none of its values looks like it.",
                file=file,
                column=_shown(self.names, column),
                field=FIELDS[of].meaning,
            )
        elif FIELDS[of].looks is PERSON and self._numbers(column):
            note = Text(
                "{file}: column {column} was taken for {field}, but its values are numbers, another one for each "
                "report or patient.",
                file=file,
                column=_shown(self.names, column),
                field=FIELDS[of].meaning,
            )
        else:
            return EMPTY
        if others := self._likes(of, wanted):
            its, name = self.values[column], self.names[column]
            other = max(others, key=lambda f: (_speaks(name, f), its.evidence(FIELDS[f].looks)))
            note = joined([note, Text("They look like {other}.", other=FIELDS[other].meaning)])
        named = self._better(of, column)
        if named is None and FIELDS[of].told_by:
            named = self._better(FIELDS[of].told_by, column)
        if named is not None:
            note = joined([note, Text("Did you mean column {named}?", named=_shown(self.names, named))])
        return note

    def strange(self, of: str, wanted: Sequence[str]) -> bool:
        """Whether the values do not look like the field; names of exams are of any kind, unless others fit better."""
        its, looks = self.values[self.layout.positions[of]], FIELDS[of].looks
        return its.strange(looks) or (looks is EXAM and its.strange(looks, 0.4) and bool(self._likes(of, wanted)))

    def _likes(self, of: str, wanted: Sequence[str]) -> list[str]:
        """Other fields of which the values of the column taken for a field look like one."""
        its = self.values[self.layout.positions[of]]
        return [f for f in wanted if f != of and its.tells(FIELDS[f].looks) > _FITS]

    def _numbers(self, column: int) -> bool:
        """Whether a column of numbers has one for each report or patient, as those of orders, and not of people."""
        its = self.values[column]
        if its.fits(ID_OF_PATIENT) < _FITS or its.fits(PERSON) > _FITS:
            return False
        keys = [c for f in ("accession", "patient_id") if (c := self.layout.positions.get(f, column)) != column]
        for key in keys:
            cells = {(cell_text(row[key]), cell_text(row[column])) for row in self.rows if cell_text(row[column])}
            if FEW <= len(cells) == len({k for k, _ in cells}) == len({v for _, v in cells}):
                return True
        return False

    def _better(self, of: str, doubted: int) -> int | None:
        """The column that would fit a field, by name and values, unless it is used for what its name says."""
        used = {column: f for f, column in self.layout.positions.items()}
        looks, found = FIELDS[of].looks, []
        for column, (name, its) in enumerate(zip(self.names, self.values, strict=True)):
            speaks, use = _speaks(name, of), used.get(column, of)
            own = use != of and _speaks(name, use) >= speaks and not its.strange(FIELDS[use].looks)
            told = its.fits(looks) > 0.5 if speaks >= _THRESHOLD else its.tells(looks) > _FITS
            if column != doubted and not own and told and (speaks >= _THRESHOLD or not _is_of_others(name, of)):
                found.append((speaks, its.evidence(looks), -column))
        return -max(found)[2] if found else None


def _speaks(name: str, of: str) -> float:
    return _of_name(name).get(of, (0.0, 0))[0]


_FITS = 0.8
"""How well the values of a column fit what it may be."""
_LESS = 0.4
"""What values tell less than others that are taken in their place."""
_TELLS = 0.45
"""How surely they tell where a part of the column's name does, too: such as codes of one letter."""


def _is_of_others(name: str, of: str) -> bool:
    """Whether a name says that a column holds something else, such as who referred a patient."""
    if _is_of_none(name):
        return True
    near = {field: found for field, (found, _) in _resemblance()(name).items()}
    other = max((found for field, found in near.items() if field != of), default=0.0)
    return other > max(0.6, near.get(of, 0.0))


def _is_of_none(name: str) -> bool:
    """Whether a name says that a column holds what no field is for."""
    if simplified(name) in _no_field() or _said(name) & _ASKED:
        return True
    near = {field: found for field, (found, _) in _resemblance()(name).items()}
    best = max(near.values(), default=0.0)
    return best > 0.6 and best == max(near.get(_NONE, 0.0), near.get(_LATE, 0.0))


_ASKED = frozenset({"refer", "order", "request"})
"""Parts of the names of columns that tell who wanted an examination."""


def _shown(names: Sequence[str], column: int) -> str:
    """A column as messages may show it: by its name if that holds column words only, else by its position."""
    name = names[column]
    return f"'{name}'" if is_column_name(name, _known_names()) else str(column + 1)


def shown_columns(header: Sequence[Cell], chosen: Sequence[str]) -> str:
    """Column names that may be quoted, and the positions of the others."""
    names = [cell_text(cell) for cell in header]
    return ", ".join(_shown(names, names.index(name)) for name in chosen)


def _missing(layout: Layout, need: Need) -> list[tuple[str, ...]]:
    return [group for group in need if not any(field in layout for field in group)]


def _examples(group: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(name for field in group for name in FIELDS[field].names[: 6 // len(group)]))


def _columns_there(header: Sequence[Cell]) -> str:
    """A sentence that lists the column names, with the position in place of a name that might be patient data."""
    names = [cell_text(cell) for cell in header]
    if shown := column_list(names, _known_names()):
        return Text("Its columns are: {shown}.", shown=shown)
    if any(len(name) > 60 or "\n" in name for name in names):
        return Text("Its first row looks like data and not like column names.")
    return NO_COLUMN_NAMES


@cache
def _known_names() -> frozenset[str]:
    return frozenset(name.casefold() for f in FIELDS.values() for name in (*f.names, *f.others))
