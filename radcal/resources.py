"""Where RadCal's data files are, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path

from radcal.errors import InputError


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. ``resource("lexicon", "phrases.csv")``.

    Raises:
        InputError: the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    # A wheel carries resources/ inside the package; a checkout has it beside the package.
    for root in (package / "_resources", package.parent / "resources"):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise InputError("The file {parts} of RadCal is missing. Install RadCal again.", parts="/".join(parts))


def model_file(name: str) -> Path:
    """The path of a model that ships with RadCal, in ``models/``.

    Raises:
        InputError: it is not there.
    """
    package = Path(__file__).resolve().parent
    for root in (package / "_models", package.parent / "models"):
        path = root / name
        if path.is_file():
            return path
    raise InputError(
        "The model {name} of RadCal is missing. Install RadCal again, or choose a model file of your own.", name=name
    )
