"""Header and metadata of GGUF files, treated as untrusted input; nothing is loaded."""

from __future__ import annotations

import hashlib
import math
import mmap
import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

_MAGIC = b"GGUF"
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_HEADER = 24
"""Bytes before the first entry of the metadata."""
_MOST_ENTRIES = 65_536
_LONGEST = 1024
"""Most bytes of a name, and of a text that is read: templates and licences may be of any size and are not asked for."""
_LENGTH = struct.Struct("<Q")
_VOCABULARY = "tokenizer.ggml.tokens"
_MOST_TEXTS = 1 << 22
"""Most texts in all lists of a file; a vocabulary with its merges has less than a million."""
MOST_LAYERS = 2000
"""Most layers of a model that is no damaged file."""
SUMS = "SHA256SUMS"
"""Checksum list beside the model files, in the format of ``sha256sum``."""
_OWN_SUM = ".sha256"
"""Suffix of a checksum list for a single file."""

Value = int | float | bool | str
_CUT_OFF = Text("the file ends within them")
_REARRANGED = {2: (32, 18), 12: (256, 144), 20: (32, 18)}
"""Kinds of weights that llama.cpp rearranges, Q4_0, Q4_K and IQ4_NL: weights in a block and its bytes."""
_MOST_DIMENSIONS = 8
_EMBEDDING, _OUTPUT = "token_embd.weight", "output.weight"


@dataclass(frozen=True, slots=True)
class GgufFile:
    """Header and metadata of a GGUF file.

    values:  scalar values by key, short texts alone, and the largest of a number for each layer
    words:   number of pieces of the vocabulary, and their place in the file
    bytes:   size of the file
    rearranged: bytes of the weights that llama.cpp copies, rearranged for a CPU
    """

    path: Path
    bytes: int
    values: Mapping[str, Value]
    words: tuple[int, int]
    rearranged: int

    @property
    def architecture(self) -> str:
        """Such as 'llama'; '' if the file has none."""
        return self.text("general.architecture")

    @property
    def has_tokenizer(self) -> bool:
        """Whether the file contains a tokenizer."""
        kind = self.text("tokenizer.ggml.model")
        return kind not in ("", "none", "no_vocab") and self.words[0] > 0

    def text(self, key: str) -> str:
        """A text value; '' if it is missing or of another type."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""

    def number(self, key: str, default: int | None = None, *, most: int = 1 << 31) -> int:
        """An integer value from 1 to ``most``.

        Raises:
            InputError: the value is missing without a default, or out of range.
        """
        value = self.values.get(key, default)
        if type(value) is not int or not 1 <= value <= most:
            what = Text("is missing") if value is None else Text("is {value}", value=repr(value))
            raise InputError(
                "{name}: {key} {what}. The file is damaged; download it again.", name=self.path.name, key=key, what=what
            )
        return value


def read_gguf(path: Path) -> GgufFile:
    """Read header and metadata, without the weights.

    Raises:
        InputError: the file is missing, is not a GGUF file, or has absurd metadata.
    """
    with _opened(path) as data:
        if data[:4] != _MAGIC:
            raise InputError(
                "{path} {not_gguf} Choose a language model in the GGUF format.",
                path=path,
                not_gguf=_not_gguf(data[:_HEADER]),
            )
        return _read(path, data)


def check_adapter(path: Path, model: GgufFile) -> None:
    """See that a file is a LoRA adapter for models of the kind of another file.

    Raises:
        InputError: it is not; or as of :func:`read_gguf`.
    """
    file = read_gguf(path)
    if (file.text("general.type"), file.text("adapter.type")) != ("adapter", "lora"):
        raise InputError(
            "{name} is no adapter. Choose one that `radcal lab finetune` or llama.cpp made for {model}.",
            name=path.name,
            model=model.path.name,
        )
    if file.architecture != model.architecture:
        raise InputError(
            "The adapter {name} is for models of the kind {theirs!r}, and {model} is of the kind {ours!r}.",
            name=path.name,
            theirs=file.architecture,
            model=model.path.name,
            ours=model.architecture,
        )


def vocabulary(file: GgufFile) -> tuple[str, ...]:
    """The pieces of the vocabulary of a file; errors as of :func:`read_gguf`."""
    with _opened(file.path) as data:
        cursor = _Cursor(file.path, data, file.words[1])
        return tuple(cursor.string() for _ in range(file.words[0]))


@contextmanager
def _opened(path: Path) -> Iterator[mmap.mmap | bytes]:
    try:
        with inputs.reading(path, Text("The model file {path}", path=path)) as file:
            if not os.fstat(file.fileno()).st_size:  # which cannot be mapped
                yield b""
                return
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield data
    except inputs.MissingFile as error:
        raise InputError("There is no model file {path}. Check the name, or leave it out.", path=path) from error


def _not_gguf(start: bytes) -> Text:
    if not start:
        return Text("is empty.")
    if start.lstrip().startswith((b"<", b"{")):
        return Text("is a web page or text, not a model: the download failed.")
    return Text("is not a GGUF file.")


def _read(path: Path, data: mmap.mmap | bytes) -> GgufFile:
    cursor = _Cursor(path, data, len(_MAGIC))
    version = cursor.unpack("I")
    if version not in (2, 3):
        raise InputError(
            "{name} has version {version} of the GGUF format; 2 and 3 can be read.", name=path.name, version=version
        )
    tensors, entries = cursor.unpack("Q"), cursor.unpack("Q")
    if entries > _MOST_ENTRIES or tensors > _MOST_ENTRIES:
        raise cursor.damaged(
            Text("it claims {entries} entries and {tensors} tensors", entries=entries, tensors=tensors)
        )
    values: dict[str, Value] = {}
    words = 0, 0
    for _ in range(entries):
        key = cursor.string()
        kind = cursor.unpack("I")
        if kind != _ARRAY:
            values[key] = cursor.value(kind)
            continue
        number, place, largest = cursor.skip_array()
        if key == _VOCABULARY:
            words = number, place
        if largest is not None:
            values[key] = largest
    return GgufFile(path, len(data), values, words, _rearranged(cursor, tensors))


def _rearranged(cursor: _Cursor, tensors: int) -> int:
    """As of :class:`GgufFile`, from the list of tensors; the embedding counts where it is the output as well."""
    sizes: dict[str, int] = {}
    for _ in range(tensors):
        name, dimensions = cursor.string(), cursor.unpack("I")
        if dimensions > _MOST_DIMENSIONS:
            raise cursor.damaged(Text("a tensor of {n} dimensions", n=dimensions))
        weights = math.prod(cursor.unpack("Q") for _ in range(dimensions))
        block, size = _REARRANGED.get(cursor.unpack("I"), (1, 0))
        cursor.unpack("Q")  # where its data are
        sizes[name] = weights // block * size if dimensions > 1 else 0
    if _OUTPUT in sizes:
        sizes.pop(_EMBEDDING, None)
    return min(sum(sizes.values()), len(cursor.data))


class _Cursor:
    """Reads values one after the other, never past the end of the file."""

    def __init__(self, path: Path, data: mmap.mmap | bytes, at: int) -> None:
        self.path, self.data, self.at = path, data, at
        self.counted = 0
        """Texts in lists so far."""

    def damaged(self, why: Text) -> InputError:
        return InputError(
            "The metadata of {name} are damaged: {why}. Download the file again.", name=self.path.name, why=why
        )

    def take(self, n: int) -> int:
        """Skip n bytes; returns where they start."""
        start = self.at
        if n > len(self.data) - start:
            raise self.damaged(_CUT_OFF)
        self.at = start + n
        return start

    def unpack(self, code: str) -> Any:
        return struct.unpack_from("<" + code, self.data, self.take(struct.calcsize(code)))[0]

    def string(self) -> str:
        length = self.unpack("Q")
        if length > _LONGEST:
            raise self.damaged(Text("a name of {n} bytes", n=length))
        start = self.take(length)
        return self.data[start : start + length].decode("utf-8", "replace")

    def value(self, kind: int) -> Value:
        if kind == _STRING:
            if (length := self.unpack("Q")) > _LONGEST:
                self.take(length)
                return ""
            self.at -= _LENGTH.size
            return self.string()
        if kind not in _SCALARS:
            raise self.damaged(Text("a value of the unknown kind {kind}", kind=kind))
        found: Value = self.unpack(_SCALARS[kind])
        return found

    def skip_array(self) -> tuple[int, int, int | None]:
        """The length of an array, where its values begin, and the largest if it is short and of integers."""
        kind, n = self.unpack("I"), int(self.unpack("Q"))
        start, largest = self.at, None
        if kind in _SCALARS:
            code = _SCALARS[kind]
            self.take(n * struct.calcsize(code))
            if 0 < n <= MOST_LAYERS and code not in "f?d":
                largest = max(struct.unpack_from(f"<{n}{code}", self.data, start))
        elif kind == _STRING:
            self.counted += n
            if self.counted > min(_MOST_TEXTS, len(self.data) // 8):
                raise self.damaged(Text("a list of {n} texts", n=n))
            size, unpack, at = len(self.data), _LENGTH.unpack_from, self.at
            for _ in range(n):
                if at + 8 > size:
                    raise self.damaged(_CUT_OFF)
                at += 8 + unpack(self.data, at)[0]
            self.take(at - start)
        else:
            raise self.damaged(Text("a list of the kind {kind}", kind=kind))
        return n, start, largest


def sha256_of(path: Path, progress: Progress = SILENT) -> str:
    """SHA-256 of a file in hexadecimal digits.

    Raises:
        InputError: the file cannot be read.
        Cancelled: by ``progress``.
    """
    digest = hashlib.sha256()
    with inputs.reading(path, Text("The model file {path}", path=path)) as file:
        for part in inputs.parts_of(file, progress):
            digest.update(part)
    return digest.hexdigest()


def listed_sha256(path: Path) -> str:
    """The checksum listed for a file; '' if there is none.

    The list of the folder takes precedence over the file's own list, FILE.gguf.sha256.

    Raises:
        InputError: a list cannot be read.
    """
    own = path.with_name(f"{path.name}{_OWN_SUM}")
    for sums in (path.parent / SUMS, own):
        try:
            lines = inputs.read_bytes(sums).decode("utf-8").splitlines()
        except inputs.MissingFile:
            continue
        except (InputError, ValueError) as error:
            raise InputError("The list of checksums {sums} cannot be read. Mend or remove it.", sums=sums) from error
        for line in lines:
            digest, _, name = line.strip().partition(" ")
            name = name.strip().lstrip("*")
            if name == path.name or (sums == own and digest and not name):
                return digest.lower()
    return ""


def unverified(path: Path) -> str:
    """A warning for the user if no checksum of the model file is known, '' otherwise."""
    if listed_sha256(path):
        return ""
    return Text(
        "{name} is unverified: no checksum of it is known, so that nobody would notice a damaged "
        "or altered file. Compare its SHA-256 with the one that its publisher gives, then list "
        "it in {sums} beside it.",
        name=path.name,
        sums=SUMS,
    )
