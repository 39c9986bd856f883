"""The names of radiologists, kept apart from the workspace: a sealed file of who is who, under a key in the workspace.

A workspace with a names key holds pseudonyms alone, drawn at random and kept for good.  The file without the
workspace is random bytes; the workspace without the file has nothing that a name could be worked out or tested from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.kinds import names_key_of
from radcal.system.sealed import damaged, new_key, seal, unseal
from radcal.system.text import EMPTY, Text
from radcal.workspace.log_records import NAMES_COPIED, NAMES_LISTED, NAMES_OPENED

if TYPE_CHECKING:
    from radcal.workspace.store import Workspace

OWN_NAME = "name of the radiologist"
"""In a personal file: the name of its radiologist, missing where it was not known."""
_KIND = "names"
_KEY = "names key"
"""The 256-bit key of the file, in hexadecimal digits; missing where the workspace itself holds names."""
_GIVEN = "pseudonyms given"
"""The pseudonyms that the workspace may hold, as a JSON list: a names key that lacks one of them is an older copy."""
_REMEDY = Text(
    "It holds the names behind this workspace's pseudonyms. Say where it is, or use a copy; without it the "
    "names stay unknown, and no further reports can be imported."
)


class NoNames(InputError):
    """The names key is missing, or is not the workspace's."""


class Names:
    """The names behind the pseudonyms of an open workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._file: Path | None = None
        self._told = False

    @property
    def kept_apart(self) -> bool:
        """Whether the workspace holds pseudonyms alone."""
        return self._workspace.get_meta(_KEY) is not None

    @property
    def file(self) -> Path:
        """The names key: as chosen, else beside the workspace."""
        return self._file or names_key_of(self._workspace.path)

    def make(self, file: Path) -> None:
        """Make the names key of a new workspace.

        Raises:
            InputError: the file exists, or cannot be written; the workspace is unchanged.
        """
        key = new_key()
        file = _free(file, key)
        _write(file, key, {})
        try:
            with self._workspace.transaction():
                self._workspace.set_meta(_KEY, key.hex())
                self._workspace.log("names key made")
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        self._file = file

    def unmake(self) -> None:
        """Delete a names key that was just made, because what it was made for failed."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
            self._file = None

    def choose(self, file: Path) -> None:
        """Look for the names in this file from now on, as long as the workspace is open.

        Raises:
            InputError: names are in the workspace, or the file is missing or another workspace's.
        """
        self._require_apart()
        before = self._file
        self.look_in(file)
        try:
            self.required()
        except BaseException:
            self._file = before
            raise

    def look_in(self, file: Path) -> None:
        """As :meth:`choose`, whether or not the names are there now."""
        self._file = inputs.full_path(file)

    def known(self) -> dict[str, str]:
        """Pseudonyms with their names; {} where there is no names key, or none at hand."""
        return self._asked()[0]

    def why_unknown(self) -> Text:
        """Why the names of this workspace are not known, with the remedy; '' where they are."""
        return self._asked()[1]

    def _asked(self) -> tuple[dict[str, str], Text]:
        try:
            return (self.required() if self.kept_apart else {}), EMPTY
        except InputError as error:
            return {}, error.text

    def required(self) -> dict[str, str]:
        """Pseudonyms with their names.

        Raises:
            NoNames: the names key is missing, damaged, of another workspace, or an older copy.
        """
        self._require_apart()
        try:
            found = _read(self.file, self._key)
        except InputError as error:
            raise NoNames("{why} {remedy}", why=error.text, remedy=_REMEDY) from error
        if lacking := self._given() - found.keys():
            raise NoNames(
                "{name} is an older copy of the names key: it lacks {n:,} of the radiologists in this workspace. "
                "Choose the file that was used last.",
                name=self.file.name,
                n=len(lacking),
            )
        if not self._told and not self._workspace.read_only:
            self._told = True
            self._workspace.log(NAMES_OPENED)
        return found

    def listed(self) -> dict[str, str]:
        """As :meth:`required`, for somebody who wants to see who is who, which is entered in the audit log each time.

        Raises:
            NoNames: as :meth:`required`.
        """
        found = self.required()
        if not self._workspace.read_only:
            self._workspace.log(NAMES_LISTED, radiologists=len(found))
        return found

    def name_of(self, author: str) -> str:
        """What a radiologist is called: the name where it is known, else the pseudonym."""
        return self.called([author])[author]

    def called(self, authors: Iterable[str]) -> dict[str, str]:
        """As :meth:`name_of`, of several."""
        if own := self._workspace.get_meta(OWN_NAME):
            return dict.fromkeys(authors, own)
        known = self.known()
        return {author: known.get(author, author) for author in authors}

    def pseudonyms_of(self, people: Iterable[str]) -> dict[str, str]:
        """A pseudonym for each name; those drawn now are on the disk, in the names key, when this returns.

        Args:
            people: names as :func:`radcal.reports.authors.author_name` writes them.

        Raises:
            InputError: there is no names key at hand, or it cannot be written.
        """
        from radcal.workspace.pseudonyms import drawn

        known, everyone = self.required(), sorted(set(people))
        by_name = {name: pseudonym for pseudonym, name in known.items()}
        if new := [name for name in everyone if name not in by_name]:
            given = drawn(new, known)
            known |= {pseudonym: name for name, pseudonym in given.items()}
            by_name |= given
            _write(self.file, self._key, known)
        if not self._given() >= known.keys():
            self._workspace.set_meta(_GIVEN, json.dumps(sorted(known)))
        return {name: by_name[name] for name in everyone}

    def copy(self, file: Path) -> None:
        """Save a copy of the names key; of the files there it replaces only earlier copies of it.

        Raises:
            InputError: the names key is not at hand, or the copy cannot be written.
        """
        found = self.required()
        _write(_free(file, self._key), self._key, found)
        self._log(NAMES_COPIED, found)

    def move(self, file: Path) -> None:
        """Move the names key, which is deleted from its former place once it can be read at the new one.

        Of the files there it replaces only earlier copies of it.

        Raises:
            InputError: the names key is not at hand, or cannot be written there; it stays where it is.
        """
        found, before = self.required(), inputs.full_path(self.file)
        file = _free(file, self._key)
        if file != before:
            _write(file, self._key, found)
            _read(file, self._key)
            self._file = file
            before.unlink(missing_ok=True)
        self._log("names key moved", found)

    def _log(self, what: str, found: Mapping[str, str]) -> None:
        if not self._workspace.read_only:
            self._workspace.log(what, radiologists=len(found))

    @property
    def _key(self) -> bytes:
        return bytes.fromhex(self._workspace.get_meta(_KEY) or "")

    def _given(self) -> frozenset[str]:
        return frozenset(json.loads(self._workspace.get_meta(_GIVEN) or "[]"))

    def _require_apart(self) -> None:
        if not self.kept_apart:
            raise InputError(
                "{name} has no names key: the names of its radiologists are in it.", name=self._workspace.path.name
            )


def _free(file: Path, key: bytes) -> Path:
    """The full path of a file that does not exist yet, or is a names key under ``key``.

    Raises:
        InputError: it is another file.
    """
    inputs.refuse_unusable(file)
    if inputs.is_there(file):
        try:
            _read(file, key)
        except InputError:
            raise InputError(
                "{path} exists already, and may hold the only names of another workspace. Choose another name.",
                path=file,
            ) from None
    return inputs.full_path(file)


def _write(file: Path, key: bytes, names: Mapping[str, str]) -> None:
    seal(file, _KIND, key, json.dumps({"names": dict(names)}, ensure_ascii=False).encode())


def _read(file: Path, key: bytes) -> dict[str, str]:
    try:
        return _pairs(json.loads(unseal(file, _KIND, key)))
    except (ValueError, LookupError, TypeError, AttributeError):
        raise damaged(file.name) from None


def _pairs(stored: Any) -> dict[str, str]:
    names = dict(stored["names"])
    if not all(isinstance(part, str) for pair in names.items() for part in pair):
        raise TypeError("names are texts")
    return names
