"""Presets on a listed file: what of them applies, and the mapping of a file saved as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.reports.column_names import simplified
from radcal.reports.presets import SUFFIX, preset_called, read_preset, shipped_presets, toml_of
from radcal.reports.records import Preset
from radcal.system import exports

if TYPE_CHECKING:
    from radcal.reports.importing import ReportFile
    from radcal.reports.preview import Preview
    from radcal.system.exports import Export

__all__ = [
    "SUFFIX",
    "applied",
    "made_of",
    "preset_called",
    "preset_file",
    "read_preset",
    "shipped_presets",
    "simplified",
]


def applied(preset: Preset, preview: Preview) -> dict[str, str]:
    """Fields to columns of a file: those of the preset that it has, and what was recognised of the others."""
    there = {simplified(column): column for column in reversed(preview.columns)}
    fields = {name for name, _ in preview.fields}
    own = {f: there[simplified(c)] for f, c in preset.columns if f in fields and simplified(c) in there}
    taken = set(own.values())
    return {**{f: c for f, c in preview.mapping.items() if f not in own and c not in taken}, **own}


def made_of(file: ReportFile, mapping: Mapping[str, str], name: str) -> Preset:
    """The way a file is read, as a preset; what the mapping does not say is that of the file's preset."""
    base = file.preset
    day_first = base.day_first if file.day_first is None else file.day_first
    return replace(base, name=name, about="", columns=tuple(mapping.items()), day_first=day_first)


def preset_file(preset: Preset) -> Export:
    """The file of a preset."""
    return exports.text(toml_of(preset), "preset of columns", columns=len(preset.columns))
