"""All steps in a row: what is written, what is told, and what is never written or told."""

from __future__ import annotations

import json
import logging
import os
import signal
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from radcal import cli
from radcal.cli import program
from radcal.cli.bar import Bar
from radcal.cli.run import write_results
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.reports.records import Attribution
from radcal.sample.department import SampleTruth, generate
from radcal.system.errors import Cancelled, DataError, InputError
from radcal.system.progress import Silent

MARK = "zyqwxmarker"
"""Stands in every report of the privacy tests and in no word of ours."""


@pytest.fixture
def no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page is typeset, which takes most of the time; other tests look at the pages."""
    monkeypatch.setattr("radcal.cli.run._write_pages", lambda *_, **__: [])


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    """Reports of 24 pairs by one radiologist, with rows that cannot be used."""
    return generate(tmp_path_factory.mktemp("few"), 24, 4, radiologists=1)


@pytest.mark.slow
def test_a_run_writes_every_page_and_every_list(department, small, tmp_path, table):
    out = tmp_path / "out"
    summary = write_results(department, out, as_files(xray=[small.xray], ct=[small.ct]))
    names = {p.name for p in out.iterdir()}
    pages = {f"feedback-{name.casefold()}.pdf" for name in department.pseudonyms().values()}
    tables = {"attrition.csv", "rejected.csv", "pseudonyms.csv"}
    assert names == pages | tables | {"department.pdf", "summary.json"}
    assert {Path(f).name for f in summary["files"]} == names - {"summary.json"}
    assert all((out / name).read_bytes().startswith(b"%PDF") for name in names if name.endswith(".pdf"))
    assert {r["radiologist"]: r["pseudonym"] for r in table.read(out / "pseudonyms.csv")} == department.pseudonyms()
    attrition = table.read(out / "attrition.csv")
    assert [row["kept"] for row in attrition if row["modality"] == "xray"][-1] == "80"
    begun, *steps = (row for row in attrition if row["modality"] == "xray statements")
    counts = Counter[str]()
    for _, _, what, n in department.analysis().counts:
        counts[what] += n
    assert int(begun["kept"]) - sum(int(row["dropped"]) for row in steps) == int(steps[-1]["kept"]) == counts["entered"]
    assert steps[0]["step"] == "is understood"
    assert int(steps[0]["dropped"]) == counts["beside words that were not understood, left out"]
    rejected = table.read(out / "rejected.csv")
    failures = [f for f in summary["failures"] if "file" in f]
    assert [(r["file"], int(r["row"]), r["reason"]) for r in rejected] == [
        (f["file"], f["row"], f["reason"]) for f in failures
    ]
    assert all(set(f) == {"file", "row", "reason", "remedy", "accession", "unit"} for f in failures)
    assert (summary["pairs"], summary["reports_extracted"], summary["authors"]) == (80, 160, 2)
    assert summary["groups_measured"] > 0
    assert summary.pop("text").startswith("80 pairs")
    said = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert said == summary | {"workspace": department.path.name, "files": [Path(f).name for f in summary["files"]]}


def test_a_run_without_files_goes_on_with_what_is_there(analysed, tmp_path):
    first = write_results(analysed, tmp_path / "a")
    second = write_results(analysed, tmp_path / "b")
    assert (first["engine"], first["engine_version"][:2]) == ("rules", "2.")
    assert (first["rows_read"], first["pairs"]) == (sum(past.rows_read for past in analysed.importing.history()), 80)
    assert first["rows_read"] > 0
    for summary in (first, second):
        del summary["files"], summary["text"]
    assert first == second


@pytest.mark.usefixtures("no_pages")
def test_a_run_of_further_files_tells_of_these(few, make, tmp_path, department):
    xray, ct = as_files(xray=[few.xray], ct=[few.ct])
    department.importing.import_reports([xray])
    summary = write_results(department, tmp_path / "out", [ct])
    assert summary["rows_read"] == len(make.read(few.ct))
    assert write_results(department, tmp_path / "out", [xray])["rows_read"] == len(make.read(few.xray))
    both = write_results(department, tmp_path / "out", [xray, ct])
    assert both["rows_read"] == len(make.read(few.xray)) + len(make.read(few.ct))
    assert write_results(department, tmp_path / "out")["rows_read"] == both["rows_read"]


@pytest.mark.slow
@pytest.mark.usefixtures("no_pages")
def test_an_interrupted_run_says_how_to_go_on_and_loses_nothing(filled, make, spy, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RADCAL_PASSPHRASE", make.passphrase)
    run = ["run", "--workspace", str(filled.path), "--out", str(tmp_path / "out"), "--json"]
    with monkeypatch.context() as patch:
        assert cli.main(run) == 2
        assert f"process {os.getpid()}" in (told := capsys.readouterr()).err
        assert (told.out, "open in another RadCal" in told.err) == ("", True)
        filled.close()
        patch.setattr(spy, "raising", lambda _: len(spy.asked) == 100 and signal.raise_signal(signal.SIGINT))
        assert cli.main(run) == 130
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.strip().endswith("Stopped. What was done is kept; the same command goes on where it was.")
    assert cli.main(run) == 1
    assert json.loads(capsys.readouterr().out)["reports_extracted"] == len(set(spy.asked)) == 160
    assert len(spy.asked) <= 161  # the report in hand


def test_a_run_of_an_empty_workspace_says_what_is_missing(department, tmp_path):
    with pytest.raises(DataError, match="no reports yet"):
        write_results(department, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_without_any_pair_still_lists_where_the_reports_went(department, small, tmp_path, table):
    out = tmp_path / "out"
    why = r"No pairs: all reports are X-ray .*The attrition is in .*attrition\.csv, the rows .* in .*rejected\.csv"
    with pytest.raises(DataError, match=why):
        write_results(department, out, as_files(xray=[small.xray]))
    assert {p.name for p in out.iterdir()} == {"attrition.csv", "rejected.csv"}
    attrition = [row for row in table.read(out / "attrition.csv") if row["modality"] == "xray"]
    assert attrition[-1]["kept"] == "0"
    assert any(row["reason"] == "no chest CT of this patient" and int(row["dropped"]) > 0 for row in attrition)
    assert {row["file"] for row in table.read(out / "rejected.csv")} == {"xray.csv"}


@pytest.mark.slow
def test_a_run_withholds_pages_of_single_radiologists_and_nothing_else(badly_read, tmp_path, monkeypatch, capsys, make):
    out, path = tmp_path / "out", badly_read.path
    badly_read.save_settings(badly_read.settings.changed(least_accuracy=0.0))
    whole = write_results(badly_read, out, pictures=True)
    assert whole["withheld"] == ""
    assert any(out.glob("feedback-*.png"))
    badly_read.save_settings(badly_read.settings.changed(least_accuracy=1.0))
    badly_read.close()
    monkeypatch.setenv("RADCAL_PASSPHRASE", make.passphrase)
    assert cli.main(["run", "--workspace", str(path), "--out", str(out)]) == 1  # for the rows that could not be used
    said = capsys.readouterr().out
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    tables = {"attrition.csv", "rejected.csv", "pseudonyms.csv"}
    left = {p.name for p in out.iterdir()}
    assert left == tables | {"department.pdf", "summary.json"}
    assert {Path(f).name for f in summary["files"]} == tables | {"department.pdf"}
    assert summary["withheld"].startswith("Feedback to single radiologists is withheld: on 80 own reports")
    assert summary["withheld"] in said
    assert f"The department page is in {out}." in said
    assert {k: v for k, v in whole.items() if k in ("pairs", "groups", "recommendations", "attrition")}.items() <= (
        summary.items()
    )


@pytest.mark.usefixtures("no_pages")
def test_a_run_says_whose_the_reports_are_and_what_of_them_counts(analysed, tmp_path, monkeypatch):
    """What imports/test_versions.py counts, in JSON and in words."""
    rules = (("only radiologist named", 4), ("dictated and signed by two: the last to sign", 1))
    counted = Attribution(rules, 1, 2, 2, 1, 4, 1, 1)
    pair = analysed.importing.pair
    monkeypatch.setattr(analysed.importing, "pair", lambda *given: replace(pair(*given), attribution=counted))
    summary = write_results(analysed, tmp_path / "out")
    assert summary["attribution"] == asdict(counted) | {"rules": [{"rule": rule, "reports": n} for rule, n in rules]}
    assert json.loads((tmp_path / "out/summary.json").read_bytes())["attribution"] == summary["attribution"]
    for line in (
        "Of 5 X-ray reports, 1 names two radiologists or more. Rules: only radiologist named (4); "
        "dictated and signed by two: the last to sign (1).",
        "Written after the CT and kept apart: 2 texts of 2 reports, 1 addendum within a text among them.",
        "Left out, because only a correction or an addendum from after the CT is there: 1 report.",
        "Signed after the CT without an earlier version, and counted: 1 report in pairs.",
    ):
        assert line in summary["text"].splitlines()


@pytest.mark.slow
@pytest.mark.usefixtures("no_pages")
def test_what_was_left_out_is_told(filled, spy, tmp_path):
    spy.failing = lambda report_id: report_id.endswith("7")
    summary = write_results(filled, tmp_path / "out")
    assert summary["pairs_left_out"] > 0
    assert f"{summary['pairs_left_out']} pairs were left out because a report could not be read" in summary["text"]
    failed = [f for f in summary["failures"] if "report_id" in f]
    assert {f["reason"] for f in failed} == {"it took too long"}
    numbers = set(filled._workspace.reports(("accession",))["accession"])
    assert not numbers & {f["report_id"].partition(":")[2] for f in failed}  # under other numbers


@pytest.mark.usefixtures("no_pages")
def test_hedges_in_no_list_are_told(analysed, tmp_path, monkeypatch):
    from radcal.words.records import OTHER

    count = analysed._workspace.count_findings
    monkeypatch.setattr(
        analysed._workspace, "count_findings", lambda run, ids: [*count(run, ids), (OTHER, "to my surprise", 3)]
    )
    summary = write_results(analysed, tmp_path / "out")
    assert summary["unknown_phrases"] == {"to my surprise": 3}
    assert "3 hedges that are in no list; among them 'to my surprise' (3)." in summary["text"]


@pytest.mark.slow
def test_pages_of_an_earlier_run_go_and_nothing_else(analysed, tmp_path):
    out = tmp_path / "out"
    write_results(analysed, out)
    kept = [out / "feedback-of-somebody.pdf", out / "notes.txt", tmp_path / "feedback-elsewhere.pdf"]
    for path in kept:
        path.write_text("mine", encoding="utf-8")
    old = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    (out / "feedback-gone.pdf").write_text("old", encoding="utf-8")
    old["files"] += [str(out / "feedback-gone.pdf"), "../feedback-elsewhere.pdf", "notes.txt", 7]
    (out / "summary.json").write_text(json.dumps(old), encoding="utf-8")
    write_results(analysed, out)
    assert not (out / "feedback-gone.pdf").exists()
    assert all(path.read_text(encoding="utf-8") == "mine" for path in kept)


@pytest.mark.usefixtures("no_pages")
@pytest.mark.parametrize("text", ["", "[1]", '{"files": 3}', "{}"])
def test_somebody_elses_summary_is_no_list_of_files(analysed, tmp_path, text):
    out = tmp_path / "out"
    out.mkdir()
    (out / "summary.json").write_text(text, encoding="utf-8")
    (out / "feedback-a.pdf").write_text("mine", encoding="utf-8")
    write_results(analysed, out)
    assert (out / "feedback-a.pdf").exists()


def test_a_place_that_cannot_be_written_is_named(analysed, tmp_path):
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"feedback-.*\.pdf cannot be written"):
        write_results(analysed, tmp_path / "taken")


# --- the demo


@pytest.mark.slow
def test_the_demo_shows_all_that_it_writes(tmp_path, command, make):
    folder = tmp_path / "demo"
    summary = command("demo", "--out", folder, "--pairs", 24, settings=make.settings)
    assert summary["failures"] == []
    assert len(summary["rejected_on_purpose"]) >= 4
    pictures = [Path(name) for name in summary["files"] if name.endswith(".png")]
    pages = PdfReader(pictures[0].with_name(pictures[0].stem.split("-page-")[0] + ".pdf")).pages
    assert [path.stem.rpartition("-")[2] for path in pictures] == [str(k) for k in range(1, len(pages) + 1)]
    shown = [Path(line.split()[1].rstrip(",;")) for line in summary["text"].splitlines() if line.startswith("  ")]
    assert len(shown) == 6 + any("macros-" in name for name in summary["files"])
    assert sum("card-" in name for name in summary["files"]) == 12
    assert all(path.exists() and folder in path.parents for path in shown)
    key = (folder / "department.passphrase.txt").read_text(encoding="utf-8").strip()
    with open_department(folder / "department.radcal", key, read_only=True) as department:
        assert len(department.authors()) == 12


def test_a_demo_needs_a_place_and_pairs(command, tmp_path):
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="taken cannot be written"):
        command("demo", "--out", tmp_path / "taken")
    with pytest.raises(DataError, match="at least one pair"):
        command("demo", "--out", tmp_path / "none", "--pairs", 0)


# --- privacy


@pytest.fixture
def marked(small, make, tmp_path) -> tuple[Path, Path]:
    """The small department with the mark in every text, and with rows that go wrong in many ways."""
    folder = tmp_path / "marked"
    folder.mkdir()

    def mark(rows: list[dict[str, str]]) -> list[dict[str, str]]:
        return [r | {"Report Text": f"{r['Report Text']}\nThe {MARK} is unremarkable."} for r in rows]

    xray = mark(make.read(small.xray))
    bad = [
        xray[0] | {"Exam Time": f"about {MARK}", "Accession": "B1"},
        xray[0] | {"Report Text": f"Other {MARK} text."},
        xray[0] | {"MRN": "", "Accession": "B2"},
    ]
    return make.write(folder / "xray.csv", xray + bad), make.write(folder / "ct.csv", mark(make.read(small.ct)))


def _holders(*folders: Path) -> list[str]:
    mark = MARK.encode()
    return [str(p) for folder in folders for p in folder.rglob("*") if p.is_file() and mark in p.read_bytes()]


@pytest.mark.slow
@pytest.mark.parametrize("end", ["well", "engine breaks", "fault of ours"])
def test_report_text_never_leaves_the_workspace(marked, make, tmp_path, monkeypatch, capsys, caplog, spy, end):
    """Looked for in temporary files at every step of the bar, and at the end in all that was written or told."""
    temporary, out, home = tmp_path / "tmp", tmp_path / "out", tmp_path / "home"
    for folder in (temporary, out, home):
        folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("RADCAL_PASSPHRASE", make.passphrase)
    caplog.set_level(logging.DEBUG)
    found: list[str] = []
    looks = 0

    class Watching(Bar):
        def advance(self, n: int = 1, note: str = "") -> None:
            nonlocal looks
            looks += 1
            if looks % 10 == 1:
                found.extend(_holders(temporary, home))
            super().advance(n, note)

    monkeypatch.setattr(program, "Bar", Watching)
    if end == "engine breaks":
        spy.raising = lambda report_id: len(spy.asked) == 30
    if end == "fault of ours":
        monkeypatch.setattr(
            "radcal.calibration.matching.match",
            lambda pairs, findings, *_: {}[f"{MARK} {findings['sentence'].iloc[0]}"],
        )
    status = cli.main([
        *("run", "--xray", str(marked[0]), "--ct", str(marked[1]), "--out", str(out)),
        *("--workspace", str(home / "w.radcal"), "--set", "min_group_n=20"),
    ])  # fmt: skip
    captured = capsys.readouterr()
    assert status == (1 if end == "well" else 2)
    assert looks > 20
    assert found == []
    assert _holders(temporary, home, out) == []
    assert MARK not in captured.out + captured.err + caplog.text
    assert list(temporary.iterdir()) == []
    if end == "well":
        rejected = (out / "rejected.csv").read_text(encoding="utf-8")
        assert rejected.count("xray.csv") >= 6
    if end == "engine breaks":
        assert "ValueError in conftest.py" in captured.err
    if end == "fault of ours":
        assert "KeyError. This is a fault of RadCal" in captured.err


def test_a_stop_is_heard_while_reports_are_paired(department, small, tmp_path, onlooker):
    department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
    with pytest.raises(Cancelled):
        write_results(department, tmp_path / "out", progress=onlooker(looks=0))
    assert department._workspace.attrition().empty
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_bar_is_told_of_every_long_step(filled, tmp_path):
    class Heard(Silent):
        def __init__(self) -> None:
            self.heard: dict[str, int | None] = {}
            self.done: dict[str, int] = {}
            self.last = ""

        def start(self, total: int | None, what: str) -> None:
            self.last = what
            self.heard[what], self.done[what] = total, 0

        def advance(self, n: int = 1, note: str = "") -> None:
            self.done[self.last] += n

    bar = Heard()
    write_results(filled, tmp_path / "out", progress=bar)
    assert {"Extracting findings", "Measuring reliability", "Writing feedback"} <= set(bar.heard)
    for what, total in bar.heard.items():
        assert total is None or bar.done[what] == total, what
