"""What RadCal consists of: its Python packages as installed here, the libraries within them, its font and its model."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Literal

from radcal.resources import model_file, resource

_LICENCE_FILES = ("licen", "copying", "notice")
_CLASSIFIER = "License :: OSI Approved :: "
_PLAIN = {"MIT License": "MIT", "Apache Software License": "Apache-2.0"}
"""Classifiers that leave no doubt which licence is meant, and their SPDX identifiers."""


@dataclass(frozen=True, slots=True)
class Component:
    """A part of RadCal.

    kind: 'package' of Python; 'library' within one; 'model' or 'data'
    licence: SPDX expression, or the package's own words; '' if it does not say
    needs: names of the components that it depends on, or consists of
    file: of the installation, for models and data
    """

    name: str
    version: str
    licence: str
    kind: Literal["package", "library", "model", "data"] = "package"
    about: str = ""
    needs: tuple[str, ...] = ()
    file: Path | None = None


def components() -> tuple[Component, ...]:
    """RadCal itself, then all parts of this installation by name; packages that are not installed are left out."""
    told = tomllib.loads(resource("components.toml").read_text(encoding="utf-8"))
    packages = {name: _package(name, found, told) for name, found in _installed().items()}
    own = packages.pop("radcal", Component("radcal", "", "Apache-2.0 AND OFL-1.1"))
    parts = [_part(part, packages) for part in told["parts"]]
    return (own, *sorted((*packages.values(), *parts), key=lambda c: c.name.casefold()))


def licence_texts(name: str) -> tuple[str, ...]:
    """The licence texts that come with an installed package, in the order of its files; none for other components."""
    found = _installed().get(_normal(name))
    if found is None:
        return ()
    files = [f for f in found.files or () if any(word in f.name.casefold() for word in _LICENCE_FILES)]
    paths = [Path(str(found.locate_file(f))) for f in files if f.suffix not in (".py", ".pyc")]
    return tuple(path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file())


@cache
def _installed() -> dict[str, Distribution]:
    """The packages that RadCal needs to run, and what these need, by their normalised names."""
    found: dict[str, Distribution] = {}
    wanted = ["radcal"]
    while wanted:
        name = wanted.pop()
        if name not in found:
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


def _package(name: str, found: Distribution, told: dict[str, Any]) -> Component:
    described = found.metadata
    stated = [*(described.get_all("License-Expression") or ()), *(described.get_all("License") or ())]
    classified = [_PLAIN.get(c.removeprefix(_CLASSIFIER), "") for c in described.get_all("Classifier") or ()]
    candidates = [told["licences"].get(name, ""), *(text for text in stated if "\n" not in text), *classified]
    licence = next(filter(None, candidates), "")
    needs = (*_needs(found), *(part["name"] for part in told["parts"] if part.get("within") == name))
    return Component(described["Name"], found.version, licence, about=described["Summary"], needs=needs)


def _part(part: dict[str, Any], packages: dict[str, Component]) -> Component:
    path = part.get("file", "")
    folder, _, rest = path.partition("/")
    file = None if not path else resource(rest) if folder == "resources" else model_file(rest)
    within = packages.get(part.get("within", ""))
    about = f"{part['about']}; part of {within.name} {within.version}" if within else part["about"]
    return Component(part["name"], "", part["licence"], part["kind"], about, file=file)
