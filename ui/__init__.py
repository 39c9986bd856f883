"""The desktop app: talks to radcal.workflow and draws records."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from radcal.starting import run_stoppable


def start() -> int:
    """The program ``radcal-gui``: opens the window, in a process that is protected first; returns the exit status."""
    return run_stoppable(_app, None)


def _app() -> Callable[[Sequence[str] | None], int]:
    from radcal.faults import watch
    from radcal.processes import begin

    begin()
    from ui.app import main

    watch()
    return main
