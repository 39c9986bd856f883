"""``radcal update`` and ``radcal rollback``: workspaces brought up to date unattended, and going back."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from radcal.cli.options import PASSPHRASE, WORKSPACE, Step, add_file
from radcal.cli.passphrases import passphrase
from radcal.cli.summaries import Summary, counted
from radcal.errors import InputError
from radcal.exports import WORKSPACE_SUFFIX
from radcal.progress import Progress
from radcal.records import RolledBack, UpdateCopy, Updated, UpdatePlan
from radcal.text import Text

PassphraseOf = Callable[[Path], str]
"""The passphrase of a workspace."""


_MOST_NAMED = 12


def update_options(step: Step) -> None:
    """Options of `radcal update`."""
    step.explain(
        "Of each a copy is kept beside it, byte for byte and read to its last page; then the file is changed in one "
        "transaction, or not at all, and read to its last page, too. Opening a workspace does the same. Exit status: 0 "
        "all are up to date, 1 some could not be brought up to date and are listed, 2 none is."
    )
    add_file(step, "workspaces", "W", "workspaces, or folders that hold them", nargs="+")
    step.add_argument(
        "--check",
        action="store_true",
        help="change nothing, and say of each: its schema and the new one, its size, the room needed and the name of "
        "the copy; exit status 1 where one cannot be looked at or changed, or has no room",
    )
    step.add_argument(
        "--accept",
        action="store_true",
        help="the update is accepted: remove the copies that were kept, once all of the workspace can be read",
    )
    step.take(PASSPHRASE)


def rollback_options(step: Step) -> None:
    """Options of `radcal rollback`."""
    step.explain(
        "For the RadCal before: puts the copy that the update kept in the workspace's place, byte for byte. The newer "
        "file is kept under another name, and what was entered in its audit log since is told. Nobody may have the "
        "workspace open."
    )
    add_file(step, "--copy", "COPY.radcal", "the copy; else the latest one beside the workspace")
    step.take(WORKSPACE, PASSPHRASE)


def update(args: argparse.Namespace, bar: Progress) -> Summary:
    """Bring workspaces up to date, say what that would do, or remove the copies that it kept."""
    if args.check and args.accept:
        raise InputError("Use --check or --accept, not both.")
    of = _passphrases(args)
    if args.check:
        return check_updates(args.workspaces, of, progress=bar)
    if args.accept:
        return accept_updates(args.workspaces, of, progress=bar)
    return update_workspaces(args.workspaces, of, progress=bar)


def _passphrases(args: argparse.Namespace) -> Callable[[Path], str]:
    """The passphrase of each workspace: from the key store its own, else one for all, asked for once."""
    if args.key_store:
        return lambda path: passphrase(argparse.Namespace(**{**vars(args), "workspace": path}), new=False)
    one = cache(lambda: passphrase(args, new=False))
    return lambda _path: one()


def _size(n: int) -> str:
    return f"{n / 1e6:,.1f} MB"


def workspaces_in(places: Sequence[Path]) -> list[Path]:
    """The workspaces named, and those in the folders named and below, each once; no backups, no copies put aside.

    Raises:
        InputError: a place is not there, or a folder holds no workspace.
    """
    found: dict[Path, Path] = {}
    for place in places:
        held = list(_below(place)) if place.is_dir() else [place]
        if not held:
            raise InputError("There is no workspace (*{suffix}) in {folder}.", suffix=WORKSPACE_SUFFIX, folder=place)
        if not place.exists():
            raise InputError("There is no file {path}. Check the name.", path=place)
        found = {**{path.resolve(): path for path in reversed(held)}, **found}
    return sorted(found.values())


def _below(folder: Path) -> Iterator[Path]:
    from radcal.workspace import is_earlier_state

    for path in sorted(folder.rglob(f"*{WORKSPACE_SUFFIX}")):
        hidden = any(part.startswith(".") or part.endswith(".backups") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and not is_earlier_state(path):
            yield path


def check_updates(places: Sequence[Path], passphrase: PassphraseOf, progress: Progress) -> Summary:
    """What this RadCal would do with workspaces when it opens them for writing; nothing is changed.

    Returns:
        The summary: workspaces (file, due, schema, target, written_by, bytes, needed, free, changeable, copy, copies),
        ``failures`` (in
        sentences: those that cannot be looked at or changed, or have no room), and ``text``.

    Raises:
        InputError: none can be looked at.
        Cancelled: by ``progress``.
    """
    from radcal.workspace import plan_of

    plans: list[UpdatePlan] = []
    failures: list[str] = []
    paths = workspaces_in(places)
    progress.start(len(paths), Text("Looking at workspaces"))
    for path in paths:
        progress.raise_if_cancelled()
        try:
            plan = plan_of(path, passphrase(path))
        except InputError as error:
            failures.append(f"{path}: {error}")
        else:
            plans.append(plan)
            if not plan.fits:
                failures.append(
                    f"{path}: there is no room for the update: it needs up to {_size(plan.needed)}, and "
                    f"{path.parent} has {_size(plan.free)}. Free some space there."
                )
            elif plan.is_due and not plan.changeable:
                failures.append(f"{path}: it, or its folder, may not be changed here. Update it where it may be.")
        progress.advance()
    _require_some(plans, failures)
    lines = [*map(_planned, plans), *failures]
    return {"workspaces": [_plan_as_plain(plan) for plan in plans], "failures": failures, "text": "\n".join(lines)}


def _planned(plan: UpdatePlan) -> str:
    kept = "".join(f"\n  kept from an earlier update: {copy.path.name} ({_size(copy.size)})" for copy in plan.copies)
    if not plan.is_due:
        return f"{plan.path} is up to date (schema {plan.schema}, {_size(plan.size)}).{kept}"
    return (
        f"{plan.path} would be brought from schema {plan.schema} to {plan.target} ({_size(plan.size)}; written by "
        f"RadCal {plan.written_by or 'unknown'}). Needed: up to {_size(plan.needed)}; free: {_size(plan.free)}. A copy "
        f"of it would be kept as {plan.copy.name if plan.copy else ''}.{kept}"
    )


def _plan_as_plain(plan: UpdatePlan) -> Summary:
    return {
        "file": str(plan.path),
        "due": plan.is_due,
        "schema": plan.schema,
        "target": plan.target,
        "written_by": plan.written_by,
        "bytes": plan.size,
        "needed": plan.needed,
        "free": plan.free,
        "changeable": plan.changeable,
        "copy": None if plan.copy is None else str(plan.copy),
        "copies": [_copy_as_plain(copy) for copy in plan.copies],
    }


def _copy_as_plain(copy: UpdateCopy) -> Summary:
    made = None if copy.made is None else copy.made.isoformat(timespec="seconds")
    return {"file": str(copy.path), "schema": copy.schema, "made": made, "bytes": copy.size}


def update_workspaces(places: Sequence[Path], passphrase: PassphraseOf, progress: Progress) -> Summary:
    """Bring workspaces up to date one after the other, each with a copy kept beside it, and read each to its last page.

    Returns:
        The summary: updated (file, from_schema, to_schema, copy), current (files that were up to date), ``failures``
        (in sentences), and ``text``.

    Raises:
        InputError: not one of them is up to date now.
        Cancelled: by ``progress``; those already done stay so.
    """
    from radcal.workspace import Workspace, telling_updates

    updated: list[Updated] = []
    current: list[Path] = []
    failures: list[str] = []
    for path in workspaces_in(places):
        progress.raise_if_cancelled()
        before = len(updated)
        try:
            given = passphrase(path)
            with telling_updates(updated.append):
                Workspace.open(path, given, progress=progress).close()
            wrong = Workspace.check(path, given, progress) if len(updated) > before else ()
        except InputError as error:
            failures.append(f"{path}: {error}")
            continue
        if wrong:
            failures.append(
                f"{path}: {' '.join(wrong)} {updated[-1].copy.name} is the file as it was: `radcal rollback`."
            )
        elif len(updated) == before:
            current.append(path)
    _require_some([*updated, *current], failures)
    lines = [*map(told, updated), *(f"{path} was up to date." for path in current), *failures]
    return {
        "updated": [
            {"file": str(u.path), "from_schema": u.before, "to_schema": u.after, "copy": str(u.copy)} for u in updated
        ],
        "current": [str(path) for path in current],
        "failures": failures,
        "text": "\n".join(lines),
    }


def told(updated: Updated) -> str:
    """An update in a sentence."""
    return (
        f"{updated.path} was brought from schema {updated.before} to {updated.after}; the file as it was is kept "
        f"beside it as {updated.copy.name}."
    )


def _require_some(done: Sequence[object], failures: Sequence[str]) -> None:
    if not done:
        raise InputError("\n".join(failures))


def accept_updates(places: Sequence[Path], passphrase: PassphraseOf, progress: Progress) -> Summary:
    """Remove the copies that updates kept, of workspaces that are up to date and can be read to their last page.

    Returns:
        The summary: removed (file, schema, made, bytes), ``failures`` (in sentences), and ``text``.

    Raises:
        InputError: not one of the workspaces can be opened and read.
        Cancelled: by ``progress``.
    """
    from radcal.workspace import accept

    removed: list[UpdateCopy] = []
    failures: list[str] = []
    lines: list[str] = []
    for path in workspaces_in(places):
        try:
            found = accept(path, passphrase(path), progress)
        except InputError as error:
            failures.append(f"{path}: {error}")
            continue
        removed += found
        freed = f", {_size(sum(copy.size for copy in found))} in all" if found else ""
        lines.append(f"{path}: {counted(len(found), 'copy', 'copies')} removed{freed}.")
    _require_some(lines, failures)
    plain = [_copy_as_plain(copy) for copy in removed]
    return {"removed": plain, "failures": failures, "text": "\n".join([*lines, *failures])}


def rollback(args: argparse.Namespace, bar: Progress) -> Summary:
    """Put the copy made before an update in the place of a workspace, for the RadCal before.

    Returns:
        The summary: file, copy, from_schema, to_schema, kept_aside, since (entries of the audit log since the copy, by
        what they say; null if they cannot be read), entered, and ``text``.

    Raises:
        WorkspaceError: nothing was changed; the class tells why.
        Cancelled: by the user; nothing was changed.
    """
    from radcal.workspace import roll_back

    back = roll_back(args.workspace, passphrase(args, new=False), args.copy, bar)
    return {
        "file": str(back.path),
        "copy": str(back.copy),
        "from_schema": back.after or None,
        "to_schema": back.before,
        "kept_aside": str(back.aside),
        "since": None if back.since is None else dict(back.since),
        "entered": back.entered,
        "text": "\n".join(_rolled_back(back)),
    }


def _rolled_back(back: RolledBack) -> Iterator[str]:
    yield f"{back.path} is again, byte for byte, what it was before the update (schema {back.before})."
    yield f"The newer file is kept as {back.aside}; nothing in it is lost, and a newer RadCal opens it."
    if back.since is None:
        yield (
            "What was entered in it since the update cannot be read here: open it with the newer RadCal before you "
            "rely on the older state."
        )
    elif not back.since:
        yield "Nothing was entered in it since the update."
    else:
        n = sum(back.since.values())
        made = counted(n, "entry was", "entries were")
        yield f"Since the update, {made} made in its audit log, which the older state lacks:"
        listed = sorted(back.since.items(), key=lambda entry: (-entry[1], entry[0]))
        for what, times in listed[:_MOST_NAMED]:
            yield f"  {times:>5,}  {what}"
        if len(listed) > _MOST_NAMED:
            yield f"  and {len(listed) - _MOST_NAMED:,} further kinds"
    if not back.entered:
        yield "The roll-back is not in the newer file's audit log, which this RadCal does not write."
