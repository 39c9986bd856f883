from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.importing import Importing, as_files
from radcal.sample.department import SampleTruth, generate


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    """Reports of 34 pairs by two radiologists, with versions, addenda, contradictions, unusable rows and bystanders."""
    made = generate(tmp_path_factory.mktemp("few"), 34, 24, radiologists=2)
    assert len(made.extras) == 15
    return made


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory, make: SimpleNamespace) -> Callable[[Path, Path], Path]:
    """A workspace to copy, into which two files of X-ray and CT reports were imported and paired, once for all."""
    made: dict[tuple[Path, Path], Path] = {}

    def get(xray: Path, ct: Path) -> Path:
        if (xray, ct) not in made:
            path = tmp_path_factory.mktemp("imported") / "w.radcal"
            with open_department(path, make.passphrase, create=True, settings=make.settings) as department:
                department.importing.import_reports(as_files(xray=[xray], ct=[ct]))
                department.importing.pair()
            made[xray, ct] = path
        return made[xray, ct]

    return get


_UNUSED_TEXTS = """
    SELECT count(*) FROM texts WHERE text_id NOT IN (
        SELECT text_id FROM reports UNION SELECT whole_id FROM reports WHERE whole_id IS NOT NULL
        UNION SELECT text_id FROM versions)
"""


@pytest.fixture(autouse=True)
def _every_text_is_of_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is imported and paired in these tests: no text stays that no report has any more."""

    def checked(do: Callable[..., Any]) -> Callable[..., Any]:
        def checking(its: Importing, *given: Any, **more: Any) -> Any:
            found = do(its, *given, **more)
            assert its.context.workspace._db.execute(_UNUSED_TEXTS) == [(0,)]
            return found

        return checking

    for name in ("import_reports", "pair"):
        monkeypatch.setattr(Importing, name, checked(getattr(Importing, name)))


@pytest.fixture
def holding(
    tmp_path: Path, few: SampleTruth, imported: Callable[[Path, Path], Path], make: SimpleNamespace
) -> Iterator[Department]:
    """A department with the few reports, imported and paired."""
    with open_department(shutil.copy(imported(few.xray, few.ct), tmp_path / "new.radcal"), make.passphrase) as opened:
        yield opened
