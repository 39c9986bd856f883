"""The desktop app: draws the records of radcal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from radcal.system.starting import run_stoppable


def start() -> int:
    """The program ``radcal-gui``: opens the window, in a process that is protected first; returns the exit status."""
    return run_stoppable(_app, None)


def _app() -> Callable[[Sequence[str] | None], int]:
    from radcal.system.faults import watch
    from radcal.system.processes import begin

    begin()
    from ui.app import main

    watch()
    return main
