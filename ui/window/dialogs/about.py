"""The RadCal version, its components, and their licences."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, metadata

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QWidget

from radcal import __version__
from ui.widgets.buttons import dialog_buttons, push_button
from ui.widgets.labels import label, wrapped
from ui.widgets.layouts import vbox
from ui.words import say

_PACKAGES = (
    ("PySide6-Essentials", "LGPL-3.0"),
    ("pyqtgraph", "MIT"),
    ("numpy", "BSD-3-Clause"),
    ("scipy", "BSD-3-Clause"),
    ("scikit-learn", "BSD-3-Clause"),
    ("pandas", "BSD-3-Clause"),
    ("pot", "MIT"),
    ("llama-cpp-python", "MIT"),
    ("sqlcipher3", "Zlib"),
    ("typst", "Apache-2.0"),
    ("cattrs", "MIT"),
    ("python-calamine", "MIT"),
    ("xlrd", "BSD-3-Clause"),
    ("hl7", "BSD-3-Clause"),
    ("pydicom", "MIT"),
    ("xlsxwriter", "BSD-2-Clause"),
    ("pypdfium2", "Apache-2.0 or BSD-3-Clause"),
    ("zxcvbn", "MIT"),
    ("jinja2", "BSD-3-Clause"),
    ("tqdm", "MPL-2.0 and MIT"),
)


class AboutDialog(QDialog):
    """Versions and licences, for copying into a bug report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("About RadCal"))
        self.setMinimumSize(520, 480)
        self.text = QTextBrowser()
        self.text.setAccessibleName(say("Versions and licences"))
        self.text.setPlainText("\n".join(versions()))
        buttons = dialog_buttons(self)
        buttons.addButton(push_button(say("C&opy"), self._copy), QDialogButtonBox.ButtonRole.ActionRole)
        vbox(
            label(f"RadCal {__version__}", role="title"),
            wrapped(
                say(
                    "Do radiologists\u2019 certainty words mean what readers take them to mean? Measured against CT,"
                    " on this computer alone: nothing leaves it. RadCal describes words. It is no medical device"
                    " and no basis for decisions about a patient or a radiologist."
                )
            ),
            label(say("Licence: Apache-2.0; the bundled font Inter: OFL-1.1"), role="muted"),
            (self.text, 1),
            buttons,
            parent=self,
            margins=(20, 16, 20, 16),
        )
        buttons.buttons()[0].setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"RadCal {__version__}\n" + "\n".join(versions()))


def versions() -> list[str]:
    """One line per component: name, version, licence."""
    lines = [f"Python {platform.python_version()} (PSF-2.0), {platform.platform()}", f"Qt {qVersion()} (LGPL-3.0)"]
    for package, licence in _PACKAGES:
        try:
            lines.append(f"{package} {metadata(package)['Version']} ({licence})")
        except PackageNotFoundError:  # a packaged build may carry a library without its description
            lines.append(f"{package} ({licence})")
    return lines
