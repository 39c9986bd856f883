"""What instructions the shipped libraries of llama.cpp ask of a processor, and whether each may.

    python -m tools.shipping.instructions dist/radcal

Every instruction of every library is decoded. Libraries that every machine loads may use no more than the level asked
for. A variant (libggml-cpu-NAME) may use what its own score function demands of the processor, and is chosen only where
that is there; but every machine opens it to ask for its score, so what runs then keeps to the level, too.

Exit status: 0 if all may, 1 if not; what may not is named.

Sources: the levels are those of the System V ABI for x86-64; what an instruction needs is told by iced-x86; what a
variant demands is written in llama.cpp, ggml/src/CMakeLists.txt (which variants there are) and
ggml/src/ggml-cpu/arch/x86/cpu-feats.cpp (what each option demands, and what it adds to the score).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import iced_x86 as x86
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


# The last four are what a processor that does not know them takes for nothing at all.
_OLDEST = _set(
    "INTEL8086 INTEL186 INTEL286 INTEL386 INTEL486 X64 CPUID CMOV CX8 FPU FPU287 FPU387 FXSR MMX SSE SSE2 TSC SYSCALL"
    " MULTIBYTENOP PAUSE CET_IBT CET_SS"
)
_V2 = _OLDEST | _set("SSE3 SSSE3 SSE4_1 SSE4_2 POPCNT CMPXCHG16B")
_V3 = _V2 | _set("AVX AVX2 BMI1 BMI2 F16C FMA LZCNT MOVBE XSAVE")
_V4 = _V3 | _set("AVX512F AVX512BW AVX512CD AVX512DQ AVX512VL")
LEVELS: Mapping[str, frozenset[str]] = {"x86-64": _OLDEST, "x86-64-v2": _V2, "x86-64-v3": _V3, "x86-64-v4": _V4}
"""Features of processors, lowest level first, named as iced-x86 names them."""

_OPTIONS: Mapping[str, tuple[int, str, str]] = {
    # Option of llama.cpp: what it adds to the score, what it asks for, and what every processor with that has besides.
    "FMA": (1 << 0, "FMA", "AVX"),
    "F16C": (1 << 1, "F16C", "AVX"),
    "SSE42": (1 << 2, "SSE4_2", "SSE3 SSSE3 SSE4_1 POPCNT"),
    "BMI2": (1 << 3, "BMI2", ""),
    "AVX": (1 << 4, "AVX", ""),
    "AVX2": (1 << 5, "AVX2", ""),
    "AVX_VNNI": (1 << 6, "AVX_VNNI", ""),
    "AVX512": (1 << 7, "AVX512F AVX512CD AVX512VL AVX512DQ AVX512BW", ""),
    "AVX512_VBMI": (1 << 8, "AVX512_VBMI", ""),
    "AVX512_BF16": (1 << 9, "AVX512_BF16", ""),
    "AVX512_VNNI": (1 << 10, "AVX512_VNNI", ""),
    "AMX_TILE": (0, "", ""),
    "AMX_INT8": (1 << 11, "AMX_INT8", "AMX_TILE"),
}
_HASWELL = "SSE42 AVX F16C FMA AVX2 BMI2"
_VARIANTS: Mapping[str, str] = {
    "x64": "",
    "sse42": "SSE42",
    "sandybridge": "SSE42 AVX",
    "ivybridge": "SSE42 AVX F16C",
    "piledriver": "SSE42 AVX F16C FMA",
    "haswell": _HASWELL,
    "skylakex": f"{_HASWELL} AVX512",
    "cannonlake": f"{_HASWELL} AVX512 AVX512_VBMI",
    "cascadelake": f"{_HASWELL} AVX512 AVX512_VNNI",
    "icelake": f"{_HASWELL} AVX512 AVX512_VBMI AVX512_VNNI",
    "cooperlake": f"{_HASWELL} AVX512 AVX512_VNNI AVX512_BF16",
    "zen4": f"{_HASWELL} AVX512 AVX512_VBMI AVX512_VNNI AVX512_BF16",
    "alderlake": f"{_HASWELL} AVX_VNNI",
    "sapphirerapids": f"{_HASWELL} AVX512 AVX512_VBMI AVX512_VNNI AVX512_BF16 AMX_TILE AMX_INT8",
}
_VARIANT = re.compile(r"libggml-cpu-(\w+)\.so")
_SO = ".so"
_LLAMA = re.compile(r"lib(ggml|llama)(-\w+)*\.so(\.\d+)*")
_FLAGS = {"AVX512_VBMI": "avx512vbmi"}
"""Features that Linux does not call by their name in small letters."""
_NAMES = {getattr(x86.CpuidFeature, name): name for name in dir(x86.CpuidFeature) if name.isupper()}
_EXECUTABLE = 0x4
"""Of a section that holds code."""
_MAY_RUN = 0x1
"""Of a segment that is loaded as code."""
_PLACE = ("llama_cpp", "lib")
"""The folder whose libraries are all llama.cpp's, whatever they are called."""
_NEVER_RETURNS = re.compile(
    r"_ZSt\d+__throw_\w+|_ZSt9terminatev|__cxa_(re)?throw\w*|__cxa_bad_\w+|__cxa_pure_virtual|_Unwind_Resume|abort|_?exit"
    r"|__stack_chk_fail|__assert_fail|ggml_abort"
)
"""Imported functions after whose call another function may begin."""
_STUB = 4
"""Instructions of an entry in the table of imported functions, at most."""
_ENDS = (
    x86.FlowControl.RETURN,
    x86.FlowControl.UNCONDITIONAL_BRANCH,
    x86.FlowControl.INDIRECT_BRANCH,
    x86.FlowControl.EXCEPTION,
)
_TZCNT = (x86.Code.TZCNT_R16_RM16, x86.Code.TZCNT_R32_RM32, x86.Code.TZCNT_R64_RM64)
_ASKS = "ggml_backend_score"
_TELL = """
import ctypes, json, sys
print(json.dumps({path: ctypes.CDLL(path).ggml_backend_score() for path in sys.argv[1:]}))
"""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a variant of the processor's backend asks of it.

    score: that it gives itself where it can run;  asked: features that its score function tests
    may:   features that it may use: those, and what every processor that has them has besides
    """

    score: int
    asked: frozenset[str]
    may: frozenset[str]


def demands(variant: str) -> Demands:
    """What a variant asks of a processor.

    Raises:
        KeyError: this check does not know it.
    """
    options = [_OPTIONS[name] for name in _VARIANTS[variant].split()]
    asked = _set(" ".join(names for _, names, _ in options))
    besides = _set(" ".join(names for *_, names in options))
    return Demands(1 + sum(score for score, *_ in options), asked, asked | besides)


def expected_score(variant: str, flags: Collection[str]) -> int:
    """The score of a variant on a processor with these flags, as /proc/cpuinfo names them: 0 where it cannot run."""
    asks = demands(variant)
    lacks = {name for name in asks.asked if _FLAGS.get(name, name.lower()) not in flags}
    return 0 if lacks else asks.score


def flags_of(cpuinfo: str) -> frozenset[str]:
    """The flags of a processor in the text of /proc/cpuinfo; none if it has no such line."""
    line = re.search(r"^flags\s*:(.*)$", cpuinfo, re.MULTILINE)
    return frozenset(line[1].split() if line else ())


def scores(files: Sequence[Path]) -> dict[Path, int]:
    """The score that each variant gives itself on this machine, asked in a process of its own.

    Raises:
        subprocess.CalledProcessError: opening one ends the process.
    """
    done = subprocess.run(  # noqa: S603 - Python itself
        [sys.executable, "-I", "-c", _TELL, *map(str, files)], capture_output=True, text=True, check=True
    )
    return {Path(path): int(score) for path, score in json.loads(done.stdout).items()}


class Code:
    """The instructions of a library.

    Raises:
        ValueError: it is no library for x86-64 on Linux.
    """

    def __init__(self, file: Path) -> None:
        with file.open("rb") as stream:
            library = _elf(stream, file)
            sections = list(library.iter_sections())
            self._parts = [
                (int(s["sh_addr"]), s.data())
                for s in sections
                if s["sh_flags"] & _EXECUTABLE and s["sh_type"] == "SHT_PROGBITS"
            ]
            if not self._parts or any(self._rest(part) for part in library.iter_segments("PT_LOAD")):
                raise ValueError(f"{file}: the list of its sections does not tell where all of its code is")
            table = library.get_section_by_name(".dynsym")
            symbols = list(table.iter_symbols()) if table else []
            self._functions = {s.name: int(s["st_value"]) for s in symbols if s["st_value"]}
            self._slots: dict[int, int] = {}
            """Places where the loader writes the address of something within the library, and that address."""
            self._names: dict[int, str] = {}
            """Places where it writes the address of something that has a name, and that name."""
            for section in sections:
                if isinstance(section, RelocationSection):
                    for entry in section.iter_relocations():
                        named = entry["r_info_sym"]
                        base = int(symbols[named]["st_value"]) if named else 0
                        if named:
                            self._names[entry["r_offset"]] = symbols[named].name
                        if base or not named:
                            self._slots[entry["r_offset"]] = base + entry["r_addend"]
            self._first = [
                self._slots[place]
                for s in sections
                if s.name in (".preinit_array", ".init_array")
                for place in range(s["sh_addr"], s["sh_addr"] + s["sh_size"], 8)
                if place in self._slots
            ]
            self._first += [int(s["sh_addr"]) for s in sections if s.name == ".init"]

    def features(self) -> tuple[int, Counter[str]]:
        """How many instructions there are, and how many need which feature; one that needs two counts for both."""
        codes = Counter(
            instruction.code for start, data in self._parts for instruction in x86.Decoder(64, data, ip=start)
        )
        return codes.total(), _counted(codes)

    def features_when_loaded(self, *asked: str) -> tuple[int, Counter[str]]:
        """The same of what can run when the library is opened and these functions of it are called.

        Followed are all branches and calls, and all functions whose address is taken, as far as they lie within the
        library, run or not; what it takes from others, it takes from libraries that every machine loads.
        """
        waiting = [*self._first, *(self._functions[name] for name in asked if name in self._functions)]
        codes, seen = Counter[Any](), set[int]()
        while waiting:
            at = waiting.pop()
            for instruction in self._from(at):
                if instruction.ip in seen:
                    break
                seen.add(instruction.ip)
                codes[instruction.code] += 1
                waiting += self._leads_to(instruction)
                if instruction.flow_control in _ENDS or self._never_returns(instruction):
                    break
        return codes.total(), _counted(codes)

    def _rest(self, segment: Any) -> bool:
        """Whether a part that a processor may run has more than these sections and the zeros between them."""
        if not segment["p_flags"] & _MAY_RUN:
            return False
        begin, rest = int(segment["p_vaddr"]), bytearray(segment.data())
        for start, data in self._parts:
            if begin <= start < begin + len(rest):
                rest[start - begin : start - begin + len(data)] = bytes(len(data))
        return any(rest)

    def _from(self, at: int) -> Iterable[x86.Instruction]:
        """The instructions from an address on; none outside of the library."""
        start, data = next(((s, d) for s, d in self._parts if s <= at < s + len(d)), (at, b""))
        return x86.Decoder(64, data[at - start :], ip=at)

    def _never_returns(self, instruction: x86.Instruction) -> bool:
        """Whether it calls an imported function after which nothing follows."""
        if instruction.flow_control == x86.FlowControl.CALL:
            stub: Iterable[x86.Instruction] = islice(self._from(instruction.near_branch_target), _STUB)
        elif instruction.flow_control == x86.FlowControl.INDIRECT_CALL:
            stub = (instruction,)
        else:
            return False
        jumps = (x86.FlowControl.INDIRECT_BRANCH, x86.FlowControl.INDIRECT_CALL)
        places = (
            one.ip_rel_memory_address for one in stub if one.flow_control in jumps and one.is_ip_rel_memory_operand
        )
        return _NEVER_RETURNS.fullmatch(self._names.get(next(places, 0), "")) is not None

    def _leads_to(self, instruction: x86.Instruction) -> Iterator[int]:
        if instruction.op_count and instruction.op0_kind == x86.OpKind.NEAR_BRANCH64:
            yield instruction.near_branch_target
        elif instruction.is_ip_rel_memory_operand:
            place = instruction.ip_rel_memory_address
            if place in self._slots:
                yield self._slots[place]
            elif instruction.code == x86.Code.LEA_R64_M:
                yield place


def _elf(stream: BinaryIO, file: Path) -> Any:
    try:
        library: Any = ELFFile(stream)
    except ELFError as error:
        raise ValueError(f"{file}: no library of Linux: {error}") from error
    if library["e_machine"] != "EM_X86_64":
        raise ValueError(f"{file}: a library for other processors than x86-64")
    return library


def _counted(codes: Counter[Any]) -> Counter[str]:
    total, instruction = Counter[str](), x86.Instruction()
    for code, number in codes.items():
        # A processor without TZCNT takes it for BSF, which finds the same wherever there is a bit to be found:
        # compilers write it for BSF on purpose.
        if code not in _TZCNT:
            instruction.code = code
            for feature in instruction.cpuid_features():
                total[_NAMES[feature]] += number
    return total


@dataclass(frozen=True, slots=True)
class Library:
    """What a library asks of a processor.

    variant: its name if it is one, else ''
    level:   of LEVELS, the lowest that has all that it uses, '' if none has
    uses:    features beyond the oldest level, and how many instructions need each
    beyond:  those of them that it may not use;  when_loaded: the same of a variant's code that every machine runs
    """

    file: Path
    variant: str
    level: str
    instructions: int
    uses: Mapping[str, int]
    beyond: Mapping[str, int]
    when_loaded: Mapping[str, int]

    @property
    def may(self) -> bool:
        """Whether it asks for no more than it may."""
        return not self.beyond and not self.when_loaded


def look(file: Path, level: str) -> Library:
    """What a library asks for, beside what it may.

    Args:
        level: of LEVELS, which every machine has.

    Raises:
        ValueError: it cannot be read, or it is a variant that this check does not know.
    """
    code = Code(file)
    number, found = code.features()
    everywhere = may = LEVELS[level]
    first = Counter[str]()
    variant = _variant_of(file)
    if variant:
        if variant not in _VARIANTS:
            raise ValueError(f"{file}: what the variant {variant} of llama.cpp demands is not known to this check")
        may |= demands(variant).may
        first = code.features_when_loaded(_ASKS)[1]
    lowest = next((name for name, has in LEVELS.items() if found.keys() <= has), "")
    return Library(
        file,
        variant,
        lowest,
        number,
        {name: n for name, n in sorted(found.items()) if name not in _OLDEST},
        {name: n for name, n in sorted(found.items()) if name not in may},
        {name: n for name, n in sorted(first.items()) if name not in everywhere},
    )


def libraries(folder: Path) -> list[Path]:
    """The libraries of llama.cpp below a folder, each once under the shortest of its names, but for variants."""
    found = (f for f in folder.rglob("*") if _LLAMA.fullmatch(f.name) or (f.parts[-3:-1] == _PLACE and _SO in f.name))
    by_name = sorted(found, key=lambda file: (-len(file.name), file))
    # What a variant may is told by its name.
    return sorted({(hashlib.sha256(f.read_bytes()).digest(), _variant_of(f)): f for f in by_name}.values())


def _variant_of(file: Path) -> str:
    match = _VARIANT.match(file.name)
    return match[1] if match else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Look at all libraries of llama.cpp below a folder; 0 if each may what it asks for."""
    parser = argparse.ArgumentParser(description="What do the libraries of llama.cpp ask of a processor?")
    parser.add_argument("folder", type=Path, help="where they are, such as dist/radcal")
    parser.add_argument(
        "--level", choices=LEVELS, default="x86-64", help="what every machine has (default: %(default)s)"
    )
    options = parser.parse_args(argv)
    if sys.platform != "linux" or platform.machine() != "x86_64":
        print("Only libraries for x86-64 on Linux can be looked at: nothing was proved")
        return 0
    found = [look(file, options.level) for file in libraries(options.folder)]
    if not found:
        parser.error(f"{options.folder}: no library of llama.cpp")
    for one in found:
        _tell(one, options.level)
    wrong = {one.file.name for one in found if not one.may}
    variants = {one.file: one.variant for one in found if one.variant}
    if variants:
        flags = flags_of(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
        given = scores(list(variants))
        for file, score in given.items():
            if score != (expected := expected_score(variants[file], flags)):
                wrong.add(file.name)
                print(f"{file.name} gives itself {score} on this machine, not {expected}")
        best = max(given, key=given.__getitem__)
        able = sum(score > 0 for score in given.values())
        print(f"All {len(given)} variants open on this machine, {able} can run on it; {best.name} is the best")
    if wrong:
        print(f"Not every machine can run {', '.join(sorted(wrong))}", file=sys.stderr)
        return 1
    print(f"Every machine of the level {options.level} can run all of llama.cpp")
    return 0


def _tell(one: Library, level: str) -> None:
    uses = ", ".join(f"{name} {number:,}" for name, number in one.uses.items()) or "nothing newer"
    print(f"{one.file.name}: {one.instructions:,} instructions; {one.variant or one.level or 'no level'}; {uses}")
    for what, beyond in (("", one.beyond), (" when it is opened", one.when_loaded)):
        for name, number in beyond.items():
            print(f"  may not use{what}: {name}, {number:,} instructions")


if __name__ == "__main__":
    sys.exit(main())
