"""A trainee's draft against the signed wording: both texts with what changed marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QSplitter, QTextEdit, QWidget

from ui.kit.layout import card, vbox
from ui.kit.text import label, wrapped
from ui.pages.results.cases.versions import version_facts
from ui.sentences import topic_name
from ui.theme import in_use
from ui.words import listed, quoted, say

if TYPE_CHECKING:
    from radcal.calibration.cases import DraftAndSigned


class DraftView(QWidget):
    """Shows one comparison."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: DraftAndSigned | None = None
        self.summary = wrapped()
        self.heads = label(role="strong"), label(role="strong")
        self.texts = QTextEdit(), QTextEdit()
        both = QSplitter()
        both.setChildrenCollapsible(False)
        for head, text, name in zip(self.heads, self.texts, (say("The draft"), say("The signed report")), strict=True):
            text.setReadOnly(True)
            text.setTabChangesFocus(True)
            text.setFrameShape(QTextEdit.Shape.NoFrame)
            text.document().setDocumentMargin(12)
            text.setAccessibleName(name)
            part = QWidget()
            vbox(head, (card(vbox(text, margins=(1, 1, 1, 1))), 1), parent=part, spacing=4)
            both.addWidget(part)
        vbox(self.summary, (both, 1), parent=self)
        self.setFocusProxy(self.texts[0])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._write()

    def show_draft(self, shown: DraftAndSigned | None) -> None:
        """Show this comparison."""
        self._shown = shown
        if shown is None:
            return
        self.heads[0].setText(version_facts(shown.draft, say("Draft")))
        self.heads[1].setText(version_facts(shown.signed, say("Signed")))
        self.summary.setText(_summary(shown))
        self._write()

    def _write(self) -> None:
        if self._shown is None:
            return
        for text, kind in zip(self.texts, ("removed", "added"), strict=True):
            text.clear()
            cursor = QTextCursor(text.document())
            for change in self._shown.changes:
                if change.kind in ("", kind):
                    cursor.insertText(change.text, self._format(change.kind))
            text.moveCursor(QTextCursor.MoveOperation.Start)

    def _format(self, kind: str) -> QTextCharFormat:
        """Marked by more than colour, for those who cannot tell colours apart."""
        made = QTextCharFormat()
        if kind:
            made.setBackground(QColor(in_use().mark))
            made.setFontWeight(QFont.Weight.DemiBold)
            made.setFontStrikeOut(kind == "removed")
            made.setFontUnderline(kind == "added")
        return made


def _summary(shown: DraftAndSigned) -> str:
    """What the changes mean, as the rules read both texts."""
    if all(not change.kind for change in shown.changes):
        return say("The draft was signed as it was.")
    changed = [
        say(
            "{pathology} from {draft} to {signed}",
            pathology=topic_name(row.pathology),
            draft=quoted(row.draft) if row.draft else say("nothing"),
            signed=quoted(row.signed) if row.signed else say("nothing"),
        )
        for row in shown.phrases
        if row.changed
    ]
    if not changed:
        return say("The wording changed, what it says of each pathology did not.")
    return say("What changed: {changes}.", changes=listed(changed))
