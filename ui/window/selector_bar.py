"""Selects radiologist, pathology and dates for all pages."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from radcal.system.text import begun
from ui.kit.layout import hbox
from ui.kit.text import ElidedComboBox, caption
from ui.sentences import author_name, engine_called, served_name, topic_name
from ui.theme import px
from ui.widgets.dates import DatesButton
from ui.words import day, moment, say, whole

if TYPE_CHECKING:
    from radcal.findings.run_records import RunChoice
    from radcal.system.selection import Group, Selection
    from ui.records import Opened


class SelectorBar(QWidget):
    """Combo boxes for a department's groups, the dates, and extraction runs if several.

    changed: the Selection;  run_wanted: ID of the extraction run to use
    """

    changed = Signal(object)
    run_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[str, list[tuple[str, float]]] = {}
        self._opened: Opened | None = None
        self._chosen = False
        """Whether the user has chosen of the open file; until then each page opens on what has most to say there."""
        self._models: frozenset[str] = frozenset()
        """Language models: named after the radiologists, and never looked at together with them."""
        self._of_all = self._of_one = False
        self._offered: frozenset[str] = frozenset()
        self.author = _list(say("Radiologist"), 208)
        self.topic = _list(say("Pathology"), 208)
        self.dates = DatesButton()
        self.run = _list(say("Read by"), 176)
        self.run.setToolTip(say("Which reading of the reports the results are made from"))
        self.run.activated.connect(self._run_chosen)
        self._several_runs = False
        author, topic = caption(say("&Radiologist"), self.author), caption(say("&Pathology"), self.topic)
        self._parts: dict[str, tuple[QWidget, ...]] = {
            "author": (author, self.author),
            "topic": (topic, self.topic),
            "dates": (self.dates,),
            "run": (self.run,),
        }
        hbox(*itertools.chain(*self._parts.values()), parent=self)
        for box in (self.author, self.topic):
            box.activated.connect(self._user_chose)
        self.author.currentIndexChanged.connect(self._author_changed)
        self.topic.currentIndexChanged.connect(self._topic_chosen)
        self.dates.changed.connect(self._topic_changed)

    def show_department(self, opened: Opened | None) -> None:
        """Offer the department's groups.

        What the user chose of the same file stays selected, and so does what is on show when results are made anew;
        otherwise the group with the most to say is.
        """
        if opened is None or self._opened is None or opened.path != self._opened.path:
            self._chosen = False
            self.dates.set_span((None, None))
        days = [d.date() for ends in (opened.exams.values() if opened else ()) for d in ends if d is not None]
        self.dates.set_known(min(days, default=None), max(days, default=None))
        self._opened = opened
        self._models = opened.models if opened else frozenset()
        groups = {**opened.groups, **opened.pooled} if opened else {}
        first = self._first() if opened is not None and opened.fresh and not self._chosen else None
        self.set_groups(((group, view.reliability.n) for group, view in groups.items()), first)
        self._offer_runs(opened.runs if opened else ())

    def offer(self, parts: Collection[str]) -> None:
        """Show those of 'author', 'topic', 'dates' and 'run' that the current page uses."""
        self._offered = frozenset(parts)
        of_all, of_one = "topic" in parts and "author" not in parts, "author" in parts and "topic" not in parts
        if (of_all, of_one) != (self._of_all, self._of_one):
            self._of_all, self._of_one = of_all, of_one
            before = self.current()
            self._refill(before if self._chosen else self._first() or before)
            if self.current() != before:
                self._topic_changed()
        self._show_parts()

    def _show_parts(self) -> None:
        """Show what the page uses, and neither one name alone nor one reading."""
        needless = {"author"} if len(self._counts) < 2 else set[str]()
        if not self._several_runs:
            needless.add("run")
        for key, widgets in self._parts.items():
            for widget in widgets:
                widget.setVisible(key in self._offered - needless)

    def _offer_runs(self, runs: Sequence[RunChoice]) -> None:
        self._several_runs = len(runs) > 1
        self.run.clear()
        names = [_named(run, day(run.begun.date())) for run in runs]
        for run, name in zip(runs, names, strict=True):
            # Runs of the same day are distinguished by their time.
            self.run.addItem(name if names.count(name) == 1 else _named(run, moment(run.begun)), run.run_id)
            if run.shown:
                self.run.setCurrentIndex(self.run.count() - 1)
        self._show_parts()

    @Slot(int)
    def _run_chosen(self, number: int) -> None:
        self.run_wanted.emit(self.run.itemData(number))

    def set_groups(self, groups: Iterable[tuple[Group, float]], first: Group | None = None) -> None:
        """Offer these groups with their number of findings; selects ``first``, or keeps the selection if possible."""
        kept = first or self.current()
        self._counts = {}
        for group, n in groups:
            self._counts.setdefault(group.author, []).append((group.topic, n))
        for topics in self._counts.values():
            topics.sort(key=lambda t: (-t[1], t[0]))
        self._refill(kept)
        self._topic_changed()

    def current(self) -> Selection | None:
        """The selection, None if there is nothing to select."""
        author, topic = self.author.currentData(), self.topic.currentData()
        if author is None or topic is None:
            return None
        from radcal.system.selection import Days, Selection  # imports NumPy, which the first paint must not wait for

        return Selection(author, topic, Days(*self.dates.span()))

    def _first(self) -> Group | None:
        """What the page opens on: the group with the most to say of those that it can show."""
        from radcal.calibration.records import ALL_AUTHORS

        telling, comparable = (self._opened.telling, self._opened.comparable) if self._opened else ((), ())
        first = next((g for g in telling if not (self._of_one and g.author == ALL_AUTHORS)), None)
        if first is None or not self._of_all or not comparable or first.topic in comparable:
            return first
        apart = {ALL_AUTHORS, *self._models}
        return next((g for g in telling if g.topic == comparable[0] and g.author not in apart), first)

    @Slot()
    def _user_chose(self, *_: object) -> None:
        self._chosen = True

    def choose(self, chosen: Selection | Group) -> None:
        """Select an available group, and dates if given."""
        self._chosen = True
        before = self.current()
        with QSignalBlocker(self.author), QSignalBlocker(self.topic):
            self._choose(self.author, chosen.author)
            self._fill_topics(chosen.topic)
            if (days := getattr(chosen, "days", None)) is not None:
                self.dates.set_span((days.first, days.last))
        if self.current() != before:
            self._topic_changed()

    def _refill(self, keep: Selection | Group | None) -> None:
        """Offer radiologists and pathologies anew; what is not offered any more is replaced."""
        if keep is None or keep.author not in self._counts:
            keep = self._first()
        self._fill_authors(keep.author if keep else None)
        self._fill_topics(keep.topic if keep else None)

    def _topics(self) -> list[tuple[str, float]]:
        """The available pathologies with their number of findings, most first."""
        from radcal.calibration.records import ALL_AUTHORS

        if not self._of_all:
            return self._counts.get(self.author.currentData(), [])
        total: dict[str, float] = {}
        for author, topics in self._counts.items():
            for topic, n in topics if author not in (ALL_AUTHORS, *self._models) else ():
                total[topic] = total.get(topic, 0.0) + n
        return sorted(total.items(), key=lambda t: (-t[1], t[0]))

    def _fill_authors(self, keep: str | None) -> None:
        from radcal.calibration.records import ALL_AUTHORS

        names = {author: author_name(author, self._opened) for author in self._counts}
        authors = sorted(self._counts.keys() - {ALL_AUTHORS}, key=lambda a: (a in self._models, names[a].casefold()))
        together = () if self._of_one or ALL_AUTHORS not in self._counts else (ALL_AUTHORS,)
        named = [*((begun(names[a]), a) for a in together), *((names[a], a) for a in authors)]
        self._fill(self.author, named, len(together), keep)

    def _fill_topics(self, keep: str | None) -> None:
        from radcal.system.settings import ALL_TOPICS

        topics = sorted(self._topics(), key=lambda at: at[0] != ALL_TOPICS)
        names = [(f"{begun(topic_name(t)) if t == ALL_TOPICS else topic_name(t)} ({whole(n)})", t) for t, n in topics]
        if keep not in dict(topics) and not self._of_all and self._opened is not None:
            author = self.author.currentData()
            keep = next((group.topic for group in self._opened.telling if group.author == author), None)
        self._fill(self.topic, names, sum(t == ALL_TOPICS for t, _ in topics), keep)

    def _fill(self, box: QComboBox, named: Sequence[tuple[str, str]], together: int, keep: str | None) -> None:
        """Offer these names with their data, set apart what puts ``together``; without ``keep``, the first alone."""
        with QSignalBlocker(box):
            box.clear()
            for name, data in named:
                box.addItem(name, data)
            if together:
                box.insertSeparator(together)
            self._choose(box, keep)

    def _choose(self, box: QComboBox, data: str | None) -> None:
        """Select what has this data; else the first after what is set apart, the usual choice."""
        place = box.findData(data) if data is not None else -1
        alone = 2 if box.count() > 2 and box.itemData(1) is None else 0
        box.setCurrentIndex(place if place >= 0 else min(alone, box.count() - 1))

    @Slot()
    def _author_changed(self) -> None:
        self._fill_topics(self.topic.currentData())
        self._topic_changed()

    @Slot()
    def _topic_chosen(self, *_: object) -> None:
        """On pages for all radiologists, select one with findings on the pathology, for the other pages."""
        from radcal.calibration.records import ALL_AUTHORS
        from radcal.system.settings import ALL_TOPICS

        topic = self.topic.currentData()
        apart = {ALL_AUTHORS, *self._models} if self._of_all else {ALL_AUTHORS}
        said = {a: dict(topics).get(topic, 0.0) for a, topics in self._counts.items() if a not in apart}
        author = self.author.currentData()
        if topic is not None and not said.get(author, author == ALL_AUTHORS and topic != ALL_TOPICS):
            with QSignalBlocker(self.author):
                self._choose(self.author, max(said, key=lambda a: said[a]))
        self._topic_changed()

    @Slot()
    def _topic_changed(self, *_: object) -> None:
        for box in (self.author, self.topic):
            box.setToolTip(box.currentText())
        self.changed.emit(self.current())


def _named(run: RunChoice, begun: str) -> str:
    engine = run.model or (say("rules") if run.engine == "rules" else run.engine)
    if run.engine == "served":
        engine = engine_called(run.engine, "", run.model)
    if run.engine == "rules" and run.model:
        engine = say("rules and {model}", model=served_name(run.model))
    return say("{engine}, {day}", engine=engine, day=begun)


def _list(name: str, width: int) -> QComboBox:
    box = ElidedComboBox()
    box.setAccessibleName(name)
    # Independent of the department, so that the bar keeps its layout; the drop-down list fits its names.
    box.setMinimumWidth(px(width // 2))
    box.setMaximumWidth(px(width))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(16)
    box.view().setTextElideMode(Qt.TextElideMode.ElideMiddle)
    return box
