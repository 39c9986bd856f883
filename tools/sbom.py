"""Writes RadCal's bill of materials in CycloneDX: every part of this installation with version, licence and origin.

    python -m tools.sbom out/radcal.cdx.json

The list is of the machine that it is made on: Python packages for other systems are not installed there.
Source: CycloneDX 1.6 (ECMA-424).
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component as Entry
from cyclonedx.model.component import ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from radcal.system.components import Component, components

_TYPES = {
    "package": ComponentType.LIBRARY,
    "library": ComponentType.LIBRARY,
    "model": ComponentType.MACHINE_LEARNING_MODEL,
    "data": ComponentType.DATA,
    "platform": ComponentType.PLATFORM,
}


def bill(parts: Sequence[Component]) -> Bom:
    """The bill of materials of some components, of which the first is the product; it names what each depends on."""
    entries = {part.ref: _entry(part) for part in parts}
    bom = Bom()
    product = entries[parts[0].ref]
    product.type = ComponentType.APPLICATION
    bom.metadata.component = product
    for part in parts:
        entry = entries[part.ref]
        if entry is not product:
            bom.components.add(entry)
        needs = [entries[ref] for ref in part.needs if ref in entries]
        if part is parts[0]:
            needs += [entries[p.ref] for p in parts if p.kind in ("model", "data", "platform")]
        bom.register_dependency(entry, needs)
    return bom


def _entry(part: Component) -> Entry:
    licences = [LicenseFactory().make_from_string(part.licence)] if part.licence else []
    hashes = []
    if part.file is not None:
        hashes = [HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(part.file.read_bytes()).hexdigest())]
    return Entry(
        name=part.name,
        version=part.commit or part.version or None,
        type=_TYPES[part.kind],
        bom_ref=f"{part.kind}:{part.ref}",
        description=part.about or None,
        licenses=licences,
        hashes=hashes,
        purl=_purl(part),
    )


def _purl(part: Component) -> PackageURL | None:
    """The package URL, by which the component is found in lists of weaknesses."""
    if part.commit:
        owner, _, name = part.repository.partition("/")
        return PackageURL("github", namespace=owner, name=name, version=part.commit)
    origin = {"package": "pypi", "library": "generic", "platform": "generic"}.get(part.kind)
    name = part.ref if part.kind == "package" else part.name.casefold()
    return PackageURL(origin, name=name, version=part.version or None) if origin else None


def written(parts: Sequence[Component]) -> str:
    """The bill of materials as JSON of CycloneDX 1.6."""
    outputter = make_outputter(bill(parts), OutputFormat.JSON, SchemaVersion.V1_6)
    return str(outputter.output_as_string(indent=2))


def main() -> None:
    """Write the file that the command line names."""
    command = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    command.add_argument("out", type=Path, help="the file, such as out/radcal.cdx.json")
    out: Path = command.parse_args().out
    parts = components()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(written(parts), encoding="utf-8")
    print(f"{len(parts)} components are in {out}.")
    for lacks, names in {
        "licence": [part.name for part in parts if not part.licence],
        "version": [part.name for part in parts if not part.version],
    }.items():
        if names:
            print(f"Without a {lacks}: {', '.join(names)}.")


if __name__ == "__main__":
    main()
