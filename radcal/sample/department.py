"""Generator of fictitious departments: reports in many styles with hidden truth, from a seed."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from radcal.sample._cases import Case, Drawer
from radcal.sample._text import Line, Statement, Writer
from radcal.sample._words import CT_TOPICS, RADIOLOGISTS, READERS, WRITTEN, Radiologist, Reader
from radcal.sample._xray import other_version, write_xray
from radcal.system.errors import DataError
from radcal.system.files import writing
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.records import ABSENT

# --- CT reports: mostly unhedged statements under fixed headings


def write_ct(reader: Reader, said: Mapping[str, str], rng: Random) -> tuple[str, list[Line]]:
    """A report with exactly the statements ``said``.

    Returns:
        The text, and its sentences with statements, the decisive ones (the impression) last.
    """
    writer = Writer(rng, topics=CT_TOPICS)
    lines = [writer.positive(t, p) for t, p in said.items() if p != ABSENT]
    lines.extend(writer.absents([t for t, p in said.items() if p == ABSENT], by_organ=reader.structured))
    other = " ".join(rng.sample(WRITTEN.ct_other, 2))
    if reader.structured:
        parts = []
        for organ, heading in WRITTEN.ct_headings.items():
            texts = [line.text for line in lines if line.organ == organ]
            if texts:
                parts.append(f"{heading}: {' '.join(texts)}")
        findings = "\n".join([*parts, f"OTHER: {other}"])
    else:
        rng.shuffle(lines)
        findings = f"{' '.join(line.text for line in lines)} {other}"
    text = f"FINDINGS:\n{findings}"
    if reader.impression:
        repeated = [writer.positive(t, p) for t, p in said.items() if p != ABSENT][:3]
        again = [line.text for line in repeated] or ["No acute abnormality in the chest."]
        text += "\n\nIMPRESSION:\n" + "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(again, 1))
        lines.extend(repeated)
    if rng.random() < 0.3:
        text = f"TECHNIQUE: CT of the chest {rng.choice(('with', 'without'))} intravenous contrast.\n\n{text}"
    return text, lines


PAIRS = 2662
COLUMNS = (
    "Accession", "MRN", "Exam Description", "Modality", "Exam Time", "Report Text",
    "Dictating Radiologist", "Signing Radiologist", "Status", "Site", "Patient Age",
)  # fmt: skip
TRUTH_COLUMNS = (
    "xray_accession", "ct_accession", "patient_id", "author", "pathology",
    "phrase", "cue", "sentence", "state", "ct_phrase", "ct_sentence",
)  # fmt: skip
"""One row for each pathology mentioned in either report of a pair.

phrase, cue and sentence come from the X-ray report, '' if it is silent; cue is also '' for an unhedged statement.
state is the truth, 'present' or 'absent'.  ct_phrase and ct_sentence are '' if the CT report is silent.
"""

_FIRST_DAY = datetime(2025, 1, 1)
_DAYS = 270
_WINDOW_HOURS = 12.0


@dataclass(frozen=True)
class SampleTruth:
    """The files of a sample, and the results they should give.

    pairs:  number of matching X-ray and CT reports
    extras: number of other rows by kind, which import or pairing leaves out or replaces by a later version
    """

    xray: Path
    ct: Path
    truth: Path
    pairs: int
    extras: Mapping[str, int]


def generate(
    folder: Path, pairs: int = PAIRS, seed: int = 0, progress: Progress = SILENT, radiologists: int = len(RADIOLOGISTS)
) -> SampleTruth:
    """Write ``xray.csv``, ``ct.csv`` and ``truth.csv`` of a fictitious department.

    Args:
        folder: created if necessary.
        pairs: X-ray reports with a chest CT within 12 hours, >= 1.
        seed: the same seed gives the same bytes.
        progress: advances by pairs.
        radiologists: number of X-ray authors, 1 to 12.

    Raises:
        DataError: pairs or radiologists out of range.
        InputError: the files cannot be written.
    """
    if pairs < 1 or not 1 <= radiologists <= len(RADIOLOGISTS):
        raise DataError("A sample needs at least one pair and 1 to {n} radiologists.", n=len(RADIOLOGISTS))
    progress.start(pairs, Text("Writing the sample department"))
    department = _Department(RADIOLOGISTS[:radiologists], Random(f"radcal {seed}"))  # noqa: S311 - a sample, no secret
    for i in range(pairs):
        department.pair(i)
        if i % 100 == 99 or i == pairs - 1:
            progress.advance(i % 100 + 1)
            progress.raise_if_cancelled()
    department.bystanders(pairs)
    written = SampleTruth(
        folder / "xray.csv", folder / "ct.csv", folder / "truth.csv", pairs, dict(sorted(department.extras.items()))
    )
    _write(written.xray, COLUMNS, sorted(department.xray, key=_by_time))
    _write(written.ct, COLUMNS, sorted(department.ct, key=_by_time))
    _write(written.truth, TRUTH_COLUMNS, department.truth)
    return written


def _by_time(row: Sequence[str]) -> tuple[str, str]:
    return row[4], row[0]


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    # Unguarded, as radiology systems write them.
    with writing(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


class _Department:
    """The rows of both exports and of the truth."""

    def __init__(self, authors: Sequence[Radiologist], rng: Random) -> None:
        self._authors = authors
        self._rng = rng
        self._drawer = Drawer()
        self._patients: dict[str, list[datetime]] = {}
        self._ages: dict[str, int] = {}
        self._numbers: Counter[str] = Counter()
        self.xray: list[list[str]] = []
        self.ct: list[list[str]] = []
        self.truth: list[list[str]] = []
        self.extras: Counter[str] = Counter()

    # --- rows ---

    def _accession(self, kind: str) -> str:
        self._numbers[kind] += 1
        return f"{kind}25{self._numbers[kind]:05d}"

    def _patient(self) -> str:
        self._numbers["M"] += 1
        return f"M{100_000 + self._numbers['M']}"

    def _moment(self) -> datetime:
        return _FIRST_DAY + timedelta(days=self._rng.randrange(_DAYS), minutes=self._rng.randrange(24 * 60))

    def _returning(self, when: datetime) -> str:
        """A patient for a pair, occasionally one of an earlier week."""
        if self._patients and self._rng.random() < 0.08:
            patient = self._rng.choice(list(self._patients))
            if all(abs(when - seen) > timedelta(days=7) for seen in self._patients[patient]):
                self._patients[patient].append(when)
                return patient
        patient = self._patient()
        self._patients[patient] = [when]
        return patient

    def _row(
        self, kind: str, patient: str, when: datetime, text: str, signing: str, status: str = "Final", exam: str = ""
    ) -> list[str]:
        """Add a row of kind XR or CT."""
        rows, modality = (self.xray, "CR") if kind == "XR" else (self.ct, "CT")
        exam = exam or self._rng.choice(WRITTEN.xray_exams if kind == "XR" else WRITTEN.ct_exams)
        moment = f"{when:%Y-%m-%d %H:%M}"
        about = [self._site(patient, exam), str(self._age(patient))]
        rows.append([self._accession(kind), patient, exam, modality, moment, text, signing, signing, status, *about])
        return rows[-1]

    def _age(self, patient: str, findings: int = 0) -> int:
        """Older patients have more findings; drawn apart, so that the reports are the same with and without."""
        if patient not in self._ages:
            drawn = Random(f"age {patient}").gauss(48 + 7 * min(findings, 5), 15)  # noqa: S311 - a sample, no secret
            self._ages[patient] = min(max(round(drawn), 18), 97)
        return self._ages[patient]

    def _site(self, patient: str, exam: str) -> str:
        sites = next(sites for word, sites in WRITTEN.sites.items() if word in exam)
        return Random(f"site {patient}").choice(sites)  # noqa: S311 - a sample, no secret

    def _other_version(self, row: Sequence[str], text: str, status: str) -> None:
        self.xray.append([*row[:5], text, *row[6:8], status, *row[9:]])

    # --- reports that belong together ---

    def pair(self, i: int) -> None:
        """Add an X-ray and the CT with the truth, occasionally with further examinations."""
        rng, author = self._rng, self._authors[i % len(self._authors)]
        case = self._drawer.draw(author, rng)
        when = self._moment()
        gap = timedelta(minutes=rng.randrange(20, 60 * 11))
        patient = self._returning(when)
        self._age(patient, sum(case.state.values()))
        text, lines = write_xray(author, case.said, rng)
        row = self._row("XR", patient, when, text, author.name)
        reader = rng.choice(READERS)
        ct_text, ct_lines = write_ct(reader, case.ct, rng)
        ct_row = self._row("CT", patient, when + gap, ct_text, reader.name)
        self._record(row, ct_row, author, case, lines, ct_lines)
        self._circumstances(row, when, gap, author, case, lines)

    def _circumstances(
        self,
        row: list[str],
        when: datetime,
        gap: timedelta,
        author: Radiologist,
        case: Case,
        lines: Sequence[Line],
    ) -> None:
        """Add further reports of a pair: versions, a trainee, further examinations."""
        rng, chance = self._rng, self._rng.random()
        if chance < 0.03:
            self._other_version(row, other_version(author, case.said, row[5], lines, rng), "Final")
            row[5] += "\n\nADDENDUM: The wording was corrected after review. The referring team was informed."
            row[8] = "Addendum"
            self.extras["earlier version, replaced by its addendum"] += 1
        elif chance < 0.07:
            drafts = "preliminary version, replaced by the final one"
            row[6] = WRITTEN.trainees[self.extras[drafts] % len(WRITTEN.trainees)]
            self._other_version(row, other_version(author, case.said, row[5], lines, rng), "Preliminary")
            self.extras[drafts] += 1
        elif chance < 0.17:
            row[6] = rng.choice(WRITTEN.trainees)
            self.extras["dictated by a trainee, signed by the author"] += 1
        elif chance < 0.20:
            later = when + timedelta(hours=_WINDOW_HOURS) - timedelta(minutes=rng.randrange(2, 50))
            self._row("CT", row[1], later, write_ct(READERS[0], case.ct, rng)[0], READERS[0].name)
            self.extras["second CT within the window"] += 1
        elif chance < 0.22 and gap < timedelta(hours=8):
            earlier = when - timedelta(minutes=rng.randrange(30, 180))
            self._row("XR", row[1], earlier, self._report(author), author.name)
            self.extras["earlier X-ray before the same CT"] += 1

    def _record(
        self,
        xray: Sequence[str],
        ct: Sequence[str],
        author: Radiologist,
        case: Case,
        lines: Iterable[Line],
        ct_lines: Iterable[Line],
    ) -> None:
        """Add rows of truth; of repeated statements the last sentence counts."""
        said = {s.topic: (s, line.text) for line in lines for s in line.said}
        read = {s.topic: (s, line.text) for line in ct_lines for s in line.said}
        for topic in sorted(said.keys() | read.keys()):
            ours, sentence = said.get(topic, _SILENCE)
            theirs, ct_sentence = read.get(topic, _SILENCE)
            state = "present" if case.state.get(topic, False) else "absent"
            about = [xray[0], ct[0], xray[1], author.name, topic]
            self.truth.append([*about, ours.phrase, ours.cue, sentence, state, theirs.phrase, ct_sentence])

    # --- reports that must drop out ---

    def _report(self, author: Radiologist) -> str:
        return write_xray(author, self._drawer.say(author, self._rng), self._rng)[0]

    def bystanders(self, pairs: int) -> None:
        """Add everything else in a department's export."""
        rng = self._rng
        authors = [rng.choice(self._authors) for _ in range(pairs)]
        for i in range(pairs * 35 // 100):
            patient, when, author = self._patient(), self._moment(), authors[i]
            self._row("XR", patient, when, self._report(author), author.name)
            if i % 7 == 0:
                exam = rng.choice(WRITTEN.cts_elsewhere)
                self._row("CT", patient, when + timedelta(hours=2), WRITTEN.head_ct, READERS[1].name, exam=exam)
                self.extras["CT of another part of the body"] += 1
            self.extras["X-ray without a chest CT"] += 1
        for kind, share, soonest, latest in (
            ("CT after the window", 5, _WINDOW_HOURS + 0.5, 72.0),
            ("CT before the X-ray", 2, -10.0, -0.5),
        ):
            for i in range(pairs * share // 100):
                patient, when, author = self._patient(), self._moment(), authors[-i - 1]
                self._row("XR", patient, when, self._report(author), author.name)
                self._lone_ct(patient, when + timedelta(hours=rng.uniform(soonest, latest)), author)
                self.extras[kind] += 1
        for i in range(pairs * 8 // 100):
            self._lone_ct(self._patient(), self._moment(), authors[i])
            self.extras["CT without an X-ray"] += 1
        for _ in range(pairs * 3 // 100):
            about = self._patient(), self._moment(), WRITTEN.abdominal_xray, self._authors[0].name
            self._row("XR", *about, exam=WRITTEN.xray_elsewhere)
            self.extras["X-ray of another part of the body"] += 1
        for kind, status in (("preliminary only", "Preliminary"), ("signed by nobody", "Final")):
            for i in range(pairs // 100):
                patient, when, author = self._patient(), self._moment(), authors[i]
                self._row("XR", patient, when, self._report(author), "", status)[6] = author.name
                self._lone_ct(patient, when + timedelta(hours=3), author)
                self.extras[kind] += 1
        for i in range(max(1, pairs // 600)):
            self._bad_rows(authors[i])

    def _lone_ct(self, patient: str, when: datetime, author: Radiologist) -> None:
        reader = self._rng.choice(READERS)
        case = self._drawer.draw(author, self._rng)
        self._row("CT", patient, when, write_ct(reader, case.ct, self._rng)[0], reader.name)

    def _bad_rows(self, author: Radiologist) -> None:
        """Add one row of each unusable kind."""
        for kind, column, value in (
            ("row without text", 5, ""),
            ("row without time", 4, ""),
            ("row with an unreadable date", 4, "31st of spring"),
        ):
            self._row("XR", self._patient(), self._moment(), self._report(author), author.name)[column] = value
            self.extras[kind] += 1
        row = self._row("XR", self._patient(), self._moment(), self._report(author), author.name, exam="PORTABLE STUDY")
        row[3] = "??"
        self.extras["row of unknown modality"] += 1
        row = self._row("XR", self._patient(), self._moment(), self._report(author), author.name)
        self._other_version(row, self._report(author) + " End of report.", "Final")
        self.extras["accession given twice with other text"] += 1


_SILENCE = Statement("", "", ""), ""
