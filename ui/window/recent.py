"""Paths of recent workspaces, and nothing else, in the platform's settings."""

from __future__ import annotations

from pathlib import Path

from ui.preferences import preferences

MOST = 4
_KEY, _FOLDERS = "recent", "backup folders"


class RecentWorkspaces:
    """Latest first.  Stored for this user on this computer; the contents of workspaces are never read here."""

    def __init__(self) -> None:
        self._settings = preferences()

    def paths(self) -> tuple[Path, ...]:
        """The recent workspaces, latest first."""
        return self._read(_KEY)

    def add(self, path: Path) -> None:
        """Put a workspace first."""
        path = path.absolute()
        self._store(_KEY, [path, *(p for p in self.paths() if p != path)])

    def forget(self, path: Path) -> int:
        """Remove a workspace from the list, not the file.  Returns its index, for ``put_back``."""
        paths = list(self.paths())
        place = paths.index(path) if path in paths else 0
        self._store(_KEY, [p for p in paths if p != path])
        return place

    def put_back(self, path: Path, place: int) -> None:
        """Put a removed workspace back in its place."""
        paths = [p for p in self.paths() if p != path]
        self._store(_KEY, [*paths[:place], path, *paths[place:]])

    def backup_folders(self) -> tuple[Path, ...]:
        """Backup folders used for workspaces on this computer, latest first."""
        return self._read(_FOLDERS)

    def add_backup_folder(self, folder: Path) -> None:
        """Remember a folder, so that backups are found when their workspace cannot be opened."""
        self._store(_FOLDERS, [folder, *(p for p in self.backup_folders() if p != folder)])

    def _read(self, key: str) -> tuple[Path, ...]:
        value = self._settings.value(key, [])
        # A list of one comes back as a string.
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(Path(str(name)) for name in names if name)

    def _store(self, key: str, paths: list[Path]) -> None:
        self._settings.setValue(key, [str(p) for p in paths[:MOST]])
        self._settings.sync()
