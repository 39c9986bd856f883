"""The dtypes of declared columns: pandas takes longer to find one by its name than to make a column of it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


@cache
def text_dtype() -> pd.StringDtype:
    """The dtype that pandas calls "str"."""
    import pandas as pd

    return pd.StringDtype(na_value=float("nan"))
