"""Whether a compound file (.xls) is whole.

The reader of workbooks follows the sector chains of a compound file without looking for loops: an
incomplete download, zero-filled at its end, would use up all memory.  So the chains are walked here first.
Source: Microsoft, [MS-CFB] Compound File Binary File Format.
"""

from __future__ import annotations

import struct

_HEADER = struct.Struct("<24x H H H H H 6x I I I I I I I I I")
_DIFAT_IN_HEADER = 109
_LAST_SECTOR = 0xFFFFFFFA
"""Sector numbers above it are marks: end of chain, free, and the like."""
_END = 0xFFFFFFFE
_ENTRY = 128
_STREAM, _ROOT = 2, 5


def is_whole(data: bytes) -> bool:
    """Whether every chain of the file ends, stays inside of it and is as long as its stream."""
    try:
        _check(data)
    except (ValueError, struct.error, IndexError):
        return False
    return True


def _check(data: bytes) -> None:
    (_, _, _, sector_shift, mini_shift, _, _, directory, _, cutoff, mini_fat, _, difat, n_difat) = _HEADER.unpack_from(
        data
    )
    if sector_shift not in (9, 12) or mini_shift != 6:
        raise ValueError
    size = 1 << sector_shift
    n_sectors = (len(data) + size - 1) // size - 1

    def sector(number: int) -> bytes:
        if number >= n_sectors:
            raise ValueError
        return data[(number + 1) * size : (number + 2) * size].ljust(size, b"\0")

    def numbers(of: list[int]) -> list[int]:
        return [value for s in of for (value,) in struct.iter_unpack("<I", sector(s))]

    fat_sectors = list(struct.unpack_from(f"<{_DIFAT_IN_HEADER}I", data, 76))
    if n_difat > n_sectors:
        raise ValueError
    for _ in range(n_difat):
        *more, difat = numbers([difat])
        fat_sectors += more
    fat = numbers([s for s in fat_sectors if s < _LAST_SECTOR])

    def chain(start: int, table: list[int]) -> list[int]:
        found: list[int] = []
        while start != _END:
            if start >= len(table) or len(found) > len(table):
                raise ValueError
            found.append(start)
            start = table[start]
        return found

    entries = b"".join(map(sector, chain(directory, fat)))
    mini = numbers(chain(mini_fat, fat))
    roots = 0
    for at in range(0, len(entries), _ENTRY):
        kind = entries[at + 66]
        start, length = struct.unpack_from("<II", entries, at + 116)
        if kind == _ROOT:
            roots += 1
        if kind == _STREAM and length and length < cutoff:
            if len(chain(start, mini)) * 64 < length:
                raise ValueError
        elif kind in (_STREAM, _ROOT) and length:
            sectors = chain(start, fat)
            if len(sectors) * size < length or max(sectors) >= n_sectors:
                raise ValueError
    if roots != 1:
        raise ValueError
