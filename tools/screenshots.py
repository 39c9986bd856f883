"""Pictures of the window on the sample, and how many controls and tabs each of its pages shows.

    python -m tools.screenshots OUT_DIR [--pages results,words] [--looks light,german]
    python -m tools.screenshots --counts

Opens the real window, walks through its pages and their tabs and saves a PNG of each as PAGE-LOOK.png or
PAGE-TAB-LOOK.png, where LOOK is light, dark, contrast, german, 200 (per cent), small (1280x720) or large (2560x1440).
The stops of the tour are "tour" among the pages.  --counts prints, as JSON, every page with whether it is on the rail
above its line, its tabs, and the controls at first sight: what can be pressed, chosen or typed into on its first tab in
a window of 1280x800, with the selector bar and what scrolling brings up; tables, diagrams and the tabs themselves are
no controls.  Needs no display.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ui.stages import HOME, RESULTS, REVIEW

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication, QTabBar, QWidget

    from ui.window.main_window import MainWindow

_SIZE, _COUNTED = (1600, 1000), (1280, 800)
_WAIT_MS = 180_000
_SETTLE_MS = 400
_TOUR = "tour"
_GOLD = 36
"""Reports of the gold set in the pictures."""


@dataclass(frozen=True, slots=True)
class Look:
    """One way to see the window."""

    name: str
    scheme: str = "light"
    language: str = "en"
    scale: int = 100
    size: tuple[int, int] = _SIZE


@dataclass(frozen=True, slots=True)
class Counted:
    """A page as --counts has it."""

    name: str
    rail: bool
    tabs: int
    controls: int


LOOKS = (
    Look("light"),
    Look("dark", scheme="dark"),
    Look("contrast", scheme="contrast"),
    Look("german", language="de"),
    Look("200", scale=200, size=(1600, 960)),
    Look("small", size=(1280, 720)),
    Look("large", size=(2560, 1440)),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Save the pictures or print the counts; returns 0, or 1 where the sample did not open."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description="Pictures of the window's pages.")
    parser.add_argument("out", type=Path, nargs="?", help="the folder for the pictures")
    parser.add_argument("--pages", default="", help="only these, with commas between; else all")
    parser.add_argument("--looks", default="", help=f"only these of {', '.join(look.name for look in LOOKS)}")
    parser.add_argument("--counts", action="store_true", help="print the tabs and controls of every page as JSON")
    options = parser.parse_args(argv)
    if not options.counts and options.out is None:
        parser.error("name a folder for the pictures, or ask for --counts")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    looks = [look for look in LOOKS if not options.looks or look.name in options.looks.split(",")]
    if len(looks) > 1 and not options.counts:
        # Each look in a process of its own, with nothing left of the one before.
        command = [sys.executable, "-m", "tools.screenshots", str(options.out), "--pages", options.pages, "--looks"]
        return max(subprocess.run([*command, look.name], check=False).returncode for look in looks)  # noqa: S603 - ourselves
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as settings:
        # The pictures must not show the developer's recent workspaces.
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, settings)
        opened = _shown(app, looks[0], options.out, options.pages, counts=options.counts)
    if not opened:
        print("The sample did not open.", file=sys.stderr)
    return int(not opened)


def _shown(app: QApplication, look: Look, out: Path | None, pages: str, *, counts: bool) -> bool:
    """Open the window and picture or count its pages; returns whether the sample opened."""
    from ui import language
    from ui.preferences import switch_lab
    from ui.theme import SCHEMES, Theme
    from ui.window.main_window import MainWindow

    language.use(app, look.language)
    theme = Theme(app)
    theme.use(SCHEMES[look.scheme])
    theme.resize(look.scale)
    switch_lab(True)
    window = MainWindow(theme)
    window.show()
    try:
        if counts:
            return _print_counts(window)
        assert out is not None, "asked for by the caller"  # noqa: S101
        out.mkdir(parents=True, exist_ok=True)
        return _walk(window, look, out, set(filter(None, pages.split(","))))
    finally:
        gone: list[bool] = []
        window.destroyed.connect(lambda: gone.append(True))
        window.finish()
        _until(lambda: bool(gone))
        theme.deleteLater()


# --- counts ----------------------------------------------------------------------------------------


def _print_counts(window: MainWindow) -> bool:
    window.resize(*_COUNTED)
    window.entrance.open_sample()
    if not _until(lambda: window.session.current is not None):
        return False
    pages = [counted(window, key) for key in window.stages]
    rows = [{"name": p.name, "rail": p.rail, "tabs": p.tabs, "controls": p.controls} for p in pages]
    print(json.dumps({"pages": rows}))
    return True


def counted(window: MainWindow, key: str) -> Counted:
    """What a page shows once it has settled.  The window is open at the size that counts."""
    window.show_page(key)
    _rest(window)
    page, stage = window.page(key), window.stages[key]
    bars = _tab_bars(page)
    tabs = sum(bar.isTabVisible(k) for bar in bars for k in range(bar.count()))
    on_rail = bool(stage.name) and not stage.at_foot
    return Counted(key, on_rail, tabs, len(controls(page)) + len(controls(window.selectors)))


def controls(place: QWidget) -> list[QWidget]:
    """What can be pressed, chosen or typed into in a part of the window, as it is shown now, by scrolling, too."""
    from PySide6.QtWidgets import (
        QAbstractButton,
        QAbstractSlider,
        QAbstractSpinBox,
        QComboBox,
        QLineEdit,
        QScrollBar,
        QTabBar,
        QTextEdit,
        QWidget,
    )

    kinds = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QTextEdit)
    inner = (QAbstractSpinBox, QComboBox, QTabBar)
    return [
        widget
        for widget in place.findChildren(QWidget)
        if isinstance(widget, kinds)
        and not isinstance(widget, QScrollBar)
        and not (isinstance(widget, QTextEdit) and widget.isReadOnly())
        and not any(isinstance(above, inner) for above in _above(widget, place))
        and widget.isVisible()
    ]


def _above(widget: QWidget, place: QWidget) -> Iterator[object]:
    """The widgets around one, up to a place."""
    around = widget.parentWidget()
    while around is not None and around is not place:
        yield around
        around = around.parentWidget()


def _tab_bars(page: QWidget) -> list[QTabBar]:
    from PySide6.QtWidgets import QTabBar

    return [bar for bar in page.findChildren(QTabBar) if bar.isVisible()]


# --- pictures --------------------------------------------------------------------------------------


def _walk(window: MainWindow, look: Look, out: Path, wanted: set[str]) -> bool:
    def save(name: str) -> None:
        window.resize(*look.size)
        _rest(window)
        _few_colours(window.grab().toImage()).save(str(out / f"{name}-{look.name}.png"))

    if not wanted or HOME in wanted:
        save("start")
    window.entrance.open_sample()
    if not _until(lambda: window.session.current is not None):
        return False
    # A review changes other pages, so it comes last.
    for key in sorted(window.stages, key=lambda key: key == REVIEW):
        if wanted and key not in wanted:
            continue
        for name in _states(window, key):
            save(f"{key}-{name}" if name else key)
    if not wanted or _TOUR in wanted:
        for name in _tour(window):
            save(f"{_TOUR}-{name}")
    return True


def _states(window: MainWindow, key: str) -> Iterator[str]:
    """Open a page and yield when a picture is to be taken: its name after the page's, '' for the first."""
    window.show_page(key)
    _rest(window)
    yield ""
    if key == RESULTS:
        yield from _case(window)
    if key == REVIEW:
        yield from _reading(window)
    for bar in _tab_bars(window.page(key)):
        # Named by their places, as their texts are in the window's language.
        for place in range(1, bar.count()):
            if bar.isTabVisible(place):
                bar.setCurrentIndex(place)
                yield f"tab{place + 1}"
        bar.setCurrentIndex(0)


def _case(window: MainWindow) -> Iterator[str]:
    """The reports behind the word of which the page speaks first."""
    cases = window.page(RESULTS).cases
    cases.show_case()
    yield "case"
    cases.show_list()


def _reading(window: MainWindow) -> Iterator[str]:
    """A gold set that two have read, the second less surely."""
    page = window.page(REVIEW)
    page.draw_panel.size_field.setValue(_GOLD)
    page.draw_panel.draw.click()
    _rest(window)
    for reader, unsure in (("Reader A", 0), ("Reader B", 5)):
        page.ask_reader()
        page.reader_panel.name.setEditText(reader)
        page.reader_panel.blind.setChecked(False)
        page.reader_panel.begin.click()
        _rest(window)
        for place in range(_GOLD - (1 if unsure else 0)):
            if unsure and place % unsure == 0:
                page.read.remove()
            while left := page.session.open_items(page.session.report):
                page.read.accept()
                if page.session.open_items(page.session.report) == left:  # it was left unread: nothing to accept
                    page.read.remove()
            page.read.finish()
        if unsure:
            page.read.accept()
        _rest(window)
    yield "reading"


def _tour(window: MainWindow) -> Iterator[str]:
    """The stops of the tour by their numbers, the last one with its evidence as well."""
    window.tour.start()
    seen: list[int] = []
    while (stop := window.tour.stop) is not None:
        yield f"{stop.number}-evidence" if stop.number in seen else str(stop.number)
        seen.append(stop.number)
        window.tour.onward()


def _few_colours(image: QImage) -> QImage:
    """`image` in 256 colours of its own, which are enough for a page and a quarter of the size.

    Half of them are the most frequent of each region of the colour space, so that no hue is lost; half are the most
    frequent overall.
    """
    import numpy as np
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), dtype=np.uint32)
    colours, counts = np.unique(pixels, return_counts=True)
    colours = colours[np.argsort(-counts, kind="stable")]
    _, commonest = np.unique(colours & 0xF0F0F0, return_index=True)
    regions = colours[np.sort(commonest)[:128]]
    table = [*regions, *colours[~np.isin(colours, regions)][: 256 - len(regions)]]
    plain = Qt.ImageConversionFlag.ThresholdDither  # dithering would undo the saving
    return image.convertToFormat(QImage.Format.Format_Indexed8, [int(colour) for colour in table], plain)


# --- waiting ---------------------------------------------------------------------------------------


def _rest(window: MainWindow) -> None:
    """Wait until all work is done and the page has settled."""
    _settle()
    _until(lambda: window.tasks.is_idle)
    _settle()


def _until(done: Callable[[], bool]) -> bool:
    """Process events until ``done``; returns whether that was in time."""
    from PySide6.QtCore import QDeadlineTimer, QEventLoop
    from PySide6.QtWidgets import QApplication

    deadline = QDeadlineTimer(_WAIT_MS)
    while not done() and not deadline.hasExpired():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
    return done()


def _settle() -> None:
    """Let the layout settle after a change of size or content."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(_SETTLE_MS, loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
