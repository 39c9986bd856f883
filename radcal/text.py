"""Sentences before they have a language: a template in English and the values that go into it.

Whoever finds something out says it as a :class:`Text`; who shows it asks a :class:`radcal.language.Language` for it.
As a plain string a text is its English sentence, so that command lines, tables and logs need no language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, Self

Value = str | int | float
"""What a template can be filled in with: names and words that no language changes, numbers, and other texts."""


class Text(str):
    """An English sentence that knows how it was made.

    template: English with placeholders as in an f-string: "{n:,} rows of {file!r}".  ``!r`` cites a word, ``!c`` begins
        with a capital letter; formats are Python's, for numbers.  Taken literally if there are no values.
    many: the template for any number but 1, if the sentence counts ``n``; '' if it does not
    values: name of a placeholder -> value
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
        made = super().__new__(cls, _English().vformat(chosen, (), plain) if plain else chosen)
        made.template, made.many, made.values = str.__str__(template), many, plain
        return made

    def __str__(self) -> str:
        """The text itself, so that ``str(error)`` loses nothing of it."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return made_of, (self.record(),)

    def with_values(self, **values: object) -> Text:
        """The same sentence with other values of these names."""
        return Text(self.template, many=self.many, **{**self.values, **values})

    def record(self) -> dict[str, Any]:
        """The text as plain values fit for JSON; :func:`made_of` takes them back."""
        values = {name: v.record() if isinstance(v, Text) else v for name, v in self.values.items()}
        return {"template": self.template, "many": self.many, "values": values}


EMPTY = Text()
"""No text."""


def made_of(record: Mapping[str, Any]) -> Text:
    """The text that ``record`` was made of."""
    values = {name: made_of(v) if isinstance(v, Mapping) else v for name, v in record["values"].items()}
    return Text(record["template"], many=record["many"], **values)


def joined(texts: Sequence[str], mark: str = " ") -> Text:
    """Several texts one after the other, such as the sentences of a message; empty ones are left out."""
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
    """The sentence with its first letter, also one within quotation marks, as a capital."""
    first = next((i for i, letter in enumerate(sentence) if letter.isalpha()), 0)
    return sentence[:first] + sentence[first].upper() + sentence[first + 1 :]


class _English(Formatter):
    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return begun(value) if conversion == "c" else super().convert_field(value, conversion)


def _plain(value: object) -> Value:
    if isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "item"):  # a number of NumPy's
        return _plain(value.item())
    return str(value)
