"""Whether a model fits into this machine's memory, and how it is best loaded; decided before loading, with reasons."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radcal.errors import InputError
from radcal.llama.gguf_file import GgufFile
from radcal.llama.options import ModelOptions
from radcal.text import Text

GIB = 1 << 30
_MIB = 1 << 20
_RESERVE = 256 * _MIB
"""Bytes left free for other programs."""
_SMALL_MODEL = 32 * _MIB
"""Evaluations of smaller models are over sooner than looking at the stop flag within them, or sharing them among more
threads, would pay."""
_GPU_SHARE = 0.9
_MANY_SEQUENCES = 112
"""Sequences of a context: the numbers 0 to 100 are asked in as many branches."""
NO_GPU = Text(
    "This build of llama.cpp has no GPU support, so the CPU is used. For a GPU, install "
    'llama-cpp-python again with CMAKE_ARGS="-DGGML_CUDA=on" (NVIDIA), "-DGGML_VULKAN=on" (AMD, '
    'Intel) or "-DGGML_METAL=on" (Apple).'
)

NO_GPU_FOUND = Text("llama.cpp was built for a GPU, but finds none; the CPU is used. Check the driver.")


@dataclass(frozen=True, slots=True)
class Shape:
    """What a model's need of memory depends on: counts, and bytes of the file."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    head_size: int
    vocabulary: int
    trained_context: int
    bytes: int

    @property
    def kv_bytes(self) -> int:
        """Keys and values of one token: 2 L n_kv head_size 2 bytes."""
        return 2 * self.layers * self.kv_heads * self.head_size * 2

    @property
    def exact_kv_bytes(self) -> int:
        """The same in 32 bit."""
        return 2 * self.kv_bytes


@dataclass(frozen=True, slots=True)
class Device:
    """A GPU that llama.cpp can use; bytes."""

    name: str
    free: int
    total: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How a model is loaded.

    context: tokens of one report with the prompt;  cells: tokens of all sequences together
    batch, micro: tokens handed over and computed at a time;  parallel: reports at a time
    repack: weights are rearranged for the CPU, which takes their size once more
    abortable: a running evaluation looks at the stop flag (for models whose batches take long)
    exact: keys and values in 32 bit and no flash attention.  On the CPU that makes the rounding, and so a
        report's result, independent of what else is in the batch, to about 1e-5 instead of 1e-2 of a score
    """

    context: int
    cells: int
    batch: int
    micro: int
    parallel: int
    sequences: int
    threads: int
    gpu_layers: int
    repack: bool
    abortable: bool
    exact: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """A plan, its need of memory in bytes, and what was chosen and why, in sentences.

    main_bytes, gpu_bytes: where the memory is taken;  weights, keys_and_values, computing: what for
    device: the GPU that is used, None where the CPU does it all
    """

    plan: Plan
    main_bytes: int
    gpu_bytes: int
    reasons: tuple[str, ...]
    weights: int
    keys_and_values: int
    computing: int
    device: Device | None


def shape_of(file: GgufFile) -> Shape:
    """The shape by the file's metadata.

    Raises:
        InputError: they are incomplete or make no sense.
    """
    arch = file.architecture
    layers = file.number(f"{arch}.block_count", most=2000)
    width = file.number(f"{arch}.embedding_length", most=1 << 17)
    heads = file.number(f"{arch}.attention.head_count", most=4096)
    kv_heads = file.number(f"{arch}.attention.head_count_kv", heads, most=4096)
    head_size = file.number(f"{arch}.attention.key_length", max(width // heads, 1), most=1 << 14)
    vocabulary = max(file.lengths.get("tokenizer.ggml.tokens", 0), 1)
    trained = file.number(f"{arch}.context_length", most=1 << 30)
    return Shape(layers, width, heads, kv_heads, head_size, vocabulary, trained, file.bytes)


def compute_bytes(shape: Shape, micro: int) -> int:
    """Working memory of an evaluation: mostly the scores of every word, 1.03 micro n_vocab 4 bytes."""
    return int(1.03 * micro * shape.vocabulary * 4) + micro * shape.width * 40 + 16 * _MIB


@dataclass(frozen=True, slots=True)
class _Load:
    """One way to load a model, which may need more memory than there is.

    typical: tokens that a report takes besides the first, which may fill its context
    """

    shape: Shape
    options: ModelOptions
    gpu: Device | None
    context: int
    typical: int
    parallel: int
    micro: int = 512
    repack: bool = True

    @property
    def cells(self) -> int:
        """Tokens of all sequences together."""
        return max(self.context, 1024) + (self.parallel - 1) * self.typical

    @property
    def computing(self) -> int:
        """Working memory, bytes."""
        return compute_bytes(self.shape, self.micro)

    @property
    def gpu_layers(self) -> int:
        """Layers on the GPU, that of the scores included."""
        return _gpu_layers(self.shape, self.options, self.gpu, self.cells * self.shape.kv_bytes, self.computing)

    @property
    def gpu_share(self) -> float:
        """The share of the layers that is on the GPU, 0-1."""
        return self.gpu_layers / (self.shape.layers + 1)

    @property
    def keys_and_values(self) -> int:
        """Bytes of them."""
        return self.cells * (self.shape.kv_bytes if self.gpu_layers else self.shape.exact_kv_bytes)

    @property
    def main_bytes(self) -> int:
        """Main memory that is taken."""
        share = self.gpu_share
        held = int((1 - share) * (self.shape.bytes * (2 if self.repack else 1) + self.keys_and_values))
        return held + (self.computing if share < 1 else 64 * _MIB)

    @property
    def gpu_bytes(self) -> int:
        """Memory of the GPU that is taken."""
        share = self.gpu_share
        return int(share * (self.shape.bytes + self.keys_and_values)) + (self.computing if share > 0 else 0)

    @property
    def weights(self) -> int:
        """Bytes of the weights, rearranged ones included."""
        return int(self.shape.bytes * (1 + (1 - self.gpu_share) * self.repack))

    def leaner(self) -> _Load | None:
        """What is given up next where memory is short: speed first, results never; None where nothing is left."""
        if self.repack and self.gpu_share < 1:
            return replace(self, repack=False)
        if self.parallel > 1 and self.options.parallel is None:
            return replace(self, parallel=self.parallel // 2)
        if self.micro > 64:
            return replace(self, micro=self.micro // 2)
        return None


def choose(
    shape: Shape,
    options: ModelOptions,
    devices: Sequence[Device],
    free: int | None,
    *,
    gpu_build: bool,
    sentences: bool = False,
) -> Fit:
    """The fastest plan that fits.

    Args:
        free: bytes of main memory that are free, None if unknown.
        gpu_build: whether the installed llama.cpp can use a GPU at all.
        sentences: whether the model reads single sentences, as the bundled one does.

    Raises:
        InputError: not even the smallest plan fits.
    """
    context = min(options.context, shape.trained_context)
    small = shape.bytes < _SMALL_MODEL
    gpu = max(devices, key=lambda d: d.free, default=None) if options.gpu_layers != 0 else None
    # More at a time reads the weights less often, but every token looks at the cells of all: on a CPU few are enough.
    parallel = options.parallel or (32 if gpu else 8 if sentences else 4)
    # A small model's steps are so short that more threads spend them waiting for each other.
    threads = options.threads or min(usable_cpus(), 2 if small else usable_cpus())
    load = _fitting(_Load(shape, options, gpu, context, 192 if sentences else min(1024, context), parallel), free)
    plan = Plan(
        context=context,
        cells=load.cells,
        batch=2048 if load.gpu_share == 1 else 512,
        micro=load.micro,
        parallel=load.parallel,
        sequences=max(_MANY_SEQUENCES, load.parallel + 1),
        threads=threads,
        gpu_layers=load.gpu_layers,
        repack=load.repack,
        abortable=not small,
        exact=load.gpu_layers == 0,
    )
    no_gpu = NO_GPU if not gpu_build else "" if devices else NO_GPU_FOUND
    reasons = _reasons(load, threads, free, no_gpu, Text("Sentences") if sentences else Text("Reports"))
    return Fit(
        plan,
        load.main_bytes,
        load.gpu_bytes,
        tuple(reasons),
        load.weights,
        load.keys_and_values,
        load.computing,
        gpu if load.gpu_layers else None,
    )


def _fitting(load: _Load, free: int | None) -> _Load:
    """The load, or the first leaner one that fits into the free main memory; where that is unknown, the load."""
    while free is not None and load.main_bytes + _RESERVE > free:
        leaner = load.leaner()
        if leaner is None:
            raise InputError(
                "The model needs about {main_bytes:.1f} GiB of main memory at a context of "
                "{context} tokens, and {n:.1f} GiB are free. Close other programs, choose a "
                "smaller model or quantisation, or a smaller context.",
                main_bytes=load.main_bytes / GIB,
                context=load.context,
                n=max(free - _RESERVE, 0) / GIB,
            )
        load = leaner
    return load


def _reasons(load: _Load, threads: int, free: int | None, no_gpu: str, what: Text) -> Iterator[str]:
    """The choices and their reasons, in sentences."""
    if load.context < load.options.context:
        yield Text("Context {context} tokens: the model was trained on no more.", context=load.context)
    if no_gpu:
        yield no_gpu
    available = "unknown" if free is None else f"{free / GIB:.1f} GiB free"
    yield (
        f"Main memory: about {load.main_bytes / GIB:.2f} GiB for weights, {load.cells} tokens of keys and values, and "
        f"computing ({available})."
    )
    if load.gpu is not None:
        layers, every = load.gpu_layers, load.shape.layers + 1
        yield (
            f"GPU {load.gpu.name}: {layers} of {every} layers, about {load.gpu_bytes / GIB:.1f} of "
            f"{load.gpu.free / GIB:.1f} GiB free" + ("." if layers == every else "; the rest does not fit.")
        )
    if not load.repack:
        yield Text("Weights are not rearranged for the CPU, which is slower: memory is short.")
    yield Text(
        "{what} at a time: {n}; threads: {threads}; tokens in a batch: {batch}.",
        what=what,
        n=load.parallel,
        threads=threads,
        batch=load.micro,
    )


def _gpu_layers(shape: Shape, options: ModelOptions, gpu: Device | None, kv: int, work: int) -> int:
    if gpu is None:
        return 0
    every = shape.layers + 1
    per_layer = (shape.bytes + kv) / every
    fitting = int(max(_GPU_SHARE * gpu.free - work, 0) / per_layer)
    wanted = every if options.gpu_layers is None else min(options.gpu_layers, every)
    return min(fitting, wanted) if options.gpu_layers is None else wanted


def usable_cpus() -> int:
    """Processors that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def free_memory(meminfo: Path = Path("/proc/meminfo"), cgroup: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Bytes of main memory that are free for this process, None where the system does not say."""
    found: list[int] = []
    try:
        lines = meminfo.read_text("ascii").splitlines()
        found += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
        limit = (cgroup / "memory.max").read_text("ascii").strip()
        if limit != "max":
            found.append(max(int(limit) - int((cgroup / "memory.current").read_text("ascii")), 0))
    except (OSError, ValueError, IndexError):
        pass
    return min(found, default=None)
