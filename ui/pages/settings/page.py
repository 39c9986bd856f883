"""Settings: appearance and language, the department's analysis, and the workspace file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QLayout, QWidget

from radcal.system.errors import InputError
from radcal.system.kinds import FileKind
from ui import language
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.form import offer
from ui.kit.layout import card, hbox, scrolled, vbox
from ui.kit.text import caption, label, show_text, wrapped
from ui.kit.undoing import Edit
from ui.pages.settings import work
from ui.pages.settings.editors import ChangeField, Choice, Row
from ui.pages.settings.fields import Section, sections
from ui.pages.settings.file_card import FileCard
from ui.pages.settings.names_card import NamesCard
from ui.pages.stage import StagePage
from ui.preferences import choose_lock_minutes, lock_minutes
from ui.sentences import locked_words, policy_words, scale_in_words, topic_name
from ui.theme import chosen_scale, chosen_scheme
from ui.widgets.server_question import ServerQuestion
from ui.words import percent, say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.settings import Settings
    from ui.pages.settings.work import Kept
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

LOAD, SAVE, LOOK, CHECK = "settings", "save settings", "look at machine", "own vocabulary"
DEIDENTIFY = "de-identify what is stored"
_SCALES = (100, 125, 150, 175, 200, 250, 300)
_LOCKS = (2, 5, 10, 15, 30, 60)
_WIDEST = 920


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
        self._agreed: set[str] = set()
        """The servers that were agreed to on this page: to undo or redo a change agrees to none."""
        self._draft: Settings | None = None
        self._of: Department | None = None
        self._looked_at: str | None = None
        """The folder of words whose content is shown."""
        self.title.setText(say("Settings"))
        self.discard = push_button(say("&Discard changes"), self.discard_changes)
        self.apply = push_button(say("&Apply"), self.apply_changes, primary=True)
        self.head.addWidget(self.discard, 0, 2)
        self.head.addWidget(self.apply, 0, 3)
        self.rows: dict[str, Row] = {}
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        inner = QWidget()
        inner.setMaximumWidth(_WIDEST)
        self._scroll = scrolled(inner)
        self.body.addWidget(self._scroll)
        self._department = QWidget()
        self.nothing_open = wrapped(
            say("Open a workspace to see the settings that its results are made with."), role="muted"
        )
        looks = card()
        vbox(looks, self._department, self.nothing_open, None, parent=inner, margins=(0, 0, 12, 0), spacing=12)
        self._build_looks(looks)
        self.file = FileCard(shell)
        self.names = NamesCard(shell)
        self.locked = wrapped(role="muted")
        named = [(card(), section) for section in sections()]
        self._cards = [frame for frame, _ in named]
        vbox(self.file, self.names, self.locked, *self._cards, parent=self._department, spacing=12)
        for frame, section in named:
            self._build_section(frame, section)
        self._show_draft()

    # --- building ----------------------------------------------------------------------------------

    def _build_looks(self, card: QFrame) -> None:
        self.appearance = _chooser(
            {
                "": say("as the system"),
                "light": say("light"),
                "dark": say("dark"),
                "contrast": say("high contrast"),
            },
            chosen_scheme(),
            self._appearance_chosen,
        )
        sizes = {s: percent(s / 100) for s in (*_SCALES, chosen_scale())}
        self.scale = _chooser(sizes, chosen_scale(), self._scale_chosen)
        languages = {"": say("as the system"), **language.LANGUAGES}
        self.language = _chooser(languages, language.chosen(), self._language_chosen)
        self.lock = _chooser(
            {minutes: _minutes(minutes) for minutes in sorted({*_LOCKS, lock_minutes()} - {0})} | {0: say("never")},
            lock_minutes(),
            self._lock_chosen,
        )
        later = say("Takes effect the next time RadCal starts.")
        locked = {name: locked_words(name) for name in ("theme", "scale", "language", "lock_minutes")}
        for name, box in zip(locked, (self.appearance, self.scale, self.language, self.lock), strict=True):
            box.setEnabled(not locked[name])
            box.setToolTip(locked[name])
        self.policy = wrapped(policy_words(), role="muted")
        self.policy.setVisible(bool(self.policy.text()))
        _fill(
            card,
            say("This computer"),
            _row(say("Appea&rance"), self.appearance, locked["theme"]),
            _row(say("Si&ze of text and everything else"), self.scale, locked["scale"] or later),
            _row(say("Lan&guage"), self.language, locked["language"] or later),
            _row(
                say("Lock an open workspace after"),
                self.lock,
                locked["lock_minutes"]
                or say(
                    "After this long without input, everything is hidden until the passphrase is entered; work goes on."
                ),
            ),
            self.policy,
        )

    def _build_section(self, card: QFrame, section: Section) -> None:
        rows = [Row(f) for f in section.fields]
        for row in rows:
            self.rows[row.field.name] = row
            row.edited.connect(self._edited)
        more: tuple[QWidget | QLayout, ...] = ()
        if "llama_gpu_layers" in self.rows and self.rows["llama_gpu_layers"] in rows:
            self.look = push_button(say("What this computer can do"), self.look_at_machine)
            self.machine = wrapped(role="muted")
            self.machine.hide()
            more = (hbox(self.look, None), self.machine)
        if "deidentify" in self.rows and self.rows["deidentify"] in rows:
            self.stored = push_button(say("De-identify what is stored"), self.deidentify_stored)
            self.as_read = wrapped(role="muted")
            for widget in (self.stored, self.as_read):
                widget.hide()
            more = (self.as_read, hbox(self.stored, None))
        _fill(card, section.title, *rows, *more)

    # --- called by the window ----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another department's settings, or changed ones."""
        self.file.show_department(opened)
        self.names.show_department(opened)
        self._department.setVisible(opened is not None)
        self.nothing_open.setVisible(opened is None)
        why = ""
        if opened is not None and opened.read_only:
            why = say("This workspace is open to read only, so its settings cannot be changed.")
            if opened.kind is FileKind.PERSONAL:
                why = say("A personal file cannot be changed.")
            elif opened.kind:
                why = say("This file cannot be changed.")
        # Other files have no data to compute results from.
        for frame in self._cards:
            frame.setVisible(opened is not None and not opened.kind)
        self.locked.setText(why)
        self.locked.setVisible(bool(why))
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
        self._looked_at = None  # its files may have been edited
        if not self.shell.tasks.is_running(SAVE):
            self.shell.run(LOAD, work.kept, self._loaded)

    @Slot(object)
    def _loaded(self, kept: Kept) -> None:
        changed_elsewhere = self._kept is None or kept.settings != self._kept.settings
        self._kept = kept
        self.file.show_copied(kept.copied)
        self.rows["allowed_phrases"].set_options(kept.phrases)
        for name, options in (
            ("include_other_confirmations", kept.pairs),
            ("silence_absent", kept.left_out),
            ("silence_left_out", kept.absent),
        ):
            self.rows[name].set_options(options, topic_name)
        for name in kept.overridden:
            if name in self.rows:
                self.rows[name].tell_overridden()
        self._show_as_read(kept.as_read)
        self.rows["vocabulary"].set_choices({scale.key: scale.name for scale in kept.scales})
        if self._draft is None or changed_elsewhere:
            self._draft = kept.settings
            self.undo_stack.clear()
        self._show_draft()

    def _show_as_read(self, n: int) -> None:
        """Say how many reports are stored as they were read, and offer to change that."""
        may = self.shell.opened is not None and not self.shell.opened.read_only and not self.shell.opened.sample
        self.stored.setVisible(bool(n) and may)
        text = say(
            "One report of this workspace is stored as it was read.",
            many="{n} reports of this workspace are stored as they were read.",
            n=n,
        )
        how = say(
            "De-identifying them makes a backup first and keeps findings, answers of gold sets and contested findings."
            " When their files are imported again, the names in their columns are known as well. Backups made before"
            " hold the texts as they were: delete them when you have looked at the result."
        )
        show_text(self.as_read, f"{text} {how}" if n and may else "")

    @Slot()
    def deidentify_stored(self) -> None:
        """Take identifiers out of the reports that are stored as they were read, after a backup."""
        self.stored.setEnabled(False)
        self.shell.run(
            DEIDENTIFY,
            work.deidentify,
            self._deidentified,
            title=say("De-identifying the stored reports"),
            failed=self._not_deidentified,
            stopped=self._ask_again,
            keeps=True,
        )

    @Slot(object)
    def _deidentified(self, text: str) -> None:
        self._ask_again()
        self.sentence.setText(typographic(text))
        self.shell.reload(say("Making the results again"))

    @Slot(object)
    def _not_deidentified(self, failure: Failure) -> None:
        self._ask_again()
        self.sentence.setText(typographic(failure.text))

    def _ask_again(self) -> None:
        self.stored.setEnabled(True)
        self._ask()

    @Slot()
    def look_at_machine(self) -> None:
        """Show what the installed llama.cpp can do, which models can be used here, and what is missing."""
        model = "" if self._draft is None else self._draft.model
        self.look.setEnabled(False)
        self.shell.run(
            LOOK,
            partial(work.look_at, model),
            self._looked,
            title=say("Looking at what this computer can do"),
            failed=lambda failure: self._looked((failure.text,)),
            stopped=lambda: self._looked(()),
        )

    @Slot(object)
    def _looked(self, sentences: tuple[str, ...]) -> None:
        self.look.setEnabled(True)
        show_text(self.machine, "\n".join(typographic(s) for s in sentences))

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
        self._show_scale()
        self._look_at_own_words()
        read_only = self.shell.opened is not None and self.shell.opened.read_only
        for button in (self.apply, self.discard):
            button.setEnabled(bool(changed) and not read_only)
            button.setVisible(self.shell.opened is not None and not self.shell.opened.kind)
        if self.shell.opened is not None and self.shell.opened.kind is FileKind.PERSONAL:
            text = say("How the window looks, and the file with your results.")
        elif self.shell.opened is not None and self.shell.opened.kind:
            text = say("How the window looks, and the open file.")
        elif not changed:
            text = say("How the window looks, and with what results are made.")
        else:
            text = say(
                "One setting is changed. Apply it to make the results again with it.",
                many="{n} settings are changed. Apply them to make the results again with them.",
                n=len(changed),
            )
        self.sentence.setText(text)

    def _show_scale(self) -> None:
        """Show what the chosen scale says below its name."""
        kept, draft = self._kept, self._draft
        scales = kept.scales if kept is not None and draft is not None else ()
        chosen = next((scale for scale in scales if draft is not None and scale.key == draft.vocabulary), None)
        text = scale_in_words(chosen, kept.lexicon) if kept is not None and chosen is not None else ""
        show_text(self.rows["vocabulary"].note, text)

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
        if self._kept is None or self._draft is None:
            return
        self.undo_stack.push(Edit(say("Discard changes"), self._draft, self._kept.settings, self._take))

    def _take(self, settings: Settings) -> None:
        self._draft = settings
        self._show_draft()

    @Slot()
    def apply_changes(self) -> None:
        """Store the draft and redo the analysis; undo restores the previous settings."""
        if self._kept is None or self._draft is None or not self.changed():
            return
        if "deidentify" in self.changed() and self._draft.deidentify == "off":
            self.ask_off()
            return
        self._ask_server()

    def _ask_server(self) -> None:
        """Apply the draft; ask first if reports would be sent to a server from then on, or to another one."""
        from radcal.findings.served.server import served_host

        if self._kept is None or self._draft is None:
            return
        host = served_host(self._draft)
        if host and host != served_host(self._kept.settings):
            ServerQuestion(self, host, self._kept.as_read, partial(self._apply_with, host)).open()
        else:
            self._apply()

    def _apply_with(self, host: str) -> None:
        self._agreed.add(host)
        self._apply()

    def _apply(self) -> None:
        if self._kept is not None and self._draft is not None:
            self.undo_stack.push(Edit(say("Apply settings"), self._kept.settings, self._draft, self._save))

    def ask_off(self) -> None:
        """Ask whether reports are to be stored as they are read; the settings are applied where they are."""
        dialog = Dialog(say("Switch de-identification off?"), self, width=_WIDEST // 2)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        warning = wrapped(
            say(
                "Reports imported from now on would be stored with the names, dates, numbers and addresses in their"
                " texts. Whoever has the passphrase reads them, and sentences with them may stand on pages, in exported"
                " lists and in personal files. What was de-identified before stays so."
            )
        )
        dialog.lay_out(warning, accept=push_button(say("Switch it &off")), spacing=12)
        dialog.accepted.connect(self._ask_server)
        dialog.open()

    def _save(self, settings: Settings) -> None:
        from radcal.findings.served.server import served_host

        agrees = served_host(settings) in self._agreed
        self.shell.run(SAVE, partial(work.save, settings, agrees=agrees), self._saved, keeps=True)

    @Slot(object)
    def _saved(self, settings: Settings) -> None:
        from radcal.findings.served.server import served_host

        self.shell.set_served(served_host(settings))
        if self._kept is not None:
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
    def _lock_chosen(self, *_: object) -> None:
        choose_lock_minutes(self.lock.currentData())

    @Slot()
    def _language_chosen(self, *_: object) -> None:
        self.language_changed.emit(self.language.currentData())


def _minutes(n: int) -> str:
    return say("{n} minute", many="{n} minutes", n=n)


def _fill(card: QFrame, title: str, *rows: QWidget | QLayout) -> None:
    vbox(label(title, role="strong"), *rows, parent=card, margins=(16, 12, 16, 16), spacing=12)


def _row(text: str, control: QComboBox, about: str = "") -> QLayout:
    name = caption(text, control)
    name.setWordWrap(True)
    line = hbox(control, (wrapped(about, role="muted"), 1) if about else None)
    return hbox((name, 2), (line, 3), spacing=16)


def _chooser(choices: Mapping[Any, str], chosen: Any, changed: Callable[..., None]) -> QComboBox:
    box = Choice()
    offer(box, ((text, value) for value, text in choices.items()), chosen)
    box.currentIndexChanged.connect(changed)
    return box
