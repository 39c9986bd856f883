"""The stages at the left edge, each with its state."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, Qt
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QSizePolicy, QWidget

from ui.kit.layout import vbox
from ui.theme import px
from ui.words import say

WIDTH = 176


class _Stage(QPushButton):
    """A stage's name on the left, its state on the right; a dot if it needs attention."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setCheckable(True)
        self._name, self._state, self._attention = name.replace("&", ""), "", ""

    def set_state(self, state: str, attention: str, meaning: str) -> None:
        self._state, self._attention = state if _has_unit(state) else "", attention
        said = [part for part in (meaning, attention) if part]
        self.setToolTip("\n".join(said))
        self.setAccessibleName(", ".join([self._name, *said]))
        self.updateGeometry()  # the rail grows with what it has to say
        self.update()

    def shown(self) -> tuple[str, str]:
        return self._state, self._attention

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        parts = (self._name, self._state)
        return QSize(sum(metrics.horizontalAdvance(p) for p in parts) + px(48), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right = self.rect().adjusted(0, 0, -12, 0)
        painter.setPen(self.palette().placeholderText().color())
        painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._state)
        if self._attention:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.palette().link())
            painter.drawEllipse(3, self.height() // 2 - 3, 6, 6)
        painter.end()


def _has_unit(state: str) -> bool:
    """Whether a state says what its number counts: "18 unknown", and not "18"."""
    return "%" in state or any(map(str.isalpha, state))


class StageRail(QFrame):
    """Selects a page.  ``chosen`` carries the page's key."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setMinimumWidth(px(WIDTH))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._stages: dict[str, _Stage] = {}
        self._group = QButtonGroup(self)
        self._layout = vbox(None, parent=self, margins=(8, 12, 8, 12), spacing=4)
        self.setAccessibleName(say("Stages"))

    def add(self, key: str, name: str, *, at_foot: bool = False) -> None:
        """Add a stage; ``at_foot`` puts it at the bottom."""
        stage = _Stage(name)
        stage.clicked.connect(lambda: self.chosen.emit(key))
        self._group.addButton(stage)
        self._stages[key] = stage
        above = [k for k, s in self._stages.items() if not s.property("atFoot") and k != key]
        stage.setProperty("atFoot", at_foot)
        self._layout.insertWidget(self._layout.count() if at_foot else len(above), stage)

    def set_current(self, key: str) -> None:
        """Highlight the stage of the current page."""
        self._group.setExclusive(False)
        for k, stage in self._stages.items():
            stage.setChecked(k == key)
        self._group.setExclusive(True)

    def set_state(self, key: str, state: str, attention: str, meaning: str) -> None:
        """Set the stage's state, why it needs attention ('' if it does not), and the state in words."""
        self._stages[key].set_state(state, attention, meaning)

    def set_offered(self, key: str, offered: bool) -> None:
        """Show or hide the stage."""
        self._stages[key].setVisible(offered)

    def offered(self) -> list[str]:
        """The visible stages, top to bottom."""
        above = [k for k, s in self._stages.items() if not s.property("atFoot")]
        below = [k for k, s in self._stages.items() if s.property("atFoot")]
        return [k for k in (*above, *below) if not self._stages[k].isHidden()]

    def state(self, key: str) -> tuple[str, str]:
        """The stage's state, and why it needs attention."""
        return self._stages[key].shown()
