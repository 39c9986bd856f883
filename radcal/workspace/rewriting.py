"""Texts of stored reports replaced in place: what was read in them, and what people said of them, moves along."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from radcal.workspace import schema
from radcal.workspace.reports import delete_unused_texts, hash_of
from radcal.workspace.tables import Store

if TYPE_CHECKING:
    from radcal.reports.identifiers import Deidentified
    from radcal.workspace.database import Database

_SPANS = (("start", "end"), ("term_start", "term_end"), ("cue_start", "cue_end"))
_UNDELETED = "gold_actions_keep_what_they_say"
"""The trigger under which what readers did cannot be changed."""


class ReportText(NamedTuple):
    """A text of a report: the one that counts, the whole one, or that of one of its rows."""

    report_id: str
    text_id: int
    text: str


class StoredSuspect(NamedTuple):
    """Words left in a report that may identify somebody; ``place`` 0 is the most suspicious."""

    report_id: str
    kind: str
    words: str
    place: int


class Rewritten(NamedTuple):
    """A text of a report, and what takes its place."""

    old: ReportText
    made: Deidentified


class RewritingStore(Store):
    """Replaces texts of reports without losing what belongs to them."""

    def texts_of(self, ids: Iterable[str]) -> list[ReportText]:
        """All distinct texts of these reports, in the order of ``ids``."""
        sql = """
            SELECT id, text_id, text FROM (
                SELECT place, id, text_id FROM temp.wanted JOIN reports ON report_id = id
                UNION SELECT place, id, whole_id FROM temp.wanted JOIN reports ON report_id = id
                    WHERE whole_id IS NOT NULL
                UNION SELECT place, id, versions.text_id FROM temp.wanted JOIN versions ON report_id = id)
            JOIN texts USING (text_id) ORDER BY place, text_id
        """
        return [ReportText(*row) for row in self._rows(sql, ids=ids)]

    def mark_deidentified(self, ids: Iterable[str]) -> None:
        """Keep that these reports were de-identified."""
        with self._db.transaction() as db:
            self._want(ids)
            db.execute("UPDATE reports SET deidentified = 1 WHERE report_id IN (SELECT id FROM temp.wanted)")

    def deidentified(self, ids: Iterable[str] | None = None) -> frozenset[str]:
        """The reports that were de-identified, or those of ``ids``."""
        wanted = "" if ids is None else "JOIN temp.wanted ON id = report_id"
        rows = self._rows(f"SELECT report_id FROM reports {wanted} WHERE deidentified", ids=ids)  # noqa: S608 - constants
        return frozenset(row[0] for row in rows)

    def count_as_read(self) -> int:
        """The number of reports that were not de-identified."""
        return int(self._db.execute("SELECT count(*) FROM reports WHERE NOT deidentified")[0][0])

    def parts_as_read(self, most: int) -> Iterator[list[str]]:
        """The reports that were not de-identified, at most so many at a time, in the order of their first import."""
        sql = "SELECT seq, report_id FROM reports WHERE NOT deidentified AND seq > ? ORDER BY seq LIMIT ?"
        after = 0
        while rows := self._db.execute(sql, (after, most)):
            yield [row[1] for row in rows]
            after = rows[-1][0]

    def put_suspects(self, found: Iterable[tuple[str, str, str, int]], ids: Iterable[str]) -> int:
        """Add what is suspected in these reports, and return how much there is that nobody has decided on yet.

        What was suspected before stays, and was kept stays so, as long as a text of its report has the words.
        """
        ids = list(ids)
        with self._db.transaction() as db:
            self._drop_suspects_gone(ids)
            # Of reports that are stored: rows may contradict each other.
            db.execute_many(
                "INSERT INTO suspects (report_id, kind, words, place) SELECT report_id, ?2, ?3, ?4 FROM reports "
                "WHERE report_id = ?1 ON CONFLICT DO NOTHING",
                found,
            )
            self._want(ids)
            of = "report_id IN (SELECT id FROM temp.wanted)"
            return int(db.execute(f"SELECT count(*) FROM suspects WHERE NOT kept AND {of}")[0][0])  # noqa: S608 - a constant

    def _drop_suspects_gone(self, ids: Iterable[str]) -> None:
        """Forget the words suspected in these reports, and those kept, that no text of their report has any more."""
        rows = self._rows("SELECT report_id, kind, words FROM temp.wanted JOIN suspects ON report_id = id", ids=ids)
        texts: dict[str, list[str]] = {}
        for report_id, _, text in self.texts_of(dict.fromkeys(row[0] for row in rows)) if rows else ():
            texts.setdefault(report_id, []).append(text)
        gone = [row for row in rows if not any(row[2] in text for text in texts.get(row[0], ()))]
        self.settle_suspects(gone, kept=False)

    def count_suspects(self) -> int:
        """The number of :meth:`suspects`."""
        return int(self._db.execute("SELECT count(*) FROM suspects WHERE NOT kept")[0][0])

    def suspects(self) -> list[StoredSuspect]:
        """The words left in texts of reports that may identify somebody, and that nobody decided on yet."""
        rows = self._db.execute("SELECT report_id, kind, words, place FROM suspects WHERE NOT kept")
        return [StoredSuspect(*row) for row in rows]

    def settle_suspects(self, chosen: Iterable[tuple[str, str, str]], *, kept: bool) -> None:
        """Enter of words, by report_id, kind and words, that they are kept, or are no longer there."""
        where = "WHERE report_id = ? AND kind = ? AND words = ?"
        with self._db.transaction() as db:
            db.execute_many(
                f"UPDATE suspects SET kept = 1 {where}" if kept else f"DELETE FROM suspects {where}",  # noqa: S608 - constants
                chosen,
            )

    def cap_ages(self, ids: Iterable[str], most: int) -> None:
        """Store this age in years for all patients of these reports who are older."""
        with self._db.transaction() as db:
            self._want(ids)
            db.execute(
                "UPDATE reports SET age = ? WHERE age > ? AND report_id IN (SELECT id FROM temp.wanted)", (most, most)
            )

    def rewrite_texts(self, made: Sequence[Rewritten], parts: Callable[[str, Deidentified], str], *, what: str) -> int:
        """Replace these texts, all or nothing; return the number of reports that have another text now.

        Findings, the parts of a text that count, answers of gold sets and the versions of a report stay, with their
        spans in the new text.  Texts that no report has any more are overwritten.  Not to be called while an extraction
        is running.

        Args:
            made: texts of :meth:`texts_of`; unchanged ones are passed over.
            parts: gives the parts of a text, as VERSION_COLUMNS has them, their spans in the new one.
            what: the entry of the audit log.
        """
        changed = [one for one in made if one.made.text != one.old.text]
        if not changed:
            return 0
        texts: set[tuple[int]] = set()
        with self._db.transaction() as db, _answers_may_move(db):
            for old, new in changed:
                report_id, text_id, _ = old
                digest = hash_of(new.text, report_id)
                new_id = _text_id(db, text_id, digest, new.text)
                texts |= {(text_id,), (new_id,)}
                _move_findings(db, text_id, new_id, new)
                _move_answers(db, report_id, text_id, digest, new)
                where = (new_id, report_id, text_id)
                db.execute(
                    "UPDATE reports SET text_id = ?, version = version + 1 WHERE report_id = ? AND text_id = ?", where
                )
                db.execute("UPDATE reports SET whole_id = ? WHERE report_id = ? AND whole_id = ?", where)
                _move_versions(db, where, new, parts)
            delete_unused_texts(db, texts)
            ids = {one.old.report_id for one in changed}
            self._drop_suspects_gone(ids)
            reports = len(ids)
            self.log(what, reports=reports)
        return reports


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
            finding = _moved(dict(zip(names, row, strict=True)), made) | {"text_id": new_id}
            moved.append([finding[name] for name in names])
    db.execute_many(f"INSERT INTO findings ({columns}) VALUES ({', '.join('?' * len(names))})", moved)  # noqa: S608 - the table's own names


def _moved(finding: dict[str, Any], made: Deidentified) -> dict[str, Any]:
    """A finding with its spans and its words in the new text."""
    spans = {
        name: made.forward(finding[name]) if finding[name] >= 0 else finding[name] for pair in _SPANS for name in pair
    }
    sentence = made.text[spans["start"] : spans["end"]]
    verbatim = str(finding["verbatim"])
    if spans["cue_start"] >= 0 and finding["cue_end"] - finding["cue_start"] == len(verbatim):
        verbatim = made.text[spans["cue_start"] : spans["cue_end"]]
    return {**finding, **spans, "sentence": sentence, "verbatim": verbatim}


def _move_versions(
    db: Database, where: tuple[int, str, int], made: Deidentified, parts: Callable[[str, Deidentified], str]
) -> None:
    new_id, report_id, old_id = where
    rows = db.execute(
        "SELECT position, parts, uses FROM versions WHERE report_id = ? AND text_id = ?", (report_id, old_id)
    )
    for position, its, uses in rows:
        pieces = [[made.forward(a), made.forward(b), use] for a, b, use in json.loads(uses)] if uses else None
        db.execute(
            "UPDATE versions SET text_id = ?, parts = ?, uses = ? WHERE report_id = ? AND position = ?",
            (new_id, parts(its, made), "" if pieces is None else json.dumps(pieces), report_id, position),
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
        return _moved(value, made)
    return {key: _answers_moved(one, made) for key, one in value.items()}
