"""Collects the window's texts for translation, and compiles the translations.

    python -m ui.translations

Writes resources/translations/radcal_LANGUAGE.ts (to be edited with Qt Linguist: pyside6-linguist FILE) with the
texts as they are in the code now, keeping what is translated, and the .qm files that the window reads.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import PySide6

from ui.language import LANGUAGES

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "translations"


def sources() -> list[Path]:
    """The modules with texts."""
    return sorted(Path(__file__).resolve().parent.rglob("*.py"))


def collect(ts: Path) -> None:
    """Bring a .ts file up to date with the code; texts that are gone are dropped."""
    _tool("lupdate", "-silent", "-no-obsolete", "-locations", "none", *map(str, sources()), "-ts", str(ts))


def compile_file(ts: Path, qm: Path) -> None:
    """Make the .qm file of a .ts file."""
    _tool("lrelease", "-silent", str(ts), "-qm", str(qm))


def _tool(name: str, *arguments: str) -> None:
    folder = Path(PySide6.__file__).resolve().parent
    suffix = ".exe" if sys.platform == "win32" else ""
    places = (folder / f"{name}{suffix}", folder / "Qt" / "libexec" / f"{name}{suffix}")
    tool = next((place for place in places if place.is_file()), places[0])
    subprocess.run([str(tool), *arguments], check=True)  # noqa: S603 - Qt's own tool


def main() -> int:
    """Bring all translations up to date."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for code in LANGUAGES:
        if code != "en":
            ts = FOLDER / f"radcal_{code}.ts"
            collect(ts)
            compile_file(ts, ts.with_suffix(".qm"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
