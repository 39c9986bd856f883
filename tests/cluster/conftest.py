"""A cluster for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cluster.site import Site, started

pytest.importorskip("distributed", reason="the extra cluster")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A scheduler and three workers."""
    made = started(tmp_path_factory.mktemp("site"), 3)
    yield made
    made.end()
