"""A target distribution of phrase use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.words.tables import read_table

if TYPE_CHECKING:
    from radcal.words.phrases import Lexicon


def read_target_use(path: Path, lexicon: Lexicon) -> dict[str, float]:
    """A target use, {phrase: share}, from a CSV file with the columns phrase and use.

    ``use`` is any weight of 0 or more; the shares add to 1.

    Raises:
        InputError: the file is broken; the message names file, line and reason.
    """
    use: dict[str, float] = {}
    for row in read_table(path, ("phrase", "use")):
        phrase = lexicon.find(row["phrase"])
        if phrase is None:
            raise row.error(Text("the phrase is in no list. Check its spelling, or add it to the lexicon."))
        weight = row.number("use")
        if weight < 0:
            raise row.error(Text("use is {weight:g}; it must be 0 or more.", weight=weight))
        use[phrase.name] = use.get(phrase.name, 0.0) + weight
    total = sum(use.values())
    if total <= 0:
        raise InputError("{name} gives no word any use. Write how often each phrase is to be used.", name=path.name)
    return {name: weight / total for name, weight in use.items()}
