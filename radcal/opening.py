"""Opens departments: an existing workspace, a new one, or the built-in sample."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from radcal.chain import run_chain
from radcal.checking import check_settings
from radcal.department import Department, Results, ReviewFile
from radcal.reports.importing import as_files
from radcal.system import policy
from radcal.system.errors import InputError
from radcal.system.files import is_abandoned
from radcal.system.kinds import FileKind
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import load_lexicon
from radcal.workspace.context import Context
from radcal.workspace.errors import NoAccess, WorkspaceInUse
from radcal.workspace.lock import is_in_use
from radcal.workspace.names import Names
from radcal.workspace.passphrases import check_passphrase
from radcal.workspace.records import Updated

_SAMPLE_FOLDER, _SAMPLE = "radcal-sample-", "sample.radcal"


def open_workspace(path: Path, passphrase: str, *, read_only: bool = False, names_key: Path | None = None) -> Results:
    """Open a workspace: a Department, or what a file of another kind offers.

    Args:
        read_only: change nothing; possible while another RadCal has it open.
        names_key: where the names of its radiologists are; None for the usual place, where they may be missing.

    Raises:
        InputError: wrong passphrase, in use, newer, damaged or missing, or the names key is not the workspace's; the
            message says what to do.
    """
    results = _opened(path, passphrase, read_only=read_only)
    if names_key is not None:
        try:
            results.names.choose(names_key)
        except BaseException:
            results.close()
            raise
    return results


def _opened(path: Path, passphrase: str, *, read_only: bool) -> Results:
    from radcal.workspace.store import Workspace

    # Every file is first opened for writing, so that one of an older RadCal is migrated.
    workspace = Workspace.open(path, passphrase, read_only=read_only)
    try:
        context = Context(workspace)
        kind, title = context.kind, context.personal or path.stem
    except BaseException:
        workspace.close()
        raise
    if kind is FileKind.DEPARTMENT:
        context.note("workspace opened")
        if overridden := context.overridden:
            context.note("settings overridden by the policy of IT", settings=len(overridden))
        return Department(workspace, title)
    part = _PARTS[kind]
    if part.read_only and not read_only:
        workspace.close()
        workspace = Workspace.open(path, passphrase, read_only=True)
    try:
        if kind is FileKind.PERSONAL:
            title = Context(workspace).names.name_of(title)
        return part.offers(workspace, title)
    except BaseException:
        workspace.close()
        raise


@dataclass(frozen=True, slots=True)
class _Part:
    """How a file is opened that holds a part of a department's workspace.

    refusal: for whoever needs the department's workspace; the template may name the ``author`` of a personal file
    """

    refusal: str
    read_only: bool = True
    offers: type[Results] = Results


_PARTS: Mapping[FileKind, _Part] = {
    FileKind.PERSONAL: _Part(
        Text(
            "This is a personal file: it holds the results of {author} and nothing else, and cannot be "
            "changed. Open the department's workspace for that."
        )
    ),
    FileKind.REVIEW: _Part(
        Text(
            "This is a review file: it holds reports for one reader and nothing else. Open the department's workspace "
            "for that."
        ),
        read_only=False,
        offers=ReviewFile,
    ),
}


def file_identity(path: Path) -> str:
    """What a workspace's file and its backups have in common; the file is not open in this process.

    Raises:
        InputError: it is not there, or cannot be read.
    """
    from radcal.workspace.store import Workspace

    return Workspace.identity_of(path)


@contextmanager
def telling_updates(tell: Callable[[Updated], None]) -> Iterator[None]:
    """Call ``tell`` for every workspace that this thread opens in the block and thereby brings up to date."""
    from radcal.workspace.store import telling_updates

    with telling_updates(tell):
        yield


def department_of(results: Results) -> Department:
    """The open workspace as a department.

    Raises:
        InputError: it is a file of another kind.
    """
    if isinstance(results, Department):
        return results
    raise InputError(_PARTS[results.kind].refusal, author=results.title)


def open_department(
    path: Path,
    passphrase: str,
    *,
    create: bool = False,
    read_only: bool = False,
    settings: Settings | None = None,
    pseudonym_seed: int | None = None,
    names_key: Path | None = None,
) -> Department:
    """Open a department's workspace, or create one.

    Args:
        passphrase: of the workspace; a new one must not be easy to guess.
        create: create the file, which must not exist.
        read_only: as in :func:`open_workspace`.
        settings: of a new workspace; the defaults if None.
        pseudonym_seed: of a new workspace; None for a secret one, which real authors need.
        names_key: where the names of its radiologists are, as in :func:`open_workspace`; of a new workspace, the file
            that they are to be kept in, which must not exist, or None to keep them in the workspace.

    Raises:
        InputError: as :func:`open_workspace`; or the file exists already or is of another kind, or the settings of a
            new workspace refer to unknown words, pathologies or models.
    """
    if create:
        if settings is not None:
            check_settings(settings, load_lexicon().phrases)
        check_passphrase(passphrase, path.stem)
        return _created(path, passphrase, settings, pseudonym_seed, names_key)
    results = open_workspace(path, passphrase, read_only=read_only, names_key=names_key)
    try:
        return department_of(results)
    except InputError:
        results.close()
        raise


def _created(
    path: Path, passphrase: str, settings: Settings | None, pseudonym_seed: int | None, names_key: Path | None
) -> Department:
    """A new workspace, with its names key if there is to be one; neither is left without the other."""
    from radcal.workspace.store import Workspace

    made: list[Names] = []
    if settings is None:
        settings = policy.in_use().started()

    def fill(workspace: Workspace) -> None:
        if names_key is not None:
            names = Names(workspace)
            names.make(names_key)
            made.append(names)

    try:
        workspace = Workspace.create(path, passphrase, settings, pseudonym_seed=pseudonym_seed, fill=fill)
    except BaseException:
        for names in made:
            names.unmake()
        raise
    department = Department(workspace, path.stem)
    for names in made:
        department.names.choose(names.file)
    return department


def open_for_exports(path: Path, passphrase: str, *, names_key: Path | None = None) -> Results:
    """Open a workspace for exports: for writing, so that its audit log records them, or else read-only.

    Read-only if it is open elsewhere or may not be changed.  ``names_key`` as in :func:`open_workspace`.

    Raises:
        InputError: as :func:`open_workspace`.
    """
    try:
        return open_workspace(path, passphrase, names_key=names_key)
    except (NoAccess, WorkspaceInUse):
        return open_workspace(path, passphrase, read_only=True, names_key=names_key)


def sample_department(progress: Progress = SILENT) -> Department:
    """The shipped sample, imported and analysed, in an encrypted file that is deleted on closing."""
    from radcal.workspace.store import Workspace

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
    for folder in Path(tempfile.gettempdir()).glob(f"{_SAMPLE_FOLDER}*"):
        sample = folder / _SAMPLE
        with suppress(OSError):
            # A folder without its file may be under construction.
            over = not is_in_use(sample) if sample.is_file() else is_abandoned(folder)
            if over and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)
