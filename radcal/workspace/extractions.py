"""What was read in texts: runs with their findings, and marks with the sums over them.

Nothing is extracted twice, nothing committed is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from radcal.system.clock import now
from radcal.system.text import text_in
from radcal.words.records import ABSENT, PRESENT
from radcal.workspace import frames
from radcal.workspace.lock import current_user
from radcal.workspace.records import Ids
from radcal.workspace.tables import IN_PAIRS, Store

if TYPE_CHECKING:
    import pandas as pd

FINDINGS = frames.kinds_in(
    "report_id:str pathology:str phrase:str verbatim:str sentence:str section:str start:int end:int term_start:int "
    "term_end:int cue_start:int cue_end:int engine:str probability:float rules:str second:str decided:str"
)
"""The columns of findings; all but ``report_id`` and ``decided`` are stored with what was read."""
_DECISIONS = FINDINGS | frames.kinds_in("decided_by:str decided_at:utc")
_RUNS = frames.kinds_in("run_id:int engine:str version:str settings_hash:str begun:utc last:utc")
_WORDINGS = frames.kinds_in("author:str day:time phrase:str verbatim:str n:int")
_COUNTS = frames.kinds_in(
    "author:str modality:str day:time reports:int searched:int follow_up:int correlation:int read:int hedged:int "
    "standard:int"
)
_KINDS = frames.kinds_in("modality:str kind:str of:str timed:int n:int")
_ASKED = frames.kinds_in(
    "report_id:str accession:str patient_id:str author:str modality:str time:time wanted:str first:int last:int "
    "start:int end:int"
)
_EXAMINATIONS = frames.kinds_in("report_id:str patient_id:str modality:str time:time")
_GROUPED = 10_000
"""Reports or texts whose findings are counted at a time."""
_DAY = 86_400_000_000_000
"""Nanoseconds of a day."""
WANTED_EXTRACTIONS = """
    FROM extractions WHERE run_id = ? AND text_id IN (SELECT text_id FROM temp.wanted JOIN reports ON report_id = id)
"""


class TextToMark(NamedTuple):
    """A text that reports consist of."""

    text_id: int
    modality: str
    text: str


class ExtractionStore(Store):
    """Findings by run and text.

    A run is one engine in one version with one hash of settings.  Findings belong to the text (and modality)
    that they were extracted from and come back under every report that consists of it now.
    """

    def begin_run(self, engine_name: str, engine_version: str, settings_hash: str) -> int:
        """The run of this engine, version and settings: an existing one to continue, or a new one."""
        key = (engine_name, engine_version, settings_hash)
        with self._db.transaction() as db:
            find = "SELECT run_id FROM runs WHERE engine = ? AND version = ? AND settings_hash = ?"
            rows = db.execute(find, key)
            if not rows:
                db.execute(
                    "INSERT INTO runs (engine, version, settings_hash, begun, last) VALUES (?, ?, ?, ?, ?)",
                    (*key, now(), now()),
                )
                rows = db.execute(find, key)
                engine = f"{engine_name[:40]} {engine_version[:80]}"
                self.log(f"extraction by {engine} begun", run=int(rows[0][0]))
        return int(rows[0][0])

    def run_keys(self) -> list[tuple[int, str, str, str]]:
        """The runs as (run_id, engine, version, settings_hash), oldest first; quicker than :meth:`runs`."""
        rows = self._db.execute("SELECT run_id, engine, version, settings_hash FROM runs ORDER BY run_id")
        return [(int(run_id), engine, version, settings_hash) for run_id, engine, version, settings_hash in rows]

    def pending(self, run_id: int, report_ids: Ids) -> list[str]:
        """The reports that the run has not read yet, in order; of those with the same text, the first."""
        # With min(), SQLite takes the other columns of a group from the row that has the minimum.
        sql = """
            SELECT id, min(place) FROM temp.wanted JOIN reports ON report_id = id
            WHERE NOT EXISTS (SELECT * FROM extractions e WHERE e.text_id = reports.text_id AND e.run_id = ?)
            GROUP BY text_id ORDER BY min(place)
        """
        return [row[0] for row in self._rows(sql, (run_id,), report_ids)]

    def findings(
        self, run_id: int, ids: Ids | None = None, columns: Sequence[str] | None = None, *, as_read: bool = False
    ) -> pd.DataFrame:
        """Findings of a run, report by report; ``probability`` is NaN if there is none.

        Args:
            run_id: from :meth:`begin_run`.
            ids: report_ids; all by default, in the order of :meth:`ReportStore.reports`.
            columns: of FINDINGS, all by default; a few are read much faster.
            as_read: as the engine left them, whatever people have decided since.

        Raises:
            KeyError: an unknown column.
        """
        kinds = FINDINGS if columns is None else {name: FINDINGS[name] for name in columns}
        names = ", ".join("'' AS decided" if as_read and name == "decided" else f'"{name}"' for name in kinds)
        wanted, order = ("", "seq") if ids is None else ("JOIN temp.wanted ON id = report_id", "place")
        sql = f"""
            SELECT {names} FROM reports JOIN {"findings" if as_read else "stated_findings"} USING (text_id) {wanted}
            WHERE run_id = ? ORDER BY {order}, position
        """  # noqa: S608 - names are checked
        return self._frame(sql, kinds, (run_id,), ids)

    def count_findings(self, run_id: int, ids: Ids) -> list[tuple[str, str, int]]:
        """Frequency of each phrase by wording in the reports ``ids``: (phrase, verbatim, n)."""
        counted: Counter[tuple[str, str]] = Counter()
        with self._db.transaction(write=False) as db:
            among = self._among(ids)
            ((last,),) = db.execute(f"SELECT coalesce(max(place), 0) FROM {among}")  # noqa: S608 - as all below: constants
            sql = f"""
                SELECT phrase, verbatim, count(*) FROM {among} JOIN stated_findings USING (text_id)
                WHERE run_id = ? AND place > ? AND place <= ? GROUP BY phrase, verbatim
            """  # noqa: S608
            # SQLite holds what it groups: the findings of some reports at a time.
            for start in range(0, last, _GROUPED):
                for phrase, verbatim, n in db.execute(sql, (run_id, start, start + _GROUPED)):
                    counted[phrase, verbatim] += n
        return [(*said, n) for said, n in sorted(counted.items())]

    def xray_wordings(self, run_id: int, author: str | None = None) -> pd.DataFrame:
        """Frequency of each wording of a hedge in the X-ray reports of all pairs, or of an author's, by author and day.

        Returns:
            author, day, phrase, verbatim and n, in this order; without plain statements.
        """
        sql = f"""
            SELECT said.author, xray_time / {_DAY} * {_DAY} AS day, phrase, verbatim, count(*)
            FROM (SELECT DISTINCT xray_id, author, xray_time FROM pairs) AS said
            JOIN reports ON report_id = xray_id JOIN stated_findings USING (text_id)
            WHERE run_id = ? AND phrase NOT IN (?, ?) AND said.author = ? GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
        """  # noqa: S608 - a number
        values = (run_id, ABSENT, PRESENT)
        if author is not None:
            return self._frame(sql, _WORDINGS, (*values, author))
        return self._frame_by_author(sql, _WORDINGS, "SELECT DISTINCT author FROM pairs ORDER BY author", values)

    def examples(self, run_id: int, phrases: Sequence[str], most: int = 3) -> list[tuple[str, str, str]]:
        """Sentences with these phrases: (phrase, verbatim, sentence), at most ``most`` per wording."""
        marks = ", ".join("?" * len(phrases))
        sql = f"""
            SELECT phrase, verbatim, sentence FROM (
                SELECT phrase, verbatim, sentence,
                    row_number() OVER (PARTITION BY phrase, verbatim ORDER BY text_id, position) AS place
                FROM stated_findings WHERE run_id = ? AND phrase IN ({marks}))
            WHERE place <= ? ORDER BY phrase, verbatim, place
        """  # noqa: S608 - question marks
        rows = self._rows(sql, (run_id, *phrases, most))
        return [(phrase, verbatim, sentence) for phrase, verbatim, sentence in rows]

    def read_by(self, run_id: int, ids: Ids) -> set[str]:
        """The reports of ``ids`` that the run read without failure."""
        sql = """
            SELECT id FROM temp.wanted JOIN reports ON report_id = id JOIN extractions USING (text_id)
            WHERE run_id = ? AND failure = ''
        """
        return {row[0] for row in self._rows(sql, (run_id,), ids)}

    def reports_saying(self, run_id: int, phrase: str) -> set[str]:
        """The reports in which the run has found this phrase."""
        sql = """
            SELECT report_id FROM reports
            WHERE text_id IN (SELECT text_id FROM stated_findings WHERE run_id = ? AND phrase = ?)
        """
        return {row[0] for row in self._rows(sql, (run_id, phrase))}

    def decisions(self, run_id: int, ids: Ids | None = None) -> pd.DataFrame:
        """The findings of a run that people have decided on, as they did, whether or not they are statements so.

        Returns:
            FINDINGS, decided_by (a user) and decided_at (UTC), in the order of :meth:`findings`.
        """
        wanted, order = ("", "seq") if ids is None else ("JOIN temp.wanted ON id = report_id", "place")
        sql = f"""
            SELECT {", ".join(f'"{name}"' for name in _DECISIONS)}
            FROM reports JOIN decided_findings USING (text_id) {wanted}
            WHERE run_id = ? AND text_id IN (SELECT text_id FROM decisions) AND decided <> '' ORDER BY {order}, position
        """  # noqa: S608 - declared names
        return self._frame(sql, _DECISIONS, (run_id,), ids)

    def decide(self, readings: Sequence[tuple[str, str, int, int, int, str]], phrase: str) -> None:
        """Keep what the user decides that a text says; '' takes back what anybody has decided.

        Args:
            readings: report_id, pathology, start, end, term_start of findings, and what the rules read there.
        """
        with self._db.transaction() as db:
            if phrase:
                sql = "SELECT text_id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM reports WHERE report_id = ?1"
                made = (phrase, current_user() if self._user is None else self._user, now())
                db.execute_many(f"INSERT OR REPLACE INTO decisions {sql}", [(*reading, *made) for reading in readings])
            else:
                key = 'pathology, start, "end", term_start, rules, text_id'
                its = "?2, ?3, ?4, ?5, ?6, (SELECT text_id FROM reports WHERE report_id = ?1)"
                db.execute_many(f"DELETE FROM decisions WHERE ({key}) = ({its})", readings)  # noqa: S608 - constants
            self.want(reading[0] for reading in readings)
            texts = "SELECT text_id FROM temp.wanted JOIN reports ON report_id = id"
            db.execute(f"DELETE FROM wording_marks WHERE text_id IN ({texts})")  # noqa: S608 - a constant
            what = "unread findings decided on" if phrase else "decisions on unread findings taken back"
            self.log(what, findings=len(readings))

    def count_read(self, run_id: int, ids: Ids) -> tuple[int, int]:
        """How many reports of ``ids`` the run read, without failure and with one."""
        with self._db.transaction(write=False) as db:
            sql = f"""
                SELECT count(*) FILTER (WHERE failure = ''), count(*) FILTER (WHERE failure <> '')
                FROM {self._among(ids)} JOIN extractions USING (text_id) WHERE run_id = ?
            """  # noqa: S608
            ((read, failed),) = db.execute(sql, (run_id,))
        return int(read), int(failed)

    def count_silent_pairs(self, run_id: int) -> int:
        """In how many pairs the run has read the X-ray report and found nothing in it."""
        sql = """
            SELECT count(*) FROM pairs JOIN reports ON report_id = xray_id JOIN extractions USING (text_id)
            WHERE run_id = ? AND failure = ''
            AND NOT EXISTS (SELECT * FROM findings f WHERE f.text_id = reports.text_id AND f.run_id = ?)
        """
        return int(self._db.execute(sql, (run_id, run_id))[0][0])

    def count_read_by_both(self, one: int, other: int) -> int:
        """How many reports of pairs two runs read without failure."""
        ((n,),) = self._rows(f"SELECT count(*) FROM {_READ_BY_BOTH}", (one, other))  # noqa: S608
        return int(n)

    def read_by_both(self, one: int, other: int, places: Sequence[int]) -> list[str]:
        """Some of the reports of pairs that two runs read without failure, by their places among all of them by id."""
        found = dict.fromkeys(places, "")
        with self._db.transaction(write=False) as db:
            sql = f"SELECT report_id FROM {_READ_BY_BOTH} ORDER BY report_id"  # noqa: S608
            for place, (report_id,) in enumerate(chain.from_iterable(db.batches(sql, (one, other)))):
                if place in found:
                    found[place] = report_id
        return [found[place] for place in places]

    def count_pending(self, run_id: int, ids: Ids) -> int:
        """The number of :meth:`pending`."""
        with self._db.transaction(write=False) as db:
            sql = f"""
                SELECT count(*) FROM (SELECT text_id FROM {self._among(ids)} AS asked
                WHERE NOT EXISTS (SELECT * FROM extractions e WHERE e.text_id = asked.text_id AND e.run_id = ?)
                GROUP BY text_id)
            """  # noqa: S608
            ((n,),) = db.execute(sql, (run_id,))
        return int(n)

    def failures(self, run_id: int, ids: Ids | None = None) -> pd.DataFrame:
        """The reports, all or those of ``ids``, that the run could not read: report_id, failure (the reason)."""
        import pandas as pd

        with self._db.transaction(write=False):
            among = "(SELECT seq AS place, * FROM reports)" if ids is None else self._among(ids)
            sql = f"""
                SELECT report_id, failure FROM {among} JOIN extractions USING (text_id)
                WHERE run_id = ? AND failure <> '' ORDER BY place
            """  # noqa: S608
            found = self._frame(sql, {"report_id": "str", "failure": "str"}, (run_id,))
        return found.assign(failure=pd.Series(map(text_in, found["failure"]), index=found.index, dtype=object))

    def retry(self, run_id: int, ids: Iterable[str]) -> None:
        """Delete the failures of these reports, so that they are pending again; findings are kept."""
        with self._db.transaction() as db:
            self.want(ids)
            db.execute(f"DELETE {WANTED_EXTRACTIONS} AND failure <> ''", (run_id,))

    def forget(self, run_id: int, ids: Iterable[str]) -> None:
        """Delete what the run has read of these reports, findings and failures, so that they are pending again."""
        with self._db.transaction() as db:
            self.want(ids)
            db.execute(f"DELETE {WANTED_EXTRACTIONS}", (run_id,))

    def runs(self) -> pd.DataFrame:
        """One row for each run: run_id, engine, version, settings_hash, begun, last (UTC), texts, failed, findings.

        ``texts`` is the number of distinct texts that the run has processed, ``failed`` of those without a result.
        """
        counted = {name: Counter[int]() for name in ("texts", "failed", "findings")}
        with self._db.transaction(write=False) as db:
            sql = "SELECT run_id, engine, version, settings_hash, begun, last FROM runs ORDER BY run_id"
            runs = self._frame(sql, _RUNS)
            ((last,),) = db.execute("SELECT coalesce(max(text_id), 0) FROM extractions")
            part = "WHERE text_id > ? AND text_id <= ? GROUP BY run_id"
            for start in range(0, last, _GROUPED):  # as in count_findings
                for names, sql in (
                    (("texts", "failed"), f"SELECT run_id, count(*), sum(failure <> '') FROM extractions {part}"),  # noqa: S608
                    (("findings",), f"SELECT run_id, count(*) FROM findings {part}"),  # noqa: S608
                ):
                    for run_id, *its in db.execute(sql, (start, start + _GROUPED)):
                        for name, n in zip(names, its, strict=True):
                            counted[name][run_id] += n
        return runs.assign(**{name: runs["run_id"].map(n).astype("int64") for name, n in counted.items()})


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
                f"SELECT DISTINCT phrase, verbatim FROM stated_findings WHERE run_id = ? AND text_id IN {ids} "  # noqa: S608
                "AND phrase NOT IN (?, ?)",
                (run_id, ABSENT, PRESENT),
            )
            db.execute_many("INSERT INTO temp.standard VALUES (?, ?)", [pair for pair in said if is_standard(*pair)])
            db.execute(f"DELETE FROM wording_marks WHERE run_id = ? AND text_id IN {ids}", (run_id,))  # noqa: S608
            db.execute(
                f"""
                INSERT INTO wording_marks
                SELECT to_mark.text_id, ?1, ?2, coalesce(max(phrase NOT IN (?3, ?4)), 0),
                    coalesce(max((phrase, verbatim) IN (SELECT phrase, verbatim FROM temp.standard)), 0)
                FROM temp.to_mark LEFT JOIN (
                    SELECT text_id, phrase, verbatim FROM stated_findings WHERE run_id = ?1 AND text_id IN {ids}
                ) USING (text_id)
                GROUP BY to_mark.text_id
                """,  # noqa: S608
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

    def imaging_asked_for(self, text_marker: int) -> pd.DataFrame:
        """Each recommendation of imaging in a report, in the order of the reports.

        Returns:
            report_id, accession, patient_id, author, modality and time of the report, what is wanted (a modality, '' if
            none is named), in how many days from first to last (-1 where that is not stated), and the sentence's span.
        """
        sql = f"""
            SELECT report_id, accession, patient_id, author, r.modality, exam_time, a.modality,
                coalesce(first_day, -1), coalesce(last_day, -1), start, "end" {_ASKED_FOR} ORDER BY seq, position
        """
        return self._frame(sql, _ASKED, (text_marker,))

    def examinations_of_asked(self, text_marker: int) -> pd.DataFrame:
        """report_id, patient_id, modality and time of all reports of patients with a recommendation of imaging."""
        sql = f"""
            SELECT report_id, patient_id, modality, exam_time FROM reports
            WHERE patient_id <> '' AND patient_id IN (SELECT patient_id {_ASKED_FOR})
        """  # noqa: S608 - a constant
        return self._frame(sql, _EXAMINATIONS, (text_marker,))


_ASKED_FOR = """
    FROM reports AS r JOIN text_marks AS t USING (text_id) JOIN recommendations AS a USING (text_id)
    WHERE t.marker_id = ? AND kind = 'imaging'
"""
_READ_BY_BOTH = f"""
    {IN_PAIRS} AS asked
    WHERE EXISTS (SELECT * FROM extractions e WHERE e.text_id = asked.text_id AND e.run_id = ? AND failure = '')
    AND EXISTS (SELECT * FROM extractions e WHERE e.text_id = asked.text_id AND e.run_id = ? AND failure = '')
"""  # noqa: S608 - constants
_UNMARKED_TEXTS = """
    FROM texts WHERE text_id IN (SELECT text_id FROM reports)
    AND NOT EXISTS (SELECT * FROM text_marks t WHERE t.text_id = texts.text_id AND t.marker_id = ?) AND text_id > ?
"""
_UNMARKED_WORDINGS = """
    FROM extractions AS e WHERE run_id = ? AND failure = '' AND NOT EXISTS (
        SELECT * FROM wording_marks w WHERE w.text_id = e.text_id AND w.run_id = e.run_id AND w.marker_id = ?)
    AND text_id > ?
"""
