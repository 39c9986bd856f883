"""The diagram and its table in sentences: advice, calibration, and explanation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from ui.kit.layout import ScrollArea, vbox
from ui.kit.text import clear, label, wrapped
from ui.pages.reliability import sentences as figures
from ui.pages.reliability.explanation import explain
from ui.pages.reliability.together import Together
from ui.sentences import on_unseen_findings, words_without_advice
from ui.widgets.outlook import AheadPanel
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.reliability.records import Reliability
    from radcal.reliability.sensitivity_records import GroupOutlook
    from radcal.system.selection import Group
    from ui.records import GroupView, Opened
    from ui.shell import Shell
    from ui.tasks import Failure

WHAT_IF, AHEAD = "if CT were wrong", "reliability ahead"
_RIGHT = 0.95
"""The sensitivity and specificity of CT that are supposed."""


class FiguresPanel(ScrollArea):
    """The sentences; ``why`` toggles the explanation, also for later groups.  ``opened_group``: to be shown alone."""

    opened_group = Signal(object)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._explains = self._supposes = False
        self._reasons: list[QWidget] = []
        self.outlook: AheadPanel | None = None
        self._lines = vbox()
        inner = QWidget()
        vbox(self._lines, None, parent=inner, margins=(12, 8, 12, 12), spacing=-1)
        self.setObjectName("framed")
        self.setWidgetResizable(True)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.setAccessibleName(say("Advice and figures"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)

    def show_view(self, opened: Opened, group: Group, view: GroupView) -> None:
        """Describe a group."""
        clear(self._lines)
        self.outlook = None  # what is still being worked out for it has no place any more
        r, advice = view.reliability, view.advice
        is_model = group.author in opened.models
        if is_model:
            self._say(
                say("Of a language model, \u201cconfirmed by CT\u201d means that the answer was right."), role="muted"
            )
        if r.parts:
            together = Together(r, opened)
            together.opened_group.connect(self.opened_group)
            self._lines.addWidget(together)
        self._head(say("Advice"))
        self._say(*figures.advice_sentences(view.judged))
        self._say(on_unseen_findings(advice), words_without_advice(view.judged), role="muted")
        if not (self._shell.selection and self._shell.selection.days.are_limited):
            self._say(typographic(opened.verified.get(group, "")), role="muted")
        settled = figures.without_few_hedges(r, opened.min_phrase_n)
        if r.curve is not None:
            self._head(say("How well the words held")).setContentsMargins(0, 4, 0, 0)
            self._say("\n".join(figures.verdicts(view.judged.words)))
            self._say(figures.learned(opened.spread, is_model=is_model), role="muted")
            if not is_model:
                self._add_what_if(opened, r)
                self._say(figures.not_mentioned(opened, group), typographic(opened.reading_errors), role="muted")
            self._head(say("The published measures")).setContentsMargins(0, 4, 0, 0)
            self._say(*figures.calibration(settled), *figures.in_parts(settled), figures.further(r), role="muted")
        if not is_model:
            chosen = self._shell.selection
            if not (chosen and chosen.days.are_limited):
                self._say(typographic(opened.unread.get(group, "")), role="muted")
            self._add_ahead()
        self._add_why(opened, settled)
        self.verticalScrollBar().setValue(0)

    def _head(self, text: str) -> QWidget:
        made = label(text, role="strong")
        self._lines.addWidget(made)
        return made

    def _say(self, *texts: str, role: str = "") -> None:
        for text in filter(None, texts):
            self._lines.addWidget(wrapped(text, role=role))

    def _add_ahead(self) -> None:
        outlook, selection = AheadPanel(advice=False), self._shell.selection
        self._lines.addWidget(outlook)
        self.outlook = outlook
        if selection is None:
            return

        def show(found: GroupOutlook) -> None:
            if outlook is self.outlook:
                outlook.show_ahead(found)

        self._shell.run(
            AHEAD,
            lambda department, progress: department.outlook.of(selection, progress=progress),
            show,
            failed=_unsaid,
            at_leisure=True,
        )

    def _add_what_if(self, opened: Opened, r: Reliability) -> None:
        self.what_if = QPushButton(say("What if CT were wrong in 5 % of cases?"))
        self.what_if.setToolTip(say("In 5 of 100 findings that were there, and in 5 of 100 that were not"))
        self.what_if.setCheckable(True)
        self.what_if.setChecked(self._supposes)
        self.what_if.toggled.connect(partial(self._ask_if, opened, r))
        self._lines.addWidget(self.what_if, 0, Qt.AlignmentFlag.AlignLeft)
        self._answer = wrapped()
        self._lines.addWidget(self._answer)
        self._ask_if(opened, r, self._supposes)

    def _ask_if(self, opened: Opened, r: Reliability, wanted: bool) -> None:
        """Work out the figures for an imperfect CT and show them; hide them where not wanted."""
        self._supposes = wanted
        self._answer.setVisible(wanted)
        selection = self._shell.selection
        if not wanted or selection is None:
            return
        self._answer.setText(say("Working it out\u2026"))
        self._shell.run(
            WHAT_IF,
            lambda department, progress: department.groups.reliability_if(selection, _RIGHT, _RIGHT, progress),
            partial(self._show_if, opened, r, self._answer),
        )

    def _show_if(self, opened: Opened, before: Reliability, answer: QLabel, r: Reliability) -> None:
        if answer is self._answer:
            answer.setText(figures.if_ct_erred(r, before, opened.meanings.values(), opened.min_phrase_n))

    def _add_why(self, opened: Opened, settled: Reliability) -> None:
        self.why = QPushButton(say("&Why is this so?"))
        self.why.setCheckable(True)
        self.why.toggled.connect(self._explain)
        self._lines.addWidget(self.why, 0, Qt.AlignmentFlag.AlignLeft)
        self._reasons = []
        for heading, text in explain(settled, opened.meanings, opened.min_group_n, opened.min_phrase_n):
            self._reasons += [label(heading, role="strong"), wrapped(text)]
        self.more_help = QPushButton(say("Read &more in the help"))
        self.more_help.clicked.connect(self._help)
        for reason in self._reasons:
            self._lines.addWidget(reason)
        self._lines.addWidget(self.more_help, 0, Qt.AlignmentFlag.AlignLeft)
        self._reasons.append(self.more_help)
        self.why.setChecked(self._explains)
        self._explain(self._explains)

    @Slot(object)
    def _explain(self, wanted: bool) -> None:
        """Show or hide the explanation."""
        self._explains = bool(wanted)
        for reason in self._reasons:
            reason.setVisible(self._explains)

    @Slot()
    def _help(self) -> None:
        self._shell.explain("luck")


def _unsaid(_failure: Failure) -> None:
    """Without statements there is nothing to look ahead from."""
