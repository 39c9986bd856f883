"""The department's vocabulary: a scale of certainty to look at and choose, and how far the reports keep to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QWidget

from radcal.words.scales import Place
from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel, banded, by_name, count
from ui.kit.form import choice, offer
from ui.kit.layout import hbox, panel, scrolled, vbox
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import caption, label, show_text, wrapped
from ui.pages.words import work
from ui.pages.words.side_by_side import NARROW, SideBySide
from ui.plots.trend_plot import TrendPlot
from ui.sentences import place_in_words, scale_gaps, why_not_handed_on, workload_warning
from ui.widgets.time_controls import TimeControls
from ui.words import listed, percent_range, quoted, rate, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from radcal.reliability.comparison_records import Trend
    from radcal.words.records import Phrase, Scale, ScaleWord, VocabularyUse
    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import ScaleUse, WordList
    from ui.shell import Shell

_USE, _TREND = "words vocabulary use", "words vocabulary over time"
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class _Word:
    """Words that a scale names, and the phrase of the department's list that they stand for."""

    words: str
    stated: ScaleWord | None
    place: Place
    phrase: Phrase | None


@dataclass(frozen=True, slots=True)
class _Used:
    """The use of the vocabulary by one radiologist, or by all."""

    name: str
    use: VocabularyUse


class VocabularyPart(QWidget):
    """A scale with its words, ranges and source; beside it, who used words outside of it, and when."""

    def __init__(self, shell: Shell, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._desk = shell, desk
        self._scales: tuple[Scale, ...] = ()
        self._vocabulary = ""
        self._due = False
        self._build_scale()
        self._build_use()
        self._left, self._right = QWidget(), QWidget()
        vbox((self.table, 1), self.about, parent=self._left)
        parts = (self.used_title, self.basis, self.warning, (self.used, 1), self.asking, self.card)
        vbox(*parts, parent=self._right)
        self._areas = scrolled(self._left, sideways=True), scrolled(self._right, sideways=True)
        self._split = SideBySide(*self._areas)
        choosing = hbox(caption(say("&Scale"), self.box), self.box, self.choose, None)
        vbox(choosing, self.why, self.state, self.nothing, (self._split, 1), parent=self, margins=(0, 8, 0, 0))
        desk.changed.connect(self._words_changed)
        desk.refused.connect(partial(show_text, self.why))
        desk.kept.connect(self.ask_use)

    def _build_scale(self) -> None:
        self.box = choice(say("Scale of certainty"))
        self.box.currentIndexChanged.connect(self._show_scale)
        self.choose = push_button(say("&Use it as the vocabulary"), self._choose)
        self.why = wrapped(role="error")
        self.why.hide()
        self.state = wrapped(role="muted")
        self.model = RecordModel(
            (
                Column(say("words"), lambda r: str(r.words), width=120),
                Column(
                    say("scale states"),
                    lambda r: percent_range(r.stated.low, r.stated.high) if r.stated else place_in_words(r.place),
                    sort=lambda r: r.stated.low + r.stated.high if r.stated else -1.0,
                    width=120,
                ),
                Column(say("in the list"), _in_list, width=144),
                Column(
                    say("readers take it as"),
                    lambda r: percent_range(r.phrase.low, r.phrase.high) if r.phrase else "",
                    sort=lambda r: r.phrase.low + r.phrase.high if r.phrase else -1.0,
                ),
            ),
            self,
        )
        self.table = DataTable("scale", say("Words of the scale"), self.model, self._shell)
        self.table.setMinimumHeight(280)
        self.about = wrapped(role="muted")

    def _build_use(self) -> None:
        unused = say("Choose a scale to see how far the reports keep to it.")
        self.nothing = wrapped(unused, role="muted")
        self.nothing.hide()
        self.used_title = label(role="strong")
        self.basis = wrapped(role="muted")
        self.used_model = RecordModel(
            (
                Column(say("radiologist"), lambda r: str(r.name), coarse=lambda r: str(r.name), width=120),
                count(
                    say("hedged"),
                    lambda r: r.use.n,
                    say("Findings worded with a word of certainty."),
                    leaves=True,
                    width=64,
                ),
                Column(
                    say("outside the scale"), _outside, sort=by_name, coarse=lambda r: banded(r.use.outside), width=150
                ),
                Column(say("to avoid"), _avoided, sort=by_name, coarse=lambda r: banded(r.use.avoided), width=144),
                Column(say("most often outside"), lambda r: _named(r.use), tip=lambda r: _named(r.use, most=0)),
            ),
            self,
        )
        # Always under pseudonyms; less everybody's figures, the row of all would tell the others'.
        self.used_model.coarse, self.used_model.said = True, lambda r: r.use.n if r.use.author else 0
        name = say("Use of the vocabulary")
        self.used = DataTable("vocabulary", name, self.used_model, self._shell)
        self.used.setMinimumHeight(160)
        self.over = TimeControls(self)
        self.over.asked.connect(self._ask_trend)
        self.readout = label(role="muted")
        self.asking = panel(hbox(*self.over.parts, self.readout, None))
        self.plot = TrendPlot(rate=say("worded outside the scale"))
        self.plot.hovered.connect(self.readout.setText)
        self.card = PictureCard(self.plot, self._shell, say("Words outside the scale over time"))
        self.card.withhold(why_not_handed_on())
        self.warning = wrapped(workload_warning(), role="muted")

    # --- showing -----------------------------------------------------------------------------------

    def set_scales(self, scales: tuple[Scale, ...]) -> None:
        """The scales to choose from."""
        if scales == self._scales:
            return
        self._scales = scales
        offer(self.box, ((say("all words of the list"), ""), *((scale.name, scale.key) for scale in scales)))
        self._select()

    def _select(self) -> None:
        """Show the vocabulary, or the first scale where none was chosen yet."""
        wanted = self._vocabulary or (self._scales[0].key if self._scales else "")
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.box.findData(wanted))
        self._show_scale()

    @property
    def _scale(self) -> Scale | None:
        """The scale that is looked at."""
        return next((scale for scale in self._scales if scale.key == self.box.currentData()), None)

    @Slot(object)
    def _words_changed(self, words: WordList) -> None:
        before, self._vocabulary = self._vocabulary, words.scale.key if words.scale is not None else ""
        if before != self._vocabulary:
            with QSignalBlocker(self.box):
                self.box.setCurrentIndex(self.box.findData(self._vocabulary))
        self.state.setText(
            say(
                "The vocabulary is the {scale} scale: advice proposes its words and plain statements only. What words"
                " mean stays as it is in the list.",
                scale=words.scale.name,
            )
            if words.scale is not None
            else say(
                "Advice may propose every word that is ticked. With a scale it proposes the scale\u2019s words only."
            )
        )
        self._show_scale()

    @Slot()
    def _show_scale(self, *_: object) -> None:
        scale, words = self._scale, self._desk.words
        self.choose.setEnabled(self._desk.editable and self.box.currentData() != self._vocabulary)
        self.ask_use()
        self.table.setVisible(scale is not None)
        if scale is None or words is None:
            self.model.set_rows(())
            self.about.clear()
            return
        find = words.lexicon.find
        named = [_Word(w.words, w, "within", find(w.words)) for w in reversed(scale.words)]
        named += [_Word(w, None, "established", find(w)) for w in scale.established]
        named += [_Word(w, None, "avoided", find(w)) for w in scale.avoid]
        self.model.set_rows(named)
        lines = [
            say(scale.title) + ".",
            *scale_gaps(scale, words.lexicon),
            say("Source: {source}.", source=scale.source),
        ]
        self.about.setText("\n".join(map(typographic, lines)))

    @Slot()
    def _choose(self) -> None:
        self._desk.choose_scale(self._scale)

    # --- its use -----------------------------------------------------------------------------------

    @Slot()
    def ask_use(self, *_: object) -> None:
        """Count the use of the scale that is looked at, once the page is."""
        self._due = True
        if self.isVisible() and self._shell.opened is not None:
            self._due = False
            self._shell.run(_USE, partial(work.vocabulary_use, self._scale), self._show_use)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._due:
            self.ask_use()

    @Slot(object)
    def _show_use(self, used: ScaleUse) -> None:
        chosen = used.uses[0].scale if used.uses else ""
        self._areas[1].setVisible(bool(used.uses))
        self.nothing.setVisible(not used.uses)
        self.used_title.setText(say("How far reports keep to the {scale} scale", scale=chosen))
        self.basis.setText(self._about_use())
        everyone = say("all radiologists")
        rows = [_Used(used.aliases[u.author] if u.author else everyone, u) for u in used.uses]
        rows[1:] = sorted(rows[1:], key=by_name)
        self.used_model.set_rows(rows)
        self.over.offer([(row.name, row.use.author) for row in rows[1:]])
        if rows:
            self._ask_trend()

    def _about_use(self) -> str:
        """What is counted, and which scale is the vocabulary where another one is looked at."""
        counted = say("All hedged findings of the X-ray reports with a CT, as they were written.")
        if self.box.currentData() == self._vocabulary:
            return counted
        chosen = next((scale.name for scale in self._scales if scale.key == self._vocabulary), "")
        vocabulary = (
            say("The department\u2019s vocabulary is the {scale} scale, not this one.", scale=chosen)
            if chosen
            else say("The department has not chosen this scale as its vocabulary.")
        )
        return f"{counted} {vocabulary}"

    @Slot()
    def _ask_trend(self, *_: object) -> None:
        author, unit = self.over.author, self.over.unit.currentData()
        if self._scale is not None:
            self._shell.run(_TREND, partial(work.use_over_time, author, unit, self._scale), self._show_trend)

    @Slot(object)
    def _show_trend(self, trend: Trend) -> None:
        self.plot.set_record(trend)
        self.card.set_name(
            say("Words outside the {scale} scale, {who}", scale=trend.phrase, who=self.over.who.currentText())
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._split.stack(narrow)
        for area, inner in zip(self._areas, (self._left, self._right), strict=True):
            area.setMinimumHeight(inner.minimumSizeHint().height() if narrow else 0)


def _in_list(r: _Word) -> str:
    if r.phrase is None:
        return say("no")
    return say("yes") if r.phrase.name == r.words else say("as {phrase}", phrase=quoted(r.phrase.name))


def _outside(r: _Used) -> str:
    return _share(r.use.outside, r.use.n, r.use.outside_low, r.use.outside_high)


def _avoided(r: _Used) -> str:
    return _share(r.use.avoided, r.use.n, r.use.avoided_low, r.use.avoided_high)


def _share(part: int, n: int, low: float, high: float) -> str:
    """'81, 38 % (32-45)'."""
    return say("{n}, {rate}", n=whole(part), rate=rate(part / n, low, high)) if n else whole(0)


def _named(use: VocabularyUse, most: int = _MOST_NAMED) -> str:
    """The words outside, with their counts."""
    return listed([say("{word} ({n})", word=quoted(words), n=whole(n)) for words, n in use.words], most)
