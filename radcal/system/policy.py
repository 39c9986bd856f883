"""Machine-wide defaults and locked settings of a hospital's IT, from one file: what everything asks.

The file has two tables: ``[defaults]``, with which a department or a user starts and which they may change, and
``[locked]``, which they may not.  It is read once, when a program starts.  A lock must not be lost by a slip of the pen
or by somebody else's file: a file that cannot be read, is not the administrators' alone, has a name that this RadCal
does not know or a value out of bounds is an error wherever the policy is asked for, so that no program starts.
``docs/policy.md`` is about the file.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from radcal.system.errors import InputError, reason_of
from radcal.system.inputs import reading, toml_of
from radcal.system.settings import SECOND, Settings, check_values
from radcal.system.text import Text
from radcal.system.viewer import Viewer

_ADMINISTRATORS = frozenset([0])
"""The users who may own the file, and all on the way to it, on POSIX systems: root."""
_NAME = re.compile(r"""\s*(?:\w+\s*\.\s*)?["']?(\w+)["']?\s*=""")
"""A line that sets a name; what is written in one of TOML's rarer ways is left out."""
DEFAULTS, LOCKED = "defaults", "locked"


@dataclass(frozen=True, slots=True)
class Workstation:
    """What a policy may set besides a department's :class:`~radcal.system.settings.Settings`, with what holds without
    one.

    language, theme: of the window; empty for those of the system
    scale: size of text and everything else in the window, per cent
    lock_minutes: without input, after which an open workspace is locked; 0 for never
    engines: that may read reports; empty for all
    models_folder: of further models; locked, models from elsewhere are refused, but for the one that ships with RadCal
    backups_folder: empty for beside each workspace
    key_store: whether the system's key store may keep passphrases
    exports_with_names: whether files and lists may give radiologists by name
    viewer_url, viewer_command, viewer_schemes: of the :class:`~radcal.system.viewer.Viewer` that studies are opened in
    cluster: the one that may read reports, tls://HOST:PORT, or 'refused'; empty for whichever is named
    fault_log, fault_log_folder: whether a log of faults is kept, and where; empty for each user's own folder

    Raises:
        InputError: a value is out of bounds or not among the allowed words.
    """

    language: Literal["", "de", "en"] = ""
    theme: Literal["", "contrast", "dark", "light"] = ""
    scale: int = field(default=100, metadata={"low": 100, "high": 300})
    lock_minutes: int = field(default=10, metadata={"low": 0, "high": 1440})
    engines: tuple[str, ...] = ()
    models_folder: str = field(default="", metadata={"path": True})
    backups_folder: str = field(default="", metadata={"path": True})
    key_store: Literal["allowed", "refused"] = "allowed"
    exports_with_names: Literal["allowed", "refused"] = "allowed"
    viewer_url: str = ""
    viewer_command: tuple[str, ...] = ()
    viewer_schemes: tuple[str, ...] = ()
    cluster: str = ""
    fault_log: Literal["on", "off"] = "on"
    fault_log_folder: str = field(default="", metadata={"path": True})

    def __post_init__(self) -> None:
        check_values(self)
        if self.cluster not in ("", "refused") and not self.cluster.startswith("tls://"):
            raise InputError("Setting cluster: write refused, or the address of a scheduler, tls://HOST:PORT.")
        for engine in self.engines:
            Settings(engine=engine)  # type: ignore[arg-type]  # which refuses what is none


_OF_DEPARTMENTS = frozenset(f.name for f in fields(Settings)) - {"version", "study"}
"""Settings that IT may set; what a workspace is about is no such thing."""
_KNOWN = _OF_DEPARTMENTS | {f.name for f in fields(Workstation)}
_PATHS = frozenset(f.name for f in (*fields(Settings), *fields(Workstation)) if f.metadata.get("path"))
"""Names whose values are paths: whole ones, since no program's current folder is known to IT."""


class PolicyFault(InputError):
    """The policy file cannot be used; RadCal does not start."""

    def __init__(self, template: str, **values: Any) -> None:
        end = Text("Until then RadCal does not start, because no lock may be lost.")
        super().__init__("{what} {end}", what=Text(template, **values), end=end)


class SetByPolicy(InputError):
    """Something else was asked for than IT has locked."""


@dataclass(frozen=True)
class Policy:
    """What IT has set on this computer.

    file: None where there is no policy
    defaults, locked: by name, in the types of the settings;  lines: where each stands in the file
    """

    file: Path | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    locked: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def start(self, name: str, without: Any) -> Any:
        """What a setting starts with; ``without`` is what it starts with where there is no policy."""
        return self.locked.get(name, self.defaults.get(name, without))

    def workstation(self, name: str, own: Any = None) -> Any:
        """What holds of a field of :class:`Workstation`: the lock, the user's ``own`` choice, the default, RadCal's."""
        if own is not None and name not in self.locked:
            return own
        return self.start(name, getattr(Workstation(), name))

    def allows(self, engine: str) -> bool:
        """Whether an engine may read reports."""
        allowed = self.workstation("engines")
        return not allowed or engine in allowed

    @property
    def viewer(self) -> Viewer:
        """What studies are opened in."""
        return Viewer(*(self.workstation(name) for name in ("viewer_url", "viewer_command", "viewer_schemes")))

    # --- the settings of departments ---------------------------------------------------------------

    def started(self, chosen: Mapping[str, Any] | None = None) -> Settings:
        """The settings of a department that has none yet, or of a step without one, with those that a person chose.

        Raises:
            SetByPolicy: something that is locked was chosen otherwise.
            InputError: as :meth:`Settings.from_dict`.
        """
        chosen = chosen or {}
        self.refuse(chosen)
        defaults = {name: value for name, value in self.defaults.items() if name in _OF_DEPARTMENTS}
        now = self.in_force(Settings.from_dict({**defaults, **chosen}))
        if now.uses_model_file or "model" in chosen:
            return now
        return now.changed(model="")  # a default for another engine

    def in_force(self, settings: Settings) -> Settings:
        """The settings that hold, of those stored: with every lock; that of a model is one of engines that have one.

        Where a second reader is not allowed, the bundled one takes its place.
        """
        values = {name: value for name, value in self.locked.items() if name in _OF_DEPARTMENTS}
        if not self.allows(values.get("engine", settings.engine)):
            values["engine"] = self.workstation("engines")[0]
        if (beside := _engine_of(values.get("second", settings.second))) and not self.allows(beside):
            values["second"] = "bundled"
        now = settings.changed(**values)
        dropped = not now.uses_model_file and (settings.uses_model_file or "model" in values)
        return now.changed(model="") if dropped else now

    def overrides(self, settings: Settings) -> tuple[str, ...]:
        """The names of stored settings that do not hold while the policy does."""
        now = self.in_force(settings)
        return tuple(f.name for f in fields(Settings) if getattr(now, f.name) != getattr(settings, f.name))

    def to_store(self, settings: Settings, stored: Settings) -> Settings:
        """The settings to be stored: of what is locked, those of before, which hold again without the lock.

        Raises:
            SetByPolicy: something that is locked was changed.
        """
        held, before, wanted = self.in_force(stored).to_dict(), stored.to_dict(), settings.to_dict()
        changed = {name: wanted[name] for name in held if wanted[name] not in (held[name], before[name])}
        self.refuse(changed)
        kept = {name: getattr(stored, name) for name in self.overrides(stored) if name not in changed}
        return settings.changed(**kept)

    def refuse(self, chosen: Mapping[str, Any]) -> None:
        """Refuse settings that a person chose, where IT has locked another value.

        An empty ``model`` is that of engines that have none; for others the lock holds.

        Raises:
            SetByPolicy: naming the setting and the file.
        """
        for name, lock in self.locked.items():
            value = chosen.get(name, lock)
            if (tuple(value) if isinstance(value, list) else value) != lock and (value or name != "model"):
                raise SetByPolicy(
                    "{name} is set by your IT department, to {value}: {place}. Leave it as it is, or ask them.",
                    name=name,
                    value=", ".join(lock) if isinstance(lock, tuple) else lock if lock != "" else "''",
                    place=self.place(name),
                )
        second = chosen.get("second", "bundled")
        for engine in filter(None, (chosen.get("engine"), _engine_of(second))):
            if not self.allows(engine):
                raise SetByPolicy(
                    "Your IT department allows other engines than {engine!r}: {allowed} ({place}). Choose one of "
                    "these, or ask them.",
                    engine=engine,
                    allowed=", ".join(self.workstation("engines")),
                    place=self.place("engines"),
                )
        for model in filter(None, (chosen.get("model"), second if second not in SECOND else "")):
            self.refuse_model(Path(model))

    def why_not(self, **chosen: str) -> str:
        """Why settings are refused, as :meth:`refuse` has it; '' where they are not."""
        try:
            self.refuse(chosen)
        except SetByPolicy as refused:
            return str(refused)
        return ""

    def refuse_model(self, model: Path) -> None:
        """Refuse the file of a model from elsewhere than the folder of models, if that is locked.

        Raises:
            SetByPolicy: it is from elsewhere.
        """
        folder = self.locked.get("models_folder")
        if folder and not Path(os.path.realpath(model)).is_relative_to(os.path.realpath(folder)):  # links resolved
            raise SetByPolicy(
                "Your IT department allows models in {folder} alone ({place}). Choose one of these, or ask them.",
                folder=folder,
                place=self.place("models_folder"),
            )

    def refuse_names(self) -> None:
        """Refuse to give radiologists by name in a file or a list, if IT does.

        Raises:
            SetByPolicy: it does.
        """
        if self.workstation("exports_with_names") == "refused":
            raise SetByPolicy(
                "Your IT department allows no files and lists with the names of radiologists ({place}). Leave the "
                "names out, or ask them.",
                place=self.place("exports_with_names"),
            )

    def wrong(self, name: str, why: str) -> PolicyFault:
        """That what is set under a name cannot be used, with the place; ``why`` says what to write instead."""
        table = LOCKED if name in self.locked else DEFAULTS
        return PolicyFault(
            "{place}: {name} in [{table}]: {why}", place=self.place(name), name=name, table=table, why=why
        )

    def place(self, name: str) -> Text:
        """The file and the line where a setting stands."""
        line = self.lines.get(name, 0)
        return Text("{file}, line {line}", file=self.file, line=line) if line else Text("{file}", file=self.file)


@cache
def in_use() -> Policy:
    """The policy of this computer, as it was when it was first asked for.

    Raises:
        PolicyFault: there is a file, and it cannot be used.
    """
    path = policy_file()
    try:
        os.path.realpath(path, strict=True)
        if sys.platform != "win32":  # there the rights of the folder decide
            _require_administrators(path)
    except OSError as error:
        absent = isinstance(error, FileNotFoundError | NotADirectoryError)
        if absent and not any(step.is_symlink() and not step.exists() for step in (path, *path.parents)):
            return Policy()
        raise PolicyFault(  # a lock may hang behind a link to nothing
            "The policy {file} cannot be read ({reason}). Make it readable for everybody, or take it away.",
            file=path,
            reason=reason_of(error),
        ) from error
    return read_policy(path)


def policy_file() -> Path:
    """Where the policy of this computer is; no variable of the environment changes that, as a user could set it."""
    if sys.platform == "win32":
        return Path(r"C:\ProgramData\RadCal\policy.toml")
    if sys.platform == "darwin":
        return Path("/Library/Application Support/RadCal/policy.toml")
    return Path("/etc/radcal/policy.toml")


def read_policy(path: Path) -> Policy:
    """The policy of a file, whoever owns it.

    Raises:
        PolicyFault: it cannot be read, or is not right; the message names file, line and remedy.
    """
    try:
        with reading(path, str(path)) as file:
            text = file.read().decode("utf-8-sig")
        tables = toml_of(text)
    except InputError as error:
        raise PolicyFault("The policy cannot be used. {error}", error=error.text) from error
    except ValueError as error:
        raise PolicyFault(
            "{file} is no valid TOML in UTF-8: {error}. Mend that line, or take the file away.", file=path, error=error
        ) from None
    for name, table in tables.items():
        if name not in (DEFAULTS, LOCKED) or not isinstance(table, dict):
            raise PolicyFault(
                "{file} has {name!r} outside of its tables. There are two: [defaults] and [locked].",
                file=path,
                name=name,
            )
    lines = {match[1]: n for n, line in enumerate(text.splitlines(), start=1) if (match := _NAME.match(line))}
    defaults, locked = tables.get(DEFAULTS, {}), tables.get(LOCKED, {})
    found = Policy(path, defaults, locked, lines)
    for table in (defaults, locked):
        for name, value in table.items():
            try:
                table[name] = _checked(name, value)
            except InputError as error:
                raise found.wrong(name, error.text) from error
    try:  # whether the locks go together, and the defaults with them
        found.refuse({name: value for name, value in {**locked, **defaults}.items() if value})
    except InputError as error:
        raise PolicyFault("{file} contradicts itself. {error}", file=path, error=error.text) from error
    try:
        found.viewer.check()
    except InputError as error:
        viewer = found.viewer
        name = "viewer_command" if viewer.command else "viewer_url" if viewer.url else "viewer_schemes"
        raise found.wrong(name, error.text) from error
    return found


def _checked(name: str, value: Any) -> Any:
    """A value in the type of its setting.

    Raises:
        InputError: it is not right, or there is no such setting.
    """
    if name not in _KNOWN:
        raise InputError("this RadCal does not know that name. `docs/policy.md` lists those that it knows.")
    found = getattr((Settings if name in _OF_DEPARTMENTS else Workstation)(**{name: value}), name)
    if name in _PATHS and found and found not in SECOND and not (found.isprintable() and Path(found).is_absolute()):
        raise InputError("write the whole path, from the root or the drive on, without control characters.")
    if name == "engines" and not found:
        raise InputError("name one at least; without this line, all may read.")
    return found


def _engine_of(second: str) -> str:
    """The engine that must be allowed where this reads beside the rules; '' for what comes with them."""
    return {"bundled": "", "none": "", "served": "served"}.get(second, "llama")


def _require_administrators(path: Path) -> None:
    """Check that nobody but an administrator can have written a file or can replace it, on POSIX systems.

    Every step on the way is looked at: each link, what it leads to, and all folders above, since whoever may write one
    of them may lead the way elsewhere.  In a folder with the sticky bit, nobody can replace an administrator's folder.

    Raises:
        PolicyFault: somebody else could; the message names the place.
    """
    way = [*reversed(path.parents), path]
    for place, ahead in zip_longest(way, way[1:]):
        found = place.lstat()
        is_link = stat.S_ISLNK(found.st_mode)
        open_to_others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not is_link
        sticky = found.st_mode & stat.S_ISVTX and ahead is not None and stat.S_ISDIR(ahead.lstat().st_mode)
        if found.st_uid not in _ADMINISTRATORS or (open_to_others and not sticky):
            raise PolicyFault(
                "{place} belongs to somebody else than root, or others may write it, so that the policy {file} is "
                "not sure to be IT's. As root: chown -h root {place}; chmod go-w {place}.",
                place=Path(os.path.realpath(place.parent), place.name),
                file=policy_file(),
            )
        if is_link:
            _require_administrators(place.parent / place.readlink())
