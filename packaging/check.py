"""Tries a packaged RadCal as its users would: version, window, the whole demo, a model and a workbook read in children.

python packaging/check.py dist/radcal
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl
from PyInstaller.archive.readers import CArchiveReader

_SECONDS = 600


def main(folder: Path) -> int:
    """Run the checks; 0 if all went well."""
    suffix = ".exe" if sys.platform == "win32" else ""
    window, command = folder / f"radcal-gui{suffix}", folder / f"radcal{suffix}"
    # Nothing of the machine that built it may be needed.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    clean["QT_QPA_PLATFORM"] = "offscreen"

    def run(*arguments: str | Path) -> str:
        print("  ", *(Path(a).name if isinstance(a, Path) else a for a in arguments), flush=True)
        done = subprocess.run(  # noqa: S603 - what was just built
            [str(a) for a in arguments], env=clean, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
        if done.returncode:
            sys.exit(f"exit status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
        return done.stdout

    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        assert run(command, "--version").startswith("RadCal "), "the version is not told"
        assert "painted" in run(window, "--exit-after-first-paint"), "the window was not drawn"
        run(command, "demo", "--out", out / "demo", "--pairs", "400")
        summary = json.loads((out / "demo" / "feedback" / "summary.json").read_text(encoding="utf-8"))
        pages = [f for f in summary["files"] if f.endswith(".pdf")]
        assert summary["pairs"] > 0, "no pairs"
        assert pages, "no pages"
        assert all((out / "demo" / "feedback" / Path(p).name).stat().st_size > 10_000 for p in pages), "empty pages"
        reports = out / "reports.csv"
        with reports.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["report_id", "text"], ["1", "Findings: Small right pleural effusion."]])
        run(command, "extract", reports, "--set", "engine=llama", "--out", out / "findings.csv")
        found = (out / "findings.csv").read_text(encoding="utf-8")
        assert "pleural effusion" in found, "the bundled model read nothing"
        for place in ("A1", "XFD2000"):  # in both ways of reading a workbook
            book = openpyxl.Workbook()
            for cells in (["report_id", "text"], ["1", "Findings: Small right pleural effusion."]):
                book.active.append(cells)
            book.create_sheet()[place] = "x"
            book.save(out / "reports.xlsx")
            run(command, "extract", out / "reports.xlsx", "--out", out / "findings.csv")
            found = (out / "findings.csv").read_text(encoding="utf-8")
            assert "pleural effusion" in found, "the rules read nothing in a workbook"
        scores, said = out / "scores.csv", out / "said.csv"
        with scores.open("w", encoding="utf-8", newline="") as file:
            answers = (["a", n % 10 / 10, int(n % 10 > n % 7), n % 2] for n in range(200))
            csv.writer(file).writerows([["author", "confidence", "outcome", "site"], *answers])
        run(command, "groups", scores, "--by", "site", "--seeds", "1", "--out", out / "groups.json")
        assert '"hs_qab"' in (out / "groups.json").read_text(encoding="utf-8"), "groups were not compared"
        with said.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["text"], ["I think it was Rome."]])
        run(command, "hedge", said, "--out", out / "hedges.csv")
        assert "I think" in (out / "hedges.csv").read_text(encoding="utf-8"), "a hedge was not read"
    assert not list(folder.rglob("*diskcache*")), "what is left out is there"
    archive = CArchiveReader(str(command)).open_embedded_archive("PYZ.pyz")
    assert any(name.startswith("llama_cpp") for name in archive.toc), "the program's modules cannot be looked at"
    assert not [name for name in archive.toc if name.startswith("diskcache")], "what is left out is there"
    size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file() and not f.is_symlink())
    print(f"The packaged RadCal works: {folder}, {size / 1e6:,.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
