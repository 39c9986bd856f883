"""The status of a report from OBR-25 and the OBX-11 of its text, in any writing."""

from __future__ import annotations

from collections.abc import Iterable

from radcal.ingest.statuses import status_of

_CODES = {
    "final": "F U V",
    "preliminary": "P R S I O N",
    "corrected": "C M",
    "addendum": "A B",
    "cancelled": "X D W",
}
"""HL7 tables 0085 and 0123; A of an order is the addendum of radiology systems, not "some results available".

M of table 0123, "corrected, not final", is a correction; N, "procedure completed, results pending", preliminary.
"""
_AMENDED = "A"
"""Of an observation (table 0085): amended, unless the order is an addendum as well."""
_OF_CODE = {code: status for status, codes in _CODES.items() for code in codes.split()}
_STRONGEST = ("preliminary", "corrected", "addendum", "final")
WITHDRAWN = "cancelled"


def meaning(written: str) -> str:
    """One of radcal.ingest.statuses.STATUSES, '' where the writing is empty or unknown."""
    plain = next(iter(written.strip().splitlines()), "")
    return _OF_CODE.get(plain.upper()) or status_of(plain) or ""


def is_withdrawn(written: str) -> bool:
    """Whether an observation was deleted, or sent in error."""
    return meaning(written) == WITHDRAWN


def report_status(of_order: str, of_texts: Iterable[str]) -> str:
    """The status of a report whose order (OBR-25) and texts (OBX-11) may contradict each other.

    Cancelled, if the order is or all texts are.  Otherwise what is preliminary anywhere is preliminary, so that nothing
    counts as signed that may not be; and a correction or an addendum is one, though the rest of the report is final.
    """
    order = meaning(of_order)
    amended = "addendum" if order == "addendum" else "corrected"
    texts = [amended if text.strip().upper() == _AMENDED else meaning(text) for text in of_texts]
    if order == WITHDRAWN or (texts and set(texts) == {WITHDRAWN}):
        return WITHDRAWN
    return next((status for status in _STRONGEST if status == order or status in texts), "")
