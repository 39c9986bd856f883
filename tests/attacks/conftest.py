from __future__ import annotations

import pytest

from radcal.sample.department import SampleTruth, generate


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    """The reports of two made-up radiologists."""
    return generate(tmp_path_factory.mktemp("small"), 24, 3, radiologists=2)
