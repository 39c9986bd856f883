"""The columns of a file by field: known by their names, checked by their values, or mapped by the user.

What no name tells is asked: of a column that is used for nothing though its values look like a field, and of columns
that are as likely as each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cache

from radcal.errors import InputError
from radcal.ingest.column_names import (
    LATE,
    LONGEST_NAME,
    NONE,
    all_names,
    fields_of,
    is_foreign,
    is_known,
    known_names,
    parts_of,
    simplified,
)
from radcal.ingest.column_values import EXAM, FEW, ID_OF_PATIENT, NAME, PERSON, SAMPLE, Looks, Values
from radcal.ingest.delimited import best_header
from radcal.ingest.fields import FIELDS, GIVEN, IDENTIFYING, Need
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


_FITS = 0.8
"""How well the values of a column fit what it may be."""
_FITS_A_LITTLE = 0.3
"""How well they fit at least where its name is only like a known one."""
_LESS = 0.4
"""What values tell less than others that are taken in their place."""
_TELLS = 0.45
"""How surely they tell where a part of the column's name does, too: such as codes of one letter."""
_RIVALS_TELL = 0.6
"""What the values of a rival tell, as a share of what those of the column taken do."""
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

    Columns in ``mapping`` are assigned first, then those whose names are known for a field, or say the same: those whose
    values fit before others, then the most specific names.  Each column is used for one field only.
    """
    names = [cell_text(cell) for cell in header]
    positions = _mapped(names, mapping, wanted)
    candidates = _candidates(names, rows, [of for of in wanted if of not in positions], {*positions.values()})
    undecided: dict[str, tuple[str, ...]] = {}
    for one in candidates:
        if one.field in positions or one.field in undecided or one.column in positions.values():
            continue
        alike = [
            other
            for other in candidates
            if other.order[:-1] == one.order[:-1] and other.field == one.field
            and other.column not in (one.column, *positions.values()) and other.values != one.values
        ]  # fmt: skip
        if alike and not one.known:
            undecided[one.field] = tuple(names[other.column] for other in (one, *alike))
        else:
            positions[one.field] = one.column
    if not {"exam_time", "exam_date"} & (positions.keys() | undecided.keys()) and "exam_time" in wanted:
        late = [(fields_of(name, loosely=False).get(LATE, _LAST), column) for column, name in enumerate(names)]
        found = min((one for one in late if one[1] not in positions.values()), default=(_LAST, 0))
        if found[0] < _LAST:
            positions["exam_time"] = found[1]
    identifying = _identifying_columns(names, rows, positions, wanted)
    ordered = {of: positions[of] for of in wanted if of in positions}
    rivals = {of: near for of in ordered if (near := _rivals(of, ordered, candidates, names))}
    used = {*ordered.values(), *(column for columns in identifying.values() for column in columns)}
    doubted = {name for alike in (*undecided.values(), *rivals.values()) for name in alike}
    free = [column for column, name in enumerate(names) if column not in used and name and name not in doubted]
    return Layout(
        positions=ordered,
        names={of: names[column] for of, column in ordered.items()},
        day_first=any(is_foreign(names[column]) for column in ordered.values()),
        undecided=undecided,
        rivals=rivals,
        left_over=_left_over(names, rows, free, ordered, [of for of in wanted if of not in (*undecided, *mapping)]),
        identifying=identifying,
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A column that may hold a field.

    order: what the choice goes by, least first: fields that are aside, values that fit less, less specific names,
        names that are not in the table, and columns further to the right come behind
    known: its name is in the table
    """

    field: str
    column: int
    values: Values
    known: bool
    order: tuple[bool, int, int, bool, int]


def _candidates(
    names: Sequence[str], rows: Sequence[Sequence[Cell]], wanted: Sequence[str], used: Collection[int]
) -> list[_Candidate]:
    """The columns that may hold the wanted fields, in the order of choice.

    A name of the table stands for its field whatever the values, unless another column does so better; one that says
    the same needs values that fit at least a little.
    """
    found: list[_Candidate] = []
    loosely = len(names) <= _MOST_NAMES
    for column, name in enumerate(names):
        if column in used:
            continue
        named = fields_of(name, loosely=loosely)
        known = is_known(name)
        its = _values_of(rows, column)
        places = {} if NONE in named else {of: place for of, place in named.items() if of in wanted}
        for of in wanted:
            part = FIELDS[of].part
            if part and of not in places and part in _said(name) and its.tells(FIELDS[of].looks) > _TELLS:
                places[of] = _LAST
        for of, place in places.items():
            field, looks = of, FIELDS[of].looks
            if of in IDENTIFYING:
                continue
            if of == "exam_date" and "exam_time" in wanted and its.fits(FIELDS["exam_time"].looks) > 0.95:
                field = "exam_time"  # dates with a time of day
            fits = _degree(its, looks) if place < _LAST else 1
            if fits or known:
                order = (FIELDS[of].aside, -fits, place, not known, column)
                found.append(_Candidate(field, column, its, known, order))
    return sorted(found, key=lambda one: one.order)


def _degree(its: Values, looks: Looks) -> int:
    """How values fit a field: 2 well, 1 a little or nobody knows, 0 not."""
    fits = its.fits(looks)
    if len(its.cells) < FEW:
        return 1
    return 0 if fits < _FITS_A_LITTLE else 1 if fits < _FITS or its.contradict(looks) else 2


def _rivals(
    of: str, taken: Mapping[str, int], candidates: Sequence[_Candidate], names: Sequence[str]
) -> tuple[str, ...]:
    """The columns used for nothing that may hold a field as well as the one taken, and hold other values."""
    mine = next((one for one in candidates if (one.field, one.column) == (of, taken[of])), None)
    if mine is None or mine.known:
        return ()
    tells = _RIVALS_TELL * mine.values.tells(FIELDS[of].looks)
    return tuple(
        names[one.column]
        for one in candidates
        if one.field == of and one.column not in taken.values() and one.order[:2] == mine.order[:2]
        and one.values.cells and one.values != mine.values and one.values.tells(FIELDS[of].looks) >= tells
    )  # fmt: skip


def _identifying(name: str, *, loosely: bool = True) -> str:
    """The field of IDENTIFYING that a column holds by its name, '' for none.

    A name that says nothing but what names of such columns say, and something that no name of another field says, is
    one of them: "PAT_HOME_PHONE_NUMBER".
    """
    named = fields_of(name, loosely=loosely)
    if of_people := min((of for of in named if of in IDENTIFYING), key=lambda of: named[of], default=""):
        return of_people
    if is_known(name):
        return next((FIELDS[of].left_over for of in named if of in FIELDS and FIELDS[of].left_over), "")
    if named or not loosely or len(name) > LONGEST_NAME:
        return ""
    theirs, telling = _parts_of_people()
    way = next(
        (w for w in parts_of(name) if w & telling and all(any(p in of for of in theirs.values()) for p in w)), None
    )
    if way is None:
        return ""
    return max(theirs, key=lambda of: (len(way & theirs[of] & telling), len(way & theirs[of])))


@cache
def _parts_of_people() -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """What the names of each field of IDENTIFYING consist of, and the parts that no other field knows."""
    parts = {field: frozenset[str]().union(*map(_said, all_names(field))) for field in FIELDS}
    theirs = {field: parts.pop(field) for field in IDENTIFYING}
    return theirs, frozenset[str]().union(*theirs.values()).difference(*parts.values())


def _identifying_columns(
    names: Sequence[str], rows: Sequence[Sequence[Cell]], positions: Mapping[str, int], wanted: Sequence[str]
) -> dict[str, tuple[int, ...]]:
    """Every column of the fields IDENTIFYING: those mapped, and those that no field uses and whose name says so.

    Of a column that is called "patient" beside that of their numbers, the values tell that it holds names; one whose
    values are nothing of the kind, such as the dates of transcriptions, is none.
    """
    used, given = set(positions.values()), {*map(simplified, GIVEN)}
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
            and (FIELDS[of].looks.alone or not _says_otherwise(name))
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


def _values_of(rows: Sequence[Sequence[Cell]], column: int) -> Values:
    return Values([row[column] for row in rows[: 2 * SAMPLE] if column < len(row)])


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
            its, named = self.values[column], fields_of(self.names[column])
            other = max(others, key=lambda f: (f in named, its.fits(FIELDS[f].looks)))
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
            named, use = fields_of(name), used.get(column, of)
            own = use != of and use in named and not its.strange(FIELDS[use].looks)
            told = its.fits(looks) > 0.5 if of in named else its.tells(looks) > _FITS
            if column != doubted and not own and told and not _says_otherwise(name, of):
                found.append((of in named, its.fits(looks), -column))
        return -max(found)[2] if found else None


def _says_otherwise(name: str, of: str = "") -> bool:
    """Whether a name says that a column holds something else than a field, such as who referred a patient."""
    named = fields_of(name)
    others = named.keys() - {of} if of else named.keys() & {NONE, LATE, *IDENTIFYING}
    return (bool(others) and of not in named) or bool(_said(name) & _ASKED)


def _shown(names: Sequence[str], column: int) -> str:
    """A column as messages may show it: by its name if that holds column words only, else by its position."""
    name = names[column]
    return f"'{name}'" if is_column_name(name, known_names()) else str(column + 1)


def shown_columns(header: Sequence[Cell], chosen: Sequence[str]) -> str:
    """Column names that may be quoted, and the positions of the others."""
    names = [cell_text(cell) for cell in header]
    return ", ".join(_shown(names, names.index(name)) for name in chosen)


def _missing(layout: Layout, need: Need) -> list[tuple[str, ...]]:
    return [group for group in need if not any(field in layout for field in group)]


def _examples(group: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(name for field in group for name in all_names(field)[: 6 // len(group)]))


def _columns_there(header: Sequence[Cell]) -> str:
    """A sentence that lists the column names, with the position in place of a name that might be patient data."""
    names = [cell_text(cell) for cell in header]
    if shown := column_list(names, known_names()):
        return Text("Its columns are: {shown}.", shown=shown)
    if any(len(name) > 60 or "\n" in name for name in names):
        return Text("Its first row looks like data and not like column names.")
    return NO_COLUMN_NAMES
