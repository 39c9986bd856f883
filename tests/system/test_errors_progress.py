from __future__ import annotations

import inspect

import pytest

from radcal.system import errors
from radcal.system.progress import SILENT, Silent


@pytest.mark.parametrize("name", ["InputError", "DataError", "EngineError", "Cancelled"])
def test_every_error_is_a_radcal_error_and_no_other_kind(name):
    kind = getattr(errors, name)
    assert kind.__bases__ == (errors.RadcalError,)
    assert errors.RadcalError.__bases__ == (Exception,)
    assert inspect.getdoc(kind)
    assert str(kind("row 3 has no text")) == "row 3 has no text"


def test_silent_is_a_progress_that_never_stops_the_work():
    SILENT.start(None, "Working")
    SILENT.start(3, "Working")
    for _ in range(5):
        SILENT.advance()
        SILENT.advance(2, "note")
        SILENT.raise_if_cancelled()
    assert vars(Silent()) == {}
