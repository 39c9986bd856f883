"""Reading: what is read, begun, paused and ended; the page and its dialogs ask for it here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from ui.pages.reports.reading import work
from ui.pages.reports.reading.models import engine_words
from ui.sentences import reports_text
from ui.widgets.messages import Message
from ui.widgets.server_question import ServerQuestion
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.pages.reports.reading.work import Ended, Extractions
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure, TaskState

READ, LOOK = "extraction", "extraction state"
ASK_AS_READ, SWITCH_OFF = "reports as read", "switch the server off"
"""The operations in the worker."""


class Reading(QObject):
    """Lets the engine of the settings read.

    changed: more is known of it, or it begins or ends;  ended: it has read
    """

    changed, ended = Signal(), Signal()

    def __init__(self, page: QWidget, shell: Shell) -> None:
        super().__init__(page)
        self._page, self._shell = page, shell
        self._department: object = None
        self._asked: int | None = None
        """The run whose results a message offers to show."""
        self.seen: Extractions | None = None
        self.why_unknown = ""
        """Why the state could not be looked up."""
        self.question: ServerQuestion | None = None
        """Whether reports may be sent to a server, as last asked."""
        self.is_running = self._paused = False
        self.share: float | None = None
        """Of the reports, read by now, while it is known of a reading that goes on."""
        shell.tasks.changed.connect(self._follow)

    def show_department(self, opened: Opened | None) -> None:
        """Another workspace is open, or its results changed."""
        department = opened.department if opened is not None else None
        if department is not self._department:
            self._department, self.seen, self._asked = department, None, None
            self._shell.messages.clear(Message.READING_ENDED)
        if opened is None or self._asked == opened.shown_run:
            self._asked = None
            self._shell.messages.clear(Message.READING_ENDED)
        if opened is not None:
            self.look()

    def look(self) -> None:
        """Look up what is read."""
        self._shell.run(LOOK, work.look, self._looked, failed=self._look_failed)

    @Slot(object)
    def _looked(self, seen: Extractions) -> None:
        if self._shell.opened is None:
            return
        self.seen, self.why_unknown = seen, ""
        if not self.is_running:  # while it reads, what was chosen may not be stored yet
            self._shell.set_served(seen.served)
        if not seen.status.n_failed:
            self._shell.messages.clear(Message.REPORTS_FAILED)
        self.changed.emit()

    @Slot(object)
    def _look_failed(self, failure: Failure) -> None:
        self.why_unknown = failure.text or failure.technical.splitlines()[0]
        self.changed.emit()

    def why_locked(self) -> str:
        """Why nothing can be read now; '' if it can."""
        opened = self._shell.opened
        if opened is None or opened.read_only:
            return say("The workspace is open to read only; another RadCal has it open.")
        return say("Wait until the reading has ended, or cancel it.") if self.is_running else ""

    def read(self, values: Mapping[str, Any] | None = None, host: str | None = None) -> None:
        """Let the engine read what is left; a server is asked about if it is new.

        values: settings of the engine to store;  host: the server that they name, None for that of the settings
        """
        if self.seen is None or self.why_locked():
            return
        host = self.seen.served if host is None else host
        if host and not (self.seen.agreed and host == self.seen.served):
            asked = partial(self._ask_server, host, values or {})
            self._shell.run(ASK_AS_READ, work.reports_as_read, asked)
        else:
            self._read_at(host, values or {})

    def _ask_server(self, host: str, values: Mapping[str, Any], as_read: int) -> None:
        self.question = ServerQuestion(self._page, host, as_read, partial(self._read_at, host, values))
        self.question.open()

    def _read_at(self, host: str, values: Mapping[str, Any]) -> None:
        self._shell.set_served(host)
        self._begin(partial(work.read, values=values))

    def retry(self, report_ids: tuple[str, ...] | None) -> None:
        """Read failed reports once more; None for all."""
        self._begin(partial(work.retry, report_ids=report_ids))

    def _begin(self, job: Any) -> None:
        self.is_running, self._paused = True, False
        self._shell.run(
            READ,
            job,
            self._read_done,
            title=say("Reading reports"),
            failed=self._read_failed,
            stopped=self._over,
            keeps=True,
            shares=True,
            long=True,
        )
        self.changed.emit()

    @Slot(object)
    def _follow(self, state: TaskState | None) -> None:
        if not self.is_running:
            return
        paused = self._shell.tasks.is_paused(READ)
        if paused != self._paused and self._shell.opened is not None:
            self._paused = paused  # and the engine itself stops computing
            runs = self._shell.opened.department.runs
            (runs.pause if paused else runs.resume)()
        advance = state.advance if state is not None and state.operation == READ else None
        if self.seen is None or advance is None or not advance.total or not advance.done:
            return
        status = self.seen.status
        # Reports with the same text are read once: go by the share of the texts that are left.
        before = 1.0 - status.n_pending / status.n_reports if advance.total <= status.n_pending else 0.0
        self.share = before + (1.0 - before) * advance.done / advance.total
        self.changed.emit()

    @Slot()
    def _over(self) -> None:
        self.is_running, self._paused, self.share = False, False, None
        self.look()
        self.ended.emit()

    @Slot(object)
    def _read_failed(self, failure: Failure) -> None:
        self._shell.messages.show_failure(Message.WORK_FAILED, failure, self.read)
        self._over()

    @Slot(object)
    def _read_done(self, ended: Ended | None) -> None:
        """Results of the run on show are brought up to date; those of another are shown when somebody says so."""
        self._over()
        if ended is None or ended.shown is None:
            self._shell.reload(say("Reading reports"))
            return
        self._asked = ended.read.run_id
        self._shell.messages.show_message(
            Message.READING_ENDED,
            partial(self._shell.choose_run, ended.read.run_id),
            also=self._keep_results,
            engine=engine_words(ended.read),
            read=reports_text(ended.read.n_read),
            shown=engine_words(ended.shown),
        )

    def _keep_results(self) -> None:
        self._asked = None  # the message closes by itself

    @Slot()
    def switch_off(self) -> None:
        """Have the rules read from now on, and no server; results stay as they are."""
        self._shell.run(SWITCH_OFF, work.switch_off, self._switched_off, keeps=True)

    @Slot(object)
    def _switched_off(self, _nothing: None) -> None:
        self._shell.set_served("")
        self.look()
