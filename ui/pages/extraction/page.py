"""Extraction: the engine that reads the reports, its fit to this machine, its progress and its results."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QBoxLayout, QWidget

from ui.kit import keyboard
from ui.kit.action import enable, push_button
from ui.kit.layout import Tabs, hbox, panel, scrolled, vbox
from ui.kit.text import wrapped
from ui.pages.extraction import work
from ui.pages.extraction.cards import FitCard, ProgressCard
from ui.pages.extraction.choice import ChooseEngine, EngineChoice
from ui.pages.extraction.comparison import RunsCompared
from ui.pages.extraction.content import TabContent
from ui.pages.extraction.failures import FailuresTab
from ui.pages.extraction.models import engine_words
from ui.pages.extraction.runs import RunsPart
from ui.pages.extraction.saving import SavingFindings
from ui.pages.extraction.sentences import progress_so_far, reading
from ui.pages.extraction.server_part import ServerPart
from ui.pages.extraction.trial_gate import TrialGate
from ui.pages.stage import StagePage
from ui.widgets.messages import Message
from ui.widgets.server_question import ServerQuestion
from ui.words import counted, percent, say, typographic

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from radcal.findings.engines import EngineFit
    from radcal.findings.readers.trial import Trial
    from radcal.findings.run_records import EngineStatus, RunSummary
    from ui.pages.extraction.choice import Draft
    from ui.pages.extraction.work import Ended, Extractions
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Advance, Failure, TaskState

READ, LOOK, FIT, TRIAL = "extraction", "extraction state", "extraction fit", "trial of a model"
ASK_AS_READ, SWITCH_OFF = "reports as read", "switch the server off"
"""The operations in the worker."""
_SIDE_BY_SIDE = 860
_WAIT_MS = 250


class ExtractionPage(StagePage):
    """Starts, resumes, pauses and retries; lists failures, runs and differences."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.title.setText(say("Extraction"))
        self._department: object = None
        self._draft: Draft | None = None
        self._asked: int | None = None
        """The run whose results a message offers to show."""
        self._seen: Extractions | None = None
        self._to_server = False
        self.question: ServerQuestion | None = None
        """Whether reports may be sent to a server, as last asked."""
        self._fit: EngineFit | None = None
        self._trying = False
        self._reading = self._paused = self._to_read = False
        self._waiting = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._waiting.timeout.connect(self._look_at_fit)
        self._build()
        shell.tasks.changed.connect(self._show_task)
        self.show_department(None)

    def _build(self) -> None:
        self.read = push_button(say("&Read the reports"), self.start_reading, primary=True)
        self.head.addWidget(self.read, 0, 2)
        self.progress = ProgressCard(self.shell)
        self.progress.hold.connect(self.toggle_pause)
        self.progress.cancel.connect(self.cancel)
        self.progress.hide()
        self.body.addWidget(self.progress)
        self.unknown = wrapped()
        self.place = push_button(say("Place &them in Words"), self._place_words)
        self.review = push_button(say("Review what was left unread"), self._review)
        self._unknown = panel(hbox((self.unknown, 1), self.place, self.review, spacing=12))
        self._unknown.hide()
        self.body.addWidget(self._unknown)
        self.tabs = Tabs(say("Views of the extraction"))
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        self.body.addWidget(self.tabs, 1)
        holder = QWidget()
        self.area = scrolled(holder, sideways=True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._engine_tab = TabContent(self.area)
        self.tabs.addTab(self._engine_tab, say("Engine and runs"))
        self.choice, self.fit_card = EngineChoice(), FitCard()
        self.choice.changed.connect(self._chosen)
        self.server = ServerPart(self.shell, self.choice.served, self.fit_card)
        self.server.looked.connect(self._look_at_gate)
        self.server.looked.connect(self._update_buttons)
        self.choice.served.off_wanted.connect(self.switch_off)
        self.gate = TrialGate()
        self._cards = hbox((self.choice, 1), (vbox(self.fit_card, self.gate, None, spacing=12), 1), spacing=12)
        self.gate.begun.connect(self._try_model)
        self.gate.stopped.connect(partial(self.shell.tasks.cancel, TRIAL))
        self.gate.opened.connect(self._update_buttons)
        self.runs = RunsPart(self.shell)
        self.runs.use_wanted.connect(self.shell.choose_run)
        self.saving = SavingFindings(self, self.shell)
        self.runs.hand_on_wanted.connect(self.saving.ask)
        vbox(self._cards, (self.runs, 1), parent=holder, spacing=12)
        self.failures = FailuresTab(self.shell)
        self.failures.retry_wanted.connect(self.retry)
        self.comparison = RunsCompared(self.shell)
        self.tabs.addTab(self.failures, "")
        self.tabs.addTab(self.comparison, say("Two runs compared"))
        self.tabs.currentChanged.connect(self._tab_shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the cards in a narrow window."""
        super().resizeEvent(event)
        narrow = self.width() < _SIDE_BY_SIDE
        self._cards.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    # --- what is shown -----------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Check the progress of the department's engines."""
        department = opened.department if opened is not None else None
        if department is not self._department:
            # Unsaved choices and their undo belong to another workspace.
            self._department, self._seen, self._asked = department, None, None
            self.shell.messages.clear(Message.READING_ENDED)
            self.undo_stack.clear()
        if department is None or self._asked == (opened.shown_run if opened is not None else None):
            self._asked = None
            self.shell.messages.clear(Message.READING_ENDED)
        if opened is None:
            self.show_closed(say("Extraction"), say("Open a workspace to let an engine read its reports."))
            self.state_changed.emit("", "", "")
            return
        if self._seen is None:
            self.show_empty(say("Looking up what was read\u2026"))
        self.refresh()

    def refresh(self) -> None:
        """Check the engines' progress again."""
        self.shell.run(LOOK, work.look, self._looked, failed=self._look_failed)

    @Slot(object)
    def _look_failed(self, failure: Failure) -> None:
        self.show_empty(
            say(
                "What was read could not be looked up. {why}",
                why=typographic(failure.text) if failure.text else failure.technical.splitlines()[0],
            )
        )

    @Slot(object)
    def _looked(self, seen: Extractions) -> None:
        if self.shell.opened is None:
            return
        before, self._seen = self._seen, seen
        status = seen.status
        if not status.n_reports:
            self.show_empty(
                say("There are no pairs of reports yet. Engines read the reports that are paired."),
                say("Import reports"),
                "import",
            )
            self.state_changed.emit("", "", "")
            return
        self.show_content()
        if not self._reading:  # while it reads, what was chosen may not be stored yet
            self.shell.set_served(seen.served)
        self.choice.served.show_on(bool(seen.served))
        self.choice.set_known(seen.accuracies)
        if before is None or not before.status.n_reports or before.settings != seen.settings:
            self.choice.set_settings(seen.settings)
            self._draft = self.choice.values()
            if seen.settings.untested == "allowed":
                self.gate.let(self.choice.foreign)
            self._look_at_gate()
            self._look_at_fit()
        self.failures.show_failures(seen.failures, status)
        if not status.n_failed:
            self.shell.messages.clear(Message.REPORTS_FAILED)
        self.tabs.setTabText(self.tabs.indexOf(self.failures), self.failures.name)
        self.runs.show_runs(seen.runs)
        self.comparison.set_runs(seen.runs)
        self._tab_shown(self.tabs.currentIndex())
        self._show_unknown(status)
        self._lead_to_server()
        self._show_state(status)
        self._update_buttons()

    def _show_state(self, status: EngineStatus) -> None:
        self._say()
        why = ""
        if status.problem:
            why = typographic(status.problem)
        elif status.n_pending and not self._reading:
            why = counted(status.n_pending, "{n} report has not been read yet.", "{n} reports have not been read yet.")
        elif status.n_failed:
            why = counted(status.n_failed, "{n} report could not be read.", "{n} reports could not be read.")
        self._tell_rail(status.n_read / status.n_reports, why)

    def _tell_rail(self, share: float, why: str = "") -> None:
        self.state_changed.emit(percent(share), why, say("{share} of the reports are read", share=percent(share)))

    def _say(self) -> None:
        """The sentence under the title."""
        if self._reading:
            self.sentence.setText(reading())
        elif self._seen is not None:
            self.sentence.setText(progress_so_far(self._seen.status, self._seen.runs, self._shown_run()))

    def _shown_run(self) -> RunSummary | None:
        """The run that results come from, if not that of the selected engine."""
        runs = self._seen.runs if self._seen is not None else ()
        return next((r for r in runs if r.shown and not r.chosen), None)

    def _show_unknown(self, status: EngineStatus) -> None:
        # The Words page shows those of the run that the results come from.
        there_are = status.n_unknown or status.n_unread or status.n_decided
        self._unknown.setVisible(bool(there_are) and self._shown_run() is None)
        parts = []
        if status.n_unknown:
            parts.append(
                say(
                    "{findings} worded with {phrases} in no list, and left out of every figure.",
                    findings=counted(status.n_unknown, "{n} finding is", "{n} findings are"),
                    phrases=counted(status.n_unknown_phrases, "{n} phrase", "{n} phrases"),
                )
            )
        if status.n_unread:
            parts.append(
                say(
                    "{n:,} finding was left unread, because it may have been misread, and is left out of every figure.",
                    many="{n:,} findings were left unread, because they may have been misread, and are left out of"
                    " every figure.",
                    n=status.n_unread,
                )
            )
        if status.n_decided:
            parts.append(say("Somebody has decided on {n:,} that had been left unread.", n=status.n_decided))
        self.unknown.setText(" ".join(parts))
        self.place.setVisible(bool(status.n_unknown))
        self.review.setVisible(bool(status.n_unread or status.n_decided))

    def arrive(self, **where: Any) -> None:
        """``tab``: 'engine', 'runs', 'failures' or 'differences'."""
        tabs = {
            "engine": self._engine_tab,
            "runs": self._engine_tab,
            "failures": self.failures,
            "differences": self.comparison,
        }
        if (tab := where.get("tab")) in tabs:
            self.tabs.setCurrentWidget(tabs[tab])
        self._to_server = tab == "engine"
        self._lead_to_server()
        if tab == "runs":
            self.area.ensureWidgetVisible(self.runs)
            self.runs.table.view.setFocus()

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'engine', what reads the reports, and how well."""
        if name == "engine":
            return self.choice if self._seen is not None else None
        return super().landmark(name, phrase)

    def _lead_to_server(self) -> None:
        """Turn to what switches the server off, if somebody came for that; the page may not know yet that it is on."""
        off = self.choice.served.off
        if self._to_server and self._seen is not None and off.isVisibleTo(self.area):
            self._to_server = False
            # After the layout has made room for the form.
            QTimer.singleShot(0, off, partial(self.area.ensureWidgetVisible, off))

    # --- choosing an engine ------------------------------------------------------------------------

    @Slot()
    def _chosen(self) -> None:
        before, after = self._draft, self.choice.values()
        if before is not None and after != before:
            self.undo_stack.push(ChooseEngine(before, after, self._show_draft))

    def _show_draft(self, draft: Draft) -> None:
        self._draft = draft  # first: a field that is hidden loses the focus and signals an edit
        if draft != self.choice.values():
            self.choice.set_draft(draft)
        self._look_at_gate()
        self._waiting.start()
        self._update_buttons()

    @Slot()
    def _look_at_fit(self) -> None:
        self._fit = None
        if self.choice.is_served:
            self.server.look(self.choice.values())
        elif self.choice.misses_model:
            self.fit_card.show_text(say("Choose a model file to see whether it fits."))
        else:
            self.fit_card.show_text(say("Looking at what fits\u2026"))
            values = self.choice.values()
            self.shell.run(
                FIT,
                lambda department, progress: department.runs.fit(values, progress),
                self._fitted,
                failed=self._fit_failed,
            )
        self._update_buttons()

    @Slot(object)
    def _fitted(self, fit: EngineFit) -> None:
        if self.choice.is_served:
            return
        self._fit = fit
        self.fit_card.show_fit(fit)
        self._update_buttons()

    @Slot(object)
    def _fit_failed(self, failure: Failure) -> None:
        self.fit_card.show_text(typographic(failure.text) or failure.technical.splitlines()[0])

    # --- the trial of a model ----------------------------------------------------------------------

    @Slot()
    def _look_at_gate(self) -> None:
        """Look up whether the selected model was tried, unless that is known, or its server cannot be used yet."""
        model = self.choice.foreign
        if self.choice.is_served and self.server.why_not(self.choice.values()):
            model = ""
        if model == self.gate.model:
            return
        self.shell.tasks.cancel(TRIAL)
        self.gate.show_model(model, sends=self.choice.is_served)
        if model:
            self._run_trial(work.tried)

    @Slot()
    def _try_model(self) -> None:
        self._trying = True
        self.gate.show_advance(None)
        title = say("Trying {model}", model=Path(self.choice.file).name or self.choice.foreign)
        self._run_trial(work.try_model, title=title, shares=True, long=True)

    def _run_trial(self, job: Callable[..., Trial | None], **how: Any) -> None:
        stopped = partial(self._trial_known, None)
        job = partial(job, self.choice.values())
        self.shell.run(TRIAL, job, self._trial_known, failed=self._trial_failed, stopped=stopped, **how)

    @Slot(object)
    def _trial_known(self, trial: Trial | None) -> None:
        self._trying = False
        self.gate.show_trial(trial)
        self._update_buttons()

    @Slot(object)
    def _trial_failed(self, failure: Failure) -> None:
        self._trying = False
        self.gate.show_failure(typographic(failure.text) or failure.technical.splitlines()[0])

    # --- reading -----------------------------------------------------------------------------------

    @Slot()
    def start_reading(self) -> None:
        """Let the selected engine read the remaining reports; a server is asked about if it is new."""
        values = self.choice.values()
        if self.choice.is_served and self.server.why_not(values):
            return
        if self.choice.foreign:
            values["untested"] = "allowed" if self.gate.is_untested else "refused"
        if not self.choice.is_served:
            self._read_at("", values)
        else:
            host, seen = self.server.host, self._seen
            if seen is not None and not (seen.agreed and host == seen.served):
                self.shell.run(ASK_AS_READ, work.reports_as_read, partial(self._ask_server, host, values))
            else:
                self._read_at(host, values)

    def _ask_server(self, host: str, values: dict[str, Any], as_read: int) -> None:
        self.question = ServerQuestion(self, host, as_read, partial(self._read_at, host, values))
        self.question.open()

    def _read_at(self, host: str, values: dict[str, Any]) -> None:
        """Let the engine of these settings read, which is at this server; '' for this computer."""
        self.shell.set_served(host)
        self._begin(partial(work.read, values=values))

    @Slot()
    def switch_off(self) -> None:
        """Have the rules read from now on, and no server; results stay as they are."""
        self.shell.run(SWITCH_OFF, work.switch_off, self._switched_off, keeps=True)

    @Slot(object)
    def _switched_off(self, _nothing: None) -> None:
        self.shell.set_served("")
        self.refresh()

    @Slot(object)
    def retry(self, report_ids: tuple[str, ...] | None) -> None:
        """Retry failed reports; None for all."""
        self._begin(partial(work.retry, report_ids=report_ids))

    def _begin(self, job: Any) -> None:
        self._reading, self._paused, self._to_read = True, False, False
        self.progress.begin()
        self.progress.show()
        self.shell.run(
            READ,
            job,
            self._read_done,
            title=say("Extracting findings"),
            failed=self._read_failed,
            stopped=self._stopped,
            keeps=True,
            shares=True,
            long=True,
        )
        here = keyboard.is_in(self)
        self._say()
        self._update_buttons()
        if here:
            # The control that had the focus is disabled now.
            self.progress.pause_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _show_task(self, state: TaskState | None) -> None:
        if self._trying and state is not None and state.operation == TRIAL:
            self.gate.show_advance(state.advance)
        if not self._reading:
            return
        paused = self.shell.tasks.is_paused(READ)
        if paused != self._paused and self.shell.opened is not None:
            # Paused on the page or in the status bar: the engine itself stops computing.
            self._paused = paused
            runs = self.shell.opened.department.runs
            (runs.pause if paused else runs.resume)()
        if state is not None and state.operation == READ:
            self.progress.show_advance(state.advance, paused=paused, stopping=state.stopping)
            self._show_share(state.advance)

    def _show_share(self, advance: Advance | None) -> None:
        """Update the rail's share of reports during extraction."""
        if self._seen is None or advance is None or not advance.total or not advance.done:
            return
        n = self._seen.status.n_reports
        # Reports with the same text are read once: go by the share of the texts that are left.
        before = 1.0 - self._seen.status.n_pending / n if advance.total <= self._seen.status.n_pending else 0.0
        self._tell_rail(before + (1.0 - before) * advance.done / advance.total)

    @Slot()
    def toggle_pause(self) -> None:
        """Pause or resume."""
        (self.shell.tasks.resume if self.shell.tasks.is_paused(READ) else self.shell.tasks.pause)(READ)

    @Slot()
    def cancel(self) -> None:
        """Stop and keep the results so far; the focus moves to the button that resumes reading."""
        self._to_read = keyboard.is_in(self.progress)
        self.shell.tasks.cancel(READ)

    def _ended(self) -> None:
        self._reading = self._paused = False
        self.progress.hide()

    @Slot(object)
    def _read_done(self, ended: Ended | None) -> None:
        """Results of the run on show are brought up to date; those of another are shown when somebody says so."""
        self._ended()
        self.refresh()
        if ended is None or ended.shown is None:
            self.shell.reload(say("Analysing what was read"))
            return
        self._asked = ended.read.run_id
        self.shell.messages.show_message(
            Message.READING_ENDED,
            partial(self.shell.choose_run, ended.read.run_id),
            also=self._keep_results,
            engine=engine_words(ended.read),
            read=counted(ended.read.n_read, "{n} report", "{n} reports"),
            shown=engine_words(ended.shown),
        )

    def _keep_results(self) -> None:
        self._asked = None  # the message closes by itself

    @Slot(object)
    def _read_failed(self, failure: Failure) -> None:
        self._ended()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, self.start_reading)
        self.refresh()

    @Slot()
    def _stopped(self) -> None:
        self._ended()
        self.refresh()

    # --- runs --------------------------------------------------------------------------------------

    @Slot(int)
    def _tab_shown(self, tab: int) -> None:
        if self.tabs.widget(tab) is self.comparison:
            self.comparison.look()

    @Slot()
    def _place_words(self) -> None:
        self.shell.go("words", part="unknown")

    @Slot()
    def _review(self) -> None:
        self.shell.go("review", tab="unread")

    # --- what can be pressed -----------------------------------------------------------------------

    @Slot()
    def _update_buttons(self, *_: object) -> None:
        seen = self._seen
        if seen is None:
            return
        read_only = self.shell.opened is not None and self.shell.opened.read_only
        locked = say("The workspace is open to read only; another RadCal has it open.")
        busy = say("Wait until the reading has ended, or cancel it.")
        why = locked if read_only else busy if self._reading else ""
        self.choice.set_locked(why)
        enable(self.read, why or self._why_not_read(seen))
        if seen.status.n_pending and not self.choice.is_changed:
            text = counted(seen.status.n_pending, "&Read {n} report", "&Read {n} reports")
        else:
            text = say("&Read the reports")
        self.read.setText(text)
        if self._to_read and not self._reading and self.read.isEnabled():
            self._to_read = False
            self.read.setFocus(Qt.FocusReason.OtherFocusReason)
        self.failures.set_locked(why)
        self.runs.set_locked(why)

    def _why_not_read(self, seen: Extractions) -> str:
        if self.choice.misses_model:
            return say("Choose a model file first.")
        if self.choice.is_served and (why := self.server.why_not(self.choice.values())):
            return why
        if self._fit is not None and self._fit.problem:
            return typographic(self._fit.problem)
        if why := self.gate.why_closed():
            return why
        if not self.choice.is_changed and not seen.status.n_pending:
            return say("This engine has read all paired reports.")
        return ""
