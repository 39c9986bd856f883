"""The command line as its users meet it: exit statuses, what goes to which stream, and every way to go wrong."""

from __future__ import annotations

import argparse
import csv
import getpass
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from radcal import __version__, cli, workflow
from radcal.cli.bar import Bar
from radcal.cli.grammar import parser
from radcal.cli.values import hours
from radcal.errors import Cancelled, InputError
from radcal.records import Days
from radcal.sample import generate
from radcal.sample.department import SampleTruth
from radcal.settings import Settings
from radcal.workflow.engines import engine_options
from radcal.workspace import database

KEY = "plum tree"
QUICK = {"bootstrap": 30, "advice_fits": 3, "min_group_n": 10, "min_phrase_n": 5}


@pytest.fixture(autouse=True, scope="module")
def _fast_key() -> Iterator[None]:
    """Deriving a key takes 0.3 s on purpose; these tests are not about that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "KDF_ITERATIONS", 1000)
        yield


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    return generate(tmp_path_factory.mktemp("small"), 40, 3, radiologists=2)


@pytest.fixture
def radcal(capsys: pytest.CaptureFixture[str]) -> Callable[..., SimpleNamespace]:
    """Runs a command; status, out and err."""

    def _radcal(*words: object) -> SimpleNamespace:
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as left:  # argparse's own errors
            status = left.code
        captured = capsys.readouterr()
        return SimpleNamespace(status=status, out=captured.out, err=captured.err)

    return _radcal


@pytest.fixture
def words(tmp_path: Path, small: SampleTruth, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A complete `radcal run`, its passphrase in the environment."""
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)
    (tmp_path / "quick.json").write_text(json.dumps(QUICK), encoding="utf-8")
    return [
        *("run", "--xray", small.xray, "--ct", small.ct, "--workspace", tmp_path / "w.radcal"),
        *("--out", tmp_path / "out", "--settings", tmp_path / "quick.json"),
    ]


@pytest.fixture
def opens_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """`radcal run` opens its workspace and leaves it at that."""
    monkeypatch.setattr(workflow, "run", lambda *_, **__: {"failures": ["as ever"], "text": ""})


def _stored(tmp_path: Path) -> dict[str, object]:
    with workflow.open_department(tmp_path / "w.radcal", KEY, read_only=True) as department:
        return department.settings.to_dict()


# --- the grammar


def test_version(radcal):
    done = radcal("--version")
    assert (done.status, done.out, done.err) == (0, f"RadCal {__version__}\n", "")


@pytest.mark.parametrize(
    "step", ["", "demo", "run", "extract", "reliability", "advise", "gold", "review", "report", "personal"]
)
def test_every_step_explains_itself_and_every_option(radcal, step):
    done = radcal(*([step] if step else []), "--help")
    assert (done.status, done.err) == (0, "")
    options = parser()._subparsers._group_actions[0].choices[step]._actions if step else []
    assert all(action.help for action in options)


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["dance"],
        ["run"],
        ["run", "--workspace", "w", "--out", "o", "--window", "soon"],
        ["run", "--workspace", "w", "--out", "o", "--standard", "a-9z"],
        ["advise", "o.csv", "--out", "a.json", "--solver", "guess"],
        ["report", "--workspace", "w", "--author", "a", "--out", "o", "--from", "March"],
        ["personal", "--workspace", "w", "--out", "o"],
        ["personal", "--workspace", "w", "--out", "o", "--author", "a", "--all"],
        ["extract", "r.csv", "--out", "f.csv", "--engine", "tarot"],
    ],
)
def test_what_is_not_understood_is_unusable_input(radcal, command):
    done = radcal(*command)
    assert (done.status, done.out) == (2, "")
    assert "usage: radcal" in done.err


@pytest.mark.parametrize(
    ("text", "expected"),
    [("12h", 12), ("90min", 1.5), ("90m", 1.5), ("2d", 48), ("1.5", 1.5), (" 6 H ", 6), ("30MIN", 0.5)],
)
def test_durations(text, expected):
    assert hours(text) == expected


@given(st.text(max_size=8))
@settings(deadline=None)
def test_whatever_is_typed_is_a_duration_or_refused_with_an_example(text):
    refused = ""
    try:
        value = hours(text)
    except argparse.ArgumentTypeError as error:
        value, refused = 0.0, str(error)
    assert value >= 0
    assert not refused or "12h, 90min or 2d" in refused


# --- run


def test_a_run_from_files_to_pages(radcal, words, tmp_path):
    done = radcal(*words, "--window", "90min")
    assert done.status == 1  # some rows of the sample cannot be used, and are listed
    assert "were left out: see rejected.csv" in done.out
    assert (tmp_path / "out/department.pdf").exists()
    assert _stored(tmp_path)["window_hours"] == 1.5
    assert _stored(tmp_path)["min_group_n"] == 10


def test_the_summary_as_json_stands_alone_on_standard_output(radcal, words, tmp_path):
    done = radcal(*words, "--json")
    assert (done.status, done.err) == (1, "")
    summary = json.loads(done.out, parse_constant=lambda word: pytest.fail(word))
    assert summary == json.loads((tmp_path / "out/summary.json").read_text(encoding="utf-8"))
    assert summary["pairs"] == 40
    assert {"file", "row", "reason", "remedy"} == set(summary["failures"][0])


def test_settings_stay_with_the_workspace_until_others_are_given(radcal, words, tmp_path, opens_only):
    radcal(*words, "--window", "6h", "--seed", 3)
    first = _stored(tmp_path)
    short = [word for word in words if word != "--settings" and word != tmp_path / "quick.json"]
    assert radcal(*short).status == 1
    assert _stored(tmp_path) == first
    assert radcal(*short, "--seed", 4).status == 1
    assert _stored(tmp_path) == first | {"seed": 4}


def test_without_files_a_run_goes_on_with_what_the_workspace_holds(radcal, words, tmp_path):
    bare = ["run", *words[5:]]
    assert "no workspace" in radcal(*bare).err
    assert not (tmp_path / "w.radcal").exists()
    first = radcal(*words, "--json")
    again = radcal(*bare, "--json")
    assert again.status == 1
    a, b = json.loads(first.out), json.loads(again.out)
    for summary in (a, b):
        del summary["rows_read"], summary["notes"]
    assert a == b


def test_both_modalities_in_one_file_and_clean_input_leave_nothing_to_list(radcal, words, tmp_path, small):
    rows = []
    for path in (small.xray, small.ct):
        with path.open(encoding="utf-8", newline="") as file:
            rows += list(csv.DictReader(file))
    once = [r for r in rows if sum(r["Accession"] == o["Accession"] for o in rows) == 1]
    clean = [r for r in once if r["Report Text"] and r["Exam Time"][:2] == "20" and r["Modality"] != "??"]
    with (tmp_path / "both.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(clean[0]))
        writer.writeheader()
        writer.writerows(clean)
    done = radcal("run", "--reports", tmp_path / "both.csv", *words[5:], "--json")
    assert done.status == 0
    assert json.loads(done.out)["failures"] == []
    assert json.loads(done.out)["pairs"] > 30


def test_the_order_of_day_and_month_can_be_told(radcal, words, tmp_path, small):
    def early(date: re.Match[str]) -> str:
        """A day of February that says nothing of its order."""
        return f"0{3 + int(date[3]) % 7}/02/{date[1]}"

    for path in (small.xray, small.ct):
        text = re.sub(r"(\d{4})-(\d\d)-(\d\d)(?= \d\d:)", early, path.read_text(encoding="utf-8"))
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    last = {}
    for order in ("day-first", "month-first"):
        workspace = tmp_path / f"{order}.radcal"
        files = ["run", "--xray", tmp_path / "xray.csv", "--ct", tmp_path / "ct.csv", "--workspace", workspace]
        assert radcal(*files, *words[7:], "--dates", order).status == 1
        with workflow.open_department(workspace, KEY, read_only=True) as department:
            last[order] = department.analysis().provenance.last_exam.month
    assert last == {"day-first": 2, "month-first": 9}


def test_a_column_can_be_mapped(radcal, words, tmp_path, small):
    for path in (small.xray, small.ct):
        text = path.read_text(encoding="utf-8").replace("Exam Time", "Wann", 1)
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    files = ["run", "--xray", tmp_path / "xray.csv", "--ct", tmp_path / "ct.csv", *words[5:]]
    missing = radcal(*files)
    assert missing.status == 2
    assert "xray.csv" in missing.err
    assert "time" in missing.err
    assert radcal(*files, "--map", "exam_time=Wann").status == 1
    for wrong in ("exam_time", "=Wann", "exam_time="):
        done = radcal(*files, "--map", wrong)
        assert done.status == 2
        assert "write OUR_NAME=COLUMN" in done.err
    assert radcal(*files, "--map", "moonphase=Wann").status == 2


def test_columns_of_reports_to_extract_can_be_mapped_as_the_refusal_says(radcal, tmp_path):
    reports, gold, out = tmp_path / "R.csv", tmp_path / "G.tsv", tmp_path / "F.csv"
    reports.write_text("Fall,Wortlaut\nr1,Likely edema.\n", encoding="utf-8")
    gold.write_text("r1\t1\tedema\tlikely\n", encoding="utf-8")
    refused = radcal("extract", reports, "--out", out)
    assert refused.status == 2
    assert "--map report_id=COLUMN" in refused.err
    columns = ("--map", "report_id=Fall", "--map", "text=Wortlaut")
    assert radcal("extract", reports, "--out", out, *columns).status == 0
    with out.open(encoding="utf-8", newline="") as file:
        assert [(row["report_id"], row["phrase"]) for row in csv.DictReader(file)] == [("r1", "likely")]
    scored = radcal("gold", gold, "--reports", reports, *columns, "--json")
    assert scored.status == 0
    assert json.loads(scored.out)["grains"][2]["f1"] == 1.0


def test_files_read_again_by_another_number_replace_what_they_gave_only_when_told_to(radcal, words, tmp_path, small):
    for path in (small.xray, small.ct):
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row | {"Order": f"S{row['Accession']}"} for row in csv.DictReader(file) if row["Accession"]]
        with (tmp_path / path.name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    files = ["run", "--xray", tmp_path / "xray.csv", "--ct", tmp_path / "ct.csv", *words[5:]]
    pairs = json.loads(radcal(*files, "--json").out)["pairs"]
    doubled = radcal(*files, "--map", "accession=Order")
    assert doubled.status == 2
    assert "xray.csv was imported before and is read in another way now." in doubled.err
    assert "would be counted twice" in doubled.err
    assert "--replace" in doubled.err
    replaced = radcal(*files, "--map", "accession=Order", "--replace", "--json")
    assert replaced.status == 1
    assert json.loads(replaced.out)["pairs"] == pairs > 0
    with workflow.open_department(tmp_path / "w.radcal", KEY, read_only=True) as department:
        assert department.importing.compared()["report_id"].str.contains(":S").all()


def test_a_file_that_is_not_there_makes_no_workspace(radcal, words, tmp_path):
    done = radcal("run", "--reports", tmp_path / "typo.csv", *words[5:])
    assert (done.status, done.out) == (2, "")
    assert "There is no file" in done.err
    assert not (tmp_path / "w.radcal").exists()


def test_a_workspace_in_no_folder_and_pages_in_no_place(radcal, words, tmp_path):
    nowhere = [tmp_path / "no" / "w.radcal" if w == tmp_path / "w.radcal" else w for w in words]
    assert "There is no folder" in radcal(*nowhere).err
    (tmp_path / "out").write_text("", encoding="utf-8")
    done = radcal(*words)
    assert done.status == 2
    assert "cannot be written" in done.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_rights_is_named(radcal, words, tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    done = radcal(*words)
    assert done.status == 2
    assert "cannot be written" in done.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "no valid JSON"),
        ("[1, 2]", "one JSON object"),
        ('{"colour": 3}', "Unknown setting 'colour'"),
        ('{"seed": -1}', "seed: -1 is outside"),
        ('{"window_hours": "long"}', "is not a number"),
    ],
)
def test_broken_settings_are_refused_before_anything_is_made(radcal, words, tmp_path, text, told):
    (tmp_path / "quick.json").write_text(text, encoding="utf-8")
    done = radcal(*words)
    assert done.status == 2
    assert told in done.err
    assert "quick.json" in done.err
    assert not (tmp_path / "w.radcal").exists()


def test_settings_that_cannot_be_read(radcal, words, tmp_path, opens_only):
    (tmp_path / "quick.json").write_bytes(b"\xff\xfe{")
    assert "no text in UTF-8" in radcal(*words).err
    (tmp_path / "quick.json").unlink()
    assert "cannot be read" in radcal(*words).err
    (tmp_path / "quick.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(QUICK).encode())
    assert radcal(*words).status == 1


def test_an_option_out_of_bounds_is_told_without_a_file(radcal, words):
    short = words[:-2]
    done = radcal(*short, "--min-group-n", 0)
    assert done.status == 2
    assert done.err.startswith("radcal run: Setting min_group_n: 0 is outside")


LLAMA = {
    "--context": ("llama_context", 2048),
    "--gpu-layers": ("llama_gpu_layers", 0),
    "--parallel": ("llama_parallel", 3),
    "--threads": ("llama_threads", 2),
    "--report-seconds": ("llama_report_seconds", 30.0),
    "--temperature": ("llama_temperature", 0.5),
    "--llama-seed": ("llama_seed", 7),
    "--prompt-style": ("llama_prompt", "chat"),
}


@pytest.mark.parametrize("step", ["extract", "gold"])
def test_options_of_the_llama_reach_the_engine(radcal, tmp_path, monkeypatch, step):
    seen = {}
    monkeypatch.setattr(workflow, f"{step}_file", lambda *_, **others: seen.update(others) or {"text": "ok"})
    command = {"extract": ["r.csv", "--out", "f.csv"], "gold": ["g.tsv", "--reports", "r.csv"]}[step]
    words = [str(part) for option, (_, value) in LLAMA.items() for part in (option, value)]
    done = radcal(step, *command, "--engine", "llama", "--prompts", tmp_path, *words)
    assert (done.status, done.err) == (0, "")
    assert (seen["engine"], seen["model"]) == ("llama", "")
    chosen = seen["settings"]
    assert {name: getattr(chosen, name) for name, _ in LLAMA.values()} == dict(LLAMA.values())
    assert chosen.llama_prompts == str(tmp_path.resolve())
    options = engine_options(chosen)
    assert (options.context, options.parallel, options.threads, options.gpu_layers) == (2048, 3, 2, 0)
    assert (options.report_seconds, options.temperature, options.seed, options.prompt) == (30.0, 0.5, 7, "chat")
    assert options.prompts == tmp_path.resolve()
    automatic = engine_options(Settings())
    assert (automatic.parallel, automatic.threads, automatic.gpu_layers, automatic.prompts) == (None,) * 4


def test_options_of_the_llama_stay_with_the_workspace(radcal, words, tmp_path, opens_only):
    radcal(*words, "--report-seconds", 45, "--gpu-layers", 0)
    radcal(*words)
    stored = _stored(tmp_path)
    assert (stored["llama_report_seconds"], stored["llama_gpu_layers"]) == (45.0, 0)
    assert "outside -1 to" in radcal(*words, "--gpu-layers", -2).err


# --- passphrases


def test_a_wrong_passphrase_is_unusable_input(radcal, words, monkeypatch, opens_only):
    radcal(*words)
    monkeypatch.setenv("RADCAL_PASSPHRASE", "pear tree")
    done = radcal(*words)
    assert (done.status, done.out) == (2, "")
    assert "passphrase" in done.err
    assert "Traceback" not in done.err


def test_the_passphrase_file_comes_before_the_environment(radcal, words, tmp_path, monkeypatch, opens_only):
    radcal(*words)
    monkeypatch.setenv("RADCAL_PASSPHRASE", "pear tree")
    for end in ("", "\n", "\r\n"):
        (tmp_path / "key").write_bytes((KEY + end).encode())
        assert radcal(*words, "--passphrase-file", tmp_path / "key").status == 1
    assert "passphrase file" in radcal(*words, "--passphrase-file", tmp_path / "nokey").err
    (tmp_path / "key").write_bytes(b"\xff\xfe\x00")
    assert "no text in UTF-8" in radcal(*words, "--passphrase-file", tmp_path / "key").err


@pytest.fixture
def prompted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """At a terminal, these answers are typed; an exception is raised."""

    def _prompted(*answers: object) -> list[str]:
        typed, asked = iter(answers), []

        def ask(prompt: str) -> str:
            asked.append(prompt)
            answer = next(typed)
            if isinstance(answer, BaseException):
                raise answer
            return str(answer)

        monkeypatch.delenv("RADCAL_PASSPHRASE", raising=False)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr(getpass, "getpass", ask)
        return asked

    return _prompted


def test_a_new_passphrase_is_asked_for_twice_and_a_known_one_once(radcal, words, prompted, tmp_path, opens_only):
    prompted(KEY, "plum treee")
    done = radcal(*words)
    assert done.status == 2
    assert "differ" in done.err
    assert not (tmp_path / "w.radcal").exists()
    assert len(prompted(KEY, KEY)) == 0
    assert radcal(*words).status == 1
    asked = prompted(KEY)
    assert radcal(*words).status == 1
    assert len(asked) == 1


@pytest.mark.parametrize("key", [KeyboardInterrupt(), EOFError()])
def test_leaving_at_the_prompt_makes_nothing(radcal, words, prompted, tmp_path, key):
    prompted(key)
    done = radcal(*words)
    assert (done.status, done.out) == (130, "")
    assert "Stopped." in done.err
    assert not (tmp_path / "w.radcal").exists()


def test_without_a_terminal_the_ways_to_give_a_passphrase_are_told(radcal, words, monkeypatch):
    monkeypatch.delenv("RADCAL_PASSPHRASE")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False))
    done = radcal(*words)
    assert done.status == 2
    assert "use --passphrase-file FILE or set RADCAL_PASSPHRASE" in done.err


# --- the other steps


def test_a_page_of_one_radiologist(radcal, words, tmp_path):
    page = ["--workspace", tmp_path / "w.radcal", "--out", tmp_path / "a.pdf", "--author"]
    assert "There is no file" in radcal("report", *page, "Quillfeather, Avery").err
    radcal(*words)
    done = radcal("report", *page, "Quillfeather, Avery", "--paper", "us-letter", "--standard", "ua-1")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    nobody = radcal("report", *page, "Nobody")
    assert nobody.status == 2
    assert "There are: Quillfeather, Avery; Thistledown, Bellamy" in nobody.err


def test_pages_of_some_days(radcal, words, tmp_path):
    radcal(*words)
    with workflow.open_department(tmp_path / "w.radcal", KEY, read_only=True) as department:
        author = department.authors()[0]
        exams = department.within.analysis(author).pairs[0]
        middle = (exams.first_exam + (exams.last_exam - exams.first_exam) / 2).date()
        expected = department.pages.pdf(author, days=Days(middle, date(2100, 1, 1)))
    ask = ("report", "--workspace", tmp_path / "w.radcal", "--author", author, "--out", tmp_path / "a.pdf")
    done = radcal(*ask, "--from", middle, "--to", "2100-01-01")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "a.pdf").read_bytes() == expected
    done = radcal(*ask, "--from", "2026-02-01", "--to", "2026-01-01")
    assert done.status == 2
    assert "Name the earlier day first" in done.err
    done = radcal(*words, "--from", middle, "--json")
    summary = json.loads(done.out)
    assert (summary["first_day"], summary["last_day"]) == (middle.isoformat(), None)
    pages = [name for name in summary["files"] if "feedback-" in name]
    assert pages
    assert all(f"-from-{middle}.pdf" in name for name in pages)
    # Pages of all days, which an earlier run wrote there, are not left beside them.
    assert sorted(p.name for p in (tmp_path / "out").glob("feedback-*")) == sorted(Path(n).name for n in pages)


def test_a_personal_file_of_one_radiologist(radcal, words, tmp_path, monkeypatch):
    radcal(*words)
    with workflow.open_department(tmp_path / "w.radcal", KEY, read_only=True) as department:
        author = department.authors()[0]
    ask = ("personal", "--workspace", tmp_path / "w.radcal", "--author", author, "--out", tmp_path / "own.radcal")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    done = radcal(*ask)
    assert (done.status, done.out) == (2, "")
    assert "--own-passphrase-file FILE or set RADCAL_PERSONAL_PASSPHRASE" in done.err
    monkeypatch.setenv("RADCAL_PERSONAL_PASSPHRASE", "own words")
    done = radcal(*ask)
    assert (done.status, done.err) == (0, "")
    assert "own words" not in done.out
    with workflow.open_department(tmp_path / "own.radcal", "own words") as personal:
        assert personal.personal == author
    (tmp_path / "key.txt").write_text("from a file\n", encoding="utf-8")
    done = radcal(*ask[:-1], tmp_path / "second.radcal", "--own-passphrase-file", tmp_path / "key.txt")
    assert done.status == 0
    workflow.open_department(tmp_path / "second.radcal", "from a file").close()
    again = radcal(*ask)  # never replaced
    assert again.status == 2
    assert "exists already" in again.err
    stranger = radcal("personal", "--workspace", tmp_path / "w.radcal", "--author", "Nobody", "--out", tmp_path / "x")
    assert stranger.status == 2
    assert "no radiologist 'Nobody'" in stranger.err
    assert not (tmp_path / "x").exists()


def test_a_passphrase_of_a_personal_file_is_asked_for_twice(radcal, words, prompted, tmp_path):
    radcal(*words)
    with workflow.open_department(tmp_path / "w.radcal", KEY, read_only=True) as department:
        author = department.authors()[0]
    ask = ("personal", "--workspace", tmp_path / "w.radcal", "--author", author, "--out", tmp_path / "own.radcal")
    (tmp_path / "key.txt").write_text(KEY, encoding="utf-8")
    prompted("own", "other")
    done = radcal(*ask, "--passphrase-file", tmp_path / "key.txt")
    assert done.status == 2
    assert "differ" in done.err
    prompted("own", "own")
    assert radcal(*ask, "--passphrase-file", tmp_path / "key.txt").status == 0
    workflow.open_department(tmp_path / "own.radcal", "own").close()


def test_personal_files_of_all(radcal, words, tmp_path):
    radcal(*words)
    ask = ("personal", "--workspace", tmp_path / "w.radcal", "--all", "--out", tmp_path / "files")
    assert "Name a file for the passphrases" in radcal(*ask).err
    inside = radcal(*ask, "--passphrases", tmp_path / "files" / "keys.csv")
    assert inside.status == 2
    assert "Name a file elsewhere" in inside.err
    nowhere = radcal(*ask, "--passphrases", tmp_path / "nowhere" / "keys.csv")
    assert nowhere.status == 2
    assert "keys.csv cannot be written" in nowhere.err
    assert not (tmp_path / "files").exists()
    done = radcal(*ask, "--passphrases", tmp_path / "keys.csv", "--json")
    assert (done.status, done.err) == (0, "")
    with (tmp_path / "keys.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert os.name == "nt" or (tmp_path / "keys.csv").stat().st_mode & 0o077 == 0
    assert len(rows) == 2
    for row in rows:
        assert row["passphrase"] not in done.out
        with workflow.open_department(tmp_path / "files" / row["file"], row["passphrase"]) as personal:
            assert personal.personal == row["radiologist"]
    assert sorted(Path(name).name for name in json.loads(done.out)["files"]) == sorted(row["file"] for row in rows)
    again = radcal(*ask, "--passphrases", tmp_path / "keys.csv")
    assert again.status == 2
    assert "only passphrases of files handed out before" in again.err
    (tmp_path / "no").write_text("a file", encoding="utf-8")
    failed = radcal(*ask[:-1], tmp_path / "no", "--passphrases", tmp_path / "others.csv")
    assert failed.status == 1
    assert "0 of 2 personal files" in failed.out
    assert not (tmp_path / "others.csv").exists()
    assert radcal(*ask[:3], "--author", rows[0]["radiologist"], *ask[4:], "--passphrases", "x").status == 2


def test_pages_in_german_and_in_no_other_language(radcal, words, tmp_path):
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
    unknown = radcal("report", *page, "--language", "fr")
    assert unknown.status == 2
    assert "There is no language 'fr'. Choose one of de, en." in unknown.err


def test_a_page_before_any_analysis(radcal, tmp_path, monkeypatch):
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)
    workflow.open_department(tmp_path / "w.radcal", KEY, create=True).close()
    done = radcal("report", "--workspace", tmp_path / "w.radcal", "--author", "A", "--out", tmp_path / "a.pdf")
    assert done.status == 2
    assert "no analysis yet" in done.err


def test_single_steps(radcal, tmp_path):
    (tmp_path / "R.csv").write_text("report_id,text\na,No edema. Likely mass.\nb,\n", encoding="utf-8")
    (tmp_path / "G.tsv").write_text("a\t1\tedema\tabsent\na\t2\tmass\tlikely\n", encoding="utf-8")
    rows = "".join(f"A,edema,likely,{i % 2}\n" for i in range(40))
    (tmp_path / "O.csv").write_text("author,topic,phrase,outcome\n" + rows, encoding="utf-8")
    extracted = radcal("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")
    assert extracted.status == 1
    assert "R.csv, row 3" in extracted.out
    assert radcal("gold", tmp_path / "G.tsv", tmp_path / "F.csv").status == 0
    assert radcal("gold", tmp_path / "G.tsv", "--reports", tmp_path / "R.csv", "--json").status == 1
    assert radcal("gold", tmp_path / "G.tsv").status == 2
    options = ["--bootstrap", 20, "--seed", 5, "--method", "midpoint", "--min-group-n", 20]
    assert radcal("reliability", tmp_path / "O.csv", "--out", tmp_path / "r.json", *options).status == 0
    made_with = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["settings"]
    assert (made_with["bootstrap"], made_with["seed"], made_with["method"]) == (20, 5, "midpoint")
    options = ["--solver", "paper", "--tau2", "0.5"]
    done = radcal("advise", tmp_path / "O.csv", "--out", tmp_path / "a.json", *options, "--json")
    assert done.status == 0
    assert json.loads(done.out)["groups"] == 1
    made_with = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["settings"]
    assert (made_with["solver"], made_with["tau2"]) == ("paper", 0.5)
    assert radcal("advise", tmp_path / "nothere.csv", "--out", tmp_path / "a.json").status == 2


def test_the_demo(radcal, tmp_path, monkeypatch):
    seen = {}

    def demo(out: Path, *, pairs: int, language: str, settings: object, progress: object) -> dict[str, object]:
        seen.update(out=out, pairs=pairs, seed=settings.seed, language=language)
        return {"pairs": pairs, "failures": [], "text": "shown"}

    monkeypatch.setattr(workflow, "demo", demo)
    done = radcal("demo", "--out", tmp_path, "--pairs", 5, "--seed", 9, "--language", "de")
    assert (done.status, done.out) == (0, "shown\n")
    assert seen == {"out": tmp_path, "pairs": 5, "seed": 9, "language": "de"}


# --- stops, faults and pipes


def _interrupts(monkeypatch: pytest.MonkeyPatch, times: int, number: int = signal.SIGINT) -> None:
    def extract(reports: Path, out: Path, *, progress: Bar, **_: object) -> dict[str, object]:
        progress.start(10, "Extracting findings")
        for _ in range(times):
            signal.raise_signal(number)
        progress.raise_if_cancelled()
        raise AssertionError("went on")

    monkeypatch.setattr(workflow, "extract_file", extract)


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_stops_at_the_next_safe_point_and_twice_at_once(radcal, tmp_path, monkeypatch, times):
    before = signal.getsignal(signal.SIGINT)
    _interrupts(monkeypatch, times)
    done = radcal("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")
    assert (done.status, done.out) == (130, "")
    assert done.err.strip() == "Stopped. There is no result."
    assert signal.getsignal(signal.SIGINT) is before


def test_a_request_of_the_system_to_end_stops_as_ctrl_c_does(radcal, tmp_path, monkeypatch):
    before = signal.getsignal(signal.SIGTERM)
    _interrupts(monkeypatch, 1, signal.SIGTERM)
    done = radcal("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")
    assert (done.status, done.err.strip()) == (130, "Stopped. There is no result.")
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_fault_of_ours_tells_where_and_quotes_nothing(radcal, tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise ValueError("The patient's secret")

    monkeypatch.setattr(workflow, "extract_file", fail)
    done = radcal("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")
    assert (done.status, done.out) == (2, "")
    assert "in fail" in done.err
    assert "radcal extract: ValueError. This is a fault of RadCal" in done.err
    assert "patient's secret" not in done.err.replace('raise ValueError("The patient\'s secret")', "")


def test_a_bar_is_drawn_on_a_terminal_only(capsys, monkeypatch):
    bar = Bar()
    bar.advance()  # before any start
    bar.start(3, "Reading")
    bar.advance(2, "a.csv")
    bar.close()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    bar.start(3, "Reading")
    bar.advance(3, "a.csv")
    bar.start(None, "Matching")
    bar.close()
    out, err = capsys.readouterr()
    assert out == ""
    assert "Reading" in err
    bar._stop = True
    with pytest.raises(Cancelled):
        bar.raise_if_cancelled()


def _process(*words: object, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "radcal", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def test_a_reader_who_has_seen_enough_is_no_fault(tmp_path):
    (tmp_path / "R.csv").write_text("report_id,text\na,No edema.\n", encoding="utf-8")
    process = _process("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv", "--json")
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert err == b""


def test_names_beyond_the_consoles_alphabet_are_no_fault(tmp_path):
    name = "ł名.csv"
    (tmp_path / name).write_text("report_id,text\na,No edema.\nb,\n", encoding="utf-8")
    for option in ([], ["--json"]):
        process = _process(
            *("extract", tmp_path / name, "--out", tmp_path / "F.csv", *option),
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
        )
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (1, b"")
        if option:
            assert json.loads(out)["failures"][0]["file"] == name


def test_unreadable_input_is_not_taken_for_a_fault(radcal, tmp_path, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise InputError("Choose another file.")

    monkeypatch.setattr(workflow, "extract_file", refuse)
    done = radcal("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")
    assert (done.status, done.err) == (2, "radcal extract: Choose another file.\n")
