"""The language of the window: English as written in the code, or a translation made with Qt Linguist."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from radcal.errors import InputError
from radcal.language import language as catalogue
from radcal.resources import resource
from ui.preferences import preferences

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Code and the language's own name."""

_KEY = "language"
_installed: list[QTranslator] = []
"""The translators in use; Qt keeps no reference of its own."""
_spoken = ["en"]
"""Codes of languages; the last is in use."""


def chosen() -> str:
    """What the user has chosen: a code of LANGUAGES, or '' for the language of the system."""
    code = str(preferences().value(_KEY, ""))
    return code if code in LANGUAGES else ""


def choose(code: str) -> None:
    """Remember the choice, '' for the language of the system; it holds from the next start on."""
    preferences().setValue(_KEY, code)


def preferred() -> str:
    """The code of the language to use: the chosen one, else the system's where there is a translation."""
    system = QLocale.system().name().split("_")[0]
    return chosen() or (system if system in LANGUAGES else "en")


def spoken() -> str:
    """The code of the language that the window speaks."""
    return _spoken[-1]


def use(app: QCoreApplication, code: str) -> None:
    """Speak this language from now on; windows that are there already keep theirs.  Numbers and dates follow."""
    while _installed:
        app.removeTranslator(_installed.pop())
    QLocale.setDefault(_locale(code))
    _spoken[:] = ["en"]
    if code == "en":
        return
    own, qt = QTranslator(app), QTranslator(app)
    try:
        catalogue(code)
        if own.load(str(resource("translations", f"radcal_{code}.qm"))):
            app.installTranslator(own)
            _installed.append(own)
            _spoken.append(code)
    except InputError:  # an installation without translations speaks English
        return
    if qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(qt)
        _installed.append(qt)


def _locale(code: str) -> QLocale:
    """How numbers and dates are written: as on this system, unless another language was chosen."""
    system = QLocale.system()
    if system.language() == QLocale.Language.C:
        return QLocale("en_US" if code == "en" else code)
    return system if not chosen() or system.name().startswith(code) else QLocale(code)
