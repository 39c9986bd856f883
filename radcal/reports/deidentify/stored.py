"""De-identification of a workspace's reports: at import, of what is stored, and of what a person finds left."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

from radcal.reports.deidentify.suspects import Suspects
from radcal.reports.identifiers import Deidentified, Known
from radcal.reports.moved_statements import replace_texts
from radcal.system.progress import SILENT, Progress, in_steps
from radcal.system.text import Text, joined, listed
from radcal.system.workers import elsewhere
from radcal.words.studies import study_of
from radcal.workspace.context import Context
from radcal.workspace.stand_ins import StandIns

if TYPE_CHECKING:
    from radcal.reports.deidentify.rows import Removed
    from radcal.reports.deidentify.side_by_side import DeidentifierSideBySide
    from radcal.reports.rows import Part
    from radcal.workspace.rewriting import ReportText
    from radcal.workspace.schedule import Copies

_KINDS: Mapping[str, Text] = {
    "name": Text("{n:,} name", many="{n:,} names", n=0),
    "date": Text("{n:,} date", many="{n:,} dates", n=0),
    "birth": Text("{n:,} date of birth", many="{n:,} dates of birth", n=0),
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
_BATCH = 1000
"""Stored reports that are de-identified in one transaction."""


@dataclass(frozen=True, slots=True)
class Deidentification:
    """What was taken out of reports.

    reports: that were looked at;  changed: those of which something was taken out;  kinds: replacements by kind
    suspects: words that may be identifiers and were left
    unnamed: files in which nothing names a patient
    """

    reports: int = 0
    changed: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    suspects: int = 0
    unnamed: tuple[str, ...] = ()

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
        self.suspects = Suspects(context.workspace, rewritten)

    @property
    def on(self) -> bool:
        """Whether reports are de-identified before they are stored."""
        return self._context.settings.deidentify == "on"

    # --- at import -----------------------------------------------------------------------------------

    def read(
        self,
        parts: Sequence[Part],
        progress: Progress,
        staff: Collection[str] = (),
        patients: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> Read:
        """The rows of an import as they are to be stored; nothing is stored yet.

        Names of staff are those of these rows, of all reports in the workspace, and ``staff``; those of patients are
        those of these rows, and of ``patients``, by patient_id.  Where the setting is
        off, those reports alone are de-identified that were so before.  Stored texts of the same reports lose what
        these rows know to be a name, by :meth:`rewrite`.
        """
        from radcal.reports.deidentify.rows import agreed, deidentified, known_of, names_for, renamed, staff_in

        ids = {i for part in parts for i in part.reports["report_id"].tolist()}
        done = self._workspace.deidentified(ids)
        if not self.on and not done:
            return Read(list(parts))
        known = known_of(parts, patients)
        secret = self._context.masking.secret()
        several = self._several(secret, sorted({*staff_in(known), *staff, *self._staff()}))
        made, removed = deidentified(parts, known, several, progress, None if self.on else done)
        labels = {f.file for part in parts for f in part.faults} | {
            n for p in parts for n in p.reports["file"].unique()
        }
        labels |= {label.partition("/")[0] for label in labels}
        names = names_for(labels, known, StandIns(secret)) if self.on else {}
        made = [renamed(part, names) for part in made]
        of = {
            i: one for p, k in zip(parts, known, strict=True) for i, one in zip(p.reports["report_id"], k, strict=True)
        }
        given = {i for part in parts if part.given for i in part.reports["report_id"].tolist()}
        new = self._unlike(made, {*(ids if self.on else done)} - given)
        pending = [one for _, made_anew in self._remade(_batches(new), several, of, progress) for one in made_anew]
        held: dict[str, set[str]] = {}
        for old, text in pending:
            held.setdefault(old.report_id, set()).add(text.text)
        named = [p.given or not rows or any(one.patient for one in rows) for p, rows in zip(made, known, strict=True)]
        unnamed = [part for part, has_names in zip(made, named, strict=True) if not has_names]
        files = tuple(sorted({file for part in unnamed for file in part.reports["file"].unique()})) if self.on else ()
        made, more = agreed(made, held)
        return Read(made, removed, names, files, secret, [one for one in pending if one[1].edits], more)

    def rewrite(self, read: Read) -> None:
        """Replace stored texts of the same reports, within the transaction of the import."""
        self._replace(read.rewrites)
        texts = self._workspace.texts_of(dict.fromkeys(report_id for report_id, _ in read.more))
        self._replace([(t, read.more[t.report_id, t.text]) for t in texts if (t.report_id, t.text) in read.more])

    def _unlike(self, parts: Sequence[Part], ids: Collection[str]) -> list[str]:
        """The reports of ``ids`` that are stored with other texts than those of these rows."""
        rows: dict[str, set[str]] = {}
        for part in parts:
            for report_id, text in zip(part.reports["report_id"], part.reports["text"], strict=True):
                rows.setdefault(report_id, set()).add(text)
        there, unlike = self._there(ids), []
        for some in _batches(there):
            held = _by_report(self._workspace.texts_of(some))
            unlike += [report_id for report_id, texts in held.items() if not rows[report_id] <= texts]
        return unlike

    def rehearsed(self, part: Part, progress: Progress) -> Part:
        """The rows of a file as an import would compare them with the stored ones; nothing is stored.

        A row that says the same as a stored text has that text.
        """
        from radcal.reports.deidentify.rows import deidentified, known_of, staff_in, with_strings
        from radcal.reports.deidentify.same_texts import united

        there = self._there(part.reports["report_id"].tolist())
        done = self._workspace.deidentified(there)
        if part.given or not there or not (self.on or done):
            return part
        known = known_of([part])
        several = self._several(self._context.masking.secret(), staff_in(known))
        of = dict(zip(part.reports["report_id"].tolist(), known[0], strict=True))
        (made,), _ = deidentified([part], known, several, progress, set(there) if self.on else done)
        held = _by_report(self._workspace.texts_of(there))
        patients = dict(zip(part.reports["report_id"], part.reports["patient_id"], strict=True))
        texts = made.reports["text"].tolist()
        for i, report_id in enumerate(in_steps(made.reports["report_id"].tolist(), progress, _BATCH)):
            stored = held.get(report_id, set())
            if texts[i] in stored:
                continue
            for text in stored:
                if united(texts[i], several.one(text, of[report_id], patients[report_id]).text) is not None:
                    texts[i] = text
                    break
        return replace(made, reports=with_strings(made.reports, {"text": texts}))

    def keep(self, read: Read) -> Deidentification:
        """Store what is known of the reports of an import, within its transaction, and return it."""
        if read.removed is None:
            return Deidentification()
        ids = {i for part in read.parts for i in part.reports["report_id"].tolist()}
        self._context.masking.keep(read.secret)
        if self.on:
            self._workspace.mark_deidentified(ids)
        texts: dict[str, list[str]] = {}
        for part in read.parts:
            for report_id, text in zip(part.reports["report_id"].tolist(), part.reports["text"].tolist(), strict=True):
                texts.setdefault(report_id, []).append(text)
        found = [s for s in read.removed.suspects if any(s.words in text for text in texts[s.report_id])]
        n = self._workspace.put_suspects(found, ids)
        return Deidentification(
            read.removed.reports, read.removed.changed, dict(read.removed.kinds.most_common()), n, read.unnamed
        )

    # --- what is stored ------------------------------------------------------------------------------

    def as_read(self) -> int:
        """The number of reports that are stored as they were read."""
        return self._workspace.count_as_read()

    def stored(self, copies: Copies, progress: Progress = SILENT) -> Deidentification:
        """De-identify the reports that are stored as they were read, after a backup; nothing where none is.

        Findings, answers of gold sets and contested findings stay; their spans are those of the new texts.  What was
        done when this is stopped stays done, and the next call goes on.  Of their patients' names is known only what
        the texts tell: import the files again to have their columns read, too.

        Raises:
            InputError: no backup can be made; nothing was changed.
        """
        from radcal.reports.deidentify.rows import OLDEST, Removed, suspects_in

        removed = Removed()
        if study_of(self._context.settings).outcomes:
            given = self._workspace.reports(("report_id", "modality"))  # they are in the words of the study
            self._workspace.mark_deidentified(given.loc[given["modality"] == "ct", "report_id"].tolist())
        n = self._workspace.count_as_read()
        if not n:
            return Deidentification(suspects=self.suspects.count())
        progress.start(None, Text("Making a copy of the workspace"))
        copies.back_up(progress)
        progress.start(n, Text("Taking names and dates out of the stored reports"))
        secret = self._context.masking.secret()
        several = self._several(secret, self._staff())
        for some, made in self._remade(self._workspace.parts_as_read(_BATCH), several, {}, progress):
            counted, suspects = set(), []
            for text, new in made:
                suspects += suspects_in(text.report_id, new)
                if text.report_id not in counted:  # its other texts say the same
                    counted.add(text.report_id)
                    removed.add(text.report_id, new)
            removed.suspects = []
            with self._workspace.transaction():
                self._context.masking.keep(secret)
                self._replace(made)
                self._workspace.cap_ages(some, OLDEST)
                self._workspace.mark_deidentified(some)
                self._workspace.put_suspects(suspects, some)
            progress.advance(len(some))
        self._workspace.log("stored reports de-identified", reports=removed.reports, changed=removed.changed)
        kinds = dict(removed.kinds.most_common())
        return Deidentification(removed.reports, removed.changed, kinds, self.suspects.count())

    def _staff(self) -> list[str]:
        """The radiologists of all reports, by name also where the workspace has pseudonyms alone."""
        from radcal.reports.deidentify.rows import known_from

        names = self._context.names
        cells = names.known().values() if names.kept_apart else self._workspace.cells_of_people()
        return sorted(known_from((), cells, ()).staff)

    def _several(self, secret: bytes, staff: Collection[str]) -> DeidentifierSideBySide:
        from radcal.reports.deidentify.side_by_side import DeidentifierSideBySide

        if (there := elsewhere()) is not None:
            self._context.note_once(f"de-identification by {there.named} begun")
        return DeidentifierSideBySide(secret, staff, self._context.settings.workers)

    def _there(self, ids: Collection[str]) -> list[str]:
        return self._workspace.reports(("report_id",), ids)["report_id"].tolist()

    def _remade(
        self,
        batches: Iterable[Sequence[str]],
        several: DeidentifierSideBySide,
        known: Mapping[str, Known],
        progress: Progress,
    ) -> Iterator[tuple[Sequence[str], list[tuple[ReportText, Deidentified]]]]:
        """Batches of reports one after the other, with their stored texts and what takes their place."""
        from radcal.reports.deidentify.side_by_side import Raw

        read: deque[tuple[Sequence[str], list[ReportText]]] = deque()

        def texts() -> Iterator[Raw]:
            for some in batches:
                progress.raise_if_cancelled()
                rows = self._workspace.reports(("report_id", "patient_id", "accession", "study_uid"), some)
                of = {
                    report_id: (known.get(report_id) or Known(numbers=(patient, accession, study_uid)), patient)
                    for report_id, patient, accession, study_uid in rows.itertuples(index=False, name=None)
                }
                stored = self._workspace.texts_of(some)
                read.append((some, stored))
                yield from (Raw(text.text, *of[text.report_id]) for text in stored)

        made = several(texts(), progress)
        for first in made:
            some, stored = read.popleft()
            yield some, list(zip(stored, [first, *islice(made, len(stored) - 1)], strict=True))

    def _replace(self, made: Sequence[tuple[ReportText, Deidentified]]) -> None:
        if replace_texts(self._workspace, made, "reports de-identified"):
            self._tell()


@dataclass(frozen=True, eq=False)
class Read:
    """The rows of an import as they are stored.

    removed: what was taken out; None where nothing was looked at
    names: other names for files that were named after a patient
    unnamed: files in which nothing names a patient
    secret: under which they were de-identified
    rewrites: stored texts of the same reports, and what takes their place
    more: of these new texts, by report_id and text, those of which the rows remove something more
    """

    parts: list[Part]
    removed: Removed | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    unnamed: tuple[str, ...] = ()
    secret: bytes = field(default=b"", repr=False)
    rewrites: Sequence[tuple[ReportText, Deidentified]] = ()
    more: Mapping[tuple[str, str], Deidentified] = field(default_factory=dict)

    @property
    def rewrites_texts(self) -> bool:
        """Whether stored texts are to be replaced."""
        return bool(self.rewrites or self.more)


def suspects_note(n: int) -> Text:
    """That words may still be identifiers; empty for none."""
    if not n:
        return Text("")
    return Text(
        "{n:,} word that was left may be a name or a number of a person: the page Reports lists it.",
        many="{n:,} words that were left may be names or numbers of people: the page Reports lists them.",
        n=n,
    )


def notes_of(found: Deidentification) -> Text:
    """What was taken out of the reports of an import and what may be left; empty if nothing was looked at."""
    from radcal.reports.deidentify.rows import unnamed_note

    return joined([found.note, suspects_note(found.suspects), unnamed_note(found.unnamed)])


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH))


def _by_report(texts: Iterable[ReportText]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for text in texts:
        found.setdefault(text.report_id, set()).add(text.text)
    return found
