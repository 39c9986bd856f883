"""An older page of the same file put back is found, whichever it is; the digests are right whatever happens."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from radcal.findings.storage import save_extractions
from radcal.reports.storage import save_import
from radcal.system.errors import DataError
from radcal.system.settings import Settings
from radcal.workspace import contents
from radcal.workspace import database as database_module
from radcal.workspace.database import Database
from radcal.workspace.log_check import verify
from radcal.workspace.pages import PAGE
from radcal.workspace.store import Workspace


@pytest.fixture(autouse=True)
def fast_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "KDF_ITERATIONS", 1000)


def fill(ws: Workspace, make: SimpleNamespace, first: int, n: int) -> None:
    """What a department does, in every table that it uses."""
    texts = {f"xray:{i}": f"Likely edema, number {i}. " + "Heart normal. " * 20 for i in range(first, first + n)}
    texts |= {f"ct:{i}": f"Edema of number {i}. " + "No effusion. " * 20 for i in range(first, first + n)}
    save_import(ws, make.imp(texts, rejected=3))
    make.save_pairs(ws, make.pairing([(f"xray:{i}", f"ct:{i}") for i in range(first, first + n)]))
    run = ws.begin_run("rules", "1", f"{first}")
    save_extractions(ws, run, [make.extraction(i, "edema", "effusion") for i in texts])
    ws.save_result("reliability", f"k{first}", {"n": n}, {"seed": 1})
    ws.save_frame(f"observations {first}", pd.DataFrame({"x": range(n), "y": [0.5, 1.0] * (n // 2)}))
    ws.save_settings(Settings(window_hours=float(first + 1)))
    ws.set_meta("note", f"{first}" * 50)
    ws.log("something was done", n=first)


def faults(path: Path, passphrase: str) -> list[str]:
    """What `radcal check` tells: of the file, and of its log."""
    if found := Workspace.check(path, passphrase):
        return [str(said) for said in found]
    with Workspace.open(path, passphrase, read_only=True) as ws:
        return list(map(str, verify(ws, []).faults))


def dumped(path: Path, passphrase: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in the order of its values."""
    with contextlib.closing(Database(path, passphrase, read_only=True)) as database:
        names = [*database.columns(), "sqlite_sequence"]
        rows = {name: database.execute(f'SELECT * FROM "{name}"') for name in names}  # noqa: S608 - of the schema
        return {name: sorted(found, key=repr) for name, found in rows.items()}


def test_each_older_page_that_is_put_back_is_found(path: Path, make: SimpleNamespace) -> None:
    with Workspace.create(path, make.passphrase) as ws:
        fill(ws, make, 0, 30)
    older = path.read_bytes()
    with Workspace.open(path, make.passphrase) as ws:
        fill(ws, make, 30, 30)
    newer = path.read_bytes()
    assert faults(path, make.passphrase) == []
    whole = dumped(path, make.passphrase)
    places = range(0, min(len(older), len(newer)), PAGE)
    replaced = [at for at in places if older[at : at + PAGE] != newer[at : at + PAGE]]
    found, told = 0, set[str]()
    for at in replaced:
        path.write_bytes(newer[:at] + older[at : at + PAGE] + newer[at + PAGE :])
        said = faults(path, make.passphrase)
        if said:
            found += 1
            told |= set(said)
        else:  # of the page nothing is read: it says the same as the newer
            assert dumped(path, make.passphrase) == whole, at
    assert len(replaced) >= 25
    assert found >= len(replaced) - 2
    assert any("An older page of the file was put back" in one for one in told)
    assert any("reports" in one for one in told)


def test_a_row_that_radcal_did_not_change_is_found_by_its_part_for_ever(path: Path, make: SimpleNamespace) -> None:
    with Workspace.create(path, make.passphrase) as ws:
        fill(ws, make, 0, 4)
    with contextlib.closing(Database(path, make.passphrase)) as database:
        database.execute("UPDATE findings SET phrase = 'possible' WHERE text_id = 2")
    [said] = faults(path, make.passphrase)
    assert "not all are of the same time: findings do not fit the digests" in said
    with Workspace.open(path, make.passphrase) as ws:  # a later change of the same table takes nothing over
        fill(ws, make, 4, 4)
    [said] = faults(path, make.passphrase)
    assert "findings do not fit" in said
    with contextlib.closing(Database(path, make.passphrase)) as database:
        database.execute("DELETE FROM pairs WHERE rowid = 1")
    [said] = faults(path, make.passphrase)
    assert "pairs and findings do not fit" in said


def test_digests_put_back_along_with_what_they_tell_do_not_fit_the_log(path: Path, make: SimpleNamespace) -> None:
    with Workspace.create(path, make.passphrase) as ws:
        fill(ws, make, 0, 4)
        before, note = ws.get_meta(contents.KEY), ws.get_meta("note")
        ws.set_meta("note", "newer")
        ws.backup(path.with_name("backup.radcal"))
    with contextlib.closing(Database(path, make.passphrase)) as database:
        for key, value in ((contents.KEY, before), ("note", note)):
            database.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
    [said] = faults(path, make.passphrase)
    assert "the digests themselves do not fit" in said
    assert faults(path.with_name("backup.radcal"), make.passphrase) == []
    for value in ("{}", "[]", '{"key": 1}', "nonsense"):
        with contextlib.closing(Database(path, make.passphrase)) as database:
            database.execute("UPDATE meta SET value = ? WHERE key = ?", (value, contents.KEY))
        assert "the digests themselves" in faults(path, make.passphrase)[0]
        Workspace.open(path, make.passphrase).close()


def test_the_log_has_the_digests_of_what_changed_at_each_backup_and_nothing_secret(
    path: Path, make: SimpleNamespace
) -> None:
    with Workspace.create(path, make.passphrase) as ws:
        fill(ws, make, 0, 4)
        for number in range(3):
            ws.backup(path.with_name(f"backup {number}.radcal"))
            if number == 0:
                ws.save_result("reliability", "more", {"n": 1}, {})
        first, second, third = (json.loads(e.counts) for e in ws.entries() if e.what == "backup made")
    assert {"digest_of_texts", "digest_of_findings", "digest_of_meta"} <= first.keys()
    assert second.keys() == {"up_to_entry", "digest_of_results"}
    assert third.keys() == {"up_to_entry"}
    with Workspace.create(path.with_name("other.radcal"), make.passphrase) as ws:
        fill(ws, make, 0, 4)
        held = ws._db.contents
        assert held is not None
        assert held.unlogged()["pairs"] != first["digest_of_pairs"]  # the same rows under another key


def equals_recount(ws: Workspace) -> bool:
    """Whether the digests kept are those that reading everything anew gives, and those that the file has."""
    held, recorded = ws._db.contents, ws._db.recorded_contents()
    assert held is not None
    assert recorded is not None
    return held.amounts == recorded.amounts and ws._db.unlike_recorded(recorded) == []


def test_whatever_is_done_and_undone_the_digests_are_those_of_the_rows(path: Path, make: SimpleNamespace) -> None:
    draw = random.Random(7)  # noqa: S311 - not for secrets
    with Workspace.create(path, make.passphrase) as ws:
        fill(ws, make, 0, 6)
        ws.begin_run("rules", "2", "another")
        db = ws._db

        def broken_block() -> None:
            with contextlib.suppress(KeyError), ws.transaction():
                db.execute("DELETE FROM pairs")
                raise KeyError

        def broken_inner_block() -> None:
            with ws.transaction():
                ws.set_meta("kept", str(draw.random()))
                broken_block()

        def broken_statement() -> None:
            doubles = (
                "INSERT INTO runs SELECT run_id + 10 * (run_id < 2), engine, version || run_id, 'x', '', '' FROM runs"
            )
            with ws.transaction():
                ws.set_meta("beside", str(draw.random()))
                with pytest.raises(DataError):
                    db.execute(doubles)

        def broken_list() -> None:
            rows = [("a", 1, "t"), ("b", 2, "t"), ("a", 3, "t")]
            with ws.transaction(), pytest.raises(DataError):
                db.execute_many("INSERT INTO frames VALUES (?, ?, ?)", rows)

        steps = [
            broken_block,
            broken_inner_block,
            broken_list,
            broken_statement,
            lambda: ws.set_meta("k", str(draw.random())),
            lambda: ws.save_result("kind", f"{draw.randrange(3)}", {"x": draw.random()}, {}),  # REPLACE
            lambda: ws.save_frame(f"f{draw.randrange(2)}", pd.DataFrame({"x": [draw.random()]})),  # cascades
            lambda: db.execute("UPDATE pairs SET gap_hours = ?", (float(draw.randrange(9)),)),
            lambda: db.execute("UPDATE pairs SET gap_hours = ?", (draw.random(),)),
            lambda: db.execute(
                "UPDATE findings SET probability = ? WHERE text_id = ?", (draw.choice([None, 1, 0.25]), 3)
            ),
            lambda: db.execute("DELETE FROM extractions WHERE text_id = ?", (draw.randrange(1, 12),)),
            lambda: fill(ws, make, draw.randrange(4), 6),
        ]
        for _ in range(60):
            draw.choice(steps)()
            assert equals_recount(ws)
        ws.change_passphrase(make.passphrase, "another one")
        assert equals_recount(ws)
    assert faults(path, "another one") == []


def test_what_readers_did_is_told_too(path: Path, make: SimpleNamespace) -> None:
    with Workspace.create(path, make.passphrase) as ws:
        fill(ws, make, 0, 4)
        held = ws._db.contents
        assert held is not None
        assert held.amounts["gold_actions"] == (0, 0)
        ws._db.execute("INSERT INTO gold_sets VALUES (1, 'now', '{}', 7, 0, 1)")
        reader = ws._db.execute("SELECT 1")  # a query changes nothing
        assert reader
        ws._db.execute("INSERT INTO gold_readers VALUES (1, 'R')")
        ws._db.execute("INSERT INTO gold_actions VALUES (NULL, 'a', 1, 1, 'xray:0', 'now', 'x', '{}', 0)")
        assert held.amounts["gold_actions"][0] == 1
        assert equals_recount(ws)
    assert faults(path, make.passphrase) == []


def test_different_rows_have_different_hashes_and_the_order_counts_for_nothing() -> None:
    held = contents.Contents(b"k", {"t": ["a", "b"]}, {"t": (0, 0)})
    rows: list[tuple[Any, ...]] = [
        ("ab", "c"), ("a", "bc"), (1, 2), ("1", "2"), (1.5, None), (None, 1.5), (b"a", "a"), ("a", b"a"),
        ("61", "a"), (0, ""), ("", 0), ("ü\x00", "€"), ('","', ""), ("", '","'), (2**63 - 1, -(2**63)),
    ]  # fmt: skip
    assert len({held.amount([row]) for row in rows}) == len(rows)
    whole = held.amount(rows)
    assert held.amount(reversed(rows)) == whole
    assert held.amount([*rows, rows[0]]) != whole  # a row that stands there twice counts twice
    for row in rows:
        held.take("t", 1, *row)
    assert held.amounts["t"] == whole
    for row in rows[1:]:
        held.take("t", -1, *row)
    assert held.amounts["t"] == held.amount(rows[:1])
    assert contents.Contents.read(held.written(), {"t": ["a", "b"]}) == held


def test_the_tables_named_are_those_of_the_file(ws: Workspace) -> None:
    """Every table is told of by a part, so that none that does not fit goes unnamed."""
    from radcal.workspace.store import _PARTS

    named = {table for tables in _PARTS.values() for table in tables}
    assert named == set(ws._db.columns())
