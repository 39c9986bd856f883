"""Scales of certainty: what each says of its words, and which one the department uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QWidget

from radcal.words.scales import Place
from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel
from ui.kit.dialog import Dialog
from ui.kit.form import choice, offer
from ui.kit.layout import hbox
from ui.kit.table import DataTable
from ui.kit.text import caption, show_text, wrapped
from ui.pages.words.side_by_side import fit
from ui.sentences import place_in_words, scale_gaps
from ui.words import percent_range, quoted, say, typographic

if TYPE_CHECKING:
    from radcal.words.records import Phrase, Scale, ScaleWord
    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import WordList
    from ui.shell import Shell


@dataclass(frozen=True, slots=True)
class _Word:
    """Words that a scale names, and the phrase of the department's list that they stand for."""

    words: str
    stated: ScaleWord | None
    place: Place
    phrase: Phrase | None


class ScalesDialog(Dialog):
    """A scale to look at and to choose."""

    def __init__(self, shell: Shell, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(say("Scales of certainty"), parent)
        self._desk = desk
        self._scales: tuple[Scale, ...] = ()
        self._vocabulary = ""
        self.box = choice("")
        self.box.currentIndexChanged.connect(self._show_scale)
        self.choose = push_button(say("&Use this scale"), self._choose, primary=True)
        self.why = wrapped(role="error")
        self.state = wrapped()
        self.model = RecordModel(
            (
                Column(say("word"), lambda r: str(r.words), width=160),
                Column(say("scale states"), _stated, sort=_middle, width=140),
                Column(say("in your list"), _in_list, width=180),
                Column(
                    say("readers take it as"),
                    lambda r: percent_range(r.phrase.low, r.phrase.high) if r.phrase else "",
                    sort=lambda r: r.phrase.low + r.phrase.high if r.phrase else -1.0,
                ),
            ),
            self,
        )
        self.table = DataTable("scale", say("Scales of certainty"), self.model, shell)
        self.about = wrapped(role="muted")
        choosing = hbox(caption(say("&Scale"), self.box), self.box, self.choose, None)
        self.lay_out(choosing, self.why, self.state, (self.table, 1), self.about)
        self.why.hide()
        fit(self)
        desk.changed.connect(self._words_changed)
        desk.refused.connect(self._show_reason)

    def set_scales(self, scales: tuple[Scale, ...]) -> None:
        """The scales to choose from; shows the one in use, or the first where there is none."""
        if scales != self._scales:
            self._scales = scales
            items = ((say("no scale: all words"), ""), *((scale.name, scale.key) for scale in scales))
            offer(self.box, items, self._vocabulary or (scales[0].key if scales else ""))
        self._show_scale()

    @property
    def _scale(self) -> Scale | None:
        """The scale that is looked at."""
        return next((scale for scale in self._scales if scale.key == self.box.currentData()), None)

    @Slot(object)
    def _words_changed(self, words: WordList | None) -> None:
        if words is None:
            return
        before, self._vocabulary = self._vocabulary, words.scale.key if words.scale is not None else ""
        if before != self._vocabulary:
            with QSignalBlocker(self.box):
                self.box.setCurrentIndex(self.box.findData(self._vocabulary))
        self.state.setText(
            say("In use: {scale}. Advice proposes its words only. Habits show who keeps to it.", scale=words.scale.name)
            if words.scale is not None
            else say("No scale is in use: advice may propose every word that is ticked in Meanings.")
        )
        self._show_scale()

    @Slot(object)
    def _show_reason(self, reason: str) -> None:
        show_text(self.why, reason)

    @Slot()
    def _show_scale(self, *_: object) -> None:
        scale, words = self._scale, self._desk.words
        self.choose.setEnabled(self._desk.editable and self.box.currentData() != self._vocabulary)
        self.table.setVisible(scale is not None)
        self.about.setVisible(scale is not None)
        if scale is None or words is None:
            return
        find = words.lexicon.find
        named = [_Word(w.words, w, "within", find(w.words)) for w in reversed(scale.words)]
        named += [_Word(w, None, "established", find(w)) for w in scale.established]
        named += [_Word(w, None, "avoided", find(w)) for w in scale.avoid]
        self.model.set_rows(named)
        source = say("Source: {source}.", source=scale.source)
        lines = [say(scale.title) + ".", *scale_gaps(scale, words.lexicon), source]
        self.about.setText("\n".join(map(typographic, lines)))

    @Slot()
    def _choose(self) -> None:
        self._desk.choose_scale(self._scale)


def _stated(r: _Word) -> str:
    return percent_range(r.stated.low, r.stated.high) if r.stated else place_in_words(r.place)


def _middle(r: _Word) -> float:
    return r.stated.low + r.stated.high if r.stated else -1.0


def _in_list(r: _Word) -> str:
    if r.phrase is None:
        return say("no")
    return say("yes") if r.phrase.name == r.words else say("as {phrase}", phrase=quoted(r.phrase.name))
