"""Messages on an import's outcome, and on work without backup."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ui.pages.reports.importing.sentences import left_out
from ui.records import Halted, Imported, Opened
from ui.sentences import copied_words, engine_name
from ui.widgets.messages import Message, MessageBar
from ui.words import counted, listed, quoted, say, whole

if TYPE_CHECKING:
    from radcal.workspace.schedule import Copied


def tell_imported(
    messages: MessageBar,
    imported: Imported,
    see_rows: Callable[[], None],
    choose_column: Callable[[], None] | None = None,
    see_failed: Callable[[], None] | None = None,
    place_words: Callable[[], None] | None = None,
) -> None:
    """Report rejected rows, failed reports, and words without a meaning.

    see_rows, choose_column, see_failed, place_words: actions that open the rejected rows, the choice of columns, the
        failed reports, and the unknown words
    """
    if imported.rejected:
        tabular = any(row.unit in ("", "row") for row in imported.rejected)
        messages.show_message(
            Message.ROWS_LEFT_OUT,
            see_rows,
            also=choose_column if tabular else None,
            what=left_out(imported.rejected),
        )
    read = imported.extraction
    if read.n_failed:
        messages.show_message(
            Message.REPORTS_FAILED, see_failed, failed=whole(read.n_failed), total=whole(read.n_reports)
        )
    if read.unknown_phrases:
        n = sum(count for _, count in read.unknown_phrases)
        messages.show_message(
            Message.UNKNOWN_PHRASES,
            place_words,
            what=counted(n, "{n} hedge is", "{n} hedges are"),
            examples=listed([quoted(words) for words, _ in read.unknown_phrases[:3]]),
        )


def halted_text(halted: Halted) -> str:
    """Where an import, or an analysis, stood when it was stopped."""
    if not halted.files:
        return say("Stopped. The results on show are still those from before.")
    if not halted.imported:
        return say("The import was stopped before anything was imported. The files are still on the list.")
    if halted.imported < halted.files:
        return say(
            "The import was stopped: {n} of {files} files are imported. They are not paired, read and analysed yet, so"
            " results do not include them.",
            n=whole(halted.imported),
            files=whole(halted.files),
        )
    if halted.unfinished:
        return say(
            "The files are imported, but not all of their reports are paired, read and analysed: that was stopped."
            " Results do not include them yet."
        )
    return say("Everything was imported and analysed before it could be stopped.")


def tell_renewed(messages: MessageBar, before: Opened, after: Opened) -> None:
    """Report that an import has changed the results that were on show."""
    if before.n_pairs and after.n_pairs and before.n_pairs != after.n_pairs:
        messages.show_message(
            Message.RESULTS_RENEWED,
            now=counted(after.n_pairs, "{n} pair of reports", "{n} pairs of reports"),
            before=whole(before.n_pairs),
            engine=engine_name(after.engine),
        )


def tell_not_copied(messages: MessageBar, name: str, copied: Copied, back_up: Callable[[], None]) -> None:
    """If the workspace contains people's work, offer a backup."""
    if copied.is_due(datetime.now(UTC)):
        messages.show_message(Message.NOT_COPIED, back_up, what=f"{name}: {copied_words(copied)}")
