"""Docstrings name what there is: parameters that the function has, errors that somebody can raise, code that exists."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Documented = ast.Module | ast.ClassDef | ast.FunctionDef


@cache
def modules() -> dict[str, ast.Module]:
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for room in ("radcal", "ui", "tools")
        for path in sorted((ROOT / room).rglob("*.py"))
    }


@cache
def parts() -> dict[str, list[Documented]]:
    """Each module with its classes and functions."""
    return {
        name: [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
        for name, tree in modules().items()
    }


@cache
def defined() -> set[str]:
    return {node.name for nodes in parts().values() for node in nodes if not isinstance(node, ast.Module)}


def documented(nodes: list[Documented]) -> Iterator[tuple[Documented, str]]:
    for node in nodes:
        if text := ast.get_docstring(node):
            yield node, text


def entries(text: str, section: str) -> list[str]:
    """The lines of a section of a docstring that begin an entry."""
    found = re.search(rf"^{section}:\n((?:[ ]{{4}}.*\n?|\n(?=[ ]{{4}}))+)", text, re.MULTILINE)
    return [line.strip() for line in found[1].splitlines() if re.match(r"[ ]{4}\S", line)] if found else []


def listed(entry: str) -> list[str]:
    """The names before the colon: "a, b: counts;  c: the rest" are a, b and c."""
    named = (re.match(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*):", part) for part in entry.split(";  "))
    return [name.strip("* ") for match in named if match for name in match[1].split(",")]


def parameters(node: Documented) -> set[str] | None:
    """Those of a function, or of what makes a class; None where there are none to be named."""
    if isinstance(node, ast.ClassDef):
        made = next((m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
        return None if made is None else parameters(made)
    if isinstance(node, ast.Module):
        return None
    every = node.args
    names = (*every.posonlyargs, *every.args, *every.kwonlyargs, *filter(None, (every.vararg, every.kwarg)))
    return {argument.arg for argument in names}


def faults(node: Documented, text: str) -> Iterator[str]:
    known = parameters(node)
    for argument in (n for entry in entries(text, "Args") for n in listed(entry)):
        if known is not None and argument not in known:
            yield f"no parameter {argument}"
    for error in (n for entry in entries(text, "Raises") for n in listed(entry)):
        if error not in defined() and not hasattr(builtins, error):
            yield f"no error {error}"
    for reference in re.findall(r":(?:func|meth|class):`(?:\w+\.)*(\w+)`", text):
        if reference not in defined():
            yield f"no {reference}"


def test_what_a_docstring_names_is_found() -> None:
    text = (
        "Does it.\n\nArgs:\n    a, b: counts;  c: the rest\n        that goes on: here.\n\nRaises:\n    KeyError: no.\n"
    )
    assert [name for entry in entries(text, "Args") for name in listed(entry)] == ["a", "b", "c"]
    assert [name for entry in entries(text, "Raises") for name in listed(entry)] == ["KeyError"]
    assert entries(text, "Returns") == []
    made = ast.parse("def f(a, *, b): ...").body[0]
    assert isinstance(made, ast.FunctionDef)
    assert list(faults(made, text)) == ["no parameter c"]
    assert list(faults(made, "As :func:`radcal.nowhere`.\n\nRaises:\n    NoSuchError: never.")) == [
        "no error NoSuchError",
        "no nowhere",
    ]


def test_docstrings_name_what_there_is() -> None:
    assert [
        (module, getattr(node, "name", ""), fault)
        for module, nodes in parts().items()
        for node, text in documented(nodes)
        for fault in faults(node, text)
    ] == []
