"""How to read a result, what each page is for, how results are worked out, and the keys."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QTextBrowser, QWidget

from radcal.system.kinds import FileKind
from ui.kit.action import push_button
from ui.pages.help.text import Section, sections
from ui.pages.stage import StagePage
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.records import Opened
    from ui.shell import Shell

_WIDEST = 840
_NARROW = 640
"""Width of the page below which there is no room for the list of sections."""


class HelpPage(StagePage):
    """One text with its table of contents beside it."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.title.setText(say("Help"))
        self.sentence.setText(say("How to read a result, what each page is for, and how it is worked out."))
        self._sections: tuple[Section, ...] = ()
        self.tour = push_button(say("Take the &tour"), shell.tour_wanted, primary=True)
        self.head.addWidget(self.tour, 0, 2)
        self.list = QListWidget()
        self.list.setAccessibleName(say("Sections of the help"))
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._row_chosen)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(say("Help"))
        self.text.document().setDocumentMargin(16)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setMaximumWidth(_WIDEST)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.list)
        row.addWidget(self.text, 1)
        row.addStretch(0)
        self.body.addLayout(row, 1)
        self._fill(FileKind.DEPARTMENT)

    def show_department(self, opened: Opened | None) -> None:
        """Leave out pages that a file of this kind lacks."""
        kind = opened.kind if opened is not None else FileKind.DEPARTMENT
        self.tour.setVisible(kind is FileKind.DEPARTMENT)
        self._fill(kind)

    def _fill(self, kind: FileKind) -> None:
        shown = sections(kind)
        if shown == self._sections:
            return
        self._sections = shown
        with QSignalBlocker(self.list):
            self.list.clear()
            for section in shown:
                self.list.addItem(QListWidgetItem(section.title))
            self.list.setCurrentRow(0)
        frame = 2 * self.list.frameWidth() + self.list.verticalScrollBar().sizeHint().width()
        self.list.setFixedWidth(self.list.sizeHintForColumn(0) + frame + 12)
        self.text.setHtml("".join(map(_html, shown)))

    def arrive(self, *, section: str = "", **_where: object) -> None:
        """Scroll to a section and focus it; without one, the position stays."""
        self.text.setFocus()
        if section:
            self.show_section(section)

    def show_section(self, name: str) -> None:
        """Scroll to a section: the key of a page, or 'read', 'luck', 'privacy' or 'keys'."""
        row = next((i for i, s in enumerate(self._sections) if s.key == name), 0)
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(row)
        self._scroll(row)

    @Slot(int)
    def _row_chosen(self, row: int) -> None:
        if 0 <= row < len(self._sections):
            self._scroll(row)

    def _scroll(self, row: int) -> None:
        if row == 0:
            self.text.verticalScrollBar().setValue(0)  # the margin above the text included
        else:
            self.text.scrollToAnchor(self._sections[row].key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a narrow page the text takes the full width."""
        super().resizeEvent(event)
        self.list.setVisible(self.width() >= _NARROW)


def _html(section: Section) -> str:
    head = f'<h3 style="font-size:13px"><a name="{section.key}"></a>{html.escape(section.title)}</h3>'
    return head + "".join(f'<p style="line-height:140%">{html.escape(text)}</p>' for text in section.paragraphs)
