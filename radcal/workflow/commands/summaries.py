"""Counts and notes in the text of summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from radcal.coarse import FEWEST, band, outward, range_of
from radcal.ingest.reasons import Unit, unit_of
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
        unit = unit_of(str(failure["reason"]), str(failure.get("unit") or ""))
        row = None if failure["row"] is None or unit is Unit.FILE else f"{unit.value} {failure['row']}"
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
    """The use of the vocabulary as plain values, as coarse as :mod:`radcal.coarse` has it.

    Radiologist '' is all together, worked out from the others' rows; first_day None is all dates.  A period has rows
    where enough radiologists hedged enough.  Of the words outside, those that may be quoted and were said often enough.
    """
    periods: dict[tuple[str, date | None], list[VocabularyUse]] = {}
    everyone: dict[tuple[str, date | None], VocabularyUse] = {}
    for use in uses:
        key = use.scale, use.start
        if not use.author:
            everyone[key] = use
        elif use.n >= FEWEST:
            periods.setdefault(key, []).append(use)
    rows = []
    for key, each in periods.items():
        if len(each) < FEWEST:
            continue
        made = [_vocabulary_row(use, pseudonyms[use.author]) for use in each]
        if key in everyone and len(each) > FEWEST:
            sums = {name: range_of(sum(band(getattr(use, name)).middle for use in each)) for name in _USES}
            made.insert(0, _vocabulary_row(everyone[key], "") | {_USES[name]: shown for name, shown in sums.items()})
        rows += made
    return sorted(rows, key=lambda row: row["first_day"] or "")


_USES = {
    "n": "hedged", "within": "within", "established": "established", "outside": "outside", "avoided": "avoided",
}  # fmt: skip


def _vocabulary_row(use: VocabularyUse, name: str) -> dict[str, Any]:
    outside, avoided = outward(use.outside_low, use.outside_high), outward(use.avoided_low, use.avoided_high)
    often = {words: n for words, n in use.words if n >= FEWEST}
    return {
        "scale": use.scale,
        "radiologist": name,
        "first_day": use.start and use.start.isoformat(),
        **{shown: range_of(getattr(use, of)) for of, shown in _USES.items()},
        "outside_low": outside[0],
        "outside_high": outside[1],
        "avoided_low": avoided[0],
        "avoided_high": avoided[1],
        "words": "; ".join(sorted(wordings(often))),
    }


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


TOO_FEW = (
    f"Radiologists under pseudonyms are shown from {FEWEST} on, because each of fewer could be recognised. With "
    "--names the file is for quality assurance alone, and has them all."
)


def entered(summary: dict[str, Any], results: Results) -> dict[str, Any]:
    """The summary, with a note if the audit log does not record the files written."""
    if results.exports.entered or results.kind is not FileKind.DEPARTMENT:
        return summary
    note = "The audit log does not have this, because the workspace could be opened for reading only."
    return summary | {"notes": [note], "text": f"{summary['text']}\n{note}"}
