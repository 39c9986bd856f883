"""``radcal watch`` and ``radcal listen``: what a department is sent, taken in as it comes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.cli.options import column_mapping, preset_of
from radcal.cli.passphrases import passphrase
from radcal.cli.services import service
from radcal.cli.summaries import Summary
from radcal.feed.inbox import Inbox
from radcal.feed.spool import Spool, key_in, make_key
from radcal.feed.watch import Feed, Told
from radcal.opening import open_department
from radcal.reports.columns import check_mapping
from radcal.reports.fields import REPORT_FIELDS
from radcal.reports.importing import ReportFile
from radcal.reports.outcomes import OUTCOME_FIELDS
from radcal.reports.records import Modality
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.workspace.errors import WorkspaceError

if TYPE_CHECKING:
    from radcal.department import Department


def watch(args: argparse.Namespace, bar: Progress) -> Summary:
    """Take in the files that are dropped into a folder, and the messages that wait, until stopped."""
    if args.service:
        return {"text": service(args)}
    path = inputs.full_path(args.workspace)
    mapping = column_mapping(args.map)
    check_mapping(mapping, (*REPORT_FIELDS, "file", *OUTCOME_FIELDS))
    opened = _opening(args, path)
    way = partial(
        ReportFile,
        modality=None if args.only is None else Modality(args.only),
        mapping=mapping,
        day_first=None if args.dates is None else args.dates == "day-first",
        preset=preset_of(args),
    )
    if inputs.full_path(args.folder) == path.parent:
        raise InputError(f"{path.name} lies in {args.folder}, where it would be taken for a report. Keep them apart.")
    feed = Feed(path, opened, _tell, Inbox(args.folder, args.settle), way)
    return _summary(feed.run(bar, once=args.once), path)


def listen(args: argparse.Namespace, bar: Progress) -> Summary:
    """Receive HL7 messages, and take them in while no other program has the workspace, until stopped."""
    from radcal.feed.mllp import Listener, tls_of

    if args.service:
        return {"text": service(args)}
    if (args.cert is None) != (args.key is None) or (args.client_ca and not args.cert):
        raise InputError("TLS needs --cert and --key; --client-ca comes beside them.")
    if args.cert is None and not args.address.is_loopback:
        raise InputError(
            f"Messages from other computers are not received in the clear: --address {args.address} needs --cert and "
            "--key, and should have --client-ca, so that none but your own senders are let in."
        )
    tls = None if args.cert is None else tls_of(args.cert, args.key, args.client_ca)
    path = inputs.full_path(args.workspace)
    opened = _opening(args, path)
    feed = Feed(path, opened, _tell, stays=True)
    listener = Listener(Spool(path, _key(opened)).store, _tell, str(args.address), args.mllp, tls)
    return _summary(listener.run(bar, partial(feed.run, bar)), path)


def _key(opened: Callable[..., Department]) -> bytes:
    """The key of the spool.  Only where there is none yet must no other program have the workspace."""
    # What can only be opened for writing was killed within a change, or is of an older RadCal.
    with suppress(WorkspaceError), opened(read_only=True) as department:
        if key := key_in(department.workspace):
            return key
    with opened() as department:
        return make_key(department.workspace)


def _opening(args: argparse.Namespace, path: Path) -> Callable[..., Department]:
    """What opens the workspace again and again, with a passphrase that is asked for once."""
    if not inputs.is_there(path):
        raise InputError(f"There is no workspace {args.workspace}. Make it in RadCal's window, or by `radcal run`.")
    return partial(open_department, path, passphrase(args, new=False), names_key=args.names_key)


def _tell(sentence: str) -> None:
    """To whoever watches, or the log of the service."""
    print(f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S} {sentence}", file=sys.stderr, flush=True)


def _summary(told: Told, workspace: Path) -> Summary:
    return {
        "files": told.files,
        "messages": told.messages,
        "reports_new": told.counts["new"],
        "reports_changed": told.counts["changed"],
        "reports_total": told.counts.get("total"),
        "rows_rejected": told.counts["rejected"],
        "rows_left_out": told.counts["left_out"],
        "notes": told.notes,
        "failures": [{"file": f.file, "row": None, "reason": f.reason, "unit": "file"} for f in told.failed],
        "workspace": str(workspace),
        "text": told.sentence,
    }
