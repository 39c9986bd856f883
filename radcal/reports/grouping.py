"""Many files in one import: in groups that fit into memory, each of which is imported wholly or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pandas as pd

from radcal.reports.records import Import
from radcal.system import inputs

GROUP_BYTES = 128 << 20
"""Size on disk of the files of a group; of a file that is larger, it is the only one."""
Item = TypeVar("Item")


def in_groups(files: Sequence[Item], path: Callable[[Item], Path], first: Callable[[Item], bool]) -> list[list[Item]]:
    """The files in groups of at most GROUP_BYTES, in their order; several begin with those that are ``first``.

    Raises:
        InputError: a file is missing or cannot be looked at.
    """
    sizes = [size_of(path(file)) for file in files]
    order = list(range(len(files)))
    if sum(sizes) > GROUP_BYTES:
        order.sort(key=lambda i: not first(files[i]))
    groups: list[list[Item]] = []
    size = 0
    for i in order:
        if groups and size + sizes[i] <= GROUP_BYTES:
            groups[-1].append(files[i])
            size += sizes[i]
        else:
            groups.append([files[i]])
            size = sizes[i]
    return groups


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder.

    Raises:
        InputError: it is missing or cannot be looked at.
    """
    try:
        return sum(inputs.size_of(file) for file in inputs.files_of(path))
    except OSError as error:
        raise inputs.refusal(error, path) from error


def together(imports: Sequence[Import]) -> Import:
    """What is told of several groups, in the order in which they were imported."""
    from radcal.reports.readers import merged_names

    if len(imports) == 1:
        return imports[0]
    return Import(
        reports=imports[0].reports,
        rejected=pd.concat([i.rejected for i in imports], ignore_index=True),
        rows_read=sum(i.rows_read for i in imports),
        mapping=merged_names([i.mapping for i in imports]),
        attrition=imports[-1].attrition,
        notes=tuple(dict.fromkeys(note for i in imports for note in i.notes)),
        units={file: unit for i in imports for file, unit in i.units.items()},
    )
