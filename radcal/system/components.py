"""What RadCal consists of: Python, packages as installed here, the libraries within them, the font and the model."""

from __future__ import annotations

import json
import platform
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any, Literal

from radcal.system.resources import model_file, resource
from radcal.system.version import __version__

_LICENCE_FILES = ("licen", "copying", "notice")
_LICENCE_FOLDERS = {"licenses", "licences", "build_licenses"}
_OF_OTHERS = {"_resources", "_models"}
"""What RadCal ships, where pip puts it: its licence texts are those of other components, as the list says."""
_CARRIED_IN = re.compile(r".+\.libs|\.dylibs")
"""Folders in which packages carry libraries, as auditwheel, delvewheel and delocate make them."""
_FILE_VERSION = re.compile(r"\.so\.([\d.]+)$|[.-]([\d.]+)\.dylib$")
_AS_PACKAGE = "of the package"
_CLASSIFIER = "License :: OSI Approved :: "
_PLAIN = {"MIT License": "MIT", "Apache Software License": "Apache-2.0"}
"""Classifiers that leave no doubt which licence is meant, and their SPDX identifiers."""


@dataclass(frozen=True, slots=True)
class Component:
    """A part of RadCal.

    version: '' if it does not say
    licence: SPDX expression, or the package's own words; '' if it does not say
    kind: 'package' of Python; 'library' within one; 'model' or 'data'; 'platform', Python itself
    needs: of the components that it depends on, or consists of, what :attr:`ref` says
    file: of the installation, for models and data
    within: the name of the package that carries it, '' if none
    texts: where its licence texts are: files of the resources, and names of packages that come with them
    commit, repository: from which it was built, for a library between releases; '' if its version says enough
    """

    name: str
    version: str
    licence: str
    kind: Literal["package", "library", "model", "data", "platform"] = "package"
    about: str = ""
    needs: tuple[str, ...] = ()
    file: Path | None = None
    within: str = ""
    texts: tuple[str, ...] = ()
    commit: str = ""
    repository: str = ""

    @property
    def ref(self) -> str:
        """What tells it from all others: two packages may carry the same library."""
        own = _normal(self.name) if self.kind == "package" else self.name
        return f"{self.within}/{own}@{self.version}" if self.within else own


def versions() -> dict[str, str]:
    """Versions of RadCal and of the packages that results depend on."""
    return {"radcal": __version__, "python": platform.python_version(), **_of_packages()}


@cache
def _of_packages() -> dict[str, str]:
    return {package: version(package) for package in ("numpy", "scipy", "scikit-learn", "pandas", "pot", "typst")}


def components() -> tuple[Component, ...]:
    """RadCal itself, then all parts of this installation by name; packages that are not installed are left out."""
    listed, found = _listed(), _installed()
    parts = [_part(part, found) for part in listed["parts"] if part.get("within", "radcal") in found]
    parts += [part for name, package in found.items() for part in _carried(name, package, listed["carried"])]
    packages = {name: _package(name, package, listed, parts) for name, package in found.items()}
    own = packages.pop("radcal", Component("radcal", "", "Apache-2.0 AND OFL-1.1", texts=("radcal",)))
    return (own, *sorted((*packages.values(), *parts), key=lambda c: (c.name.casefold(), c.within)))


def licence_texts(part: Component) -> tuple[str, ...]:
    """The licence texts of a component of this installation."""
    return tuple(text for place in part.texts for text in _texts_at(place))


def _texts_at(place: str) -> Iterator[str]:
    if place.endswith(".txt"):
        yield resource(place).read_text(encoding="utf-8")
    elif place in (installed := _installed()):
        yield from (path.read_text(encoding="utf-8", errors="replace") for path in _licence_files(installed[place]))


def _licence_files(package: Distribution) -> list[Path]:
    """The licence texts that come with an installed package, in the order of its files."""
    files = [
        file
        for file in package.files or ()
        if not _OF_OTHERS & set(file.parts)
        and (
            any(word in file.name.casefold() for word in _LICENCE_FILES)
            or _LICENCE_FOLDERS & {folder.casefold() for folder in file.parts[:-1]}
        )
    ]
    paths = [Path(str(package.locate_file(file))) for file in files if file.suffix not in (".py", ".pyc")]
    return [path for path in paths if path.is_file()]


def _listed() -> dict[str, Any]:
    return tomllib.loads(resource("components.toml").read_text(encoding="utf-8"))


@cache
def _installed() -> dict[str, Distribution]:
    """The packages that RadCal needs to run, and what these need of use to it, by their normalised names."""
    found: dict[str, Distribution] = {}
    left_out = _listed()["left_out"]
    wanted = ["radcal"]
    while wanted:
        name = wanted.pop()
        if name not in found and name not in left_out:
            try:
                found[name] = distribution(name)
            except PackageNotFoundError:  # a packaged program may carry a library without its description
                continue
            wanted += _needs(found[name])
    return found


def _needs(package: Distribution) -> Iterator[str]:
    from packaging.requirements import Requirement

    for line in package.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _normal(requirement.name)


def _normal(name: str) -> str:
    from packaging.utils import canonicalize_name

    return str(canonicalize_name(name))


def _package(name: str, found: Distribution, listed: dict[str, Any], parts: Iterable[Component]) -> Component:
    described = found.metadata
    stated = [*(described.get_all("License-Expression") or ()), *(described.get_all("License") or ())]
    classified = [_PLAIN.get(c.removeprefix(_CLASSIFIER), "") for c in described.get_all("Classifier") or ()]
    candidates = [listed["licences"].get(name, ""), *(text for text in stated if "\n" not in text), *classified]
    licence = next(filter(None, candidates), "")
    needs = (*_needs(found), *(part.ref for part in parts if part.within == name))
    texts = (name, *listed["texts"].get(name, ()))
    about = "".join(described.get_all("Summary") or ())
    return Component(described["Name"], found.version, licence, about=about, needs=needs, texts=texts)


def _part(part: dict[str, Any], installed: dict[str, Distribution]) -> Component:
    """A part that the list names; parts of RadCal itself are within nothing."""
    path, within = part.get("file", ""), part.get("within", "")
    folder, _, rest = path.partition("/")
    file = None if not path else resource(rest) if folder == "resources" else model_file(rest)
    asked = _ASKED.get((part["name"], within))
    version = asked() if asked else part.get("version", "")
    if version == _AS_PACKAGE:
        package = installed.get(within or "radcal")
        version = package.version if package else ""
    about = _about(part["about"], installed[within]) if within else part["about"]
    texts, commit = tuple(part["texts"]), ""
    if "commit" in part and installed[within].version == part["commit_within"]:
        commit = part["commit"]
    repository = part.get("repository", "")
    kind, licence = part["kind"], part["licence"]
    return Component(part["name"], version, licence, kind, about, (), file, within, texts, commit, repository)


def _about(words: str, package: Distribution) -> str:
    return f"{words}; part of {package.metadata['Name']} {package.version}"


def _carried(name: str, package: Distribution, listed: Iterable[dict[str, Any]]) -> Iterator[Component]:
    """The libraries that a package carries in a folder of their own, each version once.

    One that the list does not name is given by the name of its file, without a licence.
    """
    given = set()
    for file in package.files or ():
        if not any(_CARRIED_IN.fullmatch(folder) for folder in file.parts[:-1]):
            continue
        known = next((one for one in listed if file.name.startswith(tuple(one["begins"]))), None)
        known_as = known or {
            "name": re.split(r"[-.]", file.name)[0],
            "licence": "",
            "about": "library",
            "texts": [name],
        }
        asked = _ASKED.get((known_as["name"], name))
        written = _FILE_VERSION.search(file.name)
        version = asked() if asked else next(filter(None, written.groups()), "") if written else ""
        about = _about(known_as["about"], package)
        part = Component(
            known_as["name"], version, known_as["licence"], "library", about, (), None, name, tuple(known_as["texts"])
        )
        if part.ref not in given:
            given.add(part.ref)
            yield part


def _from_sqlcipher(question: str) -> str:
    import sqlcipher3

    connection = sqlcipher3.connect(":memory:")
    try:
        connection.execute("PRAGMA key = 'none'")  # nothing is written; the libraries tell no version before it
        (said,) = connection.execute(question).fetchone()
    finally:
        connection.close()
    return _number_in(said)


def _openssl_of_cryptography() -> str:
    from radcal.system.sealed import ciphers

    return _number_in(ciphers())


def _pdfium() -> str:
    package = _installed()["pypdfium2"]
    parts = json.loads(Path(str(package.locate_file("pypdfium2_raw/version.json"))).read_text(encoding="utf-8"))
    return ".".join(str(parts[part]) for part in ("major", "minor", "build", "patch"))


def _openblas_of(package: str) -> Callable[[], str]:
    def ask() -> str:
        from importlib import import_module

        built = import_module(f"{package}.__config__").show(mode="dicts")["Build Dependencies"]
        return str(built["blas"]["version"])

    return ask


def _of_lxml(library: str) -> Callable[[], str]:
    def ask() -> str:
        from importlib import import_module

        return ".".join(map(str, getattr(import_module("lxml.etree"), f"{library}_VERSION")))

    return ask


def _number_in(said: str) -> str:
    """The version in "OpenSSL 3.6.0 1 Oct 2025" or "4.19.0 community"."""
    found = re.search(r"\d+(?:\.\w+)+", said)
    return found[0] if found else said


_ASKED: dict[tuple[str, str], Callable[[], str]] = {
    ("Python", ""): platform.python_version,
    ("SQLCipher", "sqlcipher3"): lambda: _from_sqlcipher("PRAGMA cipher_version"),
    ("SQLite", "sqlcipher3"): lambda: _from_sqlcipher("SELECT sqlite_version()"),
    ("OpenSSL", "sqlcipher3"): lambda: _from_sqlcipher("PRAGMA cipher_provider_version"),
    ("OpenSSL", "cryptography"): _openssl_of_cryptography,
    ("PDFium", "pypdfium2"): _pdfium,
    ("libxml2", "lxml"): _of_lxml("LIBXML"),
    ("libxslt", "lxml"): _of_lxml("LIBXSLT"),
    ("OpenBLAS", "numpy"): _openblas_of("numpy"),
    ("OpenBLAS", "scipy"): _openblas_of("scipy"),
}
"""How components within packages are asked for their version."""
