"""Opens departments: an existing workspace, a new one, or the built-in sample."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from radcal.errors import InputError
from radcal.files import is_abandoned
from radcal.progress import SILENT, Progress
from radcal.resources import resource
from radcal.settings import Settings
from radcal.workflow.chain import run_chain
from radcal.workflow.checking import check_passphrase, check_settings
from radcal.workflow.context import Context
from radcal.workflow.department import Department, Results
from radcal.workflow.imports.importing import as_files

_SAMPLE_FOLDER, _SAMPLE = "radcal-sample-", "sample.radcal"


def open_workspace(path: Path, passphrase: str, *, read_only: bool = False) -> Results:
    """Open a workspace: a Department, or the Results of a personal file, which is always read-only.

    Args:
        read_only: change nothing; possible while another RadCal has it open.

    Raises:
        InputError: wrong passphrase, in use, newer, damaged or missing; the message says what to do.
    """
    from radcal.workspace import Workspace

    # Even a personal file is first opened for writing, so that one of an older RadCal is migrated.
    workspace = Workspace.open(path, passphrase, read_only=read_only)
    personal = Context(workspace).personal
    if not personal:
        return Department(workspace, path.stem)
    if not read_only:
        workspace.close()
        workspace = Workspace.open(path, passphrase, read_only=True)
    return Results(workspace, personal)


def file_identity(path: Path) -> str:
    """What a workspace's file and its backups have in common; the file is not open in this process.

    Raises:
        InputError: it is not there, or cannot be read.
    """
    from radcal.workspace import Workspace

    return Workspace.identity_of(path)


def department_of(results: Results) -> Department:
    """The open workspace as a department.

    Raises:
        InputError: it is a personal file.
    """
    if isinstance(results, Department):
        return results
    raise InputError(
        "This is a personal file: it holds the results of {author} and nothing else, and cannot be "
        "changed. Open the department's workspace for that.",
        author=results.personal,
    )


def open_department(
    path: Path,
    passphrase: str,
    *,
    create: bool = False,
    read_only: bool = False,
    settings: Settings | None = None,
    pseudonym_seed: int | None = None,
) -> Department:
    """Open a department's workspace, or create one.

    Args:
        passphrase: of the workspace; a new one must not be easy to guess.
        create: create the file, which must not exist.
        read_only: as in :func:`open_workspace`.
        settings: of a new workspace; the defaults if None.
        pseudonym_seed: of a new workspace; None for a secret one, which real authors need.

    Raises:
        InputError: as :func:`open_workspace`; or the file exists already or is a personal file, or the settings of a
            new workspace refer to unknown words, pathologies or models.
    """
    from radcal.lexicon.phrases import load_lexicon
    from radcal.workspace import Workspace

    if create:
        if settings is not None:
            check_settings(settings, load_lexicon().phrases)
        check_passphrase(passphrase, path.stem)
        return Department(Workspace.create(path, passphrase, settings, pseudonym_seed=pseudonym_seed), path.stem)
    results = open_workspace(path, passphrase, read_only=read_only)
    try:
        return department_of(results)
    except InputError:
        results.close()
        raise


def open_for_exports(path: Path, passphrase: str) -> Results:
    """Open a workspace for exports: for writing, so that its audit log records them, or else read-only.

    Read-only if it is open elsewhere or may not be changed.

    Raises:
        InputError: as :func:`open_workspace`.
    """
    from radcal.workspace.errors import NoAccess, WorkspaceInUse

    try:
        return open_workspace(path, passphrase)
    except (NoAccess, WorkspaceInUse):
        return open_workspace(path, passphrase, read_only=True)


def sample_department(progress: Progress = SILENT) -> Department:
    """The shipped sample, imported and analysed, in an encrypted file that is deleted on closing."""
    from radcal.workspace import Workspace

    _remove_abandoned_samples()
    folder = Path(tempfile.mkdtemp(prefix=_SAMPLE_FOLDER))

    def remove() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    try:
        workspace = Workspace.create(folder / _SAMPLE, secrets.token_urlsafe(16))
    except BaseException:
        remove()
        raise
    department = Department(workspace, "Sample department", remove)
    try:
        sample = resource("sample")
        run_chain(department, as_files(xray=[sample / "xray.csv"], ct=[sample / "ct.csv"]), progress)
    except BaseException:
        department.close()
        raise
    return department


def _remove_abandoned_samples() -> None:
    """Remove the samples of programs that were killed before closing them."""
    from radcal.workspace import is_in_use

    for folder in Path(tempfile.gettempdir()).glob(f"{_SAMPLE_FOLDER}*"):
        sample = folder / _SAMPLE
        with suppress(OSError):
            # A folder without its file may be under construction.
            over = not is_in_use(sample) if sample.is_file() else is_abandoned(folder)
            if over and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)
