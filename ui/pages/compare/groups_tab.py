"""A department's own groups: a diagram each, side by side, and a table; or radiologists for the same mix of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStackedWidget

from radcal.records import ALL_AUTHORS
from radcal.records.subgroups import GROUPINGS, STRATIFIERS, Grouping, Stratifier
from radcal.text import begun
from ui.kit.form import choice, labelled, offer
from ui.kit.layout import FlowLayout, ScrollArea, hbox, panel, scrolled, vbox
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import label, show_text, wrapped
from ui.pages.compare import group_sentences as sentences
from ui.pages.compare.group_models import CaseMixModel, GroupColumn, GroupsModel
from ui.plots.small_multiples import SmallMultiples, Tile
from ui.sentences import why_groups_stay, why_names_stay
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.records import Selection
    from radcal.records.subgroups import CaseMix, Subgroups
    from ui.shell import Shell
    from ui.tasks import Failure

GROUPED, MIXED = "compare groups", "compare for the same mix"
_SIDE_BY_SIDE, _CASE_MIX = "groups", "mix"
_CARD, _TABLE = 284, 130
"""Minimum heights: diagrams that show whole, and a few rows."""
_USUAL_SIZE = (720, 232)
_USUAL_MIX: tuple[Stratifier, ...] = ("age", "portable")


class GroupsTab(ScrollArea):
    """The groups of a selection's pathology and days; asks only when it is on show."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._asked: object = None
        self._selection: Selection | None = None
        self._names: dict[str, str] = {}
        self._named = False
        self._found: Subgroups | None = None
        self._made: CaseMix | None = None
        self._build_controls()
        self.sentence = wrapped(role="strong")
        self.about = wrapped(role="muted")
        self.note = wrapped(role="muted")
        self.tiles = SmallMultiples()
        self.tiles.hovered.connect(self._read_out)
        self.tiles.picked.connect(self._tile_picked)
        self.tiles.usual_size = _USUAL_SIZE
        self.card = PictureCard(self.tiles, shell)
        self.card.setMinimumHeight(_CARD)
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.model = GroupsModel(self)
        self.table = DataTable("compare groups", say("Groups"), self.model, shell, searchable=False)
        self.table.setMinimumHeight(_TABLE)
        self.table.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.mix = CaseMixModel(self)
        name = say("Radiologists for the same mix of cases")
        self.mix_table = DataTable("compare case mix", name, self.mix, shell, searchable=False)
        self.stack = QStackedWidget()
        self.stack.addWidget(panel(vbox((self.card, 3), self.readout, (self.table, 2), spacing=4)))
        self.stack.addWidget(self.mix_table)
        inner = panel(
            vbox(self.controls, self.sentence, self.about, self.note, (self.stack, 1), margins=(0, 12, 0, 0), spacing=6)
        )
        scrolled(inner, self)
        self._read_out("")

    def _build_controls(self) -> None:
        self.show_what = choice(
            say("Show"),
            (say("groups side by side"), _SIDE_BY_SIDE),
            (say("radiologists, for the same mix of cases"), _CASE_MIX),
        )
        self.grouping = choice(say("Group by"), *((sentences.grouping_name(g), g) for g in GROUPINGS))
        self.grouping.setCurrentIndex(GROUPINGS.index("shift"))
        self.who = choice(say("Whose findings"), (say("all radiologists"), ALL_AUTHORS))
        self.strata = {name: QCheckBox(sentences.grouping_name(name)) for name in STRATIFIERS}
        for name, box in self.strata.items():
            box.setChecked(name in _USUAL_MIX)
            box.toggled.connect(self._chosen)
        self.of_groups = panel(
            hbox(labelled(say("Group b&y"), self.grouping), labelled(say("&Whose"), self.who), spacing=8)
        )
        self.of_mix = panel(hbox(label(say("Mix of")), *self.strata.values(), spacing=8))
        self.controls = FlowLayout(spacing=8)
        for part in (panel(labelled(say("S&how"), self.show_what)), self.of_groups, self.of_mix):
            self.controls.addWidget(part)
        for chooser in (self.show_what, self.grouping, self.who):
            chooser.currentIndexChanged.connect(self._chosen)
        self.of_mix.hide()

    # --- what the page says ------------------------------------------------------------------------

    def set_people(self, people: Sequence[tuple[str, str]]) -> None:
        """The radiologists that can be chosen, as (name on show, author)."""
        self._names = {author: name for name, author in people}
        kept = offer(self.who, ((say("all radiologists"), ALL_AUTHORS), *people))
        if self._found is not None:
            self._show_groups(self._found)
        if self._made is not None:
            self._show_mix(self._made)
        if not kept:
            self._chosen()

    def show_as(self, *, names: bool) -> None:
        """Under names, or under pseudonyms, so that no exact figures leave."""
        self.mix.show_people(named=names)
        self._named = names
        self.table.withhold("" if names else why_groups_stay())
        self._withhold_picture()

    def _withhold_picture(self) -> None:
        """Its title names the radiologist whose groups it shows."""
        of_one = self._found is not None and self._found.author != ALL_AUTHORS
        self.card.withhold(why_groups_stay() if not self._named else why_names_stay() if of_one else "")

    def show_pooled(self, shown: bool) -> None:
        """Show rates drawn towards those of all groups, or do not."""
        self.table.show_column(GroupColumn.POOLED, shown)

    def forget(self) -> None:
        """The results are to be asked for anew; what is on show stays until they come."""
        self._asked = None
        for operation in (GROUPED, MIXED):
            self._shell.tasks.forget(operation)

    def show_for(self, selection: Selection) -> None:
        """Show the groups of a pathology and days, unless they are on show."""
        self._selection = selection
        mixed = self.show_what.currentData() == _CASE_MIX
        by = tuple(name for name in STRATIFIERS if self.strata[name].isChecked())
        grouping: Grouping = self.grouping.currentData()
        who = self.who.currentData()
        wanted = (selection.topic, selection.days, *((_CASE_MIX, by) if mixed else (grouping, who)))
        if wanted == self._asked:
            return
        self._asked = wanted
        if mixed:
            self._shell.run(
                MIXED,
                lambda department, progress: department.department_groups.case_mix(
                    by, selection.topic, selection.days, progress
                ),
                self._mix_loaded,
                failed=self._failed,
            )
            return
        self._shell.run(
            GROUPED,
            lambda department, progress: department.department_groups.of(
                grouping, who, selection.topic, selection.days, progress
            ),
            self._groups_loaded,
            failed=self._failed,
        )

    # --- showing -----------------------------------------------------------------------------------

    def _groups_loaded(self, found: Subgroups) -> None:
        self._found = found
        self._show_groups(found)

    def _mix_loaded(self, made: CaseMix) -> None:
        self._made = made
        self._show_mix(made)

    def _failed(self, failure: Failure) -> None:
        self._found = self._made = None
        self._show_texts(typographic(failure.text))
        self.stack.hide()
        self._shell.messages.tell_bug(failure)

    def _show_groups(self, found: Subgroups) -> None:
        if self.show_what.currentData() != _SIDE_BY_SIDE:
            return
        about = sentences.about_within(found) if found.groups else ""
        self._show_texts(sentences.headline(found), about, sentences.left_out(found) if found.groups else "")
        self.stack.setCurrentIndex(0)
        self.stack.setVisible(bool(found.groups))
        opened = self._shell.opened
        fewest = opened.min_phrase_n if opened is not None else 1
        tiles = []
        for place, g in enumerate(found.groups):
            name = sentences.value_name(found.grouping, g.value)
            # Of "40-59 years", no letter begins the name.
            name = begun(name) if name[:1].isalpha() else name
            tiles.append(Tile(place, name, g.reliability, typographic(g.reliability.reason)))
        self.tiles.set_tiles(tiles, fewest)
        self.card.set_name(sentences.picture_name(found, self._names))
        self._withhold_picture()
        self.model.show_groups(found)

    def _show_mix(self, made: CaseMix) -> None:
        if self.show_what.currentData() != _CASE_MIX:
            return
        self._show_texts(sentences.case_mix_headline(made), sentences.about_case_mix(made) if made.n else "")
        self.stack.setCurrentIndex(1)
        self.stack.setVisible(bool(made.authors))
        self.mix.show_case_mix(made, self._names)

    def _show_texts(self, sentence: str, about: str = "", note: str = "") -> None:
        for part, text in ((self.sentence, sentence), (self.about, about), (self.note, note)):
            show_text(part, typographic(text))

    # --- what the user does ------------------------------------------------------------------------

    @Slot()
    def _chosen(self, *_: object) -> None:
        mixed = self.show_what.currentData() == _CASE_MIX
        self.of_mix.setVisible(mixed)
        self.of_groups.setVisible(not mixed)
        if self._selection is not None and self.isVisible():
            self.show_for(self._selection)

    @Slot(object)
    def _tile_picked(self, place: int) -> None:
        self.table.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.table.view.selectRow(place)

    @Slot(object)
    def _read_out(self, text: str) -> None:
        self.readout.setText(
            text or say("Stated certainty across, confirmed by CT upwards. Point at a diagram to read its numbers.")
        )
