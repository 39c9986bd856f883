"""Pictures of the window on the sample, page by page: for the documentation, and to look at a change.

    python -m ui.screenshots OUT_DIR

Opens the real window, walks through its pages in light and dark and at two sizes, and saves a PNG of each as
PAGE-SCHEME-WIDTH.png.  Needs no display.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.main_window import MainWindow

_SIZES = ((1280, 720), (1600, 1000))
_WAIT_MS = 60_000
_SETTLE_MS = 250


def main(argv: Sequence[str] | None = None) -> int:
    """Save the pictures; returns 0, or 1 where the sample did not open."""
    parser = argparse.ArgumentParser(prog="python -m ui.screenshots", description="Pictures of the window's pages.")
    parser.add_argument("out", type=Path, help="the folder for the pictures")
    out = parser.parse_args(argv).out
    out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from ui.main_window import MainWindow
    from ui.operations import radcal_workflow
    from ui.theme import DARK, LIGHT, Theme

    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as settings:
        # The recent workspaces of whoever runs this do not belong into a picture.
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, settings)
        theme = Theme(app)
        window = MainWindow(radcal_workflow, theme)
        window.show()
        try:
            for colours in (LIGHT, DARK):
                theme.use(colours)
                if not _walk(window, out, "dark" if colours.dark else "light"):
                    print("The sample did not open.", file=sys.stderr)  # noqa: T201 - this is a command
                    return 1
        finally:
            gone: list[bool] = []
            window.destroyed.connect(lambda: gone.append(True))
            window.finish()
            _until(lambda: bool(gone))
    return 0


def _walk(window: MainWindow, out: Path, scheme: str) -> bool:
    from ui.main_window import HELP, IMPORT, RELIABILITY, START

    def save(page: str) -> None:
        for width, height in _SIZES:
            window.resize(width, height)
            _settle()
            window.grab().save(str(out / f"{page}-{scheme}-{width}.png"))

    window.show_page(START)
    save("start")
    if window.session.current is None:
        window.entrance.open_sample()
        if not _until(lambda: window.session.current is not None):
            return False
    window.show_page(RELIABILITY)
    if not _until(lambda: window.reliability.plot is not None):
        return False
    save("reliability")
    model = window.reliability.model
    window.find_evidence(max(map(model.rate_at, range(model.rowCount())), key=lambda rate: rate.n).phrase)
    if not _until(lambda: window.pages.currentWidget() is window.evidence):
        return False
    save("findings")
    for page in (IMPORT, HELP):
        window.show_page(page)
        save(page)
    return True


def _until(done: Callable[[], bool]) -> bool:
    """Let the window work until ``done``; whether that came in time."""
    from PySide6.QtCore import QDeadlineTimer, QEventLoop
    from PySide6.QtWidgets import QApplication

    deadline = QDeadlineTimer(_WAIT_MS)
    while not done() and not deadline.hasExpired():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
    return done()


def _settle() -> None:
    """Let the page settle after a change of its size or content."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(_SETTLE_MS, loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
