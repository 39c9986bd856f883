"""RadCal's appearance: one palette, light and dark, fonts, spacing, and the style sheet.

Spacing is a 4 px grid.  At most three font sizes on a page: 20 px for titles, 13 for text, 12 for labels.  These are
pixels of the usual text size: ``px`` turns them into those of the chosen one, which the application's font has.
Certainty has the same scale in every picture, from blue (absent) through neutral to orange (present);
categories use the colour-blind-safe palette of Okabe and Ito.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from itertools import pairwise
from string import Template

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication

from radcal.system import policy
from radcal.system.errors import InputError
from radcal.system.resources import resource
from ui.preferences import preferences

_SCHEME, _SCALE = "scheme", "scale"
_LENGTH = re.compile(r"\b(?:([4-9]|[1-9]\d+))px")
"""Lengths of the style sheet that follow the text size; lines stay thin."""
GRID = 4
TITLE, BASE, SMALL = 20, 13, 12

_FONTS = ("Inter-Regular.otf", "Inter-SemiBold.otf", "Inter-Italic.otf")
_BARE = ("dejavu", "bitstream", "sans", "monospace", "helvetica")
"""Default fonts of a desktop without configuration; the bundled font is more legible."""


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
    certainty: tuple[str, ...]


_PALETTE = """
               light   dark    contrast
    window     #f4f5f7 #1a1c1f #000000
    surface    #ffffff #222529 #000000
    raised     #eceef1 #2c3035 #1c1c1c
    text       #1b1e22 #e8eaed #ffffff
    muted      #59616a #a5adb6 #e6e6e6
    line       #d3d8de #3b4148 #ffffff
    accent     #0a6299 #6cb6f0 #ffe14d
    on_accent  #ffffff #0d1b26 #000000
    selection  #d9e9f5 #234258 #1d4f7a
    note       #0a6299 #6cb6f0 #7cc7ff
    warning    #8a5a00 #e8b04a #ffd24d
    error      #b3261e #ff8a80 #ff9a8f
    mark       #fde3a7 #5c4713 #6b5200
    curve      #d55e00 #f0803c #ff9a3d
    neutral    #70777f #9aa2ab #d0d0d0
    luck       #dfe3e7 #3a4047 #4a4a4a
    absent     #1a5ba8 #63abff #4aa3ff
    unlikely   #6a98cc #6f97c4 #97c5f7
    open       #abaeb2 #85888c #e6e6e6
    likely     #cf9a62 #bd9163 #ffc98a
    present    #b05600 #ffa04a #ff9428
"""
"""The fields of Colours, and the five stops of the certainty scale."""


def _scheme(column: int, *, dark: bool) -> Colours:
    colours = {row.split()[0]: row.split()[column] for row in _PALETTE.splitlines()[2:]}
    certainty = tuple(colours.pop(name) for name in ("absent", "unlikely", "open", "likely", "present"))
    return Colours(dark=dark, certainty=certainty, **colours)


LIGHT, DARK, CONTRAST = _scheme(1, dark=False), _scheme(2, dark=True), _scheme(3, dark=True)
SCHEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}


def certainty_colour(colours: Colours, certainty: float) -> QColor:
    """The colour of a certainty (0-1) on the common scale."""
    stops = [QColor(c) for c in colours.certainty]
    place = min(max(certainty, 0.0), 1.0) * (len(stops) - 1)
    for i, (a, b) in enumerate(pairwise(stops)):
        if place <= i + 1:
            return mixed(a, b, place - i)
    return stops[-1]


def mixed(ground: str | QColor, colour: str | QColor, share: float) -> QColor:
    """Opaque blend of a ``share`` (0-1) of the colour over the ground."""
    a, b = QColor(ground), QColor(colour)
    pairs = ((a.redF(), b.redF()), (a.greenF(), b.greenF()), (a.blueF(), b.blueF()))
    return QColor.fromRgbF(*(x + (y - x) * share for x, y in pairs))


def faded(colour: str | QColor, share: float) -> QColor:
    """The colour with alpha ``share``."""
    c = QColor(colour)
    c.setAlphaF(share)
    return c


def in_use() -> Colours:
    """The colours of the application's palette.

    What draws asks for them as it draws.  What keeps colours overrides ``changeEvent`` and makes them anew on Qt's
    ``PaletteChange``.
    """
    window = QGuiApplication.palette().color(QPalette.ColorRole.Window).name()
    return next((scheme for scheme in SCHEMES.values() if scheme.window == window), LIGHT)


def px(pixels: float) -> int:
    """A length of the usual text size, in pixels of the text size in use."""
    return round(pixels * max(QGuiApplication.font().pixelSize(), BASE) / BASE)


class Theme(QObject):
    """The look of the application: as chosen, or following the system between light, dark and high contrast."""

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

    @Slot(object)
    def choose(self, scheme: str) -> None:
        """Change to a scheme of SCHEMES and remember it; '' follows the system."""
        self._chosen = scheme if scheme in SCHEMES else ""
        preferences().setValue(_SCHEME, self._chosen)
        self.use(SCHEMES[self._chosen] if self._chosen else self._of_system())

    def resize(self, per_cent: int) -> None:
        """Change to a text size, 100-300 per cent of the usual one, and remember it; widgets made from now on fit."""
        choose_scale(per_cent)
        self._app.setFont(base_font())
        self._apply()

    @Slot()
    def forget_widgets(self) -> None:
        """Free Qt's caches of deleted widgets once no window is left.

        QStyleSheetStyle::renderRule keeps some 900 bytes for every spin box and combo box ever created until a style
        sheet is set (seen with Qt 6.11).
        """
        if not any(widget.isVisible() for widget in self._app.topLevelWidgets()):
            self._app.setStyleSheet(self._app.styleSheet())
            QPixmapCache.clear()  # icons of the style sheet are reloaded

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
        self._app.setPalette(palette(self.colours))
        self._app.setStyleSheet(style_sheet(self.colours))


def chosen_scheme() -> str:
    """The scheme chosen by the user, or by IT, '' for the system's."""
    own = preferences().value(_SCHEME)
    scheme = str(policy.in_use().workstation("theme", None if own is None else str(own)))
    return scheme if scheme in SCHEMES else ""


def chosen_scale() -> int:
    """The text size, and that of everything else with it, in per cent of the usual one: 100-300."""
    value = str(preferences().value(_SCALE))
    own = min(max(int(value), 100), 300) if value.isdigit() else None
    return int(policy.in_use().workstation("scale", own))


def choose_scale(per_cent: int) -> None:
    """Store the text size."""
    preferences().setValue(_SCALE, int(per_cent))


def base_font() -> QFont:
    """The system's font, or the bundled one if none is configured, in the chosen size and with tabular figures."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if font.family().lower().startswith(_BARE) or font.family() not in QFontDatabase.families():
        bundled = _register_fonts()
        if bundled:
            font = QFont(bundled)
    font.setPixelSize(round(BASE * chosen_scale() / 100))
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def sized(font: QFont, pixels: int, *, strong: bool = False) -> QFont:
    """The font in another size of the usual text size, semibold if ``strong``."""
    other = QFont(font)
    other.setPixelSize(px(pixels))
    if strong:
        other.setWeight(QFont.Weight.DemiBold)
    return other


def _register_fonts() -> str:
    """Register the bundled fonts; returns their family, '' if they are missing."""
    family = ""
    for name in _FONTS:
        try:
            number = QFontDatabase.addApplicationFont(str(resource("fonts", name)))
        except InputError:
            continue
        family = family or next(iter(QFontDatabase.applicationFontFamilies(number)), "")
    return family


def palette(c: Colours) -> QPalette:
    """The palette of the application in these colours."""
    made = QPalette()
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
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, faded(c.text, 0.45))
    return made


def style_sheet(c: Colours) -> str:
    """The style sheet of the application in these colours."""
    scheme = "dark" if c.dark else "light"
    # In high contrast, muted text alone would hardly show that a control is disabled.
    disabled = "dashed" if c is CONTRAST else "solid"
    arrow, arrow_up, tick = (
        resource("icons", f"{name}-{scheme}.svg").as_posix() for name in ("chevron", "chevron-up", "tick")
    )
    template = _LENGTH.sub(lambda found: f"{px(int(found[1]))}px", resource("style.qss").read_text(encoding="utf-8"))
    return Template(template).substitute(asdict(c), disabled=disabled, arrow=arrow, arrow_up=arrow_up, tick=tick)
