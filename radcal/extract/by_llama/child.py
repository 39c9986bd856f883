"""The child process in which a model reads reports."""

from __future__ import annotations

from radcal.extract.by_llama.readers import make_reader
from radcal.llama import worker


def main() -> None:
    """Work for the parent over the standard streams until it is gone."""
    worker.main(make_reader)
