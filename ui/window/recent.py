"""The workspaces that were opened last: their paths, nothing else, kept where the platform keeps settings."""

from __future__ import annotations

from pathlib import Path

from ui.preferences import preferences

MOST = 4
_KEY, _FOLDERS = "recent", "backup folders"


class RecentWorkspaces:
    """The latest first.  Kept for this user on this computer; what is in a workspace is never read here."""

    def __init__(self) -> None:
        self._settings = preferences()

    def paths(self) -> tuple[Path, ...]:
        """The workspaces opened last, the latest first."""
        return self._read(_KEY)

    def add(self, path: Path) -> None:
        """Put a workspace first."""
        path = path.absolute()
        self._store([path, *(p for p in self.paths() if p != path)][:MOST])

    def forget(self, path: Path) -> int:
        """Take a workspace off the list; the file itself stays.  Returns its place, for ``put_back``."""
        paths = list(self.paths())
        place = paths.index(path) if path in paths else 0
        self._store([p for p in paths if p != path])
        return place

    def put_back(self, path: Path, place: int) -> None:
        """Put a workspace where it was before it was taken off the list."""
        paths = [p for p in self.paths() if p != path]
        self._store([*paths[:place], path, *paths[place:]][:MOST])

    def backup_folders(self) -> tuple[Path, ...]:
        """The folders that backups of workspaces opened here were chosen to go to, the latest first."""
        return self._read(_FOLDERS)

    def add_backup_folder(self, folder: Path) -> None:
        """Remember a folder, so that backups are found where their workspace cannot be opened any more."""
        names = [str(p) for p in (folder, *(p for p in self.backup_folders() if p != folder))]
        self._settings.setValue(_FOLDERS, names[:MOST])
        self._settings.sync()

    def _read(self, key: str) -> tuple[Path, ...]:
        value = self._settings.value(key, [])
        # A list of one comes back as a string.
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(Path(str(name)) for name in names if name)

    def _store(self, paths: list[Path]) -> None:
        self._settings.setValue(_KEY, [str(p) for p in paths])
        self._settings.sync()
