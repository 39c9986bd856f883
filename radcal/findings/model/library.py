"""Whether llama.cpp is there: set-up compiles it beside the window, and says in a small file how far it is.

Until then the rules read alone.  Nothing is imported here but the standard library: the window asks every second.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from radcal.system.text import EMPTY, Text

FOLDER, STATE = "llama-build", "state.json"
"""The folder within the environment where set-up (:mod:`tools.setup`) compiles, and its file there."""
_SILENT_AFTER = 30.0
"""Seconds after which a build that has written nothing has ended; a living one writes every second."""
_PHASES = {
    "downloading": Text("downloading its source"),
    "compiling": Text("compiling"),
    "installing": Text("installing"),
}
_CAUSES = {
    "compiler": Text(
        "There is no C++ compiler on this computer. Install one (Debian and Ubuntu: sudo apt-get install g++; "
        "Fedora: sudo dnf install gcc-c++; macOS: xcode-select --install), then start RadCal with: make run"
    ),
    "network": Text("Its source could not be downloaded. Check the network, then start RadCal with: make run"),
    "space": Text("The disk is full. Free 1 GB, then start RadCal with: make run"),
    "memory": Text(
        "This computer has too little free memory to compile it. Close other programs, then start RadCal with: make run"
    ),
}
_OTHER = Text("{log} says why. To try again, start RadCal with: make run")


@dataclass(frozen=True, slots=True)
class Library:
    """The state of llama.cpp in this environment.

    ready: it is installed;  doing: what its build does now, an empty text if there is none
    share: of the build that is done, 0-1;  left: seconds;  both None while unknown
    problem: why it is not there and what to do, if nothing is being built
    """

    ready: bool
    doing: Text = EMPTY
    share: float | None = None
    left: float | None = None
    problem: Text = EMPTY

    @property
    def why_not(self) -> Text:
        """Why nothing can use llama.cpp yet; an empty text if it is there."""
        if self.ready or not self.doing:
            return self.problem
        if self.share is None:
            return Text("llama.cpp is being built ({doing}).", doing=self.doing)
        return Text("llama.cpp is being built ({done:.0f} % done).", done=100 * self.share)


def library(environment: Path | None = None) -> Library:
    """The state now.

    Args:
        environment: the one whose build is looked at; None for that of this process.
    """
    folder = (environment or Path(sys.prefix)) / FOLDER
    build = _build(folder / STATE)
    if getattr(sys, "frozen", False) or (build.get("phase") != "installing" and find_spec("llama_cpp") is not None):
        return Library(ready=True)
    phase = build.get("phase", "")
    if phase in _PHASES and time.time() - build.get("at", 0.0) < _SILENT_AFTER:
        done, total = build.get("done", 0), build.get("total", 0)
        return Library(False, _PHASES[phase], done / total if total else None, build.get("left"))
    if phase == "failed":
        cause = _CAUSES.get(build.get("cause", ""), Text(_OTHER, log=str(folder / "log.txt")))
        return Library(False, problem=Text("llama.cpp could not be built. {cause}", cause=cause))
    return Library(False, problem=Text("llama.cpp is not installed. To build it, start RadCal with: make run"))


def ready() -> bool:
    """Whether llama.cpp can be used now."""
    return library().ready


def _build(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
