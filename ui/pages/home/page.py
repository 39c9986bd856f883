"""Home: what came in, what waits, who has enough for a sentence, the next step; and the ways in."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from ui.kit.action import push_button
from ui.kit.layout import card, hbox, panel, scrolled, vbox
from ui.kit.opening import Opening
from ui.kit.text import clear, label, wrapped
from ui.pages.home import sentences
from ui.pages.home.ways_in import WaysIn
from ui.pages.home.work import Told, look
from ui.pages.stage import StagePage
from ui.preferences import visit
from ui.shell import open_file
from ui.words import say

if TYPE_CHECKING:
    from datetime import datetime

    from ui.kit.table import DataTable
    from ui.pages.home.work import Seen
    from ui.records import Opened
    from ui.shell import Shell

_LOOK = "home"
_MOST_SHOWN = 8


class HomePage(StagePage):
    """With a department open, what it needs; below, and alone without one, the ways in."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._department: object = None
        self._since: datetime | None = None
        self.ways = WaysIn()
        self._promise = wrapped(
            say("Nothing leaves this computer unless you choose a hospital server to read the reports."), role="muted"
        )
        self.others = Opening(say("Other &files, the sample and its tour"), panel(vbox(self.ways)), name="home.files")
        self._place = vbox()
        self.body.addWidget(scrolled(panel(vbox(self._place, self.others, self._promise, None, spacing=12))))
        self.setFocusProxy(self.ways)

    # --- made when a department is first open --------------------------------------------------------

    @cached_property
    def news(self) -> QWidget:
        """The next step, and below it what waits beside who has enough."""
        self.next = wrapped(role="strong")
        self.step = push_button("", self._take_step, primary=True)
        self._waiting = vbox(spacing=0)
        step = card(vbox(self.next, hbox(self.step, None), margins=(16, 12, 16, 12)))
        lists = hbox(
            (panel(vbox(label(say("Waiting"), role="strong"), self._waiting, None, spacing=4)), 2),
            (panel(vbox(label(say("Enough for a sentence"), role="strong"), (self.people, 1), spacing=4)), 5),
            spacing=24,
        )
        self.feed = wrapped(role="muted")
        self.see_failed = push_button(say("See what could not be read"), self._see_failed)
        self.see_failed.setObjectName("recent")
        made = panel(vbox(step, hbox((self.feed, 1), self.see_failed), (lists, 1), spacing=16))
        self._place.addWidget(made)
        return made

    @cached_property
    def people(self) -> DataTable:
        """Radiologists of whose words something can be said, the one with the most first."""
        from ui.kit.column import Column, count
        from ui.kit.table import DataTable

        columns = (
            Column(say("Radiologist"), lambda told: told.called, coarse=lambda told: told.called, width=104),
            count(say("Findings"), lambda told: told.n, leaves=True, width=80),
            Column(say("What can be said"), lambda told: told.sentence),
        )
        table = DataTable("home", say("Who has enough for a sentence"), columns, self.shell, searchable=False)
        for part in (table.more, table.count):
            part.hide()
        table.model.said = lambda told: told.n
        table.model.show_people(named=False)
        table.activated.connect(self._chosen)
        table.view.clicked.connect(self._chosen)
        return table

    @Slot()
    def _chosen(self, *_: object) -> None:
        if (told := self.people.current_record()) is not None:
            self._open_results(told)

    # --- what is shown -----------------------------------------------------------------------------

    def show_department(self, opened: Opened | None) -> None:
        """Look an open department through; without one, offer the ways in."""
        self._promise.setVisible(opened is None or not opened.sample)
        self.others.heading.setVisible(opened is not None)
        self.ways.explain(opened is None)
        if opened is None:
            self._department = None
            self.others.unfold()
            self.title.setText(say("Do certainty words mean what readers take them to mean?"))
            self.sentence.setText(
                say(
                    "RadCal compares the words of chest X-ray reports with what CT found within hours, and shows each"
                    " radiologist which words held and which word would have been closer."
                )
            )
            if "news" in vars(self):
                self.news.hide()
            return
        if opened.department is not self._department:
            self._department = opened.department
            self._since = None if opened.sample else visit(opened.path)
            self.others.reset()
        self.title.setText(say("Home"))
        self.refresh()

    def arrive(self, **where: Any) -> None:
        """Look again: what waits may have been done on another page."""
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Look the open department through."""
        if (opened := self.shell.opened) is not None and opened.kind in self.kinds:
            self.shell.run(_LOOK, partial(look, opened, self._since), self._show)

    def _show(self, seen: Seen) -> None:
        self.seen = seen
        self.sentence.setText(sentences.came(seen))
        self.news.show()
        self.next.setText(sentences.next_step(seen))
        self.step.setText(sentences.button(seen.step))
        feed = seen.overview.feed
        self.feed.setText(sentences.feed(seen))
        self.feed.setVisible(feed is not None)
        self.see_failed.setVisible(feed is not None and bool(feed.failed) and feed.error is not None)
        self.see_failed.setToolTip("" if feed is None else "\n".join(str(f.reason) for f in feed.failed[:_MOST_SHOWN]))
        clear(self._waiting)
        waiting = sentences.waiting(seen)
        for text, stage, where in waiting:
            line = push_button(text, partial(self._lead_to, stage, where))
            line.setObjectName("recent")
            self._waiting.addWidget(line, 0, Qt.AlignmentFlag.AlignLeft)
            line.show()
        if not waiting:
            self._waiting.addWidget(wrapped(say("Nothing waits."), role="muted"))
        self.people.model.set_rows(seen.told)
        view, rows = self.people.view, min(max(len(seen.told), 4), _MOST_SHOWN)
        head = view.horizontalHeader().sizeHint().height() + 2 * view.frameWidth()
        view.setMinimumHeight(head + rows * view.verticalHeader().defaultSectionSize())
        self.state_changed.emit("", "", "")

    # --- ways on -----------------------------------------------------------------------------------

    def _lead_to(self, stage: str, where: dict[str, Any], *_: object) -> None:
        self.shell.go(stage, **where)

    @Slot()
    def _take_step(self) -> None:
        step = self.seen.step
        if step == "results" and self.seen.told:
            self._open_results(self.seen.told[0])
        else:
            self._lead_to(*sentences.leads(step))

    @Slot()
    def _see_failed(self) -> None:
        feed = self.seen.overview.feed
        if feed is not None and feed.error is not None:
            open_file(feed.error)

    def _open_results(self, told: Told) -> None:
        from radcal.system.selection import Selection  # imports NumPy, which the first paint must not wait for

        self.shell.choose(Selection(told.author, told.topic))
        self.shell.go("results", tab="this")
