"""Why a file does not open: SQLCipher itself only reports that it "is not a database".

An encrypted workspace has no readable signature: it begins with a random salt.  But every page has a message
authentication code, so that a passphrase that fits any page is right even if the first page is damaged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.system.text import Text
from radcal.workspace.errors import DamagedWorkspace, NotAWorkspace, WorkspaceError, WrongPassphrase
from radcal.workspace.pages import PAGE

if TYPE_CHECKING:
    from pathlib import Path

    from radcal.workspace.pages import Key

_PAGES_TRIED = 8
_KNOWN = {
    b"SQLite format 3\0": Text("an SQLite database without encryption"),
    b"PK\x03\x04": Text("a ZIP archive or an Office file"),
    b"%PDF": Text("a PDF"),
    b"\xd0\xcf\x11\xe0": Text("an old Office file"),
}
RESTORE = Text("Open a backup of it, or read the report files into a new workspace")


def explain(path: Path, key: Key) -> WorkspaceError:
    """The error for a file that could not be decrypted with ``key``."""
    size = path.stat().st_size
    with path.open("rb") as file:
        pages = [file.read(PAGE) for _ in range(_PAGES_TRIED + 1)]
    for magic, what in _KNOWN.items():
        if pages[0].startswith(magic):
            return NotAWorkspace(
                "{name} is {what}, not a RadCal workspace. Choose a file that RadCal made.", name=path.name, what=what
            )
    if _is_text(pages[0]):
        return NotAWorkspace(
            "{name} is a text file, not a RadCal workspace. To read reports, import it.", name=path.name
        )
    if size < PAGE:
        return NotAWorkspace(
            "{name} is too short for a RadCal workspace; perhaps it was not copied to its end.", name=path.name
        )
    if any(key.fits(page, number) for number, page in enumerate(pages, 1)):
        return DamagedWorkspace(
            "The passphrase fits, but the beginning of {name} is damaged. {remedy}.", name=path.name, remedy=RESTORE
        )
    if size % PAGE:
        return NotAWorkspace(
            "{name} is not a RadCal workspace, or was not copied to its end and the passphrase does not fit.",
            name=path.name,
        )
    return wrong_passphrase(path)


def wrong_passphrase(path: Path) -> WrongPassphrase:
    """The error for a file that may be a workspace under another passphrase."""
    return WrongPassphrase(
        "The passphrase does not fit {name}. Check capital letters and the keyboard layout. If it is surely right, the "
        "file is not a RadCal workspace or its first bytes are damaged: open a backup of it.",
        name=path.name,
    )


def _is_text(head: bytes) -> bool:
    # Of 4096 random bytes, some 400 are control characters and 16 are zero.
    controls = sum(byte < 9 or 13 < byte < 32 for byte in head)
    utf16 = head.startswith((b"\xff\xfe", b"\xfe\xff")) and head.count(0) * 4 > len(head)
    return controls == 0 or utf16
