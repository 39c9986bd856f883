from __future__ import annotations

import inspect

import pytest

from radcal import errors
from radcal.progress import SILENT, Progress, Silent


@pytest.mark.parametrize("name", ["InputError", "DataError", "EngineError", "Cancelled"])
def test_every_error_is_a_radcal_error_and_no_other_kind(name):
    kind = getattr(errors, name)
    assert kind.__bases__ == (errors.RadcalError,)
    assert inspect.getdoc(kind)
    assert str(kind("row 3 has no text")) == "row 3 has no text"


def test_radcal_errors_are_caught_apart_from_programming_errors():
    assert issubclass(errors.RadcalError, Exception)
    assert not issubclass(errors.RadcalError, (ValueError, OSError, RuntimeError))


def test_silent_is_a_progress_that_never_stops_the_work():
    assert isinstance(SILENT, Progress)
    SILENT.start(None, "Working")
    SILENT.start(3, "Working")
    for _ in range(5):
        SILENT.advance()
        SILENT.advance(2, "note")
        SILENT.raise_if_cancelled()
    assert vars(Silent()) == {}


def test_an_object_without_the_methods_is_no_progress():
    assert not isinstance(object(), Progress)
