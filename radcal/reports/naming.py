"""Pseudonyms in place of the radiologists' names, before anything of an import is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.workspace.names import Names

if TYPE_CHECKING:
    import pandas as pd

    from radcal.reports.records import Import

_NOBODY = ";"
"""A cell that is filled and names nobody, such as 'Dr.': it is still no empty cell."""
_COLUMNS = ("author", "dictator", "signer")


def under_pseudonyms(names: Names, read: Sequence[Import]) -> list[Import]:
    """What was read, with a pseudonym for each radiologist where the workspace keeps names apart.

    Who is one person is what :mod:`radcal.reports.authors` says of the cells, as in a workspace with names.
    New people have their pseudonyms in the names key when this returns.

    Raises:
        InputError: the names key is not at hand, or cannot be written.
    """
    from radcal.reports.authors import one_spelling, people

    if not (names.kept_apart and read):
        return list(read)
    frames = [frame for imported in read for frame in (imported.reports, imported.versions) if frame is not None]
    cells = {cell for frame in frames for name in _COLUMNS for cell in frame[name].dropna().tolist()}
    everyone, known = {person for cell in cells for person in people(cell)}, set(names.required().values())
    spelled = one_spelling(everyone | known, known)
    pseudonyms = names.pseudonyms_of(spelled[person] for person in everyone)
    written = cells_under_pseudonyms(cells, {person: pseudonyms[spelled[person]] for person in everyone})
    return [
        replace(
            imported,
            reports=_replaced(imported.reports, written),
            versions=None if imported.versions is None else _replaced(imported.versions, written),
        )
        for imported in read
    ]


def cells_under_pseudonyms(cells: Iterable[str], pseudonyms: Mapping[str, str]) -> dict[str, str]:
    """Cells of a source as they are stored, by what they are: 'SMITH, JANE MD / Doe, John' as 'Avery; Blair'."""
    from radcal.reports.authors import people

    return {
        cell: "; ".join(pseudonyms[person] for person in people(cell)) or (_NOBODY if cell else "") for cell in cells
    }


def _replaced(frame: pd.DataFrame, written: Mapping[str, str]) -> pd.DataFrame:
    """The frame with other cells; missing ones stay missing."""
    return frame.assign(
        **{name: frame[name].map(written, na_action="ignore").astype(frame[name].dtype) for name in _COLUMNS}
    )
