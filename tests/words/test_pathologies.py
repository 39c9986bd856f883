"""One list of pathologies: what the rules find and the statistics confirm are the same."""

from __future__ import annotations

from radcal.system.resources import resource
from radcal.words.pathologies import names


def test_the_rules_have_words_for_every_pathology_and_for_no_other() -> None:
    lines = resource("lexicon", "pathologies_terms.tsv").read_text("utf-8").splitlines()
    _, *rows = (line.split("\t")[0] for line in lines if line.strip() and not line.startswith("#"))
    named = {name.strip() for row in rows for name in row.split("+")} - {"-"}
    assert named == set(names())
    assert len(names()) == len(named)
