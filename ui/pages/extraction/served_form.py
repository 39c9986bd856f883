"""The unsaved options of reading at a server of the hospital: where it is, what reads there, and the key to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from ui.kit.action import enable, push_button
from ui.kit.files import ask_open
from ui.kit.form import secret_field
from ui.kit.layout import hbox, panel, vbox
from ui.kit.text import caption, show_text, wrapped
from ui.pages.extraction.options import INDENT, beside, whole_field
from ui.words import say

_FIELD = 520
"""Maximum width of an option, so that its value stays near its name."""
URL, MODEL, AUTHORITY = "served_url", "served_model", "served_ca"


def _about_key() -> str:
    return say("It goes into the key store of this computer, not into the workspace, and is not shown again.")


class ServedForm(QWidget):
    """A form with one option per row; below each what is wrong with it, if anything is.

    changed: the user changed an option;  check_wanted: the server is to be asked what it offers
    keep_wanted: the key that was typed is to be kept;  forget_wanted: the kept one is to be forgotten
    off_wanted: reports are not to be read at the server any more
    ``rows``: the fields, each with its purpose
    """

    changed, check_wanted, forget_wanted, off_wanted = Signal(), Signal(), Signal(), Signal()
    keep_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[QWidget, str]] = []
        self.problems: dict[str, QLabel] = {}
        # Not a form layout, which cuts texts of several lines.
        self._form = QGridLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setColumnStretch(1, 1)
        self.where = wrapped()
        self._add_server()
        self._add_key()
        self._add_limits()
        self.check = push_button(say("&Check the server"), self.check_wanted)
        self.check.setToolTip(say("Asks which models it offers and tries a made-up sentence; no report is sent."))
        self.off = push_button(say("Switch it off"), self.off_wanted)
        self.off.setToolTip(say("The rules read from now on; results stay as they are, and nothing is lost."))
        self.off.hide()
        row = hbox(self.check, self.off, None)
        vbox(self.where, self._form, row, parent=self, margins=(INDENT, 4, 0, 4))
        self.show_host("")

    # --- building ----------------------------------------------------------------------------------

    def _add_server(self) -> None:
        self.url = QLineEdit(placeholderText="https://llm.hospital.example/v1")
        self.url.editingFinished.connect(self.changed)
        self.model = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.model.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the page
        self.model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.model.setMinimumContentsLength(12)
        if (line := self.model.lineEdit()) is not None:
            line.setPlaceholderText(say("as the server calls it"))
            line.editingFinished.connect(self.changed)
        self.model.activated.connect(self.changed)
        self.authority = QLineEdit(placeholderText=say("those that this computer trusts"))
        self.authority.editingFinished.connect(self.changed)
        tip = say("Choose the file of the certificate authority")
        self.browse = push_button(say("Browse\u2026"), self._ask_authority, tip=tip)
        self._add(
            say("A&ddress"),
            self.url,
            say("From your hospital\u2019s IT: https://, or http:// for a server on this computer."),
            URL,
        )
        self._add(
            say("&Model"),
            self.model,
            say("Check the server to choose from the models that it offers, or type the name of one."),
            MODEL,
            told=False,
        )
        self._add(
            say("Certificate &authority"),
            self.authority,
            say("A PEM file, if the hospital certifies its servers itself; ask its IT for it."),
            AUTHORITY,
            beside(self.authority, self.browse),
        )

    def _add_key(self) -> None:
        self.key = secret_field()
        self.key.setPlaceholderText(say("if the server asks for one"))
        self.key.textChanged.connect(self._key_typed)
        self.keep = push_button(say("Keep it"), self._keep)
        self.keep.setAccessibleName(say("Keep the key"))
        self._entry = beside(self.key, self.keep)
        self.kept = wrapped(role="muted")
        self.forget = push_button(say("Forget the key"), self.forget_wanted)
        cell = panel(vbox(self._entry, hbox((self.kept, 1), self.forget), spacing=2))
        self._add(say("&Key"), self.key, _about_key(), "", cell, told=False)
        self.show_key(False, "")

    def _add_limits(self) -> None:
        self.parallel = whole_field("served_parallel")
        self.seconds = whole_field("served_seconds", step=10, unit=say(" s"))
        for box in (self.parallel, self.seconds):
            box.setKeyboardTracking(False)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            box.valueChanged.connect(self.changed)
        self._add(
            say("Re&quests at once"),
            self.parallel,
            say("More are faster as long as the server has room for them; the results are the same."),
            told=False,
        )
        self._add(
            say("Longest time &for a report"),
            self.seconds,
            say("With all tries. A report that takes longer is set aside and listed under Not read."),
            told=False,
        )

    def _add(
        self,
        text: str,
        field: QWidget,
        why: str,
        setting: str = "",
        cell: QWidget | None = None,
        *,
        told: bool = True,
    ) -> None:
        """Add a row; ``told``: what it is for stands below it, and not in the tooltip alone."""
        name = caption(text, field)
        for shown in (name, field):
            shown.setToolTip(why)
        field.setAccessibleName(text.replace("&", ""))
        problem = wrapped(role="error")
        problem.hide()
        if setting:
            self.problems[setting] = problem
        about = (wrapped(why, role="muted"),) if told else ()
        whole = panel(vbox(cell if cell is not None else field, problem, *about, spacing=2))
        whole.setMaximumWidth(_FIELD)
        name.setContentsMargins(0, 6, 0, 0)
        self._form.addWidget(name, len(self.rows), 0, Qt.AlignmentFlag.AlignTop)
        self._form.addWidget(whole, len(self.rows), 1)
        self.rows.append((field, why))

    # --- the options -------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        """The options shown, as settings by name."""
        return {
            URL: self.url.text().strip(),
            MODEL: self.model.currentText().strip(),
            AUTHORITY: self.authority.text().strip(),
            "served_parallel": self.parallel.value(),
            "served_seconds": float(self.seconds.value()),
        }

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show settings without a signal."""
        blockers = [QSignalBlocker(field) for field in (self.url, self.model, self.authority)]
        blockers += [QSignalBlocker(box) for box in (self.parallel, self.seconds)]
        self.url.setText(values[URL])
        self.url.setCursorPosition(0)
        self.model.setCurrentText(values[MODEL])
        self.authority.setText(values[AUTHORITY])
        self.parallel.setValue(values["served_parallel"])
        self.seconds.setValue(round(values["served_seconds"]))
        del blockers

    def show_host(self, host: str) -> None:
        """Say where reports go; '' while the address is none."""
        self.where.setText(
            say("Reports are sent to {host} and nowhere else.", host=host)
            if host
            else say("Reports are sent to this one server and nowhere else.")
        )

    def show_on(self, on: bool) -> None:
        """Whether reading at a server is switched on, and can be switched off."""
        self.off.setVisible(on)

    def show_problems(self, problems: Mapping[str, str]) -> None:
        """Say below each field what is wrong with it, by setting; a field without an entry is as it should be."""
        for setting, shown in self.problems.items():
            show_text(shown, problems.get(setting, ""))

    def show_models(self, models: Sequence[str]) -> None:
        """Offer these models; what was typed stays."""
        typed = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItems(list(models))
            self.model.setCurrentText(typed)

    def show_key(self, kept: bool, text: str, *, can_keep: bool = True) -> None:
        """Whether a key for this server is kept, and what is to be said of that."""
        self.kept.setText(text or _about_key())
        self.forget.setVisible(kept)
        self._entry.setVisible(not kept)
        self.key.setEnabled(can_keep)
        self._key_typed()

    @Slot()
    def _key_typed(self, *_: object) -> None:
        enable(self.keep, "" if self.key.text() and self.key.isEnabled() else say("Type the key first."))

    @Slot()
    def _keep(self) -> None:
        key = self.key.text()
        self.key.setText("")  # and nothing of it is left to undo
        self.keep_wanted.emit(key)

    @Slot()
    def _ask_authority(self) -> None:
        kinds = (say("Certificates (*.pem *.crt *.cer)"), say("All files (*)"))
        ask_open(self, say("Choose the file of the certificate authority"), kinds, self.take_authority)

    @Slot(str)
    def take_authority(self, path: str) -> None:
        """Enter the path of a certificate authority's file."""
        self.authority.setText(path)
        self.changed.emit()
