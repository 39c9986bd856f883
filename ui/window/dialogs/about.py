"""The RadCal version, its components, and their licences."""

from __future__ import annotations

import platform

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QTextBrowser, QWidget

from radcal.system.components import components, licence_texts
from radcal.system.version import __version__
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.layout import Tabs
from ui.kit.text import label, wrapped
from ui.theme import px
from ui.words import say


class AboutDialog(Dialog):
    """Versions and licences, for copying into a bug report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("About RadCal"), parent)
        self.setMinimumSize(px(520), px(480))
        self.text, self.licences = QTextBrowser(), QTextBrowser()
        self.text.setPlainText("\n".join(versions()))
        self.tabs = Tabs(say("Views"), document=False)
        for text, name in ((self.text, say("Versions and licences")), (self.licences, say("Licence texts"))):
            text.setAccessibleName(name)
            self.tabs.addTab(text, name)
        self.tabs.currentChanged.connect(self._show_licences)
        self.buttons.addButton(push_button(say("C&opy"), self._copy), QDialogButtonBox.ButtonRole.ActionRole)
        self.lay_out(
            label(f"RadCal {__version__}", role="title"),
            wrapped(
                say(
                    "Do radiologists\u2019 certainty words mean what readers take them to mean? Measured against CT,"
                    " on this computer: nothing leaves it, unless a department lets a server of its hospital read its"
                    " reports. RadCal describes words. It is no medical device"
                    " and no basis for decisions about a patient or a radiologist."
                )
            ),
            label(say("Licence: Apache-2.0; the bundled font Inter: OFL-1.1"), role="muted"),
            (self.tabs, 1),
        )
        self.buttons.buttons()[0].setFocus()

    def _show_licences(self) -> None:
        """Read the licence texts when they are first wanted."""
        if self.licences.document().isEmpty():
            self.licences.setPlainText("\n\n".join(_licences()))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"RadCal {__version__}\n" + "\n".join(versions()))


def versions() -> list[str]:
    """One line per component: name, version, licence."""
    lines = [platform.platform()]
    for part in components()[1:]:
        licence = part.licence or say("licence not stated")
        name = f"{part.within}: {part.name}" if part.within else part.name
        lines.append(" ".join(filter(None, (name, part.version, part.commit[:9], f"({licence})"))))
    return lines


def _licences() -> list[str]:
    """The licence texts of every component, those of several once under the names of all."""
    whose: dict[tuple[str, ...], list[str]] = {}
    for part in components():
        if texts := licence_texts(part):
            whose.setdefault(texts, []).append(part.name)
    told = [(", ".join(dict.fromkeys(names)), texts) for texts, names in whose.items()]
    return [f"{names}\n{'=' * len(names)}\n\n" + "\n\n".join(texts) for names, texts in told]
