"""``radcal``: the pipeline, and every step of it alone, without a window.

Exit status: 0 done; 1 done, with failures or left-out rows that are listed; 2 unusable input, or nothing
could be done for another reason, which is printed; 130 stopped by the user.

program      parses one command, runs it, returns the exit status
grammar      every step and its options;  options  options shared by several steps
values       parsers of option values
steps        the functions behind the steps;  keeping  those about backups and the audit log
installed    those for whoever installs RadCal
settings     settings and dates chosen by options
passphrases  from a file, from the environment, or asked for
bar          progress bar, and stopping with Ctrl+C
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from radcal.starting import run_stoppable

__all__ = ["main", "start"]


def start() -> int:
    """The program ``radcal``: :func:`main` in a protected process."""

    def protected() -> Callable[[Sequence[str] | None], int]:
        from radcal.faults import watch
        from radcal.processes import begin

        begin()
        program = _program()
        watch()
        return program

    return run_stoppable(protected, None)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one step; returns the exit status."""
    return run_stoppable(_program, argv)


def _program() -> Callable[[Sequence[str] | None], int]:
    from radcal.cli.program import main as run

    return run
