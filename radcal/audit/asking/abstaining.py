"""Answers that are none: the model says that it does not know, or refuses."""

from __future__ import annotations

import re

from radcal.audit.spellings import YES_NO

# Texts are compared without apostrophes, which many leave out, and in small letters: "Don't" is "dont".
_NOT = (
    r"(?:(?:do|did|could|would|will|have|can|should) not|(?:do|did|could|would|wo|have|ca)nt|cannot"
    r"|(?:am |was |)(?:not able|unable) to)"
)
_TELLS = (
    r"(?:know|say|tell|answer|determine|provide|supply|state|specify|name|give|help|find|verify|identify|recall|remember"
    r"|confirm|comply|assist|respond|have|possess|feel comfortable|want to guess|think of)"
)
_DOUBTS = (
    r"(?:not (?:\w+ )?(?:sure|certain|aware|familiar|confident)|(?:\w+ly )?(?:unsure|uncertain|clueless|stumped)"
    r"|at a (?:\w+ )?loss|drawing a blank)"
)
_IDEA = (
    r"(?:(?:\w+ )?(?:idea|clue|information|knowledge|answer|data|record|access|way|confidence|certainty|recollection"
    r"|memory)|(?:faintest|foggiest|slightest))"
)
_ASKED = (
    r"\s*(?:(?=[.!,;:?\u2013\u2014-])|$"
    r"|(?:about|of|enough|with|on|as to|at all|here|who|what|when|where|which|how|why)\b)"
)
_END = r"\s*(?=[.!,;:?\u2013\u2014-]|$)"
_AM = r"(?:(?:i|we) (?:am|are|was)|im|were)"
_BEFORE = re.compile(
    r"(?:(?:well|oh|honestly|frankly|hmm+|unfortunately|regrettably|sadly|to be honest|actually|answer|the answer is"
    rf"|at this time|i think|{_AM} (?:very |so |really )?(?:sorry|afraid)|(?:very |so |really )?(?:sorry|afraid)"
    r"|apologies|but|that|as an? (?:ai|artificial|large|language)[^,.]*?(?:,|(?= i )|(?= im ))"
    r"|leider|ehrlich gesagt|(?:es )?tut mir leid|aber|dazu|da|das|hierzu|als (?:ki|sprachmodell)[^,.]*)[ ,.:]+)*"
)
"""What may stand before it."""
_LACKS = re.compile(
    "|".join(
        (
            # the speaker: does not know, has no idea, is not sure of what was asked
            rf"(?:i|we) (?:\w+ly |just |simply )?{_NOT} (?:\w+ly |even )?{_TELLS}\b",
            rf"im (?:\w+ly )?(?:not able|unable) to (?:\w+ly )?{_TELLS}\b",
            rf"(?:just |really )?{_NOT} (?:\w+ly )?{_TELLS}{_END}",
            rf"{_AM} (?:\w+ly )?{_DOUBTS}{_ASKED}",
            rf"{_AM} not (?:\w+ )?(?:comfortable|equipped|qualified|informed|knowledgeable|in a position)\b",
            rf"(?:(?:i|we) (?:\w+ly )?(?:have|had)|ive|weve) (?:\w+ly )?(?:no|zero|insufficient|not enough) {_IDEA}\b",
            r"(?:(?:i|we) )?(?:\w+ly )?(?:havent|have not|dont have|do not have) (?:got )?"
            rf"(?:an?|any|the|enough) {_IDEA}\b",
            r"(?:i|we) (?:\w+ly )?lack (?:\w+ ){0,3}(?:information|knowledge|data|details?|access|confidence)\b",
            r"(?:(?:i|we) would|id) need to (?:verify|consult|check|look|research)\b",
            r"(?:(?:i have|ive) forgotten|i forget|(?:i have|ive) never heard of)\b",
            rf"(?:it |that |this )?(?:beats|escapes|eludes) me{_END}",
            # what was asked: is unknown, out of reach
            rf"(?:(?:absolutely |really )?no (?:idea|clue)|not (?:a|the \w+) (?:idea|clue)|idk|unknown|not known"
            r"|not sure|unsure|unanswerable|undetermined|indeterminate|uncertain|n ?/ ?a|n\.a\.|not available|no answer"
            rf"|no comment|dunno|i dunno|k\. ?a\.)(?: (?:whatsoever|at all|here|about (?:that|this|it)))?{_END}",
            r"(?:(?:it|this|that|the \w+) )?(?:cannot|cant|can not|could not|couldnt) be (?:\w+ly )?"
            r"(?:answered|determined|known|said|established|verified|identified|ascertained)\b",
            r"(?:(?:it is|its|this is|that is|thats|the answer is) )?"
            r"(?:unknown|not known|(?:impossible|hard|difficult) to (?:say|tell|know|determine))"
            rf"(?: (?:to|for) (?:me|us))?{_END}",
            r"(?:there is |theres )?(?:not enough|insufficient) (?:\w+ )?(?:information|data|context|details?)\b",
            r"(?:there is|theres|i see) no (?:way (?:to|of) (?:know|say|tell)|(?:\w+ )?information)\w*\b",
            r"(?:there isnt|there is not) (?:enough|any) (?:\w+ )?information\b",
            r"my (?:\w+ ){0,2}(?:knowledge|data|training|information|base|sources?)"
            r" (?:(?:do|does) not|doesnt|dont|lacks?)\b",
            r"[^.,;]*\b(?:outside|beyond) (?:of )?(?:the scope of )?my"
            r" (?:\w+ ){0,3}(?:knowledge|training|data|expertise)\b",
            r"[^.,;]*\b(?:(?:is|are) not|isnt|arent) (?:available|accessible|known) (?:to me|in my)\b",
            # German
            r"(?:ich )?weiss (?:ich |es |das )*(?:leider |wirklich )?nicht\b",
            r"(?:(?:ich )?habe? (?:ich )?)?(?:leider |absolut )?(?:keine ahnung|keinen (?:blassen )?schimmer)\b",
            r"(?:ich )?habe (?:ich )?(?:\w+ )?(?:keine (?:information|angabe|kenntnis|daten)|keinen zugriff)",
            r"(?:diese frage )?(?:kann ich|ich kann|ich moechte|ich möchte|ich)"
            r" (?:\w+ )*?nicht (?:sagen|beantworten|beurteilen|raten|antworten)\b",
            r"(?:diese frage |es |das )?(?:kann|laesst|lässt) (?:\w+ )*?nicht (?:sagen|beantworte[nt]|bestimme?[nt])\b",
            rf"(?:(?:es |das )?ist )?(?:mir )?(?:leider )?(?:unbekannt|nicht bekannt|keine angabe)n?{_END}",
            r"(?:ich )?bin (?:ich )?(?:mir )?(?:\w+ )?(?:nicht sicher|unsicher|ueberfragt|überfragt)\b",
        )
    )
)
"""Begins an answer that is none."""
_DECLINES = re.compile(
    r"\b(?:i|we|ill|id)(?: will| would| am going| have| must)? ?(?:\w+ )?(?:refrain from|pass on|abstain from)"
    r" (?:answer|guess)\w*"
    r"|\b(?:(?:i|we) (?:would )?|id )(?:\w+ )?(?:rather|prefer) not (?:to )?(?:guess|say|answer|speculate)\b"
    r"|\b(?:i|we|ill)(?: (?:will|would|must|have|to|should|\w+ly)){0,4} decline\b"
    rf"|\b(?:i|we) {_NOT} (?:\w+ )?(?:answer|guess|hazard|give (?:you )?(?:an?|any) (?:\w+ )?answer"
    r"|provide (?:you )?(?:with )?(?:an?|any) (?:\w+ )?answer)\b"
    r"|\bprevents? me from (?:answer|guess)ing\b"
)
"""Declines to answer wherever it stands."""
_ANSWERS = (
    r"\b(?:my (?:\w+ )?(?:guess|hunch|bet|money)|(?:best|wild) guess|at a guess|if i had to"
    r"|(?:(?:i|we) (?:would|will)|id|ill) (?:guess|say|go (?:with|for)|bet|pick|try|lean)"
    r"|i (?:think|believe|suspect|guess|lean|want to say)|lets (?:say|go with)|something like|sounds like"
    r"|(?:it|that|this|he|she) (?:may|might|could|must)(?! not)|answer (?:may|might|could|must) be"
    r"|it (?:is|was) (?:probably|likely|possibly)"
    r"|probably|possibly|perhaps|maybe"
    r"|ich (?:glaube|vermute|denke|tippe|schätze|meine|würde (?:\w+ )*?(?:sagen|tippen|raten))|vielleicht"
    r"|wahrscheinlich|vermutlich|eventuell|womöglich)\b"
)
_AFTER_ALL = re.compile(_ANSWERS)
_GOES_ON = re.compile(
    rf"\b(?:but|however|though|although|still|nevertheless|aber|jedoch|allerdings|trotzdem)\b|{_ANSWERS}"
)
_CLAUSE = re.compile(r"[.,;:!?()\u2013\u2014]+(?:\s+|$)|\s[-\u2013\u2014]\s")
_WORDS_OF_DOUBT = """
    i im id ill ive we my me myself you your question questions answer answers answered information data details
    knowledge know knowing known sure certain certainty sorry apologies apologize guess guessing speculate help source
    sources not no nor never none nothing cannot cant dont doesnt isnt unable lack lacks lacking without unclear unknown
    impossible beyond outside insufficient unavailable difficult hard idea clue check verify
    ich mir mich mein meine sie frage antwort informationen daten wissen weiss nicht kein keine leider leid unbekannt
"""
_OF_DOUBT = frozenset(_WORDS_OF_DOUBT.split())
"""One of them shows that a clause speaks of not knowing, and gives no answer."""
_FILLING_WORDS = """
    honestly really unfortunately sadly truthfully frankly either yet though at all whatsoever anyway then here thanks
    thank mate sir hmm oh well alas right now the moment currently this time for and ehrlich gesagt momentan zurzeit
    derzeit wirklich bedaure
"""
_FILLING = frozenset(_FILLING_WORDS.split())
"""A clause of nothing else gives no answer."""
_STATES = frozenset({"is", "was", "are", "were", "ist", "war", "sind", "waren"})
_SHORT = 4
"""Words of a clause that may be an answer without a verb."""
_SMALL = frozenset(
    ("a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "and", "or", "but", "as", "with", "from")
)
"""Words that a title writes small."""
_TITLE = 4
"""Fewest words of a title that may be told from "I Don't Know"."""

_OF_ASKING = frozenset({"answer", "question", "information", "determined"})
"""Words that stand in no title but in capitals in an abstention."""


def abstains(answer: str) -> bool:
    """True if an answer is none: "I don't know", "I cannot answer that", a refusal.

    Saying so and then answering after all, "I'm not sure, maybe Lyon" or "Not sure, Lyon?", is hedging, and so is a
    doubt about a part, "the year is unknown"; a title, "I Don't Know How to Love Him", is an answer; nothing at all is
    no abstention but a failure.
    """
    if _is_title(answer):
        return False
    plain = re.sub(r"['`*_\u2018\u2019\u02bc\u00b4]", "", " ".join(answer.casefold().split()))
    plain = re.sub(r"^\W*(?:\d+\W+)?", "", plain)
    before = _BEFORE.match(plain)
    lacks = _LACKS.match(plain, before.end() if before else 0)
    if lacks is not None:
        rest = plain[lacks.end() :]
        # what the clause still says belongs to it; each later one may be an answer
        later = _CLAUSE.split(plain[lacks.end() - 1 :])[1:]
        if _GOES_ON.search(rest) is None and not any(map(_is_answer, later)):
            return True
    declines = _DECLINES.search(plain)
    return declines is not None and _AFTER_ALL.search(plain[: declines.start()] + plain[declines.end() :]) is None


def _is_answer(clause: str) -> bool:
    """Whether a clause behind "I don't know" gives an answer after all."""
    words = re.findall(r"\w+", clause)
    if not words or _FILLING.issuperset(words):
        return False
    if len(words) == 1 and words[0] in YES_NO:
        return True
    return _OF_DOUBT.isdisjoint(words) and (len(words) <= _SHORT or not _STATES.isdisjoint(words))


def _is_title(answer: str) -> bool:
    """Whether a text is written like the title of a work: several words, and all but the smallest begin in capitals."""
    words = re.findall(r"[^\W\d_][\w'\u2019]*", answer)
    large = [word for word in words if word not in _SMALL]
    return (
        len(words) >= _TITLE
        and all(word[0].isupper() for word in large)
        and not answer.isupper()
        and _CLAUSE.search(answer.strip().rstrip(".!?\"'")) is None
        and _OF_ASKING.isdisjoint(word.casefold() for word in words)
    )
