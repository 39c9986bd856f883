"""Counts and notes in the text of summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from radcal.system.coarse import FEWEST, cell, range_of
from radcal.system.quoting import wordings

if TYPE_CHECKING:
    from pathlib import Path

    from radcal.department import Results

Summary: TypeAlias = dict[str, Any]
_MOST = 10
TOO_FEW = (
    f"Radiologists under pseudonyms are shown from {FEWEST} on, because each of fewer could be recognised. With "
    "--names the file is for quality assurance alone, and has them all."
)


def fields_of(record: Any, *same: str, **renamed: str) -> Summary:
    """Fields of a record as plain values: those of the same name, and others by dotted names, as in low="rate.low"."""
    return {name: attrgetter(of)(record) for name, of in (*zip(same, same, strict=True), *renamed.items())}


def counted(n: int, one: str, many: str) -> str:
    """``n`` with the singular or plural: '1 pair was', '0 pairs were', '1,204 pairs were'."""
    return f"{n:,} {one if n == 1 else many}"


def left_out(failures: Sequence[Mapping[Any, Any]], heading: str = "Left out") -> str:
    """The first failures, one per line, each with its remedy if there is one; '' without any."""
    if not failures:
        return ""
    lines = [
        f"  {_where(failure)}{' '.join(filter(None, (failure['reason'], failure.get('remedy'))))}"
        for failure in failures[:_MOST]
    ]
    if len(failures) > _MOST:
        lines.append(f"  ... and {len(failures) - _MOST:,} more (--json lists them)")
    return "\n".join([f"\n{heading} ({len(failures):,}):", *lines])


def written(
    out: Path,
    lines: Iterable[str],
    figures: Mapping[str, Any],
    failures: Sequence[Mapping[Any, Any]],
    heading: str = "Left out",
) -> Summary:
    """The summary of a command that wrote ``out``, with its figures, and what was left out below the lines."""
    text = "\n".join(lines) + left_out(failures, heading)
    return {**figures, "failures": list(failures), "out": str(out), "text": text}


def _where(failure: Mapping[Any, Any]) -> str:
    """What failed, as far as it may be named; '' where the reason says it."""
    if "file" not in failure:
        return f"report {failure['report_id']}: " if "report_id" in failure else ""
    from radcal.reports.reasons import Unit, unit_of

    unit = unit_of(str(failure["reason"]), str(failure.get("unit") or ""))
    row = None if failure["row"] is None or unit is Unit.FILE else f"{unit.value} {failure['row']}"
    return f"{', '.join(filter(None, (failure['file'], row, failure.get('author'))))}: "


def frequent_words(unknown: Mapping[str, int]) -> str:
    """The most frequent unknown hedges with their counts, '' if none may be quoted."""
    frequent = sorted(wordings(unknown).items(), key=lambda item: -item[1])[:_MOST]
    return ", ".join(f"{word!r} ({n:,})" for word, n in frequent)


def unread_findings(n: int, words: Mapping[str, int]) -> str:
    """A sentence on findings that were left unread; '' for none."""
    if not n:
        return ""
    frequent = frequent_words(words)
    were, they, count = ("finding was", "it was", "counts") if n == 1 else ("findings were", "they were", "count")
    return (
        f"{n:,} {were} left unread, because {they} not understood surely enough, and {count} for nothing"
        f"{f'; among the words {frequent}' if frequent else ''}."
    )


def shown_names(results: Results, *, named: bool) -> Mapping[str, str]:
    """What radiologists are called in a file of results, by author: pseudonyms, or names where these are asked for.

    Raises:
        InputError: the names are apart and not at hand.
        SetByPolicy: IT allows no files with names.
        DataError: there is no analysis yet.
    """
    from radcal.system import policy

    if not named:
        return results.pseudonyms()
    policy.in_use().refuse_names()
    return results.names.required() if results.names.kept_apart else {}


def coarse_rate(n: float, confirmed: float, confidence: float) -> dict[str, Any]:
    """n, rate, low and high of at least FEWEST statements as files under pseudonyms have them."""
    from radcal.system.intervals import of_cell

    made = cell(n, confirmed)
    if made is None:
        raise ValueError("Fewer statements than may be shown.")
    low, high = of_cell(made, confidence)
    return {"n": range_of(n), "rate": made.rate, "low": low, "high": high}


def entered(summary: Summary, results: Results) -> Summary:
    """The summary, with a note if the audit log does not have the files written."""
    from radcal.system.kinds import FileKind

    if results.exports.entered or results.kind is not FileKind.DEPARTMENT:
        return summary
    note = "The audit log does not have this, because the workspace could be opened for reading only."
    return summary | {"notes": [*summary.get("notes", []), note], "text": f"{summary['text']}\n{note}"}
