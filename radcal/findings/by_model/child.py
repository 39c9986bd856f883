"""The child process in which a model reads reports."""

from __future__ import annotations

from radcal.findings.by_model.readers import make_reader
from radcal.findings.model import worker


def main() -> None:
    """Serve the parent process over the standard streams until it ends."""
    worker.main(make_reader)
