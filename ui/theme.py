"""RadCal's appearance: one palette, light and dark, fonts, spacing, and the style sheet.

Spacing is a 4 px grid.  At most three sizes of type on a page: 20 for titles, 13 for reading, 12 beside.
Certainty has one scale in every picture, from blue (absent) through neutral to orange (present);
categories use the set of Okabe and Ito, which colour-blind eyes tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication

from radcal.errors import InputError
from radcal.resources import resource
from ui.preferences import preferences

_SCHEME, _SCALE = "scheme", "scale"
GRID = 4
TITLE, BASE, SMALL = 20, 13, 12

_FONTS = ("Inter-Regular.otf", "Inter-SemiBold.otf", "Inter-Italic.otf")
_BARE = ("dejavu", "bitstream", "sans", "monospace", "helvetica")
"""System fonts of a desktop that has chosen none; the bundled one reads better."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one scheme, as '#rrggbb'.  ``certainty`` runs from absent to present."""

    dark: bool
    window: str
    surface: str
    raised: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    selection: str
    note: str
    warning: str
    error: str
    mark: str
    curve: str
    neutral: str
    luck: str
    certainty: tuple[str, str, str, str, str]


LIGHT = Colours(
    dark=False,
    window="#f4f5f7",
    surface="#ffffff",
    raised="#eceef1",
    text="#1b1e22",
    muted="#59616a",
    line="#d3d8de",
    accent="#0a6299",
    on_accent="#ffffff",
    selection="#d9e9f5",
    note="#0a6299",
    warning="#8a5a00",
    error="#b3261e",
    mark="#fde3a7",
    curve="#d55e00",
    neutral="#70777f",
    luck="#dfe3e7",
    certainty=("#1f5fa8", "#6f9ccb", "#9a9a9a", "#d99a55", "#b85a00"),
)
DARK = Colours(
    dark=True,
    window="#1a1c1f",
    surface="#222529",
    raised="#2c3035",
    text="#e8eaed",
    muted="#a5adb6",
    line="#3b4148",
    accent="#6cb6f0",
    on_accent="#0d1b26",
    selection="#234258",
    note="#6cb6f0",
    warning="#e8b04a",
    error="#ff8a80",
    mark="#5c4713",
    curve="#f0803c",
    neutral="#9aa2ab",
    luck="#3a4047",
    certainty=("#5b9be0", "#86aed6", "#a8a8a8", "#dda866", "#f0923c"),
)


CONTRAST = Colours(
    dark=True,
    window="#000000",
    surface="#000000",
    raised="#1c1c1c",
    text="#ffffff",
    muted="#e6e6e6",
    line="#ffffff",
    accent="#ffe14d",
    on_accent="#000000",
    selection="#1d4f7a",
    note="#7cc7ff",
    warning="#ffd24d",
    error="#ff9a8f",
    mark="#6b5200",
    curve="#ff9a3d",
    neutral="#d0d0d0",
    luck="#4a4a4a",
    certainty=("#63b3ff", "#a8d4ff", "#e0e0e0", "#ffc87a", "#ff9a3d"),
)
SCHEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}


def certainty_colour(colours: Colours, certainty: float) -> QColor:
    """The colour of a certainty of 0-1 on the scale that every picture shares."""
    stops = [QColor(c) for c in colours.certainty]
    place = min(max(certainty, 0.0), 1.0) * (len(stops) - 1)
    for i, (a, b) in enumerate(pairwise(stops)):
        if place <= i + 1:
            return mixed(a, b, place - i)
    return stops[-1]


def mixed(ground: str | QColor, colour: str | QColor, share: float) -> QColor:
    """The colour at a share of 0-1 over the ground, opaque."""
    a, b = QColor(ground), QColor(colour)
    pairs = ((a.redF(), b.redF()), (a.greenF(), b.greenF()), (a.blueF(), b.blueF()))
    return QColor.fromRgbF(*(x + (y - x) * share for x, y in pairs))


def faded(colour: str | QColor, share: float) -> QColor:
    """The colour at a share of its opacity."""
    c = QColor(colour)
    c.setAlphaF(share)
    return c


class Theme(QObject):
    """The look of the application: as chosen, or following the system between light, dark and high contrast.

    ``changed`` carries the Colours of the new scheme.
    """

    changed = Signal(object)

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._chosen = chosen_scheme()
        self.colours = SCHEMES[self._chosen] if self._chosen else self._of_system()
        app.setStyle("Fusion")
        app.setFont(base_font())
        self._apply()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)

    def use(self, colours: Colours) -> None:
        """Change to the given colours."""
        self.colours = colours
        self._apply()
        self.changed.emit(colours)

    @Slot(object)
    def choose(self, scheme: str) -> None:
        """Change to a scheme of SCHEMES and remember it; '' follows the system."""
        self._chosen = scheme if scheme in SCHEMES else ""
        preferences().setValue(_SCHEME, self._chosen)
        self.use(SCHEMES[self._chosen] if self._chosen else self._of_system())

    @Slot()
    def forget_widgets(self) -> None:
        """Let Qt go of what it keeps of widgets that are gone, once no window is left.

        For every spin box and every combo box that ever was, QStyleSheetStyle::renderRule keeps some 900 bytes until
        a style sheet is set: it enters the part that cannot be styled before it finds out (seen with Qt 6.11).
        """
        if not any(widget.isVisible() for widget in self._app.topLevelWidgets()):
            self._app.setStyleSheet(self._app.styleSheet())
            QPixmapCache.clear()  # the style sheet's icons are read anew

    @staticmethod
    def _of_system() -> Colours:
        hints = QGuiApplication.styleHints()
        if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
            return CONTRAST
        return DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT

    @Slot()
    def _follow(self, *_: object) -> None:
        if not self._chosen and (colours := self._of_system()) != self.colours:
            self.use(colours)

    def _apply(self) -> None:
        self._app.setPalette(_palette(self.colours))
        self._app.setStyleSheet(_style_sheet(self.colours))


def chosen_scheme() -> str:
    """The scheme that the user has chosen, '' for the system's."""
    scheme = str(preferences().value(_SCHEME, ""))
    return scheme if scheme in SCHEMES else ""


def chosen_scale() -> int:
    """How large everything is drawn, in per cent of what the system asks for: 100-300."""
    value = str(preferences().value(_SCALE, "100"))
    return min(max(int(value), 100), 300) if value.isdigit() else 100


def choose_scale(per_cent: int) -> None:
    """Remember how large everything is to be drawn; it holds from the next start on."""
    preferences().setValue(_SCALE, int(per_cent))


def base_font() -> QFont:
    """The system's font at 13 px with figures of one width; the bundled font where the system has none of its own."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if font.family().lower().startswith(_BARE) or font.family() not in QFontDatabase.families():
        bundled = _register_fonts()
        if bundled:
            font = QFont(bundled)
    font.setPixelSize(BASE)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def sized(font: QFont, pixels: int, *, strong: bool = False) -> QFont:
    """The font in another size, semibold on request."""
    other = QFont(font)
    other.setPixelSize(pixels)
    if strong:
        other.setWeight(QFont.Weight.DemiBold)
    return other


def _register_fonts() -> str:
    """Make the bundled fonts known; their family, '' if the installation has none."""
    family = ""
    for name in _FONTS:
        try:
            number = QFontDatabase.addApplicationFont(str(resource("fonts", name)))
        except InputError:
            continue
        family = family or next(iter(QFontDatabase.applicationFontFamilies(number)), "")
    return family


def _palette(c: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for which, colour in {
        role.Window: c.window,
        role.WindowText: c.text,
        role.Base: c.surface,
        role.AlternateBase: c.raised,
        role.Text: c.text,
        role.PlaceholderText: c.muted,
        role.Button: c.raised,
        role.ButtonText: c.text,
        role.BrightText: c.error,
        role.ToolTipBase: c.surface,
        role.ToolTipText: c.text,
        role.Highlight: c.selection,
        role.HighlightedText: c.text,
        role.Link: c.accent,
        role.Accent: c.accent,
        role.Mid: c.line,
        role.Light: c.surface,
        role.Dark: c.line,
    }.items():
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, faded(c.text, 0.45))
    return palette


def _style_sheet(c: Colours) -> str:
    scheme = "dark" if c.dark else "light"
    # In high contrast, words that fade would be the only sign of it, and they hardly do.
    disabled = "dashed" if c is CONTRAST else "solid"
    arrow, arrow_up, tick = (
        resource("icons", f"{name}-{scheme}.svg").as_posix() for name in ("chevron", "chevron-up", "tick")
    )
    return f"""
    QToolTip {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.line}; padding: 4px 8px; }}
    QPushButton, QComboBox, QLineEdit, QToolButton {{
        border: 1px solid {c.line}; border-radius: 4px; background: {c.surface}; color: {c.text};
        padding: 0 12px; min-height: 28px;
    }}
    /* A style sheet that sets a colour halves that of the hints, which nobody could read then. */
    QPushButton, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit {{ placeholder-text-color: {c.muted}; }}
    QLineEdit {{ padding: 0 8px; selection-background-color: {c.selection}; }}
    QPushButton:hover, QComboBox:hover, QToolButton:hover {{ background: {c.raised}; }}
    QPushButton:pressed, QToolButton:pressed {{ background: {c.selection}; }}
    QPushButton:disabled, QComboBox:disabled, QLineEdit:disabled {{
        color: {c.muted}; background: {c.window}; border-style: {disabled};
    }}
    QPushButton[primary="true"] {{
        background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; font-weight: 600;
    }}
    QPushButton[primary="true"]:hover {{ border-color: {c.text}; }}
    QPushButton[primary="true"]:disabled {{
        background: {c.raised}; color: {c.muted}; border: 1px {disabled} {c.line};
    }}
    QPushButton:focus, QComboBox:focus, QLineEdit:focus, QToolButton:focus {{
        border: 2px solid {c.accent}; padding: 0 11px; min-height: 26px;
    }}
    QPushButton[primary="true"]:focus {{ border: 2px solid {c.text}; }}
    QLineEdit:focus {{ padding: 0 7px; }}
    QToolButton {{ padding: 0 8px; }}
    QAbstractSpinBox {{
        border: 1px solid {c.line}; border-radius: 4px; background: {c.surface}; color: {c.text};
        padding: 0 4px 0 8px; min-height: 28px; selection-background-color: {c.selection};
    }}
    QAbstractSpinBox:focus {{ border: 2px solid {c.accent}; padding: 0 3px 0 7px; min-height: 26px; }}
    QSpinBox, QDoubleSpinBox {{ qproperty-alignment: "AlignRight | AlignVCenter"; }}
    QAbstractSpinBox:disabled {{ color: {c.muted}; background: {c.window}; border-style: {disabled}; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{
        subcontrol-origin: border; width: 22px; border: none; background: transparent;
    }}
    QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
    QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
    QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {c.raised}; }}
    QAbstractSpinBox::up-arrow {{ image: url("{arrow_up}"); width: 10px; height: 10px; }}
    QAbstractSpinBox::down-arrow {{ image: url("{arrow}"); width: 10px; height: 10px; }}
    QDateEdit::drop-down {{
        subcontrol-origin: border; subcontrol-position: center right; width: 24px; border: none;
    }}
    QDateEdit::down-arrow {{ image: url("{arrow}"); width: 12px; height: 12px; }}
    QToolButton:focus {{ padding: 0 7px; }}
    QToolButton[autoRaise="true"] {{ border-color: transparent; background: transparent; }}
    QToolButton[autoRaise="true"]:focus {{ border-color: {c.accent}; }}
    QToolButton::menu-indicator {{ image: none; }}
    QComboBox::drop-down {{ border: none; width: 24px; }}
    QComboBox::down-arrow {{ image: url("{arrow}"); width: 12px; height: 12px; }}
    QComboBox QAbstractItemView {{
        background: {c.surface}; color: {c.text}; border: 1px solid {c.line};
        selection-background-color: {c.selection}; selection-color: {c.text}; outline: none;
    }}
    QMenu {{ background: {c.surface}; border: 1px solid {c.line}; padding: 4px 0; }}
    QMenu::item {{ padding: 6px 24px 6px 12px; }}
    QMenu::item:selected {{ background: {c.selection}; }}
    QMenu::separator {{ height: 1px; background: {c.line}; margin: 4px 0; }}
    QTableView, QTextBrowser, QPlainTextEdit, QListWidget, QScrollArea#framed {{
        background: {c.surface}; border: 1px solid {c.line}; border-radius: 4px; gridline-color: {c.line};
        selection-background-color: {c.selection}; selection-color: {c.text};
    }}
    QTableView:focus, QTextBrowser:focus, QPlainTextEdit:focus, QListWidget:focus, QScrollArea#framed:focus {{
        border: 2px solid {c.accent};
    }}
    QCheckBox::indicator, QAbstractItemView::indicator {{
        width: 14px; height: 14px; border: 1px solid {c.muted}; border-radius: 3px; background: {c.surface};
    }}
    QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{
        background: {c.accent}; border-color: {c.accent}; image: url("{tick}");
    }}
    QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled {{
        background: {c.window}; border: 1px dashed {c.line};
    }}
    QListWidget::item {{ padding: 2px 0; }}
    QRadioButton::indicator {{
        width: 14px; height: 14px; border: 1px solid {c.muted}; border-radius: 8px; background: {c.surface};
    }}
    QRadioButton::indicator:checked {{ border: 5px solid {c.accent}; width: 6px; height: 6px; }}
    QRadioButton::indicator:disabled {{ background: {c.window}; border-color: {c.line}; }}
    QRadioButton:focus {{ background: {c.selection}; }}
    QRadioButton:disabled {{ color: {c.muted}; }}
    QCheckBox:focus {{ background: {c.selection}; }}
    QCheckBox:disabled {{ color: {c.muted}; }}
    QPlainTextEdit {{ padding: 5px; }}
    QPlainTextEdit:focus {{ padding: 4px; }}
    QTabWidget::pane {{ border: none; }}
    QTabBar {{ qproperty-drawBase: 0; }}
    QTabBar::tab {{
        background: transparent; color: {c.muted}; padding: 6px 12px; border: none;
        border-bottom: 3px solid transparent;
    }}
    QTabBar::tab:hover {{ background: {c.raised}; }}
    QTabBar::tab:selected {{ color: {c.text}; border-bottom-color: {c.accent}; }}
    QTabBar::tab:focus {{ background: {c.selection}; }}
    QTableView::item {{ padding: 0 5px; border: none; }}
    QTableView::item:selected {{ background: {c.selection}; color: {c.text}; }}
    QHeaderView {{ background: {c.surface}; border: none; }}
    QHeaderView::section {{
        background: {c.surface}; color: {c.muted}; border: none; border-bottom: 1px solid {c.line};
        padding: 6px 8px; font-size: {SMALL}px;
    }}
    QTableCornerButton::section {{ background: {c.surface}; border: none; }}
    QAbstractScrollArea::corner {{ background: transparent; border: none; }}
    QFrame#message {{ background: {c.surface}; border: none; border-left: 4px solid {c.note}; }}
    QFrame#message[weight="warning"] {{ border-left-color: {c.warning}; }}
    QFrame#message[weight="error"] {{ border-left-color: {c.error}; }}
    QLabel#messageSign {{ color: {c.surface}; background: {c.note}; border-radius: 10px; font-weight: 600; }}
    QLabel#messageSign[weight="warning"] {{ background: {c.warning}; }}
    QLabel#messageSign[weight="error"] {{ background: {c.error}; }}
    QLabel[role="title"] {{ font-size: {TITLE}px; font-weight: 600; }}
    QLabel[role="strong"] {{ font-weight: 600; }}
    QLabel[role="muted"] {{ color: {c.muted}; font-size: {SMALL}px; }}
    QLabel[role="error"] {{ color: {c.error}; }}
    QFrame#topBar, QFrame#taskBar {{ background: {c.surface}; border: none; }}
    QFrame#topBar {{ border-bottom: 1px solid {c.line}; }}
    QFrame#taskBar {{ border-top: 1px solid {c.line}; }}
    QFrame#rail {{ background: {c.window}; border: none; border-right: 1px solid {c.line}; }}
    QFrame#rail QPushButton {{
        text-align: left; border: 2px solid transparent; background: transparent; min-height: 30px; padding: 0 10px;
    }}
    QFrame#rail QPushButton:hover {{ background: {c.raised}; }}
    QFrame#rail QPushButton:checked {{ background: {c.selection}; font-weight: 600; }}
    QFrame#rail QPushButton:disabled {{ color: {c.muted}; }}
    QFrame#rail QPushButton:focus {{ border-color: {c.accent}; }}
    QFrame#card {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 4px; }}
    QFrame#card[current="true"], QFrame#card:focus {{ border: 1px solid {c.accent}; }}
    QPushButton#choice {{ text-align: left; padding: 0 16px; min-height: 44px; }}
    QPushButton#choice:focus {{ padding: 0 15px; min-height: 42px; }}
    QPushButton#recent {{ text-align: left; border-color: transparent; background: transparent; color: {c.accent}; }}
    QPushButton#recent:hover {{ background: {c.raised}; }}
    QPushButton#recent:focus {{ border-color: {c.accent}; }}
    QPushButton#recent:disabled {{ color: {c.muted}; }}
    QProgressBar {{
        border: 1px solid {c.line}; border-radius: 4px; background: {c.window}; max-height: 8px; min-height: 8px;
    }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
    QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
    QScrollBar::handle {{ background: {c.line}; border-radius: 4px; margin: 2px; min-height: 24px; min-width: 24px; }}
    QScrollBar::handle:hover {{ background: {c.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QSplitter::handle {{ background: transparent; }}
    """
