"""Leads through the window, stop by stop, over the sample; it knows landmarks of pages and no page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QTimer, Signal, Slot
from PySide6.QtWidgets import QScrollArea, QWidget

from radcal.system.kinds import FileKind
from ui.kit import keyboard
from ui.preferences import note_tour_answered
from ui.stages import HOME
from ui.widgets.messages import Message
from ui.window.closing import Question
from ui.window.tour.callout import Callout
from ui.window.tour.facts import facts_of
from ui.window.tour.spotlight import Spotlight
from ui.window.tour.stops import Stop, stops
from ui.words import say

if TYPE_CHECKING:
    from ui.pages.stage import StagePage
    from ui.records import Opened
    from ui.session import Session
    from ui.shell import Shell

_LOOK_MS = 100
"""Between two looks at where the place is: pages fill, scroll and are laid out anew without telling anybody."""
_MARGIN, _AROUND = 12, 3


class Tour(QObject):
    """Opens the sample if need be, points at one place after the other, and returns to where it began.

    It ends with the last stop, when it is left, and when another workspace is opened or the results are gone.  Who goes
    to another page meanwhile goes on from there.

    Args:
        window: what it lies over;  pages: the page of a stage.
        current: the key of the page on show.
        open_sample: opens the sample; the session tells whether it was opened.
        dock: puts the text into the window.
    """

    answered = Signal()
    """The offer was taken or turned down: it is not made again."""

    def __init__(
        self,
        window: QWidget,
        shell: Shell,
        session: Session,
        pages: Callable[[str], StagePage],
        current: Callable[[], str],
        open_sample: Callable[[], None],
        dock: Callable[[QWidget], None],
    ) -> None:
        super().__init__(window)
        self._window, self._shell, self._pages = window, shell, pages
        self._current, self._open_sample, self._dock = current, open_sample, dock
        self._stops: tuple[Stop, ...] = ()
        self._at = 0
        self._waits = False
        self._found = False
        self._from = HOME
        self._before: object = None
        """What is open while the tour waits for the sample."""
        self._department: object = None
        self.callout: Callout | None = None
        """The text of the stop; None while there is no tour."""
        self.spotlight: Spotlight | None = None
        self.question: Question | None = None
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self.look)
        session.opened.connect(self._opened)
        session.closed.connect(self.drop)
        session.not_opened.connect(self._not_opened)

    # --- beginning ---------------------------------------------------------------------------------

    @property
    def is_on(self) -> bool:
        """Whether a stop is on show."""
        return self.callout is not None

    @property
    def is_offered(self) -> bool:
        """Whether it can be taken: not while somebody's own or a reader's file is open."""
        opened = self._shell.opened
        return opened is None or opened.kind is FileKind.DEPARTMENT

    @property
    def stop(self) -> Stop | None:
        """The stop on show."""
        return self._stops[self._at] if self.is_on else None

    @Slot()
    def start(self) -> None:
        """Begin; a workspace of the department's own is closed for the sample only if that is wanted."""
        opened = self._shell.opened
        if not self.is_offered or self._waits or self.question is not None:
            return
        if self.callout is not None:
            self.callout.take_keyboard()
        elif opened is None:
            self._begin_at(HOME)
        elif opened.sample:
            self._from = self._current()
            self._begin(opened)
        else:
            self.question = _question(self._window, opened.title, self._asked)
            self.question.open()

    def _asked(self, yes: bool) -> None:
        if self.question is not None:
            self.question.deleteLater()
            self.question = None
        if yes:
            self._begin_at(HOME)

    def _begin_at(self, key: str) -> None:
        opened = self._shell.opened
        self._from, self._waits = key, True
        self._before = opened.department if opened is not None else None
        self._open_sample()

    @Slot(object)
    def _opened(self, opened: Opened) -> None:
        if self._waits and opened.sample:
            self._waits = False
            self._begin(opened)
        elif self._waits and opened.department is self._before:
            pass  # its results were made anew meanwhile
        elif self.is_on and opened.department is self._department:
            self._stops = stops(facts_of(opened))  # the results were made anew
            self._at = min(self._at, len(self._stops) - 1)
        else:
            self.drop()

    @Slot()
    def _not_opened(self) -> None:
        self._waits = False

    def _begin(self, opened: Opened) -> None:
        self._department = opened.department
        self._stops, self._at = stops(facts_of(opened)), 0
        self._answer()
        self.spotlight, self.callout = Spotlight(self._window), Callout()
        self._dock(self.callout)
        self.callout.onward.connect(self.onward)
        self.callout.back.connect(self.back)
        self.callout.left.connect(self.end)
        self.spotlight.show()
        self.callout.show()
        self._looking.start()
        self._show()

    @Slot()
    def turn_down(self) -> None:
        """The offer is not wanted; say where the tour is found later."""
        self._answer()
        self._shell.messages.show_message(Message.TOUR_LATER)

    def _answer(self) -> None:
        note_tour_answered()
        self.answered.emit()

    # --- going on ----------------------------------------------------------------------------------

    @Slot()
    def onward(self) -> None:
        """To the next view; after the last one the tour ends."""
        if self._at + 1 < len(self._stops):
            self._at += 1
            self._show()
        else:
            self.end()

    @Slot()
    def back(self) -> None:
        """To the view before."""
        if self._at > 0:
            self._at -= 1
            self._show()

    def take_keyboard(self) -> bool:
        """Focus the text of the stop; False if the focus is there, or there is no tour."""
        if self.callout is None or keyboard.is_in(self.callout):
            return False
        self.callout.take_keyboard()
        return True

    def _show(self) -> None:
        stop, callout = self.stop, self.callout
        if stop is None or callout is None:
            return
        if stop.group is not None:
            from radcal.system.selection import Selection  # imports NumPy, which the first paint must not wait for

            self._shell.choose(Selection(stop.group.author, stop.group.topic))
        self._found = False
        self._shell.go(stop.page, **stop.where)
        last = len(self._stops) - 1
        callout.show_stop(stop, self._stops[last].number, is_first=self._at == 0, is_last=self._at == last)
        callout.take_keyboard()
        self.look()

    # --- ending ------------------------------------------------------------------------------------

    @Slot()
    def end(self) -> None:
        """End, and return to where it began; who has gone to another page stays there."""
        stop, seen_all = self.stop, self._at + 1 == len(self._stops)
        if stop is None:
            return
        there = self._current() == stop.page
        self.drop()
        if there:
            self._shell.go(self._from)
        if not seen_all:
            self._shell.messages.show_message(Message.TOUR_LATER)

    @Slot()
    def drop(self) -> None:
        """End at once; the page on show stays."""
        self._waits = False
        self._looking.stop()
        spotlight, callout = self.spotlight, self.callout
        self.spotlight = self.callout = None
        self._department = None
        if spotlight is None or callout is None:
            return
        leaves = keyboard.is_in(callout)
        for part in (spotlight, callout):
            part.hide()
            part.deleteLater()
        if leaves:
            keyboard.focus(self._pages(self._current()))

    # --- pointing ----------------------------------------------------------------------------------

    @Slot()
    def look(self) -> None:
        """Let the place of the stop stand out where it is now."""
        stop, callout, spotlight = self.stop, self.callout, self.spotlight
        if stop is None or callout is None or spotlight is None:
            return
        here = self._current() == stop.page
        widgets = self._widgets(stop) if here else []
        if here and not self._found and len(widgets) == len(stop.landmarks):
            self._found = True
            _bring_into_view(widgets)
            callout.take_keyboard()  # pages that fill take it
        place = QRect()
        for widget in widgets:
            place = place.united(_seen(widget, self._window))
        spotlight.setGeometry(self._window.rect())
        spotlight.point_at(place.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) if not place.isEmpty() else place)
        spotlight.raise_()

    def _widgets(self, stop: Stop) -> list[QWidget]:
        """The landmarks of a stop that are there to be seen."""
        page = self._pages(stop.page)
        landmarks = [page.landmark(name, stop.phrase) for name in stop.landmarks]
        return [widget for widget in landmarks if widget is not None and widget.isVisible()]


def _bring_into_view(widgets: list[QWidget]) -> None:
    """Scroll to them: to the first of several."""
    for widget in reversed(widgets):
        area = widget.parentWidget()
        while area is not None:
            if isinstance(area, QScrollArea):
                area.ensureWidgetVisible(widget, 0, _MARGIN)
            area = area.parentWidget()


def _seen(widget: QWidget, window: QWidget) -> QRect:
    """The part of a widget that its parents do not cut off, in the window's coordinates."""
    seen = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    parent = widget.parentWidget()
    while parent is not None and parent is not window:
        seen = seen.intersected(QRect(parent.mapTo(window, QPoint(0, 0)), parent.size()))
        parent = parent.parentWidget()
    return seen


def _question(window: QWidget, name: str, answered: Callable[[bool], None]) -> Question:
    """Whether to close the open workspace for the sample."""
    return Question(
        window,
        answered,
        say("The tour goes through the sample, an invented department."),
        say(
            "{name} is closed for it and stays as it is. Afterwards you are back at the start page, where it can be"
            " opened again.",
            name=name,
        ),
        say("&Stay here"),
        say("&Close it and take the tour"),
    )
