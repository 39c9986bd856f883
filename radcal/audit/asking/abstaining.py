"""Answers that are none: the model says that it does not know, or refuses."""

from __future__ import annotations

import re

_I = r"(?:i|we)"
_NOT = r"(?:do not|don't|did not|didn't|cannot|can not|can't|could not|couldn't|am not able to|'m not able to|am unable to|'m unable to|was unable to|would not|won't|will not)"
_WHAT = r"(?:know|say|tell|answer|determine|provide|help|find|verify|identify|recall|confirm|comply|assist|give|have)"
_ENGLISH = (
    rf"{_I}(?: am|'m)? ?(?:sorry|afraid),? ?(?:but )?(?:that )?{_I} ?(?:\w+ly )?{_NOT}",
    rf"{_I} ?(?:\w+ly )?{_NOT} (?:\w+ly )?{_WHAT}\b",
    rf"{_I} have (?:no (?:idea|information|knowledge|answer)|insufficient)",
    rf"{_I}(?: am|'m) not (?:sure|certain|aware)\b",
    r"(?:sorry|apologies),? (?:but )?(?:i|we|that)\b",
    r"(?:no idea|unknown|not known|not sure|unsure|unanswerable|n/a|none known|no answer|cannot be determined|can't say"
    r"|cannot say|don't know|do not know|dunno)\s*(?=[.!,;]|$)",
    r"(?:there is|there's) (?:not enough|no(?:t any)?|insufficient) (?:\w+ )?information",
    r"(?:it is|it's|this is|the answer is) (?:unknown|not known|impossible to (?:say|tell|know|determine))\s*(?=[.!,;]|$)",
    r"(?:the )?(?:question|answer) (?:cannot|can't) be (?:answered|determined)",
    r"as an? (?:ai|artificial|language) [^.]*?,? i ?(?:do not|don't|cannot|can't|am not)",
)
_GERMAN = (
    r"(?:das )?(?:ich )?weiß (?:ich |es |das )*(?:leider )?nicht",
    r"(?:ich habe )?keine ahnung",
    r"(?:das |diese frage )?kann ich (?:\w+ )*?nicht (?:sagen|beantworten|beurteilen)",
    r"ich kann (?:\w+ )*?nicht (?:sagen|beantworten|beurteilen)",
    r"(?:es ist )?(?:unbekannt|nicht bekannt)\s*(?=[.!,;]|$)",
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
_MOST_WORDS_BEFORE = 8


def abstains(answer: str) -> bool:
    """True if an answer is none: "I don't know", "I cannot answer that", a refusal.

    Saying so at the beginning and then answering after all, "I'm not sure, but probably Lyon", is hedging, and so is a
    doubt about a part, "the year is unknown"; nothing at all is no abstention but a failure.
    """
    plain = " ".join(answer.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    plain = plain.lstrip("\"'([*- ")
    found = _ABSTAINS.search(plain)
    if found is None:
        return False
    before = plain[: found.start()].strip(" ,.:;!-")
    if before and not re.fullmatch(r"(?:(?:well|honestly|hmm+|unfortunately|leider|ehrlich gesagt|i think|answer"
                                   r"|the answer is|at this time|to be honest|actually)[ ,.:]*)+", before):
        return False
    return _GOES_ON.search(plain, found.end()) is None
