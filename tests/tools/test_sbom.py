"""The bill of materials: valid, whole, and true to what is installed."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import tomllib
from importlib.metadata import Distribution, version
from pathlib import Path

import numpy
import pytest

from radcal.components import Component, components, licence_texts
from radcal.resources import model_file
from tools.sbom import written

ROOT = Path(__file__).resolve().parents[2]


def test_it_is_valid_and_names_every_declared_dependency():
    from cyclonedx.schema import SchemaVersion  # slow to import
    from cyclonedx.validation.json import JsonStrictValidator

    text = written(components())
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    made = json.loads(text)
    listed = {
        c["purl"].removeprefix("pkg:pypi/").split("@")[0]: c
        for c in made["components"]
        if c.get("purl", "").startswith("pkg:pypi/")
    }
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    for requirement in declared:
        name = re.match(r"[\w.-]+", requirement)[0].lower()
        assert listed[name]["version"] == version(name)
    assert "pytest" not in listed
    assert made["metadata"]["component"]["name"] == "radcal"


def test_everything_is_reached_from_the_product():
    made = json.loads(written(components()))
    needs = {d["ref"]: d.get("dependsOn", []) for d in made["dependencies"]}
    reached, wanted = set(), [made["metadata"]["component"]["bom-ref"]]
    while wanted:
        reached.add(ref := wanted.pop())
        wanted += [r for r in needs[ref] if r not in reached]
    assert reached == needs.keys() == {c["bom-ref"] for c in made["components"]} | {"package:radcal"}


def test_every_component_has_a_licence_and_the_model_its_checksum():
    made = json.loads(written(components()))
    assert [c["name"] for c in made["components"] if not c.get("licenses")] == []
    [model] = [c for c in made["components"] if c["type"] == "machine-learning-model"]
    checksum = hashlib.sha256(model_file("radcal-mini-q8_0.gguf").read_bytes()).hexdigest()
    assert model["hashes"] == [{"alg": "SHA-256", "content": checksum}]


def test_licences_are_those_of_the_licence_files():
    """What we state for packages that do not, beside the words of their own licence files."""
    words = {"BSD-3-Clause": "redistribution and use in source and binary forms", "Zlib": "altered source versions"}
    told = tomllib.loads((ROOT / "resources" / "components.toml").read_text())["licences"]
    parts = {part.ref: part for part in components()}
    checked = 0
    for name, licence in told.items():
        if licence in words and (texts := licence_texts(parts.get(name, Component(name, "", "")))):
            assert any(words[licence] in " ".join(text.casefold().split()) for text in texts), name
            checked += 1
    assert checked >= 4


def test_every_component_has_a_version_and_its_licence_texts():
    assert [part.ref for part in components() if not part.version] == []
    assert [part.ref for part in components() if not licence_texts(part)] == []


def test_licence_texts_that_radcal_ships_for_others_are_not_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """pip puts RadCal's data inside its package, the licence texts of Qt and others among them."""
    shipped = {
        "radcal-0.1.0.dist-info/licenses/LICENSE": "ours",
        "radcal/_resources/licences/LGPL-3.0.txt": "Qt's",
        "radcal/_resources/fonts/LICENSE-Inter.txt": "the font's",
        "radcal/__init__.py": "",
    }
    for name, text in shipped.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    about = tmp_path / "radcal-0.1.0.dist-info"
    (about / "RECORD").write_text("".join(f"{name},,\n" for name in shipped), encoding="utf-8")
    monkeypatch.setattr("radcal.components._installed", lambda: {"radcal": Distribution.at(about)})
    assert licence_texts(Component("radcal", "0.1.0", "", texts=("radcal",))) == ("ours",)


def test_versions_are_what_the_libraries_say_themselves():
    from llama_cpp import llama_version
    from pypdfium2 import PDFIUM_INFO
    from PySide6.QtCore import qVersion

    said = {part.name: part.version for part in components()}
    assert said["Qt"] == qVersion()
    assert said["llama.cpp"] == llama_version().decode()
    assert said["PDFium"] == str(PDFIUM_INFO).partition("@")[0]
    assert said["Python"] == platform.python_version()
    font = (ROOT / "resources" / "fonts" / "Inter-Regular.otf").read_bytes()
    assert f"Version {said['Inter']};".encode("utf-16-be") in font


def test_libraries_that_packages_carry_are_parts_of_them():
    """Where the folders of this installation say what is carried, each file has a component of its package."""
    carried = {(part.within, part.name) for part in components() if part.kind == "library"}
    for folder in Path(numpy.__file__).parents[1].glob("*.libs"):
        package = folder.name.removesuffix(".libs").replace("_", "-")
        for file in folder.iterdir():
            names = [name for within, name in carried if within == package]
            assert any(name.casefold().removeprefix("lib") in file.name for name in names), file
    assert {("sqlcipher3", "OpenSSL"), ("cryptography", "OpenSSL"), ("sqlcipher3", "SQLite")} <= carried
