"""Whether what is to read can do so: on this computer, or at a server as it says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from ui.kit.layout import vbox
from ui.kit.text import show_text, tell, wrapped
from ui.sentences import BUNDLED, served_name
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.findings.engines import EngineFit
    from radcal.findings.served.server import ServerCheck
    from ui.tasks import Failure


class Verdict(QFrame):
    """Says so, and what that rests on."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.text, self.reasons = wrapped(), wrapped(role="muted")
        vbox(self.text, self.reasons, parent=self, margins=(16, 12, 16, 12), spacing=4)
        self.show_text("")

    def show_text(self, text: str, *, error: bool = False, reasons: str = "") -> None:
        """Show a text, and what it rests on."""
        tell(self.text, text, error=error)
        show_text(self.reasons, reasons)

    def show_failure(self, failure: Failure) -> None:
        """Say why it is not known."""
        self.show_text(typographic(failure.text) or failure.technical.splitlines()[0], error=True)

    def show_fit(self, fit: EngineFit) -> None:
        """Show whether an engine would run here, or why it cannot."""
        text = say("{model} fits this computer.", model=served_name(fit.model))
        if fit.problem:
            text = typographic(fit.problem)
        elif fit.engine == "rules" and not fit.model:
            text = say("Runs everywhere: no model, hardly any memory.")
        # Nobody has to choose the options of what ships.
        told = (fit.unverified, *(fit.reasons if fit.model != BUNDLED else ()))
        self.show_text(text, error=bool(fit.problem), reasons="\n".join(typographic(part) for part in told if part))

    def show_check(self, check: ServerCheck) -> None:
        """What the server answered, or why it cannot read."""
        unchosen = check.reachable and not check.model
        text = say("The server answers, and {model} reads there.", model=check.model)
        if unchosen:
            text = say("The server answers. Choose one of its models.")
        elif check.problem:
            text = typographic(check.problem)
        said = "\n".join(typographic(sentence) for sentence in check.sentences if sentence != check.problem)
        self.show_text(text, error=bool(check.problem) and not unchosen, reasons=said)
