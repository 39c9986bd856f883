"""Which CT statements confirm an X-ray statement, and the meaning of a silent CT report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from radcal.errors import InputError
from radcal.lexicon._tables import read_table
from radcal.records import Confirmation
from radcal.resources import resource
from radcal.text import Text

if TYPE_CHECKING:
    from collections.abc import Collection

    from radcal.lexicon._tables import Row
    from radcal.settings import Settings

_FILE = "confirmations.csv"
_SILENCE = {"absent": True, "left out": False}


def load_confirmations(folder: Path | None = None, settings: Settings | None = None) -> tuple[Confirmation, ...]:
    """One Confirmation per pathology, in the order of ``confirmations.csv``.

    Columns of the file: xray, the pathology that the X-ray report states; confirmed_by, the CT pathologies
    that confirm it; optional, those that do only where the department says so; silent_ct, "absent" or
    "left out"; reason, for the reader.  Lists are separated by semicolons.

    Args:
        folder: where the file is; None for the one that ships with RadCal.
        settings: ``include_other_confirmations`` switches optional pairs "xray>ct" on; ``silence_absent`` and
            ``silence_left_out`` change what a silent CT means.  None for the defaults.

    Raises:
        InputError: the file is broken (the message names file, line and reason), or a setting names a
            pathology or pair that the file does not have.
    """
    rows = _read(folder)
    chosen = _chosen_pairs(rows, settings.include_other_confirmations if settings else (), _FILE)
    silence = _chosen_silence(rows, settings, _FILE)
    return tuple(
        Confirmation(
            xray=row["xray"],
            ct=tuple(
                dict.fromkeys(
                    (row["xray"], *row.items("confirmed_by"), *(ct for xray, ct in chosen if xray == row["xray"]))
                )
            ),
            silence_is_absent=silence.get(row["xray"], _SILENCE[row["silent_ct"]]),
        )
        for row in rows
    )


def optional_confirmations(folder: Path | None = None) -> tuple[str, ...]:
    """The pairs 'xray>ct' that ``Settings.include_other_confirmations`` can switch on, in the order of the file.

    Raises:
        InputError: the file is broken.
    """
    return tuple(f"{row['xray']}>{ct}" for row in _read(folder) for ct in row.items("optional"))


def _read(folder: Path | None) -> list[Row]:
    rows = read_table(
        (folder or resource("lexicon")) / _FILE, ("xray", "confirmed_by", "silent_ct"), ("optional", "reason")
    )
    _check(rows)
    return rows


def _check(rows: list[Row]) -> None:
    """Refuse lines that contradict themselves or each other."""
    names = [row["xray"] for row in rows]
    for i, row in enumerate(rows):
        if not row["xray"]:
            raise row.error(Text("xray is empty. Write a pathology or remove the line."))
        if row["xray"] in names[:i]:
            raise row.error(Text("{row!r} is already listed. Join the two lines.", row=row["xray"]))
        if row["silent_ct"] not in _SILENCE:
            raise row.error(Text("silent_ct is {row!r}. Write 'absent' or 'left out'.", row=row["silent_ct"]))
        for ct in (*row.items("confirmed_by"), *row.items("optional")):
            if ct not in names:
                raise row.error(Text("{ct!r} has no line of its own. Check its spelling, or add a line for it.", ct=ct))
        for ct in row.items("optional"):
            if ct in (row["xray"], *row.items("confirmed_by")):
                raise row.error(
                    Text(
                        "{ct!r} confirms {xray!r} in any case. Remove it from the optional ones.",
                        ct=ct,
                        xray=row["xray"],
                    )
                )


def _chosen_pairs(rows: list[Row], wanted: Collection[str], file: str) -> list[tuple[str, str]]:
    offered = {f"{row['xray']}>{ct}": (row["xray"], ct) for row in rows for ct in row.items("optional")}
    chosen = []
    for pair in wanted:
        written = ">".join(part.strip() for part in pair.split(">"))
        if written not in offered:
            raise InputError(
                "Setting include_other_confirmations: {file} offers no optional confirmation "
                "{pair!r}. It offers {offered}.",
                file=file,
                pair=pair,
                offered=", ".join(offered) or "none",
            )
        chosen.append(offered[written])
    return chosen


def _chosen_silence(rows: list[Row], settings: Settings | None, file: str) -> dict[str, bool]:
    if settings is None:
        return {}
    names = {row["xray"] for row in rows}
    for setting in ("silence_absent", "silence_left_out"):
        for name in getattr(settings, setting):
            if name not in names:
                raise InputError(
                    "Setting {setting}: {file} has no pathology {name!r}.", setting=setting, file=file, name=name
                )
    if both := set(settings.silence_absent) & set(settings.silence_left_out):
        raise InputError(
            "Settings silence_absent and silence_left_out both name {n!r}. Remove it from one of them.", n=min(both)
        )
    return dict.fromkeys(settings.silence_absent, True) | dict.fromkeys(settings.silence_left_out, False)
