"""Screenshots of the window on the sample, page by page: for the documentation and for review.

    python -m ui.screenshots OUT_DIR [--pages reliability,advice]

Opens the real window, walks through its pages and saves a PNG of each as PAGE-LOOK.png, where LOOK is light, dark,
contrast, german, 200 (per cent), small (1280x720) or large (2560x1440); further states of a page, its tabs among them,
as PAGE-STATE-LOOK.png, in light, or with --states in every look.  The stops of the tour are "tour" among the pages.
Needs no display.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ui.stages import ADVICE, COMPARE, EVIDENCE, EXTRACTION, FEEDBACK, HABITS, IMPORT, RELIABILITY, REVIEW, TRY, WORDS

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from ui.window.main_window import MainWindow

_SIZE = (1600, 1000)
_WAIT_MS = 180_000
_SETTLE_MS = 400
_HOST, _MODEL = "llm.hospital.example", "llama-3.3-70b-instruct"
"""Of a server that there is not."""
_TOUR = "tour"
_GOLD = 36
"""Reports of the gold set in the pictures."""
_DRAFT = (
    "FINDINGS: The heart is enlarged. Possible small left pleural effusion. Interstitial markings may represent"
    " edema.\nIMPRESSION: Likely pulmonary edema. No pneumothorax."
)

_MESSAGES = (
    r"MSH|^~\&|RIS|HOSP|PACS|HOSP|20240305150000||ORU^R01|M1|P|2.5",
    "PID|1||P1^^^H^MR||Doe^Jane||19600101|F",
    "OBR|1||A1|71046^XR CHEST 2 VIEWS|||20240305143000|||||||||||||||20240305145000||CR|F|||||||R1&Roe&Ann",
    "OBX|1|TX|GDT||The heart is enlarged. Possible small left pleural effusion.||||||F",
    "OBX|2|TX|IMP||Probable pulmonary edema.||||||F",
    r"MSH|^~\&|RIS|HOSP|PACS|HOSP|20240305151500||ADT^A01|M2|P|2.5",
    "PID|1||P2^^^H^MR||Roe^John||19550101|M",
)
"""An invented report and a message that is none."""


@dataclass(frozen=True, slots=True)
class Look:
    """One way to see the window."""

    name: str
    scheme: str = "light"
    language: str = "en"
    scale: int = 100
    size: tuple[int, int] = _SIZE


LOOKS = (
    Look("light"),
    Look("dark", scheme="dark"),
    Look("contrast", scheme="contrast"),
    Look("german", language="de"),
    Look("200", scale=200, size=(960, 600)),
    Look("small", size=(1280, 720)),
    Look("large", size=(2560, 1440)),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Save the pictures; returns 0, or 1 where the sample did not open."""
    parser = argparse.ArgumentParser(prog="python -m ui.screenshots", description="Pictures of the window's pages.")
    parser.add_argument("out", type=Path, help="the folder for the pictures")
    parser.add_argument("--pages", default="", help="only these, with commas between; else all")
    parser.add_argument("--looks", default="", help=f"only these of {', '.join(look.name for look in LOOKS)}")
    parser.add_argument("--states", action="store_true", help="further states of the pages in every look")
    options = parser.parse_args(argv)
    options.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    looks = [look for look in LOOKS if not options.looks or look.name in options.looks.split(",")]
    if len(looks) > 1:
        # Scale and language are fixed at the start of a process, so each look runs in its own.
        command = [sys.executable, "-m", "ui.screenshots", str(options.out), "--pages", options.pages]
        command += [*(["--states"] if options.states else []), "--looks"]
        return max(subprocess.run([*command, look.name], check=False).returncode for look in looks)  # noqa: S603 - ourselves
    (look,) = looks
    os.environ["QT_SCALE_FACTOR"] = str(look.scale / 100)
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as settings:
        # The pictures must not show the developer's recent workspaces.
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, settings)
        if not _take(app, look, options.out, options.pages, states=options.states):
            print("The sample did not open.", file=sys.stderr)  # noqa: T201 - this is a command
            return 1
    return 0


def _take(app: QApplication, look: Look, out: Path, pages: str, *, states: bool) -> bool:
    from ui import language
    from ui.theme import SCHEMES, Theme
    from ui.window.main_window import MainWindow

    language.use(app, look.language)
    theme = Theme(app)
    theme.use(SCHEMES[look.scheme])
    window = MainWindow(theme)
    window.show()
    try:
        return _walk(window, look, out, set(filter(None, pages.split(","))), states=states)
    finally:
        gone: list[bool] = []
        window.destroyed.connect(lambda: gone.append(True))
        window.finish()
        _until(lambda: bool(gone))
        theme.deleteLater()


def _walk(window: MainWindow, look: Look, out: Path, wanted: set[str], *, states: bool) -> bool:
    from ui.stages import START

    def save(name: str) -> None:
        window.resize(*look.size)
        _rest(window)
        _few_colours(window.grab().toImage()).save(str(out / f"{name}-{look.name}.png"))

    if not wanted or START in wanted:
        save(START)
    window.entrance.open_sample()
    if not _until(lambda: window.session.current is not None):
        return False
    # These change other pages, so they come last.
    last = (REVIEW, EXTRACTION)
    for key in sorted(window.stages, key=lambda key: last.index(key) if key in last else -1):
        if wanted and key not in wanted:
            continue
        tell = _TELLING.get(key, _plain)
        for name in tell(window, key):
            if name and look.name != "light" and not states:
                break
            save(f"{key}-{name}" if name else key)
    if not wanted or _TOUR in wanted:
        for name in _tour(window):
            save(f"{_TOUR}-{name}")
            if look.name != "light" and not states and not wanted:
                break
    return True


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


# --- the states of each page -----------------------------------------------------------------------
# Each opens the page and yields when a picture is to be taken: its name after the page's, '' for the first.


_TABS = {WORDS: ("unknown", "compare", "survey", "vocabulary"), HABITS: ("time",)}
"""The tabs of pages that are pictured as they are, from the second on."""


def _plain(window: MainWindow, key: str) -> Iterator[str]:
    window.show_page(key)
    yield ""
    yield from _tabs(window, key, *_TABS.get(key, ()))


def _tabs(window: MainWindow, key: str, *names: str) -> Iterator[str]:
    """The tabs of an open page, from the second on."""
    if not names:
        return
    tabs = window.page(key).tabs
    turn = getattr(tabs, "setCurrentIndex", None) or tabs.turn_to
    for place, name in enumerate(names, 1):
        turn(place)
        yield name
    turn(0)


def _import(window: MainWindow, key: str) -> Iterator[str]:
    yield from _plain(window, key)
    window.show_page(key, {"show": "rows"})
    yield "rows"
    window.show_page(key, {"show": "flow"})
    page = window.page(key)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "march.hl7")
        path.write_text("\r".join(_MESSAGES), encoding="utf-8", newline="")
        page.take_files([path])
        page.tabs.setCurrentIndex(0)
        yield "messages"
        page.draft.clear()


def _extraction(window: MainWindow, key: str) -> Iterator[str]:
    yield from _plain(window, key)
    page = window.page(key)
    page.choice.engines["llama"].click()
    _rest(window)
    yield "llama"
    page.choice.engines["served"].click()
    served = page.choice.served
    served.url.setText(f"https://{_HOST}/v1")
    served.model.setCurrentText(_MODEL)
    served.changed.emit()
    window.shell.set_served(_HOST)  # the sign, as it is while reports are read there
    yield "served"
    window.shell.set_served("")
    page.choice.engines["llama"].click()
    _rest(window)
    if page.read.isEnabled():
        page.start_reading()
        yield from _tabs(window, key, "failures", "compared")


def _review(window: MainWindow, key: str) -> Iterator[str]:
    yield from _plain(window, key)
    page = window.page(key)
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
            while page.session.open_items(page.session.report):
                page.read.accept()
            page.read.finish()
        if unsure:
            page.read.accept()
        _rest(window)
    yield "reading"
    yield from _tabs(window, key, "accuracy", "agreement")


def _evidence(window: MainWindow, key: str) -> Iterator[str]:
    """The findings behind the hedge that was used most, and the reports of one."""
    window.show_page(RELIABILITY)
    model = window.page(RELIABILITY).model
    most = max((rate for rate in model.rows if 0 < rate.mean < 1), key=lambda rate: rate.n)
    window.show_page(key, {"phrase": most.phrase})
    yield ""
    window.page(key).show_case()
    yield "case"


def _advice(window: MainWindow, key: str) -> Iterator[str]:
    yield from _plain(window, key)
    yield from _tabs(window, key, "words", "costs", "whatif", "numbers")


def _reliability(window: MainWindow, key: str) -> Iterator[str]:
    yield from _plain(window, key)
    for name in _tabs(window, key, "pathologies", "without-ct", "windows"):
        if name == "windows":
            window.page(key).windows.pair.click()
        yield name


def _compare(window: MainWindow, key: str) -> Iterator[str]:
    """All pathologies together: one alone has too few findings in the sample."""
    window.show_page(key)
    _rest(window)
    before = window.shell.selection
    window.page(key).together.click()
    yield ""
    yield from _tabs(window, key, "apart", "time", "table", "wording", "groups")
    if before is not None:
        window.shell.choose(before)


def _feedback(window: MainWindow, key: str) -> Iterator[str]:
    yield from _plain(window, key)
    yield from _tabs(window, key, "all", "department", "drafts")


def _try(window: MainWindow, key: str) -> Iterator[str]:
    window.show_page(key)
    window.page(key).draft.setPlainText(_DRAFT)
    yield ""


def _tour(window: MainWindow) -> Iterator[str]:
    """The stops of the tour by their numbers, the last one with its evidence as well."""
    window.tour.start()
    seen: list[int] = []
    while (stop := window.tour.stop) is not None:
        yield f"{stop.number}-evidence" if stop.number in seen else str(stop.number)
        seen.append(stop.number)
        window.tour.onward()


_TELLING = {
    IMPORT: _import,
    EXTRACTION: _extraction,
    REVIEW: _review,
    EVIDENCE: _evidence,
    RELIABILITY: _reliability,
    ADVICE: _advice,
    COMPARE: _compare,
    FEEDBACK: _feedback,
    TRY: _try,
}


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
