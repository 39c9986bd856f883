"""Gold sets: the reports drawn for people to read, the readers, and a log of their actions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from radcal.system.clock import after, now
from radcal.system.errors import DataError
from radcal.workspace.tables import Store


@dataclass(frozen=True, slots=True)
class StoredGoldSet:
    """A gold set; ``made`` is UTC in ISO 8601, ``run_id`` the extraction run whose findings are judged.

    drawn: how the reports were sampled, in words
    """

    set_id: int
    made: str
    drawn: str
    seed: int
    blind: bool
    run_id: int


@dataclass(frozen=True, slots=True)
class StoredAction:
    """An action of a reader on a report of a gold set; ``detail`` is JSON whose shape depends on ``kind``.

    at: when it was done, UTC in ISO 8601; '' to be stored with the present time
    """

    action: str
    reader: str
    report_id: str
    kind: str
    detail: str
    undone: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """Whether an action stands undone, and since when: UTC in ISO 8601, to the microsecond."""

    undone: bool
    at: str


_TURNED = "answer turned"
"""Kind of the stored results that say since when an action stands as it does."""


class ReviewStore(Store):
    """Gold sets and the append-only log of the readers' actions."""

    def add_gold_set(self, report_ids: Sequence[str], *, drawn: str, seed: int, blind: bool, run_id: int) -> int:
        """Store a new gold set of these reports, in this order; return its number.

        Raises:
            DataError: no report, one twice, or one that is not in the workspace.
        """
        if not report_ids or len(set(report_ids)) < len(report_ids):
            raise DataError("A gold set has at least one report, and each report once.")
        with self._db.transaction() as db:
            self.want(report_ids)
            hashes = db.execute(
                "SELECT id, hash FROM temp.wanted JOIN reports ON report_id = id JOIN texts USING (text_id)"
            )
            hash_of = dict(hashes)
            if len(hash_of) < len(report_ids):
                raise DataError("A gold set has reports that are not in the workspace. Import them first.")
            set_id = 1 + int(db.execute("SELECT coalesce(max(set_id), 0) FROM gold_sets")[0][0])
            db.execute(
                "INSERT INTO gold_sets VALUES (?, ?, ?, ?, ?, ?)", (set_id, now(), drawn, seed, int(blind), run_id)
            )
            db.execute_many(
                "INSERT INTO gold_reports VALUES (?, ?, ?, ?)",
                [(set_id, position, i, hash_of[i]) for position, i in enumerate(report_ids)],
            )
            self.log("gold set drawn", reports=len(report_ids))
        return set_id

    def gold_sets(self) -> list[StoredGoldSet]:
        """All gold sets, oldest first."""
        rows = self._db.execute("SELECT set_id, made, drawn, seed, blind, run_id FROM gold_sets ORDER BY set_id")
        return [StoredGoldSet(i, made, drawn, seed, bool(blind), run) for i, made, drawn, seed, blind, run in rows]

    def gold_reports(self, set_id: int) -> list[tuple[str, bool]]:
        """The reports of a gold set in order, and whether each still has the text it had when it was drawn."""
        rows = self._db.execute(
            """
            SELECT g.report_id, g.hash IS t.hash FROM gold_reports g
            LEFT JOIN reports r ON r.report_id = g.report_id LEFT JOIN texts t USING (text_id)
            WHERE set_id = ? ORDER BY position
            """,
            (set_id,),
        )
        return [(report_id, bool(same)) for report_id, same in rows]

    def gold_marked(self) -> set[str]:
        """The reports that readers have annotated, in any gold set."""
        rows = self._db.execute("SELECT DISTINCT report_id FROM gold_actions WHERE NOT undone")
        return {report_id for (report_id,) in rows}

    def distinct_texts(self, report_ids: Iterable[str]) -> list[str]:
        """The reports in order, without repeated texts."""
        sql = """
            SELECT id, min(place) FROM temp.wanted JOIN reports ON report_id = id GROUP BY text_id ORDER BY min(place)
        """
        return [row[0] for row in self._rows(sql, ids=report_ids)]

    def gold_readers(self) -> list[str]:
        """All readers of gold sets, in the order in which they were added."""
        return [row[0] for row in self._db.execute("SELECT name FROM gold_readers ORDER BY reader_id")]

    def add_gold_reader(self, name: str) -> None:
        """Add a reader; an existing one is unchanged.

        Raises:
            DataError: no name.
        """
        if not name.strip():
            raise DataError("A reader needs a name or initials.")
        self._db.execute("INSERT INTO gold_readers (name) VALUES (?) ON CONFLICT DO NOTHING", (name.strip(),))

    def add_gold_actions(self, set_id: int, actions: Sequence[StoredAction]) -> None:
        """Append to the log, all or nothing; known actions stay unchanged.

        Raises:
            DataError: no such gold set, a report that it does not have, or an unknown reader.
        """
        with self._db.transaction() as db:
            reader_of = {name: number for number, name in db.execute("SELECT reader_id, name FROM gold_readers")}
            reports = {report_id for report_id, _ in self.gold_reports(set_id)}
            if unknown := {a.reader for a in actions} - reader_of.keys():
                raise DataError("Nobody is known as {n!r}. Say first who is reading.", n=min(unknown))
            if {a.report_id for a in actions} - reports:
                raise DataError("The gold set does not have a report that was marked. Draw it again.")
            db.execute_many(
                """
                INSERT INTO gold_actions (action, set_id, reader_id, report_id, at, kind, detail, undone)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (action) DO NOTHING
                """,
                [
                    (a.action, set_id, reader_of[a.reader], a.report_id, a.at or now(), a.kind, a.detail, int(a.undone))
                    for a in actions
                ],
            )

    def set_gold_undone(self, actions: Iterable[str], *, undone: bool) -> None:
        """Mark actions as undone, or as valid again, and note when.

        Raises:
            DataError: an action is not in the log.
        """
        names = tuple(actions)
        with self._db.transaction() as db:
            known = self.gold_turns(names)
            for name in names:
                if not db.execute("SELECT 1 FROM gold_actions WHERE action = ?", (name,)):
                    raise DataError("There is nothing of that name to undo.")
                db.execute("UPDATE gold_actions SET undone = ? WHERE action = ?", (int(undone), name))
                self._note_turn(name, Turn(undone, after(known[name].at if name in known else "")))

    def set_gold_turns(self, turns: Mapping[str, Turn]) -> None:
        """Store states of actions in the log with their own times, as another file has them."""
        with self._db.transaction() as db:
            for name, turn in turns.items():
                db.execute("UPDATE gold_actions SET undone = ? WHERE action = ?", (int(turn.undone), name))
                self._note_turn(name, turn)

    def _note_turn(self, action: str, turn: Turn) -> None:
        payload = json.dumps({"undone": turn.undone, "at": turn.at})
        self._db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, '{}', ?)", (_TURNED, action, payload, now()))

    def gold_turns(self, actions: Iterable[str]) -> dict[str, Turn]:
        """The states of those actions that were ever undone, by action; without those undone before RadCal noted when.

        The later of two states counts, whichever file it comes from.
        """
        sql = "SELECT id, payload FROM temp.wanted JOIN results ON key = id WHERE kind = ?"
        return {action: Turn(**json.loads(payload)) for action, payload in self._rows(sql, (_TURNED,), actions)}

    def gold_actions(self, set_id: int, kind: str, reader: str | None = None) -> list[StoredAction]:
        """The actions of one kind on a gold set, in order, undone ones included: of one reader or of all.

        Those that came with a review file stand among the others by their times; what was done in one place keeps the
        order in which it was done, whatever the clock said.
        """
        rows = self._db.execute(
            """
            SELECT action, name, report_id, kind, detail, undone, at, max(at) OVER (
                PARTITION BY name, CASE WHEN json_valid(detail) THEN coalesce(json_extract(detail, '$.apart'), '') END
                ORDER BY seq
            ) AS time
            FROM gold_actions JOIN gold_readers USING (reader_id)
            WHERE set_id = ? AND kind = ? AND (? IS NULL OR name = ?) ORDER BY time, seq
            """,
            (set_id, kind, reader, reader),
        )
        return [
            StoredAction(action, name, report, kind_, detail, bool(un), at)
            for action, name, report, kind_, detail, un, at, _ in rows
        ]

    def gold_state(self) -> tuple[int, int, int]:
        """Numbers that change with every change to the gold sets: counts of sets, actions and undone actions."""
        rows = self._db.execute(
            """
            SELECT (SELECT coalesce(max(set_id), 0) FROM gold_sets), coalesce(max(seq), 0),
                coalesce(sum(undone * seq * seq), 0) FROM gold_actions
            """
        )
        sets, actions, undone = rows[0]
        return int(sets), int(actions), int(undone)

    def has_pairs(self) -> bool:
        """Whether there are paired reports."""
        return bool(self._db.execute("SELECT EXISTS (SELECT * FROM pairs)")[0][0])

    def has_extractions(self) -> bool:
        """Whether any run has read a report without failure."""
        return bool(self._db.execute("SELECT EXISTS (SELECT * FROM extractions WHERE failure = '')")[0][0])

    def runs_that_read(self, report_ids: Iterable[str]) -> list[tuple[int, int]]:
        """The runs that read any of the reports without failure, with counts; the most recently used first."""
        sql = """
            SELECT run_id, count(*) FROM temp.wanted JOIN reports ON report_id = id
            JOIN extractions USING (text_id) JOIN runs USING (run_id)
            WHERE failure = '' GROUP BY run_id ORDER BY last DESC, run_id DESC
        """
        return [(int(run), int(n)) for run, n in self._rows(sql, ids=report_ids)]

    def other_runs(self, run_id: int) -> list[int]:
        """The runs of engines other than that of ``run_id``, most recently used first."""
        rows = self._db.execute(
            """
            SELECT run_id FROM runs WHERE engine <> (SELECT engine FROM runs WHERE run_id = ?)
            ORDER BY last DESC, run_id DESC
            """,
            (run_id,),
        )
        return [int(row[0]) for row in rows]
