"""llama.cpp is compiled once for all machines, and never taken from what was compiled for one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.shipping import llama_wheel
from tools.shipping.llama_wheel import cmake_arguments, pinned, wheel

ROOT = Path(__file__).resolve().parents[3]
ENTRY = "llama-cpp-python==1.0 \\\n    --hash=sha256:aa\n"


def test_no_build_is_for_this_machine_alone() -> None:
    for machine in ("x86_64", "AMD64", "aarch64", "arm64"):
        assert "-DGGML_NATIVE=OFF" in cmake_arguments(machine)
        assert ("-DGGML_CPU_ALL_VARIANTS=ON" in cmake_arguments(machine)) == (machine in ("x86_64", "AMD64"))
    assert cmake_arguments("x86_64", "-DGGML_VULKAN=ON").endswith(" -DGGML_VULKAN=ON")


def test_the_entry_of_the_lock_file_is_found_with_its_hashes() -> None:
    assert pinned(f"jinja2==3.1 \\\n    --hash=sha256:bb\n{ENTRY}    # via radcal\nzlib==1\n") == ENTRY
    extra = ENTRY.replace("python==", "python[server]==")
    assert pinned(f"jinja2==3.1\n{extra}") == ENTRY
    real = pinned((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    assert real.startswith("llama-cpp-python==")
    assert "--hash=sha256:" in real
    assert "via" not in real
    with pytest.raises(ValueError, match="make lock"):
        pinned("numpy==2.2\n")


def test_a_wheel_is_made_anew_when_anything_that_made_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []

    def run(command: list[str], *, check: bool, env: dict[str, str]) -> None:
        calls.append([*command, env["CMAKE_ARGS"]])
        folder = Path(command[command.index("--wheel-dir") + 1])
        folder.mkdir()
        assert Path(command[command.index("--requirement") + 1]).read_text(encoding="utf-8").startswith("llama-cpp")
        (folder / "llama_cpp_python-1.0-py3-none-any.whl").write_bytes(env["CMAKE_ARGS"].encode())

    monkeypatch.setattr(llama_wheel.subprocess, "run", run)
    first = wheel(ENTRY, "-DA=ON", tmp_path)
    assert first.read_bytes() == b"-DA=ON"
    assert wheel(ENTRY, "-DA=ON", tmp_path) == first
    assert len(calls) == 1
    assert {"--no-cache-dir", "--require-hashes", "--no-binary"} <= set(calls[0])
    others = [wheel(ENTRY, "-DA=OFF", tmp_path), wheel(ENTRY.replace("aa", "cc"), "-DA=ON", tmp_path)]
    assert len({first, *others}) == 3
    assert len(list(tmp_path.iterdir())) == 3, "something was left behind"


def test_a_build_that_fails_leaves_nothing_that_is_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(command: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(llama_wheel.subprocess, "run", run)
    with pytest.raises(subprocess.CalledProcessError):
        wheel(ENTRY, "", tmp_path)
    assert list(tmp_path.iterdir()) == []
