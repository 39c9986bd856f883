"""Memory planning: whether a model fits this machine and how to load it, with reasons, before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radcal.findings.model.gguf_file import MOST_LAYERS, GgufFile
from radcal.findings.model.options import ModelOptions
from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.system.workers import processors

GIB = 1 << 30
_MIB = 1 << 20
_RESERVE = 256 * _MIB
"""Bytes of memory left to other programs."""
_PROCESS = 64 * _MIB
"""Bytes of the child process beside the model."""
_SMALL_MODEL = 32 * _MIB
"""Below this size an evaluation is too short for abort checks or further threads to pay off."""
_GPU_SHARE = 0.9
_BATCH, _GPU_BATCH = 512, 4096
"""Tokens per call: sentences of some ten reports, and of many on a GPU that holds the whole model.

Larger batches read the weights less often, but every token attends to the cells of all: a CPU needs only a few.
"""
_SEQUENCES, _GPU_SEQUENCES = 112, 256
"""Sequences per context: each number from 0 to 100 needs a branch, and each question of the sentences in a batch."""
_GPU_MICRO, _SMALLEST_MICRO = 1024, 64
"""Most tokens per computation on a GPU, and fewest anywhere."""
NO_GPU = Text(
    "This build of llama.cpp has no GPU support, so the CPU is used. The page docs/gpu.md says how to give RadCal one "
    "that has; `radcal engines` shows what is there."
)

NO_GPU_FOUND = Text("llama.cpp was built for a GPU, but finds none; the CPU is used. Check the driver.")


@dataclass(frozen=True, slots=True)
class Shape:
    """The dimensions that determine a model's memory requirement.

    bytes: of the file;  rearranged: of the weights in it that are rearranged for a CPU
    """

    layers: int
    width: int
    heads: int
    kv_heads: int
    head_size: int
    vocabulary: int
    trained_context: int
    bytes: int
    rearranged: int = 0

    @property
    def kv_bytes(self) -> int:
        """Bytes of the keys and values of one token in 16 bit: 2 L n_kv head_size 2."""
        return 2 * self.layers * self.kv_heads * self.head_size * 2


@dataclass(frozen=True, slots=True)
class Device:
    """A GPU usable by llama.cpp; memory in bytes."""

    name: str
    free: int
    total: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How a model is loaded.

    context: tokens of the prompt and one text;  cells: tokens of all sequences together
    batch, micro: tokens per call and per computation
    repack: weights are rearranged for the CPU, which needs their memory once more
    abortable: a running evaluation checks the stop flag (for models with slow batches)
    exact: keys and values in 32 bit and no flash attention.  On the CPU this makes a report's result independent
        of the rest of the batch, to about 1e-5 of a score instead of 1e-2.  On a GPU a small model does so, too: it
        costs little, and drivers that do not survive flash attention run it
    """

    context: int
    cells: int
    batch: int
    micro: int
    sequences: int
    threads: int
    gpu_layers: int
    repack: bool
    abortable: bool
    exact: bool


def shape_of(file: GgufFile) -> Shape:
    """The shape according to the file's metadata.

    Raises:
        InputError: the metadata are incomplete or absurd.
    """
    arch = file.architecture
    layers = file.number(f"{arch}.block_count", most=MOST_LAYERS)
    width = file.number(f"{arch}.embedding_length", most=1 << 17)
    heads = file.number(f"{arch}.attention.head_count", most=4096)
    kv_heads = file.number(f"{arch}.attention.head_count_kv", heads, most=4096)
    head_size = file.number(f"{arch}.attention.key_length", max(width // heads, 1), most=1 << 14)
    vocabulary = max(file.words[0], 1)
    trained = file.number(f"{arch}.context_length", most=1 << 30)
    return Shape(layers, width, heads, kv_heads, head_size, vocabulary, trained, file.bytes, file.rearranged)


def compute_bytes(shape: Shape, micro: int, cells: int, outputs: int, *, exact: bool) -> int:
    """Working memory of an evaluation in bytes.

    The scores of the vocabulary, once to keep and once among what is computed: outputs n_vocab 4; without flash
    attention those of the attention instead, where these are larger: n_head micro cells 4.
    """
    kept = outputs * shape.vocabulary * 4
    attention = shape.heads * micro * cells * 4 if exact else 0
    return kept + max(kept, attention + micro * (4 * cells + 40 * shape.width)) + 16 * _MIB


@dataclass(frozen=True, slots=True)
class Load:
    """The memory requirement of a way to load a model.

    gpus: the GPUs to use, which share the layers;  none for the CPU alone
    """

    shape: Shape
    options: ModelOptions
    gpus: tuple[Device, ...]
    context: int
    micro: int = _BATCH
    batch: int = _BATCH
    repack: bool = True

    @property
    def cells(self) -> int:
        return max(self.context, 1024) + self.batch

    @property
    def sequences(self) -> int:
        """Sequences of the context, which are the most scores of a call as well."""
        return _GPU_SEQUENCES if self.batch > _BATCH else _SEQUENCES

    @property
    def computing(self) -> int:
        # What is exact depends on the layers, and these on this: a small model is, on a GPU as well.
        exact = not self.gpus or self.shape.bytes < _SMALL_MODEL
        return compute_bytes(self.shape, self.micro, self.cells, self.sequences, exact=exact)

    @property
    def gpu_layers(self) -> int:
        """Layers on the GPU, the output layer included."""
        layers = self.shape.layers + 1
        if not self.gpus:
            return 0
        if self.options.gpu_layers is not None:
            return min(self.options.gpu_layers, layers)
        per_layer = (self.shape.bytes + self.cells * self.shape.kv_bytes) / layers
        return min(int(self.gpu_room / per_layer), layers)

    @property
    def gpu_room(self) -> float:
        """Bytes of the GPUs for weights, keys and values: each of them also computes."""
        return sum(max(_GPU_SHARE * gpu.free - self.computing, 0) for gpu in self.gpus)

    @property
    def gpu_share(self) -> float:
        """Fraction of the layers on the GPU, 0-1."""
        return self.gpu_layers / (self.shape.layers + 1)

    @property
    def exact(self) -> bool:
        """As of :class:`Plan`."""
        return self.gpu_layers == 0 or self.shape.bytes < _SMALL_MODEL

    @property
    def keys_and_values(self) -> int:
        """Bytes, in 32 bit if exact and else in 16 bit."""
        return self.cells * self.shape.kv_bytes * (2 if self.exact else 1)

    @property
    def main_bytes(self) -> int:
        share = self.gpu_share
        held = int((1 - share) * (self.shape.bytes + self.repack * self.shape.rearranged + self.keys_and_values))
        return held + _PROCESS + (self.computing if share < 1 else 0)

    @property
    def gpu_bytes(self) -> int:
        share = self.gpu_share
        computing = len(self.gpus) * self.computing if share > 0 else 0
        return int(share * (self.shape.bytes + self.keys_and_values)) + computing

    @property
    def weights(self) -> int:
        """Bytes, including the rearranged copy."""
        return int(self.shape.bytes + (1 - self.gpu_share) * self.repack * self.shape.rearranged)

    @property
    def device(self) -> Device | None:
        """The GPU in use, several as one; None for the CPU alone."""
        return _as_one(self.gpus) if self.gpu_layers else None

    def on_gpu(self) -> Load:
        """The load as it uses its GPUs best: all layers before tokens in a batch and in a computation.

        Where not even the smallest computation leaves room for all layers, the CPU sets the pace.
        """
        if not self.gpus or self.options.gpu_layers is not None:
            return self
        batches = (_GPU_BATCH >> k for k in range(_GPU_BATCH.bit_length()) if _GPU_BATCH >> k >= _SMALLEST_MICRO)
        tried = (replace(self, batch=max(n, _BATCH), micro=min(n, _GPU_MICRO)) for n in batches)
        slow = self if self.gpu_layers else replace(self, gpus=())
        return next((load for load in tried if load.gpu_share == 1), slow)

    def leaner(self) -> Load | None:
        """The next cheaper variant: slower, with the same results; None if there is none."""
        if self.repack and self.shape.rearranged and self.gpu_share < 1:
            return replace(self, repack=False)
        if self.micro > _SMALLEST_MICRO:
            return replace(self, micro=self.micro // 2)
        return None


@dataclass(frozen=True, slots=True)
class Fit:
    """How a model would be loaded: a plan, its memory requirement, and the reasons for its choices, in sentences.

    free: bytes of free main memory, None if unknown
    """

    plan: Plan
    load: Load
    reasons: tuple[Text, ...]
    free: int | None


def choose(
    shape: Shape,
    options: ModelOptions,
    devices: Sequence[Device],
    free: int | None,
    *,
    gpu_build: bool,
) -> Fit:
    """The fastest plan that fits into memory.

    Args:
        free: bytes of free main memory, None if unknown.
        gpu_build: True if the installed llama.cpp supports GPUs.

    Raises:
        InputError: not even the smallest plan fits.
    """
    context = min(options.context, shape.trained_context)
    small = shape.bytes < _SMALL_MODEL
    gpus = tuple(devices) if options.gpu_layers != 0 else ()
    # The steps of a small model are so short that threads would mostly wait, on a busy machine above all.
    threads = options.threads or (1 if small else processors())
    load = _fitting(Load(shape, options, gpus, context).on_gpu(), free)
    plan = Plan(
        context=context,
        cells=load.cells,
        batch=load.batch,
        micro=load.micro,
        sequences=load.sequences,
        threads=threads,
        gpu_layers=load.gpu_layers,
        repack=load.repack,
        abortable=not small,
        exact=load.exact,
    )
    no_gpu = NO_GPU if not gpu_build else None if devices else NO_GPU_FOUND
    reasons = _reasons(load, threads, free, no_gpu)
    return Fit(plan, load, tuple(reasons), free)


def _as_one(gpus: Sequence[Device]) -> Device:
    names = ", ".join(gpu.name for gpu in gpus)
    return Device(names, sum(gpu.free for gpu in gpus), sum(gpu.total for gpu in gpus))


def _fitting(load: Load, free: int | None) -> Load:
    """The first of the load and its leaner variants that fits into free memory; the load itself if that is unknown."""
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


def _reasons(load: Load, threads: int, free: int | None, no_gpu: Text | None) -> Iterator[Text]:
    if load.context < load.options.context:
        yield Text("Context {context} tokens: the model was trained on no more.", context=load.context)
    if no_gpu:
        yield no_gpu
    yield Text(
        "Main memory: about {needed:.2f} GiB for weights, {cells} tokens of keys and values, and "
        "computing ({available}).",
        needed=load.main_bytes / GIB,
        cells=load.cells,
        available=Text("unknown") if free is None else Text("{n:.1f} GiB free", n=free / GIB),
    )
    if load.gpus:
        gpu = _as_one(load.gpus)
        used = Text(
            "GPU {name}: {layers} of {every} layers, about {needed:.1f} of {free:.1f} GiB free",
            name=gpu.name,
            layers=load.gpu_layers,
            every=load.shape.layers + 1,
            needed=load.gpu_bytes / GIB,
            free=gpu.free / GIB,
        )
        yield Text("{used}.", used=used) if load.gpu_share == 1 else Text("{used}; the rest does not fit.", used=used)
    if not load.repack:
        yield Text("Weights are not rearranged for the CPU, which is slower: memory is short.")
    yield Text("Threads: {threads}; tokens in a batch: {batch}.", threads=threads, batch=load.batch)


def free_memory(meminfo: Path = Path("/proc/meminfo"), cgroup: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Bytes of main memory free for this process, None if the system does not report them."""
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
