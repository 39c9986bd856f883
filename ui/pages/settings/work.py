"""Background work for the Settings page."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.system import key_store
from radcal.system.errors import InputError
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.workspace.schedule import Copied


@dataclass(frozen=True, slots=True)
class Kept:
    """A department's stored settings, and what belongs to them.

    copied: state of the backups, None if this window does not back up the file
    as_read: reports that are stored as they were read
    overridden: stored settings that do not hold, because IT has locked others
    """

    settings: Settings
    copied: Copied | None = None
    as_read: int = 0
    overridden: tuple[str, ...] = ()


def kept(department: Department, _progress: Progress) -> Kept:
    """The stored settings."""
    return Kept(
        settings=department.settings,
        copied=_copied(department),
        as_read=0 if department.kind else department.importing.deidentifying.as_read(),
        overridden=department.overridden,
    )


def deidentify(department: Department, progress: Progress) -> str:
    """De-identify the reports that are stored as they were read, after a backup; says what was done.

    Raises:
        InputError: no backup can be made; nothing was changed.
    """
    from radcal.reports.deidentify.stored import notes_of

    return notes_of(department.importing.deidentifying.stored(department.backups, progress))


def own_words(folder: str, department: Department, _progress: Progress) -> tuple[str, ...]:
    """What a folder of words adds, and the warnings about it, in sentences; () for no folder."""
    from radcal.findings.own_words import own_words_of, remark_text, what_it_adds
    from radcal.system.settings import Settings

    try:
        own = own_words_of(Settings(lexicon_dir=folder), department.lexicon)
    except InputError as error:
        return (error.text,)
    return () if own is None else (what_it_adds(own), *map(remark_text, own.remarks))


def _copied(department: Department) -> Copied | None:
    return None if department.read_only or department.kind else department.backups.known()


def save(values: Mapping[str, Any], department: Department, _progress: Progress) -> Settings:
    """Store these settings and return all; those of other pages stay as they are now.

    Raises:
        InputError: advice could propose none of the words of the vocabulary, or the department's own words cannot be
            used; nothing was stored.
    """
    from radcal.findings.own_words import own_words_of
    from radcal.words.confirmations import load_confirmations
    from radcal.words.scales import allowed

    settings = department.settings.changed(**values)
    if settings.lexicon_dir != department.settings.lexicon_dir:
        own_words_of(settings)
        load_confirmations(settings=settings)
    allowed(settings, department.lexicon.phrases)
    department.save_settings(settings, agrees=False)
    return settings


@dataclass(frozen=True, slots=True)
class Changed:
    """The effect of a new passphrase on the backups.

    older: number of backups under the previous one;  folder: their folder
    failure: why there is no backup under the new one, or ''
    forgotten: why the key store does not have the new one in place of the old, or ''
    """

    older: int
    folder: Path
    failure: str = ""
    forgotten: str = ""


def change_passphrase(
    current: str, new: str, department: Department, progress: Progress, *, remembered: bool = False
) -> Changed:
    """Re-encrypt the workspace; with scheduled backups, make one under the new passphrase at once.

    remembered: the key store has the old one, and is to have the new one
    """
    progress.start(None, Text("Encrypting the workspace anew"))
    department.change_passphrase(current, new)
    forgotten = _renewed(department.identity, new) if remembered else ""
    made, failure = 0, ""
    if department.backups.known().on:
        try:
            department.backups.back_up(progress)
            made = 1
        except InputError as error:
            failure = str(error)
    now = department.backups.known()
    return Changed(now.backups - made, now.folder, failure, forgotten)


def _renewed(identity: str, new: str) -> str:
    """Have the key store remember the new passphrase, or at least forget the old one; why the former failed, or ''."""
    try:
        key_store.remember(identity, new)
    except InputError as error:
        with suppress(InputError):
            key_store.forget(identity)
        return str(error)
    return ""


def forget_passphrase(department: Department, _progress: Progress) -> None:
    """Have the key store forget the passphrase of the workspace."""
    key_store.forget(department.identity)


def choose_backups(on: bool, folder: Path | None, department: Department, progress: Progress) -> Copied:
    """Turn scheduled backups on or off, and set the folder; makes a first one at once or changes nothing."""
    before = department.backups.known()
    department.backups.choose(on=on, folder=folder)
    try:
        department.backups.back_up_if_due(progress)
    except InputError:
        department.backups.choose(on=before.on, folder=before.chosen)
        raise
    return department.backups.known()


def back_up(path: Path, department: Department, progress: Progress) -> tuple[Path, Copied | None]:
    """Write a verified backup; returns its path and the state of the backups."""
    progress.start(None, Text("Making a copy of the workspace"))
    department.backup(path, progress)
    return path, _copied(department)
