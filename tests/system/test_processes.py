"""Children see nothing of where and by whom they were started, and no program leaves its memory behind."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import signal
import site
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from radcal.findings.model import process as llama
from radcal.findings.model.process import CHILD as MODEL_CHILD
from radcal.reports import parsing
from radcal.system import processes, workers
from radcal.system.processes import child_command, child_environment, child_folder

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="core files are a matter of POSIX systems")
linux = pytest.mark.skipif(sys.platform != "linux", reason="by prctl of Linux")


def run(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **more)  # type: ignore[call-overload,no-any-return]  # noqa: S603 - our own program


def in_child(code: str) -> list[str]:
    """A command that runs the code where a child would run its module."""
    *python, begins = child_command("json.tool")
    assert begins.endswith("run_child('json.tool')")
    return [*python, begins.replace("run_child('json.tool')", "exec(sys.argv[1])"), code]


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Modules that leave a mark, wherever Python may look for them; returns the file for the marks."""
    marks = tmp_path / "marks"
    here, named, home = tmp_path / "reports", tmp_path / "named", tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(site, "USER_BASE", None)
    monkeypatch.setattr(site, "USER_SITE", None)
    for folder in (here, named, Path(site.getusersitepackages())):
        folder.mkdir(parents=True)
        for name in ("numpy", "json", "pathlib", "contextlib", "argparse", "radcal", "sitecustomize", "usercustomize"):
            text = f"open({str(marks)!r}, 'a').write(__file__)\n"
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(named))
    monkeypatch.setenv("PYTHONSTARTUP", str(here / "json.py"))
    monkeypatch.chdir(here)
    return marks


def test_a_child_imports_nothing_of_the_current_folder_or_of_the_user(hostile: Path) -> None:
    # The trap works: a child as it was started before falls into it.
    run([sys.executable, "-m", "json.tool"], stdin=subprocess.DEVNULL)
    assert hostile.read_text(encoding="utf-8")
    hostile.unlink()
    seen = "import sys, json, numpy; print('seen', json.dumps([sys.path, numpy.__file__]))"
    done = run(in_child(seen), env=child_environment())
    assert done.returncode == 0, done.stderr
    path, numpy = json.loads(done.stdout.split("seen ", 1)[1].splitlines()[0])
    assert not hostile.exists(), "a module of the user's was run"
    assert not any(str(hostile.parent) in folder for folder in [*path, numpy])
    assert all(Path(folder).is_absolute() for folder in path)


def test_the_child_of_the_llama_comes_up_among_hostile_modules(hostile: Path) -> None:
    child = llama.Child(MODEL_CHILD)
    try:
        assert child.receive(60.0) is not None
    finally:
        child.kill()
    assert not hostile.exists()


def test_python_m_radcal_imports_nothing_of_the_current_folder(hostile: Path) -> None:
    # Python itself looks there for radcal, and on the way for what finds it.
    for name in ("radcal", "contextlib"):
        (hostile.parent / "reports" / f"{name}.py").unlink()
    environment = {k: v for k, v in os.environ.items() if k != "HOME"} | {"PYTHONPATH": str(ROOT)}
    done = run([sys.executable, "-m", "radcal", "--version"], env=environment)
    assert done.stdout.startswith("RadCal ")
    assert not hostile.exists()


def test_no_secret_and_no_library_of_the_user_reaches_a_child_or_what_it_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in (*processes.SECRETS, "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PYTHONPATH", "AWS_SECRET"):
        monkeypatch.setenv(name, str(tmp_path / "hostile"))
    monkeypatch.setenv("LD_LIBRARY_PATH", os.pathsep.join(["", str(tmp_path), ".", "beside"]))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    of_both = (
        "import json, os, subprocess, sys; print('seen', json.dumps(dict(os.environ)), flush=True); "
        "subprocess.run([sys.executable, '-Ic', 'import json, os; print(\\'seen\\', json.dumps(dict(os.environ)))'])"
    )
    done = run(in_child(of_both), env=child_environment(llama._INHERITED, llama._HOME, OWN="1"))
    environments = [json.loads(line.removeprefix("seen ")) for line in done.stdout.splitlines() if "seen" in line]
    assert len(environments) == 2, done.stderr
    for seen in environments:
        assert seen["CUDA_VISIBLE_DEVICES"] == "1"
        assert seen["OWN"] == "1"
        assert seen["LD_LIBRARY_PATH"] == str(tmp_path)
        assert not any("hostile" in value for value in seen.values())
        assert not {*processes.SECRETS, "AWS_SECRET"} & set(seen)


def test_a_secret_is_not_handed_on_even_where_its_name_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", "plum tree")
    assert "RADCAL_PASSPHRASE" not in child_environment(("RADCAL_",), ("RADCAL_PASSPHRASE",))


def test_children_run_where_nobody_keeps_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tell = "import json, os; print(json.dumps({'folder': os.getcwd()}))"
    monkeypatch.setattr(llama, "child_command", lambda module: [sys.executable, "-Ic", tell])
    child = llama.Child("json.tool")
    try:
        assert child.receive(60.0) == {"folder": str(child_folder())}
    finally:
        child.kill()
    assert child_folder() == ROOT / "radcal"


# --- memory --------------------------------------------------------------------------------------------

STATE = """
import ctypes, json, os, resource, sys
def tell(*_):
    from radcal.system.processes import SECRETS, secret
    print(json.dumps([
        ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) if sys.platform == "linux" else 0,
        resource.getrlimit(resource.RLIMIT_CORE),
        [name in os.environ for name in SECRETS],
        [secret(name) for name in SECRETS],
    ]), flush=True)
    os.abort()
"""
PROGRAM = {"radcal.cli": "program", "ui": "app"}
"""What each entry point imports and runs."""


def started(module: str, start: str) -> str:
    program = f"{module}.{PROGRAM[module]}"
    return f"\nimport {program}\n{program}.main = tell\n{start}"


PROGRAMS = {
    text: started(text.split(":")[0], text.replace(":", ".") + "()")
    for text in (*SCRIPTS["scripts"].values(), *SCRIPTS["gui-scripts"].values())
} | {
    path: started(module, f"import runpy; runpy.run_path({str(ROOT / path)!r}, run_name='__main__')")
    for path, module in (("main.py", "ui"), ("radcal/__main__.py", "radcal.cli"), ("packaging/start.py", "radcal.cli"))
}
PROGRAMS["child"] = (
    "import timeit; timeit.main = tell; from radcal.system.processes import run_child; run_child('timeit')"
)


def aborted(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the code in the folder, with core files as large as they may become, and secrets in its environment."""
    shell = ["sh", "-c", 'ulimit -S -c "$(ulimit -H -c)"; exec "$@"', "sh", sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | dict.fromkeys(processes.SECRETS, "plum tree")
    return run(shell, cwd=folder, env=environment)


@posix
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_protects_its_memory_before_anything_else(program: str, tmp_path: Path) -> None:
    done = aborted(STATE + PROGRAMS[program], tmp_path)
    assert done.returncode == -signal.SIGABRT, done.stderr
    dumpable, limits, left, secrets = json.loads(done.stdout)
    assert dumpable == 0
    assert limits == [0, 0]
    assert list(tmp_path.iterdir()) == [], "a core file"
    if program != "child":  # whose parent takes care of that
        assert left == [False, False]
        assert secrets == ["plum tree", "plum tree"]


@linux
def test_core_files_would_be_written_otherwise(tmp_path: Path) -> None:
    if "core" not in Path("/proc/sys/kernel/core_pattern").read_text()[:5]:
        pytest.skip("this system hands cores to a program")
    done = aborted("import os, resource; print(resource.getrlimit(resource.RLIMIT_CORE)[1]); os.abort()", tmp_path)
    if done.stdout.strip() != "0":
        assert list(tmp_path.iterdir())


def test_a_secret_is_taken_out_of_the_environment_and_still_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "protect_memory", lambda: None)  # for good, and this process is pytest's
    monkeypatch.setattr(processes, "_taken", {})
    monkeypatch.setenv("RADCAL_PASSPHRASE", "plum tree")
    monkeypatch.delenv("RADCAL_PERSONAL_PASSPHRASE", raising=False)
    processes.begin()
    assert "RADCAL_PASSPHRASE" not in os.environ
    assert processes.secret("RADCAL_PASSPHRASE") == "plum tree"
    assert processes.secret("RADCAL_PERSONAL_PASSPHRASE") is None


# --- who starts processes ------------------------------------------------------------------------------

STARTERS = {
    "subprocess": {"Popen", "run", "call", "check_call", "check_output", "getoutput", "getstatusoutput"},
    "os": {"system", "popen", "fork", "forkpty", "startfile", "posix_spawn", "posix_spawnp"}
    | {name for name in dir(os) if name.startswith(("exec", "spawn"))},
    "multiprocessing": {"Process", "Pool", "get_context", "set_start_method"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
    "pty": {"spawn", "fork"},
}
CLASSES = {"ProcessPoolExecutor", "QProcess"}
REASONS = {
    "tools/screenshots.py": "pictures the sample for the documentation: itself again, for each look",
    "tools/setup.py": "sets up what RadCal needs, before there is anything to isolate it with",
    "tools/papers.py": "runs RadCal on public data, and is no part of what users start",
    "tools/mini/train.py": "trains on made-up text, and is no part of what users start",
    "tools/shipping/deb.py": "asks Debian's own tools to pack, and is no part of what users start",
    "tools/shipping/instructions.py": "opens libraries that were just built, and is no part of what users start",
    "tools/shipping/llama_wheel.py": "asks pip to compile, and is no part of what users start",
    "tools/shipping/release.py": "asks git for a time, and is no part of what users start",
}
"""Modules that start processes otherwise, and why they may."""


WORTH_PARSING = re.compile(rf"\b({'|'.join([*STARTERS, *CLASSES])})\b")


def starts(node: ast.AST) -> bool:
    """Whether it is a function of a module that starts processes."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr in STARTERS.get(node.value.id, ())
    )


def starts_processes(tree: ast.Module) -> bool:
    types = {node.value for node in ast.walk(tree) if isinstance(node, ast.Subscript)}  # Popen[bytes]
    for node in ast.walk(tree):
        if starts(node) and node not in types:
            return True
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {alias.name for alias in node.names}
            if names & STARTERS.get(node.module.split(".")[0], set()) or names & CLASSES:
                return True
    return False


def starting_calls(tree: ast.Module) -> Iterator[set[str | None]]:
    """By which keywords processes are started."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and starts(node.func):
            yield {keyword.arg for keyword in node.keywords}


def test_processes_are_started_in_isolation_alone() -> None:
    found = {}
    for room in ("radcal", "ui", "tools"):
        for path in sorted((ROOT / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if WORTH_PARSING.search(text) and starts_processes(tree := ast.parse(text)):
                found[path.relative_to(ROOT).as_posix()] = tree
    assert set(found) == {"radcal/system/processes.py", *REASONS}
    for keywords in (started := list(starting_calls(found["radcal/system/processes.py"]))):
        assert {"env", "cwd"} <= keywords
        assert "shell" not in keywords
    assert len(started) == 2


def test_a_packaged_program_can_be_each_of_its_children() -> None:
    asked = {
        node.args[0].value
        for room in ("radcal", "ui")
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"\bchild_command\(", text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "child_command"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and str(node.args[0].value).startswith("radcal.")
    } | {MODEL_CHILD, parsing.CHILD, workers.CHILD}
    allowed = runpy.run_path(str(ROOT / "packaging" / "start.py"))["CHILDREN"]
    assert asked == set(allowed)
