"""Statements of an author that no CT decided on, and bounds on confirmed rates that follow.

Only patients with a CT in the window enter the statistics, and who gets a CT depends on what the X-ray report says.
Nothing is assumed about the others: of n_k + u_k statements worded with phrase k, u_k without a verdict, between

    y_k / (n_k + u_k)    and    (y_k + u_k) / (n_k + u_k)

would have been confirmed, the ends being "none of them" and "all of them".

Source: Manski, "Partial Identification of Probability Distributions", 2003, chapter 1; Begg and Greenes,
"Assessment of diagnostic tests when disease verification is subject to selection bias", Biometrics 1983;39:207-215.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from radcal.findings.runs import Runs
from radcal.reliability.days import within
from radcal.reliability.group_results import GroupResults
from radcal.reliability.records import Verification, VerifiedRate
from radcal.reliability.stored_analysis import StoredAnalysis
from radcal.system.errors import DataError
from radcal.system.intervals import jeffreys
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import Selection
from radcal.words.phrases import agreeing_rates, expected_rates
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from radcal.words.records import Phrase

    Array = NDArray[np.float64]


_AT_ONCE = 10_000
"""Reports in memory at a time."""


def verified_rates(
    phrases: Sequence[Phrase], judged: Array, positives: Array, unverified: Array, confidence: float
) -> tuple[VerifiedRate, ...]:
    """Bounds of the K phrases that were said at all, in the order given.

    A verdict is given only where it holds whatever the unverified statements were, sampling error included: with
    [low, high] the bounds widened by the Jeffreys intervals of their ends, "stronger" (than CT supported) where high
    lies below what the phrase may mean (``expected_rates``), "weaker" where low lies above it.  "within" takes the
    bounds themselves, because an interval of few statements would leave every range.  All else is "open".

    Args:
        phrases: K phrases; the ranges are those of ``agreeing_rates``.
        judged, positives, unverified: (K,), n_k, y_k (0 <= y_k <= n_k, fractional where CT was unsure) and u_k.
        confidence: coverage of the intervals.

    Raises:
        DataError: a count is negative, no number, or more was confirmed than judged.
    """
    n, y, u = (np.asarray(a, dtype=np.float64) for a in (judged, positives, unverified))
    if not (n.shape == y.shape == u.shape == (len(phrases),)):
        raise DataError("Each phrase needs its counts of judged, confirmed and unverified statements.")
    if not (np.isfinite(n + y + u).all() and (np.minimum(y, u) >= 0).all() and (y <= n).all()):
        raise DataError("A count of statements is negative or no number, or more were confirmed than judged.")
    said = n + u
    share_low, share_high = jeffreys(n, said, confidence)
    rate_low, rate_high = jeffreys(y, n, confidence)
    low, _ = jeffreys(y, said, confidence)
    _, high = jeffreys(y + u, said, confidence)
    made = []
    for k in np.flatnonzero(said > 0).tolist():
        phrase = phrases[k]
        lowest, highest = float(y[k] / said[k]), float((y[k] + u[k]) / said[k])
        verdict, meant = "", agreeing_rates(phrase)
        if n[k] > 0:
            verdict = _verdict((lowest, highest), (float(low[k]), float(high[k])), meant, expected_rates(phrase))
        made.append(
            VerifiedRate(
                phrase=phrase.name,
                said=float(said[k]),
                judged=float(n[k]),
                positives=float(y[k]),
                unverified=float(u[k]),
                share_low=float(share_low[k]),
                share_high=float(share_high[k]),
                rate_low=float(rate_low[k]),
                rate_high=float(rate_high[k]),
                lowest=lowest,
                highest=highest,
                low=float(low[k]),
                high=float(high[k]),
                meaning_low=meant[0],
                meaning_high=meant[1],
                verdict=verdict,
                spans=lowest <= meant[0] and highest >= meant[1] and highest > lowest,
            )
        )
    return tuple(made)


def _verdict(
    bounds: tuple[float, float],
    widened: tuple[float, float],
    meant: tuple[float, float],
    expected: tuple[float, float],
) -> str:
    if widened[1] < expected[0]:
        return "stronger"
    if widened[0] > expected[1]:
        return "weaker"
    return "within" if meant[0] <= bounds[0] and bounds[1] <= meant[1] else "open"


class Verifications:
    """The share of statements that a CT decided on; needs the reports and the runs of a department."""

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults, runs: Runs) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups
        self._runs = runs

    def of(self, selection: Selection, progress: Progress = SILENT) -> Verification:
        """The share of the author's statements on the topic that a CT decided on, and bounds on the rates of all.

        Counts all X-ray reports attributed to the author in the date range, with or without a CT, that were read by
        the engine behind the analysis.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
            Cancelled: by ``progress``.
        """
        from radcal.findings.report_level import decide_table
        from radcal.reliability.groups import phrase_counts

        settings, lexicon = self._context.settings, self._stored.phrases
        statements = self._groups.statements(selection, progress)
        parts = self._groups.parts(selection)
        own = self.xray_reports(progress, {p.author for p in parts})
        own = own[within(own["exam_time"], selection.days)]
        ids = list(own["report_id"])
        progress.raise_if_cancelled()
        workspace, run = self._context.workspace, self._runs.on_show()
        read = workspace.read_by(run, ids)
        findings = workspace.findings(
            run, [i for i in ids if i in read], ("report_id", "pathology", "phrase", "section", "start")
        )
        progress.raise_if_cancelled()
        findings = findings[findings["pathology"].isin({p.topic for p in parts})]
        said = Counter(map(str, decide_table(findings)["phrase"])) if len(findings) else Counter[str]()

        n, y = phrase_counts(statements, [p.name for p in lexicon])
        total = np.array([said[p.name] for p in lexicon], dtype=np.float64)
        return Verification(
            author=selection.author,
            topic=selection.topic,
            n_reports=len(own),
            n_with_ct=int(own["paired"].sum()),
            n_unread=len(ids) - len(read),
            rates=verified_rates(lexicon, n, y, np.maximum(total - n, 0.0), settings.confidence),
        )

    def read_unpaired(self, progress: Progress = SILENT) -> int:
        """Extract the X-ray reports without a CT, which only :meth:`of` needs; returns their number.

        A stop loses nothing; the same call resumes.

        Raises:
            DataError: the current results are of another run than that of the engine in the settings.
            InputError, EngineError: the engine cannot be used, or failed.
            Cancelled: by ``progress``.
        """
        shown = self._runs.shown()
        if shown is not None and shown != self._runs.own():
            raise DataError(
                "The results on show were read by another engine than the one in the settings, so that what this one "
                "reads would not count with them. Show the results of the engine in the settings, or choose there the "
                "engine that read the results on show."
            )
        reports = self.xray_reports(progress)
        ids = list(reports.loc[~reports["paired"], "report_id"])
        self._runs.read_reports(ids, progress)
        return len(ids)

    def xray_reports(self, progress: Progress = SILENT, authors: Collection[str] | None = None) -> pd.DataFrame:
        """All X-ray reports of these authors, or with any author: report_id, author, exam_time, paired.

        Raises:
            DataError: nothing was imported.
            Cancelled: by ``progress``.
        """
        import pandas as pd

        from radcal.reports.authors import attributed

        workspace, rule = self._context.workspace, self._context.settings.trainee_rule
        if not workspace.has_reports(by_rows=True):
            raise DataError("There are no reports yet. Import report files first.")
        found = []
        columns = (
            "report_id", "modality", "exam_time", "author", "author_rule", "status", "dictator", "signer",
        )  # fmt: skip
        for part in workspace.reports_in_parts(columns, _AT_ONCE):
            progress.raise_if_cancelled()
            own = attributed(part[part["modality"] == "xray"], rule)
            own = own[own["author"] != "" if authors is None else own["author"].isin(authors)]
            paired = workspace.xrays_of_pairs(own["report_id"])
            found.append(own[["report_id", "author", "exam_time"]].assign(paired=own["report_id"].isin(paired)))
        return pd.concat(found, ignore_index=True)
