"""Stored texts replaced, and with them the sentences that stored statistics quote from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from radcal.reports.identifiers import Deidentified
    from radcal.workspace.rewriting import ReportText
    from radcal.workspace.store import Workspace

_SPOKEN = ("report_id", "sentence", "start", "end", "cue_start", "cue_end")


def replace_texts(workspace: Workspace, made: Sequence[tuple[ReportText, Deidentified]], what: str) -> bool:
    """Replace texts, all or none, and the sentences of the stored observations; whether any differs.

    ``what``: the entry of the audit log.
    """
    from radcal.reports.deidentify.rows import moved_parts
    from radcal.workspace.rewriting import Rewritten

    changed = [Rewritten(old, new) for old, new in made if new.text != old.text]
    if not changed:
        return False
    ids = list(dict.fromkeys(one.old.report_id for one in changed))
    with workspace.transaction():
        before = _spoken(workspace, ids)
        workspace.rewrite_texts(changed, moved_parts, what=what)
        now = _spoken(workspace, ids)
        moved = {old: new for run_id in before for old, new in _moved(before[run_id], now[run_id]) if old != new}
        _move_statements(workspace, moved)
    return True


class _Spoken(NamedTuple):
    """The sentence of a finding, and the span of its cue in it; -1 without one."""

    report_id: str
    sentence: str
    start: int
    end: int


def _within(start: int, end: int, cue_start: int, cue_end: int) -> tuple[int, int]:
    return (cue_start - start, cue_end - start) if start <= cue_start and cue_end <= end else (-1, -1)


def _moved(before: Sequence[_Spoken], now: Sequence[_Spoken]) -> Iterator[tuple[_Spoken, _Spoken]]:
    """What each finding said, and says now; nothing of a text is repeated whose findings are not the same any more."""
    if [s.report_id for s in before] == [s.report_id for s in now]:
        yield from zip(before, now, strict=True)
        return
    known = set(now)
    for old in before:
        yield old, old if old in known else _Spoken(old.report_id, "", -1, -1)


def _spoken(workspace: Workspace, ids: Collection[str]) -> dict[int, list[_Spoken]]:
    """The sentences of the findings in these reports, by run, and where in them the cues stand."""
    found = {}
    for run_id, *_ in workspace.run_keys():
        frame = workspace.findings(run_id, ids, _SPOKEN)
        rows = frame.itertuples(index=False, name=None)
        found[run_id] = [_Spoken(i, said, *_within(a, b, c, d)) for i, said, a, b, c, d in rows]
    return found


def _move_statements(workspace: Workspace, moved: Mapping[_Spoken, _Spoken]) -> None:
    """Give the stored observations the sentences that their findings have now."""
    observations = workspace.observations() if moved else None
    if observations is None:
        return
    sentences = {(old.report_id, old.sentence): new.sentence for old, new in moved.items()}
    xray = [
        moved.get(_Spoken(*row)) or _Spoken(row[0], sentences.get(row[:2], row[1]), *row[2:])
        for row in observations[["xray_id", "xray_sentence", "xray_cue_start", "xray_cue_end"]].itertuples(
            index=False, name=None
        )
    ]
    ct = observations[["ct_id", "ct_sentence"]].itertuples(index=False, name=None)
    columns = {
        "xray_sentence": [s.sentence for s in xray],
        "xray_cue_start": [s.start for s in xray],
        "xray_cue_end": [s.end for s in xray],
        "ct_sentence": [sentences.get(row, row[1]) for row in ct],
    }
    import pandas as pd

    kept = {
        name: pd.Series(values, index=observations.index, dtype=observations[name].dtype)
        for name, values in columns.items()
    }
    workspace.save_observations(observations.assign(**kept))
