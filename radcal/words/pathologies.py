"""The known pathologies: one list for rules, bundled model, other models, gold sets and statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.words.confirmations import pathologies

if TYPE_CHECKING:
    from pathlib import Path


def names(own: Path | None = None) -> tuple[str, ...]:
    """The pathologies by their canonical names, in the order of ``resources/lexicon/confirmations.csv``.

    That file has one row for each, because the statistics need to know what confirms it.  The rules engine finds a
    pathology by its words in ``pathologies_terms.tsv``.  One that is added to both files is read by the rules, and
    every general model is offered it; the bundled model is shown a term that it knows in place of one that it does not.

    Args:
        own: a department's folder of words; pathologies that it adds stand behind the others.

    Raises:
        InputError: a file is missing or broken.
    """
    return pathologies(own)
