"""The messages of a file one at a time: as it is written, beside what was read of it; and all that cannot be read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QSplitter, QWidget

from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel
from ui.kit.layout import hbox, vbox
from ui.kit.table import RowsView
from ui.kit.text import label, wrapped
from ui.pages.reports.importing import work
from ui.pages.reports.importing.sentences import position_text
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.reports.preview import Message, Place
    from ui.shell import Shell
    from ui.tasks import Failure

_ROW, _FIELD = 24, 190
_TWO_LINES, _POSITION = 56, 120
LOOK = "import message"
"""The operation that reads the message shown."""


class MessagesView(QWidget):
    """Shows one message of a file at a time.  Its text is read from the file whenever it is shown, and not kept."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._places: Sequence[Place] = ()
        self.current = 0
        """The number of the message shown, from 0."""
        self.where = label(role="strong")
        self.where.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.previous = push_button(say("Previous"), lambda: self.show_message(self.current - 1))
        self.next = push_button(say("Next"), lambda: self.show_message(self.current + 1))
        self.said = wrapped()
        self.raw, self.text = _text(say("As it is written")), _text(say("The text of the report"))
        self.raw.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.model = RecordModel((Column(say("field"), _first, tip=_first), Column(say("value"), _second, tip=_second)))
        self.values = RowsView(_ROW)
        self.values.setModel(self.model)
        self.values.setAccessibleName(say("As it is read"))
        self.values.setMinimumHeight(4 * _ROW)
        self.values.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.values.horizontalHeader().setStretchLastSection(True)
        self.values.horizontalHeader().resizeSection(0, _FIELD)
        both = QSplitter()
        both.setChildrenCollapsible(False)
        both.addWidget(_part(say("As it is written"), self.raw))
        read = QSplitter(Qt.Orientation.Vertical)
        read.setChildrenCollapsible(False)
        read.addWidget(_part(say("As it is read"), self.values))
        read.addWidget(self.text)
        both.addWidget(read)
        both.setSizes([400, 400])
        both.setMinimumHeight(300)
        vbox(hbox((self.where, 1), self.previous, self.next), self.said, (both, 1), parent=self, spacing=6)

    @property
    def places(self) -> Sequence[Place]:
        """The messages, in order."""
        return self._places

    def set_places(self, places: Sequence[Place]) -> None:
        """Show the messages of a file, from the first; nothing is read while there are none."""
        self._places = places
        self._clear()
        if places:
            self.show_message(0)
        else:
            self._shell.tasks.forget(LOOK)

    @Slot(int)
    def show_message(self, number: int) -> None:
        """Show a message by its number, from 0."""
        if not 0 <= number < len(self._places):
            return
        self.current = number
        place = self._places[number]
        self._clear()
        self.where.setText(
            say(
                "{number} of {n}: {where}",
                number=whole(number + 1),
                n=whole(len(self._places)),
                where=typographic(place.where),
            )
        )
        self.where.setToolTip(self.where.text())
        self.said.setText(_why(place))
        self.said.setVisible(bool(place.reason))
        self.previous.setEnabled(number > 0)
        self.next.setEnabled(number < len(self._places) - 1)
        self._shell.tasks.start(
            LOOK, partial(work.look_at_message, place), done=self._show, failed=self._failed, guest=True
        )

    def _clear(self) -> None:
        for part in (self.raw, self.text):
            part.clear()
        self.model.set_rows(())

    def _show(self, message: Message) -> None:
        self.raw.setPlainText(message.raw or say("(not text)"))
        self.model.set_rows([value for values, _ in message.reports for value in values])
        self.text.setPlainText("\n\n\u2500\u2500\u2500\u2500\n\n".join(text for _, text in message.reports))

    def _failed(self, failure: Failure) -> None:
        self.said.setText(failure.text)
        self.said.setVisible(bool(failure.text))


class UnreadableView(RowsView):
    """The messages that cannot be read or are in doubt, each with its place and reason; ``chosen`` has its number."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(_ROW)
        self._one_file = True
        self.model_of = RecordModel(
            (
                Column(say("position"), self._where, sort=lambda it: it[0], tip=lambda it: typographic(it[1].where)),
                Column(say("what is wrong with it"), lambda it: typographic(it[1].reason), tip=lambda it: _why(it[1])),
            )
        )
        self.setModel(self.model_of)
        self.setAccessibleName(say("what is wrong with it"))
        self.setMinimumHeight(5 * _ROW)
        self.setWordWrap(True)
        self.verticalHeader().setDefaultSectionSize(_TWO_LINES)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().resizeSection(0, _POSITION)
        self.selectionModel().currentRowChanged.connect(self._choose)

    def set_places(self, places: Sequence[Place]) -> None:
        """List those of these messages that have a reason."""
        self._one_file = len({place.file for place in places}) < 2
        with QSignalBlocker(self.selectionModel()):
            self.model_of.set_rows([(n, place) for n, place in enumerate(places) if place.reason])

    def _where(self, numbered: tuple[int, Place]) -> str:
        """The position, below the file within the folder where there are several."""
        place = numbered[1]
        position = position_text(place.unit, place.position)
        file = place.file if place.folder is None else place.file.partition("/")[2]
        return position if self._one_file and position else "\n".join(filter(None, (file, position)))

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex, *_: object) -> None:
        if index.isValid():
            self.chosen.emit(self.model_of.row(index.row())[0])


def _why(place: Place) -> str:
    return " ".join(typographic(sentence) for sentence in (place.reason, place.remedy) if sentence)


def _first(pair: tuple[str, str]) -> str:
    return typographic(pair[0])


def _second(pair: tuple[str, str]) -> str:
    return pair[1]


def _text(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setReadOnly(True)
    made.setTabChangesFocus(True)
    made.setAccessibleName(name)
    return made


def _part(heading: str, widget: QWidget) -> QWidget:
    part = QWidget()
    vbox(label(heading, role="muted"), (widget, 1), parent=part, spacing=4)
    return part
