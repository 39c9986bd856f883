"""The fixed texts of the pages: headings, column headers, and texts in and beside diagrams."""

from __future__ import annotations

from radcal.system.files import Json
from radcal.system.language.catalogue import Language
from radcal.system.settings import Settings


def personal_captions(settings: Settings, w: Language) -> Json:
    """The words of resources/typst/feedback.typ and of what it takes from style.typ and diagrams.typ, by name."""
    confidence = w.percent(settings.confidence)
    return _common(w) | {
        "letter": w.say("From the quality assurance staff"),
        "suggestions": w.say("Suggestions"),
        "differing": w.say("Words that differ from what CT showed, without a suggestion"),
        "good": w.say("What is good: words that agree with what CT showed"),
        "together": w.say("All pathologies together"),
        "by-pathology": w.say("Pathology by pathology"),
        "few": w.say("Not enough data yet for a curve"),
        "vocabulary": w.say("Your words and the department's scale"),
        "others": w.say("The same words of all other readers together"),
        "examples": w.say("Your sentences, and what CT said"),
        "reading": w.say("How to read this"),
        "decimals-explained": w.say("Counts with decimals"),
        "decimals": w.say(
            "Decimals: CT itself hedged, see {heading} on page {page}.",
            heading=w.quoted(w.say("Counts with decimals")),
            page="{page}",
        ),
        "counted": w.say("Also counted"),
        "pathology": w.say("pathology"),
        "phrase": w.say("phrase"),
        "said": w.say("said"),
        "confirmed": w.say("confirmed"),
        "rate": w.say("rate, {confidence} interval", confidence=confidence),
        "meaning": w.say("meaning"),
        "statements": w.say("statements"),
        "confirmed-of-said": w.say("confirmed by CT, of times said"),
        "you-said": w.say("you said"),
        "confirmed-rate": w.say("confirmed, {confidence} interval", confidence=confidence),
        "readers": w.say("readers"),
        "they-said": w.say("they said"),
        "xray-report": w.say("X-ray report"),
        "ct-report": w.say("CT report"),
        "confirmed-by-ct": w.say("confirmed by CT"),
        "certainty": w.say("certainty as readers take your words"),
        "key-word": w.say("a word, {confidence} interval, larger where said more", confidence=confidence),
        "key-match": w.say("as readers take it"),
        "key-interval": w.say("hedged words, {confidence} interval", confidence=confidence),
        "key-luck": w.say("hedged words; band: a perfectly calibrated reader, by luck alone"),
        "key-density": w.say("where your words lie"),
    }


def department_captions(settings: Settings, w: Language) -> Json:
    """The words of resources/typst/department.typ and of what it takes from style.typ, by name."""
    return _common(w) | {
        "reader": w.say("reader"),
        "statements": w.say("statements"),
        "distance": w.say("word error, {confidence} interval", confidence=w.percent(settings.confidence)),
        "luck": w.say("luck alone"),
        "few": w.say("Not enough data yet for a measure"),
        "pathology": w.say("pathology"),
        "of-readers": w.say("statements of each reader"),
    }


def drafts_captions(w: Language) -> Json:
    """The words of resources/typst/drafts.typ and of what it takes from style.typ, by name."""
    return _common(w) | {
        "words": w.say("What was reworded"),
        "draft": w.say("in the draft"),
        "signed": w.say("as signed"),
        "times": w.say("times"),
        "pathologies": w.say("pathologies"),
        "examples": w.say("Your latest drafts that were reworded"),
        "marks": w.say("Struck out: removed before it was signed. Underlined: added."),
    }


def card_captions(w: Language, *, own: bool) -> Json:
    """The words of resources/typst/card.typ and of what it takes from style.typ, by name; of an ``own`` card or not."""
    return _common(w) | {
        "word": w.say("your word") if own else w.say("word"),
        "rate": w.say("CT showed it"),
        "n": w.say("n"),
        "mean": w.say("taken as"),
        "more": w.say("and {n} more on the pages", n="{n}") if own else w.say("and {n} more", n="{n}"),
    }


def _common(w: Language) -> Json:
    return {
        "limits": w.say("What these numbers cannot say"),
        "provenance": w.say("Where the numbers come from"),
        "boxes": w.say("□ stands for a character that the font of these pages lacks."),
        "page": w.say("page {page} of {pages}", page="{page}", pages="{pages}"),
    }
