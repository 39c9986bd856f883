"""Packs the program that `make dist` made into one archive that needs no administrator and no installation.

    python -m tools.shipping.folder dist/radcal dist

Unpacked, it runs where it lies and keeps settings and caches beside itself (radcal/system/places.py). The same program
gives the same archive, bit for bit.
"""

from __future__ import annotations

import argparse
import lzma
import shutil
import stat
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from radcal.system.places import DATA, PORTABLE
from tools.shipping import licences
from tools.shipping.release import Release, this_release

_PRESET = 3
"""Of xz: higher ones take three times as long for a twentieth less."""
_ABOUT = f"""\
While this file lies beside the program, RadCal keeps settings and caches in the
folder "{DATA}" beside it, if that can be written, and not in your own folders.
Start radcal-gui for the window; radcal --help tells of the command line.
"""
_LICENCES = "LICENCES.txt"


def name(release: Release) -> str:
    """The name of the archive without a suffix, and of the folder in it."""
    return f"radcal-{release.version}-{release.system}-{release.machine}-portable"


def pack(program: Path, folder: Path, release: Release) -> Path:
    """Make the archive of a program in a folder: for Windows a .zip, which it opens by itself, otherwise a .tar.xz."""
    top = name(release)
    added = {PORTABLE: _ABOUT, _LICENCES: licences.text()}
    with tempfile.TemporaryDirectory(dir=folder) as place:
        more = []
        for inside, text in added.items():
            more.append(Path(place) / inside)
            more[-1].write_text(text, encoding="utf-8")
        if release.system == "windows":
            file = folder / f"{top}.zip"
            _zip(file, top, _sorted(program, more), release)
        else:
            file = folder / f"{top}.tar.xz"
            _tar(file, top, _sorted(program, more), release)
    return file


def _sorted(program: Path, more: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """The files and folders of the archive, and their names in it, in the order of these."""
    paths = {path.relative_to(program).as_posix(): path for path in program.rglob("*")}
    paths |= {path.name: path for path in more}
    yield from sorted(paths.items())


def _mode(path: Path) -> int:
    executable = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
    return 0o755 if executable else 0o644


def _tar(file: Path, top: str, paths: Iterator[tuple[str, Path]], release: Release) -> None:
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = release.seconds
        return entry

    with lzma.open(file, "wb", preset=_PRESET) as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        for inside, path in paths:
            entry = plain(archive.gettarinfo(path, f"{top}/{inside}"))
            if not path.is_symlink():
                entry.mode = _mode(path)
            if entry.islnk():  # a second name of a file; each gets a copy, as in a zip
                entry.type, entry.linkname, entry.size = tarfile.REGTYPE, "", path.stat().st_size
            if entry.isreg():
                with path.open("rb") as content:
                    archive.addfile(entry, content)
            else:
                archive.addfile(entry)


def _zip(file: Path, top: str, paths: Iterator[tuple[str, Path]], release: Release) -> None:
    written = time.gmtime(release.seconds)[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, path in paths:
            if path.is_dir():
                continue
            entry = zipfile.ZipInfo(f"{top}/{inside}", written)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (stat.S_IFREG | _mode(path)) << 16
            with path.open("rb") as content, archive.open(entry, "w", force_zip64=True) as stream:
                shutil.copyfileobj(content, stream)


def main(argv: Sequence[str] | None = None) -> int:
    """Pack a program as a portable folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", type=Path, help="the packaged program, such as dist/radcal")
    parser.add_argument("folder", type=Path, help="where the archive is put")
    options = parser.parse_args(argv)
    file = pack(options.program, options.folder, this_release())
    print(f"{file}: {file.stat().st_size / 1e6:,.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
