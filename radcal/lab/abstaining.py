"""Answers that are none: their writer does not know, or refuses; and how people write true and false in tables."""

from __future__ import annotations

import re
from collections.abc import Mapping

YES_NO = frozenset({"yes", "no", "ja", "nein"})
"""Words that are an answer by themselves."""
_TRUE = ("true", "t", "yes", "y", "1", "1.0", "correct", "right", "wahr", "richtig", "ja", "j")
_FALSE = ("false", "f", "no", "n", "0", "0.0", "incorrect", "wrong", "falsch", "nein")
TRUTH: Mapping[str, bool] = {**dict.fromkeys(_TRUE, True), **dict.fromkeys(_FALSE, False)}
"""In lower case.  Without "w", which is short for "wahr" as for "wrong"."""


# Texts are compared without apostrophes, which many leave out, and in small letters: "Don't" is "dont".
_NOT = (
    r"(?:(?:do|could|would|will|have|has|can|should|may|must) not|(?:do|could|would|wo|have|ca|should)nt"
    r"|cannot|(?:(?:am|are|was|were|be|been|feel|im|ive been) |)(?:not able|unable) to"
    r"|(?:was|were|am|are|is)nt able to)"
)
_HOW = r"(?:(?:\w+ly|even|just|simply|feel able to|with any \w+|in good conscience|possibly|be able to|also) )*"
_TELL = (
    r"(?:know|say|tell|answer|determine|provide|supply|state|specify|name|give|offer|furnish|help|verify|identify"
    r"|recall|remember|comply|assist|respond|speculate|pinpoint|establish|ascertain|access|retrieve"
    r"|look (?:that|it|this) up|confirm|feel (?:comfortable|confident|able|qualified)|(?:want|wish|like) to (?:\w+ )?"
    r"(?:guess|speculate|answer|say|mislead|give|provide)|think of|hazard|guess|comment)"
)
"""What somebody who does not know cannot do."""
_DOUBTS = (
    r"(?:not (?:(?!only|just)\w+ )?(?:sure|certain|aware|familiar|confident)|(?:\w+ly )?(?:unsure|uncertain|unaware"
    r"|clueless|stumped|ignorant|in the dark)|at a (?:\w+ )?loss|drawing a (?:\w+ )?blank|blanking)"
)
_INFORMATION = (
    r"(?:ideas?|clues?|information|info|knowledge|answers?|data|records?|access|way|confidence|certainty|recollection"
    r"|memory|details?|sources?|figures?|context|evidence|material|inkling|documentation)"
)
_OF_IT = rf"(?:\w+ ){{0,3}}(?:{_INFORMATION}|faintest|foggiest|slightest)\b"
_ASKED = (
    r"(?: (?:enough|about|of|with|on|as to|at all|here|who|what|when|where|which|how|why)\b.*)?(?: (?:tbh|lol|sorry))*$"
)
_END = (
    r"(?: (?:to|for) (?:me|us))?(?: (?:whatsoever|at all|here|there|exactly|reliably|about (?:that|this|it)|tbh|lol"
    r"|mate|sorry|though|either|yet|for (?:sure|certain)|with (?:\w+ )?(?:certainty|confidence)|right now|anymore))*$"
)
_AM = r"(?:(?:i|we) (?:am|are|was|remain|feel)|im|were)"
_BEFORE = re.compile(
    r"(?:(?:well|oh|honestly|frankly|hmm+|unfortunately|regrettably|sadly|to be honest|actually|answer|the answer is"
    rf"|at this time|i think|{_AM} (?:very |so |really )?(?:sorry|afraid)|(?:very |so |really )?(?:sorry|afraid)"
    r"|apologies|but|so|because|as|since|and|that"
    r"|as an? (?:ai|artificial|large|language)[^,.]*?(?:,|(?= i )|(?= im )|$)"
    r"|leider|ehrlich gesagt|(?:es )?tut mir leid|aber|dazu|da|das|hierzu|als (?:ki|sprachmodell)[^,.]*)(?: |$))*"
)
"""What may come before it in a clause."""
_FROM_THE_START = re.compile(
    "|".join(
        (
            # the speaker, unnamed
            rf"(?:just |really )?{_NOT} {_HOW}{_TELL}(?: (?:you|that|this|it|the|one|on|with))*{_END}",
            rf"(?:absolutely |really )?no (?:idea|clue)(?:{_END}| (?:who|what|when|where|which|how|why|about|of)\b)",
            r"(?:(?:it|this|that) is )?(?:unknown|not known)$",
            rf"(?:unanswerable|undetermined|indeterminate|n ?/ ?a|n\.a\.|k\. ?a\.|not available"
            rf"|no answer|no comment|idk|i ?dunno|dunno|not (?:a|the \w+) (?:idea|clue)|not something i know"
            rf"|i (?:dont|do not|cant|cannot|couldnt)|i forget|(?:i )?give up"
            rf"|(?:not sure|unsure|uncertain)(?: enough)?){_END}",
            rf"(?:i |ill |i will |i must |i have to |id rather )?(?:pass|skip)(?: on (?:this|that|it)(?: one)?)?{_END}",
            rf"(?:it |that |this )?(?:beats|escapes|eludes) me{_END}",
            r"(?:(?:i have|ive) forgotten|(?:i have|ive) never heard of)\b",
            # what was asked: is unknown, out of reach
            rf"(?:(?:it is|its|it was|this is|that is|thats|the answer is) )?(?:\w+ly )?(?:not possible|impossible|hard"
            rf"|difficult|unable)(?: for (?:me|us|anyone))? to {_HOW}(?:say|tell|know|determine|answer|establish"
            rf"|assess)(?: (?:that|this|it|the \w+|who|what|when|where|which|how|why)\b.*)?{_END}",
            r"(?:(?:it|this|that|the \w+|(?:an?|no) (?:\w+ )?answer|assessment) )?(?:cannot|cant|can not|could not"
            r"|couldnt|can|could) be (?:\w+ly )?(?:answered|determined|known|said|established|verified|identified"
            r"|ascertained|assessed|given)\b",
            r"(?:an? (?:\w+ )?answer|(?:assessment|evaluation)(?: of .*)?) is (?:not possible|impossible"
            r"|unavailable)\b",
            r"(?:nothing|no \w+|the .*(?:not|nt))\b.* (?:allows?|permits?) (?:us|me|one|any|an?)\b.*"
            r"\b(?:answer|say|tell|know|statement|conclusion)\b",
            r"(?:no|not) (?:\w+ )?(?:answer|information|statement)\b.* (?:possible|available)\b",
            r"(?:there is |theres |there are )?(?:not enough|insufficient) (?:\w+ )?(?:information|data|context"
            r"|details?)",
            r"(?:there is|theres|i see) no (?:way (?:to|of) (?:know|say|tell)\w*|(?:\w+ )?information)"
            r"(?!.*\b(?:that|suggest))",
            r"(?:there isnt|there is not) (?:enough|any) (?:\w+ )?information\b",
            r"(?:the )?(?:text|report|question|passage|article|source|document|note|record)s?(?: i have)?"
            r" (?:do|does|did)(?:nt| not) (?:say|mention|specify|state|tell)"
            r"(?: (?:it|that|this|so|who|what|when|where|which|how|why)\b.*)?$",
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
"""Ways in which a clause that speaks of not knowing begins."""
_ANYWHERE = re.compile(
    r"\b(?:"
    + "|".join(
        (
            # the speaker: does not know, has nothing to go by, declines
            rf"(?:i|we) (?:have )?{_HOW}{_NOT} {_HOW}{_TELL}\b(?! (?:for (?:sure|certain) )?that (?:\w+ ){{1,6}}?"
            r"(?:is|was|are|were|has|had|did|will|would)\b)",
            rf"(?:im|ive been) {_HOW}(?:not able|unable) to {_HOW}{_TELL}\b",
            rf"(?:i|we|im|ive been) {_HOW}{_NOT} {_HOW}(?:find|locate|see) (?:\w+ ){{0,3}}(?:{_INFORMATION}|anything"
            r"|mention|reference|name|date|title|who|what|when|where|which|how)\b",
            rf"i (?:(?:did not|didnt) know|never (?:knew|learn(?:ed|t)))(?: (?:it|that|this))?{_ASKED}",
            rf"{_AM} (?:\w+ly )?{_DOUBTS}{_ASKED}",
            rf"{_AM} not (?:prepared|willing|able) to (?:offer|give|venture|express|hazard)\b",
            r"youd? (?:would )?(?:be )?better off asking",
            rf"{_AM} not (?:\w+ )?(?:comfortable|equipped|qualified|informed|knowledgeable|in a position)\b",
            rf"(?:i|we|ive|weve) (?:\w+ly )?(?:(?:have|had|possess|got|found?|find|see|hold) ){{0,2}}"
            rf"(?:could find |can find )?(?:no|zero|insufficient|not enough) {_OF_IT}",
            rf"(?:i|we) (?:\w+ly )?{_NOT} (?:\w+ly )?(?:have|got|possess|hold|have got) {_OF_IT}",
            rf"(?:i |we )?havent (?:got )?{_OF_IT}",
            rf"(?:dont|do not) have (?:got )?(?:{_OF_IT}|personal opinions?\b)",
            rf"i (?:\w+ly )?lack {_OF_IT}",
            r"(?:i|ive) (?:have |got )?nothing (?:on|about) (?:that|this|it)\b",
            r"(?:(?:i|we) would|id|wed|i will|ill) (?:need|have) to (?:verify|consult|check|look|research|refer)\b",
            r"i (?:have|need) to pass\b|ill pass\b|i will pass\b",
            r"(?:i|we|ill|id)(?: will| would| am going| have| must)? ?(?:\w+ )?(?:refrain from|pass on|abstain from)"
            r" (?:answer|guess)\w*",
            r"(?:(?:i|we) (?:would )?|id )(?:\w+ )?(?:rather|prefer) (?:not (?:to )?(?:guess|say|answer|speculate)"
            r"|leave (?:that|this|it))\b",
            r"(?:i|we|ill)(?: (?:will|would|must|have|to|should|\w+ly)){0,4} decline\b",
            r"prevents? me from (?:answer|guess)ing",
            # what was asked, seen from the speaker
            rf"{_INFORMATION} (?:that |which )?(?:i|we) (?:lack|{_NOT} (?:have|possess))$",
            r"(?:(?:is|are|was)(?: not|nt)|thats not) (?:something|one|a \w+|anything|information)"
            r" (?:that |which )?(?:i|im|ive|we)\b",
            r"(?:is|are)(?: not|nt) (?:known|available|accessible|familiar)(?: to me\b| in my\b|$)",
            r"(?:not|un)(?: |)(?:known|available|accessible|clear) to me\b",
            r"(?:not|nothing) (?:at my disposal|in my possession)\b",
            r"(?:outside|beyond|exceeds?|outwith) (?:of )?(?:the scope of )?(?:me$|what i\b|(?:my|our) (?:\w+ ){0,3}"
            r"(?:knowledge|training|data|expertise|memory|information|sources?|ken)\b)",
            r"(?:nothing|no \w+)\b.*\b(?:in my (?:\w+ )?(?:data|sources?|records?|knowledge|training|files?)"
            r"|available to me)\b",
            r"my (?:\w+ ){0,2}(?:knowledge|data|training|information|base|sources?|memory|records?)"
            r" (?:(?:do|does) not|doesnt|dont|lacks?|fails?|ends?|stops?|contains? no\w*|(?:is|are) (?:insufficient"
            r"|silent|limited))\b",
            r"you(?:d|ll)? (?:\w+ ){0,3}(?:ask|consult) (?:some|an? expert|an? specialist|anyone|another)",
            r"only an? \w+ (?:could|can|would) (?:tell|say|know|answer)\b",
        )
    )
    + ")"
)
"""Words that speak of not knowing wherever they stand in a clause."""
_NO_OTHER = re.compile(
    r"\b(?:other\b.*\bthan|any(?:thing|one|body) but|any (?:\w+ )?doubts?|no (?:\w+ )?doubts?|doubt that|why \w+ doubt"
    r"|to the contrary"
    r"|(?:evidence|information|sign|indication) (?:that|of|for|to suggest|suggesting)|hesitat\w+|apart from"
    r"|besides|except)\b"
)
"""A denial of all else, which is an answer."""
_ANSWERS = re.compile(
    r"\b(?:my (?:\w+ )?(?:guess|hunch|bet|money)|(?:best|wild) guess|at a guess|if i had to"
    r"|(?:(?:i|we) (?:would|will)|id|ill) (?:guess|say|go (?:with|for)|bet|pick|try|lean)"
    r"|i (?:think|believe|suspect|guess|lean|want to say)|lets (?:say|go with)|something like|sounds like"
    r"|(?:it|that|this|he|she) (?:may|might|could|must)(?! not)|answer (?:may|might|could|must) be"
    r"|it (?:is|was) (?:probably|likely|possibly)|(?:may|might|could) be (?:correct|right|the answer)|comes to mind"
    r"|probably|possibly|perhaps|maybe"
    r"|ich (?:glaube|vermute|denke|tippe|schätze|meine|würde (?:\w+ )*?(?:sagen|tippen|raten))|vielleicht"
    r"|wahrscheinlich|vermutlich|eventuell|womöglich)\b"
)
_CLAUSE = re.compile(
    r"[.,;:!?()\u2013\u2014]+(?:\s+|$)|\s[-\u2013\u2014]\s"
    r"|\s(?=(?:but|however|though|although|still|nevertheless|aber|jedoch|allerdings|trotzdem)\b)"
    r"|\s(?=(?:so|because|since|and) (?:i|im|ive|ill|we|my|it)\b)"
)
_GOES_ON = re.compile(r"(?:but|however|though|although|still|nevertheless|aber|jedoch|allerdings|trotzdem)\b")
_OFFERS = re.compile(r"\b(?:help|assist|happy|glad|hope|suggest|recommend|check|consult|try|ask|look)\b")
"""What a refusal may offer instead of an answer."""
_ASKS = re.compile(
    r"(?:who|what|when|where|which|how|why)\b|(?:thats|that is|what) an? (?:\w+ )*(?:one|question)$"
    r"|(?:and |or )?(?:exact )?(?:day|month|year|date|place|name|time)\b(?!.*\d)"
)
"""A clause that repeats what was asked."""
_WORDS_OF_DOUBT = """
    i im id ill ive we my me myself you your question questions answer answers answered information data details
    knowledge know knowing known sure certain certainty sorry apologies apologize guess guessing speculate help source
    sources not no nor never none nothing cannot cant dont doesnt isnt unable lack lacks lacking without unclear unknown
    impossible beyond outside insufficient unavailable difficult hard idea clue check verify
    ich mir mich mein meine sie frage antwort informationen daten wissen weiss nicht kein keine leider leid unbekannt
"""
_OF_DOUBT = frozenset(_WORDS_OF_DOUBT.split())
"""One of them shows that a clause speaks of not knowing, and gives no answer."""
_WORDS_OF_ALL = "i im id ill ive we my me myself sure certain certainty guess guessing know ich"
_SEARCHED = _OF_DOUBT.difference(_WORDS_OF_ALL.split()).union(("checked", "searched", "looked", "tried", "regret"))
"""The same for an earlier clause, which may be the answer: "I'm fairly sure it was Lyon, but not certain"."""
_FILLING_WORDS = """
    honestly really unfortunately sadly truthfully frankly either yet though at all whatsoever anyway then here thanks
    thank mate sir hmm oh well alas right now the moment currently this time for and ehrlich gesagt momentan zurzeit
    derzeit wirklich bedaure tbh lol but so someone somebody else may might
"""
_FILLING = frozenset(_FILLING_WORDS.split())
"""A clause made of these alone gives no answer."""
_STATES = frozenset({"is", "was", "are", "were", "ist", "war", "sind", "waren"})
_SHORT = 4
"""Most words of a clause that may be an answer without a verb."""
_SMALL = frozenset(
    ("a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "and", "or", "but", "as", "with", "from")
)
"""Words without a capital in titles."""
_TITLE = 4
"""Fewest words by which a title can be told from "I Don't Know"."""

_OF_ASKING = frozenset({"answer", "question", "information", "determined"})
"""Words that show a text in capitals to be an abstention and no title."""


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
    for written in _CLAUSE.split(plain):
        clause = written.strip(' "\u201c\u201d')
        found = _lack(clause)
        if found is None and _is_answer(clause, lacks):
            return False
        begin = 0 if found is None else _before(clause)
        rest = clause if found is None else f"{clause[begin : found.start()]} {clause[found.end() :]}"
        if _ANSWERS.search(rest):
            return False
        lacks = lacks or found is not None
    return lacks


def _before(clause: str) -> int:
    found = _BEFORE.match(clause)
    return found.end() if found else 0


def _lack(clause: str) -> re.Match[str] | None:
    """Where a clause speaks of not knowing."""
    if _NO_OTHER.search(clause):
        return None
    return _FROM_THE_START.match(clause, _before(clause)) or _ANYWHERE.search(clause)


def _is_answer(clause: str, is_behind: bool) -> bool:
    """Whether a clause before or behind "I don't know" gives an answer after all."""
    words = re.findall(r"\w+", clause)
    if _FILLING.issuperset(words) or _BEFORE.fullmatch(clause) or _ASKS.match(clause):
        return False
    if len(words) == 1 and words[0] in YES_NO:
        return True
    if is_behind and _GOES_ON.match(clause):
        return _OFFERS.search(clause) is None
    if not is_behind:
        return _SEARCHED.isdisjoint(words)
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
