"""What the pages say of an engine's accuracy was measured with this engine and no other."""

from __future__ import annotations

import re

import pytest

from radcal.findings.engines import extraction_accuracy, make_engine
from radcal.system.language.catalogue import language

ENGINES = ("rules", "llama")


@pytest.mark.parametrize("name", ENGINES)
def test_the_shipped_figures_are_of_the_shipped_engine(name: str) -> None:
    """Fails when rules, words, model or prompt change: measure anew (docs/performance.md) and write it down."""
    assert "F1 0." in extraction_accuracy(make_engine(name))


@pytest.mark.parametrize("name", ENGINES)
def test_the_shipped_figures_read_well_in_both_languages(name: str) -> None:
    text = extraction_accuracy(make_engine(name))
    assert re.search(r"\(0\.[89]\d\u20130\.[89]\d\) on \d+ made-up reports, unseen before$", text)
    assert re.search(r"\d-\d", text) is None
    shown = language("de").write(text)
    assert re.search(
        r"F1 0,[89]\d \(0,[89]\d\u20130,[89]\d\) an \d+ erfundenen, vorher nicht gesehenen Berichten$", shown
    )
