"""Stored texts replaced: what was read in them, what people said of them, and what statistics quote moves along."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from radcal.workspace import schema
from radcal.workspace.reports import delete_unused_texts, hash_of

if TYPE_CHECKING:
    from radcal.reports.identifiers import Deidentified
    from radcal.workspace.database import Database
    from radcal.workspace.rewriting import ReportText
    from radcal.workspace.store import Workspace

_SPANS = (("start", "end"), ("term_start", "term_end"), ("cue_start", "cue_end"))
_UNDELETED = "gold_actions_keep_what_they_say"
"""The trigger under which what readers did cannot be changed."""
_SPOKEN = ("report_id", "sentence", "start", "end", "cue_start", "cue_end")


Rewritten = tuple["ReportText", "Deidentified"]
"""A text of a report, and what takes its place."""


def replace_texts(workspace: Workspace, made: Sequence[Rewritten], what: str) -> bool:
    """Replace texts, all or none, and the sentences of the stored observations; whether any differs.

    ``what``: the entry of the audit log.
    """
    with workspace.transaction():
        ids = list(dict.fromkeys(old.report_id for old, new in made if new.text != old.text))
        before = _spoken(workspace, ids) if ids else {}
        n = rewrite_texts(workspace, made, what)
        now = _spoken(workspace, ids) if ids else {}
        moved = {old: new for run_id in before for old, new in _moved(before[run_id], now[run_id]) if old != new}
        _move_statements(workspace, moved)
    return n > 0


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
        frame = workspace.findings(run_id, ids, _SPOKEN, as_read=True)
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
    kept = {
        name: pd.Series(values, index=observations.index, dtype=observations[name].dtype)
        for name, values in columns.items()
    }
    workspace.save_observations(observations.assign(**kept))


def rewrite_texts(workspace: Workspace, made: Sequence[Rewritten], what: str) -> int:
    """Replace these texts, all or nothing; return the number of reports that have another text now.

    Findings, the parts of a text that count, answers of gold sets and the versions of a report stay, with their
    spans in the new text.  Texts that no report has any more are overwritten.  Not to be called while an extraction
    is running.

    Args:
        made: texts of ``texts_of`` of the workspace; unchanged ones are passed over.
        what: the entry of the audit log.
    """
    changed = [(old, new) for old, new in made if new.text != old.text]
    if not changed:
        return 0
    texts: set[tuple[int]] = set()
    with workspace.transaction() as db, _answers_may_move(db):
        for old, new in changed:
            report_id, text_id, _ = old
            digest = hash_of(new.text, report_id)
            new_id = _text_id(db, text_id, digest, new.text)
            texts |= {(text_id,), (new_id,)}
            _move_findings(db, text_id, new_id, new)
            _move_decisions(db, text_id, new_id, new)
            _move_answers(db, report_id, text_id, digest, new)
            where = (new_id, report_id, text_id)
            db.execute(
                "UPDATE reports SET text_id = ?, version = version + 1 WHERE report_id = ? AND text_id = ?", where
            )
            db.execute("UPDATE reports SET whole_id = ? WHERE report_id = ? AND whole_id = ?", where)
            _move_versions(db, where, new)
        delete_unused_texts(db, texts)
        ids = {old.report_id for old, _ in changed}
        workspace.drop_suspects_gone(ids)
        workspace.log(what, reports=len(ids))
    return len(ids)


@contextmanager
def _answers_may_move(db: Database) -> Iterator[None]:
    """Within a transaction: without the trigger that keeps answers, which is then as RadCal makes it."""
    db.execute(f"DROP TRIGGER IF EXISTS {_UNDELETED}")
    yield
    db.execute(schema.triggers()[_UNDELETED])


def _text_id(db: Database, old_id: int, digest: bytes, text: str) -> int:
    db.execute(
        "INSERT INTO texts (hash, modality, text) SELECT ?, modality, ? FROM texts WHERE text_id = ? "
        "ON CONFLICT DO NOTHING",
        (digest, text, old_id),
    )
    rows = db.execute(
        "SELECT text_id FROM texts WHERE hash = ? AND modality = (SELECT modality FROM texts WHERE text_id = ?)",
        (digest, old_id),
    )
    return int(rows[0][0])


def _move_findings(db: Database, old_id: int, new_id: int, made: Deidentified) -> None:
    """Copy what runs read in a text to the new one, unless they have read that already."""
    runs = db.execute(
        "SELECT run_id, failure FROM extractions WHERE text_id = ? AND run_id NOT IN "
        "(SELECT run_id FROM extractions WHERE text_id = ?)",
        (old_id, new_id),
    )
    if not runs:
        return
    db.execute_many("INSERT INTO extractions (text_id, run_id, failure) VALUES (?, ?, ?)",
                    [(new_id, *run) for run in runs])  # fmt: skip
    names = [row[1] for row in db.execute("PRAGMA table_info(findings)")]
    columns = ", ".join(f'"{name}"' for name in names)
    moved = []
    for run_id, _ in runs:
        rows = db.execute(f"SELECT {columns} FROM findings WHERE text_id = ? AND run_id = ?", (old_id, run_id))  # noqa: S608 - the table's own names
        for row in rows:
            finding = _finding_moved(dict(zip(names, row, strict=True)), made) | {"text_id": new_id}
            moved.append([finding[name] for name in names])
    db.execute_many(f"INSERT INTO findings ({columns}) VALUES ({', '.join('?' * len(names))})", moved)  # noqa: S608 - the table's own names


def _move_decisions(db: Database, old_id: int, new_id: int, made: Deidentified) -> None:
    """Copy what people decided on a text to the new one, where nobody has decided otherwise on that."""
    said = db.execute(
        'SELECT start, "end", term_start, pathology, rules, phrase, decided_by, decided_at FROM decisions '
        "WHERE text_id = ?",
        (old_id,),
    )
    db.execute_many(
        'INSERT INTO decisions (text_id, start, "end", term_start, pathology, rules, phrase, decided_by, decided_at) '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(new_id, *map(made.forward, row[:3]), *row[3:]) for row in said],
    )


def _finding_moved(finding: dict[str, Any], made: Deidentified) -> dict[str, Any]:
    """A finding with its spans and its words in the new text."""
    spans = {
        name: made.forward(finding[name]) if finding[name] >= 0 else finding[name] for pair in _SPANS for name in pair
    }
    sentence = made.text[spans["start"] : spans["end"]]
    verbatim = str(finding["verbatim"])
    if spans["cue_start"] >= 0 and finding["cue_end"] - finding["cue_start"] == len(verbatim):
        verbatim = made.text[spans["cue_start"] : spans["cue_end"]]
    return {**finding, **spans, "sentence": sentence, "verbatim": verbatim}


def _move_versions(db: Database, where: tuple[int, str, int], made: Deidentified) -> None:
    from radcal.reports.deidentify.rows import moved_parts

    new_id, report_id, old_id = where
    rows = db.execute(
        "SELECT position, parts, uses FROM versions WHERE report_id = ? AND text_id = ?", (report_id, old_id)
    )
    for position, its, uses in rows:
        pieces = [[made.forward(a), made.forward(b), use] for a, b, use in json.loads(uses)] if uses else None
        db.execute(
            "UPDATE versions SET text_id = ?, parts = ?, uses = ? WHERE report_id = ? AND position = ?",
            (new_id, moved_parts(its, made), "" if pieces is None else json.dumps(pieces), report_id, position),
        )


def _move_answers(db: Database, report_id: str, old_id: int, digest: bytes, made: Deidentified) -> None:
    """Let what readers said of a report in gold sets speak of the new text.

    What they said stays; the spans and sentences of it are those of the text, so that nothing of the old one remains.
    """
    sets = [
        row[0]
        for row in db.execute(
            "SELECT set_id FROM gold_reports WHERE report_id = ? AND hash = (SELECT hash FROM texts WHERE text_id = ?)",
            (report_id, old_id),
        )
    ]
    for set_id in sets:
        db.execute("UPDATE gold_reports SET hash = ? WHERE set_id = ? AND report_id = ?", (digest, set_id, report_id))
        for seq, detail in db.execute(
            "SELECT seq, detail FROM gold_actions WHERE set_id = ? AND report_id = ?", (set_id, report_id)
        ):
            moved = json.dumps(_answers_moved(json.loads(detail), made))
            db.execute("UPDATE gold_actions SET detail = ? WHERE seq = ?", (moved, seq))


def _answers_moved(value: Any, made: Deidentified) -> Any:
    """Stored answers with the findings in them moved."""
    if isinstance(value, list):
        return [_answers_moved(one, made) for one in value]
    if not isinstance(value, dict):
        return value
    if "term_start" in value and "sentence" in value:
        return _finding_moved(value, made)
    return {key: _answers_moved(one, made) for key, one in value.items()}
