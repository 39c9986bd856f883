"""One de-identification for all tests, and what it makes of a text."""

from __future__ import annotations

import pytest

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.deidentify.spans import SHIFTED
from radcal.reports.identifiers import Known


@pytest.fixture(scope="session")
def deidentify() -> Deidentifier:
    return Deidentifier(b"a secret")


@pytest.fixture(scope="session")
def plain(deidentify: Deidentifier):  # type: ignore[no-untyped-def]
    """A text without identifiers, and without the marks of shifted dates; a second pass must change nothing."""

    def made(text: str, known: Known = Known()) -> str:  # noqa: B008 - it is never changed
        once = deidentify(text, known, "p").text
        assert deidentify(once, Known(), "p").text == once
        return once.replace(SHIFTED, "")

    return made
