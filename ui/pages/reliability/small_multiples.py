"""Small multiples: all pathologies of one radiologist, or all radiologists on one pathology."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from radcal.records import ALL_AUTHORS, ALL_TOPICS, Group, Selection
from radcal.text import begun
from ui.kit.layout import hbox, vbox
from ui.kit.picture import PictureCard
from ui.kit.text import label, wrapped
from ui.pages.radiologists import NamesBox
from ui.pages.reliability import sentences as figures
from ui.plots.small_multiples import SmallMultiples, Tile
from ui.sentences import author_name, topic_name, why_names_stay, why_not_handed_on, workload_warning
from ui.words import say

if TYPE_CHECKING:
    from radcal.records import Reliability
    from ui.records import Opened
    from ui.shell import Shell


class MultiplesView(QWidget):
    """The tiles of a selection.

    of_author: all pathologies of the selected radiologist; else all radiologists on the selected pathology, under
        pseudonyms unless names are shown; the selected one under the name that stands above
    opened_group: the Group of an activated tile
    """

    opened_group = Signal(object)

    def __init__(self, shell: Shell, *, of_author: bool) -> None:
        super().__init__()
        self._shell, self._of_author = shell, of_author
        self._opened: Opened | None = None
        self._selection: Selection | None = None
        self._names: Mapping[str, str] | None = None
        self._measured: tuple[Reliability, ...] = ()
        self.tiles = SmallMultiples()
        self.tiles.picked.connect(self.opened_group)
        self.tiles.hovered.connect(self._read_out)
        self.card = PictureCard(self.tiles, shell)
        tip = say("Several radiologists side by side are shown under pseudonyms")
        self.names = NamesBox(shell, say("S&how names"), tip)
        self.names.turned.connect(self._fill)
        self.names.setVisible(False)
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.warning = wrapped(workload_warning(), role="muted")
        self.warning.setVisible(False)
        foot = hbox((self.readout, 1), self.names, spacing=-1)
        vbox((self.card, 1), self.warning, foot, parent=self, spacing=4)
        self._read_out("")

    def show_selection(self, opened: Opened, selection: Selection) -> None:
        """Show the tiles of a selection; with a date range, once computed."""
        if opened is not self._opened:
            self._names = None
        self._opened, self._selection = opened, selection
        self.names.setVisible(not self._of_author and not opened.personal)
        groups = self._groups()
        operation = f"multiples {self._of_author}"
        self._shell.tasks.forget(operation)
        if not self._of_author and self._names is None:
            self._shell.run("pseudonyms", lambda department, _: department.pseudonyms(), self._named)
        if not selection.days.are_limited:
            self._measured = tuple(view.reliability for g in groups if (view := opened.view(g)))
            self._fill()
            return
        self._measured = ()
        self._fill()
        self.readout.setText(say("Working out these days\u2026"))
        wanted = [Selection(g.author, g.topic, selection.days) for g in groups]
        self._shell.run(
            operation,
            lambda department, progress: department.groups.reliabilities(wanted, progress),
            partial(self._show_measured, selection),
        )

    def _groups(self) -> list[Group]:
        if self._opened is None or self._selection is None:
            return []
        chosen = self._selection
        found = [
            g
            for g in (*self._opened.groups, *self._opened.pooled)
            if (
                g.author == chosen.author and g.topic != ALL_TOPICS
                if self._of_author
                else g.topic == chosen.topic and g.author != ALL_AUTHORS
            )
            # Models beside models, radiologists beside radiologists.
            and (g.author in self._opened.models) == (chosen.author in self._opened.models)
        ]
        return sorted(found, key=lambda g: (g.topic, g.author))

    def _show_measured(self, selection: Selection, measured: tuple[Reliability, ...]) -> None:
        if selection == self._selection:
            self._measured = measured
            self._fill()

    def _gives_names(self) -> bool:
        """Whether a radiologist is named here other than under a pseudonym: in the title, or beside the others."""
        opened, selection = self._opened, self._selection
        if opened is None or selection is None or opened.personal or selection.author in opened.models:
            return False
        if self._of_author:
            return selection.author != ALL_AUTHORS and not opened.names_missing
        return self.names.isChecked()

    def _named(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._fill()

    @Slot()
    def _fill(self, *_: object) -> None:
        opened, selection = self._opened, self._selection
        if opened is None or selection is None:
            return
        withheld = not self._of_author and not self.names.isChecked() and selection.author not in opened.models
        self.card.withhold(why_not_handed_on() if withheld else why_names_stay() if self._gives_names() else "")
        self.warning.setVisible(withheld and not opened.personal)
        made = []
        for r in self._measured:
            if self._of_author:
                name = topic_name(r.topic)
            elif self.names.isChecked() or opened.personal or r.author in opened.models:
                name = opened.called(r.author)
            elif self._names is None:
                continue  # never show a name before the pseudonyms are known
            else:
                name = self._names.get(r.author, "")
            reason = figures.not_enough(r, opened.min_group_n) if r.curve is None else ""
            made.append(Tile(Group(r.author, r.topic), name, r, reason))
        made.sort(key=lambda tile: tile.name.casefold())
        self.tiles.set_tiles(made, opened.min_phrase_n)
        name = begun(author_name(selection.author, opened) if self._of_author else topic_name(selection.topic))
        self.card.set_name(
            say("{name}: all pathologies", name=name) if self._of_author else say("{name}: all radiologists", name=name)
        )
        self._read_out("")

    @Slot(object)
    def _read_out(self, text: str) -> None:
        self.readout.setText(text or say("Same axes everywhere. Point at a diagram to read it, click to open it."))
