"""The notebooks of the documentation run, and what they show holds."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def code(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_results_are_checked_and_not_kept(path: Path) -> None:
    """Each notebook says itself what must hold; outputs are made by those who run it."""
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    assert not any(cell.outputs or cell.execution_count for cell in code(notebook))
    checks = [
        node for cell in code(notebook) for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Assert)
    ]
    assert len(checks) >= 6


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:Proactor event loop:RuntimeWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    """Its assertions hold, nothing but what it says is warned of, and it draws."""
    notebook = nbformat.read(path, 4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(path.parent)}})
    asyncio.run(client.async_execute())
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    warned = "".join(o.text for o in outputs if o.output_type == "stream" and o.name == "stderr")
    assert ("6 rows cannot be used" in warned) == (path.stem == "department")
    assert warned.count("Warning") == 0
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert all(o.output_type != "error" for o in outputs)
