"""Two studies without a line of code: rates are those that were planted, and nothing speaks of X-ray and CT."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

from radcal import cli
from radcal.opening import open_department, open_workspace
from radcal.reports.importing import as_files
from radcal.system.settings import Settings
from radcal.words.studies import chosen_study, name_of, study_of
from tests.studies.conftest import KEY
from tests.studies.departments import MADE, READERS

FOREIGN = {
    "mammography": re.compile(r"\bCTs?\b|X-ray|R\u00f6ntgen|(?i:\bchest\b|\bthorax\b)"),
    "appendix": re.compile(r"X-ray|R\u00f6ntgen|(?i:\bchest\b|\bthorax\b)"),
}
IN_GERMAN = {"mammography": ("Mammogra", "Biops"), "appendix": ("Ultraschall", "CT")}
OWN = {"mammography": ("mammogra", "biops"), "appendix": ("ultrasound", "CT")}


def pages(path: Path) -> str:
    pdf = pypdfium2.PdfDocument(path)
    return "\n".join(page.get_textpage().get_text_range() for page in pdf)


def test_rates_are_those_that_were_planted(study: str, run: Callable[[str], Path], tmp_path: Path) -> None:
    folder, made = run(study), MADE[study](tmp_path)
    with open_department(folder / "w.radcal", KEY, read_only=True) as department:
        settings = department.settings
        whole = department.groups.entered(["author", "phrase", "outcome", "topic"])
        n, confirmed = Counter(zip(whole["author"], whole["phrase"], strict=True)), Counter[tuple[str, str]]()
        for author, phrase, outcome in zip(whole["author"], whole["phrase"], whole["outcome"], strict=True):
            confirmed[author, phrase] += outcome
        assert set(whole["topic"]) == set(study_of(settings).pathologies)
        assert settings.window_hours == study_of(settings).hours
    told = {reader: {p: (n[reader, p], confirmed[reader, p]) for (r, p) in n if r == reader} for reader in made.truth}
    assert told == made.truth
    summary = json.loads((folder / "said").read_text(encoding="utf-8"))
    statements = sum(total for words in made.truth.values() for total, _ in words.values())
    assert summary["pairs"] == statements + made.unlike
    assert summary["study"] == study_of(settings).name
    assert summary["groups_measured"] == len(made.truth)


def test_a_personal_page_has_these_rates_and_the_words_of_the_study(
    study: str, run: Callable[[str], Path], tmp_path: Path
) -> None:
    folder, made = run(study), MADE[study](tmp_path)
    with open_department(folder / "w.radcal", KEY, read_only=True) as department:
        alias = department.pseudonyms()
    for reader, words in made.truth.items():
        text = pages(folder / "out" / f"feedback-{alias[reader].lower()}.pdf")
        assert FOREIGN[study].findall(text) == []
        assert all(word in text for word in OWN[study])
        assert ("within 180 days" if study == "mammography" else "within 72") in text
        assert {f"{yes}/{n}" for n, yes in words.values()} <= set(re.findall(r"\d+/\d+", text))
    assert FOREIGN[study].findall(pages(folder / "out" / "department.pdf")) == []


def test_pages_in_german_and_personal_files_are_of_the_study_too(
    study: str, run: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, reader = run(study), READERS[0]
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)
    of = ["--workspace", str(folder / "w.radcal"), "--author", reader]
    page = tmp_path / "page.pdf"
    assert cli.main(["report", *of, "--language", "de", "--out", str(page)]) == 0
    text = pages(page)
    assert FOREIGN[study].findall(text) == []
    assert all(word in text for word in IN_GERMAN[study])
    (tmp_path / "new").write_text("a heron on a frozen pond", encoding="utf-8")
    own = ["--out", str(tmp_path / "own.radcal"), "--own-passphrase-file", str(tmp_path / "new")]
    assert cli.main(["personal", *of, *own]) == 0
    with open_workspace(tmp_path / "own.radcal", "a heron on a frozen pond") as results:
        assert name_of(results.settings.study) == study_of(results.settings).name != study_of(None).name


def test_lists_and_what_the_command_says_have_the_words_of_the_study(
    study: str, run: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run(study)
    summary = json.loads((folder / "said").read_text(encoding="utf-8"))
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)
    cli.main(["run", "--workspace", str(folder / "w.radcal"), "--out", str(folder / "again")])
    told = [capsys.readouterr().out.replace(str(folder), ""), *summary["notes"], summary["reading_errors"]]
    told += [step[of] for step in summary["attrition"] for of in ("step", "reason")]
    assert [found for text in told for found in FOREIGN[study].findall(text)] == []
    assert any(OWN[study][0] in text for text in told)


def test_rows_of_outcomes_that_do_not_fit_are_listed_with_their_remedy(run: Callable[[str], Path]) -> None:
    summary = json.loads((run("mammography") / "said").read_text(encoding="utf-8"))
    rows = {row["row"]: row for row in summary["failures"]}
    n = (min(rows) - 2) // 2  # two rows of each mammogram precede them
    assert [rows[2 + 2 * n + k]["reason"] for k in range(4)] == [
        "The finding is none of the study.",
        "The outcome says neither yes nor no.",
        "The row has no patient.",
        "The examination time cannot be read.",
    ]
    assert all(row["remedy"] and row["file"] == "biopsies.csv" for row in rows.values())
    steps = {(s["step"], s["modality"], s["reason"]): s for s in summary["attrition"]}
    assert steps["is a mammogram or a biopsy", "both", "another kind of examination"]["dropped"] == 1
    assert steps["the patient has a mammogram", "ct", "no attributed mammogram of this patient"]["dropped"] == 1


def test_what_is_shown_as_the_reference_is_the_rows_as_they_stand(run: Callable[[str], Path]) -> None:
    with open_department(run("mammography") / "w.radcal", KEY, read_only=True) as department:
        frame = department.workspace.reports(("modality", "text"))
    texts = frame.loc[frame["modality"] == "ct", "text"]
    lines = {line for text in texts for line in text.splitlines()}
    kinds = ("invasive carcinoma", "DCIS", "Carcinoma in situ")
    assert lines == {f"{kind}: {said}" for kind in kinds for said in ("yes", "benign")} | {"DCIS: no"}


def test_outcomes_stay_as_they_are_where_names_and_dates_are_taken_out(tmp_path: Path) -> None:
    """They are in the words of the study; at import, and of what is stored as it was read."""
    made = MADE["mammography"](tmp_path)
    for first, name in (("on", "a.radcal"), ("off", "b.radcal")):
        settings = Settings(**chosen_study(made.study)).changed(deidentify=first)
        with open_department(tmp_path / name, KEY, create=True, settings=settings) as department:
            department.importing.import_reports(as_files(xray=[made.index], ct=[made.reference]))
            department.save_settings(settings.changed(deidentify="on"))
            department.importing.deidentifying.stored(department.backups)
            frame = department.workspace.reports(("modality", "text"))
            assert not frame.loc[frame["modality"] == "ct", "text"].str.contains(r"\[").any()
            assert department.importing.deidentifying.as_read() == 0
            assert department.importing.import_reports(as_files(ct=[made.reference])).rows_read == 0 or first == "off"


def test_another_study_cannot_be_laid_over_a_workspace(
    run: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run("appendix")
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)
    way = ["run", "--workspace", str(folder / "w.radcal"), "--out", str(folder / "out")]
    for more in (["--study", str(MADE["mammography"](folder).study)], ["--set", "study="]):
        assert cli.main([*way, *more]) == 2
        assert "is of the study 'Appendix ultrasound and CT', and stays so" in capsys.readouterr().err


def test_reports_without_a_statement_are_told(study: str, run: Callable[[str], Path], tmp_path: Path) -> None:
    """So that terms that are misspelt are noticed."""
    folder, made = run(study), MADE[study](tmp_path)
    summary = json.loads((folder / "said").read_text(encoding="utf-8"))
    assert summary["pairs_without_statement"] == made.unlike
    of = {"mammography": "mammography", "appendix": "ultrasound"}[study]
    told = [f"{made.unlike} of {summary['pairs']} paired {of} reports say nothing of the study's pathologies."]
    assert [note.partition(" If that")[0] for note in summary["notes"] if "say nothing" in note] == told[: made.unlike]


def test_rejected_rows_of_outcomes_are_in_the_attrition(run: Callable[[str], Path]) -> None:
    summary = json.loads((run("mammography") / "said").read_text(encoding="utf-8"))
    steps = [step for step in summary["attrition"] if step["modality"] == "ct"]
    for before, after in pairwise(steps):
        assert after["kept"] == before["kept"] - after["dropped"]
    assert sum(step["dropped"] for step in steps if step["step"] == "has all that is needed") == 4
    both = [step["kept"] for step in summary["attrition"] if step["modality"] == "both"]
    first = [s["kept"] for s in summary["attrition"] if s["step"] == "reports of this modality"]
    assert both[-1] == sum(first)


def test_outcomes_in_german_are_no_german_reports(tmp_path: Path) -> None:
    made = MADE["mammography"](tmp_path)
    rows = made.reference.read_text(encoding="utf-8").replace("benign", "nein").replace("yes", "ja")
    made.reference.write_text(rows.replace("DCIS", "duktales Karzinom der Brust"), encoding="utf-8")
    settings = Settings(**chosen_study(made.study))
    with open_department(tmp_path / "w.radcal", KEY, create=True, settings=settings) as department:
        notes = department.importing.import_reports(as_files(xray=[made.index], ct=[made.reference])).notes
    assert not [note for note in notes if "Languages" in str(note)]
