"""Sets up and runs the application."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from radcal.system import faults, policy
from radcal.system.errors import InputError
from radcal.system.version import __version__
from ui import system

_SWITCH = 0.0005
"""Seconds."""


def main(argv: Sequence[str] | None = None) -> int:
    """Open RadCal's window; returns the exit status: 0, or 2 where no window can be opened."""
    options = _options(argv)
    # Before Qt, which would exit with a less helpful message.
    if why := system.check():
        print(why, file=sys.stderr)  # noqa: T201 - there is no window to say it in
        return 2
    try:
        rules = policy.in_use()
        if rules.start("served_url", ""):  # else without what knows of addresses, which is slow to import
            from radcal.checking import check_policy

            check_policy(rules)
    except InputError as error:
        return _refuse(error)
    return _run(options)


def _refuse(error: InputError) -> int:
    """Say why RadCal does not start, in a dialog and on standard error; returns the exit status."""
    from PySide6.QtCore import QLocale, Qt
    from PySide6.QtWidgets import QApplication, QMessageBox

    from radcal.system.language.catalogue import language

    print(error, file=sys.stderr)  # noqa: T201 - for whoever started it from a terminal
    app = QApplication(sys.argv[:1])
    system_language = QLocale.system().name().split("_")[0]
    try:
        text = language(system_language).write(error.text)
    except InputError:  # RadCal does not speak it
        text = str(error)
    box = QMessageBox(QMessageBox.Icon.Critical, "RadCal", text)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.finished.connect(app.quit)
    box.open()
    app.exec()
    return 2


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="radcal-gui", description="Do radiologists' certainty words mean what readers take them to mean?"
    )
    parser.add_argument("workspace", nargs="?", type=Path, help="a workspace to open")
    parser.add_argument("--sample", action="store_true", help="open the sample")
    parser.add_argument("--version", action="version", version=f"RadCal {__version__}")
    parser.add_argument("--exit-after-first-paint", action="store_true", help="for measuring the start")
    return parser.parse_args(argv)


def _run(options: argparse.Namespace) -> int:
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    from radcal.system.resources import resource
    from ui import language
    from ui.garbage import GarbageCollector
    from ui.kit.wheel import WheelGuard
    from ui.tasks import failure_of
    from ui.theme import Theme
    from ui.window.main_window import MainWindow

    app = QApplication(sys.argv[:1])
    language.use(app, language.preferred())
    app.setApplicationName("RadCal")
    app.setApplicationVersion(__version__)
    app.setWindowIcon(QIcon(str(resource("icons", "radcal.svg"))))
    # A worker that computes gives up the interpreter after this long, not after Python's 5 ms: the window asks for it
    # hundreds of times for a page.
    sys.setswitchinterval(_SWITCH)
    collector = GarbageCollector()
    theme = Theme(app)
    WheelGuard(app)
    window = MainWindow(theme)
    collector.follow(lambda: not window.tasks.is_idle)
    # The first workspace brings the last modules.
    window.session.opened.connect(collector.keep, Qt.ConnectionType.SingleShotConnection)

    def tell(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        # The exception's message may contain report text; code locations do not.
        faults.record(error, faults.in_window())
        if isinstance(error, Exception):
            window.messages.show_bug(failure_of(error).technical)

    def warm(_done: object) -> None:
        collector.keep()
        window.pages.make_the_rest()

    def begin() -> None:
        if options.exit_after_first_paint:
            print("painted", flush=True)  # noqa: T201 - the benchmark reads it
            window.close()
            return
        # One after the other: PySide6 crashes if two threads use a Qt type for the first time at once.
        window.session.warm_up(warm)
        if options.workspace is not None:
            window.entrance.ask_passphrase(options.workspace)
        elif options.sample:
            window.entrance.open_sample()

    window.painted.connect(begin)
    # Closing the window ends the session first; a logout may not.
    app.aboutToQuit.connect(window.session.abandon)
    before, sys.excepthook = sys.excepthook, tell
    # From the event loop: an exception inside painting, say, could be lost.
    # Ctrl+C and SIGTERM close the window normally, so that nothing is left behind.
    handlers = {
        number: signal.signal(number, lambda *_: QTimer.singleShot(0, window, window.finish))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        window.show()
        return app.exec()
    finally:
        sys.excepthook = before
        for number, handler in handlers.items():
            signal.signal(number, handler)
        collector.stop()
