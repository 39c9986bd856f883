"""What work says of its progress: texts, for whichever language the window has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from radcal.chain import finished_analysis
from radcal.opening import sample_department
from radcal.system.language.catalogue import language, languages
from radcal.system.progress import Progress
from radcal.system.text import Text
from tools import translations


def _said() -> Iterator[tuple[str, ast.expr]]:
    """What every call in the code says by ``progress.start(total, what)`` or ``progress.advance(n, note)``."""
    for path in (path for room in ("radcal", "ui") for path in (translations.ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in ("start", "advance"):
                named = [k.value for k in node.keywords if k.arg in ("what", "note")]
                where = f"{path.relative_to(translations.ROOT).as_posix()}:{node.lineno}"
                yield from ((where, said) for said in (*node.args[1:2], *named))


def test_progress_takes_texts_alone() -> None:
    """With this, the type checker refuses a plain string, whatever expression it comes from."""
    assert get_type_hints(Progress.start)["what"] is Text
    assert get_type_hints(Progress.advance)["note"] is Text


def test_no_progress_is_said_in_a_plain_string() -> None:
    said = list(_said())
    assert sum(isinstance(what, ast.Call) for _, what in said) > 50
    plain = (ast.JoinedStr, ast.BinOp, ast.Constant)
    assert [where for where, what in said if isinstance(what, plain) and not _is_option(what)] == []


def _is_option(what: ast.expr) -> bool:
    """The default of ``rules.start(name, without)``, which is about no progress."""
    return isinstance(what, ast.Constant) and what.value == ""


@pytest.mark.slow
@pytest.mark.parametrize("code", [code for code in languages() if code != "en"])
def test_the_work_of_an_analysis_is_told_in_the_language(code: str, onlooker: Any, tmp_path: Path) -> None:
    heard = onlooker()
    with sample_department(heard) as department:
        finished_analysis(department, heard)
        department.backup(tmp_path / "copy.radcal", heard)
    assert len(set(heard.told)) >= 8
    speech = language(code)
    assert [what for what in heard.told if speech.write(what) == what] == []
