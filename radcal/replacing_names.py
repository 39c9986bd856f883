"""Names that are in a workspace, moved into a names key and replaced by pseudonyms."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.reports.naming import cells_under_pseudonyms
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.workspace.context import Context
from radcal.workspace.schedule import Copies


def replace_names(
    context: Context, stored: StoredAnalysis, copies: Copies, file: Path, progress: Progress = SILENT
) -> int:
    """Replace the names of radiologists by pseudonyms, all or none, after a backup.

    What was measured stays as it is.  Texts of reports, and backups made before, keep the names that stand in them.

    Args:
        file: the names key to be made.

    Returns:
        The number of people.

    Raises:
        InputError: the workspace keeps names apart already or is open for reading only, there is no room for a backup,
            or the file exists or cannot be written; nothing was changed.
        Cancelled: by ``progress``, before anything was changed.
    """
    from radcal.reports.authors import people

    workspace, names = context.workspace, context.names
    name = context.path.name
    if names.kept_apart:
        raise InputError("{name} has only pseudonyms already; the names are in {file}.", name=name, file=names.file)
    if workspace.read_only:
        raise InputError("{name} is open for reading only. Open it for writing to replace names.", name=name)
    copies.back_up(progress)
    progress.raise_if_cancelled()
    cells = workspace.cells_of_people()
    authors = set(workspace.reports(["author"])["author"]) - {""}
    with suppress(DataError):  # there may be no analysis yet
        authors |= set(stored.authors())
    everyone = authors.union(*(people(cell) for cell in cells))
    try:
        with workspace.transaction():
            names.make(file)
            pseudonyms = names.pseudonyms_of(everyone)
            workspace.rename_people(pseudonyms, cells_under_pseudonyms(cells, pseudonyms))
            workspace.log("names replaced by pseudonyms", radiologists=len(everyone))
    except BaseException:
        names.unmake()
        raise
    return len(everyone)
