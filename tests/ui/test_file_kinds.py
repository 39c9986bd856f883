"""One window after another file: whatever was open before, a file shows what it shows in a fresh window."""

from __future__ import annotations

import ast
import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QTabBar
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from radcal.system.kinds import FileKind
from ui.pages.stage import StagePage
from ui.window.main_window import MainWindow

PASSPHRASE = "correct horse battery"
OWN = "own words of theirs"
OF_A_DEPARTMENT = {"reports", "words", "department", "lab"}
Files = dict[FileKind, tuple[Path, str]]
Settle = Callable[[MainWindow], None]


@pytest.fixture
def files(chest: Path, tmp_path: Path) -> Files:
    """A file of every kind, with its passphrase."""
    with open_department(chest, PASSPHRASE) as department:
        department.gold.begin("AB")
        department.gold.draw(4, seed=1)
        review = department.review_files.make("AB", tmp_path / "review.radcal")
        made = {
            FileKind.PERSONAL: (department.personal_files.write("Avery", tmp_path / "own.radcal", OWN), OWN),
            FileKind.REVIEW: (review.file, review.key),
        }
    return {FileKind.DEPARTMENT: (chest, PASSPHRASE), **made}


def _all_pairs(kinds: list[FileKind]) -> Iterator[FileKind]:
    """The kinds in an order in which each follows each, itself included, once: an Eulerian circuit."""
    left = {kind: list(kinds) for kind in kinds}
    circuit, path = [], [kinds[0]]
    while path:
        if left[path[-1]]:
            path.append(left[path[-1]].pop())
        else:
            circuit.append(path.pop())
    yield from reversed(circuit)


def _shown(settle: Settle, window: MainWindow) -> dict[str, Any]:
    """What stands on every page that is offered: its tabs as they are painted, its buttons, what it lacks."""
    found: dict[str, Any] = {"rail": window.rail.offered(), "first": window.current_key}
    for key in window.rail.offered():
        window.show_page(key)
        settle(window)
        page = window.page(key)
        found[key] = [
            page.title.text(),
            page.empty_text if isinstance(page, StagePage) and page.is_empty else "",
            *(tab for bar in page.findChildren(QTabBar) if bar.isVisible() for tab in _painted(bar)),
            *sorted(b.text() for b in page.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()),
        ]
    return found


def _painted(bar: QTabBar) -> Iterator[tuple[str, bool]]:
    """The names of the tabs, and whether there is something in the place of each."""
    image = bar.grab().toImage()
    for i in range(bar.count()):
        if bar.isTabVisible(i):
            at = bar.tabRect(i).intersected(image.rect())
            place = image.copy(at.adjusted(4, 4, -4, -4))
            colours = {place.pixel(x, y) for x in range(place.width()) for y in range(place.height())}
            yield bar.tabText(i), len(colours) > 4


@pytest.fixture
def put(qtbot: QtBot, settle: Settle, files: Files, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """put(window, kind): open a copy of the file of this kind, and what is shown of it then."""
    copies: list[Path] = []

    def opened(window: MainWindow, kind: FileKind) -> dict[str, Any]:
        window.resize(1280, 800)  # all tabs of a page have their place
        path, passphrase = files[kind]
        folder = tmp_path / f"copy {len(copies)}"
        folder.mkdir()
        copies.append(Path(shutil.copy(path, folder / path.name)))
        window.session.open_workspace(copies[-1], passphrase, lambda failure: pytest.fail(failure.text))
        qtbot.waitUntil(lambda: window.session.current is not None and window.session.current.path == copies[-1])
        settle(window)
        shown = _shown(settle, window)
        assert not OF_A_DEPARTMENT & set(shown["rail"]) or kind is FileKind.DEPARTMENT
        assert window.messages.shown() == (), "no page asks for what the file does not have"
        return shown

    return opened


@pytest.mark.parametrize(
    "kinds",
    [
        [FileKind.PERSONAL, FileKind.REVIEW],  # those with few pages
        pytest.param(list(FileKind), marks=pytest.mark.slow),
    ],
    ids=len,
)
def test_a_file_of_any_kind_shows_the_same_after_one_of_any_other(
    kinds: list[FileKind], open_window: Callable[..., MainWindow], put: Callable[..., dict[str, Any]]
) -> None:
    order = list(_all_pairs(kinds))
    assert {*itertools.pairwise(order)} == {(a, b) for a in kinds for b in kinds}
    fresh = {kind: put(open_window(), kind) for kind in kinds}
    painted = [one[1] for page in fresh.values() for shown in page.values() for one in shown if isinstance(one, tuple)]
    assert painted
    assert all(painted)
    window = open_window()
    before = None
    for kind in order:
        shown = put(window, kind)
        for place, there in fresh[kind].items():
            assert shown.get(place) == there, f"{place} of a {kind or 'department'} after {before!r}"
        assert shown.keys() == fresh[kind].keys()
        before = kind


def test_tabs_are_made_in_one_way() -> None:
    """By ``Tabs``, which keeps those that are shown again from being lost."""
    root = Path(__file__).parents[2] / "ui"
    made = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "QTabWidget"
    ]
    assert made == []
