"""Tables in text files: comma, tab or another separator between cells; what no other format recognises is one."""

from __future__ import annotations

from radcal.reports.formats import Format

FORMAT = Format(
    name="text",
    title="CSV, TSV",
    suffixes=(".csv", ".tsv", ".tab", ".txt"),
    recognises=lambda _head: True,
    rows=None,
)
