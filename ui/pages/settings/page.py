"""Settings: ten at sight, the others, the workspace's file and the audit log below headings that open; searchable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QLayout, QLineEdit, QWidget

from radcal.system.errors import InputError
from radcal.system.kinds import FileKind
from ui import language
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.form import choice, offer
from ui.kit.layout import card, hbox, panel, scrolled, vbox
from ui.kit.opening import Opening
from ui.kit.text import caption, label, show_text, wrapped
from ui.kit.undoing import Edit
from ui.pages.settings import work
from ui.pages.settings.audit_log import AuditLog
from ui.pages.settings.editors import ChangeField, Row
from ui.pages.settings.fields import COUNTS, DEPARTMENT, READING, fields_of
from ui.pages.settings.file_card import FileCard
from ui.pages.settings.names_card import NamesCard
from ui.pages.stage import StagePage
from ui.preferences import choose_lock_minutes, lab_is_on, lock_minutes, switch_lab
from ui.sentences import locked_words, policy_words, read_only_reason
from ui.theme import chosen_scale, chosen_scheme
from ui.words import percent, say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.settings import Settings
    from ui.pages.settings.work import Kept
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

LOAD, SAVE, CHECK = "settings", "save settings", "own vocabulary"
DEIDENTIFY = "de-identify what is stored"
_SCALES = (100, 125, 150, 175, 200, 250, 300)
_LOCKS = (2, 5, 10, 15, 30, 60)
_WIDEST = 920
_FILE, _AUDIT = "file", "audit"
_SECTIONS = {"backup": _FILE, "names": _FILE}
"""Sections that are a part of another."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A setting, or a card with several actions, as a search finds it.  section: '' where it is at sight."""

    widget: QWidget
    text: str
    section: str = ""


class SettingsPage(StagePage):
    """The settings; the department's are a draft until applied.

    appearance_changed: '' for the system's, 'light', 'dark' or 'contrast'
    scale_changed: display scale, 100-300 per cent;  language_changed: a code, '' for the system's
    """

    appearance_changed = Signal(object)
    scale_changed = Signal(object)
    language_changed = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._kept: Kept | None = None
        self._draft: Settings | None = None
        self._of: Department | None = None
        self._looked_at: str | None = None
        """The folder of words whose content is shown."""
        self._items: list[_Item] = []
        self._offered: dict[str, bool] = {}
        self._searched: set[str] = set()
        """The sections that the search has opened."""
        self.rows: dict[str, Row] = {}
        self.openings: dict[str, Opening] = {}
        self._build_head()
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        self._inner = QWidget()
        self._inner.setMaximumWidth(_WIDEST)
        self._scroll = scrolled(self._inner)
        self.body.addWidget(self._scroll)
        self._looks, self._at_sight, self._sections = card(), card(), QWidget()
        self.nothing_open = wrapped(say("Open a workspace to see its settings, too."), role="muted")
        self.locked, self.none_found = wrapped(role="muted"), wrapped(say("No setting has these words."))
        parts = (self.none_found, self._looks, self.nothing_open, self.locked, self._at_sight, self._sections, None)
        vbox(*parts, parent=self._inner, margins=(0, 0, 12, 0), spacing=12)
        self._build_looks()
        self._build_department()
        self._show_draft()
        self._find()

    # --- building ----------------------------------------------------------------------------------

    def _build_head(self) -> None:
        self.title.setText(say("Settings"))
        self.discard = push_button(say("&Discard changes"), self.discard_changes)
        self.apply = push_button(say("&Apply"), self.apply_changes, primary=True)
        for column, button in enumerate((self.discard, self.apply), 2):
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            button.setSizePolicy(policy)
            self.head.addWidget(button, 0, column)
        self.search = QLineEdit()
        self.search.setPlaceholderText(say("Search the settings"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(_WIDEST)
        self.search.textChanged.connect(self._find)
        self.body.addWidget(self.search)

    def _build_looks(self) -> None:
        schemes = {"": say("as the system"), "light": say("light"), "dark": say("dark"), "contrast": say("contrast")}
        self.appearance = _chooser(schemes, chosen_scheme(), self.appearance_changed.emit)
        sizes = {s: percent(s / 100) for s in (*_SCALES, chosen_scale())}
        self.scale = _chooser(sizes, chosen_scale(), self.scale_changed.emit)
        languages = {"": say("as the system"), **language.LANGUAGES}
        self.language = _chooser(languages, language.chosen(), self.language_changed.emit)
        minutes = {n: say("{n} minutes", n=n) for n in sorted({*_LOCKS, lock_minutes()} - {0})} | {0: say("never")}
        self.lock = _chooser(minutes, lock_minutes(), choose_lock_minutes)
        self.lab = QCheckBox(say("Show the lab (language models that speak in phrases)"))
        self.lab.setChecked(lab_is_on())
        self.lab.toggled.connect(switch_lab)
        self.policy = wrapped(policy_words(), role="muted")
        self.policy.setVisible(bool(self.policy.text()))
        rows = []
        for name, text, box in (
            ("theme", say("Appea&rance"), self.appearance),
            ("scale", say("Text si&ze"), self.scale),
            ("language", say("Lan&guage"), self.language),
            ("lock_minutes", say("Lock after"), self.lock),
        ):
            locked = locked_words(name)
            box.setEnabled(not locked)
            box.setToolTip(locked)
            found = "\n".join((text.replace("&", ""), *(box.itemText(i) for i in range(box.count()))))
            told = (wrapped(locked, role="muted"), 1) if locked else None
            rows.append(panel(hbox((caption(text, box), 2), (hbox(box, told), 3), spacing=16)))
            self._items.append(_Item(rows[-1], found.casefold()))
        rows.append(self.lab)
        self._items.append(_Item(self.lab, self.lab.text().casefold()))
        _fill(self._looks, label(say("This computer"), role="strong"), *rows, self.policy)

    def _build_department(self) -> None:
        self.file, self.names, self.audit = FileCard(self.shell), NamesCard(self.shell), AuditLog(self.shell)
        self.stored = push_button(say("De-identify what is stored"), self.deidentify_stored)
        self.as_read = wrapped(role="muted")
        self.stored.hide()
        self.as_read.hide()
        self.engine = push_button(say("Choose what reads the reports\u2026"), self._go_to_engine)
        stored = (self.as_read, hbox(self.stored, None))
        title = label(say("This department"), role="strong")
        _fill(self._at_sight, title, *self._rows(DEPARTMENT, at_sight=True), *stored)
        reading = panel(hbox(self.engine, None))
        holders = panel(vbox(self.file)), panel(vbox(self.names))
        contents: Mapping[str, tuple[str, tuple[QWidget | QLayout, ...]]] = {
            _FILE: (say("File, backups and names"), holders),
            COUNTS: (say("What counts"), self._rows(COUNTS)),
            READING: (say("Reading and statistics"), (reading, *self._rows(READING))),
            _AUDIT: (say("Audit log"), (self.audit,)),
        }
        cards = ((_FILE, holders[0]), (_FILE, holders[1]), (READING, reading), (_AUDIT, self.audit))
        for section, widget in cards:
            called = (contents[section][0], *(b.text() for b in widget.findChildren(QAbstractButton)))
            self._items.append(_Item(widget, "\n".join(called).replace("&", "").casefold(), section))
        for section, (heading, parts) in contents.items():
            frame = card()
            _fill(frame, *parts)
            self.openings[section] = Opening(heading, frame)
        vbox(*self.openings.values(), parent=self._sections, spacing=8)

    def _rows(self, section: str, *, at_sight: bool = False) -> tuple[Row, ...]:
        made = tuple(map(Row, fields_of(section)))
        for row in made:
            self.rows[row.field.name] = row
            row.edited.connect(self._edited)
            self._items.append(_Item(row, row.searched, "" if at_sight else section))
        return made

    # --- called by the window ----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another department's settings, or changed ones."""
        for part in (self.file, self.names, self.audit):
            part.show_department(opened)
        self.nothing_open.setVisible(opened is None)
        # Other files have no data to compute results from.
        analysed = opened is not None and not opened.kind
        personal = opened is not None and opened.kind is FileKind.PERSONAL
        self._at_sight.setVisible(analysed)
        self._offered = {
            _FILE: opened is not None,
            COUNTS: analysed,
            READING: analysed,
            _AUDIT: opened is not None and not personal,
        }
        self._find()
        why = ""
        if opened is not None and opened.read_only:
            why = say("This file cannot be changed.") if opened.kind else read_only_reason()
        show_text(self.locked, why)
        for row in self.rows.values():
            row.lock(why, locked_words(row.field.name))
        department = None if opened is None else opened.department
        if department is not self._of:
            # A draft applies to one department only.
            self._of = department
            self._kept = self._draft = None
            self.undo_stack.clear()
        self._show_draft()
        if opened is not None:
            self._ask()

    def arrive(self, *, section: str = "", **where: Any) -> None:
        """Load changes made on other pages, and open a section, or that of a setting, with the keyboard on it.

        section: 'file', 'backup', 'names', 'counts', 'engine', 'audit' or the name of a setting
        where: ``back_up``, ``backup_folder`` or ``check`` ask for what they need
        """
        self._ask()
        asked = [ask for name, ask in (
            ("back_up", self.file.ask_backup), ("backup_folder", self.file.ask_folder), ("check", self.file.ask_check)
        ) if where.get(name)]  # fmt: skip
        row = self.rows.get(section)
        if row is not None:
            wanted = next(item.section for item in self._items if item.widget is row)
        else:
            wanted = _FILE if asked else _SECTIONS.get(section, section)
        opening = self.openings.get(wanted)
        if opening is not None:
            opening.unfold()
        shown: QWidget | None = row or opening
        if shown is not None:
            focus = row.control if row is not None else opening.heading if opening is not None else shown
            focus.setFocus(Qt.FocusReason.OtherFocusReason)
            QTimer.singleShot(0, self, partial(self._scroll.ensureWidgetVisible, shown))  # once it has its place
        for ask in asked:
            ask()

    def _ask(self) -> None:
        self._looked_at = None  # its files may have been edited
        if not self.shell.tasks.is_running(SAVE):
            self.shell.run(LOAD, work.kept, self._loaded)

    @Slot(object)
    def _loaded(self, kept: Kept) -> None:
        changed_elsewhere = self._kept is None or kept.settings != self._kept.settings
        self._kept = kept
        self.file.show_copied(kept.copied)
        for name in kept.overridden:
            if name in self.rows:
                self.rows[name].tell_overridden()
        self._show_as_read(kept.as_read)
        if self._draft is None or changed_elsewhere:
            self._draft = kept.settings
            self.undo_stack.clear()
        self._show_draft()

    # --- finding -----------------------------------------------------------------------------------

    @Slot()
    def _find(self, *_: object) -> None:
        """Show what has all words of the search, with its headings open; all of it where nothing is searched."""
        words = self.search.text().casefold().split()
        found = {item.widget: all(word in item.text for word in words) for item in self._items}
        for widget, is_found in found.items():
            widget.setVisible(is_found)
        at_sight = {item.widget for item in self._items if not item.section and found[item.widget]}
        self._looks.setVisible(any(self._looks.isAncestorOf(widget) for widget in at_sight))
        analysed = self._offered.get(COUNTS, False)
        self._at_sight.setVisible(analysed and any(self._at_sight.isAncestorOf(widget) for widget in at_sight))
        sections = {item.section for item in self._items if found[item.widget]}
        for section, opening in self.openings.items():
            shown = self._offered.get(section, False) and section in sections
            opening.setVisible(shown)
            if words and shown and not opening.is_open:
                self._searched.add(section)
                opening.unfold()
            elif section in self._searched and not (words and shown):
                self._searched.discard(section)
                opening.unfold(False)
        self.none_found.setVisible(not any(found.values()))

    # --- de-identification --------------------------------------------------------------

    def _show_as_read(self, n: int) -> None:
        """Say how many reports are stored as they were read, and offer to change that."""
        may = self.shell.opened is not None and not self.shell.opened.read_only and not self.shell.opened.sample
        self.stored.setVisible(bool(n) and may)
        text = say(
            "One report is stored as it was read. De-identifying makes a backup first; findings and answers stay."
            " Delete earlier backups yourself: they hold the old texts.",
            many="{n} reports are stored as they were read. De-identifying makes a backup first; findings and answers"
            " stay. Delete earlier backups yourself: they hold the old texts.",
            n=n,
        )
        show_text(self.as_read, text if n and may else "")

    @Slot()
    def deidentify_stored(self) -> None:
        """Take identifiers out of the reports that are stored as they were read, after a backup."""
        self.stored.setEnabled(False)
        self.shell.run(
            DEIDENTIFY,
            work.deidentify,
            self._deidentified,
            title=say("De-identify what is stored"),
            failed=self._not_deidentified,
            stopped=self._ask_again,
            keeps=True,
        )

    @Slot(object)
    def _deidentified(self, text: str) -> None:
        self._ask_again()
        self.sentence.setText(typographic(text))
        self.shell.reload(say("Updating the results"))

    @Slot(object)
    def _not_deidentified(self, failure: Failure) -> None:
        self._ask_again()
        self.sentence.setText(typographic(failure.text))

    def _ask_again(self) -> None:
        self.stored.setEnabled(True)
        self._ask()

    @Slot()
    def _go_to_engine(self) -> None:
        self.shell.go("reports", engine=True)

    # --- the draft ---------------------------------------------------------------------------------

    @Slot(object, object)
    def _edited(self, name: str, value: Any) -> None:
        row = self.rows[name]
        if self._draft is None:
            row.set_value(row.field.default)  # not loaded yet
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
        except InputError as error:  # a constraint beyond the bounds of the controls
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
        self._look_at_own_words()
        for button in (self.apply, self.discard):
            button.setVisible(bool(changed))
        text = say("How RadCal looks, and how the results are made.")
        if changed:
            text = say(
                "One setting is changed. Apply it to update the results.",
                many="{n} settings are changed. Apply them to update the results.",
                n=len(changed),
            )
        self.sentence.setText(text)

    def _look_at_own_words(self) -> None:
        """Show below the folder of words what it adds, and the warnings about it."""
        folder = "" if self._draft is None else self._draft.lexicon_dir
        if self._kept is None or folder == self._looked_at:
            return
        self._looked_at = folder
        self.shell.run(CHECK, partial(work.own_words, folder), self._show_own_words)

    @Slot(object)
    def _show_own_words(self, said: tuple[str, ...]) -> None:
        show_text(self.rows["lexicon_dir"].note, "\n".join(map(typographic, said)))

    @Slot()
    def discard_changes(self) -> None:
        """Reset the draft, as one undo step."""
        if self._kept is not None and self._draft is not None:
            self.undo_stack.push(Edit(say("Discard changes"), self._draft, self._kept.settings, self._take))

    def _take(self, settings: Settings) -> None:
        self._draft = settings
        self._show_draft()

    @Slot()
    def apply_changes(self) -> None:
        """Store the draft and redo the analysis; undo restores the previous settings."""
        if self._draft is not None and "deidentify" in self.changed() and self._draft.deidentify == "off":
            self.ask_off()
        elif self.changed():
            self._apply()

    @Slot()
    def _apply(self) -> None:
        if self._kept is not None and self._draft is not None:
            self.undo_stack.push(Edit(say("Apply settings"), self._kept.settings, self._draft, self._save))

    def ask_off(self) -> None:
        """Ask whether reports are to be stored as they are read; the settings are applied where they are."""
        dialog = Dialog(say("Switch de-identification off?"), self, width=_WIDEST // 2)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        warning = say(
            "Reports imported from now on keep their names, dates, numbers and addresses. They can appear on pages, in"
            " exports and in personal files."
        )
        dialog.lay_out(wrapped(warning), accept=push_button(say("Switch it &off")), spacing=12)
        dialog.accepted.connect(self._apply)
        dialog.open()

    def _save(self, settings: Settings) -> None:
        values = {name: getattr(settings, name) for name in self.rows}
        self.shell.run(SAVE, partial(work.save, values), self._saved, keeps=True)

    @Slot(object)
    def _saved(self, settings: Settings) -> None:
        if self._kept is not None:
            self._kept = replace(self._kept, settings=settings)
        self._show_draft()
        self.shell.reload(say("Updating the results"))


def _fill(frame: QWidget, *rows: QWidget | QLayout) -> None:
    vbox(*rows, parent=frame, margins=(16, 12, 16, 16), spacing=12)


def _chooser(choices: Mapping[Any, str], chosen: Any, changed: Callable[[Any], object]) -> QComboBox:
    box = choice("")
    offer(box, ((text, value) for value, text in choices.items()), chosen)
    box.currentIndexChanged.connect(lambda _place: changed(box.currentData()))
    return box
