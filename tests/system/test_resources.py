from __future__ import annotations

import pytest

from radcal.system import resources
from radcal.system.errors import InputError


def test_files_are_found_in_an_installed_package_before_a_checkout(tmp_path, monkeypatch):
    package = tmp_path / "radcal"
    package.mkdir()
    monkeypatch.setattr(resources, "__file__", str(package / "system" / "resources.py"))
    in_checkout = tmp_path / "resources" / "lexicon" / "words.csv"
    in_checkout.parent.mkdir(parents=True)
    in_checkout.write_text("checkout")
    assert resources.resource("lexicon", "words.csv") == in_checkout

    installed = package / "_resources" / "lexicon" / "words.csv"
    installed.parent.mkdir(parents=True)
    installed.write_text("wheel")
    assert resources.resource("lexicon", "words.csv") == installed
    assert resources.resource("lexicon") == installed.parent


def test_a_missing_file_is_named_with_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "radcal" / "system" / "resources.py"))
    with pytest.raises(InputError, match=r"The file lexicon/none\.csv of RadCal is missing\. Install RadCal again\."):
        resources.resource("lexicon", "none.csv")


def test_the_shipped_resources_are_there():
    assert resources.resource().is_dir()
