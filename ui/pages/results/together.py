"""What holds of all pathologies of a radiologist, or of all radiologists on a pathology; those that differ."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from radcal.calibration.records import pool_of
from radcal.feedback.shared_sentences import pooled_sentences
from radcal.system.selection import Group
from ui.kit.action import push_button
from ui.kit.layout import vbox
from ui.kit.text import wrapped
from ui.language import spoken
from ui.sentences import topic_name
from ui.words import say

if TYPE_CHECKING:
    from radcal.calibration.records import Reliability
    from ui.records import Opened

_MOST_LINKS = 4


class Together(QWidget):
    """What holds for a pooled group.  ``opened_group``: a part that differs, which is to be shown alone."""

    opened_group = Signal(object)

    def __init__(self, r: Reliability, opened: Opened) -> None:
        super().__init__()
        of_author = pool_of(r.author, r.topic) == "author"
        lines = vbox(parent=self, spacing=4)
        names = {} if of_author else opened.pseudonyms
        parts = tuple(replace(p, name=names.get(p.name, p.name)) for p in r.parts)
        for text in pooled_sentences(replace(r, parts=parts), spoken(), own=bool(opened.personal)):
            lines.addWidget(wrapped(text))
        for part in [part for part in r.parts if part.differs][:_MOST_LINKS]:
            group = Group(r.author, part.name) if of_author else Group(part.name, r.topic)
            show = push_button(say("Show {name}", name=names.get(part.name, topic_name(part.name)).replace("&", "&&")))
            show.clicked.connect(partial(self._open, group))
            lines.addWidget(show, 0, Qt.AlignmentFlag.AlignLeft)

    def _open(self, group: Group, *_: object) -> None:
        self.opened_group.emit(group)
