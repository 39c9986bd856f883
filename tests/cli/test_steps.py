"""The steps beside `radcal run`: pages, personal files, single steps and the demonstration."""

from __future__ import annotations

import json
import os
import sys
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from pypdf import PdfReader

from radcal.findings.records import Extraction
from radcal.findings.runs import Runs
from radcal.opening import open_department, open_workspace
from radcal.system.selection import Days


def test_columns_of_reports_to_extract_can_be_mapped_as_the_refusal_says(radcal, refused, tmp_path, table):
    reports, gold, out = tmp_path / "R.csv", tmp_path / "G.tsv", tmp_path / "F.csv"
    reports.write_text("Fall,Wortlaut\nr1,Likely edema.\n", encoding="utf-8")
    gold.write_text("r1\t1\tedema\tlikely\n", encoding="utf-8")
    assert "--map report_id=COLUMN" in refused("extract", reports, "--out", out)
    columns = ("--map", "report_id=Fall", "--map", "text=Wortlaut")
    assert radcal("extract", reports, "--out", out, *columns).status == 0
    assert [(row["report_id"], row["phrase"]) for row in table.read(out)] == [("r1", "likely")]
    scored = radcal("gold", gold, "--reports", reports, *columns, "--json")
    assert scored.status == 0
    assert json.loads(scored.out)["grains"][2]["f1"] == 1.0


def test_a_preset_names_the_columns(radcal, refused, tmp_path, table):
    reports, preset, out = tmp_path / "R.csv", tmp_path / "P.toml", tmp_path / "F.csv"
    reports.write_text("Fall,Worte\nr1,Likely edema.\n", encoding="utf-8")
    preset.write_text('[columns]\nreport_id = "Fall"\ntext = "Worte"\n', encoding="utf-8")
    assert radcal("extract", reports, "--out", out, "--preset", preset).status == 0
    assert [(row["report_id"], row["phrase"]) for row in table.read(out)] == [("r1", "likely")]
    assert "epic" in refused("extract", reports, "--out", out, "--preset", "nowhere")
    preset.write_text('[columns]\nreport_id = "Fall"\nwords = "Worte"\n', encoding="utf-8")
    assert "line 3" in refused("extract", reports, "--out", out, "--preset", preset)


def test_a_page_of_one_radiologist(radcal, refused, words, request, tmp_path):
    page = ["--workspace", tmp_path / "w.radcal", "--out", tmp_path / "a.pdf", "--author"]
    assert "There is no file" in radcal("report", *page, "Quillfeather, Avery").err
    request.getfixturevalue("done")
    done = radcal("report", *page, "Quillfeather, Avery", "--paper", "us-letter", "--standard", "ua-1")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert "There are: Quillfeather, Avery; Thistledown, Bellamy" in refused("report", *page, "Nobody")


def test_pages_of_some_days(radcal, refused, words, author, tmp_path, key):
    with open_department(tmp_path / "w.radcal", key, read_only=True) as department:
        exams = department.author_results.analysis(author).pairs[0]
        middle = (exams.first_exam + (exams.last_exam - exams.first_exam) / 2).date()
        expected = department.pages.pdf(author, days=Days(middle, date(2100, 1, 1)))
    ask = ("report", "--workspace", tmp_path / "w.radcal", "--author", author, "--out", tmp_path / "a.pdf")
    done = radcal(*ask, "--from", middle, "--to", "2100-01-01")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "a.pdf").read_bytes() == expected
    assert "Name the earlier day first" in refused(*ask, "--from", "2026-02-01", "--to", "2026-01-01")
    done = radcal(*words, "--from", middle, "--json")
    summary = json.loads(done.out)
    with open_department(tmp_path / "w.radcal", key, read_only=True) as department:
        last = department.analysis().provenance.last_exam
    assert (summary["first_day"], summary["last_day"]) == (middle.isoformat(), last.date().isoformat())
    pages = [name for name in summary["files"] if "feedback-" in name]
    assert pages
    assert all(f"-from-{middle}.pdf" in name for name in pages)
    # Pages of all days, which an earlier run wrote there, are not left beside them.
    assert sorted(p.name for p in (tmp_path / "out").glob("feedback-*")) == sorted(Path(n).name for n in pages)


def test_macros(radcal, refused, author, tmp_path, key):
    with open_department(tmp_path / "w.radcal", key) as department:
        assert department.macros.of(author).macros == ()  # so few reports give no advice
        department.save_settings(department.settings.changed(vocabulary="brigham"))
        macros = department.macros.of_department().macros
    own = ("report", "--workspace", tmp_path / "w.radcal", "--author", author, "--out", tmp_path / "m.txt")
    assert "There are no macros to write" in refused(*own)
    ask = ("report", "--workspace", tmp_path / "w.radcal", "--out")
    done = radcal(*ask, tmp_path / "m.txt")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "m.txt").read_text("utf-8").splitlines() == [m.text for m in macros]
    done = radcal(*ask, tmp_path / "m.csv", "--windows", "--json")
    assert json.loads(done.out)["macros"] == [{"name": m.name, "text": m.text, "instead_of": []} for m in macros]
    first = macros[0]
    assert (tmp_path / "m.csv").read_bytes().startswith(f"{first.name},{first.text}\r\n".encode())


def test_what_the_department_s_words_mean_together(radcal, refused, author, tmp_path):
    ask = ("report", "--workspace", tmp_path / "w.radcal", "--out", tmp_path / "d.pdf")
    for more in ((), ("--card",)):
        assert radcal(*ask, *more).status == 0
        assert len(PdfReader(tmp_path / "d.pdf").pages) >= 1
    assert "pocket card is in" in radcal(*ask, "--author", author, "--card").out
    assert "--windows goes with --out FILE.txt" in refused(*ask, "--windows")
    assert "no vocabulary of its own" in refused(*ask[:-1], tmp_path / "d.tsv")
    assert "cards are pages" in refused(*ask[:-1], tmp_path / "d.tsv", "--card")
    assert "--drafts goes with --author" in refused(*ask, "--drafts")


def test_a_personal_file_of_one_radiologist(radcal, refused, author, tmp_path, monkeypatch):
    ask = ("personal", "--workspace", tmp_path / "w.radcal", "--author", author, "--out", tmp_path / "own.radcal")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    assert "--own-passphrase-file FILE or set RADCAL_PERSONAL_PASSPHRASE" in refused(*ask)
    monkeypatch.setenv("RADCAL_PERSONAL_PASSPHRASE", "own words of hers")
    done = radcal(*ask)
    assert (done.status, done.err) == (0, "")
    assert "own words of hers" not in done.out
    with open_workspace(tmp_path / "own.radcal", "own words of hers") as personal:
        assert personal.personal == author
    (tmp_path / "key.txt").write_text("words from a file of hers\n", encoding="utf-8")
    done = radcal(*ask[:-1], tmp_path / "second.radcal", "--own-passphrase-file", tmp_path / "key.txt")
    assert done.status == 0
    open_workspace(tmp_path / "second.radcal", "words from a file of hers").close()
    titled = ("--author", f"Prof. Dr. {author}", "--out", tmp_path / "third.radcal")
    assert radcal("personal", "--workspace", tmp_path / "w.radcal", *titled).status == 0
    with open_workspace(tmp_path / "third.radcal", "own words of hers") as personal:
        assert personal.personal == author
    assert "exists already" in refused(*ask)  # never replaced
    assert "no radiologist 'Nobody'" in refused(
        "personal", "--workspace", tmp_path / "w.radcal", "--author", "Nobody", "--out", tmp_path / "x"
    )
    assert not (tmp_path / "x").exists()


def test_personal_files_of_all(radcal, refused, author, tmp_path, table):
    ask = ("personal", "--workspace", tmp_path / "w.radcal", "--out", tmp_path / "files")
    assert "Name a file for the passphrases" in radcal(*ask).err
    assert "Name a file elsewhere" in refused(*ask, "--passphrases", tmp_path / "files" / "keys.csv")
    assert "keys.csv cannot be written" in refused(*ask, "--passphrases", tmp_path / "nowhere" / "keys.csv")
    assert not (tmp_path / "files").exists()
    done = radcal(*ask, "--passphrases", tmp_path / "keys.csv", "--json")
    assert (done.status, done.err) == (0, "")
    rows = table.read(tmp_path / "keys.csv")
    assert os.name == "nt" or (tmp_path / "keys.csv").stat().st_mode & 0o077 == 0
    assert len(rows) == 2
    for row in rows:
        assert row["passphrase"] not in done.out
        with open_workspace(tmp_path / "files" / row["file"], row["passphrase"]) as personal:
            assert personal.personal == row["radiologist"]
    assert sorted(Path(name).name for name in json.loads(done.out)["files"]) == sorted(row["file"] for row in rows)
    assert "only passphrases of files handed out before" in refused(*ask, "--passphrases", tmp_path / "keys.csv")
    (tmp_path / "no").write_text("a file", encoding="utf-8")
    failed = radcal(*ask[:-1], tmp_path / "no", "--passphrases", tmp_path / "others.csv")
    assert failed.status == 1
    assert "0 of 2 personal files" in failed.out
    assert not (tmp_path / "others.csv").exists()
    assert "is given, not drawn" in refused(*ask, "--author", rows[0]["radiologist"], "--passphrases", "x")


@pytest.mark.slow
def test_pages_in_german_and_in_no_other_language(radcal, refused, words, tmp_path):
    radcal(*words, "--language", "de-AT")
    page = ["--workspace", tmp_path / "w.radcal", "--out", tmp_path / "a.pdf", "--author", "Quillfeather, Avery"]
    written = next(path for path in (tmp_path / "out").glob("feedback-*.pdf"))
    assert PdfReader(written).root_object["/Lang"] == "de-AT"
    assert radcal("report", *page, "--language", "de").status == 0
    german = PdfReader(tmp_path / "a.pdf")
    assert german.root_object["/Lang"] == "de"
    assert "Ihre Wörter für diagnostische Sicherheit" in german.pages[0].extract_text()
    assert radcal("report", *page).status == 0
    assert PdfReader(tmp_path / "a.pdf").root_object["/Lang"] == "en"
    assert "There is no language 'fr'. Choose one of de, en." in refused("report", *page, "--language", "fr")


def test_a_page_before_any_analysis(refused, tmp_path, monkeypatch, key):
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    open_department(tmp_path / "w.radcal", key, create=True).close()
    assert "no analysis yet" in refused(
        "report", "--workspace", tmp_path / "w.radcal", "--author", "A", "--out", tmp_path / "a.pdf"
    )


@pytest.mark.parametrize("step", ["extract", "gold", "review"])
def test_a_model_that_nobody_vouches_for_is_called_unverified(radcal, tmp_path, monkeypatch, step, key):
    model = tmp_path / "own.gguf"
    model.write_bytes(b"GGUF")
    monkeypatch.setattr("radcal.cli.findings._extracted", lambda *_, **__: [Extraction("a", (), "llama")])
    monkeypatch.setattr(Runs, "review", lambda *_: pd.DataFrame({"concern": ["unsure"]}))
    monkeypatch.setattr(
        "radcal.cli.findings.choose",
        lambda department, chosen: department.save_settings(
            department.settings.changed(engine="llama", model=str(model))
        ),
    )
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    open_department(tmp_path / "w.radcal", key, create=True).close()
    words = {
        "extract": ("R.csv", "--out", tmp_path / "F.csv"),
        "gold": (tmp_path / "G.tsv", "--reports", "R.csv"),
        "review": ("--workspace", tmp_path / "w.radcal", "--out", tmp_path / "F.csv"),
    }[step]
    (tmp_path / "G.tsv").write_text("a\t1\tedema\tabsent\n", encoding="utf-8")
    done = radcal(step, *words, "--set", "engine=llama", "--set", f"model={model}")
    assert done.status == 0
    assert "\nown.gguf is unverified: no checksum of it is known" in done.out
    assert json.loads(radcal(step, *words, "--set", "engine=llama", "--set", f"model={model}", "--json").out)["notes"]
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  own.gguf\n", encoding="utf-8")
    assert (
        radcal(step, *words, "--set", "engine=llama", "--set", f"model={model}").out
        == done.out.partition("\nown.gguf")[0] + "\n"
    )
    if step != "review":
        assert "unverified" not in radcal(step, *words).out


def test_a_departments_own_words(radcal, refused, tmp_path, table):
    own, reports, out = tmp_path / "own", tmp_path / "R.csv", tmp_path / "F.csv"
    assert "is not there" in refused("words", own)
    own.mkdir()
    terms = own / "pathologies_terms.tsv"
    terms.write_text("pathology\twords\tunless\tnote\tunder\nazygos fissure\tazygos lobe\n", encoding="utf-8")
    done = radcal("words", own)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        "Adds one new pathology, one line of terms; no warnings.",
        "New pathology: azygos fissure",
    ]
    reports.write_text("report_id,text\nr1,There may be an azygos lobe.\n", encoding="utf-8")
    assert radcal("extract", reports, "--out", out, "--set", f"lexicon_dir={own}").status == 0
    assert [(row["pathology"], row["phrase"]) for row in table.read(out)] == [("azygos fissure", "may represent")]
    with terms.open("a", encoding="utf-8") as file:
        file.write("edema\tedema\n")
    done = radcal("words", own, "--json")
    assert done.status == 1
    (warning,) = json.loads(done.out)["failures"]
    assert (warning["file"], warning["row"]) == ("pathologies_terms.tsv", 3)
    done = radcal("extract", reports, "--out", out, "--set", f"lexicon_dir={own}")
    assert done.status == 0, "a warning is no failure"
    assert "pathologies_terms.tsv, line 3: " in done.out
    gold = tmp_path / "G.tsv"
    gold.write_text("r1\t1\tazygos fissure\tmay represent\n", encoding="utf-8")
    scored = radcal("gold", gold, "--reports", reports, "--set", f"lexicon_dir={own}", "--json")
    assert json.loads(scored.out)["grains"][2]["f1"] == 1.0


def test_findings_of_a_workspace(radcal, refused, done, tmp_path, table):
    asked = ["extract", "--workspace", done, "--out"]
    told = radcal(*asked, tmp_path / "f.csv", "--json")
    assert (told.status, json.loads(told.out)["findings"]) == (0, len(table.read(tmp_path / "f.csv")))
    assert "Findings are written as a table" in refused(*asked, tmp_path / "f.json")
    assert "either REPORTS to read, or the workspace" in refused(*asked, tmp_path / "g.csv", tmp_path / "R.csv")
    assert "--deidentify is for REPORTS" in refused(*asked, tmp_path / "g.csv", "--deidentify")
    assert "There is no file" in refused("extract", "--workspace", tmp_path / "x.radcal", "--out", tmp_path / "g.csv")


def test_findings_of_a_workspace_that_nobody_has_read(refused, tmp_path, key, monkeypatch):
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    open_department(tmp_path / "new.radcal", key, create=True).close()
    said = refused("extract", "--workspace", tmp_path / "new.radcal", "--out", tmp_path / "f.csv")
    assert "No engine has read the reports yet" in said


@pytest.mark.slow
@pytest.mark.usefixtures("with_bundled")
def test_decisions_in_a_list_are_handed_in_and_counted(radcal, refused, done, tmp_path):
    reading = ("--second", "bundled", "--set", "unread_below=1")
    said = radcal("review", "--workspace", done, *reading, "--out", tmp_path / "list.csv")
    assert said.status == 0, said.err
    rows = pd.read_csv(tmp_path / "list.csv", dtype=str, keep_default_na=False)
    unread = rows[rows["concern"] == "unread"]
    assert len(unread) > 3
    assert set(rows["decision"]) == {""}
    rows.loc[unread.index[:3], "decision"] = ["absent", "likely", "not stated"]
    rows.to_csv(tmp_path / "list.csv", index=False)
    handed_in = ("review", "--workspace", done, "--decided", tmp_path / "list.csv", "--out", tmp_path / "rest.csv")
    told = json.loads(radcal(*handed_in, "--json").out)
    assert told["decided"] == 3
    rest = pd.read_csv(tmp_path / "rest.csv", dtype=str, keep_default_na=False)
    place = ["report_id", "pathology", "at"]
    left = set(rest[place].itertuples(index=False, name=None))
    assert not left & set(unread[place][:3].itertuples(index=False, name=None))
    # What was decided holds where nothing is doubted, too.
    again = ("run", "--workspace", done, "--out", tmp_path / "again", "--set", "unread_below=0", "--json")
    ran = json.loads(radcal(*again).out)
    assert ran["decided"] >= 3
    assert ran["unread"] == 0
    rows.loc[unread.index[0], "decision"] = "perhapsish"
    rows.to_csv(tmp_path / "list.csv", index=False)
    assert f"list.csv, line {unread.index[0] + 2}: 'perhapsish' is neither a phrase of the list" in refused(*handed_in)


def test_observations_with_patients_and_times(radcal, tmp_path):
    """Findings of one patient tell less, and each group has its first and last day."""
    rows = ["author,topic,phrase,outcome,patient,time"]
    rows += [f"a,edema,likely,{i // 10 % 4 > 0:d},p{i // 10},2024-01-{1 + i % 28:02}" for i in range(60)]
    rows += [f"a,nodule,likely,{i // 10 % 4 > 0:d},p{i},2024-03-05 10:30" for i in range(60)] + ["b,mass,likely,1,p1,"]
    (tmp_path / "OBS.csv").write_text("\n".join(rows) + "\n")
    options = ("--set", "bootstrap=0", "--pool", "author")
    assert radcal("reliability", tmp_path / "OBS.csv", "--out", tmp_path / "R.json", *options).status == 0
    made = json.loads((tmp_path / "R.json").read_text())
    groups = {(g["author"], g["topic"]): g for g in made["groups"]}
    days = {group: (found["first"], found["last"]) for group, found in groups.items()}
    assert days["a", "edema"] == ("2024-01-01", "2024-01-28")
    assert days["a", "all pathologies"] == ("2024-01-01", "2024-03-05")
    assert days["b", "mass"] == (None, None)
    again, once = (groups["a", topic]["phrases"][0] for topic in ("edema", "nodule"))
    assert again["rate"] == once["rate"]
    assert again["high"] - again["low"] > once["high"] - once["low"]
    assert made["department"]["groups"] == 3
    (tmp_path / "OBS.csv").write_text(f"{rows[0]}\na,edema,likely,1,p1,03/04/2024\n")
    for command in ("reliability", "advise"):
        said = radcal(command, tmp_path / "OBS.csv", "--out", tmp_path / "R.json").out
        assert "the day or the month first. They were read month first." in said
