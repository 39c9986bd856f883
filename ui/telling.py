"""What an import came to, told in the message bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ui.messages import Message, MessageBar
from ui.records import Imported, Rejected
from ui.words import counted, listed, quoted, translate, typographic, whole


def tell_imported(messages: MessageBar, imported: Imported, see_rows: Callable[[], None]) -> None:
    """Tell of rows left out, reports that failed, and words without a meaning; ``see_rows`` leads to the rows."""
    if imported.rejected:
        messages.show_message(Message.ROWS_LEFT_OUT, see_rows, what=left_out(imported.rejected))
    if imported.n_failed:
        messages.show_message(Message.REPORTS_FAILED, failed=whole(imported.n_failed), total=whole(imported.n_reports))
    if imported.unknown_phrases:
        n = sum(count for _, count in imported.unknown_phrases)
        messages.show_message(
            Message.UNKNOWN_PHRASES,
            what=counted(n, translate("window", "hedge is"), translate("window", "hedges are")),
            examples=listed([quoted(words) for words, _ in imported.unknown_phrases[:3]]),
        )


def left_out(rejected: Sequence[Rejected]) -> str:
    """'12 rows of march.csv were left out: the exam time is missing.', or for how many reasons."""
    files = {r.file for r in rejected}
    reasons = {r.reason.rstrip(".") for r in rejected}
    rows = counted(len(rejected), translate("import", "row"), translate("import", "rows"))
    where = files.pop() if len(files) == 1 else translate("import", "{n} files").format(n=len(files))
    if len(reasons) > 1:
        text = translate("import", "{rows} of {where} were left out, for {n} different reasons.")
        return text.format(rows=rows, where=where, n=len(reasons))
    reason = reasons.pop()
    one = translate("import", "{rows} of {where} was left out: {reason}.")
    many = translate("import", "{rows} of {where} were left out: {reason}.")
    text = one if len(rejected) == 1 else many
    return text.format(rows=rows, where=where, reason=typographic(reason[:1].lower() + reason[1:]))
