"""The desktop app: talks to radcal.workflow and draws records."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from radcal.starting import run_stoppable


def main(argv: Sequence[str] | None = None) -> int:
    """Open RadCal's window; returns the exit status."""
    return run_stoppable(_app, argv)


def _app() -> Callable[[Sequence[str] | None], int]:
    from ui.app import main as run

    return run
