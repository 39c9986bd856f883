"""Packs the program that `make dist` made for Debian and Ubuntu.

    python -m tools.shipping.deb dist/radcal dist

The program lies in /usr/lib/radcal; /usr/bin has links to it, the menu an entry, and /usr/share/doc/radcal the
documentation and all licences. Nothing runs when it is installed or removed: what must know of an entry, an icon or a
kind of files is told by triggers of its own. The same program gives the same package, bit for bit.

What the package depends on is asked of the program: the libraries that its files are linked with and that it does not
bring along, in the packages of the system that builds it, glibc in the newest version that any of them asks for; and
what Qt opens by itself, which ui/system.py names.

Source: Debian Policy 4.6.2.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from tools.shipping import desktop, licences
from tools.shipping.release import ROOT, Release, this_release

_PACKAGE = "radcal"
_PROGRAMS = ("radcal", desktop.NAME)
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_QT = {"plugins", "Qt"}
"""Folders of Qt's own libraries and of its plugins."""
_READ = {"libfontconfig.so.1": "fontconfig-config", "libxkbcommon.so.0": "xkb-data"}
"""Libraries that the program may bring along, and the packages with the files that they read."""
_GLIBC = re.compile(r"GLIBC_([\d.]+)")
_LIBC = "libc6"
_ELF = b"\x7fELF"
_ABOUT = """\
 RadCal reads reports, finds how surely each finding was stated, compares that
 with what CT showed soon after, and advises on words. Everything stays on this
 computer, unless a department lets a server of its hospital read its reports.
 It brings along all that it needs but the libraries of the desktop.
 .
 RadCal describes words. It is no medical device and no basis for decisions
 about a patient or a radiologist.
"""


def control(release: Release, depends: Iterable[str], kilobytes: int) -> str:
    """The control file.

    Args:
        depends: packages that it needs, with versions.
        kilobytes: that it takes when installed.
    """
    about = release.project["description"].partition("?")[0].strip()
    fields = {
        "Package": _PACKAGE,
        "Version": release.version,
        "Section": "science",
        "Priority": "optional",
        "Architecture": _ARCHITECTURES[release.machine],
        "Maintainer": release.maintainer,
        "Installed-Size": str(kilobytes),
        "Depends": ", ".join(sorted(depends)),
        "Suggests": "pdf-viewer",
        # A line of a description is no sentence and has no article.
        "Description": f"measures whether certainty words are read as meant\n {about}?\n .\n{_ABOUT.rstrip()}",
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def changelog(release: Release) -> str:
    """The package's changelog, which refers to the program's own."""
    return (
        f"{_PACKAGE} ({release.version}) stable; urgency=medium\n\n"
        f"  * RadCal {release.version}; what is new stands in NEWS.gz.\n\n"
        f" -- {release.maintainer}  {format_datetime(release.time)}\n"
    )


def opened_by_qt(program: Path) -> set[str]:
    """The packages with what Qt opens by itself and the program does not bring along, and with what that reads."""
    brought = {file.name for file in program.rglob("*.so*")}
    # Neither of tools and ui imports the other.
    missing_libraries = runpy.run_path(str(ROOT / "ui" / "system.py"))["missing_libraries"]
    lacking = {debian for debian, _ in missing_libraries(x11=True, loads=brought.__contains__).values()}
    return lacking | {package for library, package in _READ.items() if library in brought}


def needed(program: Path) -> list[str]:
    """The packages with the libraries that a program's files are linked with, and does not bring along.

    The plugins of Qt, and its libraries that only plugins are linked with, are left out: :func:`opened_by_qt` has what
    those for a window need, and Qt does without others.

    Raises:
        ValueError: one of the libraries is in no package that is installed here.
    """
    inside = {
        file: file.name for file in program.rglob("*") if file.is_file() and not file.is_symlink() and _is_elf(file)
    }
    waiting = [file for file in inside if not _QT & set(file.relative_to(program).parts)]
    brought = {file.name for file in program.rglob("*.so*")}
    linked, seen, versions = set[str](), set[Path](), set[tuple[int, ...]]()
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            needs, asked = _asks_for(file)
            linked |= needs
            versions |= asked
            waiting += [other for other, name in inside.items() if name in needs]
    packages = {_package_of(library) for library in linked - brought}
    least = ".".join(map(str, max(versions, default=(2,))))
    return sorted(f"{name} (>= {least})" if name == _LIBC else name for name in packages)


def _asks_for(file: Path) -> tuple[set[str], set[tuple[int, ...]]]:
    """The libraries that a file is linked with, and the versions of glibc that it asks for."""
    linked, versions = set[str](), set[tuple[int, ...]]()
    with file.open("rb") as stream:
        for section in ELFFile(stream).iter_sections():
            if isinstance(section, DynamicSection):
                tags: Iterable[Any] = section.iter_tags("DT_NEEDED")
                linked |= {tag.needed for tag in tags}
            elif isinstance(section, GNUVerNeedSection):
                told = (_GLIBC.fullmatch(entry.name) for _, entries in section.iter_versions() for entry in entries)
                versions |= {tuple(map(int, version[1].split("."))) for version in told if version}
    return linked, versions


def _package_of(library: str) -> str:
    """The package of this system that has a library."""
    found = subprocess.run(  # noqa: S603 - of Debian's own tools
        ["dpkg-query", "--search", f"*/{library}"],  # noqa: S607 - where the system has it
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        raise ValueError(f"{library}: no installed package has this library. Install the one that has it.")
    return found.stdout.partition(":")[0]


def _is_elf(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(len(_ELF)) == _ELF


def lay_out(program: Path, tree: Path, release: Release) -> None:
    """Put all files where they will be installed, below a folder."""
    home = tree / "usr/lib" / _PACKAGE
    shutil.copytree(program, home, symlinks=True)
    commands = tree / "usr/bin"
    commands.mkdir(parents=True)
    for name in _PROGRAMS:
        (commands / name).symlink_to(f"../lib/{_PACKAGE}/{name}")
    share = tree / "usr/share"
    _write(share / f"applications/{desktop.NAME}.desktop", desktop.entry())
    _write(share / f"mime/packages/{_PACKAGE}.xml", desktop.mime())
    icon = share / f"icons/hicolor/scalable/apps/{_PACKAGE}.svg"
    icon.parent.mkdir(parents=True)
    shutil.copy(ROOT / "resources/icons/radcal.svg", icon)
    docs = share / "doc" / _PACKAGE
    _write(docs / "copyright", licences.text())
    _write_zipped(docs / "changelog.gz", changelog(release))
    _write_zipped(docs / "NEWS.gz", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    for file in (ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))):
        shutil.copy(file, docs / file.name)
    examples = sorted((ROOT / "docs").glob("*.toml"))
    for file in examples:
        (docs / "examples").mkdir(exist_ok=True)
        shutil.copy(file, docs / "examples" / file.name)
    programs = {home / name for name in _PROGRAMS}
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _write_zipped(file: Path, text: str) -> None:
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def pack(program: Path, folder: Path, release: Release) -> Path:
    """Make the package of a program in a folder; returns its file.

    Raises:
        ValueError: a library that it needs is in no package of this system.
        subprocess.CalledProcessError: the package cannot be written; dpkg-deb has said why.
    """
    depends = {*needed(program), *opened_by_qt(program)}
    file = folder / f"{_PACKAGE}_{release.version}_{_ARCHITECTURES[release.machine]}.deb"
    with tempfile.TemporaryDirectory(dir=folder) as name:
        tree = Path(name) / _PACKAGE
        tree.mkdir()
        lay_out(program, tree, release)
        inside = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()]
        kilobytes = sum(-(-path.stat().st_size // 1024) for path in inside)
        _write(tree / "DEBIAN/control", control(release, _distinct(depends), kilobytes))
        (tree / "DEBIAN").chmod(0o755)
        subprocess.run(  # noqa: S603 - of Debian's own tools
            ["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--build", str(tree), str(file)],  # noqa: S607 - as above
            env={**os.environ, "SOURCE_DATE_EPOCH": str(release.seconds)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
    return file


def _distinct(depends: Iterable[str]) -> list[str]:
    """Packages without those that another entry asks for in a certain version."""
    names = {one.partition(" ")[0] for one in depends if " " in one}
    return sorted(one for one in depends if " " in one or one not in names)


def main(argv: Sequence[str] | None = None) -> int:
    """Pack a program for Debian and Ubuntu."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", type=Path, help="the packaged program, such as dist/radcal")
    parser.add_argument("folder", type=Path, help="where the package is put")
    options = parser.parse_args(argv)
    release = this_release()
    if release.system != "linux" or release.machine not in _ARCHITECTURES or shutil.which("dpkg-deb") is None:
        parser.error("packages for Debian are made on Debian or Ubuntu")
    try:
        file = pack(options.program, options.folder, release)
    except ValueError as error:
        parser.error(str(error))
    print(f"{file}: {file.stat().st_size / 1e6:,.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
