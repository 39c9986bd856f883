"""Words: what the certainty words mean, the words that nobody has placed yet, and the department's own survey."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QFrame, QWidget

from radcal.system import exports
from radcal.words import editing
from ui.kit.action import menu_button, push_button
from ui.kit.files import ask_open
from ui.kit.layout import ScrollArea, Tabs, hbox, scrolled
from ui.kit.text import wrapped
from ui.pages.stage import StagePage
from ui.pages.words import work
from ui.pages.words.desk import SAVE, WordsDesk
from ui.pages.words.work import ReadList
from ui.sentences import read_only_reason
from ui.words import counted, say

if TYPE_CHECKING:
    from radcal.calibration.department_words import UnknownWords, WordsState
    from radcal.system.exports import Export
    from radcal.words.phrases import Lexicon
    from ui.pages.words.lists import ListsDialog
    from ui.pages.words.meanings import MeaningsPart
    from ui.pages.words.new_phrase import NewPhraseDialog
    from ui.pages.words.scales import ScalesDialog
    from ui.pages.words.survey import SurveyingPart
    from ui.pages.words.unknown import UnknownPart
    from ui.pages.words.work import WordList, WordsView
    from ui.records import Opened
    from ui.shell import Shell

_LOAD, _STATE, _READ = "words load", "words state", "words read"
MEANINGS, UNKNOWN, SURVEY = range(3)
_TABS = {"meanings": MEANINGS, "unknown": UNKNOWN, "survey": SURVEY}
"""The tabs, by the names that ``arrive(tab=...)`` takes."""


class WordsPage(StagePage):
    """The department's words in three tabs; what changes all of them at once is under More."""

    meanings: MeaningsPart
    unknown: UnknownPart
    surveying: SurveyingPart
    lists: ListsDialog
    scales: ScalesDialog
    desk: WordsDesk

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.title.setText(say("Words"))
        self.dialog: QDialog | None = None
        self._built = False
        self._view: WordsView | None = None
        self._department: object = None
        self._wanted_tab, self._wanted_phrase = -1, ""
        self._build_head()
        self.tabs = Tabs(say("Parts of the page"))
        self.body.addWidget(self.tabs, 1)

    def _build_head(self) -> None:
        self.survey_button = push_button(say("Ask a &colleague\u2026"), self._ask_colleague, primary=True)
        self.more = menu_button(say("More \u25be"), say("More actions"))
        menu = self.more.menu()
        self.new_action = menu.addAction(say("&Add a word\u2026"), self.add_phrase)
        menu.addAction(say("&Choose a scale\u2026"), self.show_scales)
        menu.addAction(say("Co&mpare with another list\u2026"), self.show_lists)
        menu.addSeparator()
        self.import_action = menu.addAction(say("&Import a survey or a list\u2026"), self.choose_file)
        self.save_action = menu.addAction(say("&Save the list as CSV\u2026"), self.save_list)
        self.reset_action = menu.addAction(say("&Reset all to the survey"), self.reset_all)
        for control in (self.survey_button, self.import_action, self.new_action, self.reset_action):
            control.setEnabled(False)  # until there are words
        self.head.addWidget(self.survey_button, 0, 2)
        self.head.addWidget(self.more, 0, 3)
        self.bar = QFrame()
        self.bar.setObjectName("message")
        self.bar.setProperty("weight", "note")
        self.bar_text = wrapped()
        self.analyse = push_button(say("Ana&lyse again"), self._analyse)
        hbox((self.bar_text, 1), self.analyse, parent=self.bar, margins=(12, 8, 8, 8), spacing=12)
        self.bar.hide()
        self.body.addWidget(self.bar)
        self.shell.session.not_opened.connect(self._look_again)

    def _build(self) -> None:
        """Build the parts when first shown: they import the plotting library."""
        from ui.pages.words.lists import ListsDialog
        from ui.pages.words.meanings import MeaningsPart
        from ui.pages.words.scales import ScalesDialog
        from ui.pages.words.survey import SurveyingPart
        from ui.pages.words.unknown import UnknownPart

        self._built = True
        self.desk = WordsDesk(self.shell, self.undo_stack, self)
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        names = (say("Meanings"), say("Unknown words"), say("Survey"))
        areas = [ScrollArea() for _ in names]
        for area, name in zip(areas, names, strict=True):
            self.tabs.addTab(area, name)
        places = [area.viewport() for area in areas]
        self.meanings = MeaningsPart(self.shell, self.desk, places[MEANINGS])
        self.unknown = UnknownPart(self.shell, self.desk, places[UNKNOWN])
        self.surveying = SurveyingPart(self.shell, self.desk, self.undo_stack, places[SURVEY])
        for area, part in zip(areas, (self.meanings, self.unknown, self.surveying), strict=True):
            scrolled(part, area, sideways=True)
        self.lists, self.scales = ListsDialog(self.shell, self.desk, self), ScalesDialog(self.shell, self.desk, self)
        self.surveying.adopt_wanted.connect(self.lists.show_list)
        self.surveying.surveyed.connect(self.lists.set_surveyed)
        self.desk.changed.connect(self._words_changed)
        self.desk.kept.connect(self.lists.set_history)
        self.desk.kept.connect(self._ask_state)

    # --- the page ----------------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show the department's words; the undo history is kept if it is the same department."""
        if opened is None or opened.department is not self._department:
            self._department = opened.department if opened is not None else None
            self._view = None
            if self._built:  # edits of another workspace cannot be undone in this one
                self.desk.show(None, editable=False)
        if opened is None:
            self.bar.hide()
            self.state_changed.emit("", "", "")
            self.show_closed(say("Words"), say("Open a workspace to see and change what its words mean."))
            return
        self.shell.run(_LOAD, work.load, self._loaded)

    def arrive(self, **where: Any) -> None:
        """Open a tab: "meanings", "unknown" or "survey"; ``phrase`` selects one among the meanings."""
        self._wanted_tab = _TABS.get(str(where.get("tab", "")), -1)
        self._wanted_phrase = str(where.get("phrase", ""))
        self._fill_first()
        if self._built:
            self._turn_to_wanted()

    def _turn_to_wanted(self) -> None:
        """Show the tab, and select the phrase, that was asked for, once the words are there."""
        if self._wanted_tab >= 0:
            self.tabs.setCurrentIndex(self._wanted_tab)
        if self._wanted_phrase:
            self.tabs.setCurrentIndex(MEANINGS)
            self.meanings.choose(self._wanted_phrase)
        self._wanted_tab, self._wanted_phrase = -1, ""

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'meanings', the picture of what readers take the phrases to mean."""
        if name == "meanings":
            return self.meanings.card if self._built else None
        return super().landmark(name, phrase)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._fill_first()

    def _fill_first(self) -> None:
        """Build and fill the parts unless that has been done or nothing is loaded."""
        if self._view is not None and not self._built:
            self._fill(self._view, first=True)

    def _loaded(self, view: WordsView) -> None:
        if self._built and self.shell.tasks.is_running(SAVE):  # it lacks the latest edit
            self.shell.run(_LOAD, work.load, self._loaded)
            return
        first, self._view = self._view is None, view
        self._show_state(view.state)
        self._tell(view.words)
        if self.isVisible() or self._built:
            self._fill(view, first=first)

    def _fill(self, view: WordsView, *, first: bool) -> None:
        """Show the words; ``first``: of another department, whose unknown words come first if there are some."""
        if not self._built:
            self._build()
        if first:
            self.lists.forget()
        opened = self.shell.opened
        editable = opened is not None and not opened.read_only
        self.show_content()
        self.desk.show(view.words, editable=editable)
        self.meanings.set_uses(view.uses.phrases if view.uses.engine else None)
        self.meanings.editor.set_sources(view.sources)
        self.unknown.set_uses(view.uses)
        self.surveying.show_survey(view.survey)
        self.scales.set_scales(view.scales)
        self.lists.set_history(view.history)
        self.lists.set_sources(view.sources)
        reason = "" if editable else read_only_reason()
        for widget in (self.survey_button, self.meanings.editor):
            widget.setToolTip(reason)
        for control in (self.survey_button, self.import_action, self.new_action):
            control.setEnabled(editable)
        if first:
            self.tabs.setCurrentIndex(UNKNOWN if self.unknown.n else MEANINGS)
        self._turn_to_wanted()

    # --- changes -----------------------------------------------------------------------------------

    @Slot(object)
    def _words_changed(self, words: WordList) -> None:
        self._tell(words)

    def _tell(self, words: WordList) -> None:
        """Say above the page and in the rail how many words there are, were changed, and have no place yet."""
        lexicon = words.lexicon
        unknown: tuple[UnknownWords, ...] = self._view.uses.unknown if self._view is not None else ()
        left = sum(lexicon.find(u.words) is None for u in unknown)
        origin = {p.name: (p.alpha, p.beta) for p in words.origin.phrases}
        edited = sum(origin.get(p.name) != (p.alpha, p.beta) for p in lexicon.phrases)
        said = [say("{n} words for how sure a report is, and what readers take them to mean.", n=len(lexicon.phrases))]
        if edited:
            said.append(say("{n} was changed since the survey.", many="{n} were changed since the survey.", n=edited))
        unknown_words = counted(left, "{n} unknown word", "{n} unknown words")
        if left:
            said.append(say("The reports hold {unknown}.", unknown=unknown_words))
        self.sentence.setText(" ".join(said))
        reason = say("Their findings are in no figure until you say what they mean") if left else ""
        state = say("{n} unknown", n=left) if left else ""
        self.state_changed.emit(state, reason, unknown_words if left else "")
        if self._built:
            self.reset_action.setEnabled(bool(edited) and self.desk.editable)

    @Slot()
    def _ask_state(self, *_: object) -> None:
        self.shell.run(_STATE, lambda department, _: department.words.state(), self._show_state)

    def _show_state(self, state: WordsState) -> None:
        self.bar.setVisible(state.stale)
        if not state.stale:
            return
        text = say("The results on show are from before your changes.")
        if state.unread:
            text += " " + say(
                "One report will be read again.", many="{n:,} reports will be read again.", n=state.unread
            )
        elif not state.problem:
            text += " " + say("No report has to be read again.")
        self.bar_text.setText(text)
        opened = self.shell.opened
        self.analyse.setEnabled(opened is not None and not opened.read_only)

    @Slot()
    def _look_again(self) -> None:
        """An analysis was stopped or failed: what the words still wait for is told again."""
        if self.shell.opened is not None and not self.shell.opened.kind:
            self.shell.run(_LOAD, work.load, self._loaded)

    @Slot()
    def _analyse(self) -> None:
        self.bar.hide()
        self.shell.reload(say("Analysing with the new words"))

    # --- larger changes ----------------------------------------------------------------------------

    @Slot()
    def _ask_colleague(self) -> None:
        if self._built:
            self.tabs.setCurrentIndex(SURVEY)
            self.surveying.begin()

    @Slot()
    def show_scales(self) -> None:
        """Show the scales of certainty, to choose one."""
        if self._built:
            self.scales.open()

    @Slot()
    def show_lists(self) -> None:
        """Show another list beside the department's words."""
        if self._built:
            self.lists.open()

    @Slot()
    def add_phrase(self) -> None:
        """Ask for a new phrase."""
        from ui.pages.words.new_phrase import NewPhraseDialog

        if self._built:
            self.dialog = dialog = NewPhraseDialog(self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.wanted.connect(partial(self._add_phrase, dialog))
            self.desk.refused.connect(dialog.show_reason)
            dialog.finished.connect(self._closed)
            dialog.open()

    def _add_phrase(self, dialog: NewPhraseDialog, wanted: tuple[str, float]) -> None:
        words, mean = wanted
        if self.desk.edit(lambda lx: editing.add_phrase(lx, words, mean), words.strip()):
            dialog.close()
            made = self.desk.lexicon.find(words)
            self.tabs.setCurrentIndex(MEANINGS)
            self.meanings.choose(made.name if made is not None else "")

    @Slot()
    def _closed(self, *_: object) -> None:
        self.dialog = None

    @Slot()
    def choose_file(self) -> None:
        """Ask for a survey or a phrase list."""
        kinds = (say("Tables (*.csv *.tsv *.txt)"), say("All files (*)"))
        ask_open(self, _title(self.import_action), kinds, self.read_file)

    @Slot(str)
    def read_file(self, name: str) -> None:
        """Read a survey or phrase list, and show it beside the current words, to be adopted."""
        path = Path(name)
        self.shell.run(
            _READ,
            lambda department, _: ReadList(department.words.read_list(path), path.stem),
            self.lists.show_list,
            title=say("Reading {name}", name=path.name),
        )

    @Slot()
    def reset_all(self) -> None:
        """Reset every phrase to its meaning in the original list."""
        words = self.desk.words
        if words is None:
            return

        def change(lexicon: Lexicon) -> Lexicon:
            for p in words.origin.phrases:
                if editing.by_name(lexicon, p.name) is not None:
                    lexicon = editing.reset_meaning(lexicon, p.name, words.origin)
            return lexicon

        self.desk.edit(change, words.origin.name)

    @Slot()
    def save_list(self) -> None:
        """Save the phrases as an importable file."""
        if self._built and self.desk.words is not None:
            make = partial(_phrases, self.desk.lexicon)
            self.shell.save_file(_title(self.save_action), "words.csv", ("CSV (*.csv)",), make)


def _title(action: QAction) -> str:
    """What an action is called as the title of its dialog."""
    return action.text().replace("&", "").rstrip("\u2026")


def _phrases(lexicon: Lexicon, _suffix: str) -> Export:
    from radcal.words.phrases import table_text

    return exports.text(table_text(lexicon), "list of phrases", rows=len(lexicon.phrases))
