"""De-identification by several processes side by side: the same texts, in the same order, sooner."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.identifiers import Deidentified, Edit, Known, Suspect
from radcal.system.errors import EngineError
from radcal.system.progress import Progress
from radcal.system.workers import Answer, Lost, Plain, Workers, serve

CHILD = "radcal.reports.deidentify.side_by_side"
_FEW = 200
"""Texts that take as long as a process to start."""
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
        n: the number of processes; 1 for this one alone
    """

    def __init__(self, secret: bytes, staff: Collection[str], n: int) -> None:
        self.one = Deidentifier(secret, staff)
        order = {"secret": secret.hex(), "staff": list(staff)}
        self._workers = Workers(CHILD, order, n, _BATCH, answering(self.one), _FEW)

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
    """What de-identifies a :class:`Raw` text, or the lists that JSON makes of one; the answer's are lists, too."""

    def answer(item: Plain) -> Plain:
        text, known, patient = item
        made = deidentifier(text, Known(*map(tuple, known)), patient)
        return made.text, made.edits, made.suspects

    return answer


def main() -> None:
    """De-identify texts for a parent until it has gone, as its child process."""
    serve(prepare)


def prepare(order: Plain) -> Answer:
    """Return what de-identifies a text under the secret of an order."""
    return answering(Deidentifier(bytes.fromhex(order["secret"]), order["staff"]))
