"""The department's own survey: respondents, missing answers, and results."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from radcal.words.responses import FEWEST_ANSWERS
from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel
from ui.kit.layout import card, hbox, vbox
from ui.kit.table import DataTable
from ui.kit.text import show_text, wrapped
from ui.kit.undoing import Edit
from ui.pages.words import work
from ui.pages.words.survey_dialog import SurveyDialog
from ui.pages.words.work import SURVEY, ReadList
from ui.words import counted, moment, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QUndoStack

    from radcal.words.responses import Response, Surveyed
    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import SurveyState
    from ui.shell import Shell

_ANSWER, _NEW = "words answer", "words new response"


class SurveyingPart(QWidget):
    """Survey colleagues, view the results, adopt them.

    adopt_wanted: a ReadList of the department's own survey;  surveyed: the Surveyed, after every change
    """

    adopt_wanted = Signal(object)
    surveyed = Signal(object)

    def __init__(self, shell: Shell, desk: WordsDesk, stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._desk, self._undo = shell, desk, stack
        self._result: Surveyed | None = None
        self.dialog: SurveyDialog | None = None
        self.model = RecordModel(
            (
                Column(say("colleague"), self._named, width=200),
                Column(
                    say("answered"),
                    lambda r: say("{n} of {all}", n=whole(r.answered), all=whole(len(r.order))),
                    True,
                    lambda r: r.answered,
                    width=120,
                ),
                Column(say("begun"), _begun, value=lambda r: r.begun),
            ),
            self,
        )
        self._build()

    def _build(self) -> None:
        self.table = DataTable("words survey", say("Colleagues"), self.model, self._shell)
        self.table.setMinimumHeight(140)
        self.go_on = push_button(say("&Go on\u2026"), self.resume)
        self.remove = push_button(say("Re&move the answers"), self._remove)
        self.result_text = wrapped(role="strong")
        self.missing = wrapped(role="muted")
        self.adopt = push_button(say("A&dopt the answers\u2026"), self._adopt)
        explanation = say(
            "Colleagues choose at this computer how sure each word sounds to them; {n} answers make a meaning.",
            n=FEWEST_ANSWERS,
        )
        result = vbox(self.result_text, wrapped(explanation), self.missing, hbox(self.adopt, None), spacing=6)
        result.setContentsMargins(12, 8, 12, 12)
        self.table.add_to_bar(self.go_on)
        self.table.add_to_bar(self.remove)
        vbox(card(result), (self.table, 1), (None, 0), parent=self, margins=(0, 8, 0, 0))
        self.table.activated.connect(self.resume)
        self.table.current_changed.connect(self._show_buttons)

    # --- showing -----------------------------------------------------------------------------------

    def _named(self, r: Response) -> str:
        if r.name:
            return r.name
        anonymous = [other.key for other in self.model.rows if not other.name]
        return say("Anonymous {n}", n=anonymous.index(r.key) + 1)

    def show_survey(self, state: SurveyState) -> None:
        """Show the respondents and the results."""
        row = self.table.current_row()
        self.model.set_rows(state.responses)
        if state.responses:
            self.table.select_row(min(max(row, 0), len(state.responses) - 1))
        for part in (self.table, self.adopt):
            part.setVisible(bool(state.responses))
        self._result = state.surveyed
        self._show_result(state.surveyed)
        self._show_buttons()
        self.surveyed.emit(state.surveyed)

    def _show_result(self, s: Surveyed) -> None:
        people = counted(s.n, "{n} colleague has answered", "{n} colleagues have answered")
        known = len(s.lexicon.phrases) - 2 if s.lexicon is not None else 0
        text = say("{people}: {known} of {all} words have a meaning.", people=people, known=known, all=len(s.answers))
        self.result_text.setText(text if s.n else say("Nobody has answered yet. Ask a colleague to begin."))
        show_text(self.missing, "\n".join(typographic(reason) for _, reason in s.refused))

    @Slot()
    def _show_buttons(self, *_: object) -> None:
        can, chosen = self._desk.editable, self._chosen() is not None
        self.go_on.setEnabled(can and chosen)
        self.remove.setEnabled(can and chosen)
        self.adopt.setEnabled(can and self._result is not None and self._result.lexicon is not None)

    def _chosen(self) -> Response | None:
        found: Response | None = self.table.current_record()
        return found

    # --- asking ------------------------------------------------------------------------------------

    @Slot()
    def begin(self) -> None:
        """Survey another colleague."""
        if self._desk.editable:
            self._open(None)

    @Slot()
    def resume(self, *_: object) -> None:
        """Continue with the selected respondent."""
        response = self._chosen()
        if response is not None and self._desk.editable:
            self._open(response)

    def _open(self, response: Response | None) -> None:
        self.dialog = SurveyDialog(response, self)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.named.connect(self._new)
        self.dialog.answered.connect(self._keep)
        self.dialog.finished.connect(self._closed)
        self.dialog.open()

    @Slot(object)
    def _new(self, name: str) -> None:
        self._shell.run(_NEW, lambda department, _: department.words.new_response(name), self._ask)

    def _ask(self, response: Response) -> None:
        if self.dialog is not None:
            self.dialog.ask(response)

    @Slot(object)
    def _keep(self, response: Response) -> None:
        self._store(response.key, response)

    def _store(self, key: str, response: Response | None) -> None:
        """Store a respondent's answers; None removes them."""
        self._shell.run(f"{_ANSWER} {key}", partial(work.store_response, key, response), self.show_survey, keeps=True)

    @Slot()
    def _closed(self, *_: object) -> None:
        self.dialog = None
        self.table.view.setFocus()

    @Slot()
    def _remove(self) -> None:
        response = self._chosen()
        if response is not None:
            self._undo.push(Edit(say("removing answers"), response, None, partial(self._store, response.key)))

    @Slot()
    def _adopt(self) -> None:
        if self._result is not None and self._result.lexicon is not None:
            name = say("the department\u2019s own survey")
            self.adopt_wanted.emit(ReadList(self._result.lexicon, name, SURVEY))


def _begun(r: Response) -> str:
    return moment(datetime.fromisoformat(r.begun)) if r.begun else ""
