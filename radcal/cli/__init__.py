"""``radcal``: the pipeline, and every step of it alone, without a window.

Exit status: 0 done; 1 done, with failures or left-out rows that are listed; 2 unusable input, or nothing
could be done for another reason, which is printed; 130 stopped by the user.

program      one command from its words to its exit status
grammar      every step with its options;  options  those that several steps share
values       what is typed behind an option, as the value that it means
steps        what each step does;  keeping  those that keep a workspace safe
settings     the settings and the days that the options choose
passphrases  from a file, from the environment, or asked for
bar          how long work goes on, and the stop that its user asks for
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from radcal.starting import run_stoppable

__all__ = ["main", "start"]


def start() -> int:
    """The program ``radcal``: :func:`main` in a process that is protected first."""

    def protected() -> Callable[[Sequence[str] | None], int]:
        from radcal.processes import begin

        begin()
        return _program()

    return run_stoppable(protected, None)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one step; returns the exit status."""
    return run_stoppable(_program, argv)


def _program() -> Callable[[Sequence[str] | None], int]:
    from radcal.cli.program import main as run

    return run
