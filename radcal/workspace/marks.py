"""Marks of texts: what was counted in each, and the sums over them by author, modality and day."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from radcal.words.records import ABSENT, PRESENT
from radcal.workspace import frames
from radcal.workspace.tables import Store

if TYPE_CHECKING:
    import pandas as pd

_DAY = 86_400_000_000_000
"""Nanoseconds of a day."""
_COUNTS = frames.kinds_in(
    "author:str modality:str day:time reports:int searched:int follow_up:int correlation:int read:int hedged:int "
    "standard:int"
)
_KINDS = frames.kinds_in("modality:str kind:str of:str timed:int n:int")


class TextToMark(NamedTuple):
    """A text that reports consist of."""

    text_id: int
    modality: str
    text: str


class MarkStore(Store):
    """What was counted in texts; none of it is a decision, and all of it can be counted again."""

    def marker(self, key: str) -> int:
        """The number of whoever marks under this key, a new one if it is not known."""
        with self._db.transaction() as db:
            db.execute("INSERT INTO markers (key) VALUES (?) ON CONFLICT DO NOTHING", (key,))
            return int(db.execute("SELECT marker_id FROM markers WHERE key = ?", (key,))[0][0])

    def known_marker(self, key: str) -> int | None:
        """The number under which somebody has marked already; None if nobody has."""
        rows = self._db.execute("SELECT marker_id FROM markers WHERE key = ?", (key,))
        return int(rows[0][0]) if rows else None

    def count_unmarked_texts(self, marker: int) -> int:
        """How many of the texts that reports consist of are not marked by this marker yet."""
        return int(self._db.execute(f"SELECT count(*) {_UNMARKED_TEXTS}", (marker, 0))[0][0])

    def unmarked_texts(self, marker: int, after: int, most: int) -> list[TextToMark]:
        """The next texts that are not marked by this marker yet, by number, beginning behind ``after``."""
        sql = f"SELECT text_id, modality, text {_UNMARKED_TEXTS} ORDER BY text_id LIMIT ?"
        return [TextToMark(*row) for row in self._db.execute(sql, (marker, after, most))]

    def count_unmarked_wordings(self, run_id: int, marker: int) -> int:
        """How many texts that a run has read are not marked by this marker yet."""
        return int(self._db.execute(f"SELECT count(*) {_UNMARKED_WORDINGS}", (run_id, marker, 0))[0][0])

    def mark_wordings(
        self, run_id: int, marker: int, after: int, most: int, is_standard: Callable[[str, str], bool]
    ) -> tuple[int, int]:
        """Mark the next texts that a run has read: whether they have a hedge, and one worded as a scale has it.

        Args:
            after, most: as in :meth:`unmarked_texts`.
            is_standard: whether (phrase, verbatim) of a hedge is.

        Returns:
            The number of the last text marked, and how many were; (after, 0) if none is left.
        """
        ids = "(SELECT text_id FROM temp.to_mark)"
        with self._db.transaction() as db:
            db.execute("CREATE TEMP TABLE IF NOT EXISTS to_mark (text_id INTEGER PRIMARY KEY)")
            db.execute("CREATE TEMP TABLE IF NOT EXISTS standard (phrase TEXT, verbatim TEXT)")
            db.execute("DELETE FROM temp.to_mark")
            db.execute("DELETE FROM temp.standard")
            db.execute(
                f"INSERT INTO temp.to_mark SELECT text_id {_UNMARKED_WORDINGS} ORDER BY text_id LIMIT ?",
                (run_id, marker, after, most),
            )
            ((n, last),) = db.execute("SELECT count(*), coalesce(max(text_id), ?) FROM temp.to_mark", (after,))
            said = db.execute(
                f"SELECT DISTINCT phrase, verbatim FROM findings WHERE run_id = ? AND text_id IN {ids} "  # noqa: S608
                "AND phrase NOT IN (?, ?)",
                (run_id, ABSENT, PRESENT),
            )
            db.execute_many("INSERT INTO temp.standard VALUES (?, ?)", [pair for pair in said if is_standard(*pair)])
            db.execute(f"DELETE FROM wording_marks WHERE run_id = ? AND text_id IN {ids}", (run_id,))  # noqa: S608
            db.execute(
                """
                INSERT INTO wording_marks
                SELECT to_mark.text_id, ?1, ?2, coalesce(max(phrase NOT IN (?3, ?4)), 0),
                    coalesce(max((phrase, verbatim) IN (SELECT phrase, verbatim FROM temp.standard)), 0)
                FROM temp.to_mark LEFT JOIN findings ON findings.text_id = to_mark.text_id AND run_id = ?1
                GROUP BY to_mark.text_id
                """,
                (run_id, marker, ABSENT, PRESENT),
            )
        return int(last), int(n)

    def habit_counts(self, run_id: int, text_marker: int, wording_marker: int) -> pd.DataFrame:
        """Reports by author, modality and day: all, those searched for recommendations, those of pairs read by the run.

        A report outside pairs may have the very text of one inside, as a template for normal findings does.  It is not
        among those read: of all others only the templates would be, which have no hedge.

        Returns:
            author, modality, day, reports, searched, follow_up, correlation (of those searched), read, hedged and
            standard (of those read), ordered by the first three.
        """
        sql = f"""
            SELECT author, r.modality, exam_time / {_DAY} * {_DAY} AS day, count(*), count(t.text_id),
                coalesce(sum(t.follow_up), 0), coalesce(sum(t.correlation), 0), count(w.text_id),
                coalesce(sum(w.hedged), 0), coalesce(sum(w.standard), 0)
            FROM reports AS r
            LEFT JOIN text_marks AS t ON t.text_id = r.text_id AND t.marker_id = ? AND NOT t.unread
            LEFT JOIN wording_marks AS w ON w.text_id = r.text_id AND w.run_id = ? AND w.marker_id = ? AND (
                EXISTS (SELECT * FROM pairs WHERE xray_id = r.report_id)
                OR EXISTS (SELECT * FROM pairs WHERE ct_id = r.report_id))
            WHERE author = ? GROUP BY 2, 3 ORDER BY 2, 3
        """  # noqa: S608 - a number
        authors = "SELECT DISTINCT author FROM reports ORDER BY author"
        return self._frame_by_author(sql, _COUNTS, authors, (text_marker, run_id, wording_marker))

    def recommended(self, text_marker: int) -> pd.DataFrame:
        """Recommendations in reports by modality of the report, kind, what is asked for, and whether a time is stated.

        Returns:
            modality, kind, of (the modality asked for, '' if none is named), timed (0 or 1) and n.
        """
        sql = """
            SELECT r.modality, kind, a.modality, first_day IS NOT NULL AS timed, count(*)
            FROM reports AS r JOIN text_marks AS t USING (text_id) JOIN recommendations AS a USING (text_id)
            WHERE t.marker_id = ? GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        """
        return self._frame(sql, _KINDS, (text_marker,))


_UNMARKED_TEXTS = """
    FROM texts WHERE text_id IN (SELECT text_id FROM reports)
    AND NOT EXISTS (SELECT * FROM text_marks t WHERE t.text_id = texts.text_id AND t.marker_id = ?) AND text_id > ?
"""
_UNMARKED_WORDINGS = """
    FROM extractions AS e WHERE run_id = ? AND failure = '' AND NOT EXISTS (
        SELECT * FROM wording_marks w WHERE w.text_id = e.text_id AND w.run_id = e.run_id AND w.marker_id = ?)
    AND text_id > ?
"""
