"""Answers that are none: their writer does not know, or refuses."""

from __future__ import annotations

import re
import tomllib

from radcal.system.resources import patterns, resource

_P = patterns("hedges", "abstaining.toml")
_TABLES = tomllib.loads(resource("hedges", "abstaining.toml").read_text(encoding="utf-8"))
"""The file explains its words and expressions."""
_WORDS = {name: frozenset(words.split()) for name, words in _TABLES["words"].items()}
YES_NO = _WORDS["yes_no"]
"""Words that are an answer by themselves."""
_SEARCHED = (_WORDS["words_of_doubt"] - _WORDS["words_of_all"]) | _WORDS["searched"]
_SHORT = 4
"""Most words of a clause that may be an answer without a verb."""
_TITLE = 4
"""Fewest words by which a title can be told from "I Don't Know"."""


def abstains(answer: str) -> bool:
    """True if an answer is none: "I don't know", "I cannot answer that", a refusal.

    One clause speaks of not knowing (an inability or a lack, and what one would know, tell or have), and none
    answers.  Saying so and then answering after all, "I'm not sure, maybe Lyon" or "Not sure, Lyon?", is hedging, and
    so is a doubt about a part, "the year is unknown", or of a statement, "I can't confirm that it was Lyon"; a title,
    "I Don't Know How to Love Him", is an answer; nothing at all is no abstention but a failure.
    """
    if _is_title(answer):
        return False
    plain = re.sub(r"['`*_\u2018\u2019\u02bc\u00b4]", "", " ".join(answer.casefold().split()))
    plain = re.sub(r"^\W*(?:\d+\W+)?", "", plain)
    lacks = False
    for written in _P["clause"].split(plain):
        clause = written.strip(' "\u201c\u201d')
        found = _lack(clause)
        if found is None and _is_answer(clause, lacks):
            return False
        begin = 0 if found is None else _before(clause)
        rest = clause if found is None else f"{clause[begin : found.start()]} {clause[found.end() :]}"
        if _P["answers"].search(rest):
            return False
        lacks = lacks or found is not None
    return lacks


def _before(clause: str) -> int:
    found = _P["before"].match(clause)
    return found.end() if found else 0


def _lack(clause: str) -> re.Match[str] | None:
    """Where a clause speaks of not knowing."""
    if _P["no_other"].search(clause):
        return None
    return _P["from_the_start"].match(clause, _before(clause)) or _P["anywhere"].search(clause)


def _is_answer(clause: str, is_behind: bool) -> bool:
    """Whether a clause before or behind "I don't know" gives an answer after all."""
    words = re.findall(r"\w+", clause)
    if _WORDS["filling_words"].issuperset(words) or _P["before"].fullmatch(clause) or _P["asks"].match(clause):
        return False
    if len(words) == 1 and words[0] in YES_NO:
        return True
    if is_behind and _P["goes_on"].match(clause):
        return _P["offers"].search(clause) is None
    if not is_behind:
        return _SEARCHED.isdisjoint(words)
    is_brief_or_states = len(words) <= _SHORT or not _WORDS["states"].isdisjoint(words)
    return is_brief_or_states and _WORDS["words_of_doubt"].isdisjoint(words)


def _is_title(answer: str) -> bool:
    """Whether a text is written like the title of a work: several words, and all but the smallest begin in capitals."""
    words = re.findall(r"[^\W\d_][\w'\u2019]*", answer)
    large = [word for word in words if word not in _WORDS["small"]]
    return (
        len(words) >= _TITLE
        and all(word[0].isupper() for word in large)
        and not answer.isupper()
        and _P["clause"].search(answer.strip().rstrip(".!?\"'")) is None
        and _WORDS["of_asking"].isdisjoint(word.casefold() for word in words)
    )
