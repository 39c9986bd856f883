"""Marks of texts, made once: what each text recommends, and whether it has a hedge and a word of the scale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from radcal.findings.records import Advised, Recommendation
from radcal.reports.records import Modality
from radcal.system.errors import DataError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.records import ABSENT, PRESENT, Scale
from radcal.words.scales import place, scale_called

if TYPE_CHECKING:
    import pandas as pd

    from radcal.words.phrases import Lexicon
    from radcal.workspace.context import Context
    from radcal.workspace.store import Workspace

USUAL_SCALE = "brigham"
"""The scale whose words count as standard where the department has chosen none."""
_TEXTS = 500
"""Texts in memory at a time, and the most that a stop loses."""
_READ = 20_000
"""Texts read by a run that are marked at a time."""


def standard_scale(chosen: str) -> tuple[Scale, bool]:
    """The scale whose words count as standard, and whether the department chose it.

    Raises:
        InputError: an unknown scale is chosen.
    """
    scale = scale_called(chosen or USUAL_SCALE)
    assert scale is not None  # noqa: S101 - there is a name
    return scale, bool(chosen)


def save_text_marks(
    workspace: Workspace, marker: int, marks: Iterable[tuple[int, Sequence[Recommendation] | None]]
) -> None:
    """Store what texts recommend, None for one in a language that is not read; earlier marks are replaced."""
    made, rows = [], []
    for text_id, found in marks:
        kinds = {r.kind for r in found or ()}
        follow_up = bool(kinds & {Advised.IMAGING, Advised.WORKUP})
        made.append((text_id, marker, found is None, follow_up, Advised.CORRELATION in kinds, Advised.OTHER in kinds))
        for position, r in enumerate(found or ()):
            rows.append((text_id, position, str(r.kind), r.modality, *(r.days or (None, None)), r.start, r.end))
    with workspace.transaction() as db:
        db.execute_many("DELETE FROM text_marks WHERE text_id = ?", [(row[0],) for row in made])
        db.execute_many("INSERT INTO text_marks VALUES (?, ?, ?, ?, ?, ?)", [tuple(map(int, row)) for row in made])
        db.execute_many("INSERT INTO recommendations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


class Marking:
    """Marks the texts of an open workspace, and sums up by author, modality and day; in a worker thread."""

    def __init__(self, context: Context, lexicon: Lexicon, run_id: int) -> None:
        """Marking for the run behind the results, with the lexicon of its results."""
        from radcal.findings.recommendations import shipped_finder

        self._workspace = context.workspace
        self._run = run_id
        self._finder = shipped_finder()
        scale, _ = standard_scale(context.settings.vocabulary)
        words = hashlib.sha256(f"{scale!r} {lexicon.version}".encode()).hexdigest()[:16]
        self._keys = f"recommendations {self._finder.version}", f"words {scale.key} {words}"
        plain = {p.name for p in lexicon.phrases if min(p.alpha, p.beta) == 0} | {ABSENT, PRESENT}

        @lru_cache(maxsize=100_000)
        def is_standard(phrase: str, verbatim: str) -> bool:
            return phrase not in plain and place(scale, verbatim, phrase, lexicon)[0] == "within"

        self._is_standard = is_standard

    def counts(self, progress: Progress = SILENT) -> pd.DataFrame:
        """As ``habit_counts`` of the workspace, after marking what is not marked yet.

        Raises:
            DataError: something is not marked yet, and the workspace is open to read only.
            Cancelled: by ``progress``; what was marked is kept, and the same call goes on.
        """
        return self._workspace.habit_counts(self._run, *self._marked(progress))

    def recommended(self, progress: Progress = SILENT) -> pd.DataFrame:
        """As ``recommended`` of the workspace, after marking; raises as :meth:`counts`."""
        return self._workspace.recommended(self.searched(progress))

    def searched(self, progress: Progress = SILENT) -> int:
        """The marker of the search for recommendations, after marking; raises as :meth:`counts`."""
        return self._marked(progress)[0]

    def _marked(self, progress: Progress) -> tuple[int, int]:
        if self._workspace.read_only:
            return self._marked_already()
        texts, words = map(self._workspace.marker, self._keys)
        self._mark_texts(texts, progress)
        self._mark_wordings(words, progress)
        return texts, words

    def _marked_already(self) -> tuple[int, int]:
        texts, words = map(self._workspace.known_marker, self._keys)
        if (
            texts is None
            or words is None
            or self._workspace.count_unmarked_texts(texts)
            or self._workspace.count_unmarked_wordings(self._run, words)
        ):
            raise DataError(
                "Not all reports are searched for recommendations yet, and what is found could not be kept, because "
                "the workspace is open to read only. Close it where it is open for writing, and open it here again."
            )
        return texts, words

    def _mark_texts(self, marker: int, progress: Progress) -> None:
        from radcal.reports.sections import document

        total = self._workspace.count_unmarked_texts(marker)
        if not total:
            return
        progress.start(total, Text("Looking for recommendations"))
        last = 0
        try:
            while batch := self._workspace.unmarked_texts(marker, last, _TEXTS):
                progress.raise_if_cancelled()
                found = [
                    (text_id, self._finder.find(document("", text, Modality(modality))))
                    for text_id, modality, text in batch
                ]
                save_text_marks(self._workspace, marker, found)
                last = batch[-1].text_id
                progress.advance(len(batch))
        finally:
            self._finder.forget()
        self._workspace.log("reports searched for recommendations", texts=total)

    def _mark_wordings(self, marker: int, progress: Progress) -> None:
        total = self._workspace.count_unmarked_wordings(self._run, marker)
        if not total:
            return
        progress.start(total, Text("Counting the words of certainty"))
        last, n = self._workspace.mark_wordings(self._run, marker, 0, _READ, self._is_standard)
        while n:
            progress.advance(n)
            progress.raise_if_cancelled()
            last, n = self._workspace.mark_wordings(self._run, marker, last, _READ, self._is_standard)
