"""What the tabs of the Department page have in common: who is shown, under which names, and when to ask anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import Signal

from ui.kit.layout import FlowLayout
from ui.kit.part import Part, Question, Record
from ui.sentences import why_not_handed_on
from ui.widgets.empty import NOTHING_SAID
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QWidget

    from radcal.system.selection import Selection
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Naming:
    """How radiologists are shown.  named: by the names of the open department, not under pseudonyms"""

    opened: Opened | None = None
    named: bool = False

    def called(self, person: Any) -> str:
        """The name or the pseudonym of whoever has a ``name`` and an ``alias``."""
        return self.opened.called(person.name) if self.named and self.opened is not None else person.alias

    def ordered(self, people: Iterable[T]) -> list[tuple[str, T]]:
        """The people in the order of what they are called, each with that; never by their values."""
        return sorted(((self.called(p), p) for p in people), key=lambda pair: pair[0].casefold())

    @property
    def people(self) -> list[tuple[str, str]]:
        """All radiologists, each as called and as author, in the order of what they are called."""
        if self.opened is None:
            return []
        names = self.opened.names if self.named else self.opened.pseudonyms
        authors = {group.author for group in self.opened.of_radiologists}
        return sorted(((names.get(a, a), a) for a in authors), key=lambda pair: pair[0].casefold())

    @property
    def why_kept(self) -> str:
        """Why pictures of them stay on the screen; '' if they need not."""
        return why_not_handed_on(named=self.named)


class Tab(Part[Question, Record], Generic[Question, Record]):
    """A tab: its note is the sentence that it opens on.

    wanted: something else is chosen, to be asked for if the tab is on show
    nothing_said: there are no findings on the pathology in these dates
    """

    wanted = Signal()
    nothing_said = Signal()
    shell: Shell

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Comparing\u2026"))
        self.naming = Naming()
        self.note.setProperty("role", "strong")

    def question_of(self, selection: Selection) -> Question:
        """Return what to ask of a selection."""
        raise NotImplementedError

    def show_as(self, naming: Naming) -> None:
        """Show radiologists under these names."""
        self.naming = naming
        self.renew()

    def clear(self) -> None:
        """Another file is open: nothing of the one before stays."""
        self.forget()
        self.record = None
        self._show_note("")

    def fail(self, failure: Failure) -> None:
        super().fail(failure)
        if failure.kind == NOTHING_SAID:
            self.nothing_said.emit()


def row(*parts: QWidget) -> FlowLayout:
    """Controls beside each other, and below where there is no room."""
    made = FlowLayout(spacing=8)
    for part in parts:
        made.addWidget(part)
    return made
