"""Words: the phrases' meanings and synonyms, which ones advice may propose, and surveys."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
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
from ui.words import counted, say, whole

if TYPE_CHECKING:
    from radcal.reliability.department_words import WordsState
    from radcal.system.exports import Export
    from radcal.words.phrases import Lexicon
    from ui.pages.words.list_comparison import ComparingPart
    from ui.pages.words.meanings import MeaningsPart
    from ui.pages.words.new_phrase import NewPhraseDialog
    from ui.pages.words.survey import SurveyingPart
    from ui.pages.words.unknown import UnknownPart
    from ui.pages.words.vocabulary import VocabularyPart
    from ui.pages.words.work import WordList, WordsView
    from ui.records import Opened
    from ui.shell import Shell

_LOAD, _STATE, _READ = "words load", "words state", "words read"
MEANINGS, UNKNOWN, COMPARE, SURVEY, VOCABULARY = range(5)
_PARTS = {"meanings": MEANINGS, "unknown": UNKNOWN, "compare": COMPARE, "survey": SURVEY, "vocabulary": VOCABULARY}
"""The parts of the page, by the names that ``arrive(part=...)`` takes."""


class WordsPage(StagePage):
    """The lexicon in five parts: meanings, unknown words, comparison, survey, vocabulary."""

    meanings: MeaningsPart
    unknown: UnknownPart
    comparing: ComparingPart
    surveying: SurveyingPart
    vocabulary: VocabularyPart
    desk: WordsDesk

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.title.setText(say("Words"))
        self.dialog: QDialog | None = None
        self._built = False
        self._view: WordsView | None = None
        self._department: object = None
        self._wanted_part, self._wanted_phrase = -1, ""
        self._build_head()
        self._build_bar()
        self.tabs = Tabs(say("Parts of the page"))
        self.body.addWidget(self.tabs, 1)

    def _build_head(self) -> None:
        self.survey_button = push_button(say("Ask a &colleague\u2026"), self._ask_colleague, primary=True)
        self.more = menu_button(say("More \u25be"), say("More actions"))
        menu = self.more.menu()
        self.import_action = menu.addAction(say("&Import a survey or a list\u2026"), self.choose_file)
        self.export_action = menu.addAction(say("&Save the list as CSV\u2026"), self.save_list)
        self.reset_action = menu.addAction(say("&Reset all to the survey"), self.reset_all)
        self.head.addWidget(self.survey_button, 0, 2)
        self.head.addWidget(self.more, 0, 3)

    def _build_bar(self) -> None:
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
        from ui.pages.words.list_comparison import ComparingPart
        from ui.pages.words.meanings import MeaningsPart
        from ui.pages.words.survey import SurveyingPart
        from ui.pages.words.unknown import UnknownPart
        from ui.pages.words.vocabulary import VocabularyPart

        self._built = True
        self.desk = WordsDesk(self.shell, self.undo_stack, self)
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        names = (say("Meanings"), say("Unknown words"), say("Compare"), say("Survey"), say("Vocabulary"))
        areas = [ScrollArea() for _ in names]
        for area, name in zip(areas, names, strict=True):
            self.tabs.addTab(area, name)
        places = [area.viewport() for area in areas]
        self.meanings = MeaningsPart(self.shell, self.desk, places[0])
        self.unknown = UnknownPart(self.shell, self.desk, places[1])
        self.comparing = ComparingPart(self.shell, self.desk, places[2])
        self.surveying = SurveyingPart(self.shell, self.desk, self.undo_stack, places[3])
        self.vocabulary = VocabularyPart(self.shell, self.desk, places[4])
        parts = (self.meanings, self.unknown, self.comparing, self.surveying, self.vocabulary)
        for area, part in zip(areas, parts, strict=True):
            scrolled(part, area, sideways=True)
        self.tabs.currentChanged.connect(self._part_shown)
        self.meanings.new_wanted.connect(self.add_phrase)
        self.comparing.take_over_wanted.connect(self.take_over)
        self.surveying.take_over_wanted.connect(self.take_over)
        self.surveying.surveyed.connect(self.comparing.set_surveyed)
        self.desk.changed.connect(self._words_changed)
        self.desk.kept.connect(self.comparing.set_history)
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
        """Open a part: "meanings", "unknown", "compare", "survey" or "vocabulary"; ``phrase`` selects one."""
        self._wanted_part = _PARTS.get(str(where.get("part", "")), -1)
        self._wanted_phrase = str(where.get("phrase", ""))
        self._fill_first()
        if self._built:
            self._turn_to_wanted()

    def _turn_to_wanted(self) -> None:
        """Show the part, and select the phrase, that was asked for, once the words are there."""
        if self._wanted_part >= 0:
            self.tabs.setCurrentIndex(self._wanted_part)
        if self._wanted_phrase:
            self.tabs.setCurrentIndex(MEANINGS)
            self.meanings.choose(self._wanted_phrase)
        self._wanted_part, self._wanted_phrase = -1, ""

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
            self._fill(self._view)

    def _loaded(self, view: WordsView) -> None:
        if self._built and self.shell.tasks.is_running(SAVE):  # it lacks the latest edit
            self.shell.run(_LOAD, work.load, self._loaded)
            return
        self._view = view
        self._show_state(view.state)
        self._tell_rail(view.words.lexicon, view.uses.unknown)
        if self.isVisible() or self._built:
            self._fill(view)

    def _fill(self, view: WordsView) -> None:
        if not self._built:
            self._build()
        opened = self.shell.opened
        editable = opened is not None and not opened.read_only
        self.show_content()
        self.desk.show(view.words, editable=editable)
        self.meanings.set_uses(view.uses.phrases if view.uses.engine else None)
        self.unknown.set_uses(view.uses)
        self.surveying.show_survey(view.survey)
        self.vocabulary.set_scales(view.scales)
        self.vocabulary.ask_use()
        self.comparing.set_history(view.history)
        self.comparing.set_sources(view.sources)
        self.meanings.editor.set_sources(view.sources)
        reason = "" if editable else say("The workspace is open to read only.")
        for widget in (self.survey_button, self.meanings.new, self.meanings.editor, self.surveying.ask):
            widget.setToolTip(reason)
        self.survey_button.setEnabled(editable)
        self.import_action.setEnabled(editable)
        self._turn_to_wanted()

    # --- changes -----------------------------------------------------------------------------------

    @Slot(object)
    def _words_changed(self, words: WordList) -> None:
        lexicon = words.lexicon
        origin = {p.name: (p.alpha, p.beta) for p in words.origin.phrases}
        edited = sum(origin.get(p.name) != (p.alpha, p.beta) for p in lexicon.phrases)
        said = say(
            "{phrases}, from absent to present, and what readers take them to mean.",
            phrases=counted(len(lexicon.phrases), "{n} phrase", "{n} phrases"),
        )
        if edited:
            said += " " + say(
                "{n} differs from the survey that the list was made from.",
                many="{n} differ from the survey that the list was made from.",
                n=edited,
            )
        self.sentence.setText(said)
        self.reset_action.setEnabled(bool(edited) and self.desk.editable)
        unknown = self._view.uses.unknown if self._view is not None else ()
        self._tell_rail(lexicon, unknown)

    def _tell_rail(self, lexicon: Lexicon, unknown: Any) -> None:
        left = sum(lexicon.find(u.words) is None for u in unknown)
        reason = meaning = ""
        if left:
            reason = say(
                "{n} word of certainty in the reports is in no list",
                many="{n:,} words of certainty in the reports are in no list",
                n=left,
            )
            meaning = counted(left, "{n} unknown word", "{n} unknown words")
        self.state_changed.emit(whole(left) if left else "", reason, meaning)
        if self._built:
            name = say("Unknown words")
            self.tabs.setTabText(UNKNOWN, f"{name} ({whole(left)})" if left else name)

    @Slot()
    def _ask_state(self, *_: object) -> None:
        self.shell.run(_STATE, lambda department, _: department.words.state(), self._show_state)

    def _show_state(self, state: WordsState) -> None:
        self.bar.setVisible(state.stale)
        if not state.stale:
            return
        text = (
            say("What advice may propose, or another setting, has changed since these results.")
            if state.settings_only
            else say("Words have changed: the results on show were made with the old ones.")
        )
        if state.unread and state.settings_only:
            text += " " + say(
                "One report that the engine has not read yet will be read.",
                many="{n:,} reports that the engine has not read yet will be read.",
                n=state.unread,
            )
        elif state.unread:
            text += " " + say(
                "One report will be read again.",
                many="{n:,} reports will be read again, because words stand for others now.",
                n=state.unread,
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

    @Slot(int)
    def _part_shown(self, part: int) -> None:
        if part == COMPARE:
            self.comparing.show_lists()

    # --- larger changes ----------------------------------------------------------------------------

    @Slot()
    def _ask_colleague(self) -> None:
        if self._built:
            self.tabs.setCurrentIndex(SURVEY)
            self.surveying.begin()

    @Slot()
    def add_phrase(self) -> None:
        """Ask for a new phrase."""
        from ui.pages.words.new_phrase import NewPhraseDialog

        dialog = NewPhraseDialog(self)
        dialog.wanted.connect(partial(self._add_phrase, dialog))
        self.desk.refused.connect(dialog.show_reason)
        self._open(dialog)

    def _add_phrase(self, dialog: NewPhraseDialog, wanted: tuple[str, float]) -> None:
        words, mean = wanted
        text = say("adding \u201c{words}\u201d", words=words.strip())
        if self.desk.edit(lambda lx: editing.add_phrase(lx, words, mean), text):
            dialog.close()
            made = self.desk.lexicon.find(words)
            self.meanings.choose(made.name if made is not None else "")

    @Slot()
    def choose_file(self) -> None:
        """Ask for a survey or a phrase list."""
        kinds = (say("Tables (*.csv *.tsv *.txt)"), say("All files (*)"))
        ask_open(self, say("Import a survey or a list"), kinds, self.read_file)

    @Slot(str)
    def read_file(self, name: str) -> None:
        """Read a survey or phrase list, compare it with the current words, and offer to adopt it."""
        path = Path(name)
        self.shell.run(
            _READ,
            lambda department, _: ReadList(department.words.read_list(path), path.stem),
            self._read,
            title=say("Reading {name}", name=path.name),
        )

    def _read(self, read: ReadList) -> None:
        self.comparing.add(read)
        self.take_over(read)

    @Slot(object)
    def take_over(self, read: ReadList) -> None:
        """Show what adopting a list would change, and ask."""
        from ui.pages.words.adoption import TakeOverDialog

        if self._built and self.desk.words is not None and self.desk.editable:
            dialog = TakeOverDialog(self.shell, self.desk.lexicon, read, self)
            dialog.wanted.connect(partial(self._take_over, read))
            self._open(dialog)

    def _take_over(self, read: ReadList, lexicon: Lexicon) -> None:
        self.desk.take_over(lexicon, read.lexicon, say("taking over {name}", name=read.name))

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

        self.desk.edit(change, say("resetting all meanings"))

    @Slot()
    def save_list(self) -> None:
        """Save the phrases as an importable file."""
        if self.desk.words is not None:
            self.shell.save_file(
                say("Save the list of phrases"),
                "phrases.csv",
                ("CSV (*.csv)",),
                partial(_phrases, self.desk.lexicon),
            )

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._closed)
        dialog.open()

    @Slot()
    def _closed(self, *_: object) -> None:
        self.dialog = None


def _phrases(lexicon: Lexicon, _suffix: str) -> Export:
    from radcal.words.phrases import table_text

    return exports.text(table_text(lexicon), "list of phrases", rows=len(lexicon.phrases))
