"""Write a small workspace, and the personal file of one of its radiologists, in the present schema into this folder.

Run as ``python tests/old_files/make.py`` once for every schema that ships; the files are then kept for ever, and
tests/department/test_old_files.py says what they hold.  Passphrase: "plum tree in blossom".
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from radcal.feedback.records import PageChoice
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.review.records import Action, Mark, Verdict, new_name
from radcal.sample.department import generate
from radcal.system.settings import Settings
from radcal.workspace import schema

PASSPHRASE = "plum tree in blossom"


def main() -> None:
    """Make the files."""
    here, number = Path(__file__).parent, schema.newest()
    settings = Settings(bootstrap=20, min_group_n=5, min_phrase_n=3, seed=7)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_department(here / f"schema-{number}.radcal", PASSPHRASE, create=True, settings=settings) as department,
    ):
        sample = generate(Path(folder), 24, 4, radiologists=2)
        department.importing.import_reports(as_files(xray=[sample.xray], ct=[sample.ct]))
        department.importing.pair()
        department.runs.extract()
        department.analyse()
        department.gold.draw(4, seed=7)
        department.gold.begin("AB")
        for report in department.gold.reports()[:2]:
            marks = tuple(Mark(f"engine {i}", Verdict.CORRECTED, f) for i, f in enumerate(report.findings))
            department.gold.mark("AB", Action(new_name(), report.report_id, marks, done=True, blind=True))
        author = department.authors()[0]
        department.contests.add("xray:XR2500013", "cardiomegaly", author, "absent", "said otherwise")
        department.habits.known()
        department.pages.keep_choice(author, PageChoice(examples=False, note="Thank you."))
        department.personal_files.write(author, here / f"personal-{number}.radcal", PASSPHRASE)
        for receipt in here.glob("receipt-*.json"):
            receipt.unlink()


if __name__ == "__main__":
    main()
