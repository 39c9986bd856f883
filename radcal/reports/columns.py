"""The columns of a file by field: known by their names, checked by their values, or mapped by the user.

What no name tells is asked: of a column that is used for nothing though its values look like a field, and of columns
that are as likely as each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cache

from radcal.reports.column_names import (
    LATE,
    NONE,
    all_names,
    fields_of,
    is_foreign,
    is_known,
    parts_of,
    quotable,
    simplified,
)
from radcal.reports.column_values import EXAM, FEW, FITS, ID_OF_PATIENT, NAME, PERSON, SAMPLE, Values
from radcal.reports.delimited import best_header
from radcal.reports.fields import FIELDS, GIVEN, IDENTIFYING, Need
from radcal.reports.table import Cell, Table, cell_text, name_count
from radcal.system.errors import InputError
from radcal.system.quoting import NO_COLUMN_NAMES, column_list, is_column_name
from radcal.system.text import EMPTY, Text, either, joined


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a file.

    positions: field -> column, 0 for the first
    names: field -> name of the column in the file
    day_first: the names are in a language that writes the day before the month
    undecided: field -> names of columns that are as likely as each other, none of which was taken
    left_over: field -> names of columns that are used for nothing though their values look like it
    identifying: field of IDENTIFYING -> all of its columns, in the order of the parts of a name; those that were
        mapped, and those of messages, are in ``positions`` as well
    """

    positions: Mapping[str, int]
    names: Mapping[str, str]
    day_first: bool
    undecided: Mapping[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    left_over: Mapping[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    identifying: Mapping[str, tuple[int, ...]] = dataclass_field(default_factory=dict)

    @property
    def asked(self) -> Mapping[str, tuple[str, ...]]:
        """Fields that somebody should decide about, and the names of the columns that may be meant."""
        return {**self.left_over, **self.undecided}

    def __contains__(self, field: object) -> bool:
        return field in self.positions

    @property
    def texts(self) -> tuple[int, ...]:
        """The columns of the reports' texts."""
        return tuple(self.positions[of] for of in ("text", "findings", "impression") if of in self.positions)


NO_LAYOUT = Layout({}, {}, day_first=False)
_LESS = 0.4
"""What values tell less than others that are taken in their place."""
_TELLS, _SURELY = 0.45, 0.95
"""How surely they tell where a part of the column's name does, too, such as codes of one letter; and times of day."""
_ASKED = frozenset({"refer", "order", "request"})
"""Parts of the names of columns that tell who wanted an examination."""
_MOST_NAMES = 500
"""Of a table with more columns only names of the table of names are recognised, not those that say the same."""
_LAST = 10_000
"""The place of what is not in the table of names."""


def guess(
    header: Sequence[Cell], mapping: Mapping[str, str], wanted: Sequence[str], rows: Sequence[Sequence[Cell]] = ()
) -> Layout:
    """The columns of ``header`` that hold the ``wanted`` fields.

    Columns in ``mapping`` are assigned first, then those whose names are known for a field, or say the same: those
    whose values, in the first ``rows``, fit before others, then the most specific names.  Each column is used for one
    field only.
    """
    columns = _Columns(header, rows)
    positions = _mapped(columns.names, mapping, wanted)
    candidates = columns.candidates([of for of in wanted if of not in positions], {*positions.values()})
    undecided: dict[str, tuple[str, ...]] = {}
    for one in candidates:
        if one.field in positions or one.field in undecided or one.column in positions.values():
            continue
        alike = [o for o in one.others(candidates, positions.values()) if o.order[:-1] == one.order[:-1]]
        if alike:
            undecided[one.field] = tuple(columns.names[o.column] for o in (one, *alike))
        else:
            positions[one.field] = one.column
    if not {"exam_time", "exam_date"} & (positions.keys() | undecided.keys()) and "exam_time" in wanted:
        late = [(fields_of(name, loosely=False).get(LATE, _LAST), column) for column, name in enumerate(columns.names)]
        place, column = min((one for one in late if one[1] not in positions.values()), default=(_LAST, 0))
        positions |= {"exam_time": column} if place < _LAST else {}
    identifying = columns.identifying(positions, wanted)
    positions = {of: positions[of] for of in wanted if of in positions}
    used = {*positions.values(), *(column for each in identifying.values() for column in each)}
    doubted = {name for alike in undecided.values() for name in alike}
    free = [i for i, name in enumerate(columns.names) if i not in used and name and name not in doubted]
    return Layout(
        positions=positions,
        names={of: columns.names[column] for of, column in positions.items()},
        day_first=any(is_foreign(columns.names[column]) for column in positions.values()),
        undecided=undecided,
        left_over=columns.left_over(free, positions, [of for of in wanted if of not in (*undecided, *mapping)]),
        identifying=identifying,
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A column that may hold a field.

    order: what the choice goes by, least first: fields that are aside, values that fit less, less specific names,
        names that are not in the table, and columns further to the right come behind
    """

    field: str
    column: int
    values: Values
    order: tuple[bool, int, int, bool, int]

    def others(self, candidates: Sequence[_Candidate], used: Collection[int]) -> list[_Candidate]:
        """The columns not used that hold other values and may be meant as well; none beside a name of the table."""
        return [
            one
            for one in candidates
            if self.order[3] and one.field == self.field and one.order[:2] == self.order[:2]
            and one.column not in (self.column, *used) and one.values != self.values
        ]  # fmt: skip


class _Columns:
    """The columns of a table: their names, and the values below."""

    def __init__(self, header: Sequence[Cell], rows: Sequence[Sequence[Cell]]) -> None:
        self.names = [cell_text(cell) for cell in header]
        self.rows = rows[: 2 * SAMPLE]
        self.loosely = len(self.names) <= _MOST_NAMES
        self._values: dict[int, Values] = {}

    def values(self, column: int) -> Values:
        """The values of a column."""
        if column not in self._values:
            self._values[column] = Values([row[column] for row in self.rows if column < len(row)])
        return self._values[column]

    def candidates(self, wanted: Sequence[str], used: Collection[int]) -> list[_Candidate]:
        """The columns that may hold the wanted fields, in the order of choice.

        A name of the table stands for its field whatever the values, unless another column does so better; one that
        says the same needs values that fit at least a little.
        """
        found: list[_Candidate] = []
        for column, name in enumerate(self.names):
            if column in used:
                continue
            its, known, named = self.values(column), is_known(name), fields_of(name, loosely=self.loosely)
            places = {} if NONE in named else {of: place for of, place in named.items() if of in wanted}
            parts = {of: FIELDS[of].part for of in wanted if FIELDS[of].part and of not in places}
            places |= {of: _LAST for of in parts if parts[of] in _said(name) and its.tells(FIELDS[of].looks) > _TELLS}
            for of in places.keys() - IDENTIFYING:
                timed = of == "exam_date" and "exam_time" in wanted and its.fits(FIELDS["exam_time"].looks) > _SURELY
                fits = its.degree(FIELDS[of].looks) if places[of] < _LAST else 1
                if fits or known:
                    order = (FIELDS[of].aside, -fits, places[of], not known, column)
                    found.append(_Candidate("exam_time" if timed else of, column, its, order))
        return sorted(found, key=lambda one: one.order)

    def identifying(self, positions: Mapping[str, int], wanted: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Every column of the fields IDENTIFYING: those mapped, and those that no field uses and whose name says so.

        Of a column that is called "patient" beside that of their numbers, the values tell that it holds names; one
        whose values are nothing of the kind, such as the dates of transcriptions, is none.
        """
        found: dict[str, list[int]] = {of: [positions[of]] for of in IDENTIFYING if of in positions}
        for column, name in enumerate(self.names):
            of = _identifying(name, loosely=self.loosely) if column not in positions.values() else ""
            if of == "identifiers" and self.values(column).tells(NAME) > FITS:
                of = "patient_name"
            if of in wanted and not self.values(column).strange(FIELDS[of].looks):
                found.setdefault(of, []).append(column)
        given = {*map(simplified, GIVEN)}
        found.get("patient_name", []).sort(key=lambda column: simplified(self.names[column]) not in given)
        return {of: tuple(columns) for of, columns in found.items()}

    def left_over(
        self, free: Sequence[int], taken: Mapping[str, int], wanted: Sequence[str]
    ) -> dict[str, tuple[str, ...]]:
        """The ``free`` columns by the wanted fields that their values tell, and that no column taken holds.

        Of a field that a part of a name is enough for, any other column with such values is left over.
        """
        found: dict[str, tuple[str, ...]] = {}
        for column in free:
            name, kept = self.names[column], list[str]()
            for of in wanted:
                field = FIELDS[of]
                if not self._is_told(of, column, taken) or (_says_otherwise(name) and not field.looks.alone):
                    continue
                spared = any(other in taken or other in kept for other in field.spared_by)
                needs = {FIELDS[other].need for other in kept} - {""}  # which come first, one of a group
                more = not needs or (field.need and field.need not in needs)
                if not spared and not (kept and field.identifying) and more:
                    kept.append(of)
                    found[of] = (*found.get(of, ()), name)
        return found

    def _is_told(self, of: str, column: int, taken: Mapping[str, int]) -> bool:
        """Whether a column tells a field, and better than the one taken does, or may be another of the kind."""
        its, looks = self.values(column), FIELDS[of].looks
        tells = its.tells(looks)
        if tells <= FITS or of not in taken:
            return tells > FITS
        other = self.values(taken[of])
        held = other.tells(looks) if looks.alone else other.fits(looks)
        return held < tells - _LESS or (bool(FIELDS[of].part) and its != other)


def _identifying(name: str, *, loosely: bool) -> str:
    """The field of IDENTIFYING that a column holds by its name, '' for none.

    A name that says nothing but what names of such columns say, and something that no name of another field says, is
    one of them: "PAT_HOME_PHONE_NUMBER".
    """
    named = fields_of(name, loosely=loosely)
    if of_people := min((of for of in named if of in IDENTIFYING), key=lambda of: named[of], default=""):
        return of_people
    if is_known(name):
        return next((FIELDS[of].left_over for of in named if of in FIELDS and FIELDS[of].left_over), "")
    if named or not loosely:
        return ""
    theirs, telling = _parts_of_people()
    said = next((w for w in parts_of(name) if w & telling and w <= frozenset().union(*theirs.values())), None)
    return max(theirs, key=lambda of: (len(said & theirs[of] & telling), len(said & theirs[of]))) if said else ""


@cache
def _parts_of_people() -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """What the names of each field of IDENTIFYING consist of, and the parts that no other field knows."""
    parts = {field: frozenset[str]().union(*map(_said, all_names(field))) for field in FIELDS}
    theirs = {field: parts.pop(field) for field in IDENTIFYING}
    return theirs, frozenset[str]().union(*theirs.values()).difference(*parts.values())


def _said(name: str) -> frozenset[str]:
    return frozenset[str]().union(*parts_of(name))


def _says_otherwise(name: str, of: str = "") -> bool:
    """Whether a name says that a column holds something else than a field, such as who referred a patient."""
    named = fields_of(name)
    others = named.keys() - {of} if of else named.keys() & {NONE, LATE, *IDENTIFYING}
    return (bool(others) and of not in named) or bool(_said(name) & _ASKED)


def _mapped(names: Sequence[str], mapping: Mapping[str, str], wanted: Sequence[str]) -> dict[str, int]:
    """The columns that are mapped to the wanted fields: those called so, or else those alike."""
    keys = [simplified(name) for name in names]
    found: dict[str, int] = {}
    for of, column in mapping.items():
        key = simplified(column)
        if of in wanted and (column.strip() in names or (key and key in keys)):
            found[of] = names.index(column.strip()) if column.strip() in names else keys.index(key)
    return found


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
                table, others = _with_alike(table, row, further)
                lost = [t for t, at in others if not _missing(layout_of(t, at, mapping, wanted), need)]
                notes = [Text(_OTHER_COLUMNS, file=file, sheet=t.sheet) for t in lost]
                return (replace(table, notes=[*table.notes, *notes]) if notes else table), row, layout
            found.append((known, table, row, layout))
    if not found:
        raise InputError("{file} is empty. Export the reports again.", file=file)
    _, table, row, layout = max(found, key=lambda one: one[0])
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
        if column is not None and fields_of(names[column]).keys() & {*group}:
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
        examples=", ".join(dict.fromkeys(n for f in group for n in all_names(f)[: 6 // len(group)])),
        columns_there=_columns_there(header),
        group2=group[0],
    )


def _with_alike(
    table: Table, header: int, others: Sequence[tuple[Table, int]]
) -> tuple[Table, list[tuple[Table, int]]]:
    """A sheet with the rows of those that have the same column names, in whatever order; and the others.

    Their rows keep their own numbers, under the name of the file with the number of the sheet: "Book.xlsx [2]".

    header, others: the row of column names, and the other sheets with theirs
    """
    names = _simplified_names(table, header)
    rows, lines, files = list(table.rows), list(table.lines), [table.file] * len(table.rows)
    unlike: list[tuple[Table, int]] = []
    for other, at in others:
        theirs = _simplified_names(other, at)
        if theirs != names and (sorted(theirs) != sorted(names) or len(set(names)) < len(names)):
            unlike.append((other, at))
            continue
        places = range(len(names)) if theirs == names else [theirs.index(name) for name in names]
        for row, line in zip(other.rows[at + 1 :], other.lines[at + 1 :], strict=True):
            cells: list[Cell] = [*row, *[""] * (len(names) - len(row))]
            rows.append([*(cells[place] for place in places), *cells[len(names) :]])
            lines.append(line)
            files.append(f"{other.file} [{other.sheet}]")
    return (replace(table, rows=rows, lines=lines, files=files) if len(rows) > len(table.rows) else table), unlike


def _simplified_names(table: Table, header: int) -> list[str]:
    row = table.rows[header]
    return [simplified(cell_text(cell)) for cell in row[: name_count(row)]]


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
    named = {of for name in names for of in fields_of(name) if of in wanted and of not in IDENTIFYING}
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
_LEFT = Text("{file}: column {column} is used for nothing, but its values look like {fields}. Say so if it is that.")


def is_question(note: str) -> bool:
    """Whether a note of :func:`doubts` is on fields of Layout.asked."""
    return isinstance(note, Text) and note.template in {of.template for of in (_UNDECIDED, _LEFT)}


def doubts(table: Table, header: int, layout: Layout, wanted: Sequence[str]) -> list[Text]:
    """A note on each column that was taken for a field though none of its values looks like what that holds.

    The note names the column that would fit better, by name and values, and what the values look like.  A field for
    which other columns are as likely has a note, too, and so has a column that is used for nothing though
    its values tell a field that no other column holds.
    """
    if table.headed:
        return []
    names, file = [cell_text(cell) for cell in table.rows[header]], table.file
    meaning = {of: FIELDS[of].meaning for of in layout.asked}
    notes = [
        _UNDECIDED.with_values(file=file, columns=shown_columns(names, alike), field=meaning[of])
        for of, alike in layout.undecided.items()
    ]
    for left in dict.fromkeys(column for columns in layout.left_over.values() for column in columns):
        fields = either([meaning[of] for of, columns in layout.left_over.items() if left in columns])
        notes.append(_LEFT.with_values(file=file, column=shown_columns(names, (left,)), fields=fields))
    return [*notes, *misfits(table, header, layout, wanted, layout.positions)]


def misfits(table: Table, header: int, layout: Layout, wanted: Sequence[str], fields: Iterable[str]) -> list[Text]:
    """The notes of :func:`doubts` on the columns taken for ``fields`` whose values do not fit."""
    if table.headed:
        return []
    width = len(table.rows[header])
    below = [row for row in table.rows[header + 1 : header + 1 + 3 * SAMPLE] if len(row) >= width]
    doubted = _Doubted(_Columns(table.rows[header], below), layout.positions, wanted)
    return [note for of in fields if of in layout and (note := doubted.misfit(table.file, of))]


@dataclass(frozen=True)
class _Doubted:
    """The columns of a table, and what they were taken for."""

    columns: _Columns
    positions: Mapping[str, int]
    wanted: Sequence[str]

    def misfit(self, file: str, of: str) -> Text:
        """What is wrong with the values of the column taken for a field, and which one may be meant; else empty."""
        column, field = self.positions[of], FIELDS[of]
        its, name = self.columns.values(column), self.columns.names[column]
        # Names of exams are of any kind, unless others fit better.
        doubtful = its.strange(EXAM, 0.4) if field.looks is EXAM else its.strange(field.looks)
        numbers = field.looks is PERSON and self._numbers(column)
        likes = [f for f in self.wanted if f != of and (doubtful or numbers) and its.tells(FIELDS[f].looks) > FITS]
        if doubtful and (likes or its.strange(field.looks)):
            wrong = Text("{file}: column {column} was taken for {field}, but none of its values looks like it.")
        elif numbers:
            wrong = Text(
                "{file}: column {column} was taken for {field}, but its values are numbers, another one for each "
                "report or patient."
            )
        else:
            return EMPTY
        note = wrong.with_values(file=file, column=_shown(self.columns.names, column), field=field.meaning)
        if likes:
            other = max(likes, key=lambda f: (f in fields_of(name), its.fits(FIELDS[f].looks)))
            note = joined([note, Text("They look like {other}.", other=FIELDS[other].meaning)])
        meant = next((c for f in (of, field.told_by) if f and (c := self._better(f, column)) is not None), None)
        if meant is not None:
            note = joined([note, Text("Did you mean column {named}?", named=_shown(self.columns.names, meant))])
        return note

    def _numbers(self, column: int) -> bool:
        """Whether a column of numbers has one for each report or patient, as those of orders, and not of people."""
        its = self.columns.values(column)
        if its.fits(ID_OF_PATIENT) < FITS or its.fits(PERSON) > FITS:
            return False
        keys = [c for f in ("accession", "patient_id") if (c := self.positions.get(f, column)) != column]
        for key in keys:
            rows = self.columns.rows
            cells = {(cell_text(row[key]), cell_text(row[column])) for row in rows if cell_text(row[column])}
            if FEW <= len(cells) == len({k for k, _ in cells}) == len({v for _, v in cells}):
                return True
        return False

    def _better(self, of: str, doubted: int) -> int | None:
        """The column that would fit a field, by name and values, unless it is used for what its name says."""
        used = {column: f for f, column in self.positions.items()}
        looks, found = FIELDS[of].looks, []
        for column, name in enumerate(self.columns.names):
            its, named, use = self.columns.values(column), fields_of(name), used.get(column, of)
            own = use != of and use in named and not its.strange(FIELDS[use].looks)
            told = its.fits(looks) > 0.5 if of in named else its.tells(looks) > FITS
            if column != doubted and not own and told and not _says_otherwise(name, of):
                found.append((of in named, its.fits(looks), -column))
        return -max(found)[2] if found else None


def _shown(names: Sequence[str], column: int) -> str:
    """A column as messages may show it: by its name if that holds column words only, else by its position."""
    name = names[column]
    return f"'{name}'" if is_column_name(name, quotable([name])) else str(column + 1)


def shown_columns(header: Sequence[Cell], chosen: Sequence[str]) -> str:
    """Column names that may be quoted, and the positions of the others."""
    names = [cell_text(cell) for cell in header]
    return ", ".join(_shown(names, names.index(name)) for name in chosen)


def _missing(layout: Layout, need: Need) -> list[tuple[str, ...]]:
    return [group for group in need if not any(field in layout for field in group)]


def _columns_there(header: Sequence[Cell]) -> str:
    """A sentence that lists the column names, with the position in place of a name that might be patient data."""
    names = [cell_text(cell) for cell in header]
    if shown := column_list(names, quotable(names)):
        return Text("Its columns are: {shown}.", shown=shown)
    if any(len(name) > 60 or "\n" in name for name in names):
        return Text("Its first row looks like data and not like column names.")
    return NO_COLUMN_NAMES
