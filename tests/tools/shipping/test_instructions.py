"""What a library asks of a processor is found by decoding it; libraries are compiled here, for several processors."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("iced_x86", reason="packages are checked with iced-x86, which set-up installs")

from tests.cases import cases_of
from tools.shipping import instructions
from tools.shipping.instructions import Code, demands, expected_score, flags_of, look

cases = cases_of(__file__)

_GCC = shutil.which("gcc")
compiled = pytest.mark.skipif(
    _GCC is None or sys.platform != "linux" or platform.machine() != "x86_64",
    reason="needs gcc on Linux for x86-64",
)
_SUM = """
float total(const float *x, int n) { float t = 0; for (int i = 0; i < n; i++) t += x[i] * x[i]; return t; }
"""
# Compiled for AVX-512 as a whole, but what answers for the score is not.
_VARIANT = """
#define OLD __attribute__((target("no-avx512f,no-avx2,no-avx,no-fma")))
static float table[64];
%s void at_start(void) { for (int i = 0; i < 64; i++) table[i] = i * 0.5f; }
__attribute__((constructor)) OLD void begin(void) { %s }
float total(const float *x, int n) { float t = 0; for (int i = 0; i < n; i++) t += x[i] * table[i & 63]; return t; }
OLD int ggml_backend_score(void) { return 0; }
"""


def library(folder: Path, name: str, source: str, *flags: str) -> Path:
    assert _GCC is not None
    file, text = folder / name, folder / "source.c"
    text.write_text(source, encoding="utf-8")
    command = [_GCC, "-O3", "-ffast-math", "-shared", "-fPIC", *flags, "-o", str(file), str(text)]
    subprocess.run(command, check=True)  # noqa: S603 - the compiler
    return file


@compiled
def test_instructions_beyond_the_level_are_found_in_a_library_of_every_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = library(tmp_path, "libggml-base.so", _SUM, "-mavx512f", "-mprefer-vector-width=512")
    found = look(file, "x86-64-v3")
    assert not found.may
    assert found.level == "x86-64-v4"
    assert found.beyond["AVX512F"] > 0
    assert found.uses["AVX512F"] == found.beyond["AVX512F"]
    assert look(file, "x86-64-v4").may
    assert instructions.main([str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert "may not use: AVX512F" in told.out
    assert told.err == "Not every machine can run libggml-base.so\n"


@compiled
@cases("a_library_is_of_the_lowest_level_that_has_what_it_uses")
def test_a_library_is_of_the_lowest_level_that_has_what_it_uses(
    tmp_path: Path, flags: list[str], level: str, feature: str
) -> None:
    source = _SUM + "int ones(unsigned long x) { return __builtin_popcountl(x); }"
    found = look(library(tmp_path, "libllama.so", source, *flags), "x86-64")
    assert found.level == level
    assert (feature in found.uses) == bool(feature)
    assert found.may == (level == "x86-64")
    assert instructions.main([str(tmp_path)]) == (0 if level == "x86-64" else 1)


@compiled
def test_what_finds_the_first_bit_runs_everywhere(tmp_path: Path) -> None:
    source = "int first(unsigned long x) { return __builtin_ctzl(x); }"
    text = subprocess.run(  # noqa: S603 - a tool of the compiler
        ["objdump", "-d", str(library(tmp_path, "libggml.so", source))],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tzcnt" in text.stdout or "bsf" in text.stdout
    assert look(tmp_path / "libggml.so", "x86-64").may
    assert not look(library(tmp_path, "libggml.so", source.replace("ctz", "clz"), "-mlzcnt"), "x86-64").may


@compiled
@cases("a_variant_may_use_what_it_demands_but_not_when_it_is_opened")
def test_a_variant_may_use_what_it_demands_but_not_when_it_is_opened(
    tmp_path: Path, inline: str, at_start: str, may: bool
) -> None:
    flags = ["-mavx512f", "-mavx512vl", "-mavx512dq", "-mavx512bw", "-mfma", "-mprefer-vector-width=512"]
    file = library(tmp_path, "libggml-cpu-skylakex.so", _VARIANT % (inline, at_start), *flags)
    found = look(file, "x86-64")
    assert found.uses["AVX512F"] > 0
    assert found.beyond == {}
    assert bool(found.when_loaded) is not may
    assert found.may is may


@compiled
@pytest.mark.parametrize("flags", [[], ["-fno-plt"]])
def test_a_function_behind_a_call_that_never_returns_is_not_run(tmp_path: Path, flags: list[str]) -> None:
    source = """
    #include <stdlib.h>
    #define OLD __attribute__((target("no-avx512f,no-avx2,no-avx,no-fma"), noinline))
    OLD int ggml_backend_score(void) { if (getenv("A")) return 1; abort(); }
    __attribute__((noinline)) float total(float *x) { float t = 0; for (int i = 0; i < 4096; i++) t += x[i]; return t; }
    """
    more = ["-mavx512f", "-mprefer-vector-width=512", "-fno-toplevel-reorder", "-fno-reorder-functions", *flags]
    file = library(tmp_path, "libggml-cpu-skylakex.so", source, *more)
    assert look(file, "x86-64").uses["AVX512F"] > 0
    assert Code(file).features_when_loaded("ggml_backend_score")[0] > 5
    assert look(file, "x86-64").may


@compiled
def test_a_variant_may_not_use_what_it_does_not_demand(tmp_path: Path) -> None:
    file = library(tmp_path, "libggml-cpu-haswell.so", _VARIANT % ("OLD", ""), "-mavx512f", "-mprefer-vector-width=512")
    assert look(file, "x86-64").beyond["AVX512F"] > 0


@compiled
def test_a_variant_that_misjudges_this_machine_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = library(tmp_path, "libggml-cpu-x64.so", "int ggml_backend_score(void) { return 0; }")
    assert instructions.main([str(tmp_path)]) == 1
    assert f"{file.name} gives itself 0 on this machine, not 1" in capsys.readouterr().out
    library(tmp_path, "libggml-cpu-x64.so", "int ggml_backend_score(void) { return 1; }")
    assert instructions.main([str(tmp_path)]) == 0


def test_an_unknown_variant_and_what_is_no_library_are_refused(tmp_path: Path) -> None:
    (tmp_path / "libllama.so").write_bytes(b"\x7fELF or not")
    with pytest.raises(ValueError, match="no library of Linux"):
        look(tmp_path / "libllama.so", "x86-64")
    with pytest.raises(SystemExit):
        instructions.main([str(tmp_path / "nothing")])
    with pytest.raises(KeyError):
        demands("pentium")


@compiled
def test_a_variant_that_the_check_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the variant novalake"):
        look(library(tmp_path, "libggml-cpu-novalake.so", _SUM), "x86-64")


@compiled
def test_whatever_lies_with_the_libraries_is_looked_at_under_each_name_of_a_variant(tmp_path: Path) -> None:
    place = tmp_path / "_internal" / "llama_cpp" / "lib"
    place.mkdir(parents=True)
    file = library(place, "libother-name.so.1", _SUM, "-mavx512f")
    names = ("libggml-cpu-haswell.so", "libggml-cpu-sandybridge.so", "libggml-base.so", "libggml-base.so.0")
    for name in names:
        shutil.copy(file, place / name)
    shutil.copy(file, tmp_path / "libelse.so")
    assert [found.name for found in instructions.libraries(tmp_path)] == [
        "libggml-base.so",
        "libggml-cpu-haswell.so",
        "libggml-cpu-sandybridge.so",
    ]
    for name in names:
        (place / name).unlink()
    assert instructions.libraries(tmp_path) == [file]
    assert instructions.main([str(tmp_path)]) == 1


@compiled
@pytest.mark.parametrize("listed", [True, False])
def test_code_that_no_section_tells_of_is_refused(tmp_path: Path, listed: bool) -> None:
    file = library(tmp_path, "libggml-base.so", _SUM, "-mavx512f")
    content = bytearray(file.read_bytes())
    sections, number = int.from_bytes(content[0x28:0x30], "little"), int.from_bytes(content[0x3C:0x3E], "little")
    if not listed:  # sections can be left out of a library, which runs all the same
        content[0x28:0x30], content[0x3C:0x40] = bytes(8), bytes(4)
    else:
        largest = max(
            (at for at in range(sections, sections + 64 * number, 64) if content[at + 8] & 4),
            key=lambda at: int.from_bytes(content[at + 0x20 : at + 0x28], "little"),
        )
        content[largest + 8] &= ~4 & 0xFF
    file.write_bytes(content)
    with pytest.raises(ValueError, match="where all of its code is"):
        look(file, "x86-64")


def test_demands_follow_the_score() -> None:
    zen = "sse4_2 avx f16c fma avx2 bmi2"
    server = f"{zen} avx512f avx512cd avx512vl avx512dq avx512bw"
    assert expected_score("x64", ()) == 1
    assert expected_score("haswell", zen.split()) == 1 + 0b111111
    assert expected_score("haswell", zen.replace("fma", "").split()) == 0
    assert expected_score("skylakex", zen.split()) == 0
    assert expected_score("skylakex", server.split()) == expected_score("haswell", server.split()) + 128
    assert expected_score("zen4", [*server.split(), "avx512vbmi", "avx512_vnni", "avx512_bf16"]) == 1 + 0b11110111111
    assert demands("sapphirerapids").asked >= demands("zen4").asked
    assert "AMX_TILE" in demands("sapphirerapids").may
    assert flags_of("processor\t: 0\nflags\t\t: fpu avx\nbugs\t\t:\nflags\t\t: other\n") == {"fpu", "avx"}
    assert flags_of("Features\t: fp asimd\n") == frozenset()


@compiled
def test_a_shared_object_of_another_processor_is_refused(tmp_path: Path) -> None:
    file = library(tmp_path, "libllama.so", _SUM)
    data = bytearray(file.read_bytes())
    data[18:20] = (183).to_bytes(2, "little")  # e_machine: AArch64
    file.write_bytes(data)
    with pytest.raises(ValueError, match="other processors"):
        Code(file)
