"""The server that is to read: what is set for it is looked at, the server is asked, its key is kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from ui.pages.extraction import work
from ui.pages.extraction.served_form import URL
from ui.words import say, typographic

if TYPE_CHECKING:
    from ui.pages.extraction.cards import FitCard
    from ui.pages.extraction.served_form import ServedForm
    from ui.pages.extraction.work import KeyState, ServerChecked, ServerLook
    from ui.shell import Shell
    from ui.tasks import Failure

LOOK, CHECK, KEY = "look at server settings", "check the server", "key for the server"
"""The operations in the worker."""


class ServerPart(QObject):
    """Between the form, the card beside it and the worker.

    looked: more is known of whether the server can read
    """

    looked = Signal()

    def __init__(self, shell: Shell, form: ServedForm, card: FitCard) -> None:
        super().__init__(form)
        self._shell, self._form, self._card = shell, form, card
        self._values: Mapping[str, Any] | None = None
        """The unsaved settings on show."""
        self._look: ServerLook | None = None
        self._checked: ServerChecked | None = None
        self._key_of = ""
        """The address whose key is shown."""
        form.check_wanted.connect(self.check)
        form.keep_wanted.connect(self.keep_key)
        form.forget_wanted.connect(self.forget_key)

    # --- what is set -------------------------------------------------------------------------------

    def look(self, values: Mapping[str, Any]) -> None:
        """Look at unsaved settings, without asking the server."""
        self._values, self._look = values, None
        self._shell.run(LOOK, partial(work.look_at_server, values), self._looked)

    @Slot(object)
    def _looked(self, look: ServerLook) -> None:
        self._look = look
        self._form.show_host(look.host)
        # Nothing is wrong yet with what nobody has filled in.
        typed = {name: typographic(fault) for name, fault in look.faults.items() if look.values[name]}
        self._form.show_problems(typed)
        if self._checked is not None and self._is_of(self._checked.values):
            self._show_check()
        else:
            self._card.show_unchecked(look.host)
        self._look_at_key(str(look.values[URL]) if look.host else "")
        self.looked.emit()

    @property
    def host(self) -> str:
        """The server of the settings that were last looked at, '' if they name none."""
        return self._look.host if self._look is not None else ""

    def why_not(self, values: Mapping[str, Any]) -> str:
        """Why reports cannot be read with these unsaved settings; '' if they can, at ``host``, as far as is known."""
        if self._look is None or dict(values) != dict(self._look.values):
            return say("Reading the settings of the server\u2026")
        for fault in self._look.faults.values():
            return typographic(fault)
        if self._checked is not None and self._is_of(self._checked.values) and self._checked.found.problem:
            return typographic(self._checked.found.problem)
        return ""

    # --- what it says ------------------------------------------------------------------------------

    @Slot()
    def check(self) -> None:
        """Ask the server what it is and offers."""
        if self._values is None:
            return
        self._form.check.setEnabled(False)
        self._card.show_text(say("Asking the server\u2026"), host=self.host)
        self._shell.run(
            CHECK,
            partial(work.check, self._values),
            self._check_done,
            title=say("Checking the server"),
            failed=self._check_failed,
            stopped=self._check_stopped,
        )

    @Slot(object)
    def _check_done(self, checked: ServerChecked) -> None:
        self._form.check.setEnabled(True)
        self._checked = checked
        self._form.show_models(checked.found.models)
        if self._is_of(checked.values):
            self._show_check()
        self.looked.emit()

    def _show_check(self) -> None:
        if self._checked is not None:
            self._card.show_check(self._checked.found)

    @Slot(object)
    def _check_failed(self, failure: Failure) -> None:
        self._form.check.setEnabled(True)
        self._card.show_text(typographic(failure.text) or failure.technical.splitlines()[0], error=True, host=self.host)

    @Slot()
    def _check_stopped(self) -> None:
        self._form.check.setEnabled(True)
        self._card.show_unchecked(self.host)

    def _is_of(self, values: Mapping[str, Any]) -> bool:
        """Whether that is what is on show."""
        return self._values is not None and dict(values) == dict(self._values)

    # --- the key -----------------------------------------------------------------------------------

    def _look_at_key(self, url: str) -> None:
        """Look up whether a key for this address is kept, unless that is on show."""
        if url == self._key_of:
            return
        self._key_of = url
        if url:
            self._run_key(partial(work.key_state, url))
        else:
            self._form.show_key(False, "")

    @Slot(str)
    def keep_key(self, key: str) -> None:
        """Keep the key for the address on show; it is not shown again."""
        if not self._key_of or self._key_of != self._form.values()[URL]:
            self._form.show_key(False, say("Enter the address of the server first: a key is for one server alone."))
            return
        self._run_key(partial(work.keep_key, self._key_of, key))

    @Slot()
    def forget_key(self) -> None:
        """Forget the key for the address on show."""
        self._run_key(partial(work.forget_key, self._key_of))

    def _run_key(self, job: Any) -> None:
        self._form.show_key(False, say("Asking the key store\u2026"), can_keep=False)
        self._shell.run(KEY, job, self._key_known, failed=self._key_failed)

    @Slot(object)
    def _key_known(self, key: KeyState) -> None:
        if key.url != self._key_of:
            return
        if key.kept:
            text = say("The key is kept in {store}.", store=key.store)
        elif key.given:
            text = say("The key is used until RadCal is closed.")
        elif not key.store:
            text = say("This computer has no key store that RadCal uses, so a key is used until RadCal is closed.")
        else:
            text = ""
        self._form.show_key(key.kept or key.given, text)
        self._checked = None  # it was asked with another key, or without one
        if self._look is not None:
            self._card.show_unchecked(self._look.host)
            self.looked.emit()

    @Slot(object)
    def _key_failed(self, failure: Failure) -> None:
        self._form.show_key(False, typographic(failure.text) or failure.technical.splitlines()[0])
