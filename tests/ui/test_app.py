"""The program as it is started, and what stands around the window."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QFontDatabase, QFontMetricsF
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from radcal.system.version import __version__
from ui import app, theme
from ui.garbage import GarbageCollector

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numpy", "pyqtgraph", "pandas", "scipy", "typst", "sqlcipher3", "radcal.department")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=120,
        check=False,
    )


def test_first_paint_needs_none_of_the_heavy_packages() -> None:
    code = (
        "import sys; from ui.app import main; status = main(['--sample', '--exit-after-first-paint']);"
        f"print([m for m in {HEAVY} if m in sys.modules]); sys.exit(status)"
    )
    done = run("-c", code)
    assert done.stdout.splitlines() == ["painted", "[]"]
    assert done.returncode == 0


def test_main_py_opens_the_window() -> None:
    done = run("main.py", "--exit-after-first-paint")
    assert (done.stdout, done.returncode) == ("painted\n", 0)


@pytest.mark.parametrize(
    "end",
    [
        "QMetaObject.invokeMethod(QApplication.instance(), 'quit')",
        pytest.param("os.kill(os.getpid(), signal.SIGINT)", marks=pytest.mark.slow),
        pytest.param(
            "os.kill(os.getpid(), signal.SIGTERM)",
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a program without asking it"),
            ],
        ),
    ],
)
def test_quitting_at_work_leaves_nothing_behind(end: str, tmp_path: Path) -> None:
    code = f"""
import os, signal, sys, threading, time
from PySide6.QtCore import QMetaObject
from PySide6.QtWidgets import QApplication
from radcal import opening

def endless(progress):
    began.set()
    try:
        while True:
            progress.raise_if_cancelled()
            time.sleep(0.005)
    finally:
        print("stopped", flush=True)

began = threading.Event()
opening.sample_department = endless

def watch():
    began.wait()
    {end}

threading.Thread(target=watch, daemon=True).start()
from ui.app import main
sys.exit(main(["--sample"]))
"""
    done = run("-c", code)
    assert (done.stdout, done.returncode) == ("stopped\n", 0), done.stderr


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        app.main(["--version"])
    assert left.value.code == 0
    assert __version__ in capsys.readouterr().out


def test_without_a_display_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("ui.system.check", lambda: "There is no display.")
    assert app.main([]) == 2
    assert "no display" in capsys.readouterr().err


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[GarbageCollector]:
    """The collector as in the program: with Python's own thresholds, what is there already left out."""
    threshold = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    made = GarbageCollector()
    made.keep()
    yield made
    made.stop()
    gc.freeze()
    gc.set_threshold(*threshold)


def test_garbage_is_collected_by_the_timer_alone(collector: GarbageCollector) -> None:
    assert not gc.isenabled()
    gc.collect()
    keep = [[] for _ in range(3 * gc.get_threshold()[0])]
    assert gc.get_count()[0] > gc.get_threshold()[0]
    collector.check()
    assert gc.get_count()[0] < gc.get_threshold()[0]
    assert keep
    collector.stop()
    assert gc.isenabled()


class Knot:
    """Refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.me = self


def test_old_garbage_waits_for_the_end_of_the_work(collector: GarbageCollector) -> None:
    at_work = True
    collector.follow(lambda: at_work)
    collector._old = 100_000  # whatever other tests have left
    knot = Knot()
    gone = weakref.ref(knot)
    gc.collect()  # the knot is old now
    del knot
    many: list[list[int]] = []
    while len(many) < collector._old:
        many += [[] for _ in range(10_000)]
        collector.check()
        assert gone() is not None
        assert gc.get_count()[0] < gc.get_threshold()[0], "few new objects are collected all the same"
    table = [[] for _ in range(100_000)]
    collector.check()
    assert gc.get_count()[0] > 90_000, "the window would stand still for so many"
    del table
    at_work = False
    collector.check()
    assert gone() is None
    assert many


_HELD = """
import ctypes
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QVBoxLayout, QWidget
from ui.theme import Colours, Theme

class Info(ctypes.Structure):
    _fields_ = [(f"f{i}", ctypes.c_size_t) for i in range(10)]

count = ctypes.CDLL(None).mallinfo2
count.restype = Info
app = QApplication([])
theme = Theme(app)

def held(cycles):
    before = count().f7
    for _ in range(cycles):
        window = QWidget()
        layout = QVBoxLayout(window)
        for kind in 10 * (QDoubleSpinBox, QComboBox):
            layout.addWidget(kind())
        window.show()
        app.processEvents()
        theme.forget_widgets()  # not yet: there is a window
        window.close()
        del window, layout
        if forgets:
            theme.forget_widgets()
    return (count().f7 - before) / 1000

for forgets in (True, False):
    held(10)
    print(held(40))
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="asks the C library of Linux what is allocated",
)
def test_widgets_that_are_gone_take_no_room() -> None:
    done = run("-c", _HELD)
    assert done.returncode == 0, done.stderr
    forgotten, kept = map(float, done.stdout.split())
    assert 5 * forgotten < kept > 300, "kB that 40 windows of 20 boxes left behind"


@pytest.mark.parametrize("primary", [False, True])
def test_high_contrast_tells_what_is_disabled_by_its_edge(qtbot: QtBot, primary: bool) -> None:
    button = QPushButton("Reset")
    qtbot.addWidget(button)
    button.setProperty("primary", primary)
    button.setStyleSheet(theme.style_sheet(theme.CONTRAST))
    button.resize(120, 32)

    def edge() -> set[str]:
        picture = button.grab().toImage()
        return {picture.pixelColor(x, 0).name() for x in range(20, 100)}

    assert len(edge()) == 1
    button.setEnabled(False)
    assert len(edge()) > 1


@pytest.mark.parametrize("c", list(theme.SCHEMES.values()), ids=list(theme.SCHEMES))
@pytest.mark.parametrize("kind", [QPushButton, QLineEdit, QPlainTextEdit])
def test_hints_and_states_are_as_legible_as_other_muted_text(
    qtbot: QtBot, c: theme.Colours, kind: type[QWidget]
) -> None:
    widget = kind()  # the rail draws its states in the colour of hints
    qtbot.addWidget(widget)
    widget.setStyleSheet(theme.style_sheet(c))
    widget.ensurePolished()
    shown = widget.palette().placeholderText().color()
    assert (shown.name(), shown.alpha()) == (c.muted, 255)


def test_text_renders_with_a_real_font(qapp: QApplication) -> None:
    font = theme.base_font()
    assert font.pixelSize() == 13
    assert font.family() in QFontDatabase.families()
    metrics = QFontMetricsF(font)
    assert metrics.horizontalAdvance("w") > metrics.horizontalAdvance("i") > 0
    assert metrics.horizontalAdvance("111") == pytest.approx(metrics.horizontalAdvance("888"))
