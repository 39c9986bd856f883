"""Settings: appearance and language, the department's analysis, and the workspace file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from radcal.errors import InputError
from ui import language
from ui.pages.settings import work
from ui.pages.settings.editors import ChangeField, Choice, Row
from ui.pages.settings.fields import sections
from ui.pages.settings.file_card import FileCard
from ui.pages.stage import StagePage
from ui.theme import chosen_scale, chosen_scheme
from ui.widgets.labels import label, wrapped
from ui.widgets.undoing import Edit
from ui.words import percent, say, typographic

if TYPE_CHECKING:
    from radcal.settings import Settings
    from radcal.workflow import Department
    from ui.pages.settings.work import Kept
    from ui.records import Opened
    from ui.shell import Shell

LOAD, SAVE = "settings", "save settings"
_SCALES = (100, 125, 150, 175, 200, 250, 300)
_WIDEST = 920


class SettingsPage(StagePage):
    """The settings; the department's are a draft until applied.

    appearance_changed: '' for the system's, 'light', 'dark' or 'contrast'
    scale_changed: how large everything is drawn, 100-300 per cent;  language_changed: '' for the system's, or a code
    """

    appearance_changed = Signal(object)
    scale_changed = Signal(object)
    language_changed = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._kept: Kept | None = None
        self._draft: Settings | None = None
        self._of: Department | None = None
        self.title.setText(say("Settings"))
        self.discard = QPushButton(say("&Discard changes"))
        self.discard.clicked.connect(self.discard_changes)
        self.apply = QPushButton(say("&Apply"))
        self.apply.setProperty("primary", True)
        self.apply.clicked.connect(self.apply_changes)
        self.head.addWidget(self.discard, 0, 2)
        self.head.addWidget(self.apply, 0, 3)
        self.rows: dict[str, Row] = {}
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 12, 0)
        self._column.setSpacing(12)
        self._column.addWidget(self._build_looks())
        self._department = QWidget()
        cards = QVBoxLayout(self._department)
        cards.setContentsMargins(0, 0, 0, 0)
        cards.setSpacing(12)
        self.file = FileCard(shell)
        cards.addWidget(self.file)
        self.locked = wrapped(role="muted")
        cards.addWidget(self.locked)
        self._cards: list[QFrame] = []
        for section in sections():
            self._cards.append(self._build_section(section.title, [Row(f) for f in section.fields]))
            cards.addWidget(self._cards[-1])
        self._column.addWidget(self._department)
        self.nothing_open = wrapped(
            say("Open a workspace to see the settings that its results are made with."), role="muted"
        )
        self._column.addWidget(self.nothing_open)
        self._column.addStretch(1)
        self.body.addWidget(self._scrolled())
        self._show_draft()

    # --- building ----------------------------------------------------------------------------------

    def _scrolled(self) -> QScrollArea:
        inner = QWidget()
        inner.setMaximumWidth(_WIDEST)
        inner.setLayout(self._column)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        inner.setAutoFillBackground(False)
        scroll.viewport().setAutoFillBackground(False)
        self._scroll = scroll
        return scroll

    def _build_looks(self) -> QFrame:
        self.appearance = _chooser(
            (
                (say("as the system"), ""),
                (say("light"), "light"),
                (say("dark"), "dark"),
                (say("high contrast"), "contrast"),
            ),
            chosen_scheme(),
            self._appearance_chosen,
        )
        sizes = [(percent(s / 100), s) for s in _SCALES]
        if chosen_scale() not in _SCALES:
            sizes.append((percent(chosen_scale() / 100), chosen_scale()))
        self.scale = _chooser(sizes, chosen_scale(), self._scale_chosen)
        self.language = _chooser(
            (
                (say("as the system"), ""),
                *((name, code) for code, name in language.LANGUAGES.items()),
            ),
            language.chosen(),
            self._language_chosen,
        )
        later = say("Holds from the next start of RadCal on.")
        card = _card(say("This computer"))
        for text, box, about in (
            (say("Appea&rance"), self.appearance, ""),
            (say("Si&ze of text and everything else"), self.scale, later),
            (say("Lan&guage"), self.language, later),
        ):
            _add_row(card, text, box, about)
        return card

    def _build_section(self, title: str, rows: list[Row]) -> QFrame:
        card = _card(title)
        for row in rows:
            self.rows[row.field.name] = row
            row.edited.connect(self._edited)
            _layout(card).addWidget(row)
        return card

    # --- what the window tells ---------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another department's settings, or changed ones."""
        self.file.show_department(opened)
        self._department.setVisible(opened is not None)
        self.nothing_open.setVisible(opened is None)
        why = ""
        if opened is not None and opened.read_only:
            why = say("This workspace is open to read only, so its settings cannot be changed.")
            if opened.personal:
                why = say("A file of one\u2019s own results cannot be changed.")
        # A radiologist's own file has results and nothing to make them again from.
        for card in self._cards:
            card.setVisible(opened is not None and not opened.personal)
        self.locked.setText(why)
        self.locked.setVisible(bool(why))
        for row in self.rows.values():
            for widget in (row.control, row.reset):
                widget.setEnabled(not why)
            row.control.setToolTip(why)
        department = None if opened is None else opened.department
        if department is not self._of:
            # A draft over the settings of one department is none over those of another.
            self._of = department
            self._kept = self._draft = None
            self._forget()
        self._show_draft()
        if opened is not None:
            self._ask()

    def arrive(self, **where: Any) -> None:
        """Load changes made on other pages; ``where`` may name a ``setting`` or a file action."""
        self._ask()
        for asked, ask in (
            ("back_up", self.file.ask_backup),
            ("backup_folder", self.file.ask_folder),
            ("check", self.file.ask_check),
        ):
            if where.get(asked):
                self._scroll.ensureWidgetVisible(self.file)
                ask()
        row = self.rows.get(str(where.get("setting", "")))
        if row is not None:
            self._scroll.ensureWidgetVisible(row)
            row.control.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ask(self) -> None:
        if not self.shell.tasks.is_running(SAVE):
            self.shell.run(LOAD, work.kept, self._loaded)

    @Slot(object)
    def _loaded(self, kept: Kept) -> None:
        changed_elsewhere = self._kept is None or kept.settings != self._kept.settings
        self._kept = kept
        self.file.show_copied(kept.copied)
        for name, options in (
            ("allowed_phrases", kept.phrases),
            ("include_other_confirmations", kept.pairs),
            ("silence_absent", kept.left_out),
            ("silence_left_out", kept.absent),
        ):
            self.rows[name].set_options(options)
        if self._draft is None or changed_elsewhere:
            self._draft = kept.settings
            self._forget()
        self._show_draft()

    def _forget(self) -> None:
        if self.undo_stack is not None:
            self.undo_stack.clear()

    # --- the draft ---------------------------------------------------------------------------------

    @Slot(object, object)
    def _edited(self, name: str, value: Any) -> None:
        row = self.rows[name]
        if self._draft is None or self.undo_stack is None:
            row.set_value(row.field.default)  # still being read
            return
        before = getattr(self._draft, name)
        if value != before:
            self.undo_stack.push(ChangeField(self.set_draft, row.field, before, value))
        else:
            row.set_value(before)

    def set_draft(self, name: str, value: Any) -> None:
        """Set a draft value; it takes effect when applied."""
        if self._draft is None:
            return
        try:
            self._draft = self._draft.changed(**{name: value})
        except InputError as error:  # the controls keep to the bounds; a bound that they do not know is told
            self.sentence.setText(typographic(str(error)))
            self.rows[name].set_value(getattr(self._draft, name))
            return
        self._show_draft()

    def changed(self) -> tuple[str, ...]:
        """The settings whose draft differs from the value in force."""
        if self._draft is None or self._kept is None:
            return ()
        return tuple(n for n in self.rows if getattr(self._draft, n) != getattr(self._kept.settings, n))

    def _show_draft(self) -> None:
        changed = self.changed()
        for name, row in self.rows.items():
            if self._draft is not None:
                row.set_value(getattr(self._draft, name))
            row.mark(name in changed)
        read_only = self.shell.opened is not None and self.shell.opened.read_only
        for button in (self.apply, self.discard):
            button.setEnabled(bool(changed) and not read_only)
            button.setVisible(self.shell.opened is not None and not self.shell.opened.personal)
        if self.shell.opened is not None and self.shell.opened.personal:
            text = say("How the window looks, and the file with your results.")
        elif not changed:
            text = say("How the window looks, and with what results are made.")
        elif len(changed) == 1:
            text = say("One setting is changed. Apply it to make the results again with it.")
        else:
            text = say("{n} settings are changed. Apply them to make the results again with them.")
        self.sentence.setText(text.format(n=len(changed)))

    @Slot()
    def discard_changes(self) -> None:
        """Reset the draft, as one undo step."""
        if self._kept is None or self._draft is None or self.undo_stack is None:
            return
        text = say("Discard changes")
        self.undo_stack.push(Edit(text, self._draft, self._kept.settings, self._take))

    def _take(self, settings: Settings) -> None:
        self._draft = settings
        self._show_draft()

    @Slot()
    def apply_changes(self) -> None:
        """Store the draft and redo the analysis; undo restores the previous settings."""
        if self._kept is None or self._draft is None or self.undo_stack is None or not self.changed():
            return
        text = say("Apply settings")
        self.undo_stack.push(Edit(text, self._kept.settings, self._draft, self._save))

    def _save(self, settings: Settings) -> None:
        self.shell.run(SAVE, partial(work.save, settings), self._saved, keeps=True)

    @Slot(object)
    def _saved(self, settings: Settings) -> None:
        if self._kept is not None:
            from dataclasses import replace

            self._kept = replace(self._kept, settings=settings)
        self._show_draft()
        self.shell.reload(say("Making the results again"))

    # --- this computer -----------------------------------------------------------------------------

    @Slot()
    def _appearance_chosen(self, *_: object) -> None:
        self.appearance_changed.emit(self.appearance.currentData())

    @Slot()
    def _scale_chosen(self, *_: object) -> None:
        self.scale_changed.emit(self.scale.currentData())

    @Slot()
    def _language_chosen(self, *_: object) -> None:
        self.language_changed.emit(self.language.currentData())


def _card(title: str) -> QFrame:
    card = QFrame()
    card.setObjectName("card")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(16, 12, 16, 16)
    layout.setSpacing(12)
    layout.addWidget(label(title, role="strong"))
    return card


def _layout(card: QFrame) -> QVBoxLayout:
    layout = card.layout()
    if not isinstance(layout, QVBoxLayout):
        raise TypeError("a card has its rows one below the other")
    return layout


def _add_row(card: QFrame, text: str, control: QComboBox, about: str) -> None:
    name = QLabel(text)
    name.setBuddy(control)
    name.setWordWrap(True)
    control.setAccessibleName(text.replace("&", ""))
    line = QHBoxLayout()
    line.setSpacing(8)
    line.addWidget(control)
    if about:
        line.addWidget(wrapped(about, role="muted"), 1)
    else:
        line.addStretch(1)
    row = QHBoxLayout()
    row.setSpacing(16)
    row.addWidget(name, 2)
    row.addLayout(line, 3)
    _layout(card).addLayout(row)


def _chooser(choices: Any, chosen: Any, changed: Callable[..., None]) -> QComboBox:
    box = Choice()
    for text, value in choices:
        box.addItem(text, value)
    with QSignalBlocker(box):
        box.setCurrentIndex(max(0, box.findData(chosen)))
    box.currentIndexChanged.connect(changed)
    return box
