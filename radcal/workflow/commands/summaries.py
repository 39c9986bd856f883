"""Counts and notes in the text of summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from radcal.kinds import FileKind
from radcal.quoting import wordings
from radcal.records import Attribution, VocabularyUse
from radcal.workflow.department import Results

Summary = dict[str, Any]
_MOST = 10


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


def _where(failure: Mapping[Any, Any]) -> str:
    """What failed, as far as it may be named; '' where the reason says it."""
    if "file" in failure:
        row = None if failure["row"] is None else f"row {failure['row']}"
        return f"{', '.join(filter(None, (failure['file'], row, failure.get('author'))))}: "
    return f"report {failure['report_id']}: " if "report_id" in failure else ""


def frequent_words(unknown: Mapping[str, int]) -> str:
    """The most frequent unknown hedges with their counts, '' if none may be quoted."""
    frequent = sorted(wordings(unknown).items(), key=lambda item: -item[1])[:_MOST]
    return ", ".join(f"{word!r} ({n:,})" for word, n in frequent)


def shown_names(results: Results, *, named: bool) -> Mapping[str, str]:
    """What radiologists are called in a file of results, by author: pseudonyms, or names where these are asked for.

    Raises:
        InputError: the names are apart and not at hand.
        DataError: there is no analysis yet.
    """
    if not named:
        return results.pseudonyms()
    return results.names.required() if results.names.kept_apart else {}


def vocabulary_rows(uses: Iterable[VocabularyUse], pseudonyms: Mapping[str, str]) -> list[dict[str, Any]]:
    """The use of the vocabulary as plain values; radiologist '' is all together, first_day None all dates.

    Shares, 0-1, are None without hedged findings; of the words outside, those that may be quoted are counted.
    """
    return [
        {
            "scale": use.scale,
            "radiologist": pseudonyms[use.author] if use.author else "",
            "first_day": use.start and use.start.isoformat(),
            "hedged": use.n,
            "within": use.within,
            "established": use.established,
            "outside": use.outside,
            "outside_low": use.outside_low if use.n else None,
            "outside_high": use.outside_high if use.n else None,
            "avoided": use.avoided,
            "avoided_low": use.avoided_low if use.n else None,
            "avoided_high": use.avoided_high if use.n else None,
            "words": "; ".join(f"{words} {n}" for words, n in wordings(dict(use.words)).items()),
        }
        for use in uses
    ]


def attributed(found: Attribution) -> list[str]:
    """Whose the X-ray reports are, by which rule, and what of them was written after the CT."""
    total, several = sum(n for _, n in found.rules), counted(found.several, "names", "name")
    if not total:
        return []
    rules = "; ".join(f"{rule} ({n:,})" for rule, n in found.rules)
    said = [
        f"Of {counted(total, 'X-ray report', 'X-ray reports')}, {several} two radiologists or more. Rules: {rules}."
    ]
    if found.texts_apart:
        texts, reports = counted(found.texts_apart, "text", "texts"), counted(found.reports_apart, "report", "reports")
        within = counted(found.addenda_apart, "addendum", "addenda")
        said.append(f"Written after the CT and kept apart: {texts} of {reports}, {within} within a text among them.")
    if found.left_out_after:
        reports = counted(found.left_out_after, "report", "reports")
        said.append(f"Left out, because only a correction or an addendum from after the CT is there: {reports}.")
    if found.signed_after:
        reports = counted(found.signed_after, "report", "reports")
        said.append(f"Signed after the CT without an earlier version, and counted: {reports} in pairs.")
    return said


def counted(n: int, one: str, many: str) -> str:
    """``n`` with the singular or plural: '1 pair was', '0 pairs were', '1,204 pairs were'."""
    return f"{n:,} {one if n == 1 else many}"


def unread_findings(n: int, words: Mapping[str, int]) -> str:
    """A sentence on findings beside words that were not understood; '' for none."""
    if not n:
        return ""
    frequent = frequent_words(words)
    stand, count = ("finding stands", "counts") if n == 1 else ("findings stand", "count")
    return (
        f"{n:,} {stand} beside words of doubt that were not understood, and {count} for nothing"
        f"{f'; among the words {frequent}' if frequent else ''}."
    )


def second_readings(asked: int, failures: Sequence[Mapping[str, Any]]) -> str:
    """What the Llama of a cascade was asked, and the first reports that it could not read; '' if nothing."""
    if not asked:
        return ""
    text = f"The Llama was asked about {counted(asked, 'report', 'reports')}"
    if not failures:
        return f"{text}."
    stay, them = ("which stays", "it") if len(failures) == 1 else ("which stay", "them")
    head = f"{text}, and could not read {len(failures):,}, {stay} as the rules read {them}:"
    lines = [f"  report {f['report_id']}: {f['reason']}" for f in failures[:_MOST]]
    more = [f"  ... and {len(failures) - _MOST:,} more (--json lists them)"] if len(failures) > _MOST else []
    return "\n".join([head, *lines, *more])


def entered(summary: dict[str, Any], results: Results) -> dict[str, Any]:
    """The summary, with a note if the audit log does not record the files written."""
    if results.exports.entered or results.kind is not FileKind.DEPARTMENT:
        return summary
    note = "The audit log does not have this, because the workspace could be opened for reading only."
    return summary | {"notes": [note], "text": f"{summary['text']}\n{note}"}
