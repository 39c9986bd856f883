"""A small interface to llama.cpp, the only module that imports llama_cpp.

An error here or in the library crashes the process; only the child process (:mod:`radcal.findings.model.worker`) uses
it.
"""

from __future__ import annotations

import ctypes
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model.fit import Device, Plan
from radcal.system.text import Text

# For a cache on the disk, of which RadCal makes no use, llama_cpp imports a library that unpickles whatever it finds
# there (CVE-2025-69872). It is neither loaded nor part of the packaged program.
sys.modules["diskcache"] = ModuleType("diskcache")

import llama_cpp as library  # noqa: E402
from llama_cpp import _ggml as ggml_library  # noqa: E402
from llama_cpp import llama_cpp as bindings  # noqa: E402

Step = tuple[int, int, Sequence[int], bool]
"""A token, its position, its sequences, and whether the scores of the next token are requested."""
NO_NUMBERS = Text("the model's scores are no numbers: its weights are damaged")

_WARNING, _ERROR, _CONTINUED = 3, 4, 5
_GPU_TYPES = (1, 2)
"""Values of ggml_backend_dev_type for discrete and integrated GPUs."""
_LOG_LINES = 40
_PATIENCE = 0.25
"""Longest time of an evaluation that cannot be aborted, in seconds."""
_LEAST_BATCH = 64
_UNKNOWN = re.compile(r"unknown (model architecture|pre-tokenizer type): '(.*?)'")
_OTHER_MODEL = Text(
    "Choose a model of a family that it knows, such as Llama 3, Qwen 2.5 or 3, Gemma 2 or 3, Phi, Mistral or gpt-oss."
)
_NO_DEVICE = (ctypes.c_void_p * 1)()
"""The list of GPUs to use, empty: without it a GPU takes large batches even of a model of which it holds no layer."""


class NativeError(Exception):
    """llama.cpp failed; the message is the reason given by the library, or a Text."""


class UnsuitableError(NativeError):
    """This build of llama.cpp does not know the model's kind, or that does not write text; the message is a Text."""


class StoppedError(Exception):
    """The stop flag ended an evaluation."""


class FullError(Exception):
    """The context has no room for an evaluation."""


class _Log:
    """Warnings and errors of the library, which never contain report text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._kept = False

        def take(level: int, text: bytes, _: Any) -> None:
            if level != _CONTINUED:
                self._kept = level in (_WARNING, _ERROR)
            if self._kept:
                line = text.decode("utf-8", "replace").strip()
                if line:
                    self.lines = [*self.lines[-_LOG_LINES:], line]

        self._callback = library.llama_log_callback(take)  # must outlive every call
        library.llama_log_set(self._callback, ctypes.c_void_p(0))

    def reason(self, otherwise: Text) -> str:
        """The first error, which is the cause of those after it."""
        causes = [line for line in self.lines if "failed to load model" not in line] or self.lines
        return causes[0] if causes else otherwise


def load_backends(ggml: Any, folder: Path) -> None:
    """Load what evaluates models, where the build keeps it in libraries of its own: of the variants for processors, the
    best that this one can run.

    A build for one machine has its backends linked in and is left alone.

    Args:
        ggml: from :func:`typed_ggml`.
        folder: of the libraries; nothing is looked for elsewhere.

    Source: llama.cpp, GGML_BACKEND_DL; llama-cpp-python leaves the call to its user.
    """
    if ggml.ggml_backend_reg_count() == 0 and hasattr(ggml, "ggml_backend_load_all_from_path"):
        load = ggml.ggml_backend_load_all_from_path
        load.restype, load.argtypes = None, [ctypes.c_char_p]
        load(str(folder).encode())


def typed_ggml(*libraries: Any) -> Any:
    """The library of backends and devices, with the types of its functions.

    Args:
        libraries: the first that has its functions is taken.
    """
    ggml = next(one for one in libraries if hasattr(one, "ggml_backend_reg_count"))
    for name, result, arguments in (
        ("ggml_backend_reg_count", ctypes.c_size_t, []),
        ("ggml_backend_reg_get", ctypes.c_void_p, [ctypes.c_size_t]),
        ("ggml_backend_reg_name", ctypes.c_char_p, [ctypes.c_void_p]),
        ("ggml_backend_dev_count", ctypes.c_size_t, []),
        ("ggml_backend_dev_get", ctypes.c_void_p, [ctypes.c_size_t]),
        ("ggml_backend_dev_description", ctypes.c_char_p, [ctypes.c_void_p]),
        ("ggml_backend_dev_type", ctypes.c_int, [ctypes.c_void_p]),
        (
            "ggml_backend_dev_memory",
            None,
            [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_size_t)],
        ),
    ):
        function = getattr(ggml, name)
        function.restype, function.argtypes = result, arguments
    return ggml


_log = _Log()
# The one that libllama itself uses, found through libllama: what llama_cpp opens by name is on Linux a second copy,
# which knows nothing of the first. Windows looks for functions in the library itself alone, but never opens it twice.
_ggml = typed_ggml(bindings._lib, ggml_library.libggml)
load_backends(_ggml, Path(bindings._base_path))
library.llama_backend_init()


def version() -> str:
    """Version of llama-cpp-python."""
    return str(library.__version__)


def gpu_build() -> bool:
    """True if the installed library supports GPUs."""
    return bool(library.llama_supports_gpu_offload())


def abilities() -> tuple[list[str], list[str]]:
    """The backends of this build, such as CPU, CUDA, Vulkan, and the instruction sets of the processor that it uses."""
    registered = map(_ggml.ggml_backend_reg_get, range(_ggml.ggml_backend_reg_count()))
    names = [_ggml.ggml_backend_reg_name(one).decode("utf-8", "replace") for one in registered]
    info = library.llama_print_system_info().decode("utf-8", "replace")
    processor = info[max(info.find("CPU : "), 0) :].partition(":")[2]
    return names, re.findall(r"([A-Z][A-Z0-9_]+) = 1", processor)


def devices() -> list[Device]:
    """GPUs detected by the library; those built into the processor only where there are no others, as it uses them."""
    found: dict[int, list[Device]] = {kind: [] for kind in _GPU_TYPES}
    for i in range(_ggml.ggml_backend_dev_count()):
        device = _ggml.ggml_backend_dev_get(i)
        kind = _ggml.ggml_backend_dev_type(device)
        if kind in _GPU_TYPES:
            free, total = ctypes.c_size_t(), ctypes.c_size_t()
            _ggml.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
            description = _ggml.ggml_backend_dev_description(device).decode("utf-8", "replace")
            found[kind].append(Device(description, free.value, total.value))
    return next((some for some in found.values() if some), [])


def _load(path: Path, wanted: Any) -> Any:
    """The model of a file.

    Raises:
        UnsuitableError: the build does not know its architecture or tokenizer, or it does not write text.
        NativeError: it cannot be loaded for another reason.
    """
    _log.lines = []
    model = library.llama_model_load_from_file(str(path).encode(), wanted)
    if not model:
        unknown = next(filter(None, map(_UNKNOWN.search, _log.lines)), None)
        if unknown is None:
            raise NativeError(_log.reason(Text("the model cannot be loaded")))
        what, name = unknown.groups()
        values = {"name": name, "version": f"llama-cpp-python {version()}", "remedy": _OTHER_MODEL}
        if "tokenizer" in what:
            raise UnsuitableError(
                Text("The tokenizer {name!r} is not known to this build of llama.cpp ({version}). {remedy}", **values)
            )
        raise UnsuitableError(
            Text("The architecture {name!r} is not known to this build of llama.cpp ({version}). {remedy}", **values)
        )
    if library.llama_model_has_encoder(model) or not library.llama_model_has_decoder(model):
        library.llama_model_free(model)
        raise UnsuitableError(
            Text("The model translates or embeds texts and cannot answer. Choose a chat or base model.")
        )
    return model


def look(path: Path) -> None:
    """Read a model's metadata and vocabulary, without its weights; errors as of loading it."""
    wanted = library.llama_model_default_params()
    wanted.vocab_only = True
    library.llama_model_free(_load(path, wanted))


def run_of(tokens: Sequence[int], at: int, *sequences: int, scored: bool = True) -> list[Step]:
    """The steps of tokens from a position on in some sequences, with scores after the last."""
    last = len(tokens) - 1 if scored else -1
    return [(token, at + i, sequences, i == last) for i, token in enumerate(tokens)]


def alike(texts: Sequence[Sequence[int]]) -> int:
    """Number of tokens with which all of some texts begin."""
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False)))


class Model:
    """A loaded model with one context, for use by a single thread.

    Args:
        stop: polled during an evaluation; True aborts it.
        tick: called between evaluations.
        adapter: a LoRA adapter that is applied with its own scale; None for the model as it is.

    Raises:
        NativeError: the model or the adapter cannot be loaded.
    """

    def __init__(
        self,
        path: Path,
        plan: Plan,
        stop: Callable[[], bool],
        tick: Callable[[], object] = lambda: None,
        adapter: Path | None = None,
    ) -> None:
        self._model = self._context = None
        self._stop, self._tick = stop, tick
        self.name = path.name
        wanted = library.llama_model_default_params()
        wanted.n_gpu_layers = plan.gpu_layers
        # GCC 12 leaves out the tile configuration of AMX, whose first use then ends the process (SIGSEGV); llama.cpp
        # uses AMX for rearranged weights alone.
        wanted.use_extra_bufts = plan.repack and not any(name.startswith("AMX") for name in abilities()[1])
        if plan.gpu_layers == 0:
            wanted.devices = ctypes.cast(_NO_DEVICE, ctypes.c_void_p)
        self._model = _load(path, wanted)
        self._vocabulary = library.llama_model_get_vocab(self._model)
        self.words = int(library.llama_vocab_n_tokens(self._vocabulary))
        if self.words < 1:
            raise NativeError(Text("the model has no vocabulary"))
        self._inside_markers = self._splitter()
        self.width = int(library.llama_model_n_embd(self._model))
        self._most = plan.batch
        # Evaluations on the GPU, and those of small models, cannot be aborted and are kept short from the first one on.
        self._adapts = plan.gpu_layers > 0 or not plan.abortable
        self.batch = min(plan.batch, _LEAST_BATCH) if self._adapts else plan.batch
        self.sequences = plan.sequences
        self.outputs = min(plan.sequences, plan.batch)
        params = library.llama_context_default_params()
        params.n_ctx = plan.cells
        params.n_batch, params.n_ubatch = plan.batch, plan.micro
        params.n_seq_max = plan.sequences
        params.n_outputs_max = self.outputs
        params.kv_unified = True  # all sequences share a prompt that was decoded once
        params.n_threads = params.n_threads_batch = plan.threads
        if plan.exact:
            params.flash_attn_type = library.LLAMA_FLASH_ATTN_TYPE_DISABLED
            params.type_k = params.type_v = library.GGML_TYPE_F32
        params.no_perf = True
        self._abort = library.ggml_abort_callback(lambda _: stop())
        if plan.abortable:
            params.abort_callback = self._abort
        self._context = library.llama_init_from_model(self._model, params)
        if not self._context:
            reason = _log.reason(Text("no context can be made"))
            self.close()
            raise NativeError(reason)
        if adapter is not None:
            self._adapt(adapter)
        self.cells = int(library.llama_n_ctx(self._context))
        self._memory = library.llama_get_memory(self._context)
        self._prepare_batch(plan)

    def _adapt(self, path: Path) -> None:
        _log.lines = []
        adapter = library.llama_adapter_lora_init(self._model, str(path).encode())  # freed with the model
        adapters = (ctypes.POINTER(ctypes.c_void_p) * 1)(adapter) if adapter else None
        if adapters is None or library.llama_set_adapters_lora(self._context, adapters, 1, (ctypes.c_float * 1)(1.0)):
            reason = _log.reason(Text("the adapter cannot be loaded"))
            self.close()
            raise NativeError(reason)

    def _prepare_batch(self, plan: Plan) -> None:
        n = plan.batch
        self._tokens = np.zeros(n, np.int32)
        self._positions = np.zeros(n, np.int32)
        self._counts = np.ones(n, np.int32)
        self._wanted = np.zeros(n, np.int8)
        self._sequences = np.zeros((n, plan.sequences), np.int32)
        rows = self._sequences.ctypes.data + self._sequences.strides[0] * np.arange(n)
        self._rows = rows.astype(np.uintp)
        batch: Any = library.llama_batch()
        number, flag = ctypes.POINTER(ctypes.c_int32), ctypes.POINTER(ctypes.c_int8)
        batch.token = ctypes.cast(self._tokens.ctypes.data, number)
        batch.pos = ctypes.cast(self._positions.ctypes.data, number)
        batch.n_seq_id = ctypes.cast(self._counts.ctypes.data, number)
        batch.seq_id = ctypes.cast(self._rows.ctypes.data, ctypes.POINTER(number))
        batch.logits = ctypes.cast(self._wanted.ctypes.data, flag)
        self._batch = batch

    def close(self) -> None:
        """Free the model and its context."""
        if self._context:
            library.llama_free(self._context)
        if self._model:
            library.llama_model_free(self._model)
        self._context = self._model = None

    # --- tokens --------------------------------------------------------------------------------------

    def tokens(self, text: str, *, special: bool = False, begin: bool = False) -> list[int]:
        """Tokenise a text.

        Args:
            special: parse names of control tokens; never for report text.
            begin: prepend the model's BOS token if the model uses one.
        """
        data = text.encode("utf-8", "replace")
        size = len(data) + 8
        room = (library.llama_token * size)()
        n = library.llama_tokenize(self._vocabulary, data, len(data), room, size, begin, special)
        if n < 0:
            raise NativeError(Text("the text cannot be cut into tokens"))
        # Some models want an end after every text, but this one is to go on.
        ended = begin and n > 0 and library.llama_vocab_get_add_eos(self._vocabulary)
        return list(room[: n - 1 if ended else n])

    def inner_tokens(self, text: str) -> list[int]:
        """Tokens of a text at the start of a line, without the space that some tokenizers prepend.

        What looks like a control token is text, also where the file does not declare that token as one.
        """
        lead = self.tokens("\n")
        found = []
        for part in self._inside_markers.split(text) if self._inside_markers else [text]:
            both = self.tokens("\n" + part)
            found += both[len(lead) :] if both[: len(lead)] == lead else self.tokens(part)
        return found

    def _splitter(self) -> re.Pattern[str] | None:
        """Finds the places after the first sign of every marker such as <|user|> that is no control token in the file.

        llama.cpp never takes a control token from plain text, but always a token that its maker added.
        """
        added = library.LLAMA_TOKEN_ATTR_USER_DEFINED
        names = [self.piece(i) for i in range(self.words) if library.llama_vocab_get_attr(self._vocabulary, i) & added]
        after = {
            sign: "|".join(re.escape(name[1:]) for name in names if name[0] == sign and name[-1:] == end)
            for sign, end in (("<", ">"), ("[", "]"))
        }
        places = [f"(?<={re.escape(sign)})(?={rest})" for sign, rest in after.items() if rest]
        return re.compile("|".join(f"(?:{place})" for place in places)) if places else None

    def piece(self, token: int) -> str:
        """A token as spelled in the model file."""
        return bytes(library.llama_vocab_get_text(self._vocabulary, token)).decode("utf-8", "replace")

    def written(self, tokens: Iterable[int]) -> str:
        """Detokenise."""
        out = b""
        room = ctypes.create_string_buffer(256)
        for token in tokens:
            n = library.llama_token_to_piece(self._vocabulary, token, room, len(room), 0, True)
            out += room.raw[: max(n, 0)]
        return out.decode("utf-8", "replace")

    def is_end(self, token: int) -> bool:
        """True for a token that ends a turn or a text."""
        return bool(library.llama_vocab_is_eog(self._vocabulary, token))

    # --- evaluation ---------------------------------------------------------------------------------

    def evaluate(self, steps: Sequence[Step]) -> Iterator[NDArray[np.float32]]:
        """Evaluate tokens in as many batches as it takes.

        Yields:
            (words,) scores after each token that requests them, valid until the next are asked for.

        Raises:
            StoppedError, FullError, NativeError: as of :meth:`decode`.
        """
        first = 0
        while first < len(steps):
            if self._stop():  # not every evaluation can be aborted
                raise StoppedError
            chunk = steps[first : first + self.batch]
            asking = [i for i, step in enumerate(chunk) if step[3]]
            if len(asking) > self.outputs:
                chunk, asking = chunk[: asking[self.outputs]], asking[: self.outputs]
            self.decode(chunk)
            yield from map(self.scores, asking)
            first += len(chunk)
            self._tick()

    def decode(self, steps: Sequence[Step]) -> None:
        """Evaluate at most ``batch`` tokens, at most ``outputs`` of them with scores.

        Raises:
            StoppedError: by the stop flag.
            FullError: the context has no room.
            NativeError: the evaluation failed.
        """
        n = len(steps)
        tokens, positions, sequences, wanted = zip(*steps, strict=True)
        self._tokens[:n], self._positions[:n], self._wanted[:n] = tokens, positions, wanted
        for i, group in enumerate(sequences):
            self._counts[i] = len(group)
            self._sequences[i, : len(group)] = group
        self._batch.n_tokens = n
        began = time.perf_counter()
        result = int(library.llama_decode(self._context, self._batch))
        if result in (1, 2):
            raise FullError if result == 1 else StoppedError
        if result:
            raise NativeError(_log.reason(Text("an evaluation failed ({result})", result=result)))
        library.llama_synchronize(self._context)
        if self._adapts and n >= _LEAST_BATCH:
            fitting = int(n * _PATIENCE / (time.perf_counter() - began))
            self.batch = min(max(fitting, _LEAST_BATCH), self._most)

    def scores(self, row: int) -> NDArray[np.float32]:
        """(words,) scores of the token after a row of the batch; valid until the next evaluation."""
        pointer = library.llama_get_logits_ith(self._context, row)
        if not pointer:
            raise NativeError(Text("the scores of an evaluation are missing"))
        return np.ctypeslib.as_array(pointer, (self.words,))

    def embedded(self, steps: Sequence[Step]) -> NDArray[np.float64]:
        """(tokens, width) hidden states of at most ``outputs`` tokens; errors as of :meth:`decode`."""
        library.llama_set_embeddings(self._context, True)
        try:
            self.decode(steps)
            rows = [library.llama_get_embeddings_ith(self._context, i) for i in range(len(steps))]
            return np.array([np.ctypeslib.as_array(r, (self.width,)) for r in rows], np.float64)
        finally:
            library.llama_set_embeddings(self._context, False)

    # --- memory of sequences ------------------------------------------------------------------------

    def share(self, source: int, target: int) -> None:
        """Let ``target`` start with all tokens of ``source``, without a copy."""
        library.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def forget(self, sequence: int, since: int = 0) -> bool:
        """Remove the tokens of a sequence from a position on; False, and nothing is removed, if the model's memory, as
        that of a recurrent one, cannot be cut there."""
        return bool(library.llama_memory_seq_rm(self._memory, sequence, since, -1))

    def state(self, sequence: int) -> bytes:
        """Keys and values of a sequence, for :meth:`restore`."""
        size = int(library.llama_state_seq_get_size(self._context, sequence))
        room = (ctypes.c_uint8 * size)()
        n = int(library.llama_state_seq_get_data(self._context, room, size, sequence))
        return bytes(memoryview(room)[:n])

    def restore(self, state: bytes, sequence: int, length: int) -> bool:
        """Restore a sequence of ``length`` tokens; returns False, with the sequence empty, if that fails."""
        room = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        n = int(library.llama_state_seq_set_data(self._context, room, len(state), sequence))
        last = int(library.llama_memory_seq_pos_max(self._memory, sequence))
        if n == 0 or last != length - 1:
            self.forget(sequence)
            return False
        return True
