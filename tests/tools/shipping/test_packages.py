"""The packages hold the program, all of it and nothing else, and are the same whenever they are made."""

from __future__ import annotations

import configparser
import hashlib
import shutil
import subprocess
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

pytest.importorskip("elftools", reason="packages are made with pyelftools, which set-up installs")

from radcal.system import places
from radcal.system.components import Component
from tools.shipping import checksums, deb, desktop, folder, licences
from tools.shipping.icon import icon
from tools.shipping.release import ROOT, Release, this_release

debian = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="packages for Debian are made on Debian")


def said(*command: str | Path) -> str:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout  # noqa: S603


def test_the_release_is_that_of_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    release = this_release()
    assert release.version == release.project["version"]
    assert release.time.isoformat() == "2001-09-09T01:46:40+00:00"
    assert release.system in ("linux", "windows", "macos")
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    monkeypatch.setenv("PATH", "")
    assert this_release().time.year == 1980, "without git"


@debian
def test_a_package_for_debian_says_what_it_is_and_needs(program: Path, tmp_path: Path, release: Release) -> None:
    file = deb.pack(program, tmp_path, release)
    assert file.name == "radcal_1.2.3_amd64.deb"
    fields = {name: said("dpkg-deb", "--field", file, name).strip() for name in ("Package", "Version", "Depends")}
    assert fields["Package"] == "radcal"
    assert fields["Version"] == "1.2.3"
    needed = {one.split()[0] for one in fields["Depends"].split(",")}
    assert needed >= {"libc6", "libegl1", "libxcb-cursor0"}
    assert len(needed) == len(fields["Depends"].split(","))
    assert said("dpkg-deb", "--field", file, "Description").startswith("measures whether certainty words")
    listed = {line.split(None, 5)[5]: line.split()[:2] for line in said("dpkg-deb", "--contents", file).splitlines()}
    assert listed["./usr/bin/radcal -> ../lib/radcal/radcal"][0].startswith("l")
    assert listed["./usr/lib/radcal/radcal-gui"] == ["-rwxr-xr-x", "root/root"]
    assert listed["./usr/lib/radcal/_internal/link.txt -> Röntgen/words.txt"][0].startswith("l")
    assert listed["./usr/lib/radcal/_internal/Röntgen/words.txt"] == ["-rw-r--r--", "root/root"]
    assert {"./usr/share/applications/radcal-gui.desktop", "./usr/share/doc/radcal/copyright"} <= listed.keys()
    assert "./usr/share/doc/radcal/guide.md" in listed
    assert not [name for name in listed if name.startswith(("./home", "./root", "./var", "./etc"))]
    # No script runs at any time.
    assert sorted(said("dpkg-deb", "--ctrl-tarfile", file).count(script) for script in ("postinst", "prerm")) == [0, 0]


@pytest.mark.slow
@debian
def test_the_same_program_gives_the_same_package(program: Path, tmp_path: Path, release: Release) -> None:
    first = deb.pack(program, tmp_path, release).read_bytes()
    (program / "radcal").touch()
    assert deb.pack(program, tmp_path, release).read_bytes() == first
    assert deb.pack(program, tmp_path, replace(release, seconds=release.seconds + 86400)).read_bytes() != first


@debian
def test_the_program_depends_on_what_it_is_linked_with(program: Path) -> None:
    (libc,) = deb.needed(program)
    assert libc.startswith("libc6 (>= 2.")
    library = program / "_internal" / "libmine.so"
    data = (program / "radcal").read_bytes()
    library.write_bytes(data.replace(b"libc.so.6", b"libq.so.6"))
    with pytest.raises(ValueError, match=r"libq\.so\.6: no installed package"):
        deb.needed(program)
    (program / "_internal" / "libq.so.6").write_bytes(data)
    assert deb.needed(program) == [libc]
    (program / "_internal" / "libq.so.6").unlink()
    qt = program / "_internal" / "PySide6" / "Qt" / "lib"
    qt.mkdir(parents=True)
    library.rename(qt / "libQt6XcbQpa.so.6")
    assert deb.needed(program) == [libc], "what only a plugin needs is looked up elsewhere"


@debian
def test_a_library_that_the_program_brings_along_is_not_depended_on(program: Path) -> None:
    assert "libxcb-cursor0" in deb.opened_by_qt(program)
    (program / "_internal" / "libxcb-cursor.so.0").touch()
    assert "libxcb-cursor0" not in deb.opened_by_qt(program)
    assert {"libfontconfig1", "xkb-data"} & deb.opened_by_qt(program) == {"libfontconfig1"}
    (program / "_internal" / "libfontconfig.so.1").touch()
    assert {"libfontconfig1", "fontconfig-config"} & deb.opened_by_qt(program) == {"fontconfig-config"}


def test_the_entry_in_the_menu_is_valid(tmp_path: Path) -> None:
    file = tmp_path / f"{desktop.NAME}.desktop"
    file.write_text(desktop.entry(), encoding="utf-8")
    if validate := shutil.which("desktop-file-validate"):
        assert said(validate, file) == ""
    read = configparser.RawConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign] # keys have capitals
    read.read(file, encoding="utf-8")
    entry = read["Desktop Entry"]
    assert entry["Exec"] == "radcal-gui %f"
    assert entry["MimeType"] == f"{desktop.WORKSPACE};"
    assert {key for key in entry if key.endswith("[de]")} == {
        f"{key}[de]" for key in ("GenericName", "Comment", "Keywords")
    }


def test_workspaces_are_a_kind_of_files() -> None:
    root = Xml.fromstring(desktop.mime())  # noqa: S314 - written by ourselves
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = root.find(f"{space}mime-type")
    assert kind is not None
    assert kind.get("type") == desktop.WORKSPACE
    assert [glob.get("pattern") for glob in kind.iter(f"{space}glob")] == ["*.radcal"]
    assert [c.text for c in kind.iter(f"{space}comment")] == ["RadCal workspace", "Arbeitsbereich von RadCal"]


@pytest.mark.parametrize("system", ["linux", "windows"])
def test_a_portable_archive_holds_the_program_and_makes_it_portable(
    program: Path, tmp_path: Path, release: Release, system: str
) -> None:
    release = replace(release, system=system)
    file = folder.pack(program, tmp_path, release)
    first = file.read_bytes()
    (program / "radcal").touch()
    assert folder.pack(program, tmp_path, release).read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", file.name], "something was left behind"
    shutil.unpack_archive(file, tmp_path / "unpacked")
    (top,) = (tmp_path / "unpacked").iterdir()
    assert top.name == f"radcal-1.2.3-{system}-x86_64-portable"
    assert (top / places.PORTABLE).is_file()
    assert (top / "_internal" / "link.txt").read_text(encoding="utf-8") == "wahrscheinlich\n"
    assert {p.relative_to(program) for p in program.rglob("*")} == {
        path.relative_to(top) for path in top.rglob("*") if path.name not in (places.PORTABLE, "LICENCES.txt")
    }
    assert "Apache License" in (top / "LICENCES.txt").read_text(encoding="utf-8")


def test_a_tar_keeps_links_and_rights_but_not_whose_they_were(program: Path, tmp_path: Path, release: Release) -> None:
    (program / "again").hardlink_to(program / "radcal")
    with tarfile.open(folder.pack(program, tmp_path, release)) as archive:
        entries = {Path(entry.name).name: entry for entry in archive}
    assert entries["link.txt"].issym()
    assert entries["again"].isreg()
    assert entries["again"].size == entries["radcal"].size > 0
    assert entries["radcal"].mode == 0o755
    assert entries["words.txt"].mode == 0o644
    assert {(entry.uid, entry.uname, entry.mtime) for entry in entries.values()} == {(0, "", release.seconds)}


@pytest.mark.slow
def test_a_zip_keeps_times_and_rights(program: Path, tmp_path: Path, release: Release) -> None:
    with zipfile.ZipFile(folder.pack(program, tmp_path, replace(release, system="windows"))) as archive:
        entry = next(entry for entry in archive.infolist() if entry.filename.endswith("/radcal"))
        assert archive.testzip() is None
    assert entry.date_time == (2026, 1, 2, 3, 4, 6)
    assert entry.external_attr >> 16 & 0o777 == 0o755


def test_every_component_is_named_with_its_licence() -> None:
    parts = (
        Component("radcal", "1.2", "Apache-2.0", texts=("licences/GPL-3.0.txt",)),
        Component("one", "3", "MIT", within="another", texts=("licences/GPL-3.0.txt",)),
        Component("two", "", "", texts=("licences/GPL-3.0.txt", "licences/LGPL-3.0.txt")),
    )
    told = licences.text(parts)
    assert told.startswith("radcal 1.2\nLicence: Apache-2.0\n")
    assert "one (within another) 3: MIT\ntwo: see its text below\n" in told
    assert "\nradcal, one, two\n====" in told
    assert told.count("GNU GENERAL PUBLIC LICENSE") == told.count("\nradcal, one, two\n") == 1
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in told


def test_checksums_are_those_of_the_packages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b.deb", "a.tar.xz", "radcal", "SHA256SUMS"):
        (tmp_path / name).write_bytes(name.encode())
    assert checksums.main([str(tmp_path)]) == 0
    lines = (tmp_path / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert lines == [f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in ("a.tar.xz", "b.deb")]
    assert capsys.readouterr().out.splitlines() == lines
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)  # noqa: S607


def test_programs_for_windows_carry_the_icon(tmp_path: Path) -> None:
    assert icon(tmp_path, "linux") is None
    file = icon(tmp_path, "win32")
    assert file is not None
    assert file.read_bytes()[:4] == b"\0\0\1\0"
    assert (ROOT / "resources/icons/radcal.svg").is_file()
