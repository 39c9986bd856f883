"""The known pathologies: one list for rules, bundled model, other models, gold sets and statistics."""

from __future__ import annotations

from functools import cache

from radcal.lexicon.confirmations import load_confirmations


@cache
def names() -> tuple[str, ...]:
    """The pathologies by their canonical names, in the order of ``resources/lexicon/confirmations.csv``.

    That file has one row for each, because the statistics need to know what confirms it.  The rules engine finds a
    pathology by its words in ``pathologies_terms.tsv``.  One that is added to both files is read by the rules, and
    every general model is offered it; the bundled model reads those that it was trained on until it is trained anew.

    Raises:
        InputError: the file is missing or broken.
    """
    return tuple(c.xray for c in load_confirmations())
