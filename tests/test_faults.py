"""The log of faults: whatever an exception holds, none of it but places in the program is ever entered."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radcal import cli, faults, policy
from radcal.errors import Cancelled, DataError, EngineError, InputError, RadcalError
from radcal.text import Text, joined

posix = pytest.mark.skipif(os.name != "posix", reason="modes and signals of POSIX")
NAME, SENTENCE = "Quackenbush", "likely edema says the wombat"
CANARIES = (NAME, "wombat")
OURS = "There is no file {path}. {remedy}"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty log, of this test alone."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(faults, "_times", type(faults._times)())
    monkeypatch.setattr(faults, "_page", [])
    return tmp_path / "state" / "radcal"


def written(log: Path) -> str:
    return "".join(file.read_text("utf-8") for file in sorted(log.glob("faults*.jsonl")))


def caught(do: Callable[[], object]) -> BaseException:
    try:
        do()
    except BaseException as error:  # noqa: BLE001 - whatever it is
        return error
    raise AssertionError("nothing was raised")


def _key_error() -> None:
    _ = {"a": 1}[f"{NAME}, {SENTENCE}"]


def _file() -> None:
    Path(f"/nowhere/{NAME}.csv").read_bytes()


def _chained() -> None:
    try:
        int(SENTENCE)
    except ValueError as error:
        raise DataError(f"{NAME} is not a number") from error


def _in_context() -> None:
    patient = NAME  # noqa: F841 - in the frame
    try:
        int(SENTENCE)
    except ValueError:
        _key_error()


def _noted() -> None:
    error = RuntimeError(SENTENCE)
    error.add_note(NAME)
    raise error


def _grouped() -> None:
    raise ExceptionGroup(NAME, [ValueError(SENTENCE), KeyError(NAME), ExceptionGroup(NAME, [OSError(5, NAME, NAME)])])


def _made_class() -> None:
    raise type(NAME, (ValueError,), {"__module__": f"{NAME}.{NAME}", "__qualname__": f"{NAME}.{NAME}"})(SENTENCE)


def _made_code() -> None:
    exec(f"def {NAME}():\n raise ValueError('{SENTENCE}')\n{NAME}()", {"__name__": NAME})  # noqa: S102 - made at run time


def _poses_as_ours() -> None:
    exec(f"def {NAME}():\n raise ValueError('{SENTENCE}')\n{NAME}()", {"__name__": "radcal.faults"})  # noqa: S102 - as above


def _unknown_template() -> None:
    raise InputError(f"Row 3 says {SENTENCE} of {{n}}.", n=NAME)


def _known_template() -> None:
    raise InputError(OURS, path=f"/{NAME}/{SENTENCE}", remedy=NAME)


def _nested_template() -> None:
    text = joined([Text(SENTENCE), Text(OURS, path=NAME, remedy=NAME)])
    raise EngineError("{why} {more}", why=text, more=NAME)


def _odd_error() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise ValueError(SENTENCE)

        __repr__ = __str__

    raise Odd(NAME)


def _odd_text() -> None:
    error = RadcalError("x")
    error.text = f"{NAME} {SENTENCE}"  # type: ignore[assignment]
    raise error


def _unicode() -> None:
    f"{NAME}\udc80".encode()


EVERY = [
    _key_error, _file, _chained, _in_context, _noted, _grouped, _made_class, _made_code, _poses_as_ours,
    _unknown_template, _known_template, _nested_template, _odd_error, _odd_text, _unicode,
]  # fmt: skip


@pytest.mark.parametrize("do", EVERY)
def test_nothing_that_an_exception_holds_is_entered(log: Path, do: Callable[[], object]) -> None:
    error = caught(do)
    faults.record(error, "radcal run")
    (entry,) = faults.entries()
    assert all(canary not in written(log) for canary in CANARIES)
    assert all(canary not in faults.as_text([entry]) for canary in CANARIES)
    assert entry["where"] == "radcal run"
    assert entry["chain"][0]["class"]
    assert f"test_faults:{error.__traceback__.tb_lineno} caught" in faults.as_text([entry])  # type: ignore[union-attr]


def test_what_is_ours_is_entered(log: Path) -> None:
    faults.record(caught(_known_template), "radcal run")
    faults.record(caught(_chained), "window reliability save")
    faults.record(caught(_file), "window")
    first, second, third = faults.entries()
    assert first["kind"] == "failure"
    assert first["chain"][0]["class"] == "radcal.errors.InputError"
    assert first["chain"][0]["texts"] == [OURS]
    assert [link["class"] for link in second["chain"]] == ["radcal.errors.DataError", "ValueError"]
    assert "texts" not in second["chain"][0]
    assert (third["kind"], third["chain"][0]["errno"]) == ("fault", "ENOENT")
    assert third["chain"][0]["class"] == "FileNotFoundError"
    assert any(place.startswith("pathlib:") for place in third["chain"][0]["at"])
    text = faults.as_text(faults.entries())
    assert "FileNotFoundError (ENOENT)" in text
    assert OURS in text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.text(min_size=4, max_size=40), st.sampled_from(range(6)))
def test_no_text_reaches_the_log_by_any_way_into_an_exception(log: Path, text: str, way: int) -> None:
    """Compared with the same exception around another text: the two entries are the same but for the time."""

    def made(about: str) -> BaseException:
        def raises() -> None:
            local = about  # noqa: F841 - in the frame
            error: BaseException = (
                KeyError(about), OSError(2, about, about), InputError("{a}", a=about), InputError(about),
                ValueError(about.encode("utf-8", "replace"), {about: [about]}), ImportError(about, name=about),
            )[way]  # fmt: skip
            error.add_note(about)
            raise error from RuntimeError(about)

        return caught(raises)

    for about in (text, "another"):
        faults._times.clear()
        faults.record(made(about), "radcal run")
    one, other = faults.entries()[-2:]
    assert {**one, "at": ""} == {**other, "at": ""}


def test_a_place_that_is_not_in_our_own_words_is_not_named(log: Path) -> None:
    for where in (f"{NAME}", "write /home/zebulon", "Run", "a b c d e", "", "x" * 50):
        faults.record(ValueError(), where)
    assert {entry["where"] for entry in faults.entries()} == {"?"}
    faults.on_page("reliability")
    assert faults.in_window(f"write /home/{NAME}.csv") == "window reliability write"


@pytest.mark.parametrize(
    ("file", "module", "same"),
    [
        ("/opt/radcal/radcal/faults.py", "/opt/radcal/radcal/faults.py", True),
        ("radcal/faults.py", "/opt/radcal/_internal/radcal/faults.pyc", True),  # as PyInstaller has it
        ("radcal\\faults.py", "C:\\Programs\\RadCal\\_internal\\radcal\\faults.pyc", True),
        ("<string>", "/opt/radcal/radcal/faults.py", False),
        ("faults", "/opt/radcal/radcal/faults.py", False),
        ("cal/faults.py", "/opt/radcal/radcal/faults.py", False),
        ("radcal/faults.py", "", False),
    ],
)
def test_code_is_told_by_its_file(file: str, module: str, same: bool) -> None:
    assert faults._is_of(file, module) is same


def test_a_stop_is_no_fault(log: Path) -> None:
    for error in (Cancelled(), KeyboardInterrupt(), SystemExit(2)):
        faults.record(error, "radcal run")
    assert faults.entries() == []


def test_a_long_chain_and_a_deep_stack_are_cut(log: Path) -> None:
    def deep(n: int) -> None:
        deep(n + 1)

    faults.record(caught(lambda: deep(0)), "radcal run")
    error: BaseException = ValueError()
    for _ in range(100):
        later = ValueError()
        later.__cause__ = error
        error = later
    round_ = ValueError()
    round_.__context__ = error
    error.__cause__ = None
    faults.record(round_, "radcal run")
    deep_entry, long_entry = faults.entries()
    assert len(deep_entry["chain"][0]["at"]) == 21
    assert "..." in deep_entry["chain"][0]["at"]
    assert len(long_entry["chain"]) <= 8


def test_listed_failures_are_counted_by_their_reasons(log: Path) -> None:
    known = OURS
    faults.listed("import rows", [Text(known, path=NAME, remedy="")] * 3 + [SENTENCE, Text(SENTENCE)])
    (entry,) = faults.entries()
    assert entry["counts"] == {known: 3, "?": 2}
    assert all(canary not in written(log) for canary in CANARIES)
    faults.listed("import rows", [])
    assert len(faults.entries()) == 1


def test_the_end_of_a_child_is_entered(log: Path) -> None:
    faults.child_ended("radcal.llama.worker", -signal.SIGSEGV)
    faults.child_ended("radcal.llama.worker", 3)
    faults.child_ended(NAME, None)
    assert [(entry["where"], entry["end"]) for entry in faults.entries()] == [
        ("radcal.llama.worker", "SIGSEGV"),
        ("radcal.llama.worker", "exit status 3"),
        ("?", "no end"),
    ]


# --- the file --------------------------------------------------------------------------------------


@posix
def test_the_log_is_its_owners_alone(log: Path) -> None:
    before = os.umask(0)
    try:
        faults.record(ValueError(), "radcal run")
    finally:
        os.umask(before)
    assert stat.S_IMODE(log.stat().st_mode) == 0o700
    for file in log.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_log_stays_small_and_keeps_the_latest(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MOST_BYTES", 4000)
    for n in range(400):
        faults.child_ended("radcal.llama.worker", n)
    files = {file.name: file.stat().st_size for file in log.glob("*.jsonl")}
    assert set(files) == {"faults.jsonl", "faults.1.jsonl", "faults.2.jsonl", "faults.3.jsonl"}
    assert max(files.values()) <= 4000
    ends = [entry["end"] for entry in faults.entries()]
    assert ends == [f"exit status {n}" for n in range(400 - len(ends), 400)]
    assert len(ends) > 50


def test_the_same_fault_over_and_over_does_not_wash_out_the_others(log: Path) -> None:
    faults.child_ended("radcal.llama.worker", 1)
    for _ in range(1000):
        faults.record(ValueError(), "window")
    found = faults.entries()
    assert len(found) < 30
    assert found[-1]["times"] == 512
    assert "512 times by then" in faults.as_text(found)


_WRITER = """
import sys
from radcal import faults
faults.MOST_BYTES = 20_000
for n in range(150):
    faults.child_ended("radcal.llama.worker", int(sys.argv[1]) * 1000 + n)
"""


def test_two_programs_at_once_lose_nothing(log: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(log.parent)}
    command = [sys.executable, "-c", _WRITER]
    running = [
        subprocess.Popen([*command, str(n)], env=environment, cwd=Path(__file__).parents[1])  # noqa: S603 - our own
        for n in (1, 2)
    ]
    assert [child.wait(120) for child in running] == [0, 0]
    ends = [int(entry["end"].rsplit(" ", 1)[1]) for entry in faults.entries()]
    for n in (1000, 2000):
        assert [end for end in ends if n <= end < n + 1000] == [n + k for k in range(150)]


@pytest.mark.parametrize("call", ["mkdir", "open", "write", "flock"])
@pytest.mark.parametrize("code", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_a_log_that_cannot_be_written_stops_nothing(
    log: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        if call == "mkdir":
            patch.setattr(Path, "mkdir", refuse)
        elif call == "flock":
            patch.setattr(faults, "_try_lock", lambda _handle: False)
            patch.setattr(faults, "_PATIENCE_S", 0.0)
        else:
            patch.setattr(os, call, refuse)
        faults.record(ValueError(), "radcal run")
    assert len(faults.entries()) == (1 if call == "flock" else 0)
    faults.record(ValueError(), "radcal run")  # and goes on when it can
    assert len(faults.entries()) == (2 if call == "flock" else 1)


def test_half_a_line_on_a_full_disk_spoils_no_other(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults.child_ended("radcal.llama.worker", 1)
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda handle, line: write(handle, line[:20]))
        faults.child_ended("radcal.llama.worker", 2)
    faults.child_ended("radcal.llama.worker", 3)
    assert [entry["end"] for entry in faults.entries()] == ["exit status 1", "exit status 3"]


@posix
def test_a_link_in_the_place_of_the_log_is_not_followed(log: Path, tmp_path: Path) -> None:
    log.mkdir(parents=True)
    target = tmp_path / "precious"
    target.write_text("kept", encoding="utf-8")
    (log / "faults.jsonl").symlink_to(target)
    faults.record(ValueError(), "radcal run")
    assert target.read_text("utf-8") == "kept"


def test_lines_that_are_none_are_left_out(log: Path) -> None:
    log.mkdir(parents=True)
    (log / "faults.jsonl").write_bytes(b'\xff\xfe\n[1]\n{"kind"\n{"kind": "fault", "at": "x"}\n')
    assert faults.entries() == [{"kind": "fault", "at": "x"}]
    assert "fault" in faults.as_text(faults.entries())


# --- policy ----------------------------------------------------------------------------------------


def test_it_may_turn_the_log_off_or_put_it_elsewhere(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_force(**locked: object) -> None:
        monkeypatch.setattr(policy, "in_use", lambda: policy.Policy(Path("/p"), {}, locked))

    in_force(fault_log="off")
    faults.record(ValueError(), "radcal run")
    assert faults.folder() is None
    assert faults.entries() == []
    in_force(fault_log_folder=str(tmp_path / "all"))
    monkeypatch.setattr(faults, "_user", lambda: "avery")
    faults.record(ValueError(), "radcal run")
    assert len(faults.entries()) == 1
    assert (tmp_path / "all" / "avery" / "faults.jsonl").is_file()
    assert not log.exists()

    def broken() -> None:
        raise policy.PolicyFault("broken")

    monkeypatch.setattr(policy, "in_use", broken)
    faults.record(ValueError(), "radcal run")
    assert len(faults.entries()) == 1
    assert log.is_dir()


def test_lines_that_are_no_entries_are_left_out(log: Path) -> None:
    faults.record(ValueError(), "radcal run")
    whole = faults.entries()
    odd = [
        '{"times": "x"}',
        '{"counts": [1]}',
        '{"counts": {"a": "b"}}',
        '{"chain": {"a": 1}}',
        "[1]",
        "{",
        '{"chain": 1}',
    ]
    with (log / "faults.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n".join(odd) + "\n")
    assert faults.entries() == whole


def test_no_variable_names_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "in_use", lambda: policy.Policy(Path("/p"), {}, {"fault_log_folder": str(tmp_path)}))
    told = faults.folder()
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, str(tmp_path.parent / "elsewhere"))
    assert faults.folder() == told
    assert told is not None
    assert told.parent == tmp_path


@pytest.mark.skipif(os.name != "posix", reason="named pipes and owners of POSIX")
def test_what_somebody_else_put_in_the_place_of_the_log_neither_stops_nor_gets_an_entry(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.mkdir(parents=True)
    os.mkfifo(log / "faults.jsonl")
    reader = os.open(log / "faults.jsonl", os.O_RDONLY | os.O_NONBLOCK)
    faults.record(ValueError(), "radcal run")
    assert os.read(reader, 100) == b""
    os.close(reader)
    faults.record(ValueError(), "radcal review")  # nobody reads the pipe, which would wait
    (log / "faults.jsonl").unlink()
    (log / "faults.jsonl").touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    faults.record(ValueError(), "radcal ask")
    assert (log / "faults.jsonl").read_bytes() == b""


# --- who enters something --------------------------------------------------------------------------


def test_a_command_that_fails_is_entered(log: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["words", str(tmp_path / NAME)]) == 2
    (entry,) = faults.entries()
    assert (entry["kind"], entry["where"]) == ("failure", "radcal words")
    assert NAME not in written(log)
    assert NAME in capsys.readouterr().err


def test_an_unforeseen_error_of_a_command_is_entered(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("radcal.cli.steps.words_file", lambda _folder: _in_context())
    assert cli.main(["words", "."]) == 2
    (entry,) = faults.entries()
    assert (entry["kind"], [link["class"] for link in entry["chain"]]) == ("fault", ["KeyError", "ValueError"])
    said = capsys.readouterr()
    for canary in CANARIES:
        assert canary not in written(log) + said.out + said.err


def test_the_command_shows_the_log_and_saves_it(log: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["faults"]) == 0
    assert "has no entry" in capsys.readouterr().out
    faults.record(caught(_chained), "window reliability")
    assert cli.main(["faults"]) == 0
    shown = capsys.readouterr().out
    assert "window reliability" in shown
    out = tmp_path / "faults.txt"
    assert cli.main(["faults", "--out", str(out)]) == 0
    assert out.read_text("utf-8") == shown
    capsys.readouterr()
    assert cli.main(["faults", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["entries"] == faults.entries()


@pytest.fixture
def hooks() -> Iterator[None]:
    before = sys.excepthook, threading.excepthook, sys.unraisablehook
    faults.watch()
    yield
    sys.excepthook, threading.excepthook, sys.unraisablehook = before


def test_what_nobody_handles_is_entered_and_told_without_its_message(
    log: Path, hooks: None, capsys: pytest.CaptureFixture[str]
) -> None:
    thread = threading.Thread(target=_in_context)
    thread.start()
    thread.join()
    sys.unraisablehook(SimpleNamespace(exc_value=caught(_noted)))  # type: ignore[arg-type]
    error = caught(_key_error)
    sys.excepthook(type(error), error, error.__traceback__)
    assert [entry["where"] for entry in faults.entries()] == ["thread", "clearing up", "program"]
    said = capsys.readouterr().err
    assert "KeyError at " in said
    for canary in CANARIES:
        assert canary not in said + written(log)


def test_the_child_of_a_llama_that_dies_is_entered(log: Path) -> None:
    from radcal.llama.process import Child, ChildDiedError

    child = Child("radcal.llama.worker")
    try:
        os.kill(child.pid, signal.SIGTERM)
        said = caught(lambda: [child.receive(10.0) for _ in range(60)])
        assert isinstance(said, ChildDiedError)
    finally:
        child.kill()
    (entry,) = faults.entries()
    assert (entry["kind"], entry["where"], entry["end"]) == ("child", "radcal.llama.worker", "SIGTERM")


def test_every_text_of_an_entry_is_found_without_a_formatter() -> None:
    """Nothing here may format an exception: the traceback module quotes lines of source, and messages."""
    source = Path(faults.__file__).read_text("utf-8")
    assert "import traceback" not in source
    assert "str(error" not in source
    assert "repr(" not in source
