"""Where a passphrase comes from, and what is said when it is wrong or missing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from radcal.opening import open_workspace


def test_a_wrong_passphrase_is_unusable_input(radcal, refused, words, monkeypatch, opens_only):
    radcal(*words)
    monkeypatch.setenv("RADCAL_PASSPHRASE", "pear tree")
    told = refused(*words)
    assert "passphrase" in told
    assert "Traceback" not in told


def test_the_passphrase_file_comes_before_the_environment(radcal, words, tmp_path, monkeypatch, opens_only, key):
    radcal(*words)
    monkeypatch.setenv("RADCAL_PASSPHRASE", "pear tree")
    for end in ("", "\n", "\r\n"):
        (tmp_path / "key").write_bytes((key + end).encode())
        assert radcal(*words, "--passphrase-file", tmp_path / "key").status == 1
    assert "passphrase file" in radcal(*words, "--passphrase-file", tmp_path / "nokey").err
    (tmp_path / "key").write_bytes(b"\xff\xfe\x00")
    assert "no text in UTF-8" in radcal(*words, "--passphrase-file", tmp_path / "key").err


def test_a_new_passphrase_is_asked_for_twice_and_a_known_one_once(
    radcal, refused, words, prompted, tmp_path, opens_only, key
):
    prompted(key, "plum treee")
    assert "differ" in refused(*words)
    assert not (tmp_path / "w.radcal").exists()
    assert len(prompted(key, key)) == 0
    assert radcal(*words).status == 1
    asked = prompted(key)
    assert radcal(*words).status == 1
    assert len(asked) == 1


def test_a_new_passphrase_that_would_soon_be_guessed_is_asked_for_anew(
    radcal, words, prompted, tmp_path, opens_only, key
):
    asked = prompted("short", "wwwwwwwwwwwwwwww", key, key)
    done = radcal(*words)
    assert done.status == 1
    assert len(asked) == 4
    shown = done.err.splitlines()
    assert "too short" in shown[0]
    assert "within two days" in shown[1]
    assert shown[2].startswith("Strong: ")
    assert (tmp_path / "w.radcal").exists()


@pytest.mark.parametrize("weak", ["short", "wwwwwwwwwwwwwwww", "radcal radcal radcal"])
def test_a_new_passphrase_from_elsewhere_is_refused_where_it_would_soon_be_guessed(
    radcal, words, monkeypatch, tmp_path, opens_only, weak
):
    monkeypatch.setenv("RADCAL_PASSPHRASE", weak)
    done = radcal(*words)
    assert done.status == 2
    assert "unrelated words" in done.err
    assert weak not in done.err.split("passphrase")[0]
    assert list(tmp_path.glob("*.radcal*")) == []


@pytest.mark.parametrize("key", [KeyboardInterrupt(), EOFError()])
def test_leaving_at_the_prompt_makes_nothing(radcal, words, prompted, tmp_path, key):
    prompted(key)
    done = radcal(*words)
    assert (done.status, done.out) == (130, "")
    assert "Stopped." in done.err
    assert not (tmp_path / "w.radcal").exists()


def test_without_a_terminal_the_ways_to_give_a_passphrase_are_told(refused, words, monkeypatch):
    monkeypatch.delenv("RADCAL_PASSPHRASE")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False))
    assert "use --passphrase-file FILE or set RADCAL_PASSPHRASE" in refused(*words)


def test_a_passphrase_of_a_personal_file_is_asked_for_twice(radcal, refused, author, prompted, tmp_path, key):
    ask = ("personal", "--workspace", tmp_path / "w.radcal", "--author", author, "--out", tmp_path / "own.radcal")
    (tmp_path / "key.txt").write_text(key, encoding="utf-8")
    prompted("own words of hers", "other")
    assert "differ" in refused(*ask, "--passphrase-file", tmp_path / "key.txt")
    prompted("own words of hers", "own words of hers")
    assert radcal(*ask, "--passphrase-file", tmp_path / "key.txt").status == 0
    open_workspace(tmp_path / "own.radcal", "own words of hers").close()
