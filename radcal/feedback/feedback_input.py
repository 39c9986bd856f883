"""The input of an author's feedback pages, from the analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from radcal.advice.records import Advice
from radcal.feedback.records import Example, FeedbackInput
from radcal.reliability.analysis_records import Analysis
from radcal.reliability.records import (
    CONTESTED_LEFT_OUT,
    SILENT_ABSENT,
    SILENT_LEFT_OUT,
    UNKNOWN_PHRASE,
    UNMENTIONED,
    UNREAD_LEFT_OUT,
)
from radcal.system.selection import Days
from radcal.system.text import Text
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase

if TYPE_CHECKING:
    import pandas as pd

EXAMPLES = 4
"""Examples printed for each phrase with advice."""
UNREAD = Text("pairs left out because one of their reports could not be read")
COUNTS_IN_WORDS: Mapping[str, str] = {
    UNMENTIONED: UNMENTIONED,
    SILENT_ABSENT: Text("not mentioned on CT, taken as absent"),
    SILENT_LEFT_OUT: Text("not mentioned on CT, left out"),
    UNKNOWN_PHRASE: Text("worded in a phrase of no list, left out"),
    UNREAD_LEFT_OUT: Text("beside words of doubt that were not understood, left out"),
    CONTESTED_LEFT_OUT: Text("contested as misread, left out"),
}
"""The counts of Analysis printed on a page, and their wording there."""


def feedback_input(
    author: str,
    analysis: Analysis,
    observations: pd.DataFrame,
    pseudonym: str,
    phrases: tuple[Phrase, ...],
    days: Days,
    silence: Mapping[str, str],
) -> FeedbackInput:
    """The input of an author's pages.

    Args:
        analysis: the author's part of the analysis in the date range.
        observations: the author's, in the date range; those that may be printed as examples.
        pseudonym, phrases, days: as in FeedbackInput.
        silence: by pathology, why a CT report that says nothing of it counts as absent.
    """
    (pairs,) = analysis.pairs
    return FeedbackInput(
        author=author,
        pseudonym=pseudonym,
        reliabilities=analysis.reliabilities,
        advices=analysis.advices,
        examples=_examples(observations, analysis.advices, phrases, silence),
        phrases=phrases,
        provenance=analysis.provenance,
        counts=_counts(analysis) | ({UNREAD: pairs.unread} if pairs.unread else {}),
        days=days,
        pooled=next(iter(analysis.pooled), None),
        pooled_advice=next(iter(analysis.pooled_advices), None),
    )


def _counts(analysis: Analysis) -> dict[str, int]:
    """Non-zero totals over all topics, and that of UNMENTIONED in any case."""
    totals = dict.fromkeys(COUNTS_IN_WORDS, 0)
    for _author, _topic, what, n in analysis.counts:
        if what in totals:
            totals[what] += n
    return {COUNTS_IN_WORDS[what]: n for what, n in totals.items() if n or what == UNMENTIONED}


def _examples(
    observations: pd.DataFrame, advices: Sequence[Advice], phrases: Sequence[Phrase], silence: Mapping[str, str]
) -> tuple[Example, ...]:
    """The latest findings behind each recommendation, first those to which the word suggested is closer."""
    mean = {p.name: mean_of(p) for p in phrases}
    examples: list[Example] = []
    for topic, recommendation in ((a.topic, r) for a in advices for r in a.recommendations):
        own = (observations["topic"] == topic) & (observations["phrase"] == recommendation.source)
        found = observations[own].sort_values("xray_time", ascending=False, kind="stable", ignore_index=True)
        source, target = mean[recommendation.source], mean[recommendation.target]
        closer = (found["outcome"] - target).abs() < (found["outcome"] - source).abs()
        chosen = found[closer].head(EXAMPLES - 1)
        others = found[~closer].head(EXAMPLES - len(chosen))
        examples.extend(
            Example(
                topic=topic,
                phrase=recommendation.source,
                xray_sentence=str(row["xray_sentence"]),
                cue_start=int(row["xray_cue_start"]),
                cue_end=int(row["xray_cue_end"]),
                ct_sentence=str(row["ct_sentence"]),
                outcome=float(row["outcome"]),
                day=row["xray_time"].date(),
                silence="" if row["ct_sentence"] else silence.get(topic, ""),
            )
            for row in (*chosen.to_dict("records"), *others.to_dict("records"))
        )
    return tuple(examples)
