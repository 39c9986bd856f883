"""De-identification by several side by side: the same texts, in the same order, sooner."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.identifiers import Deidentified, Edit, Known, Suspect
from radcal.system.errors import EngineError
from radcal.system.progress import Progress
from radcal.system.workers import Answer, Lost, Plain, Workers, number_of

_FEW = 200
"""Texts that take as long as a process to start."""
_MOST = 16
"""Processes, where the machine decides how many."""
_BATCH = 25
"""Texts that a process is given at a time: some 0.2 s of work."""


class Raw(NamedTuple):
    """A text with what is known of its people, and the id that the shift of its dates is derived from."""

    text: str
    known: Known
    patient: str


class DeidentifierSideBySide:
    """Takes identifiers out of many texts as a :class:`Deidentifier` does of each.

    Args:
        secret, staff: as of a Deidentifier
        workers: the number of processes, as the setting of that name
    """

    def __init__(self, secret: bytes, staff: Collection[str], workers: int = 0) -> None:
        self.one = Deidentifier(secret, staff)
        order = {"secret": secret.hex(), "staff": list(staff)}
        n = number_of(workers, _MOST)
        self._workers = Workers(__name__, order, n, _BATCH, answering(self.one), _FEW)

    def __call__(self, texts: Iterable[Raw], progress: Progress) -> Iterator[Deidentified]:
        """Each text without identifiers, in order.

        Raises:
            EngineError: no process can be started, or a text made two of them break down.
            Cancelled: by ``progress``.
        """
        for answer in self._workers(texts, progress):
            if isinstance(answer, Lost):
                raise EngineError(
                    "The process that takes names and dates out of the reports broke down twice at the same report. "
                    "Nothing was stored. This is a fault of RadCal: please report it."
                )
            text, edits, suspects = answer
            yield Deidentified(text, tuple(Edit(*e) for e in edits), tuple(Suspect(*s) for s in suspects))


def answering(deidentifier: Deidentifier) -> Answer:
    """What de-identifies :class:`Raw` texts, or the lists that JSON makes of them; the answers are lists, too."""

    def answer(items: Iterable[Plain]) -> Iterator[Plain]:
        for text, known, patient in items:
            made = deidentifier(text, Known(*map(tuple, known)), patient)
            yield made.text, made.edits, made.suspects

    return answer


def prepare(order: Plain) -> Answer:
    """Return what de-identifies texts under the secret of an order."""
    return answering(Deidentifier(bytes.fromhex(order["secret"]), order["staff"]))
