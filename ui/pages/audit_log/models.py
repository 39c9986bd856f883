"""The table of the audit log, and what of it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from ui.kit.column import Column, RecordModel, count
from ui.words import moment, say, whole

if TYPE_CHECKING:
    from ui.pages.audit_log.work import Entry

DAYS = (None, 1, 7, 30, 365)
"""Choices of how far back entries are shown; None for all."""


def log_table() -> RecordModel:
    """The entries: work.Entry."""
    return RecordModel(
        (
            count(say("number"), lambda e: e.number, width=72),
            Column(say("when"), lambda e: moment(e.at), value=lambda e: e.at.isoformat(), width=150),
            Column(say("user"), lambda e: e.user, width=110),
            Column(say("what"), lambda e: e.what, width=340),
            Column(say("counts"), _counts, width=200),
            Column("RadCal", lambda e: e.radcal, meaning=say("The version of RadCal")),
        )
    )


def _counts(entry: Entry) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {whole(n)}" for name, n in entry.counts)


def days_words(days: int | None) -> str:
    """A choice of how far back."""
    if days is None:
        return say("All days")
    if days == 1:
        return say("Today")
    return say("Last {n} days", n=days)


def shown(entries: Sequence[Entry], kind: str, days: int | None, today: date) -> tuple[Entry, ...]:
    """The entries of a kind, '' for all, from the last days; the newest first."""
    first = date.min if days is None else today - timedelta(days=days - 1)
    return tuple(e for e in reversed(entries) if kind in ("", e.kind) and _day(e.at) >= first)


def _day(at: datetime) -> date:
    return at.astimezone().date()
