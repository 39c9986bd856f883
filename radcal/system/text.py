"""Translatable sentences: an English template with its values.

A :class:`Text` is created where a sentence originates, and translated by a
:class:`radcal.system.language.catalogue.Language` where it is shown.  As a plain string it is the English sentence, for
the command line, tables and logs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, Self

Value = str | int | float
"""Values of templates: untranslated names and words, numbers, and other texts."""


class Text(str):
    """An English sentence with its template and values.

    template: English with f-string placeholders, as in "{n:,} rows of {file!r}".  ``!r`` quotes a word, ``!c``
        capitalises the first letter; number formats are Python's.  Taken literally without values.
    many: the plural template, for a sentence that counts ``n``; '' otherwise
    values: by placeholder
    """

    __slots__ = ("many", "template", "values")
    template: str
    many: str
    values: Mapping[str, Value]

    def __new__(cls, template: str = "", /, *, many: str = "", **values: object) -> Self:
        if isinstance(template, cls) and not values:
            return template
        plain = {name: _plain(value) for name, value in values.items()}
        chosen = many if many and plain["n"] != 1 else str(template)
        text = super().__new__(cls, _English().vformat(chosen, (), plain) if plain else chosen)
        text.template, text.many, text.values = str.__str__(template), many, plain
        return text

    def __str__(self) -> str:
        """The text itself, so that ``str(error)`` keeps template and values."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return made_of, (self.record(),)

    def with_values(self, **values: object) -> Text:
        """A copy with some values replaced."""
        return Text(self.template, many=self.many, **{**self.values, **values})

    def record(self) -> dict[str, Any]:
        """JSON-compatible values, from which :func:`made_of` restores the text."""
        values = {name: v.record() if isinstance(v, Text) else v for name, v in self.values.items()}
        return {"template": self.template, "many": self.many, "values": values}


EMPTY = Text()
"""The empty text."""


def made_of(record: Mapping[str, Any]) -> Text:
    """The text of a :meth:`Text.record`."""
    values = {name: made_of(v) if isinstance(v, Mapping) else v for name, v in record["values"].items()}
    return Text(record["template"], many=record["many"], **values)


def cell_of(text: str) -> str:
    """Return a text as a cell of a table keeps it, for :func:`text_in`: as JSON where it has values, else as it is."""
    said = Text(text)
    return json.dumps(said.record()) if said.values or said.startswith("{") else text


def text_in(cell: str) -> Text:
    """Return the text that a cell keeps."""
    return made_of(json.loads(cell)) if cell.startswith("{") else Text(cell)


def joined(texts: Sequence[str], mark: str = " ") -> Text:
    """Texts in sequence, such as the sentences of a message, without empty ones."""
    said = [text for text in texts if text]
    if len(said) == 1:
        return Text(said[0])
    return Text(mark.join(f"{{t{k}}}" for k in range(len(said))), **{f"t{k}": text for k, text in enumerate(said)})


def listed(texts: Sequence[str]) -> Text:
    """An enumeration: "a", "a and b", "a, b and c"."""
    if len(texts) < 2:
        return joined(texts)
    return Text("{some} and {last}", some=joined(texts[:-1], ", "), last=texts[-1])


def either(texts: Sequence[str]) -> Text:
    """Alternatives: "a", "a or b"."""
    return joined(texts) if len(texts) < 2 else Text("{some} or {last}", some=either(texts[:-1]), last=texts[-1])


def begun(sentence: str) -> str:
    """The sentence with its first letter capitalised, even after a quotation mark."""
    first = next((i for i, letter in enumerate(sentence) if letter.isalnum()), 0)
    return sentence[:first] + sentence[first : first + 1].upper() + sentence[first + 1 :]


class _English(Formatter):
    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return begun(value) if conversion == "c" else super().convert_field(value, conversion)


def _plain(value: object) -> Value:
    if isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "item"):  # a NumPy number
        return _plain(value.item())
    return str(value)
