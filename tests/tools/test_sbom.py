"""The bill of materials: valid, whole, and true to what is installed."""

from __future__ import annotations

import ctypes
import hashlib
import json
import platform
import re
import runpy
import subprocess
import sys
import tomllib
import types
from importlib.metadata import Distribution, distribution, version
from pathlib import Path

import numpy
import pytest

from radcal.system.components import Component, components, licence_texts
from radcal.system.resources import model_file
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
    monkeypatch.setattr("radcal.system.components._installed", lambda: {"radcal": Distribution.at(about)})
    assert licence_texts(Component("radcal", "0.1.0", "", texts=("radcal",))) == ("ours",)


def test_a_package_that_says_nothing_of_itself_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """zxcvbn has no summary; once Dask has loaded importlib_metadata, asking for what is missing is an error."""
    backport = pytest.importorskip("importlib_metadata")
    (tmp_path / "METADATA").write_text("Metadata-Version: 2.1\nName: short\nVersion: 1.2\n", encoding="utf-8")
    monkeypatch.setattr("radcal.system.components._installed", lambda: {"short": backport.Distribution.at(tmp_path)})
    assert ("short", "1.2", "") in [(part.name, part.version, part.about) for part in components()]


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
    """Where the folders of what ships say what is carried, each file has a component of its package."""
    shipped = set(re.findall(r"^([\w.-]+)", (ROOT / "requirements-run.lock").read_text(encoding="utf-8"), re.MULTILINE))
    carried = {(part.within, part.name) for part in components() if part.kind == "library"}
    for folder in Path(numpy.__file__).parents[1].glob("*.libs"):
        package = folder.name.removesuffix(".libs").replace("_", "-")
        for file in folder.iterdir() if package in shipped else ():
            names = [name for within, name in carried if within == package]
            assert any(name.casefold().removeprefix("lib") in file.name.casefold() for name in names), file
    assert {("sqlcipher3", "OpenSSL"), ("cryptography", "OpenSSL"), ("sqlcipher3", "SQLite")} <= carried


def test_llama_cpp_is_named_by_the_commit_that_it_was_built_from():
    """The library tells the beginning of it; the list names the whole, for the version that is pinned alone."""
    from llama_cpp import _ggml

    [part] = [part for part in components() if part.name == "llama.cpp"]
    asked = _ggml.libggml.ggml_commit
    asked.restype = ctypes.c_char_p
    told = asked().decode().removesuffix("-dirty")
    assert re.fullmatch(r"[0-9a-f]{40}", part.commit)
    assert told == "unknown" or (len(told) >= 7 and part.commit.startswith(told))
    pinned = re.search(r"llama-cpp-python==([\d.]+)", (ROOT / "pyproject.toml").read_text())[1]
    [entry] = [p for p in tomllib.loads((ROOT / "resources" / "components.toml").read_text())["parts"] if "commit" in p]
    assert entry["commit_within"] == pinned == version("llama-cpp-python")
    made = json.loads(written(components()))
    [listed] = [c for c in made["components"] if c["name"] == "llama.cpp"]
    assert listed["version"] == part.commit
    assert listed["purl"] == f"pkg:github/ggml-org/llama.cpp@{part.commit}"


def test_what_is_left_out_is_in_no_list_and_not_loaded():
    assert "diskcache" not in written(components())
    code = (
        "import sys; sys.modules['diskcache'] = None\n"  # as if it were not there
        "from radcal.findings.model import native\n"
        "assert not hasattr(sys.modules['diskcache'], 'Cache'); print(native.version())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)  # noqa: S603 - our own words
    assert done.stdout.strip() == version("llama-cpp-python")


def test_the_package_leaves_out_what_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The recipe of the packaged program, with all that it asks PyInstaller for noted."""
    hooks, noted = types.ModuleType("PyInstaller.utils.hooks"), {}
    for name in ("collect_data_files", "collect_submodules"):
        setattr(hooks, name, lambda *_: [])
    hooks.collect_all = lambda package, filter_submodules: ([], [], [package])
    here = Path(version_folder("diskcache")), Path(version_folder("llama-cpp-python"))
    hooks.copy_metadata = lambda *_, **__: [(str(folder), folder.name) for folder in here]
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr("tools.shipping.icon.icon", lambda _: None)
    runpy.run_path(
        str(ROOT / "packaging" / "radcal.spec"),
        {
            "SPECPATH": str(ROOT / "packaging"),
            "workpath": str(tmp_path),
            "Analysis": lambda *_, **given: (
                noted.update(given) or types.SimpleNamespace(binaries=[], datas=[], pure=[], scripts=[])
            ),
            **dict.fromkeys(("PYZ", "EXE", "COLLECT"), lambda *_, **__: None),
        },
    )
    assert "diskcache" in noted["excludes"]
    assert "llama_cpp" in noted["hiddenimports"]
    copied = [name for _, name in noted["datas"]]
    assert any(name.startswith("llama_cpp_python") for name in copied)
    assert not [name for name in copied if "diskcache" in name]


def version_folder(name: str) -> str:
    return str(distribution(name)._path)
