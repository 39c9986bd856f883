"""Figures of errors in sentences: of reading, and how far words lie from their meaning."""

from __future__ import annotations

from radcal.reliability.records import LEVEL, PhraseRate, Reliability
from radcal.system.language.catalogue import Language


def with_errors(rate: PhraseRate, w: Language) -> str:
    """A word's rate with the errors of reading; '' where none are carried on."""
    if rate.read_rate is None or rate.read_low is None or rate.read_high is None:
        return ""
    return w.say("With reading errors {rate}.", rate=w.rate(rate.read_rate, rate.read_low, rate.read_high))


def word_error(r: Reliability, w: Language) -> str:
    """How far hedged words lie from their meaning, against what luck alone gives; '' where that is not known."""
    if r.word_error is None:
        return ""
    distance = " ".join(filter(None, (w.error(r.word_error), w.error_spread(r.word_error_low, r.word_error_high))))
    if r.read_word_error is not None:
        carried = (w.error(r.read_word_error), w.error_spread(r.read_word_error_low, r.read_word_error_high))
        read = " ".join(filter(None, carried))
        distance = w.say("{distance} (with reading errors {read})", distance=distance, read=read)
    if r.luck_word_mean is None or r.luck_word_p95 is None or r.p_value_word is None:
        return w.say("Hedged words lie {distance} from what readers take them to mean, on average.", distance=distance)
    verdict = w.say("taken together, they differ from what CT showed")
    if not r.differs:
        verdict = w.say("not shown to differ, allowing for the number of tests")
        if r.plain_p_value_word is not None and r.plain_p_value_word < LEVEL <= r.p_value_word:
            verdict = w.say("not shown to differ, allowing for reading errors")
        elif r.word_error <= r.luck_word_p95 or r.q_value_word is None:
            verdict = w.say("not shown to differ")
    return w.say(
        "Hedged words lie {distance} from what readers take them to mean, on average; those of a perfectly calibrated "
        "reader would lie {mean} away, up to {high}: {verdict}.",
        distance=distance,
        mean=w.error(r.luck_word_mean),
        high=w.error(r.luck_word_p95),
        verdict=verdict,
    )


def error_in_parts(r: Reliability, w: Language) -> str:
    """The published calibration error of hedged words (ECE*) and what it is made of; '' where that is not known."""
    if r.ece_star is None or r.ece_star_width is None or r.luck_star_mean is None:
        return ""
    # Of the rounded figures, so that the parts add up as they are shown.
    error, luck, width = (round(v, 2) for v in (r.ece_star, r.luck_star_mean, r.ece_star_width))
    return w.say(
        "Published measure (ECE*): {error}; width of the words {width}, chance {chance}, the rest {rest}.",
        error=w.error(error),
        width=w.error(width),
        chance=w.error(luck - width),
        rest=w.error(round(error - luck, 2) + 0.0).replace("-", "\N{MINUS SIGN}"),
    )
