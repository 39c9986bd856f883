"""Small multiples: all pathologies of one radiologist, or all radiologists on one pathology."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from radcal.reliability.records import ALL_AUTHORS
from radcal.system.selection import Group, Selection
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import begun
from ui.kit.layout import hbox
from ui.kit.part import Ask, Part
from ui.kit.picture import PictureCard, Readout
from ui.kit.text import wrapped
from ui.pages.radiologists import NamesBox
from ui.pages.reliability import sentences as figures
from ui.plots.small_multiples import SmallMultiples, Tile
from ui.sentences import author_name, topic_name, why_names_stay, why_not_handed_on, workload_warning
from ui.words import say

if TYPE_CHECKING:
    from radcal.reliability.records import Reliability
    from ui.records import Opened
    from ui.shell import Shell


class MultiplesView(Part["Selection", "tuple[Reliability, ...]"]):
    """The tiles of a selection.

    of_author: all pathologies of the selected radiologist; else all radiologists on the selected pathology, under
        pseudonyms unless names are shown; the selected one under the name that stands above
    opened_group: the Group of an activated tile
    """

    opened_group = Signal(object)

    def __init__(self, shell: Shell, *, of_author: bool) -> None:
        super().__init__(shell, say("Working out these days\u2026"))
        self.operation = f"multiples {of_author}"
        self._of_author = of_author
        self.tiles = SmallMultiples()
        self.tiles.picked.connect(self.opened_group)
        self.card = PictureCard(self.tiles, shell)
        self.readout = Readout(say("Same axes everywhere. Point at a diagram to read it, click to open it."))
        self.tiles.hovered.connect(self.readout.read)
        tip = say("Several radiologists side by side are shown under pseudonyms")
        self.names = NamesBox(shell, say("S&how names"), tip)
        self.names.turned.connect(self.renew)
        self.warning = wrapped(workload_warning(), role="muted")
        self.lay_out((self.card, 1), self.warning, hbox((self.readout, 1), self.names, spacing=-1))

    def known(self, selection: Selection) -> tuple[Reliability, ...] | None:
        opened = self.shell.opened
        if opened is None or selection.days.are_limited:
            return None
        return tuple(view.reliability for g in self._groups(opened, selection) if (view := opened.view(g)))

    def ask(self, selection: Selection) -> Ask[tuple[Reliability, ...]]:
        groups = self._groups(self.shell.opened, selection) if self.shell.opened is not None else []
        wanted = [Selection(g.author, g.topic, selection.days) for g in groups]
        return lambda department, progress: department.groups.reliabilities(wanted, progress)

    def show_record(self, measured: tuple[Reliability, ...]) -> None:
        opened, selection = self.shell.opened, self.question
        if opened is None or selection is None:
            return
        several = not self._of_author and not opened.personal and selection.author not in opened.models
        self.names.setVisible(not self._of_author and not opened.personal)
        under_pseudonyms = several and not self.names.isChecked()
        named = several or (self._of_author and self._names_author(opened, selection))
        self.card.withhold(why_not_handed_on() if under_pseudonyms else why_names_stay() if named else "")
        self.warning.setVisible(under_pseudonyms)
        tiles = []
        for r in measured:
            if self._of_author:
                name = topic_name(r.topic)
            else:
                name = opened.pseudonyms.get(r.author, "") if under_pseudonyms else opened.called(r.author)
            reason = figures.not_enough(r, opened.min_group_n) if r.curve is None else ""
            tiles.append(Tile(Group(r.author, r.topic), name, r, reason))
        self.tiles.set_tiles(sorted(tiles, key=lambda tile: tile.name.casefold()), opened.min_phrase_n)
        name = begun(author_name(selection.author, opened) if self._of_author else topic_name(selection.topic))
        self.card.set_name(
            say("{name}: all pathologies", name=name) if self._of_author else say("{name}: all radiologists", name=name)
        )
        self.readout.read("")

    def _groups(self, opened: Opened, chosen: Selection) -> list[Group]:
        found = [
            g
            for g in (*opened.groups, *opened.pooled)
            if (
                g.author == chosen.author and g.topic != ALL_TOPICS
                if self._of_author
                else g.topic == chosen.topic and g.author != ALL_AUTHORS
            )
            # Models beside models, radiologists beside radiologists.
            and (g.author in opened.models) == (chosen.author in opened.models)
        ]
        return sorted(found, key=lambda g: (g.topic, g.author))

    @staticmethod
    def _names_author(opened: Opened, selection: Selection) -> bool:
        """Whether the title names a radiologist other than under a pseudonym."""
        of_people = not opened.personal and selection.author not in opened.models
        return of_people and selection.author != ALL_AUTHORS and not opened.names_missing
