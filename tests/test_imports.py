"""No module of RadCal is part of a circle of imports, not even for types or inside a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("radcal", "ui")


def _modules() -> dict[str, Path]:
    """Every module by its full name; a package by the name of its folder."""
    found = {}
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _imported(tree: ast.AST, known: set[str]) -> Iterator[str]:
    """The modules that any import statement names: ``from a import b`` is a.b where that is a module, otherwise a."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            base = node.module or ""
            for alias in node.names:
                yield f"{base}.{alias.name}" if f"{base}.{alias.name}" in known else base


def import_graph() -> dict[str, set[str]]:
    """Which modules each module imports, whether at once, inside a function or for types only."""
    modules = _modules()
    known = set(modules)
    return {
        name: {other for other in _imported(ast.parse(path.read_text(encoding="utf-8")), known) if other in known}
        for name, path in modules.items()
    }


def test_no_module_is_part_of_a_circle() -> None:
    TopologicalSorter(import_graph()).prepare()  # raises CycleError with the modules of a circle
