"""What the pages say of an engine's accuracy was measured with this engine and no other."""

from __future__ import annotations

import pytest

from radcal.workflow import ENGINES, make_engine
from radcal.workflow.engines import extraction_accuracy


@pytest.mark.parametrize("name", ENGINES)
def test_the_shipped_figures_are_of_the_shipped_engine(name: str) -> None:
    """Fails when rules, words, model or prompt change: measure anew (docs/performance.md) and write it down."""
    assert "F1 0.9" in extraction_accuracy(make_engine(name))
