"""Texts of reports as they are stored, which were de-identified, and what may still identify somebody in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from radcal.workspace.tables import Store


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


class RewritingStore(Store):
    """Texts of reports, and words in them that may identify somebody."""

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
            self.want(ids)
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
            self.drop_suspects_gone(ids)
            # Of reports that are stored: rows may contradict each other.
            db.execute_many(
                "INSERT INTO suspects (report_id, kind, words, place) SELECT report_id, ?2, ?3, ?4 FROM reports "
                "WHERE report_id = ?1 ON CONFLICT DO NOTHING",
                found,
            )
            self.want(ids)
            of = "report_id IN (SELECT id FROM temp.wanted)"
            return int(db.execute(f"SELECT count(*) FROM suspects WHERE NOT kept AND {of}")[0][0])  # noqa: S608 - a constant

    def drop_suspects_gone(self, ids: Iterable[str]) -> None:
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
            self.want(ids)
            db.execute(
                "UPDATE reports SET age = ? WHERE age > ? AND report_id IN (SELECT id FROM temp.wanted)", (most, most)
            )
