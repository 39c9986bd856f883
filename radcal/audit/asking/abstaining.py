"""Answers that are none: the model says that it does not know, or refuses."""

from __future__ import annotations

import re

_I = r"(?:i|we)"
_NOT = (
    r"(?:(?:do|did|could|would|will) not|(?:do|did|could|would|wo)n't|cannot|can not|can't"
    r"|am not able to|'m not able to|am unable to|'m unable to|was unable to)"
)
_WHAT = r"(?:know|say|tell|answer|determine|provide|help|find|verify|identify|recall|confirm|comply|assist|give|have)"
_END = r"\s*(?=[.!,;]|$)"
_ENGLISH = (
    rf"{_I}(?: am|'m)? ?(?:sorry|afraid),? ?(?:but )?(?:that )?{_I} ?(?:\w+ly )?{_NOT}",
    rf"{_I} ?(?:\w+ly )?{_NOT} (?:\w+ly )?{_WHAT}\b",
    rf"{_I} have (?:no (?:idea|information|knowledge|answer)|insufficient)",
    rf"{_I}(?: am|'m) not (?:sure|certain|aware)\b",
    r"(?:sorry|apologies),? (?:but )?(?:i|we|that)\b",
    r"(?:no idea|unknown|not known|not sure|unsure|unanswerable|n/a|none known|no answer|cannot be determined|can't say"
    r"|cannot say|don't know|do not know|dunno)" + _END,
    r"(?:there is|there's) (?:not enough|no(?:t any)?|insufficient) (?:\w+ )?information",
    r"(?:it is|it's|this is|the answer is) (?:unknown|not known|impossible to (?:say|tell|know|determine))" + _END,
    r"(?:the )?(?:question|answer) (?:cannot|can't) be (?:answered|determined)",
    r"as an? (?:ai|artificial|language) [^.]*?,? i ?(?:do not|don't|cannot|can't|am not)",
)
_GERMAN = (
    r"(?:das )?(?:ich )?weiß (?:ich |es |das )*(?:leider )?nicht",
    r"(?:ich habe )?keine ahnung",
    r"(?:das |diese frage )?kann ich (?:\w+ )*?nicht (?:sagen|beantworten|beurteilen)",
    r"ich kann (?:\w+ )*?nicht (?:sagen|beantworten|beurteilen)",
    r"(?:es ist )?(?:unbekannt|nicht bekannt)" + _END,
    r"ich bin (?:mir )?nicht sicher",
    r"(?:es )?tut mir leid,? (?:aber )?(?:ich|das|dazu)",
)
_ABSTAINS = re.compile(rf"(?:{'|'.join((*_ENGLISH, *_GERMAN))})")
_GOES_ON = re.compile(
    r"\b(?:but|however|though|although|still|nevertheless|aber|jedoch|allerdings|trotzdem)\b"
    r"|\b(?:my (?:best )?guess|if i had to guess|i (?:would|'d) (?:guess|say)|i (?:think|believe|suspect|guess)"
    r"|it (?:may|might|could|is probably|is likely|is possibly|was probably|was likely)|probably|possibly|perhaps"
    r"|ich (?:glaube|vermute|denke|tippe|schätze)|vielleicht|wahrscheinlich|vermutlich)\b"
)
_BEFORE = re.compile(
    r"(?:(?:well|honestly|hmm+|unfortunately|leider|ehrlich gesagt|i think|answer|the answer is|at this time"
    r"|to be honest|actually)[ ,.:]*)*"
)
"""What may stand before it."""


def abstains(answer: str) -> bool:
    """True if an answer is none: "I don't know", "I cannot answer that", a refusal.

    Saying so at the beginning and then answering after all, "I'm not sure, but probably Lyon", is hedging, and so is a
    doubt about a part, "the year is unknown"; nothing at all is no abstention but a failure.
    """
    plain = " ".join(answer.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    plain = plain.lstrip("\"'([*- ")
    found = _ABSTAINS.search(plain)
    if found is None:
        return False
    return _BEFORE.fullmatch(plain[: found.start()]) is not None and _GOES_ON.search(plain, found.end()) is None
