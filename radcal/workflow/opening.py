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
    """Open a workspace: a Department, or the Results of a personal file, for reading only whatever ``read_only`` says.

    Args:
        path: the workspace's file.
        passphrase: opens it; there is no way to read the file without it.
        read_only: look, change nothing; possible while another RadCal has it open.

    Raises:
        InputError: wrong passphrase, in use, newer, damaged or missing; each says what to do.
    """
    from radcal.workspace import Workspace

    # Opened for writing first even where it is a personal file, so that one of an older RadCal is brought up to date.
    workspace = Workspace.open(path, passphrase, read_only=read_only)
    personal = Context(workspace).personal
    if not personal:
        return Department(workspace, path.stem)
    if not read_only:
        workspace.close()
        workspace = Workspace.open(path, passphrase, read_only=True)
    return Results(workspace, personal)


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
    """Open a department's workspace, or make a new one.

    Args:
        path: the workspace's file.
        passphrase: opens it; that of a new file may not be soon guessed.
        create: make the file; it may not exist.
        read_only: as for :func:`open_workspace`.
        settings: of a new workspace; the defaults if None.
        pseudonym_seed: of a new workspace; None for a secret one, as it should be wherever authors are real.

    Raises:
        InputError: as :func:`open_workspace`; or the file exists already, is a personal file, or settings of a new
            workspace name what there is not.
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
    """Open a workspace to write files of it: for writing, so that its audit log takes them, for reading if need be.

    It is opened for reading only where somebody else has it open, and where it may not be changed.

    Raises:
        InputError: as :func:`open_workspace`.
    """
    from radcal.workspace.errors import NoAccess, WorkspaceInUse

    try:
        return open_workspace(path, passphrase)
    except (NoAccess, WorkspaceInUse):
        return open_workspace(path, passphrase, read_only=True)


def sample_department(progress: Progress = SILENT) -> Department:
    """The sample that ships with RadCal, read and analysed, in an encrypted file that goes when it is closed."""
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
    """Remove samples whose program ended without closing them, as when it is killed or the power fails."""
    from radcal.workspace import is_in_use

    for folder in Path(tempfile.gettempdir()).glob(f"{_SAMPLE_FOLDER}*"):
        sample = folder / _SAMPLE
        with suppress(OSError):
            # One without its file may be being made just now.
            over = not is_in_use(sample) if sample.is_file() else is_abandoned(folder)
            if over and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)
