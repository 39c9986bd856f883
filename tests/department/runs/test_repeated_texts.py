"""Reports with the same text are read once, and all of them count as read."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.opening import open_department
from radcal.reports.importing import ReportFile
from radcal.system.errors import Cancelled
from radcal.system.progress import Silent

HEADER = "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Signing Radiologist"


class StopsAfter(Silent):
    """Is stopped once so many reports are read."""

    def __init__(self, n: int) -> None:
        self._left, self._reading = n, False

    def start(self, total: int | None, what: str) -> None:
        self._reading = what == "Extracting findings"

    def raise_if_cancelled(self) -> None:
        self._left -= self._reading
        if self._left < 0:
            raise Cancelled


def test_what_is_read_and_left_is_counted_in_reports_at_every_point(tmp_path: Path) -> None:
    rows = [
        f"{k}{i},P{i},{exam},{k},2025-01-{i + 1:02} {hour}:00,{text},Quill"
        for i in range(12)
        for k, exam, hour, text in (
            ("CR", "XR CHEST", "08", "Likely edema." if i % 3 else f"No effusion. View {i}."),
            ("CT", "CT CHEST", "10", "There is edema."),
        )
    ]
    path = tmp_path / "both.csv"
    path.write_text("\n".join((HEADER, *rows)), encoding="utf-8")
    department = open_department(tmp_path / "x.radcal", "correct horse battery", create=True)
    try:
        department.importing.import_reports([ReportFile(path)])
        assert department.importing.pair().n_pairs == 12
        counts = []
        for n in (1, 1, 2):
            with pytest.raises(Cancelled):
                department.runs.read(StopsAfter(n))
            status, (run,) = department.runs.status(), department.runs.all()
            assert status.n_read == run.n_read
            assert status.n_findings == run.n_findings
            assert status.n_read + status.n_failed + status.n_pending == status.n_reports == 24
            counts.append(status.n_read)
        assert 0 < counts[0] < counts[-1] < 24
        department.runs.read()
        assert (department.runs.status().n_read, department.runs.status().n_pending) == (24, 0)
    finally:
        department.close()
