"""Files of another kind than the department's workspace: built part by part, for the eyes of those who get them.

Such a file is never copied and reduced, so that a forgotten part is missing rather than disclosed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.findings.runs import Runs
from radcal.reliability.department_words import Words
from radcal.reliability.stored_analysis import StoredAnalysis
from radcal.system.errors import RadcalError
from radcal.system.kinds import FileKind
from radcal.system.settings import Settings
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.workspace.context import FILE_KIND, Context
from radcal.workspace.passphrases import check_passphrase

if TYPE_CHECKING:
    from radcal.system.files import Json
    from radcal.workspace.store import Workspace


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
) -> Path:
    """Write a file of a kind, whole or not at all, and enter it in the department's audit log.

    Args:
        fill: writes its contents, in one transaction.
        settings: that the file has.
        names: that the passphrase must not be made of, besides the file's.
        to: the pseudonym of whoever gets it, or the reader's number, '' where that is nobody in particular.

    Raises:
        InputError: the file exists already or cannot be written, or the passphrase is weak.
    """
    from radcal.workspace.store import Workspace

    check_passphrase(passphrase, out.stem, *names)

    def build(part: Workspace) -> None:
        with part.transaction():
            part.set_meta(FILE_KIND, kind)
            fill(part)
        # Logged once its contents are complete, but before the file is in place: if that fails, there is no file.
        context.exports.enter(kind, out, to=to)

    # Not the department's seed, which would reveal the names behind its pseudonyms, and no user, since whoever gets
    # the file need not know who wrote it.
    Workspace.create(out, passphrase, settings, pseudonym_seed=0, user="", fill=build).close()
    return out


@contextmanager
def known_here(workspace: Workspace, out: Path, kind: str, number: str, payload: Json) -> Iterator[None]:
    """The block that writes the file ``out``, begun once what is needed to take it back is on the disk.

    If the block fails without making the file, that is removed again.  A workspace open for reading only keeps nothing.
    """
    if workspace.read_only:
        yield
        return
    workspace.save_result(kind, number, payload, {})
    before = out.exists()
    try:
        yield
    except BaseException:
        if before or not out.exists():
            with suppress(RadcalError):  # a superfluous entry speaks of a file that does not exist
                workspace.delete_result(kind, number)
        raise


def copy_words(part: Context, words: Lexicon) -> None:
    """Store the department's lexicon in a file, unless it is the shipped one."""
    if words.version != load_lexicon().version:
        own = Words(part, StoredAnalysis(part), Runs(part))
        own.save(words, part.settings.allowed_phrases, what="as in the department", who="")
