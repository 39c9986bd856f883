"""Tries the portable archive in a folder as its users would: unpacked somewhere, without a trace elsewhere.

python packaging/check_portable.py dist
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_SECONDS = 600
_REPORTS = "report_id,text\n1,Findings: Small right pleural effusion.\n"


def main(folder: Path) -> int:
    """Run the checks; 0 if all went well."""
    (archive,) = sorted(folder.glob("radcal-*-portable.*"))
    with tempfile.TemporaryDirectory() as name:
        place, home = Path(name) / "Röntgen Abteilung", Path(name) / "home"
        home.mkdir()
        shutil.unpack_archive(archive, place)
        (program,) = place.iterdir()
        clean = {"PATH": os.environ.get("PATH", ""), "QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(Path(name) / "tmp")}
        clean |= {of: str(home) for of in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")}
        clean |= {of: os.environ[of] for of in ("SYSTEMROOT", "LANG") if of in os.environ}
        Path(clean["TMPDIR"]).mkdir()

        def run(*arguments: str | Path) -> None:
            print("  ", *(Path(a).name if isinstance(a, Path) else a for a in arguments), flush=True)
            done = subprocess.run(  # noqa: S603 - what was just packed
                list(map(str, arguments)), env=clean, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
            if done.returncode:
                sys.exit(f"exit status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")

        suffix = ".exe" if sys.platform == "win32" else ""
        window, command = program / f"radcal-gui{suffix}", program / f"radcal{suffix}"
        before = _files(program)
        reports = Path(name) / "reports.csv"
        reports.write_text(_REPORTS, encoding="utf-8")

        def use() -> None:
            run(window, "--exit-after-first-paint")
            run(command, "extract", reports, "--set", "engine=llama", "--out", Path(name) / "findings.csv")
            found = (Path(name) / "findings.csv").read_text(encoding="utf-8")
            assert "pleural effusion" in found, "the bundled model read nothing"

        use()
        data = program / "data"
        assert _files(home) == set(), f"files were left in the user's folder: {_files(home)}"
        new = {path for path in _files(program) - before if path.parts[0] != data.name}
        assert not new, f"files were left outside {data}: {new}"
        assert (data / "RadCal.ini").is_file(), "the window's settings are not beside the program"
        # As on a share that only its administrator may write: then as an installed program. A superuser may write
        # everywhere, but nobody into a file that lies where the folder would be.
        shutil.rmtree(data)
        data.write_bytes(b"")
        use()
        assert data.read_bytes() == b""
        assert {path.name for path in _files(home)} >= {"RadCal.ini"}, "the settings are nowhere"
        data.unlink()
        assert _files(program) == before, "the program was changed"
    print(f"The portable RadCal works: {archive}, {archive.stat().st_size / 1e6:,.0f} MB")
    return 0


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir()}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
