"""The program around its steps: stops, faults, bars and pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from radcal.cli.bar import Bar
from radcal.system.errors import Cancelled, InputError


def _interrupts(monkeypatch: pytest.MonkeyPatch, times: int, number: int = signal.SIGINT) -> None:
    def extract(_args: object, progress: Bar) -> dict[str, object]:
        progress.start(10, "Extracting findings")
        for _ in range(times):
            signal.raise_signal(number)
        progress.raise_if_cancelled()
        raise AssertionError("went on")

    monkeypatch.setattr("radcal.cli.findings.extract", extract)


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


def test_what_was_kept_before_a_stop_is_said(radcal, tmp_path, monkeypatch):
    def stop(*_: object, **__: object) -> None:
        raise Cancelled("Stopped.").also("2 of 3 files stay.")

    monkeypatch.setattr("radcal.cli.findings.extract", stop)
    done = radcal("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")
    assert (done.status, done.err.strip()) == (130, "Stopped. 2 of 3 files stay. There is no result.")


def test_a_fault_of_ours_tells_where_and_quotes_nothing(radcal, tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise ValueError("The patient's secret")

    monkeypatch.setattr("radcal.cli.findings.extract", fail)
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
        [sys.executable, "-m", "radcal", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


@pytest.mark.slow
def test_a_reader_who_has_seen_enough_is_no_fault(tmp_path):
    (tmp_path / "R.csv").write_text("report_id,text\na,No edema.\n", encoding="utf-8")
    process = _process("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv", "--json")
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=120) == 0
    assert err == b""


@pytest.mark.slow
def test_names_beyond_the_consoles_alphabet_are_no_fault(tmp_path):
    name = "ł名.csv"
    (tmp_path / name).write_text("report_id,text\na,No edema.\nb,\n", encoding="utf-8")
    for option in ([], ["--json"]):
        process = _process(
            *("extract", tmp_path / name, "--out", tmp_path / "F.csv", *option),
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
        )
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (1, b"")
        if option:
            assert json.loads(out)["failures"][0]["file"] == name


def test_unreadable_input_is_not_taken_for_a_fault(radcal, tmp_path, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise InputError("Choose another file.")

    monkeypatch.setattr("radcal.cli.findings.extract", refuse)
    done = radcal("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")
    assert (done.status, done.err) == (2, "radcal extract: Choose another file.\n")


_LOADED = """
import sys
from radcal.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sorted(name for name in sys.modules if name.partition(".")[0] in {"radcal", "numpy", "pandas"}))
"""


def test_what_a_command_does_not_need_is_not_imported(tmp_path):
    rows = "".join(f"A,edema,likely,{i % 2}\n" for i in range(40))
    (tmp_path / "O.csv").write_text("author,topic,phrase,outcome\n" + rows, encoding="utf-8")
    loaded = {}
    for words in (["--version"], ["reliability", tmp_path / "O.csv", "--out", tmp_path / "R.json"]):
        run = [sys.executable, "-c", _LOADED, *map(str, words)]
        said = subprocess.run(run, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own interpreter
        loaded[words[0]] = said.splitlines()[-1].split()
    assert "numpy" not in loaded["--version"]
    assert len(loaded["--version"]) < 15
    assert len([name for name in loaded["reliability"] if name.startswith("radcal")]) < 80
