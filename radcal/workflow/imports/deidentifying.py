"""De-identification of a workspace's reports: at import, of what is stored, and of what a person finds left."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from radcal.progress import SILENT, Progress
from radcal.records.identifiers import Deidentified, Edit, Known
from radcal.text import Text, joined, listed
from radcal.workflow.context import REPORT_VERSIONS, Context
from radcal.workflow.covering import SECRET

if TYPE_CHECKING:
    import pandas as pd

    from radcal.ingest.deidentified_rows import Removed
    from radcal.ingest.deidentify import Deidentifier
    from radcal.ingest.rows import Part
    from radcal.workspace.rewriting import ReportText

_DONE, _SUSPECTS = "de-identified reports", "suspected identifiers"
_KINDS: Mapping[str, Text] = {
    "name": Text("{n:,} name", many="{n:,} names", n=0),
    "date": Text("{n:,} date", many="{n:,} dates", n=0),
    "number": Text("{n:,} number", many="{n:,} numbers", n=0),
    "phone": Text("{n:,} phone number", many="{n:,} phone numbers", n=0),
    "e-mail": Text("{n:,} e-mail address", many="{n:,} e-mail addresses", n=0),
    "url": Text("{n:,} web address", many="{n:,} web addresses", n=0),
    "address": Text("{n:,} address", many="{n:,} addresses", n=0),
    "place": Text("{n:,} place", many="{n:,} places", n=0),
    "age": Text("{n:,} age over 89", many="{n:,} ages over 89", n=0),
}
_SHIFTED = "date"
"""The kind of what is not removed, but replaced by another of its kind."""
_SPOKEN = ("report_id", "sentence", "start", "end", "cue_start", "cue_end")
_BATCH = 1000
"""Stored reports that are de-identified in one transaction."""


class Suspicion(NamedTuple):
    """Words left in a report that may be an identifier.

    kind: 'name' or 'number';  sentence: where they stand first;  reports: that have the same words
    """

    report_id: str
    kind: str
    words: str
    sentence: str
    reports: int


@dataclass(frozen=True, slots=True)
class Deidentification:
    """What was taken out of reports.

    reports: that were looked at;  changed: those of which something was taken out;  kinds: replacements by kind
    suspects: words that may be identifiers and were left
    """

    reports: int = 0
    changed: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    suspects: int = 0

    @property
    def note(self) -> Text:
        """What was taken out, in a sentence; empty if nothing was."""
        counted = {kind: _KINDS[kind].with_values(n=n) for kind, n in self.kinds.items() if n and kind in _KINDS}
        if not counted:
            return Text("")
        shifted = counted.pop(_SHIFTED, None)
        said = [
            Text(
                "De-identified: {changed:,} of {n:,} report was changed.",
                many="De-identified: {changed:,} of {n:,} reports were changed.",
                n=self.reports,
                changed=self.changed,
            )
        ]
        if counted:
            said.append(Text("Removed: {kinds}.", kinds=listed(list(counted.values()))))
        if shifted is not None:
            said.append(Text("Shifted: {dates}.", dates=shifted))
        return joined(said)


class Deidentifying:
    """Takes identifiers out of a department's reports.

    Dates within the texts are shifted by an offset of each patient, which derives from a secret of the workspace; the
    secret never leaves the department's file.
    """

    def __init__(self, context: Context, rewritten: Callable[[], None] = lambda: None) -> None:
        """``rewritten`` is called when stored texts were replaced, so that nobody goes by the old ones."""
        self._context, self._workspace = context, context.workspace
        self._tell = rewritten

    @property
    def on(self) -> bool:
        """Whether reports are de-identified before they are stored."""
        return self._context.settings.deidentify == "on"

    @property
    def _secret(self) -> bytes:
        stored = self._workspace.get_meta(SECRET)
        if stored is None:
            stored = secrets.token_hex(32)
            self._workspace.set_meta(SECRET, stored)
        return bytes.fromhex(stored)

    @property
    def used(self) -> bool:
        """Whether reports of the workspace were de-identified."""
        return self._workspace.get_meta(SECRET) is not None

    def shift(self, patient: str) -> timedelta:
        """By how much the dates in a patient's reports are shifted."""
        return self._deidentifier().shift(patient)

    def _deidentifier(self, staff: Collection[str] = ()) -> Deidentifier:
        from radcal.ingest.deidentify import Deidentifier

        return Deidentifier(self._secret, staff)

    # --- at import -----------------------------------------------------------------------------------

    def read(self, parts: Sequence[Part], progress: Progress) -> Read:
        """The rows of an import as they are stored.

        Where the setting is off, those reports alone are de-identified that were so before.  Stored texts of the same
        reports lose what these rows know to be a name.

        Raises:
            Cancelled: by ``progress``.
        """
        from radcal.ingest.deidentified_rows import agreed, deidentified, known_of, names_for, renamed, staff_in

        done = self.done()
        ids = {i for part in parts for i in part.reports["report_id"].tolist()}
        if not self.on and not done & ids:
            return Read(list(parts))
        known = known_of(parts)
        maker = self._deidentifier(staff_in(known))
        made, removed = deidentified(parts, known, maker, progress, None if self.on else done)
        labels = {f.file for part in parts for f in part.faults} | {
            n for p in parts for n in p.reports["file"].unique()
        }
        labels |= {label.partition("/")[0] for label in labels}
        names = names_for(labels, known, self._secret) if self.on else {}
        made = [renamed(part, names) for part in made]
        if new := self._unlike(made, ids):
            of = {
                i: one
                for p, k in zip(parts, known, strict=True)
                for i, one in zip(p.reports["report_id"], k, strict=True)
            }
            self._rewrite(new, maker, of, progress)
        texts = self._workspace.texts_of(new)
        made, more = agreed(made, _by_report(texts))
        self._rewritten([(t, more[t.report_id, t.text]) for t in texts if (t.report_id, t.text) in more])
        return Read(made, removed, names)

    def _unlike(self, parts: Sequence[Part], ids: Collection[str]) -> list[str]:
        """The reports of ``ids`` that are stored with other texts than those of these rows."""
        rows: dict[str, set[str]] = {}
        for part in parts:
            for report_id, text in zip(part.reports["report_id"], part.reports["text"], strict=True):
                rows.setdefault(report_id, set()).add(text)
        there, unlike = self._there(ids), []
        for start in range(0, len(there), _BATCH):
            held = _by_report(self._workspace.texts_of(there[start : start + _BATCH]))
            unlike += [report_id for report_id, texts in held.items() if not rows[report_id] <= texts]
        return unlike

    def rehearsed(self, part: Part, progress: Progress) -> Part:
        """The rows of a file as an import would compare them with the stored ones; nothing is stored.

        A row that says the same as a stored text has that text.

        Raises:
            Cancelled: by ``progress``.
        """
        from radcal.ingest.deidentified_rows import deidentified, known_of, staff_in, with_strings
        from radcal.ingest.same_texts import united

        done = self.done()
        there = self._there(part.reports["report_id"].tolist())
        if not there or not (self.on or done):
            return part
        known = known_of([part])
        maker = self._deidentifier(staff_in(known))
        of = dict(zip(part.reports["report_id"].tolist(), known[0], strict=True))
        (made,), _ = deidentified([part], known, maker, progress, set(there) if self.on else done & set(there))
        held = _by_report(self._workspace.texts_of(there))
        patients = dict(zip(part.reports["report_id"], part.reports["patient_id"], strict=True))
        texts = made.reports["text"].tolist()
        for i, report_id in enumerate(made.reports["report_id"].tolist()):
            stored = held.get(report_id, set())
            if i % _BATCH == 0:
                progress.raise_if_cancelled()
            if texts[i] in stored:
                continue
            for text in stored:
                if united(texts[i], maker(text, of[report_id], patients[report_id]).text) is not None:
                    texts[i] = text
                    break
        return replace(made, reports=with_strings(made.reports, {"text": texts}))

    def keep(self, read: Read, stale: Collection[str]) -> Deidentification:
        """Store what is known of the reports of an import, within its transaction, and return it."""
        if read.removed is None:
            if stale:
                self._save_suspects(self._suspects().loc[lambda s: ~s["report_id"].isin(stale)])
            return Deidentification()
        ids = {i for part in read.parts for i in part.reports["report_id"].tolist()}
        done = self.done()
        self._save_done((done | (ids if self.on else set())) - set(stale))
        texts: dict[str, list[str]] = {}
        for part in read.parts:
            for report_id, text in zip(part.reports["report_id"].tolist(), part.reports["text"].tolist(), strict=True):
                texts.setdefault(report_id, []).append(text)
        found = [s for s in read.removed.suspects if any(s.words in text for text in texts[s.report_id])]
        n = self._put_suspects(found, ids | set(stale))
        return Deidentification(read.removed.reports, read.removed.changed, dict(read.removed.kinds.most_common()), n)

    # --- what is stored ------------------------------------------------------------------------------

    def done(self) -> frozenset[str]:
        """The reports that were de-identified."""
        stored = self._workspace.load_frame(_DONE)
        return frozenset() if stored is None else frozenset(stored["report_id"].tolist())

    def as_read(self) -> int:
        """The number of reports that are stored as they were read."""
        return len(set(self._workspace.reports(("report_id",))["report_id"].tolist()) - self.done())

    def stored(self, progress: Progress = SILENT) -> Deidentification:
        """De-identify the reports that are stored as they were read.

        Findings, answers of gold sets and contested findings stay; their spans are those of the new texts.  What was
        done when this is stopped stays done, and the next call goes on.  Of their patients' names is known only what
        the texts tell: import the files again to have their columns read, too.

        Raises:
            Cancelled: by ``progress``.
        """
        ids = [i for i in self._workspace.reports(("report_id",))["report_id"].tolist() if i not in self.done()]
        progress.start(len(ids), "Taking names and dates out of the stored reports")
        removed = self._rewrite(ids, self._deidentifier(sorted(self._staff())), {}, progress)
        self._workspace.log("stored reports de-identified", reports=removed.reports, changed=removed.changed)
        n = self._suspects()
        return Deidentification(
            removed.reports,
            removed.changed,
            dict(removed.kinds.most_common()),
            int((~n["left"]).sum()) if len(n) else 0,
        )

    def nothing(self) -> Deidentification:
        """What :meth:`stored` returns where there is nothing to do."""
        return Deidentification(suspects=self.suspected())

    def _staff(self) -> set[str]:
        own = self._workspace.load_frame(REPORT_VERSIONS, ("dictator", "signer"))
        if own is None:
            return set()
        return {name for column in ("dictator", "signer") for name in own[column].fillna("").unique().tolist()} - {""}

    def _there(self, ids: Collection[str]) -> list[str]:
        return self._workspace.reports(("report_id",), ids)["report_id"].tolist()

    def _rewrite(
        self, ids: Sequence[str], maker: Deidentifier, known: Mapping[str, Known], progress: Progress
    ) -> Removed:
        """De-identify stored reports, batch by batch, each all or nothing."""
        from radcal.ingest.deidentified_rows import Removed, suspects_in

        removed = Removed()
        for start in range(0, len(ids), _BATCH):
            progress.raise_if_cancelled()
            some = ids[start : start + _BATCH]
            rows = self._workspace.reports(("report_id", "patient_id", "accession"), some)
            of = {
                report_id: (known.get(report_id) or Known(numbers=(patient, accession)), patient)
                for report_id, patient, accession in rows.itertuples(index=False, name=None)
            }
            made, counted, suspects = [], set(), []
            for text in self._workspace.texts_of(some):
                about, patient = of[text.report_id]
                new = maker(text.text, about, patient)
                made.append((text, new))
                if text.report_id in counted:  # its other texts say the same
                    suspects += suspects_in(text.report_id, new)
                else:
                    counted.add(text.report_id)
                    removed.add(text.report_id, new)
            suspects += removed.suspects
            removed.suspects = []
            with self._workspace.transaction():
                self._rewritten(made)
                self._save_done(self.done() | set(some))
                self._put_suspects(suspects, some)
            progress.advance(len(some))
        return removed

    def _rewritten(self, made: Sequence[tuple[ReportText, Deidentified]], what: str = "reports de-identified") -> None:
        """Replace texts, and the sentences of the stored statistics that come from them."""
        from radcal.ingest.deidentified_rows import moved_parts
        from radcal.workspace.rewriting import Rewritten

        changed = [Rewritten(old, new) for old, new in made if new.text != old.text]
        if not changed:
            return
        ids = list(dict.fromkeys(one.old.report_id for one in changed))
        with self._workspace.transaction():
            before = self._spoken(ids)
            self._workspace.rewrite_texts(changed, moved_parts, what=what)
            now = self._spoken(ids)
            moved = {old: new for run_id in before for old, new in _moved(before[run_id], now[run_id]) if old != new}
            self._move_statements(moved)
        self._tell()

    def _spoken(self, ids: Collection[str]) -> dict[int, list[_Spoken]]:
        """The sentences of the findings in these reports, by run, and where in them the cues stand."""
        found = {}
        for run_id, *_ in self._workspace.run_keys():
            frame = self._workspace.findings(
                run_id, ids, ("report_id", "sentence", "start", "end", "cue_start", "cue_end")
            )
            rows = frame.itertuples(index=False, name=None)
            found[run_id] = [_Spoken(i, said, *_within(a, b, c, d)) for i, said, a, b, c, d in rows]
        return found

    def _move_statements(self, moved: Mapping[_Spoken, _Spoken]) -> None:
        """Give the stored observations the sentences that their findings have now."""
        observations = self._workspace.observations() if moved else None
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
        self._workspace.save_observations(observations.assign(**kept))

    # --- what may be left ----------------------------------------------------------------------------

    def suspicions(self) -> tuple[Suspicion, ...]:
        """Words left that may be identifiers, the most suspicious first: those that stand in the fewest reports."""
        stored = self._suspects()
        open_ = stored[~stored["left"]] if len(stored) else stored
        if open_.empty:
            return ()
        rows = list(open_[["report_id", "kind", "words", "place"]].itertuples(index=False, name=None))
        often = Counter((kind, words) for _, kind, words, _ in rows)
        ids = list(dict.fromkeys(row[0] for row in rows))
        texts: dict[str, list[str]] = {}
        for text in self._workspace.texts_of(ids):
            texts.setdefault(text.report_id, []).append(text.text)
        rows.sort(key=lambda row: (often[row[1], row[2]], row[3], row[2], row[0]))
        return tuple(
            Suspicion(report_id, kind, words, _sentence_with(words, texts.get(report_id, ())), often[kind, words])
            for report_id, kind, words, _ in rows
        )

    def suspected(self) -> int:
        """The number of :meth:`suspicions`."""
        stored = self._suspects()
        return int((~stored["left"]).sum()) if len(stored) else 0

    def remove(self, found: Iterable[Suspicion]) -> None:
        """Take words out of all texts of their reports: they are identifiers."""
        from radcal.ingest.deidentify.spans import PLACEHOLDERS

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
            made.append((text, _applied(text.text, sorted(edits))))
        with self._workspace.transaction():
            self._rewritten(made, "suspected identifiers removed")
            self._settle(chosen, left=False)

    def leave(self, found: Iterable[Suspicion]) -> None:
        """Keep words in their reports: they are no identifiers, and are not listed again."""
        chosen = list(found)
        with self._workspace.transaction():
            self._settle(chosen, left=True)
            self._workspace.log("suspected identifiers left", words=len(chosen))

    def _settle(self, chosen: Sequence[Suspicion], *, left: bool) -> None:
        stored, keys = self._suspects(), {(s.report_id, s.kind, s.words) for s in chosen}
        mine = [key in keys for key in _keys_of(stored)]
        if left:
            self._save_suspects(
                stored.assign(left=[a or b for a, b in zip(stored["left"].tolist(), mine, strict=True)])
            )
        else:
            self._save_suspects(stored[[not m for m in mine]])

    def _suspects(self) -> pd.DataFrame:
        import pandas as pd

        stored = self._workspace.load_frame(_SUSPECTS)
        if stored is not None:
            return stored
        return pd.DataFrame(
            {
                "report_id": pd.Series(dtype="str"),
                "kind": pd.Series(dtype="str"),
                "words": pd.Series(dtype="str"),
                "place": pd.Series(dtype="int64"),
                "left": pd.Series(dtype="bool"),
            }
        )

    def _put_suspects(self, found: Iterable[tuple[str, str, str, int]], ids: Collection[str]) -> int:
        """Replace what is suspected in these reports; what was left on purpose stays left.  Returns what is open."""
        import pandas as pd

        stored, of = self._suspects(), set(ids)
        left = {key for key, l in zip(_keys_of(stored), stored["left"].tolist(), strict=True) if l}  # noqa: E741
        rows = list({s[:3]: s for s in found}.values())
        new = pd.DataFrame(rows, columns=["report_id", "kind", "words", "place"]).astype(
            {"report_id": "str", "kind": "str", "words": "str", "place": "int64"}
        )
        new["left"] = pd.Series([s[:3] in left for s in rows], dtype="bool")
        others = stored[~stored["report_id"].isin(of)]
        if len(new) or len(others) < len(stored):
            self._save_suspects(pd.concat([others, new], ignore_index=True) if len(others) else new)
        return int((~new["left"]).sum()) if len(new) else 0

    def _save_suspects(self, frame: pd.DataFrame) -> None:
        self._workspace.save_frame(_SUSPECTS, frame.reset_index(drop=True))

    def _save_done(self, ids: Collection[str]) -> None:
        import pandas as pd

        self._workspace.save_frame(_DONE, pd.DataFrame({"report_id": pd.Series(sorted(ids), dtype="str")}))


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


@dataclass(frozen=True, eq=False)
class Read:
    """The rows of an import as they are stored.

    removed: what was taken out; None where nothing was looked at
    names: other names for files that were named after a patient
    """

    parts: list[Part]
    removed: Removed | None = None
    names: Mapping[str, str] = field(default_factory=dict)


def suspects_note(n: int) -> Text:
    """That words may still be identifiers; empty for none."""
    if not n:
        return Text("")
    return Text(
        "{n:,} word that was left may be a name or a number of a person: the Import page lists it.",
        many="{n:,} words that were left may be names or numbers of people: the Import page lists them.",
        n=n,
    )


def notes_of(found: Deidentification) -> Text:
    """What was taken out of the reports of an import and what may be left; empty if nothing was looked at."""
    return joined([found.note, suspects_note(found.suspects)])


def _by_report(texts: Iterable[ReportText]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for text in texts:
        found.setdefault(text.report_id, set()).add(text.text)
    return found


def _keys_of(stored: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    return zip(stored["report_id"].tolist(), stored["kind"].tolist(), stored["words"].tolist(), strict=True)


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")


def _applied(text: str, edits: Sequence[Edit]) -> Deidentified:
    parts, at = [], 0
    for edit in edits:
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return Deidentified("".join([*parts, text[at:]]), tuple(edits))


def _sentence_with(words: str, texts: Iterable[str]) -> str:
    """The sentence in which words stand first, '' if nowhere."""
    from radcal.ingest.sections import document

    pattern = _whole(words)
    for text in texts:
        if (found := pattern.search(text)) is not None:
            inside = [s.text for s in document("", text).sentences if s.start <= found.start() < s.end]
            if inside:
                return inside[0]
            start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
            return text[start : end if end >= 0 else len(text)].strip()
    return ""
