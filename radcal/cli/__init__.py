"""``radcal``: the pipeline, and every step of it alone, without a window.

Exit status: 0 done; 1 done, with failures or left-out rows that are listed; 2 unusable input, or nothing
could be done for another reason, which is printed; 130 stopped by the user.

A command is a function that takes its arguments and the progress bar and returns its summary: plain values for
``--json``, a ``text`` for people, and ``failures``, which make the exit status 1.  Its options are declared in
``resources/commands.toml``, which also names its module, imported once the command is chosen.

program      parses a command, runs it, returns the exit status
options      parsers from resources/commands.toml, and the values of options;  settings  --set and --settings
passphrases  from a file, from the environment, or asked for;  bar  progress, and stopping with Ctrl+C
summaries    counts and notes in the text of summaries
lab/         the commands of the other experiments
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from radcal.system.starting import run_stoppable

__all__ = ["main", "start"]


def start() -> int:
    """The program ``radcal``: :func:`main` in a protected process."""

    def protected() -> Callable[[Sequence[str] | None], int]:
        from radcal.system.faults import watch
        from radcal.system.processes import begin

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
