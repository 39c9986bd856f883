"""The radiologist's results for a word in a draft, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.advice.judged_records import Standing
from radcal.feedback.shared_sentences import not_alike, of_phrase
from radcal.system.text import begun
from radcal.words.phrases import normalise
from ui.language import spoken
from ui.sentences import judged_text, topic_name
from ui.words import counted, quoted, rate, say, typographic

if TYPE_CHECKING:
    from radcal.advice.draft_check import CheckedDraft, CheckedWord


def name(word: CheckedWord) -> str:
    """The word as written, with its pathology: '“Likely” for edema'."""
    if word.phrase == "absent":
        return say("{topic} ruled out", topic=topic_name(word.topic))
    if word.phrase == "present" or not word.verbatim:
        return say("{topic} without a hedge", topic=topic_name(word.topic))
    return say("{word} for {topic}", word=quoted(word.verbatim), topic=topic_name(word.topic))


def kind(word: CheckedWord) -> str:
    """The verdict on the word in few words, '' where there is none."""
    return begun(judged_text(word.judged)) if word.judged.decided else ""


def sentence(word: CheckedWord, min_n: int) -> str:
    """The advice or why there is none, with the counts behind it; advice needs ``min_n`` uses."""
    judged = word.judged
    if judged.advice is not None:
        return typographic(judged.advice.text)
    match judged.standing:
        case Standing.UNKNOWN:
            return say(
                "{word} is in no list of words, so that its meaning is not known.",
                word=quoted(word.verbatim or word.phrase),
            )
        case Standing.NEVER:
            topic = topic_name(word.topic)
            return say("Never used for {topic} in these reports.", topic=topic)
        case Standing.FEW:
            n = round(judged.rate.n)
            uses = say("{n:,} use; advice needs {min}.", many="{n:,} uses; advice needs {min}.", n=n, min=min_n)
            return f"{_counts(word)} {uses}"
        case Standing.MATCHES:
            return _counts(word)
    return f"{_counts(word)} {typographic(judged.why)}".strip()


def _counts(word: CheckedWord) -> str:
    r = word.judged.rate
    count, share = spoken().out_of(r.positives, r.n), rate(r.rate, r.low, r.high)
    if word.phrase == "absent":
        return say("CT showed it in {count}: {rate}.", count=count, rate=share)
    return say("CT confirmed {count}: {rate}.", count=count, rate=share)


def as_written(word: CheckedWord) -> str:
    """The counts of the very words of the draft, where the phrase has several wordings; '' if they say no more."""
    own = of_phrase(word.written, word.topic, word.phrase)
    if not own or not word.verbatim:
        return ""
    words = normalise(word.verbatim)
    very = next((w for w in own if w.words == words), None)
    if very is None:
        text = say(
            "Read as {phrase}; in these reports {words} itself was never written.",
            phrase=quoted(word.phrase),
            words=quoted(words),
        )
    elif very.n == sum(w.n for w in own):
        text = ""
    else:
        text = say(
            "Read as {phrase}. Written {words}: {count}, {rate}.",
            phrase=quoted(word.phrase),
            words=quoted(words),
            count=spoken().out_of(very.positives, very.n),
            rate=rate(very.rate, very.low, very.high),
        )
    return f"{text} {not_alike(own, spoken())}".strip()


def summary(tried: CheckedDraft) -> str:
    """How many words have a suggestion."""
    n, advised = len(tried.words), sum(w.judged.advice is not None for w in tried.words)
    if not n:
        return say("No statement on a pathology was found in this draft.")
    return counted(advised, "{n} suggestion.", "{n} suggestions.") if advised else say("No suggestion.")


def by_hand(word: CheckedWord) -> str:
    """Advice to reword the sentence, where the word cannot be replaced by a button."""
    return say("To say it with {target}, reword the sentence.", target=quoted(word.judged.closer))


def edit(word: CheckedWord) -> str:
    """The label of the button."""
    return say("Use {target}", target=quoted(word.replacement))


def utf16(text: str, position: int) -> int:
    """A Python string index in UTF-16 units, as the editor counts: two for characters beyond U+FFFF."""
    return position + sum(letter > "\uffff" for letter in text[:position])
