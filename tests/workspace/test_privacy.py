"""Report text is nowhere outside the encrypted pages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from radcal.findings.storage import save_extractions
from radcal.reports.storage import save_import

SENTENCE = "Small left apical pneumothorax in the patient Erika Mustermann."


def test_no_byte_of_a_report_is_readable_in_file_journal_copy_or_lock(path, ws, make):
    texts = {f"xray:{i}": f"{SENTENCE} {i}" for i in range(300)}
    save_import(ws, make.imp(texts))
    run = ws.begin_run("rules", "1", "h")
    seen = []

    def look() -> None:
        for file in path.parent.iterdir():
            seen.append(file.name)
            content = file.read_bytes()
            for encoding in ("utf-8", "utf-16-le"):
                for words in (SENTENCE, "pneumothorax", "Mustermann", "xray:1", "CREATE TABLE", "ACC_NO"):
                    assert words.encode(encoding) not in content, (file, words)

    look()
    with ws.transaction():
        ws._db.execute("PRAGMA cache_spill = 1")
        ws._db.execute("PRAGMA cache_size = 1")  # make SQLite write in the middle of the transaction
        save_extractions(ws, run, [make.extraction(i, "edema", "edema") for i in texts])
        save_import(ws, make.imp({i: t + " Addendum." for i, t in texts.items()}))
        look()
        ws.findings(run)
    ws.backup(path.with_name("copy"))
    ws.save_result("k", "a", {"text": SENTENCE}, {})
    look()
    ws.close()
    look()
    assert {path.name, path.name + "-journal", path.name + ".lock", "copy"} == set(seen)


@pytest.mark.skipif(sys.platform != "linux", reason="open files are looked up under /proc")
def test_temporary_tables_stay_in_memory(ws):
    def temporary_files() -> set[str]:
        targets = [fd.readlink().name for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink()]
        return {name for name in targets if name.startswith("etilqs")}  # SQLite's name for them

    with ws.transaction():
        ws.want(f"id {i}" for i in range(100_000))
        ws._db.execute("SELECT id FROM temp.wanted ORDER BY id DESC")
        assert temporary_files() == set()
