"""The conditional random field that says of each piece of a text how likely it belongs to an identifier.

It was trained on made-up reports of many authors, whose identifiers these marked: ``benchmarks/train_tagger.py``.
"""

from __future__ import annotations

import lzma
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pycrfsuite

from radcal.resources import resource

OTHER: Final = "O"
LABELS: Final = {
    "patient_name": "NAME",
    "staff_name": "NAME",
    "relative_name": "NAME",
    "initials": "NAME",
    "date": "DATE",
    "age": "AGE",
    "id_number": "ID",
    "email": "ID",
    "url": "ID",
    "phone": "PHONE",
    "address": "PLACE",
    "clinic": "PLACE",
    "place": "PLACE",
}
"""The label of each kind that authors mark."""
_LOADED = threading.local()


class Belief(NamedTuple):
    """What a piece is, if it belongs to an identifier, and how probable it is that it does, 0 to 1."""

    label: str
    probability: float


def tagged(rows: Sequence[Sequence[str]]) -> list[Belief]:
    """The marginal probability of each piece, by its features and those of the whole text."""
    crf = _crf()
    crf.set(pycrfsuite.ItemSequence(rows))
    labels = [label for label in crf.labels() if label != OTHER]
    beliefs = []
    for n in range(len(rows)):
        none = crf.marginal(OTHER, n)
        label = max(labels, key=lambda one: crf.marginal(one, n)) if none < 0.99 else labels[0]
        beliefs.append(Belief(label, 1.0 - none))
    return beliefs


def load(path: Path) -> None:
    """Take a trained model for this thread instead of RadCal's own, to measure it."""
    _LOADED.crf, _LOADED.model = pycrfsuite.Tagger(), lzma.decompress(path.read_bytes())
    _LOADED.crf.open_inmemory(_LOADED.model)  # which it reads there, without a copy


def _crf() -> pycrfsuite.Tagger:
    """The model of this thread: a tagger holds the text that it reads."""
    if not hasattr(_LOADED, "crf"):
        load(resource("deidentify", "tagger.crfsuite.xz"))
    crf: pycrfsuite.Tagger = _LOADED.crf
    return crf
