"""What pages have in common that show radiologists beside each other.

Pseudonyms replace names unless the user asks for names, and again once the page is left or another file is opened.
Nobody is ranked: radiologists are ordered by name or by n.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox

from ui.kit.form import choice
from ui.kit.layout import FlowLayout, Tabs, panel, scrolled, vbox
from ui.kit.text import wrapped
from ui.pages.stage import StagePage
from ui.sentences import why_not_handed_on, workload_warning
from ui.widgets.empty import NOTHING_SAID
from ui.widgets.time_controls import TimeControls
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QScrollArea, QWidget

    from radcal.reliability.comparison_records import Comparison, Member, Trend
    from radcal.reliability.days import Unit
    from radcal.system.selection import Selection
    from ui.kit.column import RecordModel
    from ui.kit.layout import Item
    from ui.kit.picture import PictureView
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure


class _Person(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def alias(self) -> str: ...

    @property
    def n(self) -> float: ...


Person = TypeVar("Person", bound=_Person)


@dataclass(frozen=True, slots=True)
class Naming:
    """How radiologists are shown.

    named: by the names of the open department, not under pseudonyms
    by_n: in the order of n, not of what they are called
    """

    opened: Opened | None
    named: bool = False
    by_n: bool = False

    def called(self, person: _Person) -> str:
        """The name or the pseudonym."""
        return self.opened.called(person.name) if self.named and self.opened is not None else person.alias

    def ordered(self, people: Iterable[Person]) -> list[tuple[str, Person]]:
        """The people in their order, each with what they are called."""
        called = ((self.called(p), p) for p in people)
        return sorted(called, key=lambda pair: (-pair[1].n if self.by_n else 0.0, pair[0].casefold()))

    @property
    def why_kept(self) -> str:
        """Why pictures of them stay on the screen; '' if they need not."""
        return why_not_handed_on(named=self.named)


class NamesBox(QCheckBox):
    """Shows names in place of pseudonyms; where names are not known, it stays clear and says why.

    turned: names are shown now, or pseudonyms again
    """

    turned = Signal()

    def __init__(self, shell: Shell, text: str, tip: str) -> None:
        super().__init__(text)
        self._shell = shell
        self.setToolTip(tip)
        self.toggled.connect(self._toggled)

    @Slot()
    def _toggled(self, *_: object) -> None:
        opened = self._shell.opened
        if self.isChecked() and opened is not None and opened.names_missing:
            self.setChecked(False)
            self._shell.tell_names_missing()
        else:
            self.turned.emit()


class RadiologistsPage(StagePage):
    """Shows a comparison of all radiologists in tabs, and a trend in one of them, ``time``.

    A page lays out its controls (``lay_out``), then its views in tabs (``add_tab``, ``add_trend``).  It asks for its
    records in ``ask_all`` and ``ask_trend``, whose answers go to ``loaded``, ``failed``, ``trend_loaded`` and
    ``trend_failed``, and draws them in ``show_compared`` and ``show_trend``.

    name, closed: the page's name, and what a workspace is to be opened for
    by_n: the text of the order by n
    """

    uses_selection = True
    model: RecordModel
    """Of the table of all radiologists."""

    def __init__(
        self,
        shell: Shell,
        parent: QWidget | None,
        time: PictureView[Any],
        *,
        name: str,
        closed: str,
        by_n: str,
    ) -> None:
        super().__init__(shell, parent)
        self.compared: Comparison | None = None
        self.trend: Trend | None = None
        self._name, self._closed = name, closed
        self._department: object = None
        self._here, self._stale, self._trend_stale = False, True, True
        self.title.setText(name)
        self.order = choice(say("Order"), (say("by name"), "name"), (by_n, "n"))
        tip = say("Real names in place of pseudonyms, until you leave this page or untick this")
        self.names = NamesBox(shell, say("Show &names"), tip)
        self.warning = wrapped(workload_warning(), role="muted")
        self.over = TimeControls(self)
        self.time = time
        self.pictures: list[PictureView[Any]] = [time]
        """All of radiologists, which are withheld under pseudonyms."""
        self.tabs = Tabs(say("Views"))
        self.order.currentIndexChanged.connect(self._show)
        self.names.turned.connect(self._names_turned)
        self.over.asked.connect(self._trend_asked)
        self.tabs.currentChanged.connect(self._ask)

    def lay_out(self, *controls: QWidget) -> None:
        """Put the controls in a row above the views; the keyboard comes to them in this order."""
        self.body.addLayout(_row(*controls))
        self.body.addWidget(self.warning)
        self.body.addWidget(self.tabs, 1)

    def add_tab(self, name: str, *parts: Item) -> QScrollArea:
        """Add a view: the parts in a column that scrolls."""
        view = scrolled(panel(vbox(*parts, margins=(0, 12, 0, 0))), sideways=True)
        self.tabs.addTab(view, name)
        return view

    def add_trend(self, *controls: QWidget) -> None:
        """Add the view over time, with more controls behind those of radiologist and period."""
        self._over_time = self.add_tab(say("Over &time"), _row(*self.over.parts, *controls), (self.time, 1))

    # --- defined by each page ----------------------------------------------------------------------

    def ask_all(self) -> None:
        """Ask for the comparison."""

    def ask_trend(self, author: str, unit: Unit) -> None:
        """Ask for the trend of an author, '' for all, by 'quarter' or 'month'."""

    def show_compared(self, compared: Comparison, people: Sequence[tuple[str, Member]]) -> None:
        """Show the comparison: its members in their order, each with what they are called."""

    def show_trend(self, trend: Trend, opened: Opened) -> None:
        """Show the trend."""

    def offer(self, people: Sequence[tuple[str, str]]) -> None:
        """Offer these radiologists to choose from, each as called and as author."""
        self.over.offer(people)

    def forget(self) -> None:
        """Another file is open: nothing of the one before stays."""
        self.compared = self.trend = None
        self.sentence.clear()
        self.model.set_rows(())
        for picture in self.pictures:
            picture.wait()

    # --- calls of the window -----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another department, or its new results."""
        department = None if opened is None else opened.department
        if department is not self._department:
            self._department = department
            self.names.setChecked(False)
            self.undo_stack.clear()
            self.forget()
            self._show()
        self._renew()

    @Slot(object)
    def show_selection(self, _selection: Selection | None) -> None:
        """Show what is selected now."""
        self._renew()

    def arrive(self, **_where: Any) -> None:
        """Ask for what is to be seen, unless that is done."""
        self._here = True
        self._ask()

    def leave(self) -> None:
        """Return to pseudonyms: real names are shown for one visit only."""
        self._here = False
        self.names.setChecked(False)

    # --- asking the worker -------------------------------------------------------------------------

    @property
    def personal(self) -> str:
        """The author of a personal file; '' of a department."""
        return "" if self.shell.opened is None else self.shell.opened.personal

    def _renew(self) -> None:
        self._stale = self._trend_stale = True
        opened = self.shell.opened
        if opened is None:
            self.show_closed(self._name, self._closed)
        elif not opened.of_radiologists:
            self.sentence.clear()
            why = typographic(opened.reason) or say("There is nothing to compare yet.")
            self.show_empty(why, say("Go to &import"), "import")
        else:
            self.show_content()
            self._ask()

    @property
    def asks(self) -> bool:
        """Whether there is somebody to see what the worker would answer."""
        return self._here and not self.is_empty and self.shell.opened is not None

    @Slot()
    def _ask(self, *_: object) -> None:
        """Ask for what the view on show lacks."""
        if not self.asks:
            return
        if self._stale:
            self._stale = False
            self.ask_all()
        if self._trend_stale and self.tabs.currentWidget() is self._over_time:
            self._trend_stale = False
            self.ask_trend(self.over.author, self.over.unit.currentData())

    @Slot()
    def _trend_asked(self, *_: object) -> None:
        self._trend_stale = True
        self._ask()

    def loaded(self, compared: Comparison) -> None:
        """The comparison has come."""
        self.compared = compared
        self._offer()
        self._show()

    def failed(self, failure: Failure) -> None:
        """There is no comparison."""
        self.compared = None
        # Stopped or refused: the next visit asks again.
        self._stale = failure.kind != NOTHING_SAID
        text = typographic(failure.text)
        self.sentence.setText(text)
        self.model.set_rows(())
        for picture in self.pictures:
            if picture is not self.time:
                picture.show_text(text)
        self.shell.messages.tell_bug(failure)

    def trend_loaded(self, trend: Trend) -> None:
        """The trend has come."""
        self.trend = trend
        self._show_trend()

    def trend_failed(self, failure: Failure) -> None:
        """There is no trend."""
        self.trend = None
        self._trend_stale = failure.kind != NOTHING_SAID
        self.time.show_text(typographic(failure.text))
        self.shell.messages.tell_bug(failure)

    # --- showing -----------------------------------------------------------------------------------

    @property
    def naming(self) -> Naming:
        """How radiologists are shown now."""
        return Naming(self.shell.opened, self.names.isChecked(), self.order.currentData() == "n")

    def _offer(self) -> None:
        if self.compared is not None:
            people = replace(self.naming, by_n=False).ordered(self.compared.members)
            self.offer([(called, m.name) for called, m in people])

    @Slot()
    def _show(self, *_: object) -> None:
        naming = self.naming
        self.warning.setVisible(not naming.named and not self.personal)
        self.model.show_people(named=naming.named)
        for picture in self.pictures:
            picture.withhold("" if self.personal else naming.why_kept)
        if self.compared is not None:
            self.show_compared(self.compared, naming.ordered(self.compared.members))

    def _show_trend(self) -> None:
        if self.trend is not None and self.shell.opened is not None:
            self.show_trend(self.trend, self.shell.opened)

    @Slot()
    def _names_turned(self) -> None:
        self._offer()
        self._show()
        self._show_trend()


def _row(*parts: QWidget) -> FlowLayout:
    row = FlowLayout(spacing=8)
    for part in parts:
        row.addWidget(part)
    return row
