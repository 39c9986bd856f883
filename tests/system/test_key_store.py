"""The key store: which stores are asked, and what is said of one that is not there, is locked or does not answer."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import threading
import types
from pathlib import Path
from typing import ClassVar

import pytest

from radcal.system import key_store
from radcal.system.key_store import KeyStoreUnavailable
from radcal.system.processes import child_environment

UNIX = "unix:path=/nowhere/bus"


class Store:
    """A store in memory."""

    priority = 5.0
    held: ClassVar[dict[tuple[str, str], str]] = {}

    def get_password(self, service: str, name: str) -> str | None:
        return self.held.get((service, name))

    def set_password(self, service: str, name: str, password: str) -> None:
        self.held[service, name] = password

    def delete_password(self, service: str, name: str) -> None:
        del self.held[service, name]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> type[Store]:
    made = types.ModuleType("tests_store")
    made.Store = Store  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tests_store", made)
    monkeypatch.setattr(key_store, "_OTHERS", (("tests_store", "Store", "Secret Service"),))
    monkeypatch.setattr(key_store, "_known", lambda: key_store._OTHERS)
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", UNIX)
    monkeypatch.setattr(Store, "held", {})
    return Store


def test_what_is_remembered_comes_back_until_it_is_forgotten(store: type[Store]) -> None:
    assert key_store.remembered("ab") is None
    assert key_store.remember("ab", "plum tree") == key_store.name() == "Secret Service"
    assert key_store.remembered("ab") == "plum tree"
    assert key_store.remembered("cd") is None
    assert store.held == {("RadCal", "ab"): "plum tree"}
    key_store.forget("ab")
    key_store.forget("ab")
    assert store.held == {}


@pytest.mark.parametrize("address", ["", "tcp:host=evil.example,port=1", f"{UNIX};tcp:host=evil.example"])
def test_a_bus_of_another_computer_is_never_asked(
    store: type[Store], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    with pytest.raises(KeyStoreUnavailable, match="no key store that RadCal uses here"):
        key_store.remember("ab", "plum tree")
    assert store.held == {}


def test_one_that_does_not_answer_is_given_up(store: type[Store], monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(key_store, "PATIENCE_S", 0.02)
    monkeypatch.setattr(store, "get_password", lambda *_: over.wait(60))
    with pytest.raises(KeyStoreUnavailable, match="does not answer"):
        key_store.remembered("ab")
    over.set()


def test_what_a_locked_one_says_is_not_repeated(store: type[Store], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("plum tree")

    monkeypatch.setattr(store, "set_password", refuse)
    with pytest.raises(KeyStoreUnavailable, match=r"locked or refuses \(RuntimeError\)") as caught:
        key_store.remember("ab", "plum tree")
    assert "plum" not in str(caught.value)


def test_neither_settings_nor_variables_nor_packages_bring_another_store(tmp_path: Path) -> None:
    """keyring would take a plain file that a variable or a settings file names; RadCal does not."""
    (tmp_path / "python_keyring").mkdir()
    mark = tmp_path / "mark"
    (tmp_path / "evil.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    config = f"[backend]\ndefault-keyring=evil.Keyring\nkeyring-path={tmp_path}\n"
    (tmp_path / "python_keyring" / "keyringrc.cfg").write_text(config)
    code = "from radcal.system import key_store; key_store.remember('ab', 'plum tree')"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHON_KEYRING_BACKEND": "evil.Keyring", "XDG_CONFIG_HOME": str(tmp_path)}
        | {"XDG_DATA_HOME": str(tmp_path), "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}
        | {"PYTHONPATH": f"{Path(__file__).parents[2]}{os.pathsep}{tmp_path}"},
    )
    assert "KeyStoreUnavailable" in done.stderr
    assert not mark.exists()
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"plum tree" in path.read_bytes()]


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux"])
def test_only_stores_that_encrypt_are_known(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    modules = {module for module, _, _ in key_store._known()}
    assert modules <= {f"keyring.backends.{name}" for name in ("Windows", "macOS", "SecretService", "kwallet")}


def test_children_do_not_inherit_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("DBUS_SESSION_BUS_ADDRESS", "PYTHON_KEYRING_BACKEND", "KEYRING_PROPERTY_APPID", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(variable, "x")
        assert variable not in child_environment(("CUDA_",), ("HOME",))


def test_keyring_is_not_imported_before_it_is_asked_for() -> None:
    tree = ast.parse(Path(key_store.__file__).read_text(encoding="utf-8"))
    imported = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert not any("keyring" in ast.unparse(node) for node in imported)
