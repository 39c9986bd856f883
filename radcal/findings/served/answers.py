"""Answers of a served model, checked against the report: what does not stand there is no finding, and no guess.

An answer counts as a whole or not at all.  It is ``{"findings": [{"sentence": 2, "pathology": "edema", "phrase":
"most likely"}]}``; the sentence is one of those shown, the pathology one of the list, the phrase "present", "absent" or
a hedge that stands in that sentence, in words of the sentence or of the lexicon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from radcal.findings.by_model.findings import Findings
from radcal.findings.by_model.parts import Piece
from radcal.findings.by_model.rows import shown
from radcal.findings.served.asking import Useless
from radcal.system.text import Text
from radcal.words.phrases import normalise
from radcal.words.records import ABSENT, PRESENT

_FENCE = "```"
_KEYS = {"sentence", "pathology", "phrase"}
_NO_FORM = Text("the answer is not in the form asked for")


class Checker:
    """Checks answers.

    Args:
        pathologies: that may be named.
        most: findings of one answer; with more it is none.
    """

    def __init__(self, pathologies: Sequence[str], most: int) -> None:
        self._pathologies = frozenset(pathologies)
        self._most = most

    def readings(
        self, said: str, pieces: Sequence[Piece], context: int, findings: Callable[[int], Findings]
    ) -> list[dict[str, Any]]:
        """The readings in an answer, as plain values of :class:`~radcal.findings.by_model.readers.Reading`.

        Args:
            pieces: the sentences shown, numbered from 1 in the prompt.
            context: number of leading pieces that repeat the previous part; what is said of them was said there.
            findings: what makes the findings of a sentence, by its number in the report.

        Raises:
            Useless: anything of the answer is not as it must be.
        """
        rows = _rows(said)
        if len(rows) > self._most:
            raise Useless(Text("the model listed more than {n} findings, which is no sensible answer", n=self._most))
        made: dict[tuple[int, int, str, str], dict[str, Any]] = {}
        for row in rows:
            number, pathology, phrase = self._row(row, len(pieces))
            if number <= context:
                continue
            piece = pieces[number - 1]
            said_as, cue = self._cue(phrase, piece, findings(piece.sentence))
            made.setdefault(
                (piece.sentence, piece.start, pathology, normalise(said_as)),
                {
                    "sentence": piece.sentence,
                    "pathology": pathology,
                    "said": said_as,
                    "term": None,
                    "cue": cue,
                    "probability": None,
                },
            )
        return [made[place] for place in sorted(made, key=lambda place: place[:2])]

    def _row(self, row: object, n: int) -> tuple[int, str, str]:
        if not isinstance(row, dict) or row.keys() != _KEYS:
            raise Useless(_NO_FORM)
        number, pathology, phrase = row["sentence"], row["pathology"], row["phrase"]
        if type(number) is not int or not isinstance(pathology, str) or not isinstance(phrase, str):
            raise Useless(_NO_FORM)
        if not 1 <= number <= n:
            raise Useless(Text("the answer names a sentence that the report does not have"))
        if pathology not in self._pathologies:
            raise Useless(Text("the answer names a pathology that is not in the list"))
        return number, pathology, phrase

    def _cue(self, phrase: str, piece: Piece, findings: Findings) -> tuple[str, tuple[int, int] | None]:
        """The phrase as the report or the lexicon has it, and where it stands in its sentence."""
        text = shown(piece.text)
        place = findings.stands(text, phrase)
        if place is None and (plain := normalise(phrase)) in (PRESENT, ABSENT):
            return plain, None
        if place is None:
            raise Useless(Text("the answer names words of certainty that do not stand in the sentence"))
        start, end = place
        said = text[start:end] if normalise(text[start:end]) == normalise(phrase) else phrase
        return said, (piece.start + start, piece.start + end)


def _rows(said: str) -> list[Any]:
    """The findings in an answer, as they were written.

    Raises:
        Useless: it is no JSON object with findings alone.
    """
    text = said.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) > 2 * len(_FENCE):
        text = text[len(_FENCE) : -len(_FENCE)].removeprefix("json").strip()
    try:
        answer = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse, parse_float=_refuse)
    except (ValueError, RecursionError):
        raise Useless(_NO_FORM) from None
    if not isinstance(answer, dict) or answer.keys() != {"findings"} or not isinstance(answer["findings"], list):
        raise Useless(_NO_FORM)
    return answer["findings"]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name is given twice")
    return made


def _refuse(number: str) -> NoReturn:
    raise ValueError("no whole number")
