"""Writes SHA256SUMS of the packages in a folder, as `sha256sum --check SHA256SUMS` reads it.

python -m tools.shipping.checksums dist
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

NAME = "SHA256SUMS"
_PACKAGES = (".deb", ".tar.xz", ".zip")


def sums(folder: Path) -> str:
    """A line for each package in a folder, in the order of their names."""
    lines = []
    for file in sorted(folder.iterdir()):
        if file.name.endswith(_PACKAGES):
            with file.open("rb") as stream:
                lines.append(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {file.name}\n")
    return "".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the checksums of the packages in a folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(argv).folder
    text = sums(folder)
    (folder / NAME).write_bytes(text.encode())
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
