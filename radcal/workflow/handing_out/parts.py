"""Files of another kind than the department's workspace: built part by part, for the eyes of those who get them.

Such a file is never copied and reduced, so that a forgotten part is missing rather than disclosed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.kinds import FileKind
from radcal.settings import Settings
from radcal.workflow.checking import check_passphrase
from radcal.workflow.context import FILE_KIND, Context

if TYPE_CHECKING:
    from radcal.workspace import LogCopy, Workspace


def write_part(
    context: Context,
    kind: FileKind,
    out: Path,
    passphrase: str,
    fill: Callable[[Workspace], None],
    *,
    settings: Settings,
    names: tuple[str, ...] = (),
    to: str = "",
    log: LogCopy | None = None,
) -> Path:
    """Write a file of a kind, whole or not at all, and enter it in the department's audit log.

    Args:
        fill: writes its contents, in one transaction.
        settings: that the file has.
        names: that the passphrase must not be made of, besides the file's.
        to: the pseudonym of whoever gets it, '' where that is nobody in particular.
        log: the audit log that the file has in place of one of its own; without, it keeps the head of the department's.

    Raises:
        InputError: the file exists already or cannot be written, or the passphrase is weak.
    """
    from radcal.workspace import HEAD_KEY, Workspace, head_text

    check_passphrase(passphrase, out.stem, *names)

    def build(part: Workspace) -> None:
        with part.transaction():
            part.set_meta(FILE_KIND, kind)
            if log is None:
                part.set_meta(HEAD_KEY, head_text(context.workspace.log_head()))
            fill(part)
        # Logged once its contents are complete, but before the file is in place: if that fails, there is no file.
        context.exports.enter(kind, out, to=to)

    # Not the department's seed, which would reveal the names behind its pseudonyms, and no user, since whoever gets
    # the file need not know who wrote it.
    Workspace.create(out, passphrase, settings, pseudonym_seed=0, user="", fill=build, log=log).close()
    return out
