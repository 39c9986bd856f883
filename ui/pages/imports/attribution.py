"""Whose the X-ray reports are, by which rule, and which texts of them do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from ui.kit.column import Column, RecordModel, count
from ui.kit.layout import vbox
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.sentences import reports_text
from ui.words import percent, say, typographic, whole

if TYPE_CHECKING:
    from radcal.reports.records import Attribution
    from ui.shell import Shell

_BELOW_TABS = (0, 8, 0, 0)


class AttributionPanel(QWidget):
    """The rules with the number of reports, and what was written after the CT, in sentences."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.said = wrapped()
        self.model = RecordModel(
            (
                Column(say("rule"), lambda rule: typographic(rule[0]), width=480),
                count(say("X-ray reports"), lambda rule: rule[1], width=120),
            )
        )
        self.table = DataTable("attribution", say("Whose the reports are"), self.model, shell)
        vbox(self.said, (self.table, 1), parent=self, margins=_BELOW_TABS)

    def set_attribution(self, found: Attribution | None) -> None:
        """Show this; None for a workspace whose reports were not attributed yet."""
        self.model.set_rows(found.rules if found is not None else ())
        self.said.setText("\n".join(sentences(found)) if found is not None else "")


def sentences(found: Attribution) -> list[str]:
    """How many reports name several radiologists, and what of the reports was written after the CT."""
    total = sum(n for _, n in found.rules)
    if not total:
        return []
    said = [
        say(
            "Two radiologists or more are named in {n} of {reports}; to whom these are attributed is a setting.",
            n=whole(found.several),
            reports=reports_text(total),
        )
    ]
    if found.texts_apart:
        said.append(
            say(
                "Written after the CT and kept apart: one text, of {reports}. It does not count; the report as it "
                "stood before does.",
                many="Written after the CT and kept apart: {n:,} texts, of {reports}. They do not count; the reports "
                "as they stood before do.",
                n=found.texts_apart,
                reports=reports_text(found.reports_apart),
            )
        )
    if found.left_out_after:
        said.append(
            say(
                "Left out because there is nothing but what was written after the CT: {reports}.",
                reports=reports_text(found.left_out_after),
            )
        )
    if found.signed_after:
        said.append(
            say(
                "Signed after the CT, without an earlier version in the source: {reports} in pairs ({share}). Such "
                "reports count; a setting leaves them out.",
                reports=reports_text(found.signed_after),
                share=percent(found.signed_after / found.paired),
            )
        )
    return said
