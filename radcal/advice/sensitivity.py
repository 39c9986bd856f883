"""What another pairing window would make of the results, without changing the workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.advice.analysis import Analyser, Matched, by_authors
from radcal.calibration.pooled import measure_pooled
from radcal.calibration.records import POOLS, Reliability, Tables, pool_of
from radcal.calibration.reference import mixes_of
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.sensitivity_records import VerdictChange, WindowResult, WindowSensitivity
from radcal.calibration.tables import build_tables
from radcal.findings.runs import Runs
from radcal.reports.pairing import PairingInParts
from radcal.reports.stored_pairs import of_patients
from radcal.review.records import ReadingErrors
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Selection
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.records import Phrase
from radcal.workspace.context import Context

if TYPE_CHECKING:
    import pandas as pd

WINDOWS = (3.0, 6.0, 12.0, 24.0)
"""Hours that are tried unless others are asked for."""


class Windows:
    """Pairs the reports anew in memory, under other windows, and measures what was read of them.

    Nothing is read for it: pairs with a report that the engine behind the results has never read are counted.
    """

    def __init__(self, context: Context, analyser: Analyser, runs: Runs, has_reports: Callable[[], bool]) -> None:
        self._context = context
        self._analyser = analyser
        self._runs = runs
        self._has_reports = has_reports

    def compare(
        self, hours: Sequence[float] = WINDOWS, selection: Selection | None = None, progress: Progress = SILENT
    ) -> WindowSensitivity:
        """The results under several windows, that of the settings among them.

        Args:
            hours: the windows, each above 0.
            selection: the group to be measured; None for each author and each topic, everything of theirs together.
            progress: advances by windows.

        Raises:
            InputError: a window is out of bounds.
            DataError: there are no reports.
        """
        settings = self._context.settings
        if min(hours, default=1) <= 0:
            raise InputError("A pairing window is longer than 0 hours. Choose other windows.")
        wanted = sorted({*(settings.changed(window_hours=h).window_hours for h in hours), settings.window_hours})
        if not self._has_reports():
            raise DataError("There are no reports yet. Import report files first.")
        run = self._runs.key_on_show()
        progress.start(len(wanted), Text("Pairing within other windows"))
        made = []
        for window in wanted:
            progress.raise_if_cancelled()
            pairs = self._pairs(settings.changed(window_hours=window), progress)
            days = ALL_DAYS if selection is None else selection.days
            matched = self._analyser.match(run, by_authors(pairs), progress, days=days)
            groups = self._measured(matched, selection, progress)
            statements = int(matched.entered["n"].sum())
            made.append(WindowResult(window, len(pairs), len(pairs) - matched.n_read, statements, groups))
            progress.advance()
        return WindowSensitivity(settings.window_hours, tuple(made), _changes(settings.window_hours, made))

    def _pairs(self, settings: Settings, progress: Progress) -> pd.DataFrame:
        """The pairs under other settings, in order of X-ray time and id."""
        import pandas as pd

        pairing, made = PairingInParts(settings), []
        for reports, versions in of_patients(self._context.workspace):
            progress.raise_if_cancelled()
            made.append(pairing.pair(reports, versions, progress).pairs)
        return pd.concat(made, ignore_index=True).sort_values(["xray_time", "xray_id"], ignore_index=True)

    def _measured(self, matched: Matched, selection: Selection | None, progress: Progress) -> tuple[Reliability, ...]:
        settings, phrases = self._context.settings, self._context.lexicon.phrases
        entered = matched.entered
        if entered.empty:
            return ()
        tables = _tables(entered, phrases, matched.errors)
        spread = spread_of(tables, phrases, settings, progress)
        if selection is None:
            return tuple(r for by in POOLS for r in measure_pooled(tables, phrases, settings, by, progress, spread))
        by, own = pool_of(selection.author, selection.topic), entered["within"]
        if by != "topic":
            own = own & (entered["author"] == selection.author)
        if by != "author":
            own = own & (entered["topic"] == selection.topic)
        if not own.any():
            return ()
        tables = replace(_tables(entered[own], phrases, matched.errors), mixes=mixes_of(tables))
        if by is not None:
            return measure_pooled(tables, phrases, settings, by, progress, spread)
        return measure(tables, phrases, settings, progress, threads=1, spread=spread)


def _tables(entered: pd.DataFrame, phrases: Sequence[Phrase], errors: ReadingErrors | None) -> Tables:
    return build_tables(entered, phrases, errors=errors, n=entered["n"].to_numpy())


def _changes(present: float, windows: Sequence[WindowResult]) -> tuple[VerdictChange, ...]:
    """The words with another verdict than under the present window."""
    by_window = {
        window.hours: {(r.author, r.topic, w.phrase): w.verdict for r in window.groups for w in r.phrases}
        for window in windows
    }
    now = by_window[present]
    return tuple(
        VerdictChange(*word, hours, now.get(word, ""), verdicts.get(word, ""))
        for hours, verdicts in by_window.items()
        for word in sorted({*now, *verdicts})
        if now.get(word, "") != verdicts.get(word, "")
    )
