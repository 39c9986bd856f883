"""Answers that are none: the model says that it does not know, or refuses."""

from __future__ import annotations

import re

_NOT = (
    r"(?:(?:do|did|could|would|will|have) not|(?:do|did|could|would|wo)n't|cannot|can not|can't"
    r"|(?:am|'m|was) (?:not able|unable) to)"
)
_TELLS = (
    r"(?:know|say|tell|answer|determine|provide|supply|state|specify|name|give|help|find|verify|identify|recall|remember"
    r"|confirm|comply|assist|respond|have|feel comfortable|want to guess)"
)
_DOUBTS = (
    r"(?:not (?:\w+ )?(?:sure|certain|aware|familiar|confident)|(?:\w+ly )?(?:unsure|uncertain)|at a (?:\w+ )?loss)"
)
_ASKED = r"\s*(?:[.!,;]|$|(?:about|of|enough|with|on|as to|at all|who|what|when|where|which|how|why)\b)"
_END = r"\s*(?=[.!,;]|$)"
_BEFORE = re.compile(
    r"(?:(?:well|honestly|hmm+|unfortunately|regrettably|to be honest|actually|answer|the answer is|at this time"
    r"|i think|(?:i am |i'm )?(?:very |so |really )?(?:sorry|afraid)|apologies|but|that"
    r"|as an? (?:ai|artificial|language)[^,.]*"
    r"|leider|ehrlich gesagt|(?:es )?tut mir leid|aber|dazu|das)[ ,.:]+)*"
)
"""What may stand before it."""
_LACKS = re.compile(
    "|".join(
        (
            # the speaker: does not know, has no idea, is not sure of what was asked
            rf"(?:i|we) ?(?:\w+ly )?{_NOT} (?:\w+ly )?{_TELLS}\b",
            rf"(?:i|we) ?(?:am|'m|are|'re) (?:\w+ly )?{_DOUBTS}{_ASKED}",
            r"(?:i|we) ?(?:am|'m) not (?:\w+ )?(?:comfortable|equipped|in a position)\b",
            r"(?:i|we) (?:\w+ly )?(?:have|had) (?:\w+ly )?(?:no|zero|insufficient)"
            r" (?:\w+ )?(?:idea|clue|information|knowledge|answer|data|record|access|way|confidence)\b",
            r"(?:i|we) (?:\w+ly )?lack (?:the |any |enough )?(?:\w+ )?(?:information|knowledge|data|details?|access)\b",
            r"(?:i|we)(?: would|'d) need to (?:verify|consult|check|look)\b",
            # what was asked: is unknown, out of reach
            rf"(?:no idea|no clue|unknown|not known|not sure|unsure|unanswerable|n/a|no answer|cannot be determined"
            rf"|cannot say|can't say|don't know|do not know|dunno){_END}",
            r"(?:it is|it's|this is|the answer is)"
            rf" (?:unknown|not known|impossible to (?:say|tell|know|determine)){_END}",
            r"there(?: is|'s) (?:not enough|no(?:t any)?|insufficient) (?:\w+ )?information\b",
            r"(?:the )?(?:question|answer) (?:cannot|can't) be (?:answered|determined)\b",
            r"my (?:\w+ ){0,2}(?:knowledge|data|training|information|base|sources?)"
            r" (?:(?:do|does) not|(?:do|does)n't|lacks?)\b",
            r"[^.,;]*\b(?:outside|beyond) (?:of )?(?:the scope of )?my"
            r" (?:\w+ ){0,3}(?:knowledge|training|data|expertise)\b",
            r"[^.,;]*\b(?:is|are)(?: not|n't) (?:available|accessible|known) (?:to me|in my)\b",
            # German
            r"(?:das )?(?:ich )?weiß (?:ich |es |das )*(?:leider )?nicht\b",
            r"(?:ich habe )?keine ahnung\b",
            r"(?:diese frage )?(?:kann ich|ich kann|ich) (?:\w+ )*?nicht (?:sagen|beantworten|beurteilen)\b",
            rf"(?:es ist )?(?:unbekannt|nicht bekannt){_END}",
            r"ich bin (?:mir )?(?:\w+ )?nicht sicher\b",
        )
    )
)
"""Begins an answer that is none."""
_DECLINES = re.compile(
    r"\b(?:i|we)(?: will|'ll| would| am going| have| must)? ?(?:\w+ )?(?:refrain from|pass on|abstain from)"
    r" (?:answer|guess)\w*"
    r"|\b(?:i|we)(?: would|'d) (?:\w+ )?(?:rather|prefer) not (?:to )?(?:guess|say|answer)\b"
    rf"|\b(?:i|we) ?{_NOT} (?:\w+ )?(?:answer|guess|hazard|give (?:you )?(?:an?|any) (?:\w+ )?answer"
    r"|provide (?:you )?(?:with )?(?:an?|any) (?:\w+ )?answer)\b"
    r"|\bprevents? me from (?:answer|guess)ing\b"
)
"""Declines to answer wherever it stands."""
_ANSWERS = (
    r"\b(?:my (?:best )?guess|if i had to|i (?:would|'d) (?:guess|say)|i (?:think|believe|suspect|guess)"
    r"|it (?:may|might|could|is probably|is likely|is possibly|was probably|was likely)|probably|possibly|perhaps|maybe"
    r"|ich (?:glaube|vermute|denke|tippe|schätze)|vielleicht|wahrscheinlich|vermutlich)\b"
)
_AFTER_ALL = re.compile(_ANSWERS)
_GOES_ON = re.compile(
    rf"\b(?:but|however|though|although|still|nevertheless|aber|jedoch|allerdings|trotzdem)\b|{_ANSWERS}"
)


def abstains(answer: str) -> bool:
    """True if an answer is none: "I don't know", "I cannot answer that", a refusal.

    Saying so and then answering after all, "I'm not sure, but probably Lyon", is hedging, and so is a doubt about a
    part, "the year is unknown"; nothing at all is no abstention but a failure.
    """
    plain = " ".join(answer.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    plain = re.sub(r"^\W*(?:\d+\W+)?", "", plain)
    before = _BEFORE.match(plain)
    lacks = _LACKS.match(plain, before.end() if before else 0)
    if lacks is not None and _GOES_ON.search(plain, lacks.end()) is None:
        return True
    declines = _DECLINES.search(plain)
    return declines is not None and _AFTER_ALL.search(plain[: declines.start()] + plain[declines.end() :]) is None
