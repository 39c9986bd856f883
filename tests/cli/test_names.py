"""`radcal run` keeps names apart; `radcal names` says who is who; options take a name or its pseudonym."""

from __future__ import annotations

import json

import pytest

from radcal.opening import open_department


@pytest.fixture
def apart(has_run, words, tmp_path):
    """A workspace that `radcal run` made as it does by default, and the summary."""
    return json.loads(has_run(tmp_path, "--json"))


def test_a_new_workspace_keeps_names_apart_and_says_where(apart, radcal, words, tmp_path):
    assert apart["names_key"] == str(tmp_path / "w.names")
    assert "keep this file apart from the workspace" in " ".join(apart["notes"])
    assert not (tmp_path / "out" / "pseudonyms.csv").exists()
    whole = b"".join(p.read_bytes() for p in (tmp_path / "out").glob("*.csv"))
    assert b"Quillfeather" not in whole + (tmp_path / "out" / "summary.json").read_bytes()
    assert str(tmp_path) not in (tmp_path / "out" / "summary.json").read_text(encoding="utf-8")
    again = json.loads(radcal(*words[:-1], "--json").out)
    assert [p for p in again["files"] if "feedback-" in p] == [p for p in apart["files"] if "feedback-" in p]


def test_who_is_who(apart, radcal, tmp_path):
    done = json.loads(radcal("names", "--workspace", tmp_path / "w.radcal", "--who", "--json").out)
    assert (done["kept"], done["file"]) == ("apart", str(tmp_path / "w.names"))
    assert "Quillfeather, Avery" in done["names"].values()
    pseudonym = next(p for p, name in done["names"].items() if name == "Quillfeather, Avery")
    assert f"{pseudonym}: Quillfeather, Avery" in radcal("names", "--workspace", tmp_path / "w.radcal", "--who").out
    status = radcal("names", "--workspace", tmp_path / "w.radcal")
    assert status.status == 0
    assert "has pseudonyms only; the names of" in status.out
    assert "Quillfeather" not in status.out


def test_the_names_key_is_copied_and_moved(apart, radcal, refused, words, tmp_path):
    own = ("--workspace", tmp_path / "w.radcal")
    assert radcal("names", *own, "--copy", tmp_path / "copy.names").status == 0
    assert radcal("names", *own, "--copy", tmp_path / "copy.names").status == 0  # an earlier copy of the same
    (tmp_path / "other.names").write_text("somebody else's")
    assert "other.names" in refused("names", *own, "--copy", tmp_path / "other.names")
    assert (tmp_path / "other.names").read_text() == "somebody else's"
    (tmp_path / "stick").mkdir()
    assert radcal("names", *own, "--move", tmp_path / "stick" / "w.names").status == 0
    assert not (tmp_path / "w.names").exists()
    assert "There is no file" in radcal("names", *own).out
    assert "There is no file" in refused("names", *own, "--who")
    said = refused("report", *own, "--author", "Quillfeather, Avery", "--out", tmp_path / "page.pdf")
    assert "is no pseudonym of this workspace, and names are not known here" in said
    assert "Say where it is" in said
    stick = ("--names-key", tmp_path / "stick" / "w.names")
    assert "Quillfeather" in radcal("names", *own, *stick, "--who").out
    assert radcal(*words[:-1], *stick, "--json").status == 1  # for the rows that could not be used


def test_authors_are_named_either_way(apart, radcal, refused, tmp_path):
    with open_department(tmp_path / "w.radcal", "plum tree in blossom", read_only=True) as department:
        known = {name: pseudonym for pseudonym, name in department.names.known().items()}
    own = ("report", "--workspace", tmp_path / "w.radcal", "--out", tmp_path / "a.pdf", "--author")
    pages = set()
    for author in ("Quillfeather, Avery", "QUILLFEATHER, AVERY MD", known["Quillfeather, Avery"]):
        assert radcal(*own, author).status == 0
        pages.add((tmp_path / "a.pdf").read_bytes())
    assert len(pages) == 1
    assert "There are: " in (said := refused(*own, "Nobody"))
    assert "Quillfeather" not in said
    (tmp_path / "w.names").unlink()
    said = refused(*own, "Quillfeather, Avery")
    assert "'Quillfeather, Avery' is no pseudonym of this workspace, and names are not known here." in said
    assert radcal(*own, known["Quillfeather, Avery"]).status == 0


def test_files_of_results_ask_the_names_key_for_names(apart, radcal, refused, tmp_path):
    own = ("casemix", "--workspace", tmp_path / "w.radcal", "--by", "site", "--out", tmp_path / "C.json")
    assert radcal(*own).status == 0
    assert "Quillfeather" not in (tmp_path / "C.json").read_text(encoding="utf-8")
    assert radcal(*own, "--names").status == 0
    assert "Quillfeather, Avery" in (tmp_path / "C.json").read_text(encoding="utf-8")
    (tmp_path / "w.names").rename(tmp_path / "x.names")
    assert "There is no file" in refused(*own, "--names")
    assert radcal(*own, "--names", "--names-key", tmp_path / "x.names").status == 0


def test_names_are_kept_in_one_place(apart, refused, words, tmp_path):
    assert "keeps names apart" in refused(*words)
    assert "not both" in refused(*words, "--names-key", tmp_path / "x.names")
