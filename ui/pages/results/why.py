"""How the results of a group are worked out: the one place of the page where figures of statistics stand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from radcal.calibration.groups import hedged_uses
from ui.kit.action import push_button
from ui.kit.layout import ScrollArea, hbox, vbox
from ui.kit.text import caption, clear, label, wrapped
from ui.language import spoken
from ui.pages.results.sentences import not_mentioned, points, read_by
from ui.plots.bands import Band
from ui.plots.figures import signed
from ui.sentences import asked, on_unseen_findings
from ui.words import decimal, decimal_interval, listed, quoted, rate, say, typographic, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QShowEvent

    from radcal.calibration.records import Monotone, PhraseRate, Reliability, Spread
    from radcal.system.selection import Group
    from ui.records import GroupView, Opened


class WhyPanel(ScrollArea):
    """The explanation, with the choice of the diagram's curve.

    left: back to the cases;  band_chosen: the Band to draw;  help_wanted
    """

    left = Signal()
    band_chosen = Signal(object)
    help_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("framed")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(say("How is this worked out?"))
        back = push_button(say("&Back to the cases"), self.left)
        self.band = QComboBox()
        for band, text in (
            (Band.INTERVAL, say("Hedged words, with their interval")),
            (Band.LUCK, say("Hedged words, with what luck alone gives")),
            (Band.ORDER, say("All words in their order, with what luck alone gives")),
        ):
            self.band.addItem(text, band)
        self.band.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.band.setMinimumContentsLength(18)
        self.band.currentIndexChanged.connect(self._band_changed)
        self.order = wrapped()
        self.order.hide()
        self._lines = vbox(spacing=8)
        self._of: tuple[Opened, Group, GroupView] | None = None
        """What is still to be explained."""
        inner = QWidget()
        vbox(
            hbox((label(say("How is this worked out?"), role="strong"), 1), back),
            hbox(caption(say("C&urve in the diagram:"), self.band), (self.band, 1)),
            self.order,
            self._lines,
            hbox(push_button(say("Read more in the help"), self.help_wanted), None),
            None,
            parent=inner,
            margins=(12, 8, 12, 12),
        )
        self.setWidget(inner)
        for part in (inner, self.viewport()):
            part.setAutoFillBackground(False)

    @Slot()
    def _band_changed(self, *_: object) -> None:
        self.band_chosen.emit(Band(self.band.currentData()))  # Qt keeps the text alone

    def show_order(self, monotone: Monotone | None) -> None:
        """Say what the curve of the words in their order tells; None while it is not drawn."""
        self.order.setText("" if monotone is None else order(monotone))
        self.order.setVisible(monotone is not None)

    def show_view(self, opened: Opened, group: Group, view: GroupView) -> None:
        """Explain the results of a group, once it is seen."""
        self._of = opened, group, view
        if self.isVisible():
            self._explain()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._explain()

    def _explain(self) -> None:
        if self._of is not None:
            clear(self._lines)
            for text in explain(*self._of):
                self._lines.addWidget(wrapped(text))
            self._of = None


def explain(opened: Opened, group: Group, view: GroupView) -> Iterator[str]:
    """The paragraphs on a group, with its own figures: the verdicts first, then measures, sources, what is enough."""
    r = without_few_hedges(view.reliability, opened.min_phrase_n)
    is_model = group.author in opened.models
    yield say(
        "A verdict is given where it is 95 % sure or more: that the true rate lies in the range that readers take the "
        "word to mean, below it, or above it. The true rate is estimated from the findings behind the word and from "
        "how far words usually stray: few findings are drawn towards what is usual, many speak for themselves. "
        "{spread}",
        spread=_learned(opened.spread, is_model=is_model),
    )
    if r.word_error is not None:
        yield " ".join(filter(None, _distance(r)))
    else:
        yield say("Too little was hedged here to say how far the words were off together.")
    yield from _spread(r)
    if measures := [*_in_parts(r), *_further(r)]:
        listing = "\n".join(measures)
        yield say(
            "To compare with published figures, over {n} findings:\n{measures}\nECE spreads each finding over all that "
            "readers may take its word to mean. Broad words and few findings alone make it larger than 0; the rest may "
            "be below 0. ECE* leaves plain statements out.",
            n=whole(r.n),
            measures=listing,
        )
    yield from filter(None, (on_unseen_findings(view.advice), *_sources(opened, group, r)))
    yield say(
        "A curve needs {group} findings, and advice on a word {phrase} uses of it. Here there are {n}, {hedged} of "
        "them hedged.",
        group=opened.min_group_n,
        phrase=opened.min_phrase_n,
        n=whole(r.n),
        hedged=whole(hedged_uses(r.phrases)),
    )


def without_few_hedges(r: Reliability, min_phrase_n: float) -> Reliability:
    """The record without the measures of hedges if there are too few of them: resamples of one are identical."""
    if hedged_uses(r.phrases) >= min_phrase_n:
        return r
    return replace(r, word_error=None, slope=None, intercept=None, ece=None, ece_star=None)


def _learned(spread: Spread | None, *, is_model: bool) -> str:
    """From what verdicts and intervals were learned."""
    from radcal.calibration.model import FEWEST_GROUPS  # imports NumPy, which the first paint must not wait for

    if is_model or spread is None or spread.groups < FEWEST_GROUPS:
        return say("What is usual comes with RadCal: too little is known here yet.")
    return say("What is usual was learned from {n:,} groups of this department.", n=spread.groups)


def _distance(r: Reliability) -> Iterator[str]:
    """The word error with its interval, what chance gives, what the test says, and the word that adds most to it."""
    error = r.word_error or 0.0
    yield say(
        "On average the hedged words missed their meaning by {points}.",
        points=points(error, r.word_error_low, r.word_error_high),
    )
    if r.luck_word_mean is not None and r.luck_word_p95 is not None:
        yield say(
            "Chance alone gives about {mean}, up to {high}.",
            mean=round(100 * r.luck_word_mean),
            high=round(100 * r.luck_word_p95),
        )
    yield p_value_of(r)
    if r.read_word_error is not None:
        read = points(r.read_word_error, r.read_word_error_low, r.read_word_error_high)
        yield say("With reading errors: {points}.", points=read)
    hedges = [p for p in r.phrases if p.n > 0 and 0.0 < p.mean < 1.0]
    most: PhraseRate | None = max(hedges, key=lambda p: p.n * abs(p.rate - p.mean), default=None)
    if most is not None:
        yield say("Most of it comes from {word}.", word=quoted(most.phrase))


def p_value_of(r: Reliability) -> str:
    """What the test of the word error says, by the q-value where there is one; '' if it was not made."""
    p = r.p_value_word if r.q_value_word is None else r.q_value_word
    if p is None or r.p_value_word is None:
        return ""
    shown = spoken().p_value(p)
    if r.plain_p_value_word is not None and p > r.plain_p_value_word:
        shown = say("{p}, allowing for reading errors and the number of tests", p=shown)
    elif p > r.p_value_word:
        shown = say("{p}, allowing for the number of tests", p=shown)
    if p >= _ENOUGH:
        return say("That is not enough to call it a difference ({p}).", p=shown)
    return say("That is more than chance gives ({p}).", p=shown)


_ENOUGH = 0.05


def _spread(r: Reliability) -> Iterator[str]:
    """Slope and intercept with their intervals."""
    if r.slope is None or r.slope_low is None or r.slope_high is None:
        return
    text = say(
        "Slope {value}: 1 says that the words are as far apart as CT showed, less that strong words were too strong "
        "and weak ones too weak, more that all were too cautious.",
        value=f"{decimal(r.slope)} {_signed_interval(r.slope_low, r.slope_high)}",
    )
    if r.intercept is not None and r.intercept_low is not None and r.intercept_high is not None:
        text += " " + say(
            "Intercept {value}: above 0, CT confirmed more than the words say, below 0 less.",
            value=f"{signed(r.intercept)} {_signed_interval(r.intercept_low, r.intercept_high)}",
        )
    yield text


def _signed_interval(low: float, high: float) -> str:
    """'(0.50-0.95)'; with a negative end '(-0.10 to +0.32)'."""
    if low < 0:
        return say("({low} to {high})", low=signed(low), high=signed(high))
    return f"({decimal(low)}\u2013{decimal(high)})"


def _in_parts(r: Reliability) -> Iterator[str]:
    """ECE and ECE* with their intervals in their parts, which add up as shown."""
    for name, value, low, high, width, luck in (
        ("ECE", r.ece, r.ece_low, r.ece_high, r.ece_width, r.luck_mean),
        ("ECE*", r.ece_star, r.ece_star_low, r.ece_star_high, r.ece_star_width, r.luck_star_mean),
    ):
        if value is None:
            continue
        shown = f"{name} {decimal_interval(value, low, high)}"
        if width is None or luck is None:
            yield shown
            continue
        # In the hundredths that are shown, so that the parts shown add up.
        whole_of, of_width, of_luck = (round(100 * float(f"{v:.2f}")) for v in (value, width, luck))
        chance, rest = (of_luck - of_width) / 100, (whole_of - of_luck) / 100
        yield say(
            "{ece} = {width} width of the words {luck_sign} {chance} chance {sign} {rest} the rest",
            ece=shown,
            width=decimal(of_width / 100),
            luck_sign="\u2212" if chance < 0 else "+",
            chance=decimal(abs(chance)),
            sign="\u2212" if rest < 0 else "+",
            rest=decimal(abs(rest)),
        )


def _further(r: Reliability) -> Iterator[str]:
    """Accuracy and Brier score with intervals."""
    if r.accuracy is not None and r.accuracy_low is not None and r.accuracy_high is not None:
        yield say("On the right side of one half: {rate}", rate=rate(r.accuracy, r.accuracy_low, r.accuracy_high))
    if r.brier is not None:
        yield say("Brier score {value}", value=decimal_interval(r.brier, r.brier_low, r.brier_high))


def _sources(opened: Opened, group: Group, r: Reliability) -> Iterator[str]:
    """Where the findings and meanings come from, and what is not among them."""
    meanings = opened.meanings
    if group.author not in opened.models:
        yield read_by(opened)
        yield typographic(opened.verified.get(group, ""))
        yield typographic(opened.unread.get(group, ""))
        yield not_mentioned(opened, group)
    said = (meanings.get(p.phrase) for p in r.phrases if p.n > 0)
    yield "\n".join(asked(phrase) for phrase in said if phrase is not None and phrase.answers)


def order(m: Monotone) -> str:
    """The three parts of the Brier score of the words in their order, and the words whose order was not kept."""
    loss, told, open_ = (round(100 * float(f"{v:.2f}")) for v in (m.miscalibration, m.discrimination, m.uncertainty))
    text = say(
        "In their order: Brier score {brier} = {uncertainty} open before a word is read \u2212 {discrimination} that "
        "the words resolve + {miscalibration} lost by not meaning what CT showed, n = {n}.",
        uncertainty=decimal(open_ / 100),
        discrimination=decimal(told / 100),
        miscalibration=decimal(loss / 100),
        brier=decimal((open_ - told + loss) / 100),
        n=whole(float(m.n.sum())),
    )
    if m.disordered:
        pairs = [say("{weaker} and {stronger}", weaker=quoted(a), stronger=quoted(b)) for a, b in m.disordered]
        text += " " + say("CT confirmed the weaker word more often: {pairs}.", pairs=listed(pairs))
    return text
