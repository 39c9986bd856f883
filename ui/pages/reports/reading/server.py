"""The server that is to read: where it is, what reads there, what it says of itself, and the key to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from ui.kit.action import push_button
from ui.kit.files import ask_open
from ui.kit.form import secret_field
from ui.kit.layout import hbox, panel, vbox
from ui.kit.text import caption, show_text, wrapped
from ui.pages.reports.reading import work
from ui.words import say, typographic

if TYPE_CHECKING:
    from ui.pages.reports.reading.verdict import Verdict
    from ui.pages.reports.reading.work import KeyState, ServerChecked, ServerLook
    from ui.shell import Shell
    from ui.tasks import Failure

LOOK, CHECK, KEY = "look at server settings", "check the server", "key for the server"
"""The operations in the worker."""
URL, MODEL, AUTHORITY = "served_url", "served_model", "served_ca"


class ServedForm(QWidget):
    """The unsaved options of a server, below each what is wrong with it.

    changed: the user changed one;  looked: more is known of whether the server can read
    off_wanted: reports are not to be read there any more
    """

    changed, looked, off_wanted = Signal(), Signal(), Signal()

    def __init__(self, shell: Shell, verdict: Verdict) -> None:
        super().__init__()
        self._shell, self._verdict = shell, verdict
        self._values: Mapping[str, Any] | None = None
        """The unsaved settings on show."""
        self._look: ServerLook | None = None
        self._checked: ServerChecked | None = None
        self._key_of = ""
        """The address whose key is shown."""
        self.problems: dict[str, QLabel] = {}
        self.where = wrapped()
        self.url = QLineEdit(placeholderText="https://llm.hospital.example/v1")
        self.model = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.model.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the dialog
        self.model.activated.connect(self.changed)
        self.authority = QLineEdit(placeholderText=say("those that this computer trusts"))
        self.browse = push_button(say("Browse\u2026"), self._ask_authority)
        self._typed = QLineEdit()
        self.model.setLineEdit(self._typed)
        for line in (self.url, self.authority, self._typed):
            line.editingFinished.connect(self.changed)
        self.key = secret_field()
        self.key.setPlaceholderText(say("if the server asks for one"))
        self.key.textChanged.connect(self._key_typed)
        self.keep = push_button(say("Keep it"), self.keep_key)
        self._entry = panel(hbox((self.key, 1), self.keep))
        self.kept = wrapped(role="muted")
        self.forget = push_button(say("Forget the key"), lambda: self._run_key(partial(work.forget_key, self._key_of)))
        # Not a form layout, which cuts texts of several lines.
        self._grid = QGridLayout()
        self._add(URL, say("A&ddress"), self.url)
        self._add(MODEL, say("&Model"), self.model)
        self._add(AUTHORITY, say("Certificate &authority"), self.authority, hbox((self.authority, 1), self.browse))
        self._add("", say("&Key"), self.key, vbox(self._entry, hbox((self.kept, 1), self.forget), spacing=2))
        self.check = push_button(say("&Check the server"), self.check_server)
        self.check.setToolTip(say("Asks what it offers and tries a made-up sentence; no report is sent."))
        self.off = push_button(say("Switch it off"), self.off_wanted)
        vbox(self.where, self._grid, hbox(self.check, self.off, None), parent=self)
        self._show_key(False, "")

    def _add(self, setting: str, text: str, field: QWidget, cell: Any = None) -> None:
        row, problem = self._grid.rowCount(), wrapped(role="error")
        problem.hide()
        field.setAccessibleName(text.replace("&", ""))
        self._grid.addWidget(caption(text, field), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(panel(vbox(field if cell is None else cell, problem, spacing=2)), row, 1)
        if setting:
            self.problems[setting] = problem

    def values(self) -> dict[str, Any]:
        """The options shown, as settings by name."""
        texts = {URL: self.url.text(), MODEL: self.model.currentText(), AUTHORITY: self.authority.text()}
        return {name: text.strip() for name, text in texts.items()}

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show settings without a signal."""
        for field in (self.url, self.model, self.authority):
            field.blockSignals(True)
        self.url.setText(values[URL])
        self.model.setCurrentText(values[MODEL])
        self.authority.setText(values[AUTHORITY])
        for field in (self.url, self.model, self.authority):
            field.blockSignals(False)

    def look(self, values: Mapping[str, Any]) -> None:
        """Look at unsaved settings, without asking the server."""
        self._values, self._look = values, None
        self._shell.run(LOOK, partial(work.look_at_server, values), self._looked)

    @Slot(object)
    def _looked(self, look: ServerLook) -> None:
        self._look = look
        where = say("Reports are sent to {host} and nowhere else.", host=look.host) if look.host else ""
        show_text(self.where, where)
        for setting, shown in self.problems.items():
            # Nothing is wrong yet with what nobody has filled in.
            fault = look.faults.get(setting) if look.values[setting] else None
            show_text(shown, typographic(fault) if fault else "")
        self._show_check()
        if (url := str(look.values[URL]) if look.host else "") != self._key_of:
            self._key_of = url
            if url:
                self._run_key(partial(work.key_state, url))
            else:
                self._show_key(False, "")
        self.looked.emit()

    @property
    def host(self) -> str:
        """The server of the settings that were last looked at, '' if they name none."""
        return self._look.host if self._look is not None else ""

    def why_not(self, values: Mapping[str, Any]) -> str:
        """Why reports cannot be read with these unsaved settings; '' if they can, at ``host``, as far as is known."""
        if self._look is None or dict(values) != dict(self._look.values):
            return say("Checking the server")
        faults = [typographic(fault) for fault in self._look.faults.values()]
        if (checked := self._check_of(values)) is not None and checked.found.problem:
            faults.append(typographic(checked.found.problem))
        return next(iter(faults), "")

    def _check_of(self, values: Mapping[str, Any] | None) -> ServerChecked | None:
        """What the server said when it was asked with these settings; None if it was not."""
        checked = self._checked
        return checked if checked is not None and values is not None and dict(checked.values) == dict(values) else None

    def _show_check(self) -> None:
        checked = self._check_of(self._values)
        if checked is not None:
            self._verdict.show_check(checked.found)
        else:
            self._verdict.show_text(say("Not checked yet. Check the server before it reads."))

    @Slot()
    def check_server(self) -> None:
        """Ask the server what it is and offers."""
        if self._values is None:
            return
        self.check.setEnabled(False)
        self._verdict.show_text(say("Checking the server"))
        job, title = partial(work.check, self._values), say("Checking the server")
        self._shell.run(
            CHECK, job, self._check_done, title=title, failed=self._check_failed, stopped=self._check_stopped
        )

    @Slot(object)
    def _check_done(self, checked: ServerChecked) -> None:
        self.check.setEnabled(True)
        self._checked = checked
        typed = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItems(list(checked.found.models))
            self.model.setCurrentText(typed)
        self._show_check()
        self.looked.emit()

    @Slot(object)
    def _check_failed(self, failure: Failure) -> None:
        self.check.setEnabled(True)
        self._verdict.show_failure(failure)

    @Slot()
    def _check_stopped(self) -> None:
        self.check.setEnabled(True)
        self._show_check()

    @Slot()
    def _key_typed(self, *_: object) -> None:
        self.keep.setEnabled(bool(self.key.text()) and self.key.isEnabled())

    @Slot()
    def keep_key(self) -> None:
        """Keep the key that was typed for the address on show; it is not shown again."""
        key = self.key.text()
        self.key.setText("")  # and nothing of it is left to undo
        if not self._key_of or self._key_of != self.values()[URL]:
            self._show_key(False, say("Enter the address of the server first: a key is for one server alone."))
        else:
            self._run_key(partial(work.keep_key, self._key_of, key))

    def _run_key(self, job: Any) -> None:
        self._show_key(False, "", can_keep=False)
        self._shell.run(KEY, job, self._key_known, failed=self._key_failed)

    def _show_key(self, kept: bool, text: str, *, can_keep: bool = True) -> None:
        self.kept.setText(text or say("It goes into this computer\u2019s key store and is not shown again."))
        self.forget.setVisible(kept)
        self._entry.setVisible(not kept)
        self.key.setEnabled(can_keep)
        self._key_typed()

    @Slot(object)
    def _key_known(self, key: KeyState) -> None:
        if key.url != self._key_of:
            return
        text = say("The key is kept in {store}.", store=key.store) if key.kept else ""
        if not key.kept and (key.given or not key.store):
            text = say("This computer has no key store that RadCal uses: a key is used until RadCal is closed.")
        self._show_key(key.kept or key.given, text)
        self._checked = None  # it was asked with another key, or without one
        self._show_check()
        self.looked.emit()

    @Slot(object)
    def _key_failed(self, failure: Failure) -> None:
        self._show_key(False, typographic(failure.text) or failure.technical.splitlines()[0])

    @Slot()
    def _ask_authority(self) -> None:
        ask_open(self, self.authority.accessibleName(), ("PEM (*.pem *.crt *.cer)", "* (*)"), self.take_authority)

    @Slot(str)
    def take_authority(self, path: str) -> None:
        """Enter the path of a certificate authority's file."""
        self.authority.setText(path)
        self.changed.emit()
