"""Counts and notes in the text of summaries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from radcal import policy
from radcal.coarse import FEWEST, Band, band, cell, outward, range_of
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
        SetByPolicy: IT allows no files with names.
        DataError: there is no analysis yet.
    """
    if not named:
        return results.pseudonyms()
    policy.in_use().refuse_names()
    return results.names.required() if results.names.kept_apart else {}


def vocabulary_rows(
    uses: Iterable[VocabularyUse], pseudonyms: Mapping[str, str], confidence: float = 0.95
) -> list[dict[str, Any]]:
    """The use of the vocabulary as plain values, as coarse as :mod:`radcal.coarse` has it.

    Radiologist '' is all together, worked out from the others' rows; first_day None is all dates.  A period has rows
    where enough radiologists hedged enough.  Of the words outside, those that may be quoted and were said often enough.
    Intervals are worked out from the bands alone: that of exact counts would tell them.
    """
    from radcal.intervals import wilson

    periods: dict[tuple[str, date | None], list[VocabularyUse]] = {}
    for use in uses:
        if use.author and use.n >= FEWEST:
            periods.setdefault((use.scale, use.start), []).append(use)
    rows = []
    for (scale, start), each in periods.items():
        if len(each) < FEWEST:
            continue
        words: set[str] = set()
        made = []
        for use in each:
            bands = {name: band(getattr(use, name)) for name in _USES}
            ends = {name: _ends(name, bands, confidence) for name in _OUTSIDE}
            often = {words for words, n in use.words if n >= FEWEST}
            words |= often
            shown = {name: range_of(getattr(use, name)) for name in _USES}
            made.append(_vocabulary_row(scale, pseudonyms[use.author], start, shown, ends, often))
        if len(each) > FEWEST:
            sums = {name: sum(band(getattr(use, name)).middle for use in each) for name in _USES}
            ends = {name: outward(*wilson(sums[name] / sums["n"], sums["n"], confidence)) for name in _OUTSIDE}
            shown = {name: range_of(n) for name, n in sums.items()}
            made.insert(0, _vocabulary_row(scale, "", start, shown, ends, words))
        rows += made
    return sorted(rows, key=lambda row: row["first_day"] or "")


_USES = {
    "n": "hedged", "within": "within", "established": "established", "outside": "outside", "avoided": "avoided",
}  # fmt: skip
_OUTSIDE = ("outside", "avoided")


def _vocabulary_row(
    scale: str,
    name: str,
    start: date | None,
    shown: Mapping[str, str],
    ends: Mapping[str, tuple[float, float]],
    words: Collection[str],
) -> dict[str, Any]:
    return {
        "scale": scale,
        "radiologist": name,
        "first_day": start and start.isoformat(),
        **{_USES[of]: n for of, n in shown.items()},
        **{f"{of}_{end}": ends[of][k] for of in _OUTSIDE for k, end in enumerate(("low", "high"))},
        "words": "; ".join(sorted(wordings(dict.fromkeys(words, FEWEST)))),
    }


def _ends(name: str, bands: Mapping[str, Band], confidence: float) -> tuple[float, float]:
    """An interval that holds that of every share which the bands may hide."""
    from radcal.intervals import wilson

    part, of = bands[name], bands["n"]
    rest = [bands["within"], bands["established"]]  # and, with words to avoid, others outside
    most_in_all = of.high if name == "avoided" else min(of.high, part.low + sum(other.high for other in rest))
    fewest_in_all = max(of.low, part.high + sum(other.low for other in rest))
    low = wilson(part.low / max(most_in_all, of.low), of.low, confidence)[0]
    return outward(low, wilson(part.high / fewest_in_all, of.low, confidence)[1])


def coarse_rate(n: float, confirmed: float, confidence: float) -> dict[str, Any]:
    """n, rate, low and high of at least FEWEST statements as files under pseudonyms have them."""
    from radcal.intervals import of_cell

    made = cell(n, confirmed)
    if made is None:
        raise ValueError("Fewer statements than may be shown.")
    low, high = of_cell(made, confidence)
    return {"n": range_of(n), "rate": made.rate, "low": low, "high": high}


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


def second_readings(second: str, asked: int, failures: Sequence[Mapping[str, Any]]) -> str:
    """What was asked in a cascade, and the first reports that could not be read there; '' if nothing.

    Args:
        second: what was asked: "llama" or "served".
    """
    if not asked:
        return ""
    text = f"The {'server' if second == 'served' else 'Llama'} was asked about {counted(asked, 'report', 'reports')}"
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
    """The summary, with a note if the audit log does not have the files written."""
    if results.exports.entered or results.kind is not FileKind.DEPARTMENT:
        return summary
    note = "The audit log does not have this, because the workspace could be opened for reading only."
    return summary | {"notes": [*summary.get("notes", []), note], "text": f"{summary['text']}\n{note}"}
