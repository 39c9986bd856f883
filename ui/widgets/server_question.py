"""Before reports are sent to a server: is that meant, and is it the hospital's?"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.text import wrapped
from ui.words import say

_WIDTH = 480


class ServerQuestion(Dialog):
    """Says what would leave this computer, and for where; ``accepted`` if that is meant.

    Args:
        host: of the server.
        as_read: number of reports that are stored with the names and numbers in their texts.
    """

    def __init__(self, parent: QWidget, host: str, as_read: int, meant: Callable[[], object]) -> None:
        super().__init__(say("Send reports to a server?"), parent, width=_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        paragraphs = (
            say(
                "To be read, the texts of X-ray and CT reports would be sent to {host}, and nowhere else. Go on only if"
                " this is a server of your hospital, and its IT says that it may read reports.",
                host=host,
            ),
            _identifiers(as_read),
            say(
                "While this is on, the foot of the window names the server on every page. The audit log has who"
                " switched it on, and when. Another engine switches it off."
            ),
        )
        self.text = wrapped("\n\n".join(paragraphs))
        self.send = push_button(say("&Send reports there"))
        self.lay_out(self.text, accept=self.send, spacing=12)
        for button in self.buttons.buttons():  # Enter sends nothing
            if isinstance(button, QPushButton):
                button.setDefault(button is not self.send)
                button.setAutoDefault(button is not self.send)
                if button is not self.send:
                    button.setFocus()
        self.accepted.connect(meant)


def _identifiers(as_read: int) -> str:
    if not as_read:
        return say(
            "The texts are sent as they are stored: names, numbers, addresses and dates were taken out or shifted when"
            " they were imported, as far as RadCal finds them. What they say of findings is still patient data."
        )
    return say(
        "The texts are sent as they are stored. One report is stored as it was read, with the names, dates and numbers"
        " in it. Settings can de-identify it first.",
        many="The texts are sent as they are stored. {n:,} reports are stored as they were read, with the names, dates"
        " and numbers in them. Settings can de-identify them first.",
        n=as_read,
    )
