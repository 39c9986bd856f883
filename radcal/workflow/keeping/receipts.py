"""Receipts: what is left beside files that are handed out, so that the audit log cannot be rewritten unnoticed.

A receipt is a small JSON file that holds the head of the log at that time: who keeps it can tell later whether the log
up to there is still the same.  It says what was handed out, and to which pseudonym.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal import exports, inputs
from radcal.clock import now
from radcal.errors import InputError, RadcalError, reason_of
from radcal.files import free_name
from radcal.json_lines import value_of
from radcal.records.log import LogHead
from radcal.text import Text
from radcal.workflow.context import Context

if TYPE_CHECKING:
    from radcal.workspace import Known

FORM = "RadCal receipt of an audit log, form 1"
NAMES = "receipt-*.json"
_GROUP = 4


@dataclass(frozen=True, slots=True)
class Handed:
    """What was handed out: its kind, and the pseudonym or number of whoever gets it, '' for nobody in particular."""

    what: str
    to: str = ""


def in_groups(hashed: bytes) -> str:
    """A hash in groups of four digits, to be read aloud: "1A2B 3C4D ..."."""
    digits = hashed.hex().upper()
    return " ".join(digits[k : k + _GROUP] for k in range(0, len(digits), _GROUP))


def head_as_plain(head: LogHead) -> dict[str, Any]:
    """A head in a summary or a receipt."""
    return {"log": head.log, "entry": head.entry, "head": in_groups(head.hash)}


def leave_receipt(context: Context, folder: Path, handed: Sequence[Handed]) -> Path | None:
    """Write a receipt into a folder; never an error, since what was handed out is there already.

    There is none where the log could not be written, so that it does not have the hand-out.  That a receipt could not
    be written is entered in the log, and kept as a remark for whoever handed out.  Where one was left is noted, so that
    a verification of the log asks it.
    """
    if not context.exports.entered or not handed:
        return None
    try:
        head = context.workspace.log_head()
        content = {
            "form": FORM,
            "made": now(),
            **head_as_plain(head),
            "handed_out": [{"what": one.what, "to": one.to} for one in handed],
        }
        path = free_name(folder / f"receipt-{head.entry}.json")
        written = context.exports.write(path, exports.values(content, "receipt"))
        context.workspace.note_receipt(written)
    except RadcalError as error:
        why = error.text
    except OSError as error:
        why = Text("{folder} cannot be written: {strerror}.", folder=folder, strerror=reason_of(error))
    else:
        return written
    context.note("no receipt could be left")
    context.exports.remark(
        Text(
            "What was handed out is whole, but no receipt of it could be left: {why} A backup that is kept elsewhere "
            "shows as well whether the audit log is rewritten later.",
            why=why,
        )
    )
    return None


def read_receipt(path: Path) -> Known:
    """What a receipt knows of an audit log.

    Raises:
        InputError: it is none.
    """
    from radcal.workspace import Known, head_from

    try:
        content = value_of(inputs.read_text(path))
        log = {FORM: content["log"]}[content["form"]]
        head = head_from(f"{log} {int(content['entry'])} {''.join(content['head'].split())}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "{name} is no receipt of an audit log, or was changed. Give a receipt, a backup or an audit file.",
            name=path.name,
        ) from error
    return Known(path, head)
