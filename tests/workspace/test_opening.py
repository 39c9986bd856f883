from __future__ import annotations

import errno
import os
import stat
import threading
import unicodedata
from collections.abc import Callable

import pytest

from radcal.reports.storage import save_import
from radcal.system.errors import InputError
from radcal.system.settings import Settings
from radcal.workspace import database, pages
from radcal.workspace.errors import (
    DamagedWorkspace,
    NoAccess,
    NoSuchWorkspace,
    NotAWorkspace,
    UnfitPassphrase,
    WorkspaceClosed,
    WorkspaceExists,
    WrongPassphrase,
)
from radcal.workspace.store import Workspace

ITERATIONS, SYNCHRONOUS = database.KDF_ITERATIONS, database.SYNCHRONOUS
"""The value outside these tests."""
POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")


def test_a_new_workspace_keeps_its_settings_and_opens_again(path, make):
    chosen = Settings(window_hours=24, allowed_phrases=("likely",))
    with Workspace.create(path, make.passphrase, chosen) as made:
        assert made.settings == chosen
        assert made.path == path.resolve()
        assert not made.read_only
        seed = made.pseudonym_seed
    with Workspace.open(path, make.passphrase) as again:
        assert again.settings == chosen
        assert again.pseudonym_seed == seed
        again.save_settings(Settings(seed=3))
        assert again.settings.seed == 3
    with Workspace.create(path.with_name("other"), make.passphrase) as other:
        assert other.pseudonym_seed != seed
        assert other.settings == Settings()


def test_a_workspace_is_filled_before_it_takes_its_name_or_not_made_at_all(path, make):
    def fill(workspace: Workspace) -> None:
        assert not path.exists()
        workspace.set_meta("begins", "with this")

    with Workspace.create(path, make.passphrase, fill=fill) as made:
        assert made.get_meta("begins") == "with this"
    with Workspace.open(path, make.passphrase, read_only=True) as again:
        assert again.get_meta("begins") == "with this"

    with pytest.raises(KeyError):
        Workspace.create(path.with_name("other.radcal"), make.passphrase, fill=lambda _: fail())
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_the_workspace_is_one_file_once_closed(path, ws, make):
    save_import(ws, make.imp({"xray:1": "Clear lungs."}))
    ws.close()
    ws.close()
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@POSIX
def test_only_its_owner_can_read_it_from_the_first_byte_on(path, make, monkeypatch):
    seen = []
    configure = database.Database._configure

    def spy(self):
        seen.append(stat.S_IMODE(self.path.stat().st_mode))
        configure(self)

    monkeypatch.setattr(database.Database, "_configure", spy)
    before = os.umask(0)
    try:
        with Workspace.create(path, make.passphrase) as made:
            made.backup(path.with_name("copy"))
    finally:
        os.umask(before)
    assert set(seen) == {0o600}
    assert {stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()} == {0o600}


@POSIX
def test_the_journal_is_as_private_as_the_file(path, ws):
    with ws.transaction():
        ws.set_meta("a", "b" * 100_000)
        ws._db.execute("PRAGMA cache_spill = 1")
        journal = path.with_name(path.name + "-journal")
        assert stat.S_IMODE(journal.stat().st_mode) == 0o600


def test_nothing_is_overwritten(path, ws, make):
    ws.close()
    before = path.read_bytes()
    with pytest.raises(WorkspaceExists, match="nothing is overwritten"):
        Workspace.create(path, make.passphrase)
    with pytest.raises(WorkspaceExists), Workspace.open(path, make.passphrase) as again:
        again.backup(path)
    assert path.read_bytes() == before


def test_paths_that_cannot_be_used_are_told_apart(tmp_path, make):
    with pytest.raises(NoSuchWorkspace, match="no folder"):
        Workspace.create(tmp_path / "none" / "w", make.passphrase)
    with pytest.raises(NoSuchWorkspace, match="no file"):
        Workspace.open(tmp_path / "none", make.passphrase)
    with pytest.raises(NotAWorkspace, match="is a folder"):
        Workspace.open(tmp_path, make.passphrase)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_creation_leaves_nothing_behind(path, make, monkeypatch):
    monkeypatch.setattr(Workspace, "_lay_out", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Workspace.create(path, make.passphrase)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(
    "passphrase",
    ["it's", "\"quoted\" \\ x'00'", "; DROP TABLE meta; --", "中文 пароль 🫁", " ", "a" * 1000, "x'" + "ab" * 32],
)
def test_any_passphrase_opens_what_it_made_and_nothing_else_does(path, passphrase):
    Workspace.create(path, passphrase).close()
    Workspace.open(path, passphrase).close()
    for other in (passphrase + " ", passphrase.swapcase() + "!", "x"):
        with pytest.raises(WrongPassphrase):
            Workspace.open(path, other)


def test_a_passphrase_is_the_same_however_its_letters_were_composed(path):
    composed, apart = unicodedata.normalize("NFC", "clé é"), unicodedata.normalize("NFD", "clé é")
    assert composed != apart
    Workspace.create(path, apart).close()
    Workspace.open(path, composed).close()
    with pytest.raises(WrongPassphrase):
        Workspace.open(path, "cle e")


@pytest.mark.parametrize(
    ("passphrase", "why"), [("", "is empty"), ("a\nb", "control"), ("a\0", "control"), ("\ud800", "control")]
)
def test_unfit_passphrases_are_refused_and_no_file_is_made(path, ws, passphrase, why, make):
    with pytest.raises(UnfitPassphrase, match=why):
        Workspace.create(path.with_name("new"), passphrase)
    assert not path.with_name("new").exists()
    with pytest.raises(UnfitPassphrase, match=why):
        ws.change_passphrase(make.passphrase, passphrase)
    ws.close()
    with pytest.raises(UnfitPassphrase, match=why):
        Workspace.open(path, passphrase)


def test_a_wrong_passphrase_is_said_to_be_wrong_and_shown_nowhere(path, ws, capfd):
    for held in (True, False):  # while this process has it open, and after
        with pytest.raises(WrongPassphrase, match=r"does not fit department.radcal. Check capital letters") as caught:
            Workspace.open(path, "hunter2", read_only=True)
        assert "hunter2" not in str(caught.value)
        if held:
            ws.close()
    assert capfd.readouterr() == ("", "")


def test_a_wrong_passphrase_does_not_keep_the_file_locked(path, ws, make):
    ws.close()
    with pytest.raises(WrongPassphrase):
        Workspace.open(path, "wrong")
    Workspace.open(path, make.passphrase).close()


def test_an_opening_that_is_interrupted_gives_the_file_back(path, ws, make, monkeypatch):
    ws.close()
    begun = []

    def interrupted(connection):
        begun.append(connection)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(database.Database, "_configure", interrupted)
        with pytest.raises(KeyboardInterrupt):
            Workspace.open(path, make.passphrase)
    with pytest.raises(WorkspaceClosed):
        begun[0].execute("SELECT 1")
    Workspace.open(path, make.passphrase).close()


def test_the_file_is_sqlciphers_own_format_with_its_full_key_derivation(path, make, monkeypatch):
    from sqlcipher3 import dbapi2

    monkeypatch.setattr(database, "KDF_ITERATIONS", ITERATIONS)
    with Workspace.create(path, "plain words") as made:
        assert "kdf_iter = 256000" in made.get_meta("_cipher")
    connection = dbapi2.connect(str(path))
    connection.execute("PRAGMA key = 'plain words'")  # and nothing else, like any SQLCipher tool
    assert connection.execute("PRAGMA user_version").fetchone()[0] >= 1
    assert connection.execute("SELECT count(*) FROM audit").fetchone() == (1,)
    connection.close()
    assert path.stat().st_size % 4096 == 0


def test_settings_of_safety_are_in_force(path, monkeypatch):
    monkeypatch.setattr(database, "SYNCHRONOUS", SYNCHRONOUS)
    expected = {"journal_mode": "delete", "synchronous": 3, "temp_store": 2, "secure_delete": 1, "foreign_keys": 1}
    with Workspace.create(path, "plain words") as made:
        assert {name: made._db.execute(f"PRAGMA {name}")[0][0] for name in expected} == expected


def test_the_passphrase_can_be_changed_by_those_who_know_it(path, ws, make):
    save_import(ws, make.imp({"xray:1": "Clear lungs."}))
    with pytest.raises(WrongPassphrase):
        ws.change_passphrase("wrong", "new")
    ws.change_passphrase(make.passphrase, "it's é new")
    assert ws.reports()["text"].tolist() == ["Clear lungs."]
    ws.close()
    with pytest.raises(WrongPassphrase):
        Workspace.open(path, make.passphrase)
    with Workspace.open(path, "it's é new") as again:
        assert again.reports()["text"].tolist() == ["Clear lungs."]
        assert again.audit()["what"].tolist()[-1] == "passphrase changed"
    assert Workspace.check(path, "it's é new") == ()


def test_a_backup_is_a_whole_workspace_of_its_own(path, ws, make):
    save_import(ws, make.imp({"xray:1": "Clear lungs."}))
    copy = path.with_name("copy é 'x'.radcal")
    ws.backup(copy)
    save_import(ws, make.imp({"xray:2": "Edema."}))
    with Workspace.open(copy, make.passphrase) as other:  # beside the original, which stays open
        assert other.reports(["report_id"])["report_id"].tolist() == ["xray:1"]
        assert other.settings == ws.settings
    assert ws.audit()["what"].tolist().count("backup made") == 1
    with pytest.raises(NoSuchWorkspace, match="no folder"):
        ws.backup(path.parent / "none" / "copy")


def test_a_reader_makes_backups_too_but_changes_nothing(path, reopen, make):
    with reopen() as reader:
        before = path.read_bytes()
        reader.backup(path.with_name("copy"))
        for change in (
            lambda: save_import(reader, make.imp({"xray:1": "x"})),
            lambda: reader.save_settings(Settings()),
            lambda: reader.log("x"),
            lambda: reader.begin_run("a", "b", "c"),
            lambda: reader.change_passphrase(make.passphrase, "new"),
        ):
            with pytest.raises(NoAccess, match="open for reading only"):
                change()
        assert reader.read_only
        assert path.read_bytes() == before
    Workspace.open(path.with_name("copy"), make.passphrase).close()


def test_a_copy_that_cannot_be_read_back_is_not_kept(path, ws, monkeypatch):
    read = []

    def fits(_key: pages.Key, _page: bytes, number: int) -> bool:
        read.append(number)
        return read.count(2) < 2  # the workspace does, its copy does not

    monkeypatch.setattr(pages.Key, "fits", fits)
    with pytest.raises(DamagedWorkspace, match="could not be read back"):
        ws.backup(path.with_name("copy"))
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name, path.name + ".lock"]


def test_use_after_closing_says_so(ws):
    ws.close()
    with pytest.raises(WorkspaceClosed, match=r"was closed. Open it again"):
        ws.reports()
    assert issubclass(WorkspaceClosed, InputError)


def change(ws: Workspace, key: str, then: Callable[[], object]) -> None:
    with ws.transaction():
        ws.set_meta(key, "x")
        then()


def fail() -> None:
    raise KeyError


def test_closing_inside_a_transaction_undoes_it(path, ws, make):
    with pytest.raises(WorkspaceClosed):
        change(ws, "a", ws.close)
    with Workspace.open(path, make.passphrase) as again:
        assert again.get_meta("a") is None


def test_transactions_nest_and_the_outermost_decides(ws):
    def inner_then_fail() -> None:
        change(ws, "b", lambda: None)
        fail()

    with pytest.raises(KeyError):
        change(ws, "a", inner_then_fail)
    assert (ws.get_meta("a"), ws.get_meta("b")) == (None, None)

    def failing_inner() -> None:
        with pytest.raises(KeyError):
            change(ws, "b", fail)

    change(ws, "a", failing_inner)
    assert (ws.get_meta("a"), ws.get_meta("b")) == ("x", None)


def test_threads_take_turns(ws):
    def work(name: str) -> None:
        for i in range(20):
            with ws.transaction():
                ws.set_meta("count", str(int(ws.get_meta("count", "0")) + 1))
                ws.set_meta(name, str(i))

    threads = [threading.Thread(target=work, args=(f"t{i}",)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert ws.get_meta("count") == "80"


def test_short_texts_are_kept_by_key(ws):
    assert ws.get_meta("department", "none") == "none"
    ws.set_meta("department", "Thorax \0 é")
    ws.set_meta("department", "Chest \0 é")
    assert ws.get_meta("department") == "Chest \0 é"


@POSIX
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_may_not_be_written_can_still_be_read(what, path, ws, make):
    save_import(ws, make.imp({"xray:1": "Clear lungs."}))
    ws.close()
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    path.chmod(0o444 if what == "file" else 0o644)
    path.parent.chmod(0o555 if what == "folder" else 0o755)
    try:
        with pytest.raises(NoAccess, match=r"does not allow writing|may not be changed"):
            Workspace.open(path, make.passphrase)
        with Workspace.open(path, make.passphrase, read_only=True) as reader:
            assert len(reader.reports()) == 1
    finally:
        path.parent.chmod(0o755)


def refuse_new_files(monkeypatch, refuse):
    real = os.open

    def opened(name, flags, *mode):
        return refuse() if flags & os.O_CREAT else real(name, flags, *mode)

    monkeypatch.setattr(os, "open", opened)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_a_folder_that_refuses_new_files_is_named_with_the_way_out(path, ws, make, monkeypatch, code):
    ws.close()
    refuse_new_files(monkeypatch, make.refuse(code))
    with pytest.raises(NoAccess, match=r"does not allow writing|cannot be opened"):
        Workspace.open(path, make.passphrase)
    with (
        Workspace.open(path, make.passphrase, read_only=True) as reader,
        pytest.raises(NoAccess, match="another folder"),
    ):
        reader.backup(path.with_name("copy"))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.EACCES, r"ward does not allow writing\. Choose another folder for new\.radcal\."),
        (errno.EROFS, r"ward does not allow writing\. Choose another folder for new\.radcal\."),
        (errno.EDQUOT, r"new\.radcal cannot be made in .*ward \(.*uota.*\)\. Choose another folder\."),
        (errno.ENAMETOOLONG, r"The name new\.radcal is too long for .*ward\. Choose a shorter one\."),
    ],
)
def test_a_new_workspace_in_a_folder_that_refuses_it_needs_another_folder(tmp_path, make, monkeypatch, code, message):
    """There is no file yet that could be opened for reading only, or copied."""
    folder = tmp_path / "ward"
    folder.mkdir()
    refuse_new_files(monkeypatch, make.refuse(code))
    with pytest.raises(NoAccess, match=message) as caught:
        Workspace.create(folder / "new.radcal", make.passphrase)
    assert "reading only" not in str(caught.value)
    assert list(folder.iterdir()) == []


def test_a_new_workspace_where_files_cannot_be_locked_needs_another_folder(tmp_path, make, monkeypatch):
    monkeypatch.setattr("radcal.workspace.lock._try_lock", make.refuse(errno.ENOLCK))
    with pytest.raises(NoAccess, match=r"new\.radcal cannot be made in .*No locks available.*another folder"):
        Workspace.create(tmp_path / "new.radcal", make.passphrase)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("mode", "message"), [(os.W_OK, "may not be changed"), (os.R_OK, "may not be read")])
def test_a_file_that_is_protected_says_so(path, ws, make, monkeypatch, mode, message):
    ws.close()
    monkeypatch.setattr(os, "access", lambda _, asked: asked != mode)
    with pytest.raises(NoAccess, match=message):
        Workspace.open(path, make.passphrase)


def test_a_copy_that_does_not_reach_the_disk_is_not_kept(path, ws, make, monkeypatch):
    monkeypatch.setattr("radcal.workspace.store.sync", make.refuse(errno.EIO))
    with pytest.raises(NoAccess, match=r"could not be written to the disk .Input/output error"):
        ws.backup(path.with_name("copy"))
