"""Machine-wide defaults and locked settings of a hospital's IT, from one file: what everything asks.

The file has two tables: ``[defaults]``, with which a department or a user starts and which they may change, and
``[locked]``, which they may not.  It is read once, when a program starts.  A lock must not be lost by a slip of the pen
or by somebody else's file: a file that cannot be read, is not the administrators' alone, has a name that this RadCal
does not know or a value out of bounds is an error wherever the policy is asked for, so that no program starts.
``docs/policy.md`` is about the file.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal

from radcal.system.errors import InputError, reason_of
from radcal.system.inputs import toml_of
from radcal.system.settings import Settings, check_values
from radcal.system.text import Text, either

_MOST_BYTES = 1 << 20
_ADMINISTRATORS = frozenset([0])
"""The users who may own the file, and all on the way to it, on POSIX systems: root."""
_MOST_LINKS = 40
_NAME = re.compile(r"""\s*(?:\w+\s*\.\s*)?["']?(\w+)["']?\s*=""")
"""A line that sets a name; what is written in one of TOML's rarer ways is left out."""
DEFAULTS, LOCKED = "defaults", "locked"
_FOLDERS_AND_FILES = frozenset(
    [
        *("model", "lexicon_dir", "llama_prompts", "served_ca"),
        *("models_folder", "backups_folder", "fault_log_folder"),
    ]
)
"""Names whose values are paths: whole ones, since no program's current folder is known to IT."""


def _meant(default: Any, meaning: str, **more: Any) -> Any:
    return field(default=default, metadata={"meaning": meaning, **more})


@dataclass(frozen=True, slots=True)
class Workstation:
    """What a policy may set besides a department's :class:`~radcal.system.settings.Settings`, with what holds without
    one.

    Raises:
        InputError: a value is out of bounds or not among the allowed words.
    """

    language: Literal["", "de", "en"] = _meant("", "language of the window; empty for that of the system")
    theme: Literal["", "contrast", "dark", "light"] = _meant("", "look of the window; empty for that of the system")
    scale: int = _meant(100, "size of text and everything else in the window, per cent", low=100, high=300)
    lock_minutes: int = _meant(
        10, "minutes without input after which an open workspace is locked; 0 for never", low=0, high=1440
    )
    engines: tuple[str, ...] = _meant((), "engines that may read reports; empty for all; can be locked alone")
    models_folder: str = _meant(
        "",
        "folder of further models; locked: models from elsewhere are refused, but for the one that ships with RadCal",
    )
    backups_folder: str = _meant("", "folder of the backups; empty for beside each workspace")
    key_store: Literal["allowed", "refused"] = _meant("allowed", "whether the system's key store may keep passphrases")
    exports_with_names: Literal["allowed", "refused"] = _meant(
        "allowed", "whether files and lists may give radiologists by name"
    )
    fault_log: Literal["on", "off"] = _meant("on", "whether a log of faults is kept")
    fault_log_folder: str = _meant("", "folder of the logs of faults; empty for each user's own")

    def __post_init__(self) -> None:
        check_values(self)


_OF_DEPARTMENTS = tuple(f.name for f in fields(Settings) if f.name != "version")
_OF_WORKSTATIONS = tuple(f.name for f in fields(Workstation))
_LOCKED_ALONE = frozenset({"engines", "key_store", "exports_with_names", "fault_log", "fault_log_folder"})
"""What nobody but IT can choose, so that a default would say nothing."""


_NOT_STARTED = Text("Until then RadCal does not start, because no lock may be lost.")


class PolicyFault(InputError):
    """The policy file cannot be used; RadCal does not start."""

    def __init__(self, template: str, **values: Any) -> None:
        super().__init__("{what} {end}", what=Text(template, **values), end=_NOT_STARTED)


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

    def is_locked(self, name: str) -> bool:
        """Whether a setting is IT's to choose."""
        return name in self.locked

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

    # --- the settings of departments ---------------------------------------------------------------

    def started(self, chosen: Mapping[str, Any] | None = None) -> Settings:
        """The settings of a department that has none yet, or of a step without one.

        Args:
            chosen: by name, as a person chose them.

        Raises:
            SetByPolicy: something that is locked was chosen otherwise.
            InputError: as :meth:`Settings.from_dict`.
        """
        chosen = chosen or {}
        self.refuse(chosen)
        begins = {name: value for name, value in self.defaults.items() if name in _OF_DEPARTMENTS}
        begun = self.in_force(Settings.from_dict({**begins, **chosen}))
        if begun.uses_model_file or "model" in chosen:
            return begun
        return begun.changed(model="")  # a default for another engine

    def in_force(self, settings: Settings) -> Settings:
        """The settings that hold, of those stored: with every lock; that of a model is one of engines that have one.

        Where no server may read, a cascade asks none either.
        """
        values = {name: value for name, value in self.locked.items() if name in _OF_DEPARTMENTS}
        engine = values.get("engine", settings.engine)
        if not self.allows(engine):
            engine = values["engine"] = self.workstation("engines")[0]
        if values.get("cascade_second", settings.cascade_second) == "served" and not self.allows("served"):
            values["cascade_second"] = "llama"
        if not values:
            return settings
        now = settings.changed(**values)
        others = (now.engine, now.cascade_second) != (settings.engine, settings.cascade_second)
        return now.changed(model="") if not now.uses_model_file and (others or "model" in values) else now

    def overrides(self, settings: Settings) -> tuple[str, ...]:
        """The names of stored settings that do not hold while the policy does."""
        now = self.in_force(settings)
        return tuple(name for name in _OF_DEPARTMENTS if getattr(now, name) != getattr(settings, name))

    def to_store(self, settings: Settings, stored: Settings) -> Settings:
        """The settings to be stored: of what is locked, those of before, which hold again without the lock.

        Raises:
            SetByPolicy: something that is locked was changed.
        """
        held, before, wanted = self.in_force(stored).to_dict(), stored.to_dict(), settings.to_dict()
        changed = {name: wanted[name] for name in held if wanted[name] not in (held[name], before[name])}
        self.refuse(changed)
        kept = {name: getattr(stored, name) for name in self.overrides(stored) if name not in changed}
        return settings.changed(**kept) if kept else settings

    def refuse(self, chosen: Mapping[str, Any]) -> None:
        """Refuse settings that a person chose, where IT has locked another value.

        Raises:
            SetByPolicy: naming the setting and the file.
        """
        for name, value in chosen.items():
            if name not in self.locked:
                continue
            if name == "model" and not value and not _uses_model_file(chosen):
                continue
            lock = self.locked[name]
            if (tuple(value) if isinstance(value, list) else value) != lock:
                raise SetByPolicy(
                    "{name} is set by your IT department, to {value}: {place}. Leave it as it is, or ask them.",
                    name=name,
                    value=_shown(lock),
                    place=self.place(name),
                )
        reading = [chosen["engine"]] if chosen.get("engine") is not None else []
        if chosen.get("cascade_second") == "served":
            reading.append("served")
        for engine in reading:
            if not self.allows(engine):
                raise SetByPolicy(
                    "Your IT department allows other engines than {engine!r}: {allowed} ({place}). Choose one of "
                    "these, or ask them.",
                    engine=engine,
                    allowed=", ".join(self.workstation("engines")),
                    place=self.place("engines"),
                )
        if model := chosen.get("model"):
            self.refuse_model(Path(model))

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
        path.lstat()
    except (FileNotFoundError, NotADirectoryError) as error:
        if any(folder.is_symlink() and not folder.exists() for folder in path.parents):
            raise _unreadable(path, error) from error  # a lock may hang behind the link
        return Policy()
    except OSError as error:
        raise _unreadable(path, error) from error
    _require_trusted(path)
    return read_policy(path)


def policy_file() -> Path:
    """Where the policy of this computer is; no variable of the environment changes that, as a user could set it."""
    if sys.platform == "win32":
        return _program_data() / "RadCal" / "policy.toml"
    if sys.platform == "darwin":
        return Path("/Library/Application Support/RadCal/policy.toml")
    return Path("/etc/radcal/policy.toml")


def read_policy(path: Path) -> Policy:
    """The policy of a file, whoever owns it.

    Raises:
        PolicyFault: it cannot be read, or is not right; the message names file, line and remedy.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise PolicyFault("{file} is longer than a policy can be. Name the right file.", file=path)
        text = data.decode("utf-8-sig")
        tables = toml_of(text)
    except OSError as error:
        raise _unreadable(path, error) from error
    except UnicodeDecodeError:
        raise PolicyFault("{file} is no text in UTF-8. Save it as such.", file=path) from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyFault(
            "{file} is no valid TOML: {error}. Mend that line, or take the file away.", file=path, error=error
        ) from None
    for name, table in tables.items():
        if name not in (DEFAULTS, LOCKED) or not isinstance(table, dict):
            raise PolicyFault(
                "{file} has {name!r} outside of its tables. There are two: [defaults] and [locked].",
                file=path,
                name=name,
            )
    lines = {match[1]: n for n, line in enumerate(text.splitlines(), start=1) if (match := _NAME.match(line))}
    raw = Policy(path, tables.get(DEFAULTS, {}), tables.get(LOCKED, {}), lines)
    found = Policy(path, _checked(raw, raw.defaults), _checked(raw, raw.locked), lines)
    try:  # whether the locks go together, and the defaults with them
        found.started()
        starts = {name: value for name, value in raw.defaults.items() if name in _OF_DEPARTMENTS}
        found.refuse({name: value for name, value in {**found.locked, **starts}.items() if value})
    except InputError as error:
        raise PolicyFault("{file} contradicts itself. {error}", file=path, error=error.text) from error
    return found


def _checked(raw: Policy, table: Mapping[str, Any]) -> dict[str, Any]:
    """The values of one of the policy's tables in the types of the settings."""
    values: dict[str, Any] = {}
    for name, value in table.items():
        try:
            values[name] = _value(name, value)
            if table is raw.defaults:
                _require_default(name, raw)
        except InputError as error:
            raise raw.wrong(name, error.text) from error
    return values


def _require_default(name: str, raw: Policy) -> None:
    if name in _LOCKED_ALONE:
        raise InputError("nobody could change it, so it belongs to [locked].")
    if name in raw.locked:
        raise InputError("it has a default as well. Take one of both away.")


def _value(name: str, value: Any) -> Any:
    """A value in the type of its setting.

    Raises:
        InputError: it is not right, or there is no such setting.
    """
    known = (*_OF_DEPARTMENTS, *_OF_WORKSTATIONS)
    if name not in known:
        if near := get_close_matches(name, known):
            raise InputError("this RadCal does not know that name. Did you mean {known}?", known=either(near))
        raise InputError("this RadCal does not know that name. `docs/policy.md` lists those that it knows.")
    found = getattr((Settings if name in _OF_DEPARTMENTS else Workstation)(**{name: value}), name)
    if name in _FOLDERS_AND_FILES and not found.isprintable():
        raise InputError("it has a control character, which no path has. Leave it out.")
    if name in _FOLDERS_AND_FILES and found and not Path(found).is_absolute():
        raise InputError("write the whole path, from the root or the drive on.")
    if name == "engines":
        if not found:
            raise InputError("name one at least; without this line, all may read.")
        for engine in found:
            Settings(engine=engine)
    return found


def _unreadable(path: Path, error: OSError) -> PolicyFault:
    return PolicyFault(
        "The policy {file} cannot be read ({reason}). Make it readable for everybody, or take it away.",
        file=path,
        reason=reason_of(error),
    )


def _require_trusted(path: Path) -> None:
    """Check that nobody but an administrator can have written the file or can replace it, as far as the system tells.

    Every step on the way is looked at: each link, what it leads to, and all folders above, since whoever may write one
    of them may lead the way elsewhere.  In a folder with the sticky bit, nobody can replace what is an administrator's.

    On Windows the rights of %ProgramData% decide: a file that an administrator made there is not the users' to change.

    Raises:
        PolicyFault: somebody else could; the message names the place.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise PolicyFault("The policy {file} is no ordinary file. Put one in its place.", file=path)
        if sys.platform == "win32":
            return
        for place, is_above in _way(path):
            found = place.lstat()
            open_to_others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not stat.S_ISLNK(found.st_mode)
            sticky = is_above and found.st_mode & stat.S_ISVTX
            if found.st_uid not in _ADMINISTRATORS or (open_to_others and not sticky):
                raise PolicyFault(
                    "{place} belongs to somebody else than root, or others may write it, so that the policy {file} is "
                    "not sure to be IT's. As root: chown -h root {place}; chmod go-w {place}.",
                    place=place,
                    file=path,
                )
    except OSError as error:
        raise _unreadable(path, error) from error


def _way(path: Path) -> Iterator[tuple[Path, bool]]:
    """Every folder and link through which a path leads to its file, and that at last, as the system looks them up.

    Yields:
        the place, and whether it is a folder in which only a folder is passed: no link, and not the file.

    Raises:
        OSError: there are more links than the system follows.
    """
    at, ahead, links = Path(path.anchor), [*reversed(path.parts[1:])], 0
    while ahead:
        name = ahead.pop()
        if name == "..":  # of a link
            yield at, True
            at = at.parent
            continue
        step = at / name
        is_link = step.is_symlink()
        yield at, step.is_dir() and not is_link
        if not is_link:
            at = step
            continue
        yield step, False
        links += 1
        if links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        target = step.readlink()
        at = Path(target.anchor) if target.is_absolute() else at
        ahead += reversed(target.parts[1:] if target.is_absolute() else target.parts)
    yield at, False


def _program_data() -> Path:
    """The folder of programs' data for all users of Windows, as the system says, not the environment."""
    with suppress(OSError, AttributeError, ImportError):
        import ctypes
        from ctypes import wintypes

        windows: Any = ctypes
        common_app_data, found = 0x0023, ctypes.create_unicode_buffer(wintypes.MAX_PATH)
        if not windows.windll.shell32.SHGetFolderPathW(None, common_app_data, None, 0, found):
            return Path(found.value)
    return Path(r"C:\ProgramData")


def _uses_model_file(chosen: Mapping[str, Any]) -> bool:
    """Whether the engine of settings that a person chose reads with a model file, as far as these tell."""
    known = {name: chosen[name] for name in ("engine", "cascade_second") if name in chosen}
    return Settings(**{"engine": "llama", **known}).uses_model_file


def _shown(value: Any) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value) if value != "" else "''"


def meanings() -> dict[str, str]:
    """What can be set, with its meaning in English."""
    return {
        f.name: str(f.metadata["meaning"]) for f in (*fields(Settings), *fields(Workstation)) if f.name != "version"
    }
