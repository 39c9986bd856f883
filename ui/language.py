"""The window's language and the system's number and date formats."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from radcal.system import policy
from radcal.system.errors import InputError
from radcal.system.language.catalogue import Language
from radcal.system.language.catalogue import language as catalogue
from radcal.system.language.wording import NO_WORDING
from ui.preferences import preferences

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Code and the language's own name."""

_KEY = "language"
_installed: list[QTranslator] = []
"""The translators of Qt's own texts in use; Qt keeps no reference of its own."""


def chosen() -> str:
    """The user's choice, or that of IT: a code of LANGUAGES, or '' for the system's language."""
    own = preferences().value(_KEY)
    code = str(policy.in_use().workstation("language", None if own is None else str(own)))
    return code if code in LANGUAGES else ""


def choose(code: str) -> None:
    """Store the choice, '' for the system's language."""
    preferences().setValue(_KEY, code)


def preferred() -> str:
    """The language code to use: the chosen one, else the system's if translated."""
    system = QLocale.system().name().split("_")[0]
    return chosen() or (system if system in LANGUAGES else "en")


def spoken() -> Language:
    """The window's language."""
    return _spoken[-1]


def use(app: QCoreApplication, code: str) -> None:
    """Switch to this language; existing windows keep theirs.  Numbers and dates follow."""
    while _installed:
        app.removeTranslator(_installed.pop())
    locale = _locale(code)
    QLocale.setDefault(locale)
    try:
        speech = catalogue(code)
    except InputError:  # an installation without translations speaks English
        speech = catalogue()
    _spoken[:] = [_in_window(speech, locale)]
    _in_words_of_study()
    qt = QTranslator(app)
    if speech.code != "en" and qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(qt)
        _installed.append(qt)


def about(study: str) -> bool:
    """Speak in the words of a study from now on, '' for chest X-ray and CT; returns whether it was another before."""
    if [study] == _about:
        return False
    _about[:] = [study]
    _in_words_of_study()
    return True


def _in_words_of_study() -> None:
    """Lay the words of the study over the language in use."""
    if not any(_about):
        _spoken[:] = [replace(speech, wording=NO_WORDING) for speech in _spoken]
        return
    from radcal.system.settings import Settings
    from radcal.words.studies import spoken_in

    _spoken[:] = [replace(s, wording=spoken_in(Settings(study=_about[0]), s.code).wording) for s in _spoken]


def _in_window(speech: Language, locale: QLocale) -> Language:
    """The language with the quotation marks of the window and the numbers of a locale."""
    quotes = speech.say("\u201c{text}\u201d").partition("{text}")
    return replace(
        speech,
        quotes=(quotes[0], quotes[2]),
        apostrophe="'",
        decimal=locale.decimalPoint(),
        group=locale.groupSeparator(),
    )


def _locale(code: str) -> QLocale:
    """Number and date formats: the system's, unless another language was chosen."""
    system = QLocale.system()
    if system.language() == QLocale.Language.C:
        return QLocale("en_US" if code == "en" else code)
    return system if not chosen() or system.name().startswith(code) else QLocale(code)


_about = [""]
"""The text of the study that is spoken of."""
_spoken = [_in_window(catalogue(), QLocale("en_US"))]
"""The last is in use."""
