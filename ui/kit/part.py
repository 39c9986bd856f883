"""A part of a page: asks for a record, says that it waits, and shows what came, or why nothing did and what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from ui.kit.action import push_button
from ui.kit.files import FileSaver
from ui.kit.layout import vbox
from ui.kit.text import show_text, wrapped
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.progress import Progress
    from ui.kit.layout import Item
    from ui.records import Opened
    from ui.tasks import Failure, Tasks

Question = TypeVar("Question")
Record = TypeVar("Record")
Ask = Callable[["Department", "Progress"], Record]
"""Work of the worker."""


class Messages(Protocol):
    """The message bar, which reports bugs."""

    def tell_bug(self, failure: Failure) -> None: ...


class Services(FileSaver, Protocol):
    """What parts need of the window: the shell."""

    tasks: Tasks

    @property
    def messages(self) -> Messages: ...

    @property
    def opened(self) -> Opened | None: ...

    def run(
        self,
        operation: str,
        work: Ask[Record],
        done: Callable[[Record], None],
        *,
        title: str = "",
        failed: Callable[[Failure], None] | None = None,
        stopped: Callable[[], None] | None = None,
        keeps: bool = False,
        shares: bool = False,
        long: bool = False,
    ) -> None: ...

    def go(self, stage: str, **where: Any) -> None: ...


class Part(QWidget, Generic[Question, Record]):
    """A piece of a page that answers a question, such as a selection, with a record of the open department.

    A part lays out its content (``lay_out``), says how its record is worked out (``ask``) and how it is put on screen
    (``show_record``).  Its page asks it to ``show_for`` a question.  Until the record has come, and where there is
    none, a note stands in place of the content: ``waiting``, why it is ``withheld``, or why it failed, with a button
    that tries again.  A record that nobody asks for any more is dropped.

    operation: of the worker; parts beside each other need different ones
    came: a record has come, to be shown or withheld
    """

    came = Signal(object)
    operation: str
    on_request = False
    """Whether the record is asked for by ``ask_now`` alone, because it takes long."""

    def __init__(self, shell: Services, waiting: str) -> None:
        super().__init__()
        self.shell = shell
        self.question: Question | None = None
        """What is to be shown."""
        self.record: Record | None = None
        """What is on show."""
        self._waiting = waiting
        self._asked: tuple[object, Question | None] | None = None
        self.note = wrapped()
        self.again = push_button(say("Try again"), self.ask_now)
        self.content = QWidget()

    # --- defined by each part ----------------------------------------------------------------------

    def ask(self, question: Question) -> Ask[Record]:
        """Return the work that makes the record; it runs in the worker, so it must not refer to any widget."""
        raise NotImplementedError

    def known(self, question: Question) -> Record | None:
        """Return the record where it is at hand without the worker, else None."""
        return None

    def show_record(self, record: Record) -> None:
        """Put the record on screen."""
        raise NotImplementedError

    def summary(self, record: Record) -> str:
        """Return the note above the content."""
        return ""

    def withheld(self, record: Record) -> str:
        """Return why the record is not shown, such as too few findings; '' to show it."""
        return ""

    # --- shared by all -----------------------------------------------------------------------------

    def lay_out(self, *content: Item, above: tuple[Item, ...] = ()) -> None:
        """Lay out the content, the note, and ``above`` them what is always there."""
        vbox(*content, parent=self.content)
        again = (self.again, 0, Qt.AlignmentFlag.AlignLeft)
        vbox(*above, self.note, again, (self.content, 1), (None, 0), parent=self, margins=(0, 8, 0, 0))
        self._show_note("")

    def show_for(self, question: Question) -> None:
        """Show the record of a question, unless it is on show or under way."""
        asked = self.shell.opened, question
        if asked == self._asked:
            return
        self._asked, self.question, self.record = asked, question, None
        self.shell.tasks.forget(self.operation)
        if (record := self.known(question)) is not None:
            self._came(record)
        elif self.on_request:
            self._show_note("")
        else:
            self.ask_now()

    def forget(self) -> None:
        """Ask anew when the part is next shown: its record no longer holds."""
        self._asked = None

    @Slot()
    def ask_now(self) -> None:
        """Ask for the record of the question."""
        if self.question is not None:
            self._show_note(self._waiting)
            self.shell.run(self.operation, self.ask(self.question), self._came, failed=self.fail)

    def renew(self) -> None:
        """Put the record on screen again, because how it is shown has changed."""
        if self.record is not None:
            self._came(self.record)

    def fail(self, failure: Failure) -> None:
        """Say why there is no record; it is asked for again by the button, and when the part is next shown."""
        self._asked = self.record = None
        self._show_note(typographic(failure.text) or failure.technical.splitlines()[0])
        self.again.show()
        self.shell.messages.tell_bug(failure)

    def _came(self, record: Record) -> None:
        self.record = record
        why = self.withheld(record)
        self._show_note(why or self.summary(record), content=not why)
        if not why:
            self.show_record(record)
        self.came.emit(record)

    def _show_note(self, text: str, *, content: bool = False) -> None:
        show_text(self.note, text)
        self.again.hide()
        self.content.setVisible(content)
