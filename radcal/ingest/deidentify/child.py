"""The child process of de-identification: takes identifiers out of texts for a parent."""

from __future__ import annotations

from radcal.ingest.deidentify.deidentifier import Deidentifier
from radcal.ingest.deidentify.side_by_side import answering
from radcal.workers import Answer, Plain, serve


def main() -> None:
    """De-identify texts until the parent has gone."""
    serve(prepare)


def prepare(order: Plain) -> Answer:
    """What de-identifies a text under the secret of an order."""
    return answering(Deidentifier(bytes.fromhex(order["secret"]), order["staff"]))
