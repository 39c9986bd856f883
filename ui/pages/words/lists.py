"""Another list beside the department's words: how far they differ, and what adopting it would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from radcal.system.errors import InputError
from radcal.words import editing
from radcal.words.phrases import mean_of
from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel
from ui.kit.dialog import Dialog
from ui.kit.form import choice, offer
from ui.kit.layout import hbox, scrolled
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import caption, wrapped
from ui.pages.words import work
from ui.pages.words.side_by_side import SideBySide, fit
from ui.pages.words.work import SHIPPED, SURVEY, SURVEYS, ReadList
from ui.plots.lexicon_plot import LexiconPlot
from ui.words import moment, percent, say, typographic

if TYPE_CHECKING:
    from radcal.calibration.department_words import LexiconVersion
    from radcal.words.editing import Difference
    from radcal.words.phrases import Lexicon
    from radcal.words.records import Phrase
    from radcal.words.responses import Surveyed
    from ui.pages.words.desk import WordsDesk
    from ui.shell import Shell

_LISTS = "words lists"
_NONE = "\u2013"


class ListsDialog(Dialog):
    """Draws a list that is chosen over the department's words, lists the differences, and makes it the department's.

    Surveys, earlier versions, language models that were asked, and files can be chosen.
    """

    def __init__(self, shell: Shell, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(say("Compare with another list"), parent)
        self._shell, self._desk = shell, desk
        self._known: dict[str, ReadList] = {}
        self._history: tuple[LexiconVersion, ...] = ()
        self._has_survey = False
        self._made: Lexicon | None = None
        self.other = choice("")
        self.other.setMinimumContentsLength(30)
        self.other.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.note = wrapped(role="muted")
        self.plot = LexiconPlot()
        self.plot.set_editable(False)
        self.model = RecordModel(
            (
                Column(say("word"), lambda d: str(d.name), width=140),
                Column(say("now"), lambda d: _mean(d.first), True, lambda d: _value(d.first), width=64),
                Column(say("there"), lambda d: _mean(d.second), True, lambda d: _value(d.second), width=64),
                Column(say("points apart"), _difference, True, lambda d: d.of_means or 0.0),
            ),
            self,
        )
        self.table = DataTable("words compared", say("Compare with another list"), self.model, shell)
        self.only = QCheckBox(say("&Drop the words that it does not have"))
        self.what = wrapped()
        self.adopt = push_button(say("A&dopt this list"), primary=True)
        picture = scrolled(PictureCard(self.plot, shell, say("Compare with another list")), sideways=True)
        choosing = hbox(caption(say("Compare &with"), self.other), self.other, None)
        self.lay_out(choosing, self.note, (SideBySide(picture, self.table), 1), self.only, self.what, accept=self.adopt)
        fit(self)
        self.other.currentIndexChanged.connect(self._chosen)
        self.only.toggled.connect(self._show_outcome)
        self.plot.picked.connect(self._picked)
        self.table.current_changed.connect(self._row_chosen)
        desk.changed.connect(self._again)

    # --- what can be chosen ------------------------------------------------------------------------

    def forget(self) -> None:
        """Offer nothing of another workspace any more."""
        self._known.clear()

    @Slot(object)
    def set_history(self, history: tuple[LexiconVersion, ...]) -> None:
        """Offer the department's earlier versions."""
        self._history = history
        self._fill()

    @Slot(object)
    def set_surveyed(self, surveyed: Surveyed) -> None:
        """Offer the department's own survey once it has a result."""
        self._has_survey = surveyed.lexicon is not None
        self._known.pop(SURVEY, None)
        self._fill()

    def set_sources(self, sources: tuple[ReadList, ...]) -> None:
        """Offer what surveys and language models take the words to mean."""
        self._known.update({source.key: source for source in sources})
        self._fill()

    @Slot(object)
    def show_list(self, read: ReadList) -> None:
        """Show a list, such as one read from a file."""
        key = read.key or f"file {read.name}"
        self._known[key] = read
        self._fill(key)
        self.open()

    def _fill(self, chosen: str = "") -> None:
        own = [(say("The department\u2019s own survey"), SURVEY)] if self._has_survey else []
        shipped = [(name(), key) for key, name in SURVEYS]
        others = [(read.name, key) for key, read in self._known.items() if key not in {SURVEY, *dict(SURVEYS)}]
        versions = {v.key: v for v in self._history[1:]}
        earlier = [(say("{when}: {what}", when=moment(v.when), what=v.what), v.key) for v in versions.values()]
        offered = dict.fromkeys([*shipped, *own, *(o for o in others if o[1] not in versions), *earlier])
        offer(self.other, offered, chosen or self.other.currentData() or SHIPPED)
        self._again()

    # --- comparing ---------------------------------------------------------------------------------

    def open(self) -> None:
        """Show what is chosen."""
        super().open()
        self._chosen()

    @Slot()
    def _again(self, *_: object) -> None:
        if self.isVisible():
            self._chosen()

    @Slot()
    def _chosen(self, *_: object) -> None:
        key, name = str(self.other.currentData()), self.other.currentText()
        if key in self._known:
            self._compare(self._known[key])
        elif self._desk.words is not None:
            self._shell.run(_LISTS, lambda department, _: ReadList(department.words.of(key), name, key), self._loaded)

    def _loaded(self, read: ReadList) -> None:
        self._known[read.key] = read
        self._again()

    def _compare(self, read: ReadList) -> None:
        if self._desk.words is None:
            return
        differences = editing.compare(self._desk.lexicon, read.lexicon)
        self.model.set_rows(differences)
        drawn = {d.name: d.second for d in differences if d.second is not None}
        outlines = dict(zip(drawn, work.ridges(tuple(drawn.values())), strict=True))
        # The plot wants the weakest first; words of the other list alone are drawn as outlines.
        shown = [d.first or d.second for d in reversed(differences)]
        self.plot.set_ridges(work.ridges([p for p in shown if p is not None]), outlines)
        self.plot.set_dimmed({d.name for d in differences if d.first is None})
        both = [abs(d.of_means) for d in differences if d.of_means is not None]
        self.note.setText(
            say(
                "Coloured: the words now. Dashed: {name}. {both} of {n} words are in both, {points} points apart on"
                " average.",
                name=read.name,
                n=len(differences),
                both=len(both),
                points=round(100 * sum(both) / len(both)),
            )
            if both
            else say("Coloured: the words now. Dashed: {name}. No word is in both.", name=read.name)
        )
        self._show_outcome()

    @Slot(object)
    def _picked(self, name: str) -> None:
        self.table.select_row([d.name for d in self.model.rows].index(name))

    @Slot(object)
    def _row_chosen(self, row: int) -> None:
        if 0 <= row < self.model.rowCount():
            self.plot.select(str(self.model.row(row).name))

    # --- adopting ----------------------------------------------------------------------------------

    @Slot()
    def _show_outcome(self, *_: object) -> None:
        """Say what adopting the list would change."""
        read = self._known.get(str(self.other.currentData()))
        if read is None or self._desk.words is None:
            return
        now = self._desk.lexicon
        try:
            self._made = editing.taken_over(now, read.lexicon, keep_others=not self.only.isChecked())
        except InputError as error:
            self._made = None
            self.adopt.setEnabled(False)
            self.what.setText(typographic(str(error)))
            return
        changes = self._made.version != now.version
        self.adopt.setEnabled(changes and self._desk.editable)
        n = len(self._made.phrases)
        self.what.setText(say("{n} words if you adopt it.", n=n) if changes else say("Nothing would change."))

    def accept(self) -> None:
        """Make the list the department's; resetting a meaning restores that of this list from then on."""
        read, made = self._known.get(str(self.other.currentData())), self._made
        super().accept()
        if read is not None and made is not None:
            self._desk.take_over(made, read.lexicon, say("adopting {name}", name=read.name))


def _mean(phrase: Phrase | None) -> str:
    return _NONE if phrase is None else percent(mean_of(phrase))


def _value(phrase: Phrase | None) -> float:
    return -1.0 if phrase is None else mean_of(phrase)


def _difference(difference: Difference) -> str:
    if difference.of_means is None:
        return _NONE
    points = round(100 * difference.of_means)
    return f"{points:+d}".replace("-", "\u2212") if points else "0"
