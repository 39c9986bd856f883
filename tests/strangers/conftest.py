"""Departments that RadCal has never seen, by the command line and through the window.

    sentences.py    what their radiologists write, in two languages, and what each sentence says
    department.py   a department drawn by chance: cases whose fate is known, and the truth about them
    shapes.py       the systems that hand them out: a writer for each shape of export
    runs.py         goes the whole way by the command line, and puts what comes out into the words of the truth

None of the first three uses a module of RadCal, nor anything of its sample: what they say is the measure of it.
``test_by_command.py`` runs each shape from its files to the pages, ``test_in_window.py`` does it by the widgets.

`make test` takes one table, one HL7 and one FHIR the whole way (``USUAL``), `make test-slow` every other shape.

To add a shape, write a function that makes its files of a department, under the names that the system really gives its
columns, and enter it in ``SHAPES`` with the oddities that it has no place for; nothing else is needed.  To add an
oddity (a way in which rows go wrong), draw a case for it in ``department.py`` that says what becomes of its rows, and
give the reason its plain name in ``PLAIN`` of ``runs.py``.  A sentence that may be read in two ways has no place here.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from .runs import SEED, Went, has_gone, run_of
from .shapes import SHAPES


@pytest.fixture(scope="session")
def went(
    tmp_path_factory: pytest.TempPathFactory, prepared_once: Callable[[str, Callable[[Path], object]], Path]
) -> Callable[[str], Went]:
    """The department of a shape, run once from files to pages: ``went(name)``."""

    @cache
    def run(name: str) -> Went:
        shape, name = SHAPES[name], name.replace(" ", "-")
        department = shape.department(SEED)

        def go(folder: Path) -> None:
            run_of(shape, department, folder, shape.write(folder, department))

        folder = tmp_path_factory.mktemp(name)
        shutil.copytree(prepared_once(f"stranger-{name}", go), folder, dirs_exist_ok=True)
        return has_gone(shape, department, folder)

    return run
