"""The files to import: the list, how the selected one is read, and the expected outcome."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QGridLayout,
    QMenu,
    QSizePolicy,
    QStackedLayout,
    QTableView,
    QWidget,
)

from radcal.reports.records import Modality, Preset
from radcal.system.errors import InputError
from ui.kit.action import push_button
from ui.kit.files import ask_folder, ask_open, ask_open_many
from ui.kit.form import choice
from ui.kit.layout import card, hbox, panel, scrolled, vbox
from ui.kit.table import DataTable
from ui.kit.text import WrappedText, caption, label, wrapped
from ui.pages.reports.importing.columns_form import ColumnsForm
from ui.pages.reports.importing.messages_view import MessagesView, UnreadableView
from ui.pages.reports.importing.models import FilesModel, FirstRowsModel
from ui.pages.reports.importing.sentences import file_texts, holds_text, question_text
from ui.pages.reports.importing.summary import CountStrip
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.reports.preview import Place
    from ui.pages.reports.importing.draft import Draft
    from ui.shell import Shell

_ROWS_AT_LEAST, _ROWS_AT_MOST = 2, 5
_PRESETS = "TOML (*.toml)"
_HOLDS = (None, Modality.XRAY, Modality.CT)
_ORDERS: tuple[bool | None, ...] = (None, True, False)


def _orders() -> tuple[tuple[str, bool | None], ...]:
    """How dates may be written, and what a file is told of it."""
    texts = (say("as the file shows"), say("day first, 31/03/2024"), say("month first, 03/31/2024"))
    return tuple(zip(texts, _ORDERS, strict=True))


class FilesPanel(QWidget):
    """Edits a Draft.

    files_wanted: paths chosen in a dialog;  recount_wanted, stop_wanted: start or stop counting
    """

    files_wanted = Signal(object)
    recount_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, draft: Draft, shell: Shell) -> None:
        super().__init__()
        self.draft, self._shell = draft, shell
        self._shown: Path | None = None
        self._made_for: object = None
        self.strip = CountStrip()
        self.strip.stop.clicked.connect(self.stop_wanted)
        self.strip.again.clicked.connect(self.recount_wanted)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._build_drop_zone())
        self._build_content()
        draft.changed.connect(self.refresh)
        self.refresh()

    def _build_drop_zone(self) -> QWidget:
        self.choose = push_button(say("&Add files\u2026"), self.ask_files, primary=True)
        self.choose_folder = push_button(say("Add a f&older\u2026"), self.ask_folder)
        self.invitation = label(say("Drop report files here"), role="strong")
        self.about = wrapped(role="muted")
        self.about.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.about.setMaximumWidth(560)
        zone = vbox(
            (None, 2),
            (self.invitation, 0, Qt.AlignmentFlag.AlignHCenter),
            hbox(None, self.choose, self.choose_folder, None, spacing=-1),
            hbox(None, (self.about, 100), None, spacing=-1),
            (None, 3),
            margins=(24, 24, 24, 24),
            spacing=12,
        )
        return card(zone)

    def _build_content(self) -> None:
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        inner, holder = _Content(), QWidget()
        self._stack.addWidget(scrolled(holder, sideways=True))
        # Qt asks the layout of the scrolled widget itself: one around the content hides that its texts wrap.
        vbox(inner, parent=holder)
        self.model = FilesModel()
        self.table = DataTable("import files", say("Report files"), self.model, self._shell, searchable=False)
        self.table.current_changed.connect(self._choose_row)
        self.add = push_button(say("&Add files\u2026"), self.ask_files)
        self.add_folder = push_button(say("Add a f&older\u2026"), self.ask_folder)
        self.remove = push_button(say("&Remove"), self.remove_selected)
        for made in (self.add, self.add_folder, self.remove):
            self.table.add_to_bar(made)
        vbox(self.strip, self.table, (self._build_details(), 1), parent=inner, margins=(0, 8, 0, 0), spacing=12)

    def _build_details(self) -> QWidget:
        self.heading = label(role="strong")
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.holds = choice(say("It &holds").replace("&", ""), *((holds_text(what), what) for what in _HOLDS))
        self.order = choice(say("&Dates are written").replace("&", ""), *_orders())
        self.holds.activated.connect(lambda place: self._change(modality=_HOLDS[place]))
        self.order.activated.connect(lambda place: self._change(day_first=_ORDERS[place]))
        reading = QGridLayout()
        reading.setColumnStretch(1, 1)
        for place, (text, box) in enumerate(((say("It &holds"), self.holds), (say("&Dates are written"), self.order))):
            self.order_name = caption(text, box)  # the last of them
            reading.addWidget(self.order_name, place, 0)
            reading.addWidget(box, place, 1)
        self.form = ColumnsForm()
        self.form.setMinimumHeight(132)
        self.form.chosen.connect(self._choose_columns)
        self.messages, self.unreadable = MessagesView(self._shell), UnreadableView()
        self.unreadable.chosen.connect(self.messages.show_message)
        self.presets = push_button(say("Use a &preset"), lambda: None)
        self.presets.setMenu(QMenu(self))
        self.presets.menu().aboutToShow.connect(self._fill_presets)
        self.save_preset = push_button(say("Sa&ve as a preset\u2026"), self.save_as_preset)
        presets = hbox(self.presets, self.save_preset, None)
        # the stretch takes the room of the form while that is hidden
        left = vbox(reading, (self.form, 1), presets, (self.unreadable, 1), (None, 0))
        self.said = WrappedText()
        self.replace = QCheckBox(say("This reading takes the place of the earlier &one"))
        self.replace.clicked.connect(lambda replaces: self._change(replaces=replaces))
        self.whole = QCheckBox(say("I have looked: read all of it as &whole"))
        self.whole.clicked.connect(self._choose_whole)
        right = vbox(self.said, self.whole, self.replace, (self._build_rows(), 1), (self.messages, 1))
        self._sides = hbox((left, 2), (right, 3), spacing=16)
        return panel(vbox(self.heading, (self._sides, 1)))

    @Slot()
    def _fill_presets(self) -> None:
        """List the shipped presets, read when they are first asked for."""
        from radcal.reports.presets import shipped_presets

        menu = self.presets.menu()
        if not menu.isEmpty():
            return
        for preset in shipped_presets().values():
            action = menu.addAction(typographic(preset.name))
            action.setToolTip(preset.about)
            action.triggered.connect(partial(self._use_preset, preset))
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(say("Preset &file\u2026")).triggered.connect(self.ask_preset)

    def _build_rows(self) -> QWidget:
        self.rows_model = FirstRowsModel()
        self.rows = QTableView(wordWrap=False)
        self.rows.setModel(self.rows_model)
        self.rows.setAccessibleName(say("The first rows of the file"))
        self.rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.rows.setTabKeyNavigation(False)
        self.rows.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.rows.verticalHeader().hide()
        self.rows.verticalHeader().setDefaultSectionSize(28)
        self.rows.horizontalHeader().setHighlightSections(False)
        self.rows.horizontalHeader().setSectionsClickable(False)
        self.rows.setMinimumHeight(150)
        return self.rows

    def set_invitation(self, about: str, *, may_add: bool) -> None:
        """Set the text of the empty list; without ``may_add`` no files can be added."""
        self.about.setText(about)
        for made in (self.choose, self.choose_folder, self.add, self.add_folder):
            made.setEnabled(may_add)
        self.invitation.setVisible(may_add)

    @Slot()
    def refresh(self) -> None:
        """Update the list and the selected file."""
        paths = [f.path for f in self.draft.files]
        self.model.update_rows(self.draft.lines())
        self._stack.setCurrentIndex(1 if paths else 0)
        self._fit_table()
        if self._shown not in paths:
            # The file added last: it may need columns chosen.
            self._shown = paths[-1] if paths else None
        if self._shown is not None and self.table.current_row() != paths.index(self._shown):
            self.table.select_row(paths.index(self._shown))
        self.strip.show_count(self.draft)
        self._show_file()

    def _fit_table(self) -> None:
        """Fit the height to the files, up to a limit; the selected file gets the rest."""
        view = self.table.view
        rows = min(max(len(self.draft.files), _ROWS_AT_LEAST), _ROWS_AT_MOST)
        height = rows * view.verticalHeader().defaultSectionSize() + view.horizontalHeader().sizeHint().height()
        view.setFixedHeight(height + view.horizontalScrollBar().sizeHint().height() + 4)

    def show_file(self, path: Path) -> None:
        """Select a listed file and show how it is read."""
        paths = [f.path for f in self.draft.files]
        if path in paths:
            self._shown = path
            self.table.select_row(paths.index(path))
            self._show_file()

    @property
    def shown(self) -> Path | None:
        """The file whose columns are shown."""
        return self._shown

    def _show_file(self) -> None:
        path = self._shown
        file = self.draft.file(path) if path is not None else None
        if path is None or file is None:
            return
        preview, read_as, needed = self.draft.preview(path), self.draft.read_as(path), self.draft.needed(path)
        self.heading.setText(say("How {name} is read", name=path.name))
        self.heading.setToolTip(str(path))
        self.holds.setCurrentIndex(_HOLDS.index(file.modality))
        self.order.setCurrentIndex(_ORDERS.index(file.day_first))
        for box in (self.holds, self.order, self.form, self.presets, self.save_preset):
            box.setEnabled(preview is not None)
        counted = self.draft.counted(path)
        self.replace.setVisible(file.replaces or (counted is not None and counted.stale > 0))
        self.replace.setChecked(file.replaces)
        self.whole.setVisible(file.preset.as_whole or (counted is not None and counted.held > 0))
        self.whole.setChecked(file.preset.as_whole)
        self._say(path)
        made_for, asked = (path, id(preview), tuple(needed)), self.draft.questions(path)
        places = preview.places if preview is not None else ()
        self._turn_to_messages(places)
        if preview is None or places:
            self.rows_model.set_preview(None, {})
            self.form.setVisible(False)
        elif made_for != self._made_for:
            self.form.setVisible(True)
            self.form.set_file(preview, read_as, needed, asked)
            self.rows_model.set_preview(preview, read_as)
            self._fit_columns(to_cells=True)
        else:
            self.form.update_mapping(read_as, asked)
            self.rows_model.set_mapping(preview, read_as)
            self._fit_columns()
        self._made_for = made_for if preview is not None else None

    def _turn_to_messages(self, places: Sequence[Place]) -> None:
        """Show the messages in place of the columns of a table, or the other way round."""
        for part in (self.rows, self.presets, self.save_preset, self.order):
            part.setVisible(not places)
        self.order_name.setVisible(not places)
        self.messages.setVisible(bool(places))
        self._sides.setStretch(0, 1 if places else 2)  # the list of those left out needs less room than columns
        if places is not self.messages.places:
            self.unreadable.set_places(places)
            self.messages.set_places(places)
        self.unreadable.setVisible(bool(places) and self.unreadable.model_of.rowCount() > 0)

    def _fit_columns(self, *, to_cells: bool = False) -> None:
        """Fit the widths to the names and fields; columns that the user widened stay as wide."""
        header = self.rows.horizontalHeader()
        for section in range(self.rows_model.columnCount()):
            cells = self.rows.sizeHintForColumn(section) if to_cells else header.sectionSize(section)
            name = min(header.sectionSizeHint(section) + 8, 260)
            self.rows.setColumnWidth(section, max(min(cells + 8, 260) if to_cells else cells, name, 96))

    def _say(self, path: Path) -> None:
        """Show the notes on the file."""
        missing, counted = self.draft.missing(path), self.draft.counted(path)
        parts = [missing] if missing else []
        file, preview, read_as = self.draft.file(path), self.draft.preview(path), self.draft.read_as(path)
        if preview is not None:
            asked = self.draft.questions(path)
            parts += [question_text(preview, f, columns, read_as.get(f, "")) for f, columns in asked.items()]
        if file is not None and file.preset.name and (lacking := self.draft.lacking.get(path)):
            parts.append(
                say(
                    "It lacks columns of the preset {preset}: {columns}. These stay as they were recognised.",
                    preset=file.preset.name,
                    columns=", ".join(lacking),
                )
            )
        if counted is not None and not counted.failure:
            parts += file_texts(counted)
            # Dates that could be either have their own sentence above.
            parts += [typographic(note) for note in counted.notes if not (counted.dates and "03/04/2024" in note)]
        self.said.setText("\n".join(parts))
        self.said.setVisible(bool(parts))

    @Slot()
    def ask_files(self) -> None:
        """Ask for files."""
        from radcal.reports.preview import file_filter

        kinds = (file_filter(), "* (*)")
        ask_open_many(self, say("Report files"), kinds, lambda names: self.files_wanted.emit(list(map(Path, names))))

    @Slot()
    def ask_folder(self) -> None:
        """Ask for a folder of messages, or of text files with a manifest."""
        ask_folder(self, say("Add a f&older\u2026").replace("&", ""), lambda name: self.files_wanted.emit([Path(name)]))

    @Slot()
    def ask_preset(self) -> None:
        """Ask for a preset file, and read the selected file as it says."""
        ask_open(self, say("Use a &preset").replace("&", ""), (_PRESETS, "* (*)"), self._read_preset)

    @Slot()
    def save_as_preset(self) -> None:
        """Ask where to save how the selected file is read."""
        from radcal.reports.presets import SUFFIX, preset_file

        preset = None if self._shown is None else self.draft.preset(self._shown, self._shown.stem)
        if preset is not None:
            made = preset_file(preset)
            title = self.save_preset.text().replace("&", "")
            self._shell.save_file(title, f"{preset.name}{SUFFIX}", (_PRESETS,), lambda _: made)

    def _read_preset(self, name: str) -> None:
        from radcal.reports.presets import read_preset

        try:
            self._use_preset(read_preset(Path(name)))
        except InputError as error:
            self.said.setText(typographic(error.text))

    def _use_preset(self, preset: Preset, *_: object) -> None:
        if self._shown is not None:
            self.draft.use_preset(self._shown, preset)

    @Slot()
    def remove_selected(self) -> None:
        """Remove the selected files from the list."""
        rows = self.table.selected_rows() or [self.table.current_row()]
        self.draft.remove(self.draft.files[row].path for row in rows if row >= 0)

    @Slot(object)
    def _choose_row(self, row: int) -> None:
        if 0 <= row < len(self.draft.files) and self.draft.files[row].path != self._shown:
            self._shown = self.draft.files[row].path
            self._show_file()

    def _change(self, **values: Any) -> None:
        if self._shown is not None:
            self.draft.change(self._shown, **values)

    @Slot(bool)
    def _choose_whole(self, as_whole: bool) -> None:
        file = None if self._shown is None else self.draft.file(self._shown)
        if file is not None:
            self._change(preset=replace(file.preset, as_whole=as_whole))

    @Slot(object)
    def _choose_columns(self, mapping: dict[str, str]) -> None:
        if self._shown is None:
            return
        preview = self.draft.preview(self._shown)
        recognised = dict(preview.mapping) if preview else {}
        self._change(mapping={} if mapping == recognised else mapping)


class _Content(QWidget):
    """Takes the available height, although its texts wrap."""

    def hasHeightForWidth(self) -> bool:
        return False
