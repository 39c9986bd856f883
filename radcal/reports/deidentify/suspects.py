"""Words that de-identification left and that may be identifiers: listed, then removed or left by a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from radcal.reports.identifiers import PLACEHOLDERS, Edit
from radcal.reports.moved_statements import replace_texts

if TYPE_CHECKING:
    from radcal.workspace.store import Workspace


class Suspicion(NamedTuple):
    """Words left in a report that may be an identifier.

    kind: 'name' or 'number';  sentence: where they stand first;  reports: that have the same words
    """

    report_id: str
    kind: str
    words: str
    sentence: str
    reports: int


class Suspects:
    """The words left in a department's reports that may be identifiers."""

    def __init__(self, workspace: Workspace, rewritten: Callable[[], None]) -> None:
        """``rewritten`` is called when stored texts were replaced."""
        self._workspace, self._tell = workspace, rewritten

    def listed(self) -> tuple[Suspicion, ...]:
        """Words left that may be identifiers, the most suspicious first: those that stand in the fewest reports."""
        rows = self._workspace.suspects()
        often = Counter((kind, words) for _, kind, words, _ in rows)
        ids = list(dict.fromkeys(row.report_id for row in rows))
        texts: dict[str, list[str]] = {}
        for text in self._workspace.texts_of(ids):
            texts.setdefault(text.report_id, []).append(text.text)
        rows.sort(key=lambda row: (often[row[1], row[2]], row[3], row[2], row[0]))
        return tuple(
            Suspicion(report_id, kind, words, _sentence_with(words, texts.get(report_id, ())), often[kind, words])
            for report_id, kind, words, _ in rows
        )

    def count(self) -> int:
        """The number of :meth:`listed`."""
        return self._workspace.count_suspects()

    def remove(self, found: Iterable[Suspicion]) -> None:
        """Take words out of all texts of their reports: they are identifiers."""
        from radcal.reports.deidentify.spans import applied

        chosen = list(found)
        wanted: dict[str, list[Suspicion]] = {}
        for one in chosen:
            wanted.setdefault(one.report_id, []).append(one)
        made = []
        for text in self._workspace.texts_of(wanted):
            edits: list[Edit] = []
            for one in sorted(wanted[text.report_id], key=lambda s: -len(s.words)):
                for m in _whole(one.words).finditer(text.text):
                    if not any(m.start() < e.end and e.start < m.end() for e in edits):
                        edits.append(Edit(m.start(), m.end(), PLACEHOLDERS[one.kind], one.kind))
            made.append((text, applied(text.text, edits)))
        with self._workspace.transaction():
            changed = replace_texts(self._workspace, made, "suspected identifiers removed")
            self._settle(chosen, left=False)
        if changed:
            self._tell()

    def leave(self, found: Iterable[Suspicion]) -> None:
        """Keep words in their reports: they are no identifiers, and are not listed again."""
        chosen = list(found)
        with self._workspace.transaction():
            self._settle(chosen, left=True)
            self._workspace.log("suspected identifiers left", words=len(chosen))

    def _settle(self, chosen: Sequence[Suspicion], *, left: bool) -> None:
        self._workspace.settle_suspects(((s.report_id, s.kind, s.words) for s in chosen), kept=left)


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")


def _sentence_with(words: str, texts: Iterable[str]) -> str:
    """The sentence in which words stand first, '' if nowhere."""
    from radcal.reports.sections import document

    pattern = _whole(words)
    for text in texts:
        if (found := pattern.search(text)) is not None:
            inside = [s.text for s in document("", text).sentences if s.start <= found.start() < s.end]
            if inside:
                return inside[0]
            start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
            return text[start : end if end >= 0 else len(text)].strip()
    return ""
