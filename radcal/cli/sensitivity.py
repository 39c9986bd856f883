"""``radcal sensitivity``: what another pairing window would make of a workspace's results, and what they still need."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from radcal.advice.sensitivity import WINDOWS
from radcal.calibration.records import ALL_AUTHORS, Reliability
from radcal.calibration.sensitivity_records import GroupOutlook, WindowSensitivity, WordOutlook
from radcal.cli.passphrases import department_for_exports
from radcal.cli.summaries import TOO_FEW, Summary, coarse_rate, counted, entered, fields_of, shown_names
from radcal.system import coarse, exports
from radcal.system.components import versions
from radcal.system.errors import DataError
from radcal.system.progress import Progress
from radcal.system.settings import Settings

_SHOWN = 6
"""Words and changes in the text of the summary; the file has them all."""


def sensitivity(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure the results under other pairing windows and look ahead to more findings; written as JSON.

    Radiologists are given by pseudonym, and then as coarse as :mod:`radcal.system.coarse` has it: bands of n, rates to
    5 points, no p-values, no totals.

    Raises:
        InputError: a window is out of bounds, or the file cannot be written.
        DataError: there is no analysis yet.
    """
    with department_for_exports(args) as department:
        if department.analysis() is None:
            raise DataError("There is no analysis yet. Make one with `radcal run` first.")
        found = department.windows.compare(args.windows or WINDOWS, progress=bar)
        outlook = department.outlook.of_all(bar)
        names = shown_names(department, named=args.names)
        made: Summary = {
            "window_hours": found.present,
            "windows": _windows(found, names),
            "verdict_changes": [
                {"radiologist": names.get(c.author, c.author), "before": c.before or None, "after": c.after or None}
                | fields_of(c, "phrase", "hours", pathology="topic")
                for c in found.changes
            ],
            "ahead": [_ahead(group, names) for group in outlook],
            "settings": department.settings.to_dict(),
            "versions": versions(),
        }
        if not args.names:
            made = _coarse(made, department.settings)
        department.exports.write(args.out, exports.values(made, "sensitivity"))
        figures = {"windows": len(found.windows), "verdict_changes": len(made["verdict_changes"])}
        if args.names:
            figures["unread_pairs"] = max((w.n_unread for w in found.windows), default=0)
        of_people = _ahead_lines(outlook, names, made["ahead"], exact=args.names)
        windows = _window_lines(found) if args.names else _coarse_window_lines(made)
        lines = [*windows, *of_people, f"All is in {args.out}."]
        lines += [] if args.names or made["ahead"] else [TOO_FEW]
        return entered({**figures, "out": str(args.out), "text": "\n".join(lines)}, department)


_SHARES = frozenset(f"{name}{end}" for name in ("word_error", "ece") for end in ("", "_low", "_high", "_by_luck"))


def _coarse(made: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """What may be known of radiologists under pseudonyms; none of them where they are too few.

    What the department has in all is left out, and so is how many findings are missing, and how fast they come: the
    exact n would follow.
    """

    def coarsely(group: dict[str, Any]) -> dict[str, Any]:
        words = [_coarse_word(word, settings) for word in group["words"] if word["n"] >= coarse.FEWEST]
        plain: dict[str, Any] = coarse.plain(group | {"words": [], "reason": None}, {"n", "hedged"}, _SHARES)
        if coarse.band(group["n"]).low < settings.min_group_n:  # else whoever has no figure is known to be below
            plain |= dict.fromkeys(_SHARES & plain.keys()) | ({"verdict": None} if "verdict" in plain else {})
        return plain | {"words": words}

    def enough(groups: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The groups of at least so many statements, with the words said as often; none of fewer radiologists."""
        large = [coarsely(group) for group in groups if group["n"] >= coarse.FEWEST]
        people = {group["radiologist"] for group in large}
        return large if len(people) >= coarse.FEWEST else []

    topics = dict.fromkeys(group["pathology"] for group in made["ahead"])
    outlook = [
        group | {"first_day": None, "last_day": None}
        for topic in topics
        for group in enough([group for group in made["ahead"] if group["pathology"] == topic])
    ]
    shown = {(group["radiologist"], group["pathology"]) for group in outlook}
    return made | {
        "windows": [
            {"hours": window["hours"], "radiologists": enough(window["radiologists"])} for window in made["windows"]
        ],
        "verdict_changes": [
            change
            for change in made["verdict_changes"]
            if (change["radiologist"], change["pathology"]) in shown
            and "too few" not in (change["before"], change["after"])  # it would tell on which side of a threshold n is
        ],
        "ahead": outlook,
    }


def _coarse_word(word: dict[str, Any], settings: Settings) -> dict[str, Any]:
    said = coarse_rate(word["n"], word["rate"] * word["n"], settings.confidence)
    kept = {name: word[name] for name in ("phrase", "verdict", "would_be_advised") if name in word}
    if coarse.band(word["n"]).low < settings.min_phrase_n:
        kept |= {name: None for name in kept if name != "phrase"}
    return dict.fromkeys(word) | kept | said


def _windows(found: WindowSensitivity, names: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        fields_of(w, "hours", pairs="n_pairs", unread_pairs="n_unread", statements="n_statements")
        | {
            "radiologists": [
                {"radiologist": names.get(r.author, r.author)} | _figures(r)
                for r in w.groups
                if r.author != ALL_AUTHORS
            ],
            "pathologies": [{"pathology": r.topic} | _figures(r) for r in w.groups if r.author == ALL_AUTHORS],
        }
        for w in found.windows
    ]


def _figures(r: Reliability) -> dict[str, Any]:
    same = ("n", "word_error", "word_error_low", "word_error_high", "ece", "ece_low", "ece_high")
    luck = {"word_error_by_luck": "luck_word_mean", "ece_by_luck": "luck_mean"}
    values = {"p_value": "p_value_word", "q_value": "q_value_word", "ece_p_value": "p_value"}
    return fields_of(r, *same, **luck, **values) | {
        "verdict": verdict(r),
        "words": [fields_of(w, "phrase", "n", "rate", "low", "high", "verdict") for w in r.phrases],
        "reason": str(r.reason) or None,
    }


def verdict(r: Reliability) -> str:
    """On a group's hedged words: 'differs' if one does, 'not shown to differ' or 'not enough data'."""
    if r.differs is None:
        return "not enough data"
    return "differs" if r.differs else "not shown to differ"


def _ahead(group: GroupOutlook, names: Mapping[str, str]) -> dict[str, Any]:
    at = group.pace
    renamed = {"findings_needed": "needed", "weeks_needed": "weeks"}
    return fields_of(group, "n", "hedged", "word_error", pathology="topic", **renamed) | {
        "radiologist": names.get(group.author, group.author),
        "first_day": group.first and group.first.isoformat(),
        "last_day": group.last and group.last.isoformat(),
        "findings_per_week": at and at.per_week,
        "findings_per_week_low": at and at.low,
        "findings_per_week_high": at and at.high,
        "words": [_word(word) for word in group.words],
    }


def _word(word: WordOutlook) -> dict[str, Any]:
    need = word.needed
    rate = {"rate": "rate.rate", "low": "rate.low", "high": "rate.high"}
    weeks = {f"weeks_until_then{end}": f"weeks{end}" for end in ("", "_low", "_high")}
    return fields_of(word, "phrase", "n", **rate, **weeks) | {
        "no_advice": need and str(need.reason),
        "uses_until_judged": need and need.least,
        "uses_until_advice": need and need.more,
        "findings_until_advice": need and need.findings,
        "would_be_advised": (need and need.target) or None,
    }


def _window_lines(found: WindowSensitivity) -> list[str]:
    lines = ["Pairing windows:"]
    for w in found.windows:
        people = [r for r in w.groups if r.author != ALL_AUTHORS]
        differ = sum(verdict(r) == "differs" for r in people)
        changed = sum(c.hours == w.hours for c in found.changes)
        words = f"; the verdict on {counted(changed, 'word', 'words')} changes or is gone"
        now = " (the present one)" if w.hours == found.present else words
        unread = f", {w.n_unread:,} of them not read" if w.n_unread else ""
        lines.append(
            f"  {w.hours:g} h: {counted(w.n_pairs, 'pair', 'pairs')}{unread}, "
            f"{counted(w.n_statements, 'statement', 'statements')}; a hedged word of {differ:,} of "
            f"{counted(len(people), 'radiologist', 'radiologists')} differs from its meaning{now}"
        )
    if any(w.n_unread for w in found.windows):
        lines.append(
            "Reports that were never read stay unread here: set the wider window in Settings and read on to count them."
        )
    return lines


def _coarse_window_lines(made: Mapping[str, Any]) -> list[str]:
    """The windows without what the department has in all."""
    lines = ["Pairing windows, without totals of the department (--names shows them):"]
    for window in made["windows"]:
        changed = sum(change["hours"] == window["hours"] for change in made["verdict_changes"])
        lines.append(f"  {window['hours']:g} h: the verdict on {counted(changed, 'word', 'words')} changes or is gone")
    return lines


def _ahead_lines(
    outlook: Sequence[GroupOutlook], names: Mapping[str, str], shown: Sequence[Mapping[str, Any]], *, exact: bool
) -> list[str]:
    """The words nearest to advice, of the groups shown in the file."""
    of = {(group["radiologist"], group["pathology"], word["phrase"]) for group in shown for word in group["words"]}
    waiting = [
        (word.weeks, name, group.topic, word.phrase, word.needed.more)
        for group in outlook
        for word in group.words
        if word.weeks is not None and word.needed is not None and word.needed.more
        if ((name := names.get(group.author, group.author)), group.topic, word.phrase) in of
    ]
    if not waiting:
        return []
    lines = ["Nearest to advice, if CT goes on confirming them as now:"]
    nearest = sorted(waiting, key=lambda w: w[0])[:_SHOWN]
    if not exact:
        return [*lines, *sorted(f"  {name}, {topic}: {phrase!r}" for _, name, topic, phrase, _ in nearest)]
    for weeks, name, topic, phrase, more in nearest:
        pace = f"about {counted(max(1, round(weeks)), 'week', 'weeks')} at the present pace"
        lines.append(f"  {name}, {topic}: {more:,} more {phrase!r}: {pace}")
    return lines
