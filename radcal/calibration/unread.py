"""What was left unread, and what it would change: the results with all of it present, and with all of it absent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration import scoring
from radcal.calibration.analysis_records import Figures, Unread
from radcal.calibration.matched_pairs import match_pairs
from radcal.calibration.pooled import pooled
from radcal.calibration.records import ALL_AUTHORS, UNREAD_LEFT_OUT
from radcal.calibration.reference import corrected_counts, references
from radcal.calibration.tables import build_tables
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text, joined
from radcal.words.bins import bin_phrases
from radcal.words.records import ABSENT, PRESENT, UNREAD

if TYPE_CHECKING:
    import pandas as pd

    from radcal.calibration.records import Tables
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase
    from radcal.workspace.context import Context

_GROUP = ["author", "topic", "phrase", "outcome"]


def effects_of_unread(
    context: Context,
    run: int,
    parts: Iterable[pd.DataFrame],
    entering: Callable[[pd.DataFrame], pd.DataFrame],
    entered: pd.DataFrame,
    counts: Iterable[tuple[str, str, str, int]],
) -> tuple[Unread, ...]:
    """Of each group with statements left out as unread, and of groups together: how many, and what they would change.

    At the one extreme, every unread finding of X-ray and CT reports is present; at the other, it is absent.

    Args:
        run: the extraction run behind the analysis.
        parts: its pairs, some authors at a time.
        entering: those of some observations that enter the statistics.
        entered: author, topic, phrase, outcome and n of all that did.
        counts: rows (author, topic, what, n), as in Analysis.
    """
    import pandas as pd

    left_out: Counter[tuple[str, str]] = Counter()
    for author, topic, what, n in counts:
        for group in {(author, topic), (author, ALL_TOPICS), (ALL_AUTHORS, topic), (ALL_AUTHORS, ALL_TOPICS)}:
            left_out[group] += n if what == UNREAD_LEFT_OUT else 0
    if not +left_out:
        return ()
    workspace, settings, phrases = context.workspace, context.settings, context.lexicon.phrases
    unread = workspace.reports_saying(run, UNREAD)
    moved: dict[str, list[pd.DataFrame]] = {PRESENT: [], ABSENT: []}
    for pairs in parts:
        touched = pairs[pairs["xray_id"].isin(unread) | pairs["ct_id"].isin(unread)]
        read = workspace.read_by(run, [*touched["xray_id"], *touched["ct_id"]])
        touched = touched[touched["xray_id"].isin(read) & touched["ct_id"].isin(read)]
        now = entering(match_pairs(workspace, run, touched, settings, phrases)[0])
        for reading, changes in moved.items():
            then = entering(match_pairs(workspace, run, touched, settings, phrases, {UNREAD: reading})[0])
            changes += [now[_GROUP].assign(n=-1), then[_GROUP].assign(n=1)]
    as_read = {UNREAD: [], **moved}
    figures = [_figures(pd.concat([entered[[*_GROUP, "n"]], *more]), phrases, settings) for more in as_read.values()]
    return tuple(Unread(*group, n, *(of.get(group) for of in figures)) for group, n in sorted(left_out.items()) if n)


def _figures(
    observations: pd.DataFrame, phrases: Sequence[Phrase], settings: Settings
) -> Mapping[tuple[str, str], Figures]:
    """The figures of every group, and of groups together."""
    observations = observations.groupby(_GROUP)["n"].sum().reset_index()
    observations = observations[observations["n"] > 0]
    tables = build_tables(observations, phrases, n=observations["n"].to_numpy())
    by_author = pooled(tables, "author")
    every: dict[tuple[str, str], Figures] = {}
    for made in (tables, by_author, pooled(tables, "topic"), pooled(by_author, "topic")):
        every |= _of_tables(made, phrases, settings)
    return every


def _of_tables(tables: Tables, phrases: Sequence[Phrase], settings: Settings) -> Mapping[tuple[str, str], Figures]:
    words = {p.name: p for p in phrases}
    bins = bin_phrases([words[name] for name in tables.phrases], settings.n_bins, settings.method)
    said, confirmed = tables.counts.sum(axis=2), corrected_counts(tables, *references(tables, settings))
    n = said.sum(axis=1)
    columns = (n, said @ bins.mean / n, confirmed.sum(axis=1) / n, scoring.word_error(said, confirmed, bins))
    return {
        group: Figures(of, certainty, rate, None if np.isnan(error) or of < settings.min_group_n else error)
        for group, of, certainty, rate, error in zip(tables.groups, *(c.tolist() for c in columns), strict=True)
    }


def unread_note(unread: Unread) -> Text:
    """How many statements were left unread, and what they would change, in sentences."""
    told = [
        Text(
            "{n:,} statement was left unread, and counts for nothing.",
            many="{n:,} statements were left unread, and count for nothing.",
            n=unread.n,
        )
    ]
    if unread.now is not None and unread.present is not None and unread.absent is not None:
        told.append(
            Text(
                "Were all that is unread present, the mean certainty stated would be {high:.1%} instead of {now:.1%}, "
                "and {confirmed_high:.1%} confirmed instead of {confirmed:.1%}; were all of it absent, {low:.1%} and "
                "{confirmed_low:.1%}.",
                now=unread.now.certainty,
                high=unread.present.certainty,
                low=unread.absent.certainty,
                confirmed=unread.now.confirmed,
                confirmed_high=unread.present.confirmed,
                confirmed_low=unread.absent.confirmed,
            )
        )
        errors = [f.word_error for f in (unread.now, unread.present, unread.absent)]
        if None not in errors:
            now, present, absent = errors
            told.append(
                Text(
                    "The word error would be {present:.1%} or {absent:.1%} instead of {now:.1%}.",
                    now=now,
                    present=present,
                    absent=absent,
                )
            )
    return joined(told)
