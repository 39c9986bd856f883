"""What is chosen before a model is loaded, and why."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from radcal.findings.model.fit import (
    GIB,
    NO_GPU,
    Device,
    Shape,
    choose,
    compute_bytes,
    free_memory,
    shape_of,
)
from radcal.findings.model.gguf_file import read_gguf
from radcal.findings.model.options import ModelOptions
from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.system.workers import processors

LLAMA_1B = Shape(16, 2048, 32, 8, 64, 128_256, 131_072, 800 << 20, 500 << 20)
LLAMA_8B = Shape(32, 4096, 32, 8, 128, 128_256, 8192, 4_700 << 20)
GPU = Device("big GPU", 24 * GIB, 24 * GIB)


def test_keys_and_values_follow_the_formula() -> None:
    assert LLAMA_8B.kv_bytes == 2 * 32 * 8 * 128 * 2
    scores, attention = 112 * 128_256 * 4, 32 * 512 * 4608 * 4
    assert compute_bytes(LLAMA_1B, 512, 4608, 112, exact=True) == pytest.approx(scores + attention, rel=0.2)
    assert compute_bytes(LLAMA_1B, 512, 4608, 112, exact=False) == pytest.approx(2 * scores, rel=0.2)


def test_the_cpu_is_used_and_the_missing_gpu_support_is_said() -> None:
    fit = choose(LLAMA_1B, ModelOptions(), [], 16 * GIB, gpu_build=False)
    assert fit.plan.gpu_layers == 0
    assert fit.plan.batch == 512
    assert fit.plan.repack
    assert fit.plan.abortable
    assert fit.plan.threads == processors()
    assert NO_GPU in fit.reasons
    assert all(isinstance(reason, Text) for reason in fit.reasons)
    assert fit.load.main_bytes > LLAMA_1B.bytes + LLAMA_1B.rearranged


def test_a_gpu_build_without_a_gpu_says_so() -> None:
    reasons = choose(LLAMA_1B, ModelOptions(), [], 16 * GIB, gpu_build=True).reasons
    assert any("finds none" in r for r in reasons)


def test_everything_goes_to_a_gpu_that_has_room() -> None:
    fit = choose(LLAMA_8B, ModelOptions(), [Device("small", GIB, GIB), GPU], 4 * GIB, gpu_build=True)
    assert fit.plan.gpu_layers == 33
    assert fit.plan.batch == 4096
    assert fit.plan.sequences == 256
    assert fit.load.gpu_bytes > LLAMA_8B.bytes
    assert any("big GPU: 33 of 33 layers" in r for r in fit.reasons)


def test_a_gpu_too_small_takes_some_layers_only() -> None:
    fit = choose(LLAMA_8B, ModelOptions(), [Device("small", 4 * GIB, 4 * GIB)], 32 * GIB, gpu_build=True)
    assert 0 < fit.plan.gpu_layers < 33
    assert fit.plan.batch == 512  # the CPU sets the pace
    assert any("the rest does not fit" in r for r in fit.reasons)
    tiny = choose(LLAMA_8B, ModelOptions(), [Device("tiny", GIB // 4, GIB)], 32 * GIB, gpu_build=True)
    assert tiny.plan.gpu_layers == 0
    assert tiny.plan.exact
    assert not any("GPU" in r for r in tiny.reasons)


def card(gigabytes: float) -> Device:
    """A GPU as its maker names it, of which the system has taken a little."""
    return Device("card", int(gigabytes * 0.95e9), int(gigabytes * 1e9))


SHAPES = {
    "1B": LLAMA_1B,
    "3B": Shape(28, 3072, 24, 8, 128, 128_256, 131_072, int(2.0e9)),
    "8B": replace(LLAMA_8B, bytes=int(4.92e9)),
    "12B": Shape(40, 5120, 32, 8, 128, 131_072, 131_072, int(7.5e9)),
    "27B": Shape(46, 4608, 32, 16, 128, 256_000, 8192, int(16.6e9)),
    "70B": Shape(80, 8192, 64, 8, 128, 128_256, 131_072, int(42.5e9)),
}


def test_a_card_of_8_gb_holds_the_whole_of_an_8b() -> None:
    plan = choose(SHAPES["8B"], ModelOptions(), [card(8)], 32 * GIB, gpu_build=True).plan
    assert plan.gpu_layers == 33
    assert plan.batch >= 512
    assert plan.context == 4096


@pytest.mark.parametrize("name", SHAPES)
def test_more_memory_never_means_fewer_layers_and_layers_come_before_large_batches(name: str) -> None:
    shape, options = SHAPES[name], ModelOptions()
    before = 0
    for tenth in range(40, 241):
        gpu = card(tenth / 10)
        plan = choose(shape, options, [gpu], 128 * GIB, gpu_build=True).plan
        whole = plan.gpu_layers == shape.layers + 1
        # The smallest batch in the smallest computations, computed anew.
        cells = max(plan.context, 1024) + 512
        least = shape.bytes + cells * shape.kv_bytes + compute_bytes(shape, 64, cells, 112, exact=False)
        assert whole == (least <= 0.9 * gpu.free)
        computing = compute_bytes(shape, plan.micro, plan.cells, plan.sequences, exact=False)
        needed = shape.bytes + plan.cells * shape.kv_bytes + computing
        assert not whole or needed <= 0.9 * gpu.free
        assert plan.gpu_layers >= before
        before = plan.gpu_layers


def test_two_gpus_share_the_layers() -> None:
    one = choose(SHAPES["12B"], ModelOptions(), [card(6)], 64 * GIB, gpu_build=True)
    two = choose(SHAPES["12B"], ModelOptions(), [card(6), card(6)], 64 * GIB, gpu_build=True)
    assert one.plan.gpu_layers < two.plan.gpu_layers == 41
    assert any("card, card: 41 of 41 layers" in r for r in two.reasons)


def test_the_users_layers_are_kept() -> None:
    assert choose(LLAMA_8B, ModelOptions(gpu_layers=0), [GPU], 32 * GIB, gpu_build=True).plan.gpu_layers == 0
    assert choose(LLAMA_8B, ModelOptions(gpu_layers=7), [GPU], 32 * GIB, gpu_build=True).plan.gpu_layers == 7
    assert choose(LLAMA_8B, ModelOptions(gpu_layers=99), [GPU], 32 * GIB, gpu_build=True).plan.gpu_layers == 33


@pytest.mark.parametrize("free", [2.2, 1.9, 1.7, 1.6])
def test_short_memory_costs_speed_before_it_costs_the_work(free: float) -> None:
    rich = choose(LLAMA_1B, ModelOptions(), [], 16 * GIB, gpu_build=False)
    fit = choose(LLAMA_1B, ModelOptions(), [], int(free * GIB), gpu_build=False)
    assert fit.load.main_bytes <= free * GIB
    assert fit.plan.context == rich.plan.context
    assert not fit.plan.repack
    assert any("memory is short" in r for r in fit.reasons)


def test_too_little_memory_is_refused_with_both_numbers() -> None:
    with pytest.raises(InputError, match=r"needs about \d\.\d GiB .* 0\.8 GiB are free.*smaller model"):
        choose(LLAMA_8B, ModelOptions(), [], GIB, gpu_build=False)


def test_unknown_memory_is_said_and_no_more_than_the_trained_context_used() -> None:
    fit = choose(replace(LLAMA_1B, trained_context=2048), ModelOptions(), [], None, gpu_build=False)
    assert fit.plan.context == 2048
    assert any("trained on no more" in r for r in fit.reasons)
    assert any("unknown" in r for r in fit.reasons)


def test_a_small_model_needs_no_abort_and_is_exact_on_a_gpu() -> None:
    tiny = Shape(6, 256, 4, 2, 64, 4096, 512, 8 << 20)
    plan = choose(tiny, ModelOptions(), [], GIB, gpu_build=False).plan
    assert not plan.abortable
    assert plan.cells == 1024 + plan.batch
    on_gpu = choose(tiny, ModelOptions(), [GPU], GIB, gpu_build=True)
    assert on_gpu.plan.gpu_layers == 7
    assert on_gpu.plan.exact
    assert on_gpu.load.keys_and_values == 2 * on_gpu.plan.cells * tiny.kv_bytes
    assert not choose(LLAMA_1B, ModelOptions(), [GPU], GIB, gpu_build=True).plan.exact


@pytest.mark.parametrize(("size", "threads"), [(8 << 20, 1), (31 << 20, 1), (32 << 20, 3)])
def test_a_small_model_is_read_by_one_thread_unless_more_are_asked_for(
    size: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radcal.findings.model.fit.processors", lambda: 3)
    shape = Shape(6, 256, 4, 2, 64, 4096, 512, size)
    assert choose(shape, ModelOptions(), [], GIB, gpu_build=False).plan.threads == threads
    assert choose(shape, ModelOptions(threads=2), [], GIB, gpu_build=False).plan.threads == 2


def test_free_memory_is_the_least_of_what_the_system_and_its_container_leave(tmp_path: Path) -> None:
    info, group = tmp_path / "meminfo", tmp_path / "cgroup"
    assert free_memory(info, group) is None
    info.write_text("MemTotal: 9 kB\nMemAvailable:   4000 kB\n")
    assert free_memory(info, group) == 4_096_000
    group.mkdir()
    (group / "memory.max").write_text("max\n")
    assert free_memory(info, group) == 4_096_000
    (group / "memory.max").write_text("3000000\n")
    (group / "memory.current").write_text("1000000\n")
    assert free_memory(info, group) == 2_000_000


@pytest.mark.parametrize("values", [{"context": 10}, {"threads": 0}, {"report_seconds": 0.0}])
def test_options_out_of_bounds_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(InputError, match="Llama option"):
        ModelOptions(**values)  # type: ignore[arg-type]


NEEDED = {
    "qwen2.5-coder-1.5b-q4_k_m.gguf": 2.25e9,
    "qwen2.5-coder-0.5b-q4.gguf": 0.86e9,
    "gemma-3-270m-q4_k_m.gguf": 0.70e9,
}
"""Most memory of the child process, with the mapped file, while it read reports with real models; bytes."""


@pytest.mark.skipif("RADCAL_MODELS" not in os.environ, reason="no real models at hand")
@pytest.mark.parametrize("name", NEEDED)
def test_the_memory_announced_is_that_used(name: str) -> None:
    path = Path(os.environ["RADCAL_MODELS"]) / name
    if not path.exists():
        pytest.skip("this model is not at hand")
    fit = choose(shape_of(read_gguf(path)), ModelOptions(), [], 64 * GIB, gpu_build=False)
    assert fit.load.main_bytes == pytest.approx(NEEDED[name], rel=0.25)
