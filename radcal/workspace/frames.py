"""Conversion of DataFrames to rows of a table or to column blobs, and back with the same dtypes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from radcal.system.errors import DataError

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


@cache
def text_dtype() -> pd.StringDtype:
    """The dtype that pandas calls "str"."""
    import pandas as pd

    return pd.StringDtype(na_value=float("nan"))


# Kinds of columns, which the driver sees as int, float or str, and their dtypes.
KINDS: Mapping[str, str] = {"str": "str", "int": "int64", "float": "float64", "time": "datetime64[ns]"}
UTC = "utc"
"""Kind of the workspace's own times: ISO text in the database, datetime64[ns, UTC] in frames."""


def kinds_of(declared: Mapping[str, str]) -> dict[str, str]:
    """The kinds of columns from declarations such as 'int: line of the file'."""
    words = {name: text.split(":")[0].split()[0] for name, text in declared.items()}
    return {name: "time" if word == "datetime64[ns]" else word for name, word in words.items()}


def kinds_in(text: str) -> dict[str, str]:
    """The kinds of columns from a text such as "name:str n:int"."""
    return {name: kind for name, _, kind in (entry.partition(":") for entry in text.split())}


def to_rows(frame: pd.DataFrame, kinds: Mapping[str, str], what: str) -> list[tuple[Any, ...]]:
    """The declared columns as tuples for the database; others are ignored.

    Raises:
        DataError: a column is missing, has missing values or values of another type.
    """
    missing = [name for name in kinds if name not in frame.columns]
    if missing:
        raise DataError("The {what} have no column {missing!r}.", what=what, missing=missing[0])
    return list(zip(*(_values(frame[name], kind, what) for name, kind in kinds.items()), strict=True))


def _values(column: pd.Series[Any], kind: str, what: str) -> list[Any]:
    if column.isna().any():
        row = int(column.isna().to_numpy().argmax()) + 1
        raise DataError(
            "The {what} have no value in column {name!r} of row {row}.", what=what, name=column.name, row=row
        )
    if column.empty:  # of any dtype
        return []
    if kind == "str":
        values = column.tolist()
        if all(type(v) is str for v in values):
            return values
        # The database driver does not accept enumerations.
        if all(isinstance(v, str) for v in values):
            return [str(v) for v in values]
        raise DataError("The {what} have something other than text in column {name!r}.", what=what, name=column.name)
    try:
        if kind == "time":
            values = column.astype("datetime64[ns]").astype("int64").tolist()
        elif kind == "int":
            # "safe" refuses to truncate 1.5 to 1
            values = column.infer_objects().to_numpy().astype("int64", casting="safe").tolist()
        else:
            values = column.astype("float64").tolist()
    except (ValueError, TypeError, OverflowError):
        raise DataError(
            "The {what} have something other than {kinds} in column {name!r}: {dtype}.",
            what=what,
            kinds=KINDS[kind],
            name=column.name,
            dtype=column.dtype,
        ) from None
    return list(values)


def to_frame(batches: Iterable[Sequence[tuple[Any, ...]]], kinds: Mapping[str, str]) -> pd.DataFrame:
    """Rows of the database, some at a time, as a DataFrame with the dtypes of ``kinds`` and a default index."""
    import pandas as pd

    parts: list[list[NDArray[Any]]] = [[] for _ in kinds]
    for rows in batches:
        for part, kind, values in zip(parts, kinds.values(), zip(*rows, strict=True), strict=True):
            part.append(_array(values, kind))
    # The parts of a column are dropped as soon as they are put together.
    data = {name: _column(parts.pop(0), kind) for name, kind in kinds.items()}
    return pd.DataFrame(data, columns=list(kinds))


def _array(values: Sequence[Any], kind: str) -> NDArray[Any]:
    """Some values of a column; a text that comes several times is one object."""
    import numpy as np

    if kind in ("str", UTC):
        known: dict[Any, Any] = {}
        made = np.empty(len(values), dtype=object)
        made[:] = [known.setdefault(value, value) for value in values]
        return made
    return np.array(values, dtype="float64" if kind == "float" else "int64")


def _column(parts: list[NDArray[Any]], kind: str) -> Any:
    import numpy as np
    import pandas as pd

    values = np.concatenate(parts) if parts else _array((), kind)
    if kind == "str":
        return pd.array(values, dtype=text_dtype())
    if kind == UTC:
        return pd.Series(pd.to_datetime(values, utc=True, format="ISO8601"), dtype="datetime64[ns, UTC]")
    return values.view("datetime64[ns]") if kind == "time" else values


def pack(column: pd.Series[Any]) -> tuple[str, bytes]:
    """A column of any usual dtype as (kind, compressed bytes).

    Raises:
        DataError: a dtype that cannot be stored, such as lists in cells.
    """
    import numpy as np
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        inner, data = pack(pd.Series(dtype.categories))
        codes, where = pack(pd.Series(column.cat.codes))
        head = json.dumps([inner, codes, len(data), bool(dtype.ordered)])
        return f"category {head}", data + where
    if isinstance(dtype, pd.StringDtype) or dtype.kind == "O":
        values = [None if missing else v for v, missing in zip(column.tolist(), column.isna(), strict=True)]
        if any(v is not None and not isinstance(v, str) for v in values):
            raise DataError(
                "Column {name!r} has something other than text, which the workspace cannot keep.", name=column.name
            )
        return ("str" if isinstance(dtype, pd.StringDtype) else "object"), zlib.compress(json.dumps(values).encode(), 1)
    if not isinstance(dtype, np.dtype) or dtype.kind not in "biufM":
        raise DataError(
            "Column {name!r} has the dtype {dtype}, which the workspace cannot keep.", name=column.name, dtype=dtype
        )
    little = dtype.newbyteorder("<")
    return little.str, zlib.compress(column.to_numpy().astype(little).tobytes(), 1)


def unpack(kind: str, data: bytes) -> pd.Series[Any]:
    """The inverse of :func:`pack`."""
    import numpy as np
    import pandas as pd

    if kind.startswith("category "):
        inner, codes, length, ordered = json.loads(kind.removeprefix("category "))
        categories = pd.Index(unpack(inner, data[:length]))
        values = pd.Categorical.from_codes(
            unpack(codes, data[length:]).to_numpy(), categories=categories, ordered=ordered
        )
        return pd.Series(values)
    raw = zlib.decompress(data)
    if kind in ("str", "object"):
        return pd.Series(json.loads(raw), dtype=kind)
    return pd.Series(np.frombuffer(raw, dtype=np.dtype(kind)).copy())
