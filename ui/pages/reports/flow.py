"""From rows to pairs: the picture of what remained with its table, whose the reports are, and what was assumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from ui.kit.column import Column, RecordModel, count
from ui.kit.layout import panel, scrolled, vbox
from ui.kit.opening import Opening
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import label, wrapped
from ui.plots.attrition_flow import AttritionFlow
from ui.sentences import modality_text, reports_text
from ui.words import listed, moment, percent, say, typographic, whole

if TYPE_CHECKING:
    from radcal.reports.importing import PastImport
    from radcal.reports.records import Attribution, AttritionStep
    from ui.shell import Shell


class FlowTab(QWidget):
    """The flow from rows to pairs.  reason_wanted: why reports were left out that are to be listed"""

    reason_wanted = Signal(str)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.flow = AttritionFlow()
        self.card = PictureCard(self.flow, shell, say("From reports to pairs"))
        self.readout = label(role="muted")
        self.readout.setMinimumHeight(self.readout.fontMetrics().height())
        self.flow.hovered.connect(self._read_out)
        self.model = RecordModel(
            (
                Column(say("step"), lambda s: typographic(s.step), width=320),
                Column(say("reports"), lambda s: modality_text(s.modality), width=120),
                count(say("kept"), lambda s: s.kept, width=88),
                count(say("dropped"), lambda s: s.dropped, width=88),
                Column(say("why"), lambda s: typographic(s.reason) if s.reason else ""),
            )
        )
        self.table = DataTable("import steps", say("From reports to pairs"), self.model, shell, searchable=False)
        self.table.view.setToolTip(say("Enter lists the reports that were left out at a step."))
        self.table.activated.connect(self._activate)
        self.whose, self.notes = wrapped(), wrapped()
        self.rules = Opening(say("&Whose the reports are"), panel(vbox(self.whose, margins=(16, 0, 0, 0))))
        self.assumed = Opening(
            say("What was &assumed in reading the files"), panel(vbox(self.notes, margins=(16, 0, 0, 0)))
        )
        picture = scrolled(panel(vbox((self.card, 1), self.readout, spacing=4)), sideways=True)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(picture)
        split.addWidget(self.table)
        split.setSizes([600, 300])
        vbox((split, 1), self.rules, self.assumed, parent=self, margins=(0, 8, 0, 0))

    def set_steps(self, steps: Sequence[AttritionStep]) -> None:
        """Show these steps."""
        self.flow.set_steps(steps)
        self.model.set_rows([step for step in steps if step.dropped])
        self._read_out("")

    def set_told(self, whose: Attribution | None, imports: Sequence[PastImport]) -> None:
        """Say whose the reports are, and what was assumed in each import."""
        said = [] if whose is None else attribution_sentences(whose)
        self.whose.setText("\n".join(said))
        self.rules.setVisible(bool(said))
        noted = [past for past in imports if past.notes]
        self.notes.setText("\n\n".join("\n".join([_head(p), *map(typographic, p.notes)]) for p in noted))
        self.assumed.setVisible(bool(noted))

    @Slot(object)
    def _activate(self, row: int) -> None:
        step: AttritionStep = self.model.row(row)
        self.reason_wanted.emit(typographic(step.reason))

    @Slot(object)
    def _read_out(self, text: str) -> None:
        self.readout.setText(" \u00b7 ".join(text.splitlines()))


def _head(past: PastImport) -> str:
    return say("{files}, imported {when}:", files=listed(past.files), when=moment(past.at))


def attribution_sentences(found: Attribution) -> list[str]:
    """By which rule the reports are whose, how many name several people, and what was written after the CT."""
    total = sum(n for _, n in found.rules)
    if not total:
        return []
    said = [say("{n}: {reason}", n=whole(n), reason=typographic(rule)) for rule, n in found.rules]
    said.append(
        say(
            "{n} of {reports} name two radiologists or more; Settings say whose these are.",
            n=whole(found.several),
            reports=reports_text(total),
        )
    )
    if found.texts_apart:
        said.append(
            say(
                "One text written after the CT does not count; the report as it stood before does.",
                many="{n:,} texts written after the CT do not count; the reports as they stood before do.",
                n=found.texts_apart,
            )
        )
    if found.left_out_after:
        said.append(
            say("{reports} left out: all of it was written after the CT.", reports=reports_text(found.left_out_after))
        )
    if found.signed_after:
        said.append(
            say(
                "Signed after the CT, with no earlier version: {reports} in pairs ({share}). They count unless Settings"
                " leave them out.",
                reports=reports_text(found.signed_after),
                share=percent(found.signed_after / found.paired),
            )
        )
    return said
