"""The attribution of reports to radiologists, and the rule behind each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Literal

from radcal.system.progress import SILENT, Progress
from radcal.system.resources import patterns
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd

TraineeRule = Literal["signer", "dictator", "leave out"]

_P = patterns("reading", "authors.toml")
_LONGEST_CELL = 1000
"""Characters of a cell that are read; a longer cell is no list of names."""


def author_name(text: str) -> str:
    """A normalised name: 'SMITH,  John MD', 'Dr. smith, john' and 'Smith^John' all become 'Smith, John'.

    Only spaces, case, titles and degrees are normalised; whose name 'John Smith' is says :func:`one_spelling`.  Letters
    are capitalised by one rule (after a space, hyphen or apostrophe, and after 'Mc'), so that names in upper and lower
    case match.
    """
    name = re.sub(r"\s+", " ", ", ".join(text.split("^")[:2])).strip(" ,;")
    name = re.sub(r"\s*,\s*", ", ", _P["before"].sub("", name))
    before = None
    while before != name:
        before = name
        name = _P["after_comma"].sub(r"\1", _P["after"].sub("", name)).strip(" ,")
    name = re.sub(r",\s*(?:dr|prof)\b\.?(?:\s*med\.?)?\s*", ", ", name, flags=re.IGNORECASE).strip(" ,")
    return " ".join(map(_capitalised, name.split(" ")))


def _capitalised(word: str) -> str:
    if _P["roman"].match(word.strip(".,")):
        return word.upper()
    lower = word.casefold() if "ß" not in word else word.lower()
    lower = re.sub(r"(^|[-('’.])(\w)", lambda m: m.group(1) + m.group(2).upper(), lower)  # noqa: RUF001 - apostrophe
    return re.sub(r"^Mc(\w)", lambda m: "Mc" + m.group(1).upper(), lower)


def people(cell: str) -> tuple[str, ...]:
    """The radiologists in one cell: 'Smith, John; Jones, Ann', 'Smith / Jones', 'Smith and Jones'."""
    names = (author_name(part) for part in _P["separators"].split(cell[:_LONGEST_CELL]))
    return tuple(dict.fromkeys(name for name in names if name))


def author_called(text: str, authors: Mapping[str, str]) -> str:
    """The author whom a text means by name or pseudonym, apart from titles, degrees and case; else the text itself.

    Args:
        text: as somebody types it, 'SMITH, JOHN MD' or 'Smith, John'.
        authors: with their names, as of :meth:`radcal.workspace.names.Names.called`.
    """
    if text in authors:
        return text
    by_name = {name: author for author, name in authors.items()}
    plain = author_name(text)
    return by_name.get(text) or by_name.get(plain) or (plain if plain in authors else text)


_WRITTEN_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th"}
_BARE = {"ø": "o", "ł": "l", "đ": "d", "ð": "d"}
_MOST_LETTERS = 6
"""Letters of a name that may be written in another way; a name with more of them has one spelling."""


def one_spelling(names: Iterable[str], known: Collection[str] = ()) -> dict[str, str]:
    """Each name, and how the same person is called: 'Huerlimann, Regula' is 'Hürlimann, Regula' where both occur.

    Systems without umlauts and accents write these out or leave them bare, and some write 'Regula Hürlimann'.  What
    could be the spelling of two people's names, or is a surname alone, stays as it is.

    Args:
        names: as of :func:`author_name`
        known: those of them that stay as they are; other spellings of them become them
    """
    everyone = set(names)
    by_writing = {name.lower(): name for name in sorted(everyone)}
    fuller: dict[str, set[str]] = {name: set() for name in everyone}
    for name in everyone:
        for writing in _writings(name):
            if (other := by_writing.get(writing, name)) != name:
                fuller[other].add(name)
    best = {name: [n for n in above if not fuller[n] & above] for name, above in fuller.items()}
    made = {name: found[0] if len(found) == 1 else name for name, found in best.items()}
    held = {made[name]: name for name in sorted(everyone.intersection(known))}
    return {name: name if name in known else held.get(whole, whole) for name, whole in made.items()}


def _writings(name: str) -> list[str]:
    """The ways in lower case to write a name with fewer umlauts and accents, and with the given name first."""
    letters = [c for c in name.lower() if not c.isascii()]
    if " " not in name:
        return []
    many = len(letters) > _MOST_LETTERS
    spelled = [name.lower()] if many else ["".join(parts) for parts in product(*map(_letters, name.lower()))]
    apart = [writing.partition(", ") for writing in spelled]
    return [*spelled, *(f"{given} {surname}" for surname, _, given in apart if given)]


@cache
def _letters(letter: str) -> tuple[str, ...]:
    bare = _BARE.get(letter) or unicodedata.normalize("NFKD", letter)[0]
    return tuple(dict.fromkeys((letter, bare, _WRITTEN_OUT.get(letter, letter))))


def attribute(dictator: str, signer: str, status: str, rule: TraineeRule) -> tuple[str, str]:
    """The author, '' if the report is left out, and the rule in words.

    A report belongs to the only radiologist it names.  If it names several (dictated by one and signed by another, or
    several in one field), ``rule`` decides: the last to sign, the first to dictate, or nobody.  A preliminary report is
    left out unless it names both a dictator and a signer: exports with a single column of radiologists fill it before
    the report is signed.

    Args:
        dictator, signer: cells of the source, '' if empty or if the source has no such column
        status: 'preliminary' for a report that is not final yet
        rule: settings.trainee_rule
    """
    dictators, signers = people(dictator), people(signer)
    if status == "preliminary" and not (dictators and signers):
        perhaps = Text("left out: preliminary, perhaps not signed")
        return "", perhaps if signers else Text("left out: preliminary, not signed")
    if not dictators and not signers:
        return "", Text("left out: names no radiologist")
    everyone = tuple(dict.fromkeys((*dictators, *signers)))
    if len(everyone) == 1:
        return everyone[0], _ONLY
    by_two = max(len(dictators), len(signers)) == 1
    if rule == "signer":
        return (signers or dictators)[-1], _SIGNER[by_two] if signers else _LAST
    if rule == "dictator":
        return everyone[0], _DICTATOR[by_two] if dictators else _FIRST
    return "", _LEFT_OUT[by_two]


@cache
def n_named(dictator: str, signer: str) -> int:
    """The number of radiologists that a report names."""
    return len({*people(dictator), *people(signer)})


_ONLY = Text("only radiologist named")
_SIGNER = Text("of several radiologists: the last to sign"), Text("dictated and signed by two: the last to sign")
_LAST = Text("of several radiologists: the last named")
_DICTATOR = (
    Text("of several radiologists: the one who dictated"),
    Text("dictated and signed by two: the one who dictated"),
)
_FIRST = Text("of several radiologists: the first named")
_LEFT_OUT = Text("left out: of several radiologists"), Text("left out: dictated and signed by two")
UNSIGNED = Text("left out: not signed")


def attributed(reports: pd.DataFrame, rule: TraineeRule, progress: Progress = SILENT) -> pd.DataFrame:
    """Reports with ``author`` and ``author_rule`` set by ``rule`` from their columns dictator, signer and status.

    ``signer`` is missing (None) if the source has no such column; an empty cell means that the report is not signed.
    """
    import pandas as pd

    signer, dictator = reports["signer"], reports["dictator"]
    unsigned = signer.notna() & (signer == "") & (dictator != "")
    decide = cache(lambda dictator, signer, status: attribute(dictator, signer, status, rule))
    # Factorizing three columns of text would block all other threads.
    found = [decide(*key) for key in zip(dictator, signer.fillna(""), reports["status"], strict=True)]
    progress.raise_if_cancelled()
    spelled = one_spelling(name for name, _ in found)
    author = pd.Series([spelled[name] for name, _ in found], index=reports.index, dtype="str")
    words = pd.Series([why for _, why in found], index=reports.index, dtype="str")
    progress.raise_if_cancelled()
    return reports.assign(author=author.mask(unsigned, ""), author_rule=words.mask(unsigned, UNSIGNED))
