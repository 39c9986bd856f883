"""The log of faults: whatever an exception holds, none of it but places in the program is ever entered."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radcal import cli
from radcal.system import faults
from radcal.system.errors import Cancelled, DataError, EngineError, InputError, RadcalError
from radcal.system.text import Text, joined

NAME, SENTENCE = "Quackenbush", "likely edema says the wombat"
CANARIES = (NAME, "wombat")
OURS = "There is no file {path}. {remedy}"


def written(fault_log: Path) -> str:
    return "".join(file.read_text("utf-8") for file in sorted(fault_log.glob("faults.log*")))


def heads() -> list[str]:
    """The first line of each entry, from its kind on."""
    return [entry.splitlines()[0].split("  ", 2)[2] for entry in faults.entries()]


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
    exec(f"def {NAME}():\n raise ValueError('{SENTENCE}')\n{NAME}()", {"__name__": "radcal.system.faults"})  # noqa: S102 - as above


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
def test_nothing_that_an_exception_holds_is_entered(fault_log: Path, do: Callable[[], object]) -> None:
    error = caught(do)
    faults.record(error, "radcal run")
    (entry,) = faults.entries()
    assert all(canary not in written(fault_log) for canary in CANARIES)
    assert all(canary not in entry for canary in CANARIES)
    assert heads()[0].endswith("  radcal run")
    assert len(entry.splitlines()) > 1  # the class at least


def test_what_is_ours_is_entered(fault_log: Path) -> None:
    faults.record(caught(_known_template), "radcal run")
    faults.record(caught(_chained), "window reliability save")
    faults.record(caught(_file), "window")
    first, second, third = faults.entries()
    assert heads() == ["failure  radcal run", "failure  window reliability save", "fault  window"]
    assert first.splitlines()[1:] == ["  radcal.system.errors.InputError", f"    {OURS}"]
    assert second.splitlines()[1:] == ["  radcal.system.errors.DataError", "  ValueError"]
    assert third.splitlines()[1:] == ["  FileNotFoundError (ENOENT)"]


def test_places_in_our_own_code_are_entered(fault_log: Path) -> None:
    from radcal.system import inputs

    error = caught(lambda: inputs.toml_of(f"{NAME} ="))
    faults.record(error, "radcal run")
    (entry,) = faults.entries()
    assert re.search(r"\n  tomllib\.\w*\.?TOMLDecodeError\n    at radcal\.system\.inputs:\d+$", entry)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
@given(st.text(min_size=4, max_size=40), st.sampled_from(range(6)))
def test_no_text_reaches_the_log_by_any_way_into_an_exception(fault_log: Path, text: str, way: int) -> None:
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
    assert one.partition("  ")[2] == other.partition("  ")[2]


def test_a_place_that_is_not_in_our_own_words_is_not_named(fault_log: Path) -> None:
    for where in (f"{NAME}", "write /home/zebulon", "Run", "a b c d e", "", "x" * 50):
        faults.record(ValueError(), where)
    assert {head.partition(",")[0] for head in heads()} == {"fault  ?"}
    faults.on_page("reliability")
    assert faults.in_window(f"write /home/{NAME}.csv") == "window reliability write"


def test_a_stop_is_no_fault(fault_log: Path) -> None:
    for error in (Cancelled(), KeyboardInterrupt(), SystemExit(2)):
        faults.record(error, "radcal run")
    assert faults.entries() == []


def test_a_long_chain_and_a_deep_stack_are_cut(fault_log: Path) -> None:
    def deep(n: int) -> None:
        deep(n + 1)

    deep = FunctionType(deep.__code__, globals() | {"__name__": "radcal.system.faults"}, closure=deep.__closure__)
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
    assert deep_entry.count("    at ") == 21
    assert "    at ..." in deep_entry
    assert long_entry.count("  ValueError") <= 8


def test_listed_failures_are_counted_by_their_reasons(fault_log: Path) -> None:
    known = OURS
    faults.listed("import rows", [Text(known, path=NAME, remedy="")] * 3 + [SENTENCE, Text(SENTENCE)])
    (entry,) = faults.entries()
    assert entry.splitlines()[1:] == [f"        3  {known}", "        2  ?"]
    assert all(canary not in written(fault_log) for canary in CANARIES)
    faults.listed("import rows", [])
    assert len(faults.entries()) == 1


def test_the_end_of_a_child_is_entered(fault_log: Path) -> None:
    faults.child_ended("radcal.findings.model.worker", -signal.SIGSEGV)
    faults.child_ended("radcal.findings.model.worker", 3)
    faults.child_ended("radcal.findings.model.worker", None)
    ends = [entry.splitlines()[1] for entry in faults.entries()]
    assert ends == [f"  radcal.findings.model.worker  {end}" for end in ("SIGSEGV", "exit status 3", "no end")]


# --- who enters something --------------------------------------------------------------------------


def test_a_command_that_fails_is_entered(fault_log: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["words", str(tmp_path / NAME)]) == 2
    assert heads() == ["failure  radcal words"]
    assert NAME not in written(fault_log)
    assert NAME in capsys.readouterr().err


def test_an_unforeseen_error_of_a_command_is_entered(
    fault_log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("radcal.cli.engines.words", lambda _args, _bar: _in_context())
    assert cli.main(["words", "."]) == 2
    (entry,) = faults.entries()
    assert heads() == ["fault  radcal words"]
    assert re.search(r"\n  KeyError\n(    at radcal\.cli\S+\n)+  ValueError$", entry)
    said = capsys.readouterr()
    for canary in CANARIES:
        assert canary not in written(fault_log) + said.out + said.err


def test_the_command_shows_the_log_and_saves_it(
    fault_log: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
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
    fault_log: Path, hooks: None, capsys: pytest.CaptureFixture[str]
) -> None:
    thread = threading.Thread(target=_in_context)
    thread.start()
    thread.join()
    sys.unraisablehook(SimpleNamespace(exc_value=caught(_noted)))  # type: ignore[arg-type]
    error = caught(_key_error)
    sys.excepthook(type(error), error, error.__traceback__)
    assert heads() == ["fault  thread", "fault  clearing up", "fault  program"]
    said = capsys.readouterr().err
    assert "KeyError at " in said
    for canary in CANARIES:
        assert canary not in said + written(fault_log)


def test_the_child_of_a_llama_that_dies_is_entered(fault_log: Path) -> None:
    from radcal.findings.model.process import Child, ChildDiedError

    child = Child("radcal.findings.model.worker")
    try:
        os.kill(child.pid, signal.SIGTERM)
        said = caught(lambda: [child.receive(10.0) for _ in range(60)])
        assert isinstance(said, ChildDiedError)
    finally:
        child.kill()
    (entry,) = faults.entries()
    assert entry.splitlines()[1] == "  radcal.findings.model.worker  SIGTERM"


def test_every_text_of_an_entry_is_found_without_a_formatter() -> None:
    """Nothing here may format an exception: the traceback module quotes lines of source, and messages."""
    source = Path(faults.__file__).read_text("utf-8")
    assert "import traceback" not in source
    assert "format_exc" not in source
    assert "exc_info" not in source
    assert "str(error" not in source
    assert "repr(" not in source
