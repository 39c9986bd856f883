"""A report as it stood before the CT.

The CT is the patient's first chest CT at or after the X-ray, whether or not the two make a pair, and its moment is that
of its examination: whoever writes later may have seen its images.  (The time of the CT report, where a source has it,
is mostly that of its signature, hours after somebody first looked at the CT, so that it would let through what it
should keep apart.)  What is not shown to be from before that moment is kept apart:

- an addendum, a correction or a further version with a time that is not before the CT;
- one without a time that names the CT, and an addendum without a time that follows on another text kept apart;
- any text that speaks of a CT made after the X-ray, whatever its time, with the versions after it that have none: of
  its sentences nobody can say which were dictated before the CT was seen.

Of the versions left the last counts, with the addenda left.  If only the preliminary one is left, because the report
was signed after the CT, that one counts.  If no version is left, the first counts unless its own words show
that it is from after the CT or the settings say otherwise, because many exports have one version and nothing but the
time of its signature.  A correction or an addendum whose
report is missing does not count when it is kept apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from radcal.reports.later_texts import unpacked
from radcal.reports.named_ct import NamedCt
from radcal.reports.records import Piece, Standing, Use
from radcal.reports.times import shown_by
from radcal.reports.versions import joined_text

_RISING = ("preliminary", "addendum", "", "final", "corrected")
"""Versions, the last to count first; "addendum" is a report repeated in the row of an addendum."""
WHOLE_TEXT = 2**31
"""The end of a piece that is the whole text of a row."""
NEVER = -(2**63)
"""The time of a row that has none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a report.

    reported: nanoseconds since 1970, NEVER if unknown;  names_ct: see radcal.reports.named_ct, -1 if this was not asked
    text: equal for rows of equal text, whatever it is
    """

    status: str
    corrected: bool
    addendum: int
    reported: int
    names_ct: int
    parts: str
    dictator: str
    signer: str | None
    text: object = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The standing of a report, and the radiologists and status behind what counts.

    approved: signed by somebody, then or later
    signed_after: its first or only version, which counts or not as the settings say, was signed after the CT
    nothing_before: all that there is was written after the CT, and does not count
    addenda_apart: addenda within the text of a row that were written after the CT
    """

    standing: Standing
    dictator: str
    signer: str | None
    status: str
    approved: bool
    signed_after: bool = False
    nothing_before: bool = False
    addenda_apart: int = 0


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece with what is known of it.  sure: ``time`` is its own, not only a bound, as that of the whole row is"""

    piece: Piece
    row: int
    addendum: bool
    kind: str
    time: int | None
    sure: bool
    names_ct: int
    order: tuple[int, int, int]


def standing(rows: Sequence[Row], moment: int | None) -> Outcome:
    """The report as it stood before ``moment`` (ns since 1970), as it stands now without one.

    Args:
        rows: in the order in which they were read
        moment: of the patient's first CT at or after the X-ray, None without one
    """
    parts = [part for i, row in enumerate(rows) for part in _parts(i, row)]
    parts = [_as_first_written(part, parts, rows) for part in parts]
    bases = sorted((p for p in parts if not p.addendum), key=lambda p: p.order)
    addenda = sorted((p for p in parts if p.addendum), key=lambda p: p.order)
    if not bases:
        bases, addenda = addenda[:1], addenda[1:]
    plain = [p for p in bases if not p.addendum and p.kind != "corrected"]
    late: set[int] = set()
    shown = False
    for part in bases:
        if moment is None:
            break
        shown |= part.names_ct == NamedCt.LATER
        if _is_late(part, moment, first=bool(plain) and part is plain[0]) or (shown and not part.sure):
            late.add(id(part))
    left = [p for p in bases if id(p) not in late]
    base = left[-1] if left else plain[0] if plain and plain[0].names_ct != NamedCt.LATER else None
    signed_after = not left and base is not None and base.sure
    hidden = signed_after or any(id(p) in late and p is not base for p in bases)
    counted: list[_Part] = []
    for part in addenda:
        if moment is not None and (_is_late(part, moment) or (hidden and part.time is None) or base is None):
            late.add(id(part))
            hidden = True
        elif not signed_after:
            counted.append(part)
        else:
            late.add(id(part))
    if base is not None:
        late.discard(id(base))

    def use(part: _Part) -> Use:
        if part is base or part in counted:
            return Use.COUNTED
        return Use.AFTER_CT if id(part) in late else Use.SUPERSEDED

    used = {id(p): replace(p.piece, use=use(p)) for p in parts}
    found = Standing(
        pieces=tuple(used[id(p)] for p in parts),
        base=None if base is None else used[id(base)],
        addenda=tuple(used[id(p)] for p in counted),
        whole=not late,
    )
    chosen = base or bases[-1]
    status = "addendum" if counted else "final" if chosen.kind == "corrected" else chosen.kind
    dictator, signer = _people(rows, chosen, bases)
    approved = any(p.kind != "preliminary" for p in bases)
    within = sum(id(p) in late and p.addendum and p.piece.end != WHOLE_TEXT for p in parts)
    return Outcome(found, dictator, signer, status, approved, signed_after, base is None, within)


def text_of_standing(standing: Standing, texts: Sequence[str]) -> str:
    """The text of what counts, from the texts of the report's rows in order; '' if nothing does."""
    if standing.base is None:
        return ""

    def text_of(piece: Piece) -> str:
        return texts[piece.position][piece.start : piece.end].strip()

    base = made = text_of(standing.base)
    for addendum in standing.addenda:
        made = joined_text(base, made, text_of(addendum))
    return made


def _parts(position: int, row: Row) -> list[_Part]:
    """The report and the addenda of a row."""
    reported = None if row.reported == NEVER else shown_by(row.reported)
    kind = "corrected" if row.corrected else row.status
    inner = unpacked(row.parts)
    if not inner:
        piece = Piece(position, 0, WHOLE_TEXT, Use.SUPERSEDED)
        added = row.status == "addendum"
        return [_made(piece, position, row, kind, reported, addendum=added, named=row.names_ct)]
    made = []
    own = [part.time for part in inner if part.addendum and part.time is not None]
    # An addendum dated after the row shows that the row's time is that of the report itself.
    whole = reported is not None and bool(own) and min(own) > reported
    for part in inner:
        piece = Piece(position, part.start, part.end, Use.SUPERSEDED)
        time = part.time if part.time is not None else reported
        sure = part.time is not None or (whole and not part.addendum)
        made.append(_made(piece, position, row, kind, time, addendum=part.addendum, named=part.names_ct, sure=sure))
    return made


def _made(
    piece: Piece,
    position: int,
    row: Row,
    kind: str,
    time: int | None,
    *,
    addendum: bool,
    named: int,
    sure: bool = True,
) -> _Part:
    if addendum:
        order = (row.addendum, NEVER if time is None else time, piece.position * 10**6 + piece.start)
    else:
        order = (_RISING.index(kind) if kind in _RISING else 1, row.reported, position)
    return _Part(piece, position, addendum, kind, time, sure and time is not None, named, order)


def _as_first_written(part: _Part, parts: Sequence[_Part], rows: Sequence[Row]) -> _Part:
    """The part with the time at which its text first stood: a final version may repeat the preliminary word by word."""
    text, span = rows[part.row].text, (part.piece.start, part.piece.end)
    same = [
        p
        for p in parts
        if p.time is not None and p.row != part.row and text is not None and rows[p.row].text == text
        if (p.piece.start, p.piece.end) == span and (part.time is None or p.time < part.time)
    ]
    first = min(same, key=lambda p: p.time or 0, default=part)
    return replace(part, time=first.time, sure=first.sure)


def _is_late(part: _Part, moment: int, *, first: bool = False) -> bool:
    """Whether a text is not shown to be from before the CT; of ``first`` a CT tells only if it is called later."""
    if part.names_ct == NamedCt.LATER or (part.time is not None and part.time >= moment):
        return True
    return part.names_ct == NamedCt.MADE and not part.sure and not first


def _people(rows: Sequence[Row], chosen: _Part, bases: Sequence[_Part]) -> tuple[str, str | None]:
    """Who dictated and who signed what counts.

    Rows of the same text count together.  A later version may name only its signer, and a preliminary one only who
    dictated: then the others tell, for the dictator the last before it, for the signer the first after it.  Whom a
    preliminary one names alone, as its signer or its interpreter, has not signed what another has signed later.
    """
    own = rows[chosen.row]
    same = [row for row in rows if row is own or (own.text is not None and row.text == own.text)]
    place = next((i for i, p in enumerate(bases) if p is chosen), 0)
    before, after = [rows[p.row] for p in bases[:place]], [rows[p.row] for p in bases[place + 1 :]]
    signers = [row.signer for row in (own, *same, *after) if row.signer]
    dictator = next((row.dictator for row in (own, *same, *reversed(before), *after) if row.dictator), "")
    if own.status == "preliminary" and own.signer and not own.dictator:
        later = [signer for signer in signers if signer != own.signer]
        signers, dictator = (later, own.signer) if later else (signers, dictator)
    return dictator, signers[0] if signers else own.signer
